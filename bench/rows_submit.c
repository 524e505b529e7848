/*
 * rows_submit.c: row 11, a paging buffer the whole way: a lock evicts one page, which is one paging
 * buffer that is built, submitted to the GPU's thread, of which that executes nothing, and whose
 * fence ends the wait. Warm: the waiting thread still looks; cold: all threads sleep. Against a raw
 * hand-off to a thread and back, by words that are looked at for a while and then slept on (a
 * futex). Both are medians. Then the same with the GPU on the thread that waits, which is all but
 * the hand-off; and how many packets go through in a second if nobody waits for each.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <vidmm/adapter.h>
#include <vidmm/lock.h>
#include <wddm/ntstatus.h>

#include "bench.h"
#include "rig.h"
#include "softgpu/config.h"
#include "softgpu/softgpu.h"

enum { PAGE = 4096, LOOKS = 1024, SLEEP_NS = 1000000, IN_TURN = 101, PACKETS = 20000 };

/* ---- the raw hand-off ------------------------------------------------------------------------ */

/* A number that one thread counts up and another waits for. */
struct word {
    _Alignas(64) atomic_uint number;
    atomic_uint sleepers;
};

static void say(struct word *word)
{
    atomic_fetch_add(&word->number, 1);
    if (atomic_load(&word->sleepers) > 0)
        syscall(SYS_futex, &word->number, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void hear(struct word *word, unsigned number)
{
    unsigned look;

    for (look = 0; look < LOOKS && atomic_load(&word->number) != number; look++) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    atomic_fetch_add(&word->sleepers, 1);
    while (atomic_load(&word->number) != number)
        syscall(SYS_futex, &word->number, FUTEX_WAIT_PRIVATE, number - 1, NULL, NULL, 0);
    atomic_fetch_sub(&word->sleepers, 1);
}

struct hand_off {
    struct word there, back;
    atomic_bool ends;
    unsigned count;
    pthread_t thread;
};

static void *answer(void *argument)
{
    struct hand_off *hand_off = argument;
    unsigned number = 0;

    while (!atomic_load(&hand_off->ends)) {
        hear(&hand_off->there, ++number);
        say(&hand_off->back);
    }
    return NULL;
}

static double hand_off_ns(struct hand_off *hand_off)
{
    uint64_t begun = bench_now();

    say(&hand_off->there);
    hear(&hand_off->back, ++hand_off->count);
    return (double)(bench_now() - begun);
}

static void hand_off_begin(struct hand_off *hand_off)
{
    bench_check(pthread_create(&hand_off->thread, NULL, answer, hand_off) == 0, "a thread");
}

static void hand_off_end(struct hand_off *hand_off)
{
    atomic_store(&hand_off->ends, true);
    hand_off_ns(hand_off);
    pthread_join(hand_off->thread, NULL);
}

/* ---- the whole way --------------------------------------------------------------------------- */

struct submit {
    struct rig rig;
    struct vidmm_context *context;
    struct vidmm_allocation *allocation;
    uint64_t value;
};

static void submit_begin(struct submit *submit, enum vidmm_machine_kind kind)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .flags = 1, /* CpuVisible */
                                            .size = PAGE,
                                            .read_set = 2,
                                            .write_set = 2,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    struct softgpu_config config = softgpu_config_default();

    bench_check(softgpu_config_set(&config, "segment", "2 memory 1048576", NULL, 0) &&
                    softgpu_config_set(&config, "engines", "render", NULL, 0),
                "a segment and an engine");
    config.execute = false;
    rig_begin(&submit->rig, &config, kind, 0);
    rig_start(&submit->rig);
    bench_check(vidmm_context_create(submit->rig.device, 0, NULL, 0, &submit->context, NULL) ==
                        STATUS_SUCCESS &&
                    vidmm_allocation_create(submit->rig.device, &wish, sizeof(wish),
                                            &submit->allocation, NULL) == STATUS_SUCCESS,
                "a context and an allocation");
}

/* A command that needs the allocation, or nothing. */
static void render(struct submit *submit, uint32_t references)
{
    const struct vidmm_render_reference list = {.allocation = submit->allocation, .write = true};
    struct {
        struct softgpu_touch touch;
        struct softgpu_reference reference;
    } command = {.reference = {.flags = SOFTGPU_REFERENCE_WRITE, .pages = 1, .content_id = 1}};
    uint32_t size = (uint32_t)(sizeof(command.touch) + references * sizeof(command.reference));

    command.touch = (struct softgpu_touch){{SOFTGPU_TOUCH, size}, references, 0, 0};
    bench_check(vidmm_render(submit->context, &command, size, &list, references, true,
                             &submit->value, NULL) == STATUS_SUCCESS,
                "a command was refused");
}

static void wait_for_all(struct submit *submit)
{
    bench_check(vidmm_context_wait(submit->context, submit->value) == STATUS_SUCCESS, "the GPU");
}

/* Evict the allocation, which has to be in its segment, by a lock. */
static double paging_ns(struct submit *submit)
{
    uint64_t begun = bench_now();
    void *data;

    bench_check(vidmm_lock(submit->allocation, 0, &data, NULL) == STATUS_SUCCESS, "a lock");
    begun = bench_now() - begun;
    bench_check(vidmm_unlock(submit->allocation) == STATUS_SUCCESS, "an unlock");
    return (double)begun;
}

static double packets_a_second(struct submit *submit)
{
    uint64_t begun = bench_now();
    unsigned i;

    for (i = 0; i < PACKETS; i++)
        render(submit, 0);
    wait_for_all(submit);
    return PACKETS / ((double)(bench_now() - begun) / 1e9);
}

static void fall_asleep(bool cold)
{
    if (cold)
        nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
}

static uint64_t evictions_of(const struct submit *submit)
{
    struct vidmm_statistics statistics;

    vidmm_adapter_statistics(submit->rig.adapter, &statistics);
    return statistics.evictions;
}

static void hand_offs(struct hand_off *hand_off, bool cold, double *us)
{
    unsigned i;

    fall_asleep(true);
    for (i = 0; i < IN_TURN; i++) {
        fall_asleep(cold);
        us[i] = hand_off_ns(hand_off) / 1000;
    }
}

/* Both in turn, after everybody has slept or not. */
static void measure_threaded(struct bench *bench, struct submit *submit, struct hand_off *hand_off,
                             bool cold)
{
    size_t rounds = IN_TURN * (cold ? 3 : 30), i;
    double *ours = bench_allocate(rounds, sizeof(*ours)),
           *raw = bench_allocate(rounds, sizeof(*raw));
    uint64_t evictions = evictions_of(submit);
    struct bench_line line = {.unit = "us"};

    for (i = 0; i < rounds; i++) {
        if (i % IN_TURN == 0) /* the program whose turn it is has the processors for itself */
            fall_asleep(true);
        render(submit, 1);
        wait_for_all(submit);
        fall_asleep(cold);
        ours[i] = paging_ns(submit) / 1000;
        if (i % IN_TURN == IN_TURN - 1)
            hand_offs(hand_off, cold, &raw[i + 1 - IN_TURN]);
    }
    bench_check(evictions_of(submit) == evictions + rounds, "each lock evicts");
    snprintf(line.name, sizeof(line.name), "11 a paging buffer of which nothing is executed, %s",
             cold ? "cold" : "warm");
    line.vidmm = bench_median(ours, rounds);
    line.reference = bench_median(raw, rounds);
    line.reference_name = "raw hand-off";
    line.reach = cold ? "<= 1.25x" : "<= 0.5";
    bench_cost(bench, &line);
    free(ours);
    free(raw);
}

static void threaded(struct bench *bench)
{
    static struct submit submit;
    static struct hand_off hand_off;

    submit_begin(&submit, VIDMM_MACHINE_THREADED);
    hand_off_begin(&hand_off);
    measure_threaded(bench, &submit, &hand_off, false);
    measure_threaded(bench, &submit, &hand_off, true);
    hand_off_end(&hand_off);
    rig_end(&submit.rig);
}

/* One thread: the GPU runs while its work is waited for. */
static void simulated(struct bench *bench)
{
    static struct submit submit;
    double us[1001], rates[BENCH_ROUNDS];
    unsigned round;

    submit_begin(&submit, VIDMM_MACHINE_SIMULATED);
    for (round = 0; round < 1001; round++) {
        render(&submit, 1);
        wait_for_all(&submit);
        us[round] = paging_ns(&submit) / 1000;
    }
    for (round = 0; round < BENCH_ROUNDS; round++)
        rates[round] = packets_a_second(&submit) / 1e6;
    rig_end(&submit.rig);
    bench_fact(bench, &(struct bench_line){"11 ... by one thread, without a hand-off", "us",
                                           bench_median(us, 1001), 0, NULL, "", 0});
    bench_fact(bench, &(struct bench_line){"11 DMA buffers that nobody waits for", "million/s",
                                           bench_median(rates, BENCH_ROUNDS), 0, NULL, ">= 1", 0});
}

void bench_submit(struct bench *bench)
{
    threaded(bench);
    simulated(bench);
}
