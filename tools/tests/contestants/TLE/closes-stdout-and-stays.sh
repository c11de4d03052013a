#!/bin/sh
# args: --time-limit 1
# says: the program had closed its output but not exited
exec >&-
exec sleep 61.5
