/* power.c: the adapter's power.
 *
 *     D0 --> everything leaves --> SetPowerState(D3), nobody else in the driver --> off
 *     off --> SetPowerState(D0) --> command buffers are mapped --> D0
 *
 * The invariants A1 to A3 are in ddi/recovery.c.
 *
 * Source: DXGKDDI_SET_POWER_STATE; "Threading and synchronization third level"; rules D-028, D-040,
 * D-307, D-314.
 */
#include "vidmm/object/seen.h"

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

NTSTATUS vidmm_kmd_rest(struct vidmm_adapter *adapter, uint32_t kind, enum vidmm_power power)
{
    struct vidmm_event event = {.kind = kind};
    struct vidmm_request request = {0};

    event.rest.power = power;
    return vidmm_request_ask(adapter, &event, &event.rest.request, &request);
}

/* Nobody is in the driver, and nobody pumps: from here on that is us. Shut under the mutex: who
 * pumps may open the gate behind it (A1). */
static bool take_the_driver(void *argument)
{
    struct vidmm_adapter *adapter = argument;
    bool taken;

    vidmm_adapter_lock(adapter);
    taken = vidmm_gate_shut(adapter) && !adapter->pumping;
    if (adapter->pumping)
        adapter->changed = true; /* A3 */
    adapter->pumping |= taken;
    vidmm_adapter_unlock(adapter);
    return taken;
}

NTSTATUS vidmm_kmd_take_driver(struct vidmm_adapter *adapter)
{
    const struct vidmm_host *host = adapter->host;

    if (!host->wait(host->context, take_the_driver, adapter, UINT64_MAX)) {
        vidmm_gate_open(adapter);
        return STATUS_TIMEOUT;
    }
    vidmm_flush_dpcs(adapter);
    return STATUS_SUCCESS;
}

void vidmm_kmd_give_driver(struct vidmm_adapter *adapter)
{
    vidmm_gate_open(adapter); /* A1 */
    vidmm_adapter_lock(adapter);
    adapter->pumping = false;
    adapter->changed = true; /* A3 */
    vidmm_pump_and_unlock(adapter);
}

/* Nobody else has the adapter rest. */
static bool take_rest(void *argument)
{
    struct vidmm_adapter *adapter = argument;
    bool taken;

    vidmm_adapter_lock(adapter);
    taken = !adapter->resting;
    adapter->resting = true;
    vidmm_adapter_unlock(adapter);
    return taken;
}

bool vidmm_kmd_begin_rest(struct vidmm_adapter *adapter)
{
    return adapter->host->wait(adapter->host->context, take_rest, adapter, UINT64_MAX);
}

void vidmm_kmd_end_rest(struct vidmm_adapter *adapter)
{
    vidmm_adapter_lock(adapter);
    adapter->resting = false;
    vidmm_adapter_unlock(adapter);
    adapter->host->wake(adapter->host->context);
}

VIDMM_SEES(D_314);

static void set_power_of(const struct vidmm_link *link, enum vidmm_power power)
{
    struct vidmm_adapter *adapter = link->adapter;
    NTSTATUS status = adapter->driver.DxgkDdiSetPowerState(
        link->h_adapter, DISPLAY_ADAPTER_HW_ID, changes[power].state, changes[power].action);

    if (status < 0)
        vidmm_seen(adapter, VIDMM_RULE_D_314, "status of DxgkDdiSetPowerState", (uint32_t)status);
}

/* The lead of a link is up last, and down first (DXGKDDI_LINK_DEVICE). */
static void set_power(const struct vidmm_adapter *adapter, enum vidmm_power power)
{
    uint32_t count = adapter->link_count, index;

    for (index = 0; index < count && adapter->driver.DxgkDdiSetPowerState; index++)
        set_power_of(adapter->links[power == VIDMM_POWER_D0 ? count - 1 - index : index], power);
}

static NTSTATUS call_driver(struct vidmm_adapter *adapter, enum vidmm_power power)
{
    NTSTATUS status = vidmm_kmd_take_driver(adapter);

    if (status == STATUS_SUCCESS) {
        set_power(adapter, power);
        vidmm_kmd_give_driver(adapter);
    }
    return status;
}

static NTSTATUS change(struct vidmm_adapter *adapter, enum vidmm_power power)
{
    bool up = power == VIDMM_POWER_D0;
    NTSTATUS status = STATUS_SUCCESS;

    if (!up)
        status = vidmm_kmd_rest(adapter, VIDMM_EVENT_REST, power);
    if (status == STATUS_SUCCESS)
        status = call_driver(adapter, power);
    if (status == STATUS_SUCCESS && up)
        status = vidmm_kmd_rest(adapter, VIDMM_EVENT_RESUME, power);
    if (status == STATUS_SUCCESS) {
        vidmm_adapter_lock(adapter);
        adapter->power = power;
        vidmm_adapter_unlock(adapter);
    }
    return status;
}

NTSTATUS vidmm_adapter_set_power(struct vidmm_adapter *adapter, enum vidmm_power power,
                                 struct vidmm_report *report)
{
    bool up = power == VIDMM_POWER_D0;
    NTSTATUS status;

    if (power > VIDMM_POWER_HYBRID_SLEEP || up == (adapter->power == VIDMM_POWER_D0)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "power", power,
                                    "the adapter goes from D0 to another state, and back to D0");
    }
    status = STATUS_TIMEOUT;
    if (vidmm_kmd_begin_rest(adapter)) {
        status = change(adapter, power);
        vidmm_kmd_end_rest(adapter);
    }
    if (status != STATUS_SUCCESS) {
        return vidmm_report_refusal(report, status, "power", power,
                                    "the adapter has stopped, or what is in flight does not end");
    }
    return STATUS_SUCCESS;
}
