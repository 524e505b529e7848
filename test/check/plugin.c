/* plugin.c: a plug-in for driver.c: a device with registers and memory, private data, commands. */
#include <stdlib.h>

#include <vidmm/plugin.h>

#include "../../examples/register_device.h"

static struct register_device device;
static uint64_t view; /* the address of BAR 1, where it is one */

/* Its page number DATA shows the page ADDRESS, once that is written. */
static bool write_view(void *argument, unsigned region, uint64_t offset, const void *buffer,
                       uint32_t length)
{
    const struct vidmm_bus *bus = device.bus;

    if (!register_device_write(argument, region, offset, buffer, length))
        return false;
    return offset != 0x10 ||
           bus->show_view(bus->context, view + (device.file.data << 12), 1, &device.file.address);
}

/* "memory BYTES", "registers BYTES", "ports BYTES": a BAR of a size of the test's choice. */
static bool attach_size(const struct vidmm_bus *bus, const char *text,
                        struct vidmm_device_model *model)
{
    uint64_t size = strtoull(strchr(text, ' '), NULL, 0), address;

    if (strstr(text, "odd view") && !bus->add_view(bus->context, 1, 3 << 12, &address))
        return false;
    if (strstr(text, "twice"))
        model->registers[2].size = 65536;
    if (strncmp(text, "memory", 6) == 0)
        return bus->add_memory(bus->context, 2, size, &address);
    model->registers[text[0] == 'p'].size = size;
    return bus->add_memory(bus->context, 2, UINT64_C(32) << 20, &address);
}

/* "many": six BARs, all of 32 bits; "many wide": but for the first. */
static bool attach_many(const struct vidmm_bus *bus, const char *text,
                        struct vidmm_device_model *model)
{
    uint64_t address;

    for (unsigned region = strcmp(text, "many") == 0 ? 0 : 1; region < VIDMM_BUS_REGIONS; region++)
        if (!bus->use_32_bits(bus->context, region))
            return false;
    model->registers[3].size = 16;
    return bus->add_memory(bus->context, 4, 1 << 12, &address) &&
           bus->add_memory(bus->context, 2, UINT64_C(32) << 20, &address) &&
           bus->add_view(bus->context, 5, 1 << 12, &address);
}

static bool attach(const struct vidmm_bus *bus, const char *text, struct vidmm_device_model *model,
                   char *error)
{
    uint64_t address;

    (void)error;
    register_device_init(&device, bus, model);
    if (strcmp(text, "no memory") == 0) {
        memcpy(error, text, strlen(text) + 1);
        return false;
    }
    if (strcmp(text, "view") == 0) { /* in the place of the ports */
        model->registers[1].size = 0;
        model->write_register = write_view;
        return bus->add_view(bus->context, 1, UINT64_C(2) << 20, &view) &&
               bus->add_memory(bus->context, 2, UINT64_C(32) << 20, &address);
    }
    if (strncmp(text, "many", 4) == 0)
        return attach_many(bus, text, model);
    if (strchr(text, ' '))
        return attach_size(bus, text, model);
    return bus->add_memory(bus->context, 2, UINT64_C(32) << 20, &address);
}

static void detach(struct vidmm_device_model *model)
{
    pthread_mutex_destroy(&((struct register_device *)model->device)->lock);
}

/* Describe an allocation as driver.c takes it: the size. */
static uint32_t describe(const struct vidmm_plugin_wish *wish, void *data, uint32_t room)
{
    if (room < sizeof(wish->size))
        return 0;
    memcpy(data, &wish->size, sizeof(wish->size));
    return sizeof(wish->size);
}

static uint32_t command(const struct vidmm_plugin_use *uses, uint32_t count, void *data,
                        uint32_t room)
{
    uint32_t size = count * (uint32_t)sizeof(uses->index);

    for (uint32_t i = 0; i < count && size <= room; i++)
        memcpy((char *)data + i * sizeof(uses->index), &uses[i].index, sizeof(uses->index));
    return size <= room ? size : 0;
}

extern const struct vidmm_plugin vidmm_plugin;
const struct vidmm_plugin vidmm_plugin = {
    .version = VIDMM_PLUGIN_VERSION,
    .name = "test",
    .attach = attach,
    .detach = detach,
    .describe = describe,
    .command = command,
};
