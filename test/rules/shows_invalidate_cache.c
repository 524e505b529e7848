/* shows_invalidate_cache.c: io-coherency.def, obeyed from WDDM 2.0 on, on a machine whose caches
 * the GPU does not see: they write nothing back and forget nothing by themselves.
 */
#include "rules_rig.h"

#include <vidmm/cache.h>
#include <vidmm/lock2.h>
#include <vidmm/paging_queue.h>

enum { CACHED = 0x8005, PLAIN = 0x8001 }; /* with CpuVisible, AccessedPhysically */
enum { APERTURE = 1, EITHER = 3, PAGES = 6 };

static struct shown shown;
static struct rig *const rig = &shown.rig;
static struct rig_allocation *one;
static char *bytes; /* of it, locked for life */

static void begin(uint32_t set, uint32_t flags)
{
    struct rig_options options = rig_defaults();
    void *data;

    options.caches_apart = true;
    options.gpu = "wddm 2.0\n";
    shown_init(&shown, &options, NULL);
    one = &rig->allocations[0];
    if (rig_create(rig, one, PAGES * VIDMM_PAGE_SIZE, set, flags) != STATUS_SUCCESS)
        fail_msg("%s", rig->report.text);
    assert_int_equal(vidmm_lock2(one->handle, 0, &data, &rig->report), STATUS_SUCCESS);
    bytes = data;
}

static void make_resident(void)
{
    struct vidmm_residency_result result;
    struct vidmm_paging_queue *queue;
    NTSTATUS status;

    assert_int_equal(vidmm_paging_queue_create(rig->device, 1, &queue, NULL), STATUS_SUCCESS);
    status = vidmm_make_resident(queue, &one->handle, 1, 0, &result, &rig->report);
    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result.value, &rig->report);
    assert_int_equal(status, STATUS_SUCCESS);
}

/* The CPU looks at all of it and writes; answers the pages that were wrong. */
static uint64_t touch(void)
{
    uint64_t before = rig->cpu_mismatches;

    for (uint32_t page = 0; page < one->pages; page++)
        rig_touch_page(rig, one, bytes + page * VIDMM_PAGE_SIZE, page, true);
    return rig->cpu_mismatches - before;
}

/* The GPU reads all of it and writes; answers whether it found something wrong. */
static bool render(void)
{
    struct softgpu_statistics before, after;

    softgpu_device_statistics(rig->gpu, &before);
    assert_int_equal(rig_render(rig, &one, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig->context, rig->value), STATUS_SUCCESS);
    softgpu_device_statistics(rig->gpu, &after);
    return after.content_mismatches != before.content_mismatches;
}

static void invalidate(uint64_t offset, uint64_t length)
{
    if (vidmm_invalidate_cache(rig->device, one->handle, offset, length, &rig->report) !=
        STATUS_SUCCESS)
        fail_msg("%s", rig->report.text);
}

/* Bytes may be wrong here, and were counted. */
static void end(void)
{
    one->handle = NULL;
    rig->cpu_mismatches = 0;
    rig_stop(rig);
    shown_is_clean(&shown);
    shown_end(&shown);
}

static void refuse(uint64_t offset, uint64_t length, const char *word)
{
    shown_refused(&shown,
                  vidmm_invalidate_cache(rig->device, one->handle, offset, length, &rig->report),
                  STATUS_INVALID_PARAMETER, word);
}

/* Device, allocation, offset and length: the bytes named are kept right, and no others. */
void shows_D_180(void **state)
{
    const uint64_t all = PAGES * VIDMM_PAGE_SIZE;
    struct vidmm_device *other;

    (void)state;
    begin(APERTURE, CACHED); /* both calls */
    make_resident();
    for (uint32_t round = 0; round < 2; round++) {
        assert_int_equal(touch(), 0);
        invalidate(0, all);
        assert_false(render());
        invalidate(0, all);
    }
    assert_int_equal(touch(), 0);
    assert_int_equal(vidmm_device_create(rig->adapter, 1, &other, NULL), STATUS_SUCCESS);
    shown_refused(&shown, vidmm_invalidate_cache(other, one->handle, 0, 1, &rig->report),
                  STATUS_INVALID_PARAMETER, "device");
    refuse(all, 1, "offset");
    refuse(0, 0, "length");
    refuse(1, all, "length");
    refuse(1, UINT64_MAX, "length");
    end();
    begin(APERTURE, CACHED); /* not before the GPU reads: it finds what was there before */
    make_resident();
    touch();
    assert_true(render());
    end();
    begin(APERTURE, CACHED); /* but for one page */
    make_resident();
    touch();
    invalidate(VIDMM_PAGE_SIZE, all - VIDMM_PAGE_SIZE);
    assert_true(render());
    end();
    begin(APERTURE, CACHED); /* not before the CPU reads: its caches hide what the GPU wrote */
    make_resident();
    touch();
    invalidate(0, all);
    assert_false(render());
    assert_int_equal(touch(), PAGES);
    end();
    begin(APERTURE, CACHED); /* but for the pages that two bytes touch */
    make_resident();
    touch();
    invalidate(0, all);
    assert_false(render());
    invalidate(2 * VIDMM_PAGE_SIZE - 1, 2);
    assert_int_equal(touch(), PAGES - 2);
    end();
    begin(APERTURE, PLAIN); /* not cached: there is nothing to do */
    make_resident();
    assert_int_equal(touch(), 0);
    assert_false(render());
    invalidate(0, all);
    assert_int_equal(touch(), 0);
    end();
}

/* Content that the manager moves between system memory and a segment: nobody calls. */
void shows_S3_011(void **state)
{
    void *data;

    (void)state;
    begin(EITHER, CACHED);
    assert_int_equal(touch(), 0);
    assert_int_equal(vidmm_unlock2(one->handle, NULL), STATUS_SUCCESS);
    make_resident(); /* behind the CPU's write */
    for (uint32_t round = 0; round < 3; round++) {
        assert_false(render());
        assert_int_equal(vidmm_lock2(one->handle, 0, &data, NULL), STATUS_SUCCESS);
        bytes = data; /* it has left the segment, behind the GPU's write */
        assert_int_equal(touch(), 0);
        assert_int_equal(vidmm_unlock2(one->handle, NULL), STATUS_SUCCESS);
        shown_settle(&shown);
    }
    end();
}
