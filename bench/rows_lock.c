/*
 * rows_lock.c: row 9, Lock and Unlock of what is mapped and idle, against two pairs of locking and
 * unlocking a mutex: the cost of a manager that guards an allocation by one, at each of the calls.
 * Once by one thread; once by two, each with an allocation of its own. Lock2 and Unlock2 likewise.
 */
#include <pthread.h>
#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/bus.h>
#include <vidmm/lock.h>
#include <vidmm/lock2.h>
#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "bench.h"
#include "host/machine.h"
#include "softgpu/config.h"
#include "softgpu/device.h"
#include "softgpu/driver.h"
#include "softgpu/softgpu.h"

enum { PAIRS = 400000, ROUNDS = 9, THREADS = 2 };

struct rig {
    struct vidmm_machine *machine;
    struct vidmm_slot *slot;
    struct softgpu_device *gpu;
    DRIVER_INITIALIZATION_DATA driver;
    struct vidmm_adapter *adapter;
    struct vidmm_device *device;
    struct vidmm_allocation *allocations[THREADS];
};

static void rig_begin(struct rig *rig, uint32_t wddm)
{
    const struct vidmm_machine_options machine = {.kind = VIDMM_MACHINE_THREADED};
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .flags = 1,
                                            .size = 65536,
                                            .read_set = 2,
                                            .write_set = 2,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    struct softgpu_config config = softgpu_config_default();
    struct vidmm_adapter_options options;
    struct vidmm_device_model model;
    unsigned i;

    memset(rig, 0, sizeof(*rig));
    config.wddm = wddm;
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
    for (i = 0; i < THREADS; i++) {
        bench_check(vidmm_allocation_create(rig->device, &wish, sizeof(wish), &rig->allocations[i],
                                            NULL) == STATUS_SUCCESS,
                    "an allocation could not be made");
    }
}

static void rig_end(struct rig *rig)
{
    vidmm_adapter_stop(rig->adapter);
    vidmm_slot_unplug(rig->slot);
    softgpu_device_destroy(rig->gpu);
    vidmm_machine_destroy(rig->machine);
}

struct turn {
    struct vidmm_allocation *allocation;
    double ns; /* out: time that the thread has run, a pair */
};

static void *lock_and_unlock(void *argument)
{
    struct turn *turn = argument;
    uint64_t begun = bench_cpu_now();
    bool right = true;
    void *data;
    unsigned i;

    for (i = 0; i < PAIRS; i++) {
        right = right && vidmm_lock(turn->allocation, 0, &data, NULL) == STATUS_SUCCESS;
        right = right && vidmm_unlock(turn->allocation) == STATUS_SUCCESS;
    }
    bench_check(right, "a lock was refused");
    turn->ns = (double)(bench_cpu_now() - begun) / PAIRS;
    return NULL;
}

static void *lock2_and_unlock2(void *argument)
{
    struct turn *turn = argument;
    uint64_t begun = bench_cpu_now();
    bool right = true;
    void *data;
    unsigned i;

    for (i = 0; i < PAIRS; i++) {
        right = right && vidmm_lock2(turn->allocation, 0, &data, NULL) == STATUS_SUCCESS;
        right = right && vidmm_unlock2(turn->allocation, NULL) == STATUS_SUCCESS;
    }
    bench_check(right, "a lock was refused");
    turn->ns = (double)(bench_cpu_now() - begun) / PAIRS;
    return NULL;
}

static double ns_of_mutexes(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    uint64_t begun = bench_cpu_now();
    unsigned i;

    for (i = 0; i < 2 * PAIRS; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return (double)(bench_cpu_now() - begun) / PAIRS;
}

typedef void *pairs_function(void *argument);

static double ns_of_one(const struct rig *rig, pairs_function *pairs)
{
    struct turn turn = {rig->allocations[0], 0};

    pairs(&turn);
    return turn.ns;
}

static double ns_of_two(const struct rig *rig, pairs_function *pairs)
{
    struct turn turns[THREADS] = {{rig->allocations[0], 0}, {rig->allocations[1], 0}};
    pthread_t other;

    bench_check(pthread_create(&other, NULL, pairs, &turns[1]) == 0, "no thread");
    pairs(&turns[0]);
    pthread_join(other, NULL);
    return (turns[0].ns + turns[1].ns) / THREADS;
}

struct medians {
    double one, two, mutexes;
};

static struct medians measure(uint32_t wddm, pairs_function *pairs)
{
    double one[ROUNDS], two[ROUNDS], mutexes[ROUNDS];
    struct rig rig;
    unsigned round;

    rig_begin(&rig, wddm);
    for (round = 0; round < ROUNDS; round++) {
        mutexes[round] = ns_of_mutexes();
        one[round] = ns_of_one(&rig, pairs);
        two[round] = ns_of_two(&rig, pairs);
    }
    rig_end(&rig);
    return (struct medians){bench_median(one, ROUNDS), bench_median(two, ROUNDS),
                            bench_median(mutexes, ROUNDS)};
}

void bench_lock(struct bench *bench)
{
    struct medians found = measure(13, lock_and_unlock);

    bench_cost(bench,
               &(struct bench_line){"9 lock and unlock of what is mapped, WDDM 1.x", "ns/pair",
                                    found.one, found.mutexes, "two mutex pairs", "<= 22 ns", 0});
    bench_fact(bench, &(struct bench_line){"9 the same, two threads, an allocation each", "ns/pair",
                                           found.two, 0, NULL, "as long as one thread", 0});
    found = measure(20, lock2_and_unlock2);
    bench_cost(bench,
               &(struct bench_line){"9 Lock2 and Unlock2 of what is mapped, WDDM 2.0", "ns/pair",
                                    found.one, found.mutexes, "two mutex pairs", "<= 22 ns", 0});
    bench_fact(bench, &(struct bench_line){"9 Lock2, two threads, an allocation each", "ns/pair",
                                           found.two, 0, NULL, "as long as one thread", 0});
}
