/* keeper.c: fork, wait, and say what became of the child.
 *
 * E1  when it ends, so has every process that the child made, in whatever session
 * E2  what comes from the child's standard output is the driver's doing: the tool writes nothing
 *     there. Its standard error has the driver's debug output and a sanitizer's reports as well: it
 *     is passed on, and nothing of it is believed
 */
#include "check/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "miniport/configuration.h"
#include "check/confine.h"
#include "check/crash.h"
#include "check/remains.h"

enum { READ = 0, WRITE = 1, SHOWN = 60, ERROR_MOST = 16 << 20, ROUNDS = 10 };

struct keeper {
    struct vidmm_board *board;
    const struct vidmm_check_options *options;
    const char *plugin; /* NULL: there is none. Its deeds are not told apart everywhere */
    pid_t tool, child;
    int output[2], error[2]; /* pipes */
    uint64_t output_bytes, error_bytes;
    char said[SHOWN + 1]; /* the beginning of its standard output */
    char line[400];       /* of its standard error, as far as it has come */
    size_t line_length;
    char report[400]; /* the last line there by which a sanitizer says what it found */
    uint64_t memory;  /* that it may take */
    /* Counters as last seen, and since when; `advanced_ms` is of calls that had a result. */
    unsigned beats, steps, advances, frames;
    uint64_t moved_ms, advanced_ms;
};

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- what it says ---- */

/* Only what a terminal shows as it is. */
static void defuse(char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (((unsigned char)text[i] < 0x20 && text[i] != '\n' && text[i] != '\t') ||
            text[i] == 0x7F)
            text[i] = '?';
}

static void pass_on(struct keeper *keeper, const char *text, size_t size)
{
    static const char cut[] = "\n(what follows on standard error is not shown)\n";
    bool before = keeper->error_bytes < ERROR_MOST;
    ssize_t written = 0;

    keeper->error_bytes += size;
    if (before && keeper->error_bytes >= ERROR_MOST)
        written = write(STDERR_FILENO, cut, sizeof(cut) - 1);
    else if (before)
        written = write(STDERR_FILENO, text, size);
    (void)written; /* nobody is there to be told */
}

static void keep(struct keeper *keeper, const char *text, size_t size)
{
    if (keeper->output_bytes == 0)
        snprintf(keeper->said, sizeof(keeper->said), "%.*s", (int)strcspn(text, "\n"), text);
    keeper->output_bytes += size;
}

/* A line has come to its end. A sanitizer's first line says what it found; others say where. */
static void take_line(struct keeper *keeper)
{
    keeper->line[keeper->line_length] = 0;
    keeper->line_length = 0;
    if (strstr(keeper->line, ": runtime error: ") || strstr(keeper->line, "Sanitizer: "))
        if (strncmp(keeper->line, "SUMMARY: ", 9) != 0)
            snprintf(keeper->report, sizeof(keeper->report), "%s", keeper->line);
}

static void look_for_report(struct keeper *keeper, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\n')
            take_line(keeper);
        else if (keeper->line_length < sizeof(keeper->line) - 1)
            keeper->line[keeper->line_length++] = text[i];
}

static void listen_to(struct keeper *keeper)
{
    char text[4097];
    ssize_t size;

    while ((size = read(keeper->output[READ], text, sizeof(text) - 1)) > 0) {
        text[size] = 0;
        defuse(text, (size_t)size);
        keep(keeper, text, (size_t)size);
    }
    while ((size = read(keeper->error[READ], text, sizeof(text) - 1)) > 0) {
        defuse(text, (size_t)size);
        look_for_report(keeper, text, (size_t)size);
        pass_on(keeper, text, (size_t)size);
    }
}

/* ---- findings ---- */

/* The calls that are under way, as one text. */
static const char *under_way(const struct vidmm_board *board, char *text, size_t size)
{
    size_t length = 0;

    text[0] = 0;
    for (unsigned i = 0; i < VIDMM_BOARD_CALLS; i++)
        if (atomic_load(&board->calls[i].thread) && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%.*s", length ? "; " : "",
                                       (int)sizeof(board->calls[i].text), board->calls[i].text);
    return text;
}

