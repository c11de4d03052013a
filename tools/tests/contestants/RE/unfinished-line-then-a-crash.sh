#!/bin/sh
# says: turn 1: exit status 1, expected 0
printf '0 1'
exit 1
