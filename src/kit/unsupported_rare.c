/* unsupported_rare.c: the routines of wdm_rare.h that the kit does not have. */
#include "kit/unsupported.h"

/* Registry */
NOT_SUPPORTED(CmCallbackGetKeyObjectID, PLARGE_INTEGER Cookie, PVOID Object, PULONG_PTR ObjectID,
              PCUNICODE_STRING *ObjectName)
NOT_SUPPORTED(CmCallbackGetKeyObjectIDEx, PLARGE_INTEGER Cookie, PVOID Object, PULONG_PTR ObjectID,
              PCUNICODE_STRING *ObjectName, ULONG Flags)
NOTHING_DONE(CmCallbackReleaseKeyObjectIDEx, PCUNICODE_STRING ObjectName)
NOTHING_DONE(CmGetCallbackVersion, PULONG Major, PULONG Minor)
NOT_SUPPORTED(CmRegisterCallback, PEX_CALLBACK_FUNCTION Function, PVOID Context,
              PLARGE_INTEGER Cookie)
NOT_SUPPORTED(CmRegisterCallbackEx, PEX_CALLBACK_FUNCTION Function, PCUNICODE_STRING Altitude,
              PVOID Driver, PVOID Context, PLARGE_INTEGER Cookie, PVOID Reserved)
NOT_SUPPORTED(CmSetCallbackObjectContext, PVOID Object, PLARGE_INTEGER Cookie, PVOID NewContext,
              PVOID *OldContext)
NOT_SUPPORTED(CmUnRegisterCallback, LARGE_INTEGER Cookie)

/* Events */

/* Executive */
UNSUPPORTED(0, BOOLEAN, ExAcquireSharedStarveExclusive, PERESOURCE Resource, BOOLEAN Wait)
UNSUPPORTED(0, BOOLEAN, ExAcquireSharedWaitForExclusive, PERESOURCE Resource, BOOLEAN Wait)
UNSUPPORTED(NULL, PVOID, ExAllocatePoolWithQuota, POOL_TYPE PoolType, SIZE_T NumberOfBytes)
NOTHING_DONE(ExConvertExclusiveToSharedLite, PERESOURCE Resource)
NOTHING_DONE(ExFlushLookasideListEx, PLOOKASIDE_LIST_EX Lookaside)
UNSUPPORTED(0, ULONG, ExGetExclusiveWaiterCount, PERESOURCE Resource)
UNSUPPORTED(0, FIRMWARE_TYPE, ExGetFirmwareType, VOID)
UNSUPPORTED(0, ULONG, ExGetSharedWaiterCount, PERESOURCE Resource)
UNSUPPORTED(0, BOOLEAN, ExIsSoftBoot, VOID)
NOTHING_DONE(ExNotifyCallback, PVOID CallbackObject, PVOID Argument1, PVOID Argument2)
NOTHING_DONE(ExQueryTimerResolution, PULONG MaximumTime, PULONG MinimumTime, PULONG CurrentTime)
NOTHING_DONE(ExReleaseResourceForThreadLite, PERESOURCE Resource, ERESOURCE_THREAD ResourceThreadId)
NOT_SUPPORTED(ExSetFirmwareEnvironmentVariable, PUNICODE_STRING VariableName, LPGUID VendorGuid,
              PVOID Value, ULONG ValueLength, ULONG Attributes)
NOTHING_DONE(ExSetResourceOwnerPointer, PERESOURCE Resource, PVOID OwnerPointer)
NOTHING_DONE(ExSetResourceOwnerPointerEx, PERESOURCE Resource, PVOID OwnerPointer, ULONG Flags)

/* Devices and requests */
NOTHING_DONE(IoAcquireCancelSpinLock, PKIRQL Irql)
NOTHING_DONE(IoReleaseCancelSpinLock, KIRQL Irql)
UNSUPPORTED(NULL, PIRP, IoAllocateIrpEx, PDEVICE_OBJECT DeviceObject, CCHAR StackSize,
            BOOLEAN ChargeQuota)
NOTHING_DONE(IoAdjustPagingPathCount, PLONG Count, BOOLEAN Increment)
NOT_SUPPORTED(IoAttachDevice, PDEVICE_OBJECT SourceDevice, PUNICODE_STRING TargetDevice,
              PDEVICE_OBJECT *AttachedDevice)
UNSUPPORTED(NULL, PDEVICE_OBJECT, IoAttachDeviceToDeviceStack, PDEVICE_OBJECT SourceDevice,
            PDEVICE_OBJECT TargetDevice)
NOT_SUPPORTED(IoAttachDeviceToDeviceStackSafe, PDEVICE_OBJECT SourceDevice,
              PDEVICE_OBJECT TargetDevice, PDEVICE_OBJECT *AttachedToDeviceObject)
UNSUPPORTED(NULL, PIRP, IoBuildAsynchronousFsdRequest, ULONG MajorFunction,
            PDEVICE_OBJECT DeviceObject, PVOID Buffer, ULONG Length, PLARGE_INTEGER StartingOffset,
            PIO_STATUS_BLOCK IoStatusBlock)
