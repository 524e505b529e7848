/* test_umd_cache.c: cache control (include/umd/cache.h), on a machine whose caches the GPU does not
 * see: they write nothing back and forget nothing by themselves.
 */
#include "test_adapter_rig.h"

#include <umd/map.h>
#include <vidmm/host.h>
#include <vidmm/lock2.h>
#include <vidmm/paging_queue.h>

enum { CACHED = 0x8005, PLAIN = 0x8001 }; /* with CpuVisible, AccessedPhysically */
enum { APERTURE = 1, PAGES = 6 };

#define BYTES(pages) ((uint64_t)(pages)*VIDMM_PAGE_SIZE)

static struct rig rig;
static struct vidmm_host host; /* the slot's, which counts what is flushed */
static uint64_t flushed;       /* pages, since this was set to 0 */
static struct umd_queues queues;
static struct umd_pool pool;
static struct counted_memory memory;
static struct rig_allocation *one;

static void count_flushed(void *context, uint64_t count, const uint64_t *frames)
{
    flushed += count;
    vidmm_slot_host(rig.slot)->flush_pages(context, count, frames);
}

static void succeeds(NTSTATUS status, const char *what)
{
    if (status != STATUS_SUCCESS)
        fail_msg("%s: 0x%08x: %s", what, (unsigned)status, rig.report.text);
}

static NTSTATUS make(void *context, struct umd_instance *instance, struct vidmm_report *report)
{
    const uint32_t *flags = context;
    void *data;

    succeeds(rig_create(&rig, one, BYTES(PAGES), APERTURE, *flags), "create");
    succeeds(vidmm_lock2(one->handle, 0, &data, report), "lock");
    instance->allocation = one->handle;
    instance->data = data;
    umd_cache_init(&instance->cache, *flags == CACHED);
    return STATUS_SUCCESS;
}

static void unmake(void *context, struct umd_instance *instance)
{
    (void)context;
    vidmm_unlock2(instance->allocation, NULL);
    vidmm_allocation_destroy(instance->allocation);
}

static struct umd_maker maker = {.make = make, .unmake = unmake};

static void make_resident(void)
{
    struct vidmm_residency_result result;
    struct vidmm_paging_queue *queue;

    succeeds(vidmm_paging_queue_create(rig.device, 1, &queue, NULL), "queue");
    NTSTATUS status = vidmm_make_resident(queue, &one->handle, 1, 0, &result, &rig.report);
    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result.value, &rig.report);
    succeeds(status, "residency");
}

/* A pool of one instance, resident in the aperture and locked for life. */
static void begin(uint32_t flags)
{
    static uint32_t of_maker;
    struct rig_options options = rig_defaults();
    uint32_t index;

    options.caches_apart = true;
    options.gpu = "wddm 2.0\n";
    rig_build(&rig, &options);
    host = *vidmm_slot_host(rig.slot);
    host.flush_pages = count_flushed;
    rig.host = &host;
    succeeds(rig_start(&rig), "start");
    counted_memory_init(&memory);
    one = &rig.allocations[0];
    of_maker = flags;
    maker.context = &of_maker;
    umd_queues_init(&queues, rig.device);
    succeeds(umd_queues_add(&queues, rig.context, &index, &rig.report), "queue");
    const struct umd_pool_options of_pool = {
        .queues = &queues, .maker = &maker, .memory = &memory.table, .most = 1};
    succeeds(umd_pool_init(&pool, &of_pool, &rig.report), "pool");
    make_resident();
    flushed = 0;
}

static void end(void)
{
    umd_pool_finish(&pool);
    umd_queues_finish(&queues);
    counted_memory_finish(&memory);
    rig_finish(&rig);
}

/* The CPU looks at pages and writes them; answers how many were wrong. */
static uint64_t touch(const void *data, uint32_t first, uint32_t count)
{
    uint64_t before = rig.cpu_mismatches;

    for (uint32_t page = first; page < first + count; page++)
        rig_touch_page(&rig, one, (char *)(uintptr_t)data + BYTES(page), page, true);
    return rig.cpu_mismatches - before;
}

