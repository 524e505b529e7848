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

KIT_END

#endif /* KIT_NTSTRSAFE_H */
