/*
 * wdm_mm.h: the Mm routines: contiguous memory, physical addresses, MDLs, device memory.
 *
 * An MDL (wddm_types.h draws it) names the page frames behind a run of bytes. Frames come from the
 * machine in any order; MmMapLockedPagesSpecifyCache maps them page by page so that they look
 * contiguous. Physical addresses are those of the machine: of system memory, or of a device's BAR.
 *
 * Source: wdm.h and ntddk.h pages mm*, "Using MDLs".
 */
#ifndef KIT_WDM_MM_H
#define KIT_WDM_MM_H

#include "wdm_ex.h"

KIT_BEGIN

#ifndef PAGE_MASK
#define PAGE_MASK (~((ULONG_PTR)PAGE_SIZE - 1))
#endif
#define PAGE_ALIGN(Va) ((PVOID)((ULONG_PTR)(Va) & ~((ULONG_PTR)PAGE_SIZE - 1)))
#define BYTE_OFFSET(Va) ((ULONG)((ULONG_PTR)(Va) & (PAGE_SIZE - 1)))
#define ROUND_TO_PAGES(Size) (((ULONG_PTR)(Size) + PAGE_SIZE - 1) & ~((ULONG_PTR)PAGE_SIZE - 1))
#define BYTES_TO_PAGES(Size)                                                                       \
    ((ULONG)(((ULONG_PTR)(Size) >> PAGE_SHIFT) + (((ULONG_PTR)(Size) & (PAGE_SIZE - 1)) != 0)))
#define ADDRESS_AND_SIZE_TO_SPAN_PAGES(Va, Size)                                                   \
    ((ULONG)(((((ULONG_PTR)(Va)) & (PAGE_SIZE - 1)) + (ULONG_PTR)(Size) + (PAGE_SIZE - 1)) >>      \
             PAGE_SHIFT))
#define COMPUTE_PAGES_SPANNED(Va, Size) ADDRESS_AND_SIZE_TO_SPAN_PAGES(Va, Size)

typedef PMDL PMDLX;
typedef enum _LOCK_OPERATION { IoReadAccess, IoWriteAccess, IoModifyAccess } LOCK_OPERATION;
/* The end of the addresses of programs. */
#define MM_USER_PROBE_ADDRESS ((ULONG_PTR)0x7FFFFFFF0000)
#define MM_HIGHEST_USER_ADDRESS ((PVOID)0x7FFFFFFEFFFF)

typedef enum _MM_PAGE_PRIORITY {
    LowPagePriority,
    NormalPagePriority = 16,
    HighPagePriority = 32
} MM_PAGE_PRIORITY;
#define MdlMappingNoWrite 0x80000000
#define MdlMappingNoExecute 0x40000000
#define MM_DONT_ZERO_ALLOCATION 0x00000001
#define MM_ALLOCATE_FROM_LOCAL_NODE_ONLY 0x00000002
#define MM_ALLOCATE_FULLY_REQUIRED 0x00000004
#define MM_ALLOCATE_NO_WAIT 0x00000008
#define MM_ALLOCATE_PREFER_CONTIGUOUS 0x00000010
#define MM_ALLOCATE_REQUIRE_CONTIGUOUS_CHUNKS 0x00000020
#define MM_ANY_NODE_OK 0x80000000
typedef ULONG NODE_REQUIREMENT;
#define PAGE_NOACCESS 0x01
#define PAGE_READONLY 0x02
#define PAGE_READWRITE 0x04
#define PAGE_WRITECOPY 0x08
#define PAGE_EXECUTE 0x10
#define PAGE_EXECUTE_READ 0x20
#define PAGE_EXECUTE_READWRITE 0x40
#define PAGE_GUARD 0x100
#define PAGE_NOCACHE 0x200
#define PAGE_WRITECOMBINE 0x400
#define MEM_COMMIT 0x1000
#define MEM_RESERVE 0x2000
#define MEM_DECOMMIT 0x4000
#define MEM_RELEASE 0x8000
#define SEC_COMMIT 0x8000000

typedef struct _PHYSICAL_MEMORY_RANGE {
    PHYSICAL_ADDRESS BaseAddress;
    LARGE_INTEGER NumberOfBytes;
} PHYSICAL_MEMORY_RANGE, *PPHYSICAL_MEMORY_RANGE;

/* ---- Contiguous memory. NULL: no such run, or more than the configured ceiling ---- */

