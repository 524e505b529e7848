/* seen_rules.h: the breaches that an adapter has seen. A structure and no more, and none of the
 * rules, of which few sources need to know; object/seen.h sees and tells.
 */
#ifndef VIDMM_OBJECT_SEEN_RULES_H
#define VIDMM_OBJECT_SEEN_RULES_H

#include <stdatomic.h>
#include <stdint.h>

#include <vidmm/adapter.h>

#define SEEN_RULES 64u   /* broken rules that are told in words; more are counted only */
#define SEEN_COUNTS 768u /* as many rules as there can be; seen.c holds it against their number */

/* The breaches that were seen, by rule; object/seen.c says what holds. */
struct vidmm_seen_rules {
    _Atomic uint32_t counts[SEEN_COUNTS];
    _Atomic uint32_t order[SEEN_RULES];    /* rule + 1, in the order of their first breaches */
    struct vidmm_report first[SEEN_RULES]; /* of `order`: the first breach in words */
    _Atomic uint32_t used;
};

#endif
