/* shows_lock1.c: lock1.def, obeyed. */
#include "crowd.h"
#include "existing.h"
#include "ranges.h"

#include <umd/region.h>

enum { WHOLE = 30 * VIDMM_PAGE_SIZE };

/* The first allocations of a rig, each of half the memory segment. */
static struct rig_allocation *create(struct shown *shown, uint32_t count, uint32_t set,
                                     uint32_t flags)
{
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(rig_create(&shown->rig, &shown->rig.allocations[i], WHOLE, set, flags),
                         STATUS_SUCCESS);
    return shown->rig.allocations;
}

static void use(struct shown *shown, struct rig_allocation *allocation, bool write)
{
    assert_int_equal(rig_render(&shown->rig, &allocation, 1, write), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown->rig.context, shown->rig.value), STATUS_SUCCESS);
}

/* Read all of what is locked, and write a part. */
static void touch(struct shown *shown, struct rig_allocation *allocation, void *data)
{
    for (uint32_t page = 0; page < allocation->pages; page++)
        rig_touch_page(&shown->rig, allocation, (char *)data + page * VIDMM_PAGE_SIZE, page,
                       page % 3 == 0);
    assert_true(shown->rig.cpu_mismatches == 0);
}

/* The segment in which the newest DMA buffer found its only allocation. */
static uint32_t segment_of_last_use(const struct shown *shown)
{
    for (size_t i = shown->operation_count; i-- > 0;)
        if (shown->operations[i].kind == VIDMM_DO_PLACED)
            return shown->operations[i].placed.place.segment;
    fail_msg("nothing was placed");
    return 0;
}

void shows_S0_004(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    void *data = &shown;

    (void)state;
    shown_init(&shown, &options, NULL);
    create(&shown, 1, 2, 0);
    assert_int_equal(vidmm_lock(shown.rig.allocations[0].handle, 0, &data, NULL),
                     STATUS_INVALID_PARAMETER);
    assert_ptr_equal(data, &shown);
    assert_int_equal(vidmm_unlock(shown.rig.allocations[0].handle), STATUS_INVALID_PARAMETER);
    vidmm_allocation_destroy(shown.rig.allocations[0].handle);
    shown.rig.allocations[0].handle = NULL;
    shown_finish(&shown);
}

void shows_D_147(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    for (uint32_t aperture = 0; aperture < 2; aperture++) {
        options.evict_through_aperture = aperture != 0;
        shown_init(&shown, &options, NULL);
        struct rig_allocation *a = create(&shown, 3, 2, CPU_VISIBLE);
        void *data, *again;
        use(&shown, &a[0], true);
        assert_int_equal(vidmm_lock(a[0].handle, 0, &data, NULL), STATUS_SUCCESS);
        touch(&shown, &a[0], data);
        size_t from = shown.call_count;
        use(&shown, &a[1], true);
        use(&shown, &a[2], true);
        size_t out = shown_next_build(&shown, from, DXGK_OPERATION_TRANSFER);
        assert_true(out != SIZE_MAX);
        assert_int_equal(shown.calls[out].argument.build.Transfer.Source.SegmentId, 2);
        touch(&shown, &a[0], data);
        assert_int_equal(vidmm_unlock(a[0].handle), STATUS_SUCCESS);
        use(&shown, &a[0], false); /* the GPU finds what was written before and after */
        assert_int_equal(vidmm_lock(a[0].handle, 0, &again, NULL), STATUS_SUCCESS);
        assert_ptr_equal(again, data);
        assert_int_equal(vidmm_unlock(a[0].handle), STATUS_SUCCESS);
        shown_finish(&shown);
    }
}

/* Queue a command that uses one, behind a list that names another as written, too. */
static void use_with_another(struct shown *shown, struct rig_allocation *one,
                             struct rig_allocation *other)
{
    struct rig *rig = &shown->rig;
    struct rig_command command = {.touch = {.seed = RIG_SEED}};
    struct vidmm_render_reference list[2] = {{.allocation = NULL}};

