/* stress.h: programs that call everything of include/vidmm at random, from many threads.
 *
 *     round     a machine, a GPU, an adapter, of a kind that the round's seed draws
 *       |
 *       +-- program 0 .. 7   each a caller of the machine, with devices of its own
 *       +-- commons          a device, contexts and allocations that all programs use at once
 *       +-- shelf            handles of shared resources, for whoever opens them
 *
 *     manager -- tap (the auditor) -- softgpu
 *
 * Judgements: every status is one that the call's page lists (calls.def); calls that must be
 * refused are refused; bytes that a program owns are there whenever it, or the GPU, looks
 * (base/content.h); the auditor finds nothing against the manager; nothing of the machine is left
 * at the end.
 *
 * Acts that the headers leave undefined are left out: an object is named no more once it has been
 * destroyed, and nobody destroys an object that another is naming in a call.
 */
#ifndef TEST_STRESS_STRESS_H
#define TEST_STRESS_STRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <vidmm/adapter.h>
#include <vidmm/dump.h>
#include <vidmm/history.h>
#include <vidmm/present.h>
#include <vidmm/residency.h>
#include <vidmm/resource.h>
#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "base/content.h"
#include "contract/contract.h"
#include "host/machine.h"
#include "softgpu/device.h"
#include "softgpu/driver.h"
#include "softgpu/softgpu.h"

enum {
    STRESS_PROGRAMS = 16,    /* most */
    STRESS_DEVICES = 2,      /* of a program */
    STRESS_CONTEXTS = 2,     /* of a device */
    STRESS_ALLOCATIONS = 16, /* of a device */
    STRESS_RESOURCES = 3,    /* of a device */
    STRESS_SURFACES = 2,     /* of a device */
    STRESS_PAGES = 24,       /* of an allocation */
    STRESS_REFERENCES = 6,   /* of a command */
    STRESS_COMMANDS = 4,     /* of a command buffer */
    STRESS_COMMONS = 6,
    STRESS_SHELF = 8,
    STRESS_MEMORIES = 24, /* of a program: memory for ExistingSysMem */
    STRESS_SLOTS = 8,     /* of a program of WDDM 2: commands in flight */
    STRESS_MEMBERS = 2,   /* of a resource that it shares */
    STRESS_SOURCES = 2,   /* of an adapter that has a display */
    /* of a program of WDDM 2: its own, of what it shares, and of what another one does */
    STRESS_LISTED = STRESS_ALLOCATIONS + 2 * STRESS_MEMBERS,
};

/* ---- calls and statuses ---- */

/* A row a call, and what it may answer. */
enum stress_call {
#define CALL(id, name, statuses) STRESS_##id,
#include "calls.def"
#undef CALL
    STRESS_CALLS
};

enum { STRESS_STATUSES = 24 }; /* of calls.c */

const char *stress_call_name(enum stress_call call);

/* How often each call gave each answer. */
struct stress_counts {
    atomic_uint_fast64_t answers[STRESS_CALLS][STRESS_STATUSES];
};
void stress_counts_print(struct stress_counts *counts, FILE *file);
uint64_t stress_counts_total(struct stress_counts *counts);

/* ---- what a round is like ---- */

struct stress_options {
    uint64_t seed;
    uint64_t first_round; /* from 0 */
    uint64_t rounds;      /* 0: until the time is over */
    double minutes;
    unsigned programs;
    unsigned calls; /* of a program in a round */
    unsigned level; /* 1: rounds of WDDM 1 alone, 2: of WDDM 2; 0: in turn */
    bool simulated; /* rounds on the simulated machine alone, which are the same each time */
    bool few;       /* the calls that older seeds knew alone: their rounds stay the same */
    bool verbose;
    FILE *ddi_log; /* NULL: none */
};

struct stress_weather {
    char gpu[1200]; /* the configuration of the GPU */
    enum vidmm_machine_kind kind;
    uint64_t seed;
    unsigned links, level; /* 10, 11, 12, 13; 20: WDDM 2, by addresses */
    uint64_t most_listed;  /* 20: bytes that a program has resident, at most */
    bool contents;         /* the GPU checks and writes: nothing is lost unless somebody says so */
    bool hangs;            /* engines hang: devices end in error, and the adapter may be lost */
    bool poor;             /* memory of the host fails now and then */
    bool pitched, agp, agp_posts, caches_apart, ranges, history, isolated;
    bool io;                /* 20: the GPU uses the CPU's page tables */
    bool hosted;            /* 20: the CPU sees the memory segment by a CPU host aperture */
    bool tight;             /* 20: system memory is short: what is offered is given up */
    bool local_tables;      /* 20: page tables lie in the memory segment, not in system memory */
    bool hw_queues;         /* 20: some contexts have a hardware queue */
    bool displays;          /* the adapter has sources, which show primaries */
    bool changes;           /* 20: properties and addresses change, processes are suspended */
    bool naps;              /* 20: the adapter loses its power now and then */
    bool many;              /* the calls that older seeds did not know */
    bool unplugs;           /* Plug and Play stops the device before the programs end */
    uint64_t system_memory; /* bytes */
    unsigned nodes, segments;
    struct vidmm_adapter_options adapter;
};

