/* world_state.h: the state of the symbolic machine, and what its parts ask of one another. */
#ifndef TEST_MODEL_WORLD_STATE_H
#define TEST_MODEL_WORLD_STATE_H

#include "world.h"

#include <wddm/ntstatus.h>

enum {
    ALLOCATIONS = 48,
    PAGES = 256,
    DMA_BUFFERS = 24,
    CONTEXTS = 4, /* numbers 2 to 5: two of each of the devices 1 and 2 */
    OWNED = 6,    /* allocations of contexts, from OWN on: one each, and one of each device */
    OWN = ALLOCATIONS,
    ALL = ALLOCATIONS + OWNED,
    OWN_PAGE = ALL,  /* of the manager, behind the bridge: WritePhysical may spoil it */
    READS = ALL + 1, /* pages for the raw bytes of the memory segment */
    NAMED = 24,
    REFERENCES = 26, /* those named, and those of the context */
    COMMANDS = 8,    /* of a DMA buffer */
    COMMAND_BYTES = 32,
    SLOTS = 5,
    PATCHES = 2 * REFERENCES,
    PAGED = 8,
    LISTED = 6,      /* allocations of a MakeResident */
    FENCES = 6,      /* ids of monitored fences are below this */
    FENCE_ACTS = 64, /* waits and signals that have not ended */
    QUEUE = 64,
    RECORDS = 4096
};

#define ZERO 1u
#define POISON 2u
#define TILED (UINT64_C(1) << 62) /* in the GPU's order; ZERO is in either */

/* A page that was written: never equal to a mark. */
static inline uint64_t world_content(uint32_t allocation, uint64_t page, uint32_t version)
{
    return (uint64_t)allocation << 48 | page << 32 | version;
}

struct allocation {
    bool alive, known; /* known: the engine has not said DESTROY yet */
    bool local, cpu_visible, permanent, synchronous, swizzled;
    bool mappable; /* local, and the aperture may show it too */
    uint32_t pages, version, device;
    uint32_t locks, busy;
    uint32_t listed;           /* how often its device's residency list counts it */
    bool stood;                /* in memory, before the step */
    bool made;                 /* a context's: it has content */
    uint32_t offer;            /* VIDMM_OFFER_...; 0: it is in use */
    bool copy;                 /* locked, and a segment has a copy to be refreshed */
    bool closed;               /* the window: a touch waits */
    bool lost;                 /* nothing renders with it any more */
    bool maybe_lost;           /* a reset came: it is as it was, or zeros; the first look tells */
    bool posted;               /* the GPU's writes may still be in the bridge */
    bool garbage;              /* a reset came while a pointer led to the segment */
    struct vidmm_place window; /* the place that it shows */
    uint32_t range;            /* by which; 0: none */
    uint32_t pending;          /* request of a lock that waits; 0: none */
    bool by_alternate;         /* it is locked by its alternate address */
    bool at_alternate;         /* the window shows the pages behind that */
    uint32_t alternate_pages;  /* as many as the driver wants there: as its own, or more */
    uint64_t alternate[PAGES];
    uint64_t backing[PAGES];
};

/* One operation, or a part of one, in a paging buffer. */
struct record {
    uint32_t allocation, operation;
    struct vidmm_place source, destination;
    uint64_t first, count; /* pages of the allocation */
    bool purge;            /* after a reset, which has emptied the table */
    uint32_t order;        /* VIDMM_PAGING_SWIZZLE, VIDMM_PAGING_UNSWIZZLE, 0 */
};

struct buffer {
    struct record records[RECORDS];
    uint32_t count, units;
    bool flying;
};

/* Commands use what stands in the slots: each patch location puts a reference into one, or empties
 * it, before the command at its split offset. */
struct dma_buffer {
    bool used, submitted;
    uint32_t device, context, count, retired;
    uint64_t order; /* among the waits and signals of its context */
    uint32_t owned; /* references behind `count`: of its context */
    struct vidmm_reference references[REFERENCES];
    struct vidmm_patch_location patches[PATCHES];
    uint32_t patch_count, commands; /* no patches: all commands use all references */
    uint32_t parts;                 /* submitted */
    uint32_t end;                   /* bytes submitted */
    uint32_t patched;               /* locations submitted */
    struct {
        uint32_t reference; /* and 1 more; 0: empty */
        struct vidmm_place place;
    } slots[SLOTS]; /* as the GPU has them while it runs the parts */
};

struct packet {
    uint32_t fence;
    uint32_t paging_buffer, dma_buffer;    /* one of them */
    uint32_t start, end, first, count;     /* of the DMA buffer: bytes, patch locations */
    bool switches;                         /* neither: the node leaves its context */
    struct vidmm_place places[REFERENCES]; /* as they were patched in */
    uint32_t paged_count, paged[PAGED];    /* of the paging buffer: the SynchronousPaging ones */
};

