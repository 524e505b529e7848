/*
 * wdm_rtl.h: the Rtl, Dbg and Kd routines: memory, lists, text, bitmaps, versions, debug output.
 *
 * Formats (DbgPrint, RtlStringCbPrintf, _snprintf, WPP): flags - + space # 0, width, .precision, *;
 * sizes h hh l ll I32 I64 I z t w; conversions d i u x X o c C s S p e f g n(refused) %; %wZ and
 * %Z counted text (UNICODE_STRING, STRING), %ws and %S the wide text, %hs the narrow; in a wide
 * format %s is wide and %S narrow; WPP's %!STATUS! %!GUID! %!FUNC! %!LINE!. IRQL of wide formats:
 * PASSIVE_LEVEL (finding K-001).
 *
 * Source: wdm.h, ntddk.h pages rtl*, dbg*, kd*; "Format specification fields".
 */
#ifndef KIT_WDM_RTL_H
#define KIT_WDM_RTL_H

#include "wdm_ex.h"

KIT_BEGIN

/* ---- Memory ---- */

#define RtlCopyMemory(To, From, Size) memcpy((To), (From), (Size))
#define RtlCopyBytes(To, From, Size) memcpy((To), (From), (Size))
#define RtlMoveMemory(To, From, Size) memmove((To), (From), (Size))
#define RtlFillMemory(To, Size, Byte) memset((To), (Byte), (Size))
#define RtlZeroMemory(To, Size) memset((To), 0, (Size))
#define RtlZeroBytes(To, Size) memset((To), 0, (Size))
#define RtlSecureZeroMemory(To, Size) memset((To), 0, (Size))
#define RtlEqualMemory(A, B, Size) (memcmp((A), (B), (Size)) == 0)
#define RtlCopyMemoryNonTemporal(To, From, Size) memcpy((To), (From), (Size))
#define RtlCopyVolatileMemory(To, From, Size) memcpy((void *)(To), (const void *)(From), (Size))
#define CopyMemory RtlCopyMemory
#define MoveMemory RtlMoveMemory
#define ZeroMemory RtlZeroMemory
#define FillMemory RtlFillMemory
#define RtlInterlockedSetBits(Flags, Flag) InterlockedOr((volatile LONG *)(Flags), (LONG)(Flag))
#define RtlInterlockedClearBits(Flags, Flag)                                                       \
    InterlockedAnd((volatile LONG *)(Flags), (LONG) ~(Flag))
/* How many bytes are equal from the start. */
SIZE_T RtlCompareMemory(const VOID *Source1, const VOID *Source2, SIZE_T Length);
VOID RtlFillMemoryUlong(PVOID Destination, SIZE_T Length, ULONG Pattern);
#define RtlUshortByteSwap(Value) __builtin_bswap16(Value)
#define RtlUlongByteSwap(Value) __builtin_bswap32(Value)
#define RtlUlonglongByteSwap(Value) __builtin_bswap64(Value)

/* ---- Doubly and singly linked lists ---- */

