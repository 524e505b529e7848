/* ring_hw.h: the GPU, as its manual would describe it.
 *
 *     PCI 0x1234:0x5249     BAR 0   4 KiB of registers, 32 bits each unless said otherwise
 *                           BAR 2   the GPU's memory; behind its end, nothing
 *     interrupt             one message
 *
 * The GPU has one address space, in which it finds its own memory and a table of system pages:
 *
 *     0x1_0000_0000  memory     byte for byte what BAR 2 shows to the CPU
 *     0x2_0000_0000  aperture   page n is the page frame that entry n of the aperture's table names
 *
 * Work is a ring of entries in system memory, each of which names a DMA buffer. The driver writes
 * entries and moves the tail; the GPU executes them in order and moves the head. Behind each entry
 * the GPU stores its fence id and interrupts.
 *
 *        head --> [ entry | entry |  ...  ] <-- tail
 *                     |
 *                     +--> DMA buffer: command, command, ...
 */
#ifndef RING_HW_H
#define RING_HW_H

#include <stdint.h>

enum { RING_VENDOR = 0x1234, RING_DEVICE = 0x5249 };

/* Registers: offsets in BAR 0. */
enum {
    RING_ID = 0x00,          /* reads RING_ID_VALUE */
    RING_CONTROL = 0x04,     /* RING_CONTROL_... */
    RING_STATUS = 0x08,      /* RING_STATUS_...; writing ones clears them */
    RING_BASE = 0x10,        /* 64 bits: physical address of the ring */
    RING_SIZE = 0x18,        /* entries of the ring */
    RING_HEAD = 0x1C,        /* the entry that is executed next; read only */
    RING_TAIL = 0x20,        /* the entry behind the last; writing it starts the GPU */
    RING_FENCE = 0x24,       /* the fence id of the last entry that is done */
    RING_WHY = 0x28,         /* after an error: the offset of the command, read only */
    RING_MEMORY = 0x2C,      /* pages of memory; read only */
    RING_REGISTERS = 0x1000, /* bytes of BAR 0 */
    RING_ID_VALUE = 0x474E4952
};

enum {
    RING_CONTROL_RUN = 1,  /* execute */
    RING_CONTROL_STOP = 2, /* finish the entry that is being executed, then stop and interrupt */
    RING_CONTROL_RESET = 4 /* forget the ring; the aperture's table and memory stay */
};

enum {
    RING_STATUS_DONE = 1,    /* an entry is done */
    RING_STATUS_STOPPED = 2, /* it stopped, as it was told to */
    RING_STATUS_ERROR = 4    /* a command could not be executed; it stopped */
};

struct ring_entry {
    uint64_t address; /* physical, of the first command */
    uint32_t bytes;   /* to behind the last; 0: there is only the fence */
    uint32_t fence;
};

/* Addresses. */
#define RING_MEMORY_BASE UINT64_C(0x100000000)
#define RING_APERTURE_BASE UINT64_C(0x200000000)
#define RING_APERTURE_PAGES 262144u /* 1 GiB */
#define RING_PAGE 4096u

/* Commands: a header, and behind it a list of physical addresses of pages where the command says
 * so. `first` and `second` are addresses of the GPU's unless said otherwise. */
enum ring_opcode {
    RING_NOP,
    RING_READ,     /* read `count` bytes from `first`, and do nothing with them */
    RING_FILL,     /* fill `count` bytes at `first` with the low 32 bits of `second` */
    RING_COPY,     /* copy `count` bytes to `first` from `second` */
    RING_COPY_IN,  /* copy `count` bytes to `first` from the pages of the list */
    RING_COPY_OUT, /* copy `count` bytes from `first` to the pages of the list */
    RING_MAP,      /* aperture pages from number `first` on show the `count` pages of the list */
    RING_UNMAP     /* `count` aperture pages from number `first` on show the page at `second` */
};

struct ring_command {
    uint32_t opcode;
    uint32_t bytes; /* of header and list */
    uint64_t first, second, count;
};

#endif
