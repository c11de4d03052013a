"""Guess a number below a limit. A case file: LIMIT SECRET."""

from interactor import accept, ask, case, refuse, say

limit, secret = map(int, case())
say(limit)
for turn in range(1, 21):
    guess = ask(int)
    if guess == secret:
        say("found")
        accept(turn)
    say("higher" if guess < secret else "lower")
refuse("the number was not found in 20 guesses")
