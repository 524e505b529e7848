/* test_adapter_lock2_matrix.c: the matrix of Lock2, cell by cell: flags of an allocation, segments
 * that it may be in, memory that it meets, and where it is when it is locked.
 *
 * The table below is the statement. Each cell is played by itself, with content that is checked by
 * the CPU at the lock and by the GPU behind the unlock.
 *
 * Source: "Allocation usage tracking", Lock2; rules S2-015 to S2-021, S2-023, S3-035.
 */
#include "test_adapter_rig.h"

#include <vidmm/lock2.h>
#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>

/* Flags; all with AccessedPhysically, so that a list may name them. */
enum {
    PLAIN = 0x8000,
    VISIBLE = 0x8001,    /* CpuVisible */
    CACHED = 0x8005,     /* CpuVisible, Cached */
    ON_DEMAND = 0x48000, /* CpuVisibleOnDemand */
};

/* S2-018 speaks of CpuVisible: one with CpuVisibleOnDemand alone needs no aperture in its set. */

/* Segments of its set: memory alone, or the aperture as well. */
enum { MEMORY = 2, EITHER = 3 };

/* Memory segments, and how many pages of one stay free beside the large allocation. */
static const struct gpu {
    const char *words;
    uint32_t large;
} seen = {"wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 256K cpuvisible\n", 60},
  unseen = {"wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 256K\n", 60},
  hosted = {"wddm 2.0\nsegment 1 aperture 4M\nsegment 2 memory 1M hostaperture\n", 252},
  hosted_cached = {"wddm 2.0\nsegment 1 aperture 4M\n"
                   "segment 2 memory 1M hostaperture cachedhostaperture\n",
                   252};

/* The contents of a cell. */
enum cell {
    NEVER,   /* it cannot be there */
    THERE,   /* locked where it is */
    LEAVES,  /* locked in system memory, for which it has left; it goes back at the unlock */
    REFUSED, /* and nothing has changed */
    FOLLOWS, /* made resident, it is in memory, and the address leads there */
    BRIDGED, /* made resident, an aperture shows it until the unlock, and then it is in memory */
    WAITS,   /* it is made resident by the unlock */
};

