/* Theory. A story is read once, from its first line to its last. Lines about the GPU are kept, each at
 * the number that it has in the file, so that an error of softgpu_config_parse() names the right line;
 * they are read when the first act comes. From then on names are followed: `alloc` gives one a meaning,
 * `destroy` and `exit` take it. What must be refused gives and takes nothing.
 */
#include "tool/scenario_reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- names ------------------------------------------------------------------------------------ */

static bool is_name(const char *word)
{
    size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_");

    return word[0] >= 'a' && word[0] <= 'z' && word[length] == 0 && length < VIDMM_SCENARIO_NAME;
}

static bool check_name(struct vidmm_scenario_reader *reader, const char *what, const char *word)
{
    return is_name(word) ||
           vidmm_scenario_wrong(reader,
                                "%s: \"%s\" is no name: a letter, then letters, digits and _, up "
                                "to %u in all, all small",
                                what, word, VIDMM_SCENARIO_NAME - 1);
}

/* The allocation that has the name now. -1: none. */
static int64_t find(const struct vidmm_scenario_reader *reader, const char *name)
{
    const struct vidmm_scenario *scenario = reader->scenario;

    for (uint32_t i = scenario->allocation_count; i-- > 0;)
        if (reader->alive[i] && strcmp(scenario->allocations[i].name, name) == 0)
            return i;
    return -1;
}

static bool no_such_name(struct vidmm_scenario_reader *reader, const char *name)
{
    const struct vidmm_scenario *scenario = reader->scenario;
    char all[200] = "";
    size_t length = 0;

    for (uint32_t i = 0; i < scenario->allocation_count && length < sizeof(all); i++)
        if (reader->alive[i])
            length += (size_t)snprintf(all + length, sizeof(all) - length, " %s",
                                       scenario->allocations[i].name);
    return vidmm_scenario_wrong(reader, "%s: \"%s\" is no allocation; there are here:%s",
                                reader->word[0], name, all[0] != 0 ? all : " none");
}

static bool refer(struct vidmm_scenario_reader *reader, struct vidmm_act *act, const char *name,
                  bool write)
{
    struct vidmm_scenario *scenario = reader->scenario;
    int64_t index = find(reader, name);

    if (index < 0)
        return no_such_name(reader, name);
    if (act->count == VIDMM_SCENARIO_REFERENCES || scenario->reference_count == VIDMM_SCENARIO_POOL)
        return vidmm_scenario_wrong(reader, "more than %u names in an act, or %u in a story",
                                    VIDMM_SCENARIO_REFERENCES, VIDMM_SCENARIO_POOL);
    scenario->references[scenario->reference_count++] =
        (struct vidmm_act_reference){.allocation = (uint32_t)index, .write = write};
    act->count++;
    return true;
}

/* ---- acts ------------------------------------------------------------------------------------- */

static bool read_nothing(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    (void)act;
    return reader->count == 1 || vidmm_scenario_wrong(reader, "%s: \"%s\" is one word too many",
                                                      reader->word[0], reader->word[1]);
}

static bool add_allocation(struct vidmm_scenario_reader *reader, struct vidmm_act *act,
                           const char *name, const struct vidmm_scenario_allocation *wish)
{
    struct vidmm_scenario *scenario = reader->scenario;
    uint32_t index = scenario->allocation_count;

    if (!check_name(reader, "alloc", name))
        return false;
    if (find(reader, name) >= 0)
        return vidmm_scenario_wrong(reader, "alloc: there is an allocation \"%s\" already", name);
    if (index == VIDMM_SCENARIO_ALLOCATIONS)
        return vidmm_scenario_wrong(reader, "alloc: more than %u allocations in a story",
                                    VIDMM_SCENARIO_ALLOCATIONS);
    scenario->allocations[index] = *wish;
    strcpy(scenario->allocations[index].name, name);
    scenario->allocation_count++;
    reader->alive[index] = true;
    bool fits = refer(reader, act, name, false);
    reader->alive[index] = !act->refused;
    return fits;
}

static bool read_alloc(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    struct vidmm_scenario_allocation wish;
    uint32_t names = 1;

    while (names < reader->count &&
           !(reader->word[names][0] >= '0' && reader->word[names][0] <= '9'))
        names++;
    if (names == 1)
        return vidmm_scenario_wrong(reader, "alloc: NAME ... SIZE expected");
    if (!vidmm_scenario_wish(reader, names, &wish))
        return false;
    for (uint32_t i = 1; i < names; i++)
        if (!add_allocation(reader, act, reader->word[i], &wish))
            return false;
    return true;
}

