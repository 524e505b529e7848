/* shows_handles.c: handles.def, obeyed. */
#include "flag_words.h"
#include "together.h"

static PDXGKDDI_START_DEVICE start_device;
static DXGKRNL_INTERFACE kernel;
static DXGKDDI_OPENALLOCATIONINFO *open_allocation;
static D3DKMT_HANDLE opened;   /* the handle of the last opening */
static HANDLE device_specific; /* the driver's data for it */
static PVOID during;           /* the object behind the handle while it was being opened */
static PVOID during_held;      /* ... by DxgkCbAcquireHandleData */
static PVOID during_specific;  /* ... and what its opening has by then */

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

static PVOID hold(D3DKMT_HANDLE handle, DXGK_HANDLE_TYPE type, bool specific,
                  DXGKARG_RELEASE_HANDLE *held)
{
    DXGKARGCB_GETHANDLEDATA arguments = {.hObject = handle, .Type = type};

    arguments.Flags.DeviceSpecific = specific;
    *held = &kernel; /* to be written in any case */
    return kernel.DxgkCbAcquireHandleData(&arguments, held);
}

static void let_go(DXGKARG_RELEASE_HANDLE held, DXGK_HANDLE_TYPE type)
{
    kernel.DxgkCbReleaseHandleData(
        (DXGKARGCB_RELEASEHANDLEDATA){.ReleaseHandle = held, .Type = type});
}

static NTSTATUS open_and_ask(HANDLE device, const DXGKARG_OPENALLOCATION *arguments)
{
    NTSTATUS status = open_allocation(device, arguments);

    opened = arguments->pOpenAllocation->hAllocation;
    device_specific = arguments->pOpenAllocation->hDeviceSpecificAllocation;
    during = data_of(opened, DXGK_HANDLE_ALLOCATION, false);
    if (kernel.DxgkCbAcquireHandleData != NULL) {
        DXGKARG_RELEASE_HANDLE held;

        during_specific = data_of(opened, DXGK_HANDLE_ALLOCATION, true);
        during_held = hold(opened, DXGK_HANDLE_ALLOCATION, false, &held);
        assert_non_null(held);
        let_go(held, DXGK_HANDLE_ALLOCATION);
    }
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

/* Begin with a driver of this level, and one allocation; the kernel's table is the driver's own. */
static void begin(struct shown *shown, const char *gpu, struct rig_allocation *allocation)
{
    memset(&kernel, 0, sizeof(kernel));
    shown_init_gpu(shown, gpu, bend);
    assert_int_equal(rig_create(&shown->rig, allocation, VIDMM_PAGE_SIZE, 2, CPU_VISIBLE),
                     STATUS_SUCCESS);
}

static void finish(struct shown *shown)
{
    rig_judge(&shown->rig, shown->rig.gpu);
    rig_stop(&shown->rig);
    shown_is_clean(shown);
    shown_end(shown);
}

void shows_W_027(void **state)
{
    struct rig_allocation allocation;
    DXGKARG_RELEASE_HANDLE held;
    struct shown shown;

    (void)state;
    begin(&shown, "wddm 2.0\n", &allocation);
    assert_null(during);
    assert_null(during_specific);
    assert_non_null(during_held);
    assert_ptr_equal(data_of(opened, DXGK_HANDLE_ALLOCATION, false), during_held); /* opened now */
    assert_ptr_equal(hold(opened, DXGK_HANDLE_ALLOCATION, true, &held), device_specific);
    let_go(held, DXGK_HANDLE_ALLOCATION);
    vidmm_allocation_destroy(allocation.handle);
    finish(&shown);
    begin(&shown, "wddm 1.3\n", &allocation); /* before 2.0 there is one way, at any time */
    assert_null(kernel.DxgkCbAcquireHandleData);
    assert_non_null(during);
    vidmm_allocation_destroy(allocation.handle);
    finish(&shown);
}

static size_t destroyed(const struct shown *shown)
{
    return shown_count(shown, 0, VIDMM_DDI_DESTROY_ALLOCATION);
}

/* Held twice, the program destroys it: it goes when it was let go of twice. */
static void one_is_held(void)
{
    DXGKARG_RELEASE_HANDLE first, second, third;
    struct rig_allocation allocation;
    struct shown shown;
    PVOID object;

    begin(&shown, "wddm 2.0\n", &allocation);
    object = hold(opened, DXGK_HANDLE_ALLOCATION, false, &first);
    assert_non_null(object);
    assert_ptr_equal(hold(opened, DXGK_HANDLE_ALLOCATION, true, &second), device_specific);
    vidmm_allocation_destroy(allocation.handle);
    shown_settle(&shown);
    assert_int_equal(destroyed(&shown), 0);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_CLOSE_ALLOCATION), 0);
    assert_ptr_equal(data_of(opened, DXGK_HANDLE_ALLOCATION, false), object);
    let_go(first, DXGK_HANDLE_ALLOCATION);
    shown_settle(&shown);
    assert_int_equal(destroyed(&shown), 0);
    let_go(second, DXGK_HANDLE_ALLOCATION);
    shown_settle(&shown);
    assert_int_equal(destroyed(&shown), 1);
    assert_null(data_of(opened, DXGK_HANDLE_ALLOCATION, false));
    assert_null(hold(opened, DXGK_HANDLE_ALLOCATION, false, &third));
    assert_null(third);
    let_go(second, DXGK_HANDLE_ALLOCATION); /* nobody's: nothing comes of it */
    let_go(NULL, DXGK_HANDLE_ALLOCATION);
    let_go(&kernel, DXGK_HANDLE_ALLOCATION);
    assert_null(hold(0, DXGK_HANDLE_ALLOCATION, false, &third));
    assert_null(hold(opened, DXGK_HANDLE_RESOURCE, false, &third));
    finish(&shown);
}

