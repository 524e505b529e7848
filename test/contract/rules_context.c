/* rules_context.c: the rules of paging-context.def, broken and kept. */
#include "rig.h"

#define CPU_VISIBLE 0x1u
#define PROTECTED 0x8u

/* ---- D-329 ---- */

static void create_gdi(struct rig *rig, bool gdi, UINT list)
{
    DXGKARG_CREATECONTEXT create = {.NodeOrdinal = RIG_RENDER_NODE, .EngineAffinity = 1};

    create.Flags.GdiContext = gdi;
    rig->allocation_list_size = list;
    rig->driver->DxgkDdiCreateContext(rig->device, &create);
}

void breaks_D_329(struct rig *rig)
{
    create_gdi(rig, true, 255);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_329), 1);
    create_gdi(rig, true, 257);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_329), 2);
}

void keeps_D_329(struct rig *rig)
{
    create_gdi(rig, true, 256);
    create_gdi(rig, false, 100);
    rig->status = STATUS_NO_MEMORY;
    create_gdi(rig, true, 0); /* there is none */
    rig->status = STATUS_SUCCESS;
}

/* ---- D-137 ---- */

static uint64_t breaches(struct rig *rig)
{
    return vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_137);
}

static NTSTATUS init_with(struct rig *rig, const struct rig_allocation *allocation, UINT segment,
                          uint64_t address, void *cpu)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_init(allocation, segment, address);

    asked.InitContextResource.Destination.VirtualAddress = cpu;
    return rig_build(rig, asked);
}

void breaks_D_137(struct rig *rig)
{
    struct rig_allocation *context =
        rig_context_allocation(rig, RIG_SET(RIG_MEMORY), CPU_VISIBLE | PROTECTED, false);
    struct rig_allocation *apertures =
        rig_context_allocation(rig, RIG_SET(RIG_APERTURE), CPU_VISIBLE | PROTECTED, false);
    struct rig_allocation *visible =
        rig_context_allocation(rig, RIG_SET(RIG_APERTURE), CPU_VISIBLE, false);
    uint64_t cpu[1];

    rig_build(rig, rig_init(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE)); /* not a context's */
    assert_int_equal(breaches(rig), 1);
    init_with(rig, context, RIG_MEMORY, RIG_MEMORY_BASE + 0x20000, cpu); /* not in apertures */
    assert_int_equal(breaches(rig), 2);
    rig_build(rig, rig_init(context, RIG_MEMORY, RIG_MEMORY_BASE + 0x20000)); /* it has content */
    assert_int_equal(breaches(rig), 3);
    rig_map_in(rig, apertures, 0);
    rig_build(rig, rig_init(apertures, RIG_APERTURE, RIG_APERTURE_BASE)); /* no address */
    assert_int_equal(breaches(rig), 4);
    rig_map_in(rig, visible, 16);
    init_with(rig, visible, RIG_APERTURE, RIG_APERTURE_BASE + 0x10000, cpu); /* not Protected */
    assert_int_equal(breaches(rig), 5);
    rig_build(rig, rig_discard(context, RIG_MEMORY, RIG_MEMORY_BASE + 0x20000));
    rig_build(rig, rig_init(context, 0, 0)); /* nowhere */
    assert_int_equal(breaches(rig), 6);
}

void keeps_D_137(struct rig *rig)
{
    struct rig_allocation *context =
        rig_context_allocation(rig, RIG_SET(RIG_MEMORY), CPU_VISIBLE | PROTECTED, false);
    struct rig_allocation *shared =
        rig_context_allocation(rig, RIG_SET(RIG_APERTURE), CPU_VISIBLE | PROTECTED, true);
    uint64_t cpu[1];

    rig_build(rig, rig_init(context, RIG_MEMORY, RIG_MEMORY_BASE));
    rig_map_in(rig, shared, 0);
    init_with(rig, shared, RIG_APERTURE, RIG_APERTURE_BASE, cpu);
    rig_page(rig);
    rig_build(rig, rig_discard(context, RIG_MEMORY, RIG_MEMORY_BASE)); /* its content is lost */
    rig_build(rig, rig_init(context, RIG_MEMORY, RIG_MEMORY_BASE + 0x8000));
    rig_page(rig);
    assert_int_equal(rig->driver->DxgkDdiResetFromTimeout(rig->adapter), STATUS_SUCCESS);
    assert_int_equal(rig->driver->DxgkDdiRestartFromTimeout(rig->adapter), STATUS_SUCCESS);
    rig_build(rig, rig_init(context, RIG_MEMORY, RIG_MEMORY_BASE)); /* again, and by that */
    rig_page(rig);
}

