"use strict";
// One case: the session turn by turn, with what was known before and after each turn, and what the turn cost.

const { about, session } = data;

/** More turns than these the server does not study. */
const MOST_TURNS = 200;

/** A guess as the lab reads it, by what the judge has read where that is drawn; null if it was none. */
function plainGuess(turn, i) {
  const rows = session.drawing?.pegs?.rows;
  if (!rows) return turn.guess;
  return rows[i] ? rows[i].map(({ symbol }) => symbol).join(" ") : null;
}

/** Rows up to a turn, as the lab reads them; null if one is no guess with a reply, or they are too many. */
function rowsUpTo(turn) {
  const turns = session.turns.slice(0, turn);
  const rows = turns.map((turn, i) => {
    const guess = plainGuess(turn, i);
    return guess !== null && turn.reply != null ? `${guess}:${turn.reply.replaceAll(" ", ",")}` : null;
  });
  return rows.length > MOST_TURNS || rows.includes(null) ? null : rows;
}

/** What was known before and after the turn that is shown. */
function beside(at) {
  const url = new URL(addressWriter.next ?? "", location.href);
  if (at === session.turns.length) url.searchParams.delete("turn");
  else url.searchParams.set("turn", at);
  addressWriter.write(url.href);
  if (!about.studied) return element("p", { class: "faint" }, word("notStudied", translated(about.notStudied)));
  const panel = element("div", { class: "known", "aria-live": "polite" }, word("thinking"));
  fill(panel, at).catch((error) => panel.replaceChildren(element("p", { class: "bad" }, translated(error.message))));
  return panel;
}

async function fill(panel, at) {
  const turn = session.turns[at - 1];
  const before = at > 0 ? rowsUpTo(at - 1) : null;
  const after = await whatIsLeft(at);
  if (!turn || !before || plainGuess(turn, at - 1) === null) return panel.replaceChildren(...after);
  const show = (was, searching) => panel.replaceChildren(...(impossibleText(was, before) ? [] : whatItCost(at, was, searching)), ...after);
  await analyse(about.problem, before, [plainGuess(turn, at - 1)], {}, show).catch(() => panel.replaceChildren(...after));
}

/** What was known before a turn, and what it was worth. */
function whatItCost(at, was, searching) {
  const played = was.named[0];
  const cost = searching ? element("p", { class: "faint" }, word("searching")) : lostText(was, played);
  return [element("h2", {}, word("beforeTurn", at)), element("p", {}, leftText(was)), worthTable([...was.named, ...was.best], played.guess), cost].filter(Boolean);
}

/** What is known after a number of turns. */
async function whatIsLeft(at) {
  const after = rowsUpTo(at);
  if (!after) return [element("p", { class: "faint" }, word("notStudiedTurn"))];
  if (at === session.turns.length && session.verdict === "AC") return [element("h2", {}, word("found"))];
  const now = await analysisOf(about.problem, after, []);
  const known = () => [element("h2", {}, at === 0 ? word("atStart") : word("afterTurn", at)), element("p", {}, leftText(now)), candidateList(now), heatMap(now.grid)];
  return impossibleText(now, after) ?? known().filter(Boolean);
}

/** What the turn cost beside the best one that is known. */
function lostText(was, played) {
  const exact = was.best.map(({ turns }) => turns).filter((turns) => turns != null);
  if (played.turns != null && exact.length > 0) {
    const lost = played.turns - Math.min(played.turns, ...exact);
    return element("p", { class: lost > 1e-9 ? "bad" : "good" }, lost > 1e-9 ? word("lostTurns", lost.toFixed(4)) : word("lostNothing"));
  }
  if (played.information == null || was.best[0].information == null) return null;
  // Of a guess that may be right, what it tells is not all that it is worth.
  const lost = Math.max(...was.best.map(({ information }) => information ?? 0)) - played.information;
  return element("p", { class: "faint" }, lost > 1e-9 ? word("lostBits", lost.toFixed(4)) : word("mostBits"));
}

function show() {
  place("heading").replaceChildren(`${word("case")} ${about.name}${word("comma")}`, element("a", { href: `/report?runs=${about.run}#case=${about.case}` }, word("oneRun", about.title)), `${word("colon")}${about.problem}`);
  document.title = `${about.name}${word("comma")}${about.title}`;
  const left = element("section", {}, detailsView(about.details));
  if (!session) return place("view").replaceChildren(element("p", {}, outcomeText(about)), left);
  addressWriter.flush();
  const turn = new URL(location.href).searchParams.get("turn");
  const board = element("div", {});
  place("view").replaceChildren(board, left);
  showPlayer(board, session, beside, turn);
}

addEventListener("keydown", (event) => player?.key(event));
begin(show);
