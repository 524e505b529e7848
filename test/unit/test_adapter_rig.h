/* test_adapter_rig.h: a machine, a software GPU, an adapter and a program on it, for tests that
 * look at the whole.
 *
 *     rig_init(&rig, &options)      machine, slot, device, adapter, a device and a context
 *     rig_work(&rig, seed, steps)   the program: creates, renders, writes by CPU, destroys; what it
 *                                   does depends on nothing but seed and steps
 *     rig_read(&rig)                every byte of every live allocation, as one number
 *     rig_finish(&rig)              everything is taken apart, and nothing is left
 *
 * The content of an allocation is known at all times (base/content.h): the GPU checks it with each
 * use, the CPU with each lock. So two runs of the same work under different adapters must answer
 * the same number.
 */
#ifndef TEST_UNIT_TEST_ADAPTER_RIG_H
#define TEST_UNIT_TEST_ADAPTER_RIG_H

#include "harness.h"

#include <stdio.h>

#include <vidmm/adapter.h>
#include <vidmm/bus.h>
#include <vidmm/host.h>
#include <vidmm/lock.h>
#include <vidmm/page.h>
#include <vidmm/residency.h>
#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "base/content.h"
#include "host/machine.h"
#include "softgpu/config.h"
#include "softgpu/device.h"
#include "softgpu/driver.h"
#include "softgpu/softgpu.h"

enum {
    RIG_ALLOCATIONS = 12,
    RIG_PAGES = 40,       /* of an allocation, at most */
    RIG_REFERENCES = 8,   /* of a command, at most */
    RIG_LOCAL_PAGES = 60, /* of a command's local allocations, at most */
};

#define RIG_SEED 0x5eedu

/* A GPU of 64 pages: most commands of rig_work() make something leave. */
#define RIG_GPU                                                                                    \
    "segment 1 aperture 1M\n"                                                                      \
    "segment 2 memory 256K cpuvisible\n"                                                           \
    "dma_buffer 4K\n"                                                                              \
    "paging_buffer 8K\n"

struct rig_options {
    const char *gpu; /* lines of a configuration over RIG_GPU; NULL: none */
    enum vidmm_machine_kind kind;
    uint64_t machine_seed;
    uint64_t system_memory; /* of the machine; 0: 8 MiB */
    bool visitors;          /* of the machine: threads of the test's own call it */
    bool evict_through_aperture;
    uint64_t agp_aperture; /* of the machine; 0: there is none */
    bool agp_posts;        /* ... and its bridge holds back what the GPU writes */
    bool caches_apart;     /* of the machine: content has to be flushed */
    uint32_t more_flags;   /* of allocations that rig_work() creates, besides CpuVisible */
    uint32_t links;        /* GPUs that are linked; 0, 1: one that is not */
    const char *last_gpu;  /* more lines for the last of a link; NULL: none */
    uint32_t sets;   /* segments where rig_work() places allocations: 1, 2 or 3; 0: any of these */
    bool no_cpu;     /* the CPU writes to nothing */
    bool may_refuse; /* a call may be refused for want of memory: go on without it */
    struct vidmm_adapter_options adapter;
};

struct rig_allocation {
    struct vidmm_allocation *handle;
    uint32_t id, generation;
    uint64_t pages, digest;
    uint32_t cpu[RIG_PAGES]; /* number of the CPU's last write, by page */
    bool local;
};

struct rig {
    struct rig_options options;
    struct vidmm_machine *machine;
    struct vidmm_slot *slot;
    struct softgpu_device *gpu;
    struct vidmm_slot *more_slots[SOFTGPU_LINKS]; /* of further GPUs of a link, from 1 on */
    struct softgpu_device *more_gpus[SOFTGPU_LINKS];
    struct softgpu_chain chain;
    struct softgpu_physical_device places[SOFTGPU_LINKS];
    struct vidmm_adapter_link more[SOFTGPU_LINKS];
    const struct vidmm_host *host; /* between the manager and the slot's; NULL: the slot's itself */
    DRIVER_INITIALIZATION_DATA driver;
    struct vidmm_adapter *adapter;
    struct vidmm_device *device;
    struct vidmm_context *context;
    struct rig_allocation allocations[RIG_ALLOCATIONS];
    uint32_t next_id;
    uint64_t random, value, refusals, cpu_mismatches;
    uint64_t driver_refusals; /* calls that the driver is expected to find wrong */
    struct vidmm_report report;
};