NOTHING_DONE(IoCancelFileOpen, PDEVICE_OBJECT DeviceObject, PFILE_OBJECT FileObject)
NOTHING_DONE(IoClearActivityIdThread, LPCGUID OriginalId)
NOT_SUPPORTED(IoConnectInterruptEx, PIO_CONNECT_INTERRUPT_PARAMETERS Parameters)
NOT_SUPPORTED(IoCreateSystemThread, PVOID IoObject, PHANDLE ThreadHandle, ULONG DesiredAccess,
              POBJECT_ATTRIBUTES ObjectAttributes, HANDLE ProcessHandle, PCLIENT_ID ClientId,
              PKSTART_ROUTINE StartRoutine, PVOID StartContext)
NOT_SUPPORTED(IoCreateUnprotectedSymbolicLink, PUNICODE_STRING SymbolicLinkName,
              PUNICODE_STRING DeviceName)
NOTHING_DONE(IoDetachDevice, PDEVICE_OBJECT TargetDevice)
NOTHING_DONE(IoDisconnectInterruptEx, PIO_DISCONNECT_INTERRUPT_PARAMETERS Parameters)
UNSUPPORTED(0, BOOLEAN, IoForwardIrpSynchronously, PDEVICE_OBJECT DeviceObject, PIRP Irp)
NOTHING_DONE(IoFreeErrorLogEntry, PVOID ElEntry)
NOT_SUPPORTED(IoGetActivityIdIrp, PIRP Irp, LPGUID Guid)
NOT_SUPPORTED(IoGetAffinityInterrupt, PKINTERRUPT InterruptObject, PGROUP_AFFINITY GroupAffinity)
UNSUPPORTED(NULL, PCONFIGURATION_INFORMATION, IoGetConfigurationInformation, VOID)
NOT_SUPPORTED(IoGetContainerInformation, IO_CONTAINER_INFORMATION_CLASS InformationClass,
              PVOID ContainerObject, PVOID Buffer, ULONG BufferLength)
NOT_SUPPORTED(IoGetDeviceInterfaceAlias, PUNICODE_STRING SymbolicLinkName,
              const GUID *AliasInterfaceClassGuid, PUNICODE_STRING AliasSymbolicLinkName)
NOT_SUPPORTED(IoGetDeviceInterfacePropertyData, PUNICODE_STRING SymbolicLinkName,
              const DEVPROPKEY *PropertyKey, LCID Lcid, ULONG Flags, ULONG Size, PVOID Data,
              PULONG RequiredSize, PDEVPROPTYPE Type)
NOT_SUPPORTED(IoGetDeviceNumaNode, PDEVICE_OBJECT Pdo, PUSHORT NodeNumber)
NOT_SUPPORTED(IoGetDevicePropertyData, PDEVICE_OBJECT Pdo, const DEVPROPKEY *PropertyKey, LCID Lcid,
              ULONG Flags, ULONG Size, PVOID Data, PULONG RequiredSize, PDEVPROPTYPE Type)
UNSUPPORTED(NULL, PGENERIC_MAPPING, IoGetFileObjectGenericMapping, VOID)
UNSUPPORTED(0, ULONG, IoGetFunctionCodeFromCtlCode, ULONG ControlCode)
UNSUPPORTED(NULL, PVOID, IoGetInitialStack, VOID)
UNSUPPORTED(NULL, PEPROCESS WINAPI, IoGetInitiatorProcess, PFILE_OBJECT FileObject)
UNSUPPORTED(0, IO_PRIORITY_HINT, IoGetIoPriorityHint, PIRP Irp)
UNSUPPORTED(0, IO_PAGING_PRIORITY, IoGetPagingIoPriority, PIRP Irp)
NOTHING_DONE(IoGetStackLimits, PULONG_PTR LowLimit, PULONG_PTR HighLimit)
NOTHING_DONE(IoInitializeDriverCreateContext, PIO_DRIVER_CREATE_CONTEXT DriverContext)
NOTHING_DONE(IoInitializeIrp, PIRP Irp, USHORT PacketSize, CCHAR StackSize)
NOT_SUPPORTED(IoInitializeTimer, PDEVICE_OBJECT DeviceObject, PIO_TIMER_ROUTINE TimerRoutine,
              PVOID Context)
NOTHING_DONE(IoInitializeWorkItem, PVOID IoObject, PIO_WORKITEM IoWorkItem)
NOTHING_DONE(IoInvalidateDeviceRelations, PDEVICE_OBJECT DeviceObject, DEVICE_RELATION_TYPE Type)
UNSUPPORTED(0, BOOLEAN, IoIsErrorUserInduced, NTSTATUS Status)
UNSUPPORTED(0, LOGICAL, IoIsValidIrpStatus, NTSTATUS Status)
UNSUPPORTED(NULL, PIRP, IoMakeAssociatedIrp, PIRP Irp, CCHAR StackSize)
NOT_SUPPORTED(IoOpenDeviceInterfaceRegistryKey, PUNICODE_STRING SymbolicLinkName,
              ACCESS_MASK DesiredAccess, PHANDLE DeviceInterfaceKey)
