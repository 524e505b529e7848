/*
 * Theory. BAR 0 is laid out first, on paper (struct layout); then both BARs are taken; then the
 * registers are filled. After that nothing can fail but the engines of the bus.
 */
#include "softgpu/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/bus.h>

#include "softgpu/device_private.h"

#define POISON_BYTE 0xcc
#define LOST_BYTE 0x6b /* of memory whose power was away */

/* Positions in the two BARs. */
struct layout {
    uint64_t ring[SOFTGPU_RINGS], page_table[SOFTGPU_SEGMENTS], memory[SOFTGPU_SEGMENTS];
    uint64_t window, poison, register_size, memory_size;
    uint64_t upload; /* 0: there is none */
    uint64_t host_table;
    uint32_t slots;
};

static uint64_t whole_pages(uint64_t bytes)
{
    return (bytes + SOFTGPU_PAGE_SIZE - 1) & ~(uint64_t)(SOFTGPU_PAGE_SIZE - 1);
}

static void lay_out(const struct softgpu_config *config, struct layout *layout)
{
    uint64_t at = SOFTGPU_REGISTERS_SIZE;

    memset(layout, 0, sizeof(*layout));
    for (layout->slots = 1; layout->slots < config->queue;)
        layout->slots *= 2;
    for (uint32_t i = 0; i < softgpu_rings(config); i++) {
        layout->ring[i] = at;
        at += whole_pages((uint64_t)layout->slots * sizeof(struct softgpu_packet));
    }
    layout->window = at;
    layout->poison = at + SOFTGPU_WINDOW_SIZE;
    at = layout->poison + SOFTGPU_PAGE_SIZE;
    for (uint32_t i = 0; i < config->segment_count; i++) {
        const struct softgpu_segment *segment = &config->segments[i];

        if (segment->kind == SOFTGPU_SEGMENT_APERTURE) {
            layout->page_table[i] = at;
            at += whole_pages(segment->size / SOFTGPU_PAGE_SIZE * sizeof(uint64_t));
        } else if (segment->kind == SOFTGPU_SEGMENT_MEMORY) {
            layout->memory[i] = layout->memory_size;
            layout->memory_size += segment->size;
        }
    }
    if (config->mmu.kind != SOFTGPU_MMU_NONE && config->paging_buffer_segment == 0) {
        layout->upload = at;
        at += 2 * layout->slots * whole_pages(config->paging_buffer); /* a companion's node, too */
    }
    layout->host_table = at;
    at += whole_pages(softgpu_host_pages(config) * sizeof(uint64_t));
    layout->register_size = at;
}

static void refuse(char *error, size_t error_size, const char *what, uint64_t bytes)
{
    if (error_size != 0)
        snprintf(error, error_size, "softgpu: no memory for %s, %llu bytes", what,
                 (unsigned long long)bytes);
}

/* A BAR of PCI is a power of two. */
static uint64_t bar_size(uint64_t size)
{
    uint64_t bar = SOFTGPU_PAGE_SIZE;

    while (bar < size)
        bar *= 2;
    return bar;
}

/* Take a BAR. NULL: there is no memory. */
static unsigned char *take_memory(const struct vidmm_bus *bus, unsigned region, uint64_t size,
                                  uint64_t *physical)
{
    if (!bus->add_memory(bus->context, region, bar_size(size), physical))
        return NULL;
    return bus->memory(bus->context, *physical, size);
}

static bool take_bars(struct softgpu_device *device, const struct layout *layout,
                      unsigned char **memory, uint64_t *memory_address, char *error,
                      size_t error_size)
{
    device->registers = (struct softgpu_registers *)(void *)take_memory(
        device->bus, 0, layout->register_size, &device->register_address);
    if (device->registers == NULL) {
        refuse(error, error_size, "registers and page tables", layout->register_size);
        return false;
    }
    if (layout->memory_size == 0)
        return true;
    *memory = take_memory(device->bus, 1, layout->memory_size, memory_address);
    if (*memory == NULL)
        refuse(error, error_size, "memory segments", layout->memory_size);
    return *memory != NULL;
}

/* ---- registers ------------------------------------------------------------------------------- */

