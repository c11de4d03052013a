"use strict";
// A session, told turn by turn.

/** What both sides said; `told` is as `told.rs` writes it. */
function turnsTable(told) {
  const timed = told.turns.some((turn) => turn.ms != null);
  const columns = timed ? 4 : 3;
  const remark = ({ stderr, text }) =>
    element("tr", { class: "remark" }, element("td", {}), element("td", { colspan: columns - 1, class: "mono" }, `${stderr ? "stderr: " : ""}${text}`));
  const rows = told.turns.flatMap((turn, i) => [
    ...(turn.remarks ?? []).map(remark),
    element(
      "tr",
      {},
      element("th", { scope: "row", class: "number" }, String(i + 1)),
      element("td", { class: "mono" }, shortened(turn.guess)),
      element("td", { class: "mono" }, turn.reply ?? element("span", { class: "faint" }, word("noReply"))),
      timed ? element("td", { class: "number faint" }, turn.ms == null ? "" : turn.ms.toFixed(3)) : null,
    ),
  ]);
  const heads = ["turn", "guess", "reply", ...(timed ? ["ms"] : [])];
  return element(
    "table",
    { class: "plain turns" },
    element("thead", {}, element("tr", {}, heads.map((key) => element("th", { scope: "col", class: key === "ms" || key === "turn" ? "number" : null }, word(key))))),
    element("tbody", {}, rows, (told.last ?? []).map(remark)),
  );
}

/** A button that copies a text. */
function copyButton(text) {
  const done = (button) => {
    button.textContent = word("copied");
    setTimeout(() => (button.textContent = word("copy")), 1500);
  };
  const copy = async ({ currentTarget }) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // From a file, some browsers do not allow it in this way.
      const field = element("textarea", {}, text);
      currentTarget.after(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    done(currentTarget);
  };
  return element("button", { type: "button", onclick: copy }, word("copy"));
}

/** All that is left of one case of one run: `kept` as `artifacts.rs` writes it. */
function keptView(kept) {
  const texts = (kept.texts ?? []).map(({ name, text, left_out }) => [
    element("h4", { class: "mono" }, name, left_out > 0 ? element("span", { class: "faint" }, ` (${word("leftOutBytes", left_out)})`) : null),
    element("pre", {}, text),
  ]);
  return [
    kept.told ? turnsTable(kept.told) : null,
    kept.missing ? element("p", { class: "faint" }, word(kept.missing)) : null,
    ...texts.flat(),
    kept.rerun ? element("p", {}, word("rerun"), " ", copyButton(kept.rerun), element("pre", {}, kept.rerun)) : null,
  ];
}
