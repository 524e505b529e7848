/* linked_space.h: the addresses of a process on a link of physical adapters.
 *
 *     process --> reservations        the same on every physical adapter
 *                 meanings            of each physical adapter its own     lead | 1 | 2 ...
 *                 one tree of tables  a place for all; each adapter has a table there
 *
 *     root, and what is between     every adapter is told the same, each by a call of its own
 *     leaf                          an adapter is told what its own addresses mean
 *
 * An entry of the tree says what the addresses mean to all of the adapters. If they differ, it says
 * PAGES: then there is a leaf, and the meaning of each is looked up when it is written.
 *
 * Source: "GPU virtual address" (linked display adapters), "Linked display adapter",
 * PFND3DDDI_MAPGPUVIRTUALADDRESSCB; rules D-228, D-229.
 */
#ifndef VIDMM_ENGINE_STATE_LINKED_SPACE_H
#define VIDMM_ENGINE_STATE_LINKED_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_address_meaning;
struct vidmm_address_range;
struct vidmm_address_space;
struct vidmm_event;
struct vidmm_memory;
struct vidmm_process;

/* The space that says what addresses mean on one of them; 0: the lead. */
const struct vidmm_address_space *vidmm_process_space(const struct vidmm_process *process,
                                                      uint32_t adapter);

/* Begin with addresses [low, high), all free, on each of so many adapters; 0, 1: there is no link.
 * STATUS_NO_MEMORY: there is nothing to finish. */
NTSTATUS vidmm_linked_spaces_init(struct vidmm_process *process, uint32_t adapters, uint64_t low,
                                  uint64_t high, const struct vidmm_memory *memory);
/* Free all of them, and begin anew. */
void vidmm_linked_spaces_clear(struct vidmm_process *process, const struct vidmm_memory *memory);
/* Give all memory back. */
void vidmm_linked_spaces_finish(struct vidmm_process *process, const struct vidmm_memory *memory);

/* Change addresses of a process of a link, as vidmm_process_change() has it: `meaning` is that of
 * the event, `beyond` as a wish has it. *start receives the first address. STATUS_SUCCESS: the
 * tables and the spaces say so. */
NTSTATUS vidmm_linked_change(struct vidmm_process *process, const struct vidmm_event *event,
                             const struct vidmm_address_meaning *meaning, uint64_t beyond,
                             uint64_t *start);
/* A range that is mapped is so no more. Its addresses come free if they mean nothing to any other
 * adapter, and stay reserved if not, or if there is no memory to free them with. */
void vidmm_linked_unmap(struct vidmm_process *process, struct vidmm_address_range *range);
/* The adapters that a range, of one of the spaces of the process, is of: one bit. */
uint8_t vidmm_linked_mask(const struct vidmm_process *process, struct vidmm_address_range *range);

/* Stop the program if an invariant of linked_space.c does not hold. */
void vidmm_linked_check(const struct vidmm_process *process);

#endif
