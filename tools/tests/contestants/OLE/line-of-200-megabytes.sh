#!/bin/sh
# args: --time-limit 20
# says: turn 1: a line of stdout passed its limit of 1048576 bytes
head -c 200000000 /dev/zero | tr '\000' 1
echo
