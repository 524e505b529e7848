/* test_adapter_by_address.c: an adapter on a software GPU with page tables: what is paged goes by
 * addresses of the paging process.
 */
#include "test_by_address.h"

enum { COUNT = 4, PAGES = 160 };

static struct vidmm_allocation *allocations[COUNT];

/* Check all words of the backing store, or write them. The GPU has done with it. */
static void look(struct vidmm_allocation *one, uint64_t first, bool write)
{
    const struct vidmm_host *host = by_rig.adapter->host;

    by_wait();
    for (uint64_t page = 0; page < PAGES; page++) {
        uint64_t frame = vidmm_backing_frame(&one->backing, page << VIDMM_PAGE_SHIFT);
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

static void bring_in_and_let_go(uint32_t rounds)
{
    by_records = false;
    for (unsigned i = 0; i < rounds * COUNT; i++) {
        by_make_resident(allocations[i % COUNT]->id);
        by_evict(allocations[i % COUNT]->id);
    }
}

/* The first content is zeroes, made in memory; what is written goes in, the pages are poisoned, and
 * it comes back. */
static void content_goes_in_and_out_by_addresses(void **state)
{
    static const char *const gpus[] = {
        BY_GPU "paging_buffer_segment 0\n",
        BY_GPU "page_table_update cpu_virtual\npage_table_segment 0\n",
        BY_GPU "paging_buffer_segment 0\npage_table_segment 0\npaging_table_segment 0\n",
        BY_GPU "paging_buffer_segment 0\nlevels 2\n",
        BY_GPU "index_bits 7 8 6 6\n",
        BY_GPU "habit immediate\n",
        BY_GPU "page_table_update gpu_virtual\n"};

    (void)state;
    for (unsigned kind = 0; kind < sizeof(gpus) / sizeof(gpus[0]); kind++) {
        uint64_t all = COUNT * PAGES * (uint64_t)VIDMM_PAGE_SIZE;
        struct vidmm_statistics statistics;

        by_start(gpus[kind]);
        for (unsigned i = 0; i < COUNT; i++)
            allocations[i] = by_create(PAGES * (uint64_t)VIDMM_PAGE_SIZE, 2);
        bring_in_and_let_go(1);
        for (unsigned i = 0; i < COUNT; i++)
            look(allocations[i], 0, false);
        for (unsigned i = 0; i < COUNT; i++)
            look(allocations[i], 1 + i * 1000000, true);
        bring_in_and_let_go(2);
        for (unsigned i = 0; i < COUNT; i++)
            look(allocations[i], 1 + i * 1000000, false);
        vidmm_adapter_statistics(by_rig.adapter, &statistics);
        assert_int_equal(statistics.bytes_in, 2 * all);
        assert_int_equal(statistics.bytes_out, 3 * all);
        for (unsigned i = 0; i < COUNT; i++)
            vidmm_allocation_destroy(allocations[i]);
        by_finish();
    }
}

/* D-264, W-014: the driver was told that the process is gone, and the tables that it leaves behind
 * are told of by the handle that the process had. */
static void tables_of_a_process_that_is_gone_are_told_of_by_its_handle(void **state)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAP_ADDRESSES};
    struct vidmm_device *device;
    struct vidmm_allocation *allocation;
    unsigned records = 0, at = 0;
    HANDLE handle;

    (void)state;
    by_start(BY_GPU);
    allocation = by_create(PAGES * (uint64_t)VIDMM_PAGE_SIZE, 2);
    assert_int_equal(vidmm_device_create(by_rig.adapter, 77, &device, &by_rig.report),
                     STATUS_SUCCESS);
    event.addresses.process = device->owner->id;
    event.addresses.state = VIDMM_ADDRESSES_MAPPED;
    event.addresses.allocation = allocation->id;
    event.addresses.size = PAGES * (uint64_t)VIDMM_PAGE_SIZE;
    assert_int_equal(by_tell(event), STATUS_SUCCESS);
    by_wait();
    handle = device->owner->h_process;
    assert_non_null(handle);
    by_count = 0;
    vidmm_device_destroy(device);
    by_wait();
    for (; (at = by_next(at, DXGK_OPERATION_UPDATE_PAGE_TABLE)) < by_count; at++, records++)
        assert_ptr_equal(by_calls[at].build.UpdatePageTable.hProcess, handle);
    assert_true(records > 0);
    at = 0;
    assert_ptr_equal(by_find(&at, DXGK_OPERATION_FLUSH_TLB)->build.FlushTlb.hProcess, handle);
    assert_int_equal(vidmm_device_create(by_rig.adapter, 78, &device, &by_rig.report),
                     STATUS_SUCCESS); /* what was kept of the other one goes */
    assert_null(by_rig.adapter->gone_processes);
    vidmm_device_destroy(device);
    vidmm_allocation_destroy(allocation);
    by_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(content_goes_in_and_out_by_addresses),
        cmocka_unit_test(tables_of_a_process_that_is_gone_are_told_of_by_its_handle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
