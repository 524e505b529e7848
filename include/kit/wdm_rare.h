/*
 * wdm_rare.h: routines that display drivers hardly ever call. They are declared, so that a driver
 * that names one compiles; each is reported when it is called (K-027) and answers a refusal.
 *
 * Types that only these routines name are opaque, or as long as the reference says. Included by
 * wdm.h. Source: a page a routine, nf-HEADER-NAME, in the public reference.
 */
#ifndef KIT_WDM_RARE_H
#define KIT_WDM_RARE_H

#include "wdm_io.h"
#include "wdm_rtl.h"
#include "wdm_ps.h"
#include "wdm_hal.h"

KIT_BEGIN

/* ---- Types ---- */

typedef INT DEVICE_RELATION_TYPE, FS_INFORMATION_CLASS, IO_CONTAINER_INFORMATION_CLASS,
    IO_CONTAINER_NOTIFICATION_CLASS, IO_PAGING_PRIORITY, IO_PRIORITY_HINT, KD_OPTION,
    LOGICAL_PROCESSOR_RELATIONSHIP, POWER_INFORMATION_LEVEL, PSCREATEPROCESSNOTIFYTYPE,
    PSCREATETHREADNOTIFYTYPE, THREADINFOCLASS, FIRMWARE_TYPE;
typedef FIRMWARE_TYPE *PFIRMWARE_TYPE;
typedef ULONG EXECUTION_STATE, DEVPROPTYPE, *PDEVPROPTYPE;
typedef ULONG_PTR ERESOURCE_THREAD;

/* The name of a property. */
typedef GUID DEVPROPGUID;
typedef struct _DEVPROPKEY {
    DEVPROPGUID fmtid;
    ULONG pid;
} DEVPROPKEY, *PDEVPROPKEY;

/* The address from which MmCopyMemory reads. */
typedef struct _MM_COPY_ADDRESS {
    union {
        PVOID VirtualAddress;
        PHYSICAL_ADDRESS PhysicalAddress;
    };
} MM_COPY_ADDRESS, *PMMCOPY_ADDRESS;
#define MM_COPY_MEMORY_PHYSICAL 0x1
#define MM_COPY_MEMORY_VIRTUAL 0x2

/* The capabilities of a device, as its bus tells them. Page: ns-wdm-_device_capabilities. */
typedef struct _DEVICE_CAPABILITIES {
    USHORT Size, Version;
    ULONG DeviceD1 : 1;
    ULONG DeviceD2 : 1;
    ULONG LockSupported : 1;
    ULONG EjectSupported : 1;
    ULONG Removable : 1;
    ULONG DockDevice : 1;
    ULONG UniqueID : 1;
    ULONG SilentInstall : 1;
    ULONG RawDeviceOK : 1;
    ULONG SurpriseRemovalOK : 1;
    ULONG WakeFromD0 : 1;
    ULONG WakeFromD1 : 1;
    ULONG WakeFromD2 : 1;
    ULONG WakeFromD3 : 1;
    ULONG HardwareDisabled : 1;
    ULONG NonDynamic : 1;
    ULONG WarmEjectSupported : 1;
    ULONG NoDisplayInUI : 1;
    ULONG Reserved1 : 1;
    ULONG WakeFromInterrupt : 1;
    ULONG SecureDevice : 1;
    ULONG ChildOfVgaEnabledBridge : 1;
    ULONG DecodeIoOnBoot : 1;
    ULONG Reserved : 9;
    ULONG Address, UINumber;
    DEVICE_POWER_STATE DeviceState[PowerSystemMaximum];
    SYSTEM_POWER_STATE SystemWake;
    DEVICE_POWER_STATE DeviceWake;
    ULONG D1Latency, D2Latency, D3Latency; /* 100 us */
} DEVICE_CAPABILITIES, *PDEVICE_CAPABILITIES;

/* Config space by way of the bus. Page: ns-wdm-_bus_interface_standard. */
struct _DMA_ADAPTER;
struct _DEVICE_DESCRIPTION;
typedef BOOLEAN TRANSLATE_BUS_ADDRESS(PVOID Context, PHYSICAL_ADDRESS BusAddress, ULONG Length,
                                      PULONG AddressSpace, PPHYSICAL_ADDRESS TranslatedAddress);
typedef struct _DMA_ADAPTER *GET_DMA_ADAPTER(PVOID Context,
                                             struct _DEVICE_DESCRIPTION *DeviceDescriptor,
                                             PULONG NumberOfMapRegisters);
typedef ULONG GET_SET_DEVICE_DATA(PVOID Context, ULONG DataType, PVOID Buffer, ULONG Offset,
                                  ULONG Length);
typedef TRANSLATE_BUS_ADDRESS *PTRANSLATE_BUS_ADDRESS;
typedef GET_DMA_ADAPTER *PGET_DMA_ADAPTER;
typedef GET_SET_DEVICE_DATA *PGET_SET_DEVICE_DATA;
typedef struct _BUS_INTERFACE_STANDARD {
    USHORT Size, Version;
    PVOID Context;
    PINTERFACE_REFERENCE InterfaceReference;
    PINTERFACE_DEREFERENCE InterfaceDereference;
    PTRANSLATE_BUS_ADDRESS TranslateBusAddress;
    PGET_DMA_ADAPTER GetDmaAdapter;
    PGET_SET_DEVICE_DATA SetBusData;
    PGET_SET_DEVICE_DATA GetBusData;
} BUS_INTERFACE_STANDARD, *PBUS_INTERFACE_STANDARD;

/* A device stays while somebody is in. The members are the kit's own. */
#define KIT_REMOVE_LOCK_MADE 0x4B4C4D52
typedef struct _IO_REMOVE_LOCK {
    ULONG KitMade;
    ULONG KitUses;
    BOOLEAN KitRemoved;
    PVOID KitTags[12]; /* of the first uses */
} IO_REMOVE_LOCK, *PIO_REMOVE_LOCK;

