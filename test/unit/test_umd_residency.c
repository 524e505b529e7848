/* test_umd_residency.c: a residency set (include/umd/residency.h) on a GPU with 64 pages of memory,
 * whose program renders from allocations of 16.
 */
#include "test_adapter_rig.h"

#include <pthread.h>
#include <unistd.h>

#include <umd/residency.h>
#include <umd/track.h>
#include <vidmm/budget.h>
#include <vidmm/engine.h>
#include <vidmm/fence.h>
#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>

enum { PHYSICALLY = 0x8000, MEMORY = 2, PAGES = 16, ALL = 8 };

#define BYTES(pages) ((uint64_t)(pages)*VIDMM_PAGE_SIZE)

static struct rig rig;
static struct counted_memory memory;
static struct vidmm_paging_queue *paging_queue;
static struct umd_queues queues;
static struct umd_residency set;
static struct umd_resident residents[ALL];
static struct umd_track tracks[ALL];
static struct vidmm_fence *gate;
static uint64_t opened;

static void succeeds(NTSTATUS status, const char *what)
{
    if (status != STATUS_SUCCESS)
        fail_msg("%s: 0x%08x: %s", what, (unsigned)status, rig.report.text);
}

static void begin_with(struct rig_options options, struct umd_mutex mutex)
{
    uint32_t index;

    options.gpu = "wddm 2.0\n";
    rig_init(&rig, &options);
    counted_memory_init(&memory);
    succeeds(vidmm_paging_queue_create(rig.device, VIDMM_PAGING_QUEUE_NORMAL, &paging_queue,
                                       &rig.report),
             "paging queue");
    umd_queues_init(&queues, rig.device);
    succeeds(umd_queues_add(&queues, rig.context, &index, &rig.report), "queue");
    succeeds(vidmm_fence_create(rig.device, 0, 0, &gate, &rig.report), "fence");
    opened = 0;
    umd_residency_init(&set, &(struct umd_residency_options){.device = rig.device,
                                                             .paging_queue = paging_queue,
                                                             .queues = &queues,
                                                             .memory = &memory.table,
                                                             .mutex = mutex});
    memset(tracks, 0, sizeof(tracks));
    for (unsigned i = 0; i < ALL; i++) {
        succeeds(rig_create(&rig, &rig.allocations[i], BYTES(PAGES), MEMORY, PHYSICALLY), "create");
        umd_resident_init(&residents[i], rig.allocations[i].handle, &tracks[i]);
    }
}

static void begin(void)
{
    begin_with(rig_defaults(), (struct umd_mutex){NULL, NULL, NULL});
}

static void end(void)
{
    umd_residency_finish(&set);
    umd_queues_finish(&queues);
    counted_memory_finish(&memory);
    rig_judge(&rig, rig.gpu);
    rig_finish(&rig);
}

static void shut(void)
{
    const struct vidmm_fence_point point = {gate, opened + 1};

    succeeds(vidmm_context_wait_for_fences(rig.context, &point, 1, &rig.report), "shut");
}

static void open_gate(void)
{
    const struct vidmm_fence_point point = {gate, ++opened};

    succeeds(vidmm_fence_signal(rig.device, &point, 1, &rig.report), "open");
}

/* Require those whose bits are set. */
static NTSTATUS require(uint32_t bits, bool wait, uint64_t *value)
{
    struct umd_resident *list[ALL];
    uint32_t count = 0;

    for (unsigned i = 0; i < ALL; i++)
        if ((bits >> i & 1) != 0)
            list[count++] = &residents[i];
    rig.report.text[0] = 0;
    return umd_residency_require(&set, list, count, wait, value, &rig.report);
}

/* ... which succeeds, and be there. */
static void have(uint32_t bits)
{
    uint64_t value = 77;

    succeeds(require(bits, true, &value), "require");
    if (value != 0)
        succeeds(vidmm_paging_queue_wait(paging_queue, value, &rig.report), "wait");
    succeeds(vidmm_paging_queue_failure(paging_queue), "failure");
}

/* The bits of those that the set has listed. */
static uint32_t listed(void)
{
    uint32_t bits = 0;

    for (unsigned i = 0; i < ALL; i++)
        bits |= (uint32_t)residents[i].listed << i;
    return bits;
}

