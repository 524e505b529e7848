/* test_engine_refusals.c: the refusals of vidmm_step(), and that a refused event has changed
 * nothing.
 *
 * A short run of an engine is stepped twice: alone, and with every event that must be refused
 * handed in between each two of its own. The two plans are the same, byte for byte.
 */
#include "test_engine_rig.h"

static struct engine_rig rig;

/* ---- what is refused at some moment ---------------------------------------------------------- */

struct refused {
    const char *what;
    struct vidmm_event event;
    NTSTATUS status;
};

enum { MOST = 80 };

struct list {
    struct refused items[MOST];
    uint32_t count;
};

static const struct vidmm_reference unknown = {77, 0}, buffer = {9, 1}, foreign = {8, 0},
                                    read_only = {7, 1};

static void add(struct list *list, const char *what, struct vidmm_event event, NTSTATUS status)
{
    assert_true(list->count < MOST);
    list->items[list->count++] = (struct refused){what, event, status};
}

static void add_invalid(struct list *list, const char *what, struct vidmm_event event)
{
    add(list, what, event, STATUS_INVALID_PARAMETER);
}

static void add_devices(struct list *list)
{
    add_invalid(list, "device 0", engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 0));
    add_invalid(list, "device 2^28", engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 1u << 28));
    add_invalid(list, "device there is", engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 1));
    add_invalid(list, "no such device", engine_event_device(VIDMM_EVENT_DESTROY_DEVICE, 3));
    add_invalid(list, "no such device, far",
                engine_event_device(VIDMM_EVENT_DESTROY_DEVICE, UINT32_MAX));
}

static void add_wish(struct list *list, const char *what, struct vidmm_wish wish)
{
    struct vidmm_event event = engine_event_create(50, 1, 2);

    event.create.wish = wish;
    add_invalid(list, what, event);
}

static void add_wishes(struct list *list)
{
    const struct vidmm_wish fine = engine_event_create(50, 1, 2).create.wish;
    struct vidmm_wish wish = fine;

    wish.size = 0;
    add_wish(list, "size 0", wish);
    wish.size = 4097;
    add_wish(list, "ragged size", wish);
    wish = fine, wish.alignment = 0;
    add_wish(list, "alignment 0", wish);
    wish.alignment = 2048;
    add_wish(list, "alignment below a page", wish);
    wish.alignment = 3 * 4096;
    add_wish(list, "alignment no power of two", wish);
    wish = fine, wish.read_set = wish.write_set = 0;
    add_wish(list, "no segment", wish);
    wish = fine, wish.read_set = 4;
    add_wish(list, "no such segment to read", wish);
    wish = fine, wish.write_set = 1u << 31;
    add_wish(list, "no such segment to write", wish);
    wish = fine, wish.eviction_set = 4;
    add_wish(list, "no such segment to leave through", wish);
}

static void add_allocations(struct list *list)
{
    struct vidmm_event event = engine_event_create(50, 1, 2);

    add_invalid(list, "allocation 0", engine_event_create(0, 1, 2));
    add_invalid(list, "allocation 2^28", engine_event_create(1u << 28, 1, 2));
    add_invalid(list, "allocation there is", engine_event_create(1, 1, 2));
    add(list, "larger than the segment", engine_event_create(50, 65, 2),
        STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    add(list, "larger than all segments", engine_event_create(50, 65, 3),
        STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    event.device = 3;
    add_invalid(list, "allocation of no device", event);
    event = engine_event_create(50, 1, 2);
    event.create.buffer = VIDMM_BUFFER_FENCES + 1;
    add_invalid(list, "allocation of a kind after the last", event);
    event.create.buffer = UINT32_MAX;
    add_invalid(list, "allocation of no kind", event);
    add_wishes(list);
    add_invalid(list, "destroy 0", engine_event_destroy(0));
    add_invalid(list, "destroy what is not there", engine_event_destroy(77));
    add_invalid(list, "destroy it twice", engine_event_destroy(6));
    add_invalid(list, "destroy far away", engine_event_destroy(UINT32_MAX));
}

static void add_submissions(struct list *list)
{
    static const struct vidmm_reference good = {1, 0};
    struct vidmm_event event = engine_event_submit(60, 0, &good, 1);

    event.device = 3;
    add_invalid(list, "submit of no device", event);
    add_invalid(list, "submit to no node", engine_event_submit(60, 2, &good, 1));
    add_invalid(list, "submit of no DMA buffer", engine_event_submit(0, 0, &good, 1));
    add_invalid(list, "reference to nothing", engine_event_submit(60, 0, &unknown, 1));
    add_invalid(list, "reference to a buffer", engine_event_submit(60, 0, &buffer, 1));
    add_invalid(list, "reference to another's", engine_event_submit(60, 0, &foreign, 1));
    add_invalid(list, "write where none can be", engine_event_submit(60, 0, &read_only, 1));
    add_invalid(list, "pin nothing", engine_event_pin(5, 77));
    add_invalid(list, "pin what is no buffer", engine_event_pin(5, 1));
    add_invalid(list, "pin without a request", engine_event_pin(0, 9));
    add_invalid(list, "pin it twice", engine_event_pin(5, 9));
}

static void add_locks(struct list *list)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_UNLOCK};

    add_invalid(list, "lock nothing", engine_event_lock(5, 77, true));
    add_invalid(list, "lock without a request", engine_event_lock(0, 1, true));
    add_invalid(list, "lock what the CPU cannot see", engine_event_lock(5, 7, true));
    add_invalid(list, "lock what is destroyed", engine_event_lock(5, 6, true));
    event.unlock.allocation = 1;
    add_invalid(list, "unlock what nobody waits for", event);
    event.unlock.allocation = 77;
    add_invalid(list, "unlock nothing", event);
}

