"use strict";
// Scores by the parameters of the cases: pictures of points, and means by value or by range.

/** What stands on the vertical axis of the pictures. */
const MEASURES = ["score", "relative", "difference"];

/** What a case came to in run `i`; null where there is nothing. Only the run that is compared with A has a difference. */
function measured(row, i, view) {
  if (view.measure === "difference") return i === view.against ? differenceOf(row, i) : null;
  return row.runs[i]?.[view.measure] ?? null;
}

/** The measures that this report has. */
const measuresOf = (report) => MEASURES.filter((measure) => measure !== "difference" || report.runs.length > 1);

/** How a measure is called. */
function measureName(view) {
  return view.measure === "difference" ? `${runName(view.against)} − A` : word(view.measure);
}

/** The points of run `i`: cases with the same two values are one. */
function parameterPoints(rows, p, i, view) {
  const points = new Map();
  for (const row of rows) {
    const [x, y] = [row.parameters[p], measured(row, i, view)];
    if (x == null || y == null) continue;
    const point = points.get(`${x},${y}`);
    if (point) point.count += 1;
    else points.set(`${x},${y}`, { x, y, count: 1 });
  }
  return [...points.values()];
}

/** As many points as a browser draws at once, evenly taken from all. */
function someOf(points) {
  const MOST = 5000;
  const step = points.length / MOST;
  return step <= 1 ? points : Array.from({ length: MOST }, (_, i) => points[Math.floor(i * step)]);
}

/** The mean of each group of values, as a point between the values of its cases. */
function parameterMeans(points, groups) {
  const means = groups.map(({ from, to }) => {
    let [x, y, count] = [0, 0, 0];
    for (const point of points) {
      if (point.x < from || point.x > to) continue;
      x += point.x * point.count;
      y += point.y * point.count;
      count += point.count;
    }
    return count === 0 ? null : { x: x / count, y: y / count };
  });
  return means.filter(Boolean);
}

/** The filters that lead to the cases of a point. */
function filtersOfPoint(report, view, p, i, { x, y }) {
  const ranges = { [p]: [x, x] };
  if (view.measure === "difference") return { ranges, difference: [y, y] };
  const of = report.runs.length > 1 ? i : null;
  return view.measure === "relative" ? { ranges, of, relative: [y, y] } : { ranges, of, from: y, to: y };
}

/** The places of the parameters that have several values. */
const variedParameters = (report) => report.parameterGroups.map((_, p) => p).filter((p) => report.parameterGroups[p].groups.length > 0);

function showParameters(place, report, rows, view, pick) {
  const varied = variedParameters(report);
  place("parameters").hidden = varied.length === 0;
  if (varied.length === 0) return;
  const options = measuresOf(report).map((measure) => element("option", { value: measure, selected: measure === view.measure }, measureName({ ...view, measure })));
  place("measure").replaceChildren(...options);
  const figures = varied.map((p) => {
    const id = `parameter-${p}`;
    const caption = element("figcaption", { id: `${id}-caption` }, word("measureAgainst", measureName(view), report.parameters[p]));
    return element("figure", {}, caption, element("div", { class: "chart" }, element("canvas", { id, role: "img", "aria-labelledby": `${id}-caption` })));
  });
  // Chart.js must destroy a chart before its canvas goes away.
  for (const canvas of place("parameter-charts").querySelectorAll("canvas")) Chart.getChart(canvas)?.destroy();
  place("parameter-charts").replaceChildren(...figures);
  for (const p of varied) {
    const sets = report.runs.map((run, i) => {
      const points = parameterPoints(rows, p, i, view);
      return { run: i, label: `${nameBefore(report, i)}${titleOf(run)}`, colour: runColour(i), points: someOf(points), means: parameterMeans(points, report.parameterGroups[p].groups) };
    });
    const drawn = sets.filter((set) => set.points.length > 0);
    drawPoints(place(`parameter-${p}`), drawn, report.parameters[p], measureName(view), (set, point) => pick(filtersOfPoint(report, view, p, set.run, point)));
  }
  place("where").replaceChildren(...whereParts(report, view));
  place("parameter-table").replaceChildren(parameterTable(report, rows, varied, pick));
}

/** Some values of a parameter, in words; `effect` is one of `stats/parameter_effects.rs`. */
function effectValues({ name, values, from, to }) {
  if (values === "every") return word("everyValue", name);
  const [low, high] = [rounded(from), rounded(to)];
  if (values === "lowest") return word("valueAtMost", name, high);
  if (values === "highest") return word("valueAtLeast", name, low);
  return low === high ? word("valueIs", name, low) : word("valueWithin", name, low, high);
}

function effectText(effect) {
  const { change, p } = effect;
  const [size, unit] = "percent" in change ? [change.percent, " %"] : [change.points, ""];
  const sign = size < 0 ? "−" : "+";
  const text = `${sign}${Math.abs(size).toFixed(unit ? 1 : 2)}${unit}`;
  const surely = p < 0.0001 ? "p < 0.0001" : `p = ${p.toFixed(p < 0.001 ? 4 : 3)}`;
  return `${effectValues(effect)}${word("colon")}${text} (${surely})`;
}

/** Where the compared run is worse or better, and how sure that is; nothing where nothing is significant. */
function whereParts(report, view) {
  const effects = report.pairs[view.against - 1]?.effects;
  if (!effects || effects.found.length === 0) return [];
  const part = (better, kind, key) => {
    const own = effects.found.filter((effect) => effect.better === better);
    if (own.length === 0) return null;
    const items = own.map((effect) => element("li", {}, effectText(effect)));
    return [element("p", {}, element("strong", { class: kind }, word(key))), element("ul", {}, items)];
  };
  const parts = [part(false, "bad", "worseWhere"), part(true, "good", "betterWhere")];
  return [...parts.flat().filter(Boolean), element("p", { class: "faint" }, word("corrected", effects.groups))];
}

/** The mean relative score of run `i` on the cases with values of a parameter; null where there is none. */
function meanRelative(rows, p, { from, to }, i) {
  const within = rows.filter((row) => row.parameters[p] != null && row.parameters[p] >= from && row.parameters[p] <= to);
  const scores = within.map((row) => row.runs[i]?.relative).filter((score) => score != null);
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/** A row for each value or range of each parameter. */
function parameterTable(report, rows, varied, pick) {
  const lead = (p, { from, to }) => element("button", { type: "button", class: "link", onclick: () => pick({ ranges: { [p]: [from, to] } }) }, rangeLabel(from, to));
  const body = (p) => {
    const { name, groups } = report.parameterGroups[p];
    const first = element("th", { scope: "rowgroup", rowspan: groups.length }, name);
    const row = (group, g) => element("tr", {}, g === 0 ? first : null, element("th", { scope: "row" }, lead(p, group)), figureCells(report, group.runs, (i) => meanRelative(rows, p, group, i)));
    return element("tbody", {}, groups.map(row));
  };
  const head = [word("parameter"), word("value")].map((text) => element("th", { scope: "col" }, text));
  return element("table", { class: "plain" }, element("thead", {}, element("tr", {}, head, figureHeads(report, true))), varied.map(body));
}
