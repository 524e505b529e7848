/*
 * d3dkmddi_display.h: arguments of the calls that show a surface.
 *
 * They set the address that a source reads from, the surfaces that lie over it (pointer, overlays,
 * planes) and the curves of its colours, and present for a driver that only displays.
 */
#ifndef WDDM_D3DKMDDI_DISPLAY_H
#define WDDM_D3DKMDDI_DISPLAY_H

#include "d3dkmddi_completion.h"
#include "d3dkmddi_query.h"
#include "d3dkmddi_vidpn.h"

#ifdef __cplusplus
extern "C" {
#endif

WDDM_OPAQUE(DXGK_PRIMARYDATA);

/* Page: ns-d3dkmddi-_dxgk_setpointerpositionflags. */
typedef struct _DXGK_SETPOINTERPOSITIONFLAGS {
    union {
        struct {
            UINT Visible : 1;
            UINT Procedural : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} DXGK_SETPOINTERPOSITIONFLAGS;
WDDM_SPELLINGS(DXGK_SETPOINTERPOSITIONFLAGS);

/* Page: ns-d3dkmddi-_dxgkarg_setpointerposition. */
typedef struct _DXGKARG_SETPOINTERPOSITION {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    INT X;
    INT Y;
    DXGK_SETPOINTERPOSITIONFLAGS Flags;
} DXGKARG_SETPOINTERPOSITION;
WDDM_SPELLINGS(DXGKARG_SETPOINTERPOSITION);

/* Page: ns-d3dkmddi-_dxgkarg_setpointershape. */
typedef struct _DXGKARG_SETPOINTERSHAPE {
    DXGK_POINTERFLAGS Flags;
    UINT Width;
    UINT Height;
    UINT Pitch;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    const VOID *pPixels;
    UINT XHot;
    UINT YHot;
} DXGKARG_SETPOINTERSHAPE;
WDDM_SPELLINGS(DXGKARG_SETPOINTERSHAPE);

/* Page: ns-d3dkmddi-_dxgkarg_getscanline. */
typedef struct _DXGKARG_GETSCANLINE {
    D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
    BOOLEAN InVerticalBlank;
    UINT ScanLine;
} DXGKARG_GETSCANLINE;
WDDM_SPELLINGS(DXGKARG_GETSCANLINE);

/* Page: ns-d3dkmddi-_dxgk_setvidpnsourceaddress_flags. */
typedef struct _DXGK_SETVIDPNSOURCEADDRESS_FLAGS {
    union {
        struct {
            UINT ModeChange : 1;
            UINT FlipImmediate : 1;
            UINT FlipOnNextVSync : 1;
            UINT FlipStereo : 1;
            UINT FlipStereoTemporaryMono : 1;
            UINT FlipStereoPreferRight : 1;
            UINT SharedPrimaryTransition : 1;
            UINT IndependentFlipExclusive : 1;
            UINT MoveFlip : 1;
            UINT Reserved : 23;
        };
        UINT Value;
    };
} DXGK_SETVIDPNSOURCEADDRESS_FLAGS;
WDDM_SPELLINGS(DXGK_SETVIDPNSOURCEADDRESS_FLAGS);

/* Page: ns-d3dkmddi-_dxgkarg_setvidpnsourceaddress. */
typedef struct _DXGKARG_SETVIDPNSOURCEADDRESS {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    UINT PrimarySegment;
    PHYSICAL_ADDRESS PrimaryAddress;
    HANDLE hAllocation;
    UINT ContextCount;
    HANDLE Context[1 + D3DDDI_MAX_BROADCAST_CONTEXT];
    DXGK_SETVIDPNSOURCEADDRESS_FLAGS Flags;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
    UINT Duration;
#endif
} DXGKARG_SETVIDPNSOURCEADDRESS;
WDDM_SPELLINGS(DXGKARG_SETVIDPNSOURCEADDRESS);

/* Page: ns-d3dkmddi-_dxgkarg_stopcapture. */
typedef struct _DXGKARG_STOPCAPTURE {
    HANDLE hAllocation;
} DXGKARG_STOPCAPTURE;
WDDM_SPELLINGS(DXGKARG_STOPCAPTURE);

/* Page: ns-d3dkmddi-_dxgk_overlayinfo. */
typedef struct _DXGK_OVERLAYINFO {
    HANDLE hAllocation;
    PHYSICAL_ADDRESS PhysicalAddress;
    UINT SegmentId;
    RECT DstRect;
    RECT SrcRect;
    VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
} DXGK_OVERLAYINFO;
WDDM_SPELLINGS(DXGK_OVERLAYINFO);

/* Page: ns-d3dkmddi-_dxgkarg_createoverlay. */
typedef struct _DXGKARG_CREATEOVERLAY {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    DXGK_OVERLAYINFO OverlayInfo;
    HANDLE hOverlay;
} DXGKARG_CREATEOVERLAY;
WDDM_SPELLINGS(DXGKARG_CREATEOVERLAY);

/* Page: ns-d3dkmddi-_dxgkarg_updateoverlay. */
typedef struct _DXGKARG_UPDATEOVERLAY {
    DXGK_OVERLAYINFO OverlayInfo;
} DXGKARG_UPDATEOVERLAY;
WDDM_SPELLINGS(DXGKARG_UPDATEOVERLAY);

/* Page: ns-d3dkmddi-_dxgkarg_flipoverlay. */
typedef struct _DXGKARG_FLIPOVERLAY {
    HANDLE hSource;
    PHYSICAL_ADDRESS SrcPhysicalAddress;
    UINT SrcSegmentId;
    VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
} DXGKARG_FLIPOVERLAY;
WDDM_SPELLINGS(DXGKARG_FLIPOVERLAY);

/* Page: ns-d3dkmddi-_dxgkarg_setdisplayprivatedriverformat. */
typedef struct _DXGKARG_SETDISPLAYPRIVATEDRIVERFORMAT {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    HANDLE PrimaryAllocation;
    UINT PrivateDriverFormatAttribute;
} DXGKARG_SETDISPLAYPRIVATEDRIVERFORMAT;
WDDM_POINTER_SPELLINGS(DXGKARG_SETDISPLAYPRIVATEDRIVERFORMAT);
/* The driver may write to it, whatever the name says. */
typedef DXGKARG_SETDISPLAYPRIVATEDRIVERFORMAT *IN_CONST_PDXGKARG_SETDISPLAYPRIVATEDRIVERFORMAT,
    *const IN_CONST_PDXGKARG_SETDISPLAYPRIVATEDRIVERFORMAT_CONST;

/* Page: ns-d3dkmddi-_d3dkmt_present_display_only_flags. */
typedef struct _D3DKMT_PRESENT_DISPLAY_ONLY_FLAGS {
    union {
        struct {
            UINT Rotate : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} D3DKMT_PRESENT_DISPLAY_ONLY_FLAGS;
WDDM_SPELLINGS(D3DKMT_PRESENT_DISPLAY_ONLY_FLAGS);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* Tell how far a present has come. */
typedef NTSTATUS (*DXGKCB_PRESENT_DISPLAYONLY_PROGRESS)(
    HANDLE hAdapter, const DXGKARGCB_PRESENT_DISPLAYONLY_PROGRESS *pProgress);

/* Page: ns-d3dkmddi-_dxgkarg_present_displayonly. */
typedef struct _DXGKARG_PRESENT_DISPLAYONLY {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    VOID *pSource;
    ULONG BytesPerPixel;
    LONG Pitch;
    D3DKMT_PRESENT_DISPLAY_ONLY_FLAGS Flags;
    ULONG NumMoves;
    D3DKMT_MOVE_RECT *pMoves;
    ULONG NumDirtyRects;
    RECT *pDirtyRect;
    DXGKCB_PRESENT_DISPLAYONLY_PROGRESS pfnPresentDisplayOnlyProgress;
} DXGKARG_PRESENT_DISPLAYONLY;
WDDM_SPELLINGS(DXGKARG_PRESENT_DISPLAYONLY);
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_flags. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_FLAGS {
    union {
        struct {
            UINT VerticalFlip : 1;
            UINT HorizontalFlip : 1;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
            UINT PanelFitterPostComposition : 1;
            UINT Reserved : 29;
#else
            UINT Reserved : 30;
#endif
        };
        UINT Value;
    };
} DXGK_MULTIPLANE_OVERLAY_FLAGS;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_FLAGS);

/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_blend. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_BLEND {
    union {
        struct {
            UINT AlphaBlend : 1;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
            UINT ColorKey : 1;
            UINT Reserved : 30;
#else
            UINT Reserved : 31;
#endif
        };
        UINT Value;
    };
} DXGK_MULTIPLANE_OVERLAY_BLEND;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_BLEND);

/* Page: ne-d3dkmddi-_dxgk_multiplane_overlay_video_frame_format. */
typedef enum _DXGK_MULTIPLANE_OVERLAY_VIDEO_FRAME_FORMAT {
    DXGK_MULTIPLANE_OVERLAY_VIDEO_FRAME_FORMAT_PROGRESSIVE = 0,
    DXGK_MULTIPLANE_OVERLAY_VIDEO_FRAME_FORMAT_INTERLACED_TOP_FIELD_FIRST = 1,
    DXGK_MULTIPLANE_OVERLAY_VIDEO_FRAME_FORMAT_INTERLACED_BOTTOM_FIELD_FIRST = 2,
} DXGK_MULTIPLANE_OVERLAY_VIDEO_FRAME_FORMAT;
WDDM_VALUE_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_VIDEO_FRAME_FORMAT);

/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_ycbcr_flags. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_YCbCr_FLAGS {
    union {
        struct {
            UINT NominalRange : 1;
            UINT Bt709 : 1;
            UINT xvYCC : 1;
            UINT Reserved : 29;
        };
        UINT Value;
    };
} DXGK_MULTIPLANE_OVERLAY_YCbCr_FLAGS;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_YCbCr_FLAGS);

/* Page: ne-d3dkmddi-_dxgk_multiplane_overlay_stereo_format. */
typedef enum _DXGK_MULTIPLANE_OVERLAY_STEREO_FORMAT {
    DXGK_MULTIPLANE_OVERLAY_STEREO_FORMAT_MONO = 0,
    DXGK_MULTIPLANE_OVERLAY_STEREO_FORMAT_HORIZONTAL = 1,
    DXGK_MULTIPLANE_OVERLAY_STEREO_FORMAT_VERTICAL = 2,
    DXGK_MULTIPLANE_OVERLAY_STEREO_FORMAT_SEPARATE = 3,
    DXGK_MULTIPLANE_OVERLAY_STEREO_FORMAT_MONO_OFFSET = 4,
    DXGK_MULTIPLANE_OVERLAY_STEREO_FORMAT_ROW_INTERLEAVED = 5,
    DXGK_MULTIPLANE_OVERLAY_STEREO_FORMAT_COLUMN_INTERLEAVED = 6,
    DXGK_MULTIPLANE_OVERLAY_STEREO_FORMAT_CHECKERBOARD = 7,
} DXGK_MULTIPLANE_OVERLAY_STEREO_FORMAT;
WDDM_VALUE_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_STEREO_FORMAT);

