/*
 * dispmprt.h: how a display miniport driver introduces itself, starts and stops.
 *
 *     DriverEntry -> DxgkInitialize(DRIVER_INITIALIZATION_DATA)
 *         AddDevice      a device is there: the driver makes a context block for it
 *         StartDevice    DXGK_START_INFO and DXGKRNL_INTERFACE come in, outputs are counted
 *         QueryAdapterInfo, CreateDevice, ... (d3dkmddi.h)
 *         StopDevice
 *         RemoveDevice   the context block goes
 *     Unload
 *
 * Types of the newest diagnostics are opaque, the others are declared. Pages: nc-dispmprt-dxgkddi_NAME, nc-dispmprt-dxgkcb_NAME.
 */
#ifndef WDDM_DISPMPRT_H
#define WDDM_DISPMPRT_H

#include "d3dkmddi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The child number that stands for the adapter itself, where a call takes one. */
#define DISPLAY_ADAPTER_HW_ID 0xFFFFFFFF

/* ---- Starting ---- */

/* What the driver learns when it is started. Page: ns-dispmprt-_dxgk_start_info. */
typedef struct _DXGK_START_INFO {
    ULONG RequiredDmaQueueEntry; /* in: submissions that may be in flight at once; never exceeded */
    GUID AdapterGuid;            /* in: names the adapter across reboots */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    LUID AdapterLuid;            /* in: names the adapter until the next boot */
#endif
} DXGK_START_INFO;

/* Page: ne-dispmprt-docking_state. */
typedef enum _DOCKING_STATE {
    DockStateUnsupported = 0,
    DockStateUnDocked = 1,
    DockStateDocked = 2,
    DockStateUnknown = 3,
} DOCKING_STATE;

/*
 * What the driver learns of its device, by DxgkCbGetDeviceInformation.
 * Page: ns-dispmprt-_dxgk_device_info.
 */
typedef struct _DXGK_DEVICE_INFO {
    PVOID MiniportDeviceContext;              /* out: what DxgkDdiAddDevice returned */
    PDEVICE_OBJECT PhysicalDeviceObject;      /* out */
    UNICODE_STRING DeviceRegistryPath;        /* out: where the driver keeps settings */
    PCM_RESOURCE_LIST TranslatedResourceList; /* out: registers, memory ranges, interrupts */
    LARGE_INTEGER SystemMemorySize;           /* out: bytes */
    PHYSICAL_ADDRESS HighestPhysicalAddress;  /* out: of system memory */
    PHYSICAL_ADDRESS AgpApertureBase;         /* out */
    SIZE_T AgpApertureSize;                   /* out: bytes; 0: there is none */
    DOCKING_STATE DockingState;               /* out */
} DXGK_DEVICE_INFO;

/* ---- Children ---- */

/* What a child is. Page: ne-dispmprt-_dxgk_child_device_type. */
typedef enum _DXGK_CHILD_DEVICE_TYPE {
    TypeUninitialized = 0,
    TypeVideoOutput = 1,       /* an output that something can be plugged into */
    TypeOther = 2,             /* no output: a tuner, a codec */
    TypeIntegratedDisplay = 3, /* an output with its display built in */
} DXGK_CHILD_DEVICE_TYPE;

/* An output. Page: ns-dispmprt-_dxgk_video_output_capabilities. */
typedef struct _DXGK_VIDEO_OUTPUT_CAPABILITIES {
    INT InterfaceTechnology;          /* out: the connector, D3DKMDT_VIDEO_OUTPUT_TECHNOLOGY */
    INT MonitorOrientationAwareness;  /* out: can it tell how the monitor stands */
    BOOLEAN SupportsSdtvModes;        /* out: shows television modes */
} DXGK_VIDEO_OUTPUT_CAPABILITIES;

/* A built-in display. Page: ns-dispmprt-_dxgk_integrated_display_child. */
typedef struct _DXGK_INTEGRATED_DISPLAY_CHILD {
    INT InterfaceTechnology;  /* out: the connector */
    USHORT DescriptorLength;  /* out: bytes of its descriptor */
} DXGK_INTEGRATED_DISPLAY_CHILD;

/* Page: ns-dispmprt-_dxgk_child_capabilities. */
typedef struct _DXGK_CHILD_CAPABILITIES {
    union {
        DXGK_VIDEO_OUTPUT_CAPABILITIES VideoOutput;
        struct {
            UINT MustBeZero;
        } Other;
        DXGK_INTEGRATED_DISPLAY_CHILD IntegratedDisplayChild;
    } Type;
    INT HpdAwareness; /* out: how plugging is noticed, DXGK_CHILD_DEVICE_HPD_AWARENESS */
} DXGK_CHILD_CAPABILITIES;

/*
 * One child of the adapter. DxgkDdiQueryChildRelations fills an array of these; the caller gives
 * one more than DxgkDdiStartDevice counted, all zeroed, and the last one stays so.
 * Page: ns-dispmprt-_dxgk_child_descriptor.
 */
typedef struct _DXGK_CHILD_DESCRIPTOR {
    DXGK_CHILD_DEVICE_TYPE ChildDeviceType;    /* out */
    DXGK_CHILD_CAPABILITIES ChildCapabilities; /* out */
    ULONG AcpiUid;                             /* out: its id in firmware, or 0 */
    ULONG ChildUid;                            /* out: the driver's number of it */
} DXGK_CHILD_DESCRIPTOR, *PDXGK_CHILD_DESCRIPTOR;

/* What is asked or reported of a child. Page: ne-dispmprt-_dxgk_child_status_type. */
typedef enum _DXGK_CHILD_STATUS_TYPE {
    StatusUninitialized = 0,
    StatusConnection = 1,
    StatusRotation = 2,
    StatusMiracastConnection = 3,
} DXGK_CHILD_STATUS_TYPE;

/* How a child is. Page: ns-dispmprt-_dxgk_child_status. */
typedef struct _DXGK_CHILD_STATUS {
    DXGK_CHILD_STATUS_TYPE Type; /* in: which member of the union is meant */
    ULONG ChildUid;              /* in */
    union {
        struct {
            BOOLEAN Connected;
        } HotPlug;
        struct {
            UCHAR Angle;
        } Rotation;
        struct {
            BOOLEAN Connected;
            INT MiracastMonitorType;
        } Miracast;
    };
} DXGK_CHILD_STATUS, *PDXGK_CHILD_STATUS;

/* A piece of a monitor's EDID. Page: ns-dispmprt-_dxgk_device_descriptor. */
typedef struct _DXGK_DEVICE_DESCRIPTOR {
    ULONG DescriptorOffset; /* in: bytes into the EDID */
    ULONG DescriptorLength; /* in: bytes wanted */
    PVOID DescriptorBuffer; /* out: the driver writes them here */
} DXGK_DEVICE_DESCRIPTOR, *PDXGK_DEVICE_DESCRIPTOR;

/* ---- Events ---- */

/* Page: ne-dispmprt-_dxgk_event_type. */
typedef enum _DXGK_EVENT_TYPE {
    DxgkUndefinedEvent = 0,
    DxgkAcpiEvent = 1,
    DxgkPowerStateEvent = 2,
    DxgkDockingEvent = 3,
    DxgkChainedAcpiEvent = 4,
} DXGK_EVENT_TYPE;

/* Page: ne-dispmprt-_dxgk_surprise_removal_type. */
typedef enum _DXGK_SURPRISE_REMOVAL_TYPE {
    DxgkRemovalHibernation = 0,
    DxgkRemovalPnPNotify = 1,
} DXGK_SURPRISE_REMOVAL_TYPE;

/* Tables of functions that DxgkCbQueryServices has. Page: ne-dispmprt-dxgk_services. */
typedef enum _DXGK_SERVICES {
    DxgkServicesAgp = 0,
    DxgkServicesDebugReport = 1,
    DxgkServicesTimedOperation = 2,
    DxgkServicesSPB = 3,
    DxgkServicesBDD = 4,
    DxgkServicesFirmwareTable = 5,
    DxgkServicesIDD = 6,
} DXGK_SERVICES;

/* ---- Types that calls name ---- */

typedef struct _DXGKRNL_INTERFACE DXGKRNL_INTERFACE, *PDXGKRNL_INTERFACE;
WDDM_SPELLINGS(DXGK_START_INFO);
WDDM_SPELLINGS(DXGK_DEVICE_INFO);

