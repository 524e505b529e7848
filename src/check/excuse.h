/* excuse.h: breaches of the contract that follow from what the kit does not have (K-027).
 *
 * The auditor and the manager see a breach in the thread of the call that it is of, before that
 * thread makes another call. If the driver called a routine in that call which the kit does not
 * have, the breach is a note. All other breaches are findings, also of the same rule.
 */
#ifndef CHECK_EXCUSE_H
#define CHECK_EXCUSE_H

#include <stdint.h>

struct vidmm_ddi_record;

/* For the tap's `record`: note the calls that have come back and met something missing. */
void vidmm_excuse_record(void *context, const struct vidmm_ddi_record *record);
/* The name of the missing thing that the call of this record met; NULL: it met none. */
const char *vidmm_excuse_of(uint64_t sequence);

/* For the manager's `breach`: count those of each rule that were seen behind such a call. */
void vidmm_excuse_breach(void *context, uint32_t rule);
/* If all `count` breaches of a rule were such, the name of the missing thing; else NULL. */
const char *vidmm_excuse_of_rule(uint32_t rule, uint64_t count);

#endif
