/* caps.h: what an adapter is, as its miniport and its host say it.
 *
 *     miniport: DRIVERCAPS, GPUMMUCAPS, levels, node metadata --.
 *                                                                >-- here -- D3DKMTQueryAdapterInfo
 *     host:     config space -----------------------------------'
 *
 * Nothing of it changes while the adapter is there. Everything may be called by any thread.
 *
 * Sources: DXGK_DRIVERCAPS, DXGK_GPUMMUCAPS, DXGK_PAGE_TABLE_LEVEL_DESC, DXGK_NODEMETADATA,
 * "PCI Local Bus Specification", config space.
 */
#ifndef VIDMM_CAPS_H
#define VIDMM_CAPS_H

#include <vidmm/adapter.h>
#include <wddm/d3dkmddi_query.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter_caps {
    uint32_t level;                 /* of WDDM: 256 times the first number, and the second */
    uint32_t physical_adapters;     /* 1: it is not linked */
    uint32_t nodes;                 /* of each */
    uint32_t video_present_sources; /* 0: it only renders */
    bool renders;                   /* the miniport has an entry for DMA buffers of programs */
    bool kernel_mode_commands;      /* DxgkDdiRenderKm */
    bool post_device;               /* the firmware has set its display mode */
    bool page_tables;               /* the GPU has its own: `mmu` and `levels` are meant */
    bool io_mmu;                    /* it uses the processor's */
    DXGK_DRIVERCAPS driver;
    DXGK_GPUMMUCAPS mmu;
    DXGK_PAGE_TABLE_LEVEL_DESC levels[DXGK_MAX_PAGE_TABLE_LEVEL_COUNT]; /* 0 is the leaf */
};

/* Say what it is. */
void vidmm_adapter_get_caps(const struct vidmm_adapter *adapter, struct vidmm_adapter_caps *caps);

/* Ask the miniport what a node is. *metadata is written on success only. STATUS_INVALID_PARAMETER:
 * no such node, or `metadata` is NULL; STATUS_NOT_SUPPORTED: a miniport without
 * DxgkDdiGetNodeMetadata; STATUS_DEVICE_REMOVED; or its own answer. */
NTSTATUS vidmm_query_node_metadata(struct vidmm_adapter *adapter, uint32_t node,
                                   DXGK_NODEMETADATA *metadata, struct vidmm_report *report);

/* Numbers by which the bus knows a physical adapter. */
struct vidmm_device_ids {
    uint16_t vendor, device, subsystem_vendor, subsystem;
    uint8_t revision;
};

/* Read them from config space; revision and subsystem are 0 where the device does not answer for
 * them. False: it has no such physical adapter, or the host cannot read vendor and device. */
bool vidmm_adapter_device_ids(const struct vidmm_adapter *adapter, uint32_t physical_adapter,
                              struct vidmm_device_ids *ids);

#ifdef __cplusplus
}
#endif

#endif
