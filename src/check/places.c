/* places.c: ask addr2line. */
#include "check/places.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Read the output of a program, at most size - 1 bytes. False: it is missing, or failed. */
static bool ask(char *const arguments[], char *text, size_t size)
{
    posix_spawn_file_actions_t actions;
    int ends[2], status = -1;
    size_t length = 0;
    ssize_t got;
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool started = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    while (started && length < size - 1 &&
           (got = read(ends[0], text + length, size - 1 - length)) > 0)
        length += (size_t)got;
    text[length] = 0;
    close(ends[0]);
    if (started)
        waitpid(child, &status, 0);
    return started && status == 0 && length > 0;
}

/* Is this line the kit's, inlined into the driver? */
static bool is_kits(const char *path)
{
    return strstr(path, "/include/kit/") != NULL || strstr(path, "/include/wddm/") != NULL;
}

/* `said` has function and line in turn, from what is inlined outward: find the first that is no
 * line of the kit's. NULL: there is none. */
static char *choose(char *said, char **function)
{
    char *line = said;

    while (line && *line) {
        *function = line;
        line = strchr(line, '\n');
        if (!line)
            return NULL;
        *line++ = 0;
        char *end = line + strcspn(line, "\n"), *next = *end ? end + 1 : end;

        *end = 0;
        if (!is_kits(line) || *next == 0) {
            line[strcspn(line, " (")] = 0;
            return (*function)[0] == '?' ? NULL : line;
        }
        line = next;
    }
    return NULL;
}

/* Write the path from the working folder, if it is below that. */
static void put_path(char *to, size_t size, const char *path)
{
    char here[1024];
    size_t length = getcwd(here, sizeof(here)) ? strlen(here) : 0;
    bool below = length > 0 && strncmp(path, here, length) == 0 && path[length] == '/';

    snprintf(to, size, "%.399s", below ? path + length + 1 : path);
}

bool vidmm_place_find(const char *driver, uint64_t address, struct vidmm_place *place)
{
    const char *slash = strrchr(driver, '/'), *name = slash ? slash + 1 : driver;
    char offset[32], said[4000], file[512], *function = NULL;
    char *arguments[] = {(char[]){"addr2line"}, (char[]){"-f"}, (char[]){"-C"}, (char[]){"-i"},
                         (char[]){"-e"},        file,           offset,         NULL};

    *place = (struct vidmm_place){.line = 0};
    if (address == 0)
        return false;
    snprintf(place->object, sizeof(place->object), "%.100s+0x%llx", name,
             (unsigned long long)address);
    snprintf(file, sizeof(file), "%s", driver);
    snprintf(offset, sizeof(offset), "0x%llx", (unsigned long long)address - 1); /* of the call */
    if (ask(arguments, said, sizeof(said))) {
        char *line = choose(said, &function), *colon = line ? strrchr(line, ':') : NULL;

        if (colon && (place->line = (unsigned)strtoul(colon + 1, NULL, 10)) != 0) {
            *colon = 0;
            put_path(place->file, sizeof(place->file), line);
        }
        if (line)
            snprintf(place->function, sizeof(place->function), "%.127s", function);
    }
    return true;
}

bool vidmm_place_of(const char *driver, uint64_t address, char *text, size_t size)
{
    struct vidmm_place place;

    if (!vidmm_place_find(driver, address, &place))
        return false;
    if (place.file[0])
        snprintf(text, size, "%s:%u: %s, %s", place.file, place.line, place.function, place.object);
    else
        snprintf(text, size, "%s%s%s", place.function, place.function[0] ? ", " : "", place.object);
    return true;
}
