/* shows_host_aperture.c: cpu-host-aperture.def and lock2.def, obeyed on drivers whose memory the
 * CPU sees by a CPU host aperture. Memory has 256 pages, the aperture 16.
 */
#include "flag_words.h"
#include "rules_rig.h"

#include <vidmm/lock2.h>
#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>

enum {
    PLAIN = ACCESSED_PHYSICALLY,
    VISIBLE = PLAIN | CPU_VISIBLE,
    VISIBLE_CACHED = VISIBLE | CACHED
};
enum { MEMORY = 2, EITHER = 3, HOST_PAGES = 16, MOST = 1024 };

#define GPU "wddm 2.0\nsegment 1 aperture 4M\nsegment 2 memory 1M hostaperture\n"
#define CACHED_GPU                                                                                 \
    "wddm 2.0\nsegment 1 aperture 4M\nsegment 2 memory 1M hostaperture cachedhostaperture\n"

static struct shown shown;
static struct rig *const rig = &shown.rig;
static struct vidmm_paging_queue *queue;

/* The aperture as the driver was told: by page, 1 more than the page of the segment; 0: free. */
static struct {
    DXGKDDI_MAPCPUHOSTAPERTURE *map;
    DXGKDDI_UNMAPCPUHOSTAPERTURE *unmap;
    uint64_t shows[MOST];
    HANDLE allocations[MOST];
    uint32_t mapped, most, maps, segment;
    bool refuses; /* the next mapping */
} host;

static NTSTATUS map(HANDLE adapter, const DXGKARG_MAPCPUHOSTAPERTURE *arguments)
{
    host.maps++;
    if (host.refuses) {
        host.refuses = false;
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    assert_int_equal(arguments->SegmentId, host.segment);
    assert_int_equal(arguments->PhysicalAdapterIndex, 0);
    assert_true(arguments->NumberOfPages > 0);
    for (uint64_t index = 0; index < arguments->NumberOfPages; index++) {
        uint32_t page = arguments->pCpuHostAperturePages[index];

        assert_true(page < MOST);
        assert_int_equal(host.shows[page], 0); /* D-177: nobody's */
        host.shows[page] = arguments->pMemorySegmentPages[index] + 1;
        host.allocations[page] = arguments->hAllocation;
        host.mapped++;
    }
    host.most = host.mapped > host.most ? host.mapped : host.most;
    return host.map(adapter, arguments);
}

static NTSTATUS unmap(HANDLE adapter, const DXGKARG_UNMAPCPUHOSTAPERTURE *arguments)
{
    assert_int_equal(arguments->SegmentId, host.segment);
    assert_int_equal(arguments->PhysicalAdapterIndex, 0);
    for (uint64_t index = 0; index < arguments->NumberOfPages; index++) {
        uint32_t page = arguments->pCpuHostAperturePages[index];

        assert_true(page < MOST);
        assert_int_not_equal(host.shows[page], 0); /* D-177: mapped before */
        host.shows[page] = 0;
        host.mapped--;
    }
    return host.unmap(adapter, arguments);
}

static void bend(DRIVER_INITIALIZATION_DATA *driver)
{
    memset(&host, 0, sizeof(host));
    host.segment = 2;
    host.map = driver->DxgkDdiMapCpuHostAperture;
    host.unmap = driver->DxgkDdiUnmapCpuHostAperture;
    driver->DxgkDdiMapCpuHostAperture = map;
    driver->DxgkDdiUnmapCpuHostAperture = unmap;
}

static void begin(const char *gpu)
{
    shown_init_gpu(&shown, gpu, bend);
    assert_int_equal(vidmm_paging_queue_create(rig->device, 1, &queue, &rig->report), 0);
}

static void end(void)
{
    assert_int_equal(rig->cpu_mismatches, 0);
    for (uint32_t index = 0; index < RIG_ALLOCATIONS; index++)
        rig->allocations[index].handle = NULL; /* Lock does not read all of them */
    shown_finish(&shown);
    assert_int_equal(host.mapped, 0); /* and nothing is left */
}

static void make_resident(struct rig_allocation *one)
{
    struct vidmm_residency_result result = {0};
    NTSTATUS status = vidmm_make_resident(queue, &one->handle, 1, 0, &result, &rig->report);

    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result.value, &rig->report);
    if (status != STATUS_SUCCESS)
        fail_msg("%s", rig->report.text);
}

static void evict(struct rig_allocation *one)
{
    assert_int_equal(vidmm_evict(rig->device, &one->handle, 1, 0, NULL, &rig->report), 0);
    vidmm_machine_settle(rig->machine);
}

