/* display.c: what is displayed.
 *
 *     show    the engine has it in place, and pins it --> level two: address, visibility
 *             --> what the source showed before is let go by the engine
 *     hide    level two: visibility --> let go
 *
 * One change at a time: each stands between vidmm_alone_begin() and vidmm_alone_end(), as do
 * changes of power.
 *
 * Invariants, the adapter's mutex held
 * DY1. `shown` of a source is the opening that its program named. Its original is displayed for the
 *      engine, unless a reset has ended that; nothing else is, but while show or hide is at work.
 * DY2. `displayed` of an opening says that a source shows it.
 *
 * Source: DXGKDDI_SETVIDPNSOURCEADDRESS, DXGKDDI_SETVIDPNSOURCEVISIBILITY; rules D-022, D-093,
 * D-099, D-309.
 */
#include <vidmm/display.h>

#include <vidmm/adapter.h>
#include <vidmm/engine.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/display.h"
#include "vidmm/ddi/display.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/object/resource.h"
#include "vidmm/pump/alone.h"
#include "vidmm/pump/ask.h"
#include "vidmm/pump/grant.h"

#include "base/assert.h"
#include "wddm/level.h"

/* ---- what is legal --------------------------------------------------------------------------- */

static NTSTATUS check_source(const struct vidmm_adapter *adapter, uint32_t source,
                             const char *lacking, struct vidmm_report *report)
{
    uint32_t sources = vidmm_ddi_sources(adapter);

    if (source >= sources || source >= VIDMM_SOURCES) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "source", source,
                                    sources == 0 ? "the adapter has no video present source"
                                                 : "below the number of video present sources, "
                                                   "and below 16");
    }
    return lacking ? vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, lacking, 0,
                                          "the driver has no such function")
                   : STATUS_SUCCESS;
}

/* The mutex is held. */
static NTSTATUS check_list(const struct vidmm_device *device, struct vidmm_allocation *primary,
                           struct vidmm_report *report)
{
    const struct vidmm_adapter *adapter = device->adapter;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    if (adapter->level < VIDMM_LEVEL(2, 0) ||
        vidmm_engine_residency_count(adapter->engine, device->id, vidmm_original(primary)->id) > 0)
        return STATUS_SUCCESS;
    return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "primary", primary->id,
                                "one that is on the residency list (D-093)");
}

/* The mutex is held. */
static NTSTATUS check_primary(const struct vidmm_device *device, uint32_t source,
                              struct vidmm_allocation *primary, struct vidmm_report *report)
{
    const struct vidmm_adapter *adapter = device->adapter;
    uint32_t index;

    if (primary->device != device || !primary->primary || primary->destroyed) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "primary", primary->id,
                                    "a primary of the device");
    }
    if (atomic_load(&vidmm_original(primary)->offered)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "primary", primary->id,
                                    "one that is not offered: reclaim it first");
    }
    for (index = 0; index < VIDMM_SOURCES; index++) {
        if (index != source && adapter->shown[index] &&
            vidmm_original(adapter->shown[index]) == vidmm_original(primary)) {
            return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "primary", primary->id,
                                        "one that no other source shows");
        }
    }
    return check_list(device, primary, report);
}

/* ---- the engine ------------------------------------------------------------------------------ */

bool vidmm_display_keeps(struct vidmm_allocation *allocation)
{
    const struct vidmm_wish *wish =
        vidmm_engine_wish(allocation->adapter->engine, vidmm_original(allocation)->id);

    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    return wish && (wish->flags & VIDMM_WISH_DISPLAYED) != 0;
}

/* Have the engine keep it in place from here on, or no more. */
static NTSTATUS tell_engine(const struct vidmm_device *device, struct vidmm_allocation *allocation,
                            bool displayed, struct vidmm_place *place)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DISPLAY, .device = device->id};
    struct vidmm_request request = {0};
    NTSTATUS status;

    event.display.allocation = vidmm_original(allocation)->id;
    event.display.displayed = displayed ? 1 : 0;
    status = vidmm_request_ask(device->adapter, &event, &event.display.request, &request);
    if (place)
        *place = request.place;
    return status;
}

/* It is displayed no more, unless it is the same memory as what is. */
static void let_go(struct vidmm_allocation *allocation, struct vidmm_allocation *shown)
{
    if (allocation && (!shown || vidmm_original(allocation) != vidmm_original(shown)))
        tell_engine(allocation->device, allocation, false, NULL);
}

/* ---- the driver ------------------------------------------------------------------------------ */

struct change {
    struct vidmm_adapter *adapter;
    struct vidmm_allocation *primary; /* NULL: the source is to be dark */
    struct vidmm_place place;
    uint32_t source;
    const char *refused; /* the function that has refused; NULL: none has */
};