PVOID MmAllocateContiguousMemory(SIZE_T NumberOfBytes, PHYSICAL_ADDRESS HighestAcceptableAddress);
PVOID MmAllocateContiguousMemorySpecifyCache(SIZE_T NumberOfBytes,
                                             PHYSICAL_ADDRESS LowestAcceptableAddress,
                                             PHYSICAL_ADDRESS HighestAcceptableAddress,
                                             PHYSICAL_ADDRESS BoundaryAddressMultiple,
                                             MEMORY_CACHING_TYPE CacheType);
/* How the page at a physical address is cached: memory is, a device's is not.
 * STATUS_INVALID_PARAMETER_1: neither is there. */
NTSTATUS MmGetCacheAttribute(PHYSICAL_ADDRESS PhysicalAddress, MEMORY_CACHING_TYPE *CacheType);
PVOID MmAllocateContiguousMemorySpecifyCacheNode(SIZE_T NumberOfBytes,
                                                 PHYSICAL_ADDRESS LowestAcceptableAddress,
                                                 PHYSICAL_ADDRESS HighestAcceptableAddress,
                                                 PHYSICAL_ADDRESS BoundaryAddressMultiple,
                                                 MEMORY_CACHING_TYPE CacheType,
                                                 NODE_REQUIREMENT PreferredNode);
PVOID MmAllocateContiguousNodeMemory(SIZE_T NumberOfBytes, PHYSICAL_ADDRESS LowestAcceptableAddress,
                                     PHYSICAL_ADDRESS HighestAcceptableAddress,
                                     PHYSICAL_ADDRESS BoundaryAddressMultiple, ULONG Protect,
                                     NODE_REQUIREMENT PreferredNode);
VOID MmFreeContiguousMemory(PVOID BaseAddress);
VOID MmFreeContiguousMemorySpecifyCache(PVOID BaseAddress, SIZE_T NumberOfBytes,
                                        MEMORY_CACHING_TYPE CacheType);
PVOID MmAllocateNonCachedMemory(SIZE_T NumberOfBytes);
VOID MmFreeNonCachedMemory(PVOID BaseAddress, SIZE_T NumberOfBytes);

/* ---- Addresses ---- */

/* The physical address of an address in pool, contiguous, mapped or device memory; 0: none. */
PHYSICAL_ADDRESS MmGetPhysicalAddress(PVOID BaseAddress);
PVOID MmGetVirtualForPhysical(PHYSICAL_ADDRESS PhysicalAddress);
BOOLEAN MmIsAddressValid(PVOID VirtualAddress);
PPHYSICAL_MEMORY_RANGE MmGetPhysicalMemoryRanges(VOID);

/* Make device memory addressable, or undo it; the sizes must agree. NULL: no such memory. */
PVOID MmMapIoSpace(PHYSICAL_ADDRESS PhysicalAddress, SIZE_T NumberOfBytes,
                   MEMORY_CACHING_TYPE CacheType);
PVOID MmMapIoSpaceEx(PHYSICAL_ADDRESS PhysicalAddress, SIZE_T NumberOfBytes, ULONG Protect);
VOID MmUnmapIoSpace(PVOID BaseAddress, SIZE_T NumberOfBytes);

/* ---- MDLs ---- */

struct _IRP;

SIZE_T MmSizeOfMdl(PVOID Base, SIZE_T Length);
/* Fill in the header of an MDL in memory of the driver. */
#define MmInitializeMdl(Mdl, BaseVa, Length)                                                       \
    do {                                                                                           \
        (Mdl)->Next = NULL;                                                                        \
        (Mdl)->Size = (SHORT)(sizeof(MDL) + sizeof(PFN_NUMBER) *                                   \
                                                ADDRESS_AND_SIZE_TO_SPAN_PAGES(BaseVa, Length));   \
        (Mdl)->MdlFlags = 0;                                                                       \
        (Mdl)->StartVa = PAGE_ALIGN(BaseVa);                                                       \
        (Mdl)->ByteOffset = BYTE_OFFSET(BaseVa);                                                   \
        (Mdl)->ByteCount = (ULONG)(Length);                                                        \
    } while (0)
#define MmPrepareMdlForReuse(Mdl) vidmm_kit_reuse_mdl(Mdl)
VOID vidmm_kit_reuse_mdl(PMDL Mdl);
PMDL IoAllocateMdl(PVOID VirtualAddress, ULONG Length, BOOLEAN SecondaryBuffer, BOOLEAN ChargeQuota,
                   struct _IRP *Irp);
VOID IoFreeMdl(PMDL Mdl);
VOID IoBuildPartialMdl(PMDL SourceMdl, PMDL TargetMdl, PVOID VirtualAddress, ULONG Length);
/* Fill the frames of an MDL for nonpaged memory. */
VOID MmBuildMdlForNonPagedPool(PMDL MemoryDescriptorList);
/* Fill and pin them for any memory; raises STATUS_ACCESS_VIOLATION if it is not addressable. */
VOID MmProbeAndLockPages(PMDL MemoryDescriptorList, KPROCESSOR_MODE AccessMode,
                         LOCK_OPERATION Operation);
