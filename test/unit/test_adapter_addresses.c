/* test_adapter_addresses.c: programs on drivers with a GPU MMU. Their commands are in memory of
 * their own that the GPU finds by an address, and name addresses; the GPU checks contents.
 */
#include "test_addressed.h"

enum { PAGES = 32 };

/* ---- memory ---------------------------------------------------------------------------------- */

/* All of the memory cannot be resident where some of it has page tables. */
static void memory_of_page_tables_is_no_room_for_a_list(void **state)
{
    struct vidmm_residency_result result;
    NTSTATUS status = STATUS_SUCCESS;

    (void)state;
    start("");
    for (uint32_t index = 0; index < 4; index++) {
        create(&first, &rig.allocations[index], 64);
        map(&first, rig.allocations[index].handle, 0);
    }
    for (uint32_t index = 0; index < 3; index++)
        make(&first, rig.allocations[index].handle);
    status =
        vidmm_make_resident(first.queue, &rig.allocations[3].handle, 1, 0, &result, &rig.report);
    assert_int_equal(status, STATUS_NO_MEMORY);
    assert_in_range(result.bytes_to_trim, VIDMM_PAGE_SIZE, BYTES(64));
    evict(&first, rig.allocations[0].handle);
    make(&first, rig.allocations[3].handle);
    finish();
}

/* One program maps memory for the first time, while the n-th request for pages fails. Answers
 * whether it was refused; then it asks again. */
static bool map_without_a_page(const char *gpu, uint64_t n)
{
    uint64_t address = 0, value = 0, pages;
    NTSTATUS status;

    start(gpu);
    create(&first, &rig.allocations[0], PAGES);
    make(&first, rig.allocations[0].handle);
    pages = vidmm_machine_counts(rig.machine).pages;
    vidmm_machine_fail_pages(rig.machine, n);
    status = ask_to_map(&first, rig.allocations[0].handle, UINT64_C(1) << 41, 0, BYTES(PAGES),
                        &address, &value);
    if (status == STATUS_NO_MEMORY) {
        assert_true(vidmm_machine_counts(rig.machine).pages < pages + 4);
        assert_non_null(strstr(rig.report.text, "no page for a page table"));
    }
    vidmm_machine_fail_pages(rig.machine, 0);
    if (status == STATUS_NO_MEMORY)
        map(&first, rig.allocations[0].handle, UINT64_C(1) << 41);
    else
        passes(&first, status, value);
    touch(&first, &rig.allocations[0], UINT64_C(1) << 41, true);
    touch(&first, &rig.allocations[0], UINT64_C(1) << 41, false);
    finish();
    return status == STATUS_NO_MEMORY;
}

/* A table in system memory has its page before the program is told that it has the addresses. */
static void a_page_that_a_table_lacks_is_a_refusal(void **state)
{
    static const char *const gpus[] = {"page_table_update cpu_virtual\npage_table_segment 0\n",
                                       "page_table_segment 0\n"};

    (void)state;
    for (size_t index = 0; index < sizeof(gpus) / sizeof(gpus[0]); index++) {
        uint64_t n = 1;

        while (map_without_a_page(gpus[index], n))
            n++;
        assert_int_equal(n, 4); /* three levels below the root have no table there yet */
    }
}

/* A process whose root has no page has no device. */
static void a_page_that_a_root_lacks_is_a_refusal(void **state)
{
    struct vidmm_device *device = NULL;

    (void)state;
    start("page_table_update cpu_virtual\npage_table_segment 0\n");
    vidmm_machine_fail_pages(rig.machine, 1);
    assert_int_equal(vidmm_device_create(rig.adapter, 2, &device, &rig.report), STATUS_NO_MEMORY);
    assert_null(device);
    begin_program(&second, 2);
    end_program(&second);
    finish();
}

