/* The validator: says whether a guess is too low or too high. The last flag is the number of guesses. */
#include "feedback.h"

int main(int argc, char **argv) {
    FILE *input = fopen(argv[1], "r");
    FILE *answer = fopen(argv[2], "r");
    int secret, guess, most = atoi(argv[argc - 1]);
    if (!answer || !input || fscanf(input, "%d", &secret) != 1)
        return 1;
    for (int turn = 1; turn <= most; turn++) {
        if (scanf("%d", &guess) != 1)
            return refuse(argv[3], "guess %d is no number", turn);
        if (guess == secret) {
            puts("found");
            return 42;
        }
        puts(guess < secret ? "higher" : "lower");
        fflush(stdout);
    }
    return refuse(argv[3], "not found in %d guesses", most);
}
