/*
 * driver_writer.h: commands into the room of one call of BuildPagingBuffer.
 *
 * A command is written only when there is room for it; what has none is answered
 * STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, and nothing of it is written.
 */
#ifndef SOFTGPU_DRIVER_WRITER_H
#define SOFTGPU_DRIVER_WRITER_H

#include <string.h>

#include <wddm/d3dkmddi_paging.h>
#include <wddm/ntstatus.h>

#include "softgpu/hardware.h"

struct softgpu_adapter;

/* The room of one call. */
struct softgpu_writer {
    unsigned char *at;
    UINT room;
    UINT commands;
};

/* How many words of 8 bytes fit behind a command of `size` bytes. */
static inline UINT softgpu_room_for_words(const struct softgpu_writer *writer, size_t size)
{
    UINT room = writer->room < SOFTGPU_WINDOW_SIZE ? writer->room : SOFTGPU_WINDOW_SIZE;

    return room > size ? (UINT)((room - size) / sizeof(uint64_t)) : 0;
}

/* A command of `size` bytes stands at the place that is written next. */
static inline void softgpu_advance(struct softgpu_writer *writer, UINT size)
{
    writer->at += size;
    writer->room -= size;
    writer->commands++;
}

/* Write a command without anything behind it, if there is room. */
static inline NTSTATUS softgpu_put(struct softgpu_writer *writer, const void *command, size_t size)
{
    if (writer->room < size)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    memcpy(writer->at, command, size);
    softgpu_advance(writer, (UINT)size);
    return STATUS_SUCCESS;
}

/* driver_table.c: the operations by GPU virtual address, and those on page tables. */
NTSTATUS softgpu_write_virtual(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                               DXGKARG_BUILDPAGINGBUFFER *args);

/* driver_fence.c: SignalMonitoredFence. */
NTSTATUS softgpu_put_signal(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                            const DXGK_BUILDPAGINGBUFFER_SIGNALMONITOREDFENCE *args);

#endif
