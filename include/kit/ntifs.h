/* ntifs.h: ntddk.h, and the few names of file systems that display drivers use. */
#ifndef KIT_NTIFS_H
#define KIT_NTIFS_H

#include "ntddk.h"

#define _NTIFS_

KIT_BEGIN

NTSTATUS ZwAllocateVirtualMemory(HANDLE ProcessHandle, PVOID *BaseAddress, ULONG_PTR ZeroBits,
                                 PSIZE_T RegionSize, ULONG AllocationType, ULONG Protect);
NTSTATUS ZwFreeVirtualMemory(HANDLE ProcessHandle, PVOID *BaseAddress, PSIZE_T RegionSize,
                             ULONG FreeType);
NTSTATUS ZwDuplicateObject(HANDLE SourceProcessHandle, HANDLE SourceHandle,
                           HANDLE TargetProcessHandle, PHANDLE TargetHandle,
                           ACCESS_MASK DesiredAccess, ULONG HandleAttributes, ULONG Options);
NTSTATUS PsLookupThreadByThreadId(HANDLE ThreadId, PETHREAD *Thread);
PACCESS_TOKEN PsReferencePrimaryToken(PEPROCESS Process);
BOOLEAN PsIsThreadTerminating(PETHREAD Thread);
NTSTATUS RtlCreateSecurityDescriptor(PSECURITY_DESCRIPTOR SecurityDescriptor, ULONG Revision);

KIT_END

#endif /* KIT_NTIFS_H */
