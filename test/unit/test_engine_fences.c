/* test_engine_fences.c: monitored fences of an engine alone: signals and waits by the CPU and in
 * the queues of contexts, plan by plan. */
#include "test_engine_rig.h"

enum { MEMORY = 2 };

/* Two devices; device 1 has contexts 1 and 3, device 2 has context 2; device 1 has paging queue
 * 1. */
static void begin(struct engine_rig *rig)
{
    struct vidmm_engine_config config = engine_rig_config();
    struct vidmm_event queue = {.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = 1};

    config.explicit_residency = true;
    config.per_engine_reset = true;
    engine_rig_init(rig, &config);
    engine_rig_do(rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 2));
    queue.paging_queue.queue = 1;
    queue.paging_queue.priority = VIDMM_PAGING_QUEUE_NORMAL;
    engine_rig_do(rig, queue);
}

static struct vidmm_event fence_event(uint32_t kind, uint32_t fence)
{
    struct vidmm_event event = {.kind = kind, .device = 1};

    event.fence_object.fence = fence;
    return event;
}

static struct vidmm_event creation(uint32_t fence, uint32_t flags, uint64_t value)
{
    struct vidmm_event event = fence_event(VIDMM_EVENT_CREATE_FENCE, fence);

    event.fence_object.flags = flags;
    event.fence_object.value = value;
    return event;
}

static void create(struct engine_rig *rig, uint32_t fence, uint32_t flags, uint64_t value)
{
    engine_rig_do(rig, creation(fence, flags, value));
}

static struct vidmm_event fences_event(uint32_t kind, const struct vidmm_fence_value *values,
                                       uint32_t count)
{
    struct vidmm_event event = {.kind = kind, .device = 1};

    event.fences.request = kind == VIDMM_EVENT_WAIT_FENCES ? 1 : 0;
    event.fences.context =
        kind == VIDMM_EVENT_QUEUE_WAIT || kind == VIDMM_EVENT_QUEUE_SIGNAL ? 1 : 0;
    event.fences.count = count;
    event.fences.values = values;
    return event;
}

static NTSTATUS one(struct engine_rig *rig, uint32_t kind, uint32_t fence, uint64_t value)
{
    const struct vidmm_fence_value values = {.fence = fence, .value = value};

    return engine_rig_step(rig, fences_event(kind, &values, 1));
}

static NTSTATUS wait(struct engine_rig *rig, uint32_t request, uint32_t fence, uint64_t value)
{
    const struct vidmm_fence_value values = {.fence = fence, .value = value};
    struct vidmm_event event = fences_event(VIDMM_EVENT_WAIT_FENCES, &values, 1);

    event.fences.request = request;
    return engine_rig_step(rig, event);
}

/* In the queue of a context of device 1. */
static void queue_up(struct engine_rig *rig, uint32_t kind, uint32_t context, uint32_t fence,
                     uint64_t value)
{
    const struct vidmm_fence_value values = {.fence = fence, .value = value};
    struct vidmm_event event = fences_event(kind, &values, 1);

    event.fences.context = context;
    engine_rig_do(rig, event);
}

static void submit(struct engine_rig *rig, uint32_t context, uint32_t dma_buffer)
{
    struct vidmm_event event = engine_event_submit(dma_buffer, 0, NULL, 0);

    event.device = context == 2 ? 2 : 1;
    event.submit.context = context;
    engine_rig_do(rig, event);
}

static void read_as(struct engine_rig *rig, uint32_t fence, uint64_t value)
{
    struct vidmm_event event = fence_event(VIDMM_EVENT_FENCE_READ, fence);

    event.fence_object.value = value;
    engine_rig_do(rig, event);
}

static bool was_submitted(const struct engine_rig *rig, uint32_t dma_buffer)
{
    for (uint32_t i = 0; i < rig->count; i++)
        if (rig->log[i].kind == VIDMM_DO_SUBMIT && rig->log[i].submit.dma_buffer == dma_buffer)
            return true;
    return false;
}

/* Operations of a kind from log index `from` on. */
static uint32_t count_of(const struct engine_rig *rig, uint32_t from, uint32_t kind)
{
    uint32_t count = 0;

    for (; from < rig->count; from++)
        count += rig->log[from].kind == kind;
    return count;
}

static uint32_t index_of(const struct engine_rig *rig, uint32_t from, uint32_t kind)
{
    while (from < rig->count && rig->log[from].kind != kind)
        from++;
    assert_true(from < rig->count);
    return from;
}

static void assert_waited(const struct engine_rig *rig, uint32_t from, uint32_t request,
                          NTSTATUS status)
{
    const struct vidmm_operation *waited = engine_rig_find(rig, from, VIDMM_DO_WAITED);

    assert_non_null(waited);
    assert_int_equal(waited->waited.request, request);
    assert_int_equal(waited->waited.status, (uint32_t)status);
}

/* ---- by the CPU ------------------------------------------------------------------------------ */

