/*
 * Theory. The table tells nobody which adapter belongs to which registration, so each level has an
 * AddDevice of its own; all else is shared and asks the adapter. StartDevice finds the registers
 * through BAR 0 of the config space: first a page, which says how long they are, then all.
 */
#include "softgpu/driver_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <wddm/ntstatus.h>

#include "softgpu/driver.h"
#include "softgpu/pool.h"

#define WHICHSPACE_CONFIG 0u /* DXGK_WHICHSPACE_CONFIG: the PCI config space */
#define BAR_0 0x10u

NTSTATUS softgpu_refuse(struct softgpu_adapter *adapter, NTSTATUS status, const char *format, ...)
{
    struct softgpu_driver_register *driver;
    uint32_t none = 0;
    va_list arguments;

    if (adapter->registers == NULL)
        return status;
    driver = &adapter->registers->driver;
    atomic_fetch_add(&driver->refusals, 1);
    if (atomic_compare_exchange_strong(&driver->refusal_claimed, &none, 1)) {
        va_start(arguments, format);
        vsnprintf(driver->refusal, sizeof(driver->refusal), format, arguments);
        va_end(arguments);
        atomic_store(&driver->refusal_claimed, 2);
    }
    if (atomic_exchange(&driver->reason_claimed, 1) != 1) { /* else another thread writes there */
        va_start(arguments, format);
        driver->reason_status = status;
        vsnprintf(driver->reason, sizeof(driver->reason), format, arguments);
        va_end(arguments);
        atomic_store(&driver->reason_claimed, 2);
    }
    return status;
}

NTSTATUS softgpu_ring(struct softgpu_adapter *adapter, UINT doorbell, UINT value)
{
    ULONG written = 0;

    return adapter->dxgk.DxgkCbWriteDeviceSpace(adapter->dxgk.DeviceHandle, WHICHSPACE_CONFIG,
                                                &value, doorbell, sizeof(value), &written);
}

/* ---- an adapter comes and goes --------------------------------------------------------------- */

static NTSTATUS add_device(UINT level, PDEVICE_OBJECT PhysicalDeviceObject,
                           PVOID *MiniportDeviceContext)
{
    struct softgpu_adapter *adapter;

    adapter = ExAllocatePoolWithTag(NonPagedPoolNx, sizeof(*adapter), SOFTGPU_TAG);
    if (adapter == NULL)
        return STATUS_NO_MEMORY;
    memset(adapter, 0, sizeof(*adapter));
    adapter->kind = SOFTGPU_ADAPTER;
    adapter->level = level;
    adapter->physical_device = PhysicalDeviceObject;
    *MiniportDeviceContext = adapter;
    return STATUS_SUCCESS;
}

/* Each level that a driver can be registered with, its version, and bytes of its table. */
#define LEVELS(LEVEL)                                                                              \
    LEVEL(10, VISTA_SP1, 496)                                                                      \
    LEVEL(11, WIN7, 568)                                                                           \
    LEVEL(12, WIN8, 664)                                                                           \
    LEVEL(13, WDDM1_3, 712)                                                                        \
    LEVEL(20, WDDM2_0, 832)                                                                        \
    LEVEL(21, WDDM2_1, 880)                                                                        \
    LEVEL(22, WDDM2_2, 1032)                                                                       \
    LEVEL(23, WDDM2_3, 1056)                                                                       \
    LEVEL(24, WDDM2_4, 1152)                                                                       \
    LEVEL(25, WDDM2_5, 1192)                                                                       \
    LEVEL(26, WDDM2_6, 1224)                                                                       \
    LEVEL(27, WDDM2_7, 1232)                                                                       \
    LEVEL(28, WDDM2_8, 1232)                                                                       \
    LEVEL(29, WDDM2_9, 1264)                                                                       \
    LEVEL(30, WDDM3_0, 1296)                                                                       \
    LEVEL(31, WDDM3_1, 1376)                                                                       \
    LEVEL(32, WDDM3_2, 1544)

#define ADD_DEVICE(level, name, size)                                                              \
    static NTSTATUS add_device_##level(PDEVICE_OBJECT PhysicalDeviceObject,                        \
                                       PVOID *MiniportDeviceContext)                               \
    {                                                                                              \
        return add_device(level, PhysicalDeviceObject, MiniportDeviceContext);                     \
    }
LEVELS(ADD_DEVICE)
#undef ADD_DEVICE

