/* vidmm scenario: play stories and compare what the manager does with what they tell. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "host/exit.h"
#include "host/posix_file.h"
#include "story/scenario.h"
#include "tool/command.h"
#include "tool/options.h"

enum { MOST_FILES = 1024, MOST_ARGUMENTS = 16 };

struct arguments {
    char *files[MOST_FILES];
    unsigned file_count;
    char *options[MOST_ARGUMENTS];
    int option_count;
    bool bless, show, json, help;
    uint64_t seed;
};

enum verdict { PASSED, BLESSED, DIFFERS, WRONG, UNPLAYABLE };
static const char *const verdicts[] = {"passed", "blessed", "differs", "wrong", "unplayable"};

struct story {
    const char *file;
    char *text;
    size_t size;
    struct vidmm_scenario *scenario;
    struct vidmm_scenario_result result;
    enum verdict verdict;
};

/* ---- arguments ------------------------------------------------------------------------------- */

#define OPTIONS 5u

struct option_table {
    struct vidmm_option option[OPTIONS];
};

static struct option_table table_of(struct arguments *a)
{
    return (struct option_table){{
        {"bless", VIDMM_OPTION_SWITCH, &a->bless, NULL,
         "write this narrative into the files as the expected one; then read the diff", 0, 0, NULL,
         NULL},
        {"seed", VIDMM_OPTION_NUMBER, &a->seed, "N",
         "play another interleaving than the story's: contents and refusals are\n"
         "judged, the narrative is not",
         0, INT64_MAX, NULL, NULL},
        {"show", VIDMM_OPTION_SWITCH, &a->show, NULL, "print the narrative", 0, 0, NULL, NULL},
        {"json", VIDMM_OPTION_SWITCH, &a->json, NULL, "print one JSON object, and nothing else", 0,
         0, NULL, NULL},
        {"help", VIDMM_OPTION_SWITCH, &a->help, NULL, "print this", 0, 0, NULL, NULL},
    }};
}

static void help(FILE *file)
{
    struct arguments arguments;
    struct option_table table = table_of(&arguments);

    fputs("vidmm scenario FILE.scn|FOLDER ... [options]\n"
          "\n"
          "Play stories: a small GPU, a few acts of programs on it, and, line by line, what the\n"
          "video memory manager is expected to do. Differences are printed as a diff.\n"
          "Contents are checked and every call is audited on the way. scenarios/README.md is a\n"
          "tour of all stories; docs/scenarios.md tells how to write one.\n"
          "\n",
          file);
    vidmm_options_help(table.option, OPTIONS, file);
    fputs("\n"
          "examples\n"
          "  vidmm scenario scenarios\n"
          "  vidmm scenario scenarios/evict-oldest.scn --show\n"
          "\n"
          "exit status: 0 all stories match, 1 one does not, 2 one cannot be read or played\n",
          file);
}

static bool add_file(struct arguments *a, const char *folder, const char *name, char *error,
                     size_t error_size)
{
    size_t size = strlen(folder) + strlen(name) + 2;

    if (a->file_count == MOST_FILES) {
        snprintf(error, error_size, "more than %d files", MOST_FILES);
        return false;
    }
    a->files[a->file_count] = malloc(size);
    if (a->files[a->file_count] == NULL) {
        snprintf(error, error_size, "no memory");
        return false;
    }
    snprintf(a->files[a->file_count++], size, "%s%s%s", folder, folder[0] != 0 ? "/" : "", name);
    return true;
}

static int is_story(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > 4 && strcmp(entry->d_name + length - 4, ".scn") == 0;
}

/* A file; or all stories of a folder, by name. */
static bool add_path(struct arguments *a, const char *path, char *error, size_t error_size)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_story, alphasort);
    bool added = true;

    if (count < 0)
        return add_file(a, "", path, error, error_size);
    for (int i = 0; i < count; i++) {
        added = added && add_file(a, path, entries[i]->d_name, error, error_size);
        free(entries[i]);
    }
    free(entries);
    if (count == 0)
        snprintf(error, error_size, "%s: there is no story (*.scn) in it", path);
    return added && count > 0;
}

