/*
 * progress.h: one line on a terminal that says how far something is.
 *
 *     [#######.......]  612 of 1349 frames  1.2 GiB paged  301.4 MiB/s  4 s left
 *     [###...........]  5 of 24 replays  openarena.vmt.gz with 240.0 MiB  12 s left
 */
#ifndef VIDMM_TOOL_PROGRESS_H
#define VIDMM_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Is stderr a terminal on which a line can be drawn again? One that says TERM=dumb is not. */
bool vidmm_progress_can_draw(void);

struct vidmm_progress {
    bool shown;     /* stderr is a terminal that can go back in a line */
    uint64_t total; /* steps */
    uint64_t begun_ns, next_ns;
};

void vidmm_progress_begin(struct vidmm_progress *progress, uint64_t total);
/* Is it time to draw again? Cheap. */
bool vidmm_progress_due(struct vidmm_progress *progress);
/* Draw it: so many steps are done, which are called `unit`; `detail` stands before the time that is
 * left. Never wider than the terminal is now. Nothing is drawn where none is shown. */
void vidmm_progress_draw(const struct vidmm_progress *progress, uint64_t done, const char *unit,
                         const char *detail);
/* Draw it for a replay: frames, and bytes paged. */
void vidmm_progress_paged(const struct vidmm_progress *progress, uint64_t done, uint64_t paged);
/* Wipe the line. */
void vidmm_progress_end(const struct vidmm_progress *progress);

/* Nanoseconds of a clock that never goes back. */
uint64_t vidmm_clock_ns(void);

#endif
