/* shows_lock2.c: lock2.def, usage-tracking.def and lock1.def, obeyed on physical drivers of WDDM
 * 2.0. Memory has 64 pages.
 */
#include "existing.h"
#include "flag_words.h"
#include "hang.h"

#include <umd/region.h>
#include <vidmm/lock.h>
#include <vidmm/lock2.h>
#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>
#include <vidmm/resource.h>

#include "vidmm/object/allocation.h"
#include "vidmm/object/record.h"

enum {
    PLAIN = ACCESSED_PHYSICALLY, /* so that a list may name it */
    VISIBLE = PLAIN | CPU_VISIBLE,
    VISIBLE_CACHED = VISIBLE | CACHED,
    VISIBLE_PERMANENT = VISIBLE | PERMANENT,
    ON_DEMAND = PLAIN | 0x40000, /* CpuVisibleOnDemand alone */
};
enum { APERTURE = 1, MEMORY = 2, EITHER = 3, PAGES = 16 };

#define SEEN "wddm 2.0\n"
#define UNSEEN "wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 256K\n"

static struct shown shown;
static struct rig *const rig = &shown.rig;
static struct vidmm_paging_queue *queue;

static void begin(const char *gpu)
{
    shown_init_gpu(&shown, gpu, NULL);
    assert_int_equal(vidmm_paging_queue_create(rig->device, 1, &queue, &rig->report), 0);
}

static void end(void)
{
    assert_int_equal(rig->cpu_mismatches, 0);
    for (uint32_t index = 0; index < RIG_ALLOCATIONS; index++)
        rig->allocations[index].handle = NULL; /* some cannot be read by Lock */
    shown_finish(&shown);
}

static struct rig_allocation *create(uint32_t set, uint32_t flags)
{
    struct rig_allocation *one = &rig->allocations[0];

    if (rig_create(rig, one, PAGES * VIDMM_PAGE_SIZE, set, flags) != STATUS_SUCCESS)
        fail_msg("%s", rig->report.text);
    return one;
}

/* Answer whether there was anything to wait for. */
static bool make(struct rig_allocation *one, uint64_t *value)
{
    struct vidmm_residency_result result = {0};
    NTSTATUS status = vidmm_make_resident(queue, &one->handle, 1, 0, &result, &rig->report);

    if (status != STATUS_SUCCESS && status != STATUS_PENDING)
        fail_msg("%s", rig->report.text);
    *value = result.value;
    return status == STATUS_PENDING;
}

static void make_resident(struct rig_allocation *one)
{
    uint64_t value;

    if (make(one, &value))
        assert_int_equal(vidmm_paging_queue_wait(queue, value, &rig->report), STATUS_SUCCESS);
}

static void evict(struct rig_allocation *one)
{
    assert_int_equal(vidmm_evict(rig->device, &one->handle, 1, 0, NULL, &rig->report), 0);
    vidmm_machine_settle(rig->machine);
}

static enum vidmm_residency residency_of(struct rig_allocation *one)
{
    const struct vidmm_selection selection = {.allocations = &one->handle, .allocation_count = 1};
    enum vidmm_residency residency;

    assert_int_equal(vidmm_query_residency(&selection, &residency, NULL), STATUS_SUCCESS);
    return residency;
}

static void render(struct rig_allocation *one, uint32_t write)
{
    assert_int_equal(rig_render(rig, &one, 1, write), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig->context, rig->value), STATUS_SUCCESS);
}

static void touch(struct rig_allocation *one, void *data)
{
    for (uint32_t page = 0; page < one->pages; page++)
        rig_touch_page(rig, one, (char *)data + page * VIDMM_PAGE_SIZE, page, true);
    assert_int_equal(rig->cpu_mismatches, 0);
}

static void *lock(struct rig_allocation *one)
{
    void *data = NULL;

    if (vidmm_lock2(one->handle, 0, &data, &rig->report) != STATUS_SUCCESS)
        fail_msg("%s", rig->report.text);
    touch(one, data);
    return data;
}