static uint64_t usage(void)
{
    struct vidmm_budget_info info;

    succeeds(vidmm_query_video_memory(rig.adapter, 1, VIDMM_GROUP_LOCAL, &info, &rig.report),
             "query");
    return info.usage;
}

static void set_budget(uint32_t pages)
{
    succeeds(vidmm_set_budget(rig.adapter, 1, VIDMM_GROUP_LOCAL, BYTES(pages), &rig.report),
             "budget");
}

/* Note uses, have them, render, signal: a whole submission; bit n of `writes`: the n-th of them. */
static NTSTATUS submit(uint32_t bits, uint32_t writes, bool wait)
{
    struct rig_allocation *list[ALL];
    uint64_t value = 0;
    uint32_t count = 0;

    for (unsigned i = 0; i < ALL; i++) {
        if ((bits >> i & 1) == 0)
            continue;
        umd_track_use(&tracks[i], 0, umd_queue_next(&queues, 0),
                      (writes >> count & 1) != 0 ? UMD_WRITE : UMD_READ);
        list[count++] = &rig.allocations[i];
    }
    NTSTATUS status = require(bits, wait, &value);
    if (status == STATUS_SUCCESS) {
        const struct vidmm_fence_point point = {vidmm_paging_queue_monitored_fence(paging_queue),
                                                value};

        if (value != 0)
            succeeds(vidmm_context_wait_for_fences(rig.context, &point, 1, &rig.report), "hold");
        succeeds(rig_render(&rig, list, count, writes), "render");
    }
    succeeds(umd_queue_signal(&queues, 0, &rig.report), "signal");
    return status;
}

static void finish_all(void)
{
    succeeds(vidmm_context_wait(rig.context, rig.value), "context");
    vidmm_machine_settle(rig.machine);
}

/* ---- coming and leaving ---------------------------------------------------------------------- */

static void what_is_required_is_resident_when_the_queue_says_so(void **state)
{
    struct vidmm_selection selection = {.allocations = &rig.allocations[0].handle,
                                        .allocation_count = 1};
    enum vidmm_residency residency;
    uint64_t value = 0;

    (void)state;
    begin();
    succeeds(require(1, true, &value), "require");
    assert_true(value > 7000);
    assert_int_equal(listed(), 1);
    succeeds(vidmm_paging_queue_wait(paging_queue, value, &rig.report), "wait");
    succeeds(vidmm_query_residency(&selection, &residency, &rig.report), "query");
    assert_int_equal(residency, VIDMM_RESIDENT_IN_GPU);
    assert_int_equal(usage(), BYTES(PAGES));
    assert_int_equal(set.bytes, BYTES(PAGES));
    end();
}

static void what_is_listed_is_not_asked_for_again(void **state)
{
    uint64_t value = 0, again = 0;

    (void)state;
    begin();
    succeeds(require(1, true, &value), "require");
    succeeds(require(1, true, &again), "require");
    assert_int_equal(again, value); /* it is not there yet, for this request neither */
    succeeds(vidmm_paging_queue_wait(paging_queue, value, &rig.report), "wait");
    succeeds(require(1, true, &again), "require");
    assert_int_equal(again, 0);
    succeeds(require(0, true, &again), "require");
    assert_int_equal(again, 0);
    succeeds(vidmm_evict(rig.device, &rig.allocations[0].handle, 1, 0, NULL, &rig.report), "evict");
    assert_int_equal(vidmm_evict(rig.device, &rig.allocations[0].handle, 1, 0, NULL, &rig.report),
                     STATUS_INVALID_PARAMETER); /* it was on the list once */
    end();
}

static void one_that_is_named_twice_is_listed_once(void **state)
{
    struct umd_resident *const twice[] = {&residents[0], &residents[1], &residents[0]};
    uint64_t value;

    (void)state;
    begin();
    succeeds(umd_residency_require(&set, twice, 3, true, &value, &rig.report), "require");
    assert_int_equal(set.bytes, BYTES(2 * PAGES));
    assert_int_equal(usage(), BYTES(2 * PAGES));
    assert_ptr_equal(set.oldest, &residents[1]);
    assert_ptr_equal(set.newest, &residents[0]);
    assert_int_equal(residents[0].wanted, 0);
    succeeds(vidmm_evict(rig.device, &rig.allocations[0].handle, 1, 0, NULL, &rig.report), "evict");
    assert_int_equal(vidmm_evict(rig.device, &rig.allocations[0].handle, 1, 0, NULL, &rig.report),
                     STATUS_INVALID_PARAMETER);
    end();
}

