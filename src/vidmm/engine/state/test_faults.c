/* test_faults.c: what a test has the engine do.
 *
 *     split_point      split.c: a part ends at the next split point, however much would fit
 *     no_demotion      listed.c: the memory segments of a set first, whoever has to give way
 *     no_swizzling     swizzling_range.c: no range is acquired; those that are set up serve on
 *     piece            paging.c, by_address.c: a transfer goes in pieces of so many bytes
 *     never_discard    offer.c: what is offered leaves with its content
 *     always_discard   test_fault.c: it leaves without, as soon as its offer has taken effect
 */
#include "vidmm/engine/state/test_faults.h"

#include <vidmm/page.h>
#include <vidmm/test_fault.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/engine_state.h"

#define SUB_RANGE 0x10000u /* bytes */

uint64_t vidmm_test_faults_piece(const struct vidmm_engine *engine, uint64_t most)
{
    uint64_t piece = engine->faults.piece;

    return piece != 0 && (most == 0 || piece < most) ? piece : most;
}

NTSTATUS vidmm_test_faults_set(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    const uint32_t either = VIDMM_TEST_NEVER_DISCARD | VIDMM_TEST_ALWAYS_DISCARD;
    uint32_t faults = event->test.faults;

    if ((faults & ~VIDMM_TEST_ENGINE) != 0 || (faults & either) == either)
        return STATUS_INVALID_PARAMETER;
    engine->faults = (struct vidmm_test_faults){
        .piece = (faults & VIDMM_TEST_MIN_RANGES) != 0   ? VIDMM_PAGE_SIZE
                 : (faults & VIDMM_TEST_SUB_RANGES) != 0 ? SUB_RANGE
                                                         : 0,
        .split_point = (faults & VIDMM_TEST_SPLIT_POINT) != 0,
        .no_demotion = (faults & VIDMM_TEST_NO_DEMOTION) != 0,
        .no_swizzling = (faults & VIDMM_TEST_NO_SWIZZLING) != 0,
        .never_discard = (faults & VIDMM_TEST_NEVER_DISCARD) != 0,
        .always_discard = (faults & VIDMM_TEST_ALWAYS_DISCARD) != 0,
    };
    engine->discards_may_go = engine->faults.always_discard;
    engine->locks_may_go = true; /* one may have a range again, or do without */
    return STATUS_SUCCESS;
}
