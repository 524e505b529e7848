/* fence_object.c: monitored fences by id.
 *
 *     create --> alive ----------------- destroyed --> gone: no id, the greatest value --> freed
 *                  |   its device fails                           when nothing names it
 *                  '-----------------> given up: the greatest value
 *
 * The CPU's signals and those of queues are known at once. A value that the GPU has written is
 * known when somebody has read it: VIDMM_DO_READ_FENCE asks for that when a wait begins, when a
 * node completes something, and when the driver reports MONITORED_FENCE_SIGNALED, and only for
 * fences that are waited for. Nothing polls.
 *
 * Invariants (D1 to D3 are in monitored_fence.c)
 * D4. `users` of a fence counts the places of lists that name it, and 1 while it is to be read. A
 *     fence that is gone has users, and the greatest value.
 */
#include "vidmm/engine/state/fence_object.h"

#include <base/assert.h>
#include <base/grow.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/fence_list.h"
#include "vidmm/engine/state/fence_state.h"
#include "vidmm/engine/state/plan.h"

#define ALL_FLAGS                                                                                  \
    (VIDMM_FENCE_SHARED | VIDMM_FENCE_NO_SIGNAL | VIDMM_FENCE_NO_WAIT | VIDMM_FENCE_NO_MAX_VALUE | \
     VIDMM_FENCE_NO_GPU_ACCESS | VIDMM_FENCE_NARROW)

struct vidmm_fence_object *vidmm_fence_object_find(const struct vidmm_engine *engine, uint32_t id)
{
    uint32_t queue = id & ~VIDMM_PAGING_QUEUE_FENCE;

    if ((id & VIDMM_PAGING_QUEUE_FENCE) != 0)
        return queue < engine->paging_queue_capacity && engine->paging_queues[queue].exists
                   ? engine->paging_queues[queue].fence
                   : NULL;
    return id < engine->monitored->capacity ? engine->monitored->table[id] : NULL;
}

struct vidmm_fence_object *vidmm_fence_object_make(struct vidmm_engine *engine, uint32_t id,
                                                   uint32_t device, uint32_t flags, uint64_t value)
{
    struct vidmm_fence_object *object =
        engine->memory.allocate(engine->memory.context, sizeof(*object));

    if (!object)
        return NULL;
    vidmm_monitored_fence_init(&object->fence, &engine->monitored->watch, value,
                               (flags & VIDMM_FENCE_NARROW) != 0);
    object->id = id;
    object->device = device;
    object->flags = flags;
    return object;
}

static bool are_flags(uint32_t flags)
{
    const uint32_t one_way = VIDMM_FENCE_NO_SIGNAL | VIDMM_FENCE_NO_WAIT;
    const uint32_t unreached = VIDMM_FENCE_NO_GPU_ACCESS | VIDMM_FENCE_NARROW;

    return (flags & ~ALL_FLAGS) == 0 && (flags & one_way) != one_way && /* obeys D-191 */
           (flags & unreached) != unreached; /* without access it has 64 bits */
}

NTSTATUS vidmm_fence_object_create(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    uint32_t id = event->fence_object.fence, flags = event->fence_object.flags;
    struct vidmm_fences *fences = engine->monitored;
    struct vidmm_fence_object *object, **table;

    if (!engine->config.explicit_residency || event->device >= engine->device_capacity ||
        !engine->devices[event->device].exists || id == 0 || id >= VIDMM_FENCES ||
        vidmm_fence_object_find(engine, id) || !are_flags(flags) ||
        ((flags & VIDMM_FENCE_NARROW) != 0 && event->fence_object.value > UINT32_MAX))
        return STATUS_INVALID_PARAMETER;
    if (vidmm_device_record_status(engine, event->device) != STATUS_SUCCESS)
        return vidmm_device_record_status(engine, event->device);
    table = vidmm_grow(&engine->memory, fences->table, &fences->capacity, id, sizeof(*table));
    if (!table)
        return STATUS_NO_MEMORY;
    fences->table = table;
    object = vidmm_fence_object_make(engine, id, event->device, flags, event->fence_object.value);
    if (!object)
        return STATUS_NO_MEMORY;
    table[id] = object;
    return STATUS_SUCCESS;
}

static void free_unused(struct vidmm_engine *engine, struct vidmm_fence_object *object)
{
    if (object->gone && object->users == 0) /* D4 */
        engine->memory.free(engine->memory.context, object);
}

void vidmm_fence_object_take(struct vidmm_fence_object *object)
{
    object->users++; /* D4 */
}

void vidmm_fence_object_release(struct vidmm_engine *engine, struct vidmm_fence_object *object)
{
    VIDMM_ASSERT(object->users > 0);
    object->users--; /* D4 */
    free_unused(engine, object);
}

void vidmm_fence_object_end(struct vidmm_engine *engine, struct vidmm_fence_object *object)
{
    struct vidmm_fence_waiter *waiter;

    if (!object)
        return;
    while ((waiter = vidmm_monitored_fence_first_waiter(&object->fence)) != NULL)
        vidmm_fence_list_end(engine, (struct vidmm_fence_list *)waiter, STATUS_CANCELLED);
    vidmm_monitored_fence_give_up(&object->fence); /* D4: a wait that is still queued goes on */
    object->gone = true;
    free_unused(engine, object);
}

NTSTATUS vidmm_fence_object_destroy(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    uint32_t id = event->fence_object.fence;
    struct vidmm_fence_object *object = vidmm_fence_object_find(engine, id);

    if (!object || (id & VIDMM_PAGING_QUEUE_FENCE) != 0)
        return STATUS_INVALID_PARAMETER;
    engine->monitored->table[id] = NULL;
    vidmm_fence_object_end(engine, object);
    return STATUS_SUCCESS;
}

