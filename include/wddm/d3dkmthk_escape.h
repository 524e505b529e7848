/*
 * d3dkmthk_escape.h: D3DKMTEscape, and what the video memory manager itself answers to it, for
 * tests. d3dkmthk.h says how to read it.
 */
#ifndef WDDM_D3DKMTHK_ESCAPE_H
#define WDDM_D3DKMTHK_ESCAPE_H

#include "d3dkmthk_allocation.h"
#include "d3dukmdt_submit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The addressee of an escape. Page: ne-d3dkmthk-_d3dkmt_escapetype. */
typedef enum _D3DKMT_ESCAPETYPE {
    D3DKMT_ESCAPE_DRIVERPRIVATE = 0, /* the driver */
    D3DKMT_ESCAPE_VIDMM = 1,         /* the video memory manager: D3DKMT_VIDMMESCAPETYPE */
    D3DKMT_ESCAPE_TDRDBGCTRL = 2,
    D3DKMT_ESCAPE_VIDSCH = 3,
    D3DKMT_ESCAPE_DEVICE = 4,
    D3DKMT_ESCAPE_DMM = 5,
    D3DKMT_ESCAPE_DEBUG_SNAPSHOT = 6,
    D3DKMT_ESCAPE_DRT_TEST = 8,
    D3DKMT_ESCAPE_DIAGNOSTICS = 9,
    D3DKMT_ESCAPE_OUTPUTDUPL_SNAPSHOT = 10,
    D3DKMT_ESCAPE_OUTPUTDUPL_DIAGNOSTICS = 11,
    D3DKMT_ESCAPE_BDD_PNP = 12,
    D3DKMT_ESCAPE_BDD_FALLBACK = 13,
    D3DKMT_ESCAPE_ACTIVATE_SPECIFIC_DIAG = 14,
    D3DKMT_ESCAPE_MODES_PRUNED_OUT = 15,
    D3DKMT_ESCAPE_WHQL_INFO = 16,
    D3DKMT_ESCAPE_BRIGHTNESS = 17,
    D3DKMT_ESCAPE_EDID_CACHE = 18,
    D3DKMT_ESCAPE_MIRACAST_DISPLAY_REQUEST = 20,
    D3DKMT_ESCAPE_HISTORY_BUFFER_STATUS = 21,
    D3DKMT_ESCAPE_MIRACAST_ADAPTER_DIAG_INFO = 23,
    D3DKMT_ESCAPE_FORCE_BDDFALLBACK_HEADLESS = 24,
    D3DKMT_ESCAPE_REQUEST_MACHINE_CRASH = 25,
    D3DKMT_ESCAPE_SOFTGPU_ENABLE_DISABLE_HMD = 27,
    D3DKMT_ESCAPE_PROCESS_VERIFIER_OPTION = 28,
    D3DKMT_ESCAPE_ADAPTER_VERIFIER_OPTION = 29,
    D3DKMT_ESCAPE_IDD_REQUEST = 30,
    D3DKMT_ESCAPE_DOD_SET_DIRTYRECT_MODE = 31,
    D3DKMT_ESCAPE_LOG_CODEPOINT_PACKET = 32,
    D3DKMT_ESCAPE_LOG_USERMODE_DAIG_PACKET = 33,
    D3DKMT_ESCAPE_GET_EXTERNAL_DIAGNOSTICS = 34,
    D3DKMT_ESCAPE_GET_DISPLAY_CONFIGURATIONS = 36,
    D3DKMT_ESCAPE_QUERY_IOMMU_STATUS = 37,
    D3DKMT_ESCAPE_CCD_DATABASE = 38,
    D3DKMT_ESCAPE_QUERY_DMA_REMAPPING_STATUS = 39,
    D3DKMT_ESCAPE_WIN32K_START = 1024,
    D3DKMT_ESCAPE_WIN32K_HIP_DEVICE_INFO = 1024,
    D3DKMT_ESCAPE_WIN32K_QUERY_CD_ROTATION_BLOCK = 1025,
    D3DKMT_ESCAPE_WIN32K_DPI_INFO = 1026,
    D3DKMT_ESCAPE_WIN32K_PRESENTER_VIEW_INFO = 1027,
    D3DKMT_ESCAPE_WIN32K_SYSTEM_DPI = 1028,
    D3DKMT_ESCAPE_WIN32K_BDD_FALLBACK = 1029,
    D3DKMT_ESCAPE_WIN32K_DDA_TEST_CTL = 1030,
    D3DKMT_ESCAPE_WIN32K_USER_DETECTED_BLACK_SCREEN = 1031,
    D3DKMT_ESCAPE_WIN32K_DISPBROKER_TEST = 1035,
    D3DKMT_ESCAPE_WIN32K_COLOR_PROFILE_INFO = 1036,
    D3DKMT_ESCAPE_WIN32K_SET_DIMMED_STATE = 1037,
    D3DKMT_ESCAPE_WIN32K_SPECIALIZED_DISPLAY_TEST = 1038,
} D3DKMT_ESCAPETYPE;

