"""`scripts/cluster batch` and `duel`: from options to runs in the history."""

from __future__ import annotations

import argparse
import json
import logging
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Iterator

import plan as planning
from distributed import Client
from drive import Drive, Failed, Job, Progress
from local import Local
from plan import OURS, Cargo, Plan, Shard, refuse
from worker import Task

# Options for the history; the shards do not hold them.
KEPT_AS = ("out", "history", "tag", "comment")
# No source has this many cases: the shard has no case, but its header describes the run.
NONE_OF = 1_000_000_000
# The first measurement, and how long a shard must have taken to be measured by.
FIRST_CASES = 16
MEASURED_MS = 300
# For each thread, so that a slow worker does not hold up the others at the end.
FEWEST_SHARDS = 4
WORKER_SECONDS = 60


def run(root: Path, args: argparse.Namespace) -> int:
    """Judges a batch or holds a duel; the exit status is that of `tester merge`."""
    # Called from the top folder, paths stay short in what is printed.
    tester = (Path() if Path.cwd() == root else root) / "tools" / "tester"
    build(root)
    begun = Plan.read(args.to) if args.resume and args.to else None
    if begun and not args.commands:
        args.what, args.options, args.commands = begun.what, begun.options, begun.commands
        args.ship = args.ship or begun.ship
        for name, value in begun.kept_as.items():
            setattr(args, name, getattr(args, name) or value)
    if not args.commands:
        refuse(f"expected a run that was begun in {args.to}, found no plan.json there; name the program")
    here = [probe(tester, args, command) for command in args.commands]
    if args.commands == [[]]:
        args.commands = [here[0].run["spec"]["command"]]
    keys = [shard.key for shard in here]
    folder: Path = args.to or Path(args.out or "out") / f"shards-{'-'.join(key[:12] for key in keys)}"
    with ExitStack() as stack:
        stack.enter_context(planning.locked(folder))
        begun = Plan.read(folder)
        if begun:
            check_begun(begun, keys, folder)
            if begun.entered:
                print(
                    f"cluster: all of it is judged and entered already ({folder}); --to another folder judges it anew",
                    file=sys.stderr,
                )
                return begun.status
        work = Work(tester, args, here, folder, begun)
        if begun:
            check_shipped(begun, work.cargo, folder)
        missing, kept = begun.missing(folder) if begun else ([], 0)
        if missing or not begun:
            drive = stack.enter_context(connect(args, stack, work.cargo, work.progress))
            try:
                plan = begun or work.cut(drive)
            except Failed as error:
                refuse(str(error))
            work.judge(drive, plan, missing if begun else list(range(1, plan.of + 1)), kept)
        plan = work.plan
        entered = work.entered_before()
        if entered is None:
            status = subprocess.run(work.merge(plan, enter=True)).returncode
        else:
            print(f"cluster: run {entered} is this one, and was entered before we were stopped", file=sys.stderr)
            status = subprocess.run([tester, "show", str(entered), "--history", work.history()]).returncode
        if status not in (0, 1):
            print(f"cluster: the shards are in {folder}; nothing was entered", file=sys.stderr)
            return status
        plan.entered, plan.status = True, status
        plan.write(folder)
        return status


def quiet() -> list[str]:
    """Cargo's options: in a terminal, it shows its progress."""
    return [] if sys.stderr.isatty() else ["--quiet"]


def build(root: Path) -> None:
    command = ["cargo", "build", "--release", *quiet(), "-p", "tester", "--bin", "tester", "-p", "solver"]
    try:
        if subprocess.run(command, cwd=root).returncode:
            refuse("failed to build tools/tester, see above")
    except FileNotFoundError:
        if not (root / "tools" / "tester").exists():
            refuse(
                "expected Rust's cargo, or a tools/tester that is built, found neither; install it: https://rustup.rs"
            )


def probe(tester: Path, args: argparse.Namespace, command: list[str]) -> Shard:
    """What the batch is, by an empty shard of it that is judged here: refuses what `tester batch` would."""
    with tempfile.TemporaryDirectory(prefix="cluster-") as folder:
        to = Path(folder) / "shard.jsonl"
        words = [str(tester), "batch", *args.options, *(word for line in args.build for word in ("--build", line))]
        words += ["--out", f"{folder}/out", "--shard", f"{NONE_OF}/{NONE_OF}", "--to", str(to), "--", *command]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if not to.exists():
            sys.stderr.write(done.stdout.decode(errors="replace"))
            refuse("tester batch cannot judge this, see above")
        return Shard.read(to.read_bytes())


