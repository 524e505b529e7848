/* test_thunk_nt_handles.c: resources and fences that are shared by descriptors. */
#include "test_thunk_rig.h"

#include <sys/socket.h>
#include <unistd.h>

enum { PAGES = 2 };

static D3DKMT_HANDLE make_resource(D3DKMT_HANDLE *global)
{
    static struct softgpu_allocation wish;
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {
        .hDevice = one.device,
        .NumAllocations = 1,
        .pAllocationInfo2 = &info,
        .pPrivateRuntimeData = "runtime",
        .PrivateRuntimeDataSize = 8,
        .Flags = {.CreateResource = 1, .CreateShared = 1, .NtSecuritySharing = 1}};

    wish = thunk_wish(PAGES, 0, 2);
    succeeds(vidmm_thunk_CreateAllocation2(one.process, &create));
    *global = create.hGlobalShare;
    return create.hResource;
}

static D3DKMT_HANDLE make_fence(UINT flags)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create = {.hDevice = one.device};

    create.Info.Type = D3DDDI_MONITORED_FENCE;
    create.Info.Flags.Value = flags;
    create.Info.MonitoredFence.InitialFenceValue = 5;
    succeeds(vidmm_thunk_CreateSynchronizationObject2(one.process, &create));
    assert_int_equal(create.Info.SharedHandle, 0);
    return create.hSyncObject;
}

static NTSTATUS share(D3DKMT_HANDLE object, HANDLE *handle)
{
    D3DKMT_SHAREOBJECTS arguments = {
        .ObjectCount = 1, .ObjectHandleArray = &object, .pSharedNtHandle = handle};

    return vidmm_thunk_ShareObjectsInternal(one.process, &arguments);
}

static NTSTATUS open_fence(struct thunk_program *program, HANDLE handle, D3DKMT_HANDLE *fence,
                           const volatile uint64_t **value)
{
    D3DKMT_OPENSYNCOBJECTFROMNTHANDLE2 open = {.hDevice = program->device, .hNtHandle = handle};
    NTSTATUS status = vidmm_thunk_OpenSyncObjectFromNtHandle2(program->process, &open);

    *fence = open.hSyncObject;
    *value = open.MonitoredFence.FenceValueCPUVirtualAddress;
    return status;
}

static NTSTATUS open_resource(struct thunk_program *program, HANDLE handle,
                              D3DKMT_OPENRESOURCEFROMNTHANDLE *open)
{
    static D3DDDI_OPENALLOCATIONINFO2 info;
    static struct softgpu_allocation total;
    static char runtime[8];

    *open = (D3DKMT_OPENRESOURCEFROMNTHANDLE){.hDevice = program->device,
                                              .hNtHandle = handle,
                                              .NumAllocations = 1,
                                              .pOpenAllocationInfo2 = &info,
                                              .pPrivateRuntimeData = runtime,
                                              .PrivateRuntimeDataSize = sizeof(runtime),
                                              .pTotalPrivateDriverDataBuffer = &total,
                                              .TotalPrivateDriverDataBufferSize = sizeof(total)};
    return vidmm_thunk_OpenResourceFromNtHandle(program->process, open);
}

static void start(void)
{
    thunk_start(THUNK_GPU);
    begin_program(&one);
    begin_program(&other);
}

/* A descriptor that came over a socket is another number for the pipe. */
static int pass(int descriptor)
{
    int sockets[2], passed;
    char byte = 0;
    struct iovec bytes = {&byte, 1};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &bytes,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof(control)};

    memset(&control, 0, sizeof(control));
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    control.header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof(descriptor));
    assert_int_equal(sendmsg(sockets[0], &message, 0), 1);
    assert_int_equal(recvmsg(sockets[1], &message, 0), 1);
    memcpy(&passed, CMSG_DATA(&control.header), sizeof(passed));
    close(sockets[0]);
    close(sockets[1]);
    return passed;
}

static void a_descriptor_keeps_a_resource(void **state)
{
    D3DKMT_OPENRESOURCEFROMNTHANDLE open;
    D3DKMT_QUERYRESOURCEINFOFROMNTHANDLE query = {0};
    D3DKMT_GETSHAREDRESOURCEADAPTERLUID luid = {0};
    D3DKMT_HANDLE resource, global;
    HANDLE handle = NULL;
    int passed;

    (void)state;
    start();
    resource = make_resource(&global);
    assert_int_equal(global, 0);
    succeeds(share(resource, &handle));
    passed = pass((int)(intptr_t)handle);
    close((int)(intptr_t)handle);
    vidmm_thunk_process_destroy(one.process);
    one.process = NULL;
    query.hDevice = other.device;
    query.hNtHandle = (HANDLE)(intptr_t)passed;
    succeeds(vidmm_thunk_QueryResourceInfoFromNtHandle(other.process, &query));
    assert_int_equal(query.NumAllocations, 1);
    assert_int_equal(query.PrivateRuntimeDataSize, 8);
    luid.hNtHandle = query.hNtHandle;
    succeeds(vidmm_thunk_GetSharedResourceAdapterLuid(other.process, &luid));
    assert_int_equal(luid.AdapterLuid.LowPart, THUNK_LUID.LowPart);
    succeeds(open_resource(&other, query.hNtHandle, &open));
    assert_string_equal(open.pPrivateRuntimeData, "runtime");
    open.NumAllocations = 2;
    refused(vidmm_thunk_OpenResourceFromNtHandle(other.process, &open),
            "NumAllocations is 2; expected 1");
    close(passed);
    refused(open_resource(&other, query.hNtHandle, &open), "hNtHandle");
    thunk_make_resident(&other,
                        ((D3DDDI_OPENALLOCATIONINFO2 *)open.pOpenAllocationInfo2)->hAllocation);
    thunk_finish();
}

