/* wrong.h: being wrong while a paging buffer is built. */

static void WaitAtDispatch(struct device *Device)
{
    LARGE_INTEGER Timeout;
    KIRQL Irql;

    Timeout.QuadPart = -10000;
    KeRaiseIrql(DISPATCH_LEVEL, &Irql);
    KeWaitForSingleObject(&Device->Work, Executive, KernelMode, FALSE, &Timeout);
    KeLowerIrql(Irql);
}

/* For builds in which a sanitizer ends it. */
static void ShiftTooFar(volatile ULONG By)
{
    DbgPrint("%d", 1 << By);
}

static void Overrun(void)
{
    UCHAR *Block = (UCHAR *)ExAllocatePoolWithTag(NonPagedPool, 24, TAG);

    if (!Block)
        return;
    ((volatile UCHAR *)Block)[25] = 1;
    ExFreePoolWithTag(Block, TAG);
}

/* An entry that was never in a list: what falls is the kit's own line, compiled into this one. */
static void RemoveUnlinked(void)
{
    static LIST_ENTRY Entry;
    LIST_ENTRY *volatile Unlinked = &Entry;

    RemoveEntryList(Unlinked);
}

static void TouchFreedMdl(void)
{
    UCHAR *Block = (UCHAR *)ExAllocatePoolWithTag(NonPagedPool, PAGE_SIZE, TAG);
    MDL *Mdl = Block ? IoAllocateMdl(Block, PAGE_SIZE, FALSE, FALSE, NULL) : NULL;

    if (!Mdl)
        return;
    MmBuildMdlForNonPagedPool(Mdl);
    IoFreeMdl(Mdl);
    DbgPrint("%p\n", ((volatile MDL *)Mdl)->StartVa);
    ExFreePoolWithTag(Block, TAG);
}

/* A frame of so many bytes, of which the last is written; below it, the kernel's. */
static __attribute__((noinline)) void Deep(struct device *Device, BOOLEAN Print)
{
    volatile UCHAR Room[23 * 1024];

    Room[0] = 1;
    if (Print)
        DbgPrint("%p %d\n", Device, Room[0]);
}

static __attribute__((noinline)) void Deeper(void)
{
    volatile UCHAR Room[26 * 1024];

    Room[0] = 1;
}

/* Deeper and deeper. */
static __attribute__((noinline)) ULONG Dig(volatile ULONG *Depth)
{
    volatile UCHAR Room[2048];

    Room[0] = (UCHAR)++ * Depth;
    return *Depth > 0 ? Dig(Depth) + Room[0] : 0;
}

static VOID DigThread(PVOID Context)
{
    volatile ULONG Depth = 0;

    (void)Context;
    Dig(&Depth);
}

/* __except() has no room there either. */
static void DigGuarded(struct device *Device, BOOLEAN Elsewhere)
{
    HANDLE Thread;

    if (Elsewhere && NT_SUCCESS(PsCreateSystemThread(&Thread, THREAD_ALL_ACCESS, NULL, NULL, NULL,
                                                     DigThread, Device))) {
        ZwClose(Thread);
        return;
    }
    __try {
        DigThread(Device);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        DbgPrint("survived\n");
    }
}

/* By the kernel's own routines: legal, but for a driver that is isolated by an IOMMU. */
static void TakeDirectly(void)
{
    PHYSICAL_ADDRESS Highest;
    PVOID Memory;

    Highest.QuadPart = -1;
    Memory = MmAllocateContiguousMemory(PAGE_SIZE, Highest);
    if (Memory)
        MmFreeContiguousMemory(Memory);
}

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
/* Memory for the GPU by the callbacks; Early: the list ends before its mapping. Above APC_LEVEL
 * none of them may be called: "iommu_high". */
