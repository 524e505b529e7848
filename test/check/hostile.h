/* hostile.h: a driver that turns against whoever runs it: what no kernel driver could do to other
 * processes, done through the C library of the process that it is in (whose long has 64 bits). One
 * deed a value of Broken; it is done once, while a paging buffer is built.
 */
#ifdef __cplusplus
extern "C" {
#endif
int close(int);
LONG64 write(int, const void *, size_t);
int fork(void);
int setsid(void);
int getpid(void);
int getppid(void);
int kill(int, int);
int prlimit(int, int, const void *, void *);
int fcntl(int, int, ...);
int pipe(int *);
LONG64 pwrite(int, const void *, size_t, LONG64);
int pause(void);
int system(const char *);
LONG64 syscall(LONG64, ...);
__declspec(noreturn) void exit(int);
__declspec(noreturn) void _exit(int);
void *malloc(size_t);
int puts(const char *);
int pthread_create(ULONG64 *, const void *, void *(*)(void *), void *);
int pthread_detach(ULONG64);
int usleep(unsigned);
int open(const char *, int, ...);
LONG64 read(int, void *, size_t);
ULONG64 strtoull(const char *, char **, int);
#ifdef __cplusplus
}
#endif

enum { DESCRIPTORS = 4096, KILL = 9, STOP = 19, SYS_CLOSE_RANGE = 436 };
enum { LIMIT_CPU = 0, SET_FLAGS = 4, SET_OWNER = 8, SET_SIGNAL = 10, NONBLOCK_ASYNC = 024000 };

static void *Jump[5];            /* where StartDevice was */
static volatile LONG CalledBack; /* by a thread that the kernel has not made */
static volatile LONG CallsLater; /* it goes on until it is found */

/* A child, or the child of a child, in a session of its own: it outlives whoever made it. */
static void Outlive(int Generations)
{
    if (fork() != 0)
        return;
    setsid();
    if (Generations > 1)
        Outlive(Generations - 1);
    else
        for (;;)
            pause();
    _exit(0);
}

static void WriteRubbish(void)
{
    char Rubbish[3000];
    int i;

    RtlFillMemory(Rubbish, sizeof(Rubbish), 0x1B);
    for (i = 0; i < DESCRIPTORS; i++)
        (void)!write(i, Rubbish, sizeof(Rubbish));
}

/* No seconds are left to the process. */
static void LimitTime(int Process)
{
    ULONG64 None[2] = {0, 0};

    prlimit(Process, LIMIT_CPU, None, NULL);
}

/* The parent is told that a pipe has something to read, by the signal that ends it. */
static void SignalParent(void)
{
    int Ends[2];

    if (pipe(Ends) != 0)
        return;
    fcntl(Ends[0], SET_SIGNAL, KILL);
    fcntl(Ends[0], SET_OWNER, getppid());
    fcntl(Ends[0], SET_FLAGS, NONBLOCK_ASYNC);
    (void)!write(Ends[1], "", 1);
}

/* Zeros where the parent has its stack, by the file that is its memory. */
static void WriteParent(void)
{
    static char Maps[1 << 16];
    char Zeros[4096], Path[64];
    ULONG64 From, To;
    char *At, *End;
    size_t Size = 0;
    LONG64 More;
    int File;

    RtlStringCbPrintfA(Path, sizeof(Path), "/proc/%d/maps", getppid());
    File = open(Path, 0);
    while (File >= 0 && (More = read(File, Maps + Size, sizeof(Maps) - 1 - Size)) > 0)
        Size += (size_t)More;
    At = (char *)strstr(Maps, "[stack]");
    if (!At)
        return;
    while (At > Maps && At[-1] != '\n')
        At--;
    From = strtoull(At, &End, 16);
    To = strtoull(End + 1, NULL, 16);
    RtlStringCbPrintfA(Path, sizeof(Path), "/proc/%d/mem", getppid());
    File = open(Path, 1);
    RtlZeroMemory(Zeros, sizeof(Zeros));
    for (; From < To; From += sizeof(Zeros))
        pwrite(File, Zeros, sizeof(Zeros), (LONG64)From);
}

static void CloseAll(void)
{
    int i;

    for (i = 0; i < DESCRIPTORS; i++)
        close(i);
}

static void Eat(void)
{
    for (;;) {
        void *Block = malloc(1 << 20);

        if (Block)
            RtlFillMemory(Block, 1 << 20, 1);
    }
}

