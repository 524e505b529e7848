/* wrong_later.c: wrong calls that older seeds do not know: those of both levels, and below WDDM 2
 * those that are there from WDDM 2 on.
 */
#include "stress.h"

#include <vidmm/budget.h>
#include <vidmm/cache.h>
#include <vidmm/caps.h>
#include <vidmm/delay.h>
#include <vidmm/display.h>
#include <vidmm/engine.h>
#include <vidmm/fence.h>
#include <vidmm/hw_queue.h>
#include <vidmm/lock2.h>
#include <vidmm/page_out.h>
#include <vidmm/paging_queue.h>
#include <vidmm/process.h>
#include <vidmm/suspend.h>
#include <vidmm/test_fault.h>

typedef void wrong_function(struct stress_program *program, const struct stress_target *target);

static void refused(struct stress_program *program, NTSTATUS status, const char *what)
{
    stress_refused(program, STRESS_LATER_WRONG, status, what);
}

/* ---- of both levels -------------------------------------------------------------------------- */

static void questions_about_nothing(struct stress_program *program,
                                    const struct stress_target *target)
{
    const struct vidmm_selection nothing = {.allocation_count = 0};
    DXGK_NODEMETADATA metadata;
    uint32_t priority;

    (void)target;
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program, vidmm_get_priority(&nothing, &priority, &program->report), "nothing");
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program,
            vidmm_query_node_metadata(program->world->adapter, 64 + stress_below(program, 100),
                                      &metadata, &program->report),
            "a node that is none");
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program, vidmm_query_node_metadata(program->world->adapter, 0, NULL, &program->report),
            "no place for metadata");
}

static void destructions_that_are_none(struct stress_program *program,
                                       const struct stress_target *target)
{
    struct vidmm_allocation *twice[2] = {NULL, NULL};

    stress_enter(program, STRESS_LATER_WRONG);
    refused(program,
            vidmm_allocations_destroy2(twice, 0, 4u << stress_below(program, 30), &program->report),
            "flags of a destruction that there are not");
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program,
            vidmm_resource_destroy2(NULL, 4u << stress_below(program, 30), &program->report),
            "flags of a destruction that there are not");
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program, vidmm_allocations_destroy2(twice, 1, 0, &program->report),
            "an element that is NULL");
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program, vidmm_allocations_destroy2(NULL, 1, 0, &program->report), "no list");
    if (target->count == 0)
        return;
    twice[0] = twice[1] = target->allocations[0];
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program,
            vidmm_allocations_destroy2(twice, 2, VIDMM_DESTROY_SYNCHRONOUS, &program->report),
            "an allocation that is named twice");
}

static void page_outs_of_nothing(struct stress_program *program, const struct stress_target *target)
{
    const struct vidmm_page_out_criteria none = {.minimum = 2, .maximum = 1};
    struct vidmm_adapter *adapter = program->world->adapter;

    (void)target;
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program, vidmm_page_out(NULL, &program->report), "no allocation");
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program, vidmm_page_out_resource(NULL, &program->report), "no resource");
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program, vidmm_page_out_shared(adapter, 0, &program->report), "a handle of nothing");
    stress_enter(program, STRESS_LATER_WRONG);
    refused(
        program,
        vidmm_page_out_all(adapter, stress_chance(program, 50) ? &none : NULL, &program->report),
        "criteria that nothing meets");
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program,
            stress_chance(program, 50)
                ? vidmm_compact(adapter, 1, 4 + stress_below(program, 100), &program->report)
                : vidmm_compact(adapter, 40, 1, &program->report),
            "a way, or a segment, that is none");
}

static void tests_that_are_none(struct stress_program *program, const struct stress_target *target)
{
    const uint32_t either = VIDMM_TEST_NEVER_DISCARD | VIDMM_TEST_ALWAYS_DISCARD;
    struct vidmm_adapter *adapter = program->world->adapter;

    (void)target;
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program,
            vidmm_adapter_set_faults(
                adapter, stress_chance(program, 50) ? either : 0x2000u << stress_below(program, 19),
                &program->report),
            "faults that there are not");
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program, vidmm_process_suspend(adapter, 1000000, false, &program->report),
            "a process that is none");
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program, vidmm_process_resume(adapter, program->index + 1, &program->report),
            "a process that is not suspended");
}

static void sources_that_are_none(struct stress_program *program,
                                  const struct stress_target *target)
{
    uint32_t none = STRESS_SOURCES + stress_below(program, 100);
    struct vidmm_adapter *adapter = program->world->adapter;
    struct vidmm_allocation *one = target->count > 0 ? target->allocations[0] : NULL;

    stress_enter(program, STRESS_LATER_WRONG);
    refused(program, vidmm_display_show(target->device, none, one, &program->report),
            "a source that is none");
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program, vidmm_display_show(target->device, 0, one, &program->report), "no primary");
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program, vidmm_display_hide(adapter, none, &program->report), "a source that is none");
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program,
            vidmm_display_commit(adapter, adapter, none, stress_chance(program, 50) ? NULL : one,
                                 &program->report),
            "a source that is none");
    if (one == NULL)
        return;
    stress_enter(program, STRESS_LATER_WRONG);
    refused(program, vidmm_display_commit(adapter, adapter, 0, one, &program->report),
            "no primary");
}

static wrong_function *const wrongs[] = {questions_about_nothing, destructions_that_are_none,
                                         page_outs_of_nothing, tests_that_are_none,
                                         sources_that_are_none};

