/*
 * stdio.h: text by format, with the formats that drivers use (wdm_rtl.h tells them). No files.
 */
#ifndef KIT_STDIO_H
#define KIT_STDIO_H

#include "kit_compiler.h"
#include "stdarg.h"
#include "stddef.h"
#include "wchar.h"

KIT_BEGIN

/* Nobody has one; the name is there for declarations. */
typedef struct _KIT_FILE FILE;

/* At most Limit bytes; the count, or -1 if they are too few (then without a terminator). */
int _vsnprintf(char *To, size_t Limit, const char *Format, va_list Arguments)
    KIT_SYMBOL(vidmm_kit_vsnprintf);
int _snprintf(char *To, size_t Limit, const char *Format, ...) KIT_SYMBOL(vidmm_kit_snprintf);
/* As in C: always terminated; the count that all of it needs. */
int vsnprintf(char *To, size_t Size, const char *Format, va_list Arguments)
    KIT_SYMBOL(vidmm_kit_c_vsnprintf);
int snprintf(char *To, size_t Size, const char *Format, ...) KIT_SYMBOL(vidmm_kit_c_snprintf);
/* Without a limit; the count. */
int sprintf(char *To, const char *Format, ...) KIT_SYMBOL(vidmm_kit_sprintf);
int vsprintf(char *To, const char *Format, va_list Arguments) KIT_SYMBOL(vidmm_kit_vsprintf);
/* To a buffer of Size bytes; the count, or -1 and an empty text if it does not fit. */
int sprintf_s(char *To, size_t Size, const char *Format, ...) KIT_SYMBOL(vidmm_kit_sprintf_s);
int vsprintf_s(char *To, size_t Size, const char *Format, va_list Arguments)
    KIT_SYMBOL(vidmm_kit_vsprintf_s);
int _snprintf_s(char *To, size_t Size, size_t Limit, const char *Format, ...)
    KIT_SYMBOL(vidmm_kit_snprintf_s);
int _vsnprintf_s(char *To, size_t Size, size_t Limit, const char *Format, va_list Arguments)
    KIT_SYMBOL(vidmm_kit_vsnprintf_s);
/* To the debugger, as DbgPrint. */
int printf(const char *Format, ...) KIT_SYMBOL(vidmm_kit_printf);

KIT_END

#endif /* KIT_STDIO_H */
