/*
 * msbuild.c: a Visual Studio project file, as MSBuild evaluates it, as far as a driver's build
 * has to know.
 *
 *     1. properties and imports, in the order of the files      -> variables, a list of groups
 *     2. item definitions, in that order                        -> metadata that every source has
 *     3. items                                                  -> sources, projects referred to
 *     4. libraries linked by name                               -> projects that make them
 *
 * The work is shared with items.c and links.c (msbuild.h).
 *
 * Imports of the tool set ($(VCTargetsPath)\...) are not followed: their settings are in the kit's
 * flags. Property functions are those of function.h; targets and tasks are not run.
 *
 * Source: "How MSBuild builds projects", "Common MSBuild project items" of the public
 * documentation.
 */
#include "import/msbuild.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/includes.h"
#include "import/project.h"
#include "import/solution.h"

/* ---- small things ---------------------------------------------------------------------------- */

char *vidmm_kit_slashes(struct vidmm_arena *arena, const char *path)
{
    char *text = vidmm_text(arena, "%s", path);

    for (char *at = text; (at = strchr(at, '\\')) != NULL;)
        *at = '/';
    return text;
}

static char *folder_of(struct vidmm_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? vidmm_text(arena, ".")
                         : vidmm_text_cut(arena, path, (size_t)(slash - path));
}

static char *stem_of(struct vidmm_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    return vidmm_text_cut(arena, name, dot != NULL ? (size_t)(dot - name) : strlen(name));
}

char *vidmm_kit_attribute(struct vidmm_kit_evaluation *e, xmlNode *node, const char *name)
{
    xmlChar *value = xmlGetProp(node, BAD_CAST name);
    char *text = value != NULL ? vidmm_text(e->arena, "%s", (const char *)value) : NULL;

    xmlFree(value);
    return text;
}

char *vidmm_kit_content(struct vidmm_kit_evaluation *e, xmlNode *node)
{
    xmlChar *value = xmlNodeGetContent(node);
    char *text = vidmm_text(e->arena, "%s", value != NULL ? (const char *)value : "");

    xmlFree(value);
    return text;
}

bool vidmm_kit_is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcasecmp((const char *)node->name, name) == 0;
}

char *vidmm_kit_expanded(struct vidmm_kit_evaluation *e, const char *text)
{
    return vidmm_kit_expand(e->arena, &e->variables, text, NULL);
}

/* Whether an element's condition holds; false as well on an error. */
bool vidmm_kit_holds(struct vidmm_kit_evaluation *e, xmlNode *node, const char *file)
{
    char *condition = vidmm_kit_attribute(e, node, "Condition");
    const char *error = NULL;

    if (condition == NULL)
        return true;
    bool result =
        vidmm_kit_condition(e->arena, &e->variables, condition, folder_of(e->arena, file), &error);
    if (error != NULL)
        vidmm_kit_refuse(e->project, "%s:%ld: %s", file, xmlGetLineNo(node), error);
    return error == NULL && result;
}

/* ---- first pass: properties and imports ------------------------------------------------------ */

static bool read_file(struct vidmm_kit_evaluation *e, const char *path);

static void set_this_file(struct vidmm_kit_evaluation *e, const char *file)
{
    const char *slash = strrchr(file, '/');

    vidmm_kit_set(e->arena, &e->variables, "MSBuildThisFile", slash != NULL ? slash + 1 : file);
    vidmm_kit_set(e->arena, &e->variables, "MSBuildThisFileDirectory",
                  vidmm_text(e->arena, "%s/", folder_of(e->arena, file)));
    vidmm_kit_set(e->arena, &e->variables, "MSBuildThisFileFullPath", file);
}

static void read_properties(struct vidmm_kit_evaluation *e, xmlNode *group, const char *file)
{
    for (xmlNode *node = group->children; node != NULL && e->project->error == NULL;
         node = node->next)
        if (node->type == XML_ELEMENT_NODE && vidmm_kit_holds(e, node, file))
            vidmm_kit_set(e->arena, &e->variables, (const char *)node->name,
                          vidmm_kit_expanded(e, vidmm_kit_content(e, node)));
}

