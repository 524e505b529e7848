/* context_request.c: a driver asks for a change of a context allocation.
 *
 *     UPDATE_CONTEXT --> a work of its own --> its turn: the allocation comes in, if it is away
 *                                                  |
 *         GRANT <-- fence <-- context_update.c <---'
 *
 * The work ends when the change is queued, not when it is executed: so the next one is prepared
 * meanwhile. The request passes from the work to the placement, and is answered once.
 *
 * Source: DXGKCB_UPDATECONTEXTALLOCATION.
 */
#include "vidmm/engine/work/context_request.h"

#include <base/assert.h>
#include <vidmm/engine.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/context_update.h"
#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/process.h"
#include "vidmm/engine/state/work_state.h"
#include "vidmm/engine/work/arbiter.h"
#include "vidmm/engine/work/work.h"

/* Whether a request for it waits, or has its turn, or is being carried out. */
static bool is_asked_for(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    const struct vidmm_context_queue *queue = vidmm_arbiter_find(engine, 0);
    const struct vidmm_work *work;

    for (work = queue ? queue->works.first : NULL; work; work = work->next)
        if (work->updates && work->references[0].placement == placement)
            return true;
    return placement->update_request != 0;
}

static NTSTATUS judge(const struct vidmm_engine *engine, const struct vidmm_event *event)
{
    const struct vidmm_placement *placement =
        vidmm_placement_find(engine, event->update_context.allocation);

    if (!placement || !placement->context_allocation || placement->dying ||
        event->update_context.request == 0)
        return STATUS_INVALID_PARAMETER;
    if (engine->config.mmu.levels == 0 || placement->wish.size > vidmm_process_scratch_size(engine))
        return STATUS_NOT_SUPPORTED;
    if (is_asked_for(engine, placement))
        return STATUS_DEVICE_BUSY;
    return vidmm_device_record_status(engine, placement->device);
}

NTSTATUS vidmm_context_request(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement =
        vidmm_placement_find(engine, event->update_context.allocation);
    NTSTATUS status = judge(engine, event);
    struct vidmm_work *work;

    if (status == STATUS_SUCCESS)
        status = vidmm_work_check_fetch(engine, placement, &work);
    if (status != STATUS_SUCCESS)
        return status;
    vidmm_work_create_update(engine, placement, event->update_context.request, work);
    return STATUS_SUCCESS;
}

void vidmm_context_request_serve(struct vidmm_engine *engine)
{
    struct vidmm_work *work = engine->turn;
    struct vidmm_placement *placement = work->references[0].placement;
    uint32_t request = work->request;

    VIDMM_ASSERT(work->updates && work->ready && work->count == 1);
    if (!vidmm_context_update_may_begin(placement)) {
        vidmm_work_drop(engine, STATUS_INVALID_PARAMETER); /* destroyed meanwhile */
        return;
    }
    work->request = 0;
    vidmm_work_drop(engine, STATUS_SUCCESS);
    vidmm_context_update_begin(engine, placement, request);
}
