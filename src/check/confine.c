/* confine.c: session, limits, filters.
 *
 * F1  a filter answers a system call by its number and first two arguments alone: it sees no memory
 * F2  clone3 has its flags in memory, so it is said not to exist; the C library then uses clone
 * F3  a filter is inherited: the program that names places for clang's sanitizers is started before
 *     the filter that it could not run under, and its pipes are nobody's but the runtime's
 * F4  a process of a domain of Landlock's sees no memory of processes outside of it, by whatever
 *     file: the domain is all that counts; the one access that it refuses is making a block device
 */
#include "check/confine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DESCRIPTORS = 64, FILE_LIMIT = 1 << 30, STATEMENTS = 2048 };

#define MAKE_BLOCK (UINT64_C(1) << 11) /* LANDLOCK_ACCESS_FS_MAKE_BLOCK, of the first version */
#define SPARE (UINT64_C(16) << 30)     /* bytes that are reserved by the tool, and not used */

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
void __sanitizer_symbolize_pc(void *address, const char *format, char *text, size_t size)
    __attribute__((weak));

bool vidmm_confine_is_sanitized(void)
{
    return __sanitizer_set_death_callback != NULL;
}

/* ---- what is refused ---- */

struct refusal {
    int call;
    const char *name;
};

/* Never, by whatever arguments. */
static const struct refusal processes[] = {
#ifdef SYS_fork
    {SYS_fork, "fork"},     {SYS_vfork, "vfork"},
#endif
    {SYS_execve, "execve"}, {SYS_execveat, "execveat"}, {SYS_ptrace, "ptrace"},
};
static const struct refusal others[] = {
    {SYS_kill, "kill"},
    {SYS_tkill, "tkill"},
    {SYS_rt_sigqueueinfo, "rt_sigqueueinfo"},
    {SYS_pidfd_open, "pidfd_open"},
    {SYS_pidfd_send_signal, "pidfd_send_signal"},
    {SYS_process_vm_writev, "process_vm_writev"},
    {SYS_io_uring_setup, "io_uring_setup"},
    {SYS_reboot, "reboot"},
    {SYS_mount, "mount"},
    {SYS_umount2, "umount2"},
    {SYS_unshare, "unshare"},
    {SYS_setns, "setns"},
    {SYS_chroot, "chroot"},
    {SYS_init_module, "init_module"},
    {SYS_finit_module, "finit_module"},
    {SYS_delete_module, "delete_module"},
    {SYS_bpf, "bpf"},
};
/* On a descriptor of the tool's, which is the first argument, or the second. */
static const struct refusal on_first[] = {
    {SYS_close, "close"},     {SYS_write, "write"},         {SYS_writev, "writev"},
    {SYS_pwrite64, "pwrite"}, {SYS_ftruncate, "ftruncate"}, {SYS_sendfile, "sendfile"},
};
static const struct refusal on_second[] = {
#ifdef SYS_dup2
    {SYS_dup2, "dup2"},
#endif
    {SYS_dup3, "dup3"},
};
/* By rules of their own: limits, of whatever process, are the tool's; a descriptor's signals would
 * reach others. */
static const struct refusal special[] = {
    {SYS_prlimit64, "prlimit"},
#ifdef SYS_setrlimit
    {SYS_setrlimit, "setrlimit"},
#endif
    {SYS_fcntl, "fcntl"},
    {SYS_clone, "clone"},
    {SYS_tgkill, "tgkill"},
    {SYS_rt_tgsigqueueinfo, "rt_tgsigqueueinfo"},
    {SYS_close_range, "close_range"},
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const char *name_in(const struct refusal *list, size_t count, int call)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].call == call)
            return list[i].name;
    return NULL;
}

const char *vidmm_confine_name(int call)
{
    const char *name = name_in(processes, COUNT(processes), call);

    name = name ? name : name_in(others, COUNT(others), call);
    name = name ? name : name_in(on_first, COUNT(on_first), call);
    name = name ? name : name_in(on_second, COUNT(on_second), call);
    return name ? name : name_in(special, COUNT(special), call);
}

/* ---- a filter ---- */

#ifdef MACHINE

struct program {
    struct sock_filter statements[STATEMENTS];
    unsigned short count;
};

static void add(struct program *program, struct sock_filter statement)
{
    if (program->count < STATEMENTS)
        program->statements[program->count++] = statement;
}

static void load(struct program *program, size_t offset)
{
    add(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void answer(struct program *program, uint32_t with)
{
    add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, with));
}

