#!/bin/sh
# says: turn 1: "Score" is not an integer in "Score = 1"
printf 'Score = 1\n' >&2
printf 'Score = 1\n'
