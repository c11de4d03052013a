"""Jobs for the workers of a Dask cluster, and what comes back: shipping, retries, progress. It knows no tester."""

from __future__ import annotations

import queue
import statistics
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator

import cloudpickle  # type: ignore[import-untyped]
import worker
from distributed import KilledWorker
from plan import Disagrees
from worker import Answer, Task

# How many workers get a task, one after the other, until one of them judges it.
ATTEMPTS = 3
# Tasks under way for each thread: one is being judged, one waits at the worker.
AHEAD = 2
# How long a scheduler that was lost may take to come back.
RETURN_SECONDS = 30
TICK_SECONDS = 0.5
STRAGGLES = 3  # times the median
FEWEST_FOR_MEDIAN = 5

cloudpickle.register_pickle_by_value(worker)


class Failed(Exception):
    """The cluster cannot do it."""


class ByValue:
    """A function that travels with its code. Dask itself would send its name, which workers do not know."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.code = cloudpickle.dumps(function)

    def __reduce__(self) -> tuple[Any, ...]:
        return cloudpickle.loads, (self.code,)

    def __call__(self) -> None:
        raise TypeError("runs on workers only")


@dataclass
class Job:
    """A task under way."""

    number: int
    task: Task
    attempts: int = 0
    misses: int = 0
    began: float = 0.0
    where: str = ""
    late: bool = False
    said: list[str] = field(default_factory=list)


class Drive:
    """A connection to a scheduler, and what its workers may be sent."""

    def __init__(self, client: Any, blobs: dict[str, bytes], say: Callable[[str], None]) -> None:
        self.client = client
        self.blobs = blobs
        self.say = say
        self.topic = f"tester-cluster-{client.id}"
        self.queue: queue.Queue[tuple[str, Any]] = queue.Queue()
        self.threads: dict[str, int] = {}
        self.sent: dict[str, set[str]] = {}
        self.seconds: list[float] = []
        self.left_out: set[str] = set()
        self.retries = 0
        self.looked = 0.0
        self.function = ByValue(worker.run)
        client.subscribe_topic(self.topic, lambda event: self.queue.put(("began", event[1])))

    def run(
        self,
        jobs: Iterator[Job],
        done: Callable[[Job, dict[str, bytes]], None],
        tick: Callable[[], bool] = lambda: True,
    ) -> None:
        """Judges the jobs, in about their order. `done` gets each result once, and raises ValueError if it is not what
        it should be, Disagrees if no other of its worker would be; `tick` comes at least twice a second, and tells
        whether to go on."""
        again: deque[Job] = deque()
        flying: dict[Any, Job] = {}
        more = True
        try:
            while tick():
                self.look(flying)
                while len(flying) < AHEAD * sum(self.threads.values()) and (again or more):
                    job = again.popleft() if again else next(jobs, None)
                    if job is None:
                        more = False
                        break
                    flying[self.submit(job)] = job
                if not flying and not again and not more:
                    return
                try:
                    kind, value = self.queue.get(timeout=TICK_SECONDS)
                except queue.Empty:
                    continue
                if kind == "began":
                    self.note(flying, value)
                elif value in flying:
                    job = flying.pop(value)
                    if not self.take(job, value, done):
                        again.append(job)
        finally:
            try:
                self.client.cancel(list(flying), force=True)
            except Exception:  # noqa: BLE001  (without a scheduler there is nothing to cancel)
                pass

    def submit(self, job: Job) -> Any:
        job.began, job.where = 0.0, ""
        where: dict[str, Any] = {"workers": list(self.threads)} if self.left_out else {}
        # Not to the one that failed, where there is another.
        others = [name for name in self.threads if not any(name in said for said in job.said)]
        if job.said and others:
            where = {"workers": others, "allow_other_workers": not self.left_out}
        future = self.client.submit(self.function, job.task, pure=False, **where)
        future.add_done_callback(lambda future: self.queue.put(("done", future)))
        return future

    def take(self, job: Job, future: Any, done: Callable[[Job, dict[str, bytes]], None]) -> bool:
        """Whether the job is done with."""
        if future.status == "cancelled":
            self.reconnect()
            return False
        try:
            answer: Answer = future.result()
        except KilledWorker as error:
            raise Failed(f"{job.task['name']} ended every worker that had it: {error}") from error
        except Exception as error:  # noqa: BLE001  (whatever a worker raises)
            if self.client.status != "running":
                self.reconnect()
                return False
            return self.again(job, job.where or "a worker", f"{type(error).__name__}: {error}")
        who = f"{answer['worker']} ({answer['host']})"
        if answer["lacks"] or answer["altered"]:
            self.supply(job, answer, who)
            return False
        if not answer["texts"]:
            return self.again(job, who, answer["said"])
        try:
            done(job, answer["texts"])
        except ValueError as error:
            if isinstance(error, Disagrees):
                self.leave_out(answer["worker"], who, str(error))
            return self.again(job, who, str(error))
        self.seconds.append(answer["seconds"])
        return True

    def again(self, job: Job, who: str, why: str) -> bool:
        job.attempts += 1
        job.said.append(f"{who}: {why}")
        if job.attempts == ATTEMPTS:
            raise Failed(f"{job.task['name']} failed {ATTEMPTS} times:\n  " + "\n  ".join(job.said))
        self.retries += 1
        self.say(f"{job.task['name']} failed, and is tried again: {job.said[-1]}")
        return False

    def leave_out(self, address: str, who: str, why: str) -> None:
        if address not in self.left_out:
            self.left_out.add(address)
            self.threads.pop(address, None)
            self.say(f"{who} is left out: it does not judge what was asked for: {why}")
        if not self.threads:
            raise Failed("no worker is left that judges what was asked for")

    def supply(self, job: Job, answer: Answer, who: str) -> None:
        """Sends what a worker's cache has not got."""
        names = {item["sha256"]: item["name"] for item in job.task["items"]}
        for sha256 in answer["altered"]:
            self.say(
                f"{who} had another {names[sha256]} in its cache than {sha256[:12]}; it was not used, and is replaced"
            )
        job.misses += 1
        if job.misses > ATTEMPTS + 2:
            raise Failed(f"{who} keeps nothing in its cache; is there room on its disk?")
        # What several tasks of a worker lack is sent once, unless it goes on lacking.
        known = self.sent.setdefault(answer["worker"], set())
        lacks = [name for name in answer["lacks"] if name not in known or job.misses > 1] + answer["altered"]
        if not lacks:
            return
        known.update(lacks)
        try:
            self.client.run(
                ByValue(worker.store), {name: self.blobs[name] for name in lacks}, workers=[answer["worker"]]
            )
        except Exception as error:  # noqa: BLE001
            self.say(f"failed to send {', '.join(names[name] for name in lacks)} to {who}: {error}")
            known.difference_update(lacks)
            if self.client.status != "running":
                self.reconnect()

    def note(self, flying: dict[Any, Job], event: Any) -> None:
        """A worker has begun a task."""
        job = next((job for job in flying.values() if job.task["name"] == event["name"]), None)
        if job is None:
            return
        if job.where and event["worker"] not in job.where:
            self.retries += 1
            self.say(f"{job.task['name']} was lost with {job.where}, and is begun anew on {event['worker']}")
        job.began, job.where, job.late = time.monotonic(), f"{event['worker']} ({event['host']})", False

    def look(self, flying: dict[Any, Job]) -> None:
        """Who is there, and who is late."""
        if time.monotonic() - self.looked < 2 * TICK_SECONDS:
            return
        self.looked = time.monotonic()
        try:
            threads = {name: count for name, count in self.client.nthreads().items() if name not in self.left_out}
        except Exception:  # noqa: BLE001  (it says what it has lost by its futures)
            return
        for gone in self.threads.keys() - threads.keys():
            self.say(f"{gone} has left")
            self.sent.pop(gone, None)
        if self.threads and not threads:
            self.say(f"no worker is left; the run goes on when one comes: dask worker {self.client.scheduler.address}")
        self.threads = threads
        if len(self.seconds) < FEWEST_FOR_MEDIAN:
            return
        median = statistics.median(self.seconds)
        for job in flying.values():
            passed = time.monotonic() - job.began
            if job.began and not job.late and passed > STRAGGLES * median + TICK_SECONDS:
                job.late = True
                self.say(f"{job.task['name']} has taken {passed:.1f} s on {job.where}; the median is {median:.1f} s")

    def reconnect(self) -> None:
        """After the scheduler was lost: Dask tries to connect again, for a while."""
        deadline = time.monotonic() + RETURN_SECONDS
        while self.client.status == "connecting" and time.monotonic() < deadline:
            time.sleep(TICK_SECONDS)
        if self.client.status != "running":
            raise Failed("the scheduler is lost, and did not come back")


class Progress:
    """One line on stderr, which is overwritten on a terminal, and said every ten seconds elsewhere."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.terminal = sys.stderr.isatty()
        self.shown = time.monotonic()

    def say(self, text: str) -> None:
        print(f"{self.clear()}{self.prefix}: {text}", file=sys.stderr, flush=True)

    def clear(self) -> str:
        return "\r\x1b[K" if self.terminal else ""

    def show(self, text: str) -> None:
        if self.terminal:
            print(f"{self.clear()}{self.prefix}: {text}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - self.shown > 10:
            self.shown = time.monotonic()
            self.say(text)
