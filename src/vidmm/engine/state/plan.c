/* plan.c: operations into the plan of a step. */
#include "vidmm/engine/state/plan.h"

#include <string.h>

#include <base/assert.h>

struct vidmm_operation *vidmm_emit(struct vidmm_engine *engine, uint32_t kind)
{
    struct vidmm_operation *operation = &engine->plan[engine->plan_count++];

    VIDMM_ASSERT(kind >= VIDMM_DO_CLAIM && kind <= VIDMM_DO_UNMAP_DOMAIN);
    VIDMM_ASSERT(engine->plan_count <= PLAN_CAPACITY);
    memset(operation, 0, sizeof(*operation));
    operation->kind = kind;
    return operation;
}

void vidmm_engine_fail(struct vidmm_engine *engine, uint32_t reason, NTSTATUS status)
{
    struct vidmm_operation *stopped;

    if (engine->stopped)
        return;
    stopped = vidmm_emit(engine, VIDMM_DO_STOPPED);
    stopped->error.reason = reason;
    stopped->error.status = (uint32_t)status;
    engine->stopped = true;
}
