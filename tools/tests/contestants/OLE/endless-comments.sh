#!/bin/sh
# args: --time-limit 60
# says: turn 1: stdout passed its limit of 67108864 bytes
# Long lines cost the judge less than many.
exec yes "# $(head -c 4000 /dev/zero | tr '\000' m)"