static void unlock(struct rig_allocation *one)
{
    assert_int_equal(vidmm_unlock2(one->handle, &rig->report), STATUS_SUCCESS);
    vidmm_machine_settle(rig->machine);
}

/* Written by the GPU in memory, and resident there. */
static struct rig_allocation *resident(const char *gpu, uint32_t set, uint32_t flags)
{
    struct rig_allocation *one;

    begin(gpu);
    one = create(set, flags);
    make_resident(one);
    render(one, 1);
    assert_int_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU);
    return one;
}

static bool is_locked(struct rig_allocation *one)
{
    void *data;
    NTSTATUS status = vidmm_lock2(one->handle, 0, &data, &rig->report);

    if (status == STATUS_SUCCESS)
        unlock(one);
    return status == STATUS_SUCCESS;
}

/* The address, by the type of the allocation and where it is at that moment. */
void shows_S2_014(void **state)
{
    struct rig_allocation *one = resident(SEEN, EITHER, VISIBLE);

    (void)state;
    lock(one);
    assert_int_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU);
    unlock(one);
    end();
    one = resident(SEEN, EITHER, PLAIN); /* another type, in the same segment */
    lock(one);
    assert_int_not_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU);
    unlock(one);
    end();
    one = resident(UNSEEN, EITHER, VISIBLE); /* the first type, in another segment */
    lock(one);
    assert_int_not_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU);
    unlock(one);
    end();
}

void shows_S2_015(void **state)
{
    struct rig_allocation *one = resident(SEEN, EITHER, VISIBLE_CACHED);

    (void)state;
    lock(one);
    assert_int_not_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU);
    render(one, 1); /* as long as it is locked, by the aperture */
    assert_int_equal(residency_of(one), VIDMM_RESIDENT_IN_SHARED);
    unlock(one);
    end();
    one = resident(SEEN, MEMORY, VISIBLE_CACHED);
    assert_false(is_locked(one));
    assert_int_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU);
    evict(one);
    assert_true(is_locked(one)); /* not resident */
    end();
}

void shows_S2_016(void **state)
{
    struct rig_allocation *one = resident(SEEN, MEMORY, VISIBLE);
    struct vidmm_statistics statistics;

    (void)state;
    for (uint32_t round = 0; round < 3; round++) {
        lock(one);
        assert_int_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU);
        render(one, 1);
    }
    vidmm_adapter_statistics(rig->adapter, &statistics);
    assert_int_equal(statistics.evictions, 0);
    for (uint32_t round = 0; round < 3; round++)
        unlock(one);
    end();
}

void shows_S2_019(void **state)
{
    struct rig_allocation *one;

    (void)state;
    begin(UNSEEN);
    one = create(APERTURE, VISIBLE);
    lock(one); /* in system memory */
    unlock(one);
    make_resident(one);
    render(one, 1);
    assert_int_equal(residency_of(one), VIDMM_RESIDENT_IN_SHARED);
    lock(one); /* shown by an aperture */
    assert_int_equal(residency_of(one), VIDMM_RESIDENT_IN_SHARED);
    unlock(one);
    end();
}

void shows_S2_020(void **state)
{
    struct rig_allocation *one = resident(SEEN, MEMORY, PLAIN);

    (void)state;
    assert_false(is_locked(one)); /* no aperture, and in memory */
    assert_non_null(strstr(rig->report.text, "S2-020"));
    assert_int_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU);
    evict(one);
    lock(one); /* already in system memory */
    unlock(one);
    end();
    one = resident(SEEN, EITHER, PLAIN); /* an aperture in its set */
    lock(one);
    assert_int_not_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU);
    unlock(one);
    end();
}

void shows_S2_021(void **state)
{
    struct rig_allocation *one;
    uint64_t value;
    void *data;

    (void)state;
    begin(SEEN);
    one = create(MEMORY, PLAIN);
    data = lock(one);
    assert_true(make(one, &value));
    vidmm_machine_settle(rig->machine);
    assert_int_equal(residency_of(one), VIDMM_NOT_RESIDENT);
    touch(one, data);
    unlock(one);
    assert_int_equal(vidmm_paging_queue_wait(queue, value, &rig->report), STATUS_SUCCESS);
    assert_int_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU);
    render(one, 0); /* with what was written */
    end();
}

