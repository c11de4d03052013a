#!/bin/sh
# args: --time-limit 1
# says: the judge waited for the end of the line "0 1 2": print a newline after each line, then flush
read -r opening
printf '0 1 2'
read -r reply