static bool import(struct vidmm_kit_evaluation *e, xmlNode *node, const char *file)
{
    char *wish = vidmm_kit_attribute(e, node, "Project");
    char *name = vidmm_kit_expanded(e, wish != NULL ? wish : ""), *unknown;

    if (vidmm_kit_of_tool_set(name))
        return true;
    if ((unknown = vidmm_kit_unknown(e->arena, name)) != NULL)
        return vidmm_kit_refuse(e->project,
                                "%s:%ld: Import of %s: $(%s) is set nowhere; give it with "
                                "--set %s=VALUE",
                                file, xmlGetLineNo(node), wish, unknown, unknown);
    if (strpbrk(name, "*?") != NULL) {
        vidmm_kit_note(e->project, "%s:%ld: the import of %s is not followed", file,
                       xmlGetLineNo(node), wish);
        return true;
    }
    char *path = vidmm_kit_find_file(e->arena, folder_of(e->arena, file), name);
    if (path == NULL)
        return vidmm_kit_refuse(e->project, "%s:%ld: the imported file %s is not there", file,
                                xmlGetLineNo(node), name);
    bool done = read_file(e, path);
    set_this_file(e, file);
    return done;
}

static bool read_element(struct vidmm_kit_evaluation *e, xmlNode *node, const char *file);

static bool read_children(struct vidmm_kit_evaluation *e, xmlNode *parent, const char *file)
{
    for (xmlNode *node = parent->children; node != NULL; node = node->next)
        if (node->type == XML_ELEMENT_NODE && !read_element(e, node, file))
            return false;
    return true;
}

/* The first When whose condition holds, else Otherwise. */
static bool choose(struct vidmm_kit_evaluation *e, xmlNode *choice, const char *file)
{
    for (xmlNode *node = choice->children; node != NULL; node = node->next)
        if ((vidmm_kit_is(node, "When") && vidmm_kit_holds(e, node, file)) ||
            vidmm_kit_is(node, "Otherwise"))
            return read_children(e, node, file);
    return true;
}

static bool keep_group(struct vidmm_kit_evaluation *e, xmlNode *node, const char *file)
{
    if (e->group_count == VIDMM_KIT_GROUPS_MOST)
        return vidmm_kit_refuse(e->project, "%s: more than %u groups of items", file,
                                VIDMM_KIT_GROUPS_MOST);
    e->groups[e->group_count++] = (struct vidmm_kit_group){node, file};
    return true;
}

static bool read_element(struct vidmm_kit_evaluation *e, xmlNode *node, const char *file)
{
    if (vidmm_kit_is(node, "ItemGroup") || vidmm_kit_is(node, "ItemDefinitionGroup"))
        return keep_group(e, node, file);
    if (vidmm_kit_is(node, "Choose"))
        return choose(e, node, file);
    bool group = vidmm_kit_is(node, "PropertyGroup"), imports = vidmm_kit_is(node, "ImportGroup");
    if ((group || imports || vidmm_kit_is(node, "Import")) && vidmm_kit_holds(e, node, file)) {
        if (group)
            read_properties(e, node, file);
        else if (imports)
            read_children(e, node, file);
        else
            import(e, node, file);
    }
    return e->project->error == NULL;
}

static xmlDoc *parse_file(const char *path)
{
    return xmlReadFile(
        path, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOCDATA);
}

static xmlDoc *open_document(struct vidmm_kit_evaluation *e, const char *path)
{
    xmlDoc *document = parse_file(path);
    const xmlError *error = xmlGetLastError();

    if (document != NULL && document->intSubset != NULL) {
        vidmm_kit_refuse(e->project, "%s: a document type is not taken: a project has none", path);
        xmlFreeDoc(document);
        return NULL;
    }
    if (document == NULL) {
        char *why =
            vidmm_text(e->arena, "%s", error != NULL ? error->message : "it cannot be read");
        why[strcspn(why, "\r\n")] = 0;
        vidmm_kit_refuse(e->project, "%s:%d: %s", path, error != NULL ? error->line : 0, why);
    }
    return document;
}