static void a_signal_writes_memory_before_it_wakes_who_waits(void **state)
{
    struct engine_rig rig;
    uint32_t from, written;

    (void)state;
    begin(&rig);
    create(&rig, 1, 0, 10);
    assert_int_equal(vidmm_engine_fence_value(rig.engine, 1), 10);
    assert_int_equal(wait(&rig, 7, 1, 12), STATUS_PENDING);
    from = rig.count;
    assert_int_equal(one(&rig, VIDMM_EVENT_SIGNAL_FENCES, 1, 11), STATUS_SUCCESS);
    assert_int_equal(count_of(&rig, from, VIDMM_DO_WAITED), 0);
    assert_int_equal(one(&rig, VIDMM_EVENT_SIGNAL_FENCES, 1, 12), STATUS_SUCCESS);
    written = index_of(&rig, from, VIDMM_DO_WRITE_FENCE);
    assert_int_equal(rig.log[written].fence.value, 11);
    written = index_of(&rig, written + 1, VIDMM_DO_WRITE_FENCE);
    assert_int_equal(rig.log[written].fence.fence, 1);
    assert_int_equal(rig.log[written].fence.value, 12);
    assert_int_equal(rig.log[written].fence.narrow, 0);
    assert_true(index_of(&rig, from, VIDMM_DO_WAITED) > written);
    assert_waited(&rig, from, 7, STATUS_SUCCESS);
    engine_rig_finish(&rig);
}

static void a_wait_for_what_is_so_is_over_at_once(void **state)
{
    struct engine_rig rig;
    uint32_t from;

    (void)state;
    begin(&rig);
    create(&rig, 1, 0, 10);
    from = rig.count;
    assert_int_equal(wait(&rig, 7, 1, 10), STATUS_SUCCESS);
    assert_int_equal(wait(&rig, 7, 1, 3), STATUS_SUCCESS);
    assert_int_equal(rig.count, from); /* nothing is read for it, nor answered twice */
    engine_rig_finish(&rig);
}

static void all_or_any_of_several_end_a_wait(void **state)
{
    const struct vidmm_fence_value values[] = {{1, 0, 5}, {2, 0, 6}};
    struct vidmm_event event = fences_event(VIDMM_EVENT_WAIT_FENCES, values, 2);
    struct engine_rig rig;

    (void)state;
    begin(&rig);
    create(&rig, 1, 0, 0);
    create(&rig, 2, 0, 0);
    event.fences.request = 1;
    assert_int_equal(engine_rig_step(&rig, event), STATUS_PENDING);
    assert_int_equal(engine_rig_step(&rig, event), STATUS_INVALID_PARAMETER); /* it waits */
    event.fences.request = 2;
    event.fences.any = 1;
    assert_int_equal(engine_rig_step(&rig, event), STATUS_PENDING);
    one(&rig, VIDMM_EVENT_SIGNAL_FENCES, 2, 6);
    assert_int_equal(count_of(&rig, 0, VIDMM_DO_WAITED), 1);
    assert_waited(&rig, 0, 2, STATUS_SUCCESS);
    one(&rig, VIDMM_EVENT_SIGNAL_FENCES, 1, 9); /* above: at or above is enough */
    assert_int_equal(count_of(&rig, 0, VIDMM_DO_WAITED), 2);
    assert_waited(&rig, 0, 1, STATUS_SUCCESS);
    engine_rig_finish(&rig);
}

/* ---- what the GPU has written ---------------------------------------------------------------- */

static void what_the_gpu_wrote_is_read_when_something_completes_and_not_otherwise(void **state)
{
    struct engine_rig rig;
    uint32_t from;

    (void)state;
    begin(&rig);
    create(&rig, 1, 0, 0);
    create(&rig, 2, 0, 0); /* nobody waits for it */
    submit(&rig, 1, 1);
    engine_rig_answer(&rig);
    assert_int_equal(wait(&rig, 1, 1, 5), STATUS_PENDING);
    assert_int_equal(count_of(&rig, 0, VIDMM_DO_READ_FENCE), 1); /* it may hold it already */
    read_as(&rig, 1, 4);
    from = rig.count;
    engine_rig_do(&rig, (struct vidmm_event){.kind = VIDMM_EVENT_TICK});
    assert_int_equal(rig.count, from); /* no timer looks */
    engine_rig_complete(&rig, 0);
    assert_int_equal(count_of(&rig, from, VIDMM_DO_READ_FENCE), 1); /* DMA_COMPLETED */
    assert_int_equal(rig.log[index_of(&rig, from, VIDMM_DO_READ_FENCE)].fence.fence, 1);
    read_as(&rig, 1, 4);
    assert_int_equal(count_of(&rig, 0, VIDMM_DO_WAITED), 0);
    from = rig.count;
    engine_rig_do(&rig, (struct vidmm_event){.kind = VIDMM_EVENT_FENCES_SIGNALED});
    assert_int_equal(count_of(&rig, from, VIDMM_DO_READ_FENCE), 1);
    read_as(&rig, 1, 5);
    assert_waited(&rig, from, 1, STATUS_SUCCESS);
    from = rig.count;
    engine_rig_do(&rig, (struct vidmm_event){.kind = VIDMM_EVENT_FENCES_SIGNALED});
    assert_int_equal(rig.count, from); /* nobody waits any more */
    engine_rig_finish(&rig);
}

