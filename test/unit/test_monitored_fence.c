/* test_monitored_fence.c: who waits for a fence, and until when. */
#include "harness.h"

#include "vidmm/engine/state/monitored_fence.h"

enum { FENCES = 5, WAITERS = 40, MOST = 4 };

struct room {
    struct vidmm_fence_watch watch;
    struct vidmm_monitored_fence fence;
    struct vidmm_fence_waiter waiters[WAITERS];
    struct vidmm_fence_wait waits[WAITERS];
};

static struct room *room_create(uint64_t value, bool narrow)
{
    struct room *room = calloc(1, sizeof(*room));

    assert_non_null(room);
    vidmm_monitored_fence_init(&room->fence, &room->watch, value, narrow);
    return room;
}

/* Waiter `index` waits for one value. Answers whether it is there. */
static bool wait_for(struct room *room, uint32_t index, uint64_t value)
{
    room->waits[index] = (struct vidmm_fence_wait){.fence = &room->fence, .value = value};
    return vidmm_fence_waiter_begin(&room->waiters[index], false, &room->waits[index], 1);
}

static void assert_next_met(struct room *room, uint32_t index)
{
    vidmm_fence_watch_check(&room->watch);
    assert_ptr_equal(vidmm_fence_waiter_take_met(&room->watch), &room->waiters[index]);
}

static void assert_nobody_met(struct room *room)
{
    vidmm_fence_watch_check(&room->watch);
    assert_null(vidmm_fence_waiter_take_met(&room->watch));
}

static void a_wait_ends_at_its_value_or_above(void **state)
{
    struct room *room = room_create(40, false);

    (void)state;
    assert_true(wait_for(room, 0, 40));
    assert_true(wait_for(room, 0, 39));
    assert_null(room->watch.first); /* nobody waits: nothing is looked at */
    assert_false(wait_for(room, 0, 50));
    assert_false(wait_for(room, 1, 42));
    assert_false(wait_for(room, 2, 42));
    assert_ptr_equal(room->watch.first, &room->fence);
    vidmm_monitored_fence_see(&room->fence, 41);
    assert_nobody_met(room);
    vidmm_monitored_fence_see(&room->fence, 49);
    assert_next_met(room, 1); /* of one value, in order of arrival */
    assert_next_met(room, 2);
    assert_nobody_met(room);
    assert_int_equal(vidmm_monitored_fence_signal(&room->fence, 3), 3); /* lower, which is legal */
    assert_false(wait_for(room, 1, 42));
    assert_int_equal(vidmm_monitored_fence_signal(&room->fence, UINT64_C(1) << 40), UINT64_C(1)
                                                                                        << 40);
    assert_next_met(room, 1); /* by value */
    assert_next_met(room, 0);
    assert_nobody_met(room);
    assert_null(room->watch.first);
    assert_true(vidmm_monitored_fence_is_idle(&room->fence));
    free(room);
}

/* Three fences at 10; a waiter for all, and one for any, of 20, 30 and 5 of them. */
static void all_of_them_or_any(void **state)
{
    static const uint64_t values[2][3] = {{20, 30, 5}, {20, 30, 11}};
    struct vidmm_monitored_fence fences[3];
    struct vidmm_fence_watch watch = {0};
    struct vidmm_fence_waiter all, any;
    struct vidmm_fence_wait waits[2][3] = {0};
    int i;

    (void)state;
    for (i = 0; i < 3; i++) {
        vidmm_monitored_fence_init(&fences[i], &watch, 10, false);
        waits[0][i] = (struct vidmm_fence_wait){.fence = &fences[i], .value = values[0][i]};
        waits[1][i] = (struct vidmm_fence_wait){.fence = &fences[i], .value = values[0][i]};
    }
    assert_true(vidmm_fence_waiter_begin(&any, true, waits[1], 3)); /* 5 has been reached */
    for (i = 0; i < 3; i++)
        waits[1][i] = (struct vidmm_fence_wait){.fence = &fences[i], .value = values[1][i]};
    assert_false(vidmm_fence_waiter_begin(&all, false, waits[0], 3));
    assert_false(vidmm_fence_waiter_begin(&any, true, waits[1], 3));
    assert_int_equal(all.left, 2);
    assert_int_equal(any.left, 3);
    vidmm_monitored_fence_see(&fences[0], 20);
    vidmm_fence_watch_check(&watch);
    assert_ptr_equal(vidmm_fence_waiter_take_met(&watch), &any);
    assert_null(vidmm_fence_waiter_take_met(&watch));
    assert_true(vidmm_monitored_fence_is_idle(&fences[2])); /* any waits nowhere any more */
    assert_true(vidmm_monitored_fence_is_idle(&fences[0]));
    vidmm_monitored_fence_see(&fences[2], 100);
    assert_null(vidmm_fence_waiter_take_met(&watch));
    vidmm_monitored_fence_see(&fences[0], 0); /* that wait was over, and stays so */
    vidmm_monitored_fence_see(&fences[1], 30);
    assert_ptr_equal(vidmm_fence_waiter_take_met(&watch), &all);
    vidmm_fence_watch_check(&watch);
    assert_null(watch.first);
}

