"use strict";
// Outlines of sets of cells.

/** A cell's side, in units of the picture. */
const SIDE = 40;

/**
 * The outline of a set of cells, as the `d` of a path, at a distance within its border, so that outlines of sets that touch or
 * overlap can be told apart. Each side of a cell that has no neighbour is a line. At its ends the line is shortened where the
 * border turns inwards, and lengthened where it turns outwards:
 *
 *     ┌──────┐        in: a neighbour of the cell along the line
 *     │ cell │ in     over: the cell beyond the line, beside `in`
 */
function outline(cells, columns, inset) {
  const set = new Set(cells);
  const has = (i, j) => j >= 0 && j < columns && set.has(i * columns + j);
  const lines = [];
  for (const cell of set) {
    const [i, j] = [Math.floor(cell / columns), cell % columns];
    const [x, y] = [j * SIDE, i * SIDE];
    // How far the line reaches beyond a corner of its cell.
    const reach = (inside, over) => (!inside ? -inset : over ? inset : 0);
    for (const d of [-1, 1]) {
      if (!has(i + d, j)) {
        const at = y + SIDE / 2 + d * (SIDE / 2 - inset);
        lines.push(`M${x - reach(has(i, j - 1), has(i + d, j - 1))} ${at}H${x + SIDE + reach(has(i, j + 1), has(i + d, j + 1))}`);
      }
      if (!has(i, j + d)) {
        const at = x + SIDE / 2 + d * (SIDE / 2 - inset);
        lines.push(`M${at} ${y - reach(has(i - 1, j), has(i - 1, j + d))}V${y + SIDE + reach(has(i + 1, j), has(i + 1, j + d))}`);
      }
    }
  }
  return lines.join("");
}

/** Squares, as the `d` of a path. */
function squares(cells, columns) {
  return cells.map((cell) => `M${(cell % columns) * SIDE} ${Math.floor(cell / columns) * SIDE}h${SIDE}v${SIDE}h${-SIDE}z`).join("");
}

/**
 * What only the judge knows: each shape has a colour, an outline at a distance of its own, and its name in a cell that it shares
 * with as few others as possible. Where shapes overlap, their colours add up. Returns two layers: areas with outlines, and names.
 */
function hiddenShapes(shapes, columns) {
  const LEVELS = 4;
  const covers = new Map();
  const count = (cell, more) => covers.set(cell, (covers.get(cell) ?? 0) + more);
  for (const { cells } of shapes) for (const cell of cells) count(cell, 1);
  const areas = svgElement("g", { class: "shapes" });
  const names = svgElement("g", { class: "shapes" });
  shapes.forEach(({ cells, label }, k) => {
    if (cells.length === 0) return;
    const inset = 5 + (k % LEVELS) * 3.5;
    const colour = { class: "shape", style: `--hue:${(k * 137.5 + 20) % 360}` };
    const border = outline(cells, columns, inset);
    areas.append(svgElement("g", colour, svgElement("path", { class: "area", d: squares(cells, columns) }), svgElement("path", { class: "halo", d: border }), svgElement("path", { d: border })));
    const named = cells.reduce((best, cell) => (covers.get(cell) < covers.get(best) ? cell : best));
    // Another name goes elsewhere, if it can.
    count(named, shapes.length);
    const [i, j] = [Math.floor(named / columns), named % columns];
    const ends = j >= columns * 0.75 && j > 0;
    const place = { x: (ends ? j + 1 : j) * SIDE, y: i * SIDE + inset, "text-anchor": ends ? "end" : "start" };
    names.append(svgElement("g", colour, svgElement("text", place, translated(label))));
  });
  return [areas, names];
}
