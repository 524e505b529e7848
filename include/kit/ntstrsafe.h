/*
 * ntstrsafe.h: text functions that know how much room there is. Cb counts bytes, Cch characters; A
 * is narrow, W wide.
 *
 * Each answers STATUS_SUCCESS; STATUS_BUFFER_OVERFLOW: the text was cut and is terminated; or
 * STATUS_INVALID_PARAMETER: no room at all, or more than NTSTRSAFE_MAX_CCH. Formats: wdm_rtl.h.
 *
 * Source: ntstrsafe.h pages of the public reference.
 */
#ifndef KIT_NTSTRSAFE_H
#define KIT_NTSTRSAFE_H

#include "wdm.h"

KIT_BEGIN

#define NTSTRSAFE_MAX_CCH 2147483647
#define NTSTRSAFE_UNICODE_STRING_MAX_CCH (0xFFFF / sizeof(WCHAR))
#define NTSTRSAFEDDI NTSTATUS
typedef char *NTSTRSAFE_PSTR;
typedef const char *NTSTRSAFE_PCSTR;
typedef WCHAR *NTSTRSAFE_PWSTR;
typedef const WCHAR *NTSTRSAFE_PCWSTR;

NTSTATUS RtlStringCchVPrintfA(PSTR Dest, size_t CchDest, PCSTR Format, va_list Arguments);
NTSTATUS RtlStringCchVPrintfW(PWSTR Dest, size_t CchDest, PCWSTR Format, va_list Arguments);
NTSTATUS RtlStringCbVPrintfA(PSTR Dest, size_t CbDest, PCSTR Format, va_list Arguments);
NTSTATUS RtlStringCbVPrintfW(PWSTR Dest, size_t CbDest, PCWSTR Format, va_list Arguments);
NTSTATUS RtlStringCchPrintfA(PSTR Dest, size_t CchDest, PCSTR Format, ...);
NTSTATUS RtlStringCchPrintfW(PWSTR Dest, size_t CchDest, PCWSTR Format, ...);
NTSTATUS RtlStringCbPrintfA(PSTR Dest, size_t CbDest, PCSTR Format, ...);
NTSTATUS RtlStringCbPrintfW(PWSTR Dest, size_t CbDest, PCWSTR Format, ...);
NTSTATUS RtlStringCchCopyA(PSTR Dest, size_t CchDest, PCSTR Source);
NTSTATUS RtlStringCchCopyW(PWSTR Dest, size_t CchDest, PCWSTR Source);
NTSTATUS RtlStringCbCopyA(PSTR Dest, size_t CbDest, PCSTR Source);
NTSTATUS RtlStringCbCopyW(PWSTR Dest, size_t CbDest, PCWSTR Source);
NTSTATUS RtlStringCchCopyNA(PSTR Dest, size_t CchDest, PCSTR Source, size_t CchToCopy);
NTSTATUS RtlStringCchCopyNW(PWSTR Dest, size_t CchDest, PCWSTR Source, size_t CchToCopy);
NTSTATUS RtlStringCbCopyNA(PSTR Dest, size_t CbDest, PCSTR Source, size_t CbToCopy);
NTSTATUS RtlStringCbCopyNW(PWSTR Dest, size_t CbDest, PCWSTR Source, size_t CbToCopy);
NTSTATUS RtlStringCchCatA(PSTR Dest, size_t CchDest, PCSTR Source);
NTSTATUS RtlStringCchCatW(PWSTR Dest, size_t CchDest, PCWSTR Source);
NTSTATUS RtlStringCbCatA(PSTR Dest, size_t CbDest, PCSTR Source);
NTSTATUS RtlStringCbCatW(PWSTR Dest, size_t CbDest, PCWSTR Source);
NTSTATUS RtlStringCchLengthA(PCSTR Text, size_t CchMax, size_t *CchLength);
NTSTATUS RtlStringCchLengthW(PCWSTR Text, size_t CchMax, size_t *CchLength);
NTSTATUS RtlStringCbLengthA(PCSTR Text, size_t CbMax, size_t *CbLength);
NTSTATUS RtlStringCbLengthW(PCWSTR Text, size_t CbMax, size_t *CbLength);
NTSTATUS RtlUnicodeStringPrintf(PUNICODE_STRING Dest, PCWSTR Format, ...);
NTSTATUS RtlUnicodeStringCopyString(PUNICODE_STRING Dest, PCWSTR Source);
NTSTATUS RtlUnicodeStringCopy(PUNICODE_STRING Dest, PCUNICODE_STRING Source);
NTSTATUS RtlUnicodeStringCatString(PUNICODE_STRING Dest, PCWSTR Source);

