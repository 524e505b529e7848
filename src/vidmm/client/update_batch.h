/* update_batch.h: changes of addresses that wait for monitored fences, as they are kept. The
 * adapter's mutex guards all of it, and is held in each call; update_queue.c says what goes on.
 *
 * Invariants (V), the adapter's mutex held:
 *   V1  Only the first batch is made.
 *   V2  `changes` is the sum of the batches' counts.
 *   V3  A batch that waits has a notice to come, which frees it if it was dropped meanwhile.
 */
#ifndef VIDMM_CLIENT_UPDATE_BATCH_H
#define VIDMM_CLIENT_UPDATE_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/fence.h>
#include <vidmm/plan.h>

struct vidmm_adapter;
struct vidmm_context;
struct vidmm_device;
struct vidmm_paging_queue;

#define VIDMM_LEFT_OUT 0u /* instead of the kind of an event */

struct vidmm_update_batch {
    struct vidmm_update_batch *next;
    struct vidmm_adapter *adapter;
    struct vidmm_update_queue *queue; /* NULL: it was dropped while it waits */
    struct vidmm_fence_point after;   /* fence NULL: there is none any more */
    bool waits, made;
    uint32_t done;    /* so many of its changes are made, or left out */
    uint64_t written; /* made: the value of the paging queue at which all of it is */
    uint32_t count;
    struct vidmm_event changes[]; /* kind VIDMM_LEFT_OUT: not to be made */
};

struct vidmm_update_queue {
    struct vidmm_device *device;
    struct vidmm_update_queue *next, **link; /* of its adapter */
    struct vidmm_paging_queue *paging;
    struct vidmm_context *companion; /* that makes the changes; NULL: the system's context does */
    struct vidmm_update_batch *first, **last;
    uint32_t changes;
};

/* The first batch goes, made or given up. */
void vidmm_update_queue_drop_first(struct vidmm_update_queue *queue);
void vidmm_update_queue_drop_all(struct vidmm_update_queue *queue);

/* A fence goes: nothing of the adapter waits for it or signals it any more. */
void vidmm_update_queues_forget_fence(struct vidmm_adapter *adapter,
                                      const struct vidmm_fence *fence);
/* An allocation goes: nothing will be mapped to it. */
void vidmm_update_queues_forget_allocation(struct vidmm_adapter *adapter, uint32_t allocation);

#endif
