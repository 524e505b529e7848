/* device.c: the device behind the driver.
 *
 * D1  a bit of config space is answered from `space` where `given` has it, else by the plug-in
 * D2  without a plug-in's device, `given` has all bits
 */
#include "miniport/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/host.h>

#include "miniport/bars.h"
#include "miniport/configuration.h"
#include "miniport/miniport.h"
#include "miniport/plugged.h"
#include "host/machine.h"

enum { COMMAND = 0x04, STATUS = 0x06, CLASS = 0x0B, FIRST_CAPABILITY = 0x34 };
enum { INTERRUPT_LINE = 0x3C, OWN = 0x40, EXTENDED = 0x100 };
enum { DISPLAY_CLASS = 3, DECODES_PORTS = 1, DECODES_MEMORY = 2, IS_MASTER = 4, HAS_LIST = 0x10 };

/* ---- config space ---- */

/* Behind the standard header a register keeps what is written, and so do the command register and
 * the interrupt line. */
static bool keeps(uint32_t offset)
{
    return offset >= OWN || offset == COMMAND || offset == COMMAND + 1 || offset == INTERRUPT_LINE;
}

static bool read_config(void *device, uint32_t offset, void *buffer, uint32_t length)
{
    const struct vidmm_miniport *miniport = device;
    const struct vidmm_device_model *plugins = &miniport->plugins;
    uint8_t *bytes = buffer;
    bool known = !plugins->read_config;

    memset(buffer, 0, length);
    if (plugins->read_config)
        known = plugins->read_config(plugins->device, offset, buffer, length);
    for (uint32_t i = 0; i < length; i++) { /* D1 */
        if (!known && miniport->given[offset + i] != 0xFF)
            return false;
        bytes[i] = (uint8_t)((bytes[i] & ~miniport->given[offset + i]) |
                             (miniport->space[offset + i] & miniport->given[offset + i]));
    }
    return true;
}

static bool write_config(void *device, uint32_t offset, const void *buffer, uint32_t length)
{
    struct vidmm_miniport *miniport = device;
    const struct vidmm_device_model *plugins = &miniport->plugins;
    const uint8_t *bytes = buffer;
    bool all = true;

    for (uint32_t i = 0; i < length; i++) {
        if (miniport->given[offset + i] && keeps(offset + i))
            miniport->space[offset + i] = bytes[i];
        all = all && miniport->given[offset + i] == 0xFF;
    }
    return all || !plugins->write_config ||
           plugins->write_config(plugins->device, offset, buffer, length);
}

static void give(struct vidmm_miniport *miniport, uint32_t offset, uint8_t value, uint8_t bits)
{
    miniport->space[offset] = (uint8_t)((miniport->space[offset] & ~bits) | (value & bits));
    miniport->given[offset] |= bits;
}

static void give_word(struct vidmm_miniport *miniport, uint32_t offset, uint32_t bytes,
                      uint64_t value)
{
    for (uint32_t i = 0; i < bytes; i++)
        give(miniport, offset + i, (uint8_t)(value >> 8 * i), 0xFF);
}

/* The capabilities, each with the offset of the next, and who points to the first. */
static void give_capabilities(struct vidmm_miniport *miniport)
{
    const struct vidmm_miniport_configuration *c = miniport->configuration;

    for (uint32_t i = 0; i < c->capability_count; i++) {
        const struct vidmm_miniport_capability *one = &c->capabilities[i], *next = one + 1;
        bool extended = one->offset >= EXTENDED;
        bool linked = i + 1 < c->capability_count && (next->offset >= EXTENDED) == extended;
        uint32_t link = linked ? next->offset : 0, head = extended ? 4 : 2;

        if (extended) /* id, version 1, link */
            give_word(miniport, one->offset, 4, one->id | 1u << 16 | link << 20);
        else
            give_word(miniport, one->offset, 2, one->id | link << 8);
        for (uint32_t k = 0; k < one->size; k++)
            give(miniport, one->offset + head + k, one->data[k], 0xFF);
        if (i == 0 && !extended) {
            give_word(miniport, FIRST_CAPABILITY, 1, one->offset);
            give(miniport, STATUS, HAS_LIST, HAS_LIST);
        }
    }
}

