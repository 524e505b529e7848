/* test_thunk_foreign.c: what goes from one process of the system to another, after the end of the
 * first, and while values grow and are set back. Two machines, one after the other, are the two
 * processes. */
#include "test_thunk_rig.h"

#include <sys/mman.h>
#include <unistd.h>

#include "thunk/carried.h"
#include "thunk/mirror.h"

enum { PAGES = 3, BYTES = PAGES * VIDMM_PAGE_SIZE, LATE_BYTE = 2 * VIDMM_PAGE_SIZE + 7 };

static void start(struct thunk_program *program)
{
    thunk_start_machine(THUNK_GPU, true);
    vidmm_thunk_machine_carry(thunk_machine);
    begin_program(program);
}

/* ---- heaps ----------------------------------------------------------------------------------- */

static D3DKMT_HANDLE make_heap(const struct thunk_program *program, void *bytes)
{
    D3DDDI_ALLOCATIONINFO2 info = {.pSystemMem = bytes};
    D3DKMT_CREATESTANDARDALLOCATION standard = {.Type = D3DKMT_STANDARDALLOCATIONTYPE_EXISTINGHEAP,
                                                .ExistingHeapData.Size = BYTES};
    D3DKMT_CREATEALLOCATION create = {.hDevice = program->device,
                                      .pStandardAllocation = &standard,
                                      .NumAllocations = 1,
                                      .pAllocationInfo2 = &info,
                                      .pPrivateRuntimeData = "runtime",
                                      .PrivateRuntimeDataSize = 8,
                                      .Flags = {.StandardAllocation = 1,
                                                .ExistingSysMem = 1,
                                                .CreateResource = 1,
                                                .CreateShared = 1,
                                                .NtSecuritySharing = 1,
                                                .CrossAdapter = 1}};

    succeeds(vidmm_thunk_CreateAllocation2(program->process, &create));
    return create.hResource;
}

static D3DKMT_HANDLE open_heap(const struct thunk_program *program, HANDLE handle)
{
    char runtime[8] = "", total[256], own[256];
    D3DDDI_OPENALLOCATIONINFO2 info = {0};
    D3DKMT_OPENRESOURCEFROMNTHANDLE open = {.hDevice = program->device,
                                            .hNtHandle = handle,
                                            .NumAllocations = 1,
                                            .pOpenAllocationInfo2 = &info,
                                            .pPrivateRuntimeData = runtime,
                                            .PrivateRuntimeDataSize = sizeof(runtime),
                                            .pTotalPrivateDriverDataBuffer = total,
                                            .TotalPrivateDriverDataBufferSize = sizeof(total),
                                            .pResourcePrivateDriverData = own};

    succeeds(vidmm_thunk_OpenResourceFromNtHandle(program->process, &open));
    assert_string_equal(runtime, "runtime");
    return info.hAllocation;
}

/* A byte of the memory that all processes have, by a handle of theirs. */
static unsigned char common_byte(HANDLE handle, off_t at)
{
    struct vidmm_carried carried;
    unsigned char byte = 0;

    assert_true(vidmm_carried_look((int)(intptr_t)handle, &carried));
    assert_int_equal(carried.kind, VIDMM_CARRIED_HEAP);
    assert_int_equal(pread(carried.file, &byte, 1, at), 1);
    close(carried.file);
    return byte;
}

/* Have the GPU write the first bytes. */
static void fill(const struct thunk_program *program, uint64_t address, HANDLE handle)
{
    struct softgpu_virtual_fill *command = (void *)program->bytes;

    *command = (struct softgpu_virtual_fill){.command = {SOFTGPU_VIRTUAL_FILL, sizeof(*command)},
                                             .gpuva = address,
                                             .space = SOFTGPU_VIRTUAL_SPACE,
                                             .bytes = 64,
                                             .pattern = 0x11111111};
    succeeds(thunk_submit(program, 0, sizeof(*command)));
    for (unsigned i = 0; i < 100000 && common_byte(handle, 63) != 0x11; i++)
        usleep(100);
    assert_int_equal(common_byte(handle, 0), 0x11);
    assert_int_equal(common_byte(handle, 63), 0x11);
    assert_int_equal(common_byte(handle, 64), 0x5a);
}

/* ---- fences ---------------------------------------------------------------------------------- */

struct fence {
    D3DKMT_HANDLE handle;
    const volatile uint64_t *value;
};

static uint64_t value_of(struct fence fence)
{
    return __atomic_load_n(fence.value, __ATOMIC_ACQUIRE);
}

