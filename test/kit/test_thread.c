/* Threads and their priorities, regions, the process, the processor. */
#include "rig.h"

/* ---- levels ---- */

static void the_level_is_raised_to_dispatch_level_and_told(void **state)
{
    struct rig rig;
    KIRQL irql;

    (void)state;
    rig_start(&rig, NULL);
    irql = KeRaiseIrqlToDpcLevel();
    assert_int_equal(irql, PASSIVE_LEVEL);
    assert_int_equal(KeGetCurrentIrql(), DISPATCH_LEVEL);
    assert_int_equal(KeRaiseIrqlToDpcLevel(), DISPATCH_LEVEL);
    KfRaiseIrql(HIGH_LEVEL);
    KeRaiseIrqlToDpcLevel();
    assert_found(&rig, IRQL_WRONG_WAY, 1);
    assert_int_equal(KeGetCurrentIrql(), HIGH_LEVEL);
    KeLowerIrql(irql);
    rig_stop(&rig);
}

/* ---- threads ---- */

struct identity {
    PKTHREAD thread;
    HANDLE id, process;
    BOOLEAN system;
    KPRIORITY priority;
};

static VOID tell_identity(PVOID context)
{
    struct identity *identity = context;

    identity->thread = KeGetCurrentThread();
    identity->id = PsGetCurrentThreadId();
    identity->process = PsGetCurrentProcessId();
    identity->system = PsIsSystemThread(PsGetCurrentThread());
    identity->priority = KeQueryPriorityThread(KeGetCurrentThread());
}

static void a_system_thread_is_who_its_creator_was_told(void **state)
{
    struct rig rig;
    struct identity own = {.id = NULL};
    CLIENT_ID client;
    HANDLE handle;
    PVOID thread;

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(
        PsCreateSystemThread(&handle, THREAD_ALL_ACCESS, NULL, NULL, &client, tell_identity, &own),
        STATUS_SUCCESS);
    assert_int_equal(ObReferenceObjectByHandle(handle, 0, *PsThreadType, KernelMode, &thread, NULL),
                     STATUS_SUCCESS);
    KeWaitForSingleObject(thread, Executive, KernelMode, FALSE, NULL);
    assert_ptr_equal(own.thread, thread);
    assert_ptr_equal(own.id, client.UniqueThread);
    assert_ptr_equal(PsGetThreadId(thread), client.UniqueThread);
    assert_ptr_equal(own.process, client.UniqueProcess);
    assert_true(own.system);
    assert_int_equal(own.priority, 8);
    assert_ptr_not_equal(own.id, PsGetCurrentThreadId());
    assert_ptr_equal(KeGetCurrentThread(), PsGetCurrentThread());
    assert_false(PsIsSystemThread(PsGetCurrentThread()));
    ObDereferenceObject(thread);
    ZwClose(handle);
    rig_stop(&rig);
}

static void a_thread_of_the_host_is_an_object_as_well(void **state)
{
    struct rig rig;
    PKTHREAD me;
    PVOID thread;
    HANDLE handle;

    (void)state;
    rig_start(&rig, NULL);
    me = KeGetCurrentThread();
    ObReferenceObject(me);
    ObDereferenceObject(me);
    assert_int_equal(
        ObReferenceObjectByHandle(NtCurrentThread(), 0, *PsThreadType, KernelMode, &thread, NULL),
        STATUS_SUCCESS);
    assert_ptr_equal(thread, me);
    ObDereferenceObject(thread);
    assert_int_equal(ObReferenceObjectByHandle(NtCurrentThread(), 0, *ExEventObjectType, KernelMode,
                                               &thread, NULL),
                     STATUS_OBJECT_TYPE_MISMATCH);
    assert_int_equal(
        ObOpenObjectByPointer(me, OBJ_KERNEL_HANDLE, NULL, 0, *PsThreadType, KernelMode, &handle),
        STATUS_SUCCESS);
    ZwClose(handle);
    ObDereferenceObject(me); /* once more than it was referenced */
    assert_found(&rig, OVER_DEREFERENCED, 1);
    ObReferenceObject(me);
    rig_end(&rig);
    assert_found(&rig, REFERENCE_LEAK, 1);
    assert_nothing_found(&rig);
    rig_start(&rig, NULL); /* and it is still there for the next */
    assert_ptr_equal(KeGetCurrentThread(), me);
    rig_stop(&rig);
}

