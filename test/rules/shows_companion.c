/* shows_companion.c: the contexts on which changes of addresses behind fences run (gpuva.def,
 * D-266): who has one, where it runs, and what the driver sees of it.
 */
#include "unit/test_addressed.h"

#include <vidmm/fence.h>
#include <vidmm/host.h>

#include "contract/contract.h"
#include "rules.h"

enum { PAGES = 32, MOST = 64 };

struct context {
    HANDLE handle, device; /* the driver's */
    uint32_t node, flags, private_size;
    bool alive;
    D3DGPU_PHYSICAL_ADDRESS root;
    uint32_t paging, commands; /* submissions */
};

static struct context contexts[MOST];
static uint32_t context_count, changed[MOST]; /* by context: entries of `place` written for it */
static bool refuses;                          /* the driver: contexts without private data */
static uint64_t place;                        /* addresses that are looked for: a page */
static DRIVER_INITIALIZATION_DATA driver;

static struct context *context_of(HANDLE handle)
{
    for (uint32_t i = context_count; i > 0; i--)
        if (contexts[i - 1].handle == handle)
            return &contexts[i - 1];
    fail_msg("a context that was never made");
    return NULL;
}

static NTSTATUS note_create(HANDLE device, DXGKARG_CREATECONTEXT *arguments)
{
    struct context *context = &contexts[context_count];
    NTSTATUS status;

    if (refuses)
        return STATUS_INVALID_PARAMETER;
    assert_in_range(context_count, 0, MOST - 1);
    *context = (struct context){.device = device,
                                .node = arguments->NodeOrdinal,
                                .flags = arguments->Flags.Value,
                                .private_size = arguments->PrivateDriverDataSize};
    status = driver.DxgkDdiCreateContext(device, arguments);
    assert_int_equal(status, STATUS_SUCCESS);
    context->handle = arguments->hContext;
    context->alive = true;
    context_count++;
    return status;
}

static NTSTATUS note_destroy(HANDLE handle)
{
    context_of(handle)->alive = false;
    return driver.DxgkDdiDestroyContext(handle);
}

static VOID note_root(HANDLE adapter, const DXGKARG_SETROOTPAGETABLE *arguments)
{
    context_of(arguments->hContext)->root = arguments->Address;
    driver.DxgkDdiSetRootPageTable(adapter, arguments);
}

static NTSTATUS note_submit(HANDLE adapter, const DXGKARG_SUBMITCOMMANDVIRTUAL *arguments)
{
    struct context *context = context_of(arguments->hContext);

    assert_int_equal(arguments->NodeOrdinal, context->node);
    context->paging += arguments->Flags.Paging;
    context->commands += !arguments->Flags.Paging;
    return driver.DxgkDdiSubmitCommandVirtual(adapter, arguments);
}

static NTSTATUS note_build(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &arguments->UpdatePageTable;
    uint64_t from = update->FirstPteVirtualAddress;

    assert_int_not_equal(arguments->Operation, DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES);
    if (arguments->Operation == DXGK_OPERATION_UPDATE_PAGE_TABLE && update->PageTableLevel == 0 &&
        place >= from && place < from + BYTES(update->NumPageTableEntries))
        changed[context_of(arguments->hSystemContext) - contexts]++;
    return driver.DxgkDdiBuildPagingBuffer(adapter, arguments);
}

/* A machine with the auditor in between, and program `first`. */
static struct vidmm_tap *start_noted(const char *gpu)
{
    struct vidmm_tap_config config = {.record = NULL};
    struct vidmm_tap *tap;

    build(gpu);
    driver = rig.driver;
    rig.driver.DxgkDdiCreateContext = note_create;
    rig.driver.DxgkDdiDestroyContext = note_destroy;
    rig.driver.DxgkDdiSetRootPageTable = note_root;
    rig.driver.DxgkDdiSubmitCommandVirtual = note_submit;
    rig.driver.DxgkDdiBuildPagingBuffer = note_build;
    config.current_irql = vidmm_slot_host(rig.slot)->current_irql;
    config.irql_context = vidmm_slot_host(rig.slot)->context;
    config.paging_is_not_patched = true;
    tap = vidmm_tap_create(&config, &rig.driver);
    assert_non_null(tap);
    rig.driver = *vidmm_tap_driver(tap);
    memset(contexts, 0, sizeof(contexts));
    memset(changed, 0, sizeof(changed));
    context_count = 0;
    refuses = false;
    place = 0;
    begin();
    return tap;
}

