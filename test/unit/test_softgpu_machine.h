/* test_softgpu_machine.h: as little of a computer as the software GPU's tests need.
 *
 *     system memory   0x4000_0000 + n pages, shuffled for MDLs
 *     BAR n           0x80_0000_0000 + n * 64 GiB
 *
 * One thread. An engine that was kicked waits until settle(), which steps the engines in turn; an
 * interrupt is served at once if someone listens, and a deferred procedure call runs in settle().
 */
#ifndef TEST_UNIT_TEST_SOFTGPU_MACHINE_H
#define TEST_UNIT_TEST_SOFTGPU_MACHINE_H

#include "harness.h"

#include <sched.h>

#include <vidmm/bus.h>

#include "softgpu/device.h"
#include "softgpu/hardware.h"

enum {
    MACHINE_PAGES = 1024, /* of system memory */
    MACHINE_ENGINES = 4,
    MACHINE_VIEW = 64, /* pages of the view */
};

#define MACHINE_SYSTEM ((uint64_t)0x40000000)
#define MACHINE_BAR(n) (((uint64_t)0x80 << 32) + ((uint64_t)(n) << 36))

struct machine_engine {
    bool (*step)(void *engine);
    void *engine;
    bool kicked;
};

struct machine {
    struct vidmm_bus bus;
    struct vidmm_device_model model;
    struct softgpu_device *device;
    unsigned char *system;
    unsigned char *bar[VIDMM_BUS_REGIONS];
    uint64_t bar_size[VIDMM_BUS_REGIONS];
    struct machine_engine engines[MACHINE_ENGINES];
    int engine_count, engine_limit;
    uint32_t next_page;  /* of `order` */
    uint32_t page_limit; /* pages from here on are not handed out */
    uint32_t order[MACHINE_PAGES];
    unsigned bars_refused; /* a bit a BAR that there is no memory for */
    uint64_t interrupts;
    void (*listener)(struct machine *machine); /* the interrupt's, or NULL */
    struct machine_share {
        uint32_t pasid;
        uint64_t address, physical; /* of a page */
        bool write;
    } shares[16]; /* what the IOMMU knows */
    unsigned share_count;
    uint64_t view[MACHINE_VIEW]; /* physical, of each page that BAR 2 shows; 0: none */
    uint64_t view_pages;
};

static void *machine_memory(void *context, uint64_t physical, uint64_t size)
{
    struct machine *machine = context;

    if (physical >= MACHINE_SYSTEM && physical - MACHINE_SYSTEM <= MACHINE_PAGES * 4096ull &&
        size <= MACHINE_PAGES * 4096ull - (physical - MACHINE_SYSTEM))
        return machine->system + (physical - MACHINE_SYSTEM);
    for (unsigned i = 0; i < VIDMM_BUS_REGIONS; i++)
        if (machine->bar[i] != NULL && physical >= MACHINE_BAR(i) &&
            physical - MACHINE_BAR(i) <= machine->bar_size[i] &&
            size <= machine->bar_size[i] - (physical - MACHINE_BAR(i)))
            return machine->bar[i] + (physical - MACHINE_BAR(i));
    return NULL;
}

static bool machine_add_memory(void *context, unsigned region, uint64_t size, uint64_t *physical)
{
    struct machine *machine = context;

    if (machine->bars_refused >> region & 1)
        return false;
    assert_null(machine->bar[region]);
    assert_true(size != 0 && size % 4096 == 0);
    machine->bar[region] = aligned_alloc(4096, size);
    if (machine->bar[region] == NULL)
        return false;
    memset(machine->bar[region], 0xc3, size);
    machine->bar_size[region] = size;
    *physical = MACHINE_BAR(region);
    return true;
}

static void machine_raise_interrupt(void *context, uint32_t message)
{
    struct machine *machine = context;

    assert_int_equal(message, 0);
    machine->interrupts++;
    if (machine->listener != NULL)
        machine->listener(machine);
}

static int machine_add_engine(void *context, const char *name, bool (*step)(void *engine),
                              void *engine)
{
    struct machine *machine = context;

    assert_non_null(name);
    if (machine->engine_count == machine->engine_limit)
        return -1;
    machine->engines[machine->engine_count].step = step;
    machine->engines[machine->engine_count].engine = engine;
    return machine->engine_count++;
}

static void machine_kick_engine(void *context, int engine)
{
    struct machine *machine = context;

    assert_true(engine >= 0 && engine < machine->engine_count);
    machine->engines[engine].kicked = true;
}

/* Page frames in an order that nobody could be right by accident with; seldom two in a row. */
static void machine_shuffle(struct machine *machine)
{
    uint64_t random = 88172645463325252u;

    for (uint32_t i = 0; i < MACHINE_PAGES; i++)
        machine->order[i] = i;
    for (uint32_t i = MACHINE_PAGES - 1; i > 0; i--) {
        uint32_t j, swap;

        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        j = (uint32_t)(random % (i + 1));
        swap = machine->order[i];
        machine->order[i] = machine->order[j];
        machine->order[j] = swap;
    }
}

