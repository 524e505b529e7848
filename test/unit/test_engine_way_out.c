/* test_engine_way_out.c: how the content of a memory segment leaves it is decided as data, and the
 * decision changes nothing until it is done. */
#include "test_engine_rig.h"

#include "vidmm/engine/decide/way_out.h"
#include "vidmm/engine/state/move_steps.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"

enum { FIRST = 1, SECOND = 2, BETWEEN = 3, IN_APERTURE = 4, OVERLAY = 0x100 };

static struct engine_rig rig;

/* The placements and their places when the way of SECOND is to be decided. */
struct scene {
    const char *name;
    uint64_t aperture;    /* pages of segment 1 */
    uint64_t first;       /* pages of what leaves before it, ... */
    bool first_through;   /* ... through the same aperture */
    uint64_t second;      /* pages of SECOND */
    uint64_t in_aperture; /* pages of what stands in the aperture; 0: nothing does */
    uint32_t flags;       /* its flags */
    enum way_out way;     /* the answer */
    uint32_t leaver;      /* the one that leaves for it; 0: nobody */
    uint32_t list;        /* enum move_list that the page-out has in the end */
};

static const struct scene scenes[] = {
    {"a hole", 64, 20, true, 20, 0, 0, WAY_THROUGH, 0, LIST_OUT_THROUGH},
    {"a victim", 64, 20, true, 20, 30, 0, WAY_THROUGH, IN_APERTURE, LIST_OUT_THROUGH},
    {"another page-out", 40, 30, true, 30, 0, 0, WAY_LATER, 0, LIST_OUT_THROUGH},
    {"an aperture that is too small", 20, 10, true, 30, 0, 0, WAY_DIRECT, 0, LIST_OUT_DIRECT},
    {"an overlay", 64, 4, false, 56, 12, OVERLAY, WAY_LOST, 0, LIST_DISCARD},
    {"an overlay, beside a page-out", 64, 4, true, 56, 12, OVERLAY, WAY_LATER, 0, LIST_DISCARD},
};

static struct vidmm_placement *placement(uint32_t id)
{
    return vidmm_placement_find(rig.engine, id);
}

static void create(uint32_t id, uint64_t pages, uint32_t set, uint32_t eviction, uint32_t flags)
{
    struct vidmm_event event = engine_event_create(id, pages, set);

    event.create.wish.eviction_set = eviction;
    event.create.wish.flags = flags;
    engine_rig_do(&rig, event);
    engine_rig_use(&rig, id, true);
}

/* FIRST is being called, and SECOND stands in the queue behind it. */
static void set_up(const struct scene *scene)
{
    struct vidmm_engine_config config = engine_rig_config();
    const struct vidmm_reference reference = {BETWEEN, 1};

    config.segments[1].size = config.segments[1].commit_limit = PAGES(scene->aperture);
    engine_rig_init(&rig, &config);
    if (scene->in_aperture != 0)
        create(IN_APERTURE, scene->in_aperture, 1, 0, scene->flags);
    create(FIRST, scene->first, 2, scene->first_through ? 1 : 0, 0);
    create(SECOND, scene->second, 2, 1, 0);
    engine_rig_do(&rig, engine_event_create(BETWEEN, 64, 2));
    engine_rig_do(&rig, engine_event_submit(50, 0, &reference, 1));
    assert_int_equal(rig.call.kind, VIDMM_DO_BUILD);
    assert_int_equal(rig.call.allocation, FIRST);
    assert_int_equal(placement(SECOND)->moves->out.state, MOVE_QUEUED);
    assert_int_equal(placement(SECOND)->moves->out.list, LIST_OUT);
}

/* The facts that a decision must leave as they were. */
struct facts {
    struct vidmm_placement placements[IN_APERTURE + 1];
    uint64_t committed[2];
    uint32_t live[2], evictions[2], plan_count;
    const struct vidmm_placement *leaving;
};

static struct facts facts(void)
{
    struct facts facts = {.plan_count = rig.engine->plan_count,
                          .leaving = rig.engine->leaving.first};

    for (uint32_t id = FIRST; id <= IN_APERTURE; id++) {
        if (!placement(id))
            continue;
        facts.placements[id] = *placement(id);
        facts.placements[id].marked_next = 0;
    }
    for (uint32_t i = 0; i < 2; i++) {
        facts.committed[i] = rig.engine->segments[i + 1].committed;
        facts.live[i] = rig.engine->segments[i + 1].live;
        facts.evictions[i] = rig.engine->segments[i + 1].evictions;
    }
    return facts;
}

static void a_decision_is_data_and_has_changed_nothing(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        struct vidmm_way_out out, again;
        struct facts before, after;

        set_up(&scenes[i]);
        before = facts();
        out = vidmm_way_out_decide(rig.engine, placement(SECOND));
        after = facts();
        vidmm_engine_check(rig.engine);
        if (out.way != scenes[i].way)
            fail_msg("%s: way %d", scenes[i].name, (int)out.way);
        assert_memory_equal(&before, &after, sizeof(before));
        again = vidmm_way_out_decide(rig.engine, placement(SECOND));
        assert_int_equal(again.way, out.way);
        if (out.way == WAY_THROUGH) {
            const struct vidmm_placement *leaver = out.passage.leavers.first;

            assert_int_equal(leaver ? leaver->id : 0, scenes[i].leaver);
            assert_int_equal(out.passage.segment, 1);
            assert_int_equal(again.passage.fit.offset, out.passage.fit.offset);
        }
        engine_rig_run(&rig);
        engine_rig_finish(&rig);
    }
}

static void what_was_decided_is_done_before_the_first_call(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        uint32_t from;

        set_up(&scenes[i]);
        from = rig.count;
        while (placement(SECOND)->moves->out.list == LIST_OUT)
            if (rig.call.kind == 0)
                engine_rig_complete(&rig, rig.paging_node);
            else
                engine_rig_answer(&rig);
        assert_string_equal(vidmm_list_string((enum move_list)placement(SECOND)->moves->out.list),
                            vidmm_list_string((enum move_list)scenes[i].list));
        assert_int_equal(engine_rig_find(&rig, from, VIDMM_DO_LOST) != NULL,
                         scenes[i].list == LIST_DISCARD);
        if (scenes[i].leaver != 0)
            assert_int_equal(rig.call.allocation, scenes[i].leaver);
        engine_rig_run(&rig);
        engine_rig_finish(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_decision_is_data_and_has_changed_nothing),
        cmocka_unit_test(what_was_decided_is_done_before_the_first_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
