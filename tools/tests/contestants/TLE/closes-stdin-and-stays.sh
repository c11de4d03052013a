#!/bin/sh
# args: --time-limit 1
# says: the program had closed its input, and slept or waited for something else
read -r opening
exec <&-
exec sleep 61.5