void vidmm_fence_object_clear(struct vidmm_engine *engine, uint32_t device)
{
    uint32_t id;

    for (id = 0; id < engine->monitored->capacity; id++) {
        struct vidmm_fence_object *object = engine->monitored->table[id];

        if (object && object->device == device) {
            engine->monitored->table[id] = NULL;
            vidmm_fence_object_end(engine, object);
        }
    }
}

/* ---- reading and writing --------------------------------------------------------------------- */

static bool gpu_writes(const struct vidmm_fence_object *object)
{
    return (object->flags & VIDMM_FENCE_NO_GPU_ACCESS) == 0;
}

NTSTATUS vidmm_fence_object_read(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_fence_object *object = vidmm_fence_object_find(engine, event->fence_object.fence);

    if (!object || !gpu_writes(object))
        return STATUS_INVALID_PARAMETER;
    vidmm_monitored_fence_see(&object->fence, event->fence_object.value);
    return STATUS_SUCCESS;
}

void vidmm_fence_object_look(struct vidmm_engine *engine, struct vidmm_fence_object *object)
{
    if (object->read_due || !gpu_writes(object))
        return;
    object->read_due = true;
    vidmm_fence_object_take(object);
    vidmm_fence_objects_add(&engine->monitored->reads, object);
}

void vidmm_fence_object_look_all(struct vidmm_engine *engine)
{
    struct vidmm_monitored_fence *fence = engine->monitored->watch.first;

    for (; fence; fence = fence->next)
        vidmm_fence_object_look(engine, (struct vidmm_fence_object *)fence);
}

bool vidmm_fence_object_tell_read(struct vidmm_engine *engine)
{
    struct vidmm_fence_object *object = vidmm_fence_objects_take(&engine->monitored->reads);

    if (!object)
        return false;
    object->read_due = false;
    if (!object->gone)
        vidmm_emit(engine, VIDMM_DO_READ_FENCE)->fence.fence = object->id;
    vidmm_fence_object_release(engine, object);
    return true;
}

static void tell_write(struct vidmm_engine *engine, const struct vidmm_fence_object *object,
                       uint64_t bits)
{
    struct vidmm_operation *write = vidmm_emit(engine, VIDMM_DO_WRITE_FENCE);

    write->fence.fence = object->id;
    write->fence.narrow = (object->flags & VIDMM_FENCE_NARROW) != 0 ? 1 : 0;
    write->fence.value = bits;
}

void vidmm_fence_object_signal(struct vidmm_engine *engine, struct vidmm_fence_object *object,
                               uint64_t value)
{
    if (!object->gone)
        tell_write(engine, object, vidmm_monitored_fence_signal(&object->fence, value));
}

/* Whether a device in error may have had to signal it (D-192). */
static bool is_to_be_given_up(const struct vidmm_engine *engine,
                              const struct vidmm_fence_object *object)
{
    return object && !object->given_up &&
           (object->flags & (VIDMM_FENCE_NO_MAX_VALUE | VIDMM_FENCE_NO_SIGNAL)) == 0 &&
           vidmm_device_record_status(engine, object->device) != STATUS_SUCCESS;
}

bool vidmm_fence_object_give_up(struct vidmm_engine *engine)
{
    struct vidmm_fences *fences = engine->monitored;

    while (fences->failed_next < fences->capacity) {
        struct vidmm_fence_object *object = fences->table[fences->failed_next++];

        if (is_to_be_given_up(engine, object)) {
            object->given_up = true;
            tell_write(engine, object,
                       vidmm_monitored_fence_give_up(&object->fence)); /* obeys D-192 */
            return true;
        }
    }
    return false;
}

uint64_t vidmm_engine_fence_value(const struct vidmm_engine *engine, uint32_t fence)
{
    const struct vidmm_fence_object *object = vidmm_fence_object_find(engine, fence);

    return object ? object->fence.value : 0;
}

void vidmm_fence_object_finish(struct vidmm_engine *engine)
{
    struct vidmm_fences *fences = engine->monitored;
    struct vidmm_fence_object *object;
    uint32_t id;

    while ((object = vidmm_fence_objects_take(&fences->reads)) != NULL)
        vidmm_fence_object_release(engine, object);
    for (id = 0; id < fences->capacity; id++)
        if (fences->table[id])
            engine->memory.free(engine->memory.context, fences->table[id]);
    for (id = 0; id < engine->paging_queue_capacity; id++)
        if (engine->paging_queues[id].fence)
            engine->memory.free(engine->memory.context, engine->paging_queues[id].fence);
    if (fences->table)
        engine->memory.free(engine->memory.context, fences->table);
}

void vidmm_fence_object_check(const struct vidmm_engine *engine)
{
    const struct vidmm_fences *fences = engine->monitored;
    const struct vidmm_fence_object *object;
    uint32_t id;

    vidmm_fence_watch_check(&fences->watch);
    for (object = fences->reads.first; object; object = object->next)
        VIDMM_VERIFY(object->read_due && object->users > 0 && gpu_writes(object)); /* D4 */
    for (id = 0; id < fences->capacity; id++) {
        object = fences->table[id];
        if (object) {
            VIDMM_VERIFY(object->id == id && !object->gone && are_flags(object->flags));
            VIDMM_VERIFY(engine->devices[object->device].exists);
            VIDMM_VERIFY(object->users > 0 ||
                         vidmm_monitored_fence_is_idle(&object->fence)); /* D4 */
        }
    }
}
