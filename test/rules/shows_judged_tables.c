/* shows_judged_tables.c: what the auditor judges of page tables, brought about on purpose.
 *
 * As in shows_judged.c the occasions are counted, and what a rule says is read without the auditor:
 * here from the tables' bytes in memory, as the GPU finds them when a packet is submitted, and from
 * the interrupts by which it tells what it has completed.
 */
#include "unit/test_addressed.h"

#include "rules.h"

#include "softgpu/hardware.h"
#include "vidmm/object/adapter.h"

enum { CONTEXTS = 8, NODES = 4, ROOTS = 8 };

/* A context, as the driver hears of it. */
static struct told {
    HANDLE context;
    D3DGPU_PHYSICAL_ADDRESS root;
    UINT entries;      /* 0: it was told of no root */
    UINT node, newest; /* fence of its newest packet; 0: it has had none */
    unsigned roots;    /* that it was told of */
} contexts[CONTEXTS];

/* Roots that were cleared, in order. */
static struct cleared {
    HANDLE process;
    D3DGPU_PHYSICAL_ADDRESS at;
    UINT entries;
    unsigned running; /* contexts with packets under way */
} roots[ROOTS];

static unsigned context_count, root_count;
static UINT completed[NODES];
static DRIVER_INITIALIZATION_DATA driver;
static DXGKCB_NOTIFY_INTERRUPT notify_really;
static void (*judge_packet)(const struct told *context);

static struct told *context_of(HANDLE handle)
{
    unsigned index = 0;

    while (index < context_count && contexts[index].context != handle)
        index++;
    assert_true(index < CONTEXTS);
    if (index == context_count)
        contexts[context_count++] = (struct told){.context = handle};
    return &contexts[index];
}

static bool is_idle(const struct told *context)
{
    return context->newest <= completed[context->node];
}

static bool is_at(D3DGPU_PHYSICAL_ADDRESS one, D3DGPU_PHYSICAL_ADDRESS other)
{
    return one.SegmentId == other.SegmentId && one.SegmentOffset == other.SegmentOffset;
}

/* ---- what goes by ---------------------------------------------------------------------------- */

static void notify(HANDLE adapter, const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    if (data->InterruptType == DXGK_INTERRUPT_DMA_COMPLETED)
        completed[data->DmaCompleted.NodeOrdinal] = data->DmaCompleted.SubmissionFenceId;
    notify_really(adapter, data);
}

static NTSTATUS start_device(PVOID adapter, PDXGK_START_INFO info, PDXGKRNL_INTERFACE interface,
                             PULONG sources, PULONG children)
{
    DXGKRNL_INTERFACE mine = *interface;

    notify_really = interface->DxgkCbNotifyInterrupt;
    mine.DxgkCbNotifyInterrupt = notify;
    return driver.DxgkDdiStartDevice(adapter, info, &mine, sources, children);
}

static NTSTATUS submit_packet(HANDLE adapter, const DXGKARG_SUBMITCOMMANDVIRTUAL *packet)
{
    struct told *context;

    if (!packet->Flags.Paging) {
        context = context_of(packet->hContext);
        judge_packet(context);
        context->node = packet->NodeOrdinal;
        context->newest = packet->SubmissionFenceId;
    }
    return driver.DxgkDdiSubmitCommandVirtual(adapter, packet);
}

/* obeys D-136: the context is idle */
static void set_root(HANDLE adapter, const DXGKARG_SETROOTPAGETABLE *root)
{
    struct told *context = context_of(root->hContext);

    assert_true(is_idle(context));
    context->root = root->Address;
    context->entries = root->NumEntries;
    context->roots++;
    driver.DxgkDdiSetRootPageTable(adapter, root);
}

static void note_root(const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    struct cleared *root = &roots[root_count++];

    assert_true(root_count <= ROOTS);
    *root = (struct cleared){.process = update->hProcess,
                             .at = update->PageTableAddress.GpuPhysical,
                             .entries = update->NumPageTableEntries};
    for (unsigned i = 0; i < context_count; i++)
        root->running += !is_idle(&contexts[i]);
}

