"use strict";
// The report: reads what the page was given, shows it, and keeps the address in step with what is looked at.

const place = (id) => document.getElementById(id);
const report = JSON.parse(place("report").textContent);
const rows = rowsOf(report);
/** What is left of each case, run by run; read when somebody looks. */
const kept = new Map();
let table = null;
/** The row whose window is open. */
let opened = null;

/** What is looked at; all of it stands in the address, behind the #. */
const view = { lang: null, case: null, against: 1, text: "", verdict: "", from: null, to: null, outcome: "", pair: null, difference: null };

function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const number = (key) => (asked.get(key) === null || asked.get(key) === "" || Number.isNaN(Number(asked.get(key))) ? null : Number(asked.get(key)));
  const two = (key) => {
    const both = (asked.get(key) ?? "").split(",").map(Number);
    return both.length === 2 && both.every(Number.isFinite) ? both : null;
  };
  Object.assign(view, {
    lang: asked.get("lang"),
    case: number("case"),
    against: Math.min(Math.max(number("against") ?? 1, 1), Math.max(report.runs.length - 1, 1)),
    text: asked.get("text") ?? "",
    verdict: asked.get("verdict") ?? "",
    from: number("from"),
    to: number("to"),
    outcome: OUTCOMES.includes(asked.get("outcome")) ? asked.get("outcome") : "",
    pair: two("pair"),
    difference: two("difference"),
  });
}

function writeAddress() {
  const said = new URLSearchParams();
  for (const [key, value] of Object.entries(view)) {
    if (value === null || value === "" || (key === "against" && value === 1)) continue;
    said.set(key, Array.isArray(value) ? value.join(",") : String(value));
  }
  const hash = said.toString();
  history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
}

// Summary

function title(i) {
  const { id, tag } = report.runs[i];
  return tag ? `${id} (${tag})` : String(id);
}

const fixed = (x, digits = 4) => (x == null ? "–" : x.toFixed(digits));

function summaryTable() {
  const several = report.runs.length > 1;
  const heads = ["run", "tag", "command", "verdicts", "mean", "interval", "min", "median", "max", "total", "relative", "slowest", "begun"];
  const numbers = new Set(["mean", "interval", "min", "median", "max", "total", "relative", "slowest"]);
  const slowest = ({ slowest }) => (slowest ? [`${slowest[1].toFixed(1)} ms `, caseLink(slowest[0])] : "–");
  const cells = {
    run: (run, i) => [several ? element("span", { class: "key", style: `background:${runColour(i)}` }) : null, several ? `${runName(i)}: ` : "", String(run.id)],
    tag: (run) => run.tag ?? "",
    command: (run) => element("span", { class: "mono" }, run.command),
    verdicts: (run) => run.verdicts.map(([verdict, n]) => element("span", { class: verdict === "AC" ? "good" : "bad" }, `${verdict} ${n} `)),
    mean: ({ scores }) => fixed(scores?.mean),
    interval: ({ scores }) => (!scores ? "–" : scores.exact ? word("exact") : scores.half == null ? "–" : `± ${fixed(scores.half)}`),
    min: ({ scores }) => String(scores?.min ?? "–"),
    median: ({ scores }) => String(scores?.median ?? "–"),
    max: ({ scores }) => String(scores?.max ?? "–"),
    total: ({ scores }) => scores?.total ?? "–",
    relative: (run) => fixed(run.relative, 2),
    slowest,
    begun: (run) => run.begun,
  };
  const used = heads.filter((key) => key !== "tag" || report.runs.some((run) => run.tag));
  const head = used.map((key) => element("th", { scope: "col", class: numbers.has(key) ? "number" : null, title: key === "relative" ? word("relativeHint") : null }, word(key)));
  const body = report.runs.map((run, i) => element("tr", {}, used.map((key) => element("td", { class: numbers.has(key) ? "number" : null }, cells[key](run, i)))));
  return element("table", { class: "plain" }, element("thead", {}, element("tr", {}, head)), element("tbody", {}, body));
}

/** A button that opens a case. */
function caseLink(id) {
  const open = () => {
    const row = rows.find((row) => row.id === Number(id));
    if (row) openCase(row);
  };
  return element("button", { type: "button", class: "link", onclick: open }, String(id).padStart(4, "0"));
}

