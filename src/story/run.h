/*
 * run.h: declarations that the modules that play a story share.
 *
 *     run.c         goes through the acts
 *     machine.c     machine, GPU, adapter, processes; their acts
 *     allocation.c  acts on allocations: alloc, offer, reclaim, priority, destroy
 *     resource.c    acts on resources: resource, standard, extend, open, close
 *     render.c      acts on contexts: submit, wait
 *     neighbour.c   another adapter, for which all goes on
 *     query.c       what is asked: residency, condition, statistics, memory, escape
 *     dump.c        what the bytes of a segment are
 *     lock.c        acts of the CPU: lock, write, unlock
 *     sums.c        the last line
 *
 * A new word is a kind of act (scenario.h), a line of the table in acts.c that reads it,
 * and a line of the table in run.c that does it; the act stands in the module of its noun.
 *
 * The run belongs to vidmm_scenario_play(), all of it; an act changes it and answers what the
 * manager answered.
 *
 * S1  an allocation of the story has a handle from its `alloc` to its `destroy`, or to the end of
 *     its process or the adapter
 * S2  generation is the number of the GPU's writes in all commands queued so far
 * S3  cpu[p] is the number of the CPU's writes to page p, digest their sum
 * S4  a discard begins content of its own, with zeros; the former content is still checked
 */
#ifndef VIDMM_STORY_RUN_H
#define VIDMM_STORY_RUN_H

#include <vidmm/adapter.h>

#include "base/content.h"
#include "story/linked.h"
#include "story/scenario.h"

struct softgpu_allocation;
struct softgpu_device;
struct vidmm_allocation;
struct vidmm_content_key;
struct vidmm_machine;
struct vidmm_resource;
struct vidmm_slot;
struct vidmm_tap;

/* An allocation of the story. */
struct vidmm_scenario_live {
    struct vidmm_allocation *handle; /* S1 */
    void *bytes;                     /* while locked */
    uint32_t locks;                  /* not unlocked, of the instance that the name means */
    uint64_t address;                /* of the GPU's; 0: it is mapped nowhere */
};

#define VIDMM_SCENARIO_INSTANCES 16u /* of an allocation that are told apart */

/* The memory that it is: another's, if it was opened. Kept until the story is told. */
struct vidmm_scenario_memory {
    uint64_t pages, digest;
    uint32_t *cpu;       /* S3 */
    uint32_t generation; /* S2 */
    uint32_t versions;   /* S4: discards so far */
    uint32_t presented;  /* S5: id of the contents; 0: its own */
    struct vidmm_scenario_older {
        struct vidmm_allocation *handle; /* NULL: nothing was discarded yet */
        uint64_t digest;
        uint32_t generation, version;
    } older; /* as it was before the last discard */
    struct vidmm_allocation *instances[VIDMM_SCENARIO_INSTANCES]; /* in the order they came */
    uint32_t instance_count;
};

#define VIDMM_SCENARIO_SLOTS 8u

/* The newest submission whose commands are in a slot; value 0: none. */
struct vidmm_scenario_slot {
    uint32_t node;
    uint64_t value;
};

/* Memory for commands, on a GPU that finds them by address. */
struct vidmm_scenario_commands {
    struct vidmm_allocation *handle;
    uint64_t address;     /* of the GPU's */
    unsigned char *bytes; /* NULL: there is none yet */
    uint32_t next;
    struct vidmm_scenario_slot slots[VIDMM_SCENARIO_SLOTS];
};

struct vidmm_scenario_process {
    struct vidmm_device *device;
    struct vidmm_context *contexts[SOFTGPU_ENGINES];
    uint64_t values[SOFTGPU_ENGINES]; /* of the newest command */
    struct vidmm_paging_queue *queue; /* NULL: nothing was made resident yet */
    struct vidmm_scenario_commands commands;
};

/* Memory of the programs, or of the kernel, under an allocation that is wished `existing` or
 * `kernel`. */
struct vidmm_scenario_existing {
    void *address;
    uint64_t size;
    uint64_t *frames; /* of the kernel's; NULL: a program's */
};

