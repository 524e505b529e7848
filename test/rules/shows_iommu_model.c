/* shows_iommu_model.c: a GPU that uses the CPU's page tables: iommu.def, obeyed. */
#include "unit/test_addressed.h"

#include <vidmm/display.h>
#include <vidmm/lock2.h>
#include <vidmm/resource.h>

#include "rules.h"

enum { PAGES = 4, MOST = 8 };

/* The address spaces that the driver was told of: of processes, and of devices. */
static struct told {
    HANDLE process;
    ULONG pasid;
    BOOLEAN system;
} processes[MOST], devices[MOST];

static unsigned process_count, device_count;
static DRIVER_INITIALIZATION_DATA driver;

static NTSTATUS note_process(HANDLE adapter, DXGKARG_CREATEPROCESS *arguments)
{
    NTSTATUS status = driver.DxgkDdiCreateProcess(adapter, arguments);

    assert_in_range(process_count, 0, MOST - 1);
    assert_int_equal(arguments->NumPasid, 1);
    processes[process_count++] = (struct told){arguments->hKmdProcess, arguments->pPasid[0],
                                               arguments->Flags.SystemProcess != 0};
    return status;
}

static NTSTATUS note_device(HANDLE adapter, DXGKARG_CREATEDEVICE *arguments)
{
    assert_in_range(device_count, 0, MOST - 1);
    devices[device_count++] =
        (struct told){arguments->hKmdProcess, arguments->Pasid, arguments->Flags.SystemDevice != 0};
    return driver.DxgkDdiCreateDevice(adapter, arguments);
}

/* Each process has a PASID of its own, and its devices have that. */
static void judge_pasids(void)
{
    for (unsigned i = 0; i < process_count; i++) {
        assert_int_not_equal(processes[i].pasid, 0);
        for (unsigned j = 0; j < i; j++)
            assert_int_not_equal(processes[i].pasid, processes[j].pasid);
    }
    for (unsigned i = 0; i < device_count; i++) {
        unsigned at = 0;

        while (at < process_count && processes[at].process != devices[i].process)
            at++;
        assert_in_range(at, 0, process_count - 1);
        assert_int_equal(devices[i].pasid, processes[at].pasid);
        assert_int_equal(devices[i].system, processes[at].system);
    }
}

static unsigned char *locked(struct program *program, struct rig_allocation *allocation)
{
    void *data = NULL;

    create(program, allocation, PAGES);
    make(program, allocation->handle);
    passes(program, vidmm_lock2(allocation->handle, 0, &data, &rig.report), 0);
    return data;
}

/* Write by the CPU, let the GPU check that and write at the CPU's own address, and look. */
static void both_write(struct program *program, struct rig_allocation *allocation,
                       unsigned char *bytes)
{
    for (int round = 0; round < 2; round++) {
        for (uint32_t page = 0; page < PAGES; page++)
            rig_touch_page(&rig, allocation, bytes + BYTES(page), page, true);
        touch(program, allocation, (uint64_t)(uintptr_t)bytes, true);
    }
    for (uint32_t page = 0; page < PAGES; page++)
        rig_touch_page(&rig, allocation, bytes + BYTES(page), page, false);
    assert_int_equal(rig.cpu_mismatches, 0);
}

/* ---- primaries ------------------------------------------------------------------------------- */

static uint32_t maps, unmaps; /* that the driver was asked for */

static NTSTATUS note_paging(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    NTSTATUS status = driver.DxgkDdiBuildPagingBuffer(adapter, arguments);

    if (status == STATUS_SUCCESS) {
        maps += arguments->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT;
        unmaps += arguments->Operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
    }
    return status;
}

static void was_mapped(uint32_t often, uint32_t undone)
{
    vidmm_machine_settle(rig.machine);
    assert_int_equal(maps, often);
    assert_int_equal(unmaps, undone);
}

