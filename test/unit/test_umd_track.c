/* test_umd_track.c: use tracked by fence values (include/umd/track.h), on a software GPU of WDDM 2
 * whose queues a fence holds back for as long as a test likes.
 */
#include "test_fence_rig.h"

#include <pthread.h>

#include <umd/track.h>

static struct umd_queues queues;
static struct umd_track track, other;
static struct vidmm_fence *gate;
static uint64_t opened; /* the gate's value */

static void begin(const char *gpu)
{
    uint32_t index;

    fence_start(gpu);
    umd_queues_init(&queues, one.device);
    for (unsigned i = 0; i < 2; i++) {
        fence_succeeds(umd_queues_add(&queues, one.contexts[i], &index, &fence_rig.report), "add");
        assert_int_equal(index, i);
    }
    gate = fence_make(one.device, 0, 0);
    opened = 0;
    memset(&track, 0, sizeof(track));
    memset(&other, 0, sizeof(other));
}

static void end(void)
{
    umd_queues_finish(&queues);
    fence_finish();
}

/* Hold back what is queued on the queue from here on. */
static void shut(unsigned queue)
{
    const struct vidmm_fence_point point = {gate, opened + 1};

    fence_succeeds(vidmm_context_wait_for_fences(one.contexts[queue], &point, 1, &fence_rig.report),
                   "shut");
}

static void open_gate(void)
{
    fence_succeeds(fence_signal(gate, ++opened), "open");
}

/* A submission that uses a track; its value. */
static uint64_t use(struct umd_track *of, unsigned queue, uint32_t access)
{
    uint64_t value = umd_queue_next(&queues, queue);

    umd_track_use(of, queue, value, access);
    fence_fill(&one, queue, 64 * queue, (uint32_t)value);
    fence_succeeds(umd_queue_signal(&queues, queue, &fence_rig.report), "signal");
    return value;
}

static NTSTATUS wait_for(const struct umd_track *of, uint32_t access, bool wait)
{
    fence_rig.report.text[0] = 0;
    return umd_track_wait(&queues, of, access, wait, &fence_rig.report);
}

static void a_queue_counts_its_submissions_and_says_how_far_it_is(void **state)
{
    (void)state;
    begin("");
    assert_int_equal(umd_queue_next(&queues, 0), 1);
    assert_int_equal(umd_queue_passed(&queues, 0), 0);
    assert_int_equal(use(&track, 0, UMD_READ), 1);
    shut(0);
    assert_int_equal(use(&track, 0, UMD_READ), 2);
    assert_int_equal(use(&track, 0, UMD_READ), 3);
    fence_settle();
    assert_int_equal(umd_queue_passed(&queues, 0), 1);
    assert_int_equal(umd_queue_next(&queues, 0), 4);
    assert_int_equal(umd_queue_next(&queues, 1), 1);
    open_gate();
    fence_settle();
    assert_int_equal(umd_queue_passed(&queues, 0), 3);
    assert_int_equal(umd_queue_passed(&queues, 1), 0);
    end();
}

static void what_was_never_used_is_not_busy(void **state)
{
    (void)state;
    begin("");
    shut(0);
    use(&other, 0, UMD_WRITE);
    assert_false(umd_track_is_busy(&queues, &track, UMD_READ | UMD_WRITE));
    assert_int_equal(wait_for(&track, UMD_READ | UMD_WRITE, true), STATUS_SUCCESS);
    open_gate();
    end();
}

static void a_read_stands_in_the_way_of_a_write_and_of_no_read(void **state)
{
    (void)state;
    begin("");
    shut(0);
    use(&track, 0, UMD_READ);
    assert_false(umd_track_is_busy(&queues, &track, UMD_READ));
    assert_int_equal(wait_for(&track, UMD_READ, true), STATUS_SUCCESS);
    assert_true(umd_track_is_busy(&queues, &track, UMD_WRITE));
    assert_true(umd_track_is_busy(&queues, &track, UMD_READ | UMD_WRITE));
    open_gate();
    fence_settle();
    assert_false(umd_track_is_busy(&queues, &track, UMD_WRITE));
    end();
}

static void a_write_stands_in_the_way_of_both(void **state)
{
    (void)state;
    begin("");
    shut(0);
    use(&track, 0, UMD_WRITE);
    assert_true(umd_track_is_busy(&queues, &track, UMD_READ));
    assert_true(umd_track_is_busy(&queues, &track, UMD_WRITE));
    open_gate();
    fence_settle();
    assert_false(umd_track_is_busy(&queues, &track, UMD_READ));
    assert_false(umd_track_is_busy(&queues, &track, UMD_WRITE));
    end();
}

/* A read behind a write that is over, and a write before a read that is not. */
static void last_read_and_last_write_are_two_values(void **state)
{
    (void)state;
    begin("");
    use(&track, 0, UMD_WRITE);
    fence_settle();
    shut(0);
    use(&track, 0, UMD_READ);
    assert_int_equal(track.last_write[0], 1);
    assert_int_equal(track.last_read[0], 2);
    assert_false(umd_track_is_busy(&queues, &track, UMD_READ));
    assert_true(umd_track_is_busy(&queues, &track, UMD_WRITE));
    open_gate();
    end();
}