/* Tables have two levels here. */
static NTSTATUS build_paging(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &arguments->UpdatePageTable;

    if (arguments->Operation == DXGK_OPERATION_UPDATE_PAGE_TABLE && update->PageTableLevel == 1 &&
        update->UpdateMode == DXGK_PAGETABLEUPDATE_GPU_PHYSICAL && update->Flags.InitialUpdate)
        note_root(update);
    return driver.DxgkDdiBuildPagingBuffer(adapter, arguments);
}

static void start_watched(const char *gpu, void (*judge)(const struct told *context))
{
    build(gpu);
    driver = rig.driver;
    rig.driver.DxgkDdiStartDevice = start_device;
    rig.driver.DxgkDdiSubmitCommandVirtual = submit_packet;
    rig.driver.DxgkDdiSetRootPageTable = set_root;
    rig.driver.DxgkDdiBuildPagingBuffer = build_paging;
    context_count = root_count = 0;
    memset(completed, 0, sizeof(completed));
    judge_packet = judge;
    begin();
}

/* ---- D-124: two leaves of one entry ---------------------------------------------------------- */

#define TWO_LEVELS "levels 2\npage_table_segment 2\n"
#define PAIRS "segment 2 memory 4M cpuvisible\npages_64k dual\n" TWO_LEVELS

enum {
    RANGE = 16,    /* pages of 64 KiB, in 4 KiB */
    ENTRIES = 512, /* of a leaf of 4 KiB, and of the root */
    WIDE_ENTRIES = ENTRIES / RANGE,
    MAPPED = 3,    /* ranges at AT */
    ELSEWHERE = 2, /* the allocation that packets use */
};

enum size { NOTHING, OF_4K, OF_64K };

static unsigned side_by_side; /* times that a packet found valid entries in both leaves of one */
static struct told seen;      /* the context of the newest packet */

static const uint64_t *memory_at(uint32_t segment, uint64_t offset)
{
    assert_int_equal(segment, 2);
    return (const uint64_t *)(const void *)(rig.adapter->segments[2].cpu + offset);
}

/* The leaf that a word of the root leads to; NULL: it leads to none. */
static const uint64_t *leaf_of(uint64_t word)
{
    return (word & SOFTGPU_PTE_VALID) != 0 && (word & SOFTGPU_PTE_ZERO) == 0
               ? memory_at(SOFTGPU_PTE_SEGMENT(word), word & SOFTGPU_PTE_PAGE)
               : NULL;
}

static bool any_valid(const uint64_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if ((words[i] & SOFTGPU_PTE_VALID) != 0)
            return true;
    return false;
}

/* The size of the entries that say something of 64 KiB: never are both valid. */
static enum size size_of(const uint64_t *narrow, const uint64_t *wide, unsigned range)
{
    bool small = narrow != NULL && any_valid(&narrow[range * RANGE], RANGE);
    bool large = wide != NULL && any_valid(&wide[range], 1);

    assert_false(small && large);
    return small ? OF_4K : large ? OF_64K : NOTHING;
}

static void judge_leaves(const struct told *context)
{
    const uint64_t *root = memory_at(context->root.SegmentId, context->root.SegmentOffset);

    seen = *context;
    for (unsigned index = 0; index < context->entries; index++) {
        const uint64_t *narrow = leaf_of(root[2 * index]), *wide = leaf_of(root[2 * index + 1]);
        bool found[OF_64K + 1] = {false};

        for (unsigned range = 0; range < WIDE_ENTRIES; range++)
            found[size_of(narrow, wide, range)] = true;
        side_by_side += found[OF_4K] && found[OF_64K];
    }
}

/* A packet runs, and the ranges at AT are said so. */
static void expect(enum size first_range, enum size second_range, enum size third_range)
{
    const enum size expected[MAPPED] = {first_range, second_range, third_range};
    const uint64_t *root;
    unsigned index = AT / BYTES(ENTRIES);

    touch(&first, &rig.allocations[ELSEWHERE], AT + BYTES(ENTRIES), true);
    vidmm_machine_settle(rig.machine);
    root = memory_at(seen.root.SegmentId, seen.root.SegmentOffset);
    for (unsigned range = 0; range < MAPPED; range++)
        assert_int_equal(size_of(leaf_of(root[2 * index]), leaf_of(root[2 * index + 1]), range),
                         expected[range]);
}