static void write_stderr(void *context, const char *text, size_t length)
{
    (void)context;
    fwrite(text, 1, length, stderr);
}

static void judge(struct vidmm_tap *tap)
{
    for (uint32_t i = 0; i < context_count; i++)
        assert_false(contexts[i].alive);
    if (vidmm_tap_violations(tap) > 0)
        vidmm_tap_report(tap, VIDMM_REPORT_TEXT, write_stderr, NULL);
    assert_int_equal(vidmm_tap_violations(tap), 0);
    vidmm_tap_destroy(tap);
}

static struct vidmm_fence *fence_of(struct program *program)
{
    struct vidmm_fence *fence;

    assert_int_equal(vidmm_fence_create(program->device, 0, 0, &fence, &rig.report), 0);
    return fence;
}

/* Map an allocation at an address once the fence has come to a value. */
static void change(struct vidmm_context *context, struct rig_allocation *allocation,
                   uint64_t address, struct vidmm_fence *fence, uint64_t value)
{
    const struct vidmm_address_operation one = {.base = address,
                                                .size = BYTES(PAGES),
                                                .use = {.state = VIDMM_ADDRESSES_MAPPED,
                                                        .access = VIDMM_ADDRESSES_WRITE,
                                                        .allocation = allocation->handle}};
    const struct vidmm_fence_point after = {fence, value};

    place = address;
    memset(changed, 0, sizeof(changed));
    assert_int_equal(vidmm_update_addresses_after(context, &one, 1, &after, 0, &rig.report), 0);
    vidmm_machine_settle(rig.machine);
    assert_true(vidmm_fence_value(fence) <= value);
}

static uint32_t all_changes(void)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < context_count; i++)
        sum += changed[i];
    return sum;
}

/* The wait is over: the change is made, and the fence says so. */
static void come(struct program *program, struct vidmm_fence *fence, uint64_t value)
{
    const struct vidmm_fence_point point = {fence, value};

    assert_int_equal(all_changes(), 0); /* nothing is written before */
    assert_int_equal(vidmm_fence_signal(program->device, &point, 1, &rig.report), 0);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(vidmm_fence_value(fence), value + 1);
    assert_true(all_changes() > 0);
}

static void have(struct program *program, uint32_t index)
{
    create(program, &rig.allocations[index], PAGES);
    make(program, rig.allocations[index].handle);
}

static bool is_same_root(const struct context *one, const struct context *other)
{
    return one->root.SegmentId == other->root.SegmentId &&
           one->root.SegmentOffset == other->root.SegmentOffset;
}

/* A context that came into being by the first change of one of `of`'s contexts. */
static void is_companion_of(const struct context *companion, const struct context *of,
                            uint32_t node)
{
    const DXGK_CREATECONTEXTFLAGS flags = {.VirtualAddressing = 1};

    assert_ptr_equal(companion->device, of->device);
    assert_int_equal(companion->node, node);
    assert_int_equal(companion->flags, flags.Value);
    assert_int_equal(companion->private_size, 0);
}

/* All of the change was written by it, and it has run that, in addresses of its own. */
static void has_changed(const struct context *companion, const struct context *of)
{
    assert_int_equal(changed[companion - contexts], all_changes());
    assert_true(companion->paging > 0);
    assert_int_equal(companion->commands, 0);
    assert_false(is_same_root(companion, of));
    assert_false(is_same_root(companion, &contexts[0])); /* the system's */
}

