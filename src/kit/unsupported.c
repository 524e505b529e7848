/* unsupported.c: routines that the headers declare and the kit does not have. Each says so when it
 * is called, and answers what a driver takes for a refusal.
 */
#include "kit/unsupported.h"

/* wdm_ke.h */
UNSUPPORTED(0, KIRQL, KeAcquireInterruptSpinLock, PKINTERRUPT Interrupt)
NOTHING_DONE(KeReleaseInterruptSpinLock, PKINTERRUPT Interrupt, KIRQL OldIrql)
UNSUPPORTED(0, BOOLEAN, KeSynchronizeExecution, PKINTERRUPT Interrupt,
            PKSYNCHRONIZE_ROUTINE SynchronizeRoutine, PVOID SynchronizeContext)

/* wdm_ex.h */
UNSUPPORTED(0, ULONG, ExSetTimerResolution, ULONG DesiredTime, BOOLEAN SetResolution)
NOT_SUPPORTED(ExCreateCallback, PCALLBACK_OBJECT *CallbackObject,
              POBJECT_ATTRIBUTES ObjectAttributes, BOOLEAN Create, BOOLEAN AllowMultipleCallbacks)
UNSUPPORTED(NULL, PVOID, ExRegisterCallback, PCALLBACK_OBJECT CallbackObject,
            PCALLBACK_FUNCTION CallbackFunction, PVOID CallbackContext)
NOTHING_DONE(ExUnregisterCallback, PVOID CallbackRegistration)
NOT_SUPPORTED(ExUuidCreate, UUID *Uuid)
NOT_SUPPORTED(ExGetFirmwareEnvironmentVariable, PUNICODE_STRING VariableName, GUID *VendorGuid,
              PVOID Value, PULONG ValueLength, PULONG Attributes)

/* wdm_mm.h */
UNSUPPORTED(NULL, PVOID, MmMapLockedPagesWithReservedMapping, PVOID MappingAddress, ULONG PoolTag,
            PMDL MemoryDescriptorList, MEMORY_CACHING_TYPE CacheType)
NOTHING_DONE(MmUnmapReservedMapping, PVOID BaseAddress, ULONG PoolTag, PMDL MemoryDescriptorList)
UNSUPPORTED(NULL, PVOID, MmAllocateMappingAddress, SIZE_T NumberOfBytes, ULONG PoolTag)
NOTHING_DONE(MmFreeMappingAddress, PVOID BaseAddress, ULONG PoolTag)
NOT_SUPPORTED(MmProtectMdlSystemAddress, PMDL MemoryDescriptorList, ULONG NewProtect)
NOTHING_DONE(MmResetDriverPaging, PVOID AddressWithinSection)
UNSUPPORTED(NULL, PVOID, MmPageEntireDriver, PVOID AddressWithinSection)
UNSUPPORTED(NULL, PVOID, MmLockPagableDataSection, PVOID AddressWithinSection)
NOTHING_DONE(MmUnlockPagableImageSection, PVOID ImageSectionHandle)
UNSUPPORTED(NULL, PVOID, MmGetSystemRoutineAddress, PUNICODE_STRING SystemRoutineName)
NOT_SUPPORTED(MmMapViewInSystemSpace, PVOID Section, PVOID *MappedBase, PSIZE_T ViewSize)
NOT_SUPPORTED(MmUnmapViewInSystemSpace, PVOID MappedBase)
UNSUPPORTED(NULL, HANDLE, MmSecureVirtualMemory, PVOID Address, SIZE_T Size, ULONG ProbeMode)
UNSUPPORTED(0, HANDLE, MmSecureVirtualMemoryEx, PVOID Address, SIZE_T Size, ULONG ProbeMode,
            ULONG Flags)
NOTHING_DONE(MmUnsecureVirtualMemory, HANDLE SecureHandle)
UNSUPPORTED(MmMediumSystem, MM_SYSTEMSIZE, MmQuerySystemSize, VOID)

/* wdm_ps.h */
NOT_SUPPORTED(PsLookupProcessByProcessId, HANDLE ProcessId, PEPROCESS *Process)
NOT_SUPPORTED(PsSetCreateProcessNotifyRoutine, PCREATE_PROCESS_NOTIFY_ROUTINE NotifyRoutine,
              BOOLEAN Remove)
