/* host_aperture.c: the CPU host aperture, page by page, as locks need it.
 *
 *     lock of what is in the segment
 *        |  as many pages as it needs are free: MAP, and it is granted
 *        |  they are not: the mapping that was not used for longest is UNMAPped, if no lock is
 *        |                held, and so on
 *        '- all that could go has gone: lock.c has it leave for system memory, or refuses (S2-017)
 *
 *     addresses that follow (L3) into the segment
 *        '- MAP, then SHOW: the pages were reserved when the placement was claimed
 *
 * Whether a mapping is in use only its client knows: a lock of what is mapped is no event. So the
 * oldest is claimed with `peeks`. No lock is held: it goes. A lock is held, or one was since it was
 * asked before: it is the newest from here on, and the next one is asked.
 *
 * Invariants
 * HA4. The driver shows exactly the mappings that are mapped, apart from the call under way.
 *
 * Source: DXGKDDI_MAPCPUHOSTAPERTURE, DXGKDDI_UNMAPCPUHOSTAPERTURE, "Allocation usage tracking";
 * rules S2-017, S2-023 to S2-025, D-176, D-177.
 */
#include "vidmm/engine/carry/host_aperture.h"

#include <base/assert.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/leaving.h"
#include "vidmm/engine/carry/show.h"
#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/decide/settlement.h"
#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/dying.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/host_mapping.h"
#include "vidmm/engine/state/host_state.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"

bool vidmm_host_aperture_may_serve(const struct vidmm_engine *engine,
                                   const struct vidmm_lock_request *request)
{
    const struct vidmm_placement *placement = request->placement;

    return !request->no_host && vidmm_place_is_memory(&placement->at) &&
           vidmm_host_reaches(engine, placement, placement->at.segment);
}

