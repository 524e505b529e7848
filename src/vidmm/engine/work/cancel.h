/* cancel.h: DMA buffers that never reach the GPU; cancel.c says why. */
#ifndef VIDMM_ENGINE_WORK_CANCEL_H
#define VIDMM_ENGINE_WORK_CANCEL_H

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_work;

/* It leaves the queue without being submitted, all of it or the rest: CancelCommand may be due. */
void vidmm_cancel_consider(const struct vidmm_engine *engine, struct vidmm_work *work);
/* Hand out the CancelCommand of the first that retires. IDLE: none is due. */
enum vidmm_progress vidmm_cancel_call(struct vidmm_engine *engine);
/* Take in its answer. */
void vidmm_cancel_answered(struct vidmm_engine *engine, NTSTATUS status);

#endif
