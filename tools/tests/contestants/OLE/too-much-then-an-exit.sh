#!/bin/sh
# args: --time-limit 20
# says: turn 1: stdout passed its limit of 67108864 bytes
yes '# more' | head -c 67108870
exit 0
