/* Bitmaps, versions, times, random numbers, and what a driver prints. */
#include "rig.h"

#include <kit/WppRecorder.h>

static void memory_is_compared_and_filled_by_words(void **state)
{
    ULONG words[3] = {1, 2, 3};

    (void)state;
    assert_int_equal(RtlCompareMemory("abcd", "abXd", 4), 2);
    assert_int_equal(RtlCompareMemory("abcd", "abcd", 4), 4);
    RtlFillMemoryUlong(words, 8, 0xA5A5A5A5);
    assert_int_equal(words[1], 0xA5A5A5A5);
    assert_int_equal(words[2], 3);
}

static void bits_are_set_tested_and_found(void **state)
{
    struct rig rig;
    ULONG bits[2];
    RTL_BITMAP map;

    (void)state;
    rig_start(&rig, NULL);
    RtlInitializeBitMap(&map, bits, 50);
    RtlSetAllBits(&map);
    assert_int_equal(RtlNumberOfClearBits(&map), 0);
    RtlClearBits(&map, 4, 10);
    assert_int_equal(RtlNumberOfClearBits(&map), 10);
    assert_false(RtlTestBit(&map, 4));
    assert_true(RtlTestBit(&map, 14));
    assert_true(RtlAreBitsClear(&map, 4, 10));
    assert_false(RtlAreBitsClear(&map, 4, 11));
    assert_false(RtlAreBitsClear(&map, 4, 0));
    assert_false(RtlAreBitsSet(&map, 49, 2)); /* not within the map */
    assert_int_equal(RtlFindSetBits(&map, 5, 0), 14);
    assert_int_equal(RtlFindSetBits(&map, 4, 0), 0);
    assert_int_equal(RtlFindSetBits(&map, 4, 40), 40);
    assert_int_equal(RtlFindSetBits(&map, 40, 0), 0xFFFFFFFF);
    assert_int_equal(RtlFindSetBits(&map, 0, 21), 16);          /* the beginning of the byte */
    assert_int_equal(RtlFindSetBitsAndClear(&map, 36, 30), 14); /* from the hint, then anew */
    assert_int_equal(RtlNumberOfSetBits(&map), 4);
    assert_false(RtlTestBit(&map, 50));
    assert_found(&rig, BAD_ARGUMENT, 1);
    assert_int_equal(RtlFindMostSignificantBit(0x8001), 15);
    assert_int_equal(RtlFindLeastSignificantBit(0x8010), 4);
    assert_int_equal(RtlFindMostSignificantBit(0), -1);
    assert_int_equal(RtlFindLeastSignificantBit(0), -1);
    rig_stop(&rig);
}

static NTSTATUS verify(ULONG major, ULONG minor, ULONG build, ULONG types, UCHAR condition)
{
    RTL_OSVERSIONINFOEXW wanted = {.dwOSVersionInfoSize = sizeof(wanted),
                                   .dwMajorVersion = major,
                                   .dwMinorVersion = minor,
                                   .dwBuildNumber = build};

    return RtlVerifyVersionInfo(&wanted, types, VerSetConditionMask(0, types, condition));
}

static void the_version_is_compared_as_a_driver_wants_it(void **state)
{
    const ULONG both = VER_MAJORVERSION | VER_MINORVERSION;
    struct rig rig;
    ULONG major, minor, build;
    UNICODE_STRING pack = {2, 2, NULL};

    (void)state;
    rig_start(&rig, "windows 6.3.9600\n");
    assert_false(PsGetVersion(&major, &minor, &build, &pack));
    assert_int_equal(major * 100 + minor, 603);
    assert_int_equal(build, 9600);
    assert_int_equal(pack.Length, 0);
    assert_int_equal(verify(6, 2, 0, both, VER_GREATER_EQUAL), 0);
    assert_int_equal(verify(6, 4, 0, both, VER_GREATER_EQUAL), STATUS_REVISION_MISMATCH);
    assert_int_equal(verify(5, 9, 0, both, VER_GREATER), 0); /* 6.3 is above 5.9 */
    assert_int_equal(verify(6, 3, 0, both, VER_EQUAL), 0);
    assert_int_equal(verify(6, 0, 0, VER_MAJORVERSION, VER_LESS_EQUAL), 0);
    assert_int_equal(verify(0, 3, 0, VER_MINORVERSION, VER_LESS), STATUS_REVISION_MISMATCH);
    assert_int_equal(verify(0, 0, 9601, VER_BUILDNUMBER, VER_LESS), 0);
    assert_int_equal(verify(0, 0, 0, 0, VER_EQUAL), STATUS_INVALID_PARAMETER);
    assert_true(RtlIsNtDdiVersionAvailable(0x06030000));
    assert_false(RtlIsNtDdiVersionAvailable(0x0A000000));
    assert_true(IoIsWdmVersionAvailable(1, 0x10));
    assert_true(IoIsWdmVersionAvailable(6, 0));
    assert_false(IoIsWdmVersionAvailable(6, 1)); /* WDM ended with 6.0 */
    rig_stop(&rig);
}

