/* Theory. Names are followed: `alloc` gives one a meaning, `destroy` and `exit` take it. An act
 * that must be refused gives and takes nothing. */
#include "story/reader.h"

#include <inttypes.h>
#include <string.h>

#include <vidmm/lock.h>

#include "base/text.h"

/* ---- names ----------------------------------------------------------------------------------- */

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
                                "%s: \"%s\" is no name; expected a small letter, then small "
                                "letters, digits and _, up to %u in all",
                                what, word, VIDMM_SCENARIO_NAME - 1);
}

int64_t vidmm_scenario_find(const struct vidmm_scenario_reader *reader, const char *name)
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
    char all[200];
    struct vidmm_text text;

    vidmm_text_init(&text, all, sizeof(all));
    for (uint32_t i = 0; i < scenario->allocation_count; i++) {
        if (reader->alive[i]) {
            vidmm_text_char(&text, ' ');
            vidmm_text_string(&text, scenario->allocations[i].name);
        }
    }
    return vidmm_scenario_wrong(reader, "%s: \"%s\" is no allocation; there are here:%s",
                                reader->word[0], name, all[0] != 0 ? all : " none");
}

static bool has_room(struct vidmm_scenario_reader *reader, const struct vidmm_act *act)
{
    return (act->count < VIDMM_SCENARIO_REFERENCES &&
            reader->scenario->reference_count < VIDMM_SCENARIO_POOL) ||
           vidmm_scenario_wrong(reader, "more than %u names in an act, or %u in a story",
                                VIDMM_SCENARIO_REFERENCES, VIDMM_SCENARIO_POOL);
}

bool vidmm_scenario_refer(struct vidmm_scenario_reader *reader, struct vidmm_act *act,
                          const char *name, bool write)
{
    struct vidmm_scenario *scenario = reader->scenario;
    int64_t index = vidmm_scenario_find(reader, name);

    if (index < 0)
        return no_such_name(reader, name);
    if (!has_room(reader, act))
        return false;
    scenario->references[scenario->reference_count++] =
        (struct vidmm_act_reference){.allocation = (uint32_t)index, .write = write};
    act->count++;
    return true;
}

/* ---- acts ------------------------------------------------------------------------------------ */

static bool read_nothing(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    (void)act;
    return reader->count == 1 || vidmm_scenario_wrong(reader, "%s: unexpected argument \"%s\"",
                                                      reader->word[0], reader->word[1]);
}

bool vidmm_scenario_add(struct vidmm_scenario_reader *reader, struct vidmm_act *act,
                        const char *name, const struct vidmm_scenario_allocation *wish)
{
    struct vidmm_scenario *scenario = reader->scenario;
    uint32_t index = scenario->allocation_count;

    if (!vidmm_scenario_check_name(reader, reader->word[0], name))
        return false;
    if (vidmm_scenario_find(reader, name) >= 0)
        return vidmm_scenario_wrong(reader, "%s: there is an allocation \"%s\" already",
                                    reader->word[0], name);
    if (index == VIDMM_SCENARIO_ALLOCATIONS)
        return vidmm_scenario_wrong(reader, "%s: more than %u allocations in a story",
                                    reader->word[0], VIDMM_SCENARIO_ALLOCATIONS);
    scenario->allocations[index] = *wish;
    scenario->allocations[index].process = act->process;
    scenario->allocations[index].memory = index;
    if (act->refused)
        scenario->allocations[index].resource = 0;
    strcpy(scenario->allocations[index].name, name);
    scenario->allocation_count++;
    reader->alive[index] = true;
    bool fits = vidmm_scenario_refer(reader, act, name, false);
    reader->alive[index] = !act->refused;
    return fits;
}

bool vidmm_scenario_add_all(struct vidmm_scenario_reader *reader, struct vidmm_act *act,
                            uint32_t at, uint32_t resource)
{
    struct vidmm_scenario_allocation wish;
    uint32_t names = at;

    while (names < reader->count &&
           !(reader->word[names][0] >= '0' && reader->word[names][0] <= '9'))
        names++;
    if (names == at)
        return vidmm_scenario_wrong(reader, "%s: expected NAME ... SIZE", reader->word[0]);
    if (!vidmm_scenario_wish(reader, names, &wish))
        return false;
    wish.resource = resource;
    for (uint32_t i = at; i < names; i++)
        if (!vidmm_scenario_add(reader, act, reader->word[i], &wish))
            return false;
    return true;
}

