/*
 * d3dkmddi.h: what the graphics kernel calls in a display miniport driver, and the arguments.
 */
#ifndef WDDM_D3DKMDDI_H
#define WDDM_D3DKMDDI_H

#include "d3dkmdt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Versions ---- */

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

typedef UINT64 DXGK_PAGE_NUMBER;

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

typedef struct _DXGK_ADL_FLAGS {
    union {
        struct {
            UINT32 Contiguous : 1;
            UINT32 Reserved : 31;
        };
        UINT32 Value;
    };
} DXGK_ADL_FLAGS;

typedef struct _DXGK_ADL {
    UINT32 PageCount;
    DXGK_ADL_FLAGS Flags;
    union {
        DXGK_PAGE_NUMBER BasePageNumber;
        const DXGK_PAGE_NUMBER *Pages;
    };
} DXGK_ADL;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef struct _DXGK_MEMORYRANGE {
    UINT64 SegmentOffset;
    UINT64 SizeInBytes;
} DXGK_MEMORYRANGE;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

typedef enum _DXGK_MEMORY_CACHING_TYPE {
    DXGK_MEMORY_CACHING_TYPE_NON_CACHED = 0,
    DXGK_MEMORY_CACHING_TYPE_CACHED = 1,
    DXGK_MEMORY_CACHING_TYPE_WRITE_COMBINED = 2,
} DXGK_MEMORY_CACHING_TYPE;

typedef enum _DXGK_PHYSICAL_MEMORY_TYPE {
    DXGK_PHYSICAL_MEMORY_TYPE_MDL = 0,
    DXGK_PHYSICAL_MEMORY_TYPE_CONTIGUOUS_MEMORY = 1,
    DXGK_PHYSICAL_MEMORY_TYPE_SECTION = 2,
    DXGK_PHYSICAL_MEMORY_TYPE_IO_SPACE = 3,
} DXGK_PHYSICAL_MEMORY_TYPE;

typedef enum _DXGK_ACCESS_MODE {
    DXGK_ACCESS_MODE_KERNEL_MODE = 0,
    DXGK_ACCESS_MODE_USER_MODE = 1,
} DXGK_ACCESS_MODE;

/* ---- Adapter queries ---- */

typedef enum _DXGK_QUERYADAPTERINFOTYPE {
    DXGKQAITYPE_UMDRIVERPRIVATE = 0,
    DXGKQAITYPE_DRIVERCAPS = 1,
    DXGKQAITYPE_QUERYSEGMENT = 2,
    DXGKQAITYPE_RESERVED = 3,
    DXGKQAITYPE_QUERYSEGMENT2 = 4,
    DXGKQAITYPE_QUERYSEGMENT3 = 5,
    DXGKQAITYPE_NUMPOWERCOMPONENTS = 6,
    DXGKQAITYPE_POWERCOMPONENTINFO = 7,
    DXGKQAITYPE_PREFERREDGPUNODE = 8,
    DXGKQAITYPE_POWERCOMPONENTPSTATEINFO = 9,
    DXGKQAITYPE_HISTORYBUFFERPRECISION = 10,
    DXGKQAITYPE_QUERYSEGMENT4 = 11,
    DXGKQAITYPE_SEGMENTMEMORYSTATE = 12,
    DXGKQAITYPE_GPUMMUCAPS = 13,
    DXGKQAITYPE_PAGETABLELEVELDESC = 14,
    DXGKQAITYPE_PHYSICALADAPTERCAPS = 15,
    DXGKQAITYPE_DISPLAY_DRIVERCAPS_EXTENSION = 16,
    DXGKQAITYPE_INTEGRATED_DISPLAY_DESCRIPTOR = 17,
    DXGKQAITYPE_UEFIFRAMEBUFFERRANGES = 18,
    DXGKQAITYPE_QUERYCOLORIMETRYOVERRIDES = 19,
    DXGKQAITYPE_DISPLAYID_DESCRIPTOR = 20,
    DXGKQAITYPE_FRAMEBUFFERSAVESIZE = 21,
    DXGKQAITYPE_HARDWARERESERVEDRANGES = 22,
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
    DXGKQAITYPE_PHYSICAL_MEMORY_CAPS = 34,
    DXGKQAITYPE_IOMMU_CAPS = 35,
    DXGKQAITYPE_HARDWARERESERVEDRANGES2 = 36,
    DXGKQAITYPE_NATIVE_FENCE_CAPS = 37,
    DXGKQAITYPE_USERMODESUBMISSION_CAPS = 38,
    DXGKQAITYPE_DIRTYBITTRACKINGCAPS = 39,
    DXGKQAITYPE_DIRTYBITTRACKINGSEGMENTCAPS = 40,
    DXGKQAITYPE_SCATTER_RESERVE = 41,
    DXGKQAITYPE_QUERYPAGINGBUFFERINFO = 42,
    DXGKQAITYPE_QUERYSEGMENTCOUNT = 43,
    DXGKQAITYPE_QUERYSEGMENT5 = 44,
    DXGKQAITYPE_QUERYMMUCOUNT = 45,
    DXGKQAITYPE_QUERYMMUS = 46,
    DXGKQAITYPE_64BITONLYCAPS = 47,
    DXGKQAITYPE_PAGINGPROCESSGPUVASIZE = 48,
} DXGK_QUERYADAPTERINFOTYPE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4

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

typedef struct _DXGKARG_QUERYADAPTERINFO {
    DXGK_QUERYADAPTERINFOTYPE Type;
    void *pInputData;
    UINT InputDataSize;
    void *pOutputData;
    UINT OutputDataSize;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
    DXGK_QUERYADAPTERINFOFLAGS Flags;
    HANDLE hKmdProcessHandle;
#endif
} DXGKARG_QUERYADAPTERINFO;

/* ---- Segments ---- */

typedef struct _DXGK_SEGMENTFLAGS {
    union {
        struct {
            UINT Aperture : 1;
            UINT Agp : 1;
            UINT CpuVisible : 1;
            UINT UseBanking : 1;
            UINT CacheCoherent : 1;
            UINT PitchAlignment : 1;
            UINT PopulatedFromSystemMemory : 1;
            UINT PreservedDuringStandby : 1;
            UINT PreservedDuringHibernate : 1;
            UINT PartiallyPreservedDuringHibernate : 1;
            UINT WDDM1_2(DirectFlip) : 1;
            UINT WDDM2_0(Use64KBPages) : 1;
            UINT WDDM2_0(ReservedSysMem) : 1;
            UINT WDDM2_0(SupportsCpuHostAperture) : 1;
            UINT WDDM2_0(SupportsCachedCpuHostAperture) : 1;
            UINT WDDM2_0(ApplicationTarget) : 1;
            UINT WDDM2_0(VprSupported) : 1;
            UINT WDDM2_0(VprPreservedDuringStandby) : 1;
            UINT WDDM2_0(EncryptedPagingSupported) : 1;
            UINT WDDM2_0(LocalBudgetGroup) : 1;
            UINT WDDM2_0(NonLocalBudgetGroup) : 1;
            UINT WDDM2_9(PopulatedByReservedDDRByFirmware) : 1;
            UINT Reserved : 10;
        };
        UINT Value;
    };
} DXGK_SEGMENTFLAGS;

typedef struct _DXGK_SEGMENTDESCRIPTOR {
    PHYSICAL_ADDRESS BaseAddress;
    PHYSICAL_ADDRESS CpuTranslatedAddress;
    SIZE_T Size;
    UINT NbOfBanks;
    SIZE_T *pBankRangeTable;
    SIZE_T CommitLimit;
    DXGK_SEGMENTFLAGS Flags;
} DXGK_SEGMENTDESCRIPTOR;

typedef struct _DXGK_QUERYSEGMENTIN {
    PHYSICAL_ADDRESS AgpApertureBase;
    LARGE_INTEGER AgpApertureSize;
    DXGK_SEGMENTFLAGS AgpFlags;
} DXGK_QUERYSEGMENTIN;

typedef struct _DXGK_QUERYSEGMENTOUT {
    UINT NbSegment;
    DXGK_SEGMENTDESCRIPTOR *pSegmentDescriptor;
    UINT PagingBufferSegmentId;
    UINT PagingBufferSize;
    UINT PagingBufferPrivateDataSize;
} DXGK_QUERYSEGMENTOUT;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7

typedef struct _DXGK_SEGMENTFLAGS2 {
    union {
        struct {
            UINT Aperture : 1;
            UINT PopulatedFromSystemMemory : 1;
            UINT SystemMemoryReservedByBios : 1;
            UINT CpuVisible : 1;
            UINT Reserved : 28;
        };
        UINT Value;
    };
} DXGK_SEGMENTFLAGS2;

typedef struct _DXGK_SEGMENTDESCRIPTOR2 {
    DXGK_SEGMENTFLAGS2 Flags;
    SIZE_T Size;
    PMDL pMdl;
    PHYSICAL_ADDRESS BaseAddress;
    PHYSICAL_ADDRESS CpuTranslatedAddress;
} DXGK_SEGMENTDESCRIPTOR2;

typedef struct _DXGK_QUERYSEGMENTOUT2 {
    UINT SegmentCount;
    DXGK_SEGMENTDESCRIPTOR2 *pSegmentDescriptor;
} DXGK_QUERYSEGMENTOUT2;

#endif /* DXGKDDI_INTERFACE_VERSION_WIN7 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8

typedef struct _DXGK_SEGMENTDESCRIPTOR3 {
    DXGK_SEGMENTFLAGS Flags;
    PHYSICAL_ADDRESS BaseAddress;
    PHYSICAL_ADDRESS CpuTranslatedAddress;
    SIZE_T Size;
    UINT NbOfBanks;
    SIZE_T *pBankRangeTable;
    SIZE_T CommitLimit;
    SIZE_T SystemMemoryEndAddress;
    SIZE_T Reserved;
} DXGK_SEGMENTDESCRIPTOR3;

typedef struct _DXGK_QUERYSEGMENTOUT3 {
    UINT NbSegment;
    DXGK_SEGMENTDESCRIPTOR3 *pSegmentDescriptor;
    UINT PagingBufferSegmentId;
    UINT PagingBufferSize;
    UINT PagingBufferPrivateDataSize;
} DXGK_QUERYSEGMENTOUT3;

#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef struct _DXGK_CPUHOSTAPERTURE {
    UINT64 PhysicalAddress;
    UINT32 SizeInPages;
} DXGK_CPUHOSTAPERTURE;

typedef struct _DXGK_SEGMENTDESCRIPTOR4 {
    DXGK_SEGMENTFLAGS Flags;
    PHYSICAL_ADDRESS BaseAddress;
    SIZE_T Size;
    SIZE_T CommitLimit;
    SIZE_T SystemMemoryEndAddress;
    union {
        PHYSICAL_ADDRESS CpuTranslatedAddress;
        DXGK_CPUHOSTAPERTURE CpuHostAperture;
    };
    UINT NumInvalidMemoryRanges;
    SIZE_T VprRangeStartOffset;
    SIZE_T VprRangeSize;
    UINT VprAlignment;
    UINT NumVprSupported;
    UINT VprReserveSize;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
    UINT NumUEFIFrameBufferRanges;
#endif
} DXGK_SEGMENTDESCRIPTOR4;

typedef struct _DXGK_QUERYSEGMENTIN4 {
    UINT PhysicalAdapterIndex;
} DXGK_QUERYSEGMENTIN4;

typedef struct _DXGK_QUERYSEGMENTOUT4 {
    UINT NbSegment;
    BYTE *pSegmentDescriptor;
    UINT PagingBufferSegmentId;
    UINT PagingBufferSize;
    UINT PagingBufferPrivateDataSize;
    SIZE_T SegmentDescriptorStride;
} DXGK_QUERYSEGMENTOUT4;

typedef struct _DXGK_QUERYSEGMENTMEMORYSTATE {
    WORD DriverSegmentId;
    WORD PhysicalAdapterIndex;
    union {
        UINT NumInvalidMemoryRanges;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
        UINT NumUEFIFrameBufferRanges;
#endif
    };
    DXGK_MEMORYRANGE *pMemoryRanges;
} DXGK_QUERYSEGMENTMEMORYSTATE;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

typedef enum _DXGK_SEGMENTTYPE {
    DXGK_SEGMENTTYPE_SYSMEM = 0,
    DXGK_SEGMENTTYPE_LOCAL = 1,
} DXGK_SEGMENTTYPE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2

typedef struct _DXGK_SEGMENTDESCRIPTOR5 {
    DXGK_SEGMENTTYPE SegmentType;
    DXGK_SEGMENTFLAGS Flags;
    PHYSICAL_ADDRESS BaseAddress;
    UINT64 Size;
    SIZE_T SystemMemoryEndAddress;
    union {
        PHYSICAL_ADDRESS CpuTranslatedAddress;
        DXGK_CPUHOSTAPERTURE CpuHostAperture;
    };
    SIZE_T VprRangeStartOffset;
    SIZE_T VprRangeSize;
    UINT32 VprAlignment;
    UINT32 NumInvalidMemoryRanges;
    UINT32 NumVprSupported;
    UINT32 VprReserveSize;
    UINT32 NumUEFIFrameBufferRanges;
    DXGK_PAGESIZE SlabSize;
} DXGK_SEGMENTDESCRIPTOR5;

typedef struct _DXGK_QUERYSEGMENTCOUNTIN {
    UINT16 PhysicalAdapterIndex;
    UINT16 Padding;
    UINT32 Reserved;
} DXGK_QUERYSEGMENTCOUNTIN;

typedef struct _DXGK_QUERYSEGMENTCOUNTOUT {
    UINT16 SegmentCount;
    UINT16 Padding;
    UINT32 Reserved;
} DXGK_QUERYSEGMENTCOUNTOUT;

typedef struct _DXGK_QUERYSEGMENTIN5 {
    UINT16 PhysicalAdapterIndex;
    UINT16 Padding;
    UINT32 Reserved;
} DXGK_QUERYSEGMENTIN5;

typedef struct _DXGK_QUERYSEGMENTOUT5 {
    DXGK_SEGMENTDESCRIPTOR5 *SegmentDescriptors;
    UINT32 Reserved[4];
} DXGK_QUERYSEGMENTOUT5;

typedef struct _DXGK_QUERYPAGINGBUFFERINFOIN {
    UINT16 PhysicalAdapterIndex;
    UINT16 Reserved;
} DXGK_QUERYPAGINGBUFFERINFOIN;

typedef struct _DXGK_QUERYPAGINGBUFFERINFOOUT {
    UINT32 PagingBufferSize;
    UINT32 PagingBufferPrivateDataSize;
} DXGK_QUERYPAGINGBUFFERINFOOUT;

typedef struct _DXGK_QUERYSCATTERRESERVEIN {
    UINT SegmentId;
} DXGK_QUERYSCATTERRESERVEIN;

typedef struct _DXGK_QUERYSCATTERRESERVEOUT {
    UINT64 SetVGPUResourcesPageSize;
} DXGK_QUERYSCATTERRESERVEOUT;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_2 */

/* ---- Driver capabilities ---- */

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

typedef struct _DXGK_VIDSCHCAPS {
    union {
        struct {
            UINT MultiEngineAware : 1;
            UINT VSyncPowerSaveAware : 1;
            UINT WDDM1_2(PreemptionAware) : 1;
            UINT WDDM1_2(NoDmaPatching) : 1;
            UINT WDDM1_2(CancelCommandAware) : 1;
            UINT WDDM2_0(No64BitAtomics) : 1;
            UINT WDDM2_0(LowIrqlPreemptCommand) : 1;
            UINT WDDM2_3(HwQueuePacketCap) : 4;
            UINT WDDM3_1(NativeGpuFence) : 1;
            UINT WDDM3_1(OptimizedNativeFenceSignaledInterrupt) : 1;
            UINT Reserved : 19;
        };
        UINT Value;
    };
} DXGK_VIDSCHCAPS;

typedef struct _DXGK_VIDMMCAPS {
    union {
        struct {
            UINT OutOfOrderLock : 1;
            UINT WDDM1_1(DedicatedPagingEngine) : 1;
            UINT WDDM1_1(PagingEngineCanSwizzle) : 1;
            UINT WDDM1_1(SectionBackedPrimary) : 1;
            UINT WDDM1_3(CrossAdapterResource) : 1;
            UINT WDDM2_0(VirtualAddressingSupported) : 1;
            UINT WDDM2_0(GpuMmuSupported) : 1;
            UINT WDDM2_0(IoMmuSupported) : 1;
            UINT WDDM2_0(ReplicateGdiContent) : 1;
            UINT WDDM2_0(NonCpuVisiblePrimary) : 1;
            UINT WDDM2_2(ParavirtualizationSupported) : 1;
            UINT WDDM2_4(IoMmuSecureModeSupported) : 1;
            UINT WDDM2_4(DisableSelfRefreshVRAMInS3) : 1;
            UINT WDDM2_7(IoMmuSecureModeRequired) : 1;
            UINT WDDM2_9(MapAperture2Supported) : 1;
            UINT WDDM2_9(CrossAdapterResourceTexture) : 1;
            UINT WDDM2_9(CrossAdapterResourceScanout) : 1;
            UINT WDDM3_1(AlwaysPoweredVRAM) : 1;
            UINT Reserved : 14;
        };
        UINT Value;
    };
    UINT PagingNode;
} DXGK_VIDMMCAPS;

typedef struct _DXGK_GPUENGINETOPOLOGY {
    UINT NbAsymetricProcessingNodes;
    UINT Reserved[64];
} DXGK_GPUENGINETOPOLOGY;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7

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

typedef struct _DXGK_HWQUEUEDFLIP_CAPS {
    union {
        UINT Reserved : 32;
        UINT Value;
    };
} DXGK_HWQUEUEDFLIP_CAPS;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

