/* test_counted.c: MakeResident and Evict of what stays on its list and in place: counted where the
 * engine does not hear of it, and to the program as if it did.
 */
#include "test_adapter_rig.h"

#include <vidmm/budget.h>
#include <vidmm/engine.h>
#include <vidmm/paging_queue.h>
#include <vidmm/plan.h>
#include <vidmm/residency.h>
#include <vidmm/resource.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/pump/pump.h"

enum { PHYSICALLY = 0x8000, MEMORY = 2 };

#define LOCAL VIDMM_GROUP_LOCAL

#define BYTES(pages) ((uint64_t)(pages)*VIDMM_PAGE_SIZE)

static struct rig rig;
static struct vidmm_paging_queue *queue;
static struct vidmm_residency_result result;
static unsigned asked;      /* events about residency lists that the engine was given */
static uint32_t last_flags; /* of the last Evict among them */

static void note(void *context, const struct vidmm_event *event)
{
    (void)context;
    if (event->kind == VIDMM_EVENT_MAKE_RESIDENT || event->kind == VIDMM_EVENT_EVICT)
        asked++;
    if (event->kind == VIDMM_EVENT_EVICT)
        last_flags = event->residency.flags;
}

static const struct vidmm_observer observer = {.event = note};

/* 64 pages of memory, and an allocation of 16 of them that is on the list, once, and in place. */
static void begin(void)
{
    struct rig_options options = rig_defaults();

    options.gpu = "wddm 2.0\n";
    options.adapter.observer = &observer;
    rig_init(&rig, &options);
    assert_int_equal(
        vidmm_paging_queue_create(rig.device, VIDMM_PAGING_QUEUE_NORMAL, &queue, &rig.report),
        STATUS_SUCCESS);
}

static struct vidmm_allocation *create(uint32_t index, uint32_t pages)
{
    assert_int_equal(rig_create(&rig, &rig.allocations[index], BYTES(pages), MEMORY, PHYSICALLY),
                     STATUS_SUCCESS);
    return rig.allocations[index].handle;
}

static NTSTATUS make(struct vidmm_allocation *const *allocations, uint32_t count)
{
    return vidmm_make_resident(queue, allocations, count, 0, &result, &rig.report);
}

static NTSTATUS evict(struct vidmm_allocation *const *allocations, uint32_t count, uint32_t flags)
{
    return vidmm_evict(rig.device, allocations, count, flags, &result, &rig.report);
}

/* On the list once, and in place; nothing was asked since. */
static struct vidmm_allocation *listed(uint32_t index, uint32_t pages)
{
    struct vidmm_allocation *allocation = create(index, pages);

    assert_int_equal(make(&allocation, 1), STATUS_PENDING);
    assert_int_equal(vidmm_paging_queue_wait(queue, result.value, &rig.report), STATUS_SUCCESS);
    asked = 0;
    return allocation;
}

static void end(void)
{
    rig_judge(&rig, rig.gpu);
    rig_finish(&rig);
}

/* The engine has it on the list of the device so often. */
static uint32_t in_engine(const struct vidmm_allocation *allocation)
{
    const struct vidmm_allocation *original =
        allocation->original ? allocation->original : allocation;
    uint32_t count;

    vidmm_adapter_lock(rig.adapter);
    count = vidmm_engine_residency_count(rig.adapter->engine, rig.device->id, original->id);
    vidmm_adapter_unlock(rig.adapter);
    return count;
}

static bool is_in_memory(struct vidmm_allocation *allocation)
{
    const struct vidmm_selection one = {.allocations = &allocation, .allocation_count = 1};
    enum vidmm_residency residency;

    vidmm_machine_settle(rig.machine);
    assert_int_equal(vidmm_query_residency(&one, &residency, &rig.report), STATUS_SUCCESS);
    return residency == VIDMM_RESIDENT_IN_GPU;
}

static void what_stays_listed_is_counted_and_the_engine_is_not_asked(void **state)
{
    struct vidmm_allocation *one;

    (void)state;
    begin();
    one = listed(0, 16);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(make(&one, 1), STATUS_SUCCESS);
        assert_int_equal(result.value, 0);
    }
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(evict(&one, 1, 0), STATUS_SUCCESS);
        assert_int_equal(result.bytes_to_trim, 0);
        assert_true(is_in_memory(one));
    }
    assert_int_equal(asked, 0);
    assert_int_equal(evict(&one, 1, 0), STATUS_SUCCESS); /* the last */
    assert_int_equal(asked, 1);
    assert_false(is_in_memory(one));
    assert_int_equal(evict(&one, 1, 0), STATUS_INVALID_PARAMETER);
    end();
}