static bool read_alloc(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    return vidmm_scenario_add_all(reader, act, 1, 0);
}

static bool read_one(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    if (reader->count != 2)
        return vidmm_scenario_wrong(reader, "%s: expected NAME", reader->word[0]);
    return vidmm_scenario_refer(reader, act, reader->word[1], false);
}

/* look NAME [stale] */
static bool read_look(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    act->value = reader->count == 3 && strcmp(reader->word[2], "stale") == 0;
    if (act->value == 1)
        return vidmm_scenario_refer(reader, act, reader->word[1], false);
    if (reader->count != 2)
        return vidmm_scenario_wrong(reader, "look: expected NAME [stale]");
    return read_one(reader, act);
}

/* "0,3": pages of an allocation. */
static bool read_pages(struct vidmm_scenario_reader *reader, struct vidmm_act *act, char *list)
{
    for (char *at = list; *at != 0;) {
        char *comma = strchr(at, ',');
        uint64_t page;

        if (comma != NULL)
            *comma = 0;
        if (act->page_count == VIDMM_SCENARIO_PAGES)
            return vidmm_scenario_wrong(reader, "lock: more than %u pages", VIDMM_SCENARIO_PAGES);
        if (!vidmm_scenario_number(reader, "lock: pages", at, 0, UINT32_MAX, &page))
            return false;
        act->pages[act->page_count++] = (uint32_t)page;
        if (comma != NULL)
            *comma = ',';
        at = comma != NULL ? comma + 1 : at + strlen(at);
    }
    act->value &= ~VIDMM_LOCK_ENTIRE;
    return true;
}

/* lock NAME [WORD ...] [pages LIST] */
static bool read_lock(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    static const struct {
        const char *word;
        uint32_t flag;
    } words[] = {
        {"nowait", VIDMM_LOCK_DONOT_WAIT},
        {"readonly", VIDMM_LOCK_READ_ONLY},
        {"writeonly", VIDMM_LOCK_WRITE_ONLY},
        {"ignoresync", VIDMM_LOCK_IGNORE_SYNC},
        {"ignorereadsync", VIDMM_LOCK_IGNORE_READ_SYNC},
        {"noevict", VIDMM_LOCK_DONOT_EVICT},
        {"aperture", VIDMM_LOCK_ACQUIRE_APERTURE},
        {"discard", VIDMM_LOCK_DISCARD},
        {"noreference", VIDMM_LOCK_NO_EXISTING_REFERENCE},
        {"alternate", VIDMM_LOCK_ACQUIRE_APERTURE | VIDMM_LOCK_USE_ALTERNATE_VA},
        {"usealternateva", VIDMM_LOCK_USE_ALTERNATE_VA},
        {"nopages", 0},
    };

    act->value = VIDMM_LOCK_ENTIRE;
    for (uint32_t i = 2; i < reader->count; i++) {
        size_t which = 0;
        uint64_t data;

        if (strcmp(reader->word[i], "data") == 0 && i + 1 < reader->count) {
            if (!vidmm_scenario_number(reader, "lock: data", reader->word[++i], 0, UINT32_MAX,
                                       &data))
                return false;
            act->data = (uint32_t)data;
            continue;
        }
        if (strcmp(reader->word[i], "pages") == 0 && i + 1 < reader->count) {
            if (!read_pages(reader, act, reader->word[++i]))
                return false;
            continue;
        }
        while (which < sizeof(words) / sizeof(words[0]) &&
               strcmp(reader->word[i], words[which].word) != 0)
            which++;
        if (which == sizeof(words) / sizeof(words[0]))
            return vidmm_scenario_wrong(
                reader,
                "lock: \"%s\" ; expected one of nowait, readonly, writeonly, "
                "ignoresync, ignorereadsync, noevict, aperture, discard, "
                "noreference, alternate, usealternateva, nopages, data N, pages LIST",
                reader->word[i]);
        act->value |= words[which].flag;
        if (words[which].flag == 0)
            act->value &= ~VIDMM_LOCK_ENTIRE;
    }
    if ((act->value & VIDMM_LOCK_DISCARD) != 0 && act->page_count > 0)
        return vidmm_scenario_wrong(reader, "lock: discard and a pages LIST exclude each other");
    reader->count = reader->count > 2 ? 2 : reader->count;
    return read_one(reader, act);
}