/* How the Ex forms end. The lowest byte of the flags is what is filled with. */
#define STRSAFE_IGNORE_NULLS 0x00000100     /* a source that is NULL is empty text */
#define STRSAFE_FILL_BEHIND_NULL 0x00000200 /* fill the rest behind the terminator */
#define STRSAFE_FILL_ON_FAILURE 0x00000400  /* fill all of it, terminated */
#define STRSAFE_NULL_ON_FAILURE 0x00000800  /* make it empty */
#define STRSAFE_NO_TRUNCATION 0x00001000    /* leave it as it was, rather than cut */
#define STRSAFE_FILL_BYTE(Byte) ((ULONG)(((Byte)&0xFF) | STRSAFE_FILL_BEHIND_NULL))
#define STRSAFE_FAILURE_BYTE(Byte) ((ULONG)(((Byte)&0xFF) | STRSAFE_FILL_ON_FAILURE))

/* The Ex forms answer where the terminator is and how much is left from there on. */
NTSTATUS RtlStringCchCopyExA(PSTR Dest, size_t CchDest, PCSTR Source, PSTR *End, size_t *Left,
                             ULONG Flags);
NTSTATUS RtlStringCchCopyNExA(PSTR Dest, size_t CchDest, PCSTR Source, size_t CchToCopy, PSTR *End,
                              size_t *Left, ULONG Flags);
NTSTATUS RtlStringCchCatExA(PSTR Dest, size_t CchDest, PCSTR Source, PSTR *End, size_t *Left,
                            ULONG Flags);
NTSTATUS RtlStringCchCatNA(PSTR Dest, size_t CchDest, PCSTR Source, size_t CchToAppend);
NTSTATUS RtlStringCchCatNExA(PSTR Dest, size_t CchDest, PCSTR Source, size_t CchToAppend, PSTR *End,
                             size_t *Left, ULONG Flags);
NTSTATUS RtlStringCchPrintfExA(PSTR Dest, size_t CchDest, PSTR *End, size_t *Left, ULONG Flags,
                               PCSTR Format, ...);
NTSTATUS RtlStringCchVPrintfExA(PSTR Dest, size_t CchDest, PSTR *End, size_t *Left, ULONG Flags,
                                PCSTR Format, va_list Arguments);
NTSTATUS RtlStringCchCopyExW(PWSTR Dest, size_t CchDest, PCWSTR Source, PWSTR *End, size_t *Left,
                             ULONG Flags);
NTSTATUS RtlStringCchCopyNExW(PWSTR Dest, size_t CchDest, PCWSTR Source, size_t CchToCopy,
                              PWSTR *End, size_t *Left, ULONG Flags);
NTSTATUS RtlStringCchCatExW(PWSTR Dest, size_t CchDest, PCWSTR Source, PWSTR *End, size_t *Left,
                            ULONG Flags);
NTSTATUS RtlStringCchCatNW(PWSTR Dest, size_t CchDest, PCWSTR Source, size_t CchToAppend);
NTSTATUS RtlStringCchCatNExW(PWSTR Dest, size_t CchDest, PCWSTR Source, size_t CchToAppend,
                             PWSTR *End, size_t *Left, ULONG Flags);
NTSTATUS RtlStringCchPrintfExW(PWSTR Dest, size_t CchDest, PWSTR *End, size_t *Left, ULONG Flags,
                               PCWSTR Format, ...);
NTSTATUS RtlStringCchVPrintfExW(PWSTR Dest, size_t CchDest, PWSTR *End, size_t *Left, ULONG Flags,
                                PCWSTR Format, va_list Arguments);
NTSTATUS RtlStringCbCopyExA(PSTR Dest, size_t CbDest, PCSTR Source, PSTR *End, size_t *Left,
                            ULONG Flags);