    rig_refer(&command, list, one, false);
    command.touch.command = (struct softgpu_command){SOFTGPU_TOUCH, softgpu_touch_size(1)};
    list[1] = (struct vidmm_render_reference){.allocation = other->handle, .write = true};
    assert_int_equal(vidmm_render(rig->context, &command, softgpu_touch_size(1), list, 2, true,
                                  &rig->value, &rig->report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig->context, rig->value), STATUS_SUCCESS);
}

/* An allocation that is in memory while the CPU writes to its permanent copy is told no place there
 * and counts as written by nobody: an aperture shows the copy then. */
static void is_listed_only(void)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    void *data;

    shown_init(&shown, &options, NULL);
    struct rig_allocation *a = create(&shown, 2, 3, CPU_VISIBLE | PERMANENT);
    use(&shown, &a[0], true);
    assert_true(rig_lock_and_touch(&shown.rig, &a[0], true)); /* the copy has it */
    use(&shown, &a[0], false);
    assert_int_equal(segment_of_last_use(&shown), 2);
    assert_int_equal(vidmm_lock(a[0].handle, 0, &data, NULL), STATUS_SUCCESS);
    touch(&shown, &a[0], data);
    use_with_another(&shown, &a[1], &a[0]);
    assert_int_equal(segment_of_last_use(&shown), 0); /* the last element, which nothing uses */
    use(&shown, &a[0], false);
    assert_int_equal(segment_of_last_use(&shown), 1);
    assert_int_equal(vidmm_unlock(a[0].handle), STATUS_SUCCESS);
    use(&shown, &a[0], false);
    shown_finish(&shown);
}

void shows_D_160(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    void *data;

    (void)state;
    is_listed_only();
    for (uint32_t set = 2; set <= 3; set++) {
        shown_init(&shown, &options, NULL);
        struct rig_allocation *a = create(&shown, 1, set, CPU_VISIBLE);
        use(&shown, &a[0], true);
        assert_int_equal(segment_of_last_use(&shown), 2);
        assert_int_equal(vidmm_lock(a[0].handle, 0, &data, NULL), STATUS_SUCCESS);
        touch(&shown, &a[0], data);
        if (set == 3) { /* an aperture may show it: it moves */
            use(&shown, &a[0], true);
            assert_int_equal(segment_of_last_use(&shown), 1);
            touch(&shown, &a[0], data);
        } else { /* it cannot be elsewhere: the rendering fails */
            assert_int_equal(rig_render(&shown.rig, &a, 1, 1),
                             STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION);
        }
        assert_int_equal(vidmm_unlock(a[0].handle), STATUS_SUCCESS);
        use(&shown, &a[0], true);
        shown_finish(&shown);
    }
}

/* Lock with these flags, all of it, and let go again. */
static NTSTATUS try_lock(struct rig_allocation *allocation, uint32_t flags)
{
    void *data;
    NTSTATUS status = vidmm_lock(allocation->handle, flags, &data, NULL);

    if (status == STATUS_SUCCESS)
        assert_int_equal(vidmm_unlock(allocation->handle), STATUS_SUCCESS);
    return status;
}

/* Queued, and not done before something waits: the machine is a simulated one. */
static void render(struct shown *shown, struct rig_allocation *allocation, bool write)
{
    assert_int_equal(rig_render(&shown->rig, &allocation, 1, write), STATUS_SUCCESS);
}

static void go(struct shown *shown)
{
    assert_int_equal(vidmm_context_wait(shown->rig.context, shown->rig.value), STATUS_SUCCESS);
}

void shows_D_148(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    shown_init(&shown, &options, NULL);
    struct rig_allocation *a = create(&shown, 1, 2, CPU_VISIBLE);
    use(&shown, a, true);
    render(&shown, a, true);
    assert_int_equal(try_lock(a, VIDMM_LOCK_DONOT_WAIT), STATUS_GRAPHICS_ALLOCATION_BUSY);
    go(&shown);
    assert_int_equal(try_lock(a, VIDMM_LOCK_DONOT_WAIT), STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, &a, 1, 1), STATUS_SUCCESS);
    assert_int_equal(try_lock(a, VIDMM_LOCK_DONOT_WAIT | VIDMM_LOCK_DISCARD), STATUS_SUCCESS);
    shown_finish(&shown);
}

