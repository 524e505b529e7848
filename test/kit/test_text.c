/* Formats, text, bitmaps, the registry, versions, __try in C. */
#include <sys/mman.h>

#include "rig.h"

#include <kit/WppRecorder.h>

static void formats_are_those_of_drivers(void **state)
{
    static const GUID guid = {1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11}};
    DECLARE_CONST_UNICODE_STRING(counted, L"wide");
    struct rig rig;
    char text[200];
    WCHAR wide[20];
    ULONG number = 0xFFFFFFFF;

    (void)state;
    rig_start(&rig, NULL);
    RtlStringCbPrintfA(text, sizeof(text), "%d|%5u|%-5x|%05d|%#x|%+d|%lx", -1, 7u, 0x1F, -42, 255,
                       3, number);
    assert_string_equal(text, "-1|    7|1f   |-0042|0xff|+3|ffffffff");
    RtlStringCbPrintfA(text, sizeof(text), "%I64x|%Id|%llu|%I32u|%hx|%hhu", 0x123456789ABCDEFull,
                       (LONGLONG)-5, 6ull, number, 0x12345, 0x101);
    assert_string_equal(text, "123456789abcdef|-5|6|4294967295|2345|1");
    RtlStringCbPrintfA(text, sizeof(text), "%wZ|%ws|%S|%hs|%s|%.2s|%c|%p|%%", &counted, L"x", L"y",
                       "z", (char *)NULL, "abc", 'q', (void *)0x1F);
    assert_string_equal(text, "wide|x|y|z|(null)|ab|q|000000000000001F|%");
    RtlStringCbPrintfA(text, sizeof(text), "%!STATUS! %!GUID!", STATUS_NO_MEMORY, &guid);
    assert_string_equal(text, "0xc0000017 {00000001-0002-0003-0405-060708090a0b}");
    assert_int_equal(RtlStringCbPrintfW(wide, sizeof(wide), L"%s %S %d", L"a", "b", 12), 0);
    assert_int_equal(wcscmp(wide, L"a b 12"), 0);
    assert_int_equal(RtlStringCbPrintfA(text, 4, "%d", 12345), STATUS_BUFFER_OVERFLOW);
    assert_string_equal(text, "123");
    assert_nothing_found(&rig);
    RtlStringCbPrintfA(text, sizeof(text), "%k");
    assert_found(&rig, BAD_FORMAT, 1);
    DbgPrintEx(DPFLTR_IHVVIDEO_ID, DPFLTR_ERROR_LEVEL, "%wZ!\n", &counted);
    assert_string_equal(rig.printed, "wide!\n");
    vidmm_kit_trace("f", 3, TRACE_LEVEL_ERROR, "n=%d", 4);
    assert_string_equal(rig.printed, "[2] f:3 n=4\n");
    vidmm_kit_trace("f", 3, TRACE_LEVEL_ERROR, "n=%d\n", 5);
    assert_string_equal(rig.printed, "[2] f:3 n=5\n");
    rig_stop(&rig);
}

static void counted_text_is_cut_compared_and_converted(void **state)
{
    struct rig rig;
    WCHAR buffer[8] = L"";
    UNICODE_STRING small = {0, sizeof(buffer), buffer}, other, made;
    ANSI_STRING narrow;
    GUID guid;
    ULONG value;

    (void)state;
    rig_start(&rig, NULL);
    RtlInitUnicodeString(&other, L"abcdef");
    RtlCopyUnicodeString(&small, &other);
    assert_int_equal(small.Length, 12);
    assert_int_equal(RtlAppendUnicodeToString(&small, L"ghi"), STATUS_BUFFER_TOO_SMALL);
    assert_int_equal(RtlAppendUnicodeToString(&small, L"g"), 0);
    RtlInitUnicodeString(&other, L"ABCDEFG");
    assert_false(RtlEqualUnicodeString(&small, &other, FALSE));
    assert_true(RtlEqualUnicodeString(&small, &other, TRUE));
    RtlInitAnsiString(&narrow, "text");
    assert_int_equal(RtlAnsiStringToUnicodeString(&made, &narrow, TRUE), 0);
    assert_int_equal(wcscmp(made.Buffer, L"text"), 0);
    RtlFreeUnicodeString(&made);
    assert_int_equal(RtlIntegerToUnicodeString(0xAB, 16, &small), 0);
    assert_int_equal(RtlUnicodeStringToInteger(&small, 16, &value), 0);
    assert_int_equal(value, 0xAB);
    RtlInitUnicodeString(&other, L"{00000001-0002-0003-0405-060708090A0B}");
    assert_int_equal(RtlGUIDFromString(&other, &guid), 0);
    assert_int_equal(RtlStringFromGUID(&guid, &made), 0);
    assert_true(RtlEqualUnicodeString(&made, &other, FALSE));
    RtlFreeUnicodeString(&made);
    assert_int_equal(RtlStringCchCopyW(buffer, 4, L"abcd"), STATUS_BUFFER_OVERFLOW);
    assert_int_equal(RtlStringCchCatW(buffer, 8, L"de"), 0);
    assert_int_equal(wcscmp(buffer, L"abcde"), 0);
    rig_stop(&rig);
}

