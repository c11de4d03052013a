#!/usr/bin/env python3
"""Drills cell by cell until all oil is found, and paints what it knows.

It shows the protocol, and what play without an idea costs: 1 for each cell.
"""

n, m, eps = input().split()
n, m = int(n), int(m)
# The number of cells of all fields; where fields overlap, a cell counts several times.
oil_left = sum(int(input().split()[0]) for _ in range(m))

oil = []
for i in range(n):
    for j in range(n):
        if oil_left == 0:
            break
        print("q 1", i, j, flush=True)
        value = int(input())
        oil_left -= value
        if value > 0:
            oil.append((i, j))
        print("#c", i, j, "orange" if value > 0 else "lightgray")

print("a", len(oil), *(number for cell in oil for number in cell), flush=True)
assert input() == "1"