WDDM_OPAQUE(DXGKARG_QUERYDIAGNOSTICTYPESSUPPORT);
WDDM_OPAQUE(DXGKARG_CONTROLDIAGNOSTICREPORTING);
WDDM_OPAQUE(DXGKARG_SETTARGETADJUSTEDCOLORIMETRY2);
WDDM_OPAQUE(DXGKARG_COLLECTDIAGNOSTICINFO);
WDDM_OPAQUE(ACPI_EVAL_INPUT_BUFFER_COMPLEX);
WDDM_OPAQUE(ACPI_EVAL_OUTPUT_BUFFER);
WDDM_OPAQUE(DXGK_DIAGNOSTIC_HEADER);

/* One adapter of several that drive one display. Page: ns-dispmprt-_linked_device. */
typedef struct _LINKED_DEVICE {
    ULONG ChainUid;             /* in: names the chain */
    ULONG NumberOfLinksInChain; /* in */
    BOOLEAN LeadLink;           /* in: is this the first of them */
} LINKED_DEVICE;
WDDM_SPELLINGS(LINKED_DEVICE);

/* The thing that a child is a part of. Page: ns-dispmprt-_dxgk_child_container_id. */
typedef struct _DXGK_CHILD_CONTAINER_ID {
    GUID ContainerId; /* out */
    struct {
        ULONG64 PortId;
        USHORT ManufacturerName;
        USHORT ProductCode;
    } EldInfo; /* in: what its sound part says */
} DXGK_CHILD_CONTAINER_ID;
WDDM_SPELLINGS(DXGK_CHILD_CONTAINER_ID);

/* What is agreed on before starting. Page: ns-dispmprt-_dxgk_pre_start_info. */
typedef struct _DXGK_PRE_START_INFO {
    union {
        struct {
            UINT ReservedIn;
        };
        UINT Input;
    };
    union {
        struct {
            UINT SupportPreserveBootDisplay : 1;
            UINT IsUEFIFrameBufferCpuAccessibleDuringStartup : 1;
            UINT ReservedOut : 30;
        };
        UINT Output;
    };
} DXGK_PRE_START_INFO;
WDDM_SPELLINGS(DXGK_PRE_START_INFO);

/* What is in the frame buffer that firmware left. Page: ne-dispmprt-_dxgk_framebuffer_state. */
typedef enum _DXGK_FRAMEBUFFER_STATE {
    FrameBufferStateUnknown = 0,
    FrameBufferStateFirmwareIntact = 1,
} DXGK_FRAMEBUFFER_STATE;

/* Page: ns-dispmprt-_dxgk_display_ownership_flags. */
typedef struct _DXGK_DISPLAY_OWNERSHIP_FLAGS {
    union {
        struct {
            UINT FrameBufferState : 4; /* DXGK_FRAMEBUFFER_STATE */
            UINT Reserved : 28;
        };
        UINT Value;
    };
} DXGK_DISPLAY_OWNERSHIP_FLAGS;
WDDM_SPELLINGS(DXGK_DISPLAY_OWNERSHIP_FLAGS);

/* Nothing is defined yet. Page: nc-dispmprt-dxgkddi_system_display_enable. */
typedef struct _DXGKARG_SYSTEM_DISPLAY_ENABLE_FLAGS {
    union {
        struct {
            UINT Reserved : 32;
        };
        UINT Value;
    };
} DXGKARG_SYSTEM_DISPLAY_ENABLE_FLAGS;
WDDM_SPELLINGS(DXGKARG_SYSTEM_DISPLAY_ENABLE_FLAGS);

/* How a request ended. Page: ns-video-_status_block. */
typedef struct _STATUS_BLOCK {
    LONG Status;
    ULONG_PTR Information;
} STATUS_BLOCK, *PSTATUS_BLOCK;

/* A device-control request. Page: ns-video-_video_request_packet. */
typedef struct _VIDEO_REQUEST_PACKET {
    ULONG IoControlCode;
    PSTATUS_BLOCK StatusBlock;
    PVOID InputBuffer;
    ULONG InputBufferLength;  /* bytes */
    PVOID OutputBuffer;
    ULONG OutputBufferLength; /* bytes */
} VIDEO_REQUEST_PACKET;
WDDM_SPELLINGS(VIDEO_REQUEST_PACKET);

/* Another driver asks for a table of functions. Page: ns-video-_query_interface. */
typedef struct _QUERY_INTERFACE {
    const GUID *InterfaceType;   /* in */
    USHORT Size;                 /* in: bytes of Interface */
    USHORT Version;              /* in */
    PINTERFACE Interface;        /* out */
    PVOID InterfaceSpecificData; /* in */
} QUERY_INTERFACE;
WDDM_SPELLINGS(QUERY_INTERFACE);

/* ---- Entry points: coming and going ---- */

/* A device was found. The context block that is returned names it in all later calls. */
typedef NTSTATUS DXGKDDI_ADD_DEVICE(PDEVICE_OBJECT PhysicalDeviceObject,
                                    PVOID *MiniportDeviceContext);
typedef DXGKDDI_ADD_DEVICE *PDXGKDDI_ADD_DEVICE;

/* Bring the device up; count its outputs. STATUS_SUCCESS, or it is not started. */
typedef NTSTATUS DXGKDDI_START_DEVICE(PVOID MiniportDeviceContext, DXGK_START_INFO *DxgkStartInfo,
                                      DXGKRNL_INTERFACE *DxgkInterface,
                                      PULONG NumberOfVideoPresentSources, PULONG NumberOfChildren);
typedef DXGKDDI_START_DEVICE *PDXGKDDI_START_DEVICE;

/* Bring it down. Nothing is queued and nothing is allocated any more. */
typedef NTSTATUS DXGKDDI_STOP_DEVICE(PVOID MiniportDeviceContext);
typedef DXGKDDI_STOP_DEVICE *PDXGKDDI_STOP_DEVICE;

/* Free the context block. */
typedef NTSTATUS DXGKDDI_REMOVE_DEVICE(PVOID MiniportDeviceContext);
typedef DXGKDDI_REMOVE_DEVICE *PDXGKDDI_REMOVE_DEVICE;

/* Back to what firmware can use. IRQL: any. */
typedef VOID DXGKDDI_RESET_DEVICE(PVOID MiniportDeviceContext);
typedef DXGKDDI_RESET_DEVICE *PDXGKDDI_RESET_DEVICE;

/* The driver leaves memory. */
typedef VOID DXGKDDI_UNLOAD(VOID);
typedef DXGKDDI_UNLOAD *PDXGKDDI_UNLOAD;

typedef NTSTATUS DXGKDDI_LINK_DEVICE(PDEVICE_OBJECT PhysicalDeviceObject,
                                     PVOID MiniportDeviceContext, LINKED_DEVICE *LinkedDevice);
typedef DXGKDDI_LINK_DEVICE *PDXGKDDI_LINK_DEVICE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
typedef NTSTATUS DXGKDDI_STOP_DEVICE_AND_RELEASE_POST_DISPLAY_OWNERSHIP(
    PVOID MiniportDeviceContext, D3DDDI_VIDEO_PRESENT_TARGET_ID TargetId,
    DXGK_DISPLAY_INFORMATION *DisplayInfo);
typedef DXGKDDI_STOP_DEVICE_AND_RELEASE_POST_DISPLAY_OWNERSHIP
    *PDXGKDDI_STOP_DEVICE_AND_RELEASE_POST_DISPLAY_OWNERSHIP;

typedef NTSTATUS DXGKDDI_NOTIFY_SURPRISE_REMOVAL(PVOID MiniportDeviceContext,
                                                 DXGK_SURPRISE_REMOVAL_TYPE RemovalType);
typedef DXGKDDI_NOTIFY_SURPRISE_REMOVAL *PDXGKDDI_NOTIFY_SURPRISE_REMOVAL;
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
typedef NTSTATUS DXGKDDI_EXCHANGEPRESTARTINFO(HANDLE hAdapter, DXGK_PRE_START_INFO *pPreStartInfo);
typedef DXGKDDI_EXCHANGEPRESTARTINFO *PDXGKDDI_EXCHANGEPRESTARTINFO;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_2 */

