/* vidmm record: run a program, and write down what it does with GPU memory. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/exit.h"
#include "tool/child.h"
#include "tool/command.h"
#include "tool/layer_place.h"
#include "tool/options.h"
#include "tool/outputs.h"
#include "tool/size.h"
#include "trace/heap.h"
#include "trace/recording.h"
#include "trace/trace.h"

#define PROCESSES 16u /* of one program, that can be written down */
#define OPTIONS 6

static const char *const card_words[] = {"auto", "own", "discrete", "resizable", NULL};
static const char *const writes_words[] = {"compare", "protect", NULL};

struct record_arguments {
    bool help, gl;
    const char *output, *resources;
    uint64_t card, writes;
    char **program; /* ends in NULL */
    char made[NAME_MAX + 1];
};

struct option_table {
    struct vidmm_option option[OPTIONS];
};

static struct option_table table_of(struct record_arguments *a)
{
    return (struct option_table){{
        {"output", VIDMM_OPTION_TEXT, &a->output, "FILE.vmt.gz",
         "-o for short: the trace; default: the program's name with .vmt.gz, in this\n"
         "folder, where a file of that name is not there yet",
         0, 0, NULL, NULL},
        {"resources", VIDMM_OPTION_TEXT, &a->resources, "FILE.vmt.gz",
         "write the run a second time, with each buffer and image as an allocation\n"
         "of its own, as a manager sees programs that do not allocate for many at once",
         0, 0, NULL, NULL},
        {"card", VIDMM_OPTION_CHOICE, &a->card, "auto|own|discrete|resizable",
         "memory types that the program is shown: the driver's own; or those of a card\n"
         "with 8 GiB, of which the CPU sees 256 MiB (discrete) or all (resizable). Default\n"
         "auto: discrete where the driver has one type only, else own",
         0, 0, card_words, NULL},
        {"writes", VIDMM_OPTION_CHOICE, &a->writes, "compare|protect",
         "how writes of the CPU are found: by comparing mapped memory with a copy at each\n"
         "submission (the default); or by write-protecting its pages, which costs less where\n"
         "much is mapped. A system call that is to fill a protected page fails (EFAULT), and\n"
         "programs that handle SIGSEGV may not run",
         0, 0, writes_words, NULL},
        {"gl", VIDMM_OPTION_SWITCH, &a->gl, NULL,
         "the program uses OpenGL: let Mesa's zink run it on Vulkan, in software unless\n"
         "LIBGL_ALWAYS_SOFTWARE says otherwise",
         0, 0, NULL, NULL},
        {"help", VIDMM_OPTION_SWITCH, &a->help, NULL, "print this", 0, 0, NULL, NULL},
    }};
}

static void help(FILE *file)
{
    struct record_arguments arguments = {.help = false};
    struct option_table table = table_of(&arguments);

    fputs(
        "vidmm record [-o FILE.vmt.gz] [options] -- PROGRAM [ARGUMENTS]\n"
        "\n"
        "Run a program that uses Vulkan, and write down what it does with GPU memory: what it\n"
        "allocates and frees, which pages the CPU writes, what each submission names, when it\n"
        "is complete, when a frame is presented. `vidmm sweep` then says how much memory it\n"
        "needs, and `vidmm replay` plays it on a software GPU under the memory manager.\n"
        "\n"
        "A Vulkan layer is loaded into the program. A submission names what its command buffers\n"
        "name and what their descriptor sets hold: bound counts as used. Buffers that have a\n"
        "device address are named by each submission. All bound memory is named where descriptors\n"
        "cannot be followed (VK_EXT_descriptor_buffer); the trace's header `references` says so.\n"
        "The contents of memory are not recorded. The cost of finding writes is printed.\n"
        "\n",
        file);
    vidmm_options_help(table.option, OPTIONS, file);
    fputs("\n"
          "A program of several processes makes a trace a process that used Vulkan; the one with\n"
          "most submissions is FILE.vmt.gz, the others stand beside it, with a number. A program\n"
          "without a display runs on a virtual one: vidmm record -- xvfb-run -a PROGRAM\n"
          "\n"
          "examples\n"
          "  vidmm record -o cube.vmt.gz -- xvfb-run -a vkcube --c 300\n"
          "  vidmm record --gl -o gears.vmt.gz -- timeout 20 xvfb-run -a glxgears\n"
          "\n"
          "exit status: 0 written, however the program ended, which is printed; 2 could not run,\n"
          "or nothing was recorded\n",
          file);
}

