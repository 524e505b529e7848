/* test_adapter_by_address.c: an adapter on a software GPU with page tables: what is paged goes by
 * addresses of the paging process.
 */
#include "test_by_address.h"

enum { COUNT = 4, PAGES = 160 };

/* The CPU sees its memory by 32 pages of a CPU host aperture alone (W-004). */
#define HOSTED                                                                                     \
    "wddm 2.6\nmmu gpu\nprivate_data 4K\nsegment 1 aperture 1M\n"                                  \
    "segment 2 memory 2M hostaperture\n"

static struct vidmm_allocation *allocations[COUNT];

/* Check all words of the backing store, or write them. The GPU has done with it. */
static void look(struct vidmm_allocation *one, uint64_t first, bool write)
{
    const struct vidmm_host *host = by_rig.adapter->host;

    by_wait();
    for (uint64_t page = 0; page < PAGES; page++) {
        uint64_t frame = vidmm_backing_frame(&one->backing, page << VIDMM_PAGE_SHIFT);
        uint64_t *words = host->map_pages(host->context, 1, &frame);

        assert_non_null(words);
        for (uint64_t i = 0; i < VIDMM_PAGE_SIZE / sizeof(*words); i++) {
            uint64_t expected = first == 0 ? 0 : first + page * 1000 + i;

            if (write)
                words[i] = expected;
            else
                assert_int_equal(words[i], expected);
        }
        host->unmap_pages(host->context, words, 1);
    }
}

static void bring_in_and_let_go(uint32_t rounds)
{
    by_records = false;
    for (unsigned i = 0; i < rounds * COUNT; i++) {
        by_make_resident(allocations[i % COUNT]->id);
        by_evict(allocations[i % COUNT]->id);
    }
}

/* The first content is zeroes, made in memory; what is written goes in, the pages are poisoned, and
 * it comes back. */
static void content_goes_in_and_out_by_addresses(void **state)
{
    static const char *const gpus[] = {
        BY_GPU "paging_buffer_segment 0\n",
        BY_GPU "page_table_update cpu_virtual\npage_table_segment 0\n",
        BY_GPU "paging_buffer_segment 0\npage_table_segment 0\npaging_table_segment 0\n",
        BY_GPU "paging_buffer_segment 0\nlevels 2\n",
        BY_GPU "index_bits 7 8 6 6\n",
        BY_GPU "habit immediate\n",
        BY_GPU "page_table_update gpu_virtual\n",
        HOSTED,
        HOSTED "explicit_invalidation on\n",
        HOSTED "levels 2\n",
        HOSTED "page_table_update cpu_virtual\npage_table_segment 0\n",
        HOSTED "page_table_update gpu_virtual\n"};

    (void)state;
    for (unsigned kind = 0; kind < sizeof(gpus) / sizeof(gpus[0]); kind++) {
        uint64_t all = COUNT * PAGES * (uint64_t)VIDMM_PAGE_SIZE;
        struct vidmm_statistics statistics;

        by_start(gpus[kind]);
        for (unsigned i = 0; i < COUNT; i++)
            allocations[i] = by_create(PAGES * (uint64_t)VIDMM_PAGE_SIZE, 2);
        bring_in_and_let_go(1);
        for (unsigned i = 0; i < COUNT; i++)
            look(allocations[i], 0, false);
        for (unsigned i = 0; i < COUNT; i++)
            look(allocations[i], 1 + i * 1000000, true);
        bring_in_and_let_go(2);
        for (unsigned i = 0; i < COUNT; i++)
            look(allocations[i], 1 + i * 1000000, false);
        vidmm_adapter_statistics(by_rig.adapter, &statistics);
        assert_int_equal(statistics.bytes_in, 2 * all);
        assert_int_equal(statistics.bytes_out, 3 * all);
        for (unsigned i = 0; i < COUNT; i++)
            vidmm_allocation_destroy(allocations[i]);
        by_finish();
    }
}

