/* processor.c: the processor, of which there is one: its numbers, which thread may run on it, its
 * floating point state.
 *
 * A saved state is 0x46, the level, and how many were saved in the thread before it, one byte more:
 * so the state that is restored can be held against the one that is due.
 */
#include "kit/state.h"

#define ONE_PROCESSOR ((KAFFINITY)1)
#define SAVED_MARK 0x46u

/* ---- numbers ---- */

ULONG KeGetCurrentProcessorNumberEx(PPROCESSOR_NUMBER number)
{
    if (number)
        memset(number, 0, sizeof(*number));
    return 0;
}

ULONG KeGetCurrentProcessorNumber(VOID)
{
    return 0;
}

ULONG KeQueryActiveProcessorCount(PKAFFINITY active)
{
    if (active)
        *active = ONE_PROCESSOR;
    return 1;
}

ULONG KeQueryActiveProcessorCountEx(USHORT group)
{
    return group == 0 || group == ALL_PROCESSOR_GROUPS;
}

ULONG KeQueryMaximumProcessorCount(VOID)
{
    return 1;
}

ULONG KeQueryMaximumProcessorCountEx(USHORT group)
{
    return KeQueryActiveProcessorCountEx(group);
}

KAFFINITY KeQueryActiveProcessors(VOID)
{
    return ONE_PROCESSOR;
}

NTSTATUS KeGetProcessorNumberFromIndex(ULONG index, PPROCESSOR_NUMBER number)
{
    if (index != 0)
        return STATUS_INVALID_PARAMETER;
    memset(number, 0, sizeof(*number));
    return STATUS_SUCCESS;
}

/* ---- affinity: a thread has none of the driver's until it sets one ---- */

KAFFINITY KeSetSystemAffinityThreadEx(KAFFINITY affinity)
{
    struct _KTHREAD *thread = vidmm_kit_thread();
    KAFFINITY before = thread->affinity;

    IRQL_MAX(DISPATCH_LEVEL);
    if (affinity == ONE_PROCESSOR)
        thread->affinity = affinity;
    return before;
}

VOID KeRevertToUserAffinityThreadEx(KAFFINITY affinity)
{
    IRQL_MAX(DISPATCH_LEVEL);
    if (affinity == 0 || affinity == ONE_PROCESSOR)
        vidmm_kit_thread()->affinity = affinity;
}

VOID KeSetSystemGroupAffinityThread(PGROUP_AFFINITY affinity, PGROUP_AFFINITY previous)
{
    struct _KTHREAD *thread = vidmm_kit_thread();
    bool valid = affinity->Group == 0 && affinity->Mask == ONE_PROCESSOR;
    GROUP_AFFINITY before = {.Mask = valid ? thread->affinity : 0};

    IRQL_MAX(DISPATCH_LEVEL);
    if (valid)
        thread->affinity = affinity->Mask;
    if (previous)
        *previous = before;
}

VOID KeRevertToUserGroupAffinityThread(PGROUP_AFFINITY previous)
{
    IRQL_MAX(DISPATCH_LEVEL);
    if (previous->Group == 0 && (previous->Mask == 0 || previous->Mask == ONE_PROCESSOR))
        vidmm_kit_thread()->affinity = previous->Mask;
}

/* ---- all processors at once ---- */

struct broadcast {
    PKIPI_BROADCAST_WORKER worker;
    ULONG_PTR context, answer;
};

static void run_broadcast(void *argument)
{
    struct broadcast *broadcast = argument;

    broadcast->answer = broadcast->worker(broadcast->context);
}

ULONG_PTR KeIpiGenericCall(PKIPI_BROADCAST_WORKER worker, ULONG_PTR context)
{
    struct broadcast broadcast = {.worker = worker, .context = context};

    IRQL_MAX(IPI_LEVEL - 1);
    vidmm_kit_call(IPI_LEVEL, run_broadcast, &broadcast, "a routine of KeIpiGenericCall");
    return broadcast.answer;
}

BOOLEAN KeInvalidateAllCaches(VOID)
{
    KeMemoryBarrier();
    return TRUE;
}

BOOLEAN KeInvalidateAllCachesEx(VOID)
{
    KeMemoryBarrier();
    return TRUE;
}

/* ---- floating point state ---- */

static ULONG save_state(const void *caller, const char *routine)
{
    struct _KTHREAD *thread = vidmm_kit_thread();

    vidmm_kit_irql_max(caller, DISPATCH_LEVEL, routine);
    thread->saved_states++;
    return SAVED_MARK << 24 | (ULONG)KeGetCurrentIrql() << 16 | (thread->saved_states & 0xFFFF);
}

static void restore_state(const void *caller, ULONG saved, const char *routine)
{
    struct _KTHREAD *thread = vidmm_kit_thread();
    KIRQL irql = KeGetCurrentIrql();

    vidmm_kit_irql_max(caller, DISPATCH_LEVEL, routine);
    if (saved >> 24 != SAVED_MARK) {
        vidmm_kit_find(caller, VIDMM_KIT_NOT_INITIALIZED, "%s: nothing was saved there", routine);
    } else if (thread->saved_states == 0 || (saved & 0xFFFF) != (thread->saved_states & 0xFFFF)) {
        vidmm_kit_find(caller, VIDMM_KIT_BAD_ARGUMENT,
                       "%s: not the state that this thread saved last", routine);
    } else {
        thread->saved_states--;
        if ((saved >> 16 & 0xFF) != irql)
            vidmm_kit_find(caller, VIDMM_KIT_BAD_ARGUMENT, "%s at IRQL %u, saved at %u", routine,
                           irql, saved >> 16 & 0xFF);
    }
}

NTSTATUS KeSaveFloatingPointState(PKFLOATING_SAVE save)
{
    save->Dummy = save_state(CALLER, "KeSaveFloatingPointState");
    return STATUS_SUCCESS;
}

NTSTATUS KeRestoreFloatingPointState(PKFLOATING_SAVE save)
{
    restore_state(CALLER, save->Dummy, "KeRestoreFloatingPointState");
    save->Dummy = 0;
    return STATUS_SUCCESS;
}

NTSTATUS KeSaveExtendedProcessorState(ULONG64 mask, PXSTATE_SAVE save)
{
    save->Mask = mask;
    save->Reserved[0] = ULongToHandle(save_state(CALLER, "KeSaveExtendedProcessorState"));
    return STATUS_SUCCESS;
}

VOID KeRestoreExtendedProcessorState(PXSTATE_SAVE save)
{
    restore_state(CALLER, HandleToULong(save->Reserved[0]), "KeRestoreExtendedProcessorState");
    save->Mask = 0;
    save->Reserved[0] = NULL;
}
