/* test_adapter_posted.c: AGP memory that the GPU has written, and a bridge that posts writes.
 *
 *     GPU writes, fence --> lock: WritePhysical to the manager's own page, ReadPhysical, then the
 *     pointer
 */
#include "test_adapter_rig.h"

enum { CPU_VISIBLE = 1, PERMANENT = 3, MOST = 400, AGP = 3 };

static struct rig rig;
static struct vidmm_operation seen[MOST];
static unsigned count;

static void observe(void *context, uint64_t time_ns, const struct vidmm_operation *operation)
{
    (void)context;
    (void)time_ns;
    if ((operation->kind == VIDMM_DO_BUILD || operation->kind == VIDMM_DO_GRANT) && count < MOST)
        seen[count++] = *operation;
}

static void ignore(void *context, const struct vidmm_event *event)
{
    (void)context;
    (void)event;
}

static void start(enum vidmm_machine_kind kind)
{
    static struct vidmm_observer observer;
    struct rig_options options = rig_defaults();

    observer = (struct vidmm_observer){.event = ignore, .operation = observe};
    options.kind = kind;
    options.gpu = "segment 1 aperture 1M\nsegment 2 memory 256K cpuvisible\nsegment 3 agp 4K\n";
    options.agp_aperture = 1 << 20;
    options.agp_posts = true;
    options.adapter.observer = &observer;
    count = 0;
    rig_init(&rig, &options);
}

static void create(struct rig_allocation *one, uint32_t set, uint32_t flags)
{
    assert_int_equal(rig_create(&rig, one, 8 * VIDMM_PAGE_SIZE, set, flags), STATUS_SUCCESS);
}

