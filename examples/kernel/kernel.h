/* kernel.h: the parts of the kernel, for each other.
 *
 *     boot.S --> main.c --> machine.c (what the manager asks for) --> memory.c (frames, addresses)
 *                                   library.c (what softgpu asks for)   console.c (words, the end)
 */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- console.c ------------------------------------------------------------------------------- */

/* Print to the first serial port: %s, %c, %u, %d, %x, with l, ll, z and widths, as printf has
 * them. */
__attribute__((format(printf, 1, 2))) void kernel_print(const char *format, ...);
/* Leave the emulator: its exit status is code * 2 + 1. On a machine without that device, halt. */
_Noreturn void kernel_exit(unsigned code);
/* Something is wrong that nobody can put right: say it, and leave. */
__attribute__((format(printf, 1, 2))) _Noreturn void kernel_stop(const char *format, ...);

static inline void kernel_out(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" ::"a"(value), "Nd"(port));
}

static inline uint8_t kernel_in(uint16_t port)
{
    uint8_t value;

    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

/* ---- memory.c -------------------------------------------------------------------------------- */

#define KERNEL_PAGE 4096u

/* Learn which memory there is, from what the boot loader left at `start_info`; false: it is not
 * there. All of it below 4 GiB is mapped at its own address by boot.S. */
bool kernel_memory_begin(uint64_t start_info);
/* Bytes of memory in all. */
uint64_t kernel_memory_size(void);

/* Take frames, and give them back; as vidmm_host.take_pages says. */
bool kernel_take_frames(uint64_t count, uint64_t highest, bool contiguous, uint64_t *frames);
void kernel_give_frames(uint64_t count, const uint64_t *frames);
/* Consecutive ones; the address of the first byte, 0: there are none. */
uint64_t kernel_take_run(uint64_t count);

/* The kernel's heap: zeroed, 16-byte aligned; NULL: no memory. */
void *kernel_allocate(size_t size);
void kernel_free(void *block);

/* Take addresses for `count` pages, which show nothing, and with which showing cannot fail; give
 * them back. NULL: no memory. */
void *kernel_take_addresses(uint64_t count);
void kernel_give_addresses(void *address, uint64_t count);
/* Show a frame there; hide what is shown. */
void kernel_show(void *address, uint64_t frame);
void kernel_hide(void *address);

/* The bytes of physical memory, where the kernel sees them. */
static inline void *kernel_at(uint64_t physical)
{
    return (void *)(uintptr_t)physical; /* boot.S: the same number */
}

/* ---- machine.c ------------------------------------------------------------------------------- */

struct vidmm_host;
struct vidmm_bus;
struct vidmm_device_model;

/* The machine's clock begins. */
void kernel_machine_begin(void);
/* The tables of the one slot, and the device in it. */
const struct vidmm_host *kernel_host(void);
const struct vidmm_bus *kernel_bus(void);
void kernel_plug(const struct vidmm_device_model *model);
/* Nanoseconds since kernel_machine_begin(). */
uint64_t kernel_now_ns(void);

#endif
