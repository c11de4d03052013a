#!/bin/sh
# args: --time-limit 20
# The one that plays has no parent and a session of its own; the leader only waits for it.
done=$(mktemp)
setsid sh -c "(echo 8 2 5; rm '$done') & exit"
while [ -e "$done" ]; do sleep 0.01; done
