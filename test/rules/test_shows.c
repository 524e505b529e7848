/*
 * test_shows.c: every rule of the contract that the manager obeys or sees, shown.
 *
 *     test_shows              all of them
 *     test_shows S0_004 lock1 those whose name or area contains one of the words
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules.h"
#include "wddm/rule.h"

struct row {
    const char *test, *area;
    enum vidmm_rule_id rule;
    void (*run)(void **state);
};

static const struct row rows[] = {
#define SHOWN(id, party, level, how, source, bugcheck, sentence)                                   \
    {"shows_" #id, AREA, VIDMM_RULE_##id, shows_##id},
#define SEEN(id, party, level, how, source, bugcheck, sentence)                                    \
    {"breaks_" #id, AREA, VIDMM_RULE_##id, breaks_##id},                                           \
        {"keeps_" #id, AREA, VIDMM_RULE_##id, keeps_##id},
#define LAYOUT(id, party, level, how, source, bugcheck, sentence)                                  \
    {"holds_" #id, AREA, VIDMM_RULE_##id, holds_##id},
#include "wddm/rules.def"
#define ALSO(id, area) {"shows_" #id, area, VIDMM_RULE_##id, shows_##id},
    RULES_ALSO_SHOWN(ALSO)};

enum { ROWS = sizeof(rows) / sizeof(rows[0]), NAME_SIZE = 512 };

static const enum vidmm_rule_id never[] = {
#define NEVER(id, why) VIDMM_RULE_##id,
    RULES_NEVER_BROUGHT_ABOUT(NEVER)};

static bool has_row(enum vidmm_rule_id rule)
{
    for (size_t index = 0; index < ROWS; index++)
        if (rows[index].rule == rule)
            return true;
    return false;
}

static bool is_never_brought_about(enum vidmm_rule_id rule)
{
    for (size_t index = 0; index < sizeof(never) / sizeof(never[0]); index++)
        if (never[index] == rule)
            return true;
    return false;
}

/* The auditor sees nothing wrong where nothing happens: each rule that it judges of the manager is
 * brought about by a test as well, or stands among those that never are. */
static void each_rule_that_is_judged_of_the_manager_is_shown(void **state)
{
    (void)state;
    for (enum vidmm_rule_id rule = 0; rule < VIDMM_RULE_COUNT; rule++) {
        const struct vidmm_rule *row = vidmm_rule(rule);

        if (row->kind == VIDMM_KIND_AUDITED && row->party == VIDMM_PARTY_VIDMM &&
            has_row(rule) == is_never_brought_about(rule))
            fail_msg("%s: one of RULES_ALSO_SHOWN and RULES_NEVER_BROUGHT_ABOUT has it", row->id);
    }
}

static int is_wanted(const char *name, const char *area, int count, char **words)
{
    for (int index = 1; index < count; index++)
        if (strstr(name, words[index]) != NULL || strcmp(area, words[index]) == 0)
            return 1;
    return count == 1;
}

/* The name of a test is that of its function, with the sentence of the rule that it shows. */
static int write_name(const struct row *row, char *name)
{
    int length = snprintf(name, NAME_SIZE, "%s: %s", row->test, vidmm_rule(row->rule)->sentence);

    return length < NAME_SIZE && vidmm_rule(row->rule)->sentence[0] != '\0';
}

int main(int count, char **words)
{
    static struct CMUnitTest tests[ROWS + 1];
    static char names[ROWS][NAME_SIZE];
    size_t wanted = 0;

    for (size_t index = 0; index < ROWS; index++) {
        if (!write_name(&rows[index], names[index])) {
            fprintf(stderr, "%s has no sentence, or one that does not fit\n", rows[index].test);
            return 2;
        }
        if (is_wanted(names[index], rows[index].area, count, words))
            tests[wanted++] =
                (struct CMUnitTest){.name = names[index], .test_func = rows[index].run};
    }
    if (wanted == 0) {
        fprintf(stderr, "no rule's name or area is any of the words\n");
        return 2;
    }
    if (count == 1)
        tests[wanted++] =
            (struct CMUnitTest){.name = "each rule that is judged of the manager is shown",
                                .test_func = each_rule_that_is_judged_of_the_manager_is_shown};
    return _cmocka_run_group_tests("shows", tests, wanted, NULL, NULL);
}