static void has_companions(const char *gpu, uint32_t node)
{
    struct vidmm_tap *tap = start_noted(gpu);
    struct vidmm_fence *fence = fence_of(&first), *theirs;
    struct vidmm_context *second_context;
    uint32_t own = context_count - 1;

    assert_int_equal(contexts[own].flags & 1, 0);
    have(&first, 0);
    have(&first, 1);
    assert_true(reserve(AT, BYTES(4 * PAGES), VIDMM_ADDRESSES_NO_ACCESS) == AT);
    assert_int_equal(vidmm_context_create(first.device, 0, NULL, 0, &second_context, &rig.report),
                     0);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(context_count, own + 2); /* none comes without a change */
    change(first.context, &rig.allocations[0], AT, fence, 7);
    assert_int_equal(context_count, own + 3); /* one by the first */
    is_companion_of(&contexts[own + 2], &contexts[own], node);
    assert_int_equal(contexts[own + 2].paging, 0);
    come(&first, fence, 7);
    touch(&first, &rig.allocations[0], AT, true);
    has_changed(&contexts[own + 2], &contexts[own]);
    change(first.context, &rig.allocations[1], AT + BYTES(PAGES), fence, 9);
    come(&first, fence, 9);
    assert_int_equal(context_count, own + 3); /* none by the next */
    has_changed(&contexts[own + 2], &contexts[own]);
    change(second_context, &rig.allocations[1], AT + BYTES(2 * PAGES), fence, 11);
    come(&first, fence, 11);
    assert_int_equal(context_count, own + 4); /* another context has its own */
    is_companion_of(&contexts[own + 3], &contexts[own], node);
    has_changed(&contexts[own + 3], &contexts[own]);
    assert_true(is_same_root(&contexts[own + 3], &contexts[own + 2])); /* a process has one space */
    touch(&first, &rig.allocations[1], AT + BYTES(2 * PAGES), true);
    begin_program(&second, 2);
    have(&second, 2);
    theirs = fence_of(&second);
    {
        const struct vidmm_address_request request = {.base = AT, .size = BYTES(2 * PAGES)};
        uint64_t address;

        assert_int_equal(vidmm_reserve_addresses(second.device, NULL, &request,
                                                 VIDMM_ADDRESSES_NO_ACCESS, 0, &address, NULL,
                                                 &rig.report),
                         0);
    }
    change(second.context, &rig.allocations[2], AT, theirs, 3);
    come(&second, theirs, 3);
    touch(&second, &rig.allocations[2], AT, true);
    assert_int_equal(context_count, own + 6);
    is_companion_of(&contexts[own + 5], &contexts[own + 4], node);
    has_changed(&contexts[own + 5], &contexts[own + 4]);
    assert_false(
        is_same_root(&contexts[own + 5], &contexts[own + 2])); /* ... and another its own */
    vidmm_context_destroy(second_context); /* a companion goes with its context */
    assert_false(contexts[own + 3].alive);
    assert_true(contexts[own + 2].alive && contexts[own + 5].alive);
    end_program(&second);
    assert_false(contexts[own + 5].alive);
    finish();
    judge(tap);
}

/* The system's context makes the changes: the driver sees no context more. */
static void has_none(const char *gpu, bool refusing)
{
    struct vidmm_tap *tap = start_noted(gpu);
    struct vidmm_fence *fence = fence_of(&first);
    uint32_t count = context_count;

    have(&first, 0);
    assert_true(reserve(AT, BYTES(2 * PAGES), VIDMM_ADDRESSES_NO_ACCESS) == AT);
    refuses = refusing;
    change(first.context, &rig.allocations[0], AT, fence, 7);
    come(&first, fence, 7);
    touch(&first, &rig.allocations[0], AT, true);
    assert_int_equal(context_count, count);
    assert_int_equal(changed[0], all_changes());
    finish();
    judge(tap);
}

void shows_D_266(void **state)
{
    (void)state;
    has_companions("", 1);
    has_companions("companion 0\n", 0);
    has_companions("companion 0\npaging_buffer_segment 0\n", 0);
    has_companions("levels 2\n", 1);
    has_companions("preemption on\ncompanion 0\n", 0);
    has_none("companion none\n", false);
    has_none("", true);
    has_none("page_table_update gpu_virtual\n", false);
    has_none("page_table_update cpu_virtual\npage_table_segment 0\n", false);
}