/* The GPU reads all of it, and writes; answers whether it found something wrong. */
static bool render(bool write)
{
    struct softgpu_statistics before, after;

    umd_track_use(&pool.current->track, 0, umd_queue_next(&queues, 0),
                  write ? UMD_WRITE : UMD_READ);
    softgpu_device_statistics(rig.gpu, &before);
    succeeds(rig_render(&rig, &one, 1, write ? 1 : 0), "render");
    succeeds(umd_queue_signal(&queues, 0, &rig.report), "signal");
    succeeds(vidmm_context_wait(rig.context, rig.value), "context");
    softgpu_device_statistics(rig.gpu, &after);
    return after.content_mismatches != before.content_mismatches;
}

static void before_gpu(uint32_t access)
{
    succeeds(
        umd_cache_before_gpu(&pool.current->cache, rig.device, one->handle, access, &rig.report),
        "before the GPU");
}

static void before_cpu(bool over)
{
    succeeds(umd_cache_before_cpu(&pool.current->cache, rig.device, one->handle, over, &rig.report),
             "before the CPU");
}

static uint64_t flushed_since(void)
{
    uint64_t count = flushed;

    flushed = 0;
    return count;
}

/* ---- both hazards ---------------------------------------------------------------------------- */

/* obeys S2-030, S2-031: by map and unmap, round after round. */
static void maps_keep_content_right(void **state)
{
    (void)state;
    begin(CACHED);
    for (unsigned round = 0; round < 4; round++) {
        void *data = NULL;

        succeeds(umd_map(&pool, UMD_MAP_READ | UMD_MAP_WRITE, rig.device, &data, &rig.report),
                 "map");
        assert_int_equal(touch(data, 0, PAGES), 0);
        succeeds(umd_unmap(&pool, 0, BYTES(PAGES), &rig.report), "unmap");
        before_gpu(UMD_WRITE);
        assert_false(render(true));
    }
    end();
}

/* The machine is one where all of this is needed. */
static void without_it_both_sides_find_old_content(void **state)
{
    (void)state;
    begin(CACHED);
    touch(pool.current->data, 0, PAGES);
    assert_true(render(false)); /* nothing was written back */
    end();
    begin(CACHED);
    touch(pool.current->data, 0, PAGES);
    umd_cache_cpu_wrote(&pool.current->cache, 0, BYTES(PAGES));
    before_gpu(UMD_WRITE);
    assert_false(render(true));
    assert_int_equal(touch(pool.current->data, 0, PAGES), PAGES); /* nothing was forgotten */
    end();
}

/* A dirty line that leaves the cache behind the GPU's write would undo it. */
static void a_write_by_the_gpu_is_preceded_by_writing_back_too(void **state)
{
    (void)state;
    begin(CACHED);
    touch(pool.current->data, 0, PAGES);
    umd_cache_cpu_wrote(&pool.current->cache, 0, BYTES(PAGES));
    before_gpu(UMD_WRITE);
    assert_int_equal(flushed_since(), PAGES);
    end();
}

static void only_bytes_that_were_written_are_written_back(void **state)
{
    (void)state;
    begin(CACHED);
    before_gpu(UMD_READ);
    assert_int_equal(flushed_since(), 0);
    umd_cache_cpu_wrote(&pool.current->cache, BYTES(3), 1);
    umd_cache_cpu_wrote(&pool.current->cache, BYTES(1) + 100, 8);
    umd_cache_cpu_wrote(&pool.current->cache, BYTES(2), 8);
    umd_cache_cpu_wrote(&pool.current->cache, 0, 0);
    before_gpu(UMD_READ);
    assert_int_equal(flushed_since(), 3); /* pages 1 to 3 */
    before_gpu(UMD_READ);
    assert_int_equal(flushed_since(), 0);
    umd_cache_cpu_wrote(&pool.current->cache, 0, 1);
    before_gpu(UMD_READ);
    assert_int_equal(flushed_since(), 1);
    end();
}

