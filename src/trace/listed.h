/* listed.h: the residency lists of devices, worked out from what the manager hears.
 *
 *     create paging queue, make resident, evict, destroy --> lists ---> what a submission may use
 *
 * From WDDM 2.0 on only the GPU knows what commands use; all of it is on the list of the device
 * that submits, so the list is what is needed at once.
 *
 * Feed it with events that the engine did not refuse. Lists belong to whoever made them; one thread
 * at a time.
 */
#ifndef VIDMM_TRACE_LISTED_H
#define VIDMM_TRACE_LISTED_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_event;
struct vidmm_memory;
struct vidmm_lists;

/* NULL: no memory. */
struct vidmm_lists *vidmm_lists_create(const struct vidmm_memory *memory);
void vidmm_lists_destroy(struct vidmm_lists *lists); /* takes NULL */

/* Take in an event. False: no memory, and from then on the lists are not whole. */
bool vidmm_lists_event(struct vidmm_lists *lists, const struct vidmm_event *event);

/* The allocations on the list of a device, in no order. *count: how many; 0, NULL: none. They stay
 * until the next event. */
const uint32_t *vidmm_lists_of(const struct vidmm_lists *lists, uint32_t device, uint32_t *count);
/* Whether the allocation is on it. */
bool vidmm_lists_have(const struct vidmm_lists *lists, uint32_t device, uint32_t allocation);

#endif
