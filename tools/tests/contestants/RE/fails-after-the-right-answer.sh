#!/bin/sh
# says: after the game ended at turn 1: exit status 7, expected 0
echo "8 2 5"
exit 7
