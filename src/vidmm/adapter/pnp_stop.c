/* pnp_stop.c: Plug and Play stops the device, while programs still use it.
 *
 *     what is in flight ends, everything leaves --> the engine stops --> programs hear that the
 *          device is removed, and destroy what they have --> vidmm_adapter_stop()
 *
 * Nothing is preserved: content leaves as for D3, pinned or not (S0-042).
 *
 * Source: PFND3DDDI_OFFERALLOCATIONSCB, D3DKMTLOCK, "Return values"; rule D-244.
 */
#include <vidmm/adapter.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/display.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/alone.h"
#include "vidmm/pump/pump.h"

/* Nobody changes the power meanwhile. */
static NTSTATUS stop_at_rest(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FAIL};
    NTSTATUS status;

    if (adapter->power != VIDMM_POWER_D0) {
        return vidmm_report_refusal(report, STATUS_DEVICE_BUSY, "power", adapter->power,
                                    "Plug and Play stops an adapter at D0");
    }
    vidmm_display_end_all(adapter); /* what is displayed leaves with all the rest */
    status = vidmm_alone_rest(adapter, VIDMM_EVENT_REST, VIDMM_POWER_D3);
    if (status == STATUS_TIMEOUT) /* the engine goes on as if nobody had asked */
        vidmm_alone_rest(adapter, VIDMM_EVENT_RESUME, VIDMM_POWER_D3);
    if (status != STATUS_SUCCESS) {
        return vidmm_report_refusal(report, status, "rest", 0,
                                    "the adapter has stopped, or what is in flight does not end");
    }
    event.fail.reason = VIDMM_REASON_PNP_STOP;
    event.fail.status = (uint32_t)STATUS_DEVICE_REMOVED;
    vidmm_pump_event(adapter, &event);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_adapter_pnp_stop(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    NTSTATUS status;

    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    if (!vidmm_alone_begin(adapter)) {
        return vidmm_report_refusal(report, STATUS_TIMEOUT, "rest", 0,
                                    "somebody else has the adapter rest");
    }
    status = stop_at_rest(adapter, report);
    vidmm_alone_end(adapter);
    return status;
}
