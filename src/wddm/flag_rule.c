/* flag_rule.c: the rows of flag_rules.def, judged. */
#include "wddm/flag_rule.h"

#include "wddm/level.h"
#include "wddm/mask.h"

#define LEVEL(major, minor) VIDMM_LEVEL(major, minor)
#define EVER 0
#define NEVER UINT16_MAX
#define REFUSED true
#define REPORTED false

/* The rules whose breach the manager sees: here, each in its row. */
#define ILLEGAL(rule, word, since, before, given, when, needs, excludes, answer) VIDMM_SEES(rule);
#define ALSO(rule, word, since, before, given, when, needs, excludes, answer)
#include "wddm/flag_rules.def"

static const struct vidmm_flag_rule rows[] = {
#define ILLEGAL(rule, word, since, before, given, when, needs, excludes, answer)                   \
    {VIDMM_RULE_##rule,                                                                            \
     VIDMM_FLAGS_##word,                                                                           \
     since,                                                                                        \
     before,                                                                                       \
     VIDMM_GIVEN_##given,                                                                          \
     when,                                                                                         \
     needs,                                                                                        \
     excludes,                                                                                     \
     answer},
#define ALSO ILLEGAL
#include "wddm/flag_rules.def"
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* Bits that some row of the word speaks of. */
static const uint32_t spoken_of[] = {
#define ILLEGAL(rule, word, since, before, given, when, needs, excludes, answer)                   \
    | (VIDMM_FLAGS_##word == VIDMM_FLAGS_ALLOCATION ? (when) : 0u)
#define ALSO ILLEGAL
    [VIDMM_FLAGS_ALLOCATION] = 0u
#include "wddm/flag_rules.def"
    ,
#define ILLEGAL(rule, word, since, before, given, when, needs, excludes, answer)                   \
    | (VIDMM_FLAGS_##word == VIDMM_FLAGS_SEGMENT ? (when) : 0u)
#define ALSO ILLEGAL
    [VIDMM_FLAGS_SEGMENT] = 0u
#include "wddm/flag_rules.def"
    ,
#define ILLEGAL(rule, word, since, before, given, when, needs, excludes, answer)                   \
    | (VIDMM_FLAGS_##word == VIDMM_FLAGS_CREATION ? (when) : 0u)
#define ALSO ILLEGAL
    [VIDMM_FLAGS_CREATION] = 0u
#include "wddm/flag_rules.def"
};

size_t vidmm_flag_rules(void)
{
    return ROWS;
}

const struct vidmm_flag_rule *vidmm_flag_rule(size_t index)
{
    return &rows[index];
}

bool vidmm_flag_rule_binds(const struct vidmm_flag_rule *rule, enum vidmm_flag_word word,
                           uint16_t level, uint32_t value)
{
    return rule->word == word && level >= rule->since && level < rule->before &&
           (value & rule->when) != 0;
}

uint32_t vidmm_flag_rule_breach(const struct vidmm_flag_rule *rule, uint32_t value)
{
    bool broken = (value & rule->needs) != rule->needs || (value & rule->excludes) != 0;

    return broken ? value & (rule->when | rule->excludes) : 0;
}

bool vidmm_flag_rules_speak_of(enum vidmm_flag_word word, uint32_t value)
{
    return (value & spoken_of[word]) != 0;
}

static bool is_given(enum vidmm_flag_given given, unsigned is)
{
    switch (given) {
    case VIDMM_GIVEN_PRIMARY:
        return (is & VIDMM_IS_PRIMARY) != 0;
    case VIDMM_GIVEN_NOT_PRIMARY:
        return (is & VIDMM_IS_PRIMARY) == 0;
    case VIDMM_GIVEN_COHERENT:
        return (is & VIDMM_IS_COHERENT) != 0;
    case VIDMM_GIVEN_NOT_COHERENT:
        return (is & VIDMM_IS_COHERENT) == 0;
    default:
        return true;
    }
}

const struct vidmm_flag_rule *vidmm_flag_rule_next(size_t *index, enum vidmm_flag_word word,
                                                   uint16_t level, unsigned is, uint32_t value,
                                                   uint32_t *bits)
{
    while (*index < ROWS) {
        const struct vidmm_flag_rule *rule = &rows[(*index)++];
        uint32_t breach;

        if ((value & rule->when) == 0)
            continue;
        breach = vidmm_flag_rule_breach(rule, value);
        if (breach != 0 && is_given(rule->given, is) &&
            vidmm_flag_rule_binds(rule, word, level, value)) {
            while (*index < ROWS && rows[*index].rule == rule->rule)
                (*index)++; /* ALSO: a rule is broken once */
            *bits = breach;
            return rule;
        }
    }
    return NULL;
}

const struct vidmm_mask *vidmm_flag_mask(enum vidmm_flag_word word, uint16_t level)
{
    if (word == VIDMM_FLAGS_SEGMENT)
        return &vidmm_mask_DXGK_SEGMENTFLAGS;
    if (word == VIDMM_FLAGS_CREATION)
        return &vidmm_mask_D3DKMT_CREATEALLOCATIONFLAGS;
    return level >= VIDMM_LEVEL(2, 0) ? &vidmm_mask_DXGK_ALLOCATIONINFOFLAGS_WDDM2_0
                                      : &vidmm_mask_DXGK_ALLOCATIONINFOFLAGS;
}