static void say(unsigned page, unsigned pages, uint32_t state, unsigned allocation, unsigned offset)
{
    struct vidmm_allocation *mapped =
        state == VIDMM_ADDRESSES_MAPPED ? rig.allocations[allocation].handle : NULL;

    if (update(AT + BYTES(page), BYTES(pages), state, mapped, BYTES(offset)) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
}

/* Pages of 64 KiB are cut by something smaller, which goes again: the other leaf says nothing of
 * the same range each time. */
static void cut_and_join(const char *gpu)
{
    start_watched(gpu, judge_leaves);
    side_by_side = 0;
    for (unsigned index = 0; index <= ELSEWHERE; index++) {
        create(&first, &rig.allocations[index], index == 0 ? MAPPED * RANGE : RANGE);
        make(&first, rig.allocations[index].handle);
    }
    map(&first, rig.allocations[ELSEWHERE].handle, AT + BYTES(ENTRIES));
    assert_true(reserve(AT, BYTES(MAPPED * RANGE), VIDMM_ADDRESSES_NO_ACCESS) == AT);
    expect(NOTHING, NOTHING, NOTHING);
    say(0, MAPPED * RANGE, VIDMM_ADDRESSES_MAPPED, 0, 0);
    expect(OF_64K, OF_64K, OF_64K);
    touch(&first, &rig.allocations[0], AT, true);
    say(RANGE + 5, 1, VIDMM_ADDRESSES_MAPPED, 1, 3);
    expect(OF_64K, OF_4K, OF_64K);
    say(2 * RANGE + 8, 8, VIDMM_ADDRESSES_NO_ACCESS, 0, 0);
    expect(OF_64K, OF_4K, OF_4K);
    say(RANGE, RANGE, VIDMM_ADDRESSES_MAPPED, 0, RANGE);
    expect(OF_64K, OF_64K, OF_4K);
    say(2 * RANGE, RANGE, VIDMM_ADDRESSES_MAPPED, 0, 2 * RANGE);
    expect(OF_64K, OF_64K, OF_64K);
    touch(&first, &rig.allocations[0], AT, true);
    say(0, RANGE, VIDMM_ADDRESSES_MAPPED, 0, 1); /* where no page of 64 KiB begins */
    expect(OF_4K, OF_64K, OF_64K);
    say(0, RANGE, VIDMM_ADDRESSES_MAPPED, 0, 0);
    evict(&first, rig.allocations[0].handle);
    expect(NOTHING, NOTHING, NOTHING);
    make(&first, rig.allocations[0].handle);
    expect(OF_64K, OF_64K, OF_64K);
    touch(&first, &rig.allocations[0], AT, true);
    assert_true(side_by_side >= 4);
    finish();
}

void shows_D_124(void **state)
{
    (void)state;
    cut_and_join(PAIRS);
    cut_and_join(PAIRS "habit immediate\n");
    cut_and_join(PAIRS "zero_pte off\nlarge_pages on\n");
    cut_and_join(PAIRS "page_table_update gpu_virtual\n");
}

/* ---- D-136: the root of a context ------------------------------------------------------------ */

#define ROOTED BASE_MEMORY TWO_LEVELS "engines render render copy\n"
#define REACHED (UINT64_C(1) << 30) /* by a root of 4 KiB: 512 entries, each for 2 MiB */

enum {
    PAGES = 16,
    OFTEN = 8, /* packets of each */
    COMMAND_SIZE = sizeof(struct softgpu_virtual_touch) + sizeof(struct softgpu_virtual_reference)
};

/* It has been told of a root, of the newest or of the one before. */
static void judge_root(const struct told *context)
{
    assert_int_not_equal(context->entries, 0);
}

/* The contexts that have run, of which the newest root is that of all. */
static unsigned told_of_newest(UINT entries)
{
    const struct cleared *newest = &roots[root_count - 1];
    unsigned count = 0;

    assert_true(root_count > 0);
    assert_int_equal(newest->entries, entries);
    for (unsigned i = 0; i < context_count; i++) {
        if (contexts[i].newest == 0)
            continue;
        assert_true(is_at(contexts[i].root, newest->at));
        assert_int_equal(contexts[i].entries, entries);
        count++;
    }
    return count;
}

/* Two programs of one process, each with a context on a node of its own; both run. */
static void start_two(const char *gpu)
{
    start_watched(gpu, judge_root);
    begin_program(&second, 1);
    vidmm_context_destroy(second.context);
    if (vidmm_context_create(second.device, 1, NULL, 0, &second.context, &rig.report) != 0)
        fail_msg("%s", rig.report.text);
    for (unsigned index = 0; index < 3; index++) {
        create(&first, &rig.allocations[index], PAGES);
        make(&first, rig.allocations[index].handle);
    }
    map(&first, rig.allocations[0].handle, AT);
    map(&first, rig.allocations[1].handle, AT + BYTES(PAGES));
    vidmm_machine_settle(rig.machine);
}

/* Both programs' packets, which read, are under way, for longer than it takes to write a root. */
static void queue_both(void)
{
    queue_touch(&first, &rig.allocations[0], AT, false);
    queue_touch(&second, &rig.allocations[1], AT + BYTES(PAGES), false);
    for (unsigned again = 1; again < OFTEN; again++)
        if (submit(&first, COMMAND_SIZE) != STATUS_SUCCESS ||
            submit(&second, COMMAND_SIZE) != STATUS_SUCCESS)
            fail_msg("%s", rig.report.text);
}

/* All that is under way ends; the root has been made anew, while packets ran, at another place. */
static void is_replaced(unsigned before, UINT entries)
{
    vidmm_machine_settle(rig.machine);
    assert_int_equal(root_count, before + 1);
    assert_int_equal(roots[before].running, 2);
    assert_ptr_equal(roots[before].process, roots[before - 1].process);
    assert_false(is_at(roots[before].at, roots[before - 1].at));
    assert_int_equal(told_of_newest(entries), 2);
}

/* Once at the beginning, and with each change: by nobody twice. */
static void told_so_often(unsigned times)
{
    for (unsigned i = 0; i < context_count; i++)
        assert_true(contexts[i].newest == 0 || contexts[i].roots == times);
}

/* An index that the root does not have, of which the bytes behind it may say anything. */
static void above_it_is_a_fault(void)
{
    struct softgpu_statistics gpu;

    touch_and_fault(&first, &rig.allocations[2], REACHED + AT);
    softgpu_device_statistics(rig.gpu, &gpu);
    assert_int_equal(gpu.page_faults, 1);
    assert_non_null(strstr(gpu.fault, "behind the entries of the root"));
}

static void grow_and_shrink(const char *gpu)
{
    unsigned before;

    start_two(gpu);
    queue_both();
    vidmm_machine_settle(rig.machine);
    assert_int_equal(told_of_newest(512), 2); /* before the first packet: judge_root */
    told_so_often(1);

    before = root_count;
    queue_both();
    map(&first, rig.allocations[2].handle, REACHED + AT);
    is_replaced(before, 1024);
    told_so_often(2);
    touch(&first, &rig.allocations[2], REACHED + AT, true);
    touch(&second, &rig.allocations[2], REACHED + AT, true);

    before = root_count;
    queue_both();
    if (vidmm_free_addresses(first.device, REACHED + AT, BYTES(PAGES), &rig.report) < 0)
        fail_msg("%s", rig.report.text);
    is_replaced(before, 512);
    told_so_often(3);
    queue_both();
    vidmm_machine_settle(rig.machine);
    above_it_is_a_fault();
    end_program(&second);
    end_program(&first);
    rig_finish(&rig);
}

void shows_D_136(void **state)
{
    (void)state;
    grow_and_shrink(ROOTED);
    grow_and_shrink(ROOTED "explicit_invalidation on\n");
    grow_and_shrink(ROOTED "invalid_cached off\n");
}
