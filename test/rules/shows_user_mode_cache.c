/* shows_user_mode_cache.c: io-coherency.def and lock2.def, obeyed by a user-mode driver that stands
 * on include/umd, on a machine whose caches the GPU does not see: they write nothing back and
 * forget nothing by themselves. Beside it a driver that breaks the rule, and what it finds.
 */
#include "rules_rig.h"

#include <umd/cache.h>
#include <umd/track.h>
#include <vidmm/lock.h>
#include <vidmm/lock2.h>
#include <vidmm/paging_queue.h>

enum { CACHED = 0x8005, PLAIN = 0x8001 }; /* with CpuVisible, AccessedPhysically */
enum { APERTURE = 1, PAGES = 6 };

#define BYTES(pages) ((uint64_t)(pages)*VIDMM_PAGE_SIZE)

static struct shown shown;
static struct rig *const rig = &shown.rig;
static struct rig_allocation *one;
static struct umd_cache cache;
static struct vidmm_host host; /* the slot's, which tells of what is flushed */
static uint64_t flushed;       /* pages; flushed_since() sets it to 0 */
static char *bytes;            /* of `one`, locked for life */

static void count_flushed(void *context, uint64_t count, const uint64_t *frames)
{
    flushed += count;
    vidmm_slot_host(rig->slot)->flush_pages(context, count, frames);
}

static uint64_t flushed_since(void)
{
    uint64_t count = flushed;

    flushed = 0;
    return count;
}

static void succeeds(NTSTATUS status, const char *what)
{
    if (status != STATUS_SUCCESS)
        fail_msg("%s: 0x%08x: %s", what, (unsigned)status, rig->report.text);
}

/* One allocation, resident in the aperture. */
static void begin(bool caches_apart, uint32_t flags)
{
    struct rig_options options = rig_defaults();
    struct vidmm_residency_result result;
    struct vidmm_paging_queue *queue;
    void *data;
    NTSTATUS status;

    options.caches_apart = caches_apart;
    options.gpu = "wddm 2.0\n";
    shown_build(&shown, &options, NULL);
    host = *vidmm_slot_host(rig->slot);
    if (caches_apart)
        host.flush_pages = count_flushed; /* a coherent machine has nothing to flush */
    rig->host = &host;
    succeeds(rig_start(rig), "start");
    one = &rig->allocations[0];
    succeeds(rig_create(rig, one, BYTES(PAGES), APERTURE, flags), "create");
    succeeds(vidmm_lock2(one->handle, 0, &data, &rig->report), "lock");
    bytes = data;
    umd_cache_init(&cache, flags == CACHED);
    succeeds(vidmm_paging_queue_create(rig->device, 1, &queue, NULL), "queue");
    status = vidmm_make_resident(queue, &one->handle, 1, 0, &result, &rig->report);
    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result.value, &rig->report);
    succeeds(status, "residency");
    flushed = 0;
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

/* The CPU looks at pages and writes them; answers how many were wrong. */
static uint64_t touch(uint32_t first, uint32_t count)
{
    uint64_t before = rig->cpu_mismatches;

    for (uint32_t page = first; page < first + count; page++)
        rig_touch_page(rig, one, bytes + BYTES(page), page, true);
    return rig->cpu_mismatches - before;
}

/* The GPU reads all of it and may write; answers whether it found something wrong. */
static bool render(bool write)
{
    struct softgpu_statistics before, after;

    softgpu_device_statistics(rig->gpu, &before);
    succeeds(rig_render(rig, &one, 1, write ? 1 : 0), "render");
    succeeds(vidmm_context_wait(rig->context, rig->value), "wait");
    softgpu_device_statistics(rig->gpu, &after);
    return after.content_mismatches != before.content_mismatches;
}

static void before_gpu(uint32_t access)
{
    succeeds(umd_cache_before_gpu(&cache, rig->device, one->handle, access, &rig->report), "GPU");
}

static void before_cpu(void)
{
    succeeds(umd_cache_before_cpu(&cache, rig->device, one->handle, true, &rig->report), "CPU");
}

/* As the CPU writes, so the range is written back; as the GPU writes, so all is forgotten. Nothing
 * is asked for that nobody wrote, nor for what is not cacheable. */
