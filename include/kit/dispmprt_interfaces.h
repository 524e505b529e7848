/*
 * dispmprt_interfaces.h: the interfaces that DxgkDdiQueryInterface and DxgkCbQueryServices hand
 * over: tables of routines, each behind a Size, a Version and a Context that its routines get.
 *
 *     of the driver's          brightness of a panel (1 to 3), I2C to a monitor
 *     of the kernel's          debug reports, timed operations, tables of the firmware
 *
 * The kit asks a driver for none of them, and answers STATUS_NOT_SUPPORTED where it is asked.
 *
 * Source: the pages of dispmprt.h, "DxgkDdiQueryInterface", "Supporting brightness controls on
 * integrated display panels"; the GUIDs, those of the device interface classes' pages.
 */
#ifndef KIT_DISPMPRT_INTERFACES_H
#define KIT_DISPMPRT_INTERFACES_H

#include "wdm.h"
#include "d3dkmddi.h"

KIT_BEGIN

DEFINE_GUID(GUID_DEVINTERFACE_I2C, 0x2564AA4F, 0xDDDB, 0x4495, 0xB4, 0x97, 0x6A, 0xD4, 0xA8, 0x41,
            0x63, 0xD7);
DEFINE_GUID(GUID_DEVINTERFACE_BRIGHTNESS, 0xFDE5BBA4, 0xB3F9, 0x46FB, 0xBD, 0xAA, 0x07, 0x28, 0xCE,
            0x31, 0x00, 0xB4);
DEFINE_GUID(GUID_DEVINTERFACE_OPM, 0xBF4672DE, 0x6B4E, 0x4BE4, 0xA3, 0x25, 0x68, 0xA9, 0x1E, 0xA4,
            0x9C, 0x09);

/* The head of each table here. */
#define KIT_INTERFACE_HEAD                                                                         \
    USHORT Size;                                                                                   \
    USHORT Version;                                                                                \
    PVOID Context;                                                                                 \
    PINTERFACE_REFERENCE InterfaceReference;                                                       \
    PINTERFACE_DEREFERENCE InterfaceDereference

/* ---- brightness ---- */

#define DXGK_BRIGHTNESS_INTERFACE_VERSION_1 0x01
#define DXGK_BRIGHTNESS_INTERFACE_VERSION_2 0x02
#define DXGK_BRIGHTNESS_INTERFACE_VERSION_3 0x03

typedef NTSTATUS (*DXGK_BRIGHTNESS_GET_POSSIBLE)(PVOID Context, ULONG BufferSize, PUCHAR LevelCount,
                                                 PUCHAR BrightnessLevels);
typedef NTSTATUS (*DXGK_BRIGHTNESS_SET)(PVOID Context, UCHAR Brightness);
typedef NTSTATUS (*DXGK_BRIGHTNESS_GET)(PVOID Context, PUCHAR Brightness);
typedef NTSTATUS (*DXGK_BRIGHTNESS_GET_CAPS)(PVOID Context, PDXGK_BRIGHTNESS_CAPS BrightnessCaps);
typedef NTSTATUS (*DXGK_BRIGHTNESS_SET_STATE)(PVOID Context,
                                              PDXGK_BRIGHTNESS_STATE BrightnessState);
typedef NTSTATUS (*DXGK_BRIGHTNESS_SET_BACKLIGHT_OPTIMIZATION)(
    PVOID Context, DXGK_BACKLIGHT_OPTIMIZATION_LEVEL OptimizationLevel);
typedef NTSTATUS (*DXGK_BRIGHTNESS_GET_BACKLIGHT_REDUCTION)(PVOID Context,
                                                            PDXGK_BACKLIGHT_INFO BacklightInfo);

typedef struct {
    KIT_INTERFACE_HEAD;
    DXGK_BRIGHTNESS_GET_POSSIBLE GetPossibleBrightness;
    DXGK_BRIGHTNESS_SET SetBrightness;
    DXGK_BRIGHTNESS_GET GetBrightness;
} DXGK_BRIGHTNESS_INTERFACE, *PDXGK_BRIGHTNESS_INTERFACE;

typedef struct {
    KIT_INTERFACE_HEAD;
    DXGK_BRIGHTNESS_GET_POSSIBLE GetPossibleBrightness;
    DXGK_BRIGHTNESS_SET SetBrightness;
    DXGK_BRIGHTNESS_GET GetBrightness;
    DXGK_BRIGHTNESS_GET_CAPS GetBrightnessCaps;
    DXGK_BRIGHTNESS_SET_STATE SetBrightnessState;
    DXGK_BRIGHTNESS_SET_BACKLIGHT_OPTIMIZATION SetBacklightOptimization;
    DXGK_BRIGHTNESS_GET_BACKLIGHT_REDUCTION GetBacklightReduction;
} DXGK_BRIGHTNESS_INTERFACE_2, *PDXGK_BRIGHTNESS_INTERFACE_2;

