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
    NTSTATUS status = STATUS_SUCCESS;

    *result = vidmm_kit_register_window((uint64_t)address.QuadPart, length);
    if (!*result || user_mode)
        status = above.DxgkCbMapMemory(handle, address, length, io_space, user_mode, cache, result);
    if (status == STATUS_SUCCESS)
        vidmm_kit_device_mapped(CALLER, *result, true);
    return status;
}

static NTSTATUS unmap_memory(HANDLE handle, PVOID address)
{
    vidmm_kit_device_unmapped(address, true);
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

/* ---- memory under IOMMU isolation ----
 *
 *     DxgkCbAllocateContiguousMemory, DxgkCbAllocatePagesForMdl    memory that is mapped for life
 *     DxgkCbMapMdlToIoMmu .. DxgkCbUnmapMdlFromIoMmu               the driver's own pages, as long
 *
 * Logical addresses are physical ones: that is isolation as it is from 2.4 on, and nothing here
 * keeps the device from the rest. A driver that says IoMmuSecureModeSupported has its memory by
 * these callbacks, so what it takes or locks by the kernel's own routines is found, also where it
 * did so before it was asked for its caps (K-045).
 *
 * I3  A hold is in the list from the callback that made it until the one that ends it; `gone` is
 *     set when its list or pages ended first, which is told once (K-043).
 *
 * Source: IOMMU-based GPU isolation; DXGKCB_MAPMDLTOIOMMU and its neighbours; rule D-236.
 */
enum hold_kind { HOLD_CONTIGUOUS, HOLD_PAGES, HOLD_MAPPING };

struct hold {
    struct hold *next;
    enum hold_kind kind;
    void *memory; /* a list, or contiguous memory */
    bool gone;
    const void *caller;
};

static struct hold *holds;

/* The first use of each routine before the driver has said that it is isolated. */
enum { DIRECT_MOST = 8 };
static struct {
    const char *routine;
    const void *caller;
} direct[DIRECT_MOST];
static unsigned direct_count;
static bool isolated;

static void lock(void)
{
    pthread_mutex_lock(&vidmm_kit_kernel.memory);
}

static void unlock(void)
{
    pthread_mutex_unlock(&vidmm_kit_kernel.memory);
}

/* ---- by the kernel's own routines ---- */

static void tell_direct(const void *caller, const char *routine)
{
    vidmm_kit_find(caller, VIDMM_KIT_DIRECT_PAGES, "%s, and IoMmuSecureModeSupported is 1",
                   routine);
}

void vidmm_kit_note_direct(const void *caller, const char *routine)
{
    unsigned index = 0;
    bool tell;

    lock();
    tell = isolated;
    while (index < direct_count && strcmp(direct[index].routine, routine) != 0)
        index++;
    if (!tell && index == direct_count && index < DIRECT_MOST) {
        direct[index].routine = routine;
        direct[index].caller = caller;
        direct_count++;
    }
    unlock();
    if (tell)
        tell_direct(caller, routine);
}

void vidmm_kit_isolate(void)
{
    unsigned count;

    lock();
    count = isolated ? 0 : direct_count;
    isolated = true;
    unlock();
    for (unsigned index = 0; index < count; index++)
        tell_direct(direct[index].caller, direct[index].routine);
}

/* ---- holds ---- */

static HANDLE add(const void *caller, enum hold_kind kind, void *memory)
{
    struct hold *hold = calloc(1, sizeof(*hold));

    if (!hold)
        return NULL;
    *hold = (struct hold){.kind = kind, .memory = memory, .caller = caller};
    lock();
    hold->next = holds;
    holds = hold;
    unlock();
    return hold;
}

/* Take a hold of this kind out of the list; the caller frees it. NULL: there is none. */
static struct hold *take(const void *caller, HANDLE handle, enum hold_kind kind,
                         const char *routine)
{
    struct hold **at, *hold;

    lock();
    for (at = &holds; (hold = *at) != NULL && (hold != handle || hold->kind != kind);)
        at = &hold->next;
    if (hold)
        *at = hold->next;
    unlock();
    if (!hold)
        vidmm_kit_find(caller, VIDMM_KIT_FREE_OF_NOTHING, "%s: hMemoryHandle %p", routine, handle);
    return hold;
}

void vidmm_kit_iommu_let_go(const void *caller, const void *mdl, const char *routine)
{
    unsigned told = 0;

    lock();
    for (struct hold *hold = holds; hold; hold = hold->next)
        if (hold->memory == mdl && hold->kind != HOLD_CONTIGUOUS && !hold->gone) {
            hold->gone = true; /* I3 */
            told++;
        }
    unlock();
    if (told > 0)
        vidmm_kit_find(caller, VIDMM_KIT_IOMMU_MDL_GONE, "%s: MDL %p is mapped to the IOMMU",
                       routine, mdl);
}

static void give_memory(const void *caller, const struct hold *hold, const char *routine)
{
    if (hold->kind == HOLD_CONTIGUOUS) {
        vidmm_kit_contiguous_give(caller, hold->memory, 0, routine);
    } else if (hold->kind == HOLD_PAGES && !hold->gone) {
        vidmm_kit_free_pages(caller, hold->memory, routine);
        IoFreeMdl(hold->memory);
    }
}

/* ---- the callbacks ---- */

static NTSTATUS allocate_contiguous(HANDLE adapter, DXGKARGCB_ALLOCATECONTIGUOUSMEMORY *wish)
{
    static const char routine[] = "DxgkCbAllocateContiguousMemory";
    void *memory;

    (void)adapter;
    vidmm_kit_irql_max(CALLER, APC_LEVEL, routine);
    memory = vidmm_kit_contiguous_take(CALLER, wish->NumberOfBytes,
                                       (uint64_t)wish->LowestAcceptableAddress.QuadPart,
                                       (uint64_t)wish->HighestAcceptableAddress.QuadPart,
                                       (uint64_t)wish->BoundaryAddressMultiple.QuadPart, routine);
    if (!memory)
        return STATUS_INSUFFICIENT_RESOURCES;
    wish->hMemoryHandle = add(CALLER, HOLD_CONTIGUOUS, memory);
    if (!wish->hMemoryHandle) {
        vidmm_kit_contiguous_give(CALLER, memory, 0, routine);
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    wish->pMemory = memory;
    return STATUS_SUCCESS;
}

static NTSTATUS give(const void *caller, HANDLE handle, enum hold_kind kind, const char *routine)
{
    struct hold *hold;

    vidmm_kit_irql_max(caller, APC_LEVEL, routine);
    hold = take(caller, handle, kind, routine);
    if (!hold)
        return STATUS_INVALID_PARAMETER;
    give_memory(caller, hold, routine);
    free(hold);
    return STATUS_SUCCESS;
}

static NTSTATUS free_contiguous(HANDLE adapter, const DXGKARGCB_FREECONTIGUOUSMEMORY *memory)
{
    (void)adapter;
    return give(CALLER, memory->hMemoryHandle, HOLD_CONTIGUOUS, "DxgkCbFreeContiguousMemory");
}

static NTSTATUS allocate_pages(HANDLE adapter, DXGKARGCB_ALLOCATEPAGESFORMDL *wish)
{
    static const char routine[] = "DxgkCbAllocatePagesForMdl";
    const PHYSICAL_ADDRESS at[3] = {wish->LowAddress, wish->HighAddress, wish->SkipBytes};
    PMDL mdl;

    (void)adapter;
    vidmm_kit_irql_max(CALLER, APC_LEVEL, routine);
    mdl = vidmm_kit_allocate_pages(CALLER, at, wish->TotalBytes,
                                   wish->Flags | MM_ALLOCATE_FULLY_REQUIRED, routine);
    if (!mdl)
        return STATUS_INSUFFICIENT_RESOURCES;
    wish->hMemoryHandle = add(CALLER, HOLD_PAGES, mdl);
    if (!wish->hMemoryHandle) {
        vidmm_kit_free_pages(CALLER, mdl, routine);
        IoFreeMdl(mdl);
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    wish->pMdl = mdl;
    return STATUS_SUCCESS;
}

static NTSTATUS free_pages(HANDLE adapter, const DXGKARGCB_FREEPAGESFROMMDL *pages)
{
    (void)adapter;
    return give(CALLER, pages->hMemoryHandle, HOLD_PAGES, "DxgkCbFreePagesFromMdl");
}

static NTSTATUS map_mdl(HANDLE adapter, DXGKARGCB_MAPMDLTOIOMMU *wish)
{
    (void)adapter;
    vidmm_kit_irql_max(CALLER, APC_LEVEL, "DxgkCbMapMdlToIoMmu");
    if (!vidmm_kit_is_mdl_usable(CALLER, wish->pMdl, "DxgkCbMapMdlToIoMmu"))
        return STATUS_INVALID_PARAMETER;
    wish->hMemoryHandle = add(CALLER, HOLD_MAPPING, wish->pMdl);
    return wish->hMemoryHandle ? STATUS_SUCCESS : STATUS_INSUFFICIENT_RESOURCES;
}

static VOID unmap_mdl(HANDLE adapter, const DXGKARGCB_UNMAPMDLFROMIOMMU *mapping)
{
    (void)adapter;
    give(CALLER, mapping->hMemoryHandle, HOLD_MAPPING, "DxgkCbUnmapMdlFromIoMmu");
}

static void complete_iommu(DXGKRNL_INTERFACE *table)
{
    table->DxgkCbAllocateContiguousMemory = allocate_contiguous;
    table->DxgkCbFreeContiguousMemory = free_contiguous;
    table->DxgkCbAllocatePagesForMdl = allocate_pages;
    table->DxgkCbFreePagesFromMdl = free_pages;
    table->DxgkCbMapMdlToIoMmu = map_mdl;
    table->DxgkCbUnmapMdlFromIoMmu = unmap_mdl;
}

void vidmm_kit_iommu_stop(void)
{
    static const char *const kinds[] = {
        [HOLD_CONTIGUOUS] = "contiguous memory",
        [HOLD_PAGES] = "pages and their MDL",
        [HOLD_MAPPING] = "a mapping of the MDL",
    };

    while (holds) {
        struct hold *hold = holds;

        holds = hold->next;
        vidmm_kit_find(hold->caller, VIDMM_KIT_IOMMU_LEAK, "%s at %p", kinds[hold->kind],
                       hold->memory);
        give_memory(NULL, hold, "vidmm_kit_stop");
        free(hold);
    }
    direct_count = 0;
    isolated = false;
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
    complete_iommu(table);
    table->DxgkCbQueryVidPnInterface = vidmm_kit_query_vidpn_interface;
    table->DxgkCbQueryMonitorInterface = vidmm_kit_query_monitor_interface;
    if (above.DxgkCbMapMemory)
        table->DxgkCbMapMemory = map_memory;
    if (above.DxgkCbUnmapMemory)
        table->DxgkCbUnmapMemory = unmap_memory;
}