/* Power, component by component. */
typedef struct POHANDLE__ *POHANDLE;
typedef VOID PO_FX_COMPONENT_ACTIVE_CONDITION_CALLBACK(PVOID Context, ULONG Component);
typedef PO_FX_COMPONENT_ACTIVE_CONDITION_CALLBACK *PPO_FX_COMPONENT_ACTIVE_CONDITION_CALLBACK;
typedef VOID PO_FX_COMPONENT_IDLE_CONDITION_CALLBACK(PVOID Context, ULONG Component);
typedef PO_FX_COMPONENT_IDLE_CONDITION_CALLBACK *PPO_FX_COMPONENT_IDLE_CONDITION_CALLBACK;
typedef VOID PO_FX_COMPONENT_IDLE_STATE_CALLBACK(PVOID Context, ULONG Component, ULONG State);
typedef PO_FX_COMPONENT_IDLE_STATE_CALLBACK *PPO_FX_COMPONENT_IDLE_STATE_CALLBACK;
typedef VOID PO_FX_DEVICE_POWER_REQUIRED_CALLBACK(PVOID Context);
typedef PO_FX_DEVICE_POWER_REQUIRED_CALLBACK *PPO_FX_DEVICE_POWER_REQUIRED_CALLBACK;
typedef VOID PO_FX_DEVICE_POWER_NOT_REQUIRED_CALLBACK(PVOID Context);
typedef PO_FX_DEVICE_POWER_NOT_REQUIRED_CALLBACK *PPO_FX_DEVICE_POWER_NOT_REQUIRED_CALLBACK;
typedef NTSTATUS PO_FX_POWER_CONTROL_CALLBACK(PVOID DeviceContext, LPCGUID PowerControlCode,
                                              PVOID InBuffer, SIZE_T InBufferSize, PVOID OutBuffer,
                                              SIZE_T OutBufferSize, PSIZE_T BytesReturned);
typedef PO_FX_POWER_CONTROL_CALLBACK *PPO_FX_POWER_CONTROL_CALLBACK;
typedef struct _PO_FX_COMPONENT_IDLE_STATE {
    ULONGLONG TransitionLatency;    /* 100 ns */
    ULONGLONG ResidencyRequirement; /* 100 ns */
    ULONG NominalPower;             /* microwatts */
} PO_FX_COMPONENT_IDLE_STATE, *PPO_FX_COMPONENT_IDLE_STATE;
typedef struct _PO_FX_COMPONENT_V1 {
    GUID Id;
    ULONG IdleStateCount;
    ULONG DeepestWakeableIdleState;
    PPO_FX_COMPONENT_IDLE_STATE IdleStates;
} PO_FX_COMPONENT_V1, *PPO_FX_COMPONENT_V1, PO_FX_COMPONENT, *PPO_FX_COMPONENT;
typedef struct _PO_FX_DEVICE_V1 {
    ULONG Version;
    ULONG ComponentCount;
    PPO_FX_COMPONENT_ACTIVE_CONDITION_CALLBACK ComponentActiveConditionCallback;
    PPO_FX_COMPONENT_IDLE_CONDITION_CALLBACK ComponentIdleConditionCallback;
    PPO_FX_COMPONENT_IDLE_STATE_CALLBACK ComponentIdleStateCallback;
    PPO_FX_DEVICE_POWER_REQUIRED_CALLBACK DevicePowerRequiredCallback;
    PPO_FX_DEVICE_POWER_NOT_REQUIRED_CALLBACK DevicePowerNotRequiredCallback;
    PPO_FX_POWER_CONTROL_CALLBACK PowerControlCallback;
    PVOID DeviceContext;
    PO_FX_COMPONENT Components[1];
} PO_FX_DEVICE_V1, *PPO_FX_DEVICE_V1, PO_FX_DEVICE, *PPO_FX_DEVICE;

typedef VOID EXPAND_STACK_CALLOUT(PVOID Parameter);
typedef EXPAND_STACK_CALLOUT *PEXPAND_STACK_CALLOUT;
typedef VOID REQUEST_POWER_COMPLETE(PDEVICE_OBJECT DeviceObject, UCHAR MinorFunction,
                                    POWER_STATE PowerState, PVOID Context,
                                    PIO_STATUS_BLOCK IoStatus);
typedef REQUEST_POWER_COMPLETE *PREQUEST_POWER_COMPLETE;

/* Opaque. */
typedef struct _ACL *PACL;
typedef struct _CONFIGURATION_INFORMATION *PCONFIGURATION_INFORMATION;
typedef struct _FILE_NETWORK_OPEN_INFORMATION *PFILE_NETWORK_OPEN_INFORMATION;
typedef struct _FILE_SEGMENT_ELEMENT *PFILE_SEGMENT_ELEMENT;
typedef struct _GENERIC_MAPPING *PGENERIC_MAPPING;
typedef struct _HARDWARE_COUNTER *PHARDWARE_COUNTER;
typedef struct _IO_CONNECT_INTERRUPT_PARAMETERS *PIO_CONNECT_INTERRUPT_PARAMETERS;
typedef struct _IO_DISCONNECT_INTERRUPT_PARAMETERS *PIO_DISCONNECT_INTERRUPT_PARAMETERS;
typedef struct _IO_DRIVER_CREATE_CONTEXT *PIO_DRIVER_CREATE_CONTEXT;
typedef struct _IO_REPORT_INTERRUPT_ACTIVE_STATE_PARAMETERS
    *PIO_REPORT_INTERRUPT_ACTIVE_STATE_PARAMETERS;
typedef struct _IO_RESOURCE_DESCRIPTOR *PIO_RESOURCE_DESCRIPTOR;
typedef struct _IO_RESOURCE_REQUIREMENTS_LIST *PIO_RESOURCE_REQUIREMENTS_LIST;
typedef struct _KBUGCHECK_CALLBACK_RECORD *PKBUGCHECK_CALLBACK_RECORD;
typedef struct _KDPC_WATCHDOG_INFORMATION *PKDPC_WATCHDOG_INFORMATION;
typedef struct _MM_PHYSICAL_ADDRESS_LIST *PMM_PHYSICAL_ADDRESS_LIST;
typedef struct _OB_CALLBACK_REGISTRATION *POB_CALLBACK_REGISTRATION;
typedef struct _O_FX_PERF_STATE_CHANGE *PO_FX_PERF_STATE_CHANGE;
typedef struct _PO_FX_COMPONENT_PERF_INFO *PPO_FX_COMPONENT_PERF_INFO;
typedef struct _PO_FX_PERF_STATE_CHANGE *PPO_FX_PERF_STATE_CHANGE;
typedef struct _PRIVILEGE_SET *PPRIVILEGE_SET;
typedef struct _SECURITY_SUBJECT_CONTEXT *PSECURITY_SUBJECT_CONTEXT;
typedef struct _SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX *PSYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX;
typedef struct _VPB *PVPB;
typedef PVOID PBOUND_CALLBACK, PCREATE_PROCESS_NOTIFY_ROUTINE_EX, PCREATE_THREAD_NOTIFY_ROUTINE,
    PDEVICE_CHANGE_COMPLETE_CALLBACK, PEX_CALLBACK_FUNCTION, PIO_CONTAINER_NOTIFICATION_FUNCTION,
    PIO_TIMER_ROUTINE, PKBUGCHECK_CALLBACK_ROUTINE, PLOAD_IMAGE_NOTIFY_ROUTINE, PMM_MDL_ROUTINE,
    PNMI_CALLBACK, PPO_FX_COMPONENT_PERF_STATE_CALLBACK, PPROCESSOR_CALLBACK_FUNCTION,
    WMI_NOTIFICATION_CALLBACK; /* routines of the driver */

