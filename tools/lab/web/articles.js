"use strict";
// Worked examples of the articles, live: what a reader changes is computed anew.

/** The boxes that an address asks for; the article's own where it asks for none. */
function boxesOf(text) {
  const asked = (text ?? "").split(";").map((balls) => balls.split(",").map(Number));
  const fits = asked.length === data.boxes.length && asked.every((balls) => balls.length === 3 && balls.every((n) => Number.isInteger(n) && n >= 0 && n <= 99));
  return fits ? asked : data.boxes.map((balls) => [...balls]);
}

const boxes = boxesOf(address.get("boxes"));

/** The address holds what a reader has changed. */
function writeAddress() {
  const now = { boxes: boxes.map((balls) => balls.join(",")).join(";"), rows: scene.rows, guesses: scene.guesses.join(","), weights: weighed.text, ...bayesParameters(), ...trialParameters() };
  const original = { boxes: data.boxes.map((balls) => balls.join(",")).join(";"), ...ARTICLE, ...FIRST_REPLY, ...SHOWN };
  const parameters = new URLSearchParams(Object.entries(now).filter(([key, value]) => value !== original[key]));
  goTo("/articles", parameters);
}

const COLOURS = ["aqua", "blue", "purple"];

/** Box by box: its balls, to be changed, and what a ball from it would tell. */
function boxTable(changed) {
  const field = (b, c) => {
    const input = element("input", { type: "number", min: 0, max: 99, step: 1, value: boxes[b][c], "aria-label": `${word("box", b + 1)} ${word(COLOURS[c])}` });
    input.addEventListener("input", () => {
      boxes[b][c] = Math.max(0, Math.min(99, Math.floor(Number(input.value)) || 0));
      writeAddress();
      changed();
    });
    return element("td", { class: "number" }, input);
  };
  const row = (b) => element("tr", {}, element("th", { scope: "row" }, word("box", b + 1)), COLOURS.map((_, c) => field(b, c)), element("td", { class: "number", id: `entropy-${b}` }));
  return element("table", { class: "plain level" }, head(["", ...COLOURS.map((key) => word(key)), word("ofBox")]), element("tbody", {}, boxes.map((_, b) => row(b))));
}

/** Ball by ball: how probable it is, and which box it then was. A box without balls cannot have been chosen. */
function showBoxes() {
  boxes.forEach((balls, b) => (place(`entropy-${b}`).textContent = sum(balls) > 0 ? entropy(balls).toFixed(3) : "–"));
  const filled = boxes.map((balls) => sum(balls) > 0);
  const count = filled.filter(Boolean).length;
  if (count === 0) return place("balls").replaceChildren();
  const likelihood = (b, c) => (filled[b] ? boxes[b][c] / sum(boxes[b]) : 0);
  const before = Math.log2(count);
  const drawn = COLOURS.map((key, c) => {
    const joint = boxes.map((_, b) => likelihood(b, c) / count);
    return { key, p: sum(joint), joint, left: entropy(joint) };
  });
  const left = sum(drawn.map(({ p, left }) => (p > 0 ? p * left : 0)));
  const row = ({ key, p, joint, left }) =>
    element("tr", {}, element("th", { scope: "row" }, word(key)), cell(p.toFixed(3)), joint.map((w) => cell(p > 0 ? (w / p).toFixed(3) : "–")), cell(p > 0 ? left.toFixed(3) : "–"));
  const heads = [word("colour"), word("probability"), ...boxes.map((_, b) => word("box", b + 1)), word("leftThen")];
  place("balls").replaceChildren(
    element("p", {}, word("boxKnown", before.toFixed(3))),
    wide(word("colour"), element("table", { class: "plain" }, head(heads), element("tbody", {}, drawn.map(row)))),
    element("p", { id: "ball-tells" }, word("boxLeft", left.toFixed(3), (before - left).toFixed(3))),
  );
}

/** What the articles have. */
const ARTICLE = { rows: "012:0,1 134:0,2", guesses: "243,451", weights: "1 999" };

const scene = { rows: address.get("rows") ?? ARTICLE.rows, guesses: [...(address.get("guesses") ?? ARTICLE.guesses).split(","), ""].slice(0, 2) };
const rowsOfScene = () => scene.rows.split(/\s+/).filter(Boolean);
/** The number of the last question: answers to earlier ones are dropped. */
let scenes = 0;

