/* crash.c: signals. A handler of ours runs on a stack of its own, since the driver's may be the
 * one that overflowed; it writes to the board and ends the process.
 *
 * T1  a fault is the driver's if it is in its file, or if a frame of its file lies outside of it on
 *     the same stack; where the stack says nothing, if its thread is inside a call of the driver
 * T2  an instruction that is meant to stop the tool (an assertion) is the tool's, whoever called
 * T3  a stack frame that is found ruined says nothing of who ruined it, and is found late: it is
 *     the driver's if the driver was called on that stack
 * T4  a sanitizer's runtime makes its system calls itself: an instruction of its own that is
 *     refused is its reporter's, whatever it reports of
 */
#include "check/crash.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#include "check/board.h"
#include "check/confine.h"
#include "check/shim.h"
#include "kit/kit.h"
#include "kit/machine.h"

enum { FRAMES = 64, STACK = 256 << 10, PATIENCE_MS = 1000 };

#define ASK (SIGRTMIN + 5)

/* The span of a file in memory. */
struct span {
    uintptr_t base, end;
};

static struct vidmm_board *board;
static struct span driver, plugin;
static const void
    *undefined_runtime;            /* a function of gcc's sanitizer of undefined behaviour; NULL */
static bool loading;               /* the driver's file: what its constructors do is its own */
static _Thread_local bool looking; /* at the stack, which may be no stack */
static _Thread_local sigjmp_buf looked;
static _Thread_local bool handling; /* a fault: another one is this handler's own */

static int measure(struct dl_phdr_info *info, size_t size, void *argument)
{
    struct span *span = argument;

    (void)size;
    if (info->dlpi_addr != span->base)
        return 0;
    span->end = span->base;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t last = span->base + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;

        if (info->dlpi_phdr[i].p_type == PT_LOAD && last > span->end)
            span->end = last;
    }
    return 1;
}

static struct span span_of(void *file)
{
    struct link_map *map = NULL;
    struct span span = {0, 0};

    if (dlinfo(file, RTLD_DI_LINKMAP, &map) == 0 && map) {
        span.base = map->l_addr;
        dl_iterate_phdr(measure, &span);
    }
    return span;
}

static bool is_in(const struct span *span, const void *address)
{
    return (uintptr_t)address > span->base && (uintptr_t)address < span->end;
}

uint64_t vidmm_crash_address(const void *address)
{
    return is_in(&driver, address) ? (uintptr_t)address - driver.base : 0;
}

/* ---- stacks ---- */

struct walk {
    void **frames;
    volatile int count;
    int room;
};

static _Unwind_Reason_Code take_frame(struct _Unwind_Context *context, void *argument)
{
    struct walk *walk = argument;

    if (walk->count == walk->room)
        return _URC_END_OF_STACK;
    walk->frames[walk->count] = (void *)_Unwind_GetIP(context);
    walk->count++;
    return _URC_NO_REASON;
}

/* This thread's frames, the innermost first; those before the place where the stack is none. */
static int frames_of(void **frames, int room)
{
    struct walk walk = {frames, 0, room};

    if (sigsetjmp(looked, 1) == 0) {
        looking = true;
        _Unwind_Backtrace(take_frame, &walk);
    }
    looking = false;
    return walk.count;
}

/* The first frame that is the instruction of a signal, which is no return address; 0: none is. */
static int frame_at(void *const *frames, int count, const void *instruction)
{
    int i = 0;

    while (i < count && frames[i] != instruction)
        i++;
    return i < count ? i : 0;
}

/* Put frames on the board, from `first` on. */
static void write_trace(struct vidmm_board_trace *trace, void *const *frames, int first, int count,
                        const void *instruction)
{
    for (int i = first; i < count && trace->count < VIDMM_BOARD_FRAMES; i++) {
        struct vidmm_board_frame *frame = &trace->frames[trace->count++];
        uint64_t exact = frames[i] == instruction; /* others are return addresses */
        Dl_info info;

        frame->address = (uintptr_t)frames[i] + exact;
        if (is_in(&driver, frames[i])) {
            frame->address -= driver.base;
        } else if (dladdr(frames[i], &info) && info.dli_fname) {
            snprintf(frame->file, sizeof(frame->file), "%s", info.dli_fname);
            frame->address -= (uintptr_t)info.dli_fbase;
        } else {
            snprintf(frame->file, sizeof(frame->file), "?");
        }
    }
    atomic_store(&trace->ready, true);
}

