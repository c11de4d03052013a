#!/bin/sh
printf '0 1 2\n8 2 5'
