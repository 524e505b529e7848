/* Theory. A story is read once, from its first line to its last. Lines about the GPU are kept, each
 * at the number that it has in the file, so that an error of softgpu_config_parse() names the right
 * line; they are read when the first act comes.
 */
#include "story/reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

bool vidmm_scenario_wrong(struct vidmm_scenario_reader *reader, const char *format, ...)
{
    char sentence[VIDMM_SCENARIO_LINE + 200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    snprintf(reader->error, reader->error_size, "%s:%" PRIu32 ": %s", reader->name, reader->line,
             sentence);
    return false;
}

/* ---- lines ----------------------------------------------------------------------------------- */

bool vidmm_scenario_gpu(struct vidmm_scenario_reader *reader)
{
    char why[300] = "";
    unsigned line = 0;
    int digits = 0;

    if (reader->acting)
        return true;
    reader->acting = true;
    if (softgpu_config_parse(reader->config, &reader->scenario->gpu, why, sizeof(why)))
        return true;
    if (sscanf(why, "line %u: %n", &line, &digits) == 1 && digits > 0)
        reader->line = line;
    return vidmm_scenario_wrong(reader, "%s", why + digits);
}

static bool read_process(struct vidmm_scenario_reader *reader)
{
    struct vidmm_scenario *scenario = reader->scenario;

    if (reader->count != 2)
        return vidmm_scenario_wrong(reader, "process: expected NAME");
    if (!vidmm_scenario_check_name(reader, "process", reader->word[1]))
        return false;
    for (uint32_t i = 0; i < scenario->process_count; i++)
        if (strcmp(scenario->processes[i], reader->word[1]) == 0) {
            reader->process = i;
            return true;
        }
    if (scenario->process_count == 0 && scenario->act_count > 0)
        return vidmm_scenario_wrong(reader, "process: an act stands before the first one");
    if (scenario->process_count == VIDMM_SCENARIO_PROCESSES)
        return vidmm_scenario_wrong(reader, "process: more than %u", VIDMM_SCENARIO_PROCESSES);
    reader->process = scenario->process_count++;
    strcpy(scenario->processes[reader->process], reader->word[1]);
    return true;
}

/* gpu KEY VALUE ..., segment ID ...: at the line where it stands. */
static bool keep_config(struct vidmm_scenario_reader *reader)
{
    bool gpu = strcmp(reader->word[0], "gpu") == 0;

    if (reader->acting)
        return vidmm_scenario_wrong(reader, "%s: it stands behind the first act", reader->word[0]);
    if (gpu && reader->count < 2)
        return vidmm_scenario_wrong(reader, "gpu: expected KEY VALUE");
    for (uint32_t i = gpu ? 1 : 0; i < reader->count; i++) {
        size_t length = strlen(reader->word[i]);

        memcpy(reader->config + reader->config_size, reader->word[i], length);
        reader->config_size += length;
        reader->config[reader->config_size++] = ' ';
    }
    return true;
}

static bool no_such_word(struct vidmm_scenario_reader *reader, const char *word)
{
    char all[VIDMM_SCENARIO_LINE];
    struct vidmm_text text;
    const char *name;

    vidmm_text_init(&text, all, sizeof(all));
    for (size_t i = 0; (name = vidmm_scenario_act_name(i)) != NULL; i++) {
        vidmm_text_string(&text, name);
        vidmm_text_string(&text, ", ");
    }
    return vidmm_scenario_wrong(
        reader, "there is no \"%s\"; there are gpu, segment, manager, machine, process, %sexpect",
        word, all);
}

static bool read_words(struct vidmm_scenario_reader *reader)
{
    bool refused = strcmp(reader->word[0], "refused") == 0;
    const char *name;

    if (refused) {
        memmove(reader->word, reader->word + 1, --reader->count * sizeof(reader->word[0]));
        if (reader->count == 0)
            return vidmm_scenario_wrong(reader, "refused: expected an act");
    }
    for (size_t i = 0; (name = vidmm_scenario_act_name(i)) != NULL; i++)
        if (strcmp(reader->word[0], name) == 0)
            return vidmm_scenario_read_act(reader, i, refused);
    if (refused)
        return vidmm_scenario_wrong(reader, "refused: \"%s\" is no act", reader->word[0]);
    if (strcmp(reader->word[0], "gpu") == 0 || strcmp(reader->word[0], "segment") == 0)
        return keep_config(reader);
    if (strcmp(reader->word[0], "process") == 0)
        return read_process(reader);
    bool manager = strcmp(reader->word[0], "manager") == 0;
    if (!manager && strcmp(reader->word[0], "machine") != 0)
        return no_such_word(reader, reader->word[0]);
    if (reader->acting)
        return vidmm_scenario_wrong(reader, "%s: it stands behind the first act", reader->word[0]);
    return manager ? vidmm_scenario_manager(reader) : vidmm_scenario_machine(reader);
}

/* Cut the line into words; # ends it. */
static bool split(struct vidmm_scenario_reader *reader, const char *line, size_t length)
{
    char *at = reader->buffer;

    reader->count = 0;
    if (length >= sizeof(reader->buffer))
        return vidmm_scenario_wrong(reader, "longer than %u bytes", VIDMM_SCENARIO_LINE - 1);
    for (size_t i = 0; i < length; i++)
        if ((line[i] < ' ' && line[i] != '\t' && line[i] != '\r') || line[i] > '~')
            return vidmm_scenario_wrong(reader, "byte %zu of the line is no printable ASCII",
                                        i + 1);
    memcpy(at, line, length);
    at[length] = 0;
    at[strcspn(at, "#")] = 0;
    for (char *word = strtok(at, " \t\r"); word != NULL; word = strtok(NULL, " \t\r")) {
        if (reader->count == VIDMM_SCENARIO_WORDS)
            return vidmm_scenario_wrong(reader, "more than %u words", VIDMM_SCENARIO_WORDS);
        reader->word[reader->count++] = word;
    }
    return true;
}

/* "# name.scn: subject" */
static void read_subject(struct vidmm_scenario *scenario, const char *line, size_t length)
{
    const char *colon = memchr(line, ':', length), *end = line + length;

    if (length == 0 || line[0] != '#' || colon == NULL)
        return;
    for (colon++; colon < end && *colon == ' '; colon++)
        continue;
    size_t size = (size_t)(end - colon);
    if (size >= sizeof(scenario->subject))
        size = sizeof(scenario->subject) - 1;
    memcpy(scenario->subject, colon, size);
}

/* Keep the text behind `expect`, without two blanks before each line and empty lines at the end. */
static void keep_expected(struct vidmm_scenario *scenario, const char *at, const char *end)
{
    char *to = scenario->expected, *last = to;

    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));

        stop = stop != NULL ? stop : end;
        for (int i = 0; i < 2 && at < stop && *at == ' '; i++)
            at++;
        memcpy(to, at, (size_t)(stop - at));
        to += stop - at;
        *to++ = '\n';
        last = stop > at ? to : last;
        at = stop < end ? stop + 1 : end;
    }
    *last = 0;
}

