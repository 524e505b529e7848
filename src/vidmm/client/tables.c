/* tables.c: the two tables through which the rooms below call up. */
#include "vidmm/client/tables.h"

#include "vidmm/client/context_allocation.h"
#include "vidmm/client/fence_wait.h"
#include "vidmm/client/gone.h"
#include "vidmm/client/lock_request.h"
#include "vidmm/client/lock_word.h"
#include "vidmm/client/queue.h"
#include "vidmm/client/update_queue.h"
#include "vidmm/client/witness.h"
#include "vidmm/pump/pump.h"

/* Nobody waits any more: neither for locks nor for fences. */
static void stopped(struct vidmm_adapter *adapter)
{
    vidmm_lock_abandon(adapter);
    vidmm_fence_waits_end(adapter);
}

static bool tell(struct vidmm_adapter *adapter)
{
    return vidmm_fence_tell(adapter) || vidmm_update_queues_advance(adapter);
}

const struct vidmm_pump_client vidmm_pump_client = {
    .granted = vidmm_lock_granted,
    .claimed = vidmm_lock_word_claim,
    .shown = vidmm_lock_shown,
    .submitted = vidmm_witness_submitted,
    .retired = vidmm_context_retired,
    .gone = vidmm_allocation_gone_and_lock,
    .device_lost = vidmm_lock_close,
    .waited = vidmm_fence_waited,
    .tell = tell,
    .stopped = stopped,
};

const struct vidmm_ddi_above vidmm_ddi_above = {
    .pump = vidmm_pump,
    .create_context_allocation = vidmm_context_allocation_create,
    .destroy_context_allocation = vidmm_context_allocation_destroy,
    .update_context_allocation = vidmm_context_allocation_update,
};