static void TakeIsolated(struct device *Device, BOOLEAN Early)
{
    PVOID Block = ExAllocatePoolWithTag(NonPagedPool, PAGE_SIZE, TAG);
    MDL *Mdl = Block ? IoAllocateMdl(Block, PAGE_SIZE, FALSE, FALSE, NULL) : NULL;
    DXGKARGCB_ALLOCATEPAGESFORMDL Pages;
    DXGKARGCB_FREEPAGESFROMMDL Given;
    DXGKARGCB_UNMAPMDLFROMIOMMU Unmap;
    DXGKARGCB_MAPMDLTOIOMMU Map;

    RtlZeroMemory(&Pages, sizeof(Pages));
    Pages.HighAddress.QuadPart = -1;
    Pages.TotalBytes = 3 * PAGE_SIZE;
    if (NT_SUCCESS(Device->Dxgk.DxgkCbAllocatePagesForMdl(Device->Dxgk.DeviceHandle, &Pages))) {
        Given.hMemoryHandle = Pages.hMemoryHandle;
        Device->Dxgk.DxgkCbFreePagesFromMdl(Device->Dxgk.DeviceHandle, &Given);
    }
    if (!Mdl)
        return;
    MmBuildMdlForNonPagedPool(Mdl);
    Map.pMdl = Mdl;
    if (NT_SUCCESS(Device->Dxgk.DxgkCbMapMdlToIoMmu(Device->Dxgk.DeviceHandle, &Map))) {
        if (Early)
            IoFreeMdl(Mdl);
        Unmap.hMemoryHandle = Map.hMemoryHandle;
        Device->Dxgk.DxgkCbUnmapMdlFromIoMmu(Device->Dxgk.DeviceHandle, &Unmap);
        if (!Early)
            IoFreeMdl(Mdl);
    }
    ExFreePoolWithTag(Block, TAG);
}
#endif

static void Misbehave(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    volatile BOOLEAN Forever = TRUE;
    KIRQL Irql;

    if (Is(Device, "wait"))
        WaitAtDispatch(Device);
    else if (Is(Device, "undefined"))
        ShiftTooFar(Arg->DmaSize);
    else if (Is(Device, "overrun"))
        Overrun();
    else if (Is(Device, "crash_inline"))
        RemoveUnlinked();
    else if (Is(Device, "freed_mdl"))
        TouchFreedMdl();
    else if (Is(Device, "hang"))
        while (Forever)
            YieldProcessor();
    else if (Is(Device, "crash"))
        *(volatile ULONG *)(ULONG_PTR)0x10 = 1;
    else if (Is(Device, "stack_deep"))
        Deeper();
    else if (Is(Device, "stack_nearly"))
        Deep(Device, FALSE);
    else if (Is(Device, "stack_of_kernel"))
        Deep(Device, TRUE);
    else if (Is(Device, "stack_ends") || Is(Device, "stack_ends_thread"))
        DigGuarded(Device, Is(Device, "stack_ends_thread"));
    else if (strncmp(Device->Broken, "late_", 5) == 0)
        BeLate(Device);
    else if (Is(Device, "breaks"))
#if defined(__x86_64__)
        __asm__ volatile("int3");
#else
        __asm__ volatile("brk #0");
#endif
    else if (Is(Device, "missing_falls"))
        *(volatile ULONG *)MmMapLockedPagesWithReservedMapping(NULL, TAG, NULL, MmCached) = 1;
    else if (Misses(Device, "missing_handle"))
        ZwClose((HANDLE)(ULONG_PTR)0x1234);
    else if (Misses(Device, "missing_bug_check"))
        KeBugCheckEx(0x10E, 0xB, 1, 2, 3);
    else if (Is(Device, "bug_check"))
        KeBugCheckEx(0x10E, 0xB, 1, 2, 3);
    else if (Is(Device, "past_buffer"))
        ((volatile UCHAR *)Arg->pDmaBuffer)[Arg->DmaSize] = 1;
    else if (Is(Device, "past_private"))
        ((volatile UCHAR *)Arg->pDmaBufferPrivateData)[Arg->DmaBufferPrivateDataSize] = 1;
    else if (Is(Device, "direct") || Is(Device, "iommu_direct"))
        TakeDirectly();
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
    else if (strncmp(Device->Broken, "iommu_", 6) == 0) {
        if (Is(Device, "iommu_high"))
            KeRaiseIrql(DISPATCH_LEVEL, &Irql);
        TakeIsolated(Device, Is(Device, "iommu_early"));
        if (Is(Device, "iommu_high"))
            KeLowerIrql(Irql);
    }
#endif
    else if (Is(Device, "irql"))
        KeRaiseIrql(DISPATCH_LEVEL, &Irql);
    else
        Deed(Device);
}
