/*
 * device_private.h: declarations that the sources of the device half share.
 *
 *     device.c            made, taken apart, config space, statistics
 *     device_engine.c     a ring, a packet, a command: when
 *     device_paging.c     Transfer, Fill, Discard, Map, Unmap: what
 *     device_touch.c      TOUCH: what
 *     device_history.c    time stamps
 *     device_context.c    contexts, loaded and saved
 *     device_posted.c     writes that a bridge holds back
 *     device_range.c      swizzling ranges
 *     device_host_aperture.c  pages of memory as the CPU sees them
 *     device_address.c    where: from GPU addresses to bytes
 *     device_mmu.c        page tables, and translations that are kept
 *     device_table.c      commands on page tables and by them; page faults
 *     device_fence.c      monitored fences: signals and waits
 *     device_display.c    what is on the screens
 *     device_watch.c      where packets have written
 *     device_copy.c       how fast
 *     device_report.c     what went wrong, in a sentence
 *
 * Threads. An engine belongs to whoever is in its step; only the members marked atomic are seen by
 * others. Page-table entries are words of their own: the driver may set some while engines use
 * others.
 */
#ifndef SOFTGPU_DEVICE_PRIVATE_H
#define SOFTGPU_DEVICE_PRIVATE_H

#include <stdatomic.h>

#include "softgpu/device.h"
#include "softgpu/device_copy.h"
#include "softgpu/hardware.h"

/* The first of a kind of mishap. */
struct softgpu_first {
    _Atomic uint32_t state; /* 0: none yet; 1: being written; 2: there */
    char text[SOFTGPU_TEXT];
};

struct softgpu_counters {
    _Atomic uint64_t packets, paging_packets, commands, transfers;
    _Atomic uint64_t bytes_in, bytes_out, bytes_moved, bytes_filled, bytes_discarded;
    _Atomic uint64_t pages_mapped, pages_unmapped;
    _Atomic uint64_t content_checks, content_pages, content_bytes_written, content_mismatches;
    _Atomic uint64_t content_sum;
    _Atomic uint64_t check_ns;
    _Atomic uint64_t context_inits, context_loads, context_saves;
    _Atomic uint64_t faults, dummy_accesses, interrupts;
    _Atomic uint64_t page_faults, table_words, flushes, table_walks, signals, waits;
};

#define SOFTGPU_COUNT(device, counter, n)                                                          \
    atomic_fetch_add_explicit(&(device)->counters.counter, (n), memory_order_relaxed)

/* A segment as the engines use it. */
struct softgpu_window {
    enum softgpu_segment_kind kind;
    uint64_t base, size;   /* GPU addresses [base, base + size) */
    uint64_t physical;     /* memory only: of its first byte */
    unsigned char *memory; /* memory only: its bytes */
    uint64_t *page_table;  /* aperture only */
    bool pitch_aligned;    /* memory only: bytes lie in rows */
};

#define SOFTGPU_MARKERS 1024u /* commands whose end is remembered */

/* Time stamps of the DMA buffer being run. */
struct softgpu_history {
    uint32_t segment; /* of the history buffer; 0: the packet has named none */
    uint32_t sequence;
    uint64_t address, bytes;
    uint64_t began;
    uint32_t markers;
    uint64_t marker[SOFTGPU_MARKERS];
};

/* The context that an engine runs. */
struct softgpu_loaded {
    uint32_t number; /* 0: none */
    struct softgpu_place place;
};

#define SOFTGPU_WRITES 512u /* pieces that are remembered */

/* A piece of memory that a packet has written. */
struct softgpu_written {
    uint32_t fence, segment; /* 0: physical memory */
    uint64_t first, end;     /* offset in the segment, or address */
};

/* The newest of them, of an engine (device_watch.c). */
struct softgpu_writes {
    _Atomic uint32_t busy; /* somebody looks at it, or adds to it */
    uint64_t count;        /* so far; the newest is at (count - 1) % SOFTGPU_WRITES */
    struct softgpu_written pieces[SOFTGPU_WRITES];
};

struct softgpu_engine {
    struct softgpu_device *device;
    uint32_t number;
    int bus_engine;
    unsigned char *command; /* SOFTGPU_WINDOW_SIZE bytes: the command being run */

    _Atomic uint32_t given;    /* packets that the driver has announced */
    _Atomic uint64_t preempt;  /* PREEMPT_ASKED | packets given when it was asked; 0: not asked */
    _Atomic uint32_t stepping; /* it is somebody's turn (E1) */
    _Atomic uint32_t hung;
    _Atomic uint32_t told_to_hang; /* 1: before a packet to come ... */
    _Atomic uint32_t hang_fence;   /* ... the one of this fence; 0: the next */
    _Atomic uint32_t lets_preempt; /* a preemption gets it out of there */
    _Atomic uint32_t held;         /* 1: the command in `command` waits for a fence */

