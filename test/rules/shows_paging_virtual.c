/* shows_paging_virtual.c: what the manager obeys when it pages by GPU virtual addresses. */
#include "unit/test_by_address.h"

#include "rules.h"

/* More than a leaf table of 128 entries translates. */
enum { SMALL = 16, LARGE = 300, LEAF = 128 };

#define UNIQUE (UINT64_C(1) << 63) /* of a driver protection */
#define SMALL_LEAVES BY_GPU "index_bits 7 8 6 6\n"

static const DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL *transfer_at(unsigned *from)
{
    return &by_find(from, DXGK_OPERATION_VIRTUAL_TRANSFER)->build.TransferVirtual;
}

static const DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL *fill_at(unsigned *from)
{
    return &by_find(from, DXGK_OPERATION_VIRTUAL_FILL)->build.FillVirtual;
}

static struct vidmm_allocation *filled(const char *gpu, uint32_t pages)
{
    struct vidmm_allocation *allocation;

    by_start(gpu);
    allocation = by_create(pages * (uint64_t)VIDMM_PAGE_SIZE, 2);
    by_make_resident(allocation->id);
    by_wait();
    return allocation;
}

/* Out of memory, as by_calls says. */
static struct vidmm_allocation *taken_out(const char *gpu, uint32_t pages)
{
    struct vidmm_allocation *allocation = filled(gpu, pages);

    by_count = 0;
    by_evict(allocation->id);
    by_wait();
    return allocation;
}

static void bring_back(const struct vidmm_allocation *allocation)
{
    by_count = 0;
    by_make_resident(allocation->id);
    by_wait();
}

static void finish(struct vidmm_allocation *allocation)
{
    vidmm_allocation_destroy(allocation);
    by_finish();
}

/* The update of the paging process's tables that maps an address. */
static const struct by_call *mapping_of(uint64_t address, unsigned before)
{
    while (before-- > 0)
        if (by_calls[before].what == DXGK_OPERATION_UPDATE_PAGE_TABLE &&
            by_calls[before].build.UpdatePageTable.FirstPteVirtualAddress == address &&
            by_calls[before].build.UpdatePageTable.hProcess == by_process(1))
            return &by_calls[before];
    fail_msg("nothing maps 0x%llx", (unsigned long long)address);
    return NULL;
}

/* The second chunk is at the same addresses, and its pages are mapped there. */
void shows_D_106(void **state)
{
    struct vidmm_allocation *allocation;
    const DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL *first, *second;
    const struct by_call *backing;
    unsigned from = 0;

    (void)state;
    allocation = taken_out(SMALL_LEAVES, LARGE);
    bring_back(allocation);
    first = transfer_at(&from);
    second = transfer_at(&from);
    assert_int_equal(second->AllocationOffsetInBytes, LEAF * UINT64_C(4096));
    assert_int_equal(second->SourceVirtualAddress, first->SourceVirtualAddress);
    assert_int_equal(second->DestinationVirtualAddress, first->DestinationVirtualAddress);
    backing = mapping_of(second->SourceVirtualAddress, from);
    assert_int_equal(backing->entries[0].PageAddress,
                     vidmm_backing_frame(&allocation->backing, LEAF * UINT64_C(4096)));
    finish(allocation);
}

void shows_D_107(void **state)
{
    struct vidmm_allocation *allocation;
    const DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL *transfer;
    unsigned from = 0;

    (void)state;
    allocation = taken_out(BY_GPU, SMALL);
    transfer = transfer_at(&from);
    assert_int_equal(transfer->TransferDirection, DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM);
    assert_int_equal(mapping_of(transfer->SourceVirtualAddress, from)->entries[0].Segment, 2);
    assert_int_equal(mapping_of(transfer->DestinationVirtualAddress, from)->entries[0].Segment, 0);
    bring_back(allocation);
    from = 0;
    transfer = transfer_at(&from);
    assert_int_equal(transfer->TransferDirection, DXGK_MEMORY_TRANSFER_SYSTEM_TO_LOCAL);
    assert_int_equal(mapping_of(transfer->SourceVirtualAddress, from)->entries[0].Segment, 0);
    assert_int_equal(mapping_of(transfer->DestinationVirtualAddress, from)->entries[0].Segment, 2);
    finish(allocation);
}

