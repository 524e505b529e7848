/* caps.c: an adapter's description of itself, for programs. */
#include <vidmm/caps.h>

#include <string.h>

#include <wddm/ntstatus.h>

#include "vidmm/ddi/gate.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/node.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/report.h"

void vidmm_adapter_get_caps(const struct vidmm_adapter *adapter, struct vidmm_adapter_caps *caps)
{
    const struct vidmm_miniport *miniport = adapter->miniport;

    *caps = (struct vidmm_adapter_caps){
        .level = adapter->level,
        .physical_adapters = adapter->link_count,
        .nodes = adapter->node_count,
        .video_present_sources = miniport->sources,
        .renders = miniport->driver.DxgkDdiRender || miniport->driver.DxgkDdiSubmitCommandVirtual,
        .kernel_mode_commands = miniport->driver.DxgkDdiRenderKm,
        .post_device = adapter->options.post_device,
        .page_tables = adapter->model == VIDMM_MODEL_GPU_MMU,
        .io_mmu = adapter->model == VIDMM_MODEL_IO_MMU,
        .driver = miniport->caps,
    };
    if (caps->page_tables) {
        caps->mmu = miniport->mmu.caps;
        memcpy(caps->levels, miniport->mmu.levels, sizeof(caps->levels));
    }
}

NTSTATUS vidmm_query_node_metadata(struct vidmm_adapter *adapter, uint32_t node,
                                   DXGK_NODEMETADATA *metadata, struct vidmm_report *report)
{
    DXGK_NODEMETADATA answer;
    NTSTATUS status;

    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    status = vidmm_adapter_condition(adapter, report);
    if (status != STATUS_SUCCESS)
        return STATUS_DEVICE_REMOVED;
    if (vidmm_report_null(metadata, "metadata", report))
        return STATUS_INVALID_PARAMETER;
    if (node >= adapter->node_count)
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "node", node,
                                    "a node of the adapter, from 0");
    vidmm_driver_enter(adapter);
    status = vidmm_ddi_node_metadata(adapter, node, &answer);
    vidmm_driver_leave(adapter);
    if (status != STATUS_SUCCESS) {
        vidmm_report_refusal(report, status, "status of DxgkDdiGetNodeMetadata", (uint32_t)status,
                             "the driver refused it, or has no such entry");
        return vidmm_report_reason(adapter, report, status);
    }
    *metadata = answer;
    return status;
}

/* Offsets in the header of config space. */
enum { VENDOR = 0x00, DEVICE = 0x02, REVISION = 0x08, SUBSYSTEM_VENDOR = 0x2c, SUBSYSTEM = 0x2e };

static bool read_number(const struct vidmm_host *host, uint32_t offset, void *number, uint32_t size)
{
    return host->read_config && host->read_config(host->context, offset, number, size);
}

bool vidmm_adapter_device_ids(const struct vidmm_adapter *adapter, uint32_t physical_adapter,
                              struct vidmm_device_ids *ids)
{
    const struct vidmm_host *host;
    struct vidmm_device_ids read = {0};

    if (physical_adapter >= adapter->link_count)
        return false;
    host = adapter->miniport->links[physical_adapter]->host;
    if (!read_number(host, VENDOR, &read.vendor, sizeof(read.vendor)) ||
        !read_number(host, DEVICE, &read.device, sizeof(read.device)))
        return false;
    read_number(host, REVISION, &read.revision, sizeof(read.revision));
    read_number(host, SUBSYSTEM_VENDOR, &read.subsystem_vendor, sizeof(read.subsystem_vendor));
    read_number(host, SUBSYSTEM, &read.subsystem, sizeof(read.subsystem));
    *ids = read;
    return true;
}
