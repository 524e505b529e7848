/* strsafe.c: formatting and copying into room that is known: ntstrsafe.h, and stdio.h's and
 * string.h's share of it. */
#include "kit/state.h"

#include <kit/ntstrsafe.h>

/* ---- stdio.h, wchar.h ---- */

#define FORMAT(to, size, wide, format)                                                             \
    va_list arguments;                                                                             \
    va_start(arguments, format);                                                                   \
    size_t length = vidmm_kit_format((to), (size), (wide), (format), arguments);                   \
    va_end(arguments)

/* The older kind: no terminator where all characters are taken, and -1 where they are too few. */
static int bounded(void *to, size_t limit, bool wide, const void *format, va_list arguments)
{
    size_t length = vidmm_kit_format(NULL, 0, wide, format, arguments), unit = wide ? 2 : 1;
    void *all = malloc((length + 1) * unit);

    if (!all)
        return -1;
    vidmm_kit_format(all, length + 1, wide, format, arguments);
    memcpy(to, all, (length < limit ? length + 1 : limit) * unit);
    free(all);
    return length <= limit ? (int)length : -1;
}

int vidmm_kit_vsnprintf(char *to, size_t limit, const char *format, va_list arguments);
int vidmm_kit_vsnprintf(char *to, size_t limit, const char *format, va_list arguments)
{
    return bounded(to, limit, false, format, arguments);
}

int vidmm_kit_snprintf(char *to, size_t limit, const char *format, ...);
int vidmm_kit_snprintf(char *to, size_t limit, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = bounded(to, limit, false, format, arguments);
    va_end(arguments);
    return length;
}

int vidmm_kit_c_vsnprintf(char *to, size_t size, const char *format, va_list arguments);
int vidmm_kit_c_vsnprintf(char *to, size_t size, const char *format, va_list arguments)
{
    return (int)vidmm_kit_format(to, size, false, format, arguments);
}

int vidmm_kit_c_snprintf(char *to, size_t size, const char *format, ...);
int vidmm_kit_c_snprintf(char *to, size_t size, const char *format, ...)
{
    FORMAT(to, size, false, format);
    return (int)length;
}

int vidmm_kit_sprintf(char *to, const char *format, ...);
int vidmm_kit_sprintf(char *to, const char *format, ...)
{
    FORMAT(to, SIZE_MAX / 4, false, format);
    return (int)length;
}

int vidmm_kit_vsprintf(char *to, const char *format, va_list arguments);
int vidmm_kit_vsprintf(char *to, const char *format, va_list arguments)
{
    return (int)vidmm_kit_format(to, SIZE_MAX / 4, false, format, arguments);
}

int vidmm_kit_sprintf_s(char *to, size_t size, const char *format, ...);
int vidmm_kit_sprintf_s(char *to, size_t size, const char *format, ...)
{
    FORMAT(to, size, false, format);
    if (length < size)
        return (int)length;
    if (size)
        *to = 0;
    return -1;
}

int vidmm_kit_printf(const char *format, ...);
int vidmm_kit_printf(const char *format, ...)
{
    char text[512];

    FORMAT(text, sizeof(text), false, format);
    vidmm_kit_print(text);
    return (int)length;
}

int vidmm_kit_snwprintf(WCHAR *to, size_t limit, const WCHAR *format, ...);
int vidmm_kit_snwprintf(WCHAR *to, size_t limit, const WCHAR *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = bounded(to, limit, true, format, arguments);
    va_end(arguments);
    return length;
}

int vidmm_kit_vsnwprintf(WCHAR *to, size_t limit, const WCHAR *format, va_list arguments);
int vidmm_kit_vsnwprintf(WCHAR *to, size_t limit, const WCHAR *format, va_list arguments)
{
    return bounded(to, limit, true, format, arguments);
}

int vidmm_kit_swprintf(WCHAR *to, const WCHAR *format, ...);
int vidmm_kit_swprintf(WCHAR *to, const WCHAR *format, ...)
{
    FORMAT(to, SIZE_MAX / 4, true, format);
    return (int)length;
}

/* ---- ntstrsafe.h: one routine for both widths; sizes are characters ---- */

static NTSTATUS print(void *to, size_t size, bool wide, const void *format, va_list arguments)
{
    if (size == 0 || size > NTSTRSAFE_MAX_CCH)
        return STATUS_INVALID_PARAMETER;
    return vidmm_kit_format(to, size, wide, format, arguments) < size ? STATUS_SUCCESS
                                                                      : STATUS_BUFFER_OVERFLOW;
}

static WCHAR get(const void *text, size_t i, bool wide)
{
    return wide ? ((const WCHAR *)text)[i] : (WCHAR)((const unsigned char *)text)[i];
}

static void set(void *text, size_t i, bool wide, WCHAR c)
{
    if (wide)
        ((WCHAR *)text)[i] = c;
    else
        ((char *)text)[i] = (char)c;
}

static NTSTATUS copy(void *to, size_t at, size_t size, bool wide, const void *from, size_t limit)
{
    if (size == 0 || size > NTSTRSAFE_MAX_CCH || at >= size)
        return STATUS_INVALID_PARAMETER;
    for (size_t i = 0; i < limit && get(from, i, wide); i++) {
        if (at + 1 >= size) {
            set(to, at, wide, 0);
            return STATUS_BUFFER_OVERFLOW;
        }
        set(to, at++, wide, get(from, i, wide));
    }
    set(to, at, wide, 0);
    return STATUS_SUCCESS;
}

