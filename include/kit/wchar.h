/* wchar.h: text of 16-bit characters, ended by one that is 0. */
#ifndef KIT_WCHAR_H
#define KIT_WCHAR_H

#include "kit_compiler.h"
#include "stdarg.h"
#include "stddef.h"

KIT_BEGIN

typedef wchar_t wint_t;

size_t wcslen(const wchar_t *Text) KIT_SYMBOL(vidmm_kit_wcslen);
size_t wcsnlen(const wchar_t *Text, size_t Limit) KIT_SYMBOL(vidmm_kit_wcsnlen);
int wcscmp(const wchar_t *A, const wchar_t *B) KIT_SYMBOL(vidmm_kit_wcscmp);
int wcsncmp(const wchar_t *A, const wchar_t *B, size_t Limit) KIT_SYMBOL(vidmm_kit_wcsncmp);
int _wcsicmp(const wchar_t *A, const wchar_t *B) KIT_SYMBOL(vidmm_kit_wcsicmp);
int _wcsnicmp(const wchar_t *A, const wchar_t *B, size_t Limit) KIT_SYMBOL(vidmm_kit_wcsnicmp);
wchar_t *wcscpy(wchar_t *To, const wchar_t *From) KIT_SYMBOL(vidmm_kit_wcscpy);
wchar_t *wcsncpy(wchar_t *To, const wchar_t *From, size_t Limit) KIT_SYMBOL(vidmm_kit_wcsncpy);
wchar_t *wcscat(wchar_t *To, const wchar_t *From) KIT_SYMBOL(vidmm_kit_wcscat);
wchar_t *wcschr(const wchar_t *Text, wchar_t Character) KIT_SYMBOL(vidmm_kit_wcschr);
wchar_t *wcsrchr(const wchar_t *Text, wchar_t Character) KIT_SYMBOL(vidmm_kit_wcsrchr);
wchar_t *wcsstr(const wchar_t *Text, const wchar_t *Part) KIT_SYMBOL(vidmm_kit_wcsstr);
wchar_t *wcsncat(wchar_t *To, const wchar_t *From, size_t Limit) KIT_SYMBOL(vidmm_kit_wcsncat);
size_t wcsspn(const wchar_t *Text, const wchar_t *Set) KIT_SYMBOL(vidmm_kit_wcsspn);
unsigned int towupper(unsigned int Character) KIT_SYMBOL(vidmm_kit_towupper);
unsigned int towlower(unsigned int Character) KIT_SYMBOL(vidmm_kit_towlower);
/* The _s kind: 0, or 22 (bad argument), 34 (too small; the text is empty then), 80 (cut). */
#define _TRUNCATE ((size_t)-1)
int wcscpy_s(wchar_t *To, size_t Size, const wchar_t *From) KIT_SYMBOL(vidmm_kit_wcscpy_s);
int wcscat_s(wchar_t *To, size_t Size, const wchar_t *From) KIT_SYMBOL(vidmm_kit_wcscat_s);
int wcsncpy_s(wchar_t *To, size_t Size, const wchar_t *From, size_t Limit)
    KIT_SYMBOL(vidmm_kit_wcsncpy_s);

/* Formatted: at most Limit characters; the count, or -1 if they are too few (then without a
 * terminator). The formats are those of DbgPrint: wdm_rtl.h. */
int _vsnwprintf(wchar_t *To, size_t Limit, const wchar_t *Format, va_list Arguments)
    KIT_SYMBOL(vidmm_kit_vsnwprintf);
int _snwprintf(wchar_t *To, size_t Limit, const wchar_t *Format, ...)
    KIT_SYMBOL(vidmm_kit_snwprintf);
int swprintf(wchar_t *To, const wchar_t *Format, ...) KIT_SYMBOL(vidmm_kit_swprintf);
/* To a buffer of Size characters; the count, or -1 if it does not fit. */
int swprintf_s(wchar_t *To, size_t Size, const wchar_t *Format, ...)
    KIT_SYMBOL(vidmm_kit_swprintf_s);
int vswprintf_s(wchar_t *To, size_t Size, const wchar_t *Format, va_list Arguments)
    KIT_SYMBOL(vidmm_kit_vswprintf_s);
int _snwprintf_s(wchar_t *To, size_t Size, size_t Limit, const wchar_t *Format, ...)
    KIT_SYMBOL(vidmm_kit_snwprintf_s);

KIT_END

#endif /* KIT_WCHAR_H */
