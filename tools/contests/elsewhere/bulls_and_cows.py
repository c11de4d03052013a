"""What the interactors in this folder share. Each has the rules of one judge; a case file: SECRET."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "python"))

from interactor import accept, ask, case, refuse, say  # noqa: E402


def bulls_and_cows(secret, guess):
    """A digit of the secret that is in the guess is a bull at its place, else a cow, however often it is there."""
    bulls = sum(one == other for one, other in zip(secret, guess))
    return bulls, sum(digit in guess for digit in secret) - bulls


def play(secret, turns, wrong, show):
    """Answers guesses until one is right. `wrong` says what is wrong with a guess, `show` how a reply is written."""
    for turn in range(1, turns + 1):
        guess = ask()
        if len(guess) != len(secret) or not (guess.isascii() and guess.isdigit()):
            refuse(f"expected {len(secret)} digits, found {guess[:60]!r}")
        if wrong(guess):
            refuse(f"{wrong(guess)}: {guess}")
        say(show(*bulls_and_cows(secret, guess)))
        if guess == secret:
            accept(turn)
    refuse(f"the secret was not found in {turns} guesses")


def repeats(guess):
    return "expected digits that differ" if len(set(guess)) < len(guess) else ""