static void fill_driver_registers(struct softgpu_registers *registers,
                                  const struct softgpu_config *config)
{
    registers->multi_engine = config->multi_engine;
    registers->preemption = config->preemption;
    registers->engine_reset = config->engine_reset;
    registers->cancel = config->cancel;
    registers->non_vga = config->non_vga;
    registers->recovery = config->recovery;
    registers->context_save = config->context_save;
    registers->habit = config->habit;
    registers->queue = config->queue;
    registers->paging_buffer = config->paging_buffer;
    registers->paging_buffer_segment = config->paging_buffer_segment;
    registers->private_data = config->private_data;
    registers->dma_buffer = config->dma_buffer;
    registers->dma_buffer_segment = config->dma_buffer_segment;
    registers->dma_private_data = config->dma_private_data;
    registers->allocation_list = config->allocation_list;
    registers->patch_list = config->patch_list;
    registers->highest_address = config->highest_address;
    registers->range_count = config->range_count;
    registers->range_limit = config->range_limit;
    registers->history = config->history;
    registers->alternate_primary = config->alternate_primary;
    registers->sources = config->sources;
    registers->mmu = config->mmu;
    registers->map_aperture2 = config->map_aperture2;
    registers->atomics_64 = config->atomics_64;
    registers->isolation = config->isolation;
    registers->move_paging = config->move_paging;
    registers->vpr_context = config->vpr_context;
    registers->hardware_protected = config->hardware_protected;
    registers->busy_first = config->busy_first;
    registers->busy_at = config->busy_at;
    registers->insufficient_at = config->insufficient_at;
    registers->insufficient_every = config->insufficient_every;
    registers->broken = config->broken;
}

static void describe_memory(const struct softgpu_segment *segment,
                            struct softgpu_segment_register *at)
{
    at->flags |= (segment->pitch_aligned ? SOFTGPU_SEGMENT_PITCH_ALIGNED : 0) |
                 (segment->populated ? SOFTGPU_SEGMENT_POPULATED : 0) |
                 (segment->standby ? SOFTGPU_SEGMENT_STANDBY : 0) |
                 (segment->hibernate ? SOFTGPU_SEGMENT_HIBERNATE : 0) |
                 (segment->partly ? SOFTGPU_SEGMENT_PARTLY : 0) |
                 (segment->direct_flip ? SOFTGPU_SEGMENT_DIRECT_FLIP : 0) |
                 (segment->host_cached ? SOFTGPU_SEGMENT_HOST_CACHED : 0) |
                 (segment->vpr_standby || segment->vpr_lost ? SOFTGPU_SEGMENT_VPR_STANDBY : 0) |
                 (segment->encrypted || segment->cleartext ? SOFTGPU_SEGMENT_ENCRYPTED : 0) |
                 (segment->encrypted ? SOFTGPU_SEGMENT_CIPHER : 0);
    at->preserved_end = segment->preserved_end;
    at->vpr_start = segment->vpr_start;
    at->vpr_size = segment->vpr_size;
    at->bank_count = segment->bank_count;
    memcpy(at->bank_ends, segment->bank_ends, sizeof(at->bank_ends));
}

static void fill_segment(struct softgpu_device *device, const struct layout *layout, uint32_t index,
                         unsigned char *memory, uint64_t memory_address)
{
    const struct softgpu_segment *segment = &device->config.segments[index];
    struct softgpu_segment_register *at = &device->registers->segments[index];
    struct softgpu_window *window = &device->windows[index];

    at->kind = segment->kind;
    at->size = window->size = segment->size;
    at->base_address = window->base = SOFTGPU_SEGMENT_BASE(index + 1);
    at->commit_limit = segment->commit_limit != 0 ? segment->commit_limit : segment->size;
    window->kind = segment->kind;
    if (segment->kind == SOFTGPU_SEGMENT_MEMORY) {
        window->physical = memory_address + layout->memory[index];
        window->memory = memory + layout->memory[index];
        at->flags = segment->cpu_visible ? SOFTGPU_SEGMENT_CPU_VISIBLE : 0;
        at->cpu_address = segment->cpu_visible ? window->physical : 0;
        window->pitch_aligned = segment->pitch_aligned;
        describe_memory(segment, at);
        return;
    }
    if (segment->kind == SOFTGPU_SEGMENT_AGP) /* its addresses are physical ones */
        return;
    at->flags = segment->cache_coherent ? SOFTGPU_SEGMENT_CACHE_COHERENT : 0;
    at->page_table = layout->page_table[index];
    window->page_table =
        (uint64_t *)(void *)((char *)device->registers + layout->page_table[index]);
    for (uint64_t i = 0; i < segment->size / SOFTGPU_PAGE_SIZE; i++)
        window->page_table[i] = device->poison_address;
}

/* The first copy engine, or node 0. */
static uint32_t paging_node(const struct softgpu_config *config)
{
    for (uint32_t i = 0; i < config->engine_count && config->multi_engine; i++)
        if (config->engines[i] == SOFTGPU_ENGINE_COPY)
            return i;
    return 0;
}

