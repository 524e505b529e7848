/* destroy.h: allocations and resources are destroyed by flags; destroy.c. */
#ifndef VIDMM_CLIENT_DESTROY_H
#define VIDMM_CLIENT_DESTROY_H

#include <stdint.h>

struct vidmm_allocation;
struct vidmm_resource;

/* Note by which VIDMM_DESTROY_... an allocation goes, before the engine hears of it. The mutex is
 * held. */
void vidmm_allocation_end_by(struct vidmm_allocation *allocation, uint32_t flags);
/* vidmm_resource_destroy() by flags; it waits for no end of memory. */
void vidmm_resource_end(struct vidmm_resource *resource, uint32_t flags);

#endif
