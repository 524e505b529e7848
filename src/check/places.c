/* places.c: ask addr2line. */
#include "check/places.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
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

bool vidmm_place_of(const char *driver, uint64_t address, char *text, size_t size)
{
    const char *slash = strrchr(driver, '/'), *name = slash ? slash + 1 : driver;
    char offset[32], said[4000], file[512], *function = NULL;
    char *arguments[] = {(char[]){"addr2line"}, (char[]){"-f"}, (char[]){"-C"}, (char[]){"-i"},
                         (char[]){"-e"},        file,           offset,         NULL};

    if (address == 0)
        return false;
    snprintf(file, sizeof(file), "%s", driver);
    snprintf(offset, sizeof(offset), "0x%llx", (unsigned long long)address - 1); /* of the call */
    if (ask(arguments, said, sizeof(said))) {
        const char *line = choose(said, &function);
        const char *last = line ? strrchr(line, '/') : NULL;

        if (line) {
            snprintf(text, size, "%s (%s), %s+0x%llx", last ? last + 1 : line, function, name,
                     (unsigned long long)address);
            return true;
        }
    }
    snprintf(text, size, "%s+0x%llx", name, (unsigned long long)address);
    return true;
}
