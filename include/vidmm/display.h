/* display.h: what is displayed.
 *
 *     vidmm_display_show()   primary A: resident, pinned  --> DxgkDdiSetVidPnSourceAddress
 *     vidmm_display_show()   primary B: resident, pinned  --> the same, and A is let go
 *     vidmm_display_hide()   DxgkDdiSetVidPnSourceVisibility, and B is let go
 *
 * A video present source shows one primary: an allocation with D3DDDI_ALLOCATIONINFO's
 * Flags.Primary, of a resource. As long as it is displayed nothing moves it, and a GPU with page
 * tables, its own or the CPU's, has it mapped in the aperture, if it is not in memory (D-022,
 * D-099). The driver is told its segment and address. It cannot be offered meanwhile, nor get other
 * properties. Evict takes it off the residency list, and it stays in place. If it is destroyed, or
 * the adapter loses its power, its source is dark before. A reset of the adapter ends all displays.
 *
 * All calls of the driver here are of level two: nobody else is in it, and nothing is in flight
 * (D-309). So what was submitted before is in the picture. Each call may wait. Any thread, passive
 * level, not from inside the driver. Source: DXGKDDI_SETVIDPNSOURCEADDRESS,
 * DXGKDDI_SETVIDPNSOURCEVISIBILITY, DXGKDDI_COMMITVIDPN, DXGKDDI_CONTROLINTERRUPT; "GPU segments".
 */
#ifndef VIDMM_DISPLAY_H
#define VIDMM_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_device;
struct vidmm_report;

/* Show a primary of the device on a source, from its first byte on; the one that the source showed
 * is displayed no more. From WDDM 2.0 on it has to be on the device's residency list (D-093).
 * STATUS_INVALID_PARAMETER: a source that there is not, no primary of the device, one that another
 * source shows, that is offered, or on no list; STATUS_NOT_SUPPORTED: the driver has not the
 * functions; STATUS_GRAPHICS_NO_VIDEO_MEMORY: no place for it; STATUS_DEVICE_BUSY: the adapter has
 * no power; STATUS_TIMEOUT: what is in flight does not end; why the device is in error; what the
 * driver answered. Refused: the source shows what it showed. */
NTSTATUS vidmm_display_show(struct vidmm_device *device, uint32_t source,
                            struct vidmm_allocation *primary, struct vidmm_report *report);
/* Show nothing there. A source that is dark stays so. STATUS_INVALID_PARAMETER: a source that there
 * is not; otherwise as above. Refused: it shows what it showed. */
NTSTATUS vidmm_display_hide(struct vidmm_adapter *adapter, uint32_t source,
                            struct vidmm_report *report);
/* The primary that the source shows. NULL: none, or no such source. */
struct vidmm_allocation *vidmm_display_shown(struct vidmm_adapter *adapter, uint32_t source);

/* Have the driver make a video present network active (DxgkDdiCommitVidPn). vidpn: its handle, of
 * who manages networks, which is not the manager; primary: of the source, or NULL.
 * STATUS_INVALID_PARAMETER: a source that there is not, or no primary; otherwise as above. */
NTSTATUS vidmm_display_commit(struct vidmm_adapter *adapter, void *vidpn, uint32_t source,
                              struct vidmm_allocation *primary, struct vidmm_report *report);
/* Have the driver report vertical retraces, or report them no more (DxgkDdiControlInterrupt).
 * Answers as above. */
NTSTATUS vidmm_display_interrupts(struct vidmm_adapter *adapter, bool enabled,
                                  struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
