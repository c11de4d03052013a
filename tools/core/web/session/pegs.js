"use strict";
// Rows of pegs.

/** A colour for each symbol, far from its neighbours' on the wheel; the digit stands on it for readers who see no colours. All are
 * equally dark, so that the white digit can be read on each. */
function pegColour(symbol) {
  return `oklch(52% 0.14 ${(symbol * 137.5 + 250) % 360})`;
}

const MARK_SIGNS = { hit: "●", blow: "○", miss: "·" };

/** A row of pegs; under each what the secret says of it, where that may be seen. */
function pegRow(pegs) {
  const peg = ({ symbol, mark }) =>
    element(
      "span",
      { class: `peg ${mark ?? ""}` },
      element("span", { class: "face", style: `background:${pegColour(symbol)}` }, String(symbol)),
      mark ? element("span", { class: "mark", role: "img", title: word(mark), "aria-label": word(mark) }, MARK_SIGNS[mark]) : null,
    );
  return element("span", { class: "pegs" }, pegs.map(peg));
}
