#!/bin/sh
sleep 60 &
echo "8 2 5"
