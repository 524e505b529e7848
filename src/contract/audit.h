/*
 * audit.h: judging records, and keeping what was found.
 *
 * Each rule of src/wddm/rules has a checker, vidmm_check_<id>(): it is called on the records of the
 * calls that its row names, at entry before the shadow takes over what the call does, and at return
 * likewise. It asks one question and reports a breach; it changes nothing.
 *
 * Private to src/contract.
 */
#ifndef VIDMM_CONTRACT_AUDIT_H
#define VIDMM_CONTRACT_AUDIT_H

#include "contract/contract.h"
#include "contract/shadow.h"
#include "wddm/rule.h"

struct vidmm_audit;

/* One call, from its entry to its return: the record that the checkers read. */
struct vidmm_audit_event {
    struct vidmm_audit *audit;
    const struct vidmm_shadow *shadow; /* of the physical adapter that the call is about */
    const struct vidmm_ddi_record *record;
    unsigned link;              /* its EngineOrdinal */
    int entry_irql;             /* at the return: the level at which the call was entered */
    bool paging_is_not_patched; /* as configured */

    struct vidmm_shadow_build build;          /* of BuildPagingBuffer */
    const struct vidmm_shadow_packet *packet; /* of Patch at entry; NULL: it could not be kept */
    struct vidmm_shadow_submit submit;        /* of SubmitCommand, ..Virtual at entry */
    DXGKARG_SUBMITCOMMAND command;            /* of SubmitCommandVirtual: what it comes to */
    bool idle_node;                           /* of PreemptCommand: there is nothing to preempt */
    const HANDLE *resolved;                   /* of OpenAllocation at return: the KMD's handles */
};

/* The argument struct of a record. */
#define VIDMM_EVENT_ARGUMENT(event, type) ((const type *)(event)->record->argument)

struct vidmm_kept_violation {
    enum vidmm_rule_id rule;
    uint64_t sequence;
    char *detail, *record;
};

#define VIDMM_AUDIT_LINKS 4u

/*
 * Physical adapters of a link have a shadow each: every one of them sees the calls about objects,
 * and those of the rest that are about its own. So each is judged like an adapter that is not
 * linked.
 */
struct vidmm_audit {
    struct vidmm_shadow *shadows[VIDMM_AUDIT_LINKS]; /* by EngineOrdinal; 0 is the lead's */
    unsigned links;                                  /* of these; 1: not linked */
    struct vidmm_shadow lead;
    struct vidmm_tap_config config;
    uint64_t total;
    uint64_t counts[VIDMM_RULE_COUNT];
    struct vidmm_kept_violation *kept;
    size_t kept_count, kept_capacity;

    /* For each call, the rules to judge on it at this driver's level. */
    enum vidmm_rule_id rules[VIDMM_DDI_COUNT][VIDMM_RULE_COUNT];
    size_t rule_count[VIDMM_DDI_COUNT];
};

/* False: no memory, or config->links is more than VIDMM_AUDIT_LINKS; finish() it all the same. */
bool vidmm_audit_init(struct vidmm_audit *audit, const struct vidmm_tap_config *config,
                      uint16_t level);
/* Whether memory has run out: the shadows are no longer true. */
bool vidmm_audit_lost(const struct vidmm_audit *audit);
void vidmm_audit_finish(struct vidmm_audit *audit);

/* Judge and take over one record. The event lives from the entry of a call to its return; a record
 * of interrupt time has an entry only. */
void vidmm_audit_enter(struct vidmm_audit *audit, struct vidmm_audit_event *event,
                       const struct vidmm_ddi_record *record);
void vidmm_audit_leave(struct vidmm_audit *audit, struct vidmm_audit_event *event,
                       const struct vidmm_ddi_record *record);

/* Count a breach; keep it if it is one of the first of its rule. */
void vidmm_audit_breach(const struct vidmm_audit_event *event, enum vidmm_rule_id rule,
                        const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Write what was found. */
void vidmm_audit_report(const struct vidmm_audit *audit, enum vidmm_report_style style,
                        vidmm_tap_write *write, void *context);

/* The checkers, and where they are. A row without one does not link; one without a row does not
 * compile, since nothing declares it. */
#define RULE(id, party, level, how, calls, checker, source, bugcheck, sentence)                    \
    extern const struct vidmm_source_line vidmm_checker_at_##id;                                   \
    void vidmm_check_##id(const struct vidmm_audit_event *event);
#include "wddm/rules.def"

/* The head of a checker: CHECKER(S4_030) { if (event->record->returned) ... } */
#define CHECKER(id)                                                                                \
    const struct vidmm_source_line vidmm_checker_at_##id = {__FILE__, __LINE__};                   \
    void vidmm_check_##id(const struct vidmm_audit_event *event)

/* A breach of the rule that the checker is for. */
#define BREACH(event, id, ...) vidmm_audit_breach(event, VIDMM_RULE_##id, __VA_ARGS__)

/* A handle or an address, to be printed with %llx. */
#define HEX(x) ((unsigned long long)(uintptr_t)(x))

#endif