static struct fence make_fence(const struct thunk_program *program, uint64_t value)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create = {.hDevice = program->device};

    create.Info.Type = D3DDDI_MONITORED_FENCE;
    create.Info.Flags.Shared = create.Info.Flags.NtSecuritySharing = 1;
    create.Info.MonitoredFence.InitialFenceValue = value;
    succeeds(vidmm_thunk_CreateSynchronizationObject2(program->process, &create));
    return (struct fence){create.hSyncObject,
                          create.Info.MonitoredFence.FenceValueCPUVirtualAddress};
}

static struct fence open_fence(const struct thunk_program *program, HANDLE handle)
{
    D3DKMT_OPENSYNCOBJECTFROMNTHANDLE2 open = {.hDevice = program->device, .hNtHandle = handle};

    succeeds(vidmm_thunk_OpenSyncObjectFromNtHandle2(program->process, &open));
    return (struct fence){open.hSyncObject, open.MonitoredFence.FenceValueCPUVirtualAddress};
}

static HANDLE share(const struct thunk_program *program, D3DKMT_HANDLE object)
{
    HANDLE handle = NULL;
    D3DKMT_SHAREOBJECTS arguments = {
        .ObjectCount = 1, .ObjectHandleArray = &object, .pSharedNtHandle = &handle};

    succeeds(vidmm_thunk_ShareObjectsInternal(program->process, &arguments));
    return handle;
}

static void signal_fence(const struct thunk_program *program, struct fence fence, UINT64 value)
{
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU arguments = {.hDevice = program->device,
                                                           .ObjectCount = 1,
                                                           .ObjectHandleArray = &fence.handle,
                                                           .FenceValueArray = &value};

    succeeds(vidmm_thunk_SignalSynchronizationObjectFromCpu(program->process, &arguments));
}

/* The value that all processes have, by a handle of theirs. */
static uint64_t common_value(HANDLE handle)
{
    struct vidmm_carried carried;
    uint64_t value;

    assert_true(vidmm_carried_look((int)(intptr_t)handle, &carried));
    assert_int_equal(carried.kind, VIDMM_CARRIED_FENCE);
    value = vidmm_mirror_value(carried.file);
    close(carried.file);
    return value;
}

/* A thread carries the values: for ten seconds at most. */
static void comes_to(HANDLE handle, uint64_t expected)
{
    for (unsigned i = 0; i < 100000 && common_value(handle) != expected; i++)
        usleep(100);
    assert_int_equal(common_value(handle), expected);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void handles_outlive_their_process(void **state)
{
    unsigned char *bytes =
        mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    HANDLE heap, fence_handle;
    D3DKMT_HANDLE allocation;
    struct fence fence;

    (void)state;
    assert_true(bytes != MAP_FAILED);
    memset(bytes, 0x5a, BYTES);
    start(&one);
    heap = share(&one, make_heap(&one, bytes));
    fence = make_fence(&one, 5);
    fence_handle = share(&one, fence.handle);
    signal_fence(&one, fence, 9);
    comes_to(fence_handle, 9);
    bytes[LATE_BYTE] = 0xa5; /* behind the creation */
    thunk_finish();
    munmap(bytes, BYTES);

    start(&one);
    fence = open_fence(&one, fence_handle);
    assert_int_equal(value_of(fence), 9);
    allocation = open_heap(&one, heap);
    thunk_make_resident(&one, allocation);
    assert_int_equal(common_byte(heap, LATE_BYTE), 0xa5);
    fill(&one, thunk_map(&one, allocation, PAGES), heap);
    signal_fence(&one, fence, 10);
    comes_to(fence_handle, 10);
    assert_int_not_equal(open_fence(&one, fence_handle).handle, fence.handle);
    close((int)(intptr_t)heap);
    close((int)(intptr_t)fence_handle);
    thunk_finish();
}

static void a_fence_that_is_set_back_stays_so_in_its_process(void **state)
{
    struct fence fence;
    HANDLE handle;

    (void)state;
    start(&one);
    fence = make_fence(&one, 1);
    handle = share(&one, fence.handle);
    signal_fence(&one, fence, 9);
    comes_to(handle, 9);
    signal_fence(&one, fence, 4);
    assert_int_equal(value_of(fence), 4);
    signal_fence(&one, fence, 6); /* others have seen more */
    assert_int_equal(value_of(fence), 6);
    assert_int_equal(common_value(handle), 9);
    signal_fence(&one, fence, 12);
    comes_to(handle, 12);
    close((int)(intptr_t)handle);
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_outlive_their_process),
        cmocka_unit_test(a_fence_that_is_set_back_stays_so_in_its_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
