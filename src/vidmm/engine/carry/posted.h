/* posted.h: writes of the GPU that a bridge may hold back; posted.c says why. */
#ifndef VIDMM_ENGINE_CARRY_POSTED_H
#define VIDMM_ENGINE_CARRY_POSTED_H

#include <stdbool.h>

struct vidmm_engine;
struct vidmm_placement;

/* Whether what the GPU wrote has to be pushed through before the CPU looks. */
bool vidmm_posted_is_due(const struct vidmm_engine *engine,
                         const struct vidmm_placement *placement);
/* A DMA buffer that writes it has been submitted. */
void vidmm_posted_note(const struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Queue WritePhysical and ReadPhysical; its page-in is idle. */
void vidmm_posted_push(struct vidmm_engine *engine, struct vidmm_placement *placement);

#endif