/* Say the place of a line of the configuration, for sentences. */
static bool wrong_line(struct vidmm_miniport *miniport, unsigned line, const char *what)
{
    return vidmm_miniport_problem(miniport, "%s, line %u: %s", miniport->configuration->file, line,
                                  what);
}

/* The number that a value stands for, now that BARs have addresses. */
static bool number_of(struct vidmm_miniport *miniport, const struct vidmm_miniport_value *value,
                      uint64_t *number)
{
    uint64_t address;

    *number = value->number;
    if (!value->of_bar)
        return true;
    address = vidmm_slot_bar_address(miniport->slot, value->bar);
    if (address == 0)
        return wrong_line(miniport, value->line, "the device has no BAR of this number");
    *number += address;
    return true;
}

static bool give_config(struct vidmm_miniport *miniport)
{
    const struct vidmm_miniport_configuration *c = miniport->configuration;
    uint64_t number;

    give_capabilities(miniport);
    for (uint32_t i = 0; i < c->config_count; i++) {
        if (!number_of(miniport, &c->config[i], &number))
            return false;
        give_word(miniport, c->config[i].offset, c->config[i].bytes, number);
    }
    return true;
}

/* ---- a device that nobody has modelled ---- */

static bool read_register(void *device, unsigned region, uint64_t offset, void *buffer,
                          uint32_t length)
{
    const struct vidmm_miniport *miniport = device;

    memcpy(buffer, miniport->registers[region] + offset, length);
    return true;
}

static bool write_register(void *device, unsigned region, uint64_t offset, const void *buffer,
                           uint32_t length)
{
    const struct vidmm_miniport *miniport = device;

    memcpy(miniport->registers[region] + offset, buffer, length);
    return true;
}

static bool make_bar(struct vidmm_miniport *miniport, unsigned bar)
{
    const struct vidmm_bus *bus = vidmm_slot_bus(miniport->slot);
    uint64_t size = miniport->configuration->bars[bar].size, address;

    if (miniport->configuration->bars[bar].narrow)
        bus->use_32_bits(bus->context, bar);
    switch (miniport->configuration->bars[bar].kind) {
    case VIDMM_BAR_MEMORY:
        miniport->space[COMMAND] |= DECODES_MEMORY;
        return bus->add_memory(bus->context, bar, size, &address) ||
               vidmm_miniport_problem(miniport, "bar %u: no memory of %llu bytes", bar,
                                      (unsigned long long)size);
    case VIDMM_BAR_REGISTERS:
    case VIDMM_BAR_PORTS:
        miniport->registers[bar] = calloc(1, size);
        miniport->model.registers[bar].size = size;
        miniport->model.registers[bar].ports =
            miniport->configuration->bars[bar].kind == VIDMM_BAR_PORTS;
        miniport->space[COMMAND] |=
            miniport->model.registers[bar].ports ? DECODES_PORTS : DECODES_MEMORY;
        return miniport->registers[bar] != NULL || vidmm_miniport_problem(miniport, "no memory");
    default:
        return true;
    }
}

static bool make_plain_device(struct vidmm_miniport *miniport)
{
    miniport->model = (struct vidmm_device_model){.device = miniport,
                                                  .vendor_id = miniport->configuration->vendor_id,
                                                  .device_id = miniport->configuration->device_id,
                                                  .read_config = read_config,
                                                  .write_config = write_config,
                                                  .read_register = read_register,
                                                  .write_register = write_register};
    memset(miniport->given, 0xFF, sizeof(miniport->given)); /* D2 */
    miniport->space[COMMAND] = IS_MASTER;
    miniport->space[CLASS] = DISPLAY_CLASS;
    for (unsigned bar = 0; bar < VIDMM_BUS_REGIONS; bar++)
        if (!make_bar(miniport, bar))
            return false;
    return true;
}

/* fit() of configuration.c has seen that they are in their BARs, unless a plug-in was named that
 * has no device. */
