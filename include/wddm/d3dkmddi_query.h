/*
 * d3dkmddi_query.h: the kernel's questions to a driver about itself, segments apart.
 *
 * DxgkDdiQueryAdapterInfo takes a type, an input and an output buffer; this header has the types
 * and most of the buffers. "in" is written by the caller, "out" by the driver.
 */
#ifndef WDDM_D3DKMDDI_QUERY_H
#define WDDM_D3DKMDDI_QUERY_H

#include "d3dkmdt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Versions ---- */

/*
 * Names of the driver model's versions. A driver's level is DRIVER_INITIALIZATION_DATA.Version, an
 * interface version; these are marks of DXGK_DRIVERCAPS.WDDMVersion.
 * Page: ne-d3dkmddi-_dxgk_wddmversion.
 */
typedef enum _DXGK_WDDMVERSION {
    DXGKDDI_WDDMv1 = 0x1000,
    DXGKDDI_WDDMv1_2 = 0x1200,
    DXGKDDI_WDDMv1_3 = 0x1300,
    DXGKDDI_WDDMv2 = 0x2000,
    DXGKDDI_WDDMv2_1 = 0x2100,
    DXGKDDI_WDDMv2_1_5 = 0x2105,
    DXGKDDI_WDDMv2_1_6 = 0x2106,
    DXGKDDI_WDDMv2_2 = 0x2200,
    DXGKDDI_WDDMv2_3 = 0x2300,
    DXGKDDI_WDDMv2_4 = 0x2400,
    DXGKDDI_WDDMv2_5 = 0x2500,
    DXGKDDI_WDDMv2_6 = 0x2600,
    DXGKDDI_WDDMv2_7 = 0x2700,
    DXGKDDI_WDDMv2_8 = 0x2800,
    DXGKDDI_WDDMv2_9 = 0x2900,
    DXGKDDI_WDDMv3_0 = 0x3000,
    DXGKDDI_WDDMv3_1 = 0x3100,
    DXGKDDI_WDDMv3_2 = 0x3200,
    DXGKDDI_WDDM_LATEST = 0x3200,
} DXGK_WDDMVERSION;

/* Features that a driver and the system agree on. Page: ne-d3dkmddi-_dxgk_feature_id. */
typedef enum _DXGK_FEATURE_ID {
    DXGK_FEATURE_HWSCH = 0,
    DXGK_FEATURE_HWFLIPQUEUE = 1,
    DXGK_FEATURE_LDA_GPUPV = 2,
    DXGK_FEATURE_KMD_SIGNAL_CPU_EVENT = 3,
    DXGK_FEATURE_USER_MODE_SUBMISSION = 4,
    DXGK_FEATURE_SHARE_BACKING_STORE_WITH_KMD = 5,
    DXGK_FEATURE_SAMPLE = 31,
    DXGK_FEATURE_PAGE_BASED_MEMORY_MANAGER = 32,
    DXGK_FEATURE_KERNEL_MODE_TESTING = 33,
    DXGK_FEATURE_64K_PT_DEMOTION_FIX = 34,
    DXGK_FEATURE_GPUPV_PRESENT_HWQUEUE = 35,
    DXGK_FEATURE_GPUVAIOMMU = 36,
    DXGK_FEATURE_NATIVE_FENCE = 37,
    DXGK_FEATURE_QUERYSTATISTICS_EXTENSIONS = 0x10000000,
    DXGK_FEATURE_RESERVE_GPUVA_ZERO_BASE_ADDRESS = 14,
    DXGK_FEATURE_PER_PTE_PAGE_SIZE = 15,
    DXGK_FEATURE_FENCE_SIGNAL_FROM_SWS_NODE = 16,
} DXGK_FEATURE_ID;

