/* link.h: the driver takes its devices, starts them, and gives them back. */
#ifndef VIDMM_DDI_LINK_H
#define VIDMM_DDI_LINK_H

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_report;

/* AddDevice and LinkDevice, one physical adapter after the other; connect their interrupts; start
 * them, the lead last. Refused: the report says why, and what was reached is undone by the opposite
 * below. */
NTSTATUS vidmm_links_add(struct vidmm_adapter *adapter, struct vidmm_report *report);
NTSTATUS vidmm_links_connect(struct vidmm_adapter *adapter, struct vidmm_report *report);
NTSTATUS vidmm_links_start(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* The opposite: the lead first. Physical adapters that were not reached are left alone. */
void vidmm_links_stop(struct vidmm_adapter *adapter);
void vidmm_links_disconnect(struct vidmm_adapter *adapter);
void vidmm_links_remove(struct vidmm_adapter *adapter);

#endif
