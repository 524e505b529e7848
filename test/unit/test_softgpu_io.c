/* The software GPU with the processor's addresses (`mmu io`): PASIDs, faults, who may what. */
#include "test_softgpu_world.h"

enum { NODE = 0, PAGING_NODE = 1 };

#define COMMANDS UINT64_C(0x7f0000010000) /* addresses of each process ... */
#define BYTES UINT64_C(0x7f0000020000)    /* ... the same in all of them */

/* A process with a device and a context. */
struct user {
    ULONG pasid;
    HANDLE process, device, context;
    uint64_t commands; /* physical */
};

static struct softgpu_config config_of_io(void)
{
    struct softgpu_config config = machine_small_config();

    config.wddm = 29;
    config.mmu.kind = SOFTGPU_MMU_IO;
    config.paging_buffer_segment = 0;
    return config;
}

static NTSTATUS create_process(ULONG count, ULONG *pasids, bool system, HANDLE *process)
{
    DXGKARG_CREATEPROCESS args = {
        .hDxgkProcess = pasids, .NumPasid = count, .pPasid = pasids, .Flags.SystemProcess = system};
    NTSTATUS status = world.ddi.DxgkDdiCreateProcess(world.adapter, &args);

    *process = args.hKmdProcess;
    return status;
}

static NTSTATUS create_device_of(HANDLE process, ULONG pasid, bool system, HANDLE *device)
{
    DXGKARG_CREATEDEVICE args = {
        .hDevice = &world, .hKmdProcess = process, .Pasid = pasid, .Flags.SystemDevice = system};
    NTSTATUS status = world.ddi.DxgkDdiCreateDevice(world.adapter, &args);

    *device = args.hDevice;
    return status;
}

static void begin_user(struct user *user, ULONG pasid, bool system)
{
    DXGKARG_CREATECONTEXT context = {.NodeOrdinal = system ? PAGING_NODE : NODE,
                                     .EngineAffinity = 1,
                                     .Flags = {.SystemContext = system, .VirtualAddressing = 1}};

    *user = (struct user){.pasid = pasid};
    assert_int_equal(create_process(1, &user->pasid, system, &user->process), STATUS_SUCCESS);
    assert_int_equal(create_device_of(user->process, pasid, system, &user->device), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiCreateContext(user->device, &context), STATUS_SUCCESS);
    assert_int_equal(context.ContextInfo.PatchLocationListSize, 0);
    user->context = context.hContext;
    user->commands = machine_frame(&world.machine) * 4096;
    machine_share(&world.machine, pasid, COMMANDS, user->commands, true);
}

static void end_user(const struct user *user)
{
    assert_int_equal(world.ddi.DxgkDdiDestroyContext(user->context), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiDestroyDevice(user->device), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiDestroyProcess(world.adapter, user->process), STATUS_SUCCESS);
}

static UINT run_user(const struct user *user, const void *commands, UINT size)
{
    DXGKARG_SUBMITCOMMANDVIRTUAL args = {.hContext = user->context,
                                         .DmaBufferVirtualAddress = COMMANDS,
                                         .DmaBufferSize = size,
                                         .SubmissionFenceId = ++world.fence,
                                         .NodeOrdinal = NODE};

    memcpy(machine_at(&world.machine, user->commands), commands, size);
    assert_int_equal(world.ddi.DxgkDdiSubmitCommandVirtual(world.adapter, &args), STATUS_SUCCESS);
    settle();
    return world.fence;
}

static UINT fill(const struct user *user, uint64_t address, uint64_t bytes, uint32_t pattern)
{
    struct softgpu_virtual_fill command = {
        .command = {.opcode = SOFTGPU_VIRTUAL_FILL, .size = sizeof(command)},
        .bytes = bytes,
        .gpuva = address,
        .space = SOFTGPU_VIRTUAL_SPACE,
        .pattern = pattern};

    return run_user(user, &command, sizeof(command));
}

static const struct event *last_event(void)
{
    return &world.events[(world.event_count - 1) % LOG];
}

/* ---- what it says of itself ------------------------------------------------------------------ */

static void it_says_that_it_shares_addresses_and_has_no_tables(void **state)
{
    struct softgpu_config config = config_of_io();
    DXGKARG_GETNODEMETADATA metadata = {.GpuMmuSupported = 1};
    DXGK_QUERYPHYSICALADAPTERCAPSIN in = {.PhysicalAdapterIndex = 0};
    DXGK_QUERYGPUMMUCAPSIN mmu_in = {.PhysicalAdapterIndex = 0};
    DXGK_PHYSICALADAPTERCAPS adapter;
    DXGK_GPUMMUCAPS mmu;
    DXGK_DRIVERCAPS caps;

    (void)state;
    begin(&config);
    assert_int_equal(query(DXGKQAITYPE_DRIVERCAPS, NULL, 0, &caps, sizeof(caps)), STATUS_SUCCESS);
    assert_true(caps.MemoryManagementCaps.VirtualAddressingSupported); /* D-226 */
    assert_true(caps.MemoryManagementCaps.IoMmuSupported);
    assert_false(caps.MemoryManagementCaps.GpuMmuSupported);
    assert_int_equal(
        query(DXGKQAITYPE_PHYSICALADAPTERCAPS, &in, sizeof(in), &adapter, sizeof(adapter)),
        STATUS_SUCCESS);
    assert_true(adapter.Flags.IoMmuSupported && !adapter.Flags.GpuMmuSupported);
    assert_int_equal(world.ddi.DxgkDdiGetNodeMetadata(world.adapter, 0, &metadata), STATUS_SUCCESS);
    assert_true(metadata.IoMmuSupported && !metadata.GpuMmuSupported);
    assert_int_equal(query(DXGKQAITYPE_GPUMMUCAPS, &mmu_in, sizeof(mmu_in), &mmu, sizeof(mmu)),
                     STATUS_NOT_SUPPORTED);
    end();
}

