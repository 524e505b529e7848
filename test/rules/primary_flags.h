/* primary_flags.h: descriptions of a primary that a driver may not give.
 *
 *     primary_flags(rule, flags, primary)             a primary or not: told and let pass, refused
 *                                                     if strict
 *     primary_over(rule, existing, flags, primary)    the same over memory of the program
 *     existing_flags(rule, flags, legal)              over memory of the program, strict
 *     kernel_flags(rule, flags, caching, primary, strict)    over memory of the kernel
 */
#ifndef TEST_RULES_PRIMARY_FLAGS_H
#define TEST_RULES_PRIMARY_FLAGS_H

#include "existing.h"
#include "flag_words.h"
#include "seen_flags.h"

#include <vidmm/resource.h>

static struct vidmm_resource *primary_resource; /* of primary_create(); NULL: it was refused */

/* One allocation of a page, or as long as the memory that it is to be over. existing: or NULL. */
static inline NTSTATUS primary_create(struct shown *shown, bool primary, uint32_t flags,
                                      const struct existing *existing)
{
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = flags,
        .size = existing != NULL ? existing->size : VIDMM_PAGE_SIZE,
        .read_set = 2,
        .write_set = 2,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    const struct vidmm_description description = {.private_data = &wish,
                                                  .private_data_size = sizeof(wish),
                                                  .vidpn_source = primary ? 0 : VIDMM_NO_SOURCE,
                                                  .primary = primary,
                                                  .address =
                                                      existing != NULL ? existing->address : NULL,
                                                  .size = existing != NULL ? existing->size : 0};
    const struct vidmm_resource_options options = {.shared = false};
    struct vidmm_allocation *allocation;

    primary_resource = NULL;
    return vidmm_resource_create(shown->rig.device, &options, &description, 1, &primary_resource,
                                 &allocation, &shown->rig.report);
}

static inline void primary_destroy(struct shown *shown)
{
    vidmm_resource_destroy(primary_resource);
    primary_resource = NULL;
    shown_settle(shown);
}

/* The description of the allocation, primary or not; and whether a strict adapter refuses it by
 * this rule. */
static inline void primary_over(const char *rule, const struct existing *existing, uint32_t flags,
                                bool primary)
{
    struct rig_options options = existing_options();
    struct shown shown;

    shown_init(&shown, &options, NULL);
    assert_int_equal(primary_create(&shown, primary, flags, existing), STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, rule), primary ? 1 : 0);
    primary_destroy(&shown);
    shown_finish(&shown);
    options.adapter.strict = true;
    shown_init(&shown, &options, NULL);
    if (primary)
        shown_refused(&shown, primary_create(&shown, true, flags, existing),
                      STATUS_INVALID_PARAMETER, rule);
    else
        assert_int_equal(primary_create(&shown, false, flags, existing), STATUS_SUCCESS);
    primary_destroy(&shown);
    shown_finish(&shown);
}

static inline void primary_flags(const char *rule, uint32_t flags, bool primary)
{
    primary_over(rule, NULL, flags, primary);
}

/* Told if the manager is not strict, refused by this rule if it is. */
static inline void existing_flags(const char *rule, uint32_t flags, bool legal)
{
    struct rig_options options = existing_options();
    struct existing existing;
    struct shown shown;

    existing_take(&existing, 2);
    options.adapter.strict = true;
    shown_init(&shown, &options, NULL);
    if (legal) {
        assert_int_equal(existing_create(&shown, &existing, 0, 2 * VIDMM_PAGE_SIZE, flags),
                         STATUS_SUCCESS);
        existing_destroy(&shown);
    } else {
        shown_refused(&shown, existing_create(&shown, &existing, 0, 2 * VIDMM_PAGE_SIZE, flags),
                      STATUS_INVALID_PARAMETER, rule);
    }
    assert_int_equal(shown_findings(&shown, rule), 0);
    shown_finish(&shown);
    existing_give_back(&existing);
}

/* ... over memory of the kernel, mapped so, primary or not. strict: refused by this rule; otherwise
 * answers how often it was told. */
static inline uint64_t kernel_flags_by(const struct rig_options *options, const char *rule,
                                       uint32_t flags, enum vidmm_caching caching, bool primary)
{
    struct existing existing;
    struct shown shown;
    uint64_t findings, frames[2];
    NTSTATUS status;

    shown_init(&shown, options, NULL);
    existing_take_kernel(&existing, &shown, frames, 2, caching);
    status =
        primary_create(&shown, primary, flags, (flags & EXISTING_KERNEL) != 0 ? &existing : NULL);
    if (options->adapter.strict)
        shown_refused(&shown, status, STATUS_INVALID_PARAMETER, rule);
    else
        assert_int_equal(status, STATUS_SUCCESS);
    findings = shown_findings(&shown, rule);
    primary_destroy(&shown);
    existing_give_kernel_back(&existing, &shown, frames);
    shown_finish(&shown);
    return findings;
}

static inline uint64_t kernel_flags(const char *rule, uint32_t flags, enum vidmm_caching caching,
                                    bool primary, bool strict)
{
    struct rig_options options = existing_options();

    options.adapter.strict = strict;
    return kernel_flags_by(&options, rule, flags, caching, primary);
}

/* How often it was told, of no primary; and on a machine whose caches the GPU does not see. */
static inline uint64_t kernel_told(const char *rule, uint32_t flags, enum vidmm_caching caching)
{
    return kernel_flags(rule, flags, caching, false, false);
}

static inline uint64_t kernel_apart(const char *rule, uint32_t flags, enum vidmm_caching caching)
{
    struct rig_options options = existing_options();

    options.caches_apart = true;
    return kernel_flags_by(&options, rule, flags, caching, false);
}

/* A range of the kernel's that begins so far behind a page, and ends so far before one, is refused
 * by this rule. */
static inline void kernel_range(uint64_t behind, uint64_t before, const char *rule)
{
    struct rig_options options = existing_options();
    struct existing existing, ragged;
    uint64_t frames[3];
    struct shown shown;

    shown_init(&shown, &options, NULL);
    existing_take_kernel(&existing, &shown, frames, 3, VIDMM_CACHED);
    ragged = (struct existing){existing.address, existing.size - before};
    shown_refused(&shown,
                  existing_create(&shown, &ragged, behind, VIDMM_PAGE_SIZE,
                                  CPU_VISIBLE | CACHED | EXISTING_KERNEL),
                  STATUS_INVALID_PARAMETER, rule);
    existing_give_kernel_back(&existing, &shown, frames);
    shown_finish(&shown);
}

/* Locked so often, by these flags in turn, and destroyed: how often the rule is found. */
static inline uint64_t locked_and_gone(const char *rule, uint32_t flags, unsigned locks,
                                       uint32_t first, uint32_t then)
{
    struct rig_options options = existing_options();
    struct rig_allocation *allocation;
    struct shown shown;
    uint64_t found;
    void *data;

    shown_init(&shown, &options, NULL);
    allocation = shown_create(&shown, 0, 2, flags);
    for (unsigned i = 0; i < locks; i++) {
        assert_int_equal(vidmm_lock(allocation->handle, i == 0 ? first : then, &data, NULL),
                         STATUS_SUCCESS);
        assert_int_equal(vidmm_unlock(allocation->handle), STATUS_SUCCESS);
    }
    assert_int_equal(shown_findings(&shown, rule), 0);
    vidmm_allocation_destroy(allocation->handle);
    allocation->handle = NULL;
    shown_settle(&shown);
    found = shown_findings(&shown, rule);
    shown_finish(&shown);
    return found;
}

#endif
