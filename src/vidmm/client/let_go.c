/* let_go.c: the engine is to let go of one record. */
#include "vidmm/client/let_go.h"

#include <vidmm/plan.h>

#include "vidmm/client/unlock.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/resource.h"
#include "vidmm/pump/pump.h"

void vidmm_record_let_go(struct vidmm_allocation *allocation, bool destroyed)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};
    struct vidmm_adapter *adapter = allocation->adapter;

    vidmm_unlock_all(allocation); /* what the CPU still holds goes with the handle */
    event.destroy.allocation = allocation->id;
    vidmm_adapter_lock(adapter);
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
