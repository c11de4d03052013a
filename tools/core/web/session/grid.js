"use strict";
// A grid that changes from turn to turn. Only cells that differ from what is seen are touched, so that a step is immediate.

/** Colours as CSS has them, in the browser's own writing and whether they are dark; null for what is no colour. */
const knownColours = new Map();
const colourReader = document.createElement("canvas").getContext("2d");

function readColour(text) {
  if (knownColours.has(text)) return knownColours.get(text);
  const read = (before) => {
    colourReader.fillStyle = before;
    colourReader.fillStyle = text;
    return colourReader.fillStyle;
  };
  const css = read("#000000");
  let colour = null;
  if (css === read("#ffffff")) {
    // `#rrggbb`, or `rgba(r, g, b, a)`. Where more of the ground is seen, the text keeps the colour of the page.
    const SOLID = 0.7;
    const parts = css.startsWith("#") ? [1, 3, 5].map((at) => parseInt(css.slice(at, at + 2), 16)) : css.match(/[\d.]+/g).map(Number);
    const light = 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2];
    colour = { css, ink: (parts[3] ?? 1) < SOLID ? "" : light < 140 ? "on-dark" : "on-light" };
  }
  knownColours.set(text, colour);
  return colour;
}

/** The longest side of a cell on the screen, in pixels: a small grid need not fill it. */
const MOST_OF_CELL = 56;

/** How wide a text is, in digits: those of East Asia take two. */
function digitsWide(text) {
  return [...text].reduce((sum, sign) => sum + (sign.codePointAt(0) > 0x2e7f ? 2 : 1), 0);
}

/** The beginning of a text that fits into a cell. */
function cellText(text) {
  const MOST = 7;
  const signs = [...text];
  return signs.length <= MOST ? text : `${signs.slice(0, MOST - 1).join("")}…`;
}

/** A drawing's grid: `go` shows it after a number of turns, `hide` hides what only the judge knows. */
class GridView {
  constructor({ rows, columns, frames, hidden, japanese }) {
    learnTranslations(japanese);
    Object.assign(this, { rows, columns, frames, hidden: hidden ?? [] });
    this.size = rows * columns;
    this.texts = new Array(this.size).fill("");
    this.fills = new Array(this.size).fill("");
    /** For each frame that is shown, what it has replaced. */
    this.before = [];
    this.at = -1;
    this.rects = new Map();
    this.labels = new Map();
    this.pointed = null;
    this.kept = null;
    this.build();
  }

  build() {
    const [width, height] = [this.columns * SIDE, this.rows * SIDE];
    const every = (count) => (count <= 40 ? 1 : count <= 100 ? 5 : 10);
    const numbers = svgElement("g", { class: "numbers" });
    for (let j = 0; j < this.columns; j += every(this.columns)) numbers.append(svgElement("text", { x: (j + 0.5) * SIDE, y: -0.4 * SIDE }, String(j)));
    for (let i = 0; i < this.rows; i += every(this.rows)) numbers.append(svgElement("text", { x: -0.5 * SIDE, y: (i + 0.5) * SIDE }, String(i)));
    let lines = "";
    for (let j = 0; j <= this.columns; j++) lines += `M${j * SIDE} 0V${height}`;
    for (let i = 0; i <= this.rows; i++) lines += `M0 ${i * SIDE}H${width}`;
    const path = (name) => svgElement("path", { class: name });
    this.tint = path("tint");
    this.painted = svgElement("g");
    this.written = svgElement("g", { class: "texts" });
    this.halo = path("halo");
    this.marks = path("marks");
    this.cursor = path("cursor");
    this.shapes = hiddenShapes(this.hidden, this.columns);
    const [areas, names] = this.shapes;
    // One side of room for the numbers.
    const box = [-SIDE, -0.8 * SIDE, width + SIDE + 4, height + 0.8 * SIDE + 4];
    this.svg = svgElement(
      "svg",
      { viewBox: box.join(" "), role: "application", tabindex: 0, style: `max-width:min(${(box[2] / SIDE) * MOST_OF_CELL}px, 78vh * ${(box[2] / box[3]).toFixed(4)})` },
      ...[svgElement("rect", { class: "ground", width, height }), this.tint, this.painted, svgElement("path", { class: "lines", d: lines }), areas, this.halo, this.marks, this.written, names, this.cursor, numbers],
    );
    // Names and numbers stay readable where cells are small: styles know the size of a pixel.
    new ResizeObserver(() => this.svg.style.setProperty("--px", `${box[2] / (this.svg.clientWidth || box[2])}px`)).observe(this.svg);
    this.svg.addEventListener("pointermove", (event) => event.pointerType === "mouse" && this.point(this.cellAt(event)));
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("click", (event) => this.keep(this.cellAt(event)));
    // A click leaves the focus where it is, so that the arrow keys still go from turn to turn.
    this.svg.addEventListener("mousedown", (event) => event.preventDefault());
    this.svg.addEventListener("keydown", (event) => this.key(event));
    for (const event of ["focus", "blur"]) this.svg.addEventListener(event, () => this.tell());
    this.caption = element("p", { class: "caption" });
    this.content = element("p", { class: "content", role: "status" });
    this.element = element("figure", { class: "picture cells" }, this.caption, this.svg, this.content);
    this.tell();
  }

  get hides() {
    return this.hidden.length > 0;
  }

