/* The free page frames: against a plain array, and what shuffling promises. */
#include "harness.h"

#include "host/frames.h"
#include "host/random.h"

enum { FRAMES = 3000, REQUEST_LIMIT = 200, ROUNDS = 4000 };

/* A request that is still held. */
struct request {
    uint64_t count;
    uint64_t frames[REQUEST_LIMIT];
};

static void take_all_of(struct vidmm_frames *frames, const struct request *request,
                        unsigned char *taken)
{
    for (uint64_t i = 0; i < request->count; i++) {
        assert_true(request->frames[i] < frames->count);
        assert_int_equal(taken[request->frames[i]], 0);
        assert_true(vidmm_frames_taken(frames, request->frames[i]));
        taken[request->frames[i]] = 1;
    }
}

static void give_back(struct vidmm_frames *frames, struct request *request, unsigned char *taken)
{
    for (uint64_t i = 0; i < request->count; i++) {
        assert_true(vidmm_frames_release(frames, request->frames[i]));
        assert_false(vidmm_frames_release(frames, request->frames[i]));
        taken[request->frames[i]] = 0;
    }
    request->count = 0;
}

/* Is there a run of count free frames below limit? */
static bool holds_run(const unsigned char *taken, uint64_t count, uint64_t limit)
{
    uint64_t run = 0;

    for (uint64_t f = 0; f < limit; f++) {
        run = taken[f] ? 0 : run + 1;
        if (run == count)
            return true;
    }
    return false;
}

static uint64_t count_free(const unsigned char *taken, uint64_t limit)
{
    uint64_t free = 0;

    for (uint64_t f = 0; f < limit; f++)
        free += taken[f] == 0;
    return free;
}

/* How many frames are in whole units that are free, below limit? */
static uint64_t count_in_units(const unsigned char *taken, uint64_t unit, uint64_t limit)
{
    uint64_t free = 0;

    for (uint64_t first = 0; first + unit <= limit; first += unit)
        free += count_free(taken + first, unit) == unit ? unit : 0;
    return free;
}

/* A request in units of 1 to 64 frames. Answers whether it was to be granted, as it was. */
static bool take_units(struct vidmm_frames *frames, struct request *request,
                       const unsigned char *taken, uint64_t limit, uint64_t *random)
{
    uint64_t unit = UINT64_C(1) << vidmm_random_below(random, 7);
    uint64_t want = unit * (1 + vidmm_random_below(random, (uint32_t)(REQUEST_LIMIT / unit)));
    bool fits = count_in_units(taken, unit, limit) >= want;

    assert_int_equal(vidmm_frames_take_units(frames, want, unit, limit, request->frames), fits);
    request->count = fits ? want : 0;
    for (uint64_t i = 0; i < request->count; i++) {
        assert_true(request->frames[i] < limit && request->frames[i] % unit == i % unit);
        assert_true(i % unit == 0 || request->frames[i] == request->frames[i - 1] + 1);
    }
    return fits;
}

static void play(uint64_t count, bool ordered, uint64_t seed)
{
    static unsigned char taken[FRAMES];
    static struct request requests[64];
    struct vidmm_frames frames;
    uint64_t random = vidmm_random_seed(seed);
    uint64_t refused = 0;

    memset(taken, 0, sizeof(taken));
    memset(requests, 0, sizeof(requests));
    assert_true(vidmm_frames_init(&frames, count, ordered, seed));
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct request *request = &requests[vidmm_random_below(&random, 64)];
        if (request->count > 0) {
            give_back(&frames, request, taken);
            continue;
        }
        uint64_t want = 1 + vidmm_random_below(&random, REQUEST_LIMIT);
        bool contiguous = vidmm_random_below(&random, 3) == 0;
        uint64_t limit = count;
        if (vidmm_random_below(&random, 4) == 0)
            limit = vidmm_random_below(&random, (uint32_t)count + 1);
        if (vidmm_random_below(&random, 3) == 0) {
            refused += !take_units(&frames, request, taken, limit, &random);
            take_all_of(&frames, request, taken);
            assert_int_equal(frames.free, count_free(taken, count));
            continue;
        }
        bool fits = contiguous ? holds_run(taken, want, limit) : count_free(taken, limit) >= want;
        assert_int_equal(vidmm_frames_take(&frames, want, limit, contiguous, request->frames),
                         fits);
        refused += !fits;
        if (fits) {
            request->count = want;
            take_all_of(&frames, request, taken);
        }
        for (uint64_t i = 0; i < request->count; i++) {
            assert_true(request->frames[i] < limit);
            assert_true(!contiguous || request->frames[i] == request->frames[0] + i);
        }
        assert_int_equal(frames.free, count_free(taken, count));
    }
    assert_true(refused > 0);
    vidmm_frames_finish(&frames);
}

