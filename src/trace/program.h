/* program.h: declarations that the sources of a recorded program share: replay.c, which goes
 * through the trace, replay_present.c, for drivers that do not render, and replay_residency.c, from
 * WDDM 2.0 on, replay_address.c, for GPUs with page tables, and replay_copy.c, for those of
 * them that only copy. The invariants R1 to R9 stand in
 * replay.c. */
#ifndef VIDMM_TRACE_PROGRAM_H
#define VIDMM_TRACE_PROGRAM_H

#include <vidmm/adapter.h>
#include <wddm/d3dkmdt_types.h>

#include "base/content.h"
#include "trace/replay.h"
#include "trace/trace.h"

struct umd_pool;
struct vidmm_program_residency;
struct vidmm_text;

#define VIDMM_SCREEN_LINES 16u /* of the surface to which a program presents */

struct vidmm_live_allocation {
    struct vidmm_allocation *handle; /* R2 */
    struct vidmm_resource *resource; /* of a surface; else NULL */
    uint32_t *cpu;                   /* R4 */
    uint64_t digest;                 /* R4 */
    uint32_t generation;             /* R3 */
    struct umd_pool *pool;           /* R7: its instances; of another kind, NULL */
    unsigned char *bytes;            /* R8: where the CPU writes it without a lock, or NULL */
    uint64_t address;                /* R9: of its first byte */
    uint32_t copied;                 /* by_copies: pages that were copied there, in all */
};

/* The content of a line of the screen. */
struct vidmm_screen_line {
    uint32_t allocation; /* of the trace, and 1; 0: nothing was presented there */
    uint32_t cpu;        /* number of the CPU's write that is seen */
};

/* R6. The surface to which everything is copied, and how far the submission is. */
struct vidmm_presents {
    D3DKMDT_STANDARDALLOCATION_TYPE type; /* the type that the driver has; 0: not asked yet */
    struct vidmm_resource *resource;
    struct vidmm_allocation *screen;
    struct vidmm_screen_line lines[VIDMM_SCREEN_LINES];
    bool compared;  /* a line is a page, and the CPU can see it */
    uint32_t done;  /* references of the submission that were presented */
    uint32_t since; /* presents since the screen was looked at */
    /* values[q][n]: of the context, when the first n submissions of queue q are complete. */
    uint64_t *values[VIDMM_TRACE_QUEUES];
};

#define VIDMM_COMMAND_SLOTS 16u
#define VIDMM_COMMAND_COPIES 16u /* pages that a submission copies there, and back */

/* A page of the trace's allocation that was copied back, with the CPU's write `number` in it; 0: it
 * was not, for there was none. */
struct vidmm_page_copy {
    uint32_t allocation, page, number;
};

/* The newest submission that had a slot for commands; value 0: none. */
struct vidmm_command_slot {
    uint32_t queue;
    uint64_t value;
    uint32_t copies; /* of the submission that has it, or that is being built */
    struct vidmm_page_copy copy[VIDMM_COMMAND_COPIES];
};

/* R9. The commands of a program by addresses. */
struct vidmm_program_addresses {
    struct vidmm_live_allocation commands;
    uint32_t slot_size, next;
    struct vidmm_command_slot slots[VIDMM_COMMAND_SLOTS];
};

struct vidmm_program {
    struct vidmm_program_options options;
    struct vidmm_memory memory;
    struct vidmm_device *device;
    struct vidmm_context *contexts[VIDMM_TRACE_QUEUES]; /* of the queues that the trace uses */
    uint64_t submissions[VIDMM_TRACE_QUEUES];           /* R1 */
    struct vidmm_live_allocation *allocations;          /* one an allocation of the trace */

    uint32_t next; /* record */
    uint32_t seen; /* allocations looked at when the trace is at its end */
    uint32_t frame;
    uint64_t frame_ends[VIDMM_TRACE_QUEUES]; /* submissions that end the frame before this one */
    bool frame_due;                          /* a frame has ended; wait for frame_ends first */