FORCEINLINE VOID InitializeListHead(PLIST_ENTRY ListHead)
{
    ListHead->Flink = ListHead->Blink = ListHead;
}
FORCEINLINE BOOLEAN IsListEmpty(const LIST_ENTRY *ListHead)
{
    return ListHead->Flink == ListHead;
}
/* TRUE: the list is now empty. */
FORCEINLINE BOOLEAN RemoveEntryList(PLIST_ENTRY Entry)
{
    PLIST_ENTRY Next = Entry->Flink, Before = Entry->Blink;

    Before->Flink = Next;
    Next->Blink = Before;
    return Next == Before;
}
FORCEINLINE PLIST_ENTRY RemoveHeadList(PLIST_ENTRY ListHead)
{
    PLIST_ENTRY Entry = ListHead->Flink;

    RemoveEntryList(Entry);
    return Entry;
}
FORCEINLINE PLIST_ENTRY RemoveTailList(PLIST_ENTRY ListHead)
{
    PLIST_ENTRY Entry = ListHead->Blink;

    RemoveEntryList(Entry);
    return Entry;
}
FORCEINLINE VOID InsertHeadList(PLIST_ENTRY ListHead, PLIST_ENTRY Entry)
{
    Entry->Flink = ListHead->Flink;
    Entry->Blink = ListHead;
    ListHead->Flink->Blink = Entry;
    ListHead->Flink = Entry;
}
FORCEINLINE VOID InsertTailList(PLIST_ENTRY ListHead, PLIST_ENTRY Entry)
{
    Entry->Blink = ListHead->Blink;
    Entry->Flink = ListHead;
    ListHead->Blink->Flink = Entry;
    ListHead->Blink = Entry;
}
FORCEINLINE VOID AppendTailList(PLIST_ENTRY ListHead, PLIST_ENTRY ListToAppend)
{
    PLIST_ENTRY End = ListHead->Blink;

    ListHead->Blink->Flink = ListToAppend;
    ListHead->Blink = ListToAppend->Blink;
    ListToAppend->Blink->Flink = ListHead;
    ListToAppend->Blink = End;
}
FORCEINLINE VOID PushEntryList(PSINGLE_LIST_ENTRY ListHead, PSINGLE_LIST_ENTRY Entry)
{
    Entry->Next = ListHead->Next;
    ListHead->Next = Entry;
}
FORCEINLINE PSINGLE_LIST_ENTRY PopEntryList(PSINGLE_LIST_ENTRY ListHead)
{
    PSINGLE_LIST_ENTRY First = ListHead->Next;

    if (First)
        ListHead->Next = First->Next;
    return First;
}
#define InitializeSingleListHead(ListHead) ((ListHead)->Next = NULL)

/* ---- Text ---- */

VOID RtlInitUnicodeString(PUNICODE_STRING DestinationString, PCWSTR SourceString);
NTSTATUS RtlUnicodeStringInit(PUNICODE_STRING DestinationString, PCWSTR SourceString);
VOID RtlInitString(PSTRING DestinationString, PCSZ SourceString);
VOID RtlInitAnsiString(PANSI_STRING DestinationString, PCSZ SourceString);
#define RtlInitEmptyUnicodeString(String, Memory, Size)                                            \
    ((String)->Buffer = (Memory), (String)->MaximumLength = (USHORT)(Size), (String)->Length = 0)
#define RtlInitEmptyAnsiString(String, Memory, Size) RtlInitEmptyUnicodeString(String, Memory, Size)
VOID RtlCopyUnicodeString(PUNICODE_STRING DestinationString, PCUNICODE_STRING SourceString);
NTSTATUS RtlAppendUnicodeStringToString(PUNICODE_STRING Destination, PCUNICODE_STRING Source);
NTSTATUS RtlAppendUnicodeToString(PUNICODE_STRING Destination, PCWSTR Source);
LONG RtlCompareUnicodeString(PCUNICODE_STRING String1, PCUNICODE_STRING String2,
                             BOOLEAN CaseInSensitive);
BOOLEAN RtlEqualUnicodeString(PCUNICODE_STRING String1, PCUNICODE_STRING String2,
                              BOOLEAN CaseInSensitive);
BOOLEAN RtlPrefixUnicodeString(PCUNICODE_STRING String1, PCUNICODE_STRING String2,
                               BOOLEAN CaseInSensitive);
BOOLEAN RtlEqualString(const STRING *String1, const STRING *String2, BOOLEAN CaseInSensitive);
LONG RtlCompareString(const STRING *String1, const STRING *String2, BOOLEAN CaseInSensitive);
VOID RtlCopyString(PSTRING DestinationString, const STRING *SourceString);
WCHAR RtlUpcaseUnicodeChar(WCHAR SourceCharacter);
WCHAR RtlDowncaseUnicodeChar(WCHAR SourceCharacter);
CHAR RtlUpperChar(CHAR Character);
NTSTATUS RtlUpcaseUnicodeString(PUNICODE_STRING DestinationString, PCUNICODE_STRING SourceString,
                                BOOLEAN AllocateDestinationString);
VOID RtlFreeUnicodeString(PUNICODE_STRING UnicodeString);
VOID RtlFreeAnsiString(PANSI_STRING AnsiString);
NTSTATUS RtlAnsiStringToUnicodeString(PUNICODE_STRING DestinationString, PCANSI_STRING SourceString,
                                      BOOLEAN AllocateDestinationString);
