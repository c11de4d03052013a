#!/bin/sh
# args: --time-limit 20
# says: turn 1: stdout passed its limit of 67108864 bytes
yes '# Many comments of some length, and then it exits before all of them were read.' | head -c 67108870
exit 0
