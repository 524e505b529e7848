/* device.c: the GPU as a plug-in: ring, registers, and what a user-mode driver would say.
 *
 * The machine calls `step` on a thread of its own as long as it answers true; one step is one entry
 * of the ring. The text behind the plug-in's name in the configuration is the size of memory in
 * pages; without it, 64 MiB.
 */
#include <stdio.h>
#include <stdlib.h>

#include "device.h"
#include "atlas_umd.h"

/* ---- the ring ---- */

/* One entry. Answers what to interrupt for. */
static uint32_t advance(struct gpu *gpu)
{
    const struct atlas_entry *ring =
        gpu->bus->memory(gpu->bus->context, gpu->base, gpu->size * sizeof(*ring));

    if (gpu->control & ATLAS_CONTROL_STOP) {
        gpu->control = 0;
        return ATLAS_STATUS_STOPPED;
    }
    if (!(gpu->control & ATLAS_CONTROL_RUN) || gpu->head == gpu->tail)
        return 0;
    if (!ring || gpu->head >= gpu->size || !atlas_execute(gpu, &ring[gpu->head])) {
        gpu->control = 0;
        return ATLAS_STATUS_ERROR;
    }
    gpu->fence = ring[gpu->head].fence;
    gpu->head = (gpu->head + 1) % gpu->size;
    return ATLAS_STATUS_DONE;
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
    case ATLAS_CONTROL:
        return &gpu->control;
    case ATLAS_STATUS:
        return &gpu->status;
    case ATLAS_BASE:
        return (uint32_t *)&gpu->base;
    case ATLAS_BASE + 4:
        return (uint32_t *)&gpu->base + 1;
    case ATLAS_SIZE:
        return &gpu->size;
    case ATLAS_HEAD:
        return &gpu->head;
    case ATLAS_TAIL:
        return &gpu->tail;
    case ATLAS_FENCE:
        return &gpu->fence;
    case ATLAS_WHY:
        return &gpu->why;
    case ATLAS_MEMORY:
        return &gpu->pages;
    default:
        return NULL;
    }
}

static bool read_register(void *device, unsigned region, uint64_t offset, void *buffer,
                          uint32_t length)
{
    struct gpu *gpu = device;
    static const uint32_t id = ATLAS_ID_VALUE;
    const uint32_t *from = offset == ATLAS_ID ? &id : find_register(gpu, offset);

    if (region != 0 || length != sizeof(*from) || !from)
        return false;
    pthread_mutex_lock(&gpu->lock);
    memcpy(buffer, from, sizeof(*from));
    pthread_mutex_unlock(&gpu->lock);
    return true;
}

static void control(struct gpu *gpu, uint32_t value)
{
    gpu->control = value & (ATLAS_CONTROL_RUN | ATLAS_CONTROL_STOP);
    if (!(value & ATLAS_CONTROL_RESET))
        return;
    gpu->head = gpu->tail = gpu->status = 0;
    atlas_forget(gpu, UINT64_MAX);
}

static bool write_register(void *device, unsigned region, uint64_t offset, const void *buffer,
                           uint32_t length)
{
    struct gpu *gpu = device;
    uint32_t value, *to = find_register(gpu, offset);

    if (region != 0 || length != sizeof(value) || !to || offset == ATLAS_HEAD ||
        offset == ATLAS_FENCE || offset == ATLAS_WHY || offset == ATLAS_MEMORY)
        return false;
    memcpy(&value, buffer, sizeof(value));
    pthread_mutex_lock(&gpu->lock);
    if (offset == ATLAS_CONTROL)
        control(gpu, value);
    else
        *to = offset == ATLAS_STATUS ? gpu->status & ~value : value;
    pthread_mutex_unlock(&gpu->lock);
    if (offset == ATLAS_CONTROL || offset == ATLAS_TAIL)
        gpu->bus->kick_engine(gpu->bus->context, gpu->engine);
    return true;
}

/* ---- the plug-in ---- */

static bool attach(const struct vidmm_bus *bus, const char *text, struct vidmm_device_model *model,
                   char *error)
{
    struct gpu *gpu = calloc(1, sizeof(*gpu));
    uint64_t address, bar = ATLAS_PAGE;

    if (!gpu)
        return false;
    gpu->bus = bus;
    gpu->pages = text[0] ? (uint32_t)strtoul(text, NULL, 10) : 16384;
    gpu->memory_size = (uint64_t)gpu->pages * ATLAS_PAGE;
    while (bar < gpu->memory_size)
        bar *= 2;
    gpu->engine = bus->add_engine(bus->context, "atlas", step, gpu);
    if (gpu->engine < 0 || !bus->add_memory(bus->context, 2, bar, &address)) {
        snprintf(error, 200, "no memory of %llu bytes", (unsigned long long)gpu->memory_size);
        free(gpu);
        return false;
    }
    gpu->memory = bus->memory(bus->context, address, gpu->memory_size);
    pthread_mutex_init(&gpu->lock, NULL);
    *model = (struct vidmm_device_model){.device = gpu,
                                         .vendor_id = ATLAS_VENDOR,
                                         .device_id = ATLAS_DEVICE,
                                         .messages = 1,
                                         .registers = {{ATLAS_REGISTERS, false}},
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
    struct atlas_private private = {ATLAS_PRIVATE_MAGIC,
                                    wish->cpu_visible ? ATLAS_PRIVATE_VISIBLE : 0, wish->size};

    if (room < sizeof(private))
        return 0;
    memcpy(data, &private, sizeof(private));
    return sizeof(private);
}

/* Its commands: let the GPU read all that the submission uses. If a page of it is not mapped, the
 * GPU stops. */
static uint32_t command(const struct vidmm_plugin_use *uses, uint32_t count, void *data,
                        uint32_t room)
{
    struct atlas_command *to = data;

    if (count * sizeof(*to) > room)
        count = room / (uint32_t)sizeof(*to);
    for (uint32_t i = 0; i < count; i++)
        to[i] = (struct atlas_command){.opcode = ATLAS_READ,
                                       .bytes = sizeof(*to),
                                       .first = uses[i].address,
                                       .count = uses[i].size};
    return count * (uint32_t)sizeof(*to);
}

/* A copy between addresses. */
static uint32_t copy(uint64_t to, uint64_t from, uint64_t size, void *data, uint32_t room)
{
    const struct atlas_command command = {
        .opcode = ATLAS_COPY, .bytes = sizeof(command), .first = to, .second = from, .count = size};

    if (room < sizeof(command))
        return 0;
    memcpy(data, &command, sizeof(command));
    return sizeof(command);
}

const struct vidmm_plugin vidmm_plugin = {.version = VIDMM_PLUGIN_VERSION,
                                          .name = "atlas",
                                          .attach = attach,
                                          .detach = detach,
                                          .describe = describe,
                                          .command = command,
                                          .copy = copy};
