"""A cluster on this machine: a real scheduler and real workers, bound to loopback, which end with us."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType

from plan import refuse
from worker import tied

START_SECONDS = 60
# Workers leave in a fraction of a second, the scheduler after them.
END_SECONDS = 10
# Dask looks at itself a hundred times a second; less often leaves more of the processor to what is judged.
QUIET = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
}


class Local:
    """`with Local(2) as cluster:` has its address. Without a dashboard; a worker has one thread, hence one program at a
    time."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.processes: list[subprocess.Popen[bytes]] = []
        self.folder = tempfile.TemporaryDirectory(prefix="cluster-")
        self.address = ""

    def __enter__(self) -> Local:
        try:
            told = Path(self.folder.name) / "scheduler.json"
            self.start("scheduler", "--port", "0", "--scheduler-file", str(told))
            deadline = time.monotonic() + START_SECONDS
            while not self.address:
                if self.processes[0].poll() is not None or time.monotonic() > deadline:
                    refuse(f"failed to start a scheduler: {self.said('scheduler')}")
                time.sleep(0.02)
                try:
                    self.address = json.loads(told.read_text())["address"]
                except (FileNotFoundError, json.JSONDecodeError):
                    continue
            space = ["--local-directory", self.folder.name]
            self.start("worker", self.address, "--nworkers", str(self.workers), "--nthreads", "1", *space)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def start(self, kind: str, *words: str) -> None:
        # Even without a dashboard Dask serves HTTP (health, metrics), and that on all interfaces unless told.
        http = ["--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
        command = [sys.executable, "-m", "dask", kind, "--host", "127.0.0.1", *http, *words]
        with open(Path(self.folder.name) / f"{kind}.log", "wb") as log:
            process = subprocess.Popen(
                tied(command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**QUIET, **os.environ},
                start_new_session=True,
            )
        self.processes.append(process)

    def said(self, kind: str) -> str:
        return (Path(self.folder.name) / f"{kind}.log").read_text(errors="replace")[-2000:].strip()

    def check(self) -> None:
        """The workers' own process restarts them; that it ends itself should not be."""
        for kind, process in zip(("scheduler", "worker"), self.processes):
            if process.poll() is not None:
                refuse(f"the local {kind} has ended: {self.said(kind)}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Another Ctrl-C must not leave them behind.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.folder.cleanup()
        signal.signal(signal.SIGINT, before)