def check_shipped(begun: Plan, cargo: Cargo, folder: Path) -> None:
    """The tester's key knows nothing of files that --ship names, which may decide what a program finds."""
    names = {name for name in begun.shipped.keys() | cargo.sums().keys() if begun.shipped.get(name) != cargo.sums().get(name)}
    if names:
        refuse(
            f"expected what was shipped when {folder} was begun, found another {', '.join(sorted(names))} (or none on one "
            "side): say the same --ship with the same files, or --to another folder"
        )


def check_begun(begun: Plan, keys: list[str], folder: Path) -> None:
    if begun.keys != keys:
        words = " and ".join(map(shlex.join, begun.commands))
        told = " ".join(key[:12] for key in begun.keys), " ".join(key[:12] for key in keys)
        refuse(
            f"expected in {folder} what was begun there ({words}; key {told[0]}), found another run (key {told[1]}); "
            "the program, its arguments, cases or limits have changed: say --to another folder"
        )


def pack(cargo: Cargo, args: argparse.Namespace, run: dict[str, Any]) -> list[str]:
    """Everything but the programs; gives the options as they are on a worker. `run` is what the tester understood,
    from options and tester.toml."""
    options: list[str] = []
    words = iter(args.options)
    config = "tester.toml" if os.path.exists("tester.toml") else None
    for word in words:
        name, equals, value = word.partition("=")
        if name in ("--cases", "--config"):
            value = value if equals else next(words, "")
            config = value if name == "--config" else config
            continue
        config = None if name == "--no-config" else config
        options.append(word)
    if config:
        options += ["--config", cargo.add_here(config)]
    spec = run["spec"]
    files = spec["source"].get("foreign", {"files": spec["source"]})["files"]
    cases = files.get("folder") or files.get("matching")
    if cases:
        options += ["--cases", cargo.add_cases(cases)]
    if spec["external"]:
        cargo.add_named(shlex.split(spec["external"]["line"]))
    for word in args.ship:
        if not os.path.exists(word):
            refuse(f"expected a file or folder to ship at {word}, found none")
        cargo.add_here(word)
    return ["batch", *options, "--no-build", "--jobs", "1"]


def physical_cores() -> int:
    siblings = Path("/sys/devices/system/cpu").glob("cpu[0-9]*/topology/thread_siblings_list")
    return len({path.read_text() for path in siblings}) or os.cpu_count() or 1


class connect:
    """A client of a scheduler that has workers: of the one that was named, or of one of our own."""

    def __init__(self, args: argparse.Namespace, stack: ExitStack, cargo: Cargo, progress: Progress) -> None:
        self.local: Local | None = None
        address = args.scheduler
        if address is None:
            self.local = stack.enter_context(Local(args.workers or physical_cores()))
            address = self.local.address
        if not re.fullmatch(r"(\w+://)?[^/\s]+:\d+", address):
            refuse(f"expected the address of a scheduler, such as tcp://127.0.0.1:8786, found {address!r}")
        # Dask tells at length what we say in a line.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        # Any: Dask has types for a part of it only.
        self.client: Any = Client.__new__(Client)
        try:
            Client.__init__(self.client, address, timeout=20, set_as_default=False)  # type: ignore[no-untyped-call]
        except Exception as error:  # noqa: BLE001  (which, depends on Python's version and the transport)
            self.client.status = "closed"  # else it tries to close itself, for 40 s, when it is forgotten
            refuse(
                f"expected a Dask scheduler at {address}, found none ({error}); "
                "start one: dask scheduler --host 127.0.0.1"
            )
        self.drive = Drive(self.client, cargo.blobs, progress.say)
        self.progress = progress

    def __enter__(self) -> Drive:
        deadline = time.monotonic() + WORKER_SECONDS
        said = False
        while len(self.client.nthreads()) < (self.local.workers if self.local else 1):
            if self.local:
                self.local.check()
            if time.monotonic() > deadline:
                self.__exit__()
                refuse(
                    f"expected a worker within {WORKER_SECONDS} s, found none; "
                    "start one: dask worker ADDRESS --nthreads CORES"
                )
            if not said and time.monotonic() > deadline - WORKER_SECONDS + 10:
                self.progress.say("no worker yet; waiting for one")
                said = True
            time.sleep(0.05)
        mine = sys.version_info[:2]
        versions = self.client.get_versions()
        for name, told in [("the scheduler", versions["scheduler"]), *versions["workers"].items()]:
            theirs = told["host"]["python"]
            if not theirs.startswith(f"{mine[0]}.{mine[1]}."):
                self.__exit__()
                refuse(
                    f"expected Python {mine[0]}.{mine[1]} everywhere, found {theirs} at {name}: what is sent there "
                    "is compiled for one version; start it with another Python, or this script"
                )
        return self.drive

    def __exit__(self, *_: object) -> None:
        self.client.close(timeout=5)