static bool give_registers(struct vidmm_miniport *miniport)
{
    const struct vidmm_miniport_configuration *c = miniport->configuration;
    uint64_t number;

    for (uint32_t i = 0; i < c->register_count; i++) {
        const struct vidmm_miniport_value *value = &c->registers[i];
        uint64_t size = miniport->model.registers[value->region].size;

        if (value->bytes > size || value->offset > size - value->bytes)
            return wrong_line(miniport, value->line, "register: the BAR has no such register");
        if (!number_of(miniport, value, &number))
            return false;
        memcpy(miniport->registers[value->region] + value->offset, &number, value->bytes);
    }
    return true;
}

/* ---- a plug-in's ---- */

static bool plugins_read(void *device, unsigned region, uint64_t offset, void *buffer,
                         uint32_t length)
{
    const struct vidmm_device_model *plugins = &((struct vidmm_miniport *)device)->plugins;

    return plugins->read_register(plugins->device, region, offset, buffer, length);
}

static bool plugins_write(void *device, unsigned region, uint64_t offset, const void *buffer,
                          uint32_t length)
{
    const struct vidmm_device_model *plugins = &((struct vidmm_miniport *)device)->plugins;

    return plugins->write_register(plugins->device, region, offset, buffer, length);
}

static bool make_plugins_device(struct vidmm_miniport *miniport)
{
    const struct vidmm_miniport_configuration *c = miniport->configuration;
    struct vidmm_device_model *model = &miniport->model;
    char error[VIDMM_PLUGGED_ERROR] = "", bars[200];

    if (c->bars_given)
        return wrong_line(miniport, c->bar_line, "bar: the BARs are those of the plug-in's device");
    if (c->register_count > 0)
        return wrong_line(miniport, c->registers[0].line,
                          "register: the registers are those of the plug-in's device");
    miniport->attached = vidmm_plugged_attach(miniport->plugin, vidmm_slot_bus(miniport->slot),
                                              c->plugin_text, &miniport->plugins, error);
    /* Before the plug-in's own words: it may not know why it got no memory. */
    if (!vidmm_bars_judge(miniport->slot, &miniport->plugins, bars, sizeof(bars)))
        return vidmm_miniport_problem(miniport, "the plug-in's device: %s", bars);
    if (!miniport->attached)
        return vidmm_miniport_problem(miniport, "the plug-in's device: %s", error);
    *model = miniport->plugins;
    model->device = miniport;
    model->read_config = read_config;
    model->write_config = write_config;
    model->read_register = miniport->plugins.read_register ? plugins_read : NULL;
    model->write_register = miniport->plugins.write_register ? plugins_write : NULL;
    if (c->device_given) {
        model->vendor_id = c->vendor_id;
        model->device_id = c->device_id;
    }
    return true;
}

/* ---- both ---- */

bool vidmm_miniport_device_make(struct vidmm_miniport *miniport)
{
    bool plugins = miniport->plugin && miniport->plugin->attach;

    if (!(plugins ? make_plugins_device(miniport) : make_plain_device(miniport)))
        return false;
    miniport->plugged = vidmm_slot_plug(miniport->slot, &miniport->model);
    return miniport->plugged && give_config(miniport) && (plugins || give_registers(miniport));
}

void vidmm_miniport_device_unmake(struct vidmm_miniport *miniport)
{
    if (miniport->plugged)
        vidmm_slot_unplug(miniport->slot);
    if (miniport->attached && miniport->plugin->detach)
        miniport->plugin->detach(&miniport->plugins);
    for (unsigned bar = 0; bar < VIDMM_BUS_REGIONS; bar++)
        free(miniport->registers[bar]);
}

char *vidmm_miniport_device_text(const struct vidmm_miniport *miniport)
{
    const char *kernel = miniport->configuration->kernel;
    unsigned vendor = miniport->model.vendor_id, device = miniport->model.device_id;
    char *text = NULL;

    if (strstr(kernel, "property 1 "))
        return strdup(kernel);
    return asprintf(&text,
                    "%s\nproperty 1 \"PCI\\VEN_%04X&DEV_%04X&REV_00\"\n"
                    "property 1 \"PCI\\VEN_%04X&DEV_%04X\"\n",
                    kernel, vendor, device, vendor, device) < 0
               ? NULL
               : text;
}
