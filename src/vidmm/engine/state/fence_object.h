/* fence_object.h: monitored fences by id: made, destroyed, read and written; fence_object.c says
 * what holds.
 *
 * monitored_fence.h has the values and the waits. Here are the objects that programs name, and
 * what is done with the memory of their values: the engine asks for it to be read, and says what is
 * to be written there.
 *
 * Source: "Context monitoring"; D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS; D-185, D-192.
 */
#ifndef VIDMM_ENGINE_STATE_FENCE_OBJECT_H
#define VIDMM_ENGINE_STATE_FENCE_OBJECT_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_engine;
struct vidmm_event;
struct vidmm_fence_object;

/* The fence with that id, of a program or of a paging queue. NULL: there is none. */
struct vidmm_fence_object *vidmm_fence_object_find(const struct vidmm_engine *engine, uint32_t id);
/* VIDMM_EVENT_CREATE_FENCE. STATUS_INVALID_PARAMETER: no such device, an id that is 0, too large or
 * in use, flags that there are not or that exclude one another (D-191), a value that a narrow fence
 * does not hold; the status of a device in error; STATUS_NO_MEMORY. Refused: nothing has
 * changed. */
NTSTATUS vidmm_fence_object_create(struct vidmm_engine *engine, const struct vidmm_event *event);
/* VIDMM_EVENT_DESTROY_FENCE. STATUS_INVALID_PARAMETER: there is no such fence of a program. All
 * waits for it are over, those of the CPU with STATUS_CANCELLED. */
NTSTATUS vidmm_fence_object_destroy(struct vidmm_engine *engine, const struct vidmm_event *event);
/* VIDMM_EVENT_FENCE_READ. STATUS_INVALID_PARAMETER: there is no such fence, or the GPU cannot have
 * written it. */
NTSTATUS vidmm_fence_object_read(struct vidmm_engine *engine, const struct vidmm_event *event);

/* Make the fence of a paging queue, at VIDMM_FIRST_PAGING_FENCE. NULL: no memory. */
struct vidmm_fence_object *vidmm_fence_object_make(struct vidmm_engine *engine, uint32_t id,
                                                   uint32_t device, uint32_t flags, uint64_t value);
/* It is destroyed: all waits for it are over, and it is freed when nothing names it. Takes
 * NULL. */
void vidmm_fence_object_end(struct vidmm_engine *engine, struct vidmm_fence_object *object);
/* The fences of a device end with it. */
void vidmm_fence_object_clear(struct vidmm_engine *engine, uint32_t device);
/* One more place names it; one less. */
void vidmm_fence_object_take(struct vidmm_fence_object *object);
void vidmm_fence_object_release(struct vidmm_engine *engine, struct vidmm_fence_object *object);

/* Its memory is to be read, if the GPU can have written it. */
void vidmm_fence_object_look(struct vidmm_engine *engine, struct vidmm_fence_object *object);
/* A node has completed something, or has said that it wrote fences: all that are waited for. */
void vidmm_fence_object_look_all(struct vidmm_engine *engine);
/* Append VIDMM_DO_READ_FENCE for one that is to be read. False: there is none. */
bool vidmm_fence_object_tell_read(struct vidmm_engine *engine);
/* It has the value from here on: append VIDMM_DO_WRITE_FENCE. One that is gone: nothing. */
void vidmm_fence_object_signal(struct vidmm_engine *engine, struct vidmm_fence_object *object,
                               uint64_t value);
/* Give up one fence of a device in error: append VIDMM_DO_WRITE_FENCE. False: there is none. */
bool vidmm_fence_object_give_up(struct vidmm_engine *engine);

/* Give back all memory, at the end of the engine. */
void vidmm_fence_object_finish(struct vidmm_engine *engine);
/* Stop the program if an invariant does not hold. */
void vidmm_fence_object_check(const struct vidmm_engine *engine);

#endif
