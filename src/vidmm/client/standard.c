/* standard.c: allocations that the system wants for itself: shared primary, shadow, staging,
 * GDI surface.
 *
 * The driver describes them in two calls: for the sizes of its private data, and then for the data,
 * which go to DxgkDdiCreateAllocation unchanged.
 *
 * Source: DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA; rules D-377 to D-383, D-057.
 */
#include "vidmm/object/seen.h"

#include "wddm/level.h"

/* What the union of the argument points to. */
union surface {
    D3DKMDT_SHAREDPRIMARYSURFACEDATA primary;
    D3DKMDT_SHADOWSURFACEDATA shadow;
    D3DKMDT_STAGINGSURFACEDATA staging;
    D3DKMDT_GDISURFACEDATA gdi;
};

static NTSTATUS check(const struct vidmm_adapter *adapter, const struct vidmm_standard *standard,
                      struct vidmm_report *report)
{
    int newest = adapter->level >= VIDMM_LEVEL(1, 1) ? D3DKMDT_STANDARDALLOCATION_GDISURFACE
                                                     : D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE;

    if (!adapter->driver.DxgkDdiGetStandardAllocationDriverData) {
        return vidmm_allocation_refuse(report, STATUS_NOT_SUPPORTED,
                                       "the driver has no DxgkDdiGetStandardAllocationDriverData",
                                       0);
    }
    if ((int)standard->type < D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE ||
        (int)standard->type > newest) {
        return vidmm_allocation_refuse(report, STATUS_INVALID_PARAMETER,
                                       "type: 1 to 3, and 4 from WDDM 1.1 on (D-380)",
                                       (uint64_t)standard->type);
    }
    if (standard->width == 0 || standard->width > 65535) {
        return vidmm_allocation_refuse(report, STATUS_INVALID_PARAMETER, "width: 1 to 65535 pixels",
                                       standard->width);
    }
    if (standard->height == 0 || standard->height > 65535) {
        return vidmm_allocation_refuse(report, STATUS_INVALID_PARAMETER,
                                       "height: 1 to 65535 pixels", standard->height);
    }
    if (standard->type == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE &&
        standard->format != D3DDDIFMT_X8R8G8B8) {
        return vidmm_allocation_refuse(report, STATUS_INVALID_PARAMETER,
                                       "format: a staging surface is D3DDDIFMT_X8R8G8B8 (D-382)",
                                       (uint64_t)standard->format); /* obeys D-382 */
    }
    return STATUS_SUCCESS;
}

static void describe(const struct vidmm_standard *standard, union surface *surface,
                     DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *arguments)
{
    arguments->StandardAllocationType = standard->type;
    switch (standard->type) {
    case D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE:
        surface->primary.Width = standard->width;
        surface->primary.Height = standard->height;
        surface->primary.Format = standard->format;
        surface->primary.VidPnSourceId = standard->vidpn_source;
        surface->primary.RefreshRate.Numerator = 60;
        surface->primary.RefreshRate.Denominator = 1;
        arguments->pCreateSharedPrimarySurfaceData = &surface->primary;
        break;
    case D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE:
        surface->shadow.Width = standard->width;
        surface->shadow.Height = standard->height;
        surface->shadow.Format = standard->format;
        arguments->pCreateShadowSurfaceData = &surface->shadow;
        break;
    case D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE:
        surface->staging.Width = standard->width;
        surface->staging.Height = standard->height;
        arguments->pCreateStagingSurfaceData = &surface->staging;
        break;
    default:
        surface->gdi.Width = standard->width;
        surface->gdi.Height = standard->height;
        surface->gdi.Format = standard->format;
        surface->gdi.Type = D3DKMDT_GDISURFACE_TEXTURE;
        arguments->pCreateGdiSurfaceData = &surface->gdi;
        break;
    }
}

static uint32_t pitch_of(const struct vidmm_standard *standard, const union surface *surface)
{
    switch (standard->type) {
    case D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE:
        return 0;
    case D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE:
        return surface->shadow.Pitch;
    case D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE:
        return surface->staging.Pitch;
    default:
        return surface->gdi.Pitch;
    }
}

VIDMM_SEES(D_379);
static NTSTATUS ask(struct vidmm_device *device, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *arguments,
                    struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_inside inside;
    NTSTATUS status;

    vidmm_turn_begin(adapter, device->process, &inside);
    status = adapter->driver.DxgkDdiGetStandardAllocationDriverData(adapter->h_adapter, arguments);
    vidmm_turn_end(&inside);
    if (status == STATUS_SUCCESS)
        return status;
    if (status != STATUS_NO_MEMORY) {
        vidmm_seen(adapter, VIDMM_RULE_D_379, "status of DxgkDdiGetStandardAllocationDriverData",
                   (uint32_t)status);
    }
    return vidmm_allocation_refuse(report, STATUS_NO_MEMORY,
                                   "status of DxgkDdiGetStandardAllocationDriverData: the driver "
                                   "would not describe it (D-379)",
                                   (uint32_t)status);
}

