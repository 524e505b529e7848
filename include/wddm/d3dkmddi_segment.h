/*
 * d3dkmddi_segment.h: memory as a driver divides it, and the queries that tell.
 *
 * A segment is a run of addresses that the GPU can reach. A memory segment holds bytes: paging into
 * it copies. An aperture segment holds none: paging into it maps system pages. System memory is
 * segment 0 and is not described. Ids count from 1, in the order of the array; in a set, bit n is
 * segment n + 1.
 *
 *     GPU address   BaseAddress                          BaseAddress + Size
 *                   |<--- offset --->| allocation |              |
 *                   |                ^ SegmentAddress            |
 *     CPU address   CpuTranslatedAddress, if CpuVisible
 *
 * The query has the form of the driver's version: QUERYSEGMENT below WDDM 1.2, QUERYSEGMENT3 from
 * 1.2, QUERYSEGMENT4 from 2.0, QUERYSEGMENT5 with the page-based manager of 3.2.
 */
#ifndef WDDM_D3DKMDDI_SEGMENT_H
#define WDDM_D3DKMDDI_SEGMENT_H

#include "d3dkmddi_query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Segments ---- */

/* The properties of a segment. The driver sets them. Page: ns-d3dkmddi-_dxgk_segmentflags. */
typedef struct _DXGK_SEGMENTFLAGS {
    union {
        struct {
            UINT Aperture : 1;                  /* holds no bytes: system pages are mapped
                                                      into it. Clear: a memory segment */
            UINT Agp : 1;                       /* the AGP aperture; no other flag beside it */
            UINT CpuVisible : 1;                /* the CPU reaches a memory segment at
                                                      CpuTranslatedAddress */
            UINT UseBanking : 1;                /* divided into banks that allocations may
                                                      prefer */
            UINT CacheCoherent : 1;             /* aperture: cached system pages stay coherent
                                                      when mapped into it */
            UINT PitchAlignment : 1;            /* rows are spread: allocations take
                                                      PitchAlignedSize here */
            UINT PopulatedFromSystemMemory : 1; /* memory that the driver took from the system */
            UINT PreservedDuringStandby : 1;    /* content survives standby */
            UINT PreservedDuringHibernate : 1;  /* content survives hibernation */
            /* up to SystemMemoryEndAddress only */
            UINT PartiallyPreservedDuringHibernate : 1;
            UINT WDDM1_2(DirectFlip) : 1;     /* holds allocations that may be scanned out
                                                      directly */
            UINT WDDM2_0(Use64KBPages) : 1;   /* 64 KiB pages; alignments are then multiples
                                                      of it */
            UINT WDDM2_0(ReservedSysMem) : 1; /* the system's own; not for drivers */
            /* the CPU reaches it through a movable window; excludes CpuVisible */
            UINT WDDM2_0(SupportsCpuHostAperture) : 1;
            /* and that window is cache coherent */
            UINT WDDM2_0(SupportsCachedCpuHostAperture) : 1;
            UINT WDDM2_0(ApplicationTarget) : 1; /* budgets of programs count on it */
            UINT WDDM2_0(VprSupported) : 1;      /* has protected video regions */
            /* and they survive standby */
            UINT WDDM2_0(VprPreservedDuringStandby) : 1;
            /* their content may be paged, encrypted */
            UINT WDDM2_0(EncryptedPagingSupported) : 1;
            UINT WDDM2_0(LocalBudgetGroup) : 1;    /* counts as local memory */
            UINT WDDM2_0(NonLocalBudgetGroup) : 1; /* counts as non-local memory */
            /* memory that the firmware kept from the system */
            UINT WDDM2_9(PopulatedByReservedDDRByFirmware) : 1;
            UINT Reserved : 10;
        };
        UINT Value;
    };
} DXGK_SEGMENTFLAGS;
WDDM_SPELLINGS(DXGK_SEGMENTFLAGS);

/*
 * A segment as drivers below WDDM 1.2 describe it. Its id is its index in the array plus 1.
 * Page: ns-d3dkmddi-_dxgk_segmentdescriptor.
 */
