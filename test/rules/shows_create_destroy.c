/* shows_create_destroy.c: create-destroy.def, obeyed. */
#include "create_answers.h"
#include "flag_words.h"
#include "existing.h"
#include "hang.h"
#include "together.h"

#include <pthread.h>
#include <time.h>

#include <vidmm/host.h>
#include <vidmm/paging_queue.h>
#include <vidmm/lock2.h>
#include <vidmm/lock.h>

static NTSTATUS create_of(struct shown *shown, uint64_t size)
{
    struct rig_allocation allocation;

    return rig_create(&shown->rig, &allocation, size, 2, CPU_VISIBLE);
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

/* The calls that end the life of the resource, from record `at` on: all its allocations are closed
 * in one call, and destroyed after it. */
static void closed_together(const struct shown *shown, size_t at, HANDLE device, bool destroyed)
{
    size_t close = shown_next(shown, at, VIDMM_DDI_CLOSE_ALLOCATION);
    size_t destroy = shown_next(shown, at, VIDMM_DDI_DESTROY_ALLOCATION);

    assert_int_equal(shown_count(shown, at, VIDMM_DDI_CLOSE_ALLOCATION), 1);
    assert_ptr_equal(shown->calls[close].handle, device);
    assert_int_equal(shown->calls[close].argument.close.NumAllocations, TOGETHER);
    if (destroyed)
        assert_true(destroy != SIZE_MAX && close < destroy);
    else
        assert_true(destroy == SIZE_MAX); /* somebody else has it open */
}

/* D-053: the openings of one device go in one call, and each device's by its own. */
static void all_are_closed_together(void)
{
    struct rig_options options = rig_defaults();
    struct vidmm_allocation *theirs[TOGETHER];
    struct vidmm_resource *ours, *opened;
    HANDLE devices[2];
    struct shown shown;
    size_t at;

    shown_init(&shown, &options, NULL);
    assert_int_equal(together_create(&shown, true, &ours), STATUS_SUCCESS);
    at = shown_next(&shown, 0, VIDMM_DDI_OPEN_ALLOCATION);
    devices[0] = shown.calls[at].handle;
    assert_int_equal(vidmm_resource_open(together_other(&shown), vidmm_resource_handle(ours),
                                         &opened, theirs, TOGETHER, NULL),
                     STATUS_SUCCESS);
    at = shown_next(&shown, at + 1, VIDMM_DDI_OPEN_ALLOCATION);
    devices[1] = shown.calls[at].handle;
    assert_ptr_not_equal(devices[0], devices[1]);
    at = shown.call_count;
    vidmm_resource_destroy(ours);
    shown_settle(&shown);
    closed_together(&shown, at, devices[0], false);
    at = shown.call_count;
    vidmm_resource_destroy(opened);
    shown_settle(&shown);
    closed_together(&shown, at, devices[1], true);
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
    options = hang_options("hang 0 1\n");
    shown_init(&shown, &options, NULL);
    hang_render(&shown);
    assert_int_equal(create_of(&shown, 100), STATUS_DEVICE_REMOVED);
    hang_finish(&shown);
}

/* ---- one process, one thread ---- */

enum { PROCESSES = 3, WORKERS = 4 };

static _Thread_local uint32_t creating; /* the process that this thread creates for */
static DXGKDDI_CREATEALLOCATION *create_allocation;
static DXGKDDI_CREATEDEVICE *create_device;
static DXGKDDI_OPENALLOCATIONINFO *open_allocation;
static DXGKDDI_CLOSEALLOCATION *close_allocation;
static HANDLE devices[2 + WORKERS];
static uint32_t device_processes[2 + WORKERS], device_count, next_process;

struct worker {
    struct vidmm_device *device;
    uint32_t process, rounds;
    bool waits; /* in the host, for whatever it may be */
};

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct worker workers[WORKERS];
    int inside[PROCESSES], overlaps, calls, lonely;
} turns = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static _Thread_local struct worker *me; /* NULL: no worker's thread */

