/* link.c: the physical adapters of an adapter: taken, started, stopped.
 *
 * One, or several that are linked. The engine knows of one adapter: a place is one for all of them,
 * so one decision is right for all. Different calls go to different physical adapters:
 *
 *     AddDevice .. RemoveDevice, interrupts, SetPowerState, each, by its own MiniportDeviceContext
 *     BuildPagingBuffer, ResetFromTimeout
 *     Patch, SubmitCommand, QueryCurrentFence                  the lead's, and EngineOrdinal
 *     all else                                                 the lead's
 *
 * Source: DXGKDDI_LINK_DEVICE, LINKED_DEVICE; rules S0-052, S0-053, D-273, D-274, D-297, D-356.
 */
#include "vidmm/ddi/link.h"

#include <string.h>

#include <wddm/ntstatus.h>

#include "vidmm/ddi/above.h"
#include "vidmm/ddi/callbacks.h"
#include "vidmm/ddi/interrupt.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen.h"

#include "base/assert.h"
#include "wddm/level.h"
#include "wddm/rule.h"

/* ---- the driver takes the devices ------------------------------------------------------------ */

static NTSTATUS add_device(struct vidmm_link *link, struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = link->adapter;
    PVOID context = NULL;
    NTSTATUS status =
        adapter->miniport->driver.DxgkDdiAddDevice(link->physical_device_object, &context);

    VIDMM_ASSERT(!link->h_adapter && !link->started);
    if (status != STATUS_SUCCESS) {
        return vidmm_report_refusal(report, status, "status of DxgkDdiAddDevice", (uint32_t)status,
                                    "the driver would not take the device");
    }
    if (!context) { /* obeys D-274 */
        return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH,
                                    "MiniportDeviceContext", 0,
                                    "the driver declines this device (D-274)");
    }
    link->h_adapter = context;
    return STATUS_SUCCESS;
}

/* The link as the driver describes it; all zero: it knows of none. */
static LINKED_DEVICE ask_for_link(const struct vidmm_link *link)
{
    const struct vidmm_adapter *adapter = link->adapter;
    LINKED_DEVICE linked;

    memset(&linked, 0, sizeof(linked));
    if (!adapter->miniport->driver.DxgkDdiLinkDevice ||
        adapter->miniport->driver.DxgkDdiLinkDevice(link->physical_device_object, link->h_adapter,
                                                    &linked) != STATUS_SUCCESS)
        memset(&linked, 0, sizeof(linked));
    return linked;
}

/* Hold what the driver says of the link against what was enumerated. `first` is its answer for the
 * lead. */
static NTSTATUS check_link(const struct vidmm_adapter *adapter, uint32_t index,
                           const LINKED_DEVICE *linked, const LINKED_DEVICE *first,
                           struct vidmm_report *report)
{
    VIDMM_ASSERT(index < adapter->link_count);
    if (!vidmm_adapter_is_linked(adapter) && linked->NumberOfLinksInChain <= 1)
        return STATUS_SUCCESS;
    if (linked->NumberOfLinksInChain != adapter->link_count) {
        return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, "NumberOfLinksInChain",
                                    linked->NumberOfLinksInChain,
                                    "as many physical adapters as are there (DXGKDDI_LINK_DEVICE; "
                                    "Windows would start in VGA mode)");
    }
    if (linked->ChainUid != first->ChainUid) {
        return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, "ChainUid",
                                    linked->ChainUid,
                                    "the lead's: all are of one link (LINKED_DEVICE)");
    }
    if ((linked->LeadLink != 0) != (index == 0)) {
        return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, "LeadLink",
                                    linked->LeadLink,
                                    "TRUE of the first physical adapter only (LINKED_DEVICE)");
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_links_add(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    LINKED_DEVICE first = {0};
    uint32_t index;

    for (index = 0; index < adapter->link_count; index++) { /* obeys D-273: one at a time */
        NTSTATUS status = add_device(adapter->miniport->links[index], report);
        LINKED_DEVICE linked;

        if (status != STATUS_SUCCESS)
            return status;
        linked = ask_for_link(adapter->miniport->links[index]);
        first = index == 0 ? linked : first;
        status = check_link(adapter, index, &linked, &first, report);
        if (status != STATUS_SUCCESS)
            return status;
    }
    adapter->miniport->h_adapter = adapter->miniport->lead.h_adapter;
    return STATUS_SUCCESS;
}

void vidmm_links_remove(struct vidmm_adapter *adapter)
{
    uint32_t index;

    for (index = 0; index < adapter->link_count; index++)
        if (adapter->miniport->links[index]->h_adapter)
            adapter->miniport->driver.DxgkDdiRemoveDevice(
                adapter->miniport->links[index]->h_adapter);
}

/* ---- interrupts ------------------------------------------------------------------------------ */

/* As the host calls it; the argument is a link. */
static void work(void *argument)
{
    const struct vidmm_link *link = argument;

    link->adapter->above->pump(link->adapter);
}

NTSTATUS vidmm_links_connect(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    uint32_t index;

    for (index = 0; index < adapter->link_count; index++) {
        struct vidmm_link *link = adapter->miniport->links[index];
        struct vidmm_host_client client = {
            .argument = link,
            .service = vidmm_ddi_interrupt,
            .dpc = vidmm_ddi_dpc,
            .work = work,
            .work_never_waits = true,
        };

        link->connected = link->host->connect(link->host->context, &client);
        if (!link->connected) {
            return vidmm_report_refusal(report, STATUS_NO_MEMORY, "the interrupt", 0,
                                        "the host could not connect it");
        }
    }
    return STATUS_SUCCESS;
}

