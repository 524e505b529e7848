/* paging_queue.h: a paging queue as the rooms around the engine know it. A structure and no more.
 * The adapter's mutex guards what is not said to be atomic.
 */
#ifndef VIDMM_OBJECT_PAGING_QUEUE_H
#define VIDMM_OBJECT_PAGING_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_device;
struct vidmm_fence;

struct vidmm_paging_queue {
    struct vidmm_device *device;
    struct vidmm_paging_queue *next, **link; /* of its device */
    uint32_t physical_adapter; /* of a link: the one whose page tables it changes (D-229) */
    uint32_t id;               /* in events: index + 1 in the adapter's table of paging queues */
    NTSTATUS status;           /* why the newest work that failed did; STATUS_SUCCESS: none has */
    _Atomic uint64_t passed;   /* the fence value; anybody may read it, and the pump writes it */
    struct vidmm_fence *fence; /* of which the memory has that value too; NULL: it has none */
    uint64_t newest;           /* that has been answered: passed, when nothing is pending */
    bool makes_updates;        /* of an update queue, which hears when it passes a value */
    bool destroyed;            /* by its owner; something was pending then */
};

#endif
