/* ranges.h: swizzled allocations in memory that the CPU sees, and their swizzling ranges. */
#ifndef TEST_RULES_RANGES_H
#define TEST_RULES_RANGES_H

#include "rules_rig.h"

#define SWIZZLED 0x81u /* and CpuVisible */
#define BY_APERTURE VIDMM_LOCK_ACQUIRE_APERTURE
#define BY_ALTERNATE (VIDMM_LOCK_ACQUIRE_APERTURE | VIDMM_LOCK_USE_ALTERNATE_VA)

/* A rig whose GPU has so many ranges ("ranges 2\n"), bent. */
static inline void ranges_init(struct shown *shown, const char *gpu,
                               void (*bend)(DRIVER_INITIALIZATION_DATA *driver))
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    shown_init(shown, &options, bend);
}

/* An allocation of 8 pages, drawn once. */
static inline struct rig_allocation *ranges_drawn(struct shown *shown, uint32_t index,
                                                  uint32_t flags)
{
    struct rig_allocation *allocation = shown_create(shown, index, 8, flags);

    shown_use_one(shown, allocation, true);
    return allocation;
}

static void *ranges_data; /* where the last lock showed its allocation */

/* Lock and look at every byte. */
static inline NTSTATUS ranges_lock(struct shown *shown, struct rig_allocation *allocation,
                                   uint32_t flags, uint32_t data)
{
    struct vidmm_lock_arguments arguments = {
        .allocation = allocation->handle, .flags = flags | VIDMM_LOCK_ENTIRE, .private_data = data};
    NTSTATUS status = vidmm_lock_pages(&arguments, &shown->rig.report);

    for (uint32_t page = 0; status == STATUS_SUCCESS && page < allocation->pages; page++)
        rig_touch_page(&shown->rig, allocation, (char *)arguments.data + page * VIDMM_PAGE_SIZE,
                       page, page % 3 == 0);
    assert_true(shown->rig.cpu_mismatches == 0);
    ranges_data = status == STATUS_SUCCESS ? arguments.data : NULL;
    return status;
}

static inline void ranges_unlock(struct shown *shown, struct rig_allocation *allocation)
{
    assert_int_equal(vidmm_unlock(allocation->handle), STATUS_SUCCESS);
    shown_settle(shown);
}

/* Two allocations, made when `create` says so, that leave no room for anything else in the segment:
 * the result of rendering with both. */
static inline NTSTATUS ranges_crowd(struct shown *shown, bool create)
{
    struct rig_allocation *crowd[2];
    NTSTATUS status;

    for (uint32_t index = 0; index < 2; index++)
        crowd[index] =
            create ? shown_create(shown, 5 + index, 32, 1) : &shown->rig.allocations[5 + index];
    status = rig_render(&shown->rig, crowd, 2, 3);
    if (status == STATUS_SUCCESS)
        status = vidmm_context_wait(shown->rig.context, shown->rig.value);
    shown_settle(shown);
    return status;
}

/* Evictions that unswizzle, from record `from` on. */
static inline size_t ranges_unswizzled(const struct shown *shown, size_t from)
{
    size_t count = 0;

    for (; (from = shown_next_build(shown, from, DXGK_OPERATION_TRANSFER)) != SIZE_MAX; from++)
        count += shown->calls[from].argument.build.Transfer.Flags.Unswizzle;
    return count;
}

/* Calls of the swizzling class that are under way at once, at most. */
static inline unsigned ranges_together(const struct shown *shown)
{
    unsigned inside = 0, most = 0;

    for (size_t i = 0; i < shown->call_count; i++) {
        const struct shown_call *call = &shown->calls[i];

        if (call->ddi != VIDMM_DDI_ACQUIRE_SWIZZLING_RANGE &&
            call->ddi != VIDMM_DDI_RELEASE_SWIZZLING_RANGE)
            continue;
        inside += call->returned ? 0u - 1u : 1u;
        most = inside > most ? inside : most;
    }
    return most;
}

#endif