typedef struct _DXGK_SEGMENTDESCRIPTOR {
    PHYSICAL_ADDRESS BaseAddress;          /* out: where the GPU sees the segment; added to every
                                              offset that the driver is given as SegmentAddress
                                              or PhysicalAddress */
    PHYSICAL_ADDRESS CpuTranslatedAddress; /* out: where the CPU's bus sees it; read for
                                              CpuVisible memory segments only */
    SIZE_T Size;                           /* out: bytes, a multiple of the page size */
    UINT NbOfBanks;                        /* out: banks, with UseBanking */
    SIZE_T *pBankRangeTable;               /* out: with UseBanking: where each bank ends, bytes
                                              from the segment's start; banks touch, the last may
                                              be left out */
    SIZE_T CommitLimit;                    /* out: bytes that may be committed; 0 means Size, and
                                              a memory segment has Size */
    DXGK_SEGMENTFLAGS Flags;               /* out: what it is */
} DXGK_SEGMENTDESCRIPTOR;
WDDM_SPELLINGS(DXGK_SEGMENTDESCRIPTOR);

/* Input of QUERYSEGMENT and QUERYSEGMENT3. Page: ns-d3dkmddi-_dxgk_querysegmentin. */
typedef struct _DXGK_QUERYSEGMENTIN {
    PHYSICAL_ADDRESS AgpApertureBase; /* in: bus address of the AGP aperture */
    LARGE_INTEGER AgpApertureSize;    /* in: bytes; 0: there is none */
    DXGK_SEGMENTFLAGS AgpFlags;       /* in: flags of the AGP segment, if there is one */
} DXGK_QUERYSEGMENTIN;
WDDM_SPELLINGS(DXGK_QUERYSEGMENTIN);

/*
 * Answer to QUERYSEGMENT, in two passes: first pSegmentDescriptor is NULL and the driver says how
 * many; then it fills as many.
 * Page: ns-d3dkmddi-_dxgk_querysegmentout.
 */
typedef struct _DXGK_QUERYSEGMENTOUT {
    UINT NbSegment;                             /* out, first pass: segments; in, second pass:
                                                   elements of the array */
    DXGK_SEGMENTDESCRIPTOR *pSegmentDescriptor; /* in: NULL in the first pass, then an array that
                                                   the driver fills */
    UINT PagingBufferSegmentId;                 /* out: segment that paging buffers live in; 0:
                                                   contiguous system memory */
    UINT PagingBufferSize;                      /* out: bytes of one paging buffer */
    UINT PagingBufferPrivateDataSize;           /* out: bytes of the driver's data that go with
                                                   each */
} DXGK_QUERYSEGMENTOUT;
WDDM_SPELLINGS(DXGK_QUERYSEGMENTOUT);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
/* Flags of DXGK_SEGMENTDESCRIPTOR2. Page: none. */
typedef struct _DXGK_SEGMENTFLAGS2 {
    union {
        struct {
            UINT Aperture : 1;
            UINT PopulatedFromSystemMemory : 1;
            UINT SystemMemoryReservedByBios : 1;
            UINT CpuVisible : 1;
            UINT Reserved : 28;
        };
        UINT Value;
    };
} DXGK_SEGMENTFLAGS2;
WDDM_SPELLINGS(DXGK_SEGMENTFLAGS2);

/* A segment in the query that is never sent. Page: none. */
typedef struct _DXGK_SEGMENTDESCRIPTOR2 {
    DXGK_SEGMENTFLAGS2 Flags;
    SIZE_T Size;
    PMDL pMdl;
    PHYSICAL_ADDRESS BaseAddress;
    PHYSICAL_ADDRESS CpuTranslatedAddress;
} DXGK_SEGMENTDESCRIPTOR2;
WDDM_SPELLINGS(DXGK_SEGMENTDESCRIPTOR2);