/* ---- D-138 ---- */

static uint64_t departures(struct rig *rig)
{
    return vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_138);
}

/* In segment 2, initialised, and that is complete. */
static struct rig_allocation *resident(struct rig *rig, uint64_t offset, bool shared)
{
    struct rig_allocation *allocation = rig_context_allocation(rig, RIG_SET(RIG_MEMORY), 0, shared);

    rig_build(rig, rig_init(allocation, RIG_MEMORY, RIG_MEMORY_BASE + offset));
    rig_page(rig);
    return allocation;
}

void breaks_D_138(struct rig *rig)
{
    HANDLE first = rig_new_context(rig), second;
    struct rig_allocation *own, *shared, *late;

    own = resident(rig, 0, false);
    second = rig_new_context(rig);
    shared = resident(rig, 0x10000, true);
    rig_complete(rig, RIG_RENDER_NODE, rig_run(rig, first));
    assert_int_equal(departures(rig), 0);
    rig_build(rig, rig_transfer_out(own, RIG_MEMORY, RIG_MEMORY_BASE)); /* first is run */
    assert_int_equal(departures(rig), 1);
    rig_page(rig);
    rig_run(rig, first); /* it is not there */
    assert_int_equal(departures(rig), 2);
    rig_complete(rig, RIG_RENDER_NODE, rig_run(rig, second));
    rig_build(rig, rig_discard(shared, RIG_MEMORY, RIG_MEMORY_BASE + 0x10000)); /* any context */
    assert_int_equal(departures(rig), 3);
    late = rig_context_allocation(rig, RIG_SET(RIG_MEMORY), 0, false);
    rig_build(rig, rig_init(shared, RIG_MEMORY, RIG_MEMORY_BASE + 0x10000));
    rig_build(rig, rig_init(late, RIG_MEMORY, RIG_MEMORY_BASE + 0x20000));
    /* built, and not submitted: both */
    rig_complete(rig, RIG_RENDER_NODE, rig_run(rig, second));
    assert_int_equal(departures(rig), 5);
    rig_page(rig);
    rig_context_allocation(rig, RIG_SET(RIG_MEMORY), 0, false);
    rig_run(rig, second); /* never initialised */
    assert_int_equal(departures(rig), 6);
}

void keeps_D_138(struct rig *rig)
{
    HANDLE first = rig_new_context(rig), second;
    struct rig_allocation *own = resident(rig, 0, false), *other, *shared;

    second = rig_new_context(rig);
    other = resident(rig, 0x8000, false);
    shared = resident(rig, 0x10000, true);
    rig_complete(rig, RIG_RENDER_NODE, rig_run(rig, first));
    rig_complete(rig, RIG_RENDER_NODE, rig_run(rig, second));
    rig_build(rig, rig_transfer_out(own, RIG_MEMORY, RIG_MEMORY_BASE)); /* second is run */
    rig_page(rig);
    rig_switch(rig);
    rig_build(rig, rig_transfer_out(other, RIG_MEMORY, RIG_MEMORY_BASE + 0x8000));
    rig_build(rig, rig_transfer_out(shared, RIG_MEMORY, RIG_MEMORY_BASE + 0x10000));
    rig_page(rig);
    rig_page_in(rig, own, 0x20000);
    rig_page_in(rig, shared, 0x30000);
    rig_run(rig, first);
    assert_int_equal(rig->seen.DxgkCbDestroyContextAllocation(rig->seen.DeviceHandle, other->open),
                     STATUS_SUCCESS);
    rig_run(rig, second); /* it needs nothing of its own any more */
}