NOT_SUPPORTED(IoPropagateActivityIdToThread, PIRP Irp, LPGUID PropagatedId, LPCGUID *OriginalId)
NOT_SUPPORTED(IoQueryFullDriverPath, PDRIVER_OBJECT DriverObject, PUNICODE_STRING FullPath)
NOTHING_DONE(IoRaiseHardError, PIRP Irp, PVPB Vpb, PDEVICE_OBJECT RealDeviceObject)
UNSUPPORTED(0, BOOLEAN, IoRaiseInformationalHardError, NTSTATUS ErrorStatus, PUNICODE_STRING String,
            PKTHREAD Thread)
NOT_SUPPORTED(IoRegisterContainerNotification, IO_CONTAINER_NOTIFICATION_CLASS NotificationClass,
              PIO_CONTAINER_NOTIFICATION_FUNCTION CallbackFunction, PVOID NotificationInformation,
              ULONG NotificationInformationLength, PVOID CallbackRegistration)
NOT_SUPPORTED(IoRegisterLastChanceShutdownNotification, PDEVICE_OBJECT DeviceObject)
NOT_SUPPORTED(IoRegisterShutdownNotification, PDEVICE_OBJECT DeviceObject)
NOT_SUPPORTED(IoReportDetectedDevice, PDRIVER_OBJECT DriverObject, INTERFACE_TYPE LegacyBusType,
              ULONG BusNumber, ULONG SlotNumber, PCM_RESOURCE_LIST ResourceList,
              PIO_RESOURCE_REQUIREMENTS_LIST ResourceRequirements, BOOLEAN ResourceAssigned,
              PDEVICE_OBJECT *DeviceObject)
NOTHING_DONE(IoReportInterruptActive, PIO_REPORT_INTERRUPT_ACTIVE_STATE_PARAMETERS Parameters)
NOTHING_DONE(IoReportInterruptInactive, PIO_REPORT_INTERRUPT_ACTIVE_STATE_PARAMETERS Parameters)
NOT_SUPPORTED(IoReportResourceForDetection, PDRIVER_OBJECT DriverObject,
              PCM_RESOURCE_LIST DriverList, ULONG DriverListSize, PDEVICE_OBJECT DeviceObject,
              PCM_RESOURCE_LIST DeviceList, ULONG DeviceListSize, PBOOLEAN ConflictDetected)
NOT_SUPPORTED(IoReportRootDevice, PDRIVER_OBJECT DriverObject)
NOT_SUPPORTED(IoReportTargetDeviceChange, PDEVICE_OBJECT PhysicalDeviceObject,
              PVOID NotificationStructure)
NOT_SUPPORTED(IoReportTargetDeviceChangeAsynchronous, PDEVICE_OBJECT PhysicalDeviceObject,
              PVOID NotificationStructure, PDEVICE_CHANGE_COMPLETE_CALLBACK Callback, PVOID Context)
NOTHING_DONE(IoRequestDeviceEject, PDEVICE_OBJECT PhysicalDeviceObject)
NOTHING_DONE(IoReuseIrp, PIRP Irp, NTSTATUS Status)
NOT_SUPPORTED(IoSetActivityIdIrp, PIRP Irp, LPGUID Guid)
UNSUPPORTED(0, LPGUID, IoSetActivityIdThread, LPGUID ActivityId)
NOT_SUPPORTED(IoSetCompletionRoutineEx, PDEVICE_OBJECT DeviceObject, PIRP Irp,
              PIO_COMPLETION_ROUTINE CompletionRoutine, PVOID Context, BOOLEAN InvokeOnSuccess,
              BOOLEAN InvokeOnError, BOOLEAN InvokeOnCancel)
NOT_SUPPORTED(IoSetDeviceInterfacePropertyData, PUNICODE_STRING SymbolicLinkName,
              const DEVPROPKEY *PropertyKey, LCID Lcid, ULONG Flags, DEVPROPTYPE Type, ULONG Size,
              PVOID Data)
NOT_SUPPORTED(IoSetDevicePropertyData, PDEVICE_OBJECT Pdo, const DEVPROPKEY *PropertyKey, LCID Lcid,
              ULONG Flags, DEVPROPTYPE Type, ULONG Size, PVOID Data)
