#!/bin/sh
# args: --time-limit 0.3
# says: the program had not read the judge's last 13 bytes
exec sleep 61.5
