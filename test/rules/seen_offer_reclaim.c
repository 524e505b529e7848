/* seen_offer_reclaim.c: offer-reclaim.def broken, and answered. */
#include "flag_words.h"
#include "offer.h"

#include <vidmm/resource.h>

#include "rename.h"

void breaks_D_211(void **state)
{
    struct shown shown;
    struct rig_allocation *list[1];
    void *data;
    size_t from;

    (void)state;
    three_begin(&shown);
    three_use(&shown, 0);
    list[0] = &shown.rig.allocations[0];
    assert_int_equal(three_offer(&shown, 0, VIDMM_OFFER_HIGH), STATUS_SUCCESS);
    from = shown.call_count;
    shown_refused(&shown, rig_render(&shown.rig, list, 1, 0), STATUS_INVALID_PARAMETER, "D-211");
    assert_int_equal(shown_count(&shown, from, VIDMM_DDI_RENDER), 0);
    assert_int_equal(vidmm_lock(list[0]->handle, 0, &data, NULL), STATUS_INVALID_PARAMETER);
    assert_false(three_reclaim(&shown, 0));
    shown_finish(&shown);
}

void keeps_D_211(void **state)
{
    struct shown shown;
    void *data;

    (void)state;
    three_begin(&shown);
    three_use(&shown, 0);
    assert_int_equal(three_offer(&shown, 0, VIDMM_OFFER_HIGH), STATUS_SUCCESS);
    assert_false(three_reclaim(&shown, 0));
    three_use(&shown, 0);
    assert_int_equal(vidmm_lock(shown.rig.allocations[0].handle, 0, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(three_offer(&shown, 0, VIDMM_OFFER_HIGH), STATUS_INVALID_PARAMETER); /* held */
    assert_int_equal(vidmm_unlock(shown.rig.allocations[0].handle), STATUS_SUCCESS);
    shown_finish(&shown);
}

/* A resource and an allocation of it. */
static void begin(struct shown *shown, struct vidmm_resource **resource,
                  struct vidmm_allocation **allocation)
{
    static const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = CPU_VISIBLE,
        .size = VIDMM_PAGE_SIZE,
        .read_set = 2,
        .write_set = 2,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    const struct vidmm_description description = {
        .private_data = &wish, .private_data_size = sizeof(wish), .vidpn_source = VIDMM_NO_SOURCE};
    const struct vidmm_resource_options options = {.shared = false};
    struct rig_options rig = rig_defaults();

    shown_init(shown, &rig, NULL);
    assert_int_equal(vidmm_resource_create(shown->rig.device, &options, &description, 1, resource,
                                           allocation, &shown->rig.report),
                     STATUS_SUCCESS);
}

/* Offer and reclaim a resource of one allocation that is a primary, or is none; by its handle, or
 * by that of the allocation. Answers how often the rule was seen to be broken. */
static uint64_t offer_primary(bool primary, bool by_resource)
{
    const struct vidmm_resource_options none = {.shared = false};
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .size = 9000,
                                            .read_set = 2,
                                            .write_set = 2,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    const struct vidmm_description description = {.private_data = &wish,
                                                  .private_data_size = sizeof(wish),
                                                  .vidpn_source = primary ? 0 : VIDMM_NO_SOURCE,
                                                  .primary = primary};
    struct vidmm_resource *resource;
    struct vidmm_allocation *allocation;
    struct vidmm_selection whole = {&resource, 1, NULL, 0}, one = {NULL, 0, &allocation, 1};
    const struct vidmm_selection *selection = by_resource ? &whole : &one;
    struct rig_options rig = rig_defaults();
    struct shown shown;
    uint64_t findings;
    bool discarded;

    shown_init(&shown, &rig, NULL);
    assert_int_equal(vidmm_resource_create(shown.rig.device, &none, &description, 1, &resource,
                                           &allocation, &shown.rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_offer(selection, VIDMM_OFFER_LOW, 0, &shown.rig.report), STATUS_SUCCESS);
    findings = shown_findings(&shown, "D-213");
    assert_int_equal(vidmm_reclaim(selection, &discarded, &shown.rig.report), STATUS_SUCCESS);
    findings += shown_findings(&shown, "D-213");
    shown_finish(&shown);
    return findings;
}

void breaks_D_213(void **state)
{
    struct shown shown;
    struct vidmm_resource *resource;
    struct vidmm_allocation *allocation;
    struct vidmm_selection both = {&resource, 1, &allocation, 1}, none = {NULL, 0, NULL, 0};
    bool discarded;

    (void)state;
    begin(&shown, &resource, &allocation);
    shown_refused(&shown, vidmm_offer(&both, VIDMM_OFFER_LOW, 0, &shown.rig.report),
                  STATUS_INVALID_PARAMETER, "D-213");
    shown_refused(&shown, vidmm_reclaim(&both, &discarded, &shown.rig.report),
                  STATUS_INVALID_PARAMETER, "D-213");
    assert_int_equal(vidmm_offer(&none, VIDMM_OFFER_LOW, 0, &shown.rig.report),
                     STATUS_INVALID_PARAMETER);
    shown_finish(&shown);
    assert_int_equal(offer_primary(true, true), 1 + 2); /* once by either */
}

void keeps_D_213(void **state)
{
    struct shown shown;
    struct vidmm_resource *resource;
    struct vidmm_allocation *allocation;
    struct vidmm_selection whole = {&resource, 1, NULL, 0}, one = {NULL, 0, &allocation, 1};
    bool discarded = true;

    (void)state;
    begin(&shown, &resource, &allocation);
    assert_int_equal(vidmm_offer(&whole, VIDMM_OFFER_LOW, 0, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_reclaim(&whole, &discarded, &shown.rig.report), STATUS_SUCCESS);
    assert_false(discarded);
    assert_int_equal(vidmm_offer(&one, VIDMM_OFFER_LOW, 0, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_reclaim(&one, &discarded, &shown.rig.report), STATUS_SUCCESS);
    shown_finish(&shown);
    assert_int_equal(offer_primary(false, true), 0);
    assert_int_equal(offer_primary(false, false), 0);
    assert_int_equal(offer_primary(true, false), 0);
}

static NTSTATUS offer_version(struct shown *shown, struct rig_allocation *version)
{
    const struct vidmm_selection one = {.allocations = &version->handle, .allocation_count = 1};

    return vidmm_offer(&one, VIDMM_OFFER_HIGH, 0, &shown->rig.report);
}

/* Two instances, and a buffer that names the newer. */
static void rename_one(struct shown *shown, struct rig_allocation *versions)
{
    rename_begin(shown, versions, 1);
    rename_use(shown, versions);
    assert_int_equal(rename_discard(&shown->rig, &versions[0], &versions[1], 0), STATUS_SUCCESS);
    assert_ptr_not_equal(versions[0].handle, versions[1].handle);
    rename_use(shown, &versions[1]);
}

void breaks_D_271(void **state)
{
    struct rig_allocation versions[VERSIONS];
    struct shown shown;

    (void)state;
    rename_one(&shown, versions);
    shown_refused(&shown, offer_version(&shown, &versions[0]), STATUS_INVALID_PARAMETER, "D-271");
    rename_use(&shown, &versions[1]);
    rename_end(&shown, versions);
}

void keeps_D_271(void **state)
{
    struct rig_allocation versions[VERSIONS];
    const struct vidmm_selection one = {.allocations = &versions[1].handle, .allocation_count = 1};
    struct shown shown;

    (void)state;
    rename_one(&shown, versions);
    assert_int_equal(offer_version(&shown, &versions[1]), STATUS_SUCCESS);
    assert_int_equal(rename_discard(&shown.rig, &versions[1], &versions[2], 0),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_reclaim(&one, NULL, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(rename_discard(&shown.rig, &versions[1], &versions[2], 0), STATUS_SUCCESS);
    rename_use(&shown, &versions[2]);
    rename_end(&shown, versions);
}
