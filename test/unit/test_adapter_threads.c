/* test_adapter_threads.c: programs that use one allocation from two threads at once, and programs
 * that open what others share.
 *
 * The content that the GPU finds in it then is the programs' own business, so it looks at nothing
 * (`execute none`); but paging runs, and the CPU's writes under a lock must be there at its next
 * lock.
 */
#include "test_adapter_rig.h"

#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include <vidmm/host.h>
#include <vidmm/resource.h>

enum { CPU_VISIBLE = 0x1 }; /* DXGK_ALLOCATIONINFOFLAGS */

enum { LOCKS = 60, RENDERS = 24 }; /* at least, of each */

struct scene {
    struct rig rig;
    struct rig_allocation *shared, *other;
    uint64_t written; /* the value of every word of `shared` */
    atomic_uint locks, renders;
    uint64_t lost;
};

static PDXGKDDI_RENDER softgpu_render;
static bool threaded;

static void pause_a_little(void)
{
    for (int i = 0; threaded && i < 4; i++)
        sched_yield();
}

/* A driver that takes its time, so that others come between. */
static NTSTATUS slow_render(HANDLE context, DXGKARG_RENDER *arguments)
{
    NTSTATUS status = softgpu_render(context, arguments);

    pause_a_little();
    return status;
}

static bool is_over(const struct scene *scene)
{
    return atomic_load(&scene->locks) >= LOCKS && atomic_load(&scene->renders) >= RENDERS;
}

/* Lock, look, write, unlock. */
static enum vidmm_caller_state lock_and_write(void *argument)
{
    struct scene *scene = argument;
    uint64_t words = scene->shared->pages * VIDMM_PAGE_SIZE / sizeof(uint64_t), *at;
    void *data;

    if (is_over(scene))
        return VIDMM_CALLER_DONE;
    assert_int_equal(vidmm_lock(scene->shared->handle, 0, &data, NULL), STATUS_SUCCESS);
    at = data;
    for (uint64_t i = 0; i < words; i++)
        scene->lost += at[i] != scene->written;
    scene->written++;
    for (uint64_t i = 0; i < words; i++)
        at[i] = scene->written;
    atomic_fetch_add(&scene->locks, 1);
    assert_int_equal(vidmm_unlock(scene->shared->handle), STATUS_SUCCESS);
    pause_a_little(); /* let the other render, now and then */
    return VIDMM_CALLER_RAN;
}

/* Have the GPU use it, and make it leave. */
static enum vidmm_caller_state render(void *argument)
{
    struct scene *scene = argument;
    bool odd = atomic_load(&scene->renders) % 2 != 0;
    struct rig_allocation *list[] = {odd ? scene->other : scene->shared};
    NTSTATUS status;

    if (is_over(scene))
        return VIDMM_CALLER_DONE;
    status = rig_render(&scene->rig, list, 1, 0);
    if (status != STATUS_SUCCESS && status != STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION)
        fail_msg("0x%08x: %s", (unsigned)status, scene->rig.report.text);
    if (status != STATUS_SUCCESS)
        return VIDMM_CALLER_RAN;
    /* Without a pause in its use there might never be a moment for a lock. */
    assert_int_equal(vidmm_context_wait(scene->rig.context, scene->rig.value), STATUS_SUCCESS);
    atomic_fetch_add(&scene->renders, 1);
    return VIDMM_CALLER_RAN;
}

static void play(enum vidmm_machine_kind kind, uint64_t seed, bool through_aperture)
{
    struct rig_options options = rig_defaults();
    struct scene *scene = calloc(1, sizeof(*scene));
    char report[300] = "";

    threaded = kind == VIDMM_MACHINE_THREADED;
    options.kind = kind;
    options.machine_seed = seed;
    options.gpu = "execute none\n";
    options.evict_through_aperture = through_aperture;
    rig_build(&scene->rig, &options);
    softgpu_render = scene->rig.driver.DxgkDdiRender;
    scene->rig.driver.DxgkDdiRender = slow_render;
    assert_int_equal(rig_start(&scene->rig), STATUS_SUCCESS);
    scene->shared = &scene->rig.allocations[0];
    scene->other = &scene->rig.allocations[1];
    assert_int_equal(rig_create(&scene->rig, scene->shared, 40 * VIDMM_PAGE_SIZE, 2, 1),
                     STATUS_SUCCESS);
    assert_int_equal(rig_create(&scene->rig, scene->other, 40 * VIDMM_PAGE_SIZE, 2, 1),
                     STATUS_SUCCESS);
    assert_true(vidmm_machine_add_caller(scene->rig.machine, "locks", lock_and_write, scene));
    assert_true(vidmm_machine_add_caller(scene->rig.machine, "renders", render, scene));
    if (!vidmm_machine_run(scene->rig.machine, report, sizeof(report)))
        fail_msg("%s", report);
    assert_true(scene->lost == 0);
    rig_finish(&scene->rig);
    free(scene);
}

