/* lock.c: Lock and Lock2: the right to lock, the instance, and the notes of it.
 *
 *     lock.c -- rename.c (with Discard) -- lock_request.c (by the engine) -- lock_word.c (at once)
 *
 * Lock2 has no flags and waits for no use by the GPU: it goes to the engine, or to the word, at
 * once.
 *
 * Source: D3DDDICB_LOCK, D3DKMTLock, D3DKMT_LOCK2; rules S2-014,
 * S2-022, S0-004, S0-006, D-147, D-148, D-156.
 */
#include <vidmm/adapter.h>
#include <vidmm/lock.h>
#include <vidmm/lock2.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/instance.h"
#include "vidmm/client/lock_flags.h"
#include "vidmm/client/lock_request.h"
#include "vidmm/client/lock_word.h"
#include "vidmm/client/paging_queue.h"
#include "vidmm/client/rename.h"
#include "vidmm/client/renaming.h"
#include "vidmm/object/lock_word.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/object/resource.h"

#include "base/assert.h"
#include "wddm/rule.h"

/* obeys S0-006, D-383: of a shared one, the process that created it, and all of a primary's */
static bool may_lock(const struct vidmm_allocation *allocation)
{
    const struct vidmm_resource *resource = allocation->resource;

    return !allocation->original || resource->original->primary ||
           resource->original->process == resource->process;
}

/* Note the pages of a lock, if a copy is to be refreshed from them. */
static void note_written(const struct vidmm_lock_arguments *arguments)
{
    struct vidmm_allocation *allocation = vidmm_original(arguments->allocation);
    uint64_t words = ((uint64_t)allocation->backing.pages + 63) / 64, index;
    bool entire = (arguments->flags & VIDMM_LOCK_ENTIRE) != 0;

    VIDMM_ASSERT(allocation->keeps_copy && allocation->backing.pages > 0);
    if ((atomic_load(&allocation->word) & WORD_COPY) == 0 ||
        (arguments->flags & VIDMM_LOCK_READ_ONLY) != 0)
        return;
    vidmm_adapter_lock(allocation->adapter);
    if (!allocation->written && !entire)
        allocation->written = vidmm_allocate(allocation->adapter->host, words * sizeof(uint64_t));
    allocation->written_all |= entire || !allocation->written;
    for (index = 0; !allocation->written_all && index < arguments->page_count; index++) {
        uint32_t page = arguments->pages[index];

        allocation->written[page / 64] |= UINT64_C(1) << page % 64; /* obeys D-154 */
    }
    vidmm_adapter_unlock(allocation->adapter);
}

/* Whether Cached was right is judged when the allocation goes (S0-023, S3-013). */
static void note_use(struct vidmm_allocation *allocation, uint32_t flags)
{
    VIDMM_ASSERT(allocation->cached && !allocation->original);
    if ((flags & VIDMM_LOCK_WRITE_ONLY) == 0)
        atomic_store(&allocation->read_back, true);
    else if (atomic_load(&allocation->write_only_locks) < VIDMM_WRITE_ONLY_ENOUGH)
        atomic_fetch_add(&allocation->write_only_locks, 1);
}

/* obeys D-156 */
static bool excludes(const struct vidmm_allocation *allocation, uint32_t flags)
{
    uint64_t word = atomic_load(&allocation->word);

    return (word & WORD_LOCKS) != 0 &&
           ((flags & VIDMM_LOCK_ACQUIRE_APERTURE) != 0 || (word & WORD_APERTURE) != 0);
}

static bool is_retired(const struct vidmm_allocation *allocation)
{
    bool retired;

    vidmm_adapter_lock(allocation->adapter);
    retired = vidmm_instance_is_retired(allocation);
    vidmm_adapter_unlock(allocation->adapter);
    return retired;
}

/* renames: a discard may answer with another instance than the one that is named. */
static NTSTATUS lock(struct vidmm_lock_arguments *arguments, bool renames,
                     struct vidmm_report *report)
{
    struct vidmm_allocation *opened = arguments->allocation;
    struct vidmm_allocation *allocation = vidmm_original(opened);
    NTSTATUS status;

