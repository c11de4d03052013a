"use strict";
// The page of an AHC030 session: the truth with what was asked, and beside it what was known.

const place = (id) => document.getElementById(id);
const session = JSON.parse(place("session").textContent);
const known = JSON.parse(place("known").textContent);
/** What was known before the first operation, and after each. */
const states = [...known.steps.map((step) => step.known), known.end];
const { rows, columns, frames } = session.drawing.grid;
/** What was known, as a picture for each language, and the one that is shown. */
const heats = {};
let heat = null;

const percentOf = (p) => Math.round(100 * p);
/** How a cell looks: a number where it is not sure, and a colour that both themes show. */
const heatText = (p) => (percentOf(p) > 0 && percentOf(p) < 100 ? String(percentOf(p)) : "");
const heatFill = (p) => (p < 0.005 ? "" : `rgba(242, 135, 30, ${p.toFixed(2)})`);

/** A frame for each state, with the cells that differ from the one before. */
function heatFrames() {
  let before = new Array(rows * columns).fill(0);
  return states.map(({ oil }, at) => {
    const changes = oil.flatMap((p, cell) => {
      const look = [heatText(p), heatFill(p)];
      return String(look) === String([heatText(before[cell]), heatFill(before[cell])]) ? [] : [[cell, ...look]];
    });
    before = oil;
    return { changes, marked: frames[at]?.marked, caption: word("oilHeat") };
  });
}

class HeatView extends GridView {
  /** The cells that were asked about have their border only: a tint would look like heat. */
  go(at) {
    super.go(at);
    this.tint.setAttribute("d", "");
  }

  contentOf(cell) {
    const p = states[this.at].oil[cell];
    return `${cellName(cell)} · ${word("oilOf", (100 * p).toFixed(1))}`;
  }
}

const cellName = (cell) => `(${Math.floor(cell / columns)}, ${cell % columns})`;

/** A table of two columns: what, and how much. */
function facts(rows) {
  const row = ([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: "number" }, value));
  return element("table", { class: "plain" }, element("tbody", {}, rows.map(row)));
}

/** What is known after some operations. */
function stateFacts(at) {
  const { pool_bits: bits, layouts, answer, cost } = states[at];
  return facts([
    [word("oilPool"), word("oilPoolBits", bits.toFixed(2), layouts)],
    [word("oilPrior"), word("oilBits", known.prior_bits.toFixed(1))],
    [word("oilAnswer"), answer.toFixed(4)],
    [word("oilCost"), cost.toFixed(3)],
  ]);
}

/** The value of an operation, and of others that were possible. */
function operationFacts(step) {
  const { cells, value } = step.asked;
  const own = step.is_answer ? [word("oilDeclared", cells.length), step.known.answer.toFixed(4)] : [word("oilQuestion", cells.length), value.toFixed(4)];
  const others = [
    [word("oilBest"), step.best.toFixed(4)],
    [word("oilDrill", cellName(step.drill.cells[0])), step.drill.value.toFixed(4)],
  ];
  return step.is_answer ? [facts([[word("oilRight"), own[1]]]), valueHead(), facts(others)] : [valueHead(), facts([own, ...others])];
}

const valueHead = () => element("h3", {}, word("oilValue"));

function beside(at) {
  if (!states[at]) return null;
  heat = heats[language] ??= new HeatView({ rows, columns, frames: heatFrames() });
  heat.go(at);
  const step = known.steps[at - 1];
  return element(
    "div",
    {},
    heat.element,
    element("h2", {}, at === 0 ? word("oilAtStart") : word("oilAfter", at)),
    stateFacts(at),
    element("p", { class: "faint" }, word("oilNote")),
    step ? [element("h2", {}, word("oilOperation", at)), ...operationFacts(step)] : null,
  );
}

place("player").classList.add("known-first");
startSession(session, () => `${session.name}${word("colon")}${word("oilTitle")}`, beside);
