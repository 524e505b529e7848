/* escape_test.c: the tests that the manager makes because a program says so.
 *
 *     coherency            the CPU's bytes --- paged out by the GPU ---> the same bytes?
 *     dummy page           mapped in an aperture ---> unmapped; was the dummy page written to?
 *     corruption           was the dummy page written to?
 *     suspended access     locked in a segment ---> in system memory, at the same pointer
 *
 * They have no members, so each is made with all that the calling process has. While bytes are
 * compared the process is suspended, so that the GPU writes nothing; what the CPU has locked, and
 * might write, is left alone.
 */
#include "thunk/escape_test.h"

#include <stdlib.h>

#include <vidmm/adapter.h>
#include <vidmm/page_out.h>
#include <vidmm/suspend.h>
#include <wddm/ntstatus.h>

#include "thunk/process.h"

/* Carry out all that the process has submitted. */
static NTSTATUS finish(struct vidmm_adapter *adapter)
{
    if (vidmm_adapter_wake(adapter, true))
        return STATUS_SUCCESS;
    vidmm_thunk_refuse("the GPU does not come to an end of what was submitted");
    return STATUS_TIMEOUT;
}

/* ---- coherency ------------------------------------------------------------------------------- */

static NTSTATUS check_one(struct vidmm_thunk_process *process, D3DKMT_HANDLE handle,
                          uint32_t segment)
{
    struct vidmm_thunk_object *allocation =
        vidmm_thunk_find_and_hold(process, handle, VIDMM_THUNK_ALLOCATION, "an allocation");
    NTSTATUS status;

    if (allocation == NULL)
        return STATUS_SUCCESS; /* it was destroyed meanwhile */
    status = vidmm_check_transfer(allocation->of, segment, NULL, vidmm_thunk_report());
    vidmm_thunk_let_go(process, allocation);
    return status;
}

/* Whether the test is over with it: what cannot be compared now does not fail. */
static bool ends(NTSTATUS status)
{
    return status == STATUS_UNSUCCESSFUL || status == STATUS_NO_MEMORY ||
           status == STATUS_DEVICE_REMOVED || status == STATUS_NOT_SUPPORTED;
}

static NTSTATUS check_all(struct vidmm_thunk_process *process, const D3DKMT_HANDLE *handles,
                          uint32_t count, uint32_t segment)
{
    for (uint32_t i = 0; i < count; i++) {
        NTSTATUS status = check_one(process, handles[i], segment);

        if (ends(status))
            return status;
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_escape_check_transfers(struct vidmm_thunk_process *process,
                                      struct vidmm_adapter *adapter, uint32_t segment)
{
    bool suspended = vidmm_process_suspend(adapter, process->number, false, NULL) == STATUS_SUCCESS;
    NTSTATUS status = finish(adapter);
    D3DKMT_HANDLE *handles = NULL;
    uint32_t count;

    if (status == STATUS_SUCCESS &&
        !vidmm_thunk_list_allocations(process, adapter, &handles, &count)) {
        vidmm_thunk_refuse("no memory for the handles of the process");
        status = STATUS_NO_MEMORY;
    }
    if (status == STATUS_SUCCESS)
        status = check_all(process, handles, count, segment);
    free(handles);
    if (suspended)
        vidmm_process_resume(adapter, process->number, NULL);
    return status;
}

/* ---- apertures ------------------------------------------------------------------------------- */

/* The GPU's writes behind unmapped ranges of an aperture come to the dummy page (S4-047). */
static NTSTATUS check_dummy(const struct vidmm_adapter *adapter)
{
    struct vidmm_statistics statistics;

    vidmm_adapter_statistics(adapter, &statistics);
    if (!statistics.dummy_written)
        return STATUS_SUCCESS;
    vidmm_thunk_refuse("the dummy page is written, behind unmapped ranges of apertures (S4-047)");
    return STATUS_UNSUCCESSFUL;
}

static NTSTATUS unmap_to_dummy(const struct vidmm_thunk_process *process,
                               struct vidmm_adapter *adapter)
{
    const struct vidmm_page_out_criteria shown = {
        .maximum = UINT64_MAX, .apertures = true, .one_process = true, .process = process->number};
    NTSTATUS status = vidmm_page_out_all(adapter, &shown, vidmm_thunk_report());

    if (status == STATUS_SUCCESS)
        status = finish(adapter); /* whoever still writes there by an old address has its time */
    return status == STATUS_SUCCESS ? check_dummy(adapter) : status;
}

/* ---- the CPU --------------------------------------------------------------------------------- */

static NTSTATUS suspend_access(const struct vidmm_thunk_process *process,
                               struct vidmm_adapter *adapter)
{
    const struct vidmm_page_out_criteria locked = {
        .maximum = UINT64_MAX, .locked = true, .one_process = true, .process = process->number};

    return vidmm_page_out_all(adapter, &locked, vidmm_thunk_report());
}

NTSTATUS vidmm_escape_test(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                           const D3DKMT_VIDMM_ESCAPE *escape)
{
    if (escape->Type == D3DKMT_VIDMMESCAPETYPE_RUN_COHERENCY_TEST)
        return vidmm_escape_check_transfers(process, adapter, 0);
    if (escape->Type == D3DKMT_VIDMMESCAPETYPE_RUN_UNMAP_TO_DUMMY_PAGE_TEST)
        return unmap_to_dummy(process, adapter);
    if (escape->Type == D3DKMT_VIDMMESCAPETYPE_SUSPEND_CPU_ACCESS_TEST)
        return suspend_access(process, adapter);
    return check_dummy(adapter);
}
