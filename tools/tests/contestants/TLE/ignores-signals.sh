#!/bin/sh
# args: --time-limit 0.3
# says: turn 1: 0.3
trap '' TERM INT HUP
sleep 61.5
sleep 61.5