/* A program gives back the pages of its tables. */
static void pages_of_tables_go_back_with_their_tables(void **state)
{
    uint64_t pages, address;

    (void)state;
    start("page_table_update cpu_virtual\npage_table_segment 0\n");
    create(&first, &rig.allocations[0], PAGES);
    make(&first, rig.allocations[0].handle);
    address = map(&first, rig.allocations[0].handle, 0);
    pages = vidmm_machine_counts(rig.machine).pages;
    for (uint32_t round = 0; round < 3; round++) {
        begin_program(&second, 2 + round);
        create(&second, &rig.allocations[1], PAGES);
        for (uint64_t at = 1; at < 40; at++)
            map(&second, rig.allocations[1].handle, at << 30);
        assert_true(vidmm_machine_counts(rig.machine).pages >= pages + 40);
        end_program(&second);
        touch(&first, &rig.allocations[0], address, false);
        vidmm_machine_settle(rig.machine);
        assert_in_range(vidmm_machine_counts(rig.machine).pages, pages, pages + 2);
    }
    finish();
}

/* ---- programs -------------------------------------------------------------------------------- */

/* Twice the memory, each at an address of its own, resident in turn. */
static void use_in_turn(const char *gpu, uint32_t pages)
{
    uint32_t count = pages > 100 ? 3 : 12;
    uint64_t addresses[12];

    start(gpu);
    for (uint32_t index = 0; index < count; index++) {
        create(&first, &rig.allocations[index], pages);
        addresses[index] = map(&first, rig.allocations[index].handle, 0);
    }
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t index = 0; index < count; index++) {
            make(&first, rig.allocations[index].handle);
            touch(&first, &rig.allocations[index], addresses[index], round < 2);
            evict(&first, rig.allocations[index].handle);
        }
    }
    assert_int_equal(rig.allocations[2].generation, 2);
    finish();
}

static void what_is_written_at_an_address_is_found_there_again(void **state)
{
    static const char *const gpus[] = {
        "wddm 2.0\n", "wddm 2.9\n",        "wddm 3.0\n",
        "wddm 3.2\n", "habit immediate\n", "page_table_update cpu_virtual\npage_table_segment 0\n",
        "levels 2\n", "levels 6\n"};

    (void)state;
    for (size_t index = 0; index < sizeof(gpus) / sizeof(gpus[0]); index++)
        use_in_turn(gpus[index], 40);
}

/* The tables are walked by the GPU: what it finds by a page of any size is what it wrote. */
static void pages_of_every_size_lead_to_their_bytes(void **state)
{
    static const char memory[] = "segment 2 memory 4M cpuvisible\n";
    static const char *const sizes[] = {
        "pages_64k single\n",
        "pages_64k dual\n",
        "pages_64k dual\npage_table_update gpu_virtual\n",
        "pages_64k dual\nzero_pte off\nlarge_pages on\n",
        "large_pages on\n",
        "large_pages on\npages_64k single\n",
        "large_pages on\npages_64k single\nidle_updates on\nzero_pte off\n",
        "large_pages on\npages_64k single\nunaligned_large on\n"};

    (void)state;
    for (size_t index = 0; index < sizeof(sizes) / sizeof(sizes[0]); index++)
        for (uint32_t pages = 560; pages <= 561; pages++) {
            char gpu[200];

            snprintf(gpu, sizeof(gpu), "%s%s", memory, sizes[index]);
            use_in_turn(gpu, pages);
        }
}

/* Whether something that stays resident has to move, so that a new one finds a place. */
static bool moves_for_a_hole(bool contiguous)
{
    enum { THIRD = 70, NEW = 100 };
    struct vidmm_statistics before, after;

    build("");
    rig.options.adapter.contiguous = contiguous;
    begin();
    for (uint32_t index = 0; index < 3; index++) {
        create(&first, &rig.allocations[index], THIRD);
        make(&first, rig.allocations[index].handle);
    }
    evict(&first, rig.allocations[0].handle);
    evict(&first, rig.allocations[2].handle);
    vidmm_adapter_statistics(rig.adapter, &before);
    create(&first, &rig.allocations[3], NEW);
    make(&first, rig.allocations[3].handle);
    vidmm_adapter_statistics(rig.adapter, &after);
    finish();
    return after.page_ins > before.page_ins + 1;
}

static void an_allocation_lies_in_runs_of_pages_unless_that_is_switched_off(void **state)
{
    (void)state;
    assert_false(moves_for_a_hole(false));
    assert_true(moves_for_a_hole(true));
}

/* Make an allocation resident, above the budget of the program. */
static void make_above(struct vidmm_allocation *allocation)
{
    struct vidmm_residency_result result;
    NTSTATUS status = vidmm_make_resident(
        first.queue, &allocation, 1, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER, &result, &rig.report);

    passes(&first, status, result.value);
}

