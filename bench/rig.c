/* rig.c: a machine, a software GPU and an adapter on it. */
#include "rig.h"

#include <string.h>

#include <vidmm/bus.h>
#include <wddm/ntstatus.h>

#include "bench.h"
#include "softgpu/config.h"

void rig_begin(struct rig *rig, const struct softgpu_config *config, enum vidmm_machine_kind kind,
               uint64_t system_memory)
{
    const struct vidmm_machine_options options = {.kind = kind, .system_memory = system_memory};
    struct vidmm_device_model model;

    memset(rig, 0, sizeof(*rig));
    rig->machine = vidmm_machine_create(&options, NULL, 0);
    bench_check(rig->machine != NULL, "a machine could not be made");
    rig->slot = vidmm_machine_add_slot(rig->machine);
    rig->gpu = softgpu_device_create(vidmm_slot_bus(rig->slot), config, &model, NULL, 0);
    bench_check(rig->gpu != NULL && vidmm_slot_plug(rig->slot, &model), "a GPU could not be made");
    rig->host = *vidmm_slot_host(rig->slot);
    softgpu_driver_entry(softgpu_driver_version(config->wddm), &rig->driver);
}

void rig_start(struct rig *rig)
{
    struct vidmm_adapter_options options;

    vidmm_adapter_options_default(&options);
    bench_check(vidmm_adapter_start(&rig->host, &rig->driver, rig->slot, &options, &rig->adapter,
                                    NULL) == STATUS_SUCCESS &&
                    vidmm_device_create(rig->adapter, 1, &rig->device, NULL) == STATUS_SUCCESS,
                "an adapter could not be started");
}

void rig_end(struct rig *rig)
{
    vidmm_adapter_stop(rig->adapter);
    vidmm_slot_unplug(rig->slot);
    softgpu_device_destroy(rig->gpu);
    vidmm_machine_destroy(rig->machine);
}
