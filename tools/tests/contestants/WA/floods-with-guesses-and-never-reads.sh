#!/bin/sh
# says: turn 1001: "0 1 2" is past the limit of 1000 turns
yes "0 1 2" | head -n 100000