void vidmm_links_disconnect(struct vidmm_adapter *adapter)
{
    uint32_t index;

    for (index = 0; index < adapter->link_count; index++) {
        const struct vidmm_link *link = adapter->miniport->links[index];

        if (!link->connected)
            continue;
        if (link->host->set_timer)
            link->host->set_timer(link->host->context, UINT64_MAX);
        link->host->disconnect(link->host->context);
    }
}

/* ---- start and stop -------------------------------------------------------------------------- */

/* obeys D-279, D-280 */
static bool is_zero(const void *block, size_t size)
{
    const uint8_t *bytes = block;
    size_t index;

    for (index = 0; index < size && bytes[index] == 0; index++) {
    }
    return index == size;
}

VIDMM_SEES(D_280);
static NTSTATUS query_children(struct vidmm_adapter *adapter, uint32_t children)
{
    size_t bytes = (children + 1) * sizeof(DXGK_CHILD_DESCRIPTOR);
    DXGK_CHILD_DESCRIPTOR *relations;
    uint32_t index;
    NTSTATUS status;

    if (!adapter->miniport->driver.DxgkDdiQueryChildRelations)
        return STATUS_SUCCESS;
    relations = vidmm_allocate(adapter->host, bytes);
    if (!relations)
        return STATUS_NO_MEMORY;
    status = adapter->miniport->driver.DxgkDdiQueryChildRelations(adapter->miniport->h_adapter,
                                                                  relations, (ULONG)bytes);
    for (index = 0; index < children && !is_zero(&relations[index], sizeof(*relations)); index++) {
    }
    if (status == STATUS_SUCCESS && index < children) /* the first that is not filled */
        vidmm_seen(adapter, VIDMM_RULE_D_280, "element of the child relations", index);
    if (status == STATUS_SUCCESS && !is_zero(&relations[children], sizeof(*relations)))
        vidmm_seen(adapter, VIDMM_RULE_D_280, "element of the child relations", children);
    vidmm_free(adapter->host, relations);
    return status;
}

/* Only the lead enumerates children (LINKED_DEVICE). A driver that has none, and so no display, may
 * answer the question with an error: there was nothing to fill in. */
static NTSTATUS take_children(struct vidmm_adapter *adapter, uint32_t children,
                              struct vidmm_report *report)
{
    NTSTATUS status;

    if (children > 1024) {
        return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, "NumberOfChildren",
                                    children, "more than 1024 is no display adapter (D-276)");
    }
    status = query_children(adapter, children);
    return status == STATUS_SUCCESS || children == 0
               ? STATUS_SUCCESS
               : vidmm_report_refusal(report, status, "status of DxgkDdiQueryChildRelations",
                                      (uint32_t)status, "it must succeed (D-279)");
}

static NTSTATUS start_device(struct vidmm_link *link, struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = link->adapter;
    DXGK_START_INFO info;
    ULONG sources = 0, children = 0;
    NTSTATUS status;

    VIDMM_ASSERT(link->h_adapter && !link->started);
    memset(&info, 0, sizeof(info));
    info.RequiredDmaQueueEntry = adapter->options.queue_limit; /* obeys D-277 */
    vidmm_ddi_fill_callbacks(link);
    status = adapter->miniport->driver.DxgkDdiStartDevice(link->h_adapter, &info, &link->callbacks,
                                                          &sources, &children);
    if (status != STATUS_SUCCESS) {
        return vidmm_report_refusal(report, status, "status of DxgkDdiStartDevice",
                                    (uint32_t)status, "the driver could not start the device");
    }
    link->started = true;
    if (link != &adapter->miniport->lead)
        return STATUS_SUCCESS;
    adapter->miniport->sources = sources;
    return take_children(adapter, children, report);
}

NTSTATUS vidmm_links_start(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index = adapter->link_count;

    while (index-- > 0 && status == STATUS_SUCCESS)
        status = start_device(adapter->miniport->links[index], report);
    return status;
}

/* obeys D-299: the firmware's display mode is left as it is, for whoever shows something next */
static bool releases_display(const struct vidmm_link *link)
{
    struct vidmm_adapter *adapter = link->adapter;
    DXGK_DISPLAY_INFORMATION information;

    if (!adapter->options.post_device || link != &adapter->miniport->lead ||
        adapter->level < VIDMM_LEVEL(1, 2) || !adapter->miniport->caps.SupportNonVGA ||
        !adapter->miniport->driver.DxgkDdiStopDeviceAndReleasePostDisplayOwnership)
        return false;
    memset(&information, 0, sizeof(information));
    return adapter->miniport->driver.DxgkDdiStopDeviceAndReleasePostDisplayOwnership(
               link->h_adapter, D3DDDI_ID_UNINITIALIZED, &information) == STATUS_SUCCESS;
}

void vidmm_links_stop(struct vidmm_adapter *adapter)
{
    uint32_t index;

    for (index = 0; index < adapter->link_count; index++) {
        if (adapter->miniport->links[index]->started) {
            vidmm_flush_dpcs(adapter); /* they may look at what StopDevice takes away */
            if (!releases_display(adapter->miniport->links[index])) {
                adapter->miniport->driver.DxgkDdiStopDevice(
                    adapter->miniport->links[index]->h_adapter); /* obeys D-298 */
            }
        }
    }
}
