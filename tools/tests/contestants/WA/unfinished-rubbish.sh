#!/bin/sh
# says: turn 1: expected 3 integers, found 2 in "8 2"
printf '8 2'
