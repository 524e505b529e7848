/* isolation.c: the domain of an adapter's devices, and the exclusive access in which they are
 * attached to it.
 *
 *     DxgkDdiBeginExclusiveAccess     each physical adapter, the lead first
 *     hold                            each device reaches nothing
 *     attach                          each device reaches what is mapped
 *     DxgkDdiEndExclusiveAccess       those that have begun, the lead last
 *
 * If memory is remapped, the devices are attached before they start, so that nobody needs to be
 * kept still, and stay attached.
 *
 * A link has one domain. The pages of a link's allocations, page tables and buffers are mapped in
 * it, whichever physical adapter uses them.
 */
#include "vidmm/ddi/isolation.h"

#include <vidmm/host.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/report.h"

#include "base/assert.h"
#include "wddm/level.h"

/* The pages name one member of the argument, reserved. */
#define ARGUMENT_WORDS 8u

static DXGK_VIDMMCAPS caps_of(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->caps.MemoryManagementCaps;
}

/* A GPU that uses the processor's addresses is kept from memory by the tables of its processes. */
static bool is_supported(const struct vidmm_adapter *adapter)
{
    return adapter->level >= VIDMM_LEVEL(2, 4) && caps_of(adapter).IoMmuSecureModeSupported &&
           adapter->model != VIDMM_MODEL_IO_MMU;
}

static bool is_required(const struct vidmm_adapter *adapter)
{
    return is_supported(adapter) && adapter->level >= VIDMM_LEVEL(2, 7) &&
           caps_of(adapter).IoMmuSecureModeRequired;
}

NTSTATUS vidmm_ddi_isolation_begin(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    const struct vidmm_host *host = adapter->host;

    VIDMM_ASSERT(!adapter->engine && adapter->isolated == adapter->remapped);
    if (adapter->remapped)
        return STATUS_SUCCESS;
    if (!host->create_domain && is_required(adapter)) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "IoMmuSecureModeRequired", 1,
                                    "the host has no IOMMU: 0");
    }
    if (!host->create_domain || !is_supported(adapter))
        return STATUS_SUCCESS;
    adapter->isolated = host->create_domain(host->context);
    return adapter->isolated ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

void vidmm_ddi_isolation_end(struct vidmm_adapter *adapter)
{
    const struct vidmm_host *host = adapter->host;

    if (adapter->isolated)
        host->destroy_domain(host->context);
    adapter->isolated = adapter->remapped = adapter->attached = false;
}

bool vidmm_ddi_isolation_is_told(const struct vidmm_adapter *adapter)
{
    DXGK_IOMMU_CAPS caps = {.Value = adapter->miniport->iommu.value};

    return adapter->isolated && adapter->miniport->iommu.told &&
           (caps.GpuVaIommuRequired || caps.GpuVaIommuGlobalRequired);
}

NTSTATUS vidmm_ddi_isolation_check(const struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    const DRIVER_INITIALIZATION_DATA *driver = &adapter->miniport->driver;

    if (adapter->remapped)
        return STATUS_SUCCESS; /* it is attached */
    if (!is_supported(adapter)) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "IoMmuSecureModeSupported",
                                    caps_of(adapter).IoMmuSecureModeSupported,
                                    "the driver cannot be isolated; 1, from WDDM 2.4 on, and "
                                    "without IoMmuSupported");
    }
    if (!adapter->isolated) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "host->create_domain", 0,
                                    "the host has no IOMMU between devices and memory");
    }
    if (driver->DxgkDdiBeginExclusiveAccess && driver->DxgkDdiEndExclusiveAccess)
        return STATUS_SUCCESS;
    return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED,
                                driver->DxgkDdiBeginExclusiveAccess ? "DxgkDdiEndExclusiveAccess"
                                                                    : "DxgkDdiBeginExclusiveAccess",
                                0, "the entry point must be there");
}

