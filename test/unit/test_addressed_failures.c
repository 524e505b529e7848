/* test_addressed_failures.c: the life of programs on a GPU with page tables, in which each request
 * for memory of the host fails once. The one who asked is refused, all else goes on, no byte is
 * wrong, and nothing is left at the end.
 */
#include "test_addressed.h"

#include <vidmm/fence.h>
#include <vidmm/hw_queue.h>
#include <vidmm/lock2.h>
#include <vidmm/residency.h>

enum { COUNT = 2, PAGES = 24, EVERY = 17 /* request, on all GPUs but the first */ };

static uint64_t refused; /* calls of a life */
static char life[200];   /* which it is */

/* Only want of memory is an excuse; a device that could not go on for that is in error. */
static bool is_done(NTSTATUS status, const char *what)
{
    if (status == STATUS_SUCCESS || status == STATUS_PENDING)
        return true;
    refused++;
    if (status != STATUS_NO_MEMORY && status != STATUS_GRAPHICS_NO_VIDEO_MEMORY)
        fail_msg("%s: %s: 0x%08x: %s", life, what, (unsigned)status, rig.report.text);
    return false;
}

/* Whether it came to the value; a value of 0 is come to. */
static bool came(struct program *program, NTSTATUS status, uint64_t value, const char *what)
{
    if (!is_done(status, what))
        return false;
    return status == STATUS_SUCCESS ||
           is_done(vidmm_paging_queue_wait(program->queue, value, &rig.report), what);
}

static bool try_make(struct program *program, struct vidmm_allocation *allocation)
{
    struct vidmm_residency_result result = {0};
    NTSTATUS status = vidmm_make_resident(program->queue, &allocation, 1, 0, &result, &rig.report);

    return came(program, status, result.value, "make resident");
}

static bool try_map(struct program *program, struct vidmm_allocation *allocation, uint64_t base,
                    uint64_t *address)
{
    uint64_t value = 0;
    NTSTATUS status = shares ? vidmm_shared_address(allocation, address, &rig.report)
                             : ask_to_map(program, allocation, base, 0,
                                          vidmm_allocation_size(allocation), address, &value);

    return came(program, status, value, "map");
}

/* Everything that a program begins with. False: something of it was refused. */
static bool try_begin(struct program *program, uint64_t process)
{
    init_program(program);
    return is_done(vidmm_device_create(rig.adapter, process, &program->device, &rig.report),
                   "device") &&
           is_done(
               vidmm_context_create(program->device, 0, NULL, 0, &program->context, &rig.report),
               "context") &&
           is_done(vidmm_paging_queue_create(program->device, 1, &program->queue, &rig.report),
                   "paging queue") &&
           is_done(vidmm_allocation_create_over(program->device, &commands_wish,
                                                sizeof(commands_wish), program->bytes,
                                                VIDMM_PAGE_SIZE, &program->commands, &rig.report),
                   "allocation over memory") &&
           try_make(program, program->commands) &&
           try_map(program, program->commands, 0, &program->address);
}

/* The GPU checks it; the next submission overwrites the commands. */
static void try_touch(struct program *program, struct rig_allocation *one, uint64_t address)
{
    if (!is_done(submit(program, write_touch(program, one, address, true)), "submit"))
        return;
    if (is_done(vidmm_context_wait(program->context, program->value), "wait"))
        one->generation++;
    else
        one->generation = UINT32_MAX; /* it may have run, or not */
}

/* The CPU sees the content, and writes nothing. */
static bool try_lock(struct rig_allocation *one)
{
    void *data = NULL;

    if (!is_done(vidmm_lock2(one->handle, 0, &data, &rig.report), "lock"))
        return false;
    assert_non_null(data);
    if (one->generation == 0)
        for (uint64_t at = 0; at < BYTES(one->pages); at += 512)
            assert_int_equal(((const unsigned char *)data)[at], 0);
    assert_int_equal(vidmm_unlock2(one->handle, &rig.report), STATUS_SUCCESS);
    return true;
}

