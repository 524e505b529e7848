/* program.c: a program of the model, with the public headers alone, from its first call to its
 * last.
 *
 *     program THREADS [COUNT]     1 to 8 threads, each with a device of its own
 *
 * Each thread: CPU and GPU write the same memory in turns, by Lock2 and monitored fences. Then
 * 1,000 allocations, or COUNT, of twice the memory that the machine has by default: the GPU fills
 * pages of each, all are evicted, and read back by the GPU when they have come in again. Then the
 * program is told to trim, and two processes of the model share resources and a fence, by a handle
 * that all processes know and by descriptors; so do two processes of the system. Exit status
 * 0: every byte was right.
 */
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <vidmm/dxcore.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/d3dkmthk_calls.h>
#include <wddm/ntstatus.h>

#ifdef UMD_ATLAS
#include "umd_atlas.h"
#else
#include "umd_softgpu.h"
#endif

void begin_other_process(void);
int play(int number, int allocations);

enum {
    ALLOCATIONS = 1000,
    BATCHES = 40,
    MOST_BATCH = 25,
    PAGES = 131,
    MOST_THREADS = 8,
    WORDS = 16,
    PAGE = 4096
};
enum { TURNS = 12, TURNS_IN_PLACE = 4 };
enum { COMMANDS = 1 << 20, RESULTS = MOST_BATCH * PAGE, LONGEST = 256 };

struct user {
    unsigned number, count, batch; /* allocations that are its own, and how many at a time */
    D3DKMT_HANDLE adapter, device, context, queue;
    const volatile uint64_t *paged;
    char *bytes; /* commands, results, then the fence */
    void *own;   /* what the CPU writes, where it cannot lock the GPU's memory; or NULL */
    D3DKMT_HANDLE memory;
    uint64_t address; /* of the bytes */
    size_t used;      /* bytes of commands */
    uint64_t value;   /* the newest that was signalled */
    D3DKMT_HANDLE allocations[ALLOCATIONS];
    uint64_t addresses[ALLOCATIONS];
};

static _Noreturn void fail(const char *what, NTSTATUS status)
{
    fprintf(stderr, "program: %s: 0x%08x: %s\n", what, (unsigned)status, vidmm_refusal());
    exit(1);
}

static void check(const char *what, NTSTATUS status)
{
    if (status != STATUS_SUCCESS)
        fail(what, status);
}

/* Wait until memory has a value, for a minute at most. */
static void await(const volatile uint64_t *fence, uint64_t value, const char *what)
{
    const struct timespec pause = {.tv_nsec = 50000};

    for (unsigned i = 0; i < 1000000; i++) {
        if (__atomic_load_n(fence, __ATOMIC_ACQUIRE) >= value)
            return;
        nanosleep(&pause, NULL);
    }
    fail(what, STATUS_TIMEOUT);
}

/* A call that is pending has come to its end when the queue's fence says so. */
static void come(struct user *user, const char *what, NTSTATUS status, uint64_t value)
{
    if (status != STATUS_SUCCESS && status != STATUS_PENDING)
        fail(what, status);
    if (status == STATUS_PENDING)
        await(user->paged, value, what);
}

/* ---- making ---------------------------------------------------------------------------------- */

static uint64_t map(struct user *user, D3DKMT_HANDLE allocation, unsigned pages)
{
    D3DDDI_MAPGPUVIRTUALADDRESS arguments = {.hPagingQueue = user->queue,
                                             .hAllocation = allocation,
                                             .SizeInPages = pages,
                                             .Protection = {.Write = 1, .Execute = 1}};
    NTSTATUS status = D3DKMTMapGpuVirtualAddress(&arguments);

    come(user, "MapGpuVirtualAddress", status, arguments.PagingFenceValue);
    return arguments.VirtualAddress;
}

