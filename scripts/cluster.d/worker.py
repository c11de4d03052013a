"""What runs on a worker: one task, which is one shard. It is sent there by value (`cluster.py`), so that a worker
needs Dask and nothing of this project. It therefore takes and gives plain values, and imports only what
Python and Dask have.
"""

from __future__ import annotations

import hashlib
import io
import os
import select
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from pathlib import Path
from typing import Callable, TypedDict

# Ends with its parent, whatever ended that: the kernel sends SIGTERM to the tester, which ends its contestants and
# goes. Python's preexec_fn is no way to do so, because it must not be used where there are threads.
TIED = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGTERM)
if os.getppid() != int(sys.argv[1]):
    sys.exit(1)
try:
    os.execv(sys.argv[2], sys.argv[2:])
except OSError as error:
    sys.exit(f"failed to start {sys.argv[2]}: {error}; is it built for this processor, may programs run on this disk?")
"""

# The result of a run that prints it.
PRINTED = ".printed"
# What the tester says of a failure, from its end.
MOST_SAID = 4000
# How often a task looks whether it is still wanted.
LOOK_MS = 200
# After a request to end, the tester takes up to two seconds to end its processes.
PATIENCE_SECONDS = 5
# What no task has used for so long leaves the cache.
KEPT_SECONDS = 30 * 24 * 3600


class Item(TypedDict):
    """Something that was shipped: a file, or a tar of several."""

    name: str  # where it goes in the task's folder; of a tar, what the user called it
    sha256: str
    executable: bool
    tar: bool


class Task(TypedDict):
    """A shard, or several of the same cases, and what they take."""

    items: list[Item]
    runs: list[
        tuple[str, list[str]]
    ]  # the file that a run writes, and the words of the tester, which is the first item
    topic: str
    name: str


class Answer(TypedDict):
    """What came of a task: `texts` of all runs, by their files, if it was done; `lacks` and `altered` if the cache has
    not what it takes; else `said` tells why not."""

    worker: str
    host: str
    texts: dict[str, bytes]
    lacks: list[str]
    altered: list[str]
    said: str
    seconds: float


def tied(words: list[str]) -> list[str]:
    """A command that ends with the process that starts it. (With the thread, to be exact: as long as a task's
    thread waits for what it has started, that is the same.)"""
    return [sys.executable, "-I", "-S", "-c", TIED, str(os.getpid()), *words]


def cache() -> Path:
    """The folder of the shipped files, by content; no other user may write there."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = Path(base) / "tester-cluster"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid() or folder.stat().st_mode & 0o022:
        raise PermissionError(f"expected {folder} to be writable by this user alone; chmod 700 it, or remove it")
    return folder


def store(blobs: dict[str, bytes]) -> None:
    """Keeps what a task here lacked."""
    folder = cache()
    for sha256, content in blobs.items():
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(content)
        os.replace(file.name, folder / sha256)
    for path in folder.iterdir():
        try:
            if path.stat().st_mtime < time.time() - KEPT_SECONDS:
                path.unlink()
        except FileNotFoundError:
            continue  # another worker of this host was faster


def take(items: list[Item]) -> tuple[dict[str, bytes], list[str], list[str]]:
    """The contents by hash, what the cache lacks, and what it has under a name that is not its hash. Looked at before
    each task: a contestant runs as the same user, and a disk may fail."""
    contents: dict[str, bytes] = {}
    lacks, altered = [], []
    for sha256 in dict.fromkeys(item["sha256"] for item in items):
        path = cache() / sha256
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            lacks.append(sha256)
            continue
        if hashlib.sha256(content).hexdigest() == sha256:
            os.utime(path)
            contents[sha256] = content
        else:
            path.unlink(missing_ok=True)
            altered.append(sha256)
    return contents, lacks, altered


def lay_out(folder: Path, items: list[Item], contents: dict[str, bytes]) -> None:
    """Fills a task's folder with copies, so that nothing that happens there reaches the cache."""
    for item in items:
        content = contents[item["sha256"]]
        if item["tar"]:
            with tarfile.open(fileobj=io.BytesIO(content)) as tar:
                # Nothing lands outside; Pythons before 3.9.17 know no filter.
                tar.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
                tar.extractall(folder)
            continue
        path = folder / item["name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o755 if item["executable"] else 0o644)


def run(task: Task) -> Answer:
    """Judges a shard in a folder of its own."""
    from distributed import get_worker

    worker = get_worker()
    began = time.monotonic()
    answer: Answer = {
        "worker": worker.address,
        "host": socket.gethostname(),
        "texts": {},
        "lacks": [],
        "altered": [],
        "said": "",
        "seconds": 0.0,
    }
    worker.log_event(task["topic"], {"name": task["name"], "worker": worker.address, "host": answer["host"]})
    contents, answer["lacks"], answer["altered"] = take(task["items"])
    if answer["lacks"] or answer["altered"]:
        return answer
    key = worker.get_current_task()

    def wanted() -> bool:
        state = worker.state.tasks.get(key)
        return state is not None and state.state != "cancelled" and worker.status.name in ("running", "paused")

    # A program cannot be started while a fork of another thread has it open for writing ("text file busy"). So nothing
    # is started while files are written. There is one worker in a process.
    lock = vars(worker).setdefault("tester_cluster_lock", threading.Lock())
    folder = Path(tempfile.mkdtemp(prefix="shard-", dir=worker.local_directory))
    try:
        for number, (result, words) in enumerate(task["runs"]):
            # A folder for each: what one program of a duel leaves there, the other does not find.
            own = folder / str(number)
            with lock:
                lay_out(own, task["items"], contents)
            with lock, open(own / ".said", "wb") as said, open(own / PRINTED, "wb") as printed:
                command = tied([str(own / task["items"][0]["name"]), *words])
                process = subprocess.Popen(command, cwd=own, stdin=subprocess.DEVNULL, stdout=printed, stderr=said)
            status = attend(process, wanted)
            if status not in (0, 1) or not (own / result).exists():
                ended = f"exit status {status}" if status >= 0 else f"signal {-status}"
                text = (own / ".said").read_bytes()[-MOST_SAID:].decode(errors="replace")
                answer["said"] = f"{text.strip()} ({ended})"
                answer["texts"] = {}
                break
            answer["texts"][result] = (own / result).read_bytes()
            shutil.rmtree(own, ignore_errors=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    answer["seconds"] = time.monotonic() - began
    return answer


def attend(process: subprocess.Popen[bytes], wanted: Callable[[], bool]) -> int:
    """Waits for the tester, and ends it when its task is not wanted any more."""
    pidfd = os.pidfd_open(process.pid)
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    try:
        while not poll.poll(LOOK_MS):
            if not wanted():
                process.terminate()
                if not poll.poll(PATIENCE_SECONDS * 1000):
                    process.kill()
                break
    finally:
        os.close(pidfd)
    return process.wait()
