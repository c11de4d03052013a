#!/bin/sh
echo "0 1 2"
echo "0 1 2"
echo "8 2 5"
