/* rule.c: the table of rules.def. */
#include "wddm/rule.h"

#include <stddef.h>

#include "base/text.h"
#include "wddm/call.h"
#include "wddm/level.h"

/* ---- what a row of a kind may say ---- */

#define IS(party, expected) (VIDMM_PARTY_##party == VIDMM_PARTY_##expected)
#define SHOWN(id, party, level, how, source, bugcheck, sentence)                                   \
    _Static_assert(!IS(party, KMD) && VIDMM_HOW_##how == VIDMM_HOW_TEST, #id);
#define SEEN(id, party, level, how, source, bugcheck, sentence)                                    \
    _Static_assert(!IS(party, VIDMM) && VIDMM_HOW_##how <= VIDMM_HOW_TEST, #id);
#define LAYOUT(id, party, level, how, source, bugcheck, sentence)                                  \
    _Static_assert(VIDMM_HOW_##how == VIDMM_HOW_COMPILE, #id);
#define VERIFIER(id, party, level, how, source, bugcheck, sentence)                                \
    _Static_assert(!IS(party, VIDMM) && VIDMM_HOW_##how == VIDMM_HOW_VERIFIER, #id);
#define CHECKED(id, party, level, how, source, bugcheck, sentence, findings)                       \
    _Static_assert(!IS(party, VIDMM) && VIDMM_HOW_##how == VIDMM_HOW_VERIFIER, #id);               \
    _Static_assert(sizeof findings > 5, #id " names a finding");
#define OWES(id, clause) _Static_assert(sizeof clause > 1, #id " says what it owes");
#define UNOBSERVABLE(id, party, level, how, source, bugcheck, sentence, reason)                    \
    _Static_assert(IS(party, VIDMM) && VIDMM_HOW_##how == VIDMM_HOW_UNOBSERVABLE, #id);            \
    _Static_assert(sizeof reason > 1, #id " says why");
#include "wddm/rules.def"

enum {
    UNOBSERVABLE_RULES = 0
#define UNOBSERVABLE(id, party, level, how, source, bugcheck, sentence, reason) +1
#include "wddm/rules.def"
};
_Static_assert(UNOBSERVABLE_RULES <= 5, "nearly everything can be observed");

/* ---- the table ---- */

/* A column `calls` names one call, or several. */
#define ON(ID) ((uint64_t)1 << VIDMM_DDI_##ID)
#define CALLS_NONE 0
#define CALLS_QUERY_ADAPTER_INFO ON(QUERY_ADAPTER_INFO)
#define CALLS_OPEN_ALLOCATION ON(OPEN_ALLOCATION)
#define CALLS_DESTROY_ALLOCATION ON(DESTROY_ALLOCATION)
#define CALLS_BUILD_PAGING_BUFFER ON(BUILD_PAGING_BUFFER)
#define CALLS_PATCH ON(PATCH)
#define CALLS_CREATE_ALLOCATION ON(CREATE_ALLOCATION)
#define CALLS_CREATE_CONTEXT ON(CREATE_CONTEXT)
#define CALLS_SET_POWER_STATE ON(SET_POWER_STATE)
#define CALLS_QUERY_CURRENT_FENCE ON(QUERY_CURRENT_FENCE)
#define CALLS_RESET_ENGINE ON(RESET_ENGINE)
#define CALLS_SUBMIT_COMMAND ON(SUBMIT_COMMAND)
#define CALLS_PREEMPT_COMMAND ON(PREEMPT_COMMAND)
#define CALLS_NOTIFY_INTERRUPT ON(NOTIFY_INTERRUPT)
#define CALLS_START_DEVICE ON(START_DEVICE)
#define CALLS_REMOVE_DEVICE ON(REMOVE_DEVICE)
#define CALLS_CONTROL_INTERRUPT ON(CONTROL_INTERRUPT)
#define CALLS_DESCRIBE_ALLOCATION ON(DESCRIBE_ALLOCATION)
#define CALLS_SUBMIT_VIRTUAL ON(SUBMIT_COMMAND_VIRTUAL)
#define CALLS_SUBMIT_EITHER (ON(SUBMIT_COMMAND) | ON(SUBMIT_COMMAND_VIRTUAL))
#define CALLS_MAP_HOST ON(MAP_CPU_HOST_APERTURE)
#define CALLS_UNMAP_HOST ON(UNMAP_CPU_HOST_APERTURE)
#define CALLS_MAP_OR_UNMAP_HOST (CALLS_MAP_HOST | CALLS_UNMAP_HOST)
#define CALLS_SET_ROOT ON(SET_ROOT_PAGE_TABLE)
#define CALLS_ROOT_AND_SUBMIT_VIRTUAL (ON(SET_ROOT_PAGE_TABLE) | ON(SUBMIT_COMMAND_VIRTUAL))
#define CALLS_BUILD_AND_SUBMIT_VIRTUAL (ON(BUILD_PAGING_BUFFER) | ON(SUBMIT_COMMAND_VIRTUAL))
#define CALLS_PATCH_AND_SUBMIT (ON(PATCH) | ON(SUBMIT_COMMAND))
#define CALLS_BUILD_AND_SUBMIT (ON(BUILD_PAGING_BUFFER) | ON(SUBMIT_COMMAND))
#define CALLS_BUILD_AND_DESTROY (ON(BUILD_PAGING_BUFFER) | ON(DESTROY_ALLOCATION))
#define CALLS_BUILD_AND_PATCH (ON(BUILD_PAGING_BUFFER) | ON(PATCH))
#define CALLS_BUILD_PATCH_AND_SUBMIT (ON(BUILD_PAGING_BUFFER) | ON(PATCH) | ON(SUBMIT_COMMAND))
#define CALLS_RENDER_PATCH_AND_SUBMIT (ON(RENDER) | ON(PATCH) | ON(SUBMIT_COMMAND))
#define CALLS_EVERY_CALL UINT64_MAX
#define CALLS_SCHEDULER_CLASS                                                                      \
    (ON(BUILD_PAGING_BUFFER) | ON(PATCH) | ON(SUBMIT_COMMAND) | ON(PREEMPT_COMMAND) |              \
     ON(QUERY_ENGINE_STATUS) | ON(QUERY_DEPENDENT_ENGINE_GROUP) | ON(RESET_ENGINE) |               \
     ON(SUBMIT_COMMAND_VIRTUAL) | ON(SET_ROOT_PAGE_TABLE))

/* Two numbers in one: a comma would be one argument more to the next macro. */
#define NO_BUGCHECK UINT64_C(0)
#define BUGCHECK(code, parameter) ((uint64_t)(code) << 32 | (parameter))

static const struct vidmm_rule rules[VIDMM_RULE_COUNT] = {
#define EVERY(kind, id, party, level, how, calls, checker, source, bugcheck, sentence, reason)     \
    {#id,                                                                                          \
     AREA,                                                                                         \
     VIDMM_KIND_##kind,                                                                            \
     VIDMM_PARTY_##party,                                                                          \
     VIDMM_RULE_##level,                                                                           \
     VIDMM_HOW_##how,                                                                              \
     CALLS_##calls,                                                                                \
     checker,                                                                                      \
     source,                                                                                       \
     (uint32_t)((bugcheck) >> 32),                                                                 \
     (uint32_t)(bugcheck),                                                                         \
     sentence,                                                                                     \
     reason},
#include "wddm/rules.def"
};

static const char *const owed[VIDMM_RULE_COUNT] = {
#define OWES(id, clause) [VIDMM_RULE_##id] = clause,
#include "wddm/rules.def"
};

static const bool warns[VIDMM_RULE_COUNT] = {
#define WARNS(id) [VIDMM_RULE_##id] = true,
#include "wddm/rules.def"
};

const struct vidmm_rule *vidmm_rule(enum vidmm_rule_id id)
{
    return &rules[id];
}

const char *vidmm_rule_owes(enum vidmm_rule_id id)
{
    return owed[id];
}

bool vidmm_rule_is_of(const struct vidmm_rule *rule, uint16_t level)
{
    enum vidmm_rule_level its = level < VIDMM_LEVEL(2, 0) ? VIDMM_RULE_WDDM1 : VIDMM_RULE_WDDM2;

    return (rule->level & its) != 0;
}

bool vidmm_rule_warns(enum vidmm_rule_id id)
{
    return warns[id];
}

void vidmm_rule_print_id(struct vidmm_text *text, enum vidmm_rule_id id)
{
    for (const char *c = rules[id].id; *c != '\0'; c++)
        vidmm_text_char(text, *c == '_' ? '-' : *c);
}

const char *vidmm_rule_party_name(enum vidmm_rule_party party)
{
    static const char *const names[] = {"VidMm", "KMD", "UMD"};

    return names[party];
}

const char *vidmm_rule_level_name(enum vidmm_rule_level level)
{
    static const char *const names[] = {"none", "1.x", "2.x+", "both"};

    return names[level];
}

const char *vidmm_rule_how_name(enum vidmm_rule_how how)
{
    static const char *const names[] = {"compile", "call",     "history",
                                        "test",    "verifier", "unobservable"};

    return names[how];
}
