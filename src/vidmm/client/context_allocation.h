/* context_allocation.h: allocations that a miniport makes for its contexts. */
#ifndef VIDMM_CLIENT_CONTEXT_ALLOCATION_H
#define VIDMM_CLIENT_CONTEXT_ALLOCATION_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_allocation;
struct vidmm_context;
struct vidmm_context_allocation_wish;
struct vidmm_device;
struct vidmm_dma_buffer;

/* Create and destroy one, as struct vidmm_ddi_above says. Passive level, the mutex is not held. */
NTSTATUS vidmm_context_allocation_create(struct vidmm_context_allocation_wish *wish,
                                         struct vidmm_allocation **allocation);
NTSTATUS vidmm_context_allocation_destroy(struct vidmm_allocation *allocation);
/* As ddi/above.h says. */
NTSTATUS vidmm_context_allocation_update(struct vidmm_allocation *allocation,
                                         const void *private_data, uint32_t size);
/* The miniport's context is gone (NULL: the whole device): the context allocations that it has left
 * behind go too, and no call names them any more. May wait. */
void vidmm_context_allocations_leave(struct vidmm_device *device,
                                     const struct vidmm_context *context);
/* Add to a DMA buffer's references, so many as *count, what its context needs besides; *count
 * receives how many there are. May allocate. False: no memory. The mutex is held. */
bool vidmm_context_allocations_refer(struct vidmm_dma_buffer *dma_buffer, uint32_t *count);

#endif
