/* calls.c: which calls there are, what each may answer, and how often it did. */
#include "stress.h"

#include <string.h>

#include "wddm/status.h"

static const NTSTATUS statuses[STRESS_STATUSES] = {
    STATUS_SUCCESS,
    STATUS_INVALID_PARAMETER,
    STATUS_NOT_SUPPORTED,
    STATUS_NO_MEMORY,
    STATUS_TIMEOUT,
    STATUS_DEVICE_BUSY,
    STATUS_DEVICE_REMOVED,
    STATUS_GRAPHICS_NO_VIDEO_MEMORY,
    STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE,
    STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION,
    STATUS_GRAPHICS_ALLOCATION_BUSY,
    STATUS_GRAPHICS_CANT_LOCK_MEMORY,
    STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED,
    STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE,
    STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION,
    STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST,
    STATUS_GRAPHICS_DRIVER_MISMATCH,
    STATUS_UNSUCCESSFUL,
    STATUS_PENDING,
    STATUS_GRAPHICS_TOO_MANY_REFERENCES,
    STATUS_CANCELLED,
    STATUS_INTERNAL_ERROR,
    STATUS_ACCESS_DENIED,
    /* the last stands for all others: nobody documents them */
};

/* The statuses of that list by name: their numbers, for sets of bits. */
enum {
    AT_SUCCESS,
    AT_INVALID_PARAMETER,
    AT_NOT_SUPPORTED,
    AT_NO_MEMORY,
    AT_TIMEOUT,
    AT_DEVICE_BUSY,
    AT_DEVICE_REMOVED,
    AT_NO_VIDEO_MEMORY,
    AT_GPU_EXCEPTION,
    AT_CANT_RENDER_LOCKED,
    AT_ALLOCATION_BUSY,
    AT_CANT_LOCK_MEMORY,
    AT_UNSWIZZLING_UNSUPPORTED,
    AT_UNSWIZZLING_UNAVAILABLE,
    AT_CANT_EVICT_PINNED,
    AT_CONTENT_LOST,
    AT_DRIVER_MISMATCH,
    AT_UNSUCCESSFUL,
    AT_PENDING,
    AT_TOO_MANY_REFERENCES,
    AT_CANCELLED,
    AT_INTERNAL_ERROR,
    AT_ACCESS_DENIED,
    AT_OTHER,
};
_Static_assert(AT_OTHER + 1 == STRESS_STATUSES, "a bit each");

#define S(name) (1u << AT_##name)
#define GONE S(DEVICE_REMOVED)
#define ERROR (GONE | S(NO_VIDEO_MEMORY) | S(GPU_EXCEPTION) | S(INTERNAL_ERROR))
#define WRONG (ERROR | S(INVALID_PARAMETER))
#define QUEUED (ERROR | S(PENDING) | S(NO_MEMORY))
#define STOPPED (S(TIMEOUT) | S(UNSUCCESSFUL))
#define CREATE                                                                                     \
    (S(INVALID_PARAMETER) | S(NOT_SUPPORTED) | S(NO_MEMORY) | S(NO_VIDEO_MEMORY) |                 \
     S(UNSWIZZLING_UNAVAILABLE))
#define RENDERS                                                                                    \
    (ERROR | S(INVALID_PARAMETER) | S(NO_MEMORY) | S(TIMEOUT) | S(DEVICE_BUSY) |                   \
     S(CANT_RENDER_LOCKED))
#define LOCKS                                                                                      \
    (GONE | S(INVALID_PARAMETER) | S(ALLOCATION_BUSY) | S(CANT_LOCK_MEMORY) |                      \
     S(UNSWIZZLING_UNSUPPORTED) | S(UNSWIZZLING_UNAVAILABLE) | S(CANT_EVICT_PINNED) |              \
     S(NO_VIDEO_MEMORY) | S(GPU_EXCEPTION) | S(INTERNAL_ERROR) | S(NO_MEMORY) | S(TIMEOUT))

static const struct {
    const char *name;
    unsigned statuses;
} calls[STRESS_CALLS] = {
#define CALL(id, call_name, call_statuses)                                                         \
    [STRESS_##id] = {.name = (call_name), .statuses = S(SUCCESS) | (call_statuses)},
#include "calls.def"
#undef CALL
};

static unsigned index_of(NTSTATUS status)
{
    unsigned index = 0;

    while (index < AT_OTHER && statuses[index] != status)
        index++;
    return index;
}

const char *stress_call_name(enum stress_call call)
{
    return calls[call].name;
}

void stress_enter(struct stress_program *program, enum stress_call call)
{
    program->report.text[0] = 0;
    atomic_store(&program->doing, (int)call);
}

NTSTATUS stress_leave(struct stress_program *program, enum stress_call call, NTSTATUS status)
{
    unsigned index = index_of(status);

    atomic_store(&program->doing, -1);
    if (program->world->options->ddi_log != NULL)
        fprintf(program->world->options->ddi_log, "program %u: %s -> 0x%08x\n", program->index,
                calls[call].name, (unsigned)status);
    atomic_fetch_add(&program->world->counts->answers[call][index], 1);
    if ((calls[call].statuses >> index & 1) == 0) {
        const char *name = vidmm_status_name(status);

        stress_fail(program->world,
                    "program %u: %s answers 0x%08x %s, which its page does not "
                    "list: %s",
                    program->index, calls[call].name, (unsigned)status, name != NULL ? name : "",
                    program->report.text);
    }
    if (status == STATUS_INTERNAL_ERROR && !program->failing)
        stress_fail(program->world, "program %u: %s: its device is marked as in error",
                    program->index, calls[call].name);
    if (status == STATUS_DEVICE_REMOVED &&
        (program->world->weather.hangs || program->world->weather.unplugs) &&
        vidmm_adapter_condition(program->world->adapter, NULL) != STATUS_SUCCESS)
        atomic_store(&program->world->lost, true);
    return status;
}

void stress_refused(struct stress_program *program, enum stress_call call, NTSTATUS status,
                    const char *what)
{
    if (stress_leave(program, call, status) == STATUS_SUCCESS)
        stress_fail(program->world, "program %u: %s takes %s", program->index, calls[call].name,
                    what);
}

uint64_t stress_counts_total(struct stress_counts *counts)
{
    uint64_t total = 0;

    for (unsigned call = 0; call < STRESS_CALLS; call++)
        for (unsigned index = 0; index < STRESS_STATUSES; index++)
            total += atomic_load(&counts->answers[call][index]);
    return total;
}

void stress_counts_print(struct stress_counts *counts, FILE *file)
{
    for (unsigned call = 0; call < STRESS_CALLS; call++) {
        uint64_t total = 0;

        for (unsigned index = 0; index < STRESS_STATUSES; index++)
            total += atomic_load(&counts->answers[call][index]);
        fprintf(file, "%10llu  %s\n", (unsigned long long)total, calls[call].name);
        for (unsigned index = 0; index < STRESS_STATUSES; index++) {
            uint64_t count = atomic_load(&counts->answers[call][index]);
            const char *name = index < AT_OTHER ? vidmm_status_name(statuses[index]) : "others";

            if (count > 0 && (total != count || index != AT_SUCCESS))
                fprintf(file, "%22llu  %s\n", (unsigned long long)count, name);
        }
    }
}
