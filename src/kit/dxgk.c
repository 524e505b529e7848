/* dxgk.c: where a driver and the graphics kernel meet: DxgkInitialize, and the rest of
 * DXGKRNL_INTERFACE.
 *
 * A driver registers in its DriverEntry; its table is as long as its version says, and is kept in a
 * table of the newest size. The caller that starts the driver has the callbacks of
 * DXGKRNL_INTERFACE that concern memory; the others are completed here, so that each entry of the
 * table can be called: callbacks that the kit does not have answer STATUS_NOT_SUPPORTED and are
 * reported (K-027).
 *
 * Source: dispmprt.h pages: DxgkInitialize, DXGKRNL_INTERFACE, DXGK_DEVICE_INFO.
 */
#include "kit/state.h"

#include "kit/dxgk.h"
#include "kit/monitor.h"
#include "kit/vidpn.h"
#include "wddm/level.h"

static DRIVER_INITIALIZATION_DATA registered;
static KMDDOD_INITIALIZATION_DATA display_driver;
static bool is_registered, is_display_only;
static DXGK_DISPLAY_INFORMATION post_display; /* Width 0: not handed over */

/* ---- registering ---- */

NTSTATUS DxgkInitialize(PDRIVER_OBJECT object, PUNICODE_STRING path,
                        PDRIVER_INITIALIZATION_DATA data)
{
    const struct vidmm_level *level = data ? vidmm_level_find(data->Version) : NULL;

    IRQL_MAX(PASSIVE_LEVEL);
    if (!object || !path || !level) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT, "DxgkInitialize: %s, Version 0x%x",
                       !object || !path ? "what DriverEntry got is missing" : "no such version",
                       data ? (unsigned)data->Version : 0);
        return STATUS_INVALID_PARAMETER;
    }
    memset(&registered, 0, sizeof(registered));
    memcpy(&registered, data,
           level->driver_size < sizeof(registered) ? level->driver_size : sizeof(registered));
    is_registered = true;
    is_display_only = false;
    return STATUS_SUCCESS;
}

NTSTATUS DxgkInitializeDisplayOnlyDriver(PDRIVER_OBJECT object, PUNICODE_STRING path,
                                         PKMDDOD_INITIALIZATION_DATA data)
{
    if (!object || !path || !data || !vidmm_level_find(data->Version)) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT, "DxgkInitializeDisplayOnlyDriver");
        return STATUS_INVALID_PARAMETER;
    }
    display_driver = *data;
    is_registered = is_display_only = true;
    return STATUS_SUCCESS;
}

NTSTATUS DxgkUnInitialize(PDRIVER_OBJECT object)
{
    (void)object;
    is_registered = false;
    return STATUS_SUCCESS;
}

const DRIVER_INITIALIZATION_DATA *vidmm_kit_registered(bool *display_only)
{
    *display_only = is_registered && is_display_only;
    return is_registered && !is_display_only ? &registered : NULL;
}

#define SHARED(TAKE)                                                                               \
    TAKE(AddDevice)                                                                                \
    TAKE(StartDevice)                                                                              \
    TAKE(StopDevice)                                                                               \
    TAKE(RemoveDevice)                                                                             \
    TAKE(DispatchIoRequest)                                                                        \
    TAKE(InterruptRoutine)                                                                         \
    TAKE(DpcRoutine)                                                                               \
    TAKE(QueryChildRelations)                                                                      \
    TAKE(QueryChildStatus)                                                                         \
    TAKE(QueryDeviceDescriptor)                                                                    \
    TAKE(SetPowerState)                                                                            \
    TAKE(StopDeviceAndReleasePostDisplayOwnership)                                                 \
    TAKE(ResetDevice)                                                                              \
    TAKE(Unload)                                                                                   \
    TAKE(QueryAdapterInfo)                                                                         \
    TAKE(IsSupportedVidPn)                                                                         \
    TAKE(RecommendFunctionalVidPn)                                                                 \
    TAKE(EnumVidPnCofuncModality)                                                                  \
    TAKE(SetVidPnSourceVisibility)                                                                 \
    TAKE(CommitVidPn)

