/* state.h: the parts of a machine and of a slot, for the sources of this layer only.
 *
 *     machine.c    create, slots, callers, counts      table.c     what all kinds do alike
 *     config.c     config space                        physical.c  the address space
 *     frames.c     which page frames are free          random.h    the generator behind seeds
 *     simulated.c  host and bus, one thread            threaded.c  host and bus, many threads
 *     schedule.c   who steps next, by seed             runner.c    threads, sleep, jobs
 *     waiting.c    the loop, and waits                 fiber.c     stacks to wait on
 *     caching.c    the processor's caches
 *     adopted.c    memory of programs that devices reach
 *     isolation.c  what a device reaches           logical.c   ... and at which pages
 *     window.c     windows, and the fault handler
 *
 * A kind of machine is a table of functions (struct vidmm_machine_calls); it fills in the rest of
 * the host's and the bus's tables for each slot.
 */
#ifndef VIDMM_HOST_STATE_H
#define VIDMM_HOST_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include <vidmm/bus.h>
#include <vidmm/host.h>

#include "base/queue.h"
#include "host/frames.h"
#include "host/machine.h"
#include "host/physical.h"

struct vidmm_simulation;
struct vidmm_simulated_slot;
struct vidmm_threads;
struct vidmm_threaded_slot;

/* The calls that each kind of machine does in its own way. */
struct vidmm_machine_calls {
    bool (*begin)(struct vidmm_machine *machine); /* false: no memory or thread */
    void (*end)(struct vidmm_machine *machine);
    bool (*begin_slot)(struct vidmm_slot *slot); /* fills in slot->host and slot->bus too */
    void (*end_slot)(struct vidmm_slot *slot);
    /* End the slot's engines; on return none of them runs. */
    void (*end_engines)(struct vidmm_slot *slot);
    bool (*begin_caller)(struct vidmm_machine *machine, unsigned caller);
    bool (*run)(struct vidmm_machine *machine);
    void (*settle)(struct vidmm_machine *machine);
    /* The driver has touched a device; others may run now. */
    void (*touched)(struct vidmm_slot *slot);
    uint64_t (*steps)(const struct vidmm_machine *machine);
    /* Prepare for waits of those who touch closed windows. False: no memory. */
    bool (*begin_window)(struct vidmm_machine *machine);
    /* A thread has touched a closed window: wait until it is open. In a fault handler. False: it
     * never will be. */
    bool (*await_window)(struct vidmm_window *window);
};

struct vidmm_caller {
    char name[VIDMM_MACHINE_NAME_SIZE];
    enum vidmm_caller_state (*step)(void *argument);
    void *argument;
    /* The last step's answer. Written by whoever runs the caller, read when it does not
     * run. */
    enum vidmm_caller_state state;
};

/* agp.c */
struct vidmm_posted;
VIDMM_QUEUE_STRUCT(vidmm_posted_writes, struct vidmm_posted);

struct vidmm_agp {
    pthread_mutex_t mutex; /* protects `posted`. Nothing is taken under it */
    struct vidmm_posted_writes posted;
    uint64_t size;             /* bytes; 0: there is no AGP aperture */
    _Atomic uint64_t *entries; /* page frames; 0: none */
};

/* `size` is bytes. False: no memory. */
bool vidmm_agp_init(struct vidmm_agp *agp, uint64_t size);
void vidmm_agp_finish(struct vidmm_agp *agp);
/* Make of an address in the aperture that of the page it shows; others stay. False: no page is
 * shown there, or the bytes do not lie in one. */
bool vidmm_agp_translate(const struct vidmm_agp *agp, uint64_t *address, uint64_t size);
/* Put it into the host's table. */
void vidmm_agp_fill(struct vidmm_slot *slot);

/* iommu.c */
struct vidmm_iommu_space;

struct vidmm_iommu {
    pthread_mutex_t mutex;            /* protects the rest. Nothing is taken under it */
    struct vidmm_iommu_space *spaces; /* that are open */
    uint32_t next_pasid;
};