/* More than memory holds is resident at once: some in system memory, and whatever leaves makes
 * room for others to come back. Each is mapped `apart` bytes further behind a multiple of 8 MiB. */
static void use_at_once(const char *gpu, uint32_t pages, uint64_t apart)
{
    enum { COUNT = 4 };
    uint64_t addresses[COUNT];
    struct vidmm_statistics statistics;

    in_either = true;
    start(gpu);
    for (uint32_t index = 0; index < COUNT; index++) {
        create(&first, &rig.allocations[index], pages);
        addresses[index] = map(&first, rig.allocations[index].handle,
                               2 * AT + ((uint64_t)index << 23) + index * apart);
        make_above(rig.allocations[index].handle);
    }
    for (uint32_t round = 0; round < 3 * COUNT; round++) {
        struct vidmm_allocation *leaver = rig.allocations[round % COUNT].handle;

        for (uint32_t index = 0; index < COUNT; index++)
            touch(&first, &rig.allocations[index], addresses[index], true);
        evict(&first, leaver);
        for (uint32_t index = 0; index < COUNT; index++)
            if (index != round % COUNT)
                touch(&first, &rig.allocations[index], addresses[index], false);
        make_above(leaver);
    }
    vidmm_adapter_statistics(rig.adapter, &statistics);
    assert_true(statistics.promotions > 1 && statistics.demotions > 1);
    finish();
    in_either = false;
}

/* Pages of system memory, which an aperture shows, lie in units that the GPU maps by one entry. */
static void larger_pages_of_system_memory_lead_to_their_bytes(void **state)
{
#define SYSTEM_GPU "wddm 3.1\nsegment 1 aperture 24M\nsegment 2 memory 6M cpuvisible\n"
    static const char *const gpus[] = {
        SYSTEM_GPU "pages_64k single\nsystem_64k on\n",
        SYSTEM_GPU "pages_64k dual\nsystem_64k on\nhabit immediate\n",
        SYSTEM_GPU "large_pages on\nsystem_large on\n",
        SYSTEM_GPU "large_pages on\nsystem_large on\npages_64k single\nunaligned_large on\n",
        SYSTEM_GPU "large_pages on\nsystem_large on\npages_64k dual\nsystem_64k on\n",
        SYSTEM_GPU "large_pages on\npages_64k dual\nsystem_64k on\nzero_pte off\n"};

    (void)state;
    for (size_t index = 0; index < sizeof(gpus) / sizeof(gpus[0]); index++)
        for (uint64_t apart = 0; apart <= 0x10000; apart += 0x10000)
            use_at_once(gpus[index], apart ? 1100 : 561, apart);
}

/* CachedPageTables: the GPU finds what the CPU's caches have of a table, where they are apart. */
static void tables_in_the_caches_are_found(void **state)
{
#define CACHED_GPU "wddm 3.1\npage_table_segment 0\npaging_table_segment 0\ncached_tables on\n"
    static const char *const gpus[] = {CACHED_GPU "page_table_update cpu_virtual\n",
                                       CACHED_GPU
                                       "page_table_update cpu_virtual\npages_64k single\n",
                                       CACHED_GPU "page_table_update gpu_virtual\n", CACHED_GPU};

    (void)state;
    apart_caches = true;
    for (size_t index = 0; index < sizeof(gpus) / sizeof(gpus[0]); index++)
        use_in_turn(gpus[index], 40);
    apart_caches = false;
}

/* Both programs have more tables than memory holds: those of the one that does not run leave, and
 * the GPU finds everything when it runs again. */
