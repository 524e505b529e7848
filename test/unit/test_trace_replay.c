/* Whole replays, as `vidmm replay` does them: their results, and that a wrong one is seen. */
#include "harness.h"

#include <stdio.h>
#include <unistd.h>

#include "host/exit.h"
#include "softgpu/broken.h"
#include "tool/run.h"
#include "tool/size.h"
#include "tool/summary.h"

#define PAGE 4096u

static char temporary[HARNESS_PATH];

/* The largest submission, as the trace's reader counts it: see test_trace.c. */
enum { VKCUBE_LARGEST = 381 * PAGE };

/* A program made for this test: TURNS frames, each with USES of IMAGES local images of odd sizes,
 * one of them written by the CPU first, in a memory that holds no more than the USES. */
enum {
    IMAGES = 12,
    USES = 4,
    TURNS = 60,
    IMAGE_PAGES = 9,
    SMALL_MEMORY = USES * IMAGE_PAGES * PAGE
};

static struct vidmm_run_options options_for(const char *name, uint64_t memory)
{
    static char paths[2][512];
    static unsigned next;
    char *path = paths[next++ % 2];
    struct vidmm_run_options options = {.config = softgpu_config_default(), .file_count = 1};

    snprintf(path, sizeof(paths[0]), SOURCE_ROOT "/traces/%s.vmt.gz", name);
    options.files[0] = path;
    options.config.segments[1].size = memory;
    return options;
}

/* Replay a trace written here, as text. */
static struct vidmm_run_options options_for_text(const char *text, uint64_t memory)
{
    struct vidmm_run_options options = options_for("", memory);
    FILE *file = fopen(temporary, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    options.files[0] = temporary;
    return options;
}

static void write_turn(FILE *file, unsigned turn)
{
    unsigned first = turn * 5 % IMAGES;

    fprintf(file, "%u D %u %u 5000\n", turn, first + 1, turn % 3 * 4096);
    fprintf(file, "%u S 0 %d", turn, USES);
    for (unsigned use = 0; use < USES; use++)
        fprintf(file, " %u:%c", (first + use * 2) % IMAGES + 1, use == 1 ? 'W' : 'R');
    fprintf(file, "\n%u P\n", turn);
}

static struct vidmm_run_options options_for_small_memory(void)
{
    struct vidmm_run_options options = options_for("", SMALL_MEMORY);
    FILE *file = fopen(temporary, "w");

    assert_non_null(file);
    fputs("# vidmm-trace 1\n", file);
    for (unsigned image = 1; image <= IMAGES; image++)
        fprintf(file, "0 A %u %u local,visible,image\n", image, IMAGE_PAGES * PAGE - image * 16);
    for (unsigned turn = 0; turn < TURNS; turn++)
        write_turn(file, turn);
    fclose(file);
    options.files[0] = temporary;
    return options;
}

static struct vidmm_run_result run(const struct vidmm_run_options *options)
{
    struct vidmm_run_result result;

    vidmm_run(options, &result);
    return result;
}

static void assert_clean(const struct vidmm_run_result *result)
{
    if (vidmm_summary_status(result) != 0)
        fail_msg("%s %s %s", result->problem, result->mismatch,
                 result->violation_report != NULL ? result->violation_report : "");
}

static void a_program_runs_to_its_end(void **state)
{
    const struct vidmm_run_options options = options_for("vkcube", 64 << 20);
    struct vidmm_run_result result = run(&options);

    (void)state;
    assert_clean(&result);
    assert_int_equal(result.programs[0].frames, 600);
    assert_int_equal(result.programs[0].submissions, 601);
    assert_int_equal(result.programs[0].allocations, 8);
    assert_int_equal(result.programs[0].maps, 4);
    assert_int_equal(result.programs[0].unmaps, 4);
    assert_int_equal(result.programs[0].writes, 604);
    assert_int_equal(result.manager.submissions, 601);
    assert_int_equal(result.device.content_checks, 2400);
    assert_int_equal(result.checks, 2400 + 604);
    assert_string_equal(result.programs[0].app, "vkcube");
    vidmm_run_result_finish(&result);
}

static void with_just_enough_memory_a_program_pages_and_every_byte_is_right(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct vidmm_run_options options = options_for_small_memory();

        options.seed = seed;
        options.config.habit = seed % 2 == 1 ? SOFTGPU_IMMEDIATE : SOFTGPU_QUEUED;
        options.evict_through_aperture = seed % 3 == 2;
        options.threads = seed > 9;
        struct vidmm_run_result result = run(&options);
        assert_clean(&result);
        assert_true(result.manager.evictions > TURNS);
        assert_true(result.manager.bytes_in > 0);
        assert_int_equal(result.device.content_checks, TURNS * USES);
        vidmm_run_result_finish(&result);
    }
}

