/* world.h: a symbolic machine around the engine: no driver, no bytes, every page a number.
 *
 * A page's content is (allocation, page, version), or one of three marks. Paging operations and DMA
 * buffers are carried out on those numbers in the order that a GPU with several nodes may run them,
 * which the caller's random numbers choose. A DMA buffer finds its allocations where the engine said
 * they are; any page that is not what was last written there is a failure of the engine.
 */
#ifndef TEST_MODEL_WORLD_H
#define TEST_MODEL_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/engine.h>

struct world_options {
    uint64_t memory_pages, aperture_pages; /* segments 2 and 1; at most 256 each */
    uint32_t nodes, paging_node;
    uint32_t paging_buffers, paging_buffer_units; /* a unit: a page of an operation */
    uint32_t queue_limit;
    uint64_t split_pages;
    bool immediate;  /* map and unmap take effect inside the call */
    bool busy_first; /* ALLOCATION_BUSY to the first call of each transfer and discard */
    bool evict_through_aperture;
    bool memory_cpu_visible;
    bool pitch_aligned; /* segment 2: each page of an allocation takes two of the segment */
    bool banked;        /* segment 2: four banks */
    bool pinned;        /* some allocations are overlays */
    bool even;          /* all allocations are of one size; who leaves first is judged */
    bool swizzled;      /* some allocations are */
    bool preserved_standby, preserved_hibernate; /* segment 2 keeps its content through it */
    uint64_t preserved_end;                      /* pages of it that hibernation keeps */
    uint32_t ranges;    /* swizzling ranges, to 4 */
    bool synchronous;   /* some allocations are SynchronousPaging */
    bool submit_empty;
    bool move_directly;
    bool hangs; /* nodes hang, softly or hard, and time passes */
    bool preemption, engine_reset;
    bool linked;  /* the GPU is the one of a link that is ahead of the others */
    bool windows; /* what is locked may move: its addresses follow */
    uint64_t first_fence;
};

struct world;

/* *memory must outlive the world. */
struct world *world_create(const struct world_options *options, const struct vidmm_memory *memory);
void world_destroy(struct world *world);

/* Do one thing that `choice` picks: create, destroy, submit, lock, write what is locked, unlock, run a
 * node, report a fence, answer a call, have everything evicted, offer, reclaim, take the power away. NULL, or what went wrong. */
const char *world_act(struct world *world, uint32_t choice, uint32_t argument);

/* Create, destroy, submit, offer or reclaim, as `choice` picks. NULL, or what went wrong. */
const char *world_act_in_turn(struct world *world, uint32_t choice, uint32_t argument);

/* Let everything that is under way end. NULL, or what went wrong (something that never ends). */
const char *world_drain(struct world *world);

uint64_t world_submissions(const struct world *world); /* DMA buffers executed and found right */
uint64_t world_evictions(const struct world *world);
uint64_t world_moves(const struct world *world);  /* pages moved inside a segment, directly */
uint64_t world_losses(const struct world *world); /* contents lost behind what is pinned (S0-045) */
uint64_t world_rests(const struct world *world);    /* times that the power went */
uint64_t world_discards(const struct world *world); /* contents reclaimed that had been discarded */
/* What left memory in an even world, and was judged: 1 offered low, 2 offered high, 3 in use. */
uint64_t world_left(const struct world *world, uint32_t rank);
uint64_t world_ranged(const struct world *world);   /* locks by swizzling ranges */
uint64_t world_swizzles(const struct world *world); /* pages that were, in transfers */
uint64_t world_splits(const struct world *world); /* cuts of DMA buffers */
uint64_t world_errors(const struct world *world); /* devices out of memory */

uint64_t world_resets(const struct world *world);      /* of the adapter */
uint64_t world_preemptions(const struct world *world); /* nodes that stopped */

#endif
