"use strict";
// A session that is played: a slider, buttons and keys go from turn to turn; the board shows the turns up to there.

/** The remarks of a turn; of many the first, and the others folded. */
function remarkList(remarks) {
  const items = remarks.slice(0, MOST_REMARKS).map((remark) => element("li", { class: "mono" }, remarkText(remark)));
  return [element("ul", { class: "remarks" }, items), otherRemarks(remarks)].filter(Boolean);
}

/** The picture of a session whose problem draws one; null if its turns are shown in the list only. */
function pictureOf({ grid, svg } = {}) {
  if (grid) return new GridView(grid);
  return svg ? new SvgView(svg) : null;
}

/**
 * Shows a session in `place`: `{ turns, last, answer, drawing, verdict, score, reason }`. `moved` is called with the turn that
 * is shown, whenever that changes; what it returns, an element or null, stands beside the board.
 */
class Player {
  constructor(place, session, moved) {
    this.session = session;
    this.moved = moved ?? (() => null);
    this.count = session.turns.length;
    this.at = this.count;
    this.timer = null;
    this.build(place);
    this.go(this.count);
  }

  build(place) {
    const button = (key, sign, act) => element("button", { type: "button", "aria-label": word(key), title: word(key), "data-act": key, onclick: act }, sign);
    this.slider = element("input", { type: "range", min: 0, max: this.count, step: 1, "aria-label": word("turn"), oninput: () => this.go(Number(this.slider.value)) });
    this.status = element("output", { role: "status" });
    this.playButton = button("play", "▶", () => this.toggle());
    this.picture = pictureOf(this.session.drawing);
    this.speed = element("select", { "aria-label": word("speed") }, [0.5, 1, 2, 5, 20].map((x) => element("option", { value: x, selected: x === 1 }, `${x}×`)));
    const hide = element("input", { type: "checkbox", onchange: () => this.hide(hide.checked) });
    hide.checked = Boolean(this.session.hidden);
    const controls = element(
      "div",
      { class: "controls" },
      button("first", "«", () => this.go(0)),
      button("back", "‹", () => this.go(this.at - 1)),
      this.playButton,
      button("forward", "›", () => this.go(this.at + 1)),
      button("last", "»", () => this.go(this.count)),
      this.slider,
      this.status,
      this.speed,
      this.session.answer == null && !this.picture?.hides ? null : element("label", {}, hide, ` ${word("hideAnswer")}`),
    );
    const { answer, drawing } = this.session;
    const pegs = drawing?.pegs?.answer;
    const rows = this.session.turns.map((turn, i) => this.row(turn, i));
    this.rows = rows;
    const heads = ["turn", "guess", "reply", ...(this.timed() ? ["ms"] : [])];
    this.board = element(
      "div",
      { class: "board" },
      answer == null ? null : element("p", { class: "answer" }, `${word("answer")}${word("colon")}`, pegs ? pegRow(pegs) : element("span", { class: "mono" }, shortened(answer))),
      (this.list = element("div", { class: "list" }, element("table", { class: "plain turns" }, element("thead", {}, element("tr", {}, heads.map((key) => element("th", { scope: "col" }, word(key))))), element("tbody", {}, rows)))),
    );
    if (this.picture) new ResizeObserver(() => this.follow()).observe(this.list);
    this.hide(hide.checked);
    this.messages = element("div", { class: "messages" });
    this.beside = element("div", { class: "beside" });
    this.end = element("p", { class: "verdict" });
    const opening = this.session.opening?.includes("\n") ? element("details", {}, element("summary", {}, word("opening")), element("pre", {}, this.session.opening)) : null;
    const parts = this.picture ? [[this.picture.element], [this.board, this.end, this.messages, this.beside, opening]] : [[this.board, this.end], [this.messages, this.beside, opening]];
    place.replaceChildren(controls, element("div", { class: this.picture ? "stage pictured" : "stage" }, parts.map((part) => element("div", {}, part))));
  }

  /** Hides what only the judge knows, or shows it; a change of language keeps it. */
  hide(on) {
    this.session.hidden = on;
    this.board.classList.toggle("blind", on);
    this.picture?.hide?.(on);
  }

  timed() {
    return this.session.turns.some((turn) => turn.ms != null);
  }

  row(turn, i) {
    const go = () => this.go(i + 1);
    const pegs = this.session.drawing?.pegs?.rows[i];
    return element(
      "tr",
      { onclick: go },
      element("th", { scope: "row", class: "number" }, element("button", { type: "button", class: "link", onclick: go }, String(i + 1))),
      element("td", {}, pegs ? pegRow(pegs) : element("span", { class: "mono" }, shortened(turn.guess))),
      element("td", { class: "mono" }, replyText(turn)),
      this.timed() ? element("td", { class: "number faint" }, turn.ms == null ? "" : turn.ms.toFixed(3)) : null,
    );
  }

  /** Shows the session after this many turns. */
  go(turn) {
    const before = this.at;
    this.at = Math.min(Math.max(turn, 0), this.count);
    this.slider.value = this.at;
    this.status.textContent = word("turnOf", this.at, this.count);
    this.picture?.go(this.at);
    this.showRows(before);
    const { turns, last, verdict } = this.session;
    const over = this.at === this.count;
    const remarks = [...(turns[this.at - 1]?.remarks ?? []), ...(over ? (last ?? []) : [])];
    this.messages.replaceChildren(...(remarks.length > 0 ? [element("h2", {}, word("remarks")), ...remarkList(remarks)] : []));
    this.end.hidden = !over;
    this.end.className = `verdict ${verdict === "AC" ? "good" : "bad"}`;
    this.end.textContent = outcomeText(this.session);
    if (over) this.stop();
    const beside = this.moved(this.at);
    this.beside.replaceChildren(...(beside ? [beside] : []));
  }

  /** The board shows the turns so far. Beside a picture all of them stand in a list, which follows the turn that is shown. */
  showRows(before) {
    const [first, end] = [Math.min(before, this.at), Math.max(before, this.at)];
    if (!this.picture) for (let i = first; i < end; i++) this.rows[i].hidden = i >= this.at;
    this.rows[before - 1]?.classList.remove("now");
    const row = this.rows[this.at - 1];
    row?.classList.add("now");
    if (this.picture) this.follow();
  }

  /** Moves the list to the turn that is shown; once for each picture of the screen, because it costs a layout. */
  follow() {
    this.following ??= requestAnimationFrame(() => {
      this.following = null;
      const now = this.rows[this.at - 1];
      this.list.scrollTop = now ? now.offsetTop + (now.offsetHeight - this.list.clientHeight) / 2 : 0;
    });
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at === this.count) this.go(0);
    this.playButton.textContent = "❚❚";
    const step = () => 900 / Number(this.speed.value);
    let due = performance.now() + step();
    const tick = () => {
      this.go(this.at + 1);
      // Where a turn took longer than its time, none is left out.
      due = Math.max(due + step(), performance.now());
      if (this.at < this.count) this.timer = setTimeout(tick, due - performance.now());
    };
    this.timer = setTimeout(tick, step());
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.playButton.textContent = "▶";
  }

  /** Acts on a key, wherever it is pressed on the page. */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea, .scroll")) return;
    const acts = {
      ArrowLeft: () => this.go(this.at - 1),
      ArrowRight: () => this.go(this.at + 1),
      Home: () => this.go(0),
      End: () => this.go(this.count),
      " ": () => (event.target.matches("button, summary") ? null : this.toggle()),
    };
    if (!acts[event.key]) return;
    if (event.key !== " " || !event.target.matches("button, summary")) event.preventDefault();
    acts[event.key]();
  }
}
