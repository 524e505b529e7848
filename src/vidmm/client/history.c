/* history.c: history buffers, read.
 *
 *     lock, copy, unlock --> header, stamps       precision 32 to 64: as they lie
 *                               |
 *                               '-- precision 0: FormatHistoryBuffer(Offset 0), (Offset n), ...
 *                               until it
 *                                   answers Offset 0
 *
 * The driver is given copies in memory that is never paged, for it is called at DISPATCH_LEVEL: it
 * can neither see what the GPU does to the history buffer meanwhile, nor hurt it. Behind the buffer
 * that it formats into stands a guard.
 *
 * Source: pages of history.h; rule D-234.
 */
#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/history.h>
#include <vidmm/lock.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/d3dkmddi_submit.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/gate.h"
#include "vidmm/ddi/history.h"
#include "vidmm/ddi/query.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"

#include "base/assert.h"
#include "wddm/level.h"

#define FORMATTED_SIZE 4096u /* bytes that one call may fill */
#define GUARD_SIZE 64u
#define GUARD_BYTE 0xa7

/* The source of a reading, and where it goes. */
struct reading {
    struct vidmm_context *context;
    DXGK_HISTORY_BUFFER *copy; /* of the history buffer */
    uint32_t size;             /* bytes of it */
    uint8_t *formatted;        /* FORMATTED_SIZE bytes, and the guard */
    struct vidmm_history *history;
    uint64_t *stamps;
    uint32_t room;
    struct vidmm_report *report;
};

static NTSTATUS mismatch(struct vidmm_report *report, const char *what, uint64_t value,
                         const char *legal)
{
    return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, what, value, legal);
}

/* ---- precision ------------------------------------------------------------------------------- */

/* obeys D-234 */
static bool is_legal(uint32_t bits)
{
    return bits >= 32 && bits <= 64;
}

static NTSTATUS ask_precision(struct vidmm_adapter *adapter, uint32_t node, uint32_t *bits,
                              struct vidmm_report *report)
{
    NTSTATUS status;

    vidmm_driver_enter(adapter);
    status = vidmm_ddi_query_precision(adapter, node, bits);
    vidmm_driver_leave(adapter);
    if (status != STATUS_SUCCESS) {
        return vidmm_report_refusal(report, status,
                                    "status of QueryAdapterInfo(HISTORYBUFFERPRECISION)",
                                    (uint32_t)status, "the driver keeps no history");
    }
    if (*bits != 0 && !is_legal(*bits))
        return mismatch(report, "PrecisionBits", *bits, "it is 0, or 32 to 64 (D-234)");
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_history_precision(struct vidmm_adapter *adapter, uint32_t node, uint32_t *bits,
                                 struct vidmm_report *report)
{
    bool stopped;

    vidmm_report_clear(report);
    if (vidmm_report_null(adapter, "adapter", report) || vidmm_report_null(bits, "bits", report))
        return STATUS_INVALID_PARAMETER;
    vidmm_adapter_lock(adapter);
    stopped = adapter->stopped;
    vidmm_adapter_unlock(adapter);
    if (stopped)
        return STATUS_DEVICE_REMOVED;
    if (node >= adapter->node_count) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "node", node,
                                    "the adapter has no such node");
    }
    if (adapter->level < VIDMM_LEVEL(1, 3)) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "DriverVersion",
                                    adapter->interface_version,
                                    "there are history buffers from WDDM 1.3 on (S0-055)");
    }
    return ask_precision(adapter, node, bits, report);
}

/* ---- stamps ---------------------------------------------------------------------------------- */

