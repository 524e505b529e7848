/*
 * wddm_types.h: the Windows base types that the display-driver interface is spelled with.
 *
 * The interface is an ABI: x64 Windows, where `long` has 32 bits, WCHAR 16 and pointers 64. So
 * every type here has a fixed width and none is a C `long` or `wchar_t`; the structs of the other
 * headers then lie in memory as the documentation says, under gcc and clang on Linux as well
 * (test/abi holds every offset). Freestanding: only <stdint.h> and <stddef.h> are included.
 *
 * Living with others. A header that has these types already (a kernel kit's ntdef.h or wdm.h, or
 * windows.h) is included first and says so:
 *     WDDM_HAVE_NTDEF   base types, LARGE_INTEGER, UNICODE_STRING, LUID, GUID, LIST_ENTRY are there
 *     WDDM_HAVE_WDM     MDL, power, caching and interface types, and the opaque kernel objects are
 * Whatever is not announced is defined here, and the kit builds upon it.
 *
 * Source: Windows data types and wdm.h pages of the public reference.
 */
#ifndef WDDM_TYPES_H
#define WDDM_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calling convention of every entry point: the platform's own, there is only one on x64. */
#ifndef APIENTRY
#define APIENTRY
#endif

/*
 * The names that drivers give a pointer to an argument: by direction, the constant one apart.
 * WDDM_SPELLINGS(DXGKARG_RENDER) declares PDXGKARG_RENDER, INOUT_PDXGKARG_RENDER and so on. A type
 * that is also passed by value, a number, an enumeration or a handle, has IN_ and IN_CONST_
 * besides.
 */
#define WDDM_POINTER_SPELLINGS(Name)                                                               \
    typedef Name *P##Name, *IN_P##Name, *OUT_P##Name, *INOUT_P##Name, *IN_OUT_P##Name
#define WDDM_SPELLINGS(Name)                                                                       \
    WDDM_POINTER_SPELLINGS(Name);                                                                  \
    typedef const Name *IN_CONST_P##Name, *const IN_CONST_P##Name##_CONST
#define WDDM_VALUE_SPELLINGS(Name)                                                                 \
    WDDM_SPELLINGS(Name);                                                                          \
    typedef Name IN_##Name;                                                                        \
    typedef const Name IN_CONST_##Name

/* A struct that calls pass by address, without its members; and its spellings. */
#define WDDM_OPAQUE(Name)                                                                          \
    typedef struct _##Name Name;                                                                   \
    WDDM_SPELLINGS(Name)

#ifndef WDDM_HAVE_NTDEF

#ifndef VOID
#define VOID void
#endif
#ifndef CONST
#define CONST const
#endif
#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif

/* 8 bits. BOOLEAN is one byte, BOOL four: never exchange them, nor take bool for either. */
typedef char CHAR;
typedef uint8_t UCHAR;
typedef uint8_t BYTE;
typedef uint8_t UINT8;
typedef uint8_t BOOLEAN;

/* 16 bits. WCHAR is UTF-16 whatever wchar_t is here; where that has 16 bits too (-fshort-wchar) it
 * is the same type, so that L"..." is WCHAR text in C++ as well. */
typedef int16_t SHORT;
typedef uint16_t USHORT;
typedef uint16_t WORD;
typedef uint16_t UINT16;
#if defined(__cplusplus) && defined(__SIZEOF_WCHAR_T__) && __SIZEOF_WCHAR_T__ == 2
typedef wchar_t WCHAR;
#else
typedef uint16_t WCHAR;
#endif

/* 32 bits. */
typedef int32_t INT;
typedef int32_t INT32;
typedef int32_t LONG;
typedef int32_t BOOL;
typedef int32_t NTSTATUS;
typedef int32_t HRESULT;
typedef uint32_t UINT;
typedef uint32_t UINT32;
typedef uint32_t ULONG;
typedef uint32_t DWORD;

/* 64 bits. A driver is compiled with `long`, so that size_t, SIZE_T and ULONGLONG are one type to
 * it, as they are on Windows (include/kit/flags). */
#ifndef WDDM_INT64
#define WDDM_INT64 long long
#endif
typedef WDDM_INT64 LONGLONG;
typedef WDDM_INT64 INT64;
typedef WDDM_INT64 LONG64;
typedef unsigned WDDM_INT64 ULONGLONG;
typedef unsigned WDDM_INT64 UINT64;
typedef unsigned WDDM_INT64 ULONG64;
typedef unsigned WDDM_INT64 DWORD64;

