/* Levels, locks, things to wait for, timers, deferred calls, threads. */
#include "rig.h"

/* ---- levels and spin locks ---- */

static void a_spin_lock_raises_the_level_and_gives_it_back(void **state)
{
    struct rig rig;
    KSPIN_LOCK lock;
    KLOCK_QUEUE_HANDLE handle;
    KIRQL irql;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeSpinLock(&lock);
    KeAcquireSpinLock(&lock, &irql);
    assert_int_equal(irql, PASSIVE_LEVEL);
    assert_int_equal(KeGetCurrentIrql(), DISPATCH_LEVEL);
    assert_false(KeTestSpinLock(&lock));
    KeReleaseSpinLock(&lock, irql);
    assert_int_equal(KeGetCurrentIrql(), PASSIVE_LEVEL);
    KeAcquireInStackQueuedSpinLock(&lock, &handle);
    KeReleaseInStackQueuedSpinLock(&handle);
    KeRaiseIrql(DISPATCH_LEVEL, &irql);
    KeAcquireSpinLockAtDpcLevel(&lock);
    KeReleaseSpinLockFromDpcLevel(&lock);
    assert_true(KeTryToAcquireSpinLockAtDpcLevel(&lock));
    assert_false(KeTryToAcquireSpinLockAtDpcLevel(&lock));
    KeReleaseSpinLockFromDpcLevel(&lock);
    KeLowerIrql(irql);
    rig_stop(&rig);
}

static void misused_locks_and_levels_are_found(void **state)
{
    struct rig rig;
    KSPIN_LOCK lock;
    KIRQL irql;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeSpinLock(&lock);
    KeAcquireSpinLockAtDpcLevel(&lock);
    KeReleaseSpinLockFromDpcLevel(&lock);
    assert_found(&rig, IRQL_TOO_LOW, 2);
    KeRaiseIrql(DISPATCH_LEVEL, &irql);
    KeReleaseSpinLockFromDpcLevel(&lock);
    assert_found(&rig, LOCK_NOT_HELD, 1);
    KfRaiseIrql(APC_LEVEL);
    assert_found(&rig, IRQL_WRONG_WAY, 1);
    KeLowerIrql(HIGH_LEVEL);
    assert_found(&rig, IRQL_WRONG_WAY, 1);
    PAGED_CODE();
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeLowerIrql(irql);
    PAGED_CODE();
    rig_stop(&rig);
}

static void taking_a_lock_twice_stops_the_machine(void **state)
{
    struct rig rig;
    KSPIN_LOCK lock;
    KIRQL irql = PASSIVE_LEVEL;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeSpinLock(&lock);
    KeAcquireSpinLock(&lock, &irql);
    if (setjmp(rig.end) == 0) {
        KeAcquireSpinLockAtDpcLevel(&lock);
        fail();
    }
    assert_int_equal(rig.check.code, SPIN_LOCK_ALREADY_OWNED);
    assert_found(&rig, LOCK_TAKEN_TWICE, 1);
    KeReleaseSpinLock(&lock, PASSIVE_LEVEL);
    rig_stop(&rig);
}

static void bad_routine(void *argument)
{
    KeAcquireSpinLockRaiseToDpc(argument);
}

static void a_routine_that_keeps_level_or_lock_is_found(void **state)
{
    struct rig rig;
    KSPIN_LOCK lock;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeSpinLock(&lock);
    vidmm_kit_call(PASSIVE_LEVEL, bad_routine, &lock, "bad_routine");
    assert_found(&rig, IRQL_NOT_RESTORED, 1);
    assert_found(&rig, LOCK_NOT_RELEASED, 1);
    assert_int_equal(KeGetCurrentIrql(), PASSIVE_LEVEL);
    rig_stop(&rig);
}

/* ---- waits ---- */