static void the_one_that_was_not_used_for_longest_leaves_first(void **state)
{
    (void)state;
    begin();
    have(1);
    have(2);
    have(4);
    have(8);
    have(1);
    have(16);
    assert_int_equal(listed(), 1 | 4 | 8 | 16);
    have(32);
    assert_int_equal(listed(), 1 | 8 | 16 | 32);
    assert_int_equal(usage(), BYTES(64));
    assert_int_equal(set.bytes, BYTES(64));
    end();
}

static void as_many_leave_as_room_is_wanted_for(void **state)
{
    (void)state;
    begin();
    have(1 | 2 | 4 | 8);
    have(8);
    have(16 | 32 | 64);
    assert_int_equal(listed(), 8 | 16 | 32 | 64);
    end();
}

static void contents_survive_leaving_and_coming_back(void **state)
{
    (void)state;
    begin();
    for (unsigned turn = 0; turn < 40; turn++)
        succeeds(submit(1u << turn % ALL | 1u << (turn * 3 + 1) % ALL, turn % 4, true), "submit");
    finish_all();
    end(); /* rig_judge(): the GPU found everything as it must be */
}

static void what_the_gpu_uses_stays_and_is_waited_for(void **state)
{
    (void)state;
    begin();
    have(15);
    shut();
    succeeds(submit(1, 0, true), "submit");
    succeeds(submit(2, 0, true), "submit");
    assert_int_equal(submit(16, 0, false), STATUS_SUCCESS); /* 4 leaves: nobody uses it */
    assert_int_equal(listed(), 1 | 2 | 8 | 16);
    assert_int_equal(submit(32, 0, false), STATUS_SUCCESS);
    assert_int_equal(listed(), 1 | 2 | 16 | 32);
    assert_int_equal(submit(64, 0, false), STATUS_GRAPHICS_ALLOCATION_BUSY);
    assert_non_null(strstr(rig.report.text, "when the GPU has done more"));
    assert_int_equal(listed(), 1 | 2 | 16 | 32);
    assert_int_equal(submit(64, 0, true), STATUS_TIMEOUT); /* it waits, and the gate is shut */
    assert_int_equal(listed(), 1 | 2 | 16 | 32);
    open_gate();
    assert_int_equal(submit(64, 0, true), STATUS_SUCCESS);
    assert_int_equal(listed(), 2 | 16 | 32 | 64);
    finish_all();
    end();
}

/* Its commands are not queued yet, and nothing but this thread will queue them. */
static void what_is_noted_and_not_submitted_stays_and_is_not_waited_for(void **state)
{
    uint64_t value;

    (void)state;
    begin();
    have(15);
    for (unsigned i = 0; i < 4; i++)
        umd_track_use(&tracks[i], 0, umd_queue_next(&queues, 0), UMD_READ);
    assert_int_equal(require(16, true, &value), STATUS_NO_MEMORY);
    assert_int_equal(listed(), 15);
    succeeds(umd_queue_signal(&queues, 0, &rig.report), "signal");
    succeeds(require(16, true, &value), "require");
    assert_int_equal(listed(), 2 | 4 | 8 | 16);
    end();
}

static void a_request_does_not_trim_what_it_names(void **state)
{
    struct vidmm_statistics statistics;

    (void)state;
    begin();
    have(1 | 2 | 4 | 8);
    have(1 | 2 | 4 | 16);
    assert_int_equal(listed(), 1 | 2 | 4 | 16);
    vidmm_machine_settle(rig.machine);
    vidmm_adapter_statistics(rig.adapter, &statistics);
    assert_int_equal(statistics.page_ins, 5); /* each once */
    end();
}

static void more_than_the_memory_is_refused(void **state)
{
    uint64_t value = 77;

    (void)state;
    begin();
    have(32);
    assert_int_equal(require(31, true, &value), STATUS_NO_MEMORY);
    assert_int_equal(value, 77);
    assert_int_equal(listed() & 31, 0);
    for (unsigned i = 0; i < ALL; i++)
        assert_int_equal(residents[i].wanted, 0);
    have(15);
    alarm(60); /* what it names is no room, and waiting for it is none */
    assert_int_equal(require(31, true, &value), STATUS_NO_MEMORY);
    alarm(0);
    assert_int_equal(listed(), 15);
    end();
}

