#include <stdio.h>
#include <string.h>

int main(void) {
    int low = 1, high = 100;
    char reply[16] = "";
    while (strcmp(reply, "found")) {
        int guess = (low + high) / 2;
        printf("%d\n", guess);
        fflush(stdout);
        if (scanf("%15s", reply) != 1)
            return 1;
        if (!strcmp(reply, "higher"))
            low = guess + 1;
        else
            high = guess - 1;
    }
}