    /* Only the thread whose turn it is looks at these. */
    uint32_t done;  /* packets run or thrown away */
    uint32_t run;   /* packets run */
    uint32_t fence; /* of the newest packet run */
    uint64_t begun; /* packets ever begun, for `hang` */
    uint32_t owed;  /* late interrupts: steps until it is raised, 0: none */
    bool quiet;     /* the driver is waiting in the doorbell: no interrupt */
    bool raising;   /* an interrupt is due at the end of the step */
    bool running;   /* `packet` is being run */
    bool stood;     /* it stands since a page fault, until it is reset */
    bool cabled;    /* it has the cable of the link, until the command's end */
    bool waking;    /* engines that are held are due to look again, at the end of the step */
    bool signalled; /* a monitored fence was, and no interrupt has told of it */
    bool faulted;   /* an address of it led nowhere: the rest of it is left out */
    bool parted;    /* a part of a submission was run, and its last packet was not */
    uint32_t at;    /* bytes of the packet run */
    uint32_t left;  /* commands of the packet still to run, if they are counted */
    uint32_t bound; /* slots of the DMA buffer being run that hold an address, from 0 on */
    uint64_t slots[SOFTGPU_SLOTS];
    struct softgpu_packet packet;
    struct softgpu_history history;
    struct softgpu_loaded loaded;
    struct softgpu_fault_record record; /* of the fault, if `faulted` */
    struct softgpu_tlb *tlb;            /* NULL: there are no page tables */
    struct softgpu_writes *writes;      /* NULL: nobody watches */

    /* The pages behind a bridge that posts writes, as walks see them, two each
     * (device_posted.c). */
    uint32_t stage; /* the next of them */
    _Alignas(16) unsigned char staged[4][SOFTGPU_PAGE_SIZE];
};

struct softgpu_device {
    const struct vidmm_bus *bus;
    struct softgpu_config config;
    struct softgpu_mover mover;
    uint64_t register_address; /* physical, of BAR 0 */
    struct softgpu_registers *registers;
    uint64_t poison_address; /* physical, of the page of untouched page-table entries */
    struct softgpu_window windows[SOFTGPU_SEGMENTS];
    struct softgpu_engine engines[SOFTGPU_RINGS]; /* and rings */
    struct softgpu_device *lead;                  /* of the link; NULL: it is not linked */
    struct softgpu_device *next;                  /* of the link, by place; the lead's is 0 */
    _Atomic uint32_t cable;                       /* the lead's: a command uses system memory */
    _Atomic uint64_t clock;   /* commands done and packets begun or ended, by all engines */
    _Atomic uint32_t stopped; /* between the two halves of a reset */
    _Atomic uint64_t contexts[SOFTGPU_CONTEXTS]; /* by number: that, and how often it was saved */

    struct softgpu_counters counters;
    struct softgpu_first fault, mismatch;
    struct softgpu_statistics first; /* first_mismatch only; valid if mismatch.state is 2 */
};

/* ---- device_watch.c -------------------------------------------------------------------------- */

/* The packet of the engine writes this piece of memory; somebody watches. */
void softgpu_note_write(struct softgpu_engine *engine, uint32_t segment, uint64_t first,
                        uint64_t bytes);

/* ---- device_engine.c ------------------------------------------------------------------------- */

/* One step, for the bus: begin a packet, run a command, or complete. False: nothing to do. */
bool softgpu_engine_step(void *argument);
/* Take the packets up to `given` over, and let the bus run them. */
void softgpu_engine_submit(struct softgpu_engine *engine, uint32_t given);
/* Take the packets up to `given` over; this thread runs them before it returns. */
void softgpu_engine_execute(struct softgpu_engine *engine, uint32_t given);
/* Throw away what has not begun of the packets up to `given`, and report it. */
void softgpu_engine_preempt(struct softgpu_engine *engine, uint32_t given);
/* Stop one engine, forget its packets, say which was cut off, and let it go on. */
void softgpu_engine_reset(struct softgpu_engine *engine);
/* Stop all engines and forget their packets; when it returns nothing runs. */
void softgpu_engines_reset(struct softgpu_device *device);
void softgpu_engines_restart(struct softgpu_device *device);

/* ---- device_range.c -------------------------------------------------------------------------- */