/* The bit alone gives access, and no address is held between locks. */
void shows_S3_035(void **state)
{
    struct rig_allocation *one = resident(SEEN, MEMORY, ON_DEMAND);
    const struct vidmm_allocation *record = vidmm_original(one->handle);
    void *data;

    (void)state;
    for (uint32_t round = 0; round < 2; round++) {
        assert_true(record->window == NULL || record->window->window == NULL);
        lock(one);
        assert_int_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU); /* as CpuVisible */
        assert_non_null(record->window->window);
        unlock(one);
    }
    assert_int_equal(vidmm_lock(one->handle, 0, &data, NULL),
                     STATUS_SUCCESS); /* by the old Lock, too */
    assert_int_equal(vidmm_unlock(one->handle), STATUS_SUCCESS);
    assert_null(record->window->window);
    end();
}

void shows_S2_001(void **state)
{
    struct rig_allocation *one = resident(SEEN, MEMORY, VISIBLE);
    void *data;

    (void)state;
    lock(one);
    unlock(one);
    assert_int_equal(rig_render(rig, &one, 1, 0), STATUS_SUCCESS);
    assert_true(vidmm_context_completed(rig->context) < rig->value);
    assert_int_equal(vidmm_lock2(one->handle, 0, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock2(one->handle, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(one->handle, VIDMM_LOCK_DONOT_WAIT, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(one->handle), STATUS_SUCCESS);
    assert_true(vidmm_context_completed(rig->context) < rig->value); /* it was not waited for */
    assert_int_equal(vidmm_context_wait(rig->context, rig->value), STATUS_SUCCESS);
    end();
}

/* The backing store, and the written pages go to the segment by a paging operation at the
 * unlock. */
void shows_S3_008(void **state)
{
    struct rig_allocation *one = resident(SEEN, MEMORY, VISIBLE_PERMANENT);
    const struct vidmm_allocation *record = vidmm_original(one->handle);
    size_t before, call;
    void *data;

    (void)state;
    assert_int_equal(vidmm_lock(one->handle, 0, &data, NULL), STATUS_SUCCESS);
    assert_ptr_equal(data, record->backing.address);
    touch(one, data);
    make_resident(one); /* counted twice: back in memory, if it had to leave */
    render(one, 0);
    touch(one, data);
    assert_int_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU);
    before = shown.call_count;
    assert_int_equal(vidmm_unlock(one->handle), STATUS_SUCCESS);
    vidmm_machine_settle(rig->machine);
    call = shown_next_build(&shown, before, DXGK_OPERATION_TRANSFER);
    assert_true(call != SIZE_MAX);
    assert_int_equal(shown.calls[call].argument.build.Transfer.Destination.SegmentId, 2);
    render(one, 0); /* the GPU sees what was written last */
    end();
}

/* ---- the regions that a driver's paging operations want ---- */

/* Whether all that the driver was asked to transfer to the segment from call `from` on is in
 * regions as it has declared them, to its own user-mode half alone. */
static bool are_whole_regions(const struct umd_region_rule *rule, size_t from, uint32_t *pages)
{
    bool whole = true;

    *pages = 0;
    while ((from = shown_next_build(&shown, from, DXGK_OPERATION_TRANSFER)) != SIZE_MAX) {
        const DXGKARG_BUILDPAGINGBUFFER *build = &shown.calls[from++].argument.build;
        uint64_t first = build->Transfer.TransferOffset / VIDMM_PAGE_SIZE;
        uint64_t count = build->Transfer.TransferSize / VIDMM_PAGE_SIZE;
        bool to_its_end = first + count == PAGES;

        assert_int_equal(build->Transfer.Destination.SegmentId, 2);
        whole &= first % rule->alignment == 0 && (count % rule->alignment == 0 || to_its_end) &&
                 (count >= rule->least || to_its_end);
        *pages += (uint32_t)count;
    }
    return whole;
}

/* Write these pages by one lock, of whole regions or of them alone; *pages receives how many went
 * to the segment. */
static bool writes_whole_regions(struct rig_allocation *one, const struct umd_region_rule *rule,
                                 struct umd_region written, bool widen, uint32_t *pages)
{
    struct umd_region region = written;
    uint32_t list[PAGES];
    size_t from = shown.call_count;
    void *data = NULL;

    assert_int_equal(umd_region_lock(one->handle, widen ? rule : &(struct umd_region_rule){0, 0}, 0,
                                     &region, list, PAGES, &data, &rig->report),
                     STATUS_SUCCESS);
    assert_true(region.first <= written.first &&
                region.first + region.count >= written.first + written.count);
    for (uint32_t page = written.first; page < written.first + written.count; page++)
        rig_touch_page(rig, one, (char *)data + page * VIDMM_PAGE_SIZE, page, true);
    assert_int_equal(vidmm_unlock(one->handle), STATUS_SUCCESS);
    vidmm_machine_settle(rig->machine);
    assert_int_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU);
    return are_whole_regions(rule, from, pages);
}

/* A region of an allocation of so many pages, as the rule wants it. */
static void widens(struct umd_region_rule rule, uint32_t pages, struct umd_region from,
                   struct umd_region to)
{
    assert_int_equal(umd_region_widen(&rule, pages, &from, &rig->report), STATUS_SUCCESS);
    assert_int_equal(from.first, to.first);
    assert_int_equal(from.count, to.count);
}

static void regions_are_the_smallest(void)
{
    struct umd_region none = {3, 0}, behind = {9, 2};
    uint32_t list[3];
    void *data;

    widens((struct umd_region_rule){0, 0}, 10, (struct umd_region){3, 2},
           (struct umd_region){3, 2});
    widens((struct umd_region_rule){0, 4}, 10, (struct umd_region){3, 2},
           (struct umd_region){0, 8});
    widens((struct umd_region_rule){3, 1}, 10, (struct umd_region){4, 1},
           (struct umd_region){4, 3});
    widens((struct umd_region_rule){3, 1}, 10, (struct umd_region){9, 1},
           (struct umd_region){7, 3});
    widens((struct umd_region_rule){5, 4}, 10, (struct umd_region){9, 1},
           (struct umd_region){4, 6});
    widens((struct umd_region_rule){64, 8}, 10, (struct umd_region){9, 1},
           (struct umd_region){0, 10});
    widens((struct umd_region_rule){1, 4}, UINT32_MAX, (struct umd_region){UINT32_MAX - 1, 1},
           (struct umd_region){UINT32_MAX - 3, 3});
    assert_int_equal(umd_region_widen(&(struct umd_region_rule){0, 4}, 10, &none, NULL),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(umd_region_widen(&(struct umd_region_rule){0, 4}, 10, &behind, NULL),
                     STATUS_INVALID_PARAMETER);
    behind = (struct umd_region){1, 1};
    assert_int_equal(umd_region_lock(rig->allocations[0].handle, &(struct umd_region_rule){0, 4}, 0,
                                     &behind, list, 3, &data, NULL),
                     STATUS_INVALID_PARAMETER); /* no room for four */
    assert_int_equal(umd_region_lock(rig->allocations[0].handle, &(struct umd_region_rule){0, 1},
                                     VIDMM_LOCK_ENTIRE, &behind, list, 3, &data, NULL),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_unlock(rig->allocations[0].handle), STATUS_INVALID_PARAMETER);
}

void shows_S3_009(void **state)
{
    const struct umd_region_rule rules[] = {{1, 4}, {6, 2}, {8, 8}};
    const struct umd_region written[] = {{5, 1}, {7, 2}, {14, 1}};
    struct rig_allocation *one = resident(SEEN, MEMORY, VISIBLE_PERMANENT);
    uint32_t pages;

    (void)state;
    regions_are_the_smallest();
    evict(one);
    make_resident(one); /* the GPU has not used it since, so that a lock leaves it there */
    for (unsigned i = 0; i < 9; i++) {
        assert_true(writes_whole_regions(one, &rules[i / 3], written[i % 3], true, &pages));
        assert_true(pages > written[i % 3].count);
        /* the pages alone: the driver is asked for what it cannot do */
        assert_false(writes_whole_regions(one, &rules[i / 3], written[i % 3], false, &pages));
        assert_int_equal(pages, written[i % 3].count);
    }
    render(one, 0); /* the GPU sees all of it */
    end();
}

static struct vidmm_allocation *share(struct vidmm_resource **resource)
{
    static struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                             .flags = VISIBLE,
                                             .size = VIDMM_PAGE_SIZE,
                                             .read_set = APERTURE,
                                             .write_set = APERTURE,
                                             .priority = SOFTGPU_PRIORITY_NORMAL};
    static const uint32_t data = 0x600d;
    const struct vidmm_resource_options options = {
        .private_data = &data, .private_data_size = sizeof(data), .shared = true};
    const struct vidmm_description description = {
        .private_data = &wish, .private_data_size = sizeof(wish), .vidpn_source = VIDMM_NO_SOURCE};
    struct vidmm_allocation *ours;

    if (vidmm_resource_create(rig->device, &options, &description, 1, resource, &ours,
                              &rig->report) != STATUS_SUCCESS)
        fail_msg("%s", rig->report.text);
    return ours;
}

void shows_S3_005(void **state)
{
    struct vidmm_allocation *ours, *theirs, *again;
    struct vidmm_resource *resource, *opened;
    struct vidmm_device *other, *same;
    void *data = &shown;

    (void)state;
    begin(SEEN);
    ours = share(&resource);
    assert_int_equal(vidmm_device_create(rig->adapter, 2, &other, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_device_create(rig->adapter, 1, &same, NULL), STATUS_SUCCESS);
    assert_int_equal(
        vidmm_resource_open(other, vidmm_resource_handle(resource), &opened, &theirs, 1, NULL),
        STATUS_SUCCESS);
    assert_int_equal(
        vidmm_resource_open(same, vidmm_resource_handle(resource), &opened, &again, 1, NULL),
        STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(theirs, 0, &data, NULL), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_lock2(theirs, 0, &data, &rig->report), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig->report.text, "S3-005"));
    assert_ptr_equal(data, &shown);
    assert_int_equal(vidmm_lock(again, 0, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(again), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(ours, 0, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(ours), STATUS_SUCCESS);
    end();
}

/* 60 pages of another process, which come and go. */
static void crowd_out(void)
{
    struct vidmm_device *own = rig->device;
    struct vidmm_paging_queue *own_queue = queue;
    struct vidmm_residency_result result = {0};
    struct rig_allocation *large = &rig->allocations[1];

    assert_int_equal(vidmm_device_create(rig->adapter, 2, &rig->device, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_paging_queue_create(rig->device, 1, &queue, NULL), STATUS_SUCCESS);
    assert_int_equal(rig_create(rig, large, 60 * VIDMM_PAGE_SIZE, MEMORY, PLAIN), STATUS_SUCCESS);
    assert_int_equal(vidmm_make_resident(queue, &large->handle, 1,
                                         VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER, &result, NULL),
                     STATUS_PENDING);
    assert_int_equal(vidmm_paging_queue_wait(queue, result.value, NULL), STATUS_SUCCESS);
    vidmm_device_destroy(rig->device);
    vidmm_machine_settle(rig->machine);
    large->handle = NULL;
    rig->device = own;
    queue = own_queue;
}

/* It is locked while its page-in is pending, and what the CPU writes then is what comes in. */
void shows_D_167(void **state)
{
    struct rig_allocation *one = resident(SEEN, EITHER, VISIBLE);
    const struct vidmm_selection selection = {.allocations = &one->handle, .allocation_count = 1};
    struct vidmm_residency_result result = {0};
    enum vidmm_reclaimed reclaimed = VIDMM_RECLAIMED;
    void *data = NULL;

    (void)state;
    render(one, 1);
    assert_int_equal(vidmm_offer(&selection, VIDMM_OFFER_LOW, 0, &rig->report), STATUS_SUCCESS);
    crowd_out();
    assert_int_equal(vidmm_lock2(one->handle, 0, &data, NULL), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_reclaim_queued(queue, &selection, &reclaimed, &result, &rig->report),
                     STATUS_PENDING);
    assert_int_equal(reclaimed, VIDMM_RECLAIMED_DISCARDED);
    assert_true(vidmm_paging_queue_passed(queue) < result.value);
    assert_int_equal(vidmm_lock2(one->handle, 0, &data, &rig->report), STATUS_SUCCESS);
    for (uint32_t byte = 0; byte < PAGES * VIDMM_PAGE_SIZE; byte++)
        assert_int_equal(((unsigned char *)data)[byte], 0); /* valid: it has lost its content */
    one->digest = one->generation = 0;
    memset(one->cpu, 0, sizeof(one->cpu));
    touch(one, data);
    assert_int_equal(vidmm_paging_queue_wait(queue, result.value, &rig->report), STATUS_SUCCESS);
    render(one, 1);
    touch(one, data);
    unlock(one);
    end();
}

/* The driver is to bring what the lock wrote to the segment, all pages of it. */
static void expect_upload(size_t before, uint64_t pages)
{
    const DXGKARG_BUILDPAGINGBUFFER *build;
    size_t call = shown_next_build(&shown, before, DXGK_OPERATION_TRANSFER);

    assert_true(call != SIZE_MAX);
    build = &shown.calls[call].argument.build;
    assert_int_equal(build->Transfer.Source.SegmentId, 0);
    assert_int_equal(build->Transfer.Destination.SegmentId, 2);
    assert_int_equal(build->Transfer.TransferSize, pages * VIDMM_PAGE_SIZE);
}

/* As PermanentSysMem: the memory that was given is what a lock answers, while a segment has the
 * content; what is written goes there at the unlock. Its caching type is the one that was found. */
static void lock_existing(bool kernel, uint32_t flags, enum vidmm_caching caching)
{
    struct rig_allocation *one = &rig->allocations[0];
    uint64_t frames[PAGES];
    struct existing existing;
    size_t before;
    void *data;

    begin(SEEN);
    if (kernel)
        existing_take_kernel(&existing, &shown, frames, PAGES, caching);
    else
        existing_take(&existing, PAGES);
    memset(existing.address, 0, existing.size); /* content that nobody wrote yet */
    assert_int_equal(existing_create(&shown, &existing, 0, existing.size, VISIBLE | flags),
                     STATUS_SUCCESS);
    one->id = ++rig->next_id;
    one->pages = PAGES;
    assert_int_equal(vidmm_original(one->handle)->backing.caching, caching);
    make_resident(one);
    for (uint32_t round = 0; round < 2; round++) {
        render(one, 0);
        assert_int_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU);
        assert_int_equal(vidmm_lock(one->handle, 0, &data, &rig->report), STATUS_SUCCESS);
        assert_ptr_equal(data, existing.address);
        touch(one, data);
        make_resident(one); /* counted again: back in memory, if it had to leave */
        render(one, 0);
        touch(one, data);
        assert_int_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU);
        before = shown.call_count;
        assert_int_equal(vidmm_unlock(one->handle), STATUS_SUCCESS);
        vidmm_machine_settle(rig->machine);
        expect_upload(before, PAGES);
    }
    render(one, 0); /* the GPU sees what was written last */
    existing_destroy(&shown);
    if (kernel)
        existing_give_kernel_back(&existing, &shown, frames);
    end();
    if (!kernel)
        existing_give_back(&existing);
}

/* On a machine whose caches the GPU does not see: answers whether the GPU has the bytes that stand
 * in the caches alone, of the kernel's cacheable memory. */
static bool is_kept_coherent(uint32_t flags)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *one = &rig->allocations[0], filled = {.pages = PAGES};
    struct softgpu_statistics statistics;
    uint64_t frames[PAGES];
    struct existing existing;

    options.caches_apart = true;
    options.gpu = SEEN;
    shown_init(&shown, &options, NULL);
    assert_int_equal(vidmm_paging_queue_create(rig->device, 1, &queue, &rig->report), 0);
    existing_take_kernel(&existing, &shown, frames, PAGES, VIDMM_CACHED);
    memset(existing.address, 0, existing.size);
    filled.id = ++rig->next_id;
    for (uint32_t page = 0; page < PAGES; page++)
        rig_touch_page(rig, &filled, existing.address + page * VIDMM_PAGE_SIZE, page, true);
    assert_int_equal(
        existing_create(&shown, &existing, 0, existing.size, VISIBLE | EXISTING_KERNEL | flags),
        STATUS_SUCCESS);
    filled.handle = one->handle;
    *one = filled;
    make_resident(one);
    render(one, 0);
    softgpu_device_statistics(rig->gpu, &statistics);
    existing_destroy(&shown);
    existing_give_kernel_back(&existing, &shown, frames);
    rig_stop(rig);
    shown_end(&shown);
    return statistics.content_mismatches == 0;
}

void shows_S3_017(void **state)
{
    (void)state;
    for (uint32_t cached = 0; cached <= CACHED; cached += CACHED) {
        lock_existing(false, EXISTING | cached, VIDMM_CACHED);
        lock_existing(true, EXISTING_KERNEL | cached, VIDMM_CACHED);
    }
    lock_existing(true, EXISTING_KERNEL, VIDMM_WRITE_COMBINED);
    assert_true(is_kept_coherent(CACHED));
    assert_false(is_kept_coherent(0)); /* the driver's concern, and this one does nothing */
}

/* ---- statuses of Lock2 ---- */

static NTSTATUS lock2_of(struct vidmm_allocation *allocation)
{
    void *data = &shown;
    NTSTATUS status = vidmm_lock2(allocation, 0, &data, &rig->report);

    assert_int_equal(data == &shown, status != STATUS_SUCCESS);
    return status;
}

/* Its device is removed behind a hang. */
static void of_a_removed_device(void)
{
    struct rig_options options = hang_options("wddm 2.0\nhang 0 1\n");
    struct rig_allocation *one;

    shown_init(&shown, &options, NULL);
    assert_int_equal(vidmm_paging_queue_create(rig->device, 1, &queue, &rig->report), 0);
    one = create(MEMORY, VISIBLE);
    make_resident(one);
    assert_int_equal(rig_render(rig, &one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(rig->context, rig->value);
    vidmm_machine_settle(rig->machine);
    assert_int_equal(lock2_of(one->handle), STATUS_DEVICE_REMOVED);
    assert_non_null(strstr(rig->report.text, "removed"));
    hang_finish(&shown);
}

/* Each cause has its status, which is one that the page lists. An allocation is never busy, for
 * nobody knows of its uses (S2-001). */
void shows_D_165(void **state)
{
    struct rig_allocation *one = resident(SEEN, MEMORY, PLAIN);

    (void)state;
    assert_int_equal(lock2_of(one->handle), STATUS_INVALID_PARAMETER); /* it may not leave */
    evict(one);
    assert_int_equal(lock2_of(one->handle), STATUS_SUCCESS);
    for (uint32_t locks = 1; locks < 65535; locks++)
        assert_int_equal(lock2_of(one->handle), STATUS_SUCCESS);
    assert_int_equal(lock2_of(one->handle), STATUS_GRAPHICS_TOO_MANY_REFERENCES);
    for (uint32_t locks = 0; locks < 65535; locks++)
        assert_int_equal(vidmm_unlock2(one->handle, NULL), STATUS_SUCCESS);
    assert_int_equal(lock2_of(one->handle), STATUS_SUCCESS);
    unlock(one);
    end();
    of_a_removed_device();
}