static NTSTATUS begin(const struct vidmm_adapter *adapter, uint32_t index)
{
    uint64_t argument[ARGUMENT_WORDS] = {0};

    return adapter->miniport->driver.DxgkDdiBeginExclusiveAccess(
        adapter->miniport->links[index]->h_adapter,
        (DXGKARG_BEGINEXCLUSIVEACCESS *)(void *)argument);
}

/* The driver cannot refuse to go on; nothing follows from its answer. */
static void end(const struct vidmm_adapter *adapter, uint32_t index)
{
    uint64_t argument[ARGUMENT_WORDS] = {0};

    adapter->miniport->driver.DxgkDdiEndExclusiveAccess(
        adapter->miniport->links[index]->h_adapter, (DXGKARG_ENDEXCLUSIVEACCESS *)(void *)argument);
}

/* Attach every device to the domain of `owner`. False: one could not be. */
static bool attach_all(const struct vidmm_adapter *adapter, const struct vidmm_host *owner)
{
    bool attached = true;
    uint32_t index;

    for (index = 0; index < adapter->link_count; index++) {
        const struct vidmm_host *host = adapter->miniport->links[index]->host;

        attached &= host->attach_domain(host->context, owner);
    }
    return attached;
}

/* obeys D-237: the devices reach no memory while they are between domains */
static bool change_domain(const struct vidmm_adapter *adapter)
{
    uint32_t index;

    for (index = 0; index < adapter->link_count; index++) {
        const struct vidmm_host *host = adapter->miniport->links[index]->host;

        host->hold_device(host->context);
    }
    if (attach_all(adapter, adapter->host))
        return true;
    attach_all(adapter, NULL);
    return false;
}

/* ---- remapping ------------------------------------------------------------------------------- */

/* obeys D-281 */
NTSTATUS vidmm_ddi_remapping_begin(struct vidmm_adapter *adapter)
{
    DXGK_IOMMU_CAPS caps = {.Value = adapter->miniport->iommu.value};
    uint64_t highest = vidmm_ddi_highest_visible(adapter) >> VIDMM_PAGE_SHIFT;
    const struct vidmm_host *host = adapter->host;

    VIDMM_ASSERT(!adapter->engine && !adapter->isolated);
    VIDMM_ASSERT(!adapter->miniport->links[0]->started);
    if (!host->create_logical_domain || !adapter->miniport->iommu.told ||
        !caps.DmaRemappingSupported || highest >= host->highest_page(host->context))
        return STATUS_SUCCESS;
    adapter->isolated = adapter->remapped = host->create_logical_domain(host->context);
    if (!adapter->remapped)
        return STATUS_NO_MEMORY;
    adapter->attached = change_domain(adapter);
    return adapter->attached ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}

/* obeys D-238: nothing is remapped without MapAperture2Supported */
void vidmm_ddi_remapping_settle(struct vidmm_adapter *adapter)
{
    VIDMM_ASSERT(!adapter->engine);
    if (adapter->remapped &&
        (!caps_of(adapter).MapAperture2Supported || adapter->model != VIDMM_MODEL_GPU_MMU))
        vidmm_ddi_isolation_end(adapter);
}

NTSTATUS vidmm_ddi_isolation_attach(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t begun = 0;

    VIDMM_ASSERT(adapter->isolated && !adapter->attached && adapter->pumping);
    while (begun < adapter->link_count && status == STATUS_SUCCESS) {
        status = begin(adapter, begun);
        begun += status == STATUS_SUCCESS ? 1 : 0;
    }
    if (status != STATUS_SUCCESS) {
        vidmm_report_refusal(report, status, "status of DxgkDdiBeginExclusiveAccess",
                             (uint32_t)status, "the driver does not take exclusive access");
    } else {
        adapter->attached = change_domain(adapter);
        if (!adapter->attached) {
            status = vidmm_report_refusal(report, STATUS_UNSUCCESSFUL, "host->attach_domain", 0,
                                          "the IOMMU does not attach a device");
        }
    }
    while (begun > 0)
        end(adapter, --begun);
    return status;
}