static struct vidmm_host watched; /* the slot's, but for wait() */
static bool (*wait_in_host)(void *context, bool (*ready)(void *argument), void *argument,
                            uint64_t timeout_ns);

/* Whether the other workers of the process can do nothing but wait. The mutex is held. */
static bool others_wait(uint32_t process)
{
    for (uint32_t i = 0; i < WORKERS; i++) {
        const struct worker *worker = &turns.workers[i];

        if (worker != me && worker->process == process && worker->rounds > 0 && !worker->waits)
            return false;
    }
    return true;
}

/* Count who is in the driver for the process, and stay until the others of it have come: inside
 * too, or no further than where the manager has them wait. */
static void stay(uint32_t process)
{
    struct timespec end;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 30;
    pthread_mutex_lock(&turns.mutex);
    turns.calls++;
    if (turns.inside[process]++ != 0)
        turns.overlaps++;
    for (uint32_t i = 0; i < WORKERS; i++)
        turns.workers[i].waits = false;
    pthread_cond_broadcast(&turns.changed);
    pthread_mutex_unlock(&turns.mutex);
    watched.wake(watched.context); /* threads that wait look again, now that this thread is
                                    * inside */
    pthread_mutex_lock(&turns.mutex);
    while (turns.inside[process] == 1 && !others_wait(process))
        if (pthread_cond_timedwait(&turns.changed, &turns.mutex, &end) != 0) {
            turns.lonely++;
            break;
        }
    turns.inside[process]--;
    pthread_mutex_unlock(&turns.mutex);
}

struct look {
    bool (*ready)(void *argument);
    void *argument;
};

/* A worker has looked whether it may go on. */
static bool look(void *argument)
{
    const struct look *asked = argument;
    bool ready = asked->ready(asked->argument);

    pthread_mutex_lock(&turns.mutex);
    if (me != NULL)
        me->waits = !ready;
    pthread_cond_broadcast(&turns.changed);
    pthread_mutex_unlock(&turns.mutex);
    return ready;
}

static bool watched_wait(void *context, bool (*ready)(void *argument), void *argument,
                         uint64_t timeout_ns)
{
    struct look asked = {ready, argument};
    bool answer = wait_in_host(context, look, &asked, timeout_ns);

    pthread_mutex_lock(&turns.mutex);
    if (me != NULL)
        me->waits = false;
    pthread_mutex_unlock(&turns.mutex);
    return answer;
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
    bool over;

    creating = worker->process;
    me = worker;
    create_alone(worker);
    create_together(worker, worker->rounds % 2 == 0);
    pthread_mutex_lock(&turns.mutex);
    over = --worker->rounds == 0;
    pthread_cond_broadcast(&turns.changed);
    pthread_mutex_unlock(&turns.mutex);
    return over ? VIDMM_CALLER_DONE : VIDMM_CALLER_RAN;
}

void shows_D_055(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    together_describe(1);
    device_count = 0;
    options.kind = VIDMM_MACHINE_THREADED;
    shown_build(&shown, &options, bend_slowly);
    watched = *vidmm_slot_host(shown.rig.slot);
    wait_in_host = watched.wait;
    watched.wait = watched_wait;
    shown.rig.host = &watched;
    assert_int_equal(rig_start(&shown.rig), STATUS_SUCCESS);
    for (uint32_t i = 0; i < WORKERS; i++) {
        struct worker *worker = &turns.workers[i];

        *worker = (struct worker){.process = 1 + i / 2, .rounds = 20};
        next_process = worker->process;
        assert_int_equal(
            vidmm_device_create(shown.rig.adapter, next_process, &worker->device, NULL),
            STATUS_SUCCESS);
        assert_true(vidmm_machine_add_caller(shown.rig.machine, "worker", work, worker));
    }
    assert_true(vidmm_machine_run(shown.rig.machine, NULL, 0));
    for (uint32_t i = 0; i < WORKERS; i++)
        vidmm_device_destroy(turns.workers[i].device);
    assert_int_equal(turns.overlaps, 0);
    assert_int_equal(turns.lonely, 0);
    assert_true(turns.calls >= WORKERS * 20 * 3);
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
    assert_int_equal(rig_create(&shown.rig, &alone, 100, 1, CPU_VISIBLE), STATUS_SUCCESS);
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
    all_are_closed_together();
}

