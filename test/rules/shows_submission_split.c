/* shows_submission_split.c: submission.def, obeyed where a DMA buffer does not fit at once. */
#include "rules_rig.h"

static struct shown shown;

/* The arguments of Patch, list and all. */
static DXGKDDI_PATCH *honest_patch;
static struct seen_patch {
    DXGKARG_PATCH patch;
    DXGK_ALLOCATIONLIST list[8];
} seen[16];
static unsigned seen_count;

static NTSTATUS listening_patch(HANDLE hAdapter, const DXGKARG_PATCH *pPatch)
{
    if (!pPatch->Flags.Paging && seen_count < 16) {
        UINT count = pPatch->AllocationListSize < 8 ? pPatch->AllocationListSize : 8;

        seen[seen_count].patch = *pPatch;
        memcpy(seen[seen_count].list, pPatch->pAllocationList, count * sizeof(seen[0].list[0]));
        seen_count++;
    }
    return honest_patch(hAdapter, pPatch);
}

static void bend_patch(DRIVER_INITIALIZATION_DATA *driver)
{
    honest_patch = driver->DxgkDdiPatch;
    driver->DxgkDdiPatch = listening_patch;
}

/* A segment of 64 pages, and allocations 0 .. count - 1 of so many pages each. */
static void begin(const struct rig_options *options, uint32_t count, uint64_t pages)
{
    seen_count = 0;
    shown_init(&shown, options, bend_patch);
    for (uint32_t i = 0; i < count; i++)
        shown_create(&shown, i, pages, 1);
}

static struct shown_use use(uint32_t allocation, unsigned command, bool write, bool bound)
{
    return (struct shown_use){&shown.rig.allocations[allocation], command, write, bound};
}

static void render(const struct shown_use *uses, uint32_t count)
{
    assert_int_equal(shown_render(&shown, shown.rig.context, uses, count, &shown.rig.value),
                     STATUS_SUCCESS);
    shown_settle(&shown);
}

/* Bytes of a command with so many references. */
static UINT command_bytes(unsigned references)
{
    return 24 + 40 * references;
}

void shows_D_086(void **state)
{
    struct rig_options options = rig_defaults();
    const UINT points[] = {0, command_bytes(1), command_bytes(1) + command_bytes(2)};
    size_t at = 0, parts = 0, paging_between = 0;
    UINT end = 0;

    (void)state;
    begin(&options, 4, 30);
    const struct shown_use uses[] = {use(0, 0, true, false), use(1, 1, true, false),
                                     use(2, 1, true, false), use(3, 2, true, false)};
    at = shown.call_count;
    render(uses, 4);
    for (; (at = shown_next(&shown, at, VIDMM_DDI_SUBMIT_COMMAND)) != SIZE_MAX; at++) {
        const DXGKARG_SUBMITCOMMAND *submit = &shown.calls[at].argument.submit;

        if (submit->Flags.Paging) {
            paging_between += parts > 0;
            continue;
        }
        assert_int_equal(submit->DmaBufferSubmissionStartOffset, points[parts]);
        assert_int_equal(submit->DmaBufferSubmissionStartOffset, end);
        assert_true(submit->DmaBufferSubmissionEndOffset > end);
        end = submit->DmaBufferSubmissionEndOffset;
        parts++;
    }
    assert_int_equal(parts, 3);
    assert_int_equal(end, points[2] + command_bytes(1));
    assert_true(paging_between >= 2);
    shown_finish(&shown);
}

