/* finish.h: the consequences of a move whose fence has passed; finish.c. */
#ifndef VIDMM_ENGINE_CARRY_FINISH_H
#define VIDMM_ENGINE_CARRY_FINISH_H

#include <stdbool.h>

struct vidmm_engine;

/* Draw the consequences of one such move: it unmaps, drops, shows, lets go. False: there is none,
 * and nothing was done. */
bool vidmm_move_finish(struct vidmm_engine *engine);

#endif