/* Give the swizzling ranges their addresses. False: the machine has none. */
bool softgpu_add_ranges(struct softgpu_device *device);
/* The value that the doorbell is rung with. False: there is no such range, or no such memory. */
bool softgpu_set_range(struct softgpu_device *device, uint32_t value);

/* ---- device_host_aperture.c ------------------------------------------------------------------ */

/* Make the CPU host aperture, if there is to be one; its entries begin at `table` of BAR 0. False:
 * the machine has no room for it. */
bool softgpu_add_host_aperture(struct softgpu_device *device, uint64_t table);
/* The entry of a page has changed: show what it says. False: there is no such page, or memory. */
bool softgpu_set_host_page(struct softgpu_device *device, uint32_t index);
/* Power is away: nothing is shown any more. */
void softgpu_lose_host_aperture(struct softgpu_device *device);

struct softgpu_walk;

/* ---- device_mmu.c ---------------------------------------------------------------------------- */

/* The place that a GPU virtual address leads to. */
struct softgpu_translation {
    enum softgpu_page_fault fault;
    uint32_t level;   /* of the entry that the walk ended at */
    uint32_t segment; /* 0: `address` is a physical one; else an offset in the segment */
    uint64_t address;
    uint64_t bytes; /* to the end of the page */
    bool zero, coherent;
    uint32_t adapter; /* place in the link of the GPU whose segment it is */
};

#define SOFTGPU_ACCESS_WRITE 1u
#define SOFTGPU_ACCESS_EXECUTE 2u

/* Translations that an engine keeps. NULL: no memory. */
struct softgpu_tlb *softgpu_tlb_create(void);
void softgpu_tlb_destroy(struct softgpu_tlb *tlb);
/* False: it leads nowhere; found->fault says why. Reports nothing. */
bool softgpu_translate(struct softgpu_engine *engine, const struct softgpu_root *root,
                       uint64_t gpuva, uint32_t access, struct softgpu_translation *found);
/* Have all engines forget what they keep of [start, end) under a root; 0 and 0: of all. */
void softgpu_flush(struct softgpu_device *device, const struct softgpu_root *root, uint64_t start,
                   uint64_t end);
void softgpu_forget_translations(struct softgpu_device *device);

/* ---- device_table.c -------------------------------------------------------------------------- */

/* An address of the packet being run led nowhere: remember it, and end the packet. */
void softgpu_page_fault(struct softgpu_engine *engine, uint64_t gpuva, bool write,
                        const struct softgpu_translation *found);
void softgpu_run_table(struct softgpu_engine *engine, const struct softgpu_command *command);
void softgpu_run_flush(struct softgpu_engine *engine, const struct softgpu_command *command);
void softgpu_run_data(struct softgpu_engine *engine, const struct softgpu_command *command);

/* ---- device_fence.c -------------------------------------------------------------------------- */

void softgpu_run_signal(struct softgpu_engine *engine, const struct softgpu_command *command);
/* Run a WAIT, or look again: `held` says whether its value is still to come. */
void softgpu_run_wait(struct softgpu_engine *engine, const struct softgpu_command *command);
/* Something has happened: have the engines of the link that are held look again. Any thread. */
void softgpu_wake(struct softgpu_device *device);

/* ---- device_posted.c ------------------------------------------------------------------------- */

/* The GPU is going to read: its earlier writes reach memory first. */
void softgpu_push(const struct softgpu_device *device);
/* The bytes at a physical address, if a bridge is before them that posts writes: a copy of what is
 * in memory, *bytes of it, to be handed back when it may have been changed. NULL: there is none. */
unsigned char *softgpu_stage(struct softgpu_walk *walk, uint64_t physical, uint64_t *bytes);
/* Let the bridge have what has been changed of the next `bytes` of the copy. */
void softgpu_post(const struct softgpu_walk *walk, uint64_t bytes);

/* ---- device_history.c ------------------------------------------------------------------------ */

/* Read the clock; it never shows the same value again. */
uint64_t softgpu_tick(struct softgpu_device *device);
/* A packet begins; a command of it is done; it names a history buffer; it is complete. */
void softgpu_history_begin(struct softgpu_engine *engine);
void softgpu_history_mark(struct softgpu_engine *engine);
void softgpu_history_name(struct softgpu_engine *engine,
                          const struct softgpu_op_reference *reference);
void softgpu_history_end(struct softgpu_engine *engine);

/* ---- device_context.c ------------------------------------------------------------------------ */

/* A packet begins: load what it needs, save what the engine leaves. */
void softgpu_context_begin(struct softgpu_engine *engine);
void softgpu_run_context(struct softgpu_engine *engine, const struct softgpu_command *command);

