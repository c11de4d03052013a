#!/bin/sh
# args: --time-limit 0.5
# says: (limit 0.5 s)
# Two children that are never waited for share the work.
(while :; do :; done) &
(while :; do :; done) &
sleep 61.5
