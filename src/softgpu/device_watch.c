/* Theory. Each piece of memory that a packet of user mode writes by addresses is a record in a ring
 * of its engine; a piece that goes on where the newest ends makes that one longer. If a record of a
 * packet was lost, others of it may still be there: so the answer "it has" is always true, and "it
 * has not" may be ignorance. */
#include <stdlib.h>

#include <vidmm/bus.h>

#include "softgpu/device_private.h"

static void take(struct softgpu_engine *engine)
{
    while (atomic_exchange_explicit(&engine->writes->busy, 1, memory_order_acquire) != 0)
        softgpu_yield(engine->device);
}

static void release(struct softgpu_engine *engine)
{
    atomic_store_explicit(&engine->writes->busy, 0, memory_order_release);
}

void softgpu_note_write(struct softgpu_engine *engine, uint32_t segment, uint64_t first,
                        uint64_t bytes)
{
    struct softgpu_writes *writes = engine->writes;
    struct softgpu_written *newest;

    take(engine);
    newest = &writes->pieces[(writes->count - 1) % SOFTGPU_WRITES];
    if (writes->count != 0 && newest->fence == engine->packet.fence && newest->segment == segment &&
        newest->end == first)
        newest->end += bytes;
    else
        writes->pieces[writes->count++ % SOFTGPU_WRITES] =
            (struct softgpu_written){engine->packet.fence, segment, first, first + bytes};
    release(engine);
}

bool softgpu_device_wrote(void *context, uint32_t number, uint32_t fence, uint32_t segment,
                          uint64_t offset, uint64_t bytes)
{
    struct softgpu_device *device = context;
    struct softgpu_engine *engine = &device->engines[number];
    uint64_t count;
    bool found = false;

    if (number >= device->config.engine_count || engine->writes == NULL)
        return false;
    take(engine);
    count = engine->writes->count < SOFTGPU_WRITES ? engine->writes->count : SOFTGPU_WRITES;
    for (uint64_t i = 0; i < count && !found; i++) {
        const struct softgpu_written *piece = &engine->writes->pieces[i];

        found = piece->fence == fence && piece->segment == segment &&
                piece->first < offset + bytes && offset < piece->end;
    }
    release(engine);
    return found;
}

void softgpu_device_watch(struct softgpu_device *device)
{
    for (uint32_t i = 0; i < device->config.engine_count; i++)
        if (device->engines[i].writes == NULL)
            device->engines[i].writes = calloc(1, sizeof(*device->engines[i].writes));
}
