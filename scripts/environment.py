"""Python environments of scripts that need more than Python has: each in target/, made where it is missing."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from typing import Callable, NoReturn

ROOT = Path(__file__).resolve().parent.parent


def go_on_in(script: str, packages: list[str], what: str, refuse: Callable[[str], NoReturn]) -> NoReturn:
    """Starts the script anew in target/SCRIPT, an environment that has the packages, `what` in words."""
    venv = ROOT / "target" / script
    python = venv / "bin" / "python"
    told = f"{script.upper()}_INSTALLED"
    if os.environ.get(told):
        refuse(f"expected {what} in {venv}, found none; remove that folder and try again")
    venv.parent.mkdir(parents=True, exist_ok=True)
    # Several may start at once. What was interrupted has no mark, and is made anew.
    lock = open(venv.with_name(f"{script}.lock"), "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    whole = venv / "whole"
    if not whole.exists():
        print(f"{script}: installing {' and '.join(packages)} into {venv}", file=sys.stderr)
        try:
            if venv.is_dir():
                subprocess.run(["rm", "-rf", str(venv)], check=True)
            subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
            pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, *packages], check=True)
            whole.touch()
        except (OSError, subprocess.CalledProcessError) as error:
            subprocess.run(["rm", "-rf", str(venv)], check=False)
            names = " ".join(f"'{package}'" for package in packages)
            refuse(
                f"failed to install {what} ({error}); install it yourself and try again: "
                f"python3 -m pip install {names} (Debian: apt install python3-venv for the former)"
            )
    lock.close()
    os.environ[told] = "1"
    os.execv(str(python), [str(python), *sys.argv])
