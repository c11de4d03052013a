#!/bin/sh
# args: --time-limit 20
# says: turn 1: a line of stdout passed its limit of 1048576 bytes
exec tr '\000' x < /dev/zero
