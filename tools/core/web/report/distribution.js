"use strict";
// The distribution of scores; a click on a bar shows its cases.

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
  // One score has no distribution: its bar would fill the page.
  place("distribution").hidden = sets.flat().length === 1;
  if (place("distribution").hidden) return;
  const bars = bins(sets.flat(), scoreDecimals);
  const counts = sets.map((values) => tally(bars, values));
  const nothing = bars.length === 0;
  for (const id of ["histogram-figure", "bins"]) place(id).hidden = nothing;
  place("nothing").hidden = !nothing;
  if (nothing) return;
  const chosen = (bar, i) => pick({ from: bar.from, to: bar.to, of: several ? i : null });
  const drawn = counts.map((set, i) => ({ label: `${nameBefore(report, i)}${titleOf(report.runs[i])}`, counts: set, colour: runColour(i) }));
  drawBars(place("histogram"), bars, drawn, word("score"), chosen);
  const heads = report.runs.map((_, i) => (several ? runName(i) : word("casesAxis")));
  place("bins").querySelector("div").replaceChildren(barsTable(word("score"), heads, bars, counts, chosen));
}