/* Take over stamps of `bits` bits each, which lie one behind the other. */
static void take(struct reading *reading, const uint8_t *at, uint32_t count, uint32_t bits)
{
    uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    size_t size = bits == 32 ? sizeof(uint32_t) : sizeof(uint64_t);
    uint32_t index;

    for (index = 0; index < count; index++) {
        uint64_t stamp = 0;

        memcpy(&stamp, at + index * size, size); /* little endian, as the GPU's */
        if (reading->history->count < reading->room)
            reading->stamps[reading->history->count] = stamp & mask; /* junk is stripped off */
        reading->history->count++;
    }
    reading->history->precision = bits;
}

/* Hold what one call has answered against what it was given. */
static NTSTATUS judge(const struct reading *reading, const struct vidmm_history_formatting *answer,
                      uint32_t first)
{
    uint32_t bits = answer->bits;
    uint32_t size = bits == 32 ? (uint32_t)sizeof(uint32_t) : (uint32_t)sizeof(uint64_t);
    const uint8_t *guard = reading->formatted + FORMATTED_SIZE;
    uint32_t index;

    for (index = 0; index < GUARD_SIZE; index++) {
        if (guard[index] != GUARD_BYTE) {
            return mismatch(reading->report, "byte written behind pFormattedBuffer", index,
                            "FormattedBufferSize bytes are its own (D-234)");
        }
    }
    if (!is_legal(bits)) {
        return mismatch(reading->report, "PrecisionBits after FormatHistoryBuffer", bits,
                        "it is 32 to 64, and not 0 any more (D-234)");
    }
    if (answer->count > FORMATTED_SIZE / size) {
        return mismatch(reading->report, "NumTimestamps after FormatHistoryBuffer", answer->count,
                        "so many do not fit (D-234)");
    }
    if (answer->offset != 0 && (answer->offset <= first || answer->count == 0)) {
        return mismatch(reading->report, "Offset after FormatHistoryBuffer", answer->offset,
                        "0, or behind the offset that it began at");
    }
    return STATUS_SUCCESS;
}

/* One call. *offset: where it begins, and where the next would; 0: all are formatted. */
static NTSTATUS format_some(struct reading *reading, uint32_t *offset)
{
    struct vidmm_history_formatting formatting = {
        .buffer = reading->copy,
        .buffer_size = reading->size,
        .formatted = reading->formatted,
        .formatted_size = FORMATTED_SIZE,
        .offset = *offset,
    };
    NTSTATUS status = vidmm_ddi_format_history(reading->context, &formatting);

    reading->history->calls++;
    if (status != STATUS_SUCCESS) {
        return vidmm_report_refusal(reading->report, status, "status of FormatHistoryBuffer",
                                    (uint32_t)status, "the driver does not format it");
    }
    status = judge(reading, &formatting, *offset);
    if (status == STATUS_SUCCESS) {
        take(reading, reading->formatted, formatting.count, formatting.bits);
        *offset = formatting.offset;
    }
    return status;
}

/* obeys D-234: nobody but the driver knows what the GPU has written */
static NTSTATUS format(struct reading *reading)
{
    struct vidmm_adapter *adapter = reading->context->device->adapter;
    uint32_t offset = 0;
    NTSTATUS status;

    if (!vidmm_ddi_formats_history(adapter)) {
        return mismatch(reading->report, "DxgkDdiFormatHistoryBuffer", 0,
                        "PrecisionBits is 0, so it must be there (D-234)");
    }
    reading->formatted = vidmm_allocate(adapter->host, FORMATTED_SIZE + GUARD_SIZE);
    if (!reading->formatted)
        return STATUS_NO_MEMORY;
    memset(reading->formatted + FORMATTED_SIZE, GUARD_BYTE, GUARD_SIZE);
    do {
        status = format_some(reading, &offset);
    } while (status == STATUS_SUCCESS && offset != 0);
    vidmm_free(adapter->host, reading->formatted);
    return status;
}