VOID MmUnlockPages(PMDL MemoryDescriptorList);
/* Make the frames addressable in one run; NULL (or an exception, without MdlMapping...) if not. */
PVOID MmMapLockedPagesSpecifyCache(PMDL MemoryDescriptorList, KPROCESSOR_MODE AccessMode,
                                   MEMORY_CACHING_TYPE CacheType, PVOID RequestedAddress,
                                   ULONG BugCheckOnFailure, ULONG Priority);
PVOID MmMapLockedPages(PMDL MemoryDescriptorList, KPROCESSOR_MODE AccessMode);
VOID MmUnmapLockedPages(PVOID BaseAddress, PMDL MemoryDescriptorList);
PVOID MmMapLockedPagesWithReservedMapping(PVOID MappingAddress, ULONG PoolTag,
                                          PMDL MemoryDescriptorList, MEMORY_CACHING_TYPE CacheType);
VOID MmUnmapReservedMapping(PVOID BaseAddress, ULONG PoolTag, PMDL MemoryDescriptorList);
PVOID MmAllocateMappingAddress(SIZE_T NumberOfBytes, ULONG PoolTag);
VOID MmFreeMappingAddress(PVOID BaseAddress, ULONG PoolTag);
NTSTATUS MmProtectMdlSystemAddress(PMDL MemoryDescriptorList, ULONG NewProtect);
PMDL MmAllocatePagesForMdl(PHYSICAL_ADDRESS LowAddress, PHYSICAL_ADDRESS HighAddress,
                           PHYSICAL_ADDRESS SkipBytes, SIZE_T TotalBytes);
PMDL MmAllocatePagesForMdlEx(PHYSICAL_ADDRESS LowAddress, PHYSICAL_ADDRESS HighAddress,
                             PHYSICAL_ADDRESS SkipBytes, SIZE_T TotalBytes,
                             MEMORY_CACHING_TYPE CacheType, ULONG Flags);
PMDL MmAllocateNodePagesForMdlEx(PHYSICAL_ADDRESS LowAddress, PHYSICAL_ADDRESS HighAddress,
                                 PHYSICAL_ADDRESS SkipBytes, SIZE_T TotalBytes,
                                 MEMORY_CACHING_TYPE CacheType, ULONG IdealNode, ULONG Flags);
VOID MmFreePagesFromMdl(PMDL MemoryDescriptorList);
PVOID vidmm_kit_mdl_system_address(PMDL Mdl, ULONG Priority);
#define MmGetSystemAddressForMdlSafe(Mdl, Priority) vidmm_kit_mdl_system_address(Mdl, Priority)
#define MmGetSystemAddressForMdl(Mdl) vidmm_kit_mdl_system_address(Mdl, NormalPagePriority)

/* ---- Sections, code, others ---- */

VOID MmResetDriverPaging(PVOID AddressWithinSection);
PVOID MmPageEntireDriver(PVOID AddressWithinSection);
PVOID MmLockPagableDataSection(PVOID AddressWithinSection);
VOID MmUnlockPagableImageSection(PVOID ImageSectionHandle);
#define MmLockPagableCodeSection(Address) MmLockPagableDataSection(Address)
PVOID MmGetSystemRoutineAddress(PUNICODE_STRING SystemRoutineName);
NTSTATUS MmMapViewInSystemSpace(PVOID Section, PVOID *MappedBase, PSIZE_T ViewSize);
NTSTATUS MmUnmapViewInSystemSpace(PVOID MappedBase);
HANDLE MmSecureVirtualMemory(PVOID Address, SIZE_T Size, ULONG ProbeMode);
HANDLE MmSecureVirtualMemoryEx(PVOID Address, SIZE_T Size, ULONG ProbeMode, ULONG Flags);
VOID MmUnsecureVirtualMemory(HANDLE SecureHandle);
typedef enum _MM_SYSTEM_SIZE { MmSmallSystem, MmMediumSystem, MmLargeSystem } MM_SYSTEMSIZE;
MM_SYSTEMSIZE MmQuerySystemSize(VOID);
/* Check that memory of a program may be read or written; otherwise an exception is raised. */
VOID ProbeForRead(const volatile VOID *Address, SIZE_T Length, ULONG Alignment);
VOID ProbeForWrite(volatile VOID *Address, SIZE_T Length, ULONG Alignment);

KIT_END

#endif /* KIT_WDM_MM_H */