static void what_the_cpu_wrote_stays_while_another_thread_renders(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++)
        play(VIDMM_MACHINE_THREADED, seed, seed % 2 == 0);
}

static void what_the_cpu_wrote_stays_under_every_interleaving(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++)
        play(VIDMM_MACHINE_SIMULATED, seed, seed % 2 == 0);
}

/* ---- what is shared -------------------------------------------------------------------------- */

enum { SHARINGS = 150, MEMBERS = 3 };

/* One program shares a resource and takes it back, again and again; others, each on a device of its
 * own that comes and goes, open what has its handle, or had it. */
struct sharing {
    struct rig rig;
    struct vidmm_resource *resource; /* of who shares; NULL: it is to be created */
    atomic_uint handle, rounds, opened;
    atomic_bool over;
};

static atomic_uint opens;
static PDXGKDDI_OPENALLOCATIONINFO softgpu_open;

/* A driver that refuses now and then. */
static NTSTATUS moody_open(HANDLE device, const DXGKARG_OPENALLOCATION *arguments)
{
    pause_a_little();
    if (atomic_fetch_add(&opens, 1) % 5 == 4)
        return STATUS_NO_MEMORY;
    return softgpu_open(device, arguments);
}

/* Another round is over. All are, once somebody has opened what was shared: on a machine that is
 * busy, others may get no turn for long. */
static bool sharing_is_over(struct sharing *sharing)
{
    unsigned round = atomic_fetch_add(&sharing->rounds, 1);
    bool over = round >= (atomic_load(&sharing->opened) > 0 ? SHARINGS : 100 * SHARINGS);

    atomic_store(&sharing->over, over);
    return over;
}

static enum vidmm_caller_state share(void *argument)
{
    static const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                                   .flags = CPU_VISIBLE,
                                                   .size = VIDMM_PAGE_SIZE,
                                                   .read_set = 3,
                                                   .write_set = 3,
                                                   .priority = SOFTGPU_PRIORITY_NORMAL};
    const struct vidmm_resource_options shared = {.shared = true};
    struct vidmm_description descriptions[MEMBERS];
    struct vidmm_allocation *given[MEMBERS];
    struct sharing *sharing = argument;

    for (uint32_t i = 0; i < MEMBERS; i++)
        descriptions[i] = (struct vidmm_description){.private_data = &wish,
                                                     .private_data_size = sizeof(wish),
                                                     .vidpn_source = VIDMM_NO_SOURCE};
    if (sharing->resource != NULL) {
        vidmm_resource_destroy(sharing->resource);
        sharing->resource = NULL;
        return sharing_is_over(sharing) ? VIDMM_CALLER_DONE : VIDMM_CALLER_RAN;
    }
    if (vidmm_resource_create(sharing->rig.device, &shared, descriptions, MEMBERS,
                              &sharing->resource, given, NULL) == STATUS_SUCCESS)
        atomic_store(&sharing->handle, vidmm_resource_handle(sharing->resource));
    pause_a_little();
    return VIDMM_CALLER_RAN;
}

static enum vidmm_caller_state open_on_a_new_device(void *argument)
{
    struct vidmm_allocation *given[MEMBERS];
    struct sharing *sharing = argument;
    struct vidmm_resource *resource;
    struct vidmm_device *device;

    if (atomic_load(&sharing->over))
        return VIDMM_CALLER_DONE;
    assert_int_equal(vidmm_device_create(sharing->rig.adapter, 2, &device, NULL), STATUS_SUCCESS);
    for (int i = 0; i < 2; i++)
        if (vidmm_resource_open(device, atomic_load(&sharing->handle), &resource, given, MEMBERS,
                                NULL) == STATUS_SUCCESS) {
            atomic_fetch_add(&sharing->opened, 1);
            if (i == 0)
                vidmm_resource_destroy(resource); /* or the device takes it along */
        }
    vidmm_device_destroy(device);
    return VIDMM_CALLER_RAN;
}

