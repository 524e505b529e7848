/* vidmm run: a Linux program with libdxcore.so in the place of the system's. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "host/exit.h"
#include "host/posix_file.h"
#include "miniport/machine_file.h"
#include "tool/account.h"
#include "tool/child.h"
#include "tool/command.h"
#include "tool/options.h"
#include "tool/outputs.h"
#include "tool/run.h"
#include "tool/summary.h"
#include "trace/heap.h"
#include "trace/recording.h"

#define OPTIONS 5

struct run_arguments {
    bool help;
    const char *machine, *record, *timeline, *journal;
    char **program; /* ends in NULL */
};

struct option_table {
    struct vidmm_option option[OPTIONS];
};

static struct option_table table_of(struct run_arguments *a)
{
    return (struct option_table){{
        {"machine", VIDMM_OPTION_TEXT, &a->machine, "FILE",
         "the machine that the program finds: a software GPU (docs/softgpu.md), or a miniport\n"
         "compiled with the kit (docs/machine.md); default: a software GPU of WDDM 2.6 with\n"
         "page tables, 256 MiB of memory and an aperture of 1 GiB",
         0, 0, NULL, NULL},
        {"record", VIDMM_OPTION_TEXT, &a->record, "FILE.vmt.gz",
         "write down what the program does; `vidmm replay` plays it, `vidmm sweep` says how\n"
         "much memory it needs. A submission names all that is on the residency list of its\n"
         "device",
         0, 0, NULL, NULL},
        {"timeline", VIDMM_OPTION_TEXT, &a->timeline, "FILE.svg",
         "draw who sat where in the segments while the program ran, and what was paged; one\n"
         "column a submission",
         0, 0, NULL, NULL},
        {"journal", VIDMM_OPTION_TEXT, &a->journal, "FILE",
         "write every call between manager and driver, decoded", 0, 0, NULL, NULL},
        {"help", VIDMM_OPTION_SWITCH, &a->help, NULL, "print this", 0, 0, NULL, NULL},
    }};
}

static void help(FILE *file)
{
    struct run_arguments arguments = {.help = false};
    struct option_table table = table_of(&arguments);

    fputs("vidmm run [options] -- PROGRAM [ARGUMENTS]\n"
          "\n"
          "Run a Linux program that reaches the graphics kernel by libdxcore.so (D3DKMT...,\n"
          "DXCoreCreateAdapterFactory), with the library of this project in the place of the\n"
          "system's: the memory manager, the software GPU's driver, and the GPU run in the\n"
          "program's own process. Afterwards it is said what the program did with video memory.\n"
          "Every call of the driver is held against the contract of the interface.\n"
          "\n"
          "The library is loaded first (LD_PRELOAD), and by whoever looks for it by its name. A\n"
          "program that opens it by a path of its own, such as /usr/lib/wsl/lib/libdxcore.so,\n"
          "gets this one too. A program that is linked statically, or has privileges that its\n"
          "user has not, does not.\n"
          "\n",
          file);
    vidmm_options_help(table.option, OPTIONS, file);
    fputs(
        "\n"
        "A program of several processes has a machine for each that calls the library. Each is\n"
        "summed up; the one with most submissions is the FILE of --record, --timeline and\n"
        "--journal. A process that is ended by SIGHUP, SIGINT (Ctrl-C), SIGTERM, abort(), a\n"
        "fault or _exit is summed up as any other. One that is killed leaves what it recorded,\n"
        "and no summary, timeline or end of the journal. Nor has one a timeline that submits\n"
        "nothing.\n"
        "\n"
        "a miniport as the machine, and nothing else in the file\n"
        "  miniport driver.so             compiled with vidmm kit cc\n"
        "  configuration driver.conf      as vidmm check --config takes it; or its lines, here\n"
        "  plugin device.so TEXT          a device model, in place of the configuration's\n"
        "Paths are relative to the file. A fault of the driver ends the program, as it would end\n"
        "Windows; it is said that it was the driver's.\n"
        "\n"
        "examples\n"
        "  vidmm run --record my.vmt.gz -- ./my-program\n"
        "  vidmm run --machine small.gpu --journal calls.txt -- ./my-program --fast\n"
        "\n"
        "exit status: 0 clean, 1 a violation of the contract, a content mismatch, a fault of the\n"
        "GPU, or a mistake of the miniport that the kit found, 2 could not run, no machine could\n"
        "be made, or no process called the library; else, if the program ended with another\n"
        "status than 0, that; 128 and the number of the signal that ended it\n",
        file);
}

