"""An interactor in ten lines; guess.py beside this file is one. Copy both, and judge with

    tester --interactor 'python3 guess.py {case}' ./solver < in/0000.txt

An error in your interactor ends it with status 126, which is IE under every contract: not the program's fault.
"""

import os
import sys

# What is no text is a wrong line of the program, and no failure here.
sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")


def case():
    """The words of the case file."""
    with open(sys.argv[1], encoding="utf-8") as file:
        return file.read().split()


def say(*values):
    """Sends the program a line."""
    print(*values, flush=True)


def ask(kind=str):
    """The program's next line: `ask()` is its text, `ask(int)` a number, `ask([int])` a list of numbers."""
    line = sys.stdin.readline()
    if not line:
        refuse("expected a line, found the end of the output")
    try:
        return [kind[0](word) for word in line.split()] if isinstance(kind, list) else kind(line.strip())
    except ValueError as error:
        refuse(f"{error} in {line.strip()[:60]!r}")


def accept(score=None):
    """Ends the session well; without a score, the number of the program's lines counts."""
    if score is not None:
        print(f"Score = {score}", file=sys.stderr)
    sys.exit(0)


def refuse(reason):
    """Ends the session with WA."""
    print(reason, file=sys.stderr)
    sys.exit(1)


def _fail(*error):
    sys.__excepthook__(*error)
    sys.stderr.flush()
    os._exit(126)


sys.excepthook = _fail