static void bitmaps_find_runs(void **state)
{
    struct rig rig;
    ULONG bits[3];
    RTL_BITMAP map;

    (void)state;
    rig_start(&rig, NULL);
    RtlInitializeBitMap(&map, bits, 70);
    RtlClearAllBits(&map);
    RtlSetBits(&map, 0, 40);
    RtlClearBit(&map, 10);
    assert_int_equal(RtlFindClearBits(&map, 2, 0), 40);
    assert_int_equal(RtlFindClearBitsAndSet(&map, 1, 0), 10);
    assert_int_equal(RtlFindClearBitsAndSet(&map, 31, 0), 0xFFFFFFFF);
    assert_int_equal(RtlFindClearBitsAndSet(&map, 30, 60), 40);
    assert_int_equal(RtlNumberOfSetBits(&map), 70);
    assert_true(RtlAreBitsSet(&map, 0, 70));
    RtlSetBit(&map, 70);
    assert_found(&rig, BAD_ARGUMENT, 1);
    rig_stop(&rig);
}

static const char configuration[] = "# a machine\n"
                                    "windows 10.0.19041\n"
                                    "driver_key \\Registry\\Machine\\Services\\gpu\n"
                                    "property 1 \"PCI\\VEN_1234&DEV_5678\"\n"
                                    "key \\Registry\\Machine\\Services\\gpu\n"
                                    "  RenderOnly dword 1\n"
                                    "  Path string \"a b\"\n"
                                    "  Blob binary 00 ff\n";

static void the_registry_is_the_files(void **state)
{
    DECLARE_CONST_UNICODE_STRING(render_only, L"renderonly");
    DECLARE_CONST_UNICODE_STRING(none, L"none");
    struct rig rig;
    OBJECT_ATTRIBUTES attributes;
    union {
        KEY_VALUE_PARTIAL_INFORMATION info;
        ULONG words[8];
    } value;
    HANDLE key;
    ULONG size;

    (void)state;
    rig_start(&rig, configuration);
    InitializeObjectAttributes(&attributes, vidmm_kit_registry_path(), OBJ_KERNEL_HANDLE, NULL,
                               NULL);
    assert_int_equal(ZwOpenKey(&key, GENERIC_READ, &attributes), 0);
    assert_int_equal(ZwQueryValueKey(key, (PUNICODE_STRING)&render_only, KeyValuePartialInformation,
                                     &value, sizeof(value), &size),
                     0);
    assert_int_equal(value.info.Type, REG_DWORD);
    assert_int_equal(value.words[3], 1);
    assert_int_equal(ZwQueryValueKey(key, (PUNICODE_STRING)&none, KeyValuePartialInformation,
                                     &value, sizeof(value), &size),
                     STATUS_OBJECT_NAME_NOT_FOUND);
    assert_int_equal(ZwQueryValueKey(key, (PUNICODE_STRING)&render_only, KeyValuePartialInformation,
                                     &value, 12, &size),
                     STATUS_BUFFER_OVERFLOW);
    size = 9;
    assert_int_equal(ZwSetValueKey(key, (PUNICODE_STRING)&none, 0, REG_DWORD, &size, 4), 0);
    assert_int_equal(
        ZwEnumerateValueKey(key, 3, KeyValuePartialInformation, &value, sizeof(value), &size), 0);
    assert_int_equal(value.words[3], 9);
    ZwClose(key);
    assert_int_equal(ZwQueryValueKey(key, (PUNICODE_STRING)&none, KeyValuePartialInformation,
                                     &value, sizeof(value), &size),
                     STATUS_INVALID_HANDLE);
    assert_found(&rig, BAD_HANDLE, 1);
    rig_stop(&rig);
}

static void version_and_hardware_ids_are_the_files(void **state)
{
    struct rig rig;
    RTL_OSVERSIONINFOW version = {.dwOSVersionInfoSize = sizeof(version)};
    WCHAR ids[40];
    ULONG size;

    (void)state;
    rig_start(&rig, configuration);
    assert_int_equal(RtlGetVersion(&version), 0);
    assert_int_equal(version.dwBuildNumber, 19041);
    assert_int_equal(
        IoGetDeviceProperty(vidmm_kit_device(), DevicePropertyHardwareID, 2, ids, &size),
        STATUS_BUFFER_TOO_SMALL);
    assert_int_equal(size, 23 * 2);
    assert_int_equal(
        IoGetDeviceProperty(vidmm_kit_device(), DevicePropertyHardwareID, sizeof(ids), ids, &size),
        0);
    assert_int_equal(wcscmp(ids, L"PCI\\VEN_1234&DEV_5678"), 0);
    rig_stop(&rig);
}

