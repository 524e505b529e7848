/* display.c: a primary is displayed from here on, or no more.
 *
 *     DISPLAY, 1 --> a work of its own --> its turn: displayed, so pinned --> in place --> GRANT
 *     DISPLAY, 0 --> a work of its own --> its turn: no more, and GRANT
 *
 * The display controller knows no addresses of page tables, the GPU's or the processor's. So with
 * these an aperture that holds the primary has to show it as long as it is displayed, and no longer
 * (D-022, D-099, D-268): the primary leaves the aperture and comes back, when the display begins
 * and when it ends. Behind the end it comes back when its list is needed.
 *
 * Without explicit residency, and on the list of its device, it comes in like what a DMA buffer
 * names. Evict takes it off the list, and it stays where it is until its display has ended.
 *
 * A reset of the adapter ends all displays (purge.c), and so does nothing else here: the client
 * ends them before the adapter rests without power, and before a primary is destroyed.
 */
#include "vidmm/engine/work/display.h"

#include <base/assert.h>
#include <vidmm/engine.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/leaving.h"
#include "vidmm/engine/decide/settlement.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/work_state.h"
#include "vidmm/engine/work/work.h"

static bool is_displayed(const struct vidmm_placement *placement)
{
    return (placement->wish.flags & VIDMM_WISH_DISPLAYED) != 0;
}

/* Whether the device may display it. */
static bool may_be_displayed(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement, uint32_t device)
{
    if (vidmm_placement_has_offer(placement) || (placement->device != device && !placement->shared))
        return false;
    return !engine->config.explicit_residency || /* obeys D-093 */
           vidmm_engine_residency_count(engine, device, placement->id) > 0;
}

static NTSTATUS judge(const struct vidmm_engine *engine, const struct vidmm_event *event)
{
    const struct vidmm_placement *placement =
        vidmm_placement_find(engine, event->display.allocation);

    if (!placement || placement->dying || (placement->wish.flags & VIDMM_WISH_PRIMARY) == 0 ||
        event->display.request == 0 || event->display.displayed > 1 ||
        event->device >= engine->device_capacity || !engine->devices[event->device].exists)
        return STATUS_INVALID_PARAMETER;
    if (event->display.displayed == 0)
        return STATUS_SUCCESS;
    if (!may_be_displayed(engine, placement, event->device))
        return STATUS_INVALID_PARAMETER;
    return placement->lost ? STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST : STATUS_SUCCESS;
}

NTSTATUS vidmm_display_request(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement = vidmm_placement_find(engine, event->display.allocation);
    NTSTATUS status = judge(engine, event);
    struct vidmm_work *work;

    if (status == STATUS_SUCCESS)
        status = vidmm_work_check_fetch(engine, placement, &work);
    if (status != STATUS_SUCCESS)
        return status;
    vidmm_work_create_display(engine, placement, event, work);
    return STATUS_SUCCESS;
}

/* Have it leave an aperture that shows it for its display alone, or does not show it yet. */
static enum vidmm_found leave_aperture(struct vidmm_engine *engine,
                                       struct vidmm_placement *placement)
{
    bool by_address = engine->config.mmu.levels != 0 ||
                      (placement->wish.flags & VIDMM_WISH_SHARES_ADDRESS) != 0; /* obeys D-268 */

    if (!by_address || !placement->given.aperture || !vidmm_placement_has_range(placement) ||
        (placement->wish.flags & VIDMM_ACCESSED_PHYSICALLY) != 0)
        return FOUND;
    if (!vidmm_placement_is_still(placement) || placement->leaving ||
        vidmm_placement_is_open(placement) || vidmm_placement_is_locked(placement))
        return FOUND_LATER;
    vidmm_settlement_evict(engine, placement);
    vidmm_leaving_queue(engine);
    return FOUND;
}

enum vidmm_found vidmm_display_begin(struct vidmm_engine *engine, struct vidmm_work *work)
{
    struct vidmm_placement *placement = work->references[0].placement;
    enum vidmm_found found;

    VIDMM_ASSERT(work == engine->turn && work->display == DISPLAY_BEGINS && work->begun);
    if (placement->dying || vidmm_placement_has_offer(placement)) {
        vidmm_work_drop(engine, STATUS_INVALID_PARAMETER);
        return FOUND_NONE;
    }
    if (is_displayed(placement))
        return FOUND;
    found = leave_aperture(engine, placement);
    if (found == FOUND)
        placement->wish.flags |= VIDMM_WISH_DISPLAYED; /* obeys D-022, D-099 */
    return found;
}

enum vidmm_found vidmm_display_end(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    enum vidmm_found found = FOUND;
    uint32_t segment;

    if (!is_displayed(placement))
        return FOUND;
    if (!placement->dying)
        found = leave_aperture(engine, placement);
    if (found != FOUND)
        return found;
    placement->wish.flags &= ~VIDMM_WISH_DISPLAYED;
    for (segment = 1; segment <= engine->config.segment_count; segment++)
        engine->segments[segment].held_end = NULL; /* it may leave again */
    engine->room_freed = true;
    return FOUND;
}
