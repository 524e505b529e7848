/* test_adapter_remapping.c: memory is remapped for a GPU that does not reach it, or is not. */
#include "test_adapter_rig.h"

#include <vidmm/host.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/backing.h"

#define REMAPPED                                                                                   \
    "segment 1 aperture 4M\nsegment 2 memory 4M cpuvisible\nwddm 2.9\nmmu gpu\nisolation on\n"     \
    "map_aperture2 on\nprivate_data 4K\nremapping on\n"

#define CPU_VISIBLE 0x1u
#define EXISTING 0x10u
#define MAP_APERTURE_CPU_VISIBLE 0x2000u
#define ACCESSED_PHYSICALLY 0x8000u

static struct rig rig;
static struct vidmm_host host; /* the slot's, with members changed */

static struct answers {
    DRIVER_INITIALIZATION_DATA driver;
    unsigned attached, begun;
    bool attached_before; /* ... the device was started */
    bool without_list;    /* no MapAperture2Supported */
    bool without_remapping;
    uint64_t reach; /* HighestVisibleAddress; 0: the driver's own */
} answers;

static bool attach(void *context, const struct vidmm_host *owner)
{
    const struct vidmm_host *slot = vidmm_slot_host(rig.slot);

    answers.attached += owner != NULL;
    return slot->attach_domain(context, owner != NULL ? slot : NULL);
}

static NTSTATUS start_device(PVOID adapter, DXGK_START_INFO *info, DXGKRNL_INTERFACE *callbacks,
                             PULONG sources, PULONG children)
{
    answers.attached_before = answers.attached > 0;
    return answers.driver.DxgkDdiStartDevice(adapter, info, callbacks, sources, children);
}

static NTSTATUS begin_access(HANDLE adapter, DXGKARG_BEGINEXCLUSIVEACCESS *arguments)
{
    answers.begun++;
    return answers.driver.DxgkDdiBeginExclusiveAccess(adapter, arguments);
}

static NTSTATUS query(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *question)
{
    NTSTATUS status = answers.driver.DxgkDdiQueryAdapterInfo(adapter, question);
    DXGK_PHYSICAL_MEMORY_CAPS *reach = question->pOutputData;
    DXGK_DRIVERCAPS *caps = question->pOutputData;
    DXGK_IOMMU_CAPS *iommu = question->pOutputData;

    if (question->Type == DXGKQAITYPE_PHYSICAL_MEMORY_CAPS && answers.reach != 0)
        reach->HighestVisibleAddress.QuadPart = (LONGLONG)answers.reach;
    if (question->Type == DXGKQAITYPE_IOMMU_CAPS && answers.without_remapping)
        iommu->DmaRemappingSupported = 0;
    if (question->Type == DXGKQAITYPE_DRIVERCAPS && answers.without_list)
        caps->MemoryManagementCaps.MapAperture2Supported = 0;
    return status;
}

static void build_of(struct answers wanted, uint32_t links)
{
    struct rig_options options = rig_defaults();

    options.gpu = REMAPPED;
    options.links = links;
    rig_build(&rig, &options);
    answers = wanted;
    answers.driver = rig.driver;
    rig.driver.DxgkDdiQueryAdapterInfo = query;
    rig.driver.DxgkDdiStartDevice = start_device;
    rig.driver.DxgkDdiBeginExclusiveAccess = begin_access;
    host = *vidmm_slot_host(rig.slot);
    host.attach_domain = attach;
    rig.host = &host;
}

