/*
 * replay.h: a recorded program runs again, against a display adapter.
 *
 *     struct vidmm_trace
 *            |                  A  create     D  lock, check, write, unlock
 *     struct vidmm_program      S  render     C  K  wait       P  a frame
 *            |                  F  destroy    M  U  counted only
 *     <vidmm/adapter.h>
 *
 * A program does one event of its trace a step and never waits inside one, unless it is told to:
 * where the adapter would have to wait it answers BLOCKED and does the same again when it is called
 * next. So any number of programs can take turns on one adapter, in any order.
 *
 * The content of an allocation is known at all times (base/content.h): the program counts the
 * writes of the GPU and of the CPU, tells the GPU with each command what it must find, and looks
 * itself before each CPU write. It differs from the recorded run in two ways: a frame begins when
 * the frame before the last is complete, and mapping (M, U) does nothing, because WDDM 1.x cannot
 * render from an allocation that stays locked in a memory segment (D-160); a D locks for its own
 * time instead. From WDDM 2.0 on M and U are Lock2 and Unlock2 for life, and the program keeps
 * everything that is left to a user-mode driver by <umd/...>.
 *
 * It knows no GPU: a user-mode driver (struct vidmm_replay_driver) turns wishes into private data
 * and uses into commands.
 *
 * A program belongs to whoever created it and is used by one thread at a time, apart from its
 * counts. The trace, the adapter, the driver and the listener outlive it.
 */
#ifndef VIDMM_TRACE_REPLAY_H
#define VIDMM_TRACE_REPLAY_H

#include <stdatomic.h>
#include <stdbool.h>

#include <wddm/wddm_types.h>

#define VIDMM_REPLAY_PRIVATE 256u /* most bytes of an allocation's private data */

/* One allocation of a command, and what the GPU must find in it. */
struct vidmm_replay_use {
    uint32_t index; /* in the allocation list */
    bool write;
    uint32_t content_id;
    uint32_t generation; /* number of the GPU's last write */
    uint64_t pages;
    uint64_t digest;  /* of the CPU's writes */
    uint64_t address; /* by_address: of the first page */
};

/* The user-mode driver. Any thread that runs a program. */
struct vidmm_replay_driver {
    void *context;
    /* Write the private data of an allocation of `size` bytes and `types` (VIDMM_TRACE_LOCAL ...)
     * to the 8-byte aligned buffer of VIDMM_REPLAY_PRIVATE bytes; answer how many bytes they
     * are. */
    uint32_t (*describe)(void *context, uint64_t size, uint32_t types, void *buffer);
    /* Elements without an allocation at the head of the list, 0 or 1: `index` of a use counts
     * them. */
    uint32_t leading;
    /* Most bytes of a command buffer with so many uses, a multiple of 8. */
    uint32_t (*command_size)(void *context, uint32_t count);
    /* Write that command buffer to the 8-byte aligned buffer. Answers how many bytes it is. */
    uint32_t (*command)(void *context, uint64_t seed, const struct vidmm_replay_use *uses,
                        uint32_t count, void *buffer);
    /* by_copies: write the commands that copy `size` bytes between addresses to the buffer, which
     * has `room` bytes. Answers how many bytes they are; 0: they do not fit. */
    uint32_t (*copy)(void *context, uint64_t to, uint64_t from, uint64_t size, void *buffer,
                     uint32_t room);
};

/* Told what a program does, for pictures and progress, on the program's thread. Functions may be
 * NULL. */
struct vidmm_replay_listener {
    void *context;
    /* The adapter's allocation `id` is allocations[index] of the trace. */
    void (*allocation)(void *context, uint32_t id, uint32_t index);
    /* `frame` frames are behind it now. */
    void (*frame)(void *context, uint32_t frame);
};

