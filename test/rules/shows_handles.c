/* shows_handles.c: handles.def, obeyed. */
#include "flag_words.h"
#include "rules_rig.h"

static PDXGKDDI_START_DEVICE start_device;
static DXGKRNL_INTERFACE kernel;
static DXGKDDI_OPENALLOCATIONINFO *open_allocation;
static D3DKMT_HANDLE opened;   /* the handle of the last opening */
static HANDLE device_specific; /* the driver's data for it */
static PVOID during;           /* the object behind the handle while it was being opened */

static NTSTATUS start_and_keep(void *context, DXGK_START_INFO *info, DXGKRNL_INTERFACE *interface,
                               ULONG *sources, ULONG *children)
{
    kernel = *interface;
    return start_device(context, info, interface, sources, children);
}

static PVOID data_of(D3DKMT_HANDLE handle, DXGK_HANDLE_TYPE type, bool specific)
{
    DXGKARGCB_GETHANDLEDATA arguments = {.hObject = handle, .Type = type};

    arguments.Flags.DeviceSpecific = specific;
    return kernel.DxgkCbGetHandleData(&arguments);
}

static NTSTATUS open_and_ask(HANDLE device, const DXGKARG_OPENALLOCATION *arguments)
{
    NTSTATUS status = open_allocation(device, arguments);

    opened = arguments->pOpenAllocation->hAllocation;
    device_specific = arguments->pOpenAllocation->hDeviceSpecificAllocation;
    during = data_of(opened, DXGK_HANDLE_ALLOCATION, false);
    return status;
}

static void bend(DRIVER_INITIALIZATION_DATA *driver)
{
    start_device = driver->DxgkDdiStartDevice;
    driver->DxgkDdiStartDevice = start_and_keep;
    open_allocation = driver->DxgkDdiOpenAllocation;
    driver->DxgkDdiOpenAllocation = open_and_ask;
}

void shows_D_384(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation allocation;
    struct shown shown;
    DXGKARG_DESTROYALLOCATION destroyed;
    HANDLE attached;
    size_t at;

    (void)state;
    shown_init(&shown, &options, bend);
    assert_int_equal(rig_create(&shown.rig, &allocation, VIDMM_PAGE_SIZE, 2, CPU_VISIBLE),
                     STATUS_SUCCESS);
    attached = data_of(opened, DXGK_HANDLE_ALLOCATION, false);
    assert_non_null(attached);
    assert_ptr_equal(during, attached);
    assert_ptr_equal(data_of(opened, DXGK_HANDLE_ALLOCATION, true), device_specific);
    assert_ptr_not_equal(attached, device_specific);
    assert_null(data_of(opened, DXGK_HANDLE_RESOURCE, true)); /* the flag is for allocations */
    assert_null(data_of(opened, DXGK_HANDLE_RESOURCE, false));
    assert_null(data_of(opened + 1, DXGK_HANDLE_ALLOCATION, false)); /* nobody's */
    assert_null(data_of(0, DXGK_HANDLE_ALLOCATION, false));
    vidmm_allocation_destroy(allocation.handle);
    shown_settle(&shown);
    assert_null(data_of(opened, DXGK_HANDLE_ALLOCATION, false));
    at = shown_next(&shown, 0, VIDMM_DDI_DESTROY_ALLOCATION);
    assert_int_not_equal(at, SIZE_MAX); /* and it is what was attached that is destroyed */
    destroyed = shown.calls[at].argument.destroy;
    assert_int_equal(destroyed.NumAllocations, 1);
    shown_finish(&shown);
}
