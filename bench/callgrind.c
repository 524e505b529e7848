/* callgrind.c: instructions of this very program, counted by valgrind. */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 8 };

static void fail(const char *what)
{
    fprintf(stderr, "vidmm-bench: --callgrind: %s\n", what);
    exit(2);
}

/* In the child: become valgrind, with its words going to `report`. */
static void become_valgrind(int report, const char *const *arguments)
{
    char *command[MOST_ARGUMENTS + 5] = {"valgrind", "--tool=callgrind",
                                         "--callgrind-out-file=/dev/null", NULL};
    static char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    int i;

    if (length <= 0)
        _exit(126);
    self[length] = '\0';
    command[3] = self;
    for (i = 0; arguments[i] && i < MOST_ARGUMENTS; i++)
        command[4 + i] = (char *)(uintptr_t)arguments[i];
    dup2(report, STDERR_FILENO);
    execvp(command[0], command);
    _exit(errno == ENOENT ? 127 : 126);
}

/* The number after "Collected :" in what valgrind says; 0: it did not say. */
static double read_report(int report)
{
    double collected = 0;
    char line[512];
    FILE *file = fdopen(report, "r");

    while (file && fgets(line, sizeof line, file)) {
        const char *number = strstr(line, "Collected :");

        if (number)
            collected = strtod(number + strlen("Collected :"), NULL);
    }
    if (file)
        fclose(file);
    return collected;
}

double bench_instructions(const char *const *arguments)
{
    int report[2], status;
    double collected;
    pid_t child;

    if (pipe(report) != 0)
        fail("no pipe");
    fflush(NULL);
    child = fork();
    if (child < 0)
        fail("no process");
    if (child == 0) {
        close(report[0]);
        become_valgrind(report[1], arguments);
    }
    close(report[1]);
    collected = read_report(report[0]);
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
        fail("valgrind was stopped");
    if (WEXITSTATUS(status) == 127)
        fail("valgrind is not installed (Debian: apt-get install valgrind)");
    if (WEXITSTATUS(status) != 0 || collected <= 0)
        fail("valgrind failed");
    return collected;
}
