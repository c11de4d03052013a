#!/bin/sh
read -r opening
echo "8 2 5"
read -r reply
[ "$reply" = "3 0" ]
