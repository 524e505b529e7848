/* Windows of the host: addresses that stay while what they show changes, and faults on them. */
#include "harness.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <vidmm/bus.h>
#include <vidmm/host.h>
#include <vidmm/page.h>

#include "host/machine.h"

enum { PAGES = 5 };

struct bench {
    struct vidmm_machine *machine;
    const struct vidmm_host *host;
    struct vidmm_window *window;
    uint32_t *words; /* the memory that the window shows */
    uint64_t frames[2][PAGES];
    uint32_t *pages[2];
    atomic_uint touched;
    uint32_t found;
};

static void setup(struct bench *bench, enum vidmm_machine_kind kind, uint64_t seed)
{
    const struct vidmm_machine_options options = {
        .kind = kind, .seed = seed, .system_memory = 1 << 20};
    void *address = NULL;
    char error[200];

    memset(bench, 0, sizeof(*bench));
    bench->machine = vidmm_machine_create(&options, error, sizeof(error));
    assert_non_null(bench->machine);
    bench->host = vidmm_slot_host(vidmm_machine_add_slot(bench->machine));
    for (int i = 0; i < 2; i++) {
        assert_true(bench->host->take_pages(bench->host->context, PAGES, VIDMM_ANY_FRAME, false,
                                            VIDMM_CACHED, bench->frames[i]));
        bench->pages[i] = bench->host->map_pages(bench->host->context, PAGES, bench->frames[i]);
        assert_non_null(bench->pages[i]);
        memset(bench->pages[i], 0, PAGES * VIDMM_PAGE_SIZE);
    }
    bench->window = bench->host->create_window(bench->host->context, PAGES, &address);
    assert_non_null(bench->window);
    bench->words = address;
    for (int i = 0; i < 2; i++)
        assert_true(
            bench->host->reserve_window(bench->host->context, bench->window, bench->frames[i]));
}

static void teardown(struct bench *bench)
{
    const struct vidmm_host *host = bench->host;

    host->destroy_window(host->context, bench->window);
    for (int i = 0; i < 2; i++) {
        host->unmap_pages(host->context, bench->pages[i], PAGES);
        host->release_pages(host->context, PAGES, bench->frames[i]);
    }
    assert_int_equal(vidmm_machine_counts(bench->machine).mappings, 0);
    vidmm_machine_destroy(bench->machine);
}

static void show(struct bench *bench, int which)
{
    bench->host->show_pages(bench->host->context, bench->window, bench->frames[which]);
}

static uint32_t *word_of(uint32_t *words, unsigned page)
{
    return words + page * VIDMM_PAGE_SIZE / sizeof(*words) + page;
}

static void what_is_written_is_in_what_the_window_shows(void **state)
{
    struct bench bench;

    (void)state;
    setup(&bench, VIDMM_MACHINE_SIMULATED, 0);
    for (int which = 0; which < 2; which++) {
        show(&bench, which);
        for (unsigned page = 0; page < PAGES; page++)
            *word_of(bench.words, page) = 100u * (unsigned)which + page + 1;
    }
    for (int which = 0; which < 2; which++)
        for (unsigned page = 0; page < PAGES; page++)
            assert_int_equal(*word_of(bench.pages[which], page), 100 * which + (int)page + 1);
    /* Memory by its physical address, at the same addresses of the CPU. */
    bench.host->destroy_window(bench.host->context, bench.window);
    void *address = NULL;
    bench.window = bench.host->create_window(bench.host->context, 1, &address);
    bench.host->show_physical(bench.host->context, bench.window,
                              bench.frames[1][2] << VIDMM_PAGE_SHIFT);
    assert_int_equal(((uint32_t *)address)[2], 103);
    teardown(&bench);
}

static enum vidmm_caller_state touch(void *argument)
{
    struct bench *bench = argument;

    atomic_store(&bench->touched, 1);
    bench->found = (*word_of(bench->words, 3))++; /* waits in the midst of an instruction */
    atomic_store(&bench->touched, 2);
    return VIDMM_CALLER_DONE;
}

/* Once the other waits, open the window. */
static enum vidmm_caller_state open_later(void *argument)
{
    struct bench *bench = argument;

    if (atomic_load(&bench->touched) == 0)
        return VIDMM_CALLER_RAN;
    assert_int_equal(atomic_load(&bench->touched), 1);
    show(bench, 1);
    bench->host->wake(bench->host->context);
    return VIDMM_CALLER_DONE;
}

static void wait_at_a_closed_window(enum vidmm_machine_kind kind, uint64_t seed)
{
    struct bench bench;
    char report[200] = "";

    setup(&bench, kind, seed);
    show(&bench, 0);
    *word_of(bench.words, 3) = 7;
    bench.host->close_window(bench.host->context, bench.window);
    *word_of(bench.pages[1], 3) = *word_of(bench.pages[0], 3) + 1; /* moved, so to say */
    assert_true(vidmm_machine_add_caller(bench.machine, "touches", touch, &bench));
    assert_true(vidmm_machine_add_caller(bench.machine, "opens", open_later, &bench));
    assert_true(vidmm_machine_run(bench.machine, report, sizeof(report)));
    assert_int_equal(bench.found, 8);
    assert_int_equal(*word_of(bench.pages[0], 3), 7);
    assert_int_equal(*word_of(bench.pages[1], 3), 9);
    teardown(&bench);
}

