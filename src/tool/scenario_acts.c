/* Theory. Names are followed: `alloc` gives one a meaning, `destroy` and `exit` take it. What must be
 * refused gives and takes nothing. */
#include "tool/scenario_reader.h"

#include <inttypes.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------------------------ */

static bool is_name(const char *word)
{
    size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_");

    return word[0] >= 'a' && word[0] <= 'z' && word[length] == 0 && length < VIDMM_SCENARIO_NAME;
}

bool vidmm_scenario_check_name(struct vidmm_scenario_reader *reader, const char *what,
                               const char *word)
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

    if (!vidmm_scenario_check_name(reader, "alloc", name))
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

const char *vidmm_scenario_act_name(size_t which)
{
    return which < ACTS ? acts[which].name : NULL;
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

bool vidmm_scenario_read_act(struct vidmm_scenario_reader *reader, size_t which, bool refused)
{
    struct vidmm_scenario *scenario = reader->scenario;
    struct vidmm_act *act = &scenario->acts[scenario->act_count];

    if (refused && !acts[which].may_be_refused)
        return vidmm_scenario_wrong(reader, "refused: %s cannot be", acts[which].name);
    if (scenario->act_count == VIDMM_SCENARIO_ACTS)
        return vidmm_scenario_wrong(reader, "more than %u acts", VIDMM_SCENARIO_ACTS);
    if (!vidmm_scenario_gpu(reader))
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