/* ---- MakeResident of what is mapped ---- */

enum { FIRST_TWO = 2, NOT_ZERO = 0x5a5a5a5a };

/* The first word of each page of the backing store. */
static uint32_t *first_word(const struct vidmm_allocation *allocation, uint32_t page)
{
    const struct vidmm_host *host = by_rig.adapter->host;
    uint64_t frame = vidmm_backing_frame(&allocation->backing, (uint64_t)page << VIDMM_PAGE_SHIFT);

    return host->map_pages(host->context, 1, &frame);
}

static void set_words(const struct vidmm_allocation *allocation, uint32_t word)
{
    const struct vidmm_host *host = by_rig.adapter->host;

    for (uint32_t page = 0; page < SMALL; page++) {
        uint32_t *words = first_word(allocation, page);

        *words = word;
        host->unmap_pages(host->context, words, 1);
    }
}

static void assert_words(const struct vidmm_allocation *allocation, uint32_t word)
{
    const struct vidmm_host *host = by_rig.adapter->host;

    for (uint32_t page = 0; page < SMALL; page++) {
        uint32_t *words = first_word(allocation, page);

        assert_int_equal(*words, word);
        host->unmap_pages(host->context, words, 1);
    }
}

/* Something that is not zero is left where the next come to lie. */
static void soil_memory(void)
{
    struct vidmm_allocation *old[FIRST_TWO];

    for (unsigned i = 0; i < FIRST_TWO; i++) {
        old[i] = by_create(SMALL * (uint64_t)VIDMM_PAGE_SIZE, 2);
        by_make_resident(old[i]->id);
        by_evict(old[i]->id);
        by_wait();
        set_words(old[i], NOT_ZERO);
    }
    for (unsigned i = 0; i < FIRST_TWO; i++)
        by_make_resident(old[i]->id);
    for (unsigned i = 0; i < FIRST_TWO; i++)
        vidmm_allocation_destroy(old[i]);
    by_wait();
}

/* The number of the last call of that kind for the program; by_count: there is none. */
static unsigned last_for_program(unsigned what)
{
    unsigned at = by_count;

    while (at-- > 0) {
        const DXGKARG_BUILDPAGINGBUFFER *build = &by_calls[at].build;

        if (by_calls[at].what == what &&
            (what == DXGK_OPERATION_FLUSH_TLB
                 ? build->FlushTlb.hProcess
                 : build->UpdatePageTable.hProcess) == by_process(BY_PROGRAM))
            return at;
    }
    return by_count;
}

/* Whether an update before that call has made the program's address valid. */
static bool is_valid_before(uint64_t address, unsigned before)
{
    for (unsigned at = 0; at < before; at++) {
        const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &by_calls[at].build.UpdatePageTable;

        if (by_calls[at].what == DXGK_OPERATION_UPDATE_PAGE_TABLE &&
            update->hProcess == by_process(BY_PROGRAM) && update->PageTableLevel == 0 &&
            update->FirstPteVirtualAddress == address && by_calls[at].entries[0].Valid)
            return true;
    }
    return false;
}

/* As soon as the value comes, all that was asked for has been executed. */
static void make_two_resident(struct vidmm_allocation *const *allocations)
{
    const uint32_t ids[FIRST_TWO] = {allocations[0]->id, allocations[1]->id};
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAKE_RESIDENT};
    const struct vidmm_host *host = by_rig.adapter->host;
    uint64_t value;

    event.residency.queue = 1;
    event.residency.count = FIRST_TWO;
    event.residency.allocations = ids;
    assert_int_equal(by_tell(event), STATUS_PENDING);
    value = vidmm_engine_residency_answer(by_rig.adapter->engine).value;
    assert_true(host->wait(host->context, by_has_passed, &value, UINT64_C(10000000000)));
    assert_true(by_is_quiet(NULL));
}

