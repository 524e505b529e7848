/*
 * hardware.h: the registers and commands of the software GPU: all that its two halves share.
 *
 *     BAR 0   +-----------+---------+---------+--------+-------------+---------------+
 *             | registers | ring 0  | ring 1  | window | poison page | page table(s) |
 *             +-----------+---------+---------+--------+-------------+---------------+
 *     BAR 1   | bytes of memory segment | bytes of the next memory segment | ...     |
 *
 * BARs are powers of two, as PCI has them; the bytes behind the end of the last part are not used.
 *
 * The device fills the registers when it is made, and writes those marked so afterwards; the driver
 * finds its whole configuration there. Positions are bytes from the start of BAR 0.
 *
 * A submission is a packet: the driver writes it at its place in the ring of an engine and writes
 * the new count of packets to the engine's doorbell. Packets are counted, modulo 2^32, and
 * packet n lies at place n % slots; `queue` of them may be unfinished.
 *
 * The GPU names memory in three ways. A segment address (segment id not 0) is what the driver
 * reported as BaseAddress plus an offset; base addresses of segments never overlap, so an address
 * alone tells its segment. Segment id 0 means a physical address. And runs are lists of physical
 * page frames.
 */
#ifndef SOFTGPU_HARDWARE_H
#define SOFTGPU_HARDWARE_H

#include <stdint.h>

#include "softgpu/config.h"
#include "softgpu/softgpu.h"

#define SOFTGPU_VENDOR_ID 0x5650u
#define SOFTGPU_DEVICE_ID 0x0001u
#define SOFTGPU_REGISTERS_MAGIC 0x31555047464f5321u

#define SOFTGPU_PAGE_SHIFT 12u
#define SOFTGPU_REGISTERS_SIZE 8192u /* bytes of the registers, whole pages */
#define SOFTGPU_WINDOW_SIZE 65536u   /* bytes of the window, and of the longest command */

/* BaseAddress of segment id: each has 64 GiB of the GPU's addresses to itself. */
#define SOFTGPU_SEGMENT_BASE(id) ((uint64_t)(id) << 36)

/* ---- vendor words of the config space, 32 bits each ------------------------------------------ */

#define SOFTGPU_DOORBELL_SUBMIT(engine) (0x40u + 4u * (engine))  /* write: packets given so far */
#define SOFTGPU_DOORBELL_EXECUTE(engine) (0x60u + 4u * (engine)) /* so many; done on return */
#define SOFTGPU_DOORBELL_PREEMPT(engine) (0x80u + 4u * (engine)) /* write: packets given so far */
#define SOFTGPU_DOORBELL_RESET_ENGINE(engine) (0xc0u + 4u * (engine)) /* write 1: stop this one */
#define SOFTGPU_DOORBELL_POWER 0xa4u /* write: SOFTGPU_POWER_...; no engine runs */
#define SOFTGPU_DOORBELL_RANGE                                                                     \
    0xa8u                           /* write: a range, and SOFTGPU_RANGE_ON: set up; without: not */
#define SOFTGPU_DOORBELL_LOOK 0xacu /* write: engines that wait for a fence look again */
#define SOFTGPU_DOORBELL_HOST_PAGE 0xb0u /* write: a page of the host aperture: its entry changed */
#define SOFTGPU_DOORBELL_RESET 0xa0u     /* write 1: stop all engines, forget packets; 0: go on */

/* Power states. The device's memory and page tables survive them only as far as they are
 * preserved. */
#define SOFTGPU_POWER_ON 0u
#define SOFTGPU_POWER_OFF 1u
#define SOFTGPU_POWER_STANDBY 2u
#define SOFTGPU_POWER_HIBERNATE 3u

/* ---- registers ------------------------------------------------------------------------------- */

/* Constant. */
struct softgpu_segment_register {
    uint32_t kind;                /* enum softgpu_segment_kind */
    uint32_t flags;               /* SOFTGPU_SEGMENT_... */
    uint64_t base_address;        /* the GPU's */
    uint64_t cpu_address;         /* physical, of its first byte; 0: the CPU cannot reach it */
    uint64_t size;                /* bytes */
    uint64_t commit_limit;        /* bytes */
    uint64_t page_table;          /* position of its entries; aperture only */
    uint64_t preserved_end;       /* SystemMemoryEndAddress */
    uint64_t vpr_start, vpr_size; /* the protected range, from its start; 0 bytes: none */
    uint32_t bank_count, reserved;
    uint64_t bank_ends[SOFTGPU_BANKS]; /* bytes from its start */
};

