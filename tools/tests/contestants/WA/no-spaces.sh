#!/bin/sh
# says: turn 1: 012 is one integer: separate the 3 digits with spaces
echo "012"