/* ---- from WDDM 2.0 on, by <umd/...> ---------------------------------------------------------- */

static struct vidmm_run_options options_for_new(uint64_t memory)
{
    struct vidmm_run_options options = options_for_small_memory();

    options.config.wddm = 20;
    options.config.segments[1].size = memory;
    return options;
}

static void a_user_mode_driver_keeps_what_the_manager_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct vidmm_run_options options = options_for_new(SMALL_MEMORY);

        options.seed = seed;
        options.config.habit = seed % 2 == 1 ? SOFTGPU_IMMEDIATE : SOFTGPU_QUEUED;
        options.config.segments[1].host_aperture = seed % 3 == 1;
        options.config.segments[1].cpu_visible = seed % 3 != 1;
        options.caches_apart = seed % 4 == 2;
        options.threads = seed > 8;
        struct vidmm_run_result result = run(&options);
        assert_clean(&result);
        assert_true(result.manager.evictions > TURNS);
        assert_int_equal(result.device.content_checks, TURNS * USES);
        assert_int_equal(result.programs[0].writes, TURNS);
        vidmm_run_result_finish(&result);
    }
}

/* Room for all, and from the middle on a budget of half of that: half leaves at once, and what
 * comes later has to make room. The manager leaves it where it is, for there is room. */
static void a_budget_that_is_halved_in_mid_run_makes_a_program_trim(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 8; seed++) {
        struct vidmm_run_options options = options_for_new(IMAGES * IMAGE_PAGES * PAGE);

        options.halve_budget = seed % 2 == 1;
        options.seed = seed;
        options.threads = seed > 5;
        struct vidmm_run_result result = run(&options);
        assert_clean(&result);
        assert_int_equal(result.device.content_checks, TURNS * USES);
        if (!options.halve_budget)
            assert_int_equal(result.programs[0].trimmed, 0);
        else /* as much as the GPU did not use just then, and no more than half in whole images */
            assert_in_range(result.programs[0].trimmed, IMAGE_PAGES * PAGE,
                            (IMAGES / 2 + 1) * IMAGE_PAGES * PAGE);
        vidmm_run_result_finish(&result);
    }
}

/* The CPU writes all of what the GPU reads, without waiting for it; and a part, which waits. */
static void write_renamed(FILE *file, const char *types)
{
    fputs("# vidmm-trace 1\n", file);
    fprintf(file, "0 A 1 %u %s\n0 A 2 %u local\n", 3 * PAGE, types, 3 * PAGE);
    for (unsigned turn = 0; turn < TURNS; turn++)
        fprintf(file, "%u D 1 %u %u\n%u S 0 2 1:%c 2:W\n%u S 0 1 2:R\n", turn,
                turn % 5 == 4 ? PAGE : 0, turn % 5 == 4 ? PAGE : 3 * PAGE, turn,
                turn % 7 == 6 ? 'W' : 'R', turn);
}

static struct vidmm_run_result run_renamed(const char *types, uint64_t seed, bool by_address)
{
    char text[64 * TURNS + 200] = "";
    FILE *file = fmemopen(text, sizeof(text), "w");

    assert_non_null(file);
    write_renamed(file, types);
    fclose(file);
    struct vidmm_run_options options = options_for_text(text, 16 << 20);
    options.config.wddm = 20;
    options.config.mmu.kind = by_address ? SOFTGPU_MMU_GPU : SOFTGPU_MMU_NONE;
    options.caches_apart = true;
    options.seed = seed;
    options.config.habit = seed % 2 == 1 ? SOFTGPU_IMMEDIATE : SOFTGPU_QUEUED;
    return run(&options);
}

static void a_write_of_all_that_the_gpu_reads_goes_to_another_instance(void **state)
{
    uint64_t renames = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct vidmm_run_result result = run_renamed("visible,coherent", seed, seed % 3 == 2);

        assert_clean(&result);
        assert_int_equal(result.programs[0].writes, TURNS);
        renames += result.programs[0].renames;
        vidmm_run_result_finish(&result);
    }
    assert_in_range(renames, 10, 6 * TURNS * 4 / 5); /* it depends on who comes first */
}

