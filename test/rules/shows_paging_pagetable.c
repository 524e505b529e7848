/* shows_paging_pagetable.c: what the manager obeys when it writes page tables of programs. */
#include "unit/test_by_address.h"

#include "rules_rig.h"

#include <vidmm/paging_queue.h>

enum { PAGES = 16, MORE = 40 }; /* one run in memory, and several */

#define TABLES_IN_SYSTEM BY_GPU "page_table_segment 0\n"

static const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update_of(const struct by_call *call)
{
    return &call->build.UpdatePageTable;
}

/* The next update of the program's tables of that level. */
static const struct by_call *find_update(unsigned *from, unsigned level)
{
    const struct by_call *call;

    do
        call = by_find(from, DXGK_OPERATION_UPDATE_PAGE_TABLE);
    while (update_of(call)->PageTableLevel != level ||
           update_of(call)->hProcess != by_process(BY_PROGRAM));
    return call;
}

/* The next that says something: not the one that clears the table. */
static const struct by_call *find_entries(unsigned *from, unsigned level)
{
    const struct by_call *call;

    do
        call = find_update(from, level);
    while (update_of(call)->Flags.InitialUpdate);
    return call;
}

/* An allocation in memory that is mapped, and its tables are written. */
static struct vidmm_allocation *mapped_pages(const char *gpu, uint32_t access, uint32_t pages,
                                             uint64_t *address)
{
    struct vidmm_allocation *allocation;

    by_start(gpu);
    allocation = by_create(pages * (uint64_t)VIDMM_PAGE_SIZE, 2);
    by_make_resident(allocation->id);
    by_wait();
    by_count = 0;
    *address = by_map(allocation, 0, access);
    by_wait();
    return allocation;
}

static struct vidmm_allocation *mapped(const char *gpu, uint32_t access, uint64_t *address)
{
    return mapped_pages(gpu, access, PAGES, address);
}

static void finish(struct vidmm_allocation *allocation)
{
    vidmm_allocation_destroy(allocation);
    by_finish();
}

/* ---- an update ---- */

void shows_D_113(void **state)
{
    struct vidmm_allocation *allocation;
    const struct by_call *call;
    unsigned from = 0;
    uint64_t address;

    (void)state;
    allocation = mapped(BY_GPU, VIDMM_ADDRESSES_WRITE, &address);
    call = find_entries(&from, 0);
    assert_int_equal(update_of(call)->StartIndex, address / VIDMM_PAGE_SIZE % 512);
    assert_int_equal(update_of(call)->NumPageTableEntries, PAGES);
    assert_int_equal(update_of(call)->Flags.Repeat, 0);
    for (unsigned i = 0; i < PAGES; i++)
        assert_int_equal(call->entries[i].PageAddress, call->entries[0].PageAddress + i);
    by_map(allocation, 0x100000, 0); /* the table stays */
    by_wait();
    by_count = from = 0;
    by_unmap(address, PAGES * (uint64_t)VIDMM_PAGE_SIZE);
    by_wait();
    call = find_update(&from, 0);
    assert_int_equal(update_of(call)->StartIndex, address / VIDMM_PAGE_SIZE % 512);
    assert_int_equal(update_of(call)->NumPageTableEntries, PAGES);
    assert_int_equal(update_of(call)->Flags.Repeat, 1); /* one stands for all */
    assert_int_equal(call->entries[0].Valid, 0);
    finish(allocation);
}

static void coherent_entries(bool reported, bool cached)
{
    struct vidmm_allocation *allocation;
    const struct by_call *call;
    unsigned from = 0;

    by_start(reported ? BY_GPU "coherent on\n" : BY_GPU "coherent off\n");
    allocation = by_create_flagged(PAGES * (uint64_t)VIDMM_PAGE_SIZE, 1, cached ? 0x5 : 0x1);
    by_make_resident(allocation->id);
    by_wait();
    by_map(allocation, 0, VIDMM_ADDRESSES_WRITE);
    by_wait();
    call = find_entries(&from, 0);
    for (unsigned i = 0; i < PAGES; i++) {
        assert_int_equal(call->entries[i].Valid, 1);
        assert_int_equal(call->entries[i].Segment, 0); /* system memory */
        assert_int_equal(call->entries[i].CacheCoherent, reported && cached);
    }
    finish(allocation);
}

