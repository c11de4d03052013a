#!/bin/sh
# says: turn 1: expected a line, found the end of the output
read -r opening