/* Both are mapped before they are resident: their entries are written first, of both, then they are
 * filled, and then their value comes. */
static void entries_then_zeros_then_value(const char *gpu)
{
    struct vidmm_allocation *both[FIRST_TWO];
    uint64_t addresses[FIRST_TWO];
    HANDLE filled_ones[FIRST_TWO];
    unsigned fill, from = 0;

    by_start(gpu);
    soil_memory();
    for (unsigned i = 0; i < FIRST_TWO; i++) {
        both[i] = by_create(SMALL * (uint64_t)VIDMM_PAGE_SIZE, 2);
        addresses[i] = by_map(both[i], 0, VIDMM_ADDRESSES_WRITE);
    }
    by_wait();
    by_count = 0;
    make_two_resident(both);
    fill = by_next(0, DXGK_OPERATION_VIRTUAL_FILL);
    for (unsigned i = 0; i < FIRST_TWO; i++) {
        assert_true(is_valid_before(addresses[i], fill));
        filled_ones[i] = fill_at(&from)->hAllocation;
    }
    assert_true(filled_ones[0] == both[0]->h_allocation || filled_ones[0] == both[1]->h_allocation);
    assert_true(filled_ones[1] == both[0]->h_allocation || filled_ones[1] == both[1]->h_allocation);
    assert_ptr_not_equal(filled_ones[0], filled_ones[1]);
    assert_true(last_for_program(DXGK_OPERATION_UPDATE_PAGE_TABLE) < fill);
    assert_true(last_for_program(DXGK_OPERATION_FLUSH_TLB) < fill);
    assert_true(by_next(from, BY_SUBMIT) < by_count);
    for (unsigned i = 0; i < FIRST_TWO; i++) {
        by_evict(both[i]->id);
        by_wait();
        assert_words(both[i], 0);
        vidmm_allocation_destroy(both[i]);
    }
    by_finish();
}

/* In an aperture nothing is filled by the GPU, and its entries are written all the same. */
static void entries_without_fill(void)
{
    struct vidmm_allocation *allocation;
    uint64_t address;

    by_start(BY_GPU);
    allocation = by_create(SMALL * (uint64_t)VIDMM_PAGE_SIZE, 1);
    address = by_map(allocation, 0, VIDMM_ADDRESSES_WRITE);
    by_wait();
    by_count = 0;
    by_make_resident(allocation->id);
    assert_true(is_valid_before(address, by_count));
    assert_int_equal(by_next(0, DXGK_OPERATION_VIRTUAL_FILL), by_count);
    finish(allocation);
}

void shows_D_390(void **state)
{
    (void)state;
    entries_then_zeros_then_value(BY_GPU);
    entries_then_zeros_then_value(BY_GPU "paging_buffer 512\n"); /* in several buffers */
    entries_then_zeros_then_value(BY_GPU "page_table_update cpu_virtual\npage_table_segment 0\n");
    entries_without_fill();
}

#define WIDE_GPU                                                                                   \
    "wddm 2.6\nmmu gpu\nprivate_data 4K\nsegment 1 aperture 1M\n"                                  \
    "segment 2 memory 16M cpuvisible\n"

enum { WIDE_PAGES = 16, WIDE_COUNT = 3 }; /* a page of 64 KiB, in 4 KiB; how many there are */

/* Whether the newest update that maps an address is of a leaf of 64 KiB pages, and the entry that
 * leads to that leaf says so too. */
static bool is_mapped_wide(uint64_t address, unsigned before)
{
    const struct by_call *leaf = mapping_of(address, before);
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &leaf->build.UpdatePageTable;
    unsigned pages = update->Flags.Use64KBPages ? WIDE_COUNT : WIDE_COUNT * WIDE_PAGES;

    assert_int_equal(update->NumPageTableEntries, pages);
    assert_int_equal(update->StartIndex, 0);
    if (update->Flags.Use64KBPages)
        assert_int_equal(leaf->entries[1].PageAddress - leaf->entries[0].PageAddress, WIDE_PAGES);
    return update->Flags.Use64KBPages;
}