/* The last descriptor takes the fence with it, if no process has it open. */
static void a_descriptor_keeps_a_fence(void **state)
{
    D3DKMT_HANDLE fence = 0, opened = 0;
    const volatile uint64_t *value = NULL;
    HANDLE handle = NULL;
    int copy;

    (void)state;
    start();
    fence = make_fence(3);
    succeeds(share(fence, &handle));
    succeeds(vidmm_thunk_DestroySynchronizationObject(
        one.process, &(D3DKMT_DESTROYSYNCHRONIZATIONOBJECT){fence}));
    copy = dup((int)(intptr_t)handle);
    close((int)(intptr_t)handle);
    succeeds(open_fence(&other, (HANDLE)(intptr_t)copy, &opened, &value));
    assert_int_equal(*value, 5);
    close(copy);
    refused(open_fence(&other, (HANDLE)(intptr_t)copy, &fence, &value), "hNtHandle");
    succeeds(vidmm_thunk_DestroySynchronizationObject(
        other.process, &(D3DKMT_DESTROYSYNCHRONIZATIONOBJECT){opened}));
    thunk_finish();
}

static void wrong_descriptors_and_objects_are_refused(void **state)
{
    D3DKMT_OPENRESOURCEFROMNTHANDLE open;
    D3DKMT_OPENSYNCOBJECTFROMNTHANDLE2 with_flags = {0};
    D3DKMT_QUERYRESOURCEINFOFROMNTHANDLE query = {0};
    D3DKMT_GETSHAREDRESOURCEADAPTERLUID luid = {0};
    D3DKMT_SHAREOBJECTS objects = {.ObjectCount = 1};
    D3DKMT_HANDLE fence, opened, resource, global;
    const volatile uint64_t *value;
    HANDLE handle = NULL, none = NULL;
    int pipes[2];

    (void)state;
    start();
    fence = make_fence(3);
    resource = make_resource(&global);
    refused(share(make_fence(0), &none), "NtSecuritySharing");
    refused(share(one.device, &none), "NtSecuritySharing");
    refused(share(0, &none), "NtSecuritySharing");
    assert_null(none);
    refused(vidmm_thunk_ShareObjectsInternal(one.process, &objects), "ObjectHandleArray is NULL");
    objects.ObjectHandleArray = &fence;
    refused(vidmm_thunk_ShareObjectsInternal(one.process, &objects), "pSharedNtHandle is NULL");
    objects.pSharedNtHandle = &none;
    objects.ObjectCount = 2;
    refused(vidmm_thunk_ShareObjectsInternal(one.process, &objects), "takes 1");
    objects.ObjectCount = 1;
    objects.pObjectAttributes = &fence;
    refused_with(vidmm_thunk_ShareObjectsInternal(one.process, &objects), STATUS_NOT_SUPPORTED,
                 "names");
    succeeds(share(fence, &handle));
    refused(open_resource(&other, handle, &open), "leads to no resource");
    refused(open_resource(&other, NULL, &open), "leads to no resource");
    query.hDevice = one.device;
    query.hNtHandle = luid.hNtHandle = handle;
    refused(vidmm_thunk_QueryResourceInfoFromNtHandle(one.process, &query), "leads to no resource");
    refused(vidmm_thunk_GetSharedResourceAdapterLuid(one.process, &luid), "leads to no resource");
    assert_int_equal(pipe(pipes), 0);
    refused(open_fence(&other, (HANDLE)(intptr_t)pipes[1], &opened, &value), "leads to no");
    with_flags.hDevice = other.device;
    with_flags.hNtHandle = handle;
    with_flags.Flags.NoSignal = 1;
    refused(vidmm_thunk_OpenSyncObjectFromNtHandle2(other.process, &with_flags), "Flags");
    close((int)(intptr_t)handle);
    succeeds(share(resource, &handle));
    refused(open_fence(&other, handle, &opened, &value), "leads to no synchronization object");
    close((int)(intptr_t)handle);
    close(pipes[0]);
    close(pipes[1]);
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_descriptor_keeps_a_resource),
        cmocka_unit_test(a_descriptor_keeps_a_fence),
        cmocka_unit_test(wrong_descriptors_and_objects_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