NOT_SUPPORTED(IoSetFileObjectIgnoreSharing, PFILE_OBJECT FileObject)
NOTHING_DONE(IoSetHardErrorOrVerifyDevice, PIRP Irp, PDEVICE_OBJECT DeviceObject)
NOT_SUPPORTED(IoSetIoPriorityHint, PIRP Irp, IO_PRIORITY_HINT PriorityHint)
NOTHING_DONE(IoSetMasterIrpStatus, PIRP MasterIrp, NTSTATUS Status)
UNSUPPORTED(0, BOOLEAN, IoSetThreadHardErrorMode, BOOLEAN EnableHardErrors)
NOTHING_DONE(IoTransferActivityId, LPCGUID ActivityId, LPCGUID RelatedActivityId)
NOTHING_DONE(IoUninitializeWorkItem, PIO_WORKITEM IoWorkItem)
NOTHING_DONE(IoUnregisterContainerNotification, PVOID CallbackRegistration)
NOT_SUPPORTED(IoUnregisterPlugPlayNotification, PVOID NotificationEntry)
NOTHING_DONE(IoUnregisterShutdownNotification, PDEVICE_OBJECT DeviceObject)
NOT_SUPPORTED(IoValidateDeviceIoControlAccess, PIRP Irp, ULONG RequiredAccess)
NOT_SUPPORTED(IoVolumeDeviceToDosName, PVOID VolumeDeviceObject, PUNICODE_STRING DosName)
NOT_SUPPORTED(IoWMIAllocateInstanceIds, GUID *Guid, ULONG InstanceCount, ULONG *FirstInstanceId)
NOT_SUPPORTED(IoWMIDeviceObjectToInstanceName, PVOID DataBlockObject, PDEVICE_OBJECT DeviceObject,
              PUNICODE_STRING InstanceName)
UNSUPPORTED(0, ULONG, IoWMIDeviceObjectToProviderId, PDEVICE_OBJECT DeviceObject)
NOT_SUPPORTED(IoWMIExecuteMethod, PVOID DataBlockObject, PUNICODE_STRING InstanceName,
              ULONG MethodId, ULONG InBufferSize, PULONG OutBufferSize, PUCHAR InOutBuffer)
NOT_SUPPORTED(IoWMIHandleToInstanceName, PVOID DataBlockObject, HANDLE FileHandle,
              PUNICODE_STRING InstanceName)
NOT_SUPPORTED(IoWMIOpenBlock, GUID *DataBlockGuid, ULONG DesiredAccess, PVOID *DataBlockObject)
NOT_SUPPORTED(IoWMIQueryAllData, PVOID DataBlockObject, ULONG *InOutBufferSize, PVOID OutBuffer)
NOT_SUPPORTED(IoWMIQueryAllDataMultiple, PVOID *DataBlockObjectList, ULONG ObjectCount,
              ULONG *InOutBufferSize, PVOID OutBuffer)
NOT_SUPPORTED(IoWMIQuerySingleInstance, PVOID DataBlockObject, PUNICODE_STRING InstanceName,
              ULONG *InOutBufferSize, PVOID OutBuffer)
NOT_SUPPORTED(IoWMIQuerySingleInstanceMultiple, PVOID *DataBlockObjectList,
              PUNICODE_STRING InstanceNames, ULONG ObjectCount, ULONG *InOutBufferSize,
              PVOID OutBuffer)
NOT_SUPPORTED(IoWMISetNotificationCallback, PVOID Object, WMI_NOTIFICATION_CALLBACK Callback,
              PVOID Context)
NOT_SUPPORTED(IoWMISetSingleInstance, PVOID DataBlockObject, PUNICODE_STRING InstanceName,
              ULONG Version, ULONG ValueBufferSize, PVOID ValueBuffer)
NOT_SUPPORTED(IoWMISetSingleItem, PVOID DataBlockObject, PUNICODE_STRING InstanceName,
              ULONG DataItemId, ULONG Version, ULONG ValueBufferSize, PVOID ValueBuffer)
NOT_SUPPORTED(IoWMISuggestInstanceName, PDEVICE_OBJECT PhysicalDeviceObject,
              PUNICODE_STRING SymbolicLinkName, BOOLEAN CombineNames,
              PUNICODE_STRING SuggestedInstanceName)
NOT_SUPPORTED(IoWMIWriteEvent, PVOID WnodeEventItem)
UNSUPPORTED(0, LOGICAL, IoWithinStackLimits, ULONG_PTR RegionStart, SIZE_T RegionSize)

/* Processors */
NOTHING_DONE(KdBreakPointWithStatus, ULONG Status)
NOT_SUPPORTED(KdChangeOption, KD_OPTION Option, ULONG InBufferBytes, PVOID InBuffer,
              ULONG OutBufferBytes, PVOID OutBuffer, PULONG OutBufferNeeded)
NOT_SUPPORTED(KeConvertAuxiliaryCounterToPerformanceCounter, ULONG64 AuxiliaryCounterValue,
              PULONG64 PerformanceCounterValue, PULONG64 ConversionError)
NOT_SUPPORTED(KeConvertPerformanceCounterToAuxiliaryCounter, ULONG64 PerformanceCounterValue,
              PULONG64 AuxiliaryCounterValue, PULONG64 ConversionError)
