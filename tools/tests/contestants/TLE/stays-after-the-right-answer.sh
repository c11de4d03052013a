#!/bin/sh
# args: --time-limit 1
# says: after the game ended at turn 1: 1.0
echo "8 2 5"
exec sleep 61.5