/* D-264, W-014: the driver was told that the process is gone, and the tables that it leaves behind
 * are told of by the handle that the process had. */
static void tables_of_a_process_that_is_gone_are_told_of_by_its_handle(void **state)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAP_ADDRESSES};
    struct vidmm_device *device;
    struct vidmm_allocation *allocation;
    unsigned records = 0, at = 0;
    HANDLE handle;

    (void)state;
    by_start(BY_GPU);
    allocation = by_create(PAGES * (uint64_t)VIDMM_PAGE_SIZE, 2);
    by_make_resident(allocation->id); /* or nothing would be written (D-292) */
    assert_int_equal(vidmm_device_create(by_rig.adapter, 77, &device, &by_rig.report),
                     STATUS_SUCCESS);
    event.addresses.process = device->owner->id;
    event.addresses.state = VIDMM_ADDRESSES_MAPPED;
    event.addresses.allocation = allocation->id;
    event.addresses.size = PAGES * (uint64_t)VIDMM_PAGE_SIZE;
    assert_int_equal(by_tell(event), STATUS_SUCCESS);
    by_wait();
    handle = device->owner->h_process;
    assert_non_null(handle);
    by_count = 0;
    vidmm_device_destroy(device);
    by_wait();
    for (; (at = by_next(at, DXGK_OPERATION_UPDATE_PAGE_TABLE)) < by_count; at++, records++)
        assert_ptr_equal(by_calls[at].build.UpdatePageTable.hProcess, handle);
    assert_true(records > 0);
    at = 0;
    assert_ptr_equal(by_find(&at, DXGK_OPERATION_FLUSH_TLB)->build.FlushTlb.hProcess, handle);
    assert_int_equal(vidmm_device_create(by_rig.adapter, 78, &device, &by_rig.report),
                     STATUS_SUCCESS); /* what was kept of the other one goes */
    assert_null(by_rig.adapter->gone_processes);
    vidmm_device_destroy(device);
    vidmm_allocation_destroy(allocation);
    by_finish();
}

/* ---- sizes of pages -------------------------------------------------------------------------- */

#define SIZED_GPU                                                                                  \
    "wddm 2.6\nmmu gpu\nprivate_data 4K\nsegment 1 aperture 1M\n"                                  \
    "segment 2 memory 16M cpuvisible\n"
#define LARGE "large_pages on\n" /* of 2 MiB */
#define NO_LARGE_PAGES 0x80u     /* DisableLargePageMapping */

enum { MEGABYTE = 1 << 20, WHOLE = 4 * MEGABYTE };

/* Entries that were written of a program's pages, by how large they are. */
struct sizes {
    unsigned small, wide, large;
};

/* Whether the update's paging buffer was full: the call came again. */
static bool is_told_again(unsigned at)
{
    unsigned next = by_next(at + 1, DXGK_OPERATION_UPDATE_PAGE_TABLE);
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &by_calls[at].build.UpdatePageTable;

    return next < by_count &&
           memcmp(update, &by_calls[next].build.UpdatePageTable, sizeof(*update)) == 0;
}

static struct sizes count_sizes(void)
{
    struct sizes sizes = {0, 0, 0};

    for (unsigned at = 0; (at = by_next(at, DXGK_OPERATION_UPDATE_PAGE_TABLE)) < by_count; at++) {
        const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &by_calls[at].build.UpdatePageTable;

        if (update->hProcess != by_process(BY_PROGRAM) || is_told_again(at))
            continue;
        for (unsigned i = 0; i < (update->Flags.Repeat ? 1 : update->NumPageTableEntries); i++) {
            const DXGK_PTE *entry = &by_calls[at].entries[i];

            if (!entry->Valid)
                continue;
            sizes.large += update->PageTableLevel == 1 && entry->LargePage;
            sizes.wide += update->PageTableLevel == 0 && update->Flags.Use64KBPages;
            sizes.small += update->PageTableLevel == 0 && !update->Flags.Use64KBPages;
            if (update->PageTableLevel != 1 || entry->LargePage)
                assert_int_equal(entry->PageTablePageSize, DXGK_PTE_PAGE_TABLE_PAGE_4KB);
            if (entry->LargePage) { /* D-119, D-123 */
                assert_int_equal(entry->PageAddress % 512, 0);
                assert_int_equal(update->DriverProtection, 0);
            }
        }
    }
    return sizes;
}

