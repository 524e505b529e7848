/*
 * explain.h: the rules that bind a word of flags: the judgments behind `vidmm explain`.
 */
#ifndef VIDMM_TOOL_EXPLAIN_H
#define VIDMM_TOOL_EXPLAIN_H

#include "wddm/flag_rule.h"

/* A word, and what it stands in. */
struct vidmm_explain_word {
    enum vidmm_flag_word kind;
    const struct vidmm_mask *mask; /* vidmm_flag_mask(kind, level) */
    uint16_t level;
    unsigned is; /* VIDMM_IS_... */
    uint32_t value;
};

/* Whether the word as it stands keeps the rule, and would break it under other circumstances. */
bool vidmm_explain_elsewhere(const struct vidmm_explain_word *word,
                             const struct vidmm_flag_rule *rule);

/* The circumstances under which a rule binds: "on a primary". */
const char *vidmm_explain_circumstance(enum vidmm_flag_given given);

/* Whether a rule of the contract speaks of a bit that is set in the word. */
bool vidmm_explain_speaks(const struct vidmm_explain_word *word, const struct vidmm_rule *rule);

#endif
