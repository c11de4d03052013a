"""`scripts/cluster batch`: from options to a run in the history."""

from __future__ import annotations

import argparse
import logging
import math
import os
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
from local import Local, NotStarted
from plan import OURS, Cargo, Plan, Shard, refuse
from worker import Task

# No source has so many cases: this shard has none, but says what all of them are of.
NONE_OF = 1_000_000_000
# The first measurement, and how long a shard must have taken to be measured by.
FIRST_CASES = 16
MEASURED_MS = 300
# For each thread, so that a slow worker does not hold up the others at the end.
FEWEST_SHARDS = 4
WORKER_SECONDS = 60


def run(root: Path, args: argparse.Namespace) -> int:
    """Judges a batch; the exit status is that of `tester merge`."""
    tester = root / "tools" / "tester"
    build(root)
    begun = Plan.read(args.to) if args.resume and args.to else None
    if begun and not args.command:
        args.options, args.command = begun.options, begun.command
    if not args.command:
        refuse(f"expected a batch that was begun in {args.to}, found no plan.json there; name the program behind --")
    here = probe(tester, args)
    folder: Path = args.to or Path(args.out or "out") / f"shards-{here.key[:12]}"
    with ExitStack() as stack:
        stack.enter_context(planning.locked(folder))
        begun = Plan.read(folder)
        if begun:
            check_begun(begun, here, folder, args.resume)
            if begun.entered:
                print(f"cluster: all of it is judged and entered already ({folder})", file=sys.stderr)
                return 0
        cargo, words = pack(tester, args)
        progress = Progress("cluster")
        missing, kept = begun.missing(folder) if begun else ([0], 0)
        if missing:
            address = args.scheduler or stack.enter_context(local(args.workers)).address
            drive = stack.enter_context(connect(address, cargo, progress))
            work = Work(drive, progress, cargo, words, here, folder)
            try:
                work.plan = begun or work.cut(args)
            except Failed as error:
                refuse(str(error))
            if not begun:
                missing = list(range(1, work.plan.of + 1))
            work.judge(missing, kept)
            begun = work.plan
        assert begun
        status = merge(tester, args, begun, folder)
        if status in (0, 1):
            begun.entered = True
            begun.write(folder)
        return status


def build(root: Path) -> None:
    command = ["cargo", "build", "--release", "--quiet", "-p", "tools", "--bin", "tester", "-p", "solver"]
    try:
        if subprocess.run(command, cwd=root).returncode:
            refuse("failed to build tools/tester, see above")
    except FileNotFoundError:
        if not (root / "tools" / "tester").exists():
            refuse("expected Rust's cargo, or a tools/tester that is built, found neither; install it from https://rustup.rs")


def probe(tester: Path, args: argparse.Namespace) -> Shard:
    """What the batch is, by an empty shard of it that is judged here: refuses what `tester batch` would."""
    with tempfile.TemporaryDirectory(prefix="cluster-") as folder:
        to = Path(folder) / "shard.jsonl"
        words = [str(tester), "batch", *args.options, *(word for line in args.build for word in ("--build", line))]
        words += ["--out", f"{folder}/out", "--shard", f"{NONE_OF}/{NONE_OF}", "--to", str(to), "--", *args.command]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if not to.exists():
            sys.stderr.write(done.stdout.decode(errors="replace"))
            refuse("tester batch cannot judge this, see above")
        return Shard.read(to.read_bytes())


def check_begun(begun: Plan, here: Shard, folder: Path, resume: bool) -> None:
    if begun.key != here.key:
        refuse(
            f"expected in {folder} the batch that was begun there (key {begun.key[:12]}: {' '.join(begun.command)}), found "
            f"another (key {here.key[:12]}); the program, its arguments, cases or limits have changed: say --to another folder"
        )
    if not resume:
        refuse(f"this very batch was begun in {folder}: --resume goes on with it, --to DIR judges it anew")


def pack(tester: Path, args: argparse.Namespace) -> tuple[Cargo, list[str]]:
    """What is shipped, and the tester's words on a worker but for the shard."""
    cargo = Cargo(tester.resolve())
    options: list[str] = list(args.options)
    if os.path.exists("tester.toml") and "--no-config" not in options:
        refuse("expected --no-config: tester.toml is not sent to workers; say its options here, and --ship its files")
    source = [at for at, word in enumerate(options) if word.split("=")[0] in ("--seeds", "--all-secrets", "--cases")]
    if not source:
        options += ["--cases", "in"]
        source = [len(options) - 2]
    for at in source:
        if options[at] == "--cases" and at + 1 < len(options):
            options[at + 1] = cargo.add_cases(options[at + 1])
        elif options[at].startswith("--cases="):
            options[at] = f"--cases={cargo.add_cases(options[at].partition('=')[2])}"
    cargo.add_named(planning.line_words(options, "--external"))
    for word in args.ship:
        if not os.path.exists(word):
            refuse(f"expected a file or folder to ship at {word}, found none")
        cargo.add(planning.placed(word), Path(word))
    command = cargo.add_program(args.command)
    return cargo, ["batch", *options, "--jobs", "1", "--out", f"{OURS}/out", "--no-config", "--", *command]


def local(workers: int | None) -> Local:
    if workers is None:
        siblings = Path("/sys/devices/system/cpu").glob("cpu[0-9]*/topology/thread_siblings_list")
        workers = len({path.read_text() for path in siblings}) or os.cpu_count() or 1
    try:
        return Local(workers)
    except NotStarted as error:
        refuse(str(error))


