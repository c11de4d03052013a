#!/bin/sh
# says: turn 1: "Hello," is not an integer in "Hello, world!"
echo "Hello, world!"
