/* test_thunk_hw_queues.c: hardware queues, from a program's calls to the driver's. */
#include "test_thunk_rig.h"

#include <vidmm/engine.h>
#include <wddm/d3dkmddi_hwqueue.h>

/* The calls that the driver has seen. */
static struct {
    unsigned contexts, queues, destroyed, submitted, software;
    DXGKARG_CREATECONTEXT context; /* the newest with HwQueueSupported */
    DXGKARG_CREATEHWQUEUE queue;
    DXGKARG_SUBMITCOMMANDTOHWQUEUE packet;
    unsigned char private_data[16]; /* of the packet */
    HANDLE of;                      /* the context of the queue */
} seen;

static DRIVER_INITIALIZATION_DATA real;

static NTSTATUS saw_context(HANDLE device, DXGKARG_CREATECONTEXT *arguments)
{
    NTSTATUS status = real.DxgkDdiCreateContext(device, arguments);

    if (arguments->Flags.HwQueueSupported) {
        seen.contexts++;
        seen.context = *arguments;
    }
    return status;
}

static NTSTATUS saw_queue(HANDLE context, DXGKARG_CREATEHWQUEUE *arguments)
{
    seen.queues++;
    seen.queue = *arguments;
    seen.of = context;
    return real.DxgkDdiCreateHwQueue(context, arguments);
}

static NTSTATUS saw_end(HANDLE queue)
{
    seen.destroyed++;
    return real.DxgkDdiDestroyHwQueue(queue);
}

static NTSTATUS saw_packet(HANDLE adapter, const DXGKARG_SUBMITCOMMANDTOHWQUEUE *arguments)
{
    seen.submitted++;
    seen.packet = *arguments;
    if (arguments->DmaBufferPrivateDataSize <= sizeof(seen.private_data) &&
        arguments->pDmaBufferPrivateData != NULL)
        memcpy(seen.private_data, arguments->pDmaBufferPrivateData,
               arguments->DmaBufferPrivateDataSize);
    return real.DxgkDdiSubmitCommandToHwQueue(adapter, arguments);
}

static NTSTATUS saw_software(HANDLE adapter, const DXGKARG_SUBMITCOMMANDVIRTUAL *arguments)
{
    seen.software += arguments->Flags.Paging == 0;
    return real.DxgkDdiSubmitCommandVirtual(adapter, arguments);
}

static void bend(DRIVER_INITIALIZATION_DATA *driver)
{
    real = *driver;
    driver->DxgkDdiCreateContext = saw_context;
    driver->DxgkDdiCreateHwQueue = saw_queue;
    driver->DxgkDdiDestroyHwQueue = saw_end;
    driver->DxgkDdiSubmitCommandToHwQueue = saw_packet;
    driver->DxgkDdiSubmitCommandVirtual = saw_software;
}

static void start(const char *gpu)
{
    memset(&seen, 0, sizeof(seen));
    thunk_bend = bend;
    thunk_start(gpu);
    thunk_bend = NULL;
    begin_program(&one);
}

/* ---- a program's calls ----------------------------------------------------------------------- */

struct queue {
    D3DKMT_HANDLE context, handle, fence;
    const volatile uint64_t *value;
    uint64_t address; /* of the fence, to the GPU */
};

static D3DKMT_HANDLE context_of(struct thunk_program *program)
{
    D3DKMT_CREATECONTEXTVIRTUAL create = {.hDevice = program->device,
                                          .Flags = {.HwQueueSupported = 1}};

    succeeds(vidmm_thunk_CreateContextVirtual(program->process, &create));
    return create.hContext;
}

static struct queue queue_of(struct thunk_program *program, D3DKMT_HANDLE context, UINT flags)
{
    D3DKMT_CREATEHWQUEUE create = {.hHwContext = context, .Flags = {.Value = flags}};

    succeeds(vidmm_thunk_CreateHwQueue(program->process, &create));
    return (struct queue){context, create.hHwQueue, create.hHwQueueProgressFence,
                          create.HwQueueProgressFenceCPUVirtualAddress,
                          create.HwQueueProgressFenceGPUVirtualAddress};
}