  hide(on) {
    for (const layer of this.shapes) layer.toggleAttribute("hidden", on);
    this.blind = on;
    this.tell();
  }

  /** Shows the grid after this many turns. */
  go(at) {
    const changed = new Set();
    while (this.at < at) this.forward(changed);
    while (this.at > at) this.backward(changed);
    for (const cell of changed) this.show(cell);
    const { marked = [], caption: english = "" } = this.frames[at] ?? {};
    const caption = translated(english);
    const border = outline(marked, this.columns, 0);
    this.tint.setAttribute("d", squares(marked, this.columns));
    this.halo.setAttribute("d", border);
    this.marks.setAttribute("d", border);
    this.caption.textContent = caption;
    this.svg.setAttribute("aria-label", caption);
    this.tell();
  }

  forward(changed) {
    const replaced = [];
    this.at += 1;
    for (const [cell, text, fill] of this.frames[this.at]?.changes ?? []) {
      if (cell >= this.size) continue;
      replaced.push([cell, this.texts[cell], this.fills[cell]]);
      this.texts[cell] = text ?? this.texts[cell];
      this.fills[cell] = fill ?? this.fills[cell];
      changed.add(cell);
    }
    this.before.push(replaced);
  }

  backward(changed) {
    this.at -= 1;
    for (const [cell, text, fill] of this.before.pop().reverse()) {
      this.texts[cell] = text;
      this.fills[cell] = fill;
      changed.add(cell);
    }
  }

  show(cell) {
    const [x, y] = [(cell % this.columns) * SIDE, Math.floor(cell / this.columns) * SIDE];
    const colour = this.fills[cell] === "" ? null : readColour(this.fills[cell]);
    let rect = this.rects.get(cell);
    if (!rect && colour) {
      rect = svgElement("rect", { x, y, width: SIDE, height: SIDE });
      this.rects.set(cell, rect);
      this.painted.append(rect);
    }
    rect?.setAttribute("fill", colour?.css ?? "none");
    const text = cellText(this.texts[cell]);
    let label = this.labels.get(cell);
    if (!label && text !== "") {
      label = svgElement("text", { x: x + SIDE / 2, y: y + SIDE / 2 }, new Text());
      this.labels.set(cell, label);
      this.written.append(label);
    }
    if (!label) return;
    label.setAttribute("class", colour?.ink ?? "");
    if (label.firstChild.data === text) return;
    label.firstChild.data = text;
    label.setAttribute("font-size", Math.min(0.6, 1.5 / digitsWide(text)) * SIDE);
  }

  cellAt(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const [i, j] = [Math.floor(at.y / SIDE), Math.floor(at.x / SIDE)];
    return i >= 0 && i < this.rows && j >= 0 && j < this.columns ? i * this.columns + j : null;
  }

  point(cell) {
    if (cell === this.pointed) return;
    this.pointed = cell;
    this.tell();
  }

  /** A cell that was clicked stays chosen while turns pass; another click on it ends that. */
  keep(cell) {
    this.kept = cell === this.kept ? null : cell;
    this.tell();
  }

  /** Where the picture has the focus, the arrow keys choose a cell, and Escape ends that. */
  key(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in steps || event.key === "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    this.kept = event.key === "Escape" ? null : this.neighbour(...steps[event.key]);
    this.tell();
  }

  /** The cell that is this many rows and columns from the chosen one, or as far as the grid goes; the first one if none is chosen. */
  neighbour(down, right) {
    if (this.kept === null) return 0;
    const within = (at, count) => Math.min(Math.max(at, 0), count - 1);
    const i = within(Math.floor(this.kept / this.columns) + down, this.rows);
    return i * this.columns + within((this.kept % this.columns) + right, this.columns);
  }

  /** Says what is in the cell under the pointer, or in the one that was chosen. */
  tell() {
    const cell = this.pointed ?? this.kept;
    this.cursor.setAttribute("d", cell === null ? "" : squares([cell], this.columns));
    this.content.classList.toggle("faint", cell === null);
    const text = cell === null ? word(document.activeElement === this.svg ? "chooseCell" : "pointAtCell") : this.contentOf(cell);
    // What has not changed is not read out again.
    if (this.content.textContent !== text) this.content.textContent = text;
  }

  contentOf(cell) {
    const parts = [];
    if (this.texts[cell] !== "") parts.push(this.texts[cell]);
    if (this.fills[cell] !== "") parts.push(readColour(this.fills[cell]) ? this.fills[cell] : word("noColour", this.fills[cell]));
    const turns = this.turnsOf(cell).filter((turn) => turn <= this.at);
    if (turns.length > 0) parts.push(word("inTurns", turns));
    if (!this.blind) parts.push(...this.hidden.filter(({ cells }) => cells.includes(cell)).map(({ label }) => translated(label)));
    return [`(${Math.floor(cell / this.columns)}, ${cell % this.columns})`, ...parts].join(" · ");
  }

  /** The turns that were about a cell. */
  turnsOf(cell) {
    if (!this.marking) {
      this.marking = new Map();
      const add = (cell, turn) => (this.marking.has(cell) ? this.marking.get(cell).push(turn) : this.marking.set(cell, [turn]));
      this.frames.forEach(({ marked }, turn) => (marked ?? []).forEach((cell) => add(cell, turn)));
    }
    return this.marking.get(cell) ?? [];
  }
}
