/* fences.c: monitored fences: the CPU, the contexts and the GPU wait for them and signal them.
 *
 * The world has the memory of the fences. A DMA buffer is submitted only if all waits that were
 * queued before it in its context have come true; a signal that was queued is written only when all
 * DMA buffers before it in its context have retired. Fences with odd ids are narrow, and begin
 * shortly before their 32 bits wrap.
 */
#include "world_state.h"

#include <stdio.h>

static bool is_narrow(uint32_t id)
{
    return id % 2 != 0;
}

static uint64_t bits_of(uint32_t id, uint64_t value)
{
    return is_narrow(id) ? (uint32_t)value : value;
}

static void see(struct world *world, uint32_t id, uint64_t value)
{
    struct fence *fence = &world->fences[id];

    fence->memory = value;
    fence->highest = value > fence->highest ? value : fence->highest;
}

/* A fence is destroyed: nothing is held back by it, and it is written no more. */
static void forget(struct world *world, uint32_t id)
{
    for (uint32_t i = 0; i < FENCE_ACTS; i++)
        if (world->fence_acts[i].fence == id)
            world->fence_acts[i].fence = 0;
}

static const char *create(struct world *world, uint32_t id, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_FENCE, .device = 1 + (argument & 1)};
    struct fence *fence = &world->fences[id];
    const char *problem;
    NTSTATUS status;

    event.fence_object.fence = id;
    event.fence_object.flags = VIDMM_FENCE_SHARED | (is_narrow(id) ? VIDMM_FENCE_NARROW : 0) |
                               (id == 2 ? VIDMM_FENCE_NO_GPU_ACCESS : 0);
    event.fence_object.value = is_narrow(id) ? 0xffffff00 : 0;
    problem = world_step(world, &event, &status);
    if (status == STATUS_SUCCESS) {
        *fence = (struct fence){.alive = true, .device = event.device};
        see(world, id, event.fence_object.value);
        fence->planned = event.fence_object.value;
    }
    return problem;
}

static const char *destroy(struct world *world, uint32_t id)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_FENCE};

    event.fence_object.fence = id;
    world->fences[id].alive = false;
    forget(world, id);
    return world_step(world, &event, NULL);
}

static struct fence_act *free_act(struct world *world)
{
    for (uint32_t i = 0; i < FENCE_ACTS; i++)
        if (world->fence_acts[i].fence == 0 && world->fence_acts[i].request == 0)
            return &world->fence_acts[i];
    return NULL;
}

/* A wait or a signal, by the CPU or in a queue. */
static const char *act(struct world *world, uint32_t kind, uint32_t id, uint32_t argument)
{
    struct vidmm_fence_value values = {.fence = id};
    struct vidmm_event event = {.kind = kind, .device = 1 + (argument & 1)};
    struct fence *fence = &world->fences[id];
    struct fence_act *record = free_act(world), before;
    bool waits = kind == VIDMM_EVENT_WAIT_FENCES || kind == VIDMM_EVENT_QUEUE_WAIT;
    const char *problem;
    NTSTATUS status;

    if (!record)
        return NULL;
    before = *record;
    values.value = waits ? fence->planned + (argument >> 4 & 1) : ++fence->planned;
    event.fences.count = 1;
    event.fences.values = &values;
    if (kind == VIDMM_EVENT_QUEUE_WAIT || kind == VIDMM_EVENT_QUEUE_SIGNAL)
        event.fences.context = 2 * event.device + (argument >> 13 & 1);
    if (kind == VIDMM_EVENT_WAIT_FENCES)
        event.fences.request = ++world->request;
    *record = (struct fence_act){.fence = id,
                                 .value = values.value,
                                 .context = event.fences.context,
                                 .request = event.fences.request,
                                 .device = event.device,
                                 .order = ++world->order,
                                 .signals = !waits};
    problem = world_step(world, &event, &status);
    if (status == STATUS_SUCCESS && kind == VIDMM_EVENT_WAIT_FENCES && !problem &&
        fence->highest < values.value)
        return FAIL(world, "a wait for fence %u is over at once, and does not hold", id);
    if (status == STATUS_SUCCESS && kind == VIDMM_EVENT_SIGNAL_FENCES && record->fence != 0)
        return FAIL(world, "fence %u was signaled, and not written", id);
    if (kind == VIDMM_EVENT_SIGNAL_FENCES ||
        (status != STATUS_SUCCESS && status != STATUS_PENDING) ||
        (kind == VIDMM_EVENT_WAIT_FENCES && status == STATUS_SUCCESS))
        *record = before;
    return problem;
}

/* A command of the GPU writes it; the driver may say so, or it is seen when something completes. */
static const char *gpu_writes(struct world *world, uint32_t id, bool tells)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FENCES_SIGNALED};

    if (id == 2)
        return NULL;
    see(world, id, ++world->fences[id].planned);
    return tells ? world_step(world, &event, NULL) : NULL;
}

const char *world_read_fences(struct world *world)
{
    const char *problem = NULL;

    for (uint32_t id = 1; id < FENCES && !problem; id++) {
        struct vidmm_event event = {.kind = VIDMM_EVENT_FENCE_READ};

        if (!world->fences[id].alive || !world->fences[id].read)
            continue;
        world->fences[id].read = false;
        event.fence_object.fence = id;
        event.fence_object.value = bits_of(id, world->fences[id].memory);
        problem = world_step(world, &event, NULL);
    }
    return problem;
}