/*
 * The requests to the video memory manager, for tests.
 * Page: ne-d3dkmthk-_d3dkmt_vidmmescapetype.
 */
typedef enum _D3DKMT_VIDMMESCAPETYPE {
    D3DKMT_VIDMMESCAPETYPE_SETFAULT = 0,
    D3DKMT_VIDMMESCAPETYPE_RUN_COHERENCY_TEST = 1,
    D3DKMT_VIDMMESCAPETYPE_RUN_UNMAP_TO_DUMMY_PAGE_TEST = 2,
    D3DKMT_VIDMMESCAPETYPE_APERTURE_CORRUPTION_CHECK = 3,
    D3DKMT_VIDMMESCAPETYPE_SUSPEND_CPU_ACCESS_TEST = 4,
    D3DKMT_VIDMMESCAPETYPE_EVICT = 5,
    D3DKMT_VIDMMESCAPETYPE_EVICT_BY_NT_HANDLE = 6,
    D3DKMT_VIDMMESCAPETYPE_GET_VAD_INFO = 7,
    D3DKMT_VIDMMESCAPETYPE_SET_BUDGET = 8,
    D3DKMT_VIDMMESCAPETYPE_SUSPEND_PROCESS = 9,
    D3DKMT_VIDMMESCAPETYPE_RESUME_PROCESS = 10,
    D3DKMT_VIDMMESCAPETYPE_GET_BUDGET = 11,
    D3DKMT_VIDMMESCAPETYPE_SET_TRIM_INTERVALS = 12,
    D3DKMT_VIDMMESCAPETYPE_EVICT_BY_CRITERIA = 13,
    D3DKMT_VIDMMESCAPETYPE_WAKE = 14,
    D3DKMT_VIDMMESCAPETYPE_DEFRAG = 15,
    D3DKMT_VIDMMESCAPETYPE_DELAYEXECUTION = 16,
    D3DKMT_VIDMMESCAPETYPE_VALIDATE_INTEGRITY = 17,
    D3DKMT_VIDMMESCAPETYPE_SET_EVICTION_CONFIG = 18,
} D3DKMT_VIDMMESCAPETYPE;

/* Page: ns-d3dkmthk-_d3dkmt_escape. */
typedef struct _D3DKMT_ESCAPE {
    D3DKMT_HANDLE hAdapter;
    D3DKMT_HANDLE hDevice;
    D3DKMT_ESCAPETYPE Type;
    D3DDDI_ESCAPEFLAGS Flags;
    void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    D3DKMT_HANDLE hContext;
} D3DKMT_ESCAPE;

/* Page: ns-d3dkmthk-_d3dkmt_vad_desc. */
typedef struct _D3DKMT_VAD_DESC {
    UINT VadIndex;
    UINT64 VadAddress;
    UINT NumMappedRanges;
    UINT VadType;
    UINT64 StartAddress;
    UINT64 EndAddress;
} D3DKMT_VAD_DESC;

/* Page: ns-d3dkmthk-_d3dkmt_va_range_desc. */
typedef struct _D3DKMT_VA_RANGE_DESC {
    UINT64 VadAddress;
    UINT VaRangeIndex;
    UINT PhysicalAdapterIndex;
    UINT64 StartAddress;
    UINT64 EndAddress;
    UINT64 DriverProtection;
    UINT OwnerType;
    UINT64 pOwner;
    UINT64 OwnerOffset;
    UINT Protection;
} D3DKMT_VA_RANGE_DESC;

