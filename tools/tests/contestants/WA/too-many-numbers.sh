#!/bin/sh
# says: turn 1: expected 3 integers, found 4 in "0 1 2 3"
echo "0 1 2 3"
