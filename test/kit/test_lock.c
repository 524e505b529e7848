/* Locks of every kind: interlocked sums, fast and guarded mutexes, resources, spin locks. */
#include "rig.h"

/* ---- a second thread that does one thing and ends ---- */

struct helper {
    void (*work)(struct helper *helper);
    void *lock;
    KEVENT begun;
    KIRQL irql;
    LONG answer;
};

static VOID run_helper(PVOID context)
{
    struct helper *helper = context;

    helper->work(helper);
}

static PVOID begin(struct helper *helper)
{
    HANDLE handle;
    PVOID thread = NULL;

    KeInitializeEvent(&helper->begun, NotificationEvent, FALSE);
    assert_int_equal(
        PsCreateSystemThread(&handle, THREAD_ALL_ACCESS, NULL, NULL, NULL, run_helper, helper),
        STATUS_SUCCESS);
    ObReferenceObjectByHandle(handle, 0, *PsThreadType, KernelMode, &thread, NULL);
    ZwClose(handle);
    return thread;
}

static void end(PVOID thread)
{
    KeWaitForSingleObject(thread, Executive, KernelMode, FALSE, NULL);
    ObDereferenceObject(thread);
}

static void do_on_a_thread(struct helper *helper)
{
    end(begin(helper));
}

/* ---- sums under a spin lock ---- */

struct sums {
    KSPIN_LOCK lock, large_lock;
    ULONG sum;
    LARGE_INTEGER large;
};

static void add_to_both(struct helper *helper)
{
    struct sums *sums = helper->lock;

    for (int i = 0; i < 200; i++) {
        ExInterlockedAddUlong(&sums->sum, 1, &sums->lock);
        ExInterlockedAddLargeInteger(&sums->large, (LARGE_INTEGER){.QuadPart = -1},
                                     &sums->large_lock);
    }
}

static void interlocked_sums_answer_what_was_there(void **state)
{
    struct rig rig;
    struct sums sums = {.sum = 0xFFFFFFFF, .large.QuadPart = 0x1FFFFFFFF};
    struct helper helper = {.work = add_to_both, .lock = &sums};
    PVOID threads[3];

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(ExInterlockedAddUlong(&sums.sum, 2, &sums.lock), 0xFFFFFFFF);
    assert_int_equal(sums.sum, 1);
    assert_int_equal(
        ExInterlockedAddLargeInteger(&sums.large, (LARGE_INTEGER){.QuadPart = 1}, &sums.large_lock)
            .QuadPart,
        0x1FFFFFFFF);
    assert_int_equal(sums.large.QuadPart, 0x200000000);
    KfRaiseIrql(HIGH_LEVEL); /* at any level */
    ExInterlockedAddUlong(&sums.sum, 1, &sums.lock);
    assert_int_equal(KeGetCurrentIrql(), HIGH_LEVEL);
    KeLowerIrql(PASSIVE_LEVEL);
    for (int i = 0; i < 3; i++)
        threads[i] = begin(&helper);
    for (int i = 0; i < 3; i++)
        end(threads[i]);
    assert_int_equal(sums.sum, 602);
    assert_int_equal(sums.large.QuadPart, 0x200000000 - 600);
    rig_stop(&rig);
}

/* ---- fast mutexes ---- */

static void try_fast_mutex(struct helper *helper)
{
    helper->answer = ExTryToAcquireFastMutex(helper->lock);
    if (helper->answer)
        ExReleaseFastMutex(helper->lock);
}

static void an_unsafe_fast_mutex_leaves_the_level_to_its_caller(void **state)
{
    struct rig rig;
    FAST_MUTEX mutex;
    struct helper helper = {.work = try_fast_mutex, .lock = &mutex};

    (void)state;
    rig_start(&rig, NULL);
    ExInitializeFastMutex(&mutex);
    KeEnterCriticalRegion();
    ExAcquireFastMutexUnsafe(&mutex);
    assert_int_equal(KeGetCurrentIrql(), PASSIVE_LEVEL);
    do_on_a_thread(&helper);
    assert_false(helper.answer);
    ExReleaseFastMutexUnsafe(&mutex);
    KeLeaveCriticalRegion();
    do_on_a_thread(&helper);
    assert_true(helper.answer);
    KfRaiseIrql(APC_LEVEL);
    ExAcquireFastMutexUnsafe(&mutex);
    ExReleaseFastMutexUnsafe(&mutex);
    assert_int_equal(KeGetCurrentIrql(), APC_LEVEL);
    KeLowerIrql(PASSIVE_LEVEL);
    rig_stop(&rig);
}