/* A driver without page tables. */
static void coherent_aperture(bool reported, bool cached)
{
    struct vidmm_residency_result result;
    struct vidmm_paging_queue *queue;
    struct rig_allocation *one;
    struct shown shown;
    size_t at;

    shown_init_gpu(&shown,
                   reported ? "wddm 2.0\nsegment 1 aperture 1M cachecoherent\nsegment 2 memory 1M\n"
                            : "wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 1M\n",
                   NULL);
    one = &shown.rig.allocations[0];
    assert_int_equal(rig_create(&shown.rig, one, PAGES * (uint64_t)VIDMM_PAGE_SIZE, 1,
                                cached ? 0x8005 : 0x8001), /* with AccessedPhysically */
                     STATUS_SUCCESS);
    at = shown.call_count;
    assert_int_equal(vidmm_paging_queue_create(shown.rig.device, 1, &queue, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_make_resident(queue, &one->handle, 1, 0, &result, NULL), STATUS_PENDING);
    shown_settle(&shown);
    at = shown_next_build(&shown, at, DXGK_OPERATION_MAP_APERTURE_SEGMENT);
    assert_int_not_equal(at, SIZE_MAX);
    assert_int_equal(shown.calls[at].argument.build.MapApertureSegment.Flags.CacheCoherent,
                     reported && cached);
    assert_int_equal(shown_next_build(&shown, at + 1, DXGK_OPERATION_MAP_APERTURE_SEGMENT),
                     SIZE_MAX);
    one->handle = NULL;
    shown_finish(&shown);
}

/* Entries go by CacheCoherentMemorySupported, an aperture by its own flag; where both are there, so
 * that the bits may be set, they are set for what is Cached. */
void shows_D_179(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        coherent_entries((i & 1) != 0, (i & 2) != 0);
        coherent_aperture((i & 1) != 0, (i & 2) != 0);
    }
}

void shows_D_114(void **state)
{
    struct vidmm_allocation *allocation;
    const struct by_call *call;
    unsigned from = 0;
    uint64_t address;

    (void)state;
    allocation = mapped(BY_GPU "page_table_segment 2\n", VIDMM_ADDRESSES_WRITE, &address);
    call = find_entries(&from, 0);
    assert_int_equal(update_of(call)->UpdateMode, DXGK_PAGETABLEUPDATE_GPU_PHYSICAL);
    assert_int_equal(update_of(call)->PageTableAddress.GpuPhysical.SegmentId, 2);
    assert_in_range(update_of(call)->PageTableAddress.GpuPhysical.SegmentOffset, 0, (2 << 20) - 1);
    finish(allocation);
    from = 0;
    allocation = mapped(TABLES_IN_SYSTEM, VIDMM_ADDRESSES_WRITE, &address);
    call = find_entries(&from, 0);
    assert_int_equal(update_of(call)->UpdateMode, DXGK_PAGETABLEUPDATE_GPU_PHYSICAL);
    assert_int_equal(update_of(call)->PageTableAddress.GpuPhysical.SegmentId, 0);
    assert_int_equal(update_of(call)->PageTableAddress.GpuPhysical.SegmentOffset % 4096, 0);
    finish(allocation);
    from = 0;
    allocation =
        mapped(TABLES_IN_SYSTEM "page_table_update cpu_virtual\n", VIDMM_ADDRESSES_WRITE, &address);
    call = find_entries(&from, 0);
    assert_int_equal(update_of(call)->UpdateMode, DXGK_PAGETABLEUPDATE_CPU_VIRTUAL);
    /* softgpu has written there, in the call */
    assert_int_equal(
        ((uint64_t *)update_of(call)->PageTableAddress.CpuVirtual)[update_of(call)->StartIndex] & 1,
        1);
    finish(allocation);
}

void shows_D_116(void **state)
{
    struct vidmm_allocation *allocation;
    const struct by_call *call;
    unsigned from = 0;
    uint64_t address;

    (void)state;
    allocation = mapped(BY_GPU, VIDMM_ADDRESSES_WRITE, &address);
    call = find_entries(&from, 0);
    assert_int_equal(update_of(call)->NumPageTableEntries * UINT64_C(4096),
                     PAGES * (uint64_t)VIDMM_PAGE_SIZE);
    assert_int_equal(update_of(call)->FirstPteVirtualAddress, address);
    finish(allocation);
}

