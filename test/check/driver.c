/* driver.c: a small miniport, and its wrong brothers.
 *
 * It is what `vidmm check` is tried on: one memory segment (BAR 0, which the CPU sees), one
 * aperture segment whose table the CPU writes, paging buffers of 4 KiB, and a GPU that is a system
 * thread. A command moves or fills a page; a transfer of many pages takes several paging buffers.
 * It compiles for every DXGKDDI_INTERFACE_VERSION, as C and as C++.
 *
 *     gpu.h   paging.h   virtual.h   submit.h   timeout.h   query.h   objects.h   display.h
 *     look.h  private.h  wrong.h     late.h     hostile.h   throws.h  statuses.h
 *     level.h gap.h
 *
 * The registry value Broken names the one way in which it is wrong; without it, it is right.
 */
#include <ntddk.h>
#include <ntstrsafe.h>
#include <dispmprt.h>
#include <d3dkmddi.h>

#define TAG 'tseT'
#define MEMORY_BASE 0x40000000ull
#define APERTURE_BASE 0x80000000ull
#define APERTURE_PAGES 65536
#define QUEUE 64
#define PAGING_BUFFER 4096 /* bytes */
#define PRIVATE_DATA 64
#define HAS_MMU (DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0)

#ifdef APERTURE_ONLY /* with no memory segment */
enum { APERTURE_SEGMENT = 1, SEGMENTS = 1, MEMORY_SEGMENT = 99, BY_ADDRESS = 100 };
#else
enum { MEMORY_SEGMENT = 1, APERTURE_SEGMENT = 2, SEGMENTS = 2, BY_ADDRESS = 100 };
#endif
enum { LEVELS = 2, ENTRY_BITS = 9 };

struct command {
    ULONG Kind; /* 0: copy, 1: fill */
    ULONG Pattern;
    ULONG SourceSegment, DestinationSegment; /* 0: physical address; BY_ADDRESS: by page tables */
    ULONG64 Source, Destination;
    ULONG64 Size;
};

struct submission {
    ULONG Segment, Start, End, Fence;
    ULONG64 Address;
    BOOLEAN IsPrivate; /* ... and a command from its private data */
    struct command Private;
};

struct device {
    PDEVICE_OBJECT Object;
    DXGKRNL_INTERFACE Dxgk;
    UCHAR *Video;
    ULONG64 VideoAddress, VideoSize;
    PVOID FirstPage;                  /* a second mapping of it; NULL: none */
    PVOID Kept;                       /* memory of "keep_..."; NULL: none */
    ULONG64 Aperture[APERTURE_PAGES]; /* physical addresses; 0: nothing */
    KSPIN_LOCK Lock;
    struct submission Queue[QUEUE];
    ULONG First, Count, Done, Submitted, Patched;
    UCHAR *Registers; /* BAR 1; NULL: none */
    UCHAR *View;      /* BAR 0, of a device whose BAR 1 shows the aperture to the CPU; NULL: none */
    ULONG64 ViewAddress;
    volatile ULONG Resets;
    KEVENT Work;
    PVOID Thread;
    BOOLEAN Stop;
    DXGK_DEVICEINFO Info;
    HANDLE ContextAllocation;
    ULONG Mmu; /* it has page tables */
    ULONG RootSegment, RootEntries;
    ULONG64 Root;            /* offset in the segment, or physical address */
    UCHAR Zeroes[PAGE_SIZE]; /* what entries with Zero lead to */
    BOOLEAN Fault;           /* the packet that runs has come to no page */
    BOOLEAN Reset;
    BOOLEAN Asleep;         /* its GPU has no power: nothing is executed */
    BOOLEAN IsCopy;         /* a device of its own, which is freed */
    struct allocation *One; /* the newest */
    char Broken[32];
};

struct allocation {
    SIZE_T Size;
    ULONG64 Place;               /* in the memory segment, when it was last there */
    const struct device *Opener; /* the device that opened it first */
};

static BOOLEAN Is(const struct device *Device, const char *Name)
{
    return strcmp(Device->Broken, Name) == 0;
}

