/* instance.h: the instances of an allocation that was renamed (renaming.h). */
#ifndef VIDMM_CLIENT_INSTANCE_H
#define VIDMM_CLIENT_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>

#include <wddm/wddm_types.h>

struct vidmm_allocation;
struct vidmm_device;
struct vidmm_renaming;

/* The one that the last discard gave. The mutex is held. */
struct vidmm_allocation *vidmm_instance_newest(struct vidmm_allocation *allocation);
/* Whether a newer one was referenced, so that it may not be any more (D-172). The mutex is held. */
bool vidmm_instance_is_retired(const struct vidmm_allocation *allocation);
/* Make room for one more in the list, the first time for the allocation itself too: TAKEN, perhaps
 * without memory. SIZE_MAX: no memory, and none is TAKEN. The mutex is held. */
size_t vidmm_instance_reserve(struct vidmm_allocation *allocation);
/* Give what is reserved its memory, and tell the engine. Refused: it is asleep. The mutex is not
 * held. */
NTSTATUS vidmm_instance_wake(struct vidmm_renaming *renaming, size_t index);
/* Have the engine let go of one that is TAKEN; it is asleep then. Not the first. */
void vidmm_instance_let_go(struct vidmm_renaming *renaming, size_t index);
/* Have the engine let go of all instances but the first, for good; nothing, where the allocation is
 * not the first of any. */
void vidmm_instances_let_go(struct vidmm_allocation *allocation);
/* The engine has let go of the allocation. Answers who goes now: itself, the first of its
 * instances, of which it was the last to leave, or NULL: nobody yet. Inside its process's turn, the
 * mutex is not held. */
struct vidmm_allocation *vidmm_instance_gone(struct vidmm_allocation *allocation);
/* The adapter has stopped: give back all but the first. */
void vidmm_instances_abandon(struct vidmm_device *device);

#endif
