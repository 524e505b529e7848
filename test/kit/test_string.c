/* Text that ends in a zero, text that is counted, and text put into a room that is known. */
#include "rig.h"

/* stdio.h and wchar.h of the kit, whose names are the C library's here. */
int vidmm_kit_snprintf(char *to, size_t limit, const char *format, ...);
int vidmm_kit_vsnprintf(char *to, size_t limit, const char *format, va_list arguments);
int vidmm_kit_c_snprintf(char *to, size_t size, const char *format, ...);
int vidmm_kit_c_vsnprintf(char *to, size_t size, const char *format, va_list arguments);
int vidmm_kit_sprintf(char *to, const char *format, ...);
int vidmm_kit_vsprintf(char *to, const char *format, va_list arguments);
int vidmm_kit_sprintf_s(char *to, size_t size, const char *format, ...);
int vidmm_kit_printf(const char *format, ...);
int vidmm_kit_snwprintf(WCHAR *to, size_t limit, const WCHAR *format, ...);
int vidmm_kit_vsnwprintf(WCHAR *to, size_t limit, const WCHAR *format, va_list arguments);
int vidmm_kit_swprintf(WCHAR *to, const WCHAR *format, ...);

static void assert_wide(const WCHAR *text, const WCHAR *expected)
{
    if (wcscmp(text, expected) != 0)
        fail_msg("'%c...' of %zu is not '%c...' of %zu", (char)text[0], wcslen(text),
                 (char)expected[0], wcslen(expected));
}

static void assert_counted(const UNICODE_STRING *text, const WCHAR *expected)
{
    assert_int_equal(text->Length, wcslen(expected) * sizeof(WCHAR));
    assert_memory_equal(text->Buffer, expected, text->Length);
}

/* ---- wchar.h ---- */

static void wide_text_is_compared_to_a_limit_and_without_case(void **state)
{
    (void)state;
    assert_true(wcscmp(L"ab", L"abc") < 0);
    assert_true(wcscmp(L"b", L"abc") > 0);
    assert_int_equal(wcsncmp(L"abX", L"abY", 2), 0);
    assert_true(wcsncmp(L"abX", L"abY", 3) < 0);
    assert_int_equal(wcsncmp(L"ab", L"ab", 99), 0);
    assert_int_equal(_wcsicmp(L"aBc", L"AbC"), 0);
    assert_true(_wcsicmp(L"aB", L"AbC") < 0);
    assert_int_equal(_wcsnicmp(L"aBx", L"AbY", 2), 0);
    assert_true(_wcsnicmp(L"aBx", L"AbY", 3) < 0);
}

static void wide_text_is_copied_joined_and_searched(void **state)
{
    WCHAR room[8] = L"1234567";

    (void)state;
    assert_ptr_equal(wcsncpy(room, L"ab", 4), room); /* padded with zeros to the limit */
    assert_memory_equal(room,
                        L"ab\0\0"
                        L"567",
                        16);
    assert_ptr_equal(wcsncpy(room, L"wxyz", 2), room); /* cut, and not terminated */
    assert_memory_equal(room,
                        L"wx\0\0"
                        L"567",
                        16);
    assert_wide(wcscpy(room, L"abc"), L"abc");
    assert_wide(wcscat(room, L"bd"), L"abcbd");
    assert_ptr_equal(wcschr(room, L'b'), room + 1);
    assert_ptr_equal(wcsrchr(room, L'b'), room + 3);
    assert_null(wcschr(room, L'x'));
    assert_null(wcsrchr(room, L'x'));
    assert_ptr_equal(wcschr(room, 0), room + 5);
    assert_ptr_equal(wcsrchr(room, 0), room + 5);
    assert_ptr_equal(wcsstr(room, L"bd"), room + 3);
    assert_ptr_equal(wcsstr(room, L""), room);
    assert_null(wcsstr(room, L"bb"));
}

/* ---- the _s kind ---- */

