/* test_crash.c: the party at fault: the driver, the plug-in, or the tool; and the threads that the
 * report prints.
 *
 * test_crash FALLEN.so: the file stands for the driver, or for the plug-in.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "check/crash.h"
#include "harness.h"

struct fall {
    void (*how)(void);
    bool plugin; /* the file is the plug-in */
};

static const char *path;
static void *file;
static struct vidmm_board *board;
static int *volatile nothing;

static void *function(const char *name)
{
    void *found = dlsym(file, name);

    assert_non_null(found);
    return found;
}

/* Call a function of the file's, which takes a pointer. */
static void call(const char *name, void *argument)
{
    void (*to)(void *);
    void *found = function(name);

    memcpy(&to, &found, sizeof(to));
    to(argument);
}

static void call_back(const char *name, void (*back)(void))
{
    void *argument;

    memcpy(&argument, &back, sizeof(argument));
    call(name, argument);
}

/* ---- ways to fall ---- */

static void driver_falls(void)
{
    call("driver_falls", NULL);
}

static void driver_copies(void)
{
    call("driver_copies", NULL);
}

static void driver_jumps(void)
{
    call("driver_jumps", NULL);
}

/* Data of the tool's, where there are no instructions. */
static void driver_jumps_to_data(void)
{
    call("driver_jumps", &path);
}

/* Not inlined: its name stands in the trace. */
static __attribute__((noinline)) void tool_falls(void)
{
    *nothing = 1;
}

static void tool_jumps(void)
{
    void (*volatile nowhere)(void) = NULL;

    nowhere();
}

static void stop_here(void)
{
    __builtin_trap();
}

static void tool_asserts(void)
{
    call_back("driver_calls", stop_here);
}

static void wait_for_ever(void)
{
    for (;;)
        pause();
}

static void *be_in_driver(void *entered)
{
    struct vidmm_board_call *inside = vidmm_board_enter(board);

    snprintf(inside->text, sizeof(inside->text), "DxgkDdiStartDevice hAdapter=0x1");
    pthread_barrier_wait(entered);
    call_back("driver_calls", wait_for_ever);
    return NULL;
}

/* The driver is inside StartDevice, in a thread that does nothing wrong. */
static void tool_falls_beside(void)
{
    pthread_barrier_t entered;
    pthread_t thread;

    pthread_barrier_init(&entered, NULL, 2);
    pthread_create(&thread, NULL, be_in_driver, &entered);
    pthread_barrier_wait(&entered);
    usleep(20000);
    tool_falls();
}

static enum vidmm_board_end body(struct vidmm_board *the_board, void *argument)
{
    const struct fall *fall = argument;

    board = the_board;
    file = dlopen(path, RTLD_NOW);
    vidmm_crash_watch(board, fall->plugin ? dlopen("libm.so.6", RTLD_NOW) : file, path);
    if (fall->plugin)
        vidmm_crash_know_plugin(file);
    fall->how();
    return VIDMM_BOARD_ENDED;
}

/* Run it in a child; the board has what came of it. */
static struct vidmm_board *run(void (*how)(void), bool plugin)
{
    struct fall fall = {how, plugin};
    const struct vidmm_check_options options = {.driver = path, .timeout_s = 30};
    struct vidmm_board *told = vidmm_board_create();

    assert_non_null(told);
    assert_true(vidmm_check_watch(told, &options, body, &fall));
    return told;
}

static void assert_driver(void (*how)(void))
{
    struct vidmm_board *told = run(how, false);

    assert_int_equal(vidmm_check_status(told), 1);
    assert_string_equal(told->findings[0].id, "C-001");
    assert_true(told->findings[0].address != 0);
    vidmm_board_destroy(told);
}

static struct vidmm_board *assert_no_finding(void (*how)(void), bool plugin, const char *who)
{
    struct vidmm_board *told = run(how, plugin);

    assert_int_equal(told->finding_count, 0);
    assert_int_equal(vidmm_check_status(told), 2);
    assert_non_null(strstr(told->problem, who));
    assert_true(told->traces[0].ready);
    assert_true(told->traces[0].count > 0);
    return told;
}

static void a_fault_in_the_driver_is_its_own(void **state)
{
    (void)state;
    assert_driver(driver_falls);
}

static void a_fault_in_what_the_driver_calls_is_its_own(void **state)
{
    (void)state;
    assert_driver(driver_copies);
}

static void a_call_of_the_driver_that_leads_nowhere_is_its_own(void **state)
{
    (void)state;
    assert_driver(driver_jumps);
    assert_driver(driver_jumps_to_data);
}

