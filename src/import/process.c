/*
 * process.c: see process.h.
 */
#include "import/process.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "import/hint.h"

#define COULD_NOT_START 127

static void become(const struct vidmm_texts *command, int error)
{
    if (error >= 0) {
        dup2(error, STDERR_FILENO);
        close(error);
    }
    execvp(command->word[0], command->word);
    dprintf(STDERR_FILENO, "vidmm kit: %s: %s\n", command->word[0], strerror(errno));
    _exit(COULD_NOT_START);
}

static void listen_to(int error, struct vidmm_kit_hints *hints)
{
    FILE *file = fdopen(error, "r");
    char *line = NULL;
    size_t room = 0;

    while (file != NULL && getline(&line, &room, file) > 0)
        vidmm_kit_hint_line(hints, line, stderr);
    vidmm_kit_hint_end(hints, stderr);
    free(line);
    if (file != NULL)
        fclose(file);
    else
        close(error);
}

static int wait_for(pid_t child, const struct vidmm_texts *command)
{
    int status = 0;

    if (child < 0) {
        fprintf(stderr, "vidmm kit: %s: %s\n", command->word[0], strerror(errno));
        return COULD_NOT_START;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int vidmm_kit_run_quietly(const struct vidmm_texts *command)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become(command, open("/dev/null", O_WRONLY));
    return wait_for(child, command);
}

int vidmm_kit_run(const struct vidmm_texts *command, struct vidmm_kit_hints *hints)
{
    int ends[2] = {-1, -1};

    fflush(NULL);
    if (hints != NULL && pipe(ends) != 0)
        hints = NULL;
    pid_t child = fork();
    if (child == 0) {
        if (hints != NULL)
            close(ends[0]);
        become(command, ends[1]);
    }
    if (hints != NULL) {
        close(ends[1]);
        listen_to(ends[0], hints);
    }
    return wait_for(child, command);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

void vidmm_kit_remove_folder(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
