/* The kernel itself: its clocks, and its end by a bug check. */
#include "rig.h"

#define SECOND 10000000 /* in units of 100 ns */

/* ---- clocks ---- */

static void the_clocks_agree_on_how_long_it_took(void **state)
{
    struct rig rig;
    LARGE_INTEGER frequency, before, after, ticks;
    ULONGLONG interrupt, took;

    (void)state;
    rig_start(&rig, NULL);
    before = KeQueryPerformanceCounter(&frequency);
    interrupt = KeQueryInterruptTime();
    assert_true(frequency.QuadPart >= 1000000);
    LARGE_INTEGER interval = in_ms(40);
    KeDelayExecutionThread(KernelMode, FALSE, &interval);
    after = KeQueryPerformanceCounter(NULL);
    took = KeQueryInterruptTime() - interrupt;
    assert_true(took >= SECOND / 25);
    assert_true((ULONGLONG)((after.QuadPart - before.QuadPart) * SECOND / frequency.QuadPart) <=
                took + SECOND / 1000);
    KeQueryTickCount(&ticks);
    interrupt = KeQueryInterruptTime();
    took = (ULONGLONG)ticks.QuadPart * KeQueryTimeIncrement();
    assert_true(took <= interrupt);
    assert_true(took + 2 * KeQueryTimeIncrement() + SECOND > interrupt);
    rig_stop(&rig);
}

static void precise_time_comes_with_the_counter_it_was_read_at(void **state)
{
    struct rig rig;
    ULONG64 stamp;
    ULONGLONG precise, unbiased;
    LARGE_INTEGER before, after;

    (void)state;
    rig_start(&rig, NULL);
    KfRaiseIrql(HIGH_LEVEL); /* at any level */
    before = KeQueryPerformanceCounter(NULL);
    precise = KeQueryInterruptTimePrecise(&stamp);
    after = KeQueryPerformanceCounter(NULL);
    assert_in_range(stamp, before.QuadPart, after.QuadPart);
    unbiased = KeQueryUnbiasedInterruptTime(); /* the machine never sleeps */
    assert_true(unbiased >= precise);
    assert_true(unbiased <= KeQueryInterruptTime());
    KeLowerIrql(PASSIVE_LEVEL);
    rig_stop(&rig);
}

static void system_time_counts_from_1601_and_local_time_is_told_from_it(void **state)
{
    struct rig rig;
    LARGE_INTEGER time, precise, local, back;
    TIME_FIELDS fields;

    (void)state;
    rig_start(&rig, NULL);
    KeQuerySystemTime(&time);
    KeQuerySystemTimePrecise(&precise);
    assert_in_range(precise.QuadPart - time.QuadPart, 0, 10ll * SECOND);
    RtlTimeToTimeFields(&time, &fields);
    assert_in_range(fields.Year, 2020, 2200);
    ExSystemTimeToLocalTime(&time, &local);
    assert_in_range(local.QuadPart - time.QuadPart + 24ll * 3600 * SECOND, 0, 48ll * 3600 * SECOND);
    ExLocalTimeToSystemTime(&local, &back);
    assert_int_equal(back.QuadPart, time.QuadPart);
    ExSystemTimeToLocalTime(&back, &back); /* in place */
    assert_int_equal(back.QuadPart, local.QuadPart);
    rig_stop(&rig);
}

/* ---- bug checks ---- */

static void a_bug_check_has_its_code_and_parameters(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    if (setjmp(rig.end) == 0) {
        KeBugCheck(0xE2);
        fail();
    }
    assert_int_equal(rig.check.code, 0xE2);
    for (int i = 0; i < 4; i++)
        assert_int_equal(rig.check.parameters[i], 0);
    if (setjmp(rig.end) == 0) {
        KfRaiseIrql(HIGH_LEVEL);
        KeBugCheckEx(0x119, 1, 2, 3, (ULONG_PTR)-1);
        fail();
    }
    KeLowerIrql(PASSIVE_LEVEL);
    assert_int_equal(rig.check.code, 0x119);
    for (int i = 0; i < 3; i++)
        assert_int_equal(rig.check.parameters[i], i + 1);
    assert_int_equal(rig.check.parameters[3], UINT64_MAX);
    assert_found(&rig, BUG_CHECK, 2);
    rig_stop(&rig);
}

static VOID on_bug_check(KBUGCHECK_CALLBACK_REASON reason, PKBUGCHECK_REASON_CALLBACK_RECORD record,
                         PVOID data, ULONG length)
{
    (void)reason, (void)record, (void)data, (void)length;
}

static void a_callback_is_registered_once(void **state)
{
    struct rig rig;
    KBUGCHECK_REASON_CALLBACK_RECORD record;
    UCHAR component[] = "gpu";

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeCallbackRecord(&record);
    assert_false(KeDeregisterBugCheckReasonCallback(&record));
    assert_true(KeRegisterBugCheckReasonCallback(&record, on_bug_check, KbCallbackSecondaryDumpData,
                                                 component));
    assert_ptr_equal(record.Component, component);
    assert_false(KeRegisterBugCheckReasonCallback(&record, on_bug_check,
                                                  KbCallbackSecondaryDumpData, component));
    assert_true(KeDeregisterBugCheckReasonCallback(&record));
    assert_false(KeDeregisterBugCheckReasonCallback(&record));
    assert_true(KeRegisterBugCheckReasonCallback(&record, on_bug_check, KbCallbackSecondaryDumpData,
                                                 component));
    assert_true(KeDeregisterBugCheckReasonCallback(&record));
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clocks_agree_on_how_long_it_took),
        cmocka_unit_test(precise_time_comes_with_the_counter_it_was_read_at),
        cmocka_unit_test(system_time_counts_from_1601_and_local_time_is_told_from_it),
        cmocka_unit_test(a_bug_check_has_its_code_and_parameters),
        cmocka_unit_test(a_callback_is_registered_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