function failuresOf(run, i) {
  const name = report.runs.length > 1 ? `${runName(i)}: ` : "";
  const kinds = run.failures.map((failure) =>
    element(
      "li",
      {},
      element("span", { class: "bad" }, failure.verdict),
      ` ${failure.reason} – `,
      caseLink(failure.case),
      failure.count > 1 ? [" ", element("button", { type: "button", class: "link", onclick: () => setFilters({ verdict: failure.verdict }) }, word("failed", failure.count))] : null,
      failure.stderr ? element("div", { class: "faint" }, `${word("stderrEnded")} `, element("span", { class: "mono" }, failure.stderr)) : null,
    ),
  );
  const more = run.moreFailures > 0 ? element("li", {}, word("more", run.moreFailures)) : null;
  return kinds.length === 0 ? null : [element("h3", {}, name, word("failures")), element("ul", {}, kinds, more)];
}

function showSummary() {
  const objective = word(report.objective === "max" ? "objectiveMax" : "objectiveMin");
  const names = report.runs.map((_, i) => title(i)).join(", ");
  place("heading").textContent = `${report.problem}: ${word(report.runs.length > 1 ? "runs" : "oneRun", names)} (${objective})`;
  place("summary").replaceChildren(summaryTable());
  const open = report.runs.filter((run) => run.state !== "done" && run.judged < run.planned);
  place("failures").replaceChildren(
    ...open.map((run) => element("p", { class: "bad" }, `${run.id}: ${word("unfinished", run.judged, run.planned)}`)),
    ...report.runs.flatMap((run, i) => failuresOf(run, i) ?? []),
    ...report.runs.map((run, i) =>
      element("details", {}, element("summary", {}, `${report.runs.length > 1 ? `${runName(i)}: ` : ""}${word("details")}`), run.comment ? element("p", {}, run.comment) : null, element("pre", {}, run.details)),
    ),
  );
}

// Pictures

const scoresOf = (i) => rows.map((row) => row.runs[i]?.score).filter((score) => score != null);

function showHistogram() {
  const sets = report.runs.map((_, i) => scoresOf(i));
  const bars = bins(sets.flat());
  const counts = sets.map((values) => tally(bars, values));
  const pick = (bar) => setFilters({ from: bar.from, to: bar.to });
  drawBars(place("histogram"), bars, counts.map((set, i) => ({ label: `${runName(i)} ${title(i)}`, counts: set, colour: runColour(i) })), word("score"), pick);
  const head = [word("score"), ...report.runs.map((_, i) => (report.runs.length > 1 ? runName(i) : word("casesAxis")))];
  const line = (bar, b) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, element("button", { type: "button", class: "link", onclick: () => pick(bar) }, bar.label)),
      counts.map((set) => element("td", { class: "number" }, String(set[b]))),
    );
  place("bins").querySelector("div").replaceChildren(
    element("table", { class: "plain" }, element("thead", {}, element("tr", {}, head.map((text) => element("th", { scope: "col" }, text)))), element("tbody", {}, bars.map(line))),
  );
}

/** Cases with the same two scores are one point. */
function pointsOf(second) {
  const points = new Map();
  for (const row of rows) {
    const [x, y] = [row.runs[0]?.score, row.runs[second]?.score];
    if (x == null || y == null) continue;
    const key = `${x},${y}`;
    const point = points.get(key);
    if (point) point.count += 1;
    else points.set(key, { x, y, count: 1 });
  }
  return [...points.values()];
}