static void make_resident(struct user *user, const D3DKMT_HANDLE *allocations, unsigned count)
{
    D3DDDI_MAKERESIDENT arguments = {
        .hPagingQueue = user->queue, .NumAllocations = count, .AllocationList = allocations};
    const struct timespec pause = {.tv_nsec = 1000000};
    NTSTATUS status = D3DKMTMakeResident(&arguments);

    /* Over the budget: the other threads will trim. */
    for (unsigned i = 0; i < 60000 && status == STATUS_NO_MEMORY; i++) {
        nanosleep(&pause, NULL);
        status = D3DKMTMakeResident(&arguments);
    }
    come(user, "MakeResident", status, arguments.PagingFenceValue);
}

static void evict(struct user *user, const D3DKMT_HANDLE *allocations, unsigned count)
{
    D3DKMT_EVICT arguments = {
        .hDevice = user->device, .NumAllocations = count, .AllocationList = allocations};

    check("Evict", D3DKMTEvict(&arguments));
}

static void open_device(struct user *user)
{
    D3DKMT_ADAPTERINFO infos[4];
    D3DKMT_ENUMADAPTERS2 list = {.NumAdapters = 4, .pAdapters = infos};
    D3DKMT_CREATEDEVICE device = {0};
    D3DKMT_CREATECONTEXTVIRTUAL context = {0};
    D3DKMT_CREATEPAGINGQUEUE queue = {0};

    check("EnumAdapters2", D3DKMTEnumAdapters2(&list));
    if (list.NumAdapters != 1)
        fail("the number of adapters", (NTSTATUS)list.NumAdapters);
    user->adapter = device.hAdapter = infos[0].hAdapter;
    check("CreateDevice", D3DKMTCreateDevice(&device));
    user->device = context.hDevice = queue.hDevice = device.hDevice;
    check("CreateContextVirtual", D3DKMTCreateContextVirtual(&context));
    user->context = context.hContext;
    check("CreatePagingQueue", D3DKMTCreatePagingQueue(&queue));
    user->queue = queue.hPagingQueue;
    user->paged = queue.FenceValueCPUVirtualAddress;
}

/* Memory of the program's own that the GPU sees: commands, results, a fence. */
static void open_memory(struct user *user)
{
    enum { SIZE = COMMANDS + RESULTS + PAGE };
    umd_wish wish = umd_wish_for(SIZE / PAGE, true, false);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {
        .hDevice = user->device, .NumAllocations = 1, .pAllocationInfo2 = &info};

    user->bytes = aligned_alloc(PAGE, SIZE);
    if (user->bytes == NULL)
        fail("memory", STATUS_NO_MEMORY);
    memset(user->bytes, 0, SIZE);
    info.pSystemMem = user->bytes;
    check("CreateAllocation2 of memory", D3DKMTCreateAllocation2(&create));
    user->memory = info.hAllocation;
    make_resident(user, &user->memory, 1);
    user->address = map(user, user->memory, SIZE / PAGE);
}

static void close_device(struct user *user)
{
    D3DKMT_DESTROYDEVICE device = {.hDevice = user->device};
    D3DKMT_CLOSEADAPTER adapter = {.hAdapter = user->adapter};

    check("DestroyDevice", D3DKMTDestroyDevice(&device));
    check("CloseAdapter", D3DKMTCloseAdapter(&adapter));
    free(user->bytes);
    free(user->own);
}

/* ---- commands -------------------------------------------------------------------------------- */

/* The place of the next command. */
static void *next_command(struct user *user)
{
    if (user->used + LONGEST > COMMANDS)
        fail("the commands are too many", STATUS_NO_MEMORY);
    return user->bytes + user->used;
}

static void fill(struct user *user, uint64_t address, uint32_t pattern)
{
    user->used += umd_fill(next_command(user), address, PAGE, pattern);
}

/* Have the GPU put bytes where the CPU sees them. */
static void fetch(struct user *user, uint64_t address, unsigned place)
{
    user->used += umd_copy(next_command(user), user->address + COMMANDS + (uint64_t)place * PAGE,
                           address, WORDS * sizeof(uint32_t));
}

