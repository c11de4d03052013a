#!/bin/sh
# args: --time-limit 0.3
# says: the judge waited for a guess while the program, which had read everything, waited for more (or slept): was the guess printed with a newline and flushed?
read -r opening
read -r reply
