/* crt.c: routines of the C library that a kernel has too, where the host's do not do: 16-bit text,
 * the _s kind, numbers to text. A number's text is that of its unsigned value in another base than
 * 10.
 *
 * Source: the run-time library's reference; the list, "Kernel-mode routines exported by ntoskrnl".
 */
#include "kit/state.h"

enum { BAD = 22, TOO_SMALL = 34, TRUNCATED = 80 };
#define TRUNCATE ((size_t)-1) /* _TRUNCATE: text that does not fit is cut */

/* ---- 16-bit text ---- */

static size_t length_of(const WCHAR *text)
{
    size_t length = 0;

    while (text[length] != 0)
        length++;
    return length;
}

unsigned vidmm_kit_towupper(unsigned character);
unsigned vidmm_kit_towupper(unsigned character)
{
    return character >= 'a' && character <= 'z' ? character - 32 : character;
}

unsigned vidmm_kit_towlower(unsigned character);
unsigned vidmm_kit_towlower(unsigned character)
{
    return character >= 'A' && character <= 'Z' ? character + 32 : character;
}

WCHAR *vidmm_kit_wcsncat(WCHAR *to, const WCHAR *from, size_t limit);
WCHAR *vidmm_kit_wcsncat(WCHAR *to, const WCHAR *from, size_t limit)
{
    size_t at = length_of(to), i = 0;

    for (; i < limit && from[i] != 0; i++)
        to[at + i] = from[i];
    to[at + i] = 0;
    return to;
}

size_t vidmm_kit_wcsspn(const WCHAR *text, const WCHAR *set);
size_t vidmm_kit_wcsspn(const WCHAR *text, const WCHAR *set)
{
    size_t i = 0;

    for (; text[i] != 0; i++) {
        const WCHAR *at = set;
        while (*at != 0 && *at != text[i])
            at++;
        if (*at == 0)
            break;
    }
    return i;
}

/* `from`, up to `limit` characters of it, behind the first `at` of `to`. */
static int put(WCHAR *to, size_t at, size_t size, const WCHAR *from, size_t limit)
{
    size_t length = 0;

    if (to == NULL || size == 0 || from == NULL || at >= size) {
        if (to != NULL && size != 0)
            to[0] = 0;
        return BAD;
    }
    while (length < limit && from[length] != 0 && at + length < size)
        length++;
    if (at + length >= size) {
        if (limit != TRUNCATE) {
            to[0] = 0;
            return TOO_SMALL;
        }
        length = size - at - 1;
        limit = 0;
    }
    memcpy(to + at, from, length * sizeof(*to));
    to[at + length] = 0;
    return limit == 0 ? TRUNCATED : 0;
}

int vidmm_kit_wcscpy_s(WCHAR *to, size_t size, const WCHAR *from);
int vidmm_kit_wcscpy_s(WCHAR *to, size_t size, const WCHAR *from)
{
    return put(to, 0, size, from, TRUNCATE - 1);
}

int vidmm_kit_wcscat_s(WCHAR *to, size_t size, const WCHAR *from);
int vidmm_kit_wcscat_s(WCHAR *to, size_t size, const WCHAR *from)
{
    return put(to, to != NULL ? length_of(to) : 0, size, from, TRUNCATE - 1);
}

int vidmm_kit_wcsncpy_s(WCHAR *to, size_t size, const WCHAR *from, size_t limit);
int vidmm_kit_wcsncpy_s(WCHAR *to, size_t size, const WCHAR *from, size_t limit)
{
    if (limit == 0 && to != NULL && size > 0)
        return to[0] = 0;
    return put(to, 0, size, from, limit);
}

int vidmm_kit_strncpy_s(char *to, size_t size, const char *from, size_t limit);
int vidmm_kit_strncpy_s(char *to, size_t size, const char *from, size_t limit)
{
    if (to == NULL || size == 0 || from == NULL) {
        if (to != NULL && size != 0)
            to[0] = 0;
        return BAD;
    }
    size_t length = strnlen(from, limit < size ? limit : size);
    bool fits = length < size;
    if (!fits && limit == TRUNCATE)
        length = size - 1;
    else if (!fits)
        length = 0;
    memcpy(to, from, length);
    to[length] = 0;
    return fits ? 0 : limit == TRUNCATE ? TRUNCATED : TOO_SMALL;
}