static void an_unsafe_fast_mutex_misused_is_found(void **state)
{
    struct rig rig;
    FAST_MUTEX mutex;

    (void)state;
    rig_start(&rig, NULL);
    ExInitializeFastMutex(&mutex);
    ExReleaseFastMutexUnsafe(&mutex);
    assert_found(&rig, NOT_OWNER, 1);
    ExAcquireFastMutexUnsafe(&mutex); /* APCs are not disabled */
    assert_found(&rig, IRQL_TOO_LOW, 1);
    KfRaiseIrql(DISPATCH_LEVEL);
    ExReleaseFastMutexUnsafe(&mutex);
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeLowerIrql(APC_LEVEL);
    ExAcquireFastMutexUnsafe(&mutex);
    if (setjmp(rig.end) == 0) {
        ExAcquireFastMutexUnsafe(&mutex);
        fail();
    }
    assert_found(&rig, LOCK_TAKEN_TWICE, 1);
    ExReleaseFastMutexUnsafe(&mutex);
    KeLowerIrql(PASSIVE_LEVEL);
    rig_stop(&rig);
}

/* ---- guarded mutexes ---- */

static void try_guarded_mutex(struct helper *helper)
{
    helper->answer = KeTryToAcquireGuardedMutex(helper->lock);
    if (!helper->answer)
        return;
    helper->answer += KeAreAllApcsDisabled();
    KeReleaseGuardedMutex(helper->lock);
    helper->answer += KeAreAllApcsDisabled() ? 100 : 0;
}

static void a_guarded_mutex_is_a_guarded_region(void **state)
{
    struct rig rig;
    KGUARDED_MUTEX mutex;
    struct helper helper = {.work = try_guarded_mutex, .lock = &mutex};

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeGuardedMutex(&mutex);
    KeAcquireGuardedMutex(&mutex);
    assert_int_equal(KeGetCurrentIrql(), PASSIVE_LEVEL);
    assert_true(KeAreAllApcsDisabled());
    do_on_a_thread(&helper);
    assert_int_equal(helper.answer, 0);
    KeReleaseGuardedMutex(&mutex);
    assert_false(KeAreAllApcsDisabled());
    do_on_a_thread(&helper);
    assert_int_equal(helper.answer, 2);
    rig_stop(&rig);
}

static void a_guarded_mutex_misused_is_found(void **state)
{
    struct rig rig;
    KGUARDED_MUTEX mutex;

    (void)state;
    rig_start(&rig, NULL);
    KfRaiseIrql(DISPATCH_LEVEL);
    KeInitializeGuardedMutex(&mutex);
    assert_true(KeTryToAcquireGuardedMutex(&mutex));
    KeReleaseGuardedMutex(&mutex);
    assert_found(&rig, IRQL_TOO_HIGH, 3);
    KeLowerIrql(PASSIVE_LEVEL);
    KeReleaseGuardedMutex(&mutex);
    assert_found(&rig, NOT_OWNER, 1);
    KeAcquireGuardedMutex(&mutex);
    if (setjmp(rig.end) == 0) {
        KeAcquireGuardedMutex(&mutex);
        fail();
    }
    assert_found(&rig, LOCK_TAKEN_TWICE, 1);
    KeReleaseGuardedMutex(&mutex);
    rig_stop(&rig);
}

/* ---- resources ---- */

/* 1: got it shared; 2: exclusively; 0: neither. */
static void try_resource(struct helper *helper)
{
    KeEnterCriticalRegion();
    helper->answer = 0;
    if (ExAcquireResourceExclusiveLite(helper->lock, FALSE))
        helper->answer = 2;
    else if (ExAcquireResourceSharedLite(helper->lock, FALSE))
        helper->answer = 1;
    if (helper->answer)
        ExReleaseResourceLite(helper->lock);
    KeLeaveCriticalRegion();
}