/* ---- Registry ---- */

NTSTATUS CmCallbackGetKeyObjectID(PLARGE_INTEGER Cookie, PVOID Object, PULONG_PTR ObjectID,
                                  PCUNICODE_STRING *ObjectName);
NTSTATUS CmCallbackGetKeyObjectIDEx(PLARGE_INTEGER Cookie, PVOID Object, PULONG_PTR ObjectID,
                                    PCUNICODE_STRING *ObjectName, ULONG Flags);
VOID CmCallbackReleaseKeyObjectIDEx(PCUNICODE_STRING ObjectName);
VOID CmGetCallbackVersion(PULONG Major, PULONG Minor);
NTSTATUS CmRegisterCallback(PEX_CALLBACK_FUNCTION Function, PVOID Context, PLARGE_INTEGER Cookie);
NTSTATUS CmRegisterCallbackEx(PEX_CALLBACK_FUNCTION Function, PCUNICODE_STRING Altitude,
                              PVOID Driver, PVOID Context, PLARGE_INTEGER Cookie, PVOID Reserved);
NTSTATUS CmSetCallbackObjectContext(PVOID Object, PLARGE_INTEGER Cookie, PVOID NewContext,
                                    PVOID *OldContext);
NTSTATUS CmUnRegisterCallback(LARGE_INTEGER Cookie);

/* ---- Events ---- */

NTSTATUS EtwActivityIdControl(ULONG ControlCode, LPGUID ActivityId);
NTSTATUS EtwWriteEx(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor, ULONG64 Filter,
                    ULONG Flags, LPCGUID ActivityId, LPCGUID RelatedActivityId, ULONG UserDataCount,
                    PEVENT_DATA_DESCRIPTOR UserData);
NTSTATUS EtwWriteString(REGHANDLE RegHandle, UCHAR Level, ULONGLONG Keyword, LPCGUID ActivityId,
                        PCWSTR String);
NTSTATUS EtwWriteTransfer(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor,
                          LPCGUID ActivityId, LPCGUID RelatedActivityId, ULONG UserDataCount,
                          PEVENT_DATA_DESCRIPTOR UserData);

/* ---- Executive ---- */

BOOLEAN ExAcquireSharedStarveExclusive(PERESOURCE Resource, BOOLEAN Wait);
BOOLEAN ExAcquireSharedWaitForExclusive(PERESOURCE Resource, BOOLEAN Wait);
PVOID ExAllocatePoolWithQuota(POOL_TYPE PoolType, SIZE_T NumberOfBytes);
VOID ExConvertExclusiveToSharedLite(PERESOURCE Resource);
VOID ExFlushLookasideListEx(PLOOKASIDE_LIST_EX Lookaside);
ULONG ExGetExclusiveWaiterCount(PERESOURCE Resource);
FIRMWARE_TYPE ExGetFirmwareType(VOID);
ULONG ExGetSharedWaiterCount(PERESOURCE Resource);
BOOLEAN ExIsSoftBoot(VOID);
VOID ExNotifyCallback(PVOID CallbackObject, PVOID Argument1, PVOID Argument2);
VOID ExQueryTimerResolution(PULONG MaximumTime, PULONG MinimumTime, PULONG CurrentTime);
NTSTATUS ExReinitializeResourceLite(PERESOURCE Resource);
VOID ExReleaseResourceForThreadLite(PERESOURCE Resource, ERESOURCE_THREAD ResourceThreadId);
NTSTATUS ExSetFirmwareEnvironmentVariable(PUNICODE_STRING VariableName, LPGUID VendorGuid,
                                          PVOID Value, ULONG ValueLength, ULONG Attributes);
VOID ExSetResourceOwnerPointer(PERESOURCE Resource, PVOID OwnerPointer);
VOID ExSetResourceOwnerPointerEx(PERESOURCE Resource, PVOID OwnerPointer, ULONG Flags);

/* ---- Devices and requests ---- */

NTSTATUS IoAcquireRemoveLock(PIO_REMOVE_LOCK RemoveLock, PVOID Tag);
VOID IoAdjustPagingPathCount(PLONG Count, BOOLEAN Increment);
NTSTATUS IoAttachDevice(PDEVICE_OBJECT SourceDevice, PUNICODE_STRING TargetDevice,
                        PDEVICE_OBJECT *AttachedDevice);
PDEVICE_OBJECT IoAttachDeviceToDeviceStack(PDEVICE_OBJECT SourceDevice,
                                           PDEVICE_OBJECT TargetDevice);
NTSTATUS IoAttachDeviceToDeviceStackSafe(PDEVICE_OBJECT SourceDevice, PDEVICE_OBJECT TargetDevice,
                                         PDEVICE_OBJECT *AttachedToDeviceObject);
PIRP IoBuildAsynchronousFsdRequest(ULONG MajorFunction, PDEVICE_OBJECT DeviceObject, PVOID Buffer,
                                   ULONG Length, PLARGE_INTEGER StartingOffset,
                                   PIO_STATUS_BLOCK IoStatusBlock);
VOID IoCancelFileOpen(PDEVICE_OBJECT DeviceObject, PFILE_OBJECT FileObject);
VOID IoClearActivityIdThread(LPCGUID OriginalId);
NTSTATUS IoConnectInterruptEx(PIO_CONNECT_INTERRUPT_PARAMETERS Parameters);
NTSTATUS IoCreateSystemThread(PVOID IoObject, PHANDLE ThreadHandle, ULONG DesiredAccess,
                              POBJECT_ATTRIBUTES ObjectAttributes, HANDLE ProcessHandle,
                              PCLIENT_ID ClientId, PKSTART_ROUTINE StartRoutine,
                              PVOID StartContext);
