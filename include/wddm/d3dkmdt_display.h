/*
 * d3dkmdt_display.h: the picture on a screen, in the words of kernel mode.
 *
 *     source ----- path ----- target ---- monitor
 *     what is read            the output  what hangs on it
 *     from memory
 *
 * A source has a source mode (a surface of so many pixels), a target a target mode (a signal with
 * its timing), a path between them says how the one is scaled, turned and coloured for the other. A
 * video present network (d3dkmddi_vidpn.h) is a set of paths with the modes of their ends.
 */
#ifndef WDDM_D3DKMDT_DISPLAY_H
#define WDDM_D3DKMDT_DISPLAY_H

#include "d3dukmdt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Ids ---- */

typedef UINT D3DKMDT_VIDEO_PRESENT_SOURCE_MODE_ID;
typedef UINT D3DKMDT_VIDEO_PRESENT_TARGET_MODE_ID;
typedef UINT D3DKMDT_MONITOR_SOURCE_MODE_ID;
typedef UINT D3DKMDT_MONITOR_DESCRIPTOR_ID;
typedef UINT D3DKMDT_MONITOR_FREQUENCY_RANGE_ID;
typedef SIZE_T D3DKMDT_VIDPN_PRESENT_PATH_INDEX;

/* In place of a frequency or a size that nobody knows. */
#define D3DKMDT_FREQUENCY_NOTSPECIFIED ((DWORD)0xFFFFFFFE)
#define D3DKMDT_DIMENSION_NOTSPECIFIED ((DWORD)0xFFFFFFFE)

/* Bytes of copy protection that belong to the maker. */
#define D3DKMDT_MACROVISION_OEMCOPYPROTECTION_SIZE 256

/* A distance in pixels, or a point of colour. */
typedef struct _D3DKMDT_2DOFFSET {
    INT cx;
    INT cy;
} D3DKMDT_2DOFFSET;
WDDM_SPELLINGS(D3DKMDT_2DOFFSET);

/* Page: ns-d3dukmdt-d3dddi_dxgi_rgb. */
typedef struct _D3DDDI_DXGI_RGB {
    float Red;
    float Green;
    float Blue;
} D3DDDI_DXGI_RGB;
WDDM_SPELLINGS(D3DDDI_DXGI_RGB);

/* A matrix of colours, and a curve. Page: ns-d3dukmdt-_d3dddi_3x4_colorspace_transform. */
typedef struct _D3DDDI_3x4_COLORSPACE_TRANSFORM {
    float ColorMatrix3x4[3][4];
    float ScalarMultiplier;
    D3DDDI_DXGI_RGB LookupTable1D[4096];
} D3DDDI_3x4_COLORSPACE_TRANSFORM;

/* ---- Modes, paths, monitors ---- */

/* Page: ne-d3dkmdt-_d3dkmdt_vidpn_source_mode_type. */
typedef enum _D3DKMDT_VIDPN_SOURCE_MODE_TYPE {
    D3DKMDT_RMT_UNINITIALIZED = 0,
    D3DKMDT_RMT_GRAPHICS = 1,
    D3DKMDT_RMT_TEXT = 2,
    D3DKMDT_RMT_GRAPHICS_STEREO = 3,
    D3DKMDT_RMT_GRAPHICS_STEREO_ADVANCED_SCAN = 4,
} D3DKMDT_VIDPN_SOURCE_MODE_TYPE;

/* Page: ns-d3dkmdt-_d3dkmdt_2dregion. */
typedef struct _D3DKMDT_2DREGION {
    UINT cx;
    UINT cy;
} D3DKMDT_2DREGION;
WDDM_SPELLINGS(D3DKMDT_2DREGION);

/* Page: ne-d3dkmdt-_d3dkmdt_color_basis. */
typedef enum _D3DKMDT_COLOR_BASIS {
    D3DKMDT_CB_UNINITIALIZED = 0,
    D3DKMDT_CB_INTENSITY = 1,
    D3DKMDT_CB_SRGB = 2,
    D3DKMDT_CB_SCRGB = 3,
    D3DKMDT_CB_YCBCR = 4,
    D3DKMDT_CB_YPBPR = 5,
} D3DKMDT_COLOR_BASIS;

/* Page: ne-d3dkmdt-_d3dkmdt_pixel_value_access_mode. */
typedef enum _D3DKMDT_PIXEL_VALUE_ACCESS_MODE {
    D3DKMDT_PVAM_UNINITIALIZED = 0,
    D3DKMDT_PVAM_DIRECT = 1,
    D3DKMDT_PVAM_PRESETPALETTE = 2,
    D3DKMDT_PVAM_SETTABLEPALETTE = 3,
} D3DKMDT_PIXEL_VALUE_ACCESS_MODE;

/* Page: ns-d3dkmdt-_d3dkmdt_graphics_rendering_format. */
typedef struct _D3DKMDT_GRAPHICS_RENDERING_FORMAT {
    D3DKMDT_2DREGION PrimSurfSize;
    D3DKMDT_2DREGION VisibleRegionSize;
    DWORD Stride;
    D3DDDIFORMAT PixelFormat;
    D3DKMDT_COLOR_BASIS ColorBasis;
    D3DKMDT_PIXEL_VALUE_ACCESS_MODE PixelValueAccessMode;
} D3DKMDT_GRAPHICS_RENDERING_FORMAT;
WDDM_SPELLINGS(D3DKMDT_GRAPHICS_RENDERING_FORMAT);

/* Page: ne-d3dkmdt-_d3dkmdt_text_rendering_format. */
typedef enum _D3DKMDT_TEXT_RENDERING_FORMAT {
    D3DKMDT_TRF_UNINITIALIZED = 0,
} D3DKMDT_TEXT_RENDERING_FORMAT;