NOT_SUPPORTED(ZwDeleteKey, HANDLE KeyHandle)
NOT_SUPPORTED(ZwEnumerateKey, HANDLE KeyHandle, ULONG Index,
              KEY_INFORMATION_CLASS KeyInformationClass, PVOID KeyInformation, ULONG Length,
              PULONG ResultLength)
NOT_SUPPORTED(ZwQueryKey, HANDLE KeyHandle, KEY_INFORMATION_CLASS KeyInformationClass,
              PVOID KeyInformation, ULONG Length, PULONG ResultLength)
NOT_SUPPORTED(ZwCreateFile, PHANDLE FileHandle, ACCESS_MASK DesiredAccess,
              POBJECT_ATTRIBUTES ObjectAttributes, PIO_STATUS_BLOCK IoStatusBlock,
              PLARGE_INTEGER AllocationSize, ULONG FileAttributes, ULONG ShareAccess,
              ULONG CreateDisposition, ULONG CreateOptions, PVOID EaBuffer, ULONG EaLength)
NOT_SUPPORTED(ZwOpenFile, PHANDLE FileHandle, ACCESS_MASK DesiredAccess,
              POBJECT_ATTRIBUTES ObjectAttributes, PIO_STATUS_BLOCK IoStatusBlock,
              ULONG ShareAccess, ULONG OpenOptions)
NOT_SUPPORTED(ZwReadFile, HANDLE FileHandle, HANDLE Event, PIO_APC_ROUTINE ApcRoutine,
              PVOID ApcContext, PIO_STATUS_BLOCK IoStatusBlock, PVOID Buffer, ULONG Length,
              PLARGE_INTEGER ByteOffset, PULONG Key)
NOT_SUPPORTED(ZwWriteFile, HANDLE FileHandle, HANDLE Event, PIO_APC_ROUTINE ApcRoutine,
              PVOID ApcContext, PIO_STATUS_BLOCK IoStatusBlock, PVOID Buffer, ULONG Length,
              PLARGE_INTEGER ByteOffset, PULONG Key)
NOT_SUPPORTED(ZwQueryInformationFile, HANDLE FileHandle, PIO_STATUS_BLOCK IoStatusBlock,
              PVOID FileInformation, ULONG Length, FILE_INFORMATION_CLASS FileInformationClass)
NOT_SUPPORTED(ZwCreateSection, PHANDLE SectionHandle, ACCESS_MASK DesiredAccess,
              POBJECT_ATTRIBUTES ObjectAttributes, PLARGE_INTEGER MaximumSize,
              ULONG SectionPageProtection, ULONG AllocationAttributes, HANDLE FileHandle)
NOT_SUPPORTED(ZwOpenSection, PHANDLE SectionHandle, ACCESS_MASK DesiredAccess,
              POBJECT_ATTRIBUTES ObjectAttributes)
NOT_SUPPORTED(ZwMapViewOfSection, HANDLE SectionHandle, HANDLE ProcessHandle, PVOID *BaseAddress,
              ULONG_PTR ZeroBits, SIZE_T CommitSize, PLARGE_INTEGER SectionOffset, PSIZE_T ViewSize,
              SECTION_INHERIT InheritDisposition, ULONG AllocationType, ULONG Win32Protect)
NOT_SUPPORTED(ZwUnmapViewOfSection, HANDLE ProcessHandle, PVOID BaseAddress)
NOT_SUPPORTED(ZwLoadDriver, PUNICODE_STRING DriverServiceName)
NOT_SUPPORTED(ZwUnloadDriver, PUNICODE_STRING DriverServiceName)

/* aux_klib.h */
NOT_SUPPORTED(AuxKlibGetBugCheckData, PKBUGCHECK_DATA BugCheckData)
UNSUPPORTED(NULL, struct _IMAGE_EXPORT_DIRECTORY *, AuxKlibGetImageExportDirectory, PVOID ImageBase)
NOT_SUPPORTED(AuxKlibEnumerateSystemFirmwareTables, ULONG FirmwareTableProviderSignature,
              PVOID FirmwareTableBuffer, ULONG BufferLength, PULONG ReturnLength)
