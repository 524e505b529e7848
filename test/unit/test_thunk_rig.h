/* test_thunk_rig.h: two programs that reach an adapter by thunks alone.
 *
 *     thunk_start(gpu)     a machine of one adapter on a software GPU, two processes
 *     begin_program(...)   adapter opened, device, context, paging queue, a page of commands
 *     thunk_finish()       the processes end; driver and GPU found nothing wrong, nothing is left
 */
#ifndef TEST_UNIT_TEST_THUNK_RIG_H
#define TEST_UNIT_TEST_THUNK_RIG_H

#include "test_adapter_rig.h"

#include <vidmm/host.h>
#include <wddm/d3dkmthk.h>

#include "thunk/calls.h"
#include "thunk/thunk.h"

#define THUNK_GPU                                                                                  \
    "wddm 2.6\nmmu gpu\nsegment 1 aperture 1M\nsegment 2 memory 2M cpuvisible\nprivate_data 64\n"

/* ... that has hardware queues. */
#define THUNK_QUEUES_GPU THUNK_GPU "hw_queues 4\n"

#define THUNK_LUID ((LUID){.LowPart = 0x1234, .HighPart = 7})

/* A program, as far as it goes by itself. */
struct thunk_program {
    struct vidmm_thunk_process *process;
    D3DKMT_HANDLE adapter, device, context, queue;
    const volatile uint64_t *fence; /* of the queue */
    char *bytes;                    /* a page: the commands */
    D3DKMT_HANDLE commands;
    uint64_t address; /* of the commands */
};

static struct rig thunk_rig;
static struct vidmm_thunk_machine *thunk_machine;
static struct thunk_program one, other;
static bool thunk_shares; /* mmu io: addresses are the CPU's, and allocations in system memory */

static inline void succeeds(NTSTATUS status)
{
    if (status != STATUS_SUCCESS)
        fail_msg("0x%08x: %s", (unsigned)status, vidmm_thunk_reason());
}

/* Refused with the status, in words that have the text in them. */
static inline void refused_with(NTSTATUS status, NTSTATUS expected, const char *text)
{
    if (status != expected)
        fail_msg("0x%08x, expected 0x%08x: %s", (unsigned)status, (unsigned)expected,
                 vidmm_thunk_reason());
    if (strstr(vidmm_thunk_reason(), text) == NULL)
        fail_msg("\"%s\" has no \"%s\"", vidmm_thunk_reason(), text);
}

static inline void refused(NTSTATUS status, const char *text)
{
    refused_with(status, STATUS_INVALID_PARAMETER, text);
}

/* ---- a program ------------------------------------------------------------------------------- */

static inline bool thunk_has_come(void *argument)
{
    const struct {
        const volatile uint64_t *fence;
        uint64_t value;
    } *wish = argument;

    return __atomic_load_n(wish->fence, __ATOMIC_ACQUIRE) >= wish->value;
}

/* STATUS_PENDING is waited for by the fence that the CPU reads. */
static inline void comes(const struct thunk_program *program, NTSTATUS status, uint64_t value)
{
    const struct vidmm_host *host = vidmm_slot_host(thunk_rig.slot);
    struct {
        const volatile uint64_t *fence;
        uint64_t value;
    } wish = {program->fence, value};

    if (status != STATUS_SUCCESS && status != STATUS_PENDING)
        fail_msg("0x%08x: %s", (unsigned)status, vidmm_thunk_reason());
    if (status == STATUS_PENDING)
        assert_true(host->wait(host->context, thunk_has_come, &wish, UINT64_C(10000000000)));
}

static inline struct softgpu_allocation thunk_wish(uint64_t pages, uint32_t flags, uint32_t set)
{
    return (struct softgpu_allocation){.magic = SOFTGPU_ALLOCATION_MAGIC,
                                       .flags = flags,
                                       .size = pages * VIDMM_PAGE_SIZE,
                                       .read_set = set,
                                       .write_set = set,
                                       .evict_set = 1,
                                       .priority = SOFTGPU_PRIORITY_NORMAL};
}

static inline D3DKMT_HANDLE thunk_create(struct thunk_program *program, uint64_t pages)
{
    struct softgpu_allocation wish = thunk_wish(pages, 0, thunk_shares ? 1 : 2);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {
        .hDevice = program->device, .NumAllocations = 1, .pAllocationInfo2 = &info};

    succeeds(vidmm_thunk_CreateAllocation2(program->process, &create));
    return info.hAllocation;
}

static inline void thunk_make_resident(struct thunk_program *program, D3DKMT_HANDLE allocation)
{
    D3DDDI_MAKERESIDENT make = {
        .hPagingQueue = program->queue, .NumAllocations = 1, .AllocationList = &allocation};
    NTSTATUS status = vidmm_thunk_MakeResident(program->process, &make);

    comes(program, status, make.PagingFenceValue);
}

