#!/bin/sh
head -c 1048575 /dev/zero | tr '\000' '#'
printf '#\n8 2 5\n'