static void try_offer(struct program *program, struct rig_allocation *one)
{
    const struct vidmm_selection selection = {.allocations = &one->handle, .allocation_count = 1};
    struct vidmm_residency_result result = {0};
    enum vidmm_reclaimed reclaimed = VIDMM_RECLAIMED;
    NTSTATUS status;

    if (!is_done(vidmm_offer(&selection, VIDMM_OFFER_LOW, 0, &rig.report), "offer"))
        return;
    status = vidmm_reclaim_queued(program->queue, &selection, &reclaimed, &result, &rig.report);
    if (!came(program, status, result.value, "reclaim") || reclaimed != VIDMM_RECLAIMED)
        one->generation = UINT32_MAX;
}

/* One allocation from its creation to where others push it out. */
static void use_one(struct program *program, struct rig_allocation *one, uint64_t base)
{
    struct vidmm_device *own = rig.device;
    uint64_t address = 0;
    bool created;

    rig.device = program->device;
    created = is_done(rig_create(&rig, one, BYTES(PAGES), shares ? APERTURE : APERTURE | MEMORY, 1),
                      "allocation");
    rig.device = own;
    if (!created)
        return;
    if (!try_lock(one)) { /* before it has any place; nothing of the lock may outlive it */
        vidmm_allocation_destroy(one->handle);
        one->handle = NULL;
        return;
    }
    if (!try_make(program, one->handle))
        return;
    try_lock(one);
    if (try_map(program, one->handle, base, &address)) {
        try_touch(program, one, address);
        if (one->generation != UINT32_MAX)
            try_touch(program, one, address);
    }
    try_lock(one);
    try_offer(program, one);
    if (!shares && address != 0)
        is_done(vidmm_free_addresses(program->device, address, BYTES(PAGES), &rig.report), "free");
    is_done(vidmm_evict(program->device, &one->handle, 1, 0, NULL, &rig.report), "evict");
}

static void use_fences(struct program *program)
{
    struct vidmm_fence_point point = {.value = 1};
    uint64_t address;

    if (!is_done(vidmm_fence_create(program->device, 0, 0, &point.fence, &rig.report), "fence"))
        return;
    is_done(vidmm_fence_gpu_address(point.fence, program->device, &address, &rig.report),
            "fence's address");
    if (is_done(vidmm_context_signal_fences(program->context, &point, 1, &rig.report), "signal"))
        is_done(vidmm_fence_wait(program->device, &point, 1, false, &rig.report), "fence wait");
    vidmm_fence_destroy(point.fence);
}

/* Behind a fence, on a companion context if the driver can have one (D-266). */
static void change_addresses(struct program *program, struct rig_allocation *one)
{
    const struct vidmm_address_request request = {.size = BYTES(64)};
    struct vidmm_address_operation change = {
        .size = BYTES(16), .use = {.state = VIDMM_ADDRESSES_MAPPED, .allocation = one->handle}};
    struct vidmm_fence_point point = {.value = 0};
    uint64_t value = 0;
    NTSTATUS status;

    if (shares || one->handle == NULL)
        return;
    status = vidmm_reserve_addresses(program->device, program->queue, &request,
                                     VIDMM_ADDRESSES_ZERO, 0, &change.base, &value, &rig.report);
    if (!came(program, status, value, "reserve") ||
        !is_done(vidmm_fence_create(program->device, 0, 0, &point.fence, &rig.report), "fence"))
        return;
    if (is_done(vidmm_update_addresses_after(program->context, &change, 1, &point, 0, &rig.report),
                "update")) {
        point.value = 1;
        is_done(vidmm_fence_wait(program->device, &point, 1, false, &rig.report), "update's fence");
    }
    vidmm_fence_destroy(point.fence);
}

static void use_hw_queue(struct program *program)
{
    struct vidmm_context *context = NULL;
    struct vidmm_hw_queue *queue = NULL;

    if (vidmm_hw_queues_of(rig.adapter, 0) == 0 ||
        !is_done(vidmm_hw_context_create(program->device, 0, NULL, 0, &context, &rig.report),
                 "context of queues"))
        return;
    if (is_done(vidmm_hw_queue_create(context, 0, NULL, 0, &queue, &rig.report), "queue"))
        vidmm_hw_queue_destroy(queue);
    vidmm_context_destroy(context);
}

