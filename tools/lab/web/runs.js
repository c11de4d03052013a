"use strict";
// The list of runs, live while one is running.

let list = data;
const chosen = new Set();
const address = new URLSearchParams(location.search);
let wanted = address.get("search") ?? address.get("tag") ?? "";
/** How runs are put together: `""` or `"numbers"`. */
let grouping = address.get("group") === "numbers" ? "numbers" : "";

/** The address holds what is looked for. */
function writeAddress() {
  const parameters = new URLSearchParams({ ...(wanted ? { search: wanted } : {}), ...(grouping ? { group: grouping } : {}) });
  goTo("/", parameters);
}

/** As `tester history` and reports have it, which Sweden has too: `2026-11-28 13:14:58`. */
function time(ms) {
  return new Date(ms).toLocaleString("sv-SE");
}

function tagButton(tag) {
  return tag ? element("button", { type: "button", class: "link", title: word("onlyThese"), onclick: () => searchFor(tag) }, tag) : "";
}

/** A row for a run; `numbers` stand before its tag. */
function row(run, numbers = []) {
  const mark = element("input", { type: "checkbox", "data-choose": run.id, "aria-label": `${word("choose")} ${run.id}`, onchange: (event) => choose(run.id, event.target.checked) });
  mark.checked = chosen.has(run.id);
  const failed = run.judged - run.accepted;
  const mean = run.mean == null ? "–" : run.mean.toFixed(run.digits);
  const half = run.exact ? word("exactShort") : run.half == null ? "" : `± ${run.half.toFixed(run.digits)}`;
  const state = run.running ? element("progress", { max: run.planned, value: run.judged, "aria-label": word("running") }) : run.done ? word("done") : word("unfinishedShort");
  return element(
    "tr",
    { "data-run": run.id },
    element("td", {}, mark),
    element("th", { scope: "row", class: "number" }, element("a", { href: `/report?runs=${run.id}` }, String(run.id))),
    numbers.map((number) => element("td", { class: "number" }, String(number))),
    element("td", {}, tagButton(run.tag)),
    element("td", { class: "number" }, mean, meanName(run) && element("div", { class: "faint" }, meanName(run))),
    element("td", { class: "number" }, half),
    element("td", { class: `number ${failed ? "bad" : "good"}` }, String(run.accepted)),
    element("td", { class: "number" }, run.judged === run.planned ? String(run.judged) : `${run.judged} / ${run.planned}`),
    element("td", {}, state),
    element("td", {}, element("span", { class: "mono command", title: run.command }, run.command), run.comment ? element("div", { class: "faint comment", title: run.comment }, run.comment) : null),
    element("td", {}, run.problem),
    element("td", {}, time(run.begunMs)),
  );
}

function choose(id, on) {
  if (on) chosen.add(id);
  else chosen.delete(id);
  place("compare").disabled = chosen.size < 1;
}

function shownRuns() {
  const text = (run) => [run.id, run.tag, run.problem, run.command, run.comment].join("\n").toLowerCase();
  return list.runs.filter((run) => text(run).includes(wanted.toLowerCase()));
}

const HEADS = ["tag", "mean", "interval", "accepted", "caseCount", "state", "command", "problem", "begun"];
const NUMBERS = new Set(["run", "caseCount", "accepted", "mean", "interval"]);

/** A table of runs; `numbers`, if there are any, have a column each. */
function table(runs, numbers = []) {
  const head = (key) => element("th", { scope: "col", class: NUMBERS.has(key) ? "number" : null }, word(key));
  const heads = [element("td", {}), head("run"), numbers.map(({ name }) => element("th", { scope: "col", class: "number" }, name)), HEADS.map(head)];
  const body = runs.map((run, i) => row(run, numbers.map(({ of }) => of[i])));
  return element("table", { class: "plain runs" }, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, body));
}

/** Groups of several runs, then those that stand alone. */
function grouped(runs) {
  const groups = groupsOf(runs);
  const several = groups.filter(({ runs }) => runs.length > 1);
  const alone = groups.filter(({ runs }) => runs.length === 1).flatMap(({ runs }) => runs);
  const rest = alone.length > 0 ? [element("h2", {}, word("alone")), wide(word("alone"), table(alone))] : [];
  return [...several.map((group) => groupView(group, ({ runs, numbers }) => wide(word("navRuns"), table(runs, numbers)))), ...rest];
}

function showTable() {
  const runs = shownRuns();
  place("list").replaceChildren(...(grouping ? grouped(runs) : [wide(word("navRuns"), table(runs))]));
  place("shown").textContent = word("runsShown", runs.length, list.count);
  writeAddress();
}

/** Shows the runs with a text. */
function searchFor(text) {
  wanted = text;
  place("wanted").value = text;
  showTable();
}

function show() {
  place("heading").textContent = word("navRuns");
  document.title = word("navRuns");
  if (list.runs.length === 0) {
    const where = element("p", {}, word(list.absent ? "noHistory" : "noRuns", list.history));
    place("view").replaceChildren(where, element("pre", {}, "tools/tester batch -- ./solver"));
    return;
  }
  const search = element("input", { type: "search", id: "wanted", value: wanted, oninput: (event) => searchFor(event.target.value) });
  const go = () => location.assign(`/report?runs=${[...chosen].sort((a, b) => a - b).join(",")}`);
  const group = element("select", { id: "grouping", onchange: (event) => ((grouping = event.target.value), showTable()) }, ["", "numbers"].map((key) => element("option", { value: key, selected: key === grouping }, word(key ? "byNumbers" : "ungrouped"))));
  place("view").replaceChildren(
    element(
      "form",
      { id: "filters", role: "search", onsubmit: (event) => event.preventDefault() },
      element("label", {}, element("span", {}, word("searchRuns")), search),
      element("label", {}, element("span", {}, word("grouping")), group),
      element("button", { type: "button", id: "compare", disabled: chosen.size < 1, onclick: go }, word("showReport")),
    ),
    element("p", { id: "shown", role: "status" }),
    element("div", { id: "list" }),
  );
  showTable();
}

/** Draws the list anew; where the keyboard is, it stays. */
function redraw() {
  if (!place("list") || list.runs.length === 0) return show();
  const at = document.activeElement?.closest("[data-run]")?.dataset.run;
  const which = at && [...document.activeElement.closest("tr").querySelectorAll("a, button, input")].indexOf(document.activeElement);
  showTable();
  if (at) document.querySelector(`[data-run="${at}"]`)?.querySelectorAll("a, button, input")[which]?.focus();
}

/** While a run is going on, the list is fetched every second. */
async function follow() {
  try {
    const before = JSON.stringify(list);
    list = await ask("/api/runs", {});
    trouble(null);
    // Only a list that has changed is drawn again, so that the focus in the table stays.
    if (JSON.stringify(list) !== before) redraw();
  } catch (error) {
    trouble(error.message);
  }
  setTimeout(follow, list.runs.some((run) => run.running) ? 1000 : 5000);
}

begin(show);
setTimeout(follow, 1000);
