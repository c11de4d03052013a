"use strict";
// The figures of each group of cases: those that began with the same line, which names problem and parameters.

const withHalf = ({ mean, half }) => (half == null ? fixed(mean) : `${fixed(mean)} ± ${fixed(half)}`);

/** What is beyond its interval stands out: the difference from the first run in words, and whether it is `good` or `bad`. */
function apart(report, run) {
  if (!run?.difference) return ["–", null];
  const { mean: difference, half } = run.difference;
  const better = report.objective === "max" ? difference > 0 : difference < 0;
  const sure = half != null && Math.abs(difference) > half;
  return [`${difference < 0 ? "−" : "+"}${withHalf({ mean: Math.abs(difference), half })}`, sure ? (better ? "good" : "bad") : null];
}

/** The heads of the columns for each run; `relative` if there is one for relative scores. */
function figureHeads(report, relative) {
  const of = (i) => ["AC", word("mean"), ...(relative ? [word("relative")] : [])].map((text) => `${nameBefore(report, i)}${text}`);
  const heads = report.runs.flatMap((_, i) => [...of(i), ...(i > 0 ? [`${runName(i)} − A`] : [])]);
  return heads.map((text) => element("th", { scope: "col", class: "number" }, text));
}

/** The figures of each run on some cases; `relative` gives the mean relative score of a run, where that is a column. */
function figureCells(report, runs, relative) {
  const of = (run) => {
    if (!run) return ["–", "–"];
    return [`${run.accepted} / ${run.judged}`, run.mean ? withHalf(run.mean) : "–"];
  };
  const number = (text, cls = "") => element("td", { class: `number ${cls ?? ""}` }, text);
  return runs.map((run, i) => [...of(run).map((text) => number(text)), relative ? number(fixed(relative(i), 2)) : null, i > 0 ? number(...apart(report, run)) : null]);
}

/** A row for each group; `pick` is called with the filters that lead to a group. */
function groupsTable(report, pick) {
  const row = (group, g) =>
    element("tr", {}, element("th", { scope: "row" }, element("button", { type: "button", class: "link", onclick: () => pick({ group: g }) }, group.opening)), figureCells(report, group.runs));
  const head = [element("th", { scope: "col" }, word("problem")), figureHeads(report)];
  return element("table", { class: "plain" }, element("thead", {}, element("tr", {}, head)), element("tbody", {}, report.groups.map(row)));
}
