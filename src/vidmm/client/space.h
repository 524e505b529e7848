/* space.h: addresses of their own for the companion contexts of a process (D-266). They are
 * privileged in that commands of the manager alone run there.
 */
#ifndef VIDMM_CLIENT_SPACE_H
#define VIDMM_CLIENT_SPACE_H

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_process;

/* Make the space of a process, if it has none yet: with page tables, and addresses that stay free.
 * STATUS_NO_MEMORY, STATUS_DEVICE_REMOVED: it has none. Nobody else makes it meanwhile, and the
 * mutex is not held. */
NTSTATUS vidmm_space_make(struct vidmm_process *process);
/* The process goes, and its space does. The mutex is held. */
void vidmm_space_end(const struct vidmm_process *process);
/* Paging buffers go: no space maps them any more. The mutex is not held. */
void vidmm_spaces_finish(struct vidmm_adapter *adapter);

#endif