static void older_values_change_nothing(void **state)
{
    (void)state;
    begin("");
    umd_track_use(&track, 1, 5, UMD_READ | UMD_WRITE);
    umd_track_use(&track, 1, 4, UMD_READ);
    umd_track_use(&track, 1, 3, UMD_WRITE);
    assert_int_equal(track.last_read[1], 5);
    assert_int_equal(track.last_write[1], 5);
    assert_int_equal(track.last_read[0], 0);
    end();
}

static void each_queue_has_its_own_values(void **state)
{
    (void)state;
    begin("");
    use(&other, 1, UMD_WRITE);
    shut(1);
    use(&track, 0, UMD_WRITE);
    use(&track, 1, UMD_WRITE);
    use(&other, 0, UMD_READ);
    fence_settle(); /* queue 0 is at 2, and queue 1 at 1, where the track has 2 */
    assert_int_equal(umd_queue_passed(&queues, 0), 2);
    assert_int_equal(umd_queue_passed(&queues, 1), 1);
    assert_true(umd_track_is_busy(&queues, &track, UMD_READ));
    assert_false(umd_track_is_busy(&queues, &other, UMD_READ));
    open_gate();
    assert_int_equal(wait_for(&track, UMD_READ, true), STATUS_SUCCESS);
    assert_int_equal(umd_queue_passed(&queues, 1), 2);
    end();
}

/* obeys S2-008 */
static void who_does_not_wait_hears_that_it_was_still_drawing(void **state)
{
    (void)state;
    begin("");
    shut(0);
    use(&track, 0, UMD_WRITE);
    assert_int_equal(wait_for(&track, UMD_READ, false), STATUS_GRAPHICS_ALLOCATION_BUSY);
    assert_non_null(strstr(fence_rig.report.text, "WasStillDrawing"));
    assert_int_equal(umd_track_wait(&queues, &track, UMD_READ, false, NULL),
                     STATUS_GRAPHICS_ALLOCATION_BUSY);
    open_gate();
    fence_settle();
    assert_int_equal(wait_for(&track, UMD_READ, false), STATUS_SUCCESS);
    end();
}

/* obeys S2-009 */
static void who_waits_finds_what_the_gpu_wrote(void **state)
{
    const struct vidmm_fence_point point = {NULL, 1};
    struct vidmm_fence_point of_gate = point;

    (void)state;
    begin("");
    shut(0);
    use(&track, 0, UMD_WRITE); /* fills with 1 */
    use(&track, 1, UMD_WRITE);
    of_gate.fence = gate; /* the other queue opens the gate, long after the wait has begun */
    fence_succeeds(vidmm_context_signal_fences(one.contexts[1], &of_gate, 1, &fence_rig.report),
                   "signal");
    assert_int_equal(fence_filled(&one, 0), 0);
    assert_int_equal(wait_for(&track, UMD_READ, true), STATUS_SUCCESS);
    assert_int_equal(fence_filled(&one, 0), 1);
    end();
}

/* obeys S2-010: nothing in the machine can open the gate any more. The machine sees that nobody
 * runs, and says so; a wait that polled would run for ever. */
static void a_wait_does_not_poll(void **state)
{
    (void)state;
    begin("");
    shut(0);
    use(&track, 0, UMD_WRITE);
    use(&track, 1, UMD_WRITE); /* this one ends, and is not all */
    assert_int_equal(umd_queue_passed(&queues, 1), 0);
    assert_int_equal(wait_for(&track, UMD_READ, true), STATUS_TIMEOUT);
    assert_int_equal(umd_queue_passed(&queues, 1), 1);
    assert_true(umd_track_is_busy(&queues, &track, UMD_READ));
    open_gate();
    end();
}

static void a_use_that_is_not_submitted_is_refused_to_who_waits(void **state)
{
    (void)state;
    begin("");
    use(&track, 0, UMD_READ);
    umd_track_use(&track, 1, umd_queue_next(&queues, 1), UMD_WRITE);
    assert_int_equal(wait_for(&track, UMD_READ, false), STATUS_GRAPHICS_ALLOCATION_BUSY);
    assert_int_equal(wait_for(&track, UMD_READ, true), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(fence_rig.report.text, "not submitted"));
    assert_int_equal(umd_track_wait(&queues, &track, UMD_READ, true, NULL),
                     STATUS_INVALID_PARAMETER);
    fence_succeeds(umd_queue_signal(&queues, 1, &fence_rig.report), "signal");
    assert_int_equal(wait_for(&track, UMD_READ, true), STATUS_SUCCESS);
    end();
}

static void a_device_has_sixteen_queues(void **state)
{
    uint32_t index = 77;

    (void)state;
    begin("");
    for (uint32_t i = 2; i < UMD_QUEUES; i++)
        fence_succeeds(umd_queues_add(&queues, one.contexts[0], &index, &fence_rig.report), "add");
    assert_int_equal(index, 15);
    assert_int_equal(umd_queues_add(&queues, one.contexts[0], &index, &fence_rig.report),
                     STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(fence_rig.report.text, "16"));
    assert_int_equal(index, 15);
    assert_int_equal(queues.count, 16);
    end();
}

