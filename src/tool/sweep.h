/* sweep.h: one recorded program on GPUs of many sizes: how much is paged with each.
 *
 *     trace --> least memory --+
 *     from, to, steps ---------+--> sizes --> a replay each, nothing executed --> points
 *                                              '--> LRU and Belady beside it (trace/bounds.h)
 *
 * The replay is the one of `vidmm replay --execute none`, with an aperture in which everything fits
 * that need not be in memory.
 */
#ifndef VIDMM_TOOL_SWEEP_H
#define VIDMM_TOOL_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_progress;

#define VIDMM_SWEEP_STEPS 64u /* most of them */
#define VIDMM_SWEEP_HALVINGS 4u
#define VIDMM_SWEEP_POINTS (VIDMM_SWEEP_STEPS + VIDMM_SWEEP_HALVINGS)

struct vidmm_sweep_point {
    uint64_t memory; /* bytes, whole pages */
    uint64_t bytes_again, bytes_out;
    uint64_t frames_held;
    uint64_t lru_bytes, belady_bytes; /* that come in again under these policies */
};

struct vidmm_sweep_options {
    const char *file;
    uint64_t from, to; /* bytes; 0: from the least that runs, to the size that holds all */
    uint32_t steps;    /* 2 .. VIDMM_SWEEP_STEPS */
    uint32_t wddm;     /* the driver's level, times ten; 0: 1.3 */
};

struct vidmm_sweep {
    const char *name; /* of the file, without folder */
    char app[160];
    char problem[512]; /* why it could not be done; empty: it was */
    int interrupted;   /* by this signal, before its end; 0: by none */
    uint64_t least;    /* bytes that the largest submission needs: less does not run */
    uint64_t peak;     /* most bytes of local allocations at one time */
    uint64_t frames;
    struct vidmm_sweep_point points[VIDMM_SWEEP_POINTS]; /* by memory */
    uint32_t count;
    /* Conclusions from the points, in bytes; 0: the points do not say. */
    uint64_t enough; /* the least from which on no frame is held up */
    uint64_t knee;   /* the point that lies deepest under the line from the first to `enough` */
};

/*
 * Replay the program once a size, and up to VIDMM_SWEEP_HALVINGS times more to find `enough`.
 *
 * progress   drawn a replay each; its total is what the caller says.
 * False: problem says why; the points that were done are there.
 */
bool vidmm_sweep(const struct vidmm_sweep_options *options, struct vidmm_progress *progress,
                 uint64_t *done, struct vidmm_sweep *sweep);

/* The point with so much memory; NULL: there is none. */
const struct vidmm_sweep_point *vidmm_sweep_point(const struct vidmm_sweep *sweep, uint64_t memory);

#endif