/* In system memory: the pages of the backing store, in their order, wherever they are. */
void shows_D_117(void **state)
{
    struct vidmm_allocation *allocation;
    const struct by_call *call;
    unsigned from = 0;
    uint64_t address;

    (void)state;
    by_start(BY_GPU);
    allocation = by_create(PAGES * (uint64_t)VIDMM_PAGE_SIZE, 1);
    by_make_resident(allocation->id);
    address = by_map(allocation, 0, VIDMM_ADDRESSES_WRITE);
    by_wait();
    call = find_entries(&from, 0);
    assert_int_equal(update_of(call)->FirstPteVirtualAddress, address);
    assert_ptr_equal(update_of(call)->hAllocation, allocation->h_allocation);
    assert_int_equal(update_of(call)->AllocationOffsetInBytes, 0);
    assert_int_equal(update_of(call)->NumPageTableEntries, PAGES);
    for (unsigned i = 0; i < PAGES; i++) {
        assert_int_equal(call->entries[i].Segment, 0);
        assert_int_equal(call->entries[i].PageAddress,
                         vidmm_backing_frame(&allocation->backing, i * UINT64_C(4096)));
    }
    finish(allocation);
}

/* Valid entries of a program's 4 MiB on a GPU with large pages: those above a leaf that are large
 * pages, and those of leaves. level: of its driver. */
static void count_large(const char *level, uint32_t flags, unsigned *large, unsigned *small)
{
    const uint64_t size = UINT64_C(4) << 20; /* and its address */
    struct vidmm_allocation *allocation;
    char gpu[160];

    *large = *small = 0;
    snprintf(gpu, sizeof(gpu),
             "wddm %s\nmmu gpu\nprivate_data 4K\nlarge_pages on\nsegment 1 aperture 1M\n"
             "segment 2 memory 16M cpuvisible\n",
             level);
    by_start(gpu);
    allocation = by_create_flagged(size, 2, flags);
    by_make_resident(allocation->id);
    by_wait();
    by_count = 0;
    by_protection = 0; /* a protection of the driver's own has no large pages (D-119) */
    by_map(allocation, size, VIDMM_ADDRESSES_WRITE);
    by_protection = 0x5;
    by_wait();
    for (unsigned at = 0; (at = by_next(at, DXGK_OPERATION_UPDATE_PAGE_TABLE)) < by_count; at++) {
        const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = update_of(&by_calls[at]);

        if (update->hProcess != by_process(BY_PROGRAM) || update->Flags.Repeat)
            continue;
        for (unsigned i = 0; i < update->NumPageTableEntries; i++) {
            const DXGK_PTE *entry = &by_calls[at].entries[i];

            *large += entry->Valid && update->PageTableLevel == 1 && entry->LargePage;
            *small += entry->Valid && update->PageTableLevel == 0;
        }
    }
    finish(allocation);
}

/* Bit by bit of those that may be set alone: this one changes it, and its neighbour does not. */
void shows_S3_019(void **state)
{
    unsigned large, small;

    (void)state;
    count_large("2.0", 0, &large, &small);
    assert_int_equal(large, 0);
    assert_true(small >= 1024);
    count_large("2.1", 0, &large, &small);
    assert_int_equal(large, 2);
    assert_int_equal(small, 0);
    count_large("2.1", 0x80, &large, &small);
    assert_int_equal(large, 0);
    assert_true(small >= 1024);
    count_large("2.1", 0x40, &large, &small); /* FromEndOfSegment */
    assert_int_equal(large, 2);
    assert_int_equal(small, 0);
}

void shows_D_119(void **state)
{
    struct vidmm_allocation *allocation;
    unsigned from = 0, level;
    uint64_t address;

    (void)state;
    allocation = mapped(BY_GPU, VIDMM_ADDRESSES_WRITE, &address);
    assert_int_equal(update_of(find_entries(&from, 0))->DriverProtection, 5);
    for (level = 1; level < 4; level++)
        assert_int_equal(update_of(find_entries(&from, level))->DriverProtection, 0);
    finish(allocation);
}