/* Page: ns-d3dkmdt-_d3dkmdt_vidpn_source_mode. */
typedef struct _D3DKMDT_VIDPN_SOURCE_MODE {
    D3DKMDT_VIDEO_PRESENT_SOURCE_MODE_ID Id;
    D3DKMDT_VIDPN_SOURCE_MODE_TYPE Type;
    union {
        D3DKMDT_GRAPHICS_RENDERING_FORMAT Graphics;
        D3DKMDT_TEXT_RENDERING_FORMAT Text;
    } Format;
} D3DKMDT_VIDPN_SOURCE_MODE;
WDDM_SPELLINGS(D3DKMDT_VIDPN_SOURCE_MODE);

/* Page: ne-d3dkmdt-_d3dkmdt_video_signal_standard. */
typedef enum _D3DKMDT_VIDEO_SIGNAL_STANDARD {
    D3DKMDT_VSS_UNINITIALIZED = 0,
    D3DKMDT_VSS_VESA_DMT = 1,
    D3DKMDT_VSS_VESA_GTF = 2,
    D3DKMDT_VSS_VESA_CVT = 3,
    D3DKMDT_VSS_IBM = 4,
    D3DKMDT_VSS_APPLE = 5,
    D3DKMDT_VSS_NTSC_M = 6,
    D3DKMDT_VSS_NTSC_J = 7,
    D3DKMDT_VSS_NTSC_443 = 8,
    D3DKMDT_VSS_PAL_B = 9,
    D3DKMDT_VSS_PAL_B1 = 10,
    D3DKMDT_VSS_PAL_G = 11,
    D3DKMDT_VSS_PAL_H = 12,
    D3DKMDT_VSS_PAL_I = 13,
    D3DKMDT_VSS_PAL_D = 14,
    D3DKMDT_VSS_PAL_N = 15,
    D3DKMDT_VSS_PAL_NC = 16,
    D3DKMDT_VSS_SECAM_B = 17,
    D3DKMDT_VSS_SECAM_D = 18,
    D3DKMDT_VSS_SECAM_G = 19,
    D3DKMDT_VSS_SECAM_H = 20,
    D3DKMDT_VSS_SECAM_K = 21,
    D3DKMDT_VSS_SECAM_K1 = 22,
    D3DKMDT_VSS_SECAM_L = 23,
    D3DKMDT_VSS_SECAM_L1 = 24,
    D3DKMDT_VSS_EIA_861 = 25,
    D3DKMDT_VSS_EIA_861A = 26,
    D3DKMDT_VSS_EIA_861B = 27,
    D3DKMDT_VSS_PAL_K = 28,
    D3DKMDT_VSS_PAL_K1 = 29,
    D3DKMDT_VSS_PAL_L = 30,
    D3DKMDT_VSS_PAL_M = 31,
    D3DKMDT_VSS_OTHER = 255,
} D3DKMDT_VIDEO_SIGNAL_STANDARD;

/* Page: ne-d3dukmdt-_d3dddi_video_signal_scanline_ordering. */
typedef enum _D3DDDI_VIDEO_SIGNAL_SCANLINE_ORDERING {
    D3DDDI_VSSLO_UNINITIALIZED = 0,
    D3DDDI_VSSLO_PROGRESSIVE = 1,
    D3DDDI_VSSLO_INTERLACED_UPPERFIELDFIRST = 2,
    D3DDDI_VSSLO_INTERLACED_LOWERFIELDFIRST = 3,
    D3DDDI_VSSLO_OTHER = 255,
} D3DDDI_VIDEO_SIGNAL_SCANLINE_ORDERING;

/* Page: ns-d3dkmdt-_d3dkmdt_video_signal_info. */
typedef struct _D3DKMDT_VIDEO_SIGNAL_INFO {
    D3DKMDT_VIDEO_SIGNAL_STANDARD VideoStandard;
    D3DKMDT_2DREGION TotalSize;
    D3DKMDT_2DREGION ActiveSize;
    D3DDDI_RATIONAL VSyncFreq;
    D3DDDI_RATIONAL HSyncFreq;
    SIZE_T PixelRate;
    union {
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
        struct {
            UINT ScanLineOrdering : 3;
            UINT VSyncFreqDivider : 6;
            UINT Reserved : 23;
        } AdditionalSignalInfo;
#endif
        D3DDDI_VIDEO_SIGNAL_SCANLINE_ORDERING ScanLineOrdering;
    };
} D3DKMDT_VIDEO_SIGNAL_INFO;
WDDM_SPELLINGS(D3DKMDT_VIDEO_SIGNAL_INFO);

/* Page: ne-d3dkmdt-_d3dkmdt_mode_preference. */
typedef enum _D3DKMDT_MODE_PREFERENCE {
    D3DKMDT_MP_UNINITIALIZED = 0,
    D3DKMDT_MP_PREFERRED = 1,
    D3DKMDT_MP_NOTPREFERRED = 2,
} D3DKMDT_MODE_PREFERENCE;

/* Page: ns-d3dkmdt-_d3dkmdt_vidpn_target_mode. */
typedef struct _D3DKMDT_VIDPN_TARGET_MODE {
    D3DKMDT_VIDEO_PRESENT_TARGET_MODE_ID Id;
    D3DKMDT_VIDEO_SIGNAL_INFO VideoSignalInfo;
    D3DKMDT_MODE_PREFERENCE Preference;
} D3DKMDT_VIDPN_TARGET_MODE;
WDDM_SPELLINGS(D3DKMDT_VIDPN_TARGET_MODE);

