/* context_update.h: the driver changes the content of a context allocation; context_update.c says
 * how. */
#ifndef VIDMM_ENGINE_CARRY_CONTEXT_UPDATE_H
#define VIDMM_ENGINE_CARRY_CONTEXT_UPDATE_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_engine;
struct vidmm_placement;

/* Whether it lies in a memory segment, and nothing moves it. */
bool vidmm_context_update_may_begin(const struct vidmm_placement *placement);
/* Queue the move by which the driver changes what lies there, for whoever asks. */
void vidmm_context_update_begin(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                uint32_t request);
/* A move of it has been executed, or never will be: if the driver was to change it, tell who
 * waits. */
void vidmm_context_update_end(struct vidmm_engine *engine, struct vidmm_placement *placement,
                              NTSTATUS status);

#endif
