/* companion.h: companion contexts, on which changes of addresses behind fences run (D-266).
 *
 *     context --- update queue --- companion: a context of the same device, on the node that the
 *        |                                    driver has named for it (PagingCompanionNodeId)
 *     process --- space (space.h), in which all companions of the process run
 *
 * Both are made by the first UpdateGpuVirtualAddress that needs them. The companion goes with its
 * context, the space with its process. Neither is a program's: no call names it.
 *
 * Source: "Tile resources"; "Per-process GPU virtual address spaces"; DXGK_CONTEXTINFO.
 */
#ifndef VIDMM_CLIENT_COMPANION_H
#define VIDMM_CLIENT_COMPANION_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_context;
struct vidmm_paging_queue;

/* Have the driver make a companion for a context, and let changes by the queue run there. NULL: it
 * has none, and the system's context makes them: the driver names no node, refuses the context, or
 * is of another kind (CAVEATS), or there is no memory. No other is made for its process
 * meanwhile, and the mutex is not held. */
struct vidmm_context *vidmm_companion_create(struct vidmm_context *context,
                                             struct vidmm_paging_queue *queue);
/* The queue changes nothing any more: the companion goes when nothing of it is in flight. NULL:
 * there is none. The mutex is not held. */
void vidmm_companion_destroy(struct vidmm_context *companion, struct vidmm_paging_queue *queue);
/* Queue a change of the space that changes nothing. The queue comes to its value when the space is
 * written: changes are refused until then (STATUS_DEVICE_NOT_READY). False: it cannot be queued,
 * and nobody would hear of that. The mutex is held. */
bool vidmm_companion_await(const struct vidmm_context *companion, struct vidmm_paging_queue *queue);

#endif