NOT_SUPPORTED(KeDeregisterBoundCallback, PVOID Handle)
UNSUPPORTED(0, BOOLEAN, KeDeregisterBugCheckCallback, PKBUGCHECK_CALLBACK_RECORD CallbackRecord)
NOT_SUPPORTED(KeDeregisterNmiCallback, PVOID Handle)
NOTHING_DONE(KeDeregisterProcessorChangeCallback, PVOID CallbackHandle)
NOT_SUPPORTED(KeQueryAuxiliaryCounterFrequency, PULONG64 AuxiliaryCounterFrequency)
NOT_SUPPORTED(KeQueryDpcWatchdogInformation, PKDPC_WATCHDOG_INFORMATION WatchdogInformation)
UNSUPPORTED(0, KAFFINITY, KeQueryGroupAffinity, USHORT GroupNumber)
NOT_SUPPORTED(KeQueryHardwareCounterConfiguration, PHARDWARE_COUNTER CounterArray,
              ULONG MaximumCount, PULONG Count)
NOT_SUPPORTED(KeQueryLogicalProcessorRelationship, PPROCESSOR_NUMBER ProcessorNumber,
              LOGICAL_PROCESSOR_RELATIONSHIP RelationshipType,
              PSYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX Information, PULONG Length)
NOTHING_DONE(KeQueryNodeActiveAffinity, USHORT NodeNumber, PGROUP_AFFINITY Affinity, PUSHORT Count)
UNSUPPORTED(0, USHORT, KeQueryNodeMaximumProcessorCount, USHORT NodeNumber)
UNSUPPORTED(0, ULONG, KeQueryRuntimeThread, PKTHREAD Thread, PULONG UserTime)
UNSUPPORTED(0, ULONG64, KeQueryTotalCycleTimeThread, PKTHREAD Thread, PULONG64 CycleTimeStamp)
UNSUPPORTED(NULL, PVOID, KeRegisterBoundCallback, PBOUND_CALLBACK CallbackRoutine)
UNSUPPORTED(0, BOOLEAN, KeRegisterBugCheckCallback, PKBUGCHECK_CALLBACK_RECORD CallbackRecord,
            PKBUGCHECK_CALLBACK_ROUTINE CallbackRoutine, PVOID Buffer, ULONG Length,
            PUCHAR Component)
UNSUPPORTED(NULL, PVOID, KeRegisterNmiCallback, PNMI_CALLBACK CallbackRoutine, PVOID Context)
UNSUPPORTED(NULL, PVOID, KeRegisterProcessorChangeCallback,
            PPROCESSOR_CALLBACK_FUNCTION CallbackFunction, PVOID CallbackContext, ULONG Flags)
NOT_SUPPORTED(KeSetHardwareCounterConfiguration, PHARDWARE_COUNTER CounterArray, ULONG Count)
NOTHING_DONE(KeSetSystemAffinityThread, KAFFINITY Affinity)

/* Memory */
NOT_SUPPORTED(MmAdvanceMdl, PMDLX Mdl, ULONG NumberOfBytes)
NOT_SUPPORTED(MmAllocateMdlForIoSpace, PMM_PHYSICAL_ADDRESS_LIST PhysicalAddressList,
              SIZE_T NumberOfEntries, PMDL *NewMdl)
NOT_SUPPORTED(MmCopyMemory, PVOID TargetAddress, MM_COPY_ADDRESS SourceAddress,
              SIZE_T NumberOfBytes, ULONG Flags, PSIZE_T NumberOfBytesTransferred)
UNSUPPORTED(0, LOGICAL, MmIsDriverSuspectForVerifier, DRIVER_OBJECT *DriverObject)
UNSUPPORTED(0, LOGICAL, MmIsDriverVerifying, DRIVER_OBJECT *DriverObject)
UNSUPPORTED(0, LOGICAL, MmIsDriverVerifyingByAddress, PVOID AddressWithinSection)
NOTHING_DONE(MmLockPagableSectionByHandle, PVOID ImageSectionHandle)
NOT_SUPPORTED(MmMapMdl, PMDL MemoryDescriptorList, ULONG Protection, PMM_MDL_ROUTINE DriverRoutine,
              PVOID DriverContext)
NOTHING_DONE(MmProbeAndLockSelectedPages, PMDLX MemoryDescriptorList,
             PFILE_SEGMENT_ELEMENT SegmentArray, KPROCESSOR_MODE AccessMode,
             LOCK_OPERATION Operation)

/* Objects */
NOT_SUPPORTED(ObCloseHandle, HANDLE Handle, KPROCESSOR_MODE PreviousMode)
NOTHING_DONE(ObDereferenceObjectDeferDeleteWithTag, PVOID Object, ULONG Tag)
NOT_SUPPORTED(ObGetObjectSecurity, PVOID Object, PSECURITY_DESCRIPTOR *SecurityDescriptor,
              PBOOLEAN MemoryAllocated)
NOT_SUPPORTED(ObReferenceObjectByPointerWithTag, PVOID Object, ACCESS_MASK DesiredAccess,
              POBJECT_TYPE ObjectType, KPROCESSOR_MODE AccessMode, ULONG Tag)
NOT_SUPPORTED(ObRegisterCallbacks, POB_CALLBACK_REGISTRATION CallBackRegistration,
              PVOID *RegistrationHandle)
NOTHING_DONE(ObReleaseObjectSecurity, PSECURITY_DESCRIPTOR SecurityDescriptor,
             BOOLEAN MemoryAllocated)
