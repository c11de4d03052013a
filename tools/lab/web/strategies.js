"use strict";
// The articles' strategies side by side: turns over all secrets, and the game for one of them.

/** What the articles play, as options of `lab policy`. `number` is the option whose number can be changed. */
const STRATEGIES = {
  random: { policy: "random-fixed" },
  map: { policy: "map" },
  candidates: { policy: "mi", pool: "candidates", tie: "first" },
  all: { policy: "mi", pool: "all", tie: "first" },
  bonus: { policy: "mi", pool: "all", tie: "first", number: "hit_bonus", value: 2 },
  gain: { policy: "mi", pool: "all", tie: "first", number: "hit_gain", value: 10 },
  ties: { policy: "mi", pool: "all", tie: "candidate" },
  minmax: { policy: "minmax", pool: "candidates", tie: "first" },
  size: { policy: "expected-size", pool: "candidates", tie: "first" },
  optimal: { policy: "optimal" },
};
/** The articles' games. */
const GAMES = ["hitblow 3 10", "hitblow 3 9", "mastermind 4 4", "mastermind 4 5", "mastermind 4 6", "mastermind 5 4", "mastermind 5 5"];
/** What is shown at first: articles 002 and 000, and 002's secret. */
const SHOWN = { game: "hitblow 3 10", secret: "960", a: "map", b: "candidates" };

/** Experiments of the articles: a game, a secret, two strategies, and how digits are written. */
const EXPERIMENTS = {
  first: SHOWN,
  pool: { game: "hitblow 3 10", secret: "219", a: "candidates", b: "all" },
  bonus: { game: "hitblow 3 10", secret: "329", a: "all", b: "bonus" },
  ties: { game: "hitblow 3 10", secret: "120", a: "all", b: "ties" },
  gain: { game: "hitblow 3 9", secret: "", a: "gain", b: "all", digits: "123456789" },
  table: { game: "mastermind 4 6", secret: "", a: "size", b: "candidates" },
  random: { game: "mastermind 4 4", secret: "", a: "random", b: "candidates" },
  optimal: { game: "hitblow 3 10", secret: "219", a: "bonus", b: "optimal" },
};

/** `bonus:1.5`: a strategy, and its number where that was changed. */
function strategyOf(text, other) {
  const [key, number] = (text ?? "").split(":");
  const known = Object.hasOwn(STRATEGIES, key) ? key : other;
  const typed = Number.parseFloat(number);
  return { key: known, number: Number.isFinite(typed) ? typed : STRATEGIES[known].value };
}

const trial = { game: address.get("game") ?? SHOWN.game, secret: address.get("secret") ?? SHOWN.secret, digits: address.get("digits") ?? "", strategies: ["a", "b"].map((side) => strategyOf(address.get(side), SHOWN[side])) };

/** What the address says of the strategies. */
function trialParameters() {
  const text = ({ key, number }) => (number === STRATEGIES[key].value ? key : `${key}:${number}`);
  return { game: trial.game, secret: trial.secret, ...(trial.digits ? { digits: trial.digits } : {}), a: text(trial.strategies[0]), b: text(trial.strategies[1]) };
}

function playedBy({ key, number }) {
  const { number: option, value: _, ...options } = STRATEGIES[key];
  return ask("/api/strategy", { problem: trial.game, ...options, ...(option ? { [option]: number } : {}), secret: trial.secret, digits: trial.digits });
}

/** How many secrets take how many turns: a bar each, `most` the longest. */
function turnsTable({ turns }, most) {
  const row = (count, i) => element("tr", {}, element("th", { scope: "row", class: "number" }, String(i + 1)), cell(String(count)), element("td", { class: "wide" }, element("div", { class: "part", style: `width:${(100 * count) / most}%` })));
  return element("table", { class: "plain" }, element("thead", {}, element("tr", {}, element("th", { scope: "col", class: "number" }, word("turns")), element("th", { scope: "col", class: "number" }, word("secrets")), element("td", {}))), element("tbody", {}, turns.map(row)));
}

