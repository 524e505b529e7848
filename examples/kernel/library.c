/* library.c: what a kernel without a C library supplies to softgpu and to GCC.
 *
 * The manager itself calls memcpy, memset and memmove, and nothing else. The software GPU is a
 * program of POSIX: it takes memory by malloc, prints reasons by snprintf, and reads a clock. A
 * kernel with a GPU and a miniport of its own needs the first three alone.
 */
#include "kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes: the compiler calls these too ----------------------------------------------------- */

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    void *start = to;

    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size)::"memory");
    return start;
}

void *memset(void *to, int value, size_t size)
{
    void *start = to;

    __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
    return start;
}

void *memmove(void *to, const void *from, size_t size)
{
    char *last_to = (char *)to + size - 1;
    const char *last_from = (const char *)from + size - 1;

    if ((uintptr_t)to - (uintptr_t)from >= size)
        return memcpy(to, from, size);
    __asm__ volatile("std; rep movsb; cld" : "+D"(last_to), "+S"(last_from), "+c"(size)::"memory");
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *left = a, *right = b;

    for (size_t i = 0; i < size; i++)
        if (left[i] != right[i])
            return left[i] - right[i];
    return 0;
}

/* clang asks for this where only equality matters. */
int bcmp(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size);
}

/* ---- words ----------------------------------------------------------------------------------- */

size_t strlen(const char *text)
{
    size_t length = 0;

    while (text[length])
        length++;
    return length;
}

int strcmp(const char *a, const char *b)
{
    for (; *a && *a == *b; a++, b++)
        ;
    return (unsigned char)*a - (unsigned char)*b;
}

char *strchr(const char *text, int c)
{
    for (; *text != (char)c; text++)
        if (*text == 0)
            return NULL;
    return (char *)(uintptr_t)text;
}

size_t strcspn(const char *text, const char *set)
{
    size_t length = 0;

    while (text[length] && !strchr(set, text[length]))
        length++;
    return length;
}

/* ---- printing -------------------------------------------------------------------------------- */

struct printer {
    char *to;
    size_t size, length;
};

static void emit(struct printer *printer, char c)
{
    if (printer->length + 1 < printer->size)
        printer->to[printer->length] = c;
    printer->length++;
}

struct conversion {
    unsigned width, precision, longs;
    bool zeros, has_precision;
};

static void emit_number(struct printer *printer, unsigned long long number, unsigned base,
                        bool negative, const struct conversion *c)
{
    char digits[24];
    unsigned count = 0, length;

    do {
        digits[count++] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number != 0);
    length = count + negative;
    for (; !c->zeros && length < c->width; length++)
        emit(printer, ' ');
    if (negative)
        emit(printer, '-');
    for (; c->zeros && length < c->width; length++)
        emit(printer, '0');
    while (count > 0)
        emit(printer, digits[--count]);
}

static void emit_text(struct printer *printer, const char *text, const struct conversion *c)
{
    size_t length = 0;

    while (text[length] && (!c->has_precision || length < c->precision))
        length++;
    for (size_t i = length; i < c->width; i++)
        emit(printer, ' ');
    for (size_t i = 0; i < length; i++)
        emit(printer, text[i]);
}

/* The digits of a width or a precision; '*' takes it from the arguments. */
static const char *read_count(const char *at, unsigned *count, va_list *arguments)
{
    if (*at == '*') {
        *count = (unsigned)va_arg(*arguments, int);
        return at + 1;
    }
    for (; *at >= '0' && *at <= '9'; at++)
        *count = *count * 10 + (unsigned)(*at - '0');
    return at;
}

static const char *read_conversion(const char *at, struct conversion *c, va_list *arguments)
{
    *c = (struct conversion){0};
    if (*at == '0')
        c->zeros = true;
    at = read_count(at, &c->width, arguments);
    if (*at == '.') {
        c->has_precision = true;
        at = read_count(at + 1, &c->precision, arguments);
    }
    for (; *at == 'l' || *at == 'z'; at++)
        c->longs++;
    return at;
}

static unsigned long long take_number(const struct conversion *c, va_list *arguments)
{
    return c->longs ? va_arg(*arguments, unsigned long) : va_arg(*arguments, unsigned);
}

/* The conversions that softgpu and this kernel use; another one is printed as it stands. */
static void convert(struct printer *printer, char kind, const struct conversion *c,
                    va_list *arguments)
{
    long long number;

    switch (kind) {
    case 's':
        emit_text(printer, va_arg(*arguments, const char *), c);
        break;
    case 'c':
        emit(printer, (char)va_arg(*arguments, int));
        break;
    case 'u':
        emit_number(printer, take_number(c, arguments), 10, false, c);
        break;
    case 'x':
        emit_number(printer, take_number(c, arguments), 16, false, c);
        break;
    case 'd':
        number = c->longs ? va_arg(*arguments, long) : va_arg(*arguments, int);
        emit_number(printer,
                    number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number, 10,
                    number < 0, c);
        break;
    default:
        emit(printer, '%');
        if (kind && kind != '%')
            emit(printer, kind);
        break;
    }
}

int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list arguments)
{
    struct printer printer = {to, size, 0};
    struct conversion c;
    va_list rest;

    va_copy(rest, arguments);
    for (; *format; format++) {
        if (*format != '%') {
            emit(&printer, *format);
            continue;
        }
        format = read_conversion(format + 1, &c, &rest);
        convert(&printer, *format, &c, &rest);
        if (*format == 0)
            break;
    }
    va_end(rest);
    if (size > 0)
        to[printer.length < size ? printer.length : size - 1] = 0;
    return (int)printer.length;
}

int snprintf(char *restrict to, size_t size, const char *restrict format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(to, size, format, arguments);
    va_end(arguments);
    return length;
}

/* ---- memory, time, and others ---------------------------------------------------------------- */

void *malloc(size_t size)
{
    return kernel_allocate(size);
}

void *calloc(size_t count, size_t size)
{
    return size != 0 && count > SIZE_MAX / size ? NULL : kernel_allocate(count * size);
}

void free(void *block)
{
    kernel_free(block);
}
