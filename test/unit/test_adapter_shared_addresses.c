/* test_adapter_shared_addresses.c: programs on a GPU that uses the CPU's page tables (IoMmu): the
 * bytes that it finds at an address, in which process and when. The aperture has 256 pages.
 */
#include "test_addressed.h"

#include <vidmm/fence.h>
#include <vidmm/host.h>
#include <vidmm/lock2.h>
#include <vidmm/plan.h>
#include <vidmm/resource.h>

enum { PAGES = 8 };

static struct vidmm_allocation *made(struct program *program, uint32_t index)
{
    create(program, &rig.allocations[index], PAGES);
    return rig.allocations[index].handle;
}

static unsigned char *lock(struct vidmm_allocation *allocation)
{
    void *data = NULL;

    passes(&first, vidmm_lock2(allocation, 0, &data, &rig.report), 0);
    return data;
}

static void unlock(struct vidmm_allocation *allocation)
{
    passes(&first, vidmm_unlock2(allocation, &rig.report), 0);
}

static uint64_t faults(void)
{
    struct softgpu_statistics gpu;

    softgpu_device_statistics(rig.gpu, &gpu);
    return gpu.page_faults;
}

/* The end of a test in which the GPU has met that many page faults. */
static void finish_with_faults(uint64_t expected)
{
    struct softgpu_statistics gpu;

    end_program(&first);
    softgpu_device_statistics(rig.gpu, &gpu);
    assert_int_equal(gpu.page_faults, expected);
    assert_int_equal(gpu.content_mismatches, 0);
    assert_int_equal(gpu.driver_refusals, 0);
    rig_finish(&rig);
}

static void the_gpu_finds_what_the_cpu_wrote_and_the_other_way_round(void **state)
{
    struct rig_allocation *one = &rig.allocations[0];

    (void)state;
    for (int habit = 0; habit < 2; habit++) {
        start(habit ? "mmu io\nhabit immediate\n" : "mmu io\n");
        unsigned char *bytes = lock(made(&first, 0));
        uint64_t address = map(&first, one->handle, 0);

        assert_ptr_equal(bytes, (void *)(uintptr_t)address);
        for (uint32_t page = 0; page < PAGES; page++)
            rig_touch_page(&rig, one, bytes + BYTES(page), page, true);
        make(&first, one->handle);
        touch(&first, one, address, true);
        for (uint32_t page = 0; page < PAGES; page++)
            rig_touch_page(&rig, one, bytes + BYTES(page), page, true);
        assert_int_equal(rig.cpu_mismatches, 0);
        unlock(one->handle);
        touch(&first, one, address, true); /* locked or not */
        assert_ptr_equal(lock(one->handle), bytes);
        unlock(one->handle);
        finish();
    }
}

static void what_is_not_resident_is_a_page_fault(void **state)
{
    struct rig_allocation *one = &rig.allocations[0];
    uint64_t address;

    (void)state;
    start("mmu io\n");
    address = map(&first, made(&first, 0), 0);
    make(&first, one->handle);
    touch(&first, one, address, true);
    evict(&first, one->handle);
    create(&first, &rig.allocations[1], 250); /* the aperture has room for it alone */
    make(&first, rig.allocations[1].handle);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(faults(), 0);
    touch_and_fault(&first, one, address);
    assert_int_equal(faults(), 1);
    assert_int_not_equal(vidmm_device_condition(first.device, &rig.report), STATUS_SUCCESS);
    finish_with_faults(1);
}

static void content_comes_back_with_residency(void **state)
{
    struct rig_allocation *one = &rig.allocations[0], *other = &rig.allocations[1];
    uint64_t address, elsewhere;

    (void)state;
    start("mmu io\n");
    address = map(&first, made(&first, 0), 0);
    create(&first, other, 250);
    elsewhere = map(&first, other->handle, 0);
    for (int round = 0; round < 3; round++) {
        make(&first, one->handle);
        touch(&first, one, address, true);
        evict(&first, one->handle);
        make(&first, other->handle);
        touch(&first, other, elsewhere, true);
        evict(&first, other->handle);
    }
    finish();
}

static void the_addresses_of_another_process_are_a_page_fault(void **state)
{
    struct rig_allocation *one = &rig.allocations[0];
    uint64_t address;

    (void)state;
    start("mmu io\n");
    begin_program(&second, 2);
    address = map(&first, made(&first, 0), 0);
    make(&first, one->handle);
    touch(&first, one, address, true);
    touch_and_fault(&second, one, address);
    assert_int_equal(faults(), 1);
    assert_int_equal(vidmm_device_condition(first.device, &rig.report), STATUS_SUCCESS);
    touch(&first, one, address, true);
    end_program(&second);
    finish_with_faults(1);
}

