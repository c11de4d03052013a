"use strict";
// The report: reads the data of the page, shows what the view asks for, and writes the view into the address.

const place = (id) => document.getElementById(id);
const report = JSON.parse(place("report").textContent);
learnTranslations(report.japanese);
scoreDecimals = report.decimals ?? 0;
testerName = report.program;
const rows = rowsOf(report);
/** The sessions of all cases, run by run; read when a case is opened. */
const details = new Map();
let view = viewOf(location.hash, report);
let table = null;
/** The positions of the rows that pass, in order; computed when the user goes from one to the next. */
let passing = null;

function writeAddress() {
  history.replaceState(null, "", addressOf(view, report));
}

/** The session of a case in run `i`. */
function detailsOf(row, i) {
  if (!row.runs[i]) return null;
  if (!details.has(i)) details.set(i, JSON.parse(place(`cases-${report.runs[i].id}`).textContent));
  return details.get(i)[row.runs[i].index];
}

/** The same, from the server. */
async function fetchDetails(row, i) {
  if (!row.runs[i]) return null;
  const answer = await fetch(`/api/session/${report.runs[i].id}/${report.cases.id[row.place]}`);
  return answer.ok ? answer.json() : null;
}

/** A button that opens a case of run `i`. */
function caseLink(id, i) {
  const row = rows.find((row) => String(report.cases.id[row.place]) === String(id) && row.runs[i]);
  return element("button", { type: "button", class: "link", onclick: () => row && openCase(row.place) }, row?.name ?? String(id));
}

// Cases

/** Looks at other cases: these filters and no others. */
function pick(filters) {
  view = { ...view, ...NO_FILTERS, ...filters };
  showFilters();
  place("cases").scrollIntoView();
}

/** The fields as the view has them, and the table as both say. */
function showFilters() {
  for (const key of ["text", "verdict", "outcome"]) place(key).value = view[key];
  for (const key of ["from", "to", "of"]) place(key).value = view[key] ?? "";
  for (const { place: p, bound, field } of rangeFields()) field.value = view.ranges[p]?.[bound] ?? "";
  const hidden = hiddenFilters(view, report);
  place("hidden-filters").replaceChildren(...hidden.map((text) => element("span", { class: "chip" }, text, element("button", { type: "button", "aria-label": word("clear"), onclick: () => pick({}) }, "×"))));
  filterTable();
}

function filterTable() {
  table.setFilter((data) => passes(rows[data.place], view, report.objective));
  writeAddress();
}

/** What was typed. What cannot be typed (a point, a difference, a kind of failure) stands no longer. */
function readFilters() {
  const numberIn = (field) => (field.value === "" ? null : Number(field.value));
  const number = (id) => numberIn(place(id));
  const ranges = {};
  for (const { place: p, bound, field } of rangeFields()) {
    const value = numberIn(field);
    if (value !== null) (ranges[p] ??= [null, null])[bound] = value;
  }
  const typed = { text: place("text").value, verdict: place("verdict").value, from: number("from"), to: number("to"), of: number("of"), outcome: place("outcome").value, ranges };
  view = { ...view, ...NO_FILTERS, ...typed };
  place("hidden-filters").replaceChildren();
  filterTable();
}

/** The two fields of each parameter. */
function rangeFields() {
  const fields = [...place("parameter-filters").querySelectorAll("input")];
  return fields.map((field, at) => ({ place: at >> 1, bound: at % 2, field }));
}

function showRangeFields() {
  const field = (name, key) => element("input", { type: "number", step: "any", inputmode: "decimal", class: "bound", "aria-label": `${name} ${word(key)}` });
  const both = (name) => element("span", { class: "bounds" }, element("span", {}, name), element("span", { class: "range" }, field(name, "from"), " – ", field(name, "to")));
  place("parameter-filters").replaceChildren(...report.parameters.map(both));
}

function showChoices() {
  showRangeFields();
  const option = (value, text) => element("option", { value }, text);
  place("verdict").replaceChildren(option("", word("all")), ...verdictsOf(report).map((verdict) => option(verdict, verdict)));
  place("outcome").replaceChildren(option("", word("all")), ...OUTCOMES.map((key) => option(key, word(key))));
  place("of").replaceChildren(option("", word("anyRun")), ...report.runs.map((_, i) => option(i, runName(i))));
  place("of-filter").hidden = report.runs.length < 2;
  for (const key of ["from", "to"]) place(key).setAttribute("aria-label", `${word("score")} ${word(key)}`);
}