#define SOFTGPU_SEGMENT_CPU_VISIBLE 0x1u
#define SOFTGPU_SEGMENT_CACHE_COHERENT 0x2u
#define SOFTGPU_SEGMENT_PITCH_ALIGNED 0x4u
#define SOFTGPU_SEGMENT_POPULATED 0x8u
#define SOFTGPU_SEGMENT_STANDBY 0x10u
#define SOFTGPU_SEGMENT_HIBERNATE 0x20u
#define SOFTGPU_SEGMENT_PARTLY 0x40u
#define SOFTGPU_SEGMENT_DIRECT_FLIP 0x80u
#define SOFTGPU_SEGMENT_HOST_CACHED 0x100u
#define SOFTGPU_SEGMENT_VPR_STANDBY 0x200u
#define SOFTGPU_SEGMENT_ENCRYPTED 0x400u /* EncryptedPagingSupported ... */
#define SOFTGPU_SEGMENT_CIPHER 0x800u    /* ... and it is true */

/*
 * In a pitch-aligned segment bytes lie in rows: 3072 of them at the beginning of each 4096, and
 * what is behind them in the row is nobody's.
 *
 *     | byte 0 .. 3071 |    | 3072 .. 6143 |    | 6144 ...
 *     +0                    +4096               +8192
 *
 * Every command goes by rows there: the address is that of the first byte, `bytes` counts bytes of
 * rows. A reader that takes the segment to be linear finds other bytes from the first row's end on.
 * Only a transfer whose place is raw (SOFTGPU_PLACE_RAW) copies the segment as it is, rows and what
 * is behind them.
 */
#define SOFTGPU_ROW 3072u
#define SOFTGPU_PITCH 4096u

/* Bytes from a row's beginning to byte `linear` of what begins there. */
static inline uint64_t softgpu_pitched(uint64_t linear)
{
    return linear / SOFTGPU_ROW * SOFTGPU_PITCH + linear % SOFTGPU_ROW;
}

/* Bytes of the segment that so many bytes take: whole rows. */
static inline uint64_t softgpu_pitched_size(uint64_t linear)
{
    return (linear + SOFTGPU_ROW - 1) / SOFTGPU_ROW * SOFTGPU_PITCH;
}

/*
 * A tiled allocation lies in tiles of 8 pages, the halves of each exchanged; tiles are counted from
 * the beginning of the segment. A reader that takes it to be linear finds no page where it looks
 * for it.
 *
 *     linear   | 0 1 2 3 | 4 5 6 7 | 8 9 ...
 *     tiled    | 4 5 6 7 | 0 1 2 3 | 12 13 ...
 *
 * A place is tiled if its segment says so (SOFTGPU_PLACE_TILED): the address then is that of the
 * byte in linear order. The GPU sees an allocation that is marked Swizzled in this order, wherever
 * it is; all of them are whole tiles.
 */
#define SOFTGPU_TILE (8u * 4096u)
#define SOFTGPU_PLACE_TILED 0x80000000u
#define SOFTGPU_PLACE_RAW 0x40000000u
#define SOFTGPU_PLACE_VIRTUAL                                                                      \
    0x20000000u /* the address is one of the packet's page tables, or PASID */
/* A transfer's destination: each byte is changed on its way, and by another such transfer back. It
 * stands for a cipher, and is none. */
#define SOFTGPU_PLACE_CIPHER 0x04000000u
#define SOFTGPU_CIPHER 0xa5u
#define SOFTGPU_PLACE_SEGMENT 0x00ffffffu /* the rest: its id */

/* How a place is used; the device's own: pages may be read-only, or without commands. */
#define SOFTGPU_PLACE_WRITTEN 0x10000000u
#define SOFTGPU_PLACE_EXECUTED 0x08000000u

