/*
 * rule.h: the rules of the contract between VidMm, KMD and UMD, a row a rule.
 *
 *     RULE(id, party, level, calls, checker, source, bugcheck, sentence)
 *
 * id        of contract.tsv, with an underline for the dash: S4_030 is rule 30 of document 4, D_007
 *           one of the other pages. Stable, never used again for another rule
 * party     who breaks it: VIDMM (the memory manager and the scheduler), KMD, UMD
 * level     WDDM1 below 2.0, WDDM2 from there, BOTH
 * calls     the call on whose records it is judged, or a name of several, below
 * checker   what the checker asks, in a few words: the rule's name
 * source    the page, and the part of it
 * bugcheck  what Windows stops with: NO_BUGCHECK or BUGCHECK(code, first parameter)
 * sentence  the rule
 *
 * The rows stand in rules/, one file an area; rules.def includes them all. They do not say how a rule
 * is judged: src/contract binds a checker to each row and test/contract two tests, one that breaks the
 * rule and one that keeps it. A row without them does not link.
 */
#ifndef VIDMM_WDDM_RULE_H
#define VIDMM_WDDM_RULE_H

#include "wddm/call.h"

enum vidmm_rule_id {
#define RULE(id, party, level, calls, checker, source, bugcheck, sentence) VIDMM_RULE_##id,
#include "wddm/rules.def"
#undef RULE
    VIDMM_RULE_COUNT
};

enum vidmm_rule_party { VIDMM_PARTY_VIDMM, VIDMM_PARTY_KMD, VIDMM_PARTY_UMD };

enum vidmm_rule_level { VIDMM_RULE_WDDM1 = 1, VIDMM_RULE_WDDM2 = 2, VIDMM_RULE_BOTH = 3 };

struct vidmm_rule {
    const char *id; /* "S4_030" */
    enum vidmm_rule_party party;
    enum vidmm_rule_level level;
    uint64_t calls;      /* bit n: judged on records of call n of enum vidmm_ddi */
    const char *checker; /* "fill_targets_memory_segment" */
    const char *source;
    uint32_t bugcheck, bugcheck_parameter; /* 0: none */
    const char *sentence;
};

/* The row of a rule. */
const struct vidmm_rule *vidmm_rule(enum vidmm_rule_id id);

/* Append the id as contract.tsv writes it: "S4-030". */
void vidmm_rule_print_id(struct vidmm_text *text, enum vidmm_rule_id id);

/* "VidMm", "KMD" or "UMD". */
const char *vidmm_rule_party_name(enum vidmm_rule_party party);

#endif
