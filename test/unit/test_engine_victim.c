/* test_engine_victim.c: the allocation that leaves a full segment. Each costs its bytes over the
 * square root of its age in packets. */
#include "test_engine_rig.h"

enum { LARGE = 1, SMALL = 2, BUSY = 3, WANTED = 4, SEGMENT = 2 };

/* LARGE, of 32 pages, and SMALL, of 16, were used so many packets ago; BUSY, of 16, fills the
 * rest. */
struct scene {
    uint32_t large_age, small_age;
    uint32_t leaver;
};

static const struct scene scenes[] = {
    {5, 4, SMALL},   /* 32 / 2.2 and 16 / 2 */
    {36, 12, SMALL}, /* 32 / 6 and 16 / 3.5; over the age alone LARGE would leave */
    {81, 12, LARGE}, /* 32 / 9 and 16 / 3.5 */
    {81, 36, SMALL}, /* 32 / 9 and 16 / 6 */
};

static void the_cheapest_leaves_by_size_and_root_of_age(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        const struct scene *scene = &scenes[i];
        struct vidmm_engine_config config = engine_rig_config();
        struct engine_rig rig;

        engine_rig_init(&rig, &config);
        engine_rig_do(&rig, engine_event_create(LARGE, 32, 2));
        engine_rig_do(&rig, engine_event_create(SMALL, 16, 2));
        engine_rig_do(&rig, engine_event_create(BUSY, 16, 2));
        engine_rig_do(&rig, engine_event_create(WANTED, 16, 2));
        for (uint32_t id = LARGE; id <= BUSY; id++)
            engine_rig_use(&rig, id, true);
        engine_rig_use(&rig, LARGE, false);
        for (uint32_t age = scene->large_age; age > 1; age--)
            engine_rig_use(&rig, age == scene->small_age + 1 ? SMALL : BUSY, false);
        engine_rig_use(&rig, WANTED, false);
        for (uint32_t id = LARGE; id <= WANTED; id++)
            if ((vidmm_engine_where(rig.engine, id).segment == SEGMENT) == (id == scene->leaver))
                fail_msg("ages %u and %u: %u", scene->large_age, scene->small_age, id);
        engine_rig_finish(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cheapest_leaves_by_size_and_root_of_age),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
