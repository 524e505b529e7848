/*
 * dispmprt_entry.h: a driver's entry points for coming and going, interrupts, children and power,
 * and the callbacks that the kernel offers. dispmprt.h says how to read it.
 */
#ifndef WDDM_DISPMPRT_ENTRY_H
#define WDDM_DISPMPRT_ENTRY_H

#include "d3dkmddi_display.h"
#include "dispmprt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

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
typedef NTSTATUS
DXGKDDI_STOP_DEVICE_AND_RELEASE_POST_DISPLAY_OWNERSHIP(PVOID MiniportDeviceContext,
                                                       D3DDDI_VIDEO_PRESENT_TARGET_ID TargetId,
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

/* The work that the interrupt left to do; calls DxgkCbNotifyDpc. IRQL: DISPATCH_LEVEL. */
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
typedef NTSTATUS
DXGKDDI_COLLECTDIAGNOSTICINFO(PDEVICE_OBJECT PhysicalDeviceObject,
                              DXGKARG_COLLECTDIAGNOSTICINFO *pCollectDiagnosticInfo);
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
typedef NTSTATUS (*DXGKCB_EXCLUDE_ADAPTER_ACCESS)(HANDLE DeviceHandle, ULONG Attributes,
                                                  PDXGKDDI_PROTECTED_CALLBACK DxgkProtectedCallback,
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

#ifdef __cplusplus
}
#endif

#endif /* WDDM_DISPMPRT_ENTRY_H */
