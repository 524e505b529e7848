/* shows_user_mode.c: usage-tracking.def and lock2.def, obeyed by a user-mode driver that stands on
 * include/umd; beside it a driver that breaks the rule, where that can be seen.
 *
 * The GPU has page tables. Queue 0 is held back by a gate; queue 1 opens it when a test says so.
 */
#include "rules.h"
#include "unit/test_umd_rig.h"

#include <umd/map.h>
#include <vidmm/lock.h>

static struct counted_memory memory;
static struct umd_test_maker maker;
static struct umd_pool pool;

/* A pool of allocations in these segments, resident; the CPU sees them if `flags` say so. */
static void begin(uint32_t most, uint32_t flags, uint32_t set)
{
    umd_begin("");
    counted_memory_init(&memory);
    maker = umd_maker_of(flags, set);
    maker.maker.context = &maker;
    const struct umd_pool_options options = {
        .queues = &queues, .maker = &maker.maker, .memory = &memory.table, .most = most};
    fence_succeeds(umd_pool_init(&pool, &options, &fence_rig.report), "pool");
    umd_make_resident(pool.current);
}

static void end(void)
{
    umd_pool_finish(&pool);
    counted_memory_finish(&memory);
    umd_end();
}

static NTSTATUS map(uint32_t flags, void **data)
{
    fence_rig.report.text[0] = 0;
    return umd_map(&pool, flags, one.device, data, &fence_rig.report);
}

static void put(void *data, uint64_t number)
{
    memcpy(data, &number, sizeof(number));
}

/* Map with these flags, write a number, unmap. */
static void write_number(uint32_t flags, uint64_t number)
{
    void *data = NULL;

    fence_succeeds(map(flags, &data), "map");
    assert_non_null(data);
    put(data, number);
    fence_succeeds(umd_unmap(&pool, 0, sizeof(number), &fence_rig.report), "unmap");
}

/* The GPU's copy of a number, at this offset of the program's page. */
static uint64_t found(uint32_t offset)
{
    uint64_t number;

    memcpy(&number, one.pages + VIDMM_PAGE_SIZE + offset, sizeof(number));
    return number;
}

/* Queue 1 opens the gate, when the machine comes to it. */
static void open_by_gpu(void)
{
    const struct vidmm_fence_point point = {gate, ++opened};

    fence_succeeds(vidmm_context_signal_fences(one.contexts[1], &point, 1, &fence_rig.report),
                   "signal");
}

/* Nobody else synchronises, and nobody else renames: who does neither loses what the GPU was to
 * read; the driver that does both loses nothing. */
void shows_S2_002(void **state)
{
    struct umd_instance *first;
    void *data;

    (void)state;
    begin(4, UMD_VISIBLE, 1);
    first = pool.current;
    put(first->data, 1);
    umd_shut(0);
    umd_copy_out(0, first, 8);
    fence_succeeds(vidmm_lock2(first->allocation, 0, &data, &fence_rig.report), "lock");
    assert_ptr_equal(data, first->data); /* at once, and no other memory */
    put(data, 2);
    fence_succeeds(vidmm_unlock2(first->allocation, &fence_rig.report), "unlock");
    umd_open();
    fence_settle();
    assert_int_equal(found(8), 2); /* the race is the program's own */
    umd_shut(0);
    umd_copy_out(0, first, 16);
    open_by_gpu();
    write_number(UMD_MAP_WRITE, 3); /* synchronised */
    assert_ptr_equal(pool.current, first);
    assert_int_equal(found(16), 2);
    umd_shut(0);
    umd_copy_out(0, first, 24);
    write_number(UMD_MAP_WRITE | UMD_MAP_DISCARD, 4); /* renamed: the GPU has not even begun */
    assert_int_equal(found(24), 0);
    assert_ptr_not_equal(pool.current, first);
    assert_ptr_not_equal(pool.current->data, first->data);
    umd_make_resident(pool.current);
    umd_copy_out(0, pool.current, 32);
    umd_open();
    fence_settle();
    assert_int_equal(found(24), 3);
    assert_int_equal(found(32), 4);
    end();
}

