/* test_adapter_caching.c: caches that the GPU does not see, and memory that is adopted. */
#include "test_adapter_rig.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vidmm/host.h>
#include <vidmm/lock.h>

#define CPU_VISIBLE 0x1u
#define CACHED 0x4u
#define PROTECTED 0x8u
#define EXISTING 0x10u
#define EXISTING_KERNEL 0x20u

static struct rig rig;

/* ---- caches ---------------------------------------------------------------------------------- */

static void play(enum vidmm_machine_kind kind, uint64_t seed, const char *gpu, bool through)
{
    struct rig_options options = rig_defaults();

    options.kind = kind;
    options.machine_seed = seed;
    options.caches_apart = true;
    options.more_flags = CACHED;
    options.evict_through_aperture = through;
    options.gpu = gpu;
    rig_init(&rig, &options);
    rig_work(&rig, (uint32_t)seed + 7, 300);
    rig_read(&rig);
    rig_finish(&rig);
}

static void caches_apart_are_flushed_where_content_changes_hands(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        play(VIDMM_MACHINE_SIMULATED, seed, "habit queued\n", seed % 2 == 0);
        play(VIDMM_MACHINE_SIMULATED, seed, "habit immediate\n", seed % 2 != 0);
        play(VIDMM_MACHINE_SIMULATED, seed,
             "segment 1 aperture 1M cachecoherent\nsegment 2 memory 256K cpuvisible\n", true);
    }
    play(VIDMM_MACHINE_THREADED, 1, NULL, false);
}

/* A lock with AcquireAperture goes on where the content is evicted to: what it writes there is in
 * the caches. */
static void what_leaves_a_range_while_it_is_locked_is_flushed_too(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *both[] = {&rig.allocations[0], &rig.allocations[1]};
    struct vidmm_lock_arguments lock;

    (void)state;
    options.caches_apart = true;
    options.gpu = "ranges 1\n";
    rig_init(&rig, &options);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(rig_create(&rig, both[i], 40 * VIDMM_PAGE_SIZE, 2, CPU_VISIBLE | CACHED),
                         STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, &both[0], 1, 1), STATUS_SUCCESS);
    lock = (struct vidmm_lock_arguments){.allocation = both[0]->handle,
                                         .flags = VIDMM_LOCK_ENTIRE | VIDMM_LOCK_ACQUIRE_APERTURE};
    assert_int_equal(vidmm_lock_pages(&lock, &rig.report), STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, &both[1], 1, 1), STATUS_SUCCESS); /* in its place */
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
    for (uint32_t page = 0; page < both[0]->pages; page++)
        rig_touch_page(&rig, both[0], (char *)lock.data + page * VIDMM_PAGE_SIZE, page, true);
    assert_int_equal(vidmm_unlock(both[0]->handle), STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, &both[0], 1, 0), STATUS_SUCCESS); /* the GPU looks */
    rig_read(&rig);
    rig_finish(&rig);
}

/* The first word of memory, where the GPU looks, of an allocation that was adopted. */
static uint64_t first_word(const uint64_t *frames)
{
    uint64_t *memory =
        vidmm_machine_memory(rig.machine, frames[0] << VIDMM_PAGE_SHIFT, sizeof(*memory));

    return *memory;
}

static void what_the_cpu_writes_stays_in_the_cache_until_a_flush(void **state)
{
    struct rig_options options = rig_defaults();
    const struct vidmm_host *host;
    uint64_t frame, *cached;

    (void)state;
    options.caches_apart = true;
    rig_init(&rig, &options);
    host = vidmm_slot_host(rig.slot);
    assert_true(host->take_pages(host->context, 1, VIDMM_ANY_FRAME, true, VIDMM_CACHED, &frame));
    host->clear_pages(host->context, 1, &frame);
    cached = host->map_pages(host->context, 1, &frame);
    assert_non_null(cached);
    cached[0] = 1;
    assert_int_equal(first_word(&frame), 0);
    host->flush_pages(host->context, 1, &frame);
    assert_int_equal(first_word(&frame), 1);
    /* and what a device writes is hidden until one; a clean line is not written back over it */
    *(uint64_t *)vidmm_machine_memory(rig.machine, frame << VIDMM_PAGE_SHIFT, 8) = 2;
    assert_int_equal(cached[0], 1);
    host->flush_pages(host->context, 1, &frame);
    assert_int_equal(cached[0], 2);
    host->unmap_pages(host->context, cached, 1);
    host->release_pages(host->context, 1, &frame);
    rig_finish(&rig);
}

