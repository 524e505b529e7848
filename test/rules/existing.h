/* existing.h: memory of the program under an allocation (ExistingSysMem). */
#ifndef TEST_RULES_EXISTING_H
#define TEST_RULES_EXISTING_H

#include <vidmm/host.h>

#include "rules_rig.h"

/* Lines of the GPU of the helpers here and in primary_flags.h; NULL: none. */
static const char *existing_gpu;

struct existing {
    char *address;
    uint64_t size;
};

static inline struct rig_options existing_options(void)
{
    struct rig_options options = rig_defaults();

    options.gpu = existing_gpu;
    return options;
}

static inline void existing_take(struct existing *existing, uint64_t pages)
{
    existing->size = pages * VIDMM_PAGE_SIZE;
    existing->address = aligned_alloc(VIDMM_PAGE_SIZE, existing->size);
    assert_non_null(existing->address);
    memset(existing->address, 0x5a, existing->size);
}

/* Take pages of the kernel's instead, mapped so; they are the machine's of this rig. */
static inline void existing_take_kernel(struct existing *existing, struct shown *shown,
                                        uint64_t *frames, uint64_t pages,
                                        enum vidmm_caching caching)
{
    const struct vidmm_host *host = vidmm_slot_host(shown->rig.slot);

    existing->size = pages * VIDMM_PAGE_SIZE;
    assert_true(host->take_pages(host->context, pages, VIDMM_ANY_FRAME, false, caching, frames));
    existing->address = host->map_pages(host->context, pages, frames);
    assert_non_null(existing->address);
}

static inline void existing_give_kernel_back(struct existing *existing, struct shown *shown,
                                             const uint64_t *frames)
{
    const struct vidmm_host *host = vidmm_slot_host(shown->rig.slot);
    uint64_t pages = existing->size / VIDMM_PAGE_SIZE;

    host->unmap_pages(host->context, existing->address, pages);
    host->release_pages(host->context, pages, frames);
}

static inline void existing_give_back(struct existing *existing)
{
    free(existing->address);
}

/* Create allocation 0 of the rig over this memory, moved by `shift` bytes and of as many less, as
 * the driver describes it: `described` bytes, these flags. */
static inline NTSTATUS existing_create(struct shown *shown, const struct existing *existing,
                                       uint64_t shift, uint64_t described, uint32_t flags)
{
    struct rig_allocation *allocation = &shown->rig.allocations[0];
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = flags,
        .size = described,
        .read_set = 3,
        .write_set = 3,
        .preferred = 2 | 1 << 6,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    NTSTATUS status;

    memset(allocation, 0, sizeof(*allocation));
    status = vidmm_allocation_create_over(shown->rig.device, &wish, sizeof(wish),
                                          existing->address + shift, existing->size - shift,
                                          &allocation->handle, &shown->rig.report);
    if (status != STATUS_SUCCESS)
        allocation->handle = NULL;
    return status;
}

static inline void existing_destroy(struct shown *shown)
{
    vidmm_allocation_destroy(shown->rig.allocations[0].handle);
    shown->rig.allocations[0].handle = NULL;
    shown_settle(shown);
}

/* This creation is refused by this rule, and takes nothing. */
static inline void existing_refused(const struct existing *existing, uint64_t shift,
                                    uint64_t described, uint32_t flags, const char *rule)
{
    struct rig_options options = existing_options();
    struct vidmm_machine_counts before;
    struct shown shown;

    shown_init(&shown, &options, NULL);
    before = vidmm_machine_counts(shown.rig.machine);
    shown_refused(&shown, existing_create(&shown, existing, shift, described, flags),
                  STATUS_INVALID_PARAMETER, rule);
    assert_int_equal(vidmm_machine_counts(shown.rig.machine).pages, before.pages);
    shown_finish(&shown);
}

static inline void existing_accepted(const struct existing *existing, uint64_t described,
                                     uint32_t flags)
{
    struct rig_options options = existing_options();
    struct shown shown;

    shown_init(&shown, &options, NULL);
    assert_int_equal(existing_create(&shown, existing, 0, described, flags), STATUS_SUCCESS);
    existing_destroy(&shown);
    shown_finish(&shown);
}

#endif
