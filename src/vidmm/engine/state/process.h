/* process.h: processes with an address space each, and the page tables that are to be written.
 *
 *     MAP_ADDRESSES ...   the space and the tables say so at once      process is due
 *     an allocation moves its mapped entries are dirty                 each that maps it is due
 *                                    |
 *                                    v
 *     carry/table_write.c  the records, one call each; FlushTlb; then no longer due
 *
 * An entry says where its allocation is while that has content in a segment, or is being brought
 * there by what is built already, or is built next (D-390); else it is invalid, and the table stays
 * for it. So what moves needs no table, and none can be missing.
 *
 * Source: "GPU virtual address", D3DDDI_MAPGPUVIRTUALADDRESS and its kin.
 */
#ifndef VIDMM_ENGINE_STATE_PROCESS_H
#define VIDMM_ENGINE_STATE_PROCESS_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_address_range;
struct vidmm_engine;
struct vidmm_engine_config;
struct vidmm_event;
struct vidmm_page_table_update;
struct vidmm_placement;
struct vidmm_process;

/* The parts of the scratch range: a transfer reads from the first, a transfer or a fill writes to
 * the second. With `wide_scratch` there are two more, of pages of 64 KiB. */
enum vidmm_scratch {
    SCRATCH_SOURCE,
    SCRATCH_TARGET,
    SCRATCHES,
    SCRATCH_WIDE = SCRATCHES, /* behind the part of 4 KiB pages so many parts */
    SCRATCHES_WIDE = 2 * SCRATCHES,
};

/* The process with that id. NULL: there is none, or it is destroyed. */
struct vidmm_process *vidmm_process_find(const struct vidmm_engine *engine, uint32_t id);

/* Make a process. STATUS_INVALID_PARAMETER: there is no MMU, an id in use, that of a destroyed
 * process whose tables are still to be written too, a second paging process;
 * STATUS_NO_MEMORY. */
NTSTATUS vidmm_process_create(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Free all addresses of a process; it ends when its tables are written and gone.
 * STATUS_INVALID_PARAMETER: no such process, the paging process, or a device of it is left. */
NTSTATUS vidmm_process_destroy(struct vidmm_engine *engine, const struct vidmm_event *event);
/* RESERVE, MAP, UPDATE or FREE addresses. STATUS_INVALID_PARAMETER: no such process or allocation,
 * a range that is not in the allocation, or what address_space.h says; STATUS_NO_MEMORY;
 * STATUS_DEVICE_BUSY, STATUS_DEVICE_NOT_READY: a companion cannot tell of it now (companion.h).
 * After a refusal nothing has changed. */
NTSTATUS vidmm_process_change(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Free all addresses that map the allocation (D-184); it is mapped nowhere then. */
void vidmm_process_unmap(struct vidmm_engine *engine, struct vidmm_placement *placement);

/* The entries that map the allocation are to say something else: it goes, or has changed. */
void vidmm_process_touch(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* They are to say where it is: it comes, and they were written as invalid when it left. */
void vidmm_process_show(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* The paging buffer that is open brings its content: no packet of a process that maps it is
 * submitted before that is executed. */
void vidmm_process_hold(struct vidmm_engine *engine, const struct vidmm_placement *placement);
/* There is something to write for the process. */
void vidmm_process_make_due(struct vidmm_engine *engine, struct vidmm_process *process);
/* A record of its tables was taken and is not built: what it says is due again. */
void vidmm_process_take_back(struct vidmm_engine *engine, struct vidmm_process *process,
                             const struct vidmm_page_table_update *update);
/* Whether nothing is due for the process, and what was written for it has been executed. */
bool vidmm_process_is_told(const struct vidmm_engine *engine, const struct vidmm_process *process);
/* All of it is written: the process, which is due, is so no longer. */
void vidmm_process_take_due(struct vidmm_engine *engine, struct vidmm_process *process);
/* The record of a destroyed process goes, out of the list of the dead. All that was written for it
 * has been executed. */
void vidmm_process_bury(struct vidmm_engine *engine, struct vidmm_process **process);
/* The range of addresses that maps the allocation and comes behind `key`, by process and address;
 * *key receives its own, which is never 0, and *process the id of its process. Keys last as long as
 * the ranges. NULL: there is none. */
const struct vidmm_address_range *vidmm_process_next_range(const struct vidmm_placement *placement,
                                                           uint64_t *key, uint32_t *process);
/* Whether entries lead to the allocation: its content is in its place by what was built, or comes
 * there by what is built next. */
bool vidmm_process_shows(const struct vidmm_placement *placement);

/* The addresses of the scratch range of the paging process, and the leaf that translates them. Each
 * part is as large as what one leaf translates. */
uint64_t vidmm_process_scratch(const struct vidmm_engine *engine, enum vidmm_scratch scratch);
uint64_t vidmm_process_scratch_size(const struct vidmm_engine *engine);
/* The address behind the last part. */
uint64_t vidmm_process_scratch_end(const struct vidmm_engine *engine);
struct vidmm_page_table *vidmm_process_scratch_leaf(const struct vidmm_engine *engine,
                                                    enum vidmm_scratch scratch);

/* Give all memory back. */
void vidmm_mmu_finish(struct vidmm_engine *engine);
/* Stop the program if an invariant of process.c does not hold. */
void vidmm_mmu_check(const struct vidmm_engine *engine);

#endif
