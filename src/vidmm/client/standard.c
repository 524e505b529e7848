/* standard.c: allocations that the system wants for itself: shared primary, shadow, staging,
 * GDI surface, surface of a virtual GPU.
 *
 * The driver describes them (ddi/standard.h), and its data go to DxgkDdiCreateAllocation unchanged.
 *
 * Source: DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA; rules D-377 to D-383, D-057.
 */
#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/standard.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/report.h"

#include "base/assert.h"
#include "wddm/level.h"

/* obeys D-380 */
static int newest_of(const struct vidmm_adapter *adapter)
{
    if (adapter->level >= VIDMM_LEVEL(2, 1))
        return D3DKMDT_STANDARDALLOCATION_VGPU;
    return adapter->level >= VIDMM_LEVEL(1, 1) ? D3DKMDT_STANDARDALLOCATION_GDISURFACE
                                               : D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE;
}

static bool is_gdi_of(const struct vidmm_adapter *adapter, int kind)
{
    return (kind >= D3DKMDT_GDISURFACE_INVALID && kind <= D3DKMDT_GDISURFACE_EXISTINGSYSMEM) ||
           (kind == D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER && adapter->level >= VIDMM_LEVEL(1, 3));
}

static NTSTATUS check_virtual(const struct vidmm_standard *standard, struct vidmm_report *report)
{
    return standard->size != 0
               ? STATUS_SUCCESS
               : vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                    "size: 1 byte of a virtual-GPU surface at least", 0);
}

static NTSTATUS check(const struct vidmm_adapter *adapter, const struct vidmm_standard *standard,
                      struct vidmm_report *report)
{
    int newest = newest_of(adapter);

    if (!vidmm_ddi_describes_standard(adapter)) {
        return vidmm_report_value(report, STATUS_NOT_SUPPORTED,
                                  "the driver has no DxgkDdiGetStandardAllocationDriverData", 0);
    }
    if ((int)standard->type < D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE ||
        (int)standard->type > newest) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "type: 1 to 3, 4 from WDDM 1.1 on, 5 from 2.1 on (D-380)",
                                  (uint64_t)standard->type);
    }
    if (standard->type == D3DKMDT_STANDARDALLOCATION_VGPU)
        return check_virtual(standard, report);
    if (standard->type == D3DKMDT_STANDARDALLOCATION_GDISURFACE &&
        !is_gdi_of(adapter, (int)standard->gdi)) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "gdi: 0 to 5, and 7 from WDDM 1.3 on; others are the system's "
                                  "own (D-381)",
                                  (uint64_t)standard->gdi);
    }
    if (standard->width == 0 || standard->width > 65535) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER, "width: 1 to 65535 pixels",
                                  standard->width);
    }
    if (standard->height == 0 || standard->height > 65535) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER, "height: 1 to 65535 pixels",
                                  standard->height);
    }
    if (standard->type == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE &&
        standard->format != D3DDDIFMT_X8R8G8B8) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "format: a staging surface is D3DDDIFMT_X8R8G8B8 (D-382)",
                                  (uint64_t)standard->format); /* obeys D-382 */
    }
    return STATUS_SUCCESS;
}

static NTSTATUS create(struct vidmm_device *device, const struct vidmm_standard *standard,
                       const struct vidmm_standard_data *data, struct vidmm_resource **resource,
                       struct vidmm_allocation **allocation, struct vidmm_report *report)
{
    bool primary = standard->type == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE;
    bool exists = standard->type == D3DKMDT_STANDARDALLOCATION_GDISURFACE &&
                  standard->gdi == D3DKMDT_GDISURFACE_EXISTINGSYSMEM;
    const struct vidmm_resource_options options = {
        .private_data = data->of_resource, /* obeys D-378 */
        .private_data_size = data->resource_size,
        .shared = primary,
    };
    const struct vidmm_description description = {
        .private_data = data->of_allocation,
        .private_data_size = data->allocation_size,
        .vidpn_source = primary ? standard->vidpn_source : VIDMM_NO_SOURCE,
        .primary = primary,
        .address = exists ? standard->address : NULL,
        .size = exists ? standard->size : 0,
    };

    VIDMM_ASSERT(data->allocation_size > 0 || data->resource_size > 0);
    return vidmm_resource_create(device, &options, &description, 1, resource, allocation, report);
}

NTSTATUS vidmm_standard_create(struct vidmm_device *device, const struct vidmm_standard *standard,
                               struct vidmm_resource **resource,
                               struct vidmm_allocation **allocation, uint32_t *pitch,
                               struct vidmm_report *report)
{
    struct vidmm_standard_data data;
    NTSTATUS status;

    vidmm_report_clear(report);
    if (vidmm_report_null(standard, "standard", report) ||
        vidmm_report_null(resource, "resource", report) ||
        vidmm_report_null(allocation, "allocation", report))
        return STATUS_INVALID_PARAMETER;
    status = check(device->adapter, standard, report);
    if (status == STATUS_SUCCESS)
        status = vidmm_ddi_describe_standard(device, standard, &data, report);
    if (status != STATUS_SUCCESS)
        return status;
    status = create(device, standard, &data, resource, allocation, report);
    if (status == STATUS_SUCCESS && pitch)
        *pitch = data.pitch;
    vidmm_free(device->adapter->host, data.bytes);
    return status;
}