NTSTATUS IoCreateUnprotectedSymbolicLink(PUNICODE_STRING SymbolicLinkName,
                                         PUNICODE_STRING DeviceName);
VOID IoDetachDevice(PDEVICE_OBJECT TargetDevice);
VOID IoDisconnectInterruptEx(PIO_DISCONNECT_INTERRUPT_PARAMETERS Parameters);
BOOLEAN IoForwardIrpSynchronously(PDEVICE_OBJECT DeviceObject, PIRP Irp);
VOID IoFreeErrorLogEntry(PVOID ElEntry);
NTSTATUS IoGetActivityIdIrp(PIRP Irp, LPGUID Guid);
NTSTATUS IoGetAffinityInterrupt(PKINTERRUPT InterruptObject, PGROUP_AFFINITY GroupAffinity);
PCONFIGURATION_INFORMATION IoGetConfigurationInformation(VOID);
NTSTATUS IoGetContainerInformation(IO_CONTAINER_INFORMATION_CLASS InformationClass,
                                   PVOID ContainerObject, PVOID Buffer, ULONG BufferLength);
NTSTATUS IoGetDeviceInterfaceAlias(PUNICODE_STRING SymbolicLinkName,
                                   const GUID *AliasInterfaceClassGuid,
                                   PUNICODE_STRING AliasSymbolicLinkName);
NTSTATUS IoGetDeviceInterfacePropertyData(PUNICODE_STRING SymbolicLinkName,
                                          const DEVPROPKEY *PropertyKey, LCID Lcid, ULONG Flags,
                                          ULONG Size, PVOID Data, PULONG RequiredSize,
                                          PDEVPROPTYPE Type);
NTSTATUS IoGetDeviceNumaNode(PDEVICE_OBJECT Pdo, PUSHORT NodeNumber);
NTSTATUS IoGetDevicePropertyData(PDEVICE_OBJECT Pdo, const DEVPROPKEY *PropertyKey, LCID Lcid,
                                 ULONG Flags, ULONG Size, PVOID Data, PULONG RequiredSize,
                                 PDEVPROPTYPE Type);
PGENERIC_MAPPING IoGetFileObjectGenericMapping(VOID);
ULONG IoGetFunctionCodeFromCtlCode(ULONG ControlCode);
PVOID IoGetInitialStack(VOID);
PEPROCESS WINAPI IoGetInitiatorProcess(PFILE_OBJECT FileObject);
IO_PRIORITY_HINT IoGetIoPriorityHint(PIRP Irp);
IO_PAGING_PRIORITY IoGetPagingIoPriority(PIRP Irp);
ULONG_PTR IoGetRemainingStackSize(VOID);
VOID IoGetStackLimits(PULONG_PTR LowLimit, PULONG_PTR HighLimit);
VOID IoInitializeDriverCreateContext(PIO_DRIVER_CREATE_CONTEXT DriverContext);
VOID IoInitializeIrp(PIRP Irp, USHORT PacketSize, CCHAR StackSize);
VOID IoInitializeRemoveLock(PIO_REMOVE_LOCK Lock, ULONG AllocateTag, ULONG MaxLockedMinutes,
                            ULONG HighWatermark);
NTSTATUS IoInitializeTimer(PDEVICE_OBJECT DeviceObject, PIO_TIMER_ROUTINE TimerRoutine,
                           PVOID Context);
VOID IoInitializeWorkItem(PVOID IoObject, PIO_WORKITEM IoWorkItem);
VOID IoInvalidateDeviceRelations(PDEVICE_OBJECT DeviceObject, DEVICE_RELATION_TYPE Type);
BOOLEAN IoIs32bitProcess(PIRP Irp);
BOOLEAN IoIsErrorUserInduced(NTSTATUS Status);
LOGICAL IoIsValidIrpStatus(NTSTATUS Status);
PIRP IoMakeAssociatedIrp(PIRP Irp, CCHAR StackSize);
NTSTATUS IoOpenDeviceInterfaceRegistryKey(PUNICODE_STRING SymbolicLinkName,
                                          ACCESS_MASK DesiredAccess, PHANDLE DeviceInterfaceKey);
NTSTATUS IoPropagateActivityIdToThread(PIRP Irp, LPGUID PropagatedId, LPCGUID *OriginalId);
NTSTATUS IoQueryFullDriverPath(PDRIVER_OBJECT DriverObject, PUNICODE_STRING FullPath);
VOID IoRaiseHardError(PIRP Irp, PVPB Vpb, PDEVICE_OBJECT RealDeviceObject);
BOOLEAN IoRaiseInformationalHardError(NTSTATUS ErrorStatus, PUNICODE_STRING String,
                                      PKTHREAD Thread);
NTSTATUS IoRegisterContainerNotification(IO_CONTAINER_NOTIFICATION_CLASS NotificationClass,
                                         PIO_CONTAINER_NOTIFICATION_FUNCTION CallbackFunction,
                                         PVOID NotificationInformation,
                                         ULONG NotificationInformationLength,
                                         PVOID CallbackRegistration);
NTSTATUS IoRegisterLastChanceShutdownNotification(PDEVICE_OBJECT DeviceObject);
NTSTATUS IoRegisterShutdownNotification(PDEVICE_OBJECT DeviceObject);
VOID IoReleaseRemoveLock(PIO_REMOVE_LOCK RemoveLock, PVOID Tag);
VOID IoReleaseRemoveLockAndWait(PIO_REMOVE_LOCK RemoveLock, PVOID Tag);
NTSTATUS IoReportDetectedDevice(PDRIVER_OBJECT DriverObject, INTERFACE_TYPE LegacyBusType,
                                ULONG BusNumber, ULONG SlotNumber, PCM_RESOURCE_LIST ResourceList,
                                PIO_RESOURCE_REQUIREMENTS_LIST ResourceRequirements,
                                BOOLEAN ResourceAssigned, PDEVICE_OBJECT *DeviceObject);
VOID IoReportInterruptActive(PIO_REPORT_INTERRUPT_ACTIVE_STATE_PARAMETERS Parameters);
VOID IoReportInterruptInactive(PIO_REPORT_INTERRUPT_ACTIVE_STATE_PARAMETERS Parameters);
NTSTATUS IoReportResourceForDetection(PDRIVER_OBJECT DriverObject, PCM_RESOURCE_LIST DriverList,
                                      ULONG DriverListSize, PDEVICE_OBJECT DeviceObject,
                                      PCM_RESOURCE_LIST DeviceList, ULONG DeviceListSize,
                                      PBOOLEAN ConflictDetected);
