#!/bin/sh
# says: after the game ended at turn 1: killed by signal 6 (SIGABRT
echo "8 2 5"
kill -ABRT $$