void shows_D_120(void **state)
{
    struct vidmm_allocation *allocation;
    unsigned level;
    uint64_t address;

    (void)state;
    allocation = mapped(BY_GPU, VIDMM_ADDRESSES_WRITE, &address);
    for (level = 0; level < 4; level++) {
        unsigned first = 0, then = 0;
        const struct by_call *clears = find_update(&first, level);

        assert_int_equal(update_of(clears)->Flags.InitialUpdate, 1);
        assert_int_equal(clears->entries[0].Valid, 0);
        find_entries(&then, level);
        assert_true(first < then);
    }
    finish(allocation);
}

/* Whole pages: of the segment, or of the physical address. */
void shows_D_121(void **state)
{
    struct vidmm_allocation *allocation;
    struct vidmm_place place;
    const struct by_call *call;
    unsigned from = 0;
    uint64_t address;

    (void)state;
    allocation = mapped(BY_GPU, VIDMM_ADDRESSES_WRITE, &address);
    place = vidmm_engine_where(by_rig.adapter->engine, allocation->id);
    call = find_entries(&from, 0);
    assert_int_equal(call->entries[0].Segment, 2);
    assert_int_equal(call->entries[0].PageAddress << 12, place.offset);
    assert_int_equal(update_of(call)->PageTableLevel, 0);
    finish(allocation);
}

void shows_D_127(void **state)
{
    struct vidmm_allocation *allocation;
    const DXGK_BUILDPAGINGBUFFER_FLUSHTLB *flush;
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *root;
    unsigned from = 0;
    uint64_t address;

    (void)state;
    allocation = mapped(BY_GPU, VIDMM_ADDRESSES_WRITE, &address);
    root = update_of(find_update(&from, 3));
    flush = &by_find(&from, DXGK_OPERATION_FLUSH_TLB)->build.FlushTlb;
    assert_ptr_equal(flush->hProcess, by_process(BY_PROGRAM));
    assert_int_equal(flush->RootPageTableAddress.SegmentId,
                     root->PageTableAddress.GpuPhysical.SegmentId);
    assert_int_equal(flush->RootPageTableAddress.SegmentOffset,
                     root->PageTableAddress.GpuPhysical.SegmentOffset);
    assert_true(flush->StartVirtualAddress <= address);
    assert_true(flush->EndVirtualAddress >= address + PAGES * (uint64_t)VIDMM_PAGE_SIZE);
    finish(allocation);
}

enum { BY_PAGING = 1 };

/* The calls of FlushTlb for a process. */
static unsigned count_flushes(uint32_t process)
{
    unsigned count = 0, at;

    for (at = by_next(0, DXGK_OPERATION_FLUSH_TLB); at < by_count;
         at = by_next(at + 1, DXGK_OPERATION_FLUSH_TLB))
        count += by_calls[at].build.FlushTlb.hProcess == by_process(process);
    return count;
}

static void fill_mapped_without_flush(void)
{
    struct vidmm_allocation *allocation;
    unsigned at;

    by_start(BY_GPU "invalid_cached off\n");
    allocation = by_create(PAGES * (uint64_t)VIDMM_PAGE_SIZE, 2);
    by_make_resident(allocation->id);
    by_wait();
    at = by_next(0, DXGK_OPERATION_VIRTUAL_FILL);
    assert_int_equal(by_next(0, DXGK_OPERATION_FLUSH_TLB), at + 1); /* W-020, and no other */
    assert_int_equal(count_flushes(BY_PAGING), 1);
    finish(allocation);
}

/* Entries that were valid say something else: both processes forget. When it comes back, the
 * program's were invalid, and in the scratch range something else was mapped. */
static void come_and_go(void)
{
    struct vidmm_allocation *allocation;
    uint64_t address;

    allocation = mapped_pages(BY_GPU "invalid_cached off\n", VIDMM_ADDRESSES_WRITE, MORE, &address);
    by_count = 0;
    by_evict(allocation->id);
    by_wait();
    assert_int_equal(count_flushes(BY_PROGRAM), 1);
    assert_int_equal(count_flushes(BY_PAGING), 1); /* the fill was there before */
    by_count = 0;
    by_make_resident(allocation->id);
    by_wait();
    assert_true(by_next(0, DXGK_OPERATION_VIRTUAL_TRANSFER) < by_count);
    assert_int_equal(count_flushes(BY_PAGING), 1);
    assert_int_equal(count_flushes(BY_PROGRAM), 0);
    by_evict(allocation->id);
    by_wait();
    by_count = 0;
    by_unmap(address, MORE * (uint64_t)VIDMM_PAGE_SIZE);
    by_wait();
    assert_int_equal(count_flushes(BY_PROGRAM), 1); /* the tables that leave were led to */
    finish(allocation);
}