/* The screen shows each page of the primary as the GPU has left it. */
static void is_on_screen(const struct rig_allocation *primary)
{
    const struct vidmm_content_key key = rig_key(primary);
    static unsigned char picture[PAGES * VIDMM_PAGE_SIZE];
    uint64_t digest = 0;

    assert_true(softgpu_device_picture(rig.gpu, 0, picture, sizeof(picture)));
    for (uint32_t page = 0; page < PAGES; page++)
        assert_true(vidmm_content_check_page(picture + BYTES(page), key, page, primary->generation,
                                             &digest));
}

static struct vidmm_resource *create_primary(struct rig_allocation *primary)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .size = BYTES(PAGES),
                                            .read_set = APERTURE,
                                            .write_set = APERTURE,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    const struct vidmm_description description = {
        .private_data = &wish, .private_data_size = sizeof(wish), .primary = true};
    const struct vidmm_resource_options options = {.shared = false};
    struct vidmm_resource *resource = NULL;

    passes(&first,
           vidmm_resource_create(first.device, &options, &description, 1, &resource,
                                 &primary->handle, &rig.report),
           0);
    primary->id = ++rig.next_id;
    primary->pages = PAGES;
    return resource;
}

/* The aperture shows a primary before the screen does, and no longer than that. */
static void primaries_are_mapped_for_the_display(void)
{
    struct rig_allocation *primary = &rig.allocations[0];
    struct vidmm_resource *resource;
    uint64_t address;

    maps = unmaps = 0;
    build("mmu io\nsources 1\n");
    driver = rig.driver;
    rig.driver.DxgkDdiBuildPagingBuffer = note_paging;
    begin();
    resource = create_primary(primary);
    address = map(&first, primary->handle, 0);
    make(&first, primary->handle);
    touch(&first, primary, address, true);
    was_mapped(0, 0);
    passes(&first, vidmm_display_show(first.device, 0, primary->handle, &rig.report), 0);
    was_mapped(1, 0);
    is_on_screen(primary);
    touch(&first, primary, address, true); /* the GPU finds it as before */
    is_on_screen(primary);
    passes(&first, vidmm_display_hide(rig.adapter, 0, &rig.report), 0);
    was_mapped(1, 1);
    touch(&first, primary, address, true);
    was_mapped(1, 1);
    vidmm_resource_destroy(resource);
    primary->handle = NULL;
    finish();
}

/* Devices learn the PASID of their process. By it the GPU finds what the CPU sees, at the CPU's
 * addresses; by that of another process it finds nothing there. */
void shows_D_268(void **state)
{
    struct vidmm_device *more = NULL;
    struct softgpu_statistics gpu;
    unsigned char *bytes;

    (void)state;
    process_count = device_count = 0;
    build("mmu io\n");
    driver = rig.driver;
    rig.driver.DxgkDdiCreateProcess = note_process;
    rig.driver.DxgkDdiCreateDevice = note_device;
    begin();
    begin_program(&second, 2);
    passes(&first, vidmm_device_create(rig.adapter, 1, &more, &rig.report), 0);
    assert_int_equal(process_count, 3); /* the system's, and two */
    assert_in_range(device_count, 5, MOST);
    judge_pasids();
    bytes = locked(&first, &rig.allocations[0]);
    both_write(&first, &rig.allocations[0], bytes);
    both_write(&second, &rig.allocations[1], locked(&second, &rig.allocations[1]));
    softgpu_device_statistics(rig.gpu, &gpu);
    assert_int_equal(gpu.page_faults, 0);
    touch_and_fault(&second, &rig.allocations[0], (uint64_t)(uintptr_t)bytes);
    softgpu_device_statistics(rig.gpu, &gpu);
    assert_int_equal(gpu.page_faults, 1);
    vidmm_device_destroy(more);
    end_program(&second);
    end_program(&first);
    rig_finish(&rig);
    primaries_are_mapped_for_the_display();
}
