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

#include "contract/checker.h"
#include "contract/contract.h"

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

/* Write what was found. */
void vidmm_audit_report(const struct vidmm_audit *audit, enum vidmm_report_style style,
                        vidmm_tap_write *write, void *context);

#endif