static void add_answers(struct list *list)
{
    struct vidmm_event claimed = {.kind = VIDMM_EVENT_CLAIMED};

    claimed.claimed.allocation = 77;
    add_invalid(list, "the claim of another", claimed);
    if (rig.call.kind != VIDMM_DO_BUILD)
        add_invalid(list, "an answer to no build", engine_event_built(STATUS_SUCCESS, 0, 64));
    if (rig.call.kind != VIDMM_DO_SUBMIT && rig.call.kind != VIDMM_DO_SUBMIT_PAGING)
        add_invalid(list, "an answer to no submission",
                    (struct vidmm_event){.kind = VIDMM_EVENT_SUBMITTED});
}

static void add_rest(struct list *list)
{
    add_invalid(list, "paging buffer 0", engine_event_paging(0, 1));
    add_invalid(list, "no paging buffer", engine_event_paging(1, 0));
    add_invalid(list, "paging buffers beyond the last", engine_event_paging(60, 7));
    add_invalid(list, "paging buffers far beyond", engine_event_paging(2, UINT32_MAX));
    add_invalid(list, "event 0", (struct vidmm_event){.kind = 0});
    add_invalid(list, "no such event", (struct vidmm_event){.kind = VIDMM_EVENTS});
    add_invalid(list, "event 2^32 - 1", (struct vidmm_event){.kind = UINT32_MAX});
}

static void hand_in_all(void)
{
    struct list list = {.count = 0};
    uint32_t count = rig.count;

    add_devices(&list);
    add_allocations(&list);
    add_submissions(&list);
    add_locks(&list);
    add_answers(&list);
    add_rest(&list);
    for (uint32_t i = 0; i < list.count; i++) {
        struct vidmm_event event = list.items[i].event;
        NTSTATUS status;

        event.time_ns = rig.time_ns + 1; /* the rig's own clock stands */
        status = engine_rig_step(&rig, event);
        if (status != list.items[i].status)
            fail_msg("%s: 0x%08x, expected 0x%08x", list.items[i].what, (unsigned)status,
                     (unsigned)list.items[i].status);
        if (rig.count != count)
            fail_msg("%s was refused and has a plan", list.items[i].what);
    }
}

/* ---- the run --------------------------------------------------------------------------------- */

static bool nonsense; /* hand in what must be refused, too */

static void step(struct vidmm_event event)
{
    engine_rig_do(&rig, event);
    if (nonsense)
        hand_in_all();
}

static void run(void)
{
    while (rig.call.kind != 0 || rig.due[0] || rig.due[1]) {
        if (rig.call.kind != 0)
            engine_rig_answer(&rig);
        else
            engine_rig_complete(&rig, rig.due[1] ? 1 : 0);
        if (nonsense)
            hand_in_all();
    }
}

/* Six allocations of 20 pages in 64: 1 to 5 in memory, 6 destroyed but in use; 7 the CPU cannot see
 * and nobody may write; 8 is device 2's; 9 a pinned buffer. */
