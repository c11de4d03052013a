# Right for 1, and where a hundred guesses are allowed.
guess=1
echo $guess
while read reply && [ $reply != found ]; do
    guess=$((guess + 1))
    echo $guess
done
exit 0