/* By which pages an allocation of that set is mapped. */
static struct sizes sizes_in(const char *gpu, uint32_t set, uint64_t size, uint32_t flags,
                             uint64_t protection)
{
    struct vidmm_allocation *allocation;
    struct sizes sizes;

    by_start(gpu);
    by_make_resident(by_create_flagged(65536, set, flags)->id); /* so that it is not at place 0 */
    allocation = by_create_flagged(size, set, flags);
    by_make_resident(allocation->id);
    by_wait();
    by_count = 0;
    by_protection = protection;
    by_map(allocation, WHOLE, VIDMM_ADDRESSES_WRITE);
    by_protection = 0x5;
    by_wait();
    sizes = count_sizes();
    vidmm_allocation_destroy(allocation);
    by_finish();
    return sizes;
}

static struct sizes sizes_of(const char *gpu, uint64_t size, uint32_t flags, uint64_t protection)
{
    return sizes_in(gpu, 2, size, flags, protection);
}

static void expect_sizes(struct sizes is, unsigned small, unsigned wide, unsigned large)
{
    assert_int_equal(is.small, small);
    assert_int_equal(is.wide, wide);
    assert_int_equal(is.large, large);
}

static void large_pages_are_where_the_caps_and_the_allocation_allow_them(void **state)
{
    (void)state;
    expect_sizes(sizes_of(SIZED_GPU LARGE, WHOLE, 0, 0), 0, 0, 2);
    expect_sizes(sizes_of(SIZED_GPU LARGE, WHOLE + 8192, 0, 0), 2, 0, 2);
    expect_sizes(sizes_of(SIZED_GPU LARGE, WHOLE, NO_LARGE_PAGES, 0), 1024, 0, 0);
    expect_sizes(sizes_of(SIZED_GPU LARGE, WHOLE, 0, 5), 1024, 0, 0); /* D-119 */
    expect_sizes(sizes_of(SIZED_GPU, WHOLE, 0, 0), 1024, 0, 0);
}

static void pages_of_64_kib_are_where_the_segment_and_the_allocation_allow_them(void **state)
{
    (void)state;
    expect_sizes(sizes_of(SIZED_GPU "pages_64k single\n", WHOLE, 0, 5), 0, 64, 0);
    expect_sizes(sizes_of(SIZED_GPU "pages_64k single\n", WHOLE + 4096, 0, 5), 0, 65, 0);
    expect_sizes(sizes_of(SIZED_GPU "pages_64k dual\n", WHOLE, 0, 5), 0, 64, 0);
    expect_sizes(sizes_of(SIZED_GPU "pages_64k dual\n" LARGE, WHOLE + 65536, 0, 0), 0, 1, 2);
    expect_sizes(sizes_of(SIZED_GPU "pages_64k single\n" LARGE, WHOLE, 0, 0), 0, 0, 2);
    expect_sizes(sizes_of(SIZED_GPU "pages_64k single\n" LARGE, WHOLE + 65536, 0, 0), 0, 1, 2);
}