/* The place of byte `linear` of a segment if it is tiled. */
static inline uint64_t softgpu_tiled(uint64_t linear)
{
    return linear ^ SOFTGPU_TILE / 2;
}

/* A swizzling range: memory of the GPU as the CPU sees it, in linear order. */
struct softgpu_range_register {
    uint64_t cpu_address; /* constant: physical */
    /* The driver writes these, and rings. */
    uint64_t address; /* the GPU's, in `segment` */
    uint64_t bytes;
    uint32_t segment;
    uint32_t tiled; /* 1: it lies in tiles */
};

#define SOFTGPU_RANGE_SIZE ((uint64_t)1 << 32) /* bytes that a range can show */
#define SOFTGPU_RANGE_ON 0x80000000u

/* Why an address led nowhere. */
enum softgpu_page_fault {
    SOFTGPU_FAULT_NONE,
    SOFTGPU_FAULT_NO_ROOT,       /* the context has no page tables */
    SOFTGPU_FAULT_OUTSIDE,       /* behind the entries of the root */
    SOFTGPU_FAULT_NEVER_WRITTEN, /* an entry is not one: memory as it was, or poison */
    SOFTGPU_FAULT_INVALID,
    SOFTGPU_FAULT_READ_ONLY,
    SOFTGPU_FAULT_NO_EXECUTE,
    SOFTGPU_FAULT_NO_MEMORY,  /* a table or a page is where nothing is */
    SOFTGPU_FAULT_NOT_SHARED, /* the IOMMU knows no page of the process there */
};

#define SOFTGPU_FAULTS 8u /* records that are kept until the driver has read them */

/* One page fault, as the device writes it. */
struct softgpu_fault_record {
    uint64_t address, process;
    uint32_t fence, run; /* of the packet; packets run before */
    uint32_t level, why; /* enum softgpu_page_fault */
    uint32_t write;      /* 1: the access was a write */
    uint32_t stands;     /* 1: the engine stands until it is reset */
};

struct softgpu_engine_register {
    uint32_t kind;  /* constant: enum softgpu_engine_kind */
    uint32_t slots; /* constant: places of its ring, a power of two */
    uint64_t ring;  /* constant: position of its ring */
    /* Device writes, driver reads: packets run so far in the upper half, fence of the newest in the
     * lower. */
    _Atomic uint64_t completed;
    /* Device writes, driver reads: preemptions done so far, and the fence of the newest. */
    _Atomic uint64_t preempted;
    /* Device writes before `preempted`: bytes that were run of a packet that was taken back while
     * it waited for a fence, and its `owner`; 0: none was. */
    _Atomic uint64_t cut_owner;
    _Atomic uint32_t cut_at;
    /* Driver writes before the doorbell: the fence of the preemption. */
    _Atomic uint32_t preempt_fence;
    /* Device writes, driver reads: after a reset of the engine, 1 and the fence of the packet that
     * was cut off; 0: none was. */
    _Atomic uint64_t aborted;
    /* Device writes, driver reads: packets run or thrown away so far. */
    _Atomic uint32_t retired;
    /* Device writes, driver reads: page faults so far, record n at n % SOFTGPU_FAULTS; driver
     * writes: how many it has read. */
    _Atomic uint32_t faults, faults_read;
    struct softgpu_fault_record fault[SOFTGPU_FAULTS];
    /* Device writes, driver reads: monitored fences signalled so far. */
    _Atomic uint32_t signals;
};

/* Written by the driver for whoever reads the device's statistics. */
struct softgpu_driver_register {
    _Atomic uint64_t refusals; /* calls it found wrong */
    _Atomic uint64_t build_calls;
    _Atomic uint64_t most_queued;
    _Atomic uint64_t prepatched;           /* addresses that Render wrote */
    _Atomic uint64_t repatched;            /* of these, those that Patch had to change */
    _Atomic uint64_t arrivals, departures; /* NotifyResidency: allocations that came, and went */
    _Atomic uint64_t stops, releases;      /* StopDevice, ...AndReleasePostDisplayOwnership */
    _Atomic uint32_t refusal_claimed;      /* 0; 1: the text is being written; 2: it is there */
    _Atomic uint32_t reason_claimed;       /* as refusal_claimed; 0 again when it was read */
    int32_t reason_status;                 /* what was answered */
    uint32_t reserved;
    char refusal[160]; /* the first */
    char reason[160];  /* the last that nobody has read */
};

