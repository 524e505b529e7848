/* test_adapter_broken.c: a driver that lies in one way, and what the manager makes of each lie:
 * refused in words, ended in order, counted, or lived with; never a crash, a hang or something left
 * behind.
 *
 * All misbehaviours of softgpu stand in the table, under both habits. A lie's effect on contents is
 * the driver's doing; the manager cannot see it.
 */
#include "test_adapter_rig.h"

#include "softgpu/broken.h"
#include "softgpu/config.h"

enum fate {
    START,  /* the adapter does not start */
    CREATE, /* an allocation is refused */
    RENDER, /* a command buffer is refused */
    STOPS,  /* the adapter stops by itself, sooner or later */
    FOUND,  /* all goes well, and a finding is counted */
    LIVES,  /* all goes well, as far as the manager can see */
};

struct row {
    enum softgpu_broken which;
    enum fate queued, immediate; /* by habit */
    NTSTATUS status;             /* START, CREATE, RENDER */
    const char *word;            /* of the report */
};

#define BOTH(which, fate, status, word)                                                            \
    {                                                                                              \
        SOFTGPU_BROKEN_##which, fate, fate, status, word                                           \
    }
#define REFUSED(which, word) BOTH(which, START, STATUS_GRAPHICS_DRIVER_MISMATCH, word)
#define ILLEGAL(which, word) BOTH(which, CREATE, STATUS_INVALID_PARAMETER, word)
#define TOLD(which) BOTH(which, FOUND, STATUS_SUCCESS, "")
#define AT_START(which, word) BOTH(which, START, STATUS_DEVICE_REMOVED, word)
#define AT_SUBMISSION(which, word)                                                                 \
    {                                                                                              \
        SOFTGPU_BROKEN_##which, START, STOPS, STATUS_DEVICE_REMOVED, word                          \
    }
#define FINE(which) BOTH(which, LIVES, STATUS_SUCCESS, "")

static const struct row rows[] = {
    BOTH(START_FAILS, START, STATUS_UNSUCCESSFUL, "DxgkDdiStartDevice"),
    TOLD(CHILDREN), /* none of which it describes */
    BOTH(CAPS_FAIL, START, STATUS_NO_MEMORY, "D-287"),
    BOTH(CAPS_OVERRUN, FOUND, STATUS_SUCCESS, ""),
    REFUSED(NODES_ZERO, "D-295"),
    REFUSED(NODES_MANY, "D-295"),
    REFUSED(PAGING_NODE, "D-260"),
    REFUSED(PREEMPTION_ALONE, "D-300"),
    BOTH(SEGMENTS_FAIL, START, STATUS_INVALID_PARAMETER, "D-001"),
    REFUSED(SEGMENTS_ZERO, "D-005"),
    REFUSED(SEGMENTS_MANY, "D-005"),
    REFUSED(SEGMENTS_CHANGE, "D-002"),
    REFUSED(SEGMENTS_OVERLAP, "D-003"),
    REFUSED(SEGMENT_EMPTY, "D-006"),
    TOLD(SEGMENT_RAGGED), /* rounded down */
    REFUSED(SEGMENT_HUGE, "2^44"),
    REFUSED(SEGMENT_FLAGS, "D-032"),
    BOTH(COMMIT_LIMIT, FOUND, STATUS_SUCCESS, ""), /* the size is the limit */
    REFUSED(PAGING_IN_MEMORY, "D-012"),
    REFUSED(PAGING_NOWHERE, "D-012"),
    REFUSED(PAGING_SIZE_ZERO, "D-286"),
    REFUSED(DMA_IN_MEMORY, "D-014"),
    REFUSED(DMA_SIZE_ZERO, "DmaBufferSize"),
    ILLEGAL(ALLOCATION_NO_HANDLE, "S1-019"),
    ILLEGAL(ALLOCATION_EMPTY, "Size"),
    ILLEGAL(ALLOCATION_ALIGNMENT, "Alignment"),
    ILLEGAL(ALLOCATION_NOWHERE, "S1-009"),
    TOLD(ALLOCATION_PREFERENCE),
    TOLD(ALLOCATION_EVICTION),
    FINE(ALLOCATION_PRIORITY), /* a warning */
    TOLD(ALLOCATION_FLAGS),
    ILLEGAL(OPEN_NO_HANDLE, "D-051"),
    BOTH(RENDER_OVERRUN, RENDER, STATUS_INVALID_PARAMETER, "D-332"),
    BOTH(RENDER_WRITES_BEHIND, STOPS, STATUS_DEVICE_REMOVED, "0x10e, 0x12"),
    BOTH(RENDER_PATCH_RANGE, RENDER, STATUS_INVALID_PARAMETER, "D-332"),
    BOTH(RENDER_PATCH_INDEX, RENDER, STATUS_INVALID_PARAMETER, "D-087"),
    AT_SUBMISSION(PATCH_FAILS, "0x119, 3"),
    AT_SUBMISSION(SUBMIT_FAILS, "0x119, 2"),
    AT_START(BUILD_ILLEGAL, "0x10e, 0xb"),
    AT_START(BUILD_STUCK, "without progress"),
    BOTH(BUILD_BUSY_FOREVER, STOPS, STATUS_SUCCESS, "ALLOCATION_BUSY"),
    BOTH(BUILD_BUSY_FILL, STOPS, STATUS_SUCCESS, "ALLOCATION_BUSY"),
    AT_START(BUILD_OVERRUN, "0x10e, 0x12"),
    AT_START(BUILD_BACKWARD, "0x10e"),
    AT_START(BUILD_WRITES_BEHIND, "0x10e, 0x12"),
    AT_START(BUILD_PRIVATE_OVERRUN, "0x10e, 0x13"),
    FINE(UNMAP_TO_ZERO),
    FINE(UNMAP_IGNORED),
    FINE(FILL_TAIL),
    FINE(TRANSFER_LAST_PAGE),
    FINE(RAW_PITCHED), /* nobody reads a segment here: test/rules/shows_paging_raw.c */
    AT_SUBMISSION(FENCE_NEVER_GIVEN, "never submitted"),
    FINE(FENCE_TWICE),
    FINE(FENCE_EARLY),
    FINE(FENCE_BACKWARD),
    AT_SUBMISSION(FENCE_NODE, "never submitted"),
    /* slowly: QueryCurrentFence brings what was lost (D-361). In habit immediate nothing is
     * reported by an interrupt routine, and whoever reports elsewhere may queue its DPC when it
     * likes. */
    {SOFTGPU_BROKEN_NO_DPC, FOUND, LIVES, STATUS_SUCCESS, ""},
    {SOFTGPU_BROKEN_NO_NOTIFY_DPC, FOUND, LIVES, STATUS_SUCCESS, ""},
    FINE(NO_INTERRUPT),
    FINE(RANGE_STATUS),     /* there are no ranges here: */
    FINE(RANGE_NO_ADDRESS), /* test/rules/seen_lock1.c */
    FINE(RANGE_SIZE),
    FINE(PREEMPT_IGNORED),
};

