/* replay_picture.h: the picture of a replay on a foreign driver: who sat where in its segments.
 *
 *     manager (struct vidmm_observer) --+--> chart --> SVG
 *     programs (listeners)  ------------'
 *
 * The chart begins when the manager knows the driver's segments.
 */
#ifndef VIDMM_CHECK_REPLAY_PICTURE_H
#define VIDMM_CHECK_REPLAY_PICTURE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include <vidmm/adapter.h>

#include "check/check.h"
#include "trace/replay.h"

struct vidmm_board;
struct vidmm_replay_picture;
struct vidmm_statistics;
struct vidmm_trace;

/* A program, as the picture sees it. */
struct vidmm_replay_view {
    struct vidmm_replay_listener listener; /* for the program */
    struct vidmm_replay_picture *picture;
    const struct vidmm_trace *trace;
    uint32_t number;
};

struct vidmm_replay_picture {
    struct vidmm_board *board;
    pthread_mutex_t mutex; /* the manager calls from its threads, programs from theirs */
    const char *path;      /* NULL: no picture is wanted */
    FILE *file;
    struct vidmm_chart *chart; /* NULL: none yet, or no memory */
    struct vidmm_observer observer;
    struct vidmm_replay_view views[VIDMM_REPLAY_FILES];
    uint64_t memory, aperture; /* bytes of the driver's segments */
};

/* Open the file: the tool's own files are closed to the driver by then, and may not be written any
 * more. path: NULL: count frames on the board alone. False: it cannot be written, which the board
 * says. */
bool vidmm_replay_picture_open(struct vidmm_replay_picture *picture, struct vidmm_board *board,
                               const char *path);
/* The listener for a program. */
const struct vidmm_replay_listener *vidmm_replay_picture_view(struct vidmm_replay_picture *picture,
                                                              uint32_t program,
                                                              const struct vidmm_trace *trace);
/* Draw it, when the programs have run. title: their names. A picture that cannot be written is a
 * problem on the board. */
void vidmm_replay_picture_draw(struct vidmm_replay_picture *picture, const char *title,
                               const struct vidmm_statistics *manager);
/* Give everything back; the file is removed if it was not drawn. Takes one that was never opened,
 * all zeros. */
void vidmm_replay_picture_close(struct vidmm_replay_picture *picture);

#endif