/* The CPU host aperture: a window in which the CPU sees pages of a segment. */
struct softgpu_host_register {
    uint32_t segment;    /* constant: which; 0: there is none */
    uint32_t page_shift; /* constant: 12 or 16 */
    uint32_t pages;      /* constant: of the window */
    uint32_t reserved;
    uint64_t cpu_address; /* constant: physical, of the window */
    /* Constant: position of 64 bits a page, which the driver writes before it rings: the page of
     * the segment that is shown, plus 1; 0: none. */
    uint64_t table;
};

/* A video present source scans this out. The driver writes it while nothing runs. */
struct softgpu_scanout_register {
    uint64_t address; /* the GPU's, in `segment` */
    uint64_t bytes;
    uint32_t segment;
    _Atomic uint32_t visible; /* 0: the screen is dark */
};

struct softgpu_registers {
    uint64_t magic; /* SOFTGPU_REGISTERS_MAGIC */
    uint64_t size;  /* bytes of BAR 0 */
    uint32_t segment_count, engine_count;
    uint32_t hw_queues; /* rings behind those of the engines */
    struct softgpu_segment_register segments[SOFTGPU_SEGMENTS];
    struct softgpu_engine_register engines[SOFTGPU_RINGS]; /* and rings */
    struct softgpu_range_register ranges[SOFTGPU_RANGES];
    struct softgpu_host_register host_aperture;
    struct softgpu_scanout_register scanouts[SOFTGPU_SOURCES];
    uint64_t window; /* position of SOFTGPU_WINDOW_SIZE bytes for commands of the driver's own */
    uint64_t poison; /* position of the page that untouched page-table entries show */

    /* The properties that the driver must have: members of struct softgpu_config of these names. */
    uint32_t multi_engine, preemption, engine_reset, cancel, non_vga, recovery;
    uint32_t context_save, habit, queue;
    uint32_t paging_buffer, paging_buffer_segment, private_data;
    uint32_t dma_buffer, dma_buffer_segment, dma_private_data;
    uint32_t allocation_list, patch_list;
    uint64_t highest_address;
    uint32_t range_count, range_limit;
    uint32_t history; /* PrecisionBits */
    uint32_t alternate_primary;
    uint32_t sources;
    struct softgpu_mmu mmu;
    uint32_t map_aperture2, atomics_64, isolation;
    uint32_t move_paging, vpr_context, hardware_protected; /* of the physical adapter */
    uint32_t paging_node;
    /* The driver puts commands of a paging buffer that has no address here: a place of so many
     * bytes a packet of the ring. 0: there is none. */
    uint32_t upload_stride;
    uint64_t upload;
    uint32_t busy_first, busy_at, insufficient_at, insufficient_every;
    uint64_t broken;

    /* A bit an engine that has something to report. The device sets, the driver takes them all. */
    _Atomic uint32_t interrupt;
    uint32_t reserved;
    struct softgpu_driver_register driver;
};

_Static_assert(sizeof(struct softgpu_registers) <= SOFTGPU_REGISTERS_SIZE, "registers fit");

/* An aperture page-table entry: the physical address of a page, and these bits. */
#define SOFTGPU_ENTRY_VALID 0x1u
#define SOFTGPU_ENTRY_COHERENT 0x2u
#define SOFTGPU_ENTRY_DUMMY 0x4u /* it stands for nothing: accesses are counted, and done */
#define SOFTGPU_ENTRY_PAGE (~(uint64_t)(SOFTGPU_PAGE_SIZE - 1))

/*
 * An entry of a page table: 64 bits. It names a page, or the table below, by frame: of a memory
 * segment, or with segment 0 of physical memory. A page may be of another GPU of the link; tables
 * are of the GPU that walks them.
 *
 *     | mark 8 | protection 4 | GPU 2 | frame 38 | segment 5 | flags 7 |
 *
 * An entry of level 1 may be two: a table of 4 KiB pages, and one of 64 KiB pages behind it.
 */
