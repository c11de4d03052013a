#!/bin/sh
# args: --process-limit 20 --time-limit 20
# says: processes existed at once (limit 20)
# pace: 100 processes a second
while :; do sleep 61.5 & sleep 0.01; done