/* SysMem64KBPageSupported, SysMemLargePageSupported: system memory, which an aperture shows. */
static void system_memory_is_mapped_by_the_pages_that_the_caps_promise(void **state)
{
#define SYSTEM_GPU                                                                                 \
    "wddm 2.9\nmmu gpu\nprivate_data 4K\nsegment 1 aperture 16M\n"                                 \
    "segment 2 memory 16M cpuvisible\n"
#define WIDE "pages_64k single\n"
#define PAIRED "pages_64k dual\n"
#define SYSTEM_64K "system_64k on\n"
#define SYSTEM_LARGE LARGE "system_large on\n"
    (void)state;
    by_memory = 64 * MEGABYTE;
    for (uint32_t set = 1; set <= 3; set += 2) { /* in an aperture alone, or in either */
        expect_sizes(sizes_in(SYSTEM_GPU WIDE, set, WHOLE, 0, 5), 1024, 0, 0);
        expect_sizes(sizes_in(SYSTEM_GPU WIDE SYSTEM_64K, set, WHOLE, 0, 5), 0, 64, 0);
        expect_sizes(sizes_in(SYSTEM_GPU PAIRED SYSTEM_64K, set, WHOLE, 0, 5), 0, 64, 0);
        expect_sizes(sizes_in(SYSTEM_GPU LARGE, set, WHOLE, 0, 0), 1024, 0, 0);
        expect_sizes(sizes_in(SYSTEM_GPU SYSTEM_LARGE, set, WHOLE, 0, 0), 0, 0, 2);
        expect_sizes(sizes_in(SYSTEM_GPU SYSTEM_LARGE, set, WHOLE, 0, 5), 1024, 0, 0);
        expect_sizes(sizes_in(SYSTEM_GPU SYSTEM_LARGE, set, WHOLE, NO_LARGE_PAGES, 0), 1024, 0, 0);
        expect_sizes(sizes_in(SYSTEM_GPU SYSTEM_LARGE, set, WHOLE + 8192, 0, 0), 2, 0, 2);
        expect_sizes(sizes_in(SYSTEM_GPU SYSTEM_LARGE WIDE SYSTEM_64K, set, WHOLE + 65536, 0, 0), 0,
                     1, 2);
    }
    by_memory = 0; /* not enough for units: as it comes */
    expect_sizes(sizes_in(SYSTEM_GPU SYSTEM_LARGE, 1, WHOLE, 0, 0), 1024, 0, 0);
}

/* ZeroInPteSupported: one entry above a leaf says zero of all its addresses. */
static void zeroes_need_no_leaf_if_an_entry_can_say_so(void **state)
{
    (void)state;
    for (unsigned supported = 0; supported < 2; supported++) {
        struct vidmm_event event = {.kind = VIDMM_EVENT_RESERVE_ADDRESSES};
        struct vidmm_allocation *resident;
        unsigned above = 0, leaves = 0;

        by_start(supported ? SIZED_GPU : SIZED_GPU "zero_pte off\n");
        resident = by_create(VIDMM_PAGE_SIZE, 2);
        by_make_resident(resident->id); /* or nothing would be written (D-292) */
        by_map(resident, 0, 0);
        by_wait();
        by_count = 0;
        event.addresses.process = BY_PROGRAM;
        event.addresses.state = VIDMM_ADDRESSES_ZERO;
        event.addresses.base = WHOLE;
        event.addresses.size = WHOLE;
        assert_int_equal(by_tell(event), STATUS_SUCCESS);
        by_wait();
        for (unsigned at = 0; (at = by_next(at, DXGK_OPERATION_UPDATE_PAGE_TABLE)) < by_count;
             at++) {
            const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update =
                &by_calls[at].build.UpdatePageTable;

            if (update->hProcess != by_process(BY_PROGRAM))
                continue;
            for (unsigned i = 0; i < (update->Flags.Repeat ? 1 : update->NumPageTableEntries); i++)
                above += update->PageTableLevel == 1 && by_calls[at].entries[i].Valid &&
                         by_calls[at].entries[i].Zero;
            leaves += update->PageTableLevel == 0 && by_calls[at].entries[0].Valid &&
                      !by_calls[at].entries[0].Zero && by_calls[at].entries[0].ReadOnly;
        }
        assert_int_equal(above, supported ? 2 : 0);
        assert_int_equal(leaves, supported ? 0 : 2); /* a page of zeroes, repeated */
        vidmm_allocation_destroy(resident);
        by_finish();
    }
}

