/* endings.c: a program that ends as it is told, behind a call, with memory that it has locked.
 *
 *     endings exit N       with status N, and so do
 *     endings _exit N      ... which runs no destructors
 *     endings _Exit N
 *     endings quick N      by quick_exit()
 *     endings crowd N      by _exit() of four threads at once
 *     endings adapter N    by that signal, and all that it has is an adapter
 *     endings signal N     by that signal, which it sends itself
 *     endings handler N    by _exit(7), in its own handler of that signal
 *     endings passed N     with status 6: it passes that signal over
 *     endings touching N   by that signal, while a thread writes the locked memory
 *     endings calling N    ... while threads call, and end it with status 99 if a call fails
 *     endings inside N     ... while a thread is in a call without an end
 *     endings twice N      ... and the signal comes once more, 100 ms later
 *     endings fork N       ... after children: one has called _exit(0), the signal has ended one
 *     endings anew N       ... and one has called the library, and then _exit(0)
 *     endings fault        by a fault of its own, outside of any call
 *     endings sleep        never, but for a signal of somebody else; says first who it is
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <wddm/d3dkmddi_allocation.h>
#include <wddm/d3dkmthk_calls.h>
#include <wddm/ntstatus.h>

#include "umd_softgpu.h"

enum { CROWD = 4 };

static D3DKMT_HANDLE device, fence;
static volatile char *locked;
static volatile int *volatile nowhere;

static void check(const char *what, NTSTATUS status)
{
    if (status == STATUS_SUCCESS)
        return;
    fprintf(stderr, "endings: %s: 0x%08x\n", what, (unsigned)status);
    exit(99);
}

static D3DKMT_HANDLE open_adapter(void)
{
    D3DKMT_ADAPTERINFO infos[4];
    D3DKMT_ENUMADAPTERS2 list = {.NumAdapters = 4, .pAdapters = infos};

    check("EnumAdapters2", D3DKMTEnumAdapters2(&list));
    return infos[0].hAdapter;
}

static void begin(void)
{
    umd_wish wish = umd_wish_for(1, false, true);
    D3DKMT_CREATEDEVICE create_device = {.hAdapter = open_adapter()};
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {.NumAllocations = 1, .pAllocationInfo2 = &info};
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 sync = {.Info.Type = D3DDDI_MONITORED_FENCE};
    D3DKMT_LOCK2 lock = {0};

    check("CreateDevice", D3DKMTCreateDevice(&create_device));
    device = create.hDevice = sync.hDevice = lock.hDevice = create_device.hDevice;
    check("CreateAllocation2", D3DKMTCreateAllocation2(&create));
    lock.hAllocation = info.hAllocation;
    check("Lock2", D3DKMTLock2(&lock));
    locked = lock.pData;
    check("CreateSynchronizationObject2", D3DKMTCreateSynchronizationObject2(&sync));
    fence = sync.hSyncObject;
}

/* ---- threads --------------------------------------------------------------------------------- */

static void *touch(void *argument)
{
    for (;;)
        locked[0]++;
    return argument;
}

static void *call(void *argument)
{
    for (;;) {
        D3DKMT_CLOSEADAPTER close = {.hAdapter = open_adapter()};

        check("CloseAdapter", D3DKMTCloseAdapter(&close));
    }
    return argument;
}

static pthread_barrier_t crowd;
static int crowd_status;

static void *leave(void *argument)
{
    pthread_barrier_wait(&crowd);
    _exit(crowd_status);
    return argument;
}

static atomic_int waiting; /* the thread that waits for ever */

static void *wait_for_ever(void *argument)
{
    const UINT64 never = 1;
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU wait = {.hDevice = device,
                                                       .ObjectCount = 1,
                                                       .ObjectHandleArray = &fence,
                                                       .FenceValueArray = &never};

    atomic_store(&waiting, (int)gettid());
    D3DKMTWaitForSynchronizationObjectFromCpu(&wait);
    return argument;
}

static void begin_thread(void *(*run)(void *))
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, run, NULL) != 0)
        exit(98);
    usleep(50000);
}

/* Whether the thread sleeps: it does so in its call only. */
static bool is_inside(int thread)
{
    char name[64], state = '?';
    FILE *file;

    snprintf(name, sizeof name, "/proc/self/task/%d/stat", thread);
    file = fopen(name, "r");
    if (file == NULL || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        exit(95);
    fclose(file);
    return state == 'S';
}

static void begin_to_wait_for_ever(void)
{
    begin_thread(wait_for_ever);
    while (atomic_load(&waiting) == 0 || !is_inside(atomic_load(&waiting)))
        usleep(1000);
}

/* ---- children -------------------------------------------------------------------------------- */

static void live(int number, int kind)
{
    if (kind == 2)
        open_adapter();
    if (kind == 1)
        raise(number);
    _exit(0);
}

static void have_children(int kinds, int number)
{
    for (int kind = 0; kind < kinds; kind++) {
        pid_t child = fork();
        int status;

        if (child == 0)
            live(number, kind);
        if (waitpid(child, &status, 0) != child ||
            (kind == 1 ? !WIFSIGNALED(status) || WTERMSIG(status) != number : status != 0))
            exit(97);
    }
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void end_in_handler(int number)
{
    (void)number;
    _exit(7);
}

static void end_by_signal(int number, bool twice)
{
    kill(getpid(), number);
    if (twice) {
        usleep(100000);
        kill(getpid(), number);
    }
    for (;;)
        pause();
}

int main(int count, char **arguments)
{
    const char *how = count > 1 ? arguments[1] : "";
    int number = count > 2 ? atoi(arguments[2]) : 0;

    alarm(100); /* rather than to hang */
    if (number > 0 && number < NSIG)
        signal(number, SIG_DFL); /* as it is without nohup and its kind */
    if (strcmp(how, "adapter") == 0)
        open_adapter();
    else
        begin();
    if (strcmp(how, "exit") == 0)
        exit(number);
    if (strcmp(how, "_exit") == 0)
        _exit(number);
    if (strcmp(how, "_Exit") == 0)
        _Exit(number);
    if (strcmp(how, "quick") == 0)
        quick_exit(number);
    if (strcmp(how, "handler") == 0)
        signal(number, end_in_handler);
    if (strcmp(how, "passed") == 0) {
        signal(number, SIG_IGN);
        raise(number);
        return 6;
    }
    if (strcmp(how, "touching") == 0)
        begin_thread(touch);
    for (int i = 0; i < CROWD && strcmp(how, "calling") == 0; i++)
        begin_thread(call);
    crowd_status = number;
    pthread_barrier_init(&crowd, NULL, CROWD);
    for (int i = 0; i < CROWD && strcmp(how, "crowd") == 0; i++)
        begin_thread(leave);
    while (strcmp(how, "crowd") == 0)
        pause();
    if (strcmp(how, "inside") == 0 || strcmp(how, "twice") == 0)
        begin_to_wait_for_ever();
    if (strcmp(how, "fork") == 0)
        have_children(2, number);
    if (strcmp(how, "anew") == 0)
        have_children(3, number);
    if (strcmp(how, "fault") == 0)
        *nowhere = 1;
    if (strcmp(how, "sleep") == 0) {
        printf("asleep %ld\n", (long)getpid());
        fflush(stdout);
        for (;;)
            sleep(1); /* the thread sanitizer defers a signal during pause() */
    }
    if (number == 0)
        return 96;
    if (number == SIGABRT)
        abort();
    end_by_signal(number, strcmp(how, "twice") == 0);
}
