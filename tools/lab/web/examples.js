"use strict";
// What the parts of the articles' page share.

const address = new URLSearchParams(location.search);

/** The entropy of what has these weights, in bits. */
function entropy(weights) {
  const total = sum(weights);
  return sum(weights.filter((w) => w > 0).map((w) => -(w / total) * Math.log2(w / total)));
}

const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);
const head = (keys) => element("thead", {}, element("tr", {}, keys.map((text, i) => element(text ? "th" : "td", { scope: text ? "col" : null, class: i > 0 ? "number" : null }, text))));
const cell = (text) => element("td", { class: "number" }, text);

/** Leads to the board, with these rows and guesses. */
function boardLink(text, problem, rows, named = [], digits = null) {
  const parts = new URLSearchParams({ problem, rows: rows.join(";"), ...(named.length > 0 ? { named: named.join(";") } : {}), ...(digits ? { digits } : {}) });
  return element("a", { href: `/board?${parts}` }, text);
}
