/* machine.h: a computer in one process: memory, slots for devices, processors, a clock.
 *
 *     physical addresses
 *     0xC000_0000        BARs of 32 bits, of any slot: 1 GiB
 *     0x1_0000_0000      system memory: page frames, handed out by take_pages()
 *       (hole)
 *     0x100_0000_0000    BAR 0 of slot 0  |  each BAR has a window of 64 GiB of its own;
 *     0x110_0000_0000    BAR 1 of slot 0  |  what lies between is a hole
 *       ...
 *
 *                      struct vidmm_machine
 *       +----------------------+------------------------------+
 *       |  caller "openarena"  |  slot 0                      |
 *       |  caller "racer"      |    host <-- the manager      |
 *       |   (step functions)   |    bus  <-- the device model |
 *       +----------------------+------------------------------+
 *
 * A slot is where a device model (softgpu) is plugged in and where the manager finds the operating
 * system that serves it: struct vidmm_host of <vidmm/host.h> on one side, struct vidmm_bus of
 * <vidmm/bus.h> on the other. Callers are the programs: functions that do a piece of their work a
 * step. The machine lets callers, engines, interrupts, deferred procedure calls and work run, in
 * one of two ways:
 *
 *   threaded   each caller and each engine has a thread, each slot one for its deferred procedure
 *              call and one for its work; an interrupt runs on the thread that raises it. A thread
 *              in wait() runs a deferred procedure call that becomes pending, and work that never
 *              waits, before a thread is woken for it.
 *   simulated  one thread; a seed chooses who steps next, whether an interrupt is served at once or
 *              later, and where a driver is interrupted. The same seed is the same run. Time is a
 *              number: every step adds to it, and when nobody can step it goes forward at once to
 *              what comes first, a timer or the end of a wait.
 *
 * Ownership: the machine owns slots, buses, hosts and engines; all are valid until
 * vidmm_machine_destroy(). The device model, the callers' arguments and the client of a host belong
 * to whoever handed them in, and outlive their being plugged in, added, connected.
 *
 * Threads: slots and callers are added, and devices plugged in and out, by one thread while nothing
 * runs. The functions of host and bus may be called by any thread that is a caller, an engine or
 * the client of a host, and by the thread that made the machine; with `visitors` by every thread.
 * Under the simulated kind all of these are one thread.
 */
#ifndef VIDMM_HOST_MACHINE_H
#define VIDMM_HOST_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VIDMM_MACHINE_SYSTEM_BASE 0x100000000u /* physical address of the first page frame */
#define VIDMM_MACHINE_SYSTEM_LIMIT (UINT64_C(1) << 39) /* most bytes of system memory */
#define VIDMM_MACHINE_AGP_BASE UINT64_C(0x80000000)    /* and of the AGP aperture */
#define VIDMM_MACHINE_AGP_LIMIT (UINT64_C(1) << 30)
#define VIDMM_MACHINE_LOW_BASE UINT64_C(0xC0000000) /* and of BARs of 32 bits */
#define VIDMM_MACHINE_LOW_SIZE (UINT64_C(1) << 30)
#define VIDMM_MACHINE_LOW_MOST (UINT64_C(1) << 29) /* most bytes of one */
#define VIDMM_MACHINE_LOW_UNIT (UINT64_C(1) << 20) /* addresses that one takes at least */
#define VIDMM_MACHINE_BAR_BASE UINT64_C(0x10000000000)
#define VIDMM_MACHINE_BAR_WINDOW (UINT64_C(1) << 36) /* most bytes of a BAR */
#define VIDMM_MACHINE_SLOTS 16u                      /* most slots of a machine */
#define VIDMM_MACHINE_ENGINES 32u                    /* most engines of a slot */
#define VIDMM_MACHINE_NAME_SIZE 48u                  /* longer names are cut */

struct vidmm_device_model;
struct vidmm_machine;
struct vidmm_slot;

enum vidmm_machine_kind {
    VIDMM_MACHINE_THREADED,
    VIDMM_MACHINE_SIMULATED,
};

/* The bytes written over pages whose content is wanted no more, and over pages never used before: a
 * machine fresh from the shop holds rubbish, not zeros. Bytes of pages dropped, released and never
 * used differ. */
enum vidmm_poison {
    VIDMM_POISON_NOTHING,
    VIDMM_POISON_HEAD,  /* the first 64 bytes of every page */
    VIDMM_POISON_WHOLE, /* every byte */
};