/* Answer to the query that is never sent. Page: none. */
typedef struct _DXGK_QUERYSEGMENTOUT2 {
    UINT SegmentCount;
    DXGK_SEGMENTDESCRIPTOR2 *pSegmentDescriptor;
} DXGK_QUERYSEGMENTOUT2;
WDDM_SPELLINGS(DXGK_QUERYSEGMENTOUT2);
#endif /* DXGKDDI_INTERFACE_VERSION_WIN7 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* A segment as drivers from WDDM 1.2 describe it. Page: ns-d3dkmddi-_dxgk_segmentdescriptor3. */
typedef struct _DXGK_SEGMENTDESCRIPTOR3 {
    DXGK_SEGMENTFLAGS Flags;               /* out: what it is */
    PHYSICAL_ADDRESS BaseAddress;          /* out: where the GPU sees the segment */
    PHYSICAL_ADDRESS CpuTranslatedAddress; /* out: where the CPU's bus sees it, if CpuVisible */
    SIZE_T Size;                           /* out: bytes, a multiple of the page size */
    UINT NbOfBanks;                        /* out: banks, with UseBanking */
    SIZE_T *pBankRangeTable;               /* out: where each bank ends, bytes from the segment's
                                              start */
    SIZE_T CommitLimit;                    /* out: bytes that may be committed; 0 means Size */
    SIZE_T SystemMemoryEndAddress;         /* out: with PartiallyPreservedDuringHibernate: offset
                                              up to which content survives */
    SIZE_T Reserved;
} DXGK_SEGMENTDESCRIPTOR3;
WDDM_SPELLINGS(DXGK_SEGMENTDESCRIPTOR3);

/*
 * Answer to QUERYSEGMENT3; members and passes as in DXGK_QUERYSEGMENTOUT.
 * Page: ns-d3dkmddi-_dxgk_querysegmentout3.
 */
typedef struct _DXGK_QUERYSEGMENTOUT3 {
    UINT NbSegment;                              /* out, first pass; in, second pass */
    DXGK_SEGMENTDESCRIPTOR3 *pSegmentDescriptor; /* in: NULL in the first pass */
    UINT PagingBufferSegmentId;                  /* out: segment of paging buffers; 0: contiguous
                                                    system memory */
    UINT PagingBufferSize;                       /* out: bytes */
    UINT PagingBufferPrivateDataSize;            /* out: bytes */
} DXGK_QUERYSEGMENTOUT3;
WDDM_SPELLINGS(DXGK_QUERYSEGMENTOUT3);
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/*
 * The window through which the CPU reaches a segment that is larger than its bus range.
 * Page: ns-d3dkmddi-_dxgk_cpuhostaperture.
 */
typedef struct _DXGK_CPUHOSTAPERTURE {
    UINT64 PhysicalAddress; /* out: bus address, page aligned */
    UINT32 SizeInPages;     /* out: pages of the segment's page size */
} DXGK_CPUHOSTAPERTURE;
WDDM_SPELLINGS(DXGK_CPUHOSTAPERTURE);

/*
 * A segment as drivers from WDDM 2.0 describe it. An array of these is walked by
 * DXGK_QUERYSEGMENTOUT4.SegmentDescriptorStride and never by sizeof.
 * Page: ns-d3dkmddi-_dxgk_segmentdescriptor4.
 */
typedef struct _DXGK_SEGMENTDESCRIPTOR4 {
    DXGK_SEGMENTFLAGS Flags;       /* out: what it is */
    PHYSICAL_ADDRESS BaseAddress;  /* out: where the GPU sees the segment */
    SIZE_T Size;                   /* out: bytes, a multiple of the page size */
    SIZE_T CommitLimit;            /* out: bytes that may be committed; 0 means Size */
    SIZE_T SystemMemoryEndAddress; /* out: with PartiallyPreservedDuringHibernate: offset up to
                                      which content survives */
    union {
        PHYSICAL_ADDRESS CpuTranslatedAddress; /* out: with CpuVisible */
        DXGK_CPUHOSTAPERTURE CpuHostAperture;  /* out: with SupportsCpuHostAperture */
    };
    UINT NumInvalidMemoryRanges; /* out: ranges that SEGMENTMEMORYSTATE will list */
    SIZE_T VprRangeStartOffset;  /* out: bytes from the segment's start, with VprSupported */
    SIZE_T VprRangeSize;         /* out: bytes */
    UINT VprAlignment;           /* out: bytes */
    UINT NumVprSupported;        /* out: regions at once */
    UINT VprReserveSize;         /* out: bytes kept for them */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
    UINT NumUEFIFrameBufferRanges; /* out: ranges that firmware still shows */
#endif
} DXGK_SEGMENTDESCRIPTOR4;
WDDM_SPELLINGS(DXGK_SEGMENTDESCRIPTOR4);