static NTSTATUS submit(const struct queue *queue, uint64_t id, uint64_t address, UINT length)
{
    D3DKMT_SUBMITCOMMANDTOHWQUEUE arguments = {.hHwQueue = queue->handle,
                                               .HwQueueProgressFenceId = id,
                                               .CommandBuffer = address,
                                               .CommandLength = length};

    return vidmm_thunk_SubmitCommandToHwQueue(one.process, &arguments);
}

enum { SLOT = 256 }; /* bytes of the page of commands that a command buffer has */

/* Commands that write a value to an address, in a slot of the page; bytes. */
static UINT write_signal(unsigned slot, uint64_t address, uint64_t value)
{
    struct softgpu_virtual_signal *words = (void *)(one.bytes + slot * SLOT);

    *words = (struct softgpu_virtual_signal){
        .command = {SOFTGPU_VIRTUAL_SIGNAL, sizeof(*words)}, .gpuva = address, .value = value};
    return sizeof(*words);
}

/* Commands that fill a page. */
static UINT write_fill(unsigned slot, uint64_t address, uint32_t pattern)
{
    struct softgpu_virtual_fill *words = (void *)(one.bytes + slot * SLOT);

    *words = (struct softgpu_virtual_fill){.command = {SOFTGPU_VIRTUAL_FILL, sizeof(*words)},
                                           .bytes = VIDMM_PAGE_SIZE,
                                           .gpuva = address,
                                           .space = SOFTGPU_VIRTUAL_SPACE,
                                           .pattern = pattern};
    return sizeof(*words);
}

static void settle(void)
{
    vidmm_machine_settle(thunk_rig.machine);
}

/* A fence of the program that nobody has signaled. */
static D3DKMT_HANDLE new_fence(void)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create = {.hDevice = one.device,
                                                  .Info = {.Type = D3DDDI_MONITORED_FENCE}};

    succeeds(vidmm_thunk_CreateSynchronizationObject2(one.process, &create));
    return create.hSyncObject;
}

static NTSTATUS wait_in(const struct queue *queue, D3DKMT_HANDLE fence, UINT64 value)
{
    D3DKMT_SUBMITWAITFORSYNCOBJECTSTOHWQUEUE wait = {.hHwQueue = queue->handle,
                                                     .ObjectCount = 1,
                                                     .ObjectHandleArray = &fence,
                                                     .FenceValueArray = &value};

    return vidmm_thunk_SubmitWaitForSyncObjectsToHwQueue(one.process, &wait);
}

static NTSTATUS signal_in(const struct queue *queue, D3DKMT_HANDLE fence, UINT64 value)
{
    D3DKMT_SUBMITSIGNALSYNCOBJECTSTOHWQUEUE signal = {.BroadcastHwQueueCount = 1,
                                                      .BroadcastHwQueueArray = &queue->handle,
                                                      .ObjectCount = 1,
                                                      .ObjectHandleArray = &fence,
                                                      .FenceValueArray = &value};

    return vidmm_thunk_SubmitSignalSyncObjectsToHwQueue(one.process, &signal);
}

static NTSTATUS signal_by_cpu(D3DKMT_HANDLE fence, UINT64 value)
{
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU signal = {.hDevice = one.device,
                                                        .ObjectCount = 1,
                                                        .ObjectHandleArray = &fence,
                                                        .FenceValueArray = &value};

    return vidmm_thunk_SignalSynchronizationObjectFromCpu(one.process, &signal);
}

static NTSTATUS wait_by_cpu(D3DKMT_HANDLE fence, UINT64 value)
{
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU wait = {.hDevice = one.device,
                                                       .ObjectCount = 1,
                                                       .ObjectHandleArray = &fence,
                                                       .FenceValueArray = &value};

    return vidmm_thunk_WaitForSynchronizationObjectFromCpu(one.process, &wait);
}

