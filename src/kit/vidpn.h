/* vidpn.h: a video present network, as a driver sees it: one path at most, from a source to a
 * target.
 *
 *     VidPN --- topology: the path, or nothing
 *           --- mode set of the source     what the driver offers; one of them pinned
 *           --- mode set of the target     modes of the target, likewise
 *
 * The kernel owns it; the driver reads and fills it by the tables that DxgkCbQueryVidPnInterface
 * answers. The code that drives the driver opens one, asks the driver, pins the driver's choice,
 * and looks whether everything that was acquired was released.
 *
 * Source: d3dkmddi.h pages: DXGK_VIDPN_INTERFACE, DXGK_VIDPNTOPOLOGY_INTERFACE,
 * DXGK_VIDPNSOURCEMODESET_INTERFACE, DXGK_VIDPNTARGETMODESET_INTERFACE.
 */
#ifndef KIT_VIDPN_H
#define KIT_VIDPN_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/d3dkmddi.h>

#define VIDMM_KIT_VIDPNS 2u /* open at once */

struct vidmm_kit_vidpn;

/* Open a network: with the path from `source` to `target`, its scaling and rotation still open, or
 * without any. NULL: VIDMM_KIT_VIDPNS are open. */
struct vidmm_kit_vidpn *vidmm_kit_vidpn_open(bool path, uint32_t source, uint32_t target);
void vidmm_kit_vidpn_close(struct vidmm_kit_vidpn *vidpn);

/* As the driver's arguments name it. */
D3DKMDT_HVIDPN vidmm_kit_vidpn_handle(struct vidmm_kit_vidpn *vidpn);

/* How many modes the source's set, or the target's, has. */
unsigned vidmm_kit_vidpn_modes(const struct vidmm_kit_vidpn *vidpn, bool target);

/* Pin a mode of the source's set: the one of `width` by `height`, else the first; and the size that
 * it shows. False: there is none. */
bool vidmm_kit_vidpn_pin_source(struct vidmm_kit_vidpn *vidpn, uint32_t *width, uint32_t *height);
/* Pin the target's mode of that active size, else the first; scaling and rotation become
 * identity. */
bool vidmm_kit_vidpn_pin_target(struct vidmm_kit_vidpn *vidpn, uint32_t width, uint32_t height);

/* The objects that were acquired or created and neither released nor assigned. */
unsigned vidmm_kit_vidpn_held(const struct vidmm_kit_vidpn *vidpn);

/* DxgkCbQueryVidPnInterface. */
NTSTATUS vidmm_kit_query_vidpn_interface(D3DKMDT_HVIDPN handle,
                                         DXGK_VIDPN_INTERFACE_VERSION version,
                                         const DXGK_VIDPN_INTERFACE **table);

#endif
