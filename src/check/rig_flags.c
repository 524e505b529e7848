/* rig_flags.c: the words of flags that a driver answers, held against the rules on one word
 * (wddm/flag_rule.h). */
#include "check/rig.h"

#include <stdio.h>

#include "base/text.h"
#include "check/board.h"
#include "kit/kit.h"
#include "wddm/flag_rule.h"
#include "wddm/level.h"
#include "wddm/mask.h"

/* Each rule is told once: a driver answers the same for every allocation. */
static void tell(struct vidmm_rig *rig, const struct vidmm_flag_rule *broken, uint32_t value,
                 const char *whose)
{
    const struct vidmm_rule *rule = vidmm_rule(broken->rule);
    char id[16], detail[512], bits[400];
    struct vidmm_text text;

    if (rig->told_flags[broken->rule])
        return;
    rig->told_flags[broken->rule] = true;
    vidmm_text_init(&text, id, sizeof(id));
    vidmm_rule_print_id(&text, broken->rule);
    vidmm_text_init(&text, bits, sizeof(bits));
    vidmm_mask_print(&text, vidmm_flag_mask(broken->word, rig->level), value);
    snprintf(detail, sizeof(detail), "the flags of %s are 0x%x: %s", whose, value, bits);
    vidmm_board_find(rig->board, id, rule->sentence, rule->source, "", detail);
}

static bool is_coherent(const struct vidmm_rig *rig)
{
    for (uint32_t id = 1; id <= rig->segment_count; id++)
        if (rig->segments[id].flags.Aperture && rig->segments[id].flags.CacheCoherent)
            return true;
    return false;
}

static void judge(struct vidmm_rig *rig, enum vidmm_flag_word word, uint32_t value, bool primary,
                  const char *whose)
{
    unsigned is = (primary ? VIDMM_IS_PRIMARY : 0) | (is_coherent(rig) ? VIDMM_IS_COHERENT : 0);
    const struct vidmm_flag_rule *rule;
    size_t index = 0;
    uint32_t bits;

    while ((rule = vidmm_flag_rule_next(&index, word, rig->level, is, value, &bits)) != NULL)
        tell(rig, rule, value, whose);
}

/* D-034: without a video present source there is no primary, for which an aperture needs it. */
static void judge_visible(struct vidmm_rig *rig, uint32_t id, const char *whose)
{
    const struct vidmm_flag_rule rule = {.rule = VIDMM_RULE_D_034, .word = VIDMM_FLAGS_SEGMENT};

    if (rig->segments[id].flags.Aperture && rig->segments[id].flags.CpuVisible &&
        rig->display.sources == 0)
        tell(rig, &rule, rig->segments[id].flags.Value, whose);
}

/* obeys D-038: memory that the driver has not taken from the system is the device's, or was put
 * aside by the firmware. */
static void judge_populated(struct vidmm_rig *rig, uint32_t id, const char *whose)
{
    const struct vidmm_rig_segment *segment = &rig->segments[id];
    uint64_t held = vidmm_kit_held_bytes(), size = segment->size;

    if (segment->commit_limit != 0 && segment->commit_limit < size)
        size = segment->commit_limit;
    if (segment->flags.PopulatedFromSystemMemory && !segment->flags.Aperture && held < size)
        vidmm_rig_breach(rig, VIDMM_RULE_D_038, true,
                         "%s, of %llu KiB, is PopulatedFromSystemMemory, and the driver has taken "
                         "%llu KiB of system memory in all",
                         whose, (unsigned long long)size >> 10, (unsigned long long)held >> 10);
}

void vidmm_rig_judge_segments(struct vidmm_rig *rig)
{
    for (uint32_t id = 1; id <= rig->segment_count; id++) {
        char whose[32];

        snprintf(whose, sizeof(whose), "segment %u", id);
        judge(rig, VIDMM_FLAGS_SEGMENT, rig->segments[id].flags.Value, false, whose);
        judge_visible(rig, id, whose);
        judge_populated(rig, id, whose);
    }
}

/* D-023: all engines of this GPU go by page tables, and the display finds a primary without the
 * flag. A driver may have an engine that it does not speak of, so this is a note. */
static void note_physical(struct vidmm_rig *rig, const DXGK_ALLOCATIONINFO *info)
{
    const struct vidmm_rule *rule = vidmm_rule(VIDMM_RULE_D_023);

    if (!rig->by_address || !info->FlagsWddm2.AccessedPhysically ||
        info->FlagsWddm2.ExplicitResidencyNotification || rig->told_flags[VIDMM_RULE_D_023])
        return;
    rig->told_flags[VIDMM_RULE_D_023] = true;
    vidmm_board_note(rig->board, "D-023", rule->sentence, rule->source, "",
                     "a primary has AccessedPhysically, and all engines have page tables: it is "
                     "contiguous, and an aperture shows it whenever it is resident");
}

void vidmm_rig_judge_allocation(struct vidmm_rig *rig, const DXGK_ALLOCATIONINFO *info,
                                bool primary)
{
    uint32_t value = rig->level < VIDMM_LEVEL(2, 0) ? info->Flags.Value : info->FlagsWddm2.Value;

    judge(rig, VIDMM_FLAGS_ALLOCATION, value, primary, primary ? "a primary" : "an allocation");
    if (primary && rig->level >= VIDMM_LEVEL(2, 0))
        note_physical(rig, info);
}