/* level: 1 or 2, of WDDM. */
void stress_weather_draw(struct stress_weather *weather, const struct stress_options *options,
                         uint64_t seed, unsigned level);

/* ---- what programs have ---- */

struct stress_context {
    struct vidmm_context *handle;
    struct vidmm_hw_queue *hw; /* WDDM 2: commands go there; NULL: to the context itself */
    uint32_t node;
    uint64_t value; /* of its last DMA buffer */
};

/* The last acts on an allocation, for a reader who learns that its content is wrong. */
enum { STRESS_NOTES = 10 };
struct stress_note {
    const char *what;
    uint32_t flags;
    uint64_t value;
};

/* Content is known, or nobody's business. */
struct stress_allocation {
    struct vidmm_allocation *handle; /* NULL: there is none */
    uint32_t id, generation;
    uint64_t pages, digest;
    uint32_t cpu[STRESS_PAGES]; /* number of the CPU's last write, by page */
    uint32_t flags, sets;
    bool known;   /* its content: below, and zeros at first */
    bool silent;  /* the CPU writes nothing (LinkInstanced) */
    bool renames; /* a lock with Discard may have made further instances of it */
    bool history; /* a history buffer: never named in a command but by its own */
    bool offered;
    unsigned locks;
    struct stress_context *used; /* by its last DMA buffer; NULL: none */
    uint64_t value;
    int resource; /* of the device, -1: none */
    struct stress_note notes[STRESS_NOTES];
    unsigned note_count;
};

struct stress_device {
    struct vidmm_device *handle; /* NULL: there is none */
    struct stress_context contexts[STRESS_CONTEXTS];
    struct stress_allocation allocations[STRESS_ALLOCATIONS];
    struct vidmm_resource *resources[STRESS_RESOURCES];
    struct {
        struct vidmm_resource *resource;
        struct vidmm_allocation *allocation;
    } surfaces[STRESS_SURFACES];
    /* The resource that another program has shared, opened here. */
    struct vidmm_resource *opened;
    struct vidmm_allocation *opened_allocations[2];
    /* The resource that this program shares. */
    struct vidmm_resource *shared;
};

/* An allocation of all programs: its content is zeros where contents are judged, and anything
 * elsewhere. users: the programs that name it now; -1: somebody makes or destroys it. */
struct stress_common {
    atomic_int users;
    struct vidmm_allocation *handle;
    uint64_t pages;
};

/* An allocation of a program of WDDM 2. Its content is known. */
struct stress_listed {
    struct vidmm_allocation *handle; /* NULL: there is none */
    uint32_t id, generation, sets;
    uint64_t pages, digest, address;
    uint32_t cpu[STRESS_PAGES]; /* as of struct stress_allocation */
    uint64_t value;             /* of the paging queue: it has come then */
    uint64_t used[STRESS_CONTEXTS];
    unsigned char *data; /* by Lock2; NULL: it is not locked */
    bool visible;        /* to the CPU wherever it is: CpuVisible, and not Cached */
    bool listed, offered;
    bool zeros; /* of a shared resource: nobody writes to it, and it lives with its resource */
    bool lost;  /* its memory was given up: it can only be destroyed */
};

/* A program of WDDM 2: its device, and commands in memory of its own. */
struct stress_explicit {
    struct vidmm_device *device; /* NULL: it has not begun */
    bool failed;                 /* the device is in error, which hangs may do */
    struct vidmm_paging_queue *queue;
    struct vidmm_fence *fences[STRESS_CONTEXTS]; /* that the context signals */
    uint64_t fence_values[STRESS_CONTEXTS];
    struct vidmm_fence *changes; /* behind which addresses change ... */
    uint64_t changed;            /* ... and the value behind the last batch */
    uint64_t reservation;        /* addresses that change so; 0: there is none */
    uint64_t bytes;              /* that are listed */
    struct stress_context contexts[STRESS_CONTEXTS];
    struct stress_listed allocations[STRESS_LISTED];
    struct vidmm_resource *shared, *opened;
    struct vidmm_resource *screen; /* with `primary`; NULL: there is none */
    struct stress_listed primary;
    struct vidmm_allocation *commands;
    unsigned char *commands_data;
    uint64_t commands_address, commands_value;
    struct stress_slot {
        unsigned context;
        uint64_t value; /* of the context, for the commands there; 0: none */
    } slots[STRESS_SLOTS];
    unsigned next_slot;
};