NTSTATUS IoReportRootDevice(PDRIVER_OBJECT DriverObject);
NTSTATUS IoReportTargetDeviceChange(PDEVICE_OBJECT PhysicalDeviceObject,
                                    PVOID NotificationStructure);
NTSTATUS IoReportTargetDeviceChangeAsynchronous(PDEVICE_OBJECT PhysicalDeviceObject,
                                                PVOID NotificationStructure,
                                                PDEVICE_CHANGE_COMPLETE_CALLBACK Callback,
                                                PVOID Context);
VOID IoRequestDeviceEject(PDEVICE_OBJECT PhysicalDeviceObject);
VOID IoReuseIrp(PIRP Irp, NTSTATUS Status);
NTSTATUS IoSetActivityIdIrp(PIRP Irp, LPGUID Guid);
LPGUID IoSetActivityIdThread(LPGUID ActivityId);
NTSTATUS IoSetCompletionRoutineEx(PDEVICE_OBJECT DeviceObject, PIRP Irp,
                                  PIO_COMPLETION_ROUTINE CompletionRoutine, PVOID Context,
                                  BOOLEAN InvokeOnSuccess, BOOLEAN InvokeOnError,
                                  BOOLEAN InvokeOnCancel);
NTSTATUS IoSetDeviceInterfacePropertyData(PUNICODE_STRING SymbolicLinkName,
                                          const DEVPROPKEY *PropertyKey, LCID Lcid, ULONG Flags,
                                          DEVPROPTYPE Type, ULONG Size, PVOID Data);
NTSTATUS IoSetDevicePropertyData(PDEVICE_OBJECT Pdo, const DEVPROPKEY *PropertyKey, LCID Lcid,
                                 ULONG Flags, DEVPROPTYPE Type, ULONG Size, PVOID Data);
NTSTATUS IoSetFileObjectIgnoreSharing(PFILE_OBJECT FileObject);
VOID IoSetHardErrorOrVerifyDevice(PIRP Irp, PDEVICE_OBJECT DeviceObject);
NTSTATUS IoSetIoPriorityHint(PIRP Irp, IO_PRIORITY_HINT PriorityHint);
VOID IoSetMasterIrpStatus(PIRP MasterIrp, NTSTATUS Status);
BOOLEAN IoSetThreadHardErrorMode(BOOLEAN EnableHardErrors);
ULONG IoSizeofWorkItem(VOID);
VOID IoTransferActivityId(LPCGUID ActivityId, LPCGUID RelatedActivityId);
VOID IoUninitializeWorkItem(PIO_WORKITEM IoWorkItem);
VOID IoUnregisterContainerNotification(PVOID CallbackRegistration);
NTSTATUS IoUnregisterPlugPlayNotification(PVOID NotificationEntry);
VOID IoUnregisterShutdownNotification(PDEVICE_OBJECT DeviceObject);
NTSTATUS IoValidateDeviceIoControlAccess(PIRP Irp, ULONG RequiredAccess);
NTSTATUS IoVolumeDeviceToDosName(PVOID VolumeDeviceObject, PUNICODE_STRING DosName);
NTSTATUS IoWMIAllocateInstanceIds(GUID *Guid, ULONG InstanceCount, ULONG *FirstInstanceId);
NTSTATUS IoWMIDeviceObjectToInstanceName(PVOID DataBlockObject, PDEVICE_OBJECT DeviceObject,
                                         PUNICODE_STRING InstanceName);
ULONG IoWMIDeviceObjectToProviderId(PDEVICE_OBJECT DeviceObject);
NTSTATUS IoWMIExecuteMethod(PVOID DataBlockObject, PUNICODE_STRING InstanceName, ULONG MethodId,
                            ULONG InBufferSize, PULONG OutBufferSize, PUCHAR InOutBuffer);
NTSTATUS IoWMIHandleToInstanceName(PVOID DataBlockObject, HANDLE FileHandle,
                                   PUNICODE_STRING InstanceName);
NTSTATUS IoWMIOpenBlock(GUID *DataBlockGuid, ULONG DesiredAccess, PVOID *DataBlockObject);
NTSTATUS IoWMIQueryAllData(PVOID DataBlockObject, ULONG *InOutBufferSize, PVOID OutBuffer);
NTSTATUS IoWMIQueryAllDataMultiple(PVOID *DataBlockObjectList, ULONG ObjectCount,
                                   ULONG *InOutBufferSize, PVOID OutBuffer);
NTSTATUS IoWMIQuerySingleInstance(PVOID DataBlockObject, PUNICODE_STRING InstanceName,
                                  ULONG *InOutBufferSize, PVOID OutBuffer);
NTSTATUS IoWMIQuerySingleInstanceMultiple(PVOID *DataBlockObjectList, PUNICODE_STRING InstanceNames,
                                          ULONG ObjectCount, ULONG *InOutBufferSize,
                                          PVOID OutBuffer);
NTSTATUS IoWMISetNotificationCallback(PVOID Object, WMI_NOTIFICATION_CALLBACK Callback,
                                      PVOID Context);
NTSTATUS IoWMISetSingleInstance(PVOID DataBlockObject, PUNICODE_STRING InstanceName, ULONG Version,
                                ULONG ValueBufferSize, PVOID ValueBuffer);
NTSTATUS IoWMISetSingleItem(PVOID DataBlockObject, PUNICODE_STRING InstanceName, ULONG DataItemId,
                            ULONG Version, ULONG ValueBufferSize, PVOID ValueBuffer);
NTSTATUS IoWMISuggestInstanceName(PDEVICE_OBJECT PhysicalDeviceObject,
                                  PUNICODE_STRING SymbolicLinkName, BOOLEAN CombineNames,
                                  PUNICODE_STRING SuggestedInstanceName);
NTSTATUS IoWMIWriteEvent(PVOID WnodeEventItem);
LOGICAL IoWithinStackLimits(ULONG_PTR RegionStart, SIZE_T RegionSize);

/* ---- Processors ---- */

VOID KdBreakPointWithStatus(ULONG Status);
NTSTATUS KdChangeOption(KD_OPTION Option, ULONG InBufferBytes, PVOID InBuffer, ULONG OutBufferBytes,
                        PVOID OutBuffer, PULONG OutBufferNeeded);
NTSTATUS KeConvertAuxiliaryCounterToPerformanceCounter(ULONG64 AuxiliaryCounterValue,
                                                       PULONG64 PerformanceCounterValue,
                                                       PULONG64 ConversionError);