static void events_semaphores_and_mutexes_keep_their_state(void **state)
{
    struct rig rig;
    KEVENT event, automatic;
    KSEMAPHORE semaphore;
    KMUTEX mutex;
    LARGE_INTEGER now = {.QuadPart = 0};

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeEvent(&event, NotificationEvent, FALSE);
    KeInitializeEvent(&automatic, SynchronizationEvent, TRUE);
    KeInitializeSemaphore(&semaphore, 1, 2);
    KeInitializeMutex(&mutex, 0);
    assert_int_equal(KeSetEvent(&event, 0, FALSE), 0);
    assert_int_equal(KeWaitForSingleObject(&event, Executive, KernelMode, FALSE, NULL), 0);
    assert_int_equal(KeResetEvent(&event), 1);
    assert_int_equal(KeWaitForSingleObject(&automatic, Executive, KernelMode, FALSE, NULL), 0);
    assert_int_equal(KeReadStateEvent(&automatic), 0);
    assert_int_equal(KeWaitForSingleObject(&automatic, Executive, KernelMode, FALSE, &now),
                     STATUS_TIMEOUT);
    assert_int_equal(KeWaitForSingleObject(&semaphore, Executive, KernelMode, FALSE, NULL), 0);
    assert_int_equal(KeReadStateSemaphore(&semaphore), 0);
    assert_int_equal(KeReleaseSemaphore(&semaphore, 0, 2, FALSE), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(KeWaitForSingleObject(&mutex, Executive, KernelMode, FALSE, NULL), 0);
    assert_int_equal(KeReadStateMutex(&mutex), -1);
    KeReleaseMutex(&mutex, FALSE);
    assert_int_equal(KeReleaseMutex(&mutex, FALSE), 0);
    assert_int_equal(KeReadStateMutex(&mutex), 1);
    rig_stop(&rig);
}

struct pulsed {
    KEVENT *event;
    atomic_int ready, got;
};

static VOID wait_for_pulse(PVOID context)
{
    struct pulsed *pulsed = context;
    LARGE_INTEGER timeout = in_ms(300);

    pulsed->ready++;
    if (KeWaitForSingleObject(pulsed->event, Executive, KernelMode, FALSE, &timeout) ==
        STATUS_SUCCESS)
        pulsed->got++;
}

/* Two threads wait; how many of them does a pulse wake? */
static int woken_by_a_pulse(EVENT_TYPE type)
{
    KEVENT event;
    struct pulsed pulsed = {.event = &event};
    PVOID threads[2];
    LARGE_INTEGER moment = in_ms(50);
    HANDLE handle;

    KeInitializeEvent(&event, type, FALSE);
    for (int i = 0; i < 2; i++) {
        PsCreateSystemThread(&handle, 0, NULL, NULL, NULL, wait_for_pulse, &pulsed);
        ObReferenceObjectByHandle(handle, 0, NULL, KernelMode, &threads[i], NULL);
        ZwClose(handle);
    }
    while (pulsed.ready < 2)
        KeDelayExecutionThread(KernelMode, FALSE, &moment);
    KeDelayExecutionThread(KernelMode, FALSE, &moment);
    assert_int_equal(KePulseEvent(&event, 0, FALSE), 0);
    assert_int_equal(KeReadStateEvent(&event), 0);
    for (int i = 0; i < 2; i++) {
        KeWaitForSingleObject(threads[i], Executive, KernelMode, FALSE, NULL);
        ObDereferenceObject(threads[i]);
    }
    return pulsed.got;
}

static void a_pulse_wakes_who_waits_and_nobody_later(void **state)
{
    struct rig rig;
    KEVENT event;
    LARGE_INTEGER timeout = in_ms(1);

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(woken_by_a_pulse(NotificationEvent), 2);
    assert_int_equal(woken_by_a_pulse(SynchronizationEvent), 1);
    KeInitializeEvent(&event, NotificationEvent, TRUE);
    assert_int_equal(KePulseEvent(&event, 0, FALSE), 1);
    assert_int_equal(KeWaitForSingleObject(&event, Executive, KernelMode, FALSE, &timeout),
                     STATUS_TIMEOUT);
    rig_stop(&rig);
}

static void a_wait_for_all_takes_all_or_none(void **state)
{
    struct rig rig;
    KEVENT a, b;
    PVOID both[] = {&a, &b};
    LARGE_INTEGER now = {.QuadPart = 0};

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeEvent(&a, SynchronizationEvent, TRUE);
    KeInitializeEvent(&b, SynchronizationEvent, FALSE);
    assert_int_equal(
        KeWaitForMultipleObjects(2, both, WaitAll, Executive, KernelMode, FALSE, &now, NULL),
        STATUS_TIMEOUT);
    assert_int_equal(KeReadStateEvent(&a), 1);
    KeSetEvent(&b, 0, FALSE);
    assert_int_equal(
        KeWaitForMultipleObjects(2, both, WaitAll, Executive, KernelMode, FALSE, &now, NULL),
        STATUS_SUCCESS);
    assert_int_equal(KeReadStateEvent(&a) + KeReadStateEvent(&b), 0);
    KeSetEvent(&b, 0, FALSE);
    assert_int_equal(
        KeWaitForMultipleObjects(2, both, WaitAny, Executive, KernelMode, FALSE, NULL, NULL),
        STATUS_WAIT_1);
    KeWaitForMultipleObjects(65, both, WaitAny, Executive, KernelMode, FALSE, &now, NULL);
    assert_found(&rig, BAD_ARGUMENT, 1);
    rig_stop(&rig);
}

static void a_wait_at_dispatch_level_is_found(void **state)
{
    struct rig rig;
    KEVENT event;
    LARGE_INTEGER now = {.QuadPart = 0}, soon = in_ms(1);
    KIRQL irql;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeEvent(&event, NotificationEvent, FALSE);
    KeRaiseIrql(DISPATCH_LEVEL, &irql);
    KeWaitForSingleObject(&event, Executive, KernelMode, FALSE, &now);
    assert_nothing_found(&rig);
    assert_int_equal(KeWaitForSingleObject(&event, Executive, KernelMode, FALSE, &soon),
                     STATUS_TIMEOUT);
    assert_found(&rig, WAIT_AT_RAISED_IRQL, 1);
    KeLowerIrql(irql);
    rig_stop(&rig);
}

static void objects_never_initialized_are_found(void **state)
{
    struct rig rig;
    KEVENT event;
    KTIMER timer;
    KDPC dpc;

    (void)state;
    rig_start(&rig, NULL);
    memset(&event, 0, sizeof(event));
    memset(&timer, 0, sizeof(timer));
    memset(&dpc, 0, sizeof(dpc));
    KeSetEvent(&event, 0, FALSE);
    KeSetTimer(&timer, in_ms(1), NULL);
    KeInsertQueueDpc(&dpc, NULL, NULL);
    KeWaitForSingleObject(&event, Executive, KernelMode, FALSE, NULL);
    assert_found(&rig, NOT_INITIALIZED, 4);
    rig_stop(&rig);
}

/* ---- timers, DPCs, work items, threads ---- */

struct dpc_state {
    KEVENT ran;
    KIRQL irql;
    unsigned runs;
};

static VOID dpc_routine(PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    struct dpc_state *own = context;

    (void)dpc, (void)argument2;
    own->irql = KeGetCurrentIrql();
    own->runs += argument1 ? 10 : 1;
    KeSetEvent(&own->ran, 0, FALSE);
}

static void a_timer_signals_and_runs_its_dpc_at_dispatch_level(void **state)
{
    struct rig rig;
    struct dpc_state own = {.runs = 0};
    KTIMER timer;
    KDPC dpc;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeEvent(&own.ran, SynchronizationEvent, FALSE);
    KeInitializeTimer(&timer);
    KeInitializeDpc(&dpc, dpc_routine, &own);
    assert_false(KeSetTimerEx(&timer, in_ms(5), 5, &dpc));
    assert_int_equal(KeWaitForSingleObject(&timer, Executive, KernelMode, FALSE, NULL), 0);
    for (int i = 0; i < 3; i++)
        KeWaitForSingleObject(&own.ran, Executive, KernelMode, FALSE, NULL);
    assert_true(KeCancelTimer(&timer));
    assert_false(KeCancelTimer(&timer));
    KeFlushQueuedDpcs();
    assert_int_equal(own.irql, DISPATCH_LEVEL);
    assert_true(own.runs >= 3);
    rig_stop(&rig);
}

static VOID slow_dpc(PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    (void)dpc, (void)context, (void)argument1, (void)argument2;
    KeStallExecutionProcessor(20000);
}

static void a_queued_dpc_is_not_queued_again(void **state)
{
    struct rig rig;
    struct dpc_state own = {.runs = 0};
    KDPC dpc, slow;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeEvent(&own.ran, SynchronizationEvent, FALSE);
    KeInitializeDpc(&slow, slow_dpc, NULL);
    KeInitializeDpc(&dpc, dpc_routine, &own);
    KeInsertQueueDpc(&slow, NULL, NULL); /* keeps the processor busy */
    assert_true(KeInsertQueueDpc(&dpc, &own, NULL));
    assert_false(KeInsertQueueDpc(&dpc, NULL, NULL));
    KeFlushQueuedDpcs();
    assert_int_equal(own.runs, 10);
    KeInsertQueueDpc(&slow, NULL, NULL);
    KeInsertQueueDpc(&dpc, NULL, NULL);
    assert_true(KeRemoveQueueDpc(&dpc));
    assert_false(KeRemoveQueueDpc(&dpc));
    KeFlushQueuedDpcs();
    assert_int_equal(own.runs, 10);
    rig_stop(&rig);
}

static VOID bad_dpc(PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    (void)dpc, (void)context, (void)argument1, (void)argument2;
    KeLowerIrql(PASSIVE_LEVEL);
}

static void a_dpc_that_lowers_its_level_is_found(void **state)
{
    struct rig rig;
    KDPC dpc;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeDpc(&dpc, bad_dpc, NULL);
    KeInsertQueueDpc(&dpc, NULL, NULL);
    KeFlushQueuedDpcs();
    assert_found(&rig, IRQL_NOT_RESTORED, 1);
    rig_stop(&rig);
}

static void a_timer_left_set_is_found(void **state)
{
    struct rig rig;
    KTIMER timer;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeTimer(&timer);
    KeSetTimer(&timer, in_ms(100000), NULL);
    rig_end(&rig);
    assert_found(&rig, TIMER_LEFT, 1);
    assert_nothing_found(&rig);
}

static VOID work_routine(PDEVICE_OBJECT device, PVOID context)
{
    assert_ptr_equal(device, vidmm_kit_device());
    KeSetEvent(context, 0, FALSE);
}

static void a_work_item_runs_at_passive_level(void **state)
{
    struct rig rig;
    KEVENT done;
    PIO_WORKITEM work;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeEvent(&done, NotificationEvent, FALSE);
    work = IoAllocateWorkItem(vidmm_kit_device());
    IoQueueWorkItem(work, work_routine, DelayedWorkQueue, &done);
    KeWaitForSingleObject(&done, Executive, KernelMode, FALSE, NULL);
    IoFreeWorkItem(work);
    rig_stop(&rig);
}

struct count {
    FAST_MUTEX mutex;
    KSPIN_LOCK lock;
    ERESOURCE resource;
    int under_mutex, under_lock, under_resource;
};

static VOID count_thread(PVOID context)
{
    struct count *count = context;
    KIRQL irql;

    for (int i = 0; i < 200; i++) {
        ExAcquireFastMutex(&count->mutex);
        count->under_mutex++;
        ExReleaseFastMutex(&count->mutex);
        KeAcquireSpinLock(&count->lock, &irql);
        count->under_lock++;
        KeReleaseSpinLock(&count->lock, irql);
        ExAcquireResourceExclusiveLite(&count->resource, TRUE);
        count->under_resource++;
        ExReleaseResourceLite(&count->resource);
    }
    PsTerminateSystemThread(STATUS_SUCCESS);
}

static void threads_exclude_one_another_and_can_be_waited_for(void **state)
{
    struct rig rig;
    struct count count = {.under_lock = 0};
    HANDLE handles[4];
    PVOID threads[4];
    KWAIT_BLOCK blocks[4];

    (void)state;
    rig_start(&rig, NULL);
    ExInitializeFastMutex(&count.mutex);
    KeInitializeSpinLock(&count.lock);
    ExInitializeResourceLite(&count.resource);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(PsCreateSystemThread(&handles[i], THREAD_ALL_ACCESS, NULL, NULL, NULL,
                                              count_thread, &count),
                         0);
        assert_int_equal(ObReferenceObjectByHandle(handles[i], THREAD_ALL_ACCESS, *PsThreadType,
                                                   KernelMode, &threads[i], NULL),
                         0);
        assert_int_equal(ZwClose(handles[i]), 0);
    }
    assert_int_equal(
        KeWaitForMultipleObjects(4, threads, WaitAll, Executive, KernelMode, FALSE, NULL, blocks),
        0);
    assert_int_equal(count.under_mutex, 800);
    assert_int_equal(count.under_lock, 800);
    assert_int_equal(count.under_resource, 800);
    for (int i = 0; i < 4; i++)
        ObDereferenceObject(threads[i]);
    ExDeleteResourceLite(&count.resource);
    rig_stop(&rig);
}

