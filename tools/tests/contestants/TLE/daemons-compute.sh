#!/bin/sh
# args: --time-limit 0.5
# says: (limit 0.5 s)
# The work is done by many short-lived processes without parent, session or environment of ours.
work='i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
while :; do env -i setsid /bin/sh -c "($work) & ($work) & exit"; sleep 0.02; done < /dev/null > /dev/null 2>&1
