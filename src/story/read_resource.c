/* Theory. A resource has a name in each process that has it, the same in all. `open` gives
 * allocations of the process that opens, of the same memory. */
#include "story/reader.h"

#include <stdlib.h>
#include <string.h>

#include <wddm/d3dkmdt_types.h>

static bool has_name(const struct vidmm_scenario_reader *reader, uint32_t resource,
                     const char *name)
{
    return reader->resource_alive[resource] &&
           strcmp(reader->scenario->resources[resource].name, name) == 0;
}

int64_t vidmm_scenario_find_resource(const struct vidmm_scenario_reader *reader,
                                     const struct vidmm_act *act, const char *name)
{
    const struct vidmm_scenario *scenario = reader->scenario;
    int64_t any = -1;

    for (uint32_t i = scenario->resource_count; i-- > 0;) {
        if (!has_name(reader, i, name))
            continue;
        if (scenario->resources[i].process == act->process)
            return i;
        any = i;
    }
    return any;
}

/* One more; the act is about it. NULL: the error is told. */
static struct vidmm_scenario_resource *add_resource(struct vidmm_scenario_reader *reader,
                                                    struct vidmm_act *act, const char *name)
{
    struct vidmm_scenario *scenario = reader->scenario;
    struct vidmm_scenario_resource *resource = &scenario->resources[scenario->resource_count];

    if (!vidmm_scenario_check_name(reader, reader->word[0], name))
        return NULL;
    if (scenario->resource_count == VIDMM_SCENARIO_RESOURCES) {
        vidmm_scenario_wrong(reader, "%s: more than %u resources in a story", reader->word[0],
                             VIDMM_SCENARIO_RESOURCES);
        return NULL;
    }
    *resource = (struct vidmm_scenario_resource){.process = act->process};
    strcpy(resource->name, name);
    act->resource = scenario->resource_count++;
    reader->resource_alive[act->resource] = !act->refused;
    return resource;
}

static bool is_new(struct vidmm_scenario_reader *reader, const struct vidmm_act *act,
                   const char *name)
{
    return vidmm_scenario_find_resource(reader, act, name) < 0 ||
           vidmm_scenario_wrong(reader, "%s: there is a resource \"%s\" already", reader->word[0],
                                name);
}

/* resource NAME of NAME ... SIZE WISH ...; shared ... */
bool vidmm_scenario_read_resource(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    struct vidmm_scenario_resource *resource;

    if (reader->count < 3 || strcmp(reader->word[2], "of") != 0)
        return vidmm_scenario_wrong(reader, "%s: expected NAME of NAME ... SIZE", reader->word[0]);
    if (!is_new(reader, act, reader->word[1]))
        return false;
    resource = add_resource(reader, act, reader->word[1]);
    if (resource == NULL)
        return false;
    resource->shared = strcmp(reader->word[0], "shared") == 0;
    return vidmm_scenario_add_all(reader, act, 3, act->resource + 1);
}

/* "640x480" */
static bool read_pixels(struct vidmm_scenario_reader *reader, struct vidmm_act *act, char *word)
{
    char *cross = strchr(word, 'x');
    uint64_t width, height;

    if (cross == NULL)
        return vidmm_scenario_wrong(reader, "standard: \"%s\" is not WIDTHxHEIGHT", word);
    *cross = 0;
    bool right =
        vidmm_scenario_number(reader, "standard: width", word, 0, UINT32_MAX, &width) &&
        vidmm_scenario_number(reader, "standard: height", cross + 1, 0, UINT32_MAX, &height);
    *cross = 'x';
    if (!right)
        return false;
    act->width = (uint32_t)width;
    act->height = (uint32_t)height;
    return true;
}

/* standard primary|shadow|staging|gdi NAME WIDTHxHEIGHT: a resource and its allocation of one
 * name. */
