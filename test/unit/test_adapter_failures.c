/* test_adapter_failures.c: memory, pages and address space run out, once at every place where they
 * can.
 *
 * A life of an adapter is played again and again, from start to stop; the n-th time something is
 * taken from the host there is none, for n from 1 until the life takes less than n. A call that is
 * refused for that must have changed nothing, succeed when asked again, and leave nothing behind.
 */
#include "test_adapter_rig.h"

enum { LIFE_ALLOCATIONS = 6 };

typedef void fail_at(struct vidmm_machine *machine, uint64_t n);

struct life {
    struct rig rig;
    struct vidmm_machine_counts before; /* of the call that is being made */
    uint64_t refused;
};

static void about_to_ask(struct life *life)
{
    life->before = vidmm_machine_counts(life->rig.machine);
}

/* True: refused for want of memory, so nothing has changed; ask again. */
static bool was_refused(struct life *life, NTSTATUS status, const char *what)
{
    struct vidmm_machine_counts now;

    if (status == STATUS_SUCCESS)
        return false;
    if (status != STATUS_NO_MEMORY)
        fail_msg("%s: 0x%08x: %s", what, (unsigned)status, life->rig.report.text);
    assert_null(strstr(life->rig.report.text, "it is 0x0")); /* as if a value were at fault */
    vidmm_machine_settle(life->rig.machine);
    now = vidmm_machine_counts(life->rig.machine);
    if (now.pages != life->before.pages || now.mappings != life->before.mappings)
        fail_msg("%s was refused and keeps %lld pages, %lld mappings", what,
                 (long long)(now.pages - life->before.pages),
                 (long long)(now.mappings - life->before.mappings));
    life->refused++;
    return true;
}

static void start(struct life *life)
{
    struct rig *rig = &life->rig;
    NTSTATUS status;

    do {
        about_to_ask(life);
        status = vidmm_adapter_start(vidmm_slot_host(rig->slot), &rig->driver, rig,
                                     &rig->options.adapter, &rig->adapter, &rig->report);
        if (status != STATUS_SUCCESS)
            assert_int_equal(vidmm_machine_counts(rig->machine).blocks, 0);
    } while (was_refused(life, status, "start"));
    do {
        about_to_ask(life);
        status = vidmm_device_create(rig->adapter, 1, &rig->device, &rig->report);
    } while (was_refused(life, status, "device"));
    do {
        about_to_ask(life);
        status = vidmm_context_create(rig->device, 0, NULL, 0, &rig->context, &rig->report);
    } while (was_refused(life, status, "context"));
}

static void create(struct life *life, uint32_t index)
{
    uint32_t set = index < 4 ? 2 : 1, flags = index % 2 == 0 ? 1 : 3;
    NTSTATUS status;

    do {
        about_to_ask(life);
        status = rig_create(&life->rig, &life->rig.allocations[index],
                            (index < 4 ? 20 : 5) * VIDMM_PAGE_SIZE - 100, set, flags);
    } while (was_refused(life, status, "create"));
}

static void render(struct life *life, uint32_t first, uint32_t second, uint32_t writes)
{
    struct rig_allocation *list[] = {&life->rig.allocations[first], &life->rig.allocations[second]};
    NTSTATUS status;

    do {
        status = rig_render(&life->rig, list, 2, writes);
        life->refused += status == STATUS_NO_MEMORY;
    } while (status == STATUS_NO_MEMORY);
    if (status != STATUS_SUCCESS)
        fail_msg("render: 0x%08x: %s", (unsigned)status, life->rig.report.text);
}

static void lock(struct life *life, uint32_t index)
{
    uint64_t before;

    do {
        before = life->rig.refusals;
        rig_lock_and_touch(&life->rig, &life->rig.allocations[index], true);
        life->refused += life->rig.refusals - before;
    } while (life->rig.refusals > before);
}

/* Four allocations of 20 pages in 64 make each other leave. */
static void live(struct life *life)
{
    start(life);
    for (uint32_t index = 0; index < LIFE_ALLOCATIONS; index++)
        create(life, index);
    for (uint32_t round = 0; round < 3; round++) {
        lock(life, round);
        render(life, 0, 4, 3);
        render(life, 1, 2, round);
        lock(life, 4 + round % 2);
        render(life, 3, 5, 1);
        lock(life, 3);
    }
    vidmm_allocation_destroy(life->rig.allocations[2].handle);
    life->rig.allocations[2].handle = NULL;
    create(life, 2);
    render(life, 2, 1, 3);
}

typedef uint64_t asked(const struct vidmm_machine_counts *counts);

