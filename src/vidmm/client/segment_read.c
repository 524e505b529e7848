/* segment_read.c: a range of a memory segment, brought to whoever asks for its bytes.
 *
 *     pages, one set a GPU of the link --> CREATE_ALLOCATION (BUFFER_READS), READ_SEGMENT --> GRANT
 *       --> copy to the caller --> DESTROY_ALLOCATION, and with it the pages
 *
 * The pages are a record among the allocations, so that what the engine says of them finds their
 * MDL.
 */
#include <string.h>

#include <vidmm/dump.h>
#include <vidmm/host.h>
#include <vidmm/page.h>
#include <vidmm/plan.h>
#include <wddm/d3dkmddi_segment.h>
#include <wddm/ntstatus.h>

#include "vidmm/object/backing.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/ask.h"
#include "vidmm/pump/grant.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"
#include "wddm/level.h"

#define MOST (UINT64_C(1) << 32)

/* ---- what is refused ------------------------------------------------------------------------- */

static NTSTATUS wrong(struct vidmm_report *report, const char *what, uint64_t value,
                      const char *legal)
{
    return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, what, value, legal);
}

static NTSTATUS check_extent(const struct vidmm_segment_info *segment,
                             const struct vidmm_segment_range *range, struct vidmm_report *report)
{
    if (range->size == 0)
        return wrong(report, "size", 0, "there is nothing to be read");
    if (range->size >= MOST)
        return wrong(report, "size", range->size, "it is below 4 GiB");
    if (range->size % VIDMM_PAGE_SIZE != 0)
        return wrong(report, "size", range->size, "pages are read, of 4096 bytes");
    if (range->offset % VIDMM_PAGE_SIZE != 0)
        return wrong(report, "offset", range->offset, "pages are read, of 4096 bytes");
    if (range->offset >= segment->size)
        return wrong(report, "offset", range->offset, "the segment ends before it");
    if (range->size > segment->size - range->offset)
        return wrong(report, "size", range->size, "the segment ends before that");
    return STATUS_SUCCESS;
}

static NTSTATUS check(const struct vidmm_adapter *adapter, const struct vidmm_segment_range *range,
                      struct vidmm_report *report)
{
    const struct vidmm_segment_info *segment;
    DXGK_SEGMENTFLAGS flags;

    if (adapter->level >= VIDMM_LEVEL(2, 0)) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "DriverVersion",
                                    adapter->interface_version,
                                    "there is a Transfer of physical addresses below WDDM 2.0");
    }
    if (range->segment == 0 || range->segment > adapter->segment_count)
        return wrong(report, "segment", range->segment, "the adapter has no such segment");
    segment = &adapter->segments[range->segment].info;
    flags.Value = segment->flags;
    if (flags.Aperture) {
        return wrong(report, "segment", range->segment,
                     "it is an aperture: what it shows is system memory");
    }
    if (range->engine >= adapter->link_count)
        return wrong(report, "engine", range->engine, "the adapter has no such engine");
    return check_extent(segment, range, report);
}

/* ---- the pages ------------------------------------------------------------------------------- */

static NTSTATUS init_pages(const struct vidmm_adapter *adapter, struct vidmm_backing *backing,
                           uint64_t size)
{
    NTSTATUS status = vidmm_backing_init(backing, adapter, size, false, VIDMM_CACHED);

    VIDMM_ASSERT(size > 0 && size % VIDMM_PAGE_SIZE == 0);
    if (status == STATUS_SUCCESS && !vidmm_backing_map(backing, adapter->host))
        status = STATUS_NO_MEMORY;
    if (status == STATUS_SUCCESS)
        vidmm_backing_flush(backing, adapter->host); /* nothing is written back over what comes */
    return status;
}