void shows_S2_029(void **state)
{
    (void)state;
    begin(true, CACHED);
    before_gpu(UMD_READ);
    before_cpu();
    assert_int_equal(flushed_since(), 0); /* nobody has written */
    assert_int_equal(touch(0, PAGES), 0);
    umd_cache_cpu_wrote(&cache, 0, BYTES(PAGES));
    before_gpu(UMD_READ);
    assert_int_equal(flushed_since(), PAGES);
    assert_false(render(false)); /* written back */
    before_gpu(UMD_READ);
    before_cpu();
    assert_int_equal(flushed_since(), 0); /* once a hazard; the GPU has read alone */
    umd_cache_cpu_wrote(&cache, BYTES(2) - 1, 2);
    before_gpu(UMD_WRITE);
    assert_int_equal(flushed_since(), 2); /* the pages of two bytes */
    assert_false(render(true));
    before_cpu();
    assert_int_equal(flushed_since(), PAGES);
    assert_int_equal(touch(0, PAGES), 0); /* forgotten */
    before_cpu();
    assert_int_equal(flushed_since(), 0);
    end();
    begin(true, PLAIN); /* not cacheable */
    assert_int_equal(touch(0, PAGES), 0);
    umd_cache_cpu_wrote(&cache, 0, BYTES(PAGES));
    before_gpu(UMD_WRITE);
    assert_false(render(true));
    before_cpu();
    assert_int_equal(touch(0, PAGES), 0);
    assert_int_equal(flushed_since(), 0);
    end();
    begin(false, CACHED); /* I/O coherent: the service has nothing to do */
    assert_int_equal(touch(0, PAGES), 0);
    umd_cache_cpu_wrote(&cache, 0, BYTES(PAGES));
    before_gpu(UMD_WRITE);
    assert_false(render(true));
    before_cpu();
    assert_int_equal(touch(0, PAGES), 0);
    assert_int_equal(flushed_since(), 0);
    end();
}

/* Without the call, with it too early, and with it for a page too few the GPU reads what was there
 * before. */
void shows_S2_030(void **state)
{
    (void)state;
    begin(true, CACHED);
    touch(0, PAGES);
    assert_true(render(false));
    end();
    begin(true, CACHED);
    umd_cache_cpu_wrote(&cache, 0, BYTES(PAGES));
    before_gpu(UMD_READ); /* before the CPU writes */
    touch(0, PAGES);
    assert_true(render(false));
    end();
    begin(true, CACHED);
    touch(0, PAGES);
    umd_cache_cpu_wrote(&cache, 0, BYTES(PAGES - 1));
    before_gpu(UMD_READ);
    assert_true(render(false));
    end();
    begin(true, CACHED);
    touch(0, PAGES);
    umd_cache_cpu_wrote(&cache, 0, BYTES(PAGES));
    before_gpu(UMD_READ);
    assert_false(render(false));
    end();
}

/* The caches have read ahead what was written back, though the CPU has not looked since. So they
 * hide what the GPU writes, and a call before the GPU's write does not help. */
void shows_S2_031(void **state)
{
    (void)state;
    for (uint32_t calls = 0; calls < 3; calls++) { /* none; one before the GPU's write; both */
        begin(true, CACHED);
        touch(0, PAGES);
        umd_cache_cpu_wrote(&cache, 0, BYTES(PAGES));
        before_gpu(UMD_READ);
        if (calls >= 1) {
            flushed_since();
            umd_cache_cpu_wrote(&cache, 0, BYTES(PAGES));
            before_gpu(UMD_WRITE);
            assert_int_equal(flushed_since(), PAGES);
        }
        assert_false(render(true));
        if (calls == 2)
            before_cpu();
        assert_int_equal(touch(0, PAGES), calls == 2 ? 0 : PAGES);
        end();
    }
}

/* ---- two interfaces -------------------------------------------------------------------------- */

/* The old pair is still there, and has modes and lists of pages; the new one has none: it refuses
 * each mode of the old one, takes an allocation alone, and is a lock of its own. */
void shows_S2_012(void **state)
{
    const uint32_t pages[] = {1, 3};
    struct vidmm_lock_arguments arguments;
    void *data = NULL;

    (void)state;
    begin(true, PLAIN);
    succeeds(vidmm_unlock2(one->handle, &rig->report), "the lock of begin()");
    for (uint32_t flag = VIDMM_LOCK_READ_ONLY; flag <= VIDMM_LOCK_IGNORE_READ_SYNC; flag <<= 1)
        shown_refused(&shown, vidmm_lock2(one->handle, flag, &data, &rig->report),
                      STATUS_INVALID_PARAMETER, "S2-022");
    assert_null(data);
    arguments = (struct vidmm_lock_arguments){
        .allocation = one->handle, .flags = VIDMM_LOCK_READ_ONLY, .page_count = 2, .pages = pages};
    succeeds(vidmm_lock_pages(&arguments, &rig->report), "lock");
    assert_non_null(arguments.data);
    succeeds(vidmm_lock2(one->handle, 0, &data, &rig->report), "lock2");
    assert_ptr_equal(data, arguments.data);
    succeeds(vidmm_unlock(one->handle), "unlock");
    assert_int_equal(touch(0, PAGES), 0); /* all pages, for life: the lock of the new pair stays */
    succeeds(vidmm_unlock2(one->handle, &rig->report), "unlock2");
    assert_int_equal(vidmm_unlock2(one->handle, &rig->report), STATUS_INVALID_PARAMETER);
    end();
}
