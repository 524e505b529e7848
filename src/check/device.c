/* device.c: the device behind the driver.
 *
 * D1  a bit of config space is answered from `space` where `given` has it, else by the plug-in
 * D2  without a plug-in's device, `given` has all bits
 */
#include "check/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/host.h>

#include "check/bars.h"
#include "check/configuration.h"
#include "check/host.h"
#include "check/plugged.h"
#include "host/machine.h"

enum { COMMAND = 0x04, STATUS = 0x06, CLASS = 0x0B, BARS = 0x10, FIRST_CAPABILITY = 0x34 };
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
    const struct vidmm_check_host *host = device;
    const struct vidmm_device_model *plugins = &host->plugins;
    uint8_t *bytes = buffer;
    bool known = !plugins->read_config;

    memset(buffer, 0, length);
    if (plugins->read_config)
        known = plugins->read_config(plugins->device, offset, buffer, length);
    for (uint32_t i = 0; i < length; i++) { /* D1 */
        if (!known && host->given[offset + i] != 0xFF)
            return false;
        bytes[i] = (uint8_t)((bytes[i] & ~host->given[offset + i]) |
                             (host->space[offset + i] & host->given[offset + i]));
    }
    return true;
}

static bool write_config(void *device, uint32_t offset, const void *buffer, uint32_t length)
{
    struct vidmm_check_host *host = device;
    const struct vidmm_device_model *plugins = &host->plugins;
    const uint8_t *bytes = buffer;
    bool all = true;

    for (uint32_t i = 0; i < length; i++) {
        if (host->given[offset + i] && keeps(offset + i))
            host->space[offset + i] = bytes[i];
        all = all && host->given[offset + i] == 0xFF;
    }
    return all || !plugins->write_config ||
           plugins->write_config(plugins->device, offset, buffer, length);
}

static void give(struct vidmm_check_host *host, uint32_t offset, uint8_t value, uint8_t bits)
{
    host->space[offset] = (uint8_t)((host->space[offset] & ~bits) | (value & bits));
    host->given[offset] |= bits;
}

static void give_word(struct vidmm_check_host *host, uint32_t offset, uint32_t bytes,
                      uint64_t value)
{
    for (uint32_t i = 0; i < bytes; i++)
        give(host, offset + i, (uint8_t)(value >> 8 * i), 0xFF);
}

/* The capabilities, each with the offset of the next, and who points to the first. */
static void give_capabilities(struct vidmm_check_host *host)
{
    const struct vidmm_check_configuration *c = host->configuration;

    for (uint32_t i = 0; i < c->capability_count; i++) {
        const struct vidmm_check_capability *one = &c->capabilities[i], *next = one + 1;
        bool extended = one->offset >= EXTENDED;
        bool linked = i + 1 < c->capability_count && (next->offset >= EXTENDED) == extended;
        uint32_t link = linked ? next->offset : 0, head = extended ? 4 : 2;

        if (extended) /* id, version 1, link */
            give_word(host, one->offset, 4, one->id | 1u << 16 | link << 20);
        else
            give_word(host, one->offset, 2, one->id | link << 8);
        for (uint32_t k = 0; k < one->size; k++)
            give(host, one->offset + head + k, one->data[k], 0xFF);
        if (i == 0 && !extended) {
            give_word(host, FIRST_CAPABILITY, 1, one->offset);
            give(host, STATUS, HAS_LIST, HAS_LIST);
        }
    }
}

/* Say the place of a line of the configuration, for sentences. */
static bool wrong_line(struct vidmm_check_host *host, unsigned line, const char *what)
{
    return vidmm_board_problem(host->board, "%s, line %u: %s", host->configuration->file, line,
                               what);
}

/* The number that a value stands for, now that BARs have addresses. */
static bool number_of(struct vidmm_check_host *host, const struct vidmm_check_value *value,
                      uint64_t *number)
{
    uint64_t bar = 0;

    *number = value->number;
    if (!value->of_bar)
        return true;
    host->host->read_config(host->host->context, BARS + 8 * value->bar, &bar, sizeof(bar));
    if (bar == 0)
        return wrong_line(host, value->line, "the device has no BAR of this number");
    *number += bar & ~(uint64_t)(bar & 1 ? 3 : 15);
    return true;
}

static bool give_config(struct vidmm_check_host *host)
{
    const struct vidmm_check_configuration *c = host->configuration;
    uint64_t number;

    give_capabilities(host);
    for (uint32_t i = 0; i < c->config_count; i++) {
        if (!number_of(host, &c->config[i], &number))
            return false;
        give_word(host, c->config[i].offset, c->config[i].bytes, number);
    }
    return true;
}

/* ---- a device that nobody has modelled ---- */

static bool read_register(void *device, unsigned region, uint64_t offset, void *buffer,
                          uint32_t length)
{
    const struct vidmm_check_host *host = device;

    memcpy(buffer, host->registers[region] + offset, length);
    return true;
}

static bool write_register(void *device, unsigned region, uint64_t offset, const void *buffer,
                           uint32_t length)
{
    const struct vidmm_check_host *host = device;

    memcpy(host->registers[region] + offset, buffer, length);
    return true;
}

