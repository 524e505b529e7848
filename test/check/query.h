/* query.h: the driver's answers about itself: caps, segments, page tables. */

static void DescribeSegments(struct device *Device, UCHAR *First, SIZE_T Stride)
{
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    DXGK_SEGMENTDESCRIPTOR4 *Memory = (DXGK_SEGMENTDESCRIPTOR4 *)First;
    DXGK_SEGMENTDESCRIPTOR4 *Aperture = (DXGK_SEGMENTDESCRIPTOR4 *)(First + Stride);
#elif DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    DXGK_SEGMENTDESCRIPTOR3 *Memory = (DXGK_SEGMENTDESCRIPTOR3 *)First, *Aperture = Memory + 1;
#else
    DXGK_SEGMENTDESCRIPTOR *Memory = (DXGK_SEGMENTDESCRIPTOR *)First, *Aperture = Memory + 1;
#endif
    (void)Stride;
#ifdef APERTURE_ONLY
    Aperture = Memory;
#else
    Memory->BaseAddress.QuadPart = MEMORY_BASE;
    Memory->CpuTranslatedAddress.QuadPart = (LONGLONG)Device->VideoAddress;
    Memory->Size = Is(Device, "no_size") ? 0 : Device->VideoSize;
    Memory->CommitLimit = Device->VideoSize;
    Memory->Flags.CpuVisible = !Is(Device, "invisible") && !Is(Device, "context_tables_hidden");
    Memory->Flags.PreservedDuringStandby = strncmp(Device->Broken, "power_keeps", 11) == 0;
    Memory->Flags.PreservedDuringHibernate = Is(Device, "power_keeps_all");
    Memory->Flags.Value = FlagsOf(Device, "segment_", Memory->Flags.Value);
#endif
    Aperture->BaseAddress.QuadPart = APERTURE_BASE;
    if (Is(Device, "overlap"))
        Aperture->BaseAddress.QuadPart = MEMORY_BASE;
    Aperture->Size = APERTURE_PAGES * PAGE_SIZE;
    Aperture->CommitLimit = APERTURE_PAGES * PAGE_SIZE;
    Aperture->Flags.Aperture = 1;
    if (Is(Device, "aperture_visible") || Device->View)
        Aperture->Flags.CpuVisible = 1;
    if (Device->View)
        Aperture->CpuTranslatedAddress.QuadPart = (LONGLONG)Device->ViewAddress;
    Aperture->Flags.CacheCoherent = 1;
}

static void QuerySegments(struct device *Device, CONST DXGKARG_QUERYADAPTERINFO *Arg)
{
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    DXGK_QUERYSEGMENTOUT4 *Out = (DXGK_QUERYSEGMENTOUT4 *)Arg->pOutputData;
    SIZE_T Stride = Out->SegmentDescriptorStride;
#elif DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    DXGK_QUERYSEGMENTOUT3 *Out = (DXGK_QUERYSEGMENTOUT3 *)Arg->pOutputData;
    SIZE_T Stride = 0;
#else
    DXGK_QUERYSEGMENTOUT *Out = (DXGK_QUERYSEGMENTOUT *)Arg->pOutputData;
    SIZE_T Stride = 0;
#endif

    if (Out->pSegmentDescriptor == NULL) {
        Out->NbSegment = SEGMENTS;
        return;
    }
    DescribeSegments(Device, (UCHAR *)Out->pSegmentDescriptor, Stride);
    Out->PagingBufferSegmentId = Is(Device, "in_aperture")      ? APERTURE_SEGMENT
                                 : Is(Device, "paging_segment") ? MEMORY_SEGMENT
                                                                : 0;
    Out->PagingBufferSize = PAGING_BUFFER;
    Out->PagingBufferPrivateDataSize =
        strncmp(Device->Broken, "private_", 8) == 0 ? 0 : PRIVATE_DATA;
}

