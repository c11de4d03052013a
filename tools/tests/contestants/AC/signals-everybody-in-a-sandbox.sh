#!/bin/sh
# needs: sandbox
# In a sandbox its parent is not the judge, and nobody else has a number.
kill -TERM $PPID 2> /dev/null
kill -KILL $PPID 2> /dev/null
echo "8 2 5"
