/* old.c: a program of WDDM 1, for the miniport of miniports/ring: command buffers with allocation
 * lists, and locks.
 *
 *     old THREADS COUNT [fork]     1 to 8 threads, each with a device and COUNT allocations
 *
 * Each allocation of 131 pages: the CPU writes page 0, the GPU fills page 1 and copies page 0 to
 * the last, and the CPU reads all three, when others have pushed it out. With `fork` a child does
 * the same on a machine of its own, while the parent's stands, and the parent once more behind it.
 * Exit status 0: every byte was right.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vidmm/dxcore.h>
#include <wddm/d3dkmthk_calls.h>
#include <wddm/ntstatus.h>

#include "ring/ring_hw.h"
#include "ring/ring_umd.h"

enum { MOST_THREADS = 8, MOST = 400, PAGES = 131, WORDS = RING_PAGE / 4 };

struct user {
    uint32_t number;
    D3DKMT_HANDLE adapter, device;
    D3DKMT_CREATECONTEXT context;
    D3DKMT_HANDLE allocations[MOST];
};

static unsigned count_of_each;

static void check(const char *what, NTSTATUS status)
{
    if (status == STATUS_SUCCESS)
        return;
    fprintf(stderr, "old: %s: 0x%08x: %s\n", what, (unsigned)status, vidmm_refusal());
    exit(1);
}

static uint32_t pattern_of(const struct user *user, unsigned i)
{
    return 0x01000000u * (user->number + 1) + i;
}

static void open_device(struct user *user)
{
    D3DKMT_ADAPTERINFO infos[4];
    D3DKMT_ENUMADAPTERS2 list = {.NumAdapters = 4, .pAdapters = infos};
    D3DKMT_CREATEDEVICE device = {0};

    check("EnumAdapters2", D3DKMTEnumAdapters2(&list));
    user->adapter = device.hAdapter = infos[0].hAdapter;
    check("CreateDevice", D3DKMTCreateDevice(&device));
    user->device = device.hDevice;
    user->context = (D3DKMT_CREATECONTEXT){.hDevice = user->device};
    check("CreateContext", D3DKMTCreateContext(&user->context));
}

static void create(struct user *user, unsigned i)
{
    struct ring_private wish = {RING_PRIVATE_MAGIC, RING_PRIVATE_LOCAL, PAGES * RING_PAGE};
    D3DDDI_ALLOCATIONINFO info = {.pPrivateDriverData = &wish,
                                  .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION arguments = {
        .hDevice = user->device, .NumAllocations = 1, .pAllocationInfo = &info};

    check("CreateAllocation", D3DKMTCreateAllocation(&arguments));
    user->allocations[i] = info.hAllocation;
}

static uint32_t *lock(struct user *user, unsigned i)
{
    D3DKMT_LOCK arguments = {
        .hDevice = user->device, .hAllocation = user->allocations[i], .Flags = {.LockEntire = 1}};

    check("Lock", D3DKMTLock(&arguments));
    return arguments.pData;
}

static void unlock(struct user *user, unsigned i)
{
    D3DKMT_UNLOCK arguments = {
        .hDevice = user->device, .NumAllocations = 1, .phAllocations = &user->allocations[i]};

    check("Unlock", D3DKMTUnlock(&arguments));
}

/* Fill page 1, and copy page 0 to the last. */
static void render(struct user *user, unsigned i)
{
    const struct ring_user_command commands[] = {
        {.opcode = RING_FILL,
         .pattern = ~pattern_of(user, i),
         .offset = RING_PAGE,
         .count = RING_PAGE},
        {.opcode = RING_COPY, .offset = (PAGES - 1) * (uint64_t)RING_PAGE, .count = RING_PAGE},
    };
    D3DKMT_RENDER arguments = {.hContext = user->context.hContext,
                               .CommandLength = sizeof(commands),
                               .AllocationCount = 1};

    memcpy(user->context.pCommandBuffer, commands, sizeof(commands));
    user->context.pAllocationList[0] =
        (D3DDDI_ALLOCATIONLIST){.hAllocation = user->allocations[i], .WriteOperation = 1};
    check("Render", D3DKMTRender(&arguments));
    user->context.pCommandBuffer = arguments.pNewCommandBuffer;
    user->context.pAllocationList = arguments.pNewAllocationList;
}

static void compare(const struct user *user, const uint32_t *words, unsigned i, unsigned page,
                    uint32_t pattern)
{
    for (unsigned k = 0; k < WORDS; k++)
        if (words[page * WORDS + k] != pattern) {
            fprintf(stderr, "old: thread %u, allocation %u, page %u: 0x%08x, expected 0x%08x\n",
                    user->number, i, page, words[page * WORDS + k], pattern);
            exit(1);
        }
}

static void *work(void *argument)
{
    struct user *user = argument;

    open_device(user);
    for (unsigned i = 0; i < count_of_each; i++) {
        create(user, i);
        uint32_t *words = lock(user, i);

        for (unsigned k = 0; k < WORDS; k++)
            words[k] = pattern_of(user, i);
        unlock(user, i);
        render(user, i);
    }
    for (unsigned i = 0; i < count_of_each; i++) {
        const uint32_t *words = lock(user, i);

        compare(user, words, i, 0, pattern_of(user, i));
        compare(user, words, i, 1, ~pattern_of(user, i));
        compare(user, words, i, PAGES - 1, pattern_of(user, i));
        unlock(user, i);
    }
    check("DestroyDevice", D3DKMTDestroyDevice(&(D3DKMT_DESTROYDEVICE){.hDevice = user->device}));
    check("CloseAdapter", D3DKMTCloseAdapter(&(D3DKMT_CLOSEADAPTER){.hAdapter = user->adapter}));
    return NULL;
}

static void play(unsigned number)
{
    static struct user users[MOST_THREADS];
    pthread_t threads[MOST_THREADS];

    for (unsigned i = 0; i < number; i++) {
        users[i].number = i;
        if (pthread_create(&threads[i], NULL, work, &users[i]) != 0)
            exit(1);
    }
    for (unsigned i = 0; i < number; i++)
        pthread_join(threads[i], NULL);
}

/* Answers whether a child has done well. */
static int play_in_child(unsigned number)
{
    pid_t child = fork();
    int status = 1;

    if (child == 0) {
        play(number);
        exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int main(int count, char **arguments)
{
    unsigned number = count >= 3 ? (unsigned)atoi(arguments[1]) : 0;

    count_of_each = count >= 3 ? (unsigned)atoi(arguments[2]) : 0;
    if (number < 1 || number > MOST_THREADS || count_of_each < 1 || count_of_each > MOST) {
        fprintf(stderr, "old THREADS COUNT [fork]: expected 1 to %d, and 1 to %d\n", MOST_THREADS,
                MOST);
        return 2;
    }
    play(number);
    if (count >= 4 && strcmp(arguments[3], "fork") == 0) {
        if (!play_in_child(number)) {
            fputs("old: the child has failed\n", stderr);
            return 1;
        }
        play(number);
    }
    puts("all bytes were right");
    return 0;
}
