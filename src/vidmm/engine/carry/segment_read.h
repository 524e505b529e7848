/* segment_read.h: the raw bytes of a range of a memory segment; segment_read.c says how. */
#ifndef VIDMM_ENGINE_CARRY_SEGMENT_READ_H
#define VIDMM_ENGINE_CARRY_SEGMENT_READ_H

#include <wddm/wddm_types.h>

struct vidmm_engine;
struct vidmm_event;
struct vidmm_placement;

/* VIDMM_EVENT_READ_SEGMENT. STATUS_INVALID_PARAMETER: pages that are no such ones or in use, no
 * memory segment, or not inside it; STATUS_DEVICE_BUSY: there is no power, or a reset is under way.
 * Refused: nothing has changed. */
NTSTATUS vidmm_segment_read_event(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Its transfer has been executed, or never will be: tell who waits. Anything but such pages:
 * nothing. */
void vidmm_segment_read_end(struct vidmm_engine *engine, struct vidmm_placement *placement,
                            NTSTATUS status);

#endif
