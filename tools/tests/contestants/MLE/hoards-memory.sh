#!/bin/sh
# args: --memory-limit 64 --time-limit 20
# says: of memory were resident (limit 64 MiB)
hoard=$(head -c 200000000 /dev/zero | tr '\000' x)
echo "# ${#hoard}"
read -r opening
sleep 61.5