/* ---- formatted, of the _s kind: the count; -1 where it does not fit ---- */

static int bounded(void *to, size_t size, size_t limit, bool wide, const void *format,
                   va_list arguments)
{
    size_t room = limit != TRUNCATE && limit + 1 < size ? limit + 1 : size;
    size_t length = vidmm_kit_format(to, room, wide, format, arguments);

    if (length < room)
        return (int)length;
    if (limit == TRUNCATE || room < size) /* cut, and said so */
        return -1;
    if (wide && size > 0)
        *(WCHAR *)to = 0;
    else if (size > 0)
        *(char *)to = 0;
    return -1;
}

int vidmm_kit_vsprintf_s(char *to, size_t size, const char *format, va_list arguments);
int vidmm_kit_vsprintf_s(char *to, size_t size, const char *format, va_list arguments)
{
    return bounded(to, size, TRUNCATE - 1, false, format, arguments);
}

int vidmm_kit_snprintf_s(char *to, size_t size, size_t limit, const char *format, ...);
int vidmm_kit_snprintf_s(char *to, size_t size, size_t limit, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = bounded(to, size, limit, false, format, arguments);
    va_end(arguments);
    return length;
}

int vidmm_kit_vsnprintf_s(char *to, size_t size, size_t limit, const char *format,
                          va_list arguments);
int vidmm_kit_vsnprintf_s(char *to, size_t size, size_t limit, const char *format,
                          va_list arguments)
{
    return bounded(to, size, limit, false, format, arguments);
}

int vidmm_kit_snwprintf_s(WCHAR *to, size_t size, size_t limit, const WCHAR *format, ...);
int vidmm_kit_snwprintf_s(WCHAR *to, size_t size, size_t limit, const WCHAR *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = bounded(to, size, limit, true, format, arguments);
    va_end(arguments);
    return length;
}

int vidmm_kit_swprintf_s(WCHAR *to, size_t size, const WCHAR *format, ...);
int vidmm_kit_swprintf_s(WCHAR *to, size_t size, const WCHAR *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = bounded(to, size, TRUNCATE - 1, true, format, arguments);
    va_end(arguments);
    return length;
}

int vidmm_kit_vswprintf_s(WCHAR *to, size_t size, const WCHAR *format, va_list arguments);
int vidmm_kit_vswprintf_s(WCHAR *to, size_t size, const WCHAR *format, va_list arguments)
{
    return bounded(to, size, TRUNCATE - 1, true, format, arguments);
}

/* ---- numbers: `long` has 32 bits there ---- */

static ULONG digit_of(WCHAR character)
{
    if (character >= '0' && character <= '9')
        return character - (ULONG)'0';
    if (character >= 'a' && character <= 'z')
        return character - (ULONG)'a' + 10;
    return character >= 'A' && character <= 'Z' ? character - (ULONG)'A' + 10 : 0xFF;
}

/* A number of at most `most`; *end: behind it. Text is read by get(). */
static uint64_t number(const void *text, bool wide, size_t *end, unsigned base, bool *negative,
                       uint64_t most)
{
#define AT(i) (wide ? ((const WCHAR *)text)[i] : (WCHAR)((const unsigned char *)text)[i])
    size_t i = 0, first;
    uint64_t value = 0;

    while (AT(i) == ' ' || (AT(i) >= '\t' && AT(i) <= '\r'))
        i++;
    *negative = AT(i) == '-';
    i += AT(i) == '-' || AT(i) == '+';
    if ((base == 0 || base == 16) && AT(i) == '0' && (AT(i + 1) | 0x20) == 'x' &&
        digit_of(AT(i + 2)) < 16) {
        base = 16;
        i += 2;
    }
    if (base == 0)
        base = AT(i) == '0' ? 8 : 10;
    for (first = i; digit_of(AT(i)) < base; i++)
        value = value > (most - digit_of(AT(i))) / base ? most : value * base + digit_of(AT(i));
    *end = i > first ? i : 0;
    return value;
#undef AT
}

