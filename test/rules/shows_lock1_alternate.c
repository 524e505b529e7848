/* shows_lock1_alternate.c: lock1.def and flags-v1.def, obeyed, where an alternate address is asked
 * for. */
#include "primary_flags.h"
#include "ranges.h"

#define FOR_ALTERNATE 0x401u /* UseAlternateVA, CpuVisible */

void shows_S0_048(void **state)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.UseAlternateVA = 1};
    struct vidmm_machine_counts before, after;
    struct shown shown;

    (void)state;
    assert_int_equal(flags.Value, 0x400);
    ranges_init(&shown, "ranges 1\n", NULL);
    before = vidmm_machine_counts(shown.rig.machine);
    shown_refused(&shown, primary_create(&shown, false, FOR_ALTERNATE, NULL),
                  STATUS_INVALID_PARAMETER, "S0-048");
    after = vidmm_machine_counts(shown.rig.machine);
    assert_true(before.blocks == after.blocks && before.pages == after.pages);
    assert_int_equal(primary_create(&shown, true, FOR_ALTERNATE, NULL), STATUS_SUCCESS);
    primary_destroy(&shown);
    shown_finish(&shown);
}

void shows_S0_049(void **state)
{
    struct shown shown;

    (void)state;
    ranges_init(&shown, "ranges 1\n", NULL);
    assert_int_equal(primary_create(&shown, true, 1, NULL), STATUS_SUCCESS);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_ACQUIRE_SWIZZLING_RANGE), 0);
    primary_destroy(&shown);
    assert_int_equal(primary_create(&shown, true, FOR_ALTERNATE, NULL), STATUS_SUCCESS);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_ACQUIRE_SWIZZLING_RANGE), 1);
    primary_destroy(&shown);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_RELEASE_SWIZZLING_RANGE), 1);
    shown_finish(&shown);
    ranges_init(&shown, "ranges 0\n", NULL); /* and where there is none it is not created */
    shown_refused(&shown, primary_create(&shown, true, FOR_ALTERNATE, NULL),
                  STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE, "S0-049");
    shown_finish(&shown);
}

static NTSTATUS lock_any(struct shown *shown, struct vidmm_allocation *allocation, uint32_t flags)
{
    struct vidmm_lock_arguments arguments = {.allocation = allocation,
                                             .flags = flags | VIDMM_LOCK_ENTIRE};
    NTSTATUS status = vidmm_lock_pages(&arguments, &shown->rig.report);

    if (status == STATUS_SUCCESS)
        assert_int_equal(vidmm_unlock(allocation), STATUS_SUCCESS);
    return status;
}

/* A primary, or what is shared: which of the two ways of locking is to be had. */
static void ways_to_lock(uint32_t flags, bool shared, bool plain, bool alternate)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .flags = flags,
                                            .size = VIDMM_PAGE_SIZE,
                                            .read_set = 2,
                                            .write_set = 2,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    const struct vidmm_description description = {.private_data = &wish,
                                                  .private_data_size = sizeof(wish),
                                                  .vidpn_source = shared ? VIDMM_NO_SOURCE : 0,
                                                  .primary = !shared};
    const struct vidmm_resource_options options = {.shared = shared};
    struct vidmm_resource *resource;
    struct vidmm_allocation *allocation;
    struct shown shown;

    ranges_init(&shown, "ranges 1\n", NULL);
    assert_int_equal(vidmm_resource_create(shown.rig.device, &options, &description, 1, &resource,
                                           &allocation, &shown.rig.report),
                     STATUS_SUCCESS);
    for (uint32_t way = 0; way < 2; way++) {
        NTSTATUS status = lock_any(&shown, allocation, way == 0 ? 0 : BY_ALTERNATE);

        if (way == 0 ? plain : alternate)
            assert_int_equal(status, STATUS_SUCCESS);
        else
            shown_refused(&shown, status, STATUS_INVALID_PARAMETER, "D-157");
    }
    vidmm_resource_destroy(resource);
    shown_finish(&shown);
}

void shows_D_157(void **state)
{
    (void)state;
    ways_to_lock(FOR_ALTERNATE, false, false, true); /* a primary that was created for it */
    ways_to_lock(1, false, true, false);             /* one that was not */
    ways_to_lock(1, true, true, false);              /* a shared one */
}