/* An allocation that is let go of in time goes at once. */
static void none_is_held(void)
{
    DXGKARG_RELEASE_HANDLE held;
    struct rig_allocation allocation;
    struct shown shown;

    begin(&shown, "wddm 2.0\n", &allocation);
    hold(opened, DXGK_HANDLE_ALLOCATION, false, &held);
    let_go(held, DXGK_HANDLE_ALLOCATION);
    vidmm_allocation_destroy(allocation.handle);
    shown_settle(&shown);
    assert_int_equal(destroyed(&shown), 1);
    finish(&shown);
}

/* A resource of two goes as a whole: one that is held, by its own handle or the resource's, keeps
 * both; shared or not. */
static void a_resource_is_held(bool shared, DXGK_HANDLE_TYPE type)
{
    static const uint32_t data = 0x600d;
    const struct vidmm_resource_options options = {
        .private_data = &data, .private_data_size = sizeof(data), .shared = shared};
    struct vidmm_resource *resource;
    struct rig_allocation other;
    DXGKARG_RELEASE_HANDLE held;
    struct shown shown;

    begin(&shown, "wddm 2.0\n", &other);
    together_describe(1);
    for (uint32_t i = 0; i < TOGETHER; i++) /* W-023 */
        together_wishes[i].read_set = together_wishes[i].write_set = shared ? 1 : 3;
    if (vidmm_resource_create(shown.rig.device, &options, together_descriptions, TOGETHER,
                              &resource, together, &shown.rig.report) != STATUS_SUCCESS)
        fail_msg("%s", shown.rig.report.text);
    assert_non_null(
        hold(type == DXGK_HANDLE_RESOURCE ? kernel.DxgkCbGetHandleParent(opened) : opened, type,
             false, &held));
    vidmm_allocation_destroy(other.handle);
    vidmm_resource_destroy(resource);
    shown_settle(&shown);
    assert_int_equal(destroyed(&shown), 1); /* the other one */
    let_go(held, type);
    shown_settle(&shown);
    assert_int_equal(destroyed(&shown), 2);
    finish(&shown);
}

void shows_D_386(void **state)
{
    (void)state;
    one_is_held();
    for (int shared = 0; shared < 2; shared++) {
        a_resource_is_held(shared != 0, DXGK_HANDLE_ALLOCATION);
        a_resource_is_held(shared != 0, DXGK_HANDLE_RESOURCE);
    }
    none_is_held();
}