struct node {
    struct packet packets[QUEUE];
    uint32_t head, done, tail;     /* head: reported; done: executed */
    uint32_t submitted;            /* newest fence */
    bool idle;                     /* it has executed nothing since the adapter was reset ... */
    uint32_t reset_fence;          /* ... when that one was the newest (D-367) */
    bool hung, hard;               /* runs nothing; does not even stop */
    uint32_t preempt_fence;        /* of a preemption not answered yet; 0: none */
    struct packet returned[QUEUE]; /* in the order in which they must come again (D-084) */
    uint32_t returned_count;
    bool inside;                        /* between two parts of a DMA buffer */
    uint32_t context;                   /* the context that it runs, or still holds; 0: none */
    struct vidmm_place loaded[ALL + 2]; /* where it has used them since; segment 0: it has not */
};

/* A read of the memory segment. */
struct read {
    uint32_t request;      /* 0: none is under way */
    uint64_t first, count; /* pages of the segment */
    bool taken;            /* its first part was executed, and found `there` */
    bool reset;            /* the adapter was reset since it was asked for */
    uint64_t there[PAGES];
    bool touched[PAGES]; /* by the CPU since, whom nobody stops */
};

/* A monitored fence. */
struct fence {
    bool alive;
    bool read; /* VIDMM_DO_READ_FENCE is to be answered */
    uint32_t device;
    uint64_t memory, highest; /* its value, and the highest of all times */
    uint64_t planned;         /* by signals that are queued */
};

/* A wait or a signal that has not ended; of the CPU (request), or in a queue (context). */
struct fence_act {
    uint32_t fence; /* 0: it was destroyed; and no request: this record is free */
    uint32_t context, request, device;
    uint64_t value, order;
    bool signals;
};

struct world {
    struct world_options options;
    struct vidmm_engine *engine;
    struct allocation allocations[ALL + 2];
    struct read read;
    uint64_t memory[PAGES];
    struct vidmm_place table[PAGES]; /* the aperture: segment = allocation, offset = page */
    struct buffer buffers[VIDMM_PAGING_BUFFERS];
    struct dma_buffer dma_buffers[DMA_BUFFERS];
    struct vidmm_place placed[REFERENCES]; /* for the next submission */
    struct node nodes[4];
    struct vidmm_operation call; /* under way: kind 0: none */
    bool device_dead[4];
    uint64_t asked[5], signalled[5]; /* values of the paging queues 1 .. 4 */
    struct fence fences[FENCES];
    struct fence_act fence_acts[FENCE_ACTS];
    uint64_t order;
    uint32_t request;
    uint32_t range_owner[5]; /* by number, from 1; 0: free */
    bool evicting_all;
    uint32_t page_out_request;                    /* 0: there is none */
    uint32_t set_up;                              /* request for a range without a lock; 0: none */
    uint32_t power, rest_request, resume_request; /* of a rest; 0: none; none that is not granted */
    bool powerless;                               /* between the rest and its end */
    uint64_t time;
    struct world_counts counts;
    char problem[200];
};

#define FAIL(world, ...)                                                                           \
    (snprintf((world)->problem, sizeof((world)->problem), __VA_ARGS__), (world)->problem)

/* ---- memory.c -------------------------------------------------------------------------------- */

uint64_t world_expected(const struct allocation *allocation, uint32_t id, uint64_t page);
/* The expected content of the page as the GPU wants it. */
uint64_t world_expected_tiled(const struct allocation *allocation, uint32_t id, uint64_t page);
uint64_t *world_side(struct world *world, const struct record *record, struct vidmm_place place,
                     uint64_t page);
/* The node runs it from here on. The context that it leaves is forgotten; world_save_context()
 * before. */
void world_load_context(struct world *world, uint32_t node, uint32_t context);
const char *world_run_record(struct world *world, const struct record *record);
const char *world_use(struct world *world, const struct vidmm_reference *reference,
                      struct vidmm_place place);
const char *world_run_dma_buffer(struct world *world, uint32_t node, const struct packet *packet);
/* The CPU reads all of what it has locked, and writes it. */
const char *world_touch(struct world *world, uint32_t id);
void world_mark_backing(struct world *world, uint32_t id, uint64_t mark);

/* ---- contexts.c ------------------------------------------------------------------------------ */

/* The id of the allocation that a context or a device owns. */
uint32_t world_own_of_context(uint32_t context);
uint32_t world_own_of_device(uint32_t device);
/* Create or destroy one of them. */
const char *world_change_own(struct world *world, uint32_t argument);
/* Add what the context has to the references of its DMA buffer. */
void world_refer_to_own(struct world *world, struct dma_buffer *dma);
/* InitContextResource is executed. */
const char *world_initialise(struct world *world, const struct record *record);
/* The node leaves what it runs: only now it writes its state. */
const char *world_save_context(struct world *world, uint32_t node);
/* The node begins to run a part of the DMA buffer: everything its context has is as it was
 * saved. */
const char *world_check_own(struct world *world, const struct packet *packet);
/* No node may still write into it. */
const char *world_check_gone(struct world *world, uint32_t id);

/* ---- reads.c --------------------------------------------------------------------------------- */

