/* strsafe_ex.c: ntstrsafe.h's Ex forms, which answer where they ended and take flags; the forms
 * that append so many characters; and counted text. Built upon the plain forms (strsafe.c). */
#include "kit/state.h"

#include <kit/ntstrsafe.h>

static void put(void *text, size_t i, bool wide, WCHAR c)
{
    if (wide)
        ((WCHAR *)text)[i] = c;
    else
        ((char *)text)[i] = (char)c;
}

static size_t measure(const void *text, size_t limit, bool wide)
{
    size_t length = 0;

    while (length < limit &&
           (wide ? ((const WCHAR *)text)[length] != 0 : ((const char *)text)[length] != 0))
        length++;
    return length;
}

/* Give each of characters `from` .. size - 1 the byte in the flags. */
static void fill(void *text, size_t from, size_t size, bool wide, ULONG flags)
{
    size_t unit = wide ? 2 : 1;

    memset((char *)text + from * unit, (int)(flags & 0xFF), (size - from) * unit);
}

/* Do the rest that the flags ask for once the plain form has answered; `before`: how long the text
 * was. */
static NTSTATUS finish(NTSTATUS status, void *text, size_t size, bool wide, size_t before,
                       ULONG flags, size_t *length)
{
    bool failed = status != STATUS_SUCCESS;

    *length = 0;
    if (!text || size == 0)
        return status;
    if (failed && flags & STRSAFE_NO_TRUNCATION && before < size)
        put(text, before, wide, 0);
    if (failed && flags & STRSAFE_FILL_ON_FAILURE) {
        fill(text, 0, size, wide, flags);
        put(text, (flags & 0xFF) == 0 ? 0 : size - 1, wide, 0);
    }
    if (failed && flags & STRSAFE_NULL_ON_FAILURE)
        put(text, 0, wide, 0);
    *length = measure(text, size, wide);
    if (!failed && flags & STRSAFE_FILL_BEHIND_NULL && *length + 1 < size)
        fill(text, *length + 1, size, wide, flags);
    return status;
}

#define FINISH(Type, Wide, Before, Unit)                                                           \
    do {                                                                                           \
        status = finish(status, to, size, Wide, Before, flags, &length);                           \
        if (end)                                                                                   \
            *end = to ? to + length : NULL;                                                        \
        if (left)                                                                                  \
            *left = (size - length) * (Unit);                                                      \
        return status;                                                                             \
    } while (0)

/* Cch and Cb differ in what sizes count: Unit is 1, or a character's bytes. */
#define ROUTINES(Count, Suffix, Type, Wide, Unit)                                                  \
    NTSTATUS RtlString##Count##Copy##Ex##Suffix(Type *to, size_t size, const Type *from,           \
                                                Type **end, size_t *left, ULONG flags)             \
    {                                                                                              \
        static const Type none[1];                                                                 \
        size_t length;                                                                             \
        size /= (Unit);                                                                            \
        if (!from && flags & STRSAFE_IGNORE_NULLS)                                                 \
            from = none;                                                                           \
        NTSTATUS status = RtlStringCchCopy##Suffix(to, size, from);                                \
        FINISH(Type, Wide, 0, Unit);                                                               \
    }                                                                                              \
    NTSTATUS RtlString##Count##CopyNEx##Suffix(Type *to, size_t size, const Type *from,            \
                                               size_t limit, Type **end, size_t *left,             \
                                               ULONG flags)                                        \
    {                                                                                              \
        size_t length;                                                                             \
        size /= (Unit);                                                                            \
        NTSTATUS status = RtlStringCchCopyN##Suffix(to, size, from, from ? limit / (Unit) : 0);    \
        FINISH(Type, Wide, 0, Unit);                                                               \
    }                                                                                              \
    NTSTATUS RtlString##Count##CatN##Suffix(Type *to, size_t size, const Type *from, size_t limit) \
    {                                                                                              \
        size_t before = measure(to, size / (Unit), Wide);                                          \
        return RtlStringCchCopyN##Suffix(to + before, size / (Unit)-before, from, limit / (Unit)); \
    }                                                                                              \
    NTSTATUS RtlString##Count##CatNEx##Suffix(Type *to, size_t size, const Type *from,             \
                                              size_t limit, Type **end, size_t *left, ULONG flags) \
    {                                                                                              \
        size_t length, before = measure(to, size / (Unit), Wide);                                  \
        size /= (Unit);                                                                            \
        NTSTATUS status = RtlStringCchCopyN##Suffix(to + before, size - before, from,              \
                                                    from ? limit / (Unit) : 0);                    \
        FINISH(Type, Wide, before, Unit);                                                          \
    }                                                                                              \
    NTSTATUS RtlString##Count##CatEx##Suffix(Type *to, size_t size, const Type *from, Type **end,  \
                                             size_t *left, ULONG flags)                            \
    {                                                                                              \
        static const Type none[1];                                                                 \
        size_t length, before = measure(to, size / (Unit), Wide);                                  \
        size /= (Unit);                                                                            \
        if (!from && flags & STRSAFE_IGNORE_NULLS)                                                 \
            from = none;                                                                           \
        NTSTATUS status = RtlStringCchCat##Suffix(to, size, from);                                 \
        FINISH(Type, Wide, before, Unit);                                                          \
    }                                                                                              \
    NTSTATUS RtlString##Count##VPrintfEx##Suffix(Type *to, size_t size, Type **end, size_t *left,  \
                                                 ULONG flags, const Type *format, va_list list)    \
    {                                                                                              \
        size_t length;                                                                             \
        size /= (Unit);                                                                            \
        NTSTATUS status = RtlStringCchVPrintf##Suffix(to, size, format, list);                     \
        FINISH(Type, Wide, 0, Unit);                                                               \
    }                                                                                              \
    NTSTATUS RtlString##Count##PrintfEx##Suffix(Type *to, size_t size, Type **end, size_t *left,   \
                                                ULONG flags, const Type *format, ...)              \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        NTSTATUS status =                                                                          \
            RtlString##Count##VPrintfEx##Suffix(to, size, end, left, flags, format, list);         \
        va_end(list);                                                                              \
        return status;                                                                             \
    }