/* Page: ne-d3dkmdt-_d3dkmdt_vidpn_present_path_importance. */
typedef enum _D3DKMDT_VIDPN_PRESENT_PATH_IMPORTANCE {
    D3DKMDT_VPPI_UNINITIALIZED = 0,
    D3DKMDT_VPPI_PRIMARY = 1,
    D3DKMDT_VPPI_SECONDARY = 2,
    D3DKMDT_VPPI_TERTIARY = 3,
    D3DKMDT_VPPI_QUATERNARY = 4,
    D3DKMDT_VPPI_QUINARY = 5,
    D3DKMDT_VPPI_SENARY = 6,
    D3DKMDT_VPPI_SEPTENARY = 7,
    D3DKMDT_VPPI_OCTONARY = 8,
    D3DKMDT_VPPI_NONARY = 9,
    D3DKMDT_VPPI_DENARY = 10,
} D3DKMDT_VIDPN_PRESENT_PATH_IMPORTANCE;

/* Page: ne-d3dkmdt-_d3dkmdt_vidpn_present_path_scaling. */
typedef enum _D3DKMDT_VIDPN_PRESENT_PATH_SCALING {
    D3DKMDT_VPPS_UNINITIALIZED = 0,
    D3DKMDT_VPPS_IDENTITY = 1,
    D3DKMDT_VPPS_CENTERED = 2,
    D3DKMDT_VPPS_STRETCHED = 3,
    D3DKMDT_VPPS_ASPECTRATIOCENTEREDMAX = 4,
    D3DKMDT_VPPS_CUSTOM = 5,
    D3DKMDT_VPPS_RESERVED1 = 253,
    D3DKMDT_VPPS_UNPINNED = 254,
    D3DKMDT_VPPS_NOTSPECIFIED = 255,
} D3DKMDT_VIDPN_PRESENT_PATH_SCALING;

/* Page: ns-d3dkmdt-_d3dkmdt_vidpn_present_path_scaling_support. */
typedef struct _D3DKMDT_VIDPN_PRESENT_PATH_SCALING_SUPPORT {
    UINT Identity : 1;
    UINT Centered : 1;
    UINT Stretched : 1;
    UINT AspectRatioCenteredMax : 1;
    UINT Custom : 1;
} D3DKMDT_VIDPN_PRESENT_PATH_SCALING_SUPPORT;
WDDM_SPELLINGS(D3DKMDT_VIDPN_PRESENT_PATH_SCALING_SUPPORT);

/* Page: ne-d3dkmdt-_d3dkmdt_vidpn_present_path_rotation. */
typedef enum _D3DKMDT_VIDPN_PRESENT_PATH_ROTATION {
    D3DKMDT_VPPR_UNINITIALIZED = 0,
    D3DKMDT_VPPR_IDENTITY = 1,
    D3DKMDT_VPPR_ROTATE90 = 2,
    D3DKMDT_VPPR_ROTATE180 = 3,
    D3DKMDT_VPPR_ROTATE270 = 4,
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3_PATH_INDEPENDENT_ROTATION
    D3DKMDT_VPPR_IDENTITY_OFFSET90 = 5,
    D3DKMDT_VPPR_ROTATE90_OFFSET90 = 6,
    D3DKMDT_VPPR_ROTATE180_OFFSET90 = 7,
    D3DKMDT_VPPR_ROTATE270_OFFSET90 = 8,
    D3DKMDT_VPPR_IDENTITY_OFFSET180 = 9,
    D3DKMDT_VPPR_ROTATE90_OFFSET180 = 10,
    D3DKMDT_VPPR_ROTATE180_OFFSET180 = 11,
    D3DKMDT_VPPR_ROTATE270_OFFSET180 = 12,
    D3DKMDT_VPPR_IDENTITY_OFFSET270 = 13,
    D3DKMDT_VPPR_ROTATE90_OFFSET270 = 14,
    D3DKMDT_VPPR_ROTATE180_OFFSET270 = 15,
    D3DKMDT_VPPR_ROTATE270_OFFSET270 = 16,
#endif
    D3DKMDT_VPPR_UNPINNED = 254,
    D3DKMDT_VPPR_NOTSPECIFIED = 255,
} D3DKMDT_VIDPN_PRESENT_PATH_ROTATION;

/* Page: ns-d3dkmdt-_d3dkmdt_vidpn_present_path_rotation_support. */
typedef struct _D3DKMDT_VIDPN_PRESENT_PATH_ROTATION_SUPPORT {
    UINT Identity : 1;
    UINT Rotate90 : 1;
    UINT Rotate180 : 1;
    UINT Rotate270 : 1;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3_PATH_INDEPENDENT_ROTATION
    UINT Offset0 : 1;
    UINT Offset90 : 1;
    UINT Offset180 : 1;
    UINT Offset270 : 1;
#endif
} D3DKMDT_VIDPN_PRESENT_PATH_ROTATION_SUPPORT;
WDDM_SPELLINGS(D3DKMDT_VIDPN_PRESENT_PATH_ROTATION_SUPPORT);

/* Page: ns-d3dkmdt-_d3dkmdt_vidpn_present_path_transformation. */
typedef struct _D3DKMDT_VIDPN_PRESENT_PATH_TRANSFORMATION {
    D3DKMDT_VIDPN_PRESENT_PATH_SCALING Scaling;
    D3DKMDT_VIDPN_PRESENT_PATH_SCALING_SUPPORT ScalingSupport;
    D3DKMDT_VIDPN_PRESENT_PATH_ROTATION Rotation;
    D3DKMDT_VIDPN_PRESENT_PATH_ROTATION_SUPPORT RotationSupport;
} D3DKMDT_VIDPN_PRESENT_PATH_TRANSFORMATION;
WDDM_SPELLINGS(D3DKMDT_VIDPN_PRESENT_PATH_TRANSFORMATION);

/* Page: ns-d3dkmdt-_d3dkmdt_color_coeff_dynamic_ranges. */
typedef struct _D3DKMDT_COLOR_COEFF_DYNAMIC_RANGES {
    UINT FirstChannel;
    UINT SecondChannel;
    UINT ThirdChannel;
    UINT FourthChannel;
} D3DKMDT_COLOR_COEFF_DYNAMIC_RANGES;
WDDM_SPELLINGS(D3DKMDT_COLOR_COEFF_DYNAMIC_RANGES);

