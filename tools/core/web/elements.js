"use strict";
// How an element of a page is made, and round numbers for pictures. Text stays text.

/**
 * An element: a name, attributes (`class`, `on…` a listener), and what is in it. Text stays text.
 */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.flat(2).filter((child) => child != null));
  return made;
}

/** The same of a picture. */
function svgElement(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.flat());
  return made;
}

/** A text; of one that is long or has many lines the beginning, to be opened. */
function shortened(text) {
  const LONG = 120;
  const LINES = 4;
  const first = text.split("\n", LINES + 1);
  if (text.length <= LONG && first.length <= LINES) return text;
  return element("details", { class: "long" }, element("summary", {}, `${first[0].slice(0, LONG / 2)}…`), text);
}

/** What may be wider than the screen: moved by mouse, finger and keys. */
function wide(label, inside) {
  return element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": label }, inside);
}

/** A text in which backticks enclose what stands for itself. */
function withCode(text) {
  return text.split("`").map((part, i) => (i % 2 ? element("code", {}, part) : part));
}

/** 1, 2 or 5 times a power of ten: the least that is not below a number. */
function roundUp(number) {
  const power = 10 ** Math.floor(Math.log10(number));
  return [1, 2, 5, 10].map((digit) => digit * power).find((round) => round >= number);
}