NTSTATUS RtlUnicodeStringToAnsiString(PANSI_STRING DestinationString, PCUNICODE_STRING SourceString,
                                      BOOLEAN AllocateDestinationString);
NTSTATUS RtlIntegerToUnicodeString(ULONG Value, ULONG Base, PUNICODE_STRING String);
NTSTATUS RtlInt64ToUnicodeString(ULONGLONG Value, ULONG Base, PUNICODE_STRING String);
NTSTATUS RtlUnicodeStringToInteger(PCUNICODE_STRING String, ULONG Base, PULONG Value);
NTSTATUS RtlCharToInteger(PCSZ String, ULONG Base, PULONG Value);
NTSTATUS RtlStringFromGUID(REFGUID Guid, PUNICODE_STRING GuidString);
NTSTATUS RtlGUIDFromString(PCUNICODE_STRING GuidString, GUID *Guid);
NTSTATUS RtlUnicodeToMultiByteN(PCHAR MultiByteString, ULONG MaxBytesInMultiByteString,
                                PULONG BytesInMultiByteString, PCWCH UnicodeString,
                                ULONG BytesInUnicodeString);

/* ---- Bitmaps ---- */

typedef struct _RTL_BITMAP {
    ULONG SizeOfBitMap; /* bits */
    PULONG Buffer;
} RTL_BITMAP, *PRTL_BITMAP;
typedef struct _RTL_BITMAP_RUN {
    ULONG StartingIndex;
    ULONG NumberOfBits;
} RTL_BITMAP_RUN, *PRTL_BITMAP_RUN;
VOID RtlInitializeBitMap(PRTL_BITMAP BitMapHeader, PULONG BitMapBuffer, ULONG SizeOfBitMap);
VOID RtlClearAllBits(PRTL_BITMAP BitMapHeader);
VOID RtlSetAllBits(PRTL_BITMAP BitMapHeader);
VOID RtlClearBit(PRTL_BITMAP BitMapHeader, ULONG BitNumber);
VOID RtlSetBit(PRTL_BITMAP BitMapHeader, ULONG BitNumber);
BOOLEAN RtlTestBit(PRTL_BITMAP BitMapHeader, ULONG BitNumber);
VOID RtlClearBits(PRTL_BITMAP BitMapHeader, ULONG StartingIndex, ULONG NumberToClear);
VOID RtlSetBits(PRTL_BITMAP BitMapHeader, ULONG StartingIndex, ULONG NumberToSet);
BOOLEAN RtlAreBitsClear(PRTL_BITMAP BitMapHeader, ULONG StartingIndex, ULONG Length);
BOOLEAN RtlAreBitsSet(PRTL_BITMAP BitMapHeader, ULONG StartingIndex, ULONG Length);
/* The first run of so many from HintIndex on, then from 0; 0xFFFFFFFF: none. */
ULONG RtlFindClearBits(PRTL_BITMAP BitMapHeader, ULONG NumberToFind, ULONG HintIndex);
ULONG RtlFindSetBits(PRTL_BITMAP BitMapHeader, ULONG NumberToFind, ULONG HintIndex);
ULONG RtlFindClearBitsAndSet(PRTL_BITMAP BitMapHeader, ULONG NumberToFind, ULONG HintIndex);
ULONG RtlFindSetBitsAndClear(PRTL_BITMAP BitMapHeader, ULONG NumberToFind, ULONG HintIndex);
ULONG RtlNumberOfClearBits(PRTL_BITMAP BitMapHeader);
ULONG RtlNumberOfSetBits(PRTL_BITMAP BitMapHeader);
CCHAR RtlFindMostSignificantBit(ULONGLONG Set);
CCHAR RtlFindLeastSignificantBit(ULONGLONG Set);
#define RtlCheckBit(BitMap, Bit) RtlTestBit((BitMap), (Bit))

/* ---- Version, time, random, large integers ---- */