static inline void rig_misuse(void *argument, const char *text)
{
    (void)argument;
    fprintf(stderr, "misuse of the host: %s\n", text);
    abort();
}

static inline struct rig_options rig_defaults(void)
{
    struct rig_options options = {.kind = VIDMM_MACHINE_SIMULATED};

    vidmm_adapter_options_default(&options.adapter);
    options.adapter.dma_buffers = 4;
    options.adapter.paging_buffers = 2;
    options.adapter.poison = true;
    options.adapter.timeout_ms = 60000;
    return options;
}

/* ---- the machine ----------------------------------------------------------------------------- */

static inline struct softgpu_device *rig_plug(struct rig *rig, const struct softgpu_config *config,
                                              struct vidmm_slot **slot)
{
    struct vidmm_device_model model;
    struct softgpu_device *gpu;
    char error[200] = "";

    *slot = vidmm_machine_add_slot(rig->machine);
    assert_non_null(*slot);
    gpu = softgpu_device_create(vidmm_slot_bus(*slot), config, &model, error, sizeof(error));
    assert_non_null(gpu);
    assert_true(vidmm_slot_plug(*slot, &model));
    return gpu;
}

/* Further GPUs, like the first, and the cable. */
static inline void rig_link(struct rig *rig, const struct softgpu_config *config)
{
    struct softgpu_config last = *config;
    uint32_t count = rig->options.links;
    char error[200] = "";

    if (count <= 1)
        return;
    if (rig->options.last_gpu != NULL)
        assert_true(softgpu_config_parse(rig->options.last_gpu, &last, error, sizeof(error)));
    rig->chain = (struct softgpu_chain){.uid = 7, .count = count};
    for (uint32_t place = 0; place < count; place++)
        rig->places[place] = (struct softgpu_physical_device){&rig->chain, place};
    for (uint32_t place = 1; place < count; place++) {
        rig->more_gpus[place] =
            rig_plug(rig, place == count - 1 ? &last : config, &rig->more_slots[place]);
        softgpu_device_link(rig->more_gpus[place], rig->gpu);
        rig->more[place - 1] = (struct vidmm_adapter_link){vidmm_slot_host(rig->more_slots[place]),
                                                           &rig->places[place]};
    }
    rig->options.adapter.links = rig->more;
    rig->options.adapter.link_count = count - 1;
    softgpu_driver_link(&rig->driver);
}

static inline void rig_build(struct rig *rig, const struct rig_options *options)
{
    const struct vidmm_machine_options machine = {
        .kind = options->kind,
        .seed = options->machine_seed,
        .visitors = options->visitors,
        .system_memory = options->system_memory != 0 ? options->system_memory : 8 << 20,
        .poison = options->machine_seed % 2 == 0 ? VIDMM_POISON_HEAD : VIDMM_POISON_WHOLE,
        .misuse = rig_misuse,
        .caches_apart = options->caches_apart,
        .agp_aperture = options->agp_aperture,
        .agp_posts = options->agp_posts,
    };
    struct softgpu_config config = softgpu_config_default();
    char error[200] = "";

    memset(rig, 0, sizeof(*rig));
    rig->options = *options;
    if (!softgpu_config_parse(RIG_GPU, &config, error, sizeof(error)) ||
        !softgpu_config_parse(options->gpu != NULL ? options->gpu : "", &config, error,
                              sizeof(error)))
        fail_msg("%s", error);
    rig->machine = vidmm_machine_create(&machine, error, sizeof(error));
    assert_non_null(rig->machine);
    rig->gpu = rig_plug(rig, &config, &rig->slot);
    assert_int_equal(softgpu_driver_entry(softgpu_driver_version(config.wddm), &rig->driver),
                     STATUS_SUCCESS);
    if (config.remapping)
        softgpu_driver_remap(&rig->driver);
    rig_link(rig, &config);
}