function showComparison() {
  const second = view.against;
  const pairing = report.pairings[second - 1];
  place("comparison").hidden = !pairing;
  place("outcome-filter").hidden = !pairing;
  if (!pairing) return;
  place("which").hidden = report.runs.length < 3;
  place("against").replaceChildren(...report.runs.slice(1).map((_, i) => element("option", { value: i + 1, selected: i + 1 === second }, `${runName(i + 1)}: ${title(i + 1)}`)));
  place("figures").replaceChildren(...comparisonText(pairing).map((part) => (typeof part === "string" ? element("p", {}, part) : part)));
  const names = [`A: ${title(0)}`, `${runName(second)}: ${title(second)}`];
  drawScatter(place("scatter"), pointsOf(second), names, [runColour(0), runColour(second)], report.objective, ({ x, y }) => setFilters({ pair: [x, y] }));
  const differences = rows.map((row) => (row.runs[0]?.score == null || row.runs[second]?.score == null ? null : row.runs[second].score - row.runs[0].score)).filter((d) => d != null);
  const bars = bins(differences);
  drawBars(place("differences"), bars, [{ label: word("difference"), counts: tally(bars, differences), colour: runColour(second) }], word("difference"), (bar) => setFilters({ difference: [bar.from, bar.to] }));
}

