/* fence_state.h: monitored fences as objects with ids, and the lists of waits and of signals that
 * name them.
 *
 *     fence 5 <---- value 42 ----.
 *     fence 6 <---- value 7 -----+-- list: the CPU waits, or a work in a context's queue waits for
 *                                          them or signals them
 *
 *     fence VIDMM_PAGING_QUEUE_FENCE | 3    of paging queue 3: its record is the queue's
 *
 * For the modules of the engine that look into it: engine_state.h has a pointer. Structures only.
 */
#ifndef VIDMM_FENCE_STATE_H
#define VIDMM_FENCE_STATE_H

#include "vidmm/engine/state/monitored_fence.h"
#include "vidmm/engine/state/work_state.h"

/* A monitored fence. Allocated alone, for waits lead to it. */
struct vidmm_fence_object {
    struct vidmm_monitored_fence fence; /* first member */
    struct vidmm_fence_object *next;    /* of those that are to be read */
    uint32_t id, device;
    uint32_t flags; /* VIDMM_FENCE_... */
    uint32_t users; /* places in lists that name it, and 1 while it is to be read (D4) */
    bool gone;      /* destroyed: its id is free, and it stays while it has users */
    bool given_up;  /* its device is in error, and it has the greatest value for that */
    bool read_due;  /* VIDMM_DO_READ_FENCE is due */
};

VIDMM_QUEUE(vidmm_fence_objects, struct vidmm_fence_object, next);

/* The states of a list of waits or of signals (fence_list.h draws them). */
enum fence_list_state {
    FENCE_LIST_QUEUED,    /* others are before it in the queue of its context */
    FENCE_LIST_WAITING,   /* not all, or none, of its fences have come to their values */
    FENCE_LIST_FOLLOWING, /* signals: what was queued before it is in flight */
    FENCE_LIST_OVER,      /* nothing holds it back, and its consequences are due */
    FENCE_LIST_STATES,
};

/* Several fences with a value each: to be waited for, or to be signaled. */
struct vidmm_fence_list {
    struct vidmm_fence_waiter waiter;         /* first member */
    struct vidmm_fence_list *next, *previous; /* of those that wait, or of those that were ended */
    struct vidmm_work *work;                  /* in a context's queue; NULL: the CPU waits */
    uint32_t request;                         /* of the CPU's wait */
    uint32_t device;
    uint32_t count, written; /* fences; of the signals: so many are written */
    NTSTATUS status;         /* as which the wait ends */
    bool signals, any;
    uint8_t state; /* enum fence_list_state */
    struct vidmm_fence_wait waits[];
};

/* All of it that an engine has. */
struct vidmm_fences {
    struct vidmm_fence_object **table; /* by id */
    uint32_t capacity;
    struct vidmm_fence_watch watch;
    struct vidmm_fence_objects reads;
    struct vidmm_fence_list *waiting; /* WAITING */
    struct vidmm_fence_list *ended;   /* OVER, and not because of their fences */
    struct vidmm_works signals;       /* FOLLOWING */
    bool signals_may_go;              /* something ended that one of them may follow */
    bool failed;                      /* a device has failed, and its waits or fences are due */
    uint32_t failed_next;             /* ... fences with ids below this are done */
};

#endif
