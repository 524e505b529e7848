/* Each routine that the headers declare and the kit does not have: it says so once, by name, and
 * answers what it is listed with. The lists are the kit's own sources, read as tables. */
#include "rig.h"

#include <kit/aux_klib.h>
#include <kit/ntifs.h>
#include <kit/wdmsec.h>

#define KIT_UNSUPPORTED_H /* the lists include what is to be replaced here */

/* All their arguments are of integer class, so each can be called with zeros: six in registers, the
 * rest on the stack, which the caller takes back. */
typedef ULONG_PTR ZERO_ARGUMENTS(ULONG_PTR, ULONG_PTR, ULONG_PTR, ULONG_PTR, ULONG_PTR, ULONG_PTR,
                                 ULONG_PTR, ULONG_PTR, ULONG_PTR, ULONG_PTR, ULONG_PTR, ULONG_PTR);

struct row {
    const char *name;
    ZERO_ARGUMENTS *routine;
    size_t size;        /* of its answer; 0: none */
    const void *answer; /* so many bytes */
};

#define UNSUPPORTED(value, type, routine, ...)                                                     \
    {#routine, (ZERO_ARGUMENTS *)(PVOID)routine, sizeof(type), &(const type[]){value}},
#define NOT_SUPPORTED(routine, ...)                                                                \
    UNSUPPORTED(STATUS_NOT_SUPPORTED, NTSTATUS, routine, __VA_ARGS__)
#define NOTHING_DONE(routine, ...) {#routine, (ZERO_ARGUMENTS *)(PVOID)routine, 0, ""},

#if defined(__clang__) && __has_attribute(no_sanitize)
__attribute__((no_sanitize("function")))
#endif
static ULONG_PTR
call(const struct row *row)
{
    return row->routine(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

static void tries(struct rig *rig, const struct row *row)
{
    ULONG_PTR answer = call(row);
    unsigned told = atomic_exchange(&rig->found[VIDMM_KIT_UNSUPPORTED], 0);

    if (told != 1)
        fail_msg("%s was told %u times", row->name, told);
    assert_string_equal(rig->text, row->name);
    if (memcmp(&answer, row->answer, row->size) != 0)
        fail_msg("%s answered 0x%llx", row->name, (unsigned long long)answer);
    assert_nothing_found(rig);
}

static void each_common_one_is_told_once_by_name_and_refuses(void **state)
{
    const struct row rows[] = {
#include "../../src/kit/unsupported.c"
    };
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    assert_true(ARRAYSIZE(rows) > 50);
    for (unsigned i = 0; i < ARRAYSIZE(rows); i++)
        tries(&rig, &rows[i]);
    rig_stop(&rig);
}

static void each_rare_one_is_told_once_by_name_and_refuses(void **state)
{
    const struct row rows[] = {
#include "../../src/kit/unsupported_rare.c"
    };
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    assert_true(ARRAYSIZE(rows) > 150);
    for (unsigned i = 0; i < ARRAYSIZE(rows); i++)
        tries(&rig, &rows[i]);
    rig_stop(&rig);
}

static void a_status_that_refuses_is_no_success(void **state)
{
    struct rig rig;
    HANDLE key = NULL;

    (void)state;
    rig_start(&rig, NULL);
    assert_false(NT_SUCCESS(ZwDeleteKey(key)));
    assert_found(&rig, UNSUPPORTED, 1);
    assert_string_equal(vidmm_kit_sentence(VIDMM_KIT_UNSUPPORTED),
                        "the kit has the name of this routine and not the routine");
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_common_one_is_told_once_by_name_and_refuses),
        cmocka_unit_test(each_rare_one_is_told_once_by_name_and_refuses),
        cmocka_unit_test(a_status_that_refuses_is_no_success),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
