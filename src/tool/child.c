/* child.c: environment, run, wait, clean up. */
#include "tool/child.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void vidmm_child_prepend(const char *name, const char *value)
{
    const char *before = getenv(name);
    char *list = NULL;

    if (before == NULL || *before == 0)
        setenv(name, value, 1);
    else if (asprintf(&list, "%s:%s", value, before) >= 0)
        setenv(name, list, 1);
    free(list);
}

static pid_t running;

static void hand_on(int number)
{
    kill(running, number);
}

bool vidmm_child_run(char *const *program, int *status, char *error, size_t error_size)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    struct sigaction on = {.sa_handler = hand_on, .sa_flags = (int)SA_RESTART};
    posix_spawnattr_t attributes;
    sigset_t interrupt;
    int failed;

    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    posix_spawnattr_init(&attributes);
    sigaction(SIGINT, &ignore, &before);
    if (before.sa_handler != SIG_IGN) {
        posix_spawnattr_setsigdefault(&attributes, &interrupt);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    }
    failed = posix_spawnp(&running, program[0], NULL, &attributes, program, environ);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0) {
        sigaction(SIGINT, &before, NULL);
        snprintf(error, error_size, "%s: %s", program[0], strerror(failed));
        return false;
    }
    sigaction(SIGTERM, &on, NULL);
    sigaction(SIGHUP, &on, NULL);
    while (waitpid(running, status, 0) < 0 && errno == EINTR)
        continue;
    sigaction(SIGINT, &before, NULL);
    return true;
}

void vidmm_child_remove_folder(const char *raw)
{
    DIR *folder = opendir(raw);
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char path[PATH_MAX];

        snprintf(path, sizeof(path), "%.3000s/%s", raw, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(path);
    }
    if (folder != NULL)
        closedir(folder);
    rmdir(raw);
}
