#!/bin/sh
# args: --process-limit 20
# says: processes existed at once (limit 20)
i=0
while [ $i -lt 60 ]; do setsid sleep 61.5 & i=$((i + 1)); done
sleep 61.5