/* GPU and CPU write it in turn, through caches that the GPU does not see. */
static void caches_are_kept_right_by_the_program(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct vidmm_run_result result =
            run_renamed("visible,coherent,cached", seed, seed % 3 == 2);

        assert_clean(&result);
        assert_int_equal(result.device.content_checks, 3 * TURNS);
        vidmm_run_result_finish(&result);
    }
}

static void one_seed_is_one_run(void **state)
{
    struct vidmm_run_options options = options_for("vkcube", VKCUBE_LARGEST);

    (void)state;
    options.seed = 5;
    options.config.execute = false;
    struct vidmm_run_result first = run(&options), second = run(&options);
    assert_clean(&first);
    assert_int_equal(first.manager.paging_buffers, second.manager.paging_buffers);
    assert_int_equal(first.device.interrupts, second.device.interrupts);
    assert_int_equal(first.device.packets, second.device.packets);
    vidmm_run_result_finish(&first);
    vidmm_run_result_finish(&second);
}

static void two_programs_share_an_adapter(void **state)
{
    struct vidmm_run_options options = options_for("vkcube", 2 << 20);
    const struct vidmm_run_options other = options_for("vkd3d_gears", 2 << 20);

    (void)state;
    options.files[1] = other.files[0];
    options.file_count = 2;
    struct vidmm_run_result result = run(&options);
    assert_clean(&result);
    assert_int_equal(result.programs[0].frames, 600);
    assert_int_equal(result.programs[1].frames, 2000);
    vidmm_run_result_finish(&result);
}

static void threads_run_the_same_program(void **state)
{
    struct vidmm_run_options options = options_for("vkcube", VKCUBE_LARGEST);

    (void)state;
    options.threads = true;
    struct vidmm_run_result result = run(&options);
    assert_clean(&result);
    assert_int_equal(result.programs[0].frames, 600);
    vidmm_run_result_finish(&result);
}

/* One hint that is obeyed is enough, whatever the first refusal is about. */
static void the_first_refusal_names_what_all_of_the_trace_needs(void **state)
{
    static const struct {
        const char *name;
        uint64_t memory;
        const char *refused;
    } tries[] = {
        {"glmark2", PAGE, "allocation 1 has 2097152 bytes"},
        {"glmark2", 8 << 20, "runs out of memory"},
        {"vkd3d_gears", PAGE, "allocation "},
    };

    (void)state;
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        struct vidmm_run_options options = options_for(tries[i].name, tries[i].memory);
        struct vidmm_run_result result;
        char needs[24] = "";
        const char *at;

        options.config.execute = false;
        result = run(&options);
        assert_int_equal(vidmm_summary_status(&result), VIDMM_OUT_OF_MEMORY);
        assert_non_null(strstr(result.problem, tries[i].refused));
        at = strstr(result.problem, "all of the trace needs --memory ");
        assert_non_null(at);
        assert_int_equal(sscanf(at, "all of the trace needs --memory %23[0-9KMG]", needs), 1);
        vidmm_run_result_finish(&result);
        assert_true(vidmm_size_parse(needs, &options.config.segments[1].size));
        result = run(&options);
        assert_int_equal(vidmm_summary_status(&result), 0);
        vidmm_run_result_finish(&result);
        options.config.segments[1].size -= PAGE; /* it is the least */
        result = run(&options);
        assert_int_equal(vidmm_summary_status(&result), VIDMM_OUT_OF_MEMORY);
        vidmm_run_result_finish(&result);
    }
}

static void a_page_too_little_names_the_submission_and_what_it_needs(void **state)
{
    struct vidmm_run_options options = options_for("vkcube", VKCUBE_LARGEST - PAGE);

    (void)state;
    struct vidmm_run_result result = run(&options);
    assert_int_equal(vidmm_summary_status(&result), VIDMM_OUT_OF_MEMORY);
    assert_non_null(strstr(result.problem,
                           "submission 1 (frame 0) runs out of memory: it needs "
                           "1560576 bytes of the memory segment at once, which has "
                           "1556480; all of the trace needs --memory 1524K, or let it --spill"));
    vidmm_run_result_finish(&result);
    options.spill = true;
    result = run(&options);
    assert_clean(&result);
    vidmm_run_result_finish(&result);
}