static void fill_registers(struct softgpu_device *device, const struct layout *layout,
                           unsigned char *memory, uint64_t memory_address)
{
    const struct softgpu_config *config = &device->config;
    struct softgpu_registers *registers = device->registers;

    memset(registers, 0, sizeof(*registers));
    memset((char *)registers + layout->poison, POISON_BYTE, SOFTGPU_PAGE_SIZE);
    registers->size = layout->register_size;
    registers->window = layout->window;
    registers->upload = layout->upload;
    registers->upload_stride =
        layout->upload != 0 ? (uint32_t)whole_pages(config->paging_buffer) : 0;
    registers->paging_node = paging_node(config);
    registers->poison = layout->poison;
    device->poison_address = device->register_address + layout->poison;
    registers->segment_count = config->segment_count;
    registers->engine_count = config->engine_count;
    for (uint32_t i = 0; i < config->segment_count; i++)
        fill_segment(device, layout, i, memory, memory_address);
    registers->hw_queues = config->hw_queues;
    for (uint32_t i = 0; i < softgpu_rings(config); i++) {
        registers->engines[i].kind =
            i < config->engine_count ? config->engines[i] : SOFTGPU_ENGINE_RENDER;
        registers->engines[i].slots = layout->slots;
        registers->engines[i].ring = layout->ring[i];
    }
    fill_driver_registers(registers, config);
    registers->magic = SOFTGPU_REGISTERS_MAGIC;
}

/* ---- config space ---------------------------------------------------------------------------- */

/* The machine answers all of the config space that is standard; there is nothing else to read. */
static bool read_config(void *context, uint32_t offset, void *buffer, uint32_t length)
{
    (void)context;
    (void)offset;
    (void)buffer;
    (void)length;
    return false;
}

static bool ring_doorbell(struct softgpu_device *device, uint32_t offset, uint32_t value)
{
    uint32_t number = (offset & 0x1f) / 4;
    struct softgpu_engine *engine;

    if (number >= softgpu_rings(&device->config))
        return false;
    engine = &device->engines[number];
    switch (offset & ~0x1fu) {
    case SOFTGPU_DOORBELL_SUBMIT(0):
        softgpu_engine_submit(engine, value);
        return true;
    case SOFTGPU_DOORBELL_EXECUTE(0):
        softgpu_engine_execute(engine, value);
        return true;
    case SOFTGPU_DOORBELL_RESET_ENGINE(0):
        softgpu_engine_reset(engine);
        return true;
    case SOFTGPU_DOORBELL_PREEMPT(0):
        softgpu_engine_preempt(engine, value);
        return true;
    default:
        return false;
    }
}

/* Bytes of a memory segment, from its start, that outlive the loss of power. */
static uint64_t preserved(const struct softgpu_segment *segment, uint32_t power)
{
    if (power == SOFTGPU_POWER_STANDBY)
        return segment->standby ? segment->size : 0;
    if (power != SOFTGPU_POWER_HIBERNATE)
        return 0;
    if (segment->hibernate)
        return segment->size;
    return segment->partly ? segment->preserved_end : 0;
}

static void lose_bytes(unsigned char *memory, uint64_t start, uint64_t end)
{
    if (start < end)
        memset(memory + start, LOST_BYTE, end - start);
}

/* The protected range outlives a standby as it says itself, whatever its segment does. */
static void lose_memory(struct softgpu_device *device, uint32_t power)
{
    for (uint32_t i = 0; i < device->config.segment_count; i++) {
        const struct softgpu_segment *segment = &device->config.segments[i];
        unsigned char *memory = device->windows[i].memory;
        uint64_t kept = preserved(segment, power), low = segment->vpr_start;
        uint64_t high = low + segment->vpr_size;

        if (segment->kind != SOFTGPU_SEGMENT_MEMORY)
            continue;
        lose_bytes(memory, kept, low);
        lose_bytes(memory, kept > high ? kept : high, segment->size);
        if (power != SOFTGPU_POWER_STANDBY || !segment->vpr_standby)
            lose_bytes(memory, low, high);
    }
}

static void lose_power(struct softgpu_device *device, uint32_t power)
{
    if (power == SOFTGPU_POWER_ON)
        return;
    softgpu_forget_translations(device);
    softgpu_lose_host_aperture(device);
    lose_memory(device, power);
    for (uint32_t i = 0; i < device->config.segment_count; i++) {
        const struct softgpu_segment *segment = &device->config.segments[i];
        struct softgpu_window *window = &device->windows[i];

        if (window->page_table == NULL)
            continue;
        for (uint64_t page = 0; page < segment->size / SOFTGPU_PAGE_SIZE; page++)
            window->page_table[page] = device->poison_address;
    }
}

