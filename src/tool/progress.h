/*
 * progress.h: one line on a terminal that says how far a replay is.
 *
 *     [#######.......]  612 of 1349 frames  1.2 GiB paged  301.4 MiB/s  4 s left
 */
#ifndef VIDMM_TOOL_PROGRESS_H
#define VIDMM_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Is stderr a terminal on which a line can be drawn again? One that says TERM=dumb is not. */
bool vidmm_progress_can_draw(void);

struct vidmm_progress {
    bool shown;     /* stderr is a terminal that can go back in a line */
    uint64_t total; /* frames */
    uint64_t begun_ns, next_ns;
};

void vidmm_progress_begin(struct vidmm_progress *progress, uint64_t total);
/* Is it time to draw again? Cheap. */
bool vidmm_progress_due(struct vidmm_progress *progress);
/* Never wider than the terminal is now. */
void vidmm_progress_draw(const struct vidmm_progress *progress, uint64_t done, uint64_t paged);
/* Wipe the line. */
void vidmm_progress_end(const struct vidmm_progress *progress);

/* Nanoseconds of a clock that never goes back. */
uint64_t vidmm_clock_ns(void);

#endif