static void a_bus_without_an_iommu_has_no_such_device(void **state)
{
    struct softgpu_config config = config_of_io();
    struct vidmm_device_model model;
    struct machine machine;
    char error[SOFTGPU_TEXT] = "";

    (void)state;
    machine_init(&machine);
    machine.bus.translate = NULL;
    assert_null(softgpu_device_create(&machine.bus, &config, &model, error, sizeof(error)));
    assert_non_null(strstr(error, "no IOMMU"));
    machine_finish(&machine);
}

/* ---- addresses ------------------------------------------------------------------------------- */

static void each_process_reaches_its_own_pages_at_the_same_address(void **state)
{
    struct softgpu_config config = config_of_io();
    uint64_t pages[2][2];
    struct user users[2];

    (void)state;
    begin(&config);
    for (int i = 0; i < 2; i++) {
        begin_user(&users[i], i ? 0x5b : 0x29, false);
        for (int j = 0; j < 2; j++) {
            pages[i][j] = machine_frame(&world.machine) * 4096;
            machine_share(&world.machine, users[i].pasid, BYTES + (uint64_t)j * 4096, pages[i][j],
                          true);
        }
    }
    for (int i = 0; i < 2; i++)
        fill(&users[i], BYTES + 8, 8192 - 16, i ? 0x22222222 : 0x11111111);
    for (int i = 0; i < 2; i++) {
        const unsigned char *first = machine_at(&world.machine, pages[i][0]);
        const unsigned char *second = machine_at(&world.machine, pages[i][1]);

        assert_int_equal(first[7], 0xc3);
        assert_int_equal(first[8], i ? 0x22 : 0x11);
        assert_int_equal(first[4095], i ? 0x22 : 0x11);
        assert_int_equal(second[4087], i ? 0x22 : 0x11);
        assert_int_equal(second[4088], 0xc3);
    }
    assert_string_equal(statistics().fault, "");
    for (int i = 0; i < 2; i++)
        end_user(&users[i]);
    end();
}