/* Page: ns-d3dkmthk-_d3dkmt_eviction_criteria. */
typedef struct _D3DKMT_EVICTION_CRITERIA {
    UINT64 MinimumSize;
    UINT64 MaximumSize;
    union {
        struct {
            UINT Primary : 1;
            UINT Reserved : 31;
        } Flags;
        UINT Value;
    };
} D3DKMT_EVICTION_CRITERIA;

/* Page: ns-d3dkmthk-_d3dkmt_page_table_level_desc. */
typedef struct _D3DKMT_PAGE_TABLE_LEVEL_DESC {
    UINT IndexBitCount;
    UINT64 IndexMask;
    UINT64 IndexShift;
    UINT64 LowerLevelsMask;
    UINT64 EntryCoverageInPages;
} D3DKMT_PAGE_TABLE_LEVEL_DESC;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* The flags stand in bytes here. Page: ns-d3dkmthk-_dxgk_escape_gpummucaps. */
typedef struct _DXGK_ESCAPE_GPUMMUCAPS {
    BOOLEAN ReadOnlyMemorySupported;
    BOOLEAN NoExecuteMemorySupported;
    BOOLEAN ZeroInPteSupported;
    BOOLEAN CacheCoherentMemorySupported;
    BOOLEAN LargePageSupported;
    BOOLEAN DualPteSupported;
    BOOLEAN AllowNonAlignedLargePageAddress;
    UINT VirtualAddressBitCount;
    UINT PageTableLevelCount;
    D3DKMT_PAGE_TABLE_LEVEL_DESC PageTableLevelDesk[6];
} DXGK_ESCAPE_GPUMMUCAPS;

/* Page: ns-d3dkmthk-_d3dkmt_get_gpummu_caps. */
typedef struct _D3DKMT_GET_GPUMMU_CAPS {
    UINT PhysicalAdapterIndex;
    DXGK_ESCAPE_GPUMMUCAPS GpuMmuCaps;
} D3DKMT_GET_GPUMMU_CAPS;

/* Page: ns-d3dkmthk-_d3dkmt_get_pte. */
typedef struct _D3DKMT_GET_PTE {
    UINT PhysicalAdapterIndex;
    UINT PageTableLevel;
    UINT PageTableIndex[6];
    BOOLEAN b64KBPte;
    UINT NumPtes;
    DXGK_PTE Pte[64];
    UINT NumValidEntries;
} D3DKMT_GET_PTE;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* Page: ns-d3dkmthk-_d3dkmt_segment_caps. */
typedef struct _D3DKMT_SEGMENT_CAPS {
    UINT64 Size;
    UINT PageSize;
    ULONG SegmentId;
    BOOLEAN bAperture;
    BOOLEAN bReservedSysMem;
    D3DKMT_MEMORY_SEGMENT_GROUP BudgetGroup;
} D3DKMT_SEGMENT_CAPS;

/* Page: ns-d3dkmthk-_d3dkmt_get_segment_caps. */
typedef struct _D3DKMT_GET_SEGMENT_CAPS {
    UINT PhysicalAdapterIndex;
    UINT NumSegments;
    D3DKMT_SEGMENT_CAPS SegmentCaps[32];
} D3DKMT_GET_SEGMENT_CAPS;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ne-d3dkmthk-_d3dkmt_vad_escape_command. */
typedef enum _D3DKMT_VAD_ESCAPE_COMMAND {
    D3DKMT_VAD_ESCAPE_GETNUMVADS = 0,
    D3DKMT_VAD_ESCAPE_GETVAD = 1,
    D3DKMT_VAD_ESCAPE_GETVADRANGE = 2,
    D3DKMT_VAD_ESCAPE_GET_PTE = 3,
    D3DKMT_VAD_ESCAPE_GET_GPUMMU_CAPS = 4,
    D3DKMT_VAD_ESCAPE_GET_SEGMENT_CAPS = 5,
} D3DKMT_VAD_ESCAPE_COMMAND;

