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
