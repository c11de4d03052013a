#!/bin/sh
# says: turn 1: expected 3 integers, found 2 in "0 1"
echo "0 1"
