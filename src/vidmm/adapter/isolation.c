/* isolation.c: an adapter's devices are attached to the IOMMU.
 *
 *     what is in flight ends, nothing is begun --> nobody else in the driver --> exclusive access
 *          --> attached --> the engine goes on
 *
 * Source: "IOMMU-based GPU isolation", DXGKDDI_BEGINEXCLUSIVEACCESS; rule D-237.
 */
#include <vidmm/adapter.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/isolation.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/alone.h"

/* obeys D-237: as for a call of level two, nothing is in flight and memory stays where it is */
static NTSTATUS attach_alone(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    NTSTATUS status = vidmm_driver_take_at_rest(adapter, VIDMM_POWER_D0), answer;

    if (status == STATUS_SUCCESS) {
        status = vidmm_ddi_isolation_attach(adapter, report);
        vidmm_driver_give(adapter);
    } else {
        vidmm_report_refusal(report, status, "exclusive access", 0,
                             "the adapter has stopped, or what is in flight does not end");
        if (status != STATUS_TIMEOUT)
            return status;
    }
    /* in vain or not, the engine goes on */
    answer = vidmm_alone_rest(adapter, VIDMM_EVENT_RESUME, VIDMM_POWER_D0);
    return status != STATUS_SUCCESS ? status : answer;
}

/* Nobody changes the power, or attaches, meanwhile. */
static NTSTATUS attach(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    if (adapter->attached)
        return STATUS_SUCCESS;
    if (adapter->power != VIDMM_POWER_D0) {
        return vidmm_report_refusal(report, STATUS_DEVICE_BUSY, "power", adapter->power,
                                    "exclusive access is for an adapter at D0");
    }
    return attach_alone(adapter, report);
}

NTSTATUS vidmm_adapter_isolate(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    NTSTATUS status;

    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    status = vidmm_ddi_isolation_check(adapter, report);
    if (status != STATUS_SUCCESS)
        return status;
    if (!vidmm_alone_begin(adapter)) {
        return vidmm_report_refusal(report, STATUS_TIMEOUT, "exclusive access", 0,
                                    "somebody else has the adapter rest");
    }
    status = attach(adapter, report);
    vidmm_alone_end(adapter);
    return status;
}
