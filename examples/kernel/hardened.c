/* hardened.c: what compilers call that harden by default, as those of some distributions do: a
 * check that a function's frame is whole, and forms of C functions that are told how much room
 * there is.
 *
 * The guard of a frame is the word at fs:0x28. Here fs begins at 0, so it is a word of low memory,
 * which nobody writes.
 */
#include "kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Noreturn void __stack_chk_fail(void)
{
    kernel_stop("a function has written past its frame");
}

static void fit(size_t size, size_t room)
{
    if (size > room)
        kernel_stop("%zu bytes go where there is room for %zu", size, room);
}

void *__memcpy_chk(void *to, const void *from, size_t size, size_t room)
{
    fit(size, room);
    return memcpy(to, from, size);
}

void *__memmove_chk(void *to, const void *from, size_t size, size_t room)
{
    fit(size, room);
    return memmove(to, from, size);
}

void *__memset_chk(void *to, int value, size_t size, size_t room)
{
    fit(size, room);
    return memset(to, value, size);
}

int __vsnprintf_chk(char *text, size_t size, int flag, size_t room, const char *format,
                    va_list arguments)
{
    (void)flag;
    fit(size, room);
    return vsnprintf(text, size, format, arguments);
}

int __snprintf_chk(char *text, size_t size, int flag, size_t room, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = __vsnprintf_chk(text, size, flag, room, format, arguments);
    va_end(arguments);
    return length;
}