/* All that nobody wants in place leaves, for something that takes nearly all of the memory. */
static void push_out(void)
{
    struct rig_allocation *large = &rig->allocations[RIG_ALLOCATIONS - 1];

    if (large->handle == NULL)
        assert_int_equal(rig_create(rig, large, 252 * VIDMM_PAGE_SIZE, MEMORY, PLAIN), 0);
    make_resident(large);
    evict(large);
}

static enum vidmm_residency residency_of(struct rig_allocation *one)
{
    const struct vidmm_selection selection = {.allocations = &one->handle, .allocation_count = 1};
    enum vidmm_residency residency;

    assert_int_equal(vidmm_query_residency(&selection, &residency, NULL), STATUS_SUCCESS);
    return residency;
}

static bool is_in_memory(struct rig_allocation *one)
{
    return residency_of(one) == VIDMM_RESIDENT_IN_GPU;
}

static void render(struct rig_allocation *one, uint32_t write)
{
    assert_int_equal(rig_render(rig, &one, 1, write), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig->context, rig->value), STATUS_SUCCESS);
}

/* One of so many pages, in memory, and written there by the GPU. */
static struct rig_allocation *resident(uint32_t index, uint32_t pages, uint32_t set, uint32_t flags)
{
    struct rig_allocation *one = &rig->allocations[index];

    if (rig_create(rig, one, pages * VIDMM_PAGE_SIZE, set, flags) != STATUS_SUCCESS)
        fail_msg("%s", rig->report.text);
    make_resident(one);
    render(one, 1);
    assert_true(is_in_memory(one));
    return one;
}

static void touch(struct rig_allocation *one, void *data)
{
    for (uint32_t page = 0; page < one->pages; page++)
        rig_touch_page(rig, one, (char *)data + page * VIDMM_PAGE_SIZE, page, true);
    assert_int_equal(rig->cpu_mismatches, 0);
}

static NTSTATUS try_lock(struct rig_allocation *one, void **data)
{
    NTSTATUS status = vidmm_lock2(one->handle, 0, data, &rig->report);

    if (status == STATUS_SUCCESS)
        touch(one, *data);
    return status;
}

static void *lock(struct rig_allocation *one)
{
    void *data = NULL;

    if (try_lock(one, &data) != STATUS_SUCCESS)
        fail_msg("%s", rig->report.text);
    return data;
}

static void unlock(struct rig_allocation *one)
{
    assert_int_equal(vidmm_unlock2(one->handle, &rig->report), STATUS_SUCCESS);
    vidmm_machine_settle(rig->machine);
}

/* The driver is told before the address is there, and the content stays in memory. */
void shows_S2_023(void **state)
{
    struct rig_allocation *one;
    uint32_t maps;

    (void)state;
    begin(GPU);
    one = resident(0, 5, EITHER, VISIBLE);
    assert_int_equal(host.mapped, 0);
    lock(one);
    assert_true(is_in_memory(one));
    assert_int_equal(host.mapped, 5); /* page by page */
    unlock(one);
    maps = host.maps;
    lock(one); /* it is still mapped */
    assert_int_equal(host.maps, maps);
    render(one, 0); /* with what the CPU wrote */
    unlock(one);
    evict(one);
    push_out();
    assert_int_equal(host.mapped, 0); /* it has left */
    make_resident(one);
    render(one, 0);
    end();
}

/* Both arrays say what the allocation is, page by page, from the start of each. */
void shows_D_176(void **state)
{
    struct rig_allocation *one, *other;
    uint64_t low = UINT64_MAX, high = 0;
    uint32_t page, seen = 0;

    (void)state;
    begin(GPU);
    one = resident(0, 9, EITHER, VISIBLE);
    other = resident(1, 3, EITHER, VISIBLE);
    lock(other);
    lock(one);
    for (page = 0; page < HOST_PAGES; page++) {
        if (host.allocations[page] != host.allocations[3])
            continue;
        seen++;
        low = host.shows[page] < low ? host.shows[page] : low;
        high = host.shows[page] > high ? host.shows[page] : high;
    }
    assert_int_equal(seen, 9);
    assert_int_equal(high - low, 8); /* one range of the segment */
    assert_true(low >= 1 && high <= 256);
    assert_ptr_not_equal(host.allocations[0], host.allocations[3]);
    assert_non_null(host.allocations[0]);
    unlock(one);
    unlock(other);
    end();
}

