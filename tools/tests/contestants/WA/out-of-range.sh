#!/bin/sh
# says: turn 1: 10 is out of range 0 to 9 in "0 1 10"
echo "0 1 10"