/* As wide as a pointer. */
typedef unsigned WDDM_INT64 ULONG_PTR;
typedef WDDM_INT64 LONG_PTR;
typedef ULONG_PTR SIZE_T;
typedef void *PVOID;
typedef void *HANDLE;

typedef CHAR *PCHAR;
typedef UCHAR *PUCHAR;
typedef BYTE *PBYTE;
typedef BOOLEAN *PBOOLEAN;
typedef SHORT *PSHORT;
typedef USHORT *PUSHORT;
typedef WCHAR *PWCHAR, *PWSTR;
typedef const WCHAR *PCWSTR;
typedef INT *PINT;
typedef LONG *PLONG;
typedef UINT *PUINT;
typedef ULONG *PULONG;
typedef SIZE_T *PSIZE_T;
typedef ULONG_PTR *PULONG_PTR;
typedef HANDLE *PHANDLE;
typedef const HANDLE IN_CONST_HANDLE;

/* A signed 64-bit number that may also be taken as two halves. Aligned to 8. */
typedef union _LARGE_INTEGER {
    struct {
        ULONG LowPart;
        LONG HighPart;
    };
    struct {
        ULONG LowPart;
        LONG HighPart;
    } u;
    LONGLONG QuadPart;
} LARGE_INTEGER, *PLARGE_INTEGER;

typedef union _ULARGE_INTEGER {
    struct {
        ULONG LowPart;
        ULONG HighPart;
    };
    struct {
        ULONG LowPart;
        ULONG HighPart;
    } u;
    ULONGLONG QuadPart;
} ULARGE_INTEGER, *PULARGE_INTEGER;

/* An address on the bus: of a system page frame, or within a segment where the page says so. */
typedef LARGE_INTEGER PHYSICAL_ADDRESS, *PPHYSICAL_ADDRESS;

/* A locally unique id: names an adapter until the next boot. Aligned to 4. */
typedef struct _LUID {
    ULONG LowPart;
    LONG HighPart;
} LUID, *PLUID;

typedef struct _GUID {
    ULONG Data1;
    USHORT Data2;
    USHORT Data3;
    UCHAR Data4[8];
} GUID, *LPGUID;
typedef const GUID *LPCGUID;

/* Counted UTF-16 text; both lengths are bytes and there need be no terminator. */
typedef struct _UNICODE_STRING {
    USHORT Length;
    USHORT MaximumLength;
    PWSTR Buffer;
} UNICODE_STRING, *PUNICODE_STRING;

typedef struct _LIST_ENTRY {
    struct _LIST_ENTRY *Flink;
    struct _LIST_ENTRY *Blink;
} LIST_ENTRY, *PLIST_ENTRY;

/* Half-open in both directions: right and bottom lie outside. */
typedef struct tagRECT {
    LONG left;
    LONG top;
    LONG right;
    LONG bottom;
} RECT, *PRECT;

typedef struct tagPOINT {
    LONG x;
    LONG y;
} POINT, *PPOINT;

#endif /* WDDM_HAVE_NTDEF */

#ifndef WDDM_HAVE_WDM

#ifndef PAGE_SIZE
#define PAGE_SHIFT 12
#define PAGE_SIZE 0x1000
#endif

/* The number of a page frame: its physical address shifted right by PAGE_SHIFT. */
typedef ULONG_PTR PFN_NUMBER, *PPFN_NUMBER;

/*
 * Memory descriptor list: says which page frames back a run of bytes. The frames need not be
 * contiguous. The array of their numbers, one PFN_NUMBER a page, follows the 48-byte header:
 *
 *     0       48              48 + 8 * pages
 *     +-------+-----+-----+-- - -+
 *     | MDL   | pfn | pfn |      |      Size covers both
 *     +-------+-----+-----+-- - -+
 *
 * The run begins ByteOffset bytes into frame 0 and is ByteCount bytes long.
 * Source: "Using MDLs"; wdm.h _MDL.
 */
typedef struct _MDL {
    struct _MDL *Next;         /* next list of a chain, or NULL */
    SHORT Size;                /* bytes of this header and the array behind it */
    SHORT MdlFlags;            /* MDL_... below */
    struct _EPROCESS *Process; /* the process in whose address space StartVa lies, or NULL */
    PVOID MappedSystemVa;      /* kernel address of the run's first byte, if one of the first and
                                  third MDL_... says so */
    PVOID StartVa;             /* address of the run, rounded down to its page */
    ULONG ByteCount;           /* bytes of the run */
    ULONG ByteOffset;          /* bytes from StartVa to the run, less than a page */
} MDL, *PMDL;

