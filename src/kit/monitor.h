/* monitor.h: the monitor that hangs on every target, as DxgkCbQueryMonitorInterface shows it.
 *
 *     interface --- set of source modes      a few of VESA's, the driver may add others
 *               --- set of frequency ranges  empty
 *               --- set of descriptors       empty: it has no EDID
 *
 * Source: d3dkmddi.h pages: DXGK_MONITOR_INTERFACE, DXGK_MONITOR_INTERFACE_V2,
 * DXGK_MONITORSOURCEMODESET_INTERFACE, DXGK_MONITORFREQUENCYRANGESET_INTERFACE,
 * DXGK_MONITORDESCRIPTORSET_INTERFACE.
 */
#ifndef KIT_MONITOR_H
#define KIT_MONITOR_H

#include <wddm/d3dkmddi.h>

/* Forget the modes that a driver added, and what it acquired. */
void vidmm_kit_monitor_reset(void);

/* Sets and modes that were acquired or created, and neither released nor added. */
unsigned vidmm_kit_monitor_held(void);

/* DxgkCbQueryMonitorInterface. */
NTSTATUS vidmm_kit_query_monitor_interface(HANDLE adapter, DXGK_MONITOR_INTERFACE_VERSION version,
                                           const DXGK_MONITOR_INTERFACE **table);

#endif
