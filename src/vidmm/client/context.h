/* context.h: contexts, as the other files of this room make them. */
#ifndef VIDMM_CLIENT_CONTEXT_H
#define VIDMM_CLIENT_CONTEXT_H

#include <stdint.h>

#include <wddm/wddm_types.h>

struct _DXGK_CONTEXTINFO;
struct vidmm_context;
struct vidmm_device;
struct vidmm_report;

/* Memory and a number for a context that nobody knows yet. NULL: there is none. The mutex is not
 * held, here and below. */
struct vidmm_context *vidmm_context_new(struct vidmm_device *device, uint32_t node);
/* Give back what vidmm_context_new() gave. */
void vidmm_context_free(struct vidmm_context *context);
/* Put it into the list of its device, with DMA buffers as `info` says. Refused: it is destroyed;
 * the report says why. */
NTSTATUS vidmm_context_enter(struct vidmm_context *context, struct _DXGK_CONTEXTINFO *info,
                             struct vidmm_report *report);

#endif