/* Read a range, or give back what the last read was put into. */
const char *world_read(struct world *world, uint32_t argument);
/* The CPU has written this page, by a lock. */
void world_touched(struct world *world, const uint64_t *cell);
/* A part of one is executed. */
const char *world_run_read(struct world *world, const struct record *record);
/* It has ended. */
const char *world_have_read(struct world *world, NTSTATUS status);

/* ---- listed.c -------------------------------------------------------------------------------- */

const char *world_make_resident(struct world *world, uint32_t argument);
/* Evict what no DMA buffer that waits names, once. */
const char *world_evict(struct world *world, uint32_t argument);
/* A process has another budget. */
const char *world_budget(struct world *world, uint32_t argument);
/* A paging queue has come to a value. */
const char *world_signalled(struct world *world, const struct vidmm_operation *operation);
/* A DMA buffer of the device is submitted: all of its list is in place. */
const char *world_check_whole(struct world *world, uint32_t device);
/* Two devices of two processes, with two paging queues each. */
const char *world_begin_listed(struct world *world);

/* ---- fences.c -------------------------------------------------------------------------------- */

/* Create, destroy, signal or wait for one, by the CPU, the GPU, or in a queue. */
const char *world_fence(struct world *world, uint32_t argument);
/* Read those that are to be read. */
const char *world_read_fences(struct world *world);
/* Signal all of them, so that no wait stands. */
const char *world_end_fence_waits(struct world *world);
bool world_has_fence_waits(const struct world *world);
/* VIDMM_DO_WRITE_FENCE, VIDMM_DO_WAITED. */
const char *world_write_fence(struct world *world, const struct vidmm_operation *operation);
const char *world_waited(struct world *world, const struct vidmm_operation *operation);
/* A DMA buffer is submitted: all waits before it hold. */
const char *world_check_waits(struct world *world, uint32_t slot);
/* A device is in error. */
void world_fences_of_dead(struct world *world, uint32_t device);

/* ---- offers.c -------------------------------------------------------------------------------- */

/* Whether one of this rank stands idle in memory that could have gone. */
bool world_stays(const struct world *world, uint32_t wanted);
/* An allocation that left memory in this step did so for want of room, in an even world that does
 * one thing at a time: offered ones go before all else, low before high (D-212). */
const char *world_see_leave(struct world *world);

/* ---- driver.c -------------------------------------------------------------------------------- */

const char *world_step(struct world *world, struct vidmm_event *event, NTSTATUS *status);
bool world_has_range(const struct world *world, uint32_t allocation);
/* A lock keeps its allocation where it is, or its window follows. */
uint32_t world_claim(const struct world *world, struct allocation *allocation);
const char *world_answer_call(struct world *world);

/* ---- nodes.c --------------------------------------------------------------------------------- */

/* The driver's side of timeout detection and recovery. */
const char *world_recover(struct world *world, const struct vidmm_operation *call,
                          struct vidmm_event *event);
/* The driver's side of swizzling ranges: now and then it has no means, or not for this
 * allocation. */
const char *world_answer_range(struct world *world, const struct vidmm_operation *call,
                               struct vidmm_event *event);
const char *world_run_node(struct world *world, uint32_t node);
/* Report the newest executed packet; older ones go with it. */
const char *world_report(struct world *world, uint32_t node);

/* ---- plan.c ---------------------------------------------------------------------------------- */

void world_retire(struct world *world, const struct vidmm_operation *operation);
/* The bytes that must be there so that the CPU sees the content: a swizzling range makes rows of
 * tiles. */
uint64_t world_seen_by_cpu(const struct allocation *allocation, uint32_t id, uint64_t page);
const char *world_handle(struct world *world, const struct vidmm_plan *plan);

/* ---- program.c ------------------------------------------------------------------------------- */

const char *world_create_one(struct world *world, uint32_t argument);
const char *world_destroy_one(struct world *world, uint32_t argument);
const char *world_submit(struct world *world, uint32_t argument);
const char *world_lock(struct world *world, uint32_t argument);
/* Offer what is not locked, or take back what was: then the engine says whether its content is
 * lost. */
const char *world_offer(struct world *world, uint32_t argument);
const char *world_set_priority(struct world *world, uint32_t argument);
/* The power goes, or comes back. */
const char *world_rest(struct world *world, uint32_t argument);
const char *world_write_locked(struct world *world, uint32_t argument);
const char *world_unlock(struct world *world, uint32_t argument);
const char *world_revive(struct world *world, uint32_t argument);
const char *world_evict_all(struct world *world, uint32_t argument);
const char *world_page_out(struct world *world, uint32_t argument);
const char *world_suspend(struct world *world, uint32_t argument);
const char *world_resume_all(struct world *world);
const char *world_compact(struct world *world, uint32_t argument);
const char *world_set_faults(struct world *world, uint32_t argument);
/* A node hangs, or two seconds pass: a late answer then is asked for. */
const char *world_let_time_pass(struct world *world, uint32_t argument);

#endif
