/* submit.h: the DMA buffer at the head, on its way to its node; submit.c. */
#ifndef VIDMM_ENGINE_WORK_SUBMIT_H
#define VIDMM_ENGINE_WORK_SUBMIT_H

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_part;

/* Submit the part of the work at the head, whose references are in place: PLACED, then SUBMIT.
 * MADE: a request was granted instead. CALL: the submission is under way. WAIT: its page-ins, or
 * room, or a recovery comes first. */
enum vidmm_progress vidmm_submit_work(struct vidmm_engine *engine);
/* Append VIDMM_DO_SUBMIT for a part, for the first time or again, and answer it. The caller sets
 * `call` of the engine. */
struct vidmm_operation *vidmm_submit_tell(struct vidmm_engine *engine,
                                          const struct vidmm_part *part);

#endif