static void share_on(enum vidmm_machine_kind kind, uint64_t seed)
{
    struct rig_options options = rig_defaults();
    struct sharing *sharing = calloc(1, sizeof(*sharing));
    char report[300] = "";

    threaded = kind == VIDMM_MACHINE_THREADED;
    options.kind = kind;
    options.machine_seed = seed;
    rig_build(&sharing->rig, &options);
    softgpu_open = sharing->rig.driver.DxgkDdiOpenAllocation;
    sharing->rig.driver.DxgkDdiOpenAllocation = moody_open;
    assert_int_equal(rig_start(&sharing->rig), STATUS_SUCCESS);
    assert_true(vidmm_machine_add_caller(sharing->rig.machine, "shares", share, sharing));
    assert_true(
        vidmm_machine_add_caller(sharing->rig.machine, "opens", open_on_a_new_device, sharing));
    assert_true(
        vidmm_machine_add_caller(sharing->rig.machine, "opens too", open_on_a_new_device, sharing));
    if (!vidmm_machine_run(sharing->rig.machine, report, sizeof(report)))
        fail_msg("%s", report);
    assert_true(atomic_load(&sharing->opened) > 0);
    rig_finish(&sharing->rig);
    free(sharing);
}

static void what_is_shared_is_opened_whole_or_not_at_all(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++)
        share_on(VIDMM_MACHINE_THREADED, seed);
}

static void what_is_shared_is_opened_whole_under_every_interleaving(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++)
        share_on(VIDMM_MACHINE_SIMULATED, seed);
}

/* ---- alone in the driver --------------------------------------------------------------------- */

enum { TURNS = 200 };

/* One program renders, others create and destroy; beside them somebody sends the driver messages
 * again and again, or wants it for himself, for a message that needs the hardware or a change of
 * power. */
struct alone {
    struct rig rig;
    atomic_uint turns;
    atomic_int bad; /* a status that was none of success */
    enum { A_MESSAGE, A_MESSAGE_ALONE, A_CHANGE_OF_POWER } what;
    bool saves; /* contexts have allocations, for which their ends wait in the driver */
};

static bool alone_is_over(struct alone *alone)
{
    return atomic_load(&alone->turns) >= TURNS || atomic_load(&alone->bad) != 0;
}

static void note_status(struct alone *alone, NTSTATUS status)
{
    if (status != STATUS_SUCCESS)
        atomic_store(&alone->bad, status);
}

static enum vidmm_caller_state want_the_driver(void *argument)
{
    struct softgpu_escape message = {.magic = SOFTGPU_ESCAPE_MAGIC};
    struct alone *alone = argument;

    if (alone->what == A_CHANGE_OF_POWER) {
        note_status(alone, vidmm_adapter_set_power(alone->rig.adapter, VIDMM_POWER_D3, NULL));
        note_status(alone, vidmm_adapter_set_power(alone->rig.adapter, VIDMM_POWER_D0, NULL));
    } else {
        note_status(alone, vidmm_escape(alone->rig.device, &message, sizeof(message),
                                        alone->what == A_MESSAGE_ALONE, NULL));
    }
    atomic_fetch_add(&alone->turns, 1);
    return alone_is_over(alone) ? VIDMM_CALLER_DONE : VIDMM_CALLER_RAN;
}

static enum vidmm_caller_state render_beside(void *argument)
{
    struct alone *alone = argument;
    struct rig_allocation *list[] = {&alone->rig.allocations[0]};

    note_status(alone, rig_render(&alone->rig, list, 1, 0));
    return alone_is_over(alone) ? VIDMM_CALLER_DONE : VIDMM_CALLER_RAN;
}

static enum vidmm_caller_state create_beside(void *argument)
{
    static const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                                   .flags = CPU_VISIBLE,
                                                   .size = VIDMM_PAGE_SIZE,
                                                   .read_set = 3,
                                                   .write_set = 3,
                                                   .priority = SOFTGPU_PRIORITY_NORMAL};
    struct alone *alone = argument;
    struct vidmm_allocation *made;
    NTSTATUS status = vidmm_allocation_create(alone->rig.device, &wish, sizeof(wish), &made, NULL);

    if (status == STATUS_SUCCESS)
        vidmm_allocation_destroy(made);
    else
        note_status(alone, status);
    return alone_is_over(alone) ? VIDMM_CALLER_DONE : VIDMM_CALLER_RAN;
}

/* A context that has run comes to its end: the driver waits until the engine has let go of what the
 * context was saved in. */