static size_t length_of(const void *text, size_t limit, bool wide)
{
    size_t length = 0;

    while (length < limit && get(text, length, wide))
        length++;
    return length;
}

static NTSTATUS measure(const void *text, size_t limit, bool wide, size_t *length)
{
    size_t found = text && limit <= NTSTRSAFE_MAX_CCH ? length_of(text, limit, wide) : limit;

    if (length)
        *length = found < limit ? found : 0;
    return found < limit ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

#define ROUTINES(Suffix, Type, Wide)                                                               \
    NTSTATUS RtlStringCchVPrintf##Suffix(Type *to, size_t size, const Type *format, va_list list)  \
    {                                                                                              \
        return print(to, size, Wide, format, list);                                                \
    }                                                                                              \
    NTSTATUS RtlStringCbVPrintf##Suffix(Type *to, size_t size, const Type *format, va_list list)   \
    {                                                                                              \
        return print(to, size / sizeof(Type), Wide, format, list);                                 \
    }                                                                                              \
    NTSTATUS RtlStringCchPrintf##Suffix(Type *to, size_t size, const Type *format, ...)            \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        NTSTATUS status = print(to, size, Wide, format, list);                                     \
        va_end(list);                                                                              \
        return status;                                                                             \
    }                                                                                              \
    NTSTATUS RtlStringCbPrintf##Suffix(Type *to, size_t size, const Type *format, ...)             \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        NTSTATUS status = print(to, size / sizeof(Type), Wide, format, list);                      \
        va_end(list);                                                                              \
        return status;                                                                             \
    }                                                                                              \
    NTSTATUS RtlStringCchCopy##Suffix(Type *to, size_t size, const Type *from)                     \
    {                                                                                              \
        return copy(to, 0, size, Wide, from, SIZE_MAX);                                            \
    }                                                                                              \
    NTSTATUS RtlStringCbCopy##Suffix(Type *to, size_t size, const Type *from)                      \
    {                                                                                              \
        return copy(to, 0, size / sizeof(Type), Wide, from, SIZE_MAX);                             \
    }                                                                                              \
    NTSTATUS RtlStringCchCopyN##Suffix(Type *to, size_t size, const Type *from, size_t limit)      \
    {                                                                                              \
        return copy(to, 0, size, Wide, from, limit);                                               \
    }                                                                                              \
    NTSTATUS RtlStringCbCopyN##Suffix(Type *to, size_t size, const Type *from, size_t limit)       \
    {                                                                                              \
        return copy(to, 0, size / sizeof(Type), Wide, from, limit / sizeof(Type));                 \
    }                                                                                              \
    NTSTATUS RtlStringCchCat##Suffix(Type *to, size_t size, const Type *from)                      \
    {                                                                                              \
        return copy(to, length_of(to, size, Wide), size, Wide, from, SIZE_MAX);                    \
    }                                                                                              \
    NTSTATUS RtlStringCbCat##Suffix(Type *to, size_t size, const Type *from)                       \
    {                                                                                              \
        return RtlStringCchCat##Suffix(to, size / sizeof(Type), from);                             \
    }                                                                                              \
    NTSTATUS RtlStringCchLength##Suffix(const Type *text, size_t limit, size_t *length)            \
    {                                                                                              \
        return measure(text, limit, Wide, length);                                                 \
    }                                                                                              \
    NTSTATUS RtlStringCbLength##Suffix(const Type *text, size_t limit, size_t *length)             \
    {                                                                                              \
        NTSTATUS status = measure(text, limit / sizeof(Type), Wide, length);                       \
        if (length)                                                                                \
            *length *= sizeof(Type);                                                               \
        return status;                                                                             \
    }
ROUTINES(A, char, false)
ROUTINES(W, WCHAR, true)

/* ---- counted ---- */

NTSTATUS RtlUnicodeStringPrintf(PUNICODE_STRING to, PCWSTR format, ...)
{
    size_t room = to->MaximumLength / sizeof(WCHAR);
    WCHAR *text = calloc(room + 1, sizeof(WCHAR));

    IRQL_MAX(PASSIVE_LEVEL);
    if (!text)
        return STATUS_INSUFFICIENT_RESOURCES;
    FORMAT(text, room + 1, true, format);
    to->Length = (USHORT)((length < room ? length : room) * sizeof(WCHAR));
    memcpy(to->Buffer, text, to->Length);
    free(text);
    return length <= room ? STATUS_SUCCESS : STATUS_BUFFER_OVERFLOW;
}

NTSTATUS RtlUnicodeStringCopy(PUNICODE_STRING to, PCUNICODE_STRING from)
{
    IRQL_MAX(PASSIVE_LEVEL);
    RtlCopyUnicodeString(to, from);
    return to->Length == from->Length ? STATUS_SUCCESS : STATUS_BUFFER_OVERFLOW;
}

NTSTATUS RtlUnicodeStringCopyString(PUNICODE_STRING to, PCWSTR from)
{
    UNICODE_STRING counted;

    IRQL_MAX(PASSIVE_LEVEL);
    RtlInitUnicodeString(&counted, from);
    return RtlUnicodeStringCopy(to, &counted);
}

NTSTATUS RtlUnicodeStringCatString(PUNICODE_STRING to, PCWSTR from)
{
    UNICODE_STRING counted;

    IRQL_MAX(PASSIVE_LEVEL);
    RtlInitUnicodeString(&counted, from);
    return RtlUnicodeStringCat(to, &counted);
}