struct vidmm_scenario_run {
    const struct vidmm_scenario *scenario;
    struct vidmm_scenario_result *result;
    uint64_t seed;
    struct vidmm_narrator *narrator;
    struct vidmm_machine *machine;
    struct vidmm_slot *slot;
    struct softgpu_device *gpu;
    struct vidmm_linked linked;
    bool plugged, held;
    struct vidmm_tap *tap;
    struct vidmm_adapter *adapter;
    bool started; /* it was tried */
    struct vidmm_scenario_process processes[VIDMM_SCENARIO_PROCESSES];
    struct vidmm_scenario_live allocations[VIDMM_SCENARIO_ALLOCATIONS];
    struct vidmm_scenario_memory memory[VIDMM_SCENARIO_ALLOCATIONS]; /* by scenario->...memory */
    struct vidmm_resource *resources[VIDMM_SCENARIO_RESOURCES];
    struct vidmm_scenario_existing existing[VIDMM_SCENARIO_ALLOCATIONS];
    uint32_t existing_count;
    struct vidmm_scenario_neighbour *neighbour; /* NULL: none yet */
    struct vidmm_report report;
    struct vidmm_statistics statistics; /* of the adapter, when it stopped */
    uint32_t findings_told;
    uint64_t told_lost; /* contents that the GPU found wrong, as the story said */
};

/* ---- sentences ------------------------------------------------------------------------------- */