NTSTATUS RtlStringCbCopyNExA(PSTR Dest, size_t CbDest, PCSTR Source, size_t CbToCopy, PSTR *End,
                             size_t *Left, ULONG Flags);
NTSTATUS RtlStringCbCatExA(PSTR Dest, size_t CbDest, PCSTR Source, PSTR *End, size_t *Left,
                           ULONG Flags);
NTSTATUS RtlStringCbCatNA(PSTR Dest, size_t CbDest, PCSTR Source, size_t CbToAppend);
NTSTATUS RtlStringCbCatNExA(PSTR Dest, size_t CbDest, PCSTR Source, size_t CbToAppend, PSTR *End,
                            size_t *Left, ULONG Flags);
NTSTATUS RtlStringCbPrintfExA(PSTR Dest, size_t CbDest, PSTR *End, size_t *Left, ULONG Flags,
                              PCSTR Format, ...);
NTSTATUS RtlStringCbVPrintfExA(PSTR Dest, size_t CbDest, PSTR *End, size_t *Left, ULONG Flags,
                               PCSTR Format, va_list Arguments);
NTSTATUS RtlStringCbCopyExW(PWSTR Dest, size_t CbDest, PCWSTR Source, PWSTR *End, size_t *Left,
                            ULONG Flags);
NTSTATUS RtlStringCbCopyNExW(PWSTR Dest, size_t CbDest, PCWSTR Source, size_t CbToCopy, PWSTR *End,
                             size_t *Left, ULONG Flags);
NTSTATUS RtlStringCbCatExW(PWSTR Dest, size_t CbDest, PCWSTR Source, PWSTR *End, size_t *Left,
                           ULONG Flags);
NTSTATUS RtlStringCbCatNW(PWSTR Dest, size_t CbDest, PCWSTR Source, size_t CbToAppend);
NTSTATUS RtlStringCbCatNExW(PWSTR Dest, size_t CbDest, PCWSTR Source, size_t CbToAppend, PWSTR *End,
                            size_t *Left, ULONG Flags);
NTSTATUS RtlStringCbPrintfExW(PWSTR Dest, size_t CbDest, PWSTR *End, size_t *Left, ULONG Flags,
                              PCWSTR Format, ...);
NTSTATUS RtlStringCbVPrintfExW(PWSTR Dest, size_t CbDest, PWSTR *End, size_t *Left, ULONG Flags,
                               PCWSTR Format, va_list Arguments);
NTSTATUS RtlStringCchCopyUnicodeString(PWSTR Dest, size_t CchDest, PCUNICODE_STRING Source);
NTSTATUS RtlStringCbCopyUnicodeString(PWSTR Dest, size_t CbDest, PCUNICODE_STRING Source);
NTSTATUS RtlUnicodeStringCat(PUNICODE_STRING Dest, PCUNICODE_STRING Source);
NTSTATUS RtlUnicodeStringValidate(PCUNICODE_STRING Source);
NTSTATUS RtlUnicodeStringCchCopyN(PUNICODE_STRING Dest, PCUNICODE_STRING Source, size_t CchLimit);
NTSTATUS RtlUnicodeStringCchCopyStringN(PUNICODE_STRING Dest, PCWSTR Source, size_t CchLimit);
NTSTATUS RtlUnicodeStringCchCatN(PUNICODE_STRING Dest, PCUNICODE_STRING Source, size_t CchLimit);
NTSTATUS RtlUnicodeStringCchCatStringN(PUNICODE_STRING Dest, PCWSTR Source, size_t CchLimit);
NTSTATUS RtlUnicodeStringCbCopyN(PUNICODE_STRING Dest, PCUNICODE_STRING Source, size_t CbLimit);
NTSTATUS RtlUnicodeStringCbCopyStringN(PUNICODE_STRING Dest, PCWSTR Source, size_t CbLimit);
NTSTATUS RtlUnicodeStringCbCatN(PUNICODE_STRING Dest, PCUNICODE_STRING Source, size_t CbLimit);
NTSTATUS RtlUnicodeStringCbCatStringN(PUNICODE_STRING Dest, PCWSTR Source, size_t CbLimit);

KIT_END

#endif /* KIT_NTSTRSAFE_H */