static bool write_config(void *context, uint32_t offset, const void *buffer, uint32_t length)
{
    struct softgpu_device *device = context;
    uint32_t value;

    if (length != sizeof(value) || offset % sizeof(value) != 0)
        return false;
    memcpy(&value, buffer, sizeof(value));
    softgpu_wake(device);
    if (offset == SOFTGPU_DOORBELL_LOOK)
        return true;
    if (offset == SOFTGPU_DOORBELL_POWER) {
        lose_power(device, value);
        return true;
    }
    if (offset == SOFTGPU_DOORBELL_HOST_PAGE)
        return softgpu_set_host_page(device, value);
    if (offset == SOFTGPU_DOORBELL_RANGE)
        return softgpu_set_range(device, value);
    if (offset != SOFTGPU_DOORBELL_RESET)
        return ring_doorbell(device, offset, value);
    if (value != 0) {
        softgpu_engines_reset(device);
        softgpu_forget_translations(device);
        lose_memory(device, SOFTGPU_POWER_ON); /* D-239: nothing that was in it is good */
    } else {
        softgpu_engines_restart(device);
    }
    return true;
}

/* ---- public ---------------------------------------------------------------------------------- */

static bool add_engines(struct softgpu_device *device, char *error, size_t error_size)
{
    static const char *const names[] = {
        [SOFTGPU_ENGINE_RENDER] = "render",
        [SOFTGPU_ENGINE_COPY] = "copy",
    };
    const struct vidmm_bus *bus = device->bus;

    for (uint32_t i = 0; i < softgpu_rings(&device->config); i++) {
        struct softgpu_engine *engine = &device->engines[i];

        engine->device = device;
        engine->number = i;
        engine->command = malloc(SOFTGPU_WINDOW_SIZE);
        if (engine->command == NULL) {
            refuse(error, error_size, "an engine", SOFTGPU_WINDOW_SIZE);
            return false;
        }
        if (device->config.mmu.kind == SOFTGPU_MMU_GPU &&
            (engine->tlb = softgpu_tlb_create()) == NULL) {
            refuse(error, error_size, "translations", 0);
            return false;
        }
    }
    /* Last of all: an engine of the bus cannot be taken back. */
    for (uint32_t i = 0; i < softgpu_rings(&device->config); i++) {
        struct softgpu_engine *engine = &device->engines[i];

        engine->bus_engine = bus->add_engine(
            bus->context,
            i < device->config.engine_count ? names[device->config.engines[i]] : "hardware queue",
            softgpu_engine_step, engine);
        if (engine->bus_engine < 0) {
            if (error_size != 0)
                snprintf(error, error_size, "softgpu: the bus runs %u engines, not %u", i,
                         softgpu_rings(&device->config));
            return false;
        }
    }
    return true;
}

struct softgpu_device *softgpu_device_create(const struct vidmm_bus *bus,
                                             const struct softgpu_config *config,
                                             struct vidmm_device_model *model, char *error,
                                             size_t error_size)
{
    struct softgpu_device *device;
    struct layout layout;
    unsigned char *memory = NULL;
    uint64_t memory_address = 0;

    if (!softgpu_config_check(config, error, error_size))
        return NULL;
    if (config->mmu.kind == SOFTGPU_MMU_IO && bus->translate == NULL) {
        if (error_size != 0)
            snprintf(error, error_size, "softgpu: mmu io, and the bus has no IOMMU");
        return NULL;
    }
    device = calloc(1, sizeof(*device));
    if (device == NULL) {
        refuse(error, error_size, "the device", sizeof(*device));
        return NULL;
    }
    device->bus = bus;
    device->config = *config;
    softgpu_mover_init(&device->mover);
    lay_out(config, &layout);
    if (!take_bars(device, &layout, &memory, &memory_address, error, error_size))
        goto failed;
    fill_registers(device, &layout, memory, memory_address);
    if (!softgpu_add_ranges(device)) {
        refuse(error, error_size, "swizzling ranges", config->range_count * SOFTGPU_RANGE_SIZE);
        goto failed;
    }
    if (!softgpu_add_host_aperture(device, layout.host_table)) {
        refuse(error, error_size, "the CPU host aperture",
               (uint64_t)softgpu_host_pages(config) << softgpu_host_page_shift(config));
        goto failed;
    }
    if (!add_engines(device, error, error_size))
        goto failed;
    *model = (struct vidmm_device_model){.device = device,
                                         .vendor_id = SOFTGPU_VENDOR_ID,
                                         .device_id = SOFTGPU_DEVICE_ID,
                                         .read_config = read_config,
                                         .write_config = write_config};
    return device;
failed:
    softgpu_device_destroy(device);
    return NULL;
}

