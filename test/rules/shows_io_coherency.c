/* shows_io_coherency.c: io-coherency.def, obeyed. The host counts the pages that it is told to
 * flush. */
#include "counted_flushes.h"
#include "flag_words.h"
#include "existing.h"

enum { PAGES = 5 };

/* The CPU sees no memory. */
#define GPU "segment 1 aperture 1M\nsegment 2 memory 256K\n"

static struct rig_allocation *make(struct shown *shown, uint32_t set, uint32_t flags)
{
    struct rig_allocation *one = &shown->rig.allocations[0];

    assert_int_equal(rig_create(&shown->rig, one, PAGES * VIDMM_PAGE_SIZE, set, flags),
                     STATUS_SUCCESS);
    return one;
}

static void use(struct shown *shown, struct rig_allocation *one, bool write)
{
    assert_int_equal(rig_render(&shown->rig, &one, 1, write), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown->rig.context, shown->rig.value), STATUS_SUCCESS);
}

/* The bytes that stood in the kernel's memory before it was adopted, and in the caches alone. */
static void adopted_memory_is_flushed_too(void)
{
    struct rig_allocation *one, filled = {.pages = PAGES};
    struct existing existing;
    uint64_t frames[PAGES];
    struct shown shown;

    begin_with_caches_apart(&shown, GPU);
    existing_take_kernel(&existing, &shown, frames, PAGES, VIDMM_CACHED);
    memset(existing.address, 0, existing.size);
    filled.id = ++shown.rig.next_id;
    for (uint32_t page = 0; page < PAGES; page++)
        rig_touch_page(&shown.rig, &filled, existing.address + page * VIDMM_PAGE_SIZE, page, true);
    assert_int_equal(existing_create(&shown, &existing, 0, existing.size,
                                     CPU_VISIBLE | CACHED | EXISTING_KERNEL),
                     STATUS_SUCCESS);
    one = &shown.rig.allocations[0];
    filled.handle = one->handle;
    *one = filled;
    assert_int_equal(flushed, 0);
    use(&shown, one, false);
    assert_int_equal(flushed, PAGES);
    assert_int_equal(shown.rig.cpu_mismatches, 0);
    existing_destroy(&shown);
    memset(one, 0, sizeof(*one));
    existing_give_kernel_back(&existing, &shown, frames);
    shown_finish(&shown);
}

/* Through the aperture, which is not cache coherent, and through the memory segment. */
void shows_S0_019(void **state)
{
    struct shown shown;

    (void)state;
    for (uint32_t set = 1; set <= 3; set += 2) {
        struct rig_allocation *one;

        begin_with_caches_apart(&shown, GPU);
        one = make(&shown, set, CPU_VISIBLE | CACHED);
        assert_true(rig_lock_and_touch(&shown.rig, one, true));
        assert_int_equal(flushed, 0); /* nothing has changed hands yet */
        use(&shown, one, true);
        assert_int_equal(flushed, PAGES); /* the GPU has read the CPU's writes */
        assert_true(rig_lock_and_touch(&shown.rig, one, false));
        assert_true(flushed >= 2 * PAGES); /* and the other way */
        assert_int_equal(shown.rig.cpu_mismatches, 0);
        shown_finish(&shown);
    }
    adopted_memory_is_flushed_too();
}

/* A command that names the allocation for writing, and looks at nothing. */
static void draw_nothing(struct shown *shown, struct vidmm_allocation *allocation)
{
    const struct vidmm_render_reference reference = {.allocation = allocation, .write = true};
    struct rig_command command = {.touch = {.seed = RIG_SEED}};
    uint32_t size = softgpu_touch_size(0);

    command.touch.command = (struct softgpu_command){SOFTGPU_TOUCH, size};
    assert_int_equal(vidmm_render(shown->rig.context, &command, size, &reference, 1, true,
                                  &shown->rig.value, &shown->rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown->rig.context, shown->rig.value), STATUS_SUCCESS);
}

/* Without Cached the program's memory is found to be cacheable, and left to the driver. */
void shows_S0_032(void **state)
{
    struct existing existing;
    struct shown shown;
    void *data;

    (void)state;
    for (int cached = 0; cached < 2; cached++) {
        uint32_t flags = CPU_VISIBLE | EXISTING | (cached ? CACHED : 0u);

        begin_with_caches_apart(&shown, GPU);
        existing_take(&existing, PAGES);
        assert_int_equal(existing_create(&shown, &existing, 0, existing.size, flags),
                         STATUS_SUCCESS);
        assert_int_equal(vidmm_lock(shown.rig.allocations[0].handle, 0, &data, NULL),
                         STATUS_SUCCESS);
        assert_int_equal(vidmm_unlock(shown.rig.allocations[0].handle), STATUS_SUCCESS);
        assert_int_equal(flushed, 0);
        draw_nothing(&shown, shown.rig.allocations[0].handle);
        assert_int_equal(flushed != 0, cached != 0);
        vidmm_allocation_destroy(shown.rig.allocations[0].handle);
        memset(&shown.rig.allocations[0], 0, sizeof(shown.rig.allocations[0]));
        shown_settle(&shown);
        shown_finish(&shown);
        existing_give_back(&existing);
    }
}

/* One kind of use after another: maintenance between the two hazards, and between no others. */
void shows_S2_028(void **state)
{
    struct rig_allocation *one;
    struct shown shown;

    (void)state;
    begin_with_caches_apart(&shown, GPU);
    one = make(&shown, 1, CPU_VISIBLE | CACHED);
    assert_true(rig_lock_and_touch(&shown.rig, one, true));
    assert_true(rig_lock_and_touch(&shown.rig, one, true)); /* CPU, CPU: none */
    assert_int_equal(flushed, 0);
    use(&shown, one, false); /* CPU wrote, GPU reads: once */
    assert_int_equal(flushed, PAGES);
    use(&shown, one, false); /* GPU, GPU: none */
    use(&shown, one, false);
    assert_int_equal(flushed, PAGES);
    assert_true(rig_lock_and_touch(&shown.rig, one, false)); /* GPU only read: none */
    assert_int_equal(flushed, PAGES);
    use(&shown, one, true);
    flushed = 0;
    assert_true(rig_lock_and_touch(&shown.rig, one, false)); /* GPU wrote, CPU reads: once */
    assert_int_equal(flushed, PAGES);
    assert_true(rig_lock_and_touch(&shown.rig, one, false)); /* none */
    assert_int_equal(flushed, PAGES);
    shown_finish(&shown);
}
