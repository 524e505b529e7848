/*
 * rows_thunk.c: what a thunk costs over the typed call that it makes: a pair of Lock2 and Unlock2
 * of what is mapped and idle, once by one thread and once by two, each with an allocation of its
 * own; and a question about residency with 1,000 handles in an array.
 */
#include <pthread.h>
#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/bus.h>
#include <vidmm/lock2.h>
#include <vidmm/residency.h>
#include <wddm/d3dkmthk.h>
#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "bench.h"
#include "host/machine.h"
#include "softgpu/config.h"
#include "softgpu/device.h"
#include "softgpu/driver.h"
#include "softgpu/softgpu.h"
#include "thunk/calls.h"
#include "thunk/thunk.h"

enum { PAIRS = 400000, QUERIES = 2000, ROUNDS = 9, THREADS = 2, ALLOCATIONS = 1000 };

struct rig {
    struct vidmm_machine *machine;
    struct vidmm_slot *slot;
    struct softgpu_device *gpu;
    DRIVER_INITIALIZATION_DATA driver;
    struct vidmm_adapter *adapter;
    struct vidmm_device *device; /* of typed calls */
    struct vidmm_allocation *allocations[ALLOCATIONS];
    struct vidmm_thunk_machine *thunks;
    struct vidmm_thunk_process *process;
    D3DKMT_HANDLE of_device, handles[ALLOCATIONS];
};

static const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                               .flags = 1,
                                               .size = 65536,
                                               .read_set = 2,
                                               .write_set = 2,
                                               .priority = SOFTGPU_PRIORITY_NORMAL};

static void begin_program(struct rig *rig)
{
    struct vidmm_thunk_adapter adapter = {.luid = {1, 0}, .adapter = rig->adapter};
    D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = adapter.luid};
    D3DKMT_CREATEDEVICE device = {0};
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = (void *)(uintptr_t)&wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {.NumAllocations = 1, .pAllocationInfo2 = &info};
    unsigned i;

    rig->thunks = vidmm_thunk_machine_create(&adapter, 1);
    rig->process = vidmm_thunk_process_create(rig->thunks, 2);
    bench_check(vidmm_thunk_OpenAdapterFromLuid(rig->process, &open) == STATUS_SUCCESS,
                "an adapter could not be opened");
    device.hAdapter = open.hAdapter;
    bench_check(vidmm_thunk_CreateDevice(rig->process, &device) == STATUS_SUCCESS,
                "a device could not be made");
    rig->of_device = create.hDevice = device.hDevice;
    for (i = 0; i < ALLOCATIONS; i++) {
        bench_check(vidmm_thunk_CreateAllocation2(rig->process, &create) == STATUS_SUCCESS,
                    "an allocation could not be made");
        rig->handles[i] = info.hAllocation;
    }
}

static void rig_begin(struct rig *rig)
{
    const struct vidmm_machine_options machine = {.kind = VIDMM_MACHINE_THREADED};
    struct softgpu_config config = softgpu_config_default();
    struct vidmm_adapter_options options;
    struct vidmm_device_model model;
    unsigned i;

    memset(rig, 0, sizeof(*rig));
    config.wddm = 20;
    rig->machine = vidmm_machine_create(&machine, NULL, 0);
    bench_check(rig->machine != NULL, "a machine could not be made");
    rig->slot = vidmm_machine_add_slot(rig->machine);
    rig->gpu = softgpu_device_create(vidmm_slot_bus(rig->slot), &config, &model, NULL, 0);
    bench_check(rig->gpu != NULL && vidmm_slot_plug(rig->slot, &model), "a GPU could not be made");
    softgpu_driver_entry(softgpu_driver_version(config.wddm), &rig->driver);
    vidmm_adapter_options_default(&options);
    bench_check(vidmm_adapter_start(vidmm_slot_host(rig->slot), &rig->driver, rig->slot, &options,
                                    &rig->adapter, NULL) == STATUS_SUCCESS &&
                    vidmm_device_create(rig->adapter, 1, &rig->device, NULL) == STATUS_SUCCESS,
                "an adapter could not be started");
    for (i = 0; i < ALLOCATIONS; i++)
        bench_check(vidmm_allocation_create(rig->device, &wish, sizeof(wish), &rig->allocations[i],
                                            NULL) == STATUS_SUCCESS,
                    "an allocation could not be made");
    begin_program(rig);
}

static void rig_end(struct rig *rig)
{
    vidmm_thunk_process_destroy(rig->process);
    vidmm_thunk_machine_destroy(rig->thunks);
    vidmm_adapter_stop(rig->adapter);
    vidmm_slot_unplug(rig->slot);
    softgpu_device_destroy(rig->gpu);
    vidmm_machine_destroy(rig->machine);
}

/* ---- locks ----------------------------------------------------------------------------------- */

struct turn {
    const struct rig *rig;
    unsigned number; /* of its allocation */
    double ns;       /* out: time that the thread has run, a pair */
};