/* Page: ne-d3dkmthk-_d3dkmt_defrag_escape_operation. */
typedef enum _D3DKMT_DEFRAG_ESCAPE_OPERATION {
    D3DKMT_DEFRAG_ESCAPE_GET_FRAGMENTATION_STATS = 0,
    D3DKMT_DEFRAG_ESCAPE_DEFRAG_UPWARD = 1,
    D3DKMT_DEFRAG_ESCAPE_DEFRAG_DOWNWARD = 2,
    D3DKMT_DEFRAG_ESCAPE_DEFRAG_PASS = 3,
    D3DKMT_DEFRAG_ESCAPE_VERIFY_TRANSFER = 4,
} D3DKMT_DEFRAG_ESCAPE_OPERATION;

/* Page: ns-d3dkmthk-_d3dkmt_vidmm_escape. */
typedef struct _D3DKMT_VIDMM_ESCAPE {
    D3DKMT_VIDMMESCAPETYPE Type;
    union {
        struct {
            union {
                struct {
                    ULONG ProbeAndLock : 1;
                    ULONG SplitPoint : 1;
                    ULONG NoDemotion : 1;
                    ULONG SwizzlingAperture : 1;
                    ULONG PagingPathLockSubRange : 1;
                    ULONG PagingPathLockMinRange : 1;
                    ULONG ComplexLock : 1;
                    ULONG FailVARotation : 1;
                    ULONG NoWriteCombined : 1;
                    ULONG NoPrePatching : 1;
                    ULONG AlwaysRepatch : 1;
                    ULONG ExpectPreparationFailure : 1;
                    ULONG FailUserModeVAMapping : 1;
                    ULONG NeverDiscardOfferedAllocation : 1;
                    ULONG AlwaysDiscardOfferedAllocation : 1;
                    ULONG Reserved : 17;
                };
                ULONG Value;
            };
        } SetFault;
        struct {
            D3DKMT_HANDLE ResourceHandle;
            D3DKMT_HANDLE AllocationHandle;
            union {
                UINT64 hProcess_Align;
                HANDLE hProcess;
            };
        } Evict;
        struct {
            UINT64 NtHandle;
        } EvictByNtHandle;
        struct {
            union {
                struct {
                    UINT NumVads;
                } GetNumVads;
                D3DKMT_VAD_DESC GetVad;
                D3DKMT_VA_RANGE_DESC GetVadRange;
                D3DKMT_GET_GPUMMU_CAPS GetGpuMmuCaps;
                D3DKMT_GET_PTE GetPte;
                D3DKMT_GET_SEGMENT_CAPS GetSegmentCaps;
            };
            D3DKMT_VAD_ESCAPE_COMMAND Command;
            INT Status;
        } GetVads;
        struct {
            ULONGLONG LocalMemoryBudget;
            ULONGLONG SystemMemoryBudget;
        } SetBudget;
        struct {
            union {
                UINT64 hProcess_Align;
                HANDLE hProcess;
            };
            BOOL bAllowWakeOnSubmission;
        } SuspendProcess;
        struct {
            union {
                UINT64 hProcess_Align;
                HANDLE hProcess;
            };
        } ResumeProcess;
        struct {
            UINT64 NumBytesToTrim;
        } GetBudget;
        struct {
            ULONG MinTrimInterval;
            ULONG MaxTrimInterval;
            ULONG IdleTrimInterval;
        } SetTrimIntervals;
        D3DKMT_EVICTION_CRITERIA EvictByCriteria;
        struct {
            BOOL bFlush;
        } Wake;
        struct {
            D3DKMT_DEFRAG_ESCAPE_OPERATION Operation;
            UINT SegmentId;
            ULONGLONG TotalCommitted;
            ULONGLONG TotalFree;
            ULONGLONG LargestGapBefore;
            ULONGLONG LargestGapAfter;
        } Defrag;
        struct {
            D3DKMT_HANDLE hPagingQueue;
            UINT PhysicalAdapterIndex;
            ULONG Milliseconds;
            ULONGLONG PagingFenceValue;
        } DelayExecution;
        struct {
            UINT SegmentId;
        } VerifyIntegrity;
        struct {
            LONGLONG TimerValue;
        } DelayedEvictionConfig;
    };
} D3DKMT_VIDMM_ESCAPE;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMTHK_ESCAPE_H */
