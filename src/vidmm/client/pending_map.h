/* pending_map.h: mappings whose fence value is still to come, for who uses them before (D-219).
 *
 *     Map --> STATUS_PENDING, 7042     noted: addresses, paging queue, value
 *     ... the queue passes 7042        the note says nothing any more
 *     Free, or another meaning         it is dropped
 *
 * A process has its newest notes; an older one is forgotten, so that a use may be missed and none
 * is found that was not. The adapter's mutex is held.
 *
 * Source: D3DDDI_MAPGPUVIRTUALADDRESS.
 */
#ifndef VIDMM_CLIENT_PENDING_MAP_H
#define VIDMM_CLIENT_PENDING_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_process;

/* Addresses [start, start + size) are mapped when the queue passes the value. */
void vidmm_pending_map_note(struct vidmm_process *process, uint32_t queue, uint64_t start,
                            uint64_t size, uint64_t value);
/* They mean something else from now on. */
void vidmm_pending_map_drop(struct vidmm_process *process, uint64_t start, uint64_t size);
/* The queue goes: whatever was asked of it is over. */
void vidmm_pending_map_end(struct vidmm_process *process, uint32_t queue);
/* Whether an address of [start, start + size) is to be mapped, and its value is still to come. */
bool vidmm_pending_map_meets(const struct vidmm_process *process, uint64_t start, uint64_t size);

#endif