static DRIVER_INITIALIZATION_DATA driver;

/* Page tables are those of a process that the driver knows. */
static NTSTATUS judge_build(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    if (arguments->Operation == DXGK_OPERATION_UPDATE_PAGE_TABLE)
        assert_non_null(arguments->UpdatePageTable.hProcess);
    if (arguments->Operation == DXGK_OPERATION_FLUSH_TLB)
        assert_non_null(arguments->FlushTlb.hProcess);
    return driver.DxgkDdiBuildPagingBuffer(adapter, arguments);
}

static void live(void)
{
    struct program *const programs[] = {&first, &second};

    for (uint32_t i = 0; i < 2; i++) {
        if (!try_begin(programs[i], i + 1))
            continue;
        use_fences(programs[i]);
        use_hw_queue(programs[i]);
        for (uint32_t n = 0; n < COUNT; n++)
            use_one(programs[i], &rig.allocations[COUNT * i + n], AT + BYTES(512) * n);
        change_addresses(programs[i], &rig.allocations[COUNT * i]);
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (programs[i]->device != NULL)
            vidmm_device_destroy(programs[i]->device);
        vidmm_machine_settle(rig.machine);
        free(programs[i]->bytes);
    }
}

typedef void fail_at(struct vidmm_machine *machine, uint64_t n);

/* One life in which the n-th request fails. Answers how many there were. */
static struct vidmm_machine_counts fail_once(const char *gpu, fail_at *order, uint64_t n)
{
    struct vidmm_machine_counts counts;

    refused = 0;
    snprintf(life, sizeof(life), "%s, request %llu", gpu, (unsigned long long)n);
    memset(&first, 0, sizeof(first));
    memset(&second, 0, sizeof(second));
    build(gpu);
    driver = rig.driver;
    rig.driver.DxgkDdiBuildPagingBuffer = judge_build;
    order(rig.machine, n);
    if (is_done(rig_start(&rig), "start"))
        live();
    counts = vidmm_machine_counts(rig.machine);
    rig_judge(&rig, rig.gpu);
    rig_stop(&rig);
    rig_finish(&rig);
    return counts;
}

static const char *const gpus[] = {
    "",         "page_table_update gpu_virtual\n", "segment 2 memory 1M hostaperture\n",
    "mmu io\n", "hw_queues 2\npages_64k dual\n",   "engines render copy\ncompanion 1\n",
};

static uint64_t counted(const struct vidmm_machine_counts *counts, size_t which)
{
    uint64_t count;

    memcpy(&count, (const char *)counts + which, sizeof(count));
    return count;
}

/* All requests on the first GPU, and some on the others. which: where the requests are counted in
 * struct vidmm_machine_counts. */
static void fail_everywhere(fail_at *order, size_t which, uint64_t least)
{
    for (size_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++) {
        struct vidmm_machine_counts whole = fail_once(gpus[i], order, UINT64_MAX);
        uint64_t refusals = 0;

        assert_int_equal(refused, 0);
        for (uint64_t n = 1 + i; n <= counted(&whole, which); n += i == 0 ? 1 : EVERY) {
            fail_once(gpus[i], order, n);
            refusals += refused;
        }
        assert_true(refusals > (i == 0 ? least : 0));
    }
}

static void every_block_of_host_memory_can_be_missing_once(void **state)
{
    (void)state;
    fail_everywhere(vidmm_machine_fail_allocation,
                    offsetof(struct vidmm_machine_counts, block_requests), 50);
}

static void every_take_of_pages_can_fail_once(void **state)
{
    (void)state;
    fail_everywhere(vidmm_machine_fail_pages, offsetof(struct vidmm_machine_counts, page_requests),
                    5);
}

static void every_mapping_of_pages_can_fail_once(void **state)
{
    (void)state;
    fail_everywhere(vidmm_machine_fail_mapping,
                    offsetof(struct vidmm_machine_counts, mapping_requests), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_of_host_memory_can_be_missing_once),
        cmocka_unit_test(every_take_of_pages_can_fail_once),
        cmocka_unit_test(every_mapping_of_pages_can_fail_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
