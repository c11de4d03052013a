"""`scripts/cluster policy`: `lab policy` of a large game in parts, each a task."""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import plan as planning
from batch import connect, quiet
from drive import Drive, Failed, Job, Progress
from plan import Cargo, Plan, refuse
from worker import PRINTED, Task


def run(root: Path, args: argparse.Namespace) -> int:
    """Counts the parts that are missing, and adds all up; the exit status is that of `lab policy`."""
    command = ["cargo", "build", "--release", *quiet(), "-p", "lab", "--bin", "lab"]
    if subprocess.run(command, cwd=root).returncode:
        refuse("failed to build lab, see above")
    lab = root / "target" / "release" / "lab"
    cargo = Cargo(lab)
    words: list[str] = args.commands[0]
    key = hashlib.sha256(json.dumps([cargo.items[0]["sha256"], words]).encode()).hexdigest()
    folder: Path = args.to or Path("out") / f"parts-{key[:12]}"
    plan = Plan(planning.FORMAT, "policy", [key], 0, args.parts, [], [words])
    with ExitStack() as stack:
        stack.enter_context(planning.locked(folder))
        begun = Plan.read(folder)
        if begun and (begun.what, begun.keys, begun.of) != (plan.what, plan.keys, plan.of):
            refuse(
                f"expected in {folder} what was begun there ({shlex.join(begun.commands[0])}, {begun.of} parts), found "
                "other words, another number of parts or another lab; say --to another folder"
            )
        plan.write(folder)
        paths = {index: plan.path(folder, index) for index in range(1, plan.of + 1)}
        missing = [index for index, path in paths.items() if not is_part(path)]
        if missing:
            progress = Progress("cluster")
            drive = stack.enter_context(connect(args, stack, cargo, progress))
            judge(drive, progress, cargo, plan, folder, missing)
    return subprocess.run([lab, "policy", "--merge", *paths.values()]).returncode


def is_part(path: Path) -> bool:
    """Whether a part is there as it was kept: its sum stands beside it. What is not, is counted again."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == path.with_suffix(".sha256").read_text()
    except FileNotFoundError:
        return False


def judge(drive: Drive, progress: Progress, cargo: Cargo, plan: Plan, folder: Path, missing: list[int]) -> None:
    begun = time.monotonic()
    left = set(missing)

    def job(index: int) -> Job:
        name = f"part {index} of {plan.of}"
        words = ["policy", *plan.commands[0], "--shard", f"{index}/{plan.of}"]
        task: Task = {"items": cargo.items, "runs": [(PRINTED, words)], "topic": drive.topic, "name": name}
        return Job(index, task)

    def done(job: Job, texts: dict[str, bytes]) -> None:
        json.loads(texts[PRINTED])  # ValueError if it is not whole; lab looks closer when it adds up
        path = plan.path(folder, job.number)
        planning.keep(path.with_suffix(".sha256"), hashlib.sha256(texts[PRINTED]).hexdigest().encode())
        planning.keep(path, texts[PRINTED])
        left.discard(job.number)

    def tick() -> bool:
        progress.show(f"{plan.of - len(left)}/{plan.of} parts, {time.monotonic() - begun:.0f} s")
        return True

    try:
        drive.run((job(index) for index in missing), done, tick)
    except (Failed, KeyboardInterrupt, OSError) as error:
        why = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error)
        progress.say(f"{why}\n{plan.of - len(left)} of {plan.of} parts are kept in {folder}; say the same once more")
        sys.exit(130 if isinstance(error, KeyboardInterrupt) else 2)
    progress.say(f"counted {len(missing)} parts in {time.monotonic() - begun:.3f} s; kept in {folder}")