static void without_a_list_nothing_is_asked_for(void **state)
{
    struct umd_resident *const one_of[] = {&residents[0]};
    uint64_t value = 77;

    (void)state;
    begin();
    counted_memory_fail_at(&memory, 1);
    assert_int_equal(require(3, true, &value), STATUS_NO_MEMORY);
    assert_true(counted_memory_refused(&memory));
    assert_non_null(strstr(rig.report.text, "no memory for a list"));
    assert_int_equal(listed(), 0);
    assert_int_equal(
        umd_residency_require(&set, one_of, VIDMM_RESIDENCY_MOST + 1, true, &value, &rig.report),
        STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "10240"));
    assert_int_equal(value, 77);
    have(1);
    have(255 & 15); /* a longer list */
    end();
}

/* ---- budgets and requests -------------------------------------------------------------------- */

static void above_the_budget_the_oldest_leave(void **state)
{
    (void)state;
    begin();
    set_budget(2 * PAGES);
    have(1);
    have(2);
    have(4);
    assert_int_equal(listed(), 2 | 4);
    assert_int_equal(usage(), BYTES(2 * PAGES));
    end();
}

/* A submission that needs more than the budget runs, above it; and the set is below it again as
 * soon as it can be. */
static void what_cannot_be_trimmed_further_is_allowed_above_the_budget(void **state)
{
    (void)state;
    begin();
    set_budget(PAGES);
    succeeds(submit(7, 0, true), "submit");
    assert_int_equal(listed(), 7);
    finish_all();
    have(8);
    assert_int_equal(listed(), 8);
    assert_int_equal(usage(), BYTES(PAGES));
    end();
}

static void a_request_to_trim_to_the_budget_is_obeyed(void **state)
{
    struct vidmm_trim_request request;
    uint64_t trimmed = 0;

    (void)state;
    begin();
    have(1);
    have(2 | 4 | 8);
    set_budget(2 * PAGES);
    assert_true(vidmm_trim_take(rig.device, &request));
    assert_int_equal(request.bytes_to_trim, BYTES(2 * PAGES));
    succeeds(umd_residency_obey(&set, &request, &trimmed, &rig.report), "obey");
    assert_int_equal(trimmed, BYTES(2 * PAGES));
    assert_int_equal(listed(), 4 | 8);
    assert_int_equal(usage(), BYTES(2 * PAGES));
    end();
}

/* The program's budget is halved while it runs, and it goes on. */
static void a_budget_that_is_halved_in_mid_run_costs_no_content(void **state)
{
    struct vidmm_trim_request request;

    (void)state;
    begin();
    for (unsigned turn = 0; turn < 60; turn++) {
        if (turn == 30)
            set_budget(32);
        if (vidmm_trim_take(rig.device, &request))
            succeeds(umd_residency_obey(&set, &request, NULL, &rig.report), "obey");
        succeeds(submit(1u << turn % ALL | 1u << (turn * 5 + 2) % ALL, turn % 4, true), "submit");
        assert_true(turn <= 33 || usage() <= BYTES(48)); /* two of this turn, one still used */
    }
    finish_all();
    have(1);
    assert_true(usage() <= BYTES(32));
    end();
}

static void a_periodic_trim_takes_what_was_not_used_in_the_period(void **state)
{
    struct vidmm_trim_request request;
    uint64_t trimmed = 77;

    (void)state;
    begin();
    have(1 | 2);
    have(4);
    succeeds(vidmm_trim_periodic(rig.adapter, false, &rig.report), "periodic");
    assert_true(vidmm_trim_take(rig.device, &request));
    succeeds(umd_residency_obey(&set, &request, &trimmed, &rig.report), "obey");
    assert_int_equal(trimmed, 0); /* all was used since the beginning */
    have(2);
    succeeds(umd_residency_obey(&set, &request, &trimmed, &rig.report), "obey");
    assert_int_equal(trimmed, BYTES(2 * PAGES));
    assert_int_equal(listed(), 2);
    request.flags = VIDMM_TRIM_RESTART_PERIODIC;
    have(1);
    succeeds(umd_residency_obey(&set, &request, &trimmed, &rig.report), "obey");
    assert_int_equal(trimmed, 0);
    assert_int_equal(listed(), 1 | 2);
    request.flags = VIDMM_TRIM_PERIODIC; /* and nothing was used since */
    shut();
    umd_track_use(&tracks[1], 0, umd_queue_next(&queues, 0), UMD_READ);
    succeeds(umd_residency_obey(&set, &request, &trimmed, &rig.report), "obey");
    assert_int_equal(listed(), 2); /* the GPU uses it */
    open_gate();
    end();
}

