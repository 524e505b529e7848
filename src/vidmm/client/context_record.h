/* context_record.h: the records of contexts, whoever makes them. */
#ifndef VIDMM_CLIENT_CONTEXT_RECORD_H
#define VIDMM_CLIENT_CONTEXT_RECORD_H

#include <stdint.h>

struct vidmm_context;
struct vidmm_device;

/* Memory and a number for a context that nobody knows yet. NULL: there is none. The mutex is not
 * held, here and below. */
struct vidmm_context *vidmm_context_new(struct vidmm_device *device, uint32_t node);
/* Give back what vidmm_context_new() gave. */
void vidmm_context_free(struct vidmm_context *context);

#endif
