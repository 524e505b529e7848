/* objects.h: devices, contexts, allocations. */

static NTSTATUS APIENTRY CreateDevice(CONST HANDLE Adapter, DXGKARG_CREATEDEVICE *Arg)
{
    struct device *Device = (struct device *)Adapter;
    BOOLEAN Own = Is(Device, "device_kept") && !Arg->Flags.SystemDevice;

    Device->Info.AllocationListSize = 64;
    Device->Info.PatchLocationListSize = 96;
    Device->Info.DmaBufferSize = 4096;
    Arg->hDevice = Adapter;
    if (!Is(Device, "context_flags")) /* contexts say it; then Flags are left as they came */
        Arg->pInfo = &Device->Info;   /* takes the place of Flags, which are input */
    if (Own) {
        Arg->hDevice = ExAllocatePoolWithTag(NonPagedPool, sizeof(*Device), TAG);
        if (!Arg->hDevice)
            return STATUS_NO_MEMORY;
        RtlCopyMemory(Arg->hDevice, Device, sizeof(*Device));
        ((struct device *)Arg->hDevice)->IsCopy = TRUE;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY DestroyDevice(CONST HANDLE Handle)
{
    struct device *Device = (struct device *)Handle;

    if (Device->IsCopy)
        ExFreePoolWithTag(Device, TAG);
    return STATUS_SUCCESS;
}

#define HAS_CONTEXT_ALLOCATIONS (DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8)

#if HAS_CONTEXT_ALLOCATIONS
/* Two pages in the memory segment for what a context keeps. */
static NTSTATUS MakeContextAllocation(struct device *Device)
{
    DXGKARGCB_CREATECONTEXTALLOCATION Make;
    NTSTATUS Status;

    RtlZeroMemory(&Make, sizeof(Make));
    Make.hAdapter = Device->Dxgk.DeviceHandle;
    Make.hDriverAllocation = Device;
    Make.Size = 2 * PAGE_SIZE;
    Make.Alignment = PAGE_SIZE;
    Make.SupportedSegmentSet = 1;
    Make.Flags.CpuVisible = 1;
    Status = Device->Dxgk.DxgkCbCreateContextAllocation(&Make);
    Device->ContextAllocation = Make.hAllocation;
    return Status;
}
#endif

#if HAS_MMU
/* A page and a half, and a pattern for all of it. */
static NTSTATUS MakeContext(struct device *Device)
{
    DXGKARGCB_CREATECONTEXTALLOCATION Make;
    DXGKARGCB_UPDATECONTEXTALLOCATION Update;
    ULONG Pattern = 0xC0DEC0DE;
    NTSTATUS Status;

    RtlZeroMemory(&Make, sizeof(Make));
    Make.hAdapter = Device->Dxgk.DeviceHandle;
    Make.hDriverAllocation = Device;
    Make.Size = PAGE_SIZE + PAGE_SIZE / 2;
    Make.SupportedSegmentSet = 1;
    Status = Device->Dxgk.DxgkCbCreateContextAllocation(&Make);
    if (!NT_SUCCESS(Status))
        return Status;
    Device->ContextAllocation = Make.hAllocation;
    Update.hAllocation = Make.hAllocation;
    Update.pPrivateDriverData = &Pattern;
    Update.PrivateDriverDataSize = sizeof(Pattern);
    return Device->Dxgk.DxgkCbUpdateContextAllocation(Device->Dxgk.DeviceHandle, &Update);
}
#endif

static NTSTATUS APIENTRY CreateContext(CONST HANDLE Device, DXGKARG_CREATECONTEXT *Arg)
{
#if HAS_CONTEXT_ALLOCATIONS
    if (Is((struct device *)Device, "context") || Is((struct device *)Device, "context_past") ||
        Is((struct device *)Device, "context_left")) {
        if (!Arg->Flags.SystemContext && MakeContextAllocation((struct device *)Device))
            return STATUS_NO_MEMORY;
    }
#endif
#if HAS_MMU
    if (strncmp(((struct device *)Device)->Broken, "context_update", 14) == 0 &&
        !Arg->Flags.SystemContext && MakeContext((struct device *)Device))
        return STATUS_NO_MEMORY;
#endif
    Arg->hContext = Device;
    Arg->ContextInfo.DmaBufferSize = 4096;
    Arg->ContextInfo.AllocationListSize = 64;
    Arg->ContextInfo.PatchLocationListSize = 96;
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY DestroyContext(CONST HANDLE Context)
{
#if HAS_CONTEXT_ALLOCATIONS
    struct device *Device = (struct device *)Context;

    if (Device->ContextAllocation && !Is(Device, "context_left") &&
        !Is(Device, "context_update_left"))
        Device->Dxgk.DxgkCbDestroyContextAllocation(Device->Dxgk.DeviceHandle,
                                                    Device->ContextAllocation);
    Device->ContextAllocation = NULL;
#else
    (void)Context;
#endif
    return STATUS_SUCCESS;
}

#define FOR_TWO (1ull << 63)     /* in private data: two adapters share it */
#define FOR_DISPLAY (1ull << 62) /* ... it is a primary */
#define HAS_CROSS_ADAPTER (DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3)

#if HAS_CROSS_ADAPTER
/* Rows of whole 128 bytes, four at a time. */
static NTSTATUS GetCrossAdapter(const struct device *Device,
                                DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *Arg)
{
    D3DKMDT_GDISURFACEDATA *Surface = Arg->pCreateGdiSurfaceData;
    UINT Rows = Is(Device, "cross_rows") ? Surface->Height : (Surface->Height + 3) & ~3u;

    if (Is(Device, "cross_none"))
        return STATUS_NOT_SUPPORTED;
    Arg->AllocationPrivateDriverDataSize = sizeof(ULONG64);
    Arg->ResourcePrivateDriverDataSize = 0;
    if (!Arg->pAllocationPrivateDriverData)
        return STATUS_SUCCESS;
    Surface->Pitch = (Surface->Width * 4 + 127) & ~127u;
    if (Is(Device, "cross_pitch"))
        Surface->Pitch = Surface->Width * 4;
    if (Is(Device, "cross_narrow"))
        Surface->Pitch = 128;
    *(ULONG64 *)Arg->pAllocationPrivateDriverData = FOR_TWO | (ULONG64)Surface->Pitch * Rows;
    return STATUS_SUCCESS;
}
#endif

/* Another adapter reaches the aperture alone. */
static void DescribeForTwo(const struct device *Device, DXGK_ALLOCATIONINFO *Info)
{
    ULONG Sets = Is(Device, "cross_segments") ? 3 : 2;

    Info->SupportedReadSegmentSet = Info->SupportedWriteSegmentSet = Sets;
    Info->EvictionSegmentSet = 0;
    if (Is(Device, "cross_swizzled"))
        Info->Flags.Swizzled = 1;
    if (Is(Device, "cross_cached"))
        Info->Flags.Cached = 1;
}

/* The private data is the size. */
static NTSTATUS APIENTRY GetStandard(CONST HANDLE Adapter,
                                     DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *Arg)
{
    if (Is((struct device *)Adapter, "no_standard"))
        return STATUS_NOT_SUPPORTED;
#if HAS_CROSS_ADAPTER
    if (Arg->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_GDISURFACE &&
        Arg->pCreateGdiSurfaceData->Type == D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER)
        return GetCrossAdapter((struct device *)Adapter, Arg);
#endif
    if (strncmp(((struct device *)Adapter)->Broken, "primary", 7) == 0 &&
        Arg->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE) {
        D3DKMDT_SHAREDPRIMARYSURFACEDATA *Primary = Arg->pCreateSharedPrimarySurfaceData;

        if (Arg->pAllocationPrivateDriverData)
            *(ULONG64 *)Arg->pAllocationPrivateDriverData =
                FOR_DISPLAY | (ULONG64)Primary->Width * 4 * Primary->Height;
        Arg->AllocationPrivateDriverDataSize = sizeof(ULONG64);
        Arg->ResourcePrivateDriverDataSize = 0;
        return STATUS_SUCCESS;
    }
    if (Arg->StandardAllocationType != D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE)
        return STATUS_NOT_SUPPORTED;
    Arg->AllocationPrivateDriverDataSize = sizeof(ULONG64);
    Arg->ResourcePrivateDriverDataSize = 0;
    if (!Arg->pAllocationPrivateDriverData) { /* it asks for sizes alone */
        if (Is((struct device *)Adapter, "pitch_early") ||
            Is((struct device *)Adapter, "missing_later") ||
            Misses((struct device *)Adapter, "missing_pitch"))
            Arg->pCreateShadowSurfaceData->Pitch = 4096;
        return STATUS_SUCCESS;
    }
    (void)Misses((struct device *)Adapter, "missing_later");
    Arg->pCreateShadowSurfaceData->Pitch = Arg->pCreateShadowSurfaceData->Width * 4;
    *(ULONG64 *)Arg->pAllocationPrivateDriverData =
        (ULONG64)Arg->pCreateShadowSurfaceData->Pitch * Arg->pCreateShadowSurfaceData->Height;
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY CreateAllocation(CONST HANDLE Adapter, DXGKARG_CREATEALLOCATION *Arg)
{
    struct device *Device = (struct device *)Adapter;
    DXGK_ALLOCATIONINFO *Info = Arg->pAllocationInfo;
    struct allocation *Allocation;

    if (Arg->NumAllocations != 1 && !Is(Device, "unasked"))
        return STATUS_INVALID_PARAMETER;
    if (Info->PrivateDriverDataSize != sizeof(ULONG64) && !Is(Device, "short_private"))
        return STATUS_INVALID_PARAMETER;
    Allocation = (struct allocation *)ExAllocatePoolWithTag(NonPagedPool, sizeof(*Allocation), TAG);
    if (!Allocation)
        return STATUS_NO_MEMORY;
    Allocation->Size = (SIZE_T)(*(ULONG64 *)Info->pPrivateDriverData & ~(FOR_TWO | FOR_DISPLAY));
    Allocation->Opener = NULL;
    Info->Size = Allocation->Size;
    Info->SupportedReadSegmentSet = Info->SupportedWriteSegmentSet = (1 << SEGMENTS) - 1;
    if (SEGMENTS == 2 && strncmp(Device->Broken, "evict_none", 10) != 0)
        Info->EvictionSegmentSet = 2;
    if (Is(Device, "aperture_unused")) {
        Info->SupportedReadSegmentSet = Info->SupportedWriteSegmentSet = 1;
        Info->EvictionSegmentSet = 0;
    }
    if (Is(Device, "set_writes")) { /* it cannot be read from the memory */
        Info->SupportedReadSegmentSet = 2;
        Info->SupportedWriteSegmentSet = 3;
    }
    if (Is(Device, "set_reads") || Is(Device, "set_true")) { /* it cannot be in the aperture */
        Info->SupportedReadSegmentSet = Is(Device, "set_true") ? 3 : 1;
        Info->SupportedWriteSegmentSet = Is(Device, "set_true") ? 1 : 3;
        Info->EvictionSegmentSet = 0;
    }
    if (Is(Device, "bad_set"))
        Info->SupportedReadSegmentSet = 8;
    Info->Flags.CpuVisible = 1;
    Info->Flags.Value = FlagsOf(Device, "allocation_", Info->Flags.Value);
    if (*(ULONG64 *)Info->pPrivateDriverData & FOR_TWO)
        DescribeForTwo(Device, Info);
    Info->AllocationPriority = 0x78000000;
#if HAS_MMU
    if (Device->Mmu)
        Info->FlagsWddm2.AccessedPhysically = Info->FlagsWddm2.ExplicitResidencyNotification = 1;
    if (*(ULONG64 *)Info->pPrivateDriverData & FOR_DISPLAY) { /* the display finds it anyway */
        Info->FlagsWddm2.AccessedPhysically = !Is(Device, "primary_virtual");
        Info->FlagsWddm2.ExplicitResidencyNotification = Is(Device, "primary_notified");
    }
#endif
    if (Is(Device, "one_handle") && Device->One) {
        ExFreePoolWithTag(Allocation, TAG);
        Allocation = Device->One;
    }
    Device->One = Allocation;
    if (Arg->Flags.Resource && !Arg->hResource)
        Arg->hResource = ExAllocatePoolWithTag(NonPagedPool, sizeof(ULONG64), TAG);
    Info->hAllocation = Allocation;
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY DestroyAllocation(CONST HANDLE Adapter,
                                           CONST DXGKARG_DESTROYALLOCATION *Arg)
{
    UINT i;

    for (i = 0; i < Arg->NumAllocations; i++)
        if (!Is((struct device *)Adapter, "leak") && !Is((struct device *)Adapter, "one_handle"))
            ExFreePoolWithTag((PVOID)Arg->pAllocationList[i], TAG);
    if (Arg->hResource && !Is((struct device *)Adapter, "resource_kept") &&
        (Arg->Flags.DestroyResource || Is((struct device *)Adapter, "resource_early")))
        ExFreePoolWithTag(Arg->hResource, TAG);
    return STATUS_SUCCESS;
}

static struct allocation *ObjectOf(const struct device *Device, D3DKMT_HANDLE Handle)
{
    DXGKARGCB_GETHANDLEDATA Question;

    RtlZeroMemory(&Question, sizeof(Question));
    Question.hObject = Handle;
    Question.Type = DXGK_HANDLE_ALLOCATION;
    return (struct allocation *)Device->Dxgk.DxgkCbGetHandleData(&Question);
}

/* A handle may have nothing behind it. */
static NTSTATUS TakeObject(const struct device *Device, D3DKMT_HANDLE Handle)
{
    const struct allocation *Allocation = ObjectOf(Device, Handle);

    if (Is(Device, "null_crash"))
        return *(volatile CONST SIZE_T *)&Allocation->Size ? STATUS_SUCCESS : STATUS_NO_MEMORY;
    if (Allocation || Is(Device, "null_taken"))
        return STATUS_SUCCESS;
    return Is(Device, "null_other") ? STATUS_INVALID_PARAMETER : STATUS_INVALID_HANDLE;
}

/* The message of a program: an allocation, and room for what is known of it. */
struct message {
    ULONG Reserved;
    D3DKMT_HANDLE Handle;
    ULONG64 Size, Place;
};

/* "escape_right", and its wrong brothers; the others know no message. */
static NTSTATUS APIENTRY Escape(CONST HANDLE Adapter, CONST DXGKARG_ESCAPE *Arg)
{
    const struct device *Device = (const struct device *)Adapter;
    struct message *Message = (struct message *)Arg->pPrivateDriverData;
    const struct allocation *Allocation;

    if (strncmp(Device->Broken, "escape_", 7) != 0 || Arg->PrivateDriverDataSize == 0 ||
        (Arg->PrivateDriverDataSize < sizeof(*Message) && !Is(Device, "escape_long")))
        return STATUS_INVALID_PARAMETER;
    Message->Size = Message->Place = 0;
    Allocation = ObjectOf(Device, Message->Handle);
    if (!Allocation && Is(Device, "escape_other"))
        return STATUS_INVALID_PARAMETER;
    if (!Allocation && !Is(Device, "escape_null"))
        return Is(Device, "escape_taken") ? STATUS_SUCCESS : STATUS_INVALID_HANDLE;
    Message->Size = Allocation->Size;
    Message->Place = Allocation->Place;
    return STATUS_SUCCESS;
}

/* A device may go before the allocation does, which another has opened. */
static void KeepOpener(const struct device *Opener, D3DKMT_HANDLE Handle)
{
    struct allocation *Allocation = ObjectOf(Opener, Handle);

    if (Allocation && !Allocation->Opener)
        Allocation->Opener = Opener;
}

static NTSTATUS APIENTRY OpenAllocation(CONST HANDLE Device, CONST DXGKARG_OPENALLOCATION *Arg)
{
    const struct device *Opener = (const struct device *)Device;
    NTSTATUS Status = STATUS_SUCCESS;
    UINT i;

    for (i = 0; i < Arg->NumAllocations; i++) {
        Arg->pOpenAllocation[i].hDeviceSpecificAllocation =
            (HANDLE)(ULONG_PTR)Arg->pOpenAllocation[i].hAllocation;
        if (Is(Opener, "device_kept"))
            KeepOpener(Opener, Arg->pOpenAllocation[i].hAllocation);
        if (strncmp(Opener->Broken, "null_", 5) == 0)
            Status = TakeObject(Opener, Arg->pOpenAllocation[i].hAllocation);
    }
    return Status;
}

static NTSTATUS APIENTRY CloseAllocation(CONST HANDLE Device, CONST DXGKARG_CLOSEALLOCATION *Arg)
{
    (void)Device, (void)Arg;
    return STATUS_SUCCESS;
}

/* A range shows the memory as it is: this GPU knows no other order. With private data it is twice
 * the size. */
static NTSTATUS APIENTRY AcquireRange(CONST HANDLE Adapter, DXGKARG_ACQUIRESWIZZLINGRANGE *Arg)
{
    struct device *Device = (struct device *)Adapter;
    const struct allocation *Allocation = (const struct allocation *)Arg->hAllocation;

    if (Is(Device, "ranges_none"))
        return STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED;
    if (Arg->PrivateDriverData || Is(Device, "ranges_grow"))
        Arg->RangeSize *= 2;
    Arg->CPUTranslatedAddress.QuadPart =
        Is(Device, "ranges_null") ? 0 : (LONGLONG)(Device->VideoAddress + Allocation->Place);
    if (Is(Device, "ranges_shift"))
        Arg->CPUTranslatedAddress.QuadPart += PAGE_SIZE;
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY ReleaseRange(CONST HANDLE Adapter,
                                      CONST DXGKARG_RELEASESWIZZLINGRANGE *Arg)
{
    (void)Arg;
    return Is((struct device *)Adapter, "ranges_kept") ? STATUS_UNSUCCESSFUL : STATUS_SUCCESS;
}