NTSTATUS KeConvertPerformanceCounterToAuxiliaryCounter(ULONG64 PerformanceCounterValue,
                                                       PULONG64 AuxiliaryCounterValue,
                                                       PULONG64 ConversionError);
NTSTATUS KeDeregisterBoundCallback(PVOID Handle);
BOOLEAN KeDeregisterBugCheckCallback(PKBUGCHECK_CALLBACK_RECORD CallbackRecord);
NTSTATUS KeDeregisterNmiCallback(PVOID Handle);
VOID KeDeregisterProcessorChangeCallback(PVOID CallbackHandle);
NTSTATUS KeExpandKernelStackAndCallout(PEXPAND_STACK_CALLOUT Callout, PVOID Parameter, SIZE_T Size);
USHORT KeGetCurrentNodeNumber(VOID);
ULONG KeGetRecommendedSharedDataAlignment(VOID);
USHORT KeQueryActiveGroupCount(VOID);
NTSTATUS KeQueryAuxiliaryCounterFrequency(PULONG64 AuxiliaryCounterFrequency);
NTSTATUS KeQueryDpcWatchdogInformation(PKDPC_WATCHDOG_INFORMATION WatchdogInformation);
KAFFINITY KeQueryGroupAffinity(USHORT GroupNumber);
NTSTATUS KeQueryHardwareCounterConfiguration(PHARDWARE_COUNTER CounterArray, ULONG MaximumCount,
                                             PULONG Count);
USHORT KeQueryHighestNodeNumber(VOID);
NTSTATUS KeQueryLogicalProcessorRelationship(PPROCESSOR_NUMBER ProcessorNumber,
                                             LOGICAL_PROCESSOR_RELATIONSHIP RelationshipType,
                                             PSYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX Information,
                                             PULONG Length);
USHORT KeQueryMaximumGroupCount(VOID);
VOID KeQueryNodeActiveAffinity(USHORT NodeNumber, PGROUP_AFFINITY Affinity, PUSHORT Count);
USHORT KeQueryNodeMaximumProcessorCount(USHORT NodeNumber);
ULONG KeQueryRuntimeThread(PKTHREAD Thread, PULONG UserTime);
ULONG64 KeQueryTotalCycleTimeThread(PKTHREAD Thread, PULONG64 CycleTimeStamp);
PVOID KeRegisterBoundCallback(PBOUND_CALLBACK CallbackRoutine);
BOOLEAN KeRegisterBugCheckCallback(PKBUGCHECK_CALLBACK_RECORD CallbackRecord,
                                   PKBUGCHECK_CALLBACK_ROUTINE CallbackRoutine, PVOID Buffer,
                                   ULONG Length, PUCHAR Component);
PVOID KeRegisterNmiCallback(PNMI_CALLBACK CallbackRoutine, PVOID Context);
PVOID KeRegisterProcessorChangeCallback(PPROCESSOR_CALLBACK_FUNCTION CallbackFunction,
                                        PVOID CallbackContext, ULONG Flags);
NTSTATUS KeSetHardwareCounterConfiguration(PHARDWARE_COUNTER CounterArray, ULONG Count);
VOID KeSetSystemAffinityThread(KAFFINITY Affinity);

/* ---- Memory ---- */

NTSTATUS MmAdvanceMdl(PMDLX Mdl, ULONG NumberOfBytes);
NTSTATUS MmAllocateMdlForIoSpace(PMM_PHYSICAL_ADDRESS_LIST PhysicalAddressList,
                                 SIZE_T NumberOfEntries, PMDL *NewMdl);
NTSTATUS MmCopyMemory(PVOID TargetAddress, MM_COPY_ADDRESS SourceAddress, SIZE_T NumberOfBytes,
                      ULONG Flags, PSIZE_T NumberOfBytesTransferred);
LOGICAL MmIsDriverSuspectForVerifier(DRIVER_OBJECT *DriverObject);
LOGICAL MmIsDriverVerifying(DRIVER_OBJECT *DriverObject);
LOGICAL MmIsDriverVerifyingByAddress(PVOID AddressWithinSection);
BOOLEAN MmIsThisAnNtAsSystem(VOID);
VOID MmLockPagableSectionByHandle(PVOID ImageSectionHandle);
NTSTATUS MmMapMdl(PMDL MemoryDescriptorList, ULONG Protection, PMM_MDL_ROUTINE DriverRoutine,
                  PVOID DriverContext);
VOID MmProbeAndLockSelectedPages(PMDLX MemoryDescriptorList, PFILE_SEGMENT_ELEMENT SegmentArray,
                                 KPROCESSOR_MODE AccessMode, LOCK_OPERATION Operation);

/* ---- Objects ---- */

NTSTATUS ObCloseHandle(HANDLE Handle, KPROCESSOR_MODE PreviousMode);
VOID ObDereferenceObjectDeferDeleteWithTag(PVOID Object, ULONG Tag);
NTSTATUS ObGetObjectSecurity(PVOID Object, PSECURITY_DESCRIPTOR *SecurityDescriptor,
                             PBOOLEAN MemoryAllocated);
NTSTATUS ObReferenceObjectByPointerWithTag(PVOID Object, ACCESS_MASK DesiredAccess,
                                           POBJECT_TYPE ObjectType, KPROCESSOR_MODE AccessMode,
                                           ULONG Tag);
NTSTATUS ObRegisterCallbacks(POB_CALLBACK_REGISTRATION CallBackRegistration,
                             PVOID *RegistrationHandle);
VOID ObReleaseObjectSecurity(PSECURITY_DESCRIPTOR SecurityDescriptor, BOOLEAN MemoryAllocated);
VOID ObUnRegisterCallbacks(PVOID RegistrationHandle);

/* ---- Power ---- */

VOID PoFxActivateComponent(POHANDLE Handle, ULONG Component, ULONG Flags);
VOID PoFxCompleteDevicePowerNotRequired(POHANDLE Handle);
VOID PoFxCompleteIdleCondition(POHANDLE Handle, ULONG Component);
VOID PoFxCompleteIdleState(POHANDLE Handle, ULONG Component);
VOID PoFxIdleComponent(POHANDLE Handle, ULONG Component, ULONG Flags);
VOID PoFxIssueComponentPerfStateChange(POHANDLE Handle, ULONG Flags, ULONG Component,
                                       PPO_FX_PERF_STATE_CHANGE PerfChange, PVOID Context);
