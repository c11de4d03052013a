"use strict";
// Article 002's small game: prior, likelihood and posterior, reply after reply.

/** All pairs, as the article's tables have them. Two equal digits are no code. */
const PAIRS = ["11", "12", "13", "21", "22", "23", "31", "32", "33"];
const CODES = PAIRS.filter(([first, second]) => first !== second);
const REPLIES = ["2 0", "1 0", "0 2", "0 1", "0 0"];
/** What the article has: nothing was replied before. */
const FIRST_REPLY = { guess: "12", reply: "0 1", before: "" };

/** `12:0 1` for each reply before, whose posterior is the prior now. */
function repliesBefore(text) {
  const known = (row) => CODES.includes(row.split(":")[0]) && REPLIES.includes(row.split(":")[1]);
  return (text ?? "").split(",").filter(known);
}

const one = (key, known) => (known.includes(address.get(key)) ? address.get(key) : FIRST_REPLY[key]);
const bayes = { guess: one("guess", CODES), reply: one("reply", REPLIES), before: repliesBefore(address.get("before")) };

/** What the address says of it. */
function bayesParameters() {
  return { guess: bayes.guess, reply: bayes.reply, before: bayes.before.join(",") };
}

function replyTo(secret, guess) {
  const hits = [...guess].filter((digit, i) => secret[i] === digit).length;
  const common = [...guess].filter((digit) => secret.includes(digit)).length;
  return `${hits} ${common - hits}`;
}

function fraction(share) {
  if (share === 0 || share === 1) return String(share);
  return `1/${Math.round(1 / share)}`;
}

const likelihoodsOf = (guess, reply) => PAIRS.map((code) => (CODES.includes(code) && replyTo(code, guess) === reply ? 1 : 0));

/** Bayes' rule: the products, and what they are with the sum 1; null where nothing is possible. */
function learnt(prior, likelihoods) {
  const products = prior.map((p, i) => p * likelihoods[i]);
  const all = sum(products);
  return { products, posterior: all > 0 ? products.map((p) => p / all) : null };
}

/** Code by code: prior, likelihood, their product, posterior. */
function showBayes() {
  const equal = PAIRS.map((code) => (CODES.includes(code) ? 1 / CODES.length : 0));
  const told = (prior, row) => learnt(prior, likelihoodsOf(...row.split(":"))).posterior ?? prior;
  const prior = bayes.before.reduce(told, equal);
  const likelihoods = likelihoodsOf(bayes.guess, bayes.reply);
  const { products, posterior } = learnt(prior, likelihoods);
  const row = (code, i) => element("tr", {}, element("th", { scope: "row", class: "mono" }, code), cell(fraction(prior[i])), cell(String(likelihoods[i])), cell(fraction(products[i])), cell(posterior ? fraction(posterior[i]) : "–"));
  const step = (id, key, disabled, before) => element("button", { type: "button", id, disabled, onclick: () => ((bayes.before = before), writeAddress(), showBayes(), place(id).focus()) }, word(key));
  place("bayes").replaceChildren(
    ...(bayes.before.length > 0 ? [element("p", { id: "replies-before" }, word("repliesBefore", bayes.before.join(", ")))] : []),
    ...(posterior ? [] : [element("p", { class: "bad" }, word("cannotBe"))]),
    wide(word("bayesHeading"), element("table", { class: "plain level" }, head([word("code"), word("prior"), word("likelihood"), word("product"), word("posterior")]), element("tbody", {}, PAIRS.map(row)))),
    element("p", { class: "fields" }, step("next", "nextReply", !posterior, [...bayes.before, `${bayes.guess}:${bayes.reply}`]), step("again", "beginAgain", bayes.before.length === 0, [])),
  );
}

function choice(key, options) {
  const made = element("select", { id: `bayes-${key}` }, options.map((option) => element("option", { value: option, selected: option === bayes[key] }, option)));
  made.addEventListener("change", () => {
    bayes[key] = made.value;
    writeAddress();
    showBayes();
  });
  return element("label", {}, element("span", {}, word(key === "guess" ? "aGuess" : "hitsBlows")), made);
}

function bayesSection() {
  return element("section", {}, element("h2", {}, word("bayesHeading")), element("p", { class: "faint" }, word("bayesHint")), element("div", { class: "fields" }, choice("guess", CODES), choice("reply", REPLIES)), element("div", { id: "bayes", "aria-live": "polite" }));
}