/* Page: ne-d3dkmdt-_d3dkmdt_vidpn_present_path_content. */
typedef enum _D3DKMDT_VIDPN_PRESENT_PATH_CONTENT {
    D3DKMDT_VPPC_UNINITIALIZED = 0,
    D3DKMDT_VPPC_GRAPHICS = 1,
    D3DKMDT_VPPC_VIDEO = 2,
    D3DKMDT_VPPC_NOTSPECIFIED = 255,
} D3DKMDT_VIDPN_PRESENT_PATH_CONTENT;

/* Page: ne-d3dkmdt-_d3dkmdt_vidpn_present_path_copyprotection_type. */
typedef enum _D3DKMDT_VIDPN_PRESENT_PATH_COPYPROTECTION_TYPE {
    D3DKMDT_VPPMT_UNINITIALIZED = 0,
    D3DKMDT_VPPMT_NOPROTECTION = 1,
    D3DKMDT_VPPMT_MACROVISION_APSTRIGGER = 2,
    D3DKMDT_VPPMT_MACROVISION_FULLSUPPORT = 3,
} D3DKMDT_VIDPN_PRESENT_PATH_COPYPROTECTION_TYPE;

/* Page: ns-d3dkmdt-_d3dkmdt_vidpn_present_path_copyprotection_support. */
typedef struct _D3DKMDT_VIDPN_PRESENT_PATH_COPYPROTECTION_SUPPORT {
    UINT NoProtection : 1;
    UINT MacroVisionApsTrigger : 1;
    UINT MacroVisionFull : 1;
    UINT Reserved : 29;
} D3DKMDT_VIDPN_PRESENT_PATH_COPYPROTECTION_SUPPORT;
WDDM_SPELLINGS(D3DKMDT_VIDPN_PRESENT_PATH_COPYPROTECTION_SUPPORT);

/* Page: ns-d3dkmdt-_d3dkmdt_vidpn_present_path_copyprotection. */
typedef struct _D3DKMDT_VIDPN_PRESENT_PATH_COPYPROTECTION {
    D3DKMDT_VIDPN_PRESENT_PATH_COPYPROTECTION_TYPE CopyProtectionType;
    UINT APSTriggerBits;
    BYTE OEMCopyProtection[D3DKMDT_MACROVISION_OEMCOPYPROTECTION_SIZE];
    D3DKMDT_VIDPN_PRESENT_PATH_COPYPROTECTION_SUPPORT CopyProtectionSupport;
} D3DKMDT_VIDPN_PRESENT_PATH_COPYPROTECTION;
WDDM_SPELLINGS(D3DKMDT_VIDPN_PRESENT_PATH_COPYPROTECTION);

/* Page: ne-d3dukmdt-_d3dddi_gammaramp_type. */
typedef enum _D3DDDI_GAMMARAMP_TYPE {
    D3DDDI_GAMMARAMP_UNINITIALIZED = 0,
    D3DDDI_GAMMARAMP_DEFAULT = 1,
    D3DDDI_GAMMARAMP_RGB256x3x16 = 2,
    D3DDDI_GAMMARAMP_DXGI_1 = 3,
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_3
    D3DDDI_GAMMARAMP_MATRIX_3x4 = 4,
#endif
} D3DDDI_GAMMARAMP_TYPE;

/* Page: ns-d3dukmdt-_d3dddi_gamma_ramp_rgb256x3x16. */
typedef struct _D3DDDI_GAMMA_RAMP_RGB256x3x16 {
    USHORT Red[256];
    USHORT Green[256];
    USHORT Blue[256];
} D3DDDI_GAMMA_RAMP_RGB256x3x16;
WDDM_SPELLINGS(D3DDDI_GAMMA_RAMP_RGB256x3x16);

/* Page: ns-d3dukmdt-_d3dddi_gamma_ramp_dxgi_1. */
typedef struct _D3DDDI_GAMMA_RAMP_DXGI_1 {
    D3DDDI_DXGI_RGB Scale;
    D3DDDI_DXGI_RGB Offset;
    D3DDDI_DXGI_RGB GammaCurve[1025];
} D3DDDI_GAMMA_RAMP_DXGI_1;
WDDM_SPELLINGS(D3DDDI_GAMMA_RAMP_DXGI_1);

/* Page: ns-d3dkmdt-_d3dkmdt_gamma_ramp. */
typedef struct _D3DKMDT_GAMMA_RAMP {
    D3DDDI_GAMMARAMP_TYPE Type;
    SIZE_T DataSize;
    union {
        D3DDDI_GAMMA_RAMP_RGB256x3x16 *pRgb256x3x16;
        D3DDDI_GAMMA_RAMP_DXGI_1 *pDxgi1;
        D3DDDI_3x4_COLORSPACE_TRANSFORM *p3x4;
        VOID *pRaw;
    } Data;
} D3DKMDT_GAMMA_RAMP;
WDDM_SPELLINGS(D3DKMDT_GAMMA_RAMP);

/* Page: ns-d3dkmdt-_d3dkmdt_vidpn_present_path. */
typedef struct _D3DKMDT_VIDPN_PRESENT_PATH {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
    D3DKMDT_VIDPN_PRESENT_PATH_IMPORTANCE ImportanceOrdinal;
    D3DKMDT_VIDPN_PRESENT_PATH_TRANSFORMATION ContentTransformation;
    D3DKMDT_2DREGION VisibleFromActiveTLOffset;
    D3DKMDT_2DREGION VisibleFromActiveBROffset;
    D3DKMDT_COLOR_BASIS VidPnTargetColorBasis;
    D3DKMDT_COLOR_COEFF_DYNAMIC_RANGES VidPnTargetColorCoeffDynamicRanges;
    D3DKMDT_VIDPN_PRESENT_PATH_CONTENT Content;
    D3DKMDT_VIDPN_PRESENT_PATH_COPYPROTECTION CopyProtection;
    D3DKMDT_GAMMA_RAMP GammaRamp;
} D3DKMDT_VIDPN_PRESENT_PATH;
WDDM_SPELLINGS(D3DKMDT_VIDPN_PRESENT_PATH);