/* The word of flags in "segment 2004" or "allocation 801"; Otherwise if there is none. */
static ULONG FlagsOf(const struct device *Device, const char *Whose, ULONG Otherwise)
{
    const char *Digit = Device->Broken + strlen(Whose);
    ULONG Value = 0;

    if (strncmp(Device->Broken, Whose, strlen(Whose)) != 0)
        return Otherwise;
    for (; *Digit; Digit++)
        Value = Value << 4 | (ULONG)(*Digit > '9' ? *Digit - 'a' + 10 : *Digit - '0');
    return Value;
}

#include "gap.h"
#include "level.h"
#include "throws.h"
#include "gpu.h"
#include "paging.h"
#include "submit.h"
#include "timeout.h"
#include "query.h"
#include "objects.h"
#include "look.h"

#ifdef WITH_DISPLAY
#include "display.h"
#endif

/* ---- interrupts ---- */

static BOOLEAN InterruptRoutine(CONST PVOID Context, ULONG Message)
{
    (void)Message;
    if (Is((const struct device *)Context, "throws_interrupt"))
        Throw();
    return FALSE;
}

static VOID DpcRoutine(CONST PVOID Context)
{
    struct device *Device = (struct device *)Context;

    if (Is(Device, "throws_dpc"))
        Throw();
    Device->Dxgk.DxgkCbNotifyDpc(Device->Dxgk.DeviceHandle);
}

/* ---- life ---- */

static NTSTATUS AddDevice(CONST PDEVICE_OBJECT Object, PVOID *Context)
{
    struct device *Device =
        (struct device *)ExAllocatePoolWithTag(NonPagedPool, sizeof(*Device), TAG);

    if (!Device)
        return STATUS_NO_MEMORY;
    RtlZeroMemory(Device, sizeof(*Device));
    Device->Object = Object;
    KeInitializeSpinLock(&Device->Lock);
    KeInitializeEvent(&Device->Work, SynchronizationEvent, FALSE);
    *Context = Device;
    return STATUS_SUCCESS;
}

static ULONG ReadValue(HANDLE Key, PCWSTR Text, UCHAR *Buffer, ULONG Room)
{
    KEY_VALUE_PARTIAL_INFORMATION *Value = (KEY_VALUE_PARTIAL_INFORMATION *)Buffer;
    UNICODE_STRING Name;
    ULONG Size;

    RtlInitUnicodeString(&Name, Text);
    return NT_SUCCESS(ZwQueryValueKey(Key, &Name, KeyValuePartialInformation, Value, Room, &Size))
               ? Value->DataLength
               : 0;
}

/* Broken: how it is wrong. VideoSize: how much of its memory it uses. */
static void ReadRegistry(struct device *Device, UNICODE_STRING *Path)
{
    ULONG64 Buffer[32];
    KEY_VALUE_PARTIAL_INFORMATION *Value = (KEY_VALUE_PARTIAL_INFORMATION *)Buffer;
    OBJECT_ATTRIBUTES Attributes;
    HANDLE Key;
    ULONG Length, i;

    InitializeObjectAttributes(&Attributes, Path, OBJ_KERNEL_HANDLE, NULL, NULL);
    if (!NT_SUCCESS(ZwOpenKey(&Key, KEY_READ, &Attributes)))
        return;
    Length = ReadValue(Key, L"Broken", (UCHAR *)Buffer, sizeof(Buffer));
    for (i = 0; i + 1 < sizeof(Device->Broken) && i * 2 < Length; i++)
        Device->Broken[i] = (char)((WCHAR *)Value->Data)[i];
    Length = ReadValue(Key, L"VideoSize", (UCHAR *)Buffer, sizeof(Buffer));
    if (Length == sizeof(ULONG))
        Device->VideoSize = *(ULONG UNALIGNED *)Value->Data;
    if (ReadValue(Key, L"Mmu", (UCHAR *)Buffer, sizeof(Buffer)) == sizeof(ULONG))
        Device->Mmu = *(ULONG UNALIGNED *)Value->Data;
    if (!Is(Device, "handle"))
        ZwClose(Key);
}

#include "statuses.h"

#define REGISTERS 65536 /* bytes */

