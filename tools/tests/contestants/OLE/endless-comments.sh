#!/bin/sh
# args: --time-limit 60
# says: turn 1: stdout passed its limit of 67108864 bytes
exec yes '# more'