static void copying_into_too_little_changes_nothing_behind_it(void **state)
{
    char room[5] = "wxyz";

    (void)state;
    assert_int_equal(memmove_s(room, 2, "abc", 3), 34); /* ERANGE */
    assert_string_equal(room, "wxyz");
    assert_int_equal(memmove_s(NULL, 2, "abc", 1), 22); /* EINVAL */
    assert_int_equal(memmove_s(room, 4, room + 1, 3), 0);
    assert_string_equal(room, "xyzz");
    assert_int_equal(memcpy_s(room, 2, "abc", 3), 34); /* ... and the room is cleared */
    assert_memory_equal(room, "\0\0zz", 5);
    assert_int_equal(memcpy_s(room, 5, "ab", 0), 0);
    assert_int_equal(strcpy_s(room, 4, "abcd"), 34);
    assert_string_equal(room, "");
    assert_int_equal(strcpy_s(room, 4, "abc"), 0);
    assert_int_equal(strcpy_s(room, 0, "abc"), 22);
    assert_int_equal(strcat_s(room, 5, "d"), 0);
    assert_string_equal(room, "abcd");
    assert_int_equal(strcat_s(room, 5, "e"), 34);
    assert_string_equal(room, "");
    memcpy(room, "abcde", 5);
    assert_int_equal(strcat_s(room, 5, "f"), 22); /* not terminated */
}

/* ---- stdio.h ---- */

/* The forms that take a va_list, through one that does not. */
static int vformat(int (*print)(char *, size_t, const char *, va_list), char *to, size_t size,
                   const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = print(to, size, format, arguments);
    va_end(arguments);
    return length;
}

static int vformat_wide(WCHAR *to, size_t size, const WCHAR *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = vidmm_kit_vsnwprintf(to, size, format, arguments);
    va_end(arguments);
    return length;
}

static int unbounded(char *to, size_t size, const char *format, va_list arguments)
{
    (void)size;
    return vidmm_kit_vsprintf(to, format, arguments);
}

static void the_older_formats_do_not_terminate_what_fills_the_room(void **state)
{
    char room[8];
    WCHAR wide[8];

    (void)state;
    memset(room, '#', sizeof(room));
    assert_int_equal(vidmm_kit_snprintf(room, 4, "%d", 1234), 4);
    assert_memory_equal(room, "1234####", 8);
    assert_int_equal(vidmm_kit_snprintf(room, 4, "%d", 56789), -1);
    assert_memory_equal(room, "5678####", 8);
    assert_int_equal(vidmm_kit_snprintf(room, 4, "%d", 12), 2);
    assert_string_equal(room, "12");
    assert_int_equal(vformat(vidmm_kit_vsnprintf, room, 4, "%s", "abcde"), -1);
    memset(wide, 0xFF, sizeof(wide));
    assert_int_equal(vidmm_kit_snwprintf(wide, 3, L"%s", L"abc"), 3);
    assert_memory_equal(wide, L"abc\xFFFF", 8);
    assert_int_equal(vidmm_kit_snwprintf(wide, 3, L"%d", 12345), -1);
    assert_int_equal(vformat_wide(wide, 8, L"%d", 77), 2);
    assert_wide(wide, L"77");
}

static void the_newer_formats_terminate_and_answer_the_whole_length(void **state)
{
    struct rig rig;
    char room[8];
    WCHAR wide[8];

    (void)state;
    assert_int_equal(vidmm_kit_c_snprintf(room, 4, "%d", 56789), 5);
    assert_string_equal(room, "567");
    assert_int_equal(vformat(vidmm_kit_c_vsnprintf, room, 4, "%s", "wxyz"), 4);
    assert_string_equal(room, "wxy");
    assert_int_equal(vformat(unbounded, room, 0, "%d", 4321), 4);
    assert_string_equal(room, "4321");
    assert_int_equal(vidmm_kit_sprintf(room, "%x", 0xABCu), 3);
    assert_string_equal(room, "abc");
    assert_int_equal(vidmm_kit_sprintf_s(room, 4, "%d", 123), 3);
    assert_string_equal(room, "123");
    assert_int_equal(vidmm_kit_sprintf_s(room, 4, "%d", 1234), -1);
    assert_string_equal(room, "");
    assert_int_equal(vidmm_kit_swprintf(wide, L"%d", 8), 1);
    assert_wide(wide, L"8");
    rig_start(&rig, NULL);
    assert_int_equal(vidmm_kit_printf("%d bytes\n", 9), 8);
    assert_string_equal(rig.printed, "9 bytes\n");
    rig_stop(&rig);
}

