#!/usr/bin/env python3
"""Sets a random pattern of cold and warm cells, and tells exit cells apart by Bayes' rule.

Around each exit cell the pattern is another one. Each measurement through a wormhole makes the exit cells more likely
that have such a temperature there. It is right nearly always, and expensive: it does not try to be cheap.
"""

import math
import random

MEASUREMENTS = 10_000
# How much more likely the best exit cell must be than the next one, as a logarithm.
CERTAIN = 12.0

size, count, deviation = map(int, input().split())
exits = [tuple(map(int, input().split())) for _ in range(count)]

# With a distance of four deviations a few measurements are enough; below 0 and above 1000 there is no room.
distance = min(1000, 4 * deviation)
levels = [500 - distance // 2, 500 - distance // 2 + distance]
pattern = random.Random(1)
is_warm = [[pattern.randrange(2) for _ in range(size)] for _ in range(size)]
for row in is_warm:
    print(*(levels[warm] for warm in row))

# Places near an exit cell, the nearest first, and what stands there beside each exit cell.
reach = range(-2, 3)
places = sorted(((y, x) for y in reach for x in reach), key=lambda place: abs(place[0]) + abs(place[1]))
patterns = [[is_warm[(r + y) % size][(c + x) % size] for r, c in exits] for y, x in places]


def cumulative(value, level):
    return 0.5 * math.erfc((level - value) / (deviation * math.sqrt(2)))


def log_likelihood(value, level):
    """Of a reply: temperature and noise, rounded and then kept from 0 to 1000."""
    low = 0.0 if value == 0 else cumulative(value - 0.5, level)
    high = 1.0 if value == 1000 else cumulative(value + 0.5, level)
    return math.log(max(high - low, 1e-300))


def find(wormhole, most):
    """Measures at most `most` times, and returns the likeliest exit cell and how often it measured."""
    weights = [0.0] * count
    for turn in range(most):
        which = turn % len(places)
        print(wormhole, *places[which], flush=True)
        value = int(input())
        ratio = log_likelihood(value, levels[1]) - log_likelihood(value, levels[0])
        weights = [w + ratio if warm else w for w, warm in zip(weights, patterns[which])]
        best, second = sorted(weights)[:-3:-1]
        if best - second > CERTAIN:
            break
    return weights.index(best), turn + 1


answer = []
left = MEASUREMENTS
for wormhole in range(count):
    exit_cell, used = find(wormhole, left // (count - wormhole))
    left -= used
    answer.append(exit_cell)
print("-1 -1 -1")
print(*answer, sep="\n")
