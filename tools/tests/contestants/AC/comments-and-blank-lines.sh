#!/bin/sh
echo "# 0 1"
echo
echo "   "
echo "  # 7 7 7"
echo "8 2 5"
echo "# bye"
