/* configuration_file.c: read a configuration, and say what is wrong with it. */
#include "miniport/configuration_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "miniport/configuration.h"
#include "host/posix_file.h"

#define CONFIG_MOST (1u << 20)

bool vidmm_miniport_configuration_file(const char *path,
                                       struct vidmm_miniport_configuration *configuration,
                                       char *error, size_t room)
{
    char why[500], *text = NULL;
    size_t size = 0;
    bool right;

    if (path) {
        text = vidmm_file_read(path, CONFIG_MOST, &size, error, room);
        if (!text)
            return false;
    }
    if (text && strlen(text) != size) {
        snprintf(error, room, "%s: it is no text", path);
        free(text);
        return false;
    }
    right = vidmm_miniport_configuration_read(configuration, text, why, sizeof(why));
    if (!right)
        snprintf(error, room, "%s, %s", path, why);
    else
        snprintf(configuration->file, sizeof(configuration->file), "%s", path ? path : "");
    free(text);
    return right;
}
