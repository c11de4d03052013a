"use strict";
// A board. Playing: the secret is that of a seed, and the server replies. Advising: the game is played elsewhere, and its replies
// are typed here. The address holds all of it.

const address = new URLSearchParams(location.search);
const playing = address.get("mode") === "play";
let rows = (address.get("rows") ?? "").split(";").filter(Boolean);
let lines = (address.get("lines") ?? "").split(";").filter(Boolean);
const named = (address.get("named") ?? "").split(";").filter(Boolean);
/** Whether the player gave up after these lines. */
let gaveUp = playing && address.get("gaveup") === "1";
let hints = !playing || address.get("hints") === "1";
/** How digits are written where the game is played, and how likely secrets are. */
let more = { digits: address.get("digits") ?? "", prior: address.get("prior") ?? "" };
/** A longer prior is not put into the address. */
const LONG = 2000;
const seed = address.get("seed") ?? String(crypto.getRandomValues(new Uint32Array(1))[0]);

function writeAddress() {
  const parameters = new URLSearchParams({ problem: data.problem });
  if (playing) {
    parameters.set("mode", "play");
    parameters.set("seed", seed);
    if (lines.length > 0) parameters.set("lines", lines.join(";"));
    if (gaveUp) parameters.set("gaveup", "1");
    if (hints) parameters.set("hints", "1");
  } else {
    if (rows.length > 0) parameters.set("rows", rows.join(";"));
    if (named.length > 0) parameters.set("named", named.join(";"));
    if (more.digits) parameters.set("digits", more.digits);
    if (more.prior && more.prior.length <= LONG) parameters.set("prior", more.prior);
  }
  goTo("/board", parameters);
}

/** A guess as coloured pegs, where it is digits that may be read as such. */
function drawn(guess) {
  const digits = guess.split(" ");
  const pegs = playing && data.replies === "hitsBlows" && digits.every((digit) => /^\d+$/.test(digit));
  return pegs ? pegRow(digits.map((digit) => ({ symbol: Number(digit), mark: null }))) : element("span", { class: "mono" }, guess);
}

function rowList(turns) {
  const row = ({ guess, reply }, i) => element("tr", {}, element("th", { scope: "row", class: "number" }, String(i + 1)), element("td", {}, drawn(guess)), element("td", { class: "mono" }, reply));
  const heads = ["turn", "aGuess", "aReply"].map((key) => element("th", { scope: "col" }, word(key)));
  return element("table", { class: "plain turns" }, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, turns.map(row)));
}

function turnsOfRows() {
  const cut = (row) => (row.includes(":") ? row.lastIndexOf(":") : row.length);
  return rows.map((row) => ({ guess: row.slice(0, cut(row)), reply: row.slice(cut(row) + 1).replaceAll(",", " ") }));
}

/** Whether the last reply says that the code is right. In games where replies lie, none does. */
function isFound(turns) {
  if (!data.studied || !data.codes || turns.length === 0) return false;
  const first = Number(turns.at(-1).reply.split(" ")[0]);
  if (data.replies === "rightDifference") return first === 1;
  const places = data.example.includes(" ") ? data.example.split(" ").length : data.example.length;
  return first === places;
}

/** The number of the last question: answers to earlier ones are dropped. */
let questions = 0;

/** What the lab knows after these rows. */
async function showAnalysis(panel, rows, question) {
  if (!data.studied || !hints) return panel.replaceChildren(...(data.studied ? [] : [element("p", { class: "faint" }, word("notStudied", translated(data.notStudied)))]));
  panel.replaceChildren(word("thinking"));
  await analyse(data.problem, rows, named, playing ? {} : more, (now, searching) => question === questions && showKnown(panel, rows, now, searching));
}

