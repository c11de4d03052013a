#!/bin/sh
# args: --time-limit 1
# says: both sides were waiting: the program for input (or it slept), the judge for a line. Did you print a newline and flush stdout? Or does the program read more than the judge sends at first?
read -r opening
read -r reply