    if (vidmm_renaming_of(allocation) && is_retired(allocation)) {
        return vidmm_report_refusal(
            report, STATUS_INVALID_PARAMETER, "allocation", vidmm_allocation_handle(allocation),
            "a newer instance was referenced since, and retired it (D-155, D-172)");
    }
    status = vidmm_lock_check(arguments, report);
    if (status != STATUS_SUCCESS)
        return status;
    if (!may_lock(opened)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "allocation",
                                    vidmm_allocation_handle(allocation),
                                    "the process that created it may lock it, no other (S0-006)");
    }
    if (opened->original && vidmm_device_condition(opened->device, NULL) != STATUS_SUCCESS)
        return STATUS_DEVICE_REMOVED; /* obeys D-244 */
    if (excludes(allocation, arguments->flags)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "Flags", arguments->flags,
                                    "it is locked; with AcquireAperture there is one lock at a "
                                    "time (D-156)");
    }
    if ((arguments->flags & VIDMM_LOCK_ACQUIRE_APERTURE) != 0) {
        status = vidmm_lock_by_aperture(allocation, arguments->flags, arguments->private_data);
    } else if (renames && vidmm_rename_may(allocation)) {
        status = vidmm_rename_lock(arguments, report);
        if (status != STATUS_SUCCESS)
            return status;
        allocation = arguments->allocation;
    } else {
        status = vidmm_lock_one(allocation, arguments->flags);
    }
    if (status != STATUS_SUCCESS) {
        return vidmm_report_refusal(report, status, "Flags", arguments->flags,
                                    vidmm_lock_why_not(allocation, status));
    }
    if (allocation->keeps_copy)
        note_written(arguments);
    if (allocation->cached)
        note_use(allocation, arguments->flags);
    if (opened->original)
        atomic_fetch_add(&opened->opening_locks, 1);
    arguments->data = allocation->address;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_lock_pages(struct vidmm_lock_arguments *arguments, struct vidmm_report *report)
{
    if (vidmm_report_null(arguments, "arguments", report) ||
        vidmm_report_null(arguments->allocation, "allocation", report) ||
        vidmm_report_lacking(arguments->pages, arguments->page_count, "pages", report))
        return STATUS_INVALID_PARAMETER;
    return lock(arguments, (arguments->flags & VIDMM_LOCK_DISCARD) != 0, report);
}

NTSTATUS vidmm_lock(struct vidmm_allocation *allocation, uint32_t flags, void **data,
                    struct vidmm_report *report)
{
    struct vidmm_lock_arguments arguments = {.allocation = allocation,
                                             .flags = flags | VIDMM_LOCK_ENTIRE};
    NTSTATUS status;

    if (vidmm_report_null(allocation, "allocation", report) ||
        vidmm_report_null(data, "data", report))
        return STATUS_INVALID_PARAMETER;
    status = lock(&arguments, false, report);
    if (status == STATUS_SUCCESS)
        *data = arguments.data;
    return status;
}

/* ---- Lock2 ----------------------------------------------------------------------------------- */

VIDMM_SEES(S2_022);
static NTSTATUS check_lock2(struct vidmm_allocation *opened, uint32_t flags,
                            struct vidmm_report *report)
{
    const struct vidmm_allocation *allocation = vidmm_original(opened);
    DXGK_ALLOCATIONINFOFLAGS described = {.Value = allocation->flags};

    if (!vidmm_residency_is_explicit(opened->adapter, report))
        return STATUS_NOT_SUPPORTED;
    if (flags != 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "Flags", flags,
                                    "Lock2 has no flags: all bits are reserved and zero (S2-022)");
    }
    if (described.Protected) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "Flags of the allocation",
                                    allocation->flags,
                                    "it is Protected: no address of a program's is its (S0-026)");
    }
    if (!may_lock(opened)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "allocation",
                                    vidmm_allocation_handle(allocation),
                                    "the process that created it may lock it, no other (S3-005)");
    }
    if (opened->original && vidmm_device_condition(opened->device, NULL) != STATUS_SUCCESS) {
        return vidmm_report_refusal(report, STATUS_DEVICE_REMOVED, "allocation",
                                    vidmm_allocation_handle(allocation), "its device is removed");
    }
    return STATUS_SUCCESS;
}

/* One of the statuses that the page of D3DKMTLock2 lists, if it has one that fits. */
static NTSTATUS as_listed(NTSTATUS status)
{
    return status == STATUS_GRAPHICS_CANT_LOCK_MEMORY ||
                   status == STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION
               ? STATUS_INVALID_PARAMETER
               : status;
}

static NTSTATUS lock2(struct vidmm_allocation *opened, uint32_t flags, void **data,
                      struct vidmm_report *report)
{
    struct vidmm_allocation *allocation = vidmm_original(opened);
    struct vidmm_lock_arguments arguments = {.allocation = opened, .flags = VIDMM_LOCK_ENTIRE};
    NTSTATUS status = check_lock2(opened, flags, report);

    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_lock_one(allocation, VIDMM_LOCK_BY_LOCK2);
    if (status != STATUS_SUCCESS) {
        return vidmm_report_refusal(report, as_listed(status), "allocation",
                                    vidmm_allocation_handle(allocation),
                                    vidmm_lock_why_not(allocation, status));
    }
    if (allocation->keeps_copy)
        note_written(&arguments);
    if (allocation->cached)
        note_use(allocation, 0);
    if (opened->original)
        atomic_fetch_add(&opened->opening_locks, 1);
    *data = allocation->address;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_lock2(struct vidmm_allocation *allocation, uint32_t flags, void **data,
                     struct vidmm_report *report)
{
    if (vidmm_report_null(allocation, "allocation", report) ||
        vidmm_report_null(data, "data", report))
        return STATUS_INVALID_PARAMETER;
    if (allocation->plain && flags == 0 && vidmm_lock_word_lock(allocation)) {
        *data = allocation->address;
        return STATUS_SUCCESS;
    }
    return lock2(allocation, flags, data, report);
}
