/* test_engine_statistics.c: what the engine counts for who asks: places of allocations, bytes that
 * left segments, packets of devices. */
#include "test_engine_rig.h"

enum { FIRST = 1, SECOND = 2, MEMORY = 2, ELSE = 2 };

#define NORMAL 0x78000000u
#define LOW 0x50000000u

static struct engine_rig rig;

static void begin(void)
{
    struct vidmm_engine_config config = engine_rig_config();

    config.preemption = true;
    engine_rig_init(&rig, &config);
}

/* So many pages, in memory alone, by a device. */
static void create(uint32_t id, uint64_t pages, uint32_t priority, uint32_t device)
{
    struct vidmm_event event = engine_event_create(id, pages, 1 << (MEMORY - 1));

    event.device = device;
    event.create.wish.priority = priority;
    event.create.wish.preferred = 1 | MEMORY << 6; /* slot 0: the aperture, slot 1: memory */
    engine_rig_do(&rig, event);
}

static void submit(uint32_t id, uint32_t device)
{
    const struct vidmm_reference reference = {id, true};
    struct vidmm_event event = engine_event_submit(100 + id, 0, &reference, 1);

    event.device = device;
    engine_rig_do(&rig, event);
}

/* A range is given when the page-in is queued; the content is there when that is built. */
static void what_is_given_is_not_yet_resident(void **state)
{
    struct vidmm_holding holding;

    (void)state;
    begin();
    create(FIRST, 16, NORMAL, 1);
    assert_int_equal(vidmm_engine_holding(rig.engine, FIRST).segment, 0);
    submit(FIRST, 1);
    assert_int_equal(rig.call.kind, VIDMM_DO_BUILD);
    holding = vidmm_engine_holding(rig.engine, FIRST);
    assert_int_equal(holding.segment, MEMORY);
    assert_int_equal(holding.size, PAGES(16));
    assert_int_equal(holding.preference, 1);
    assert_int_equal(holding.rank, 2);
    assert_false(holding.resident || holding.demoted || holding.buffer);
    engine_rig_run(&rig);
    assert_true(vidmm_engine_holding(rig.engine, FIRST).resident);
    assert_int_equal(vidmm_engine_holding(rig.engine, 77).size, 0);
    engine_rig_finish(&rig);
}

/* By the class of its priority, for its segment and its device. */
static void what_leaves_is_counted_once(void **state)
{
    struct vidmm_evicted evicted;

    (void)state;
    begin();
    engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, ELSE));
    create(FIRST, 48, LOW, ELSE);
    create(SECOND, 32, NORMAL, 1);
    submit(FIRST, ELSE);
    engine_rig_run(&rig);
    evicted = vidmm_engine_evicted(rig.engine, MEMORY);
    assert_int_equal(evicted.bytes[1], 0);
    submit(SECOND, 1);
    engine_rig_run(&rig);
    evicted = vidmm_engine_evicted(rig.engine, MEMORY);
    assert_int_equal(evicted.bytes[1], PAGES(48));
    assert_int_equal(evicted.bytes[0] + evicted.bytes[2] + evicted.bytes[3] + evicted.bytes[4], 0);
    assert_int_equal(vidmm_engine_device_evicted(rig.engine, ELSE), PAGES(48));
    assert_int_equal(vidmm_engine_device_evicted(rig.engine, 1), 0);
    assert_int_equal(vidmm_engine_evicted(rig.engine, 1).bytes[1], 0);
    assert_int_equal(vidmm_engine_evicted(rig.engine, 0).bytes[1], 0);
    assert_int_equal(vidmm_engine_evicted(rig.engine, 99).bytes[1], 0);
    assert_int_equal(vidmm_engine_device_evicted(rig.engine, 99), 0);
    engine_rig_finish(&rig);
}

/* Each device has its own packets, also when its id was another's before. */
static void packets_are_their_devices(void **state)
{
    struct vidmm_packet_use use;

    (void)state;
    begin();
    engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, ELSE));
    create(FIRST, 4, NORMAL, 1);
    create(SECOND, 4, NORMAL, ELSE);
    submit(FIRST, 1);
    submit(SECOND, ELSE);
    engine_rig_run(&rig);
    submit(SECOND, ELSE);
    use = vidmm_engine_device_packets(rig.engine, ELSE, 0);
    assert_int_equal(use.submitted, 2);
    assert_int_equal(use.completed, 1);
    engine_rig_run(&rig);
    use = vidmm_engine_device_packets(rig.engine, ELSE, 0);
    assert_int_equal(use.completed, 2);
    assert_true(use.running_ns > 0);
    use = vidmm_engine_device_packets(rig.engine, 1, 0);
    assert_int_equal(use.submitted, 1);
    assert_int_equal(use.completed, 1);
    use = vidmm_engine_node_use(rig.engine, 0).render;
    assert_int_equal(use.submitted, 3);
    assert_int_equal(use.running_ns,
                     vidmm_engine_device_packets(rig.engine, 1, 0).running_ns +
                         vidmm_engine_device_packets(rig.engine, ELSE, 0).running_ns);
    use = vidmm_engine_device_packets(rig.engine, 1, rig.paging_node);
    assert_int_equal(use.submitted, 0); /* paging is nobody's */
    assert_int_equal(vidmm_engine_device_packets(rig.engine, 1, ENGINE_RIG_NODES).submitted, 0);
    engine_rig_do(&rig, engine_event_destroy(SECOND));
    engine_rig_run(&rig);
    engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_DESTROY_DEVICE, ELSE));
    assert_int_equal(vidmm_engine_device_packets(rig.engine, ELSE, 0).submitted, 0);
    engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, ELSE));
    assert_int_equal(vidmm_engine_device_packets(rig.engine, ELSE, 0).submitted, 0);
    engine_rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_is_not_yet_resident),
        cmocka_unit_test(what_leaves_is_counted_once),
        cmocka_unit_test(packets_are_their_devices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