static LONG signed_of(const void *text, bool wide, size_t *end, int base)
{
    bool negative;
    uint64_t value = number(text, wide, end, (unsigned)base, &negative, UINT32_MAX);
    uint64_t most = negative ? (uint64_t)INT32_MAX + 1 : INT32_MAX;

    value = value < most ? value : most;
    return (LONG)(negative ? -(int64_t)value : (int64_t)value);
}

static ULONG unsigned_of(const void *text, bool wide, size_t *end, int base)
{
    bool negative;
    ULONG value = (ULONG)number(text, wide, end, (unsigned)base, &negative, UINT32_MAX);

    return negative ? 0u - value : value;
}

#define NUMBERS(Name, Type, Character, Wide, Read)                                                 \
    Type vidmm_kit_##Name(const Character *text, Character **end, int base);                       \
    Type vidmm_kit_##Name(const Character *text, Character **end, int base)                        \
    {                                                                                              \
        size_t length;                                                                             \
        Type value = Read(text, Wide, &length, base);                                              \
        if (end != NULL)                                                                           \
            *end = (Character *)(uintptr_t)(text + length);                                        \
        return value;                                                                              \
    }
NUMBERS(strtol, LONG, char, false, signed_of)
NUMBERS(strtoul, ULONG, char, false, unsigned_of)
NUMBERS(wcstol, LONG, WCHAR, true, signed_of)
NUMBERS(wcstoul, ULONG, WCHAR, true, unsigned_of)

LONG vidmm_kit_atol(const char *text);
LONG vidmm_kit_atol(const char *text)
{
    size_t end;

    return signed_of(text, false, &end, 10);
}

int vidmm_kit_wtoi(const WCHAR *text);
int vidmm_kit_wtoi(const WCHAR *text)
{
    size_t end;

    return signed_of(text, true, &end, 10);
}

/* The digits of a value, into `to` of `size` bytes; 0, or why not. */
static int put_number(uint64_t value, bool negative, char *to, size_t size, int base)
{
    char digits[66];
    size_t count = 0;

    if (to == NULL || size == 0 || base < 2 || base > 36)
        return BAD;
    do {
        unsigned digit = (unsigned)(value % (unsigned)base);
        digits[count++] = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
        value /= (unsigned)base;
    } while (value != 0);
    if (negative)
        digits[count++] = '-';
    *to = 0;
    if (count >= size)
        return TOO_SMALL;
    for (size_t i = 0; i < count; i++)
        to[i] = digits[count - 1 - i];
    to[count] = 0;
    return 0;
}

int vidmm_kit_itoa_s(int value, char *to, size_t size, int base);
int vidmm_kit_itoa_s(int value, char *to, size_t size, int base)
{
    bool negative = value < 0 && base == 10;

    return put_number(negative ? (uint64_t) - (int64_t)value : (uint32_t)value, negative, to, size,
                      base);
}

char *vidmm_kit_itoa(int value, char *to, int base);
char *vidmm_kit_itoa(int value, char *to, int base)
{
    vidmm_kit_itoa_s(value, to, SIZE_MAX, base);
    return to;
}

char *vidmm_kit_ultoa(ULONG value, char *to, int base);
char *vidmm_kit_ultoa(ULONG value, char *to, int base)
{
    put_number(value, false, to, SIZE_MAX, base);
    return to;
}

/* ---- pseudo-random numbers: the same row in each run ---- */

static _Atomic unsigned seed = 1;

void vidmm_kit_srand(unsigned value);
void vidmm_kit_srand(unsigned value)
{
    seed = value;
}

int vidmm_kit_rand(void);
int vidmm_kit_rand(void)
{
    unsigned next = seed * 1103515245u + 12345u; /* C's own example of a generator */

    seed = next;
    return (int)(next >> 16 & 0x7FFF);
}
