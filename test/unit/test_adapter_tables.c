/* test_adapter_tables.c: what a driver with a GPU MMU is told of page tables, and may answer: no
 * bit that its caps do not promise, one FlushTlb for all changes of a batch, and nothing is busy.
 */
#include "test_by_address.h"

#define TWO_MIB (UINT64_C(2) << 20) /* what a leaf translates */
#define SIZED_GPU                                                                                  \
    "wddm 2.6\nmmu gpu\nprivate_data 4K\nsegment 1 aperture 1M\n"                                  \
    "segment 2 memory 16M cpuvisible\n"

enum { PAGES = 16, COUNT = 4 };

static void make_all_resident(struct vidmm_allocation *const *allocations, uint32_t count)
{
    uint32_t ids[COUNT];
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAKE_RESIDENT};

    for (uint32_t i = 0; i < count; i++)
        ids[i] = allocations[i]->id;
    event.residency.queue = 1;
    event.residency.count = count;
    event.residency.allocations = ids;
    by_tell(event);
    vidmm_machine_settle(by_rig.machine);
}

/* ---- caps ------------------------------------------------------------------------------------ */

/* Valid entries of leaves that were written of the program, and what they say. */
struct bits {
    unsigned pages, read_only, no_execute;
};

static struct bits count_bits(void)
{
    struct bits bits = {0, 0, 0};

    for (unsigned at = 0; (at = by_next(at, DXGK_OPERATION_UPDATE_PAGE_TABLE)) < by_count; at++) {
        const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &by_calls[at].build.UpdatePageTable;

        if (update->hProcess != by_process(BY_PROGRAM) || update->PageTableLevel != 0)
            continue;
        for (unsigned i = 0; i < (update->Flags.Repeat ? 1 : update->NumPageTableEntries); i++) {
            bits.pages += by_calls[at].entries[i].Valid;
            bits.read_only += by_calls[at].entries[i].ReadOnly;
            bits.no_execute += by_calls[at].entries[i].NoExecute;
        }
    }
    return bits;
}

static struct bits bits_of(const char *gpu, uint32_t access)
{
    struct vidmm_allocation *allocation;
    struct bits bits;

    by_start(gpu);
    allocation = by_create(PAGES * (uint64_t)VIDMM_PAGE_SIZE, 2);
    by_make_resident(allocation->id);
    by_map(allocation, TWO_MIB, access);
    by_wait();
    bits = count_bits();
    assert_int_equal(bits.pages, PAGES);
    vidmm_allocation_destroy(allocation);
    by_finish();
    return bits;
}

/* ReadOnlyMemorySupported, NoExecuteMemorySupported */
static void entries_protect_as_far_as_the_caps_promise(void **state)
{
    static const char *const gpus[] = {BY_GPU, BY_GPU "read_only off\n", BY_GPU "no_execute off\n",
                                       BY_GPU "read_only off\nno_execute off\n"};

    (void)state;
    for (unsigned kind = 0; kind < 4; kind++)
        for (unsigned access = 0; access < 4; access++) {
            bool writes = (access & 1) != 0, executes = (access & 2) != 0;
            struct bits bits = bits_of(gpus[kind], (writes ? VIDMM_ADDRESSES_WRITE : 0) |
                                                       (executes ? VIDMM_ADDRESSES_EXECUTE : 0));

            assert_int_equal(bits.read_only, (kind & 1) != 0 || writes ? 0 : PAGES);
            assert_int_equal(bits.no_execute, (kind & 2) != 0 || executes ? 0 : PAGES);
        }
}

/* The large pages by which 4 MiB at 5 MiB are mapped. Memory begins there at a multiple of 2 MiB,
 * so that addresses and memory are not in step. */
static unsigned large_pages(const char *gpu)
{
    struct vidmm_allocation *allocation;
    unsigned large = 0;

    by_start(gpu);
    allocation = by_create(2 * TWO_MIB, 2);
    by_make_resident(allocation->id);
    by_wait();
    assert_int_equal(vidmm_engine_where(by_rig.adapter->engine, allocation->id).offset % TWO_MIB,
                     0);
    by_count = 0;
    by_protection = 0;
    by_map(allocation, 2 * TWO_MIB + TWO_MIB / 2, VIDMM_ADDRESSES_WRITE);
    by_protection = 0x5;
    by_wait();
    for (unsigned at = 0; (at = by_next(at, DXGK_OPERATION_UPDATE_PAGE_TABLE)) < by_count; at++) {
        const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &by_calls[at].build.UpdatePageTable;

        for (unsigned i = 0; i < (update->Flags.Repeat ? 1 : update->NumPageTableEntries); i++)
            if (by_calls[at].entries[i].LargePage) {
                large++;
                assert_int_equal(update->FirstPteVirtualAddress + i * TWO_MIB, 3 * TWO_MIB);
                assert_int_equal((by_calls[at].entries[i].PageAddress << 12) % TWO_MIB,
                                 TWO_MIB / 2);
            }
    }
    vidmm_allocation_destroy(allocation);
    by_finish();
    return large;
}

/* AllowNonAlignedLargePageAddress */
static void a_large_page_begins_anywhere_if_the_caps_allow_it(void **state)
{
    (void)state;
    assert_int_equal(large_pages(SIZED_GPU "large_pages on\nunaligned_large on\n"), 1);
    assert_int_equal(large_pages(SIZED_GPU "large_pages on\n"), 0);
}

/* ---- batches --------------------------------------------------------------------------------- */

static unsigned count_flushes(uint32_t process)
{
    unsigned count = 0;

    for (unsigned at = 0; (at = by_next(at, DXGK_OPERATION_FLUSH_TLB)) < by_count; at++)
        count += by_calls[at].build.FlushTlb.hProcess == by_process(process);
    return count;
}

