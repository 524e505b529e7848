/* cancel.h: DMA buffers that never reach the GPU; cancel.c says why.
 *
 * For the modules of the engine, as engine_state.h.
 */
#ifndef VIDMM_CANCEL_H
#define VIDMM_CANCEL_H

#include "engine_state.h"

enum work_cancel { CANCEL_NONE, CANCEL_DUE, CANCEL_CALLED };

/* It leaves the queue without being submitted, all of it or the rest: CancelCommand may be due. */
void vidmm_cancel_consider(const struct vidmm_engine *engine, struct vidmm_work *work);
/* Hand out the CancelCommand of the first that retires. DONE: none is due. */
enum vidmm_outcome vidmm_cancel_call(struct vidmm_engine *engine);
void vidmm_cancel_answered(struct vidmm_engine *engine, NTSTATUS status);

#endif
