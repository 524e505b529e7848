/* shows_root.c: the root of page tables of two levels, which grows and shrinks; of
 * paging-pagetable.def.
 */
#include "unit/test_addressed.h"

#include "rules.h"

#define GPU BASE_MEMORY "levels 2\npage_table_segment 2\n"

enum { PAGES = 16, CALLS = 512, OFTEN = 8, SET = 1000, FREED = 1001 };
#define REACHED (UINT64_C(1) << 30) /* by a root of 4 KiB: 512 entries, each for 2 MiB */

/* Calls of the driver that tell of tables, and page tables that the engine gives back, in order. */
static struct call {
    unsigned what; /* an operation of BuildPagingBuffer, SET, FREED */
    UINT level;    /* UPDATE_PAGE_TABLE */
    BOOLEAN initial;
    D3DGPU_PHYSICAL_ADDRESS table; /* UPDATE_PAGE_TABLE; the root of FLUSH_TLB and SET */
    UINT entries;                  /* UPDATE_PAGE_TABLE, SET */
    HANDLE context;                /* SET */
    uint32_t freed;                /* FREED: id */
} calls[CALLS];
static unsigned count;
static bool resizing;
static unsigned running; /* new roots that were begun while packets were in flight */
static uint32_t root_id; /* of the newest root that contexts were told of, in operations */
static DRIVER_INITIALIZATION_DATA driver;

static struct call *note(unsigned what)
{
    assert_in_range(count, 0, CALLS - 1);
    calls[count] = (struct call){.what = what};
    return &calls[count++];
}

static NTSTATUS build_paging_buffer(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &arguments->UpdatePageTable;

    if (arguments->Operation == DXGK_OPERATION_UPDATE_PAGE_TABLE &&
        update->UpdateMode == DXGK_PAGETABLEUPDATE_GPU_PHYSICAL) {
        struct call *call = note(arguments->Operation);

        call->level = update->PageTableLevel;
        call->initial = update->Flags.InitialUpdate;
        call->table = update->PageTableAddress.GpuPhysical;
        call->entries = update->NumPageTableEntries;
        if (resizing && call->level == 1 && call->initial)
            running += vidmm_context_completed(first.context) < first.value;
    }
    if (arguments->Operation == DXGK_OPERATION_FLUSH_TLB)
        note(arguments->Operation)->table = arguments->FlushTlb.RootPageTableAddress;
    return driver.DxgkDdiBuildPagingBuffer(adapter, arguments);
}

/* obeys D-136: no packet of the process is in flight */
static void set_root(HANDLE adapter, const DXGKARG_SETROOTPAGETABLE *arguments)
{
    struct call *call = note(SET);

    if (resizing)
        assert_true(vidmm_context_completed(first.context) >= first.value);
    call->table = arguments->Address;
    call->entries = arguments->NumEntries;
    call->context = arguments->hContext;
    driver.DxgkDdiSetRootPageTable(adapter, arguments);
}

static void hear(void *context, uint64_t time_ns, const struct vidmm_operation *operation)
{
    (void)context;
    (void)time_ns;
    if (operation->kind == VIDMM_DO_FREE_TABLE)
        note(FREED)->freed = operation->root.table;
    if (operation->kind == VIDMM_DO_ROOT || operation->kind == VIDMM_DO_SET_ROOT)
        root_id = operation->root.table;
}

static void hear_event(void *context, const struct vidmm_event *event)
{
    (void)context;
    (void)event;
}

/* Two programs of one process, each with a context that has run. */
static void start_two(const char *gpu)
{
    static struct vidmm_observer observer = {.event = hear_event, .operation = hear};

    build(gpu);
    driver = rig.driver;
    rig.driver.DxgkDdiBuildPagingBuffer = build_paging_buffer;
    rig.driver.DxgkDdiSetRootPageTable = set_root;
    rig.options.adapter.observer = &observer;
    count = 0;
    memset(&first, 0, sizeof(first));
    begin();
    begin_program(&second, 1);
    create(&first, &rig.allocations[0], PAGES);
    make(&first, rig.allocations[0].handle);
    map(&first, rig.allocations[0].handle, AT);
    touch(&first, &rig.allocations[0], AT, true);
    touch(&second, &rig.allocations[0], AT, false);
    vidmm_machine_settle(rig.machine);
}

