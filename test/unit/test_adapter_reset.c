/* test_adapter_reset.c: two adapters in one process, and one of them is reset: the other notices
 * nothing. */
#include "test_adapter_rig.h"

#include <pthread.h>

static struct rig hung, sound;

static void begin(enum vidmm_machine_kind kind, uint32_t timeout_ms)
{
    struct rig_options options = rig_defaults();

    options.kind = kind;
    rig_init(&sound, &options);
    options.gpu = "hang 0 1\n";
    options.adapter.timeout_ms = timeout_ms;
    rig_init(&hung, &options);
}

/* The first adapter hangs and is reset. */
static void hang(void)
{
    struct rig_allocation *one[] = {&hung.allocations[0]};

    assert_int_equal(rig_create(&hung, one[0], 5000, 2, 1), STATUS_SUCCESS);
    assert_int_equal(rig_render(&hung, one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(hung.context, hung.value);
}

static void end(void)
{
    struct vidmm_statistics statistics;

    vidmm_adapter_statistics(hung.adapter, &statistics);
    assert_int_equal(statistics.resets, 1);
    assert_int_equal(vidmm_device_condition(hung.device, NULL), STATUS_DEVICE_REMOVED);
    assert_int_equal(vidmm_adapter_condition(hung.adapter, NULL), STATUS_SUCCESS);
    vidmm_adapter_statistics(sound.adapter, &statistics);
    assert_int_equal(statistics.resets, 0);
    assert_int_equal(statistics.preemptions, 0);
    assert_int_equal(statistics.findings, 0);
    assert_int_equal(vidmm_device_condition(sound.device, NULL), STATUS_SUCCESS);
    rig_read(&sound); /* every byte is right */
    rig_finish(&sound);
    rig_finish(&hung);
}

static void a_reset_is_the_affair_of_one_adapter(void **state)
{
    (void)state;
    begin(VIDMM_MACHINE_SIMULATED, 2000);
    rig_work(&sound, 1, 60);
    hang();
    rig_work(&sound, 2, 60);
    end();
}

static void *work(void *argument)
{
    rig_work(&sound, 3, 300);
    return argument;
}

static void even_while_the_other_is_at_work(void **state)
{
    pthread_t thread;

    (void)state;
    begin(VIDMM_MACHINE_THREADED, 30);
    assert_int_equal(pthread_create(&thread, NULL, work, NULL), 0);
    hang();
    assert_int_equal(pthread_join(thread, NULL), 0);
    end();
}

/* ---- call by call ---------------------------------------------------------------------------- */

/* The manager's decisions for the sound adapter, byte for byte. */
struct stream {
    unsigned char *bytes;
    size_t size, room;
    uint64_t events;
};

static void note_event(void *context, const struct vidmm_event *event)
{
    struct stream *stream = context;

    stream->events += event->kind != VIDMM_EVENT_TICK;
}

static void note_operation(void *context, uint64_t time_ns, const struct vidmm_operation *operation)
{
    struct stream *stream = context;

    (void)time_ns;
    if (stream->size + sizeof(*operation) > stream->room) {
        stream->room = 2 * stream->room + 64 * sizeof(*operation);
        stream->bytes = realloc(stream->bytes, stream->room);
        assert_non_null(stream->bytes);
    }
    memcpy(stream->bytes + stream->size, operation, sizeof(*operation));
    stream->size += sizeof(*operation);
}

enum fate { NOTHING, RESET, STOPPED, REMOVED };

/* The sound adapter works before, between and after what befalls the other one. */
static struct stream work_beside(enum fate fate)
{
    static const char *const gpus[] = {"", "hang 0 1\n", "hang 0 1\nrecovery reset_fails\n", ""};
    struct stream stream = {0};
    const struct vidmm_observer observer = {
        .context = &stream, .event = note_event, .operation = note_operation};
    struct rig_options options = rig_defaults();
    struct rig_allocation *one[] = {&hung.allocations[0]};

    options.adapter.observer = &observer;
    rig_init(&sound, &options);
    options = rig_defaults();
    options.gpu = gpus[fate];
    rig_init(&hung, &options);
    rig_work(&sound, 1, 60);
    assert_int_equal(rig_create(&hung, one[0], 5000, 2, 1), STATUS_SUCCESS);
    assert_int_equal(rig_render(&hung, one, 1, 1), STATUS_SUCCESS);
    rig_work(&sound, 2, 60); /* while the other is late */
    vidmm_context_wait(hung.context, hung.value);
    assert_int_equal(vidmm_adapter_condition(hung.adapter, NULL) != STATUS_SUCCESS,
                     fate == STOPPED);
    if (fate == REMOVED)
        rig_finish(&hung);
    rig_work(&sound, 3, 60);
    rig_read(&sound);
    rig_finish(&sound);
    if (fate != REMOVED)
        rig_finish(&hung);
    return stream;
}

static void nothing_that_it_does_is_another(void **state)
{
    struct stream alone = work_beside(NOTHING);

    (void)state;
    assert_true(alone.size > 100 * sizeof(struct vidmm_operation));
    for (enum fate fate = RESET; fate <= REMOVED; fate++) {
        struct stream stream = work_beside(fate);

        assert_int_equal(stream.events, alone.events);
        assert_int_equal(stream.size, alone.size);
        assert_memory_equal(stream.bytes, alone.bytes, alone.size);
        free(stream.bytes);
    }
    free(alone.bytes);
}

/* The driver's own status says why; and it is asked nothing more. */
static void an_adapter_that_has_stopped_says_why_and_asks_nobody(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *one[] = {&hung.allocations[0]};
    unsigned char data[16];

    (void)state;
    options.gpu = "hang 0 1\nrecovery preempt_fails\n";
    rig_init(&hung, &options);
    assert_int_equal(rig_create(&hung, one[0], 5000, 2, 1), STATUS_SUCCESS);
    assert_int_equal(rig_render(&hung, one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(hung.context, hung.value);
    assert_int_equal(vidmm_adapter_condition(hung.adapter, NULL), STATUS_UNSUCCESSFUL);
    assert_int_equal(vidmm_query_private(hung.adapter, data, sizeof(data), &hung.report),
                     STATUS_DEVICE_REMOVED);
    rig_finish(&hung);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reset_is_the_affair_of_one_adapter),
        cmocka_unit_test(even_while_the_other_is_at_work),
        cmocka_unit_test(nothing_that_it_does_is_another),
        cmocka_unit_test(an_adapter_that_has_stopped_says_why_and_asks_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
