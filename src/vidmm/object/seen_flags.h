/* seen_flags.h: breaches of the contract by words of flags. object/seen.h says what becomes of
 * one.
 */
#ifndef VIDMM_OBJECT_SEEN_FLAGS_H
#define VIDMM_OBJECT_SEEN_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "wddm/flag_rule.h"

struct vidmm_adapter;
struct vidmm_report;

/* Whether a word of flags breaks a rule so that it is to be refused: a page says that it fails, or
 * the adapter is strict. True: the report says why, by the first such rule. Nothing is told.
 * is: VIDMM_IS_... of wddm/flag_rule.h. */
bool vidmm_flags_are_refused(const struct vidmm_adapter *adapter, enum vidmm_flag_word word,
                             unsigned is, uint32_t value, const char *what,
                             struct vidmm_report *report);
/* Tell every rule that the word breaks. The run goes on. */
void vidmm_seen_flags(struct vidmm_adapter *adapter, enum vidmm_flag_word word, unsigned is,
                      uint32_t value, const char *what);

#endif