static inline NTSTATUS rig_start(struct rig *rig)
{
    rig->options.adapter.driver_reason = softgpu_device_reason;
    rig->options.adapter.driver_reason_context = rig->gpu;
    void *device = rig->options.links > 1 ? (void *)&rig->places[0] : (void *)rig;
    NTSTATUS status = vidmm_adapter_start(
        rig->host != NULL ? rig->host : vidmm_slot_host(rig->slot), &rig->driver, device,
        &rig->options.adapter, &rig->adapter, &rig->report);

    if (status == STATUS_SUCCESS)
        status = vidmm_device_create(rig->adapter, 1, &rig->device, &rig->report);
    if (status == STATUS_SUCCESS)
        status = vidmm_context_create(rig->device, 0, NULL, 0, &rig->context, &rig->report);
    return status;
}

static inline void rig_init(struct rig *rig, const struct rig_options *options)
{
    NTSTATUS status;

    rig_build(rig, options);
    status = rig_start(rig);
    if (status != STATUS_SUCCESS)
        fail_msg("the rig does not start: 0x%08x: %s", (unsigned)status, rig->report.text);
}

/* Stop the adapter; nothing of the host's may be left. */
static inline void rig_stop(struct rig *rig)
{
    struct vidmm_machine_counts counts;

    vidmm_adapter_stop(rig->adapter);
    rig->adapter = NULL;
    counts = vidmm_machine_counts(rig->machine);
    assert_int_equal(counts.blocks, 0);
    assert_int_equal(counts.bytes, 0);
    assert_int_equal(counts.pages, 0);
    assert_int_equal(counts.mappings, 0);
}

static inline enum vidmm_residency rig_residency(struct rig *rig, struct rig_allocation *allocation)
{
    const struct vidmm_selection selection = {.allocations = &allocation->handle,
                                              .allocation_count = 1};
    enum vidmm_residency residency;

    assert_int_equal(vidmm_query_residency(&selection, &residency, &rig->report), STATUS_SUCCESS);
    return residency;
}

/* The machine's clock, in nanoseconds. */
static inline uint64_t rig_now(const struct rig *rig)
{
    const struct vidmm_host *host = vidmm_slot_host(rig->slot);

    return host->now_ns(host->context);
}

static inline void rig_finish(struct rig *rig)
{
    rig_stop(rig);
    vidmm_slot_unplug(rig->slot);
    softgpu_device_destroy(rig->gpu);
    for (uint32_t place = 1; place < rig->options.links; place++) {
        vidmm_slot_unplug(rig->more_slots[place]);
        softgpu_device_destroy(rig->more_gpus[place]);
    }
    vidmm_machine_destroy(rig->machine);
}

/* ---- the program ----------------------------------------------------------------------------- */

static inline uint32_t rig_next(struct rig *rig)
{
    rig->random = rig->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(rig->random >> 33);
}

/* Take the answer of a call that may be refused for want of memory, and only for that. True:
 * done. */
static inline bool rig_done(struct rig *rig, NTSTATUS status, const char *what)
{
    if (status == STATUS_SUCCESS)
        return true;
    rig->refusals++;
    if (!rig->options.may_refuse || status != STATUS_NO_MEMORY)
        fail_msg("%s: 0x%08x: %s", what, (unsigned)status, rig->report.text);
    return false;
}