/* A resource's name, or an allocation's. */
static bool refer_to_either(struct vidmm_scenario_reader *reader, struct vidmm_act *act,
                            const char *name)
{
    struct vidmm_scenario *scenario = reader->scenario;
    int64_t resource = vidmm_scenario_find_resource(reader, act, name);

    if (vidmm_scenario_find(reader, name) >= 0 || resource < 0)
        return vidmm_scenario_refer(reader, act, name, false);
    if (!has_room(reader, act))
        return false;
    scenario->references[scenario->reference_count++] =
        (struct vidmm_act_reference){.allocation = (uint32_t)resource, .of_resource = true};
    act->count++;
    return true;
}

static bool read_names(struct vidmm_scenario_reader *reader, struct vidmm_act *act, uint32_t end)
{
    if (end < 2)
        return vidmm_scenario_wrong(reader, "%s: expected NAME ...", reader->word[0]);
    for (uint32_t i = 1; i < end; i++)
        if (!refer_to_either(reader, act, reader->word[i]))
            return false;
    return true;
}

/* No resources. */
static bool read_allocations(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    if (reader->count < 2)
        return vidmm_scenario_wrong(reader, "%s: expected NAME ...", reader->word[0]);
    for (uint32_t i = 1; i < reader->count; i++)
        if (!vidmm_scenario_refer(reader, act, reader->word[i], false))
            return false;
    return true;
}