#define SOFTGPU_PTE_VALID 0x1u
#define SOFTGPU_PTE_ZERO 0x2u /* reads are 0, writes are lost */
#define SOFTGPU_PTE_READ_ONLY 0x4u
#define SOFTGPU_PTE_NO_EXECUTE 0x8u
#define SOFTGPU_PTE_COHERENT 0x10u
#define SOFTGPU_PTE_LARGE 0x20u     /* the walk ends above the leaf */
#define SOFTGPU_PTE_TABLE_64K 0x40u /* the table below is of 64 KiB pages */
#define SOFTGPU_PTE_SEGMENT_SHIFT 7u
#define SOFTGPU_PTE_SEGMENT(entry) ((uint32_t)((entry) >> SOFTGPU_PTE_SEGMENT_SHIFT) & 31u)
#define SOFTGPU_PTE_PAGE UINT64_C(0x0003fffffffff000)
#define SOFTGPU_PTE_FRAME_LIMIT ((uint64_t)1 << 38)
#define SOFTGPU_PTE_ADAPTER_SHIFT 50u
#define SOFTGPU_PTE_ADAPTER(entry) ((uint32_t)((entry) >> SOFTGPU_PTE_ADAPTER_SHIFT) & 3u)
#define SOFTGPU_PTE_PROTECTION_SHIFT 52u
#define SOFTGPU_PTE_PROTECTION_MASK 15u
#define SOFTGPU_PTE_MARK_SHIFT 56u
#define SOFTGPU_PTE_MARK 0xa7u /* somebody has written it */

/* A root of page tables: where it is, as a segment (0: physical) and an offset. */
struct softgpu_root {
    uint64_t address;
    uint32_t segment;
    uint32_t entries; /* 0: there is none */
};

/* ---- packets --------------------------------------------------------------------------------- */

struct softgpu_packet {
    uint64_t address; /* of its first command */
    uint32_t segment; /* of that address */
    uint32_t size;    /* bytes of commands */
    uint32_t fence;
    uint32_t flags;    /* SOFTGPU_PACKET_... */
    uint32_t commands; /* how many they are; SOFTGPU_PACKET_COUNTED only */
    uint32_t instance; /* place of the GPU in its link: which instance it writes to */
    uint32_t context;  /* number of its save area, 0: it needs none */
    uint32_t table;    /* number of its device's table, 0: it has none */
    uint64_t save_address, table_address;
    uint16_t save_segment, table_segment;
    uint32_t start;           /* bytes of the commands that were run before it was cut */
    struct softgpu_root root; /* of the addresses that its commands name */
    uint64_t process;         /* the driver's word for whose they are; comes back with a fault */
    uint64_t owner;           /* the driver's word for the context; comes back if it is cut */
    uint32_t pasid;           /* whose addresses its commands name, with an IOMMU */
    uint32_t reserved2;
    uint64_t reserved3[3];
};

_Static_assert(sizeof(struct softgpu_packet) == 128, "a packet is two cache lines");

#define SOFTGPU_PACKET_PAGING 0x1u
#define SOFTGPU_PACKET_NULL 0x2u    /* report the fence, run nothing */
#define SOFTGPU_PACKET_COUNTED 0x4u /* run `commands` commands, no more and no less */
#define SOFTGPU_PACKET_PART 0x8u /* only retire it: the submission goes on with the next packet */
#define SOFTGPU_PACKET_VIRTUAL 0x40u /* `address` is one of its page tables, or PASID */
#define SOFTGPU_PACKET_SWITCH 0x20u  /* leave the context that the engine runs */
#define SOFTGPU_PACKET_FIRST 0x10u   /* a DMA buffer begins: the slots are empty */

/* Whether user mode wrote the commands of a packet: they name addresses of its own, or nothing. */
static inline bool softgpu_is_user(const struct softgpu_packet *packet)
{
    return (packet->flags & (SOFTGPU_PACKET_VIRTUAL | SOFTGPU_PACKET_PAGING)) ==
           SOFTGPU_PACKET_VIRTUAL;
}

/* ---- commands -------------------------------------------------------------------------------- */

