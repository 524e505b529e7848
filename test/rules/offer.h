/* offer.h: three allocations on a GPU that has room for two, and what is said of them. */
#ifndef TEST_RULES_OFFER_H
#define TEST_RULES_OFFER_H

#include <vidmm/residency.h>

#include "flag_words.h"
#include "rules_rig.h"

enum { THIRD = 30 }; /* pages; the rig's memory segment has 64 */

static inline void three_begin(struct shown *shown)
{
    struct rig_options options = rig_defaults();

    shown_init(shown, &options, NULL);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(rig_create(&shown->rig, &shown->rig.allocations[i],
                                    THIRD * VIDMM_PAGE_SIZE, 2, CPU_VISIBLE),
                         STATUS_SUCCESS);
}

/* Render from one of them, and wait. */
static inline void three_use(struct shown *shown, uint32_t which)
{
    struct rig_allocation *list[] = {&shown->rig.allocations[which]};

    assert_int_equal(rig_render(&shown->rig, list, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown->rig.context, shown->rig.value), STATUS_SUCCESS);
    shown_settle(shown);
}

static inline struct vidmm_selection three_one(struct shown *shown, uint32_t which)
{
    return (struct vidmm_selection){.allocations = &shown->rig.allocations[which].handle,
                                    .allocation_count = 1};
}

static inline NTSTATUS three_offer(struct shown *shown, uint32_t which, uint32_t priority)
{
    struct vidmm_selection one = three_one(shown, which);

    return vidmm_offer(&one, priority, 0, &shown->rig.report);
}

/* Whether its content was discarded. */
static inline bool three_reclaim(struct shown *shown, uint32_t which)
{
    struct vidmm_selection one = three_one(shown, which);
    bool discarded;

    assert_int_equal(vidmm_reclaim(&one, &discarded, &shown->rig.report), STATUS_SUCCESS);
    if (discarded) { /* the writes of the GPU and the CPU are gone: zeros */
        struct rig_allocation *allocation = &shown->rig.allocations[which];
        allocation->generation = 0;
        allocation->digest = 0;
        memset(allocation->cpu, 0, sizeof(allocation->cpu));
    }
    return discarded;
}

static inline enum vidmm_residency three_where(struct shown *shown, uint32_t which)
{
    struct vidmm_selection one = three_one(shown, which);
    enum vidmm_residency residency;

    assert_int_equal(vidmm_query_residency(&one, &residency, &shown->rig.report), STATUS_SUCCESS);
    return residency;
}

#endif