static void a_request_is_refused_only_if_no_frames_fit_it(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        play(FRAMES, false, seed);
        play(FRAMES, true, seed);
        play(64, false, seed);
        play(65, false, seed);
        play(1, true, seed);
    }
}

static void shuffled_frames_come_in_short_runs_in_no_order(void **state)
{
    enum { COUNT = 4096 };
    static uint64_t list[COUNT];
    struct vidmm_frames frames;
    unsigned runs = 1, backward = 0, longest = 1, length = 1;

    (void)state;
    assert_true(vidmm_frames_init(&frames, 1 << 18, false, 1));
    assert_true(vidmm_frames_take(&frames, COUNT, UINT64_MAX, false, list));
    for (unsigned i = 1; i < COUNT; i++) {
        bool joined = list[i] == list[i - 1] + 1;
        length = joined ? length + 1 : 1;
        longest = length > longest ? length : longest;
        runs += !joined;
        backward += list[i] < list[i - 1];
    }
    assert_true(runs > COUNT / 12 && runs < COUNT / 4);
    assert_true(backward > runs / 3);
    assert_true(longest <= 4 * VIDMM_FRAMES_RUN_LIMIT); /* runs may happen to meet */
    vidmm_frames_finish(&frames);
}

static void runs_stay_long_however_often_frames_are_taken_and_released(void **state)
{
    enum { PIECES = 64, PIECE = 1024 };
    static uint64_t lists[PIECES][PIECE];
    struct vidmm_frames frames;
    uint64_t random = vidmm_random_seed(5);
    uint64_t runs = 0;

    (void)state;
    assert_true(vidmm_frames_init(&frames, 1 << 17, false, 1));
    for (unsigned i = 0; i < PIECES; i++)
        assert_true(vidmm_frames_take(&frames, PIECE, UINT64_MAX, false, lists[i]));
    for (unsigned round = 0; round < 4000; round++) {
        uint64_t *list = lists[vidmm_random_below(&random, PIECES)];
        for (unsigned i = 0; i < PIECE; i++)
            assert_true(vidmm_frames_release(&frames, list[i]));
        assert_true(vidmm_frames_take(&frames, PIECE, UINT64_MAX, false, list));
    }
    for (unsigned i = 0; i < PIECES; i++)
        for (unsigned k = 1; k < PIECE; k++)
            runs += lists[i][k] != lists[i][k - 1] + 1;
    assert_true(runs * 5 < PIECES * PIECE);
    vidmm_frames_finish(&frames);
}

static void shuffling_leaves_room_for_consecutive_frames(void **state)
{
    enum { HALF = 1 << 14 };
    static uint64_t list[HALF], run[4096];
    struct vidmm_frames frames;

    (void)state;
    assert_true(vidmm_frames_init(&frames, 2 * HALF, false, 3));
    assert_true(vidmm_frames_take(&frames, HALF, UINT64_MAX, false, list));
    assert_true(vidmm_frames_take(&frames, 4096, UINT64_MAX, true, run));
    vidmm_frames_finish(&frames);
}

static void one_seed_is_one_order(void **state)
{
    static uint64_t lists[3][512];
    const uint64_t seeds[3] = {9, 9, 10};

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct vidmm_frames frames;
        assert_true(vidmm_frames_init(&frames, 100000, false, seeds[i]));
        assert_true(vidmm_frames_take(&frames, 512, UINT64_MAX, false, lists[i]));
        vidmm_frames_finish(&frames);
    }
    assert_memory_equal(lists[0], lists[1], sizeof(lists[0]));
    assert_memory_not_equal(lists[0], lists[2], sizeof(lists[0]));
}

static void a_frame_is_unused_until_it_is_marked(void **state)
{
    struct vidmm_frames frames;

    (void)state;
    assert_true(vidmm_frames_init(&frames, 130, true, 0));
    assert_false(vidmm_frames_mark_used(&frames, 129));
    assert_true(vidmm_frames_mark_used(&frames, 129));
    assert_false(vidmm_frames_mark_used(&frames, 128));
    assert_false(vidmm_frames_taken(&frames, 130));
    assert_false(vidmm_frames_release(&frames, UINT64_MAX));
    vidmm_frames_finish(&frames);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_refused_only_if_no_frames_fit_it),
        cmocka_unit_test(shuffled_frames_come_in_short_runs_in_no_order),
        cmocka_unit_test(runs_stay_long_however_often_frames_are_taken_and_released),
        cmocka_unit_test(shuffling_leaves_room_for_consecutive_frames),
        cmocka_unit_test(one_seed_is_one_order),
        cmocka_unit_test(a_frame_is_unused_until_it_is_marked),
    };
    return cmocka_run_group_tests_name("host_frames", tests, NULL, NULL);
}
