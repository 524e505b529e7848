/* embed.c: the manager in a program of yours: start an adapter, create, submit, stop.
 *
 * The operating system is a simulated machine (host/machine.h) and the GPU is softgpu; put your own
 * struct vidmm_host and your miniport's DRIVER_INITIALIZATION_DATA in their place.
 */
#include <stdio.h>

#include <vidmm/adapter.h>
#include <vidmm/bus.h>
#include <wddm/dispmprt.h>

#include "host/machine.h"
#include "softgpu/config.h"
#include "softgpu/device.h"
#include "softgpu/driver.h"
#include "softgpu/softgpu.h"

int main(void)
{
    struct vidmm_machine_options machine_options = {.kind = VIDMM_MACHINE_SIMULATED};
    struct vidmm_machine *machine = vidmm_machine_create(&machine_options, NULL, 0);
    struct vidmm_slot *slot = vidmm_machine_add_slot(machine);
    struct softgpu_config config = softgpu_config_default();
    struct vidmm_device_model model;
    struct softgpu_device *gpu =
        softgpu_device_create(vidmm_slot_bus(slot), &config, &model, NULL, 0);
    DRIVER_INITIALIZATION_DATA driver;
    struct vidmm_adapter_options options;
    struct vidmm_adapter *adapter;
    struct vidmm_device *device;
    struct vidmm_context *context;
    struct vidmm_allocation *allocation;
    struct vidmm_report report;
    uint64_t value;

    vidmm_slot_plug(slot, &model);
    softgpu_driver_entry(softgpu_driver_version(config.wddm), &driver);
    vidmm_adapter_options_default(&options);
    options.driver_reason = softgpu_device_reason; /* reports end with the driver's own words */
    options.driver_reason_context = gpu;
    if (vidmm_adapter_start(vidmm_slot_host(slot), &driver, slot, &options, &adapter, &report)) {
        printf("the adapter would not start: %s\n", report.text);
        return 2;
    }
    vidmm_device_create(adapter, 1, &device, NULL);
    vidmm_context_create(device, 0, NULL, 0, &context, NULL);

    struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                      .size = 5000000,
                                      .read_set = 2, /* bit 1: segment 2, video memory */
                                      .write_set = 2,
                                      .evict_set = 1, /* bit 0: segment 1, the aperture */
                                      .priority = SOFTGPU_PRIORITY_NORMAL};
    if (vidmm_allocation_create(device, &wish, sizeof(wish), &allocation, &report)) {
        printf("no allocation: %s\n", report.text);
        return 2;
    }
    struct {
        struct softgpu_touch touch;
        struct softgpu_reference reference;
    } command = {.touch = {{SOFTGPU_TOUCH, sizeof(command)}, 1, 0, 0},
                 .reference = {.pages = 1221, .content_id = 1, .flags = SOFTGPU_REFERENCE_WRITE}};
    struct vidmm_render_reference reference = {.allocation = allocation, .write = true};

    vidmm_render(context, &command, sizeof(command), &reference, 1, true, &value, &report);
    vidmm_context_wait(context, value);

    struct softgpu_statistics done;
    softgpu_device_statistics(gpu, &done);
    printf("%llu bytes written by the GPU, %llu filled before; %llu mismatches\n",
           (unsigned long long)done.content_bytes_written, (unsigned long long)done.bytes_filled,
           (unsigned long long)done.content_mismatches);
    vidmm_adapter_stop(adapter); /* with the device, its context and its allocation */
    vidmm_slot_unplug(slot);
    softgpu_device_destroy(gpu);
    vidmm_machine_destroy(machine);
    return done.content_mismatches == 0 ? 0 : 1;
}