/* Input of QUERYSEGMENT4. Page: ns-d3dkmddi-_dxgk_querysegmentin4. */
typedef struct _DXGK_QUERYSEGMENTIN4 {
    UINT PhysicalAdapterIndex; /* in: which adapter of a link */
} DXGK_QUERYSEGMENTIN4;
WDDM_SPELLINGS(DXGK_QUERYSEGMENTIN4);

/*
 * Answer to QUERYSEGMENT4; passes as in DXGK_QUERYSEGMENTOUT.
 * Page: ns-d3dkmddi-_dxgk_querysegmentout4.
 */
typedef struct _DXGK_QUERYSEGMENTOUT4 {
    UINT NbSegment;                   /* out, first pass; in, second pass */
    BYTE *pSegmentDescriptor;         /* in: NULL in the first pass, then NbSegment descriptors */
    UINT PagingBufferSegmentId;       /* out: segment of paging buffers; 0: contiguous system
                                         memory */
    UINT PagingBufferSize;            /* out: bytes */
    UINT PagingBufferPrivateDataSize; /* out: bytes */
    SIZE_T SegmentDescriptorStride;   /* in: bytes from one descriptor to the next */
} DXGK_QUERYSEGMENTOUT4;
WDDM_SPELLINGS(DXGK_QUERYSEGMENTOUT4);

/* Ranges of a segment that must not be used. Page: ns-d3dkmddi-_dxgk_querysegmentmemorystate. */
typedef struct _DXGK_QUERYSEGMENTMEMORYSTATE {
    WORD DriverSegmentId;      /* in: id of a memory segment, from 1 */
    WORD PhysicalAdapterIndex; /* in */
    union {
        UINT NumInvalidMemoryRanges; /* in: elements of the array */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
        UINT NumUEFIFrameBufferRanges;
#endif
    };
    DXGK_MEMORYRANGE *pMemoryRanges; /* out: the driver fills it */
} DXGK_QUERYSEGMENTMEMORYSTATE;
WDDM_SPELLINGS(DXGK_QUERYSEGMENTMEMORYSTATE);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
/* Page: ns-d3dkmddi-_dxgk_physical_memory_range. */
typedef struct _DXGK_PHYSICAL_MEMORY_RANGE {
    PHYSICAL_ADDRESS BaseAddress;
    LARGE_INTEGER NumberOfBytes;
} DXGK_PHYSICAL_MEMORY_RANGE;
WDDM_SPELLINGS(DXGK_PHYSICAL_MEMORY_RANGE);

/*
 * Memory that the hardware keeps for itself and no segment shows. Asked for twice: how many ranges,
 * then the ranges.
 * Page: ns-d3dkmddi-_dxgk_hardwarereservedranges.
 */
typedef struct _DXGK_HARDWARERESERVEDRANGES {
    UINT32 NumRanges;
    DXGK_PHYSICAL_MEMORY_RANGE *pPhysicalRanges; /* NumRanges of them: the driver fills it */
} DXGK_HARDWARERESERVEDRANGES;
WDDM_SPELLINGS(DXGK_HARDWARERESERVEDRANGES);

/* Page: ns-d3dkmddi-_dxgk_framebuffersavearea. */
typedef struct _DXGK_FRAMEBUFFERSAVEAREA {
    SIZE_T MaximumSize; /* out: bytes, whole pages, that the driver saves when power goes */
} DXGK_FRAMEBUFFERSAVEAREA;
WDDM_SPELLINGS(DXGK_FRAMEBUFFERSAVEAREA);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_4 */

