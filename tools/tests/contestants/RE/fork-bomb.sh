#!/bin/sh
# args: --process-limit 20
# or: TLE
# says: processes existed at once (limit 20)
bomb() { sleep 61.5 & bomb & sleep 61.5; }
bomb
