/* exports.c: the functions that programs find in libdxcore.so, a thunk each, from thunks.def. */
#include <wddm/d3dkmthk_calls.h>
#include <wddm/ntstatus.h>

#include "dxcore/machine.h"
#include "dxcore/outward.h"
#include "thunk/calls.h"
#include "thunk/thunk.h"

#define EXPORT __attribute__((visibility("default")))

/* A program's text is of 4-byte characters here. */
#define vidmm_thunk_QueryAdapterInfo vidmm_outward_query_adapter_info

/* d3dkmthk_calls.h declares it, or the compiler complains. */
#define BUILT(Name, Arguments)                                                                     \
    EXPORT NTSTATUS D3DKMT##Name(Arguments *arguments)                                             \
    {                                                                                              \
        struct vidmm_thunk_process *process = vidmm_dxcore_enter();                                \
        NTSTATUS status;                                                                           \
                                                                                                   \
        if (process == NULL)                                                                       \
            return STATUS_DEVICE_REMOVED;                                                          \
        status = vidmm_thunk_##Name(process, arguments);                                           \
        vidmm_dxcore_leave();                                                                      \
        return status;                                                                             \
    }
#define UNBUILT(Name)                                                                              \
    EXPORT NTSTATUS D3DKMT##Name(void *arguments);                                                 \
    NTSTATUS D3DKMT##Name(void *arguments)                                                         \
    {                                                                                              \
        struct vidmm_thunk_process *process = vidmm_dxcore_enter();                                \
                                                                                                   \
        (void)arguments;                                                                           \
        if (process == NULL)                                                                       \
            return STATUS_DEVICE_REMOVED;                                                          \
        vidmm_thunk_not_supported(process, VIDMM_THUNK_##Name);                                    \
        vidmm_dxcore_leave();                                                                      \
        return STATUS_NOT_SUPPORTED;                                                               \
    }
#include "thunk/thunks.def"
#undef BUILT
#undef UNBUILT

EXPORT NTSTATUS D3DKMTShareObjects(UINT count, const D3DKMT_HANDLE *objects, void *attributes,
                                   DWORD access, HANDLE *handle)
{
    return D3DKMTShareObjectsInternal(&(D3DKMT_SHAREOBJECTS){.ObjectCount = count,
                                                             .ObjectHandleArray = objects,
                                                             .pObjectAttributes = attributes,
                                                             .DesiredAccess = access,
                                                             .pSharedNtHandle = handle});
}