/* ---- below WDDM 2 ---------------------------------------------------------------------------- */

static NTSTATUS ask_fences(struct stress_program *program, const struct stress_target *target)
{
    const struct vidmm_fence_point nothing = {NULL, 1};
    struct vidmm_fence_waiting *waiting;
    struct vidmm_fence *fence;

    switch (stress_below(program, 6)) {
    case 0:
        return vidmm_fence_create(target->device, 0, 0, &fence, &program->report);
    case 1:
        return vidmm_fence_signal(target->device, &nothing, 1, &program->report);
    case 2:
        return vidmm_fence_wait(target->device, &nothing, 1, true, &program->report);
    case 3:
        return vidmm_fence_wait_begin(target->device, &nothing, 1, true, &waiting,
                                      &program->report);
    case 4:
        return target->context == NULL
                   ? STATUS_NOT_SUPPORTED
                   : vidmm_context_wait_for_fences(target->context, &nothing, 1, &program->report);
    default:
        return target->context == NULL
                   ? STATUS_NOT_SUPPORTED
                   : vidmm_context_signal_fences(target->context, &nothing, 1, &program->report);
    }
}

static NTSTATUS ask_budgets(struct stress_program *program, const struct stress_target *target)
{
    const enum vidmm_segment_group group = VIDMM_GROUP_LOCAL;
    struct vidmm_adapter *adapter = program->world->adapter;
    uint64_t process = program->index + 1;
    struct vidmm_trim_request request;
    struct vidmm_budget_info info;

    switch (stress_below(program, 8)) {
    case 0:
        return vidmm_query_video_memory(adapter, process, group, &info, &program->report);
    case 1:
        return vidmm_reserve_video_memory(adapter, process, group, 0, &program->report);
    case 2:
        return vidmm_set_budget(adapter, process, group, UINT64_MAX, &program->report);
    case 3:
        return vidmm_trim_periodic(adapter, false, &program->report);
    case 4:
        return vidmm_trim_wait(target->device, &request);
    case 5:
        return vidmm_trim_notify(target->device, NULL, &program->report);
    case 6:
        return vidmm_delay_evictions(adapter, 0, &program->report);
    default:
        return vidmm_trim_intervals(adapter, 0, 0, 0, &program->report);
    }
}

static NTSTATUS ask_addresses(struct stress_program *program, const struct stress_target *target)
{
    const struct vidmm_address_request request = {.size = VIDMM_RESERVATION_GRANULE};
    const struct vidmm_command command = {.address = 4096, .length = 16};
    struct vidmm_context *context;
    uint64_t value;

    switch (stress_below(program, 5)) {
    case 0:
        return vidmm_reserve_addresses(target->device, NULL, &request, 1, 0, &value, NULL,
                                       &program->report);
    case 1:
        return vidmm_free_addresses(target->device, 4096, 4096, &program->report);
    case 2:
        return target->context == NULL ? STATUS_NOT_SUPPORTED
                                       : vidmm_submit_command(target->context, &command, true,
                                                              &value, &program->report);
    case 3:
        return vidmm_hw_context_create(target->device, 0, NULL, 0, &context, &program->report);
    default:
        return target->count == 0
                   ? STATUS_NOT_SUPPORTED
                   : vidmm_shared_address(target->allocations[0], &value, &program->report);
    }
}

static NTSTATUS ask_residency(struct stress_program *program, const struct stress_target *target)
{
    static char bytes[8192];
    const struct vidmm_heap heap = {.address = bytes, .size = 4096, .flags = 0};
    struct vidmm_residency_result result;
    struct vidmm_paging_queue *queue;
    struct vidmm_resource *resource;
    struct vidmm_allocation *made;
    void *data;

    if (target->count == 0)
        return vidmm_heap_create(target->device, &heap, &resource, &made, &program->report);
    switch (stress_below(program, 6)) {
    case 0:
        return vidmm_paging_queue_create(target->device, 1, &queue, &program->report);
    case 1:
        return vidmm_evict(target->device, target->allocations, 1, 0, &result, &program->report);
    case 2:
        return vidmm_lock2(target->allocations[0], 0, &data, &program->report);
    case 3:
        return vidmm_unlock2(target->allocations[0], &program->report);
    case 4:
        return vidmm_invalidate_cache(target->device, target->allocations[0], 0, 1,
                                      &program->report);
    default:
        return vidmm_check_transfer(target->allocations[0], 0, NULL, &program->report);
    }
}

/* Calls that are there from WDDM 2 on. */
static void call_too_early(struct stress_program *program, const struct stress_target *target)
{
    static NTSTATUS (*const groups[])(struct stress_program *, const struct stress_target *) = {
        ask_fences, ask_budgets, ask_addresses, ask_residency};
    struct vidmm_address_info info;

    stress_enter(program, STRESS_LATER);
    stress_refused(program, STRESS_LATER, groups[stress_below(program, 4)](program, target),
                   "a call of WDDM 2, below it");
    if (vidmm_find_addresses(program->world->adapter, program->index + 1, 0, 0, &info))
        stress_fail(program->world, "program %u: it has addresses below WDDM 2", program->index);
}

void stress_wrong_later_work(struct stress_program *program)
{
    struct stress_target target;

    if (!stress_aim(program, &target))
        return;
    if (program->world->weather.level < 20 && stress_chance(program, 40))
        call_too_early(program, &target);
    else
        wrongs[stress_below(program, sizeof(wrongs) / sizeof(wrongs[0]))](program, &target);
}