/* NAME, NAME:r, NAME:w, NAME:k or NAME:kw */
static bool read_reference(struct vidmm_scenario_reader *reader, struct vidmm_act *act,
                           uint32_t command, char *word)
{
    struct vidmm_scenario *scenario = reader->scenario;
    char *colon = strchr(word, ':');
    bool bound = colon != NULL && colon[1] == 'k';
    const char *access = colon == NULL ? "r" : bound ? colon + 2 : colon + 1;
    bool write = strcmp(access, "w") == 0;

    if (!write && strcmp(access, "r") != 0 && !(bound && access[0] == 0))
        return vidmm_scenario_wrong(
            reader, "submit: \"%s\" is none of NAME, NAME:r, NAME:w, NAME:k, NAME:kw", word);
    if (colon != NULL)
        *colon = 0;
    bool known = refer(reader, act, word, write);
    if (colon != NULL)
        *colon = ':';
    if (known) {
        scenario->references[scenario->reference_count - 1].bound = bound;
        scenario->references[scenario->reference_count - 1].command = command;
    }
    return known;
}

static bool read_submit(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    uint64_t node;
    uint32_t command = 0;

    for (uint32_t i = 1; i < reader->count; i++) {
        if (strcmp(reader->word[i], "nowait") == 0) {
            act->no_wait = true;
        } else if (strcmp(reader->word[i], "then") == 0) {
            command++;
        } else if (strcmp(reader->word[i], "on") == 0) {
            const char *word = i + 1 < reader->count ? reader->word[i + 1] : "";
            if (!vidmm_scenario_number(reader, "submit: on", word, 0, VIDMM_NODES - 1, &node))
                return false;
            act->node = (uint32_t)node;
            i++;
        } else if (!read_reference(reader, act, command, reader->word[i])) {
            return false;
        }
    }
    return true;
}

static bool read_one(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    if (reader->count != 2)
        return vidmm_scenario_wrong(reader, "%s: NAME expected", reader->word[0]);
    return refer(reader, act, reader->word[1], false);
}

static bool read_lock(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    if (reader->count == 3 && strcmp(reader->word[2], "nowait") == 0) {
        act->no_wait = true;
        reader->count = 2;
    }
    return read_one(reader, act);
}

static bool read_names(struct vidmm_scenario_reader *reader, struct vidmm_act *act, uint32_t end)
{
    if (end < 2)
        return vidmm_scenario_wrong(reader, "%s: NAME ... expected", reader->word[0]);
    for (uint32_t i = 1; i < end; i++)
        if (!refer(reader, act, reader->word[i], false))
            return false;
    return true;
}

/* The last word is the offer's priority. */
static bool read_offer(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    static const char *const priorities[] = {"low", "normal", "high", "auto"};
    const char *last = reader->word[reader->count - 1];

    for (uint32_t i = 0; i < 4; i++)
        if (strcmp(last, priorities[i]) == 0)
            act->value = i + 1;
    if (act->value == 0 || reader->count < 3)
        return vidmm_scenario_wrong(reader, "offer: NAME ... and low, normal, high or auto "
                                            "expected");
    return read_names(reader, act, reader->count - 1);
}

static bool read_reclaim(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    return read_names(reader, act, reader->count);
}

static bool read_priority(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    uint64_t value;

    if (reader->count < 3)
        return vidmm_scenario_wrong(reader, "priority: NAME ... NUMBER expected");
    if (!vidmm_scenario_number(reader, "priority", reader->word[reader->count - 1], 0, UINT32_MAX,
                               &value))
        return false;
    act->value = (uint32_t)value;
    return read_names(reader, act, reader->count - 1);
}

static bool read_destroy(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    if (reader->count < 2)
        return vidmm_scenario_wrong(reader, "destroy: NAME ... expected");
    for (uint32_t i = 1; i < reader->count; i++) {
        if (!refer(reader, act, reader->word[i], false))
            return false;
        reader->alive[reader->scenario->references[reader->scenario->reference_count - 1]
                          .allocation] = false;
    }
    return true;
}

/* Whose an allocation is, by the act that made it. */
static uint32_t owner(const struct vidmm_scenario *scenario, uint32_t allocation)
{
    for (uint32_t i = 0; i < scenario->act_count; i++) {
        const struct vidmm_act *act = &scenario->acts[i];

        for (uint32_t j = 0; act->kind == VIDMM_ACT_ALLOC && j < act->count; j++)
            if (scenario->references[act->first + j].allocation == allocation)
                return act->process;
    }
    return 0;
}

static bool read_exit(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    for (uint32_t i = 0; i < reader->scenario->allocation_count; i++)
        if (owner(reader->scenario, i) == act->process)
            reader->alive[i] = false;
    return read_nothing(reader, act);
}

static bool read_power(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    static const char *const states[] = {[VIDMM_POWER_D0] = "on",
                                         [VIDMM_POWER_D3] = "off",
                                         [VIDMM_POWER_STANDBY] = "standby",
                                         [VIDMM_POWER_HIBERNATE] = "hibernate",
                                         [VIDMM_POWER_HYBRID_SLEEP] = "hybrid"};

    for (uint32_t i = 0; reader->count == 2 && i < sizeof(states) / sizeof(states[0]); i++) {
        act->power = (enum vidmm_power)i;
        if (strcmp(reader->word[1], states[i]) == 0)
            return true;
    }
    return vidmm_scenario_wrong(reader, "power: on, off, standby, hibernate or hybrid expected");
}

