/* fence.h: monitored fences, as the rooms around the engine know them. Structures and no more. The
 * adapter's mutex guards what is not said to be atomic.
 *
 *     page of a process   | value | value | value | ...  512 of them
 *        |   '-- view: the page is at this address of that process, one for each process
 *        '------ record: its id, by which the engine maps it
 */
#ifndef VIDMM_OBJECT_FENCE_H
#define VIDMM_OBJECT_FENCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vidmm/page.h>

#include "vidmm/object/backing.h"

struct vidmm_allocation;
struct vidmm_device;
struct vidmm_process;

#define VIDMM_FENCES_OF_PAGE ((uint32_t)(VIDMM_PAGE_SIZE / sizeof(uint64_t)))

/* A page at an address of a process. */
struct vidmm_fence_view {
    struct vidmm_fence_view *next; /* of its page */
    const struct vidmm_process *process;
    uint64_t address;
};

struct vidmm_fence_page {
    struct vidmm_fence_page *next, **link; /* of its adapter */
    const struct vidmm_process *owner;     /* whose fences it has; NULL: that has ended */
    bool shared;                           /* it has one fence, or had it, which others may see */
    uint32_t id;                           /* in events; 0: the GPU does not reach it */
    struct vidmm_backing backing; /* id 0: its own; otherwise a copy of the record's, which owns */
    const void *shown;            /* where programs read it: they cannot write there (D-247) */
    struct vidmm_fence_view *views;
    uint32_t count, last; /* values that are in use; the one that was given newest */
    uint64_t used[VIDMM_FENCES_OF_PAGE / 64];
};

struct vidmm_fence {
    struct vidmm_device *device;
    struct vidmm_fence *next, **link; /* of its device; a paging queue's is in no list */
    struct vidmm_fence *next_read;    /* of those that the engine wants read (pump/fence_value.c) */
    struct vidmm_fence_page *page;
    uint32_t index;   /* in its page */
    uint32_t id;      /* in events: index + 1 in the adapter's table; or VIDMM_PAGING_QUEUE_FENCE */
    uint32_t flags;   /* VIDMM_FENCE_... */
    bool read_due;    /* it is in that list */
    bool of_hw_queue; /* it goes with its hardware queue */
};

/* The memory of its value. */
static inline _Atomic uint64_t *vidmm_fence_at(const struct vidmm_fence *fence)
{
    return (_Atomic uint64_t *)fence->page->backing.address + fence->index;
}

/* A wait of the CPU, from its event until whoever waits has heard of its end. */
struct vidmm_fence_waiting {
    struct vidmm_adapter *adapter;
    struct vidmm_fence_waiting *next; /* of those whose end is to be told */
    uint32_t id;                      /* of the request */
    bool over;                        /* `status` says how it ended */
    bool given_up;                    /* nobody waits for it any more */
    NTSTATUS status;
    void (*notice)(void *argument, NTSTATUS status); /* NULL: a thread blocks */
    void *argument;
};

#endif