static enum vidmm_caller_state leave_beside(void *argument)
{
    const struct softgpu_touch nothing = {.command = {SOFTGPU_TOUCH, softgpu_touch_size(0)}};
    struct alone *alone = argument;
    struct vidmm_context *context;
    uint64_t value = 0;
    NTSTATUS status = vidmm_context_create(alone->rig.device, 0, NULL, 0, &context, NULL);

    note_status(alone, status);
    if (status == STATUS_SUCCESS) {
        note_status(alone, vidmm_render(context, &nothing, nothing.command.size, NULL, 0, true,
                                        &value, NULL));
        vidmm_context_destroy(context);
    }
    return alone_is_over(alone) ? VIDMM_CALLER_DONE : VIDMM_CALLER_RAN;
}

static uint64_t findings_of(const struct rig *rig)
{
    struct vidmm_statistics statistics;

    vidmm_adapter_statistics(rig->adapter, &statistics);
    return statistics.findings;
}

/* The seed chooses what is wanted too. */
static void want_the_driver_on(enum vidmm_machine_kind kind, uint64_t seed)
{
    struct rig_options options = rig_defaults();
    struct alone *alone = calloc(1, sizeof(*alone));
    char report[300] = "";

    threaded = kind == VIDMM_MACHINE_THREADED;
    options.kind = kind;
    options.machine_seed = seed;
    alone->saves = seed >= 6;
    options.gpu = alone->saves ? "execute none\ncontext_save aperture\n" : "execute none\n";
    rig_build(&alone->rig, &options);
    softgpu_render = alone->rig.driver.DxgkDdiRender;
    alone->rig.driver.DxgkDdiRender = slow_render;
    alone->what = seed % 3;
    assert_int_equal(rig_start(&alone->rig), STATUS_SUCCESS);
    assert_int_equal(rig_create(&alone->rig, &alone->rig.allocations[0], VIDMM_PAGE_SIZE, 2, 1),
                     STATUS_SUCCESS);
    assert_true(vidmm_machine_add_caller(alone->rig.machine, "wants", want_the_driver, alone));
    assert_true(vidmm_machine_add_caller(alone->rig.machine, "renders", render_beside, alone));
    assert_true(vidmm_machine_add_caller(alone->rig.machine, "creates", create_beside, alone));
    if (alone->saves)
        assert_true(vidmm_machine_add_caller(alone->rig.machine, "leaves", leave_beside, alone));
    if (!vidmm_machine_run(alone->rig.machine, report, sizeof(report)))
        fail_msg("%s", report);
    assert_int_equal(atomic_load(&alone->bad), STATUS_SUCCESS);
    assert_int_equal(findings_of(&alone->rig), 0); /* nobody ran out of time */
    rig_finish(&alone->rig);
    free(alone);
}

static void who_wants_the_driver_alone_gets_it(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++)
        want_the_driver_on(VIDMM_MACHINE_THREADED, seed);
}

static void who_wants_the_driver_alone_gets_it_under_every_interleaving(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++)
        want_the_driver_on(VIDMM_MACHINE_SIMULATED, seed);
}

/* ---- a message beside a submission ----------------------------------------------------------- */

enum { OVERLAPS = 40, MOST_QUEUED = 64 };

/* A message is in the driver when a submission comes, and both run on. Latches are relaxed on
 * purpose: nothing but the driver's own care orders the two. */
static struct {
    PDXGKDDI_ESCAPE escape;
    PDXGKDDI_SUBMITCOMMAND submit;
    atomic_uint waiting; /* a message is in the driver and waits for the next submission */
    atomic_uint submissions, overlaps;
} beside;

static NTSTATUS escape_with_the_next_submission(HANDLE adapter, const DXGKARG_ESCAPE *arguments)
{
    unsigned seen = atomic_load_explicit(&beside.submissions, memory_order_relaxed), turns = 0;

    atomic_store_explicit(&beside.waiting, 1, memory_order_relaxed);
    while (atomic_load_explicit(&beside.submissions, memory_order_relaxed) == seen &&
           turns++ < 1000)
        usleep(100);
    atomic_store_explicit(&beside.waiting, 0, memory_order_relaxed);
    return beside.escape(adapter, arguments);
}

static NTSTATUS submit_with_a_message(HANDLE adapter, const DXGKARG_SUBMITCOMMAND *arguments)
{
    if (atomic_load_explicit(&beside.waiting, memory_order_relaxed) != 0)
        atomic_fetch_add_explicit(&beside.overlaps, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&beside.submissions, 1, memory_order_relaxed);
    return beside.submit(adapter, arguments);
}

