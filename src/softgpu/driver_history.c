/*
 * Theory. Windows reads the device's stamps in a history buffer as they are, unless the announced
 * precision is 0: then Windows asks the driver, a buffer full of stamps at a time. Stamps are told
 * as 64 bits, of which the clock uses SOFTGPU_CLOCK_BITS.
 */
#include "softgpu/driver_private.h"

#include <string.h>

#include <wddm/ntstatus.h>

NTSTATUS softgpu_query_history(struct softgpu_adapter *adapter,
                               const DXGKARG_QUERYADAPTERINFO *pQueryAdapterInfo)
{
    DXGKARG_HISTORYBUFFERPRECISION *precision = pQueryAdapterInfo->pOutputData;
    UINT count = adapter->registers->engine_count;

    if (precision == NULL || pQueryAdapterInfo->OutputDataSize != count * sizeof(*precision))
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "QueryAdapterInfo: precision of %u nodes in %u bytes", count,
                              pQueryAdapterInfo->OutputDataSize);
    for (UINT i = 0; i < count; i++)
        precision[i].PrecisionBits = adapter->registers->history;
    return STATUS_SUCCESS;
}

/* One stamp as the device has left it. */
static UINT64 ticks_at(const struct softgpu_adapter *adapter, const UCHAR *stamps, UINT index)
{
    UINT bits = adapter->registers->history;
    UINT64 stamp;
    UINT small;

    if (bits == 32) {
        memcpy(&small, stamps + index * sizeof(small), sizeof(small));
        return small;
    }
    memcpy(&stamp, stamps + index * sizeof(stamp), sizeof(stamp));
    if (bits == 0)
        stamp = ~stamp;
    return stamp & (((UINT64)1 << SOFTGPU_CLOCK_BITS) - 1);
}

NTSTATUS SoftgpuFormatHistoryBuffer(HANDLE hContext, DXGKARG_FORMATHISTORYBUFFER *pFormatData)
{
    struct softgpu_adapter *adapter = softgpu_device_of(hContext)->adapter;
    DXGK_HISTORY_BUFFER_HEADER header;
    UINT room = pFormatData->FormattedBufferSize / sizeof(UINT64), first = pFormatData->Offset;
    UINT bytes = adapter->registers->history == 32 ? sizeof(UINT) : sizeof(UINT64), count;
    const UCHAR *stamps = (const UCHAR *)pFormatData->pHistoryBuffer + SOFTGPU_HISTORY_STAMPS;

    if (pFormatData->HistoryBufferSize < SOFTGPU_HISTORY_STAMPS)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "FormatHistoryBuffer: a history buffer of %u bytes",
                              pFormatData->HistoryBufferSize);
    memcpy(&header, &pFormatData->pHistoryBuffer->Header, sizeof(header));
    if (first >= header.NumTimestamps ||
        header.NumTimestamps > (pFormatData->HistoryBufferSize - SOFTGPU_HISTORY_STAMPS) / bytes ||
        room == 0)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "FormatHistoryBuffer: from stamp %u on of %u, in %u bytes", first,
                              header.NumTimestamps, pFormatData->FormattedBufferSize);
    count = header.NumTimestamps - first < room ? header.NumTimestamps - first : room;
    for (UINT i = 0; i < count; i++) {
        UINT64 ticks = ticks_at(adapter, stamps, first + i);

        memcpy((UCHAR *)pFormatData->pFormattedBuffer + i * sizeof(ticks), &ticks, sizeof(ticks));
    }
    pFormatData->NumTimestamps = count;
    pFormatData->Offset = first + count < header.NumTimestamps ? first + count : 0;
    pFormatData->Precision.PrecisionBits = SOFTGPU_CLOCK_BITS;
    return STATUS_SUCCESS;
}