/* Page: ne-d3dkmddi-_dxgk_multiplane_overlay_stereo_flip_mode. */
typedef enum _DXGK_MULTIPLANE_OVERLAY_STEREO_FLIP_MODE {
    DXGK_MULTIPLANE_OVERLAY_STEREO_FLIP_NONE = 0,
    DXGK_MULTIPLANE_OVERLAY_STEREO_FLIP_FRAME0 = 1,
    DXGK_MULTIPLANE_OVERLAY_STEREO_FLIP_FRAME1 = 2,
} DXGK_MULTIPLANE_OVERLAY_STEREO_FLIP_MODE;
WDDM_VALUE_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_STEREO_FLIP_MODE);

/* Page: ne-d3dkmddi-_dxgk_multiplane_overlay_stretch_quality. */
typedef enum _DXGK_MULTIPLANE_OVERLAY_STRETCH_QUALITY {
    DXGK_MULTIPLANE_OVERLAY_STRETCH_QUALITY_BILINEAR = 0x1,
    DXGK_MULTIPLANE_OVERLAY_STRETCH_QUALITY_HIGH = 0x2,
} DXGK_MULTIPLANE_OVERLAY_STRETCH_QUALITY;
WDDM_VALUE_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_STRETCH_QUALITY);

/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_attributes. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_ATTRIBUTES {
    DXGK_MULTIPLANE_OVERLAY_FLAGS Flags;
    RECT SrcRect;
    RECT DstRect;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
    RECT ClipRect;
#endif
    D3DDDI_ROTATION Rotation;
    DXGK_MULTIPLANE_OVERLAY_BLEND Blend;
#if DXGKDDI_INTERFACE_VERSION < DXGKDDI_INTERFACE_VERSION_WDDM1_3
    UINT NumFilters;
    void *pFilters;
#endif
    DXGK_MULTIPLANE_OVERLAY_VIDEO_FRAME_FORMAT VideoFrameFormat;
    DXGK_MULTIPLANE_OVERLAY_YCbCr_FLAGS YCbCrFlags;
    DXGK_MULTIPLANE_OVERLAY_STEREO_FORMAT StereoFormat;
    BOOL StereoLeftViewFrame0;
    BOOL StereoBaseViewFrame0;
    DXGK_MULTIPLANE_OVERLAY_STEREO_FLIP_MODE StereoFlipMode;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
    DXGK_MULTIPLANE_OVERLAY_STRETCH_QUALITY StretchQuality;
#endif
} DXGK_MULTIPLANE_OVERLAY_ATTRIBUTES;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_ATTRIBUTES);