/* IgnoreSync of what the GPU draws: it counts with DonotWait and without Discard, and not else. */
static void ignore_while_drawn(void)
{
    struct rig_options options = rig_defaults();
    static const uint32_t waits[] = {
        VIDMM_LOCK_IGNORE_SYNC, VIDMM_LOCK_IGNORE_SYNC | VIDMM_LOCK_DISCARD,
        VIDMM_LOCK_IGNORE_SYNC | VIDMM_LOCK_DONOT_WAIT | VIDMM_LOCK_DISCARD};
    struct shown shown;

    shown_init(&shown, &options, NULL);
    struct rig_allocation *a = create(&shown, 1, 1, CPU_VISIBLE);
    for (unsigned i = 0; i < 3; i++) {
        use(&shown, a, true);
        render(&shown, a, true);
        assert_int_equal(try_lock(a, waits[i]), STATUS_SUCCESS);
        assert_int_equal(try_lock(a, VIDMM_LOCK_DONOT_WAIT), STATUS_SUCCESS); /* it has waited */
    }
    go(&shown);
    vidmm_allocation_destroy(a->handle); /* its content is discarded */
    a->handle = NULL;
    shown_finish(&shown);
}

/* One that is swizzled, or whose content the caches hide: refused, whatever it waits for. */
static void ignore_refused(uint32_t flags, bool caches_apart)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    options.caches_apart = caches_apart;
    shown_init(&shown, &options, NULL);
    struct rig_allocation *a = create(&shown, 1, 1, flags);
    assert_int_equal(try_lock(a, VIDMM_LOCK_IGNORE_SYNC | VIDMM_LOCK_DONOT_WAIT),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(try_lock(a, VIDMM_LOCK_IGNORE_READ_SYNC), STATUS_INVALID_PARAMETER);
    vidmm_allocation_destroy(a->handle); /* swizzled memory cannot be read here */
    a->handle = NULL;
    shown_finish(&shown);
}

void shows_D_150(void **state)
{
    struct rig_options options = rig_defaults();
    const uint32_t ignore = VIDMM_LOCK_IGNORE_SYNC | VIDMM_LOCK_DONOT_WAIT;
    struct shown shown;

    (void)state;
    shown_init(&shown, &options, NULL);
    struct rig_allocation *a = create(&shown, 1, 1, CPU_VISIBLE); /* in the aperture */
    use(&shown, &a[0], true);
    render(&shown, &a[0], true);
    assert_int_equal(try_lock(&a[0], VIDMM_LOCK_DONOT_WAIT), STATUS_GRAPHICS_ALLOCATION_BUSY);
    assert_int_equal(try_lock(&a[0], ignore), STATUS_SUCCESS);
    go(&shown);
    assert_int_equal(rig_create(&shown.rig, &a[1], WHOLE, 2, CPU_VISIBLE), STATUS_SUCCESS);
    assert_int_equal(try_lock(&a[1], ignore), STATUS_INVALID_PARAMETER); /* no aperture */
    assert_int_equal(try_lock(&a[1], VIDMM_LOCK_IGNORE_READ_SYNC), STATUS_INVALID_PARAMETER);
    shown_finish(&shown);
    ignore_while_drawn();
    ignore_refused(CPU_VISIBLE | 0x80, false); /* Swizzled */
    ignore_refused(CPU_VISIBLE | 0x4, true);   /* Cached, where nothing is coherent by itself */
}

