/*
 * test_rules.c: every rule of the contract, broken once and kept once.
 *
 * The rows of src/wddm/rules make the tests: a row without breaks_<id>() and keeps_<id>() does not
 * link. A test that breaks a rule has to break that one and no other, unless it says so; one that
 * keeps it does what the rule is about and breaks none.
 */
#include "rig_virtual.h"

/* The argument of a test, by way of cmocka. */
struct rule_test {
    enum vidmm_rule_id rule;
    void (*run)(struct rig *rig);
    bool breaks;
};

static void run_rule_test(void **state)
{
    const struct rule_test *test = *state;
    struct rig rig;

    if (vidmm_rule(test->rule)->level == VIDMM_RULE_WDDM2)
        rig_virtual_start(&rig);
    else
        rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, NULL);
    test->run(&rig);
    if (test->breaks)
        rig_expect(&rig, test->rule);
    else
        rig_expect_none(&rig);
    rig_stop(&rig);
}

static struct rule_test rule_tests[] = {
#define RULE(id, party, level, how, calls, checker, source, bugcheck, sentence)                    \
    {VIDMM_RULE_##id, breaks_##id, true}, {VIDMM_RULE_##id, keeps_##id, false},
#include "wddm/rules.def"
};

static const char *const names[] = {
#define RULE(id, party, level, how, calls, checker, source, bugcheck, sentence)                    \
#id " broken is found: " sentence, #id " kept is not reported: " sentence,
#include "wddm/rules.def"
};

enum { TESTS = sizeof rule_tests / sizeof rule_tests[0] };

int main(void)
{
    struct CMUnitTest tests[TESTS];

    for (size_t i = 0; i < TESTS; i++)
        tests[i] = (struct CMUnitTest){
            .name = names[i], .test_func = run_rule_test, .initial_state = &rule_tests[i]};
    return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