static void a_resource_counts_what_its_caller_has(void **state)
{
    struct rig rig;
    ERESOURCE resource;
    struct helper helper = {.work = try_resource, .lock = &resource};

    (void)state;
    rig_start(&rig, NULL);
    ExInitializeResourceLite(&resource);
    assert_int_equal(ExIsResourceAcquiredSharedLite(&resource), 0);
    assert_true(ExAcquireResourceSharedLite(&resource, TRUE));
    assert_true(ExAcquireResourceSharedLite(&resource, TRUE));
    assert_int_equal(ExIsResourceAcquiredSharedLite(&resource), 2);
    assert_false(ExIsResourceAcquiredExclusiveLite(&resource));
    do_on_a_thread(&helper);
    assert_int_equal(helper.answer, 1);
    ExReleaseResourceLite(&resource);
    ExReleaseResourceLite(&resource);
    assert_true(ExAcquireResourceExclusiveLite(&resource, TRUE));
    assert_true(ExAcquireResourceSharedLite(&resource, TRUE)); /* stays exclusive */
    assert_true(ExIsResourceAcquiredExclusiveLite(&resource));
    assert_int_equal(ExIsResourceAcquiredSharedLite(&resource), 2);
    do_on_a_thread(&helper);
    assert_int_equal(helper.answer, 0);
    ExReleaseResourceLite(&resource);
    ExReleaseResourceLite(&resource);
    do_on_a_thread(&helper);
    assert_int_equal(helper.answer, 2);
    ExDeleteResourceLite(&resource);
    rig_stop(&rig);
}

static void ask_resource(struct helper *helper)
{
    helper->answer = (LONG)ExIsResourceAcquiredSharedLite(helper->lock) +
                     ExIsResourceAcquiredExclusiveLite(helper->lock) * 10;
    ExReleaseResourceLite(helper->lock);
}

static void what_another_thread_has_is_not_the_callers(void **state)
{
    struct rig rig;
    ERESOURCE resource;
    struct helper helper = {.work = ask_resource, .lock = &resource};

    (void)state;
    rig_start(&rig, NULL);
    ExInitializeResourceLite(&resource);
    ExAcquireResourceSharedLite(&resource, TRUE);
    do_on_a_thread(&helper);
    assert_int_equal(helper.answer, 0);
    assert_found(&rig, LOCK_NOT_HELD, 1);
    assert_int_equal(ExIsResourceAcquiredSharedLite(&resource), 1);
    ExReleaseResourceLite(&resource);
    ExAcquireResourceExclusiveLite(&resource, TRUE);
    do_on_a_thread(&helper);
    assert_int_equal(helper.answer, 0);
    assert_found(&rig, LOCK_NOT_HELD, 1);
    ExReleaseResourceLite(&resource);
    ExDeleteResourceLite(&resource);
    rig_stop(&rig);
}

static void take_resource(struct helper *helper)
{
    KeSetEvent(&helper->begun, 0, FALSE);
    ExAcquireResourceExclusiveLite(helper->lock, TRUE);
    helper->answer = 1;
    ExReleaseResourceLite(helper->lock);
}

/* Until somebody waits for exclusive use, by the words of try_resource. */
static void wait_for_a_waiter(struct helper *probe)
{
    LARGE_INTEGER moment = in_ms(5);

    for (int i = 0; i < 400; i++) {
        do_on_a_thread(probe);
        if (probe->answer == 0)
            return;
        KeDelayExecutionThread(KernelMode, FALSE, &moment);
    }
    fail_msg("nobody waits");
}