static void write_combined_pages_have_no_cache(void **state)
{
    struct rig_options options = rig_defaults();
    const struct vidmm_host *host;
    uint64_t frame, *mapped;

    (void)state;
    options.caches_apart = true;
    rig_init(&rig, &options);
    host = vidmm_slot_host(rig.slot);
    assert_true(
        host->take_pages(host->context, 1, VIDMM_ANY_FRAME, true, VIDMM_WRITE_COMBINED, &frame));
    mapped = host->map_pages(host->context, 1, &frame);
    mapped[0] = 5;
    assert_int_equal(first_word(&frame), 5);
    host->unmap_pages(host->context, mapped, 1);
    host->release_pages(host->context, 1, &frame);
    rig_finish(&rig);
}

/* ---- existing memory ------------------------------------------------------------------------- */

static NTSTATUS create_over(void *address, uint64_t size, uint64_t described, uint32_t flags,
                            struct vidmm_allocation **allocation)
{
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = flags,
        .size = described,
        .read_set = 3,
        .write_set = 3,
        .preferred = 2 | 1 << 6,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };

    return vidmm_allocation_create_over(rig.device, &wish, sizeof(wish), address, size, allocation,
                                        &rig.report);
}

static void refused(void *address, uint64_t size, uint32_t flags, const char *word)
{
    struct vidmm_machine_counts before = vidmm_machine_counts(rig.machine), after;
    struct vidmm_allocation *allocation = NULL;

    assert_int_equal(create_over(address, size, 8192, flags, &allocation),
                     STATUS_INVALID_PARAMETER);
    if (strstr(rig.report.text, word) == NULL)
        fail_msg("\"%s\" does not name %s", rig.report.text, word);
    assert_null(allocation);
    after = vidmm_machine_counts(rig.machine);
    assert_int_equal(after.pages, before.pages);
}

static void start(bool caches_apart)
{
    struct rig_options options = rig_defaults();

    options.caches_apart = caches_apart;
    rig_init(&rig, &options);
}

static void existing_memory_that_is_none_is_refused(void **state)
{
    char *memory = aligned_alloc(VIDMM_PAGE_SIZE, 4 * VIDMM_PAGE_SIZE);
    void *data;

    (void)state;
    start(false);
    memset(memory, 0x5a, 4 * VIDMM_PAGE_SIZE);
    refused(memory + 16, 8192, CPU_VISIBLE | EXISTING, "S0-031");
    refused(memory, 8192 - 16, CPU_VISIBLE | EXISTING, "S0-031");
    refused(memory, 4096, CPU_VISIBLE | EXISTING, "S0-030");
    refused((void *)(uintptr_t)4096, 8192, CPU_VISIBLE | EXISTING, "S0-030");
    refused(memory, 8192, CPU_VISIBLE, "S0-029");
    refused(NULL, 0, CPU_VISIBLE | EXISTING, "S0-029");
    refused(memory, 8192, CPU_VISIBLE | EXISTING_KERNEL, "S0-036");
    /* the machine's own memory is the kernel's, not a program's */
    assert_int_equal(rig_create(&rig, &rig.allocations[0], 8192, 1, CPU_VISIBLE), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(rig.allocations[0].handle, 0, &data, NULL), STATUS_SUCCESS);
    refused(data, 8192, CPU_VISIBLE | EXISTING, "S0-030");
    assert_int_equal(vidmm_unlock(rig.allocations[0].handle), STATUS_SUCCESS);
    assert_int_equal(memory[0], 0x5a);
    rig_finish(&rig);
    free(memory);
}