/* The next finding was made where this thread is in the driver, if it is there. */
static void note_place(const struct vidmm_board_trace *trace)
{
    uint32_t i = 0;

    while (i < trace->count && i < VIDMM_BOARD_FRAMES && trace->frames[i].file[0] != 0)
        i++;
    if (i < trace->count && i < VIDMM_BOARD_FRAMES)
        vidmm_board_at(trace->frames[i].address);
}

static void note_places(const struct vidmm_board *board)
{
    for (unsigned i = VIDMM_BOARD_TRACES; i > board->traces_before; i--)
        if (atomic_load(&board->traces[i - 1].ready))
            note_place(&board->traces[i - 1]);
}

/* A thread is in the plug-in, and in the driver only further out. */
static bool is_in_plugin(const struct keeper *keeper)
{
    const char *slash = strrchr(keeper->plugin, '/');
    const char *name = slash ? slash + 1 : keeper->plugin;

    for (unsigned i = keeper->board->traces_before; i < VIDMM_BOARD_TRACES; i++) {
        const struct vidmm_board_trace *trace = &keeper->board->traces[i];

        for (uint32_t f = 0; atomic_load(&trace->ready) && f < trace->count &&
                             f < VIDMM_BOARD_FRAMES && trace->frames[f].file[0] != 0;
             f++)
            if (strstr(trace->frames[f].file, name))
                return true;
    }
    return false;
}

/* The routine of the driver's, besides calls, that a thread is in; empty: none. */
static const char *routine_of(const struct vidmm_board *board)
{
    for (unsigned i = board->traces_before; i < VIDMM_BOARD_TRACES; i++)
        if (atomic_load(&board->traces[i].ready) && strncmp(board->traces[i].what, "in ", 3) == 0)
            return board->traces[i].what + 3;
    return "";
}

static void report_hang(struct keeper *keeper)
{
    const char *routine;
    char text[1200];

    vidmm_crash_ask(keeper->board, keeper->child);
    under_way(keeper->board, text, sizeof(text));
    routine = text[0] ? "" : routine_of(keeper->board);
    if (keeper->plugin && (!text[0] || is_in_plugin(keeper))) {
        vidmm_board_problem(keeper->board,
                            "the plug-in failed, and not the driver: nothing has moved for %u s",
                            keeper->options->timeout_s);
        return;
    }
    note_places(keeper->board);
    vidmm_check_find(keeper->board, VIDMM_CHECK_HANG, text,
                     text[0]      ? "nothing has moved for %u s; the call is under way still"
                     : routine[0] ? "nothing has moved for %u s; %s has not come back"
                                  : "nothing has moved for %u s, outside of any call",
                     keeper->options->timeout_s, routine);
}

static uint64_t fence_timeout_of(const struct keeper *keeper)
{
    const struct vidmm_miniport_configuration *c = keeper->options->configuration;

    return c ? c->fence_timeout_ms : 0;
}

/* How long calls may be made, and come back, and be made again, while nothing comes of them. */
static uint64_t stuck_after_ms(const struct keeper *keeper)
{
    return ROUNDS * (keeper->options->timeout_s * UINT64_C(1000)) + fence_timeout_of(keeper);
}

static void report_stuck(struct keeper *keeper)
{
    vidmm_check_find(keeper->board, VIDMM_CHECK_STUCK, "",
                     "for %llu s the driver has been called, and no fence was completed",
                     (unsigned long long)stuck_after_ms(keeper) / 1000);
}

/* A plug-in may model a device with much memory. */
static void report_memory(struct keeper *keeper)
{
    char text[1200];

    if (keeper->plugin) {
        vidmm_board_problem(keeper->board,
                            "the driver and the plug-in took more than %llu MiB of memory "
                            "(configuration: process_memory)",
                            (unsigned long long)keeper->memory >> 20);
        return;
    }
    vidmm_crash_ask(keeper->board, keeper->child);
    note_places(keeper->board);
    under_way(keeper->board, text, sizeof(text));
    vidmm_check_find(keeper->board, VIDMM_CHECK_MEMORY, text,
                     "its process took more than %llu MiB, beside what the machine has "
                     "(configuration: process_memory)",
                     (unsigned long long)keeper->memory >> 20);
}

