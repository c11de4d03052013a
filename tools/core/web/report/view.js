"use strict";
// The view: filters, sorting, the case that is open. The address has all of it after the #, so that a view can be saved and sent.

/** No filter. `of` is the run that verdict, kind and score are filters of; null is any run. */
const NO_FILTERS = { text: "", verdict: "", from: null, to: null, of: null, kind: null, outcome: "", pair: null, difference: null, group: null, ranges: {}, relative: null };
const START = { lang: null, case: null, against: 1, sort: null, measure: "score", ...NO_FILTERS };

/** The view that an address asks for; what makes no sense in this report is left out. */
function viewOf(address, report) {
  const parameters = new URLSearchParams(address.replace(/^#/, ""));
  const get = (key) => parameters.get(key) ?? "";
  const number = (key) => (get(key).trim() === "" || !Number.isFinite(Number(get(key))) ? null : Number(get(key)));
  const place = (key, first, end) => (Number.isInteger(number(key)) && number(key) >= first && number(key) < end ? number(key) : null);
  const two = (key) => {
    const parts = get(key).split(",");
    const both = parts.map(Number);
    return parts.length === 2 && parts.every((part) => part.trim() !== "") && both.every(Number.isFinite) ? both : null;
  };
  // `10..13`, where either number may be missing.
  const range = (key) => {
    const parts = get(key).split("..");
    const bounds = parts.map((part) => (part.trim() === "" || !Number.isFinite(Number(part)) ? null : Number(part)));
    return parts.length === 2 && bounds.some((bound) => bound !== null) ? bounds : null;
  };
  const ranges = report.parameters.map((name, p) => [p, range(rangeKey(name))]).filter(([, bounds]) => bounds);
  const one = (key, known) => (known.includes(get(key)) ? get(key) : "");
  const of = place("of", 0, report.runs.length);
  return {
    lang: parameters.get("lang"),
    case: parameters.get("case"),
    against: place("against", 1, report.runs.length) ?? 1,
    sort: /^[a-z]+\d*\.(asc|desc)$/.test(get("sort")) ? get("sort") : null,
    text: get("text"),
    verdict: one("verdict", verdictsOf(report)),
    from: number("from"),
    to: number("to"),
    of,
    kind: of === null ? null : place("kind", 0, report.runs[of].failures.length),
    outcome: report.runs.length > 1 ? one("outcome", OUTCOMES) : "",
    pair: report.runs.length > 1 ? two("pair") : null,
    difference: report.runs.length > 1 ? two("difference") : null,
    group: place("group", 0, report.groups.length),
    ranges: Object.fromEntries(ranges),
    relative: two("relative"),
    measure: one("measure", measuresOf(report)) || "score",
  };
}

/** What the address calls the range of a parameter. */
const rangeKey = (name) => `p.${name}`;

/** The address of a view; only what is not as at the start. */
function addressOf(view, report) {
  const parameters = new URLSearchParams();
  for (const [p, bounds] of Object.entries(view.ranges)) {
    parameters.set(rangeKey(report.parameters[p]), bounds.map((bound) => bound ?? "").join(".."));
  }
  for (const [key, value] of Object.entries(view)) {
    if (key === "ranges" || value === null || value === "" || value === START[key]) continue;
    parameters.set(key, Array.isArray(value) ? value.join(",") : String(value));
  }
  return parameters.size > 0 ? `#${parameters}` : location.pathname + location.search;
}

/** The verdicts that occur. */
function verdictsOf(report) {
  return [...new Set(report.runs.flatMap((run) => run.verdicts.map(([verdict]) => verdict)))];
}

/** What is filtered by that no field shows, in words. */
function hiddenFilters(view, report) {
  const name = runName(view.against);
  const filters = [];
  if (view.pair) filters.push(`A = ${scoreText(view.pair[0])}, ${name} = ${scoreText(view.pair[1])}`);
  if (view.difference) {
    const [low, high] = view.difference;
    filters.push(`${name} − A = ${low === high ? scoreText(low) : `${scoreText(low)} … ${scoreText(high)}`}`);
  }
  if (view.group !== null) filters.push(report.groups[view.group].opening);
  if (view.relative) {
    const of = view.of === null ? "" : `${runName(view.of)}: `;
    filters.push(`${of}${word("relative")} ${rangeLabel(...view.relative)}`);
  }
  if (view.kind !== null) filters.push(`${runName(view.of)}: ${translated(report.runs[view.of].failures[view.kind].reason)}`);
  return filters;
}