/* Stamps that lie ready, behind the private data (D-270). */
static NTSTATUS take_ready(struct reading *reading, uint32_t bits)
{
    const DXGK_HISTORY_BUFFER_HEADER *header = &reading->copy->Header;
    uint32_t begin = (uint32_t)sizeof(*header) + header->PrivateDataSize;
    uint32_t size = bits == 32 ? (uint32_t)sizeof(uint32_t) : (uint32_t)sizeof(uint64_t);

    VIDMM_ASSERT(bits >= 32 && bits <= 64);
    if (header->NumTimestamps > (reading->size - begin) / size) {
        return vidmm_report_refusal(reading->report, STATUS_INVALID_PARAMETER, "NumTimestamps",
                                    header->NumTimestamps, "so many do not fit into it");
    }
    take(reading, (const uint8_t *)reading->copy + begin, header->NumTimestamps, bits);
    return STATUS_SUCCESS;
}

static NTSTATUS read_copy(struct reading *reading)
{
    struct vidmm_adapter *adapter = reading->context->device->adapter;
    const DXGK_HISTORY_BUFFER_HEADER *header = &reading->copy->Header;
    uint32_t bits;
    NTSTATUS status = ask_precision(adapter, reading->context->node, &bits, reading->report);

    VIDMM_ASSERT(reading->size >= sizeof(*header));
    if (status != STATUS_SUCCESS || header->NumTimestamps == 0)
        return status;
    if (header->Reserved != 0 || header->PrivateDataSize > reading->size - sizeof(*header)) {
        return vidmm_report_refusal(
            reading->report, STATUS_INVALID_PARAMETER,
            header->Reserved != 0 ? "Reserved" : "PrivateDataSize",
            header->Reserved != 0 ? header->Reserved : header->PrivateDataSize,
            "the header of a history buffer has 0 and at most the rest of it");
    }
    reading->history->sequence = header->RenderCbSequence;
    return bits == 0 ? format(reading) : take_ready(reading, bits);
}

static NTSTATUS check(const struct vidmm_context *context,
                      const struct vidmm_allocation *allocation, struct vidmm_report *report)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = allocation->flags};

    vidmm_report_clear(report);
    if (allocation->adapter != context->device->adapter) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "allocation",
                                    vidmm_allocation_handle(allocation),
                                    "it is of another adapter");
    }
    if (allocation->adapter->level < VIDMM_LEVEL(1, 3)) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "DriverVersion",
                                    allocation->adapter->interface_version,
                                    "there are history buffers from WDDM 1.3 on (S0-055)");
    }
    if (!flags.HistoryBuffer) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "Flags", flags.Value,
                                    "a history buffer is made with HistoryBuffer (D-234)");
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_history_read(struct vidmm_context *context, struct vidmm_allocation *opened,
                            struct vidmm_history *history, uint64_t *stamps, uint32_t room,
                            struct vidmm_report *report)
{
    struct reading reading = {
        .context = context,
        .history = history,
        .stamps = stamps,
        .room = room,
        .report = report,
    };
    struct vidmm_allocation *allocation;
    NTSTATUS status;
    void *data;

    if (vidmm_report_null(opened, "allocation", report) ||
        vidmm_report_null(history, "history", report) ||
        vidmm_report_lacking(stamps, room, "stamps", report))
        return STATUS_INVALID_PARAMETER;
    allocation = vidmm_original(opened);
    status = check(context, allocation, report);
    memset(history, 0, sizeof(*history));
    if (status != STATUS_SUCCESS)
        return status;
    reading.size = (uint32_t)vidmm_allocation_size(opened);
    reading.copy = vidmm_allocate(allocation->adapter->host, reading.size);
    if (!reading.copy)
        return STATUS_NO_MEMORY;
    status = vidmm_lock(opened, VIDMM_LOCK_READ_ONLY, &data, NULL);
    if (status == STATUS_SUCCESS) {
        memcpy(reading.copy, data, reading.size);
        vidmm_unlock(opened);
        status = read_copy(&reading);
    }
    vidmm_free(allocation->adapter->host, reading.copy);
    return status;
}
