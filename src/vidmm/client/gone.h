/* gone.h: allocations and resources that go: the engine lets go of them, then the miniport
 * hears. */
#ifndef VIDMM_CLIENT_GONE_H
#define VIDMM_CLIENT_GONE_H

struct vidmm_allocation;
struct vidmm_resource;

/* Have the engine let go of an allocation and all of its instances. It cannot fail. */
void vidmm_allocation_let_go(struct vidmm_allocation *allocation);
/* The engine has let go of it: it goes, or its resource with it. Inside its process's turn. */
void vidmm_allocation_gone(struct vidmm_allocation *allocation);
/* vidmm_allocation_gone(), with the mutex taken behind it. */
void vidmm_allocation_gone_and_lock(struct vidmm_allocation *allocation);
/* All members of a resource that dies are let go of: nothing of it is left. Inside the process's
 * turn. */
void vidmm_resource_gone(struct vidmm_resource *resource);

#endif
