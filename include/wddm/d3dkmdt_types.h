/*
 * d3dkmdt_types.h: nodes, faults, preemption and kernel mode's own allocations, as d3dkmdt.h tells.
 *
 * Two structs here are packed to single bytes, and are the only ones.
 */
#ifndef WDDM_D3DKMDT_TYPES_H
#define WDDM_D3DKMDT_TYPES_H

#include "d3dukmdt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Nodes ---- */

/* The kinds of work that a node does. Page: ne-d3dkmdt-dxgk_engine_type. */
typedef enum _DXGK_ENGINE_TYPE {
    DXGK_ENGINE_TYPE_OTHER = 0, /* something without a name here */
    DXGK_ENGINE_TYPE_3D = 1,    /* renders */
    DXGK_ENGINE_TYPE_VIDEO_DECODE = 2,
    DXGK_ENGINE_TYPE_VIDEO_ENCODE = 3,
    DXGK_ENGINE_TYPE_VIDEO_PROCESSING = 4,
    DXGK_ENGINE_TYPE_SCENE_ASSEMBLY = 5,
    DXGK_ENGINE_TYPE_COPY = 6, /* moves memory */
    DXGK_ENGINE_TYPE_OVERLAY = 7,
    DXGK_ENGINE_TYPE_CRYPTO = 8,
    DXGK_ENGINE_TYPE_VIDEO_CODEC = 9,
    DXGK_ENGINE_TYPE_MAX = 10,
} DXGK_ENGINE_TYPE;
WDDM_VALUE_SPELLINGS(DXGK_ENGINE_TYPE);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
/* The abilities of a node besides its type. Page: ns-d3dkmdt-_dxgk_nodemetadata_flags. */
typedef struct _DXGK_NODEMETADATA_FLAGS {
    union {
        struct {
            UINT ContextSchedulingSupported : 1;
            UINT WDDM2_5(RingBufferFenceRelease) : 1;
            UINT WDDM2_5(SupportTrackedWorkload) : 1;
            UINT WDDM3_2(UserModeSubmission) : 1;
            UINT WDDM3_2(SupportBuildTestCommandBuffer) : 1;
            UINT Reserved : 11;
            UINT WDDM2_5(MaxInFlightHwQueueBuffers) : 16;
        };
        UINT32 Value;
    };
} DXGK_NODEMETADATA_FLAGS;
WDDM_SPELLINGS(DXGK_NODEMETADATA_FLAGS);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_2 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
/* Page: ns-d3dkmdt-_dxgk_nodemetadata. */
#pragma pack(push, 1)
typedef struct _DXGK_NODEMETADATA {
    DXGK_ENGINE_TYPE EngineType;                       /* out: what it does */
    WCHAR FriendlyName[DXGK_MAX_METADATA_NAME_LENGTH]; /* out: if the type has no name */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
    DXGK_NODEMETADATA_FLAGS Flags;
#else
    UINT Reserved;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    BOOLEAN GpuMmuSupported; /* out: has page tables of its own */
    BOOLEAN IoMmuSupported;  /* out: uses the CPU's */
#endif
} DXGK_NODEMETADATA;
WDDM_SPELLINGS(DXGK_NODEMETADATA);
#pragma pack(pop)
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM1_3 */

/* ---- Faults ---- */

/* The stage of the pipeline in which a fault arose. Page:
 * ne-d3dkmdt-_dxgk_render_pipeline_stage. */
typedef enum _DXGK_RENDER_PIPELINE_STAGE {
    DXGK_RENDER_PIPELINE_STAGE_UNKNOWN = 0,
    DXGK_RENDER_PIPELINE_STAGE_INPUT_ASSEMBLER = 1,
    DXGK_RENDER_PIPELINE_STAGE_VERTEX_SHADER = 2,
    DXGK_RENDER_PIPELINE_STAGE_GEOMETRY_SHADER = 3,
    DXGK_RENDER_PIPELINE_STAGE_STREAM_OUTPUT = 4,
    DXGK_RENDER_PIPELINE_STAGE_RASTERIZER = 5,
    DXGK_RENDER_PIPELINE_STAGE_PIXEL_SHADER = 6,
    DXGK_RENDER_PIPELINE_STAGE_OUTPUT_MERGER = 7,
} DXGK_RENDER_PIPELINE_STAGE;
WDDM_VALUE_SPELLINGS(DXGK_RENDER_PIPELINE_STAGE);

/*
 * The facts known of a fault, and the part that must be reset. Bits of one word.
 * Page: ne-d3dkmdt-_dxgk_page_fault_flags.
 */