static void only_behind_a_write_of_the_gpu_the_caches_forget(void **state)
{
    (void)state;
    begin(CACHED);
    before_cpu(true);
    before_gpu(UMD_READ);
    before_cpu(true);
    assert_int_equal(flushed_since(), 0);
    before_gpu(UMD_READ | UMD_WRITE);
    before_gpu(UMD_READ); /* a read behind it changes nothing */
    before_cpu(false);    /* it is not over */
    assert_int_equal(flushed_since(), PAGES);
    before_cpu(true);
    assert_int_equal(flushed_since(), PAGES);
    before_cpu(true);
    assert_int_equal(flushed_since(), 0);
    end();
}

/* A map with NO_OVERWRITE comes while the GPU writes: what it forgets then it forgets again. */
static void a_map_that_does_not_wait_leaves_the_rest_to_the_next(void **state)
{
    void *data;

    (void)state;
    begin(CACHED);
    before_gpu(UMD_WRITE);
    umd_track_use(&pool.current->track, 0, umd_queue_next(&queues, 0), UMD_WRITE);
    succeeds(umd_map(&pool, UMD_MAP_WRITE | UMD_MAP_NO_OVERWRITE, rig.device, &data, &rig.report),
             "map");
    succeeds(umd_unmap(&pool, 0, 0, &rig.report), "unmap");
    assert_true(pool.current->cache.gpu_wrote);
    succeeds(umd_queue_signal(&queues, 0, &rig.report), "signal");
    succeeds(umd_map(&pool, UMD_MAP_READ, rig.device, &data, &rig.report), "map");
    succeeds(umd_unmap(&pool, 0, 0, &rig.report), "unmap");
    assert_false(pool.current->cache.gpu_wrote);
    assert_int_equal(flushed_since(), 2 * PAGES);
    end();
}

static void an_allocation_that_is_not_cached_is_left_alone(void **state)
{
    (void)state;
    begin(PLAIN);
    assert_int_equal(touch(pool.current->data, 0, PAGES), 0);
    umd_cache_cpu_wrote(&pool.current->cache, 0, BYTES(PAGES));
    before_gpu(UMD_WRITE);
    assert_false(render(true));
    before_cpu(true);
    assert_int_equal(touch(pool.current->data, 0, PAGES), 0);
    assert_int_equal(flushed_since(), 0);
    umd_cache_cpu_wrote(&pool.current->cache, 0, BYTES(PAGES)); /* the manager is not even asked */
    assert_int_equal(umd_cache_before_gpu(&pool.current->cache, NULL, NULL, UMD_WRITE, NULL),
                     STATUS_SUCCESS);
    pool.current->cache.gpu_wrote = true;
    assert_int_equal(umd_cache_before_cpu(&pool.current->cache, NULL, one->handle, true, NULL),
                     STATUS_SUCCESS);
    end();
}

static void after_a_refusal_it_is_still_to_be_done(void **state)
{
    struct vidmm_device *other;
    struct umd_cache *cache;

    (void)state;
    begin(CACHED);
    cache = &pool.current->cache;
    succeeds(vidmm_device_create(rig.adapter, 2, &other, &rig.report), "device");
    umd_cache_cpu_wrote(cache, 0, 10);
    assert_int_equal(umd_cache_before_gpu(cache, other, one->handle, UMD_WRITE, &rig.report),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(cache->dirty_end, 10);
    assert_false(cache->gpu_wrote);
    before_gpu(UMD_WRITE);
    assert_int_equal(flushed_since(), 1);
    assert_int_equal(umd_cache_before_cpu(cache, other, one->handle, true, NULL),
                     STATUS_INVALID_PARAMETER);
    before_cpu(true);
    assert_int_equal(flushed_since(), PAGES);
    vidmm_device_destroy(other);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_keep_content_right),
        cmocka_unit_test(without_it_both_sides_find_old_content),
        cmocka_unit_test(a_write_by_the_gpu_is_preceded_by_writing_back_too),
        cmocka_unit_test(only_bytes_that_were_written_are_written_back),
        cmocka_unit_test(only_behind_a_write_of_the_gpu_the_caches_forget),
        cmocka_unit_test(a_map_that_does_not_wait_leaves_the_rest_to_the_next),
        cmocka_unit_test(an_allocation_that_is_not_cached_is_left_alone),
        cmocka_unit_test(after_a_refusal_it_is_still_to_be_done),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
