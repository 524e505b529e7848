/*
 * flag_rule.h: the illegal flag words of allocations, segments and creations.
 *
 *              when: one of these is set      needs: all of these      excludes: none of these
 *     S0-015   PermanentSysMem                CpuVisible
 *     S0-027   Protected                                               PermanentSysMem|Existing...
 *     S0-065   bits 19 to 31                                           those bits: never legal
 *
 * Rules on one word are pure functions: the manager judges with them what a driver describes,
 * `vidmm explain` tells them, and whoever sees a record may ask. The rows are in flag_rules.def.
 */
#ifndef VIDMM_WDDM_FLAG_RULE_H
#define VIDMM_WDDM_FLAG_RULE_H

#include <stddef.h>

#include "wddm/rule.h"

enum vidmm_flag_word { VIDMM_FLAGS_ALLOCATION, VIDMM_FLAGS_SEGMENT, VIDMM_FLAGS_CREATION };

/* The fact that a rule depends on besides the word. */
enum vidmm_flag_given {
    VIDMM_GIVEN_ALWAYS,
    VIDMM_GIVEN_PRIMARY,
    VIDMM_GIVEN_NOT_PRIMARY,
    VIDMM_GIVEN_COHERENT, /* the adapter has a cache-coherent aperture */
    VIDMM_GIVEN_NOT_COHERENT,
};

/* Facts that hold; bits. */
#define VIDMM_IS_PRIMARY 1u
#define VIDMM_IS_COHERENT 2u

struct vidmm_flag_rule {
    enum vidmm_rule_id rule;
    enum vidmm_flag_word word;
    uint16_t since, before; /* levels: since <= level < before */
    enum vidmm_flag_given given;
    uint32_t when, needs, excludes; /* masks */
    bool refused; /* a page says that creation, or start, fails; otherwise it is reported */
};

/* The rows: 0 to vidmm_flag_rules() - 1. */
size_t vidmm_flag_rules(void);
const struct vidmm_flag_rule *vidmm_flag_rule(size_t index);

/* Whether a rule speaks of this word at this level, whatever is given. */
bool vidmm_flag_rule_binds(const struct vidmm_flag_rule *rule, enum vidmm_flag_word word,
                           uint16_t level, uint32_t value);

/* The bits of `value` that break a rule which binds it, were its condition given: those of `when`,
 * and those excluded. 0: it is kept. */
uint32_t vidmm_flag_rule_breach(const struct vidmm_flag_rule *rule, uint32_t value);

/* Whether some rule speaks of a bit of `value`; of most words none does. */
bool vidmm_flag_rules_speak_of(enum vidmm_flag_word word, uint32_t value);

/* Find the next rule from *index on that a word breaks, and step *index behind it. `is`:
 * VIDMM_IS_... NULL: there is none; *bits is untouched then. */
const struct vidmm_flag_rule *vidmm_flag_rule_next(size_t *index, enum vidmm_flag_word word,
                                                   uint16_t level, unsigned is, uint32_t value,
                                                   uint32_t *bits);

/* The bits of a word at a level. */
const struct vidmm_mask *vidmm_flag_mask(enum vidmm_flag_word word, uint16_t level);

#endif