static void misused_mutexes_are_found(void **state)
{
    struct rig rig;
    FAST_MUTEX mutex;

    (void)state;
    rig_start(&rig, NULL);
    ExInitializeFastMutex(&mutex);
    ExReleaseFastMutex(&mutex);
    assert_found(&rig, NOT_OWNER, 1);
    ExAcquireFastMutex(&mutex);
    assert_int_equal(KeGetCurrentIrql(), APC_LEVEL);
    assert_false(ExTryToAcquireFastMutex(&mutex));
    if (setjmp(rig.end) == 0) {
        ExAcquireFastMutex(&mutex);
        fail();
    }
    assert_found(&rig, LOCK_TAKEN_TWICE, 1);
    ExReleaseFastMutex(&mutex);
    KeLeaveCriticalRegion();
    assert_found(&rig, LOCK_NOT_HELD, 1);
    rig_stop(&rig);
}

static void handles_and_references_left_are_found(void **state)
{
    struct rig rig;
    HANDLE handle;
    PVOID object;

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(ZwCreateEvent(&handle, EVENT_ALL_ACCESS, NULL, NotificationEvent, FALSE), 0);
    assert_int_equal(ObReferenceObjectByHandle(handle, 0, *PsThreadType, KernelMode, &object, NULL),
                     STATUS_OBJECT_TYPE_MISMATCH);
    assert_int_equal(ObReferenceObjectByHandle(handle, 0, NULL, KernelMode, &object, NULL), 0);
    ObDereferenceObject(object);
    ZwClose(handle);
    ObDereferenceObject(object);
    assert_found(&rig, OVER_DEREFERENCED, 1);
    assert_int_equal(ZwClose(handle), STATUS_INVALID_HANDLE);
    assert_found(&rig, BAD_HANDLE, 1);
    ZwCreateEvent(&handle, EVENT_ALL_ACCESS, NULL, NotificationEvent, FALSE);
    ObReferenceObjectByHandle(handle, 0, NULL, KernelMode, &object, NULL);
    rig_end(&rig);
    assert_found(&rig, HANDLE_LEAK, 1);
    assert_found(&rig, REFERENCE_LEAK, 1);
    assert_nothing_found(&rig);
}

