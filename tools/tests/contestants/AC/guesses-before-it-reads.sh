#!/bin/sh
printf "0 1 2\n3 4 5\n8 2 5\n"
read -r opening
read -r first
[ "$opening:$first" = "hitblow 3 10:0 1" ]
