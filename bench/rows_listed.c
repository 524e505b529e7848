/*
 * rows_listed.c: row 10, MakeResident and Evict of what is resident, the whole way from a program's
 * call: one allocation, and 64 at once. Each stands on the residency list before, so that nothing
 * moves. The peer is a system call that fails: a driver of an operating system begins with one.
 */
#include <string.h>
#include <sys/ioctl.h>

#include <vidmm/paging_queue.h>
#include <vidmm/plan.h>
#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "bench.h"
#include "rig.h"
#include "softgpu/config.h"
#include "softgpu/softgpu.h"

enum { AT_ONCE = 64, PAIRS = 128000 };

struct listed {
    struct rig rig;
    struct vidmm_paging_queue *queue;
    struct vidmm_allocation *allocations[AT_ONCE];
};

static void create(struct listed *listed)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .size = 65536,
                                            .read_set = 2,
                                            .write_set = 2,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    struct vidmm_residency_result result;
    NTSTATUS status;

    bench_check(vidmm_paging_queue_create(listed->rig.device, VIDMM_PAGING_QUEUE_NORMAL,
                                          &listed->queue, NULL) == STATUS_SUCCESS,
                "a paging queue could not be made");
    for (unsigned i = 0; i < AT_ONCE; i++)
        bench_check(vidmm_allocation_create(listed->rig.device, &wish, sizeof(wish),
                                            &listed->allocations[i], NULL) == STATUS_SUCCESS,
                    "an allocation could not be made");
    status = vidmm_make_resident(listed->queue, listed->allocations, AT_ONCE, 0, &result, NULL);
    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(listed->queue, result.value, NULL);
    bench_check(status == STATUS_SUCCESS, "the allocations did not become resident");
}

/* Nanoseconds an allocation. */
static double pairs(const struct listed *listed, uint32_t at_once)
{
    uint64_t begun = bench_cpu_now();
    bool right = true;

    for (unsigned done = 0; done < PAIRS; done += at_once) {
        struct vidmm_allocation *const *first = &listed->allocations[done % AT_ONCE];

        right = right &&
                vidmm_make_resident(listed->queue, first, at_once, 0, NULL, NULL) == STATUS_SUCCESS;
        right = right &&
                vidmm_evict(listed->rig.device, first, at_once, 0, NULL, NULL) == STATUS_SUCCESS;
    }
    bench_check(right, "what is resident was not answered at once");
    return (double)(bench_cpu_now() - begun) / PAIRS;
}

static double failing_calls(void)
{
    uint64_t begun = bench_cpu_now();
    bool right = true;

    for (unsigned i = 0; i < PAIRS; i++)
        right = right && ioctl(-1, 0) == -1;
    bench_check(right, "a call of no file succeeded");
    return (double)(bench_cpu_now() - begun) / PAIRS;
}

void bench_listed(struct bench *bench)
{
    double one[BENCH_ROUNDS], many[BENCH_ROUNDS], calls[BENCH_ROUNDS], call;
    struct softgpu_config config = softgpu_config_default();
    struct vidmm_statistics before, after;
    struct listed listed;

    memset(&listed, 0, sizeof(listed));
    config.wddm = 20;
    rig_begin(&listed.rig, &config, VIDMM_MACHINE_THREADED, 0);
    rig_start(&listed.rig);
    create(&listed);
    vidmm_adapter_statistics(listed.rig.adapter, &before);
    for (unsigned round = 0; round < BENCH_ROUNDS; round++) {
        calls[round] = failing_calls();
        one[round] = pairs(&listed, 1);
        many[round] = pairs(&listed, AT_ONCE);
    }
    vidmm_adapter_statistics(listed.rig.adapter, &after);
    bench_check(after.page_ins == before.page_ins && after.evictions == before.evictions,
                "something moved");
    rig_end(&listed.rig);
    call = bench_median(calls, BENCH_ROUNDS);
    bench_cost(bench, &(struct bench_line){"10 MakeResident and Evict of what is resident, one",
                                           "ns", bench_median(one, BENCH_ROUNDS), call,
                                           "a failing ioctl", "<= 30 ns", 0});
    bench_cost(bench, &(struct bench_line){"10 ... each of 64 at once", "ns",
                                           bench_median(many, BENCH_ROUNDS), call,
                                           "a failing ioctl", "<= 10 ns", 0});
}
