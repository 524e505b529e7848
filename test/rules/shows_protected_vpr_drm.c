/* shows_protected_vpr_drm.c: protected-vpr-drm.def, obeyed. */
#include "rules_rig.h"

/* By no flag of a lock, in whatever place and with whatever other flags. */
static void no_lock_is_had(struct shown *shown, struct vidmm_allocation *allocation)
{
    static const uint32_t page = 0;
    static const uint32_t flags[] = {
        0,
        VIDMM_LOCK_READ_ONLY,
        VIDMM_LOCK_DONOT_WAIT,
        VIDMM_LOCK_IGNORE_SYNC | VIDMM_LOCK_DONOT_WAIT,
        VIDMM_LOCK_IGNORE_READ_SYNC,
        VIDMM_LOCK_DONOT_EVICT,
        VIDMM_LOCK_DISCARD,
        VIDMM_LOCK_DISCARD | VIDMM_LOCK_NO_EXISTING_REFERENCE,
        VIDMM_LOCK_ACQUIRE_APERTURE,
        VIDMM_LOCK_ACQUIRE_APERTURE | VIDMM_LOCK_USE_ALTERNATE_VA,
    };

    for (size_t i = 0; i < 2 * sizeof(flags) / sizeof(flags[0]); i++) {
        struct vidmm_lock_arguments arguments = {.allocation = allocation,
                                                 .flags = flags[i / 2] |
                                                          (i % 2 != 0 ? VIDMM_LOCK_ENTIRE : 0),
                                                 .page_count = i % 2 != 0 ? 0 : 1,
                                                 .pages = i % 2 != 0 ? NULL : &page};

        shown_refused(shown, vidmm_lock_pages(&arguments, &shown->rig.report),
                      STATUS_INVALID_PARAMETER, "S0-026");
        assert_null(arguments.data);
    }
}

/* The CPU sees the memory segment, and swizzling ranges would show it anyway. */
static void whatever_else_it_is(uint32_t flags, uint32_t set)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation allocation, *list[] = {&allocation};
    struct vidmm_machine_counts before;
    struct shown shown;

    options.gpu = "segment 1 aperture 1M\nsegment 2 memory 1M cpuvisible\nranges 2\n";
    shown_init(&shown, &options, NULL);
    assert_int_equal(rig_create(&shown.rig, &allocation, 2 * VIDMM_PAGE_SIZE, set, flags),
                     STATUS_SUCCESS);
    before = vidmm_machine_counts(shown.rig.machine);
    no_lock_is_had(&shown, allocation.handle);
    assert_int_equal(rig_render(&shown.rig, list, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    no_lock_is_had(&shown, allocation.handle);
    assert_int_equal(vidmm_machine_counts(shown.rig.machine).mapping_requests,
                     before.mapping_requests);
    shown_finish(&shown);
}

/* Nothing of it is ever mapped for a program: no lock, and no address by any other way. */
void shows_S0_026(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation allocation, *list[] = {&allocation};
    struct vidmm_machine_counts before;
    struct shown shown;
    void *data = NULL;

    (void)state;
    shown_init(&shown, &options, NULL);
    assert_int_equal(rig_create(&shown.rig, &allocation, 2 * VIDMM_PAGE_SIZE, 3, 0x9),
                     STATUS_SUCCESS);
    before = vidmm_machine_counts(shown.rig.machine);
    assert_int_equal(vidmm_lock(allocation.handle, 0, &data, NULL), STATUS_INVALID_PARAMETER);
    assert_int_equal(rig_render(&shown.rig, list, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(allocation.handle, 0, &data, NULL), STATUS_INVALID_PARAMETER);
    assert_null(data);
    shown_settle(&shown);
    assert_int_equal(vidmm_machine_counts(shown.rig.machine).mapping_requests,
                     before.mapping_requests);
    shown_finish(&shown);
    for (uint32_t set = 1; set <= 3; set++) {
        whatever_else_it_is(0x9, set);     /* CpuVisible */
        whatever_else_it_is(0xd, set);     /* and Cached */
        whatever_else_it_is(0xb, set);     /* and PermanentSysMem, which is told */
        whatever_else_it_is(0x40008, set); /* on demand */
        whatever_else_it_is(0x89, set);    /* Swizzled */
    }
}
