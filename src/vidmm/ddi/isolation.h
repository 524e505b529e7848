/* isolation.h: the IOMMU between the GPUs of an adapter and memory.
 *
 *     start    a domain, and what the hardware reserves is mapped in it
 *     ...      all that the GPUs are to reach is mapped as it comes (object/backing.h)
 *     attach   exclusive access: the devices are held, and attached to the domain
 *     stop     the devices are detached, the domain is gone
 *
 * A driver with DmaRemappingSupported whose GPU does not reach all memory is attached before it
 * starts. Its GPU finds memory at logical pages, which it reaches; each backing store has
 * consecutive ones as long as it lives.
 *
 * Source: "IOMMU-based GPU isolation", "IOMMU DMA remapping", DXGKDDI_BEGINEXCLUSIVEACCESS; rules
 * D-235, D-237, D-238.
 */
#ifndef VIDMM_DDI_ISOLATION_H
#define VIDMM_DDI_ISOLATION_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_report;

/* Have memory remapped, if the driver can and its GPUs do not reach all of it. Their answers are
 * known, and none is started. STATUS_NO_MEMORY; STATUS_UNSUCCESSFUL: the IOMMU does not attach a
 * device. */
NTSTATUS vidmm_ddi_remapping_begin(struct vidmm_adapter *adapter);
/* The caps are known: undo it, if the driver has not what it takes. */
void vidmm_ddi_remapping_settle(struct vidmm_adapter *adapter);
/* Make the domain, if memory is not remapped, the host has an IOMMU, and the driver
 * IoMmuSecureModeSupported. Before the engine is made. STATUS_NOT_SUPPORTED: the driver requires
 * what there is not; STATUS_NO_MEMORY. */
NTSTATUS vidmm_ddi_isolation_begin(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Nothing but what the hardware reserves is mapped any more: the domain goes, if there is one. */
void vidmm_ddi_isolation_end(struct vidmm_adapter *adapter);
/* Whether the driver is told before an allocation is unmapped: its GPU has the GpuVaIoMmu, or
 * GpuVaIoMmuGlobal, model (D-144). */
bool vidmm_ddi_isolation_is_told(const struct vidmm_adapter *adapter);
/* Whether the devices can be attached. The report says why not. */
NTSTATUS vidmm_ddi_isolation_check(const struct vidmm_adapter *adapter,
                                   struct vidmm_report *report);
/* Attach the devices. The caller has the driver, and the engine rests. After a refusal they are
 * attached to nothing, as before. */
NTSTATUS vidmm_ddi_isolation_attach(struct vidmm_adapter *adapter, struct vidmm_report *report);

#endif