static void would_wait(uint32_t flags)
{
    void *data = &pool;

    assert_int_equal(map(flags | UMD_MAP_DO_NOT_WAIT, &data), STATUS_GRAPHICS_ALLOCATION_BUSY);
    assert_non_null(strstr(fence_rig.report.text, "WasStillDrawing"));
    assert_ptr_equal(data, &pool);
    assert_false(pool.mapped);
}

static void is_had_at_once(uint32_t flags)
{
    void *data = NULL;

    fence_succeeds(map(flags | UMD_MAP_DO_NOT_WAIT, &data), "map");
    assert_ptr_equal(data, pool.current->data);
    fence_succeeds(umd_unmap(&pool, 0, 0, &fence_rig.report), "unmap");
}

void shows_S2_008(void **state)
{
    (void)state;
    begin(1, UMD_VISIBLE, 1);
    is_had_at_once(UMD_MAP_READ | UMD_MAP_WRITE); /* not busy */
    umd_shut(0);
    umd_copy_out(0, pool.current, 0); /* busy: the GPU is to read it */
    would_wait(UMD_MAP_WRITE);
    would_wait(UMD_MAP_READ | UMD_MAP_WRITE);
    is_had_at_once(UMD_MAP_READ); /* two readers are not in each other's way */
    umd_open();
    fence_settle();
    is_had_at_once(UMD_MAP_WRITE);
    umd_shut(0);
    umd_fill_in(0, pool.current, 7); /* busy: the GPU is to write it */
    would_wait(UMD_MAP_READ);
    would_wait(UMD_MAP_WRITE);
    would_wait(UMD_MAP_READ | UMD_MAP_WRITE);
    umd_open();
    fence_settle();
    is_had_at_once(UMD_MAP_READ);
    umd_track_use(&pool.current->track, 1, umd_queue_next(&queues, 1), UMD_WRITE);
    would_wait(UMD_MAP_READ); /* recorded, and not submitted: it is busy all the same */
    fence_succeeds(umd_queue_signal(&queues, 1, &fence_rig.report), "signal");
    end();
}

/* Map when the GPU is to use it, on queue 0; answers the value that had passed by then. */
static uint64_t map_behind(uint32_t access, uint32_t flags)
{
    uint64_t value = umd_queue_next(&queues, 0);
    void *data;

    umd_shut(0);
    if (access == UMD_WRITE)
        umd_fill_in(0, pool.current, (uint32_t)value);
    else
        umd_copy_out(0, pool.current, 8 * (uint32_t)value);
    open_by_gpu();
    assert_int_equal(umd_queue_passed(&queues, 0), value - 1);
    fence_succeeds(map(flags, &data), "map");
    if (access == UMD_WRITE) {
        uint32_t word;

        memcpy(&word, data, sizeof(word));
        assert_int_equal(word, value); /* as the GPU wrote it */
    }
    put(data, 100 + value);
    fence_succeeds(umd_unmap(&pool, 0, 8, &fence_rig.report), "unmap");
    return umd_queue_passed(&queues, 0);
}

/* Until it is free for the CPU: free of all uses for who writes, of writes for who reads. */
void shows_S2_009(void **state)
{
    void *data;

    (void)state;
    begin(1, UMD_VISIBLE, 1);
    assert_int_equal(map_behind(UMD_WRITE, UMD_MAP_READ), 1);
    assert_int_equal(map_behind(UMD_WRITE, UMD_MAP_WRITE), 2);
    assert_int_equal(map_behind(UMD_WRITE, UMD_MAP_READ | UMD_MAP_WRITE), 3);
    assert_int_equal(map_behind(UMD_READ, UMD_MAP_WRITE), 4);
    assert_int_equal(found(32), 103); /* not what was written behind the wait */
    assert_int_equal(map_behind(UMD_READ, UMD_MAP_READ | UMD_MAP_WRITE), 5);
    assert_int_equal(found(40), 104);
    umd_shut(0);
    umd_fill_in(1, pool.current, 9); /* of two queues, both have to be done */
    umd_copy_out(0, pool.current, 48);
    assert_int_equal(map(UMD_MAP_WRITE, &data), STATUS_TIMEOUT); /* nobody opens; one is done */
    assert_int_equal(umd_queue_passed(&queues, 1), 1);
    open_by_gpu();
    fence_succeeds(map(UMD_MAP_WRITE, &data), "map");
    assert_int_equal(umd_queue_passed(&queues, 0), 6);
    assert_int_equal(umd_queue_passed(&queues, 1), 1);
    fence_succeeds(umd_unmap(&pool, 0, 0, &fence_rig.report), "unmap");
    end();
}

