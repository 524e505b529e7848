/* semaphore.h: mutexes and semaphores, which the queues of contexts take and give.
 *
 *     queue:  ... [turn: wait] [held back until it is granted] ...      count 1 -> 0
 *     queue:  ... [turn: signal] ...                                    count 0 -> 1
 *
 * A mutex is a semaphore that counts to 1. A *turn* is a wait or a signal in the queue of a
 * context, and comes when the queue comes to it. A wait takes 1 of each of its objects, all at once
 * or none; those that have come first are granted first, and one that finds its objects may pass
 * one that does not. A signal gives 1 to each of its objects, up to the most that it may have.
 *
 * An object that is destroyed keeps nobody waiting. All objects of a turn are of the device of its
 * context.
 *
 * Ownership: objects belong to their handles, and live on while a turn names them. Everything may
 * be called by any thread.
 *
 * Source: D3DKMT_CREATESYNCHRONIZATIONOBJECT, D3DKMT_WAITFORSYNCHRONIZATIONOBJECT,
 * D3DKMT_SIGNALSYNCHRONIZATIONOBJECT, D3DDDI_SYNCHRONIZATIONOBJECTINFO.
 */
#ifndef VIDMM_THUNK_SEMAPHORE_H
#define VIDMM_THUNK_SEMAPHORE_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/fence.h>
#include <vidmm/plan.h>

struct vidmm_context;
struct vidmm_device;
struct vidmm_semaphore;
struct vidmm_semaphores;
struct vidmm_turn;

/* All of a process. NULL: no memory. */
struct vidmm_semaphores *vidmm_semaphores_create(void);
/* No object and no turn is left. Takes NULL. */
void vidmm_semaphores_destroy(struct vidmm_semaphores *all);

/* count: at first, at most `most`, which is 1 or more. NULL: no memory. */
struct vidmm_semaphore *vidmm_semaphore_create(struct vidmm_semaphores *all, uint32_t count,
                                               uint32_t most);
/* Its handle has gone: who waits goes on. Takes NULL. */
void vidmm_semaphore_end(struct vidmm_semaphore *semaphore);
/* One more user of it, or one less: it is not freed meanwhile. */
void vidmm_semaphore_take(struct vidmm_semaphore *semaphore);
void vidmm_semaphore_release(struct vidmm_semaphore *semaphore);

/* The parts of a turn. */
struct vidmm_turn_wish {
    struct vidmm_device *device;
    struct vidmm_context *context; /* of the device */
    struct vidmm_semaphore *objects[VIDMM_FENCES_AT_ONCE];
    uint32_t count;                 /* of the objects, 1 or more */
    bool waits;                     /* false: it signals */
    struct vidmm_fence_point grant; /* waits: signaled when it is granted */
};

/* Make a turn that comes with the notice; *notice is written. NULL: no memory. */
struct vidmm_turn *vidmm_turn_create(struct vidmm_semaphores *all,
                                     const struct vidmm_turn_wish *wish,
                                     struct vidmm_fence_notice *notice);
/* It does not come: nobody has its notice. */
void vidmm_turn_destroy(struct vidmm_turn *turn);

/* A context (or, if it is NULL, a device) is about to be destroyed: none of its waits is granted
 * from now on. */
void vidmm_turns_forget(struct vidmm_semaphores *all, const struct vidmm_device *device,
                        const struct vidmm_context *context);

#endif
