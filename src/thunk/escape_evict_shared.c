/* escape_evict_shared.c: memory leaves that a handle of the system leads to. */
#include <vidmm/page_out.h>
#include <wddm/ntstatus.h>

#include "thunk/escape_evict.h"
#include "thunk/nt_handle.h"
#include "thunk/process.h"
#include "thunk/share.h"

NTSTATUS vidmm_escape_evict_shared(struct vidmm_thunk_process *process,
                                   struct vidmm_adapter *adapter, UINT64 handle)
{
    struct vidmm_share *share;
    NTSTATUS status;

    vidmm_nt_handles_sweep(process->machine, false);
    share = vidmm_nt_handle_open_share(process->machine, adapter, (HANDLE)(uintptr_t)handle);
    if (share == NULL)
        return STATUS_INVALID_PARAMETER;
    if (share->adapter == adapter)
        status = vidmm_page_out_shared(adapter, share->handle, vidmm_thunk_report());
    else
        status = vidmm_thunk_refuse("EvictByNtHandle.NtHandle is %lld, of another adapter than "
                                    "hAdapter",
                                    (long long)handle);
    vidmm_share_close(process->machine, share);
    return status;
}
