/* call.c: an operation of the engine becomes the call that it stands for. */
#include "vidmm/ddi/call.h"

#include <vidmm/plan.h>

#include "base/assert.h"
#include "vidmm/ddi/build.h"
#include "vidmm/ddi/cancel.h"
#include "vidmm/ddi/chipset.h"
#include "vidmm/ddi/host_aperture.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/range.h"
#include "vidmm/ddi/recovery.h"
#include "vidmm/ddi/submit.h"
#include "vidmm/ddi/submit_virtual.h"
#include "vidmm/object/adapter.h"

static void build(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                  struct vidmm_event *answer)
{
    if (vidmm_is_for_chipset(adapter, operation))
        vidmm_map_by_chipset(adapter, operation, answer); /* obeys D-033 */
    else
        vidmm_ddi_build(adapter, operation, answer);
}

static NTSTATUS recover(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                        struct vidmm_event *answer)
{
    if (operation->kind == VIDMM_DO_QUERY_FENCE)
        return vidmm_ddi_query_fence(adapter, operation, answer);
    if (operation->kind == VIDMM_DO_PREEMPT)
        return vidmm_ddi_preempt(adapter, operation);
    if (operation->kind == VIDMM_DO_QUERY_ENGINE)
        return vidmm_ddi_query_engine(adapter, operation, answer);
    if (operation->kind == VIDMM_DO_QUERY_GROUP)
        return vidmm_ddi_query_group(adapter, operation, answer);
    if (operation->kind == VIDMM_DO_RESET_ENGINE)
        return vidmm_ddi_reset_engine(adapter, operation, answer);
    if (operation->kind == VIDMM_DO_RESET)
        return vidmm_ddi_reset(adapter);
    VIDMM_ASSERT(operation->kind == VIDMM_DO_RESTART);
    return vidmm_ddi_restart(adapter);
}

/* A packet, or the end of one that is not submitted. */
static NTSTATUS submit(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    if (operation->kind == VIDMM_DO_SUBMIT_PAGING)
        return vidmm_ddi_submit_paging(adapter, operation);
    if (operation->kind == VIDMM_DO_CANCEL)
        return vidmm_ddi_cancel(adapter, operation);
    if (operation->kind == VIDMM_DO_SWITCH)
        return vidmm_ddi_submit_switch(adapter, operation);
    VIDMM_ASSERT(operation->kind == VIDMM_DO_SUBMIT);
    return vidmm_ddi_submit_dma_buffer(adapter, operation);
}

static void call(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                 struct vidmm_event *answer)
{
    switch ((enum vidmm_operation_kind)operation->kind) {
    case VIDMM_DO_BUILD:
        build(adapter, operation, answer);
        return;
    case VIDMM_DO_ACQUIRE_RANGE:
    case VIDMM_DO_RELEASE_RANGE:
        vidmm_ddi_range(adapter, operation, answer);
        return;
    case VIDMM_DO_MAP_HOST:
    case VIDMM_DO_UNMAP_HOST:
        vidmm_ddi_host_aperture(adapter, operation, answer);
        return;
    case VIDMM_DO_SET_ROOT:
        vidmm_ddi_switch_root(adapter, operation, answer);
        return;
    case VIDMM_DO_QUERY_FENCE:
    case VIDMM_DO_PREEMPT:
    case VIDMM_DO_QUERY_ENGINE:
    case VIDMM_DO_QUERY_GROUP:
    case VIDMM_DO_RESET_ENGINE:
    case VIDMM_DO_RESET:
    case VIDMM_DO_RESTART:
        answer->recovered.status = (uint32_t)recover(adapter, operation, answer);
        answer->kind = VIDMM_EVENT_RECOVERED;
        return;
    case VIDMM_DO_SUBMIT_PAGING:
    case VIDMM_DO_CANCEL:
    case VIDMM_DO_SWITCH:
    case VIDMM_DO_SUBMIT:
        answer->kind = VIDMM_EVENT_SUBMITTED;
        answer->submitted.status = (uint32_t)submit(adapter, operation);
        return;
    case VIDMM_DO_CLAIM:
    case VIDMM_DO_PLACED:
    case VIDMM_DO_GRANT:
    case VIDMM_DO_SHOW:
    case VIDMM_DO_CLEAR:
    case VIDMM_DO_DROP:
    case VIDMM_DO_RETIRE:
    case VIDMM_DO_DESTROY:
    case VIDMM_DO_ERROR:
    case VIDMM_DO_STOPPED:
    case VIDMM_DO_LOST:
    case VIDMM_DO_SIGNAL:
    case VIDMM_DO_TRIM:
    case VIDMM_DO_ENTRY:
    case VIDMM_DO_ROOT:
    case VIDMM_DO_FREE_TABLE:
    case VIDMM_DO_WRITE_FENCE:
    case VIDMM_DO_READ_FENCE:
    case VIDMM_DO_WAITED:
    case VIDMM_DO_MAP_DOMAIN:
    case VIDMM_DO_UNMAP_DOMAIN:
        break;
    }
    VIDMM_ASSERT(false); /* the pump carries these out itself */
}

void vidmm_ddi_perform(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                       struct vidmm_event *answer)
{
    VIDMM_ASSERT(adapter->pumping);
    VIDMM_ASSERT(answer->kind == 0);
    adapter->miniport->call_fails = VIDMM_REASON_NONE;
    call(adapter, operation, answer);
    if (adapter->miniport->call_fails != VIDMM_REASON_NONE) {
        uint32_t status = answer->kind == VIDMM_EVENT_SUBMITTED ? answer->submitted.status : 0;

        *answer = (struct vidmm_event){.kind = VIDMM_EVENT_FAIL};
        answer->fail.reason = adapter->miniport->call_fails;
        answer->fail.status = status;
    }
}

bool vidmm_ddi_needs_gate(const struct vidmm_operation *operation)
{
    return operation->kind == VIDMM_DO_RESET || operation->kind == VIDMM_DO_RESTART; /* D-307 */
}
