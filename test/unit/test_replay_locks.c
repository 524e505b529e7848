/* test_replay_locks.c: how a replay locks what a recorded program maps. The linker leads its calls
 * of Lock2, Unlock2 and the destruction by here.
 */
#include "harness.h"

#include <stdio.h>
#include <unistd.h>

#include <vidmm/lock2.h>
#include <wddm/ntstatus.h>

#include "tool/run.h"
#include "tool/summary.h"

/* Memory for one of the first two at a time, and the third, which the CPU does not see. Each is
 * mapped more often than it is unmapped, or less; the second is freed. */
static const char trace[] = "# vidmm-trace 1\n"
                            "0 A 1 36864 local,visible\n"
                            "0 A 2 36864 local,visible\n"
                            "0 A 3 8192 local\n"
                            "0 M 1\n0 M 2\n0 D 1 0 5000\n0 D 2 0 5000\n"
                            "0 S 0 2 1:R 3:W\n0 S 0 2 2:W 3:W\n0 P\n"
                            "1 U 1\n1 M 1\n1 U 1\n1 M 1\n"
                            "1 D 1 4096 5000\n1 S 0 2 1:W 3:W\n1 S 0 2 2:W 3:W\n1 P\n"
                            "2 U 2\n2 F 2\n2 S 0 2 1:R 3:W\n2 P\n";

enum { MOST = 8 };

/* In the order of their creation. Addresses may come again: `gone`. */
static struct locked {
    const struct vidmm_allocation *allocation;
    unsigned locks, unlocks;
    bool gone;
} locked[MOST];

static unsigned locked_count, unlocked_alive;

static struct locked *find(const struct vidmm_allocation *allocation)
{
    for (unsigned i = 0; i < locked_count; i++)
        if (locked[i].allocation == allocation && !locked[i].gone)
            return &locked[i];
    assert_true(locked_count < MOST);
    locked[locked_count].allocation = allocation;
    return &locked[locked_count++];
}

NTSTATUS __real_vidmm_lock2(struct vidmm_allocation *allocation, uint32_t flags, void **data,
                            struct vidmm_report *report);
NTSTATUS __wrap_vidmm_lock2(struct vidmm_allocation *allocation, uint32_t flags, void **data,
                            struct vidmm_report *report);
NTSTATUS __real_vidmm_unlock2(struct vidmm_allocation *allocation, struct vidmm_report *report);
NTSTATUS __wrap_vidmm_unlock2(struct vidmm_allocation *allocation, struct vidmm_report *report);
void __real_vidmm_allocation_destroy(struct vidmm_allocation *allocation);
void __wrap_vidmm_allocation_destroy(struct vidmm_allocation *allocation);

NTSTATUS __wrap_vidmm_lock2(struct vidmm_allocation *allocation, uint32_t flags, void **data,
                            struct vidmm_report *report)
{
    NTSTATUS status = __real_vidmm_lock2(allocation, flags, data, report);

    if (status == STATUS_SUCCESS)
        find(allocation)->locks++;
    return status;
}

NTSTATUS __wrap_vidmm_unlock2(struct vidmm_allocation *allocation, struct vidmm_report *report)
{
    find(allocation)->unlocks++;
    unlocked_alive++;
    return __real_vidmm_unlock2(allocation, report);
}

void __wrap_vidmm_allocation_destroy(struct vidmm_allocation *allocation)
{
    struct locked *ends = find(allocation);

    unlocked_alive -= ends->unlocks;
    assert_int_equal(unlocked_alive, 0); /* all others are as they were */
    ends->gone = true;
    __real_vidmm_allocation_destroy(allocation);
}

static char path[HARNESS_PATH];

static void replay(uint32_t wddm)
{
    struct vidmm_run_options options = {.config = softgpu_config_default(), .file_count = 1};
    struct vidmm_run_result result;
    FILE *file;
    int descriptor;

    memset(locked, 0, sizeof(locked));
    locked_count = unlocked_alive = 0;
    harness_temporary(path, "vidmm-test-locks");
    descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    file = fdopen(descriptor, "w");
    assert_non_null(file);
    fputs(trace, file);
    fclose(file);
    options.files[0] = path;
    options.config.wddm = wddm;
    options.config.segments[1].size = 12 * 4096;
    vidmm_run(&options, &result);
    unlink(path);
    if (vidmm_summary_status(&result) != 0)
        fail_msg("%s %s", result.problem, result.mismatch);
    assert_int_equal(result.programs[0].maps, 4);
    assert_int_equal(result.programs[0].unmaps, 3);
    assert_true(result.manager.evictions > 0);
    vidmm_run_result_finish(&result);
}

/* The unlock comes with the end: the second allocation's before the others'. */
static void what_the_cpu_sees_is_locked_once_and_for_life(void **state)
{
    (void)state;
    replay(20);
    assert_int_equal(locked_count, 3);
    for (unsigned i = 0; i < locked_count; i++) {
        assert_int_equal(locked[i].locks, i < 2);
        assert_int_equal(locked[i].unlocks, i < 2);
        assert_true(locked[i].gone);
    }
}

/* Below 2.0 an allocation that is locked in a memory segment cannot be used by the GPU (D-160). */
static void old_programs_do_not_lock_for_life(void **state)
{
    (void)state;
    replay(13);
    for (unsigned i = 0; i < locked_count; i++)
        assert_int_equal(locked[i].locks + locked[i].unlocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_cpu_sees_is_locked_once_and_for_life),
        cmocka_unit_test(old_programs_do_not_lock_for_life),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