/* The light around the panel. Its pages give no types: float is taken to be so. */
typedef struct _DXGK_BRIGHTNESS_SENSOR_DATA_CHROMATICITY {
    float ChromaticityX, ChromaticityY;
} DXGK_BRIGHTNESS_SENSOR_DATA_CHROMATICITY;

typedef struct _DXGK_BRIGHTNESS_SENSOR_DATA {
    UINT32 Size;
    union {
        struct {
            UINT32 AlsReadingValid : 1;
            UINT32 ChromaticityValid : 1;
            UINT32 ColorTemperatureValid : 1;
            UINT32 Reserved : 29;
        } Flags;
        UINT32 ValidSensorValues;
    };
    float AlsReading; /* lux */
    DXGK_BRIGHTNESS_SENSOR_DATA_CHROMATICITY Chromaticity;
    float ColorTemperature; /* K */
} DXGK_BRIGHTNESS_SENSOR_DATA, *PDXGK_BRIGHTNESS_SENSOR_DATA;

typedef struct _DXGK_BRIGHTNESS_SET_IN {
    ULONG BrightnessMillinits;
    ULONG TransitionTimeMs;
    DXGK_BRIGHTNESS_SENSOR_DATA SensorReadings;
} DXGK_BRIGHTNESS_SET_IN, *PDXGK_BRIGHTNESS_SET_IN;

typedef struct _DXGK_BRIGHTNESS_GET_OUT {
    ULONG CurrentBrightnessMillinits;
    ULONG TargetBrightnessMillinits;
} DXGK_BRIGHTNESS_GET_OUT, *PDXGK_BRIGHTNESS_GET_OUT;

typedef struct _DXGK_BRIGHTNESS_NIT_RANGE {
    ULONG MinimumLevelMillinit, MaximumLevelMillinit, StepSizeMillinit;
} DXGK_BRIGHTNESS_NIT_RANGE, *PDXGK_BRIGHTNESS_NIT_RANGE;

#define DXGK_BRIGHTNESS_MAXIMUM_NIT_RANGE_COUNT 16
typedef struct _DXGK_BRIGHTNESS_GET_NIT_RANGES_OUT {
    ULONG NormalRangeCount;
    ULONG RangeCount;
    ULONG PreferredMaximumBrightness;
    DXGK_BRIGHTNESS_NIT_RANGE SupportedRanges[DXGK_BRIGHTNESS_MAXIMUM_NIT_RANGE_COUNT];
} DXGK_BRIGHTNESS_GET_NIT_RANGES_OUT, *PDXGK_BRIGHTNESS_GET_NIT_RANGES_OUT;

typedef NTSTATUS (*DXGK_BRIGHTNESS_SET_3)(PVOID Context, ULONG ChildUid,
                                          PDXGK_BRIGHTNESS_SET_IN pIn);
typedef NTSTATUS (*DXGK_BRIGHTNESS_GET_3)(PVOID Context, ULONG ChildUid,
                                          PDXGK_BRIGHTNESS_GET_OUT pOut);
typedef NTSTATUS (*DXGK_BRIGHTNESS_GET_CAPS_3)(PVOID Context, ULONG ChildUid,
                                               PDXGK_BRIGHTNESS_CAPS pBrightnessCaps);
typedef NTSTATUS (*DXGK_BRIGHTNESS_GET_NIT_RANGES)(PVOID Context, ULONG ChildUid,
                                                   PDXGK_BRIGHTNESS_GET_NIT_RANGES_OUT pOut);
typedef NTSTATUS (*DXGK_BRIGHTNESS_SET_BACKLIGHT_OPTIMIZATION_3)(
    PVOID Context, ULONG ChildUid, DXGK_BACKLIGHT_OPTIMIZATION_LEVEL OptimizationLevel);

typedef struct {
    KIT_INTERFACE_HEAD;
    DXGK_BRIGHTNESS_SET_3 SetBrightness;
    DXGK_BRIGHTNESS_GET_3 GetBrightness;
    DXGK_BRIGHTNESS_GET_CAPS_3 GetBrightnessCaps;
    DXGK_BRIGHTNESS_GET_NIT_RANGES GetNitRanges;
    DXGK_BRIGHTNESS_SET_BACKLIGHT_OPTIMIZATION_3 SetBacklightOptimization;
} DXGK_BRIGHTNESS_INTERFACE_3, *PDXGK_BRIGHTNESS_INTERFACE_3;

/* ---- I2C ---- */

#define DXGK_I2C_INTERFACE_VERSION_1 0x01