static void below_2_0_there_are_no_queues(void **state)
{
    struct rig_options options = rig_defaults();
    uint32_t index = 77;

    (void)state;
    options.gpu = "wddm 1.3\n";
    rig_init(&fence_rig, &options);
    umd_queues_init(&queues, fence_rig.device);
    assert_int_equal(umd_queues_add(&queues, fence_rig.context, &index, &fence_rig.report),
                     STATUS_NOT_SUPPORTED);
    assert_int_equal(queues.count, 0);
    assert_int_equal(index, 77);
    umd_queues_finish(&queues);
    rig_finish(&fence_rig);
}

/* A caller that asks until it is done must not ask for ever. */
static void an_adapter_that_stops_is_told_to_who_asks(void **state)
{
    (void)state;
    begin("");
    shut(0);
    use(&track, 0, UMD_WRITE);
    umd_track_use(&track, 0, umd_queue_next(&queues, 0), UMD_WRITE);
    fence_submits_fail = true;
    open_gate();
    fence_settle();
    assert_int_equal(wait_for(&track, UMD_READ, false), STATUS_DEVICE_REMOVED);
    assert_int_equal(umd_queue_signal(&queues, 0, &fence_rig.report), STATUS_DEVICE_REMOVED);
    assert_int_equal(umd_queue_next(&queues, 0), 2); /* nothing has changed */
    umd_queues_finish(&queues);
    vidmm_device_destroy(one.device);
    free(one.pages);
    rig_finish(&fence_rig);
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { ROUNDS = 40 };

static atomic_uint rounds, wrong, refused;

/* Wait until the GPU has written the round's number, and look. */
static void *look(void *argument)
{
    (void)argument;
    while (atomic_load(&rounds) < ROUNDS) {
        unsigned begun = atomic_load(&rounds);
        struct vidmm_report report;

        if (umd_track_wait(&queues, &track, UMD_READ, true, &report) != STATUS_SUCCESS)
            atomic_fetch_add(&refused, 1);
        /* Every use that was noted before `begun` was read is over. */
        if (umd_queue_passed(&queues, 0) < begun)
            atomic_fetch_add(&wrong, 1);
    }
    return NULL;
}

static void *note_the_other(void *argument)
{
    (void)argument;
    for (uint32_t value = 1; value <= 1000; value++)
        umd_track_use(&other, 0, value, value % 2 != 0 ? UMD_READ : UMD_WRITE);
    return NULL;
}

static void submit_rounds(void)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t value = umd_queue_next(&queues, 0);

        fence_fill(&one, 0, 0, (uint32_t)value);
        fence_succeeds(umd_queue_signal(&queues, 0, &fence_rig.report), "signal");
        umd_track_use(&track, 0, value, UMD_WRITE); /* behind it: nobody finds it unsubmitted */
        atomic_store(&rounds, round + 1);
    }
}

static void threads_wait_for_what_another_submits(void **state)
{
    struct rig_options options = rig_defaults();
    pthread_t threads[4];
    uint32_t index;

    (void)state;
    options.kind = VIDMM_MACHINE_THREADED;
    options.visitors = true;
    fence_start_with("", options);
    umd_queues_init(&queues, one.device);
    fence_succeeds(umd_queues_add(&queues, one.contexts[0], &index, &fence_rig.report), "add");
    memset(&track, 0, sizeof(track));
    memset(&other, 0, sizeof(other));
    atomic_store(&rounds, 0);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, i < 2 ? look : note_the_other, NULL), 0);
    submit_rounds();
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(atomic_load(&wrong), 0);
    assert_int_equal(atomic_load(&refused), 0);
    assert_int_equal(other.last_read[0], 999); /* notes of several threads lose nothing */
    assert_int_equal(other.last_write[0], 1000);
    assert_int_equal(wait_for(&track, UMD_WRITE, true), STATUS_SUCCESS);
    assert_int_equal(fence_filled(&one, 0), ROUNDS);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queue_counts_its_submissions_and_says_how_far_it_is),
        cmocka_unit_test(what_was_never_used_is_not_busy),
        cmocka_unit_test(a_read_stands_in_the_way_of_a_write_and_of_no_read),
        cmocka_unit_test(a_write_stands_in_the_way_of_both),
        cmocka_unit_test(last_read_and_last_write_are_two_values),
        cmocka_unit_test(older_values_change_nothing),
        cmocka_unit_test(each_queue_has_its_own_values),
        cmocka_unit_test(who_does_not_wait_hears_that_it_was_still_drawing),
        cmocka_unit_test(who_waits_finds_what_the_gpu_wrote),
        cmocka_unit_test(a_wait_does_not_poll),
        cmocka_unit_test(a_use_that_is_not_submitted_is_refused_to_who_waits),
        cmocka_unit_test(a_device_has_sixteen_queues),
        cmocka_unit_test(below_2_0_there_are_no_queues),
        cmocka_unit_test(an_adapter_that_stops_is_told_to_who_asks),
        cmocka_unit_test(threads_wait_for_what_another_submits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