static bool are_alike(const union surface *a, const union surface *b)
{
    const uint8_t *left = (const uint8_t *)a, *right = (const uint8_t *)b;
    size_t index = 0;

    while (index < sizeof(*a) && left[index] == right[index])
        index++;
    return index == sizeof(*a);
}

/* The sizes of the driver's private data. */
VIDMM_SEES(D_057);
static NTSTATUS ask_sizes(struct vidmm_device *device, union surface *surface,
                          DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *arguments,
                          struct vidmm_report *report)
{
    union surface before = *surface;
    NTSTATUS status = ask(device, arguments, report);

    if (status != STATUS_SUCCESS)
        return status;
    if (!are_alike(&before, surface)) {
        vidmm_seen(device->adapter, VIDMM_RULE_D_057, "StandardAllocationType",
                   (uint64_t)arguments->StandardAllocationType);
        *surface = before;
    }
    if (arguments->AllocationPrivateDriverDataSize == 0 &&
        arguments->ResourcePrivateDriverDataSize == 0) {
        return vidmm_allocation_refuse(report, STATUS_INVALID_PARAMETER,
                                       "sizes of private data: one of the two is not 0 (D-057)", 0);
    }
    return STATUS_SUCCESS;
}

static uint32_t bytes_of_pixel(D3DDDIFORMAT format)
{
    switch ((int)format) {
    case D3DDDIFMT_A8R8G8B8:
    case D3DDDIFMT_X8R8G8B8:
        return 4;
    case D3DDDIFMT_R8G8B8:
        return 3;
    case D3DDDIFMT_R5G6B5:
    case D3DDDIFMT_X1R5G5B5:
    case D3DDDIFMT_A1R5G5B5:
        return 2;
    default:
        return 1; /* what every format has at least */
    }
}

VIDMM_SEES(D_381);
static void check_pitch(struct vidmm_adapter *adapter, const struct vidmm_standard *standard,
                        uint32_t pitch)
{
    if (standard->type != D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE &&
        standard->type != D3DKMDT_STANDARDALLOCATION_GDISURFACE &&
        pitch < standard->width * bytes_of_pixel(standard->format))
        vidmm_seen(adapter, VIDMM_RULE_D_381, "Pitch", pitch);
}

static NTSTATUS create(struct vidmm_device *device, const struct vidmm_standard *standard,
                       const DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *arguments,
                       struct vidmm_resource **resource, struct vidmm_allocation **allocation,
                       struct vidmm_report *report)
{
    bool primary = standard->type == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE;
    const struct vidmm_resource_options options = {
        .private_data = arguments->pResourcePrivateDriverData, /* obeys D-378 */
        .private_data_size = arguments->ResourcePrivateDriverDataSize,
        .shared = primary,
    };
    const struct vidmm_description description = {
        .private_data = arguments->pAllocationPrivateDriverData,
        .private_data_size = arguments->AllocationPrivateDriverDataSize,
        .vidpn_source = primary ? standard->vidpn_source : VIDMM_NO_SOURCE,
        .primary = primary,
    };

    return vidmm_resource_create(device, &options, &description, 1, resource, allocation, report);
}

NTSTATUS vidmm_standard_create(struct vidmm_device *device, const struct vidmm_standard *standard,
                               struct vidmm_resource **resource,
                               struct vidmm_allocation **allocation, uint32_t *pitch,
                               struct vidmm_report *report)
{
    const struct vidmm_host *host = device->adapter->host;
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arguments;
    union surface surface;
    uint8_t *data = NULL;
    NTSTATUS status;

    vidmm_report_begin(report);
    memset(&arguments, 0, sizeof(arguments));
    memset(&surface, 0, sizeof(surface));
    status = check(device->adapter, standard, report);
    if (status != STATUS_SUCCESS)
        return status;
    describe(standard, &surface, &arguments);
    status = ask_sizes(device, &surface, &arguments, report); /* obeys D-377 */
    if (status != STATUS_SUCCESS)
        return status;
    data = vidmm_allocate(host, (size_t)arguments.AllocationPrivateDriverDataSize +
                                    arguments.ResourcePrivateDriverDataSize);
    if (!data) {
        return vidmm_allocation_refuse(report, STATUS_NO_MEMORY, "no memory for private data",
                                       arguments.AllocationPrivateDriverDataSize);
    }
    arguments.pAllocationPrivateDriverData = data;
    arguments.pResourcePrivateDriverData = data + arguments.AllocationPrivateDriverDataSize;
    status = ask(device, &arguments, report);
    if (status == STATUS_SUCCESS) {
        check_pitch(device->adapter, standard, pitch_of(standard, &surface));
        status = create(device, standard, &arguments, resource, allocation, report);
    }
    if (status == STATUS_SUCCESS && pitch)
        *pitch = pitch_of(standard, &surface);
    vidmm_free(host, data);
    return status;
}