/* The next transfer's flags say how its ends are mapped. */
static void assert_told(bool source, bool destination)
{
    unsigned from = 0;
    const DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL *transfer = transfer_at(&from);

    assert_int_equal(transfer->Flags.Src64KBPages, source);
    assert_int_equal(transfer->Flags.Dst64KBPages, destination);
    assert_int_equal(transfer->Flags.Reserved, 0);
    assert_int_equal(is_mapped_wide(transfer->SourceVirtualAddress, from), source);
    assert_int_equal(is_mapped_wide(transfer->DestinationVirtualAddress, from), destination);
}

/* Out, and back in: the end in memory is mapped by pages of 64 KiB, or none is. */
static void shows_sizes(const char *gpu, bool wide)
{
    struct vidmm_allocation *allocation = filled(gpu, WIDE_COUNT * WIDE_PAGES);
    unsigned from = 0;
    const DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL *fill = fill_at(&from);

    assert_int_equal(is_mapped_wide(fill->DestinationVirtualAddress, from), wide);
    by_count = 0;
    by_evict(allocation->id);
    by_wait();
    assert_told(wide, false);
    bring_back(allocation);
    assert_told(false, wide);
    finish(allocation);
}

void shows_D_108(void **state)
{
    (void)state;
    shows_sizes(WIDE_GPU "pages_64k single\n", true);
    shows_sizes(WIDE_GPU "pages_64k single\npage_table_update gpu_virtual\n", true);
    shows_sizes(WIDE_GPU "pages_64k dual\n", true);
    shows_sizes(WIDE_GPU "pages_64k dual\npage_table_update gpu_virtual\n", true);
    shows_sizes(WIDE_GPU, false);
}

static DXGKDDI_QUERYADAPTERINFO *honest_query;

static NTSTATUS query_legacy(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *arguments)
{
    NTSTATUS status = honest_query(adapter, arguments);

    if (status == STATUS_SUCCESS && arguments->Type == DXGKQAITYPE_GPUMMUCAPS)
        ((DXGK_GPUMMUCAPS *)arguments->pOutputData)->LegacyBehaviors.SourcePageTableVaInTransfer =
            1;
    return status;
}

static void be_legacy(DRIVER_INITIALIZATION_DATA *driver)
{
    honest_query = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = query_legacy;
}

/* An eviction tells the tables by the addresses of the updates that wrote them, if it tells any; no
 * transfer back does. */
static void shows_tables(const char *gpu, bool legacy, bool told)
{
    struct vidmm_allocation *allocation;
    const DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL *transfer;
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *source, *target;
    unsigned from = 0;

    by_bend.driver = legacy ? be_legacy : NULL;
    allocation = taken_out(gpu, SMALL);
    transfer = transfer_at(&from);
    source = &mapping_of(transfer->SourceVirtualAddress, from)->build.UpdatePageTable;
    target = &mapping_of(transfer->DestinationVirtualAddress, from)->build.UpdatePageTable;
    if (told) {
        assert_int_not_equal(transfer->SourcePageTable, transfer->DestinationPageTable);
        assert_int_equal(transfer->SourcePageTable, source->PageTableAddress.GpuVirtual);
        assert_int_equal(transfer->DestinationPageTable, target->PageTableAddress.GpuVirtual);
    } else {
        assert_int_equal(transfer->SourcePageTable, 0);
        assert_int_equal(transfer->DestinationPageTable, 0);
    }
    bring_back(allocation);
    from = 0;
    transfer = transfer_at(&from);
    assert_int_equal(transfer->SourcePageTable, 0);
    assert_int_equal(transfer->DestinationPageTable, 0);
    finish(allocation);
    by_bend.driver = NULL;
}

void shows_D_109(void **state)
{
    (void)state;
    shows_tables(BY_GPU "page_table_update gpu_virtual\n", false, false);
    shows_tables(BY_GPU "page_table_update gpu_virtual\n", true, true);
    shows_tables(BY_GPU "page_table_update gpu_physical\n", true, false);
}

