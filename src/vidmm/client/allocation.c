/* allocation.c: create an allocation that belongs to no resource.
 *
 * Source: D3DDDICB_ALLOCATE; rules D-046 to D-053.
 */
#include <vidmm/adapter.h>
#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/group.h"
#include "vidmm/object/device.h"
#include "vidmm/object/report.h"

static NTSTATUS create(struct vidmm_device *device, const struct vidmm_description *description,
                       struct vidmm_allocation **result, struct vidmm_report *report)
{
    struct vidmm_allocation *allocation = NULL;
    const struct vidmm_group group = {.device = device,
                                      .descriptions = description,
                                      .count = 1,
                                      .allocations = &allocation,
                                      .report = report};
    NTSTATUS status;

    if (vidmm_report_null(result, "allocation", report) ||
        vidmm_report_lacking(description->private_data, description->private_data_size,
                             "private_data", report))
        return STATUS_INVALID_PARAMETER;
    status = vidmm_group_check_model(device->adapter, report);
    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_group_create(&group);
    if (status == STATUS_SUCCESS)
        *result = allocation;
    return vidmm_group_explain(device, status, report);
}

NTSTATUS vidmm_allocation_create(struct vidmm_device *device, const void *private_data,
                                 uint32_t private_data_size, struct vidmm_allocation **allocation,
                                 struct vidmm_report *report)
{
    return vidmm_allocation_create_over(device, private_data, private_data_size, NULL, 0,
                                        allocation, report);
}

NTSTATUS vidmm_allocation_create_over(struct vidmm_device *device, const void *private_data,
                                      uint32_t private_data_size, void *address, uint64_t size,
                                      struct vidmm_allocation **allocation,
                                      struct vidmm_report *report)
{
    const struct vidmm_description description = {.private_data = private_data,
                                                  .private_data_size = private_data_size,
                                                  .vidpn_source = VIDMM_NO_SOURCE,
                                                  .address = address,
                                                  .size = size};

    return create(device, &description, allocation, report);
}