static VOID waiting_thread(PVOID context)
{
    KeWaitForSingleObject(context, Executive, KernelMode, FALSE, NULL);
}

static void a_thread_that_still_runs_is_found(void **state)
{
    static KEVENT event;
    struct rig rig;
    HANDLE handle;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeEvent(&event, NotificationEvent, FALSE);
    PsCreateSystemThread(&handle, 0, NULL, NULL, NULL, waiting_thread, &event);
    ZwClose(handle);
    vidmm_kit_threads_stop();
    assert_found(&rig, THREAD_LEAK, 1);
    KeSetEvent(&event, 0, FALSE);
    rig_stop(&rig);
}

static void a_bug_check_ends_the_run_with_its_code(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    if (setjmp(rig.end) == 0)
        KeBugCheckEx(VIDEO_TDR_FAILURE, 1, 2, 3, 4);
    assert_int_equal(rig.check.code, 0x116);
    assert_int_equal(rig.check.parameters[3], 4);
    assert_found(&rig, BUG_CHECK, 1);
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spin_lock_raises_the_level_and_gives_it_back),
        cmocka_unit_test(misused_locks_and_levels_are_found),
        cmocka_unit_test(taking_a_lock_twice_stops_the_machine),
        cmocka_unit_test(a_routine_that_keeps_level_or_lock_is_found),
        cmocka_unit_test(events_semaphores_and_mutexes_keep_their_state),
        cmocka_unit_test(a_pulse_wakes_who_waits_and_nobody_later),
        cmocka_unit_test(a_wait_for_all_takes_all_or_none),
        cmocka_unit_test(a_wait_at_dispatch_level_is_found),
        cmocka_unit_test(objects_never_initialized_are_found),
        cmocka_unit_test(a_timer_signals_and_runs_its_dpc_at_dispatch_level),
        cmocka_unit_test(a_queued_dpc_is_not_queued_again),
        cmocka_unit_test(a_dpc_that_lowers_its_level_is_found),
        cmocka_unit_test(a_timer_left_set_is_found),
        cmocka_unit_test(a_work_item_runs_at_passive_level),
        cmocka_unit_test(threads_exclude_one_another_and_can_be_waited_for),
        cmocka_unit_test(misused_mutexes_are_found),
        cmocka_unit_test(handles_and_references_left_are_found),
        cmocka_unit_test(a_thread_that_still_runs_is_found),
        cmocka_unit_test(a_bug_check_ends_the_run_with_its_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
