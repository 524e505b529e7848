/* tables.c: the two tables through which the rooms below call up. */
#include "vidmm/client/tables.h"

#include "vidmm/client/context_allocation.h"
#include "vidmm/client/gone.h"
#include "vidmm/client/lock_request.h"
#include "vidmm/client/lock_word.h"
#include "vidmm/client/queue.h"
#include "vidmm/pump/pump.h"

const struct vidmm_pump_client vidmm_pump_client = {
    .granted = vidmm_lock_granted,
    .claimed = vidmm_lock_word_claim,
    .shown = vidmm_lock_shown,
    .retired = vidmm_context_retired,
    .gone = vidmm_allocation_gone,
    .device_lost = vidmm_lock_close,
    .stopped = vidmm_lock_abandon,
};

const struct vidmm_ddi_above vidmm_ddi_above = {
    .pump = vidmm_pump,
    .create_context_allocation = vidmm_context_allocation_create,
    .destroy_context_allocation = vidmm_context_allocation_destroy,
};