/* Page: ns-d3dkmddi-_dxgk_check_multiplane_overlay_support_plane. */
typedef struct _DXGK_CHECK_MULTIPLANE_OVERLAY_SUPPORT_PLANE {
    HANDLE hAllocation;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    DXGK_MULTIPLANE_OVERLAY_ATTRIBUTES PlaneAttributes;
} DXGK_CHECK_MULTIPLANE_OVERLAY_SUPPORT_PLANE;
WDDM_SPELLINGS(DXGK_CHECK_MULTIPLANE_OVERLAY_SUPPORT_PLANE);

/* Page: ns-d3dkmddi-dxgk_check_multiplane_overlay_support_return_info. */
typedef struct _DXGK_CHECK_MULTIPLANE_OVERLAY_SUPPORT_RETURN_INFO {
    union {
        struct {
            UINT FailingPlane : 4;
            UINT TryAgain : 1;
            UINT Reserved : 27;
        };
        UINT Value;
    };
} DXGK_CHECK_MULTIPLANE_OVERLAY_SUPPORT_RETURN_INFO;
WDDM_SPELLINGS(DXGK_CHECK_MULTIPLANE_OVERLAY_SUPPORT_RETURN_INFO);

/* Page: ns-d3dkmddi-_dxgkarg_checkmultiplaneoverlaysupport. */
typedef struct _DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT {
    UINT PlaneCount;
    DXGK_CHECK_MULTIPLANE_OVERLAY_SUPPORT_PLANE *pPlanes;
    BOOL Supported;
    DXGK_CHECK_MULTIPLANE_OVERLAY_SUPPORT_RETURN_INFO ReturnInfo;
} DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT;
WDDM_SPELLINGS(DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT);

