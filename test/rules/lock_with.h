/* lock_with.h: a lock's answers to its flags, on an adapter of its own. */
#ifndef TEST_RULES_LOCK_WITH_H
#define TEST_RULES_LOCK_WITH_H

#include "flag_words.h"
#include "rules_rig.h"

/* Lock 5000 bytes in the memory segment, entirely, with these flags as well; unlock
 * what was locked. After a refusal there is no pointer. */
static inline NTSTATUS lock_with(uint32_t flags, struct vidmm_report *report)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    NTSTATUS status;

    shown_init(&shown, &options, NULL);
    struct rig_allocation *a = &shown.rig.allocations[0];
    assert_int_equal(rig_create(&shown.rig, a, 5000, 1, CPU_VISIBLE), STATUS_SUCCESS);
    struct vidmm_lock_arguments arguments = {.allocation = a->handle,
                                             .flags = flags | VIDMM_LOCK_ENTIRE};
    status = vidmm_lock_pages(&arguments, report);
    if (status == STATUS_SUCCESS)
        assert_int_equal(vidmm_unlock(a->handle), STATUS_SUCCESS);
    else
        assert_null(arguments.data);
    shown_finish(&shown);
    return status;
}

#endif
