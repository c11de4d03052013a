"""The trials of `tester tune`: Optuna proposes values, a batch of the tester judges each of them.

Read from standard input: what to try, as JSON (`Plan` in tune.rs, which has checked it). Trials whose cases are worse
than the same cases of the best one (Wilcoxon's test on the pairs, as they come in) are stopped. Values that were
judged to the end are not judged again.
"""

import signal

# Optuna takes a second to be imported: Ctrl-C ends that at once, without a traceback, as it ends other commands.
IS_INTERRUPTED = signal.getsignal(signal.SIGINT) is signal.default_int_handler
if IS_INTERRUPTED:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import json
import math
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import time
import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any, Iterator, NamedTuple, NoReturn, Optional

import optuna
import scipy  # noqa: F401  (the pruner imports it late)

# Fewer pairs are not looked at: chance would stop too many trials.
FEWEST_PAIRS = 30
POLL_SECONDS = 0.03
# If that many proposals in a row were judged before, the search is over.
MOST_REPEATED = 10

PLAN: dict[str, Any] = {}
# Those that have ended this program.
SIGNALS: list[int] = []
# The batches of all trials, also those that have ended.
BATCHES: "list[Running]" = []


def refuse(why: str) -> NoReturn:
    """Ends with a message and the exit status of a command that could not be done."""
    print(f"{Path(PLAN['called']).name}: {why}", file=sys.stderr)
    raise SystemExit(2)


def suggest(trial: Any, number: dict[str, Any]) -> Any:
    """The next value to try."""
    name, low, high = number["name"], number["low"], number["high"]
    if number["scale"] == "int":
        return int(trial.suggest_int(name, int(low), int(high)))
    return float(trial.suggest_float(name, low, high, log=number["scale"] == "log"))


def show(name: str, value: Any) -> str:
    """A value as it is passed on: with six digits, or with more where six are out of its range."""
    if not isinstance(value, float):
        return str(value)
    number = next(number for number in PLAN["numbers"] if number["name"] == name)
    # With 17 digits, it is the value itself.
    texts = (f"{value:.{digits}g}" for digits in range(6, 18))
    return next(text for text in texts if number["low"] <= float(text) <= number["high"])


def named(values: dict[str, Any]) -> str:
    return " ".join(f"{name}={show(name, value)}" for name, value in values.items())


def steps(numbers: int, distance: int) -> Iterator[tuple[int, ...]]:
    """Every way to move that many numbers by `distance` in all."""
    if numbers == 1:
        yield from [(-distance,), (distance,)]
        return
    for step in range(-distance, distance + 1):
        for rest in steps(numbers - 1, distance - abs(step)):
            yield (step, *rest)


def fill(values: dict[str, Any]) -> list[str]:
    """The command with these values."""

    def value_of(match: Any) -> str:
        name = match[1].split(":")[0]
        return show(name, values[name])

    return [re.sub(r"\{([^{}]*)\}", value_of, word) for word in PLAN["words"]]