const KMDDOD_INITIALIZATION_DATA *
vidmm_kit_registered_display(const DRIVER_INITIALIZATION_DATA **table)
{
    if (!is_registered || !is_display_only)
        return NULL;
    memset(&registered, 0, sizeof(registered));
    registered.Version = display_driver.Version;
#define TAKE(Name) registered.DxgkDdi##Name = display_driver.DxgkDdi##Name;
    SHARED(TAKE)
#undef TAKE
    *table = &registered;
    return &display_driver;
}

void vidmm_kit_forget_registered(void)
{
    memset(&post_display, 0, sizeof(post_display));
    vidmm_kit_monitor_reset();
    is_registered = false;
}

/* ---- callbacks that the kit answers ---- */

static DXGKRNL_INTERFACE above; /* the table that the caller of the completion had */

static NTSTATUS get_device_information(HANDLE handle, DXGK_DEVICE_INFO *info)
{
    DXGK_DEVICE_INFO given;
    UNICODE_STRING *path = vidmm_kit_registry_path();

    memset(&given, 0, sizeof(given));
    if (above.DxgkCbGetDeviceInformation)
        above.DxgkCbGetDeviceInformation(handle, &given);
    given.PhysicalDeviceObject = vidmm_kit_device();
    given.DeviceRegistryPath = *path;
    given.TranslatedResourceList = vidmm_kit_resources();
    given.SystemMemorySize.QuadPart = (LONGLONG)vidmm_kit_kernel.system_memory;
    if (given.HighestPhysicalAddress.QuadPart == 0)
        given.HighestPhysicalAddress.QuadPart = -1;
    *info = given;
    return STATUS_SUCCESS;
}

/* Registers of the device model are windows of the kit; ports have their number as address. */
static NTSTATUS map_memory(HANDLE handle, PHYSICAL_ADDRESS address, ULONG length, BOOLEAN io_space,
                           BOOLEAN user_mode, MEMORY_CACHING_TYPE cache, PVOID *result)
{
    if (io_space && !user_mode) {
        *result = (PVOID)(uintptr_t)address.QuadPart;
        return STATUS_SUCCESS;
    }
    *result = vidmm_kit_register_window((uint64_t)address.QuadPart, length);
    if (*result && !user_mode)
        return STATUS_SUCCESS;
    return above.DxgkCbMapMemory(handle, address, length, io_space, user_mode, cache, result);
}

static NTSTATUS unmap_memory(HANDLE handle, PVOID address)
{
    if (vidmm_kit_in_register_window(address) || (uintptr_t)address < 0x10000)
        return STATUS_SUCCESS;
    return above.DxgkCbUnmapMemory(handle, address);
}

#define POST_WIDTH 1024u
#define POST_HEIGHT 768u

bool vidmm_kit_post_display(DXGK_DISPLAY_INFORMATION *information)
{
    *information = post_display;
    return post_display.Width != 0;
}

/* Is it the device's memory, not its registers? */
static bool is_memory(const CM_PARTIAL_RESOURCE_DESCRIPTOR *one)
{
    return one->Type == CmResourceTypeMemory &&
           !vidmm_kit_register_window((uint64_t)one->u.Memory.Start.QuadPart, 1);
}

/* The device's first memory that has room for what the firmware shows. NULL: it shows nothing. */
static const CM_PARTIAL_RESOURCE_DESCRIPTOR *frame_buffer(void)
{
    const CM_RESOURCE_LIST *resources = vidmm_kit_resources();
    const CM_PARTIAL_RESOURCE_LIST *list = &resources->List[0].PartialResourceList;

    for (ULONG i = 0; i < list->Count; i++)
        if (is_memory(&list->PartialDescriptors[i]) &&
            list->PartialDescriptors[i].u.Memory.Length >= 4 * POST_WIDTH * POST_HEIGHT)
            return &list->PartialDescriptors[i];
    return NULL;
}