static void who_waits_no_longer_is_not_met(void **state)
{
    struct vidmm_fence_waiter never = {0};
    struct room *room = room_create(0, false);
    uint32_t i;

    (void)state;
    for (i = 0; i < 4; i++)
        assert_false(wait_for(room, i, 10 + i));
    vidmm_fence_waiter_end(&room->waiters[1]); /* it waits */
    vidmm_monitored_fence_see(&room->fence, 12);
    vidmm_fence_waiter_end(&room->waiters[2]); /* met, not taken; the last in the list */
    assert_next_met(room, 0);
    vidmm_fence_waiter_end(&room->waiters[0]); /* taken */
    vidmm_fence_waiter_end(&never);
    assert_nobody_met(room);
    assert_false(wait_for(room, 0, 13));
    vidmm_monitored_fence_see(&room->fence, 20);
    vidmm_fence_waiter_end(&room->waiters[3]); /* the first in the list */
    assert_next_met(room, 0);
    assert_nobody_met(room);
    free(room);
}

/* 32 bits in memory: the nearest value, on both sides of every border. */
static void a_narrow_fence_wraps(void **state)
{
    static const uint64_t starts[] = {
        0x7ffffffe, 0x80000001, 0xfffffffe, 0x100000000, 0x17fffffff, 0xffffffff00000000,
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
        static const int64_t steps[] = {1, 0x10, 0x7fffffff, -1, -0x10, -0x7ffffffe};
        size_t s;

        for (s = 0; s < sizeof(steps) / sizeof(*steps); s++) {
            struct room *room = room_create(starts[i], true);
            uint64_t value = starts[i] + (uint64_t)steps[s];

            assert_true(vidmm_monitored_fence_reaches(&room->fence, value));
            vidmm_monitored_fence_see(&room->fence, value & UINT32_MAX);
            assert_int_equal(room->fence.value, value);
            assert_int_equal(vidmm_monitored_fence_signal(&room->fence, value + 2),
                             (value + 2) & UINT32_MAX);
            free(room);
        }
    }
}

static void a_narrow_fence_reaches_only_so_far(void **state)
{
    struct room *room = room_create(UINT64_C(5) << 32, true);
    uint64_t value = room->fence.value;

    (void)state;
    assert_true(vidmm_monitored_fence_reaches(&room->fence, value + 0x7fffffff));
    assert_false(vidmm_monitored_fence_reaches(&room->fence, value + 0x80000000));
    assert_true(vidmm_monitored_fence_reaches(&room->fence, value - 0x7fffffff));
    assert_false(vidmm_monitored_fence_reaches(&room->fence, value - 0x80000000));
    assert_false(wait_for(room, 0, value + 0x7fffffff));
    vidmm_monitored_fence_see(&room->fence, 0x7ffffffe);
    assert_nobody_met(room);
    vidmm_monitored_fence_see(&room->fence, 0x7fffffff);
    assert_next_met(room, 0);
    room->fence.narrow = false;
    assert_true(vidmm_monitored_fence_reaches(&room->fence, UINT64_MAX));
    free(room);
}

/* Below 0 there are no values: rubbish in memory is none that ends all waits. */
static void a_narrow_fence_does_not_pass_zero(void **state)
{
    struct room *room = room_create(5, true);

    (void)state;
    assert_false(wait_for(room, 0, UINT64_C(0x80000000)));
    vidmm_monitored_fence_see(&room->fence, 0xfffffff0);
    assert_int_equal(room->fence.value, 0xfffffff0);
    assert_next_met(room, 0);
    free(room);
}

static void a_reset_ends_all_waits(void **state)
{
    struct room *room = room_create(7, false), *narrow = room_create(7, true);

    (void)state;
    assert_false(wait_for(room, 0, UINT64_MAX));
    assert_int_equal(vidmm_monitored_fence_give_up(&room->fence), UINT64_MAX);
    assert_next_met(room, 0);
    assert_false(wait_for(narrow, 0, 9));
    assert_int_equal(vidmm_monitored_fence_give_up(&narrow->fence), UINT32_MAX);
    assert_next_met(narrow, 0);
    vidmm_monitored_fence_see(&narrow->fence, UINT32_MAX);
    assert_int_equal(narrow->fence.value, UINT64_MAX);
    free(room);
    free(narrow);
}