void shows_D_110(void **state)
{
    struct vidmm_allocation *allocation;
    const DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL *fill;
    unsigned from = 0;

    (void)state;
    allocation = filled(BY_GPU, SMALL);
    fill = fill_at(&from);
    assert_ptr_equal(fill->hAllocation, allocation->h_allocation);
    assert_int_equal(fill->AllocationOffsetInBytes, 0);
    assert_int_equal(fill->FillSizeInBytes, SMALL * UINT64_C(4096));
    assert_int_equal(fill->FillPattern, 0);
    assert_int_equal(mapping_of(fill->DestinationVirtualAddress, from)->entries[0].PageAddress
                         << 12,
                     vidmm_engine_where(by_rig.adapter->engine, allocation->id).offset);
    finish(allocation);
}

void shows_D_111(void **state)
{
    const uint64_t sizes[] = {LEAF, LEAF, LARGE - 2 * LEAF};
    struct vidmm_allocation *allocation;
    unsigned fills = 0, transfers = 0;

    (void)state;
    allocation = filled(SMALL_LEAVES, LARGE);
    for (unsigned i = 0; i < 3; i++) {
        const DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL *fill = fill_at(&fills);

        assert_int_equal(fill->AllocationOffsetInBytes, i * LEAF * UINT64_C(4096));
        assert_int_equal(fill->FillSizeInBytes, sizes[i] * 4096);
    }
    assert_int_equal(by_next(fills, DXGK_OPERATION_VIRTUAL_FILL), by_count);
    by_count = 0;
    by_evict(allocation->id);
    by_wait();
    for (unsigned i = 0; i < 3; i++) {
        const DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL *transfer = transfer_at(&transfers);

        assert_ptr_equal(transfer->hAllocation, allocation->h_allocation);
        assert_int_equal(transfer->AllocationOffsetInBytes, i * LEAF * UINT64_C(4096));
        assert_int_equal(transfer->TransferSizeInBytes, sizes[i] * 4096);
    }
    assert_int_equal(by_next(transfers, DXGK_OPERATION_VIRTUAL_TRANSFER), by_count);
    finish(allocation);
}

/* Map pages of an allocation by a driver protection. */
static void map_by(const struct vidmm_allocation *allocation, uint32_t first, uint32_t pages,
                   uint64_t protection)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAP_ADDRESSES};

    event.addresses.process = BY_PROGRAM;
    event.addresses.state = VIDMM_ADDRESSES_MAPPED;
    event.addresses.allocation = allocation->id;
    event.addresses.offset = first * (uint64_t)VIDMM_PAGE_SIZE;
    event.addresses.size = pages * (uint64_t)VIDMM_PAGE_SIZE;
    event.addresses.driver_protection = protection;
    assert_int_equal(by_tell(event), STATUS_SUCCESS);
}

/* A run of pages that are copied together, by one driver protection. */
struct stretch {
    uint32_t pages;
    uint64_t protection;
};

/* Each copy has these pages, and both of its ends are mapped by that protection. */
static void assert_copied_in(const struct stretch *stretches, unsigned count)
{
    uint64_t offset = 0;
    unsigned from = 0;

    for (unsigned i = 0; i < count; i++) {
        const DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL *transfer = transfer_at(&from);
        const struct by_call *source = mapping_of(transfer->SourceVirtualAddress, from);
        const struct by_call *target = mapping_of(transfer->DestinationVirtualAddress, from);

        assert_int_equal(transfer->AllocationOffsetInBytes, offset);
        assert_int_equal(transfer->TransferSizeInBytes, stretches[i].pages * UINT64_C(4096));
        assert_int_equal(source->build.UpdatePageTable.DriverProtection, stretches[i].protection);
        assert_int_equal(target->build.UpdatePageTable.DriverProtection, stretches[i].protection);
        offset += transfer->TransferSizeInBytes;
    }
    assert_int_equal(by_next(from, DXGK_OPERATION_VIRTUAL_TRANSFER), by_count);
}

