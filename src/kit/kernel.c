/* kernel.c: the kernel's start and end, its clock, its objects that a driver is handed, bug
 * checks. */
#include "kit/state.h"

#include <time.h>
#include <unistd.h>

#define HUNDRED_NS 100u
/* 1601-01-01 to 1970-01-01, in seconds. */
#define EPOCH_SECONDS UINT64_C(11644473600)

struct kit_kernel vidmm_kit_kernel = {
    .dispatcher = PTHREAD_MUTEX_INITIALIZER,
    .objects = PTHREAD_MUTEX_INITIALIZER,
    .memory = PTHREAD_MUTEX_INITIALIZER,
};

static uint64_t started_ns;

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t vidmm_kit_now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC) - started_ns;
}

uint64_t vidmm_kit_system_time(void)
{
    return clock_ns(CLOCK_REALTIME) / HUNDRED_NS + EPOCH_SECONDS * 10000000u;
}

void vidmm_kit_print(const char *text)
{
    if (vidmm_kit_kernel.options.print)
        vidmm_kit_kernel.options.print(vidmm_kit_kernel.options.argument, text);
}

static bool refuse(char *error, size_t error_size, const char *text)
{
    if (error && error_size)
        snprintf(error, error_size, "%s", text);
    return false;
}

static void init_objects(void)
{
    struct kit_kernel *kernel = &vidmm_kit_kernel;
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&kernel->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    memset(&kernel->driver, 0, sizeof(kernel->driver));
    memset(&kernel->driver_extension, 0, sizeof(kernel->driver_extension));
    memset(&kernel->device, 0, sizeof(kernel->device));
    kernel->driver.Type = 4; /* as Windows numbers them: a driver object, a device object */
    kernel->driver.Size = sizeof(kernel->driver);
    kernel->driver.DriverExtension = &kernel->driver_extension;
    kernel->driver.DeviceObject = &kernel->device;
    kernel->driver_extension.DriverObject = &kernel->driver;
    kernel->device.Type = 3;
    kernel->device.Size = sizeof(kernel->device);
    kernel->device.DriverObject = &kernel->driver;
    kernel->device.StackSize = 1;
}

_Thread_local bool vidmm_kit_in_start;

void vidmm_kit_device_starts(bool starts)
{
    vidmm_kit_in_start = starts;
}

bool vidmm_kit_start(const struct vidmm_kit_options *options, char *error, size_t error_size)
{
    struct kit_kernel *kernel = &vidmm_kit_kernel;

    if (kernel->running)
        return refuse(error, error_size, "the kernel runs already");
    if (!options || !options->host)
        return refuse(error, error_size, "host: a kernel needs a machine");
    kernel->options = *options;
    kernel->host = options->host;
    kernel->ceiling = options->contiguous_ceiling ? options->contiguous_ceiling : UINT64_MAX;
    kernel->system_base = options->system_base;
    kernel->system_memory = options->system_memory ? options->system_memory : UINT64_C(1) << 30;
    kernel->version[0] = 10;
    kernel->version[1] = 0;
    kernel->version[2] = 22621;
    started_ns = clock_ns(CLOCK_MONOTONIC);
    vidmm_kit_findings_reset(true);
    init_objects();
    if (!vidmm_kit_registry_start(options->configuration, error, error_size))
        return false;
    if (!vidmm_kit_registers_start() || !vidmm_kit_threads_start() || !vidmm_kit_timers_start()) {
        vidmm_kit_timers_stop();
        vidmm_kit_threads_stop();
        vidmm_kit_registers_stop();
        vidmm_kit_registry_stop();
        return refuse(error, error_size, "no memory or no thread for the kernel");
    }
    vidmm_kit_paged_start(options->catch_faults);
    vidmm_kit_seh_start(options->catch_faults);
    kernel->running = true;
    return true;
}

uint64_t vidmm_kit_stop(void)
{
    bool ended;

    if (!vidmm_kit_kernel.running)
        return 0;
    ended = vidmm_kit_threads_stop();
    vidmm_kit_timers_stop();
    vidmm_kit_eresources_stop();
    vidmm_kit_extensions_stop();
    vidmm_kit_objects_stop();
    vidmm_kit_iommu_stop();
    vidmm_kit_mdl_stop();
    vidmm_kit_device_mappings_stop();
    vidmm_kit_contiguous_stop();
    vidmm_kit_pool_stop();
    vidmm_kit_paged_stop();
    vidmm_kit_pages_stop();
    vidmm_kit_registers_stop();
    vidmm_kit_registry_stop();
    vidmm_kit_seh_stop();
    if (ended) /* it waits for who waits on it */
        pthread_cond_destroy(&vidmm_kit_kernel.changed);
    vidmm_kit_kernel.running = false;
    return vidmm_kit_findings_reset(false);
}