const char *world_fence(struct world *world, uint32_t argument)
{
    static const uint32_t kinds[] = {VIDMM_EVENT_SIGNAL_FENCES, VIDMM_EVENT_WAIT_FENCES,
                                     VIDMM_EVENT_QUEUE_WAIT,    VIDMM_EVENT_QUEUE_SIGNAL,
                                     VIDMM_EVENT_QUEUE_WAIT,    VIDMM_EVENT_QUEUE_SIGNAL};
    uint32_t id = 1 + (argument >> 16) % (FENCES - 1), choice = (argument >> 20) % 10;
    const char *problem = world_read_fences(world);

    if (problem)
        return problem;
    if (!world->fences[id].alive)
        return create(world, id, argument);
    if (choice < 6)
        return act(world, kinds[choice], id, argument);
    if (choice == 9 && (argument >> 5 & 7) == 0)
        return destroy(world, id);
    return choice == 9 ? NULL : gpu_writes(world, id, (argument >> 5 & 1) != 0);
}

/* All of them are signaled far above what is waited for. */
const char *world_end_fence_waits(struct world *world)
{
    const char *problem = world_read_fences(world);

    for (uint32_t id = 1; id < FENCES && !problem; id++) {
        uint32_t device = world->device_dead[1] ? 2 : 1;

        if (!world->fences[id].alive || world->device_dead[device])
            continue;
        world->fences[id].planned += 4;
        problem = act(world, VIDMM_EVENT_SIGNAL_FENCES, id, device - 1);
    }
    return problem;
}

bool world_has_fence_waits(const struct world *world)
{
    for (uint32_t i = 0; i < FENCE_ACTS; i++)
        if (world->fence_acts[i].request != 0)
            return true;
    return false;
}

/* ---- operations ------------------------------------------------------------------------------ */

/* Whether a DMA buffer of its context that was queued before it has not retired. */
static bool is_preceded(const struct world *world, const struct fence_act *signal)
{
    for (uint32_t slot = 1; signal->context != 0 && slot < DMA_BUFFERS; slot++) {
        const struct dma_buffer *dma = &world->dma_buffers[slot];

        if (dma->used && dma->context == signal->context && dma->order < signal->order)
            return true;
    }
    return false;
}

const char *world_write_fence(struct world *world, const struct vidmm_operation *operation)
{
    uint32_t id = operation->fence.fence;
    struct fence_act *found = NULL;

    if (id >= FENCES || !world->fences[id].alive ||
        operation->fence.narrow != (is_narrow(id) ? 1u : 0u))
        return FAIL(world, "fence %u is written, and is not there", id);
    for (uint32_t i = 0; i < FENCE_ACTS; i++) {
        struct fence_act *one = &world->fence_acts[i];

        if (one->signals && one->fence == id && bits_of(id, one->value) == operation->fence.value &&
            (!found || !is_preceded(world, one)))
            found = one;
    }
    if (!found) {
        if (operation->fence.value != bits_of(id, UINT64_MAX) ||
            !world->device_dead[world->fences[id].device])
            return FAIL(world, "fence %u is written, and nobody signals it", id);
        see(world, id, UINT64_MAX);
        return NULL;
    }
    if (is_preceded(world, found))
        return FAIL(world, "fence %u is signaled before what was queued before", id);
    see(world, id, found->value);
    *found = (struct fence_act){0};
    world->counts.fence_signals++;
    return NULL;
}

const char *world_waited(struct world *world, const struct vidmm_operation *operation)
{
    for (uint32_t i = 0; i < FENCE_ACTS; i++) {
        struct fence_act *one = &world->fence_acts[i];
        NTSTATUS status = (NTSTATUS)operation->waited.status;

        if (one->request != operation->waited.request)
            continue;
        if (status == STATUS_SUCCESS && one->fence != 0 &&
            world->fences[one->fence].highest < one->value)
            return FAIL(world, "a wait for fence %u is over, and does not hold", one->fence);
        if (status != STATUS_SUCCESS && one->fence != 0 && !world->device_dead[one->device])
            return FAIL(world, "a wait for fence %u ends with 0x%08x", one->fence,
                        operation->waited.status);
        *one = (struct fence_act){0};
        world->counts.fence_waits++;
        return NULL;
    }
    return FAIL(world, "nobody waits with request %u", operation->waited.request);
}

const char *world_check_waits(struct world *world, uint32_t slot)
{
    const struct dma_buffer *dma = &world->dma_buffers[slot];

    for (uint32_t i = 0; i < FENCE_ACTS; i++) {
        struct fence_act *one = &world->fence_acts[i];

        if (one->signals || one->fence == 0 || one->context != dma->context ||
            one->order > dma->order)
            continue;
        if (world->fences[one->fence].highest < one->value)
            return FAIL(world, "DMA buffer %u runs before fence %u has its value", slot,
                        one->fence);
        *one = (struct fence_act){0};
        world->counts.fence_holds++;
    }
    return NULL;
}

/* The works of its contexts are dropped. */
void world_fences_of_dead(struct world *world, uint32_t device)
{
    for (uint32_t i = 0; i < FENCE_ACTS; i++)
        if (world->fence_acts[i].device == device && world->fence_acts[i].context != 0)
            world->fence_acts[i] = (struct fence_act){0};
}