static void who_touches_a_closed_window_waits_and_finds_the_new_place(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++)
        wait_at_a_closed_window(VIDMM_MACHINE_SIMULATED, seed);
    for (uint64_t seed = 0; seed < 8; seed++)
        wait_at_a_closed_window(VIDMM_MACHINE_THREADED, seed);
}

static void a_window_that_is_refused_costs_nothing(void **state)
{
    struct bench bench;
    void *address;

    (void)state;
    setup(&bench, VIDMM_MACHINE_SIMULATED, 0);
    uint64_t before = vidmm_machine_counts(bench.machine).mappings;
    vidmm_machine_fail_mapping(bench.machine, 1);
    assert_null(bench.host->create_window(bench.host->context, 3, &address));
    assert_null(bench.host->create_window(bench.host->context, 0, &address));
    assert_int_equal(vidmm_machine_counts(bench.machine).mappings, before);
    bench.host->destroy_window(bench.host->context, NULL);
    teardown(&bench);
}

static sigjmp_buf back;
static void *volatile seen;

static void note(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    seen = info->si_addr;
    siglongjmp(back, 1);
}

__attribute__((no_sanitize("undefined"))) /* NULL is an address */
static void
write_where_nothing_is(char *volatile address)
{
    if (sigsetjmp(back, 1) == 0) {
        *(volatile char *)address = 1;
        fail_msg("no fault");
    }
    assert_ptr_equal(seen, address);
}

/* It mends the page, as a garbage collector does that is told of writes. */
static void mend(int number, siginfo_t *info, void *context)
{
    sigset_t blocked;

    (void)context;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    assert_true(sigismember(&blocked, number) && sigismember(&blocked, SIGUSR1));
    seen = info->si_addr;
    mprotect((void *)((uintptr_t)info->si_addr & ~(uintptr_t)4095), 4096, PROT_READ | PROT_WRITE);
}

static void a_fault_elsewhere_goes_to_whoever_was_there_before(void **state)
{
    struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO}, old;
    char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct bench bench;

    (void)state;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &old);
    setup(&bench, VIDMM_MACHINE_THREADED, 1);
    write_where_nothing_is(page + 5);
    write_where_nothing_is(NULL);
    for (int i = 0; i < 3; i++) /* it may come again at the same address */
        write_where_nothing_is(page + 5);
    teardown(&bench);
    action.sa_sigaction = mend;
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaction(SIGSEGV, &action, NULL);
    setup(&bench, VIDMM_MACHINE_THREADED, 1);
    for (int i = 1; i <= 3; i++) {
        seen = NULL;
        *(volatile char *)(page + 7) = (char)i;
        assert_ptr_equal(seen, page + 7);
        assert_int_equal(page[7], i);
        mprotect(page, 4096, PROT_NONE);
    }
    teardown(&bench);
    sigaction(SIGSEGV, &old, NULL);
    munmap(page, 4096);
}

/* Pages that a device shows in its view one by one are a range to whoever looks at them. */
static void a_window_shows_views_that_lie_side_by_side(void **state)
{
    struct bench bench;
    const struct vidmm_bus *bus;
    uint64_t view = 0, page;

    (void)state;
    setup(&bench, VIDMM_MACHINE_THREADED, 0);
    bus = vidmm_slot_bus(vidmm_machine_add_slot(bench.machine));
    assert_true(bus->add_view(bus->context, 2, 8 * VIDMM_PAGE_SIZE, &view));
    for (uint32_t i = 0; i < PAGES; i++)
        bench.pages[0][i * VIDMM_PAGE_SIZE / 4] = 100 + i;
    for (uint64_t i = 0; i + 1 < PAGES; i++) {
        page = bench.frames[0][i] * VIDMM_PAGE_SIZE;
        assert_true(bus->show_view(bus->context, view + (1 + i) * VIDMM_PAGE_SIZE, 1, &page));
    }
    assert_false(
        bench.host->reserve_physical(bench.host->context, bench.window, view + VIDMM_PAGE_SIZE));
    page = bench.frames[0][PAGES - 1] * VIDMM_PAGE_SIZE;
    assert_true(bus->show_view(bus->context, view + PAGES * VIDMM_PAGE_SIZE, 1, &page));
    assert_true(
        bench.host->reserve_physical(bench.host->context, bench.window, view + VIDMM_PAGE_SIZE));
    bench.host->show_physical(bench.host->context, bench.window, view + VIDMM_PAGE_SIZE);
    for (uint32_t i = 0; i < PAGES; i++)
        assert_int_equal(bench.words[i * VIDMM_PAGE_SIZE / 4], 100 + i);
    for (uint64_t i = 0; i < PAGES; i++)
        bus->show_view(bus->context, view + (1 + i) * VIDMM_PAGE_SIZE, 0, NULL);
    teardown(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_in_what_the_window_shows),
        cmocka_unit_test(who_touches_a_closed_window_waits_and_finds_the_new_place),
        cmocka_unit_test(a_window_that_is_refused_costs_nothing),
        cmocka_unit_test(a_fault_elsewhere_goes_to_whoever_was_there_before),
        cmocka_unit_test(a_window_shows_views_that_lie_side_by_side),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