/* The content of an allocation of two pages over `memory`, by the rules of base/content.h, for a
 * first check; and at `seen`, where the same bytes are. */
static void render_and_check_at(struct vidmm_allocation *allocation, void *memory, void *seen)
{
    struct rig_allocation one = {.handle = allocation, .id = 77, .pages = 2};
    struct rig_allocation *list[] = {&one};
    void *data;

    assert_int_equal(vidmm_lock(allocation, 0, &data, NULL), STATUS_SUCCESS);
    assert_ptr_equal(data, memory); /* S0-033, S0-012 */
    for (uint32_t page = 0; page < 2; page++)
        rig_touch_page(&rig, &one, (char *)seen + page * VIDMM_PAGE_SIZE, page, true);
    assert_int_equal(vidmm_unlock(allocation), STATUS_SUCCESS);
    for (uint32_t round = 0; round < 3; round++)
        assert_int_equal(rig_render(&rig, list, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(allocation, 0, &data, NULL), STATUS_SUCCESS);
    assert_ptr_equal(data, memory);
    for (uint32_t page = 0; page < 2; page++)
        rig_touch_page(&rig, &one, (char *)seen + page * VIDMM_PAGE_SIZE, page, false);
    assert_int_equal(vidmm_unlock(allocation), STATUS_SUCCESS);
    assert_int_equal(rig.cpu_mismatches, 0);
}

static void render_and_check(struct vidmm_allocation *allocation, void *memory)
{
    render_and_check_at(allocation, memory, memory);
}

static void a_programs_memory_is_adopted_and_given_back_with_its_bytes(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        char *memory = aligned_alloc(VIDMM_PAGE_SIZE, 4 * VIDMM_PAGE_SIZE), copy[8192];
        struct vidmm_allocation *allocation;
        struct vidmm_machine_counts before;

        memset(memory, 0, 4 * VIDMM_PAGE_SIZE);
        memory[8192] = 9;
        start(apart != 0);
        before = vidmm_machine_counts(rig.machine);
        assert_int_equal(
            create_over(memory, 8192, 8192, CPU_VISIBLE | CACHED | EXISTING, &allocation),
            STATUS_SUCCESS);
        assert_int_equal(vidmm_machine_counts(rig.machine).page_requests, before.page_requests);
        render_and_check(allocation, memory);
        memcpy(copy, memory, sizeof(copy));
        vidmm_allocation_destroy(allocation);
        rig_read(&rig);
        rig_finish(&rig);
        assert_memory_equal(memory, copy, sizeof(copy));
        assert_int_equal(memory[8192], 9);
        memory[0]++; /* ordinary memory again */
        free(memory);
    }
}

/* Two pages, each of a file of its own and not the first there. second: the same once more. */
static void map_shared(char **first, char **second)
{
    char *addresses[2];

    for (int i = 0; i < 2; i++) {
        addresses[i] = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_ptr_not_equal(addresses[i], MAP_FAILED);
    }
    for (int page = 0; page < 2; page++) {
        int file = memfd_create("shared", MFD_CLOEXEC);

        assert_int_equal(ftruncate(file, 3 * 4096), 0);
        for (int i = 0; i < 2; i++)
            assert_ptr_not_equal(mmap(addresses[i] + page * 4096, 4096, PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_FIXED, file, (1 + page) * 4096),
                                 MAP_FAILED);
        close(file);
    }
    *first = addresses[0];
    *second = addresses[1];
}

/* The GPU writes, and whoever shares the memory sees it; and the other way round. */
static void a_shared_mapping_is_adopted_where_it_is(void **state)
{
    struct vidmm_allocation *allocation;
    char *memory, *again;

    (void)state;
    map_shared(&memory, &again);
    for (int round = 0; round < 2; round++) {
        start(false);
        memset(again, 0, 8192);
        assert_int_equal(
            create_over(memory, 8192, 8192, CPU_VISIBLE | CACHED | EXISTING, &allocation),
            STATUS_SUCCESS);
        render_and_check_at(allocation, memory, again);
        vidmm_allocation_destroy(allocation);
        rig_read(&rig);
        assert_memory_equal(memory, again, 8192);
        memory[0] = (char)(round + 1);
        assert_int_equal(again[0], round + 1);
        rig_finish(&rig);
        assert_memory_equal(memory, again, 8192);
    }
    munmap(memory, 8192);
    munmap(again, 8192);
}

