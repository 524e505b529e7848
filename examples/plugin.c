/* plugin.c: the knowledge of a user-mode driver, for `vidmm check`: that of miniports/courier. */
#include <vidmm/plugin.h>

struct surface { /* private data of an allocation, as the driver's own header has it */
    uint32_t width, height;
};

static uint32_t describe(const struct vidmm_plugin_wish *wish, void *data, uint32_t room)
{
    struct surface *surface = data;

    if (room < sizeof(*surface))
        return 0;
    surface->width = 1024;
    surface->height = (uint32_t)((wish->size + 4095) / 4096);
    return sizeof(*surface);
}

const struct vidmm_plugin vidmm_plugin = {
    .version = VIDMM_PLUGIN_VERSION, .name = "mine", .describe = describe};