/* Files may be many; the rest is read as for every command. */
static bool sort_arguments(struct arguments *a, int count, char *const *arguments, char *error,
                           size_t error_size)
{
    for (int i = 0; i < count; i++) {
        if (strncmp(arguments[i], "--", 2) != 0) {
            if (!add_path(a, arguments[i], error, error_size))
                return false;
            continue;
        }
        if (a->option_count + 2 > MOST_ARGUMENTS) {
            snprintf(error, error_size, "more than %d options", MOST_ARGUMENTS / 2);
            return false;
        }
        a->options[a->option_count++] = arguments[i];
        if (strcmp(arguments[i], "--seed") == 0 && i + 1 < count)
            a->options[a->option_count++] = arguments[++i];
    }
    return true;
}

static bool parse(struct arguments *a, int count, char *const *arguments, char *error,
                  size_t error_size)
{
    struct option_table table = table_of(a);
    struct vidmm_words words = {.most = 0};

    if (!sort_arguments(a, count, arguments, error, error_size) ||
        !vidmm_options_parse(table.option, OPTIONS, a->option_count, a->options, &words, error,
                             error_size))
        return false;
    if (a->help || a->file_count > 0)
        return true;
    snprintf(error, error_size, "which story? vidmm scenario FILE.scn (vidmm help scenario)");
    return false;
}

/* ---- one story ------------------------------------------------------------------------------- */

static void play(struct story *story, const struct arguments *a)
{
    struct vidmm_scenario_result *result = &story->result;

    story->verdict = UNPLAYABLE;
    story->text = vidmm_file_read(story->file, VIDMM_SCENARIO_TEXT_MAX, &story->size,
                                  result->problem, sizeof(result->problem));
    if (story->text == NULL)
        return;
    story->scenario = vidmm_scenario_read(story->file, story->text, story->size, result->problem,
                                          sizeof(result->problem));
    if (story->scenario == NULL)
        return;
    vidmm_scenario_play(story->scenario, a->seed, result);
    if (result->problem[0] != 0 || result->narrative == NULL)
        return;
    if (result->wrong + result->surprises + result->breaches > 0)
        story->verdict = WRONG;
    else if (a->seed == 0 && strcmp(result->narrative, story->scenario->expected) != 0)
        story->verdict = DIFFERS;
    else
        story->verdict = PASSED;
}

static void finish(struct story *story)
{
    vidmm_scenario_result_finish(&story->result);
    vidmm_scenario_destroy(story->scenario);
    free(story->text);
}

