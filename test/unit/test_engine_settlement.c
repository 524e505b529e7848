/* test_engine_settlement.c: what leaves and what settles is decided as data: the decision changes
 * nothing, says who is to be claimed first, and is done as it was answered. */
#include "test_engine_rig.h"

#include "vidmm/engine/carry/leaving.h"
#include "vidmm/engine/decide/exception.h"
#include "vidmm/engine/decide/residency.h"
#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/move_pair.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"

enum { OLD = 1, OLDER = 2, NEWEST = 3, ASKS = 4, IDS };

static struct engine_rig rig;

static struct vidmm_placement *placement(uint32_t id)
{
    return vidmm_placement_find(rig.engine, id);
}

/* The facts that a question must leave as they were; links and marks are the questions' own. */
struct facts {
    struct vidmm_placement placements[IDS];
    uint64_t committed, free_bytes;
    uint32_t live, plan_count, call;
    const struct vidmm_placement *leaving;
};

static struct facts facts(void)
{
    const struct vidmm_segment_state *segment = &rig.engine->segments[2];
    struct facts facts;

    memset(&facts, 0, sizeof(facts));
    for (uint32_t id = 1; id < IDS; id++) {
        if (!placement(id))
            continue;
        facts.placements[id] = *placement(id);
        facts.placements[id].marked_next = facts.placements[id].usable = 0;
    }
    facts.committed = segment->committed;
    facts.free_bytes = vidmm_segment_free_bytes(&segment->ranges);
    facts.live = segment->live;
    facts.plan_count = rig.engine->plan_count;
    facts.call = rig.engine->call;
    facts.leaving = rig.engine->leaving.first;
    return facts;
}

/* Allocations stand in segment 2, of 64 pages, one behind the other; the CPU may use the one that
 * is open. ASKS has no place. */
static void set_up(const uint32_t pages[IDS], uint32_t open)
{
    const struct vidmm_engine_config config = engine_rig_config();

    engine_rig_init(&rig, &config);
    for (uint32_t id = OLD; id < ASKS; id++) {
        if (pages[id] == 0)
            continue;
        engine_rig_do(&rig, engine_event_create(id, pages[id], 2));
        engine_rig_use(&rig, id, true);
        if (id == open) /* the CPU may lock it again, alone */
            engine_rig_do(&rig, engine_event_lock(id, id, true));
    }
    engine_rig_do(&rig, engine_event_create(ASKS, pages[ASKS], 2));
}

typedef enum vidmm_found question(struct vidmm_engine *, struct vidmm_placement *, uint32_t,
                                  struct vidmm_settlement *);

static const struct scene {
    const char *name;
    question *ask;
    uint32_t pages[IDS];
    uint32_t open; /* the CPU is not off it; 0: it is off all */
    enum vidmm_found found;
    uint32_t claim;        /* whom the answer wants claimed */
    uint32_t leavers[IDS]; /* who leaves, in this order */
    uint64_t at;           /* page at which ASKS settles */
} scenes[] = {
    {"a hole", vidmm_room_by_cost, {0, 20, 20, 0, 24}, OLD, FOUND, 0, {0}, 40},
    {"the oldest leaves", vidmm_room_by_cost, {0, 20, 20, 20, 20}, 0, FOUND, 0, {OLD}, 0},
    {"two leave", vidmm_room_by_cost, {0, 20, 20, 20, 36}, 0, FOUND, 0, {OLD, OLDER}, 0},
    {"one of two is open",
     vidmm_room_by_cost,
     {0, 20, 20, 20, 36},
     OLDER,
     FOUND_CALL,
     OLDER,
     {0},
     0},
    {"a window", vidmm_room_by_window, {0, 20, 20, 20, 44}, 0, FOUND, 0, {OLDER, NEWEST}, 20},
    {"a window with an open one",
     vidmm_room_by_window,
     {0, 20, 20, 20, 64},
     NEWEST,
     FOUND_CALL,
     NEWEST,
     {0},
     0},
};

static void assert_leavers(const struct scene *scene, const struct vidmm_leavers *leavers)
{
    const struct vidmm_placement *leaver = leavers->first;

    for (uint32_t i = 0; scene->leavers[i] != 0; i++) {
        if (!leaver || leaver->id != scene->leavers[i])
            fail_msg("%s: leaver %u is %u", scene->name, i, leaver ? leaver->id : 0);
        leaver = vidmm_leavers_next(rig.engine, leaver);
    }
    assert_null(leaver);
}