/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_attributes2. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_ATTRIBUTES2 {
    DXGK_MULTIPLANE_OVERLAY_FLAGS Flags;
    RECT SrcRect;
    RECT DstRect;
    RECT ClipRect;
    D3DDDI_ROTATION Rotation;
    DXGK_MULTIPLANE_OVERLAY_BLEND Blend;
    DXGK_MULTIPLANE_OVERLAY_VIDEO_FRAME_FORMAT VideoFrameFormat;
    D3DDDI_COLOR_SPACE_TYPE ColorSpaceType;
    DXGK_MULTIPLANE_OVERLAY_STEREO_FORMAT StereoFormat;
    BOOL StereoLeftViewFrame0;
    BOOL StereoBaseViewFrame0;
    DXGK_MULTIPLANE_OVERLAY_STEREO_FLIP_MODE StereoFlipMode;
    DXGK_MULTIPLANE_OVERLAY_STRETCH_QUALITY StretchQuality;
    UINT ColorKey;
} DXGK_MULTIPLANE_OVERLAY_ATTRIBUTES2;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_ATTRIBUTES2);

/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_plane_with_source. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_PLANE_WITH_SOURCE {
    HANDLE hAllocation;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    UINT LayerIndex;
    DXGK_MULTIPLANE_OVERLAY_ATTRIBUTES2 PlaneAttributes;
} DXGK_MULTIPLANE_OVERLAY_PLANE_WITH_SOURCE;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_PLANE_WITH_SOURCE);

/* Page: ns-d3dkmddi-_dxgkarg_checkmultiplaneoverlaysupport2. */
typedef struct _DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT2 {
    UINT PlaneCount;
    DXGK_MULTIPLANE_OVERLAY_PLANE_WITH_SOURCE *pPlanes;
    BOOL Supported;
    DXGK_CHECK_MULTIPLANE_OVERLAY_SUPPORT_RETURN_INFO ReturnInfo;
} DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT2;
WDDM_SPELLINGS(DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT2);

/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_attributes3. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_ATTRIBUTES3 {
    DXGK_MULTIPLANE_OVERLAY_FLAGS Flags;
    RECT SrcRect;
    RECT DstRect;
    RECT ClipRect;
    D3DDDI_ROTATION Rotation;
    DXGK_MULTIPLANE_OVERLAY_BLEND Blend;
    D3DDDI_COLOR_SPACE_TYPE ColorSpaceType;
    DXGK_MULTIPLANE_OVERLAY_STRETCH_QUALITY StretchQuality;
} DXGK_MULTIPLANE_OVERLAY_ATTRIBUTES3;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_ATTRIBUTES3);

/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_plane_with_source2. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_PLANE_WITH_SOURCE2 {
    HANDLE hAllocation;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    UINT LayerIndex;
    DXGK_MULTIPLANE_OVERLAY_ATTRIBUTES3 PlaneAttributes;
} DXGK_MULTIPLANE_OVERLAY_PLANE_WITH_SOURCE2;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_PLANE_WITH_SOURCE2);

/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_post_composition_flags. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_POST_COMPOSITION_FLAGS {
    union {
        struct {
            UINT VerticalFlip : 1;
            UINT HorizontalFlip : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} DXGK_MULTIPLANE_OVERLAY_POST_COMPOSITION_FLAGS;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_POST_COMPOSITION_FLAGS);

/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_post_composition. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_POST_COMPOSITION {
    DXGK_MULTIPLANE_OVERLAY_POST_COMPOSITION_FLAGS Flags;
    RECT SrcRect;
    RECT DstRect;
    D3DDDI_ROTATION Rotation;
} DXGK_MULTIPLANE_OVERLAY_POST_COMPOSITION;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_POST_COMPOSITION);

/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_post_composition_with_source. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_POST_COMPOSITION_WITH_SOURCE {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    DXGK_MULTIPLANE_OVERLAY_POST_COMPOSITION PostComposition;
} DXGK_MULTIPLANE_OVERLAY_POST_COMPOSITION_WITH_SOURCE;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_POST_COMPOSITION_WITH_SOURCE);

