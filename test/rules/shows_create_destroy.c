/* shows_create_destroy.c: create-destroy.def, obeyed. */
#include "create_answers.h"
#include "together.h"

#include <time.h>

static NTSTATUS create_of(struct shown *shown, uint64_t size)
{
    struct rig_allocation allocation;

    return rig_create(&shown->rig, &allocation, size, 2, 1);
}

void shows_D_049(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_resource *resource;
    struct shown shown;
    size_t at = 0, seen = 0;

    (void)state;
    shown_init(&shown, &options, NULL);
    rig_work(&shown.rig, 1, 40);
    for (; (at = shown_next(&shown, at, VIDMM_DDI_CREATE_ALLOCATION)) != SIZE_MAX; at++, seen++) {
        assert_int_equal(shown.calls[at].argument.create.Flags.Value, 0);
        assert_null(shown.calls[at].argument.create.hResource);
    }
    assert_true(seen > 5);
    at = shown.call_count;
    assert_int_equal(together_create(&shown, false, &resource), STATUS_SUCCESS);
    at = shown_next(&shown, at, VIDMM_DDI_CREATE_ALLOCATION);
    assert_int_equal(shown.calls[at].argument.create.Flags.Value, 1); /* Resource */
    shown_finish(&shown);
}

/* Each failure, injected where it comes from. */
void shows_D_065(void **state)
{
    static const struct {
        NTSTATUS driver, program;
    } rows[] = {
        {STATUS_INVALID_PARAMETER, STATUS_INVALID_PARAMETER},
        {STATUS_NO_MEMORY, STATUS_NO_MEMORY},
        {STATUS_GRAPHICS_DRIVER_MISMATCH, STATUS_INVALID_PARAMETER},
        {STATUS_UNSUCCESSFUL, STATUS_INVALID_PARAMETER},
    };
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    create_answer = STATUS_SUCCESS;
    shown_init(&shown, &options, create_answers);
    for (size_t index = 0; index < sizeof(rows) / sizeof(rows[0]); index++) {
        create_answer = rows[index].driver;
        assert_int_equal(create_of(&shown, 100), rows[index].program);
    }
    create_answer = STATUS_SUCCESS;
    assert_int_equal(create_of(&shown, 1 << 20), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_int_equal(create_of(&shown, 100), STATUS_SUCCESS);
    shown_finish(&shown);
}

/* ---- one process, one thread ---- */

enum { PROCESSES = 3, WORKERS = 4 };

static _Thread_local uint32_t creating; /* the process that this thread creates for */
static _Atomic int inside[PROCESSES], overlaps, calls;
static DXGKDDI_CREATEALLOCATION *create_allocation;
static DXGKDDI_CREATEDEVICE *create_device;
static DXGKDDI_OPENALLOCATIONINFO *open_allocation;
static DXGKDDI_CLOSEALLOCATION *close_allocation;
static HANDLE devices[2 + WORKERS];
static uint32_t device_processes[2 + WORKERS], device_count, next_process;

/* In the driver long enough for others to come. */
static void stay(uint32_t process)
{
    const struct timespec while_others_come = {.tv_nsec = 50000};

    atomic_fetch_add(&calls, 1);
    if (atomic_fetch_add(&inside[process], 1) != 0)
        atomic_fetch_add(&overlaps, 1);
    nanosleep(&while_others_come, NULL);
    atomic_fetch_sub(&inside[process], 1);
}

static uint32_t process_of(HANDLE device)
{
    for (uint32_t i = 0; i < device_count; i++)
        if (devices[i] == device)
            return device_processes[i];
    return 0;
}

static NTSTATUS create_device_noted(HANDLE adapter, DXGKARG_CREATEDEVICE *arguments)
{
    NTSTATUS status = create_device(adapter, arguments);

    devices[device_count] = arguments->hDevice;
    device_processes[device_count++] = next_process;
    return status;
}

static NTSTATUS create_slowly(HANDLE adapter, DXGKARG_CREATEALLOCATION *arguments)
{
    stay(creating);
    return create_allocation(adapter, arguments);
}

static NTSTATUS open_slowly(HANDLE device, const DXGKARG_OPENALLOCATION *arguments)
{
    stay(process_of(device));
    return open_allocation(device, arguments);
}

static NTSTATUS close_slowly(HANDLE device, const DXGKARG_CLOSEALLOCATION *arguments)
{
    stay(process_of(device));
    return close_allocation(device, arguments);
}

static void bend_slowly(DRIVER_INITIALIZATION_DATA *driver)
{
    create_device = driver->DxgkDdiCreateDevice;
    create_allocation = driver->DxgkDdiCreateAllocation;
    open_allocation = driver->DxgkDdiOpenAllocation;
    close_allocation = driver->DxgkDdiCloseAllocation;
    driver->DxgkDdiCreateDevice = create_device_noted;
    driver->DxgkDdiCreateAllocation = create_slowly;
    driver->DxgkDdiOpenAllocation = open_slowly;
    driver->DxgkDdiCloseAllocation = close_slowly;
}

struct worker {
    struct vidmm_device *device;
    uint32_t process, rounds;
};

static void create_alone(const struct worker *worker)
{
    struct vidmm_allocation *allocation;

    assert_int_equal(vidmm_allocation_create(worker->device, &together_wishes[0],
                                             sizeof(together_wishes[0]), &allocation, NULL),
                     STATUS_SUCCESS);
    vidmm_allocation_destroy(allocation);
}

/* A resource; a shared one is opened once more. */
static void create_together(const struct worker *worker, bool shared)
{
    const struct vidmm_resource_options options = {.shared = shared};
    struct vidmm_allocation *allocations[TOGETHER];
    struct vidmm_resource *resource, *again;

    assert_int_equal(vidmm_resource_create(worker->device, &options, together_descriptions,
                                           TOGETHER, &resource, allocations, NULL),
                     STATUS_SUCCESS);
    if (shared) {
        assert_int_equal(vidmm_resource_open(worker->device, vidmm_resource_handle(resource),
                                             &again, allocations, TOGETHER, NULL),
                         STATUS_SUCCESS);
        vidmm_resource_destroy(again);
    }
    vidmm_resource_destroy(resource);
}

/* The destruction of one round meets the creation of the next. */
static enum vidmm_caller_state work(void *argument)
{
    struct worker *worker = argument;

    creating = worker->process;
    create_alone(worker);
    create_together(worker, worker->rounds % 2 == 0);
    return --worker->rounds == 0 ? VIDMM_CALLER_DONE : VIDMM_CALLER_RAN;
}

void shows_D_055(void **state)
{
    struct rig_options options = rig_defaults();
    struct worker workers[WORKERS];
    struct shown shown;

    (void)state;
    together_describe(1);
    device_count = 0;
    options.kind = VIDMM_MACHINE_THREADED;
    shown_init(&shown, &options, bend_slowly);
    for (uint32_t i = 0; i < WORKERS; i++) {
        workers[i] = (struct worker){.process = 1 + i / 2, .rounds = 40};
        next_process = workers[i].process;
        assert_int_equal(
            vidmm_device_create(shown.rig.adapter, next_process, &workers[i].device, NULL),
            STATUS_SUCCESS);
        assert_true(vidmm_machine_add_caller(shown.rig.machine, "worker", work, &workers[i]));
    }
    assert_true(vidmm_machine_run(shown.rig.machine, NULL, 0));
    for (uint32_t i = 0; i < WORKERS; i++)
        vidmm_device_destroy(workers[i].device);
    assert_int_equal(overlaps, 0);
    assert_true(calls >= WORKERS * 40 * 3);
    shown_finish(&shown);
}

void shows_D_062(void **state)
{
    const struct vidmm_resource_options options = {0};
    struct rig_options rig_options = rig_defaults();
    struct vidmm_resource *resource;
    struct shown shown;

    (void)state;
    shown_init(&shown, &rig_options, NULL);
    together_describe(1);
    together_descriptions[1].vidpn_source = 0;
    shown_refused(&shown,
                  vidmm_resource_create(shown.rig.device, &options, together_descriptions, TOGETHER,
                                        &resource, together, &shown.rig.report),
                  STATUS_INVALID_PARAMETER, "D3DDDI_ID_NOTAPPLICABLE");
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_CREATE_ALLOCATION), 0);
    together_descriptions[1].primary = true;
    assert_int_equal(vidmm_resource_create(shown.rig.device, &options, together_descriptions,
                                           TOGETHER, &resource, together, &shown.rig.report),
                     STATUS_SUCCESS);
    shown_finish(&shown);
}