/* ---- Entry points: interrupts ---- */

/* The line or message interrupted. TRUE: it was this device. IRQL: device interrupt. */
typedef BOOLEAN DXGKDDI_INTERRUPT_ROUTINE(PVOID MiniportDeviceContext, ULONG MessageNumber);
typedef DXGKDDI_INTERRUPT_ROUTINE *PDXGKDDI_INTERRUPT_ROUTINE;

/* What the interrupt left to do; calls DxgkCbNotifyDpc. IRQL: DISPATCH_LEVEL. */
typedef VOID DXGKDDI_DPC_ROUTINE(PVOID MiniportDeviceContext);
typedef DXGKDDI_DPC_ROUTINE *PDXGKDDI_DPC_ROUTINE;

/* Called by DxgkCbExcludeAdapterAccess while the adapter is quiet. */
typedef VOID DXGKDDI_PROTECTED_CALLBACK(PVOID MiniportDeviceContext, PVOID ProtectedCallbackContext,
                                        NTSTATUS ProtectionStatus);
typedef DXGKDDI_PROTECTED_CALLBACK *PDXGKDDI_PROTECTED_CALLBACK;

/* ---- Entry points: children and power ---- */

/* Fill the array of children; ChildRelationsSize is bytes. */
typedef NTSTATUS DXGKDDI_QUERY_CHILD_RELATIONS(PVOID MiniportDeviceContext,
                                               DXGK_CHILD_DESCRIPTOR *ChildRelations,
                                               ULONG ChildRelationsSize);
typedef DXGKDDI_QUERY_CHILD_RELATIONS *PDXGKDDI_QUERY_CHILD_RELATIONS;

/* Is a child connected? Without waiting for hardware if NonDestructiveOnly. */
typedef NTSTATUS DXGKDDI_QUERY_CHILD_STATUS(PVOID MiniportDeviceContext,
                                            DXGK_CHILD_STATUS *ChildStatus,
                                            BOOLEAN NonDestructiveOnly);
typedef DXGKDDI_QUERY_CHILD_STATUS *PDXGKDDI_QUERY_CHILD_STATUS;

/* Read a monitor's EDID. */
typedef NTSTATUS DXGKDDI_QUERY_DEVICE_DESCRIPTOR(PVOID MiniportDeviceContext, ULONG ChildUid,
                                                 DXGK_DEVICE_DESCRIPTOR *DeviceDescriptor);
typedef DXGKDDI_QUERY_DEVICE_DESCRIPTOR *PDXGKDDI_QUERY_DEVICE_DESCRIPTOR;

/* Change the power of the adapter (DeviceUid DISPLAY_ADAPTER_HW_ID) or of a child. */
typedef NTSTATUS DXGKDDI_SET_POWER_STATE(PVOID MiniportDeviceContext, ULONG DeviceUid,
                                         DEVICE_POWER_STATE DevicePowerState,
                                         POWER_ACTION ActionType);
typedef DXGKDDI_SET_POWER_STATE *PDXGKDDI_SET_POWER_STATE;

typedef NTSTATUS DXGKDDI_NOTIFY_ACPI_EVENT(PVOID MiniportDeviceContext, DXGK_EVENT_TYPE EventType,
                                           ULONG Event, PVOID Argument, PULONG AcpiFlags);
typedef DXGKDDI_NOTIFY_ACPI_EVENT *PDXGKDDI_NOTIFY_ACPI_EVENT;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
typedef NTSTATUS DXGKDDI_GET_CHILD_CONTAINER_ID(PVOID MiniportDeviceContext, ULONG ChildUid,
                                                DXGK_CHILD_CONTAINER_ID *ContainerId);
typedef DXGKDDI_GET_CHILD_CONTAINER_ID *PDXGKDDI_GET_CHILD_CONTAINER_ID;
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

/* ---- Entry points: others ---- */

typedef NTSTATUS DXGKDDI_DISPATCH_IO_REQUEST(PVOID MiniportDeviceContext, ULONG VidPnSourceId,
                                             VIDEO_REQUEST_PACKET *VideoRequestPacket);
typedef DXGKDDI_DISPATCH_IO_REQUEST *PDXGKDDI_DISPATCH_IO_REQUEST;

typedef NTSTATUS DXGKDDI_QUERY_INTERFACE(PVOID MiniportDeviceContext,
                                         QUERY_INTERFACE *QueryInterface);
typedef DXGKDDI_QUERY_INTERFACE *PDXGKDDI_QUERY_INTERFACE;

typedef VOID DXGKDDI_CONTROL_ETW_LOGGING(BOOLEAN Enable, ULONG Flags, UCHAR Level);
typedef DXGKDDI_CONTROL_ETW_LOGGING *PDXGKDDI_CONTROL_ETW_LOGGING;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
typedef NTSTATUS DXGKDDI_SYSTEM_DISPLAY_ENABLE(PVOID MiniportDeviceContext,
                                               D3DDDI_VIDEO_PRESENT_TARGET_ID TargetId,
                                               DXGKARG_SYSTEM_DISPLAY_ENABLE_FLAGS *Flags,
                                               UINT *Width, UINT *Height,
                                               D3DDDIFORMAT *ColorFormat);
typedef DXGKDDI_SYSTEM_DISPLAY_ENABLE *PDXGKDDI_SYSTEM_DISPLAY_ENABLE;

typedef VOID DXGKDDI_SYSTEM_DISPLAY_WRITE(PVOID MiniportDeviceContext, PVOID Source,
                                          UINT SourceWidth, UINT SourceHeight, UINT SourceStride,
                                          UINT PositionX, UINT PositionY);
typedef DXGKDDI_SYSTEM_DISPLAY_WRITE *PDXGKDDI_SYSTEM_DISPLAY_WRITE;
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
typedef NTSTATUS DXGKDDI_SETTARGETADJUSTEDCOLORIMETRY(HANDLE hAdapter,
                                                      D3DDDI_VIDEO_PRESENT_TARGET_ID TargetId,
                                                      DXGK_COLORIMETRY AdjustedColorimetry);
typedef DXGKDDI_SETTARGETADJUSTEDCOLORIMETRY *PDXGKDDI_SETTARGETADJUSTEDCOLORIMETRY;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_2 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
typedef NTSTATUS DXGKDDI_QUERYDIAGNOSTICTYPESSUPPORT(
    HANDLE MiniportDeviceContext,
    DXGKARG_QUERYDIAGNOSTICTYPESSUPPORT *pArgQueryDiagnosticTypesSupport);
typedef DXGKDDI_QUERYDIAGNOSTICTYPESSUPPORT *PDXGKDDI_QUERYDIAGNOSTICTYPESSUPPORT;

typedef NTSTATUS DXGKDDI_CONTROLDIAGNOSTICREPORTING(
    HANDLE MiniportDeviceContext,
    DXGKARG_CONTROLDIAGNOSTICREPORTING *pArgControlDiagnosticReporting);
typedef DXGKDDI_CONTROLDIAGNOSTICREPORTING *PDXGKDDI_CONTROLDIAGNOSTICREPORTING;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_4 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_5
typedef NTSTATUS DXGKDDI_SETTARGETADJUSTEDCOLORIMETRY2(
    HANDLE hAdapter, DXGKARG_SETTARGETADJUSTEDCOLORIMETRY2 *pArgSetTargetAdjustedColorimetry);
typedef DXGKDDI_SETTARGETADJUSTEDCOLORIMETRY2 *PDXGKDDI_SETTARGETADJUSTEDCOLORIMETRY2;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_5 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_6
typedef NTSTATUS DXGKDDI_COLLECTDIAGNOSTICINFO(
    PDEVICE_OBJECT PhysicalDeviceObject, DXGKARG_COLLECTDIAGNOSTICINFO *pCollectDiagnosticInfo);
typedef DXGKDDI_COLLECTDIAGNOSTICINFO *PDXGKDDI_COLLECTDIAGNOSTICINFO;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_6 */

/* ---- Callbacks ---- */

/* Evaluate a firmware method of the adapter or a child. */
typedef NTSTATUS (*DXGKCB_EVAL_ACPI_METHOD)(HANDLE DeviceHandle, ULONG DeviceUid,
                                            ACPI_EVAL_INPUT_BUFFER_COMPLEX *AcpiInputBuffer,
                                            ULONG AcpiInputSize,
                                            ACPI_EVAL_OUTPUT_BUFFER *AcpiOutputBuffer,
                                            ULONG AcpiOutputSize);

