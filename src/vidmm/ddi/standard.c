/* standard.c: DxgkDdiGetStandardAllocationDriverData.
 *
 * The driver describes an allocation in two calls: for the sizes of its private data, and then for
 * the data.
 *
 * Source: DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA; rules D-377, D-379, D-381, D-057.
 */
#include "vidmm/ddi/standard.h"

#include <string.h>

#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/turn.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen.h"

#include "base/assert.h"
#include "wddm/rule.h"

/* The structures that the union of the argument points to. */
union surface {
    D3DKMDT_SHAREDPRIMARYSURFACEDATA primary;
    D3DKMDT_SHADOWSURFACEDATA shadow;
    D3DKMDT_STAGINGSURFACEDATA staging;
    D3DKMDT_GDISURFACEDATA gdi;
    D3DKMDT_VIRTUALGPUSURFACEDATA virtual_gpu;
};

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
    case D3DKMDT_STANDARDALLOCATION_GDISURFACE:
        surface->gdi.Width = standard->width;
        surface->gdi.Height = standard->height;
        surface->gdi.Format = standard->format;
        surface->gdi.Type = standard->gdi != D3DKMDT_GDISURFACE_INVALID
                                ? standard->gdi
                                : D3DKMDT_GDISURFACE_TEXTURE;
        arguments->pCreateGdiSurfaceData = &surface->gdi;
        break;
    case D3DKMDT_STANDARDALLOCATION_VGPU:
        surface->virtual_gpu.Size = standard->size;
        surface->virtual_gpu.Alignment = standard->alignment;
        surface->virtual_gpu.DriverSegmentId = standard->driver_segment;
        surface->virtual_gpu.PrivateDriverData = standard->driver_data;
        arguments->pCreateVirtualGpuSurfaceData = &surface->virtual_gpu;
        break;
    case D3DKMDT_STANDARDALLOCATION_FENCESTORAGE:
        VIDMM_ASSERT(false); /* client/standard.c has refused it */
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
    case D3DKMDT_STANDARDALLOCATION_GDISURFACE:
        return surface->gdi.Pitch;
    case D3DKMDT_STANDARDALLOCATION_VGPU:
    case D3DKMDT_STANDARDALLOCATION_FENCESTORAGE:
        break;
    }
    return 0;
}

VIDMM_SEES(D_379);
static NTSTATUS ask(struct vidmm_device *device, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *arguments,
                    struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_inside inside;
    NTSTATUS status;

    vidmm_turn_begin(adapter, device->process, &inside);
    status = adapter->miniport->driver.DxgkDdiGetStandardAllocationDriverData(
        adapter->miniport->h_adapter, arguments);
    vidmm_turn_end(&inside);
    if (status == STATUS_SUCCESS)
        return status;
    if (status != STATUS_NO_MEMORY) {
        vidmm_seen(adapter, VIDMM_RULE_D_379, "status of DxgkDdiGetStandardAllocationDriverData",
                   (uint32_t)status);
    }
    vidmm_report_value(report, STATUS_NO_MEMORY,
                       "status of DxgkDdiGetStandardAllocationDriverData: the driver would not "
                       "describe it (D-379)",
                       (uint32_t)status);
    vidmm_report_reason(adapter, report, status);
    return STATUS_NO_MEMORY;
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

    VIDMM_ASSERT(!arguments->pAllocationPrivateDriverData);
    if (status != STATUS_SUCCESS)
        return status;
    if (!are_alike(&before, surface)) {
        vidmm_seen(device->adapter, VIDMM_RULE_D_057, "StandardAllocationType",
                   (uint64_t)arguments->StandardAllocationType);
        *surface = before;
    }
    if (arguments->AllocationPrivateDriverDataSize == 0 &&
        arguments->ResourcePrivateDriverDataSize == 0) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
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
        return 1; /* no format has less */
    }
}

/* Whether the driver answers its pitch. A surface without a format is one row of bytes (D-060), of
 * which no page speaks. */
static bool has_pitch(const struct vidmm_standard *standard)
{
    if (standard->type == D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE ||
        standard->type == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE)
        return true;
    return standard->type == D3DKMDT_STANDARDALLOCATION_GDISURFACE &&
           standard->format != D3DDDIFMT_UNKNOWN &&
           (standard->gdi == D3DKMDT_GDISURFACE_STAGING_CPUVISIBLE ||
            standard->gdi == D3DKMDT_GDISURFACE_EXISTINGSYSMEM ||
            standard->gdi == D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER);
}

VIDMM_SEES(D_381);
static void check_pitch(struct vidmm_adapter *adapter, const struct vidmm_standard *standard,
                        uint32_t pitch)
{
    if (has_pitch(standard) && pitch < standard->width * bytes_of_pixel(standard->format))
        vidmm_seen(adapter, VIDMM_RULE_D_381, "Pitch", pitch);
}

NTSTATUS vidmm_ddi_describe_standard(struct vidmm_device *device,
                                     const struct vidmm_standard *standard,
                                     struct vidmm_standard_data *data, struct vidmm_report *report)
{
    const struct vidmm_host *host = device->adapter->host;
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arguments;
    union surface surface;
    NTSTATUS status;

    memset(&arguments, 0, sizeof(arguments));
    memset(&surface, 0, sizeof(surface));
    describe(standard, &surface, &arguments);
    status = ask_sizes(device, &surface, &arguments, report); /* obeys D-377 */
    if (status != STATUS_SUCCESS)
        return status;
    data->bytes = vidmm_allocate(host, (size_t)arguments.AllocationPrivateDriverDataSize +
                                           arguments.ResourcePrivateDriverDataSize);
    if (!data->bytes) {
        return vidmm_report_value(report, STATUS_NO_MEMORY, "no memory for private data",
                                  arguments.AllocationPrivateDriverDataSize);
    }
    arguments.pAllocationPrivateDriverData = data->bytes;
    arguments.pResourcePrivateDriverData = data->bytes + arguments.AllocationPrivateDriverDataSize;
    status = ask(device, &arguments, report);
    if (status != STATUS_SUCCESS) {
        vidmm_free(host, data->bytes);
        return status;
    }
    data->of_allocation = arguments.pAllocationPrivateDriverData; /* obeys S1-002 */
    data->of_resource = arguments.pResourcePrivateDriverData;
    data->allocation_size = arguments.AllocationPrivateDriverDataSize;
    data->resource_size = arguments.ResourcePrivateDriverDataSize;
    data->pitch = pitch_of(standard, &surface);
    check_pitch(device->adapter, standard, data->pitch);
    return STATUS_SUCCESS;
}

bool vidmm_ddi_describes_standard(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->driver.DxgkDdiGetStandardAllocationDriverData != NULL;
}