static void what_is_destroyed_is_a_page_fault(void **state)
{
    struct rig_allocation *one = &rig.allocations[0];
    uint64_t address;

    (void)state;
    start("mmu io\n");
    address = map(&first, made(&first, 0), 0);
    make(&first, one->handle);
    touch(&first, one, address, true);
    vidmm_allocation_destroy(one->handle);
    vidmm_machine_settle(rig.machine);
    touch_and_fault(&first, one, address);
    finish_with_faults(1);
}

/* ---- shared allocations ---------------------------------------------------------------------- */

static struct vidmm_resource *share(struct vidmm_allocation **allocation)
{
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .size = BYTES(PAGES),
        .read_set = APERTURE,
        .write_set = APERTURE,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    const struct vidmm_description description = {
        .private_data = &wish, .private_data_size = sizeof(wish), .vidpn_source = VIDMM_NO_SOURCE};
    const struct vidmm_resource_options options = {.shared = true};
    struct vidmm_resource *resource = NULL;

    passes(&first,
           vidmm_resource_create(first.device, &options, &description, 1, &resource, allocation,
                                 &rig.report),
           0);
    return resource;
}

static struct vidmm_resource *open(struct program *program, const struct vidmm_resource *shared,
                                   struct vidmm_allocation **allocation)
{
    struct vidmm_resource *resource = NULL;

    passes(program,
           vidmm_resource_open(program->device, vidmm_resource_handle(shared), &resource,
                               allocation, 1, &rig.report),
           0);
    return resource;
}

static void processes_find_a_shared_allocation_as_long_as_they_have_it_open(void **state)
{
    struct rig_allocation *one = &rig.allocations[0];
    struct vidmm_allocation *opened = NULL;
    struct vidmm_resource *resource, *opening, *again;
    uint64_t address;

    (void)state;
    for (int before = 0; before < 2; before++) { /* opened before it is resident, and after */
        start("mmu io\n");
        begin_program(&second, 2);
        resource = share(&one->handle);
        one->id = ++rig.next_id;
        one->pages = PAGES;
        opening = before ? open(&second, resource, &opened) : NULL;
        address = map(&first, one->handle, 0);
        make(&first, one->handle);
        touch(&first, one, address, true);
        if (opening == NULL)
            opening = open(&second, resource, &opened);
        assert_true(map(&second, opened, 0) == address);
        touch(&second, one, address, true);
        again = open(&second, resource, &opened);
        vidmm_resource_destroy(opening);
        touch(&second, one, address, true); /* it has it open still */
        vidmm_resource_destroy(again);
        touch(&first, one, address, true);
        touch_and_fault(&second, one, address);
        assert_int_equal(faults(), 1);
        end_program(&second);
        vidmm_resource_destroy(resource);
        one->handle = NULL;
        finish_with_faults(1);
    }
}

/* ---- what has such an address ---------------------------------------------------------------- */

static NTSTATUS try(uint32_t set, uint32_t flags, struct vidmm_allocation **allocation)
{
    NTSTATUS status;

    rig.device = first.device;
    status = rig_create(&rig, &rig.allocations[0], BYTES(PAGES), set, flags);
    *allocation = rig.allocations[0].handle;
    return status;
}

static void nothing_but_system_memory_is_found_by_address(void **state)
{
    const uint32_t physically = 0x8000; /* AccessedPhysically */
    struct vidmm_device *own;
    struct vidmm_allocation *allocation;
    uint64_t address = 5;

    (void)state;
    start("mmu io\n");
    own = rig.device;
    assert_int_equal(try(MEMORY, 0, &allocation), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "an aperture in each"));
    assert_int_equal(try(MEMORY | APERTURE, 0, &allocation), STATUS_SUCCESS);
    map(&first, allocation, 0);
    make(&first, allocation);
    touch(&first, &rig.allocations[0], map(&first, allocation, 0), true);
    assert_int_equal(try(APERTURE, physically, &allocation), STATUS_SUCCESS);
    make(&first, allocation); /* by both */
    touch(&first, &rig.allocations[0], map(&first, allocation, 0), true);
    assert_int_equal(try(MEMORY, physically, &allocation), STATUS_SUCCESS);
    make(&first, allocation);
    assert_int_equal(vidmm_shared_address(allocation, &address, &rig.report),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_shared_address(NULL, &address, &rig.report), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_shared_address(allocation, NULL, &rig.report), STATUS_INVALID_PARAMETER);
    assert_int_equal(address, 5);
    rig.device = own;
    finish();
    start("");
    create(&first, &rig.allocations[0], PAGES);
    assert_int_equal(vidmm_shared_address(rig.allocations[0].handle, &address, &rig.report),
                     STATUS_NOT_SUPPORTED);
    assert_non_null(strstr(rig.report.text, "IoMmuSupported"));
    assert_int_equal(address, 5);
    finish();
}