/* A thread that the kernel has not made. */
static void *CallBack(void *Context)
{
    struct device *Device = (struct device *)Context;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA Data;
    int i;

    RtlZeroMemory(&Data, sizeof(Data));
    Data.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED;
    for (i = 0; i < 1000; i++) {
        Data.DmaCompleted.SubmissionFenceId = Device->Done;
        Device->Dxgk.DxgkCbNotifyInterrupt(Device->Dxgk.DeviceHandle, &Data);
        Device->Dxgk.DxgkCbQueueDpc(Device->Dxgk.DeviceHandle);
        InterlockedIncrement(&CalledBack);
    }
    return NULL;
}

static void *CallLater(void *Context)
{
    static struct device Device; /* the other goes */

    Device = *(struct device *)Context;
    CallsLater = 1;
    for (;;) {
        usleep(200);
        Device.Dxgk.DxgkCbQueueDpc(Device.Dxgk.DeviceHandle);
        InterlockedIncrement(&CalledBack);
    }
    return NULL;
}

/* Come back when the other thread has called so many times. */
static void AwaitCalls(LONG Calls)
{
    while (CalledBack < Calls)
        usleep(1000);
}

static void Spawn(struct device *Device, void *(*Routine)(void *))
{
    ULONG64 Thread;

    if (pthread_create(&Thread, NULL, Routine, Device) != 0)
        return;
    pthread_detach(Thread);
    AwaitCalls(1);
}

/* The device is gone: a thread that calls still has its time. The first call may have begun
 * before. */
static void AwaitLateCalls(void)
{
    if (CallsLater)
        AwaitCalls(CalledBack + 2);
}

/* The pages that this process shares with others. */
static void Scribble(int With)
{
    static char Maps[1 << 20];
    int File = open("/proc/self/maps", 0);
    size_t Size = 0;
    LONG64 More;
    char *At, *End;
    ULONG64 From;

    while ((More = read(File, Maps + Size, sizeof(Maps) - 1 - Size)) > 0)
        Size += (size_t)More;
    close(File);
    At = strstr(Maps, "/dev/zero");
    if (!At)
        return;
    while (At > Maps && At[-1] != '\n')
        At--;
    From = strtoull(At, &End, 16);
    RtlFillMemory((void *)(ULONG_PTR)From, strtoull(End + 1, NULL, 16) - From, With);
}

static void Deed(struct device *Device)
{
    static volatile LONG Done;

    if (InterlockedIncrement(&Done) != 3)
        return;
    if (Is(Device, "close_all"))
        CloseAll();
    else if (Is(Device, "close_range"))
        syscall(SYS_CLOSE_RANGE, (LONG64)0, (LONG64)0xFFFFFFFF, (LONG64)0);
    else if (Is(Device, "write_all"))
        WriteRubbish();
    else if (Is(Device, "puts"))
        puts("rubbish");
    else if (Is(Device, "outlives"))
        Outlive(1);
    else if (Is(Device, "outlives_twice"))
        Outlive(3);
    else if (Is(Device, "runs_program"))
        (void)!system("sleep 1000 &");
    else if (Is(Device, "kills_parent"))
        kill(getppid(), KILL);
    else if (Is(Device, "kills_group"))
        kill(0, KILL);
    else if (Is(Device, "limits_parent"))
        LimitTime(getppid());
    else if (Is(Device, "limits_itself"))
        LimitTime(0);
    else if (Is(Device, "signals_parent"))
        SignalParent();
    else if (Is(Device, "writes_parent"))
        WriteParent();
    else if (Is(Device, "stops"))
        kill(getpid(), STOP);
    else if (Is(Device, "eats"))
        Eat();
    else if (Is(Device, "exits"))
        exit(0);
    else if (Is(Device, "exits_at_once"))
        _exit(0);
    else if (Is(Device, "jumps"))
        __builtin_longjmp(Jump, 1);
    else if (Is(Device, "throws"))
        Throw();
    else if (Is(Device, "scribbles"))
        Scribble(0x80);
    else if (Is(Device, "wipes"))
        Scribble(0);
    else if (Is(Device, "foreign_thread"))
        Spawn(Device, CallBack);
    else if (Is(Device, "foreign_later"))
        Spawn(Device, CallLater);
}
