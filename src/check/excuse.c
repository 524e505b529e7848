/* excuse.c: a list of records, and a count a rule. */
#include "check/excuse.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#include "check/board.h"
#include "wddm/call.h"
#include "wddm/rule.h"

enum { RECORDS = 1024 }; /* those behind the last are not excused */

static struct {
    uint64_t sequence;
    char missing[64];
} records[RECORDS];
static unsigned record_count; /* written under the tap's lock */

static struct {
    atomic_uint_fast64_t count;
    char missing[64]; /* by the first */
} rules[VIDMM_RULE_COUNT];

void vidmm_excuse_record(void *context, const struct vidmm_ddi_record *record)
{
    const char *missing = record->returned ? vidmm_board_missing() : NULL;

    (void)context;
    if (!missing || record_count == RECORDS)
        return;
    records[record_count].sequence = record->sequence;
    snprintf(records[record_count].missing, sizeof(records[0].missing), "%s", missing);
    record_count++;
}

const char *vidmm_excuse_of(uint64_t sequence)
{
    for (unsigned i = 0; i < record_count; i++)
        if (records[i].sequence == sequence)
            return records[i].missing;
    return NULL;
}

void vidmm_excuse_breach(void *context, uint32_t rule)
{
    const char *missing = vidmm_board_missing();

    (void)context;
    if (missing && rule < VIDMM_RULE_COUNT && atomic_fetch_add(&rules[rule].count, 1) == 0)
        snprintf(rules[rule].missing, sizeof(rules[rule].missing), "%s", missing);
}

const char *vidmm_excuse_of_rule(uint32_t rule, uint64_t count)
{
    bool all = rule < VIDMM_RULE_COUNT && count > 0 && atomic_load(&rules[rule].count) == count;

    return all ? rules[rule].missing : NULL;
}