class Work:
    """The shards of a run (of two, for a duel), judged and kept."""

    def __init__(
        self, tester: Path, args: argparse.Namespace, here: list[Shard], folder: Path, begun: Plan | None
    ) -> None:
        self.tester = tester
        self.args = args
        self.here = here
        self.folder = folder
        self.progress = Progress("cluster")
        self.cargo = Cargo(tester.resolve())
        self.options = pack(self.cargo, args, here[0].run)
        self.commands = [self.cargo.add_program(command) for command in args.commands]
        self.plan = begun or self.planned(0)

    def planned(self, of: int) -> Plan:
        keys, cases = [shard.key for shard in self.here], self.here[0].planned
        alpha = getattr(self.args, "alpha", None)
        kept = {name: getattr(self.args, name) for name in KEPT_AS if getattr(self.args, name) is not None}
        largest = getattr(self.args, "max_difference", None)
        more = {"max_difference": largest, "ship": self.args.ship, "shipped": self.cargo.sums(), "kept_as": kept}
        return Plan(planning.FORMAT, self.args.what, keys, cases, of, self.args.options, self.args.commands, alpha, **more)

    def job(self, drive: Drive, index: int, of: int, measure: bool = False) -> Job:
        runs = []
        for side, command in enumerate(self.commands):
            result = f"{OURS}/{side}.jsonl"
            shard = ["--out", f"{OURS}/out", "--shard", f"{index}/{of}", "--to", result]
            runs.append((result, [*self.options, *shard, "--", *command]))
        task: Task = {
            "items": self.cargo.items,
            # Of a duel's, either is first as often as the other.
            "runs": runs if index % 2 else runs[::-1],
            "topic": drive.topic,
            "name": f"the measurement of {index}/{of}" if measure else f"shard {index} of {of}",
        }
        return Job(index, task)

    def read(self, plan: Plan, index: int, texts: dict[str, bytes]) -> list[Shard]:
        """What a task has brought; ValueError if that is not what was asked for."""
        shards = []
        for side, here in enumerate(self.here):
            shards.append(Shard.read(texts[f"{OURS}/{side}.jsonl"]))
            plan.check(shards[-1], index, side, here.run)
        return shards

    def cut(self, drive: Drive) -> Plan:
        """The plan, from a small shard that is measured first."""
        cases = self.here[0].planned
        took: list[tuple[float, int]] = []

        def done(job: Job, texts: dict[str, bytes]) -> None:
            shards = self.read(self.planned(of), job.number, texts)
            took.append((sum(shard.took_ms for shard in shards), len(shards[0].verdicts)))

        threads = sum(drive.client.nthreads().values())
        size = FIRST_CASES
        while cases:
            of = max(1, cases // size)
            drive.run(iter([self.job(drive, (of + 1) // 2, of, measure=True)]), done)
            if took[-1][0] >= MEASURED_MS or size * FEWEST_SHARDS * threads >= cases:
                break
            size = min(8 * size, max(1, cases // (FEWEST_SHARDS * threads)))
        each = took[-1][0] / max(took[-1][1], 1) if took else 0.0
        drive.seconds.clear()
        wanted = math.ceil(cases * each / (1000 * self.args.shard_seconds))
        self.plan = self.planned(max(1, min(cases, max(wanted, FEWEST_SHARDS * threads))))
        self.plan.write(self.folder)
        self.progress.say(
            f"{cases} cases in {self.plan.of} shards of about {cases * each / self.plan.of / 1000:.1f} s, "
            f"for {threads} threads; kept in {self.folder}"
        )
        return self.plan

    def judge(self, drive: Drive, plan: Plan, missing: list[int], kept: int) -> None:
        """Judges these shards, and keeps each as it comes; of a duel, until it is decided."""
        begun = time.monotonic()
        shards, judged, failed = plan.of - len(missing), 0, 0
        duel = Duel(self, plan, missing) if plan.what == "duel" else None
        if shards:
            self.progress.say(f"{shards} of {plan.of} shards are there, {len(missing)} are missing")

        def done(job: Job, texts: dict[str, bytes]) -> None:
            nonlocal shards, judged, failed
            found = self.read(plan, job.number, texts)
            for side in range(len(found)):
                planning.keep(plan.path(self.folder, job.number, side), texts[f"{OURS}/{side}.jsonl"])
            shards += 1
            judged += len(found[0].verdicts)
            failed += sum(verdict != "AC" for shard in found for verdict in shard.verdicts)
            if duel:
                duel.missing.discard(job.number)
            self.progress.show(told())

        def told() -> str:
            passed = time.monotonic() - begun
            text = f"{shards}/{plan.of} shards, {kept + judged}/{plan.cases} cases"
            if judged:
                rate = judged / passed
                text += f", {rate:.0f} cases/s, {(plan.cases - kept - judged) / rate:.0f} s left"
            text += f", {sum(drive.threads.values())} threads"
            text += f", {failed} not AC" if failed else ""
            return text + (f", {drive.retries} shards again" if drive.retries else "")

        def tick() -> bool:
            self.progress.show(told())
            return duel is None or not duel.over()

        def jobs() -> Iterator[Job]:
            return (self.job(drive, index, plan.of) for index in missing)

        try:
            drive.run(jobs(), done, tick)
        except (Failed, KeyboardInterrupt, OSError) as error:
            why = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error)
            self.progress.say(
                f"{why}\n{shards} of {plan.of} shards ({kept + judged} of {plan.cases} cases) are kept in "
                f"{self.folder}; go on: {self.again()}"
            )
            raise SystemExit(130 if isinstance(error, KeyboardInterrupt) else 2) from None
        passed = time.monotonic() - begun
        self.progress.say(f"judged {judged} cases in {passed:.3f} s, {judged / passed:.0f} a second")

    def again(self) -> str:
        """How to go on, on the same cluster."""
        words = ["scripts/cluster", self.plan.what, "--resume", "--to", str(self.folder)]
        for name in ("scheduler", "workers"):
            value = getattr(self.args, name)
            words += [f"--{name}", str(value)] if value is not None else []
        return shlex.join(words)

    def history(self) -> Path:
        return Path(self.args.history or "out/history.sqlite")

    def entered_before(self) -> int | None:
        """The run that these shards have become, if we were stopped between entering it and writing that down."""
        if self.plan.what != "batch" or not self.history().exists():
            return None
        headers = [path.open("rb").readline() for path in self.plan.side(self.folder, 0).glob("shard-*.jsonl")]
        begun = min(json.loads(header)["shard"]["begun_ms"] for header in headers)
        fingerprint = self.here[0].run["provenance"]["fingerprint"]
        return planning.entered_run(self.history(), begun, fingerprint, self.plan.cases)

    def merge(self, plan: Plan, enter: bool) -> list[Any]:
        """The command that enters what is kept into the history, or else only says how a duel stands."""
        words: list[Any] = [self.tester, "merge"]
        for side in range(len(plan.keys)):
            words += [*(["--against"] if side else []), plan.side(self.folder, side)]
        words += ["--alpha", plan.alpha] if plan.alpha is not None else []
        words += ["--max-difference", plan.max_difference] if plan.max_difference is not None else []
        for name in KEPT_AS if enter else ():
            value = getattr(self.args, name)
            words += [f"--{name}", value] if value is not None else []
        words += [] if enter else ["--dry-run", "--json"]
        return [*words, "--", *(plan.commands[0] if plan.what == "batch" else map(shlex.join, plan.commands))]


class Duel:
    """Whether it is decided, by the shards from the first on."""

    def __init__(self, work: Work, plan: Plan, missing: list[int]) -> None:
        self.work = work
        self.plan = plan
        self.missing = set(missing)
        self.looked = 0

    def over(self) -> bool:
        ready = min(self.missing, default=self.plan.of + 1) - 1
        if ready == self.looked:
            return False
        self.looked = ready
        words = self.work.merge(self.plan, enter=False)
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode == 2:
            raise Failed(f"tester merge cannot compare the shards: {done.stderr.decode(errors='replace').strip()}")
        return bool(json.loads(done.stdout)["outcome"] != "undecided")