static bool read_lines(struct vidmm_scenario_reader *reader, const char *text, size_t size)
{
    const char *at = text, *end = text + size;

    while (at < end && !reader->scenario->expects) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop != NULL ? stop : end) - at);

        reader->line++;
        if (!split(reader, at, length))
            return false;
        if (reader->line == 1)
            read_subject(reader->scenario, at, length);
        reader->scenario->expects = reader->count == 1 && strcmp(reader->word[0], "expect") == 0;
        if (!reader->scenario->expects && reader->count > 0 && !read_words(reader))
            return false;
        reader->config[reader->config_size++] = '\n';
        reader->config[reader->config_size] = 0;
        if (!reader->scenario->expects)
            reader->scenario->body_size = (size_t)(at - text) + length + (stop != NULL);
        at = stop != NULL ? stop + 1 : end;
    }
    if (memchr(at, 0, (size_t)(end - at)) != NULL)
        return vidmm_scenario_wrong(reader, "there is a byte of 0 in what is expected");
    if (reader->scenario->expects)
        keep_expected(reader->scenario, at, end);
    return vidmm_scenario_gpu(reader);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static struct vidmm_scenario *create(size_t size)
{
    struct vidmm_scenario *scenario = calloc(1, sizeof(*scenario));

    if (scenario == NULL)
        return NULL;
    scenario->expected = calloc(1, size + 2);
    scenario->words = calloc(1, size + 2);
    scenario->gpu = softgpu_config_default();
    scenario->system_memory = UINT64_C(64) << 20;
    vidmm_adapter_options_default(&scenario->manager);
    scenario->manager.dma_buffers = 4;
    scenario->manager.poison = true;
    if (scenario->expected != NULL && scenario->words != NULL)
        return scenario;
    vidmm_scenario_destroy(scenario);
    return NULL;
}

struct vidmm_scenario *vidmm_scenario_read(const char *name, const char *text, size_t size,
                                           char *error, size_t error_size)
{
    struct vidmm_scenario_reader *reader = calloc(1, sizeof(*reader));
    struct vidmm_scenario *scenario = create(size);
    bool right = false;

    if (reader != NULL)
        reader->config = calloc(2, size + 2); /* each word gets a blank, each line an end */
    if (reader != NULL && reader->config != NULL && scenario != NULL) {
        reader->name = name;
        reader->error = error;
        reader->error_size = error_size;
        reader->scenario = scenario;
        reader->words_end = scenario->words;
        right = read_lines(reader, text, size);
    } else {
        snprintf(error, error_size, "%s: no memory to read it", name);
    }
    if (reader != NULL)
        free(reader->config);
    free(reader);
    if (right)
        return scenario;
    vidmm_scenario_destroy(scenario);
    return NULL;
}

void vidmm_scenario_destroy(struct vidmm_scenario *scenario)
{
    if (scenario == NULL)
        return;
    free(scenario->expected);
    free(scenario->words);
    free(scenario);
}
