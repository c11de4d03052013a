#!/bin/sh
# says: turn 1: "x" is not an integer in "x"
echo "x"
exec sleep 61.5