/* BAR 1, if it is as the configuration has it by default: registers. */
static NTSTATUS FindRegisters(struct device *Device, CM_PARTIAL_RESOURCE_LIST *List)
{
    ULONG i;

    for (i = 0; i < List->Count; i++)
        if (List->PartialDescriptors[i].Type == CmResourceTypeMemory &&
            !(List->PartialDescriptors[i].Flags & CM_RESOURCE_MEMORY_PREFETCHABLE) &&
            (List->PartialDescriptors[i].u.Memory.Length == REGISTERS ||
             Is(Device, "throws_interrupt")))
            return Device->Dxgk.DxgkCbMapMemory(Device->Dxgk.DeviceHandle,
                                                List->PartialDescriptors[i].u.Memory.Start,
                                                List->PartialDescriptors[i].u.Memory.Length, FALSE,
                                                FALSE, MmNonCached, (PVOID *)&Device->Registers);
    return STATUS_SUCCESS;
}

/* BAR 1 is what shows the aperture, and registers say which pages: "view...". Takes both away. */
static NTSTATUS FindView(struct device *Device, CM_PARTIAL_RESOURCE_LIST *List)
{
    CM_PARTIAL_RESOURCE_DESCRIPTOR *Registers = NULL, *View = NULL;
    ULONG i;

    for (i = 0; i < List->Count && !View; i++)
        if (List->PartialDescriptors[i].Type == CmResourceTypeMemory) {
            if (Registers)
                View = &List->PartialDescriptors[i];
            else
                Registers = &List->PartialDescriptors[i];
        }
    if (!View)
        return STATUS_DEVICE_CONFIGURATION_ERROR;
    Device->ViewAddress = (ULONG64)View->u.Memory.Start.QuadPart;
    View->Type = CmResourceTypeNull;
    return Device->Dxgk.DxgkCbMapMemory(Device->Dxgk.DeviceHandle, Registers->u.Memory.Start,
                                        Registers->u.Memory.Length, FALSE, FALSE, MmNonCached,
                                        (PVOID *)&Device->View);
}

/* The first BAR of memory, which unlike registers may be read ahead, is the video memory. */
static NTSTATUS FindVideo(struct device *Device, CM_RESOURCE_LIST *Resources)
{
    CM_PARTIAL_RESOURCE_LIST *List;
    PHYSICAL_ADDRESS Start;
    NTSTATUS Status;
    ULONG i;

    if (!Resources)
        return STATUS_DEVICE_CONFIGURATION_ERROR;
    List = &Resources->List[0].PartialResourceList;
    Status = strncmp(Device->Broken, "view", 4) == 0 ? FindView(Device, List)
                                                     : FindRegisters(Device, List);
    if (!NT_SUCCESS(Status))
        return Status;
    if (Is(Device, "look"))
        Look(Device, List);
    for (i = 0; i < List->Count; i++) {
        if (List->PartialDescriptors[i].Type != CmResourceTypeMemory ||
            !(List->PartialDescriptors[i].Flags & CM_RESOURCE_MEMORY_PREFETCHABLE))
            continue;
        Start = List->PartialDescriptors[i].u.Memory.Start;
        Device->VideoAddress = (ULONG64)Start.QuadPart;
        if (Device->VideoSize == 0 ||
            Device->VideoSize > List->PartialDescriptors[i].u.Memory.Length)
            Device->VideoSize = List->PartialDescriptors[i].u.Memory.Length;
        return Device->Dxgk.DxgkCbMapMemory(Device->Dxgk.DeviceHandle, Start,
                                            (ULONG)Device->VideoSize, FALSE, FALSE, MmCached,
                                            (PVOID *)&Device->Video);
    }
    return STATUS_DEVICE_CONFIGURATION_ERROR;
}

/* The first page of the video memory, by the kernel's own routine: "unmap_io...". */
static void MapFirst(struct device *Device)
{
    PHYSICAL_ADDRESS Start;

    Start.QuadPart = (LONGLONG)Device->VideoAddress;
    if (strncmp(Device->Broken, "unmap_io", 8) == 0)
        Device->FirstPage = MmMapIoSpace(Start, PAGE_SIZE, MmCached);
}

static void UnmapFirst(struct device *Device)
{
    if (Device->FirstPage)
        MmUnmapIoSpace(Device->FirstPage, PAGE_SIZE);
    Device->FirstPage = NULL;
}

