#!/bin/sh
# says: turn 1: -1 is out of range 0 to 9 in "0 -1 2"
echo "0 -1 2"