static void who_asks_for_shared_use_stands_behind_who_waits_for_exclusive(void **state)
{
    struct rig rig;
    ERESOURCE resource;
    struct helper writer = {.work = take_resource, .lock = &resource};
    struct helper probe = {.work = try_resource, .lock = &resource};
    PVOID thread;

    (void)state;
    rig_start(&rig, NULL);
    ExInitializeResourceLite(&resource);
    ExAcquireResourceSharedLite(&resource, TRUE);
    thread = begin(&writer);
    wait_for_a_waiter(&probe); /* others are refused from then on ... */
    assert_true(ExAcquireResourceSharedLite(&resource, FALSE)); /* ... but not who has it */
    ExReleaseResourceLite(&resource);
    ExReleaseResourceLite(&resource);
    end(thread);
    assert_int_equal(writer.answer, 1);
    ExDeleteResourceLite(&resource);
    rig_stop(&rig);
}

static void a_resource_misused_is_found(void **state)
{
    struct rig rig;
    ERESOURCE resource;

    (void)state;
    rig_start(&rig, NULL);
    memset(&resource, 0, sizeof(resource));
    assert_false(ExAcquireResourceSharedLite(&resource, TRUE));
    assert_found(&rig, NOT_INITIALIZED, 1);
    ExInitializeResourceLite(&resource);
    ExAcquireResourceSharedLite(&resource, TRUE);
    assert_false(ExAcquireResourceExclusiveLite(&resource, TRUE)); /* would wait for itself */
    assert_found(&rig, LOCK_TAKEN_TWICE, 1);
    assert_int_equal(ExReinitializeResourceLite(&resource), STATUS_SUCCESS);
    assert_found(&rig, FREED_IN_USE, 1);
    assert_int_equal(ExIsResourceAcquiredSharedLite(&resource), 0);
    KfRaiseIrql(DISPATCH_LEVEL);
    ExAcquireResourceSharedLite(&resource, TRUE);
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    ExReleaseResourceLite(&resource);
    KeLowerIrql(PASSIVE_LEVEL);
    ExDeleteResourceLite(&resource);
    rig_stop(&rig);
}

/* ---- spin locks ---- */

static void a_spin_lock_for_a_dpc_raises_only_from_below(void **state)
{
    struct rig rig;
    KSPIN_LOCK lock;
    KIRQL irql;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeSpinLock(&lock);
    irql = KeAcquireSpinLockForDpc(&lock);
    assert_int_equal(irql, PASSIVE_LEVEL);
    assert_int_equal(KeGetCurrentIrql(), DISPATCH_LEVEL);
    KeReleaseSpinLockForDpc(&lock, irql);
    assert_int_equal(KeGetCurrentIrql(), PASSIVE_LEVEL);
    KfRaiseIrql(DISPATCH_LEVEL);
    irql = KeAcquireSpinLockForDpc(&lock);
    assert_int_equal(irql, DISPATCH_LEVEL);
    KeReleaseSpinLockForDpc(&lock, irql);
    assert_int_equal(KeGetCurrentIrql(), DISPATCH_LEVEL);
    KeReleaseSpinLockForDpc(&lock, DISPATCH_LEVEL);
    assert_found(&rig, LOCK_NOT_HELD, 1);
    KeLowerIrql(PASSIVE_LEVEL);
    rig_stop(&rig);
}

static void a_queued_spin_lock_at_dispatch_level_keeps_the_level(void **state)
{
    struct rig rig;
    KSPIN_LOCK lock;
    KLOCK_QUEUE_HANDLE handle;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeSpinLock(&lock);
    KfRaiseIrql(DISPATCH_LEVEL);
    KeAcquireInStackQueuedSpinLockAtDpcLevel(&lock, &handle);
    assert_false(KeTestSpinLock(&lock));
    KeReleaseInStackQueuedSpinLockFromDpcLevel(&handle);
    assert_true(KeTestSpinLock(&lock));
    assert_int_equal(KeGetCurrentIrql(), DISPATCH_LEVEL);
    KeReleaseInStackQueuedSpinLockFromDpcLevel(&handle);
    assert_found(&rig, LOCK_NOT_HELD, 1);
    KeLowerIrql(PASSIVE_LEVEL);
    KeAcquireInStackQueuedSpinLockAtDpcLevel(&lock, &handle);
    KeReleaseInStackQueuedSpinLockFromDpcLevel(&handle);
    assert_found(&rig, IRQL_TOO_LOW, 2);
    rig_stop(&rig);
}

