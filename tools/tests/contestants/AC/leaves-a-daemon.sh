#!/bin/sh
# The daemon has no parent, no pipe of ours and a session of its own when the case is over.
setsid sh -c 'sleep 61.5 & exit' < /dev/null > /dev/null 2>&1
echo 8 2 5
