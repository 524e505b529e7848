/* device.c: the GPU as a plug-in: ring, registers, and what a user-mode driver would say.
 *
 * The machine calls `step` on a thread of its own as long as it answers true; one step is one entry
 * of the ring. The text behind the plug-in's name in the configuration is the size of memory in
 * pages; without it, 64 MiB.
 */
#include <stdio.h>
#include <stdlib.h>

#include "device.h"
#include "ring_umd.h"

/* ---- the ring ---- */

/* One entry. Answers what to interrupt for. */
static uint32_t advance(struct gpu *gpu)
{
    const struct ring_entry *ring =
        gpu->bus->memory(gpu->bus->context, gpu->base, gpu->size * sizeof(*ring));

    if (gpu->control & RING_CONTROL_STOP) {
        gpu->control = 0;
        return RING_STATUS_STOPPED;
    }
    if (!(gpu->control & RING_CONTROL_RUN) || gpu->head == gpu->tail)
        return 0;
    if (!ring || gpu->head >= gpu->size || !ring_execute(gpu, &ring[gpu->head])) {
        gpu->control = 0;
        return RING_STATUS_ERROR;
    }
    gpu->fence = ring[gpu->head].fence;
    gpu->head = (gpu->head + 1) % gpu->size;
    return RING_STATUS_DONE;
}

static bool step(void *engine)
{
    struct gpu *gpu = engine;

    pthread_mutex_lock(&gpu->lock);
    uint32_t why = advance(gpu);
    gpu->status |= why;
    pthread_mutex_unlock(&gpu->lock);
    if (why) /* unlocked: the interrupt routine reads registers, perhaps on this thread */
        gpu->bus->raise_interrupt(gpu->bus->context, 0);
    return why != 0;
}

/* ---- registers ---- */

static uint32_t *find_register(struct gpu *gpu, uint64_t offset)
{
    switch (offset) {
    case RING_CONTROL:
        return &gpu->control;
    case RING_STATUS:
        return &gpu->status;
    case RING_BASE:
        return (uint32_t *)&gpu->base;
    case RING_BASE + 4:
        return (uint32_t *)&gpu->base + 1;
    case RING_SIZE:
        return &gpu->size;
    case RING_HEAD:
        return &gpu->head;
    case RING_TAIL:
        return &gpu->tail;
    case RING_FENCE:
        return &gpu->fence;
    case RING_WHY:
        return &gpu->why;
    case RING_MEMORY:
        return &gpu->pages;
    default:
        return NULL;
    }
}

static bool read_register(void *device, unsigned region, uint64_t offset, void *buffer,
                          uint32_t length)
{
    struct gpu *gpu = device;
    static const uint32_t id = RING_ID_VALUE;
    const uint32_t *from = offset == RING_ID ? &id : find_register(gpu, offset);

    if (region != 0 || length != sizeof(*from) || !from)
        return false;
    pthread_mutex_lock(&gpu->lock);
    memcpy(buffer, from, sizeof(*from));
    pthread_mutex_unlock(&gpu->lock);
    return true;
}

static void control(struct gpu *gpu, uint32_t value)
{
    gpu->control = value & (RING_CONTROL_RUN | RING_CONTROL_STOP);
    if (value & RING_CONTROL_RESET)
        gpu->head = gpu->tail = gpu->status = 0;
}

static bool write_register(void *device, unsigned region, uint64_t offset, const void *buffer,
                           uint32_t length)
{
    struct gpu *gpu = device;
    uint32_t value, *to = find_register(gpu, offset);

    if (region != 0 || length != sizeof(value) || !to || offset == RING_HEAD ||
        offset == RING_FENCE || offset == RING_WHY || offset == RING_MEMORY)
        return false;
    memcpy(&value, buffer, sizeof(value));
    pthread_mutex_lock(&gpu->lock);
    if (offset == RING_CONTROL)
        control(gpu, value);
    else
        *to = offset == RING_STATUS ? gpu->status & ~value : value;
    pthread_mutex_unlock(&gpu->lock);
    if (offset == RING_CONTROL || offset == RING_TAIL)
        gpu->bus->kick_engine(gpu->bus->context, gpu->engine);
    return true;
}

/* ---- the plug-in ---- */

static bool attach(const struct vidmm_bus *bus, const char *text, struct vidmm_device_model *model,
                   char *error)
{
    struct gpu *gpu = calloc(1, sizeof(*gpu));
    uint64_t address, bar = RING_PAGE;

    if (!gpu)
        return false;
    gpu->bus = bus;
    gpu->pages = text[0] ? (uint32_t)strtoul(text, NULL, 10) : 16384;
    gpu->memory_size = (uint64_t)gpu->pages * RING_PAGE;
    while (bar < gpu->memory_size)
        bar *= 2;
    gpu->engine = bus->add_engine(bus->context, "ring", step, gpu);
    if (gpu->engine < 0 || !bus->add_memory(bus->context, 2, bar, &address)) {
        snprintf(error, 200, "no memory of %llu bytes", (unsigned long long)gpu->memory_size);
        free(gpu);
        return false;
    }
    gpu->memory = bus->memory(bus->context, address, gpu->memory_size);
    pthread_mutex_init(&gpu->lock, NULL);
    *model = (struct vidmm_device_model){.device = gpu,
                                         .vendor_id = RING_VENDOR,
                                         .device_id = RING_DEVICE,
                                         .messages = 1,
                                         .registers = {{RING_REGISTERS, false}},
                                         .read_register = read_register,
                                         .write_register = write_register};
    return true;
}

static void detach(struct vidmm_device_model *model)
{
    struct gpu *gpu = model->device;

    pthread_mutex_destroy(&gpu->lock);
    free(gpu);
}

/* Describe an allocation as the user-mode driver would. */
static uint32_t describe(const struct vidmm_plugin_wish *wish, void *data, uint32_t room)
{
    struct ring_private private = {RING_PRIVATE_MAGIC, wish->cpu_visible ? 0 : RING_PRIVATE_LOCAL,
                                   wish->size};

    if (room < sizeof(private))
        return 0;
    memcpy(data, &private, sizeof(private));
    return sizeof(private);
}

/* Its commands: let the GPU read all that the submission uses. If one of them is not where the
 * driver's patches say, the GPU stops. */
static uint32_t command(const struct vidmm_plugin_use *uses, uint32_t count, void *data,
                        uint32_t room)
{
    struct ring_user_command *to = data;

    if (count * sizeof(*to) > room)
        count = room / (uint32_t)sizeof(*to);
    for (uint32_t i = 0; i < count; i++)
        to[i] = (struct ring_user_command){
            .opcode = RING_READ, .allocation = uses[i].index, .count = uses[i].size};
    return count * (uint32_t)sizeof(*to);
}

const struct vidmm_plugin vidmm_plugin = {.version = VIDMM_PLUGIN_VERSION,
                                          .name = "ring",
                                          .attach = attach,
                                          .detach = detach,
                                          .describe = describe,
                                          .command = command};
