/*
 * Theory. A video present source scans out the bytes at one place of the GPU, from the first to the
 * last of an allocation: registers say which. The driver writes them while nobody else is in it and
 * nothing runs (D-309), so no picture is half of one and half of another. An output stands behind
 * each source and is always connected. There is no retrace: the screen is read when somebody looks
 * at it (softgpu_device_picture()).
 *
 * The modes are the system's business: all networks are alike to this GPU.
 */
#include "softgpu/driver_private.h"

#include <string.h>

#include <wddm/ntstatus.h>

static BOOLEAN has_source(const struct softgpu_adapter *adapter, UINT source)
{
    return source < softgpu_sources(adapter);
}

UINT softgpu_sources(const struct softgpu_adapter *adapter)
{
    return adapter->place == 0 ? adapter->registers->sources : 0;
}

void softgpu_blank(struct softgpu_adapter *adapter)
{
    for (UINT i = 0; i < SOFTGPU_SOURCES; i++)
        atomic_store(&adapter->registers->scanouts[i].visible, 0);
}

/* ---- outputs --------------------------------------------------------------------------------- */

NTSTATUS SoftgpuQueryChildRelations(PVOID MiniportDeviceContext,
                                    DXGK_CHILD_DESCRIPTOR *ChildRelations, ULONG ChildRelationsSize)
{
    const struct softgpu_adapter *adapter = MiniportDeviceContext;
    UINT sources = softgpu_sources(adapter);

    if (ChildRelationsSize / sizeof(*ChildRelations) <= sources) /* one more stays zero */
        return sources == 0 ? STATUS_SUCCESS : STATUS_BUFFER_TOO_SMALL;
    for (UINT i = 0; i < sources; i++) { /* obeys D-280 */
        ChildRelations[i].ChildDeviceType = TypeVideoOutput;
        ChildRelations[i].ChildCapabilities.HpdAwareness = HpdAwarenessAlwaysConnected;
        ChildRelations[i].ChildUid = i + 1;
    }
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuQueryChildStatus(PVOID MiniportDeviceContext, DXGK_CHILD_STATUS *ChildStatus,
                                 BOOLEAN NonDestructiveOnly)
{
    const struct softgpu_adapter *adapter = MiniportDeviceContext;

    (void)NonDestructiveOnly;
    if (ChildStatus->Type != StatusConnection || ChildStatus->ChildUid == 0 ||
        !has_source(adapter, ChildStatus->ChildUid - 1))
        return STATUS_INVALID_PARAMETER;
    ChildStatus->HotPlug.Connected = TRUE;
    return STATUS_SUCCESS;
}

/* ---- sources --------------------------------------------------------------------------------- */

/* Whether all of the primary is in that segment, from that address on. */
static BOOLEAN is_there(const struct softgpu_adapter *adapter,
                        const DXGKARG_SETVIDPNSOURCEADDRESS *args, UINT64 size)
{
    const struct softgpu_segment_register *segment;
    UINT64 offset;

    if (args->PrimarySegment == 0 || args->PrimarySegment > adapter->registers->segment_count)
        return FALSE;
    segment = &adapter->registers->segments[args->PrimarySegment - 1];
    offset = (UINT64)args->PrimaryAddress.QuadPart - segment->base_address;
    return segment->kind != SOFTGPU_SEGMENT_AGP && offset <= segment->size &&
           size <= segment->size - offset;
}

NTSTATUS SoftgpuSetVidPnSourceAddress(HANDLE hAdapter,
                                      const DXGKARG_SETVIDPNSOURCEADDRESS *pSetVidPnSourceAddress)
{
    const DXGKARG_SETVIDPNSOURCEADDRESS *args = pSetVidPnSourceAddress;
    const struct softgpu_driver_allocation *allocation = args->hAllocation;
    struct softgpu_adapter *adapter = hAdapter;
    struct softgpu_scanout_register *scanout;

    if (!has_source(adapter, args->VidPnSourceId))
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER, "SetVidPnSourceAddress: source %u",
                              args->VidPnSourceId);
    if (allocation == NULL || allocation->kind != SOFTGPU_ALLOCATION ||
        !is_there(adapter, args, softgpu_size_of(allocation)))
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "SetVidPnSourceAddress: no allocation at segment %u, address 0x%llx",
                              args->PrimarySegment,
                              (unsigned long long)args->PrimaryAddress.QuadPart);
    scanout = &adapter->registers->scanouts[args->VidPnSourceId];
    scanout->segment = args->PrimarySegment;
    scanout->address = (UINT64)args->PrimaryAddress.QuadPart;
    scanout->bytes = softgpu_size_of(allocation);
    return STATUS_SUCCESS;
}

NTSTATUS
SoftgpuSetVidPnSourceVisibility(HANDLE hAdapter,
                                const DXGKARG_SETVIDPNSOURCEVISIBILITY *pSetVidPnSourceVisibility)
{
    struct softgpu_adapter *adapter = hAdapter;
    UINT source = pSetVidPnSourceVisibility->VidPnSourceId;

    if (!has_source(adapter, source))
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "SetVidPnSourceVisibility: source %u", source);
    atomic_store(&adapter->registers->scanouts[source].visible,
                 pSetVidPnSourceVisibility->Visible ? 1 : 0);
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuCommitVidPn(HANDLE hAdapter, const DXGKARG_COMMITVIDPN *pCommitVidPn)
{
    struct softgpu_adapter *adapter = hAdapter;

    return has_source(adapter, pCommitVidPn->AffectedVidPnSourceId)
               ? STATUS_SUCCESS
               : softgpu_refuse(adapter, STATUS_GRAPHICS_INVALID_VIDEO_PRESENT_SOURCE,
                                "CommitVidPn: source %u", pCommitVidPn->AffectedVidPnSourceId);
}

/* obeys D-360 */
NTSTATUS SoftgpuControlInterrupt(HANDLE hAdapter, const DXGK_INTERRUPT_TYPE InterruptType,
                                 BOOLEAN EnableInterrupt)
{
    struct softgpu_adapter *adapter = hAdapter;

    if (InterruptType != DXGK_INTERRUPT_CRTC_VSYNC || softgpu_sources(adapter) == 0)
        return STATUS_NOT_IMPLEMENTED;
    adapter->retraces = EnableInterrupt;
    return STATUS_SUCCESS;
}
