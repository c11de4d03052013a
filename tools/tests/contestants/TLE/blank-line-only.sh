#!/bin/sh
# says: The last line was blank, and blank lines do not count
# args: --time-limit 1
read -r game
echo
read -r reply