bool vidmm_kit_device_memory(unsigned index, uint64_t *at, uint64_t *size)
{
    const CM_RESOURCE_LIST *resources = vidmm_kit_resources();
    const CM_PARTIAL_RESOURCE_LIST *list = &resources->List[0].PartialResourceList;

    for (ULONG i = 0; i < list->Count; i++) {
        const CM_PARTIAL_RESOURCE_DESCRIPTOR *one = &list->PartialDescriptors[i];

        if (!is_memory(one) || index-- > 0)
            continue;
        *at = (uint64_t)one->u.Memory.Start.QuadPart;
        *size = one->u.Memory.Length;
        return true;
    }
    return false;
}

bool vidmm_kit_is_post_device(void)
{
    return frame_buffer() != NULL;
}

static NTSTATUS acquire_post_display(HANDLE handle, DXGK_DISPLAY_INFORMATION *information)
{
    const CM_PARTIAL_RESOURCE_DESCRIPTOR *memory = frame_buffer();

    (void)handle;
    memset(information, 0, sizeof(*information));
    if (memory) {
        *information = (DXGK_DISPLAY_INFORMATION){.Width = POST_WIDTH,
                                                  .Height = POST_HEIGHT,
                                                  .Pitch = 4 * POST_WIDTH,
                                                  .ColorFormat = D3DDDIFMT_X8R8G8B8,
                                                  .PhysicAddress = memory->u.Memory.Start};
        post_display = *information;
    }
    return STATUS_SUCCESS;
}

static PVOID acquire_handle_data(const DXGKARGCB_GETHANDLEDATA *arguments,
                                 DXGKARG_RELEASE_HANDLE *hold)
{
    *hold = (DXGKARG_RELEASE_HANDLE)(uintptr_t)1; /* an object of the run outlives every hold */
    return above.DxgkCbGetHandleData ? above.DxgkCbGetHandleData(arguments) : NULL;
}

static VOID release_handle_data(DXGKARGCB_RELEASEHANDLEDATA arguments)
{
    (void)arguments;
}

/* ---- callbacks that say no ---- */

static void refuse(const char *name)
{
    vidmm_kit_find(NULL, VIDMM_KIT_UNSUPPORTED, "%s", name);
}

#define ANSWER_NO(Name)                                                                            \
    static NTSTATUS refused_##Name(void)                                                           \
    {                                                                                              \
        refuse("DxgkCb" #Name);                                                                    \
        return STATUS_NOT_SUPPORTED;                                                               \
    }
#define ANSWER_ZERO(Name)                                                                          \
    static NTSTATUS refused_##Name(void)                                                           \
    {                                                                                              \
        refuse("DxgkCb" #Name);                                                                    \
        return 0;                                                                                  \
    }
#define ANSWER_YES(Name)                                                                           \
    static NTSTATUS refused_##Name(void)                                                           \
    {                                                                                              \
        return STATUS_SUCCESS;                                                                     \
    }
#include "kit/dxgk_callbacks.def"

void vidmm_kit_complete_interface(const DXGKRNL_INTERFACE *given, DXGKRNL_INTERFACE *table)
{
    memset(&above, 0, sizeof(above));
    memcpy(&above, given, given->Size < sizeof(above) ? given->Size : sizeof(above));
    *table = above;
#define COMPLETE(Name)                                                                             \
    if (!table->DxgkCb##Name)                                                                      \
        *(void **)(void *)&table->DxgkCb##Name = (void *)refused_##Name;
#define ANSWER_NO(Name) COMPLETE(Name)
#define ANSWER_ZERO(Name) COMPLETE(Name)
#define ANSWER_YES(Name) COMPLETE(Name)
#include "kit/dxgk_callbacks.def"
#undef COMPLETE
    table->DxgkCbGetDeviceInformation = get_device_information;
    if (!table->DxgkCbAcquireHandleData) {
        table->DxgkCbAcquireHandleData = acquire_handle_data;
        table->DxgkCbReleaseHandleData = release_handle_data;
    }
    table->DxgkCbAcquirePostDisplayOwnership = acquire_post_display;
    table->DxgkCbQueryVidPnInterface = vidmm_kit_query_vidpn_interface;
    table->DxgkCbQueryMonitorInterface = vidmm_kit_query_monitor_interface;
    if (above.DxgkCbMapMemory)
        table->DxgkCbMapMemory = map_memory;
    if (above.DxgkCbUnmapMemory)
        table->DxgkCbUnmapMemory = unmap_memory;
}