/* Page: ns-d3dkmddi-_dxgkarg_checkmultiplaneoverlaysupport3. */
typedef struct _DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT3 {
    UINT PlaneCount;
    DXGK_MULTIPLANE_OVERLAY_PLANE_WITH_SOURCE2 **ppPlanes;
    UINT PostCompositionCount;
    DXGK_MULTIPLANE_OVERLAY_POST_COMPOSITION_WITH_SOURCE **ppPostComposition;
    BOOL Supported;
    DXGK_CHECK_MULTIPLANE_OVERLAY_SUPPORT_RETURN_INFO ReturnInfo;
} DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT3;
WDDM_SPELLINGS(DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT3);

/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_plane. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_PLANE {
    UINT LayerIndex;
    BOOL Enabled;
    UINT AllocationSegment;
    PHYSICAL_ADDRESS AllocationAddress;
    HANDLE hAllocation;
    DXGK_MULTIPLANE_OVERLAY_ATTRIBUTES PlaneAttributes;
} DXGK_MULTIPLANE_OVERLAY_PLANE;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_PLANE);

/* Page: ns-d3dkmddi-_dxgkarg_setvidpnsourceaddresswithmultiplaneoverlay. */
typedef struct _DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY {
    UINT ContextCount;
    HANDLE Context[1 + D3DDDI_MAX_BROADCAST_CONTEXT];
    DXGK_SETVIDPNSOURCEADDRESS_FLAGS Flags;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    UINT PlaneCount;
    DXGK_MULTIPLANE_OVERLAY_PLANE *pPlanes;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
    UINT Duration;
#endif
} DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY;
WDDM_SPELLINGS(DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY);

/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_plane2. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_PLANE2 {
    UINT LayerIndex;
    BOOL Enabled;
    UINT AllocationSegment;
    PHYSICAL_ADDRESS AllocationAddress;
    HANDLE hAllocation;
    DXGK_MULTIPLANE_OVERLAY_ATTRIBUTES2 PlaneAttributes;
} DXGK_MULTIPLANE_OVERLAY_PLANE2;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_PLANE2);

/* Page: ns-d3dkmddi-_dxgkarg_setvidpnsourceaddresswithmultiplaneoverlay2. */
typedef struct _DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY2 {
    UINT ContextCount;
    HANDLE Context[1 + D3DDDI_MAX_BROADCAST_CONTEXT];
    DXGK_SETVIDPNSOURCEADDRESS_FLAGS Flags;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    UINT PlaneCount;
    DXGK_MULTIPLANE_OVERLAY_PLANE2 *pPlanes;
    UINT Duration;
} DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY2;
WDDM_SPELLINGS(DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY2);

/* Page: ns-d3dkmddi-_dxgk_setvidpnsourceaddress_input_flags. */
typedef struct _DXGK_SETVIDPNSOURCEADDRESS_INPUT_FLAGS {
    union {
        struct {
            UINT FlipStereo : 1;
            UINT FlipStereoTemporaryMono : 1;
            UINT FlipStereoPreferRight : 1;
            UINT RetryAtLowerIrql : 1;
            UINT Reserved : 28;
        };
        UINT Value;
    };
} DXGK_SETVIDPNSOURCEADDRESS_INPUT_FLAGS;
WDDM_SPELLINGS(DXGK_SETVIDPNSOURCEADDRESS_INPUT_FLAGS);

/* Page: ns-d3dkmddi-_dxgk_setvidpnsourceaddress_output_flags. */
typedef struct _DXGK_SETVIDPNSOURCEADDRESS_OUTPUT_FLAGS {
    union {
        struct {
            UINT PrePresentNeeded : 1;
            UINT HwFlipQueueDrainNeeded : 1;
            UINT HwFlipQueueDrainAllPlanes : 1;
            UINT HwFlipQueueDrainAllSources : 1;
            UINT Reserved : 28;
        };
        UINT Value;
    };
} DXGK_SETVIDPNSOURCEADDRESS_OUTPUT_FLAGS;
WDDM_SPELLINGS(DXGK_SETVIDPNSOURCEADDRESS_OUTPUT_FLAGS);

/* Page: ns-d3dkmddi-_dxgk_plane_specific_input_flags. */
typedef struct _DXGK_PLANE_SPECIFIC_INPUT_FLAGS {
    union {
        struct {
            UINT Enabled : 1;
            UINT FlipImmediate : 1;
            UINT FlipOnNextVSync : 1;
            UINT SharedPrimaryTransition : 1;
            UINT IndependentFlipExclusive : 1;
            UINT FlipImmediateNoTearing : 1;
            UINT Reserved : 26;
        };
        UINT Value;
    };
} DXGK_PLANE_SPECIFIC_INPUT_FLAGS;
WDDM_SPELLINGS(DXGK_PLANE_SPECIFIC_INPUT_FLAGS);