static void what_the_gpu_does_not_reach_is_never_read(void **state)
{
    struct vidmm_event read = fence_event(VIDMM_EVENT_FENCE_READ, 1);
    struct engine_rig rig;

    (void)state;
    begin(&rig);
    create(&rig, 1, VIDMM_FENCE_NO_GPU_ACCESS, 0);
    assert_int_equal(wait(&rig, 1, 1, 5), STATUS_PENDING);
    engine_rig_do(&rig, (struct vidmm_event){.kind = VIDMM_EVENT_FENCES_SIGNALED});
    assert_int_equal(count_of(&rig, 0, VIDMM_DO_READ_FENCE), 0);
    read.fence_object.value = 5;
    assert_int_equal(engine_rig_step(&rig, read), STATUS_INVALID_PARAMETER);
    assert_int_equal(count_of(&rig, 0, VIDMM_DO_WAITED), 0);
    engine_rig_finish(&rig);
}

/* D-185: 32 bits are in memory, and wrap; the value is of 64 bits all the same. */
static void a_narrow_fence_wraps_and_goes_on(void **state)
{
    struct engine_rig rig;
    uint32_t from;

    (void)state;
    begin(&rig);
    create(&rig, 1, VIDMM_FENCE_NARROW, 0xfffffff0);
    assert_int_equal(wait(&rig, 1, 1, UINT64_C(0x100000005)), STATUS_PENDING);
    read_as(&rig, 1, 0xffffffff);
    assert_int_equal(count_of(&rig, 0, VIDMM_DO_WAITED), 0);
    read_as(&rig, 1, 5);
    assert_waited(&rig, 0, 1, STATUS_SUCCESS);
    assert_int_equal(vidmm_engine_fence_value(rig.engine, 1), UINT64_C(0x100000005));
    from = rig.count;
    one(&rig, VIDMM_EVENT_SIGNAL_FENCES, 1, UINT64_C(0x100000009));
    assert_int_equal(rig.log[index_of(&rig, from, VIDMM_DO_WRITE_FENCE)].fence.narrow, 1);
    assert_int_equal(rig.log[index_of(&rig, from, VIDMM_DO_WRITE_FENCE)].fence.value, 9);
    assert_int_equal(wait(&rig, 1, 1, UINT64_C(0x180000008)), STATUS_PENDING); /* just in reach */
    assert_int_equal(wait(&rig, 2, 1, UINT64_C(0x180000009)), STATUS_INVALID_PARAMETER);
    assert_int_equal(one(&rig, VIDMM_EVENT_SIGNAL_FENCES, 1, UINT64_C(0x180000009)),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_engine_fence_value(rig.engine, 1), UINT64_C(0x100000009));
    engine_rig_finish(&rig);
}

/* ---- in queues ------------------------------------------------------------------------------- */

static void a_wait_holds_back_what_is_queued_behind_it_and_nothing_else(void **state)
{
    struct engine_rig rig;

    (void)state;
    begin(&rig);
    create(&rig, 1, 0, 0);
    submit(&rig, 1, 1);
    queue_up(&rig, VIDMM_EVENT_QUEUE_WAIT, 1, 1, 5);
    submit(&rig, 1, 2);
    submit(&rig, 2, 3);
    submit(&rig, 3, 4);
    engine_rig_run(&rig);
    assert_true(was_submitted(&rig, 1)); /* queued before */
    assert_false(was_submitted(&rig, 2));
    assert_true(was_submitted(&rig, 3)); /* of another device */
    assert_true(was_submitted(&rig, 4)); /* of another context */
    assert_true(vidmm_engine_is_quiet(rig.engine));
    one(&rig, VIDMM_EVENT_SIGNAL_FENCES, 1, 4);
    assert_false(was_submitted(&rig, 2));
    one(&rig, VIDMM_EVENT_SIGNAL_FENCES, 1, 5);
    assert_true(was_submitted(&rig, 2));
    engine_rig_run(&rig);
    assert_int_equal(count_of(&rig, 0, VIDMM_DO_RETIRE), 4);
    engine_rig_finish(&rig);
}

static void a_queued_wait_needs_all_of_its_fences(void **state)
{
    const struct vidmm_fence_value values[] = {{1, 0, 5}, {2, 0, 6}};
    struct engine_rig rig;

    (void)state;
    begin(&rig);
    create(&rig, 1, 0, 0);
    create(&rig, 2, 0, 0);
    engine_rig_do(&rig, fences_event(VIDMM_EVENT_QUEUE_WAIT, values, 2));
    submit(&rig, 1, 1);
    one(&rig, VIDMM_EVENT_SIGNAL_FENCES, 1, 5);
    assert_false(was_submitted(&rig, 1));
    read_as(&rig, 2, 6); /* the GPU has written this one */
    assert_true(was_submitted(&rig, 1));
    engine_rig_run(&rig);
    engine_rig_finish(&rig);
}