struct stress_world;
struct vidmm_command;
struct vidmm_fence_point;

struct stress_program {
    struct stress_world *world;
    unsigned index;
    uint64_t random;
    unsigned steps;
    uint32_t next_id;
    bool powered_down; /* it has taken the adapter's power away, and has to give it back */
    bool failing;      /* it has put its device in error, which it destroys next */
    bool noticed;      /* its device tells it of requests to trim */
    atomic_uint notices_due, notices_come; /* of waits for fences */
    atomic_uint asked;                     /* how often it was asked to trim */
    bool over;
    atomic_int doing; /* the call that it is in, -1: none */
    struct stress_device devices[STRESS_DEVICES];
    struct stress_explicit explicit; /* WDDM 2 */
    void *memories[STRESS_MEMORIES];
    unsigned memory_count;
    struct vidmm_report report;
};

struct stress_world {
    const struct stress_options *options;
    struct stress_weather weather;
    struct stress_counts *counts;
    struct vidmm_machine *machine;
    struct vidmm_slot *slots[SOFTGPU_LINKS];
    struct softgpu_device *gpus[SOFTGPU_LINKS];
    struct softgpu_chain chain;
    struct softgpu_physical_device places[SOFTGPU_LINKS];
    struct vidmm_adapter_link links[SOFTGPU_LINKS];
    struct vidmm_tap *tap;
    struct vidmm_adapter *adapter;
    struct stress_program programs[STRESS_PROGRAMS];
    struct vidmm_device *common_device;
    struct vidmm_context *common_contexts[STRESS_CONTEXTS];
    struct stress_common commons[STRESS_COMMONS];
    atomic_uint shelf[STRESS_SHELF]; /* handles, dead ones too */
    atomic_flag power;               /* one thread at a time changes it */
    atomic_bool lost;                /* the adapter has stopped, which hangs and Plug and Play do */
    atomic_bool failed;
    atomic_flag failure_taken;
    char failure[1200];
};

/* ---- stress.c, world.c ---- */