/* Places in the driver, for a finding of this thread's. */
static unsigned look(const char *call, uint64_t *places, unsigned room)
{
    void *frames[FRAMES];
    int count = frames_of(frames, FRAMES);
    unsigned found = 0;

    for (int i = 0; i < count && found < room; i++)
        if (vidmm_crash_address(frames[i]))
            places[found++] = vidmm_crash_address(frames[i]);
    if (found == 0 && room > 0) {
        places[0] = vidmm_crash_address(vidmm_shim_entry(call));
        found = places[0] != 0;
        places[0] += found; /* no return address */
    }
    return found;
}

void vidmm_crash_note_stack(void)
{
    void *frames[FRAMES];
    int count = frames_of(frames, FRAMES);

    for (int i = 0; i < count; i++) {
        if (vidmm_crash_address(frames[i])) {
            vidmm_board_at(vidmm_crash_address(frames[i]));
            return;
        }
    }
}

/* ---- other threads ---- */

static void tell(int number, siginfo_t *info, void *context)
{
    void *frames[FRAMES], *instruction = vidmm_machine_instruction(context);
    const char *call = vidmm_board_current(board);
    struct vidmm_board_trace *trace;
    int count, length;

    (void)number, (void)info;
    call = call ? call : vidmm_kit_routine();
    trace = call ? vidmm_board_trace(board) : NULL;
    if (!trace)
        return;
    length = (int)(call == vidmm_kit_routine() ? strlen(call) : strcspn(call, " "));
    snprintf(trace->what, sizeof(trace->what), "in %.*s", length, call);
    count = frames_of(frames, FRAMES);
    write_trace(trace, frames, frame_at(frames, count, instruction), count, instruction);
}

/* Ask threads of the child that are in no call. Answers as many traces as that may bring: more than
 * there are, so that they have their time. */
static unsigned ask_others(pid_t child)
{
    char path[64];
    DIR *folder;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)child);
    folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.' && atoi(entry->d_name) != gettid())
            syscall(SYS_tgkill, child, atoi(entry->d_name), ASK);
    if (folder)
        closedir(folder);
    return VIDMM_BOARD_TRACES + 1;
}

void vidmm_crash_ask(struct vidmm_board *the_board, pid_t child)
{
    const struct timespec pause = {0, 1000000};
    unsigned expected = 0, ready = 0;

    for (unsigned i = 0; i < VIDMM_BOARD_CALLS; i++) {
        pid_t thread = (pid_t)atomic_load(&the_board->calls[i].thread);

        if (thread != 0 && thread != gettid() && syscall(SYS_tgkill, child, thread, ASK) == 0)
            expected++;
    }
    if (expected == 0)
        expected = ask_others(child);
    for (int ms = 0; ms < PATIENCE_MS && ready < expected; ms++) {
        nanosleep(&pause, NULL);
        ready = 0;
        for (unsigned i = 0; i < VIDMM_BOARD_TRACES; i++)
            ready += atomic_load(&the_board->traces[i].ready) &&
                     strncmp(the_board->traces[i].what, "in ", 3) == 0;
    }
}

/* ---- whose fault it is ---- */

static const char *name_of(int number)
{
    switch (number) {
    case SIGSEGV:
        return "SIGSEGV, an access to memory that is not there";
    case SIGBUS:
        return "SIGBUS, an access to memory that is not there";
    case SIGFPE:
        return "SIGFPE, a division by zero";
    case SIGILL:
        return "SIGILL, no instruction of this processor";
    case SIGTRAP:
        return "SIGTRAP, a breakpoint";
    default:
        return "SIGABRT";
    }
}

struct fall {
    const char *what;
    const void *at, *instruction;
    void *const *stack;    /* where the address of its caller is, if it is nowhere; NULL: unknown */
    void *const *returned; /* ... and whence a return took the instruction's, if one did */
    void *frames[FRAMES];
    int first, count; /* of the frames, from the instruction on */
};

/* *(const void **)argument is an address: NULL once it is in instructions of this file. */
static int find_instructions(struct dl_phdr_info *info, size_t size, void *argument)
{
    const void **address = argument;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum && *address; i++) {
        uintptr_t base = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        uintptr_t offset = (uintptr_t)*address - base;

        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0 &&
            offset < info->dlpi_phdr[i].p_memsz)
            *address = NULL;
    }
    return *address == NULL;
}

/* Whether the address is in no instructions of what is loaded: a jump to nowhere. */
static bool is_nowhere(const void *address)
{
    return address == NULL || dl_iterate_phdr(find_instructions, &address) == 0;
}

static bool is_of_tool(const void *address)
{
    Dl_info info, own;

    return dladdr(address, &info) && dladdr((const void *)&driver, &own) &&
           info.dli_fbase == own.dli_fbase;
}

/* An address on the stack. NULL: there is no stack. A sanitizer may keep something there, which is
 * no reason to end here. */