/* ---- power ---- */

static bool refuses;

static NTSTATUS refuse(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    return refuses ? STATUS_UNSUCCESSFUL : by_build(adapter, arguments);
}

static void bend_builds(DRIVER_INITIALIZATION_DATA *driver)
{
    driver->DxgkDdiBuildPagingBuffer = refuse;
}

/* Creations of what pages that succeed from here on; and what there is, a count each. */
static unsigned creations;
static int processes, devices, contexts;

static NTSTATUS create_one(int *count, NTSTATUS status)
{
    *count += status == STATUS_SUCCESS;
    return status;
}

static NTSTATUS create_process(HANDLE adapter, DXGKARG_CREATEPROCESS *arguments)
{
    if (creations == 0)
        return STATUS_NO_MEMORY;
    creations--;
    return create_one(&processes, by_driver.DxgkDdiCreateProcess(adapter, arguments));
}

static NTSTATUS destroy_process(HANDLE adapter, HANDLE process)
{
    processes--;
    return by_driver.DxgkDdiDestroyProcess(adapter, process);
}

static NTSTATUS create_device(HANDLE adapter, DXGKARG_CREATEDEVICE *arguments)
{
    if (creations == 0)
        return STATUS_NO_MEMORY;
    creations--;
    return create_one(&devices, by_driver.DxgkDdiCreateDevice(adapter, arguments));
}

static NTSTATUS destroy_device(HANDLE device)
{
    devices--;
    return by_driver.DxgkDdiDestroyDevice(device);
}

static NTSTATUS create_context(HANDLE device, DXGKARG_CREATECONTEXT *arguments)
{
    if (creations == 0)
        return STATUS_NO_MEMORY;
    creations--;
    return create_one(&contexts, by_driver.DxgkDdiCreateContext(device, arguments));
}

static NTSTATUS destroy_context(HANDLE context)
{
    contexts--;
    return by_driver.DxgkDdiDestroyContext(context);
}

static void bend_creations(DRIVER_INITIALIZATION_DATA *driver)
{
    driver->DxgkDdiCreateProcess = create_process;
    driver->DxgkDdiDestroyProcess = destroy_process;
    driver->DxgkDdiCreateDevice = create_device;
    driver->DxgkDdiDestroyDevice = destroy_device;
    driver->DxgkDdiCreateContext = create_context;
    driver->DxgkDdiDestroyContext = destroy_context;
}

/* The process, two devices, and the context: each is refused in turn, and then none. */
static void who_makes_nothing_that_pages_when_power_is_back_is_stopped(void **state)
{
    struct vidmm_report report;

    (void)state;
    for (unsigned made = 0; made <= 4; made++) {
        creations = 100;
        processes = devices = contexts = 0;
        by_bend = (struct by_bend){.driver = bend_creations};
        by_start(BY_GPU);
        by_bend = (struct by_bend){.driver = NULL};
        assert_int_equal(vidmm_adapter_set_power(by_rig.adapter, VIDMM_POWER_D3, NULL),
                         STATUS_SUCCESS);
        creations = made;
        assert_int_equal(vidmm_adapter_set_power(by_rig.adapter, VIDMM_POWER_D0, &report),
                         made < 4 ? STATUS_DEVICE_REMOVED : STATUS_SUCCESS);
        assert_int_equal(vidmm_adapter_condition(by_rig.adapter, &report),
                         made < 4 ? STATUS_NO_MEMORY : STATUS_SUCCESS);
        if (made < 4)
            assert_non_null(strstr(report.text, "D-290"));
        by_finish();
        assert_int_equal(processes, 0); /* what was made is destroyed, once */
        assert_int_equal(devices, 0);
        assert_int_equal(contexts, 0);
    }
}

