#!/bin/sh
# says: turn 1: exit status 1, expected 0
exit 1
