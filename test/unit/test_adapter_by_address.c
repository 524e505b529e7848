/* test_adapter_by_address.c: an adapter on a software GPU with page tables: what is paged goes by
 * addresses of the paging process, and the tables of programs are written.
 */
#include "test_adapter_rig.h"

#include <vidmm/engine.h>

#include "vidmm/client/group.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/paging_queue.h"
#include "vidmm/pump/pump.h"

#define GPU                                                                                        \
    "wddm 2.6\nmmu gpu\nprivate_data 64\nsegment 1 aperture 1M\nsegment 2 memory 2M cpuvisible\n"

enum { PROGRAM = 2, COUNT = 4, PAGES = 160 };

static struct rig rig;
static struct vidmm_paging_queue queue;
static struct rig_allocation allocations[COUNT];

static NTSTATUS tell(struct vidmm_event event)
{
    return vidmm_pump_event(rig.adapter, &event);
}

/* One whose process has addresses, a paging queue of it, and allocations that the CPU has
 * written. */
static void start(const char *gpu)
{
    struct rig_options options = rig_defaults();
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};
    uint32_t index;

    options.gpu = gpu;
    rig_init(&rig, &options);
    event.process.process = PROGRAM;
    assert_int_equal(tell(event), STATUS_SUCCESS);
    queue = (struct vidmm_paging_queue){.device = rig.device, .passed = VIDMM_FIRST_PAGING_FENCE};
    assert_true(vidmm_slot_take(&rig.adapter->paging_queues, &rig.adapter->host->memory, &queue,
                                VIDMM_HANDLE_PAGING_QUEUE, &index));
    event = (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = rig.device->id};
    event.paging_queue.queue = index + 1;
    event.paging_queue.priority = VIDMM_PAGING_QUEUE_NORMAL;
    assert_int_equal(tell(event), STATUS_SUCCESS);
}

static bool has_passed(void *argument)
{
    return atomic_load(&queue.passed) >= *(uint64_t *)argument;
}

static void make_resident(const uint32_t *ids, uint32_t count)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAKE_RESIDENT};
    uint64_t value;
    NTSTATUS status;

    event.residency.queue = 1;
    event.residency.count = count;
    event.residency.allocations = ids;
    status = tell(event);
    value = vidmm_engine_residency_answer(rig.adapter->engine).value;
    if (status == STATUS_PENDING)
        assert_true(rig.adapter->host->wait(rig.adapter->host->context, has_passed, &value,
                                            UINT64_C(10000000000)));
    else
        assert_int_equal(status, STATUS_SUCCESS);
}

static void evict(uint32_t id)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_EVICT, .device = rig.device->id};

    event.residency.count = 1;
    event.residency.allocations = &id;
    assert_int_equal(tell(event), STATUS_SUCCESS);
}

static void create(struct rig_allocation *one, uint64_t size)
{
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = 1,
        .size = size,
        .read_set = 2,
        .write_set = 2,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    struct vidmm_description description = {.private_data = (void *)(uintptr_t)&wish,
                                            .private_data_size = sizeof(wish)};
    struct vidmm_allocation *made;
    struct vidmm_report report;
    const struct vidmm_group group = {.device = rig.device,
                                      .descriptions = &description,
                                      .count = 1,
                                      .allocations = &made,
                                      .report = &report};

    if (vidmm_group_create(&group) != STATUS_SUCCESS)
        fail_msg("%s", report.text);
    *one = (struct rig_allocation){.handle = made,
                                   .id = ++rig.next_id,
                                   .local = true,
                                   .pages = vidmm_allocation_size(made) / VIDMM_PAGE_SIZE};
}

static bool is_quiet(void *argument)
{
    (void)argument;
    return vidmm_engine_is_quiet(rig.adapter->engine);
}

/* Check all words of the backing store, or write them. The GPU has done with it. */
static void look(struct rig_allocation *one, uint64_t first, bool write)
{
    const struct vidmm_host *host = rig.adapter->host;
    const struct vidmm_backing *backing = &one->handle->backing;

    assert_true(host->wait(host->context, is_quiet, NULL, UINT64_C(10000000000)));
    for (uint64_t page = 0; page < one->pages; page++) {
        uint64_t frame = vidmm_backing_frame(backing, page << VIDMM_PAGE_SHIFT);
        uint64_t *words = host->map_pages(host->context, 1, &frame);

        assert_non_null(words);
        for (uint64_t i = 0; i < VIDMM_PAGE_SIZE / sizeof(*words); i++) {
            uint64_t expected = first == 0 ? 0 : first + page * 1000 + i;

            if (write)
                words[i] = expected;
            else
                assert_int_equal(words[i], expected);
        }
        host->unmap_pages(host->context, words, 1);
    }
}

static void judge(void)
{
    struct softgpu_statistics gpu;

    rig_judge(&rig, rig.gpu);
    softgpu_device_statistics(rig.gpu, &gpu);
    if (gpu.driver_refusals != 0 || gpu.page_faults != 0)
        fail_msg("%s %s", gpu.refusal, gpu.fault);
}

static void bring_in_and_let_go(uint32_t rounds)
{
    for (unsigned i = 0; i < rounds * COUNT; i++) {
        uint32_t id = allocations[i % COUNT].handle->id;

        make_resident(&id, 1);
        evict(id);
    }
}

/* The first content is zeroes, made in memory; what is written goes in, the pages are poisoned, and
 * it comes back. */
static void content_goes_in_and_out_by_addresses(void **state)
{
    static const char *const gpus[] = {
        GPU "paging_buffer_segment 0\n",
        GPU "page_table_update cpu_virtual\npage_table_segment 0\n",
        GPU "paging_buffer_segment 0\npage_table_segment 0\npaging_table_segment 0\n",
        GPU "paging_buffer_segment 0\nlevels 2\n",
        GPU "index_bits 7 8 6 6\n",
        GPU "habit immediate\n"};

    (void)state;
    for (unsigned kind = 0; kind < sizeof(gpus) / sizeof(gpus[0]); kind++) {
        struct vidmm_statistics statistics;

        start(gpus[kind]);
        for (unsigned i = 0; i < COUNT; i++)
            create(&allocations[i], PAGES * (uint64_t)VIDMM_PAGE_SIZE);
        bring_in_and_let_go(1);
        for (unsigned i = 0; i < COUNT; i++)
            look(&allocations[i], 0, false);
        for (unsigned i = 0; i < COUNT; i++)
            look(&allocations[i], 1 + i * 1000000, true);
        bring_in_and_let_go(2);
        for (unsigned i = 0; i < COUNT; i++)
            look(&allocations[i], 1 + i * 1000000, false);
        vidmm_adapter_statistics(rig.adapter, &statistics);
        assert_int_equal(statistics.bytes_in, 2 * COUNT * PAGES * (uint64_t)VIDMM_PAGE_SIZE);
        assert_int_equal(statistics.bytes_out, 3 * COUNT * PAGES * (uint64_t)VIDMM_PAGE_SIZE);
        judge();
        for (unsigned i = 0; i < COUNT; i++)
            vidmm_allocation_destroy(allocations[i].handle);
        rig_finish(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(content_goes_in_and_out_by_addresses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
