"use strict";
// The distribution of scores, and two runs against each other; a click on anything leads to its cases.

const scoresOf = (rows, i) => rows.map((row) => row.runs[i]?.score).filter((score) => score != null);

/** The bars of a chart as a table whose rows can be chosen by keyboard. */
function barsTable(title, heads, bars, counts, pick) {
  const line = (bar, b) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, bar.label),
      counts.map((set, i) => element("td", { class: "number" }, set[b] === 0 ? "0" : element("button", { type: "button", class: "link", onclick: () => pick(bar, i) }, String(set[b])))),
    );
  const head = [title, ...heads].map((text, i) => element("th", { scope: "col", class: i > 0 ? "number" : null }, text));
  return element("table", { class: "plain" }, element("thead", {}, element("tr", {}, head)), element("tbody", {}, bars.map(line)));
}

function showHistogram(place, report, rows, pick) {
  const several = report.runs.length > 1;
  const sets = report.runs.map((_, i) => scoresOf(rows, i));
  const bars = bins(sets.flat());
  const counts = sets.map((values) => tally(bars, values));
  const nothing = bars.length === 0;
  for (const id of ["histogram-figure", "bins"]) place(id).hidden = nothing;
  place("nothing").hidden = !nothing;
  if (nothing) return;
  const chosen = (bar, i) => pick({ from: bar.from, to: bar.to, of: several ? i : null });
  const drawn = counts.map((set, i) => ({ label: `${runName(i)} ${titleOf(report.runs[i])}`, counts: set, colour: runColour(i) }));
  drawBars(place("histogram"), bars, drawn, word("score"), chosen);
  const heads = report.runs.map((_, i) => (several ? runName(i) : word("casesAxis")));
  place("bins").querySelector("div").replaceChildren(barsTable(word("score"), heads, bars, counts, chosen));
}

/** Cases with the same two scores are one point. */
function pointsOf(rows, other) {
  const points = new Map();
  for (const row of rows) {
    const [x, y] = [row.runs[0]?.score, row.runs[other]?.score];
    if (x == null || y == null) continue;
    const point = points.get(`${x},${y}`);
    if (point) point.count += 1;
    else points.set(`${x},${y}`, { x, y, count: 1 });
  }
  return [...points.values()];
}

function showComparison(place, report, rows, other, pick) {
  const pairing = report.pairings[other - 1];
  place("comparison").hidden = !pairing;
  place("outcome-filter").hidden = !pairing;
  if (!pairing) return;
  place("which").hidden = report.runs.length < 3;
  const option = (run, i) => element("option", { value: i + 1, selected: i + 1 === other }, `${runName(i + 1)}: ${titleOf(run)}`);
  place("against").replaceChildren(...report.runs.slice(1).map(option));
  place("figures").replaceChildren(...comparisonParts(pairing));
  place("compared").hidden = !pairing.figures;
  if (!pairing.figures) return;
  const names = [0, other].map((i) => `${runName(i)}: ${titleOf(report.runs[i])}`);
  drawScatter(place("scatter"), pointsOf(rows, other), names, [runColour(0), runColour(other)], report.objective, ({ x, y }) => pick({ pair: [x, y] }));
  const differences = rows.map((row) => differenceOf(row, other)).filter((difference) => difference !== null);
  const bars = bins(differences);
  const counts = tally(bars, differences);
  const chosen = (bar) => pick({ difference: [bar.from, bar.to] });
  drawBars(place("differences"), bars, [{ label: word("difference"), counts, colour: runColour(other) }], word("difference"), chosen);
  place("difference-bins").querySelector("div").replaceChildren(barsTable(word("difference"), [word("casesAxis")], bars, [counts], chosen));
}

/** The figures of a comparison, and what they show. */
function comparisonParts(pairing) {
  const { figures: f } = pairing;
  const lines = [[word("bothAccepted"), word("ofShared", pairing.bothAccepted, pairing.shared)]];
  for (const [key, count] of [["onlyInA", pairing.onlyFirst], ["onlyInB", pairing.onlySecond], ["otherContent", pairing.otherContent]]) {
    if (count > 0) lines.push([word("leftOut"), word(key, count)]);
  }
  if (pairing.firstFailed + pairing.secondFailed + pairing.bothFailed > 0) {
    lines.push([word("failedRow"), word("failedOnly", pairing.firstFailed, pairing.secondFailed, pairing.bothFailed)]);
  }
  if (f) {
    const sign = (x) => `${x < 0 ? "−" : "+"}${fixed(Math.abs(x))}`;
    const range = () => (f.half == null ? word("noInterval") : `(95 %: ${sign(f.difference - f.half)} … ${sign(f.difference + f.half)})`);
    lines.push([`${word("mean")} A, ${otherName}`, `${fixed(f.means[0])}, ${fixed(f.means[1])}`]);
    lines.push([word("difference"), `${sign(f.difference)} ${pairing.whole ? `(${word("exact")})` : range()}`]);
    lines.push([word("byCase"), word("tally", ...f.tally)]);
  }
  const row = ([key, text]) => element("tr", {}, element("th", { scope: "row" }, key), element("td", {}, text));
  return [
    element("p", {}, f ? conclusionText(f.conclusion) : word("nothingToCompare")),
    ...pairing.cautions.map((caution) => element("p", { class: "caution" }, word(caution))),
    element("table", { class: "plain" }, element("tbody", {}, lines.map(row))),
  ];
}

function conclusionText(c) {
  const p = c.p < 0.0001 ? word("lessThan", "0.0001") : c.p?.toFixed(4);
  const names = c.second ? [otherName, "A"] : ["A", otherName];
  switch (c.kind) {
    case "proved":
      return word("proved", ...names);
    case "better":
      return word("betterThan", ...names, p);
    case "undecided":
      return word("undecided", p) + (c.needed == null ? "" : word("needed", c.needed));
    default:
      return word(c.kind);
  }
}
