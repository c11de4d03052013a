#!/bin/sh
# args: --process-limit 20
# says: processes existed at once (limit 20)
i=0
while [ $i -lt 40 ]; do env -i setsid /bin/sh -c 'sleep 61.5 & exit'; i=$((i + 1)); done < /dev/null > /dev/null 2>&1
sleep 61.5