/* ---- memory of another allocation ------------------------------------------------------------ */

static void over_a_lock_as_a_heap(struct shown *shown, void *data)
{
    struct vidmm_heap heap = {data, 4 * (uint64_t)VIDMM_PAGE_SIZE,
                              CREATE_STANDARD | CREATE_EXISTING_SYS_MEM};
    struct vidmm_resource *resource;

    for (unsigned page = 0; page < 4; page += 3) {
        heap.address = (char *)data + page * VIDMM_PAGE_SIZE;
        heap.size = (4 - page) * (uint64_t)VIDMM_PAGE_SIZE;
        shown_refused(
            shown,
            vidmm_heap_create(shown->rig.device, &heap, &resource, together, &shown->rig.report),
            STATUS_INVALID_PARAMETER, "D-061");
    }
}

/* Lock an allocation that is there, and ask for another over its bytes, or some of them. */
static void over_a_lock(uint32_t set, bool resident, bool by_lock2)
{
    struct vidmm_residency_result result;
    struct vidmm_paging_queue *queue;
    struct rig_allocation *one;
    struct existing existing;
    struct shown shown;
    void *data = NULL;

    shown_init_gpu(&shown, "wddm 2.0\n", NULL);
    one = &shown.rig.allocations[1];
    assert_int_equal(rig_create(&shown.rig, one, 4 * (uint64_t)VIDMM_PAGE_SIZE, set, 0x8001),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_paging_queue_create(shown.rig.device, 1, &queue, NULL), STATUS_SUCCESS);
    if (resident)
        assert_int_equal(vidmm_make_resident(queue, &one->handle, 1, 0, &result, NULL),
                         STATUS_PENDING);
    shown_settle(&shown);
    if (by_lock2)
        assert_int_equal(vidmm_lock2(one->handle, 0, &data, NULL), STATUS_SUCCESS);
    else
        assert_int_equal(vidmm_lock(one->handle, VIDMM_LOCK_ENTIRE, &data, NULL), STATUS_SUCCESS);
    memset(data, 0x5a, 4 * (size_t)VIDMM_PAGE_SIZE);
    existing = (struct existing){.address = data, .size = 4 * (uint64_t)VIDMM_PAGE_SIZE};
    for (uint64_t page = 0; page < 4; page += 3)
        shown_refused(&shown,
                      existing_create(&shown, &existing, page * VIDMM_PAGE_SIZE,
                                      (4 - page) * VIDMM_PAGE_SIZE, 0x8011),
                      STATUS_INVALID_PARAMETER, "D-061");
    over_a_lock_as_a_heap(&shown, data);
    assert_int_equal(((unsigned char *)data)[3 * VIDMM_PAGE_SIZE], 0x5a); /* nothing has changed */
    one->handle = NULL;
    shown_finish(&shown);
}

void shows_D_061(void **state)
{
    struct existing existing;
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    for (uint32_t i = 0; i < 12; i++)
        over_a_lock(1 + i / 4, (i & 1) != 0, (i & 2) != 0);
    options.gpu = "wddm 2.0\n"; /* pages of the program's own stay where they are */
    shown_init(&shown, &options, NULL);
    existing_take(&existing, 4);
    assert_int_equal(existing_create(&shown, &existing, 0, existing.size, 0x8011), STATUS_SUCCESS);
    existing_destroy(&shown);
    shown_finish(&shown);
    existing_give_back(&existing);
}