/* Page: ns-d3dkmddi-_dxgk_plane_specific_output_flags. */
typedef struct _DXGK_PLANE_SPECIFIC_OUTPUT_FLAGS {
    union {
        struct {
            UINT FlipConvertedToImmediate : 1;
            UINT PostPresentNeeded : 1;
            UINT HsyncInterruptCompletion : 1;
            UINT Reserved : 29;
        };
        UINT Value;
    };
} DXGK_PLANE_SPECIFIC_OUTPUT_FLAGS;
WDDM_SPELLINGS(DXGK_PLANE_SPECIFIC_OUTPUT_FLAGS);

/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_plane3. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_PLANE3 {
    UINT LayerIndex;
    ULONGLONG PresentId;
    DXGK_PLANE_SPECIFIC_INPUT_FLAGS InputFlags;
    DXGK_PLANE_SPECIFIC_OUTPUT_FLAGS OutputFlags;
    UINT MaxImmediateFlipLine;
    UINT ContextCount;
    HANDLE *pContext;
    DXGK_PRIMARYDATA *pPrimaryData;
    UINT DriverPrivateDataSize;
    PVOID pDriverPrivateData;
    DXGK_MULTIPLANE_OVERLAY_ATTRIBUTES3 PlaneAttributes;
} DXGK_MULTIPLANE_OVERLAY_PLANE3;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_PLANE3);

/* Page: ns-d3dkmddi-_dxgk_hdr_metadata. */
typedef struct _DXGK_HDR_METADATA {
    D3DDDI_HDR_METADATA_TYPE Type;
    UINT Size;
    VOID *pMetaData;
} DXGK_HDR_METADATA;
WDDM_SPELLINGS(DXGK_HDR_METADATA);

/* Page: ns-d3dkmddi-_dxgkarg_setvidpnsourceaddresswithmultiplaneoverlay3. */
typedef struct _DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY3 {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    DXGK_SETVIDPNSOURCEADDRESS_INPUT_FLAGS InputFlags;
    DXGK_SETVIDPNSOURCEADDRESS_OUTPUT_FLAGS OutputFlags;
    UINT PlaneCount;
    DXGK_MULTIPLANE_OVERLAY_PLANE3 **ppPlanes;
    DXGK_MULTIPLANE_OVERLAY_POST_COMPOSITION *pPostComposition;
    UINT Duration;
    DXGK_HDR_METADATA *pHDRMetaData;
} DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY3;
WDDM_SPELLINGS(DXGKARG_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY3);

/* Page: ns-d3dkmddi-_dxgkarg_postmultiplaneoverlaypresent. */
typedef struct _DXGKARG_POSTMULTIPLANEOVERLAYPRESENT {
    D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
    UINT PhysicalAdapterMask;
    DWORD LayerIndex;
    ULONGLONG PresentId;
} DXGKARG_POSTMULTIPLANEOVERLAYPRESENT;
WDDM_SPELLINGS(DXGKARG_POSTMULTIPLANEOVERLAYPRESENT);

/* Page: ns-d3dkmddi-_dxgk_multiplaneoverlaycaps. */
typedef struct _DXGK_MULTIPLANEOVERLAYCAPS {
    union {
        struct {
            UINT Rotation : 1;
            UINT RotationWithoutIndependentFlip : 1;
            UINT VerticalFlip : 1;
            UINT HorizontalFlip : 1;
            UINT StretchRGB : 1;
            UINT StretchYUV : 1;
            UINT BilinearFilter : 1;
            UINT HighFilter : 1;
            UINT Shared : 1;
            UINT Immediate : 1;
            UINT Plane0ForVirtualModeOnly : 1;
            UINT Reserved : 21;
        };
        UINT Value;
    };
} DXGK_MULTIPLANEOVERLAYCAPS;
WDDM_SPELLINGS(DXGK_MULTIPLANEOVERLAYCAPS);

/* Page: ns-d3dkmddi-_dxgkarg_getmultiplaneoverlaycaps. */
typedef struct _DXGKARG_GETMULTIPLANEOVERLAYCAPS {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    UINT MaxPlane;
    UINT MaxRGBPlanes;
    UINT MaxYUVPlanes;
    DXGK_MULTIPLANEOVERLAYCAPS OverlayCaps;
    float MaxStretchFactor;
    float MaxShrinkFactor;
} DXGKARG_GETMULTIPLANEOVERLAYCAPS;
WDDM_SPELLINGS(DXGKARG_GETMULTIPLANEOVERLAYCAPS);

/* Page: ns-d3dkmddi-_dxgkarg_getpostcompositioncaps. */
typedef struct _DXGKARG_GETPOSTCOMPOSITIONCAPS {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    float MaxStretchFactor;
    float MaxShrinkFactor;
} DXGKARG_GETPOSTCOMPOSITIONCAPS;
WDDM_SPELLINGS(DXGKARG_GETPOSTCOMPOSITIONCAPS);