/* Context 3 waits for what context 1 signals: the signal comes when the commands have run. */
static void a_queued_signal_follows_the_commands_before_it(void **state)
{
    struct engine_rig rig;
    uint32_t from;

    (void)state;
    begin(&rig);
    create(&rig, 1, VIDMM_FENCE_NO_GPU_ACCESS, 0);
    queue_up(&rig, VIDMM_EVENT_QUEUE_WAIT, 3, 1, 1);
    submit(&rig, 3, 9);
    submit(&rig, 1, 1);
    engine_rig_answer(&rig);
    from = rig.count;
    queue_up(&rig, VIDMM_EVENT_QUEUE_SIGNAL, 1, 1, 1);
    queue_up(&rig, VIDMM_EVENT_QUEUE_SIGNAL, 1, 1, 2);
    assert_int_equal(rig.count, from); /* its command is in flight */
    assert_int_equal(vidmm_engine_fence_value(rig.engine, 1), 0);
    engine_rig_complete(&rig, 0);
    assert_int_equal(rig.log[index_of(&rig, from, VIDMM_DO_WRITE_FENCE)].fence.value, 1);
    assert_int_equal(engine_rig_find(&rig, from, VIDMM_DO_WRITE_FENCE)->fence.value, 2);
    assert_true(index_of(&rig, from, VIDMM_DO_SUBMIT) > index_of(&rig, from, VIDMM_DO_WRITE_FENCE));
    assert_true(was_submitted(&rig, 9));
    engine_rig_run(&rig);
    from = rig.count;
    queue_up(&rig, VIDMM_EVENT_QUEUE_SIGNAL, 1, 1, 3); /* nothing is before it */
    assert_int_equal(count_of(&rig, from, VIDMM_DO_WRITE_FENCE), 1);
    engine_rig_finish(&rig);
}

static void a_signal_of_many_fences_goes_on_when_the_plan_is_full(void **state)
{
    struct vidmm_fence_value values[VIDMM_FENCES_AT_ONCE];
    struct engine_rig rig;
    uint32_t from;

    (void)state;
    begin(&rig);
    for (uint32_t i = 0; i < VIDMM_FENCES_AT_ONCE; i++) {
        values[i] = (struct vidmm_fence_value){.fence = i + 1, .value = 100 + i};
        create(&rig, i + 1, 0, 0);
        for (uint32_t waits = 0; waits < 3; waits++)
            assert_int_equal(wait(&rig, 1 + 3 * i + waits, i + 1, 100 + i), STATUS_PENDING);
    }
    from = rig.count;
    engine_rig_do(&rig, fences_event(VIDMM_EVENT_QUEUE_SIGNAL, values, VIDMM_FENCES_AT_ONCE));
    assert_int_equal(count_of(&rig, from, VIDMM_DO_WRITE_FENCE), VIDMM_FENCES_AT_ONCE);
    assert_int_equal(count_of(&rig, from, VIDMM_DO_WAITED), 3 * VIDMM_FENCES_AT_ONCE);
    for (uint32_t i = 0; i < VIDMM_FENCES_AT_ONCE; i++)
        assert_int_equal(vidmm_engine_fence_value(rig.engine, i + 1), 100 + i);
    engine_rig_finish(&rig);
}