typedef struct _OSVERSIONINFOW {
    ULONG dwOSVersionInfoSize;
    ULONG dwMajorVersion;
    ULONG dwMinorVersion;
    ULONG dwBuildNumber;
    ULONG dwPlatformId;
    WCHAR szCSDVersion[128];
} OSVERSIONINFOW, *POSVERSIONINFOW, RTL_OSVERSIONINFOW, *PRTL_OSVERSIONINFOW;
typedef struct _OSVERSIONINFOEXW {
    ULONG dwOSVersionInfoSize;
    ULONG dwMajorVersion;
    ULONG dwMinorVersion;
    ULONG dwBuildNumber;
    ULONG dwPlatformId;
    WCHAR szCSDVersion[128];
    USHORT wServicePackMajor;
    USHORT wServicePackMinor;
    USHORT wSuiteMask;
    UCHAR wProductType;
    UCHAR wReserved;
} OSVERSIONINFOEXW, *POSVERSIONINFOEXW, RTL_OSVERSIONINFOEXW, *PRTL_OSVERSIONINFOEXW;
#define VER_MINORVERSION 0x0000001
#define VER_MAJORVERSION 0x0000002
#define VER_BUILDNUMBER 0x0000004
#define VER_EQUAL 1
#define VER_GREATER 2
#define VER_GREATER_EQUAL 3
#define VER_LESS 4
#define VER_LESS_EQUAL 5
#define VER_SET_CONDITION(Mask, Type, Condition)                                                   \
    ((Mask) = VerSetConditionMask((Mask), (Type), (Condition)))
/* The configured version. */
NTSTATUS RtlGetVersion(PRTL_OSVERSIONINFOW VersionInformation);
NTSTATUS RtlVerifyVersionInfo(PRTL_OSVERSIONINFOEXW VersionInfo, ULONG TypeMask,
                              ULONGLONG ConditionMask);
ULONGLONG VerSetConditionMask(ULONGLONG ConditionMask, ULONG TypeMask, UCHAR Condition);
BOOLEAN RtlIsNtDdiVersionAvailable(ULONG Version);
typedef struct _TIME_FIELDS {
    SHORT Year, Month, Day, Hour, Minute, Second, Milliseconds, Weekday;
} TIME_FIELDS, *PTIME_FIELDS;
VOID RtlTimeToTimeFields(PLARGE_INTEGER Time, PTIME_FIELDS TimeFields);
BOOLEAN RtlTimeFieldsToTime(PTIME_FIELDS TimeFields, PLARGE_INTEGER Time);
ULONG RtlRandomEx(PULONG Seed);
ULONG RtlRandom(PULONG Seed);
FORCEINLINE LARGE_INTEGER RtlConvertLongToLargeInteger(LONG Value)
{
    LARGE_INTEGER Result;

    Result.QuadPart = Value;
    return Result;
}
FORCEINLINE LARGE_INTEGER RtlConvertUlongToLargeInteger(ULONG Value)
{
    LARGE_INTEGER Result;

    Result.QuadPart = Value;
    return Result;
}
#define Int32x32To64(A, B) ((LONGLONG)(LONG)(A) * (LONGLONG)(LONG)(B))
#define UInt32x32To64(A, B) ((ULONGLONG)(ULONG)(A) * (ULONGLONG)(ULONG)(B))
#define Int64ShllMod32(A, B) ((ULONGLONG)(A) << (B))
ULONG RtlNtStatusToDosError(NTSTATUS Status);
USHORT RtlCaptureStackBackTrace(ULONG FramesToSkip, ULONG FramesToCapture, PVOID *BackTrace,
                                PULONG BackTraceHash);

/* Trees: declared, not supported. */
typedef struct _RTL_BALANCED_LINKS {
    struct _RTL_BALANCED_LINKS *Parent, *LeftChild, *RightChild;
    CHAR Balance;
    UCHAR Reserved[3];
} RTL_BALANCED_LINKS, *PRTL_BALANCED_LINKS;

/* ---- Debug output ---- */

#define DPFLTR_ERROR_LEVEL 0
#define DPFLTR_WARNING_LEVEL 1
#define DPFLTR_TRACE_LEVEL 2
#define DPFLTR_INFO_LEVEL 3
#define DPFLTR_MASK 0x80000000
#include "dpfilter.h"

