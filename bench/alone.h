/* alone.h: the engine alone, for rows of decisions: no driver, no bytes. Calls are answered at
 * once, fences as soon as all is submitted.
 *
 *     segment 1   an aperture, through which page-outs go
 *     segment 2   memory, where all allocations live
 */
#ifndef VIDMM_BENCH_ALONE_H
#define VIDMM_BENCH_ALONE_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/engine.h>

#include "bench.h"

enum { ALONE_NODES = 2, ALONE_FIRST_ID = 2 };

struct alone {
    struct bench_memory memory;
    struct vidmm_engine *engine;
    struct vidmm_reference *list;         /* of the DMA buffer that is submitted next */
    struct vidmm_patch_location *patches; /* one a reference: all of them are needed in place */
    uint32_t count, capacity;             /* of the list */
    uint32_t *ids;                        /* of one MakeResident or Evict */
    uint32_t submissions;
    struct vidmm_event answer; /* to be given next, if `answers` */
    bool answers;
    uint32_t fences[ALONE_NODES]; /* newest submitted; 0: complete */
    uint64_t time_ns;
    uint64_t decided_ns; /* the time of the step that took in the newest DMA buffer */
};

/* How the GPU reaches memory, and so how allocations lie there. */
enum alone_kind {
    ALONE_PHYSICAL,   /* by segment addresses: in one range each */
    ALONE_CONTIGUOUS, /* by an MMU, and in one range each all the same */
    ALONE_RUNS,       /* by an MMU: in runs of pages */
    ALONE_LISTED,     /* by an MMU, in place if the device's residency list names it: WDDM 2 */
};

/* Make an engine with so many bytes of memory, for lists of up to `capacity` references. */
void alone_begin(struct alone *alone, uint64_t size, uint32_t capacity, enum alone_kind kind);

/* Create an allocation; its id is ALONE_FIRST_ID + index. Destroy it. */
void alone_create(struct alone *alone, uint32_t index, uint64_t size, uint64_t alignment);
void alone_destroy(struct alone *alone, uint32_t index);

/* Add an allocation to the list; submit the list, and let all of it come to its end. */
void alone_name(struct alone *alone, uint32_t index, bool write);
void alone_submit(struct alone *alone);
/* Submit the list, and keep it for the next time. */
void alone_submit_again(struct alone *alone);

/* ALONE_LISTED: put so many allocations from an index on the device's residency list, or take them
 * off; they come into place now. Map one at an address of its process, and unmap it. The tables are
 * written now. */
void alone_make_resident(struct alone *alone, uint32_t first, uint32_t count);
void alone_evict(struct alone *alone, uint32_t first, uint32_t count);
void alone_map(struct alone *alone, uint32_t index, uint64_t address, uint64_t size);
void alone_unmap(struct alone *alone, uint64_t address, uint64_t size);

/* Whether an allocation is in its segment. */
bool alone_is_resident(const struct alone *alone, uint32_t index);

struct vidmm_engine_statistics alone_statistics(const struct alone *alone);
void alone_finish(struct alone *alone);

#endif