static bool read_file(struct vidmm_kit_evaluation *e, const char *path)
{
    char *real = realpath(path, NULL);
    char *whole = vidmm_text(e->arena, "%s", real != NULL ? real : path);

    free(real);
    if (vidmm_texts_has(&e->open, whole))
        return vidmm_kit_refuse(e->project, "%s imports itself, by way of %s", whole,
                                e->open.word[e->open.count - 1]);
    if (e->open.count >= VIDMM_KIT_IMPORTS_MOST ||
        e->document_count == sizeof(e->documents) / sizeof(e->documents[0]))
        return vidmm_kit_refuse(e->project, "%s: too many imports", whole);
    xmlDoc *document = open_document(e, whole);
    if (document == NULL)
        return false;
    e->documents[e->document_count++] = document;
    xmlNode *root = xmlDocGetRootElement(document);
    if (root == NULL || !vidmm_kit_is(root, "Project"))
        return vidmm_kit_refuse(e->project, "%s is no MSBuild project", whole);
    vidmm_texts_add(e->arena, &e->open, whole);
    set_this_file(e, whole);
    bool done = read_children(e, root, whole);
    e->open.word[--e->open.count] = NULL;
    return done;
}

/* ---- second pass: what every source has ------------------------------------------------------ */

/* One pass: a mark within a value is not looked at again. */
static char *replaced(struct vidmm_arena *arena, char *text, const char *mark, const char *value)
{
    struct vidmm_texts parts = {0};

    for (char *at; (at = strcasestr(text, mark)) != NULL; text = at + strlen(mark)) {
        vidmm_texts_add(arena, &parts, vidmm_text_cut(arena, text, (size_t)(at - text)));
        vidmm_texts_add(arena, &parts, value);
    }
    vidmm_texts_add(arena, &parts, text);
    return vidmm_texts_join(arena, &parts, "");
}

/* The metadata that every item has: %(Filename) of `dir\\a.mc` is a. In a definition, where there
 * is no item yet, it becomes %<Filename> until there is one. */
static char *item_metadata(struct vidmm_kit_evaluation *e, char *text)
{
    const char *item = e->item != NULL ? e->item : "";
    char *path = vidmm_kit_slashes(e->arena, item), *slash = strrchr(path, '/');
    char *name = slash != NULL ? slash + 1 : path, *dot = strrchr(name, '.');
    char *folder = vidmm_text_cut(e->arena, path, (size_t)(name - path));
    const char *const rows[][2] = {
        {"Identity", path},
        {"FullPath", path[0] == '/' ? path : vidmm_text(e->arena, "%s/%s", e->folder, path)},
        {"Filename", stem_of(e->arena, path)},
        {"Extension", dot != NULL ? dot : ""},
        {"RelativeDir", folder},
        {"Directory", folder},
        {"RootDir", ""},
    };

    for (size_t i = 0; strchr(text, '%') != NULL && i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *mark = vidmm_text(e->arena, "%%<%s>", rows[i][0]);
        text = replaced(e->arena, text, vidmm_text(e->arena, "%%(%s)", rows[i][0]), mark);
        if (e->item != NULL)
            text = replaced(e->arena, text, mark, rows[i][1]);
    }
    return text;
}

void vidmm_kit_read_item(struct vidmm_kit_evaluation *e, xmlNode *node, const char *file,
                         const char *item, struct vidmm_kit_variables *metadata)
{
    e->item = item;
    for (size_t i = 0; i < metadata->values.count; i++)
        metadata->values.word[i] = item_metadata(e, metadata->values.word[i]);
    vidmm_kit_read_metadata(e, node, file, metadata);
    e->item = NULL;
}

/* Metadata inherits what it was by %(NAME). */
void vidmm_kit_read_metadata(struct vidmm_kit_evaluation *e, xmlNode *item, const char *file,
                             struct vidmm_kit_variables *metadata)
{
    for (xmlNode *node = item->children; node != NULL && e->project->error == NULL;
         node = node->next) {
        if (node->type != XML_ELEMENT_NODE || !vidmm_kit_holds(e, node, file))
            continue;
        const char *name = (const char *)node->name, *old = vidmm_kit_get(metadata, name);
        char *text = item_metadata(e, vidmm_kit_content(e, node));
        vidmm_kit_set(e->arena, metadata, name,
                      vidmm_kit_expand(e->arena, &e->variables, text, old != NULL ? old : ""));
    }
}

