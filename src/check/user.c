/* user.c: private data for allocations. */
#include "check/user.h"

#include "miniport/configuration.h"
#include "check/display.h"
#include "miniport/plugged.h"

#include <string.h>

#include <wddm/ntstatus.h>

/* A surface of about `size` bytes, in rows of 1024 pixels. */
static bool describe_standard(const struct vidmm_user *user, uint64_t size,
                              D3DKMDT_STANDARDALLOCATION_TYPE type, uint8_t *data,
                              uint32_t *data_size)
{
    D3DKMDT_SHADOWSURFACEDATA shadow = {.Width = size < 4096 ? 64 : 1024,
                                        .Format = D3DDDIFMT_A8R8G8B8};
    D3DKMDT_STAGINGSURFACEDATA staging = {.Width = shadow.Width};
    D3DKMDT_SHAREDPRIMARYSURFACEDATA primary = {.Width = VIDMM_DISPLAY_WIDTH,
                                                .Height = VIDMM_DISPLAY_HEIGHT,
                                                .Format = D3DDDIFMT_A8R8G8B8,
                                                .RefreshRate = {60, 1}};
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arguments;
    uint8_t resource[VIDMM_USER_PRIVATE];
    PDXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA call =
        user->driver->DxgkDdiGetStandardAllocationDriverData;

    if (!call)
        return false;
    shadow.Height = staging.Height = (UINT)((size + shadow.Width * 4 - 1) / (shadow.Width * 4));
    memset(&arguments, 0, sizeof(arguments));
    arguments.StandardAllocationType = type;
    arguments.pCreateShadowSurfaceData = &shadow;
    if (type == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE)
        arguments.pCreateStagingSurfaceData = &staging;
    if (type == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE)
        arguments.pCreateSharedPrimarySurfaceData = &primary;
    if (call(user->adapter, &arguments) != STATUS_SUCCESS ||
        arguments.AllocationPrivateDriverDataSize > VIDMM_USER_PRIVATE ||
        arguments.ResourcePrivateDriverDataSize > sizeof(resource))
        return false;
    *data_size = arguments.AllocationPrivateDriverDataSize;
    arguments.pAllocationPrivateDriverData = data;
    arguments.pResourcePrivateDriverData = resource;
    return call(user->adapter, &arguments) == STATUS_SUCCESS;
}

bool vidmm_user_describe(const struct vidmm_user *user, enum vidmm_user_source source,
                         const struct vidmm_plugin_wish *wish, uint8_t *data, uint32_t *data_size)
{
    memset(data, 0, VIDMM_USER_PRIVATE);
    *data_size = 0;
    switch (source) {
    case VIDMM_USER_PLUGIN:
        if (user->plugin && user->plugin->describe)
            *data_size = vidmm_plugged_describe(user->plugin, wish, data, VIDMM_USER_PRIVATE);
        return *data_size > 0;
    case VIDMM_USER_CONFIGURED:
        *data_size = user->habits->private_size;
        memcpy(data, user->habits->private_data, *data_size);
        return *data_size > 0;
    case VIDMM_USER_SHADOW:
        return describe_standard(user, wish->size, D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE, data,
                                 data_size);
    case VIDMM_USER_STAGING:
        return describe_standard(user, wish->size, D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE, data,
                                 data_size);
    case VIDMM_USER_PRIMARY:
        return describe_standard(user, wish->size, D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE,
                                 data, data_size);
    default:
        return true;
    }
}