/* The features of DXGK_FEATURE_ID, numbered without gaps. Page: none. */
typedef enum _DXGK_DRIVER_FEATURE {
    DXGK_DRIVER_FEATURE_HWSCH = 0,
    DXGK_DRIVER_FEATURE_HWFLIPQUEUE = 1,
    DXGK_DRIVER_FEATURE_LDA_GPUPV = 2,
    DXGK_DRIVER_FEATURE_KMD_SIGNAL_CPU_EVENT = 3,
    DXGK_DRIVER_FEATURE_USER_MODE_SUBMISSION = 4,
    DXGK_DRIVER_FEATURE_SHARE_BACKING_STORE_WITH_KMD = 5,
    DXGK_DRIVER_FEATURE_RESERVED_1 = 6,
    DXGK_DRIVER_FEATURE_RESERVED_2 = 7,
    DXGK_DRIVER_FEATURE_RESERVED_3 = 8,
    DXGK_DRIVER_FEATURE_RESERVED_4 = 9,
    DXGK_DRIVER_FEATURE_RESERVED_5 = 10,
    DXGK_DRIVER_FEATURE_RESERVED_6 = 11,
    DXGK_DRIVER_FEATURE_RESERVED_7 = 12,
    DXGK_DRIVER_FEATURE_RESERVED_8 = 13,
    DXGK_DRIVER_FEATURE_RESERVED_9 = 14,
    DXGK_DRIVER_FEATURE_RESERVED_10 = 15,
    DXGK_DRIVER_FEATURE_RESERVED_11 = 16,
    DXGK_DRIVER_FEATURE_RESERVED_12 = 17,
    DXGK_DRIVER_FEATURE_RESERVED_13 = 18,
    DXGK_DRIVER_FEATURE_RESERVED_14 = 19,
    DXGK_DRIVER_FEATURE_RESERVED_15 = 20,
    DXGK_DRIVER_FEATURE_RESERVED_16 = 21,
    DXGK_DRIVER_FEATURE_RESERVED_17 = 22,
    DXGK_DRIVER_FEATURE_RESERVED_18 = 23,
    DXGK_DRIVER_FEATURE_RESERVED_19 = 24,
    DXGK_DRIVER_FEATURE_RESERVED_20 = 25,
    DXGK_DRIVER_FEATURE_RESERVED_21 = 26,
    DXGK_DRIVER_FEATURE_RESERVED_22 = 27,
    DXGK_DRIVER_FEATURE_RESERVED_23 = 28,
    DXGK_DRIVER_FEATURE_RESERVED_24 = 29,
    DXGK_DRIVER_FEATURE_RESERVED_25 = 30,
    DXGK_DRIVER_FEATURE_SAMPLE = 31,
    DXGK_DRIVER_FEATURE_PAGE_BASED_MEMORY_MANAGER = 32,
    DXGK_DRIVER_FEATURE_KERNEL_MODE_TESTING = 33,
    DXGK_DRIVER_FEATURE_64K_PT_DEMOTION_FIX = 34,
    DXGK_DRIVER_FEATURE_GPUPV_PRESENT_HWQUEUE = 35,
    DXGK_DRIVER_FEATURE_GPUVAIOMMU = 36,
    DXGK_DRIVER_FEATURE_NATIVE_FENCE = 37,
    DXGK_DRIVER_FEATURE_MAX = 38,
} DXGK_DRIVER_FEATURE;

/* ---- Addresses and pages ---- */

/* A page's logical or physical address, divided by 4096. */
typedef UINT64 DXGK_PAGE_NUMBER;

/* A page size: 4096 << value bytes. Page: none. */
typedef enum _DXGK_PAGESIZE {
    DXGK_PAGESIZE_4KB = 0,
    DXGK_PAGESIZE_8KB = 1,
    DXGK_PAGESIZE_16KB = 2,
    DXGK_PAGESIZE_32KB = 3,
    DXGK_PAGESIZE_64KB = 4,
    DXGK_PAGESIZE_128KB = 5,
    DXGK_PAGESIZE_256KB = 6,
    DXGK_PAGESIZE_512KB = 7,
    DXGK_PAGESIZE_1MB = 8,
    DXGK_PAGESIZE_2MB = 9,
    DXGK_PAGESIZE_4MB = 10,
    DXGK_PAGESIZE_8MB = 11,
    DXGK_PAGESIZE_16MB = 12,
    DXGK_PAGESIZE_32MB = 13,
    DXGK_PAGESIZE_64MB = 14,
    DXGK_PAGESIZE_128MB = 15,
} DXGK_PAGESIZE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
/* How an address descriptor list describes its pages. Page: ns-d3dkmddi-dxgk_adl_flags. */
typedef struct _DXGK_ADL_FLAGS {
    union {
        struct {
            UINT32 Contiguous : 1; /* one run from BasePageNumber; clear: an array */
            UINT32 Reserved : 31;
        };
        UINT32 Value;
    };
} DXGK_ADL_FLAGS;

/*
 * Address descriptor list: pages by the logical addresses that the IOMMU gives the GPU. The MDL of
 * a remapped GPU.
 * Page: ns-d3dkmddi-dxgk_adl.
 */
typedef struct _DXGK_ADL {
    UINT32 PageCount; /* pages described */
    DXGK_ADL_FLAGS Flags;
    union {
        DXGK_PAGE_NUMBER BasePageNumber; /* first page of a contiguous list */
        const DXGK_PAGE_NUMBER *Pages;   /* PageCount page numbers otherwise */
    };
} DXGK_ADL;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* A part of a segment. Page: ns-d3dkmddi-_dxgk_memoryrange. */
typedef struct _DXGK_MEMORYRANGE {
    UINT64 SegmentOffset; /* bytes from the segment's start */
    UINT64 SizeInBytes;   /* bytes */
} DXGK_MEMORYRANGE;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/*
 * How the CPU caches memory that a callback allocates.
 * Page: ne-d3dkmddi-_dxgk_memory_caching_type.
 */
typedef enum _DXGK_MEMORY_CACHING_TYPE {
    DXGK_MEMORY_CACHING_TYPE_NON_CACHED = 0,
    DXGK_MEMORY_CACHING_TYPE_CACHED = 1,
    DXGK_MEMORY_CACHING_TYPE_WRITE_COMBINED = 2,
} DXGK_MEMORY_CACHING_TYPE;

