#!/bin/sh
# says: turn 1: "０" is not written in ASCII digits (0-9) in "０ １ ２"
echo "０ １ ２"
