/* world.h: a symbolic machine around the engine: no driver, no bytes, every page a number.
 *
 * A page's content is (allocation, page, version), or one of three marks. Paging operations and DMA
 * buffers are carried out on those numbers in the order that a GPU with several nodes may run them,
 * which the caller's random numbers choose. A DMA buffer finds its allocations where the engine
 * said they are; any page that is not what was last written there is a failure of the engine.
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
    bool bridged; /* the aperture is of AGP type: writes of the GPU through it may be held back */
    bool memory_cpu_visible;
    bool pitch_aligned; /* segment 2: each page of an allocation takes two of the segment */
    bool banked;        /* segment 2: four banks */
    bool pinned;        /* some allocations are overlays */
    bool even;          /* all allocations are of one size; the order of leaving is judged */
    bool swizzled;      /* some allocations are */
    bool preserved_standby, preserved_hibernate; /* segment 2 keeps its content through it */
    uint64_t preserved_end;                      /* pages of it that hibernation keeps */
    uint32_t ranges;                             /* swizzling ranges, to 4 */
    bool synchronous;                            /* some allocations are SynchronousPaging */
    bool submit_empty, one_operation;
    bool whole_lists; /* allocations that no patch location names are in place too */
    bool move_directly;
    bool hangs; /* nodes hang, softly or hard, and time passes */
    bool preemption, engine_reset;
    bool linked;  /* the GPU is the one of a link that is ahead of the others */
    bool windows; /* locked allocations may move: their addresses follow */
    bool saves;   /* contexts, and devices, have allocations of their own */
    bool listed;  /* residency is explicit: no locks, hangs or contexts with memory of their own */
    uint64_t first_fence;
};

struct world;

/* *memory must outlive the world. */
struct world *world_create(const struct world_options *options, const struct vidmm_memory *memory);
void world_destroy(struct world *world);

/* Do one thing that `choice` picks: create, destroy, submit, lock, write what is locked, unlock,
 * run a node, report a fence, answer a call, have everything evicted, offer, reclaim, take the
 * power away, read the memory segment. NULL, or what went wrong. */
const char *world_act(struct world *world, uint32_t choice, uint32_t argument);

/* Do one thing as world_act() does, but every third one is a lock by an alternate address, or its
 * end. */
const char *world_act_by_ranges(struct world *world, uint32_t choice, uint32_t argument);

/* Create, destroy, submit, offer or reclaim, as `choice` picks. NULL, or what went wrong. */
const char *world_act_in_turn(struct world *world, uint32_t choice, uint32_t argument);

/* Create, destroy, submit, make resident, evict, have budgets, offer, run a node, report a fence,
 * answer a call, take the power away. NULL, or the problem. */
const char *world_act_listed(struct world *world, uint32_t choice, uint32_t argument);

/* Let everything that is under way end. NULL, or what went wrong (something that never ends). */
const char *world_drain(struct world *world);

/* The events in a world. */
struct world_counts {
    uint64_t submissions;        /* DMA buffers executed and found right */
    uint64_t splits;             /* cuts of them */
    uint64_t evictions, moves;   /* moves: pages moved inside a segment, directly */
    uint64_t switches;           /* contexts left before what they used moved */
    uint64_t saved, initialised; /* context allocations: saved late, given their first content */
    uint64_t fence_signals, fence_waits; /* of monitored fences; waits of the CPU */
    uint64_t fence_holds;                /* waits in queues that have come true */
    uint64_t errors;                     /* devices in error */
    uint64_t errors_of_memory;           /* of these, out of memory */
    uint64_t losses;                     /* contents lost behind what is pinned (S0-045) */
    uint64_t resets;                     /* of the adapter */
    uint64_t preemptions;                /* nodes that stopped */
    uint64_t pushes;                     /* reads for the sake of a bridge */
    uint64_t swizzles;                   /* pages that were, in transfers */
    uint64_t ranged;                     /* locks by swizzling ranges */
    uint64_t alternates;                 /* of these, by alternate addresses */
    uint64_t special;                    /* pages that special-lock transfers moved */
    uint64_t reads;                      /* of the memory segment, raw */
    uint64_t rests;                      /* times that the power went */
    uint64_t page_outs;                  /* granted */
    uint64_t compactions;                /* of a segment, as a test asks for it */
    uint64_t suspended;                  /* devices, by a test */
    uint64_t signals, refused;           /* of paging queues; MakeResidents without memory */
    uint64_t demotions, promotions, suspensions;
    uint64_t discards; /* contents reclaimed that had been discarded */
    uint64_t
        left[4]; /* memory in an even world, and were judged: 1 offered low, 2 high, 3 in use */
};

/* Add what has happened in the world to the totals. */
void world_count(const struct world *world, struct world_counts *totals);

#endif
