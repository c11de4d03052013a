#!/bin/sh
# says: turn 1: "debug" is not an integer in "debug 15"; if it is debug output, print it to stderr or after #
read -r game
echo debug 15
read -r reply