/* map() and unmap() above look at each page of each call. */
void shows_D_177(void **state)
{
    struct rig_allocation *few[6];

    (void)state;
    begin(GPU);
    for (uint32_t index = 0; index < 6; index++)
        few[index] = resident(index, 3 + index % 4, EITHER, VISIBLE);
    for (uint32_t round = 0; round < 24; round++) {
        struct rig_allocation *one = few[round * 5 % 6];

        make_resident(one);
        lock(one);
        if (round % 7 == 3)
            evict(few[round % 6]);
        unlock(one);
    }
    assert_true(host.maps > 12 && host.most <= HOST_PAGES);
    vidmm_allocation_destroy(few[0]->handle);
    vidmm_machine_settle(rig->machine);
    end();
}

/* Free pages that lie apart are as good as any. */
void shows_S2_024(void **state)
{
    struct rig_allocation *four[4], *large;
    uint32_t page, runs = 0;

    (void)state;
    begin(GPU);
    for (uint32_t index = 0; index < 4; index++) {
        four[index] = resident(index, 4, EITHER, VISIBLE);
        lock(four[index]);
    }
    assert_int_equal(host.mapped, HOST_PAGES);
    unlock(four[0]);
    unlock(four[2]);
    large = resident(4, 8, EITHER, VISIBLE);
    lock(large);
    assert_true(is_in_memory(large));
    for (page = 1; page < HOST_PAGES; page++)
        runs += host.allocations[page] != host.allocations[page - 1] ? 1 : 0;
    assert_int_equal(runs, 3); /* large, another, large, another */
    assert_int_equal(host.mapped, HOST_PAGES);
    unlock(large);
    unlock(four[1]);
    unlock(four[3]);
    end();
}

/* More is not locked in memory at a time than the aperture has pages. */
void shows_S2_025(void **state)
{
    struct rig_allocation *one, *other, *third;

    (void)state;
    begin(GPU);
    one = resident(0, 10, EITHER, VISIBLE);
    other = resident(1, 6, EITHER, VISIBLE);
    third = resident(2, 1, EITHER, VISIBLE);
    lock(one);
    lock(other); /* the last page */
    assert_true(is_in_memory(one) && is_in_memory(other));
    lock(third);
    assert_false(is_in_memory(third));
    assert_true(is_in_memory(one) && is_in_memory(other));
    unlock(third);
    unlock(one);
    make_resident(third);
    vidmm_machine_settle(rig->machine);
    lock(third); /* there is room now */
    assert_true(is_in_memory(third));
    assert_int_equal(host.most, HOST_PAGES);
    unlock(third);
    unlock(other);
    end();
}

/* An allocation that cannot be mapped leaves for system memory: an aperture has to be in its set.
 */
void shows_S2_017(void **state)
{
    struct rig_allocation *one, *other, *third;

    (void)state;
    begin(GPU);
    shown_refused(&shown, rig_create(rig, &rig->allocations[0], VIDMM_PAGE_SIZE, MEMORY, VISIBLE),
                  STATUS_INVALID_PARAMETER, "S2-018");
    one = resident(0, 16, EITHER, VISIBLE);
    other = resident(1, 17, EITHER, VISIBLE); /* larger than the aperture */
    third = resident(2, 4, EITHER, VISIBLE);
    lock(other);
    assert_false(is_in_memory(other));
    assert_int_equal(host.maps, 0);
    unlock(other);
    lock(one);
    lock(third); /* there is no page left */
    assert_false(is_in_memory(third));
    assert_true(is_in_memory(one));
    unlock(third);
    unlock(one);
    make_resident(third);
    vidmm_machine_settle(rig->machine);
    assert_true(is_in_memory(third));
    lock(third); /* the mapping of the other, which nobody uses, has gone */
    assert_true(is_in_memory(third));
    assert_int_equal(host.mapped, 4);
    unlock(third);
    host.refuses = true; /* the driver has its own reasons */
    lock(one);
    assert_false(is_in_memory(one));
    unlock(one);
    end();
}

/* The mapping goes that was not locked for longest, by whatever way it was locked. */
static void the_mapping_goes_that_was_not_used_for_longest(void)
{
    struct rig_allocation *first, *second, *third;
    uint32_t maps;

    begin(GPU);
    first = resident(0, 8, EITHER, VISIBLE);
    second = resident(1, 8, EITHER, VISIBLE);
    third = resident(2, 8, EITHER, VISIBLE);
    lock(first);
    unlock(first);
    lock(second);
    unlock(second);
    lock(first); /* no event */
    unlock(first);
    lock(third); /* in the place of the second */
    unlock(third);
    maps = host.maps;
    lock(first);
    unlock(first);
    assert_int_equal(host.maps, maps);
    lock(second);
    unlock(second);
    assert_int_equal(host.maps, maps + 1);
    end();
}