/* A page that is shared and a private one beside it: the bytes are right, nothing is shared. */
static void memory_of_two_kinds_is_private(void **state)
{
    struct vidmm_allocation *allocation;
    char *memory, *again, copy[8192];

    (void)state;
    map_shared(&memory, &again);
    assert_ptr_not_equal(mmap(memory + 4096, 4096, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
                         MAP_FAILED);
    start(false);
    assert_int_equal(create_over(memory, 8192, 8192, CPU_VISIBLE | CACHED | EXISTING, &allocation),
                     STATUS_SUCCESS);
    render_and_check(allocation, memory);
    memcpy(copy, memory, sizeof(copy));
    vidmm_allocation_destroy(allocation);
    rig_finish(&rig);
    assert_memory_equal(memory, copy, sizeof(copy));
    for (int i = 0; i < 8192; i++)
        assert_int_equal(again[i], 0);
    munmap(memory, 8192);
    munmap(again, 8192);
}

static void a_kernels_memory_is_adopted_where_it_is(void **state)
{
    const struct vidmm_host *host;
    struct vidmm_allocation *allocation;
    uint64_t frames[2];
    void *memory;

    (void)state;
    start(false);
    host = vidmm_slot_host(rig.slot);
    assert_true(host->take_pages(host->context, 2, VIDMM_ANY_FRAME, false, VIDMM_CACHED, frames));
    host->clear_pages(host->context, 2, frames);
    memory = host->map_pages(host->context, 2, frames);
    assert_int_equal(
        create_over(memory, 8192, 8192, CPU_VISIBLE | CACHED | EXISTING_KERNEL, &allocation),
        STATUS_SUCCESS);
    render_and_check(allocation, memory);
    vidmm_allocation_destroy(allocation);
    vidmm_machine_settle(rig.machine);
    host->unmap_pages(host->context, memory, 2);
    host->release_pages(host->context, 2, frames);
    rig_read(&rig);
    rig_finish(&rig);
}

/* ---- protected memory ------------------------------------------------------------------------ */

static void a_protected_allocation_has_no_address(void **state)
{
    struct vidmm_machine_counts before;
    struct rig_allocation *list[1];
    void *data = NULL;

    (void)state;
    start(false);
    assert_int_equal(rig_create(&rig, &rig.allocations[0], 8192, 3, CPU_VISIBLE | PROTECTED),
                     STATUS_SUCCESS);
    before = vidmm_machine_counts(rig.machine);
    assert_int_equal(vidmm_lock(rig.allocations[0].handle, 0, &data, NULL),
                     STATUS_INVALID_PARAMETER);
    list[0] = &rig.allocations[0];
    assert_int_equal(rig_render(&rig, list, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(rig.allocations[0].handle, 0, &data, NULL),
                     STATUS_INVALID_PARAMETER);
    assert_null(data);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(vidmm_machine_counts(rig.machine).mapping_requests, before.mapping_requests);
    rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caches_apart_are_flushed_where_content_changes_hands),
        cmocka_unit_test(what_leaves_a_range_while_it_is_locked_is_flushed_too),
        cmocka_unit_test(what_the_cpu_writes_stays_in_the_cache_until_a_flush),
        cmocka_unit_test(write_combined_pages_have_no_cache),
        cmocka_unit_test(existing_memory_that_is_none_is_refused),
        cmocka_unit_test(a_programs_memory_is_adopted_and_given_back_with_its_bytes),
        cmocka_unit_test(a_shared_mapping_is_adopted_where_it_is),
        cmocka_unit_test(memory_of_two_kinds_is_private),
        cmocka_unit_test(a_kernels_memory_is_adopted_where_it_is),
        cmocka_unit_test(a_protected_allocation_has_no_address),
    };

    return cmocka_run_group_tests_name("adapter, caching", tests, NULL, NULL);
}