static void start_of(struct answers wanted)
{
    build_of(wanted, 1);
    if (rig_start(&rig) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
}

static bool reaches(struct vidmm_slot *slot, uint64_t page)
{
    const struct vidmm_bus *bus = vidmm_slot_bus(slot);

    return bus->memory(bus->context, page * VIDMM_PAGE_SIZE, 8) != NULL;
}

static void a_gpu_is_attached_before_it_starts_and_finds_memory_where_it_reaches(void **state)
{
    const struct vidmm_backing *dummy;

    (void)state;
    start_of((struct answers){0});
    assert_true(answers.attached_before);
    assert_int_equal(answers.attached, 1);
    dummy = rig.adapter->dummy;
    assert_true(dummy->logical != 0 && dummy->logical <= 0xfffff);
    assert_true(reaches(rig.slot, vidmm_backing_page(dummy, 0)));
    assert_false(reaches(rig.slot, vidmm_backing_frame(dummy, 0)));
    assert_int_equal(vidmm_adapter_isolate(rig.adapter, &rig.report), STATUS_SUCCESS);
    assert_int_equal(answers.attached, 1); /* it is */
    assert_int_equal(answers.begun, 0);
    rig_finish(&rig);
}

/* In each case memory has its own addresses, and the device is not attached. */
static void what_need_not_or_cannot_be_remapped_is_not(void **state)
{
    static const struct answers all[] = {
        {.reach = VIDMM_MACHINE_BAR_BASE},
        {.without_remapping = true, .reach = VIDMM_MACHINE_BAR_BASE},
        {.without_list = true, .reach = VIDMM_MACHINE_SYSTEM_BASE + (16 << 20)},
        {.without_remapping = true, .reach = VIDMM_MACHINE_SYSTEM_BASE + (16 << 20)},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        start_of(all[i]);
        assert_false(rig.adapter->remapped);
        assert_false(rig.adapter->attached);
        assert_int_equal(rig.adapter->dummy->logical, 0);
        assert_true(reaches(rig.slot, vidmm_backing_frame(rig.adapter->dummy, 0)));
        assert_int_equal(vidmm_adapter_isolate(rig.adapter, &rig.report), STATUS_SUCCESS);
        assert_int_equal(answers.begun, 1);
        rig_finish(&rig);
    }
    build_of((struct answers){.reach = VIDMM_MACHINE_SYSTEM_BASE + (16 << 20)}, 1);
    host.create_logical_domain = NULL;
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    assert_false(rig.adapter->remapped);
    rig_finish(&rig);
}

/* A GPU that reaches a byte less than all memory is remapped; one that reaches all is not. */
static void all_memory_is_up_to_its_last_page(void **state)
{
    const uint64_t page = VIDMM_PAGE_SIZE;
    uint64_t end;

    (void)state;
    start_of((struct answers){0});
    end = (host.highest_page(host.context) + 1) * page;
    rig_finish(&rig);
    start_of((struct answers){.reach = end - 1});
    assert_false(rig.adapter->remapped);
    rig_finish(&rig);
    start_of((struct answers){.reach = end - page - 1});
    assert_true(rig.adapter->remapped);
    rig_finish(&rig);
}

static void a_link_finds_memory_at_the_same_logical_pages(void **state)
{
    uint64_t page;

    (void)state;
    build_of((struct answers){0}, 2);
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    assert_int_equal(answers.attached, 1); /* of the lead; the other has its own host */
    page = vidmm_backing_page(rig.adapter->dummy, 0);
    assert_true(reaches(rig.slot, page));
    assert_true(reaches(rig.more_slots[1], page));
    assert_false(reaches(rig.more_slots[1], vidmm_backing_frame(rig.adapter->dummy, 0)));
    rig_finish(&rig);
}

static NTSTATUS create(uint64_t pages, struct vidmm_allocation **allocation)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .size = pages * VIDMM_PAGE_SIZE,
                                            .read_set = 3,
                                            .write_set = 3,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};

    return vidmm_allocation_create(rig.device, &wish, sizeof(wish), allocation, &rig.report);
}

