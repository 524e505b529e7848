/* frames.h: which page frames of system memory are free.
 *
 *     frame   0        window                                    count
 *             |--shuffled--->|                                     |
 *             |  taken as runs of 1 to 16     <---consecutive-----|
 *
 * Shuffled requests are served from random places of a window that grows with need, so that the
 * rest of memory stays whole for requests of consecutive frames, which are served from the top
 * down. Frames count from 0 here; the caller knows their numbers on the machine.
 *
 * The free frames are a bit each; a bit of the level above says whether a word of the level below
 * has any bit set, so that the next free frame is found in a few steps however full memory is.
 * Not for several threads at once.
 */
#ifndef VIDMM_HOST_FRAMES_H
#define VIDMM_HOST_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#define VIDMM_FRAMES_LEVELS 5u /* of 64 bits a word: up to 2^30 frames */
#define VIDMM_FRAMES_MOST (UINT64_C(1) << 30)
#define VIDMM_FRAMES_RUN_LIMIT 16u /* longest run of a shuffled request */

struct vidmm_frames {
    uint64_t count;       /* all frames */
    uint64_t free;        /* of these */
    uint64_t window;      /* shuffled requests look below this frame */
    uint64_t window_free; /* free frames below it */
    uint64_t random;
    bool ordered; /* no shuffling: the lowest free frames first */
    unsigned levels;
    uint64_t bits[VIDMM_FRAMES_LEVELS];   /* bits of each level */
    uint64_t *level[VIDMM_FRAMES_LEVELS]; /* [0]: a bit a frame, set if free */
    uint64_t *used;                       /* a bit a frame, set if it has ever been taken */
};

/* Make all of count frames (1 to VIDMM_FRAMES_MOST) free. False: no memory. */
bool vidmm_frames_init(struct vidmm_frames *frames, uint64_t count, bool ordered, uint64_t seed);
void vidmm_frames_finish(struct vidmm_frames *frames);

/* Take count frames (1 or more) below `limit` into list, consecutive and rising if contiguous.
 * False: there are not so many (consecutive) free frames; nothing has changed. */
bool vidmm_frames_take(struct vidmm_frames *frames, uint64_t count, uint64_t limit, bool contiguous,
                       uint64_t *list);

/* Take count consecutive frames (1 or more) below `limit`; *first is the lowest of them. False:
 * there are not so many; nothing has changed. */
bool vidmm_frames_take_run(struct vidmm_frames *frames, uint64_t count, uint64_t limit,
                           uint64_t *first);

/* Take count frames (1 or more) below `limit` into list, in units of so many, a power of two that
 * divides count: the frames of a unit are consecutive, and rise from a multiple of `unit`. False:
 * there are not so many; nothing has changed. */
bool vidmm_frames_take_units(struct vidmm_frames *frames, uint64_t count, uint64_t unit,
                             uint64_t limit, uint64_t *list);

/* Give a frame back. False: it was not taken. */
bool vidmm_frames_release(struct vidmm_frames *frames, uint64_t frame);

/* Is the frame taken? False too if there is no such frame. */
bool vidmm_frames_taken(const struct vidmm_frames *frames, uint64_t frame);

/* Answer whether the frame was ever marked used, and mark it. */
bool vidmm_frames_mark_used(struct vidmm_frames *frames, uint64_t frame);

#endif