/* Page: ns-d3dkmdt-_d3dkmdt_video_present_source. */
typedef struct _D3DKMDT_VIDEO_PRESENT_SOURCE {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID Id;
    DWORD dwReserved;
} D3DKMDT_VIDEO_PRESENT_SOURCE;
WDDM_SPELLINGS(D3DKMDT_VIDEO_PRESENT_SOURCE);

/* Page: ne-d3dkmdt-_d3dkmdt_video_output_technology. */
typedef enum _D3DKMDT_VIDEO_OUTPUT_TECHNOLOGY {
    D3DKMDT_VOT_UNINITIALIZED = -2,
    D3DKMDT_VOT_OTHER = -1,
    D3DKMDT_VOT_HD15 = 0,
    D3DKMDT_VOT_SVIDEO = 1,
    D3DKMDT_VOT_COMPOSITE_VIDEO = 2,
    D3DKMDT_VOT_COMPONENT_VIDEO = 3,
    D3DKMDT_VOT_DVI = 4,
    D3DKMDT_VOT_HDMI = 5,
    D3DKMDT_VOT_LVDS = 6,
    D3DKMDT_VOT_D_JPN = 8,
    D3DKMDT_VOT_SDI = 9,
    D3DKMDT_VOT_DISPLAYPORT_EXTERNAL = 10,
    D3DKMDT_VOT_DISPLAYPORT_EMBEDDED = 11,
    D3DKMDT_VOT_UDI_EXTERNAL = 12,
    D3DKMDT_VOT_UDI_EMBEDDED = 13,
    D3DKMDT_VOT_SDTVDONGLE = 14,
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
    D3DKMDT_VOT_MIRACAST = 15,
#endif
    D3DKMDT_VOT_INTERNAL = (INT)0x80000000,
    D3DKMDT_VOT_SVIDEO_4PIN = D3DKMDT_VOT_SVIDEO,
    D3DKMDT_VOT_SVIDEO_7PIN = D3DKMDT_VOT_SVIDEO,
    D3DKMDT_VOT_RF = D3DKMDT_VOT_COMPOSITE_VIDEO,
    D3DKMDT_VOT_RCA_3COMPONENT = D3DKMDT_VOT_COMPONENT_VIDEO,
    D3DKMDT_VOT_BNC = D3DKMDT_VOT_COMPONENT_VIDEO,
} D3DKMDT_VIDEO_OUTPUT_TECHNOLOGY;

/* Page: ne-d3dkmdt-_dxgk_child_device_hpd_awareness. */
typedef enum _DXGK_CHILD_DEVICE_HPD_AWARENESS {
    HpdAwarenessUninitialized = 0,
    HpdAwarenessAlwaysConnected = 1,
    HpdAwarenessNone = 2,
    HpdAwarenessPolled = 3,
    HpdAwarenessInterruptible = 4,
} DXGK_CHILD_DEVICE_HPD_AWARENESS;

/* Page: ne-d3dkmdt-_d3dkmdt_monitor_orientation_awareness. */
typedef enum _D3DKMDT_MONITOR_ORIENTATION_AWARENESS {
    D3DKMDT_MOA_UNINITIALIZED = 0,
    D3DKMDT_MOA_NONE = 1,
    D3DKMDT_MOA_POLLED = 2,
    D3DKMDT_MOA_INTERRUPTIBLE = 3,
} D3DKMDT_MONITOR_ORIENTATION_AWARENESS;

/* Page: ns-d3dkmdt-_d3dkmdt_video_present_target. */
typedef struct _D3DKMDT_VIDEO_PRESENT_TARGET {
    D3DDDI_VIDEO_PRESENT_TARGET_ID Id;
    D3DKMDT_VIDEO_OUTPUT_TECHNOLOGY VideoOutputTechnology;
    DXGK_CHILD_DEVICE_HPD_AWARENESS VideoOutputHpdAwareness;
    D3DKMDT_MONITOR_ORIENTATION_AWARENESS MonitorOrientationAwareness;
    BOOLEAN SupportsSdtvModes;
} D3DKMDT_VIDEO_PRESENT_TARGET;
WDDM_SPELLINGS(D3DKMDT_VIDEO_PRESENT_TARGET);

/* Page: ne-d3dkmdt-_d3dkmdt_monitor_descriptor_type. */
typedef enum _D3DKMDT_MONITOR_DESCRIPTOR_TYPE {
    D3DKMDT_MDT_UNINITIALIZED = 0,
    D3DKMDT_MDT_VESA_EDID_V1_BASEBLOCK = 1,
    D3DKMDT_MDT_VESA_EDID_V1_BLOCKMAP = 2,
    D3DKMDT_MDT_OTHER = 255,
} D3DKMDT_MONITOR_DESCRIPTOR_TYPE;

/* Page: ne-d3dkmdt-_d3dkmdt_monitor_capabilities_origin. */
typedef enum _D3DKMDT_MONITOR_CAPABILITIES_ORIGIN {
    D3DKMDT_MCO_UNINITIALIZED = 0,
    D3DKMDT_MCO_DEFAULTMONITORPROFILE = 1,
    D3DKMDT_MCO_MONITORDESCRIPTOR = 2,
    D3DKMDT_MCO_MONITORDESCRIPTOR_REGISTRYOVERRIDE = 3,
    D3DKMDT_MCO_SPECIFICCAP_REGISTRYOVERRIDE = 4,
    D3DKMDT_MCO_DRIVER = 5,
} D3DKMDT_MONITOR_CAPABILITIES_ORIGIN;

