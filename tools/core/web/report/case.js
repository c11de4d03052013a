"use strict";
// The window of one case, run by run.

/** What became of a case in run `i`, and its session. */
function sideOf(report, row, i, details) {
  const run = row.runs[i];
  const several = report.runs.length > 1;
  const name = several ? element("h3", {}, keyOf(report, i), nameBefore(report, i), titleOf(report.runs[i])) : null;
  if (!run) return element("div", {}, name, element("p", { class: "faint" }, word("notInRun")));
  const failed = run.score == null;
  const outcome = outcomeText({ ...run, score: run.shown });
  return element(
    "div",
    {},
    name,
    element("p", {}, element("strong", { class: failed ? "bad" : "good" }, outcome), element("span", { class: "faint" }, `  ${run.ms.toFixed(1)} ms, ${run.mib.toFixed(1)} MiB`)),
    run.stderr ? element("p", { class: "faint" }, `${word("stderrEnded")} `, element("span", { class: "mono" }, run.stderr)) : null,
    report.served ? element("p", {}, element("a", { href: `/case/${report.runs[i].id}/${report.cases.id[row.place]}` }, word("analysis"))) : null,
    detailsView(details),
  );
}

/**
 * Shows a case; `details` are its sessions, run by run, null where the answer has not come yet.
 */
function fillWindow(place, report, row, details) {
  const known = details.find((own) => own?.answer || own?.session);
  const seed = row.seed == null ? "" : ` (${word("seed")} ${row.seed})`;
  place("case-heading").textContent = `${word("case")} ${row.name}${seed}`;
  const values = row.parameters.map((value, p) => (value == null ? null : `${report.parameters[p]}=${value}`)).filter(Boolean);
  const given = (key, text) => (text ? element("p", { class: "answer" }, `${word(key)}${word("colon")}`, element("span", { class: "mono" }, shortened(text))) : null);
  const facts = [values.length > 0 ? element("p", { class: "mono" }, values.join(" ")) : null, given("opening", known?.session?.opening), given("answer", known?.answer)];
  place("details").replaceChildren(
    ...facts.filter(Boolean),
    element("div", { class: "sides" }, report.runs.map((_, i) => sideOf(report, row, i, details[i] ?? {}))),
  );
  for (const id of ["previous", "next", "close"]) place(id).setAttribute("aria-label", word(id));
  place("details").scrollTop = 0;
}
