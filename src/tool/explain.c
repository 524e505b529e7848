/* explain.c: the rules that bind a word of flags. */
#include "tool/explain.h"

#include <ctype.h>
#include <string.h>

#include "wddm/mask.h"

/* Whether the rule is broken as things are. */
static bool is_broken_now(const struct vidmm_explain_word *word, const struct vidmm_flag_rule *rule)
{
    const struct vidmm_flag_rule *found;
    size_t index = 0;
    uint32_t bits;

    while ((found = vidmm_flag_rule_next(&index, word->kind, word->level, word->is, word->value,
                                         &bits)) != NULL)
        if (found->rule == rule->rule)
            return true;
    return false;
}

bool vidmm_explain_elsewhere(const struct vidmm_explain_word *word,
                             const struct vidmm_flag_rule *rule)
{
    return rule->given != VIDMM_GIVEN_ALWAYS &&
           vidmm_flag_rule_binds(rule, word->kind, word->level, word->value) &&
           vidmm_flag_rule_breach(rule, word->value) != 0 && !is_broken_now(word, rule);
}

const char *vidmm_explain_circumstance(enum vidmm_flag_given given)
{
    static const char *const texts[] = {
        [VIDMM_GIVEN_ALWAYS] = "always",
        [VIDMM_GIVEN_PRIMARY] = "on a primary",
        [VIDMM_GIVEN_NOT_PRIMARY] = "on anything but a primary",
        [VIDMM_GIVEN_COHERENT] = "with a cache-coherent aperture segment",
        [VIDMM_GIVEN_NOT_COHERENT] = "without a cache-coherent aperture segment",
    };

    return texts[given];
}

/* Whether a text names the bit as a word of its own. */
static bool names_bit(const char *text, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = text; (at = strstr(at, name)) != NULL; at += length)
        if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[length]))
            return true;
    return false;
}

bool vidmm_explain_speaks(const struct vidmm_explain_word *word, const struct vidmm_rule *rule)
{
    bool own = word->kind == VIDMM_FLAGS_ALLOCATION || strcmp(rule->area, "segment-flags") == 0;

    if (!own || !vidmm_rule_is_of(rule, word->level))
        return false;
    if (word->kind == VIDMM_FLAGS_ALLOCATION && strcmp(rule->area, "segment-flags") == 0)
        return false;
    for (size_t i = 0; i < word->mask->count; i++) {
        const struct vidmm_mask_bit *bit = &word->mask->bits[i];
        if ((word->value & bit->mask) != 0 &&
            (names_bit(rule->sentence, bit->name) || names_bit(rule->source, bit->name)))
            return true;
    }
    return false;
}