/* Page: ns-d3dkmddi-_dxgkarg_settargetgamma. */
typedef struct _DXGKARG_SETTARGETGAMMA {
    D3DDDI_VIDEO_PRESENT_TARGET_ID TargetId;
    D3DKMDT_GAMMA_RAMP GammaRamp;
} DXGKARG_SETTARGETGAMMA;
WDDM_SPELLINGS(DXGKARG_SETTARGETGAMMA);

/* Page: ns-d3dkmddi-_dxgkarg_settargetcontenttype. */
typedef struct _DXGKARG_SETTARGETCONTENTTYPE {
    D3DDDI_VIDEO_PRESENT_TARGET_ID TargetId;
    D3DKMDT_VIDPN_PRESENT_PATH_CONTENT ContentType;
} DXGKARG_SETTARGETCONTENTTYPE;
WDDM_SPELLINGS(DXGKARG_SETTARGETCONTENTTYPE);

/* Page: ns-d3dkmddi-_dxgkarg_settargetanalogcopyprotection. */
typedef struct _DXGKARG_SETTARGETANALOGCOPYPROTECTION {
    D3DDDI_VIDEO_PRESENT_TARGET_ID TargetId;
    D3DKMDT_VIDPN_PRESENT_PATH_COPYPROTECTION_TYPE CopyProtectionType;
    UINT APSTriggerBits;
    D3DKMDT_VIDPN_PRESENT_PATH_COPYPROTECTION_SUPPORT CopyProtectionSupport;
} DXGKARG_SETTARGETANALOGCOPYPROTECTION;
WDDM_SPELLINGS(DXGKARG_SETTARGETANALOGCOPYPROTECTION);

/* Page: ne-d3dkmddi-_dxgk_displaydetectcontroltype. */
typedef enum _DXGK_DISPLAYDETECTCONTROLTYPE {
    DXGK_DDCT_UNINITIALIZED = 0,
    DXGK_DDCT_POLLONE,
    DXGK_DDCT_POLLALL,
    DXGK_DDCT_ENABLEHPD,
    DXGK_DDCT_DISABLEHPD,
} DXGK_DISPLAYDETECTCONTROLTYPE;
WDDM_VALUE_SPELLINGS(DXGK_DISPLAYDETECTCONTROLTYPE);

/* Page: ns-d3dkmddi-_dxgkarg_displaydetectcontrol. */
typedef struct _DXGKARG_DISPLAYDETECTCONTROL {
    D3DDDI_VIDEO_PRESENT_TARGET_ID TargetID : 24;
    DXGK_DISPLAYDETECTCONTROLTYPE Type : 4;
    UINT NonDestructiveOnly : 1;
    UINT Reserved : 3;
} DXGKARG_DISPLAYDETECTCONTROL;
WDDM_SPELLINGS(DXGKARG_DISPLAYDETECTCONTROL);

/* Page: ne-d3dkmddi-_dxgk_interrupt_state. */
typedef enum _DXGK_INTERRUPT_STATE {
    DXGK_INTERRUPT_ENABLE = 0,
    DXGK_INTERRUPT_DISABLE = 1,
} DXGK_INTERRUPT_STATE;
WDDM_VALUE_SPELLINGS(DXGK_INTERRUPT_STATE);

/* Page: ne-d3dkmddi-_dxgk_crtc_vsync_state. */
typedef enum _DXGK_CRTC_VSYNC_STATE {
    DXGK_VSYNC_ENABLE = 0,
    DXGK_VSYNC_DISABLE_KEEP_PHASE = 1,
    DXGK_VSYNC_DISABLE_NO_PHASE = 2,
} DXGK_CRTC_VSYNC_STATE;
WDDM_VALUE_SPELLINGS(DXGK_CRTC_VSYNC_STATE);

/* Page: ns-d3dkmddi-_dxgkarg_controlinterrupt2. */
typedef struct _DXGKARG_CONTROLINTERRUPT2 {
    DXGK_INTERRUPT_STATE InterruptState;
    DXGK_CRTC_VSYNC_STATE CrtcVsyncState;
} DXGKARG_CONTROLINTERRUPT2;
typedef DXGKARG_CONTROLINTERRUPT2 DXGKARG_CONTROLINTTERUPT2; /* as the page spells it */
WDDM_VALUE_SPELLINGS(DXGKARG_CONTROLINTERRUPT2);

/* The state of an interrupt of one source of the network. Page:
 * ns-d3dkmddi-dxgkarg_controlinterrupt3. */
typedef struct _DXGKARG_CONTROLINTERRUPT3 {
    DXGK_INTERRUPT_TYPE InterruptType;
    union {
        DXGK_INTERRUPT_STATE InterruptState;
        DXGK_CRTC_VSYNC_STATE CrtcVsyncState;
    };
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId; /* or D3DDDI_ID_ALL */
} DXGKARG_CONTROLINTERRUPT3;
WDDM_SPELLINGS(DXGKARG_CONTROLINTERRUPT3);