NOTHING_DONE(ObUnRegisterCallbacks, PVOID RegistrationHandle)

/* Power */
NOTHING_DONE(PoFxActivateComponent, POHANDLE Handle, ULONG Component, ULONG Flags)
NOTHING_DONE(PoFxCompleteDevicePowerNotRequired, POHANDLE Handle)
NOTHING_DONE(PoFxCompleteIdleCondition, POHANDLE Handle, ULONG Component)
NOTHING_DONE(PoFxCompleteIdleState, POHANDLE Handle, ULONG Component)
NOTHING_DONE(PoFxIdleComponent, POHANDLE Handle, ULONG Component, ULONG Flags)
NOTHING_DONE(PoFxIssueComponentPerfStateChange, POHANDLE Handle, ULONG Flags, ULONG Component,
             PPO_FX_PERF_STATE_CHANGE PerfChange, PVOID Context)
NOTHING_DONE(PoFxIssueComponentPerfStateChangeMultiple, POHANDLE Handle, ULONG Flags,
             ULONG Component, ULONG PerfChangesCount, PO_FX_PERF_STATE_CHANGE PerfChanges[],
             PVOID Context)
NOTHING_DONE(PoFxNotifySurprisePowerOn, PDEVICE_OBJECT Pdo)
NOT_SUPPORTED(PoFxPowerControl, POHANDLE Handle, LPCGUID PowerControlCode, PVOID InBuffer,
              SIZE_T InBufferSize, PVOID OutBuffer, SIZE_T OutBufferSize, PSIZE_T BytesReturned)
NOT_SUPPORTED(PoFxQueryCurrentComponentPerfState, POHANDLE Handle, ULONG Flags, ULONG Component,
              ULONG SetIndex, PULONGLONG CurrentPerf)
NOT_SUPPORTED(PoFxRegisterComponentPerfStates, POHANDLE Handle, ULONG Component, ULONG Flags,
              PPO_FX_COMPONENT_PERF_STATE_CALLBACK ComponentPerfStateCallback,
              PPO_FX_COMPONENT_PERF_INFO InputStateInfo,
              PPO_FX_COMPONENT_PERF_INFO *OutputStateInfo)
NOT_SUPPORTED(PoFxRegisterDevice, PDEVICE_OBJECT Pdo, PPO_FX_DEVICE Device, POHANDLE *Handle)
NOTHING_DONE(PoFxReportDevicePoweredOn, POHANDLE Handle)
NOTHING_DONE(PoFxSetComponentLatency, POHANDLE Handle, ULONG Component, ULONGLONG Latency)
NOTHING_DONE(PoFxSetComponentResidency, POHANDLE Handle, ULONG Component, ULONGLONG Residency)
NOTHING_DONE(PoFxSetComponentWake, POHANDLE Handle, ULONG Component, BOOLEAN WakeHint)
NOTHING_DONE(PoFxSetDeviceIdleTimeout, POHANDLE Handle, ULONGLONG IdleTimeout)
NOT_SUPPORTED(PoFxSetTargetDripsDevicePowerState, POHANDLE Handle, DEVICE_POWER_STATE TargetState)
NOTHING_DONE(PoFxStartDevicePowerManagement, POHANDLE Handle)
NOTHING_DONE(PoFxUnregisterDevice, POHANDLE Handle)
UNSUPPORTED(0, BOOLEAN, PoGetSystemWake, PIRP Irp)
NOT_SUPPORTED(PoRequestPowerIrp, PDEVICE_OBJECT DeviceObject, UCHAR MinorFunction,
              POWER_STATE PowerState, PREQUEST_POWER_COMPLETE CompletionFunction, PVOID Context,
              PIRP *Irp)
NOTHING_DONE(PoSetSystemWake, PIRP Irp)

/* Processes and threads */
UNSUPPORTED(NULL, PVOID, PsGetCurrentThreadTeb, VOID)
UNSUPPORTED(0, LONGLONG, PsGetProcessCreateTimeQuadPart, PEPROCESS Process)
UNSUPPORTED(0, ULONG64, PsQueryTotalCycleTimeProcess, PEPROCESS Process, PULONG64 CycleTimeStamp)
NOT_SUPPORTED(PsRemoveCreateThreadNotifyRoutine, PCREATE_THREAD_NOTIFY_ROUTINE NotifyRoutine)
NOT_SUPPORTED(PsRemoveLoadImageNotifyRoutine, PLOAD_IMAGE_NOTIFY_ROUTINE NotifyRoutine)
NOT_SUPPORTED(PsSetCreateProcessNotifyRoutineEx, PCREATE_PROCESS_NOTIFY_ROUTINE_EX NotifyRoutine,
              BOOLEAN Remove)
NOT_SUPPORTED(PsSetCreateProcessNotifyRoutineEx2, PSCREATEPROCESSNOTIFYTYPE NotifyType,
              PVOID NotifyInformation, BOOLEAN Remove)