VOID PoFxIssueComponentPerfStateChangeMultiple(POHANDLE Handle, ULONG Flags, ULONG Component,
                                               ULONG PerfChangesCount,
                                               PO_FX_PERF_STATE_CHANGE PerfChanges[],
                                               PVOID Context);
VOID PoFxNotifySurprisePowerOn(PDEVICE_OBJECT Pdo);
NTSTATUS PoFxPowerControl(POHANDLE Handle, LPCGUID PowerControlCode, PVOID InBuffer,
                          SIZE_T InBufferSize, PVOID OutBuffer, SIZE_T OutBufferSize,
                          PSIZE_T BytesReturned);
NTSTATUS PoFxQueryCurrentComponentPerfState(POHANDLE Handle, ULONG Flags, ULONG Component,
                                            ULONG SetIndex, PULONGLONG CurrentPerf);
NTSTATUS
PoFxRegisterComponentPerfStates(POHANDLE Handle, ULONG Component, ULONG Flags,
                                PPO_FX_COMPONENT_PERF_STATE_CALLBACK ComponentPerfStateCallback,
                                PPO_FX_COMPONENT_PERF_INFO InputStateInfo,
                                PPO_FX_COMPONENT_PERF_INFO *OutputStateInfo);
NTSTATUS PoFxRegisterDevice(PDEVICE_OBJECT Pdo, PPO_FX_DEVICE Device, POHANDLE *Handle);
VOID PoFxReportDevicePoweredOn(POHANDLE Handle);
VOID PoFxSetComponentLatency(POHANDLE Handle, ULONG Component, ULONGLONG Latency);
VOID PoFxSetComponentResidency(POHANDLE Handle, ULONG Component, ULONGLONG Residency);
VOID PoFxSetComponentWake(POHANDLE Handle, ULONG Component, BOOLEAN WakeHint);
VOID PoFxSetDeviceIdleTimeout(POHANDLE Handle, ULONGLONG IdleTimeout);
NTSTATUS PoFxSetTargetDripsDevicePowerState(POHANDLE Handle, DEVICE_POWER_STATE TargetState);
VOID PoFxStartDevicePowerManagement(POHANDLE Handle);
VOID PoFxUnregisterDevice(POHANDLE Handle);
BOOLEAN PoGetSystemWake(PIRP Irp);
NTSTATUS PoRequestPowerIrp(PDEVICE_OBJECT DeviceObject, UCHAR MinorFunction, POWER_STATE PowerState,
                           PREQUEST_POWER_COMPLETE CompletionFunction, PVOID Context, PIRP *Irp);
VOID PoSetSystemState(EXECUTION_STATE Flags);
VOID PoSetSystemWake(PIRP Irp);

/* ---- Processes and threads ---- */

PVOID PsGetCurrentThreadTeb(VOID);
LONGLONG PsGetProcessCreateTimeQuadPart(PEPROCESS Process);
ULONG64 PsQueryTotalCycleTimeProcess(PEPROCESS Process, PULONG64 CycleTimeStamp);
NTSTATUS PsRemoveCreateThreadNotifyRoutine(PCREATE_THREAD_NOTIFY_ROUTINE NotifyRoutine);
NTSTATUS PsRemoveLoadImageNotifyRoutine(PLOAD_IMAGE_NOTIFY_ROUTINE NotifyRoutine);
NTSTATUS PsSetCreateProcessNotifyRoutineEx(PCREATE_PROCESS_NOTIFY_ROUTINE_EX NotifyRoutine,
                                           BOOLEAN Remove);
NTSTATUS PsSetCreateProcessNotifyRoutineEx2(PSCREATEPROCESSNOTIFYTYPE NotifyType,
                                            PVOID NotifyInformation, BOOLEAN Remove);
NTSTATUS PsSetCreateThreadNotifyRoutine(PCREATE_THREAD_NOTIFY_ROUTINE NotifyRoutine);
NTSTATUS PsSetCreateThreadNotifyRoutineEx(PSCREATETHREADNOTIFYTYPE NotifyType,
                                          PVOID NotifyInformation);
NTSTATUS PsSetLoadImageNotifyRoutine(PLOAD_IMAGE_NOTIFY_ROUTINE NotifyRoutine);
NTSTATUS PsSetLoadImageNotifyRoutineEx(PLOAD_IMAGE_NOTIFY_ROUTINE NotifyRoutine, ULONG_PTR Flags);

/* ---- Run time ---- */

ULONG RtlAnsiStringToUnicodeSize(PANSI_STRING AnsiString);
ULONG RtlFindClearRuns(PRTL_BITMAP BitMapHeader, PRTL_BITMAP_RUN RunArray, ULONG SizeOfRunArray,
                       BOOLEAN LocateLongestRuns);
ULONG RtlFindFirstRunClear(PRTL_BITMAP BitMapHeader, PULONG StartingIndex);
ULONG RtlFindLastBackwardRunClear(PRTL_BITMAP BitMapHeader, ULONG FromIndex,
                                  PULONG StartingRunIndex);
ULONG RtlFindLongestRunClear(PRTL_BITMAP BitMapHeader, PULONG StartingIndex);
ULONG RtlFindNextForwardRunClear(PRTL_BITMAP BitMapHeader, ULONG FromIndex,
                                 PULONG StartingRunIndex);
ULONG64 RtlGetEnabledExtendedFeatures(ULONG64 FeatureMask);
NTSTATUS RtlHashUnicodeString(PCUNICODE_STRING String, BOOLEAN CaseInSensitive, ULONG HashAlgorithm,
                              PULONG HashValue);
NTSTATUS RtlIntPtrToUnicodeString(ULONG_PTR Value, ULONG Base, PUNICODE_STRING String);
ULONGLONG RtlIoDecodeMemIoResource(PIO_RESOURCE_DESCRIPTOR Descriptor, PULONGLONG Alignment,
                                   PULONGLONG MinimumAddress, PULONGLONG MaximumAddress);
NTSTATUS RtlIoEncodeMemIoResource(PIO_RESOURCE_DESCRIPTOR Descriptor, UCHAR Type, ULONGLONG Length,
                                  ULONGLONG Alignment, ULONGLONG MinimumAddress,
                                  ULONGLONG MaximumAddress);
