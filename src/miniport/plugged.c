/* plugged.c: each buffer that a plug-in is given has a guard behind it. */
#include "miniport/plugged.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 256, GUARD_BYTE = 0xA5 };

static struct {
    void (*failed)(void *argument, const char *text);
    void *argument;
} owner;

void vidmm_plugged_use(void (*failed)(void *argument, const char *text), void *argument)
{
    owner.failed = failed;
    owner.argument = argument;
}

__attribute__((format(printf, 1, 2))) static _Noreturn void fail(const char *format, ...)
{
    char text[200];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    owner.failed(owner.argument, text);
    abort();
}

/* A copy of the buffer, with a guard; aligned as malloc() aligns. */
static uint8_t *guarded(const void *data, uint32_t room)
{
    uint8_t *copy = malloc((size_t)room + GUARD);

    if (!copy)
        fail("no memory");
    memcpy(copy, data, room);
    memset(copy + room, GUARD_BYTE, GUARD);
    return copy;
}

/* Bring back what was written, if it was in its place. */
static void bring_back(uint8_t *copy, void *data, uint32_t room, const char *function)
{
    for (unsigned i = 0; i < GUARD; i++)
        if (copy[room + i] != GUARD_BYTE)
            fail("the plug-in failed: %s wrote past the %u bytes that it has", function, room);
    memcpy(data, copy, room);
    free(copy);
}

static uint32_t sized(uint32_t size, uint32_t room, const char *function)
{
    if (size <= room)
        return size;
    fail("the plug-in failed: %s answered %u bytes; it has room for %u", function, size, room);
}

bool vidmm_plugged_attach(const struct vidmm_plugin *plugin, const struct vidmm_bus *bus,
                          const char *text, struct vidmm_device_model *model, char *error)
{
    uint8_t *copy = guarded(error, VIDMM_PLUGGED_ERROR);
    bool attached = plugin->attach(bus, text, model, (char *)copy);

    bring_back(copy, error, VIDMM_PLUGGED_ERROR, "attach");
    error[VIDMM_PLUGGED_ERROR - 1] = 0;
    return attached;
}

uint32_t vidmm_plugged_describe(const struct vidmm_plugin *plugin,
                                const struct vidmm_plugin_wish *wish, void *data, uint32_t room)
{
    uint8_t *copy = guarded(data, room);
    uint32_t size = plugin->describe(wish, copy, room);

    bring_back(copy, data, room, "describe");
    return sized(size, room, "describe");
}

uint32_t vidmm_plugged_command(const struct vidmm_plugin *plugin,
                               const struct vidmm_plugin_use *uses, uint32_t count, void *data,
                               uint32_t room)
{
    uint8_t *copy = guarded(data, room);
    uint32_t size = plugin->command(uses, count, copy, room);

    bring_back(copy, data, room, "command");
    return sized(size, room, "command");
}

uint32_t vidmm_plugged_copy(const struct vidmm_plugin *plugin, uint64_t to, uint64_t from,
                            uint64_t size, void *data, uint32_t room)
{
    uint8_t *copy = guarded(data, room);
    uint32_t written = plugin->copy(to, from, size, copy, room);

    bring_back(copy, data, room, "copy");
    return sized(written, room, "copy");
}