NOT_SUPPORTED(PsSetCreateThreadNotifyRoutine, PCREATE_THREAD_NOTIFY_ROUTINE NotifyRoutine)
NOT_SUPPORTED(PsSetCreateThreadNotifyRoutineEx, PSCREATETHREADNOTIFYTYPE NotifyType,
              PVOID NotifyInformation)
NOT_SUPPORTED(PsSetLoadImageNotifyRoutine, PLOAD_IMAGE_NOTIFY_ROUTINE NotifyRoutine)
NOT_SUPPORTED(PsSetLoadImageNotifyRoutineEx, PLOAD_IMAGE_NOTIFY_ROUTINE NotifyRoutine,
              ULONG_PTR Flags)

/* Run time */
UNSUPPORTED(0, ULONG, RtlAnsiStringToUnicodeSize, PANSI_STRING AnsiString)
UNSUPPORTED(0, ULONG, RtlFindClearRuns, PRTL_BITMAP BitMapHeader, PRTL_BITMAP_RUN RunArray,
            ULONG SizeOfRunArray, BOOLEAN LocateLongestRuns)
UNSUPPORTED(0, ULONG, RtlFindFirstRunClear, PRTL_BITMAP BitMapHeader, PULONG StartingIndex)
UNSUPPORTED(0, ULONG, RtlFindLastBackwardRunClear, PRTL_BITMAP BitMapHeader, ULONG FromIndex,
            PULONG StartingRunIndex)
UNSUPPORTED(0, ULONG, RtlFindLongestRunClear, PRTL_BITMAP BitMapHeader, PULONG StartingIndex)
UNSUPPORTED(0, ULONG, RtlFindNextForwardRunClear, PRTL_BITMAP BitMapHeader, ULONG FromIndex,
            PULONG StartingRunIndex)
UNSUPPORTED(0, ULONG64, RtlGetEnabledExtendedFeatures, ULONG64 FeatureMask)
NOT_SUPPORTED(RtlHashUnicodeString, PCUNICODE_STRING String, BOOLEAN CaseInSensitive,
              ULONG HashAlgorithm, PULONG HashValue)
NOT_SUPPORTED(RtlIntPtrToUnicodeString, ULONG_PTR Value, ULONG Base, PUNICODE_STRING String)
UNSUPPORTED(0, ULONGLONG, RtlIoDecodeMemIoResource, PIO_RESOURCE_DESCRIPTOR Descriptor,
            PULONGLONG Alignment, PULONGLONG MinimumAddress, PULONGLONG MaximumAddress)
NOT_SUPPORTED(RtlIoEncodeMemIoResource, PIO_RESOURCE_DESCRIPTOR Descriptor, UCHAR Type,
              ULONGLONG Length, ULONGLONG Alignment, ULONGLONG MinimumAddress,
              ULONGLONG MaximumAddress)
UNSUPPORTED(0, BOOLEAN, RtlIsServicePackVersionInstalled, ULONG Version)
UNSUPPORTED(0, BOOLEAN, RtlIsStateSeparationEnabled, VOID)
UNSUPPORTED(0, ULONG, RtlLengthSecurityDescriptor, PSECURITY_DESCRIPTOR SecurityDescriptor)
NOTHING_DONE(RtlMapGenericMask, PACCESS_MASK AccessMask, PGENERIC_MAPPING GenericMapping)
NOTHING_DONE(RtlPrefetchMemoryNonTemporal, PVOID Source, SIZE_T Length)
NOT_SUPPORTED(RtlSetDaclSecurityDescriptor, PSECURITY_DESCRIPTOR SecurityDescriptor,
              BOOLEAN DaclPresent, PACL Dacl, BOOLEAN DaclDefaulted)
UNSUPPORTED(0, ULONG, RtlUnicodeStringToAnsiSize, PUNICODE_STRING UnicodeString)
UNSUPPORTED(0, BOOLEAN, RtlValidRelativeSecurityDescriptor,
            PSECURITY_DESCRIPTOR SecurityDescriptorInput, ULONG SecurityDescriptorLength,
            SECURITY_INFORMATION RequiredInformation)
UNSUPPORTED(0, BOOLEAN, RtlValidSecurityDescriptor, PSECURITY_DESCRIPTOR SecurityDescriptor)
NOT_SUPPORTED(RtlVolumeDeviceToDosName, PVOID VolumeDeviceObject, PUNICODE_STRING DosName)
UNSUPPORTED(0, ULONG, RtlxAnsiStringToUnicodeSize, PCANSI_STRING AnsiString)
UNSUPPORTED(0, ULONG, RtlxUnicodeStringToAnsiSize, PCUNICODE_STRING UnicodeString)

/* Security */
UNSUPPORTED(0, BOOLEAN, SeAccessCheck, PSECURITY_DESCRIPTOR SecurityDescriptor,
            PSECURITY_SUBJECT_CONTEXT SubjectSecurityContext, BOOLEAN SubjectContextLocked,
            ACCESS_MASK DesiredAccess, ACCESS_MASK PreviouslyGrantedAccess,
            PPRIVILEGE_SET *Privileges, PGENERIC_MAPPING GenericMapping, KPROCESSOR_MODE AccessMode,
            PACCESS_MASK GrantedAccess, PNTSTATUS AccessStatus)