typedef enum _DXGK_PAGE_FAULT_FLAGS {
    DXGK_PAGE_FAULT_WRITE = 1,                  /* the access was a write */
    DXGK_PAGE_FAULT_FENCE_INVALID = 2,          /* the faulted fence id could not be told */
    DXGK_PAGE_FAULT_ADAPTER_RESET_REQUIRED = 4, /* only resetting the adapter helps */
    DXGK_PAGE_FAULT_ENGINE_RESET_REQUIRED = 8,  /* resetting the engine helps */
    DXGK_PAGE_FAULT_FATAL_HARDWARE_ERROR = 16,  /* the device cannot be used any more */
    DXGK_PAGE_FAULT_IOMMU = 32,                 /* the IOMMU found it, not the GPU */
    DXGK_PAGE_FAULT_HW_CONTEXT_VALID = 64,
    DXGK_PAGE_FAULT_PROCESS_HANDLE_VALID = 128,
} DXGK_PAGE_FAULT_FLAGS;
WDDM_VALUE_SPELLINGS(DXGK_PAGE_FAULT_FLAGS);

/* Errors that every GPU can have. Page: ne-d3dkmdt-_dxgk_general_error_code. */
typedef enum _DXGK_GENERAL_ERROR_CODE {
    DXGK_GENERAL_ERROR_PAGE_FAULT = 0,
    DXGK_GENERAL_ERROR_INVALID_INSTRUCTION = 1,
} DXGK_GENERAL_ERROR_CODE;
WDDM_VALUE_SPELLINGS(DXGK_GENERAL_ERROR_CODE);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmdt-_dxgk_fault_error_code. */
#pragma pack(push, 1)
typedef struct _DXGK_FAULT_ERROR_CODE {
    union {
        struct {
            UINT IsDeviceSpecificCode : 1;
            DXGK_GENERAL_ERROR_CODE GeneralErrorCode : 31;
        };
        struct {
            UINT IsDeviceSpecificCodeReservedBit : 1;
            UINT DeviceSpecificCode : 31;
        };
    };
} DXGK_FAULT_ERROR_CODE;
WDDM_SPELLINGS(DXGK_FAULT_ERROR_CODE);
#pragma pack(pop)
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* Why timeout detection acted. Page: none. */
typedef enum _DXGK_TDR_TYPE {
    DXGK_TDR_TYPE_UNKNOWN = 0,
    DXGK_TDR_TYPE_FORCED = 1,
    DXGK_TDR_TYPE_PREEMPT_TIMEOUT = 2,
    DXGK_TDR_TYPE_VSYNC_TIMEOUT = 3,
    DXGK_TDR_TYPE_DOD_PRESENT_FORCED = 4,
    DXGK_TDR_TYPE_DOD_PRESENT_TIMEOUT = 5,
    DXGK_TDR_TYPE_ENGINE_TIMEOUT = 6,
    DXGK_TDR_TYPE_DOD_VSYNC_FORCED = 7,
    DXGK_TDR_TYPE_DOD_VSYNC_TIMEOUT = 8,
    DXGK_TDR_TYPE_ENGINE_TIMEOUT_PROMOTED = 9,
    DXGK_TDR_TYPE_PAGE_FAULT = 10,
    DXGK_TDR_TYPE_INVALID_FENCE = 11,
    DXGK_TDR_TYPE_ENGINE_PAGE_FAULT = 12,
    DXGK_TDR_TYPE_DISPLAY_ENGINE_FAULT = 13,
} DXGK_TDR_TYPE;
WDDM_VALUE_SPELLINGS(DXGK_TDR_TYPE);

/* ---- Preemption ---- */

/*
 * The points at which rendering can be interrupted, coarsest first.
 * Page: ne-d3dkmdt-_d3dkmdt_graphics_preemption_granularity.
 */
typedef enum _D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY {
    D3DKMDT_GRAPHICS_PREEMPTION_NONE = 0,
    D3DKMDT_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY = 100,
    D3DKMDT_GRAPHICS_PREEMPTION_PRIMITIVE_BOUNDARY = 200,
    D3DKMDT_GRAPHICS_PREEMPTION_TRIANGLE_BOUNDARY = 300,
    D3DKMDT_GRAPHICS_PREEMPTION_PIXEL_BOUNDARY = 400,
    D3DKMDT_GRAPHICS_PREEMPTION_SHADER_BOUNDARY = 500,
} D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY;
WDDM_VALUE_SPELLINGS(D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY);

/*
 * The points at which computing can be interrupted, coarsest first.
 * Page: ne-d3dkmdt-_d3dkmdt_compute_preemption_granularity.
 */