static inline NTSTATUS rig_create(struct rig *rig, struct rig_allocation *allocation, uint64_t size,
                                  uint32_t set, uint32_t flags)
{
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = flags,
        .size = size,
        .read_set = set,
        .write_set = set,
        .evict_set = rig->options.evict_through_aperture ? 1 : 0,
        .preferred = set == 3 ? 2 | 1 << 6 : 0,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    NTSTATUS status;

    memset(allocation, 0, sizeof(*allocation));
    status = vidmm_allocation_create(rig->device, &wish, sizeof(wish), &allocation->handle,
                                     &rig->report);
    if (status != STATUS_SUCCESS) {
        allocation->handle = NULL;
        return status;
    }
    allocation->id = ++rig->next_id;
    allocation->local = (set & 2) != 0;
    allocation->pages = vidmm_allocation_size(allocation->handle) / VIDMM_PAGE_SIZE;
    return status;
}

/* Aperture only, memory only, or both; plain or with a permanent copy. All can be locked. */
static inline void rig_create_some(struct rig *rig, struct rig_allocation *allocation)
{
    uint32_t set = 1 + rig_next(rig) % 3, flags = rig_next(rig) % 3 == 0 ? 3 : 1;
    uint64_t size = 1 + rig_next(rig) % (24 * VIDMM_PAGE_SIZE);

    flags |= rig->options.more_flags;
    set = rig->options.sets != 0 ? rig->options.sets : set;
    rig_done(rig, rig_create(rig, allocation, size, set, flags), "create");
}

static inline struct vidmm_content_key rig_key(const struct rig_allocation *allocation)
{
    return (struct vidmm_content_key){RIG_SEED, allocation->id};
}

/* Check a page of a locked allocation, and write to it if wanted. */
static inline void rig_touch_page(struct rig *rig, struct rig_allocation *allocation, void *page,
                                  uint32_t index, bool write)
{
    struct vidmm_content_key key = rig_key(allocation);
    uint64_t expected = vidmm_content_digest(key, index, allocation->cpu[index]), found = 0;

    if (!vidmm_content_check_page(page, key, index, allocation->generation, &found) ||
        found != expected)
        rig->cpu_mismatches++;
    if (!write)
        return;
    allocation->cpu[index]++;
    allocation->digest += vidmm_content_digest(key, index, allocation->cpu[index]) - expected;
    vidmm_content_write_cpu(page, key, index, allocation->cpu[index]);
}

static inline bool rig_lock_and_touch(struct rig *rig, struct rig_allocation *allocation,
                                      bool write)
{
    void *data;

    if (!rig_done(rig, vidmm_lock(allocation->handle, 0, &data, NULL), "lock"))
        return false;
    for (uint32_t page = 0; page < allocation->pages; page++)
        rig_touch_page(rig, allocation, (char *)data + page * VIDMM_PAGE_SIZE, page,
                       write && page % 3 == 0);
    assert_int_equal(vidmm_unlock(allocation->handle), STATUS_SUCCESS);
    return true;
}

struct rig_command {
    struct softgpu_touch touch;
    struct softgpu_reference references[RIG_REFERENCES];
};

static inline void rig_refer(struct rig_command *command, struct vidmm_render_reference *list,
                             struct rig_allocation *allocation, bool write)
{
    uint32_t index = command->touch.reference_count++;

    list[index] = (struct vidmm_render_reference){.allocation = allocation->handle, .write = write};
    command->references[index] = (struct softgpu_reference){
        .allocation_index = index,
        .flags = write ? SOFTGPU_REFERENCE_WRITE : 0,
        .pages = allocation->pages,
        .digest = allocation->digest,
        .content_id = allocation->id,
        .generation = allocation->generation,
    };
}

/* Queue a command on these allocations; bit n of `writes`: the n-th is written. */
static inline NTSTATUS rig_render(struct rig *rig, struct rig_allocation *const *allocations,
                                  uint32_t count, uint32_t writes)
{
    struct rig_command command = {.touch = {.seed = RIG_SEED}};
    struct vidmm_render_reference list[RIG_REFERENCES] = {{.allocation = NULL}};
    uint32_t size = softgpu_touch_size(count), index;
    NTSTATUS status;

    command.touch.command = (struct softgpu_command){SOFTGPU_TOUCH, size};
    for (index = 0; index < count; index++)
        rig_refer(&command, list, allocations[index], (writes >> index & 1) != 0);
    status =
        vidmm_render(rig->context, &command, size, list, count, true, &rig->value, &rig->report);
    for (index = 0; index < count && status == STATUS_SUCCESS; index++)
        allocations[index]->generation += writes >> index & 1;
    return status;
}