static const struct row {
    uint32_t flags, set;
    const struct gpu *gpu;
    enum cell in_memory, in_aperture, not_resident, while_locked;
} rows[] = {
    /* flags        set     memory          in memory aperture neither made resident while locked */
    {VISIBLE, /* */ EITHER, &seen, /*    */ THERE, /* */ THERE, THERE, FOLLOWS}, /* S2-016 */
    {VISIBLE, /* */ EITHER, &unseen, /*  */ LEAVES, /**/ THERE, THERE, BRIDGED}, /* S2-017 */
    {VISIBLE, /* */ EITHER, &hosted, /*  */ THERE, /* */ THERE, THERE, FOLLOWS}, /* S2-023 */
    {VISIBLE, /* */ EITHER, &hosted_cached, THERE, /* */ THERE, THERE, FOLLOWS},
    {VISIBLE, /* */ MEMORY, &seen, /*    */ THERE, /* */ NEVER, THERE, FOLLOWS},
    {VISIBLE, /* */ MEMORY, &unseen, /*  */ NEVER, /* */ NEVER, NEVER, NEVER}, /* S2-018 */
    {VISIBLE, /* */ MEMORY, &hosted, /*  */ NEVER, /* */ NEVER, NEVER, NEVER},
    {VISIBLE, /* */ MEMORY, &hosted_cached, NEVER, /* */ NEVER, NEVER, NEVER},
    {CACHED, /*  */ EITHER, &seen, /*    */ LEAVES, /**/ THERE, THERE, BRIDGED}, /* S2-015 */
    {CACHED, /*  */ EITHER, &unseen, /*  */ LEAVES, /**/ THERE, THERE, BRIDGED},
    {CACHED, /*  */ EITHER, &hosted, /*  */ LEAVES, /**/ THERE, THERE, BRIDGED},
    {CACHED, /*  */ EITHER, &hosted_cached, THERE, /* */ THERE, THERE, FOLLOWS},
    {CACHED, /*  */ MEMORY, &seen, /*    */ REFUSED, /**/ NEVER, THERE, WAITS},
    {CACHED, /*  */ MEMORY, &unseen, /*  */ NEVER, /* */ NEVER, NEVER, NEVER},
    {CACHED, /*  */ MEMORY, &hosted, /*  */ NEVER, /* */ NEVER, NEVER, NEVER},
    {CACHED, /*  */ MEMORY, &hosted_cached, NEVER, /* */ NEVER, NEVER, NEVER},
    {ON_DEMAND, /**/ EITHER, &seen, /*   */ THERE, /* */ THERE, THERE, FOLLOWS}, /* S3-035 */
    {ON_DEMAND, /**/ EITHER, &unseen, /* */ LEAVES, /**/ THERE, THERE, BRIDGED},
    {ON_DEMAND, /**/ EITHER, &hosted, /* */ THERE, /* */ THERE, THERE, FOLLOWS},
    {ON_DEMAND, /**/ EITHER, &hosted_cached, THERE, /**/ THERE, THERE, FOLLOWS},
    {ON_DEMAND, /**/ MEMORY, &seen, /*   */ THERE, /* */ NEVER, THERE, FOLLOWS},
    {ON_DEMAND, /**/ MEMORY, &unseen, /* */ REFUSED, /**/ NEVER, THERE, WAITS}, /* S2-017 */
    {ON_DEMAND, /**/ MEMORY, &hosted, /* */ THERE, /* */ NEVER, THERE, FOLLOWS},
    {ON_DEMAND, /**/ MEMORY, &hosted_cached, THERE, /**/ NEVER, THERE, FOLLOWS},
    {PLAIN, /*   */ EITHER, &seen, /*    */ LEAVES, /**/ THERE, THERE, BRIDGED}, /* S2-020 */
    {PLAIN, /*   */ EITHER, &unseen, /*  */ LEAVES, /**/ THERE, THERE, BRIDGED},
    {PLAIN, /*   */ EITHER, &hosted, /*  */ LEAVES, /**/ THERE, THERE, BRIDGED},
    {PLAIN, /*   */ EITHER, &hosted_cached, LEAVES, /**/ THERE, THERE, BRIDGED},
    {PLAIN, /*   */ MEMORY, &seen, /*    */ REFUSED, /**/ NEVER, THERE, WAITS}, /* S2-021 */
    {PLAIN, /*   */ MEMORY, &unseen, /*  */ REFUSED, /**/ NEVER, THERE, WAITS},
    {PLAIN, /*   */ MEMORY, &hosted, /*  */ REFUSED, /**/ NEVER, THERE, WAITS},
    {PLAIN, /*   */ MEMORY, &hosted_cached, REFUSED, /**/ NEVER, THERE, WAITS},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

enum { PAGES = 8 };
#define BYTES(pages) ((uint64_t)(pages)*VIDMM_PAGE_SIZE)

static struct rig rig;
static struct rig_allocation *const one = &rig.allocations[0], *const large = &rig.allocations[1];
static struct vidmm_paging_queue *queue;

static NTSTATUS start(const struct row *row)
{
    struct rig_options options = rig_defaults();

    options.gpu = row->gpu->words;
    rig_init(&rig, &options);
    assert_int_equal(
        vidmm_paging_queue_create(rig.device, VIDMM_PAGING_QUEUE_NORMAL, &queue, &rig.report),
        STATUS_SUCCESS);
    return rig_create(&rig, one, BYTES(PAGES), row->set, row->flags);
}

static void finish(void)
{
    assert_int_equal(rig.cpu_mismatches, 0);
    rig_judge(&rig, rig.gpu);
    for (uint32_t index = 0; index < RIG_ALLOCATIONS; index++)
        rig.allocations[index].handle = NULL; /* Lock does not read all of them */
    rig_finish(&rig);
}

/* The value to wait for; 0: it is resident. */
static uint64_t make(struct rig_allocation *allocation)
{
    struct vidmm_residency_result result = {0};
    NTSTATUS status = vidmm_make_resident(
        queue, &allocation->handle, 1, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER, &result, &rig.report);

    if (status != STATUS_SUCCESS && status != STATUS_PENDING)
        fail_msg("0x%08x: %s", (unsigned)status, rig.report.text);
    vidmm_machine_settle(rig.machine);
    return status == STATUS_PENDING ? result.value : 0;
}

static void wait_for(uint64_t value)
{
    if (value != 0)
        assert_int_equal(vidmm_paging_queue_wait(queue, value, &rig.report), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
}

static void evict(struct rig_allocation *allocation)
{
    assert_int_equal(vidmm_evict(rig.device, &allocation->handle, 1, 0, NULL, &rig.report),
                     STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
}

static void take_memory(const struct row *row)
{
    assert_int_equal(rig_create(&rig, large, BYTES(row->gpu->large), MEMORY, PLAIN),
                     STATUS_SUCCESS);
    wait_for(make(large));
}

static enum vidmm_residency residency(void)
{
    const struct vidmm_selection selection = {.allocations = &one->handle, .allocation_count = 1};
    enum vidmm_residency answer;

    assert_int_equal(vidmm_query_residency(&selection, &answer, NULL), STATUS_SUCCESS);
    return answer;
}

static void render(bool write)
{
    struct rig_allocation *list = one;

    assert_int_equal(rig_render(&rig, &list, 1, write ? 1 : 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
}

/* The CPU checks every byte, and writes to each page. */
static void touch(char *data)
{
    for (uint32_t page = 0; page < PAGES; page++)
        rig_touch_page(&rig, one, data + BYTES(page), page, true);
    assert_int_equal(rig.cpu_mismatches, 0);
}

static char *lock(void)
{
    void *data = NULL;

    if (vidmm_lock2(one->handle, 0, &data, &rig.report) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    touch(data);
    return data;
}

static void unlock(void)
{
    assert_int_equal(vidmm_unlock2(one->handle, &rig.report), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
}

/* ---- cells ----------------------------------------------------------------------------------- */

static void refuse(void)
{
    void *data = &rig;

    assert_int_equal(vidmm_lock2(one->handle, 0, &data, &rig.report), STATUS_INVALID_PARAMETER);
    assert_ptr_equal(data, &rig);
    assert_non_null(strstr(rig.report.text, "S2-0"));
    assert_int_equal(vidmm_unlock2(one->handle, NULL), STATUS_INVALID_PARAMETER);
}

/* It is resident, in memory or shown by an aperture; the same place has it at the end. */
static void lock_resident(enum cell cell, enum vidmm_residency where)
{
    render(true);
    assert_int_equal(residency(), where);
    if (cell == REFUSED) {
        refuse();
    } else {
        char *data = lock();

        assert_int_equal(residency() == where, cell == THERE);
        render(true); /* wherever it is now */
        touch(data);
        assert_int_equal(residency() == where, cell == THERE);
        unlock();
    }
    assert_int_equal(residency(), where);
    render(false); /* with what the CPU wrote last */
}

static void in_memory(const struct row *row)
{
    assert_int_equal(start(row), STATUS_SUCCESS);
    wait_for(make(one));
    lock_resident(row->in_memory, VIDMM_RESIDENT_IN_GPU);
    finish();
}

static void in_aperture(const struct row *row)
{
    assert_int_equal(start(row), STATUS_SUCCESS);
    take_memory(row);
    wait_for(make(one));
    lock_resident(row->in_aperture, VIDMM_RESIDENT_IN_SHARED);
    finish();
}

/* It was written by the GPU in memory, and pushed out from there. */
static void not_resident(const struct row *row)
{
    assert_int_equal(start(row), STATUS_SUCCESS);
    wait_for(make(one));
    render(true);
    evict(one);
    take_memory(row);
    evict(large);
    assert_int_equal(residency(), VIDMM_NOT_RESIDENT);
    lock();
    assert_int_equal(row->not_resident, THERE);
    assert_int_equal(residency(), VIDMM_NOT_RESIDENT);
    unlock();
    wait_for(make(one));
    render(false);
    finish();
}

static void while_locked(const struct row *row)
{
    static const enum vidmm_residency then[] = {[FOLLOWS] = VIDMM_RESIDENT_IN_GPU,
                                                [BRIDGED] = VIDMM_RESIDENT_IN_SHARED,
                                                [WAITS] = VIDMM_NOT_RESIDENT};
    uint64_t value;
    char *data;

    assert_int_equal(start(row), STATUS_SUCCESS);
    data = lock();
    value = make(one);
    assert_int_equal(residency(), then[row->while_locked]);
    touch(data);
    if (row->while_locked != WAITS) {
        wait_for(value);
        render(true);
        touch(data);
    }
    assert_int_equal(residency(), then[row->while_locked]);
    unlock();
    wait_for(value);
    assert_int_equal(residency(), VIDMM_RESIDENT_IN_GPU);
    render(false);
    finish();
}

static void is_not_created(const struct row *row)
{
    assert_int_equal(start(row), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "S2-018"));
    finish();
}

/* ---- the table ------------------------------------------------------------------------------- */

static void each_cell_is_as_the_table_says(void **state)
{
    (void)state;
    for (size_t index = 0; index < ROWS; index++) {
        const struct row *row = &rows[index];

        print_message("flags 0x%x, set %u, %s", (unsigned)row->flags, (unsigned)row->set,
                      strstr(row->gpu->words, "segment 2"));
        if (row->in_memory == NEVER) {
            is_not_created(row);
            continue;
        }
        in_memory(row);
        if (row->in_aperture != NEVER)
            in_aperture(row);
        not_resident(row);
        while_locked(row);
    }
}

/* Each kind of allocation, with each set, on each kind of memory: once. */
static void no_cell_is_missing(void **state)
{
    static const uint32_t flags[] = {VISIBLE, CACHED, ON_DEMAND, PLAIN};
    static const struct gpu *const gpus[] = {&seen, &unseen, &hosted, &hosted_cached};

    (void)state;
    for (uint32_t cell = 0; cell < 32; cell++) {
        uint32_t found = 0;

        for (size_t index = 0; index < ROWS; index++)
            found += rows[index].flags == flags[cell % 4] &&
                             rows[index].gpu == gpus[cell / 4 % 4] &&
                             rows[index].set == (cell < 16 ? (uint32_t)MEMORY : (uint32_t)EITHER)
                         ? 1
                         : 0;
        assert_int_equal(found, 1);
    }
    assert_int_equal(ROWS, 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cell_is_missing),
        cmocka_unit_test(each_cell_is_as_the_table_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
