# A contestant in Python: it asks at the cheapest cells until only one cell can have the treasure.
n, m = map(int, input().split())
costs = [list(map(int, input().split())) for _ in range(n)]
possible = [(i, j) for i in range(n) for j in range(n)]
for i, j in sorted(possible, key=lambda cell: costs[cell[0]][cell[1]]):
    if len(possible) == 1:
        break
    print("?", i, j, flush=True)
    steps = int(input())
    possible = [(a, b) for a, b in possible if abs(a - i) + abs(b - j) == steps]
print("!", *possible[0], flush=True)