/* One more than there is; then one of them that was counted here twice, and in the engine once. */
static void a_refused_eviction_counts_as_before(void **state)
{
    struct vidmm_allocation *many[20];

    (void)state;
    begin();
    many[0] = listed(0, 16);
    many[1] = listed(1, 16);
    many[2] = many[3] = many[4] = many[0];
    assert_int_equal(make(many, 3), STATUS_SUCCESS);
    assert_int_equal(evict(many, 5, 0), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "index of an allocation is 4"));
    assert_int_equal(many[0]->counted, 2);
    assert_int_equal(many[1]->counted, 1);
    assert_int_equal(in_engine(many[0]), 1);
    assert_int_equal(evict(many, 4, 0), STATUS_SUCCESS);
    assert_false(is_in_memory(many[0]));
    assert_true(is_in_memory(many[1]));
    assert_int_equal(evict(many, 1, 0), STATUS_INVALID_PARAMETER);
    assert_int_equal(evict(many + 1, 1, 0), STATUS_SUCCESS);
    assert_false(is_in_memory(many[1]));
    for (uint32_t i = 0; i < 20; i++)
        many[i] = many[1];
    assert_int_equal(make(many, 1), STATUS_PENDING);
    assert_int_equal(vidmm_paging_queue_wait(queue, result.value, &rig.report), STATUS_SUCCESS);
    assert_int_equal(make(many, 18), STATUS_SUCCESS);
    assert_int_equal(evict(many, 20, 0), STATUS_INVALID_PARAMETER); /* more than need no block */
    assert_non_null(strstr(rig.report.text, "index of an allocation is 19"));
    assert_int_equal(evict(many, 19, 0), STATUS_SUCCESS);
    assert_false(is_in_memory(many[0]));
    end();
}

/* Both flags are said in the call that takes the last reference of one, and one of two of another:
 * what was not written need not be saved. */
static void what_was_not_written_is_heard_of_though_it_stays(void **state)
{
    struct vidmm_engine_statistics before, after;
    struct vidmm_allocation *two[2];

    (void)state;
    begin();
    two[0] = listed(0, 16);
    two[1] = listed(1, 16);
    assert_int_equal(make(two, 1), STATUS_SUCCESS);
    assert_int_equal(asked, 0);
    assert_int_equal(evict(two, 1, VIDMM_EVICT_NOT_WRITTEN_TO), STATUS_SUCCESS);
    assert_int_equal(asked, 1);
    assert_int_equal(last_flags, VIDMM_EVICT_NOT_WRITTEN_TO | VIDMM_EVICT_KEEPS);
    assert_int_equal(in_engine(two[0]), 1);
    assert_int_equal(make(two, 1), STATUS_SUCCESS);
    two[1] = two[0];
    assert_int_equal(evict(two, 2, VIDMM_EVICT_NOT_WRITTEN_TO), STATUS_SUCCESS); /* both at once */
    assert_false(is_in_memory(two[0]));
    vidmm_adapter_lock(rig.adapter);
    vidmm_engine_get_statistics(rig.adapter->engine, &before);
    vidmm_adapter_unlock(rig.adapter);
    assert_int_equal(evict(&rig.allocations[1].handle, 1, 0), STATUS_SUCCESS);
    vidmm_adapter_lock(rig.adapter);
    vidmm_engine_get_statistics(rig.adapter->engine, &after);
    vidmm_adapter_unlock(rig.adapter);
    assert_int_equal(after.evictions, before.evictions + 1);
    end();
}

