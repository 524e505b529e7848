/* device.h: the GPU of ring_hw.h in software: the device behind the driver's registers when there
 * is no card. It knows vidmm/plugin.h of vidmm; of the driver, the two headers that a hardware
 * manual and a user-mode driver would share with it.
 */
#ifndef RING_DEVICE_H
#define RING_DEVICE_H

#include <pthread.h>
#include <string.h>

#include <vidmm/plugin.h>

#include "ring_hw.h"

struct gpu {
    const struct vidmm_bus *bus;
    pthread_mutex_t lock; /* over all below */
    int engine;
    uint8_t *memory;
    uint64_t memory_size;
    uint64_t table[RING_APERTURE_PAGES]; /* physical addresses; 0: never mapped */
    uint32_t control, status, size, head, tail, fence, why, pages;
    uint64_t base;
    volatile uint8_t sink;
};

/* Execute the commands of an entry. False: the one at gpu->why cannot be executed. */
bool ring_execute(struct gpu *gpu, const struct ring_entry *entry);

#endif