/* Nothing that was valid is written, so nothing is flushed; the other GPU keeps what was invalid.
 */
void shows_D_128(void **state)
{
    struct vidmm_allocation *allocation;
    uint64_t address;

    (void)state;
    allocation = mapped_pages(BY_GPU "invalid_cached off\n", VIDMM_ADDRESSES_WRITE, MORE, &address);
    assert_true(by_next(0, DXGK_OPERATION_UPDATE_PAGE_TABLE) < by_count);
    assert_int_equal(by_next(0, DXGK_OPERATION_FLUSH_TLB), by_count);
    finish(allocation);
    fill_mapped_without_flush();
    come_and_go();
    allocation = mapped(BY_GPU, VIDMM_ADDRESSES_WRITE, &address);
    assert_true(by_next(0, DXGK_OPERATION_FLUSH_TLB) < by_count);
    finish(allocation);
}

/* The paging process gets others when power is back. */
static void paging_tables_go_with_the_power(void)
{
    unsigned from = 0, level = 4;

    by_count = 0;
    assert_int_equal(vidmm_adapter_set_power(by_rig.adapter, VIDMM_POWER_D3, NULL), STATUS_SUCCESS);
    while (level-- > 0) { /* the root first: nothing leads to what is invalidated behind it */
        const struct by_call *call;

        do
            call = by_find(&from, DXGK_OPERATION_UPDATE_PAGE_TABLE);
        while (update_of(call)->hProcess != by_process(1) ||
               update_of(call)->PageTableLevel != level ||
               update_of(call)->NumPageTableEntries != 512);
        assert_int_equal(call->entries[0].Valid, 0);
        assert_int_equal(update_of(call)->Flags.Repeat, 1);
        assert_int_equal(update_of(call)->Flags.InitialUpdate, 0);
    }
    assert_int_equal(vidmm_adapter_set_power(by_rig.adapter, VIDMM_POWER_D0, NULL), STATUS_SUCCESS);
}

void shows_D_133(void **state)
{
    struct vidmm_allocation *allocation;
    struct vidmm_engine_statistics before, after;
    unsigned from = 0, level;
    uint64_t address;

    (void)state;
    allocation = mapped(BY_GPU "explicit_invalidation on\n", VIDMM_ADDRESSES_WRITE, &address);
    vidmm_engine_get_statistics(by_rig.adapter->engine, &before);
    by_count = 0;
    by_unmap(address, PAGES * (uint64_t)VIDMM_PAGE_SIZE);
    by_wait();
    vidmm_engine_get_statistics(by_rig.adapter->engine, &after);
    assert_true(after.tables < before.tables); /* all but the root have gone */
    for (level = 0; level < 3; level++) {
        const struct by_call *call;

        from = 0;
        do
            call = find_update(&from, level);
        while (update_of(call)->NumPageTableEntries != 512);
        assert_int_equal(call->entries[0].Valid, 0);
        assert_int_equal(update_of(call)->Flags.Repeat, 1);
    }
    paging_tables_go_with_the_power();
    finish(allocation);
}

/* The root of the paging process, as FlushTlb names it. */
static D3DGPU_PHYSICAL_ADDRESS paging_root(void)
{
    const struct by_call *call;
    unsigned from = 0;

    do
        call = by_find(&from, DXGK_OPERATION_FLUSH_TLB);
    while (call->build.FlushTlb.hProcess != by_process(1));
    return call->build.FlushTlb.RootPageTableAddress;
}

/* All of memory is used, by turns; the paging process's tables stay where they are. */
static void use_all_of_memory(D3DGPU_PHYSICAL_ADDRESS root)
{
    struct vidmm_allocation *allocations[3];

    for (unsigned i = 0; i < 6; i++) {
        if (i < 3)
            allocations[i] = by_create(900 << 10, 2);
        by_count = 0;
        by_make_resident(allocations[i % 3]->id);
        assert_int_equal(paging_root().SegmentOffset, root.SegmentOffset);
        by_evict(allocations[i % 3]->id);
    }
    for (unsigned i = 0; i < 3; i++)
        vidmm_allocation_destroy(allocations[i]);
    by_wait();
}

