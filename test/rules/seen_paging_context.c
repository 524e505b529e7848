/* seen_paging_context.c: paging-context.def broken, and answered. */
#include "rules_rig.h"

static DXGKDDI_START_DEVICE *start_really;
static DXGKDDI_CREATECONTEXT *create_really;
static DXGKRNL_INTERFACE kernel;
static bool names_context; /* with SharedAcrossContexts */
static HANDLE allocation;
static NTSTATUS answer;

static NTSTATUS start_and_remember(PVOID context, PDXGK_START_INFO info, PDXGKRNL_INTERFACE table,
                                   PULONG sources, PULONG children)
{
    kernel = *table;
    return start_really(context, info, table, sources, children);
}

/* The driver wants one for all contexts of its device, and asks when the first comes. */
static NTSTATUS create_and_ask(HANDLE device, DXGKARG_CREATECONTEXT *create)
{
    DXGKARGCB_CREATECONTEXTALLOCATION request;

    if (!create->Flags.SystemContext && allocation == NULL) {
        memset(&request, 0, sizeof(request));
        request.ContextAllocationFlags.SharedAcrossContexts = 1;
        request.hAdapter = kernel.DeviceHandle;
        request.hDevice = *(HANDLE *)device; /* the handle that DxgkDdiCreateDevice was given */
        request.hContext = names_context ? create->hContext : NULL;
        request.hDriverAllocation = &allocation;
        request.Size = 8192;
        request.SupportedSegmentSet = 2;
        answer = kernel.DxgkCbCreateContextAllocation(&request);
        allocation = request.hAllocation;
        return create_really(((HANDLE *)device)[1], create);
    }
    return create_really(((HANDLE *)device)[1], create);
}

static DXGKDDI_CREATEDEVICE *create_device_really;
static DXGKDDI_DESTROYDEVICE *destroy_device_really;
static HANDLE devices[4][2]; /* the kernel's handle, the driver's own */
static unsigned device_count;

static NTSTATUS create_device(HANDLE adapter, DXGKARG_CREATEDEVICE *create)
{
    HANDLE *device = devices[device_count++];
    NTSTATUS status;

    device[0] = create->hDevice;
    status = create_device_really(adapter, create);
    device[1] = create->hDevice;
    create->hDevice = device;
    return status;
}

static NTSTATUS destroy_device(HANDLE handle)
{
    return destroy_device_really(((HANDLE *)handle)[1]);
}

static void bend(DRIVER_INITIALIZATION_DATA *driver)
{
    start_really = driver->DxgkDdiStartDevice;
    create_really = driver->DxgkDdiCreateContext;
    create_device_really = driver->DxgkDdiCreateDevice;
    destroy_device_really = driver->DxgkDdiDestroyDevice;
    driver->DxgkDdiStartDevice = start_and_remember;
    driver->DxgkDdiCreateContext = create_and_ask;
    driver->DxgkDdiCreateDevice = create_device;
    driver->DxgkDdiDestroyDevice = destroy_device;
    allocation = NULL;
    device_count = 0;
}

static void ask(bool names, bool strict, NTSTATUS expected, uint64_t found)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    options.adapter.strict = strict;
    names_context = names;
    shown_init(&shown, &options, bend);
    assert_int_equal(answer, expected);
    assert_int_equal(allocation != NULL, expected == STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, "D-139"), found);
    if (allocation != NULL)
        assert_int_equal(kernel.DxgkCbDestroyContextAllocation(kernel.DeviceHandle, allocation),
                         STATUS_SUCCESS);
    shown_end(&shown);
}

void breaks_D_139(void **state)
{
    (void)state;
    ask(true, false, STATUS_SUCCESS, 1);          /* told, and the context is passed over */
    ask(true, true, STATUS_INVALID_PARAMETER, 0); /* refused instead */
}

void keeps_D_139(void **state)
{
    (void)state;
    ask(false, false, STATUS_SUCCESS, 0);
    ask(false, true, STATUS_SUCCESS, 0);
}
