/*
 * d3dkmddi_callback_display.h: a driver's calls into the kernel that lead to displays.
 *
 * The other calls are in d3dkmddi_callback.h, which needs nothing of VidPNs and monitors. Both
 * callbacks are called at PASSIVE_LEVEL. Pages: nc-d3dkmddi-dxgkcb_NAME.
 */
#ifndef WDDM_D3DKMDDI_CALLBACK_DISPLAY_H
#define WDDM_D3DKMDDI_CALLBACK_DISPLAY_H

#include "d3dkmddi_vidpn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef NTSTATUS (*DXGKCB_QUERYVIDPNINTERFACE)(D3DKMDT_HVIDPN hVidPn,
                                               DXGK_VIDPN_INTERFACE_VERSION VidPnInterfaceVersion,
                                               const DXGK_VIDPN_INTERFACE **ppVidPnInterface);
typedef NTSTATUS (*DXGKCB_QUERYMONITORINTERFACE)(
    HANDLE hAdapter, DXGK_MONITOR_INTERFACE_VERSION MonitorInterfaceVersion,
    const DXGK_MONITOR_INTERFACE **ppMonitorInterface);

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMDDI_CALLBACK_DISPLAY_H */
