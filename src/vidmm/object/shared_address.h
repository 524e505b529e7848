/* shared_address.h: the address at which the CPU and the GPU find an allocation, where the GPU uses
 * the CPU's page tables (IoMmu).
 *
 *     created, or opened      in place           out of place        closed, or destroyed
 *     reserved in the         its pages, for     nothing, for        given back
 *     process's space         the GPU too        the GPU
 *
 * The address is that of the backing store, which has it for life, locked or not; so it is the one
 * that Lock2 answers. All processes that have a shared allocation open find it at the same address,
 * each by a PASID of its own. An allocation has one if nothing but an aperture may hold it.
 *
 * Source: IoMmu model; "GPU segments"; rule D-268.
 */
#ifndef VIDMM_OBJECT_SHARED_ADDRESS_H
#define VIDMM_OBJECT_SHARED_ADDRESS_H

#include <stdbool.h>

struct vidmm_allocation;
struct vidmm_process;

/* Give it its address: it has its pages. False: no address space. */
bool vidmm_shared_address_init(struct vidmm_allocation *allocation);
/* Reserve the address for the process of the device that has the allocation open. True, too, if it
 * has none. False: no memory. The mutex is not held. */
bool vidmm_shared_address_reserve(struct vidmm_allocation *opened,
                                  const struct vidmm_process *process);
/* Give that back; nothing, if it was not reserved. */
void vidmm_shared_address_release(struct vidmm_allocation *opened,
                                  const struct vidmm_process *process);
/* It has come into its place, or is about to leave it: GPUs find its pages, or nothing, at the
 * address. Nothing, if it has none. The mutex is not held. */
void vidmm_shared_address_show(struct vidmm_allocation *allocation);
void vidmm_shared_address_hide(struct vidmm_allocation *allocation);

#endif
