/*
 * ntdef.h: the base types and macros of a Windows kernel, upon those of wddm_types.h.
 *
 * Widths are fixed and LONG is an int; WCHAR is the character of L"..." (16 bits: -fshort-wchar).
 * Source: "Windows Kernel-Mode Types", ntdef pages of the public reference.
 */
#ifndef KIT_NTDEF_H
#define KIT_NTDEF_H

#include "kit_compiler.h"
#include "sal.h"
#include "specstrings.h"
#include "stddef.h"
#include "stdarg.h"
#include <stdint.h>
#include "string.h"
#include "limits.h"

#include <wddm_types.h>
#include <ntstatus.h>

KIT_BEGIN

/* ---- More names of the same widths ---- */

typedef void *LPVOID;
typedef const void *LPCVOID, *PCVOID;
typedef char CCHAR, *LPSTR, *PSTR, *PNZCH, *PSZ;
typedef const char *LPCSTR, *PCSTR, *PCSZ, *LPCCH, *PCCH;
typedef WCHAR *LPWSTR, *NWPSTR, *LPWCH, *PWCH, *LPWCHAR;
typedef const WCHAR *LPCWSTR, *LPCWCH, *PCWCH, *PCWCHAR, *LPCWCHAR;
typedef WCHAR *PZZWSTR, *PNZWCH;
typedef const WCHAR *PCZZWSTR, *PCNZWCH;
typedef int8_t INT8, *PINT8;
typedef int8_t SCHAR, *PSCHAR;
typedef UINT8 *PUINT8;
typedef int16_t INT16, *PINT16;
typedef UINT16 *PUINT16;
typedef INT32 *PINT32;
typedef UINT32 *PUINT32;
typedef INT64 *PINT64;
typedef UINT64 *PUINT64;
typedef INT32 LONG32, *PLONG32;
typedef UINT32 ULONG32, *PULONG32, DWORD32, *PDWORD32;
typedef LONG64 *PLONG64;
typedef ULONG64 *PULONG64;
typedef DWORD64 *PDWORD64;
typedef LONGLONG *PLONGLONG;
typedef ULONGLONG *PULONGLONG, DWORDLONG;
typedef DWORD *PDWORD, *LPDWORD;
typedef WORD *PWORD, *LPWORD;
typedef BYTE *LPBYTE;
typedef BOOL *PBOOL, *LPBOOL;
typedef LONG *LPLONG;
typedef float FLOAT, *PFLOAT;
typedef double DOUBLE;
typedef LONG_PTR *PLONG_PTR;
typedef LONG_PTR INT_PTR, *PINT_PTR, SSIZE_T, *PSSIZE_T;
typedef ULONG_PTR UINT_PTR, *PUINT_PTR, DWORD_PTR, *PDWORD_PTR;
typedef ULONG_PTR KAFFINITY, *PKAFFINITY;
typedef UCHAR KIRQL, *PKIRQL;
typedef LONG KPRIORITY;
typedef ULONG LOGICAL, *PLOGICAL;
typedef NTSTATUS *PNTSTATUS;
typedef ULONG ACCESS_MASK, *PACCESS_MASK;
typedef ULONG LCID, *PLCID;
typedef SHORT CSHORT;
typedef GUID UUID;
typedef USHORT LANGID;
typedef LONG SECURITY_STATUS;
typedef PVOID PSECURITY_DESCRIPTOR, PSID;
typedef ULONG SECURITY_INFORMATION, *PSECURITY_INFORMATION;
typedef ULONGLONG REGHANDLE, *PREGHANDLE;
typedef PVOID *PPVOID;
typedef const LARGE_INTEGER *PCLARGE_INTEGER;
typedef const LUID *PCLUID;
typedef GUID IID, CLSID, FMTID;
typedef const GUID *PCGUID;
#ifdef __cplusplus
typedef const GUID &REFGUID, &REFIID, &REFCLSID;
#else
typedef const GUID *REFGUID, *REFIID, *REFCLSID;
#endif
#define GUID_DEFINED