/* Each begins with struct softgpu_command and is a multiple of 8 bytes long. */
enum softgpu_opcode {
    SOFTGPU_OP_NOTHING = 0x53470001,
    SOFTGPU_OP_TOUCH = SOFTGPU_VIRTUAL_TOUCH,
    SOFTGPU_OP_TRANSFER = SOFTGPU_VIRTUAL_COPY,
    SOFTGPU_OP_FILL = SOFTGPU_VIRTUAL_FILL,
    SOFTGPU_OP_DISCARD = 0x53470005,
    SOFTGPU_OP_MAP = 0x53470006,
    SOFTGPU_OP_UNMAP = 0x53470007,
    SOFTGPU_OP_ACCESS = 0x53470008,
    SOFTGPU_OP_CONTEXT = 0x5347000b,
    SOFTGPU_OP_RECORD = 0x53470009, /* a DXGKARG_BUILDPAGINGBUFFER; the driver's own, see below */
    SOFTGPU_OP_BLT = 0x5347000a,
    SOFTGPU_OP_TABLE = 0x5347000c,
    SOFTGPU_OP_FLUSH = 0x5347000d,
    SOFTGPU_OP_DATA = 0x5347000e,
    SOFTGPU_OP_SIGNAL = SOFTGPU_VIRTUAL_SIGNAL,
    SOFTGPU_OP_WAIT = SOFTGPU_VIRTUAL_WAIT,
};

/* A run of page frames: the first in the lower 40 bits, their number less 1 in the upper 24. */
#define SOFTGPU_RUN_SHIFT 40u
#define SOFTGPU_RUN_FRAMES (1u << 24)
#define SOFTGPU_FRAME_LIMIT ((uint64_t)1 << SOFTGPU_RUN_SHIFT)

/* One side of a transfer. */
struct softgpu_place {
    uint32_t segment; /* of the address; and SOFTGPU_PLACE_TILED or _RAW */
    uint32_t runs;    /* not 0: that many runs follow the command, and `address` is not used */
    uint64_t address;
};

/* Copy. At most one side is runs. Sides that overlap are copied as if by way of a third place. */
struct softgpu_op_transfer {
    struct softgpu_command command;
    uint64_t bytes;
    struct softgpu_place source, destination;
    /* uint64_t runs[] */
};

/* Repeat a pattern, byte 0 first; the last repetition may be cut short. */
struct softgpu_op_fill {
    struct softgpu_command command;
    uint64_t bytes;
    uint64_t address;
    uint32_t segment;
    uint32_t pattern;
};

/* The bytes there are wanted no more. */
struct softgpu_op_discard {
    struct softgpu_command command;
    uint64_t bytes;
    uint64_t address;
    uint32_t segment;
    uint32_t reserved;
};

/* Show pages in an aperture. */
struct softgpu_op_map {
    struct softgpu_command command;
    uint32_t segment;
    uint32_t flags; /* SOFTGPU_ENTRY_COHERENT or 0 */
    uint64_t first; /* page-table entry */
    uint32_t pages;
    uint32_t runs;
    /* uint64_t runs[] */
};

/* Show one page in a whole range. */
struct softgpu_op_unmap {
    struct softgpu_command command;
    uint32_t segment;
    uint32_t reserved;
    uint64_t first, pages;
    uint64_t physical; /* of the page */
};

/* Read 8 bytes, or write something there. */
struct softgpu_op_access {
    struct softgpu_command command;
    uint32_t segment;
    uint32_t write;
    uint64_t address;
};

/* Write words, `stride` bytes apart: those that follow, or one of them over and over. */
struct softgpu_op_table {
    struct softgpu_command command;
    uint64_t address;
    uint32_t segment, stride;
    uint32_t words, count; /* words that follow: `count`, or 1 */
    /* uint64_t word[] */
};

/* Forget what is kept of the addresses from start to end under a root; 0 and 0: of all. */
struct softgpu_op_flush {
    struct softgpu_command command;
    uint32_t root_segment, reserved;
    uint64_t root_address;
    uint64_t start, end;
};

/* Write the bytes that follow. */
struct softgpu_op_data {
    struct softgpu_command command;
    uint64_t address;
    uint32_t segment, bytes;
    /* unsigned char data[], whole words */
};