function showTable() {
  table?.destroy();
  table = makeTable("#table", report, rows, view, openCase, (count, sort) => {
    passing = null;
    view.sort = sort;
    place("count").textContent = word("count", count, rows.length);
    writeAddress();
  });
  table.on("tableBuilt", () => {
    showFilters();
    showWindow();
    performance.mark("ready");
  });
}

// One case

function openCase(at) {
  view.case = rows[at].key;
  showWindow();
  writeAddress();
}

/** The places before and after one, as the table stands; of a row that the filters hide, among all. */
function neighbours(at) {
  passing ??= placesIn(table);
  const among = passing.includes(at) ? passing : rows.map((row) => row.place);
  const found = among.indexOf(at);
  return [among[found - 1] ?? null, among[found + 1] ?? null];
}

/** Opens or closes the window, as the view says. */
function showWindow() {
  const row = view.case === null ? null : rows.find((row) => row.key === view.case);
  if (!row) {
    view.case = null;
    if (place("case").open) place("case").close();
    return;
  }
  const fill = (details) => fillWindow(place, report, row, details);
  const runs = report.runs.map((_, i) => i);
  if (report.served) {
    fill(runs.map(() => null));
    // By then another case may be looked at.
    Promise.all(runs.map((i) => fetchDetails(row, i))).then((details) => view.case === row.key && fill(details), () => {});
  } else fill(runs.map((i) => detailsOf(row, i)));
  showNeighbours(null);
  if (!place("case").open) place("case").showModal();
  // With many rows that takes a moment: the case is seen first.
  setTimeout(() => view.case === row.key && showNeighbours(neighbours(row.place)), 0);
}

/** Whether there is a case before and after; null while that is not known. */
function showNeighbours(known) {
  place("previous").disabled = !known || known[0] === null;
  place("next").disabled = !known || known[1] === null;
}

function step(which) {
  const row = rows.find((row) => row.key === view.case);
  const to = row ? neighbours(row.place)[which] : null;
  if (to !== null) openCase(to);
}

function whenClosed() {
  // By then another case may have been opened.
  if (place("case").open) return;
  view.case = null;
  writeAddress();
  if (document.activeElement === document.body) place("cases-heading").focus();
}

// All of it

function show() {
  chooseLanguage(view.lang ?? askedLanguage());
  otherName = runName(view.against);
  putWords();
  labelLanguageButton(place("language"));
  place("made").textContent = word("made", report.tester);
  document.querySelector("main").hidden = false;
  const objective = word(report.objective === "max" ? "objectiveMax" : "objectiveMin");
  document.title = `${report.problem}${word("colon")}${word(report.runs.length > 1 ? "runs" : "oneRun", report.runs.map(titleOf).join(word("comma")))}`;
  place("heading").textContent = `${document.title} (${objective})`;
  place("summary").replaceChildren(summaryTable(report, caseLink));
  place("failures").replaceChildren(...summaryParts(report, caseLink, pick));
  place("pages").hidden = !report.served;
  place("groups").hidden = report.groups.length === 0;
  place("groups-table").replaceChildren(groupsTable(report, pick));
  showHistogram(place, report, rows, pick);
  showParameters(place, report, rows, view, pick);
  showComparison(place, report, rows, view.against, pick);
  showChoices();
  showTable();
}

function listen() {
  place("language").addEventListener("click", () => {
    view.lang = language === "ja" ? "en" : "ja";
    rememberLanguage(view.lang);
    show();
  });
  place("against").addEventListener("change", (event) => {
    // Filters of one pair mean nothing for another.
    view = { ...view, against: Number(event.target.value), outcome: "", pair: null, difference: null };
    show();
  });
  place("measure").addEventListener("change", (event) => {
    view.measure = event.target.value;
    showParameters(place, report, rows, view, pick);
    writeAddress();
  });
  place("skip").addEventListener("click", (event) => {
    event.preventDefault();
    place("cases-heading").focus();
    place("cases").scrollIntoView();
  });
  place("filters").addEventListener("input", readFilters);
  place("filters").addEventListener("submit", (event) => event.preventDefault());
  place("filters").addEventListener("reset", (event) => {
    event.preventDefault();
    pick({});
  });
  place("csv").addEventListener("click", () => table.download("csv", "cases.csv"));
  place("close").addEventListener("click", () => place("case").close());
  place("case").addEventListener("close", whenClosed);
  place("case").addEventListener("click", (event) => event.target === place("case") && place("case").close());
  place("previous").addEventListener("click", () => step(0));
  place("next").addEventListener("click", () => step(1));
  place("case").addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft") step(0);
    if (event.key === "ArrowRight") step(1);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  addEventListener("hashchange", () => {
    view = viewOf(location.hash, report);
    show();
  });
}

listen();
show();