static void above_the_budget_every_eviction_says_how_much(void **state)
{
    struct vidmm_trim_request trim;
    struct vidmm_allocation *one;

    (void)state;
    begin();
    one = listed(0, 16);
    assert_int_equal(make(&one, 1), STATUS_SUCCESS);
    assert_int_equal(make(&one, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_set_budget(rig.adapter, 1, LOCAL, BYTES(10), &rig.report),
                     STATUS_SUCCESS);
    assert_true(vidmm_trim_take(rig.device, &trim));
    assert_int_equal(evict(&one, 1, 0), STATUS_SUCCESS);
    assert_int_equal(result.bytes_to_trim, BYTES(6));
    assert_int_equal(in_engine(one), 1);
    assert_int_equal(one->counted, 1);
    assert_int_equal(vidmm_set_budget(rig.adapter, 1, LOCAL, BYTES(16), &rig.report),
                     STATUS_SUCCESS);
    asked = 0;
    assert_int_equal(evict(&one, 1, 0), STATUS_SUCCESS);
    assert_int_equal(result.bytes_to_trim, 0);
    assert_int_equal(asked, 0);
    assert_true(is_in_memory(one));
    end();
}

/* CO3: two openings of one allocation in one device. */
static void a_shared_allocation_is_counted_by_the_engine(void **state)
{
    static const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                                   .size = BYTES(4),
                                                   .read_set = MEMORY,
                                                   .write_set = MEMORY,
                                                   .flags = PHYSICALLY,
                                                   .priority = SOFTGPU_PRIORITY_NORMAL};
    struct vidmm_description description = {
        .private_data = &wish, .private_data_size = sizeof(wish), .vidpn_source = VIDMM_NO_SOURCE};
    struct vidmm_resource_options options = {.shared = true};
    struct vidmm_resource *resources[2];
    struct vidmm_allocation *both[2];

    (void)state;
    begin();
    if (vidmm_resource_create(rig.device, &options, &description, 1, &resources[0], &both[0],
                              &rig.report) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    assert_int_equal(vidmm_resource_open(rig.device, vidmm_resource_handle(resources[0]),
                                         &resources[1], &both[1], 1, &rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(make(both, 1), STATUS_PENDING);
    assert_int_equal(vidmm_paging_queue_wait(queue, result.value, &rig.report), STATUS_SUCCESS);
    assert_int_equal(make(both + 1, 1), STATUS_SUCCESS);
    assert_int_equal(in_engine(both[0]), 2);
    assert_int_equal(evict(both, 1, 0), STATUS_SUCCESS);
    assert_true(is_in_memory(both[1]));
    assert_int_equal(evict(both + 1, 1, 0), STATUS_SUCCESS);
    assert_false(is_in_memory(both[1]));
    vidmm_resource_destroy(resources[1]);
    vidmm_resource_destroy(resources[0]);
    end();
}

static void hold(struct vidmm_allocation *allocation, uint32_t held)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_HOLD, .device = rig.device->id};

    event.hold.allocation = allocation->id;
    event.hold.held = held;
    assert_int_equal(vidmm_pump_event(rig.adapter, &event), STATUS_SUCCESS);
}

/* CO1: it is on the list and in place, and the program has it there no more. */
static void what_is_only_held_is_asked_for(void **state)
{
    struct vidmm_allocation *one;

    (void)state;
    begin();
    one = listed(0, 16);
    hold(one, 1);
    assert_int_equal(evict(&one, 1, 0), STATUS_SUCCESS);
    assert_int_equal(make(&one, 1), STATUS_SUCCESS);
    assert_int_equal(one->counted, 0);
    assert_int_equal(make(&one, 1), STATUS_SUCCESS);
    assert_int_equal(one->counted, 1);
    hold(one, 0);
    assert_true(is_in_memory(one));
    assert_int_equal(evict(&one, 1, 0), STATUS_SUCCESS);
    assert_true(is_in_memory(one));
    assert_int_equal(evict(&one, 1, 0), STATUS_SUCCESS);
    assert_false(is_in_memory(one));
    end();
}

/* The list of another device takes its place: it is asked for, and comes. */
static void what_has_lost_its_place_is_asked_for(void **state)
{
    struct vidmm_device *first = rig.device, *second;
    struct vidmm_paging_queue *own;
    struct vidmm_allocation *one, *other;

    (void)state;
    begin();
    first = rig.device;
    one = listed(0, 40);
    assert_int_equal(make(&one, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_device_create(rig.adapter, 2, &second, &rig.report), STATUS_SUCCESS);
    assert_int_equal(
        vidmm_paging_queue_create(second, VIDMM_PAGING_QUEUE_NORMAL, &own, &rig.report),
        STATUS_SUCCESS);
    rig.device = second;
    other = create(1, 40);
    rig.device = first;
    assert_int_equal(vidmm_make_resident(own, &other, 1, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER,
                                         &result, &rig.report),
                     STATUS_PENDING);
    assert_int_equal(vidmm_paging_queue_wait(own, result.value, &rig.report), STATUS_SUCCESS);
    assert_false(is_in_memory(one));
    assert_int_equal(one->counted, 1);
    assert_int_equal(make(&one, 1), STATUS_PENDING);
    assert_int_equal(vidmm_paging_queue_wait(queue, result.value, &rig.report), STATUS_SUCCESS);
    assert_true(is_in_memory(one));
    assert_int_equal(one->counted + in_engine(one), 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(evict(&one, 1, 0), STATUS_SUCCESS);
    assert_int_equal(evict(&one, 1, 0), STATUS_INVALID_PARAMETER);
    vidmm_device_destroy(second);
    end();
}

static void behind_the_stop_nothing_is_counted(void **state)
{
    struct vidmm_allocation *one;

    (void)state;
    begin();
    one = listed(0, 16);
    assert_int_equal(make(&one, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_adapter_pnp_stop(rig.adapter, &rig.report), STATUS_SUCCESS);
    assert_int_equal(make(&one, 1), STATUS_DEVICE_REMOVED);
    assert_int_equal(evict(&one, 1, 0), STATUS_DEVICE_REMOVED);
    assert_int_equal(one->counted, 1);
    rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stays_listed_is_counted_and_the_engine_is_not_asked),
        cmocka_unit_test(a_refused_eviction_counts_as_before),
        cmocka_unit_test(what_was_not_written_is_heard_of_though_it_stays),
        cmocka_unit_test(above_the_budget_every_eviction_says_how_much),
        cmocka_unit_test(a_shared_allocation_is_counted_by_the_engine),
        cmocka_unit_test(what_is_only_held_is_asked_for),
        cmocka_unit_test(what_has_lost_its_place_is_asked_for),
        cmocka_unit_test(behind_the_stop_nothing_is_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
