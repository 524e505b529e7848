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

/* Formatted: at most Limit characters; the count, or -1 if they are too few (then without a
 * terminator). The formats are those of DbgPrint: wdm_rtl.h. */
int _vsnwprintf(wchar_t *To, size_t Limit, const wchar_t *Format, va_list Arguments)
    KIT_SYMBOL(vidmm_kit_vsnwprintf);
int _snwprintf(wchar_t *To, size_t Limit, const wchar_t *Format, ...)
    KIT_SYMBOL(vidmm_kit_snwprintf);
int swprintf(wchar_t *To, const wchar_t *Format, ...) KIT_SYMBOL(vidmm_kit_swprintf);

KIT_END

#endif /* KIT_WCHAR_H */
