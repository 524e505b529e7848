/* test_adapter_residency.c: the engine as adapters of WDDM 2.x make it, and what it says of
 * residency.
 */
#include "test_adapter_rig.h"

#include <vidmm/engine.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/paging_queue.h"
#include "vidmm/pump/carry_out.h"
#include "vidmm/pump/pump.h"

static struct rig rig;
static struct vidmm_engine_config config; /* of the newest engine */

static void keep_config(void *context, const struct vidmm_engine_config *made)
{
    (void)context;
    config = *made;
}

static const struct vidmm_observer observer = {.engine = keep_config};

static void start(const char *gpu)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    options.adapter.observer = &observer;
    rig_build(&rig, &options);
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
}

static void from_2_0_on_residency_is_explicit(void **state)
{
    (void)state;
    start("wddm 1.3\n");
    assert_false(config.explicit_residency);
    assert_false(config.segments[1].apart_from_budgets);
    rig_finish(&rig);
    start("wddm 2.0\n");
    assert_true(config.explicit_residency);
    rig_finish(&rig);
}

/* softgpu's memory has ApplicationTarget, its aperture has not (D-205). */
static void segments_that_are_no_target_of_programs_count_for_no_budget(void **state)
{
    (void)state;
    start("wddm 2.0\n");
    assert_true(config.segments[1].aperture && config.segments[1].apart_from_budgets);
    assert_true(!config.segments[2].aperture && !config.segments[2].apart_from_budgets);
    rig_finish(&rig);
}

static void carry_out(const struct vidmm_operation *operation)
{
    struct vidmm_event answer;

    vidmm_adapter_lock(rig.adapter);
    assert_false(vidmm_carry_out(rig.adapter, operation, &answer));
    vidmm_adapter_unlock(rig.adapter);
}

static void the_fence_value_of_a_paging_queue_is_read_by_the_cpu(void **state)
{
    struct vidmm_paging_queue queues[2] = {{.passed = VIDMM_FIRST_PAGING_FENCE},
                                           {.passed = VIDMM_FIRST_PAGING_FENCE}};
    struct vidmm_operation signal = {.kind = VIDMM_DO_SIGNAL};

    (void)state;
    start("wddm 2.0\n");
    for (uint32_t index = 0; index < 2; index++) {
        uint32_t taken;

        assert_true(vidmm_slot_take(&rig.adapter->paging_queues, &rig.adapter->host->memory,
                                    &queues[index], VIDMM_HANDLE_PAGING_QUEUE, &taken));
        queues[index].id = taken + 1;
    }
    signal.signal.queue = queues[1].id;
    signal.signal.value = VIDMM_FIRST_PAGING_FENCE + 3;
    carry_out(&signal);
    assert_int_equal(atomic_load(&queues[1].passed), 7003);
    assert_int_equal(queues[1].status, STATUS_SUCCESS);
    signal.signal.value++;
    signal.signal.status = (uint32_t)STATUS_NO_MEMORY;
    carry_out(&signal);
    signal.signal.value++;
    signal.signal.status = (uint32_t)STATUS_SUCCESS;
    carry_out(&signal);
    assert_int_equal(atomic_load(&queues[1].passed), 7005);
    assert_int_equal(queues[1].status, STATUS_NO_MEMORY); /* until somebody has looked */
    assert_int_equal(atomic_load(&queues[0].passed), 7000);
    rig_finish(&rig);
}

static NTSTATUS tell(struct vidmm_event event)
{
    return vidmm_pump_event(rig.adapter, &event);
}

static void a_request_to_trim_stands_at_its_device(void **state)
{
    struct vidmm_event trim = {.kind = VIDMM_EVENT_TRIM};

    (void)state;
    start("wddm 2.0\n");
    assert_int_equal(rig.device->trim, 0);
    assert_int_equal(tell(trim), STATUS_SUCCESS);
    assert_int_equal(rig.device->trim, VIDMM_TRIM_PERIODIC);
    trim.trim.restart = 1;
    assert_int_equal(tell(trim), STATUS_SUCCESS);
    assert_int_equal(rig.device->trim, VIDMM_TRIM_RESTART_PERIODIC); /* never both: D-207 */
    rig_finish(&rig);
}

static void a_request_to_trim_to_the_budget_says_how_much(void **state)
{
    struct vidmm_operation trim = {.kind = VIDMM_DO_TRIM};

    (void)state;
    start("wddm 2.0\n");
    trim.trim.device = rig.device->id;
    trim.trim.flags = VIDMM_TRIM_TO_BUDGET;
    trim.trim.bytes_to_trim = 0x5000;
    carry_out(&trim);
    trim.trim.flags = VIDMM_TRIM_PERIODIC;
    trim.trim.bytes_to_trim = 0;
    carry_out(&trim);
    assert_int_equal(rig.device->trim, VIDMM_TRIM_PERIODIC | VIDMM_TRIM_TO_BUDGET);
    assert_int_equal(rig.device->bytes_to_trim, 0x5000);
    rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_2_0_on_residency_is_explicit),
        cmocka_unit_test(segments_that_are_no_target_of_programs_count_for_no_budget),
        cmocka_unit_test(the_fence_value_of_a_paging_queue_is_read_by_the_cpu),
        cmocka_unit_test(a_request_to_trim_stands_at_its_device),
        cmocka_unit_test(a_request_to_trim_to_the_budget_says_how_much),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
