/* plugin.c: the words of the user-mode driver, for `vidmm check` and `vidmm replay`. */
#include <vidmm/plugin.h>

#include "courier_umd.h"

/* An allocation of some bytes is a surface of as many rows of a page. */
static uint32_t describe(const struct vidmm_plugin_wish *wish, void *data, uint32_t room)
{
    struct CourierSurface *surface = data;

    if (room < sizeof(*surface))
        return 0;
    surface->Width = 1024;
    surface->Height = (uint32_t)((wish->size + 4095) / 4096);
    return sizeof(*surface);
}

/* Commands that change nothing: read what the submission uses. */
static uint32_t command(const struct vidmm_plugin_use *uses, uint32_t count, void *data,
                        uint32_t room)
{
    struct CourierRequest *request = data;
    uint32_t most = room / (uint32_t)sizeof(*request);

    count = count < most ? count : most;
    for (uint32_t i = 0; i < count; i++)
        request[i] = (struct CourierRequest){
            .Kind = COURIER_READ, .Source = uses[i].index, .Size = uses[i].size};
    return count * (uint32_t)sizeof(*request);
}

const struct vidmm_plugin vidmm_plugin = {
    .version = VIDMM_PLUGIN_VERSION, .name = "courier", .describe = describe, .command = command};