static void the_processor_and_the_gpu_share_a_fence(void **state)
{
    struct softgpu_config config = config_of_io();
    struct {
        struct softgpu_virtual_wait wait;
        struct softgpu_virtual_signal signal;
    } commands = {
        .wait = {.command = {.opcode = SOFTGPU_VIRTUAL_WAIT, .size = sizeof(commands.wait)},
                 .gpuva = BYTES,
                 .value = 5,
                 .bits = 64},
        .signal = {.command = {.opcode = SOFTGPU_VIRTUAL_SIGNAL, .size = sizeof(commands.signal)},
                   .gpuva = BYTES + 8,
                   .value = 6},
    };
    struct softgpu_escape message = {.magic = SOFTGPU_ESCAPE_LOOK};
    DXGKARG_ESCAPE escape = {.pPrivateDriverData = &message,
                             .PrivateDriverDataSize = sizeof(message)};
    struct user user;
    uint64_t *fences;

    (void)state;
    begin(&config);
    begin_user(&user, 0x29, false);
    fences = (uint64_t *)(void *)machine_at(&world.machine, machine_frame(&world.machine) * 4096);
    machine_share(&world.machine, user.pasid, BYTES,
                  MACHINE_SYSTEM + (uint64_t)((unsigned char *)fences - world.machine.system),
                  true);
    fences[0] = fences[1] = 0;
    run_user(&user, &commands, sizeof(commands));
    assert_int_equal(fences[1], 0);
    fences[0] = 5;
    assert_int_equal(world.ddi.DxgkDdiEscape(world.adapter, &escape), STATUS_SUCCESS);
    settle();
    assert_int_equal(fences[1], 6);
    end_user(&user);
    end();
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void fault(uint64_t address, bool mapped, const char *text)
{
    struct softgpu_config config = config_of_io();
    struct user user, other;
    UINT fence;

    begin(&config);
    begin_user(&user, 0x29, false);
    begin_user(&other, 0x5b, false);
    machine_share(&world.machine, other.pasid, BYTES, machine_frame(&world.machine) * 4096, true);
    if (mapped)
        machine_share(&world.machine, user.pasid, BYTES, machine_frame(&world.machine) * 4096,
                      false);
    fence = fill(&user, address, 64, 1);
    assert_int_equal(last_event()->type, DXGK_INTERRUPT_DMA_PAGE_FAULTED);
    assert_int_equal(last_event()->fence, fence);
    assert_true(last_event()->address == address);
    assert_ptr_equal(last_event()->process, &user.pasid);
    assert_int_equal(last_event()->flags, DXGK_PAGE_FAULT_WRITE);
    if (strstr(statistics().fault, text) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", text, statistics().fault);
    end_user(&user);
    end_user(&other);
    end();
}

static void a_page_that_the_process_lacks_is_a_fault_of_it(void **state)
{
    (void)state;
    fault(BYTES + 16, false, "the process has no page there");
    fault(BYTES + 4096, true, "the process has no page there");
    fault(BYTES + 16, true, "a write to a read-only page");
}

/* ---- the system's own work ------------------------------------------------------------------- */

/* All that has been built. */
static void submit_system(const struct user *system)
{
    DXGKARG_SUBMITCOMMANDVIRTUAL args = {
        .hContext = system->context,
        .DmaBufferSize = (UINT)((unsigned char *)buffer.args.pDmaBuffer - buffer.start),
        .pDmaBufferPrivateData = buffer.private_data,
        .DmaBufferPrivateDataSize =
            (UINT)((unsigned char *)buffer.args.pDmaBufferPrivateData - buffer.private_data),
        .SubmissionFenceId = ++world.fence,
        .Flags.Paging = 1,
        .NodeOrdinal = PAGING_NODE,
    };

    assert_int_equal(world.ddi.DxgkDdiSubmitCommandVirtual(world.adapter, &args), STATUS_SUCCESS);
    settle();
}

static void paging_needs_no_address_but_for_fences(void **state)
{
    (void)state;
    for (int habit = 0; habit < 2; habit++) {
        struct softgpu_config config = config_of_io();
        struct user system;
        uint64_t page;

        config.habit = habit ? SOFTGPU_IMMEDIATE : SOFTGPU_QUEUED;
        begin_paging(&config);
        begin_user(&system, 0x8d, true);
        page = machine_frame(&world.machine) * 4096;
        machine_share(&world.machine, system.pasid, BYTES, page, true);
        build_fill(SOFTGPU_SEGMENT_BASE(MEMORY) + 4096, 4096, 0x45454545);
        memset(&buffer.args.Reserved, 0, sizeof(buffer.args.Reserved));
        buffer.args.Operation = DXGK_OPERATION_SIGNAL_MONITORED_FENCE;
        buffer.args.SignalMonitoredFence.MonitoredFenceGpuVa = BYTES + 8;
        buffer.args.SignalMonitoredFence.MonitoredFenceValue = 77;
        build();
        submit_system(&system);
        assert_int_equal(world.machine.bar[1][4096], 0x45);
        assert_int_equal(machine_at(&world.machine, page)[8], 77);
        assert_string_equal(statistics().fault, "");
        assert_string_equal(statistics().refusal, "");
        end_user(&system);
        end();
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void a_process_and_its_device_have_one_pasid(void **state)
{
    struct softgpu_config config = config_of_io();
    ULONG pasid = 0x29;
    HANDLE process, device;

    (void)state;
    begin(&config);
    assert_int_equal(create_process(0, &pasid, false, &process), STATUS_INVALID_PARAMETER);
    assert_refused("NumPasid 0, expected 1 or more with IoMmuSupported");
    assert_int_equal(create_process(1, &pasid, false, &process), STATUS_SUCCESS);
    assert_int_equal(create_device_of(process, 0x5b, false, &device), STATUS_INVALID_PARAMETER);
    assert_int_equal(create_device_of(process, 0x29, false, &device), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiDestroyDevice(device), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiDestroyProcess(world.adapter, process), STATUS_SUCCESS);
    end();
}

static void there_are_no_tables_to_write(void **state)
{
    struct softgpu_config config = config_of_io();
    DXGKARG_SETROOTPAGETABLE root = {.NumEntries = 1};
    struct user user;

    (void)state;
    begin_paging(&config);
    begin_user(&user, 0x29, false);
    memset(&buffer.args.Reserved, 0, sizeof(buffer.args.Reserved));
    buffer.args.Operation = DXGK_OPERATION_UPDATE_PAGE_TABLE;
    assert_int_equal(world.ddi.DxgkDdiBuildPagingBuffer(world.adapter, &buffer.args),
                     STATUS_NOT_SUPPORTED);
    root.hContext = user.context;
    world.ddi.DxgkDdiSetRootPageTable(world.adapter, &root);
    assert_int_equal(statistics().driver_refusals, 2);
    end_user(&user);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_that_it_shares_addresses_and_has_no_tables),
        cmocka_unit_test(a_bus_without_an_iommu_has_no_such_device),
        cmocka_unit_test(each_process_reaches_its_own_pages_at_the_same_address),
        cmocka_unit_test(the_processor_and_the_gpu_share_a_fence),
        cmocka_unit_test(a_page_that_the_process_lacks_is_a_fault_of_it),
        cmocka_unit_test(paging_needs_no_address_but_for_fences),
        cmocka_unit_test(a_process_and_its_device_have_one_pasid),
        cmocka_unit_test(there_are_no_tables_to_write),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