/* Memory that StartDevice takes: given back by StopDevice ("give_..."), or later ("keep_..."). */
static VOID TakeMemory(struct device *Device)
{
    static const PHYSICAL_ADDRESS Highest = {.QuadPart = MAXLONGLONG};

    if (Is(Device, "give_block") || Is(Device, "keep_block"))
        Device->Kept = ExAllocatePoolWithTag(NonPagedPool, 100, TAG);
    if (Is(Device, "give_run") || Is(Device, "keep_run"))
        Device->Kept = MmAllocateContiguousMemory(PAGE_SIZE, Highest);
    if (Is(Device, "give_list") || Is(Device, "keep_list"))
        Device->Kept = IoAllocateMdl(Device, PAGE_SIZE, FALSE, FALSE, NULL);
}

static VOID GiveMemory(struct device *Device)
{
    if (!Device->Kept)
        return;
    if (strcmp(Device->Broken + 5, "block") == 0)
        ExFreePoolWithTag(Device->Kept, TAG);
    else if (strcmp(Device->Broken + 5, "run") == 0)
        MmFreeContiguousMemory(Device->Kept);
    else
        IoFreeMdl((PMDL)Device->Kept);
    Device->Kept = NULL;
}

static NTSTATUS StartDevice(CONST PVOID Context, DXGK_START_INFO *Info, DXGKRNL_INTERFACE *Dxgk,
                            ULONG *Sources, ULONG *Children)
{
    struct device *Device = (struct device *)Context;
    DXGK_DEVICE_INFO DeviceInfo;
    NTSTATUS Status;
    HANDLE Thread;
    ULONG Unset = *Children;

    (void)Info;
    Device->Dxgk = *Dxgk;
#ifdef WITH_DISPLAY
    *Sources = *Children = 1;
#else
    *Sources = *Children = 0;
#endif
    RtlZeroMemory(&DeviceInfo, sizeof(DeviceInfo));
    Status = Dxgk->DxgkCbGetDeviceInformation(Dxgk->DeviceHandle, &DeviceInfo);
    if (!NT_SUCCESS(Status))
        return Status;
    ReadRegistry(Device, &DeviceInfo.DeviceRegistryPath);
    if (__builtin_setjmp(Jump)) /* comes from Deed() */
        return STATUS_SUCCESS;
    if (Is(Device, "start"))
        return STATUS_DEVICE_CONFIGURATION_ERROR;
    Status = MissInStart(Device, Children, Unset);
    if (!NT_SUCCESS(Status))
        return Status;
    Status = FindVideo(Device, DeviceInfo.TranslatedResourceList);
    if (!NT_SUCCESS(Status))
        return Status;
    MapFirst(Device);
    TakeMemory(Device);
#ifdef DISPLAY_ONLY
    Status = TakeFrameBuffer(Device);
    if (!NT_SUCCESS(Status))
        return Status;
#endif
    Status = PsCreateSystemThread(&Thread, THREAD_ALL_ACCESS, NULL, NULL, NULL, Gpu, Device);
    if (!NT_SUCCESS(Status))
        return Status;
    ObReferenceObjectByHandle(Thread, THREAD_ALL_ACCESS, NULL, KernelMode, &Device->Thread, NULL);
    if (Is(Device, "reference"))
        ObReferenceObject(Device->Thread);
    ZwClose(Thread);
    return STATUS_SUCCESS;
}

static NTSTATUS GiveUp(struct device *Device)
{
    Device->Stop = TRUE;
    KeSetEvent(&Device->Work, 0, FALSE);
    KeWaitForSingleObject(Device->Thread, Executive, KernelMode, FALSE, NULL);
    ObDereferenceObject(Device->Thread);
    if (strncmp(Device->Broken, "give_", 5) == 0)
        GiveMemory(Device);
    if (!Is(Device, "unmap_late") && !Is(Device, "unmap_never"))
        Device->Dxgk.DxgkCbUnmapMemory(Device->Dxgk.DeviceHandle, Device->Video);
    if (!Is(Device, "unmap_io_late"))
        UnmapFirst(Device);
    if (Device->View)
        Device->Dxgk.DxgkCbUnmapMemory(Device->Dxgk.DeviceHandle, (PVOID)Device->View);
    if (Device->Registers)
        Device->Dxgk.DxgkCbUnmapMemory(Device->Dxgk.DeviceHandle, (PVOID)Device->Registers);
    return STATUS_SUCCESS;
}