/* The kinds of segments of the page-based memory manager. Page: none. */
typedef enum _DXGK_SEGMENTTYPE {
    DXGK_SEGMENTTYPE_SYSMEM = 0,
    DXGK_SEGMENTTYPE_LOCAL = 1,
} DXGK_SEGMENTTYPE;
WDDM_VALUE_SPELLINGS(DXGK_SEGMENTTYPE);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
/* Page: none. */
typedef struct _DXGK_SEGMENTDESCRIPTOR5 {
    DXGK_SEGMENTTYPE SegmentType;
    DXGK_SEGMENTFLAGS Flags;
    PHYSICAL_ADDRESS BaseAddress;
    UINT64 Size;
    SIZE_T SystemMemoryEndAddress;
    union {
        PHYSICAL_ADDRESS CpuTranslatedAddress;
        DXGK_CPUHOSTAPERTURE CpuHostAperture;
    };
    SIZE_T VprRangeStartOffset;
    SIZE_T VprRangeSize;
    UINT32 VprAlignment;
    UINT32 NumInvalidMemoryRanges;
    UINT32 NumVprSupported;
    UINT32 VprReserveSize;
    UINT32 NumUEFIFrameBufferRanges;
    DXGK_PAGESIZE SlabSize;
} DXGK_SEGMENTDESCRIPTOR5;
WDDM_SPELLINGS(DXGK_SEGMENTDESCRIPTOR5);

/* Page: none. */
typedef struct _DXGK_QUERYSEGMENTCOUNTIN {
    UINT16 PhysicalAdapterIndex;
    UINT16 Padding;
    UINT32 Reserved;
} DXGK_QUERYSEGMENTCOUNTIN;
WDDM_SPELLINGS(DXGK_QUERYSEGMENTCOUNTIN);

/* Page: none. */
typedef struct _DXGK_QUERYSEGMENTCOUNTOUT {
    UINT16 SegmentCount;
    UINT16 Padding;
    UINT32 Reserved;
} DXGK_QUERYSEGMENTCOUNTOUT;
WDDM_SPELLINGS(DXGK_QUERYSEGMENTCOUNTOUT);

/* Page: none. */
typedef struct _DXGK_QUERYSEGMENTIN5 {
    UINT16 PhysicalAdapterIndex;
    UINT16 Padding;
    UINT32 Reserved;
} DXGK_QUERYSEGMENTIN5;
WDDM_SPELLINGS(DXGK_QUERYSEGMENTIN5);

/* Page: none. */
typedef struct _DXGK_QUERYSEGMENTOUT5 {
    DXGK_SEGMENTDESCRIPTOR5 *SegmentDescriptors;
    UINT32 Reserved[4];
} DXGK_QUERYSEGMENTOUT5;
WDDM_SPELLINGS(DXGK_QUERYSEGMENTOUT5);

/* Page: none. */
typedef struct _DXGK_QUERYPAGINGBUFFERINFOIN {
    UINT16 PhysicalAdapterIndex;
    UINT16 Reserved;
} DXGK_QUERYPAGINGBUFFERINFOIN;
WDDM_SPELLINGS(DXGK_QUERYPAGINGBUFFERINFOIN);

/* Page: none. */
typedef struct _DXGK_QUERYPAGINGBUFFERINFOOUT {
    UINT32 PagingBufferSize;
    UINT32 PagingBufferPrivateDataSize;
} DXGK_QUERYPAGINGBUFFERINFOOUT;
WDDM_SPELLINGS(DXGK_QUERYPAGINGBUFFERINFOOUT);

/* Page: none. */
typedef struct _DXGK_QUERYSCATTERRESERVEIN {
    UINT SegmentId;
} DXGK_QUERYSCATTERRESERVEIN;
WDDM_SPELLINGS(DXGK_QUERYSCATTERRESERVEIN);

/* Page: none. */
typedef struct _DXGK_QUERYSCATTERRESERVEOUT {
    UINT64 SetVGPUResourcesPageSize;
} DXGK_QUERYSCATTERRESERVEOUT;
WDDM_SPELLINGS(DXGK_QUERYSCATTERRESERVEOUT);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_2 */

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMDDI_SEGMENT_H */