static void assert_filled(unsigned *from, uint32_t pages, uint64_t protection)
{
    const DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL *fill = fill_at(from);
    const struct by_call *target = mapping_of(fill->DestinationVirtualAddress, *from);

    assert_int_equal(fill->FillSizeInBytes, pages * UINT64_C(4096));
    assert_int_equal(target->build.UpdatePageTable.DriverProtection, protection);
}

void shows_D_112(void **state)
{
    const uint64_t one = UNIQUE | 0x31, other = UNIQUE | 0x7;
    const struct stretch mapped[] = {{20, 0},    {16, one}, {64, 0}, {28, other},
                                     {4, other}, {128, 0},  {40, 0}};
    const struct stretch later[] = {{16, one},   {4, 0},     {16, one}, {64, 0},
                                    {28, other}, {4, other}, {128, 0},  {40, 0}};
    struct vidmm_allocation *allocation;
    unsigned from = 0;

    (void)state;
    allocation = filled(SMALL_LEAVES, LARGE);
    map_by(allocation, 140, 160, 0x5); /* not unique: a copy has 0 */
    map_by(allocation, 100, 28, other);
    map_by(allocation, 20, 16, one);
    map_by(allocation, 24, 4, one); /* once more, in part */
    map_by(allocation, 128, 4, other);
    by_count = 0;
    by_evict(allocation->id);
    by_wait();
    assert_copied_in(mapped, 7);
    map_by(allocation, 0, 16, one); /* while it is out */
    bring_back(allocation);
    assert_copied_in(later, 8);
    finish(allocation);
    by_start(SMALL_LEAVES);
    allocation = by_create(24 * UINT64_C(4096), 2);
    map_by(allocation, 8, 16, other);
    bring_back(allocation); /* a fill */
    assert_filled(&from, 8, 0);
    assert_filled(&from, 16, other);
    finish(allocation);
}

/* The calls are these, in this order, and no other. */
static void expect(const unsigned *operations, unsigned count)
{
    unsigned at = 0;

    for (unsigned i = 0; i < by_count; i++)
        if (by_calls[i].what < BY_SUBMIT) {
            assert_true(at < count);
            assert_int_equal(by_calls[i].what, operations[at++]);
        }
    assert_int_equal(at, count);
}

void shows_D_388(void **state)
{
    static const unsigned operations[] = {
        DXGK_OPERATION_UPDATE_PAGE_TABLE, DXGK_OPERATION_UPDATE_PAGE_TABLE,
        DXGK_OPERATION_FLUSH_TLB, DXGK_OPERATION_VIRTUAL_TRANSFER};
    struct vidmm_allocation *allocation;
    const DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL *transfer = &by_calls[3].build.TransferVirtual;

    (void)state;
    allocation = taken_out(BY_GPU, SMALL);
    expect(operations, 4);
    assert_int_equal(by_calls[0].build.UpdatePageTable.FirstPteVirtualAddress,
                     transfer->SourceVirtualAddress);
    assert_int_equal(by_calls[1].build.UpdatePageTable.FirstPteVirtualAddress,
                     transfer->DestinationVirtualAddress);
    assert_ptr_equal(by_calls[2].build.FlushTlb.hProcess, by_process(1));
    finish(allocation);
}

void shows_D_389(void **state)
{
    static const unsigned operations[] = {DXGK_OPERATION_UPDATE_PAGE_TABLE,
                                          DXGK_OPERATION_FLUSH_TLB, DXGK_OPERATION_VIRTUAL_FILL,
                                          DXGK_OPERATION_FLUSH_TLB};
    struct vidmm_allocation *allocation;

    (void)state;
    allocation = filled(BY_GPU, SMALL);
    expect(operations, 4);
    assert_int_equal(by_calls[0].build.UpdatePageTable.FirstPteVirtualAddress,
                     by_calls[2].build.FillVirtual.DestinationVirtualAddress);
    finish(allocation);
}

/* ---- a large fill, of which there are no pages ---- */