static void read_beside_another_reader(struct helper *helper)
{
    KIRQL irql = ExAcquireSpinLockShared(helper->lock);

    helper->answer = 1; /* while the test holds it as well */
    ExReleaseSpinLockShared(helper->lock, irql);
}

static void readers_share_a_spin_lock(void **state)
{
    struct rig rig;
    EX_SPIN_LOCK lock = 0;
    struct helper helper = {.work = read_beside_another_reader, .lock = &lock};
    PVOID thread;
    KIRQL irql;

    (void)state;
    rig_start(&rig, NULL);
    irql = ExAcquireSpinLockShared(&lock);
    assert_int_equal(irql, PASSIVE_LEVEL);
    assert_int_equal(KeGetCurrentIrql(), DISPATCH_LEVEL);
    ExReleaseSpinLockShared(&lock, irql);
    assert_int_equal(KeGetCurrentIrql(), PASSIVE_LEVEL);
    KfRaiseIrql(DISPATCH_LEVEL); /* a reader, and then a second thread beside it */
    ExAcquireSpinLockSharedAtDpcLevel(&lock);
    KeLowerIrql(PASSIVE_LEVEL);
    thread = begin(&helper);
    end(thread);
    assert_int_equal(helper.answer, 1);
    KfRaiseIrql(DISPATCH_LEVEL);
    ExReleaseSpinLockShared(&lock, PASSIVE_LEVEL);
    assert_int_equal(lock, 0);
    rig_stop(&rig);
}

static void count_as_a_writer(struct helper *helper)
{
    struct {
        EX_SPIN_LOCK lock;
        LONG count;
    } *counted = helper->lock;

    for (int i = 0; i < 300; i++) {
        KIRQL irql = ExAcquireSpinLockExclusive(&counted->lock);
        counted->count++;
        ExReleaseSpinLockExclusive(&counted->lock, irql);
        irql = ExAcquireSpinLockShared(&counted->lock);
        helper->answer = counted->count;
        ExReleaseSpinLockShared(&counted->lock, irql);
    }
}

static void writers_of_a_spin_lock_exclude_everybody(void **state)
{
    struct rig rig;
    struct {
        EX_SPIN_LOCK lock;
        LONG count;
    } counted = {0, 0};
    struct helper helpers[3];
    PVOID threads[3];

    (void)state;
    rig_start(&rig, NULL);
    for (int i = 0; i < 3; i++) {
        helpers[i] = (struct helper){.work = count_as_a_writer, .lock = &counted};
        threads[i] = begin(&helpers[i]);
    }
    for (int i = 0; i < 3; i++)
        end(threads[i]);
    assert_int_equal(counted.count, 900);
    assert_int_equal(counted.lock, 0);
    rig_stop(&rig);
}

static void a_shared_spin_lock_misused_is_found(void **state)
{
    struct rig rig;
    EX_SPIN_LOCK lock = 0;
    KIRQL irql;

    (void)state;
    rig_start(&rig, NULL);
    irql = ExAcquireSpinLockExclusive(&lock);
    assert_int_equal(irql, PASSIVE_LEVEL);
    if (setjmp(rig.end) == 0) {
        ExAcquireSpinLockExclusive(&lock);
        fail();
    }
    assert_int_equal(rig.check.code, SPIN_LOCK_ALREADY_OWNED);
    if (setjmp(rig.end) == 0) {
        ExAcquireSpinLockShared(&lock);
        fail();
    }
    assert_found(&rig, LOCK_TAKEN_TWICE, 2);
    ExReleaseSpinLockShared(&lock, PASSIVE_LEVEL); /* it is held the other way */
    assert_found(&rig, LOCK_NOT_HELD, 1);
    ExReleaseSpinLockExclusive(&lock, PASSIVE_LEVEL);
    assert_int_equal(KeGetCurrentIrql(), PASSIVE_LEVEL);
    KfRaiseIrql(DISPATCH_LEVEL);
    ExReleaseSpinLockExclusive(&lock, PASSIVE_LEVEL);
    assert_found(&rig, LOCK_NOT_HELD, 1);
    irql = ExAcquireSpinLockExclusive(&lock);
    ExReleaseSpinLockExclusive(&lock, HIGH_LEVEL);
    assert_found(&rig, IRQL_WRONG_WAY, 1);
    assert_int_equal(lock, 0);
    KfRaiseIrql(HIGH_LEVEL);
    ExAcquireSpinLockShared(&lock);
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    ExReleaseSpinLockShared(&lock, PASSIVE_LEVEL);
    rig_stop(&rig);
}