void vidmm_iommu_init(struct vidmm_iommu *iommu);
void vidmm_iommu_finish(struct vidmm_iommu *iommu);
/* Put it into the tables of host and bus. */
void vidmm_iommu_fill(struct vidmm_slot *slot);

/* isolation.c */
struct vidmm_domain {
    bool exists;
    bool logical;             /* it shows pages at logical ones */
    _Atomic uint32_t *counts; /* by frame, as frames.h counts: how often it is mapped; NULL: none */
    atomic_uint_fast64_t mapped; /* the sum of these */
    struct vidmm_frames pages;   /* logical ones. The machine's page mutex protects them */
    uint64_t taken;              /* of these, but for page 0, which nobody gets */
    atomic_uint_fast64_t
        *shown; /* by logical page: the page frame there; 0: none; NULL: none yet */
};

/* Put it into the host's table; give its memory back. */
void vidmm_isolation_fill(struct vidmm_slot *slot);
void vidmm_isolation_finish(struct vidmm_slot *slot);
/* Make of an address of the device in the slot that of the memory it finds there. False: it does
 * not reach all these bytes, or they lie in pages that are not one behind the other; if it does not
 * reach the first of them, that is a fault, and counted. Any thread. */
bool vidmm_isolation_find(struct vidmm_slot *slot, uint64_t *address, uint64_t size);
/* The page frame that the device finds at a page; 0: none. Any thread. */
uint64_t vidmm_isolation_frame(const struct vidmm_slot *slot, uint64_t page);
/* logical.c: put the logical pages of a domain into the host's table. */
void vidmm_logical_fill(struct vidmm_slot *slot);
/* Forget them, at the end of a domain; give their memory back. */
void vidmm_logical_forget(struct vidmm_slot *slot);
void vidmm_logical_finish(struct vidmm_slot *slot);
/* isolation.c: count one more mapping of the frame in the slot's domain, or one less. False: there
 * is no such domain or frame, or it is not mapped. */
bool vidmm_isolation_count(struct vidmm_slot *slot, uint64_t frame, bool mapped);
/* Whether a domain maps the page frame, by its number on the machine. */
bool vidmm_isolation_has(const struct vidmm_machine *machine, uint64_t frame);

struct vidmm_slot {
    struct vidmm_machine *machine;
    unsigned index; /* in machine->slots */
    struct vidmm_bus bus;
    struct vidmm_host host;
    bool plugged;
    struct vidmm_device_model model;
    /* PCI: the last write to each word of the BARs was all ones: it answers its size. */
    bool sizing[VIDMM_BUS_REGIONS];
    bool narrow[VIDMM_BUS_REGIONS]; /* its BAR is to have 32 bits */
    /* The last request to add_memory() or add_view(), given or not. */
    struct {
        bool any;
        uint64_t size; /* bytes */
    } asked[VIDMM_BUS_REGIONS];
    /* Addresses at which the device alone finds memory. */
    struct {
        _Atomic(uint8_t *) bytes; /* NULL: there are none */
        uint64_t address, size;   /* bytes */
    } remapped;
    struct vidmm_domain domain;            /* of this device, and of those linked to it */
    _Atomic(struct vidmm_slot *) attached; /* whose domain says what the device reaches; NULL: it
                                               reaches all memory */
    atomic_bool held;                      /* it reaches nothing */
    atomic_uint_fast64_t faults, fault_address;
    struct vidmm_simulated_slot *simulated;
    struct vidmm_threaded_slot *threaded;
};

struct vidmm_machine {
    struct vidmm_machine_options options;
    const struct vidmm_machine_calls *calls;
    /* Protects frames, mappings and poison marks. Innermost: nothing is taken under it. */
    pthread_mutex_t page_mutex;
    struct vidmm_frames frames;
    struct vidmm_physical physical;
    uint64_t *cached; /* a bit a frame, as frames.h counts: taken to be mapped cached */
    struct vidmm_adopted *adopted; /* adopted.c: memory of programs that has frames */
    unsigned slot_count;
    struct vidmm_agp agp;
    struct vidmm_iommu iommu;
    struct vidmm_slot *slots[VIDMM_MACHINE_SLOTS];
    unsigned caller_count;
    struct vidmm_caller **callers;
    struct vidmm_simulation *simulation;
    struct vidmm_threads *threads;