/* Each GPU of a link copies: into pages of its own. */
static NTSTATUS init_all_pages(struct vidmm_allocation *record, uint64_t size)
{
    struct vidmm_adapter *adapter = record->adapter;
    NTSTATUS status = init_pages(adapter, &record->backing, size);
    uint32_t engine;

    if (status == STATUS_SUCCESS && vidmm_adapter_is_linked(adapter)) {
        record->instances = vidmm_instances_new(adapter);
        status = record->instances ? STATUS_SUCCESS : STATUS_NO_MEMORY;
    }
    for (engine = 1; engine < adapter->link_count && status == STATUS_SUCCESS; engine++)
        status = init_pages(adapter, &record->instances[engine - 1], size);
    return status;
}

static NTSTATUS tell_engine(struct vidmm_allocation *record, uint64_t size)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION,
                                .device = record->device->id};

    VIDMM_ASSERT(record->destroyed && record->backing.mdl);
    event.create.allocation = record->id;
    event.create.buffer = VIDMM_BUFFER_READS;
    event.create.wish = (struct vidmm_wish){.size = size, .alignment = VIDMM_PAGE_SIZE};
    return vidmm_pump_event(record->adapter, &event);
}

/* NULL: *status says why. */
static struct vidmm_allocation *make_record(struct vidmm_adapter *adapter, uint64_t size,
                                            NTSTATUS *status)
{
    struct vidmm_allocation *record = vidmm_allocation_own_record(adapter->system_device);

    *status = STATUS_NO_MEMORY;
    if (!record)
        return NULL;
    *status = init_all_pages(record, size);
    if (*status == STATUS_SUCCESS)
        *status = tell_engine(record, size);
    if (*status != STATUS_SUCCESS) {
        vidmm_allocation_free(record);
        return NULL;
    }
    return record;
}

/* ---- reading --------------------------------------------------------------------------------- */

static NTSTATUS read_into(struct vidmm_allocation *record, const struct vidmm_segment_range *range)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_READ_SEGMENT};
    struct vidmm_request request = {0};

    VIDMM_ASSERT(record->id != 0);
    event.read_segment.allocation = record->id;
    event.read_segment.segment = range->segment;
    event.read_segment.offset = range->offset;
    return vidmm_request_ask(record->adapter, &event, &event.read_segment.request, &request);
}

static void destroy(struct vidmm_allocation *record)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};

    event.destroy.allocation = record->id;
    vidmm_pump_event(record->adapter, &event); /* a stopped adapter gives it back when it goes */
}

static NTSTATUS read_range(struct vidmm_adapter *adapter, const struct vidmm_segment_range *range,
                           void *buffer)
{
    struct vidmm_allocation *record;
    struct vidmm_backing *backing;
    NTSTATUS status;

    record = make_record(adapter, range->size, &status);
    if (!record)
        return status;
    status = read_into(record, range);
    backing = vidmm_backing_of(record, range->engine);
    if (status == STATUS_SUCCESS) {
        vidmm_backing_flush(backing, adapter->host); /* obeys S0-019: the GPU wrote it */
        memcpy(buffer, backing->address, (size_t)range->size);
    }
    destroy(record);
    return status;
}

NTSTATUS vidmm_read_segment(struct vidmm_adapter *adapter, const struct vidmm_segment_range *range,
                            void *buffer, struct vidmm_report *report)
{
    NTSTATUS status;

    if (vidmm_report_null(adapter, "adapter", report) ||
        vidmm_report_null(range, "range", report) || vidmm_report_null(buffer, "buffer", report))
        return STATUS_INVALID_PARAMETER;
    status = check(adapter, range, report);
    if (status != STATUS_SUCCESS)
        return status;
    vidmm_report_clear(report);
    status = read_range(adapter, range, buffer);
    switch (status) {
    case STATUS_SUCCESS:
        return status;
    case STATUS_DEVICE_BUSY:
        return vidmm_report_refusal(report, status, "segment", range->segment,
                                    "it cannot be read without power, or during a reset");
    case STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST:
        return vidmm_report_refusal(report, status, "segment", range->segment,
                                    "the adapter was reset meanwhile, and its content is lost");
    case STATUS_NO_MEMORY:
        return vidmm_report_refusal(report, status, "size", range->size,
                                    "there is no system memory for so many bytes");
    default:
        return vidmm_report_refusal(report, status, "segment", range->segment,
                                    "the adapter has stopped");
    }
}