    /* The command of record `built`, kept while it cannot be queued. */
    uint32_t built;         /* record + 1 */
    uint32_t command_bytes; /* of it */
    void *command;
    uint32_t command_capacity;
    struct vidmm_replay_use *uses;
    struct vidmm_render_reference *references;
    struct vidmm_presents presents;
    struct vidmm_paging_queue *paging_queue;
    struct vidmm_paging_queue *linked_queues[VIDMM_LINKS]; /* of further GPUs of a link, from 1 */
    uint64_t awaited; /* R7: that it has to come to before the submission; 0: nothing */
    struct vidmm_program_residency *residency; /* R7: the rest, of replay_residency.c */
    struct vidmm_program_addresses addresses;

    struct vidmm_program_counts counts;
    NTSTATUS status;
    struct vidmm_report failure, mismatch;
};

/* ---- replay.c -------------------------------------------------------------------------------- */

/* The program ends here. `why` is what the adapter said, or NULL. Answers DONE. */
enum vidmm_program_state vidmm_program_fail(struct vidmm_program *program, NTSTATUS status,
                                            const char *why);
/* May the adapter wait inside this step? */
bool vidmm_program_may_wait(const struct vidmm_program *program);
/* Create what the driver describes. Answers what vidmm_allocation_create() answers. */
NTSTATUS vidmm_program_create_plain(struct vidmm_program *program, uint32_t allocation,
                                    struct vidmm_allocation **handle, struct vidmm_report *report);
/* R4: have the CPU's write numbers of an allocation. */
bool vidmm_program_reserve_cpu(struct vidmm_program *program, struct vidmm_live_allocation *live);
/* By which the contents of the trace's allocation are known. */
struct vidmm_content_key vidmm_program_key(const struct vidmm_program *program,
                                           uint32_t allocation);
/* Begin a sentence about the record that is next. */
void vidmm_program_begin_sentence(const struct vidmm_program *program, struct vidmm_text *text,
                                  struct vidmm_report *report);

/* ---- replay_present.c ------------------------------------------------------------------------ */

/* Make the screen, and what R6 needs; the device is there. Answers what vidmm_standard_create()
 * answers; STATUS_NO_MEMORY. After a refusal vidmm_presents_finish() is still due. */
NTSTATUS vidmm_presents_init(struct vidmm_program *program, struct vidmm_report *report);
void vidmm_presents_finish(struct vidmm_program *program);

/* A surface of at least so many bytes, for an allocation of the trace. */
NTSTATUS vidmm_presents_allocate(struct vidmm_program *program, uint64_t size,
                                 struct vidmm_live_allocation *live, struct vidmm_report *report);

/* Copy from each allocation that the submission names. RAN: all of them are queued. BLOCKED: some
 * are, and the rest goes on with the next call. */
enum vidmm_program_state vidmm_presents_submit(struct vidmm_program *program,
                                               const struct vidmm_trace_record *record);
/* Look at the screen: the newest present must be on it. */
enum vidmm_program_state vidmm_presents_look(struct vidmm_program *program);

/* ---- replay_residency.c ---------------------------------------------------------------------- */

/* Make the paging queue; the device is there. Answers what vidmm_paging_queue_create() answers;
 * STATUS_NO_MEMORY. After a refusal vidmm_program_end_residency() is still due. */
NTSTATUS vidmm_program_begin_residency(struct vidmm_program *program, struct vidmm_report *report);
/* Destroy it; there may be none. */
void vidmm_program_end_residency(struct vidmm_program *program);

/* A context was made for a queue of the trace. Answers what umd_queues_add() answers. */
NTSTATUS vidmm_program_add_queue(struct vidmm_program *program, uint32_t queue,
                                 struct vidmm_report *report);

/* Begin with the trace's allocation: make its first instance. Answers what the calls for that
 * answer; STATUS_NO_MEMORY. */
NTSTATUS vidmm_program_create_instances(struct vidmm_program *program, uint32_t allocation,
                                        struct vidmm_report *report);

