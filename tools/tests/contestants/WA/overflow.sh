#!/bin/sh
# says: turn 1: 18446744073709551616 is out of range 0 to 9
echo "0 1 18446744073709551616"