/* Submit what was written since `begin`; await_gpu() waits for it. */
static void queue(struct user *user, size_t begin)
{
    D3DKMT_SUBMITCOMMAND arguments = {.Commands = user->address + begin,
                                      .BroadcastContextCount = 1,
                                      .BroadcastContext = {user->context}};

    user->used += umd_signal(next_command(user), user->address + COMMANDS + RESULTS, ++user->value);
    arguments.CommandLength = (UINT)(user->used - begin);
    check("SubmitCommand", D3DKMTSubmitCommand(&arguments));
}

static void await_gpu(struct user *user)
{
    const volatile uint64_t *fence = (void *)(user->bytes + COMMANDS + RESULTS);

    await(fence, user->value, "the GPU");
    user->used = 0;
}

static void submit(struct user *user, size_t begin)
{
    queue(user, begin);
    await_gpu(user);
}

static uint32_t pattern_of(const struct user *user, unsigned allocation)
{
    return 0x01000000u * (user->number + 1) + allocation;
}

static void compare(const struct user *user, unsigned place, uint32_t pattern)
{
    const uint32_t *words = (const void *)(user->bytes + COMMANDS + place * (size_t)PAGE);

    for (unsigned i = 0; i < WORDS; i++)
        if (words[i] != pattern) {
            fprintf(stderr, "program: word %u is 0x%08x, expected 0x%08x\n", i, words[i], pattern);
            exit(1);
        }
}

/* ---- fences ---------------------------------------------------------------------------------- */

static D3DKMT_HANDLE make_fence(struct user *user, D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS flags)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create = {.hDevice = user->device};

    create.Info.Type = D3DDDI_MONITORED_FENCE;
    create.Info.Flags = flags;
    check("CreateSynchronizationObject2", D3DKMTCreateSynchronizationObject2(&create));
    return create.hSyncObject;
}

static void signal_by_cpu(struct user *user, D3DKMT_HANDLE fence, UINT64 value)
{
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU arguments = {.hDevice = user->device,
                                                           .ObjectCount = 1,
                                                           .ObjectHandleArray = &fence,
                                                           .FenceValueArray = &value};

    check("SignalSynchronizationObjectFromCpu",
          D3DKMTSignalSynchronizationObjectFromCpu(&arguments));
}

static void signal_by_gpu(struct user *user, D3DKMT_HANDLE fence, UINT64 value)
{
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU arguments = {.hContext = user->context,
                                                           .ObjectCount = 1,
                                                           .ObjectHandleArray = &fence,
                                                           .MonitoredFenceValueArray = &value};

    check("SignalSynchronizationObjectFromGpu",
          D3DKMTSignalSynchronizationObjectFromGpu(&arguments));
}

static void hold_gpu(struct user *user, D3DKMT_HANDLE fence, UINT64 value)
{
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU arguments = {.hContext = user->context,
                                                            .ObjectCount = 1,
                                                            .ObjectHandleArray = &fence,
                                                            .MonitoredFenceValueArray = &value};

    check("WaitForSynchronizationObjectFromGpu",
          D3DKMTWaitForSynchronizationObjectFromGpu(&arguments));
}

/* Wait in the call, or by an event. */
static void wait_by_cpu(struct user *user, D3DKMT_HANDLE fence, UINT64 value, bool by_event)
{
    struct pollfd event = {.fd = by_event ? eventfd(0, 0) : -1, .events = POLLIN};
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU arguments = {
        .hDevice = user->device,
        .ObjectCount = 1,
        .ObjectHandleArray = &fence,
        .FenceValueArray = &value,
        .hAsyncEvent = by_event ? (HANDLE)(intptr_t)event.fd : NULL};

    check("WaitForSynchronizationObjectFromCpu",
          D3DKMTWaitForSynchronizationObjectFromCpu(&arguments));
    if (!by_event)
        return;
    if (poll(&event, 1, 60000) != 1)
        fail("the event of a wait", STATUS_TIMEOUT);
    close(event.fd);
}

/* ---- CPU and GPU in turns -------------------------------------------------------------------- */

static uint32_t *lock(struct user *user, D3DKMT_HANDLE allocation)
{
    D3DKMT_LOCK2 arguments = {.hDevice = user->device, .hAllocation = allocation};

    check("Lock2", D3DKMTLock2(&arguments));
    return arguments.pData;
}