static enum vidmm_caller_state ask_beside(void *argument)
{
    struct softgpu_escape message = {.magic = SOFTGPU_ESCAPE_MAGIC};
    struct alone *alone = argument;

    note_status(alone, vidmm_escape(alone->rig.device, &message, sizeof(message), false, NULL));
    if (message.queued > MOST_QUEUED)
        atomic_store(&alone->bad, STATUS_UNSUCCESSFUL);
    if (atomic_load(&beside.overlaps) >= OVERLAPS)
        atomic_store(&alone->turns, TURNS);
    return alone_is_over(alone) ? VIDMM_CALLER_DONE : VIDMM_CALLER_RAN;
}

/* Under the thread sanitizer: the driver's count of packets is read while it is written. */
static void a_message_runs_beside_a_submission(void **state)
{
    struct rig_options options = rig_defaults();
    struct alone *alone = calloc(1, sizeof(*alone));
    char report[300] = "";

    (void)state;
    memset(&beside, 0, sizeof(beside));
    options.kind = VIDMM_MACHINE_THREADED;
    options.gpu = "execute none\n";
    rig_build(&alone->rig, &options);
    beside.escape = alone->rig.driver.DxgkDdiEscape;
    beside.submit = alone->rig.driver.DxgkDdiSubmitCommand;
    alone->rig.driver.DxgkDdiEscape = escape_with_the_next_submission;
    alone->rig.driver.DxgkDdiSubmitCommand = submit_with_a_message;
    assert_int_equal(rig_start(&alone->rig), STATUS_SUCCESS);
    assert_int_equal(rig_create(&alone->rig, &alone->rig.allocations[0], VIDMM_PAGE_SIZE, 2, 1),
                     STATUS_SUCCESS);
    assert_true(vidmm_machine_add_caller(alone->rig.machine, "asks", ask_beside, alone));
    assert_true(vidmm_machine_add_caller(alone->rig.machine, "renders", render_beside, alone));
    if (!vidmm_machine_run(alone->rig.machine, report, sizeof(report)))
        fail_msg("%s", report);
    assert_int_equal(atomic_load(&alone->bad), STATUS_SUCCESS);
    assert_true(atomic_load(&beside.overlaps) >= OVERLAPS);
    rig_finish(&alone->rig);
    free(alone);
}

/* ---- turns ----------------------------------------------------------------------------------- */

#define MILLISECOND UINT64_C(1000000)

/* Programs of one process that create at the same time, on a clock of the machine's own. The driver
 * takes a millisecond for each; a program beside them sleeps for ten seconds. */
static struct {
    struct rig rig;
    PDXGKDDI_CREATEALLOCATION create;
    uint64_t ended; /* when the last one was done */
} turns;

static bool never(void *argument)
{
    (void)argument;
    return false;
}

static void sleep_for(uint64_t time_ns)
{
    const struct vidmm_host *host = vidmm_slot_host(turns.rig.slot);

    host->wait(host->context, never, NULL, time_ns);
}

static NTSTATUS sleeping_create(HANDLE adapter, DXGKARG_CREATEALLOCATION *arguments)
{
    sleep_for(MILLISECOND);
    return turns.create(adapter, arguments);
}

static enum vidmm_caller_state create_in_turn(void *argument)
{
    const struct vidmm_host *host = vidmm_slot_host(turns.rig.slot);
    struct rig_allocation *mine = argument;

    assert_int_equal(rig_create(&turns.rig, mine, VIDMM_PAGE_SIZE, 2, 1), STATUS_SUCCESS);
    turns.ended = host->now_ns(host->context);
    return VIDMM_CALLER_DONE;
}

static enum vidmm_caller_state sleep_long(void *argument)
{
    (void)argument;
    sleep_for(10000 * MILLISECOND);
    return VIDMM_CALLER_DONE;
}

static void take_turns(uint64_t seed)
{
    static const char *const names[] = {"first", "second", "third", "fourth", "fifth"};
    struct rig_options options = rig_defaults();
    const struct vidmm_host *host;
    uint64_t began;

    options.machine_seed = seed;
    rig_build(&turns.rig, &options);
    turns.create = turns.rig.driver.DxgkDdiCreateAllocation;
    turns.rig.driver.DxgkDdiCreateAllocation = sleeping_create;
    assert_int_equal(rig_start(&turns.rig), STATUS_SUCCESS);
    host = vidmm_slot_host(turns.rig.slot);
    began = host->now_ns(host->context);
    for (uint32_t i = 0; i < 5; i++)
        assert_true(vidmm_machine_add_caller(turns.rig.machine, names[i], create_in_turn,
                                             &turns.rig.allocations[i]));
    assert_true(vidmm_machine_add_caller(turns.rig.machine, "sleeps", sleep_long, NULL));
    assert_true(vidmm_machine_run(turns.rig.machine, NULL, 0));
    assert_true(turns.ended - began >= 5 * MILLISECOND); /* one after the other (D-055) */
    assert_true(turns.ended - began < 100 * MILLISECOND);
    rig_finish(&turns.rig);
}

