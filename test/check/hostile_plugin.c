/* hostile_plugin.c: a plug-in for driver.c that fails in one way: the one that its text names. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vidmm/plugin.h>

#include "../../examples/register_device.h"

static struct register_device device;
static const char *deed = "";

static bool is(const char *name)
{
    return strcmp(deed, name) == 0;
}

static bool attach(const struct vidmm_bus *bus, const char *text, struct vidmm_device_model *model,
                   char *error)
{
    uint64_t address;

    deed = strdup(text);
    register_device_init(&device, bus, model);
    if (is("kills"))
        kill(getppid(), SIGKILL);
    if (is("exits"))
        exit(0);
    if (is("exits_at_once"))
        _exit(0);
    if (is("falls"))
        *(volatile int *)16 = 1;
    if (is("prints"))
        puts("rubbish");
    while (is("hangs"))
        pause();
    while (is("eats"))
        memset(malloc(1 << 20), 1, 1 << 20);
    if (is("long_error")) {
        memset(error, 'x', 300);
        return false;
    }
    if (is("no_end")) {
        memset(error, 'x', 200);
        return false;
    }
    return bus->add_memory(bus->context, 2, UINT64_C(32) << 20, &address);
}

static uint32_t describe(const struct vidmm_plugin_wish *wish, void *data, uint32_t room)
{
    memset(data, 0, room);
    memcpy(data, &wish->size, sizeof(wish->size));
    if (is("writes_past"))
        memset((char *)data + room, 0, 8);
    while (is("hangs_later"))
        pause();
    return is("too_much") ? room + 1 : sizeof(wish->size);
}

static uint32_t command(const struct vidmm_plugin_use *uses, uint32_t count, void *data,
                        uint32_t room)
{
    (void)uses, (void)count;
    if (is("command_past"))
        memset((char *)data + room, 0, 1);
    return is("command_too_much") ? UINT32_MAX : 0;
}

const struct vidmm_plugin vidmm_plugin = {.version = VIDMM_PLUGIN_VERSION,
                                          .name = "hostile",
                                          .attach = attach,
                                          .describe = describe,
                                          .command = command};
