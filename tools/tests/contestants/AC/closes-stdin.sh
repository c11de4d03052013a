#!/bin/sh
exec <&-
echo "8 2 5"