static NTSTATUS map_registers(struct softgpu_adapter *adapter, UINT64 size)
{
    PHYSICAL_ADDRESS address = {.QuadPart = (LONGLONG)adapter->register_address};
    PVOID mapping = NULL;
    NTSTATUS status;

    status = adapter->dxgk.DxgkCbMapMemory(adapter->dxgk.DeviceHandle, address, (ULONG)size, FALSE,
                                           FALSE, MmNonCached, &mapping);
    adapter->registers = NT_SUCCESS(status) ? mapping : NULL;
    return status;
}

static void unmap_registers(struct softgpu_adapter *adapter)
{
    adapter->dxgk.DxgkCbUnmapMemory(adapter->dxgk.DeviceHandle, adapter->registers);
    adapter->registers = NULL;
}

/* The address of BAR 0, without the bits that say what kind of BAR it is. */
static NTSTATUS find_registers(struct softgpu_adapter *adapter)
{
    UINT64 bar = 0;
    ULONG length = 0;
    NTSTATUS status;

    status = adapter->dxgk.DxgkCbReadDeviceSpace(adapter->dxgk.DeviceHandle, WHICHSPACE_CONFIG,
                                                 &bar, BAR_0, sizeof(bar), &length);
    if (!NT_SUCCESS(status))
        return status;
    adapter->register_address = bar & ~(UINT64)15;
    return length == sizeof(bar) && adapter->register_address != 0 ? STATUS_SUCCESS
                                                                   : STATUS_UNSUCCESSFUL;
}

static NTSTATUS connect_registers(struct softgpu_adapter *adapter)
{
    NTSTATUS status = find_registers(adapter);
    UINT64 size, magic;

    if (!NT_SUCCESS(status))
        return status;
    status = map_registers(adapter, SOFTGPU_REGISTERS_SIZE);
    if (!NT_SUCCESS(status))
        return status;
    size = adapter->registers->size;
    magic = adapter->registers->magic;
    unmap_registers(adapter);
    if (magic != SOFTGPU_REGISTERS_MAGIC || size > UINT32_MAX)
        return STATUS_UNSUCCESSFUL;
    return map_registers(adapter, size);
}

/* Begin where the GPU is: it may have run for a driver before. */
static void synchronize_nodes(struct softgpu_adapter *adapter)
{
    for (UINT i = 0; i < softgpu_ring_count(adapter); i++) {
        struct softgpu_engine_register *engine = &adapter->registers->engines[i];
        UINT64 completed = atomic_load(&engine->completed);

        adapter->nodes[i].given = atomic_load(&engine->retired);
        adapter->nodes[i].fence = (UINT)completed;
        adapter->nodes[i].reported = (UINT)(completed >> 32);
        adapter->nodes[i].preemptions = (UINT)(atomic_load(&engine->preempted) >> 32);
        adapter->nodes[i].faults = atomic_load(&engine->faults);
        adapter->nodes[i].signals = atomic_load(&engine->signals);
        atomic_store(&adapter->nodes[i].last_fence, (UINT)completed);
    }
}

static void sort_segments(struct softgpu_adapter *adapter)
{
    const struct softgpu_registers *registers = adapter->registers;

    adapter->segments = (1u << registers->segment_count) - 1;
    adapter->apertures = adapter->pitched = 0;
    for (UINT i = 0; i < registers->segment_count; i++) {
        if (registers->segments[i].kind != SOFTGPU_SEGMENT_MEMORY)
            adapter->apertures |= 1u << i;
        if ((registers->segments[i].flags & SOFTGPU_SEGMENT_PITCH_ALIGNED) != 0)
            adapter->pitched |= 1u << i;
    }
}

