#!/bin/sh
printf ' 0\t1  2\r\n'
printf '+8 02 5\r\n'
