/* counted.h: MakeResident and Evict of what stays on the residency list and in place: a number and
 * no more; counted.c.
 */
#ifndef VIDMM_CLIENT_COUNTED_H
#define VIDMM_CLIENT_COUNTED_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_device;

/* MakeResident: count each of these allocations of the device once more, here. False: the engine is
 * to be asked, and nothing has changed. The mutex is held. */
bool vidmm_counted_again(const struct vidmm_device *device,
                         struct vidmm_allocation *const *allocations, uint32_t count);
/* Evict, of whatever flags but NotWrittenTo: count each once less, here; the answer is success and
 * nothing to trim. False: the engine is to be asked, and nothing has changed. The mutex is held. */
bool vidmm_counted_less(const struct vidmm_device *device,
                        struct vidmm_allocation *const *allocations, uint32_t count);

/* An Evict of which the engine is asked: lower the count of each that is counted here. ids receives
 * the numbers of the others, in order, and behind them those of what was lowered. Answers how many
 * others there are. The mutex is held. */
uint32_t vidmm_counted_part(struct vidmm_allocation *const *allocations, uint32_t count,
                            uint32_t *ids);
/* It is refused: raise the counts of what was lowered again. The mutex is held. */
void vidmm_counted_restore(struct vidmm_adapter *adapter, const uint32_t *lowered, uint32_t count);

#endif
