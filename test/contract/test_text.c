/* test_text.c: src/base/text makes lines and never writes past its buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

static void numbers_are_decimal_signed_or_hexadecimal(void **state)
{
    char line[200];
    struct vidmm_text text;

    (void)state;
    vidmm_text_init(&text, line, sizeof line);
    vidmm_text_number(&text, 0);
    vidmm_text_char(&text, ' ');
    vidmm_text_number(&text, UINT64_MAX);
    vidmm_text_char(&text, ' ');
    vidmm_text_signed(&text, INT64_MIN);
    vidmm_text_char(&text, ' ');
    vidmm_text_signed(&text, 7);
    vidmm_text_char(&text, ' ');
    vidmm_text_hex(&text, 0);
    vidmm_text_char(&text, ' ');
    vidmm_text_hex(&text, UINT64_MAX);
    assert_string_equal(line, "0 18446744073709551615 -9223372036854775808 7 0x0 "
                              "0xffffffffffffffff");
    assert_int_equal(text.length, strlen(line));
    assert_false(vidmm_text_truncated(&text));
}

/* Every size of buffer, with a guard behind it. */
static void what_does_not_fit_is_counted_and_dropped(void **state)
{
    static const char whole[] = "abc 123 \"x\\u0001\\\"\"";

    (void)state;
    for (size_t size = 0; size <= sizeof whole + 2; size++) {
        char line[64];
        struct vidmm_text text;
        memset(line, '#', sizeof line);
        vidmm_text_init(&text, line, size);
        vidmm_text_string(&text, "abc ");
        vidmm_text_number(&text, 123);
        vidmm_text_char(&text, ' ');
        vidmm_text_quoted(&text, "x\001\"");
        assert_int_equal(text.length, sizeof whole - 1);
        assert_int_equal(vidmm_text_truncated(&text), size < sizeof whole);
        for (size_t i = size; i < sizeof line; i++)
            assert_int_equal(line[i], '#');
        if (size > 0) {
            size_t kept = size < sizeof whole ? size - 1 : sizeof whole - 1;
            assert_int_equal(strlen(line), kept);
            assert_memory_equal(line, whole, kept);
        }
    }
}

static void a_text_can_be_measured_without_a_buffer(void **state)
{
    struct vidmm_text text;

    (void)state;
    vidmm_text_init(&text, NULL, 0);
    vidmm_text_string(&text, "twelve bytes");
    assert_int_equal(text.length, 12);
    assert_true(vidmm_text_truncated(&text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_decimal_signed_or_hexadecimal),
        cmocka_unit_test(what_does_not_fit_is_counted_and_dropped),
        cmocka_unit_test(a_text_can_be_measured_without_a_buffer),
    };

    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