enum {
    VIDMM_POISON_DROPPED = 0xD5,
    VIDMM_POISON_RELEASED = 0xE7,
    VIDMM_POISON_UNUSED = 0xC3,
};

struct vidmm_machine_options {
    enum vidmm_machine_kind kind;
    /* Shuffles page frames under both kinds. Simulated: chooses the interleaving as well; 0 is the
     * eager order: devices before callers, each in turn, interrupts at once, nothing random. It is
     * the fastest. */
    uint64_t seed;
    uint64_t system_memory; /* bytes, whole pages, to VIDMM_MACHINE_SYSTEM_LIMIT; 0: 1 GiB */
    uint64_t agp_aperture;  /* bytes, whole pages, to VIDMM_MACHINE_AGP_LIMIT; 0: there is none */
    bool agp_posts; /* the bridge of the aperture holds the GPU's writes back until it is read
                      through, or the GART changes */
    /* Hand page frames out from the lowest up. False: as short runs of 1 to 16 in random order, so
     * that nobody is right by accident who takes them for consecutive. */
    bool ordered_frames;
    enum vidmm_poison poison;
    /* The processor's caches hold all of every cached page, and devices go past them: the CPU's
     * writes stay in them, and a device's writes do not show, until a flush. False: devices and
     * caches are coherent, as on any PC. */
    bool caches_apart;
    bool x64; /* the processor is an x86 or x64: caches_apart is false (S2-026) */
    /* Threaded: threads that the machine does not know call its hosts, now and then. So it never
     * says that nothing can change any more: a wait without an end has none, run() and settle() are
     * not for such a machine. */
    bool visitors;
    /* Told of misuse: a call at a level where it is forbidden, a mutex taken twice. NULL: the text
     * goes to stderr and the program is aborted, unless it was built with NDEBUG. If the function
     * returns, the call answers false (or does nothing, if it answers nothing). */
    void (*misuse)(void *argument, const char *text);
    void *misuse_argument;
};

/* The pages and other things taken from the machine at the moment, and requested since its
 * creation. */
struct vidmm_machine_counts {
    uint64_t blocks;           /* of host memory, live */
    uint64_t bytes;            /* in those blocks */
    uint64_t pages;            /* of system memory, taken */
    uint64_t mappings;         /* by map_pages(), of frames that are not consecutive, and windows */
    uint64_t block_requests;   /* calls of memory.allocate() */
    uint64_t page_requests;    /* calls of take_pages() */
    uint64_t mapping_requests; /* calls of map_pages() and create_window() */
    uint64_t steps;            /* simulated: steps of callers, engines, interrupts and so on */
};

/* The answer of a caller's step. */
enum vidmm_caller_state {
    VIDMM_CALLER_RAN,     /* there is more to do: call again */
    VIDMM_CALLER_BLOCKED, /* nothing to do before the next wake() of any host: call again then. A
                             wake() during the step counts */
    VIDMM_CALLER_DONE,    /* never call again */
};

/*
 * Make a machine without slots and callers.
 *
 * options: the machine keeps a copy. error: receives a sentence about a refusal, cut to error_size
 * bytes; NULL if that is not wanted.
 * NULL: an option is out of its range, or the system gives no memory; error says which.
 */
struct vidmm_machine *vidmm_machine_create(const struct vidmm_machine_options *options, char *error,
                                           size_t error_size);

/* Unplug what is plugged in, end all threads, give all memory back. Every host must have been
 * disconnected and no caller may be inside a step. NULL: nothing happens. */
void vidmm_machine_destroy(struct vidmm_machine *machine);

/* Add a slot, empty. NULL: there are VIDMM_MACHINE_SLOTS already, or there is no memory (threaded:
 * or no thread); nothing has changed. */
struct vidmm_slot *vidmm_machine_add_slot(struct vidmm_machine *machine);

/* The bus as a device model in the slot sees it; valid as long as the machine, though add_memory()
 * and add_engine() are undone by unplugging. */
const struct vidmm_bus *vidmm_slot_bus(struct vidmm_slot *slot);

/* The last request to the bus's add_memory() or add_view() for BAR `region` (0 .. VIDMM_BUS_REGIONS
 * - 1) since the slot was empty: `size` in bytes, whether there was room for it or not. False: for
 * nothing. */