/* ---- counted ---- */

static void counted_text_is_initialized_and_copied(void **state)
{
    WCHAR room[4] = L"";
    char narrow_room[4];
    UNICODE_STRING text, small = {0, sizeof(room), room};
    STRING narrow = {0, 3, narrow_room}, from;

    (void)state;
    assert_int_equal(RtlUnicodeStringInit(&text, L"abc"), 0);
    assert_int_equal(text.Length, 6);
    assert_int_equal(text.MaximumLength, 8);
    assert_int_equal(RtlUnicodeStringInit(&text, NULL), 0);
    assert_int_equal(text.MaximumLength, 0);
    RtlInitUnicodeString(&text, L"abcdef");
    assert_int_equal(RtlUnicodeStringCopy(&small, &text), STATUS_BUFFER_OVERFLOW);
    assert_counted(&small, L"abcd"); /* cut, and full: no zero behind it */
    assert_int_equal(RtlUnicodeStringCopyString(&small, L"xy"), 0);
    assert_counted(&small, L"xy");
    RtlCopyUnicodeString(&small, NULL);
    assert_int_equal(small.Length, 0);
    RtlInitString(&from, "abcdef");
    RtlCopyString(&narrow, &from);
    assert_int_equal(narrow.Length, 3);
    assert_memory_equal(narrow_room, "abc", 3);
    RtlCopyString(&narrow, NULL);
    assert_int_equal(narrow.Length, 0);
}

static void what_is_appended_in_part_is_cut_or_refused(void **state)
{
    WCHAR room[4] = L"";
    UNICODE_STRING small = {0, sizeof(room), room}, text;

    (void)state;
    assert_int_equal(RtlUnicodeStringCatString(&small, L"abc"), 0);
    assert_int_equal(RtlUnicodeStringCatString(&small, L"def"), STATUS_BUFFER_OVERFLOW);
    assert_counted(&small, L"abcd"); /* ntstrsafe.h cuts ... */
    small.Length = 6;
    assert_int_equal(RtlAppendUnicodeToString(&small, L"def"), STATUS_BUFFER_TOO_SMALL);
    assert_counted(&small, L"abc"); /* ... and Rtl leaves it alone */
    RtlInitUnicodeString(&text, L"z");
    assert_int_equal(RtlUnicodeStringCat(&small, &text), 0);
    assert_counted(&small, L"abcz");
    assert_int_equal(RtlUnicodeStringPrintf(&small, L"%d", 123), 0);
    assert_counted(&small, L"123");
    assert_int_equal(RtlUnicodeStringPrintf(&small, L"%d", 12345), STATUS_BUFFER_OVERFLOW);
    assert_counted(&small, L"1234");
    assert_int_equal(RtlStringCbCopyUnicodeString(room, 4, &small), STATUS_BUFFER_OVERFLOW);
    assert_wide(room, L"1");
}

static void counted_text_is_ordered_by_characters_then_length(void **state)
{
    DECLARE_CONST_UNICODE_STRING(ab, L"ab");
    DECLARE_CONST_UNICODE_STRING(upper, L"AB");
    DECLARE_CONST_UNICODE_STRING(abc, L"abc");
    STRING one, two;

    (void)state;
    assert_true(RtlCompareUnicodeString(&ab, &abc, FALSE) < 0);
    assert_true(RtlCompareUnicodeString(&ab, &upper, FALSE) > 0);
    assert_int_equal(RtlCompareUnicodeString(&ab, &upper, TRUE), 0);
    assert_true(RtlPrefixUnicodeString(&ab, &abc, FALSE));
    assert_false(RtlPrefixUnicodeString(&upper, &abc, FALSE));
    assert_true(RtlPrefixUnicodeString(&upper, &abc, TRUE));
    assert_false(RtlPrefixUnicodeString(&abc, &ab, FALSE));
    RtlInitString(&one, "ab");
    RtlInitString(&two, "AB");
    assert_true(RtlCompareString(&one, &two, FALSE) > 0);
    assert_true(RtlEqualString(&one, &two, TRUE));
    assert_false(RtlEqualString(&one, &two, FALSE));
    RtlInitString(&two, "abc");
    assert_int_equal(RtlCompareString(&one, &two, TRUE), -1);
}

