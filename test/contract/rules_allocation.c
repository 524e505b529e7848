/* rules_allocation.c: the rules of allocation.def, broken and kept. */
#include "rig.h"

void breaks_D_050(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGK_ALLOCATIONLIST list[1];
    DXGKARG_PATCH patch;
    HANDLE opened;

    rig_page_in(rig, allocation, 0);
    rig_close(rig, allocation); /* after */
    rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_050), 1);
    allocation = rig_simple(rig);
    rig_page_in(rig, allocation, 0x100000);
    opened = allocation->open;
    allocation->open = allocation->handle; /* before: all that there is yet is the KMD's handle */
    rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE + 0x100000);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_050), 2);
    allocation->open = opened; /* by another device, which has not opened it */
    list[0] = rig_reference(allocation, RIG_MEMORY, RIG_MEMORY_BASE + 0x100000, true);
    patch = rig_dma_patch(rig, list, 1);
    patch.hContext = NULL;
    patch.hDevice = rig->other_device;
    rig_patch(rig, &patch);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_050), 3);
}

void keeps_D_050(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGK_ALLOCATIONLIST list[2] = {{.hDeviceSpecificAllocation = NULL}}; /* an unbind */
    DXGKARG_PATCH patch;

    rig_page_in(rig, allocation, 0);
    list[1] = rig_reference(allocation, RIG_MEMORY, RIG_MEMORY_BASE, true);
    patch = rig_dma_patch(rig, list, 2);
    rig_patch(rig, &patch);
}

static NTSTATUS create_in(struct rig *rig, HANDLE *resource)
{
    DXGKARG_CREATEALLOCATION create = {.hResource = *resource};
    NTSTATUS status;

    create.Flags.Resource = 1;
    status = rig->driver->DxgkDdiCreateAllocation(rig->adapter, &create);
    *resource = create.hResource;
    return status;
}

static void destroy_resource(struct rig *rig, HANDLE resource)
{
    DXGKARG_DESTROYALLOCATION destroy = {.hResource = resource};

    destroy.Flags.DestroyResource = 1;
    rig->driver->DxgkDdiDestroyAllocation(rig->adapter, &destroy);
}

void breaks_D_048(struct rig *rig)
{
    HANDLE resource = rig->device, ours = NULL; /* the manager's, or another kind */

    create_in(rig, &resource);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_048), 1);
    create_in(rig, &ours);
    destroy_resource(rig, ours);
    create_in(rig, &ours);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_048), 2);
}

void keeps_D_048(struct rig *rig)
{
    HANDLE first = NULL, second = NULL, before;

    create_in(rig, &first);
    create_in(rig, &second);
    assert_ptr_not_equal(first, second);
    before = first;
    create_in(rig, &first);
    assert_ptr_equal(first, before);
    create_in(rig, &second);
    destroy_resource(rig, second);
    create_in(rig, &first);
}

void breaks_D_053(struct rig *rig)
{
    rig_destroy(rig, rig_simple(rig));
}

void keeps_D_053(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_close(rig, allocation);
    rig_destroy(rig, allocation);
}

/* ---- S1-022 ---- */

/* So many allocations, every other one of another kind, with this priority. The adapter is removed,
 * and comes again for what the rig does at its end. */
static void give_priorities(struct rig *rig, unsigned count, UINT priority, bool kinds)
{
    PVOID context;

    rig->info.AllocationPriority = priority;
    for (unsigned i = 0; i < count; i++)
        rig_allocate(rig, 0x1000, RIG_SET(RIG_MEMORY), RIG_SET(RIG_MEMORY),
                     kinds && i % 2 != 0 ? RIG_SET(RIG_APERTURE) : 0);
    rig->driver->DxgkDdiRemoveDevice(rig->adapter);
    rig->driver->DxgkDdiAddDevice(NULL, &context);
}

void breaks_S1_022(struct rig *rig)
{
    give_priorities(rig, 16, D3DDDI_ALLOCATIONPRIORITY_HIGH, true);
}