/* Accessed physically or not, it stays in system memory, and at its address. */
static void other_properties_leave_it_where_it_is_found(void **state)
{
    struct vidmm_property property = {.mask = VIDMM_PROPERTY_SEGMENTS,
                                      .segments = APERTURE | MEMORY};
    struct rig_allocation *one = &rig.allocations[0];
    struct vidmm_residency_result result = {0};
    uint64_t address;

    (void)state;
    start("wddm 2.6\nmmu io\n");
    address = map(&first, made(&first, 0), 0);
    make(&first, one->handle);
    touch(&first, one, address, true);
    assert_int_equal(
        vidmm_update_property(first.queue, one->handle, &property, &result, &rig.report),
        STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "D-268"));
    for (uint32_t physical = 2; physical-- > 0;) {
        property = (struct vidmm_property){.mask = VIDMM_PROPERTY_PHYSICAL, .physical = physical};
        passes(&first,
               vidmm_update_property(first.queue, one->handle, &property, &result, &rig.report),
               result.value);
        make(&first, one->handle);
        touch(&first, one, address, true);
    }
    finish();
}

static void there_are_no_addresses_to_ask_for(void **state)
{
    struct vidmm_allocation *allocation;
    uint64_t address = 0, value = 0;

    (void)state;
    start("mmu io\n");
    allocation = made(&first, 0);
    assert_int_equal(ask_to_map(&first, allocation, AT, 0, BYTES(PAGES), &address, &value),
                     STATUS_NOT_SUPPORTED);
    assert_int_equal(vidmm_free_addresses(first.device, AT, BYTES(16), &rig.report),
                     STATUS_NOT_SUPPORTED);
    finish();
}

/* An address that a program unlocks stays, also if it has one on demand. */
static void an_address_on_demand_stays(void **state)
{
    const uint32_t on_demand = 0x40000; /* CpuVisibleOnDemand */
    struct vidmm_device *own;
    struct vidmm_allocation *allocation;
    unsigned char *bytes;

    (void)state;
    start("mmu io\n");
    own = rig.device;
    assert_int_equal(try(APERTURE, on_demand, &allocation), STATUS_SUCCESS);
    rig.device = own;
    bytes = lock(allocation);
    unlock(allocation);
    make(&first, allocation);
    touch(&first, &rig.allocations[0], (uint64_t)(uintptr_t)bytes, true);
    assert_ptr_equal(lock(allocation), bytes);
    unlock(allocation);
    finish();
}

/* ---- fences ---------------------------------------------------------------------------------- */

static void signal_by_gpu(struct program *program, uint64_t address, uint64_t value)
{
    struct softgpu_virtual_signal *words = (void *)program->bytes;

    *words = (struct softgpu_virtual_signal){
        .command = {.opcode = SOFTGPU_VIRTUAL_SIGNAL, .size = sizeof(*words)},
        .gpuva = address,
        .value = value};
    passes(program, submit(program, sizeof(*words)), 0);
    vidmm_context_wait(program->context, program->value);
}

static void the_gpu_signals_a_fence_at_the_address_of_the_cpu(void **state)
{
    struct vidmm_fence *fence = NULL;
    const volatile uint64_t *value;
    uint64_t address = 0;

    (void)state;
    start("mmu io\n");
    passes(&first, vidmm_fence_create(first.device, 3, 0, &fence, &rig.report), 0);
    value = vidmm_fence_address(fence);
    assert_int_equal(*value, 3);
    signal_by_gpu(&first, (uint64_t)(uintptr_t)value, 8);
    assert_int_equal(*value, 8);
    passes(&first,
           vidmm_fence_wait(first.device, &(struct vidmm_fence_point){fence, 8}, 1, false,
                            &rig.report),
           0);
    passes(&first, vidmm_fence_gpu_address(fence, first.device, &address, &rig.report), 0);
    assert_int_equal(address, (uint64_t)(uintptr_t)value);
    *(volatile uint64_t *)(uintptr_t)address = 8; /* to read and write */
    vidmm_fence_destroy(fence);
    finish();
}

static void another_process_reaches_a_fence_if_it_is_shared(void **state)
{
    struct vidmm_fence *own = NULL, *shared = NULL;
    uint64_t address = 0;

    (void)state;
    start("mmu io\n");
    begin_program(&second, 2);
    passes(&first, vidmm_fence_create(first.device, 0, 0, &own, &rig.report), 0);
    passes(&first, vidmm_fence_create(first.device, 0, VIDMM_FENCE_SHARED, &shared, &rig.report),
           0);
    passes(&second, vidmm_fence_gpu_address(shared, second.device, &address, &rig.report), 0);
    signal_by_gpu(&second, address, 4);
    assert_int_equal(*vidmm_fence_address(shared), 4);
    assert_int_equal(faults(), 0);
    signal_by_gpu(&second, (uint64_t)(uintptr_t)vidmm_fence_address(own), 4);
    assert_int_equal(faults(), 1);
    assert_int_equal(*vidmm_fence_address(own), 0);
    vidmm_fence_destroy(own);
    vidmm_fence_destroy(shared);
    end_program(&second);
    finish_with_faults(1);
}

