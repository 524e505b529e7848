/* reset.h: the reset of the whole adapter; reset.c draws its stages. */
#ifndef VIDMM_ENGINE_RECOVER_RESET_H
#define VIDMM_ENGINE_RECOVER_RESET_H

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;

/* The adapter is to be reset, unless it was too often: then the engine fails (D-242). */
void vidmm_reset_begin(struct vidmm_engine *engine);
/* Hand out the next call of the reset. MADE: it made progress, or is over. */
enum vidmm_progress vidmm_reset_call(struct vidmm_engine *engine);
/* Take in what ResetFromTimeout or RestartFromTimeout has answered. */
void vidmm_reset_answer(struct vidmm_engine *engine, NTSTATUS status);
/* Use the paging buffer that is in no aperture, until the command buffers are mapped again. */
void vidmm_reset_use_bootstrap(struct vidmm_engine *engine);
/* Map the command buffers again where they were. */
void vidmm_reset_map_again(struct vidmm_engine *engine);

#endif