void shows_D_066(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_resource *first, *second;
    struct vidmm_allocation *mixed[2];
    struct rig_allocation alone;
    struct shown shown;
    size_t at;

    (void)state;
    shown_init(&shown, &options, NULL);
    assert_int_equal(together_create(&shown, false, &first), STATUS_SUCCESS);
    mixed[0] = together[0];
    assert_int_equal(together_create(&shown, false, &second), STATUS_SUCCESS);
    mixed[1] = together[1];
    shown_refused(&shown, vidmm_allocations_destroy(mixed, 2, &shown.rig.report),
                  STATUS_INVALID_PARAMETER, "D-066");
    assert_int_equal(rig_create(&shown.rig, &alone, 100, 1, 1), STATUS_SUCCESS);
    mixed[1] = alone.handle;
    shown_refused(&shown, vidmm_allocations_destroy(mixed, 2, &shown.rig.report),
                  STATUS_INVALID_PARAMETER, "D-066");
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_DESTROY_ALLOCATION), 0);
    /* by list: these and no others */
    assert_int_equal(vidmm_allocations_destroy(together, 2, &shown.rig.report), STATUS_SUCCESS);
    shown_settle(&shown);
    assert_int_equal(vidmm_resource_count(second), 1);
    assert_int_equal(vidmm_resource_count(first), TOGETHER);
    /* by resource: everything in it, in one call */
    at = shown.call_count;
    vidmm_resource_destroy(first);
    shown_settle(&shown);
    at = shown_next(&shown, at, VIDMM_DDI_DESTROY_ALLOCATION);
    assert_int_equal(shown.calls[at].argument.destroy.NumAllocations, TOGETHER);
    assert_int_equal(shown.calls[at].argument.destroy.Flags.DestroyResource, 1);
    vidmm_resource_destroy(second);
    vidmm_allocation_destroy(alone.handle);
    shown_settle(&shown);
    shown_finish(&shown);
}