const char *vidmm_kit_metadata(const struct vidmm_kit_variables *metadata, const char *name)
{
    const char *value = vidmm_kit_get(metadata, name);

    return value != NULL ? value : "";
}

static bool read_definitions(struct vidmm_kit_evaluation *e)
{
    const struct {
        const char *name;
        struct vidmm_kit_variables *metadata;
    } kinds[] = {{"ClCompile", &e->metadata},      {"Link", &e->link},
                 {"Lib", &e->librarian},           {"CustomBuild", &e->custom},
                 {"MessageCompile", &e->messages}, {"CustomBuildStep", &e->build},
                 {"PreBuildEvent", &e->before},    {"PreLinkEvent", &e->before_link}};

    for (unsigned i = 0; i < e->group_count && e->project->error == NULL; i++) {
        xmlNode *group = e->groups[i].node;
        const char *file = e->groups[i].file;
        set_this_file(e, file);
        if (!vidmm_kit_is(group, "ItemDefinitionGroup") || !vidmm_kit_holds(e, group, file))
            continue;
        for (xmlNode *node = group->children; node != NULL; node = node->next)
            for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
                if (vidmm_kit_is(node, kinds[k].name) && vidmm_kit_holds(e, node, file))
                    vidmm_kit_read_metadata(e, node, file, kinds[k].metadata);
    }
    return e->project->error == NULL;
}

static void add_configuration(struct vidmm_kit_evaluation *e, xmlNode *node)
{
    char *name = vidmm_kit_attribute(e, node, "Include");

    if (name == NULL || !vidmm_kit_plain(e->project, name,
                                         vidmm_text(e->arena, "%s: ProjectConfiguration", e->file)))
        return;
    if (!vidmm_texts_has(&e->configurations, name))
        vidmm_texts_add(e->arena, &e->configurations, name);
}

static bool read_item(struct vidmm_kit_evaluation *e, struct vidmm_kit_target *target,
                      xmlNode *node, const char *file)
{
    char *wish = vidmm_kit_attribute(e, node, "Include");

    if (vidmm_kit_is(node, "ClCompile") && vidmm_kit_holds(e, node, file))
        vidmm_kit_add_sources(e, target, node, file);
    else if (vidmm_kit_is(node, "ProjectReference") && wish != NULL &&
             vidmm_kit_holds(e, node, file))
        vidmm_texts_split(e->arena, &e->references, vidmm_kit_expanded(e, wish), ";");
    return e->project->error == NULL;
}

/* The items of all groups, in order; target NULL: the steps that make files, else what needs
 * them. */
static bool read_items(struct vidmm_kit_evaluation *e, struct vidmm_kit_target *target)
{
    for (unsigned i = 0; i < e->group_count && e->project->error == NULL; i++) {
        const char *file = e->groups[i].file;
        xmlNode *group = e->groups[i].node;
        set_this_file(e, file);
        if (!vidmm_kit_is(group, "ItemGroup") || !vidmm_kit_holds(e, group, file))
            continue;
        for (xmlNode *node = group->children; node != NULL; node = node->next) {
            if (node->type != XML_ELEMENT_NODE)
                continue;
            if (target == NULL)
                vidmm_kit_read_step(e, node, file);
            else if (!read_item(e, target, node, file))
                return false;
        }
    }
    return e->project->error == NULL;
}

/* ---- a project ------------------------------------------------------------------------------- */

/* The solution's file, or what it would be beside the project. */
static const char *solution_file(struct vidmm_kit_evaluation *e)
{
    struct vidmm_kit_project *project = e->project;

    return project->solution != NULL
               ? project->solution->file
               : vidmm_text(e->arena, "%s/%s.sln", e->folder, stem_of(e->arena, e->file));
}

