#!/bin/sh
# args: --memory-limit 40 --time-limit 20
# says: MiB of memory were resident (limit 40 MiB)
# No parent, no session of ours: still its own.
hoard='x=$(head -c 60000000 /dev/zero | tr "\000" x); sleep 61.5; echo "# ${#x}"'
setsid sh -c "($hoard) & exit" < /dev/null > /dev/null 2>&1
sleep 61.5
