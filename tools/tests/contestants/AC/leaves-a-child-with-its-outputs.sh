#!/bin/sh
sleep 61.5 &
echo "8 2 5"
