/* facts.c: small questions whose answers are the same for all drivers: one processor group, one
 * node, 64 bits; and events, which are taken and dropped. */
#include "kit/state.h"

BOOLEAN IoIs32bitProcess(PIRP irp)
{
    (void)irp;
    return FALSE;
}

USHORT KeQueryActiveGroupCount(VOID)
{
    return 1;
}

USHORT KeQueryMaximumGroupCount(VOID)
{
    return 1;
}

USHORT KeQueryHighestNodeNumber(VOID)
{
    return 0;
}

USHORT KeGetCurrentNodeNumber(VOID)
{
    return 0;
}

ULONG KeGetRecommendedSharedDataAlignment(VOID)
{
    return 64;
}

BOOLEAN MmIsThisAnNtAsSystem(VOID)
{
    return FALSE;
}

/* The thread's stack is as large as it will be. */
NTSTATUS KeExpandKernelStackAndCallout(PEXPAND_STACK_CALLOUT callout, PVOID parameter, SIZE_T size)
{
    (void)size;
    IRQL_MAX(APC_LEVEL);
    callout(parameter);
    return STATUS_SUCCESS;
}

VOID PoSetSystemState(EXECUTION_STATE flags)
{
    (void)flags; /* nothing falls asleep here */
}

ULONG RtlNumberOfSetBitsUlongPtr(ULONG_PTR target)
{
    return (ULONG)__builtin_popcountll(target);
}

/* ---- events ---- */

static NTSTATUS drop(REGHANDLE handle)
{
    return handle ? STATUS_SUCCESS : STATUS_INVALID_HANDLE;
}

NTSTATUS EtwActivityIdControl(ULONG code, LPGUID id)
{
    (void)code;
    memset(id, 0, sizeof(*id));
    return STATUS_SUCCESS;
}

NTSTATUS EtwWriteEx(REGHANDLE handle, PCEVENT_DESCRIPTOR event, ULONG64 filter, ULONG flags,
                    LPCGUID activity, LPCGUID related, ULONG count, PEVENT_DATA_DESCRIPTOR data)
{
    (void)event, (void)filter, (void)flags, (void)activity, (void)related, (void)count, (void)data;
    return drop(handle);
}

NTSTATUS EtwWriteString(REGHANDLE handle, UCHAR level, ULONGLONG keyword, LPCGUID activity,
                        PCWSTR text)
{
    (void)level, (void)keyword, (void)activity, (void)text;
    return drop(handle);
}

NTSTATUS EtwWriteTransfer(REGHANDLE handle, PCEVENT_DESCRIPTOR event, LPCGUID activity,
                          LPCGUID related, ULONG count, PEVENT_DATA_DESCRIPTOR data)
{
    (void)event, (void)activity, (void)related, (void)count, (void)data;
    return drop(handle);
}
