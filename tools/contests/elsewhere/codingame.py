"""CodinGame, Bulls and Cows 2: the number of digits and -1 -1 come first. No guess begins with 0."""

from bulls_and_cows import case, play, repeats, say

secret = case()[0]
say(len(secret))
say(-1, -1)
play(
    secret,
    300,
    lambda guess: "expected a first digit that is not 0" if guess[0] == "0" else repeats(guess),
    lambda bulls, cows: f"{bulls} {cows}",
)
