"""Codeforces Gym 101192 D, Bulls and cows: 8 guesses, and a reply is one word of two digits."""

from bulls_and_cows import case, play, repeats

play(case()[0], 8, repeats, lambda bulls, cows: f"{bulls}{cows}")
