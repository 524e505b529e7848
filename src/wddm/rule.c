/* rule.c: the table of rules.def. */
#include "wddm/rule.h"

_Static_assert(VIDMM_DDI_COUNT <= 64, "a rule names its calls in 64 bits");

/* A column `calls` names one call, or several. */
#define ON(ID) ((uint64_t)1 << VIDMM_DDI_##ID)
#define CALLS_QUERY_ADAPTER_INFO ON(QUERY_ADAPTER_INFO)
#define CALLS_OPEN_ALLOCATION ON(OPEN_ALLOCATION)
#define CALLS_DESTROY_ALLOCATION ON(DESTROY_ALLOCATION)
#define CALLS_BUILD_PAGING_BUFFER ON(BUILD_PAGING_BUFFER)
#define CALLS_PATCH ON(PATCH)
#define CALLS_SUBMIT_COMMAND ON(SUBMIT_COMMAND)
#define CALLS_PREEMPT_COMMAND ON(PREEMPT_COMMAND)
#define CALLS_NOTIFY_INTERRUPT ON(NOTIFY_INTERRUPT)
#define CALLS_PATCH_AND_SUBMIT (ON(PATCH) | ON(SUBMIT_COMMAND))
#define CALLS_BUILD_AND_SUBMIT (ON(BUILD_PAGING_BUFFER) | ON(SUBMIT_COMMAND))
#define CALLS_BUILD_AND_DESTROY (ON(BUILD_PAGING_BUFFER) | ON(DESTROY_ALLOCATION))
#define CALLS_BUILD_AND_PATCH (ON(BUILD_PAGING_BUFFER) | ON(PATCH))
#define CALLS_BUILD_PATCH_AND_SUBMIT (ON(BUILD_PAGING_BUFFER) | ON(PATCH) | ON(SUBMIT_COMMAND))
#define CALLS_RENDER_PATCH_AND_SUBMIT (ON(RENDER) | ON(PATCH) | ON(SUBMIT_COMMAND))
#define CALLS_EVERY_CALL UINT64_MAX
#define CALLS_SCHEDULER_CLASS                                                                      \
    (ON(BUILD_PAGING_BUFFER) | ON(PATCH) | ON(SUBMIT_COMMAND) | ON(PREEMPT_COMMAND) |              \
     ON(QUERY_ENGINE_STATUS) | ON(QUERY_DEPENDENT_ENGINE_GROUP) | ON(RESET_ENGINE))

#define NO_BUGCHECK 0, 0
#define BUGCHECK(code, parameter) code, parameter

static const struct vidmm_rule rules[VIDMM_RULE_COUNT] = {
#define RULE(id, party, level, calls, checker, source, bugcheck, sentence)                         \
    {#id,     VIDMM_PARTY_##party, VIDMM_RULE_##level, CALLS_##calls, #checker, source, bugcheck,  \
     sentence},
#include "wddm/rules.def"
#undef RULE
};

const struct vidmm_rule *vidmm_rule(enum vidmm_rule_id id)
{
    return &rules[id];
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