static void unlock(struct user *user, D3DKMT_HANDLE allocation)
{
    check("Unlock2", D3DKMTUnlock2(&(D3DKMT_UNLOCK2){user->device, allocation}));
}

/* The CPU writes the first page, the GPU reads it and writes the second, which the CPU reads. */
static void take_turns(struct user *user, D3DKMT_HANDLE allocation, uint64_t address,
                       D3DKMT_HANDLE fence, unsigned turn)
{
    uint32_t pattern = pattern_of(user, turn), *words = lock(user, allocation);

    for (unsigned i = 0; i < WORDS; i++)
        words[i] = pattern;
    unlock(user, allocation);
    fetch(user, address, 0);
    fill(user, address + PAGE, ~pattern);
    queue(user, 0);
    signal_by_gpu(user, fence, turn);
    wait_by_cpu(user, fence, turn, turn % 2 != 0);
    await_gpu(user);
    compare(user, 0, pattern);
    words = lock(user, allocation);
    if (words[PAGE / sizeof(*words)] != ~pattern)
        fail("the CPU reads other bytes than the GPU wrote", STATUS_UNSUCCESSFUL);
    unlock(user, allocation);
}

static void exchange(struct user *user)
{
    umd_wish wish = umd_wish_for(2, false, true);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {
        .hDevice = user->device, .NumAllocations = 1, .pAllocationInfo2 = &info};
    D3DKMT_HANDLE fence = make_fence(user, (D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS){.Value = 0});
    uint64_t address, before = user->value;

    user->own = UMD_LOCKS_MEMORY ? NULL : aligned_alloc(PAGE, 2 * PAGE);
    if (!UMD_LOCKS_MEMORY && user->own == NULL)
        fail("memory", STATUS_NO_MEMORY);
    info.pSystemMem = user->own;
    check("CreateAllocation2, visible", D3DKMTCreateAllocation2(&create));
    make_resident(user, &info.hAllocation, 1);
    address = map(user, info.hAllocation, 2);
    for (unsigned turn = 1; turn <= TURNS; turn++) {
        take_turns(user, info.hAllocation, address, fence, turn);
        if (turn % TURNS_IN_PLACE == 0) {
            evict(user, &info.hAllocation, 1);
            make_resident(user, &info.hAllocation, 1);
        }
    }
    hold_gpu(user, fence, TURNS + 1);
    fetch(user, address, 0);
    queue(user, 0);
    if (*(volatile uint64_t *)(void *)(user->bytes + COMMANDS + RESULTS) != before + TURNS)
        fail("the GPU did not wait", STATUS_UNSUCCESSFUL);
    signal_by_cpu(user, fence, TURNS + 1);
    await_gpu(user);
    check("DestroySynchronizationObject",
          D3DKMTDestroySynchronizationObject(&(D3DKMT_DESTROYSYNCHRONIZATIONOBJECT){fence}));
    evict(user, &info.hAllocation, 1);
}

/* ---- the work -------------------------------------------------------------------------------- */

static void create_batch(struct user *user, unsigned first)
{
    umd_wish wishes[MOST_BATCH];
    D3DDDI_ALLOCATIONINFO2 infos[MOST_BATCH];
    D3DKMT_CREATEALLOCATION create = {
        .hDevice = user->device, .NumAllocations = user->batch, .pAllocationInfo2 = infos};

    memset(infos, 0, sizeof(infos));
    for (unsigned i = 0; i < user->batch; i++) {
        wishes[i] = umd_wish_for(PAGES, false, false);
        infos[i].pPrivateDriverData = &wishes[i];
        infos[i].PrivateDriverDataSize = sizeof(wishes[i]);
    }
    check("CreateAllocation2", D3DKMTCreateAllocation2(&create));
    for (unsigned i = 0; i < user->batch; i++) {
        user->allocations[first + i] = infos[i].hAllocation;
        user->addresses[first + i] = map(user, infos[i].hAllocation, PAGES);
    }
}

