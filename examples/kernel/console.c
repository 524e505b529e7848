/* console.c: words on the serial port, exceptions, and the end. */
#include "kernel.h"

#include <stdarg.h>
#include <stdio.h>

enum { SERIAL = 0x3F8, LINE_STATUS = SERIAL + 5, CAN_SEND = 0x20, DEBUG_EXIT = 0xF4 };

static void put(char c)
{
    while ((kernel_in(LINE_STATUS) & CAN_SEND) == 0)
        ;
    kernel_out(SERIAL, (uint8_t)c);
}

static void put_text(const char *format, va_list arguments)
{
    char text[512];

    vsnprintf(text, sizeof(text), format, arguments); /* library.c */
    for (const char *at = text; *at; at++)
        put(*at);
}

void kernel_print(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    put_text(format, arguments);
    va_end(arguments);
}

_Noreturn void kernel_exit(unsigned code)
{
    kernel_out(DEBUG_EXIT, (uint8_t)code);
    for (;;)
        __asm__ volatile("cli; hlt");
}

_Noreturn void kernel_stop(const char *format, ...)
{
    va_list arguments;

    kernel_print("the kernel stops: ");
    va_start(arguments, format);
    put_text(format, arguments);
    va_end(arguments);
    kernel_print("\n");
    kernel_exit(2);
}

/* ---- exceptions ------------------------------------------------------------------------------ */

/* As boot.S and the processor leave it on the stack. */
struct exception {
    uint64_t vector, error, rip, cs, flags, rsp, ss;
};

_Noreturn void kernel_exception(const struct exception *exception);

_Noreturn void kernel_exception(const struct exception *exception)
{
    uint64_t address;

    __asm__("mov %%cr2, %0" : "=r"(address));
    kernel_stop("exception %u at 0x%llx, error 0x%llx, address 0x%llx", (unsigned)exception->vector,
                (unsigned long long)exception->rip, (unsigned long long)exception->error,
                (unsigned long long)address);
}

void kernel_exceptions_begin(void);

extern const uint8_t exception_entries[32][16];

void kernel_exceptions_begin(void)
{
    static struct {
        uint16_t low, selector, kind, middle;
        uint32_t high, reserved;
    } gates[32];
    const struct __attribute__((packed)) {
        uint16_t limit;
        uint64_t base;
    } table = {sizeof(gates) - 1, (uint64_t)(uintptr_t)gates};

    for (unsigned i = 0; i < 32; i++) {
        uint64_t entry = (uint64_t)(uintptr_t)exception_entries[i];

        gates[i].low = (uint16_t)entry;
        gates[i].selector = 8;
        gates[i].kind = 0x8E00; /* present, an interrupt gate */
        gates[i].middle = (uint16_t)(entry >> 16);
        gates[i].high = (uint32_t)(entry >> 32);
    }
    __asm__ volatile("lidt %0" ::"m"(table));
}
