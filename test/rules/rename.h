/* rename.h: one allocation that a discard may rename, and its versions: its content from one
 * discard to the next.
 *
 * The CPU fills an instance that a discard gives with content of its own, and each command checks
 * that it reads the content of the time when it was queued: an instance that is given away too
 * early is a wrong byte.
 */
#ifndef TEST_RULES_RENAME_H
#define TEST_RULES_RENAME_H

#include "flag_words.h"
#include "rules_rig.h"

enum { PAGES = 4, VERSIONS = 12 };

static uint32_t rename_limit, rename_flags; /* of the next allocations */
static enum vidmm_machine_kind rename_kind = VIDMM_MACHINE_SIMULATED;

static inline void rename_describe(DXGK_ALLOCATIONINFO *info)
{
    info->MaximumRenamingListLength = rename_limit;
    info->Flags.Value |= rename_flags;
}

/* One allocation of PAGES pages in the memory segment of 64, or the aperture, bent as said
 * above. */
static inline void rename_begin(struct shown *shown, struct rig_allocation *a, uint32_t set)
{
    struct rig_options options = rig_defaults();

    options.kind = rename_kind;
    options.adapter.dma_buffers = VERSIONS;
    options.evict_through_aperture = set == 2;
    shown_bend.change = rename_describe;
    shown_init(shown, &options, shown_bend_creation);
    assert_int_equal(rig_create(&shown->rig, a, PAGES * VIDMM_PAGE_SIZE, set, CPU_VISIBLE),
                     STATUS_SUCCESS);
}

/* New content of its own in what is locked. */
static inline void rename_fill(struct rig *rig, struct rig_allocation *version, void *data)
{
    version->id = ++rig->next_id;
    version->generation = 0;
    version->digest = 0;
    memset(data, 0, PAGES * VIDMM_PAGE_SIZE);
    for (uint32_t page = 0; page < PAGES; page++) {
        version->cpu[page] = 1;
        version->digest += vidmm_content_digest(rig_key(version), page, 1);
        vidmm_content_write_cpu((char *)data + page * VIDMM_PAGE_SIZE, rig_key(version), page, 1);
    }
}

/* Lock with Discard, fill, unlock: `to` is what the program names from here on. */
static inline NTSTATUS rename_discard(struct rig *rig, const struct rig_allocation *from,
                                      struct rig_allocation *to, uint32_t more)
{
    struct vidmm_lock_arguments arguments = {
        .allocation = from->handle, .flags = VIDMM_LOCK_ENTIRE | VIDMM_LOCK_DISCARD | more};
    NTSTATUS status = vidmm_lock_pages(&arguments, &rig->report);

    if (status != STATUS_SUCCESS)
        return status;
    *to = *from;
    to->handle = arguments.allocation;
    rename_fill(rig, to, arguments.data);
    assert_int_equal(vidmm_unlock(to->handle), STATUS_SUCCESS);
    return status;
}

static inline void rename_use(struct shown *shown, struct rig_allocation *version)
{
    assert_int_equal(rig_render(&shown->rig, &version, 1, 0), STATUS_SUCCESS);
}

static inline void rename_go(struct shown *shown)
{
    assert_int_equal(vidmm_context_wait(shown->rig.context, shown->rig.value), STATUS_SUCCESS);
}

/* All commands have found their bytes, and no rule was broken. */
static inline void rename_end(struct shown *shown, struct rig_allocation *a)
{
    rename_go(shown);
    vidmm_allocation_destroy(a->handle);
    a->handle = NULL;
    shown_finish(shown);
    rename_limit = rename_flags = 0;
}

#endif