static unsigned next(unsigned from, unsigned what)
{
    while (from < count && calls[from].what != what)
        from++;
    assert_true(from < count);
    return from;
}

static bool is_at(const struct call *call, D3DGPU_PHYSICAL_ADDRESS place)
{
    return call->table.SegmentId == place.SegmentId &&
           call->table.SegmentOffset == place.SegmentOffset;
}

/* The root that the contexts were told of last. */
static D3DGPU_PHYSICAL_ADDRESS told(void)
{
    unsigned at = count;

    while (at > 0 && calls[at - 1].what != SET)
        at--;
    assert_true(at > 0);
    return calls[at - 1].table;
}

/* A new table, cleared and written in full; both contexts switch to it; the GPU forgets the old
 * one; that is destroyed. */
static void judge(D3DGPU_PHYSICAL_ADDRESS old, uint32_t old_id, UINT entries)
{
    unsigned cleared = 0, written, set, again, flushed, freed;

    while (!(calls[cleared = next(cleared, DXGK_OPERATION_UPDATE_PAGE_TABLE)].level == 1 &&
             calls[cleared].initial))
        cleared++;
    assert_int_equal(calls[cleared].entries, entries);
    assert_false(is_at(&calls[cleared], old));
    written = next(cleared + 1, DXGK_OPERATION_UPDATE_PAGE_TABLE);
    assert_true(is_at(&calls[written], calls[cleared].table));
    set = next(0, SET);
    again = next(set + 1, SET);
    assert_true(written < set);
    assert_true(is_at(&calls[set], calls[cleared].table) &&
                is_at(&calls[again], calls[cleared].table));
    assert_int_equal(calls[set].entries, entries);
    assert_int_equal(calls[again].entries, entries);
    assert_ptr_not_equal(calls[set].context, calls[again].context);
    flushed = next(again, DXGK_OPERATION_FLUSH_TLB);
    assert_true(is_at(&calls[flushed], old));
    for (freed = next(0, FREED); calls[freed].freed != old_id; freed = next(freed + 1, FREED)) {
    }
    assert_true(flushed < freed);
    for (unsigned i = 0; i < again; i++) /* contexts may use it: it stays as it was */
        assert_false(calls[i].what == DXGK_OPERATION_UPDATE_PAGE_TABLE && is_at(&calls[i], old));
}

/* Packets that read are under way, for longer than it takes to write a root. */
static void queue_often(void)
{
    queue_touch(&first, &rig.allocations[0], AT, false);
    for (unsigned again = 1; again < OFTEN; again++, touched++)
        if (submit(&first, sizeof(struct softgpu_virtual_touch) +
                               sizeof(struct softgpu_virtual_reference)) != STATUS_SUCCESS)
            fail_msg("%s", rig.report.text);
}

static void resize(const char *gpu)
{
    D3DGPU_PHYSICAL_ADDRESS old;
    uint32_t id;

    start_two(gpu);
    old = told();
    id = root_id;
    create(&first, &rig.allocations[1], PAGES);
    make(&first, rig.allocations[1].handle);
    vidmm_machine_settle(rig.machine);
    count = 0;
    queue_often(); /* they run while the root grows */
    resizing = true;
    map(&first, rig.allocations[1].handle, REACHED + AT);
    vidmm_machine_settle(rig.machine);
    resizing = false;
    judge(old, id, 1024);
    touch(&first, &rig.allocations[1], REACHED + AT, true);
    touch(&second, &rig.allocations[1], REACHED + AT, false);
    touch(&second, &rig.allocations[0], AT, false);

    old = told();
    id = root_id;
    count = 0;
    queue_often(); /* ... and while it shrinks */
    resizing = true;
    if (vidmm_free_addresses(first.device, REACHED + AT, BYTES(PAGES), &rig.report) < 0)
        fail_msg("%s", rig.report.text);
    vidmm_machine_settle(rig.machine);
    resizing = false;
    judge(old, id, 512);
    touch(&first, &rig.allocations[0], AT, false);
    touch(&second, &rig.allocations[0], AT, false);
    end_program(&second);
    finish();
}

void shows_D_265(void **state)
{
    (void)state;
    running = 0;
    resize(GPU "");
    resize(GPU "explicit_invalidation on\n");
    resize(GPU "invalid_cached off\n");
    assert_int_equal(running, 6); /* so it is the manager that had the contexts idle */
}