/* Fill a DXGK_DEVICE_INFO, in StartDevice. */
typedef NTSTATUS (*DXGKCB_GET_DEVICE_INFORMATION)(HANDLE DeviceHandle,
                                                  DXGK_DEVICE_INFO *DeviceInfo);
typedef NTSTATUS (*DXGKCB_INDICATE_CHILD_STATUS)(HANDLE DeviceHandle,
                                                 DXGK_CHILD_STATUS *ChildStatus);

/* Make a range of translated addresses addressable. Length is bytes. */
typedef NTSTATUS (*DXGKCB_MAP_MEMORY)(HANDLE DeviceHandle, PHYSICAL_ADDRESS TranslatedAddress,
                                      ULONG Length, BOOLEAN InIoSpace, BOOLEAN MapToUserMode,
                                      MEMORY_CACHING_TYPE CacheType, PVOID *VirtualAddress);

/* Have the DPC routine called. FALSE: it is queued already. IRQL: any. */
typedef BOOLEAN (*DXGKCB_QUEUE_DPC)(HANDLE DeviceHandle);
typedef NTSTATUS (*DXGKCB_QUERY_SERVICES)(HANDLE DeviceHandle, DXGK_SERVICES ServicesType,
                                          INTERFACE *Interface);

/* Read configuration space or ROM; Offset and Length are bytes. */
typedef NTSTATUS (*DXGKCB_READ_DEVICE_SPACE)(HANDLE DeviceHandle, ULONG DataType, PVOID Buffer,
                                             ULONG Offset, ULONG Length, PULONG BytesRead);

/* Run a routine that the interrupt routine never interrupts. IRQL: up to DISPATCH_LEVEL. */
typedef NTSTATUS (*DXGKCB_SYNCHRONIZE_EXECUTION)(HANDLE DeviceHandle,
                                                 PKSYNCHRONIZE_ROUTINE SynchronizeRoutine,
                                                 PVOID Context, ULONG MessageNumber,
                                                 PBOOLEAN ReturnValue);

/* Undo it. */
typedef NTSTATUS (*DXGKCB_UNMAP_MEMORY)(HANDLE DeviceHandle, PVOID VirtualAddress);

/* Write configuration space. */
typedef NTSTATUS (*DXGKCB_WRITE_DEVICE_SPACE)(HANDLE DeviceHandle, ULONG DataType, PVOID Buffer,
                                              ULONG Offset, ULONG Length, PULONG BytesWritten);
typedef NTSTATUS (*DXGKCB_IS_DEVICE_PRESENT)(
    HANDLE DeviceHandle, PPCI_DEVICE_PRESENCE_PARAMETERS DevicePresenceParameters,
    PBOOLEAN DevicePresent);
typedef VOID (*DXGKCB_LOG_ETW_EVENT)(const GUID *EventGuid, UCHAR Type, USHORT EventBufferSize,
                                     PVOID EventBuffer);
typedef NTSTATUS (*DXGKCB_EXCLUDE_ADAPTER_ACCESS)(
    HANDLE DeviceHandle, ULONG Attributes, PDXGKDDI_PROTECTED_CALLBACK DxgkProtectedCallback,
    PVOID ProtectedCallbackContext);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
typedef NTSTATUS (*DXGKCB_ACQUIRE_POST_DISPLAY_OWNERSHIP)(HANDLE DeviceHandle,
                                                          DXGK_DISPLAY_INFORMATION *DisplayInfo);
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
typedef NTSTATUS (*DXGKCB_ACQUIRE_POST_DISPLAY_OWNERSHIP2)(HANDLE DeviceHandle,
                                                           DXGK_DISPLAY_INFORMATION *DisplayInfo,
                                                           DXGK_DISPLAY_OWNERSHIP_FLAGS *Flags);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_2 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
typedef NTSTATUS (*DXGKCB_REPORT_DIAGNOSTIC)(HANDLE DeviceHandle,
                                             DXGK_DIAGNOSTIC_HEADER *pDiagnostic);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_4 */

/* ---- The tables of functions ---- */

/*
 * What the kernel offers a driver. The driver copies the table during DxgkDdiStartDevice: the size
 * of its own version, which is what Size says at most. DeviceHandle is the first argument of most.
 * Page: ns-dispmprt-_dxgkrnl_interface.
 */