/* In habit immediate this driver goes round for ever in its own SubmitCommand, as a real one would:
 * nobody can take the thread back. */
static const struct row multipass_restart = {SOFTGPU_BROKEN_MULTIPASS_RESTART, STOPS, STOPS,
                                             STATUS_SUCCESS, "without progress"};

static struct rig rig;

/* Two allocations that do not fit together, three commands, a lock. Answers what went wrong. */
static enum fate work(NTSTATUS *status)
{
    struct rig_allocation *a = &rig.allocations[0], *b = &rig.allocations[1];
    struct rig_allocation *list[] = {a, b, a};
    void *data;

    *status = rig_create(&rig, a, 40 * VIDMM_PAGE_SIZE - 100, 2, 1);
    if (*status == STATUS_SUCCESS)
        *status = rig_create(&rig, b, 40 * VIDMM_PAGE_SIZE - 100, 2, 1);
    if (*status != STATUS_SUCCESS)
        return CREATE;
    for (uint32_t i = 0; i < 3 && *status == STATUS_SUCCESS; i++)
        *status = rig_render(&rig, &list[i], 1, 1);
    if (*status == STATUS_SUCCESS)
        vidmm_context_wait(rig.context, rig.value);
    if (vidmm_adapter_condition(rig.adapter, &rig.report) != STATUS_SUCCESS)
        return STOPS;
    if (*status != STATUS_SUCCESS)
        return RENDER;
    *status = vidmm_lock(b->handle, 0, &data, NULL);
    if (*status == STATUS_SUCCESS)
        *status = vidmm_unlock(b->handle);
    return vidmm_adapter_condition(rig.adapter, &rig.report) != STATUS_SUCCESS ? STOPS : LIVES;
}

static enum fate live(NTSTATUS *status)
{
    struct vidmm_statistics statistics;
    enum fate fate;

    *status = rig_start(&rig);
    if (*status != STATUS_SUCCESS)
        return START;
    fate = work(status);
    vidmm_adapter_statistics(rig.adapter, &statistics);
    assert_true(fate != STOPS || statistics.findings > 0);
    return fate == LIVES && statistics.findings > 0 ? FOUND : fate;
}

static void assert_fate(const struct row *row, enum softgpu_habit habit)
{
    enum fate expected = habit == SOFTGPU_QUEUED ? row->queued : row->immediate, found;
    struct rig_options options = rig_defaults();
    const char *name = softgpu_broken_name(row->which);
    char gpu[200];
    NTSTATUS status;

    snprintf(gpu, sizeof(gpu), "broken %s\nhabit %s\n", name,
             habit == SOFTGPU_QUEUED ? "queued" : "immediate");
    options.gpu = gpu;
    options.adapter.timeout_ms = 2000;
    options.evict_through_aperture = true;
    rig_build(&rig, &options);
    found = live(&status);
    if (found != expected)
        fail_msg("%s, habit %d: fate %d, expected %d: 0x%08x, %s", name, habit, found, expected,
                 (unsigned)status, rig.report.text);
    if (found < STOPS && status != row->status)
        fail_msg("%s: 0x%08x, expected 0x%08x", name, (unsigned)status, (unsigned)row->status);
    if (found <= STOPS && strstr(rig.report.text, row->word) == NULL)
        fail_msg("%s: \"%s\" does not say \"%s\"", name, rig.report.text, row->word);
    rig_finish(&rig);
}

static void each_lie_meets_its_fate_if_work_is_queued(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_fate(&rows[i], SOFTGPU_QUEUED);
    assert_fate(&multipass_restart, SOFTGPU_QUEUED);
}

static void each_lie_meets_its_fate_if_work_is_done_at_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_fate(&rows[i], SOFTGPU_IMMEDIATE);
}

static void no_lie_is_left_out(void **state)
{
    bool seen[SOFTGPU_BROKEN_COUNT] = {[SOFTGPU_BROKEN_MULTIPASS_RESTART] = true};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_false(seen[rows[i].which]);
        seen[rows[i].which] = true;
    }
    for (uint32_t which = 0; which < SOFTGPU_BROKEN_COUNT; which++)
        if (!seen[which])
            fail_msg("%s has no row", softgpu_broken_name(which));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_lie_meets_its_fate_if_work_is_queued),
        cmocka_unit_test(each_lie_meets_its_fate_if_work_is_done_at_once),
        cmocka_unit_test(no_lie_is_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
