/* main.c: the command line of the stress client, its rounds, what it prints. */
#include "stress.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
    "stress: programs call everything of include/vidmm at random, from many threads\n"
    "\n"
    "  ./dev stress [MINUTES] [--seed S] [--build KIND] [--round N] [--rounds N]\n"
    "               [--programs N] [--calls N] [--wddm 1|2] [--simulated] [--few]\n"
    "               [--verbose] [--ddi-log FILE]\n"
    "\n"
    "  MINUTES        how long, 2 unless given; a fraction is fine: 0.5\n"
    "  --seed S       the run's seed, a number; without it the time chooses one\n"
    "  --build KIND   asan (the default), tsan, debug, clang-asan, ...; all: asan, then tsan\n"
    "  --round N      begin with round N of the seed\n"
    "  --rounds N     end after N rounds, whatever the time\n"
    "  --programs N   2 to 16 programs, each a thread with devices of its own; 8 unless given\n"
    "  --calls N      steps of a program in a round, 1 to 1000000; 1500 unless given\n"
    "  --wddm 1|2     rounds of that level alone; unless given, they take turns\n"
    "  --simulated    all rounds on the simulated machine: the same seed is the same run\n"
    "  --few          without the calls that were added later: old seeds stay the same\n"
    "  --verbose      the configuration of each round\n"
    "  --ddi-log FILE every call between manager and driver, decoded, and those of programs\n"
    "\n"
    "A round draws a GPU, a driver with its habits, and the options of the manager; memory is "
    "about\n"
    "a quarter of what the programs use. They create, render, lock, offer, share, present, take "
    "the\n"
    "power away, ask, and call wrongly; engines hang and memory fails in some rounds. Every "
    "status\n"
    "must be one that the call's page lists, what a program owns must hold what was written to "
    "it,\n"
    "the auditor must find nothing against the manager, and nothing may be left.\n"
    "\n"
    "The end is a table of calls and statuses. A finding ends the run with status 1 and a line "
    "that\n"
    "repeats its round; threads may need several tries, --simulated needs one:\n"
    "\n"
    "  ./dev stress 20 --build tsan          twenty minutes under the thread sanitizer\n"
    "  ./dev stress 60 --build all           an hour of asan, an hour of tsan\n"
    "  ./dev stress --simulated --seed 7 --round 3 --rounds 1\n";

static struct stress_counts counts;
static struct stress_options options = {.minutes = 2, .programs = 8, .calls = 1500};
static struct stress_world *now; /* the round that is played */
static char repeat[200];         /* how to play it again */
static atomic_bool ended;

static int usage(const char *problem, const char *word)
{
    fprintf(stderr, "stress: %s%s%s; see stress --help\n", problem, word != NULL ? " " : "",
            word != NULL ? word : "");
    return 2;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static bool read_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    char *end;

    errno = 0;
    *number = strtoull(text, &end, 0);
    return text[0] != '-' && end != text && *end == '\0' && errno == 0 && *number >= least &&
           *number <= most;
}

static bool read_minutes(const char *text)
{
    char *end;

    options.minutes = strtod(text, &end);
    return end != text && *end == '\0' && options.minutes > 0 && options.minutes <= 1e6;
}

/* An option with a number; NULL: it is none of these. */
static const char *read_option(const char *name, const char *text)
{
    static const struct {
        const char *name, *expected;
        uint64_t least, most;
    } known[] = {
        {"--seed", "--seed: expected a number", 0, UINT64_MAX},
        {"--round", "--round: expected a number", 0, UINT64_MAX},
        {"--rounds", "--rounds: expected a number from 1", 1, UINT64_MAX},
        {"--programs", "--programs: expected 2 to 16", 2, STRESS_PROGRAMS},
        {"--calls", "--calls: expected 1 to 1000000", 1, 1000000},
        {"--wddm", "--wddm: expected 1 or 2", 1, 2},
    };
    uint64_t number = 0;
    unsigned which = 0;

    while (which < 6 && strcmp(name, known[which].name) != 0)
        which++;
    if (which == 6)
        return "there is no such option:";
    if (text == NULL || !read_number(text, known[which].least, known[which].most, &number))
        return known[which].expected;
    switch (which) {
    case 0:
        options.seed = number;
        break;
    case 1:
        options.first_round = number;
        break;
    case 2:
        options.rounds = number;
        break;
    case 3:
        options.programs = (unsigned)number;
        break;
    case 4:
        options.calls = (unsigned)number;
        break;
    default:
        options.level = (unsigned)number;
    }
    return NULL;
}

/* -1: go on; otherwise the status to end with. */
static int read_arguments(int count, char **words)
{
    options.seed = (uint64_t)time(NULL) * 1000003 ^ (uint64_t)getpid();
    options.seed %= 1000000000; /* to be typed again */
    for (int i = 1; i < count; i++) {
        const char *problem;

        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0) {
            fputs(help, stdout);
            return 0;
        }
        if (strcmp(words[i], "--ddi-log") == 0) {
            options.ddi_log = i + 1 < count ? fopen(words[++i], "w") : NULL;
            if (options.ddi_log == NULL)
                return usage("--ddi-log: expected a file that can be written, found", words[i]);
        } else if (strcmp(words[i], "--simulated") == 0) {
            options.simulated = true;
        } else if (strcmp(words[i], "--few") == 0) {
            options.few = true;
        } else if (strcmp(words[i], "--verbose") == 0) {
            options.verbose = true;
        } else if (words[i][0] != '-') {
            if (!read_minutes(words[i]))
                return usage("expected a number of minutes, found", words[i]);
        } else {
            problem = read_option(words[i], i + 1 < count ? words[i + 1] : NULL);
            if (problem != NULL)
                return usage(problem, words[i]);
            i++;
        }
    }
    return -1;
}

