/*
 * Theory. Monitored fences that the system has the GPU signal: at the end of a paging buffer (an
 * operation of BuildPagingBuffer), and from 2.5 on at the end of any buffer that the system builds
 * by itself (SignalMonitoredFence). Either is one command, by a virtual address.
 */
#include "softgpu/driver_writer.h"

#include <wddm/d3dkmddi_submit.h>

#include "softgpu/driver_private.h"

static NTSTATUS check_address(struct softgpu_adapter *adapter, const char *call,
                              D3DGPU_VIRTUAL_ADDRESS address)
{
    if (address % 8 == 0)
        return STATUS_SUCCESS;
    return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER, /* D-185 */
                          "%s: SignalMonitoredFence at 0x%llx, expected a multiple of 8", call,
                          (unsigned long long)address);
}

static struct softgpu_op_signal signal_of(D3DGPU_VIRTUAL_ADDRESS address, UINT64 value)
{
    return (struct softgpu_op_signal){
        .command = {.opcode = SOFTGPU_OP_SIGNAL, .size = sizeof(struct softgpu_op_signal)},
        .address = address,
        .value = value,
    };
}

/* obeys D-145 */
NTSTATUS softgpu_put_signal(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                            const DXGK_BUILDPAGINGBUFFER_SIGNALMONITOREDFENCE *args)
{
    struct softgpu_op_signal op = signal_of(args->MonitoredFenceGpuVa, args->MonitoredFenceValue);
    NTSTATUS status = check_address(adapter, "BuildPagingBuffer", args->MonitoredFenceGpuVa);

    return NT_SUCCESS(status) ? softgpu_put(writer, &op, sizeof(op)) : status;
}

NTSTATUS SoftgpuSignalMonitoredFence(HANDLE hContext, DXGKARG_SIGNALMONITOREDFENCE *pArgs)
{
    struct softgpu_op_signal op = signal_of(pArgs->MonitoredFenceGpuVa, pArgs->MonitoredFenceValue);
    struct softgpu_adapter *adapter = softgpu_device_of(hContext)->adapter;
    NTSTATUS status = check_address(adapter, "SignalMonitoredFence", pArgs->MonitoredFenceGpuVa);

    if (!NT_SUCCESS(status))
        return status;
    if (pArgs->DmaSize < sizeof(op))
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    memcpy(pArgs->pDmaBuffer, &op, sizeof(op));
    pArgs->pDmaBuffer = (char *)pArgs->pDmaBuffer + sizeof(op);
    pArgs->DmaSize -= (UINT)sizeof(op);
    return STATUS_SUCCESS;
}
