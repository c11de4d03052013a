#!/bin/sh
# needs: sandbox
# If any of it is there afterwards, the tests see it.
for file in in/0000.txt out/0000.txt out/history.sqlite in/planted out/planted planted; do
    echo 'hitblow 3 10' > "$file" && echo "1 2 3" >> "$file" || mv "$file" "$file.moved" || rm "$file"
done 2> /dev/null
echo "8 2 5"