static void a_context_waits_for_a_paging_fence(void **state)
{
    const struct vidmm_fence_value values = {.fence = VIDMM_PAGING_QUEUE_FENCE | 1, .value = 7001};
    struct vidmm_event event = engine_event_create(1, 4, MEMORY);
    const uint32_t id = 1;
    struct engine_rig rig;
    uint32_t signal;

    (void)state;
    begin(&rig);
    engine_rig_do(&rig, event);
    event = fences_event(VIDMM_EVENT_QUEUE_WAIT, &values, 1);
    engine_rig_do(&rig, event);
    submit(&rig, 1, 1);
    engine_rig_run(&rig);
    assert_false(was_submitted(&rig, 1));
    event = (struct vidmm_event){.kind = VIDMM_EVENT_MAKE_RESIDENT};
    event.residency.queue = 1;
    event.residency.count = 1;
    event.residency.allocations = &id;
    assert_int_equal(engine_rig_step(&rig, event), STATUS_PENDING);
    assert_int_equal(vidmm_engine_fence_value(rig.engine, VIDMM_PAGING_QUEUE_FENCE | 1), 7000);
    engine_rig_run(&rig);
    signal = index_of(&rig, 0, VIDMM_DO_SIGNAL);
    assert_true(index_of(&rig, 0, VIDMM_DO_SUBMIT) > signal);
    assert_int_equal(vidmm_engine_fence_value(rig.engine, VIDMM_PAGING_QUEUE_FENCE | 1), 7001);
    assert_int_equal(count_of(&rig, 0, VIDMM_DO_WRITE_FENCE), 0); /* VIDMM_DO_SIGNAL says it */
    engine_rig_finish(&rig);
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void who_waits_for_a_fence_that_is_destroyed_goes_on(void **state)
{
    struct engine_rig rig;

    (void)state;
    begin(&rig);
    create(&rig, 1, 0, 0);
    create(&rig, 2, 0, 0);
    assert_int_equal(wait(&rig, 1, 1, 5), STATUS_PENDING);
    queue_up(&rig, VIDMM_EVENT_QUEUE_WAIT, 1, 1, 5);
    submit(&rig, 1, 1);
    queue_up(&rig, VIDMM_EVENT_QUEUE_WAIT, 1, 2, 1); /* behind, of another */
    queue_up(&rig, VIDMM_EVENT_QUEUE_WAIT, 1, 1, 6); /* behind, of this one */
    queue_up(&rig, VIDMM_EVENT_QUEUE_SIGNAL, 1, 1, 7);
    submit(&rig, 1, 2);
    engine_rig_do(&rig, fence_event(VIDMM_EVENT_DESTROY_FENCE, 1));
    assert_waited(&rig, 0, 1, STATUS_CANCELLED);
    assert_int_equal(vidmm_engine_fence_value(rig.engine, 1), 0);
    assert_int_equal(engine_rig_step(&rig, fence_event(VIDMM_EVENT_DESTROY_FENCE, 1)),
                     STATUS_INVALID_PARAMETER);
    create(&rig, 1, 0, 0); /* another by that id, of which they do not hear */
    engine_rig_run(&rig);
    assert_true(was_submitted(&rig, 1));
    assert_false(was_submitted(&rig, 2));
    one(&rig, VIDMM_EVENT_SIGNAL_FENCES, 2, 1);
    engine_rig_run(&rig);
    assert_true(was_submitted(&rig, 2));
    assert_int_equal(vidmm_engine_fence_value(rig.engine, 1), 0);
    engine_rig_finish(&rig);
}

static void a_device_ends_with_its_fences_and_waits(void **state)
{
    struct vidmm_event destroy = engine_event_device(VIDMM_EVENT_DESTROY_DEVICE, 1);
    struct vidmm_event abandon = {.kind = VIDMM_EVENT_ABANDON};
    struct engine_rig rig;
    uint32_t from;

    (void)state;
    begin(&rig);
    create(&rig, 1, 0, 0);
    assert_int_equal(wait(&rig, 1, 1, 5), STATUS_PENDING);
    queue_up(&rig, VIDMM_EVENT_QUEUE_WAIT, 1, 1, 5);
    submit(&rig, 1, 1);
    queue_up(&rig, VIDMM_EVENT_QUEUE_SIGNAL, 1, 1, 2);
    assert_int_equal(engine_rig_step(&rig, destroy), STATUS_INVALID_PARAMETER);
    from = rig.count;
    abandon.abandon.context = 1;
    engine_rig_do(&rig, abandon); /* the context ends */
    assert_int_equal(engine_rig_find(&rig, from, VIDMM_DO_RETIRE)->retire.status,
                     (uint32_t)STATUS_DEVICE_REMOVED);
    assert_int_equal(engine_rig_find(&rig, from, VIDMM_DO_WRITE_FENCE)->fence.value, 2);
    engine_rig_do(&rig, destroy);
    assert_waited(&rig, from, 1, STATUS_CANCELLED);
    assert_int_equal(vidmm_engine_fence_value(rig.engine, VIDMM_PAGING_QUEUE_FENCE | 1), 0);
    assert_int_equal(engine_rig_step(&rig, fence_event(VIDMM_EVENT_DESTROY_FENCE, 1)),
                     STATUS_INVALID_PARAMETER);
    engine_rig_finish(&rig);
}

/* Node 0 hangs on its packet until it is reset. */
static void hang(struct engine_rig *rig)
{
    uint32_t from = rig->count;

    for (int calls = 0; calls < 12 && !engine_rig_find(rig, from, VIDMM_DO_ERROR); calls++) {
        struct vidmm_event event = {.kind = VIDMM_EVENT_TICK, .time_ns = rig->time_ns};

        if (rig->call.kind == VIDMM_DO_RESET_ENGINE) {
            event.kind = VIDMM_EVENT_RECOVERED;
            event.recovered.fence = rig->fences[0];
            rig->due[0] = false;
            rig->call.kind = 0;
            engine_rig_do(rig, event);
        } else if (rig->call.kind != 0) {
            engine_rig_answer(rig);
        } else {
            event.time_ns = rig->time_ns += UINT64_C(3000000000);
            engine_rig_do(rig, event);
        }
    }
    assert_non_null(engine_rig_find(rig, from, VIDMM_DO_ERROR));
}

/* D-192: the engine hangs on a DMA buffer of device 1, and is reset. */
static void fences_of_a_device_that_hung_get_the_greatest_value(void **state)
{
    const struct vidmm_fence_value shared = {.fence = 1, .value = 5};
    struct vidmm_event event;
    struct engine_rig rig;
    uint32_t from;

    (void)state;
    begin(&rig);
    create(&rig, 1, VIDMM_FENCE_SHARED, 0);
    create(&rig, 2, VIDMM_FENCE_NO_MAX_VALUE, 0);
    create(&rig, 3, VIDMM_FENCE_NO_SIGNAL, 0);
    create(&rig, 4, VIDMM_FENCE_NARROW, 0);
    event = creation(5, 0, 0);
    event.device = 2;
    engine_rig_do(&rig, event);
    assert_int_equal(wait(&rig, 1, 1, 5), STATUS_PENDING);
    event = fences_event(VIDMM_EVENT_QUEUE_WAIT, &shared, 1);
    event.device = 2;
    event.fences.context = 2;
    engine_rig_do(&rig, event);
    submit(&rig, 2, 2); /* of another device, which waits for it */
    submit(&rig, 3, 3);
    engine_rig_answer(&rig);
    queue_up(&rig, VIDMM_EVENT_QUEUE_SIGNAL, 3, 1, 5);
    queue_up(&rig, VIDMM_EVENT_QUEUE_WAIT, 3, 2, 5);
    submit(&rig, 3, 4);
    from = rig.count;
    hang(&rig);
    assert_int_equal(engine_rig_find(&rig, from, VIDMM_DO_ERROR)->error.device, 1);
    engine_rig_run(&rig);
    assert_int_equal(vidmm_engine_fence_value(rig.engine, 1), UINT64_MAX);
    assert_int_equal(vidmm_engine_fence_value(rig.engine, 2), 0);
    assert_int_equal(vidmm_engine_fence_value(rig.engine, 3), 0);
    assert_int_equal(vidmm_engine_fence_value(rig.engine, 4), UINT64_MAX);
    assert_int_equal(vidmm_engine_fence_value(rig.engine, 5), 0);
    assert_int_equal(count_of(&rig, from, VIDMM_DO_WRITE_FENCE), 2); /* no 5 before UINT64_MAX */
    assert_int_equal(engine_rig_find(&rig, from, VIDMM_DO_WRITE_FENCE)->fence.value, UINT32_MAX);
    assert_int_not_equal(engine_rig_find(&rig, from, VIDMM_DO_WAITED)->waited.status,
                         STATUS_SUCCESS);
    assert_true(was_submitted(&rig, 2));
    assert_false(was_submitted(&rig, 4));
    assert_int_equal(count_of(&rig, 0, VIDMM_DO_RETIRE), 3);
    assert_int_not_equal(one(&rig, VIDMM_EVENT_SIGNAL_FENCES, 2, 5), STATUS_SUCCESS);
    assert_true(vidmm_engine_is_quiet(rig.engine));
    engine_rig_finish(&rig);
}

static void nobody_waits_when_the_engine_stops(void **state)
{
    struct vidmm_event stop = {.kind = VIDMM_EVENT_STOP};
    struct engine_rig rig;

    (void)state;
    begin(&rig);
    create(&rig, 1, 0, 0);
    assert_int_equal(wait(&rig, 1, 1, 5), STATUS_PENDING);
    queue_up(&rig, VIDMM_EVENT_QUEUE_WAIT, 1, 1, 5);
    submit(&rig, 1, 1);
    queue_up(&rig, VIDMM_EVENT_QUEUE_WAIT, 1, 1, 6);
    submit(&rig, 1, 2);
    engine_rig_do(&rig, stop);
    assert_waited(&rig, 0, 1, STATUS_DEVICE_REMOVED);
    assert_int_equal(wait(&rig, 2, 1, 5), STATUS_DEVICE_REMOVED);
    engine_rig_run(&rig);
    assert_true(rig.stopped);
    assert_int_equal(count_of(&rig, 0, VIDMM_DO_RETIRE), 2);
    engine_rig_finish(&rig);
}

static void an_engine_ends_with_waits_of_every_state(void **state)
{
    const struct vidmm_fence_value values = {.fence = VIDMM_PAGING_QUEUE_FENCE | 1, .value = 9000};
    struct engine_rig rig;

    (void)state;
    begin(&rig);
    create(&rig, 1, 0, 0);
    create(&rig, 2, 0, 0);
    assert_int_equal(wait(&rig, 1, 1, 5), STATUS_PENDING);
    submit(&rig, 1, 1);
    engine_rig_answer(&rig);
    queue_up(&rig, VIDMM_EVENT_QUEUE_SIGNAL, 1, 2, 5);                     /* following */
    engine_rig_do(&rig, fences_event(VIDMM_EVENT_QUEUE_WAIT, &values, 1)); /* waiting */
    queue_up(&rig, VIDMM_EVENT_QUEUE_WAIT, 1, 2, 5);                       /* queued */
    queue_up(&rig, VIDMM_EVENT_QUEUE_WAIT, 3, 2, 9);
    engine_rig_do(&rig, fence_event(VIDMM_EVENT_DESTROY_FENCE, 2));
    engine_rig_finish(&rig); /* counts its memory */
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void assert_refused(struct engine_rig *rig, struct vidmm_event event, NTSTATUS status)
{
    uint32_t from = rig->count;

    assert_int_equal(engine_rig_step(rig, event), status);
    assert_int_equal(rig->count, from);
}

static void a_fence_that_is_not_legal_is_refused(void **state)
{
    struct engine_rig rig;
    struct vidmm_event event;

    (void)state;
    begin(&rig);
    create(&rig, 1, 0, 0);
    assert_refused(&rig, creation(1, 0, 0), STATUS_INVALID_PARAMETER); /* in use */
    assert_refused(&rig, creation(0, 0, 0), STATUS_INVALID_PARAMETER);
    assert_refused(&rig, creation(VIDMM_FENCES, 0, 0), STATUS_INVALID_PARAMETER);
    assert_refused(&rig, creation(2, 64, 0), STATUS_INVALID_PARAMETER);
    assert_refused(&rig, creation(2, VIDMM_FENCE_NO_SIGNAL | VIDMM_FENCE_NO_WAIT, 0),
                   STATUS_INVALID_PARAMETER);
    assert_refused(&rig, creation(2, VIDMM_FENCE_NARROW | VIDMM_FENCE_NO_GPU_ACCESS, 0),
                   STATUS_INVALID_PARAMETER);
    assert_refused(&rig, creation(2, VIDMM_FENCE_NARROW, UINT64_C(1) << 32),
                   STATUS_INVALID_PARAMETER);
    event = creation(2, 0, 0);
    event.device = 9;
    assert_refused(&rig, event, STATUS_INVALID_PARAMETER);
    assert_refused(&rig, fence_event(VIDMM_EVENT_DESTROY_FENCE, 2), STATUS_INVALID_PARAMETER);
    assert_refused(&rig, fence_event(VIDMM_EVENT_DESTROY_FENCE, VIDMM_PAGING_QUEUE_FENCE | 1),
                   STATUS_INVALID_PARAMETER);
    assert_refused(&rig, fence_event(VIDMM_EVENT_FENCE_READ, 2), STATUS_INVALID_PARAMETER);
    event = (struct vidmm_event){.kind = VIDMM_EVENT_FENCES_SIGNALED};
    event.fences_signaled.node = ENGINE_RIG_NODES;
    assert_refused(&rig, event, STATUS_INVALID_PARAMETER);
    create(&rig, 2, 0, 0); /* nothing of all that stands */
    engine_rig_finish(&rig);
}

static void a_wait_or_signal_that_is_not_legal_is_refused(void **state)
{
    static const uint32_t kinds[] = {VIDMM_EVENT_SIGNAL_FENCES, VIDMM_EVENT_WAIT_FENCES,
                                     VIDMM_EVENT_QUEUE_WAIT, VIDMM_EVENT_QUEUE_SIGNAL};
    struct vidmm_fence_value values[VIDMM_FENCES_AT_ONCE + 1];
    struct engine_rig rig;
    struct vidmm_event event;

    (void)state;
    begin(&rig);
    create(&rig, 1, 0, 0);
    create(&rig, 2, VIDMM_FENCE_NO_SIGNAL, 0);
    create(&rig, 3, VIDMM_FENCE_NO_WAIT, 0);
    for (uint32_t i = 0; i <= VIDMM_FENCES_AT_ONCE; i++)
        values[i] = (struct vidmm_fence_value){.fence = 1, .value = 5};
    for (uint32_t i = 0; i < 4; i++) {
        bool signals =
            kinds[i] == VIDMM_EVENT_SIGNAL_FENCES || kinds[i] == VIDMM_EVENT_QUEUE_SIGNAL;

        assert_refused(&rig, fences_event(kinds[i], values, 0), STATUS_INVALID_PARAMETER);
        assert_refused(&rig, fences_event(kinds[i], values, VIDMM_FENCES_AT_ONCE + 1),
                       STATUS_INVALID_PARAMETER);
        event = fences_event(kinds[i], values, 1);
        event.device = 9;
        assert_refused(&rig, event, STATUS_INVALID_PARAMETER);
        event.device = 2; /* it is not shared */
        assert_refused(&rig, event, STATUS_INVALID_PARAMETER);
        values[1].fence = 4;
        assert_refused(&rig, fences_event(kinds[i], values, 2), STATUS_INVALID_PARAMETER);
        values[1].fence = signals ? 2 : 3;
        assert_refused(&rig, fences_event(kinds[i], values, 2), STATUS_ACCESS_DENIED);
        values[1].fence = VIDMM_PAGING_QUEUE_FENCE | 1;
        if (signals)
            assert_refused(&rig, fences_event(kinds[i], values, 2), STATUS_ACCESS_DENIED);
        values[1].fence = VIDMM_PAGING_QUEUE_FENCE | 2;
        assert_refused(&rig, fences_event(kinds[i], values, 2), STATUS_INVALID_PARAMETER);
    }
    for (uint32_t i = 2; i < 4; i++) {
        event = fences_event(kinds[i], values, 1);
        event.fences.context = 0;
        assert_refused(&rig, event, STATUS_INVALID_PARAMETER);
        event.fences.context = VIDMM_PAGING_QUEUE_CONTEXT;
        assert_refused(&rig, event, STATUS_INVALID_PARAMETER);
        event.fences.context = 1;
        event.fences.any = 1;
        assert_refused(&rig, event, STATUS_INVALID_PARAMETER);
    }
    event = fences_event(VIDMM_EVENT_WAIT_FENCES, values, 1);
    event.fences.request = 0;
    assert_refused(&rig, event, STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_engine_fence_value(rig.engine, 1), 0);
    engine_rig_finish(&rig);
}

static void an_engine_without_explicit_residency_has_no_fences(void **state)
{
    struct vidmm_engine_config config = engine_rig_config();
    const struct vidmm_fence_value values = {.fence = 1, .value = 5};
    struct engine_rig rig;

    (void)state;
    engine_rig_init(&rig, &config);
    assert_refused(&rig, creation(1, 0, 0), STATUS_INVALID_PARAMETER);
    for (uint32_t kind = VIDMM_EVENT_SIGNAL_FENCES; kind <= VIDMM_EVENT_QUEUE_SIGNAL; kind++)
        assert_refused(&rig, fences_event(kind, &values, 1), STATUS_INVALID_PARAMETER);
    engine_rig_finish(&rig);
}

/* Each allocation that an event makes fails once: nothing has changed then. */
static void assert_fails_without_memory(struct engine_rig *rig, struct vidmm_event event,
                                        NTSTATUS status)
{
    size_t n = 1;

    counted_memory_fail_at(&rig->memory, n);
    while (engine_rig_step(rig, event) == STATUS_NO_MEMORY) {
        assert_true(rig->memory.refused);
        counted_memory_fail_at(&rig->memory, ++n);
    }
    assert_true(n > 1);
    counted_memory_fail_at(&rig->memory, 0);
    if (status == STATUS_INVALID_PARAMETER) /* it stands now, and once */
        assert_int_equal(engine_rig_step(rig, event), status);
}

static void without_memory_nothing_has_changed(void **state)
{
    const struct vidmm_fence_value values = {.fence = 40, .value = 5};
    struct engine_rig rig;
    uint32_t from;

    (void)state;
    begin(&rig);
    assert_fails_without_memory(&rig, creation(40, 0, 0), STATUS_INVALID_PARAMETER);
    assert_fails_without_memory(&rig, fences_event(VIDMM_EVENT_WAIT_FENCES, &values, 1),
                                STATUS_INVALID_PARAMETER);
    assert_fails_without_memory(&rig, fences_event(VIDMM_EVENT_QUEUE_WAIT, &values, 1),
                                STATUS_SUCCESS);
    assert_fails_without_memory(&rig, fences_event(VIDMM_EVENT_QUEUE_SIGNAL, &values, 1),
                                STATUS_SUCCESS);
    from = rig.count;
    one(&rig, VIDMM_EVENT_SIGNAL_FENCES, 40, 5);
    assert_int_equal(count_of(&rig, from, VIDMM_DO_WAITED), 1);
    assert_int_equal(count_of(&rig, from, VIDMM_DO_WRITE_FENCE), 2); /* the queue's, too */
    engine_rig_finish(&rig);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_writes_memory_before_it_wakes_who_waits),
        cmocka_unit_test(a_wait_for_what_is_so_is_over_at_once),
        cmocka_unit_test(all_or_any_of_several_end_a_wait),
        cmocka_unit_test(what_the_gpu_wrote_is_read_when_something_completes_and_not_otherwise),
        cmocka_unit_test(what_the_gpu_does_not_reach_is_never_read),
        cmocka_unit_test(a_narrow_fence_wraps_and_goes_on),
        cmocka_unit_test(a_wait_holds_back_what_is_queued_behind_it_and_nothing_else),
        cmocka_unit_test(a_queued_wait_needs_all_of_its_fences),
        cmocka_unit_test(a_queued_signal_follows_the_commands_before_it),
        cmocka_unit_test(a_signal_of_many_fences_goes_on_when_the_plan_is_full),
        cmocka_unit_test(a_context_waits_for_a_paging_fence),
        cmocka_unit_test(who_waits_for_a_fence_that_is_destroyed_goes_on),
        cmocka_unit_test(a_device_ends_with_its_fences_and_waits),
        cmocka_unit_test(fences_of_a_device_that_hung_get_the_greatest_value),
        cmocka_unit_test(nobody_waits_when_the_engine_stops),
        cmocka_unit_test(an_engine_ends_with_waits_of_every_state),
        cmocka_unit_test(a_fence_that_is_not_legal_is_refused),
        cmocka_unit_test(a_wait_or_signal_that_is_not_legal_is_refused),
        cmocka_unit_test(an_engine_without_explicit_residency_has_no_fences),
        cmocka_unit_test(without_memory_nothing_has_changed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
