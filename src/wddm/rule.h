/*
 * rule.h: the rules of the contract between VidMm, KMD and UMD, a row a rule.
 *
 *     RULE(id, party, level, how, calls, checker, source, bugcheck, sentence)
 *     SHOWN, SEEN, LAYOUT, VERIFIER, DUE(id, party, level, how, source, bugcheck, sentence)
 *     CHECKED(id, party, level, how, source, bugcheck, sentence, findings)
 *     UNOBSERVABLE(id, party, level, how, source, bugcheck, sentence, reason)
 *     OWES(id, clause)
 *     WARNS(id)
 *
 * The kind of a row says who judges it, and what a row of the kind does not link without:
 *
 *     RULE          the auditor, from calls alone: vidmm_check_<id>() in src/contract,
 *                   breaks_<id>() and keeps_<id>() in test/contract
 *     SHOWN         a rule of VidMm that a test shows, or one of UMD: src/umd obeys it for those
 *                   who link it, or it says what a program may do: shows_<id>() in
 *                   test/rules/shows_AREA.c, or shows_user_mode*.c
 *     SEEN          a rule of KMD or UMD whose breach the manager sees and answers: VIDMM_SEES(id)
 *                   where it does, breaks_<id>() and keeps_<id>() in test/rules/seen_AREA.c
 *     LAYOUT        a structure or a number says it: holds_<id>() in test/rules/layout.c
 *     VERIFIER      a rule of KMD or UMD that only something can judge which runs what the driver
 *                   wrote and looks at memory; it is owed: nobody judges it yet
 *     CHECKED       such a rule, where `vidmm check` sees the breach: the row names its
 *                   findings, each of which a test provokes (test/check/run, test/softgpu/run)
 *     UNOBSERVABLE  a rule of VidMm that nobody can observe: the row says why. Five at most
 *     DUE           one of the above that is still owed; its columns are those of SHOWN and SEEN
 *
 * OWES is no row of its own: it stands behind a row and says which clause of the contract's
 * sentence no test asserts. WARNS is none either: it stands behind a row whose breach Windows was
 * measured to take, or a public driver that runs on Windows commits, so that it is never refused
 * and is no finding.
 *
 * and the columns:
 *
 * id        of contract.tsv, with an underline for the dash: S4_030 is rule 30 of document 4, D_007
 *           one of the other pages. Stable, never used again for another rule
 * party     who breaks it: VIDMM (the memory manager and the scheduler), KMD, UMD
 * level     WDDM1 below 2.0, WDDM2 from there, BOTH
 * how       COMPILE (a layout says it), CALL (one record is enough), HISTORY (it takes what was
 *           before), TEST (the behaviour of the manager or the tool, shown by a test), VERIFIER,
 *           UNOBSERVABLE
 * calls     the call on whose records it is judged, or a name of several, in rule.c
 * checker   what the checker asks, in a few words: the rule's name
 * source    the page, and the part of it
 * bugcheck  what Windows stops with: NO_BUGCHECK or BUGCHECK(code, first parameter)
 * sentence  the rule
 *
 * The rows stand in rules/, one file an area of contract.tsv; rules.def includes them all.
 */
#ifndef VIDMM_WDDM_RULE_H
#define VIDMM_WDDM_RULE_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_text;

enum vidmm_rule_id {
#define EVERY(kind, id, party, level, how, calls, checker, source, bugcheck, sentence, reason)     \
    VIDMM_RULE_##id,
#include "wddm/rules.def"
    VIDMM_RULE_COUNT
};

enum vidmm_rule_kind {
    VIDMM_KIND_AUDITED, /* RULE */
    VIDMM_KIND_SHOWN,
    VIDMM_KIND_SEEN,
    VIDMM_KIND_LAYOUT,
    VIDMM_KIND_VERIFIER,
    VIDMM_KIND_CHECKED,
    VIDMM_KIND_UNOBSERVABLE,
    VIDMM_KIND_DUE,
};

enum vidmm_rule_party { VIDMM_PARTY_VIDMM, VIDMM_PARTY_KMD, VIDMM_PARTY_UMD };

enum vidmm_rule_level { VIDMM_RULE_WDDM1 = 1, VIDMM_RULE_WDDM2 = 2, VIDMM_RULE_BOTH = 3 };

enum vidmm_rule_how {
    VIDMM_HOW_COMPILE,
    VIDMM_HOW_CALL,
    VIDMM_HOW_HISTORY,
    VIDMM_HOW_TEST,
    VIDMM_HOW_VERIFIER,
    VIDMM_HOW_UNOBSERVABLE,
};

/* A line of a source of this project. */
struct vidmm_source_line {
    const char *file; /* from the root of the tree */
    unsigned line;
};

struct vidmm_rule {
    const char *id;   /* "S4_030" */
    const char *area; /* "paging-fill": of contract.tsv, with a dash for a stroke */
    enum vidmm_rule_kind kind;
    enum vidmm_rule_party party;
    enum vidmm_rule_level level;
    enum vidmm_rule_how how;
    uint64_t calls;      /* bit n: judged on records of call n of enum vidmm_ddi, the first 64; all
                            bits: of every call; 0: on none */
    const char *checker; /* "fill_targets_memory_segment"; NULL: the auditor does not judge it */
    const char *source;
    uint32_t bugcheck, bugcheck_parameter; /* 0: none */
    const char *sentence;
    const char *reason; /* why it cannot be observed; the findings that tell it; or NULL */
};

/* The row of a rule. */
const struct vidmm_rule *vidmm_rule(enum vidmm_rule_id id);

/* The clause of the rule that no test asserts; NULL: there is none. */
const char *vidmm_rule_owes(enum vidmm_rule_id id);

/* Whether the rule is one of drivers of that level, a VIDMM_LEVEL(...). */
bool vidmm_rule_is_of(const struct vidmm_rule *rule, uint16_t level);

/* Whether a breach of the rule is a warning and no more. */
bool vidmm_rule_warns(enum vidmm_rule_id id);

/* Append the id as contract.tsv writes it: "S4-030". */
void vidmm_rule_print_id(struct vidmm_text *text, enum vidmm_rule_id id);

/* "VidMm", "KMD" or "UMD"; "1.x", "2.x+" or "both"; "compile", "call" and so on. */
const char *vidmm_rule_party_name(enum vidmm_rule_party party);
const char *vidmm_rule_level_name(enum vidmm_rule_level level);
const char *vidmm_rule_how_name(enum vidmm_rule_how how);

/* Say, outside of any function, that the breach of a SEEN rule is answered by what follows:
 *     VIDMM_SEES(S0_015);
 * A row that nobody sees does not link. */
#define VIDMM_SEES(id)                                                                             \
    extern const struct vidmm_source_line vidmm_sees_##id;                                         \
    const struct vidmm_source_line vidmm_sees_##id = {__FILE__, __LINE__}

#endif