/* The address of Lock2, which stays. */
static inline uint64_t thunk_lock(struct thunk_program *program, D3DKMT_HANDLE allocation)
{
    D3DKMT_LOCK2 lock = {.hDevice = program->device, .hAllocation = allocation};

    succeeds(vidmm_thunk_Lock2(program->process, &lock));
    return (uint64_t)(uintptr_t)lock.pData;
}

static inline uint64_t thunk_map(struct thunk_program *program, D3DKMT_HANDLE allocation,
                                 uint64_t pages)
{
    if (thunk_shares)
        return thunk_lock(program, allocation);

    D3DDDI_MAPGPUVIRTUALADDRESS map = {.hPagingQueue = program->queue,
                                       .hAllocation = allocation,
                                       .SizeInPages = pages,
                                       .Protection = {.Write = 1, .Execute = 1}};
    NTSTATUS status = vidmm_thunk_MapGpuVirtualAddress(program->process, &map);

    comes(program, status, map.PagingFenceValue);
    return map.VirtualAddress;
}

static inline void thunk_make_commands(struct thunk_program *program)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.ExistingSysMem = 1, .Cached = 1, .CpuVisible = 1};
    struct softgpu_allocation wish = thunk_wish(1, flags.Value, 1);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {
        .hDevice = program->device, .NumAllocations = 1, .pAllocationInfo2 = &info};

    program->bytes = aligned_alloc(VIDMM_PAGE_SIZE, VIDMM_PAGE_SIZE);
    assert_non_null(program->bytes);
    memset(program->bytes, 0, VIDMM_PAGE_SIZE);
    info.pSystemMem = program->bytes;
    succeeds(vidmm_thunk_CreateAllocation2(program->process, &create));
    program->commands = info.hAllocation;
    thunk_make_resident(program, program->commands);
    program->address = thunk_map(program, program->commands, 1);
}

static inline void begin_program(struct thunk_program *program)
{
    D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = THUNK_LUID};
    D3DKMT_CREATEDEVICE device = {0};
    D3DKMT_CREATECONTEXTVIRTUAL context = {0};
    D3DKMT_CREATEPAGINGQUEUE queue = {0};

    succeeds(vidmm_thunk_OpenAdapterFromLuid(program->process, &open));
    program->adapter = device.hAdapter = open.hAdapter;
    succeeds(vidmm_thunk_CreateDevice(program->process, &device));
    program->device = context.hDevice = queue.hDevice = device.hDevice;
    succeeds(vidmm_thunk_CreateContextVirtual(program->process, &context));
    program->context = context.hContext;
    succeeds(vidmm_thunk_CreatePagingQueue(program->process, &queue));
    program->queue = queue.hPagingQueue;
    program->fence = queue.FenceValueCPUVirtualAddress;
    thunk_make_commands(program);
}

/* A program of WDDM 1.x: adapter and device. */
static inline void begin_old_program(struct thunk_program *program)
{
    D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = THUNK_LUID};
    D3DKMT_CREATEDEVICE device = {0};

    succeeds(vidmm_thunk_OpenAdapterFromLuid(program->process, &open));
    program->adapter = device.hAdapter = open.hAdapter;
    succeeds(vidmm_thunk_CreateDevice(program->process, &device));
    program->device = device.hDevice;
}

/* The place that it has now. */
static inline D3DKMT_ALLOCATIONRESIDENCYSTATUS thunk_residency(const struct thunk_program *program,
                                                               D3DKMT_HANDLE allocation)
{
    D3DKMT_ALLOCATIONRESIDENCYSTATUS status = 0;
    D3DKMT_QUERYALLOCATIONRESIDENCY query = {.hDevice = program->device,
                                             .phAllocationList = &allocation,
                                             .AllocationCount = 1,
                                             .pResidencyStatus = &status};

    succeeds(vidmm_thunk_QueryAllocationResidency(program->process, &query));
    return status;
}

static inline bool thunk_is_in_memory(const struct thunk_program *program, D3DKMT_HANDLE allocation)
{
    return thunk_residency(program, allocation) ==
           D3DKMT_ALLOCATIONRESIDENCYSTATUS_RESIDENTINGPUMEMORY;
}

/* A message to the memory manager. */
static inline NTSTATUS thunk_escape(const struct thunk_program *program,
                                    D3DKMT_VIDMM_ESCAPE *message)
{
    D3DKMT_ESCAPE arguments = {.hAdapter = program->adapter,
                               .Type = D3DKMT_ESCAPE_VIDMM,
                               .pPrivateDriverData = message,
                               .PrivateDriverDataSize = sizeof(*message)};

    return vidmm_thunk_Escape(program->process, &arguments);
}

/* ---- commands -------------------------------------------------------------------------------- */

/* Commands of that length, from that byte of the page of commands on. Answers the submission. */
static inline NTSTATUS thunk_submit(const struct thunk_program *program, uint32_t from,
                                    size_t length)
{
    D3DKMT_SUBMITCOMMAND command = {.Commands = program->address + from,
                                    .CommandLength = (UINT)length,
                                    .BroadcastContextCount = 1,
                                    .BroadcastContext = {program->context}};

    return vidmm_thunk_SubmitCommand(program->process, &command);
}

