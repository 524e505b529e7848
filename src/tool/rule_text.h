/* rule_text.h: a rule's row in words: its id, what judges it, its tests. */
#ifndef VIDMM_TOOL_RULE_TEXT_H
#define VIDMM_TOOL_RULE_TEXT_H

#include <stdbool.h>

#include "wddm/rule.h"

struct vidmm_rule_name {
    char text[12]; /* "S4-030" */
};
struct vidmm_rule_name vidmm_rule_name(enum vidmm_rule_id id);

/* Find a rule by its id, with a dash or an underline. False: there is none. */
bool vidmm_rule_find(const char *name, enum vidmm_rule_id *id);

/* "audited", "shown" and so on; and what that says of some rules: "judged by the auditor". */
const char *vidmm_rule_kind_name(enum vidmm_rule_kind kind);
const char *vidmm_rule_kind_says(enum vidmm_rule_kind kind);

/* Whether anything of it is owed: all of it, to the verifier or to a test, or a clause. */
bool vidmm_rule_is_owed(enum vidmm_rule_id id);

/* The place where it is judged, "src/contract/check_fill.c:30"; of a test its file or folder; the
 * findings of `vidmm check` that tell it; "due" where it is still owed; empty: nowhere. */
struct vidmm_rule_checker {
    char text[96];
};
struct vidmm_rule_checker vidmm_rule_checker(enum vidmm_rule_id id);

/* The tests, "breaks_S4_030" and "keeps_S4_030"; empty: none. A rule that is shown, or said by a
 * layout, has one, which keeps it. */
struct vidmm_rule_tests {
    char breaks[32], keeps[32];
};
struct vidmm_rule_tests vidmm_rule_tests(enum vidmm_rule_id id);

#endif