static void set_power(enum vidmm_power power)
{
    by_count = 0;
    assert_int_equal(vidmm_adapter_set_power(by_rig.adapter, power, NULL), STATUS_SUCCESS);
}

void shows_D_263(void **state)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update;
    struct vidmm_allocation *allocation;
    D3DGPU_PHYSICAL_ADDRESS root;
    const uint64_t *leaf;
    unsigned from = 0, level = 0, i;
    uint64_t address;

    (void)state;
    allocation = mapped(BY_GPU "page_table_segment 2\npaging_table_segment 2\n",
                        VIDMM_ADDRESSES_WRITE, &address);
    update = update_of(find_entries(&from, 0));
    leaf = (const uint64_t *)(const void *)(by_rig.adapter->segments[2].cpu +
                                            update->PageTableAddress.GpuPhysical.SegmentOffset);
    from = update->StartIndex;
    by_count = 0;
    by_evict(allocation->id);
    by_make_resident(allocation->id);
    root = paging_root();
    assert_int_equal(root.SegmentId, 2);
    use_all_of_memory(root);
    set_power(VIDMM_POWER_D3);
    assert_int_equal(leaf[from + PAGES] & 1, 1); /* bytes that were lost */
    set_power(VIDMM_POWER_D0);
    for (i = 0; i < by_count && by_calls[i].what == DXGK_OPERATION_UPDATE_PAGE_TABLE &&
                update_of(&by_calls[i])->hProcess == by_process(1);
         i++) {
        update = update_of(&by_calls[i]);
        assert_int_equal(update->UpdateMode, DXGK_PAGETABLEUPDATE_CPU_VIRTUAL);
        assert_true(update->PageTableLevel == level || update->PageTableLevel == ++level);
    }
    assert_int_equal(level, 3); /* all of them, before anything else */
    by_make_resident(allocation->id);
    by_wait();
    for (level = 0, i = 0; level < 4; level++)
        while (!update_of(find_update(&i, level))->Flags.InitialUpdate) {
        }
    assert_int_equal(leaf[from] & 1, 1);
    assert_int_equal(leaf[from + PAGES] & 1, 0);
    i = 0;
    by_find(&i, DXGK_OPERATION_VIRTUAL_TRANSFER); /* by what was written anew */
    assert_int_equal(paging_root().SegmentOffset, root.SegmentOffset);
    finish(allocation);
}

void shows_D_264(void **state)
{
    struct vidmm_allocation *allocation;
    unsigned from = 0;
    uint64_t address;

    (void)state;
    allocation = mapped(BY_GPU, VIDMM_ADDRESSES_WRITE, &address);
    assert_non_null(by_process(BY_PROGRAM));
    assert_ptr_not_equal(by_process(BY_PROGRAM), by_process(1));
    for (unsigned i = 0; i < by_count; i++) {
        if (by_calls[i].what == DXGK_OPERATION_UPDATE_PAGE_TABLE)
            assert_ptr_equal(update_of(&by_calls[i])->hProcess, by_process(BY_PROGRAM));
        if (by_calls[i].what == DXGK_OPERATION_FLUSH_TLB)
            assert_ptr_equal(by_calls[i].build.FlushTlb.hProcess, by_process(BY_PROGRAM));
    }
    by_count = 0;
    by_evict(allocation->id); /* by addresses of the paging process */
    by_make_resident(allocation->id);
    by_wait();
    while (update_of(by_find(&from, DXGK_OPERATION_UPDATE_PAGE_TABLE))->hProcess != by_process(1)) {
    }
    from = 0;
    while (by_find(&from, DXGK_OPERATION_FLUSH_TLB)->build.FlushTlb.hProcess != by_process(1)) {
    }
    finish(allocation);
}

void shows_W_009(void **state)
{
    struct vidmm_allocation *allocation;
    unsigned level;
    uint64_t address;

    (void)state;
    allocation = mapped(BY_GPU, VIDMM_ADDRESSES_WRITE, &address);
    for (level = 0; level < 4; level++) {
        unsigned from = 0;
        const struct by_call *call = find_update(&from, level);

        assert_int_equal(update_of(call)->StartIndex, 0);
        assert_int_equal(update_of(call)->NumPageTableEntries, 512);
        assert_int_equal(update_of(call)->Flags.Repeat, 1);
        assert_int_equal(update_of(call)->Flags.InitialUpdate, 1);
        assert_int_equal(call->entries[0].Flags, 0);
    }
    finish(allocation);
}