/* If the display is released, this must not be called. */
static NTSTATUS StopDevice(CONST PVOID Context)
{
    struct device *Device = (struct device *)Context;

    if (strncmp(Device->Broken, "release", 7) == 0 && !Is(Device, "release_fails"))
        return STATUS_SUCCESS; /* and what it took stays: a finding */
    return GiveUp(Device);
}

/* Without power the video memory forgets, unless the driver keeps it: "power_keeps_...". */
static BOOLEAN Forgets(const struct device *Device, POWER_ACTION Action)
{
    if (Is(Device, "power_keeps_all"))
        return Action != PowerActionSleep && Action != PowerActionHibernate;
    if (Is(Device, "power_keeps"))
        return Action != PowerActionSleep;
    return Is(Device, "power_forgets") || Is(Device, "power_keeps_none");
}

/* The GPU works in D0 alone. */
static NTSTATUS SetPowerState(CONST PVOID Context, ULONG Uid, DEVICE_POWER_STATE State,
                              POWER_ACTION Action)
{
    struct device *Device = (struct device *)Context;

    if (Uid != DISPLAY_ADAPTER_HW_ID)
        return STATUS_SUCCESS;
    if (State != PowerDeviceD0 && Forgets(Device, Action))
        RtlZeroMemory(Device->Video, Device->VideoSize);
    if (State != PowerDeviceD0)
        Device->Asleep = TRUE;
    else if (!Is(Device, "power_action") || Action != PowerActionNone)
        Device->Asleep = FALSE;
    return Is(Device, "power_fails") ? STATUS_UNSUCCESSFUL : STATUS_SUCCESS;
}

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* With a display of the firmware's: the resources that StartDevice took are given up here, and
 * StopDevice, which is called if this fails, gives up nothing twice. */
static NTSTATUS ReleaseDisplay(PVOID Context, D3DDDI_VIDEO_PRESENT_TARGET_ID Target,
                               PDXGK_DISPLAY_INFORMATION Information)
{
    struct device *Device = (struct device *)Context;

    if (Is(Device, "release_fails"))
        return STATUS_UNSUCCESSFUL;
    if (Is(Device, "release_leaks"))
        return STATUS_SUCCESS;
    RtlZeroMemory(Information, sizeof(*Information));
    Information->TargetId = Target;
    Information->ColorFormat = D3DDDIFMT_X8R8G8B8;
    return GiveUp(Device);
}
#endif

static NTSTATUS RemoveDevice(CONST PVOID Context)
{
    struct device *Device = (struct device *)Context;

    if (Is(Device, "unmap_late"))
        Device->Dxgk.DxgkCbUnmapMemory(Device->Dxgk.DeviceHandle, Device->Video);
    UnmapFirst(Device);
    GiveMemory(Device);
    ExFreePoolWithTag(Context, TAG);
    return STATUS_SUCCESS;
}

static VOID Unload(VOID)
{
    AwaitLateCalls();
}

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
#define RELEASE_ENTRY(Data) Data.DxgkDdiStopDeviceAndReleasePostDisplayOwnership = ReleaseDisplay
#else
#define RELEASE_ENTRY(Data) (void)Data
#endif

/* The entries that every kind of driver has. */
#define COMMON_ENTRIES(Data)                                                                       \
    Data.Version = DXGKDDI_INTERFACE_VERSION;                                                      \
    Data.DxgkDdiAddDevice = AddDevice;                                                             \
    Data.DxgkDdiStartDevice = StartDevice;                                                         \
    Data.DxgkDdiStopDevice = StopDevice;                                                           \
    Data.DxgkDdiRemoveDevice = RemoveDevice;                                                       \
    Data.DxgkDdiUnload = Unload;                                                                   \
    Data.DxgkDdiInterruptRoutine = InterruptRoutine;                                               \
    Data.DxgkDdiDpcRoutine = DpcRoutine;                                                           \
    Data.DxgkDdiQueryAdapterInfo = QueryAdapterInfo;                                               \
    RELEASE_ENTRY(Data)

