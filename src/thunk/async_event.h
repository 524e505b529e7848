/* async_event.h: events of a program: file descriptors of eventfd, which a HANDLE carries.
 *
 *     program: eventfd() ---> hAsyncEvent ---> take: a descriptor of ours for the same event
 *                                                |
 *     program: read() <----------------------- set: one more
 *
 * A program may close its descriptor at any time; ours stays good.
 */
#ifndef VIDMM_THUNK_ASYNC_EVENT_H
#define VIDMM_THUNK_ASYNC_EVENT_H

#include <vidmm/fence.h>
#include <wddm/wddm_types.h>

/* A descriptor of ours for an event of the program. -1: the handle is no event; the reason says it,
 * with the name of the member. */
int vidmm_async_event_take(HANDLE handle, const char *member);
void vidmm_async_event_set(int event);
/* Takes -1. */
void vidmm_async_event_release(int event);

/* A notice that sets the event when a wait is over, however it ended, and releases it. */
struct vidmm_fence_notice vidmm_async_event_notice(int event);

#endif