typedef enum _EVENT_TYPE { NotificationEvent, SynchronizationEvent } EVENT_TYPE;
typedef enum _TIMER_TYPE { NotificationTimer, SynchronizationTimer } TIMER_TYPE;
typedef enum _WAIT_TYPE { WaitAll, WaitAny } WAIT_TYPE;
typedef enum _NT_PRODUCT_TYPE {
    NtProductWinNt = 1,
    NtProductLanManNt,
    NtProductServer
} NT_PRODUCT_TYPE;

typedef struct _PROCESSOR_NUMBER {
    USHORT Group;
    UCHAR Number;
    UCHAR Reserved;
} PROCESSOR_NUMBER, *PPROCESSOR_NUMBER;

typedef struct _GROUP_AFFINITY {
    KAFFINITY Mask;
    USHORT Group;
    USHORT Reserved[3];
} GROUP_AFFINITY, *PGROUP_AFFINITY;
#define ALL_PROCESSOR_GROUPS 0xFFFF

/* ---- Counted text ---- */

typedef struct _STRING {
    USHORT Length;        /* bytes, without a terminator */
    USHORT MaximumLength; /* bytes of the buffer */
    PCHAR Buffer;
} STRING, *PSTRING, ANSI_STRING, *PANSI_STRING, OEM_STRING, *POEM_STRING, UTF8_STRING,
    *PUTF8_STRING;
typedef const STRING *PCANSI_STRING, *PCOEM_STRING, *PCSTRING;
typedef const UNICODE_STRING *PCUNICODE_STRING;
#define UNICODE_NULL ((WCHAR)0)
#define ANSI_NULL ((CHAR)0)
#define UNICODE_STRING_MAX_BYTES ((USHORT)65534)
#define UNICODE_STRING_MAX_CHARS 32767

#define RTL_CONSTANT_STRING(Text)                                                                  \
    {                                                                                              \
        sizeof(Text) - sizeof((Text)[0]), sizeof(Text), (Text)                                     \
    }
#ifdef __cplusplus
#define KIT_TEXT(Text) const_cast<PWSTR>(Text)
#else
#define KIT_TEXT(Text) ((PWSTR)(Text))
#endif
#define DECLARE_CONST_UNICODE_STRING(Name, Text)                                                   \
    const UNICODE_STRING Name = {sizeof(Text) - sizeof(WCHAR), sizeof(Text), KIT_TEXT(Text)}
#define DECLARE_GLOBAL_CONST_UNICODE_STRING(Name, Text)                                            \
    extern const __attribute__((weak))                                                             \
    UNICODE_STRING Name = {sizeof(Text) - sizeof(WCHAR), sizeof(Text), KIT_TEXT(Text)}
