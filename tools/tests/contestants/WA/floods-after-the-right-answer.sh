#!/bin/sh
# says: was printed after the game was over
echo 8 2 5
while :; do echo 0 1 2; done
