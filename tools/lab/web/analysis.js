"use strict";
// What the lab knows of a game after some turns: candidates, a heat map of the posterior, the value of guesses.

const known = new Map();

/** What is known after these rows (`012:0,1`); `more` has digits and prior. Each question is sent once. */
function analysisOf(problem, rows, named, more = {}) {
  const query = { problem, rows, named, ...more };
  const key = JSON.stringify(query);
  if (!known.has(key)) {
    const answer = post("/api/analysis", query);
    known.set(key, answer);
    // A failed question is sent again.
    answer.catch(() => known.delete(key));
  }
  return known.get(key);
}

/**
 * The same in two steps where a search for turns takes long: `show` is called with the first answer, and again with the whole one;
 * its second argument says whether more is to come.
 */
async function analyse(problem, rows, named, more, show) {
  const quick = await analysisOf(problem, rows, named, more);
  show(quick, Boolean(quick.searchable));
  if (quick.searchable) show(await analysisOf(problem, rows, named, { ...more, search: true }), false);
}

function rowName(row) {
  return typeof row === "string" ? word(row) : word("placeNumber", row.place);
}

function percentOf(p) {
  const percent = 100 * p;
  return percent >= 9.95 ? percent.toFixed(0) : percent.toFixed(1);
}

/** How probable each part of the secret is, darker for more; the figures stand in the cells. */
function heatMap(grid) {
  if (!grid) return null;
  const most = Math.max(...grid.cells.flat());
  const cell = (p) => element("td", { class: "heat", style: `--share:${(most > 0 ? (100 * p) / most : 0).toFixed(0)}%` }, p === 0 ? "·" : percentOf(p));
  const head = grid.columns.map((column) => element("th", { scope: "col" }, column));
  const rows = grid.rows.map((row, i) => element("tr", {}, element("th", { scope: "row" }, rowName(row)), grid.cells[i].map(cell)));
  const caption = word(grid.rows[0].place ? "heatMap" : "heatMapStones");
  return wide(
    caption,
    element("table", { class: "heatmap" }, element("caption", {}, caption), element("thead", {}, element("tr", {}, element("td", {}), head)), element("tbody", {}, rows)),
  );
}

/** A guess, to be chosen where that means something. */
function guessButton(guess, choose) {
  if (!choose || guess.length > 120) return shortened(guess);
  return element("button", { type: "button", class: "link mono", title: word("takeGuess"), onclick: () => choose(guess) }, guess);
}

/** What each reply would leave: a bar each, the longest for `longest` candidates. */
function partsView({ parts }, longest = null) {
  const most = Math.max(...parts.map(({ candidates }) => candidates));
  const left = parts.reduce((sum, { probability, entropy }) => sum + probability * entropy, 0);
  const row = ({ reply, probability, candidates }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row", class: "mono" }, reply),
      element("td", { class: "number" }, String(candidates)),
      element("td", { class: "number" }, `${percentOf(probability)} %`),
      element("td", { class: "wide" }, element("div", { class: "part", style: `width:${(100 * candidates) / (longest ?? most)}%` })),
    );
  const heads = ["aReply", "candidates", "probability"].map((key, i) => element("th", { scope: "col", class: i > 0 ? "number" : null }, word(key)));
  return element(
    "div",
    { class: "parts" },
    element("table", { class: "plain" }, element("thead", {}, element("tr", {}, heads, element("td", {}))), element("tbody", {}, parts.map(row))),
    element("p", {}, word("partsLeft", left.toFixed(4), most)),
  );
}

/** A button that opens and closes the row below its own, which is `below`. */
function opener(below) {
  const button = element("button", { type: "button", class: "link opener", "aria-expanded": "false", "aria-label": word("showParts"), title: word("showParts") }, "▸");
  button.addEventListener("click", () => {
    below.hidden = !below.hidden;
    button.setAttribute("aria-expanded", String(!below.hidden));
    button.textContent = below.hidden ? "▸" : "▾";
  });
  return button;
}

/**
 * What guesses are worth; `played` stands out. Columns that say nothing of any are left out. `choose`, if it is given, is called with
 * a guess that was clicked.
 */
function worthTable(worths, played, choose = null) {
  const seen = new Set();
  const each = worths.filter(({ guess }) => !seen.has(guess) && seen.add(guess));
  const shown = { turns: (x) => x.toFixed(4), information: (x) => x.toFixed(4), right: (x) => `${(100 * x).toFixed(2)} %` };
  const titles = { turns: "turnsLeft", information: "information", right: "right" };
  const unknown = each.every(({ information }) => information == null) && each.some(({ right }) => right != null && right < 1);
  const used = Object.keys(shown).filter((key) => each.some((worth) => worth[key] != null));
  const row = (worth) => {
    const below = worth.parts.length > 0 ? element("tr", { hidden: "" }, element("td", { colspan: used.length + 1 }, partsView(worth))) : null;
    const own = element(
      "tr",
      { class: worth.guess === played ? "now" : null },
      element("th", { scope: "row", class: "mono" }, below ? [opener(below), " "] : null, guessButton(worth.guess, choose), worth.guess === played ? element("span", { class: "played" }, ` ← ${word("played")}`) : null),
      used.map((key) => element("td", { class: "number" }, worth[key] == null ? "–" : shown[key](worth[key]))),
    );
    return [own, below];
  };
  const head = [element("th", { scope: "col" }, word("aGuess")), used.map((key) => element("th", { scope: "col", class: "number" }, word(titles[key])))];
  return wide(word("bestGuesses"), [element("table", { class: "plain worths" }, element("thead", {}, element("tr", {}, head)), element("tbody", {}, each.map(row))), unknown ? element("p", { class: "faint" }, word("tooMuch")) : null]);
}

/** How many candidates and how much is still to be learnt. */
function leftText(state) {
  const bits = state.entropy.toFixed(4);
  return state.uniform ? word("left", state.candidates, bits) : word("leftUneven", state.candidates, bits, (2 ** state.entropy).toFixed(1));
}

/** All candidates where they are few; where they are not equally likely, the most probable ones. */
function candidateList({ listed, uniform, candidates }, choose = null) {
  if (listed.length === 0) return null;
  const mono = (name) => element("span", { class: "mono" }, guessButton(name, choose));
  if (uniform) return element("p", { class: "candidates" }, listed.map(({ name }) => mono(name)));
  const each = listed.map(({ name, probability }) => element("span", {}, mono(name), ` ${percentOf(probability)} %`));
  return element("p", { class: "candidates" }, each, listed.length < candidates ? element("span", { class: "faint" }, word("andLess", candidates - listed.length)) : null);
}

/** Nothing explains all rows: why not; null if something does. */
function impossibleText(state, rows) {
  if (state.outsidePrior != null) return [element("p", { class: "bad" }, word("outsidePrior", state.outsidePrior))];
  return state.contradiction ? contradictionText(state.contradiction, rows) : null;
}

/** Which rows cannot all be right, and how few must be wrong. */
function contradictionText(found, rows) {
  const name = (i) => word("rowNumber", i + 1, rows[i]);
  return [
    element("p", { class: "bad" }, word(found.impossibleAt === 0 ? "neverReplied" : "impossible", name(found.impossibleAt))),
    element("p", {}, word("fewestWrong", found.fewestWrong)),
    element("ul", {}, found.ways.map((way, i) => element("li", {}, word("ifWrong", way.map(name).join(word("comma")), found.possible[i])))),
  ];
}