static void set_well_known(struct vidmm_kit_evaluation *e)
{
    const char *stem = stem_of(e->arena, e->file), *slash = strrchr(e->file, '/');
    const char *solution = solution_file(e), *behind = strrchr(solution, '/') + 1;
    const char *const rows[][2] = {
        {"MSBuildProjectName", stem},
        {"ProjectName", stem},
        {"MSBuildProjectFile", slash != NULL ? slash + 1 : e->file},
        {"MSBuildProjectFullPath", e->file},
        {"MSBuildProjectDirectory", e->folder},
        {"ProjectDir", vidmm_text(e->arena, "%s/", e->folder)},
        {"SolutionDir", vidmm_text_cut(e->arena, solution, (size_t)(behind - solution))},
        {"SolutionPath", solution},
        {"SolutionFileName", behind},
        {"SolutionName", stem_of(e->arena, solution)},
        {"SolutionExt", ".sln"},
        {"IntDir", vidmm_text(e->arena, "%s/%s/", e->platform, e->configuration)},
        {"OutDir", vidmm_text(e->arena, "%s/%s/", e->platform, e->configuration)},
        {"ConfigurationName", e->configuration},
        {"PlatformName", e->platform},
        {"TargetName", stem},
        {"MSBuildToolsVersion", "Current"},
        {"VisualStudioVersion", "17.0"},
    };

    vidmm_kit_fix(e->arena, &e->variables, "Configuration", e->configuration);
    vidmm_kit_fix(e->arena, &e->variables, "Platform", e->platform);
    for (size_t i = 0; i < e->project->given->names.count; i++)
        vidmm_kit_fix(e->arena, &e->variables, e->project->given->names.word[i],
                      e->project->given->values.word[i]);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        vidmm_kit_set(e->arena, &e->variables, rows[i][0], rows[i][1]);
}

/* A project says which configurations it has. */
static bool check_configuration(struct vidmm_kit_evaluation *e)
{
    char *wish = vidmm_text(e->arena, "%s|%s", e->configuration, e->platform);

    for (unsigned i = 0; i < e->group_count; i++)
        for (xmlNode *node = e->groups[i].node->children; node != NULL; node = node->next)
            if (vidmm_kit_is(node, "ProjectConfiguration"))
                add_configuration(e, node);
    for (size_t i = 0; i < e->configurations.count; i++)
        if (strcasecmp(e->configurations.word[i], wish) == 0)
            return true;
    if (e->configurations.count == 0)
        return true;
    return vidmm_kit_refuse(e->project, "%s has no configuration %s; it has: %s", e->file, wish,
                            vidmm_texts_join(e->arena, &e->configurations, ", "));
}

/* ---- which configuration --------------------------------------------------------------------- */

static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);

    for (; *text != 0; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return length == 0;
}

static void take_configuration(struct vidmm_kit_evaluation *e, const char *name)
{
    size_t length = strcspn(name, "|");

    e->configuration = vidmm_text_cut(e->arena, name, length);
    if (name[length] == '|')
        e->platform = name + length + 1;
}

/* The last configuration of the project whose name has the wish in it, or is in it; else the last
 * one of the platform. */
static const char *alike(struct vidmm_kit_evaluation *e)
{
    const char *found = NULL, *last = NULL;

    for (size_t i = 0; i < e->configurations.count; i++) {
        const char *name = e->configurations.word[i], *bar = strchr(name, '|');
        const char *word = vidmm_text_cut(e->arena, name, strcspn(name, "|"));
        if (bar == NULL || strcasecmp(bar + 1, e->platform) != 0)
            continue;
        last = name;
        if (contains(word, e->configuration) || contains(e->configuration, word))
            found = name;
    }
    return found != NULL ? found : last;
}

static void read_configurations(struct vidmm_kit_evaluation *e, xmlNode *parent)
{
    for (xmlNode *node = parent != NULL ? parent->children : NULL; node != NULL; node = node->next)
        if (vidmm_kit_is(node, "ItemGroup"))
            read_configurations(e, node);
        else if (vidmm_kit_is(node, "ProjectConfiguration"))
            add_configuration(e, node);
}

