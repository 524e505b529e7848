/* check_file.c: read a configuration, and say what is wrong with it. */
#include "tool/check_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/posix_file.h"

#define CONFIG_MOST (1u << 20)

bool vidmm_check_file_read(const char *command, const char *path,
                           struct vidmm_check_configuration *configuration)
{
    char error[300], *text = NULL;
    size_t size = 0;
    bool right;

    if (path) {
        text = vidmm_file_read(path, CONFIG_MOST, &size, error, sizeof(error));
        if (!text) {
            fprintf(stderr, "vidmm %s: %s\n", command, error);
            return false;
        }
    }
    right = vidmm_check_configuration_read(configuration, text, error, sizeof(error));
    if (!right)
        fprintf(stderr, "vidmm %s: %s, %s\n", command, path, error);
    free(text);
    return right;
}
