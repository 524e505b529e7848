/* display.h: the miniport's calls about what is displayed. */
#ifndef VIDMM_DDI_DISPLAY_H
#define VIDMM_DDI_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plan.h>
#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_allocation;

/* The video present sources of the adapter; 0: it only renders. */
uint32_t vidmm_ddi_sources(const struct vidmm_adapter *adapter);
/* The name of the function that the driver lacks, of those that show a primary, commit a network,
 * or turn an interrupt on and off. NULL: it has them. */
const char *vidmm_ddi_lacks_display(const struct vidmm_adapter *adapter);
const char *vidmm_ddi_lacks_commit(const struct vidmm_adapter *adapter);
const char *vidmm_ddi_lacks_interrupts(const struct vidmm_adapter *adapter);

/* All that follow are of level two (D-309). The answer is the driver's. */

/* Have the source show a primary that is at that place: DxgkDdiSetVidPnSourceAddress. */
NTSTATUS vidmm_ddi_set_source_address(const struct vidmm_adapter *adapter, uint32_t source,
                                      const struct vidmm_allocation *primary,
                                      struct vidmm_place place);
/* Begin or end to scan out the source's primary: DxgkDdiSetVidPnSourceVisibility. */
NTSTATUS vidmm_ddi_set_source_visibility(const struct vidmm_adapter *adapter, uint32_t source,
                                         bool visible);
/* Make a network active: DxgkDdiCommitVidPn. primary: of the source; or NULL. */
NTSTATUS vidmm_ddi_commit_vidpn(const struct vidmm_adapter *adapter, void *vidpn, uint32_t source,
                                const struct vidmm_allocation *primary);
/* Have vertical retraces reported, or no more: DxgkDdiControlInterrupt. */
NTSTATUS vidmm_ddi_control_interrupt(const struct vidmm_adapter *adapter, bool enabled);

#endif
