/*
 * d3dkmddi_paging.h: paging operations.
 *
 * The memory manager moves, fills, drops and maps by asking the driver for commands, one operation
 * a call, packed into paging buffers. Operations below 8 and the aperture pair are WDDM 1.x; the
 * virtual ones use addresses of the paging process.
 */
#ifndef WDDM_D3DKMDDI_PAGING_H
#define WDDM_D3DKMDDI_PAGING_H

#include "d3dukmdt_sync.h"
#include "d3dkmddi_query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Paging ---- */

/*
 * The operations that the driver may have to write into a paging buffer; each value has a member of
 * the same name in DXGKARG_BUILDPAGINGBUFFER.
 * Page: ne-d3dkmddi-_dxgk_buildpagingbuffer_operation.
 */
typedef enum _DXGK_BUILDPAGINGBUFFER_OPERATION {
    DXGK_OPERATION_TRANSFER = 0,                   /* copy between a segment and system memory,
                                                      or between segments */
    DXGK_OPERATION_FILL = 1,                       /* fill a memory segment with a pattern */
    DXGK_OPERATION_DISCARD_CONTENT = 2,            /* content leaves a segment without being
                                                      copied */
    DXGK_OPERATION_READ_PHYSICAL = 3,              /* touch memory, for the order of bus accesses */
    DXGK_OPERATION_WRITE_PHYSICAL = 4,             /* touch memory, for the order of bus accesses */
    DXGK_OPERATION_MAP_APERTURE_SEGMENT = 5,       /* pages of an MDL appear in an aperture */
    DXGK_OPERATION_UNMAP_APERTURE_SEGMENT = 6,     /* the dummy page takes their place */
    DXGK_OPERATION_SPECIAL_LOCK_TRANSFER = 7,      /* as transfer, to or from an alternate
                                                      address */
    DXGK_OPERATION_VIRTUAL_TRANSFER = 8,           /* copy by GPU virtual addresses */
    DXGK_OPERATION_VIRTUAL_FILL = 9,               /* fill by GPU virtual address */
    DXGK_OPERATION_INIT_CONTEXT_RESOURCE = 10,     /* give a context allocation its first content */
    DXGK_OPERATION_UPDATE_PAGE_TABLE = 11,         /* write page-table entries */
    DXGK_OPERATION_FLUSH_TLB = 12,                 /* forget cached translations */
    DXGK_OPERATION_UPDATE_CONTEXT_ALLOCATION = 13, /* change a context allocation's content */
    DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES = 14,   /* copy entries from table to table */
    DXGK_OPERATION_NOTIFY_RESIDENCY = 15,          /* an allocation came or goes */
    DXGK_OPERATION_SIGNAL_MONITORED_FENCE = 16,    /* write a fence value */
    DXGK_OPERATION_MAP_APERTURE_SEGMENT2 = 17,     /* as 5, with an ADL */
    DXGK_OPERATION_NOTIFY_FENCE_RESIDENCY = 18,
    DXGK_OPERATION_MAP_MMU = 19,
    DXGK_OPERATION_UNMAP_MMU = 20,
    DXGK_OPERATION_NOTIFY_RESIDENCY2 = 21,
    DXGK_OPERATION_NOTIFY_ALLOC = 22,
} DXGK_BUILDPAGINGBUFFER_OPERATION;
WDDM_VALUE_SPELLINGS(DXGK_BUILDPAGINGBUFFER_OPERATION);

/* Page: ns-d3dkmddi-_dxgk_transferflags. */
typedef struct _DXGK_TRANSFERFLAGS {
    union {
        struct {
            UINT Swizzle : 1;          /* rows in, the GPU's own order out */
            UINT Unswizzle : 1;        /* the GPU's own order in, rows out */
            UINT AllocationIsIdle : 1; /* no queued work uses it, and none will during the call;
                                          set when the driver answered
                                          STATUS_GRAPHICS_ALLOCATION_BUSY and is asked again */
            UINT TransferStart : 1;    /* first part of a move; repeated while that part needs
                                          more buffers */
            UINT TransferEnd : 1;      /* last part of a move; no other move starts before it */
            UINT Reserved : 27;
        };
        UINT Value;
    };
} DXGK_TRANSFERFLAGS;
WDDM_SPELLINGS(DXGK_TRANSFERFLAGS);

