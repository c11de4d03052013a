"use strict";
// The table of cases, by Tabulator. It gets copies of the rows with one plain field for each column.

const signed = (n) => (n > 0 ? `+${grouped(scoreText(n))}` : n === 0 ? "0" : `−${grouped(scoreText(-n))}`);

/** The fields of one row: `score0`, `verdict0`, … for the first run, and so on; nothing where there is nothing. */
function fieldsOf(row, report, against) {
  const several = report.runs.length > 1;
  const fields = { place: row.place, case: row.id, name: row.name, seed: row.seed, problem: report.groups[row.group]?.opening ?? "", difference: several ? differenceOf(row, against) : null };
  row.parameters.forEach((value, p) => (fields[`parameter${p}`] = value));
  row.runs.forEach((run, i) => {
    fields[`verdict${i}`] = run?.verdict;
    fields[`score${i}`] = run?.score;
    fields[`shown${i}`] = run?.shown ?? "";
    fields[`relative${i}`] = run?.relative;
    fields[`ms${i}`] = run?.ms;
    fields[`mib${i}`] = run?.mib;
  });
  const why = row.runs.map((run, i) => (run?.reason ? `${several ? `${runName(i)}: ` : ""}${translated(run.reason)}` : ""));
  fields.why = why.filter(Boolean).join("; ");
  return fields;
}

/** Of one run everything, of several what tells them apart. */
function columnsOf(report, rows, against, open) {
  const several = report.runs.length > 1;
  const text = (shown, cls) => (cell) => element("span", { class: cls?.(cell.getData()) }, shown(cell.getData()));
  const number = (title, field, shown, cls) => ({
    title,
    field,
    hozAlign: "right",
    headerHozAlign: "right",
    sorter: "number",
    sorterParams: { alignEmptyValues: "bottom" },
    formatter: text(shown ?? ((data) => String(data[field] ?? "")), cls),
  });
  const tenth = (field) => (data) => data[field]?.toFixed(1) ?? "";
  const button = (data) => element("button", { type: "button", class: "link", onclick: (event) => (event.stopPropagation(), open(data.place)) }, data.name);
  const columns = [{ title: word("case"), field: "case", sorter: "number", frozen: true, minWidth: 80, formatter: (cell) => button(cell.getData()), accessorDownload: (_, data) => data.name }];
  if (report.cases.seed.some((seed) => seed != null)) columns.push(number(word("seed"), "seed"));
  if (report.groups.length > 0) columns.push({ title: word("problem"), field: "problem", formatter: text((data) => data.problem) });
  // A name may be anything: as a title alone it would be markup.
  report.parameters.forEach((name, p) => columns.push({ ...number(name, `parameter${p}`), titleFormatter: () => element("span", {}, name) }));
  report.runs.forEach((_, i) => {
    const [verdict, score] = [`verdict${i}`, `score${i}`];
    const failed = (data) => (data[verdict] != null && data[score] == null ? "bad" : null);
    // Of several runs, a verdict stands where the score would; a downloaded table has both.
    const title = several ? `${word("verdict")} ${runName(i)}` : word("verdict");
    columns.push({ title, field: verdict, visible: !several, download: true, formatter: text((data) => data[verdict] ?? "", failed) });
    const shown = (data) => (several || data[score] != null ? grouped(data[`shown${i}`]) : "");
    columns.push({ ...number(several ? word("scoreOf", runName(i)) : word("score"), score, shown, failed), accessorDownload: (_, data) => (data[score] == null ? "" : data[`shown${i}`]) });
  });
  if (several) {
    const classes = { better: "good", worse: "bad" };
    const cls = (data) => classes[outcomeOf(rows[data.place], against, report.objective)];
    columns.push(number(`${runName(against)} − A`, "difference", (data) => (data.difference == null ? "" : signed(data.difference)), cls));
  }
  if (report.parameters.length > 0) {
    report.runs.forEach((_, i) => columns.push(number(several ? word("relativeOf", runName(i)) : word("relative"), `relative${i}`, (data) => data[`relative${i}`]?.toFixed(2) ?? "")));
  }
  report.runs.forEach((_, i) => columns.push(number(several ? word("timeOf", runName(i)) : word("time"), `ms${i}`, tenth(`ms${i}`))));
  if (!several) columns.push(number(word("memory"), "mib0", tenth("mib0")));
  if (report.runs.some((run) => run.accepted < run.judged)) {
    columns.push({ title: word("reason"), field: "why", formatter: text((data) => data.why), tooltip: (_, cell) => element("span", {}, cell.getValue()), minWidth: 240, widthGrow: 3 });
  }
  return columns;
}

/**
 * Makes the table. `open` is called with the place of the row that was clicked, `changed` with the number of rows that pass, and the
 * sorting as `field.asc`, whenever that changes.
 */
function makeTable(element, report, rows, view, open, changed) {
  const columns = columnsOf(report, rows, view.against, open);
  const [field, dir] = view.sort?.split(".") ?? [];
  const table = new Tabulator(element, {
    data: rows.map((row) => fieldsOf(row, report, view.against)),
    index: "place",
    columns,
    initialSort: columns.some((column) => column.field === field) ? [{ column: field, dir }] : [],
    layout: columns.at(-1).widthGrow ? "fitDataStretch" : "fitDataTable",
    height: Math.min(600, 48 + rows.length * 32), // the heads, rows, and a bar to scroll by
    placeholder: word("none"),
    downloadRowRange: "active",
  });
  const notify = () => {
    const [sorter] = table.getSorters();
    changed(table.getDataCount("active"), sorter ? `${sorter.field}.${sorter.dir}` : null);
  };
  table.on("rowClick", (_, row) => open(row.getData().place));
  table.on("tableBuilt", () => {
    sortByKeyboard(table.element);
    // What scrolls stands between the grid and its rows: to a reader of screens, it is their group.
    table.element.querySelector(".tabulator-tableholder").role = "rowgroup";
    table.element.querySelector(".tabulator-table").role = "none";
  });
  // Both events come before the rows are in their new order.
  table.on("dataFiltered", () => queueMicrotask(notify));
  table.on("dataSorted", () => queueMicrotask(notify));
  return table;
}

/** The places of the rows that pass, in their order. (Their data would be copied, all of it.) */
function placesIn(table) {
  return table.getRows("active").map((row) => row.getIndex());
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