function comparisonText(pairing) {
  const { figures: f } = pairing;
  const lines = [[word("bothAccepted"), word("ofShared", pairing.bothAccepted, pairing.shared)]];
  const out = pairing.onlyFirst + pairing.onlySecond + pairing.otherContent;
  if (out > 0) lines.push(["", word("leftOut", out)]);
  if (pairing.firstFailed + pairing.secondFailed + pairing.bothFailed > 0) lines.push([word("failedRow"), word("failedOnly", pairing.firstFailed, pairing.secondFailed, pairing.bothFailed)]);
  if (f) {
    const sign = (x) => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(4)}`;
    const half = pairing.whole ? ` (${word("exact")})` : f.half == null ? "" : ` (95 %: ${sign(f.difference - f.half)} … ${sign(f.difference + f.half)})`;
    lines.push([`${word("mean")} A, ${otherName}`, `${fixed(f.means[0])}, ${fixed(f.means[1])}`], [word("difference"), sign(f.difference) + half], [word("byCase"), word("tally", ...f.tally)]);
  }
  const list = element("table", { class: "plain" }, element("tbody", {}, lines.map(([key, text]) => element("tr", {}, element("th", { scope: "row" }, key), element("td", {}, text)))));
  return [f ? conclusionText(f.conclusion) : word("nothingToCompare"), list];
}

function conclusionText(c) {
  const p = c.p < 0.0001 ? word("lessThan", "0.0001") : c.p?.toFixed(4);
  const names = c.second ? [otherName, "A"] : ["A", otherName];
  switch (c.kind) {
    case "proved":
      return word("proved", ...names);
    case "better":
      return word("betterThan", ...names, p);
    case "undecided":
      return word("undecided", p) + (c.needed == null ? "" : word("needed", c.needed));
    default:
      return word(c.kind);
  }
}

// Cases

/** Looks at other cases: these filters and no others. */
function setFilters(filters) {
  Object.assign(view, { text: "", verdict: "", from: null, to: null, outcome: "", pair: null, difference: null }, filters);
  showFilters();
  place("cases").scrollIntoView();
}

function showFilters() {
  place("text").value = view.text;
  place("verdict").value = view.verdict;
  place("from").value = view.from ?? "";
  place("to").value = view.to ?? "";
  place("outcome").value = view.outcome;
  filterTable();
}

function filterTable() {
  table.setFilter((row) => passes(row, view, view.against, report.objective));
  writeAddress();
}

function readFilters() {
  const number = (id) => (place(id).value === "" ? null : Number(place(id).value));
  Object.assign(view, { text: place("text").value, verdict: place("verdict").value, from: number("from"), to: number("to"), outcome: place("outcome").value, pair: null, difference: null });
  filterTable();
}

function showCases() {
  const option = (value, text) => element("option", { value }, text);
  const seen = [...new Set(report.runs.flatMap((run) => run.verdicts.map(([verdict]) => verdict)))];
  place("verdict").replaceChildren(option("", word("all")), ...seen.map((verdict) => option(verdict, verdict)));
  place("outcome").replaceChildren(option("", word("all")), ...OUTCOMES.map((key) => option(key, word(key))));
  place("from").setAttribute("aria-label", `${word("score")} ${word("from")}`);
  place("to").setAttribute("aria-label", `${word("score")} ${word("to")}`);
  table?.destroy();
  table = makeTable("#table", report, rows, view.against, openCase, (shown) => {
    place("count").textContent = word("count", shown, rows.length);
  });
  table.on("tableBuilt", () => {
    showFilters();
    const asked = view.case === null ? null : rows.find((row) => row.id === view.case);
    if (asked) openCase(asked);
    performance.mark("ready");
  });
}

// One case

/** What is left of the cases of run `i`. */
function keptOf(i) {
  if (!kept.has(i)) kept.set(i, JSON.parse(place(`kept-${report.runs[i].id}`).textContent));
  return kept.get(i);
}

function sideOf(row, i) {
  const run = row.runs[i];
  const several = report.runs.length > 1;
  const name = several ? element("h3", {}, element("span", { class: "key", style: `background:${runColour(i)}` }), `${runName(i)}: ${title(i)}`) : null;
  if (!run) return element("div", {}, name, element("p", { class: "faint" }, word("notInRun")));
  const verdict = run.score == null ? `${run.verdict}: ${run.reason}` : `${run.verdict}, ${word("score")} ${run.shown}`;
  return element(
    "div",
    {},
    name,
    element("p", {}, element("strong", { class: run.score == null ? "bad" : "good" }, verdict), element("span", { class: "faint" }, `  ${run.ms.toFixed(1)} ms, ${run.mib.toFixed(1)} MiB`)),
    run.stderr ? element("p", { class: "faint" }, `${word("stderrEnded")} `, element("span", { class: "mono" }, run.stderr)) : null,
    keptView(keptOf(i)[run.at]),
  );
}

function openCase(row) {
  opened = row;
  view.case = row.id;
  const known = report.runs.map((_, i) => (row.runs[i] ? keptOf(i)[row.runs[i].at] : null)).find((k) => k?.answer || k?.told);
  const seed = row.seed == null ? "" : ` (${word("seed")} ${row.seed})`;
  place("case-heading").textContent = `${word("case")} ${row.name}${seed}`;
  const facts = [known?.told ? `${word("opening")}: ${known.told.opening}` : null, known?.answer ? `${word("answer")}: ${known.answer}` : null].filter(Boolean);
  place("told").replaceChildren(element("p", { class: "mono" }, facts.join("   ")), element("div", { class: "sides" }, report.runs.map((_, i) => sideOf(row, i))));
  for (const [id, key] of [["previous", "previous"], ["next", "next"], ["close", "close"]]) place(id).setAttribute("aria-label", word(key));
  const [before, after] = neighbours();
  place("previous").disabled = !before;
  place("next").disabled = !after;
  if (!place("case").open) place("case").showModal();
  place("told").scrollTop = 0;
  writeAddress();
}

/** The rows before and after the open one, as the table is sorted and filtered now. */
function neighbours() {
  const shown = table.getData("active");
  const at = shown.findIndex((row) => row.row === opened.row);
  return [at > 0 ? shown[at - 1] : null, at >= 0 ? (shown[at + 1] ?? null) : null];
}

function step(which) {
  const row = neighbours()[which];
  if (row) openCase(row);
}

function whenClosed() {
  opened = null;
  view.case = null;
  writeAddress();
}

// All of it

function show() {
  chooseLanguage(view.lang);
  otherName = runName(view.against);
  putWords();
  const other = language === "ja" ? "en" : "ja";
  place("language").textContent = other === "ja" ? "日本語" : "English";
  place("language").lang = other;
  place("made").textContent = word("made", report.tester);
  document.querySelector("main").hidden = false;
  showSummary();
  showHistogram();
  showComparison();
  showCases();
}

function listen() {
  place("language").addEventListener("click", () => {
    view.lang = language === "ja" ? "en" : "ja";
    show();
  });
  place("against").addEventListener("change", (event) => {
    view.against = Number(event.target.value);
    show();
  });
  place("filters").addEventListener("input", readFilters);
  place("filters").addEventListener("submit", (event) => event.preventDefault());
  place("filters").addEventListener("reset", (event) => {
    event.preventDefault();
    Object.assign(view, { text: "", verdict: "", from: null, to: null, outcome: "", pair: null, difference: null });
    showFilters();
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
    readAddress();
    show();
  });
}

readAddress();
listen();
show();
