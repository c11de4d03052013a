"use strict";
// The view: filters, sorting, the case that is open. The address has all of it after the #, so that a view can be saved and sent.

/** No filter. `of` is the run that verdict, kind and score are filters of; null is any run. */
const NO_FILTERS = { text: "", verdict: "", from: null, to: null, of: null, kind: null, outcome: "", pair: null, difference: null, group: null };
const START = { lang: null, case: null, against: 1, sort: null, ...NO_FILTERS };

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
  };
}

/** The address of a view; only what is not as at the start. */
function addressOf(view) {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(view)) {
    if (value === null || value === "" || value === START[key]) continue;
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
  if (view.kind !== null) filters.push(`${runName(view.of)}: ${translated(report.runs[view.of].failures[view.kind].reason)}`);
  return filters;
}
