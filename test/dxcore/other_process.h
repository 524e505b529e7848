/* other_process.h: a part of program.c: memory and a fence that two processes of the system share,
 * each with a machine of its own. The descriptors go over a socket.
 *
 *     this process                       the other one
 *     GPU fills page 0, signals 1 -----> GPU waits for it, reads the page
 *     CPU waits, reads    <------------- GPU fills the last page, signals 2
 *     CPU writes, signals 3 -----------> CPU waits, GPU reads
 */
#ifndef TEST_DXCORE_OTHER_PROCESS_H
#define TEST_DXCORE_OTHER_PROCESS_H

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define RUNTIME "words of the runtime"
enum { LAST = (PAGES - 1) * PAGE, FIRST_PATTERN = 0x0ae11, LAST_PATTERN = 0x0be22, CPU_WROTE = 77 };

static int other_socket;
static pid_t other_process;

union passed {
    struct cmsghdr header;
    char room[CMSG_SPACE(2 * sizeof(int))];
};

/* Send two descriptors, or receive them. */
static bool pass_descriptors(int socket, int descriptors[2], bool send)
{
    char byte = 0;
    struct iovec bytes = {&byte, 1};
    union passed passed;
    struct msghdr message = {.msg_iov = &bytes,
                             .msg_iovlen = 1,
                             .msg_control = &passed,
                             .msg_controllen = sizeof(passed)};

    memset(&passed, 0, sizeof(passed));
    passed.header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(2 * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    if (send)
        memcpy(CMSG_DATA(&passed.header), descriptors, 2 * sizeof(int));
    if ((send ? sendmsg(socket, &message, 0) : recvmsg(socket, &message, 0)) != 1)
        return false;
    if (!send)
        memcpy(descriptors, CMSG_DATA(&passed.header), 2 * sizeof(int));
    return true;
}

static void open_other_heap(struct user *user, HANDLE handle, D3DKMT_HANDLE *allocation)
{
    char runtime[sizeof(RUNTIME)] = "";
    D3DDDI_OPENALLOCATIONINFO2 opened = {0};
    D3DKMT_QUERYRESOURCEINFOFROMNTHANDLE query = {.hDevice = user->device, .hNtHandle = handle};
    D3DKMT_OPENRESOURCEFROMNTHANDLE open = {.hDevice = user->device,
                                            .hNtHandle = handle,
                                            .pOpenAllocationInfo2 = &opened,
                                            .pPrivateRuntimeData = runtime};

    check("QueryResourceInfoFromNtHandle", D3DKMTQueryResourceInfoFromNtHandle(&query));
    open.NumAllocations = query.NumAllocations;
    open.PrivateRuntimeDataSize = query.PrivateRuntimeDataSize;
    open.TotalPrivateDriverDataBufferSize = query.TotalPrivateDriverDataSize;
    open.ResourcePrivateDriverDataSize = query.ResourcePrivateDriverDataSize;
    open.pTotalPrivateDriverDataBuffer = malloc(query.TotalPrivateDriverDataSize + (size_t)1);
    open.pResourcePrivateDriverData = malloc(query.ResourcePrivateDriverDataSize + (size_t)1);
    check("OpenResourceFromNtHandle", D3DKMTOpenResourceFromNtHandle(&open));
    if (query.NumAllocations != 1 || strcmp(runtime, RUNTIME) != 0)
        fail("a resource of another process", STATUS_UNSUCCESSFUL);
    free(open.pTotalPrivateDriverDataBuffer);
    free(open.pResourcePrivateDriverData);
    *allocation = opened.hAllocation;
}

/* A socket that leads to nothing of ours, and a handle that leads to the other kind. */
static void refuse_wrong_handles(struct user *user, const int descriptors[2])
{
    D3DKMT_OPENSYNCOBJECTFROMNTHANDLE2 fence = {.hNtHandle = (HANDLE)(intptr_t)other_socket,
                                                .hDevice = user->device};
    D3DKMT_QUERYRESOURCEINFOFROMNTHANDLE query = {.hDevice = user->device,
                                                  .hNtHandle = (HANDLE)(intptr_t)descriptors[1]};

    if (D3DKMTOpenSyncObjectFromNtHandle2(&fence) != STATUS_INVALID_PARAMETER)
        fail("a socket without an object is opened", STATUS_UNSUCCESSFUL);
    fence.hNtHandle = (HANDLE)(intptr_t)descriptors[0];
    if (D3DKMTOpenSyncObjectFromNtHandle2(&fence) != STATUS_INVALID_PARAMETER)
        fail("a resource is opened as a fence", STATUS_UNSUCCESSFUL);
    if (D3DKMTQueryResourceInfoFromNtHandle(&query) != STATUS_INVALID_PARAMETER)
        fail("a fence is asked as a resource", STATUS_UNSUCCESSFUL);
}

static void live_in_other_process(void)
{
    static struct user user;
    D3DKMT_OPENSYNCOBJECTFROMNTHANDLE2 fence = {0};
    D3DKMT_HANDLE allocation;
    int descriptors[2];
    uint64_t address;

    if (!pass_descriptors(other_socket, descriptors, false))
        exit(0); /* there is nothing to share, or the first process has failed by itself */
    open_device(&user);
    open_memory(&user);
    refuse_wrong_handles(&user, descriptors);
    open_other_heap(&user, (HANDLE)(intptr_t)descriptors[0], &allocation);
    fence.hNtHandle = (HANDLE)(intptr_t)descriptors[1];
    fence.hDevice = user.device;
    check("OpenSyncObjectFromNtHandle2", D3DKMTOpenSyncObjectFromNtHandle2(&fence));
    close(descriptors[0]);
    close(descriptors[1]);
    make_resident(&user, &allocation, 1);
    address = map(&user, allocation, PAGES);
    fetch(&user, address, 0);
    fill(&user, address + LAST, LAST_PATTERN);
    hold_gpu(&user, fence.hSyncObject, 1);
    queue(&user, 0);
    signal_by_gpu(&user, fence.hSyncObject, 2);
    await_gpu(&user);
    compare(&user, 0, FIRST_PATTERN);
    wait_by_cpu(&user, fence.hSyncObject, 3, true);
    fetch(&user, address, 0);
    submit(&user, 0);
    if (*(const uint32_t *)(const void *)(user.bytes + COMMANDS) != CPU_WROTE)
        fail("the other process's GPU reads other bytes", STATUS_UNSUCCESSFUL);
    close_device(&user);
    exit(0);
}

/* Begin it, before this process has a machine or a thread. */
void begin_other_process(void)
{
    int sockets[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) != 0)
        fail("a pair of sockets", STATUS_NO_MEMORY);
    other_process = fork();
    other_socket = sockets[other_process == 0 ? 1 : 0];
    close(sockets[other_process == 0 ? 0 : 1]);
    if (other_process == 0)
        live_in_other_process();
}