class Running:
    """A batch that is being judged, and its result as it comes."""

    def __init__(self, tag: str, command: list[str]) -> None:
        out, self.history = Path(PLAN["out"]), Path(PLAN["history"])
        self.tag = tag
        self.run: Any = None
        self.planned = 0
        self.seen: set[int] = set()
        self.scores: dict[int, Decimal] = {}
        self.failed: Any = None
        self.shards: Any = None
        cluster = PLAN["cluster"]
        if cluster:
            self.shards = out / tag
            self.read: set[Path] = set()
            words = [cluster["script"], "batch", "--scheduler", cluster["scheduler"], "--to", str(self.shards)]
            # Of what is judged at the same time nothing is known yet, so that shards should be short.
            words += ["--shard-seconds", "1", *(word for file in cluster["ship"] for word in ("--ship", file))]
        else:
            words = [PLAN["tester"], "batch", "--shuffle", "--no-build", "--vis-worst", "0"]
        words += ["--out", str(out), "--history", str(self.history), "--tag", tag, *PLAN["batch"], "--", *command]
        # What it prints is of interest only if it cannot be done.
        self.log = out / (f"{tag}.log" if cluster else "tune.log")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        BATCHES.append(self)

    def look(self) -> dict[int, Decimal]:
        """Scores that have come since the last look, by case."""
        new = self.new_in_shards() if self.shards else self.new_in_history()
        self.seen.update(new)
        for case, (verdict, _) in new.items():
            if verdict != "AC" and self.failed is None:
                self.failed = (case, verdict)
        # Histories and shards hold units of the last decimal.
        came = {
            case: Decimal(units).scaleb(-PLAN["decimals"]) for case, (verdict, units) in new.items() if verdict == "AC"
        }
        self.scores.update(came)
        return came

    def new_in_shards(self) -> dict[int, Any]:
        new: dict[int, Any] = {}
        for path in set(self.shards.glob("shard-*.jsonl")) - self.read:
            self.read.add(path)
            for line in map(json.loads, path.read_text().splitlines()):
                if "shard" in line:
                    self.planned = line["shard"]["run"]["planned"]
                elif "record" in line:
                    record = line["record"]
                    new[int(record["case"])] = (record["verdict"], record["score"])
        return new

    def new_in_history(self) -> dict[int, Any]:
        if not self.history.exists():
            return {}
        with sqlite3.connect(f"{self.history.absolute().as_uri()}?mode=ro", uri=True, timeout=10) as db:
            if self.run is None:
                # The batch that makes the history may not have come to its tables.
                if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'record'").fetchone() is None:
                    return {}
                row = db.execute("SELECT id, planned FROM run WHERE tag = ?", [self.tag]).fetchone()
                if row is None:
                    return {}
                self.run, self.planned = row
            rows = db.execute("SELECT case_id, verdict, score FROM record WHERE run = ?", [self.run]).fetchall()
        return {case: (verdict, score) for case, verdict, score in rows if case not in self.seen}

    def terminate(self) -> None:
        """Lets the batch end, which keeps what it has."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)

    def stop(self) -> None:
        """Ends the batch."""
        self.terminate()
        # Not `wait`: a signal may have interrupted `poll` while it had the lock that `wait` needs, or had just waited.
        if self.process.returncode is None:
            try:
                os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT)
            except ChildProcessError:
                return
            self.process.poll()

    def check(self) -> None:
        """If the batch could not be done, neither can the tuning."""
        if SIGNALS:
            raise optuna.TrialPruned
        if self.process.returncode not in (0, 1):
            sys.stderr.write(self.log.read_text(errors="replace"))
            refuse("the batch of a trial failed, see above")


def logarithm(score: Decimal) -> float:
    if score <= 0:
        refuse(f"expected scores above 0, which have a logarithm, found {score}")
    return math.log(score)


def mean_of(scores: list[Decimal]) -> Decimal:
    """The geometric mean if logarithms count; 0 of no scores."""
    if PLAN["log"] and scores:
        # Exact, whatever the order in which the cases were done: equal trials have equal means.
        return Decimal(math.exp(math.fsum(map(logarithm, scores)) / len(scores)))
    return sum(scores, Decimal(0)) / max(len(scores), 1)


def mean_text(mean: float) -> str:
    """As tables print it: no more decimals than it deserves."""
    size = abs(mean)
    return grouped(Decimal(mean), 4 if size < 1000 else 2 if size < 1_000_000 else 0)


def grouped(number: Decimal, places: int) -> str:
    """Thousands apart from five digits on, as tables print it."""
    return f"{number:.{places}f}" if abs(number) < 10_000 else f"{number:,.{places}f}"


class Known(NamedTuple):
    """A trial that was judged to the end."""

    number: int
    mean: float
    reported: dict[int, float]
    user_attrs: dict[str, str]


class Tuning:
    """All trials."""

    def __init__(self) -> None:
        # Trials are found by their tags: two tunings may begin in one second.
        self.name = time.strftime(f"tune-%Y%m%d-%H%M%S-{os.getpid()}")
        self.judged = self.planned = 0
        numbers = PLAN["numbers"]
        is_finite = all(number["scale"] == "int" for number in numbers)
        widths = [int(number["high"] - number["low"]) for number in numbers]
        # How far apart whole numbers can be, and how many values there are.
        self.widest = sum(widths) if is_finite else 0
        self.size = math.prod(width + 1 for width in widths) if is_finite else math.inf
        # By their commands, which are equal where numbers differ in digits that are not passed on: what was judged to
        # the end, what was begun at all, and what comes next whatever Optuna proposes.
        self.known: dict[tuple[str, ...], Known] = {}
        self.begun: list[tuple[str, ...]] = []
        self.queued: set[tuple[str, ...]] = set()
        self.repeated = self.repeated_in_row = 0
        # Why there are fewer trials.
        self.over = ""
        sampler = optuna.samplers.TPESampler(
            seed=PLAN["sampler_seed"],
            multivariate=len(PLAN["numbers"]) > 1,
            # The liar keeps trials that run at the same time apart.
            constant_liar=bool(PLAN["cluster"]),
        )
        pruner = (
            optuna.pruners.WilcoxonPruner(p_threshold=0.1, n_startup_steps=FEWEST_PAIRS)
            if PLAN["pruning"]
            else optuna.pruners.NopPruner()
        )
        direction = "maximize" if PLAN["maximize"] else "minimize"
        self.study = optuna.create_study(direction=direction, sampler=sampler, pruner=pruner)
        if PLAN["starts"]:
            self.study.enqueue_trial(PLAN["starts"])

    def trial(self, trial: Any) -> float:
        """Judges a command; its mean."""
        if SIGNALS:
            raise optuna.TrialPruned
        values = {number["name"]: suggest(trial, number) for number in PLAN["numbers"]}
        command = tuple(fill(values))
        told = f"trial {trial.number:>3}  {named(values)}"
        if command in self.known:
            return self.repeat(trial, values, self.known[command], told)
        self.begin(command)
        tag = f"{self.name}-{trial.number}"
        trial.set_user_attr("tag", tag)
        batch = Running(tag, list(command))
        reported: dict[int, float] = {}
        try:
            while True:
                ended = batch.process.poll() is not None
                came = batch.look()
                for case, score in came.items():
                    reported[case] = logarithm(score) if PLAN["log"] else float(score)
                    trial.report(reported[case], step=case)
                mean = mean_of(list(batch.scores.values()))
                if batch.failed:
                    print(f"{told}  case {batch.failed[0]:04} is {batch.failed[1]}: left", flush=True)
                    raise optuna.TrialPruned
                if ended:
                    break
                is_whole = len(batch.seen) >= batch.planned
                if came and not is_whole and trial.should_prune():
                    left = f"left after {len(batch.seen)} of {batch.planned} cases"
                    print(f"{told}  mean {mean_text(float(mean))}  {left}", flush=True)
                    raise optuna.TrialPruned
                time.sleep(POLL_SECONDS)
            batch.check()
        finally:
            batch.stop()
            self.judged += len(batch.seen)
            self.planned += batch.planned
        if not batch.scores:
            refuse("the batch of a trial has judged no case")
        total = f"{sum(batch.scores.values()):f}"
        trial.set_user_attr("total", total)
        self.known[command] = Known(trial.number, float(mean), reported, {"tag": tag, "total": total})
        print(f"{told}  mean {mean_text(float(mean))}", flush=True)
        return float(mean)

    def begin(self, command: tuple[str, ...]) -> None:
        """Counts a trial that is judged. After the last values of all, none follows."""
        self.repeated_in_row = 0
        self.begun.append(command)
        if len(set(self.begun)) >= self.size:
            self.stop("all values were tried")

    def stop(self, why: str) -> None:
        self.over = why
        self.study.stop()

    def repeat(self, trial: Any, values: dict[str, Any], known: Known, told: str) -> float:
        """Takes the known mean of values that were judged to the end, and lets others be tried."""
        # The pruner and the summary may take this trial for the other.
        for case, score in known.reported.items():
            trial.report(score, step=case)
        for name, value in known.user_attrs.items():
            trial.set_user_attr(name, value)
        print(f"{told}  mean {mean_text(known.mean)}  judged before, as trial {known.number}", flush=True)
        self.repeated += 1
        self.repeated_in_row += 1
        other = self.nearest(values)
        if other is not None:
            self.queued.add(tuple(fill(other)))
            self.study.enqueue_trial(other)
        elif self.repeated_in_row >= MOST_REPEATED:
            self.stop("no others were proposed")
        return known.mean

    def nearest(self, values: dict[str, Any]) -> Optional[dict[str, Any]]:
        """The values nearest to these that were not tried, where all numbers are whole."""
        taken = self.queued.union(self.begun)
        if len(taken) >= self.size:
            return None
        numbers = PLAN["numbers"]
        for distance in range(1, self.widest + 1):
            for way in steps(len(numbers), distance):
                moved = {number["name"]: values[number["name"]] + step for number, step in zip(numbers, way)}
                is_within = all(number["low"] <= moved[number["name"]] <= number["high"] for number in numbers)
                if is_within and tuple(fill(moved)) not in taken:
                    return moved
        return None

    def run(self) -> None:
        """As many trials as were asked for. Those that are not judged do not count."""
        cluster = PLAN["cluster"]
        jobs = cluster["parallel"] if cluster else 1
        while not (SIGNALS or self.over) and len(self.begun) < PLAN["trials"]:
            self.study.optimize(self.trial, n_trials=PLAN["trials"] - len(self.begun), n_jobs=jobs)

    def report(self, interrupted: bool) -> None:
        done = [trial for trial in self.study.trials if trial.state == optuna.trial.TrialState.COMPLETE]
        if not done:
            none = "no trial came to its end"
            print(none, file=sys.stderr) if interrupted else refuse(none)
            return
        best, first = self.study.best_trial, done[0]
        total = Decimal(best.user_attrs["total"])
        total = grouped(total, max(0, -int(total.as_tuple().exponent)))
        print(f"best       {named(best.params)}  mean {mean_text(best.value)}  total {total}")
        repeated = f", {self.repeated} judged before" if self.repeated else ""
        over = f"; {self.over}" if self.over else ""
        print(f"trials     {len(self.study.trials)}: {len(self.known)} judged to the end{repeated}{over}")
        saved = self.planned - self.judged
        percent = 100 * saved / max(self.planned, 1)
        print(f"cases      {self.judged} judged of {self.planned}; pruning saved {saved} ({percent:.0f} %)")
        print(f"command    {shlex.join(fill(best.params))}")
        if first.user_attrs["tag"] == best.user_attrs["tag"]:
            return
        history, by = shlex.quote(PLAN["history"]), " --by log" if PLAN["log"] else ""
        tags = f"{first.user_attrs['tag']} {best.user_attrs['tag']}"
        print(f"compare    {PLAN['called']} compare {tags}{by} --history {history}")
        if PLAN["held_out"]:
            both = " ".join(shlex.quote(shlex.join(fill(trial.params))) for trial in (first, best))
            print(f"held out   {PLAN['called']} duel --held-out {both}")


def interrupt(number: int, _frame: Any) -> None:
    """As Ctrl-C does; the exit status tells which signal it was."""
    SIGNALS.append(number)
    for other in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(other, signal.SIG_IGN)
    # Those of other threads are not interrupted by what is raised here.
    for batch in BATCHES:
        batch.terminate()
    raise KeyboardInterrupt


def main() -> None:
    PLAN.update(json.load(sys.stdin))
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup has it
            signal.signal(number, interrupt)
    if not hasattr(optuna.pruners, "WilcoxonPruner"):
        refuse(f"tune needs Optuna 3.6 or later, found {optuna.__version__}")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)  # the pruner, since 2024
    tuning = Tuning()
    interrupted = False
    if IS_INTERRUPTED:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        tuning.run()
    except KeyboardInterrupt:
        interrupted = True
        print("interrupted", file=sys.stderr)
    tuning.report(interrupted)
    if interrupted:
        raise SystemExit(128 + (SIGNALS or [signal.SIGINT])[0])


if __name__ == "__main__":
    main()