NOT_SUPPORTED(AuxKlibGetSystemFirmwareTable, ULONG FirmwareTableProviderSignature,
              ULONG FirmwareTableID, PVOID FirmwareTableBuffer, ULONG BufferLength,
              PULONG ReturnLength)

/* wdm_rtl.h */
UNSUPPORTED(0, ULONG, RtlNtStatusToDosError, NTSTATUS Status)
UNSUPPORTED(0, USHORT, RtlCaptureStackBackTrace, ULONG FramesToSkip, ULONG FramesToCapture,
            PVOID *BackTrace, PULONG BackTraceHash)

/* wdm_io.h */
NOT_SUPPORTED(IofCallDriver, PDEVICE_OBJECT DeviceObject, PIRP Irp)
NOTHING_DONE(IofCompleteRequest, PIRP Irp, CCHAR PriorityBoost)
UNSUPPORTED(NULL, PIRP, IoAllocateIrp, CCHAR StackSize, BOOLEAN ChargeQuota)
NOTHING_DONE(IoFreeIrp, PIRP Irp)
UNSUPPORTED(0, BOOLEAN, IoCancelIrp, PIRP Irp)
UNSUPPORTED(NULL, PIRP, IoBuildDeviceIoControlRequest, ULONG IoControlCode,
            PDEVICE_OBJECT DeviceObject, PVOID InputBuffer, ULONG InputBufferLength,
            PVOID OutputBuffer, ULONG OutputBufferLength, BOOLEAN InternalDeviceIoControl,
            PKEVENT Event, PIO_STATUS_BLOCK IoStatusBlock)
UNSUPPORTED(NULL, PIRP, IoBuildSynchronousFsdRequest, ULONG MajorFunction,
            PDEVICE_OBJECT DeviceObject, PVOID Buffer, ULONG Length, PLARGE_INTEGER StartingOffset,
            PKEVENT Event, PIO_STATUS_BLOCK IoStatusBlock)
UNSUPPORTED(NULL, PDEVICE_OBJECT, IoGetRelatedDeviceObject, PFILE_OBJECT FileObject)
UNSUPPORTED(NULL, PDEVICE_OBJECT, IoGetAttachedDeviceReference, PDEVICE_OBJECT DeviceObject)
NOT_SUPPORTED(IoGetDeviceObjectPointer, PUNICODE_STRING ObjectName, ACCESS_MASK DesiredAccess,
              PFILE_OBJECT *FileObject, PDEVICE_OBJECT *DeviceObject)
NOT_SUPPORTED(IoCreateDeviceSecure, PDRIVER_OBJECT DriverObject, ULONG DeviceExtensionSize,
              PUNICODE_STRING DeviceName, DEVICE_TYPE DeviceType, ULONG DeviceCharacteristics,
              BOOLEAN Exclusive, PCUNICODE_STRING DefaultSDDLString, LPCGUID DeviceClassGuid,
              PDEVICE_OBJECT *DeviceObject)
NOT_SUPPORTED(IoCreateDevice, PDRIVER_OBJECT DriverObject, ULONG DeviceExtensionSize,
              PUNICODE_STRING DeviceName, DEVICE_TYPE DeviceType, ULONG DeviceCharacteristics,
              BOOLEAN Exclusive, PDEVICE_OBJECT *DeviceObject)
NOTHING_DONE(IoDeleteDevice, PDEVICE_OBJECT DeviceObject)
NOT_SUPPORTED(IoCreateSymbolicLink, PUNICODE_STRING SymbolicLinkName, PUNICODE_STRING DeviceName)
NOT_SUPPORTED(IoDeleteSymbolicLink, PUNICODE_STRING SymbolicLinkName)
NOT_SUPPORTED(IoRegisterDeviceInterface, PDEVICE_OBJECT PhysicalDeviceObject,
              const GUID *InterfaceClassGuid, PUNICODE_STRING ReferenceString,
              PUNICODE_STRING SymbolicLinkName)
