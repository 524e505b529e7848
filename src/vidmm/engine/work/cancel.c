/* cancel.c: DMA buffers that never reach the GPU, because their device is in error.
 *
 *      queued --> dropped: its device is in error --> retired: CancelCommand, answered --> told of
 *                 parts of it may be in flight
 *
 * A driver that is CancelCommandAware is told of what will not be submitted: all of the DMA buffer,
 * or what is left behind its last part. It is not told of DMA buffers that were dropped for another
 * reason.
 *
 * Invariants
 * C1. A DMA buffer is cancelled after its last part has ended, and retired, its memory used again,
 *     after the answer.
 *
 * Source: DXGKDDI_CANCELCOMMAND; DXGK_VIDSCHCAPS.
 */
#include "vidmm/engine/work/cancel.h"

#include <wddm/ntstatus.h>

#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/work_state.h"
#include "wddm/rule.h"

void vidmm_cancel_consider(const struct vidmm_engine *engine, struct vidmm_work *work)
{
    VIDMM_ASSERT(work->ended && work->cancel == CANCEL_NONE);
    if (engine->config.cancel_commands && work->dma_buffer != 0 &&
        vidmm_device_record_status(engine, work->device) != STATUS_SUCCESS)
        work->cancel = CANCEL_DUE; /* obeys D-346 */
}

enum vidmm_progress vidmm_cancel_call(struct vidmm_engine *engine)
{
    struct vidmm_work *work = engine->retired.first;
    struct vidmm_operation *cancel;

    if (!work || work->cancel != CANCEL_DUE)
        return PROGRESS_IDLE;
    if (!vidmm_plan_has_room(engine))
        return PROGRESS_WAIT;
    VIDMM_ASSERT(work->flying == 0 && engine->call == CALL_NONE); /* C1 */
    cancel = vidmm_emit(engine, VIDMM_DO_CANCEL);
    cancel->submit.dma_buffer = work->dma_buffer;
    cancel->submit.node = work->node;
    cancel->submit.start = work->first == 0 ? 0 : work->patches[work->first].split_offset;
    cancel->submit.end = work->size;
    cancel->submit.patch_first = work->first;
    cancel->submit.patch_count = work->patches_told - work->first;
    cancel->submit.last = 1;
    work->cancel = CANCEL_CALLED;
    engine->call = CALL_CANCEL;
    return PROGRESS_CALL;
}

VIDMM_SEES(D_347);

void vidmm_cancel_answered(struct vidmm_engine *engine, NTSTATUS status)
{
    VIDMM_ASSERT(engine->retired.first && engine->retired.first->cancel == CANCEL_CALLED);
    engine->retired.first->cancel = CANCEL_NONE;
    if (status != STATUS_SUCCESS)
        vidmm_engine_fail(engine, VIDMM_REASON_CANCEL_FAILED, status); /* obeys D-347 */
}