static void report_signal(struct keeper *keeper, int number, const char *calls)
{
    if (number == SIGSYS)
        vidmm_check_find(keeper->board, VIDMM_CHECK_REACH, calls,
                         "a system call that no driver makes ended its process (signal %d, %s)",
                         number, strsignal(number));
    else if (number == SIGKILL)
        vidmm_board_problem(
            keeper->board, "signal %d (%s) ended the driver's process, and %s: is memory short?",
            number, strsignal(number),
            atomic_load(&keeper->board->unconfined) ? "the tool cannot tell who sent that"
                                                    : "nothing in it sent that");
    else
        vidmm_check_find(keeper->board, VIDMM_CHECK_CRASH, calls,
                         "signal %d (%s) ended its process", number, strsignal(number));
}

static void report_end(struct keeper *keeper, int status)
{
    char text[1200];

    under_way(keeper->board, text, sizeof(text));
    if (keeper->plugin && (WIFSIGNALED(status) || WEXITSTATUS(status) == 0))
        vidmm_board_problem(keeper->board, "the driver, or the plug-in, ended the process: %s",
                            WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit status 0");
    else if (WIFSIGNALED(status))
        report_signal(keeper, WTERMSIG(status), text);
    else if (WEXITSTATUS(status) == 0)
        vidmm_check_find(keeper->board, VIDMM_CHECK_REACH, text,
                         "it ended the process that it runs in, with exit status 0");
    else if (keeper->report[0])
        vidmm_check_find(keeper->board, VIDMM_CHECK_CRASH, text,
                         "its process ended with exit status %d; a sanitizer's last report: %s",
                         WEXITSTATUS(status), keeper->report);
    else
        vidmm_check_find(keeper->board, VIDMM_CHECK_CRASH, text,
                         "its process ended with exit status %d", WEXITSTATUS(status));
}

/* A finding; with a plug-in, which may have done it, something to know. */
__attribute__((format(printf, 2, 3))) static void tell(struct keeper *keeper, const char *format,
                                                       ...)
{
    char text[400];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (keeper->plugin)
        vidmm_board_fact(keeper->board, "the driver, or the plug-in: %.160s", text);
    else
        vidmm_check_find(keeper->board, VIDMM_CHECK_REACH, "", "%s", text);
}

/* Traces of the child beside its end. */
static void report_remains(struct keeper *keeper)
{
    char name[64];
    unsigned count = vidmm_remains_end(NULL, name, sizeof(name));

    listen_to(keeper);
    keeper->board->operation[0] = 0; /* nobody knows when it was done */
    if (count > 0)
        tell(keeper, "it left %u running, of its own making (%s); ended", count, name);
    if (keeper->output_bytes > 0)
        tell(keeper, "%llu bytes came to standard output, which no driver has: \"%s\"",
             (unsigned long long)keeper->output_bytes, keeper->said);
}

/* ---- watching ---- */

/* Bytes of memory that are its own: neither files nor the machine's. */
static uint64_t memory_of(pid_t process)
{
    unsigned long long resident = 0, shared = 0;
    char path[64];
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/statm", (int)process);
    file = fopen(path, "r");
    if (file && fscanf(file, "%*u %llu %llu", &resident, &shared) != 2)
        resident = shared = 0;
    if (file)
        fclose(file);
    return resident > shared ? (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static void end_child(struct keeper *keeper, int *status)
{
    kill(keeper->child, SIGKILL);
    waitpid(keeper->child, status, 0);
}

/* Nobody wants to know any more. */
static void follow(struct keeper *keeper)
{
    char name[64];
    int status;

    end_child(keeper, &status);
    vidmm_remains_end(NULL, name, sizeof(name));
    _exit(0);
}

static bool has_changed(unsigned *seen, const atomic_uint *now)
{
    unsigned before = *seen;

    *seen = atomic_load(now);
    return *seen != before;
}

/* How long nothing may move: a call has its time; outside of calls, a fence is waited for. */
static uint64_t patience_of(const struct keeper *keeper)
{
    uint64_t patience = keeper->options->timeout_s * UINT64_C(1000);

    for (unsigned i = 0; i < VIDMM_BOARD_CALLS; i++)
        if (atomic_load(&keeper->board->calls[i].thread))
            return patience;
    return patience + fence_timeout_of(keeper);
}

/* Why the child has to be ended; NULL: it need not be. */
static void (*look(struct keeper *keeper))(struct keeper *keeper)
{
    const struct vidmm_board *board = keeper->board;
    uint64_t now = now_ms(), patience = keeper->options->timeout_s * UINT64_C(1000);
    bool moves = has_changed(&keeper->beats, &board->beats);
    bool advances = has_changed(&keeper->advances, &board->advances);

    advances |= has_changed(&keeper->steps, &board->step);
    advances |= has_changed(&keeper->frames, &board->frames);
    if (moves || advances)
        keeper->moved_ms = now;
    if (advances)
        keeper->advanced_ms = now;
    if (memory_of(keeper->child) > keeper->memory)
        return report_memory;
    if (now - keeper->moved_ms > patience && now - keeper->moved_ms > patience_of(keeper))
        return report_hang;
    return now - keeper->advanced_ms > stuck_after_ms(keeper) ? report_stuck : NULL;
}

/* Wait for the child; NULL: it has ended, else why it has to be. */
static void (*wait_for(struct keeper *keeper, int *status))(struct keeper *keeper)
{
    const struct timespec pause = {0, 5000000};
    void (*why)(struct keeper *) = NULL;

    keeper->moved_ms = keeper->advanced_ms = now_ms();
    while (!why) {
        pid_t ended = waitpid(keeper->child, status, WNOHANG);

        listen_to(keeper);
        if (ended == keeper->child || (ended < 0 && errno != EINTR))
            return NULL;
        if (getppid() != keeper->tool)
            follow(keeper);
        why = look(keeper);
        nanosleep(&pause, NULL);
    }
    return why;
}

static void watch(struct keeper *keeper)
{
    struct vidmm_board *board = keeper->board;
    int status = 0;
    void (*why)(struct keeper *) = wait_for(keeper, &status);

    if (why) {
        why(keeper);
        end_child(keeper, &status);
        atomic_store(&board->end, VIDMM_BOARD_GAVE_UP);
    } else if (atomic_load(&board->end) == VIDMM_BOARD_UNDER_WAY) {
        report_end(keeper, status);
        atomic_store(&board->end, VIDMM_BOARD_GAVE_UP);
    }
    report_remains(keeper);
}

static _Noreturn void be_child(struct keeper *keeper, vidmm_check_body *body, void *argument)
{
    struct vidmm_board *board = keeper->board;

    vidmm_board_confined(
        board, vidmm_confine_begin(keeper->output[WRITE], keeper->error[WRITE], keeper->memory));
    atomic_store(&board->end, body(board, argument));
    vidmm_check_leave();
}

static bool make_pipes(struct keeper *keeper)
{
    if (pipe2(keeper->output, O_CLOEXEC) < 0 || pipe2(keeper->error, O_CLOEXEC) < 0)
        return false;
    fcntl(keeper->output[READ], F_SETFL, O_NONBLOCK);
    fcntl(keeper->error[READ], F_SETFL, O_NONBLOCK);
    return true;
}

/* Bytes that the child may take: registers of a configured device are the tool's. */
static uint64_t memory_for(const struct vidmm_check_options *options)
{
    const struct vidmm_miniport_configuration *c = options->configuration;
    uint64_t memory = c ? c->process_memory : VIDMM_MINIPORT_PROCESS_MEMORY;

    for (unsigned bar = 0; c && bar < VIDMM_BUS_REGIONS; bar++)
        if (c->bars[bar].kind != VIDMM_BAR_MEMORY)
            memory += c->bars[bar].size;
    return vidmm_confine_is_sanitized() ? memory * 4 : memory; /* a shadow, a quarantine */
}

_Noreturn void vidmm_keeper_run(struct vidmm_board *board,
                                const struct vidmm_check_options *options, vidmm_check_body *body,
                                void *argument, pid_t tool)
{
    struct keeper keeper = {
        .board = board, .options = options, .tool = tool, .memory = memory_for(options)};
    struct vidmm_remains_spared none;

    if (options->configuration && options->configuration->plugin[0])
        keeper.plugin = options->configuration->plugin;
    if (options->plugin)
        keeper.plugin = options->plugin;
    setsid();
    vidmm_remains_adopt(&none);
    keeper.child = make_pipes(&keeper) ? fork() : -1;
    if (keeper.child == 0)
        be_child(&keeper, body, argument);
    if (keeper.child < 0) {
        vidmm_board_problem(board, "no child process: %s", strerror(errno));
    } else {
        close(keeper.output[WRITE]);
        close(keeper.error[WRITE]);
        watch(&keeper);
    }
    vidmm_check_leave();
}
