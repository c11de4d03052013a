#!/usr/bin/env python3
"""Asks at random: drills, questions of every size and wrong answers; then it drills what is left and answers.

It shows every kind of operation in one session, so it serves to compare judges: the same replies lead to the same
next operation. All it draws comes from the input.
"""

import random

first = input()
n, m, eps = first.split()
n, m = int(n), int(m)
shapes = [input() for _ in range(m)]

random.seed("\n".join([first, *shapes]))
cells = [(i, j) for i in range(n) for j in range(n)]
values = {}


def operation(kind, named):
    """Prints one line, returns the reply."""
    numbers = [number for cell in named for number in cell]
    print(kind, len(named), *numbers, flush=True)
    return int(input())


def drill(cell):
    values[cell] = operation("q", [cell])


# 2N² operations are allowed, and N² + 1 of them must be left.
for turn in range(random.randrange(n * n)):
    kind = random.choice("qqqqqqda")
    size = random.choice([random.randint(1, 6), random.randint(1, n * n)])
    named = random.sample(cells, size)
    print(f"# turn {turn}: {kind}, {size} cells")
    if kind == "d":
        drill(named[0])
    elif kind == "q":
        operation("q", named)
    elif operation("a", named) == 1:
        raise SystemExit

for cell in cells:
    if cell not in values:
        drill(cell)
assert operation("a", [cell for cell in cells if values[cell] > 0]) == 1
