/* hang.h: a rig whose render engine hangs, for what is shown of timeouts and resets. */
#ifndef TEST_RULES_HANG_H
#define TEST_RULES_HANG_H

#include <vidmm/host.h>

#include "flag_words.h"
#include "rules_rig.h"

#define HANG_SECOND UINT64_C(1000000000)

static inline struct rig_options hang_options(const char *gpu)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    options.adapter.timeout_ms = 2000;
    return options;
}

static inline uint64_t hang_now(const struct shown *shown)
{
    const struct vidmm_host *host = vidmm_slot_host(shown->rig.slot);

    return host->now_ns(host->context);
}

/* A local and a mapped allocation are rendered with, which the engine may not survive. The
 * adapter's recovery is over on return. */
static inline void hang_render(struct shown *shown)
{
    struct rig_allocation *both[] = {&shown->rig.allocations[0], &shown->rig.allocations[1]};

    if (both[0]->handle == NULL) {
        assert_int_equal(rig_create(&shown->rig, both[0], 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
        assert_int_equal(rig_create(&shown->rig, both[1], 9000, 1, CPU_VISIBLE), STATUS_SUCCESS);
    }
    assert_int_equal(rig_render(&shown->rig, both, 2, 3), STATUS_SUCCESS);
    vidmm_context_wait(shown->rig.context, shown->rig.value);
    vidmm_machine_settle(shown->rig.machine);
}

/* Stop; devices were lost on the way, so their contents are not looked at. */
static inline void hang_finish(struct shown *shown)
{
    rig_stop(&shown->rig);
    shown_is_clean(shown);
    shown_end(shown);
}

/* Another device, with a context: the old ones stay, and are closed with the adapter. */
static inline void hang_replace_device(struct shown *shown)
{
    struct rig *rig = &shown->rig;

    assert_int_equal(vidmm_device_create(rig->adapter, 1, &rig->device, &rig->report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_context_create(rig->device, 0, NULL, 0, &rig->context, &rig->report),
                     STATUS_SUCCESS);
    memset(rig->allocations, 0, sizeof(rig->allocations));
}

#endif
