/*
 * d3dkmthk_query.h: the answers of D3DKMTQueryAdapterInfo, clocks, and adapters in a list.
 * d3dkmthk.h says how to read it.
 */
#ifndef WDDM_D3DKMTHK_QUERY_H
#define WDDM_D3DKMTHK_QUERY_H

#include "d3dkmthk_adapter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Page: ns-d3dukmdt-_d3dddi_queryregistry_flags. */
typedef struct _D3DDDI_QUERYREGISTRY_FLAGS {
    union {
        struct {
            UINT TranslatePath : 1;
            UINT MutableValue : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} D3DDDI_QUERYREGISTRY_FLAGS;

/* Page: ne-d3dukmdt-_d3dddi_queryregistry_type. */
typedef enum _D3DDDI_QUERYREGISTRY_TYPE {
    D3DDDI_QUERYREGISTRY_SERVICEKEY = 0,
    D3DDDI_QUERYREGISTRY_ADAPTERKEY = 1,
    D3DDDI_QUERYREGISTRY_DRIVERSTOREPATH = 2,
    D3DDDI_QUERYREGISTRY_DRIVERIMAGEPATH = 3,
    D3DDDI_QUERYREGISTRY_MAX = 4,
} D3DDDI_QUERYREGISTRY_TYPE;

/* Page: ne-d3dukmdt-_d3dddi_queryregistry_status. */
typedef enum _D3DDDI_QUERYREGISTRY_STATUS {
    D3DDDI_QUERYREGISTRY_STATUS_SUCCESS = 0,
    D3DDDI_QUERYREGISTRY_STATUS_BUFFER_OVERFLOW = 1,
    D3DDDI_QUERYREGISTRY_STATUS_FAIL = 2,
    D3DDDI_QUERYREGISTRY_STATUS_MAX = 3,
} D3DDDI_QUERYREGISTRY_STATUS;

/* Page: ns-d3dukmdt-_d3dddi_queryregistry_info. */
typedef struct _D3DDDI_QUERYREGISTRY_INFO {
    D3DDDI_QUERYREGISTRY_TYPE QueryType;
    D3DDDI_QUERYREGISTRY_FLAGS QueryFlags;
    WCHAR ValueName[260];
    ULONG ValueType;
    ULONG PhysicalAdapterIndex;
    ULONG OutputValueSize;
    D3DDDI_QUERYREGISTRY_STATUS Status;
    union {
        DWORD OutputDword;
        UINT64 OutputQword;
        WCHAR OutputString[1];
        BYTE OutputBinary[1];
    };
} D3DDDI_QUERYREGISTRY_INFO;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* Page: ns-d3dkmdt-d3dkmt_wddm_1_2_caps. */
typedef struct _D3DKMT_WDDM_1_2_CAPS {
    D3DKMDT_PREEMPTION_CAPS PreemptionCaps;
    union {
        struct {
            UINT SupportNonVGA : 1;
            UINT SupportSmoothRotation : 1;
            UINT SupportPerEngineTDR : 1;
            UINT SupportKernelModeCommandBuffer : 1;
            UINT SupportCCD : 1;
            UINT SupportSoftwareDeviceBitmaps : 1;
            UINT SupportGammaRamp : 1;
            UINT SupportHWCursor : 1;
            UINT SupportHWVSync : 1;
            UINT SupportSurpriseRemovalInHibernation : 1;
            UINT Reserved : 22;
        };
        UINT Value;
    };
} D3DKMT_WDDM_1_2_CAPS;
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
/* Page: ns-d3dkmdt-_d3dkmt_wddm_1_3_caps. */
typedef struct _D3DKMT_WDDM_1_3_CAPS {
    union {
        struct {
            UINT SupportMiracast : 1;
            UINT IsHybridIntegratedGPU : 1;
            UINT IsHybridDiscreteGPU : 1;
            UINT SupportPowerManagementPStates : 1;
            UINT SupportVirtualModes : 1;
            UINT SupportCrossAdapterResource : 1;
            UINT Reserved : 26;
        };
        UINT Value;
    };
} D3DKMT_WDDM_1_3_CAPS;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM1_3 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmdt-_d3dkmt_wddm_2_0_caps. */
typedef struct _D3DKMT_WDDM_2_0_CAPS {
    union {
        struct {
            UINT Support64BitAtomics : 1;
            UINT GpuMmuSupported : 1;
            UINT IoMmuSupported : 1;
            UINT FlipOverwriteSupported : 1;
            UINT SupportContextlessPresent : 1;
            UINT SupportSurpriseRemoval : 1;
            UINT Reserved : 26;
        };
        UINT Value;
    };
} D3DKMT_WDDM_2_0_CAPS;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_7
/* Page: ns-d3dkmdt-d3dkmt_wddm_2_7_caps. */
typedef struct _D3DKMT_WDDM_2_7_CAPS {
    union {
        struct {
            UINT HwSchSupported : 1;
            UINT HwSchEnabled : 1;
            UINT HwSchEnabledByDefault : 1;
            UINT IndependentVidPnVSyncControl : 1;
            UINT Reserved : 28;
        };
        UINT Value;
    };
} D3DKMT_WDDM_2_7_CAPS;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_7 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
/* Page: ns-d3dkmdt-d3dkmt_wddm_2_9_caps. */
typedef struct _D3DKMT_WDDM_2_9_CAPS {
    union {
        struct {
            UINT HwSchSupportState : 2;
            UINT HwSchEnabled : 1;
            UINT SelfRefreshMemorySupported : 1;
            UINT Reserved : 28;
        };
        UINT Value;
    };
} D3DKMT_WDDM_2_9_CAPS;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_0
/* Page: ns-d3dkmdt-d3dkmt_wddm_3_0_caps. */
typedef struct _D3DKMT_WDDM_3_0_CAPS {
    union {
        struct {
            UINT HwFlipQueueSupportState : 2;
            UINT HwFlipQueueEnabled : 1;
            UINT DisplayableSupported : 1;
            UINT Reserved : 28;
        };
        UINT Value;
    };
} D3DKMT_WDDM_3_0_CAPS;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_0 */

/* It has no page. */
typedef struct _D3DKMT_TRACKEDWORKLOAD_SUPPORT {
    UINT PhysicalAdapterIndex;
    DXGK_ENGINE_TYPE EngineType;
    BOOL Support;
} D3DKMT_TRACKEDWORKLOAD_SUPPORT;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
/* It has no page. */
#pragma pack(push, 1)
typedef struct _D3DKMT_NODEMETADATA {
    UINT NodeOrdinalAndAdapterIndex;
    DXGK_NODEMETADATA NodeData;
} D3DKMT_NODEMETADATA;
#pragma pack(pop)
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM1_3 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmdt-_dxgk_gpuclockdata_flags. */
typedef struct _DXGK_GPUCLOCKDATA_FLAGS {
    union {
        struct {
            UINT ContextManagementProcessor : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_GPUCLOCKDATA_FLAGS;

/* Packed: D3DKMT_QUERYCLOCKCALIBRATION holds it at offset 12. It has no page. */
#pragma pack(push, 1)
typedef struct _DXGK_GPUCLOCKDATA {
    UINT64 GpuFrequency;
    UINT64 GpuClockCounter;
    UINT64 CpuClockCounter;
    DXGK_GPUCLOCKDATA_FLAGS Flags;
} DXGK_GPUCLOCKDATA;
#pragma pack(pop)

/* Page: ns-d3dkmdt-_d3dkmt_queryclockcalibration. */
typedef struct _D3DKMT_QUERYCLOCKCALIBRATION {
    D3DKMT_HANDLE hAdapter;
    UINT32 NodeOrdinal;
    UINT32 PhysicalAdapterIndex;
    DXGK_GPUCLOCKDATA ClockData;
} D3DKMT_QUERYCLOCKCALIBRATION;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* It has no page. */
typedef struct _D3DKMT_DRIVERCAPS_EXT {
    union {
        struct {
            UINT VirtualModeSupport : 1;
            UINT Usb4MonitorSupport : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} D3DKMT_DRIVERCAPS_EXT;

/* It has no page. */
typedef struct _D3DKMT_DISPLAY_CAPS {
    union {
        struct {
            UINT64 PreferPhysicallyContiguous : 1;
            UINT64 Reserved : 63;
        };
        UINT64 Value;
    };
} D3DKMT_DISPLAY_CAPS;

/* Page: ne-d3dkmthk-_kmtumdversion. */
typedef enum _KMTUMDVERSION {
    KMTUMDVERSION_DX9 = 0,
    KMTUMDVERSION_DX10 = 1,
    KMTUMDVERSION_DX11 = 2,
    KMTUMDVERSION_DX12 = 3,
    NUM_KMTUMDVERSIONS = 4,
} KMTUMDVERSION;

/* Page: ns-d3dkmthk-_d3dkmt_umdfilenameinfo. */
typedef struct _D3DKMT_UMDFILENAMEINFO {
    KMTUMDVERSION Version;
    WCHAR UmdFileName[260];
} D3DKMT_UMDFILENAMEINFO;

/* Page: ns-d3dkmthk-_d3dkmt_openglinfo. */
typedef struct _D3DKMT_OPENGLINFO {
    WCHAR UmdOpenGlIcdFileName[260];
    ULONG Version;
    ULONG Flags;
} D3DKMT_OPENGLINFO;

/* Page: ns-d3dkmthk-_d3dkmt_workingsetflags. */
typedef struct _D3DKMT_WORKINGSETFLAGS {
    UINT UseDefault : 1;
    UINT Reserved : 31;
} D3DKMT_WORKINGSETFLAGS;

/* Page: ns-d3dkmthk-_d3dkmt_workingsetinfo. */
typedef struct _D3DKMT_WORKINGSETINFO {
    D3DKMT_WORKINGSETFLAGS Flags;
    ULONG MinimumWorkingSetPercentile;
    ULONG MaximumWorkingSetPercentile;
} D3DKMT_WORKINGSETINFO;

/* Page: ns-d3dkmthk-_d3dkmt_adapteraddress. */
typedef struct _D3DKMT_ADAPTERADDRESS {
    UINT BusNumber;
    UINT DeviceNumber;
    UINT FunctionNumber;
} D3DKMT_ADAPTERADDRESS;

/* Page: ns-d3dkmthk-_d3dkmt_adapterregistryinfo. */
typedef struct _D3DKMT_ADAPTERREGISTRYINFO {
    WCHAR AdapterString[260];
    WCHAR BiosString[260];
    WCHAR DacType[260];
    WCHAR ChipType[260];
} D3DKMT_ADAPTERREGISTRYINFO;

/* Page: ns-d3dkmthk-_d3dkmt_virtualaddressflags. */
typedef struct _D3DKMT_VIRTUALADDRESSFLAGS {
    UINT VirtualAddressSupported : 1;
    UINT Reserved : 31;
} D3DKMT_VIRTUALADDRESSFLAGS;

/* Page: ns-d3dkmthk-_d3dkmt_virtualaddressinfo. */
typedef struct _D3DKMT_VIRTUALADDRESSINFO {
    D3DKMT_VIRTUALADDRESSFLAGS VirtualAddressFlags;
} D3DKMT_VIRTUALADDRESSINFO;

/* Page: ns-d3dkmthk-_d3dkmt_adaptertype. */
typedef struct _D3DKMT_ADAPTERTYPE {
    union {
        struct {
            UINT RenderSupported : 1;
            UINT DisplaySupported : 1;
            UINT SoftwareDevice : 1;
            UINT PostDevice : 1;
            UINT HybridDiscrete : 1;
            UINT HybridIntegrated : 1;
            UINT IndirectDisplayDevice : 1;
            UINT Paravirtualized : 1;
            UINT ACGSupported : 1;
            UINT SupportSetTimingsFromVidPn : 1;
            UINT Detachable : 1;
            UINT ComputeOnly : 1;
            UINT Prototype : 1;
            UINT RuntimePowerManagement : 1;
            UINT Reserved : 18;
        };
        UINT Value;
    };
} D3DKMT_ADAPTERTYPE;

/* Page: ns-d3dkmthk-_d3dkmt_umd_driver_version. */
typedef struct _D3DKMT_UMD_DRIVER_VERSION {
    LARGE_INTEGER DriverVersion;
} D3DKMT_UMD_DRIVER_VERSION;

/* Page: ns-d3dkmthk-_d3dkmt_kmd_driver_version. */
typedef struct _D3DKMT_KMD_DRIVER_VERSION {
    LARGE_INTEGER DriverVersion;
} D3DKMT_KMD_DRIVER_VERSION;

/* Page: ns-d3dkmthk-_d3dkmt_dlist_driver_name. */
typedef struct _D3DKMT_DLIST_DRIVER_NAME {
    WCHAR DListFileName[260];
} D3DKMT_DLIST_DRIVER_NAME;

/* Page: ns-d3dkmthk-_d3dkmt_cpdrivername. */
typedef struct _D3DKMT_CPDRIVERNAME {
    WCHAR ContentProtectionFileName[260];
} D3DKMT_CPDRIVERNAME;

/* Page: ns-d3dkmthk-_d3dkmt_xbox. */
typedef struct _D3DKMT_XBOX {
    BOOL IsXBOX;
} D3DKMT_XBOX;

/* Page: ns-d3dkmthk-_d3dkmt_isbaddriverforhwprotectiondisabled. */
typedef struct _D3DKMT_ISBADDRIVERFORHWPROTECTIONDISABLED {
    BOOL Disabled;
} D3DKMT_ISBADDRIVERFORHWPROTECTIONDISABLED;

/* Page: ns-d3dkmthk-_d3dkmt_panelfitter_support. */
typedef struct _D3DKMT_PANELFITTER_SUPPORT {
    BOOL Supported;
} D3DKMT_PANELFITTER_SUPPORT;

/* Page: ns-d3dkmthk-_d3dkmt_physical_adapter_count. */
typedef struct _D3DKMT_PHYSICAL_ADAPTER_COUNT {
    UINT Count;
} D3DKMT_PHYSICAL_ADAPTER_COUNT;

/* Page: ns-d3dkmthk-_d3dkmt_device_ids. */
typedef struct _D3DKMT_DEVICE_IDS {
    UINT VendorID;
    UINT DeviceID;
    UINT SubVendorID;
    UINT SubSystemID;
    UINT RevisionID;
    UINT BusType;
} D3DKMT_DEVICE_IDS;

/* Page: ns-d3dkmthk-_d3dkmt_query_device_ids. */
typedef struct _D3DKMT_QUERY_DEVICE_IDS {
    UINT PhysicalAdapterIndex;
    D3DKMT_DEVICE_IDS DeviceIds;
} D3DKMT_QUERY_DEVICE_IDS;

/* Page: ne-d3dkmthk-_d3dkmt_pnp_key_type. */
typedef enum _D3DKMT_PNP_KEY_TYPE {
    D3DKMT_PNP_KEY_HARDWARE = 1,
    D3DKMT_PNP_KEY_SOFTWARE = 2,
} D3DKMT_PNP_KEY_TYPE;

/* Page: ns-d3dkmthk-_d3dkmt_query_physical_adapter_pnp_key. */
typedef struct _D3DKMT_QUERY_PHYSICAL_ADAPTER_PNP_KEY {
    UINT PhysicalAdapterIndex;
    D3DKMT_PNP_KEY_TYPE PnPKeyType;
    union {
        UINT64 pDest_Align;
        WCHAR *pDest;
    };
    union {
        UINT64 pCchDest_Align;
        UINT *pCchDest;
    };
} D3DKMT_QUERY_PHYSICAL_ADAPTER_PNP_KEY;

/* Page: ns-d3dkmthk-_d3dkmt_gpummu_caps. */
typedef struct _D3DKMT_GPUMMU_CAPS {
    union {
        struct {
            UINT ReadOnlyMemorySupported : 1;
            UINT NoExecuteMemorySupported : 1;
            UINT CacheCoherentMemorySupported : 1;
            UINT Reserved : 29;
        };
        UINT Value;
    } Flags;
    UINT VirtualAddressBitCount;
} D3DKMT_GPUMMU_CAPS;

/* Page: ns-d3dkmthk-_d3dkmt_query_gpummu_caps. */
typedef struct _D3DKMT_QUERY_GPUMMU_CAPS {
    UINT PhysicalAdapterIndex;
    D3DKMT_GPUMMU_CAPS Caps;
} D3DKMT_QUERY_GPUMMU_CAPS;

/* Page: ns-d3dkmthk-_d3dkmt_hwdrm_support. */
typedef struct _D3DKMT_HWDRM_SUPPORT {
    BOOLEAN Supported;
} D3DKMT_HWDRM_SUPPORT;

/* Page: ns-d3dkmthk-_d3dkmt_blocklist_info. */
typedef struct _D3DKMT_BLOCKLIST_INFO {
    UINT Size;
    WCHAR BlockList[1];
} D3DKMT_BLOCKLIST_INFO;

/* Page: ns-d3dkmthk-_d3dkmt_query_adapter_unique_guid. */
typedef struct _D3DKMT_QUERY_ADAPTER_UNIQUE_GUID {
    WCHAR AdapterUniqueGUID[40];
} D3DKMT_QUERY_ADAPTER_UNIQUE_GUID;

/* Page: ns-d3dkmthk-_d3dkmt_node_perfdata. */
typedef struct _D3DKMT_NODE_PERFDATA {
    UINT32 NodeOrdinal;
    UINT32 PhysicalAdapterIndex;
    ULONGLONG Frequency;
    ULONGLONG MaxFrequency;
    ULONGLONG MaxFrequencyOC;
    ULONG Voltage;
    ULONG VoltageMax;
    ULONG VoltageMaxOC;
    ULONGLONG MaxTransitionLatency;
} D3DKMT_NODE_PERFDATA;

/* Page: ns-d3dkmthk-_d3dkmt_adapter_perfdata. */
typedef struct _D3DKMT_ADAPTER_PERFDATA {
    UINT32 PhysicalAdapterIndex;
    ULONGLONG MemoryFrequency;
    ULONGLONG MaxMemoryFrequency;
    ULONGLONG MaxMemoryFrequencyOC;
    ULONGLONG MemoryBandwidth;
    ULONGLONG PCIEBandwidth;
    ULONG FanRPM;
    ULONG Power;
    ULONG Temperature;
    UCHAR PowerStateOverride;
} D3DKMT_ADAPTER_PERFDATA;

/* Page: ns-d3dkmthk-_d3dkmt_adapter_perfdatacaps. */
typedef struct _D3DKMT_ADAPTER_PERFDATACAPS {
    UINT32 PhysicalAdapterIndex;
    ULONGLONG MaxMemoryBandwidth;
    ULONGLONG MaxPCIEBandwidth;
    ULONG MaxFanRPM;
    ULONG TemperatureMax;
    ULONG TemperatureWarning;
} D3DKMT_ADAPTER_PERFDATACAPS;

/* Page: ns-d3dkmthk-_d3dkmt_gpuversion. */
typedef struct _D3DKMT_GPUVERSION {
    UINT32 PhysicalAdapterIndex;
    WCHAR BiosVersion[32];
    WCHAR GpuArchitecture[32];
} D3DKMT_GPUVERSION;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_6
/* Page: ns-d3dkmthk-d3dkmt_driver_description. */
typedef struct _D3DKMT_DRIVER_DESCRIPTION {
    WCHAR DriverDescription[4096];
} D3DKMT_DRIVER_DESCRIPTION;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_6 */

/* It has no page. */
typedef struct _D3DKMT_QUERY_SCANOUT_CAPS {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    UINT Caps;
} D3DKMT_QUERY_SCANOUT_CAPS;

/* It has no page. */
typedef enum _KMT_DISPLAY_UMD_VERSION {
    KMT_DISPLAY_UMDVERSION_1 = 0,
    NUM_KMT_DISPLAY_UMDVERSIONS = 1,
} KMT_DISPLAY_UMD_VERSION;

/* It has no page. */
typedef struct _D3DKMT_DISPLAY_UMD_FILENAMEINFO {
    KMT_DISPLAY_UMD_VERSION Version;
    WCHAR UmdFileName[260];
} D3DKMT_DISPLAY_UMD_FILENAMEINFO;

/* It has no page. */
typedef struct _D3DKMT_PARAVIRTUALIZATION {
    BOOLEAN SecureContainer;
} D3DKMT_PARAVIRTUALIZATION;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_7
/* Page: ns-d3dkmthk-d3dkmt_hybrid_dlist_dll_support. */
typedef struct _D3DKMT_HYBRID_DLIST_DLL_SUPPORT {
    BOOL Supported;
} D3DKMT_HYBRID_DLIST_DLL_SUPPORT;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_7 */

/* Page: ne-d3dkmthk-d3dkmt_crossadapterresource_support_tier. */
typedef enum _D3DKMT_CROSSADAPTERRESOURCE_SUPPORT_TIER {
    D3DKMT_CROSSADAPTERRESOURCE_SUPPORT_TIER_NONE = 0,
    D3DKMT_CROSSADAPTERRESOURCE_SUPPORT_TIER_COPY = 1,
    D3DKMT_CROSSADAPTERRESOURCE_SUPPORT_TIER_TEXTURE = 2,
    D3DKMT_CROSSADAPTERRESOURCE_SUPPORT_TIER_SCANOUT = 3,
} D3DKMT_CROSSADAPTERRESOURCE_SUPPORT_TIER;

/* Page: ns-d3dkmthk-d3dkmt_crossadapterresource_support. */
typedef struct _D3DKMT_CROSSADAPTERRESOURCE_SUPPORT {
    D3DKMT_CROSSADAPTERRESOURCE_SUPPORT_TIER SupportTier;
} D3DKMT_CROSSADAPTERRESOURCE_SUPPORT;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* Page: ns-d3dkmthk-_d3dkmt_enumadapters. */
typedef struct _D3DKMT_ENUMADAPTERS {
    ULONG NumAdapters;
    D3DKMT_ADAPTERINFO Adapters[16];
} D3DKMT_ENUMADAPTERS;
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

/* Page: ns-d3dkmthk-_d3dkmt_setstablepowerstate. */
typedef struct _D3DKMT_SETSTABLEPOWERSTATE {
    D3DKMT_HANDLE hAdapter;
    BOOL Enabled;
} D3DKMT_SETSTABLEPOWERSTATE;

/* It has no page. */
typedef enum _D3DKMT_DRIVERVERSION {
    KMT_DRIVERVERSION_WDDM_1_0 = 1000,
    KMT_DRIVERVERSION_WDDM_1_1_PRERELEASE = 1102,
    KMT_DRIVERVERSION_WDDM_1_1 = 1105,
    KMT_DRIVERVERSION_WDDM_1_2 = 1200,
    KMT_DRIVERVERSION_WDDM_1_3 = 1300,
    KMT_DRIVERVERSION_WDDM_2_0 = 2000,
    KMT_DRIVERVERSION_WDDM_2_1 = 2100,
    KMT_DRIVERVERSION_WDDM_2_2 = 2200,
    KMT_DRIVERVERSION_WDDM_2_3 = 2300,
    KMT_DRIVERVERSION_WDDM_2_4 = 2400,
    KMT_DRIVERVERSION_WDDM_2_5 = 2500,
    KMT_DRIVERVERSION_WDDM_2_6 = 2600,
    KMT_DRIVERVERSION_WDDM_2_7 = 2700,
    KMT_DRIVERVERSION_WDDM_2_8 = 2800,
    KMT_DRIVERVERSION_WDDM_2_9 = 2900,
    KMT_DRIVERVERSION_WDDM_3_0 = 3000,
} D3DKMT_DRIVERVERSION;

/* Page: ne-d3dkmthk-_d3dkmt_miracast_driver_type. */
typedef enum _D3DKMT_MIRACAST_DRIVER_TYPE {
    D3DKMT_MIRACAST_DRIVER_NOT_SUPPORTED = 0,
    D3DKMT_MIRACAST_DRIVER_IHV = 1,
    D3DKMT_MIRACAST_DRIVER_MS = 2,
} D3DKMT_MIRACAST_DRIVER_TYPE;

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMTHK_QUERY_H */