/* ---- device_paging.c, device_touch.c, device_blt.c ------------------------------------------- */

/* Run one command. It is as long as its opcode needs at least; everything else is unchecked. */
void softgpu_run_transfer(struct softgpu_engine *engine, const struct softgpu_command *command);
void softgpu_run_fill(struct softgpu_engine *engine, const struct softgpu_command *command);
void softgpu_run_discard(struct softgpu_engine *engine, const struct softgpu_command *command);
void softgpu_run_map(struct softgpu_engine *engine, const struct softgpu_command *command);
void softgpu_run_unmap(struct softgpu_engine *engine, const struct softgpu_command *command);
void softgpu_run_access(struct softgpu_engine *engine, const struct softgpu_command *command);
void softgpu_run_touch(struct softgpu_engine *engine, const struct softgpu_command *command);
void softgpu_run_blt(struct softgpu_engine *engine, const struct softgpu_command *command);

/* ---- device_address.c ------------------------------------------------------------------------ */

/*
 * A walk over the bytes of a place, in order, a contiguous piece at a time.
 *
 *     begin --> at, here (the first piece) --> take() ... take() --> here is 0: the end
 *
 * `ahead` is where the piece behind the present one begins, for prefetching.
 */
struct softgpu_walk {
    struct softgpu_engine *engine;
    const uint64_t *runs; /* runs still to be taken; NULL: an address */
    uint64_t run_frame, run_frames;
    uint32_t segment;
    uint64_t address; /* the one that has not been resolved yet */
    uint64_t left;    /* bytes not resolved yet */
    uint64_t skip;    /* to the next row, behind the piece just resolved */
    bool virtual;     /* `address` is one of the packet's page tables */
    uint32_t access;  /* SOFTGPU_ACCESS_..., of a virtual one */
    bool tiled;       /* `address` is one in linear order */
    bool raw;         /* rows are not looked at */
    unsigned char *at, *ahead;
    uint64_t here, ahead_bytes;
    /* Physical address of `at` and `ahead`, if the access snoops a processor that would not see it
     * otherwise; 0: it does not. */
    uint64_t snooped, ahead_snooped;
    uint64_t posted,
        ahead_posted; /* such an address, if it is a copy whose changes a bridge takes */
    uint32_t stage;   /* the pages of the engine for such copies: this one and the next */
    bool failed;      /* a piece is not memory: the walk ended early, the fault is reported */
};

/*
 * Begin a walk over `bytes` bytes.
 *
 * runs     those of place->runs, which must cover the bytes.
 * False: part of the range is no address of the GPU; a fault has been reported, naming `what`.
 */
bool softgpu_walk_begin(struct softgpu_walk *walk, struct softgpu_engine *engine, const char *what,
                        const struct softgpu_place *place, const uint64_t *runs, uint64_t bytes);
/* Go on by `bytes`, not more than `here`: they have been read, or written. */
void softgpu_walk_take(struct softgpu_walk *walk, uint64_t bytes);
/* Write bytes to a place, as far as its addresses are the GPU's. `what` names it in a fault. */
void softgpu_write(struct softgpu_engine *engine, const char *what,
                   const struct softgpu_place *place, const void *bytes, uint64_t size);

/* The segment that holds all of [address, address + bytes), of this id, or of any if id is 0; NULL
 * if none does. */
const struct softgpu_window *softgpu_window_of(const struct softgpu_device *device, uint32_t id,
                                               uint64_t address, uint64_t bytes);
/* The command is at its end: the other GPUs of the link may use system memory. */
void softgpu_leave_cable(struct softgpu_engine *engine);
/* Copy bytes of the GPU's memory out. False: some are not memory. Reports no fault. */
bool softgpu_fetch(struct softgpu_engine *engine, uint32_t segment, uint64_t address, void *buffer,
                   uint32_t bytes);

/* ---- device_report.c ------------------------------------------------------------------------- */

/* Count a fault of the packet being run; the first is kept as a sentence. */
void softgpu_fault(struct softgpu_engine *engine, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Count a mismatch; the first is kept. `kind` and the rest of `finding` say what is there. */
void softgpu_mismatch(struct softgpu_engine *engine, const struct softgpu_op_reference *reference,
                      uint64_t page, const struct vidmm_content_finding *finding);
/* Time in ns, for differences; 0 where the machine has no clock. */
uint64_t softgpu_now_ns(const struct softgpu_device *device);
/* While another thread has what this one waits for. */
void softgpu_yield(const struct softgpu_device *device);

#endif
