/* watch.c: the tool's own process: it has a keeper made, draws how far things are, and takes what
 * stands on the board only after it has been looked over. */
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

#include "miniport/configuration.h"
#include "check/keeper.h"
#include "check/remains.h"

static void draw(const struct vidmm_board *board, FILE *file)
{
    unsigned step = atomic_load(&board->step);

    if (file && step > 0 && step <= VIDMM_BOARD_STEPS)
        fprintf(file, "\r\033[K[%u] %.30s", step, board->steps[step - 1].name);
    if (file && step > 0 && atomic_load(&board->all_frames) > 0)
        fprintf(file, "  %u of %u frames", atomic_load(&board->frames),
                atomic_load(&board->all_frames));
    if (file)
        fflush(file);
}

void __gcov_dump(void) __attribute__((weak)); /* there in a build that counts lines */

_Noreturn void vidmm_check_leave(void)
{
    fflush(NULL);
    if (__gcov_dump)
        __gcov_dump();
    _exit(0);
}

/* Wait for the keeper, and draw meanwhile. */
static void wait_for(const struct vidmm_board *board, FILE *progress, pid_t keeper, int *status)
{
    const struct timespec pause = {0, 5000000};
    unsigned beats = 0;

    for (;;) {
        pid_t ended = waitpid(keeper, status, WNOHANG);

        if (ended == keeper || (ended < 0 && errno != EINTR))
            return;
        if (atomic_load(&board->beats) != beats) {
            beats = atomic_load(&board->beats);
            draw(board, progress);
        }
        nanosleep(&pause, NULL);
    }
}

bool vidmm_check_watch(struct vidmm_board *board, const struct vidmm_check_options *options,
                       vidmm_check_body *body, void *argument)
{
    struct vidmm_remains_spared spared;
    pid_t tool = getpid(), keeper;
    char name[64];
    int status = 0, before = 0;

    fflush(NULL);
    prctl(PR_GET_CHILD_SUBREAPER, &before, 0, 0, 0);
    vidmm_remains_adopt(&spared);
    keeper = fork();
    if (keeper < 0)
        return vidmm_board_problem(board, "no child process: %s", strerror(errno));
    if (keeper == 0)
        vidmm_keeper_run(board, options, body, argument, tool);
    wait_for(board, options->progress, keeper, &status);
    vidmm_remains_end(&spared, name, sizeof(name)); /* none, unless the keeper was ended */
    prctl(PR_SET_CHILD_SUBREAPER, before, 0, 0, 0);
    if (WIFSIGNALED(status)) {
        board->problem[0] = 0; /* what the child came to before its own end follows from this */
        vidmm_board_problem(board, "signal %d (%s) ended the process that watches the driver",
                            WTERMSIG(status), strsignal(WTERMSIG(status)));
    }
    vidmm_board_settle(board, options->plugin ||
                                  (options->configuration && options->configuration->plugin[0]));
    if (options->progress)
        fprintf(options->progress, "\r\033[K");
    return true;
}