typedef NTSTATUS DXGKDDI_I2C_TRANSMIT_DATA_TO_DISPLAY(PVOID MiniportDeviceContext,
                                                      ULONG VidPnTargetId, ULONG SevenBitI2CAddress,
                                                      ULONG DataLength, const PVOID Data);
typedef NTSTATUS DXGKDDI_I2C_RECEIVE_DATA_FROM_DISPLAY(PVOID MiniportDeviceContext,
                                                       ULONG VidPnTargetId,
                                                       ULONG SevenBitI2CAddress, ULONG Flags,
                                                       ULONG DataLength, PVOID Data);
typedef DXGKDDI_I2C_TRANSMIT_DATA_TO_DISPLAY *PDXGKDDI_I2C_TRANSMIT_DATA_TO_DISPLAY;
typedef DXGKDDI_I2C_RECEIVE_DATA_FROM_DISPLAY *PDXGKDDI_I2C_RECEIVE_DATA_FROM_DISPLAY;

typedef struct _DXGK_I2C_INTERFACE {
    KIT_INTERFACE_HEAD;
    PDXGKDDI_I2C_TRANSMIT_DATA_TO_DISPLAY DxgkDdiI2CTransmitDataToDisplay;
    PDXGKDDI_I2C_RECEIVE_DATA_FROM_DISPLAY DxgkDdiI2CReceiveDataFromDisplay;
} DXGK_I2C_INTERFACE, *PDXGK_I2C_INTERFACE;

/* ---- the kernel's: DxgkCbQueryServices ---- */

#define DXGK_DEBUG_REPORT_INTERFACE_VERSION_1 0x01
#define DXGK_DEBUG_REPORT_MAX_SIZE 0xF800

typedef struct _DXGK_DEBUG_REPORT *DXGK_DEBUG_REPORT_HANDLE;

typedef struct _DXGK_DEBUG_REPORT_INTERFACE {
    KIT_INTERFACE_HEAD;
    DXGK_DEBUG_REPORT_HANDLE(*DbgReportCreate)
    (HANDLE DeviceHandle, ULONG ulCode, ULONG_PTR ulpArg1, ULONG_PTR ulpArg2, ULONG_PTR ulpArg3,
     ULONG_PTR ulpArg4);
    BOOLEAN(*DbgReportSecondaryData)
    (DXGK_DEBUG_REPORT_HANDLE hReport, PVOID pvData, ULONG ulDataSize);
    VOID (*DbgReportComplete)(DXGK_DEBUG_REPORT_HANDLE hReport);
} DXGK_DEBUG_REPORT_INTERFACE, *PDXGK_DEBUG_REPORT_INTERFACE;

#define DXGK_TIMED_OPERATION_INTERFACE_VERSION_1 0x01

typedef struct _DXGK_TIMED_OPERATION {
    USHORT Size;
    ULONG_PTR OwnerTag;
    BOOLEAN OsHandled;
    BOOLEAN TimeoutTriggered;
    LARGE_INTEGER Timeout;
    LARGE_INTEGER StartTick;
} DXGK_TIMED_OPERATION, *PDXGK_TIMED_OPERATION;

typedef struct _DXGK_TIMED_OPERATION_INTERFACE {
    KIT_INTERFACE_HEAD;
    NTSTATUS(*TimedOperationStart)
    (DXGK_TIMED_OPERATION *Op, const LARGE_INTEGER *Timeout, BOOLEAN OsHandled);
    NTSTATUS(*TimedOperationDelay)
    (DXGK_TIMED_OPERATION *Op, KPROCESSOR_MODE WaitMode, BOOLEAN Alertable,
     const LARGE_INTEGER *Interval);
    NTSTATUS(*TimedOperationWaitForSingleObject)
    (DXGK_TIMED_OPERATION *Op, PVOID Object, KWAIT_REASON WaitReason, KPROCESSOR_MODE WaitMode,
     BOOLEAN Alertable, const LARGE_INTEGER *Timeout);
} DXGK_TIMED_OPERATION_INTERFACE, *PDXGK_TIMED_OPERATION_INTERFACE;

#define DXGK_FIRMWARE_TABLE_INTERFACE_VERSION_1 0x01

typedef struct _DXGK_FIRMWARE_TABLE_INTERFACE {
    KIT_INTERFACE_HEAD;
    NTSTATUS(*EnumSystemFirmwareTables)
    (PVOID Context, ULONG ProviderSignature, ULONG BufferSize, PVOID Buffer, PULONG RequiredSize);
    NTSTATUS(*ReadSystemFirmwareTable)
    (PVOID Context, ULONG ProviderSignature, ULONG TableId, ULONG BufferSize, PVOID Buffer,
     PULONG RequiredSize);
} DXGK_FIRMWARE_TABLE_INTERFACE, *PDXGK_FIRMWARE_TABLE_INTERFACE;

KIT_END

#endif /* KIT_DISPMPRT_INTERFACES_H */
