low, high, reply = 1, 100, ""
while reply != "found":
    guess = (low + high) // 2
    print(guess, flush=True)
    reply = input()
    if reply == "higher":
        low = guess + 1
    else:
        high = guess - 1