/* One life in which the n-th request fails. Answers how many there were. */
static uint64_t fail_once(struct life *life, const struct rig_options *options, fail_at *order,
                          asked *asked_for, uint64_t n)
{
    struct vidmm_machine_counts counts;

    memset(life, 0, sizeof(*life));
    rig_build(&life->rig, options);
    order(life->rig.machine, n);
    live(life);
    counts = vidmm_machine_counts(life->rig.machine);
    if (asked_for(&counts) >= n) /* otherwise it is the stop that finds nothing */
        rig_read(&life->rig);
    rig_stop(&life->rig);
    counts = vidmm_machine_counts(life->rig.machine);
    rig_finish(&life->rig);
    return asked_for(&counts);
}

/* Answers how many refusals there were. */
static uint64_t fail_everywhere(struct rig_options options, fail_at *order, asked *asked_for)
{
    struct life *life = malloc(sizeof(*life));
    uint64_t n, most = 1, refused = 0;

    options.may_refuse = true;
    for (n = 1; n <= most; n++) {
        most = fail_once(life, &options, order, asked_for, n);
        refused += life->refused;
    }
    assert_true(most > 3 && refused > 0 && refused <= most);
    free(life);
    return refused;
}

static uint64_t blocks_asked(const struct vidmm_machine_counts *counts)
{
    return counts->block_requests;
}

static uint64_t pages_asked(const struct vidmm_machine_counts *counts)
{
    return counts->page_requests;
}

static uint64_t mappings_asked(const struct vidmm_machine_counts *counts)
{
    return counts->mapping_requests;
}

static void every_block_of_host_memory_can_be_missing_once(void **state)
{
    struct rig_options options = rig_defaults();

    (void)state;
    assert_true(fail_everywhere(options, vidmm_machine_fail_allocation, blocks_asked) > 50);
    options.evict_through_aperture = true;
    options.gpu = "habit immediate\npaging_buffer 2K\n";
    assert_true(fail_everywhere(options, vidmm_machine_fail_allocation, blocks_asked) > 50);
}

static void every_take_of_pages_can_fail_once(void **state)
{
    struct rig_options options = rig_defaults();

    (void)state;
    assert_true(fail_everywhere(options, vidmm_machine_fail_pages, pages_asked) > 10);
    options.gpu = "paging_buffer_segment 0\ndma_buffer_segment 0\n";
    assert_true(fail_everywhere(options, vidmm_machine_fail_pages, pages_asked) > 10);
}

static void every_mapping_of_pages_can_fail_once(void **state)
{
    struct rig_options options = rig_defaults();

    (void)state;
    assert_true(fail_everywhere(options, vidmm_machine_fail_mapping, mappings_asked) > 5);
}

/* Pages that are not there at all: refused, and all else goes on. */
static void a_machine_without_pages_refuses_and_goes_on(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig *rig = calloc(1, sizeof(*rig));
    struct rig_allocation *list[1];
    uint32_t count = 0, refused = 0;
    struct rig_allocation many[200];

    (void)state;
    rig_init(rig, &options);
    for (uint32_t index = 0; index < 200; index++) {
        NTSTATUS status = rig_create(rig, &many[count], 40 * VIDMM_PAGE_SIZE, 2, 1);

        if (status == STATUS_SUCCESS) {
            count++;
            continue;
        }
        assert_int_equal(status, STATUS_NO_MEMORY);
        assert_true(strlen(rig->report.text) > 10);
        refused++;
    }
    assert_true(count > 10 && refused > 10);
    for (uint32_t index = 0; index < count; index++) {
        list[0] = &many[index];
        assert_int_equal(rig_render(rig, list, 1, 1), STATUS_SUCCESS);
    }
    for (uint32_t index = 0; index < count; index++)
        assert_true(rig_lock_and_touch(rig, &many[index], true));
    rig_read(rig);
    rig_finish(rig);
    free(rig);
}

/* A driver's answers about itself go through memory of the host's; without it the driver is not
 * asked. */
static void a_question_without_memory_is_refused_in_words(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig *rig = calloc(1, sizeof(*rig));
    unsigned char data[16] = {7};

    (void)state;
    rig_init(rig, &options);
    vidmm_machine_fail_allocation(rig->machine, 1);
    assert_int_equal(vidmm_query_private(rig->adapter, data, sizeof(data), &rig->report),
                     STATUS_NO_MEMORY);
    assert_non_null(strstr(rig->report.text, "no memory"));
    assert_int_equal(data[0], 7);
    assert_int_equal(vidmm_query_private(rig->adapter, data, sizeof(data), &rig->report),
                     STATUS_NOT_SUPPORTED); /* by the driver, which is asked now */
    rig_finish(rig);
    free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_of_host_memory_can_be_missing_once),
        cmocka_unit_test(every_take_of_pages_can_fail_once),
        cmocka_unit_test(every_mapping_of_pages_can_fail_once),
        cmocka_unit_test(a_machine_without_pages_refuses_and_goes_on),
        cmocka_unit_test(a_question_without_memory_is_refused_in_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