static bool machine_translate(void *context, uint32_t pasid, uint64_t address, bool write,
                              uint64_t *physical)
{
    const struct machine *machine = context;

    for (unsigned i = 0; i < machine->share_count; i++) {
        const struct machine_share *share = &machine->shares[i];

        if (share->pasid != pasid || share->address != (address & ~(uint64_t)4095))
            continue;
        *physical = share->physical + address % 4096;
        return share->write || !write;
    }
    return false;
}

static bool machine_add_view(void *context, unsigned region, uint64_t size, uint64_t *physical)
{
    struct machine *machine = context;

    assert_int_equal(region, 2);
    assert_int_equal(machine->view_pages, 0);
    assert_true(size % 4096 == 0 && size <= MACHINE_VIEW * 4096ull);
    machine->view_pages = size / 4096;
    *physical = MACHINE_BAR(2);
    return true;
}

static bool machine_show_view(void *context, uint64_t physical, uint64_t count,
                              const uint64_t *pages)
{
    struct machine *machine = context;
    uint64_t first = (physical - MACHINE_BAR(2)) / 4096;

    assert_true(first < machine->view_pages && count <= machine->view_pages - first);
    if (count == 0) /* all views of a test are as long as each other: one page, or sixteen */
        for (uint64_t i = 0; i < (machine->view_pages < 32 ? 1 : 16); i++)
            machine->view[first + i] = 0;
    for (uint64_t i = 0; i < count; i++)
        machine->view[first + i] = pages[i];
    return true;
}

/* Have a process show a page of system memory at an address. */
static inline void machine_share(struct machine *machine, uint32_t pasid, uint64_t address,
                                 uint64_t physical, bool write)
{
    assert_true(machine->share_count < 16);
    machine->shares[machine->share_count++] =
        (struct machine_share){pasid, address, physical, write};
}

static inline void machine_yield(void *context)
{
    (void)context;
    sched_yield();
}

static inline void machine_init(struct machine *machine)
{
    memset(machine, 0, sizeof(*machine));
    machine->bus = (struct vidmm_bus){
        .context = machine,
        .memory = machine_memory,
        .add_memory = machine_add_memory,
        .raise_interrupt = machine_raise_interrupt,
        .add_engine = machine_add_engine,
        .kick_engine = machine_kick_engine,
        .translate = machine_translate,
        .add_view = machine_add_view,
        .show_view = machine_show_view,
        .yield = machine_yield,
    };
    machine->engine_limit = MACHINE_ENGINES;
    machine->page_limit = MACHINE_PAGES;
    machine->system = aligned_alloc(4096, MACHINE_PAGES * 4096ull);
    assert_non_null(machine->system);
    memset(machine->system, 0xc3, MACHINE_PAGES * 4096ull);
    machine_shuffle(machine);
}

static inline void machine_plug(struct machine *machine, const struct softgpu_config *config)
{
    char error[SOFTGPU_TEXT] = "";

    machine->device =
        softgpu_device_create(&machine->bus, config, &machine->model, error, sizeof(error));
    if (machine->device == NULL)
        fail_msg("%s", error);
}

static inline void machine_finish(struct machine *machine)
{
    softgpu_device_destroy(machine->device);
    for (unsigned i = 0; i < VIDMM_BUS_REGIONS; i++)
        free(machine->bar[i]);
    free(machine->system);
}

/* The number of the next page frame; consecutive calls answer scattered frames. */
static inline uint64_t machine_frame(struct machine *machine)
{
    uint32_t page;

    do {
        assert_true(machine->next_page < MACHINE_PAGES);
        page = machine->order[machine->next_page++];
    } while (page >= machine->page_limit);
    return MACHINE_SYSTEM / 4096 + page;
}

static inline unsigned char *machine_at(struct machine *machine, uint64_t physical)
{
    return machine_memory(machine, physical, 1);
}

/* Step engines in turn until none has anything to do. */
static inline void machine_settle_engines(struct machine *machine)
{
    for (bool any = true; any;) {
        any = false;
        for (int i = 0; i < machine->engine_count; i++) {
            if (!machine->engines[i].kicked)
                continue;
            machine->engines[i].kicked = machine->engines[i].step(machine->engines[i].engine);
            any = true;
        }
    }
}

static inline bool machine_ring(struct machine *machine, uint32_t doorbell, uint32_t value)
{
    return machine->model.write_config(machine->model.device, doorbell, &value, sizeof(value));
}

static inline struct softgpu_registers *machine_registers(struct machine *machine)
{
    return (struct softgpu_registers *)(void *)machine->bar[0];
}

static inline struct softgpu_statistics machine_statistics(struct machine *machine)
{
    struct softgpu_statistics statistics;

    softgpu_device_statistics(machine->device, &statistics);
    return statistics;
}

/* A config of small segments: 1 aperture of 64 pages, 2 memory of 64 pages. */
static inline struct softgpu_config machine_small_config(void)
{
    struct softgpu_config config = softgpu_config_default();

    config.segments[0].size = config.segments[1].size = 64 * 4096;
    return config;
}

#endif