static void a_bad_configuration_names_its_line(void **state)
{
    static const char *const bad[] = {"windows ten",
                                      "property 99 x",
                                      "X dword 1",
                                      "key relative",
                                      "key \\a\nX dword 0x100000000",
                                      "key \\a\nX string \"a",
                                      "key \\a\nX octal 1",
                                      "contiguous_ceiling 0"};
    struct rig rig;
    char error[200];

    (void)state;
    rig_start(&rig, NULL);
    vidmm_kit_stop();
    for (size_t i = 0; i < ARRAYSIZE(bad); i++) {
        rig.options.configuration = bad[i];
        error[0] = 0;
        assert_false(vidmm_kit_start(&rig.options, error, sizeof(error)));
        assert_non_null(strstr(error, "configuration, line"));
    }
    vidmm_machine_destroy(rig.machine);
}

static void unsupported_calls_say_so(void **state)
{
    struct rig rig;
    HANDLE handle;
    IO_STATUS_BLOCK block;

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(ZwOpenFile(&handle, 0, NULL, &block, 0, 0), STATUS_NOT_SUPPORTED);
    assert_found(&rig, UNSUPPORTED, 1);
    assert_string_equal(rig.text, "ZwOpenFile");
    DbgBreakPoint();
    assert_found(&rig, BREAK_POINT, 1);
    assert_false(NT_VERIFY(1 == 2));
    assert_found(&rig, ASSERTION, 1);
    rig_stop(&rig);
}

/* ---- __try in C ---- */

static int faults(volatile int *at, int *local)
{
    int before = 1, order = 0;

    __try {
        before = 2;
        *at = 3;
        before = 4;
    } __except (GetExceptionCode() == STATUS_ACCESS_VIOLATION ? EXCEPTION_EXECUTE_HANDLER
                                                              : EXCEPTION_CONTINUE_SEARCH) {
        order = 10;
    }
    *local = before;
    return order;
}

static void a_fault_in_try_reaches_its_handler(void **state)
{
    struct rig rig;
    int value = 0, local;
    void *closed = mmap(NULL, PAGE_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)state;
    rig_start_with(&rig, NULL, true);
    assert_int_equal(faults(&value, &local), 0);
    assert_int_equal(local, 4);
    for (int i = 0; i < 3; i++)
        assert_int_equal(faults(closed, &local), 10);
    munmap(closed, PAGE_SIZE);
    rig_stop(&rig);
}

static void a_finally_runs_and_the_exception_goes_outward(void **state)
{
    struct rig rig;
    volatile int order = 0;

    (void)state;
    rig_start(&rig, NULL);
    __try {
        __try {
            ExRaiseStatus(STATUS_NO_MEMORY);
        } __finally {
            __try { /* an exception of its own: the other one goes on behind it */
                ExRaiseStatus(STATUS_INVALID_HANDLE);
            } __except (EXCEPTION_EXECUTE_HANDLER) {
                order = 0;
            }
            order = order * 10 + (AbnormalTermination() ? 1 : 7);
        }
        order = 99;
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        assert_int_equal(GetExceptionCode(), STATUS_NO_MEMORY);
        order = order * 10 + 2;
    }
    assert_int_equal(order, 12);
    __try {
        __leave;
    } __finally {
        order = AbnormalTermination() ? 7 : 5;
    }
    assert_int_equal(order, 5);
    __try {
        ProbeForRead(NULL, 4, 4);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        order = 6;
    }
    assert_int_equal(order, 6);
    if (setjmp(rig.end) == 0)
        ExRaiseAccessViolation();
    assert_found(&rig, UNHANDLED_EXCEPTION, 1);
    assert_int_equal(rig.check.code, KMODE_EXCEPTION_NOT_HANDLED);
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_those_of_drivers),
        cmocka_unit_test(counted_text_is_cut_compared_and_converted),
        cmocka_unit_test(bitmaps_find_runs),
        cmocka_unit_test(the_registry_is_the_files),
        cmocka_unit_test(version_and_hardware_ids_are_the_files),
        cmocka_unit_test(a_bad_configuration_names_its_line),
        cmocka_unit_test(unsupported_calls_say_so),
        cmocka_unit_test(a_fault_in_try_reaches_its_handler),
        cmocka_unit_test(a_finally_runs_and_the_exception_goes_outward),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