static int refuse(const char *why)
{
    fprintf(stderr, "vidmm run: %s\n", why);
    return VIDMM_COULD_NOT_RUN;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static bool check_machine(const char *path, char *error, size_t error_size)
{
    struct vidmm_machine_file *file = malloc(sizeof(*file));
    bool right = file != NULL && vidmm_machine_file_read(path, file, error, error_size);

    if (file == NULL)
        snprintf(error, error_size, "no memory");
    if (right)
        vidmm_machine_file_finish(file);
    free(file);
    return right;
}

static bool check_files(const struct run_arguments *a, char *error, size_t error_size)
{
    const struct vidmm_output outputs[] = {
        {"record", a->record}, {"timeline", a->timeline}, {"journal", a->journal}};
    const char *const machine[] = {a->machine};
    size_t count = 0;

    while (a->program[count] != NULL)
        count++;
    return vidmm_outputs_apart(outputs, 3, machine, 1, error, error_size) &&
           vidmm_outputs_apart(outputs, 3, (const char *const *)a->program, count, error,
                               error_size) &&
           check_machine(a->machine, error, error_size);
}

/* The program begins behind `--`. */
static bool parse(struct run_arguments *a, int count, char *const *arguments, char *error,
                  size_t error_size)
{
    struct option_table table = table_of(a);
    struct vidmm_words words = {.most = 0};
    int at = 0;

    while (at < count && strcmp(arguments[at], "--") != 0)
        at++;
    for (int i = 0; i < at; i++)
        a->help |= strcmp(arguments[i], "--help") == 0;
    if (a->help)
        return true;
    if (at >= count - 1) {
        snprintf(error, error_size,
                 "expected -- and a program: vidmm run --record my.vmt.gz -- ./my-program");
        return false;
    }
    if (!vidmm_options_parse(table.option, OPTIONS, at, arguments, &words, error, error_size))
        return false;
    a->program = (char **)(uintptr_t)&arguments[at + 1];
    return check_files(a, error, error_size);
}

/* ---- the library ----------------------------------------------------------------------------- */

/* In a build folder, and installed; from the folder of the tool. */
static bool find_library(const char *name, char *path, size_t path_size, char *error,
                         size_t error_size)
{
    static const char *const places[] = {"../dxcore", "../" VIDMM_LIBDIR,
                                         "../" VIDMM_LIBDIR "/vidmm"};
    char self[PATH_MAX] = "", candidate[PATH_MAX + 128];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    char *slash;

    self[length > 0 ? length : 0] = 0;
    if ((slash = strrchr(self, '/')) != NULL)
        *slash = 0;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(candidate, sizeof(candidate), "%s/%s/%s", self, places[i], name);
        if (realpath(candidate, path) != NULL && strlen(path) < path_size)
            return true;
    }
    snprintf(error, error_size, "%s is missing: it is in neither %s/%s nor %s/%s", name, self,
             places[0], self, places[1]);
    return false;
}

static bool set_environment(const struct run_arguments *a, const char *folder, char *error,
                            size_t error_size)
{
    char library[PATH_MAX], opener[PATH_MAX], machine[PATH_MAX];

    if (!find_library("libdxcore.so", library, sizeof(library), error, error_size) ||
        !find_library("libvidmm-run.so", opener, sizeof(opener), error, error_size))
        return false;
    vidmm_child_prepend("LD_PRELOAD", library);
    vidmm_child_prepend("LD_PRELOAD", opener);
    setenv("VIDMM_LIBDXCORE", library, 1);
    *strrchr(library, '/') = 0;
    vidmm_child_prepend("LD_LIBRARY_PATH", library);
    setenv("VIDMM_RUN", "1", 1);
    setenv("VIDMM_RECORD", folder, 1);
    if (a->journal != NULL)
        setenv("VIDMM_RUN_JOURNAL", "1", 1);
    if (a->timeline != NULL)
        setenv("VIDMM_RUN_TIMELINE", "1", 1);
    if (a->machine != NULL && realpath(a->machine, machine) != NULL)
        setenv("VIDMM_MACHINE", machine, 1);
    else if (a->machine == NULL)
        unsetenv("VIDMM_MACHINE");
    return true;
}

/* ---- what it left ---------------------------------------------------------------------------- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL && slash[1] != 0 ? slash + 1 : path;
}

static bool write_record(const struct run_arguments *a, const char *folder, long pid, char *error,
                         size_t error_size)
{
    const struct vidmm_recording_header headers[] = {
        {"command", base_of(a->program[0])},
        {"recorded", "vidmm run"},
    };
    char raw[PATH_MAX];
    struct vidmm_recording *recording;
    bool written;

    snprintf(raw, sizeof(raw), "%s/%ld.raw", folder, pid);
    recording = vidmm_recording_read(raw, error, error_size);
    if (recording == NULL)
        return false;
    written = vidmm_recording_write(recording, VIDMM_BY_ALLOCATION, headers, 2, a->record, error,
                                    error_size);
    vidmm_recording_destroy(recording);
    return written;
}

/* Copy what the process has left with this ending. */
static bool copy_out(const char *folder, long pid, const char *ending, const char *to, char *error,
                     size_t error_size)
{
    char path[PATH_MAX];
    size_t size;
    void *text;
    bool written;

    snprintf(path, sizeof(path), "%s/%ld.%s", folder, pid, ending);
    text = vidmm_file_read(path, (size_t)1 << 32, &size, error, error_size);
    written = text != NULL && vidmm_file_write(to, text, size, error, error_size);
    free(text);
    return written;
}

