/* watch.c: the parent: fork, wait, and say what became of the child. */
#include "check/check.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check/crash.h"

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void draw(const struct vidmm_board *board, FILE *file)
{
    unsigned count = atomic_load(&board->step_count);

    if (file && count > 0)
        fprintf(file, "\r\033[K[%u] %.30s", count, board->steps[count - 1].name);
    if (file && count > 0 && atomic_load(&board->all_frames) > 0)
        fprintf(file, "  %u of %u frames", atomic_load(&board->frames),
                atomic_load(&board->all_frames));
    if (file)
        fflush(file);
}

/* The calls that are under way, as one text. */
static const char *under_way(const struct vidmm_board *board, char *text, size_t size)
{
    size_t length = 0;

    text[0] = 0;
    for (unsigned i = 0; i < VIDMM_BOARD_CALLS; i++)
        if (atomic_load(&board->calls[i].thread) && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? "; " : "",
                                       board->calls[i].text);
    return text;
}

/* The next finding was made where this thread is in the driver, if it is there. */
static void note_place(const struct vidmm_board_trace *trace)
{
    uint32_t i = 0;

    while (i < trace->count && trace->frames[i].file[0] != 0)
        i++;
    if (i < trace->count)
        vidmm_board_at(trace->frames[i].address);
}

static void report_hang(struct vidmm_board *board, uint32_t timeout_s)
{
    char text[1200];

    for (unsigned i = VIDMM_BOARD_TRACES; i > 0; i--)
        if (atomic_load(&board->traces[i - 1].ready))
            note_place(&board->traces[i - 1]);
    under_way(board, text, sizeof(text));
    vidmm_check_find(board, VIDMM_CHECK_HANG, text,
                     text[0] ? "nothing has moved for %u s; the call is under way still"
                             : "nothing has moved for %u s, outside of any call",
                     timeout_s);
}

static void report_end(struct vidmm_board *board, int status)
{
    char text[1200];

    under_way(board, text, sizeof(text));
    if (WIFSIGNALED(status))
        vidmm_check_find(board, VIDMM_CHECK_CRASH, text, "signal %d (%s) ended its process",
                         WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        vidmm_check_find(board, VIDMM_CHECK_CRASH, text,
                         "its process ended with exit status %d (a sanitizer's report, if there is "
                         "one, stands above)",
                         WEXITSTATUS(status));
}

/* Wait for the child; false: nothing has moved for too long. */
static bool wait_for(struct vidmm_board *board, const struct vidmm_check_options *options,
                     pid_t child, int *status)
{
    const struct timespec pause = {0, 5000000};
    unsigned beats = 0, steps = 0;
    uint64_t since = now_ms();

    for (;;) {
        pid_t ended = waitpid(child, status, WNOHANG);

        if (ended == child || (ended < 0 && errno != EINTR))
            return true;
        if (atomic_load(&board->beats) != beats || atomic_load(&board->step_count) != steps) {
            beats = atomic_load(&board->beats);
            steps = atomic_load(&board->step_count);
            since = now_ms();
            draw(board, options->progress);
        }
        if (now_ms() - since > options->timeout_s * UINT64_C(1000))
            return false;
        nanosleep(&pause, NULL);
    }
}

void __gcov_dump(void) __attribute__((weak)); /* there in a build that counts lines */

_Noreturn void vidmm_check_leave(void)
{
    fflush(NULL);
    if (__gcov_dump)
        __gcov_dump();
    _exit(0);
}

bool vidmm_check_watch(struct vidmm_board *board, const struct vidmm_check_options *options,
                       vidmm_check_body *body, void *argument)
{
    int status = 0;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child < 0)
        return vidmm_board_problem(board, "no child process: %s", strerror(errno));
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        atomic_store(&board->end, body(board, argument));
        vidmm_check_leave();
    }
    if (!wait_for(board, options, child, &status)) {
        vidmm_crash_ask(board, child);
        report_hang(board, options->timeout_s);
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        atomic_store(&board->end, VIDMM_BOARD_GAVE_UP);
    } else if (atomic_load(&board->end) == VIDMM_BOARD_UNDER_WAY) {
        report_end(board, status);
        atomic_store(&board->end, VIDMM_BOARD_GAVE_UP);
    }
    if (options->progress)
        fprintf(options->progress, "\r\033[K");
    return true;
}