__attribute__((no_sanitize("address"))) static const void *look_at(void *const *place)
{
    const void *volatile address = NULL;

    if (place && sigsetjmp(looked, 1) == 0) {
        looking = true;
        address = *place;
    }
    looking = false;
    return address;
}

/* The caller, if the callee is nowhere. */
static const void *caller_of(const struct fall *fall)
{
    return look_at(fall->stack);
}

/* Whether a function has returned to nowhere: the address of its caller was overwritten. */
static bool has_returned(const struct fall *fall)
{
    return fall->instruction && is_nowhere(fall->instruction) &&
           look_at(fall->returned) == fall->instruction;
}

/* Whether the C library has found the guard of a stack frame overwritten, and ends the process. */
static bool is_ruined(const struct fall *fall)
{
    Dl_info info;

    for (int i = fall->first; i < fall->count; i++)
        if (fall->frames[i] && dladdr((const char *)fall->frames[i] - 1, &info) && info.dli_sname &&
            strcmp(info.dli_sname, "__stack_chk_fail") == 0)
            return true;
    return false;
}

/* T1, T2, T3 */
static bool is_of_driver(const struct fall *fall, int number)
{
    if (is_in(&driver, fall->instruction))
        return true;
    if (is_in(&plugin, fall->instruction) || (number == SIGILL && is_of_tool(fall->instruction)))
        return false;
    for (int i = fall->first; i < fall->count; i++)
        if (is_in(&driver, fall->frames[i]))
            return true;
    if (number == SIGABRT ? is_ruined(fall) : has_returned(fall))
        return vidmm_shim_last() != NULL;
    if (fall->instruction && !is_nowhere(fall->instruction))
        return false;
    return is_in(&driver, caller_of(fall)) ||
           (is_nowhere(caller_of(fall)) && vidmm_board_current(board) != NULL);
}

static bool is_of_plugin(const struct fall *fall)
{
    for (int i = fall->first; i < fall->count; i++)
        if (is_in(&plugin, fall->frames[i]))
            return true;
    return is_in(&plugin, fall->instruction);
}

/* Nothing to hold against the driver. */
static void tell_failure(const struct fall *fall)
{
    struct vidmm_board_trace *trace = vidmm_board_trace(board);
    const char *who = is_of_plugin(fall) ? "plug-in" : "tool";
    char where[40] = "";

    if (trace) {
        snprintf(trace->what, sizeof(trace->what), "where the %s failed", who);
        write_trace(trace, fall->frames, fall->first, fall->count, fall->instruction);
    }
    vidmm_crash_ask(board, getpid());
    if (fall->at)
        snprintf(where, sizeof(where), ", at address %p", fall->at);
    snprintf(board->problem, sizeof(board->problem),
             "the %s failed, and not the driver: %s%s; this is no finding, and what was found "
             "before it stands",
             who, fall->what, where);
    atomic_store(&board->end, VIDMM_BOARD_COULD_NOT_RUN);
}

static void handle(int number, siginfo_t *info, void *context)
{
    struct fall fall = {.what = name_of(number),
                        .at = number == SIGABRT ? NULL : info->si_addr,
                        .instruction = vidmm_machine_instruction(context),
                        .stack = vidmm_machine_caller(context),
                        .returned = vidmm_machine_returned(context)};
    uint64_t address = vidmm_crash_address(fall.instruction);

    if (looking)
        siglongjmp(looked, 1);
    if (handling) {
        signal(number, SIG_DFL); /* the keeper says that much */
        return;
    }
    handling = true;
    fall.count = frames_of(fall.frames, FRAMES);
    fall.first = frame_at(fall.frames, fall.count, fall.instruction);
    if (number == SIGSEGV && vidmm_machine_is_stack(context, info->si_addr))
        fall.what = "SIGSEGV, for the stack has come to its end";
    if (number == SIGABRT && is_ruined(&fall))
        fall.what = "SIGABRT, for the guard of a stack frame is overwritten";
    if (!is_of_driver(&fall, number)) {
        tell_failure(&fall);
        _exit(0);
    }
    if (!address && is_in(&driver, caller_of(&fall)) && is_nowhere(fall.instruction))
        address = vidmm_crash_address(caller_of(&fall)) - 1;
    if (address)
        vidmm_board_at(address + 1); /* as if it were a return address */
    else
        vidmm_crash_note_stack();
    if (vidmm_board_missing())
        vidmm_board_problem(board, "the driver could not go on: %s, at address %p", fall.what,
                            fall.at);
    vidmm_check_find(board, VIDMM_CHECK_CRASH, NULL, "%s, at address %p", fall.what, fall.at);
    atomic_store(&board->end, VIDMM_BOARD_GAVE_UP);
    _exit(0);
}

