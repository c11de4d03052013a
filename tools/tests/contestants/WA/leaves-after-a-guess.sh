#!/bin/sh
# says: turn 2: expected a line, found the end of the output
echo "0 1 2"
read -r opening
read -r reply
