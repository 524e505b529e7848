/* checker.h: the view of a checker of the auditor: one call, and the shadow of its adapter.
 *
 *     CHECKER(S4_030)
 *     {
 *         if (event->record->returned && ...)
 *             BREACH(event, S4_030, "...", ...);
 *     }
 *
 * A checker reads, and changes nothing. Private to src/contract.
 */
#ifndef VIDMM_CONTRACT_CHECKER_H
#define VIDMM_CONTRACT_CHECKER_H

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

/* Count a breach; keep it if it is one of the first of its rule. */
void vidmm_audit_breach(const struct vidmm_audit_event *event, enum vidmm_rule_id rule,
                        const char *format, ...) __attribute__((format(printf, 3, 4)));

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