static bool write_timeline(const struct run_arguments *a, const char *folder,
                           const struct vidmm_process_account *account, char *error,
                           size_t error_size)
{
    if (account->whole && account->result.programs[0].submissions != 0)
        return copy_out(folder, account->pid, "svg", a->timeline, error, error_size);
    snprintf(error, error_size, "--timeline: %s is not drawn: process %ld %s", a->timeline,
             account->pid,
             account->whole ? "has submitted nothing" : "ended before its machine was taken apart");
    return false;
}

/* Sum up each process that has called the library; the files are of the first. */
static int tell(const struct run_arguments *a, const char *folder)
{
    struct vidmm_accounts accounts;
    char error[600] = "";
    int worst = VIDMM_CLEAN;

    vidmm_accounts_read(folder, &accounts);
    if (accounts.count == 0) {
        vidmm_accounts_finish(&accounts);
        snprintf(error, sizeof(error),
                 "%s called nothing of libdxcore.so: it is linked statically, does without, or "
                 "was ended before its first call",
                 base_of(a->program[0]));
        return refuse(error);
    }
    for (unsigned i = 0; i < accounts.count; i++) {
        int status = vidmm_account_print(&accounts.account[i], stdout);

        worst = status > worst ? status : worst;
    }
    if (a->record != NULL &&
        !write_record(a, folder, accounts.account[0].pid, error, sizeof(error)))
        worst = refuse(error);
    else if (a->record != NULL)
        printf("written: %s (--record); try: vidmm replay %s%s\n", a->record, a->record,
               accounts.account[0].wddm < 20 ? "" : " --wddm 2");
    if (a->timeline != NULL &&
        !write_timeline(a, folder, &accounts.account[0], error, sizeof(error)))
        worst = refuse(error);
    else if (a->timeline != NULL)
        printf("written: %s (--timeline)\n", a->timeline);
    if (a->journal != NULL &&
        !copy_out(folder, accounts.account[0].pid, "journal", a->journal, error, sizeof(error)))
        worst = refuse(error);
    else if (a->journal != NULL)
        printf("written: %s (--journal)\n", a->journal);
    vidmm_accounts_finish(&accounts);
    return worst;
}

/* How the program ended, if it was not well. */
static int judge_end(const struct run_arguments *a, int status)
{
    if (WIFSIGNALED(status)) {
        fprintf(stderr, "vidmm run: %s was ended by signal %d (%s)\n", base_of(a->program[0]),
                WTERMSIG(status), strsignal(WTERMSIG(status)));
        return 128 + WTERMSIG(status);
    }
    if (WEXITSTATUS(status) != 0)
        fprintf(stderr, "vidmm run: %s ended with status %d\n", base_of(a->program[0]),
                WEXITSTATUS(status));
    return WEXITSTATUS(status);
}

static int run_in(const struct run_arguments *a, const char *folder)
{
    char error[600];
    int status = 0, ended, told;

    if (!set_environment(a, folder, error, sizeof(error)) ||
        !vidmm_child_run(a->program, &status, error, sizeof(error)))
        return refuse(error);
    ended = judge_end(a, status);
    told = tell(a, folder);
    if (WIFSIGNALED(status) && told == VIDMM_FINDINGS)
        return ended;
    return told != VIDMM_CLEAN ? told : ended;
}

static int run(int count, char *const *arguments)
{
    struct run_arguments a = {.help = false};
    const char *temporary = getenv("TMPDIR");
    char error[600], folder[PATH_MAX];
    int status;

    if (!parse(&a, count, arguments, error, sizeof(error)))
        return refuse(error);
    if (a.help) {
        help(stdout);
        return VIDMM_CLEAN;
    }
    snprintf(folder, sizeof(folder), "%.3000s/vidmm-run.XXXXXX",
             temporary != NULL && *temporary != 0 ? temporary : "/tmp");
    if (mkdtemp(folder) == NULL) {
        snprintf(error, sizeof(error), "%.300s: %s", folder, strerror(errno));
        return refuse(error);
    }
    status = run_in(&a, folder);
    vidmm_child_remove_folder(folder);
    return status;
}

const struct vidmm_command vidmm_command_run = {
    "run", "run a program with libdxcore.so of ours, and say what it did", run, help};
