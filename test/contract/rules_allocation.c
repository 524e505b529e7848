/* rules_allocation.c: the rules of allocation.def, broken and kept. */
#include "rig.h"

void breaks_D_050(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_page_in(rig, allocation, 0);
    rig_close(rig, allocation);
    rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
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
