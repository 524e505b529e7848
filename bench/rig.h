/*
 * rig.h: a machine, a software GPU and an adapter on it, for the rows that go the whole way.
 */
#ifndef VIDMM_BENCH_RIG_H
#define VIDMM_BENCH_RIG_H

#include <vidmm/adapter.h>
#include <vidmm/host.h>
#include <wddm/dispmprt.h>

#include "host/machine.h"
#include "softgpu/device.h"
#include "softgpu/driver.h"

struct rig {
    struct vidmm_machine *machine;
    struct vidmm_slot *slot;
    struct softgpu_device *gpu;
    struct vidmm_host host; /* the slot's; a row may replace some of it */
    DRIVER_INITIALIZATION_DATA driver;
    struct vidmm_adapter *adapter;
    struct vidmm_device *device;
};

/* Make a machine of the kind with so many bytes of system memory (0: as many as it has by default),
 * and plug the GPU in. */
void rig_begin(struct rig *rig, const struct softgpu_config *config, enum vidmm_machine_kind kind,
               uint64_t system_memory);
/* Start the adapter, and create a device. */
void rig_start(struct rig *rig);
/* Take all of it apart. */
void rig_end(struct rig *rig);

#endif