BOOLEAN RtlIsServicePackVersionInstalled(ULONG Version);
BOOLEAN RtlIsStateSeparationEnabled(VOID);
ULONG RtlLengthSecurityDescriptor(PSECURITY_DESCRIPTOR SecurityDescriptor);
VOID RtlMapGenericMask(PACCESS_MASK AccessMask, PGENERIC_MAPPING GenericMapping);
ULONG RtlNumberOfSetBitsUlongPtr(ULONG_PTR Target);
VOID RtlPrefetchMemoryNonTemporal(PVOID Source, SIZE_T Length);
NTSTATUS RtlSetDaclSecurityDescriptor(PSECURITY_DESCRIPTOR SecurityDescriptor, BOOLEAN DaclPresent,
                                      PACL Dacl, BOOLEAN DaclDefaulted);
ULONG RtlUnicodeStringToAnsiSize(PUNICODE_STRING UnicodeString);
VOID RtlUpperString(PSTRING DestinationString, const STRING *SourceString);
BOOLEAN RtlValidRelativeSecurityDescriptor(PSECURITY_DESCRIPTOR SecurityDescriptorInput,
                                           ULONG SecurityDescriptorLength,
                                           SECURITY_INFORMATION RequiredInformation);
BOOLEAN RtlValidSecurityDescriptor(PSECURITY_DESCRIPTOR SecurityDescriptor);
NTSTATUS RtlVolumeDeviceToDosName(PVOID VolumeDeviceObject, PUNICODE_STRING DosName);
ULONG RtlxAnsiStringToUnicodeSize(PCANSI_STRING AnsiString);
ULONG RtlxUnicodeStringToAnsiSize(PCUNICODE_STRING UnicodeString);

/* ---- Security ---- */

BOOLEAN SeAccessCheck(PSECURITY_DESCRIPTOR SecurityDescriptor,
                      PSECURITY_SUBJECT_CONTEXT SubjectSecurityContext,
                      BOOLEAN SubjectContextLocked, ACCESS_MASK DesiredAccess,
                      ACCESS_MASK PreviouslyGrantedAccess, PPRIVILEGE_SET *Privileges,
                      PGENERIC_MAPPING GenericMapping, KPROCESSOR_MODE AccessMode,
                      PACCESS_MASK GrantedAccess, PNTSTATUS AccessStatus);
NTSTATUS SeAssignSecurity(PSECURITY_DESCRIPTOR ParentDescriptor,
                          PSECURITY_DESCRIPTOR ExplicitDescriptor,
                          PSECURITY_DESCRIPTOR *NewDescriptor, BOOLEAN IsDirectoryObject,
                          PSECURITY_SUBJECT_CONTEXT SubjectContext, PGENERIC_MAPPING GenericMapping,
                          POOL_TYPE PoolType);
NTSTATUS SeAssignSecurityEx(PSECURITY_DESCRIPTOR ParentDescriptor,
                            PSECURITY_DESCRIPTOR ExplicitDescriptor,
                            PSECURITY_DESCRIPTOR *NewDescriptor, GUID *ObjectType,
                            BOOLEAN IsDirectoryObject, ULONG AutoInheritFlags,
                            PSECURITY_SUBJECT_CONTEXT SubjectContext,
                            PGENERIC_MAPPING GenericMapping, POOL_TYPE PoolType);
NTSTATUS SeDeassignSecurity(PSECURITY_DESCRIPTOR *SecurityDescriptor);
NTSTATUS SeEtwWriteKMCveEvent(PCUNICODE_STRING CveId, PCUNICODE_STRING AdditionalDetails);
BOOLEAN SeValidSecurityDescriptor(ULONG Length, PSECURITY_DESCRIPTOR SecurityDescriptor);

/* ---- System services ---- */

NTSTATUS ZwAllocateLocallyUniqueId(PLUID LUID);
NTSTATUS ZwCreateDirectoryObject(PHANDLE DirectoryHandle, ACCESS_MASK DesiredAccess,
                                 POBJECT_ATTRIBUTES ObjectAttributes);
NTSTATUS ZwDeviceIoControlFile(HANDLE FileHandle, HANDLE Event, PIO_APC_ROUTINE ApcRoutine,
                               PVOID ApcContext, PIO_STATUS_BLOCK IoStatusBlock,
                               ULONG IoControlCode, PVOID InputBuffer, ULONG InputBufferLength,
                               PVOID OutputBuffer, ULONG OutputBufferLength);
NTSTATUS ZwMakeTemporaryObject(HANDLE Handle);
NTSTATUS ZwOpenEvent(PHANDLE EventHandle, ACCESS_MASK DesiredAccess,
                     POBJECT_ATTRIBUTES ObjectAttributes);
NTSTATUS ZwOpenKeyEx(PHANDLE KeyHandle, ACCESS_MASK DesiredAccess,
                     POBJECT_ATTRIBUTES ObjectAttributes, ULONG OpenOptions);
NTSTATUS ZwOpenProcess(PHANDLE ProcessHandle, ACCESS_MASK DesiredAccess,
                       POBJECT_ATTRIBUTES ObjectAttributes, PCLIENT_ID ClientId);
NTSTATUS ZwOpenSymbolicLinkObject(PHANDLE LinkHandle, ACCESS_MASK DesiredAccess,
                                  POBJECT_ATTRIBUTES ObjectAttributes);
NTSTATUS ZwPowerInformation(POWER_INFORMATION_LEVEL InformationLevel, PVOID InputBuffer,
                            ULONG InputBufferLength, PVOID OutputBuffer, ULONG OutputBufferLength);
NTSTATUS ZwQueryFullAttributesFile(POBJECT_ATTRIBUTES ObjectAttributes,
                                   PFILE_NETWORK_OPEN_INFORMATION FileInformation);
NTSTATUS ZwQuerySymbolicLinkObject(HANDLE LinkHandle, PUNICODE_STRING LinkTarget,
                                   PULONG ReturnedLength);
NTSTATUS ZwQueryVolumeInformationFile(HANDLE FileHandle, PIO_STATUS_BLOCK IoStatusBlock,
                                      PVOID FsInformation, ULONG Length,
                                      FS_INFORMATION_CLASS FsInformationClass);
NTSTATUS ZwSetInformationThread(HANDLE ThreadHandle, THREADINFOCLASS ThreadInformationClass,
                                PVOID ThreadInformation, ULONG ThreadInformationLength);
NTSTATUS ZwSinglePhaseReject(HANDLE EnlistmentHandle, PLARGE_INTEGER TmVirtualClock);
NTSTATUS ZwTerminateProcess(HANDLE ProcessHandle, NTSTATUS ExitStatus);

KIT_END

#endif /* KIT_WDM_RARE_H */