/* ---- reaching out ---- */

void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static bool is_in_file_of(const void *address, const void *other)
{
    Dl_info info, others;

    return other && dladdr(address, &info) && dladdr(other, &others) &&
           info.dli_fbase == others.dli_fbase;
}

/* Its runtime is a library, or a part of the tool, which makes no system call itself. T4 */
static bool is_of_sanitizer(const void *instruction)
{
    return is_in_file_of(instruction, undefined_runtime) ||
           (vidmm_confine_is_sanitized() &&
            is_in_file_of(instruction, (const void *)(uintptr_t)__sanitizer_set_death_callback));
}

/* The filter (confine.h) has refused a system call, which goes on with EPERM: of the driver, that
 * is a finding; of the tool, which gives its own back at the end, nothing. */
static void refused(int number, siginfo_t *info, void *context)
{
    const char *name = vidmm_confine_name(info->si_syscall);
    char what[160];
    struct fall fall = {.what = what,
                        .instruction = vidmm_machine_instruction(context),
                        .stack = vidmm_machine_caller(context),
                        .returned = vidmm_machine_returned(context)};

    snprintf(what, sizeof(what), "%s(%lld, %lld, ...), which is refused", name ? name : "a call",
             (long long)vidmm_machine_argument(context, 0),
             (long long)vidmm_machine_argument(context, 1));
    vidmm_machine_answer(context, -EPERM);
    if (is_of_sanitizer(fall.instruction))
        return;
    fall.at = fall.instruction;
    fall.count = frames_of(fall.frames, FRAMES);
    fall.first = frame_at(fall.frames, fall.count, fall.instruction);
    if (loading || is_of_driver(&fall, number)) {
        vidmm_crash_note_stack();
        vidmm_check_find(board, VIDMM_CHECK_REACH, NULL, "%s", what);
    } else if (is_of_plugin(&fall)) {
        tell_failure(&fall);
        _exit(0);
    }
}

/* Somebody has called exit(). */
static void left(void)
{
    struct fall fall = {.what = "exit()"};

    if (atomic_load(&board->end) != VIDMM_BOARD_UNDER_WAY)
        return;
    fall.count = frames_of(fall.frames, FRAMES);
    for (int i = 0; i < fall.count; i++) {
        if (!is_in(&driver, fall.frames[i]))
            continue;
        vidmm_crash_note_stack();
        vidmm_check_find(board, VIDMM_CHECK_REACH, NULL,
                         "it called exit(): the end of the process that it runs in");
        atomic_store(&board->end, VIDMM_BOARD_GAVE_UP);
        _exit(0);
    }
    tell_failure(&fall);
}

/* ---- sanitizers ---- */

/* A sanitizer has printed its report, and ends the process: faults of the tool itself. */
static void died(void)
{
    struct fall fall = {.what = "a sanitizer's report, which stands above"};

    if (!board || atomic_load(&board->end) != VIDMM_BOARD_UNDER_WAY)
        return;
    fall.count = frames_of(fall.frames, FRAMES);
    for (int i = 0; i < fall.count; i++)
        if (is_in(&driver, fall.frames[i]))
            return; /* the parent says it */
    tell_failure(&fall);
}

/* Each runtime has a callback of its own: gcc's sanitizer of undefined behaviour is a library
 * beside that of addresses, whose function of the same name hides it. */
static void watch_sanitizers(void)
{
    void *undefined = dlopen("libubsan.so.1", RTLD_NOW | RTLD_NOLOAD);
    void (*set)(void (*callback)(void)) = NULL;
    void *found = undefined ? dlsym(undefined, "__sanitizer_set_death_callback") : NULL;

    memcpy(&set, &found, sizeof(set));
    if (set)
        set(died);
    undefined_runtime = found;
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(died);
}

/* A handler looks at stacks, which may be none: its own faults come to it as well. */
static void watch(int number, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action = {.sa_sigaction = handler,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};

    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void vidmm_crash_watch(struct vidmm_board *the_board, void *driver_file, const char *driver_name)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK};
    void *frames[4];

    (void)driver_name;
    board = the_board;
    driver = span_of(driver_file);
    frames_of(frames, 4); /* loads what it needs now, not in a handler */
    if (stack.ss_sp)
        sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        watch(numbers[i], handle);
    watch(ASK, tell);
    atexit(left);
    vidmm_board_use(look);
    watch_sanitizers();
}

void vidmm_crash_loading(struct vidmm_board *the_board, bool now)
{
    void *frames[4];

    board = the_board;
    loading = now;
    frames_of(frames, 4);
    watch(SIGSYS, refused);
}

void vidmm_crash_know_plugin(void *plugin_file)
{
    plugin = span_of(plugin_file);
}