typedef struct _DXGK_DRIVERCAPS {
    PHYSICAL_ADDRESS HighestAcceptableAddress;
    UINT MaxAllocationListSlotId;
    SIZE_T ApertureSegmentCommitLimit;
    UINT MaxPointerWidth;
    UINT MaxPointerHeight;
    DXGK_POINTERFLAGS PointerCaps;
    UINT InterruptMessageNumber;
    UINT NumberOfSwizzlingRanges;
    UINT MaxOverlays;
    union {
        DXGK_GAMMARAMPCAPS GammaRampCaps;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
        DXGK_COLORTRANSFORMCAPS ColorTransformCaps;
#endif
    };
    DXGK_PRESENTATIONCAPS PresentationCaps;
    UINT MaxQueuedFlipOnVSync;
    DXGK_FLIPCAPS FlipCaps;
    DXGK_VIDSCHCAPS SchedulingCaps;
    DXGK_VIDMMCAPS MemoryManagementCaps;
    DXGK_GPUENGINETOPOLOGY GpuEngineTopology;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
    DXGK_WDDMVERSION WDDMVersion;
    DXGK_VIRTUALADDRESSCAPS_DEPRECATED Reserved;
    DXGK_DMABUFFERCAPS_DEPRECATED Reserved1;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    D3DKMDT_PREEMPTION_CAPS PreemptionCaps;
    BOOLEAN SupportNonVGA;
    BOOLEAN SupportSmoothRotation;
    BOOLEAN SupportPerEngineTDR;
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
    D3DGPU_VIRTUAL_ADDRESS InternalGpuVirtualAddressRangeStart;
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

typedef struct _DXGK_QUERYPHYSICALADAPTERCAPSIN {
    UINT PhysicalAdapterIndex;
} DXGK_QUERYPHYSICALADAPTERCAPSIN;

typedef struct _DXGK_PHYSICALADAPTERCAPS {
    WORD NumExecutionNodes;
    WORD PagingNodeIndex;
    HANDLE DxgkPhysicalAdapterHandle;
    DXGK_PHYSICALADAPTERFLAGS Flags;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
    UINT VPRPagingNode;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_7
    UINT VirtualCopyNodeIndex;
#endif
} DXGK_PHYSICALADAPTERCAPS;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9

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

typedef struct _DXGK_PHYSICAL_MEMORY_CAPS {
    PHYSICAL_ADDRESS HighestVisibleAddress;
} DXGK_PHYSICAL_MEMORY_CAPS;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2

typedef struct _DXGK_64_BIT_ONLY_CAPS {
    union {
        struct {
            UINT32 SupportsOnly64Bit : 1;
            UINT32 Reserved : 31;
        };
        UINT32 Value;
    };
} DXGK_64_BIT_ONLY_CAPS;

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

typedef struct _DXGK_DIRTY_BIT_TRACKING_SEGMENT_CAPS {
    UINT32 PageSize;
} DXGK_DIRTY_BIT_TRACKING_SEGMENT_CAPS;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_2 */

/* ---- GPU MMU ---- */

typedef enum _DXGK_PAGETABLEUPDATEMODE {
    DXGK_PAGETABLEUPDATE_CPU_VIRTUAL = 0,
    DXGK_PAGETABLEUPDATE_GPU_VIRTUAL = 1,
    DXGK_PAGETABLEUPDATE_GPU_PHYSICAL = 2,
} DXGK_PAGETABLEUPDATEMODE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef struct _DXGK_QUERYGPUMMUCAPSIN {
    UINT PhysicalAdapterIndex;
} DXGK_QUERYGPUMMUCAPSIN;

typedef struct _DXGK_GPUMMUCAPS {
    union {
        struct {
            UINT ReadOnlyMemorySupported : 1;
            UINT NoExecuteMemorySupported : 1;
            UINT ZeroInPteSupported : 1;
            UINT ExplicitPageTableInvalidation : 1;
            UINT CacheCoherentMemorySupported : 1;
            UINT PageTableUpdateRequireAddressSpaceIdle : 1;
            UINT LargePageSupported : 1;
            UINT DualPteSupported : 1;
            UINT WDDM2_1(AllowNonAlignedLargePageAddress) : 1;
            UINT WDDM2_1(SysMem64KBPageSupported) : 1;
            UINT WDDM2_6(InvalidTlbEntriesNotCached) : 1;
            UINT WDDM2_9(SysMemLargePageSupported) : 1;
            UINT WDDM3_1(CachedPageTables) : 1;
            UINT Reserved : 19;
        };
        UINT Value;
    };
    DXGK_PAGETABLEUPDATEMODE PageTableUpdateMode;
    UINT VirtualAddressBitCount;
    UINT LeafPageTableSizeFor64KPagesInBytes;
    UINT PageTableLevelCount;
    struct {
        UINT SourcePageTableVaInTransfer : 1;
        UINT Reserved : 31;
    } LegacyBehaviors;
} DXGK_GPUMMUCAPS;

typedef struct _DXGK_QUERYPAGETABLELEVELDESCIN {
    WORD LevelIndex;
    WORD PhysicalAdapterIndex;
} DXGK_QUERYPAGETABLELEVELDESCIN;

typedef struct _DXGK_PAGE_TABLE_LEVEL_DESC {
    UINT PageTableIndexBitCount;
    UINT PageTableSegmentId;
    UINT PagingProcessPageTableSegmentId;
    UINT PageTableSizeInBytes;
    UINT PageTableAlignmentInBytes;
} DXGK_PAGE_TABLE_LEVEL_DESC;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2

typedef union _DXGK_MMUFLAGS {
    UINT32 Reserved : 32;
    UINT32 Value;
} DXGK_MMUFLAGS;

typedef struct _DXGK_MMUDESCRIPTOR {
    DXGK_MMUFLAGS Flags;
    UINT64 Size;
} DXGK_MMUDESCRIPTOR;

typedef struct _DXGK_QUERYMMUCOUNTIN {
    UINT16 PhysicalAdapterIndex;
    UINT16 Padding;
    UINT32 Reserved;
} DXGK_QUERYMMUCOUNTIN;

typedef struct _DXGK_QUERYMMUCOUNTOUT {
    UINT16 MmuCount;
    UINT16 Padding;
    UINT32 Reserved;
} DXGK_QUERYMMUCOUNTOUT;

typedef struct _DXGK_QUERYMMUSIN {
    UINT16 PhysicalAdapterIndex;
} DXGK_QUERYMMUSIN;

typedef struct _DXGK_QUERYMMUSOUT {
    DXGK_MMUDESCRIPTOR *MmuDescriptors;
    UINT16 DisplayMmuId;
    UINT16 Reserved0;
    UINT32 Reserved[4];
} DXGK_QUERYMMUSOUT;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_2 */

/* ---- Allocations ---- */

typedef struct _DXGK_SEGMENTPREFERENCE {
    union {
        struct {
            UINT SegmentId0 : 5;
            UINT Direction0 : 1;
            UINT SegmentId1 : 5;
            UINT Direction1 : 1;
            UINT SegmentId2 : 5;
            UINT Direction2 : 1;
            UINT SegmentId3 : 5;
            UINT Direction3 : 1;
            UINT SegmentId4 : 5;
            UINT Direction4 : 1;
            UINT Reserved : 2;
        };
        UINT Value;
    };
} DXGK_SEGMENTPREFERENCE;

typedef struct _DXGK_SEGMENTBANKPREFERENCE {
    union {
        struct {
            UINT Bank0 : 7;
            UINT Direction0 : 1;
            UINT Bank1 : 7;
            UINT Direction1 : 1;
            UINT Bank2 : 7;
            UINT Direction2 : 1;
            UINT Bank3 : 7;
            UINT Direction3 : 1;
        };
        UINT Value;
    };
} DXGK_SEGMENTBANKPREFERENCE;

typedef struct _DXGK_ALLOCATIONINFOFLAGS {
    union {
        struct {
            UINT CpuVisible : 1;
            UINT PermanentSysMem : 1;
            UINT Cached : 1;
            UINT Protected : 1;
            UINT ExistingSysMem : 1;
            UINT ExistingKernelSysMem : 1;
            UINT FromEndOfSegment : 1;
            UINT Swizzled : 1;
            UINT Overlay : 1;
            UINT Capture : 1;
            UINT UseAlternateVA : 1;
            UINT SynchronousPaging : 1;
            UINT LinkMirrored : 1;
            UINT LinkInstanced : 1;
            UINT HistoryBuffer : 1;
            UINT WDDM2_0(AccessedPhysically) : 1;
            UINT WDDM2_0(ExplicitResidencyNotification) : 1;
            UINT WDDM2_0(HardwareProtected) : 1;
            UINT WDDM2_0(CpuVisibleOnDemand) : 1;
            UINT DXGK_ALLOC_RESERVED16 : 1;
            UINT DXGK_ALLOC_RESERVED15 : 1;
            UINT DXGK_ALLOC_RESERVED14 : 1;
            UINT DXGK_ALLOC_RESERVED13 : 1;
            UINT DXGK_ALLOC_RESERVED12 : 1;
            UINT DXGK_ALLOC_RESERVED11 : 1;
            UINT DXGK_ALLOC_RESERVED10 : 1;
            UINT DXGK_ALLOC_RESERVED9 : 1;
            UINT DXGK_ALLOC_RESERVED4 : 1;
            UINT DXGK_ALLOC_RESERVED3 : 1;
            UINT DXGK_ALLOC_RESERVED2 : 1;
            UINT DXGK_ALLOC_RESERVED1 : 1;
            UINT DXGK_ALLOC_RESERVED0 : 1;
        };
        UINT Value;
    };
} DXGK_ALLOCATIONINFOFLAGS;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef struct _DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 {
    union {
        struct {
            UINT CpuVisible : 1;
            UINT PermanentSysMem : 1;
            UINT Cached : 1;
            UINT Protected : 1;
            UINT ExistingSysMem : 1;
            UINT ExistingKernelSysMem : 1;
            UINT FromEndOfSegment : 1;
            UINT DisableLargePageMapping : 1;
            UINT Overlay : 1;
            UINT Capture : 1;
            UINT WDDM2_1(CreateInVpr) : 1;
            UINT DXGK_ALLOC_RESERVED17 : 1;
            UINT Reserved02 : 1;
            UINT WDDM2_9(MapApertureCpuVisible) : 1;
            UINT HistoryBuffer : 1;
            UINT AccessedPhysically : 1;
            UINT ExplicitResidencyNotification : 1;
            UINT HardwareProtected : 1;
            UINT CpuVisibleOnDemand : 1;
            UINT DXGK_ALLOC_RESERVED16 : 1;
            UINT DXGK_ALLOC_RESERVED15 : 1;
            UINT DXGK_ALLOC_RESERVED14 : 1;
            UINT DXGK_ALLOC_RESERVED13 : 1;
            UINT DXGK_ALLOC_RESERVED12 : 1;
            UINT DXGK_ALLOC_RESERVED11 : 1;
            UINT DXGK_ALLOC_RESERVED10 : 1;
            UINT DXGK_ALLOC_RESERVED9 : 1;
            UINT DXGK_ALLOC_RESERVED4 : 1;
            UINT DXGK_ALLOC_RESERVED3 : 1;
            UINT DXGK_ALLOC_RESERVED2 : 1;
            UINT DXGK_ALLOC_RESERVED1 : 1;
            UINT DXGK_ALLOC_RESERVED0 : 1;
        };
        UINT Value;
    };
} DXGK_ALLOCATIONINFOFLAGS_WDDM2_0;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_0

typedef struct _DXGK_ALLOCATIONINFOFLAGS2 {
    union {
        struct {
            UINT ShareBackingStoreWithKmd : 1;
            UINT WDDM3_2(NoImplicitSynchronization) : 1;
            UINT WDDM3_2(DisablePartialResidency) : 1;
            UINT WDDM3_2(RestrictedToSingleSegment) : 1;
            UINT WDDM3_2(NotifyEviction) : 1;
            UINT WDDM3_2(NotifyIoMmuUnmap) : 1;
            UINT Reserved : 26;
        };
        UINT Value;
    };
} DXGK_ALLOCATIONINFOFLAGS2;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_0 */

typedef struct _DXGK_ALLOCATIONUSAGEINFO1 {
    union {
        struct {
            UINT PrivateFormat : 1;
            UINT Swizzled : 1;
            UINT MipMap : 1;
            UINT Cube : 1;
            UINT Volume : 1;
            UINT Vertex : 1;
            UINT Index : 1;
            UINT Reserved : 25;
        };
        UINT Value;
    } Flags;
    union {
        D3DDDIFORMAT Format;
        UINT PrivateFormat;
    };
    UINT SwizzledFormat;
    UINT ByteOffset;
    UINT Width;
    UINT Height;
    UINT Pitch;
    UINT Depth;
    UINT SlicePitch;
} DXGK_ALLOCATIONUSAGEINFO1;

typedef struct _DXGK_ALLOCATIONUSAGEHINT {
    UINT Version;
    DXGK_ALLOCATIONUSAGEINFO1 v1;
} DXGK_ALLOCATIONUSAGEHINT;

typedef struct _DXGK_ALLOCATIONINFO {
    void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    union {
        UINT Alignment;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
        struct {
            UINT16 MinimumPageSize;
            UINT16 RecommendedPageSize;
        };
#endif
    };
    SIZE_T Size;
    SIZE_T PitchAlignedSize;
    DXGK_SEGMENTBANKPREFERENCE HintedBank;
    DXGK_SEGMENTPREFERENCE PreferredSegment;
    union {
        UINT SupportedReadSegmentSet;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
        UINT MmuSet;
#endif
    };
    UINT SupportedWriteSegmentSet;
    UINT EvictionSegmentSet;
    union {
        UINT MaximumRenamingListLength;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
        UINT PhysicalAdapterIndex;
#endif
    };
    HANDLE hAllocation;
    union {
        DXGK_ALLOCATIONINFOFLAGS Flags;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
        DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 FlagsWddm2;
#endif
    };
    DXGK_ALLOCATIONUSAGEHINT *pAllocationUsageHint;
    UINT AllocationPriority;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_0
    DXGK_ALLOCATIONINFOFLAGS2 Flags2;
#endif
} DXGK_ALLOCATIONINFO;

typedef struct _DXGK_CREATEALLOCATIONFLAGS {
    union {
        struct {
            UINT Resource : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_CREATEALLOCATIONFLAGS;

typedef struct _DXGKARG_CREATEALLOCATION {
    const void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    UINT NumAllocations;
    DXGK_ALLOCATIONINFO *pAllocationInfo;
    HANDLE hResource;
    DXGK_CREATEALLOCATIONFLAGS Flags;
} DXGKARG_CREATEALLOCATION;

typedef struct _DXGK_DESTROYALLOCATIONFLAGS {
    union {
        struct {
            UINT DestroyResource : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_DESTROYALLOCATIONFLAGS;

typedef struct _DXGKARG_DESTROYALLOCATION {
    UINT NumAllocations;
    const HANDLE *pAllocationList;
    HANDLE hResource;
    DXGK_DESTROYALLOCATIONFLAGS Flags;
} DXGKARG_DESTROYALLOCATION;

typedef struct _DXGK_OPENALLOCATIONINFO {
    D3DKMT_HANDLE hAllocation;
    void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    HANDLE hDeviceSpecificAllocation;
} DXGK_OPENALLOCATIONINFO;

typedef struct _DXGK_OPENALLOCATIONFLAGS {
    union {
        struct {
            UINT Create : 1;
            UINT WDDM1_2(ReadOnly) : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} DXGK_OPENALLOCATIONFLAGS;

typedef struct _DXGKARG_OPENALLOCATION {
    UINT NumAllocations;
    DXGK_OPENALLOCATIONINFO *pOpenAllocation;
    void *pPrivateDriverData;
    UINT PrivateDriverSize;
    DXGK_OPENALLOCATIONFLAGS Flags;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    UINT SubresourceIndex;
    SIZE_T SubresourceOffset;
    UINT Pitch;
#endif
} DXGKARG_OPENALLOCATION;

typedef struct _DXGKARG_CLOSEALLOCATION {
    UINT NumAllocations;
    const HANDLE *pOpenHandleList;
} DXGKARG_CLOSEALLOCATION;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8

typedef struct _DXGK_DESCRIBEALLOCATIONFLAGS {
    union {
        struct {
            UINT CheckDisplayMode : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_DESCRIBEALLOCATIONFLAGS;

#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

typedef struct _DXGKARG_DESCRIBEALLOCATION {
    HANDLE hAllocation;
    UINT Width;
    UINT Height;
    D3DDDIFORMAT Format;
    D3DDDI_MULTISAMPLINGMETHOD MultisampleMethod;
    D3DDDI_RATIONAL RefreshRate;
    UINT PrivateDriverFormatAttribute;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    DXGK_DESCRIBEALLOCATIONFLAGS Flags;
    D3DDDI_ROTATION Rotation;
#endif
} DXGKARG_DESCRIBEALLOCATION;

typedef enum _DXGKARG_FENCESTORAGEVALUETYPE {
    D3DKARG_FENCESTORAGETYPE_CURRENTVALUE = 0,
    D3DKARG_FENCESTORAGETYPE_MONITOREDVALUE = 1,
} DXGKARG_FENCESTORAGEVALUETYPE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2

typedef struct _DXGKARG_FENCESTORAGEFLAGS {
    UINT Reserved;
} DXGKARG_FENCESTORAGEFLAGS;

typedef struct _D3DKMDT_FENCESTORAGESURFACEDATA {
    UINT PhysicalAdapterIndex;
    DXGKARG_FENCESTORAGEVALUETYPE FenceStorageValueType;
    D3DDDI_NATIVEFENCE_TYPE FenceStorageType;
    UINT PrivateDriverDataSize;
    BYTE *pPrivateDriverData;
    DXGKARG_FENCESTORAGEFLAGS Flags;
    UINT Reserved;
    DXGK_ALLOCATIONINFO AllocationInfo;
} D3DKMDT_FENCESTORAGESURFACEDATA;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_2 */

typedef struct _DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA {
    D3DKMDT_STANDARDALLOCATION_TYPE StandardAllocationType;
    union {
        D3DKMDT_SHAREDPRIMARYSURFACEDATA *pCreateSharedPrimarySurfaceData;
        D3DKMDT_SHADOWSURFACEDATA *pCreateShadowSurfaceData;
        D3DKMDT_STAGINGSURFACEDATA *pCreateStagingSurfaceData;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
        D3DKMDT_GDISURFACEDATA *pCreateGdiSurfaceData;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
        D3DKMDT_VIRTUALGPUSURFACEDATA *pCreateVirtualGpuSurfaceData;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
        D3DKMDT_FENCESTORAGESURFACEDATA *pCreateFenceStorageData;
#endif
    };
    void *pAllocationPrivateDriverData;
    UINT AllocationPrivateDriverDataSize;
    void *pResourcePrivateDriverData;
    UINT ResourcePrivateDriverDataSize;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    UINT PhysicalAdapterIndex;
#endif
} DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_0

typedef struct _DXGKARG_SETALLOCATIONBACKINGSTORE {
    HANDLE hDriverAllocation;
    void *pBackingStore;
} DXGKARG_SETALLOCATIONBACKINGSTORE;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1

typedef struct _DXGKARG_VALIDATEUPDATEALLOCPROPERTY {
    HANDLE hAllocation;
    UINT SupportedSegmentSet;
    D3DDDI_SEGMENTPREFERENCE PreferredSegment;
    D3DDDI_UPDATEALLOCPROPERTY_FLAGS Flags;
    union {
        struct {
            UINT SetAccessedPhysically : 1;
            UINT SetSupportedSegmentSet : 1;
            UINT SetPreferredSegment : 1;
            UINT Reserved : 29;
        };
        UINT PropertyMaskValue;
    };
} DXGKARG_VALIDATEUPDATEALLOCPROPERTY;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_1 */

typedef struct _DXGKARG_ACQUIRESWIZZLINGRANGE {
    HANDLE hAllocation;
    UINT PrivateDriverData;
    UINT RangeId;
    UINT SegmentId;
    SIZE_T RangeSize;
    PHYSICAL_ADDRESS CPUTranslatedAddress;
} DXGKARG_ACQUIRESWIZZLINGRANGE;

typedef struct _DXGKARG_RELEASESWIZZLINGRANGE {
    HANDLE hAllocation;
    UINT PrivateDriverData;
    UINT RangeId;
} DXGKARG_RELEASESWIZZLINGRANGE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef struct _DXGKARG_MAPCPUHOSTAPERTURE {
    HANDLE hAllocation;
    WORD SegmentId;
    WORD PhysicalAdapterIndex;
    UINT64 NumberOfPages;
    UINT32 *pCpuHostAperturePages;
    UINT64 *pMemorySegmentPages;
} DXGKARG_MAPCPUHOSTAPERTURE;

typedef struct _DXGKARG_UNMAPCPUHOSTAPERTURE {
    UINT64 NumberOfPages;
    UINT32 *pCpuHostAperturePages;
    WORD SegmentId;
    WORD PhysicalAdapterIndex;
} DXGKARG_UNMAPCPUHOSTAPERTURE;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* ---- Paging ---- */

typedef enum _DXGK_BUILDPAGINGBUFFER_OPERATION {
    DXGK_OPERATION_TRANSFER = 0,
    DXGK_OPERATION_FILL = 1,
    DXGK_OPERATION_DISCARD_CONTENT = 2,
    DXGK_OPERATION_READ_PHYSICAL = 3,
    DXGK_OPERATION_WRITE_PHYSICAL = 4,
    DXGK_OPERATION_MAP_APERTURE_SEGMENT = 5,
    DXGK_OPERATION_UNMAP_APERTURE_SEGMENT = 6,
    DXGK_OPERATION_SPECIAL_LOCK_TRANSFER = 7,
    DXGK_OPERATION_VIRTUAL_TRANSFER = 8,
    DXGK_OPERATION_VIRTUAL_FILL = 9,
    DXGK_OPERATION_INIT_CONTEXT_RESOURCE = 10,
    DXGK_OPERATION_UPDATE_PAGE_TABLE = 11,
    DXGK_OPERATION_FLUSH_TLB = 12,
    DXGK_OPERATION_UPDATE_CONTEXT_ALLOCATION = 13,
    DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES = 14,
    DXGK_OPERATION_NOTIFY_RESIDENCY = 15,
    DXGK_OPERATION_SIGNAL_MONITORED_FENCE = 16,
    DXGK_OPERATION_MAP_APERTURE_SEGMENT2 = 17,
    DXGK_OPERATION_NOTIFY_FENCE_RESIDENCY = 18,
    DXGK_OPERATION_MAP_MMU = 19,
    DXGK_OPERATION_UNMAP_MMU = 20,
    DXGK_OPERATION_NOTIFY_RESIDENCY2 = 21,
    DXGK_OPERATION_NOTIFY_ALLOC = 22,
} DXGK_BUILDPAGINGBUFFER_OPERATION;

typedef struct _DXGK_TRANSFERFLAGS {
    union {
        struct {
            UINT Swizzle : 1;
            UINT Unswizzle : 1;
            UINT AllocationIsIdle : 1;
            UINT TransferStart : 1;
            UINT TransferEnd : 1;
            UINT Reserved : 27;
        };
        UINT Value;
    };
} DXGK_TRANSFERFLAGS;

typedef struct _DXGK_DISCARDCONTENTFLAGS {
    union {
        struct {
            UINT AllocationIsIdle : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_DISCARDCONTENTFLAGS;

typedef struct _DXGK_MAPAPERTUREFLAGS {
    union {
        struct {
            UINT CacheCoherent : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_MAPAPERTUREFLAGS;

typedef enum _DXGK_MEMORY_TRANSFER_DIRECTION {
    DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM = 0,
    DXGK_MEMORY_TRANSFER_SYSTEM_TO_LOCAL = 1,
    DXGK_MEMORY_TRANSFER_LOCAL_TO_LOCAL = 2,
} DXGK_MEMORY_TRANSFER_DIRECTION;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef struct _DXGK_TRANSFERVIRTUALFLAGS {
    union {
        struct {
            UINT Src64KBPages : 1;
            UINT Dst64KBPages : 1;
            UINT Reserved : 30;
        };
        UINT Flags;
    };
} DXGK_TRANSFERVIRTUALFLAGS;

typedef struct _DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL {
    HANDLE hAllocation;
    UINT64 AllocationOffsetInBytes;
    UINT64 TransferSizeInBytes;
    D3DGPU_VIRTUAL_ADDRESS SourceVirtualAddress;
    D3DGPU_VIRTUAL_ADDRESS DestinationVirtualAddress;
    D3DGPU_VIRTUAL_ADDRESS SourcePageTable;
    DXGK_MEMORY_TRANSFER_DIRECTION TransferDirection;
    DXGK_TRANSFERVIRTUALFLAGS Flags;
    D3DGPU_VIRTUAL_ADDRESS DestinationPageTable;
} DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL;

typedef struct _DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL {
    HANDLE hAllocation;
    UINT64 AllocationOffsetInBytes;
    UINT64 FillSizeInBytes;
    UINT FillPattern;
    D3DGPU_VIRTUAL_ADDRESS DestinationVirtualAddress;
} DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL;

typedef struct _DXGK_PAGETABLEUPDATEADDRESS {
    union {
        PVOID CpuVirtual;
        D3DGPU_PHYSICAL_ADDRESS GpuPhysical;
        D3DGPU_VIRTUAL_ADDRESS GpuVirtual;
    };
} DXGK_PAGETABLEUPDATEADDRESS;

typedef struct _DXGK_UPDATEPAGETABLEFLAGS {
    UINT Repeat : 1;
    UINT InitialUpdate : 1;
    UINT NotifyEviction : 1;
    UINT Use64KBPages : 1;
    UINT WDDM3_1(NativeFence) : 1;
    UINT Reserved : 27;
} DXGK_UPDATEPAGETABLEFLAGS;

typedef struct _DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE {
    UINT PageTableLevel;
    HANDLE hAllocation;
    DXGK_PAGETABLEUPDATEADDRESS PageTableAddress;
    DXGK_PTE *pPageTableEntries;
    UINT StartIndex;
    UINT NumPageTableEntries;
    UINT Reserved0;
    DXGK_UPDATEPAGETABLEFLAGS Flags;
    UINT64 DriverProtection;
    UINT64 AllocationOffsetInBytes;
    HANDLE hProcess;
    DXGK_PAGETABLEUPDATEMODE UpdateMode;
    DXGK_PTE *pPageTableEntries64KB;
    D3DGPU_VIRTUAL_ADDRESS FirstPteVirtualAddress;
} DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE;

typedef struct _DXGK_BUILDPAGINGBUFFER_FLUSHTLB {
    D3DGPU_PHYSICAL_ADDRESS RootPageTableAddress;
    HANDLE hProcess;
    D3DGPU_VIRTUAL_ADDRESS StartVirtualAddress;
    D3DGPU_VIRTUAL_ADDRESS EndVirtualAddress;
} DXGK_BUILDPAGINGBUFFER_FLUSHTLB;

typedef struct _DXGK_BUILDPAGINGBUFFER_COPY_RANGE {
    UINT NumPageTableEntries;
    D3DGPU_VIRTUAL_ADDRESS SrcPageTableAddress;
    D3DGPU_VIRTUAL_ADDRESS DstPageTableAddress;
    UINT SrcStartPteIndex;
    UINT DstStartPteIndex;
} DXGK_BUILDPAGINGBUFFER_COPY_RANGE;

typedef struct _DXGK_BUILDPAGINGBUFFER_COPYPAGETABLEENTRIES {
    UINT NumRanges;
    DXGK_BUILDPAGINGBUFFER_COPY_RANGE *pRanges;
} DXGK_BUILDPAGINGBUFFER_COPYPAGETABLEENTRIES;

typedef struct _DXGK_BUILDPAGINGBUFFER_UPDATECONTEXTALLOCATION {
    D3DGPU_VIRTUAL_ADDRESS ContextAllocation;
    UINT64 ContextAllocationSize;
    PVOID pDriverPrivateData;
    UINT DriverPrivateDataSize;
} DXGK_BUILDPAGINGBUFFER_UPDATECONTEXTALLOCATION;

typedef struct _DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY {
    HANDLE hAllocation;
    D3DGPU_PHYSICAL_ADDRESS PhysicalAddress;
    union {
        UINT Resident : 1;
        UINT Reserved : 31;
    };
} DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2

typedef struct _DXGK_BUILDPAGINGBUFFER_SIGNALMONITOREDFENCE {
    D3DGPU_VIRTUAL_ADDRESS MonitoredFenceGpuVa;
    UINT64 MonitoredFenceValue;
} DXGK_BUILDPAGINGBUFFER_SIGNALMONITOREDFENCE;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_2 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9

typedef struct _DXGK_FENCE_RESIDENCY_INFO {
    HANDLE hGlobalNativeFence;
    D3DGPU_PHYSICAL_ADDRESS CurrentValuePhysicalAddress;
    D3DGPU_PHYSICAL_ADDRESS MonitoredValuePhysicalAddress;
    PVOID CurrentValueKernelCpuVa;
    PVOID MonitoredValueKernelCpuVa;
} DXGK_FENCE_RESIDENCY_INFO;

typedef struct _DXGK_BUILDPAGINGBUFFER_NOTIFY_FENCE_RESIDENCY {
    UINT NumFences;
    union {
        UINT Reserved;
    } Flags;
    DXGK_FENCE_RESIDENCY_INFO *FenceResidencyInfo;
} DXGK_BUILDPAGINGBUFFER_NOTIFY_FENCE_RESIDENCY;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2

typedef struct _DXGK_BUILDPAGINGBUFFER_MAPMMU {
    HANDLE hAllocation;
    UINT64 VirtualAddress;
    UINT16 MmuId;
    UINT16 SegmentId;
    UINT32 AllocationOffsetInPages;
    DXGK_ADL Adl;
} DXGK_BUILDPAGINGBUFFER_MAPMMU;

typedef struct _DXGK_BUILDPAGINGBUFFER_UNMAPMMU {
    HANDLE hAllocation;
    UINT64 VirtualAddress;
    UINT16 MmuId;
    UINT16 Reserved0;
    UINT32 AllocationOffset;
    UINT32 NumberOfPages;
} DXGK_BUILDPAGINGBUFFER_UNMAPMMU;

typedef struct _DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY2 {
    HANDLE hAllocation;
    UINT32 AllocationOffsetInPages;
    UINT32 SizeInPages;
    UINT16 SegmentId;
    UINT16 Padding0;
    union {
        D3DGPU_PHYSICAL_ADDRESS PhysicalAddress;
        PMDL Mdl;
    };
    UINT Resident : 1;
    UINT Reserved : 31;
} DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY2;

typedef struct _DXGK_NOTIFYALLOCFLAGS {
    union {
        struct {
            UINT Eviction : 1;
            UINT IoMmuUnmap : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} DXGK_NOTIFYALLOCFLAGS;

typedef struct _DXGK_BUILDPAGINGBUFFER_NOTIFYALLOC {
    HANDLE hAllocation;
    HANDLE hKmdProcessHandle;
    DXGK_NOTIFYALLOCFLAGS Flags;
    UINT64 OffsetInBytes;
    UINT64 SizeInBytes;
    UINT64 GpuVirtualAddressAtOffset;
} DXGK_BUILDPAGINGBUFFER_NOTIFYALLOC;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_2 */

typedef struct _DXGKARG_BUILDPAGINGBUFFER {
    void *pDmaBuffer;
    UINT DmaSize;
    void *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    DXGK_BUILDPAGINGBUFFER_OPERATION Operation;
    UINT MultipassOffset;
    union {
        struct {
            HANDLE hAllocation;
            UINT TransferOffset;
            SIZE_T TransferSize;
            struct {
                UINT SegmentId;
                union {
                    LARGE_INTEGER SegmentAddress;
                    MDL *pMdl;
                };
            } Source;
            struct {
                UINT SegmentId;
                union {
                    LARGE_INTEGER SegmentAddress;
                    MDL *pMdl;
                };
            } Destination;
            DXGK_TRANSFERFLAGS Flags;
            UINT MdlOffset;
        } Transfer;
        struct {
            HANDLE hAllocation;
            SIZE_T FillSize;
            UINT FillPattern;
            struct {
                UINT SegmentId;
                LARGE_INTEGER SegmentAddress;
            } Destination;
        } Fill;
        struct {
            HANDLE hAllocation;
            DXGK_DISCARDCONTENTFLAGS Flags;
            UINT SegmentId;
            PHYSICAL_ADDRESS SegmentAddress;
        } DiscardContent;
        struct {
            UINT SegmentId;
            PHYSICAL_ADDRESS PhysicalAddress;
        } ReadPhysical;
        struct {
            UINT SegmentId;
            PHYSICAL_ADDRESS PhysicalAddress;
        } WritePhysical;
        struct {
            HANDLE hDevice;
            HANDLE hAllocation;
            UINT SegmentId;
            SIZE_T OffsetInPages;
            SIZE_T NumberOfPages;
            PMDL pMdl;
            DXGK_MAPAPERTUREFLAGS Flags;
            ULONG MdlOffset;
        } MapApertureSegment;
        struct {
            HANDLE hDevice;
            HANDLE hAllocation;
            UINT SegmentId;
            SIZE_T OffsetInPages;
            SIZE_T NumberOfPages;
            PHYSICAL_ADDRESS DummyPage;
        } UnmapApertureSegment;
        struct {
            HANDLE hAllocation;
            UINT TransferOffset;
            SIZE_T TransferSize;
            struct {
                UINT SegmentId;
                union {
                    LARGE_INTEGER SegmentAddress;
                    MDL *pMdl;
                };
            } Source;
            struct {
                UINT SegmentId;
                union {
                    LARGE_INTEGER SegmentAddress;
                    MDL *pMdl;
                };
            } Destination;
            DXGK_TRANSFERFLAGS Flags;
            UINT SwizzlingRangeId;
            UINT SwizzlingRangeData;
        } SpecialLockTransfer;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
        struct {
            HANDLE hAllocation;
            struct {
                UINT SegmentId;
                union {
                    LARGE_INTEGER SegmentAddress;
                    MDL *pMdl;
                };
                PVOID VirtualAddress;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
                D3DGPU_VIRTUAL_ADDRESS GpuVirtualAddress;
#endif
            } Destination;
        } InitContextResource;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
        DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL TransferVirtual;
        DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL FillVirtual;
        DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE UpdatePageTable;
        DXGK_BUILDPAGINGBUFFER_FLUSHTLB FlushTlb;
        DXGK_BUILDPAGINGBUFFER_COPYPAGETABLEENTRIES CopyPageTableEntries;
        DXGK_BUILDPAGINGBUFFER_UPDATECONTEXTALLOCATION UpdateContextAllocation;
        DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY NotifyResidency;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
        DXGK_BUILDPAGINGBUFFER_SIGNALMONITOREDFENCE SignalMonitoredFence;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
        struct {
            HANDLE hDevice;
            HANDLE hAllocation;
            UINT SegmentId;
            SIZE_T OffsetInPages;
            SIZE_T NumberOfPages;
            DXGK_ADL Adl;
            DXGK_MAPAPERTUREFLAGS Flags;
            ULONG AdlOffset;
            PVOID CpuVisibleAddress;
        } MapApertureSegment2;
        DXGK_BUILDPAGINGBUFFER_NOTIFY_FENCE_RESIDENCY NotifyFenceResidency;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
        DXGK_BUILDPAGINGBUFFER_MAPMMU MmapMmu;
        DXGK_BUILDPAGINGBUFFER_UNMAPMMU UnmapMmu;
        DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY2 NotifyResidency2;
        DXGK_BUILDPAGINGBUFFER_NOTIFYALLOC NotifyAllocation;
#endif
        struct {
            UINT Reserved[64];
        } Reserved;
    };
    HANDLE hSystemContext;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    D3DGPU_VIRTUAL_ADDRESS DmaBufferGpuVirtualAddress;
    UINT DmaBufferWriteOffset;
#endif
} DXGKARG_BUILDPAGINGBUFFER;

/* ---- Processes, devices, contexts ---- */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef struct _DXGK_CREATEPROCESSFLAGS {
    union {
        struct {
            UINT SystemProcess : 1;
            UINT GdiProcess : 1;
            UINT WDDM2_2(VirtualMachineProcess) : 1;
            UINT WDDM2_4(VirtualMachineWorkerProcess) : 1;
            UINT WDDM2_5(SessionIsolatedContainer) : 1;
            UINT Reserved : 27;
        };
        UINT Value;
    };
} DXGK_CREATEPROCESSFLAGS;

typedef struct _DXGKARG_CREATEPROCESS {
    HANDLE hDxgkProcess;
    HANDLE hKmdProcess;
    DXGK_CREATEPROCESSFLAGS Flags;
    UINT NumPasid;
    ULONG *pPasid;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
    HANDLE hKmdVmWorkerProcess;
    UINT ProcessNameLength;
    WCHAR *pProcessName;
#endif
} DXGKARG_CREATEPROCESS;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

typedef struct _DXGK_CREATEDEVICEFLAGS {
    union {
        struct {
            UINT SystemDevice : 1;
            UINT WDDM1_1(GdiDevice) : 1;
            UINT Reserved : 29;
            UINT DXGK_DEVICE_RESERVED0 : 1;
        };
        UINT Value;
    };
} DXGK_CREATEDEVICEFLAGS;

typedef struct _DXGK_DEVICEINFOFLAGS {
    union {
        struct {
            UINT GuaranteedDmaBufferContract : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_DEVICEINFOFLAGS;

typedef struct _DXGK_DEVICEINFO {
    UINT DmaBufferSize;
    UINT DmaBufferSegmentSet;
    UINT DmaBufferPrivateDataSize;
    UINT AllocationListSize;
    UINT PatchLocationListSize;
    DXGK_DEVICEINFOFLAGS Flags;
} DXGK_DEVICEINFO;

typedef struct _DXGKARG_CREATEDEVICE {
    HANDLE hDevice;
    union {
        DXGK_CREATEDEVICEFLAGS Flags;
        DXGK_DEVICEINFO *pInfo;
    };
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    ULONG Pasid;
    HANDLE hKmdProcess;
#endif
} DXGKARG_CREATEDEVICE;

typedef struct _DXGK_CREATECONTEXTFLAGS {
    union {
        struct {
            UINT SystemContext : 1;
            UINT WDDM1_1(GdiContext) : 1;
            UINT WDDM2_0(VirtualAddressing) : 1;
            UINT WDDM2_1(SystemProtectedContext) : 1;
            UINT WDDM2_3(HwQueueSupported) : 1;
            UINT WDDM3_2(TestContext) : 1;
            UINT Reserved : 26;
        };
        UINT Value;
    };
} DXGK_CREATECONTEXTFLAGS;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef struct _DXGK_CONTEXTINFO_CAPS {
    union {
        struct {
            UINT NoPatchingRequired : 1;
            UINT DriverManagesResidency : 1;
            UINT UseIoMmu : 1;
            UINT Reserved : 29;
        };
        UINT Value;
    };
} DXGK_CONTEXTINFO_CAPS;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

typedef struct _DXGK_CONTEXTINFO {
    UINT DmaBufferSize;
    UINT DmaBufferSegmentSet;
    UINT DmaBufferPrivateDataSize;
    UINT AllocationListSize;
    UINT PatchLocationListSize;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
    UINT Reserved;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    DXGK_CONTEXTINFO_CAPS Caps;
    ULONG PagingCompanionNodeId;
#endif
} DXGK_CONTEXTINFO;

typedef struct _DXGKARG_CREATECONTEXT {
    HANDLE hContext;
    UINT NodeOrdinal;
    UINT EngineAffinity;
    DXGK_CREATECONTEXTFLAGS Flags;
    void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    DXGK_CONTEXTINFO ContextInfo;
} DXGKARG_CREATECONTEXT;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef struct _DXGKARG_SETROOTPAGETABLE {
    HANDLE hContext;
    D3DGPU_PHYSICAL_ADDRESS Address;
    UINT NumEntries;
} DXGKARG_SETROOTPAGETABLE;

typedef struct _DXGKARG_GETROOTPAGETABLESIZE {
    UINT NumberOfPte;
    UINT PhysicalAdapterIndex;
} DXGKARG_GETROOTPAGETABLESIZE;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* ---- Render, patch, submit ---- */

typedef struct _DXGK_ALLOCATIONLIST {
    HANDLE hDeviceSpecificAllocation;
    UINT WriteOperation : 1;
    UINT SegmentId : 5;
    UINT Reserved : 26;
    union {
        PHYSICAL_ADDRESS PhysicalAddress;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
        D3DGPU_VIRTUAL_ADDRESS VirtualAddress;
#endif
    };
} DXGK_ALLOCATIONLIST;

typedef struct _DXGKARG_RENDER {
    const void *pCommand;
    UINT CommandLength;
    void *pDmaBuffer;
    UINT DmaSize;
    void *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    DXGK_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    D3DDDI_PATCHLOCATIONLIST *pPatchLocationListIn;
    UINT PatchLocationListInSize;
    D3DDDI_PATCHLOCATIONLIST *pPatchLocationListOut;
    UINT PatchLocationListOutSize;
    UINT MultipassOffset;
    UINT DmaBufferSegmentId;
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
} DXGKARG_RENDER;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef struct _DXGKARG_RENDERGDI {
    const void *pCommand;
    UINT CommandLength;
    void *pDmaBuffer;
    D3DGPU_VIRTUAL_ADDRESS DmaBufferGpuVirtualAddress;
    UINT DmaSize;
    void *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    DXGK_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    UINT MultipassOffset;
} DXGKARG_RENDERGDI;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7

typedef struct _DXGK_PRESENTALLOCATIONINFO {
    HANDLE hDeviceSpecificAllocation;
    D3DGPU_VIRTUAL_ADDRESS AllocationVirtualAddress;
    PHYSICAL_ADDRESS PhysicalAddress;
    WORD SegmentId;
    WORD PhysicalAdapterIndex;
} DXGK_PRESENTALLOCATIONINFO;

#endif /* DXGKDDI_INTERFACE_VERSION_WIN7 */

typedef struct _DXGK_PRESENTFLAGS {
    union {
        struct {
            UINT Blt : 1;
            UINT ColorFill : 1;
            UINT Flip : 1;
            UINT FlipWithNoWait : 1;
            UINT SrcColorKey : 1;
            UINT DstColorKey : 1;
            UINT LinearToSrgb : 1;
            UINT Rotate : 1;
            UINT WDDM1_2(FlipStereo) : 1;
            UINT WDDM1_2(FlipStereoTemporaryMono) : 1;
            UINT WDDM1_2(FlipStereoPreferRight) : 1;
            UINT WDDM1_2(BltStereoUseRight) : 1;
            UINT WDDM1_2(FlipWithMultiPlaneOverlay) : 1;
            UINT RedirectedFlip : 1;
            UINT Reserved : 18;
        };
        UINT Value;
    };
} DXGK_PRESENTFLAGS;

typedef struct _DXGK_PRESENTMULTIPLANEOVERLAYINFO DXGK_PRESENTMULTIPLANEOVERLAYINFO;

typedef struct _DXGKARG_PRESENT {
    void *pDmaBuffer;
    UINT DmaSize;
    void *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    union {
        DXGK_ALLOCATIONLIST *pAllocationList;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
        DXGK_PRESENTALLOCATIONINFO *pAllocationInfo;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
        DXGK_PRESENTMULTIPLANEOVERLAYINFO *pPresentMultiPlaneOverlayInfo;
#endif
    };
    D3DDDI_PATCHLOCATIONLIST *pPatchLocationListOut;
    UINT PatchLocationListOutSize;
    UINT MultipassOffset;
    UINT Color;
    RECT DstRect;
    RECT SrcRect;
    UINT SubRectCnt;
    const RECT *pDstSubRects;
    D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
    DXGK_PRESENTFLAGS Flags;
    UINT DmaBufferSegmentId;
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
    UINT Reserved;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    D3DGPU_VIRTUAL_ADDRESS DmaBufferGpuVirtualAddress;
    UINT NumSrcAllocations;
    UINT NumDstAllocations;
    UINT PrivateDriverDataSize;
    PVOID pPrivateDriverData;
#endif
} DXGKARG_PRESENT;

typedef struct _DXGK_PATCHFLAGS {
    union {
        struct {
            UINT Paging : 1;
            UINT Present : 1;
            UINT RedirectedPresent : 1;
            UINT NullRendering : 1;
            UINT Reserved : 28;
        };
        UINT Value;
    };
} DXGK_PATCHFLAGS;

typedef struct _DXGKARG_PATCH {
    union {
        HANDLE hDevice;
        HANDLE hContext;
    };
    UINT DmaBufferSegmentId;
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
    void *pDmaBuffer;
    UINT DmaBufferSize;
    UINT DmaBufferSubmissionStartOffset;
    UINT DmaBufferSubmissionEndOffset;
    void *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    UINT DmaBufferPrivateDataSubmissionStartOffset;
    UINT DmaBufferPrivateDataSubmissionEndOffset;
    const DXGK_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    const D3DDDI_PATCHLOCATIONLIST *pPatchLocationList;
    UINT PatchLocationListSize;
    UINT PatchLocationListSubmissionStart;
    UINT PatchLocationListSubmissionLength;
    UINT SubmissionFenceId;
    DXGK_PATCHFLAGS Flags;
    UINT EngineOrdinal;
} DXGKARG_PATCH;

typedef struct _DXGK_SUBMITCOMMANDFLAGS {
    union {
        struct {
            UINT Paging : 1;
            UINT Present : 1;
            UINT RedirectedPresent : 1;
            UINT NullRendering : 1;
            UINT Flip : 1;
            UINT FlipWithNoWait : 1;
            UINT WDDM1_2(ContextSwitch) : 1;
            UINT WDDM2_0(Resubmission) : 1;
            UINT WDDM2_2(VirtualMachineData) : 1;
            UINT Reserved : 23;
        };
        UINT Value;
    };
} DXGK_SUBMITCOMMANDFLAGS;

typedef struct _DXGKARG_SUBMITCOMMAND {
    union {
        HANDLE hDevice;
        HANDLE hContext;
    };
    UINT DmaBufferSegmentId;
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
    UINT DmaBufferSize;
    UINT DmaBufferSubmissionStartOffset;
    UINT DmaBufferSubmissionEndOffset;
    void *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    UINT DmaBufferPrivateDataSubmissionStartOffset;
    UINT DmaBufferPrivateDataSubmissionEndOffset;
    UINT SubmissionFenceId;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
    DXGK_SUBMITCOMMANDFLAGS Flags;
    UINT EngineOrdinal;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
    D3DGPU_VIRTUAL_ADDRESS DmaBufferVirtualAddress;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    UINT NodeOrdinal;
#endif
} DXGKARG_SUBMITCOMMAND;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef struct _DXGKARG_SUBMITCOMMANDVIRTUAL {
    HANDLE hContext;
    D3DGPU_VIRTUAL_ADDRESS DmaBufferVirtualAddress;
    UINT DmaBufferSize;
    void *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    UINT DmaBufferUmdPrivateDataSize;
    UINT SubmissionFenceId;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
    DXGK_SUBMITCOMMANDFLAGS Flags;
    UINT EngineOrdinal;
    UINT NodeOrdinal;
} DXGKARG_SUBMITCOMMANDVIRTUAL;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

typedef struct _DXGK_PREEMPTCOMMANDFLAGS {
    union {
        UINT Reserved : 32;
        UINT Value;
    };
} DXGK_PREEMPTCOMMANDFLAGS;

typedef struct _DXGKARG_PREEMPTCOMMAND {
    UINT PreemptionFenceId;
    UINT NodeOrdinal;
    UINT EngineOrdinal;
    DXGK_PREEMPTCOMMANDFLAGS Flags;
} DXGKARG_PREEMPTCOMMAND;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8

typedef struct _DXGKARG_CANCELCOMMAND {
    HANDLE hContext;
    void *pDmaBuffer;
    UINT DmaBufferSize;
    UINT DmaBufferSubmissionStartOffset;
    UINT DmaBufferSubmissionEndOffset;
    void *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    UINT DmaBufferPrivateDataSubmissionStartOffset;
    UINT DmaBufferPrivateDataSubmissionEndOffset;
    const DXGK_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    const D3DDDI_PATCHLOCATIONLIST *pPatchLocationList;
    UINT PatchLocationListSize;
    UINT PatchLocationListSubmissionStart;
    UINT PatchLocationListSubmissionLength;
    D3DGPU_VIRTUAL_ADDRESS DmaBufferVirtualAddress;
    UINT DmaBufferUmdPrivateDataSize;
} DXGKARG_CANCELCOMMAND;

#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

typedef enum _DXGK_KERNEL_SUBMISSION_TYPE {
    DXGK_KERNEL_SUBMISSION_BUILD_PAGING_BUFFER = 0,
    DXGK_KERNEL_SUBMISSION_RENDERGDI = 1,
    DXGK_KERNEL_SUBMISSION_PRESENTBLT = 2,
} DXGK_KERNEL_SUBMISSION_TYPE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_5

typedef struct _DXGKARG_SIGNALMONITOREDFENCE {
    DXGK_KERNEL_SUBMISSION_TYPE KernelSubmissionType;
    void *pDmaBuffer;
    D3DGPU_VIRTUAL_ADDRESS DmaBufferGpuVirtualAddress;
    UINT DmaSize;
    void *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    UINT MultipassOffset;
    D3DGPU_VIRTUAL_ADDRESS MonitoredFenceGpuVa;
    UINT64 MonitoredFenceValue;
    void *MonitoredFenceCpuVa;
    HANDLE hHwQueue;
} DXGKARG_SIGNALMONITOREDFENCE;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_5 */

/* ---- Completion ---- */

typedef enum _DXGK_INTERRUPT_TYPE {
    DXGK_INTERRUPT_DMA_COMPLETED = 1,
    DXGK_INTERRUPT_DMA_PREEMPTED = 2,
    DXGK_INTERRUPT_CRTC_VSYNC = 3,
    DXGK_INTERRUPT_DMA_FAULTED = 4,
    DXGK_INTERRUPT_DISPLAYONLY_VSYNC = 5,
    DXGK_INTERRUPT_DISPLAYONLY_PRESENT_PROGRESS = 6,
    DXGK_INTERRUPT_CRTC_VSYNC_WITH_MULTIPLANE_OVERLAY = 7,
    DXGK_INTERRUPT_MICACAST_CHUNK_PROCESSING_COMPLETE = 8,
    DXGK_INTERRUPT_DMA_PAGE_FAULTED = 9,
    DXGK_INTERRUPT_CRTC_VSYNC_WITH_MULTIPLANE_OVERLAY2 = 10,
    DXGK_INTERRUPT_MONITORED_FENCE_SIGNALED = 11,
    DXGK_INTERRUPT_HWQUEUE_PAGE_FAULTED = 12,
    DXGK_INTERRUPT_HWCONTEXTLIST_SWITCH_COMPLETED = 13,
    DXGK_INTERRUPT_PERIODIC_MONITORED_FENCE_SIGNALED = 14,
    DXGK_INTERRUPT_SCHEDULING_LOG_INTERRUPT = 15,
    DXGK_INTERRUPT_GPU_ENGINE_TIMEOUT = 16,
    DXGK_INTERRUPT_SUSPEND_CONTEXT_COMPLETED = 17,
    DXGK_INTERRUPT_CRTC_VSYNC_WITH_MULTIPLANE_OVERLAY3 = 18,
    DXGK_INTERRUPT_NATIVE_FENCE_SIGNALED = 19,
    DXGK_INTERRUPT_GPU_ENGINE_STATE_CHANGE = 20,
} DXGK_INTERRUPT_TYPE;

typedef struct _DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO;

typedef struct _DXGKCB_NOTIFY_MPO_VSYNC_FLAGS {
    union {
        struct {
            UINT PostPresentNeeded : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGKCB_NOTIFY_MPO_VSYNC_FLAGS;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1

typedef struct _DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO2 {
    DWORD LayerIndex;
    ULONGLONG PresentId;
    DXGKCB_NOTIFY_MPO_VSYNC_FLAGS Flags;
} DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO2;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_1 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9

typedef struct _DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO3 {
    DWORD LayerIndex;
    ULONG FirstFreeFlipQueueLogEntryIndex;
} DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO3;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

typedef enum _DXGK_PRESENT_DISPLAY_ONLY_PROGRESS_ID {
    DXGK_PRESENT_DISPLAYONLY_PROGRESS_ID_COMPLETE = 0,
    DXGK_PRESENT_DISPLAYONLY_PROGRESS_ID_FAILED = 1,
} DXGK_PRESENT_DISPLAY_ONLY_PROGRESS_ID;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8

typedef struct _DXGKARGCB_PRESENT_DISPLAYONLY_PROGRESS {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    DXGK_PRESENT_DISPLAY_ONLY_PROGRESS_ID ProgressId;
} DXGKARGCB_PRESENT_DISPLAYONLY_PROGRESS;

#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

typedef enum _DXGK_ENGINE_STATE {
    DXGK_ENGINE_STATE_ACTIVE = 0,
    DXGK_ENGINE_STATE_TRANSITION_TO_F1 = 1,
    DXGK_ENGINE_STATE_HUNG = 2,
} DXGK_ENGINE_STATE;

typedef struct _DXGKCB_NOTIFY_INTERRUPT_DATA_FLAGS {
    union {
        struct {
            UINT ValidPhysicalAdapterMask : 1;
            UINT WDDM2_2(HsyncFlipCompletion) : 1;
            UINT WDDM3_2(EvaluateLegacyMonitoredFences) : 1;
            UINT Reserved : 29;
        };
        UINT Value;
    };
} DXGKCB_NOTIFY_INTERRUPT_DATA_FLAGS;

typedef struct _DXGKARGCB_NOTIFY_INTERRUPT_DATA {
    DXGK_INTERRUPT_TYPE InterruptType;
    union {
        struct {
            UINT SubmissionFenceId;
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } DmaCompleted;
        struct {
            UINT PreemptionFenceId;
            UINT LastCompletedFenceId;
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } DmaPreempted;
        struct {
            UINT FaultedFenceId;
            NTSTATUS Status;
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } DmaFaulted;
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            PHYSICAL_ADDRESS PhysicalAddress;
            UINT PhysicalAdapterMask;
        } CrtcVsync;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
        } DisplayOnlyVsync;
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            UINT PhysicalAdapterMask;
            UINT MultiPlaneOverlayVsyncInfoCount;
            DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO *pMultiPlaneOverlayVsyncInfo;
        } CrtcVsyncWithMultiPlaneOverlay;
        DXGKARGCB_PRESENT_DISPLAYONLY_PROGRESS DisplayOnlyPresentProgress;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            struct {
                DXGK_MIRACAST_CHUNK_TYPE ChunkType;
                union {
                    struct {
                        UINT64 FrameNumber : 40;
                        UINT64 PartNumber : 24;
                    };
                    UINT64 Value;
                } ChunkId;
                UINT ProcessingTime;
                UINT EncodeRate;
            } ChunkInfo;
            PVOID pPrivateDriverData;
            UINT PrivateDataDriverSize;
            NTSTATUS Status;
        } MiracastEncodeChunkCompleted;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
        struct {
            UINT FaultedFenceId;
            UINT64 FaultedPrimitiveAPISequenceNumber;
            DXGK_RENDER_PIPELINE_STAGE FaultedPipelineStage;
            UINT FaultedBindTableEntry;
            DXGK_PAGE_FAULT_FLAGS PageFaultFlags;
            D3DGPU_VIRTUAL_ADDRESS FaultedVirtualAddress;
            UINT NodeOrdinal;
            UINT EngineOrdinal;
            UINT PageTableLevel;
            DXGK_FAULT_ERROR_CODE FaultErrorCode;
            HANDLE FaultedProcessHandle;
        } DmaPageFaulted;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            UINT PhysicalAdapterMask;
            UINT MultiPlaneOverlayVsyncInfoCount;
            DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO2 *pMultiPlaneOverlayVsyncInfo;
            ULONGLONG GpuFrequency;
            ULONGLONG GpuClockCounter;
        } CrtcVsyncWithMultiPlaneOverlay2;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } MonitoredFenceSignaled;
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
            UINT64 ContextSwitchFence;
        } HwContextListSwitchCompleted;
        struct {
            UINT64 FaultedFenceId;
            D3DGPU_VIRTUAL_ADDRESS FaultedVirtualAddress;
            UINT64 FaultedPrimitiveAPISequenceNumber;
            union {
                HANDLE FaultedHwQueue;
                HANDLE FaultedHwContext;
                HANDLE FaultedProcessHandle;
            };
            UINT NodeOrdinal;
            UINT EngineOrdinal;
            DXGK_RENDER_PIPELINE_STAGE FaultedPipelineStage;
            UINT FaultedBindTableEntry;
            DXGK_PAGE_FAULT_FLAGS PageFaultFlags;
            UINT PageTableLevel;
            DXGK_FAULT_ERROR_CODE FaultErrorCode;
        } HwQueuePageFaulted;
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            UINT NotificationID;
        } PeriodicMonitoredFenceSignaled;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } SchedulingLogInterrupt;
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } GpuEngineTimeout;
        struct {
            HANDLE hContext;
            UINT64 ContextSuspendFence;
        } SuspendContextCompleted;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            UINT PhysicalAdapterMask;
            UINT MultiPlaneOverlayVsyncInfoCount;
            DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO3 *pMultiPlaneOverlayVsyncInfo;
            ULONGLONG GpuFrequency;
            ULONGLONG GpuClockCounter;
        } CrtcVsyncWithMultiPlaneOverlay3;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_1
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
            UINT SignaledNativeFenceCount;
            HANDLE *pSignaledNativeFenceArray;
            HANDLE hHWQueue;
        } NativeFenceSignaled;
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
            DXGK_ENGINE_STATE NewState;
        } EngineStateChange;
#endif
        struct {
            UINT Reserved[16];
        } Reserved;
    };
    DXGKCB_NOTIFY_INTERRUPT_DATA_FLAGS Flags;
} DXGKARGCB_NOTIFY_INTERRUPT_DATA;

typedef struct _DXGKARG_QUERYCURRENTFENCE {
    UINT CurrentFence;
    UINT NodeOrdinal;
    UINT EngineOrdinal;
} DXGKARG_QUERYCURRENTFENCE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8

typedef struct _DXGK_ENGINESTATUS {
    union {
        struct {
            UINT Responsive : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_ENGINESTATUS;

typedef struct _DXGKARG_QUERYENGINESTATUS {
    UINT NodeOrdinal;
    UINT EngineOrdinal;
    DXGK_ENGINESTATUS EngineStatus;
} DXGKARG_QUERYENGINESTATUS;

typedef struct _DXGKARG_RESETENGINE {
    UINT NodeOrdinal;
    UINT EngineOrdinal;
    UINT LastAbortedFenceId;
} DXGKARG_RESETENGINE;

#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

/* ---- History buffers ---- */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3

typedef struct _DXGK_HISTORY_BUFFER_HEADER {
    UINT32 RenderCbSequence;
    UINT32 NumTimestamps;
    UINT32 PrivateDataSize;
    UINT32 Reserved;
} DXGK_HISTORY_BUFFER_HEADER;

typedef struct _DXGK_HISTORY_BUFFER {
    DXGK_HISTORY_BUFFER_HEADER Header;
    UINT8 DriverPrivateData[1];
} DXGK_HISTORY_BUFFER;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM1_3 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef struct _DXGK_QUERYHISTORYBUFFERPRECISIONIN {
    UINT PhysicalAdapterIndex;
} DXGK_QUERYHISTORYBUFFERPRECISIONIN;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3

typedef struct _DXGKARG_HISTORYBUFFERPRECISION {
    UINT32 PrecisionBits;
} DXGKARG_HISTORYBUFFERPRECISION;

typedef struct _DXGKARG_FORMATHISTORYBUFFER {
    DXGK_HISTORY_BUFFER *pHistoryBuffer;
    UINT32 HistoryBufferSize;
    PVOID pFormattedBuffer;
    UINT32 FormattedBufferSize;
    UINT32 NumTimestamps;
    DXGKARG_HISTORYBUFFERPRECISION Precision;
    UINT32 Offset;
} DXGKARG_FORMATHISTORYBUFFER;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM1_3 */

/* ---- Escapes, debugging, migration ---- */

typedef struct _DXGKARG_ESCAPE {
    HANDLE hDevice;
    D3DDDI_ESCAPEFLAGS Flags;
    void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    HANDLE hContext;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
    HANDLE hKmdProcessHandle;
#endif
} DXGKARG_ESCAPE;

typedef struct _DXGKARG_COLLECTDBGINFO_EXT {
    UINT BucketingKey;
    UINT CurrentDmaBufferOffset;
    UINT Reserved2;
    UINT Reserved3;
    UINT Reserved4;
    UINT Reserved5;
    UINT Reserved6;
    UINT Reserved7;
} DXGKARG_COLLECTDBGINFO_EXT;

typedef struct _DXGKARG_COLLECTDBGINFO {
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    UINT Reason;
#endif
    void *pBuffer;
    SIZE_T BufferSize;
    DXGKARG_COLLECTDBGINFO_EXT *pExtension;
} DXGKARG_COLLECTDBGINFO;

typedef enum _DXGKARG_QUERYDIRTYBITDATAFLAGS {
    DXGKARG_QUERYDIRTYBITDATAFLAGS_CLEARDATA = 1,
} DXGKARG_QUERYDIRTYBITDATAFLAGS;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2

typedef struct _DXGKARG_QUERYDIRTYBITDATA {
    HANDLE MemoryBasis;
    UINT64 SubrangeIndex;
    UINT64 SubrangeOffset;
    UINT64 SubrangeSize;
    PVOID Buffer;
    SIZE_T BufferSize;
    UINT Flags;
} DXGKARG_QUERYDIRTYBITDATA;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_2 */

/* ---- Arguments of callbacks ---- */

typedef enum _DXGK_HANDLE_TYPE {
    DXGK_HANDLE_ALLOCATION = 1,
    DXGK_HANDLE_RESOURCE = 2,
} DXGK_HANDLE_TYPE;

typedef struct _DXGKCB_GETHANDLEDATAFLAGS {
    union {
        struct {
            UINT DeviceSpecific : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGKCB_GETHANDLEDATAFLAGS;

typedef struct _DXGKARGCB_GETHANDLEDATA {
    D3DKMT_HANDLE hObject;
    DXGK_HANDLE_TYPE Type;
    DXGKCB_GETHANDLEDATAFLAGS Flags;
} DXGKARGCB_GETHANDLEDATA;

typedef HANDLE DXGKARG_RELEASE_HANDLE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef struct _DXGKARGCB_RELEASEHANDLEDATA {
    DXGKARG_RELEASE_HANDLE ReleaseHandle;
    DXGK_HANDLE_TYPE Type;
} DXGKARGCB_RELEASEHANDLEDATA;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

typedef struct _DXGKARGCB_ENUMHANDLECHILDREN {
    D3DKMT_HANDLE hObject;
    UINT Index;
} DXGKARGCB_ENUMHANDLECHILDREN;

typedef struct _DXGKARGCB_GETCAPTUREADDRESS {
    D3DKMT_HANDLE hAllocation;
    UINT SegmentId;
    PHYSICAL_ADDRESS PhysicalAddress;
} DXGKARGCB_GETCAPTUREADDRESS;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8

typedef struct _DXGK_CREATECONTEXTALLOCATIONFLAGS {
    union {
        struct {
            UINT SharedAcrossContexts : 1;
            UINT MapGpuVirtualAddress : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} DXGK_CREATECONTEXTALLOCATIONFLAGS;

typedef struct _DXGKARGCB_CREATECONTEXTALLOCATION {
    DXGK_CREATECONTEXTALLOCATIONFLAGS ContextAllocationFlags;
    HANDLE hAdapter;
    HANDLE hDevice;
    HANDLE hContext;
    HANDLE hDriverAllocation;
    SIZE_T Size;
    UINT Alignment;
    UINT SupportedSegmentSet;
    UINT EvictionSegmentSet;
    DXGK_SEGMENTPREFERENCE PreferredSegment;
    DXGK_SEGMENTBANKPREFERENCE HintedBank;
    DXGK_ALLOCATIONINFOFLAGS Flags;
    HANDLE hAllocation;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    UINT PhysicalAdapterIndex;
#endif
} DXGKARGCB_CREATECONTEXTALLOCATION;

#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef struct _DXGKARGCB_MAPCONTEXTALLOCATION {
    D3DGPU_VIRTUAL_ADDRESS BaseAddress;
    D3DGPU_VIRTUAL_ADDRESS MinimumAddress;
    D3DGPU_VIRTUAL_ADDRESS MaximumAddress;
    HANDLE hAllocation;
    D3DGPU_SIZE_T OffsetInPages;
    D3DGPU_SIZE_T SizeInPages;
    D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE Protection;
    UINT64 DriverProtection;
} DXGKARGCB_MAPCONTEXTALLOCATION;

typedef struct _DXGKARGCB_UPDATECONTEXTALLOCATION {
    HANDLE hAllocation;
    PVOID pPrivateDriverData;
    UINT PrivateDriverDataSize;
} DXGKARGCB_UPDATECONTEXTALLOCATION;

typedef struct _DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE {
    HANDLE hDxgkProcess;
    UINT64 SizeInBytes;
    UINT Alignment;
    UINT64 StartVirtualAddress;
    UINT64 BaseAddress;
    union {
        UINT AllowUserModeMapping : 1;
        UINT Flags;
    };
} DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4

typedef struct _DXGKARGCB_ALLOCATECONTIGUOUSMEMORY {
    SIZE_T NumberOfBytes;
    PHYSICAL_ADDRESS LowestAcceptableAddress;
    PHYSICAL_ADDRESS HighestAcceptableAddress;
    PHYSICAL_ADDRESS BoundaryAddressMultiple;
    DXGK_MEMORY_CACHING_TYPE CacheType;
    HANDLE hMemoryHandle;
    PVOID pMemory;
} DXGKARGCB_ALLOCATECONTIGUOUSMEMORY;

typedef struct _DXGKARGCB_FREECONTIGUOUSMEMORY {
    HANDLE hMemoryHandle;
} DXGKARGCB_FREECONTIGUOUSMEMORY;

typedef struct _DXGKARGCB_ALLOCATEPAGESFORMDL {
    PHYSICAL_ADDRESS LowAddress;
    PHYSICAL_ADDRESS HighAddress;
    PHYSICAL_ADDRESS SkipBytes;
    SIZE_T TotalBytes;
    DXGK_MEMORY_CACHING_TYPE CacheType;
    ULONG Flags;
    HANDLE hMemoryHandle;
    PMDL pMdl;
} DXGKARGCB_ALLOCATEPAGESFORMDL;

typedef struct _DXGKARGCB_FREEPAGESFROMMDL {
    HANDLE hMemoryHandle;
} DXGKARGCB_FREEPAGESFROMMDL;

typedef struct _DXGKARGCB_PINFRAMEBUFFERFORSAVE {
    UINT PhysicalAdapterIndex;
    SIZE_T CommitSize;
    PMDL pMdl;
} DXGKARGCB_PINFRAMEBUFFERFORSAVE;

typedef struct _DXGKARGCB_UNPINFRAMEBUFFERFORSAVE {
    UINT PhysicalAdapterIndex;
} DXGKARGCB_UNPINFRAMEBUFFERFORSAVE;

typedef struct _DXGKARGCB_MAPFRAMEBUFFERPOINTER {
    UINT PhysicalAdapterIndex;
    SIZE_T Size;
    SIZE_T Offset;
    PVOID pBaseAddress;
} DXGKARGCB_MAPFRAMEBUFFERPOINTER;

typedef struct _DXGKARGCB_UNMAPFRAMEBUFFERPOINTER {
    UINT PhysicalAdapterIndex;
    PVOID pBaseAddress;
} DXGKARGCB_UNMAPFRAMEBUFFERPOINTER;

typedef struct _DXGKARGCB_MAPMDLTOIOMMU {
    PMDL pMdl;
    HANDLE hMemoryHandle;
} DXGKARGCB_MAPMDLTOIOMMU;

typedef struct _DXGKARGCB_UNMAPMDLFROMIOMMU {
    HANDLE hMemoryHandle;
} DXGKARGCB_UNMAPMDLFROMIOMMU;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_4 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_5

typedef struct _DXGKARGCB_SIGNALEVENT {
    HANDLE hDxgkProcess;
    HANDLE hEvent;
    union {
        struct {
            UINT WDDM3_0(CpuEventObject) : 1;
            UINT Reserved : 31;
        };
        UINT Flags;
    };
} DXGKARGCB_SIGNALEVENT;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_5 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9

typedef struct _DXGKARGCB_ALLOCATE_ADL {
    HANDLE hAdapterMemoryObject;
    SIZE_T Offset;
    SIZE_T Size;
    union {
        struct {
            UINT32 RequireContiguous : 1;
            UINT32 PreferContiguous : 1;
            UINT32 Reserved : 30;
        };
        UINT32 Value;
    } Flags;
    DXGK_ADL *pAdl;
} DXGKARGCB_ALLOCATE_ADL;

typedef struct _DXGKARGCB_FREE_ADL {
    HANDLE hAdapterMemoryObject;
    DXGK_ADL *pAdl;
} DXGKARGCB_FREE_ADL;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

/* ---- Types that calls name and that are opaque here ---- */

typedef struct _DXGKARG_SETPALETTE DXGKARG_SETPALETTE;
typedef struct _DXGKARG_SETPOINTERPOSITION DXGKARG_SETPOINTERPOSITION;
typedef struct _DXGKARG_SETPOINTERSHAPE DXGKARG_SETPOINTERSHAPE;
typedef struct _DXGKARG_ISSUPPORTEDVIDPN DXGKARG_ISSUPPORTEDVIDPN;
typedef struct _DXGKARG_RECOMMENDFUNCTIONALVIDPN DXGKARG_RECOMMENDFUNCTIONALVIDPN;
typedef struct _DXGKARG_ENUMVIDPNCOFUNCMODALITY DXGKARG_ENUMVIDPNCOFUNCMODALITY;
typedef struct _DXGKARG_SETVIDPNSOURCEADDRESS DXGKARG_SETVIDPNSOURCEADDRESS;
typedef struct _DXGKARG_SETVIDPNSOURCEVISIBILITY DXGKARG_SETVIDPNSOURCEVISIBILITY;
typedef struct _DXGKARG_COMMITVIDPN DXGKARG_COMMITVIDPN;
typedef struct _DXGKARG_UPDATEACTIVEVIDPNPRESENTPATH DXGKARG_UPDATEACTIVEVIDPNPRESENTPATH;
typedef struct _DXGKARG_RECOMMENDMONITORMODES DXGKARG_RECOMMENDMONITORMODES;
typedef struct _DXGKARG_RECOMMENDVIDPNTOPOLOGY DXGKARG_RECOMMENDVIDPNTOPOLOGY;
typedef struct _DXGKARG_GETSCANLINE DXGKARG_GETSCANLINE;
typedef struct _DXGKARG_STOPCAPTURE DXGKARG_STOPCAPTURE;
typedef struct _DXGKARG_CREATEOVERLAY DXGKARG_CREATEOVERLAY;
typedef struct _DXGKARG_UPDATEOVERLAY DXGKARG_UPDATEOVERLAY;
typedef struct _DXGKARG_FLIPOVERLAY DXGKARG_FLIPOVERLAY;
typedef struct _DXGKARG_SETDISPLAYPRIVATEDRIVERFORMAT DXGKARG_SETDISPLAYPRIVATEDRIVERFORMAT;
typedef struct _DXGKARG_QUERYVIDPNHWCAPABILITY DXGKARG_QUERYVIDPNHWCAPABILITY;
typedef struct _DXGKARG_QUERYDEPENDENTENGINEGROUP DXGKARG_QUERYDEPENDENTENGINEGROUP;
typedef struct _DXGKARG_PRESENT_DISPLAYONLY DXGKARG_PRESENT_DISPLAYONLY;
typedef struct _DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY;
typedef struct _DXGKARG_CONTROLINTERRUPT2 DXGKARG_CONTROLINTERRUPT2;
typedef struct _DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT;
typedef struct _DXGKARG_CALIBRATEGPUCLOCK DXGKARG_CALIBRATEGPUCLOCK;
typedef struct _DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT2 DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT2;
typedef struct _DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY2 DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY2;
typedef struct _DXGKARG_SETSTABLEPOWERSTATE DXGKARG_SETSTABLEPOWERSTATE;
typedef struct _DXGKARG_SETVIDEOPROTECTEDREGION DXGKARG_SETVIDEOPROTECTEDREGION;
typedef struct _DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT3 DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT3;
typedef struct _DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY3 DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY3;
typedef struct _DXGKARG_POSTMULTIPLANEOVERLAYPRESENT DXGKARG_POSTMULTIPLANEOVERLAYPRESENT;
typedef struct _DXGKARG_CONTROLMODEBEHAVIOR DXGKARG_CONTROLMODEBEHAVIOR;
typedef struct _DXGKARG_UPDATEMONITORLINKINFO DXGKARG_UPDATEMONITORLINKINFO;
typedef struct _DXGKARG_CREATEHWCONTEXT DXGKARG_CREATEHWCONTEXT;
typedef struct _DXGKARG_CREATEHWQUEUE DXGKARG_CREATEHWQUEUE;
typedef struct _DXGKARG_SUBMITCOMMANDTOHWQUEUE DXGKARG_SUBMITCOMMANDTOHWQUEUE;
typedef struct _DXGKARG_SWITCHTOHWCONTEXTLIST DXGKARG_SWITCHTOHWCONTEXTLIST;
typedef struct _DXGKARG_RESETHWENGINE DXGKARG_RESETHWENGINE;
typedef struct _DXGKARG_CREATEPERIODICFRAMENOTIFICATION DXGKARG_CREATEPERIODICFRAMENOTIFICATION;
typedef struct _DXGKARG_DESTROYPERIODICFRAMENOTIFICATION DXGKARG_DESTROYPERIODICFRAMENOTIFICATION;
typedef struct _DXGKARG_SETTIMINGSFROMVIDPN DXGKARG_SETTIMINGSFROMVIDPN;
typedef struct _DXGKARG_SETTARGETGAMMA DXGKARG_SETTARGETGAMMA;
typedef struct _DXGKARG_SETTARGETCONTENTTYPE DXGKARG_SETTARGETCONTENTTYPE;
typedef struct _DXGKARG_SETTARGETANALOGCOPYPROTECTION DXGKARG_SETTARGETANALOGCOPYPROTECTION;
typedef struct _DXGKARG_DISPLAYDETECTCONTROL DXGKARG_DISPLAYDETECTCONTROL;
typedef struct _DXGKARG_QUERYCONNECTIONCHANGE DXGKARG_QUERYCONNECTIONCHANGE;
typedef struct _DXGKARG_GETMULTIPLANEOVERLAYCAPS DXGKARG_GETMULTIPLANEOVERLAYCAPS;
typedef struct _DXGKARG_GETPOSTCOMPOSITIONCAPS DXGKARG_GETPOSTCOMPOSITIONCAPS;
typedef struct _DXGKARG_UPDATEHWCONTEXTSTATE DXGKARG_UPDATEHWCONTEXTSTATE;
typedef struct _DXGKARG_CREATEPROTECTEDSESSION DXGKARG_CREATEPROTECTEDSESSION;
typedef struct _DXGKARG_SETSCHEDULINGLOGBUFFER DXGKARG_SETSCHEDULINGLOGBUFFER;
typedef struct _DXGKARG_SETUPPRIORITYBANDS DXGKARG_SETUPPRIORITYBANDS;
typedef struct _DXGKARG_SETCONTEXTSCHEDULINGPROPERTIES DXGKARG_SETCONTEXTSCHEDULINGPROPERTIES;
typedef struct _DXGKARG_SUSPENDCONTEXT DXGKARG_SUSPENDCONTEXT;
typedef struct _DXGKARG_RESUMECONTEXT DXGKARG_RESUMECONTEXT;
typedef struct _DXGKARG_SETVIRTUALMACHINEDATA DXGKARG_SETVIRTUALMACHINEDATA;
typedef struct _DXGKARG_BEGINEXCLUSIVEACCESS DXGKARG_BEGINEXCLUSIVEACCESS;
typedef struct _DXGKARG_ENDEXCLUSIVEACCESS DXGKARG_ENDEXCLUSIVEACCESS;
typedef struct _DXGKARG_RESUMEHWENGINE DXGKARG_RESUMEHWENGINE;
typedef struct _DXGKARG_VALIDATESUBMITCOMMAND DXGKARG_VALIDATESUBMITCOMMAND;
typedef struct _DXGKARG_SETTRACKEDWORKLOADPOWERLEVEL DXGKARG_SETTRACKEDWORKLOADPOWERLEVEL;
typedef struct _DXGKARG_SAVEMEMORYFORHOTUPDATE DXGKARG_SAVEMEMORYFORHOTUPDATE;
typedef struct _DXGKARG_RESTOREMEMORYFORHOTUPDATE DXGKARG_RESTOREMEMORYFORHOTUPDATE;
typedef struct _DXGKARG_CONTROLINTERRUPT3 DXGKARG_CONTROLINTERRUPT3;
typedef struct _DXGKARG_SETFLIPQUEUELOGBUFFER DXGKARG_SETFLIPQUEUELOGBUFFER;
typedef struct _DXGKARG_UPDATEFLIPQUEUELOG DXGKARG_UPDATEFLIPQUEUELOG;
typedef struct _DXGKARG_CANCELQUEUEDFLIPS DXGKARG_CANCELQUEUEDFLIPS;
typedef struct _DXGKARG_SETINTERRUPTTARGETPRESENTID DXGKARG_SETINTERRUPTTARGETPRESENTID;
typedef struct _DXGKARG_CREATECPUEVENT DXGKARG_CREATECPUEVENT;
typedef struct _DXGKARG_CANCELFLIPS DXGKARG_CANCELFLIPS;
typedef struct _DXGKARG_CREATENATIVEFENCE DXGKARG_CREATENATIVEFENCE;
typedef struct _DXGKARG_DESTROYNATIVEFENCE DXGKARG_DESTROYNATIVEFENCE;
typedef struct _DXGKARG_UPDATEMONITOREDVALUES DXGKARG_UPDATEMONITOREDVALUES;
typedef struct _DXGKARG_UPDATECURRENTVALUESFROMCPU DXGKARG_UPDATECURRENTVALUESFROMCPU;
typedef struct _DXGKARG_CREATEDOORBELL DXGKARG_CREATEDOORBELL;
typedef struct _DXGKARG_CONNECTDOORBELL DXGKARG_CONNECTDOORBELL;
typedef struct _DXGKARG_DISCONNECTDOORBELL DXGKARG_DISCONNECTDOORBELL;
typedef struct _DXGKARG_DESTROYDOORBELL DXGKARG_DESTROYDOORBELL;
typedef struct _DXGKARG_NOTIFYWORKSUBMISSION DXGKARG_NOTIFYWORKSUBMISSION;
typedef struct _DXGKARG_CREATEMEMORYBASIS DXGKARG_CREATEMEMORYBASIS;
typedef struct _DXGKARG_DESTROYMEMORYBASIS DXGKARG_DESTROYMEMORYBASIS;
typedef struct _DXGKARG_STARTDIRTYTRACKING DXGKARG_STARTDIRTYTRACKING;
typedef struct _DXGKARG_STOPDIRTYTRACKING DXGKARG_STOPDIRTYTRACKING;
typedef struct _DXGKARG_PREPARELIVEMIGRATION DXGKARG_PREPARELIVEMIGRATION;
typedef struct _DXGKARG_SAVEIMMUTABLEMIGRATIONDATA DXGKARG_SAVEIMMUTABLEMIGRATIONDATA;
typedef struct _DXGKARG_SAVEMUTABLEMIGRATIONDATA DXGKARG_SAVEMUTABLEMIGRATIONDATA;
typedef struct _DXGKARG_ENDLIVEMIGRATION DXGKARG_ENDLIVEMIGRATION;
typedef struct _DXGKARG_RESTOREIMMUTABLEMIGRATIONDATA DXGKARG_RESTOREIMMUTABLEMIGRATIONDATA;
typedef struct _DXGKARG_RESTOREMUTABLEMIGRATIONDATA DXGKARG_RESTOREMUTABLEMIGRATIONDATA;
typedef struct _DXGKARG_WRITEVIRTUALIZEDINTERRUPT DXGKARG_WRITEVIRTUALIZEDINTERRUPT;
typedef struct _DXGKARG_SETVIRTUALGPURESOURCES2 DXGKARG_SETVIRTUALGPURESOURCES2;
typedef struct _DXGKARG_SETVIRTUALFUNCTIONPAUSESTATE DXGKARG_SETVIRTUALFUNCTIONPAUSESTATE;
typedef struct _DXGKARG_OPENNATIVEFENCE DXGKARG_OPENNATIVEFENCE;
typedef struct _DXGKARG_CLOSENATIVEFENCE DXGKARG_CLOSENATIVEFENCE;
typedef struct _DXGKARG_SETNATIVEFENCELOGBUFFER DXGKARG_SETNATIVEFENCELOGBUFFER;
typedef struct _DXGKARG_UPDATENATIVEFENCELOGS DXGKARG_UPDATENATIVEFENCELOGS;
typedef struct _DXGKARG_COLLECTDBGINFO2 DXGKARG_COLLECTDBGINFO2;
typedef struct _DXGKARG_NOTIFYCONTEXTPRIORITYCHANGE DXGKARG_NOTIFYCONTEXTPRIORITYCHANGE;
typedef struct _DXGKARG_RESETDISPLAYENGINE DXGKARG_RESETDISPLAYENGINE;
typedef struct _DXGK_VIDPN_INTERFACE DXGK_VIDPN_INTERFACE;
typedef struct _DXGK_MONITOR_INTERFACE DXGK_MONITOR_INTERFACE;
typedef struct _DXGKARGCB_INVALIDATEHWCONTEXT DXGKARGCB_INVALIDATEHWCONTEXT;
typedef struct _DXGKARGCB_UNBLOCKUEFIFRAMEBUFFERRANGES DXGKARGCB_UNBLOCKUEFIFRAMEBUFFERRANGES;
typedef struct _DXGKARGCB_PROTECTEDSESSIONSTATUS DXGKARGCB_PROTECTEDSESSIONSTATUS;
typedef struct _DXGKARGCB_ISFEATUREENABLED DXGKARGCB_ISFEATUREENABLED;
typedef struct _DXGKARGCB_SAVEMEMORYFORHOTUPDATE DXGKARGCB_SAVEMEMORYFORHOTUPDATE;
typedef struct _DXGKARGCB_NOTIFYCURSORSUPPORTCHANGE DXGKARGCB_NOTIFYCURSORSUPPORTCHANGE;
typedef struct _DXGKARGCB_QUERYFEATURESUPPORT DXGKARGCB_QUERYFEATURESUPPORT;
typedef struct _DXGKARGCB_CREATE_PHYSICAL_MEMORY_OBJECT DXGKARGCB_CREATE_PHYSICAL_MEMORY_OBJECT;
typedef struct _DXGKARGCB_DESTROY_PHYSICAL_MEMORY_OBJECT DXGKARGCB_DESTROY_PHYSICAL_MEMORY_OBJECT;
typedef struct _DXGKARGCB_MAP_PHYSICAL_MEMORY DXGKARGCB_MAP_PHYSICAL_MEMORY;
typedef struct _DXGKARGCB_UNMAP_PHYSICAL_MEMORY DXGKARGCB_UNMAP_PHYSICAL_MEMORY;
typedef struct _DXGKARGCB_OPEN_PHYSICAL_MEMORY_OBJECT DXGKARGCB_OPEN_PHYSICAL_MEMORY_OBJECT;
typedef struct _DXGKARGCB_CLOSE_PHYSICAL_MEMORY_OBJECT DXGKARGCB_CLOSE_PHYSICAL_MEMORY_OBJECT;
typedef struct _DXGKARGCB_PINFRAMEBUFFERFORSAVE2 DXGKARGCB_PINFRAMEBUFFERFORSAVE2;
typedef struct _DXGKARGCB_DISCONNECTDOORBELL DXGKARGCB_DISCONNECTDOORBELL;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3

typedef DXGK_NODEMETADATA DXGKARG_GETNODEMETADATA;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM1_3 */

typedef struct D3DKMDT_HVIDPN__ *D3DKMDT_HVIDPN;

typedef enum _DXGK_VIDPN_INTERFACE_VERSION {
    DXGK_VIDPN_INTERFACE_VERSION_UNINITIALIZED = 0,
    DXGK_VIDPN_INTERFACE_VERSION_V1 = 1,
} DXGK_VIDPN_INTERFACE_VERSION;

typedef enum _DXGK_MONITOR_INTERFACE_VERSION {
    DXGK_MONITOR_INTERFACE_VERSION_UNINITIALIZED = 0,
    DXGK_MONITOR_INTERFACE_VERSION_V1 = 1,
    DXGK_MONITOR_INTERFACE_VERSION_V2 = 2,
} DXGK_MONITOR_INTERFACE_VERSION;

typedef union _DXGK_HARDWARE_CONTENT_PROTECTION_TEARDOWN_FLAGS {
    UINT Value;
} DXGK_HARDWARE_CONTENT_PROTECTION_TEARDOWN_FLAGS;

/* ---- Entry points of a driver, and callbacks ---- */

typedef NTSTATUS DXGKDDI_QUERYADAPTERINFO(HANDLE hAdapter,
                                          const DXGKARG_QUERYADAPTERINFO *pQueryAdapterInfo);
typedef DXGKDDI_QUERYADAPTERINFO *PDXGKDDI_QUERYADAPTERINFO;
typedef NTSTATUS DXGKDDI_CREATEDEVICE(HANDLE hAdapter, DXGKARG_CREATEDEVICE *pCreateDevice);
typedef DXGKDDI_CREATEDEVICE *PDXGKDDI_CREATEDEVICE;
typedef NTSTATUS DXGKDDI_DESTROYDEVICE(HANDLE hDevice);
typedef DXGKDDI_DESTROYDEVICE *PDXGKDDI_DESTROYDEVICE;
typedef NTSTATUS DXGKDDI_CREATECONTEXT(HANDLE hDevice, DXGKARG_CREATECONTEXT *pCreateContext);
typedef DXGKDDI_CREATECONTEXT *PDXGKDDI_CREATECONTEXT;
typedef NTSTATUS DXGKDDI_DESTROYCONTEXT(HANDLE hContext);
typedef DXGKDDI_DESTROYCONTEXT *PDXGKDDI_DESTROYCONTEXT;
typedef NTSTATUS DXGKDDI_CREATEALLOCATION(HANDLE hAdapter,
                                          DXGKARG_CREATEALLOCATION *pCreateAllocation);
typedef DXGKDDI_CREATEALLOCATION *PDXGKDDI_CREATEALLOCATION;
typedef NTSTATUS DXGKDDI_DESTROYALLOCATION(HANDLE hAdapter,
                                           const DXGKARG_DESTROYALLOCATION *pDestroyAllocation);
typedef DXGKDDI_DESTROYALLOCATION *PDXGKDDI_DESTROYALLOCATION;
typedef NTSTATUS DXGKDDI_OPENALLOCATIONINFO(HANDLE hDevice,
                                            const DXGKARG_OPENALLOCATION *pOpenAllocation);
typedef DXGKDDI_OPENALLOCATIONINFO *PDXGKDDI_OPENALLOCATIONINFO;
typedef NTSTATUS DXGKDDI_CLOSEALLOCATION(HANDLE hDevice,
                                         const DXGKARG_CLOSEALLOCATION *pCloseAllocation);
typedef DXGKDDI_CLOSEALLOCATION *PDXGKDDI_CLOSEALLOCATION;
typedef NTSTATUS DXGKDDI_DESCRIBEALLOCATION(HANDLE hAdapter,
                                            DXGKARG_DESCRIBEALLOCATION *pDescribeAllocation);
typedef DXGKDDI_DESCRIBEALLOCATION *PDXGKDDI_DESCRIBEALLOCATION;
typedef NTSTATUS DXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA(
    HANDLE hAdapter, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *pGetStandardAllocationDriverData);
typedef DXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA *PDXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA;
typedef NTSTATUS DXGKDDI_ACQUIRESWIZZLINGRANGE(
    HANDLE hAdapter, DXGKARG_ACQUIRESWIZZLINGRANGE *pAcquireSwizzlingRange);
typedef DXGKDDI_ACQUIRESWIZZLINGRANGE *PDXGKDDI_ACQUIRESWIZZLINGRANGE;
typedef NTSTATUS DXGKDDI_RELEASESWIZZLINGRANGE(
    HANDLE hAdapter, const DXGKARG_RELEASESWIZZLINGRANGE *pReleaseSwizzlingRange);
typedef DXGKDDI_RELEASESWIZZLINGRANGE *PDXGKDDI_RELEASESWIZZLINGRANGE;
typedef NTSTATUS DXGKDDI_BUILDPAGINGBUFFER(HANDLE hAdapter,
                                           DXGKARG_BUILDPAGINGBUFFER *pBuildPagingBuffer);
typedef DXGKDDI_BUILDPAGINGBUFFER *PDXGKDDI_BUILDPAGINGBUFFER;
typedef NTSTATUS DXGKDDI_RENDER(HANDLE hContext, DXGKARG_RENDER *pRender);
typedef DXGKDDI_RENDER *PDXGKDDI_RENDER;
typedef NTSTATUS DXGKDDI_RENDERKM(HANDLE hContext, DXGKARG_RENDER *pRenderKmArgs);
typedef DXGKDDI_RENDERKM *PDXGKDDI_RENDERKM;
typedef NTSTATUS DXGKDDI_PRESENT(HANDLE hContext, DXGKARG_PRESENT *pPresent);
typedef DXGKDDI_PRESENT *PDXGKDDI_PRESENT;
typedef NTSTATUS DXGKDDI_PATCH(HANDLE hAdapter, const DXGKARG_PATCH *pPatch);
typedef DXGKDDI_PATCH *PDXGKDDI_PATCH;
typedef NTSTATUS DXGKDDI_SUBMITCOMMAND(HANDLE hAdapter,
                                       const DXGKARG_SUBMITCOMMAND *pSubmitCommand);
typedef DXGKDDI_SUBMITCOMMAND *PDXGKDDI_SUBMITCOMMAND;
typedef NTSTATUS DXGKDDI_PREEMPTCOMMAND(HANDLE hAdapter,
                                        const DXGKARG_PREEMPTCOMMAND *pPreemptCommand);
typedef DXGKDDI_PREEMPTCOMMAND *PDXGKDDI_PREEMPTCOMMAND;
typedef NTSTATUS DXGKDDI_QUERYCURRENTFENCE(HANDLE hAdapter,
                                           DXGKARG_QUERYCURRENTFENCE *pCurrentFence);
typedef DXGKDDI_QUERYCURRENTFENCE *PDXGKDDI_QUERYCURRENTFENCE;
typedef NTSTATUS DXGKDDI_RESETFROMTIMEOUT(HANDLE hAdapter);
typedef DXGKDDI_RESETFROMTIMEOUT *PDXGKDDI_RESETFROMTIMEOUT;
typedef NTSTATUS DXGKDDI_RESTARTFROMTIMEOUT(HANDLE hAdapter);
typedef DXGKDDI_RESTARTFROMTIMEOUT *PDXGKDDI_RESTARTFROMTIMEOUT;
typedef NTSTATUS DXGKDDI_ESCAPE(HANDLE hAdapter, const DXGKARG_ESCAPE *pEscape);
typedef DXGKDDI_ESCAPE *PDXGKDDI_ESCAPE;
typedef NTSTATUS DXGKDDI_COLLECTDBGINFO(HANDLE hAdapter,
                                        const DXGKARG_COLLECTDBGINFO *pCollectDbgInfo);
typedef DXGKDDI_COLLECTDBGINFO *PDXGKDDI_COLLECTDBGINFO;
typedef NTSTATUS DXGKDDI_CONTROLINTERRUPT(HANDLE hAdapter, DXGK_INTERRUPT_TYPE InterruptType,
                                          BOOLEAN EnableInterrupt);
typedef DXGKDDI_CONTROLINTERRUPT *PDXGKDDI_CONTROLINTERRUPT;
typedef NTSTATUS DXGKDDI_SETPALETTE(HANDLE hAdapter, const DXGKARG_SETPALETTE *pSetPalette);
typedef DXGKDDI_SETPALETTE *PDXGKDDI_SETPALETTE;
typedef NTSTATUS DXGKDDI_SETPOINTERPOSITION(HANDLE hAdapter,
                                            const DXGKARG_SETPOINTERPOSITION *pSetPointerPosition);
typedef DXGKDDI_SETPOINTERPOSITION *PDXGKDDI_SETPOINTERPOSITION;
typedef NTSTATUS DXGKDDI_SETPOINTERSHAPE(HANDLE hAdapter,
                                         const DXGKARG_SETPOINTERSHAPE *pSetPointerShape);
typedef DXGKDDI_SETPOINTERSHAPE *PDXGKDDI_SETPOINTERSHAPE;
typedef NTSTATUS DXGKDDI_ISSUPPORTEDVIDPN(HANDLE hAdapter,
                                          DXGKARG_ISSUPPORTEDVIDPN *pIsSupportedVidPn);
typedef DXGKDDI_ISSUPPORTEDVIDPN *PDXGKDDI_ISSUPPORTEDVIDPN;
typedef NTSTATUS DXGKDDI_RECOMMENDFUNCTIONALVIDPN(
    HANDLE hAdapter, const DXGKARG_RECOMMENDFUNCTIONALVIDPN *pRecommendFunctionalVidPn);
typedef DXGKDDI_RECOMMENDFUNCTIONALVIDPN *PDXGKDDI_RECOMMENDFUNCTIONALVIDPN;
typedef NTSTATUS DXGKDDI_ENUMVIDPNCOFUNCMODALITY(
    HANDLE hAdapter, const DXGKARG_ENUMVIDPNCOFUNCMODALITY *pEnumCofuncModality);
typedef DXGKDDI_ENUMVIDPNCOFUNCMODALITY *PDXGKDDI_ENUMVIDPNCOFUNCMODALITY;
typedef NTSTATUS DXGKDDI_SETVIDPNSOURCEADDRESS(
    HANDLE hAdapter, const DXGKARG_SETVIDPNSOURCEADDRESS *pSetVidPnSourceAddress);
typedef DXGKDDI_SETVIDPNSOURCEADDRESS *PDXGKDDI_SETVIDPNSOURCEADDRESS;
typedef NTSTATUS DXGKDDI_SETVIDPNSOURCEVISIBILITY(
    HANDLE hAdapter, const DXGKARG_SETVIDPNSOURCEVISIBILITY *pSetVidPnSourceVisibility);
typedef DXGKDDI_SETVIDPNSOURCEVISIBILITY *PDXGKDDI_SETVIDPNSOURCEVISIBILITY;
typedef NTSTATUS DXGKDDI_COMMITVIDPN(HANDLE hAdapter, const DXGKARG_COMMITVIDPN *pCommitVidPn);
typedef DXGKDDI_COMMITVIDPN *PDXGKDDI_COMMITVIDPN;
typedef NTSTATUS DXGKDDI_UPDATEACTIVEVIDPNPRESENTPATH(
    HANDLE hAdapter, const DXGKARG_UPDATEACTIVEVIDPNPRESENTPATH *pUpdateActiveVidPnPresentPath);
typedef DXGKDDI_UPDATEACTIVEVIDPNPRESENTPATH *PDXGKDDI_UPDATEACTIVEVIDPNPRESENTPATH;
typedef NTSTATUS DXGKDDI_RECOMMENDMONITORMODES(
    HANDLE hAdapter, const DXGKARG_RECOMMENDMONITORMODES *pRecommendMonitorModes);
typedef DXGKDDI_RECOMMENDMONITORMODES *PDXGKDDI_RECOMMENDMONITORMODES;
typedef NTSTATUS DXGKDDI_RECOMMENDVIDPNTOPOLOGY(
    HANDLE hAdapter, const DXGKARG_RECOMMENDVIDPNTOPOLOGY *pRecommendVidPnTopology);
typedef DXGKDDI_RECOMMENDVIDPNTOPOLOGY *PDXGKDDI_RECOMMENDVIDPNTOPOLOGY;
typedef NTSTATUS DXGKDDI_GETSCANLINE(HANDLE hAdapter, DXGKARG_GETSCANLINE *pGetScanLine);
typedef DXGKDDI_GETSCANLINE *PDXGKDDI_GETSCANLINE;
typedef NTSTATUS DXGKDDI_STOPCAPTURE(HANDLE hAdapter, const DXGKARG_STOPCAPTURE *pStopCapture);
typedef DXGKDDI_STOPCAPTURE *PDXGKDDI_STOPCAPTURE;
typedef NTSTATUS DXGKDDI_CREATEOVERLAY(HANDLE hAdapter, DXGKARG_CREATEOVERLAY *pCreateOverlay);
typedef DXGKDDI_CREATEOVERLAY *PDXGKDDI_CREATEOVERLAY;
typedef NTSTATUS DXGKDDI_UPDATEOVERLAY(HANDLE hOverlay,
                                       const DXGKARG_UPDATEOVERLAY *pUpdateOverlay);
typedef DXGKDDI_UPDATEOVERLAY *PDXGKDDI_UPDATEOVERLAY;
typedef NTSTATUS DXGKDDI_FLIPOVERLAY(HANDLE hOverlay, const DXGKARG_FLIPOVERLAY *pFlipOverlay);
typedef DXGKDDI_FLIPOVERLAY *PDXGKDDI_FLIPOVERLAY;
typedef NTSTATUS DXGKDDI_DESTROYOVERLAY(HANDLE hOverlay);
typedef DXGKDDI_DESTROYOVERLAY *PDXGKDDI_DESTROYOVERLAY;
typedef NTSTATUS DXGKDDI_SETDISPLAYPRIVATEDRIVERFORMAT(
    HANDLE hAdapter, const DXGKARG_SETDISPLAYPRIVATEDRIVERFORMAT *pSetDisplayPrivateDriverFormat);
typedef DXGKDDI_SETDISPLAYPRIVATEDRIVERFORMAT *PDXGKDDI_SETDISPLAYPRIVATEDRIVERFORMAT;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7

typedef NTSTATUS DXGKDDI_QUERYVIDPNHWCAPABILITY(HANDLE hAdapter,
                                                DXGKARG_QUERYVIDPNHWCAPABILITY *pVidPnHWCaps);
typedef DXGKDDI_QUERYVIDPNHWCAPABILITY *PDXGKDDI_QUERYVIDPNHWCAPABILITY;

#endif /* DXGKDDI_INTERFACE_VERSION_WIN7 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8

typedef NTSTATUS DXGKDDISETPOWERCOMPONENTFSTATE(HANDLE DriverContext, UINT ComponentIndex,
                                                UINT FState);
typedef DXGKDDISETPOWERCOMPONENTFSTATE *PDXGKDDISETPOWERCOMPONENTFSTATE;
typedef NTSTATUS DXGKDDIPOWERRUNTIMECONTROLREQUEST(HANDLE DriverContext,
                                                   const GUID *PowerControlCode, PVOID InBuffer,
                                                   SIZE_T InBufferSize, PVOID OutBuffer,
                                                   SIZE_T OutBufferSize, PSIZE_T BytesReturned);
typedef DXGKDDIPOWERRUNTIMECONTROLREQUEST *PDXGKDDIPOWERRUNTIMECONTROLREQUEST;
typedef VOID DXGKDDI_POWERRUNTIMESETDEVICEHANDLE(HANDLE DriverContext, HANDLE hPoFxDevice);
typedef DXGKDDI_POWERRUNTIMESETDEVICEHANDLE *PDXGKDDI_POWERRUNTIMESETDEVICEHANDLE;
typedef NTSTATUS DXGKDDI_QUERYDEPENDENTENGINEGROUP(
    HANDLE hAdapter, DXGKARG_QUERYDEPENDENTENGINEGROUP *pQueryDependentEngineGroup);
typedef DXGKDDI_QUERYDEPENDENTENGINEGROUP *PDXGKDDI_QUERYDEPENDENTENGINEGROUP;
typedef NTSTATUS DXGKDDI_QUERYENGINESTATUS(HANDLE hAdapter,
                                           DXGKARG_QUERYENGINESTATUS *pQueryEngineStatus);
typedef DXGKDDI_QUERYENGINESTATUS *PDXGKDDI_QUERYENGINESTATUS;
typedef NTSTATUS DXGKDDI_RESETENGINE(HANDLE hAdapter, DXGKARG_RESETENGINE *pResetEngine);
typedef DXGKDDI_RESETENGINE *PDXGKDDI_RESETENGINE;
typedef NTSTATUS DXGKDDI_CANCELCOMMAND(HANDLE hAdapter,
                                       const DXGKARG_CANCELCOMMAND *pCancelCommand);
typedef DXGKDDI_CANCELCOMMAND *PDXGKDDI_CANCELCOMMAND;
typedef NTSTATUS DXGKDDI_PRESENTDISPLAYONLY(HANDLE hAdapter,
                                            const DXGKARG_PRESENT_DISPLAYONLY *pPresentDisplayOnly);
typedef DXGKDDI_PRESENTDISPLAYONLY *PDXGKDDI_PRESENTDISPLAYONLY;
typedef NTSTATUS DXGKDDI_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY(
    HANDLE hAdapter,
    const DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY *pSetVidPnSourceAddressWithMultiPlaneOverlay);
typedef DXGKDDI_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY *PDXGKDDI_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY;

#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3

typedef NTSTATUS DXGKDDI_GETNODEMETADATA(HANDLE hAdapter, UINT NodeOrdinalAndAdapterIndex,
                                         DXGKARG_GETNODEMETADATA *pGetNodeMetadata);
typedef DXGKDDI_GETNODEMETADATA *PDXGKDDI_GETNODEMETADATA;
typedef NTSTATUS DXGKDDISETPOWERPSTATE(HANDLE DriverContext, UINT ComponentIndex,
                                       UINT RequestedComponentPState);
typedef DXGKDDISETPOWERPSTATE *PDXGKDDISETPOWERPSTATE;
typedef NTSTATUS DXGKDDI_CONTROLINTERRUPT2(HANDLE hAdapter,
                                           const DXGKARG_CONTROLINTERRUPT2 InterruptControl);
typedef DXGKDDI_CONTROLINTERRUPT2 *PDXGKDDI_CONTROLINTERRUPT2;
typedef NTSTATUS DXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT(
    HANDLE hAdapter, DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT *pCheckMultiPlaneOverlaySupport);
typedef DXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT *PDXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT;
typedef NTSTATUS DXGKDDI_CALIBRATEGPUCLOCK(HANDLE hAdapter, UINT32 NodeOrdinal,
                                           UINT32 EngineOrdinal,
                                           DXGKARG_CALIBRATEGPUCLOCK *pClockCalibration);
typedef DXGKDDI_CALIBRATEGPUCLOCK *PDXGKDDI_CALIBRATEGPUCLOCK;
typedef NTSTATUS DXGKDDI_FORMATHISTORYBUFFER(HANDLE hContext,
                                             DXGKARG_FORMATHISTORYBUFFER *pFormatData);
typedef DXGKDDI_FORMATHISTORYBUFFER *PDXGKDDI_FORMATHISTORYBUFFER;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM1_3 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef NTSTATUS DXGKDDI_RENDERGDI(HANDLE hContext, DXGKARG_RENDERGDI *pRenderGdi);
typedef DXGKDDI_RENDERGDI *PDXGKDDI_RENDERGDI;
typedef NTSTATUS DXGKDDI_SUBMITCOMMANDVIRTUAL(HANDLE hAdapter,
                                              const DXGKARG_SUBMITCOMMANDVIRTUAL *pSubmitCommand);
typedef DXGKDDI_SUBMITCOMMANDVIRTUAL *PDXGKDDI_SUBMITCOMMANDVIRTUAL;
typedef VOID DXGKDDI_SETROOTPAGETABLE(HANDLE hAdapter,
                                      const DXGKARG_SETROOTPAGETABLE *pSetPageTable);
typedef DXGKDDI_SETROOTPAGETABLE *PDXGKDDI_SETROOTPAGETABLE;
typedef SIZE_T DXGKDDI_GETROOTPAGETABLESIZE(HANDLE hAdapter, DXGKARG_GETROOTPAGETABLESIZE *pArgs);
typedef DXGKDDI_GETROOTPAGETABLESIZE *PDXGKDDI_GETROOTPAGETABLESIZE;
typedef NTSTATUS DXGKDDI_MAPCPUHOSTAPERTURE(HANDLE hAdapter,
                                            const DXGKARG_MAPCPUHOSTAPERTURE *pArgs);
typedef DXGKDDI_MAPCPUHOSTAPERTURE *PDXGKDDI_MAPCPUHOSTAPERTURE;
typedef NTSTATUS DXGKDDI_UNMAPCPUHOSTAPERTURE(HANDLE hAdapter,
                                              const DXGKARG_UNMAPCPUHOSTAPERTURE *pArgs);
typedef DXGKDDI_UNMAPCPUHOSTAPERTURE *PDXGKDDI_UNMAPCPUHOSTAPERTURE;
typedef NTSTATUS DXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT2(
    HANDLE hAdapter, DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT2 *pCheckMultiPlaneOverlaySupport);
typedef DXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT2 *PDXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT2;
typedef NTSTATUS DXGKDDI_CREATEPROCESS(HANDLE hAdapter, DXGKARG_CREATEPROCESS *pArgs);
typedef DXGKDDI_CREATEPROCESS *PDXGKDDI_CREATEPROCESS;
typedef NTSTATUS DXGKDDI_DESTROYPROCESS(HANDLE hAdapter, HANDLE hKmdProcess);
typedef DXGKDDI_DESTROYPROCESS *PDXGKDDI_DESTROYPROCESS;
typedef NTSTATUS DXGKDDI_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY2(
    HANDLE hAdapter,
    const DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY2 *pSetVidPnSourceAddressWithMultiPlaneOverlay);
typedef DXGKDDI_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY2 *PDXGKDDI_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY2;
typedef NTSTATUS DXGKDDI_SETSTABLEPOWERSTATE(HANDLE hAdapter,
                                             const DXGKARG_SETSTABLEPOWERSTATE *pArgs);
typedef DXGKDDI_SETSTABLEPOWERSTATE *PDXGKDDI_SETSTABLEPOWERSTATE;
typedef NTSTATUS DXGKDDI_SETVIDEOPROTECTEDREGION(HANDLE hAdapter,
                                                 const DXGKARG_SETVIDEOPROTECTEDREGION *pArgs);
typedef DXGKDDI_SETVIDEOPROTECTEDREGION *PDXGKDDI_SETVIDEOPROTECTEDREGION;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1

typedef NTSTATUS DXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT3(
    HANDLE hAdapter, DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT3 *pCheckMultiPlaneOverlaySupport);
typedef DXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT3 *PDXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT3;
typedef NTSTATUS DXGKDDI_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY3(
    HANDLE hAdapter,
    DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY3 *pSetVidPnSourceAddressWithMultiPlaneOverlay);
typedef DXGKDDI_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY3 *PDXGKDDI_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY3;
typedef NTSTATUS DXGKDDI_POSTMULTIPLANEOVERLAYPRESENT(
    HANDLE hAdapter, const DXGKARG_POSTMULTIPLANEOVERLAYPRESENT *pPostPresent);
typedef DXGKDDI_POSTMULTIPLANEOVERLAYPRESENT *PDXGKDDI_POSTMULTIPLANEOVERLAYPRESENT;
typedef NTSTATUS DXGKDDI_VALIDATEUPDATEALLOCATIONPROPERTY(
    HANDLE hAdapter, DXGKARG_VALIDATEUPDATEALLOCPROPERTY *pValidateUpdateAllocProperty);
typedef DXGKDDI_VALIDATEUPDATEALLOCATIONPROPERTY *PDXGKDDI_VALIDATEUPDATEALLOCATIONPROPERTY;
typedef NTSTATUS DXGKDDI_CONTROLMODEBEHAVIOR(HANDLE hAdapter,
                                             DXGKARG_CONTROLMODEBEHAVIOR *pControlModeBehaviorArg);
typedef DXGKDDI_CONTROLMODEBEHAVIOR *PDXGKDDI_CONTROLMODEBEHAVIOR;
typedef NTSTATUS DXGKDDI_UPDATEMONITORLINKINFO(
    HANDLE hAdapter, DXGKARG_UPDATEMONITORLINKINFO *pUpdateMonitorLinkInfoArg);
typedef DXGKDDI_UPDATEMONITORLINKINFO *PDXGKDDI_UPDATEMONITORLINKINFO;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_1 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2

typedef NTSTATUS DXGKDDI_CREATEHWCONTEXT(HANDLE hDevice, DXGKARG_CREATEHWCONTEXT *pCreateHwContext);
typedef DXGKDDI_CREATEHWCONTEXT *PDXGKDDI_CREATEHWCONTEXT;
typedef NTSTATUS DXGKDDI_DESTROYHWCONTEXT(HANDLE hHwContext);
typedef DXGKDDI_DESTROYHWCONTEXT *PDXGKDDI_DESTROYHWCONTEXT;
typedef NTSTATUS DXGKDDI_CREATEHWQUEUE(HANDLE hHwContext, DXGKARG_CREATEHWQUEUE *pCreateHwQueue);
typedef DXGKDDI_CREATEHWQUEUE *PDXGKDDI_CREATEHWQUEUE;
typedef NTSTATUS DXGKDDI_DESTROYHWQUEUE(HANDLE hHwQueue);
typedef DXGKDDI_DESTROYHWQUEUE *PDXGKDDI_DESTROYHWQUEUE;
typedef NTSTATUS DXGKDDI_SUBMITCOMMANDTOHWQUEUE(
    HANDLE hAdapter, const DXGKARG_SUBMITCOMMANDTOHWQUEUE *pSubmitCommandToHwQueue);
typedef DXGKDDI_SUBMITCOMMANDTOHWQUEUE *PDXGKDDI_SUBMITCOMMANDTOHWQUEUE;
typedef NTSTATUS DXGKDDI_SWITCHTOHWCONTEXTLIST(HANDLE hAdapter,
                                               const DXGKARG_SWITCHTOHWCONTEXTLIST *pHwContextList);
typedef DXGKDDI_SWITCHTOHWCONTEXTLIST *PDXGKDDI_SWITCHTOHWCONTEXTLIST;
typedef NTSTATUS DXGKDDI_RESETHWENGINE(HANDLE hAdapter, DXGKARG_RESETHWENGINE *pResetHwEngine);
typedef DXGKDDI_RESETHWENGINE *PDXGKDDI_RESETHWENGINE;
typedef NTSTATUS DXGKDDI_CREATEPERIODICFRAMENOTIFICATION(
    DXGKARG_CREATEPERIODICFRAMENOTIFICATION *pCreatePeriodicFrameNotification);
typedef DXGKDDI_CREATEPERIODICFRAMENOTIFICATION *PDXGKDDI_CREATEPERIODICFRAMENOTIFICATION;
typedef NTSTATUS DXGKDDI_DESTROYPERIODICFRAMENOTIFICATION(
    const DXGKARG_DESTROYPERIODICFRAMENOTIFICATION *pDestroyPeriodicFrameNotification);
typedef DXGKDDI_DESTROYPERIODICFRAMENOTIFICATION *PDXGKDDI_DESTROYPERIODICFRAMENOTIFICATION;
typedef NTSTATUS DXGKDDI_SETTIMINGSFROMVIDPN(HANDLE hAdapter,
                                             DXGKARG_SETTIMINGSFROMVIDPN *pSetTimings);
typedef DXGKDDI_SETTIMINGSFROMVIDPN *PDXGKDDI_SETTIMINGSFROMVIDPN;
typedef NTSTATUS DXGKDDI_SETTARGETGAMMA(HANDLE hAdapter,
                                        DXGKARG_SETTARGETGAMMA *pSetTargetGammaArg);
typedef DXGKDDI_SETTARGETGAMMA *PDXGKDDI_SETTARGETGAMMA;
typedef NTSTATUS DXGKDDI_SETTARGETCONTENTTYPE(
    HANDLE hAdapter, const DXGKARG_SETTARGETCONTENTTYPE *pSetTargetContentTypeArg);
typedef DXGKDDI_SETTARGETCONTENTTYPE *PDXGKDDI_SETTARGETCONTENTTYPE;
typedef NTSTATUS DXGKDDI_SETTARGETANALOGCOPYPROTECTION(
    HANDLE hAdapter,
    const DXGKARG_SETTARGETANALOGCOPYPROTECTION *pSetTargetAnalogCopyProtectionArg);
typedef DXGKDDI_SETTARGETANALOGCOPYPROTECTION *PDXGKDDI_SETTARGETANALOGCOPYPROTECTION;
typedef NTSTATUS DXGKDDI_DISPLAYDETECTCONTROL(
    HANDLE hAdapter, const DXGKARG_DISPLAYDETECTCONTROL *pDisplayDetectControl);
typedef DXGKDDI_DISPLAYDETECTCONTROL *PDXGKDDI_DISPLAYDETECTCONTROL;
typedef NTSTATUS DXGKDDI_QUERYCONNECTIONCHANGE(
    HANDLE hAdapter, DXGKARG_QUERYCONNECTIONCHANGE *pQueryConnectionChange);
typedef DXGKDDI_QUERYCONNECTIONCHANGE *PDXGKDDI_QUERYCONNECTIONCHANGE;
typedef NTSTATUS DXGKDDI_GETMULTIPLANEOVERLAYCAPS(
    HANDLE hAdapter, DXGKARG_GETMULTIPLANEOVERLAYCAPS *pGetMultiPlaneOverlayCaps);
typedef DXGKDDI_GETMULTIPLANEOVERLAYCAPS *PDXGKDDI_GETMULTIPLANEOVERLAYCAPS;
typedef NTSTATUS DXGKDDI_GETPOSTCOMPOSITIONCAPS(
    HANDLE hAdapter, DXGKARG_GETPOSTCOMPOSITIONCAPS *pGetPostCompositionCaps);
typedef DXGKDDI_GETPOSTCOMPOSITIONCAPS *PDXGKDDI_GETPOSTCOMPOSITIONCAPS;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_2 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_3

typedef NTSTATUS DXGKDDI_UPDATEHWCONTEXTSTATE(
    HANDLE hAdapter, const DXGKARG_UPDATEHWCONTEXTSTATE *pUpdateHwContextState);
typedef DXGKDDI_UPDATEHWCONTEXTSTATE *PDXGKDDI_UPDATEHWCONTEXTSTATE;
typedef NTSTATUS DXGKDDI_CREATEPROTECTEDSESSION(
    HANDLE hAdapter, DXGKARG_CREATEPROTECTEDSESSION *pCreateProtectedSession);
typedef DXGKDDI_CREATEPROTECTEDSESSION *PDXGKDDI_CREATEPROTECTEDSESSION;
typedef NTSTATUS DXGKDDI_DESTROYPROTECTEDSESSION(HANDLE hAdapter, HANDLE hProtectedSession);
typedef DXGKDDI_DESTROYPROTECTEDSESSION *PDXGKDDI_DESTROYPROTECTEDSESSION;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_3 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4

typedef NTSTATUS DXGKDDI_SETSCHEDULINGLOGBUFFER(
    HANDLE hAdapter, const DXGKARG_SETSCHEDULINGLOGBUFFER *pSetSchedulingLogBuffer);
typedef DXGKDDI_SETSCHEDULINGLOGBUFFER *PDXGKDDI_SETSCHEDULINGLOGBUFFER;
typedef NTSTATUS DXGKDDI_SETUPPRIORITYBANDS(HANDLE hAdapter,
                                            const DXGKARG_SETUPPRIORITYBANDS *pSetupPriorityBands);
typedef DXGKDDI_SETUPPRIORITYBANDS *PDXGKDDI_SETUPPRIORITYBANDS;
typedef NTSTATUS DXGKDDI_NOTIFYFOCUSPRESENT(HANDLE hAdapter);
typedef DXGKDDI_NOTIFYFOCUSPRESENT *PDXGKDDI_NOTIFYFOCUSPRESENT;
typedef NTSTATUS DXGKDDI_SETCONTEXTSCHEDULINGPROPERTIES(
    HANDLE hContext, const DXGKARG_SETCONTEXTSCHEDULINGPROPERTIES *pSetContextSchedulingProperties);
typedef DXGKDDI_SETCONTEXTSCHEDULINGPROPERTIES *PDXGKDDI_SETCONTEXTSCHEDULINGPROPERTIES;
typedef NTSTATUS DXGKDDI_SUSPENDCONTEXT(HANDLE hContext,
                                        const DXGKARG_SUSPENDCONTEXT *pSuspendContext);
typedef DXGKDDI_SUSPENDCONTEXT *PDXGKDDI_SUSPENDCONTEXT;
typedef NTSTATUS DXGKDDI_RESUMECONTEXT(HANDLE hContext,
                                       const DXGKARG_RESUMECONTEXT *pResumeContext);
typedef DXGKDDI_RESUMECONTEXT *PDXGKDDI_RESUMECONTEXT;
typedef NTSTATUS DXGKDDI_SETVIRTUALMACHINEDATA(HANDLE hAdapter,
                                               const DXGKARG_SETVIRTUALMACHINEDATA *Args);
typedef DXGKDDI_SETVIRTUALMACHINEDATA *PDXGKDDI_SETVIRTUALMACHINEDATA;
typedef NTSTATUS DXGKDDI_BEGINEXCLUSIVEACCESS(HANDLE hAdapter,
                                              DXGKARG_BEGINEXCLUSIVEACCESS *pBeginExclusiveAccess);
typedef DXGKDDI_BEGINEXCLUSIVEACCESS *PDXGKDDI_BEGINEXCLUSIVEACCESS;
typedef NTSTATUS DXGKDDI_ENDEXCLUSIVEACCESS(HANDLE hAdapter,
                                            DXGKARG_ENDEXCLUSIVEACCESS *pEndExclusiveAccess);
typedef DXGKDDI_ENDEXCLUSIVEACCESS *PDXGKDDI_ENDEXCLUSIVEACCESS;
typedef NTSTATUS DXGKDDI_RESUMEHWENGINE(HANDLE hAdapter, DXGKARG_RESUMEHWENGINE *pResumeHwEngine);
typedef DXGKDDI_RESUMEHWENGINE *PDXGKDDI_RESUMEHWENGINE;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_4 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_5

typedef NTSTATUS DXGKDDI_SIGNALMONITOREDFENCE(HANDLE hContext,
                                              DXGKARG_SIGNALMONITOREDFENCE *pSignalMonitoredFence);
typedef DXGKDDI_SIGNALMONITOREDFENCE *PDXGKDDI_SIGNALMONITOREDFENCE;
typedef NTSTATUS DXGKDDI_PRESENTTOHWQUEUE(HANDLE hHwQueue, DXGKARG_PRESENT *pPresent);
typedef DXGKDDI_PRESENTTOHWQUEUE *PDXGKDDI_PRESENTTOHWQUEUE;
typedef NTSTATUS DXGKDDI_VALIDATESUBMITCOMMAND(HANDLE hContext,
                                               DXGKARG_VALIDATESUBMITCOMMAND *pArgs);
typedef DXGKDDI_VALIDATESUBMITCOMMAND *PDXGKDDI_VALIDATESUBMITCOMMAND;
typedef NTSTATUS DXGKDDI_SETTRACKEDWORKLOADPOWERLEVEL(
    HANDLE hContext, DXGKARG_SETTRACKEDWORKLOADPOWERLEVEL *pTrackedWorkloadPowerLevel);
typedef DXGKDDI_SETTRACKEDWORKLOADPOWERLEVEL *PDXGKDDI_SETTRACKEDWORKLOADPOWERLEVEL;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_5 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_6

typedef NTSTATUS DXGKDDI_SAVEMEMORYFORHOTUPDATE(HANDLE hContext,
                                                const DXGKARG_SAVEMEMORYFORHOTUPDATE *pArgs);
typedef DXGKDDI_SAVEMEMORYFORHOTUPDATE *PDXGKDDI_SAVEMEMORYFORHOTUPDATE;
typedef NTSTATUS DXGKDDI_RESTOREMEMORYFORHOTUPDATE(HANDLE hContext,
                                                   const DXGKARG_RESTOREMEMORYFORHOTUPDATE *pArgs);
typedef DXGKDDI_RESTOREMEMORYFORHOTUPDATE *PDXGKDDI_RESTOREMEMORYFORHOTUPDATE;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_6 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_7

typedef NTSTATUS DXGKDDI_CONTROLINTERRUPT3(HANDLE hAdapter,
                                           const DXGKARG_CONTROLINTERRUPT3 InterruptControl);
typedef DXGKDDI_CONTROLINTERRUPT3 *PDXGKDDI_CONTROLINTERRUPT3;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_7 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9

typedef NTSTATUS DXGKDDI_SETFLIPQUEUELOGBUFFER(
    HANDLE hAdapter, const DXGKARG_SETFLIPQUEUELOGBUFFER *pSetFlipQueueLogBuffer);
typedef DXGKDDI_SETFLIPQUEUELOGBUFFER *PDXGKDDI_SETFLIPQUEUELOGBUFFER;
typedef NTSTATUS DXGKDDI_UPDATEFLIPQUEUELOG(HANDLE hAdapter,
                                            DXGKARG_UPDATEFLIPQUEUELOG *pUpdateFlipQueueLog);
typedef DXGKDDI_UPDATEFLIPQUEUELOG *PDXGKDDI_UPDATEFLIPQUEUELOG;
typedef NTSTATUS DXGKDDI_CANCELQUEUEDFLIPS(HANDLE hAdapter,
                                           DXGKARG_CANCELQUEUEDFLIPS *pCancelQueuedFlips);
typedef DXGKDDI_CANCELQUEUEDFLIPS *PDXGKDDI_CANCELQUEUEDFLIPS;
typedef NTSTATUS DXGKDDI_SETINTERRUPTTARGETPRESENTID(
    HANDLE hAdapter, DXGKARG_SETINTERRUPTTARGETPRESENTID *pSetInterruptTargetPresentId);
typedef DXGKDDI_SETINTERRUPTTARGETPRESENTID *PDXGKDDI_SETINTERRUPTTARGETPRESENTID;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_0

typedef NTSTATUS DXGKDDI_SETALLOCATIONBACKINGSTORE(HANDLE hAdapter,
                                                   DXGKARG_SETALLOCATIONBACKINGSTORE *pArgs);
typedef DXGKDDI_SETALLOCATIONBACKINGSTORE *PDXGKDDI_SETALLOCATIONBACKINGSTORE;
typedef NTSTATUS DXGKDDI_CREATECPUEVENT(HANDLE hAdapter, DXGKARG_CREATECPUEVENT *pArgs);
typedef DXGKDDI_CREATECPUEVENT *PDXGKDDI_CREATECPUEVENT;
typedef NTSTATUS DXGKDDI_DESTROYCPUEVENT(HANDLE hAdapter, HANDLE hKmdCpuEvent);
typedef DXGKDDI_DESTROYCPUEVENT *PDXGKDDI_DESTROYCPUEVENT;
typedef NTSTATUS DXGKDDI_CANCELFLIPS(HANDLE hAdapter, DXGKARG_CANCELFLIPS *pCancelFlips);
typedef DXGKDDI_CANCELFLIPS *PDXGKDDI_CANCELFLIPS;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_1

typedef NTSTATUS DXGKDDI_CREATENATIVEFENCE(HANDLE hAdapter,
                                           DXGKARG_CREATENATIVEFENCE *pCreateNativeFence);
typedef DXGKDDI_CREATENATIVEFENCE *PDXGKDDI_CREATENATIVEFENCE;
typedef NTSTATUS DXGKDDI_DESTROYNATIVEFENCE(HANDLE hAdapter,
                                            const DXGKARG_DESTROYNATIVEFENCE *pDestroyNativeFence);
typedef DXGKDDI_DESTROYNATIVEFENCE *PDXGKDDI_DESTROYNATIVEFENCE;
typedef NTSTATUS DXGKDDI_UPDATEMONITOREDVALUES(
    HANDLE hAdapter, const DXGKARG_UPDATEMONITOREDVALUES *pUpdateMonitoredValues);
typedef DXGKDDI_UPDATEMONITOREDVALUES *PDXGKDDI_UPDATEMONITOREDVALUES;
typedef NTSTATUS DXGKDDI_UPDATECURRENTVALUESFROMCPU(
    HANDLE hAdapter, const DXGKARG_UPDATECURRENTVALUESFROMCPU *pUpdateCurrentValuesFromCpu);
typedef DXGKDDI_UPDATECURRENTVALUESFROMCPU *PDXGKDDI_UPDATECURRENTVALUESFROMCPU;
typedef NTSTATUS DXGKDDI_CREATEDOORBELL(DXGKARG_CREATEDOORBELL *pArgs);
typedef DXGKDDI_CREATEDOORBELL *PDXGKDDI_CREATEDOORBELL;
typedef NTSTATUS DXGKDDI_CONNECTDOORBELL(DXGKARG_CONNECTDOORBELL *pArgs);
typedef DXGKDDI_CONNECTDOORBELL *PDXGKDDI_CONNECTDOORBELL;
typedef NTSTATUS DXGKDDI_DISCONNECTDOORBELL(DXGKARG_DISCONNECTDOORBELL *pArgs);
typedef DXGKDDI_DISCONNECTDOORBELL *PDXGKDDI_DISCONNECTDOORBELL;
typedef NTSTATUS DXGKDDI_DESTROYDOORBELL(DXGKARG_DESTROYDOORBELL *pArgs);
typedef DXGKDDI_DESTROYDOORBELL *PDXGKDDI_DESTROYDOORBELL;
typedef NTSTATUS DXGKDDI_NOTIFYWORKSUBMISSION(DXGKARG_NOTIFYWORKSUBMISSION *pArgs);
typedef DXGKDDI_NOTIFYWORKSUBMISSION *PDXGKDDI_NOTIFYWORKSUBMISSION;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_1 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2

typedef NTSTATUS DXGKDDI_CREATEMEMORYBASIS(HANDLE hAdapter, DXGKARG_CREATEMEMORYBASIS *pArgs);
typedef DXGKDDI_CREATEMEMORYBASIS *PDXGKDDI_CREATEMEMORYBASIS;
typedef NTSTATUS DXGKDDI_DESTROYMEMORYBASIS(HANDLE hAdapter,
                                            const DXGKARG_DESTROYMEMORYBASIS *pArgs);
typedef DXGKDDI_DESTROYMEMORYBASIS *PDXGKDDI_DESTROYMEMORYBASIS;
typedef NTSTATUS DXGKDDI_STARTDIRTYTRACKING(HANDLE hAdapter,
                                            const DXGKARG_STARTDIRTYTRACKING *pArgs);
typedef DXGKDDI_STARTDIRTYTRACKING *PDXGKDDI_STARTDIRTYTRACKING;
typedef NTSTATUS DXGKDDI_STOPDIRTYTRACKING(HANDLE hAdapter, const DXGKARG_STOPDIRTYTRACKING *pArgs);
typedef DXGKDDI_STOPDIRTYTRACKING *PDXGKDDI_STOPDIRTYTRACKING;
typedef NTSTATUS DXGKDDI_QUERYDIRTYBITDATA(HANDLE hAdapter, DXGKARG_QUERYDIRTYBITDATA *pArgs);
typedef DXGKDDI_QUERYDIRTYBITDATA *PDXGKDDI_QUERYDIRTYBITDATA;
typedef NTSTATUS DXGKDDI_PREPARELIVEMIGRATION(HANDLE hAdapter, DXGKARG_PREPARELIVEMIGRATION *pArgs);
typedef DXGKDDI_PREPARELIVEMIGRATION *PDXGKDDI_PREPARELIVEMIGRATION;
typedef NTSTATUS DXGKDDI_SAVEIMMUTABLEMIGRATIONDATA(HANDLE hAdapter,
                                                    DXGKARG_SAVEIMMUTABLEMIGRATIONDATA *pArgs);
typedef DXGKDDI_SAVEIMMUTABLEMIGRATIONDATA *PDXGKDDI_SAVEIMMUTABLEMIGRATIONDATA;
typedef NTSTATUS DXGKDDI_SAVEMUTABLEMIGRATIONDATA(HANDLE hAdapter,
                                                  DXGKARG_SAVEMUTABLEMIGRATIONDATA *pArgs);
typedef DXGKDDI_SAVEMUTABLEMIGRATIONDATA *PDXGKDDI_SAVEMUTABLEMIGRATIONDATA;
typedef NTSTATUS DXGKDDI_ENDLIVEMIGRATION(HANDLE hAdapter, const DXGKARG_ENDLIVEMIGRATION *pArgs);
typedef DXGKDDI_ENDLIVEMIGRATION *PDXGKDDI_ENDLIVEMIGRATION;
typedef NTSTATUS DXGKDDI_RESTOREIMMUTABLEMIGRATIONDATA(
    HANDLE hAdapter, const DXGKARG_RESTOREIMMUTABLEMIGRATIONDATA *pArgs);
typedef DXGKDDI_RESTOREIMMUTABLEMIGRATIONDATA *PDXGKDDI_RESTOREIMMUTABLEMIGRATIONDATA;
typedef NTSTATUS DXGKDDI_RESTOREMUTABLEMIGRATIONDATA(
    HANDLE hAdapter, const DXGKARG_RESTOREMUTABLEMIGRATIONDATA *pArgs);
typedef DXGKDDI_RESTOREMUTABLEMIGRATIONDATA *PDXGKDDI_RESTOREMUTABLEMIGRATIONDATA;
typedef NTSTATUS DXGKDDI_WRITEVIRTUALIZEDINTERRUPT(HANDLE hAdapter,
                                                   const DXGKARG_WRITEVIRTUALIZEDINTERRUPT *pArgs);
typedef DXGKDDI_WRITEVIRTUALIZEDINTERRUPT *PDXGKDDI_WRITEVIRTUALIZEDINTERRUPT;
typedef NTSTATUS DXGKDDI_SETVIRTUALGPURESOURCES2(HANDLE hAdapter,
                                                 const DXGKARG_SETVIRTUALGPURESOURCES2 *pArgs);
typedef DXGKDDI_SETVIRTUALGPURESOURCES2 *PDXGKDDI_SETVIRTUALGPURESOURCES2;
typedef NTSTATUS DXGKDDI_SETVIRTUALFUNCTIONPAUSESTATE(
    HANDLE hAdapter, const DXGKARG_SETVIRTUALFUNCTIONPAUSESTATE *pArgs);
typedef DXGKDDI_SETVIRTUALFUNCTIONPAUSESTATE *PDXGKDDI_SETVIRTUALFUNCTIONPAUSESTATE;
typedef NTSTATUS DXGKDDI_OPENNATIVEFENCE(HANDLE hAdapter,
                                         DXGKARG_OPENNATIVEFENCE *pOpenNativeFence);
typedef DXGKDDI_OPENNATIVEFENCE *PDXGKDDI_OPENNATIVEFENCE;
typedef NTSTATUS DXGKDDI_CLOSENATIVEFENCE(HANDLE hAdapter,
                                          const DXGKARG_CLOSENATIVEFENCE *pCloseNativeFence);
typedef DXGKDDI_CLOSENATIVEFENCE *PDXGKDDI_CLOSENATIVEFENCE;
typedef NTSTATUS DXGKDDI_SETNATIVEFENCELOGBUFFER(
    HANDLE hAdapter, const DXGKARG_SETNATIVEFENCELOGBUFFER *pSetNativeFenceLogBuffer);
typedef DXGKDDI_SETNATIVEFENCELOGBUFFER *PDXGKDDI_SETNATIVEFENCELOGBUFFER;
typedef NTSTATUS DXGKDDI_UPDATENATIVEFENCELOGS(
    HANDLE hAdapter, const DXGKARG_UPDATENATIVEFENCELOGS *pUpdateNativeFenceLogs);
typedef DXGKDDI_UPDATENATIVEFENCELOGS *PDXGKDDI_UPDATENATIVEFENCELOGS;
typedef NTSTATUS DXGKDDI_COLLECTDBGINFO2(HANDLE hAdapter, DXGKARG_COLLECTDBGINFO2 *pCollectDbgInfo);
typedef DXGKDDI_COLLECTDBGINFO2 *PDXGKDDI_COLLECTDBGINFO2;
typedef NTSTATUS DXGKDDI_NOTIFYCONTEXTPRIORITYCHANGE(
    HANDLE hAdapter, const DXGKARG_NOTIFYCONTEXTPRIORITYCHANGE *pArgs);
typedef DXGKDDI_NOTIFYCONTEXTPRIORITYCHANGE *PDXGKDDI_NOTIFYCONTEXTPRIORITYCHANGE;
typedef NTSTATUS DXGKDDI_RESETDISPLAYENGINE(HANDLE hAdapter, DXGKARG_RESETDISPLAYENGINE *pArgs);
typedef DXGKDDI_RESETDISPLAYENGINE *PDXGKDDI_RESETDISPLAYENGINE;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_2 */

typedef PVOID (*DXGKCB_GETHANDLEDATA)(const DXGKARGCB_GETHANDLEDATA *);
typedef D3DKMT_HANDLE (*DXGKCB_GETHANDLEPARENT)(D3DKMT_HANDLE hAllocation);
typedef D3DKMT_HANDLE (*DXGKCB_ENUMHANDLECHILDREN)(const DXGKARGCB_ENUMHANDLECHILDREN *);
typedef VOID (*DXGKCB_NOTIFY_INTERRUPT)(HANDLE hAdapter, const DXGKARGCB_NOTIFY_INTERRUPT_DATA *);
typedef VOID (*DXGKCB_NOTIFY_DPC)(HANDLE hAdapter);
typedef NTSTATUS (*DXGKCB_QUERYVIDPNINTERFACE)(D3DKMDT_HVIDPN hVidPn,
                                               DXGK_VIDPN_INTERFACE_VERSION VidPnInterfaceVersion,
                                               const DXGK_VIDPN_INTERFACE **ppVidPnInterface);
typedef NTSTATUS (*DXGKCB_QUERYMONITORINTERFACE)(
    HANDLE hAdapter, DXGK_MONITOR_INTERFACE_VERSION MonitorInterfaceVersion,
    const DXGK_MONITOR_INTERFACE **ppMonitorInterface);
typedef NTSTATUS (*DXGKCB_GETCAPTUREADDRESS)(DXGKARGCB_GETCAPTUREADDRESS *);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8

typedef NTSTATUS (*DXGKCB_CREATECONTEXTALLOCATION)(DXGKARGCB_CREATECONTEXTALLOCATION *);
typedef NTSTATUS (*DXGKCB_DESTROYCONTEXTALLOCATION)(HANDLE hAdapter, HANDLE hAllocation);
typedef VOID (*DXGKCB_SETPOWERCOMPONENTACTIVE)(HANDLE hAdapter, UINT ComponentIndex);
typedef VOID (*DXGKCB_SETPOWERCOMPONENTIDLE)(HANDLE hAdapter, UINT ComponentIndex);
typedef NTSTATUS (*DXGKCB_POWERRUNTIMECONTROLREQUEST)(HANDLE hAdapter, const GUID *PowerControlCode,
                                                      PVOID InBuffer, SIZE_T InBufferSize,
                                                      PVOID OutBuffer, SIZE_T OutBufferSize,
                                                      PSIZE_T BytesReturned);
typedef VOID (*DXGKCB_SETPOWERCOMPONENTLATENCY)(HANDLE hAdapter, UINT ComponentIndex,
                                                ULONGLONG Latency);
typedef VOID (*DXGKCB_SETPOWERCOMPONENTRESIDENCY)(HANDLE hAdapter, UINT ComponentIndex,
                                                  ULONGLONG Residency);
typedef VOID (*DXGKCB_COMPLETEFSTATETRANSITION)(HANDLE hAdapter, UINT ComponentIndex);
typedef VOID (*DXGKCB_COMPLETEPSTATETRANSITION)(HANDLE hAdapter, UINT ComponentIndex,
                                                UINT CompletedPState);

#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef D3DGPU_VIRTUAL_ADDRESS (*DXGKCB_MAPCONTEXTALLOCATION)(
    HANDLE hAdapter, const DXGKARGCB_MAPCONTEXTALLOCATION *pArgs);
typedef NTSTATUS (*DXGKCB_UPDATECONTEXTALLOCATION)(HANDLE hAdapter,
                                                   const DXGKARGCB_UPDATECONTEXTALLOCATION *pArgs);
typedef NTSTATUS (*DXGKCB_RESERVEGPUVIRTUALADDRESSRANGE)(
    HANDLE hAdapter, DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE *pArgs);
typedef PVOID (*DXGKCB_ACQUIREHANDLEDATA)(const DXGKARGCB_GETHANDLEDATA *,
                                          DXGKARG_RELEASE_HANDLE *);
typedef VOID (*DXGKCB_RELEASEHANDLEDATA)(DXGKARGCB_RELEASEHANDLEDATA);
typedef VOID (*DXGKCB_HARDWARECONTENTPROTECTIONTEARDOWN)(
    HANDLE hAdapter, DXGK_HARDWARE_CONTENT_PROTECTION_TEARDOWN_FLAGS Flags);

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1

typedef VOID (*DXGKCB_MULTIPLANEOVERLAYDISABLED)(HANDLE hAdapter, UINT VidPnSourceId);
typedef NTSTATUS (*DXGKCB_DXGKCB_MITIGATEDRANGEUPDATE)(HANDLE hAdapter, ULONG VirtualFunctionIndex);

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_1 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2

typedef NTSTATUS (*DXGKCB_INVALIDATEHWCONTEXT)(DXGKARGCB_INVALIDATEHWCONTEXT *);
typedef NTSTATUS (*DXGKCB_INDICATE_CONNECTOR_CHANGE)(HANDLE hAdapter);
typedef NTSTATUS (*DXGKCB_UNBLOCKUEFIFRAMEBUFFERRANGES)(
    HANDLE hAdapter, DXGKARGCB_UNBLOCKUEFIFRAMEBUFFERRANGES *pArgs);

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_2 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_3

typedef NTSTATUS (*DXGKCB_SETPROTECTEDSESSIONSTATUS)(
    const DXGKARGCB_PROTECTEDSESSIONSTATUS *pProtectedSessionStatus);

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_3 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4

typedef NTSTATUS (*DXGKCB_ALLOCATECONTIGUOUSMEMORY)(
    HANDLE hAdapter, DXGKARGCB_ALLOCATECONTIGUOUSMEMORY *pAllocateContiguousMemory);
typedef NTSTATUS (*DXGKCB_FREECONTIGUOUSMEMORY)(
    HANDLE hAdapter, const DXGKARGCB_FREECONTIGUOUSMEMORY *pFreeContiguousMemory);
typedef NTSTATUS (*DXGKCB_ALLOCATEPAGESFORMDL)(HANDLE hAdapter,
                                               DXGKARGCB_ALLOCATEPAGESFORMDL *pAllocatePagesForMdl);
typedef NTSTATUS (*DXGKCB_FREEPAGESFROMMDL)(HANDLE hAdapter,
                                            const DXGKARGCB_FREEPAGESFROMMDL *pFreePagesFromMdl);
typedef NTSTATUS (*DXGKCB_PINFRAMEBUFFERFORSAVE)(
    HANDLE hAdapter, DXGKARGCB_PINFRAMEBUFFERFORSAVE *pPinFrameBufferForSave);
typedef NTSTATUS (*DXGKCB_UNPINFRAMEBUFFERFORSAVE)(
    HANDLE hAdapter, const DXGKARGCB_UNPINFRAMEBUFFERFORSAVE *pUnpinFrameBufferForSave);
typedef NTSTATUS (*DXGKCB_MAPFRAMEBUFFERPOINTER)(
    HANDLE hAdapter, DXGKARGCB_MAPFRAMEBUFFERPOINTER *pMapFrameBufferPointer);
typedef NTSTATUS (*DXGKCB_UNMAPFRAMEBUFFERPOINTER)(
    HANDLE hAdapter, const DXGKARGCB_UNMAPFRAMEBUFFERPOINTER *pUnmapFrameBufferPointer);
typedef NTSTATUS (*DXGKCB_MAPMDLTOIOMMU)(HANDLE hAdapter, DXGKARGCB_MAPMDLTOIOMMU *pMapMdlToIoMmu);
typedef VOID (*DXGKCB_UNMAPMDLFROMIOMMU)(HANDLE hAdapter,
                                         const DXGKARGCB_UNMAPMDLFROMIOMMU *pUnmapMdlFromIoMmu);

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_4 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_5

typedef NTSTATUS (*DXGKCB_SIGNALEVENT)(const DXGKARGCB_SIGNALEVENT *);

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_5 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_6

typedef NTSTATUS (*DXGKCB_ISFEATUREENABLED)(DXGKARGCB_ISFEATUREENABLED *);
typedef NTSTATUS (*DXGKCB_SAVEMEMORYFORHOTUPDATE)(HANDLE hAdapter,
                                                  const DXGKARGCB_SAVEMEMORYFORHOTUPDATE *pArgs);

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_6 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_8

typedef NTSTATUS (*DXGKCB_NOTIFYCURSORSUPPORTCHANGE)(
    const DXGKARGCB_NOTIFYCURSORSUPPORTCHANGE *pArgs);

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_8 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9

typedef NTSTATUS (*DXGKCB_QUERYFEATURESUPPORT)(DXGKARGCB_QUERYFEATURESUPPORT *);
typedef NTSTATUS (*DXGKCB_CREATEPHYSICALMEMORYOBJECT)(
    DXGKARGCB_CREATE_PHYSICAL_MEMORY_OBJECT *pArgs);
typedef VOID (*DXGKCB_DESTROYPHYSICALMEMORYOBJECT)(
    const DXGKARGCB_DESTROY_PHYSICAL_MEMORY_OBJECT *pArgs);
typedef NTSTATUS (*DXGKCB_MAPPHYSICALMEMORY)(DXGKARGCB_MAP_PHYSICAL_MEMORY *pArgs);
typedef VOID (*DXGKCB_UNMAPPHYSICALMEMORY)(const DXGKARGCB_UNMAP_PHYSICAL_MEMORY *pArgs);
typedef NTSTATUS (*DXGKCB_ALLOCATEADL)(DXGKARGCB_ALLOCATE_ADL *pArgs);
typedef VOID (*DXGKCB_FREEADL)(const DXGKARGCB_FREE_ADL *pArgs);
typedef NTSTATUS (*DXGKCB_OPENPHYSICALMEMORYOBJECT)(DXGKARGCB_OPEN_PHYSICAL_MEMORY_OBJECT *pArgs);
typedef VOID (*DXGKCB_CLOSEPHYSICALMEMORYOBJECT)(
    const DXGKARGCB_CLOSE_PHYSICAL_MEMORY_OBJECT *pArgs);
typedef NTSTATUS (*DXGKCB_PINFRAMEBUFFERFORSAVE2)(
    HANDLE hAdapter, DXGKARGCB_PINFRAMEBUFFERFORSAVE2 *pPinFrameBufferForSave);

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_1

typedef NTSTATUS (*DXGKCB_DISCONNECTDOORBELL)(const DXGKARGCB_DISCONNECTDOORBELL *);

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_1 */

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMDDI_H */
