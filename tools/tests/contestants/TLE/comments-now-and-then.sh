#!/bin/sh
# args: --time-limit 0.3
# says: turn 1: 0.3
while :; do echo "# thinking"; sleep 0.02; done