static NTSTATUS start_device(PVOID MiniportDeviceContext, DXGK_START_INFO *DxgkStartInfo,
                             DXGKRNL_INTERFACE *DxgkInterface, PULONG NumberOfVideoPresentSources,
                             PULONG NumberOfChildren)
{
    struct softgpu_adapter *adapter = MiniportDeviceContext;
    NTSTATUS status;

    memset(&adapter->dxgk, 0, sizeof(adapter->dxgk));
    memcpy(&adapter->dxgk, DxgkInterface,
           DxgkInterface->Size < sizeof(adapter->dxgk) ? DxgkInterface->Size
                                                       : sizeof(adapter->dxgk));
    status = connect_registers(adapter);
    if (!NT_SUCCESS(status))
        return status;
    /* obeys D-277: the rings are the GPU's, so all that is left is to see that they are enough */
    if (DxgkStartInfo->RequiredDmaQueueEntry > adapter->registers->queue)
        status = softgpu_refuse(adapter, STATUS_INSUFFICIENT_RESOURCES,
                                "StartDevice: RequiredDmaQueueEntry %u, the rings hold %u",
                                DxgkStartInfo->RequiredDmaQueueEntry, adapter->registers->queue);
    else if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_START_FAILS))
        status = STATUS_UNSUCCESSFUL;
    if (!NT_SUCCESS(status)) {
        unmap_registers(adapter);
        return status;
    }
    adapter->announced = DxgkStartInfo->RequiredDmaQueueEntry;
    sort_segments(adapter);
    softgpu_clear_host_aperture(adapter);
    synchronize_nodes(adapter);
    softgpu_ring(adapter, SOFTGPU_DOORBELL_RESET, 0);
    *NumberOfVideoPresentSources = *NumberOfChildren = softgpu_sources(adapter);
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_CHILDREN))
        *NumberOfChildren = 1000;
    return STATUS_SUCCESS;
}

/* The interrupt service routine may still be in what it last reported. */
static BOOLEAN take_registers(PVOID SynchronizeContext)
{
    struct softgpu_adapter *adapter = SynchronizeContext;

    adapter->registers = NULL;
    return TRUE;
}

static NTSTATUS stop(struct softgpu_adapter *adapter, _Atomic uint64_t *counter)
{
    struct softgpu_registers *registers = adapter->registers;
    BOOLEAN result = FALSE;

    atomic_fetch_add(counter, 1);
    softgpu_stop_gpu(adapter);
    if (!NT_SUCCESS(adapter->dxgk.DxgkCbSynchronizeExecution(adapter->dxgk.DeviceHandle,
                                                             take_registers, adapter, 0, &result)))
        adapter->registers = NULL; /* no interrupt is connected */
    adapter->dxgk.DxgkCbUnmapMemory(adapter->dxgk.DeviceHandle, registers);
    return STATUS_SUCCESS;
}

static NTSTATUS stop_device(PVOID MiniportDeviceContext)
{
    struct softgpu_adapter *adapter = MiniportDeviceContext;

    return adapter->registers != NULL ? stop(adapter, &adapter->registers->driver.stops)
                                      : STATUS_SUCCESS;
}

/* The next owner of the display finds no picture: the screens are dark. */
static NTSTATUS release_post_display(PVOID MiniportDeviceContext,
                                     D3DDDI_VIDEO_PRESENT_TARGET_ID TargetId,
                                     DXGK_DISPLAY_INFORMATION *DisplayInfo)
{
    struct softgpu_adapter *adapter = MiniportDeviceContext;

    (void)TargetId;
    if (adapter->registers == NULL || adapter->registers->recovery == SOFTGPU_RELEASE_FAILS)
        return STATUS_UNSUCCESSFUL;
    memset(DisplayInfo, 0, sizeof(*DisplayInfo));
    return stop(adapter, &adapter->registers->driver.releases);
}

/* Take the bus's description of the link. Ordinals are places: the system counts the lead as 0. */
static NTSTATUS link_device(const PDEVICE_OBJECT PhysicalDeviceObject, PVOID MiniportDeviceContext,
                            LINKED_DEVICE *LinkedDevice)
{
    const struct softgpu_physical_device *device = (const void *)PhysicalDeviceObject;
    struct softgpu_adapter *adapter = MiniportDeviceContext;

    adapter->chain = device->chain;
    adapter->place = device->place;
    adapter->chain->members[adapter->place] = adapter;
    LinkedDevice->ChainUid = adapter->chain->uid;
    LinkedDevice->NumberOfLinksInChain = adapter->chain->count;
    LinkedDevice->LeadLink = adapter->place == 0;
    return STATUS_SUCCESS;
}

void softgpu_driver_link(DRIVER_INITIALIZATION_DATA *data)
{
    data->DxgkDdiLinkDevice = link_device;
}

static NTSTATUS remove_device(PVOID MiniportDeviceContext)
{
    struct softgpu_adapter *adapter = MiniportDeviceContext;

    if (adapter->chain != NULL)
        adapter->chain->members[adapter->place] = NULL;
    ExFreePoolWithTag(MiniportDeviceContext, SOFTGPU_TAG);
    return STATUS_SUCCESS;
}

static VOID unload(VOID)
{
}

/* ---- what there is little to say to ----------------------------------------- */