static void an_allocation_larger_than_its_segment_is_refused_at_once(void **state)
{
    const struct vidmm_run_options options =
        options_for_text("# vidmm-trace 1\n0 A 1 8193 local\n", 2 * PAGE);
    struct vidmm_run_result result = run(&options);

    (void)state;
    assert_int_equal(vidmm_summary_status(&result), VIDMM_OUT_OF_MEMORY);
    assert_non_null(strstr(result.problem, ":2: allocation 1 has 8193 bytes; the memory segment "
                                           "where it may live has 8192"));
    vidmm_run_result_finish(&result);
}

static void a_trace_of_nothing_is_a_clean_run(void **state)
{
    const struct vidmm_run_options options = options_for_text("# vidmm-trace 1\n", 2 * PAGE);
    struct vidmm_run_result result = run(&options);

    (void)state;
    assert_clean(&result);
    assert_int_equal(result.programs[0].frames, 0);
    vidmm_run_result_finish(&result);
}

static void what_a_driver_loses_is_found(void **state)
{
    struct vidmm_run_options options = options_for_small_memory();

    (void)state;
    options.config.broken = UINT64_C(1) << SOFTGPU_BROKEN_TRANSFER_LAST_PAGE;
    struct vidmm_run_result result = run(&options);
    assert_int_equal(vidmm_summary_status(&result), 1);
    assert_true(result.mismatches > 0);
    assert_true(strlen(result.mismatch) > 0);
    vidmm_run_result_finish(&result);
}

static void without_execution_nothing_is_checked(void **state)
{
    struct vidmm_run_options options = options_for_small_memory();

    (void)state;
    options.config.execute = false;
    struct vidmm_run_result result = run(&options);
    assert_clean(&result);
    assert_int_equal(result.checks, 0);
    assert_true(result.manager.evictions > TURNS);
    assert_int_equal(result.programs[0].frames, TURNS);
    vidmm_run_result_finish(&result);
}

static long size_of_file(const char *path)
{
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size;
}

static void pictures_and_logs_are_written(void **state)
{
    struct vidmm_run_options options = options_for("vkcube", VKCUBE_LARGEST);
    static const char *const endings[] = {".svg", ".json", ".log"};
    char paths[3][HARNESS_PATH + 8];

    (void)state;
    for (size_t i = 0; i < 3; i++)
        snprintf(paths[i], sizeof(paths[i]), "%s%s", temporary, endings[i]);
    options.config.execute = false;
    options.timeline = paths[0];
    options.events = paths[1];
    options.ddi_log = paths[2];
    struct vidmm_run_result result = run(&options);
    assert_clean(&result);
    for (size_t i = 0; i < 3; i++) {
        assert_true(size_of_file(paths[i]) > 10000);
        unlink(paths[i]);
    }
    options.timeline = "/nonexistent/picture.svg";
    options.events = options.ddi_log = NULL;
    vidmm_run_result_finish(&result);
    result = run(&options);
    assert_int_equal(vidmm_summary_status(&result), 2);
    assert_string_equal(result.problem, "/nonexistent/picture.svg: No such file or directory");
    vidmm_run_result_finish(&result);
}

static int make_temporary(void **state)
{
    int descriptor;

    (void)state;
    harness_temporary(temporary, "vidmm-test-replay");
    descriptor = mkstemp(temporary);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int remove_temporary(void **state)
{
    (void)state;
    return unlink(temporary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_runs_to_its_end),
        cmocka_unit_test(with_just_enough_memory_a_program_pages_and_every_byte_is_right),
        cmocka_unit_test(a_user_mode_driver_keeps_what_the_manager_kept),
        cmocka_unit_test(a_budget_that_is_halved_in_mid_run_makes_a_program_trim),
        cmocka_unit_test(a_write_of_all_that_the_gpu_reads_goes_to_another_instance),
        cmocka_unit_test(caches_are_kept_right_by_the_program),
        cmocka_unit_test(one_seed_is_one_run),
        cmocka_unit_test(two_programs_share_an_adapter),
        cmocka_unit_test(threads_run_the_same_program),
        cmocka_unit_test(the_first_refusal_names_what_all_of_the_trace_needs),
        cmocka_unit_test(a_page_too_little_names_the_submission_and_what_it_needs),
        cmocka_unit_test(an_allocation_larger_than_its_segment_is_refused_at_once),
        cmocka_unit_test(a_trace_of_nothing_is_a_clean_run),
        cmocka_unit_test(what_a_driver_loses_is_found),
        cmocka_unit_test(without_execution_nothing_is_checked),
        cmocka_unit_test(pictures_and_logs_are_written),
    };

    return cmocka_run_group_tests_name("trace_replay", tests, make_temporary, remove_temporary);
}
