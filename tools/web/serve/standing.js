"use strict";
// Where a game stands, as the lab knows it: candidates, a heat map of the posterior, what guesses are worth.

const known = new Map();

/** Where the game stands after these rows (`012:0,1`); asked once. */
function standingOf(problem, rows, named) {
  const parts = { problem, rows: rows.join(";"), named: named.join(";") };
  const key = JSON.stringify(parts);
  if (!known.has(key)) {
    const asked = ask("/api/standing", parts);
    known.set(key, asked);
    // What failed is asked again.
    asked.catch(() => known.delete(key));
  }
  return known.get(key);
}

/** How probable each digit is at each place, darker for more; the figures stand in the cells. */
function heatMap(places) {
  const digits = places[0].length;
  const most = Math.max(...places.flat());
  const cell = (p) => {
    const share = most > 0 ? p / most : 0;
    const percent = 100 * p;
    const text = p === 0 ? "·" : percent >= 9.95 ? percent.toFixed(0) : percent.toFixed(1);
    return element("td", { class: "heat", style: `--share:${(100 * share).toFixed(0)}%` }, text);
  };
  const head = Array.from({ length: digits }, (_, digit) => element("th", { scope: "col" }, String(digit)));
  const rows = places.map((place, i) => element("tr", {}, element("th", { scope: "row" }, word("placeNumber", i + 1)), place.map(cell)));
  return element(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": word("heatMap") },
    element("table", { class: "heatmap" }, element("caption", {}, word("heatMap")), element("thead", {}, element("tr", {}, element("td", {}), head)), element("tbody", {}, rows)),
  );
}

/** What guesses are worth; `played` stands out. */
function worthTable(worths, played) {
  const seen = new Set();
  const each = worths.filter(({ guess }) => !seen.has(guess) && seen.add(guess));
  const heads = ["guess", "information", "right", "turnsLeft"];
  const row = ({ guess, information, right, turns }) =>
    element(
      "tr",
      { class: guess === played ? "now" : null },
      element("th", { scope: "row", class: "mono" }, guess, guess === played ? ` ← ${word("played")}` : ""),
      element("td", { class: "number" }, information.toFixed(4)),
      element("td", { class: "number" }, `${(100 * right).toFixed(2)} %`),
      element("td", { class: "number" }, turns == null ? "–" : turns.toFixed(4)),
    );
  const head = heads.map((key) => element("th", { scope: "col", class: key === "guess" ? null : "number" }, word(key === "guess" ? "aGuess" : key)));
  return element("div", { class: "scroll" }, element("table", { class: "plain worths" }, element("thead", {}, element("tr", {}, head)), element("tbody", {}, each.map(row))));
}

/** How many candidates and how much is still to be learnt. */
function leftText(standing) {
  return word("left", standing.candidates, standing.entropy.toFixed(4));
}

function candidateList(standing) {
  return standing.listed.length > 0 ? element("p", { class: "mono candidates" }, standing.listed.join(" ")) : null;
}

/** Which rows cannot all be right, and how few must be wrong. */
function contradictionText(found, rows) {
  const name = (i) => word("rowNumber", i + 1, rows[i]);
  return [
    element("p", { class: "bad" }, word("impossible", name(found.impossibleAt))),
    element("p", {}, word("fewestWrong", found.fewestWrong)),
    element("ul", {}, found.ways.map((way, i) => element("li", {}, word("ifWrong", way.map(name).join(", "), found.possible[i])))),
  ];
}
