/* entry.c: DriverEntry, the device's life, resources and registers. */
#include "atlas.h"

ULONG AtlasRead(const struct atlas_adapter *Adapter, ULONG Register)
{
    return READ_REGISTER_ULONG((volatile ULONG *)(Adapter->Registers + Register));
}

VOID AtlasWrite(const struct atlas_adapter *Adapter, ULONG Register, ULONG Value)
{
    WRITE_REGISTER_ULONG((volatile ULONG *)(Adapter->Registers + Register), Value);
}

/* ---- resources ---- */

/* Is it the hardware that this driver is for? The INF said so; config space says it too. */
static NTSTATUS CheckIds(struct atlas_adapter *Adapter)
{
    USHORT Ids[2] = {0, 0};
    ULONG Read = 0;
    NTSTATUS Status;

    Status = Adapter->Dxgk.DxgkCbReadDeviceSpace(Adapter->Dxgk.DeviceHandle, DXGK_WHICHSPACE_CONFIG,
                                                 Ids, 0, sizeof(Ids), &Read);
    if (!NT_SUCCESS(Status) || Read != sizeof(Ids))
        return STATUS_DEVICE_CONFIGURATION_ERROR;
    return Ids[0] == ATLAS_VENDOR && Ids[1] == ATLAS_DEVICE ? STATUS_SUCCESS
                                                            : STATUS_DEVICE_CONFIGURATION_ERROR;
}

/* The list has the device's ranges in no particular order; the registers are the range of their
 * size. */
static NTSTATUS FindRanges(struct atlas_adapter *Adapter, CM_RESOURCE_LIST *Resources,
                           PHYSICAL_ADDRESS *Registers)
{
    CM_PARTIAL_RESOURCE_LIST *List = &Resources->List[0].PartialResourceList;
    ULONG i;

    Registers->QuadPart = 0;
    for (i = 0; i < List->Count; i++) {
        CM_PARTIAL_RESOURCE_DESCRIPTOR *One = &List->PartialDescriptors[i];
        ULONGLONG Start, Length;

        if (One->Type != CmResourceTypeMemory && One->Type != CmResourceTypeMemoryLarge)
            continue;
        Length = RtlCmDecodeMemIoResource(One, &Start); /* also right for ranges above 4 GiB */
        if (Length == ATLAS_REGISTERS) {
            Registers->QuadPart = (LONGLONG)Start;
        } else {
            Adapter->MemoryAddress.QuadPart = (LONGLONG)Start;
            Adapter->MemorySize = (SIZE_T)Length;
        }
    }
    return Registers->QuadPart && Adapter->MemorySize ? STATUS_SUCCESS
                                                      : STATUS_DEVICE_CONFIGURATION_ERROR;
}

static NTSTATUS MapRegisters(struct atlas_adapter *Adapter, PHYSICAL_ADDRESS Address)
{
    PVOID Mapped = NULL;
    NTSTATUS Status;

    Status = Adapter->Dxgk.DxgkCbMapMemory(Adapter->Dxgk.DeviceHandle, Address, ATLAS_REGISTERS,
                                           FALSE, FALSE, MmNonCached, &Mapped);
    if (!NT_SUCCESS(Status))
        return Status;
    Adapter->Registers = (volatile UCHAR *)Mapped;
    if (AtlasRead(Adapter, ATLAS_ID) != ATLAS_ID_VALUE)
        return STATUS_DEVICE_CONFIGURATION_ERROR;
    Adapter->MemorySize =
        min(Adapter->MemorySize, (SIZE_T)AtlasRead(Adapter, ATLAS_MEMORY) << PAGE_SHIFT);
    return STATUS_SUCCESS;
}

static VOID UnmapRegisters(struct atlas_adapter *Adapter)
{
    if (Adapter->Registers)
        Adapter->Dxgk.DxgkCbUnmapMemory(Adapter->Dxgk.DeviceHandle, (PVOID)Adapter->Registers);
    Adapter->Registers = NULL;
}

/* ---- life ---- */

static NTSTATUS AddDevice(CONST PDEVICE_OBJECT PhysicalDeviceObject, PVOID *Context)
{
    struct atlas_adapter *Adapter;

    UNREFERENCED_PARAMETER(PhysicalDeviceObject);
    Adapter =
        (struct atlas_adapter *)ExAllocatePoolWithTag(NonPagedPoolNx, sizeof(*Adapter), ATLAS_TAG);
    if (!Adapter)
        return STATUS_NO_MEMORY;
    RtlZeroMemory(Adapter, sizeof(*Adapter));
    *Context = Adapter;
    return STATUS_SUCCESS;
}