static bool make_bar(struct vidmm_check_host *host, unsigned bar)
{
    const struct vidmm_bus *bus = vidmm_slot_bus(host->slot);
    uint64_t size = host->configuration->bars[bar].size, address;

    switch (host->configuration->bars[bar].kind) {
    case VIDMM_BAR_MEMORY:
        host->space[COMMAND] |= DECODES_MEMORY;
        return bus->add_memory(bus->context, bar, size, &address) ||
               vidmm_board_problem(host->board, "bar %u: no memory of %llu bytes", bar,
                                   (unsigned long long)size);
    case VIDMM_BAR_REGISTERS:
    case VIDMM_BAR_PORTS:
        host->registers[bar] = calloc(1, size);
        host->model.registers[bar].size = size;
        host->model.registers[bar].ports = host->configuration->bars[bar].kind == VIDMM_BAR_PORTS;
        host->space[COMMAND] |= host->model.registers[bar].ports ? DECODES_PORTS : DECODES_MEMORY;
        return host->registers[bar] != NULL || vidmm_board_problem(host->board, "no memory");
    default:
        return true;
    }
}

static bool make_plain_device(struct vidmm_check_host *host)
{
    host->model = (struct vidmm_device_model){.device = host,
                                              .vendor_id = host->configuration->vendor_id,
                                              .device_id = host->configuration->device_id,
                                              .read_config = read_config,
                                              .write_config = write_config,
                                              .read_register = read_register,
                                              .write_register = write_register};
    memset(host->given, 0xFF, sizeof(host->given)); /* D2 */
    host->space[COMMAND] = IS_MASTER;
    host->space[CLASS] = DISPLAY_CLASS;
    for (unsigned bar = 0; bar < VIDMM_BUS_REGIONS; bar++)
        if (!make_bar(host, bar))
            return false;
    return true;
}

/* fit() of configuration.c has seen that they are in their BARs, unless a plug-in was named that
 * has no device. */
static bool give_registers(struct vidmm_check_host *host)
{
    const struct vidmm_check_configuration *c = host->configuration;
    uint64_t number;

    for (uint32_t i = 0; i < c->register_count; i++) {
        const struct vidmm_check_value *value = &c->registers[i];
        uint64_t size = host->model.registers[value->region].size;

        if (value->bytes > size || value->offset > size - value->bytes)
            return wrong_line(host, value->line, "register: the BAR has no such register");
        if (!number_of(host, value, &number))
            return false;
        memcpy(host->registers[value->region] + value->offset, &number, value->bytes);
    }
    return true;
}

/* ---- a plug-in's ---- */

static bool plugins_read(void *device, unsigned region, uint64_t offset, void *buffer,
                         uint32_t length)
{
    const struct vidmm_device_model *plugins = &((struct vidmm_check_host *)device)->plugins;

    return plugins->read_register(plugins->device, region, offset, buffer, length);
}

static bool plugins_write(void *device, unsigned region, uint64_t offset, const void *buffer,
                          uint32_t length)
{
    const struct vidmm_device_model *plugins = &((struct vidmm_check_host *)device)->plugins;

    return plugins->write_register(plugins->device, region, offset, buffer, length);
}

static bool make_plugins_device(struct vidmm_check_host *host)
{
    const struct vidmm_check_configuration *c = host->configuration;
    struct vidmm_device_model *model = &host->model;
    char error[VIDMM_PLUGGED_ERROR] = "", bars[200];

    if (c->bars_given)
        return wrong_line(host, c->bar_line, "bar: the BARs are those of the plug-in's device");
    if (c->register_count > 0)
        return wrong_line(host, c->registers[0].line,
                          "register: the registers are those of the plug-in's device");
    host->attached = vidmm_plugged_attach(host->plugin, vidmm_slot_bus(host->slot), c->plugin_text,
                                          &host->plugins, error);
    /* Before the plug-in's own words: it may not know why it got no memory. */
    if (!vidmm_check_bars(host->slot, &host->plugins, bars, sizeof(bars)))
        return vidmm_board_problem(host->board, "the plug-in's device: %s", bars);
    if (!host->attached)
        return vidmm_board_problem(host->board, "the plug-in's device: %s", error);
    *model = host->plugins;
    model->device = host;
    model->read_config = read_config;
    model->write_config = write_config;
    model->read_register = host->plugins.read_register ? plugins_read : NULL;
    model->write_register = host->plugins.write_register ? plugins_write : NULL;
    if (c->device_given) {
        model->vendor_id = c->vendor_id;
        model->device_id = c->device_id;
    }
    return true;
}

/* ---- both ---- */

bool vidmm_check_device_make(struct vidmm_check_host *host)
{
    bool plugins = host->plugin && host->plugin->attach;

    if (!(plugins ? make_plugins_device(host) : make_plain_device(host)))
        return false;
    host->plugged = vidmm_slot_plug(host->slot, &host->model);
    return host->plugged && give_config(host) && (plugins || give_registers(host));
}

void vidmm_check_device_unmake(struct vidmm_check_host *host)
{
    if (host->plugged)
        vidmm_slot_unplug(host->slot);
    if (host->attached && host->plugin->detach)
        host->plugin->detach(&host->plugins);
    for (unsigned bar = 0; bar < VIDMM_BUS_REGIONS; bar++)
        free(host->registers[bar]);
}

char *vidmm_check_device_text(const struct vidmm_check_host *host)
{
    const char *kernel = host->configuration->kernel;
    unsigned vendor = host->model.vendor_id, device = host->model.device_id;
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