static inline void rig_render_some(struct rig *rig)
{
    struct rig_allocation *chosen[RIG_REFERENCES];
    uint32_t count = 0, tries = 1 + rig_next(rig) % RIG_REFERENCES, first = rig_next(rig);
    uint64_t local = 0;

    for (uint32_t index = 0; index < tries; index++) {
        struct rig_allocation *one = &rig->allocations[(first + index * 5) % RIG_ALLOCATIONS];

        if (one->handle == NULL || (one->local && local + one->pages > RIG_LOCAL_PAGES))
            continue;
        local += one->local ? one->pages : 0;
        chosen[count++] = one;
    }
    rig_done(rig, rig_render(rig, chosen, count, rig_next(rig)), "render");
}

static inline void rig_work(struct rig *rig, uint32_t seed, uint32_t steps)
{
    rig->random = seed;
    while (steps-- > 0) {
        struct rig_allocation *one = &rig->allocations[rig_next(rig) % RIG_ALLOCATIONS];
        uint32_t choice = rig_next(rig) % 16;

        if (one->handle == NULL) {
            rig_create_some(rig, one);
        } else if (choice == 0) {
            vidmm_allocation_destroy(one->handle);
            one->handle = NULL;
        } else if (choice <= 3) {
            rig_lock_and_touch(rig, one, !rig->options.no_cpu);
        } else {
            rig_render_some(rig);
        }
    }
}

/* ---- the end --------------------------------------------------------------------------------- */

static inline uint64_t rig_hash(uint64_t hash, const uint64_t *words, uint64_t count)
{
    for (uint64_t index = 0; index < count; index++)
        hash = (hash ^ words[index]) * 0x100000001b3u;
    return hash;
}

/* Judge one GPU's findings. */
static inline void rig_judge(const struct rig *rig, const struct softgpu_device *device)
{
    struct softgpu_statistics gpu;

    softgpu_device_statistics(device, &gpu);
    if (gpu.content_mismatches != 0 || rig->cpu_mismatches != 0)
        fail_msg("%llu mismatches of the GPU, %llu of the CPU: %s",
                 (unsigned long long)gpu.content_mismatches,
                 (unsigned long long)rig->cpu_mismatches, gpu.mismatch);
    if (gpu.faults != 0 || gpu.driver_refusals != rig->driver_refusals || gpu.dummy_accesses != 0)
        fail_msg("faults: %s %s, or %llu uses of what is not mapped", gpu.fault, gpu.refusal,
                 (unsigned long long)gpu.dummy_accesses);
}

/* Every byte of what is alive, as one number; and all of it as it must be. */
static inline uint64_t rig_read(struct rig *rig)
{
    uint64_t hash = 0xcbf29ce484222325u;
    void *data;

    for (uint32_t index = 0; index < RIG_ALLOCATIONS; index++) {
        struct rig_allocation *one = &rig->allocations[index];

        if (one->handle == NULL)
            continue;
        assert_int_equal(vidmm_lock(one->handle, 0, &data, NULL), STATUS_SUCCESS);
        hash = rig_hash(hash ^ index, data, one->pages * VIDMM_PAGE_SIZE / sizeof(uint64_t));
        assert_int_equal(vidmm_unlock(one->handle), STATUS_SUCCESS);
        assert_true(rig_lock_and_touch(rig, one, false));
    }
    rig_judge(rig, rig->gpu);
    for (uint32_t place = 1; place < rig->options.links; place++)
        rig_judge(rig, rig->more_gpus[place]);
    return hash;
}

#endif