#define MDL_MAPPED_TO_SYSTEM_VA 0x0001     /* MappedSystemVa is a mapping that must be undone */
#define MDL_PAGES_LOCKED 0x0002            /* the frames are pinned and the array is filled */
#define MDL_SOURCE_IS_NONPAGED_POOL 0x0004 /* memory that never moves; MappedSystemVa is its own */
#define MDL_ALLOCATED_FIXED_SIZE 0x0008    /* the list itself came from a pool of one size */
#define MDL_PARTIAL 0x0010                 /* describes a part of another list's run */
#define MDL_PARTIAL_HAS_BEEN_MAPPED 0x0020 /* and that part is mapped */
#define MDL_IO_PAGE_READ 0x0040            /* being paged in from disk */
#define MDL_WRITE_OPERATION 0x0080         /* a device will write the frames */
#define MDL_PARENT_MAPPED_SYSTEM_VA 0x0100
#define MDL_FREE_EXTRA_PTES 0x0200
#define MDL_DESCRIBES_AWE 0x0400
#define MDL_IO_SPACE 0x0800 /* the frames are device registers, not memory */
#define MDL_NETWORK_HEADER 0x1000
#define MDL_MAPPING_CAN_FAIL 0x2000 /* mapping may answer NULL */
#define MDL_ALLOCATED_MUST_SUCCEED 0x4000

/* The array of page-frame numbers that follows the header. */
#define MmGetMdlPfnArray(Mdl) ((PPFN_NUMBER)((Mdl) + 1))
#define MmGetMdlByteCount(Mdl) ((Mdl)->ByteCount)
#define MmGetMdlByteOffset(Mdl) ((Mdl)->ByteOffset)
#define MmGetMdlVirtualAddress(Mdl) ((PVOID)((PUCHAR)(Mdl)->StartVa + (Mdl)->ByteOffset))

/* How the CPU caches a mapping. */
typedef enum _MEMORY_CACHING_TYPE {
    MmNonCached = 0,
    MmCached = 1,
    MmWriteCombined = 2,
    MmHardwareCoherentCached = 3,
    MmNonCachedUnordered = 4,
    MmUSWCCached = 5,
    MmMaximumCacheType = 6,
    MmNotMapped = -1,
} MEMORY_CACHING_TYPE;

typedef enum _DEVICE_POWER_STATE {
    PowerDeviceUnspecified = 0,
    PowerDeviceD0 = 1, /* fully on */
    PowerDeviceD1 = 2,
    PowerDeviceD2 = 3,
    PowerDeviceD3 = 4, /* off: device memory is lost */
    PowerDeviceMaximum = 5,
} DEVICE_POWER_STATE;

typedef enum _POWER_ACTION {
    PowerActionNone = 0,
    PowerActionReserved = 1,
    PowerActionSleep = 2,
    PowerActionHibernate = 3,
    PowerActionShutdown = 4,
    PowerActionShutdownReset = 5,
    PowerActionShutdownOff = 6,
    PowerActionWarmEject = 7,
} POWER_ACTION;

/* Head of every table of functions that one driver hands to another. */
typedef void INTERFACE_ROUTINE(PVOID Context);
typedef INTERFACE_ROUTINE *PINTERFACE_REFERENCE, *PINTERFACE_DEREFERENCE;
typedef struct _INTERFACE {
    USHORT Size;    /* bytes of the whole table */
    USHORT Version; /* of the table's layout */
    PVOID Context;  /* passed back in every call */
    PINTERFACE_REFERENCE InterfaceReference;
    PINTERFACE_DEREFERENCE InterfaceDereference;
} INTERFACE, *PINTERFACE;

/* A routine that runs while the interrupt routine cannot; its answer goes back to who asked. */
typedef BOOLEAN KSYNCHRONIZE_ROUTINE(PVOID SynchronizeContext);
typedef KSYNCHRONIZE_ROUTINE *PKSYNCHRONIZE_ROUTINE;

/* Objects that the display interface passes by address and never looks into. */
typedef struct _DEVICE_OBJECT *PDEVICE_OBJECT;
typedef struct _DRIVER_OBJECT *PDRIVER_OBJECT;
typedef struct _CM_RESOURCE_LIST *PCM_RESOURCE_LIST;
typedef struct _PCI_DEVICE_PRESENCE_PARAMETERS *PPCI_DEVICE_PRESENCE_PARAMETERS;

#endif /* WDDM_HAVE_WDM */

#ifdef __cplusplus
}
#endif

#endif /* WDDM_TYPES_H */