static void a_priority_is_set_and_the_old_one_told(void **state)
{
    struct rig rig;
    PKTHREAD me;
    KIRQL irql;

    (void)state;
    rig_start(&rig, NULL);
    me = KeGetCurrentThread();
    assert_int_equal(KeSetPriorityThread(me, LOW_REALTIME_PRIORITY), 8);
    assert_int_equal(KeQueryPriorityThread(me), LOW_REALTIME_PRIORITY);
    assert_int_equal(KeSetPriorityThread(me, 0), LOW_REALTIME_PRIORITY);
    assert_int_equal(KeSetPriorityThread(me, 32), LOW_REALTIME_PRIORITY);
    assert_found(&rig, BAD_ARGUMENT, 2);
    assert_int_equal(KeQueryPriorityThread(me), LOW_REALTIME_PRIORITY);
    assert_int_equal(KeSetPriorityThread(me, 8), LOW_REALTIME_PRIORITY);
    KeRaiseIrql(APC_LEVEL, &irql);
    KeSetPriorityThread(me, 8);
    KeQueryPriorityThread(me);
    KeSetBasePriorityThread(me, 0);
    assert_found(&rig, IRQL_TOO_HIGH, 3);
    KeLowerIrql(irql);
    rig_stop(&rig);
}

static void a_base_priority_stays_in_the_class_of_its_process(void **state)
{
    struct rig rig;
    PKTHREAD me;

    (void)state;
    rig_start(&rig, NULL);
    me = KeGetCurrentThread();
    assert_int_equal(KeSetBasePriorityThread(me, 3), 0);
    assert_int_equal(KeQueryPriorityThread(me), 11);
    assert_int_equal(KeSetBasePriorityThread(me, 100), 3);
    assert_int_equal(KeQueryPriorityThread(me), 15);
    assert_int_equal(KeSetBasePriorityThread(me, -100), 7);
    assert_int_equal(KeQueryPriorityThread(me), 1);
    assert_int_equal(KeSetBasePriorityThread(me, 0), -7);
    assert_int_equal(KeQueryPriorityThread(me), 8);
    rig_stop(&rig);
}

/* ---- regions ---- */

static void a_critical_region_disables_apcs_and_a_guarded_one_all(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    assert_false(KeAreApcsDisabled());
    assert_false(KeAreAllApcsDisabled());
    KeEnterCriticalRegion();
    assert_true(KeAreApcsDisabled());
    assert_false(KeAreAllApcsDisabled());
    KeLeaveCriticalRegion();
    KeEnterGuardedRegion();
    KeEnterGuardedRegion();
    assert_true(KeAreApcsDisabled());
    assert_true(KeAreAllApcsDisabled());
    KeLeaveGuardedRegion();
    assert_true(KeAreAllApcsDisabled());
    KeLeaveGuardedRegion();
    assert_false(KeAreApcsDisabled());
    KfRaiseIrql(APC_LEVEL);
    assert_false(KeAreApcsDisabled());
    assert_true(KeAreAllApcsDisabled());
    KeLowerIrql(PASSIVE_LEVEL);
    rig_stop(&rig);
}

static void a_region_left_that_was_not_entered_is_found(void **state)
{
    struct rig rig;
    KIRQL irql;

    (void)state;
    rig_start(&rig, NULL);
    KeLeaveGuardedRegion();
    KeLeaveCriticalRegion();
    assert_found(&rig, LOCK_NOT_HELD, 2);
    KeEnterCriticalRegion();
    KeLeaveGuardedRegion();
    assert_found(&rig, LOCK_NOT_HELD, 1);
    assert_true(KeAreApcsDisabled());
    KeLeaveCriticalRegion();
    KeRaiseIrql(DISPATCH_LEVEL, &irql);
    KeEnterGuardedRegion();
    KeLeaveGuardedRegion();
    assert_found(&rig, IRQL_TOO_HIGH, 2);
    KeLowerIrql(irql);
    rig_stop(&rig);
}

/* ---- the process ---- */

static void the_process_is_one_and_an_object(void **state)
{
    struct rig rig;
    PEPROCESS process;
    KAPC_STATE apc;
    PVOID same;
    HANDLE handle;
    KIRQL irql;

    (void)state;
    rig_start(&rig, NULL);
    process = PsGetCurrentProcess();
    assert_non_null(process);
    assert_ptr_equal(process, IoGetCurrentProcess());
    assert_ptr_equal(process, PsInitialSystemProcess);
    assert_ptr_equal(PsGetProcessId(process), PsGetCurrentProcessId());
    ObReferenceObject(process);
    ObDereferenceObject(process);
    assert_int_equal(
        ObReferenceObjectByHandle(NtCurrentProcess(), 0, *PsProcessType, KernelMode, &same, NULL),
        STATUS_SUCCESS);
    assert_ptr_equal(same, process);
    assert_int_equal(ObOpenObjectByPointer(process, OBJ_KERNEL_HANDLE, NULL, 0, *PsProcessType,
                                           KernelMode, &handle),
                     STATUS_SUCCESS);
    ZwClose(handle);
    ObDereferenceObject(same);
    KeStackAttachProcess(process, &apc);
    assert_ptr_equal(PsGetCurrentProcess(), process);
    KeUnstackDetachProcess(&apc);
    KeRaiseIrql(DISPATCH_LEVEL, &irql);
    KeStackAttachProcess(process, &apc);
    KeUnstackDetachProcess(&apc);
    assert_found(&rig, IRQL_TOO_HIGH, 2);
    KeLowerIrql(irql);
    rig_stop(&rig);
}