void shows_W_012(void **state)
{
    struct vidmm_allocation *allocation;
    unsigned from = 0, level;
    uint64_t address;

    (void)state;
    allocation = mapped(BY_GPU, VIDMM_ADDRESSES_WRITE, &address);
    for (level = 0; level < 4; level++)
        find_entries(&from, level); /* each behind those of the level below */
    by_find(&from, DXGK_OPERATION_FLUSH_TLB);
    assert_int_equal(by_next(from, DXGK_OPERATION_UPDATE_PAGE_TABLE), by_count);
    finish(allocation);
}

/* Each table of the program is mapped before it is written, all in one paging buffer; and the bytes
 * are where they belong. */
void shows_D_387(void **state)
{
    struct vidmm_allocation *allocation;
    unsigned tables = 0, packet;
    uint64_t address;

    (void)state;
    allocation = mapped(BY_GPU "page_table_update gpu_virtual\npage_table_segment 2\n",
                        VIDMM_ADDRESSES_WRITE, &address);
    packet = by_next(0, BY_SUBMIT);
    for (unsigned i = 0; i < packet; i++) {
        const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = update_of(&by_calls[i]);
        const DXGK_BUILDPAGINGBUFFER_FLUSHTLB *flush = &by_calls[i + 1].build.FlushTlb;

        if (by_calls[i].what != DXGK_OPERATION_UPDATE_PAGE_TABLE)
            continue;
        assert_int_equal(update->UpdateMode, DXGK_PAGETABLEUPDATE_GPU_VIRTUAL);
        if (update->hProcess != by_process(1))
            continue;
        tables++;
        assert_int_equal(by_calls[i + 1].what, DXGK_OPERATION_FLUSH_TLB);
        assert_ptr_equal(flush->hProcess, by_process(1));
        assert_true(flush->StartVirtualAddress <= update->FirstPteVirtualAddress);
        assert_true(flush->EndVirtualAddress > update->FirstPteVirtualAddress);
        assert_int_equal(by_calls[i + 2].what, DXGK_OPERATION_UPDATE_PAGE_TABLE);
        assert_ptr_equal(update_of(&by_calls[i + 2])->hProcess, by_process(BY_PROGRAM));
        assert_int_equal(update_of(&by_calls[i + 2])->PageTableAddress.GpuVirtual,
                         update->FirstPteVirtualAddress);
        if (tables == 1) { /* the leaf */
            const uint64_t *leaf =
                (const uint64_t *)(const void *)(by_rig.adapter->segments[2].cpu +
                                                 (by_calls[i].entries[0].PageAddress << 12));

            assert_int_equal(leaf[address >> 12] & 1, 1);
            assert_int_equal(leaf[(address >> 12) + PAGES] & 1, 0);
        }
    }
    assert_true(tables >= 4);
    assert_int_equal(by_calls[packet - 1].what, DXGK_OPERATION_FLUSH_TLB);
    assert_ptr_equal(by_calls[packet - 1].build.FlushTlb.hProcess, by_process(BY_PROGRAM));
    finish(allocation);
}

/* ---- addresses ---- */

void shows_W_010(void **state)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAP_ADDRESSES};
    struct vidmm_allocation *allocation;
    uint64_t address;

    (void)state;
    allocation = mapped(BY_GPU, VIDMM_ADDRESSES_WRITE, &address);
    assert_int_equal(address, 0x10000);
    event.addresses.process = BY_PROGRAM;
    event.addresses.state = VIDMM_ADDRESSES_MAPPED;
    event.addresses.allocation = allocation->id;
    event.addresses.size = VIDMM_PAGE_SIZE;
    event.addresses.maximum = 0x10000; /* the first 64 KiB, and no more */
    assert_int_not_equal(by_tell(event), STATUS_SUCCESS);
    finish(allocation);
}

/* ---- the tables of a program that has nothing resident --------------------------------------- */

/* How many entries of tables of the process were to be written since. */
static unsigned updates_of(const struct vidmm_device *device)
{
    unsigned at = 0, count = 0;

    for (; (at = by_next(at, DXGK_OPERATION_UPDATE_PAGE_TABLE)) < by_count; at++)
        count += by_calls[at].build.UpdatePageTable.hProcess == device->owner->h_process;
    return count;
}