typedef struct _DXGKRNL_INTERFACE {
    /* in: bytes that are valid */
    ULONG Size;
    /* in: interface version of the kernel */
    ULONG Version;
    /* in: the kernel's handle of the adapter */
    HANDLE DeviceHandle;
    /* evaluate a firmware method */
    DXGKCB_EVAL_ACPI_METHOD DxgkCbEvalAcpiMethod;
    /* fill a DXGK_DEVICE_INFO */
    DXGKCB_GET_DEVICE_INFORMATION DxgkCbGetDeviceInformation;
    /* a child came, went or turned */
    DXGKCB_INDICATE_CHILD_STATUS DxgkCbIndicateChildStatus;
    /* make registers addressable */
    DXGKCB_MAP_MEMORY DxgkCbMapMemory;
    /* have DxgkDdiDpcRoutine called; FALSE: it is queued already */
    DXGKCB_QUEUE_DPC DxgkCbQueueDpc;
    /* ask for another table of functions */
    DXGKCB_QUERY_SERVICES DxgkCbQueryServices;
    /* read PCI configuration or ROM */
    DXGKCB_READ_DEVICE_SPACE DxgkCbReadDeviceSpace;
    /* run a routine that no interrupt interrupts */
    DXGKCB_SYNCHRONIZE_EXECUTION DxgkCbSynchronizeExecution;
    /* undo DxgkCbMapMemory */
    DXGKCB_UNMAP_MEMORY DxgkCbUnmapMemory;
    /* write PCI configuration */
    DXGKCB_WRITE_DEVICE_SPACE DxgkCbWriteDeviceSpace;
    /* is there such a PCI device */
    DXGKCB_IS_DEVICE_PRESENT DxgkCbIsDevicePresent;
    /* the kernel's handle to the driver's */
    DXGKCB_GETHANDLEDATA DxgkCbGetHandleData;
    /* an allocation's resource */
    DXGKCB_GETHANDLEPARENT DxgkCbGetHandleParent;
    /* a resource's allocations */
    DXGKCB_ENUMHANDLECHILDREN DxgkCbEnumHandleChildren;
    /* report what the hardware did, at interrupt level */
    DXGKCB_NOTIFY_INTERRUPT DxgkCbNotifyInterrupt;
    /* let the scheduler act on what was reported, in the DPC */
    DXGKCB_NOTIFY_DPC DxgkCbNotifyDpc;
    /* ask for the functions of a VidPN */
    DXGKCB_QUERYVIDPNINTERFACE DxgkCbQueryVidPnInterface;
    /* ask for the functions of monitors */
    DXGKCB_QUERYMONITORINTERFACE DxgkCbQueryMonitorInterface;
    /* where a capture allocation is */
    DXGKCB_GETCAPTUREADDRESS DxgkCbGetCaptureAddress;
    /* write an event */
    DXGKCB_LOG_ETW_EVENT DxgkCbLogEtwEvent;
    /* have video memory emptied, or the CPU kept out, for a while */
    DXGKCB_EXCLUDE_ADAPTER_ACCESS DxgkCbExcludeAdapterAccess;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    /* memory that a context needs */
    DXGKCB_CREATECONTEXTALLOCATION DxgkCbCreateContextAllocation;
    /* and its end */
    DXGKCB_DESTROYCONTEXTALLOCATION DxgkCbDestroyContextAllocation;
    /* keep a component powered */
    DXGKCB_SETPOWERCOMPONENTACTIVE DxgkCbSetPowerComponentActive;
    /* let it go */
    DXGKCB_SETPOWERCOMPONENTIDLE DxgkCbSetPowerComponentIdle;
    /* take over what firmware shows */
    DXGKCB_ACQUIRE_POST_DISPLAY_OWNERSHIP DxgkCbAcquirePostDisplayOwnership;
    DXGKCB_POWERRUNTIMECONTROLREQUEST DxgkCbPowerRuntimeControlRequest;
    DXGKCB_SETPOWERCOMPONENTLATENCY DxgkCbSetPowerComponentLatency;
    DXGKCB_SETPOWERCOMPONENTRESIDENCY DxgkCbSetPowerComponentResidency;
    /* the change of an F-state is done */
    DXGKCB_COMPLETEFSTATETRANSITION DxgkCbCompleteFStateTransition;
    DXGKCB_COMPLETEPSTATETRANSITION DxgkCbCompletePStateTransition;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    /* give it a GPU virtual address */
    DXGKCB_MAPCONTEXTALLOCATION DxgkCbMapContextAllocation;
    /* have its content changed by a paging operation */
    DXGKCB_UPDATECONTEXTALLOCATION DxgkCbUpdateContextAllocation;
    /* keep a range of a process */
    DXGKCB_RESERVEGPUVIRTUALADDRESSRANGE DxgkCbReserveGpuVirtualAddressRange;
    /* as GetHandleData, and hold the object */
    DXGKCB_ACQUIREHANDLEDATA DxgkCbAcquireHandleData;
    /* let it go */
    DXGKCB_RELEASEHANDLEDATA DxgkCbReleaseHandleData;
    DXGKCB_HARDWARECONTENTPROTECTIONTEARDOWN DxgkCbHardwareContentProtectionTeardown;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
    DXGKCB_MULTIPLANEOVERLAYDISABLED DxgkCbMultiPlaneOverlayDisabled;
    DXGKCB_DXGKCB_MITIGATEDRANGEUPDATE DxgkCbMitigatedRangeUpdate;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
    DXGKCB_INVALIDATEHWCONTEXT DxgkCbInvalidateHwContext;
    DXGKCB_INDICATE_CONNECTOR_CHANGE DxgkCbIndicateConnectorChange;
    DXGKCB_UNBLOCKUEFIFRAMEBUFFERRANGES DxgkCbUnblockUEFIFrameBufferRanges;
    DXGKCB_ACQUIRE_POST_DISPLAY_OWNERSHIP2 DxgkCbAcquirePostDisplayOwnership2;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_3
    DXGKCB_SETPROTECTEDSESSIONSTATUS DxgkCbSetProtectedSessionStatus;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
    /* system memory in one run */
    DXGKCB_ALLOCATECONTIGUOUSMEMORY DxgkCbAllocateContiguousMemory;
    DXGKCB_FREECONTIGUOUSMEMORY DxgkCbFreeContiguousMemory;
    /* system memory in pages */
    DXGKCB_ALLOCATEPAGESFORMDL DxgkCbAllocatePagesForMdl;
    DXGKCB_FREEPAGESFROMMDL DxgkCbFreePagesFromMdl;
    DXGKCB_PINFRAMEBUFFERFORSAVE DxgkCbPinFrameBufferForSave;
    DXGKCB_UNPINFRAMEBUFFERFORSAVE DxgkCbUnpinFrameBufferForSave;
    DXGKCB_MAPFRAMEBUFFERPOINTER DxgkCbMapFrameBufferPointer;
    DXGKCB_UNMAPFRAMEBUFFERPOINTER DxgkCbUnmapFrameBufferPointer;
    DXGKCB_MAPMDLTOIOMMU DxgkCbMapMdlToIoMmu;
    DXGKCB_UNMAPMDLFROMIOMMU DxgkCbUnmapMdlFromIoMmu;
    DXGKCB_REPORT_DIAGNOSTIC DxgkCbReportDiagnostic;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_5
    DXGKCB_SIGNALEVENT DxgkCbSignalEvent;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_6
    DXGKCB_ISFEATUREENABLED DxgkCbIsFeatureEnabled;
    DXGKCB_SAVEMEMORYFORHOTUPDATE DxgkCbSaveMemoryForHotUpdate;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_8
    DXGKCB_NOTIFYCURSORSUPPORTCHANGE DxgkCbNotifyCursorSupportChange;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
    DXGKCB_QUERYFEATURESUPPORT DxgkCbQueryFeatureSupport;
    DXGKCB_CREATEPHYSICALMEMORYOBJECT DxgkCbCreatePhysicalMemoryObject;
    DXGKCB_DESTROYPHYSICALMEMORYOBJECT DxgkCbDestroyPhysicalMemoryObject;
    DXGKCB_MAPPHYSICALMEMORY DxgkCbMapPhysicalMemory;
    DXGKCB_UNMAPPHYSICALMEMORY DxgkCbUnmapPhysicalMemory;
    DXGKCB_ALLOCATEADL DxgkCbAllocateAdl;
    DXGKCB_FREEADL DxgkCbFreeAdl;
    DXGKCB_OPENPHYSICALMEMORYOBJECT DxgkCbOpenPhysicalMemoryObject;
    DXGKCB_CLOSEPHYSICALMEMORYOBJECT DxgkCbClosePhysicalMemoryObject;
    DXGKCB_PINFRAMEBUFFERFORSAVE2 DxgkCbPinFrameBufferForSave2;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_1
    DXGKCB_DISCONNECTDOORBELL DxgkCbDisconnectDoorbell;
#endif
} DXGKRNL_INTERFACE;

/*
 * What a driver is: its version, and its entry points. DxgkInitialize takes it. Members behind the
 * size of the driver's version do not exist. A pointer may be NULL where the driver has no use for
 * the call. Threading and IRQL are those of each function type.
 * Page: ns-dispmprt-_driver_initialization_data.
 */
