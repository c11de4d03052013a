#!/bin/sh
# args: --process-limit 20
# says: processes were alive at once (limit 20)
bomb() { sleep 61.5 & bomb & sleep 61.5; }
bomb