/* Logical pages are as many as the GPU reaches, whatever memory there is. */
static void without_logical_pages_there_is_no_allocation(void **state)
{
    enum { REACH = 600 };
    struct vidmm_allocation *one, *refused = NULL;
    uint64_t pages;

    (void)state;
    start_of((struct answers){.reach = (REACH + 1) * VIDMM_PAGE_SIZE - 1});
    assert_int_equal(create(1, &one), STATUS_SUCCESS);
    assert_true(one->backing.logical != 0 && one->backing.logical <= REACH);
    assert_int_equal(create(REACH, &refused), STATUS_NO_MEMORY);
    assert_null(refused);
    for (pages = REACH; create(pages, &refused) != STATUS_SUCCESS; pages--)
        assert_true(pages > 1);
    assert_true(pages < REACH && pages > REACH / 4); /* page tables and commands have some */
    vidmm_allocation_destroy(refused);
    assert_int_equal(create(pages, &refused), STATUS_SUCCESS); /* its pages are free again */
    vidmm_allocation_destroy(refused);
    vidmm_allocation_destroy(one);
    rig_finish(&rig);
}

/* Each page frame of existing memory is shown, too, where the GPU reaches. */
static void memory_of_a_program_is_remapped(void **state)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .flags = CPU_VISIBLE | EXISTING,
                                            .size = 2 * VIDMM_PAGE_SIZE,
                                            .read_set = 1,
                                            .write_set = 1,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    char *memory = aligned_alloc(VIDMM_PAGE_SIZE, wish.size);
    struct vidmm_allocation *over;

    (void)state;
    start_of((struct answers){0});
    memset(memory, 0x5a, wish.size);
    if (vidmm_allocation_create_over(rig.device, &wish, sizeof(wish), memory, wish.size, &over,
                                     &rig.report) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    assert_true(over->backing.existing && over->backing.logical != 0);
    assert_true(over->backing.logical + 1 <= 0xfffff);
    vidmm_allocation_destroy(over);
    rig_finish(&rig);
    free(memory);
}

/* A driver that maps by a list of pages has the program's own address of existing memory, which
 * stays when the allocation goes. */
static void the_address_of_a_program_stays_its_own(void **state)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .flags = CPU_VISIBLE | EXISTING | ACCESSED_PHYSICALLY |
                                                     MAP_APERTURE_CPU_VISIBLE,
                                            .size = 2 * VIDMM_PAGE_SIZE,
                                            .read_set = 1,
                                            .write_set = 1,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    char *memory = aligned_alloc(VIDMM_PAGE_SIZE, wish.size);
    struct rig_options options = rig_defaults();
    struct vidmm_allocation *over;

    (void)state;
    options.gpu = "wddm 2.9\nmap_aperture2 on\n";
    rig_init(&rig, &options);
    memset(memory, 0x5a, wish.size);
    if (vidmm_allocation_create_over(rig.device, &wish, sizeof(wish), memory, wish.size, &over,
                                     &rig.report) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    assert_true(over->backing.existing && over->aperture_address);
    vidmm_allocation_destroy(over);
    rig_finish(&rig);
    for (uint64_t i = 0; i < wish.size; i++)
        assert_int_equal(memory[i], 0x5a);
    free(memory);
}

/* Nothing is left, the domain neither, whatever request for memory or a mapping fails. */
static void a_start_that_fails_leaves_nothing(void **state)
{
    unsigned refused = 0;

    (void)state;
    for (uint64_t n = 1; n <= 90; n++) { /* some of them it can do without */
        build_of((struct answers){0}, 1);
        if (n % 2 == 0)
            vidmm_machine_fail_allocation(rig.machine, n / 2);
        else
            vidmm_machine_fail_mapping(rig.machine, n / 2 + 1);
        refused += rig_start(&rig) != STATUS_SUCCESS;
        rig_finish(&rig);
    }
    assert_true(refused > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gpu_is_attached_before_it_starts_and_finds_memory_where_it_reaches),
        cmocka_unit_test(what_need_not_or_cannot_be_remapped_is_not),
        cmocka_unit_test(all_memory_is_up_to_its_last_page),
        cmocka_unit_test(a_link_finds_memory_at_the_same_logical_pages),
        cmocka_unit_test(without_logical_pages_there_is_no_allocation),
        cmocka_unit_test(memory_of_a_program_is_remapped),
        cmocka_unit_test(the_address_of_a_program_stays_its_own),
        cmocka_unit_test(a_start_that_fails_leaves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