static NTSTATUS change_source(void *argument)
{
    struct change *change = argument;
    NTSTATUS status = STATUS_SUCCESS;

    if (change->primary) {
        change->refused = "status of DxgkDdiSetVidPnSourceAddress";
        status = vidmm_ddi_set_source_address(change->adapter, change->source,
                                              vidmm_original(change->primary), change->place);
    }
    if (status == STATUS_SUCCESS) {
        change->refused = "status of DxgkDdiSetVidPnSourceVisibility";
        status = vidmm_ddi_set_source_visibility(change->adapter, change->source,
                                                 change->primary != NULL);
    }
    if (status == STATUS_SUCCESS)
        change->refused = NULL;
    return status;
}

static NTSTATUS refuse(struct vidmm_adapter *adapter, NTSTATUS status, const char *refused,
                       struct vidmm_report *report)
{
    if (status == STATUS_SUCCESS)
        return status;
    if (status == STATUS_DEVICE_BUSY && !refused) {
        return vidmm_report_refusal(report, status, "power", adapter->power,
                                    "the adapter has no power");
    }
    vidmm_report_refusal(report, status, refused ? refused : "status of displaying",
                         (uint32_t)status,
                         refused ? "the driver refused it"
                                 : "no place for it, the device is in error, or the adapter "
                                   "cannot rest for it");
    return vidmm_report_reason(adapter, report, status);
}

/* ---- show and hide --------------------------------------------------------------------------- */

/* The source shows that from here on. Answers what it showed before. */
static struct vidmm_allocation *note(struct vidmm_adapter *adapter, uint32_t source,
                                     struct vidmm_allocation *primary)
{
    struct vidmm_allocation *former;

    vidmm_adapter_lock(adapter);
    former = adapter->shown[source];
    if (former)
        former->displayed = false;
    if (primary)
        primary->displayed = true;    /* DY2 */
    adapter->shown[source] = primary; /* DY1 */
    vidmm_adapter_unlock(adapter);
    return former;
}

static void count_frame(struct vidmm_device *device, uint32_t source)
{
    vidmm_adapter_lock(device->adapter);
    device->adapter->frames[source]++;
    device->frames[source]++;
    vidmm_adapter_unlock(device->adapter);
}

/* Nobody else changes it meanwhile. */
static NTSTATUS show(struct vidmm_device *device, uint32_t source, struct vidmm_allocation *primary,
                     struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = device->adapter;
    struct change change = {.adapter = adapter, .primary = primary, .source = source};
    struct vidmm_allocation *former;
    NTSTATUS status;

    vidmm_adapter_lock(adapter);
    status = check_primary(device, source, primary, report);
    vidmm_adapter_unlock(adapter);
    former = vidmm_display_shown(adapter, source);
    if (status != STATUS_SUCCESS || former == primary)
        return status;
    status = tell_engine(device, primary, true, &change.place);
    if (status == STATUS_SUCCESS)
        status = vidmm_driver_call_alone(adapter, change_source, &change);
    if (status != STATUS_SUCCESS) {
        let_go(primary, former);
        return refuse(adapter, status, change.refused, report);
    }
    let_go(note(adapter, source, primary), primary);
    count_frame(device, source);
    return STATUS_SUCCESS;
}

/* Nobody else changes it meanwhile. */
static NTSTATUS hide(struct vidmm_adapter *adapter, uint32_t source, const char **refused)
{
    struct change change = {.adapter = adapter, .source = source};
    NTSTATUS status = vidmm_driver_call_alone(adapter, change_source, &change);

    *refused = change.refused;
    if (status == STATUS_SUCCESS)
        let_go(note(adapter, source, NULL), NULL);
    return status;
}

NTSTATUS vidmm_display_show(struct vidmm_device *device, uint32_t source,
                            struct vidmm_allocation *primary, struct vidmm_report *report)
{
    struct vidmm_adapter *adapter;
    NTSTATUS status;

    vidmm_report_clear(report);
    if (vidmm_report_null(device, "device", report) ||
        vidmm_report_null(primary, "primary", report))
        return STATUS_INVALID_PARAMETER;
    adapter = device->adapter;
    status = check_source(adapter, source, vidmm_ddi_lacks_display(adapter), report);
    if (status == STATUS_SUCCESS)
        status = vidmm_device_condition(device, report);
    if (status != STATUS_SUCCESS)
        return status;
    if (!vidmm_alone_begin(adapter))
        return refuse(adapter, STATUS_TIMEOUT, NULL, report);
    status = adapter->power == VIDMM_POWER_D0 ? show(device, source, primary, report)
                                              : refuse(adapter, STATUS_DEVICE_BUSY, NULL, report);
    vidmm_alone_end(adapter);
    return status;
}

NTSTATUS vidmm_display_hide(struct vidmm_adapter *adapter, uint32_t source,
                            struct vidmm_report *report)
{
    const char *refused = NULL;
    NTSTATUS status;