/* Locked for life, it goes in and out of memory, and the address is good all the while. */
static void an_address_follows_into_the_segment_and_out(const char *gpu, uint32_t flags)
{
    struct rig_allocation *one = &rig->allocations[0];
    void *data, *again;

    begin(gpu);
    assert_int_equal(rig_create(rig, one, 12 * VIDMM_PAGE_SIZE, EITHER, flags), STATUS_SUCCESS);
    data = lock(one); /* in system memory */
    for (uint32_t round = 0; round < 3; round++) {
        make_resident(one);
        render(one, 1);
        assert_true(is_in_memory(one));
        assert_int_equal(host.mapped, 12);
        touch(one, data);
        again = lock(one);
        assert_ptr_equal(data, again);
        unlock(one);
        evict(one);
        push_out();
        assert_int_equal(host.mapped, 0);
        touch(one, data);
    }
    unlock(one);
    end();
}

/* The driver does not map what has come into memory under an address: it leaves again, and later
 * ones stay where their addresses are. */
static void an_address_that_cannot_follow_leads_back(void)
{
    struct rig_allocation *one = &rig->allocations[0], *other = &rig->allocations[1];
    void *data;

    begin(GPU);
    assert_int_equal(rig_create(rig, one, 12 * VIDMM_PAGE_SIZE, EITHER, VISIBLE), STATUS_SUCCESS);
    data = lock(one);
    host.refuses = true;
    make_resident(one);
    vidmm_machine_settle(rig->machine);
    assert_int_equal(host.maps, 1);
    assert_int_equal(host.mapped, 0);
    assert_false(is_in_memory(one));
    touch(one, data);
    render(one, 1); /* by an aperture */
    touch(one, data);
    unlock(one);
    other = resident(1, 2, EITHER, VISIBLE);
    lock(other);
    assert_false(is_in_memory(other));
    assert_int_equal(host.maps, 1); /* the driver is not asked again */
    unlock(other);
    end();
}

/* The address leads to the frame buffer, or to the backing store. */
void shows_D_164(void **state)
{
    struct rig_allocation *one, *other = &rig->allocations[1];
    void *data, *moved;

    (void)state;
    the_mapping_goes_that_was_not_used_for_longest();
    an_address_follows_into_the_segment_and_out(GPU, VISIBLE);
    an_address_follows_into_the_segment_and_out(CACHED_GPU, VISIBLE_CACHED);
    an_address_that_cannot_follow_leads_back();
    begin(GPU);
    one = resident(0, 12, EITHER, VISIBLE);
    data = lock(one);
    assert_true(is_in_memory(one)); /* the frame buffer: */
    render(one, 1);                 /* the GPU writes there, without a page-in */
    touch(one, data);
    assert_int_equal(rig_create(rig, other, 12 * VIDMM_PAGE_SIZE, EITHER, VISIBLE), STATUS_SUCCESS);
    moved = lock(other); /* the backing store */
    make_resident(other);
    assert_false(is_in_memory(other)); /* no pages are left that would show it there */
    touch(other, moved);
    unlock(other);
    unlock(one);
    end();
}

/* With pages of 64 KiB each of them is mapped whole, though the allocation has less of it. */
void shows_D_175(void **state)
{
    struct rig_allocation *one = &rig->allocations[0];
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = CPU_VISIBLE,
        .size = 20 * VIDMM_PAGE_SIZE,
        .read_set = 5,
        .write_set = 5,
        .preferred = 3 | 1 << 6,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    void *data;

    (void)state;
    begin("wddm 2.0\nmmu gpu\npages_64k single\npage_table_segment 2\nsegment 1 aperture 4M\n"
          "segment 2 memory 8M cpuvisible\nsegment 3 memory 8M hostaperture\n");
    host.segment = 3;
    assert_int_equal(
        vidmm_allocation_create(rig->device, &wish, sizeof(wish), &one->handle, &rig->report),
        STATUS_SUCCESS);
    make_resident(one);
    assert_int_equal(vidmm_lock2(one->handle, 0, &data, &rig->report), STATUS_SUCCESS);
    assert_true(is_in_memory(one));
    assert_int_equal(host.mapped, 2); /* of 64 KiB each; the allocation has 80 KiB */
    memset(data, 0x5a, 20 * VIDMM_PAGE_SIZE);
    evict(one);
    for (uint32_t byte = 0; byte < 20 * VIDMM_PAGE_SIZE; byte++)
        assert_int_equal(((unsigned char *)data)[byte], 0x5a);
    unlock(one);
    end();
}