ROUTINES(Cch, A, char, false, 1)
ROUTINES(Cch, W, WCHAR, true, 1)
ROUTINES(Cb, A, char, false, sizeof(char))
ROUTINES(Cb, W, WCHAR, true, sizeof(WCHAR))

/* ---- counted text ---- */

NTSTATUS RtlStringCchCopyUnicodeString(PWSTR to, size_t size, PCUNICODE_STRING from)
{
    IRQL_MAX(PASSIVE_LEVEL);
    return RtlStringCchCopyNW(to, size, from->Buffer, from->Length / sizeof(WCHAR));
}

NTSTATUS RtlStringCbCopyUnicodeString(PWSTR to, size_t size, PCUNICODE_STRING from)
{
    IRQL_MAX(PASSIVE_LEVEL);
    return RtlStringCchCopyUnicodeString(to, size / sizeof(WCHAR), from);
}

/* Put up to `limit` characters behind the first `at` bytes. */
static NTSTATUS put_counted(PUNICODE_STRING to, USHORT at, const WCHAR *from, size_t limit)
{
    size_t room = (size_t)(to->MaximumLength - at) / sizeof(WCHAR);
    size_t length = limit < room ? limit : room;

    if (length)
        memmove((char *)to->Buffer + at, from, length * sizeof(WCHAR));
    to->Length = (USHORT)(at + length * sizeof(WCHAR));
    return length == limit ? STATUS_SUCCESS : STATUS_BUFFER_OVERFLOW;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

#define COUNTED(Count, Unit)                                                                       \
    NTSTATUS RtlUnicodeString##Count##CopyN(PUNICODE_STRING to, PCUNICODE_STRING from,             \
                                            size_t limit)                                          \
    {                                                                                              \
        return put_counted(to, 0, from->Buffer,                                                    \
                           least(limit / (Unit), from->Length / sizeof(WCHAR)));                   \
    }                                                                                              \
    NTSTATUS RtlUnicodeString##Count##CopyStringN(PUNICODE_STRING to, PCWSTR from, size_t limit)   \
    {                                                                                              \
        return put_counted(to, 0, from, measure(from, limit / (Unit), true));                      \
    }                                                                                              \
    NTSTATUS RtlUnicodeString##Count##CatN(PUNICODE_STRING to, PCUNICODE_STRING from,              \
                                           size_t limit)                                           \
    {                                                                                              \
        return put_counted(to, to->Length, from->Buffer,                                           \
                           least(limit / (Unit), from->Length / sizeof(WCHAR)));                   \
    }                                                                                              \
    NTSTATUS RtlUnicodeString##Count##CatStringN(PUNICODE_STRING to, PCWSTR from, size_t limit)    \
    {                                                                                              \
        return put_counted(to, to->Length, from, measure(from, limit / (Unit), true));             \
    }
COUNTED(Cch, 1)
COUNTED(Cb, sizeof(WCHAR))

NTSTATUS RtlUnicodeStringCat(PUNICODE_STRING to, PCUNICODE_STRING from)
{
    IRQL_MAX(PASSIVE_LEVEL);
    return put_counted(to, to->Length, from->Buffer, from->Length / sizeof(WCHAR));
}

NTSTATUS RtlUnicodeStringValidate(PCUNICODE_STRING text)
{
    IRQL_MAX(PASSIVE_LEVEL);
    bool good = text && text->Length % 2 == 0 && text->MaximumLength % 2 == 0 &&
                text->Length <= text->MaximumLength && (text->Buffer || text->MaximumLength == 0);

    return good ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}