function showKnown(panel, rows, now, searching) {
  const impossible = impossibleText(now, rows);
  if (impossible === null && !playing && isFound(turnsOfRows())) {
    place("end").textContent = word("foundIn", rows.length);
    return panel.replaceChildren();
  }
  const shown = impossible ?? [element("p", { id: "left" }, leftText(now)), candidateList(now, data.codes ? take : null), element("h2", {}, word("bestGuesses")), worthTable([...now.best, ...now.named], null, take), searching ? element("p", { class: "faint" }, word("searching")) : null, heatMap(now.grid)];
  panel.replaceChildren(...shown.filter(Boolean));
}

/** Shows how things stand. `typed` is what the fields had when the last line was just typed: if it cannot be meant, the line is
 * taken back, and stands in the fields again to be mended. */
async function update(typed = null) {
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
      if (place("guess").value === "") giveBack(typed);
    }
    place("panel").replaceChildren();
    trouble(error.message);
  }
}

/** Writes into the fields what they had. The guess is selected, so that another one replaces it. */
function giveBack(typed) {
  for (const [field, text] of Object.entries(typed)) place(field).value = text;
  place("guess").select();
}

/** A guess as it is written where the game is played. */
function exampleGuess() {
  const written = [...more.digits];
  const digits = [...(data.example ?? "")];
  return digits.every((digit) => written[digit] !== undefined) ? digits.map((digit) => written[digit]).join("") : (data.example ?? "");
}

async function showRows(question) {
  const turns = turnsOfRows();
  place("guess").placeholder = exampleGuess();
  place("rows").replaceChildren(rowList(turns));
  place("undo").disabled = rows.length === 0;
  place("end").textContent = "";
  endGame(isFound(turns), ["guess", "reply", "enter"]);
  await showAnalysis(place("panel"), rows, question);
}

/** Nothing can be entered where the game is over. */
function endGame(over, controls) {
  const hadFocus = controls.includes(document.activeElement?.id);
  for (const id of controls) place(id).disabled = over;
  // What was used last cannot be used again, so the next one has the focus.
  if (over && hadFocus) place("undo").focus();
}

async function showGame(question) {
  place("undo").disabled = lines.length === 0 && !gaveUp;
  const game = await ask("/api/game", { problem: data.problem, seed, lines: lines.join(";"), give_up: gaveUp });
  if (question !== questions) return;
  place("rows").replaceChildren(rowList(game.turns));
  const over = Boolean(game.done || game.over || game.gaveUp);
  endGame(over, ["guess", "enter", "giveUp"]);
  const wrong = game.over ? lines[game.turns.length] : null;
  place("end").className = `verdict ${game.done ? "good" : "bad"}`;
  place("end").textContent = game.done ? word("foundIn", game.score) : game.over ? word("lostGame", wrong, game.answer) : game.gaveUp ? word("gaveUp", game.turns.length, game.answer) : "";
  if (over) return place("panel").replaceChildren();
  const played = game.turns.map(({ guess, reply }) => `${guess}:${reply.replaceAll(" ", ",")}`);
  await showAnalysis(place("panel"), played, question);
}

/** Writes a guess where it can be entered. */
function take(guess) {
  place("guess").value = guess;
  place(playing ? "enter" : "reply").focus();
}

function enter(event) {
  event.preventDefault();
  // Where digits are other characters, these may be full-width ones.
  const guess = more.digits ? place("guess").value.trim() : plain(place("guess").value);
  if (guess === "") return;
  const typed = { guess: place("guess").value };
  if (playing) lines.push(guess.replaceAll(";", " "));
  else {
    typed.reply = place("reply").value;
    const reply = plain(typed.reply);
    if (reply === "") return place("reply").focus();
    rows.push(`${guess}:${reply.replace(/[\s,]+/g, ",")}`.replaceAll(";", " "));
    place("reply").value = "";
  }
  place("guess").value = "";
  place("guess").focus();
  update(typed);
}

