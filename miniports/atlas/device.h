/* device.h: the GPU of atlas_hw.h in software: the device behind the driver's registers when there
 * is no card. It knows vidmm/plugin.h of vidmm; of the driver, the two headers that a hardware
 * manual and a user-mode driver would share with it.
 */
#ifndef ATLAS_DEVICE_H
#define ATLAS_DEVICE_H

#include <pthread.h>
#include <string.h>

#include <vidmm/plugin.h>

#include "atlas_hw.h"

#define TRANSLATIONS 1024u

/* The word of a page's entry, as it was when the page was translated. */
struct translation {
    uint64_t root, page, word; /* word 0: none */
};

struct gpu {
    const struct vidmm_bus *bus;
    pthread_mutex_t lock; /* over all below */
    int engine;
    uint8_t *memory;
    uint64_t memory_size;
    struct translation kept[TRANSLATIONS];
    uint32_t control, status, size, head, tail, fence, why, pages;
    uint64_t base;
    volatile uint8_t sink;
};

/* Execute the commands of an entry. False: the one at gpu->why cannot be executed. */
bool atlas_execute(struct gpu *gpu, const struct atlas_entry *entry);
/* Forget what was translated by a root; UINT64_MAX: by any. */
void atlas_forget(struct gpu *gpu, uint64_t root);

#endif
