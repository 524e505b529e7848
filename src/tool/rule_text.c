/* rule_text.c: a rule's row in words. */
#include "tool/rule_text.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "contract/contract.h"

struct vidmm_rule_name vidmm_rule_name(enum vidmm_rule_id id)
{
    struct vidmm_rule_name name;
    struct vidmm_text text;

    vidmm_text_init(&text, name.text, sizeof name.text);
    vidmm_rule_print_id(&text, id);
    return name;
}

bool vidmm_rule_find(const char *name, enum vidmm_rule_id *id)
{
    for (unsigned i = 0; i < VIDMM_RULE_COUNT; i++) {
        if (strcasecmp(vidmm_rule_name(i).text, name) == 0 ||
            strcasecmp(vidmm_rule(i)->id, name) == 0) {
            *id = i;
            return true;
        }
    }
    return false;
}

static const struct {
    const char *name, *says;
} kinds[] = {
    [VIDMM_KIND_AUDITED] = {"audited", "judged by the auditor"},
    [VIDMM_KIND_SHOWN] = {"shown", "shown by a test"},
    [VIDMM_KIND_SEEN] = {"seen", "seen by the manager"},
    [VIDMM_KIND_LAYOUT] = {"layout", "said by a layout"},
    [VIDMM_KIND_VERIFIER] = {"verifier", "owed to the verifier"},
    [VIDMM_KIND_CHECKED] = {"checked", "seen by vidmm check"},
    [VIDMM_KIND_UNOBSERVABLE] = {"unobservable", "unobservable"},
    [VIDMM_KIND_DUE] = {"due", "due"},
};

const char *vidmm_rule_kind_name(enum vidmm_rule_kind kind)
{
    return kinds[kind].name;
}

const char *vidmm_rule_kind_says(enum vidmm_rule_kind kind)
{
    return kinds[kind].says;
}

bool vidmm_rule_is_owed(enum vidmm_rule_id id)
{
    enum vidmm_rule_kind kind = vidmm_rule(id)->kind;

    return kind == VIDMM_KIND_VERIFIER || kind == VIDMM_KIND_DUE || vidmm_rule_owes(id) != NULL;
}

/* The source line at which the manager sees it. A row that nobody sees does not link. */
static const struct vidmm_source_line *seen_at(enum vidmm_rule_id rule)
{
#define SEEN(id, party, level, how, source, bugcheck, sentence)                                    \
    extern const struct vidmm_source_line vidmm_sees_##id;
#include "wddm/rules.def"
    static const struct vidmm_source_line *const places[VIDMM_RULE_COUNT] = {
#define SEEN(id, party, level, how, source, bugcheck, sentence)                                    \
    [VIDMM_RULE_##id] = &vidmm_sees_##id,
#include "wddm/rules.def"
    };

    return places[rule];
}

/* Compilers are called in different folders: "../../src/x.c" is "src/x.c". */
static const char *in_the_tree(const char *file)
{
    const char *src = strstr(file, "src/");

    return src != NULL ? src : file;
}

struct vidmm_rule_checker vidmm_rule_checker(enum vidmm_rule_id id)
{
    const struct vidmm_rule *rule = vidmm_rule(id);
    const struct vidmm_source_line *at =
        rule->kind == VIDMM_KIND_SEEN ? seen_at(id) : vidmm_contract_checker_at(id);
    struct vidmm_rule_checker checker = {""};

    if (rule->kind == VIDMM_KIND_DUE)
        snprintf(checker.text, sizeof checker.text, "due");
    else if (at != NULL)
        snprintf(checker.text, sizeof checker.text, "%s:%u", in_the_tree(at->file), at->line);
    else if (rule->kind == VIDMM_KIND_SHOWN)
        snprintf(checker.text, sizeof checker.text, "test/rules");
    else if (rule->kind == VIDMM_KIND_CHECKED)
        snprintf(checker.text, sizeof checker.text, "vidmm check, %s", rule->reason);
    else if (rule->kind == VIDMM_KIND_LAYOUT)
        snprintf(checker.text, sizeof checker.text, "test/rules/layout.c");
    return checker;
}

struct vidmm_rule_tests vidmm_rule_tests(enum vidmm_rule_id id)
{
    static const char *const keeping[] = {
        [VIDMM_KIND_AUDITED] = "keeps", [VIDMM_KIND_SHOWN] = "shows", [VIDMM_KIND_SEEN] = "keeps",
        [VIDMM_KIND_LAYOUT] = "holds",  [VIDMM_KIND_DUE] = NULL,
    };
    const struct vidmm_rule *rule = vidmm_rule(id);
    struct vidmm_rule_tests tests = {"", ""};

    if (keeping[rule->kind] != NULL)
        snprintf(tests.keeps, sizeof tests.keeps, "%s_%s", keeping[rule->kind], rule->id);
    if (rule->kind == VIDMM_KIND_AUDITED || rule->kind == VIDMM_KIND_SEEN)
        snprintf(tests.breaks, sizeof tests.breaks, "breaks_%s", rule->id);
    return tests;
}