static void destroy_batch(struct user *user, unsigned first)
{
    D3DKMT_DESTROYALLOCATION2 destroy = {.hDevice = user->device,
                                         .phAllocationList = &user->allocations[first],
                                         .AllocationCount = user->batch};

    check("DestroyAllocation2", D3DKMTDestroyAllocation2(&destroy));
}

static void write_batch(struct user *user, unsigned first)
{
    make_resident(user, &user->allocations[first], user->batch);
    for (unsigned i = first; i < first + user->batch; i++) {
        fill(user, user->addresses[i], pattern_of(user, i));
        fill(user, user->addresses[i] + (PAGES - 1) * PAGE, ~pattern_of(user, i));
    }
    submit(user, 0);
    evict(user, &user->allocations[first], user->batch);
}

static void read_batch(struct user *user, unsigned first)
{
    make_resident(user, &user->allocations[first], user->batch);
    for (unsigned i = 0; i < user->batch; i++)
        fetch(user, user->addresses[first + i], i);
    submit(user, 0);
    for (unsigned i = 0; i < user->batch; i++)
        compare(user, i, pattern_of(user, first + i));
    for (unsigned i = 0; i < user->batch; i++)
        fetch(user, user->addresses[first + i] + (PAGES - 1) * PAGE, i);
    submit(user, 0);
    for (unsigned i = 0; i < user->batch; i++)
        compare(user, i, ~pattern_of(user, first + i));
    evict(user, &user->allocations[first], user->batch);
}

static void *work(void *argument)
{
    struct user *user = argument;

    open_device(user);
    open_memory(user);
    exchange(user);
    for (unsigned i = 0; i < user->count; i += user->batch) {
        create_batch(user, i);
        write_batch(user, i);
    }
    for (unsigned i = 0; i < user->count; i += user->batch)
        read_batch(user, i);
    for (unsigned i = 0; i < user->count; i += user->batch)
        destroy_batch(user, i);
    close_device(user);
    return NULL;
}

/* ---- two processes --------------------------------------------------------------------------- */

static void share(struct user *one, struct user *two)
{
    umd_wish wish = umd_wish_for(PAGES, false, false), data;
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {.hDevice = one->device,
                                      .NumAllocations = 1,
                                      .pAllocationInfo2 = &info,
                                      .Flags = {.CreateResource = 1, .CreateShared = 1}};
    D3DDDI_OPENALLOCATIONINFO2 opened = {0};
    D3DKMT_OPENRESOURCE open = {.pOpenAllocationInfo2 = &opened,
                                .NumAllocations = 1,
                                .pTotalPrivateDriverDataBuffer = &data,
                                .TotalPrivateDriverDataBufferSize = sizeof(data)};

    check("CreateAllocation2, shared", D3DKMTCreateAllocation2(&create));
    make_resident(one, &info.hAllocation, 1);
    fill(one, map(one, info.hAllocation, PAGES), 0x5ba4ed);
    submit(one, 0);
    if (!vidmm_process_enter(2))
        fail("vidmm_process_enter", STATUS_UNSUCCESSFUL);
    open_device(two);
    open_memory(two);
    open.hDevice = two->device;
    open.hGlobalShare = create.hGlobalShare;
    check("OpenResource", D3DKMTOpenResource(&open));
    make_resident(two, &opened.hAllocation, 1);
    fetch(two, map(two, opened.hAllocation, PAGES), 0);
    submit(two, 0);
    compare(two, 0, 0x5ba4ed);
    if (D3DKMTDestroyDevice(&(D3DKMT_DESTROYDEVICE){.hDevice = one->device}) == STATUS_SUCCESS)
        fail("a device of another process was destroyed", STATUS_SUCCESS);
    if (!vidmm_process_enter(1) || !vidmm_process_end(2) || vidmm_process_end(2))
        fail("vidmm_process_end", STATUS_UNSUCCESSFUL);
    free(two->bytes); /* process 2 ended with its device open */
}

/* ---- ... by descriptors ---------------------------------------------------------------------- */