void softgpu_device_destroy(struct softgpu_device *device)
{
    if (device == NULL)
        return;
    for (uint32_t i = 0; i < softgpu_rings(&device->config); i++) {
        free(device->engines[i].command);
        softgpu_tlb_destroy(device->engines[i].tlb);
        free(device->engines[i].writes);
    }
    free(device);
}

static void read_first(const struct softgpu_first *first, char text[SOFTGPU_TEXT])
{
    text[0] = 0;
    if (atomic_load(&first->state) == 2)
        memcpy(text, first->text, SOFTGPU_TEXT);
}

static void read_driver(const struct softgpu_driver_register *driver,
                        struct softgpu_statistics *statistics)
{
    statistics->driver_refusals = atomic_load(&driver->refusals);
    statistics->driver_build_calls = atomic_load(&driver->build_calls);
    statistics->driver_most_queued = atomic_load(&driver->most_queued);
    statistics->driver_prepatched = atomic_load(&driver->prepatched);
    statistics->driver_repatched = atomic_load(&driver->repatched);
    statistics->driver_arrivals = atomic_load(&driver->arrivals);
    statistics->driver_departures = atomic_load(&driver->departures);
    statistics->driver_stops = atomic_load(&driver->stops);
    statistics->driver_releases = atomic_load(&driver->releases);
    statistics->refusal[0] = 0;
    if (atomic_load(&driver->refusal_claimed) == 2)
        memcpy(statistics->refusal, driver->refusal, SOFTGPU_TEXT);
}

bool softgpu_device_reason(void *context, NTSTATUS status, char *text, uint32_t size)
{
    struct softgpu_device *device = context;
    struct softgpu_driver_register *driver = &device->registers->driver;
    uint32_t there = 2;
    bool known;

    if (size == 0 || !atomic_compare_exchange_strong(&driver->reason_claimed, &there, 1))
        return false;
    known = driver->reason_status == status;
    if (known)
        snprintf(text, size, "%s", driver->reason);
    atomic_store(&driver->reason_claimed, 0);
    return known;
}

void softgpu_device_statistics(const struct softgpu_device *device,
                               struct softgpu_statistics *statistics)
{
    const struct softgpu_counters *counters = &device->counters;

    memset(statistics, 0, sizeof(*statistics));
#define READ(counter) statistics->counter = atomic_load(&counters->counter)
    READ(packets), READ(paging_packets), READ(commands), READ(transfers);
    READ(bytes_in), READ(bytes_out), READ(bytes_moved), READ(bytes_filled);
    READ(bytes_discarded), READ(pages_mapped), READ(pages_unmapped);
    READ(content_checks), READ(content_pages), READ(content_bytes_written), READ(content_sum);
    READ(content_mismatches), READ(check_ns);
    READ(context_inits), READ(context_loads), READ(context_saves);
    READ(faults), READ(dummy_accesses), READ(interrupts);
    READ(page_faults), READ(table_words), READ(flushes), READ(table_walks), READ(signals),
        READ(waits);
#undef READ
    read_driver(&device->registers->driver, statistics);
    read_first(&device->fault, statistics->fault);
    read_first(&device->mismatch, statistics->mismatch);
    if (statistics->mismatch[0] != 0)
        statistics->first_mismatch = device->first.first_mismatch;
}

void softgpu_device_hang(struct softgpu_device *device, uint32_t number, uint32_t fence,
                         bool preemptible)
{
    struct softgpu_engine *engine = &device->engines[number];

    atomic_store(&engine->hang_fence, fence);
    atomic_store(&engine->lets_preempt, preemptible);
    atomic_store(&engine->told_to_hang, 1);
}

void softgpu_device_release(struct softgpu_device *device)
{
    for (uint32_t i = 0; i < softgpu_rings(&device->config); i++)
        if (atomic_exchange(&device->engines[i].hung, 0) != 0)
            device->bus->kick_engine(device->bus->context, device->engines[i].bus_engine);
}

void softgpu_device_link(struct softgpu_device *device, struct softgpu_device *lead)
{
    lead->lead = lead;
    device->lead = lead;
    while (lead->next != NULL)
        lead = lead->next;
    lead->next = device;
}