/* The next `skipped` statements count if what was loaded compares so; else they are passed over. */
static void when(struct program *program, unsigned how, uint32_t value, uint8_t skipped)
{
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | how | BPF_K, value, 0, skipped));
}

static void unless(struct program *program, unsigned how, uint32_t value, uint8_t skipped)
{
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | how | BPF_K, value, skipped, 0));
}

static void begin(struct program *program)
{
    load(program, offsetof(struct seccomp_data, arch));
    unless(program, BPF_JEQ, MACHINE, 1);
    answer(program, SECCOMP_RET_TRAP);
    load(program, offsetof(struct seccomp_data, nr));
}

static void refuse_all(struct program *program, const struct refusal *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        when(program, BPF_JEQ, (uint32_t)list[i].call, 1);
        answer(program, SECCOMP_RET_TRAP);
    }
}

/* The lower half of an argument: all that a descriptor, a process, the flags have. */
static size_t argument(unsigned index)
{
    return offsetof(struct seccomp_data, args) + index * sizeof(uint64_t);
}

/* Refuse the calls of the list whose argument is one of the descriptors. */
static void refuse_on(struct program *program, const struct refusal *list, size_t count,
                      unsigned index, const int *descriptors, unsigned open)
{
    for (size_t i = 0; i < count; i++) {
        when(program, BPF_JEQ, (uint32_t)list[i].call, (uint8_t)(2 * open + 2));
        load(program, argument(index));
        for (unsigned d = 0; d < open; d++) {
            when(program, BPF_JEQ, (uint32_t)descriptors[d], 1);
            answer(program, SECCOMP_RET_TRAP);
        }
        answer(program, SECCOMP_RET_ALLOW);
    }
}

/* Signals go to threads of this process only, and no others than a handler can take. */
static void refuse_signals(struct program *program, int call, unsigned signal)
{
    when(program, BPF_JEQ, (uint32_t)call, 8);
    load(program, argument(0));
    unless(program, BPF_JEQ, (uint32_t)getpid(), 1);
    answer(program, SECCOMP_RET_TRAP);
    load(program, argument(signal));
    when(program, BPF_JEQ, SIGKILL, 1);
    answer(program, SECCOMP_RET_TRAP);
    when(program, BPF_JEQ, SIGSTOP, 1);
    answer(program, SECCOMP_RET_TRAP);
    load(program, offsetof(struct seccomp_data, nr));
}

/* 0, or why the system does not take it. */
static int install(struct program *program)
{
    struct sock_fprog all = {.filter = program->statements};

    answer(program, SECCOMP_RET_ALLOW);
    all.len = program->count;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    switch (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &all)) {
    case 0:
        return 0;
    case -1:
        return errno;
    default:
        return EAGAIN; /* a thread has a filter of its own */
    }
}

static int filter_processes(void)
{
    struct program program = {.count = 0};

    begin(&program);
    refuse_all(&program, others, COUNT(others));
    refuse_signals(&program, SYS_tgkill, 2);
    refuse_signals(&program, SYS_rt_tgsigqueueinfo, 2);
    if (!vidmm_confine_is_sanitized()) { /* which runs a symbolizer */
        refuse_all(&program, processes, COUNT(processes));
        when(&program, BPF_JEQ, SYS_clone3, 1);
        answer(&program, SECCOMP_RET_ERRNO | ENOSYS); /* F2 */
        when(&program, BPF_JEQ, SYS_clone, 3);
        load(&program, argument(0));
        unless(&program, BPF_JSET, CLONE_THREAD, 1);
        answer(&program, SECCOMP_RET_TRAP);
    }
    return install(&program);
}

/* Limits are read and not set: the third argument, a pointer, is NULL. */
static void refuse_limits(struct program *program)
{
    const size_t half = sizeof(uint32_t);

#ifdef SYS_setrlimit
    when(program, BPF_JEQ, SYS_setrlimit, 1);
    answer(program, SECCOMP_RET_TRAP);
#endif
    when(program, BPF_JEQ, SYS_prlimit64, 7);
    load(program, argument(2));
    unless(program, BPF_JEQ, 0, 1);
    answer(program, SECCOMP_RET_TRAP);
    load(program, argument(2) + half);
    unless(program, BPF_JEQ, 0, 1);
    answer(program, SECCOMP_RET_TRAP);
    answer(program, SECCOMP_RET_ALLOW);
}

