/* test_rule_text.c: the words of `vidmm rules` about a rule are there: its checker, its tests. */
#include "harness.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/rule_text.h"

/* A line of a file of the tree; false: there is none. */
static bool read_line(const char *file, unsigned line, char *text, size_t size)
{
    char path[512];
    FILE *source;

    snprintf(path, sizeof(path), "%s/%s", SOURCE_ROOT, file);
    source = fopen(path, "r");
    if (source == NULL)
        return false;
    while (line > 0 && fgets(text, (int)size, source) != NULL)
        line--;
    fclose(source);
    return line == 0;
}

/* Whether a source of test/rules has the function. */
static bool is_shown(const char *name)
{
    char folder[512], path[1024], head[64], text[1024];
    bool found = false;
    struct dirent *entry;
    DIR *rules;

    snprintf(folder, sizeof(folder), "%s/test/rules", SOURCE_ROOT);
    snprintf(head, sizeof(head), "void %s(void **state)", name);
    rules = opendir(folder);
    assert_non_null(rules);
    while (!found && (entry = readdir(rules)) != NULL) {
        FILE *source;

        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        source = fopen(path, "r");
        while (source != NULL && !found && fgets(text, sizeof(text), source) != NULL)
            found = strncmp(text, head, strlen(head)) == 0;
        if (source != NULL)
            fclose(source);
    }
    closedir(rules);
    return found;
}

static void a_checker_is_where_its_row_says(void **state)
{
    unsigned places = 0;

    (void)state;
    for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++) {
        struct vidmm_rule_checker checker = vidmm_rule_checker(id);
        char *colon = strchr(checker.text, ':'), line[1024];

        if (colon == NULL)
            continue;
        *colon = '\0';
        if (!read_line(checker.text, (unsigned)atoi(colon + 1), line, sizeof(line)) ||
            strstr(line, vidmm_rule(id)->id) == NULL)
            fail_msg("%s:%s does not name %s", checker.text, colon + 1, vidmm_rule(id)->id);
        places++;
    }
    assert_true(places > 50);
}

static void the_tests_that_a_row_names_are_in_the_tree(void **state)
{
    unsigned shown = 0;

    (void)state;
    for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++) {
        enum vidmm_rule_kind kind = vidmm_rule(id)->kind;
        struct vidmm_rule_tests tests = vidmm_rule_tests(id);

        if (kind != VIDMM_KIND_SHOWN && kind != VIDMM_KIND_SEEN && kind != VIDMM_KIND_LAYOUT)
            continue;
        shown++;
        if (!is_shown(tests.keeps) || (tests.breaks[0] != '\0' && !is_shown(tests.breaks)))
            fail_msg("%s, %s: not in test/rules", tests.breaks, tests.keeps);
    }
    assert_true(shown > 100);
}

/* Whether a line of the script wants the finding of a driver that is wrong, or the note. */
static bool is_wanted_by(const char *path, const char *finding)
{
    char text[1024], plain[32], pattern[32], note[32];
    bool found = false;
    FILE *script = fopen(path, "r");

    assert_non_null(script);
    snprintf(plain, sizeof(plain), " %s\n", finding);
    snprintf(pattern, sizeof(pattern), "^%s ", finding);
    snprintf(note, sizeof(note), "^  %s  ", finding);
    while (!found && fgets(text, sizeof(text), script) != NULL)
        found = strstr(text, plain) != NULL || strstr(text, pattern) != NULL ||
                strstr(text, note) != NULL;
    fclose(script);
    return found;
}

static bool is_provoked(const char *finding)
{
    return is_wanted_by(SOURCE_ROOT "/test/check/run", finding) ||
           is_wanted_by(SOURCE_ROOT "/test/softgpu/run", finding) ||
           is_wanted_by(SOURCE_ROOT "/test/miniports/run", finding);
}

static void the_findings_that_a_row_names_are_provoked(void **state)
{
    unsigned checked = 0;

    (void)state;
    for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++) {
        char findings[64], *rest = findings, *finding;

        if (vidmm_rule(id)->kind != VIDMM_KIND_CHECKED)
            continue;
        checked++;
        snprintf(findings, sizeof(findings), "%s", vidmm_rule(id)->reason);
        while ((finding = strtok_r(rest, ", ", &rest)) != NULL)
            if (!is_provoked(finding))
                fail_msg("%s: no driver of test/check, softgpu or miniports is found out by %s",
                         vidmm_rule(id)->id, finding);
    }
    assert_true(checked > 0);
    assert_false(is_provoked("C-999"));
}

static void a_rule_is_found_by_its_name(void **state)
{
    enum vidmm_rule_id id;

    (void)state;
    assert_true(vidmm_rule_find("S4-030", &id));
    assert_int_equal(id, VIDMM_RULE_S4_030);
    assert_true(vidmm_rule_find("s4_030", &id));
    assert_string_equal(vidmm_rule_name(id).text, "S4-030");
    assert_false(vidmm_rule_find("S9-999", &id));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_checker_is_where_its_row_says),
        cmocka_unit_test(the_tests_that_a_row_names_are_in_the_tree),
        cmocka_unit_test(the_findings_that_a_row_names_are_provoked),
        cmocka_unit_test(a_rule_is_found_by_its_name),
    };

    return cmocka_run_group_tests_name("rule text", tests, NULL, NULL);
}
