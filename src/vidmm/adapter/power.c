/* power.c: the adapter's power.
 *
 *     D0 --> everything leaves --> SetPowerState(D3), nobody else in the driver --> off
 *     off --> SetPowerState(D0) --> the paging process and its page tables, anew --> command
 *             buffers are mapped, page tables of programs are written --> D0
 *
 * The invariants A1 to A3 are in ddi/gate.c.
 *
 * Source: DXGKDDI_SET_POWER_STATE; "Threading and synchronization third level"; rules D-028, D-040,
 * D-290, D-307, D-314.
 */
#include <vidmm/adapter.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/adapter/paging.h"
#include "vidmm/client/display.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/paging_tables.h"
#include "vidmm/ddi/power.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/alone.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"

/* The paging process could not be made anew, or the driver has refused to write its page tables:
 * Windows stops. */
static NTSTATUS fail(struct vidmm_adapter *adapter, NTSTATUS status)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FAIL};
    const struct vidmm_paging_tables *tables = &adapter->miniport->tables;

    event.fail.reason = VIDMM_REASON_NO_PAGING;
    event.fail.status = (uint32_t)status;
    if (tables->answered != STATUS_SUCCESS) {
        event.fail.reason = tables->reason;
        event.fail.status = (uint32_t)tables->answered;
    }
    vidmm_pump_event(adapter, &event);
    return STATUS_DEVICE_REMOVED;
}

static NTSTATUS call_driver(struct vidmm_adapter *adapter, enum vidmm_power power)
{
    bool up = power == VIDMM_POWER_D0;
    NTSTATUS status = up ? vidmm_driver_take(adapter) : vidmm_driver_take_at_rest(adapter, power);

    VIDMM_ASSERT(power <= VIDMM_POWER_HYBRID_SLEEP);
    if (status != STATUS_SUCCESS)
        return status;
    if (!up) {
        vidmm_paging_tables_clear(adapter); /* obeys D-133: others are there at D0 */
        vidmm_paging_tables_hide(adapter);
    }
    vidmm_ddi_set_power(adapter, power);
    vidmm_driver_give(adapter);
    if (up)
        status = vidmm_paging_renew(adapter);
    return status == STATUS_SUCCESS ? status : fail(adapter, status);
}

static NTSTATUS change(struct vidmm_adapter *adapter, enum vidmm_power power)
{
    bool up = power == VIDMM_POWER_D0;
    NTSTATUS status;

    VIDMM_ASSERT((power == VIDMM_POWER_D0) == (adapter->power != VIDMM_POWER_D0));
    if (!up)
        vidmm_display_end_all(adapter); /* what is displayed leaves with all the rest */
    status = call_driver(adapter, power);
    if (status == STATUS_TIMEOUT && !up) /* the engine goes on as if nobody had asked */
        vidmm_alone_rest(adapter, VIDMM_EVENT_RESUME, power);
    if (status == STATUS_SUCCESS && up)
        status = vidmm_alone_rest(adapter, VIDMM_EVENT_RESUME, power);
    if (status == STATUS_SUCCESS) {
        vidmm_adapter_lock(adapter);
        adapter->power = power;
        vidmm_adapter_unlock(adapter);
    }
    return status;
}

/* Whether the power goes from D0 to another state, or back to D0. */
static bool is_change(struct vidmm_adapter *adapter, enum vidmm_power power)
{
    bool is;

    vidmm_adapter_lock(adapter);
    is = power <= VIDMM_POWER_HYBRID_SLEEP &&
         (power == VIDMM_POWER_D0) != (adapter->power == VIDMM_POWER_D0);
    vidmm_adapter_unlock(adapter);
    return is;
}

NTSTATUS vidmm_adapter_set_power(struct vidmm_adapter *adapter, enum vidmm_power power,
                                 struct vidmm_report *report)
{
    NTSTATUS status = STATUS_TIMEOUT;
    bool legal;

    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    legal = is_change(adapter, power);
    if (legal && vidmm_alone_begin(adapter)) {
        legal = is_change(adapter, power); /* somebody may have been faster */
        if (legal)
            status = change(adapter, power);
        vidmm_alone_end(adapter);
    }
    if (!legal) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "power", power,
                                    "the adapter goes from D0 to another state, and back to D0");
    }
    if (status != STATUS_SUCCESS) {
        return vidmm_report_refusal(report, status, "power", power,
                                    "the adapter has stopped, or what is in flight does not end");
    }
    return STATUS_SUCCESS;
}
