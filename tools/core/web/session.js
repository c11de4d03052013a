"use strict";
// A session as a table of turns, and all that is shown of one case of one run.

/** The judge's reply, or that there is none. */
function replyText({ reply }) {
  return reply == null ? element("span", { class: "faint" }, word("noReply")) : shortened(reply);
}

/** More remarks of a turn than these are folded. */
const MOST_REMARKS = 50;

function remarkText({ stderr, text }) {
  return [stderr ? "stderr: " : "", shortened(text)];
}

/** Remarks after the first ones, as one text that is made when it is opened: there may be 100,000. */
function otherRemarks(remarks) {
  const others = remarks.slice(MOST_REMARKS);
  if (others.length === 0) return null;
  const text = element("pre", { class: "others" });
  const fill = () => (text.textContent ||= others.map((remark) => `${remark.stderr ? "stderr: " : ""}${remark.text}`).join("\n"));
  return element("details", { ontoggle: fill }, element("summary", {}, word("moreRemarks", others.length)), text);
}

/** What both sides said; `session` is a `SessionView` of `judge/session.rs`. */
function turnsTable(session) {
  const timed = session.turns.some((turn) => turn.ms != null);
  const columns = timed ? 4 : 3;
  const remark = (content) => element("tr", { class: "remark" }, element("td", {}), element("td", { colspan: columns - 1, class: "mono" }, content));
  const remarks = (all) => [...all.slice(0, MOST_REMARKS).map(remarkText), otherRemarks(all)].filter(Boolean).map(remark);
  const rows = session.turns.flatMap((turn, i) => [
    ...remarks(turn.remarks ?? []),
    element(
      "tr",
      {},
      element("th", { scope: "row", class: "number" }, String(i + 1)),
      element("td", { class: "mono" }, shortened(turn.guess)),
      element("td", { class: "mono" }, replyText(turn)),
      timed ? element("td", { class: "number faint" }, turn.ms == null ? "" : turn.ms.toFixed(3)) : null,
    ),
  ]);
  const heads = ["turn", "guess", "reply", ...(timed ? ["ms"] : [])];
  return element(
    "table",
    { class: "plain turns" },
    element("thead", {}, element("tr", {}, heads.map((key) => element("th", { scope: "col", class: key === "ms" || key === "turn" ? "number" : null }, word(key))))),
    element("tbody", {}, rows, remarks(session.last ?? [])),
  );
}

/** A number as text with its thousands apart, if it has five digits or more before the point. */
function grouped(number) {
  const [whole, ...decimals] = String(number).split(".");
  const apart = /\d{5}/.test(whole) ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole;
  return [apart, ...decimals].join(".");
}

/** Verdict and score, or verdict and reason. */
function outcomeText({ verdict, score, reason }) {
  return verdict === "AC" ? `AC${word("comma")}${word("score")} ${grouped(score)}` : `${verdict}${word("colon")}${translated(reason ?? "")}`;
}

/** All that is known of one case of one run: `details` is a `CaseDetails` of `report/model.rs`. */
function detailsView(details) {
  const texts = (details.texts ?? []).map(({ name, text, left_out }) => [
    element("h4", { class: "mono" }, name, left_out > 0 ? element("span", { class: "faint" }, ` (${word("leftOutBytes", left_out)})`) : null),
    element("pre", {}, text),
  ]);
  return [
    details.session ? turnsTable(details.session) : null,
    pictureView(details.picture),
    details.draw ? element("details", {}, element("summary", {}, word("drawIt")), copyButton(details.draw), element("pre", {}, details.draw)) : null,
    details.missing ? element("p", { class: "faint" }, word(details.session ? "caseChanged" : details.missing)) : null,
    details.input ? inputAndOutput(details.input, details.texts ?? []) : texts.flat(),
    // Where the case has changed, another one would be judged.
    details.rerun && (details.answer || details.missing !== "changed") ? element("p", {}, word("rerun"), " ", copyButton(details.rerun), element("pre", {}, details.rerun)) : null,
  ];
}
