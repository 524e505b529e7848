/* context.h: contexts, as the other files of this room make them. */
#ifndef VIDMM_CLIENT_CONTEXT_H
#define VIDMM_CLIENT_CONTEXT_H

#include <wddm/wddm_types.h>

struct _DXGK_CONTEXTINFO;
struct vidmm_context;
struct vidmm_report;

/* Put it into the list of its device, with DMA buffers as `info` says. Refused: it is destroyed;
 * the report says why. The mutex is not held. */
NTSTATUS vidmm_context_enter(struct vidmm_context *context, struct _DXGK_CONTEXTINFO *info,
                             struct vidmm_report *report);

#endif
