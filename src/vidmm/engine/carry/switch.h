/* switch.h: a node is made to leave its context; context.c says why, switch.c how.
 *
 * Source: DXGK_SUBMITCOMMANDFLAGS, ContextSwitch; D-256.
 */
#ifndef VIDMM_ENGINE_CARRY_SWITCH_H
#define VIDMM_ENGINE_CARRY_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_placement;

/* Before the placement leaves its place: have every node whose running context has used it switch
 * to none. IDLE: none has. CALL: a switch is handed out. WAIT: there is no room for it now. */
enum vidmm_progress vidmm_switch_leave(struct vidmm_engine *engine,
                                       const struct vidmm_placement *placement);
/* Before giving up for want of room: have one node leave a context whose allocations are kept.
 * IDLE: no node runs such a one. */
enum vidmm_progress vidmm_switch_yield(struct vidmm_engine *engine);
/* Hand out the switch of a node, for the first time or again. */
void vidmm_switch_tell(struct vidmm_engine *engine, uint32_t node, bool again);

#endif