static void prepare(void)
{
    static const struct vidmm_reference six = {6, 1};
    struct vidmm_event event;

    engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 2));
    for (uint32_t id = 1; id <= 6; id++)
        engine_rig_do(&rig, engine_event_create(id, 20, 2));
    event = engine_event_create(7, 1, 2);
    event.create.wish.write_set = 0;
    event.create.wish.flags = 0;
    engine_rig_do(&rig, event);
    event = engine_event_create(8, 1, 2);
    event.device = 2;
    engine_rig_do(&rig, event);
    event = engine_event_create(9, 1, 1);
    event.create.buffer = 1;
    engine_rig_do(&rig, event);
    engine_rig_do(&rig, engine_event_pin(1, 9));
    engine_rig_run(&rig);
    engine_rig_do(&rig, engine_event_submit(61, 0, &six, 1));
    while (rig.call.kind != 0 || rig.due[1]) /* submitted on node 0, and not complete */
        rig.call.kind != 0 ? engine_rig_answer(&rig) : engine_rig_complete(&rig, 1);
    engine_rig_do(&rig, engine_event_destroy(6));
}

static void live(void)
{
    static const struct vidmm_reference first[] = {{1, 1}, {2, 0}}, second[] = {{3, 1}, {4, 1}},
                                        third[] = {{5, 0}, {1, 0}, {2, 1}};
    struct vidmm_engine_config config = engine_rig_config();

    engine_rig_init(&rig, &config);
    prepare();
    step(engine_event_submit(10, 0, first, 2));
    step(engine_event_submit(11, 0, second, 2));
    step(engine_event_lock(2, 1, true));
    run();
    step(engine_event_submit(12, 0, third, 3));
    step(engine_event_lock(3, 4, false));
    run();
    step(engine_event_destroy(3));
    run();
}

static void a_refused_event_changes_nothing(void **state)
{
    static struct vidmm_operation log[ENGINE_RIG_LOG];
    uint32_t count;

    (void)state;
    nonsense = false;
    live();
    count = rig.count;
    memcpy(log, rig.log, count * sizeof(log[0]));
    engine_rig_finish(&rig);
    nonsense = true;
    live();
    assert_int_equal(rig.count, count);
    assert_memory_equal(rig.log, log, count * sizeof(log[0]));
    assert_true(count > 40);
    engine_rig_finish(&rig);
}

/* ---- other refusals -------------------------------------------------------------------------- */

static void paging_buffers_are_not_changed_while_one_is_open(void **state)
{
    struct vidmm_engine_config config = engine_rig_config();
    const struct vidmm_reference reference = {1, 1};

    (void)state;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, engine_event_create(1, 5, 2));
    engine_rig_do(&rig, engine_event_submit(1, 0, &reference, 1));
    assert_int_equal(rig.call.kind, VIDMM_DO_BUILD);
    assert_int_equal(engine_rig_step(&rig, engine_event_paging(4, 2)), STATUS_INVALID_PARAMETER);
    engine_rig_run(&rig);
    engine_rig_do(&rig, engine_event_paging(4, 2));
    engine_rig_do(&rig, engine_event_create(2, 64, 2));
    engine_rig_use(&rig, 2, true);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_SUBMIT_PAGING)->submit_paging.paging_buffer,
                     4);
    engine_rig_finish(&rig);
}

static void a_device_in_error_takes_no_command_and_others_do(void **state)
{
    struct vidmm_engine_config config = engine_rig_config();
    const struct vidmm_reference both[] = {{1, 1}, {2, 1}};
    struct vidmm_event event;

    (void)state;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, engine_event_create(1, 40, 2));
    engine_rig_do(&rig, engine_event_create(2, 40, 2));
    engine_rig_do(&rig, engine_event_submit(1, 0, both, 2));
    engine_rig_run(&rig);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_ERROR)->error.needed, PAGES(80));
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE)->retire.status,
                     (uint32_t)STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_int_equal(engine_rig_step(&rig, engine_event_submit(2, 0, both, 1)),
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 2));
    event = engine_event_submit(2, 0, NULL, 0);
    event.device = 2;
    engine_rig_do(&rig, event);
    engine_rig_run(&rig);
    engine_rig_finish(&rig);
}

static void a_stopped_engine_refuses_everything(void **state)
{
    struct vidmm_engine_config config = engine_rig_config();
    uint32_t count;

    (void)state;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, engine_event_create(1, 5, 2));
    engine_rig_do(&rig, (struct vidmm_event){.kind = VIDMM_EVENT_STOP});
    assert_true(rig.stopped);
    count = rig.count;
    for (uint32_t kind = 0; kind <= VIDMM_EVENTS; kind++)
        assert_int_equal(engine_rig_step(&rig, (struct vidmm_event){.kind = kind}),
                         STATUS_DEVICE_REMOVED);
    assert_int_equal(rig.count, count);
    engine_rig_finish(&rig);
}