static D3DKMT_DEVICEEXECUTION_STATE state_of(struct thunk_program *program)
{
    D3DKMT_GETDEVICESTATE get = {.hDevice = program->device,
                                 .StateType = D3DKMT_DEVICESTATE_EXECUTION};

    succeeds(vidmm_thunk_GetDeviceState(program->process, &get));
    return get.ExecutionState;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void commands_are_done_when_the_progress_fence_has_their_id(void **state)
{
    struct queue queue;
    UINT length;

    (void)state;
    start(THUNK_QUEUES_GPU);
    queue = queue_of(&one, context_of(&one), 0);
    assert_int_equal(*queue.value, 0);
    length = write_signal(0, queue.address, 3); /* a program may signal it itself, too */
    succeeds(submit(&queue, 5, one.address, length));
    succeeds(wait_by_cpu(queue.fence, 5));
    assert_int_equal(*queue.value, 5);
    succeeds(submit(&queue, UINT64_C(1) << 40, one.address, length));
    settle();
    assert_int_equal(*queue.value, UINT64_C(1) << 40);
    assert_int_equal(seen.submitted, 2);
    assert_int_equal(seen.software, 0); /* nothing goes by the scheduler's way */
    thunk_finish();
}

static void the_driver_is_told_what_its_pages_say(void **state)
{
    unsigned char data[4] = {1, 2, 3, 4};
    struct queue queue;
    D3DKMT_HANDLE context;
    HANDLE driver_context;

    (void)state;
    start(THUNK_QUEUES_GPU);
    context = context_of(&one);
    assert_int_equal(seen.contexts, 1);
    assert_true(seen.context.Flags.VirtualAddressing);
    driver_context = seen.context.hContext;
    queue = queue_of(&one, context, 6);
    assert_ptr_equal(seen.of, driver_context);
    assert_int_equal(seen.queue.Flags.Value, 6);
    assert_non_null(seen.queue.hHwQueue);
    assert_int_equal(seen.queue.HwQueueProgressFenceGPUVirtualAddress, queue.address);
    assert_non_null(seen.queue.HwQueueProgressFenceCPUVirtualAddress);
    assert_int_equal(seen.queue.PrivateDriverDataSize, 0);
    succeeds(vidmm_thunk_SubmitCommandToHwQueue(
        one.process,
        &(D3DKMT_SUBMITCOMMANDTOHWQUEUE){.hHwQueue = queue.handle,
                                         .HwQueueProgressFenceId = 9,
                                         .CommandBuffer = one.address + SLOT,
                                         .CommandLength = write_signal(1, queue.address, 8),
                                         .pPrivateDriverData = data,
                                         .PrivateDriverDataSize = sizeof(data)}));
    settle();
    assert_int_equal(seen.packet.HwQueueProgressFenceId, 9);
    assert_int_equal(seen.packet.DmaBufferVirtualAddress, one.address + SLOT);
    assert_int_equal(seen.packet.DmaBufferSize, sizeof(struct softgpu_virtual_signal));
    assert_int_equal(seen.packet.DmaBufferPrivateDataSize, sizeof(data));
    assert_memory_equal(seen.private_data, data, sizeof(data));
    assert_int_equal(seen.packet.Flags.Value, 0);
    assert_int_equal(seen.packet.HwQueueProgressFenceGpuVa, queue.address);
    assert_ptr_equal(seen.packet.HwQueueProgressFenceCpuVa,
                     seen.queue.HwQueueProgressFenceCPUVirtualAddress);
    succeeds(vidmm_thunk_DestroyHwQueue(one.process,
                                        &(D3DKMT_DESTROYHWQUEUE){.hHwQueue = queue.handle}));
    assert_int_equal(seen.destroyed, 1);
    thunk_finish();
}

static void a_queue_does_not_wait_for_another(void **state)
{
    struct queue first, second;
    D3DKMT_HANDLE context, fence;

    (void)state;
    start(THUNK_QUEUES_GPU);
    context = context_of(&one);
    first = queue_of(&one, context, 0);
    second = queue_of(&one, context, 0);
    fence = new_fence();
    succeeds(wait_in(&first, fence, 7));
    succeeds(submit(&first, 1, one.address, write_signal(0, first.address, 1)));
    succeeds(submit(&second, 1, one.address + SLOT, write_signal(1, second.address, 1)));
    settle();
    assert_int_equal(*first.value, 0);
    assert_int_equal(*second.value, 1);
    assert_int_equal(seen.submitted, 1);
    succeeds(signal_by_cpu(fence, 7));
    settle();
    assert_int_equal(*first.value, 1);
    thunk_finish();
}

/* A signal comes when all before it in its queue is done; another queue goes on by it. */
static void queues_wait_for_what_others_signal(void **state)
{
    struct queue first, second;
    D3DKMT_HANDLE context, fence;

    (void)state;
    start(THUNK_QUEUES_GPU);
    context = context_of(&one);
    first = queue_of(&one, context, 0);
    second = queue_of(&one, context, 0);
    fence = new_fence();
    succeeds(wait_in(&second, fence, 2));
    succeeds(submit(&second, 4, one.address, write_signal(0, second.address, 1)));
    settle();
    assert_int_equal(*second.value, 0);
    succeeds(submit(&first, 1, one.address + SLOT, write_signal(1, first.address, 1)));
    succeeds(signal_in(&first, fence, 2));
    settle();
    assert_int_equal(*first.value, 1);
    assert_int_equal(*second.value, 4);
    succeeds(wait_in(&first, second.fence, 4)); /* a progress fence is waited for like any other */
    succeeds(submit(&first, 2, one.address + SLOT, write_signal(1, first.address, 1)));
    settle();
    assert_int_equal(*first.value, 2);
    refused_with(signal_by_cpu(first.fence, 9), STATUS_ACCESS_DENIED, "D-191");
    thunk_finish();
}

/* The manager has 16 places a node; the GPU has 4. */
static void the_queues_of_a_gpu_are_few(void **state)
{
    struct queue queues[5];
    D3DKMT_HANDLE context;

    (void)state;
    start(THUNK_QUEUES_GPU);
    context = context_of(&one);
    for (unsigned i = 0; i < 4; i++)
        queues[i] = queue_of(&one, context, 0);
    refused_with(
        vidmm_thunk_CreateHwQueue(one.process, &(D3DKMT_CREATEHWQUEUE){.hHwContext = context}),
        STATUS_INSUFFICIENT_RESOURCES, "DxgkDdiCreateHwQueue");
    succeeds(vidmm_thunk_DestroyHwQueue(one.process,
                                        &(D3DKMT_DESTROYHWQUEUE){.hHwQueue = queues[1].handle}));
    for (unsigned i = 0; i < 40; i++) {
        queues[4] = queue_of(&one, context, 0);
        succeeds(vidmm_thunk_DestroyHwQueue(
            one.process, &(D3DKMT_DESTROYHWQUEUE){.hHwQueue = queues[4].handle}));
    }
    queues[4] = queue_of(&one, context, 0);
    succeeds(submit(&queues[4], 1, one.address, write_signal(0, queues[4].address, 1)));
    settle();
    assert_int_equal(*queues[4].value, 1);
    thunk_finish();
}

/* The queues of a context go with it, and those of a device with that, commands and all. */
static void queues_go_with_what_they_belong_to(void **state)
{
    struct queue queue, behind;
    D3DKMT_HANDLE context;

    (void)state;
    start(THUNK_QUEUES_GPU);
    context = context_of(&one);
    queue = queue_of(&one, context, 0);
    succeeds(submit(&queue, 1, one.address, write_signal(0, queue.address, 1)));
    succeeds(
        vidmm_thunk_DestroyContext(one.process, &(D3DKMT_DESTROYCONTEXT){.hContext = context}));
    assert_int_equal(seen.destroyed, 1);
    refused_with(submit(&queue, 2, one.address, 16), STATUS_INVALID_PARAMETER, "hHwQueue");
    refused_with(wait_by_cpu(queue.fence, 1), STATUS_INVALID_PARAMETER, "ObjectHandleArray");
    behind = queue_of(&one, context_of(&one), 0);
    succeeds(wait_in(&behind, new_fence(), 1));
    succeeds(submit(&behind, 1, one.address, 16));
    succeeds(
        vidmm_thunk_DestroyDevice(one.process, &(D3DKMT_DESTROYDEVICE){.hDevice = one.device}));
    assert_int_equal(seen.destroyed, 2);
    assert_int_equal(seen.submitted, 1); /* what stood behind the wait is given up */
    thunk_finish();
}

/* Make resident, and do not wait. */
static uint64_t ask_for(D3DKMT_HANDLE allocation)
{
    D3DDDI_MAKERESIDENT make = {
        .hPagingQueue = one.queue, .NumAllocations = 1, .AllocationList = &allocation};

    assert_int_equal(vidmm_thunk_MakeResident(one.process, &make), STATUS_PENDING);
    return make.PagingFenceValue;
}

static bool has_come(void *value)
{
    return *one.fence >= *(uint64_t *)value;
}

/* Memory is not taken from a queue's commands, though they are in no node's order: there is room
 * for one of the two allocations. */
static void commands_keep_what_they_use(void **state)
{
    const struct vidmm_host *host;
    struct queue queue;
    D3DKMT_HANDLE first, second;
    uint64_t address, come;

    (void)state;
    start(THUNK_QUEUES_GPU "hang 2 1\n");
    host = vidmm_slot_host(thunk_rig.slot);
    queue = queue_of(&one, context_of(&one), 1);
    first = thunk_create(&one, 300);
    second = thunk_create(&one, 300);
    thunk_make_resident(&one, first);
    address = thunk_map(&one, first, 300);
    succeeds(submit(&queue, 1, one.address, write_fill(0, address, 0x11111111)));
    succeeds(vidmm_thunk_Evict(
        one.process,
        &(D3DKMT_EVICT){.hDevice = one.device, .NumAllocations = 1, .AllocationList = &first}));
    come = ask_for(second);
    assert_false(host->wait(host->context, has_come, &come, UINT64_C(5000000000)));
    softgpu_device_release(thunk_rig.gpu);
    assert_true(host->wait(host->context, has_come, &come, UINT64_C(5000000000)));
    assert_int_equal(*queue.value, 1);
    thunk_finish(); /* and no page fault */
}

/* The driver bends what it says of its nodes. */
static UINT most_in_flight;

static NTSTATUS told_of_node(HANDLE adapter, UINT node, DXGKARG_GETNODEMETADATA *metadata)
{
    NTSTATUS status = real.DxgkDdiGetNodeMetadata(adapter, node, metadata);

    metadata->Flags.MaxInFlightHwQueueBuffers = most_in_flight & 0xffff;
    return status;
}

static void bend_nodes(DRIVER_INITIALIZATION_DATA *driver)
{
    bend(driver);
    driver->DxgkDdiGetNodeMetadata = told_of_node;
}

/* MaxInFlightHwQueueBuffers is about all queues of a node together; 0 is no limit. */
static void a_node_has_so_many_in_flight_as_its_driver_takes(void **state)
{
    (void)state;
    for (most_in_flight = 0; most_in_flight <= 3; most_in_flight += 3) {
        struct queue queues[2];
        D3DKMT_HANDLE context;

        memset(&seen, 0, sizeof(seen));
        thunk_bend = bend_nodes;
        thunk_start(THUNK_QUEUES_GPU);
        thunk_bend = NULL;
        begin_program(&one);
        context = context_of(&one);
        queues[0] = queue_of(&one, context, 0);
        queues[1] = queue_of(&one, context, 0);
        settle();
        for (unsigned i = 0; i < 4; i++)
            succeeds(submit(&queues[i % 2], i + 1, one.address + (i % 2) * SLOT,
                            write_signal(i % 2, queues[i % 2].address, 1)));
        assert_int_equal(seen.submitted, most_in_flight == 0 ? 4 : 3); /* none has run yet */
        settle();
        assert_int_equal(seen.submitted, 4);
        assert_int_equal(*queues[1].value, 4);
        thunk_finish();
    }
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void ids_grow(void **state)
{
    struct queue queue;

    (void)state;
    start(THUNK_QUEUES_GPU);
    queue = queue_of(&one, context_of(&one), 0);
    refused_with(submit(&queue, 0, one.address, 16), STATUS_INVALID_PARAMETER, "greater than");
    succeeds(submit(&queue, 3, one.address, write_signal(0, queue.address, 1)));
    refused_with(submit(&queue, 3, one.address, 16), STATUS_INVALID_PARAMETER, "greater than");
    refused_with(submit(&queue, 2, one.address, 16), STATUS_INVALID_PARAMETER, "greater than");
    settle();
    assert_int_equal(seen.submitted, 1);
    succeeds(submit(&queue, 4, one.address, write_signal(0, queue.address, 1)));
    settle();
    assert_int_equal(*queue.value, 4);
    thunk_finish();
}

static void a_context_has_queues_or_commands_of_its_own(void **state)
{
    D3DKMT_SUBMITCOMMAND command = {
        .Commands = 0x1000, .CommandLength = 16, .BroadcastContextCount = 1};

    (void)state;
    start(THUNK_QUEUES_GPU);
    command.BroadcastContext[0] = context_of(&one);
    refused_with(vidmm_thunk_SubmitCommand(one.process, &command), STATUS_INVALID_PARAMETER,
                 "hardware queues");
    refused_with(
        vidmm_thunk_CreateHwQueue(one.process, &(D3DKMT_CREATEHWQUEUE){.hHwContext = one.context}),
        STATUS_INVALID_PARAMETER, "made for hardware queues");
    thunk_finish();
}

static void a_gpu_without_them_has_none(void **state)
{
    D3DKMT_CREATECONTEXTVIRTUAL create = {.Flags = {.HwQueueSupported = 1}};
    D3DKMT_WDDM_2_7_CAPS caps = {.Value = 0};
    D3DKMT_QUERYADAPTERINFO query = {.Type = KMTQAITYPE_WDDM_2_7_CAPS,
                                     .pPrivateDriverData = &caps,
                                     .PrivateDriverDataSize = sizeof(caps)};

    (void)state;
    start(THUNK_GPU);
    create.hDevice = one.device;
    query.hAdapter = one.adapter;
    refused_with(vidmm_thunk_CreateContextVirtual(one.process, &create), STATUS_NOT_SUPPORTED,
                 "hardware queues");
    succeeds(vidmm_thunk_QueryAdapterInfo(one.process, &query));
    assert_int_equal(caps.HwSchSupported + caps.HwSchEnabled, 0);
    thunk_finish();
    start(THUNK_QUEUES_GPU);
    query.hAdapter = one.adapter;
    succeeds(vidmm_thunk_QueryAdapterInfo(one.process, &query));
    assert_int_equal(caps.HwSchSupported + caps.HwSchEnabled, 2);
    thunk_finish();
}

static void what_is_not_built_is_refused_by_name(void **state)
{
    struct queue queue;
    D3DKMT_HANDLE fence, mutex;
    UINT64 value = 1;
    D3DKMT_CREATESYNCHRONIZATIONOBJECT make = {.Info.Type = D3DDDI_SYNCHRONIZATION_MUTEX};
    D3DKMT_SUBMITSIGNALSYNCOBJECTSTOHWQUEUE signal = {.BroadcastHwQueueCount = 1,
                                                      .ObjectCount = 1,
                                                      .ObjectHandleArray = &fence,
                                                      .FenceValueArray = &value};

    (void)state;
    start(THUNK_QUEUES_GPU);
    queue = queue_of(&one, context_of(&one), 0);
    fence = new_fence();
    make.hDevice = one.device;
    succeeds(vidmm_thunk_CreateSynchronizationObject(one.process, &make));
    mutex = make.hSyncObject;
    refused_with(wait_in(&queue, mutex, 1), STATUS_INVALID_PARAMETER, "a monitored fence");
    signal.BroadcastHwQueueArray = &queue.handle;
    signal.Flags.EnqueueCpuEvent = 1;
    refused_with(vidmm_thunk_SubmitSignalSyncObjectsToHwQueue(one.process, &signal),
                 STATUS_NOT_SUPPORTED, "Flags");
    thunk_finish();
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

/* A queue that hangs costs every device: nothing less than the adapter's reset is known to help.
 * The waits for its fence end. */
static void a_queue_that_hangs_is_reset_with_the_adapter(void **state)
{
    struct vidmm_statistics statistics;
    struct queue queue;

    (void)state;
    start(THUNK_QUEUES_GPU "hang 2 1\n"); /* the first ring behind the two engines */
    queue = queue_of(&one, context_of(&one), 0);
    succeeds(submit(&queue, 1, one.address, write_signal(0, queue.address, 1)));
    assert_int_equal(wait_by_cpu(queue.fence, 1), STATUS_DEVICE_REMOVED);
    settle();
    assert_int_equal(state_of(&one), D3DKMT_DEVICEEXECUTION_RESET);
    assert_int_equal(*queue.value, UINT64_MAX);
    vidmm_adapter_statistics(thunk_rig.adapter, &statistics);
    assert_int_equal(statistics.resets, 1);
    assert_int_equal(statistics.preemptions + statistics.engine_resets, 0);
    begin_program(&other); /* the adapter goes on */
    thunk_finish_after_faults();
}

static bool never(void *argument)
{
    (void)argument;
    return false;
}

/* DisableGpuTimeout; 600 s are many timeouts. */
static void commands_without_a_timeout_may_take_any_time(void **state)
{
    struct vidmm_statistics statistics;
    struct queue queue;

    const struct vidmm_host *host;

    (void)state;
    start(THUNK_QUEUES_GPU "hang 2 1\n");
    host = vidmm_slot_host(thunk_rig.slot);
    queue = queue_of(&one, context_of(&one), 1);
    succeeds(submit(&queue, 1, one.address, write_signal(0, queue.address, 1)));
    assert_false(host->wait(host->context, never, NULL, UINT64_C(600000000000)));
    vidmm_adapter_statistics(thunk_rig.adapter, &statistics);
    assert_int_equal(statistics.resets, 0);
    assert_int_equal(state_of(&one), D3DKMT_DEVICEEXECUTION_ACTIVE);
    softgpu_device_release(thunk_rig.gpu);
    settle();
    assert_int_equal(*queue.value, 1);
    thunk_finish();
}

static void a_page_fault_in_a_queue_is_its_devices(void **state)
{
    D3DKMT_GETDEVICESTATE get = {.StateType = D3DKMT_DEVICESTATE_PAGE_FAULT};
    struct vidmm_statistics statistics;
    struct queue queue, second;
    D3DKMT_HANDLE context;

    (void)state;
    start(THUNK_QUEUES_GPU);
    context = context_of(&one);
    queue = queue_of(&one, context, 0);
    second = queue_of(&one, context, 0);
    succeeds(submit(&second, 1, one.address + SLOT, write_signal(1, second.address, 1)));
    settle();
    succeeds(submit(&queue, 6, one.address, write_fill(0, UINT64_C(0x7000000000), 1)));
    settle();
    assert_int_equal(state_of(&one), D3DKMT_DEVICEEXECUTION_ERROR_DMAPAGEFAULT);
    get.hDevice = one.device;
    succeeds(vidmm_thunk_GetDeviceState(one.process, &get));
    assert_int_equal(get.PageFaultState.FaultedVirtualAddress, UINT64_C(0x7000000000));
    vidmm_adapter_statistics(thunk_rig.adapter, &statistics);
    assert_int_equal(statistics.resets, 0);
    begin_program(&other); /* nobody else has lost anything */
    assert_int_equal(state_of(&other), D3DKMT_DEVICEEXECUTION_ACTIVE);
    thunk_finish_after_faults();
}

/* The packets of a queue ran on its node. */
static void packets_of_queues_count_for_their_node(void **state)
{
    D3DKMT_QUERYSTATISTICS query = {.Type = D3DKMT_QUERYSTATISTICS_NODE, .AdapterLuid = THUNK_LUID};
    const D3DKMT_QUERYSTATISTICS_PROCESS_NODE_INFORMATION *node =
        &query.QueryResult.NodeInformation.GlobalInformation;
    struct queue queue;

    (void)state;
    start(THUNK_QUEUES_GPU);
    queue = queue_of(&one, context_of(&one), 0);
    succeeds(submit(&queue, 1, one.address, write_signal(0, queue.address, 1)));
    succeeds(submit(&queue, 2, one.address, write_signal(0, queue.address, 1)));
    settle();
    succeeds(vidmm_thunk_QueryStatistics(one.process, &query));
    assert_int_equal(node->PacketStatistics.DmaPacket[D3DKMT_ClientRenderBuffer].PacketCompleted,
                     2);
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_done_when_the_progress_fence_has_their_id),
        cmocka_unit_test(the_driver_is_told_what_its_pages_say),
        cmocka_unit_test(a_queue_does_not_wait_for_another),
        cmocka_unit_test(queues_wait_for_what_others_signal),
        cmocka_unit_test(the_queues_of_a_gpu_are_few),
        cmocka_unit_test(queues_go_with_what_they_belong_to),
        cmocka_unit_test(commands_keep_what_they_use),
        cmocka_unit_test(a_node_has_so_many_in_flight_as_its_driver_takes),
        cmocka_unit_test(ids_grow),
        cmocka_unit_test(a_context_has_queues_or_commands_of_its_own),
        cmocka_unit_test(a_gpu_without_them_has_none),
        cmocka_unit_test(what_is_not_built_is_refused_by_name),
        cmocka_unit_test(a_queue_that_hangs_is_reset_with_the_adapter),
        cmocka_unit_test(commands_without_a_timeout_may_take_any_time),
        cmocka_unit_test(a_page_fault_in_a_queue_is_its_devices),
        cmocka_unit_test(packets_of_queues_count_for_their_node),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