bool vidmm_slot_asked_memory(const struct vidmm_slot *slot, unsigned region, uint64_t *size);

/* The host as the manager of the slot's device sees it; valid as long as the machine. */
const struct vidmm_host *vidmm_slot_host(struct vidmm_slot *slot);

/*
 * Put a device into the slot: from now on read_config() and write_config() of the host reach it.
 *
 * The machine answers the vendor and device id (offsets 0 to 3) and the BARs (0x10 to 0x27: of
 * memory, views, registers and ports, as config.c draws them; they can be sized in the way of PCI,
 * by writing all ones and reading, and stay where they are); all else goes to the model. The bytes
 * at model are copied.
 * False: the slot is taken, two BARs have one place, or no addresses are left for one of 32 bits
 * with registers.
 */
bool vidmm_slot_plug(struct vidmm_slot *slot, const struct vidmm_device_model *model);

/* The first address, or port, that BAR `region` of the device in the slot decodes. 0: there is no
 * such BAR. */
uint64_t vidmm_slot_bar_address(const struct vidmm_slot *slot, unsigned region);

/* Whether the BAR has 32 bits because the device asked for it, or because it is the last one. */
bool vidmm_slot_is_32_bits(const struct vidmm_slot *slot, unsigned region);

/* Take the device out: on return none of its engines runs or will run, its memory is gone, and
 * interrupts not yet served are lost. The host must be disconnected. An empty slot stays empty. */
void vidmm_slot_unplug(struct vidmm_slot *slot);

/* The accesses of the slot's device to system memory that the IOMMU did not let through, since the
 * slot was made, and the address of the newest. */
uint64_t vidmm_slot_faults(const struct vidmm_slot *slot, uint64_t *address);

/*
 * Remap, as an IOMMU in front of the device: it, and nobody else, finds at [address, address +
 * size), whole pages where the machine has nothing, the system memory that is mapped at `bytes`,
 * which is not cached. One range at a time; bytes NULL: none. The device uses none while it
 * changes.
 */
void vidmm_slot_remap(struct vidmm_slot *slot, uint64_t address, void *bytes, uint64_t size);

/*
 * Add a program. step is called from vidmm_machine_run(), at passive level, never twice at once,
 * until it answers VIDMM_CALLER_DONE. It may use the host's wait().
 * False: no memory; nothing has changed.
 */
bool vidmm_machine_add_caller(struct vidmm_machine *machine, const char *name,
                              enum vidmm_caller_state (*step)(void *argument), void *argument);

/*
 * Let everything run until all callers are done. Nobody starves: everything that can run does, in
 * time.
 *
 * report: receives, after a false answer, a sentence that names the callers; NULL if unwanted.
 * False: nothing in the machine can change any more, no timer is set, and callers are still
 * blocked. They stay as they are; a caller that does what they wait for may run the machine again.
 */
bool vidmm_machine_run(struct vidmm_machine *machine, char *report, size_t report_size);

/*
 * Let everything but the callers run until nothing can: engines idle, no interrupt, deferred
 * procedure call or work pending, no timer set to a time that has come.
 *
 * A timer set to a later time stays set, and settling does not wait for it: the simulated clock
 * does not go forward to it. But work that is in wait() is waited for, as long as anything, a timer
 * too, can still end its wait. Not from within a caller, or while one runs.
 */
void vidmm_machine_settle(struct vidmm_machine *machine);

/* The CPU address of [physical_address, physical_address + size), as the bus gives it: NULL unless
 * it lies in system memory, or in one BAR. For checking contents. */
void *vidmm_machine_memory(struct vidmm_machine *machine, uint64_t physical_address, uint64_t size);

/* Let the n-th call from now of memory.allocate(), take_pages(), or of map_pages() and
 * create_window() together fail, of any slot; the calls after it succeed again. 1 is the next; 0:
 * none fails. map_pages() of consecutive frames counts, but cannot fail. */
void vidmm_machine_fail_allocation(struct vidmm_machine *machine, uint64_t n);
void vidmm_machine_fail_pages(struct vidmm_machine *machine, uint64_t n);
void vidmm_machine_fail_mapping(struct vidmm_machine *machine, uint64_t n);

/* Count what is taken. All of blocks, pages and mappings is 0 once a manager has let go. */
struct vidmm_machine_counts vidmm_machine_counts(struct vidmm_machine *machine);

#ifdef __cplusplus
}
#endif

#endif
