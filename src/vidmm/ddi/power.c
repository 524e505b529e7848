/* power.c: DxgkDdiSetPowerState.
 *
 * Source: DXGKDDI_SET_POWER_STATE, DXGKDDI_LINK_DEVICE; rules D-040, D-314.
 */
#include "vidmm/ddi/power.h"

#include <vidmm/plan.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/seen.h"

#include "base/assert.h"
#include "wddm/rule.h"

static const struct {
    DEVICE_POWER_STATE state;
    POWER_ACTION action;
} changes[] = {
    [VIDMM_POWER_D0] = {PowerDeviceD0, PowerActionNone},
    [VIDMM_POWER_D3] = {PowerDeviceD3, PowerActionNone},
    [VIDMM_POWER_STANDBY] = {PowerDeviceD3, PowerActionSleep},
    [VIDMM_POWER_HIBERNATE] = {PowerDeviceD3, PowerActionHibernate},
    [VIDMM_POWER_HYBRID_SLEEP] = {PowerDeviceD3, PowerActionSleep},
};

VIDMM_SEES(D_314);
static void set_power_of(const struct vidmm_link *link, enum vidmm_power power)
{
    struct vidmm_adapter *adapter = link->adapter;
    NTSTATUS status = adapter->miniport->driver.DxgkDdiSetPowerState(
        link->h_adapter, DISPLAY_ADAPTER_HW_ID, changes[power].state, changes[power].action);

    VIDMM_ASSERT(power <= VIDMM_POWER_HYBRID_SLEEP && link->started);
    if (status < 0)
        vidmm_seen(adapter, VIDMM_RULE_D_314, "status of DxgkDdiSetPowerState", (uint32_t)status);
}

/* The lead of a link is up last, and down first (DXGKDDI_LINK_DEVICE). */
void vidmm_ddi_set_power(const struct vidmm_adapter *adapter, enum vidmm_power power)
{
    uint32_t count = adapter->link_count, index;

    for (index = 0; index < count && adapter->miniport->driver.DxgkDdiSetPowerState; index++)
        set_power_of(adapter->miniport->links[power == VIDMM_POWER_D0 ? count - 1 - index : index],
                     power);
}
