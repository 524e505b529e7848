#include "tool/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "tool/size.h"

#define SECOND 1000000000u
#define CELLS 14
#define LINE_SIZE 200

uint64_t vidmm_clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

bool vidmm_progress_can_draw(void)
{
    const char *terminal = getenv("TERM");

    return isatty(STDERR_FILENO) == 1 && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

/* Columns of the terminal; as many as any line needs if it does not say. */
static int columns(void)
{
    struct winsize size;

    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                           : LINE_SIZE;
}

void vidmm_progress_begin(struct vidmm_progress *progress, uint64_t total)
{
    *progress = (struct vidmm_progress){.shown = vidmm_progress_can_draw(),
                                        .total = total > 0 ? total : 1,
                                        .begun_ns = vidmm_clock_ns()};
    progress->next_ns = progress->begun_ns + SECOND / 10;
}

bool vidmm_progress_due(struct vidmm_progress *progress)
{
    if (!progress->shown || vidmm_clock_ns() < progress->next_ns)
        return false;
    progress->next_ns = vidmm_clock_ns() + SECOND / 10;
    return true;
}

static double seconds_since_begin(const struct vidmm_progress *progress)
{
    return (double)(vidmm_clock_ns() - progress->begun_ns) / SECOND;
}

void vidmm_progress_draw(const struct vidmm_progress *progress, uint64_t done, const char *unit,
                         const char *detail)
{
    double seconds = seconds_since_begin(progress);
    double left = done > 0 ? seconds * (double)(progress->total - done) / (double)done : 0;
    char bar[CELLS + 1], line[LINE_SIZE];

    if (!progress->shown)
        return;
    memset(bar, '.', CELLS);
    memset(bar, '#', done * CELLS / progress->total);
    bar[CELLS] = 0;
    snprintf(line, sizeof(line), "[%s]  %" PRIu64 " of %" PRIu64 " %s  %s  %.0f s left", bar, done,
             progress->total, unit, detail, left);
    fprintf(stderr, "\r\033[K%.*s", columns() - 1, line); /* in the last column it might wrap */
    fflush(stderr);
}

void vidmm_progress_paged(const struct vidmm_progress *progress, uint64_t done, uint64_t paged)
{
    struct vidmm_size_text all = vidmm_size_text(paged);
    struct vidmm_size_text speed =
        vidmm_size_text((uint64_t)((double)paged / seconds_since_begin(progress)));
    char detail[80];

    snprintf(detail, sizeof(detail), "%s paged  %s/s", all.text, speed.text);
    vidmm_progress_draw(progress, done, "frames", detail);
}

void vidmm_progress_end(const struct vidmm_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
}