static NTSTATUS APIENTRY QueryAdapterInfo(CONST HANDLE Adapter, CONST DXGKARG_QUERYADAPTERINFO *Arg)
{
    struct device *Device = (struct device *)Adapter;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
    if (Is(Device, "crash_process") &&
        *(const volatile int *)((ULONG_PTR)Arg->hKmdProcessHandle + 0x10) == 0)
        return STATUS_UNSUCCESSFUL;
#endif
    switch (Arg->Type) {
    case DXGKQAITYPE_DRIVERCAPS: {
        DXGK_DRIVERCAPS *Caps = (DXGK_DRIVERCAPS *)Arg->pOutputData;

        RtlZeroMemory(Caps, sizeof(*Caps));
        Caps->HighestAcceptableAddress.QuadPart = -1;
        Caps->MaxAllocationListSlotId = 64;
        if (strncmp(Device->Broken, "context", 7) == 0) {
            Caps->SchedulingCaps.MultiEngineAware = 1;
            Caps->GpuEngineTopology.NbAsymetricProcessingNodes = 1;
        }
        Caps->NumberOfSwizzlingRanges = strncmp(Device->Broken, "ranges", 6) == 0 ? 2 : 0;
        Caps->ApertureSegmentCommitLimit = APERTURE_PAGES * PAGE_SIZE;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
        Caps->SupportPerEngineTDR = TRUE;
        Caps->SupportNonVGA = strncmp(Device->Broken, "release", 7) == 0;
        if (Is(Device, "preempt_ignored")) {
            Caps->SchedulingCaps.MultiEngineAware = Caps->SchedulingCaps.PreemptionAware = 1;
            Caps->GpuEngineTopology.NbAsymetricProcessingNodes = 1;
        }
#endif
#if HAS_MMU
        Caps->MemoryManagementCaps.VirtualAddressingSupported = Device->Mmu;
        Caps->MemoryManagementCaps.GpuMmuSupported = Device->Mmu;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
        Caps->MemoryManagementCaps.CrossAdapterResource = strncmp(Device->Broken, "cross_", 6) == 0;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
        Caps->MemoryManagementCaps.IoMmuSecureModeSupported =
            strncmp(Device->Broken, "iommu_", 6) == 0;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
        Caps->MemoryManagementCaps.MapAperture2Supported = strncmp(Device->Broken, "adl", 3) == 0;
#endif
        if (Is(Device, "past_output"))
            ((volatile UCHAR *)(Caps + 1))[3] = 1;
        return STATUS_SUCCESS;
    }
#if HAS_MMU
    case DXGKQAITYPE_GPUMMUCAPS: {
        DXGK_GPUMMUCAPS *Caps = (DXGK_GPUMMUCAPS *)Arg->pOutputData;

        Caps->PageTableUpdateMode = strncmp(Device->Broken, "context_tables", 14) == 0
                                        ? DXGK_PAGETABLEUPDATE_GPU_PHYSICAL
                                        : DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
        Caps->VirtualAddressBitCount = PAGE_SHIFT + LEVELS * ENTRY_BITS;
        Caps->PageTableLevelCount = LEVELS;
        Caps->ZeroInPteSupported = 1;
        return STATUS_SUCCESS;
    }
    case DXGKQAITYPE_PAGETABLELEVELDESC: {
        DXGK_PAGE_TABLE_LEVEL_DESC *Level = (DXGK_PAGE_TABLE_LEVEL_DESC *)Arg->pOutputData;

        Level->PageTableIndexBitCount = ENTRY_BITS;
        Level->PageTableSizeInBytes = sizeof(DXGK_PTE) << ENTRY_BITS;
        Level->PagingProcessPageTableSegmentId =
            ((DXGK_QUERYPAGETABLELEVELDESCIN *)Arg->pInputData)->LevelIndex == 0 ? MEMORY_SEGMENT
                                                                                 : 0;
        if (strncmp(Device->Broken, "context_tables", 14) == 0)
            Level->PageTableSegmentId = Level->PagingProcessPageTableSegmentId = MEMORY_SEGMENT;
        return STATUS_SUCCESS;
    }
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    case DXGKQAITYPE_QUERYSEGMENT4:
#elif DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    case DXGKQAITYPE_QUERYSEGMENT3:
#else
    case DXGKQAITYPE_QUERYSEGMENT:
#endif
        QuerySegments(Device, Arg);
        return STATUS_SUCCESS;
    default:
        return STATUS_NOT_SUPPORTED;
    }
}

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
/* One node. */
static NTSTATUS APIENTRY GetNodeMetadata(CONST HANDLE Adapter, UINT Node,
                                         DXGKARG_GETNODEMETADATA *Metadata)
{
    (void)Adapter;
    if (Node > 0)
        return STATUS_INVALID_PARAMETER;
    Metadata->EngineType = DXGK_ENGINE_TYPE_3D;
#if HAS_MMU
    Metadata->GpuMmuSupported = ((CONST struct device *)Adapter)->Mmu;
#endif
    return STATUS_SUCCESS;
}
#endif