static bool read_stop(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    memset(reader->alive, 0, sizeof(reader->alive));
    return read_nothing(reader, act);
}

static const struct {
    const char *name;
    enum vidmm_act_kind kind;
    bool (*read)(struct vidmm_scenario_reader *reader, struct vidmm_act *act);
    bool may_be_refused;
} acts[] = {
    {"start", VIDMM_ACT_START, read_nothing, true},
    {"alloc", VIDMM_ACT_ALLOC, read_alloc, true},
    {"submit", VIDMM_ACT_SUBMIT, read_submit, true},
    {"wait", VIDMM_ACT_WAIT, read_nothing, true},
    {"lock", VIDMM_ACT_LOCK, read_lock, true},
    {"write", VIDMM_ACT_WRITE, read_one, false},
    {"unlock", VIDMM_ACT_UNLOCK, read_one, true},
    {"offer", VIDMM_ACT_OFFER, read_offer, true},
    {"reclaim", VIDMM_ACT_RECLAIM, read_reclaim, true},
    {"priority", VIDMM_ACT_PRIORITY, read_priority, true},
    {"destroy", VIDMM_ACT_DESTROY, read_destroy, false},
    {"exit", VIDMM_ACT_EXIT, read_exit, false},
    {"hold", VIDMM_ACT_HOLD, read_nothing, false},
    {"go", VIDMM_ACT_GO, read_nothing, false},
    {"release", VIDMM_ACT_RELEASE, read_nothing, false},
    {"power", VIDMM_ACT_POWER, read_power, true},
    {"stop", VIDMM_ACT_STOP, read_stop, false},
};
#define ACTS (sizeof(acts) / sizeof(acts[0]))

/* The GPU is known from here on. */
static bool read_gpu(struct vidmm_scenario_reader *reader)
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

/* Keep the words of the line, one blank between them. */
static const char *keep_text(struct vidmm_scenario_reader *reader)
{
    char *text = reader->words_end;

    for (uint32_t i = 0; i < reader->count; i++) {
        size_t length = strlen(reader->word[i]);

        if (i > 0)
            *reader->words_end++ = ' ';
        memcpy(reader->words_end, reader->word[i], length);
        reader->words_end += length;
    }
    *reader->words_end++ = 0;
    return text;
}

static bool read_act(struct vidmm_scenario_reader *reader, size_t which, bool refused)
{
    struct vidmm_scenario *scenario = reader->scenario;
    struct vidmm_act *act = &scenario->acts[scenario->act_count];

    if (refused && !acts[which].may_be_refused)
        return vidmm_scenario_wrong(reader, "refused: %s cannot be", acts[which].name);
    if (scenario->act_count == VIDMM_SCENARIO_ACTS)
        return vidmm_scenario_wrong(reader, "more than %u acts", VIDMM_SCENARIO_ACTS);
    if (!read_gpu(reader))
        return false;
    if (acts[which].kind == VIDMM_ACT_START && scenario->act_count > 0)
        return vidmm_scenario_wrong(reader, "start: an act stands before it, and has started it");
    *act = (struct vidmm_act){
        .kind = acts[which].kind,
        .line = reader->line,
        .text = keep_text(reader),
        .refused = refused,
        .process = reader->process,
        .first = scenario->reference_count,
    };
    if (!acts[which].read(reader, act))
        return false;
    scenario->act_count++;
    return true;
}

/* ---- lines ------------------------------------------------------------------------------------ */

static bool read_process(struct vidmm_scenario_reader *reader)
{
    struct vidmm_scenario *scenario = reader->scenario;

    if (reader->count != 2)
        return vidmm_scenario_wrong(reader, "process: NAME expected");
    if (!check_name(reader, "process", reader->word[1]))
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
        return vidmm_scenario_wrong(reader, "gpu: KEY VALUE expected");
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
    char all[200] = "";
    size_t length = 0;

    for (size_t i = 0; i < ACTS; i++)
        length += (size_t)snprintf(all + length, sizeof(all) - length, "%s, ", acts[i].name);
    return vidmm_scenario_wrong(
        reader, "there is no \"%s\"; there are gpu, segment, manager, machine, process, %sexpect",
        word, all);
}

static bool read_words(struct vidmm_scenario_reader *reader)
{
    bool refused = strcmp(reader->word[0], "refused") == 0;

    if (refused) {
        memmove(reader->word, reader->word + 1, --reader->count * sizeof(reader->word[0]));
        if (reader->count == 0)
            return vidmm_scenario_wrong(reader, "refused: an act expected");
    }
    for (size_t i = 0; i < ACTS; i++)
        if (strcmp(reader->word[0], acts[i].name) == 0)
            return read_act(reader, i, refused);
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

/* What stands behind `expect`, without two blanks before each line and empty lines at the end. */
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
    return read_gpu(reader);
}

/* ---- the whole -------------------------------------------------------------------------------- */

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