/* Page: ns-d3dkmddi-_dxgkarg_createperiodicframenotification. */
typedef struct _DXGKARG_CREATEPERIODICFRAMENOTIFICATION {
    HANDLE hAdapter;
    D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetID;
    UINT64 Time;
    UINT NotificationID;
    HANDLE hNotification;
} DXGKARG_CREATEPERIODICFRAMENOTIFICATION;
WDDM_SPELLINGS(DXGKARG_CREATEPERIODICFRAMENOTIFICATION);

/* Page: ns-d3dkmddi-_dxgkarg_destroyperiodicframenotification. */
typedef struct _DXGKARG_DESTROYPERIODICFRAMENOTIFICATION {
    HANDLE hNotification;
    HANDLE hAdapter;
} DXGKARG_DESTROYPERIODICFRAMENOTIFICATION;
WDDM_SPELLINGS(DXGKARG_DESTROYPERIODICFRAMENOTIFICATION);

/* Page: ns-d3dkmddi-_dxgk_presentmultiplaneoverlaylist. */
typedef struct _DXGK_PRESENTMULTIPLANEOVERLAYLIST {
    UINT LayerIndex;
    BOOL Enabled;
    HANDLE hDeviceSpecificAllocation;
    struct {
        UINT SegmentId : 5;
        UINT Reserved : 27;
    };
    PHYSICAL_ADDRESS PhysicalAddress;
} DXGK_PRESENTMULTIPLANEOVERLAYLIST;
WDDM_SPELLINGS(DXGK_PRESENTMULTIPLANEOVERLAYLIST);

/* Page: ns-d3dkmddi-_dxgk_standard_colorimetry_flags. */
typedef union _DXGK_STANDARD_COLORIMETRY_FLAGS {
    struct {
        UINT BT2020YCC : 1;
        UINT BT2020RGB : 1;
        UINT ST2084 : 1;
        UINT Reserved : 29;
    };
    ULONG Value;
} DXGK_STANDARD_COLORIMETRY_FLAGS;
WDDM_SPELLINGS(DXGK_STANDARD_COLORIMETRY_FLAGS);

/* Page: ns-d3dkmddi-_dxgk_colorimetry. */
typedef struct _DXGK_COLORIMETRY {
    D3DKMDT_2DOFFSET RedPoint;
    D3DKMDT_2DOFFSET GreenPoint;
    D3DKMDT_2DOFFSET BluePoint;
    D3DKMDT_2DOFFSET WhitePoint;
    ULONG MinLuminance;
    ULONG MaxLuminance;
    ULONG MaxFullFrameLuminance;
    D3DKMDT_WIRE_FORMAT_AND_PREFERENCE FormatBitDepths;
    DXGK_STANDARD_COLORIMETRY_FLAGS StandardColorimetryFlags;
} DXGK_COLORIMETRY;
WDDM_SPELLINGS(DXGK_COLORIMETRY);

/* Page: ns-d3dkmddi-_dxgk_monitorlinkinfo. */
typedef struct _DXGK_MONITORLINKINFO {
    DXGK_MONITORLINKINFO_USAGEHINTS UsageHints;
    DXGK_MONITORLINKINFO_CAPABILITIES Capabilities;
} DXGK_MONITORLINKINFO;
WDDM_SPELLINGS(DXGK_MONITORLINKINFO);

/* Page: ns-d3dkmddi-_dxgkarg_querydependentenginegroup. */
typedef struct _DXGKARG_QUERYDEPENDENTENGINEGROUP {
    UINT NodeOrdinal;
    UINT EngineOrdinal;
    ULONGLONG DependentNodeOrdinalMask;
} DXGKARG_QUERYDEPENDENTENGINEGROUP;
WDDM_SPELLINGS(DXGKARG_QUERYDEPENDENTENGINEGROUP);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* The answer to DXGKQAITYPE_DISPLAY_DRIVERCAPS_EXTENSION.
 * Page: ns-d3dkmddi-_dxgk_display_drivercaps_extension. */
typedef struct _DXGK_DISPLAY_DRIVERCAPS_EXTENSION {
    union {
        struct {
            UINT SecureDisplaySupport : 1; /* out: scans out what only hardware may read */
            UINT VirtualModeSupport : 1; /* out: the mode of a source may differ from the path's */
            UINT NonSpecificPrimarySupport : 1;
            UINT HdrFP16ScanoutSupport : 1;
            UINT HdrARGB10ScanoutSupport : 1;
            UINT Hdr10MetadataSupport : 1;      /* from 2.7 */
            UINT VirtualRefreshRateSupport : 1; /* from 2.9 */
            UINT SupportUsb4Targets : 1;        /* from 3.0 */
            UINT Reserved : 24;
        };
        UINT Value;
    };
} DXGK_DISPLAY_DRIVERCAPS_EXTENSION;
WDDM_SPELLINGS(DXGK_DISPLAY_DRIVERCAPS_EXTENSION);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMDDI_DISPLAY_H */
