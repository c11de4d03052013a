"use strict";
// The figures of each run, and what failed.

/** A run's number, with its tag. */
function titleOf(run) {
  return run.tag ? `${run.id} (${run.tag})` : String(run.id);
}

/** As many digits after the point as are significant. */
function fixed(x, digits) {
  if (x == null) return "–";
  const large = digits === undefined && Math.abs(x) >= 1000;
  return large ? grouped(x.toFixed(scoreDecimals)) : x.toFixed(digits ?? Math.max(4, scoreDecimals + 2));
}

/** The median, which may lie in the middle between two scores. */
function medianText(x) {
  if (x == null) return "–";
  const own = String(x).split(".")[1]?.length ?? 0;
  return grouped(own < scoreDecimals ? scoreText(x) : x);
}

const nameBefore = (report, i) => (report.runs.length > 1 ? `${runName(i)}: ` : "");
const keyOf = (report, i) => (report.runs.length > 1 ? element("span", { class: "key", style: `background:${runColour(i)}` }) : null);

/** A row for each run; `link` makes the button that opens a case of a run. */
function summaryTable(report, link) {
  const numbers = new Set(["mean", "interval", "min", "median", "max", "total", "relative", "slowest"]);
  const cells = {
    run: (run, i) => [keyOf(report, i), nameBefore(report, i), String(run.id)],
    tag: (run) => run.tag ?? "",
    verdicts: (run) => run.verdicts.map(([verdict, n]) => element("span", { class: verdict === "AC" ? "good" : "bad" }, `${verdict} ${n} `)),
    mean: ({ scores }) => fixed(scores?.mean),
    interval: ({ scores }) => (!scores ? "–" : scores.exact ? word("exact") : scores.half == null ? "–" : `± ${fixed(scores.half)}`),
    min: ({ scores }) => grouped(scores?.min ?? "–"),
    median: ({ scores }) => medianText(scores?.median),
    max: ({ scores }) => grouped(scores?.max ?? "–"),
    total: ({ scores }) => grouped(scores?.total ?? "–"),
    relative: (run) => fixed(run.relative, 2),
    slowest: ({ slowest }, i) => (slowest ? [`${slowest.ms.toFixed(1)} ms `, link(slowest.case, i)] : "–"),
  };
  const used = Object.keys(cells).filter((key) => key !== "tag" || report.runs.some((run) => run.tag));
  const head = (key) => element("th", { scope: "col", class: numbers.has(key) ? "number" : null, title: key === "relative" ? word("relativeHint") : null }, word(key));
  const body = (run, i) => element("tr", {}, used.map((key) => element("td", { class: numbers.has(key) ? "number" : null }, cells[key](run, i))));
  return element("table", { class: "plain" }, element("thead", {}, element("tr", {}, used.map(head))), element("tbody", {}, report.runs.map(body)));
}

/** What failed in run `i`, kind by kind; `pick` is called with the filters that lead to a kind. */
function failuresOf(report, i, link, pick) {
  const run = report.runs[i];
  if (run.failures.length === 0) return [];
  const kind = (failure, k) =>
    element(
      "li",
      {},
      element("span", { class: "bad" }, failure.verdict),
      ` ${translated(failure.reason)} – `,
      link(failure.case, i),
      failure.count > 1 ? [" ", element("button", { type: "button", class: "link kind", onclick: () => pick({ of: i, kind: k }) }, word("failed", failure.count))] : null,
      failure.stderr ? element("div", { class: "faint" }, `${word("stderrEnded")} `, element("span", { class: "mono" }, failure.stderr)) : null,
    );
  const more = run.moreFailures > 0 ? element("li", {}, word("more", run.moreFailures)) : null;
  return [element("h3", {}, nameBefore(report, i), word("failures")), element("ul", {}, run.failures.map(kind), more)];
}

/** When a run began and its command, which may be long and so have no columns; all else is folded. */
function runDetails(report, run, i) {
  const command = element("span", { class: "mono command", title: run.command }, run.command);
  const folded = element("summary", {}, `${nameBefore(report, i)}${word("details")} (${run.begun}) `, command);
  return element("details", {}, folded, run.comment ? element("p", {}, run.comment) : null, element("pre", {}, run.details));
}

/** All of it below the table. */
function summaryParts(report, link, pick) {
  const open = report.runs.filter((run) => run.state !== "done");
  return [
    ...report.runs.map((run, i) => runDetails(report, run, i)),
    ...open.map((run) => element("p", { class: "bad" }, `${run.id}${word("colon")}${word("unfinished", run.judged, run.planned)}`)),
    ...report.runs.flatMap((_, i) => failuresOf(report, i, link, pick)),
  ];
}
