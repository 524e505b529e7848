/* placed.h: allocations of any wish, and where they go.
 *
 *     wish = placed_wish(4, 2)          4 pages, segment 2 (sets: bit n is segment n + 1)
 *     placed_create(&shown, &allocation, &wish)
 *     placed_use(&shown, &allocation, 1)         one command that writes it, to its end
 *     placed_at(&shown, &allocation)             where that command found it
 */
#ifndef TEST_RULES_PLACED_H
#define TEST_RULES_PLACED_H

#include "rules_rig.h"

#define PLACED_PAGES(count) ((uint64_t)(count)*VIDMM_PAGE_SIZE)

static inline void placed_init(struct shown *shown, const char *gpu,
                               void (*bend)(DRIVER_INITIALIZATION_DATA *driver))
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    shown_init(shown, &options, bend);
}

static inline struct softgpu_allocation placed_wish(uint64_t pages, uint32_t set)
{
    return (struct softgpu_allocation){
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .size = PLACED_PAGES(pages),
        .read_set = set,
        .write_set = set,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
}

static inline NTSTATUS placed_try(struct shown *shown, struct rig_allocation *allocation,
                                  const struct softgpu_allocation *wish)
{
    NTSTATUS status;

    memset(allocation, 0, sizeof(*allocation));
    status = vidmm_allocation_create(shown->rig.device, wish, sizeof(*wish), &allocation->handle,
                                     &shown->rig.report);
    if (status != STATUS_SUCCESS)
        return status;
    allocation->id = ++shown->rig.next_id;
    allocation->pages = vidmm_allocation_size(allocation->handle) / VIDMM_PAGE_SIZE;
    return status;
}

static inline void placed_create(struct shown *shown, struct rig_allocation *allocation,
                                 const struct softgpu_allocation *wish)
{
    NTSTATUS status = placed_try(shown, allocation, wish);

    if (status != STATUS_SUCCESS)
        fail_msg("0x%08x: %s", (unsigned)status, shown->rig.report.text);
}

static inline void placed_use(struct shown *shown, struct rig_allocation *allocation,
                              uint32_t write)
{
    NTSTATUS status = rig_render(&shown->rig, &allocation, 1, write);

    if (status != STATUS_SUCCESS)
        fail_msg("0x%08x: %s", (unsigned)status, shown->rig.report.text);
    assert_int_equal(vidmm_context_wait(shown->rig.context, shown->rig.value), STATUS_SUCCESS);
    shown_settle(shown);
}

static inline struct vidmm_place placed_at(const struct shown *shown,
                                           const struct rig_allocation *allocation)
{
    for (size_t i = shown->operation_count; i-- > 0;)
        if (shown->operations[i].kind == VIDMM_DO_PLACED &&
            shown->operations[i].allocation == vidmm_allocation_id(allocation->handle))
            return shown->operations[i].placed.place;
    fail_msg("it was never placed");
    return (struct vidmm_place){0, 0, 0};
}

/* Create it, use it once; answers where. */
static inline struct vidmm_place placed_now(struct shown *shown, struct rig_allocation *allocation,
                                            const struct softgpu_allocation *wish)
{
    placed_create(shown, allocation, wish);
    placed_use(shown, allocation, 1);
    return placed_at(shown, allocation);
}

static inline void placed_is(struct vidmm_place place, uint32_t segment, uint64_t page)
{
    assert_int_equal(place.segment, segment);
    assert_int_equal(place.offset, PLACED_PAGES(page));
}

/* Operations built for the allocation, by kind (enum vidmm_paging_kind), from operation `from`
 * on. */
static inline size_t placed_builds(const struct shown *shown, size_t from,
                                   const struct rig_allocation *allocation, uint32_t kind)
{
    size_t count = 0;

    for (size_t i = from; i < shown->operation_count; i++)
        count += shown->operations[i].kind == VIDMM_DO_BUILD &&
                 shown->operations[i].allocation == vidmm_allocation_id(allocation->handle) &&
                 shown->operations[i].build.operation == kind;
    return count;
}

#endif