void shows_D_089(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *one;

    (void)state;
    begin(&options, 3, 40);
    const struct shown_use uses[] = {use(0, 0, true, false), use(1, 1, false, false),
                                     use(2, 1, false, false)};
    assert_int_equal(vidmm_device_condition(shown.rig.device, NULL), STATUS_SUCCESS);
    render(uses, 3);
    assert_int_equal(seen_count, 1); /* the first part ran */
    assert_int_equal(vidmm_device_condition(shown.rig.device, &shown.rig.report),
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_non_null(strstr(shown.rig.report.text, "D-089"));
    one = &shown.rig.allocations[0];
    assert_int_equal(rig_render(&shown.rig, &one, 1, 0), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_int_equal(vidmm_adapter_condition(shown.rig.adapter, NULL), STATUS_SUCCESS);
    shown_finish(&shown);
}

/* The slot of 1 is taken by 2 in the second command: 1 leaves in mid buffer, and only then. */
void shows_D_339(void **state)
{
    struct rig_options options = rig_defaults();
    size_t out, first = SIZE_MAX, second = SIZE_MAX;

    (void)state;
    begin(&options, 3, 30);
    const struct shown_use uses[] = {use(0, 0, true, false), use(1, 0, true, false),
                                     use(0, 1, true, true), use(2, 1, true, false)};
    render(uses, 4);
    for (size_t i = 0; i < shown.operation_count; i++)
        if (shown.operations[i].kind == VIDMM_DO_SUBMIT) {
            second = i;
            first = first == SIZE_MAX ? i : first;
        }
    assert_true(first != second);
    out = shown_next_paging(&shown, 0, &shown.rig.allocations[1], VIDMM_TRANSFER);
    assert_true(out > first && out < second);
    assert_true(shown_next_paging(&shown, 0, &shown.rig.allocations[0], VIDMM_TRANSFER) ==
                SIZE_MAX);
    shown_finish(&shown);
}

/* Element 1 stays bound over the split point and is where it was; the engine, which takes its
 * address from the slot, finds its bytes there. Bound anew, an allocation may move. */
void shows_D_340(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *both[2];

    (void)state;
    for (int anew = 0; anew < 2; anew++) {
        begin(&options, 0, 0);
        shown_create(&shown, 0, 20, 1);
        shown_create(&shown, 1, 22, 1);
        shown_create(&shown, 2, 40, 1);
        shown_create(&shown, 3, 21, 1);
        both[0] = &shown.rig.allocations[3]; /* this leaves a hole below 0 */
        both[1] = &shown.rig.allocations[0];
        assert_int_equal(rig_render(&shown.rig, both, 2, 3), STATUS_SUCCESS);
        shown_settle(&shown);
        vidmm_allocation_destroy(shown.rig.allocations[3].handle);
        shown.rig.allocations[3].handle = NULL;
        seen_count = 0;
        const struct shown_use uses[] = {use(0, 0, true, false), use(1, 0, true, false),
                                         use(0, 1, true, anew == 0), use(2, 1, true, false)};
        render(uses, 4);
        assert_int_equal(seen_count, anew == 1 ? 2 : 1);
        assert_int_equal(vidmm_device_condition(shown.rig.device, NULL),
                         anew == 1 ? STATUS_SUCCESS : STATUS_GRAPHICS_NO_VIDEO_MEMORY);
        if (anew == 1)
            assert_int_not_equal(seen[0].list[1].PhysicalAddress.QuadPart,
                                 seen[1].list[1].PhysicalAddress.QuadPart);
        else
            for (uint32_t i = 0; i < 4; i++) { /* its writes were not made */
                vidmm_allocation_destroy(shown.rig.allocations[i].handle);
                shown.rig.allocations[i].handle = NULL;
            }
        shown_finish(&shown);
    }
    begin(&options, 3, 30);
    const struct shown_use uses[] = {use(0, 0, true, false), use(1, 0, true, false),
                                     use(0, 1, true, true), use(2, 1, true, false)};
    render(uses, 4);
    assert_int_equal(seen_count, 2);
    assert_int_equal(seen[0].list[1].PhysicalAddress.QuadPart,
                     seen[1].list[1].PhysicalAddress.QuadPart);
    assert_int_not_equal(seen[1].list[1].SegmentId, 0);
    assert_int_equal(seen[1].list[2].SegmentId, 0); /* 1 is not needed any more */
    shown_finish(&shown);
}

/* Two contexts on one node; the split one's parts follow each other, whoever else is waiting. */
void shows_D_342(void **state)
{
    static const char *const settings[] = {"engines render copy\npreemption off\n",
                                           "engines render copy\npreemption on\n"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct rig_options options = rig_defaults();
        struct vidmm_context *first, *other;
        struct rig_allocation *one;
        HANDLE last = NULL;
        size_t at, changes = 0, submissions = 0;

        options.gpu = settings[i];
        begin(&options, 4, 30);
        first = shown.rig.context;
        assert_int_equal(
            vidmm_context_create(shown.rig.device, 0, NULL, 0, &other, &shown.rig.report),
            STATUS_SUCCESS);
        const struct shown_use uses[] = {use(0, 0, true, false), use(1, 1, true, false),
                                         use(2, 2, true, false)};
        one = &shown.rig.allocations[3];
        at = shown.call_count;
        assert_int_equal(shown_render(&shown, first, uses, 3, &shown.rig.value), STATUS_SUCCESS);
        shown.rig.context = other;
        assert_int_equal(rig_render(&shown.rig, &one, 1, 1), STATUS_SUCCESS);
        shown.rig.context = first;
        shown_settle(&shown);
        for (; (at = shown_next(&shown, at, VIDMM_DDI_SUBMIT_COMMAND)) != SIZE_MAX; at++) {
            const DXGKARG_SUBMITCOMMAND *submit = &shown.calls[at].argument.submit;

            if (submit->Flags.Paging)
                continue; /* may come between them in any case */
            if (submit->Flags.ContextSwitch) {
                assert_int_not_equal(submissions, 1); /* not between the parts */
                continue;
            }
            changes += submit->hContext != last;
            last = submit->hContext;
            submissions++;
        }
        assert_int_equal(submissions, 3); /* two parts, and the other's */
        assert_int_equal(changes, 2);     /* the first context, then the other */
        vidmm_context_destroy(other);
        shown_finish(&shown);
    }
}

static void without_patching(DXGK_DRIVERCAPS *caps)
{
    caps->SchedulingCaps.NoDmaPatching = 1;
}

static void bend_to_do_without(DRIVER_INITIALIZATION_DATA *driver)
{
    shown_bend_caps(driver);
    bend_patch(driver);
}

/* Allocations of so many pages each, of 64; the second part keeps what the first has bound. */
static void render_leak(bool leaks, bool patched, uint64_t pages)
{
    struct rig_options options = rig_defaults();

    options.adapter.reject_leaks = true;
    seen_count = 0;
    shown_bend.caps = without_patching;
    shown_init(&shown, &options, patched ? bend_patch : bend_to_do_without);
    for (uint32_t i = 0; i < 3; i++)
        shown_create(&shown, i, pages, 1);
    const struct shown_use uses[] = {use(0, 0, false, false), use(1, 0, false, false),
                                     use(0, 1, false, leaks), use(2, 1, false, false)};
    render(uses, 4);
    shown_bend.caps = NULL;
}

static bool is_rejected(void)
{
    return vidmm_device_condition(shown.rig.device, &shown.rig.report) != STATUS_SUCCESS;
}

void shows_D_343(void **state)
{
    (void)state;
    for (int leaks = 0; leaks < 2; leaks++) {
        render_leak(leaks == 1, true, 30);
        assert_int_equal(seen_count, leaks == 1 ? 1 : 2);
        assert_true(is_rejected() == (leaks == 1));
        if (leaks == 1)
            assert_non_null(strstr(shown.rig.report.text, "D-343"));
        shown_finish(&shown);

        render_leak(leaks == 1, false, 30); /* with NoDmaPatching nothing is looked for */
        assert_false(is_rejected());
        shown_finish(&shown);
    }
}