#define DECLARE_UNICODE_STRING_SIZE(Name, Size)                                                    \
    WCHAR Name##_buffer[Size];                                                                     \
    UNICODE_STRING Name = {0, (Size) * sizeof(WCHAR), Name##_buffer}

/* ---- Lists, objects ---- */

typedef struct _SINGLE_LIST_ENTRY {
    struct _SINGLE_LIST_ENTRY *Next;
} SINGLE_LIST_ENTRY, *PSINGLE_LIST_ENTRY;

typedef struct DECLSPEC_ALIGN(16) _SLIST_ENTRY {
    struct _SLIST_ENTRY *Next;
} SLIST_ENTRY, *PSLIST_ENTRY;

/* Entries pushed and popped by any thread. Members are the kit's own. */
typedef union DECLSPEC_ALIGN(16) _SLIST_HEADER {
    struct {
        ULONGLONG Alignment;
        ULONGLONG Region;
    };
    struct {
        PSLIST_ENTRY KitFirst;
        USHORT KitDepth;
        USHORT KitSequence;
        LONG KitLock;
    };
} SLIST_HEADER, *PSLIST_HEADER;

typedef struct _OBJECT_ATTRIBUTES {
    ULONG Length;
    HANDLE RootDirectory;
    PUNICODE_STRING ObjectName;
    ULONG Attributes; /* OBJ_... */
    PVOID SecurityDescriptor;
    PVOID SecurityQualityOfService;
} OBJECT_ATTRIBUTES, *POBJECT_ATTRIBUTES;
typedef const OBJECT_ATTRIBUTES *PCOBJECT_ATTRIBUTES;

#define OBJ_INHERIT 0x00000002
#define OBJ_PERMANENT 0x00000010
#define OBJ_EXCLUSIVE 0x00000020
#define OBJ_CASE_INSENSITIVE 0x00000040
#define OBJ_OPENIF 0x00000080
#define OBJ_OPENLINK 0x00000100
#define OBJ_KERNEL_HANDLE 0x00000200
#define OBJ_FORCE_ACCESS_CHECK 0x00000400

#define InitializeObjectAttributes(Attr, Name, Flags, Root, Security)                              \
    do {                                                                                           \
        (Attr)->Length = sizeof(OBJECT_ATTRIBUTES);                                                \
        (Attr)->RootDirectory = (Root);                                                            \
        (Attr)->Attributes = (Flags);                                                              \
        (Attr)->ObjectName = (Name);                                                               \
        (Attr)->SecurityDescriptor = (Security);                                                   \
        (Attr)->SecurityQualityOfService = NULL;                                                   \
    } while (0)

/* ---- Words ---- */

#define IN
#define OUT
#define INOUT
#define OPTIONAL
#define CRITICAL
#define NOTHING
#define FAR
#define NEAR
#define far
#define near
#ifndef CONST
#define CONST const
#endif
#define THIS_FILE __FILE__
#define EXTERN_C_START KIT_BEGIN
#define EXTERN_C_END KIT_END
#ifdef __cplusplus
#define EXTERN_C extern "C"
#else
#define EXTERN_C extern
#endif
#define STDAPI EXTERN_C HRESULT
#define ALIGNMENT_WORD sizeof(ULONG_PTR)
#define MAXUCHAR 0xFF
#define MAXUSHORT 0xFFFF
#define MAXULONG 0xFFFFFFFF
#define MAXUINT 0xFFFFFFFFU
#define MAXDWORD 0xFFFFFFFF
#define MAXWORD 0xFFFF
#define MAXCHAR 0x7F
#define MAXSHORT 0x7FFF
#define MAXLONG 0x7FFFFFFF
#define MINLONG ((LONG)0x80000000)
#define MAXLONGLONG 0x7FFFFFFFFFFFFFFFLL
#define MAXULONGLONG 0xFFFFFFFFFFFFFFFFULL
#define MAXULONG64 MAXULONGLONG
#define MAXUINT32 0xFFFFFFFFU
#define MAXUINT64 MAXULONGLONG
#define MAXULONG32 MAXUINT32
#define MAXULONG_PTR ((ULONG_PTR)MAXULONGLONG)
#define MAXSIZE_T ((SIZE_T)MAXULONGLONG)
#define MAXINT 0x7FFFFFFF
#define BYTE_MAX 0xFF
#define WORD_MAX USHRT_MAX
#define DWORD_MAX ULONG_MAX
#define USHORT_MAX USHRT_MAX
#define ULONGLONG_MAX MAXULONGLONG
#define ULONGLONG_MIN 0ULL
#define SIZE_T_MAX SIZE_MAX
#ifndef INFINITE
#define INFINITE 0xFFFFFFFF
#endif

#define INVALID_HANDLE_VALUE ((HANDLE)(LONG_PTR)-1)
#define NtCurrentProcess() ((HANDLE)(LONG_PTR)-1)
#define ZwCurrentProcess() NtCurrentProcess()
#define NtCurrentThread() ((HANDLE)(LONG_PTR)-2)
#define ZwCurrentThread() NtCurrentThread()
#define HandleToULong(Handle) ((ULONG)(ULONG_PTR)(Handle))
#define HandleToUlong(Handle) HandleToULong(Handle)
#define HandleToLong(Handle) ((LONG)(LONG_PTR)(Handle))
#define ULongToHandle(Value) ((HANDLE)(ULONG_PTR)(Value))
#define UlongToHandle(Value) ULongToHandle(Value)
#define ULongToPtr(Value) ((PVOID)(ULONG_PTR)(Value))
#define UlongToPtr(Value) ULongToPtr(Value)
#define LongToHandle(Value) ((HANDLE)(LONG_PTR)(Value))
#define LongToPtr(Value) ((PVOID)(LONG_PTR)(Value))
#define UIntToPtr(Value) ((PVOID)(UINT_PTR)(Value))
#define IntToPtr(Value) ((PVOID)(INT_PTR)(Value))
#define PtrToULong(Pointer) ((ULONG)(ULONG_PTR)(Pointer))
#define PtrToUlong(Pointer) PtrToULong(Pointer)
#define PtrToLong(Pointer) ((LONG)(LONG_PTR)(Pointer))
#define PtrToUint(Pointer) ((UINT)(UINT_PTR)(Pointer))
#define PtrToInt(Pointer) ((INT)(INT_PTR)(Pointer))
#define PtrToUshort(Pointer) ((USHORT)(ULONG_PTR)(Pointer))

#ifndef ARRAYSIZE
#define ARRAYSIZE(Array) (sizeof(Array) / sizeof((Array)[0]))
#endif
#define RTL_NUMBER_OF(Array) ARRAYSIZE(Array)
#define RTL_NUMBER_OF_V1(Array) ARRAYSIZE(Array)
#define RTL_NUMBER_OF_V2(Array) ARRAYSIZE(Array)
#define RTL_FIELD_SIZE(Type, Field) (sizeof(((Type *)0)->Field))
#define RTL_SIZEOF_THROUGH_FIELD(Type, Field)                                                      \
    (FIELD_OFFSET(Type, Field) + RTL_FIELD_SIZE(Type, Field))
#define RTL_CONTAINS_FIELD(Struct, Size, Field)                                                    \
    ((((PCHAR)(&(Struct)->Field)) + sizeof((Struct)->Field)) <= (((PCHAR)(Struct)) + (Size)))
#define RTL_NUMBER_OF_FIELD(Type, Field) ARRAYSIZE(((Type *)0)->Field)
#define RTL_BITS_OF(Thing) (sizeof(Thing) * 8)
#define FIELD_OFFSET(Type, Field) ((LONG) __builtin_offsetof(Type, Field))
#define UFIELD_OFFSET(Type, Field) ((ULONG) __builtin_offsetof(Type, Field))
#define CONTAINING_RECORD(Address, Type, Field)                                                    \
    ((Type *)((PCHAR)(Address) - (ULONG_PTR) __builtin_offsetof(Type, Field)))
#define KIT_GLUE2(A, B) A##B
#define KIT_GLUE(A, B) KIT_GLUE2(A, B)
#define C_ASSERT(Truth)                                                                            \
    typedef char KIT_GLUE(kit_c_assert_, __LINE__)[(Truth) ? 1 : -1] __attribute__((unused))
#define UNREFERENCED_PARAMETER(Name) ((void)(Name))
#define DBG_UNREFERENCED_PARAMETER(Name) ((void)(Name))
#define DBG_UNREFERENCED_LOCAL_VARIABLE(Name) ((void)(Name))
#define UNREFERENCED_LOCAL_VARIABLE(Name) ((void)(Name))
#define DEFAULT_UNREACHABLE                                                                        \
    default:                                                                                       \
        __builtin_unreachable()
#define NT_CUSTOMER_SHIFT 29
#define FlagOn(Flags, Which) ((Flags) & (Which))
#define BooleanFlagOn(Flags, Which) ((BOOLEAN)(((Flags) & (Which)) != 0))
#define SetFlag(Flags, Which) ((Flags) |= (Which))
#define ClearFlag(Flags, Which) ((Flags) &= ~(Which))
#define DUMMYSTRUCTNAME
#define DUMMYSTRUCTNAME2
#define DUMMYSTRUCTNAME3
#define DUMMYUNIONNAME
#define DUMMYUNIONNAME2
#define DUMMYUNIONNAME3
#define DUMMYUNIONNAME4
#define _ANONYMOUS_UNION
#define _ANONYMOUS_STRUCT
#define MAKEWORD(Low, High) ((WORD)(((BYTE)(Low)) | ((WORD)((BYTE)(High))) << 8))
#define MAKELONG(Low, High) ((LONG)(((WORD)(Low)) | ((DWORD)((WORD)(High))) << 16))
#define LOWORD(Value) ((WORD)((ULONG_PTR)(Value)&0xFFFF))
#define HIWORD(Value) ((WORD)(((ULONG_PTR)(Value) >> 16) & 0xFFFF))
#define LOBYTE(Value) ((BYTE)((ULONG_PTR)(Value)&0xFF))
#define HIBYTE(Value) ((BYTE)(((ULONG_PTR)(Value) >> 8) & 0xFF))
#define ALIGN_DOWN_BY(Length, Size) ((ULONG_PTR)(Length) & ~((ULONG_PTR)(Size)-1))
#define ALIGN_UP_BY(Length, Size) ALIGN_DOWN_BY(((ULONG_PTR)(Length) + (Size)-1), Size)
#define ALIGN_DOWN_POINTER_BY(Address, Size) ((PVOID)ALIGN_DOWN_BY(Address, Size))
#define ALIGN_UP_POINTER_BY(Address, Size) ((PVOID)ALIGN_UP_BY(Address, Size))
#define ALIGN_DOWN(Length, Type) ALIGN_DOWN_BY(Length, sizeof(Type))
#define ALIGN_UP(Length, Type) ALIGN_UP_BY(Length, sizeof(Type))
#define TYPE_ALIGNMENT(Type) __alignof__(Type)
#define PROBE_ALIGNMENT(Type) __alignof__(Type)
#define STRICT_TYPE_MATCH

/* Operators on the bits of an enum, in C++. */
#ifdef __cplusplus
#define DEFINE_ENUM_FLAG_OPERATORS(Enum)                                                           \
    extern "C++" {                                                                                 \
    inline Enum operator|(Enum a, Enum b)                                                          \
    {                                                                                              \
        return Enum((int)a | (int)b);                                                              \
    }                                                                                              \
    inline Enum operator&(Enum a, Enum b)                                                          \
    {                                                                                              \
        return Enum((int)a & (int)b);                                                              \
    }                                                                                              \
    inline Enum operator^(Enum a, Enum b)                                                          \
    {                                                                                              \
        return Enum((int)a ^ (int)b);                                                              \
    }                                                                                              \
    inline Enum operator~(Enum a)                                                                  \
    {                                                                                              \
        return Enum(~(int)a);                                                                      \
    }                                                                                              \
    inline Enum &operator|=(Enum &a, Enum b)                                                       \
    {                                                                                              \
        return a = a | b;                                                                          \
    }                                                                                              \
    inline Enum &operator&=(Enum &a, Enum b)                                                       \
    {                                                                                              \
        return a = a & b;                                                                          \
    }                                                                                              \
    inline Enum &operator^=(Enum &a, Enum b)                                                       \
    {                                                                                              \
        return a = a ^ b;                                                                          \
    }                                                                                              \
    }
#else
#define DEFINE_ENUM_FLAG_OPERATORS(Enum)
#endif

/* GUIDs: defined in the source that includes initguid.h first, declared elsewhere. */
#ifndef DEFINE_GUID
#ifdef INITGUID
#define DEFINE_GUID(Name, L, W1, W2, B1, B2, B3, B4, B5, B6, B7, B8)                               \
    EXTERN_C const GUID Name __attribute__((weak));                                                \
    const GUID Name = {L, W1, W2, {B1, B2, B3, B4, B5, B6, B7, B8}}
#else
#define DEFINE_GUID(Name, L, W1, W2, B1, B2, B3, B4, B5, B6, B7, B8) EXTERN_C const GUID Name
#endif
#endif
#define InlineIsEqualGUID(A, B) (memcmp(&(A), &(B), sizeof(GUID)) == 0)
#ifdef __cplusplus
extern "C++" {
inline int IsEqualGUID(REFGUID a, REFGUID b)
{
    return memcmp(&a, &b, sizeof(GUID)) == 0;
}
inline bool operator==(REFGUID a, REFGUID b)
{
    return IsEqualGUID(a, b) != 0;
}
inline bool operator!=(REFGUID a, REFGUID b)
{
    return !IsEqualGUID(a, b);
}
}
#else
#define IsEqualGUID(A, B) (memcmp((A), (B), sizeof(GUID)) == 0)
#endif
#define IsEqualIID(A, B) IsEqualGUID(A, B)

/* Whether a pointer that may be left out is given. */
#define ARGUMENT_PRESENT(Argument) ((ULONG_PTR)(Argument) != 0)

KIT_END

#endif /* KIT_NTDEF_H */