/* The normal one for all; one that is another; too few to tell; all of a kind. */
void keeps_S1_022(struct rig *rig)
{
    static const struct {
        unsigned count;
        UINT priority, other;
        bool kinds;
    } kept[] = {
        {16, D3DDDI_ALLOCATIONPRIORITY_NORMAL, 0, true},
        {16, D3DDDI_ALLOCATIONPRIORITY_HIGH, D3DDDI_ALLOCATIONPRIORITY_LOW, true},
        {15, D3DDDI_ALLOCATIONPRIORITY_HIGH, 0, true},
        {16, D3DDDI_ALLOCATIONPRIORITY_HIGH, 0, false},
    };

    for (unsigned i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        rig_stop(rig);
        rig_start(rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, NULL);
        rig->info.AllocationPriority = kept[i].other;
        if (kept[i].other != 0)
            rig_allocate(rig, 0x1000, RIG_SET(RIG_MEMORY), RIG_SET(RIG_MEMORY), 0);
        give_priorities(rig, kept[i].count, kept[i].priority, kept[i].kinds);
        rig_expect_none(rig);
    }
}

/* ---- D-056 ---- */

static void describe(struct rig *rig, HANDLE allocation, NTSTATUS status, UINT height)
{
    DXGKARG_DESCRIBEALLOCATION describe = {.hAllocation = allocation};

    rig->status = status;
    rig->height = height;
    rig->driver->DxgkDdiDescribeAllocation(rig->adapter, &describe);
    rig->status = STATUS_SUCCESS;
}

static void present_from(struct rig *rig, const struct rig_allocation *source)
{
    DXGK_ALLOCATIONLIST list[3] = {[DXGK_PRESENT_SOURCE_INDEX].hDeviceSpecificAllocation =
                                       source->open};
    DXGKARG_PRESENT present = {.pDmaBuffer = rig->dma, .DmaSize = PAGE_SIZE};

    present.pAllocationList = list;
    assert_int_equal(rig->driver->DxgkDdiPresent(rig->context, &present), STATUS_SUCCESS);
}

static HANDLE create_standard(struct rig *rig, D3DKMDT_STANDARDALLOCATION_TYPE type)
{
    unsigned char bytes[RIG_STANDARD_SIZE];
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA data = {.StandardAllocationType = type};
    DXGK_ALLOCATIONINFO info = {.pPrivateDriverData = bytes, .PrivateDriverDataSize = sizeof bytes};
    DXGKARG_CREATEALLOCATION create = {.NumAllocations = 1, .pAllocationInfo = &info};

    rig->driver->DxgkDdiGetStandardAllocationDriverData(rig->adapter, &data);
    assert_int_equal(data.AllocationPrivateDriverDataSize, sizeof bytes);
    data.pAllocationPrivateDriverData = bytes;
    rig->driver->DxgkDdiGetStandardAllocationDriverData(rig->adapter, &data);
    assert_int_equal(rig->driver->DxgkDdiCreateAllocation(rig->adapter, &create), STATUS_SUCCESS);
    return info.hAllocation;
}

void breaks_D_056(struct rig *rig)
{
    struct rig_allocation *source = rig_simple(rig);
    HANDLE primary = create_standard(rig, D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE);

    present_from(rig, source);
    describe(rig, source->handle, STATUS_INVALID_PARAMETER, 64);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_056), 1);
    describe(rig, source->handle, STATUS_SUCCESS, 0);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_056), 2);
    describe(rig, primary, STATUS_NOT_SUPPORTED, 64);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_056), 3);
}

/* An allocation that is neither a primary nor presented from need not be described. */
void keeps_D_056(struct rig *rig)
{
    struct rig_allocation *source = rig_simple(rig), *other = rig_simple(rig);
    HANDLE primary = create_standard(rig, D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE);
    HANDLE shadow = create_standard(rig, D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE);

    present_from(rig, source);
    describe(rig, source->handle, STATUS_SUCCESS, 64);
    describe(rig, primary, STATUS_SUCCESS, 64);
    describe(rig, other->handle, STATUS_INVALID_PARAMETER, 0);
    describe(rig, shadow, STATUS_INVALID_PARAMETER, 0);
}
