#!/bin/sh
# says: turn 1: expected a guess, found the end of the output
exec >&-