/* Say why the story cannot be played. Always false. */
bool vidmm_scenario_problem(struct vidmm_scenario_run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Count, in `counter`, what should not be; the first is kept. */
void vidmm_scenario_surprise(struct vidmm_scenario_run *run, uint64_t *counter, const char *format,
                             ...) __attribute__((format(printf, 3, 4)));

/* A status as the documents name it. */
struct vidmm_scenario_status {
    char text[64];
};
struct vidmm_scenario_status vidmm_scenario_status(NTSTATUS status);

/* ---- what is there --------------------------------------------------------------------------- */

/* Make the machine with the GPU in its slot; the auditor between manager and driver. False: the
 * problem is told. */
bool vidmm_scenario_make_machine(struct vidmm_scenario_run *run);
bool vidmm_scenario_make_tap(struct vidmm_scenario_run *run);

/* Start the adapter, or make the device of a process, unseen, unless it is there. False: the
 * problem is told. */
bool vidmm_scenario_ensure_adapter(struct vidmm_scenario_run *run);
bool vidmm_scenario_ensure_device(struct vidmm_scenario_run *run, uint32_t process);

/* NULL: the story names no processes. */
const char *vidmm_scenario_process_name(const struct vidmm_scenario_run *run, uint32_t process);

/* The index-th allocation that an act names: which it is, what it is now, and how it was wished. */
uint32_t vidmm_scenario_named(const struct vidmm_scenario_run *run, const struct vidmm_act *act,
                              uint32_t index);
struct vidmm_scenario_live *vidmm_scenario_live(struct vidmm_scenario_run *run,
                                                const struct vidmm_act *act, uint32_t index);
const struct vidmm_scenario_allocation *vidmm_scenario_wish_of(const struct vidmm_scenario_run *run,
                                                               const struct vidmm_act *act,
                                                               uint32_t index);

/* The memory of an allocation of the story. */
struct vidmm_scenario_memory *vidmm_scenario_memory(struct vidmm_scenario_run *run,
                                                    uint32_t allocation);

/* The description of an allocation for the driver; and memory of the program's own, zeroed, for as
 * long as the story is told (address NULL: none is wished). */
struct softgpu_allocation vidmm_scenario_describe(const struct vidmm_scenario_allocation *wish);
struct vidmm_scenario_existing
vidmm_scenario_take_existing(struct vidmm_scenario_run *run,
                             const struct vidmm_scenario_allocation *wish);

/* The handles that an act names. */
struct vidmm_scenario_named {
    struct vidmm_resource *resources[VIDMM_SCENARIO_REFERENCES];
    struct vidmm_allocation *allocations[VIDMM_SCENARIO_REFERENCES];
};
struct vidmm_selection vidmm_scenario_selection(struct vidmm_scenario_run *run,
                                                const struct vidmm_act *act,
                                                struct vidmm_scenario_named *named);
/* The index-th name of an act, be it an allocation or a resource. */
const char *vidmm_scenario_name(const struct vidmm_scenario_run *run, const struct vidmm_act *act,
                                uint32_t index);

/* Free all of that; the adapter has stopped. */
void vidmm_scenario_free_existing(struct vidmm_scenario_run *run);

/* Begin S1: the allocation is there, with new memory. */
void vidmm_scenario_begin(struct vidmm_scenario_run *run, uint32_t allocation,
                          struct vidmm_allocation *handle);

/* By which the contents of an allocation are known from those of others, and of those before a
 * discard. */
struct vidmm_content_key vidmm_scenario_key(const struct vidmm_scenario_run *run,
                                            uint32_t allocation);

/* The context of the process on the act's node is there. */
NTSTATUS vidmm_scenario_ensure_context(struct vidmm_scenario_run *run, const struct vidmm_act *act);

/* Whether commands name addresses of the process: the CPU's, or those of the GPU's page tables
 * (render_address.c). */
bool vidmm_scenario_uses_addresses(const struct vidmm_scenario_run *run);
/* The address by which the GPU finds an allocation of the story; 0: it is mapped nowhere. */
NTSTATUS vidmm_scenario_address(struct vidmm_scenario_run *run,
                                const struct vidmm_allocation *handle, uint64_t *address);
/* The paging queue of the act's process, made for the first act that needs it. */
NTSTATUS vidmm_scenario_queue(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                              struct vidmm_paging_queue **queue);
/* Submit a command buffer of TOUCHes so, instead of rendering it. Its context is there. Answers
 * what vidmm_submit_command() answers, and the calls for the memory of the commands. */
NTSTATUS vidmm_scenario_submit_at(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                                  const unsigned char *commands, uint32_t size,
                                  const struct vidmm_render_reference *list);

/* The key of the allocation's content as it was before the last discard. */
struct vidmm_content_key vidmm_scenario_older_key(const struct vidmm_scenario_run *run,
                                                  uint32_t allocation);

/* End S1: the handle is dead. */
void vidmm_scenario_forget(struct vidmm_scenario_live *live);

/* ---- acts ------------------------------------------------------------------------------------ */

/* Do it; the answer is the manager's. */
typedef NTSTATUS vidmm_scenario_act(struct vidmm_scenario_run *run, const struct vidmm_act *act);

vidmm_scenario_act vidmm_act_start, vidmm_act_stop, vidmm_act_exit;
vidmm_scenario_act vidmm_act_hold; /* and go */
vidmm_scenario_act vidmm_act_hang, vidmm_act_release, vidmm_act_power;
vidmm_scenario_act vidmm_act_alloc, vidmm_act_destroy;
vidmm_scenario_act vidmm_act_resource, vidmm_act_standard, vidmm_act_extend;
vidmm_scenario_act vidmm_act_open, vidmm_act_close;
vidmm_scenario_act vidmm_act_offer, vidmm_act_reclaim, vidmm_act_priority;
vidmm_scenario_act vidmm_act_submit, vidmm_act_present, vidmm_act_wait, vidmm_act_history;
vidmm_scenario_act vidmm_act_neighbour;
vidmm_scenario_act vidmm_act_residency, vidmm_act_condition, vidmm_act_escape;
vidmm_scenario_act vidmm_act_statistics, vidmm_act_memory, vidmm_act_dump;
vidmm_scenario_act vidmm_act_lock, vidmm_act_write, vidmm_act_unlock;
vidmm_scenario_act vidmm_act_lock2, vidmm_act_look, vidmm_act_unlock2, vidmm_act_invalidate;
vidmm_scenario_act vidmm_act_resident, vidmm_act_evict, vidmm_act_map, vidmm_act_unmap;

/* Stop the other adapter and take its GPU away, if there is one. */
void vidmm_scenario_end_neighbour(struct vidmm_scenario_run *run);

/* Say what the run came to; the adapter has stopped. */
void vidmm_scenario_tell_sums(struct vidmm_scenario_run *run);

#endif
