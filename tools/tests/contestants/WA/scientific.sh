#!/bin/sh
# says: turn 1: "1e0" is not an integer
echo "0 1 1e0"
