"use strict";
// The cases of a report: a row each, how two runs compare on it, and whether the filters let it pass.

/** How many decimals scores have. */
let scoreDecimals = 0;

/** A score, or how far two are apart, with all decimals. */
function scoreText(x) {
  return scoreDecimals > 0 ? x.toFixed(scoreDecimals) : String(x);
}

/** A row for each case: `runs[i]` is what became of it in run `i`, or null if that run does not have it. */
function rowsOf(report) {
  const seen = new Map();
  return report.cases.id.map((id, place) => {
    // The same number twice: other content in another run.
    const times = (seen.get(id) ?? 0) + 1;
    seen.set(id, times);
    const name = String(id).padStart(4, "0") + (times > 1 ? ` (${times})` : "");
    return { place, id: Number(id), name, key: times > 1 ? `${id}-${times}` : String(id), seed: report.cases.seed[place], group: report.cases.group[place] ?? null, parameters: report.cases.parameters.map((values) => values[place]), runs: report.runs.map(({ results }) => resultOf(results, place)) };
  });
}

function resultOf(results, place) {
  const verdict = results.verdict[place];
  if (verdict == null) return null;
  const score = results.score[place];
  return {
    verdict,
    // A number for pictures and sorting; every digit of it in `shown`.
    score: score == null ? null : Number(score),
    shown: score == null ? verdict : String(score),
    relative: results.relative[place] ?? null,
    ms: results.ms[place],
    mib: results.mib[place],
    reason: results.reason[place] ?? "",
    kind: results.kind[place] ?? null,
    stderr: results.stderr[place] ?? "",
    index: results.index[place],
  };
}

/** What another run's score is more than the first's; null unless both have one. Exact, however large they are. */
function differenceOf(row, other) {
  const [a, b] = [row.runs[0], row.runs[other]];
  if (a?.score == null || b?.score == null) return null;
  const units = ({ shown }) => BigInt(shown.replace(".", ""));
  return Number(units(b) - units(a)) / 10 ** scoreDecimals;
}

const OUTCOMES = ["better", "same", "worse", "onlyA", "onlyB", "bothFailed"];

/** How another run did on a case beside the first, one of `OUTCOMES`; null unless both have the case. */
function outcomeOf(row, other, objective) {
  const [a, b] = [row.runs[0], row.runs[other]];
  if (!a || !b) return null;
  if (a.score == null || b.score == null) {
    if (a.score == null && b.score == null) return "bothFailed";
    return a.score == null ? "onlyA" : "onlyB";
  }
  const difference = differenceOf(row, other);
  if (difference === 0) return "same";
  return difference > 0 === (objective === "max") ? "better" : "worse";
}

/** Whether a row is what `view` asks for. */
function passes(row, view, objective) {
  const { text, verdict, from, to, of, kind, outcome, pair, difference, group, ranges, relative, against } = view;
  const filtered = of === null ? row.runs : [row.runs[of]];
  const runs = filtered.filter(Boolean);
  if (verdict && !runs.some((run) => run.verdict === verdict)) return false;
  if (kind !== null && !runs.some((run) => run.kind === kind)) return false;
  if (from !== null || to !== null) {
    const within = (run) => run.score != null && run.score >= (from ?? -Infinity) && run.score <= (to ?? Infinity);
    if (!runs.some(within)) return false;
  }
  if (relative && !runs.some((run) => run.relative != null && run.relative >= relative[0] && run.relative <= relative[1])) return false;
  for (const [p, [low, high]] of Object.entries(ranges)) {
    const value = row.parameters[p];
    if (value == null || value < (low ?? -Infinity) || value > (high ?? Infinity)) return false;
  }
  if (of !== null && runs.length === 0) return false;
  if (group !== null && row.group !== group) return false;
  if (text && !searchedText(row).includes(text.toLowerCase())) return false;
  if (outcome && outcomeOf(row, against, objective) !== outcome) return false;
  if (pair && (row.runs[0]?.score !== pair[0] || row.runs[against]?.score !== pair[1])) return false;
  if (difference) {
    const apart = differenceOf(row, against);
    if (apart === null || apart < difference[0] || apart > difference[1]) return false;
  }
  return true;
}

/** All that the search looks through. */
function searchedText(row) {
  const texts = row.runs.flatMap((run) => (run ? [run.reason, translated(run.reason), run.stderr] : []));
  return [row.name, row.seed ?? "", ...texts].join("\n").toLowerCase();
}
