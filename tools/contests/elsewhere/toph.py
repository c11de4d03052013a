"""Toph, Bulls, Cows and Digits: 100 guesses."""

from bulls_and_cows import case, play, repeats

play(case()[0], 100, repeats, lambda bulls, cows: f"{bulls} {cows}")