/* ---- the processor ---- */

static void there_is_one_processor_in_one_group(void **state)
{
    struct rig rig;
    PROCESSOR_NUMBER number = {.Group = 7, .Number = 7};
    KAFFINITY active = 0;

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(KeGetCurrentProcessorNumber(), 0);
    assert_int_equal(KeGetCurrentProcessorNumberEx(NULL), 0);
    assert_int_equal(KeGetCurrentProcessorNumberEx(&number), 0);
    assert_int_equal(number.Group + number.Number, 0);
    assert_int_equal(KeQueryActiveProcessorCount(NULL), 1);
    assert_int_equal(KeQueryActiveProcessorCount(&active), 1);
    assert_int_equal(active, 1);
    assert_int_equal(KeQueryActiveProcessors(), 1);
    assert_int_equal(KeQueryActiveProcessorCountEx(0), 1);
    assert_int_equal(KeQueryActiveProcessorCountEx(ALL_PROCESSOR_GROUPS), 1);
    assert_int_equal(KeQueryActiveProcessorCountEx(1), 0);
    assert_int_equal(KeQueryMaximumProcessorCount(), 1);
    assert_int_equal(KeQueryMaximumProcessorCountEx(0), 1);
    assert_int_equal(KeQueryMaximumProcessorCountEx(ALL_PROCESSOR_GROUPS), 1);
    assert_int_equal(KeQueryMaximumProcessorCountEx(1), 0);
    number.Number = 7;
    assert_int_equal(KeGetProcessorNumberFromIndex(0, &number), STATUS_SUCCESS);
    assert_int_equal(number.Number, 0);
    number.Number = 7;
    assert_int_equal(KeGetProcessorNumberFromIndex(1, &number), STATUS_INVALID_PARAMETER);
    assert_int_equal(number.Number, 7);
    rig_stop(&rig);
}

static void an_affinity_is_set_and_reverted(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(KeSetSystemAffinityThreadEx(1), 0); /* there was none of the driver's */
    assert_int_equal(KeSetSystemAffinityThreadEx(1), 1);
    KeRevertToUserAffinityThreadEx(1);
    assert_int_equal(KeSetSystemAffinityThreadEx(4), 1); /* no such processor: no effect */
    KeRevertToUserAffinityThreadEx(0);
    assert_int_equal(KeSetSystemAffinityThreadEx(4), 0);
    assert_int_equal(KeSetSystemAffinityThreadEx(1), 0);
    KeRevertToUserAffinityThreadEx(4);
    assert_int_equal(KeSetSystemAffinityThreadEx(1), 1);
    KeRevertToUserAffinityThreadEx(0);
    KfRaiseIrql(HIGH_LEVEL);
    KeSetSystemAffinityThreadEx(1);
    KeRevertToUserAffinityThreadEx(0);
    assert_found(&rig, IRQL_TOO_HIGH, 2);
    KeLowerIrql(PASSIVE_LEVEL);
    rig_stop(&rig);
}

static void an_affinity_of_a_group_is_set_and_reverted(void **state)
{
    struct rig rig;
    GROUP_AFFINITY one = {.Mask = 1}, other = {.Mask = 1, .Group = 1};
    GROUP_AFFINITY first = {.Mask = 9, .Group = 9}, second = first;

    (void)state;
    rig_start(&rig, NULL);
    KeSetSystemGroupAffinityThread(&one, &first);
    assert_int_equal(first.Mask + first.Group, 0);
    KeSetSystemGroupAffinityThread(&one, &second);
    assert_int_equal(second.Mask, 1);
    KeSetSystemGroupAffinityThread(&other, &second); /* no such group: zeros, and no effect */
    assert_int_equal(second.Mask + second.Group, 0);
    KeRevertToUserGroupAffinityThread(&other);
    assert_int_equal(KeSetSystemAffinityThreadEx(1), 1);
    KeSetSystemGroupAffinityThread(&one, NULL);
    KeRevertToUserGroupAffinityThread(&first);
    assert_int_equal(KeSetSystemAffinityThreadEx(1), 0);
    KeRevertToUserAffinityThreadEx(0);
    rig_stop(&rig);
}

