/* primary_flags.h: descriptions of a primary that a driver may not give.
 *
 *     primary_flags(rule, flags, primary)             a primary or not: told and let pass, refused
 *                                                     if strict
 *     primary_over(rule, existing, flags, primary)    the same over memory of the program
 */
#ifndef TEST_RULES_PRIMARY_FLAGS_H
#define TEST_RULES_PRIMARY_FLAGS_H

#include "existing.h"
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
    struct rig_options options = rig_defaults();
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

#endif
