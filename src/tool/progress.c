#include "tool/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tool/size.h"

#define SECOND 1000000000u
#define CELLS 20

uint64_t vidmm_clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

void vidmm_progress_begin(struct vidmm_progress *progress, uint64_t total)
{
    *progress = (struct vidmm_progress){.shown = isatty(STDERR_FILENO) == 1,
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

void vidmm_progress_draw(const struct vidmm_progress *progress, uint64_t done, uint64_t paged)
{
    double seconds = (double)(vidmm_clock_ns() - progress->begun_ns) / SECOND;
    double left = done > 0 ? seconds * (double)(progress->total - done) / (double)done : 0;
    struct vidmm_size_text all = vidmm_size_text(paged);
    struct vidmm_size_text speed = vidmm_size_text((uint64_t)((double)paged / seconds));
    char bar[CELLS + 1];

    memset(bar, '.', CELLS);
    memset(bar, '#', done * CELLS / progress->total);
    bar[CELLS] = 0;
    fprintf(stderr,
            "\r\033[K[%s]  %" PRIu64 " of %" PRIu64 " frames   %s paged   %s/s   %.0f s left", bar,
            done, progress->total, all.text, speed.text, left);
    fflush(stderr);
}

void vidmm_progress_end(const struct vidmm_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
}