void shows_D_151(void **state)
{
    struct rig_options options = rig_defaults();
    const uint32_t flags = VIDMM_LOCK_IGNORE_READ_SYNC | VIDMM_LOCK_DONOT_WAIT;
    struct shown shown;

    (void)state;
    shown_init(&shown, &options, NULL);
    struct rig_allocation *a = create(&shown, 1, 1, CPU_VISIBLE);
    use(&shown, a, true);
    render(&shown, a, false);
    assert_int_equal(try_lock(a, flags), STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, &a, 1, 1), STATUS_SUCCESS);
    assert_int_equal(try_lock(a, flags), STATUS_GRAPHICS_ALLOCATION_BUSY);
    go(&shown);
    assert_int_equal(try_lock(a, flags), STATUS_SUCCESS);
    shown_finish(&shown);
}

/* The only swizzling range is locked. An allocation that is in order anyway has to leave for
 * nothing, a swizzled one has. */
static void lock_without_a_range(void)
{
    const uint32_t flags = VIDMM_LOCK_ACQUIRE_APERTURE | VIDMM_LOCK_DONOT_EVICT;
    struct rig_allocation *holder, *linear, *tiled;
    struct shown shown;
    void *data;

    ranges_init(&shown, "ranges 1\n", NULL);
    holder = ranges_drawn(&shown, 0, SWIZZLED);
    linear = ranges_drawn(&shown, 1, CPU_VISIBLE);
    tiled = ranges_drawn(&shown, 2, SWIZZLED);
    assert_int_equal(vidmm_lock(holder->handle, VIDMM_LOCK_ACQUIRE_APERTURE, &data, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(try_lock(linear, flags), STATUS_SUCCESS);
    assert_int_equal(try_lock(linear, flags | VIDMM_LOCK_DONOT_WAIT), STATUS_SUCCESS);
    assert_int_equal(try_lock(tiled, flags), STATUS_GRAPHICS_CANT_LOCK_MEMORY);
    assert_int_equal(shown_count_builds(&shown, 0, DXGK_OPERATION_TRANSFER), 0);
    assert_int_equal(vidmm_unlock(holder->handle), STATUS_SUCCESS);
    shown_finish(&shown);
}

void shows_D_152(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    lock_without_a_range();
    options.gpu = "segment 1 aperture 1M\n"
                  "segment 2 memory 256K\n"; /* the CPU does not see it */
    shown_init(&shown, &options, NULL);
    struct rig_allocation *a = create(&shown, 1, 2, CPU_VISIBLE);
    use(&shown, a, true);
    assert_int_equal(try_lock(a, VIDMM_LOCK_DONOT_EVICT), STATUS_GRAPHICS_CANT_LOCK_MEMORY);
    assert_int_equal(shown_count_builds(&shown, 0, DXGK_OPERATION_TRANSFER), 0);
    assert_int_equal(try_lock(a, 0), STATUS_SUCCESS); /* evicted for it */
    assert_int_equal(shown_count_builds(&shown, 0, DXGK_OPERATION_TRANSFER), 1);
    assert_int_equal(try_lock(a, VIDMM_LOCK_DONOT_EVICT), STATUS_SUCCESS);
    shown_finish(&shown);
}

static NTSTATUS lock_list(struct shown *shown, struct rig_allocation *allocation, uint32_t flags,
                          const uint32_t *pages, uint32_t count)
{
    struct vidmm_lock_arguments arguments = {
        .allocation = allocation->handle, .flags = flags, .page_count = count, .pages = pages};

    return vidmm_lock_pages(&arguments, &shown->rig.report);
}

void shows_D_153(void **state)
{
    const uint32_t pages[] = {0};
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    shown_init(&shown, &options, NULL);
    struct rig_allocation *a = create(&shown, 1, 2, CPU_VISIBLE);
    assert_int_equal(lock_list(&shown, a, 0, NULL, 0), STATUS_GRAPHICS_CANT_LOCK_MEMORY);
    assert_int_equal(lock_list(&shown, a, VIDMM_LOCK_ENTIRE, pages, 1), STATUS_INVALID_PARAMETER);
    assert_int_equal(lock_list(&shown, a, VIDMM_LOCK_ENTIRE, pages, 0), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_unlock(a->handle), STATUS_INVALID_PARAMETER);
    assert_int_equal(lock_list(&shown, a, VIDMM_LOCK_ENTIRE, NULL, 0), STATUS_SUCCESS);
    assert_int_equal(lock_list(&shown, a, 0, pages, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(a->handle), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(a->handle), STATUS_SUCCESS);
    shown_finish(&shown);
}

/* Write these pages of what is resident and keeps its copy, by one lock of them alone. */
static void write_pages(struct shown *shown, struct rig_allocation *allocation,
                        const uint32_t *pages, uint32_t count)
{
    struct vidmm_lock_arguments arguments = {
        .allocation = allocation->handle, .page_count = count, .pages = pages};

    assert_int_equal(vidmm_lock_pages(&arguments, &shown->rig.report), STATUS_SUCCESS);
    for (uint32_t i = 0; i < count; i++)
        rig_touch_page(&shown->rig, allocation, (char *)arguments.data + pages[i] * VIDMM_PAGE_SIZE,
                       pages[i], true);
    assert_int_equal(vidmm_unlock(allocation->handle), STATUS_SUCCESS);
    shown_settle(shown);
}

/* A transfer of a run of pages from the MDL into segment 2. */
static size_t expect_refresh(const struct shown *shown, size_t from, uint32_t first, uint32_t count)
{
    size_t at = shown_next_build(shown, from, DXGK_OPERATION_TRANSFER);
    const DXGKARG_BUILDPAGINGBUFFER *build;

    assert_true(at != SIZE_MAX);
    build = &shown->calls[at].argument.build;
    assert_int_equal(build->Transfer.Source.SegmentId, 0);
    assert_int_equal(build->Transfer.Destination.SegmentId, 2);
    assert_int_equal(build->Transfer.TransferOffset, first * VIDMM_PAGE_SIZE);
    assert_int_equal(build->Transfer.MdlOffset, first);
    assert_int_equal(build->Transfer.TransferSize, count * VIDMM_PAGE_SIZE);
    assert_true(build->Transfer.Flags.TransferStart && build->Transfer.Flags.TransferEnd);
    return at + 1;
}

void shows_D_154(void **state)
{
    const uint32_t some[] = {9, 3, 4}, outside[] = {0, WHOLE / VIDMM_PAGE_SIZE};
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    shown_init(&shown, &options, NULL);
    struct rig_allocation *a = create(&shown, 1, 2, CPU_VISIBLE | PERMANENT);
    assert_int_equal(try_lock(a, 0), STATUS_SUCCESS);
    use(&shown, a, false); /* paged in, clean */
    assert_int_equal(lock_list(&shown, a, 0, outside, 2), STATUS_INVALID_PARAMETER);
    size_t from = shown.call_count;
    write_pages(&shown, a, some, 3);
    from = expect_refresh(&shown, from, 3, 2);
    from = expect_refresh(&shown, from, 9, 1);
    assert_true(shown_next_build(&shown, from, DXGK_OPERATION_TRANSFER) == SIZE_MAX);
    use(&shown, a, true);
    shown_finish(&shown);
}

/* Write one page by a lock of the region that the rule makes of it; the driver is asked to transfer
 * this one. */
static void writes_region(struct shown *shown, struct rig_allocation *allocation,
                          struct umd_region_rule rule, uint32_t page, struct umd_region expected)
{
    struct umd_region region = {page, 1};
    size_t from = shown->call_count;
    uint32_t list[8];
    void *data = NULL;

    assert_int_equal(
        umd_region_lock(allocation->handle, &rule, 0, &region, list, 8, &data, &shown->rig.report),
        STATUS_SUCCESS);
    rig_touch_page(&shown->rig, allocation, (char *)data + page * VIDMM_PAGE_SIZE, page, true);
    assert_int_equal(vidmm_unlock(allocation->handle), STATUS_SUCCESS);
    shown_settle(shown);
    from = expect_refresh(shown, from, expected.first, expected.count);
    assert_true(shown_next_build(shown, from, DXGK_OPERATION_TRANSFER) == SIZE_MAX);
}

/* A driver of regions of four pages, and one of three at least; and what they are asked for if
 * their user-mode half says nothing of it. */
void shows_S0_014(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    shown_init(&shown, &options, NULL);
    struct rig_allocation *a = create(&shown, 1, 2, CPU_VISIBLE | PERMANENT);
    assert_int_equal(try_lock(a, 0), STATUS_SUCCESS);
    use(&shown, a, false);
    writes_region(&shown, a, (struct umd_region_rule){1, 4}, 5, (struct umd_region){4, 4});
    writes_region(&shown, a, (struct umd_region_rule){3, 1}, 6, (struct umd_region){6, 3});
    writes_region(&shown, a, (struct umd_region_rule){0, 0}, 5, (struct umd_region){5, 1});
    use(&shown, a, true);
    shown_finish(&shown);
}

void shows_S0_012(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    void *before, *after;

    (void)state;
    shown_init(&shown, &options, NULL);
    struct rig_allocation *a = create(&shown, 1, 2, CPU_VISIBLE | PERMANENT);
    assert_int_equal(vidmm_lock(a->handle, 0, &before, NULL), STATUS_SUCCESS); /* nowhere yet */
    touch(&shown, a, before);
    assert_int_equal(vidmm_unlock(a->handle), STATUS_SUCCESS);
    use(&shown, a, false);
    size_t from = shown.call_count;
    assert_int_equal(vidmm_lock(a->handle, VIDMM_LOCK_READ_ONLY, &after, NULL), STATUS_SUCCESS);
    assert_ptr_equal(after, before); /* in a segment that the CPU sees, and yet */
    assert_true(shown_next(&shown, from, VIDMM_DDI_BUILD_PAGING_BUFFER) == SIZE_MAX);
    assert_int_equal(vidmm_unlock(a->handle), STATUS_SUCCESS);
    use(&shown, a, true); /* the GPU writes: the backing store gets it for the lock */
    assert_int_equal(vidmm_lock(a->handle, 0, &after, NULL), STATUS_SUCCESS);
    assert_ptr_equal(after, before);
    touch(&shown, a, after);
    assert_int_equal(vidmm_unlock(a->handle), STATUS_SUCCESS);
    shown_finish(&shown);
}

void shows_S0_013(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    void *data;

    (void)state;
    shown_init(&shown, &options, NULL);
    struct rig_allocation *a = create(&shown, 1, 2, CPU_VISIBLE | PERMANENT);
    assert_int_equal(try_lock(a, 0), STATUS_SUCCESS);
    use(&shown, a, false);
    size_t from = shown.call_count;
    assert_int_equal(vidmm_lock(a->handle, 0, &data, NULL), STATUS_SUCCESS);
    touch(&shown, a, data);
    assert_true(shown_next(&shown, from, VIDMM_DDI_BUILD_PAGING_BUFFER) == SIZE_MAX);
    assert_int_equal(vidmm_unlock(a->handle), STATUS_SUCCESS);
    shown_settle(&shown);
    expect_refresh(&shown, from, 0, WHOLE / VIDMM_PAGE_SIZE);
    use(&shown, a, false); /* in place, and finds what was written */
    assert_int_equal(segment_of_last_use(&shown), 2);
    shown_finish(&shown);
}

/* Its own address is what a lock answers, while a segment has the content; a page that is written
 * goes there. */
static void lock_existing(bool kernel)
{
    struct rig_options options = rig_defaults();
    uint64_t frames[6];
    struct existing existing;
    struct shown shown;
    void *data;

    shown_init(&shown, &options, NULL);
    if (kernel)
        existing_take_kernel(&existing, &shown, frames, 6, VIDMM_CACHED);
    else
        existing_take(&existing, 6);
    memset(existing.address, 0, existing.size); /* content that nobody wrote yet */
    assert_int_equal(
        existing_create(&shown, &existing, 0, 6 * VIDMM_PAGE_SIZE, kernel ? 0x25 : 0x15),
        STATUS_SUCCESS);
    struct rig_allocation *a = &shown.rig.allocations[0];
    a->id = ++shown.rig.next_id;
    a->pages = 6;
    use(&shown, a, false);
    assert_int_equal(segment_of_last_use(&shown), 2);
    size_t from = shown.call_count;
    assert_int_equal(vidmm_lock(a->handle, 0, &data, NULL), STATUS_SUCCESS);
    assert_ptr_equal(data, existing.address);
    touch(&shown, a, data);
    assert_int_equal(vidmm_unlock(a->handle), STATUS_SUCCESS);
    shown_settle(&shown);
    expect_refresh(&shown, from, 0, 6);
    use(&shown, a, false);
    existing_destroy(&shown);
    if (kernel)
        existing_give_kernel_back(&existing, &shown, frames);
    shown_finish(&shown);
    if (!kernel)
        existing_give_back(&existing);
}

void shows_S0_033(void **state)
{
    (void)state;
    lock_existing(false);
    lock_existing(true);
}

void shows_S0_064(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    void *data, *again;

    (void)state;
    for (uint32_t set = 1; set <= 2; set++) {
        shown_init(&shown, &options, NULL);
        struct rig_allocation *a = create(&shown, 1, set, 0x40000);
        uint64_t before = vidmm_machine_counts(shown.rig.machine).mappings;
        use(&shown, a, true);
        assert_int_equal(vidmm_lock(a->handle, 0, &data, NULL), STATUS_SUCCESS);
        touch(&shown, a, data);
        assert_int_equal(vidmm_lock(a->handle, 0, &again, NULL), STATUS_SUCCESS);
        assert_ptr_equal(again, data); /* one address as long as it is locked */
        assert_int_equal(vidmm_machine_counts(shown.rig.machine).mappings, before + 1);
        assert_int_equal(vidmm_unlock(a->handle), STATUS_SUCCESS);
        assert_int_equal(vidmm_machine_counts(shown.rig.machine).mappings, before + 1);
        assert_int_equal(vidmm_unlock(a->handle), STATUS_SUCCESS);
        assert_int_equal(vidmm_machine_counts(shown.rig.machine).mappings, before);
        use(&shown, a, true);
        assert_int_equal(vidmm_lock(a->handle, 0, &data, NULL), STATUS_SUCCESS);
        touch(&shown, a, data);
        assert_int_equal(vidmm_unlock(a->handle), STATUS_SUCCESS);
        shown_finish(&shown);
    }
    ranges_init(&shown, "segment 1 aperture 1M\nsegment 2 memory 1M cpuvisible\nranges 1\n", NULL);
    for (uint32_t flags = 0; flags <= 0x80;
         flags += 0x80) { /* seen through a range, tiles or not */
        struct rig_allocation *a = &shown.rig.allocations[flags != 0];
        uint64_t before = vidmm_machine_counts(shown.rig.machine).mappings;

        assert_int_equal(rig_create(&shown.rig, a, WHOLE, 2, 0x40000 | flags), STATUS_SUCCESS);
        use(&shown, a, true);
        for (uint32_t times = 0; times < 2; times++) {
            assert_int_equal(ranges_lock(&shown, a, BY_APERTURE, 0), STATUS_SUCCESS);
            assert_int_equal(vidmm_machine_counts(shown.rig.machine).mappings, before + 1);
            ranges_unlock(&shown, a);
            assert_int_equal(vidmm_machine_counts(shown.rig.machine).mappings, before);
        }
    }
    shown_finish(&shown);
}

/* ---- swizzling ranges ------------------------------------------------------------------------ */

/* Lock once with these flags; while that lasts nothing else is to be had. */
static void excludes_any(struct shown *shown, struct rig_allocation *allocation, uint32_t flags)
{
    assert_int_equal(ranges_lock(shown, allocation, flags, 0), STATUS_SUCCESS);
    for (uint32_t other = 0; other < 2; other++)
        shown_refused(shown, ranges_lock(shown, allocation, other * BY_APERTURE, 0),
                      STATUS_INVALID_PARAMETER, "D-156");
    ranges_unlock(shown, allocation);
    assert_int_equal(ranges_lock(shown, allocation, 0, 0), STATUS_SUCCESS);
    assert_int_equal(ranges_lock(shown, allocation, 0, 0), STATUS_SUCCESS);
    shown_refused(shown, ranges_lock(shown, allocation, BY_APERTURE, 0), STATUS_INVALID_PARAMETER,
                  "D-156");
    ranges_unlock(shown, allocation);
    ranges_unlock(shown, allocation);
}

void shows_D_156(void **state)
{
    struct shown shown;

    (void)state;
    ranges_init(&shown, "ranges 2\n", NULL);
    for (uint32_t index = 0; index < 2; index++) /* tiled, and not */
        excludes_any(&shown, ranges_drawn(&shown, index, index == 0 ? SWIZZLED : 1), BY_APERTURE);
    excludes_any(&shown, ranges_drawn(&shown, 2, SWIZZLED), BY_ALTERNATE);
    assert_true(shown_count(&shown, 0, VIDMM_DDI_ACQUIRE_SWIZZLING_RANGE) > 0);
    shown_finish(&shown);
}

void shows_D_158(void **state)
{
    struct rig_allocation *pinned, *other;
    struct shown shown;

    (void)state;
    ranges_init(&shown, "ranges 1\n", NULL);
    pinned = ranges_drawn(&shown, 0, SWIZZLED | 0x100); /* an overlay */
    other = ranges_drawn(&shown, 1, SWIZZLED);
    assert_int_equal(ranges_lock(&shown, pinned, BY_APERTURE, 0), STATUS_SUCCESS);
    ranges_unlock(&shown, pinned);
    assert_int_equal(ranges_lock(&shown, other, BY_APERTURE, 0), STATUS_SUCCESS);
    shown_refused(&shown, ranges_lock(&shown, pinned, BY_APERTURE, 0),
                  STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION, "D-158");
    ranges_unlock(&shown, other);
    assert_int_equal(ranges_lock(&shown, pinned, BY_APERTURE, 0), STATUS_SUCCESS);
    ranges_unlock(&shown, pinned);
    vidmm_allocation_destroy(pinned->handle); /* nobody can look at it otherwise */
    pinned->handle = NULL;
    shown_finish(&shown);
}

static struct shown crowded;

static enum vidmm_caller_state lock_the_next(void *argument)
{
    uint32_t *round = argument;
    struct rig_allocation *allocation = &crowded.rig.allocations[*round % 6];

    assert_int_equal(ranges_lock(&crowded, allocation, BY_APERTURE, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(allocation->handle), STATUS_SUCCESS);
    if (++*round < 12)
        return VIDMM_CALLER_RAN;
    crowd_end();
    return VIDMM_CALLER_DONE;
}

/* Each lock takes the range of another; during each call others create and destroy. */
void shows_D_163(void **state)
{
    struct rig_options options = rig_defaults();
    uint32_t round = 0;

    (void)state;
    options.kind = VIDMM_MACHINE_THREADED;
    options.gpu = "ranges 2\n";
    shown_init(&crowded, &options, crowd_bend);
    for (uint32_t index = 0; index < 6; index++)
        ranges_drawn(&crowded, index, SWIZZLED);
    crowd_run(&crowded, 1u << CROWD_SWIZZLING, lock_the_next, &round);
    assert_int_equal(shown_count(&crowded, 0, VIDMM_DDI_ACQUIRE_SWIZZLING_RANGE), 12);
    assert_int_equal(shown_count(&crowded, 0, VIDMM_DDI_RELEASE_SWIZZLING_RANGE), 10);
    crowd_was_alone(CROWD_SWIZZLING, 22);
    assert_int_equal(ranges_together(&crowded), 1);
    assert_int_equal(ranges_unswizzled(&crowded, 0), 0);
    shown_finish(&crowded);
}