/* The kinds of memory in a physical memory object. Page: ne-d3dkmddi-dxgk_physical_memory_type. */
typedef enum _DXGK_PHYSICAL_MEMORY_TYPE {
    DXGK_PHYSICAL_MEMORY_TYPE_MDL = 0,
    DXGK_PHYSICAL_MEMORY_TYPE_CONTIGUOUS_MEMORY = 1,
    DXGK_PHYSICAL_MEMORY_TYPE_SECTION = 2,
    DXGK_PHYSICAL_MEMORY_TYPE_IO_SPACE = 3,
} DXGK_PHYSICAL_MEMORY_TYPE;

/* The user of a mapping. Page: ne-d3dkmddi-dxgk_access_mode. */
typedef enum _DXGK_ACCESS_MODE {
    DXGK_ACCESS_MODE_KERNEL_MODE = 0,
    DXGK_ACCESS_MODE_USER_MODE = 1,
} DXGK_ACCESS_MODE;

/* ---- Adapter queries ---- */

/*
 * The questions of DxgkDdiQueryAdapterInfo; the comment names the output structure.
 * Page: ne-d3dkmddi-_dxgk_queryadapterinfotype.
 */
typedef enum _DXGK_QUERYADAPTERINFOTYPE {
    DXGKQAITYPE_UMDRIVERPRIVATE = 0, /* the driver's own */
    DXGKQAITYPE_DRIVERCAPS = 1,      /* DXGK_DRIVERCAPS */
    DXGKQAITYPE_QUERYSEGMENT = 2,    /* DXGK_QUERYSEGMENTOUT; below WDDM 1.2 */
    DXGKQAITYPE_RESERVED = 3,
    DXGKQAITYPE_QUERYSEGMENT2 = 4, /* reserved: never sent */
    DXGKQAITYPE_QUERYSEGMENT3 = 5, /* DXGK_QUERYSEGMENTOUT3; from WDDM 1.2 */
    DXGKQAITYPE_NUMPOWERCOMPONENTS = 6,
    DXGKQAITYPE_POWERCOMPONENTINFO = 7,
    DXGKQAITYPE_PREFERREDGPUNODE = 8,
    DXGKQAITYPE_POWERCOMPONENTPSTATEINFO = 9,
    DXGKQAITYPE_HISTORYBUFFERPRECISION = 10, /* DXGKARG_HISTORYBUFFERPRECISION */
    DXGKQAITYPE_QUERYSEGMENT4 = 11,          /* DXGK_QUERYSEGMENTOUT4; from WDDM 2.0 */
    DXGKQAITYPE_SEGMENTMEMORYSTATE = 12,     /* DXGK_QUERYSEGMENTMEMORYSTATE */
    DXGKQAITYPE_GPUMMUCAPS = 13,             /* DXGK_GPUMMUCAPS */
    DXGKQAITYPE_PAGETABLELEVELDESC = 14,     /* DXGK_PAGE_TABLE_LEVEL_DESC */
    DXGKQAITYPE_PHYSICALADAPTERCAPS = 15,    /* DXGK_PHYSICALADAPTERCAPS */
    DXGKQAITYPE_DISPLAY_DRIVERCAPS_EXTENSION = 16,
    DXGKQAITYPE_INTEGRATED_DISPLAY_DESCRIPTOR = 17,
    DXGKQAITYPE_UEFIFRAMEBUFFERRANGES = 18,
    DXGKQAITYPE_QUERYCOLORIMETRYOVERRIDES = 19,
    DXGKQAITYPE_DISPLAYID_DESCRIPTOR = 20,
    DXGKQAITYPE_FRAMEBUFFERSAVESIZE = 21,    /* DXGK_FRAMEBUFFERSAVEAREA */
    DXGKQAITYPE_HARDWARERESERVEDRANGES = 22, /* DXGK_HARDWARERESERVEDRANGES */
    DXGKQAITYPE_INTEGRATED_DISPLAY_DESCRIPTOR2 = 23,
    DXGKQAITYPE_NODEPERFDATA = 24,
    DXGKQAITYPE_ADAPTERPERFDATA = 25,
    DXGKQAITYPE_ADAPTERPERFDATA_CAPS = 26,
    DXGKQAITYPE_GPUVERSION = 27,
    DXGKQAITYPE_DEVICE_TYPE_CAPS = 28,
    DXGKQAITYPE_WDDMDEVICECAPS = 29,
    DXGKQAITYPE_GPUPCAPS = 30,
    DXGKQAITYPE_QUERYTARGETGAMMACAPS = 31,
    DXGKQAITYPE_SCANOUT_CAPS = 33,
    DXGKQAITYPE_PHYSICAL_MEMORY_CAPS = 34, /* DXGK_PHYSICAL_MEMORY_CAPS */
    DXGKQAITYPE_IOMMU_CAPS = 35,           /* DXGK_IOMMU_CAPS */
    DXGKQAITYPE_HARDWARERESERVEDRANGES2 = 36,
    DXGKQAITYPE_NATIVE_FENCE_CAPS = 37,
    DXGKQAITYPE_USERMODESUBMISSION_CAPS = 38,
    DXGKQAITYPE_DIRTYBITTRACKINGCAPS = 39,
    DXGKQAITYPE_DIRTYBITTRACKINGSEGMENTCAPS = 40,
    DXGKQAITYPE_SCATTER_RESERVE = 41,
    DXGKQAITYPE_QUERYPAGINGBUFFERINFO = 42,
    DXGKQAITYPE_QUERYSEGMENTCOUNT = 43, /* DXGK_QUERYSEGMENTCOUNTOUT */
    DXGKQAITYPE_QUERYSEGMENT5 = 44,     /* DXGK_QUERYSEGMENTOUT5 */
    DXGKQAITYPE_QUERYMMUCOUNT = 45,     /* DXGK_QUERYMMUCOUNTOUT */
    DXGKQAITYPE_QUERYMMUS = 46,         /* DXGK_QUERYMMUSOUT */
    DXGKQAITYPE_64BITONLYCAPS = 47,     /* DXGK_64_BIT_ONLY_CAPS */
    DXGKQAITYPE_PAGINGPROCESSGPUVASIZE = 48,
} DXGK_QUERYADAPTERINFOTYPE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
/* Page: ns-d3dkmddi-_dxgk_queryadapterinfoflags. */
typedef struct _DXGK_QUERYADAPTERINFOFLAGS {
    union {
        struct {
            UINT VirtualMachineData : 1;
            UINT SecureVirtualMachine : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} DXGK_QUERYADAPTERINFOFLAGS;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_4 */

/*
 * One question to the driver. Output buffers arrive zeroed.
 * Page: ns-d3dkmddi-_dxgkarg_queryadapterinfo.
 */
typedef struct _DXGKARG_QUERYADAPTERINFO {
    DXGK_QUERYADAPTERINFOTYPE Type; /* in: the question; it decides what both buffers hold */
    void *pInputData;               /* in: the question's own argument, or NULL */
    UINT InputDataSize;             /* in: bytes */
    void *pOutputData;              /* out: the driver writes its answer here */
    UINT OutputDataSize;            /* in: bytes that may be written; the driver's version
                                         decides the size */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
    DXGK_QUERYADAPTERINFOFLAGS Flags; /* in: virtual machines */
    HANDLE hKmdProcessHandle;         /* in: the driver's handle of the process that asks, or
                                         NULL */
#endif
} DXGKARG_QUERYADAPTERINFO;

/* ---- Driver capabilities ---- */

/* Page: ns-d3dkmddi-_dxgk_pointerflags. */
typedef struct _DXGK_POINTERFLAGS {
    union {
        struct {
            UINT Monochrome : 1;
            UINT Color : 1;
            UINT MaskedColor : 1;
            UINT Reserved : 29;
        };
        UINT Value;
    };
} DXGK_POINTERFLAGS;

/* Page: ns-d3dkmddi-_dxgk_gammarampcaps. */
typedef struct _DXGK_GAMMARAMPCAPS {
    union {
        struct {
            UINT Gamma_Rgb256x3x16 : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_GAMMARAMPCAPS;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
/* Page: ns-d3dkmddi-_dxgk_colortransformcaps. */
typedef struct _DXGK_COLORTRANSFORMCAPS {
    union {
        struct {
            UINT Gamma_Rgb256x3x16 : 1;
            UINT Gamma_Dxgi1 : 1;
            UINT WDDM2_3(Transform_3x4Matrix) : 1;
            UINT WDDM2_3(Transform_3x4Matrix_WideColor) : 1;
            UINT WDDM2_3(Transform_3x4Matrix_HighColor) : 1;
            UINT WDDM2_6(Transform_Matrix_V2) : 1;
            UINT Reserved : 26;
        };
        UINT Value;
    };
} DXGK_COLORTRANSFORMCAPS;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_2 */

/* Page: ns-d3dkmddi-_dxgk_presentationcaps. */
typedef struct _DXGK_PRESENTATIONCAPS {
    union {
        struct {
            UINT NoScreenToScreenBlt : 1;
            UINT NoOverlapScreenBlt : 1;
            UINT SupportKernelModeCommandBuffer : 1;
            UINT NoSameBitmapAlphaBlend : 1;
            UINT NoSameBitmapStretchBlt : 1;
            UINT NoSameBitmapTransparentBlt : 1;
            UINT NoSameBitmapOverlappedAlphaBlend : 1;
            UINT NoSameBitmapOverlappedStretchBlt : 1;
            UINT DriverSupportsCddDwmInterop : 1;
            UINT Reserved0 : 1;
            UINT AlignmentShift : 4;
            UINT MaxTextureWidthShift : 3;
            UINT MaxTextureHeightShift : 3;
            UINT SupportAllBltRops : 1;
            UINT SupportMirrorStretchBlt : 1;
            UINT SupportMonoStretchBltModes : 1;
            UINT StagingRectStartPitchAligned : 1;
            UINT NoSameBitmapBitBlt : 1;
            UINT NoSameBitmapOverlappedBitBlt : 1;
            UINT Reserved1 : 1;
            UINT NoTempSurfaceForClearTypeBlend : 1;
            UINT WDDM1_2(SupportSoftwareDeviceBitmaps) : 1;
            UINT WDDM1_2(NoCacheCoherentApertureMemory) : 1;
            UINT WDDM1_2(SupportLinearHeap) : 1;
            UINT Reserved : 1;
        };
        UINT Value;
    };
} DXGK_PRESENTATIONCAPS;

/* Page: ns-d3dkmddi-_dxgk_flipcaps. */
typedef struct _DXGK_FLIPCAPS {
    union {
        struct {
            UINT FlipOnVSyncWithNoWait : 1;
            UINT FlipOnVSyncMmIo : 1;
            UINT FlipInterval : 1;
            UINT FlipImmediateMmIo : 1;
            UINT WDDM1_3(FlipIndependent) : 1;
            UINT WDDM2_0(DdiPresentForIFlip) : 1;
            UINT WDDM2_0(FlipImmediateOnHSync) : 1;
            UINT Reserved : 25;
        };
        UINT Value;
    };
} DXGK_FLIPCAPS;

/* The driver's offers to the GPU scheduler. Page: ns-d3dkmddi-_dxgk_vidschcaps. */
typedef struct _DXGK_VIDSCHCAPS {
    union {
        struct {
            UINT MultiEngineAware : 1;               /* creates contexts: submissions name
                                                        hContext; clear: hDevice */
            UINT VSyncPowerSaveAware : 1;            /* the vertical-blank interrupt may be
                                                        switched off */
            UINT WDDM1_2(PreemptionAware) : 1;       /* is preempted before a timeout; needs
                                                        MultiEngineAware */
            UINT WDDM1_2(NoDmaPatching) : 1;         /* addresses in DMA buffers need no
                                                        patching; needs PreemptionAware */
            UINT WDDM1_2(CancelCommandAware) : 1;    /* takes DxgkDdiCancelCommand */
            UINT WDDM2_0(No64BitAtomics) : 1;        /* fences are updated 32 bits at a time */
            UINT WDDM2_0(LowIrqlPreemptCommand) : 1; /* DxgkDdiPreemptCommand comes at
                                                        PASSIVE_LEVEL */
            UINT WDDM2_3(HwQueuePacketCap) : 4;      /* DMA packets that may be queued to a node;
                                                        0: no limit stated */
            UINT WDDM3_1(NativeGpuFence) : 1;
            UINT WDDM3_1(OptimizedNativeFenceSignaledInterrupt) : 1;
            UINT Reserved : 19;
        };
        UINT Value;
    };
} DXGK_VIDSCHCAPS;

/* The driver's offers to the video memory manager. Page: ns-d3dkmddi-_dxgk_vidmmcaps. */
typedef struct _DXGK_VIDMMCAPS {
    union {
        struct {
            UINT OutOfOrderLock : 1;
            UINT WDDM1_1(DedicatedPagingEngine) : 1; /* reserved */
            /* reserved */
            UINT WDDM1_1(PagingEngineCanSwizzle) : 1;
            UINT WDDM1_1(SectionBackedPrimary) : 1; /* primaries may have a section as backing
                                                        store */
            UINT WDDM1_3(CrossAdapterResource) : 1; /* copies resources that another adapter
                                                        shares */
            /* has GPU virtual addresses */
            UINT WDDM2_0(VirtualAddressingSupported) : 1;
            UINT WDDM2_0(GpuMmuSupported) : 1; /* through page tables of its own */
            UINT WDDM2_0(IoMmuSupported) : 1;  /* through the CPU's page tables */
            UINT WDDM2_0(ReplicateGdiContent) : 1;
            UINT WDDM2_0(NonCpuVisiblePrimary) : 1; /* primaries need not be CpuVisible */
            /* serves virtual machines */
            UINT WDDM2_2(ParavirtualizationSupported) : 1;
            /* can be isolated by the IOMMU */
            UINT WDDM2_4(IoMmuSecureModeSupported) : 1;
            UINT WDDM2_4(DisableSelfRefreshVRAMInS3) : 1;
            /* must be */
            UINT WDDM2_7(IoMmuSecureModeRequired) : 1;
            UINT WDDM2_9(MapAperture2Supported) : 1; /* takes
                                                        DXGK_OPERATION_MAP_APERTURE_SEGMENT2 */
            UINT WDDM2_9(CrossAdapterResourceTexture) : 1;
            UINT WDDM2_9(CrossAdapterResourceScanout) : 1;
            UINT WDDM3_1(AlwaysPoweredVRAM) : 1;
            UINT Reserved : 14;
        };
        UINT Value;
    };
    UINT PagingNode; /* out: node that paging runs on, from 0; read with MultiEngineAware only */
} DXGK_VIDMMCAPS;

/* The nodes of a GPU. Page: ns-d3dkmddi-_dxgk_gpuenginetopology. */
typedef struct _DXGK_GPUENGINETOPOLOGY {
    UINT NbAsymetricProcessingNodes; /* out: nodes, at most DXGK_MAX_ASYMETRICAL_PROCESSING_NODES */
    UINT Reserved[64];
} DXGK_GPUENGINETOPOLOGY;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
/* Page: none. */
typedef struct _DXGK_VIRTUALADDRESSCAPS_DEPRECATED {
    union {
        struct {
            UINT PrivilegedMemorySupported : 1;
            UINT ReadOnlyMemorySupported : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
    UINT VirtualAddressBitCount;
    UINT PageTableCoverageBitCount;
    UINT PageDirectoryEntrySize;
    UINT PageDirectorySegment;
    UINT PageTableSegment;
    UINT IdealGPUPageSize;
} DXGK_VIRTUALADDRESSCAPS_DEPRECATED;

/* Page: none. */
typedef struct _DXGK_DMABUFFERCAPS_DEPRECATED {
    struct {
        UINT Size;
        UINT PrivateDriverDataSize;
        UINT SegmentId;
        UINT Reserved1;
        UINT Reserved[16];
    } PresentDmaBuffer;
    struct {
        UINT Size;
        UINT PrivateDriverDataSize;
        UINT SegmentId;
        UINT Reserved1;
        UINT Reserved[16];
    } PagingDmaBuffer;
} DXGK_DMABUFFERCAPS_DEPRECATED;
#endif /* DXGKDDI_INTERFACE_VERSION_WIN7 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
/* Page: ns-d3dkmddi-dxgk_hwqueuedflip_caps. */
typedef struct _DXGK_HWQUEUEDFLIP_CAPS {
    union {
        UINT Reserved : 32;
        UINT Value;
    };
} DXGK_HWQUEUEDFLIP_CAPS;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

/*
 * The capabilities of the driver; the answer to DXGKQAITYPE_DRIVERCAPS. The driver fills the size
 * of its own version.
 * Page: ns-d3dkmddi-_dxgk_drivercaps.
 */
typedef struct _DXGK_DRIVERCAPS {
    PHYSICAL_ADDRESS HighestAcceptableAddress; /* out: highest physical address of system memory
                                                  that the GPU reaches */
    UINT MaxAllocationListSlotId;              /* out: slots that patch locations may name */
    SIZE_T ApertureSegmentCommitLimit;         /* out: bytes of system memory mapped into
                                                  apertures at once, all together */
    UINT MaxPointerWidth;                      /* out: pixels */
    UINT MaxPointerHeight;                     /* out: lines */
    DXGK_POINTERFLAGS PointerCaps;             /* out */
    UINT InterruptMessageNumber;               /* out: message that DxgkCbNotifyInterrupt is
                                                  called from */
    UINT NumberOfSwizzlingRanges;              /* out: ranges that can be acquired at once */
    UINT MaxOverlays;                          /* out */
    union {
        DXGK_GAMMARAMPCAPS GammaRampCaps;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
        DXGK_COLORTRANSFORMCAPS ColorTransformCaps;
#endif
    };
    DXGK_PRESENTATIONCAPS PresentationCaps;   /* out */
    UINT MaxQueuedFlipOnVSync;                /* out: flips that the hardware queues */
    DXGK_FLIPCAPS FlipCaps;                   /* out */
    DXGK_VIDSCHCAPS SchedulingCaps;           /* out: towards the scheduler */
    DXGK_VIDMMCAPS MemoryManagementCaps;      /* out: towards the memory manager */
    DXGK_GPUENGINETOPOLOGY GpuEngineTopology; /* out: how many nodes */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
    DXGK_WDDMVERSION WDDMVersion; /* out: a mark of the kit, not the driver's level */
    DXGK_VIRTUALADDRESSCAPS_DEPRECATED Reserved;
    DXGK_DMABUFFERCAPS_DEPRECATED Reserved1;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    D3DKMDT_PREEMPTION_CAPS PreemptionCaps; /* out: how finely it preempts */
    BOOLEAN SupportNonVGA;
    BOOLEAN SupportSmoothRotation;
    BOOLEAN SupportPerEngineTDR; /* out: single engines can be reset */
    BOOLEAN SupportDirectFlip;
    BOOLEAN SupportMultiPlaneOverlay;
    BOOLEAN SupportRuntimePowerManagement;
    BOOLEAN SupportSurpriseRemovalInHibernation;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
    BOOLEAN HybridDiscrete;
    UINT MaxOverlayPlanes;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    BOOLEAN HybridIntegrated;
    /* out: range of GPU addresses that the driver keeps for itself */
    D3DGPU_VIRTUAL_ADDRESS InternalGpuVirtualAddressRangeStart;
    /* out: its end */
    D3DGPU_VIRTUAL_ADDRESS InternalGpuVirtualAddressRangeEnd;
    BOOLEAN SupportSurpriseRemoval;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
    BOOLEAN SupportMultiPlaneOverlayImmediateFlip;
    BOOLEAN CursorScaledWithMultiPlaneOverlayPlane0;
    BOOLEAN HybridAcpiChainingRequired;
    UINT MaxQueuedMultiPlaneOverlayFlipVSync;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
    /* out */
    union {
        struct {
            UINT SupportContextlessPresent : 1;
            UINT Detachable : 1;
            UINT WDDM2_5(VirtualGpuOnly) : 1;
            UINT WDDM2_6(ComputeOnly) : 1;
            UINT WDDM2_7(IndependentVidPnVSyncControl) : 1;
            UINT WDDM2_8(NoHybridDiscreteDListDllSupport) : 1;
            UINT WDDM3_0(DisplayableSupport) : 1;
            UINT WDDM3_2(NoHybridDiscreteDListDllMuxSupport) : 1;
            UINT WDDM3_2(CursorDoesNotSupportXorBlendWithMultiPlaneOverlay) : 1;
            UINT Reserved : 23;
        };
        UINT Value;
    } MiscCaps;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
    UINT MaxHwQueuedFlips;
    DXGK_HWQUEUEDFLIP_CAPS HwQueuedFlipCaps;
#endif
} DXGK_DRIVERCAPS;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmddi-_dxgk_physicaladapterflags. */
typedef struct _DXGK_PHYSICALADAPTERFLAGS {
    union {
        struct {
            UINT IoMmuSupported : 1;
            UINT GpuMmuSupported : 1;
            UINT WDDM2_1(MovePagingSupported) : 1;
            UINT WDDM2_1(VPRPagingContextRequired) : 1;
            UINT WDDM2_2(AllowHardwareProtectedNoVpr) : 1;
            UINT WDDM2_7(VirtualCopyEngineSupported) : 1;
            UINT WDDM3_1(GpuVaIommuRequired) : 1;
            UINT WDDM3_1(GpuVaIommuGlobalRequired) : 1;
            UINT WDDM3_1(GpuVaIommuCacheCoherent) : 1;
            UINT Reserved : 23;
        };
        UINT Value;
    };
} DXGK_PHYSICALADAPTERFLAGS;

/* Page: ns-d3dkmddi-_dxgk_queryphysicaladaptercapsin. */
typedef struct _DXGK_QUERYPHYSICALADAPTERCAPSIN {
    UINT PhysicalAdapterIndex;
} DXGK_QUERYPHYSICALADAPTERCAPSIN;

/* The capabilities of one adapter of a link. Page: ns-d3dkmddi-_dxgk_physicaladaptercaps. */
typedef struct _DXGK_PHYSICALADAPTERCAPS {
    WORD NumExecutionNodes;           /* out: nodes */
    WORD PagingNodeIndex;             /* out: node that paging runs on */
    HANDLE DxgkPhysicalAdapterHandle; /* in: the kernel's handle of it */
    DXGK_PHYSICALADAPTERFLAGS Flags;  /* out */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
    UINT VPRPagingNode; /* out */
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_7
    UINT VirtualCopyNodeIndex; /* out */
#endif
} DXGK_PHYSICALADAPTERCAPS;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
/* Page: ns-d3dkmddi-dxgk_iommu_caps. */
typedef struct _DXGK_IOMMU_CAPS {
    union {
        struct {
            UINT32 IommuIsolationSupported : 1;
            UINT32 IommuIsolationRequired : 1;
            UINT32 DmaRemappingSupported : 1;
            UINT32 GpuVaIommuRequired : 1;
            UINT32 GpuVaIommuGlobalRequired : 1;
            UINT32 Reserved : 27;
        };
        UINT32 Value;
    };
} DXGK_IOMMU_CAPS;

/* Page: ns-d3dkmddi-dxgk_physical_memory_caps. */
typedef struct _DXGK_PHYSICAL_MEMORY_CAPS {
    PHYSICAL_ADDRESS HighestVisibleAddress;
} DXGK_PHYSICAL_MEMORY_CAPS;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
/* Page: none. */
typedef struct _DXGK_64_BIT_ONLY_CAPS {
    union {
        struct {
            UINT32 SupportsOnly64Bit : 1;
            UINT32 Reserved : 31;
        };
        UINT32 Value;
    };
} DXGK_64_BIT_ONLY_CAPS;

/* Page: none. */
typedef struct _DXGK_DIRTY_BIT_TRACKING_CAPS {
    union {
        struct {
            UINT32 DirtyBitTrackingSupported : 1;
            UINT32 DirtyBitTrackingPerformant : 1;
            UINT32 Reserved : 30;
        };
        UINT32 Value;
    };
} DXGK_DIRTY_BIT_TRACKING_CAPS;

/* Page: none. */
typedef struct _DXGK_DIRTY_BIT_TRACKING_SEGMENT_CAPS {
    UINT32 PageSize;
} DXGK_DIRTY_BIT_TRACKING_SEGMENT_CAPS;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_2 */

/* ---- GPU MMU ---- */

/* How the driver wants page tables written. Page: ne-d3dkmddi-_dxgk_pagetableupdatemode. */
typedef enum _DXGK_PAGETABLEUPDATEMODE {
    DXGK_PAGETABLEUPDATE_CPU_VIRTUAL = 0,  /* by the CPU, while the paging buffer is built */
    DXGK_PAGETABLEUPDATE_GPU_VIRTUAL = 1,  /* by the GPU, at an address of the paging process */
    DXGK_PAGETABLEUPDATE_GPU_PHYSICAL = 2, /* by the GPU, at a physical address */
} DXGK_PAGETABLEUPDATEMODE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmddi-_dxgk_querygpummucapsin. */
typedef struct _DXGK_QUERYGPUMMUCAPSIN {
    UINT PhysicalAdapterIndex;
} DXGK_QUERYGPUMMUCAPSIN;

/* The capabilities of the GPU's page tables. Page: ns-d3dkmddi-_dxgk_gpummucaps. */
typedef struct _DXGK_GPUMMUCAPS {
    union {
        struct {
            UINT ReadOnlyMemorySupported : 1;
            UINT NoExecuteMemorySupported : 1;
            UINT ZeroInPteSupported : 1;
            UINT ExplicitPageTableInvalidation : 1; /* entries must be written invalid before use */
            UINT CacheCoherentMemorySupported : 1;
            /* no engine may run in the address space during an update */
            UINT PageTableUpdateRequireAddressSpaceIdle : 1;
            UINT LargePageSupported : 1;
            UINT DualPteSupported : 1; /* 4 KiB and 64 KiB tables lie side by side
                                                       under one entry */
            UINT WDDM2_1(AllowNonAlignedLargePageAddress) : 1;
            UINT WDDM2_1(SysMem64KBPageSupported) : 1;
            /* invalid entries are not cached: no flush when one becomes valid */
            UINT WDDM2_6(InvalidTlbEntriesNotCached) : 1;
            UINT WDDM2_9(SysMemLargePageSupported) : 1;
            UINT WDDM3_1(CachedPageTables) : 1;
            UINT Reserved : 19;
        };
        UINT Value;
    };
    DXGK_PAGETABLEUPDATEMODE PageTableUpdateMode; /* out: how tables are written */
    UINT VirtualAddressBitCount;                  /* out: width of an address */
    UINT LeafPageTableSizeFor64KPagesInBytes;     /* out: bytes */
    UINT PageTableLevelCount;                     /* out: levels, root included */
    struct {
        UINT SourcePageTableVaInTransfer : 1;
        UINT Reserved : 31;
    } LegacyBehaviors;
} DXGK_GPUMMUCAPS;

/* Page: ns-d3dkmddi-_dxgk_querypagetableleveldescin. */
typedef struct _DXGK_QUERYPAGETABLELEVELDESCIN {
    WORD LevelIndex;
    WORD PhysicalAdapterIndex;
} DXGK_QUERYPAGETABLELEVELDESCIN;

/* One level of the page tables. Page: ns-d3dkmddi-_dxgk_page_table_level_desc. */
typedef struct _DXGK_PAGE_TABLE_LEVEL_DESC {
    UINT PageTableIndexBitCount;          /* out: bits of the address that index a table of this
                                             level */
    UINT PageTableSegmentId;              /* out: segment that tables live in */
    UINT PagingProcessPageTableSegmentId; /* out: segment of the paging process's tables */
    UINT PageTableSizeInBytes;            /* out */
    UINT PageTableAlignmentInBytes;       /* out */
} DXGK_PAGE_TABLE_LEVEL_DESC;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
/* Page: none. */
typedef union _DXGK_MMUFLAGS {
    UINT32 Reserved : 32;
    UINT32 Value;
} DXGK_MMUFLAGS;

/* Page: none. */
typedef struct _DXGK_MMUDESCRIPTOR {
    DXGK_MMUFLAGS Flags;
    UINT64 Size;
} DXGK_MMUDESCRIPTOR;

/* Page: none. */
typedef struct _DXGK_QUERYMMUCOUNTIN {
    UINT16 PhysicalAdapterIndex;
    UINT16 Padding;
    UINT32 Reserved;
} DXGK_QUERYMMUCOUNTIN;

/* Page: none. */
typedef struct _DXGK_QUERYMMUCOUNTOUT {
    UINT16 MmuCount;
    UINT16 Padding;
    UINT32 Reserved;
} DXGK_QUERYMMUCOUNTOUT;

/* Page: none. */
typedef struct _DXGK_QUERYMMUSIN {
    UINT16 PhysicalAdapterIndex;
} DXGK_QUERYMMUSIN;
WDDM_SPELLINGS(DXGK_QUERYMMUSIN);

/* Page: none. */
typedef struct _DXGK_QUERYMMUSOUT {
    DXGK_MMUDESCRIPTOR *MmuDescriptors;
    UINT16 DisplayMmuId;
    UINT16 Reserved0;
    UINT32 Reserved[4];
} DXGK_QUERYMMUSOUT;
WDDM_SPELLINGS(DXGK_QUERYMMUSOUT);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_2 */

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMDDI_QUERY_H */