static void who_waits_for_a_turn_gets_it_when_it_is_free(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++)
        take_turns(seed);
}

/* ---- two who change the power ---------------------------------------------------------------- */

/* Two programs give the power back at the same time; the driver takes a millisecond for that. */
static struct {
    struct rig rig;
    NTSTATUS (*set_power)(HANDLE, ULONG, DEVICE_POWER_STATE, POWER_ACTION);
    uint32_t calls, granted, refused;
} powered;

static NTSTATUS slow_set_power(HANDLE adapter, ULONG uid, DEVICE_POWER_STATE power,
                               POWER_ACTION action)
{
    const struct vidmm_host *host = vidmm_slot_host(powered.rig.slot);

    powered.calls++;
    host->wait(host->context, never, NULL, MILLISECOND);
    return powered.set_power(adapter, uid, power, action);
}

static enum vidmm_caller_state give_power_back(void *argument)
{
    NTSTATUS status = vidmm_adapter_set_power(powered.rig.adapter, VIDMM_POWER_D0, NULL);

    (void)argument;
    powered.granted += status == STATUS_SUCCESS;
    powered.refused += status == STATUS_INVALID_PARAMETER;
    return VIDMM_CALLER_DONE;
}

static void who_changes_the_power_second_is_refused(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct rig_options options = rig_defaults();
        char report[300] = "";

        memset(&powered, 0, sizeof(powered));
        options.kind = VIDMM_MACHINE_SIMULATED;
        options.machine_seed = seed;
        rig_build(&powered.rig, &options);
        powered.set_power = powered.rig.driver.DxgkDdiSetPowerState;
        powered.rig.driver.DxgkDdiSetPowerState = slow_set_power;
        assert_int_equal(rig_start(&powered.rig), STATUS_SUCCESS);
        assert_int_equal(vidmm_adapter_set_power(powered.rig.adapter, VIDMM_POWER_D3, NULL),
                         STATUS_SUCCESS);
        assert_int_equal(powered.calls, 1);
        assert_true(vidmm_machine_add_caller(powered.rig.machine, "one", give_power_back, NULL));
        assert_true(vidmm_machine_add_caller(powered.rig.machine, "other", give_power_back, NULL));
        if (!vidmm_machine_run(powered.rig.machine, report, sizeof(report)))
            fail_msg("%s", report);
        assert_int_equal(powered.granted, 1);
        assert_int_equal(powered.refused, 1);
        assert_int_equal(powered.calls, 2); /* the driver is told of D0 once */
        rig_finish(&powered.rig);
    }
}

/* Such a machine never says that nothing can change any more, so a wait for what never comes has no
 * end. Paging buffers stay until the adapter has stopped paging, and nobody may wait for them. */
static void an_adapter_stops_on_a_machine_that_others_may_call(void **state)
{
    struct rig_options options = rig_defaults();
    static struct rig rig;

    (void)state;
    options.kind = VIDMM_MACHINE_THREADED;
    options.visitors = true;
    alarm(60);
    rig_init(&rig, &options);
    rig_finish(&rig);
    alarm(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_cpu_wrote_stays_while_another_thread_renders),
        cmocka_unit_test(what_the_cpu_wrote_stays_under_every_interleaving),
        cmocka_unit_test(what_is_shared_is_opened_whole_or_not_at_all),
        cmocka_unit_test(what_is_shared_is_opened_whole_under_every_interleaving),
        cmocka_unit_test(who_wants_the_driver_alone_gets_it),
        cmocka_unit_test(who_wants_the_driver_alone_gets_it_under_every_interleaving),
        cmocka_unit_test(a_message_runs_beside_a_submission),
        cmocka_unit_test(who_waits_for_a_turn_gets_it_when_it_is_free),
        cmocka_unit_test(who_changes_the_power_second_is_refused),
        cmocka_unit_test(an_adapter_stops_on_a_machine_that_others_may_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