    atomic_uint_fast64_t blocks, bytes;
    atomic_uint_fast64_t block_requests, page_requests, mapping_requests;
    /* The request that fails, by its number in *_requests; 0: none. */
    atomic_uint_fast64_t fail_block, fail_page, fail_mapping;
};

extern const struct vidmm_machine_calls vidmm_simulated_calls;
extern const struct vidmm_machine_calls vidmm_threaded_calls;

/* Report misuse: by the option's function, or on stderr, ending the program in debug builds. */
__attribute__((format(printf, 2, 3))) void vidmm_machine_misuse(struct vidmm_machine *machine,
                                                                const char *format, ...);

/* Is the calling processor at or below `limit`? If not, that is misuse by the host's function
 * `name`. */
bool vidmm_slot_level(struct vidmm_slot *slot, uint8_t limit, const char *name);

/* caching.c. The page mutex is held. */
bool vidmm_machine_is_cached(const struct vidmm_machine *machine, uint64_t frame);
void vidmm_machine_set_cached(struct vidmm_machine *machine, uint64_t frame, bool cached);
/* Fill in what has to do with caches. */
void vidmm_slot_fill_caching(struct vidmm_slot *slot);
/* adopted.c: fill in what has to do with adopted pages. */
void vidmm_slot_fill_adopted(struct vidmm_slot *slot);
/* Forget what is adopted still, at the machine's end. */
void vidmm_machine_forget_adopted(struct vidmm_machine *machine);

/* table.c: is the frame one that take_pages() gave and nobody released? If not, that is misuse. */
bool vidmm_machine_check_frame(struct vidmm_machine *machine, uint64_t frame, const char *name);
bool vidmm_machine_take_frames(struct vidmm_machine *machine, uint64_t count,
                               uint64_t highest_frame, bool contiguous, enum vidmm_caching caching,
                               uint64_t *frames);
void vidmm_machine_release_frames(struct vidmm_machine *machine, uint64_t count,
                                  const uint64_t *frames, const char *name);
/* Count a request for host memory; is it the one that is to fail? */
bool vidmm_machine_block_fails(struct vidmm_machine *machine);
/* Count a request for a mapping; is it the one that is to fail? */
bool vidmm_machine_mapping_fails(struct vidmm_machine *machine);

/* Fill in what host and bus do alike under all kinds. */
void vidmm_slot_fill_tables(struct vidmm_slot *slot);

/* config.c: read and write config space, as struct vidmm_host tells. */
bool vidmm_slot_read_config(struct vidmm_slot *slot, uint32_t offset, void *buffer,
                            uint32_t length);
bool vidmm_slot_write_config(struct vidmm_slot *slot, uint32_t offset, const void *buffer,
                             uint32_t length);

/* config.c: is the place of the BAR, whose region is not there yet, free? */
bool vidmm_slot_bar_is_free(const struct vidmm_slot *slot, unsigned region);
/* Give the BAR its addresses for `size` bytes; those of 64 bits have them. False: there is no room
 * below 4 GiB. */
bool vidmm_slot_place_bar(struct vidmm_slot *slot, unsigned region, uint64_t size);

/* The window of BAR `region` of the slot in the physical address space. */
static inline unsigned vidmm_slot_bar(const struct vidmm_slot *slot, unsigned region)
{
    return slot->index * VIDMM_BUS_REGIONS + region;
}

_Static_assert(VIDMM_MACHINE_SLOTS *VIDMM_BUS_REGIONS <= VIDMM_PHYSICAL_BARS, "a window a BAR");

#endif