static void programs_take_turns_with_their_page_tables(void **state)
{
    static const char *const gpus[] = {"", "habit immediate\n", "page_table_update gpu_virtual\n"};
    const uint64_t start_at = UINT64_C(1) << 40, apart = UINT64_C(1) << 21;

    (void)state;
    for (size_t index = 0; index < sizeof(gpus) / sizeof(gpus[0]); index++) {
        struct vidmm_statistics statistics;

        start(gpus[index]);
        begin_program(&second, 2);
        for (uint32_t one = 0; one < 2; one++) {
            struct program *program = one == 0 ? &first : &second;

            create(program, &rig.allocations[one], PAGES);
            make(program, rig.allocations[one].handle);
            for (uint64_t leaf = 0; leaf < 120; leaf++)
                map(program, rig.allocations[one].handle, start_at + leaf * apart);
        }
        for (uint64_t round = 0; round < 6; round++) {
            touch(&first, &rig.allocations[0], start_at + round * apart, true);
            touch(&second, &rig.allocations[1], start_at + 15 * round * apart, true);
        }
        vidmm_adapter_statistics(rig.adapter, &statistics);
        assert_true(statistics.table_evictions > 10);
        end_program(&second);
        touch(&first, &rig.allocations[0], start_at, false);
        finish();
    }
}

static void processes_have_addresses_of_their_own(void **state)
{
    (void)state;
    start("");
    begin_program(&second, 2);
    create(&first, &rig.allocations[0], PAGES);
    create(&second, &rig.allocations[1], PAGES);
    assert_true(map(&first, rig.allocations[0].handle, AT) == AT);
    assert_true(map(&second, rig.allocations[1].handle, AT) == AT);
    make(&first, rig.allocations[0].handle);
    make(&second, rig.allocations[1].handle);
    for (uint32_t round = 0; round < 3; round++) {
        touch(&first, &rig.allocations[0], AT, true);
        touch(&second, &rig.allocations[1], AT, true);
    }
    end_program(&second);
    touch(&first, &rig.allocations[0], AT, false);
    finish();
}

static void an_allocation_may_have_several_addresses(void **state)
{
    uint64_t one, other;

    (void)state;
    start("");
    create(&first, &rig.allocations[0], PAGES);
    make(&first, rig.allocations[0].handle);
    one = map(&first, rig.allocations[0].handle, 0);
    other = map(&first, rig.allocations[0].handle, 0);
    assert_true(one != other);
    touch(&first, &rig.allocations[0], one, true);
    touch(&first, &rig.allocations[0], other, true);
    touch(&first, &rig.allocations[0], one, false);
    finish();
}

static void the_first_address_is_64_kib(void **state)
{
    (void)state;
    start("");
    assert_true(first.address == 0x10000);
    finish();
}

static void a_mapping_answers_a_value_of_the_queue(void **state)
{
    uint64_t address = 0, value = 0, before;

    (void)state;
    start("");
    create(&first, &rig.allocations[0], PAGES);
    before = vidmm_paging_queue_passed(first.queue);
    assert_int_equal(
        ask_to_map(&first, rig.allocations[0].handle, 0, 0, BYTES(PAGES), &address, &value),
        STATUS_PENDING);
    assert_true(value == before + 1);
    assert_int_equal(vidmm_paging_queue_wait(first.queue, value, &rig.report), STATUS_SUCCESS);
    finish();
}

/* ---- reservations ---------------------------------------------------------------------------- */

static void parts_of_a_reservation_mean_what_updates_say(void **state)
{
    uint64_t value;

    (void)state;
    start("");
    create(&first, &rig.allocations[0], PAGES);
    make(&first, rig.allocations[0].handle);
    assert_true(reserve(AT, BYTES(4 * PAGES), VIDMM_ADDRESSES_ZERO) == AT);
    assert_int_equal(update(AT + BYTES(PAGES), BYTES(PAGES), VIDMM_ADDRESSES_MAPPED,
                            rig.allocations[0].handle, 0),
                     STATUS_SUCCESS);
    touch(&first, &rig.allocations[0], AT + BYTES(PAGES), true);
    assert_int_equal(vidmm_copy_addresses(first.queue, AT + BYTES(3 * PAGES), BYTES(PAGES),
                                          AT + BYTES(PAGES), &value, &rig.report),
                     STATUS_PENDING);
    touch(&first, &rig.allocations[0], AT + BYTES(3 * PAGES), true);
    assert_int_equal(update(AT + BYTES(PAGES), BYTES(PAGES), VIDMM_ADDRESSES_NO_ACCESS, NULL, 0),
                     STATUS_SUCCESS);
    touch(&first, &rig.allocations[0], AT + BYTES(3 * PAGES), false);
    assert_int_equal(vidmm_free_addresses(first.device, AT, BYTES(4 * PAGES), &rig.report),
                     STATUS_SUCCESS);
    assert_true(map(&first, rig.allocations[0].handle, AT) == AT);
    touch(&first, &rig.allocations[0], AT, false);
    finish();
}

