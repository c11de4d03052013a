#!/usr/bin/env python3
"""Sets random temperatures, measures a random number of times at random places, and answers the nearest fit.

Many of its answers are wrong, in some cases nearly all. It shows every kind of line in one session, so it serves to
compare judges: the same replies lead to the same next line. All it draws comes from the input.
"""

import random

first = input()
size, count, deviation = map(int, first.split())
lines = [input() for _ in range(count)]
exits = [tuple(map(int, line.split())) for line in lines]
random.seed("\n".join([first, *lines]))

low = random.randint(0, 500)
high = random.randint(low, 1000)
grid = [[random.randint(low, high) for _ in range(size)] for _ in range(size)]
for number, row in enumerate(grid):
    if number % 7 == 3:
        print("# row", number)
    print(*row)

measurements = random.choice([0, 10_000, random.randint(0, 3000), random.randint(0, 10_000)])
steps = random.choice([0, 2, size - 1])
errors = [[0] * count for _ in range(count)]
for turn in range(measurements):
    wormhole = turn % count if measurements > 3000 else random.randrange(count)
    y, x = random.randint(-steps, steps), random.randint(-steps, steps)
    print(wormhole, y, x, flush=True)
    value = int(input())
    row = errors[wormhole]
    for number, (r, c) in enumerate(exits):
        row[number] += (value - grid[(r + y) % size][(c + x) % size]) ** 2
print("-1 -1 -1")

answer = [row.index(min(row)) for row in errors]
spoiled = random.choice([0, 0, 5, 30])
for wormhole in random.sample(range(count), spoiled):
    answer[wormhole] = random.randrange(count)
for number, exit_cell in enumerate(answer):
    if number % 20 == 9:
        print(f"# wormholes up to {number}")
        print()
    print(exit_cell)