/** The game for one secret. A guess leads to the board, as it was before this guess. */
function gameTable(game) {
  const said = game.map(({ guess, hits, blows }) => `${guess}:${hits},${blows}`);
  const row = ({ guess, hits, blows, left, right, information }, i) =>
    element("tr", {}, cell(String(i + 1)), element("th", { scope: "row", class: "mono" }, boardLink(guess, trial.game, said.slice(0, i), [guess], trial.digits)), element("td", { class: "mono" }, `${hits} ${blows}`), cell(String(left)), cell(right.toPrecision(4)), cell(information.toFixed(4)));
  const heads = ["turn", "aGuess", "aReply", "candidatesLeft", "right", "information"].map((key) => element("th", { scope: "col", class: ["aGuess", "aReply"].includes(key) ? null : "number" }, word(key)));
  return wide(word("gameFor", trial.secret), element("table", { class: "plain worths" }, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, game.map(row))));
}

function outcomeView(outcome, most) {
  const { all, determined, game } = outcome;
  return [
    element("p", { class: "means-of" }, word("turnsNeeded", all.mean.toFixed(4), all.worst, determined.mean.toFixed(4), determined.worst)),
    element("div", { class: "parts" }, turnsTable(outcome, most)),
    ...(game ? [element("h3", {}, word("gameFor", trial.secret)), gameTable(game)] : []),
  ];
}

/** The number of the last question: answers to earlier ones are dropped. */
let trials = 0;

async function showTrial() {
  const asked = (trials += 1);
  const sides = [0, 1].map((i) => place(`outcome-${i}`));
  sides.forEach((side) => side.replaceChildren(word("thinking")));
  const answers = await Promise.allSettled(trial.strategies.map(playedBy));
  if (asked !== trials) return;
  const most = Math.max(...answers.flatMap(({ value }) => value?.turns ?? [1]));
  answers.forEach(({ value, reason }, i) => sides[i].replaceChildren(...(value ? outcomeView(value, most) : [element("p", { class: "bad" }, translated(reason.message))])));
}

function changed() {
  writeAddress();
  showTrial();
}

/** One side: which strategy, its number, and what comes of it. */
function strategySide(i) {
  const chosen = trial.strategies[i];
  const select = element("select", { id: `strategy-${i}` }, Object.keys(STRATEGIES).map((key) => element("option", { value: key, selected: key === chosen.key }, word("strategies")[key])));
  const number = element("input", { id: `number-${i}`, type: "number", min: 0, step: "any", value: chosen.number ?? "" });
  const numberName = () => word("numbers")[chosen.key] ?? "C";
  const name = element("span", {}, numberName());
  const field = element("label", { hidden: chosen.number === undefined }, name, number);
  select.addEventListener("change", () => {
    Object.assign(chosen, strategyOf(select.value));
    field.hidden = chosen.number === undefined;
    name.textContent = numberName();
    number.value = chosen.number ?? "";
    changed();
  });
  number.addEventListener("change", () => {
    chosen.number = Number(number.value);
    changed();
  });
  return element("div", {}, element("div", { class: "fields" }, element("label", {}, element("span", {}, word("strategy", i + 1)), select), field), element("div", { id: `outcome-${i}`, "aria-live": "polite" }));
}

/** Shows one of the articles' experiments. */
function experiment({ game, secret, a, b, digits = "" }) {
  Object.assign(trial, { game, secret, digits, strategies: [strategyOf(a), strategyOf(b)] });
  place("trial").replaceWith(trialSection());
  changed();
}

function trialSection() {
  const articles = Object.entries(EXPERIMENTS).map(([key, chosen]) => element("li", {}, element("button", { type: "button", class: "link", "data-experiment": key, onclick: () => (experiment(chosen), document.querySelector(`[data-experiment="${key}"]`).focus()) }, word("experiments")[key])));
  // Characters for digits may be full-width ones, and so may those of the secret.
  const typed = (key, text) => (key === "digits" || (key === "secret" && trial.digits) ? text.trim() : plain(text));
  const field = (key, label, size, more = {}) => element("label", {}, element("span", {}, word(label)), element("input", { id: key, value: trial[key], size, autocomplete: "off", ...more, onchange: (event) => ((trial[key] = typed(key, event.target.value)), changed()) }));
  return element("section", { id: "trial" }, element("h2", {}, word("trialHeading")), element("p", { class: "faint" }, word("trialHint")), element("ul", {}, articles), element("div", { class: "fields" }, field("game", "problem", 16, { list: "games" }), gameList(GAMES), field("secret", "aSecret", 8), field("digits", "digitsAre", 12, { placeholder: "123456789" })), element("div", { class: "sides" }, strategySide(0), strategySide(1)));
}
