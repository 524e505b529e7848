/* rig.h: a machine, a device with registers, and a kernel, for one test.
 *
 *     static void test(void **state)
 *     {
 *         struct rig rig;
 *         rig_start(&rig, "key ...");
 *         ... calls of a driver ...
 *         assert_found(&rig, POOL_LEAK, 1);      forgets what was counted
 *         rig_stop(&rig);                        nothing else was found
 *     }
 */
#ifndef TEST_KIT_RIG_H
#define TEST_KIT_RIG_H

#include "../unit/harness.h"

#include "host/machine.h"
#include "kit/kit.h"
#include "kit/state.h"
#include "../../examples/register_device.h"

#include <kit/ntddk.h>
#include <kit/ntstrsafe.h>

struct rig {
    struct vidmm_machine *machine;
    struct vidmm_slot *slot;
    struct register_device device;
    struct vidmm_device_model model;
    struct vidmm_kit_options options;
    _Atomic unsigned found[VIDMM_KIT_FINDINGS];
    char text[512];    /* of the last finding */
    char printed[512]; /* last */
    jmp_buf end;       /* where a bug check goes */
    struct vidmm_kit_bug_check check;
};

static void rig_finding(void *argument, const struct vidmm_kit_finding *finding)
{
    struct rig *rig = argument;

    rig->found[finding->id]++;
    snprintf(rig->text, sizeof(rig->text), "%s", finding->text);
}

static void rig_bug_check(void *argument, const struct vidmm_kit_bug_check *check)
{
    struct rig *rig = argument;

    rig->check = *check;
    longjmp(rig->end, 1);
}

static void rig_print(void *argument, const char *text)
{
    struct rig *rig = argument;

    snprintf(rig->printed, sizeof(rig->printed), "%s", text);
}

static inline void rig_start_with(struct rig *rig, const char *configuration, bool catch_faults)
{
    struct vidmm_machine_options options = {
        .kind = VIDMM_MACHINE_THREADED, .seed = 7, .system_memory = 64 << 20};
    char error[200] = "";

    memset(rig, 0, sizeof(*rig));
    rig->machine = vidmm_machine_create(&options, error, sizeof(error));
    assert_non_null(rig->machine);
    rig->slot = vidmm_machine_add_slot(rig->machine);
    register_device_init(&rig->device, vidmm_slot_bus(rig->slot), &rig->model);
    assert_true(vidmm_slot_plug(rig->slot, &rig->model));
    rig->options = (struct vidmm_kit_options){.host = vidmm_slot_host(rig->slot),
                                              .model = &rig->model,
                                              .finding = rig_finding,
                                              .bug_check = rig_bug_check,
                                              .print = rig_print,
                                              .system_base = VIDMM_MACHINE_SYSTEM_BASE,
                                              .system_memory = options.system_memory,
                                              .argument = rig,
                                              .configuration = configuration,
                                              .catch_faults = catch_faults};
    if (!vidmm_kit_start(&rig->options, error, sizeof(error)))
        fail_msg("%s", error);
}

static inline void rig_start(struct rig *rig, const char *configuration)
{
    rig_start_with(rig, configuration, false);
}

/* Take `n` findings of one kind from what was counted; there must be as many. */
#define assert_found(rig, id, n)                                                                   \
    assert_int_equal(atomic_exchange(&(rig)->found[VIDMM_KIT_##id], 0), (n))

static inline void assert_nothing_found(struct rig *rig)
{
    for (int id = 1; id < VIDMM_KIT_FINDINGS; id++)
        if (rig->found[id])
            fail_msg("K-%03d %u times; the last finding: %s", id, rig->found[id], rig->text);
}

static inline void rig_end(struct rig *rig) /* the kernel alone; findings stay to be looked at */
{
    vidmm_kit_stop();
    assert_int_equal(vidmm_machine_counts(rig->machine).pages, 0);
    vidmm_machine_destroy(rig->machine);
}

static inline void rig_stop(struct rig *rig)
{
    rig_end(rig);
    assert_nothing_found(rig);
}

static inline LARGE_INTEGER in_ms(LONGLONG ms)
{
    return (LARGE_INTEGER){.QuadPart = -10000 * ms};
}

#endif
