#!/bin/sh
# says: turn 3: digit 7 appears twice in "7 7 1"
echo "0 1 2"
echo "3 4 5"
echo "7 7 1"