/* Page: ns-d3dkmdt-_d3dkmdt_monitor_descriptor. */
typedef struct _D3DKMDT_MONITOR_DESCRIPTOR {
    D3DKMDT_MONITOR_DESCRIPTOR_ID Id;
    D3DKMDT_MONITOR_DESCRIPTOR_TYPE Type;
    SIZE_T DataSize;
    VOID *pData;
    D3DKMDT_MONITOR_CAPABILITIES_ORIGIN Origin;
} D3DKMDT_MONITOR_DESCRIPTOR;
WDDM_SPELLINGS(D3DKMDT_MONITOR_DESCRIPTOR);

/* Page: ns-d3dkmdt-_d3dkmdt_frequency_range. */
typedef struct _D3DKMDT_FREQUENCY_RANGE {
    D3DDDI_RATIONAL MinVSyncFreq;
    D3DDDI_RATIONAL MaxVSyncFreq;
    D3DDDI_RATIONAL MinHSyncFreq;
    D3DDDI_RATIONAL MaxHSyncFreq;
} D3DKMDT_FREQUENCY_RANGE;
WDDM_SPELLINGS(D3DKMDT_FREQUENCY_RANGE);

/* Page: ne-d3dkmdt-_d3dkmdt_monitor_frequency_range_constraint. */
typedef enum _D3DKMDT_MONITOR_FREQUENCY_RANGE_CONSTRAINT {
    D3DKMDT_MFRC_UNINITIALIZED = 0,
    D3DKMDT_MFRC_ACTIVESIZE = 1,
    D3DKMDT_MFRC_MAXPIXELRATE = 2,
} D3DKMDT_MONITOR_FREQUENCY_RANGE_CONSTRAINT;

/* Page: ns-d3dkmdt-_d3dkmdt_monitor_frequency_range. */
typedef struct _D3DKMDT_MONITOR_FREQUENCY_RANGE {
    D3DKMDT_MONITOR_CAPABILITIES_ORIGIN Origin;
    D3DKMDT_FREQUENCY_RANGE RangeLimits;
    D3DKMDT_MONITOR_FREQUENCY_RANGE_CONSTRAINT ConstraintType;
    union {
        D3DKMDT_2DREGION ActiveSize;
        SIZE_T MaxPixelRate;
    } Constraint;
} D3DKMDT_MONITOR_FREQUENCY_RANGE;
WDDM_SPELLINGS(D3DKMDT_MONITOR_FREQUENCY_RANGE);

/* Page: ns-d3dkmdt-_d3dkmdt_monitor_source_mode. */
typedef struct _D3DKMDT_MONITOR_SOURCE_MODE {
    D3DKMDT_MONITOR_SOURCE_MODE_ID Id;
    D3DKMDT_VIDEO_SIGNAL_INFO VideoSignalInfo;
    D3DKMDT_COLOR_BASIS ColorBasis;
    D3DKMDT_COLOR_COEFF_DYNAMIC_RANGES ColorCoeffDynamicRanges;
    D3DKMDT_MONITOR_CAPABILITIES_ORIGIN Origin;
    D3DKMDT_MODE_PREFERENCE Preference;
} D3DKMDT_MONITOR_SOURCE_MODE;
WDDM_SPELLINGS(D3DKMDT_MONITOR_SOURCE_MODE);

/* Page: ns-d3dkmdt-_dxgk_monitorlinkinfo_capabilities. */
typedef union _DXGK_MONITORLINKINFO_CAPABILITIES {
    struct {
        UINT Stereo : 1;
        UINT WideColorSpace : 1;
        UINT HighColorSpace : 1;
        UINT DynamicColorSpace : 1;
        UINT DynamicBitsPerColorChannel : 1;
        UINT DynamicColorEncodingFormat : 1;
        UINT DedicatedTimingGeneration : 1;
        UINT TargetIndependentPrimary : 1;
        UINT SyncLockIdentical : 1;
        UINT Hdr10Plus : 1;
        UINT DolbyVisionLowLatency : 1;
        UINT VariableRefresh : 1;
        UINT Reserved : 20;
    };
    UINT Value;
} DXGK_MONITORLINKINFO_CAPABILITIES;
WDDM_SPELLINGS(DXGK_MONITORLINKINFO_CAPABILITIES);

/* Page: ns-d3dkmdt-_dxgk_monitorlinkinfo_usagehints. */
typedef union _DXGK_MONITORLINKINFO_USAGEHINTS {
    struct {
        UINT Hidden : 1;
        UINT Reserved : 31;
    };
    UINT Value;
} DXGK_MONITORLINKINFO_USAGEHINTS;
WDDM_SPELLINGS(DXGK_MONITORLINKINFO_USAGEHINTS);

/* Page: ns-d3dkmdt-_d3dkmdt_wire_format_and_preference. */
typedef union _D3DKMDT_WIRE_FORMAT_AND_PREFERENCE {
    struct {
        D3DKMDT_MODE_PREFERENCE Preference : 2;
        UINT Rgb : 6;
        UINT YCbCr444 : 6;
        UINT YCbCr422 : 6;
        UINT YCbCr420 : 6;
        UINT Intensity : 6;
    };
    UINT Value;
} D3DKMDT_WIRE_FORMAT_AND_PREFERENCE;
WDDM_SPELLINGS(D3DKMDT_WIRE_FORMAT_AND_PREFERENCE);

/* Page: ns-d3dkmdt-_dxgk_display_information. */
typedef struct _DXGK_DISPLAY_INFORMATION {
    UINT Width;
    UINT Height;
    UINT Pitch;
    D3DDDIFORMAT ColorFormat;
    PHYSICAL_ADDRESS PhysicAddress;
    D3DDDI_VIDEO_PRESENT_TARGET_ID TargetId;
    ULONG AcpiId;
} DXGK_DISPLAY_INFORMATION;
WDDM_SPELLINGS(DXGK_DISPLAY_INFORMATION);

