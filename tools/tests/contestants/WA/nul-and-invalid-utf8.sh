#!/bin/sh
# says: turn 1: "\xff\0" is not an integer in "0 1 \xff\0"
printf '0 1 \377\000\n'
