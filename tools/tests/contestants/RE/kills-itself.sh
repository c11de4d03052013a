#!/bin/sh
# says: turn 1: killed by signal 9 (SIGKILL
kill -KILL $$