static void render(struct rig_allocation *one, bool write)
{
    struct rig_allocation *list[] = {one};

    assert_int_equal(rig_render(&rig, list, 1, write), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
}

/* Lock, look, write; answers how many physical operations the lock has brought about. */
static unsigned look(struct rig_allocation *one)
{
    unsigned physical = 0;

    count = 0;
    assert_true(rig_lock_and_touch(&rig, one, true));
    for (unsigned i = 0; i < count; i++)
        physical +=
            seen[i].kind == VIDMM_DO_BUILD && (seen[i].build.operation == VIDMM_READ_PHYSICAL ||
                                               seen[i].build.operation == VIDMM_WRITE_PHYSICAL);
    return physical;
}

static void finish(void)
{
    assert_int_equal(rig.cpu_mismatches, 0);
    rig_finish(&rig);
}

static void a_lock_pushes_what_the_gpu_wrote(void **state)
{
    struct rig_allocation one;

    (void)state;
    start(VIDMM_MACHINE_SIMULATED);
    create(&one, 4, CPU_VISIBLE);
    render(&one, true);
    assert_int_equal(look(&one), 2);
    assert_int_equal(seen[0].build.operation, VIDMM_WRITE_PHYSICAL); /* to a page of nobody's */
    assert_int_equal(seen[0].build.destination.segment, AGP);
    assert_int_equal(seen[0].build.destination.offset, (1 << 20) - VIDMM_PAGE_SIZE);
    assert_int_equal(seen[0].build.size, 0);
    assert_int_equal(seen[1].build.operation, VIDMM_READ_PHYSICAL);
    assert_int_equal(seen[1].build.destination.segment, AGP);
    assert_int_equal(seen[1].build.destination.offset, 0);
    assert_int_equal(seen[2].kind, VIDMM_DO_GRANT);
    vidmm_allocation_destroy(one.handle);
    finish();
}

static void nothing_is_pushed_that_the_gpu_did_not_write(void **state)
{
    struct rig_allocation agp, aperture;

    (void)state;
    start(VIDMM_MACHINE_SIMULATED);
    create(&agp, 4, CPU_VISIBLE);
    create(&aperture, 1, CPU_VISIBLE);
    assert_int_equal(look(&agp), 0); /* nobody but the CPU */
    render(&agp, false);
    assert_int_equal(look(&agp), 0);
    render(&aperture, true);
    assert_int_equal(look(&aperture), 0); /* no bridge */
    render(&agp, true);
    assert_int_equal(look(&agp), 2);
    assert_int_equal(look(&agp), 0); /* it is through */
    render(&agp, false);
    assert_int_equal(look(&agp), 0);
    vidmm_allocation_destroy(agp.handle);
    vidmm_allocation_destroy(aperture.handle);
    finish();
}

static void who_does_not_wait_is_refused_until_it_is_through(void **state)
{
    struct rig_allocation one;
    void *data;

    (void)state;
    start(VIDMM_MACHINE_SIMULATED);
    create(&one, 4, CPU_VISIBLE);
    render(&one, true);
    assert_int_equal(vidmm_lock(one.handle, VIDMM_LOCK_DONOT_WAIT, &data, NULL),
                     STATUS_GRAPHICS_ALLOCATION_BUSY);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(vidmm_lock(one.handle, VIDMM_LOCK_DONOT_WAIT, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(one.handle), STATUS_SUCCESS);
    assert_int_equal(look(&one), 0);
    vidmm_allocation_destroy(one.handle);
    finish();
}

/* Out of a memory segment through AGP memory: the GART is the bridge's own. */
static void an_eviction_through_it_is_through(void **state)
{
    struct rig_allocation one;
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = PERMANENT,
        .size = 8 * VIDMM_PAGE_SIZE,
        .read_set = 2,
        .write_set = 2,
        .evict_set = 4,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };

    (void)state;
    start(VIDMM_MACHINE_SIMULATED);
    memset(&one, 0, sizeof(one));
    assert_int_equal(
        vidmm_allocation_create(rig.device, &wish, sizeof(wish), &one.handle, &rig.report),
        STATUS_SUCCESS);
    one.id = ++rig.next_id;
    one.pages = 8;
    for (unsigned round = 0; round < 3; round++) {
        render(&one, true);
        assert_int_equal(look(&one), 0); /* evicted for the lock (S0-012) */
    }
    vidmm_allocation_destroy(one.handle);
    finish();
}

/* Threads: the interrupt that ends the paging buffer comes when it comes. */
static void contents_are_right_between_threads(void **state)
{
    struct rig_allocation some[3];

    (void)state;
    start(VIDMM_MACHINE_THREADED);
    for (unsigned i = 0; i < 3; i++)
        create(&some[i], 4, i == 1 ? PERMANENT : CPU_VISIBLE);
    for (unsigned round = 0; round < 30; round++) {
        struct rig_allocation *list[] = {&some[round % 3], &some[(round + 1) % 3]};

        assert_int_equal(rig_render(&rig, list, 2, round % 4), STATUS_SUCCESS);
        assert_true(rig_lock_and_touch(&rig, &some[round % 3], true));
    }
    for (unsigned i = 0; i < 3; i++)
        vidmm_allocation_destroy(some[i].handle);
    finish();
}

/* After a reset of the adapter the page is mapped again where it was. */
static void the_page_outlives_loss_of_power(void **state)
{
    struct rig_allocation one;

    (void)state;
    start(VIDMM_MACHINE_SIMULATED);
    create(&one, 4, CPU_VISIBLE);
    render(&one, true);
    assert_int_equal(look(&one), 2);
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D3, &rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D0, &rig.report),
                     STATUS_SUCCESS);
    render(&one, true);
    assert_int_equal(look(&one), 2);
    assert_int_equal(seen[0].build.destination.offset, (1 << 20) - VIDMM_PAGE_SIZE);
    vidmm_allocation_destroy(one.handle);
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lock_pushes_what_the_gpu_wrote),
        cmocka_unit_test(nothing_is_pushed_that_the_gpu_did_not_write),
        cmocka_unit_test(who_does_not_wait_is_refused_until_it_is_through),
        cmocka_unit_test(an_eviction_through_it_is_through),
        cmocka_unit_test(contents_are_right_between_threads),
        cmocka_unit_test(the_page_outlives_loss_of_power),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