void *vidmm_kit_device(void)
{
    return &vidmm_kit_kernel.device;
}

void *vidmm_kit_driver(void)
{
    return &vidmm_kit_kernel.driver;
}

void *vidmm_kit_registry_path(void)
{
    return &vidmm_kit_kernel.driver_extension.ServiceKeyName;
}

void vidmm_kit_bug_check(uint32_t code, uint64_t p1, uint64_t p2, uint64_t p3, uint64_t p4)
{
    const struct vidmm_kit_options *options = &vidmm_kit_kernel.options;
    struct vidmm_kit_bug_check check = {code, {p1, p2, p3, p4}};

    if (options->bug_check)
        options->bug_check(options->argument, &check);
    fprintf(stderr, "bug check 0x%X (0x%llx, 0x%llx, 0x%llx, 0x%llx)\n", code,
            (unsigned long long)p1, (unsigned long long)p2, (unsigned long long)p3,
            (unsigned long long)p4);
    abort();
}

VOID KeBugCheckEx(ULONG code, ULONG_PTR p1, ULONG_PTR p2, ULONG_PTR p3, ULONG_PTR p4)
{
    vidmm_kit_find(CALLER, VIDMM_KIT_BUG_CHECK,
                   "KeBugCheckEx(0x%X, 0x%llx, 0x%llx, 0x%llx, 0x%llx)", code, p1, p2, p3, p4);
    vidmm_kit_bug_check(code, p1, p2, p3, p4);
}

VOID KeBugCheck(ULONG code)
{
    vidmm_kit_find(CALLER, VIDMM_KIT_BUG_CHECK, "KeBugCheck(0x%X)", code);
    vidmm_kit_bug_check(code, 0, 0, 0, 0);
}

BOOLEAN KeRegisterBugCheckReasonCallback(PKBUGCHECK_REASON_CALLBACK_RECORD record,
                                         PKBUGCHECK_REASON_CALLBACK_ROUTINE routine,
                                         KBUGCHECK_CALLBACK_REASON reason, PUCHAR component)
{
    if (record->State)
        return FALSE;
    record->CallbackRoutine = routine;
    record->Reason = reason;
    record->Component = component;
    record->State = 1;
    return TRUE;
}

BOOLEAN KeDeregisterBugCheckReasonCallback(PKBUGCHECK_REASON_CALLBACK_RECORD record)
{
    BOOLEAN was = record->State == 1;

    record->State = 0;
    return was;
}

/* ---- time ---- */

VOID KeQueryTickCount(PLARGE_INTEGER count)
{
    count->QuadPart = (LONGLONG)(vidmm_kit_now_ns() / (KeQueryTimeIncrement() * HUNDRED_NS));
}

/* 15.625 ms, as the clock of most PCs. */
ULONG KeQueryTimeIncrement(VOID)
{
    return 156250;
}

ULONGLONG KeQueryInterruptTime(VOID)
{
    return vidmm_kit_now_ns() / HUNDRED_NS;
}

ULONGLONG KeQueryUnbiasedInterruptTime(VOID)
{
    return KeQueryInterruptTime();
}

ULONGLONG KeQueryInterruptTimePrecise(PULONG64 stamp)
{
    uint64_t now = vidmm_kit_now_ns();

    *stamp = now;
    return now / HUNDRED_NS;
}

VOID KeQuerySystemTime(PLARGE_INTEGER time)
{
    time->QuadPart = (LONGLONG)vidmm_kit_system_time();
}

VOID KeQuerySystemTimePrecise(PLARGE_INTEGER time)
{
    KeQuerySystemTime(time);
}

LARGE_INTEGER KeQueryPerformanceCounter(PLARGE_INTEGER frequency)
{
    LARGE_INTEGER now;

    if (frequency)
        frequency->QuadPart = 1000000000;
    now.QuadPart = (LONGLONG)vidmm_kit_now_ns();
    return now;
}

VOID KeStallExecutionProcessor(ULONG microseconds)
{
    uint64_t end = vidmm_kit_now_ns() + microseconds * UINT64_C(1000);

    while (vidmm_kit_now_ns() < end)
        YieldProcessor();
}

VOID ExSystemTimeToLocalTime(PLARGE_INTEGER system, PLARGE_INTEGER local)
{
    *local = *system;
}

VOID ExLocalTimeToSystemTime(PLARGE_INTEGER local, PLARGE_INTEGER system)
{
    *system = *local;
}
