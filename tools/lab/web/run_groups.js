"use strict";
// Runs that differ in numbers of their command only, such as `--beam 20` and `--beam 40`: one picture for each such command.

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A word as what stays and, where it is a number or ends in `=` and a number, the number. */
function splitWord(word) {
  const at = word.startsWith("-") && !NUMBER.test(word) ? word.indexOf("=") + 1 : 0;
  const number = word.slice(at);
  return NUMBER.test(number) && (at > 0 || !word.includes("=")) ? { stays: word.slice(0, at), number } : { stays: word, number: null };
}

/**
 * Groups of runs: commands that differ only in numbers, on the same cases, with the same judge and measure. Each group has the
 * numbers that vary, by name and by their value in each run.
 */
function groupsOf(runs) {
  const groups = new Map();
  for (const run of runs) {
    const parts = run.command.split(" ").map(splitWord);
    const key = JSON.stringify([run.problem, run.cases, run.max, run.measure, run.duel, parts.map(({ stays, number }) => [stays, number !== null])]);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push({ run, parts });
  }
  return [...groups.values()].map((members) => {
    const varies = members[0].parts.map((_, i) => i).filter((i) => new Set(members.map(({ parts }) => parts[i].number)).size > 1);
    const before = (i) => members[0].parts[i - 1]?.stays ?? "";
    // Named by the option before it, or within it; else by its place.
    const name = (i) => (members[0].parts[i].stays || (before(i).startsWith("-") ? before(i) : `#${i}`)).replace(/^-+|=$/g, "");
    const command = members[0].parts.map(({ stays, number }, i) => (varies.includes(i) ? `${stays}{${name(i)}}` : stays + (number ?? ""))).join(" ");
    return { runs: members.map(({ run }) => run), numbers: varies.map((i) => ({ name: name(i), of: members.map(({ parts }) => Number(parts[i].number)) })), command };
  });
}

/** Round steps over a range: about five of them. */
function ticksOf(low, high) {
  const step = roundUp((high - low) / 4 || 1);
  const ticks = [];
  for (let i = Math.ceil(low / step); i * step <= high + step * 1e-9; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

const [WIDE, HIGH, LEFT, BELOW] = [480, 220, 56, 40];

/** What the mean of a run is of; nothing if that is the score. */
function meanName(run) {
  return run.measure === "score" ? null : word(`mean-${run.measure}`);
}

/** Means over the values of a number, each with its interval; a point leads to its run. */
function meansPicture(number, runs) {
  const points = runs.map((run, i) => ({ run, x: number.of[i], y: run.mean, half: run.half ?? 0 })).filter(({ y }) => y != null);
  if (points.length === 0) return null;
  const range = (values) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const room = (high - low || Math.abs(high) || 1) * 0.06;
    return [low - room, high + room];
  };
  const [x0, x1] = range(points.map(({ x }) => x));
  const [y0, y1] = range(points.flatMap(({ y, half }) => [y - half, y + half]));
  const x = (value) => LEFT + ((value - x0) / (x1 - x0)) * (WIDE - LEFT - 8);
  const y = (value) => HIGH - BELOW - ((value - y0) / (y1 - y0)) * (HIGH - BELOW - 8);
  const line = (ax, ay, bx, by, cls) => svgElement("line", { x1: ax, y1: ay, x2: bx, y2: by, class: cls });
  const label = (text, at) => svgElement("text", at, text);
  const across = ticksOf(x0, x1).map((tick) => [line(x(tick), 8, x(tick), HIGH - BELOW, "grid"), label(String(tick), { x: x(tick), y: HIGH - BELOW + 16, "text-anchor": "middle" })]);
  const up = ticksOf(y0, y1).map((tick) => [line(LEFT, y(tick), WIDE - 8, y(tick), "grid"), label(String(tick), { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" })]);
  const point = ({ run, x: at, y: mean, half }) => {
    const value = `${mean.toFixed(run.digits)}${half > 0 ? ` ± ${half.toFixed(run.digits)}` : ""}`;
    return svgElement(
      "a",
      { href: `/report?runs=${run.id}`, "aria-label": `${word("run")} ${run.id}${word("colon")}${number.name} ${at}${word("comma")}${word("mean")} ${value}` },
      svgElement("title", {}, `${run.id}${run.tag ? ` (${run.tag})` : ""}: ${number.name} ${at}${word("comma")}${value}`),
      line(x(at), y(mean - half), x(at), y(mean + half), "bar"),
      svgElement("circle", { cx: x(at), cy: y(mean), r: 5, class: run.judged === run.accepted ? "dot" : "dot failed" }),
    );
  };
  const caption = word("meanBy", number.name, meanName(runs[0]));
  return element("figure", {}, element("figcaption", {}, caption), svgElement("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "means", role: "group", "aria-label": caption }, across.flat(), up.flat(), label(number.name, { x: (LEFT + WIDE) / 2, y: HIGH - 4, "text-anchor": "middle" }), points.map(point)));
}

/** One group: its command, a picture for each number that varies, and its runs with their numbers in front. */
function groupView(group, table) {
  const ids = group.runs.map(({ id }) => id).sort((a, b) => a - b);
  const compare = group.runs.length > 1 && group.runs.length <= 8 ? element("a", { href: `/report?runs=${ids.join(",")}` }, word("compareGroup")) : null;
  return element(
    "section",
    { class: "group" },
    element("h2", {}, group.runs[0].problem, " ", element("span", { class: "mono" }, group.command)),
    element("p", { class: "faint" }, word("groupOf", group.runs.length, group.runs[0].cases), compare && [" – ", compare]),
    element("div", { class: "charts" }, group.numbers.map((number) => meansPicture(number, group.runs))),
    table(group),
  );
}