/* Write to the debugger: the host's hook gets the text. Answers STATUS_SUCCESS. */
ULONG DbgPrint(PCSTR Format, ...);
/* Write to the debugger if the level passes the component's mask: errors always, the rest if
 * configured. */
ULONG DbgPrintEx(ULONG ComponentId, ULONG Level, PCSTR Format, ...);
ULONG vDbgPrintEx(ULONG ComponentId, ULONG Level, PCCH Format, va_list Arguments);
ULONG vDbgPrintExWithPrefix(PCCH Prefix, ULONG ComponentId, ULONG Level, PCCH Format,
                            va_list Arguments);
ULONG DbgPrompt(PCCH Prompt, PCHAR Response, ULONG Length);
/* Stop in the debugger; without one, report and go on (finding K-035). */
VOID DbgBreakPoint(VOID);
VOID DbgBreakPointWithStatus(ULONG Status);
BOOLEAN KdRefreshDebuggerNotPresent(VOID);
NTSTATUS KdDisableDebugger(VOID);
NTSTATUS KdEnableDebugger(VOID);
VOID RtlAssert(PVOID VoidFailedAssertion, PVOID VoidFileName, ULONG LineNumber,
               PSTR MutableMessage);
extern PBOOLEAN KdDebuggerNotPresent;
extern PBOOLEAN KdDebuggerEnabled;
#define KD_DEBUGGER_ENABLED (*KdDebuggerEnabled)
#define KD_DEBUGGER_NOT_PRESENT (*KdDebuggerNotPresent)
#define KdBreakPoint() DbgBreakPoint()
#define __debugbreak() DbgBreakPoint()
#if DBG
#define KdPrint(Arguments) DbgPrint Arguments
#define KdPrintEx(Arguments) DbgPrintEx Arguments
#define NT_ASSERT(Truth)                                                                           \
    ((Truth) ? TRUE : (RtlAssert((PVOID) #Truth, (PVOID)__FILE__, __LINE__, NULL), FALSE))
#define NT_ASSERTMSG(Text, Truth)                                                                  \
    ((Truth) ? TRUE : (RtlAssert((PVOID) #Truth, (PVOID)__FILE__, __LINE__, (PSTR)(Text)), FALSE))
#else
#define KdPrint(Arguments) ((void)0)
#define KdPrintEx(Arguments) ((void)0)
#define NT_ASSERT(Truth) ((void)0)
#define NT_ASSERTMSG(Text, Truth) ((void)0)
#endif
#define NT_VERIFY(Truth)                                                                           \
    ((Truth) ? TRUE : (RtlAssert((PVOID) #Truth, (PVOID)__FILE__, __LINE__, NULL), FALSE))
#define NT_FRE_ASSERT(Truth) NT_VERIFY(Truth)
#define NT_ASSERT_ACTION(Truth) NT_ASSERT(Truth)
#define NT_ASSUME(Truth) ((void)0)
#define ASSERT(Truth) NT_ASSERT(Truth)
#define ASSERTMSG(Text, Truth) NT_ASSERTMSG(Text, Truth)
#define RTL_SOFT_ASSERT(Truth) NT_ASSERT(Truth)
#define RTL_VERIFY(Truth) NT_VERIFY(Truth)
#define RTL_ASSERT(Truth) NT_ASSERT(Truth)

/* Identifiers of 64 bits. */
FORCEINLINE LUID RtlConvertLongToLuid(LONG Long)
{
    LUID Luid = {(ULONG)Long, Long < 0 ? -1 : 0};

    return Luid;
}
FORCEINLINE LUID RtlConvertUlongToLuid(ULONG Ulong)
{
    LUID Luid = {Ulong, 0};

    return Luid;
}
#define RtlIsZeroLuid(L) ((BOOLEAN)(((L)->LowPart | (ULONG)(L)->HighPart) == 0))
#define RtlEqualLuid(A, B) ((A)->LowPart == (B)->LowPart && (A)->HighPart == (B)->HighPart)

KIT_END

#endif /* KIT_WDM_RTL_H */