/* Periodic and to the budget at once: the bytes of the one count for the other. */
static void a_request_of_both_kinds_trims_as_much_as_the_larger(void **state)
{
    struct vidmm_trim_request request = {VIDMM_TRIM_PERIODIC | VIDMM_TRIM_TO_BUDGET,
                                         BYTES(2 * PAGES)};
    uint64_t trimmed = 0;

    (void)state;
    begin();
    have(1);
    succeeds(umd_residency_obey(&set, &(struct vidmm_trim_request){VIDMM_TRIM_RESTART_PERIODIC, 0},
                                &trimmed, &rig.report),
             "obey");
    have(2);
    have(4 | 8);
    succeeds(umd_residency_obey(&set, &request, &trimmed, &rig.report), "obey");
    assert_int_equal(trimmed, BYTES(2 * PAGES));
    assert_int_equal(listed(), 4 | 8);
    end();
}

static void a_trim_takes_as_much_as_it_can_and_waits_for_nothing(void **state)
{
    uint64_t trimmed = 0;

    (void)state;
    begin();
    have(15);
    shut();
    succeeds(submit(1 | 2 | 4, 0, true), "submit");
    succeeds(umd_residency_trim(&set, BYTES(64), &trimmed, &rig.report), "trim");
    assert_int_equal(trimmed, BYTES(PAGES));
    assert_int_equal(listed(), 7);
    succeeds(umd_residency_trim(&set, BYTES(64), &trimmed, NULL), "trim");
    assert_int_equal(trimmed, 0);
    open_gate();
    finish_all();
    succeeds(umd_residency_trim(&set, 1, NULL, NULL), "trim"); /* whole allocations */
    assert_int_equal(listed(), 6);
    end();
}