/* Have the GPU check the pages at an address, and write them. Commands of several programs, or in a
 * queue, stand from different bytes on. */
static inline NTSTATUS thunk_touch_from(const struct thunk_program *program, uint32_t from,
                                        uint64_t address, uint32_t pages, uint32_t id,
                                        uint32_t generation)
{
    struct {
        struct softgpu_virtual_touch touch;
        struct softgpu_virtual_reference reference;
    } *words = (void *)(program->bytes + from);

    words->touch = (struct softgpu_virtual_touch){
        .command = {SOFTGPU_VIRTUAL_TOUCH, sizeof(*words)}, .reference_count = 1, .seed = RIG_SEED};
    words->reference = (struct softgpu_virtual_reference){.gpuva = address,
                                                          .pages = pages,
                                                          .content_id = id,
                                                          .generation = generation,
                                                          .flags = SOFTGPU_REFERENCE_WRITE};
    return thunk_submit(program, from, sizeof(*words));
}

static inline NTSTATUS thunk_touch(const struct thunk_program *program, uint64_t address,
                                   uint32_t pages, uint32_t id, uint32_t generation)
{
    return thunk_touch_from(program, 0, address, pages, id, generation);
}

/* A command that touches nothing, aside. */
static inline NTSTATUS thunk_touch_nothing(const struct thunk_program *program)
{
    enum { ASIDE = 2048 };
    struct softgpu_virtual_touch *nothing = (void *)(program->bytes + ASIDE);

    *nothing = (struct softgpu_virtual_touch){.command = {SOFTGPU_VIRTUAL_TOUCH, sizeof(*nothing)}};
    return thunk_submit(program, ASIDE, sizeof(*nothing));
}

/* ---- the machine ----------------------------------------------------------------------------- */

/* A driver whose queries are answered by thunk_query, unless that is NULL; and its own function. */
static DXGKDDI_QUERYADAPTERINFO *thunk_query, *thunk_driver_query;

/* Puts itself between the manager and the driver, unless it is NULL. */
static void (*thunk_bend)(DRIVER_INITIALIZATION_DATA *driver);

/* The adapter says that it is this. */
static const char *thunk_description;
static uint64_t thunk_driver_version;

/* threads: the machine has threads, and so has the test. */
static inline void thunk_start_machine(const char *gpu, bool threads)
{
    struct rig_options options = rig_defaults();
    struct vidmm_thunk_adapter adapter = {.luid = THUNK_LUID,
                                          .description = thunk_description,
                                          .driver_version = thunk_driver_version};

    thunk_shares = strstr(gpu, "mmu io") != NULL;
    options.gpu = gpu;
    options.kind = threads ? VIDMM_MACHINE_THREADED : VIDMM_MACHINE_SIMULATED;
    options.visitors = threads;
    rig_build(&thunk_rig, &options);
    thunk_driver_query = thunk_rig.driver.DxgkDdiQueryAdapterInfo;
    if (thunk_query != NULL)
        thunk_rig.driver.DxgkDdiQueryAdapterInfo = thunk_query;
    if (thunk_bend != NULL)
        thunk_bend(&thunk_rig.driver);
    if (vidmm_adapter_start(vidmm_slot_host(thunk_rig.slot), &thunk_rig.driver, &thunk_rig,
                            &thunk_rig.options.adapter, &thunk_rig.adapter,
                            &thunk_rig.report) != STATUS_SUCCESS)
        fail_msg("%s", thunk_rig.report.text);
    adapter.adapter = thunk_rig.adapter;
    thunk_machine = vidmm_thunk_machine_create(&adapter, 1);
    assert_non_null(thunk_machine);
    one = other = (struct thunk_program){0};
    one.process = vidmm_thunk_process_create(thunk_machine, 1);
    other.process = vidmm_thunk_process_create(thunk_machine, 2);
    assert_true(one.process != NULL && other.process != NULL);
}

static inline void thunk_start(const char *gpu)
{
    thunk_start_machine(gpu, false);
}

static inline void thunk_end_processes(void)
{
    vidmm_thunk_process_destroy(one.process);
    vidmm_thunk_process_destroy(other.process);
    free(one.bytes);
    free(other.bytes);
    vidmm_thunk_machine_destroy(thunk_machine);
}

static inline void thunk_finish(void)
{
    struct softgpu_statistics gpu;

    thunk_end_processes();
    rig_judge(&thunk_rig, thunk_rig.gpu);
    softgpu_device_statistics(thunk_rig.gpu, &gpu);
    assert_int_equal(gpu.page_faults, 0);
    rig_finish(&thunk_rig);
}

/* As above, of a test whose commands meet addresses that lead nowhere. */
static inline void thunk_finish_after_faults(void)
{
    thunk_end_processes();
    rig_finish(&thunk_rig);
}

#endif