/* Page: ns-d3dkmdt-_displayid_detailed_timing_type_i. */
typedef struct _DISPLAYID_DETAILED_TIMING_TYPE_I {
    struct {
        ULONG PixelClock : 24;
        ULONG AspectRatio : 3;
        ULONG Reserved : 1;
        ULONG ScanningType : 1;
        ULONG StereoMode : 2;
        ULONG PreferredTiming : 1;
    };
    USHORT HorizontalActivePixels;
    USHORT HorizontalBlankPixels;
    struct {
        USHORT HorizontalFrontPorch : 15;
        USHORT HorizontalSyncPolarity : 1;
    };
    USHORT HorizontalSyncWidth;
    USHORT VerticalActiveLines;
    USHORT VerticalBlankLines;
    struct {
        USHORT VerticalFrontPorch : 15;
        USHORT VerticalSyncPolarity : 1;
    };
    USHORT VerticalSyncWidth;
} DISPLAYID_DETAILED_TIMING_TYPE_I;
WDDM_SPELLINGS(DISPLAYID_DETAILED_TIMING_TYPE_I);

/* Page: ns-d3dkmdt-_dxgk_targetmode_detail_timing. */
typedef struct _DXGK_TARGETMODE_DETAIL_TIMING {
    D3DKMDT_VIDEO_SIGNAL_STANDARD VideoStandard;
    UINT TimingId;
    DISPLAYID_DETAILED_TIMING_TYPE_I DetailTiming;
} DXGK_TARGETMODE_DETAIL_TIMING;
WDDM_SPELLINGS(DXGK_TARGETMODE_DETAIL_TIMING);

/* Page: ns-d3dkmdt-_d3dkmdt_palettedata. */
typedef struct _D3DKMDT_PALETTEDATA {
    BYTE Red;
    BYTE Green;
    BYTE Blue;
    BYTE Unused;
} D3DKMDT_PALETTEDATA;
WDDM_SPELLINGS(D3DKMDT_PALETTEDATA);

/* Page: ns-d3dkmdt-_d3dkmt_move_rect. */
typedef struct _D3DKMT_MOVE_RECT {
    POINT SourcePoint;
    RECT DestRect;
} D3DKMT_MOVE_RECT;
WDDM_SPELLINGS(D3DKMT_MOVE_RECT);

/* Page: ns-d3dkmdt-_d3dkmdt_vidpn_hw_capability. */
typedef struct _D3DKMDT_VIDPN_HW_CAPABILITY {
    UINT DriverRotation : 1;
    UINT DriverScaling : 1;
    UINT DriverCloning : 1;
    UINT DriverColorConvert : 1;
    UINT DriverLinkedAdapaterOutput : 1;
    UINT DriverRemoteDisplay : 1;
    UINT Reserved : 26;
} D3DKMDT_VIDPN_HW_CAPABILITY;
WDDM_SPELLINGS(D3DKMDT_VIDPN_HW_CAPABILITY);

/* Page: ne-d3dkmdt-_d3dkmdt_monitor_timing_type. */
typedef enum _D3DKMDT_MONITOR_TIMING_TYPE {
    D3DKMDT_MTT_UNINITIALIZED = 0,
    D3DKMDT_MTT_ESTABLISHED = 1,
    D3DKMDT_MTT_STANDARD = 2,
    D3DKMDT_MTT_EXTRASTANDARD = 3,
    D3DKMDT_MTT_DETAILED = 4,
    D3DKMDT_MTT_DEFAULTMONITORPROFILE = 5,
    D3DKMDT_MTT_DRIVER = 6,
} D3DKMDT_MONITOR_TIMING_TYPE;

/* Page: ne-d3dkmdt-_d3dkmdt_gtfcompliance. */
typedef enum _D3DKMDT_GTFCOMPLIANCE {
    D3DKMDT_GTF_UNINITIALIZED = 0,
    D3DKMDT_GTF_COMPLIANT = 1,
    D3DKMDT_GTF_NOTCOMPLIANT = 2,
} D3DKMDT_GTFCOMPLIANCE;

/* Page: ne-d3dkmdt-_d3dkmdt_monitor_orientation. */
typedef enum _D3DKMDT_MONITOR_ORIENTATION {
    D3DKMDT_MO_UNINITIALIZED = 0,
    D3DKMDT_MO_0DEG = 1,
    D3DKMDT_MO_90DEG = 2,
    D3DKMDT_MO_180DEG = 3,
    D3DKMDT_MO_270DEG = 4,
} D3DKMDT_MONITOR_ORIENTATION;

/* Page: ne-d3dkmdt-_d3dkmdt_monitor_connectivity_checks. */
typedef enum _D3DKMDT_MONITOR_CONNECTIVITY_CHECKS {
    D3DKMDT_MCC_UNINITIALIZED = 0,
    D3DKMDT_MCC_IGNORE = 1,
    D3DKMDT_MCC_ENFORCE = 2,
} D3DKMDT_MONITOR_CONNECTIVITY_CHECKS;

/* Page: ne-d3dkmdt-_d3dkmdt_enumcofuncmodality_pivot_type. */
typedef enum _D3DKMDT_ENUMCOFUNCMODALITY_PIVOT_TYPE {
    D3DKMDT_EPT_UNINITIALIZED = 0,
    D3DKMDT_EPT_VIDPNSOURCE = 1,
    D3DKMDT_EPT_VIDPNTARGET = 2,
    D3DKMDT_EPT_SCALING = 3,
    D3DKMDT_EPT_ROTATION = 4,
    D3DKMDT_EPT_NOPIVOT = 5,
} D3DKMDT_ENUMCOFUNCMODALITY_PIVOT_TYPE;

/* Page: ne-d3dkmdt-_dxgk_display_descriptor_type. */
typedef enum _DXGK_DISPLAY_DESCRIPTOR_TYPE {
    DXGK_DDT_INVALID = 0,
    DXGK_DDT_EDID,
} DXGK_DISPLAY_DESCRIPTOR_TYPE;