/* D-184 */
static void a_destroyed_allocation_gives_its_addresses_back(void **state)
{
    (void)state;
    start("");
    create(&first, &rig.allocations[0], PAGES);
    create(&first, &rig.allocations[1], PAGES);
    make(&first, rig.allocations[1].handle);
    assert_true(map(&first, rig.allocations[0].handle, AT) == AT);
    vidmm_allocation_destroy(rig.allocations[0].handle);
    assert_true(map(&first, rig.allocations[1].handle, AT) == AT);
    touch(&first, &rig.allocations[1], AT, true);
    finish();
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void refused(NTSTATUS status, NTSTATUS expected, const char *words)
{
    if (status != expected || strstr(rig.report.text, words) == NULL)
        fail_msg("0x%08x, not 0x%08x: \"%s\" lacks \"%s\"", (unsigned)status, (unsigned)expected,
                 rig.report.text, words);
    rig.report.text[0] = '\0';
}

static NTSTATUS try_map(struct vidmm_allocation *allocation, uint64_t base, uint64_t offset,
                        uint64_t size)
{
    uint64_t address, value;

    return ask_to_map(&first, allocation, base, offset, size, &address, &value);
}

static NTSTATUS try_reserve(uint64_t base, uint64_t size, uint32_t state)
{
    const struct vidmm_address_request request = {.base = base, .size = size};
    uint64_t address;

    return vidmm_reserve_addresses(first.device, NULL, &request, state, 0, &address, NULL,
                                   &rig.report);
}

static void ranges_are_of_whole_pages_and_in_the_allocation(void **state)
{
    struct vidmm_allocation *one;
    uint64_t passed;

    (void)state;
    start("");
    create(&first, &rig.allocations[0], PAGES);
    one = rig.allocations[0].handle;
    passed = vidmm_paging_queue_passed(first.queue);
    refused(try_map(one, AT + 1, 0, 4096), STATUS_INVALID_PARAMETER, "base is 67108865");
    refused(try_map(one, AT, 1, 4096), STATUS_INVALID_PARAMETER, "offset is 1");
    refused(try_map(one, AT, 0, 4095), STATUS_INVALID_PARAMETER, "size is 4095");
    refused(try_map(one, AT, 0, 0), STATUS_INVALID_PARAMETER, "size is 0");
    refused(try_map(one, AT, 4096, BYTES(PAGES)), STATUS_INVALID_PARAMETER, "offset is 4096");
    refused(try_map(NULL, AT, 0, 4096), STATUS_INVALID_PARAMETER, "D-217");
    refused(try_reserve(0, 4096, 1), STATUS_INVALID_PARAMETER, "whole 64 KiB");
    refused(try_reserve(4096, 0x10000, 1), STATUS_INVALID_PARAMETER, "base is 4096");
    refused(try_reserve(0, 0x10000, 0), STATUS_INVALID_PARAMETER, "state is 0");
    refused(try_reserve(0, 0x10000, 4), STATUS_INVALID_PARAMETER, "state is 4");
    assert_true(vidmm_paging_queue_passed(first.queue) == passed);
    assert_true(map(&first, one, AT) == AT); /* nothing has taken it */
    finish();
}

static void what_is_mapped_is_not_free(void **state)
{
    (void)state;
    start("");
    create(&first, &rig.allocations[0], PAGES);
    map(&first, rig.allocations[0].handle, AT);
    refused(try_reserve(AT, 0x10000, 1), STATUS_INVALID_PARAMETER, "base is");
    refused(update(AT, 4096, VIDMM_ADDRESSES_ZERO, NULL, 0), STATUS_INVALID_PARAMETER, "D-222");
    refused(vidmm_free_addresses(first.device, AT + BYTES(PAGES), 4096, &rig.report),
            STATUS_INVALID_PARAMETER, "D-220");
    refused(vidmm_free_addresses(first.device, AT, 1, &rig.report), STATUS_INVALID_PARAMETER,
            "size is 1");
    assert_int_equal(vidmm_free_addresses(first.device, AT, BYTES(PAGES), &rig.report), 0);
    assert_int_equal(try_reserve(AT, BYTES(PAGES), 1), STATUS_SUCCESS); /* without a queue */
    finish();
}

static void commands_need_a_length_and_room_for_private_data(void **state)
{
    static const char much[1 << 16];
    struct vidmm_command command = {.address = 0x10000};
    struct vidmm_allocation *primaries[17] = {NULL};
    uint64_t value = 7;

    (void)state;
    start("");
    refused(vidmm_submit_command(first.context, &command, true, &value, &rig.report),
            STATUS_INVALID_PARAMETER, "length is 0");
    command.length = 16;
    command.private_data = much;
    command.private_data_size = sizeof(much);
    refused(vidmm_submit_command(first.context, &command, true, &value, &rig.report),
            STATUS_INVALID_PARAMETER, "D-091");
    command.private_data_size = 0;
    command.written_primaries = primaries;
    command.written_primary_count = 17;
    refused(vidmm_submit_command(first.context, &command, true, &value, &rig.report),
            STATUS_INVALID_PARAMETER, "written_primary_count is 17");
    command.written_primary_count = 1;
    refused(vidmm_submit_command(first.context, &command, true, &value, &rig.report),
            STATUS_INVALID_PARAMETER, "index of a written primary is 0");
    create(&first, &rig.allocations[0], PAGES);
    primaries[0] = rig.allocations[0].handle;
    refused(vidmm_submit_command(first.context, &command, true, &value, &rig.report),
            STATUS_INVALID_PARAMETER, "D-093");
    assert_int_equal(value, 7);
    assert_int_equal(vidmm_device_condition(first.device, &rig.report), STATUS_SUCCESS);
    finish();
}

static void without_page_tables_there_are_no_addresses(void **state)
{
    const struct vidmm_address_request request = {.size = 0x10000};
    const struct vidmm_command command = {.address = 0x10000, .length = 16};
    struct rig_options options = rig_defaults();
    uint64_t address, value;

    (void)state;
    options.gpu = "wddm 2.6\n";
    rig_init(&rig, &options);
    refused(vidmm_reserve_addresses(rig.device, NULL, &request, 1, 0, &address, NULL, &rig.report),
            STATUS_NOT_SUPPORTED, "GpuMmuSupported");
    refused(vidmm_free_addresses(rig.device, 0x10000, 4096, &rig.report), STATUS_NOT_SUPPORTED,
            "GpuMmuSupported");
    refused(vidmm_submit_command(rig.context, &command, true, &value, &rig.report),
            STATUS_NOT_SUPPORTED, "VirtualAddressingSupported");
    rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_page_tables_is_no_room_for_a_list),
        cmocka_unit_test(a_page_that_a_table_lacks_is_a_refusal),
        cmocka_unit_test(a_page_that_a_root_lacks_is_a_refusal),
        cmocka_unit_test(pages_of_tables_go_back_with_their_tables),
        cmocka_unit_test(the_first_address_is_64_kib),
        cmocka_unit_test(a_mapping_answers_a_value_of_the_queue),
        cmocka_unit_test(an_allocation_may_have_several_addresses),
        cmocka_unit_test(what_is_written_at_an_address_is_found_there_again),
        cmocka_unit_test(pages_of_every_size_lead_to_their_bytes),
        cmocka_unit_test(an_allocation_lies_in_runs_of_pages_unless_that_is_switched_off),
        cmocka_unit_test(larger_pages_of_system_memory_lead_to_their_bytes),
        cmocka_unit_test(tables_in_the_caches_are_found),
        cmocka_unit_test(programs_take_turns_with_their_page_tables),
        cmocka_unit_test(processes_have_addresses_of_their_own),
        cmocka_unit_test(parts_of_a_reservation_mean_what_updates_say),
        cmocka_unit_test(a_destroyed_allocation_gives_its_addresses_back),
        cmocka_unit_test(ranges_are_of_whole_pages_and_in_the_allocation),
        cmocka_unit_test(what_is_mapped_is_not_free),
        cmocka_unit_test(commands_need_a_length_and_room_for_private_data),
        cmocka_unit_test(without_page_tables_there_are_no_addresses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