/* The file as it was up to `expect`, and what was told now behind it. */
static void write_blessed(const struct story *story, FILE *file)
{
    fwrite(story->text, 1, story->scenario->body_size, file);
    if (!story->scenario->expects)
        fputc('\n', file);
    fputs("expect\n", file);
    for (const char *at = story->result.narrative; *at != 0;) {
        size_t length = strcspn(at, "\n");

        fprintf(file, "  %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

static void bless(struct story *story)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file;

    if (story->verdict != DIFFERS)
        return;
    file = open_memstream(&text, &size);
    if (file != NULL) {
        write_blessed(story, file);
        if (fclose(file) == 0 && vidmm_file_write(story->file, text, size, story->result.problem,
                                                  sizeof(story->result.problem)))
            story->verdict = BLESSED;
        else
            story->verdict = UNPLAYABLE;
    }
    free(text);
}

/* ---- what came of it ------------------------------------------------------------------------- */

static void print_story(const struct story *story, const struct arguments *a)
{
    const struct vidmm_scenario_result *result = &story->result;
    const char *subject = story->scenario != NULL ? story->scenario->subject : "";

    if (a->show && result->narrative != NULL)
        fputs(result->narrative, stdout);
    printf("%-10s  %s%s%s\n", verdicts[story->verdict], story->file, subject[0] != 0 ? ": " : "",
           subject);
    if (story->verdict == UNPLAYABLE)
        fprintf(stderr, "vidmm scenario: %s%s%s\n", story->scenario != NULL ? story->file : "",
                story->scenario != NULL ? ": " : "", result->problem);
    if (story->verdict == WRONG)
        printf("  %s: %s\n", story->file, result->surprise);
    if (story->verdict == DIFFERS &&
        !vidmm_scenario_diff(story->scenario->expected, result->narrative, stdout))
        printf("  (too long to compare line by line; --show prints the narrative)\n");
}

static json_t *json_of(const struct story *story)
{
    const struct vidmm_scenario_result *result = &story->result;

    return json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:s, s:s, s:s}", "file", story->file,
                     "subject", story->scenario != NULL ? story->scenario->subject : "", "verdict",
                     verdicts[story->verdict], "content_checks", (json_int_t)result->checks,
                     "content_mismatches", (json_int_t)result->wrong, "surprises",
                     (json_int_t)result->surprises, "violations", (json_int_t)result->breaches,
                     "problem", result->problem, "surprise", result->surprise, "narrative",
                     result->narrative != NULL ? result->narrative : "");
}

static int status_of(enum verdict verdict)
{
    switch (verdict) {
    case PASSED:
    case BLESSED:
        return VIDMM_CLEAN;
    case UNPLAYABLE:
        return VIDMM_COULD_NOT_RUN;
    default:
        return VIDMM_FINDINGS;
    }
}

static int play_all(const struct arguments *a, json_t *stories, unsigned *failed)
{
    int worst = VIDMM_CLEAN;

    for (unsigned i = 0; i < a->file_count; i++) {
        struct story story = {.file = a->files[i]};

        play(&story, a);
        if (a->bless)
            bless(&story);
        if (stories != NULL)
            json_array_append_new(stories, json_of(&story));
        else
            print_story(&story, a);
        int status = status_of(story.verdict);
        *failed += status != VIDMM_CLEAN;
        worst = status > worst ? status : worst;
        finish(&story);
    }
    return worst;
}

static int print_json(json_t *stories, unsigned passed, unsigned failed)
{
    json_t *all = json_pack("{s:o, s:I, s:I}", "stories", stories, "passed", (json_int_t)passed,
                            "failed", (json_int_t)failed);
    bool written = all != NULL && json_dumpf(all, stdout, JSON_INDENT(2)) == 0;

    putchar('\n');
    json_decref(all);
    return written ? VIDMM_CLEAN : VIDMM_COULD_NOT_RUN;
}

static int run_stories(const struct arguments *a)
{
    json_t *stories = a->json ? json_array() : NULL;
    unsigned failed = 0;
    int status = play_all(a, stories, &failed);

    if (stories == NULL)
        printf("%u passed, %u failed\n", a->file_count - failed, failed);
    else if (print_json(stories, a->file_count - failed, failed) != VIDMM_CLEAN)
        status = VIDMM_COULD_NOT_RUN;
    return status;
}

static int run(int count, char *const *arguments)
{
    struct arguments a = {.file_count = 0};
    int status = VIDMM_CLEAN;
    char error[400];

    if (!parse(&a, count, arguments, error, sizeof(error))) {
        fprintf(stderr, "vidmm scenario: %s\n", error);
        status = VIDMM_COULD_NOT_RUN;
    } else if (a.help) {
        help(stdout);
    } else {
        status = run_stories(&a);
    }
    while (a.file_count > 0)
        free(a.files[--a.file_count]);
    return status;
}

const struct vidmm_command vidmm_command_scenario = {
    "scenario", "play stories, and compare what the manager does with what they tell", run, help};