/** Fields for a game that is played elsewhere. */
function moreFields() {
  const take = (key, value) => {
    more = { ...more, [key]: value };
    update();
  };
  const digits = element("input", { id: "digits", autocomplete: "off", value: more.digits, placeholder: "abcdef…", onchange: (event) => take("digits", event.target.value.trim()) });
  const prior = element("textarea", { id: "prior", rows: 5, cols: 24, placeholder: `${data.example} 2.5`, onchange: (event) => take("prior", event.target.value.trim()) }, more.prior);
  const label = (key, field) => element("label", {}, element("span", {}, word(key)), field);
  return element("details", { open: Boolean(more.digits || more.prior) }, element("summary", {}, word("moreFields")), element("div", { class: "fields" }, label("digitsAre", digits), label("priorIs", prior)));
}

function undo() {
  if (gaveUp) gaveUp = false;
  else (playing ? lines : rows).pop();
  update();
}

function giveUp() {
  gaveUp = true;
  update();
}

function show() {
  place("heading").textContent = `${word(playing ? "navPlay" : "navAdvise")}${word("colon")}${data.problem}`;
  document.title = `${word(playing ? "navPlay" : "navAdvise")}${word("colon")}${data.problem}`;
  // A telephone's number keys do where a code is digits side by side, and hits and blows are too.
  const numeric = data.replies === "hitsBlows" && !more.digits && /^\d+$/.test(data.example ?? "");
  const field = (id, key, placeholder) => element("label", {}, element("span", {}, word(key)), element("input", { id, autocomplete: "off", size: 12, placeholder, inputmode: numeric ? "numeric" : null }));
  const hint = element("input", { type: "checkbox", id: "hints", onchange: (event) => ((hints = event.target.checked), update()) });
  hint.checked = hints;
  const other = element("input", { id: "problem", value: data.problem, size: 16, list: "games", title: data.usages.map((usage) => word("usage", usage)).join("\n") });
  const change = async (event) => {
    event.preventDefault();
    const parameters = new URLSearchParams({ problem: plain(other.value) });
    if (playing) parameters.set("mode", "play");
    // Left as it is, another case is drawn.
    if (playing && plain(place("seed").value) !== seed) parameters.set("seed", plain(place("seed").value));
    if (saysLanguage()) parameters.set("lang", language);
    // What is no game is said here, where it can be mended.
    try {
      await ask("/api/game", { seed, ...Object.fromEntries(parameters) });
    } catch (error) {
      return trouble(error.message);
    }
    location.assign(`/board?${parameters}`);
  };
  const parts = [
    element("form", { class: "fields", onsubmit: change }, element("label", {}, element("span", {}, word("problem")), other, gameList(data.games)), playing ? element("label", {}, element("span", {}, word("seed")), element("input", { id: "seed", value: seed, size: 12, inputmode: "numeric", autocomplete: "off" })) : null, element("button", {}, word("newGame"))),
    element("p", { class: "faint", id: "about" }, element("code", {}, data.form), word("colon"), withCode(data.about[language] ?? data.about.en)),
    element(
      "form",
      { class: "fields", id: "move", onsubmit: enter },
      field("guess", "aGuess", data.example ?? ""),
      playing ? null : field("reply", data.replies, ""),
      element("button", { id: "enter" }, word("enter")),
      element("button", { type: "button", id: "undo", onclick: undo }, word("undo")),
      playing && data.studied ? element("label", { class: "inline" }, hint, ` ${word("hints")}`) : null,
      playing ? element("button", { type: "button", id: "giveUp", onclick: giveUp }, word("giveUp")) : null,
    ),
    // On a phone, what is above the fields may be out of sight.
    place("trouble"),
    playing || !data.codes ? null : moreFields(),
    element("div", { class: "stage" }, element("div", {}, element("div", { id: "rows" }), element("p", { id: "end", class: "verdict good", role: "status" })), element("div", { id: "panel", "aria-live": "polite" })),
  ];
  place("view").replaceChildren(...parts.filter(Boolean));
  update();
}

begin(show);