static ULONG_PTR broadcast(ULONG_PTR context)
{
    return context + KeGetCurrentIrql();
}

static ULONG_PTR broadcast_badly(ULONG_PTR context)
{
    KeLowerIrql(DISPATCH_LEVEL);
    return context;
}

static void all_processors_are_called_at_ipi_level(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(KeIpiGenericCall(broadcast, 1000), 1000 + IPI_LEVEL);
    assert_int_equal(KeGetCurrentIrql(), PASSIVE_LEVEL);
    assert_int_equal(KeIpiGenericCall(broadcast_badly, 5), 5);
    assert_found(&rig, IRQL_NOT_RESTORED, 1);
    assert_int_equal(KeGetCurrentIrql(), PASSIVE_LEVEL);
    KfRaiseIrql(IPI_LEVEL);
    KeIpiGenericCall(broadcast, 0);
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeLowerIrql(PASSIVE_LEVEL);
    KeInvalidateAllCaches();
    KeInvalidateAllCachesEx();
    rig_stop(&rig);
}

static void floating_point_state_is_restored_in_turn(void **state)
{
    struct rig rig;
    KFLOATING_SAVE outer = {0}, inner = {0};
    XSTATE_SAVE extended = {0};
    KIRQL irql;

    (void)state;
    rig_start(&rig, NULL);
    KeRestoreFloatingPointState(&outer);
    KeRestoreExtendedProcessorState(&extended);
    assert_found(&rig, NOT_INITIALIZED, 2);
    assert_int_equal(KeSaveFloatingPointState(&outer), STATUS_SUCCESS);
    KeRaiseIrql(DISPATCH_LEVEL, &irql);
    assert_int_equal(KeSaveExtendedProcessorState(XSTATE_MASK_LEGACY, &extended), STATUS_SUCCESS);
    assert_int_equal(KeSaveFloatingPointState(&inner), STATUS_SUCCESS);
    assert_int_equal(KeRestoreFloatingPointState(&inner), STATUS_SUCCESS);
    KeRestoreExtendedProcessorState(&extended);
    KeLowerIrql(irql);
    assert_int_equal(KeRestoreFloatingPointState(&outer), STATUS_SUCCESS);
    assert_nothing_found(&rig);
    KeSaveFloatingPointState(&outer);
    KeSaveFloatingPointState(&inner);
    KeRestoreFloatingPointState(&outer); /* not the last */
    assert_found(&rig, BAD_ARGUMENT, 1);
    KeRaiseIrql(DISPATCH_LEVEL, &irql);
    KeRestoreFloatingPointState(&inner); /* not the level */
    assert_found(&rig, BAD_ARGUMENT, 1);
    KfRaiseIrql(HIGH_LEVEL);
    KeSaveFloatingPointState(&inner);
    KeRestoreFloatingPointState(&inner);
    assert_found(&rig, IRQL_TOO_HIGH, 2);
    KeLowerIrql(irql);
    rig_stop(&rig);
}

static void save_and_forget(void *argument)
{
    KeSaveFloatingPointState(argument);
}

static void a_floating_point_state_that_is_not_restored_is_found(void **state)
{
    struct rig rig;
    KFLOATING_SAVE own, forgotten;

    (void)state;
    rig_start(&rig, NULL);
    KeSaveFloatingPointState(&own);
    vidmm_kit_call(PASSIVE_LEVEL, save_and_forget, &forgotten, "a routine");
    assert_found(&rig, STATE_NOT_RESTORED, 1);
    KeRestoreFloatingPointState(&own); /* this call leaves it alone */
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_level_is_raised_to_dispatch_level_and_told),
        cmocka_unit_test(a_system_thread_is_who_its_creator_was_told),
        cmocka_unit_test(a_thread_of_the_host_is_an_object_as_well),
        cmocka_unit_test(a_priority_is_set_and_the_old_one_told),
        cmocka_unit_test(a_base_priority_stays_in_the_class_of_its_process),
        cmocka_unit_test(a_critical_region_disables_apcs_and_a_guarded_one_all),
        cmocka_unit_test(a_region_left_that_was_not_entered_is_found),
        cmocka_unit_test(the_process_is_one_and_an_object),
        cmocka_unit_test(there_is_one_processor_in_one_group),
        cmocka_unit_test(an_affinity_is_set_and_reverted),
        cmocka_unit_test(an_affinity_of_a_group_is_set_and_reverted),
        cmocka_unit_test(all_processors_are_called_at_ipi_level),
        cmocka_unit_test(floating_point_state_is_restored_in_turn),
        cmocka_unit_test(a_floating_point_state_that_is_not_restored_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
