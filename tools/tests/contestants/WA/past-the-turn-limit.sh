#!/bin/sh
# args: --turn-limit 5
# says: turn 6: "0 1 2" is past the limit of 5 turns
for i in 1 2 3 4 5 6; do echo "0 1 2"; done