static unsigned count_leaves(void)
{
    unsigned count = 0;

    for (unsigned at = 0; (at = by_next(at, DXGK_OPERATION_UPDATE_PAGE_TABLE)) < by_count; at++)
        count += by_calls[at].build.UpdatePageTable.hProcess == by_process(BY_PROGRAM) &&
                 by_calls[at].build.UpdatePageTable.PageTableLevel == 0;
    return count;
}

static void evict_all(struct vidmm_allocation *const *allocations, uint32_t count)
{
    uint32_t ids[COUNT];
    struct vidmm_event event = {.kind = VIDMM_EVENT_EVICT, .device = by_rig.device->id};

    for (uint32_t i = 0; i < count; i++)
        ids[i] = allocations[i]->id;
    event.residency.count = count;
    event.residency.allocations = ids;
    by_tell(event);
    vidmm_machine_settle(by_rig.machine);
}

/* So many leaves were written since the last time, and forgotten by one call. */
static void assert_batch(unsigned leaves)
{
    assert_int_equal(count_leaves(), leaves);
    assert_int_equal(count_flushes(BY_PROGRAM), 1);
    by_count = 0;
}

/* Four allocations, each by a leaf of its own, which is cleared when it appears. */
static void changes_of_a_batch_are_flushed_by_one_call(void **state)
{
    static const char *const gpus[] = {BY_GPU, BY_GPU "page_table_update gpu_virtual\n",
                                       BY_GPU "habit immediate\n", BY_GPU "pages_64k single\n"};

    (void)state;
    for (unsigned kind = 0; kind < sizeof(gpus) / sizeof(gpus[0]); kind++) {
        struct vidmm_allocation *allocations[COUNT];

        by_start(gpus[kind]);
        for (unsigned i = 0; i < COUNT; i++) {
            allocations[i] = by_create(PAGES * (uint64_t)VIDMM_PAGE_SIZE, 2);
            by_map(allocations[i], (i + 1) * TWO_MIB, VIDMM_ADDRESSES_WRITE);
        }
        make_all_resident(allocations, COUNT);
        assert_batch(2 * COUNT);
        evict_all(allocations, COUNT);
        assert_batch(COUNT);
        make_all_resident(allocations, COUNT);
        assert_batch(COUNT);
        for (unsigned i = 0; i < COUNT; i++)
            vidmm_allocation_destroy(allocations[i]);
        by_finish();
    }
}

/* ---- answers --------------------------------------------------------------------------------- */

static struct {
    unsigned operation; /* the first of these is answered BUSY ... */
    bool of_program;    /* ... that is about the program's page tables, or not */
    bool armed;
    unsigned after; /* calls since */
} busy;

static bool is_of_program(const DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    HANDLE program = by_process(BY_PROGRAM);

    if (arguments->Operation == DXGK_OPERATION_UPDATE_PAGE_TABLE)
        return arguments->UpdatePageTable.hProcess == program;
    return arguments->Operation == DXGK_OPERATION_FLUSH_TLB &&
           arguments->FlushTlb.hProcess == program;
}

static NTSTATUS build_busy(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    if (!busy.armed)
        busy.after++;
    if (!by_records || !busy.armed || arguments->Operation != busy.operation ||
        is_of_program(arguments) != busy.of_program)
        return by_build(adapter, arguments);
    busy.armed = false;
    return STATUS_GRAPHICS_ALLOCATION_BUSY;
}

static void bend_busy(DRIVER_INITIALIZATION_DATA *driver)
{
    driver->DxgkDdiBuildPagingBuffer = build_busy;
}

/* By address nothing has an idle flag: the answer stops the adapter, with Windows' code, and
 * the driver is not asked to build anything again. */
static void nothing_by_address_may_be_busy(void **state)
{
    static const struct {
        unsigned operation;
        bool of_program;
    } rows[] = {
        {DXGK_OPERATION_UPDATE_PAGE_TABLE, false}, {DXGK_OPERATION_UPDATE_PAGE_TABLE, true},
        {DXGK_OPERATION_FLUSH_TLB, false},         {DXGK_OPERATION_FLUSH_TLB, true},
        {DXGK_OPERATION_VIRTUAL_FILL, false},      {DXGK_OPERATION_VIRTUAL_TRANSFER, false}};

    (void)state;
    for (unsigned row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
        struct vidmm_allocation *allocation;
        struct vidmm_report report;

        by_bend.driver = bend_busy;
        busy.armed = true;
        busy.after = 0;
        busy.operation = rows[row].operation;
        busy.of_program = rows[row].of_program;
        by_start(BY_GPU);
        by_bend.driver = NULL;
        allocation = by_create(PAGES * (uint64_t)VIDMM_PAGE_SIZE, 2);
        by_map(allocation, TWO_MIB, VIDMM_ADDRESSES_WRITE);
        make_all_resident(&allocation, 1);
        evict_all(&allocation, 1);
        assert_false(busy.armed);
        assert_int_equal(vidmm_adapter_condition(by_rig.adapter, &report),
                         STATUS_GRAPHICS_ALLOCATION_BUSY);
        assert_non_null(strstr(report.text, "ALLOCATION_BUSY"));
        assert_non_null(strstr(report.text, "0x10e, 0xb"));
        assert_int_equal(busy.after, 0);
        vidmm_allocation_destroy(allocation);
        rig_judge(&by_rig, by_rig.gpu);
        rig_finish(&by_rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_protect_as_far_as_the_caps_promise),
        cmocka_unit_test(a_large_page_begins_anywhere_if_the_caps_allow_it),
        cmocka_unit_test(changes_of_a_batch_are_flushed_by_one_call),
        cmocka_unit_test(nothing_by_address_may_be_busy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