static NTSTATUS FindHardware(struct atlas_adapter *Adapter)
{
    DXGK_DEVICE_INFO Info;
    PHYSICAL_ADDRESS Registers;
    NTSTATUS Status;

    RtlZeroMemory(&Info, sizeof(Info));
    Status = Adapter->Dxgk.DxgkCbGetDeviceInformation(Adapter->Dxgk.DeviceHandle, &Info);
    if (NT_SUCCESS(Status))
        Status = CheckIds(Adapter);
    if (NT_SUCCESS(Status))
        Status = FindRanges(Adapter, Info.TranslatedResourceList, &Registers);
    if (NT_SUCCESS(Status))
        Status = MapRegisters(Adapter, Registers);
    return Status;
}

/* A render-only adapter: it says so by having neither video present sources nor children. */
static NTSTATUS StartDevice(CONST PVOID Context, DXGK_START_INFO *Info, DXGKRNL_INTERFACE *Dxgk,
                            ULONG *Sources, ULONG *Children)
{
    struct atlas_adapter *Adapter = (struct atlas_adapter *)Context;
    NTSTATUS Status;

    /* So many submissions may be in the ring at once; if they had no room, better not start. */
    if (Info->RequiredDmaQueueEntry > ATLAS_ENTRIES - 1)
        return STATUS_INSUFFICIENT_RESOURCES;
    Adapter->Dxgk = *Dxgk;
    *Sources = *Children = 0;
    Status = FindHardware(Adapter);
    if (NT_SUCCESS(Status))
        Status = AtlasStart(Adapter);
    if (!NT_SUCCESS(Status)) /* DxgkDdiStopDevice is not called for what did not start */
        UnmapRegisters(Adapter);
    return Status;
}

static NTSTATUS StopDevice(CONST PVOID Context)
{
    struct atlas_adapter *Adapter = (struct atlas_adapter *)Context;

    AtlasStop(Adapter);
    UnmapRegisters(Adapter);
    return STATUS_SUCCESS;
}

static NTSTATUS RemoveDevice(CONST PVOID Context)
{
    ExFreePoolWithTag((PVOID)Context, ATLAS_TAG);
    return STATUS_SUCCESS;
}

static VOID Unload(VOID)
{
}

/* ---- the table ---- */

static VOID NameAdapter(DRIVER_INITIALIZATION_DATA *Data)
{
    Data->Version = DXGKDDI_INTERFACE_VERSION;
    Data->DxgkDdiAddDevice = AddDevice;
    Data->DxgkDdiStartDevice = StartDevice;
    Data->DxgkDdiStopDevice = StopDevice;
    Data->DxgkDdiRemoveDevice = RemoveDevice;
    Data->DxgkDdiUnload = Unload;
    Data->DxgkDdiInterruptRoutine = AtlasInterruptRoutine;
    Data->DxgkDdiDpcRoutine = AtlasDpcRoutine;
    Data->DxgkDdiQueryAdapterInfo = AtlasQueryAdapterInfo;
    Data->DxgkDdiGetNodeMetadata = AtlasGetNodeMetadata;
    Data->DxgkDdiQueryCurrentFence = AtlasQueryCurrentFence;
    Data->DxgkDdiQueryEngineStatus = AtlasQueryEngineStatus;
    Data->DxgkDdiQueryDependentEngineGroup = AtlasQueryDependentEngineGroup;
    Data->DxgkDdiResetEngine = AtlasResetEngine;
    Data->DxgkDdiResetFromTimeout = AtlasResetFromTimeout;
    Data->DxgkDdiRestartFromTimeout = AtlasRestartFromTimeout;
}

static VOID NameWork(DRIVER_INITIALIZATION_DATA *Data)
{
    Data->DxgkDdiCreateProcess = AtlasCreateProcess;
    Data->DxgkDdiDestroyProcess = AtlasDestroyProcess;
    Data->DxgkDdiCreateDevice = AtlasCreateDevice;
    Data->DxgkDdiDestroyDevice = AtlasDestroyDevice;
    Data->DxgkDdiCreateContext = AtlasCreateContext;
    Data->DxgkDdiDestroyContext = AtlasDestroyContext;
    Data->DxgkDdiCreateAllocation = AtlasCreateAllocation;
    Data->DxgkDdiDestroyAllocation = AtlasDestroyAllocation;
    Data->DxgkDdiOpenAllocation = AtlasOpenAllocation;
    Data->DxgkDdiCloseAllocation = AtlasCloseAllocation;
    Data->DxgkDdiBuildPagingBuffer = AtlasBuildPagingBuffer;
    Data->DxgkDdiSetRootPageTable = AtlasSetRootPageTable;
    Data->DxgkDdiSubmitCommandVirtual = AtlasSubmitCommandVirtual;
    Data->DxgkDdiPreemptCommand = AtlasPreemptCommand;
}

DRIVER_INITIALIZE DriverEntry;

NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath)
{
    DRIVER_INITIALIZATION_DATA Data;

    RtlZeroMemory(&Data, sizeof(Data));
    NameAdapter(&Data);
    NameWork(&Data);
    return DxgkInitialize(DriverObject, RegistryPath, &Data);
}