static void a_fault_in_the_tool_is_no_finding(void **state)
{
    struct vidmm_board *told;

    (void)state;
    told = assert_no_finding(tool_falls, false, "the tool failed");
    assert_string_not_equal(told->traces[0].frames[0].file, "");
    vidmm_board_destroy(told);
    vidmm_board_destroy(assert_no_finding(tool_jumps, false, "the tool failed"));
}

static void an_assertion_of_the_tool_is_no_finding_whoever_called(void **state)
{
    (void)state;
    vidmm_board_destroy(assert_no_finding(tool_asserts, false, "the tool failed"));
}

static void a_fault_in_the_plugin_is_no_finding(void **state)
{
    (void)state;
    vidmm_board_destroy(assert_no_finding(driver_falls, true, "the plug-in failed"));
    vidmm_board_destroy(assert_no_finding(driver_copies, true, "the plug-in failed"));
}

static void a_fault_beside_the_driver_shows_both(void **state)
{
    struct vidmm_board *told;
    bool seen = false;

    (void)state;
    told = assert_no_finding(tool_falls_beside, false, "the tool failed");
    assert_true(told->traces[1].ready);
    assert_string_equal(told->traces[1].what, "in DxgkDdiStartDevice");
    for (uint32_t i = 0; i < told->traces[1].count; i++)
        seen |= told->traces[1].frames[i].file[0] == 0;
    assert_true(seen);
    vidmm_board_destroy(told);
}

/* The text that the tool prints, by the report of one that could not run, or by that of one that
 * could. */
static char *printed(const struct vidmm_board *told, bool problem)
{
    const struct vidmm_check_subject subject = {.driver = path, .again = "again"};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    assert_non_null(stream);
    if (problem)
        vidmm_check_report_problem(told, "check", path, stream);
    else
        vidmm_check_report(told, &subject, stream);
    fclose(stream);
    return text;
}

/* Below the line `head`, which begins with the end of the one before it, among the lines of one
 * thread, is a line that has both words. */
static void assert_frame(const char *text, const char *head, const char *word, const char *other)
{
    const char *line = strstr(text, head);
    bool seen = false;

    assert_non_null(line);
    line++;
    while ((line = strchr(line, '\n')) != NULL && strncmp(line, "\n  ", 3) == 0) {
        char frame[600];

        line++;
        snprintf(frame, sizeof(frame), "%.*s", (int)strcspn(line, "\n"), line);
        seen |= strstr(frame, word) != NULL && strstr(frame, other) != NULL;
    }
    if (!seen)
        fputs(text, stderr); /* longer than a message of cmocka may be */
    assert_true(seen);
}

static void the_report_prints_where_the_tool_failed_and_where_the_driver_was(void **state)
{
    struct vidmm_board *told = assert_no_finding(tool_falls_beside, false, "the tool failed");
    const char *name = strrchr(path, '/');

    (void)state;
    for (int problem = 0; problem < 2; problem++) {
        char *text = printed(told, problem);

        assert_non_null(strstr(text, "the tool failed, and not the driver: SIGSEGV"));
        assert_frame(text, "\nthe thread where the tool failed\n", "tool_falls, ", "test_crash+0x");
        assert_frame(text, "\nthe thread in DxgkDdiStartDevice\n", "driver_calls, ",
                     name ? name + 1 : path);
        free(text);
    }
    vidmm_board_destroy(told);
}

#ifdef UNDEFINED_IS_CAUGHT
int shift_too_far(int by); /* undefined.c */

static void tool_shifts(void)
{
    shift_too_far(40);
}

static void what_a_sanitizer_finds_in_the_tool_is_no_finding(void **state)
{
    (void)state;
    vidmm_board_destroy(assert_no_finding(tool_shifts, false, "the tool failed"));
}
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_in_the_driver_is_its_own),
        cmocka_unit_test(a_fault_in_what_the_driver_calls_is_its_own),
        cmocka_unit_test(a_call_of_the_driver_that_leads_nowhere_is_its_own),
        cmocka_unit_test(a_fault_in_the_tool_is_no_finding),
        cmocka_unit_test(an_assertion_of_the_tool_is_no_finding_whoever_called),
        cmocka_unit_test(a_fault_in_the_plugin_is_no_finding),
        cmocka_unit_test(a_fault_beside_the_driver_shows_both),
        cmocka_unit_test(the_report_prints_where_the_tool_failed_and_where_the_driver_was),
#ifdef UNDEFINED_IS_CAUGHT
        cmocka_unit_test(what_a_sanitizer_finds_in_the_tool_is_no_finding),
#endif
    };

    if (argc != 2)
        return 2;
    path = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