class connect:
    """A client of a scheduler that has workers."""

    def __init__(self, address: str, cargo: Cargo, progress: Progress) -> None:
        # Dask tells at length what we say in a line.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        try:
            # Any: Dask has types for a part of it only.
            self.client: Any = Client(address, timeout=20, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError, ValueError) as error:
            refuse(f"expected a Dask scheduler at {address}, found none ({error}); start one: dask scheduler --host 127.0.0.1")
        self.drive = Drive(self.client, cargo.blobs, progress.say)
        self.progress = progress

    def __enter__(self) -> Drive:
        deadline = time.monotonic() + WORKER_SECONDS
        said = False
        while not self.client.nthreads():
            if time.monotonic() > deadline:
                self.__exit__()
                refuse(f"expected a worker within {WORKER_SECONDS} s, found none; start one: dask worker ADDRESS --nthreads CORES")
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
                    f"expected Python {mine[0]}.{mine[1]} everywhere, found {theirs} at {name}: what is sent there is compiled "
                    "for one version; start it with another Python, or this script"
                )
        return self.drive

    def __exit__(self, *_: object) -> None:
        self.client.close(timeout=5)


class Work:
    """The shards of one batch, judged and kept."""

    def __init__(
        self, drive: Drive, progress: Progress, cargo: Cargo, words: list[str], here: Shard, folder: Path
    ) -> None:
        self.drive = drive
        self.progress = progress
        self.cargo = cargo
        self.words = words
        self.here = here
        self.folder = folder
        self.plan = Plan(planning.FORMAT, here.key, here.planned, 0, [], [])

    def job(self, index: int, of: int, measure: bool = False) -> Job:
        at = self.words.index("--")
        result = f"{OURS}/shard.jsonl"
        task: Task = {
            "items": self.cargo.items,
            "words": [*self.words[:at], "--shard", f"{index}/{of}", "--to", result, *self.words[at:]],
            "result": result,
            "topic": self.drive.topic,
            "name": f"the measurement of {index}/{of}" if measure else f"shard {index} of {of}",
        }
        return Job(index, task)

    def cut(self, args: argparse.Namespace) -> Plan:
        """The plan, from a small shard that is measured first."""
        cases = self.here.planned
        took: list[Shard] = []

        def done(job: Job, text: bytes) -> None:
            shard = Shard.read(text)
            Plan(planning.FORMAT, self.here.key, cases, of, [], []).check(shard, job.number, self.here.run)
            took.append(shard)

        threads = sum(self.drive.client.nthreads().values())
        size, of = FIRST_CASES, 1
        while cases:
            of = max(1, cases // size)
            self.drive.run(iter([self.job((of + 1) // 2, of, measure=True)]), done)
            if took[-1].took_ms >= MEASURED_MS or size * FEWEST_SHARDS * threads >= cases:
                break
            size = min(8 * size, max(1, cases // (FEWEST_SHARDS * threads)))
        each = took[-1].took_ms / max(len(took[-1].verdicts), 1) if took else 0.0
        self.drive.seconds.clear()
        wanted = math.ceil(cases * each / (1000 * args.shard_seconds))
        of = max(1, min(cases, max(wanted, FEWEST_SHARDS * threads)))
        plan = Plan(planning.FORMAT, self.here.key, cases, of, args.options, args.command)
        plan.write(self.folder)
        self.progress.say(
            f"{cases} cases in {of} shards of about {cases * each / of / 1000:.1f} s, for {threads} threads; kept in {self.folder}"
        )
        return plan

    def judge(self, missing: list[int], kept: int) -> None:
        """Judges these shards, and keeps each as it comes."""
        plan, begun = self.plan, time.monotonic()
        shards, judged, failed = plan.of - len(missing), 0, 0
        if shards:
            self.progress.say(f"{shards} of {plan.of} shards are there, {len(missing)} are missing")

        def done(job: Job, text: bytes) -> None:
            nonlocal shards, judged, failed
            shard = Shard.read(text)
            plan.check(shard, job.number, self.here.run)
            planning.keep(plan.path(self.folder, job.number), text)
            shards += 1
            judged += len(shard.verdicts)
            failed += sum(verdict != "AC" for verdict in shard.verdicts)
            self.progress.show(told())

        def told() -> str:
            passed = time.monotonic() - begun
            rate = judged / passed
            left = (plan.cases - kept - judged) / rate if rate else 0
            text = f"{shards}/{plan.of} shards, {kept + judged}/{plan.cases} cases, {rate:.0f} cases/s, {left:.0f} s left"
            text += f", {sum(self.drive.threads.values())} threads"
            text += f", {failed} not AC" if failed else ""
            return text + (f", {self.drive.retries} shards again" if self.drive.retries else "")

        def tick() -> bool:
            self.progress.show(told())
            return True

        def jobs() -> Iterator[Job]:
            return (self.job(index, plan.of) for index in missing)

        try:
            self.drive.run(jobs(), done, tick)
        except (Failed, KeyboardInterrupt) as error:
            why = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error)
            self.progress.say(
                f"{why}\n{shards} of {plan.of} shards ({kept + judged} of {plan.cases} cases) are kept in {self.folder}; "
                f"go on: scripts/cluster batch --resume --to {self.folder}"
            )
            raise SystemExit(130 if isinstance(error, KeyboardInterrupt) else 2) from None
        passed = time.monotonic() - begun
        self.progress.say(f"judged {judged} cases in {passed:.3f} s, {judged / passed:.0f} a second")


def merge(tester: Path, args: argparse.Namespace, plan: Plan, folder: Path) -> int:
    words: list[Any] = [tester, "merge", *(plan.path(folder, index) for index in range(1, plan.of + 1))]
    for name in ("out", "history", "tag", "comment"):
        value = getattr(args, name)
        words += [f"--{name}", value] if value is not None else []
    status = subprocess.run([*words, "--", *plan.command]).returncode
    if status not in (0, 1):
        print(f"cluster: the shards are in {folder}; nothing was entered", file=sys.stderr)
    return status
