/* linked.h: the records of physical adapters, and what those of a link make of a packet
 * together. */
#ifndef VIDMM_DDI_LINKED_H
#define VIDMM_DDI_LINKED_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_host;

/* Make the records of the physical adapters; allocates. STATUS_NO_MEMORY: those that exist go with
 * vidmm_links_finish(). */
NTSTATUS vidmm_links_init(struct vidmm_adapter *adapter, const struct vidmm_host *host,
                          void *physical_device_object);
/* Give the records back. */
void vidmm_links_finish(struct vidmm_adapter *adapter);
/* A packet goes to the engines whose bits are set. Nothing, where there is no link. */
void vidmm_linked_submitted(struct vidmm_adapter *adapter, uint32_t node, uint32_t fence,
                            uint32_t engines);
/* An engine of a link has completed a fence. False: others have not, or it is none; else *fence is
 * the newest that all have completed, or what it was if nobody was given that. The mutex is
 * held. */
bool vidmm_linked_completed(struct vidmm_adapter *adapter, uint32_t engine, uint32_t node,
                            uint32_t *fence);
/* Whether an engine has packets of the node to complete. The mutex is not held. */
bool vidmm_linked_is_busy(const struct vidmm_adapter *adapter, uint32_t engine, uint32_t node);
/* All packets are gone: a reset. */
void vidmm_linked_reset(struct vidmm_adapter *adapter);

#endif