/* Write the value of a monitored fence at an address of the page tables, and say so. */
struct softgpu_op_signal {
    struct softgpu_command command;
    uint64_t address; /* of 8 bytes, aligned */
    uint64_t value;
};

/* Hold the engine until a monitored fence has the value. */
struct softgpu_op_wait {
    struct softgpu_command command;
    uint64_t address; /* of 8 bytes, aligned */
    uint64_t value;
    uint32_t bits; /* compared: 64, or the lower 32, which wrap */
    uint32_t reserved;
};

/* The beginning of a history buffer: DXGK_HISTORY_BUFFER_HEADER, and the private data. */
struct softgpu_history_header {
    uint32_t sequence, stamps, private_size, reserved;
    uint64_t mark; /* SOFTGPU_HISTORY_MARK */
};

#define SOFTGPU_HISTORY_MARK 0x53504d4154534753u
#define SOFTGPU_HISTORY_PRIVATE 8u
#define SOFTGPU_HISTORY_STAMPS 24u /* byte of the first stamp */
#define SOFTGPU_CLOCK_BITS 48u

/* The memory that a context, or all contexts of a device, must have. */
#define SOFTGPU_SAVE_SIZE (16u * SOFTGPU_PAGE_SIZE)
#define SOFTGPU_TABLE_SIZE (2u * SOFTGPU_PAGE_SIZE)
#define SOFTGPU_CONTEXTS 4096u /* numbers of areas that are told apart at any time */

#define SOFTGPU_CONTEXT_INIT 0u        /* give it its first content */
#define SOFTGPU_CONTEXT_INITIALISED 1u /* the driver has */
#define SOFTGPU_CONTEXT_DROP 2u        /* the content is wanted no more */

/* About an area by its number. */
struct softgpu_op_context {
    struct softgpu_command command;
    uint32_t what; /* SOFTGPU_CONTEXT_... */
    uint32_t number;
    uint64_t address;
    uint64_t bytes;
    uint32_t segment;
    uint32_t reserved;
};

/* The value of each 8 bytes of a page when the area was saved so often. */
static inline uint64_t softgpu_context_word(uint32_t number, uint64_t page, uint32_t count)
{
    return ((uint64_t)number << 40 ^ page << 32 ^ count) * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

/* References of the longest TOUCH, each with a slot of its own. */
#define SOFTGPU_SLOTS 1637u

/* A TOUCH as Render makes it. The address is patched in, but for what stands in its slot
 * already. */
struct softgpu_op_touch {
    struct softgpu_command command;
    uint32_t reference_count;
    uint32_t reserved;
    uint64_t seed;
    /* struct softgpu_op_reference references[] */
};

struct softgpu_op_reference {
    uint64_t address;
    uint64_t pages, digest;
    uint32_t content_id, generation;
    uint32_t flags; /* SOFTGPU_REFERENCE_... */
    uint32_t reserved;
};

#define SOFTGPU_REFERENCE_TILED 0x4u   /* the driver's: the allocation is marked Swizzled */
#define SOFTGPU_REFERENCE_HISTORY 0x8u /* the driver's: it is marked HistoryBuffer */
/* The content is the instance's own: every GPU of a link writes something else, where the first
 * writes what it would write alone. */
#define SOFTGPU_REFERENCE_INSTANCED 0x100u

/* A surface of a BLT. The address is that of its first byte, and patched in. */
struct softgpu_op_surface {
    uint64_t address;
    uint64_t offset; /* bytes from there to the first row, in linear order */
    uint32_t pitch;  /* bytes from one row to the next, in linear order */
    uint32_t flags;  /* SOFTGPU_REFERENCE_TILED or 0 */
};

/* Copy a rectangle from surface to surface. The two do not overlap. */
struct softgpu_op_blt {
    struct softgpu_command command;
    struct softgpu_op_surface source, destination;
    uint32_t row_bytes, rows;
};

_Static_assert((SOFTGPU_WINDOW_SIZE - sizeof(struct softgpu_op_touch)) /
                       sizeof(struct softgpu_op_reference) ==
                   SOFTGPU_SLOTS,
               "that many references fit into a command, and no more");

#endif
