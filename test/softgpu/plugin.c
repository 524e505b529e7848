/* plugin.c: softgpu's device half as the hardware of a foreign driver, and its user-mode driver's
 * words.
 *
 * Behind the plug-in's name stands a configuration of softgpu/config.h, its lines parted by
 * semicolons; "align BYTES;" before it is the Alignment of allocations. Besides its two BARs the
 * device has registers as BAR 2, unless its ranges or its CPU host aperture are there: writing 1 to
 * the first lets the paging engine stand still before its next packet, until a preemption or a
 * reset; 2: until a reset.
 */
#include <vidmm/plugin.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "softgpu/config.h"
#include "softgpu/device.h"
#include "softgpu/softgpu.h"

#define ERROR_ROOM 200u
#define CONTROL_BAR 2u
#define CONTROL_SIZE 16u

static uint32_t paging_engine, memory_set, aperture_set, flags, alignment;

#define HARDWARE_PROTECTED 0x20000u /* bit of DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 */

static bool write_control(void *device, unsigned region, uint64_t offset, const void *buffer,
                          uint32_t length)
{
    uint32_t value;

    if (region != CONTROL_BAR || offset != 0 || length != sizeof(value))
        return false;
    memcpy(&value, buffer, sizeof(value));
    softgpu_device_hang(device, paging_engine, 0, value == 1);
    return true;
}

static bool attach(const struct vidmm_bus *bus, const char *text, struct vidmm_device_model *model,
                   char *error)
{
    struct softgpu_config config = softgpu_config_default();
    char lines[1024];
    int taken = 0;

    alignment = 0;
    if (sscanf(text, "align %" SCNu32 ";%n", &alignment, &taken) == 1)
        text += taken;
    if (snprintf(lines, sizeof(lines), "%s\n", text) >= (int)sizeof(lines)) {
        snprintf(error, ERROR_ROOM, "a configuration of more than %zu bytes", sizeof(lines) - 2);
        return false;
    }
    config.execute = false; /* a TOUCH is patched, and looks at no content: it is not softgpu's */
    for (char *at = lines; (at = strchr(at, ';')) != NULL;)
        *at = '\n';
    if (!softgpu_config_parse(lines, &config, error, ERROR_ROOM) ||
        !softgpu_device_create(bus, &config, model, error, ERROR_ROOM))
        return false;
    for (paging_engine = config.engine_count - 1; paging_engine > 0; paging_engine--)
        if (config.engines[paging_engine] == SOFTGPU_ENGINE_COPY)
            break; /* the default has one copy engine */
    memory_set = 1u << softgpu_config_segment(&config, SOFTGPU_SEGMENT_MEMORY) >> 1;
    aperture_set = 1u << softgpu_config_segment(&config, SOFTGPU_SEGMENT_APERTURE) >> 1;
    flags = config.hardware_protected ? HARDWARE_PROTECTED : 0;
    model->registers[CONTROL_BAR].size =
        config.range_count == 0 && softgpu_host_pages(&config) == 0 ? CONTROL_SIZE : 0;
    model->write_register = write_control;
    return true;
}

static void detach(struct vidmm_device_model *model)
{
    softgpu_device_destroy(model->device);
}

static uint32_t describe(const struct vidmm_plugin_wish *wish, void *data, uint32_t room)
{
    struct softgpu_allocation *allocation = data;
    uint32_t segments = wish->segments != 0 ? wish->segments : memory_set;

    if (room < sizeof(*allocation))
        return 0;
    *allocation =
        (struct softgpu_allocation){.magic = SOFTGPU_ALLOCATION_MAGIC,
                                    .flags = flags | wish->cpu_visible, /* CpuVisible is bit 0 */
                                    .size = wish->size,
                                    .alignment = alignment,
                                    .read_set = segments,
                                    .write_set = segments,
                                    .evict_set = aperture_set,
                                    .priority = SOFTGPU_PRIORITY_NORMAL};
    return sizeof(*allocation);
}

/* A TOUCH of as many as there is room for. */
static uint32_t command(const struct vidmm_plugin_use *uses, uint32_t count, void *data,
                        uint32_t room)
{
    struct softgpu_touch *touch = data;
    struct softgpu_reference *references = (struct softgpu_reference *)(touch + 1);

    while (count != 0 && room < softgpu_touch_size(count))
        count--;
    *touch = (struct softgpu_touch){.command = {SOFTGPU_TOUCH, softgpu_touch_size(count)},
                                    .reference_count = count};
    for (uint32_t i = 0; i < count; i++)
        references[i] = (struct softgpu_reference){.allocation_index = uses[i].index, .pages = 1};
    return touch->command.size;
}

const struct vidmm_plugin vidmm_plugin = {.version = VIDMM_PLUGIN_VERSION,
                                          .name = "softgpu",
                                          .attach = attach,
                                          .detach = detach,
                                          .describe = describe,
                                          .command = command};
