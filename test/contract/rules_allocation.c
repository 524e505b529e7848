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