    vidmm_report_clear(report);
    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    status = check_source(adapter, source, vidmm_ddi_lacks_display(adapter), report);
    if (status != STATUS_SUCCESS)
        return status;
    if (!vidmm_alone_begin(adapter))
        return refuse(adapter, STATUS_TIMEOUT, NULL, report);
    if (vidmm_display_shown(adapter, source))
        status = hide(adapter, source, &refused);
    vidmm_alone_end(adapter);
    return refuse(adapter, status, refused, report);
}

struct vidmm_allocation *vidmm_display_shown(struct vidmm_adapter *adapter, uint32_t source)
{
    struct vidmm_allocation *shown = NULL;

    vidmm_adapter_lock(adapter);
    if (source < VIDMM_SOURCES && adapter->shown[source] &&
        vidmm_display_keeps(adapter->shown[source]))
        shown = adapter->shown[source];
    vidmm_adapter_unlock(adapter);
    return shown;
}

/* ---- the end of what is shown ---------------------------------------------------------------- */

/* Dark, whatever the driver says to that: what it showed goes. */
static void darken(struct vidmm_adapter *adapter, uint32_t source)
{
    const char *refused;

    if (hide(adapter, source, &refused) != STATUS_SUCCESS)
        let_go(note(adapter, source, NULL), NULL);
}

void vidmm_display_end_all(struct vidmm_adapter *adapter)
{
    uint32_t source;

    for (source = 0; source < VIDMM_SOURCES; source++)
        if (adapter->shown[source])
            darken(adapter, source);
}

/* A source may be about to show another. */
static bool is_displayed(struct vidmm_allocation *allocation)
{
    bool displayed;

    vidmm_adapter_lock(allocation->adapter);
    displayed = allocation->displayed;
    vidmm_adapter_unlock(allocation->adapter);
    return displayed;
}

void vidmm_display_forget(struct vidmm_allocation *allocation)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    uint32_t source;

    if (!is_displayed(allocation) || !vidmm_alone_begin(adapter))
        return;
    for (source = 0; source < VIDMM_SOURCES; source++)
        if (adapter->shown[source] == allocation)
            darken(adapter, source);
    vidmm_alone_end(adapter);
}

void vidmm_display_forget_resource(struct vidmm_resource *resource)
{
    struct vidmm_allocation *member;

    for (member = resource->members; member; member = member->sibling)
        vidmm_display_forget(member);
}

/* ---- networks and interrupts ----------------------------------------------------------------- */

struct commit {
    const struct vidmm_adapter *adapter;
    void *vidpn;
    struct vidmm_allocation *primary;
    uint32_t source;
};

static NTSTATUS commit(void *argument)
{
    const struct commit *commit = argument;

    return vidmm_ddi_commit_vidpn(commit->adapter, commit->vidpn, commit->source, commit->primary);
}

/* Make a call of level two, unless there is no power. */
static NTSTATUS call(struct vidmm_adapter *adapter, NTSTATUS (*function)(void *), void *argument,
                     const char *name, struct vidmm_report *report)
{
    NTSTATUS status = STATUS_DEVICE_BUSY;
    const char *refused = NULL;

    if (!vidmm_alone_begin(adapter))
        return refuse(adapter, STATUS_TIMEOUT, NULL, report);
    if (adapter->power == VIDMM_POWER_D0) {
        status = vidmm_driver_call_alone(adapter, function, argument);
        refused = name;
    }
    vidmm_alone_end(adapter);
    return refuse(adapter, status, refused, report);
}

NTSTATUS vidmm_display_commit(struct vidmm_adapter *adapter, void *vidpn, uint32_t source,
                              struct vidmm_allocation *primary, struct vidmm_report *report)
{
    struct commit arguments = {adapter, vidpn, primary ? vidmm_original(primary) : NULL, source};
    NTSTATUS status;

    vidmm_report_clear(report);
    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    status = check_source(adapter, source, vidmm_ddi_lacks_commit(adapter), report);
    if (status != STATUS_SUCCESS)
        return status;
    if (primary && (!primary->primary || primary->adapter != adapter)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "primary", primary->id,
                                    "a primary of the adapter, or NULL");
    }
    return call(adapter, commit, &arguments, "status of DxgkDdiCommitVidPn", report);
}

struct interrupts {
    const struct vidmm_adapter *adapter;
    bool enabled;
};

static NTSTATUS control(void *argument)
{
    const struct interrupts *interrupts = argument;

    return vidmm_ddi_control_interrupt(interrupts->adapter, interrupts->enabled);
}

NTSTATUS vidmm_display_interrupts(struct vidmm_adapter *adapter, bool enabled,
                                  struct vidmm_report *report)
{
    struct interrupts interrupts = {adapter, enabled};
    NTSTATUS status;

    vidmm_report_clear(report);
    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    status = check_source(adapter, 0, vidmm_ddi_lacks_interrupts(adapter), report);
    return status != STATUS_SUCCESS
               ? status
               : call(adapter, control, &interrupts, "status of DxgkDdiControlInterrupt", report);
}
