/* transfer_check.c: whether the GPU has the bytes that the CPU sees, because a test asks.
 *
 *     memory segment     | a |  --- Lock2, read --->  bytes
 *          |                                            |
 *     page-out by the GPU                           the same?
 *          v                                            |
 *     system memory      | a |  --- Lock2, read --->  bytes
 *
 * Source: D3DKMT_VIDMM_ESCAPE.
 */
#include <string.h>

#include <vidmm/engine.h>
#include <vidmm/lock2.h>
#include <vidmm/page_out.h>
#include <wddm/d3dkmddi_segment.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/paging_queue.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/lock_word.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/object/resource.h"

/* Whether the CPU sees it in the memory segment `segment`, or in any (0), and nobody else may write
 * it there. */
static bool is_comparable(struct vidmm_allocation *allocation, uint32_t segment)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    DXGK_SEGMENTFLAGS flags;
    uint32_t where;

    if (allocation->original || allocation->keeps_copy || !allocation->windowed ||
        (allocation->resource && allocation->resource->shared))
        return false;
    vidmm_adapter_lock(adapter);
    where = vidmm_engine_where(adapter->engine, allocation->id).segment;
    flags.Value = where != 0 ? adapter->segments[where].info.flags : 0;
    vidmm_adapter_unlock(adapter);
    return where != 0 && (segment == 0 || where == segment) && !flags.Aperture && !flags.Agp &&
           (flags.CpuVisible || flags.SupportsCpuHostAperture);
}

static bool is_locked(const struct vidmm_allocation *allocation)
{
    return (atomic_load(&allocation->word) & WORD_LOCKS) != 0;
}

/* Read it as a program does. `there`: in its memory segment, which it must not leave for that. */
static NTSTATUS read(struct vidmm_allocation *allocation, void *bytes, uint32_t segment,
                     bool *there, struct vidmm_report *report)
{
    void *data;
    NTSTATUS status = vidmm_lock2(allocation, 0, &data, report);

    if (status != STATUS_SUCCESS)
        return status;
    *there = is_comparable(allocation, segment);
    memcpy(bytes, data, vidmm_allocation_size(allocation));
    return vidmm_unlock2(allocation, report);
}

static NTSTATUS compare(const unsigned char *before, const unsigned char *after, uint64_t size,
                        struct vidmm_report *report)
{
    uint64_t at = 0;

    while (at < size && before[at] == after[at])
        at++;
    return at == size ? STATUS_SUCCESS
                      : vidmm_report_refusal(report, STATUS_UNSUCCESSFUL,
                                             "offset of the first byte that differs", at,
                                             "the GPU has paged out what the CPU saw");
}

/* `bytes` has room for both copies. */
static NTSTATUS check(struct vidmm_allocation *allocation, uint32_t segment, unsigned char *bytes,
                      bool *looked, struct vidmm_report *report)
{
    uint64_t size = vidmm_allocation_size(allocation);
    bool there;
    NTSTATUS status = read(allocation, bytes, segment, &there, report);

    if (status != STATUS_SUCCESS || !there)
        return status;
    status = vidmm_page_out(allocation, report);
    if (status == STATUS_SUCCESS)
        status = read(allocation, bytes + size, segment, &there, report);
    if (status != STATUS_SUCCESS)
        return status;
    *looked = !there;
    return there ? STATUS_SUCCESS : compare(bytes, bytes + size, size, report);
}

NTSTATUS vidmm_check_transfer(struct vidmm_allocation *allocation, uint32_t segment, bool *looked,
                              struct vidmm_report *report)
{
    const struct vidmm_host *host;
    unsigned char *bytes;
    bool ours;
    NTSTATUS status;

    if (vidmm_report_null(allocation, "allocation", report))
        return STATUS_INVALID_PARAMETER;
    looked = looked ? looked : &ours;
    *looked = false;
    if (!vidmm_residency_is_explicit(allocation->adapter, report))
        return STATUS_NOT_SUPPORTED;
    if (segment > allocation->adapter->segment_count)
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "segment", segment,
                                    "0, or 1 to the number of segments");
    if (!is_comparable(allocation, segment))
        return STATUS_SUCCESS;
    if (is_locked(allocation))
        return vidmm_report_refusal(report, STATUS_GRAPHICS_ALLOCATION_BUSY, "allocation",
                                    vidmm_allocation_handle(allocation),
                                    "one that is not locked: who has it locked may write it");
    host = allocation->adapter->host;
    bytes = vidmm_allocate(host, 2 * vidmm_allocation_size(allocation));
    if (!bytes)
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "size",
                                    vidmm_allocation_size(allocation), "no memory for two copies");
    status = check(allocation, segment, bytes, looked, report);
    vidmm_free(host, bytes);
    return status;
}
