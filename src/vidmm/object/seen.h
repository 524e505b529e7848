/* seen.h: breaches of the contract by a driver or a program that the manager sees.
 *
 *     a page says that it fails refused, with the rule's id and the value; nothing has changed
 *     everything else                  told once by its rule, counted, and the run goes on
 *     ... and the option `strict`      refused as well, where there is something to refuse
 *     what Windows only warns of       told once, not counted among the findings, never refused
 *
 * VIDMM_SEES(id) stands in front of every function that judges a rule of KMD or UMD (wddm/rule.h).
 */
#ifndef VIDMM_OBJECT_SEEN_H
#define VIDMM_OBJECT_SEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "wddm/rule.h"

struct vidmm_adapter;
struct vidmm_report;

/* Tell a breach: "WHAT is VALUE: the rule". The run goes on. Any thread, any level; it takes no
 * mutex, allocates nothing and cannot fail. */
void vidmm_seen(struct vidmm_adapter *adapter, enum vidmm_rule_id rule, const char *what,
                uint64_t value);

/* Whether a breach is to be refused: a page says that this fails (`refused`), or the adapter is
 * strict. True: the report says why. Nothing is told or counted; a caller that goes on calls
 * vidmm_seen(). */
bool vidmm_breach_is_refused(const struct vidmm_adapter *adapter, enum vidmm_rule_id rule,
                             bool refused, const char *what, uint64_t value,
                             struct vidmm_report *report);

#endif