/** Two guesses side by side: how their replies part what is left. */
async function showScene() {
  const asked = (scenes += 1);
  const named = scene.guesses.filter((guess) => guess.trim() !== "");
  let parts;
  try {
    const now = await analysisOf("hitblow 3 10", rowsOfScene(), named);
    const most = Math.max(...now.named.flatMap(({ parts }) => parts.map(({ candidates }) => candidates)));
    const column = (worth) => element("div", {}, element("h3", {}, word("sceneOf", worth.guess, worth.information.toFixed(4))), element("div", { class: "scroll" }, partsView(worth, most)));
    parts = impossibleText(now, rowsOfScene()) ?? [element("p", { id: "scene-left" }, leftText(now)), element("div", { class: "sides" }, now.named.map(column))];
  } catch (error) {
    parts = [element("p", { class: "bad" }, translated(error.message))];
  }
  if (asked === scenes) place("scene").replaceChildren(...parts);
  place("scene-board").replaceChildren(boardLink(word("onBoard"), "hitblow 3 10", rowsOfScene(), named));
}

function sceneFields() {
  const field = (label, id, value, size, take) => element("label", {}, element("span", {}, label), element("input", { id, value, size, autocomplete: "off", onchange: (event) => (take(plain(event.target.value)), writeAddress(), showScene()) }));
  const guess = (i) => field(word("sceneGuess", i + 1), `scene-guess-${i}`, scene.guesses[i], 6, (text) => (scene.guesses[i] = text));
  return element("div", { class: "fields" }, field(word("sceneRows"), "scene-rows", scene.rows, 24, (text) => (scene.rows = text)), guess(0), guess(1));
}

const weighed = { text: address.get("weights") ?? ARTICLE.weights };

/** Weight by weight: its probability, and how much is told if it comes. */
function showWeights() {
  const weights = weighed.text.split(/[\s,]+/).filter(Boolean).map(Number);
  const all = sum(weights);
  if (!(weights.every((w) => w >= 0 && w < 1e15) && all > 0)) return place("weighed").replaceChildren(element("p", { class: "bad" }, word("weightsBad")));
  const row = (w) => element("tr", {}, element("th", { scope: "row", class: "number" }, String(w)), cell((w / all).toPrecision(4)), cell(w > 0 ? Math.log2(all / w).toPrecision(4) : "–"));
  place("weighed").replaceChildren(
    element("table", { class: "plain" }, head([word("weight"), word("probability"), word("bitsIfItComes")]), element("tbody", {}, weights.map(row))),
    element("p", { id: "weighed-entropy" }, word("entropyIs", entropy(weights).toPrecision(4), Math.log2(weights.length).toPrecision(4))),
  );
}

function weightsSection() {
  const take = (event) => ((weighed.text = plain(event.target.value)), writeAddress(), showWeights());
  const field = element("label", {}, element("span", {}, word("weights")), element("input", { id: "weights", value: weighed.text, size: 24, autocomplete: "off", onchange: take }));
  return element("section", {}, element("h2", {}, word("weightsHeading")), element("p", { class: "faint" }, word("weightsHint")), element("div", { class: "fields" }, field), element("div", { id: "weighed", "aria-live": "polite" }));
}

/** Other positions of the articles, for the board. */
const POSITIONS = [
  { key: "explore", rows: ["012:0,1"], named: ["134", "345"] },
  { key: "places", rows: ["576:1,2"], named: [] },
  { key: "person", rows: ["123:0,1", "456:0,1", "789:0,1", "369:0,1", "258:0,1", "126:0,2", "726:0,3"], named: [] },
  { key: "impossible", rows: ["012:1,1", "023:0,1", "214:2,0"], named: ["215", "789"] },
  { key: "nine", problem: "hitblow 3 9", digits: "123456789", rows: ["123:1,1"], named: ["145", "456"] },
];

function positionItem({ key, problem = "hitblow 3 10", digits, rows, named }) {
  return element("li", {}, boardLink(word("positions")[key], problem, rows, named, digits));
}

function show() {
  place("heading").textContent = word("navArticles");
  document.title = word("navArticles");
  place("view").replaceChildren(
    element("ul", { id: "titles", class: "faint" }, data.titles.map(([number, title]) => element("li", {}, `${number}${word("colon")}${title}`))),
    element("section", {}, element("h2", {}, word("boxesHeading")), element("p", { class: "faint" }, word("boxesHint")), wide(word("boxesHeading"), boxTable(showBoxes)), element("div", { id: "balls", "aria-live": "polite" })),
    element("section", {}, element("h2", {}, word("sceneHeading")), element("p", { class: "faint" }, `${word("sceneText")} `, element("span", { id: "scene-board" })), sceneFields(), element("div", { id: "scene", "aria-live": "polite" })),
    bayesSection(),
    weightsSection(),
    trialSection(),
    element("section", {}, element("h2", {}, word("positionsHeading")), element("ul", {}, POSITIONS.map(positionItem))),
  );
  showBoxes();
  showScene();
  showBayes();
  showWeights();
  showTrial();
}

begin(show);
