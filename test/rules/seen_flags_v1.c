/* seen_flags_v1.c: flags-v1.def broken, and answered. */
#include "existing.h"
#include "seen_flags.h"

#include <vidmm/resource.h>

void breaks_S0_015(void **state)
{
    (void)state;
    flags_broken("S0-015", NULL, 0x2);
}

void keeps_S0_015(void **state)
{
    (void)state;
    flags_kept("S0-015", NULL, 0x3);
}

void breaks_S0_024(void **state)
{
    (void)state;
    flags_broken("S0-024", NULL, 0x4);
}

void keeps_S0_024(void **state)
{
    (void)state;
    flags_kept("S0-024", NULL, 0x5);
}

void breaks_S0_065(void **state)
{
    (void)state;
    flags_broken("S0-065", NULL, 0x80000001);
}

void keeps_S0_065(void **state)
{
    (void)state;
    flags_kept("S0-065", NULL, 0x1);
}

/* ---- on a primary ---- */

static NTSTATUS create_primary(struct shown *shown, bool primary, uint32_t flags)
{
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = flags,
        .size = VIDMM_PAGE_SIZE,
        .read_set = 2,
        .write_set = 2,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    const struct vidmm_description description = {.private_data = &wish,
                                                  .private_data_size = sizeof(wish),
                                                  .vidpn_source =
                                                      primary ? 0 : VIDMM_NO_SOURCE,
                                                  .primary = primary};
    const struct vidmm_resource_options options = {.shared = false};
    struct vidmm_resource *resource;
    struct vidmm_allocation *allocation;

    return vidmm_resource_create(shown->rig.device, &options, &description, 1, &resource,
                                 &allocation, &shown->rig.report);
}

/* What is told of it, primary or not; and whether a strict adapter refuses it by this rule. */
static void primary_flags(const char *rule, uint32_t flags, bool primary)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    shown_init(&shown, &options, NULL);
    assert_int_equal(create_primary(&shown, primary, flags), STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, rule), primary ? 1 : 0);
    shown_finish(&shown);
    options.adapter.strict = true;
    shown_init(&shown, &options, NULL);
    if (primary)
        shown_refused(&shown, create_primary(&shown, true, flags), STATUS_INVALID_PARAMETER, rule);
    else
        assert_int_equal(create_primary(&shown, false, flags), STATUS_SUCCESS);
    shown_finish(&shown);
}

void breaks_S0_016(void **state)
{
    (void)state;
    primary_flags("S0-016", 0x3, true);
}

void keeps_S0_016(void **state)
{
    (void)state;
    primary_flags("S0-016", 0x3, false);
}

void breaks_S0_025(void **state)
{
    (void)state;
    primary_flags("S0-025", 0x5, true);
}

void keeps_S0_025(void **state)
{
    (void)state;
    primary_flags("S0-025", 0x5, false);
}

/* ---- existing memory ---- */

/* Told if the manager is not strict, refused by this rule if it is. */
static void existing_flags(const char *rule, uint32_t flags, bool legal)
{
    struct rig_options options = rig_defaults();
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

void breaks_S0_034(void **state)
{
    (void)state;
    existing_flags("S0-034", 0x13, false);
}

void keeps_S0_034(void **state)
{
    (void)state;
    existing_flags("S0-034", 0x15, true);
}

/* A program's range given for one of the kernel's. */
void breaks_S0_036(void **state)
{
    (void)state;
    existing_flags("S0-036", 0x25, false);
}

void keeps_S0_036(void **state)
{
    struct rig_options options = rig_defaults();
    const struct vidmm_host *host;
    struct existing existing = {.size = 2 * VIDMM_PAGE_SIZE};
    struct shown shown;
    uint64_t frames[2];

    (void)state;
    shown_init(&shown, &options, NULL);
    host = vidmm_slot_host(shown.rig.slot);
    assert_true(host->take_pages(host->context, 2, VIDMM_ANY_FRAME, false, VIDMM_CACHED, frames));
    existing.address = host->map_pages(host->context, 2, frames);
    assert_int_equal(existing_create(&shown, &existing, 0, existing.size, 0x25), STATUS_SUCCESS);
    existing_destroy(&shown);
    host->unmap_pages(host->context, existing.address, 2);
    host->release_pages(host->context, 2, frames);
    shown_finish(&shown);
}