/* The last word is the offer's priority. */
static bool read_offer(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    if (reader->count > 2)
        act->value = vidmm_scenario_offer_word(reader->word[reader->count - 1]);
    if (act->value == 0)
        return vidmm_scenario_wrong(reader,
                                    "offer: expected NAME ... and low, normal, high or auto "
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
        return vidmm_scenario_wrong(reader, "priority: expected NAME ... NUMBER");
    if (!vidmm_scenario_number(reader, "priority", reader->word[reader->count - 1], 0, UINT32_MAX,
                               &value))
        return false;
    act->value = (uint32_t)value;
    return read_names(reader, act, reader->count - 1);
}

/* hang NODE [fence N] [preemptible] */
static bool read_hang(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    const struct softgpu_config *gpu = &reader->scenario->gpu;
    uint64_t node, fence = 0;

    if (reader->count < 2)
        return vidmm_scenario_wrong(reader, "hang: expected NODE");
    if (!vidmm_scenario_number(reader, "hang", reader->word[1], 0, gpu->engine_count - 1, &node))
        return false;
    for (uint32_t i = 2; i < reader->count; i++) {
        if (strcmp(reader->word[i], "preemptible") == 0) {
            act->preemptible = true;
        } else if (strcmp(reader->word[i], "fence") == 0 && i + 1 < reader->count) {
            i++;
            if (!vidmm_scenario_number(reader, "hang: fence", reader->word[i], 1, UINT32_MAX,
                                       &fence))
                return false;
        } else {
            return vidmm_scenario_wrong(reader, "hang: \"%s\" ; expected fence N or preemptible",
                                        reader->word[i]);
        }
    }
    act->node = (uint32_t)node;
    act->value = (uint32_t)fence;
    return true;
}

static bool read_destroy(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    if (reader->count < 2)
        return vidmm_scenario_wrong(reader, "destroy: expected NAME ...");
    for (uint32_t i = 1; i < reader->count; i++) {
        if (!vidmm_scenario_refer(reader, act, reader->word[i], false))
            return false;
        reader->alive[reader->scenario->references[reader->scenario->reference_count - 1]
                          .allocation] &= act->refused;
    }
    return true;
}

static bool read_exit(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    for (uint32_t i = 0; i < reader->scenario->allocation_count; i++)
        if (reader->scenario->allocations[i].process == act->process)
            reader->alive[i] = false;
    for (uint32_t i = 0; i < reader->scenario->resource_count; i++)
        if (reader->scenario->resources[i].process == act->process)
            reader->resource_alive[i] = false;
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
    return vidmm_scenario_wrong(reader, "power: expected on, off, standby, hibernate or hybrid");
}

/* neighbour [nowait] */
static bool read_neighbour(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    act->no_wait = reader->count == 2 && strcmp(reader->word[1], "nowait") == 0;
    return act->no_wait || read_nothing(reader, act);
}

/* dump segment ID at OFFSET for SIZE [on GPU] */
static bool read_dump(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    char *const *word = reader->word;
    bool named = reader->count == 9 && strcmp(word[7], "on") == 0;
    uint64_t segment, engine = 0;

    if ((reader->count != 7 && !named) || strcmp(word[1], "segment") != 0 ||
        strcmp(word[3], "at") != 0 || strcmp(word[5], "for") != 0)
        return vidmm_scenario_wrong(reader,
                                    "dump: expected segment ID at OFFSET for SIZE, and on a "
                                    "link perhaps: on NUMBER");
    if (!vidmm_scenario_number(reader, "dump: segment", word[2], 0, VIDMM_SEGMENTS - 1, &segment) ||
        !vidmm_scenario_size(reader, "dump: at", word[4], 0, VIDMM_SCENARIO_SIZE_MAX,
                             &act->offset) ||
        !vidmm_scenario_size(reader, "dump: for", word[6], 0, VIDMM_SCENARIO_SIZE_MAX,
                             &act->size) ||
        (named && !vidmm_scenario_number(reader, "dump: on", word[8], 0, 31, &engine)))
        return false;
    act->segment = (uint32_t)segment;
    act->engine = (uint32_t)engine;
    return true;
}

/* escape [idle] */
static bool read_escape(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    act->value = reader->count == 2 && strcmp(reader->word[1], "idle") == 0;
    return act->value == 1 || read_nothing(reader, act);
}

static bool read_stop(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    memset(reader->alive, 0, sizeof(reader->alive));
    memset(reader->resource_alive, 0, sizeof(reader->resource_alive));
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
    {"resource", VIDMM_ACT_RESOURCE, vidmm_scenario_read_resource, true},
    {"shared", VIDMM_ACT_RESOURCE, vidmm_scenario_read_resource, true},
    {"standard", VIDMM_ACT_STANDARD, vidmm_scenario_read_standard, true},
    {"extend", VIDMM_ACT_EXTEND, vidmm_scenario_read_extend, true},
    {"open", VIDMM_ACT_OPEN, vidmm_scenario_read_open, true},
    {"close", VIDMM_ACT_CLOSE, vidmm_scenario_read_close, false},
    {"submit", VIDMM_ACT_SUBMIT, vidmm_scenario_read_submit, true},
    {"present", VIDMM_ACT_PRESENT, vidmm_scenario_read_present, true},
    {"wait", VIDMM_ACT_WAIT, read_nothing, true},
    {"lock", VIDMM_ACT_LOCK, read_lock, true},
    {"write", VIDMM_ACT_WRITE, read_one, false},
    {"unlock", VIDMM_ACT_UNLOCK, read_one, true},
    {"lock2", VIDMM_ACT_LOCK2, read_one, true},
    {"look", VIDMM_ACT_LOOK, read_look, false},
    {"unlock2", VIDMM_ACT_UNLOCK2, read_one, true},
    {"invalidate", VIDMM_ACT_INVALIDATE, read_one, true},
    {"resident", VIDMM_ACT_RESIDENT, read_reclaim, true},
    {"evict", VIDMM_ACT_EVICT, read_reclaim, true},
    {"map", VIDMM_ACT_MAP, read_allocations, true},
    {"unmap", VIDMM_ACT_UNMAP, read_allocations, true},
    {"offer", VIDMM_ACT_OFFER, read_offer, true},
    {"reclaim", VIDMM_ACT_RECLAIM, read_reclaim, true},
    {"priority", VIDMM_ACT_PRIORITY, read_priority, true},
    {"destroy", VIDMM_ACT_DESTROY, read_destroy, true},
    {"exit", VIDMM_ACT_EXIT, read_exit, false},
    {"hold", VIDMM_ACT_HOLD, read_nothing, false},
    {"go", VIDMM_ACT_GO, read_nothing, false},
    {"hang", VIDMM_ACT_HANG, read_hang, false},
    {"neighbour", VIDMM_ACT_NEIGHBOUR, read_neighbour, true},
    {"release", VIDMM_ACT_RELEASE, read_nothing, false},
    {"power", VIDMM_ACT_POWER, read_power, true},
    {"residency", VIDMM_ACT_RESIDENCY, read_reclaim, true},
    {"condition", VIDMM_ACT_CONDITION, read_nothing, true},
    {"escape", VIDMM_ACT_ESCAPE, read_escape, true},
    {"statistics", VIDMM_ACT_STATISTICS, read_nothing, false},
    {"memory", VIDMM_ACT_MEMORY, read_nothing, false},
    {"history", VIDMM_ACT_HISTORY, read_one, true},
    {"dump", VIDMM_ACT_DUMP, read_dump, true},
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