NOT_SUPPORTED(IoSetDeviceInterfaceState, PUNICODE_STRING SymbolicLinkName, BOOLEAN Enable)
NOT_SUPPORTED(IoGetDeviceInterfaces, const GUID *InterfaceClassGuid,
              PDEVICE_OBJECT PhysicalDeviceObject, ULONG Flags, PWSTR *SymbolicLinkList)
NOTHING_DONE(IoInvalidateDeviceState, PDEVICE_OBJECT PhysicalDeviceObject)
NOT_SUPPORTED(IoRegisterPlugPlayNotification, IO_NOTIFICATION_EVENT_CATEGORY EventCategory,
              ULONG EventCategoryFlags, PVOID EventCategoryData, PDRIVER_OBJECT DriverObject,
              PDRIVER_NOTIFICATION_CALLBACK_ROUTINE CallbackRoutine, PVOID Context,
              PVOID *NotificationEntry)
NOT_SUPPORTED(IoUnregisterPlugPlayNotificationEx, PVOID NotificationEntry)
NOT_SUPPORTED(IoConnectInterrupt, PKINTERRUPT *InterruptObject, PKSERVICE_ROUTINE ServiceRoutine,
              PVOID ServiceContext, PKSPIN_LOCK SpinLock, ULONG Vector, KIRQL Irql,
              KIRQL SynchronizeIrql, KINTERRUPT_MODE InterruptMode, BOOLEAN ShareVector,
              KAFFINITY ProcessorEnableMask, BOOLEAN FloatingSave)
NOTHING_DONE(IoDisconnectInterrupt, PKINTERRUPT InterruptObject)
UNSUPPORTED((POWER_STATE){PowerSystemUnspecified}, POWER_STATE, PoSetPowerState,
            PDEVICE_OBJECT DeviceObject, POWER_STATE_TYPE Type, POWER_STATE State)
NOT_SUPPORTED(PoRegisterPowerSettingCallback, PDEVICE_OBJECT DeviceObject, LPCGUID SettingGuid,
              PPOWER_SETTING_CALLBACK Callback, PVOID Context, PVOID *Handle)
NOT_SUPPORTED(PoUnregisterPowerSettingCallback, PVOID Handle)
UNSUPPORTED(NULL, PDMA_ADAPTER, IoGetDmaAdapter, PDEVICE_OBJECT PhysicalDeviceObject,
            struct _DEVICE_DESCRIPTION *DeviceDescription, PULONG NumberOfMapRegisters)
UNSUPPORTED(NULL, PVOID, IoAllocateErrorLogEntry, PVOID IoObject, UCHAR EntrySize)
NOTHING_DONE(IoWriteErrorLogEntry, PVOID ElEntry)
NOT_SUPPORTED(IoWMIRegistrationControl, PDEVICE_OBJECT DeviceObject, ULONG Action)

/* ntifs.h */
NOT_SUPPORTED(ZwAllocateVirtualMemory, HANDLE ProcessHandle, PVOID *BaseAddress, ULONG_PTR ZeroBits,
              PSIZE_T RegionSize, ULONG AllocationType, ULONG Protect)
NOT_SUPPORTED(ZwFreeVirtualMemory, HANDLE ProcessHandle, PVOID *BaseAddress, PSIZE_T RegionSize,
              ULONG FreeType)
NOT_SUPPORTED(ZwDuplicateObject, HANDLE SourceProcessHandle, HANDLE SourceHandle,
              HANDLE TargetProcessHandle, PHANDLE TargetHandle, ACCESS_MASK DesiredAccess,
              ULONG HandleAttributes, ULONG Options)
NOT_SUPPORTED(PsLookupThreadByThreadId, HANDLE ThreadId, PETHREAD *Thread)
UNSUPPORTED(NULL, PACCESS_TOKEN, PsReferencePrimaryToken, PEPROCESS Process)
UNSUPPORTED(0, BOOLEAN, PsIsThreadTerminating, PETHREAD Thread)
NOT_SUPPORTED(RtlCreateSecurityDescriptor, PSECURITY_DESCRIPTOR SecurityDescriptor, ULONG Revision)
