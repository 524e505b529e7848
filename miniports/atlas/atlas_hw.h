/* atlas_hw.h: the GPU, as its manual would describe it.
 *
 *     PCI 0x1234:0x4154     BAR 0   4 KiB of registers, 32 bits each unless said otherwise
 *                           BAR 2   the GPU's memory; behind its end, nothing
 *     interrupt             one message
 *
 * The GPU knows virtual addresses alone. Each entry of its ring names the root of the page tables
 * that hold for it; tables lie in the GPU's memory, one a page:
 *
 *     address   | 9 bits | 9 bits | 9 bits | 9 bits |   12 bits   |
 *                  root    level 2  level 1    leaf    in the page
 *
 *        head --> [ entry | entry |  ...  ] <-- tail
 *                     |
 *                     +--> root, commands: command, command, ...
 *
 * It keeps all that it has translated, until a command has it forget that root. Behind each entry
 * the GPU stores its fence id and interrupts.
 */
#ifndef ATLAS_HW_H
#define ATLAS_HW_H

#include <stdint.h>

enum { ATLAS_VENDOR = 0x1234, ATLAS_DEVICE = 0x4154 };

/* Registers: offsets in BAR 0. */
enum {
    ATLAS_ID = 0x00,          /* reads ATLAS_ID_VALUE */
    ATLAS_CONTROL = 0x04,     /* ATLAS_CONTROL_... */
    ATLAS_STATUS = 0x08,      /* ATLAS_STATUS_...; writing ones clears them */
    ATLAS_BASE = 0x10,        /* 64 bits: physical address of the ring */
    ATLAS_SIZE = 0x18,        /* entries of the ring */
    ATLAS_HEAD = 0x1C,        /* the entry that is executed next; read only */
    ATLAS_TAIL = 0x20,        /* the entry behind the last; writing it starts the GPU */
    ATLAS_FENCE = 0x24,       /* the fence id of the last entry that is done */
    ATLAS_WHY = 0x28,         /* after an error: the offset of the command, read only */
    ATLAS_MEMORY = 0x2C,      /* pages of memory; read only */
    ATLAS_REGISTERS = 0x1000, /* bytes of BAR 0 */
    ATLAS_ID_VALUE = 0x534C5441
};

enum {
    ATLAS_CONTROL_RUN = 1,  /* execute */
    ATLAS_CONTROL_STOP = 2, /* finish the entry that is being executed, then stop and interrupt */
    ATLAS_CONTROL_RESET = 4 /* forget the ring and all translations; memory stays */
};

enum {
    ATLAS_STATUS_DONE = 1,    /* an entry is done */
    ATLAS_STATUS_STOPPED = 2, /* it stopped, as it was told to */
    ATLAS_STATUS_ERROR = 4    /* a command could not be executed; it stopped */
};

enum {
    ATLAS_ENTRY_KERNEL = 1 /* the address is physical, and all commands are allowed */
};

struct atlas_entry {
    uint64_t address; /* of the first command: by the root, or physical */
    uint64_t root;    /* of the page tables: an offset in memory */
    uint32_t bytes;   /* to behind the last command; 0: there is only the fence */
    uint32_t fence;
    uint32_t flags; /* ATLAS_ENTRY_... */
    uint32_t reserved;
};

#define ATLAS_PAGE 4096u
#define ATLAS_LEVELS 4u
#define ATLAS_INDEX_BITS 9u
#define ATLAS_TABLE 512u /* entries of a table; 8 bytes each */

/* A word of a page table; the page or table is at its upper bits. */
#define ATLAS_PTE_VALID UINT64_C(1)
#define ATLAS_PTE_SYSTEM UINT64_C(2) /* a physical address; without it an offset in memory */
#define ATLAS_PTE_READ_ONLY UINT64_C(4)
#define ATLAS_PTE_ADDRESS (~(uint64_t)(ATLAS_PAGE - 1))

/* Commands. `first` and `second` are virtual addresses unless said otherwise. */
enum atlas_opcode {
    ATLAS_NOP,
    ATLAS_READ,        /* read `count` bytes from `first`, and do nothing with them */
    ATLAS_FILL,        /* fill `count` bytes at `first` with the low 32 bits of `second` */
    ATLAS_COPY,        /* copy `count` bytes to `first` from `second` */
    ATLAS_TABLE_WRITE, /* of the kernel: `count` words of a page table, at offset `first` of memory,
                        * are those behind the command; with `second` 1, all are the one there */
    ATLAS_FORGET       /* of the kernel: forget what was translated by the root at offset `first` */
};

struct atlas_command {
    uint32_t opcode;
    uint32_t bytes; /* of header and words */
    uint64_t first, second, count;
};

#endif
