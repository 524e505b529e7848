/* linked.h: further software GPUs that are linked with the one in the first slot, and are like it.
 *
 *     slot 0: the lead   --- struct vidmm_linked: the cable ---   slot 1, slot 2, ...
 *
 * The owner of the machine owns this too: it outlives the adapter, and is unplugged before the
 * machine is destroyed. All zero: nothing is linked.
 */
#ifndef VIDMM_STORY_LINKED_H
#define VIDMM_STORY_LINKED_H

#include <stdbool.h>
#include <stddef.h>

#include <vidmm/adapter.h>

#include "softgpu/driver.h"

struct _DRIVER_INITIALIZATION_DATA;
struct softgpu_config;
struct vidmm_machine;

struct vidmm_linked {
    uint32_t count; /* GPUs, the lead too; 0, 1: nothing is linked */
    struct softgpu_chain chain;
    struct softgpu_physical_device places[SOFTGPU_LINKS];
    struct vidmm_adapter_link links[SOFTGPU_LINKS]; /* of places 1 and up */
    struct vidmm_linked_gpu {                       /* by place; the lead's is not here */
        struct vidmm_slot *slot;
        struct softgpu_device *device;
        bool plugged;
    } gpus[SOFTGPU_LINKS];
};

/* Plug `count` - 1 more GPUs in, in slots of their own, and link them with the lead. False: error
 * says why; unplug() it. */
bool vidmm_linked_plug(struct vidmm_linked *linked, struct vidmm_machine *machine,
                       struct softgpu_device *lead, const struct softgpu_config *config,
                       uint32_t count, char *error, size_t error_size);
/* Tell the options of the adapter, and the driver. Answers the lead's physical device object; NULL:
 * nothing is linked. */
void *vidmm_linked_options(struct vidmm_linked *linked, struct vidmm_adapter_options *options);
void vidmm_linked_driver(const struct vidmm_linked *linked,
                         struct _DRIVER_INITIALIZATION_DATA *driver);
void vidmm_linked_unplug(struct vidmm_linked *linked);

#endif
