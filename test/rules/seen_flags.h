/* seen_flags.h: descriptions that a driver may not give, and the manager's answer to them.
 *
 *     flags_broken(rule, gpu, flags)    told once and let pass; refused by a strict adapter, by its
 *                                       id
 *     flags_kept(rule, gpu, flags)      passes both without a word of this rule
 *     described_broken(rule, gpu, change), described_kept(...)    the same for other members
 */
#ifndef TEST_RULES_SEEN_FLAGS_H
#define TEST_RULES_SEEN_FLAGS_H

#include "rules_rig.h"

static uint32_t flags_described; /* Flags of each allocation */

static inline void flags_describe(DXGK_ALLOCATIONINFO *info)
{
    info->Flags.Value = flags_described;
}

/* An adapter, strict or not, whose driver changes what it describes. */
static inline void flags_begin(struct shown *shown, const char *gpu,
                               void (*change)(DXGK_ALLOCATIONINFO *info), bool strict)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    options.adapter.strict = strict;
    shown_bend.change = change;
    shown_init(shown, &options, shown_bend_creation);
}

static inline NTSTATUS flags_create(struct shown *shown)
{
    struct rig_allocation allocation;

    return rig_create(&shown->rig, &allocation, VIDMM_PAGE_SIZE, 2, 0);
}

/* Each of two allocations is let pass, and counted or not. */
static inline void flags_pass(const char *rule, const char *gpu,
                              void (*change)(DXGK_ALLOCATIONINFO *info), uint64_t count)
{
    struct shown shown;

    flags_begin(&shown, gpu, change, false);
    for (uint64_t times = 1; times <= 2; times++) {
        assert_int_equal(flags_create(&shown), STATUS_SUCCESS);
        assert_int_equal(shown_findings(&shown, rule), times * count);
    }
    shown_finish(&shown);
}

static inline void described_broken(const char *rule, const char *gpu,
                                    void (*change)(DXGK_ALLOCATIONINFO *info))
{
    struct vidmm_machine_counts before, after;
    struct shown shown;

    flags_pass(rule, gpu, change, 1);
    flags_begin(&shown, gpu, change, true);
    before = vidmm_machine_counts(shown.rig.machine);
    assert_int_equal(flags_create(&shown), STATUS_INVALID_PARAMETER);
    if (strstr(shown.rig.report.text, rule) == NULL)
        fail_msg("\"%s\" does not name %s", shown.rig.report.text, rule);
    after = vidmm_machine_counts(shown.rig.machine);
    assert_int_equal(after.pages, before.pages);
    assert_int_equal(after.blocks, before.blocks);
    assert_int_equal(shown_findings(&shown, rule), 0);
    shown_finish(&shown);
}

static inline void described_kept(const char *rule, const char *gpu,
                                  void (*change)(DXGK_ALLOCATIONINFO *info))
{
    struct shown shown;

    flags_pass(rule, gpu, change, 0);
    flags_begin(&shown, gpu, change, true);
    assert_int_equal(flags_create(&shown), STATUS_SUCCESS);
    shown_finish(&shown);
}

static inline void flags_broken(const char *rule, const char *gpu, uint32_t flags)
{
    flags_described = flags;
    described_broken(rule, gpu, flags_describe);
}

static inline void flags_kept(const char *rule, const char *gpu, uint32_t flags)
{
    flags_described = flags;
    described_kept(rule, gpu, flags_describe);
}

/* ---- of one word, without a manager ---- */

/* Whether the shared function finds that the word breaks this rule. */
static inline bool flags_break(enum vidmm_rule_id rule, enum vidmm_flag_word word, uint16_t level,
                               unsigned is, uint32_t value)
{
    const struct vidmm_flag_rule *found;
    size_t index = 0;
    uint32_t bits;

    while ((found = vidmm_flag_rule_next(&index, word, level, is, value, &bits)) != NULL) {
        assert_int_equal(bits & ~value, 0);
        assert_int_not_equal(bits, 0);
        if (found->rule == rule)
            return true;
    }
    return false;
}

#endif