typedef enum _D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY {
    D3DKMDT_COMPUTE_PREEMPTION_NONE = 0,
    D3DKMDT_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY = 100,
    D3DKMDT_COMPUTE_PREEMPTION_DISPATCH_BOUNDARY = 200,
    D3DKMDT_COMPUTE_PREEMPTION_THREAD_GROUP_BOUNDARY = 300,
    D3DKMDT_COMPUTE_PREEMPTION_THREAD_BOUNDARY = 400,
    D3DKMDT_COMPUTE_PREEMPTION_SHADER_BOUNDARY = 500,
} D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY;
WDDM_VALUE_SPELLINGS(D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* How finely the driver can preempt. Page: ns-d3dkmdt-_d3dkmdt_preemption_caps. */
typedef struct _D3DKMDT_PREEMPTION_CAPS {
    D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY GraphicsPreemptionGranularity;
    D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY ComputePreemptionGranularity;
} D3DKMDT_PREEMPTION_CAPS;
WDDM_SPELLINGS(D3DKMDT_PREEMPTION_CAPS);
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

/* ---- Standard allocations ---- */

/*
 * Allocations that the kernel itself asks for.
 * Page: ne-d3dkmdt-_d3dkmdt_standardallocation_type.
 */
typedef enum _D3DKMDT_STANDARDALLOCATION_TYPE {
    D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE = 1,
    D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE = 2,
    D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE = 3,
    D3DKMDT_STANDARDALLOCATION_GDISURFACE = 4,
    D3DKMDT_STANDARDALLOCATION_VGPU = 5,
    D3DKMDT_STANDARDALLOCATION_FENCESTORAGE = 6,
} D3DKMDT_STANDARDALLOCATION_TYPE;
WDDM_VALUE_SPELLINGS(D3DKMDT_STANDARDALLOCATION_TYPE);

/* Page: ns-d3dkmdt-_d3dkmdt_sharedprimarysurfacedata. */
typedef struct _D3DKMDT_SHAREDPRIMARYSURFACEDATA {
    UINT Width;
    UINT Height;
    D3DDDIFORMAT Format;
    D3DDDI_RATIONAL RefreshRate;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
} D3DKMDT_SHAREDPRIMARYSURFACEDATA;
WDDM_SPELLINGS(D3DKMDT_SHAREDPRIMARYSURFACEDATA);

/* Page: ns-d3dkmdt-_d3dkmdt_shadowsurfacedata. */
typedef struct _D3DKMDT_SHADOWSURFACEDATA {
    UINT Width;
    UINT Height;
    D3DDDIFORMAT Format;
    UINT Pitch;
} D3DKMDT_SHADOWSURFACEDATA;
WDDM_SPELLINGS(D3DKMDT_SHADOWSURFACEDATA);

/* Page: ns-d3dkmdt-_d3dkmdt_stagingsurfacedata. */
typedef struct _D3DKMDT_STAGINGSURFACEDATA {
    UINT Width;
    UINT Height;
    UINT Pitch;
} D3DKMDT_STAGINGSURFACEDATA;
WDDM_SPELLINGS(D3DKMDT_STAGINGSURFACEDATA);

/* The purpose of a GDI surface. Page: ne-d3dkmdt-_d3dkmdt_gdisurfacetype. */
typedef enum _D3DKMDT_GDISURFACETYPE {
    D3DKMDT_GDISURFACE_INVALID = 0,
    D3DKMDT_GDISURFACE_TEXTURE = 1,
    D3DKMDT_GDISURFACE_STAGING_CPUVISIBLE = 2,
    D3DKMDT_GDISURFACE_STAGING = 3,
    D3DKMDT_GDISURFACE_LOOKUPTABLE = 4,
    D3DKMDT_GDISURFACE_EXISTINGSYSMEM = 5,
    D3DKMDT_GDISURFACE_TEXTURE_CPUVISIBLE = 6,
    D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER = 7,
    D3DKMDT_GDISURFACE_TEXTURE_CPUVISIBLE_CROSSADAPTER = 8,
} D3DKMDT_GDISURFACETYPE;
WDDM_VALUE_SPELLINGS(D3DKMDT_GDISURFACETYPE);

/* All reserved. Page: ns-d3dkmdt-_d3dkmdt_gdisurfaceflags. */
typedef struct _D3DKMDT_GDISURFACEFLAGS {
    union {
        UINT Reserved : 32;
        UINT Value;
    };
} D3DKMDT_GDISURFACEFLAGS;
WDDM_SPELLINGS(D3DKMDT_GDISURFACEFLAGS);

/* Page: ns-d3dkmdt-_d3dkmdt_gdisurfacedata. */
typedef struct _D3DKMDT_GDISURFACEDATA {
    UINT Width;
    UINT Height;
    D3DDDIFORMAT Format;
    D3DKMDT_GDISURFACETYPE Type;
    D3DKMDT_GDISURFACEFLAGS Flags;
    UINT Pitch;
} D3DKMDT_GDISURFACEDATA;
WDDM_SPELLINGS(D3DKMDT_GDISURFACEDATA);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
/* Page: ns-d3dkmdt-d3dkmdt_virtualgpusurfacedata. */
typedef struct _D3DKMDT_VIRTUALGPUSURFACEDATA {
    UINT64 Size;
    UINT Alignment;
    UINT DriverSegmentId;
    UINT PrivateDriverData;
} D3DKMDT_VIRTUALGPUSURFACEDATA;
WDDM_SPELLINGS(D3DKMDT_VIRTUALGPUSURFACEDATA);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_1 */

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMDT_TYPES_H */