bool vidmm_host_aperture_is_due(const struct vidmm_engine *engine,
                                const struct vidmm_placement *placement)
{
    return engine->host->segment != 0 && vidmm_place_is_in(&placement->at, engine->host->segment) &&
           !vidmm_host_is_mapped(engine, placement);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static enum vidmm_progress hand_out(struct vidmm_engine *engine, uint32_t kind,
                                    const struct vidmm_placement *placement)
{
    struct vidmm_operation *operation = vidmm_emit(engine, kind);

    VIDMM_ASSERT(engine->call == CALL_NONE && placement->host != 0);
    operation->allocation = placement->id;
    operation->host.segment = engine->host->segment;
    operation->host.pages = vidmm_host_pages_length(&engine->host->pages, placement->host - 1);
    engine->call = kind == VIDMM_DO_MAP_HOST ? CALL_MAP_HOST : CALL_UNMAP_HOST;
    engine->host->call = placement->host - 1;
    return PROGRESS_CALL;
}

static enum vidmm_progress unmap(struct vidmm_engine *engine, uint32_t first)
{
    VIDMM_ASSERT(engine->host->mappings[first].mapped); /* HA4 */
    return vidmm_plan_has_room(engine)
               ? hand_out(engine, VIDMM_DO_UNMAP_HOST, engine->host->mappings[first].owner)
               : PROGRESS_WAIT;
}

enum vidmm_progress vidmm_host_aperture_vacate(struct vidmm_engine *engine,
                                               struct vidmm_placement *placement)
{
    if (engine->host->segment == 0 || placement->host == 0 ||
        !engine->host->mappings[placement->host - 1].mapped)
        return PROGRESS_IDLE;
    return unmap(engine, placement->host - 1); /* HA3 */
}

enum vidmm_progress vidmm_host_aperture_release_all(struct vidmm_engine *engine)
{
    return engine->host->mapped == 0 ? PROGRESS_IDLE : unmap(engine, engine->host->oldest);
}

/* ---- for a lock ------------------------------------------------------------------------------ */

/* The lock is looked at again; `for_good`: it has to do without. */
static enum vidmm_progress give_up(struct vidmm_engine *engine, struct vidmm_lock_request *request,
                                   bool for_good)
{
    VIDMM_ASSERT(request->wants_host);

    request->wants_host = false;
    request->no_host = for_good;
    engine->locks_may_go = true;
    return PROGRESS_MADE;
}

static bool is_settled(const struct vidmm_placement *placement)
{
    return vidmm_placement_is_still(placement) && !placement->leaving && !placement->dying;
}

/* The oldest mapping that may go, or may be asked. VIDMM_NO_HOST_PAGE: there is none. */
static uint32_t find_oldest(const struct vidmm_engine *engine)
{
    const struct vidmm_host *host = engine->host;
    uint32_t first = host->oldest;

    while (first != VIDMM_NO_HOST_PAGE &&
           (vidmm_claim_state(host->mappings[first].owner) == FOUND_LATER ||
            vidmm_placement_is_followed(host->mappings[first].owner)))
        first = host->mappings[first].newer;
    return first;
}

/* Free pages of the mapping that was not used for longest. */
static enum vidmm_progress make_room(struct vidmm_engine *engine,
                                     struct vidmm_lock_request *request)
{
    uint32_t first = find_oldest(engine);

    if (first == VIDMM_NO_HOST_PAGE || request->asked > 2 * engine->host->mapped)
        return give_up(engine, request, true); /* obeys S2-017, S2-025 */
    if (vidmm_claim_state(engine->host->mappings[first].owner) == FOUND)
        return unmap(engine, first);
    request->asked++;
    engine->host->peeks = true;
    vidmm_claim_call(engine, engine->host->mappings[first].owner);
    return PROGRESS_CALL;
}

static enum vidmm_progress serve(struct vidmm_engine *engine, struct vidmm_lock_request *request)
{
    struct vidmm_placement *placement = request->placement;

    VIDMM_ASSERT(request->wants_host && engine->call == CALL_NONE);
    if (!vidmm_plan_has_room(engine))
        return PROGRESS_WAIT;
    if (!is_settled(placement) || !vidmm_host_aperture_may_serve(engine, request) ||
        vidmm_host_is_mapped(engine, placement))
        return give_up(engine, request, false);
    if (vidmm_host_needed(engine, placement) > engine->host->pages.count)
        return give_up(engine, request, true); /* obeys S2-025 */
    if (vidmm_host_take(engine, placement))
        return hand_out(engine, VIDMM_DO_MAP_HOST, placement);
    return make_room(engine, request);
}

/* ---- for addresses that follow --------------------------------------------------------------- */

/* It is where no page can show it: it leaves again, and is shown there. */
static enum vidmm_progress turn_back(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (!vidmm_room_is_victim(engine, placement))
        return PROGRESS_IDLE; /* its device's turn goes first */
    vidmm_settlement_evict(engine, placement);
    vidmm_leaving_queue(engine);
    return PROGRESS_MADE;
}

static enum vidmm_progress show(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    VIDMM_ASSERT(vidmm_placement_is_followed(placement));
    if (!vidmm_plan_has_room(engine))
        return PROGRESS_WAIT;
    if (!vidmm_host_reaches(engine, placement, engine->host->segment) ||
        !vidmm_host_take(engine, placement))
        return turn_back(engine, placement);
    return hand_out(engine, VIDMM_DO_MAP_HOST, placement);
}

static enum vidmm_progress show_followed(struct vidmm_engine *engine)
{
    struct vidmm_placement *placement = engine->followed;
    enum vidmm_progress progress = PROGRESS_IDLE;

    /* One that was destroyed on its way in is shown to nobody: its pages were given back then
     * (bury), and nothing would give others back. */
    for (; placement && progress == PROGRESS_IDLE; placement = placement->followed_next)
        if (!placement->dying && vidmm_show_has_arrived(engine, placement) &&
            vidmm_host_aperture_is_due(engine, placement))
            progress = show(engine, placement);
    return progress;
}

/* Unmap what belongs to the dead. */
static enum vidmm_progress bury(struct vidmm_engine *engine)
{
    struct vidmm_host *host = engine->host;

    while (host->dead != VIDMM_NO_HOST_PAGE) {
        struct vidmm_placement *owner = host->mappings[host->dead].owner;

        if (host->mappings[host->dead].mapped)
            return unmap(engine, host->dead);
        vidmm_host_bury(engine);
        vidmm_dying_reconsider(engine, owner); /* P5 */
    }
    return PROGRESS_IDLE;
}

enum vidmm_progress vidmm_host_aperture_call(struct vidmm_engine *engine)
{
    struct vidmm_lock_request *request = engine->lock_requests;
    enum vidmm_progress progress;

    if (engine->host->segment == 0)
        return PROGRESS_IDLE;
    progress = bury(engine);
    if (progress == PROGRESS_IDLE)
        progress = show_followed(engine);
    while (request && !request->wants_host)
        request = request->next;
    return progress != PROGRESS_IDLE || !request ? progress : serve(engine, request);
}

/* ---- answers --------------------------------------------------------------------------------- */

static struct vidmm_lock_request *find_request(const struct vidmm_engine *engine,
                                               const struct vidmm_placement *placement)
{
    struct vidmm_lock_request *request = engine->lock_requests;

    while (request && (!request->wants_host || request->placement != placement))
        request = request->next;
    return request;
}

static void mapped(struct vidmm_engine *engine, struct vidmm_placement *placement, NTSTATUS status)
{
    struct vidmm_lock_request *request = find_request(engine, placement);

    VIDMM_ASSERT(placement->host != 0); /* HA4 */
    if (status == STATUS_SUCCESS) {
        vidmm_host_mapped(engine, placement);
        if (request)
            give_up(engine, request, false); /* it finds it now */
        return;
    }
    vidmm_host_release(engine, placement);
    engine->host->broken |= vidmm_placement_is_followed(placement);
    if (request)
        give_up(engine, request, true);
}

static void unmapped(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    VIDMM_ASSERT(placement->host != 0); /* HA4 */

    vidmm_host_unmapped(engine, placement);
    if (!vidmm_placement_is_followed(placement))
        vidmm_host_release(engine, placement);
}

NTSTATUS vidmm_host_aperture_answer(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    NTSTATUS status = (NTSTATUS)event->host.status;
    enum vidmm_call call = engine->call;
    struct vidmm_placement *placement;

    if (call != CALL_MAP_HOST && call != CALL_UNMAP_HOST)
        return STATUS_INVALID_PARAMETER;
    placement = engine->host->mappings[engine->host->call].owner;
    engine->call = CALL_NONE;
    if (call == CALL_MAP_HOST)
        mapped(engine, placement, status);
    else if (status == STATUS_SUCCESS)
        unmapped(engine, placement);
    else
        vidmm_engine_fail(engine, VIDMM_REASON_UNMAP_HOST, status);
    return STATUS_SUCCESS;
}
