#!/bin/sh
# args: --memory-limit 70 --time-limit 20
# says: MiB of memory were resident (limit 70 MiB)
# Each of four is below the limit; together they are not.
hoard() {
    hoard=$(head -c 20000000 /dev/zero | tr '\000' x)
    sleep 61.5
    echo "# ${#hoard}"
}
hoard & hoard & hoard & hoard &
sleep 61.5
