#include "tool/outputs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The file of that path: a file that is there, or a name in a folder that is. */
struct place {
    bool known;
    struct stat status;
    char name[NAME_MAX + 1]; /* empty: the file is there */
};

static struct place place_of(const char *path)
{
    struct place place = {false};
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];

    if (stat(path, &place.status) == 0) {
        place.known = S_ISREG(place.status.st_mode);
        return place;
    }
    if (slash == NULL)
        snprintf(folder, sizeof(folder), ".");
    else
        snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path + 1), path);
    place.known = stat(folder, &place.status) == 0;
    snprintf(place.name, sizeof(place.name), "%s", slash != NULL ? slash + 1 : path);
    return place;
}

/* The word - is a stream, that is read or written; never a file of that name. */
static bool is_one(const char *a, const char *b)
{
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return false;
    struct place one = place_of(a), other = place_of(b);

    return one.known && other.known && one.status.st_dev == other.status.st_dev &&
           one.status.st_ino == other.status.st_ino && strcmp(one.name, other.name) == 0;
}

static bool apart(const struct vidmm_output *output, const struct vidmm_output *others,
                  size_t other_count, const char *const *inputs, size_t input_count, char *error,
                  size_t error_size)
{
    for (size_t i = 0; i < input_count; i++)
        if (inputs[i] != NULL && is_one(output->path, inputs[i])) {
            snprintf(error, error_size, "--%s %s: it is read, as %s; give another file",
                     output->option, output->path, inputs[i]);
            return false;
        }
    for (size_t i = 0; i < other_count; i++)
        if (others[i].path != NULL && is_one(output->path, others[i].path)) {
            snprintf(error, error_size, "--%s %s: --%s writes it too; give another file",
                     output->option, output->path, others[i].option);
            return false;
        }
    return true;
}

bool vidmm_outputs_apart(const struct vidmm_output *outputs, size_t output_count,
                         const char *const *inputs, size_t input_count, char *error,
                         size_t error_size)
{
    for (size_t i = 0; i < output_count; i++)
        if (outputs[i].path != NULL &&
            !apart(&outputs[i], outputs, i, inputs, input_count, error, error_size))
            return false;
    return true;
}
