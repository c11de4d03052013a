"""What a batch on a cluster is: what is shipped, how it is cut, and the folder in which its shards are kept."""

from __future__ import annotations

import fcntl
import glob
import hashlib
import io
import json
import os
import sqlite3
import tarfile
import tempfile
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from worker import Item

FORMAT = 1
# In a task's folder, beside the user's files.
OURS = ".judge"
# What a shard says of its run that decides nothing.
MAY_DIFFER = {"command", "git_commit", "git_dirty", "jobs", "machine", "out", "transcripts"}


class Refused(Exception):
    """What was asked for cannot be done; says why."""


class Disagrees(ValueError):
    """A shard is of something else than was asked for, and so would be others of its worker."""


def refuse(why: str) -> NoReturn:
    raise Refused(why)


def keep(path: Path, content: bytes) -> None:
    """Writes a file so that it is there whole, also after a power cut, or not at all."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def placed(word: str) -> str:
    """Where a file goes in a task's folder: where it is below this one, or under its base name."""
    path = os.path.normpath(word)
    outside = os.path.isabs(path) or path.split(os.sep)[0] == ".."
    return os.path.basename(os.path.abspath(path)) if outside else path


class Cargo:
    """What is shipped: just what the user has named."""

    def __init__(self, judge: Path) -> None:
        self.items: list[Item] = []
        self.blobs: dict[str, bytes] = {}
        self.add(f"{OURS}/{judge.name}", judge)

    def sums(self) -> dict[str, str]:
        """The SHA-256 of each item, by its destination; without the tester, which the keys contain."""
        return {item["name"]: item["sha256"] for item in self.items[1:]}

    def add(self, name: str, path: Path, paths: list[Path] | None = None) -> None:
        """A file; or a folder, of which `paths` are taken, as one tar."""
        if paths is None and path.is_dir():
            paths = [file for file in path.rglob("*") if file.is_file()]
        if paths is None:
            content = path.read_bytes()
        else:
            content = packed([(f"{name}/{file.relative_to(path)}", file) for file in sorted(paths)])
        sha256 = hashlib.sha256(content).hexdigest()
        executable = paths is None and os.access(path, os.X_OK)
        new: Item = {"name": name, "sha256": sha256, "executable": executable, "tar": paths is not None}
        for item in self.items:
            if item == new:
                return
            if item["name"] == name:
                refuse(f"expected one file for {name} in a task's folder, found two; name one of them otherwise")
        self.items.append(new)
        self.blobs[sha256] = content

    def add_here(self, word: str) -> str:
        """A file or folder, and where it is on a worker."""
        self.add(placed(word), Path(word))
        return placed(word)

    def add_named(self, words: list[str]) -> None:
        """Those words that are files below this folder: what the fingerprint of a command is made of."""
        for word in words:
            if os.path.isfile(word) and placed(word) == os.path.normpath(word):
                self.add(placed(word), Path(word))

    def add_program(self, words: list[str]) -> list[str]:
        """A command, and what it is on a worker."""
        program = words[0]
        if "/" in program:
            if not os.path.isfile(program):
                refuse(f"expected a program at {program}, found none; is it built?")
            self.add(placed(program), Path(program))
            program = f"./{placed(program)}"
        self.add_named(words[1:])
        return [program, *words[1:]]

    def add_cases(self, word: str) -> str:
        """The case files of a folder or a pattern, and where they are on a worker."""
        folder = Path(word if os.path.isdir(word) else os.path.dirname(word) or ".")
        paths = (
            [path for path in folder.iterdir() if path.is_file()]
            if os.path.isdir(word)
            else list(map(Path, glob.glob(word)))
        )
        if not paths:
            refuse(f"expected case files at {word}, found none")
        name = placed(str(folder))
        self.add(name, folder, paths)
        return name if os.path.isdir(word) else os.path.join(name, os.path.basename(word))