static uint64_t pages_taken(void)
{
    return vidmm_machine_counts(by_rig.machine).pages;
}

static struct vidmm_device *begin_process(uint64_t process)
{
    struct vidmm_device *device;

    assert_int_equal(vidmm_device_create(by_rig.adapter, process, &device, &by_rig.report), 0);
    return device;
}

static void change_addresses(const struct vidmm_device *device, uint32_t kind, uint32_t state,
                             const struct vidmm_allocation *allocation)
{
    struct vidmm_event event = {.kind = kind};

    event.addresses.process = device->owner->id;
    event.addresses.state = state;
    event.addresses.allocation = allocation != NULL ? allocation->id : 0;
    event.addresses.size = UINT64_C(64) << 10;
    assert_int_equal(by_tell(event), STATUS_SUCCESS);
    by_wait();
}

/* A table that lies in system memory is a page of it. */
static void process_has_a_root(void)
{
    uint64_t before = pages_taken(), with_process;
    struct vidmm_device *first = begin_process(77), *second;

    with_process = pages_taken() - before;
    before = pages_taken();
    second = begin_process(77); /* the process is there */
    assert_int_equal(with_process - (pages_taken() - before), 1);
    by_wait();
    assert_int_equal(updates_of(first), 0);
    vidmm_device_destroy(second);
    vidmm_device_destroy(first);
}

/* Nobody is told of a process that ends before. */
static void ends_unwritten(const struct vidmm_allocation *allocation)
{
    struct vidmm_device *device = begin_process(78);

    change_addresses(device, VIDMM_EVENT_MAP_ADDRESSES, VIDMM_ADDRESSES_MAPPED, allocation);
    by_count = 0;
    vidmm_device_destroy(device);
    by_wait();
    assert_int_equal(by_next(0, DXGK_OPERATION_UPDATE_PAGE_TABLE), by_count);
    assert_int_equal(by_next(0, DXGK_OPERATION_FLUSH_TLB), by_count);
}

static void is_written_when_resident(const char *gpu)
{
    struct vidmm_allocation *first, *second;
    struct vidmm_paging_queue *queue;
    struct vidmm_device *device;
    unsigned at;

    by_start(gpu);
    first = by_create(UINT64_C(64) << 10, 2);
    second = by_create(UINT64_C(64) << 10, 2);
    ends_unwritten(first);
    device = begin_process(77);
    assert_int_equal(vidmm_paging_queue_create(device, 1, &queue, &by_rig.report), 0);
    change_addresses(device, VIDMM_EVENT_MAP_ADDRESSES, VIDMM_ADDRESSES_MAPPED, first);
    change_addresses(device, VIDMM_EVENT_MAP_ADDRESSES, VIDMM_ADDRESSES_MAPPED, second);
    change_addresses(device, VIDMM_EVENT_RESERVE_ADDRESSES, VIDMM_ADDRESSES_ZERO, NULL);
    assert_int_equal(updates_of(device), 0);
    by_make_resident(first->id);
    by_wait();
    assert_true(updates_of(device) > 3);
    for (at = 0; by_calls[at].what != DXGK_OPERATION_UPDATE_PAGE_TABLE ||
                 by_calls[at].build.UpdatePageTable.hProcess != device->owner->h_process;
         at++)
        assert_true(at < by_count);
    assert_true(by_calls[at].build.UpdatePageTable.Flags.InitialUpdate);
    vidmm_device_destroy(device);
    by_wait();
    by_count = 0;
    device = begin_process(79); /* what it maps is resident already */
    by_wait();
    assert_int_equal(updates_of(device), 0);
    change_addresses(device, VIDMM_EVENT_MAP_ADDRESSES, VIDMM_ADDRESSES_MAPPED, first);
    assert_true(updates_of(device) > 3);
    vidmm_device_destroy(device);
    vidmm_allocation_destroy(first);
    vidmm_allocation_destroy(second);
    by_finish();
}

void shows_D_292(void **state)
{
    (void)state;
    by_start(BY_GPU "page_table_segment 0\n");
    process_has_a_root();
    by_finish();
    is_written_when_resident(BY_GPU);
    is_written_when_resident(BY_GPU "page_table_segment 0\n");
    is_written_when_resident(BY_GPU "page_table_update cpu_virtual\npage_table_segment 0\n");
}
