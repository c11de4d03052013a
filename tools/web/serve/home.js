"use strict";
// The list of runs, live while one is running.

let list = data;
const chosen = new Set();
let wanted = new URLSearchParams(location.search).get("tag") ?? "";

function time(ms) {
  return new Date(ms).toLocaleString(language === "ja" ? "ja-JP" : "en-GB");
}

function row(run) {
  const mark = element("input", { type: "checkbox", "aria-label": `${word("choose")} ${run.id}`, onchange: (event) => choose(run.id, event.target.checked) });
  mark.checked = chosen.has(run.id);
  const failed = run.judged - run.accepted;
  const mean = run.mean == null ? "–" : run.mean.toFixed(4);
  const half = run.exact ? word("exactShort") : run.half == null ? "" : `± ${run.half.toFixed(4)}`;
  const state = run.running ? element("progress", { max: run.planned, value: run.judged, "aria-label": word("running") }) : run.done ? word("done") : word("unfinishedShort");
  return element(
    "tr",
    { "data-run": run.id },
    element("td", {}, mark),
    element("th", { scope: "row", class: "number" }, element("a", { href: `/report?runs=${run.id}` }, String(run.id))),
    element("td", {}, run.tag ?? ""),
    element("td", {}, run.problem),
    element("td", { class: "number" }, run.judged === run.planned ? String(run.judged) : `${run.judged} / ${run.planned}`),
    element("td", { class: `number ${failed ? "bad" : "good"}` }, String(run.accepted)),
    element("td", { class: "number" }, mean),
    element("td", { class: "number" }, half),
    element("td", {}, state),
    element("td", {}, time(run.begunMs)),
    element("td", {}, element("span", { class: "mono command", title: run.command }, run.command), run.comment ? element("div", { class: "faint" }, run.comment) : null),
  );
}

function choose(id, on) {
  if (on) chosen.add(id);
  else chosen.delete(id);
  place("compare").disabled = chosen.size < 1;
}

function shownRuns() {
  const said = (run) => [run.id, run.tag, run.problem, run.command, run.comment].join("\n").toLowerCase();
  return list.runs.filter((run) => said(run).includes(wanted.toLowerCase()));
}

function table() {
  const heads = ["", "run", "tag", "problem", "cases", "accepted", "mean", "interval", "state", "begun", "command"];
  const numbers = new Set(["run", "cases", "accepted", "mean", "interval"]);
  const head = heads.map((key) => element("th", { scope: "col", class: numbers.has(key) ? "number" : null }, key ? word(key) : ""));
  return element("table", { class: "plain", id: "runs" }, element("thead", {}, element("tr", {}, head)), element("tbody", {}, shownRuns().map(row)));
}

function showTable() {
  place("list").replaceChildren(table());
  place("shown").textContent = word("runsShown", shownRuns().length, list.count);
}

function show() {
  place("heading").textContent = word("navRuns");
  if (list.runs.length === 0) {
    const where = element("p", {}, word(list.absent ? "noHistory" : "noRuns", list.history));
    place("view").replaceChildren(where, element("pre", {}, "tools/tester batch -- ./solver"));
    return;
  }
  const search = element("input", { type: "search", id: "wanted", value: wanted, oninput: (event) => ((wanted = event.target.value), showTable()) });
  const go = () => location.assign(`/report?runs=${[...chosen].sort((a, b) => a - b).join(",")}`);
  place("view").replaceChildren(
    element("form", { id: "filters", role: "search", onsubmit: (event) => event.preventDefault() }, element("label", {}, element("span", {}, word("searchRuns")), search), element("button", { type: "button", id: "compare", disabled: chosen.size < 1, onclick: go }, word("showReport"))),
    element("p", { id: "shown", role: "status" }),
    element("div", { class: "scroll", id: "list", tabindex: 0, role: "region", "aria-label": word("navRuns") }),
  );
  showTable();
}

/** While something runs, the list is asked for every second. */
async function follow() {
  try {
    const before = JSON.stringify(list);
    list = await ask("/api/runs", {});
    trouble(null);
    // Drawn anew only where something has changed: whoever is in the table stays there.
    if (JSON.stringify(list) !== before) place("list") && list.runs.length > 0 ? showTable() : show();
  } catch (error) {
    trouble(error.message);
  }
  setTimeout(follow, list.runs.some((run) => run.running) ? 1000 : 5000);
}

begin(show);
setTimeout(follow, 1000);
