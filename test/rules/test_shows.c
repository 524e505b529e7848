/*
 * test_shows.c: every rule of the contract that the manager obeys or sees, shown.
 *
 *     test_shows              all of them
 *     test_shows S0_004 lock1 those whose name or area contains one of the words
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules.h"

struct row {
    const char *name, *area;
    void (*run)(void **state);
};

static const struct row rows[] = {
#define SHOWN(id, party, level, how, source, bugcheck, sentence)                                   \
    {"shows_" #id ": " sentence, AREA, shows_##id},
#define SEEN(id, party, level, how, source, bugcheck, sentence)                                    \
    {"breaks_" #id ": " sentence, AREA, breaks_##id},                                              \
        {"keeps_" #id ": " sentence, AREA, keeps_##id},
#define LAYOUT(id, party, level, how, source, bugcheck, sentence)                                  \
    {"holds_" #id ": " sentence, AREA, holds_##id},
#include "wddm/rules.def"
#define ALSO(id, area) {"shows_" #id, area, shows_##id},
    RULES_ALSO_SHOWN(ALSO)};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static int is_wanted(const struct row *row, int count, char **words)
{
    for (int index = 1; index < count; index++)
        if (strstr(row->name, words[index]) != NULL || strcmp(row->area, words[index]) == 0)
            return 1;
    return count == 1;
}

int main(int count, char **words)
{
    static struct CMUnitTest tests[ROWS];
    size_t wanted = 0;

    for (size_t index = 0; index < ROWS; index++)
        if (is_wanted(&rows[index], count, words))
            tests[wanted++] =
                (struct CMUnitTest){.name = rows[index].name, .test_func = rows[index].run};
    if (wanted == 0) {
        fprintf(stderr, "no rule's name or area is any of the words\n");
        return 2;
    }
    return _cmocka_run_group_tests("shows", tests, wanted, NULL, NULL);
}