static void time_goes_to_a_calendar_and_back(void **state)
{
    static const struct {
        LONGLONG days;
        TIME_FIELDS fields;
    } rows[] = {
        {0, {.Year = 1601, .Month = 1, .Day = 1, .Weekday = 1}},
        {134774, {.Year = 1970, .Month = 1, .Day = 1, .Weekday = 4}},
        {145790, {.Year = 2000, .Month = 2, .Day = 29, .Weekday = 2}},
        {182314, {.Year = 2100, .Month = 2, .Day = 28, .Weekday = 0}},
    };
    TIME_FIELDS fields, wrong = {.Year = 2100, .Month = 2, .Day = 29};
    LARGE_INTEGER time, again;

    (void)state;
    for (size_t i = 0; i < ARRAYSIZE(rows); i++) {
        time.QuadPart = rows[i].days * 864000000000 + 1 * 36000000000 + 2 * 600000000 +
                        3 * 10000000 + 4 * 10000;
        RtlTimeToTimeFields(&time, &fields);
        assert_int_equal(fields.Year, rows[i].fields.Year);
        assert_int_equal(fields.Month, rows[i].fields.Month);
        assert_int_equal(fields.Day, rows[i].fields.Day);
        assert_int_equal(fields.Weekday, rows[i].fields.Weekday);
        assert_int_equal(fields.Hour, 1);
        assert_int_equal(fields.Minute, 2);
        assert_int_equal(fields.Second, 3);
        assert_int_equal(fields.Milliseconds, 4);
        assert_true(RtlTimeFieldsToTime(&fields, &again));
        assert_true(again.QuadPart == time.QuadPart);
    }
    assert_false(RtlTimeFieldsToTime(&wrong, &time)); /* no leap year */
    fields.Minute = -1;
    assert_false(RtlTimeFieldsToTime(&fields, &time));
    fields.Minute = 0;
    fields.Milliseconds = 1000;
    assert_false(RtlTimeFieldsToTime(&fields, &time));
}

static void random_numbers_follow_from_their_seed(void **state)
{
    ULONG seed = 1, same = 1, first = RtlRandomEx(&seed);

    (void)state;
    assert_int_equal(RtlRandom(&same), first);
    assert_int_equal(seed, same);
    for (unsigned i = 0; i < 1000; i++)
        assert_true(RtlRandomEx(&seed) <= 0x7FFFFFFF); /* MAXLONG at most */
    assert_int_not_equal(RtlRandomEx(&seed), first);
}

static void say(const char *prefix, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (prefix)
        vDbgPrintExWithPrefix(prefix, DPFLTR_IHVVIDEO_ID, DPFLTR_ERROR_LEVEL, format, arguments);
    else
        vDbgPrintEx(DPFLTR_IHVVIDEO_ID, DPFLTR_ERROR_LEVEL, format, arguments);
    va_end(arguments);
}

static void a_driver_prints_and_there_is_nobody_to_answer(void **state)
{
    struct rig rig;
    char answer[4] = "abc";

    (void)state;
    rig_start(&rig, NULL);
    say(NULL, "%d\n", 5);
    assert_string_equal(rig.printed, "5\n");
    say("gpu: ", "%d\n", 6);
    assert_string_equal(rig.printed, "gpu: 6\n");
    assert_int_equal(DbgPrompt("continue? ", answer, sizeof(answer)), 0);
    assert_string_equal(rig.printed, "continue? ");
    assert_string_equal(answer, "");
    assert_true(KdRefreshDebuggerNotPresent());
    assert_int_equal(KdDisableDebugger(), 0);
    assert_int_equal(KdEnableDebugger(), 0);
    DbgBreakPointWithStatus(0x1234);
    assert_found(&rig, BREAK_POINT, 1);
    assert_string_equal(rig.text, "DbgBreakPointWithStatus(0x1234)");
    rig_stop(&rig);
}

static void traces_are_taken_and_nobody_listens(void **state)
{
    static const GUID provider = {1, 2, 3, {4}};
    EVENT_DESCRIPTOR event = {0};
    RECORDER_CONFIGURE_PARAMS params = {.Size = sizeof(params)};
    struct rig rig;
    RECORDER_LOG log = NULL;
    REGHANDLE handle = 0;

    (void)state;
    rig_start(&rig, NULL);
    WppRecorderConfigure(&params);
    params.Size = 1;
    WppRecorderConfigure(&params);
    assert_found(&rig, NOT_INITIALIZED, 1);
    assert_int_equal(WppRecorderLogCreate(NULL, &log), 0);
    assert_non_null(log);
    WppRecorderLogDelete(log);
    assert_non_null(WppRecorderLogGetDefault());
    assert_int_equal(EtwRegister(&provider, NULL, NULL, &handle), 0);
    assert_false(EtwEventEnabled(handle, &event));
    assert_false(EtwProviderEnabled(handle, 5, 0));
    assert_int_equal(EtwWrite(handle, &event, NULL, 0, NULL), 0);
    assert_int_equal(EtwUnregister(handle), 0);
    assert_int_equal(EtwWrite(0, &event, NULL, 0, NULL), STATUS_INVALID_HANDLE);
    assert_int_equal(EtwUnregister(0), STATUS_INVALID_HANDLE);
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_compared_and_filled_by_words),
        cmocka_unit_test(bits_are_set_tested_and_found),
        cmocka_unit_test(the_version_is_compared_as_a_driver_wants_it),
        cmocka_unit_test(time_goes_to_a_calendar_and_back),
        cmocka_unit_test(random_numbers_follow_from_their_seed),
        cmocka_unit_test(a_driver_prints_and_there_is_nobody_to_answer),
        cmocka_unit_test(traces_are_taken_and_nobody_listens),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