/* Nothing in the machine can open the gate: a driver that asks again and again asks for ever, and
 * who waits hears that nobody is left to wait for. Somebody signals the monitored fence, and
 * nothing else happens: the wait is over. */
void shows_S2_010(void **state)
{
    struct vidmm_fence_point point;
    void *data = NULL;

    (void)state;
    begin(1, UMD_VISIBLE, 1);
    umd_shut(0);
    umd_copy_out(0, pool.current, 0);
    assert_int_equal(map(UMD_MAP_WRITE, &data), STATUS_TIMEOUT);
    assert_null(data);
    assert_false(pool.mapped);
    point = (struct vidmm_fence_point){queues.queues[0].fence, 1};
    fence_succeeds(vidmm_context_signal_fences(one.contexts[1], &point, 1, &fence_rig.report),
                   "signal");
    fence_succeeds(map(UMD_MAP_WRITE, &data), "map");
    assert_non_null(data);
    put(data, 5);
    fence_succeeds(umd_unmap(&pool, 0, 8, &fence_rig.report), "unmap");
    assert_int_equal(found(0), 0); /* the gate is shut: the fence alone was asked */
    umd_open();
    fence_settle();
    assert_int_equal(found(0), 5);
    end();
}

/* Have it leave, and come back. */
static void move(struct umd_instance *instance)
{
    struct vidmm_residency_result result;

    fence_succeeds(vidmm_evict(one.device, &instance->allocation, 1, 0, &result, &fence_rig.report),
                   "evict");
    fence_settle();
    umd_make_resident(instance);
}

/* Without a lock there is no pointer; one lock serves for life, through submissions and moves. */
void shows_S2_011(void **state)
{
    struct umd_instance *instance;
    void *data = NULL, *first;

    (void)state;
    begin(1, 0, 2);
    assert_int_equal(map(UMD_MAP_WRITE, &data), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_lock2(pool.current->allocation, 0, &data, &fence_rig.report),
                     STATUS_INVALID_PARAMETER); /* it was not described for CPU access */
    assert_null(data);
    end();
    begin(1, UMD_VISIBLE, 2); /* the maker has locked it, once */
    instance = pool.current;
    first = instance->data;
    for (uint64_t round = 1; round <= 4; round++) {
        write_number(UMD_MAP_WRITE, round);
        umd_copy_out(0, instance, 8 * (uint32_t)round);
        fence_succeeds(map(UMD_MAP_READ | UMD_MAP_WRITE, &data), "map");
        assert_ptr_equal(data, first);
        assert_int_equal(found(8 * (uint32_t)round), round);
        fence_succeeds(umd_unmap(&pool, 0, 0, &fence_rig.report), "unmap");
        umd_fill_in(0, instance, (uint32_t)round);
        move(instance);
        assert_int_equal(*(volatile uint32_t *)first, round); /* as the GPU wrote it */
    }
    fence_succeeds(vidmm_unlock2(instance->allocation, &fence_rig.report), "unlock");
    assert_int_equal(vidmm_unlock2(instance->allocation, &fence_rig.report),
                     STATUS_INVALID_PARAMETER); /* that was the only lock */
    instance->data = NULL;
    end();
}

/* A driver that destroys right behind its submissions, which stand still: all of its instances go,
 * and each submission reads what was written for it. */
void shows_S2_004(void **state)
{
    (void)state;
    begin(4, UMD_VISIBLE, 1);
    umd_shut(0);
    for (uint32_t number = 1; number <= 4; number++) {
        write_number(UMD_MAP_WRITE | UMD_MAP_DISCARD, number);
        umd_make_resident(pool.current);
        umd_copy_out(0, pool.current, 8 * number);
    }
    assert_int_equal(pool.count, 4);
    umd_pool_finish(&pool);
    assert_int_equal(maker.unmade, 4);
    assert_int_equal(umd_queue_passed(&queues, 0), 0); /* nobody has waited */
    fence_settle();
    umd_open();
    fence_settle();
    for (uint32_t number = 1; number <= 4; number++)
        assert_int_equal(found(8 * number), number);
    counted_memory_finish(&memory);
    umd_end();
}
