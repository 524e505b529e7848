/* seen.c: breaches of the contract by a driver or a program that the manager sees and lets pass.
 *
 * Each rule is told once, by the first breach in words, and counted from then on. Breaches are seen
 * at any level, the interrupt routine's included: nothing here takes the mutex.
 *
 *     Q1  counts[rule] > 0 from its first breach on
 *     Q2  the breach that made it 1 took the next of `order`, and wrote its text before it wrote
 *         the rule there: a reader that finds a rule in `order` reads a whole text
 *
 * Source: contract.md 8, 43.
 */
#include "vidmm/object/seen.h"

#include <vidmm/adapter.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen_flags.h"
#include "vidmm/object/seen_rules.h"

#include "base/assert.h"
#include "base/text.h"
#include "wddm/flag_rule.h"
#include "wddm/mask.h"
#include "wddm/rule.h"

_Static_assert(VIDMM_RULE_COUNT <= SEEN_COUNTS, "every rule has its count");

/* A sentence without its period. */
static void print_sentence(struct vidmm_text *text, const char *sentence)
{
    for (; *sentence != '\0'; sentence++)
        if (*sentence != '.' || sentence[1] != '\0')
            vidmm_text_char(text, *sentence);
}

/* mask: the names of the value's bits; NULL: it is a number. */
static void describe(struct vidmm_report *report, enum vidmm_rule_id id, const char *what,
                     uint64_t value, const struct vidmm_mask *mask)
{
    const struct vidmm_rule *rule = vidmm_rule(id);
    struct vidmm_text text = vidmm_report_begin(report);

    vidmm_text_string(&text, what);
    vidmm_text_string(&text, " is ");
    vidmm_text_hex(&text, value);
    if (mask) {
        vidmm_text_string(&text, " (");
        vidmm_mask_print(&text, mask, (uint32_t)value);
        vidmm_text_char(&text, ')');
    }
    vidmm_text_string(&text, ": ");
    print_sentence(&text, rule->sentence);
    vidmm_text_string(&text, " (");
    vidmm_rule_print_id(&text, id);
    vidmm_text_string(&text, ", ");
    vidmm_text_string(&text, rule->source);
    vidmm_text_string(&text, ")");
}

static void see(struct vidmm_adapter *adapter, enum vidmm_rule_id rule, const char *what,
                uint64_t value, const struct vidmm_mask *mask)
{
    struct vidmm_seen_rules *seen = adapter->seen;
    uint32_t place;

    if (!vidmm_rule_warns(rule))
        atomic_fetch_add(&adapter->findings, 1);
    if (adapter->options.breach)
        adapter->options.breach(adapter->options.breach_context, (uint32_t)rule);
    if (atomic_fetch_add(&seen->counts[rule], 1) != 0)
        return;
    place = atomic_fetch_add(&seen->used, 1);
    if (place >= SEEN_RULES)
        return;
    describe(&seen->first[place], rule, what, value, mask);
    atomic_store(&seen->order[place], (uint32_t)rule + 1);
}

void vidmm_seen(struct vidmm_adapter *adapter, enum vidmm_rule_id rule, const char *what,
                uint64_t value)
{
    VIDMM_ASSERT(vidmm_rule_is_of(vidmm_rule(rule), adapter->level)); /* none accuses wrongly */
    see(adapter, rule, what, value, NULL);
}

bool vidmm_breach_is_refused(const struct vidmm_adapter *adapter, enum vidmm_rule_id rule,
                             bool refused, const char *what, uint64_t value,
                             struct vidmm_report *report)
{
    if (!refused && (!adapter->options.strict || vidmm_rule_warns(rule)))
        return false;
    describe(report, rule, what, value, NULL);
    return true;
}

bool vidmm_flags_are_refused(const struct vidmm_adapter *adapter, enum vidmm_flag_word word,
                             unsigned is, uint32_t value, const char *what,
                             struct vidmm_report *report)
{
    const struct vidmm_flag_rule *rule;
    size_t index = 0;
    uint32_t bits;

    while ((rule = vidmm_flag_rule_next(&index, word, adapter->level, is, value, &bits)) != NULL) {
        if (rule->refused || adapter->options.strict) {
            describe(report, rule->rule, what, value, vidmm_flag_mask(word, adapter->level));
            return true;
        }
    }
    return false;
}

void vidmm_seen_flags(struct vidmm_adapter *adapter, enum vidmm_flag_word word, unsigned is,
                      uint32_t value, const char *what)
{
    const struct vidmm_flag_rule *rule;
    size_t index = 0;
    uint32_t bits;

    while ((rule = vidmm_flag_rule_next(&index, word, adapter->level, is, value, &bits)) != NULL)
        see(adapter, rule->rule, what, value, vidmm_flag_mask(word, adapter->level));
}

bool vidmm_adapter_finding(const struct vidmm_adapter *adapter, uint32_t index,
                           struct vidmm_finding *finding)
{
    const struct vidmm_seen_rules *seen = adapter->seen;
    uint32_t rule = index < SEEN_RULES ? atomic_load(&seen->order[index]) : 0;
    struct vidmm_text text;

    if (rule == 0)
        return false;
    vidmm_text_init(&text, finding->rule, sizeof(finding->rule));
    vidmm_rule_print_id(&text, rule - 1);
    finding->warning = vidmm_rule_warns(rule - 1);
    finding->party = vidmm_rule_party_name(vidmm_rule(rule - 1)->party);
    finding->count = atomic_load(&seen->counts[rule - 1]);
    finding->first = seen->first[index].text;
    return true;
}
