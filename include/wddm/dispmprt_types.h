/*
 * dispmprt_types.h: the facts told at the start, a GPU's children, events, and the types that calls
 * name. dispmprt.h says how to read it.
 */
#ifndef WDDM_DISPMPRT_TYPES_H
#define WDDM_DISPMPRT_TYPES_H

#include "d3dukmdt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The child number that stands for the adapter itself, where a call takes one. */
#define DISPLAY_ADAPTER_HW_ID 0xFFFFFFFF

/* ---- Starting ---- */

/* Facts that the driver learns when it is started. Page: ns-dispmprt-_dxgk_start_info. */
typedef struct _DXGK_START_INFO {
    ULONG RequiredDmaQueueEntry; /* in: submissions that may be in flight at once; never exceeded */
    GUID AdapterGuid;            /* in: names the adapter across reboots */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    LUID AdapterLuid; /* in: names the adapter until the next boot */
#endif
} DXGK_START_INFO;

/* Page: ne-dispmprt-docking_state. */
typedef enum _DOCKING_STATE {
    DockStateUnsupported = 0,
    DockStateUnDocked = 1,
    DockStateDocked = 2,
    DockStateUnknown = 3,
} DOCKING_STATE;
WDDM_VALUE_SPELLINGS(DOCKING_STATE);

/*
 * Facts that the driver learns of its device, by DxgkCbGetDeviceInformation.
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

/* The kind of a child. Page: ne-dispmprt-_dxgk_child_device_type. */
typedef enum _DXGK_CHILD_DEVICE_TYPE {
    TypeUninitialized = 0,
    TypeVideoOutput = 1,       /* an output that something can be plugged into */
    TypeOther = 2,             /* no output: a tuner, a codec */
    TypeIntegratedDisplay = 3, /* an output with its display built in */
} DXGK_CHILD_DEVICE_TYPE;
WDDM_VALUE_SPELLINGS(DXGK_CHILD_DEVICE_TYPE);

/* An output. Page: ns-dispmprt-_dxgk_video_output_capabilities. */
typedef struct _DXGK_VIDEO_OUTPUT_CAPABILITIES {
    INT InterfaceTechnology;         /* out: the connector, D3DKMDT_VIDEO_OUTPUT_TECHNOLOGY */
    INT MonitorOrientationAwareness; /* out: can it tell how the monitor stands */
    BOOLEAN SupportsSdtvModes;       /* out: shows television modes */
} DXGK_VIDEO_OUTPUT_CAPABILITIES;
WDDM_SPELLINGS(DXGK_VIDEO_OUTPUT_CAPABILITIES);

/* A built-in display. Page: ns-dispmprt-_dxgk_integrated_display_child. */
typedef struct _DXGK_INTEGRATED_DISPLAY_CHILD {
    INT InterfaceTechnology; /* out: the connector */
    USHORT DescriptorLength; /* out: bytes of its descriptor */
} DXGK_INTEGRATED_DISPLAY_CHILD;
WDDM_SPELLINGS(DXGK_INTEGRATED_DISPLAY_CHILD);

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
WDDM_SPELLINGS(DXGK_CHILD_CAPABILITIES);

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

/* The questions and reports about a child. Page: ne-dispmprt-_dxgk_child_status_type. */
typedef enum _DXGK_CHILD_STATUS_TYPE {
    StatusUninitialized = 0,
    StatusConnection = 1,
    StatusRotation = 2,
    StatusMiracastConnection = 3,
} DXGK_CHILD_STATUS_TYPE;
WDDM_VALUE_SPELLINGS(DXGK_CHILD_STATUS_TYPE);

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
WDDM_VALUE_SPELLINGS(DXGK_EVENT_TYPE);

/* Page: ne-dispmprt-_dxgk_surprise_removal_type. */
typedef enum _DXGK_SURPRISE_REMOVAL_TYPE {
    DxgkRemovalHibernation = 0,
    DxgkRemovalPnPNotify = 1,
} DXGK_SURPRISE_REMOVAL_TYPE;
WDDM_VALUE_SPELLINGS(DXGK_SURPRISE_REMOVAL_TYPE);

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
WDDM_VALUE_SPELLINGS(DXGK_SERVICES);

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

/* The terms that are agreed on before starting. Page: ns-dispmprt-_dxgk_pre_start_info. */
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

/* The contents of the frame buffer that firmware left. Page:
 * ne-dispmprt-_dxgk_framebuffer_state. */
typedef enum _DXGK_FRAMEBUFFER_STATE {
    FrameBufferStateUnknown = 0,
    FrameBufferStateFirmwareIntact = 1,
} DXGK_FRAMEBUFFER_STATE;
WDDM_VALUE_SPELLINGS(DXGK_FRAMEBUFFER_STATE);

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
    ULONG InputBufferLength; /* bytes */
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

#ifdef __cplusplus
}
#endif

#endif /* WDDM_DISPMPRT_TYPES_H */