static void characters_change_case(void **state)
{
    (void)state;
    assert_int_equal(RtlUpcaseUnicodeChar(L'q'), L'Q');
    assert_int_equal(RtlUpcaseUnicodeChar(L'1'), L'1');
    assert_int_equal(RtlDowncaseUnicodeChar(L'Q'), L'q');
    assert_int_equal(RtlDowncaseUnicodeChar(L'['), L'[');
    assert_int_equal(RtlUpperChar('z'), 'Z');
    assert_int_equal(RtlUpperChar('{'), '{');
}

static void text_is_converted_into_pool_or_into_a_room(void **state)
{
    DECLARE_CONST_UNICODE_STRING(text, L"a\x3B1z");
    struct rig rig;
    UNICODE_STRING upper;
    char room[3];
    ANSI_STRING narrow = {0, sizeof(room), room}, allocated;
    ULONG used;

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(RtlUpcaseUnicodeString(&upper, &text, TRUE), 0);
    assert_int_equal(upper.Buffer[0], L'A');
    assert_int_equal(upper.Length, 6);
    upper.MaximumLength = 4;
    assert_int_equal(RtlUpcaseUnicodeString(&upper, &text, FALSE), STATUS_BUFFER_OVERFLOW);
    RtlFreeUnicodeString(&upper);
    assert_null(upper.Buffer);
    assert_int_equal(RtlUnicodeStringToAnsiString(&narrow, &text, FALSE), STATUS_BUFFER_OVERFLOW);
    assert_int_equal(RtlUnicodeStringToAnsiString(&allocated, &text, TRUE), 0);
    assert_string_equal(allocated.Buffer, "a?z"); /* the code page lacks it */
    RtlFreeAnsiString(&allocated);
    assert_int_equal(RtlUnicodeToMultiByteN(room, 2, &used, text.Buffer, text.Length),
                     STATUS_BUFFER_OVERFLOW);
    assert_int_equal(used, 2);
    assert_memory_equal(room, "a?", 2);
    assert_int_equal(RtlUnicodeToMultiByteN(room, 3, NULL, text.Buffer, text.Length), 0);
    rig_stop(&rig);
}

static void digits_are_read_in_the_base_of_their_prefix(void **state)
{
    static const struct {
        const char *text;
        ULONG base;
        ULONG value;
    } rows[] = {{"0x1F", 0, 31}, {"0b101", 0, 5},    {"0o17", 0, 15},
                {"19", 0, 19},   {"-2", 10, 0u - 2}, {"+7", 0, 7},
                {"ff", 16, 255}, {"101", 2, 5},      {"12z", 10, 12}};
    ULONG value;

    (void)state;
    for (size_t i = 0; i < ARRAYSIZE(rows); i++) {
        assert_int_equal(RtlCharToInteger(rows[i].text, rows[i].base, &value), 0);
        assert_int_equal(value, rows[i].value);
    }
    assert_int_equal(RtlCharToInteger("1", 7, &value), STATUS_INVALID_PARAMETER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_text_is_compared_to_a_limit_and_without_case),
        cmocka_unit_test(wide_text_is_copied_joined_and_searched),
        cmocka_unit_test(copying_into_too_little_changes_nothing_behind_it),
        cmocka_unit_test(the_older_formats_do_not_terminate_what_fills_the_room),
        cmocka_unit_test(the_newer_formats_terminate_and_answer_the_whole_length),
        cmocka_unit_test(counted_text_is_initialized_and_copied),
        cmocka_unit_test(what_is_appended_in_part_is_cut_or_refused),
        cmocka_unit_test(counted_text_is_ordered_by_characters_then_length),
        cmocka_unit_test(characters_change_case),
        cmocka_unit_test(text_is_converted_into_pool_or_into_a_room),
        cmocka_unit_test(digits_are_read_in_the_base_of_their_prefix),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
