/* finding.h: a finding as its reader needs it: what it means, who is to change what, what follows
 * from it.
 *
 *     board: a finding a step, a place      groups: a finding an id
 *
 *     C-012 in "Fill"          ----.
 *     C-012 in "Transfer"      -----+-->    C-012, in two steps
 *     C-004 in "Transfer"      ------->       C-004, which follows from it
 */
#ifndef CHECK_FINDING_H
#define CHECK_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wddm/rule.h"

struct vidmm_board_finding; /* check/board.h */

#define VIDMM_PAGE_RULES 4u

/* All that there is to say of an id: "C-007", "K-004", "S4-045". Texts are never NULL. */
struct vidmm_finding_page {
    char id[16];
    const char *teller; /* "vidmm check", "the kernel of the kit", "the auditor" */
    const char *party;  /* who has to change something: "driver (KMD)" */
    const char *sentence;
    const char *document; /* the page and its part; empty: none */
    char address[160];    /* of the page; empty: none is known */
    char rules[64];       /* ids, as the table has them: "D-070, D-071"; empty: none */
    enum vidmm_rule_id rule[VIDMM_PAGE_RULES]; /* those of them that are rules */
    uint32_t rule_count;
    char windows[160];
    char advice[480];
};

/* Look an id up; letters of both cases are alike. False: there is none. */
bool vidmm_finding_page(const char *id, struct vidmm_finding_page *page);

/* The pages of check and of the kernel, one by one: false: there are no more. */
bool vidmm_finding_page_at(uint32_t index, struct vidmm_finding_page *page);

/* The findings of one id. */
struct vidmm_finding_group {
    const struct vidmm_board_finding *first; /* the earliest */
    uint32_t count;                          /* how often it was seen, in all */
    uint64_t steps;                          /* bit n: in board->steps[n] */
    int cause;                               /* the group that it follows from; -1: none */
};

/* Group a list of the board: its findings, or its notes; at most VIDMM_BOARD_FINDINGS groups, in
 * the order in which they were seen. Answers how many there are. */
uint32_t vidmm_finding_groups(const struct vidmm_board_finding *list, uint32_t count,
                              struct vidmm_finding_group *groups);

/* The next finding of the group, in the order of the list: NULL: there is none. Begin with NULL. */
const struct vidmm_board_finding *vidmm_finding_next(const struct vidmm_finding_group *group,
                                                     const struct vidmm_board_finding *list,
                                                     uint32_t count,
                                                     const struct vidmm_board_finding *last);

/* Whether a member of the call, "DmaSize" in "DmaSize=0x1000", is what the finding speaks of: its
 * document or its observation names it. */
bool vidmm_finding_names(const struct vidmm_board_finding *finding, const char *member,
                         size_t length);

#endif