/* A project has the configuration asked for, or the one that its solution pairs with the driver's,
 * or, where nobody insists, one of a name alike. The file itself says which configurations the
 * project has. */
static void choose_configuration(struct vidmm_kit_evaluation *e, const char *pair)
{
    xmlDoc *document = parse_file(e->file);
    xmlNode *root = document != NULL ? xmlDocGetRootElement(document) : NULL;

    if (pair != NULL)
        take_configuration(e, pair);
    read_configurations(e, root);
    xmlFreeDoc(document);
    const char *wish = vidmm_text(e->arena, "%s|%s", e->configuration, e->platform), *other;
    for (size_t i = 0; i < e->configurations.count; i++)
        if (strcasecmp(e->configurations.word[i], wish) == 0)
            return;
    if ((e->project->count == 0 && e->project->named) || (other = alike(e)) == NULL)
        return;
    vidmm_kit_note(e->project, "%s has no %s: %s is taken; it has: %s", e->file, wish, other,
                   vidmm_texts_join(e->arena, &e->configurations, ", "));
    take_configuration(e, other);
}

/* ---- projects -------------------------------------------------------------------------------- */

static const char *kind_of(struct vidmm_kit_evaluation *e)
{
    return vidmm_kit_metadata(&e->variables, "ConfigurationType");
}

static bool check_kind(struct vidmm_kit_evaluation *e, const char *kind)
{
    if (e->project->count > 0 || strcasecmp(kind, "Driver") == 0 ||
        strcasecmp(kind, "DynamicLibrary") == 0 || *kind == 0)
        return true;
    return vidmm_kit_refuse(
        e->project, "%s is no driver: its ConfigurationType is %s%s", e->file, kind,
        strcasecmp(kind, "StaticLibrary") == 0 ? "; import the project that links it" : "");
}

static bool read_references(struct vidmm_kit_evaluation *e)
{
    for (size_t i = 0; i < e->references.count; i++) {
        char *path = vidmm_kit_find_file(e->arena, e->folder, e->references.word[i]);
        if (path == NULL)
            return vidmm_kit_refuse(e->project, "%s: the referenced project %s is not there",
                                    e->file, e->references.word[i]);
        if (!vidmm_kit_read_library(e->project, path))
            return false;
    }
    return true;
}

/* Read a project's name and kind, before its sources are read. */
static bool evaluate_head(struct vidmm_kit_evaluation *e)
{
    set_well_known(e);
    return read_file(e, e->file) && check_configuration(e);
}

static bool evaluate(struct vidmm_kit_evaluation *e)
{
    if (!evaluate_head(e) || !check_kind(e, kind_of(e)))
        return false;
    if (e->project->count > 0 && strcasecmp(kind_of(e), "StaticLibrary") != 0) {
        vidmm_kit_note(e->project, "%s is left out: its ConfigurationType is %s", e->file,
                       kind_of(e));
        return true;
    }
    char *plain = vidmm_kit_unmarked(e->arena, vidmm_kit_metadata(&e->variables, "TargetName"));
    struct vidmm_kit_target *target =
        vidmm_kit_add_target(e->project, e->file, *plain != 0 ? plain : stem_of(e->arena, e->file));
    if (target == NULL || !read_definitions(e) || !read_items(e, NULL) || !read_items(e, target))
        return false;
    if (target->sources.first == NULL)
        return vidmm_kit_refuse(e->project, "%s has no C or C++ sources (ClCompile)", e->file);
    vidmm_kit_read_events(e);
    return read_references(e) && (target != e->project->targets || vidmm_kit_read_libraries(e));
}

