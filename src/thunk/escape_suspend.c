/* escape_suspend.c: a process is held back because a test says so. */
#include "thunk/escape_suspend.h"

#include <vidmm/suspend.h>
#include <wddm/ntstatus.h>

#include "thunk/process.h"

/* One process cannot name another. */
static NTSTATUS check_own(const char *member, UINT64 process)
{
    return process == 0 ? STATUS_SUCCESS
                        : vidmm_thunk_refuse("%s is 0x%llx; expected NULL, the calling process",
                                             member, (unsigned long long)process);
}

static NTSTATUS suspend(const struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                        const D3DKMT_VIDMM_ESCAPE *escape)
{
    NTSTATUS status = check_own("SuspendProcess.hProcess", escape->SuspendProcess.hProcess_Align);

    if (status != STATUS_SUCCESS)
        return status;
    return vidmm_process_suspend(adapter, process->number,
                                 escape->SuspendProcess.bAllowWakeOnSubmission != 0,
                                 vidmm_thunk_report());
}

NTSTATUS vidmm_escape_suspend(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                              const D3DKMT_VIDMM_ESCAPE *escape)
{
    NTSTATUS status;

    if (escape->Type == D3DKMT_VIDMMESCAPETYPE_SUSPEND_PROCESS)
        return suspend(process, adapter, escape);
    status = check_own("ResumeProcess.hProcess", escape->ResumeProcess.hProcess_Align);
    return status != STATUS_SUCCESS
               ? status
               : vidmm_process_resume(adapter, process->number, vidmm_thunk_report());
}