static D3DKMT_HANDLE make_heap(struct user *user, void *bytes, D3DKMT_HANDLE *allocation)
{
    D3DDDI_ALLOCATIONINFO2 info = {.pSystemMem = bytes};
    D3DKMT_CREATESTANDARDALLOCATION standard = {.Type = D3DKMT_STANDARDALLOCATIONTYPE_EXISTINGHEAP,
                                                .ExistingHeapData.Size = (size_t)PAGES * PAGE};
    D3DKMT_CREATEALLOCATION create = {.hDevice = user->device,
                                      .pStandardAllocation = &standard,
                                      .NumAllocations = 1,
                                      .pAllocationInfo2 = &info,
                                      .pPrivateRuntimeData = RUNTIME,
                                      .PrivateRuntimeDataSize = sizeof(RUNTIME),
                                      .Flags = {.StandardAllocation = 1,
                                                .ExistingSysMem = 1,
                                                .CreateResource = 1,
                                                .CreateShared = 1,
                                                .NtSecuritySharing = 1,
                                                .CrossAdapter = 1}};

    check("CreateAllocation2, a heap", D3DKMTCreateAllocation2(&create));
    *allocation = info.hAllocation;
    return create.hResource;
}

/* One that has got nothing ends as well as one that has seen all. */
static void end_other_process(void)
{
    int status = 0;

    close(other_socket);
    if (waitpid(other_process, &status, 0) != other_process || status != 0)
        fail("the other process", STATUS_UNSUCCESSFUL);
}

/* Until both have ended with it. */
static void share_with_other_process(struct user *user)
{
    uint32_t *bytes = aligned_alloc(PAGE, (size_t)PAGES * PAGE);
    D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS shared = {.Shared = 1, .NtSecuritySharing = 1};
    D3DKMT_HANDLE allocation, resource, fence = make_fence(user, shared);
    D3DKMT_DESTROYALLOCATION2 destroy = {.hDevice = user->device};
    int descriptors[2];

    memset(bytes, 9, (size_t)PAGES * PAGE);
    resource = make_heap(user, bytes, &allocation);
    if (bytes[0] != 0x09090909)
        fail("a heap has lost its bytes", STATUS_UNSUCCESSFUL);
    descriptors[0] = (int)(intptr_t)describe(resource);
    descriptors[1] = (int)(intptr_t)describe(fence);
    if (!pass_descriptors(other_socket, descriptors, true))
        fail("the other process has gone", STATUS_UNSUCCESSFUL);
    close(descriptors[0]);
    close(descriptors[1]);
    make_resident(user, &allocation, 1);
    fill(user, map(user, allocation, PAGES), FIRST_PATTERN);
    queue(user, 0);
    signal_by_gpu(user, fence, 1);
    wait_by_cpu(user, fence, 2, false);
    await_gpu(user);
    if (bytes[LAST / sizeof(*bytes)] != LAST_PATTERN || bytes[WORDS] != FIRST_PATTERN)
        fail("the CPU reads other bytes than both GPUs wrote", STATUS_UNSUCCESSFUL);
    bytes[0] = CPU_WROTE;
    signal_by_cpu(user, fence, 3);
    end_other_process();
    destroy.hResource = resource;
    check("DestroyAllocation2", D3DKMTDestroyAllocation2(&destroy));
    free(bytes);
}

#endif
