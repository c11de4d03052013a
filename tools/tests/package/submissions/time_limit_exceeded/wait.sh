# Waits for a line that never comes.
read reply