/* Page: ns-d3dkmddi-_dxgk_discardcontentflags. */
typedef struct _DXGK_DISCARDCONTENTFLAGS {
    union {
        struct {
            UINT AllocationIsIdle : 1; /* as in DXGK_TRANSFERFLAGS, though another bit */
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_DISCARDCONTENTFLAGS;
WDDM_SPELLINGS(DXGK_DISCARDCONTENTFLAGS);

/* Page: ns-d3dkmddi-_dxgk_mapapertureflags. */
typedef struct _DXGK_MAPAPERTUREFLAGS {
    union {
        struct {
            UINT CacheCoherent : 1; /* the pages are cached, and the aperture must keep them
                                       coherent */
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_MAPAPERTUREFLAGS;
WDDM_SPELLINGS(DXGK_MAPAPERTUREFLAGS);

/*
 * Between which kinds of memory a virtual transfer goes.
 * Page: ne-d3dkmddi-_dxgk_memory_transfer_direction.
 */
typedef enum _DXGK_MEMORY_TRANSFER_DIRECTION {
    DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM = 0,
    DXGK_MEMORY_TRANSFER_SYSTEM_TO_LOCAL = 1,
    DXGK_MEMORY_TRANSFER_LOCAL_TO_LOCAL = 2,
} DXGK_MEMORY_TRANSFER_DIRECTION;
WDDM_VALUE_SPELLINGS(DXGK_MEMORY_TRANSFER_DIRECTION);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmddi-_dxgk_transfervirtualflags. */
typedef struct _DXGK_TRANSFERVIRTUALFLAGS {
    union {
        struct {
            UINT Src64KBPages : 1;
            UINT Dst64KBPages : 1;
            UINT Reserved : 30;
        };
        UINT Flags;
    };
} DXGK_TRANSFERVIRTUALFLAGS;
WDDM_SPELLINGS(DXGK_TRANSFERVIRTUALFLAGS);

/*
 * Copy by addresses of the paging process.
 * Page: ns-d3dkmddi-_dxgk_buildpagingbuffer_transfervirtual.
 */
typedef struct _DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL {
    HANDLE hAllocation;                          /* in: the driver's handle, or NULL */
    UINT64 AllocationOffsetInBytes;              /* in: which part of it; not added to the
                                                    addresses */
    UINT64 TransferSizeInBytes;                  /* in */
    D3DGPU_VIRTUAL_ADDRESS SourceVirtualAddress; /* in */
    /* in */
    D3DGPU_VIRTUAL_ADDRESS DestinationVirtualAddress;
    D3DGPU_VIRTUAL_ADDRESS SourcePageTable; /* in: with the legacy capability only */
    /* in */
    DXGK_MEMORY_TRANSFER_DIRECTION TransferDirection;
    DXGK_TRANSFERVIRTUALFLAGS Flags;
    D3DGPU_VIRTUAL_ADDRESS DestinationPageTable; /* in: with the legacy capability only */
} DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL;
WDDM_SPELLINGS(DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL);

/*
 * Fill by an address of the paging process.
 * Page: ns-d3dkmddi-_dxgk_buildpagingbuffer_fillvirtual.
 */
typedef struct _DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL {
    HANDLE hAllocation;             /* in: the driver's handle, or NULL */
    UINT64 AllocationOffsetInBytes; /* in: which part of it; not added to the address */
    UINT64 FillSizeInBytes;         /* in */
    UINT FillPattern;               /* in: 32 bits, repeated */
    /* in */
    D3DGPU_VIRTUAL_ADDRESS DestinationVirtualAddress;
} DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL;
WDDM_SPELLINGS(DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL);

/*
 * The place of a page table; the update mode decides which member is valid.
 * Page: ns-d3dkmddi-_dxgk_pagetableupdateaddress.
 */
typedef struct _DXGK_PAGETABLEUPDATEADDRESS {
    union {
        PVOID CpuVirtual;
        D3DGPU_PHYSICAL_ADDRESS GpuPhysical;
        D3DGPU_VIRTUAL_ADDRESS GpuVirtual;
    };
} DXGK_PAGETABLEUPDATEADDRESS;
WDDM_SPELLINGS(DXGK_PAGETABLEUPDATEADDRESS);

/* Page: ns-d3dkmddi-_dxgk_updatepagetableflags. */
typedef struct _DXGK_UPDATEPAGETABLEFLAGS {
    UINT Repeat : 1;
    UINT InitialUpdate : 1;
    UINT NotifyEviction : 1;
    UINT Use64KBPages : 1;
    UINT WDDM3_1(NativeFence) : 1;
    UINT Reserved : 27;
} DXGK_UPDATEPAGETABLEFLAGS;
WDDM_SPELLINGS(DXGK_UPDATEPAGETABLEFLAGS);

/* Write entries of one page table. Page: ns-d3dkmddi-_dxgk_buildpagingbuffer_updatepagetable. */
typedef struct _DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE {
    UINT PageTableLevel;                          /* in: 0 is the leaf */
    HANDLE hAllocation;                           /* in: what the entries map, or NULL */
    DXGK_PAGETABLEUPDATEADDRESS PageTableAddress; /* in: the table */
    DXGK_PTE *pPageTableEntries;                  /* in: NumPageTableEntries entries, or one
                                                      with Repeat */
    UINT StartIndex;                              /* in: first entry that is written */
    UINT NumPageTableEntries;                     /* in */
    UINT Reserved0;
    DXGK_UPDATEPAGETABLEFLAGS Flags;
    UINT64 DriverProtection;             /* in: the driver's own bits, leaf only */
    UINT64 AllocationOffsetInBytes;      /* in: what the first entry maps */
    HANDLE hProcess;                     /* in: the driver's handle of the process */
    DXGK_PAGETABLEUPDATEMODE UpdateMode; /* in: which member of PageTableAddress is
                                                      valid */
    DXGK_PTE *pPageTableEntries64KB;
    D3DGPU_VIRTUAL_ADDRESS FirstPteVirtualAddress; /* in: address that the first entry translates */
} DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE;
WDDM_SPELLINGS(DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE);

/* Forget translations. Page: ns-d3dkmddi-_dxgk_buildpagingbuffer_flushtlb. */
typedef struct _DXGK_BUILDPAGINGBUFFER_FLUSHTLB {
    D3DGPU_PHYSICAL_ADDRESS RootPageTableAddress; /* in: whose */
    HANDLE hProcess;                              /* in: the driver's handle of the process */
    D3DGPU_VIRTUAL_ADDRESS StartVirtualAddress;   /* in: first address; 0 with an end of 0 means
                                                     all */
    D3DGPU_VIRTUAL_ADDRESS EndVirtualAddress;     /* in: behind the last */
} DXGK_BUILDPAGINGBUFFER_FLUSHTLB;
WDDM_SPELLINGS(DXGK_BUILDPAGINGBUFFER_FLUSHTLB);

/* Page: ns-d3dkmddi-_dxgk_buildpagingbuffer_copy_range. */
typedef struct _DXGK_BUILDPAGINGBUFFER_COPY_RANGE {
    UINT NumPageTableEntries;
    D3DGPU_VIRTUAL_ADDRESS SrcPageTableAddress;
    D3DGPU_VIRTUAL_ADDRESS DstPageTableAddress;
    UINT SrcStartPteIndex;
    UINT DstStartPteIndex;
} DXGK_BUILDPAGINGBUFFER_COPY_RANGE;
WDDM_SPELLINGS(DXGK_BUILDPAGINGBUFFER_COPY_RANGE);

/* Page: ns-d3dkmddi-_dxgk_buildpagingbuffer_copypagetableentries. */
typedef struct _DXGK_BUILDPAGINGBUFFER_COPYPAGETABLEENTRIES {
    UINT NumRanges;
    DXGK_BUILDPAGINGBUFFER_COPY_RANGE *pRanges;
} DXGK_BUILDPAGINGBUFFER_COPYPAGETABLEENTRIES;
WDDM_SPELLINGS(DXGK_BUILDPAGINGBUFFER_COPYPAGETABLEENTRIES);

/* Page: ns-d3dkmddi-_dxgk_buildpagingbuffer_updatecontextallocation. */
typedef struct _DXGK_BUILDPAGINGBUFFER_UPDATECONTEXTALLOCATION {
    D3DGPU_VIRTUAL_ADDRESS ContextAllocation;
    UINT64 ContextAllocationSize;
    PVOID pDriverPrivateData;
    UINT DriverPrivateDataSize;
} DXGK_BUILDPAGINGBUFFER_UPDATECONTEXTALLOCATION;
WDDM_SPELLINGS(DXGK_BUILDPAGINGBUFFER_UPDATECONTEXTALLOCATION);

/* Page: ns-d3dkmddi-_dxgk_buildpagingbuffer_notifyresidency. */
typedef struct _DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY {
    HANDLE hAllocation;
    D3DGPU_PHYSICAL_ADDRESS PhysicalAddress;
    union {
        UINT Resident : 1;
        UINT Reserved : 31;
    };
} DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY;
WDDM_SPELLINGS(DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
/* Page: none. */
typedef struct _DXGK_BUILDPAGINGBUFFER_SIGNALMONITOREDFENCE {
    D3DGPU_VIRTUAL_ADDRESS MonitoredFenceGpuVa;
    UINT64 MonitoredFenceValue;
} DXGK_BUILDPAGINGBUFFER_SIGNALMONITOREDFENCE;
WDDM_SPELLINGS(DXGK_BUILDPAGINGBUFFER_SIGNALMONITOREDFENCE);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_2 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
/* Page: none. */
typedef struct _DXGK_FENCE_RESIDENCY_INFO {
    HANDLE hGlobalNativeFence;
    D3DGPU_PHYSICAL_ADDRESS CurrentValuePhysicalAddress;
    D3DGPU_PHYSICAL_ADDRESS MonitoredValuePhysicalAddress;
    PVOID CurrentValueKernelCpuVa;
    PVOID MonitoredValueKernelCpuVa;
} DXGK_FENCE_RESIDENCY_INFO;
WDDM_SPELLINGS(DXGK_FENCE_RESIDENCY_INFO);

/* Page: none. */
typedef struct _DXGK_BUILDPAGINGBUFFER_NOTIFY_FENCE_RESIDENCY {
    UINT NumFences;
    union {
        UINT Reserved;
    } Flags;
    DXGK_FENCE_RESIDENCY_INFO *FenceResidencyInfo;
} DXGK_BUILDPAGINGBUFFER_NOTIFY_FENCE_RESIDENCY;
WDDM_SPELLINGS(DXGK_BUILDPAGINGBUFFER_NOTIFY_FENCE_RESIDENCY);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
/* Page: none. */
typedef struct _DXGK_BUILDPAGINGBUFFER_MAPMMU {
    HANDLE hAllocation;
    UINT64 VirtualAddress;
    UINT16 MmuId;
    UINT16 SegmentId;
    UINT32 AllocationOffsetInPages;
    DXGK_ADL Adl;
} DXGK_BUILDPAGINGBUFFER_MAPMMU;
WDDM_SPELLINGS(DXGK_BUILDPAGINGBUFFER_MAPMMU);

/* Page: none. */
typedef struct _DXGK_BUILDPAGINGBUFFER_UNMAPMMU {
    HANDLE hAllocation;
    UINT64 VirtualAddress;
    UINT16 MmuId;
    UINT16 Reserved0;
    UINT32 AllocationOffset;
    UINT32 NumberOfPages;
} DXGK_BUILDPAGINGBUFFER_UNMAPMMU;
WDDM_SPELLINGS(DXGK_BUILDPAGINGBUFFER_UNMAPMMU);

/* Page: none. */
typedef struct _DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY2 {
    HANDLE hAllocation;
    UINT32 AllocationOffsetInPages;
    UINT32 SizeInPages;
    UINT16 SegmentId;
    UINT16 Padding0;
    union {
        D3DGPU_PHYSICAL_ADDRESS PhysicalAddress;
        PMDL Mdl;
    };
    UINT Resident : 1;
    UINT Reserved : 31;
} DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY2;
WDDM_SPELLINGS(DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY2);

/* Page: none. */
typedef struct _DXGK_NOTIFYALLOCFLAGS {
    union {
        struct {
            UINT Eviction : 1;
            UINT IoMmuUnmap : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} DXGK_NOTIFYALLOCFLAGS;
WDDM_SPELLINGS(DXGK_NOTIFYALLOCFLAGS);

/* Page: none. */
typedef struct _DXGK_BUILDPAGINGBUFFER_NOTIFYALLOC {
    HANDLE hAllocation;
    HANDLE hKmdProcessHandle;
    DXGK_NOTIFYALLOCFLAGS Flags;
    UINT64 OffsetInBytes;
    UINT64 SizeInBytes;
    UINT64 GpuVirtualAddressAtOffset;
} DXGK_BUILDPAGINGBUFFER_NOTIFYALLOC;
WDDM_SPELLINGS(DXGK_BUILDPAGINGBUFFER_NOTIFYALLOC);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_2 */

/*
 * One paging operation, and the paging buffer that the driver writes its commands to.
 *
 * The driver writes what fits, advances pDmaBuffer behind it and answers
 *   STATUS_SUCCESS                           done; more operations may follow in this buffer
 *   STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER  the buffer is submitted and the call repeated with a
 *                                            fresh one, the operation and MultipassOffset untouched
 *   STATUS_GRAPHICS_ALLOCATION_BUSY          the allocation is made idle and the call repeated with
 *                                            AllocationIsIdle; Transfer, DiscardContent and
 *                                            SpecialLockTransfer only
 * and nothing else. A segment address includes the segment's BaseAddress. If SegmentId is 0, the
 * MDL counts, from page MdlOffset on.
 * Page: ns-d3dkmddi-_dxgkarg_buildpagingbuffer.
 */
typedef struct _DXGKARG_BUILDPAGINGBUFFER {
    void *pDmaBuffer;                           /* in/out: first free byte; 4 KiB aligned in a
                                                   fresh buffer; the driver moves it behind what
                                                   it wrote */
    UINT DmaSize;                               /* in: bytes free from pDmaBuffer on */
    void *pDmaBufferPrivateData;                /* in/out: the driver's data of this buffer;
                                                   zeroed when fresh */
    UINT DmaBufferPrivateDataSize;              /* in: bytes free from pDmaBufferPrivateData on */
    DXGK_BUILDPAGINGBUFFER_OPERATION Operation; /* in: which member of the union is valid */
    UINT MultipassOffset;                       /* in/out: 0 at an operation's first call, then
                                                   the driver's own, never touched between */
    union {
        /* Copy TransferSize bytes. Size 0: the allocation left, its content is lost. */
        struct {
            HANDLE hAllocation;  /* in: the driver's handle; NULL: plain bytes, no swizzling */
            UINT TransferOffset; /* in: bytes, added to the segment's side only */
            SIZE_T TransferSize; /* in: bytes */
            struct {
                UINT SegmentId; /* in: 0: pMdl */
                union {
                    LARGE_INTEGER SegmentAddress; /* in: of the allocation's start, bytes */
                    MDL *pMdl;                    /* in: system pages */
                };
            } Source;
            struct {
                UINT SegmentId; /* in: 0: pMdl */
                union {
                    LARGE_INTEGER SegmentAddress; /* in: of the allocation's start, bytes */
                    MDL *pMdl;                    /* in: system pages */
                };
            } Destination;
            DXGK_TRANSFERFLAGS Flags; /* in */
            UINT MdlOffset;           /* in: pages into the MDL */
        } Transfer;
        /* First page-in of an allocation that has no content. Memory segments only. */
        struct {
            HANDLE hAllocation; /* in: the driver's handle */
            SIZE_T FillSize;    /* in: bytes */
            UINT FillPattern;   /* in: 32 bits, repeated */
            struct {
                UINT SegmentId;               /* in: never 0 */
                LARGE_INTEGER SegmentAddress; /* in: bytes */
            } Destination;
        } Fill;
        /* An allocation leaves its segment and nothing is copied. */
        struct {
            HANDLE hAllocation;              /* in: the driver's handle */
            DXGK_DISCARDCONTENTFLAGS Flags;  /* in */
            UINT SegmentId;                  /* in: what it leaves */
            PHYSICAL_ADDRESS SegmentAddress; /* in: where it was */
        } DiscardContent;
        struct {
            UINT SegmentId;                   /* in */
            PHYSICAL_ADDRESS PhysicalAddress; /* in: 1 to 8 bytes here; the data is of no
                                                 interest */
        } ReadPhysical;
        struct {
            UINT SegmentId;                   /* in */
            PHYSICAL_ADDRESS PhysicalAddress; /* in: 1 to 8 bytes here; the data is of no
                                                 interest */
        } WritePhysical;
        /* System pages appear in an aperture segment. The range is not in use. */
        struct {
            HANDLE hDevice;              /* in: the driver's handle of the owner; NULL for a
                                            primary */
            HANDLE hAllocation;          /* in: the driver's handle; NULL for a DMA buffer */
            UINT SegmentId;              /* in: an aperture, but not AGP */
            SIZE_T OffsetInPages;        /* in: first page of the segment */
            SIZE_T NumberOfPages;        /* in */
            PMDL pMdl;                   /* in: the pages */
            DXGK_MAPAPERTUREFLAGS Flags; /* in */
            ULONG MdlOffset;             /* in: pages into the MDL */
        } MapApertureSegment;
        /* The range shows the dummy page again. The GPU may still touch it. */
        struct {
            HANDLE hDevice;             /* in: as it was mapped */
            HANDLE hAllocation;         /* in: as it was mapped */
            UINT SegmentId;             /* in */
            SIZE_T OffsetInPages;       /* in: first page of the segment */
            SIZE_T NumberOfPages;       /* in */
            PHYSICAL_ADDRESS DummyPage; /* in: physical address that all pages show */
        } UnmapApertureSegment;
        /* Transfer whose system side is the alternate address of a lock. */
        struct {
            HANDLE hAllocation;  /* in: the driver's handle */
            UINT TransferOffset; /* in: bytes, segment side only */
            SIZE_T TransferSize; /* in: bytes */
            struct {
                UINT SegmentId; /* in: 0: pMdl */
                union {
                    LARGE_INTEGER SegmentAddress; /* in: bytes */
                    MDL *pMdl;                    /* in: system pages */
                };
            } Source;
            struct {
                UINT SegmentId; /* in: 0: pMdl */
                union {
                    LARGE_INTEGER SegmentAddress; /* in: bytes */
                    MDL *pMdl;                    /* in: system pages */
                };
            } Destination;
            DXGK_TRANSFERFLAGS Flags; /* in */
            UINT SwizzlingRangeId;    /* in: range that the lock holds */
            UINT SwizzlingRangeData;  /* in: what the locker passed */
        } SpecialLockTransfer;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
        /* A context allocation gets its first content. */
        struct {
            HANDLE hAllocation; /* in: the driver's handle */
            struct {
                UINT SegmentId; /* in: 0: pMdl */
                union {
                    LARGE_INTEGER SegmentAddress; /* in: bytes */
                    MDL *pMdl;                    /* in: system pages */
                };
                PVOID VirtualAddress; /* in: CPU address, or NULL */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
                /* in */
                D3DGPU_VIRTUAL_ADDRESS GpuVirtualAddress;
#endif
            } Destination;
        } InitContextResource;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
        DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL TransferVirtual;
        DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL FillVirtual;
        DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE UpdatePageTable;
        DXGK_BUILDPAGINGBUFFER_FLUSHTLB FlushTlb;
        DXGK_BUILDPAGINGBUFFER_COPYPAGETABLEENTRIES CopyPageTableEntries;
        DXGK_BUILDPAGINGBUFFER_UPDATECONTEXTALLOCATION UpdateContextAllocation;
        DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY NotifyResidency;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
        DXGK_BUILDPAGINGBUFFER_SIGNALMONITOREDFENCE SignalMonitoredFence;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
        /* MapApertureSegment by logical addresses. */
        struct {
            HANDLE hDevice;
            HANDLE hAllocation;
            UINT SegmentId;
            SIZE_T OffsetInPages;
            SIZE_T NumberOfPages;
            DXGK_ADL Adl; /* in: the pages */
            DXGK_MAPAPERTUREFLAGS Flags;
            ULONG AdlOffset;         /* in: pages into the ADL */
            PVOID CpuVisibleAddress; /* in: with MapApertureCpuVisible, else NULL */
        } MapApertureSegment2;
        DXGK_BUILDPAGINGBUFFER_NOTIFY_FENCE_RESIDENCY NotifyFenceResidency;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
        DXGK_BUILDPAGINGBUFFER_MAPMMU MmapMmu;
        DXGK_BUILDPAGINGBUFFER_UNMAPMMU UnmapMmu;
        DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY2 NotifyResidency2;
        DXGK_BUILDPAGINGBUFFER_NOTIFYALLOC NotifyAllocation;
#endif
        /* Gives the union its 256 bytes. */
        struct {
            UINT Reserved[64];
        } Reserved;
    };
    HANDLE hSystemContext; /* in: the driver's handle of the paging context, or NULL */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    /* in: where the GPU sees the buffer; 0: not mapped */
    D3DGPU_VIRTUAL_ADDRESS DmaBufferGpuVirtualAddress;
    UINT DmaBufferWriteOffset; /* in: bytes from the buffer's start to pDmaBuffer */
#endif
} DXGKARG_BUILDPAGINGBUFFER;
WDDM_SPELLINGS(DXGKARG_BUILDPAGINGBUFFER);

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMDDI_PAGING_H */