static void more_spin_locks_than_a_list_has_room_for_are_counted(void **state)
{
    static EX_SPIN_LOCK locks[KIT_SHARED_LOCKS + 3];
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    KfRaiseIrql(DISPATCH_LEVEL);
    for (unsigned i = 0; i < ARRAYSIZE(locks); i++)
        ExAcquireSpinLockSharedAtDpcLevel(&locks[i]);
    for (unsigned i = 0; i < ARRAYSIZE(locks); i++)
        ExReleaseSpinLockSharedFromDpcLevel(&locks[i]);
    assert_nothing_found(&rig);
    ExReleaseSpinLockSharedFromDpcLevel(&locks[0]);
    assert_found(&rig, LOCK_NOT_HELD, 1);
    KeLowerIrql(PASSIVE_LEVEL);
    rig_stop(&rig);
}

/* ---- what the machine is ---- */

static void features_are_those_of_every_x64_processor(void **state)
{
    static const ULONG there[] = {PF_COMPARE_EXCHANGE_DOUBLE,
                                  PF_MMX_INSTRUCTIONS_AVAILABLE,
                                  PF_XMMI_INSTRUCTIONS_AVAILABLE,
                                  PF_RDTSC_INSTRUCTION_AVAILABLE,
                                  PF_PAE_ENABLED,
                                  PF_XMMI64_INSTRUCTIONS_AVAILABLE,
                                  PF_NX_ENABLED,
                                  PF_SSE3_INSTRUCTIONS_AVAILABLE,
                                  PF_COMPARE_EXCHANGE128};
    static const ULONG not_there[] = {PF_FLOATING_POINT_PRECISION_ERRATA,
                                      PF_FLOATING_POINT_EMULATED, PF_3DNOW_INSTRUCTIONS_AVAILABLE,
                                      PF_XSAVE_ENABLED, 999};
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    for (unsigned i = 0; i < ARRAYSIZE(there); i++)
        assert_true(ExIsProcessorFeaturePresent(there[i]));
    for (unsigned i = 0; i < ARRAYSIZE(not_there); i++)
        assert_false(ExIsProcessorFeaturePresent(not_there[i]));
    assert_int_equal(ExGetPreviousMode(), KernelMode);
    KfRaiseIrql(APC_LEVEL);
    ExIsProcessorFeaturePresent(PF_NX_ENABLED);
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeLowerIrql(PASSIVE_LEVEL);
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interlocked_sums_answer_what_was_there),
        cmocka_unit_test(an_unsafe_fast_mutex_leaves_the_level_to_its_caller),
        cmocka_unit_test(an_unsafe_fast_mutex_misused_is_found),
        cmocka_unit_test(a_guarded_mutex_is_a_guarded_region),
        cmocka_unit_test(a_guarded_mutex_misused_is_found),
        cmocka_unit_test(a_resource_counts_what_its_caller_has),
        cmocka_unit_test(what_another_thread_has_is_not_the_callers),
        cmocka_unit_test(who_asks_for_shared_use_stands_behind_who_waits_for_exclusive),
        cmocka_unit_test(a_resource_misused_is_found),
        cmocka_unit_test(a_spin_lock_for_a_dpc_raises_only_from_below),
        cmocka_unit_test(a_queued_spin_lock_at_dispatch_level_keeps_the_level),
        cmocka_unit_test(readers_share_a_spin_lock),
        cmocka_unit_test(writers_of_a_spin_lock_exclude_everybody),
        cmocka_unit_test(a_shared_spin_lock_misused_is_found),
        cmocka_unit_test(more_spin_locks_than_a_list_has_room_for_are_counted),
        cmocka_unit_test(features_are_those_of_every_x64_processor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