typedef struct _DRIVER_INITIALIZATION_DATA {
    /* the DXGKDDI_INTERFACE_VERSION that the driver was compiled for */
    ULONG Version;
    /* a device was found: make a context block for it */
    PDXGKDDI_ADD_DEVICE DxgkDdiAddDevice;
    /* bring it up; DXGKRNL_INTERFACE comes here */
    PDXGKDDI_START_DEVICE DxgkDdiStartDevice;
    /* bring it down */
    PDXGKDDI_STOP_DEVICE DxgkDdiStopDevice;
    /* free the context block */
    PDXGKDDI_REMOVE_DEVICE DxgkDdiRemoveDevice;
    /* a video I/O control code */
    PDXGKDDI_DISPATCH_IO_REQUEST DxgkDdiDispatchIoRequest;
    /* the hardware interrupted; TRUE: it was this device */
    PDXGKDDI_INTERRUPT_ROUTINE DxgkDdiInterruptRoutine;
    /* the rest of the interrupt */
    PDXGKDDI_DPC_ROUTINE DxgkDdiDpcRoutine;
    /* which outputs are there */
    PDXGKDDI_QUERY_CHILD_RELATIONS DxgkDdiQueryChildRelations;
    /* is one connected */
    PDXGKDDI_QUERY_CHILD_STATUS DxgkDdiQueryChildStatus;
    /* its EDID */
    PDXGKDDI_QUERY_DEVICE_DESCRIPTOR DxgkDdiQueryDeviceDescriptor;
    /* power up or down */
    PDXGKDDI_SET_POWER_STATE DxgkDdiSetPowerState;
    PDXGKDDI_NOTIFY_ACPI_EVENT DxgkDdiNotifyAcpiEvent;
    /* back to what firmware had */
    PDXGKDDI_RESET_DEVICE DxgkDdiResetDevice;
    /* the driver leaves */
    PDXGKDDI_UNLOAD DxgkDdiUnload;
    /* tables of functions that the driver exports */
    PDXGKDDI_QUERY_INTERFACE DxgkDdiQueryInterface;
    PDXGKDDI_CONTROL_ETW_LOGGING DxgkDdiControlEtwLogging;
    /* capabilities and segments */
    PDXGKDDI_QUERYADAPTERINFO DxgkDdiQueryAdapterInfo;
    /* a program begins */
    PDXGKDDI_CREATEDEVICE DxgkDdiCreateDevice;
    /* make allocations, without a place */
    PDXGKDDI_CREATEALLOCATION DxgkDdiCreateAllocation;
    PDXGKDDI_DESTROYALLOCATION DxgkDdiDestroyAllocation;
    /* what a primary looks like */
    PDXGKDDI_DESCRIBEALLOCATION DxgkDdiDescribeAllocation;
    /* private data for the kernel's own allocations */
    PDXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA DxgkDdiGetStandardAllocationDriverData;
    /* the CPU wants to see rows */
    PDXGKDDI_ACQUIRESWIZZLINGRANGE DxgkDdiAcquireSwizzlingRange;
    PDXGKDDI_RELEASESWIZZLINGRANGE DxgkDdiReleaseSwizzlingRange;
    /* write addresses into a DMA buffer */
    PDXGKDDI_PATCH DxgkDdiPatch;
    /* queue a DMA buffer */
    PDXGKDDI_SUBMITCOMMAND DxgkDdiSubmitCommand;
    /* stop what is queued */
    PDXGKDDI_PREEMPTCOMMAND DxgkDdiPreemptCommand;
    /* write a paging operation */
    PDXGKDDI_BUILDPAGINGBUFFER DxgkDdiBuildPagingBuffer;
    PDXGKDDI_SETPALETTE DxgkDdiSetPalette;
    PDXGKDDI_SETPOINTERPOSITION DxgkDdiSetPointerPosition;
    PDXGKDDI_SETPOINTERSHAPE DxgkDdiSetPointerShape;
    /* the GPU hangs: reset it */
    PDXGKDDI_RESETFROMTIMEOUT DxgkDdiResetFromTimeout;
    /* and go on */
    PDXGKDDI_RESTARTFROMTIMEOUT DxgkDdiRestartFromTimeout;
    /* a message from user mode */
    PDXGKDDI_ESCAPE DxgkDdiEscape;
    /* what the driver knows, after a hang */
    PDXGKDDI_COLLECTDBGINFO DxgkDdiCollectDbgInfo;
    /* how far a node is */
    PDXGKDDI_QUERYCURRENTFENCE DxgkDdiQueryCurrentFence;
    PDXGKDDI_ISSUPPORTEDVIDPN DxgkDdiIsSupportedVidPn;
    PDXGKDDI_RECOMMENDFUNCTIONALVIDPN DxgkDdiRecommendFunctionalVidPn;
    PDXGKDDI_ENUMVIDPNCOFUNCMODALITY DxgkDdiEnumVidPnCofuncModality;
    PDXGKDDI_SETVIDPNSOURCEADDRESS DxgkDdiSetVidPnSourceAddress;
    PDXGKDDI_SETVIDPNSOURCEVISIBILITY DxgkDdiSetVidPnSourceVisibility;
    PDXGKDDI_COMMITVIDPN DxgkDdiCommitVidPn;
    PDXGKDDI_UPDATEACTIVEVIDPNPRESENTPATH DxgkDdiUpdateActiveVidPnPresentPath;
    PDXGKDDI_RECOMMENDMONITORMODES DxgkDdiRecommendMonitorModes;
    PDXGKDDI_RECOMMENDVIDPNTOPOLOGY DxgkDdiRecommendVidPnTopology;
    PDXGKDDI_GETSCANLINE DxgkDdiGetScanLine;
    PDXGKDDI_STOPCAPTURE DxgkDdiStopCapture;
    /* switch a kind of interrupt on or off */
    PDXGKDDI_CONTROLINTERRUPT DxgkDdiControlInterrupt;
    PDXGKDDI_CREATEOVERLAY DxgkDdiCreateOverlay;
    /* a program ends */
    PDXGKDDI_DESTROYDEVICE DxgkDdiDestroyDevice;
    /* a device gets to use allocations */
    PDXGKDDI_OPENALLOCATIONINFO DxgkDdiOpenAllocation;
    /* and no longer */
    PDXGKDDI_CLOSEALLOCATION DxgkDdiCloseAllocation;
    /* a command buffer becomes a DMA buffer */
    PDXGKDDI_RENDER DxgkDdiRender;
    /* a blt or flip becomes one */
    PDXGKDDI_PRESENT DxgkDdiPresent;
    PDXGKDDI_UPDATEOVERLAY DxgkDdiUpdateOverlay;
    PDXGKDDI_FLIPOVERLAY DxgkDdiFlipOverlay;
    PDXGKDDI_DESTROYOVERLAY DxgkDdiDestroyOverlay;
    /* work for a node */
    PDXGKDDI_CREATECONTEXT DxgkDdiCreateContext;
    PDXGKDDI_DESTROYCONTEXT DxgkDdiDestroyContext;
    /* adapters of a link find each other */
    PDXGKDDI_LINK_DEVICE DxgkDdiLinkDevice;
    PDXGKDDI_SETDISPLAYPRIVATEDRIVERFORMAT DxgkDdiSetDisplayPrivateDriverFormat;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
    /* Reserved slots of WDDM 1.1: never called. */
    PVOID DxgkDdiDescribePageTable;
    PVOID DxgkDdiUpdatePageTable;
    PVOID DxgkDdiUpdatePageDirectory;
    PVOID DxgkDdiMovePageDirectory;
    PVOID DxgkDdiSubmitRender;
    PVOID DxgkDdiCreateAllocation2;
    /* GDI commands become a DMA buffer */
    PDXGKDDI_RENDER DxgkDdiRenderKm;
    void *Reserved;
    PDXGKDDI_QUERYVIDPNHWCAPABILITY DxgkDdiQueryVidPnHWCapability;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    PDXGKDDISETPOWERCOMPONENTFSTATE DxgkDdiSetPowerComponentFState;
    PDXGKDDI_QUERYDEPENDENTENGINEGROUP DxgkDdiQueryDependentEngineGroup;
    /* does an engine make progress */
    PDXGKDDI_QUERYENGINESTATUS DxgkDdiQueryEngineStatus;
    /* reset one engine */
    PDXGKDDI_RESETENGINE DxgkDdiResetEngine;
    PDXGKDDI_STOP_DEVICE_AND_RELEASE_POST_DISPLAY_OWNERSHIP
        DxgkDdiStopDeviceAndReleasePostDisplayOwnership;
    PDXGKDDI_SYSTEM_DISPLAY_ENABLE DxgkDdiSystemDisplayEnable;
    PDXGKDDI_SYSTEM_DISPLAY_WRITE DxgkDdiSystemDisplayWrite;
    /* a queued DMA buffer will not run */
    PDXGKDDI_CANCELCOMMAND DxgkDdiCancelCommand;
    PDXGKDDI_GET_CHILD_CONTAINER_ID DxgkDdiGetChildContainerId;
    PDXGKDDIPOWERRUNTIMECONTROLREQUEST DxgkDdiPowerRuntimeControlRequest;
    PDXGKDDI_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY
        DxgkDdiSetVidPnSourceAddressWithMultiPlaneOverlay;
    PDXGKDDI_NOTIFY_SURPRISE_REMOVAL DxgkDdiNotifySurpriseRemoval;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
    /* what a node does */
    PDXGKDDI_GETNODEMETADATA DxgkDdiGetNodeMetadata;
    PDXGKDDISETPOWERPSTATE DxgkDdiSetPowerPState;
    PDXGKDDI_CONTROLINTERRUPT2 DxgkDdiControlInterrupt2;
    PDXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT DxgkDdiCheckMultiPlaneOverlaySupport;
    PDXGKDDI_CALIBRATEGPUCLOCK DxgkDdiCalibrateGpuClock;
    PDXGKDDI_FORMATHISTORYBUFFER DxgkDdiFormatHistoryBuffer;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    PDXGKDDI_RENDERGDI DxgkDdiRenderGdi;
    /* queue by GPU virtual address */
    PDXGKDDI_SUBMITCOMMANDVIRTUAL DxgkDdiSubmitCommandVirtual;
    /* a context's page table moved */
    PDXGKDDI_SETROOTPAGETABLE DxgkDdiSetRootPageTable;
    /* bytes of a root page table */
    PDXGKDDI_GETROOTPAGETABLESIZE DxgkDdiGetRootPageTableSize;
    /* show pages of a segment to the CPU */
    PDXGKDDI_MAPCPUHOSTAPERTURE DxgkDdiMapCpuHostAperture;
    PDXGKDDI_UNMAPCPUHOSTAPERTURE DxgkDdiUnmapCpuHostAperture;
    PDXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT2 DxgkDdiCheckMultiPlaneOverlaySupport2;
    /* a process begins */
    PDXGKDDI_CREATEPROCESS DxgkDdiCreateProcess;
    /* and ends */
    PDXGKDDI_DESTROYPROCESS DxgkDdiDestroyProcess;
    PDXGKDDI_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY2
        DxgkDdiSetVidPnSourceAddressWithMultiPlaneOverlay2;
    void *Reserved1;
    void *Reserved2;
    PDXGKDDI_POWERRUNTIMESETDEVICEHANDLE DxgkDdiPowerRuntimeSetDeviceHandle;
    PDXGKDDI_SETSTABLEPOWERSTATE DxgkDdiSetStablePowerState;
    PDXGKDDI_SETVIDEOPROTECTEDREGION DxgkDdiSetVideoProtectedRegion;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
    PDXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT3 DxgkDdiCheckMultiPlaneOverlaySupport3;
    PDXGKDDI_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY3
        DxgkDdiSetVidPnSourceAddressWithMultiPlaneOverlay3;
    PDXGKDDI_POSTMULTIPLANEOVERLAYPRESENT DxgkDdiPostMultiPlaneOverlayPresent;
    /* may an allocation change */
    PDXGKDDI_VALIDATEUPDATEALLOCATIONPROPERTY DxgkDdiValidateUpdateAllocationProperty;
    PDXGKDDI_CONTROLMODEBEHAVIOR DxgkDdiControlModeBehavior;
    PDXGKDDI_UPDATEMONITORLINKINFO DxgkDdiUpdateMonitorLinkInfo;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
    PDXGKDDI_CREATEHWCONTEXT DxgkDdiCreateHwContext;
    PDXGKDDI_DESTROYHWCONTEXT DxgkDdiDestroyHwContext;
    PDXGKDDI_CREATEHWQUEUE DxgkDdiCreateHwQueue;
    PDXGKDDI_DESTROYHWQUEUE DxgkDdiDestroyHwQueue;
    PDXGKDDI_SUBMITCOMMANDTOHWQUEUE DxgkDdiSubmitCommandToHwQueue;
    PDXGKDDI_SWITCHTOHWCONTEXTLIST DxgkDdiSwitchToHwContextList;
    PDXGKDDI_RESETHWENGINE DxgkDdiResetHwEngine;
    PDXGKDDI_CREATEPERIODICFRAMENOTIFICATION DxgkDdiCreatePeriodicFrameNotification;
    PDXGKDDI_DESTROYPERIODICFRAMENOTIFICATION DxgkDdiDestroyPeriodicFrameNotification;
    PDXGKDDI_SETTIMINGSFROMVIDPN DxgkDdiSetTimingsFromVidPn;
    PDXGKDDI_SETTARGETGAMMA DxgkDdiSetTargetGamma;
    PDXGKDDI_SETTARGETCONTENTTYPE DxgkDdiSetTargetContentType;
    PDXGKDDI_SETTARGETANALOGCOPYPROTECTION DxgkDdiSetTargetAnalogCopyProtection;
    PDXGKDDI_SETTARGETADJUSTEDCOLORIMETRY DxgkDdiSetTargetAdjustedColorimetry;
    PDXGKDDI_DISPLAYDETECTCONTROL DxgkDdiDisplayDetectControl;
    PDXGKDDI_QUERYCONNECTIONCHANGE DxgkDdiQueryConnectionChange;
    PDXGKDDI_EXCHANGEPRESTARTINFO DxgkDdiExchangePreStartInfo;
    PDXGKDDI_GETMULTIPLANEOVERLAYCAPS DxgkDdiGetMultiPlaneOverlayCaps;
    PDXGKDDI_GETPOSTCOMPOSITIONCAPS DxgkDdiGetPostCompositionCaps;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_3
    PDXGKDDI_UPDATEHWCONTEXTSTATE DxgkDdiUpdateHwContextState;
    PDXGKDDI_CREATEPROTECTEDSESSION DxgkDdiCreateProtectedSession;
    PDXGKDDI_DESTROYPROTECTEDSESSION DxgkDdiDestroyProtectedSession;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
    PDXGKDDI_SETSCHEDULINGLOGBUFFER DxgkDdiSetSchedulingLogBuffer;
    PDXGKDDI_SETUPPRIORITYBANDS DxgkDdiSetupPriorityBands;
    PDXGKDDI_NOTIFYFOCUSPRESENT DxgkDdiNotifyFocusPresent;
    PDXGKDDI_SETCONTEXTSCHEDULINGPROPERTIES DxgkDdiSetContextSchedulingProperties;
    PDXGKDDI_SUSPENDCONTEXT DxgkDdiSuspendContext;
    PDXGKDDI_RESUMECONTEXT DxgkDdiResumeContext;
    PDXGKDDI_SETVIRTUALMACHINEDATA DxgkDdiSetVirtualMachineData;
    PDXGKDDI_BEGINEXCLUSIVEACCESS DxgkDdiBeginExclusiveAccess;
    PDXGKDDI_ENDEXCLUSIVEACCESS DxgkDdiEndExclusiveAccess;
    PDXGKDDI_QUERYDIAGNOSTICTYPESSUPPORT DxgkDdiQueryDiagnosticTypesSupport;
    PDXGKDDI_CONTROLDIAGNOSTICREPORTING DxgkDdiControlDiagnosticReporting;
    PDXGKDDI_RESUMEHWENGINE DxgkDdiResumeHwEngine;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_5
    /* write a fence value into a DMA buffer */
    PDXGKDDI_SIGNALMONITOREDFENCE DxgkDdiSignalMonitoredFence;
    PDXGKDDI_PRESENTTOHWQUEUE DxgkDdiPresentToHwQueue;
    PDXGKDDI_VALIDATESUBMITCOMMAND DxgkDdiValidateSubmitCommand;
    PDXGKDDI_SETTARGETADJUSTEDCOLORIMETRY2 DxgkDdiSetTargetAdjustedColorimetry2;
    PDXGKDDI_SETTRACKEDWORKLOADPOWERLEVEL DxgkDdiSetTrackedWorkloadPowerLevel;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_6
    PDXGKDDI_SAVEMEMORYFORHOTUPDATE DxgkDdiSaveMemoryForHotUpdate;
    PDXGKDDI_RESTOREMEMORYFORHOTUPDATE DxgkDdiRestoreMemoryForHotUpdate;
    PDXGKDDI_COLLECTDIAGNOSTICINFO DxgkDdiCollectDiagnosticInfo;
    void *Reserved3;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_7
    PDXGKDDI_CONTROLINTERRUPT3 DxgkDdiControlInterrupt3;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
    PDXGKDDI_SETFLIPQUEUELOGBUFFER DxgkDdiSetFlipQueueLogBuffer;
    PDXGKDDI_UPDATEFLIPQUEUELOG DxgkDdiUpdateFlipQueueLog;
    PDXGKDDI_CANCELQUEUEDFLIPS DxgkDdiCancelQueuedFlips;
    PDXGKDDI_SETINTERRUPTTARGETPRESENTID DxgkDdiSetInterruptTargetPresentId;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_0
    /* an allocation's backing store */
    PDXGKDDI_SETALLOCATIONBACKINGSTORE DxgkDdiSetAllocationBackingStore;
    PDXGKDDI_CREATECPUEVENT DxgkDdiCreateCpuEvent;
    PDXGKDDI_DESTROYCPUEVENT DxgkDdiDestroyCpuEvent;
    PDXGKDDI_CANCELFLIPS DxgkDdiCancelFlips;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_1
    PDXGKDDI_CREATENATIVEFENCE DxgkDdiCreateNativeFence;
    PDXGKDDI_DESTROYNATIVEFENCE DxgkDdiDestroyNativeFence;
    PDXGKDDI_UPDATEMONITOREDVALUES DxgkDdiUpdateMonitoredValues;
    PDXGKDDI_UPDATECURRENTVALUESFROMCPU DxgkDdiUpdateCurrentValuesFromCpu;
    PDXGKDDI_CREATEDOORBELL DxgkDdiCreateDoorbell;
    PDXGKDDI_CONNECTDOORBELL DxgkDdiConnectDoorbell;
    PDXGKDDI_DISCONNECTDOORBELL DxgkDdiDisconnectDoorbell;
    PDXGKDDI_DESTROYDOORBELL DxgkDdiDestroyDoorbell;
    PDXGKDDI_NOTIFYWORKSUBMISSION DxgkDdiNotifyWorkSubmission;
    void *Reserved4;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
    PDXGKDDI_CREATEMEMORYBASIS DxgkDdiCreateMemoryBasis;
    PDXGKDDI_DESTROYMEMORYBASIS DxgkDdiDestroyMemoryBasis;
    PDXGKDDI_STARTDIRTYTRACKING DxgkDdiStartDirtyTracking;
    PDXGKDDI_STOPDIRTYTRACKING DxgkDdiStopDirtyTracking;
    PDXGKDDI_QUERYDIRTYBITDATA DxgkDdiQueryDirtyBitData;
    PDXGKDDI_PREPARELIVEMIGRATION DxgkDdiPrepareLiveMigration;
    PDXGKDDI_SAVEIMMUTABLEMIGRATIONDATA DxgkDdiSaveImmutableMigrationData;
    PDXGKDDI_SAVEMUTABLEMIGRATIONDATA DxgkDdiSaveMutableMigrationData;
    PDXGKDDI_ENDLIVEMIGRATION DxgkDdiEndLiveMigration;
    PDXGKDDI_RESTOREIMMUTABLEMIGRATIONDATA DxgkDdiRestoreImmutableMigrationData;
    PDXGKDDI_RESTOREMUTABLEMIGRATIONDATA DxgkDdiRestoreMutableMigrationData;
    PDXGKDDI_WRITEVIRTUALIZEDINTERRUPT DxgkDdiWriteVirtualizedInterrupt;
    PDXGKDDI_SETVIRTUALGPURESOURCES2 DxgkDdiSetVirtualGpuResources2;
    PDXGKDDI_SETVIRTUALFUNCTIONPAUSESTATE DxgkDdiSetVirtualFunctionPauseState;
    PDXGKDDI_OPENNATIVEFENCE DxgkDdiOpenNativeFence;
    PDXGKDDI_CLOSENATIVEFENCE DxgkDdiCloseNativeFence;
    PDXGKDDI_SETNATIVEFENCELOGBUFFER DxgkDdiSetNativeFenceLogBuffer;
    PDXGKDDI_UPDATENATIVEFENCELOGS DxgkDdiUpdateNativeFenceLogs;
    PDXGKDDI_COLLECTDBGINFO2 DxgkDdiCollectDbgInfo2;
    PDXGKDDI_NOTIFYCONTEXTPRIORITYCHANGE DxgkDdiNotifyContextPriorityChange;
    PDXGKDDI_RESETDISPLAYENGINE DxgkDdiResetDisplayEngine;
#endif
} DRIVER_INITIALIZATION_DATA;

