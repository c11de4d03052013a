#!/bin/sh
# args: --time-limit 0.3
# says: after the game ended at turn 1: 0.3
echo "8 2 5"
exec sleep 61.5