static void *typed_pairs(void *argument)
{
    struct turn *turn = argument;
    struct vidmm_allocation *allocation = turn->rig->allocations[turn->number];
    uint64_t begun = bench_cpu_now();
    bool right = true;
    void *data;
    unsigned i;

    for (i = 0; i < PAIRS; i++) {
        right = right && vidmm_lock2(allocation, 0, &data, NULL) == STATUS_SUCCESS;
        right = right && vidmm_unlock2(allocation, NULL) == STATUS_SUCCESS;
    }
    bench_check(right, "a lock was refused");
    turn->ns = (double)(bench_cpu_now() - begun) / PAIRS;
    return NULL;
}

static void *thunk_pairs(void *argument)
{
    struct turn *turn = argument;
    struct vidmm_thunk_process *process = turn->rig->process;
    D3DKMT_LOCK2 lock = {.hDevice = turn->rig->of_device,
                         .hAllocation = turn->rig->handles[turn->number]};
    D3DKMT_UNLOCK2 unlock = {lock.hDevice, lock.hAllocation};
    uint64_t begun = bench_cpu_now();
    bool right = true;
    unsigned i;

    for (i = 0; i < PAIRS; i++) {
        right = right && vidmm_thunk_Lock2(process, &lock) == STATUS_SUCCESS;
        right = right && vidmm_thunk_Unlock2(process, &unlock) == STATUS_SUCCESS;
    }
    bench_check(right, "a lock was refused");
    turn->ns = (double)(bench_cpu_now() - begun) / PAIRS;
    return NULL;
}

static double ns_of_one(const struct rig *rig, void *(*pairs)(void *))
{
    struct turn turn = {rig, 0, 0};

    pairs(&turn);
    return turn.ns;
}

static double ns_of_two(const struct rig *rig)
{
    struct turn turns[THREADS] = {{rig, 0, 0}, {rig, 1, 0}};
    pthread_t other;

    bench_check(pthread_create(&other, NULL, thunk_pairs, &turns[1]) == 0, "no thread");
    thunk_pairs(&turns[0]);
    pthread_join(other, NULL);
    return (turns[0].ns + turns[1].ns) / THREADS;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static double ns_of_typed_query(const struct rig *rig)
{
    static enum vidmm_residency residency[ALLOCATIONS];
    const struct vidmm_selection selection = {.allocations = rig->allocations,
                                              .allocation_count = ALLOCATIONS};
    uint64_t begun = bench_cpu_now();
    unsigned i;

    for (i = 0; i < QUERIES; i++)
        bench_check(vidmm_query_residency(&selection, residency, NULL) == STATUS_SUCCESS,
                    "a question was refused");
    return (double)(bench_cpu_now() - begun) / QUERIES / ALLOCATIONS;
}

static double ns_of_thunk_query(const struct rig *rig)
{
    static D3DKMT_ALLOCATIONRESIDENCYSTATUS residency[ALLOCATIONS];
    D3DKMT_QUERYALLOCATIONRESIDENCY query = {.hDevice = rig->of_device,
                                             .phAllocationList = rig->handles,
                                             .AllocationCount = ALLOCATIONS,
                                             .pResidencyStatus = residency};
    uint64_t begun = bench_cpu_now();
    unsigned i;

    for (i = 0; i < QUERIES; i++)
        bench_check(vidmm_thunk_QueryAllocationResidency(rig->process, &query) == STATUS_SUCCESS,
                    "a question was refused");
    return (double)(bench_cpu_now() - begun) / QUERIES / ALLOCATIONS;
}

void bench_thunk(struct bench *bench)
{
    double typed[ROUNDS], one[ROUNDS], two[ROUNDS], typed_query[ROUNDS], query[ROUNDS], pair;
    static struct rig rig;
    unsigned round;

    rig_begin(&rig);
    for (round = 0; round < ROUNDS; round++) {
        typed[round] = ns_of_one(&rig, typed_pairs);
        one[round] = ns_of_one(&rig, thunk_pairs);
        two[round] = ns_of_two(&rig);
        typed_query[round] = ns_of_typed_query(&rig);
        query[round] = ns_of_thunk_query(&rig);
    }
    rig_end(&rig);
    pair = bench_median(one, ROUNDS);
    bench_fact(bench,
               &(struct bench_line){"9 a thunk over its typed call: Lock2, Unlock2", "ns",
                                    (pair - bench_median(typed, ROUNDS)) / 2, 0, NULL, "<= 25", 0});
    bench_fact(bench,
               &(struct bench_line){"9 ... a handle in an array of 1,000", "ns",
                                    bench_median(query, ROUNDS) - bench_median(typed_query, ROUNDS),
                                    0, NULL, "<= 3", 0});
    bench_fact(bench, &(struct bench_line){"9 ... two threads, of one", "times",
                                           THREADS * pair / bench_median(two, ROUNDS), 0, NULL,
                                           ">= 1.9", 0});
}
