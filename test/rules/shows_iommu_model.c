/* shows_iommu_model.c: a GPU that uses the CPU's page tables: iommu.def, obeyed. */
#include "unit/test_addressed.h"

#include <vidmm/lock2.h>

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
}