static struct vidmm_kit_evaluation *open_project(struct vidmm_kit_project *project,
                                                 const char *path)
{
    char *real = realpath(path, NULL);
    struct vidmm_kit_evaluation *e = vidmm_arena_take(project->arena, sizeof(*e));
    const struct vidmm_kit_target *driver = project->count > 0 ? &project->targets[0] : NULL;
    const char *pair = NULL;
    const char *wish =
        vidmm_text(project->arena, "%s|%s", project->configuration, project->platform);

    e->project = project;
    e->arena = project->arena;
    e->file = vidmm_text(project->arena, "%s", real != NULL ? real : path);
    e->folder = folder_of(project->arena, e->file);
    vidmm_kit_bound(project->arena, &e->variables, &project->error);
    e->configuration = project->configuration;
    e->platform = project->platform;
    free(real);
    if (project->solution != NULL && driver != NULL)
        pair = vidmm_kit_solution_pair(project->solution, driver->file, wish, e->file);
    else if (project->solution != NULL)
        pair = vidmm_kit_solution_of(project->solution, e->file, wish);
    choose_configuration(e, pair);
    return e;
}

void vidmm_kit_close(struct vidmm_kit_evaluation *e)
{
    for (unsigned i = 0; i < e->document_count; i++)
        xmlFreeDoc(e->documents[i]);
    e->document_count = 0;
}

struct vidmm_kit_evaluation *vidmm_kit_look_at(struct vidmm_kit_project *project, const char *path)
{
    struct vidmm_kit_project *own = vidmm_arena_take(project->arena, sizeof(*own));

    if (project->error != NULL)
        return NULL;
    *own = *project; /* with errors and notes of its own, which nobody hears */
    own->error = NULL;
    own->notes = (struct vidmm_texts){0};
    struct vidmm_kit_evaluation *e = open_project(own, path);
    if (evaluate_head(e) && read_definitions(e))
        return e;
    vidmm_kit_close(e);
    return NULL;
}

bool vidmm_kit_read_library(struct vidmm_kit_project *project, const char *path)
{
    struct vidmm_kit_evaluation *e = open_project(project, path);

    for (unsigned i = 0; i < project->count; i++)
        if (strcmp(project->targets[i].file, e->file) == 0)
            return true;
    bool done = evaluate(e);
    vidmm_kit_close(e);
    return done;
}

bool vidmm_kit_read_msbuild(struct vidmm_kit_project *project, const char *path)
{
    struct vidmm_kit_evaluation *e = open_project(project, path);

    if (project->solution == NULL)
        project->solution = vidmm_kit_solution_above(project, e->folder);
    project->configuration = e->configuration;
    project->platform = e->platform;
    project->tree = project->solution != NULL && vidmm_texts_has(&project->solution->paths, e->file)
                        ? project->solution->folder
                        : e->folder;
    bool done = project->error == NULL && evaluate(e);
    vidmm_kit_close(e);
    xmlCleanupParser();
    return done;
}

/* ---- which project is the driver ------------------------------------------------------------- */

static bool is_driver(struct vidmm_kit_evaluation *e)
{
    const char *tools = vidmm_kit_metadata(&e->variables, "PlatformToolset");

    if (strcasecmp(vidmm_kit_metadata(&e->variables, "DriverType"), "Package") == 0)
        return false;
    return strcasecmp(kind_of(e), "Driver") == 0 ||
           (strcasecmp(kind_of(e), "DynamicLibrary") == 0 && contains(tools, "KernelModeDriver"));
}

const char *vidmm_kit_pick_driver(struct vidmm_kit_project *project,
                                  const struct vidmm_texts *paths, const char *where)
{
    struct vidmm_texts drivers = {0};

    for (size_t i = 0; i < paths->count; i++) {
        struct vidmm_kit_evaluation *e = vidmm_kit_look_at(project, paths->word[i]);
        if (e != NULL && is_driver(e))
            vidmm_texts_add(project->arena, &drivers, paths->word[i]);
        if (e != NULL)
            vidmm_kit_close(e);
    }
    if (drivers.count == 1)
        return drivers.word[0];
    if (drivers.count > 1)
        vidmm_kit_refuse(project, "%s has several drivers, name one: %s", where,
                         vidmm_texts_join(project->arena, &drivers, ", "));
    else
        vidmm_kit_refuse(project, "%s has no driver (ConfigurationType Driver) among: %s", where,
                         vidmm_texts_join(project->arena, paths, ", "));
    return NULL;
}
