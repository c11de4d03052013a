"use strict";
// The table of cases (by Tabulator), what it is filtered by, and the window that shows one of them.

/** A row for each case: `runs[i]` is what became of it in run `i`, or null. */
function rowsOf(report) {
  return report.cases.id.map((id, row) => ({
    row,
    id: Number(id),
    name: String(id).padStart(4, "0"),
    seed: report.cases.seed[row],
    runs: report.runs.map(({ results }) =>
      results.verdict[row] == null
        ? null
        : {
            verdict: results.verdict[row],
            score: results.score[row] == null ? null : Number(results.score[row]),
            shown: results.score[row] == null ? results.verdict[row] : String(results.score[row]),
            ms: results.ms[row],
            mib: results.mib[row],
            reason: results.reason[row] ?? "",
            stderr: results.stderr[row] ?? "",
            at: results.at[row],
          },
    ),
  }));
}

/** How the second of two runs did on a case, in the words of the filter; null if only one of them has it. */
function outcomeOf(row, second, objective) {
  const [a, b] = [row.runs[0], row.runs[second]];
  if (!a || !b) return null;
  if (a.score == null || b.score == null) {
    if (a.score == null && b.score == null) return "bothFailed";
    return a.score == null ? "onlyA" : "onlyB";
  }
  if (a.score === b.score) return "same";
  return b.score > a.score === (objective === "max") ? "better" : "worse";
}

const OUTCOMES = ["better", "same", "worse", "onlyA", "onlyB", "bothFailed"];

/** Whether a row is what the filters ask for; `second` is the run that is compared with the first. */
function passes(row, filters, second, objective) {
  const some = (test) => row.runs.some((run) => run && test(run));
  const { text, verdict, from, to, outcome, pair, difference } = filters;
  if (verdict && !some((run) => run.verdict === verdict)) return false;
  if (text) {
    const wanted = text.toLowerCase();
    const said = [row.name, String(row.seed ?? ""), ...row.runs.flatMap((run) => (run ? [run.reason, run.stderr] : []))];
    if (!said.some((part) => part.toLowerCase().includes(wanted))) return false;
  }
  if (from != null || to != null) {
    const within = (run) => run.score != null && run.score >= (from ?? -Infinity) && run.score <= (to ?? Infinity);
    if (!some(within)) return false;
  }
  if (outcome && outcomeOf(row, second, objective) !== outcome) return false;
  if (pair || difference) {
    const [a, b] = [row.runs[0]?.score, row.runs[second]?.score];
    if (a == null || b == null) return false;
    if (pair && (a !== pair[0] || b !== pair[1])) return false;
    if (difference && (b - a < difference[0] || b - a > difference[1])) return false;
  }
  return true;
}

/** The columns: of one run everything, of several what tells them apart. */
function columnsOf(report, second, open) {
  const number = (title, field) => ({
    title,
    field,
    hozAlign: "right",
    headerHozAlign: "right",
    sorter: "number",
    sorterParams: { alignEmptyValues: "bottom" },
  });
  const text = (shown, cls) => (cell) => element("span", { class: cls?.(cell) }, String(shown(cell) ?? ""));
  const failed = (run) => (run && run.score == null ? "bad" : null);
  const columns = [
    {
      title: word("case"),
      field: "id",
      sorter: "number",
      frozen: true,
      minWidth: 80,
      formatter: (cell) => {
        const row = cell.getData();
        return element("button", { type: "button", class: "link", onclick: (e) => (e.stopPropagation(), open(row)) }, row.name);
      },
    },
  ];
  if (report.cases.seed.some((seed) => seed != null)) columns.push({ ...number(word("seed"), "seed"), formatter: text((c) => c.getValue()) });
  const several = report.runs.length > 1;
  report.runs.forEach((_, i) => {
    const name = runName(i);
    if (!several) {
      columns.push({ title: word("verdict"), field: "runs.0.verdict", formatter: text((c) => c.getValue(), (c) => (c.getValue() === "AC" ? null : "bad")) });
    }
    columns.push({
      ...number(several ? word("scoreOf", name) : word("score"), `runs.${i}.score`),
      formatter: text((c) => (several ? c.getData().runs[i]?.shown : c.getData().runs[i]?.score == null ? "" : c.getData().runs[i].shown), (c) => failed(c.getData().runs[i])),
    });
  });
  if (several) {
    const difference = (row) => (row.runs[0]?.score == null || row.runs[second]?.score == null ? null : row.runs[second].score - row.runs[0].score);
    const signed = (n) => (n > 0 ? `+${n}` : n === 0 ? "0" : `−${-n}`);
    const cls = (c) => {
      const outcome = outcomeOf(c.getData(), second, report.objective);
      return outcome === "better" ? "good" : outcome === "worse" ? "bad" : null;
    };
    columns.push({
      ...number(`${runName(second)} − A`, "difference"),
      formatter: text((c) => (c.getValue() == null ? "" : signed(c.getValue())), cls),
      mutatorData: (_, data) => difference(data),
    });
  }
  report.runs.forEach((_, i) => {
    const title = several ? word("timeOf", runName(i)) : word("time");
    columns.push({ ...number(title, `runs.${i}.ms`), formatter: text((c) => c.getValue()?.toFixed(1)) });
  });
  if (!several) {
    columns.push({ ...number(word("memory"), "runs.0.mib"), formatter: text((c) => c.getValue()?.toFixed(1)) });
  }
  if (report.runs.some((run) => run.accepted < run.judged)) {
    const why = (row) => row.runs.map((run, i) => (run?.reason ? (several ? `${runName(i)}: ` : "") + run.reason : "")).filter(Boolean).join("; ");
    columns.push({ title: word("reason"), field: "why", mutatorData: (_, data) => why(data), formatter: text((c) => c.getValue()), minWidth: 240, widthGrow: 3 });
  }
  return columns;
}

/** Lets Enter and the space bar sort, as a click does. */
function sortByKeyboard(element) {
  for (const head of element.querySelectorAll(".tabulator-col-sorter-element")) {
    head.tabIndex = 0;
    head.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      head.click();
    });
  }
}

/** Makes the table; returns it. `shown` is called with how many rows pass. */
function makeTable(place, report, rows, second, open, shown) {
  const columns = columnsOf(report, second, open);
  const table = new Tabulator(place, {
    data: rows,
    index: "row",
    columns,
    layout: columns.at(-1).widthGrow ? "fitDataStretch" : "fitDataTable",
    height: Math.min(600, 60 + rows.length * 34),
    placeholder: word("none"),
    columnDefaults: { headerWordWrap: false, resizable: true },
    nestedFieldSeparator: ".",
    downloadRowRange: "active",
  });
  table.on("rowClick", (_, row) => open(row.getData()));
  table.on("tableBuilt", () => sortByKeyboard(table.element));
  table.on("dataFiltered", (_, passed) => shown(passed.length));
  return table;
}
