#!/bin/sh
# says: turn 1: a line of stdout passed its limit of 1048576 bytes
# The newline comes with the rest, and the answer after it: neither changes anything.
head -c 1048576 /dev/zero | tr '\000' '#'
printf '#\n8 2 5\n'