static HANDLE describe(D3DKMT_HANDLE object)
{
    HANDLE handle = NULL;

    check("ShareObjects", D3DKMTShareObjects(1, &object, NULL, 0, &handle));
    return handle;
}

/* Process 2 opens both descriptors. Answers the address of the resource. */
static uint64_t open_descriptors(struct user *two, HANDLE resource, HANDLE fence,
                                 D3DKMT_HANDLE *opened_fence)
{
    umd_wish data;
    D3DDDI_OPENALLOCATIONINFO2 opened = {0};
    D3DKMT_OPENRESOURCEFROMNTHANDLE open = {.hDevice = two->device,
                                            .hNtHandle = resource,
                                            .NumAllocations = 1,
                                            .pOpenAllocationInfo2 = &opened,
                                            .pTotalPrivateDriverDataBuffer = &data,
                                            .TotalPrivateDriverDataBufferSize = sizeof(data)};
    D3DKMT_OPENSYNCOBJECTFROMNTHANDLE2 open_fence = {.hNtHandle = fence, .hDevice = two->device};

    check("OpenResourceFromNtHandle", D3DKMTOpenResourceFromNtHandle(&open));
    check("OpenSyncObjectFromNtHandle2", D3DKMTOpenSyncObjectFromNtHandle2(&open_fence));
    close((int)(intptr_t)resource);
    close((int)(intptr_t)fence);
    *opened_fence = open_fence.hSyncObject;
    make_resident(two, &opened.hAllocation, 1);
    return map(two, opened.hAllocation, PAGES);
}

/* The GPU of process 2 reads when process 1 says so. */
static void share_by_descriptors(struct user *one, struct user *two)
{
    umd_wish wish = umd_wish_for(PAGES, false, false);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {
        .hDevice = one->device,
        .NumAllocations = 1,
        .pAllocationInfo2 = &info,
        .Flags = {.CreateResource = 1, .CreateShared = 1, .NtSecuritySharing = 1}};
    D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS shared = {.Shared = 1, .NtSecuritySharing = 1};
    D3DKMT_HANDLE fence = make_fence(one, shared), opened_fence;
    HANDLE resource_handle, fence_handle = describe(fence);

    check("CreateAllocation2, for descriptors", D3DKMTCreateAllocation2(&create));
    resource_handle = describe(create.hResource);
    make_resident(one, &info.hAllocation, 1);
    fill(one, map(one, info.hAllocation, PAGES), 0xde5c);
    submit(one, 0);
    if (!vidmm_process_enter(3))
        fail("vidmm_process_enter", STATUS_UNSUCCESSFUL);
    open_device(two);
    open_memory(two);
    fetch(two, open_descriptors(two, resource_handle, fence_handle, &opened_fence), 0);
    hold_gpu(two, opened_fence, 1);
    queue(two, 0);
    vidmm_process_enter(1);
    signal_by_cpu(one, fence, 1);
    vidmm_process_enter(3);
    await_gpu(two);
    compare(two, 0, 0xde5c);
    if (!vidmm_process_enter(1) || !vidmm_process_end(3))
        fail("vidmm_process_end", STATUS_UNSUCCESSFUL);
    free(two->bytes);
}

/* ---- trims ----------------------------------------------------------------------------------- */

struct trim {
    struct user *user;
    D3DKMT_HANDLE allocation;
    volatile uint64_t told; /* bytes, once they have gone */
};

static void is_told(D3DKMT_TRIMNOTIFICATION *notification)
{
    struct trim *trim = notification->Context;

    if (!notification->Flags.TrimToBudget || trim->told != 0)
        return;
    evict(trim->user, &trim->allocation, 1);
    __atomic_store_n(&trim->told, notification->NumBytesToTrim, __ATOMIC_RELEASE);
}

static void set_budget(struct user *user, uint64_t bytes)
{
    D3DKMT_VIDMM_ESCAPE ask = {.Type = D3DKMT_VIDMMESCAPETYPE_SET_BUDGET};
    D3DKMT_ESCAPE escape = {.hAdapter = user->adapter,
                            .Type = D3DKMT_ESCAPE_VIDMM,
                            .pPrivateDriverData = &ask,
                            .PrivateDriverDataSize = sizeof(ask)};

    ask.SetBudget.LocalMemoryBudget = bytes;
    ask.SetBudget.SystemMemoryBudget = UINT64_MAX;
    check("Escape, SetBudget", D3DKMTEscape(&escape));
}

