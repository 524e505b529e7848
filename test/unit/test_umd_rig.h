/* test_umd_rig.h: a user-mode driver's side (include/umd) on a software GPU of WDDM 2 with page
 * tables, whose queues a fence holds back for as long as a test likes.
 *
 *     umd_begin(gpu)                   the rig of test_fence_rig.h, a queue for each context
 *     umd_shut(queue), umd_open()      hold back what is queued from here on; let all of it go
 *     umd_maker_of(flags, set)         makes instances: created, locked if CpuVisible, with an
 *                                      address
 *     umd_copy_out(instance, ...)      the GPU copies 8 bytes of it to the program's page
 *     umd_end()                        nothing was refused, and nothing is left
 */
#ifndef TEST_UNIT_TEST_UMD_RIG_H
#define TEST_UNIT_TEST_UMD_RIG_H

#include "test_fence_rig.h"

#include <vidmm/lock2.h>

#include <umd/rename.h>

enum { UMD_VISIBLE = 0x1, UMD_CACHED = 0x4 }; /* DXGK_ALLOCATIONINFOFLAGS */

/* A maker, and what it did. */
struct umd_test_maker {
    struct umd_maker maker;
    uint32_t flags, set;
    uint64_t size;
    uint32_t made, unmade;
    NTSTATUS refuses;                /* not STATUS_SUCCESS: what it answers to the next wish */
    struct umd_residency *residency; /* that its instances are forgotten by; NULL: none */
};

static struct umd_queues queues;
static struct vidmm_fence *gate;
static uint64_t opened; /* the gate's value */

static inline void umd_begin_with(const char *gpu, struct rig_options options)
{
    uint32_t index;

    fence_start_with(gpu, options);
    umd_queues_init(&queues, one.device);
    for (unsigned i = 0; i < 2; i++) {
        fence_succeeds(umd_queues_add(&queues, one.contexts[i], &index, &fence_rig.report), "add");
        assert_int_equal(index, i);
    }
    gate = fence_make(one.device, 0, 0);
    opened = 0;
}

static inline void umd_begin(const char *gpu)
{
    umd_begin_with(gpu, rig_defaults());
}

static inline void umd_end(void)
{
    umd_queues_finish(&queues);
    fence_finish();
}

/* Hold back what is queued on the queue from here on. */
static inline void umd_shut(unsigned queue)
{
    const struct vidmm_fence_point point = {gate, opened + 1};

    fence_succeeds(vidmm_context_wait_for_fences(one.contexts[queue], &point, 1, &fence_rig.report),
                   "shut");
}

static inline void umd_open(void)
{
    fence_succeeds(fence_signal(gate, ++opened), "open");
}

/* ---- instances ------------------------------------------------------------------------------- */

static inline NTSTATUS umd_test_make(void *context, struct umd_instance *instance,
                                     struct vidmm_report *report)
{
    struct umd_test_maker *maker = context;
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = maker->flags,
        .size = maker->size,
        .read_set = maker->set,
        .write_set = maker->set,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    const struct vidmm_address_request request = {.size = maker->size};
    struct vidmm_address_use use = {.state = VIDMM_ADDRESSES_MAPPED,
                                    .access = VIDMM_ADDRESSES_WRITE};
    void *data = NULL;

    if (maker->refuses != STATUS_SUCCESS)
        return maker->refuses;
    fence_succeeds(
        vidmm_allocation_create(one.device, &wish, sizeof(wish), &instance->allocation, report),
        "create");
    if ((maker->flags & UMD_VISIBLE) != 0)
        fence_succeeds(vidmm_lock2(instance->allocation, 0, &data, report), "lock");
    use.allocation = instance->allocation;
    assert_int_equal(
        vidmm_map_addresses(one.queue, &request, &use, &instance->address, NULL, report),
        STATUS_PENDING);
    instance->data = data;
    umd_cache_init(&instance->cache, (maker->flags & UMD_CACHED) != 0);
    umd_resident_init(&instance->resident, instance->allocation, &instance->track);
    maker->made++;
    return STATUS_SUCCESS;
}

static inline void umd_test_unmake(void *context, struct umd_instance *instance)
{
    struct umd_test_maker *maker = context;

    if (maker->residency != NULL)
        umd_residency_forget(maker->residency, &instance->resident);
    if (instance->data != NULL)
        vidmm_unlock2(instance->allocation, NULL);
    vidmm_allocation_destroy(instance->allocation);
    maker->unmade++;
}

static inline struct umd_test_maker umd_maker_of(uint32_t flags, uint32_t set)
{
    return (struct umd_test_maker){.maker = {NULL, umd_test_make, umd_test_unmake},
                                   .flags = flags,
                                   .set = set,
                                   .size = VIDMM_PAGE_SIZE};
}

/* ---- what the GPU does ----------------------------------------------------------------------- */

static inline void umd_make_resident(struct umd_instance *instance)
{
    struct vidmm_residency_result result = {0, 0};
    NTSTATUS status =
        vidmm_make_resident(one.queue, &instance->allocation, 1, 0, &result, &fence_rig.report);

    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(one.queue, result.value, &fence_rig.report);
    fence_succeeds(status, "residency");
}

/* Have the GPU read 8 bytes of an instance: they appear in the program's page, at `offset`. */
static inline void umd_copy_out(unsigned queue, struct umd_instance *instance, uint32_t offset)
{
    const struct softgpu_virtual_copy copy = {
        .command = {SOFTGPU_VIRTUAL_COPY, sizeof(copy)},
        .bytes = 8,
        .source = {SOFTGPU_VIRTUAL_SPACE, 0, instance->address},
        .destination = {SOFTGPU_VIRTUAL_SPACE, 0, one.address + VIDMM_PAGE_SIZE + offset},
    };

    umd_track_use(&instance->track, queue, umd_queue_next(&queues, queue), UMD_READ);
    fence_succeeds(umd_cache_before_gpu(&instance->cache, one.device, instance->allocation,
                                        UMD_READ, &fence_rig.report),
                   "before the GPU");
    fence_submit(&one, queue, &copy, sizeof(copy));
    fence_succeeds(umd_queue_signal(&queues, queue, &fence_rig.report), "signal");
}

/* Have the GPU write 64 bytes of it. */
static inline void umd_fill_in(unsigned queue, struct umd_instance *instance, uint32_t pattern)
{
    const struct softgpu_virtual_fill fill = {
        .command = {SOFTGPU_VIRTUAL_FILL, sizeof(fill)},
        .bytes = 64,
        .gpuva = instance->address,
        .space = SOFTGPU_VIRTUAL_SPACE,
        .pattern = pattern,
    };

    umd_track_use(&instance->track, queue, umd_queue_next(&queues, queue), UMD_WRITE);
    fence_succeeds(umd_cache_before_gpu(&instance->cache, one.device, instance->allocation,
                                        UMD_WRITE, &fence_rig.report),
                   "before the GPU");
    fence_submit(&one, queue, &fill, sizeof(fill));
    fence_succeeds(umd_queue_signal(&queues, queue, &fence_rig.report), "signal");
}

#endif