/* Say what is wrong; the first word counts. The round ends. */
void stress_fail(struct stress_world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Play a round; false: something was wrong, world->failure says what. */
bool stress_round(struct stress_world *world);

/* ---- program.c ---- */

enum vidmm_caller_state stress_step(void *argument); /* of a struct stress_program */

/* ---- what programs do: each function makes one call, or a few ---- */

void stress_note(struct stress_allocation *allocation, const char *what, uint32_t flags,
                 uint64_t value);

/* Before a call, and after it: count the answer, and judge whether it may be. */
void stress_enter(struct stress_program *program, enum stress_call call);
NTSTATUS stress_leave(struct stress_program *program, enum stress_call call, NTSTATUS status);
/* Judge the answer to a call that is wrong: success is none. */
void stress_refused(struct stress_program *program, enum stress_call call, NTSTATUS status,
                    const char *what);

/* A piece of work, and how often it is done, of all. */
struct stress_work {
    unsigned weight;
    void (*work)(struct stress_program *program);
};
/* Do the one of them, from `one` on, that `chosen` falls on: it is below the sum of the weights. */
void stress_do(struct stress_program *program, const struct stress_work *one, uint32_t chosen);

uint32_t stress_below(struct stress_program *program, uint32_t limit); /* 0 .. limit - 1 */
bool stress_chance(struct stress_program *program, uint32_t percent);

struct stress_device *stress_some_device(struct stress_program *program); /* or NULL */
struct stress_allocation *stress_some_allocation(struct stress_program *program,
                                                 struct stress_device *device); /* or NULL */

/* objects.c */
void stress_device_work(struct stress_program *program); /* create, destroy, ask */
void stress_device_finish(struct stress_program *program, struct stress_device *device);
void stress_context_work(struct stress_program *program);
void stress_allocation_work(struct stress_program *program);
void stress_allocation_forget(struct stress_allocation *allocation);
void stress_program_memories_free(struct stress_world *world); /* when the adapter is gone */
/* The private data of a user-mode driver for an allocation that may be. */
struct softgpu_allocation stress_wish(struct stress_program *program, uint64_t size, uint32_t flags,
                                      uint32_t sets);

/* listed_queue.c: contexts and hardware queues, as one. */
/* The GPU of a link that runs what the program queues, and has its page tables. */
unsigned stress_place_of(const struct stress_program *program);
NTSTATUS stress_queue_begin(struct stress_program *program, struct stress_context *queue);
/* The last of its commands that is done, and all before it. */
uint64_t stress_queue_completed(const struct stress_context *queue);
/* Queue a command; queue->value is its value. */
NTSTATUS stress_queue_submit(struct stress_program *program, struct stress_context *queue,
                             const struct vidmm_command *command);
NTSTATUS stress_queue_wait(struct stress_program *program, const struct stress_context *queue,
                           uint64_t value);
/* The next commands come behind the point; the point is reached behind the ones before it. */
NTSTATUS stress_queue_follow(struct stress_program *program, const struct stress_context *queue,
                             const struct vidmm_fence_point *point);
NTSTATUS stress_queue_signal(struct stress_program *program, const struct stress_context *queue,
                             const struct vidmm_fence_point *point);

/* listed_shared.c: resources that programs of WDDM 2 share; listed_wrong.c: their wrong calls. */
void stress_listed_share_work(struct stress_program *program);
/* listed_change.c */
void stress_listed_change_work(struct stress_program *program);
/* listed_display.c */
void stress_listed_display_work(struct stress_program *program);
void stress_listed_wrong_work(struct stress_program *program);

/* listed.c */
/* As stress_leave(), and judge an answer that no program of WDDM 2 may get. */
NTSTATUS stress_listed_leave(struct stress_program *program, enum stress_call call,
                             NTSTATUS status);
/* Give what was created or opened an address. False: it has none. */
bool stress_listed_map(struct stress_program *program, struct stress_listed *one);
/* Forget one that goes, or went. */
void stress_listed_forget(struct stress_program *program, struct stress_listed *one);
void stress_listed_work(struct stress_program *program);
void stress_listed_finish(struct stress_program *program);
/* Wait for what is queued, where contents are judged: the program's fences end with its device, and
 * then nothing orders it. */
void stress_listed_end(struct stress_program *program);

/* sharing.c */
void stress_resource_work(struct stress_program *program);
void stress_share_work(struct stress_program *program);
void stress_surface_work(struct stress_program *program);
void stress_common_work(struct stress_program *program);
bool stress_common_begin(struct stress_world *world); /* before the programs */
void stress_common_end(struct stress_world *world);

/* use.c */
void stress_render_work(struct stress_program *program);
void stress_lock_work(struct stress_program *program);
void stress_offer_work(struct stress_program *program);

/* system.c */
void stress_system_work(struct stress_program *program);
void stress_power_work(struct stress_program *program);
void stress_fail_something(struct stress_program *program);
void stress_history_work(struct stress_program *program);
void stress_ask_work(struct stress_program *program);

/* wrong.c, wrong_later.c: with the calls that older seeds did not know */
void stress_wrong_work(struct stress_program *program);
void stress_wrong_later_work(struct stress_program *program);

/* ask.c: questions about all there is, which change nothing. */
void stress_ask_all_work(struct stress_program *program);

/* trouble.c: a device in error, messages, an IOMMU, Plug and Play. */
void stress_trouble_work(struct stress_program *program);

/* later.c: the calls of WDDM 1 that older seeds did not know. */
void stress_later_work(struct stress_program *program);

/* listed_fence.c: fences, and waits for them; queues that live for a moment. */
void stress_listed_fence_work(struct stress_program *program);
/* The program is told no more of requests to trim. */
void stress_listed_unnotice(struct stress_program *program);

/* listed_later.c: the other calls of WDDM 2 that older seeds did not know. */
void stress_listed_later_work(struct stress_program *program);
/* listed_wrong_later.c */
void stress_listed_wrong_later_work(struct stress_program *program);
/* Have the caches forget the bytes, and memory know them. */
void stress_listed_flush(struct stress_program *program, const struct stress_listed *one,
                         uint64_t offset, uint64_t length);

/* later.c: for both levels. */
/* A device of the program, and what it has. */
struct stress_target {
    struct vidmm_device *device;
    struct vidmm_context *context; /* one of its contexts; NULL: it has none */
    struct vidmm_allocation *allocations[STRESS_LISTED];
    uint32_t count; /* of these */
};
/* False: the program has no device now. */
bool stress_aim(struct stress_program *program, struct stress_target *target);
/* Flags of a destruction. gone: the GPU uses it no more; held: the CPU still has it locked. */
uint32_t stress_destruction(struct stress_program *program, bool gone, bool held);

#endif