static int refuse(const char *why)
{
    fprintf(stderr, "vidmm record: %s\n", why);
    return VIDMM_COULD_NOT_RUN;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL && slash[1] != 0 ? slash + 1 : path;
}

/* The file by default: the program's, or that of the program which a runner runs. */
static const char *name_of(struct record_arguments *a)
{
    size_t i = 0;

    if (strcmp(base_of(a->program[0]), "xvfb-run") == 0)
        for (i = 1; a->program[i] != NULL && a->program[i][0] == '-';)
            i++;
    return base_of(a->program[i] != NULL ? a->program[i] : a->program[0]);
}

/* Nothing is written over that the program may read, nor over an older recording by default. */
static bool check_files(struct record_arguments *a, char *error, size_t error_size)
{
    const struct vidmm_output outputs[] = {{"output", a->output}, {"resources", a->resources}};
    size_t count = 0;

    if (a->output == NULL) {
        snprintf(a->made, sizeof(a->made), "%.200s.vmt.gz", name_of(a));
        if (access(a->made, F_OK) == 0) {
            snprintf(error, error_size, "%s is there already; name a file: -o FILE.vmt.gz",
                     a->made);
            return false;
        }
    }
    while (a->program[count] != NULL)
        count++;
    if (!vidmm_outputs_apart(outputs, 2, (const char *const *)a->program, count, error, error_size))
        return false;
    if (a->output == NULL)
        a->output = a->made;
    return true;
}

/* `-o FILE` is `--output FILE`; the program begins behind `--`. */
static bool parse(struct record_arguments *a, int count, char *const *arguments, char *error,
                  size_t error_size)
{
    struct option_table table = table_of(a);
    static char output_option[] = "--output";
    struct vidmm_words words = {.most = 0};
    char *own[32];
    int own_count = 0, at = 0;

    for (; at < count && strcmp(arguments[at], "--") != 0 && own_count < 31; at++)
        own[own_count++] = strcmp(arguments[at], "-o") == 0 ? output_option : arguments[at];
    if (at == count || strcmp(arguments[at], "--") != 0) {
        for (int i = 0; i < count; i++)
            a->help |= strcmp(arguments[i], "--help") == 0;
        snprintf(error, error_size,
                 "expected -- and a program: vidmm record -o FILE.vmt.gz -- vkcube --c 300");
        return a->help;
    }
    if (!vidmm_options_parse(table.option, OPTIONS, own_count, own, &words, error, error_size))
        return false;
    a->program = (char **)(uintptr_t)&arguments[at + 1];
    if (a->help || a->program[0] != NULL)
        return a->help || check_files(a, error, error_size);
    snprintf(error, error_size, "no program stands behind --: vidmm record -- vkcube --c 300");
    return false;
}

/* ---- running the program --------------------------------------------------------------------- */

static void set_environment(const struct record_arguments *a, const char *layer, const char *raw)
{
    vidmm_child_prepend("VK_ADD_LAYER_PATH", layer);
    vidmm_child_prepend("VK_INSTANCE_LAYERS", VIDMM_LAYER_NAME);
    setenv("VIDMM_RECORD", raw, 1);
    setenv("VIDMM_RECORD_CARD", a->card == 0 ? "" : card_words[a->card], 1);
    setenv("VIDMM_RECORD_WRITES", writes_words[a->writes], 1);
    if (a->gl) { /* a virtual display has software drivers only; zink is one of them by this */
        setenv("MESA_LOADER_DRIVER_OVERRIDE", "zink", 1);
        setenv("GALLIUM_DRIVER", "zink", 1);
        setenv("LIBGL_ALWAYS_SOFTWARE", "1", 0);
    }
}

/* ---- what was recorded ----------------------------------------------------------------------- */

struct processes {
    struct vidmm_recording *recording[PROCESSES];
    uint32_t count, left_out;
};