static uint64_t pieces[8];
static unsigned piece_count;

/* Do what the plan says, and note the size of each fill and what follows it. */
static void do_plan(struct vidmm_engine *engine, struct vidmm_plan *plan)
{
    static uint32_t before;

    for (uint32_t index = 0; index < plan->count; index++) {
        const struct vidmm_operation *operation = &plan->operations[index];
        struct vidmm_event answer = {.kind = 0};

        if (operation->kind == VIDMM_DO_BUILD) {
            if (before == VIDMM_FILL_VIRTUAL)
                assert_int_equal(operation->table.operation, VIDMM_FLUSH_TLB);
            before = operation->table.operation;
            if (before == VIDMM_FILL_VIRTUAL)
                pieces[piece_count++ % 8] = operation->table.size;
            answer.kind = VIDMM_EVENT_BUILT;
            answer.built.written = 64;
        } else if (operation->kind == VIDMM_DO_SUBMIT_PAGING) {
            answer.kind = VIDMM_EVENT_SUBMITTED;
        }
        if (answer.kind != 0) {
            assert_int_equal(vidmm_step(engine, &answer, plan), STATUS_SUCCESS);
            do_plan(engine, plan);
            return;
        }
    }
    if (plan->more) {
        vidmm_step(engine, NULL, plan);
        do_plan(engine, plan);
    }
}

static void step(struct vidmm_engine *engine, struct vidmm_event event)
{
    struct vidmm_plan plan;
    NTSTATUS status = vidmm_step(engine, &event, &plan);

    assert_true(status == STATUS_SUCCESS || status == STATUS_PENDING);
    do_plan(engine, &plan);
}

/* Leaves of 2^17 entries translate 512 MiB. */
void shows_W_020(void **state)
{
    struct counted_memory memory;
    struct vidmm_engine_config config = {.segment_count = 1,
                                         .node_count = 1,
                                         .queue_limit = 8,
                                         .first_fence = 1,
                                         .timeout_ns = 1,
                                         .explicit_residency = true};
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};
    struct vidmm_engine *engine;
    uint32_t id = 1;

    (void)state;
    counted_memory_init(&memory);
    config.segments[1].size = UINT64_C(2) << 30;
    config.mmu = (struct vidmm_engine_mmu){.levels = 2,
                                           .index_bits = {17},
                                           .root_entries = 64,
                                           .table_size = {1 << 20, 4096},
                                           .table_segment = {1, 1},
                                           .paging_segment = {1, 1},
                                           .low = 0x10000,
                                           .high = UINT64_C(1) << 34,
                                           .scratch = UINT64_C(1) << 29};
    engine = vidmm_engine_create(&config, &memory.table);
    assert_non_null(engine);
    event.process.process = 1;
    event.process.paging = 1;
    step(engine, event);
    event = (struct vidmm_event){.kind = VIDMM_EVENT_PAGING_BUFFERS};
    event.paging_buffers.first = event.paging_buffers.count = 1;
    step(engine, event);
    step(engine, (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_DEVICE, .device = 1});
    event = (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = 1};
    event.paging_queue.queue = 1;
    step(engine, event);
    event = (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_ALLOCATION, .device = 1};
    event.create.allocation = id;
    event.create.wish = (struct vidmm_wish){
        .size = UINT64_C(600) << 20, .alignment = 4096, .read_set = 1, .write_set = 1};
    step(engine, event);
    event = (struct vidmm_event){.kind = VIDMM_EVENT_MAKE_RESIDENT};
    event.residency.queue = 1;
    event.residency.count = 1;
    event.residency.allocations = &id;
    piece_count = 0;
    step(engine, event);
    assert_int_equal(piece_count, 3);
    assert_int_equal(pieces[0], UINT64_C(256) << 20);
    assert_int_equal(pieces[1], UINT64_C(256) << 20);
    assert_int_equal(pieces[2], UINT64_C(88) << 20);
    vidmm_engine_destroy(engine);
    assert_true(counted_memory_all_back(&memory));
}