static void no_engine_is_made_of_an_illegal_configuration(void **state)
{
    struct counted_memory memory;
    struct vidmm_engine_config configs[13], fine = engine_rig_config();
    uint32_t count = sizeof(configs) / sizeof(configs[0]);

    (void)state;
    counted_memory_init(&memory);
    for (uint32_t i = 0; i < count; i++)
        configs[i] = fine;
    configs[0].segment_count = 0;
    configs[1].segment_count = VIDMM_SEGMENTS;
    configs[2].node_count = 0;
    configs[3].node_count = VIDMM_NODES + 1;
    configs[4].paging_node = 2;
    configs[5].queue_limit = 0;
    configs[6].first_fence = 0;
    configs[7].timeout_ns = 0;
    configs[8].split_transfer_size = 100;
    configs[9].segments[2].size = 0;
    configs[10].segments[1].size = 100;
    configs[11].segments[2].size = UINT64_C(1) << 63;
    configs[12].segment_count = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (vidmm_engine_create(&configs[i], &memory.table) != NULL)
            fail_msg("an engine of configuration %u", i);
    counted_memory_finish(&memory);
}

/* ---- no memory ------------------------------------------------------------------------------- */

/* Events that take memory; each is handed in until it is taken. */
static uint32_t refusals;

static void insist(struct vidmm_event event)
{
    NTSTATUS status = engine_rig_step(&rig, event);

    while (status == STATUS_NO_MEMORY) {
        refusals++;
        event.time_ns = rig.time_ns;
        status = engine_rig_step(&rig, event);
    }
    assert_int_equal(status, STATUS_SUCCESS);
}

static void live_in_need(void)
{
    static const struct vidmm_reference both[] = {{1, 1}, {100, 1}};

    insist(engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 1));
    insist(engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 20));
    engine_rig_do(&rig, engine_event_paging(1, 3));
    insist(engine_event_create(1, 40, 2));
    insist(engine_event_create(100, 20, 3));
    insist(engine_event_create(1000, 40, 2));
    insist(engine_event_submit(1, 0, both, 2));
    insist(engine_event_lock(1, 1, true));
    engine_rig_run(&rig);
    insist(engine_event_submit(2, 0, both, 1));
    engine_rig_run(&rig);
    engine_rig_do(&rig, engine_event_destroy(1));
    engine_rig_run(&rig);
}

static void every_block_can_be_missing_once_and_the_plan_is_the_same(void **state)
{
    static struct vidmm_operation log[ENGINE_RIG_LOG];
    struct vidmm_engine_config config = engine_rig_config();
    uint32_t count = 0, all = 0;

    (void)state;
    for (size_t n = 0;; n++) {
        engine_rig_begin(&rig, &config);
        counted_memory_fail_at(&rig.memory, n);
        refusals = 0;
        live_in_need();
        bool refused = counted_memory_refused(&rig.memory);
        assert_int_equal(refusals, refused);
        all += refusals;
        if (n == 0) {
            count = rig.count;
            memcpy(log, rig.log, count * sizeof(log[0]));
        }
        assert_int_equal(rig.count, count);
        assert_memory_equal(rig.log, log, count * sizeof(log[0]));
        engine_rig_finish(&rig);
        if (n > 0 && !refused)
            break;
    }
    assert_true(all > 8);
}

static void an_engine_is_not_made_without_memory(void **state)
{
    struct vidmm_engine_config config = engine_rig_config();
    struct counted_memory memory;
    struct vidmm_engine *engine;
    size_t n = 1;

    (void)state;
    counted_memory_init(&memory);
    for (;; n++) {
        counted_memory_fail_at(&memory, n);
        engine = vidmm_engine_create(&config, &memory.table);
        if (engine != NULL)
            break;
        assert_true(counted_memory_refused(&memory));
        counted_memory_finish(&memory);
    }
    assert_true(n > 2);
    vidmm_engine_destroy(engine);
    vidmm_engine_destroy(NULL);
    counted_memory_finish(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_event_changes_nothing),
        cmocka_unit_test(paging_buffers_are_not_changed_while_one_is_open),
        cmocka_unit_test(a_device_in_error_takes_no_command_and_others_do),
        cmocka_unit_test(a_stopped_engine_refuses_everything),
        cmocka_unit_test(no_engine_is_made_of_an_illegal_configuration),
        cmocka_unit_test(every_block_can_be_missing_once_and_the_plan_is_the_same),
        cmocka_unit_test(an_engine_is_not_made_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