NOT_SUPPORTED(SeAssignSecurity, PSECURITY_DESCRIPTOR ParentDescriptor,
              PSECURITY_DESCRIPTOR ExplicitDescriptor, PSECURITY_DESCRIPTOR *NewDescriptor,
              BOOLEAN IsDirectoryObject, PSECURITY_SUBJECT_CONTEXT SubjectContext,
              PGENERIC_MAPPING GenericMapping, POOL_TYPE PoolType)
NOT_SUPPORTED(SeAssignSecurityEx, PSECURITY_DESCRIPTOR ParentDescriptor,
              PSECURITY_DESCRIPTOR ExplicitDescriptor, PSECURITY_DESCRIPTOR *NewDescriptor,
              GUID *ObjectType, BOOLEAN IsDirectoryObject, ULONG AutoInheritFlags,
              PSECURITY_SUBJECT_CONTEXT SubjectContext, PGENERIC_MAPPING GenericMapping,
              POOL_TYPE PoolType)
NOT_SUPPORTED(SeDeassignSecurity, PSECURITY_DESCRIPTOR *SecurityDescriptor)
NOT_SUPPORTED(SeEtwWriteKMCveEvent, PCUNICODE_STRING CveId, PCUNICODE_STRING AdditionalDetails)
UNSUPPORTED(0, BOOLEAN, SeValidSecurityDescriptor, ULONG Length,
            PSECURITY_DESCRIPTOR SecurityDescriptor)

/* System services */
NOT_SUPPORTED(ZwAllocateLocallyUniqueId, PLUID Luid)
NOT_SUPPORTED(ZwCreateDirectoryObject, PHANDLE DirectoryHandle, ACCESS_MASK DesiredAccess,
              POBJECT_ATTRIBUTES ObjectAttributes)
NOT_SUPPORTED(ZwDeviceIoControlFile, HANDLE FileHandle, HANDLE Event, PIO_APC_ROUTINE ApcRoutine,
              PVOID ApcContext, PIO_STATUS_BLOCK IoStatusBlock, ULONG IoControlCode,
              PVOID InputBuffer, ULONG InputBufferLength, PVOID OutputBuffer,
              ULONG OutputBufferLength)
NOT_SUPPORTED(ZwMakeTemporaryObject, HANDLE Handle)
NOT_SUPPORTED(ZwOpenEvent, PHANDLE EventHandle, ACCESS_MASK DesiredAccess,
              POBJECT_ATTRIBUTES ObjectAttributes)
NOT_SUPPORTED(ZwOpenKeyEx, PHANDLE KeyHandle, ACCESS_MASK DesiredAccess,
              POBJECT_ATTRIBUTES ObjectAttributes, ULONG OpenOptions)
NOT_SUPPORTED(ZwOpenProcess, PHANDLE ProcessHandle, ACCESS_MASK DesiredAccess,
              POBJECT_ATTRIBUTES ObjectAttributes, PCLIENT_ID ClientId)
NOT_SUPPORTED(ZwOpenSymbolicLinkObject, PHANDLE LinkHandle, ACCESS_MASK DesiredAccess,
              POBJECT_ATTRIBUTES ObjectAttributes)
NOT_SUPPORTED(ZwPowerInformation, POWER_INFORMATION_LEVEL InformationLevel, PVOID InputBuffer,
              ULONG InputBufferLength, PVOID OutputBuffer, ULONG OutputBufferLength)
NOT_SUPPORTED(ZwQueryFullAttributesFile, POBJECT_ATTRIBUTES ObjectAttributes,
              PFILE_NETWORK_OPEN_INFORMATION FileInformation)
NOT_SUPPORTED(ZwQuerySymbolicLinkObject, HANDLE LinkHandle, PUNICODE_STRING LinkTarget,
              PULONG ReturnedLength)
NOT_SUPPORTED(ZwQueryVolumeInformationFile, HANDLE FileHandle, PIO_STATUS_BLOCK IoStatusBlock,
              PVOID FsInformation, ULONG Length, FS_INFORMATION_CLASS FsInformationClass)
NOT_SUPPORTED(ZwSetInformationThread, HANDLE ThreadHandle, THREADINFOCLASS ThreadInformationClass,
              PVOID ThreadInformation, ULONG ThreadInformationLength)
NOT_SUPPORTED(ZwSinglePhaseReject, HANDLE EnlistmentHandle, PLARGE_INTEGER TmVirtualClock)
NOT_SUPPORTED(ZwTerminateProcess, HANDLE ProcessHandle, NTSTATUS ExitStatus)

/* and of the others */
NOTHING_DONE(RtlUpperString, PSTRING DestinationString, const STRING *SourceString)
UNSUPPORTED(0, ULONG_PTR, IoGetRemainingStackSize, VOID)
UNSUPPORTED(0, ULONG, IoSizeofWorkItem, VOID)