def packed(files: list[tuple[str, Path]]) -> bytes:
    """A tar that depends on names, contents and whether they can be run, and on nothing else."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, path in files:
            member = tarfile.TarInfo(name)
            content = path.read_bytes()
            member.size, member.mode = len(content), 0o755 if os.access(path, os.X_OK) else 0o644
            tar.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def entered_run(history: Path, begun_ms: int, fingerprint: str, planned: int) -> int | None:
    """The newest run of a history that began at this moment, of this program, with all of its cases judged."""
    # As a URI, in which `#`, `?` and `%` of a name are escaped.
    with closing(sqlite3.connect(f"{history.absolute().as_uri()}?mode=ro", uri=True, timeout=10)) as db:
        found = db.execute(
            "SELECT max(id) FROM run WHERE begun_ms = ? AND json_extract(provenance, '$.fingerprint') = ? "
            "AND planned = ? AND state = 'done'",
            [begun_ms, fingerprint, planned],
        ).fetchone()[0]
    return None if found is None else int(found)


@dataclass(frozen=True)
class Shard:
    """A shard's text, read and checked."""

    key: str
    index: int
    of: int
    planned: int
    run: dict[str, Any]
    took_ms: float
    verdicts: list[str]

    @staticmethod
    def read(text: bytes) -> Shard:
        lines = text.splitlines(keepends=True)
        try:
            header = json.loads(lines[0])["shard"]
            end = json.loads(lines[-1])["end"]
            verdicts = [json.loads(line)["record"]["verdict"] for line in lines[1:-1]]
            # The sum is that of everything in front of it.
            if hashlib.sha256(text[: text.rindex(b',"sha256":')]).hexdigest() != end["sha256"]:
                raise ValueError("its sum is not what its last line says")
            if end["judged"] != len(verdicts):
                raise ValueError(f"its last line says {end['judged']} cases, it has {len(verdicts)}")
            run = header["run"]
            return Shard(
                header["key"], header["index"], header["of"], run["planned"], run, float(end["took_ms"]), verdicts
            )
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise ValueError(f"expected a whole shard, found something else ({error})") from error


def facts(run: dict[str, Any]) -> dict[str, Any]:
    """What a shard says of its run, without the groups in which it says it."""
    plain = {name: value for name, value in run.items() if name not in ("spec", "provenance")}
    return plain | run.get("spec", {}) | run.get("provenance", {})


@dataclass
class Plan:
    """What DIR/plan.json holds: enough to cut and to ask in the same way again. A duel has two commands."""

    format: int
    what: str
    keys: list[str]
    cases: int
    of: int
    options: list[str]
    commands: list[list[str]]
    alpha: str | None = None
    # What else was shipped, as the user named it, and the SHA-256 of all that is.
    ship: list[str] = field(default_factory=list)
    shipped: dict[str, str] = field(default_factory=dict)
    # Where and as what the run is kept: --out, --history, --tag, --comment.
    kept_as: dict[str, str] = field(default_factory=dict)
    entered: bool = False
    # That of `tester merge`, once it is entered.
    status: int = 0
    # Of a duel, as alpha.
    max_difference: str | None = None

    def path(self, folder: Path, index: int, side: int = 0) -> Path:
        return self.side(folder, side) / f"shard-{index}-of-{self.of}.jsonl"

    def side(self, folder: Path, side: int) -> Path:
        """Where the shards of a command are: of a duel's, in a folder of its own."""
        return folder if len(self.commands) == 1 else folder / "ab"[side]

    def write(self, folder: Path) -> None:
        for side in range(len(self.commands)):
            self.side(folder, side).mkdir(exist_ok=True)
        keep(folder / "plan.json", (json.dumps(asdict(self), indent=1) + "\n").encode())

    @staticmethod
    def read(folder: Path) -> Plan | None:
        path = folder / "plan.json"
        if not path.exists():
            return None
        try:
            plan = Plan(**json.loads(path.read_text()))
        except (ValueError, TypeError) as error:
            refuse(f"expected a plan of scripts/cluster in {path}, found something else ({error})")
        if plan.format != FORMAT:
            refuse(f"expected format {FORMAT} in {path}, found {plan.format}, which another version writes")
        return plan

    def check(self, shard: Shard, index: int, side: int = 0, here: dict[str, Any] | None = None) -> None:
        """Whether a shard is that of this plan; ValueError if not. `here` is what this machine says of its run."""
        key = self.keys[side]
        if shard.key != key:
            there, ours = facts(shard.run), facts(here or {})
            names = sorted(there.keys() - MAY_DIFFER) if here else []
            differs = [name for name in names if there[name] != ours.get(name)]
            told = "; ".join(f"{name} is {there[name]!r}, here {ours.get(name)!r}" for name in differs)
            raise Disagrees(
                f"it judged something else (key {shard.key[:12]}, expected {key[:12]}): {told or 'other words'}"
            )
        if (shard.index, shard.of) != (index, self.of):
            raise ValueError(f"expected shard {index} of {self.of}, found {shard.index} of {shard.of}")

    def missing(self, folder: Path) -> tuple[list[int], int]:
        """The shards that are not kept yet, and the number of cases that are."""
        missing, cases = [], 0
        for index in range(1, self.of + 1):
            try:
                for side in range(len(self.commands)):
                    path = self.path(folder, index, side)
                    shard = Shard.read(path.read_bytes())
                    self.check(shard, index, side)
                cases += len(shard.verdicts)
            except FileNotFoundError:
                missing.append(index)
            except ValueError as error:
                refuse(f"{path} is no shard of this plan: {error}; move it away, and it is judged again")
        return missing, cases


def locked(folder: Path) -> Any:
    """Keeps a second client from the folder, as long as what is returned lives."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = open(folder / ".lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        refuse(f"another scripts/cluster is at work in {folder}; wait for it, or say --to another folder")
    return lock
