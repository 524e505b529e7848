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
 * Types of the newest diagnostics are opaque, the others are declared. Pages:
 * nc-dispmprt-dxgkddi_NAME, nc-dispmprt-dxgkcb_NAME.
 */
#ifndef WDDM_DISPMPRT_H
#define WDDM_DISPMPRT_H

#include "d3dkmddi.h"
#include "dispmprt_types.h" /* starting, children, events */
#include "dispmprt_entry.h" /* entry points, callbacks */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The tables of functions ---- */

/*
 * The services that the kernel offers a driver. The driver copies the table during
 * DxgkDdiStartDevice: the size of its own version, which is what Size says at most. DeviceHandle is
 * the first argument of most.
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
WDDM_SPELLINGS(DXGKRNL_INTERFACE);

/*
 * The description of a driver: its version, and its entry points. DxgkInitialize takes it. Members
 * behind the size of the driver's version do not exist. A pointer may be NULL where the driver has
 * no use for the call. Threading and IRQL are those of each function type.
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
    /* the outputs that exist */
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
    /* the layout of a primary */
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
    /* the driver's knowledge, after a hang */
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
    /* the kind of work that a node does */
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
WDDM_SPELLINGS(DRIVER_INITIALIZATION_DATA);

typedef DRIVER_INITIALIZATION_DATA *PDRIVER_INITIALIZATION_DATA;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/*
 * The entry points of a driver that only shows: no rendering, no video memory.
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
WDDM_SPELLINGS(KMDDOD_INITIALIZATION_DATA);

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
NTSTATUS DxgkInitializeDisplayOnlyDriver(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath,
                                         PKMDDOD_INITIALIZATION_DATA KmdDodInitializationData);
#endif

#ifdef __cplusplus
}
#endif

#endif /* WDDM_DISPMPRT_H */