/* Nobody is told by a signal what a descriptor has. */
static void refuse_owners(struct program *program)
{
    static const int commands[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG};

    when(program, BPF_JEQ, SYS_fcntl, (uint8_t)(2 * COUNT(commands) + 2));
    load(program, argument(1));
    for (unsigned i = 0; i < COUNT(commands); i++) {
        when(program, BPF_JEQ, (uint32_t)commands[i], 1);
        answer(program, SECCOMP_RET_TRAP);
    }
    answer(program, SECCOMP_RET_ALLOW);
}

static int filter_descriptors(const int *descriptors, unsigned open, int highest)
{
    struct program program = {.count = 0};

    begin(&program);
    refuse_limits(&program);
    refuse_owners(&program);
    when(&program, BPF_JEQ, SYS_close_range, 4);
    load(&program, argument(0));
    unless(&program, BPF_JGT, (uint32_t)highest, 1);
    answer(&program, SECCOMP_RET_TRAP);
    answer(&program, SECCOMP_RET_ALLOW);
    refuse_on(&program, on_second, COUNT(on_second), 1, descriptors, open);
    refuse_on(&program, on_first, 1, 0, descriptors, open); /* close */
    while (open > 0 && descriptors[0] <= STDERR_FILENO) {   /* which are pipes */
        descriptors++;
        open--;
    }
    refuse_on(&program, on_first + 1, COUNT(on_first) - 1, 0, descriptors, open);
    return install(&program);
}

#else

static int filter_processes(void)
{
    return ENOSYS;
}

static int filter_descriptors(const int *descriptors, unsigned open, int highest)
{
    (void)descriptors, (void)open, (void)highest;
    return ENOSYS;
}

#endif

/* ---- descriptors ---- */

static int born_with[DESCRIPTORS];
static unsigned born_count;

/* The descriptors that are open, from `first` on; answers how many there is room for. */
static unsigned list_descriptors(int first, int *list)
{
    DIR *folder = opendir("/proc/self/fd");
    unsigned count = 0;

    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        int descriptor = atoi(entry->d_name);

        if (entry->d_name[0] != '.' && descriptor >= first && descriptor != dirfd(folder) &&
            count < DESCRIPTORS)
            list[count++] = descriptor;
    }
    if (folder)
        closedir(folder);
    return count;
}

static int in_order(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* F3. gcc's runtimes start none. */
static void start_symbolizer(void)
{
#ifdef __clang__
    char text[256];

    if (__sanitizer_symbolize_pc)
        __sanitizer_symbolize_pc((void *)(uintptr_t)abort, "%f", text, sizeof(text));
#endif
}

int vidmm_confine_descriptors(void)
{
    const struct rlimit files = {FILE_LIMIT, FILE_LIMIT};
    int open[DESCRIPTORS], error = 0;
    unsigned count;

    for (unsigned i = 0; i < born_count; i++)
        close(born_with[i]);
    born_count = 0;
    count = list_descriptors(0, open);
    qsort(open, count, sizeof(open[0]), in_order);
    start_symbolizer();
    setrlimit(RLIMIT_FSIZE, &files); /* not before the machine's memory has its size */
    if (count > 0)
        error = filter_descriptors(open, count, open[count - 1]);
    return error;
}

/* ---- the beginning ---- */

/* This process is the one to go when memory ends. */
static void go_first(void)
{
    FILE *file = fopen("/proc/self/oom_score_adj", "w");

    if (file) {
        fputs("1000", file);
        fclose(file);
    }
}

/* F4. A system without Landlock goes without. */
static void keep_apart(void)
{
#ifdef SYS_landlock_create_ruleset
    const uint64_t handled = MAKE_BLOCK;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled), 0);

    if (rules >= 0) {
        syscall(SYS_landlock_restrict_self, rules, 0);
        close(rules);
    }
#endif
}

int vidmm_confine_begin(int output, int error, uint64_t memory)
{
    const struct rlimit none = {0, 0}, data = {memory + SPARE, memory + SPARE};
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC), refused;

    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(error, STDERR_FILENO);
    if (nothing > STDERR_FILENO)
        close(nothing);
    born_count = list_descriptors(STDERR_FILENO + 1, born_with);
    setrlimit(RLIMIT_CORE, &none);
    if (!vidmm_confine_is_sanitized()) /* whose shadow is memory, too */
        setrlimit(RLIMIT_DATA, &data);
    go_first();
    refused = filter_processes();
    keep_apart();
    return refused;
}