bool vidmm_scenario_read_standard(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    static const struct {
        const char *word;
        D3DKMDT_STANDARDALLOCATION_TYPE type;
    } types[] = {
        {"primary", D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE},
        {"shadow", D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE},
        {"staging", D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE},
        {"gdi", D3DKMDT_STANDARDALLOCATION_GDISURFACE},
    };
    struct vidmm_scenario_allocation wish = {.size = 0};
    struct vidmm_scenario_resource *resource;
    size_t type = 0;

    while (reader->count == 4 && type < sizeof(types) / sizeof(types[0]) &&
           strcmp(reader->word[1], types[type].word) != 0)
        type++;
    if (reader->count != 4 || type == sizeof(types) / sizeof(types[0]))
        return vidmm_scenario_wrong(reader,
                                    "standard: expected primary, shadow, staging or gdi, NAME "
                                    "and WIDTHxHEIGHT");
    act->standard = types[type].type;
    if (!read_pixels(reader, act, reader->word[3]) || !is_new(reader, act, reader->word[2]))
        return false;
    resource = add_resource(reader, act, reader->word[2]);
    if (resource == NULL)
        return false;
    resource->shared = type == 0;
    wish.resource = act->resource + 1;
    return vidmm_scenario_add(reader, act, reader->word[2], &wish);
}

/* The resource of a name. False: the error is told. */
static bool find(struct vidmm_scenario_reader *reader, struct vidmm_act *act, const char *name)
{
    int64_t index = vidmm_scenario_find_resource(reader, act, name);

    if (index < 0)
        return vidmm_scenario_wrong(reader, "%s: \"%s\" is no resource", reader->word[0], name);
    act->resource = (uint32_t)index;
    return true;
}

/* extend NAME by NAME ... SIZE WISH ... */
bool vidmm_scenario_read_extend(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    if (reader->count < 3 || strcmp(reader->word[2], "by") != 0)
        return vidmm_scenario_wrong(reader, "extend: expected NAME by NAME ... SIZE");
    return find(reader, act, reader->word[1]) &&
           vidmm_scenario_add_all(reader, act, 3, act->resource + 1);
}

/* The next allocation of a resource that stands behind `after` in the story. -1: none. */
static int64_t next_of(const struct vidmm_scenario_reader *reader, uint32_t resource, int64_t after)
{
    const struct vidmm_scenario *scenario = reader->scenario;

    for (int64_t i = after + 1; i < scenario->allocation_count; i++)
        if (scenario->allocations[i].resource == resource + 1)
            return i;
    return -1;
}

/* open NAME as NAME ... */
bool vidmm_scenario_read_open(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    struct vidmm_scenario *scenario = reader->scenario;
    struct vidmm_scenario_resource *opening;
    int64_t opened = -1;

    if (reader->count < 4 || strcmp(reader->word[2], "as") != 0)
        return vidmm_scenario_wrong(reader, "open: expected NAME as NAME ...");
    if (!find(reader, act, reader->word[1]))
        return false;
    uint32_t resource = act->resource;
    opening = add_resource(reader, act, reader->word[1]);
    if (opening == NULL)
        return false;
    opening->opened = resource + 1;
    opening->shared = scenario->resources[resource].shared;
    for (uint32_t i = 3; i < reader->count; i++) {
        opened = next_of(reader, resource, opened);
        if (opened < 0)
            return vidmm_scenario_wrong(reader, "open: %s has fewer allocations", reader->word[1]);
        struct vidmm_scenario_allocation wish = scenario->allocations[opened];
        wish.resource = act->resource + 1;
        if (!vidmm_scenario_add(reader, act, reader->word[i], &wish))
            return false;
        scenario->allocations[scenario->allocation_count - 1].memory =
            scenario->allocations[opened].memory;
    }
    return next_of(reader, resource, opened) < 0 ||
           vidmm_scenario_wrong(reader, "open: %s has more allocations", reader->word[1]);
}

/* close NAME */
bool vidmm_scenario_read_close(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    if (reader->count != 2)
        return vidmm_scenario_wrong(reader, "close: expected NAME");
    if (!find(reader, act, reader->word[1]))
        return false;
    if (reader->scenario->resources[act->resource].process != act->process)
        return vidmm_scenario_wrong(reader, "close: this process does not have \"%s\" open",
                                    reader->word[1]);
    reader->resource_alive[act->resource] = false;
    for (int64_t i = next_of(reader, act->resource, -1); i >= 0;
         i = next_of(reader, act->resource, i))
        reader->alive[i] = false;
    return true;
}