static void trim(struct user *user)
{
    umd_wish wish = umd_wish_for(PAGES, false, false);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {
        .hDevice = user->device, .NumAllocations = 1, .pAllocationInfo2 = &info};
    D3DKMT_ADAPTERINFO infos[4];
    D3DKMT_ENUMADAPTERS2 list = {.NumAdapters = 4, .pAdapters = infos};
    struct trim told = {.user = user};
    D3DKMT_REGISTERTRIMNOTIFICATION wanted = {
        .hDevice = user->device, .Callback = is_told, .Context = &told};
    D3DKMT_UNREGISTERTRIMNOTIFICATION end = {.Callback = is_told};
    D3DKMT_QUERYVIDEOMEMORYINFO memory = {.MemorySegmentGroup = D3DKMT_MEMORY_SEGMENT_GROUP_LOCAL};

    check("EnumAdapters2", D3DKMTEnumAdapters2(&list));
    wanted.AdapterLuid = infos[0].AdapterLuid;
    check("CloseAdapter", D3DKMTCloseAdapter(&(D3DKMT_CLOSEADAPTER){infos[0].hAdapter}));
    check("CreateAllocation2", D3DKMTCreateAllocation2(&create));
    told.allocation = info.hAllocation;
    make_resident(user, &info.hAllocation, 1);
    check("RegisterTrimNotification", D3DKMTRegisterTrimNotification(&wanted));
    set_budget(user, 0);
    await(&told.told, PAGES * PAGE, "a request to trim");
    memory.hAdapter = user->adapter;
    check("QueryVideoMemoryInfo", D3DKMTQueryVideoMemoryInfo(&memory));
    if (memory.CurrentUsage != 0)
        fail("memory is used after a trim", STATUS_UNSUCCESSFUL);
    end.Handle = wanted.Handle;
    check("UnregisterTrimNotification", D3DKMTUnregisterTrimNotification(&end));
    set_budget(user, UINT64_MAX);
}

#include "other_process.h"

static void share_between_processes(void)
{
    static struct user one, two, three;

    open_device(&one);
    open_memory(&one);
    if (UMD_HAS_BUDGETS)
        trim(&one);
    share(&one, &two);
    share_by_descriptors(&one, &three);
    if (UMD_HAS_HEAPS)
        share_with_other_process(&one);
    else
        end_other_process();
    close_device(&one);
}

/* The whole, with so many threads and allocations. For the program in C++ too. */
int play(int number, int allocations)
{
    static struct user users[MOST_THREADS];
    pthread_t threads[MOST_THREADS];

    for (int i = 0; i < number; i++) {
        users[i].number = (unsigned)i;
        users[i].batch = (unsigned)(allocations / BATCHES);
        users[i].count = (unsigned)(allocations / number) / users[i].batch * users[i].batch;
        if (pthread_create(&threads[i], NULL, work, &users[i]) != 0)
            fail("a thread", STATUS_NO_MEMORY);
    }
    for (int i = 0; i < number; i++)
        pthread_join(threads[i], NULL);
    share_between_processes();
    puts("all bytes were right");
    return 0;
}

#ifndef WITHOUT_MAIN
int main(int count, char **arguments)
{
    int number = count >= 2 ? atoi(arguments[1]) : 0;
    int allocations = count >= 3 ? atoi(arguments[2]) : ALLOCATIONS;

    if (number >= 1 && number <= MOST_THREADS && allocations >= BATCHES &&
        allocations <= ALLOCATIONS) {
        begin_other_process();
        return play(number, allocations);
    }
    fprintf(stderr, "program THREADS [COUNT]: expected 1 to %d, and %d to %d\n", MOST_THREADS,
            BATCHES, ALLOCATIONS);
    return 2;
}
#endif