struct vidmm_program_options {
    const struct vidmm_trace *trace;
    const char *name; /* of the trace's file, for sentences */
    struct vidmm_adapter *adapter;
    uint64_t process; /* tells processes apart */
    uint32_t node;    /* the node of its contexts */
    const struct vidmm_replay_driver *driver;
    const struct vidmm_replay_listener *listener; /* or NULL */
    uint64_t seed;                                /* of the contents; part of the interleaving */
    uint32_t content_base; /* its contents have the ids content_base + 1 .. + allocation_count */
    bool execute;          /* false: contents are neither written nor checked */
    /* The GPU writes nothing, whatever the trace says: its commands are not for this trace. Only
     * the CPU's writes are made; each is also looked for when its allocation goes, and at the end.
     * The CPU does not write an allocation that it may not lock. */
    bool cpu_only;
    /* The driver has DxgkDdiPresent and no DxgkDdiRender: each submission copies from what it names
     * to a surface of the program's own. Only with cpu_only. All allocations are standard
     * allocations. */
    bool presents;
    /* The adapter is at WDDM 2.0 or above: the program says what is resident. A `visible`
     * allocation lies in memory of its own, and the driver describes it so (ExistingSysMem): there
     * the CPU writes without a lock, once the GPU is done, or in another instance of it. With
     * cpu_only the CPU writes nothing else, and there is one instance. */
    bool explicit_residency;
    /* With that: half of the trace is behind it, and its process has half of its budget. */
    bool halve_budget;
    /* With that: the GPU has page tables, and commands name addresses. */
    bool by_address;
    /* With that: GPUs of a link. Queue n of the trace runs on GPU n, from the first again behind
     * the last, and each of them maps all that the program has. 0, 1: there is no link. */
    uint32_t links;
    /* With that: they are those of the CPU (IoMmu), and not asked for. */
    bool shares_addresses;
    /* With that and cpu_only: of allocations that the CPU does not see, the GPU copies known pages
     * there and back with each submission. */
    bool by_copies;
    bool may_wait; /* let the adapter wait inside some steps, chosen by seed */
};

enum vidmm_program_state {
    VIDMM_PROGRAM_RAN,     /* an event is behind it, call again */
    VIDMM_PROGRAM_BLOCKED, /* nothing has happened; call again after a wake() of the host */
    VIDMM_PROGRAM_DONE,    /* the trace is at its end and the GPU idle, or the program has failed */
};

/* The work it has done so far; may be read by any thread. */
struct vidmm_program_counts {
    atomic_uint_fast64_t records; /* events of the trace behind it */
    atomic_uint_fast64_t frames, submissions, allocations, maps, unmaps;
    atomic_uint_fast64_t presents; /* queued, and how often their surface was compared */
    atomic_uint_fast64_t screens;
    atomic_uint_fast64_t writes;        /* D events */
    atomic_uint_fast64_t renames;       /* of these, those that went to another instance */
    atomic_uint_fast64_t trimmed;       /* bytes that left because the manager asked for it */
    atomic_uint_fast64_t pages_checked; /* by the CPU, before its writes */
    atomic_uint_fast64_t mismatches;    /* D events that found a wrong page */
    atomic_uint_fast64_t check_ns;      /* spent in checking and writing contents */
};

struct vidmm_memory;
struct vidmm_program;
struct vidmm_report;

/*
 * Make a program at the start of its trace, with a device and a context for each queue.
 *
 * memory   for its records, must outlive it. report: receives a sentence about a refusal.
 * Answers what vidmm_device_create and vidmm_context_create answer; STATUS_NO_MEMORY.
 */
NTSTATUS vidmm_program_create(const struct vidmm_memory *memory,
                              const struct vidmm_program_options *options,
                              struct vidmm_program **program, struct vidmm_report *report);

/* End it where it is: destroy what it still has, contexts and device too. May wait. Takes NULL. */
void vidmm_program_destroy(struct vidmm_program *program);

/* Do the next event of the trace. */
enum vidmm_program_state vidmm_program_step(struct vidmm_program *program);

/* Why it has failed: the event, by file and line, and what the adapter answered. NULL: it has
 * not. */
const char *vidmm_program_failure(const struct vidmm_program *program);
/* The status behind the failure; STATUS_SUCCESS: it has not failed. */
NTSTATUS vidmm_program_failure_status(const struct vidmm_program *program);

/* The first wrong page that a CPU write found, in a sentence. NULL: there was none. */
const char *vidmm_program_mismatch(const struct vidmm_program *program);

const struct vidmm_program_counts *vidmm_program_counts(const struct vidmm_program *program);

/* The submission with this number, counted from 0 in the order of the trace, for sentences:
 * "vkcube.vmt.gz:210: submission 17 (frame 16)". */
void vidmm_program_name_submission(const struct vidmm_trace *trace, const char *name,
                                   uint64_t number, struct vidmm_report *text);
/* Its record; NULL: there are not so many. */
const struct vidmm_trace_record *vidmm_program_submission(const struct vidmm_trace *trace,
                                                          uint64_t number);

#endif