/* The entries of a driver with a screen. */
#define DISPLAY_ENTRIES(Data)                                                                      \
    Data.DxgkDdiQueryChildRelations = QueryChildRelations;                                         \
    Data.DxgkDdiQueryChildStatus = QueryChildStatus;                                               \
    Data.DxgkDdiIsSupportedVidPn = IsSupportedVidPn;                                               \
    Data.DxgkDdiRecommendFunctionalVidPn = RecommendFunctionalVidPn;                               \
    Data.DxgkDdiEnumVidPnCofuncModality = EnumVidPnCofuncModality;                                 \
    Data.DxgkDdiCommitVidPn = CommitVidPn;                                                         \
    Data.DxgkDdiSetVidPnSourceVisibility = SetVidPnSourceVisibility

#ifdef DISPLAY_ONLY
NTSTATUS DriverEntry(PDRIVER_OBJECT Object, PUNICODE_STRING Path)
{
    KMDDOD_INITIALIZATION_DATA Data;

    RtlZeroMemory(&Data, sizeof(Data));
    COMMON_ENTRIES(Data);
    DISPLAY_ENTRIES(Data);
    Data.DxgkDdiPresentDisplayOnly = PresentDisplayOnly;
    return DxgkInitializeDisplayOnlyDriver(Object, Path, &Data);
}
#else
NTSTATUS DriverEntry(PDRIVER_OBJECT Object, PUNICODE_STRING Path)
{
    DRIVER_INITIALIZATION_DATA Data;

    RtlZeroMemory(&Data, sizeof(Data));
    COMMON_ENTRIES(Data);
    Data.DxgkDdiCreateDevice = CreateDevice;
    Data.DxgkDdiDestroyDevice = DestroyDevice;
    Data.DxgkDdiCreateContext = CreateContext;
    Data.DxgkDdiDestroyContext = DestroyContext;
    Data.DxgkDdiCreateAllocation = CreateAllocation;
    Data.DxgkDdiDestroyAllocation = DestroyAllocation;
    Data.DxgkDdiOpenAllocation = OpenAllocation;
    Data.DxgkDdiCloseAllocation = CloseAllocation;
    Data.DxgkDdiGetStandardAllocationDriverData = GetStandard;
    Data.DxgkDdiEscape = Escape;
    Data.DxgkDdiBuildPagingBuffer = BuildPagingBuffer;
    Data.DxgkDdiSubmitCommand = SubmitCommand;
    Data.DxgkDdiPreemptCommand = PreemptCommand;
    Data.DxgkDdiQueryCurrentFence = QueryCurrentFence;
    Data.DxgkDdiResetFromTimeout = ResetFromTimeout;
    Data.DxgkDdiRestartFromTimeout = RestartFromTimeout;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    Data.DxgkDdiQueryDependentEngineGroup = QueryDependentEngineGroup;
    Data.DxgkDdiQueryEngineStatus = QueryEngineStatus;
#ifndef NO_RESET_ENGINE
    Data.DxgkDdiResetEngine = ResetEngine;
#endif
#endif
    Data.DxgkDdiSetPowerState = SetPowerState;
    Data.DxgkDdiPatch = Patch;
    Data.DxgkDdiAcquireSwizzlingRange = AcquireRange;
    Data.DxgkDdiReleaseSwizzlingRange = ReleaseRange;
#if defined(NO_RENDER) || defined(WITH_PRESENT)
    Data.DxgkDdiPresent = Present;
#endif
#ifndef NO_RENDER
    Data.DxgkDdiRender = Render;
#endif
#ifdef WITH_DISPLAY
    DISPLAY_ENTRIES(Data);
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
    Data.DxgkDdiGetNodeMetadata = GetNodeMetadata;
#endif
#if HAS_MMU
    Data.DxgkDdiCreateProcess = CreateProcess;
    Data.DxgkDdiDestroyProcess = DestroyProcess;
    Data.DxgkDdiSetRootPageTable = SetRootPageTable;
    Data.DxgkDdiGetRootPageTableSize = GetRootPageTableSize;
    Data.DxgkDdiSubmitCommandVirtual = SubmitCommandVirtual;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
    Data.DxgkDdiSubmitCommandToHwQueue = SubmitCommandToHwQueue;
#endif
#endif
    Lie(Path, (PVOID *)&Data.DxgkDdiAddDevice,
        (sizeof(Data) - FIELD_OFFSET(DRIVER_INITIALIZATION_DATA, DxgkDdiAddDevice)) /
            sizeof(PVOID));
    return DxgkInitialize(Object, Path, &Data);
}
#endif