/* ---- watching -------------------------------------------------------------------------------- */

static double seconds(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

enum { STUCK_SECONDS = 240 };

static void tell_who_waits(void)
{
    fprintf(stderr, "\nstress: nothing has happened for %d seconds; repeat: %s\n", STUCK_SECONDS,
            repeat);
    for (unsigned i = 0; i < options.programs; i++) {
        int doing = atomic_load(&now->programs[i].doing);

        fprintf(stderr, "  program %u is in %s\n", i,
                doing >= 0 ? stress_call_name((enum stress_call)doing) : "no call");
    }
}

/* The progress on a terminal; and an end to a run in which nothing happens. */
static void *watch(void *argument)
{
    double begun = seconds(), changed = begun;
    uint64_t before = 0;

    (void)argument;
    while (!atomic_load(&ended)) {
        uint64_t total = stress_counts_total(&counts);

        if (total != before)
            changed = seconds();
        before = total;
        if (isatty(2))
            fprintf(stderr, "\r%6.0f s  %12llu calls ", seconds() - begun,
                    (unsigned long long)total);
        if (seconds() - changed > STUCK_SECONDS) {
            tell_who_waits();
            abort();
        }
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    }
    return NULL;
}

/* A sanitizer, or an assertion, ends the program. */
static void on_abort(int number)
{
    static const char words[] = "\nstress: repeat: ";

    if (write(2, words, sizeof(words) - 1) < 0 || write(2, repeat, strlen(repeat)) < 0 ||
        write(2, "\n", 1) < 0)
        _exit(1);
    signal(number, SIG_DFL);
    raise(number);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static bool play(uint64_t round)
{
    uint64_t seed = options.seed * 1000003 + round * UINT64_C(0x9E3779B97F4A7C15);
    unsigned level = options.level != 0 ? options.level : 1 + (unsigned)(round % 2);
    bool fine;

    now = calloc(1, sizeof(*now));
    if (now == NULL)
        return false;
    now->options = &options;
    now->counts = &counts;
    stress_weather_draw(&now->weather, &options, seed, level);
    snprintf(repeat, sizeof(repeat), "%s --seed %llu --round %llu --rounds 1 --wddm %u%s%s",
             getenv("STRESS_NAME") != NULL ? getenv("STRESS_NAME") : "stress",
             (unsigned long long)options.seed, (unsigned long long)round, level,
             options.simulated ? " --simulated" : "", options.few ? " --few" : "");
    if (options.verbose)
        printf("round %llu: %s, %u links%s%s%s%s%s%s\n%s", (unsigned long long)round,
               now->weather.kind == VIDMM_MACHINE_SIMULATED ? "simulated" : "threads",
               now->weather.links, now->weather.contents ? ", contents" : "",
               now->weather.hangs ? ", hangs" : "", now->weather.poor ? ", poor" : "",
               now->weather.agp ? ", AGP" : "", now->weather.caches_apart ? ", caches apart" : "",
               now->weather.unplugs ? ", unplugged" : "", now->weather.gpu);
    fflush(stdout);
    fine = stress_round(now);
    if (!fine)
        printf("FAILED: round %llu: %s\nrepeat: %s --programs %u --calls %u\n%s",
               (unsigned long long)round, now->failure, repeat, options.programs, options.calls,
               now->weather.gpu);
    else
        free(now);
    return fine;
}

int main(int argument_count, char **arguments)
{
    int status = read_arguments(argument_count, arguments);
    double end = seconds() + options.minutes * 60;
    uint64_t round = options.first_round, played = 0;
    pthread_t watcher;
    bool fine = true;

    if (status >= 0)
        return status;
    signal(SIGABRT, on_abort);
    signal(SIGILL, on_abort); /* an assertion */
    printf("seed %llu, %u programs%s\n", (unsigned long long)options.seed, options.programs,
           options.simulated ? ", simulated" : "");
    fflush(stdout);
    if (pthread_create(&watcher, NULL, watch, NULL) != 0)
        return usage("no thread", NULL);
    while (fine && (options.rounds > 0 ? played < options.rounds : seconds() < end)) {
        fine = play(round++);
        played++;
    }
    atomic_store(&ended, true);
    pthread_join(watcher, NULL);
    if (isatty(2))
        fputc('\n', stderr);
    stress_counts_print(&counts, stdout);
    printf("seed %llu: %llu rounds, %llu calls\n%d passed, %d failed\n",
           (unsigned long long)options.seed, (unsigned long long)played,
           (unsigned long long)stress_counts_total(&counts), fine ? 1 : 0, fine ? 0 : 1);
    fflush(stdout);
    if (!fine)
        _exit(1); /* the failed part is still at work */
    return 0;
}