/* ---- against a plain model ---- */

struct model {
    struct vidmm_fence_watch watch;
    struct vidmm_monitored_fence fences[FENCES];
    struct {
        struct vidmm_fence_waiter waiter;
        struct vidmm_fence_wait waits[MOST];
        bool over[MOST], waiting;
    } who[WAITERS];
    uint64_t random;
};

static uint32_t below(struct model *m, uint32_t limit)
{
    m->random = m->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(m->random >> 33) % limit;
}

static bool is_over(const struct model *m, uint32_t i)
{
    uint32_t wait, over = 0;

    for (wait = 0; wait < m->who[i].waiter.count; wait++)
        over += m->who[i].over[wait] ? 1 : 0;
    return m->who[i].waiter.any ? over > 0 : over == m->who[i].waiter.count;
}

/* The present values of the fences end waits, for good. */
static void remember(struct model *m)
{
    uint32_t i, wait;

    for (i = 0; i < WAITERS; i++)
        for (wait = 0; m->who[i].waiting && wait < m->who[i].waiter.count; wait++)
            m->who[i].over[wait] |=
                m->who[i].waits[wait].fence->value >= m->who[i].waits[wait].value;
}

static void begin_one(struct model *m, uint32_t i)
{
    uint32_t count = 1 + below(m, MOST), wait;
    bool any = below(m, 2) != 0, met;

    for (wait = 0; wait < count; wait++) {
        struct vidmm_monitored_fence *fence = &m->fences[below(m, FENCES)];

        m->who[i].over[wait] = false;
        m->who[i].waits[wait] =
            (struct vidmm_fence_wait){.fence = fence, .value = fence->value - 3 + below(m, 12)};
    }
    met = vidmm_fence_waiter_begin(&m->who[i].waiter, any, m->who[i].waits, count);
    m->who[i].waiting = true;
    remember(m);
    assert_int_equal(met, is_over(m, i));
    m->who[i].waiting = !met;
}

/* Those are met that the model says, each once. */
static void take_all(struct model *m)
{
    struct vidmm_fence_waiter *waiter;
    uint32_t i;

    remember(m);
    while ((waiter = vidmm_fence_waiter_take_met(&m->watch)) != NULL) {
        for (i = 0; &m->who[i].waiter != waiter; i++)
            assert_true(i + 1 < WAITERS);
        assert_true(m->who[i].waiting && is_over(m, i));
        m->who[i].waiting = false;
    }
    for (i = 0; i < WAITERS; i++)
        assert_false(m->who[i].waiting && is_over(m, i));
}

static void anything_in_any_order(void **state)
{
    struct model *m = calloc(1, sizeof(*m));
    uint32_t i, step;

    (void)state;
    assert_non_null(m);
    m->random = 12;
    for (i = 0; i < FENCES; i++)
        vidmm_monitored_fence_init(&m->fences[i], &m->watch, 0xfffffff0u + i, i % 2 != 0);
    for (step = 0; step < 20000; step++) {
        struct vidmm_monitored_fence *fence = &m->fences[below(m, FENCES)];

        i = below(m, WAITERS);
        if (below(m, 3) == 0)
            vidmm_monitored_fence_signal(fence, fence->value - 1 + below(m, 4));
        else if (below(m, 2) == 0)
            vidmm_monitored_fence_see(fence, fence->value + below(m, 3));
        else if (!m->who[i].waiting)
            begin_one(m, i);
        else if (below(m, 4) == 0) {
            vidmm_fence_waiter_end(&m->who[i].waiter);
            m->who[i].waiting = false;
        }
        vidmm_fence_watch_check(&m->watch);
        take_all(m);
    }
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_ends_at_its_value_or_above),
        cmocka_unit_test(all_of_them_or_any),
        cmocka_unit_test(who_waits_no_longer_is_not_met),
        cmocka_unit_test(a_narrow_fence_wraps),
        cmocka_unit_test(a_narrow_fence_reaches_only_so_far),
        cmocka_unit_test(a_narrow_fence_does_not_pass_zero),
        cmocka_unit_test(a_reset_ends_all_waits),
        cmocka_unit_test(anything_in_any_order),
    };

    return cmocka_run_group_tests_name("monitored_fence", tests, NULL, NULL);
}
