#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The folder ends with a slash, as the format says. */
static int refuse(const char *folder, const char *format, int number) {
    char path[4096];
    snprintf(path, sizeof path, "%sjudgemessage.txt", folder);
    FILE *message = fopen(path, "w");
    if (!message)
        return 1;
    fprintf(message, format, number);
    fclose(message);
    return 43;
}
