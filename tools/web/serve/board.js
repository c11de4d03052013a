"use strict";
// A board. Playing: the secret is that of a seed, and the server replies. Advising: the game is played elsewhere, and its replies
// are typed here. The address holds all of it.

const asked = new URLSearchParams(location.search);
const playing = asked.get("mode") === "play";
let rows = (asked.get("rows") ?? "").split(";").filter(Boolean);
let lines = (asked.get("lines") ?? "").split(";").filter(Boolean);
const named = (asked.get("named") ?? "").split(";").filter(Boolean);
let hints = !playing || asked.get("hints") === "1";
const seed = asked.get("seed") ?? String(crypto.getRandomValues(new Uint32Array(1))[0]);

function writeAddress() {
  const said = new URLSearchParams({ problem: data.problem });
  if (playing) {
    said.set("mode", "play");
    said.set("seed", seed);
    if (lines.length > 0) said.set("lines", lines.join(";"));
    if (hints) said.set("hints", "1");
  } else {
    if (rows.length > 0) said.set("rows", rows.join(";"));
    if (named.length > 0) said.set("named", named.join(";"));
  }
  history.replaceState(null, "", `/board?${said}`);
}

function rowList(turns) {
  const row = ({ guess, reply }, i) => element("tr", {}, element("th", { scope: "row", class: "number" }, String(i + 1)), element("td", { class: "mono" }, guess), element("td", { class: "mono" }, reply));
  const heads = ["turn", "aGuess", "reply"].map((key) => element("th", { scope: "col" }, word(key)));
  return element("table", { class: "plain turns" }, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, turns.map(row)));
}

const turnsOfRows = () => rows.map((row) => ({ guess: row.split(":")[0], reply: (row.split(":")[1] ?? "").replace(",", " ") }));

/** How often something was asked: an answer to an earlier question is no longer wanted. */
let questions = 0;

/** What the lab knows after these rows. */
async function showStanding(panel, rows, question) {
  if (!data.studied || !hints) return panel.replaceChildren(...(data.studied ? [] : [element("p", { class: "faint" }, word("notStudied"))]));
  panel.replaceChildren(word("thinking"));
  const now = await standingOf(data.problem, rows, named);
  if (question !== questions) return;
  if (now.contradiction) return panel.replaceChildren(...contradictionText(now.contradiction, rows));
  panel.replaceChildren(
    ...[element("p", { id: "left" }, leftText(now)), candidateList(now), element("h3", {}, word("bestGuesses")), worthTable([...now.best, ...now.named], null), heatMap(now.places)].filter(Boolean),
  );
}

/** Shows how things stand; `typed` says that the last line was just typed, and is taken back if it cannot be meant. */
async function update(typed = false) {
  const question = (questions += 1);
  trouble(null);
  try {
    await (playing ? showGame(question) : showRows(question));
    if (question === questions) writeAddress();
  } catch (error) {
    if (question !== questions) return;
    if (typed && error.refused) {
      (playing ? lines : rows).pop();
      await update();
    }
    place("panel").replaceChildren();
    trouble(error.message);
  }
}

async function showRows(question) {
  place("rows").replaceChildren(rowList(turnsOfRows()));
  place("undo").disabled = rows.length === 0;
  await showStanding(place("panel"), rows, question);
}

async function showGame(question) {
  place("undo").disabled = lines.length === 0;
  const game = await ask("/api/game", { problem: data.problem, seed, lines: lines.join(";") });
  if (question !== questions) return;
  place("rows").replaceChildren(rowList(game.turns));
  const over = Boolean(game.done || game.over);
  place("guess").disabled = over;
  place("enter").disabled = over;
  place("end").textContent = game.done ? word("foundIn", game.score) : game.over ? `${game.over} (${word("answer")}: ${game.answer})` : "";
  if (over) return place("panel").replaceChildren();
  const played = game.turns.map(({ guess, reply }) => `${guess}:${reply.replace(" ", ",")}`);
  await showStanding(place("panel"), played, question);
}

function enter(event) {
  event.preventDefault();
  const guess = place("guess").value.trim();
  if (guess === "") return;
  if (playing) lines.push(guess.replaceAll(";", " "));
  else {
    const reply = place("reply").value.trim();
    if (reply === "") return place("reply").focus();
    rows.push(`${guess}:${reply.replace(/\s+/g, ",")}`.replaceAll(";", " "));
    place("reply").value = "";
  }
  place("guess").value = "";
  place("guess").focus();
  update(true);
}

function undo() {
  (playing ? lines : rows).pop();
  update();
}

function show() {
  place("heading").textContent = `${word(playing ? "navPlay" : "navAdvise")}: ${data.problem}`;
  document.title = `${word(playing ? "navPlay" : "navAdvise")}: ${data.problem}`;
  const field = (id, key) => element("label", {}, element("span", {}, word(key)), element("input", { id, autocomplete: "off", size: 10 }));
  const hint = element("input", { type: "checkbox", id: "hints", onchange: (event) => ((hints = event.target.checked), update()) });
  hint.checked = hints;
  const other = element("input", { id: "problem", value: data.problem, size: 16, title: data.usages.join("\n") });
  const change = (event) => {
    event.preventDefault();
    const said = new URLSearchParams({ problem: other.value });
    if (playing) said.set("mode", "play");
    location.assign(`/board?${said}`);
  };
  place("view").replaceChildren(
    element("form", { class: "fields", onsubmit: change }, element("label", {}, element("span", {}, word("problem")), other), element("button", {}, word("newGame"))),
    element("p", { class: "faint" }, data.about),
    element(
      "form",
      { class: "fields", id: "move", onsubmit: enter },
      field("guess", "aGuess"),
      playing ? null : field("reply", "replyTyped"),
      element("button", { id: "enter" }, word("enter")),
      element("button", { type: "button", id: "undo", onclick: undo }, word("undo")),
      playing && data.studied ? element("label", { class: "inline" }, hint, ` ${word("hints")}`) : null,
    ),
    element("div", { class: "stage" }, element("div", {}, element("div", { id: "rows" }), element("p", { id: "end", class: "verdict good", role: "status" })), element("div", { id: "panel", "aria-live": "polite" })),
  );
  update();
}

begin(show);
