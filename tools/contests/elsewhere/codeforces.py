"""Codeforces 753C, Interactive Bulls and Cows (Hard): 7 guesses, whose digits may repeat. The secret's differ."""

from bulls_and_cows import case, play

play(case()[0], 7, lambda guess: "", lambda bulls, cows: f"{bulls} {cows}")