static void who_refuses_page_tables_when_power_is_back_is_stopped(void **state)
{
    struct vidmm_report report;

    (void)state;
    by_bend = (struct by_bend){.driver = bend_builds};
    by_start(BY_GPU);
    by_bend = (struct by_bend){.driver = NULL};
    assert_int_equal(vidmm_adapter_set_power(by_rig.adapter, VIDMM_POWER_D3, NULL), STATUS_SUCCESS);
    refuses = true;
    assert_int_equal(vidmm_adapter_set_power(by_rig.adapter, VIDMM_POWER_D0, &report),
                     STATUS_DEVICE_REMOVED);
    refuses = false;
    assert_int_equal(vidmm_adapter_condition(by_rig.adapter, &report), STATUS_UNSUCCESSFUL);
    assert_non_null(strstr(report.text, "BuildPagingBuffer"));
    by_finish();
}

/* ---- the CPU host aperture shows page tables ------------------------------------------------- */

static struct {
    DXGKDDI_MAPCPUHOSTAPERTURE *map;
    DXGKDDI_UNMAPCPUHOSTAPERTURE *unmap;
    DXGKDDI_BUILDPAGINGBUFFER *build;
    uint64_t refuse;      /* the call that is refused; 0: none is */
    uint64_t maps, shown; /* calls so far; pages that are mapped now */
    uint64_t updates;     /* by the CPU, so far */
} hosted;

static NTSTATUS map_host(HANDLE adapter, const DXGKARG_MAPCPUHOSTAPERTURE *arguments)
{
    NTSTATUS status;

    assert_null(arguments->hAllocation); /* obeys D-176 */
    if (++hosted.maps == hosted.refuse)
        return STATUS_NO_MEMORY;
    status = hosted.map(adapter, arguments);
    hosted.shown += arguments->NumberOfPages;
    return status;
}

static NTSTATUS unmap_host(HANDLE adapter, const DXGKARG_UNMAPCPUHOSTAPERTURE *arguments)
{
    hosted.shown -= arguments->NumberOfPages;
    return hosted.unmap(adapter, arguments);
}

static NTSTATUS build_hosted(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    bool by_cpu = arguments->Operation == DXGK_OPERATION_UPDATE_PAGE_TABLE &&
                  arguments->UpdatePageTable.UpdateMode == DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;

    assert_true(!by_cpu || hosted.shown > 0);
    hosted.updates += by_cpu;
    return hosted.build(adapter, arguments);
}

static void bend_host_aperture(DRIVER_INITIALIZATION_DATA *driver)
{
    hosted.map = driver->DxgkDdiMapCpuHostAperture;
    hosted.unmap = driver->DxgkDdiUnmapCpuHostAperture;
    hosted.build = driver->DxgkDdiBuildPagingBuffer;
    hosted.maps = hosted.shown = hosted.updates = 0;
    driver->DxgkDdiMapCpuHostAperture = map_host;
    driver->DxgkDdiUnmapCpuHostAperture = unmap_host;
    driver->DxgkDdiBuildPagingBuffer = build_hosted;
}

static void start_hosted(const char *gpu)
{
    by_bend = (struct by_bend){.driver = bend_host_aperture};
    by_start(gpu);
    by_bend = (struct by_bend){.driver = NULL};
}

/* An eighth of 32 pages is the view's, and no lock gets them. With CPU_VIRTUAL two scratch leaves
 * stay in view, but not while the adapter has no power. */