typedef DRIVER_INITIALIZATION_DATA *PDRIVER_INITIALIZATION_DATA;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/*
 * The same of a driver that only shows: no rendering, no video memory.
 * Page: ns-dispmprt-_kmddod_initialization_data.
 */
typedef struct _KMDDOD_INITIALIZATION_DATA {
    ULONG Version;
    PDXGKDDI_ADD_DEVICE DxgkDdiAddDevice;
    PDXGKDDI_START_DEVICE DxgkDdiStartDevice;
    PDXGKDDI_STOP_DEVICE DxgkDdiStopDevice;
    PDXGKDDI_REMOVE_DEVICE DxgkDdiRemoveDevice;
    PDXGKDDI_DISPATCH_IO_REQUEST DxgkDdiDispatchIoRequest;
    PDXGKDDI_INTERRUPT_ROUTINE DxgkDdiInterruptRoutine;
    PDXGKDDI_DPC_ROUTINE DxgkDdiDpcRoutine;
    PDXGKDDI_QUERY_CHILD_RELATIONS DxgkDdiQueryChildRelations;
    PDXGKDDI_QUERY_CHILD_STATUS DxgkDdiQueryChildStatus;
    PDXGKDDI_QUERY_DEVICE_DESCRIPTOR DxgkDdiQueryDeviceDescriptor;
    PDXGKDDI_SET_POWER_STATE DxgkDdiSetPowerState;
    PDXGKDDI_NOTIFY_ACPI_EVENT DxgkDdiNotifyAcpiEvent;
    PDXGKDDI_RESET_DEVICE DxgkDdiResetDevice;
    PDXGKDDI_UNLOAD DxgkDdiUnload;
    PDXGKDDI_QUERY_INTERFACE DxgkDdiQueryInterface;
    PDXGKDDI_CONTROL_ETW_LOGGING DxgkDdiControlEtwLogging;
    PDXGKDDI_QUERYADAPTERINFO DxgkDdiQueryAdapterInfo;
    PDXGKDDI_SETPALETTE DxgkDdiSetPalette;
    PDXGKDDI_SETPOINTERPOSITION DxgkDdiSetPointerPosition;
    PDXGKDDI_SETPOINTERSHAPE DxgkDdiSetPointerShape;
    PDXGKDDI_ESCAPE DxgkDdiEscape;
    PDXGKDDI_COLLECTDBGINFO DxgkDdiCollectDbgInfo;
    PDXGKDDI_ISSUPPORTEDVIDPN DxgkDdiIsSupportedVidPn;
    PDXGKDDI_RECOMMENDFUNCTIONALVIDPN DxgkDdiRecommendFunctionalVidPn;
    PDXGKDDI_ENUMVIDPNCOFUNCMODALITY DxgkDdiEnumVidPnCofuncModality;
    PDXGKDDI_SETVIDPNSOURCEVISIBILITY DxgkDdiSetVidPnSourceVisibility;
    PDXGKDDI_COMMITVIDPN DxgkDdiCommitVidPn;
    PDXGKDDI_UPDATEACTIVEVIDPNPRESENTPATH DxgkDdiUpdateActiveVidPnPresentPath;
    PDXGKDDI_RECOMMENDMONITORMODES DxgkDdiRecommendMonitorModes;
    PDXGKDDI_GETSCANLINE DxgkDdiGetScanLine;
    PDXGKDDI_QUERYVIDPNHWCAPABILITY DxgkDdiQueryVidPnHWCapability;
    PDXGKDDI_PRESENTDISPLAYONLY DxgkDdiPresentDisplayOnly;
    PDXGKDDI_STOP_DEVICE_AND_RELEASE_POST_DISPLAY_OWNERSHIP
        DxgkDdiStopDeviceAndReleasePostDisplayOwnership;
    PDXGKDDI_SYSTEM_DISPLAY_ENABLE DxgkDdiSystemDisplayEnable;
    PDXGKDDI_SYSTEM_DISPLAY_WRITE DxgkDdiSystemDisplayWrite;
    PDXGKDDI_GET_CHILD_CONTAINER_ID DxgkDdiGetChildContainerId;
    PDXGKDDI_CONTROLINTERRUPT DxgkDdiControlInterrupt;
    PDXGKDDISETPOWERCOMPONENTFSTATE DxgkDdiSetPowerComponentFState;
    PDXGKDDIPOWERRUNTIMECONTROLREQUEST DxgkDdiPowerRuntimeControlRequest;
    PDXGKDDI_NOTIFY_SURPRISE_REMOVAL DxgkDdiNotifySurpriseRemoval;
    PDXGKDDI_POWERRUNTIMESETDEVICEHANDLE DxgkDdiPowerRuntimeSetDeviceHandle;
} KMDDOD_INITIALIZATION_DATA;

typedef KMDDOD_INITIALIZATION_DATA *PKMDDOD_INITIALIZATION_DATA;
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

/* ---- Registering ---- */

/*
 * Register a driver, in DriverEntry. Answers STATUS_SUCCESS, or why not. The data is copied.
 * Page: nf-dispmprt-dxgkinitialize.
 */
NTSTATUS DxgkInitialize(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath,
                        PDRIVER_INITIALIZATION_DATA DriverInitializationData);

/* Take a registered driver back. Page: nf-dispmprt-dxgkuninitialize. */
NTSTATUS DxgkUnInitialize(PDRIVER_OBJECT DriverObject);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* Register a driver that only shows. Page: nf-dispmprt-dxgkinitializedisplayonlydriver. */
NTSTATUS DxgkInitializeDisplayOnlyDriver(PDRIVER_OBJECT DriverObject,
                                         PUNICODE_STRING RegistryPath,
                                         PKMDDOD_INITIALIZATION_DATA KmdDodInitializationData);
#endif

#ifdef __cplusplus
}
#endif

#endif /* WDDM_DISPMPRT_H */