/* Page: ne-d3dkmdt-_dxgk_display_technology. */
typedef enum _DXGK_DISPLAY_TECHNOLOGY {
    DXGK_DT_INVALID = 0,
    DXGK_DT_OTHER,
    DXGK_DT_LCD,
    DXGK_DT_OLED,
} DXGK_DISPLAY_TECHNOLOGY;

/* Page: ne-d3dkmdt-_dxgk_display_usage. */
typedef enum _DXGK_DISPLAY_USAGE {
    DXGK_DU_INVALID = 0,
    DXGK_DU_GENERIC,
    DXGK_DU_AR,
    DXGK_DU_VR,
} DXGK_DISPLAY_USAGE;

/* Page: ns-d3dkmdt-_dxgk_backlight_info. */
typedef struct _DXGK_BACKLIGHT_INFO {
    USHORT BacklightUsersetting;
    USHORT BacklightEffective;
    D3DDDI_GAMMA_RAMP_RGB256x3x16 GammaRamp;
} DXGK_BACKLIGHT_INFO;
WDDM_SPELLINGS(DXGK_BACKLIGHT_INFO);

/* Page: ns-d3dkmdt-_dxgk_brightness_caps. */
typedef struct _DXGK_BRIGHTNESS_CAPS {
    union {
        struct {
            UINT SmoothBrightness : 1;
            UINT AdaptiveBrightness : 1;
            UINT NitsBrightness : 1; /* in millinits, not in percent */
            UINT Reserved : 29;
        };
        UINT Value;
    };
} DXGK_BRIGHTNESS_CAPS;
WDDM_SPELLINGS(DXGK_BRIGHTNESS_CAPS);

/* How far a panel's light may be dimmed; values by the order of its page. */
typedef enum _DXGK_BACKLIGHT_OPTIMIZATION_LEVEL {
    DxgkBacklightOptimizationDisable = 0,
    DxgkBacklightOptimizationDesktop = 1,
    DxgkBacklightOptimizationDynamic = 2,
    DxgkBacklightOptimizationDimmed = 3,
    DxgkBacklightOptimizationEDR = 4,
} DXGK_BACKLIGHT_OPTIMIZATION_LEVEL;

/* Page: ns-d3dkmdt-_dxgk_brightness_state. */
typedef struct _DXGK_BRIGHTNESS_STATE {
    union {
        struct {
            UINT SmoothBrightness : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_BRIGHTNESS_STATE;
WDDM_SPELLINGS(DXGK_BRIGHTNESS_STATE);

/* Page: ne-d3dukmdt-d3dddi_color_space_type. */
typedef enum _D3DDDI_COLOR_SPACE_TYPE {
    D3DDDI_COLOR_SPACE_RGB_FULL_G22_NONE_P709 = 0,
    D3DDDI_COLOR_SPACE_RGB_FULL_G10_NONE_P709 = 1,
    D3DDDI_COLOR_SPACE_RGB_STUDIO_G22_NONE_P709 = 2,
    D3DDDI_COLOR_SPACE_RGB_STUDIO_G22_NONE_P2020 = 3,
    D3DDDI_COLOR_SPACE_RESERVED = 4,
    D3DDDI_COLOR_SPACE_YCBCR_FULL_G22_NONE_P709_X601 = 5,
    D3DDDI_COLOR_SPACE_YCBCR_STUDIO_G22_LEFT_P601 = 6,
    D3DDDI_COLOR_SPACE_YCBCR_FULL_G22_LEFT_P601 = 7,
    D3DDDI_COLOR_SPACE_YCBCR_STUDIO_G22_LEFT_P709 = 8,
    D3DDDI_COLOR_SPACE_YCBCR_FULL_G22_LEFT_P709 = 9,
    D3DDDI_COLOR_SPACE_YCBCR_STUDIO_G22_LEFT_P2020 = 10,
    D3DDDI_COLOR_SPACE_YCBCR_FULL_G22_LEFT_P2020 = 11,
    D3DDDI_COLOR_SPACE_RGB_FULL_G2084_NONE_P2020 = 12,
    D3DDDI_COLOR_SPACE_YCBCR_STUDIO_G2084_LEFT_P2020 = 13,
    D3DDDI_COLOR_SPACE_RGB_STUDIO_G2084_NONE_P2020 = 14,
    D3DDDI_COLOR_SPACE_YCBCR_STUDIO_G22_TOPLEFT_P2020 = 15,
    D3DDDI_COLOR_SPACE_YCBCR_STUDIO_G2084_TOPLEFT_P2020 = 16,
    D3DDDI_COLOR_SPACE_RGB_FULL_G22_NONE_P2020 = 17,
    D3DDDI_COLOR_SPACE_YCBCR_STUDIO_GHLG_TOPLEFT_P2020 = 18,
    D3DDDI_COLOR_SPACE_YCBCR_FULL_GHLG_TOPLEFT_P2020 = 19,
    D3DDDI_COLOR_SPACE_CUSTOM = -1,
} D3DDDI_COLOR_SPACE_TYPE;

/* Page: ns-d3dkmdt-_dxgkarg_setpalette. */
typedef struct _DXGKARG_SETPALETTE {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    UINT FirstEntry;
    UINT NumEntries;
    D3DKMDT_PALETTEDATA *pLookupTable;
} DXGKARG_SETPALETTE;
WDDM_SPELLINGS(DXGKARG_SETPALETTE);

/* Page: ne-d3dukmdt-_d3dddi_hdr_metadata_type. */
typedef enum _D3DDDI_HDR_METADATA_TYPE {
    D3DDDI_HDR_METADATA_TYPE_NONE = 0,
    D3DDDI_HDR_METADATA_TYPE_HDR10 = 1,
} D3DDDI_HDR_METADATA_TYPE;

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMDT_DISPLAY_H */