/* All of its instances end. */
void vidmm_program_end_instances(struct vidmm_program *program, struct vidmm_live_allocation *live);

/* The next record is here: obey the manager's wish for less, if there is one. RAN, or DONE. */
enum vidmm_program_state vidmm_program_trim(struct vidmm_program *program);
/* Note the uses of the submission, write caches back for it, and make resident what it names. RAN:
 * all of it is. BLOCKED: some is pending, and the next call goes on. */
enum vidmm_program_state vidmm_program_make_resident(struct vidmm_program *program,
                                                     const struct vidmm_trace_record *record);
/* The submission is queued. Answers what umd_queue_signal() answers. */
NTSTATUS vidmm_program_note_submission(struct vidmm_program *program, uint32_t queue,
                                       struct vidmm_report *report);
/* Is the GPU not done yet with what names the allocation of the trace? */
bool vidmm_program_is_used(const struct vidmm_program *program, uint32_t allocation);

/* Have a pointer to an allocation that lies at `bytes`, for a write (D) of the CPU. wait: whether
 * this may wait. STATUS_GRAPHICS_ALLOCATION_BUSY: the GPU uses it; and what umd_map() answers. */
NTSTATUS vidmm_program_map_for_write(struct vidmm_program *program,
                                     const struct vidmm_trace_record *record, bool wait,
                                     void **bytes, struct vidmm_report *report);

/* The write is made. Answers what umd_unmap() answers. */
NTSTATUS vidmm_program_unmap(struct vidmm_program *program, const struct vidmm_trace_record *record,
                             struct vidmm_report *report);

/* Create an allocation that the CPU sees, and lock it for life; over memory of the program, if a
 * driver of its own mind wants that. Answers what vidmm_allocation_create() and vidmm_lock2()
 * answer; STATUS_NO_MEMORY. */
NTSTATUS vidmm_program_create_mapped(struct vidmm_program *program, uint64_t size, uint32_t types,
                                     struct vidmm_allocation **handle, unsigned char **bytes,
                                     struct vidmm_report *report);
/* Its life ends: unlock it, if it is locked at bytes, and destroy it. */
void vidmm_program_destroy_mapped(struct vidmm_allocation *handle, const unsigned char *bytes);
/* Give back the memory of allocations, after the device. */
void vidmm_program_free_memory(struct vidmm_program *program);
/* ---- replay_address.c ------------------------------------------------------------------------ */

/* Make the memory for commands; the device and its paging queue are there. Answers what
 * vidmm_program_create_mapped() and the calls of process.h answer. After a refusal
 * vidmm_program_end_addresses() is still due. */
NTSTATUS vidmm_program_begin_addresses(struct vidmm_program *program, struct vidmm_report *report);
void vidmm_program_end_addresses(struct vidmm_program *program);

/* Give a new allocation addresses: *address is the first. Answers what vidmm_map_addresses()
 * answers. */
NTSTATUS vidmm_program_map(struct vidmm_program *program, struct vidmm_allocation *allocation,
                           uint64_t *address, struct vidmm_report *report);

/* Submit the command that is built. STATUS_DEVICE_BUSY: there is no room for it yet; and what
 * vidmm_submit_command() answers. */
NTSTATUS vidmm_program_submit_by_address(struct vidmm_program *program,
                                         const struct vidmm_trace_record *record, bool wait,
                                         uint64_t *value, struct vidmm_report *report);

/* ---- replay_copy.c --------------------------------------------------------------------------- */

/* Bytes of a slot for pages; 0: nothing is copied. */
uint32_t vidmm_program_copies_size(const struct vidmm_program *program);
/* Look at what the slot that is next has brought. False: the GPU is not done with it. */
bool vidmm_program_take_slot(struct vidmm_program *program);
/* Add copies to the command that is being built, in the slot that is next. */
void vidmm_program_add_copies(struct vidmm_program *program,
                              const struct vidmm_trace_record *record);
/* Look at all slots; the GPU is idle. */
void vidmm_program_look_at_copies(struct vidmm_program *program);

#endif