static void the_host_aperture_shows_tables_as_long_as_the_cpu_writes_them(void **state)
{
    (void)state;
    for (unsigned stays = 0; stays < 2; stays++) {
        uint64_t maps;

        start_hosted(stays ? HOSTED "page_table_update cpu_virtual\npage_table_segment 0\n"
                           : HOSTED);
        assert_int_equal(by_rig.adapter->segments[2].host_pages, 28);
        maps = hosted.maps;
        assert_true(maps > 3); /* it has moved */
        assert_int_equal(hosted.shown, stays ? 4 : 0);
        assert_int_equal(vidmm_adapter_set_power(by_rig.adapter, VIDMM_POWER_D3, NULL),
                         STATUS_SUCCESS);
        assert_int_equal(hosted.shown, 0);
        assert_int_equal(vidmm_adapter_set_power(by_rig.adapter, VIDMM_POWER_D0, NULL),
                         STATUS_SUCCESS);
        assert_int_equal(hosted.maps, 2 * maps);
        assert_int_equal(hosted.shown, stays ? 4 : 0);
        by_finish();
        assert_int_equal(hosted.shown, 0);
    }
}

/* D-174: at the start, and when power is back. */
static void who_shows_no_tables_does_not_start(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_report report;

    (void)state;
    options.gpu = HOSTED;
    rig_build(&by_rig, &options);
    bend_host_aperture(&by_rig.driver);
    hosted.refuse = 2;
    assert_int_equal(rig_start(&by_rig), STATUS_GRAPHICS_DRIVER_MISMATCH);
    assert_non_null(strstr(by_rig.report.text, "status of MapCpuHostAperture for page tables"));
    assert_non_null(strstr(by_rig.report.text, "(D-174)"));
    assert_int_equal(hosted.shown, 0);
    rig_finish(&by_rig);
    hosted.refuse = 0;
    start_hosted(HOSTED);
    assert_int_equal(vidmm_adapter_set_power(by_rig.adapter, VIDMM_POWER_D3, NULL), STATUS_SUCCESS);
    hosted.refuse = hosted.maps + 1;
    assert_int_equal(vidmm_adapter_set_power(by_rig.adapter, VIDMM_POWER_D0, &report),
                     STATUS_DEVICE_REMOVED);
    hosted.refuse = 0;
    assert_int_equal(vidmm_adapter_condition(by_rig.adapter, &report), STATUS_NO_MEMORY);
    assert_non_null(strstr(report.text, "DxgkDdiMapCpuHostAperture failed for page tables"));
    by_finish();
}

/* One page, and a table takes one: a lock would have none. */
static void a_host_aperture_has_room_for_a_table_and_a_lock(void **state)
{
    struct rig_options options = rig_defaults();

    (void)state;
    options.gpu = "wddm 2.6\nmmu gpu\nprivate_data 4K\nsegment 1 aperture 1M\n"
                  "page_table_segment 0\npaging_table_segment 2\n"
                  "segment 2 memory 64K hostaperture\n";
    rig_build(&by_rig, &options);
    assert_int_equal(rig_start(&by_rig), STATUS_GRAPHICS_DRIVER_MISMATCH);
    assert_non_null(strstr(by_rig.report.text, "CpuHostAperture.SizeInPages is 1"));
    rig_finish(&by_rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(content_goes_in_and_out_by_addresses),
        cmocka_unit_test(large_pages_are_where_the_caps_and_the_allocation_allow_them),
        cmocka_unit_test(system_memory_is_mapped_by_the_pages_that_the_caps_promise),
        cmocka_unit_test(pages_of_64_kib_are_where_the_segment_and_the_allocation_allow_them),
        cmocka_unit_test(zeroes_need_no_leaf_if_an_entry_can_say_so),
        cmocka_unit_test(who_refuses_page_tables_when_power_is_back_is_stopped),
        cmocka_unit_test(who_makes_nothing_that_pages_when_power_is_back_is_stopped),
        cmocka_unit_test(the_host_aperture_shows_tables_as_long_as_the_cpu_writes_them),
        cmocka_unit_test(who_shows_no_tables_does_not_start),
        cmocka_unit_test(a_host_aperture_has_room_for_a_table_and_a_lock),
        cmocka_unit_test(tables_of_a_process_that_is_gone_are_told_of_by_its_handle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
