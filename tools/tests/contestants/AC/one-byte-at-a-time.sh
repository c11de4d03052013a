#!/bin/sh
# args: --time-limit 20
for byte in "0" " " "1" " " "2" "\n" "8" " " "2" " " "5" "\n"; do
    printf "$byte"
    sleep 0.01
done
