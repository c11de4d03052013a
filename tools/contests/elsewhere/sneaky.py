"""Kattis's Sneaky Mastermind. A case file: N C, the secret as a word, and the lie: `none`, or TURN X Y.

    tester --interactor 'python3 tools/contests/elsewhere/sneaky.py {case}' solver < case.txt

The score is the number of guesses, the answer included. A TURN is that of the false reply, which is X Y.
`python3 sneaky.py --case SEED [N C]` prints a case: one in four has no lie, the others have it in one of the
first 2N turns. A false reply that would be the true one changes by one hit or blow.
"""

import random
import sys
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "python"))


def reply(secret, guess):
    """Places with the right colour; colours that are right, but in another place."""
    hits = sum(a == b for a, b in zip(secret, guess))
    return hits, sum((Counter(secret) & Counter(guess)).values()) - hits


def falsely(told, true, n):
    """`told`, or another reply if that is the true one."""
    if told != true:
        return told
    return (told[0], told[1] - 1) if told[1] else (told[0], 1) if sum(told) < n else (told[0] - 1, 0)


def make(seed, n=None, c=None):
    """A case of this seed; sizes that are not given are drawn."""
    draw = random.Random(seed)
    sizes = draw.randint(1, 10), draw.randint(2, 15)
    n, c = int(n or sizes[0]), int(c or sizes[1])
    secret = "".join(draw.choice("abcdefghijklmno"[:c]) for _ in range(n))
    lies, turn, hits = draw.randrange(4), draw.randint(1, 2 * n), draw.randint(0, n)
    lie = f"{turn} {hits} {draw.randint(0, n - hits)}" if lies else "none"
    return f"{n} {c}\n{secret}\n{lie}"


def judge():
    from interactor import accept, ask, case, refuse, say

    n, c, secret, *lie = case()
    colours = "abcdefghijklmno"[: int(c)]
    turn, *told = [0] if lie == ["none"] else [int(word) for word in lie]
    say(n, c)
    for number in range(1, 1001):
        *answers, guess = ask().split() or [""]
        if answers not in ([], ["!"]) or len(guess) != int(n) or not set(guess) <= set(colours):
            refuse(f"expected {n} letters of {colours}, or ! before them, found {' '.join([*answers, guess])[:60]!r}")
        if answers:
            accept(number) if guess == secret else refuse(f"{guess} is not the secret, {secret}")
        true = reply(secret, guess)
        say(*falsely(tuple(told), true, int(n)) if number == turn else true)
    refuse("no answer in 1000 turns")


if __name__ == "__main__":
    print(make(*sys.argv[2:])) if sys.argv[1:2] == ["--case"] else judge()
