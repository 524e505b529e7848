/* work.h: the DMA buffers, from their arrival until they retire; work.c draws their states.
 *
 *     work.c   arrival and departure     prepare.c  everything in place     submit.c  to the node
 */
#ifndef VIDMM_ENGINE_WORK_WORK_H
#define VIDMM_ENGINE_WORK_WORK_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_engine;
struct vidmm_event;
struct vidmm_fence_list;
struct vidmm_part;
struct vidmm_placement;
struct vidmm_work;

/* Whether VIDMM_EVENT_SUBMIT can be obeyed. *work receives the record that it takes, for
 * vidmm_work_create(). STATUS_INVALID_PARAMETER: a device, node, reference or patch location that
 * is not legal; STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST; the status of a device in error;
 * STATUS_NO_MEMORY. Refused: nothing has changed. */
NTSTATUS vidmm_work_check(struct vidmm_engine *engine, const struct vidmm_event *event,
                          struct vidmm_work **work);
/* Queue the DMA buffer of an event that vidmm_work_check() has accepted. */
void vidmm_work_create(struct vidmm_engine *engine, const struct vidmm_event *event,
                       struct vidmm_work *work);
/* Check, then create, the work of VIDMM_EVENT_PIN, a request for a place in an aperture.
 * STATUS_INVALID_PARAMETER: no command buffer, or one that has a place; STATUS_NO_MEMORY. */
NTSTATUS vidmm_work_check_pin(struct vidmm_engine *engine, const struct vidmm_event *event,
                              struct vidmm_work **work);
void vidmm_work_create_pin(struct vidmm_engine *engine, const struct vidmm_event *event,
                           struct vidmm_work *work);
/* Check, then create, the work of a lock request: a placement is brought into a memory segment.
 * STATUS_NO_MEMORY. */
NTSTATUS vidmm_work_check_fetch(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                struct vidmm_work **work);
void vidmm_work_create_fetch(struct vidmm_engine *engine, struct vidmm_placement *placement,
                             uint32_t request, struct vidmm_work *work);
/* Create the work of a request to change a context allocation, behind vidmm_work_check_fetch(): it
 * is brought into its place, and changed there (context_request.h). */
void vidmm_work_create_update(struct vidmm_engine *engine, struct vidmm_placement *placement,
                              uint32_t request, struct vidmm_work *work);

/* Create the work that begins, or ends, the display of a primary, behind vidmm_work_check_fetch()
 * (display.h); `device`: on whose residency list it is. */
void vidmm_work_create_display(struct vidmm_engine *engine, struct vidmm_placement *placement,
                               const struct vidmm_event *event, struct vidmm_work *work);

/* Check, then create, the work by which so many allocations leave for system memory (evict_all.h):
 * their placements are put into its references. STATUS_NO_MEMORY. */
NTSTATUS vidmm_work_check_page_out(struct vidmm_engine *engine, uint32_t count,
                                   struct vidmm_work **work);
void vidmm_work_create_page_out(struct vidmm_engine *engine, const struct vidmm_event *event,
                                struct vidmm_work *work);
void vidmm_work_create_compact(struct vidmm_engine *engine, const struct vidmm_event *event,
                               struct vidmm_work *work);

/* Check, then create, a work of a paging queue for so many allocations: their placements are put
 * into its references. STATUS_NO_MEMORY. */
NTSTATUS vidmm_work_check_paging(struct vidmm_engine *engine, uint32_t queue, uint32_t count,
                                 struct vidmm_work **work);
/* It is not created after all. */
void vidmm_work_forget(struct vidmm_engine *engine, struct vidmm_work *work);
void vidmm_work_create_paging(struct vidmm_engine *engine, uint32_t queue, uint32_t device,
                              struct vidmm_work *work);

/* Check, then create, a work in a context's queue that waits for the fences of a list, or signals
 * them: the list is the work's. STATUS_NO_MEMORY. */
NTSTATUS vidmm_work_check_fences(struct vidmm_engine *engine, uint32_t context,
                                 struct vidmm_work **work);
void vidmm_work_create_fences(struct vidmm_engine *engine, uint32_t device,
                              struct vidmm_fence_list *list, struct vidmm_work *work);

/* Prepare it from here on: its first part, or the next one, begins. */
void vidmm_work_begin(struct vidmm_engine *engine, struct vidmm_work *work);
/* Hold what its part needs, or hold it no longer (W3). */
void vidmm_work_hold(struct vidmm_engine *engine, const struct vidmm_work *work, bool held);
/* After a reset: the part about to be submitted lets go of its references; its device is gone, and
 * it will be dropped. A pin request is prepared anew. */
void vidmm_work_unprepare(struct vidmm_engine *engine);

/* Take the work at the head out of the queue and let go of what it holds; it is answered. */
struct vidmm_work *vidmm_work_dequeue(struct vidmm_engine *engine);
/* The work at the head will not be submitted, or not the rest of it; `status` says why. */
void vidmm_work_drop(struct vidmm_engine *engine, NTSTATUS status);
/* The request for the buffer's place was given up: it is refused, unless it is begun. */
void vidmm_work_unpin(struct vidmm_engine *engine, uint32_t allocation);
/* VIDMM_EVENT_ABANDON: the context ends; its works that are queued and not begun retire. DMA
 * buffers are not run, waits are over, and signals are written. */
NTSTATUS vidmm_work_abandon(struct vidmm_engine *engine, const struct vidmm_event *event);

/* The fence of one of its parts has passed. */
void vidmm_work_complete(struct vidmm_engine *engine, struct vidmm_part *part);
/* Tell of one retired DMA buffer, and drop what it referred to. False: none has retired. */
bool vidmm_work_retire(struct vidmm_engine *engine);
/* Give the record back; nothing refers to it. */
void vidmm_work_free(struct vidmm_engine *engine, struct vidmm_work *work);

#endif
