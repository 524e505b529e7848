/* display.c: the miniport's calls about what is displayed.
 *
 * Source: DXGKDDI_SETVIDPNSOURCEADDRESS, DXGKDDI_SETVIDPNSOURCEVISIBILITY, DXGKDDI_COMMITVIDPN,
 * DXGKDDI_CONTROLINTERRUPT.
 */
#include "vidmm/ddi/display.h"

#include <string.h>

#include <wddm/dispmprt.h>

#include "vidmm/ddi/address.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"

#include "base/assert.h"

uint32_t vidmm_ddi_sources(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->sources;
}

const char *vidmm_ddi_lacks_display(const struct vidmm_adapter *adapter)
{
    if (!adapter->miniport->driver.DxgkDdiSetVidPnSourceAddress)
        return "DxgkDdiSetVidPnSourceAddress";
    return adapter->miniport->driver.DxgkDdiSetVidPnSourceVisibility
               ? NULL
               : "DxgkDdiSetVidPnSourceVisibility";
}

const char *vidmm_ddi_lacks_commit(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->driver.DxgkDdiCommitVidPn ? NULL : "DxgkDdiCommitVidPn";
}

const char *vidmm_ddi_lacks_interrupts(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->driver.DxgkDdiControlInterrupt ? NULL : "DxgkDdiControlInterrupt";
}

NTSTATUS vidmm_ddi_set_source_address(const struct vidmm_adapter *adapter, uint32_t source,
                                      const struct vidmm_allocation *primary,
                                      struct vidmm_place place)
{
    DXGKARG_SETVIDPNSOURCEADDRESS arguments;

    VIDMM_ASSERT(source < adapter->miniport->sources && place.segment != 0);
    memset(&arguments, 0, sizeof(arguments)); /* no context: not a flip */
    arguments.VidPnSourceId = source;
    arguments.PrimarySegment = place.segment;
    arguments.PrimaryAddress = vidmm_ddi_address(adapter, place);
    arguments.hAllocation = primary->h_allocation;
    arguments.Flags.ModeChange = 1;
    return adapter->miniport->driver.DxgkDdiSetVidPnSourceAddress(adapter->miniport->h_adapter,
                                                                  &arguments);
}

NTSTATUS vidmm_ddi_set_source_visibility(const struct vidmm_adapter *adapter, uint32_t source,
                                         bool visible)
{
    const DXGKARG_SETVIDPNSOURCEVISIBILITY arguments = {.VidPnSourceId = source,
                                                        .Visible = visible};

    VIDMM_ASSERT(source < adapter->miniport->sources);
    return adapter->miniport->driver.DxgkDdiSetVidPnSourceVisibility(adapter->miniport->h_adapter,
                                                                     &arguments);
}

NTSTATUS vidmm_ddi_commit_vidpn(const struct vidmm_adapter *adapter, void *vidpn, uint32_t source,
                                const struct vidmm_allocation *primary)
{
    DXGKARG_COMMITVIDPN arguments;

    VIDMM_ASSERT(source < adapter->miniport->sources);
    memset(&arguments, 0, sizeof(arguments));
    memcpy(&arguments.hFunctionalVidPn, &vidpn, sizeof(vidpn));
    arguments.AffectedVidPnSourceId = source;
    arguments.MonitorConnectivityChecks = D3DKMDT_MCC_IGNORE;
    arguments.hPrimaryAllocation = primary ? primary->h_allocation : NULL;
    return adapter->miniport->driver.DxgkDdiCommitVidPn(adapter->miniport->h_adapter, &arguments);
}

NTSTATUS vidmm_ddi_control_interrupt(const struct vidmm_adapter *adapter, bool enabled)
{
    return adapter->miniport->driver.DxgkDdiControlInterrupt(adapter->miniport->h_adapter,
                                                             DXGK_INTERRUPT_CRTC_VSYNC, enabled);
}
