/* burial.h: the end of an allocation: destroyed by its owner, gone when nothing refers to it any
 * more; burial.c. */
#ifndef VIDMM_ENGINE_WORK_BURIAL_H
#define VIDMM_ENGINE_WORK_BURIAL_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_engine;
struct vidmm_placement;

#define VIDMM_NO_DEVICE UINT32_MAX

/* The owner is done with it; it goes when nothing refers to it. unused_by: a device of which no
 * work uses it, whatever is queued (D-181); or VIDMM_NO_DEVICE. */
void vidmm_burial_begin(struct vidmm_engine *engine, struct vidmm_placement *placement,
                        uint32_t unused_by);
/* Let one dying placement go, if one can. False: none is to be looked at. */
bool vidmm_burial_serve(struct vidmm_engine *engine);

#endif