static void read_processes(const char *raw, struct processes *all)
{
    DIR *folder = opendir(raw);
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char path[PATH_MAX], error[400];

        if (strstr(entry->d_name, ".raw") == NULL)
            continue;
        snprintf(path, sizeof(path), "%.3000s/%s", raw, entry->d_name);
        struct vidmm_recording *recording = vidmm_recording_read(path, error, sizeof(error));
        if (recording == NULL)
            fprintf(stderr, "vidmm record: %s\n", error);
        else if (vidmm_recording_count(recording).submissions == 0)
            vidmm_recording_destroy(recording); /* it looked what there is, and no more */
        else if (all->count < PROCESSES)
            all->recording[all->count++] = recording;
        else
            all->left_out++, vidmm_recording_destroy(recording);
    }
    if (folder != NULL)
        closedir(folder);
}

static int by_submissions(const void *a, const void *b)
{
    uint64_t one = vidmm_recording_count(*(struct vidmm_recording *const *)a).submissions;
    uint64_t other = vidmm_recording_count(*(struct vidmm_recording *const *)b).submissions;

    return (one < other) - (one > other);
}

/* ---- writing the traces ---------------------------------------------------------------------- */

struct texts {
    char command[800], date[32];
};

/* Letters of ASCII, and spaces between words: what a header line can have. */
static void plain(char *to, size_t size, const char *text)
{
    size_t length = strlen(to);

    for (; *text != 0 && length + 1 < size; text++)
        to[length++] = *text < ' ' || *text > '~' ? '?' : *text;
    to[length] = 0;
}

static struct texts texts_of(const struct record_arguments *a)
{
    struct texts texts = {"", ""};
    time_t now = time(NULL);
    struct tm day;

    for (size_t i = 0; a->program[i] != NULL; i++) {
        plain(texts.command, sizeof(texts.command), i == 0 ? "" : " ");
        plain(texts.command, sizeof(texts.command), a->program[i]);
    }
    if (gmtime_r(&now, &day) != NULL)
        strftime(texts.date, sizeof(texts.date), "%Y-%m-%d", &day);
    return texts;
}

static bool write_one(const struct record_arguments *a, const struct vidmm_recording *recording,
                      enum vidmm_granularity granularity, const char *path, char *error,
                      size_t error_size)
{
    struct texts texts = texts_of(a);
    const struct vidmm_recording_header headers[] = {
        {"command", texts.command},
        {"recorded", "vidmm record, Vulkan layer " VIDMM_LAYER_NAME},
        {"date", texts.date},
    };

    return vidmm_recording_write(recording, granularity, headers,
                                 sizeof(headers) / sizeof(headers[0]), path, error, error_size);
}

/* Say what is in the file, as every reader will find it. */
static bool print_written(const char *path, bool first, char *error, size_t error_size)
{
    struct vidmm_trace_error why = {""};
    struct vidmm_trace *trace = vidmm_trace_read(&vidmm_heap, path, &why);
    struct vidmm_trace_statistics s;
    struct stat status = {.st_size = 0};

    if (trace == NULL) {
        snprintf(error, error_size, "%s", why.text);
        return false;
    }
    vidmm_trace_measure(trace, &s);
    stat(path, &status);
    printf("written: %s, %s: %" PRIu64 " frames, %" PRIu64 " submissions of %.1f references, "
           "%" PRIu64 " allocations, %s live at most, %s written by the CPU a frame\n",
           path, vidmm_size_text((uint64_t)status.st_size).text, s.frames, s.submissions,
           s.submissions != 0 ? (double)s.references / (double)s.submissions : 0, s.allocations,
           vidmm_size_text(s.peak_live_bytes).text,
           vidmm_size_text(s.frames != 0 ? s.written_bytes / s.frames : 0).text);
    const char *cost = vidmm_trace_header(trace, "write-detection");
    const char *model = vidmm_trace_header(trace, "memory-model");
    const char *references = vidmm_trace_header(trace, "references");
    if (first)
        printf("  memory types shown: %s\n  references: %s\n  writes of the CPU: %s\n",
               model != NULL ? model : "?", references != NULL ? references : "?",
               cost != NULL ? cost
                            : "found at submissions; the program ended before the cost was "
                              "said");
    vidmm_trace_destroy(trace);
    return true;
}