static void a_question_changes_nothing_and_its_answer_is_done(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        const struct scene *scene = &scenes[i];
        struct vidmm_settlement settlement = {.found = FOUND}, again = {.found = FOUND};
        struct facts before, after;

        set_up(scene->pages, scene->open);
        before = facts();
        settlement.found = scene->ask(rig.engine, placement(ASKS), 2, &settlement);
        again.found = scene->ask(rig.engine, placement(ASKS), 2, &again);
        after = facts();
        vidmm_engine_check(rig.engine);
        if (settlement.found != scene->found)
            fail_msg("%s: found %d", scene->name, (int)settlement.found);
        assert_memory_equal(&before, &after, sizeof(before));
        assert_int_equal(again.found, settlement.found);
        assert_int_equal(again.fit.offset, settlement.fit.offset);
        assert_int_equal(settlement.claim ? settlement.claim->id : 0, scene->claim);
        assert_leavers(scene, &settlement.leavers);
        assert_true(vidmm_move_pair_reserve(rig.engine, placement(ASKS)));
        vidmm_settlement_apply(rig.engine, &settlement);
        assert_int_equal(rig.engine->call == CALL_CLAIM, scene->claim != 0);
        for (uint32_t k = 0; scene->leavers[k] != 0; k++)
            assert_false(vidmm_placement_has_range(placement(scene->leavers[k])));
        assert_int_equal(vidmm_placement_has_range(placement(ASKS)), scene->found == FOUND);
        if (scene->found == FOUND)
            assert_int_equal(placement(ASKS)->given.offset, PAGES(scene->at));
        vidmm_leaving_queue(rig.engine);
        vidmm_engine_check(rig.engine);
        engine_rig_finish(&rig);
    }
}

static void an_exception_names_who_leaves_and_who_is_claimed(void **state)
{
    static const uint32_t pages[IDS] = {0, 20, 20, 20, 1};
    const struct scene scene = {.name = "everything leaves", .leavers = {OLD}};
    struct vidmm_settlement all;
    struct facts before, after;

    (void)state;
    set_up(pages, OLDER);
    before = facts();
    all = vidmm_exception_decide(rig.engine, VIDMM_EXCEPTION_LEVEL_THREE);
    after = facts();
    assert_memory_equal(&before, &after, sizeof(before));
    assert_int_equal(all.found, FOUND_CALL);
    assert_ptr_equal(all.claim, placement(OLDER));
    assert_leavers(&scene, &all.leavers);
    vidmm_settlement_apply(rig.engine, &all);
    assert_false(vidmm_placement_has_range(placement(OLD)));
    assert_true(vidmm_placement_has_range(placement(OLDER)));
    assert_int_equal(rig.engine->call, CALL_CLAIM);
    vidmm_leaving_queue(rig.engine);
    vidmm_engine_check(rig.engine);
    engine_rig_finish(&rig);
}

/* While the claim is under way for the DMA buffer at the head, the same question has the same
 * answer, and nothing comes of asking it. */
static void what_a_dma_buffer_needs_is_decided_anew_after_a_claim(void **state)
{
    static const uint32_t pages[IDS] = {0, 30, 30, 0, 40};
    const struct vidmm_reference reference = {ASKS, 1};
    struct vidmm_residency residency;
    struct vidmm_settlement next;
    struct facts before, after;

    (void)state;
    set_up(pages, OLD);
    engine_rig_do(&rig, engine_event_submit(50, 0, &reference, 1));
    assert_int_equal(rig.call.kind, VIDMM_DO_CLAIM);
    assert_int_equal(rig.call.allocation, OLD);
    before = facts();
    residency = vidmm_residency_begin(rig.engine->turn, 0);
    next = vidmm_residency_next(rig.engine, &residency);
    after = facts();
    assert_memory_equal(&before, &after, sizeof(before));
    assert_int_equal(next.found, FOUND_CALL);
    assert_false(next.more);
    assert_ptr_equal(next.claim, placement(OLD));
    engine_rig_run(&rig);
    assert_true(vidmm_placement_has_range(placement(ASKS)));
    assert_int_equal(placement(ASKS)->given.offset, 0);
    engine_rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_question_changes_nothing_and_its_answer_is_done),
        cmocka_unit_test(an_exception_names_who_leaves_and_who_is_claimed),
        cmocka_unit_test(what_a_dma_buffer_needs_is_decided_anew_after_a_claim),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
