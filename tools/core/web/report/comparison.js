"use strict";
// Two runs against each other; a click on a point or a bar shows its cases.

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
  const pair = report.pairs[other - 1];
  place("comparison").hidden = !pair;
  place("outcome-filter").hidden = !pair;
  if (!pair) return;
  place("which").hidden = report.runs.length < 3;
  const option = (run, i) => element("option", { value: i + 1, selected: i + 1 === other }, `${runName(i + 1)}: ${titleOf(run)}`);
  place("against").replaceChildren(...report.runs.slice(1).map(option));
  place("figures").replaceChildren(...comparisonParts(pair));
  place("compared").hidden = !pair.figures;
  if (!pair.figures) return;
  const names = [0, other].map((i) => `${runName(i)}: ${titleOf(report.runs[i])}`);
  drawScatter(place("scatter"), pointsOf(rows, other), names, [runColour(0), runColour(other)], report.objective, ({ x, y }) => pick({ pair: [x, y] }), scoreDecimals);
  const differences = rows.map((row) => differenceOf(row, other)).filter((difference) => difference !== null);
  const bars = bins(differences, scoreDecimals);
  const counts = tally(bars, differences);
  const chosen = (bar) => pick({ difference: [bar.from, bar.to] });
  drawBars(place("differences"), bars, [{ label: word("difference"), counts, colour: runColour(other) }], word("difference"), chosen);
  place("difference-bins").querySelector("div").replaceChildren(barsTable(word("difference"), [word("casesAxis")], bars, [counts], chosen));
}

/** The figures of a comparison, and what they show. */
function comparisonParts(pair) {
  const { figures: f } = pair;
  const lines = [[word("bothAccepted"), word("ofShared", pair.bothAccepted, pair.shared)]];
  for (const [key, count] of [["onlyInA", pair.onlyFirst], ["onlyInB", pair.onlySecond], ["otherContent", pair.otherContent]]) {
    if (count > 0) lines.push([word("leftOut"), word(key, count)]);
  }
  if (pair.firstFailed + pair.secondFailed + pair.bothFailed > 0) {
    lines.push([word("failedRow"), word("failedOnly", pair.firstFailed, pair.secondFailed, pair.bothFailed)]);
  }
  if (f) {
    const isScore = f.measure === "score";
    const text = (x) => (isScore ? fixed(x) : fixed(x, 4));
    const sign = (x) => `${x < 0 ? "−" : "+"}${text(Math.abs(x))}`;
    const none = () => word(f.p == null ? "noInterval" : "noSpread");
    const range = () => (f.half == null ? none() : `(95 %: ${sign(f.difference - f.half)} … ${sign(f.difference + f.half)})`);
    lines.push([`${word(isScore ? "mean" : `mean-${f.measure}`)} A, ${otherName}`, `${text(f.means[0])}, ${text(f.means[1])}`]);
    lines.push([word("difference"), `${sign(f.difference)} ${pair.whole ? `(${word("exact")})` : range()}`]);
    lines.push([word("byCase"), word("tally", ...f.tally)]);
  }
  const row = ([key, text]) => element("tr", {}, element("th", { scope: "row" }, key), element("td", {}, text));
  const others = pair.cautions.filter((caution) => caution !== "failed-more");
  return [
    ...failedFirst(pair),
    element("p", {}, f ? conclusionText(f.conclusion) + split(pair) : word("nothingToCompare")),
    ...others.map((caution) => element("p", { class: "caution" }, word(caution))),
    element("table", { class: "plain" }, element("tbody", {}, lines.map(row))),
  ];
}

/** Which of the two failed more cases, said before what the scores show. */
function failedFirst(pair) {
  const { safer, failed, figures } = pair;
  if (safer == null) return [];
  const names = ["A", otherName];
  const text = word("failedMore", names[1 - safer], failed[1 - safer], pair.shared, names[safer], failed[safer]);
  return [element("p", { class: "caution" }, text + (figures ? word("solvedOnly") : ""))];
}

/** Follows if the one with the better scores failed more. */
function split(pair) {
  const { kind, second } = pair.figures.conclusion;
  const shown = kind === "proved" || kind === "better";
  return shown && pair.safer != null && pair.safer !== Number(second) ? word("split") : "";
}

function conclusionText(c) {
  const p = c.p < 0.0001 ? word("lessThan", "0.0001") : word("probability", c.p?.toFixed(4));
  const names = c.second ? [otherName, "A"] : ["A", otherName];
  switch (c.kind) {
    case "proved":
      return word("proved", ...names);
    case "better":
      return word("betterThan", ...names, p);
    case "undecided":
      return word("undecided", p) + (c.needed == null ? "" : word("needed", c.needed));
    case "too-few":
      return word("too-few", p);
    default:
      return word(c.kind);
  }
}