static NTSTATUS query_device_descriptor(PVOID MiniportDeviceContext, ULONG ChildUid,
                                        DXGK_DEVICE_DESCRIPTOR *DeviceDescriptor)
{
    (void)MiniportDeviceContext;
    (void)ChildUid;
    (void)DeviceDescriptor;
    return STATUS_INVALID_PARAMETER;
}

static NTSTATUS dispatch_io_request(PVOID MiniportDeviceContext, ULONG VidPnSourceId,
                                    VIDEO_REQUEST_PACKET *VideoRequestPacket)
{
    (void)MiniportDeviceContext;
    (void)VidPnSourceId;
    (void)VideoRequestPacket;
    return STATUS_NOT_SUPPORTED;
}

static NTSTATUS query_interface(PVOID MiniportDeviceContext, QUERY_INTERFACE *QueryInterface)
{
    (void)MiniportDeviceContext;
    (void)QueryInterface;
    return STATUS_NOT_SUPPORTED;
}

static VOID control_etw_logging(BOOLEAN Enable, ULONG Flags, UCHAR Level)
{
    (void)Enable;
    (void)Flags;
    (void)Level;
}

/* obeys D-314, D-315: never fails; the system has saved all that the GPU forgets */
static NTSTATUS set_power_state(PVOID MiniportDeviceContext, ULONG DeviceUid,
                                DEVICE_POWER_STATE DevicePowerState, POWER_ACTION ActionType)
{
    struct softgpu_adapter *adapter = MiniportDeviceContext;
    UINT power = ActionType == PowerActionSleep       ? SOFTGPU_POWER_STANDBY
                 : ActionType == PowerActionHibernate ? SOFTGPU_POWER_HIBERNATE
                                                      : SOFTGPU_POWER_OFF;

    if (adapter->registers->recovery == SOFTGPU_POWER_FAILS)
        return STATUS_UNSUCCESSFUL;
    softgpu_blank(adapter);
    if (DeviceUid == DISPLAY_ADAPTER_HW_ID && adapter->registers != NULL)
        softgpu_ring(adapter, SOFTGPU_DOORBELL_POWER,
                     DevicePowerState == PowerDeviceD0 ? SOFTGPU_POWER_ON : power);
    return STATUS_SUCCESS;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
    ULONG version;
    UINT level;
    size_t size; /* bytes of DRIVER_INITIALIZATION_DATA */
    PDXGKDDI_ADD_DEVICE add_device;
} registrations[] = {
#define REGISTRATION(level, name, size)                                                            \
    {DXGKDDI_INTERFACE_VERSION_##name, level, size, add_device_##level},
    LEVELS(REGISTRATION)
#undef REGISTRATION
        {DXGKDDI_INTERFACE_VERSION_VISTA, 10, 496, add_device_10},
};

_Static_assert(sizeof(DRIVER_INITIALIZATION_DATA) == 1544, "the newest level is the whole table");

static const DRIVER_INITIALIZATION_DATA table = {
    .DxgkDdiStartDevice = start_device,
    .DxgkDdiStopDevice = stop_device,
    .DxgkDdiRemoveDevice = remove_device,
    .DxgkDdiDispatchIoRequest = dispatch_io_request,
    .DxgkDdiInterruptRoutine = SoftgpuInterruptRoutine,
    .DxgkDdiDpcRoutine = SoftgpuDpcRoutine,
    .DxgkDdiQueryChildRelations = SoftgpuQueryChildRelations,
    .DxgkDdiQueryChildStatus = SoftgpuQueryChildStatus,
    .DxgkDdiQueryDeviceDescriptor = query_device_descriptor,
    .DxgkDdiSetPowerState = set_power_state,
    .DxgkDdiResetDevice = SoftgpuResetDevice,
    .DxgkDdiUnload = unload,
    .DxgkDdiQueryInterface = query_interface,
    .DxgkDdiControlEtwLogging = control_etw_logging,
    .DxgkDdiQueryAdapterInfo = SoftgpuQueryAdapterInfo,
    .DxgkDdiCreateDevice = SoftgpuCreateDevice,
    .DxgkDdiCreateAllocation = SoftgpuCreateAllocation,
    .DxgkDdiDestroyAllocation = SoftgpuDestroyAllocation,
    .DxgkDdiDescribeAllocation = SoftgpuDescribeAllocation,
    .DxgkDdiGetStandardAllocationDriverData = SoftgpuGetStandardAllocationDriverData,
    .DxgkDdiAcquireSwizzlingRange = SoftgpuAcquireSwizzlingRange,
    .DxgkDdiReleaseSwizzlingRange = SoftgpuReleaseSwizzlingRange,
    .DxgkDdiPatch = SoftgpuPatch,
    .DxgkDdiSubmitCommand = SoftgpuSubmitCommand,
    .DxgkDdiPreemptCommand = SoftgpuPreemptCommand,
    .DxgkDdiBuildPagingBuffer = SoftgpuBuildPagingBuffer,
    .DxgkDdiResetFromTimeout = SoftgpuResetFromTimeout,
    .DxgkDdiRestartFromTimeout = SoftgpuRestartFromTimeout,
    .DxgkDdiEscape = SoftgpuEscape,
    .DxgkDdiCollectDbgInfo = SoftgpuCollectDbgInfo,
    .DxgkDdiQueryCurrentFence = SoftgpuQueryCurrentFence,
    .DxgkDdiSetVidPnSourceAddress = SoftgpuSetVidPnSourceAddress,
    .DxgkDdiSetVidPnSourceVisibility = SoftgpuSetVidPnSourceVisibility,
    .DxgkDdiCommitVidPn = SoftgpuCommitVidPn,
    .DxgkDdiControlInterrupt = SoftgpuControlInterrupt,
    .DxgkDdiDestroyDevice = SoftgpuDestroyDevice,
    .DxgkDdiOpenAllocation = SoftgpuOpenAllocation,
    .DxgkDdiCloseAllocation = SoftgpuCloseAllocation,
    .DxgkDdiRender = SoftgpuRender,
    .DxgkDdiPresent = SoftgpuPresent,
    .DxgkDdiCreateContext = SoftgpuCreateContext,
    .DxgkDdiDestroyContext = SoftgpuDestroyContext,
    .DxgkDdiQueryDependentEngineGroup = SoftgpuQueryDependentEngineGroup,
    .DxgkDdiQueryEngineStatus = SoftgpuQueryEngineStatus,
    .DxgkDdiResetEngine = SoftgpuResetEngine,
    .DxgkDdiCancelCommand = SoftgpuCancelCommand,
    .DxgkDdiStopDeviceAndReleasePostDisplayOwnership = release_post_display,
    .DxgkDdiGetNodeMetadata = SoftgpuGetNodeMetadata,
    .DxgkDdiFormatHistoryBuffer = SoftgpuFormatHistoryBuffer,
    .DxgkDdiRenderGdi = SoftgpuRenderGdi,
    .DxgkDdiMapCpuHostAperture = SoftgpuMapCpuHostAperture,
    .DxgkDdiUnmapCpuHostAperture = SoftgpuUnmapCpuHostAperture,
    .DxgkDdiSignalMonitoredFence = SoftgpuSignalMonitoredFence,
    .DxgkDdiSubmitCommandVirtual = SoftgpuSubmitCommandVirtual,
    .DxgkDdiCreateHwQueue = SoftgpuCreateHwQueue,
    .DxgkDdiDestroyHwQueue = SoftgpuDestroyHwQueue,
    .DxgkDdiSubmitCommandToHwQueue = SoftgpuSubmitCommandToHwQueue,
    .DxgkDdiSetRootPageTable = SoftgpuSetRootPageTable,
    .DxgkDdiGetRootPageTableSize = SoftgpuGetRootPageTableSize,
    .DxgkDdiCreateProcess = SoftgpuCreateProcess,
    .DxgkDdiDestroyProcess = SoftgpuDestroyProcess,
    .DxgkDdiValidateUpdateAllocationProperty = SoftgpuValidateUpdateAllocationProperty,
    .DxgkDdiBeginExclusiveAccess = SoftgpuBeginExclusiveAccess,
    .DxgkDdiEndExclusiveAccess = SoftgpuEndExclusiveAccess,
};

NTSTATUS softgpu_driver_entry(ULONG version, DRIVER_INITIALIZATION_DATA *data)
{
    for (size_t i = 0; i < sizeof(registrations) / sizeof(registrations[0]); i++) {
        if (registrations[i].version != version)
            continue;
        memcpy(data, &table, registrations[i].size);
        data->Version = version;
        data->DxgkDdiAddDevice = registrations[i].add_device;
        return STATUS_SUCCESS;
    }
    return STATUS_REVISION_MISMATCH;
}

ULONG softgpu_driver_version(uint32_t wddm)
{
    for (size_t i = 0; i < sizeof(registrations) / sizeof(registrations[0]); i++)
        if (registrations[i].level == wddm)
            return registrations[i].version;
    return 0;
}
