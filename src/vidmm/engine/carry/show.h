/* show.h: the CPU's addresses follow what was claimed; show.c says when. */
#ifndef VIDMM_ENGINE_CARRY_SHOW_H
#define VIDMM_ENGINE_CARRY_SHOW_H

#include <stdbool.h>

struct vidmm_engine;
struct vidmm_placement;

/* Whether the content is where it is said to be. */
bool vidmm_show_has_arrived(const struct vidmm_engine *engine,
                            const struct vidmm_placement *placement);
/* Append VIDMM_DO_SHOW if the placement is followed and has arrived. Otherwise: nothing, or what
 * has to come first is queued. */
void vidmm_show(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Show what was claimed for a decision that came to nothing. True: for one of them a move is
 * queued. */
bool vidmm_show_unmoved(struct vidmm_engine *engine);

#endif