/* FILE-2.vmt.gz beside FILE.vmt.gz. */
static void numbered(char *path, size_t size, const char *output, uint32_t number)
{
    const char *end = strstr(base_of(output), ".vmt");

    if (end == NULL)
        end = output + strlen(output);
    snprintf(path, size, "%.*s-%" PRIu32 "%s", (int)(end - output), output, number, end);
}

static bool write_all(const struct record_arguments *a, const struct processes *all, char *error,
                      size_t error_size)
{
    for (uint32_t i = 0; i < all->count; i++) {
        char path[PATH_MAX];

        if (i == 0)
            snprintf(path, sizeof(path), "%s", a->output);
        else
            numbered(path, sizeof(path), a->output, i + 1);
        if (!write_one(a, all->recording[i], VIDMM_BY_ALLOCATION, path, error, error_size) ||
            !print_written(path, i == 0, error, error_size))
            return false;
    }
    if (a->resources != NULL &&
        (!write_one(a, all->recording[0], VIDMM_BY_RESOURCE, a->resources, error, error_size) ||
         !print_written(a->resources, false, error, error_size)))
        return false;
    if (all->left_out != 0)
        printf("%" PRIu32 " more processes that used Vulkan were not written\n", all->left_out);
    return true;
}

static void print_end(const struct record_arguments *a, int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
        fprintf(stderr, "vidmm record: %s ended with status %d\n", base_of(a->program[0]),
                WEXITSTATUS(status));
    else if (WIFSIGNALED(status))
        fprintf(stderr, "vidmm record: %s was ended by signal %d (%s)\n", base_of(a->program[0]),
                WTERMSIG(status), strsignal(WTERMSIG(status)));
}

static int record(const struct record_arguments *a, const char *layer, const char *raw)
{
    struct processes all = {.count = 0};
    char error[600] = "";
    int status = 0;

    set_environment(a, layer, raw);
    if (!vidmm_child_run(a->program, &status, error, sizeof(error)))
        return refuse(error);
    print_end(a, status);
    read_processes(raw, &all);
    if (all.count == 0) {
        char reason[400];

        unsetenv("VK_INSTANCE_LAYERS");
        vidmm_layer_diagnose(reason, sizeof(reason));
        snprintf(error, sizeof(error), "%s submitted nothing to a GPU: %s", base_of(a->program[0]),
                 reason);
        return refuse(error);
    }
    qsort(all.recording, all.count, sizeof(all.recording[0]), by_submissions);
    bool written = write_all(a, &all, error, sizeof(error));
    for (uint32_t i = 0; i < all.count; i++)
        vidmm_recording_destroy(all.recording[i]);
    if (!written)
        return refuse(error);
    printf("try: vidmm sweep %s; vidmm replay %s --memory 64M --timeline picture.svg\n", a->output,
           a->output);
    return VIDMM_CLEAN;
}

static int run(int count, char *const *arguments)
{
    struct record_arguments a = {.help = false};
    const char *temporary = getenv("TMPDIR");
    char error[600], layer[PATH_MAX], raw[PATH_MAX];

    if (!parse(&a, count, arguments, error, sizeof(error)))
        return refuse(error);
    if (a.help) {
        help(stdout);
        return VIDMM_CLEAN;
    }
    if (!vidmm_layer_folder(layer, sizeof(layer), error, sizeof(error)) ||
        !vidmm_layer_loader(error, sizeof(error)))
        return refuse(error);
    snprintf(raw, sizeof(raw), "%.3000s/vidmm-record.XXXXXX",
             temporary != NULL && *temporary != 0 ? temporary : "/tmp");
    if (mkdtemp(raw) == NULL) {
        snprintf(error, sizeof(error), "%.300s: %s", raw, strerror(errno));
        return refuse(error);
    }
    int status = record(&a, layer, raw);
    vidmm_child_remove_folder(raw);
    return status;
}

const struct vidmm_command vidmm_command_record = {
    "record", "run a program, and write down what it does with GPU memory", run, help};
