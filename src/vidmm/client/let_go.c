/* let_go.c: the engine is to let go of one record. */
#include "vidmm/client/let_go.h"

#include <vidmm/plan.h>

#include "vidmm/client/unlock.h"
#include "vidmm/client/update_batch.h"
#include "vidmm/client/witness.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/resource.h"
#include "vidmm/object/seen.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"
#include "wddm/level.h"

VIDMM_SEES(S0_023);
VIDMM_SEES(S3_013);
static void judge_locks(const struct vidmm_allocation *allocation)
{
    uint8_t locks = atomic_load(&allocation->write_only_locks);

    if (locks >= VIDMM_WRITE_ONLY_ENOUGH && !atomic_load(&allocation->read_back))
        vidmm_seen(allocation->adapter,
                   allocation->adapter->level >= VIDMM_LEVEL(2, 0) ? VIDMM_RULE_S3_013
                                                                   : VIDMM_RULE_S0_023,
                   "number of locks of a Cached allocation, all of them WriteOnly,", locks);
}

void vidmm_record_let_go(struct vidmm_allocation *allocation, bool destroyed)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};
    struct vidmm_adapter *adapter = allocation->adapter;

    VIDMM_ASSERT(allocation->id != 0 && !allocation->original);
    judge_locks(allocation);
    vidmm_unlock_all(allocation); /* the CPU's locks go with the handle */
    event.destroy.allocation = allocation->id;
    if (allocation->unused_by != 0 && adapter->level >= VIDMM_LEVEL(2, 0)) {
        event.kind = VIDMM_EVENT_DESTROY_AT_ONCE; /* obeys D-181 */
        event.device = allocation->unused_by;
    }
    vidmm_adapter_lock(adapter);
    if (event.kind == VIDMM_EVENT_DESTROY_AT_ONCE && adapter->options.gpu_wrote)
        vidmm_witness_forget(allocation);
    vidmm_update_queues_forget_allocation(adapter, allocation->id);
    if (destroyed) {
        allocation->destroyed = true;
        allocation->alone = true;
    }
    if (destroyed && allocation->resource)
        allocation->resource->pending++; /* G1 */
    if (!adapter->stopped)
        vidmm_pump_step(adapter, &event);
    vidmm_pump_and_unlock(adapter);
}
