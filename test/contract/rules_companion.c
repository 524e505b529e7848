/* rules_companion.c: contexts on which page tables change behind fences, as a manager may run them
 * rightly and wrongly. The driver has named node 0 for them.
 */
#include "rig_virtual.h"

#define SPACE UINT64_C(0x30000) /* the root of the addresses in which companions run */
#define OTHER_SPACE UINT64_C(0x40000)

enum { BY_ADDRESS = 4 };

static HANDLE companion_on(struct rig *rig, UINT node)
{
    DXGKARG_CREATECONTEXT create = {.hContext = rig, .NodeOrdinal = node, .EngineAffinity = 1};

    create.Flags.Value = BY_ADDRESS;
    assert_int_equal(rig->driver->DxgkDdiCreateContext(rig->device, &create), STATUS_SUCCESS);
    return create.hContext;
}

/* Roots in which nothing is mapped; the system's context makes them. */
static void make_spaces(struct rig *rig)
{
    rig_build(rig, rig_clear(rig->process, 2, SPACE));
    rig_build(rig, rig_clear(rig->process, 2, OTHER_SPACE));
    rig_page_virtual(rig);
}

static void build_for(struct rig *rig, HANDLE context, DXGKARG_BUILDPAGINGBUFFER asked)
{
    struct rig_buffer *buffer = &rig->buffers[rig->current];

    rig_place(rig, &asked);
    asked.hSystemContext = context;
    rig_build_raw(rig, &asked);
    buffer->end = (UINT)((unsigned char *)asked.pDmaBuffer - buffer->memory);
    buffer->private_end =
        (UINT)((unsigned char *)asked.pDmaBufferPrivateData - buffer->private_data);
}

static void change_page(struct rig *rig, HANDLE context, UINT page)
{
    DXGK_PTE entry = rig_entry(RIG_MEMORY, 0x100000 + page * RIG_PAGE);

    build_for(rig, context,
              rig_update(rig->process, 0, RIG_TABLES + 2 * RIG_PAGE,
                         (UINT)(RIG_ADDRESS / RIG_PAGE) + page, 1, &entry));
    build_for(rig, context, rig_flush_tlb(rig->process, RIG_TABLES));
}

static void page_on(struct rig *rig, HANDLE context, UINT node)
{
    DXGKARG_SUBMITCOMMANDVIRTUAL command = rig_paging_virtual(rig);

    command.hContext = context;
    command.NodeOrdinal = node;
    rig->driver->DxgkDdiSubmitCommandVirtual(rig->adapter, &command);
    rig_complete(rig, node, command.SubmissionFenceId);
    rig_new_buffer(rig);
}

/* A change of page tables, on its companion. */
static void run(struct rig *rig, HANDLE context, UINT page, uint64_t root)
{
    change_page(rig, context, page);
    if (root != 0)
        rig_set_root(rig, context, root);
    page_on(rig, context, RIG_RENDER_NODE);
}

static void broken(struct rig *rig, uint64_t times)
{
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_266), times);
}

static void run_commands(struct rig *rig, HANDLE context)
{
    rig_complete(rig, RIG_RENDER_NODE, rig_run_virtual(rig, context));
}

static void what_runs_there(struct rig *rig, HANDLE one)
{
    DXGKARG_BUILDPAGINGBUFFER fill = rig_fill_virtual(RIG_ADDRESS, RIG_PAGE);

    build_for(rig, one, fill); /* the system's context pages */
    broken(rig, 1);
    page_on(rig, one, RIG_RENDER_NODE);
    build_for(rig, one, rig_flush_tlb(rig->system_process, 0)); /* the tables of another process */
    broken(rig, 2);
    page_on(rig, one, RIG_RENDER_NODE);
    rig_build(rig, rig_flush_tlb(rig->process, RIG_TABLES)); /* a buffer for two contexts */
    change_page(rig, one, 3);
    broken(rig, 3);
    page_on(rig, one, RIG_RENDER_NODE);
    rig_build(rig, rig_flush_tlb(rig->process, RIG_TABLES)); /* a buffer for another one */
    page_on(rig, one, RIG_RENDER_NODE);
    broken(rig, 4);
    run_commands(rig, one); /* commands of a program */
    broken(rig, 5);
}

void breaks_D_266(struct rig *rig)
{
    HANDLE one = companion_on(rig, RIG_RENDER_NODE), two = companion_on(rig, RIG_RENDER_NODE);
    HANDLE third = companion_on(rig, RIG_RENDER_NODE), far = companion_on(rig, RIG_PAGING_NODE);

    make_spaces(rig);
    rig_set_root(rig, rig->context, RIG_TABLES);
    run_commands(rig, rig->context);
    run(rig, one, 0, SPACE);
    what_runs_there(rig, one);
    run(rig, two, 1, RIG_TABLES); /* in the addresses of the program */
    broken(rig, 6);
    rig_set_root(rig, two, SPACE);
    run(rig, third, 2, OTHER_SPACE); /* in others than its kin */
    broken(rig, 7);
    rig_set_root(rig, third, SPACE);
    change_page(rig, far, 4); /* on a node that is not named */
    rig_set_root(rig, far, SPACE);
    page_on(rig, far, RIG_PAGING_NODE);
    broken(rig, 8);
    change_page(rig, rig->context, 5); /* where a program's commands run */
    page_on(rig, rig->context, RIG_RENDER_NODE);
    assert_true(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_266) > 8);
    rig_allow(rig, VIDMM_RULE_D_110); /* nothing is mapped for the fill */
    rig_allow(rig, VIDMM_RULE_D_259); /* nor are these contexts the system's */
}

/* Two companions of one process, and the system's context between their changes. */
void keeps_D_266(struct rig *rig)
{
    HANDLE one = companion_on(rig, RIG_RENDER_NODE), two;

    make_spaces(rig);
    rig_set_root(rig, rig->context, RIG_TABLES);
    run_commands(rig, rig->context);
    run(rig, one, 0, SPACE);
    run_commands(rig, rig->context);
    two = companion_on(rig, RIG_RENDER_NODE);
    run(rig, two, 1, SPACE);
    rig_map_page(rig, rig->process, 2, RIG_MEMORY, 0x100000);
    rig_forget_addresses(rig, rig->process);
    rig_page_virtual(rig);
    run(rig, one, 3, 0);
    run_commands(rig, rig->context);
    rig->driver->DxgkDdiDestroyContext(one);
    run(rig, two, 4, 0);
}