/* ---- want of memory -------------------------------------------------------------------------- */

static void a_machine_without_an_iommu_starts_no_such_driver(void **state)
{
    struct vidmm_host host;

    (void)state;
    build("mmu io\n");
    host = *vidmm_slot_host(rig.slot);
    host.open_space = NULL;
    rig.host = &host;
    assert_int_equal(rig_start(&rig), STATUS_NOT_SUPPORTED);
    assert_non_null(strstr(rig.report.text, "IOMMU"));
    rig.host = NULL;
    begin();
    finish();
}

static struct vidmm_host bent;
static uint64_t reservations_left;

static uint64_t reserved; /* and not released */

static bool reserve_some(void *context, uint32_t pasid, uint64_t address, uint64_t count)
{
    if (reservations_left == 0)
        return false;
    reservations_left--;
    reserved++;
    return vidmm_slot_host(rig.slot)->reserve_space(context, pasid, address, count);
}

static void release_one(void *context, uint32_t pasid, uint64_t address)
{
    assert_int_not_equal(reserved, 0);
    reserved--;
    vidmm_slot_host(rig.slot)->release_space(context, pasid, address);
}

static bool open_none(void *context, uint32_t *pasid)
{
    (void)context;
    (void)pasid;
    return false;
}

static void without_memory_for_addresses_nothing_has_changed(void **state)
{
    struct vidmm_fence *fence = NULL;
    struct vidmm_device *device = NULL, *own;
    struct vidmm_allocation *allocation;

    (void)state;
    build("mmu io\n");
    bent = *vidmm_slot_host(rig.slot);
    bent.reserve_space = reserve_some;
    bent.release_space = release_one;
    reservations_left = 100;
    reserved = 0;
    rig.host = &bent;
    begin();
    own = rig.device;
    reservations_left = 0;
    assert_int_equal(try(APERTURE, 0, &allocation), STATUS_NO_MEMORY);
    assert_int_equal(vidmm_fence_create(first.device, 0, VIDMM_FENCE_SHARED, &fence, &rig.report),
                     STATUS_NO_MEMORY);
    reservations_left = 1;
    passes(&first, vidmm_fence_create(first.device, 0, VIDMM_FENCE_SHARED, &fence, &rig.report), 0);
    signal_by_gpu(&first, (uint64_t)(uintptr_t)vidmm_fence_address(fence), 4);
    vidmm_fence_destroy(fence);
    bent.open_space = open_none;
    assert_int_equal(vidmm_device_create(rig.adapter, 9, &device, &rig.report), STATUS_NO_MEMORY);
    assert_non_null(strstr(rig.report.text, "PASID"));
    bent.open_space = vidmm_slot_host(rig.slot)->open_space;
    reservations_left = 100;
    assert_int_equal(try(APERTURE, 0, &allocation), STATUS_SUCCESS);
    rig.device = own;
    make(&first, allocation);
    touch(&first, &rig.allocations[0], map(&first, allocation, 0), true);
    assert_true(reserved > 4); /* paging buffers, commands, the allocation, fences */
    finish();
    assert_int_equal(reserved, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gpu_finds_what_the_cpu_wrote_and_the_other_way_round),
        cmocka_unit_test(what_is_not_resident_is_a_page_fault),
        cmocka_unit_test(content_comes_back_with_residency),
        cmocka_unit_test(the_addresses_of_another_process_are_a_page_fault),
        cmocka_unit_test(what_is_destroyed_is_a_page_fault),
        cmocka_unit_test(processes_find_a_shared_allocation_as_long_as_they_have_it_open),
        cmocka_unit_test(nothing_but_system_memory_is_found_by_address),
        cmocka_unit_test(other_properties_leave_it_where_it_is_found),
        cmocka_unit_test(there_are_no_addresses_to_ask_for),
        cmocka_unit_test(an_address_on_demand_stays),
        cmocka_unit_test(the_gpu_signals_a_fence_at_the_address_of_the_cpu),
        cmocka_unit_test(another_process_reaches_a_fence_if_it_is_shared),
        cmocka_unit_test(a_machine_without_an_iommu_starts_no_such_driver),
        cmocka_unit_test(without_memory_for_addresses_nothing_has_changed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
