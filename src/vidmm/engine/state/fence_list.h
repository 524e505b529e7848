/* fence_list.h: several fences with a value each, that are waited for or signaled together.
 *
 *     a wait                                              a signal
 *
 *     queued --- REACH_HEAD ---> waiting                  queued --- FOLLOW ---> following
 *       |                           |                       |                        |
 *       | MEET: all is so already   | MEET, or END          | END                    | PASS, or END
 *       v                           v                       v                        v
 *      over <-----------------------'                      over <--------------------'
 *
 * The CPU's waits begin at the head. END is for what can never come true: a fence or a device is
 * destroyed, the device is in error, the engine stops. fence_list.c has the table.
 *
 * Source: D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU, ...FROMGPU; D-188, D-189, D-251.
 */
#ifndef VIDMM_ENGINE_STATE_FENCE_LIST_H
#define VIDMM_ENGINE_STATE_FENCE_LIST_H

#include "vidmm/engine/state/fence_state.h"
#include "vidmm/engine/state/transition.h"

struct vidmm_engine;
struct vidmm_event;

enum fence_list_event {
    FENCE_LIST_REACH_HEAD, /* it is the first of its queue, and does not hold */
    FENCE_LIST_MEET,       /* its fences have their values */
    FENCE_LIST_FOLLOW,     /* its turn has come; what was before it may be in flight */
    FENCE_LIST_PASS,       /* ... and has ended */
    FENCE_LIST_END,        /* it will not be waited for any more */
    FENCE_LIST_EVENTS,
};

extern const struct vidmm_transition vidmm_fence_list_table[];
extern const uint32_t vidmm_fence_list_rows;

/* Whether the fences of an event may be waited for, or with `signals` signaled, by its device.
 * STATUS_INVALID_PARAMETER: an engine without explicit residency, no such device, a number of
 * fences that is 0 or above VIDMM_FENCES_AT_ONCE, a fence that there is not or of another device
 * that is not shared, a value that a narrow fence does not reach; STATUS_ACCESS_DENIED: its flags
 * forbid it (D-191); the status of a device in error. */
NTSTATUS vidmm_fence_list_judge(const struct vidmm_engine *engine, const struct vidmm_event *event,
                                bool signals);
/* Make a list of what was judged so. NULL: no memory. */
struct vidmm_fence_list *vidmm_fence_list_create(struct vidmm_engine *engine,
                                                 const struct vidmm_event *event, bool signals);
/* Nothing refers to it: give it back, wherever it stands. Takes NULL. */
void vidmm_fence_list_destroy(struct vidmm_engine *engine, struct vidmm_fence_list *list);

/* Wait from here on. True: it is over, for all is so already, or its device is in error. */
bool vidmm_fence_list_begin(struct vidmm_engine *engine, struct vidmm_fence_list *list);
/* It waits, and shall not any more. */
void vidmm_fence_list_end(struct vidmm_engine *engine, struct vidmm_fence_list *list,
                          NTSTATUS status);
/* Take one whose waiting is over. NULL: there is none. */
struct vidmm_fence_list *vidmm_fence_list_take_over(struct vidmm_engine *engine);
/* End the wait of one whose device is in error, or with all of them if the engine stops; and
 * give up a fence of a device in error. False: nothing of that is due. */
bool vidmm_fence_list_fail(struct vidmm_engine *engine);
/* The waits of a device that is destroyed end with STATUS_CANCELLED. */
void vidmm_fence_list_clear(struct vidmm_engine *engine, uint32_t device);
/* Write one more of its signals. False: all are written. */
bool vidmm_fence_list_write(struct vidmm_engine *engine, struct vidmm_fence_list *list);
/* Change the state; asserts that the table has the row. */
void vidmm_fence_list_move(struct vidmm_fence_list *list, enum fence_list_event event);
/* Name of a state, for people. Never NULL. */
const char *vidmm_fence_list_string(enum fence_list_state state);
/* Stop the program if an invariant does not hold. */
void vidmm_fence_list_check(const struct vidmm_engine *engine);

#endif