static void one_that_is_forgotten_may_be_destroyed_while_the_gpu_uses_it(void **state)
{
    (void)state;
    begin();
    have(15);
    shut();
    succeeds(submit(1 | 2, 0, true), "submit");
    umd_residency_forget(&set, &residents[0]);
    umd_residency_forget(&set, &residents[7]); /* it was not listed */
    vidmm_allocation_destroy(rig.allocations[0].handle);
    memset(&residents[0], 0xdb, sizeof(residents[0]));
    assert_int_equal(set.bytes, BYTES(3 * PAGES));
    open_gate();
    finish_all();
    have(16 | 32);
    assert_int_equal(set.bytes, BYTES(4 * PAGES));
    assert_int_equal(usage(), BYTES(4 * PAGES));
    end();
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { THREADS = 3, TURNS = 80 };

static pthread_mutex_t of_set = PTHREAD_MUTEX_INITIALIZER, of_rig = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint wrong, running;

static void lock_mutex(void *context)
{
    pthread_mutex_lock(context);
}

static void unlock_mutex(void *context)
{
    pthread_mutex_unlock(context);
}

/* Submissions of one queue are one thread's at a time; requests are not. */
static void *submit_in_turn(void *argument)
{
    unsigned first = *(unsigned *)argument;

    for (unsigned turn = 0; turn < TURNS; turn++) {
        uint32_t at = (first + turn * 3) % ALL;
        struct umd_resident *const list[] = {&residents[at]};
        struct rig_allocation *const named[] = {&rig.allocations[at]};
        struct vidmm_report report = {""};
        uint64_t value = 0;

        pthread_mutex_lock(&of_rig);
        umd_track_use(&tracks[at], 0, umd_queue_next(&queues, 0), UMD_WRITE);
        if (umd_residency_require(&set, list, 1, true, &value, &report) != STATUS_SUCCESS)
            atomic_fetch_add(&wrong, 1);
        const struct vidmm_fence_point point = {vidmm_paging_queue_monitored_fence(paging_queue),
                                                value};
        if (value != 0)
            vidmm_context_wait_for_fences(rig.context, &point, 1, &report);
        if (rig_render(&rig, named, 1, 1) != STATUS_SUCCESS)
            atomic_fetch_add(&wrong, 1);
        if (umd_queue_signal(&queues, 0, &report) != STATUS_SUCCESS)
            atomic_fetch_add(&wrong, 1);
        pthread_mutex_unlock(&of_rig);
    }
    atomic_fetch_sub(&running, 1);
    return NULL;
}

/* Requests and trims beside them. */
static void *require_and_trim(void *argument)
{
    (void)argument;
    for (unsigned turn = 0; atomic_load(&running) != 0; turn++) {
        struct umd_resident *const list[] = {&residents[turn % ALL], &residents[(turn + 3) % ALL]};
        uint64_t value, trimmed;
        NTSTATUS status = umd_residency_require(&set, list, 2, turn % 2 != 0, &value, NULL);

        /* Others may have noted all that is listed: then there is no room, and nobody to wait
         * for. */
        if (status != STATUS_SUCCESS && status != STATUS_GRAPHICS_ALLOCATION_BUSY &&
            status != STATUS_NO_MEMORY)
            atomic_fetch_add(&wrong, 1);
        if (umd_residency_trim(&set, BYTES(PAGES), &trimmed, NULL) != STATUS_SUCCESS)
            atomic_fetch_add(&wrong, 1);
    }
    return NULL;
}

static void threads_require_and_trim_and_no_content_is_lost(void **state)
{
    struct rig_options options = rig_defaults();
    pthread_t threads[THREADS];
    unsigned firsts[] = {0, 1};

    (void)state;
    options.kind = VIDMM_MACHINE_THREADED;
    options.visitors = true;
    begin_with(options, (struct umd_mutex){&of_set, lock_mutex, unlock_mutex});
    atomic_store(&wrong, 0);
    atomic_store(&running, 2);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL,
                                        i < 2 ? submit_in_turn : require_and_trim,
                                        i < 2 ? &firsts[i] : NULL),
                         0);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(atomic_load(&wrong), 0);
    succeeds(vidmm_context_wait(rig.context, rig.value), "context");
    succeeds(umd_residency_trim(&set, UINT64_MAX, NULL, &rig.report), "trim");
    assert_int_equal(listed(), 0);
    assert_int_equal(set.bytes, 0);
    assert_null(set.oldest);
    assert_null(set.newest);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_required_is_resident_when_the_queue_says_so),
        cmocka_unit_test(what_is_listed_is_not_asked_for_again),
        cmocka_unit_test(one_that_is_named_twice_is_listed_once),
        cmocka_unit_test(the_one_that_was_not_used_for_longest_leaves_first),
        cmocka_unit_test(as_many_leave_as_room_is_wanted_for),
        cmocka_unit_test(contents_survive_leaving_and_coming_back),
        cmocka_unit_test(what_the_gpu_uses_stays_and_is_waited_for),
        cmocka_unit_test(what_is_noted_and_not_submitted_stays_and_is_not_waited_for),
        cmocka_unit_test(a_request_does_not_trim_what_it_names),
        cmocka_unit_test(more_than_the_memory_is_refused),
        cmocka_unit_test(without_a_list_nothing_is_asked_for),
        cmocka_unit_test(above_the_budget_the_oldest_leave),
        cmocka_unit_test(what_cannot_be_trimmed_further_is_allowed_above_the_budget),
        cmocka_unit_test(a_request_to_trim_to_the_budget_is_obeyed),
        cmocka_unit_test(a_budget_that_is_halved_in_mid_run_costs_no_content),
        cmocka_unit_test(a_periodic_trim_takes_what_was_not_used_in_the_period),
        cmocka_unit_test(a_request_of_both_kinds_trims_as_much_as_the_larger),
        cmocka_unit_test(a_trim_takes_as_much_as_it_can_and_waits_for_nothing),
        cmocka_unit_test(one_that_is_forgotten_may_be_destroyed_while_the_gpu_uses_it),
        cmocka_unit_test(threads_require_and_trim_and_no_content_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
