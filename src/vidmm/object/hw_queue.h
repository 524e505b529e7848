/* hw_queue.h: a hardware queue, as the rooms around the engine know it. Structures and no more. The
 * adapter's mutex guards what is not said to be the pump's.
 *
 *     context (the miniport's) --- queue --- lane: a context without one of the miniport's, with
 *                                    |             a node of its own in events
 *                                    '------ fence: the newest id that the GPU has come to
 */
#ifndef VIDMM_OBJECT_HW_QUEUE_H
#define VIDMM_OBJECT_HW_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_context;
struct vidmm_fence;

/* Nodes of events that a node of the driver has for its queues, if there are so many. */
#define VIDMM_HW_QUEUES_MOST 16u

struct vidmm_hw_queue {
    struct vidmm_context *context; /* that it belongs to */
    struct vidmm_context *lane;    /* what is queued, and the places of it */
    struct vidmm_fence *fence;     /* its progress */
    uint64_t fence_address;        /* of the fence, to the GPU */
    uint64_t newest;               /* the newest id that a program has submitted; 0: none */
    HANDLE h_queue;                /* the miniport's */
    uint32_t told;                 /* the pump's: the newest fence that the engine has heard of */
    bool ready;                    /* the driver has made it */
    bool timeless;                 /* DisableGpuTimeout: its packets may take any time */
};

#endif
