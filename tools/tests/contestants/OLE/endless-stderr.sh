#!/bin/sh
# args: --time-limit 20
# says: turn 1: stderr passed its limit of 67108864 bytes
exec yes >&2
