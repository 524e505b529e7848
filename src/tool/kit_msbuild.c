/*
 * kit_msbuild.c: a Visual Studio project file, as MSBuild evaluates it, as far as a driver's build has
 * to know.
 *
 *     1. properties and imports, in the order of the files      -> variables, a list of groups
 *     2. item definitions, in that order                        -> metadata that every source has
 *     3. items                                                  -> sources, projects referred to
 *
 * Imports of the tool set ($(VCTargetsPath)\...) are not followed: what they set is in the kit's
 * flags. Property functions are those of kit_function.h; targets and tasks are not run.
 *
 * Source: "How MSBuild builds projects", "Common MSBuild project items" of the public documentation.
 */
#include "tool/kit_project.h"

#include <dirent.h>
#include <fnmatch.h>
#include <libxml/parser.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "tool/kit_includes.h"

#define IMPORTS_MOST 64u /* deep */
#define GROUPS_MOST 4096u

/* An ItemGroup or ItemDefinitionGroup that waits for its pass. */
struct group {
    xmlNode *node;
    const char *file;
};

struct evaluation {
    struct vidmm_kit_project *project;
    struct vidmm_arena *arena;
    const char *file, *folder;                      /* the project's */
    struct vidmm_kit_variables variables, metadata; /* metadata of ClCompile */
    struct group groups[GROUPS_MOST];
    unsigned group_count;
    struct vidmm_texts open;           /* files being imported */
    struct vidmm_texts configurations; /* "Release|x64" */
    struct vidmm_texts references;     /* projects */
    xmlDoc *documents[IMPORTS_MOST * 4];
    unsigned document_count;
};

/* ---- small things ------------------------------------------------------------------------------ */

static char *slashes(struct vidmm_arena *arena, const char *path)
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

static char *attribute(struct evaluation *e, xmlNode *node, const char *name)
{
    xmlChar *value = xmlGetProp(node, BAD_CAST name);
    char *text = value != NULL ? vidmm_text(e->arena, "%s", (const char *)value) : NULL;

    xmlFree(value);
    return text;
}

static char *content(struct evaluation *e, xmlNode *node)
{
    xmlChar *value = xmlNodeGetContent(node);
    char *text = vidmm_text(e->arena, "%s", value != NULL ? (const char *)value : "");

    xmlFree(value);
    return text;
}

static bool is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcasecmp((const char *)node->name, name) == 0;
}

static char *expand(struct evaluation *e, const char *text)
{
    return vidmm_kit_expand(e->arena, &e->variables, text, NULL);
}

/* Whether an element's condition holds; false as well on an error. */
static bool holds(struct evaluation *e, xmlNode *node, const char *file)
{
    char *condition = attribute(e, node, "Condition");
    const char *error = NULL;

    if (condition == NULL)
        return true;
    bool result =
        vidmm_kit_condition(e->arena, &e->variables, condition, folder_of(e->arena, file), &error);
    if (error != NULL)
        vidmm_kit_refuse(e->project, "%s:%ld: %s", file, xmlGetLineNo(node), error);
    return error == NULL && result;
}

/* ---- first pass: properties and imports -------------------------------------------------------- */

static bool read_file(struct evaluation *e, const char *path);

static void set_this_file(struct evaluation *e, const char *file)
{
    const char *slash = strrchr(file, '/');

    vidmm_kit_set(e->arena, &e->variables, "MSBuildThisFile", slash != NULL ? slash + 1 : file);
    vidmm_kit_set(e->arena, &e->variables, "MSBuildThisFileDirectory",
                  vidmm_text(e->arena, "%s/", folder_of(e->arena, file)));
    vidmm_kit_set(e->arena, &e->variables, "MSBuildThisFileFullPath", file);
}

static void read_properties(struct evaluation *e, xmlNode *group, const char *file)
{
    for (xmlNode *node = group->children; node != NULL && e->project->error == NULL;
         node = node->next)
        if (node->type == XML_ELEMENT_NODE && holds(e, node, file))
            vidmm_kit_set(e->arena, &e->variables, (const char *)node->name,
                          expand(e, content(e, node)));
}

static bool import(struct evaluation *e, xmlNode *node, const char *file)
{
    char *wish = attribute(e, node, "Project");
    char *name = expand(e, wish != NULL ? wish : ""), *unknown;

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

static bool read_element(struct evaluation *e, xmlNode *node, const char *file);

static bool read_children(struct evaluation *e, xmlNode *parent, const char *file)
{
    for (xmlNode *node = parent->children; node != NULL; node = node->next)
        if (node->type == XML_ELEMENT_NODE && !read_element(e, node, file))
            return false;
    return true;
}

/* The first When whose condition holds, else Otherwise. */
static bool choose(struct evaluation *e, xmlNode *choice, const char *file)
{
    for (xmlNode *node = choice->children; node != NULL; node = node->next)
        if ((is(node, "When") && holds(e, node, file)) || is(node, "Otherwise"))
            return read_children(e, node, file);
    return true;
}

static bool keep_group(struct evaluation *e, xmlNode *node, const char *file)
{
    if (e->group_count == GROUPS_MOST)
        return vidmm_kit_refuse(e->project, "%s: more than %u groups of items", file, GROUPS_MOST);
    e->groups[e->group_count++] = (struct group){node, file};
    return true;
}

static bool read_element(struct evaluation *e, xmlNode *node, const char *file)
{
    if (is(node, "ItemGroup") || is(node, "ItemDefinitionGroup"))
        return keep_group(e, node, file);
    if (is(node, "Choose"))
        return choose(e, node, file);
    bool group = is(node, "PropertyGroup"), imports = is(node, "ImportGroup");
    if ((group || imports || is(node, "Import")) && holds(e, node, file)) {
        if (group)
            read_properties(e, node, file);
        else if (imports)
            read_children(e, node, file);
        else
            import(e, node, file);
    }
    return e->project->error == NULL;
}

static xmlDoc *open_document(struct evaluation *e, const char *path)
{
    xmlDoc *document = xmlReadFile(
        path, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOCDATA);
    const xmlError *error = xmlGetLastError();

    if (document == NULL) {
        char *why =
            vidmm_text(e->arena, "%s", error != NULL ? error->message : "it cannot be read");
        why[strcspn(why, "\r\n")] = 0;
        vidmm_kit_refuse(e->project, "%s:%d: %s", path, error != NULL ? error->line : 0, why);
    }
    return document;
}

static bool read_file(struct evaluation *e, const char *path)
{
    char *real = realpath(path, NULL);
    char *whole = vidmm_text(e->arena, "%s", real != NULL ? real : path);

    free(real);
    if (vidmm_texts_has(&e->open, whole))
        return vidmm_kit_refuse(e->project, "%s imports itself, by way of %s", whole,
                                e->open.word[e->open.count - 1]);
    if (e->open.count >= IMPORTS_MOST ||
        e->document_count == sizeof(e->documents) / sizeof(e->documents[0]))
        return vidmm_kit_refuse(e->project, "%s: too many imports", whole);
    xmlDoc *document = open_document(e, whole);
    if (document == NULL)
        return false;
    e->documents[e->document_count++] = document;
    xmlNode *root = xmlDocGetRootElement(document);
    if (root == NULL || !is(root, "Project"))
        return vidmm_kit_refuse(e->project, "%s is no MSBuild project", whole);
    vidmm_texts_add(e->arena, &e->open, whole);
    set_this_file(e, whole);
    bool done = read_children(e, root, whole);
    e->open.word[--e->open.count] = NULL;
    return done;
}

/* ---- second pass: what every source has -------------------------------------------------------- */

/* Metadata inherits what it was by %(NAME). */
static void read_metadata(struct evaluation *e, xmlNode *item, const char *file,
                          struct vidmm_kit_variables *metadata)
{
    for (xmlNode *node = item->children; node != NULL && e->project->error == NULL;
         node = node->next) {
        if (node->type != XML_ELEMENT_NODE || !holds(e, node, file))
            continue;
        const char *name = (const char *)node->name, *old = vidmm_kit_get(metadata, name);
        vidmm_kit_set(
            e->arena, metadata, name,
            vidmm_kit_expand(e->arena, &e->variables, content(e, node), old != NULL ? old : ""));
    }
}

static bool read_definitions(struct evaluation *e)
{
    for (unsigned i = 0; i < e->group_count && e->project->error == NULL; i++) {
        xmlNode *group = e->groups[i].node;
        set_this_file(e, e->groups[i].file);
        if (!is(group, "ItemDefinitionGroup") || !holds(e, group, e->groups[i].file))
            continue;
        for (xmlNode *node = group->children; node != NULL; node = node->next)
            if (is(node, "ClCompile") && holds(e, node, e->groups[i].file))
                read_metadata(e, node, e->groups[i].file, &e->metadata);
    }
    return e->project->error == NULL;
}

/* ---- third pass: sources ----------------------------------------------------------------------- */

static const char *metadata_of(const struct vidmm_kit_variables *metadata, const char *name)
{
    const char *value = vidmm_kit_get(metadata, name);

    return value != NULL ? value : "";
}

/* /D, /I, /FI and /std of AdditionalOptions. */
static bool add_options(struct evaluation *e, struct vidmm_kit_source *source, const char *options)
{
    struct vidmm_texts words = {0};
    const char *where = vidmm_text(e->arena, "%s: AdditionalOptions", e->file);
    bool done = true;

    vidmm_texts_split(e->arena, &words, options, " \t\r\n");
    for (size_t i = 0; i < words.count && done; i++) {
        const char *word = words.word[i];
        const char *value = word[0] != 0 && word[1] != 0 && word[2] == 0 && i + 1 < words.count
                                ? words.word[i + 1]
                                : word + (strlen(word) < 2 ? strlen(word) : 2);
        if (word[0] != '/' && word[0] != '-')
            continue;
        if (word[1] == 'D')
            done = vidmm_kit_add_defines(e->project, source, value, where);
        else if (word[1] == 'I')
            done = vidmm_kit_add_folders(e->project, source, e->folder, value, where);
        else if (strncmp(word + 1, "std:c++", 7) == 0 && source->cxx &&
                 strcmp(word + 8, "latest") != 0)
            vidmm_texts_add(e->arena, &source->flags,
                            vidmm_text(e->arena, "-std=gnu++%s", word + 8));
    }
    return done;
}

static void add_language(struct evaluation *e, struct vidmm_kit_source *source,
                         const struct vidmm_kit_variables *metadata)
{
    const char *standard = metadata_of(metadata, "LanguageStandard");
    const char *as = metadata_of(metadata, "CompileAs");

    if (strcasecmp(as, "CompileAsCpp") == 0)
        source->cxx = true;
    if (strcasecmp(as, "CompileAsC") == 0)
        source->cxx = false;
    if (strncmp(standard, "stdcpp", 6) == 0 && strcmp(standard, "stdcpplatest") != 0 && source->cxx)
        vidmm_texts_add(e->arena, &source->flags,
                        vidmm_text(e->arena, "-std=gnu++%s", standard + 6));
}

/* What the driver kit defines by itself. */
static void add_target(struct evaluation *e, struct vidmm_kit_source *source)
{
    static const char *const versions[][2] = {
        {"Windows7", "0x0601"}, {"Win7", "0x0601"},       {"Windows8", "0x0602"},
        {"Win8", "0x0602"},     {"Windows8.1", "0x0603"}, {"WindowsV6.3", "0x0603"},
        {"WinV6.3", "0x0603"},  {"Vista", "0x0600"},
    };
    const char *version = vidmm_kit_get(&e->variables, "TargetVersion");
    const char *debug = vidmm_kit_get(&e->variables, "UseDebugLibraries");

    vidmm_texts_add(e->arena, &source->flags,
                    debug != NULL && strcasecmp(debug, "true") == 0 ? "-DDBG=1" : "-DDBG=0");
    for (size_t i = 0; version != NULL && i < sizeof(versions) / sizeof(versions[0]); i++)
        if (strcasecmp(version, versions[i][0]) == 0)
            vidmm_texts_add(e->arena, &source->flags,
                            vidmm_text(e->arena, "-D_WIN32_WINNT=%s", versions[i][1]));
}

static bool add_forced(struct evaluation *e, struct vidmm_kit_source *source, const char *list)
{
    struct vidmm_texts items = {0};

    vidmm_texts_split(e->arena, &items, list, ";");
    for (size_t i = 0; i < items.count; i++) {
        char *path = vidmm_kit_find_file(e->arena, e->folder, items.word[i]);
        vidmm_texts_add(e->arena, &source->flags, "-include");
        vidmm_texts_add(e->arena, &source->flags,
                        path != NULL ? path : slashes(e->arena, items.word[i]));
    }
    return true;
}

/* WppTraceFunction: names with their parameters in parentheses, parted by ; */
static void add_trace_functions(struct evaluation *e, struct vidmm_kit_source *source,
                                const char *list)
{
    struct vidmm_texts items = {0};

    vidmm_texts_split(e->arena, &items, list, ";");
    for (size_t i = 0; i < items.count; i++) {
        if (strchr(items.word[i], '(') == NULL || vidmm_kit_of_tool_set(items.word[i]))
            continue;
        vidmm_texts_add(e->arena, &source->flags, "--wpp-func");
        vidmm_texts_add(e->arena, &source->flags, items.word[i]);
    }
}

static bool fill_source(struct evaluation *e, struct vidmm_kit_source *source,
                        const struct vidmm_kit_variables *metadata)
{
    const char *include_path = vidmm_kit_get(&e->variables, "IncludePath");
    const char *trace = metadata_of(metadata, "WppScanConfigurationData");
    char *where = vidmm_text(e->arena, "%s: ClCompile", e->file);

    add_language(e, source, metadata);
    add_target(e, source);
    char *configuration = *trace != 0 ? vidmm_kit_find_file(e->arena, e->folder, trace) : NULL;
    if (configuration != NULL) {
        vidmm_texts_add(e->arena, &source->flags, "--wpp");
        vidmm_texts_add(e->arena, &source->flags, configuration);
    }
    add_trace_functions(e, source, metadata_of(metadata, "WppTraceFunction"));
    return vidmm_kit_add_defines(e->project, source,
                                 metadata_of(metadata, "PreprocessorDefinitions"),
                                 vidmm_text(e->arena, "%s.PreprocessorDefinitions", where)) &&
           add_options(e, source, metadata_of(metadata, "AdditionalOptions")) &&
           add_forced(e, source, metadata_of(metadata, "ForcedIncludeFiles")) &&
           vidmm_kit_add_folders(e->project, source, e->folder, ".", where) &&
           vidmm_kit_add_folders(e->project, source, e->folder,
                                 metadata_of(metadata, "AdditionalIncludeDirectories"),
                                 vidmm_text(e->arena, "%s.AdditionalIncludeDirectories", where)) &&
           vidmm_kit_add_folders(e->project, source, e->folder,
                                 include_path != NULL ? include_path : "",
                                 vidmm_text(e->arena, "%s: IncludePath", e->file));
}

/* ---- wildcards --------------------------------------------------------------------------------- */

/* All files below folder/relative that match. */
static void walk(struct evaluation *e, const char *relative, const char *pattern, int flags,
                 struct vidmm_texts *found)
{
    DIR *directory = opendir(vidmm_text(e->arena, "%s/%s", e->folder, relative));

    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        struct stat status;
        char *name =
            vidmm_text(e->arena, "%s%s%s", relative, *relative != 0 ? "/" : "", entry->d_name);
        if (entry->d_name[0] == '.' ||
            lstat(vidmm_text(e->arena, "%s/%s", e->folder, name), &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode))
            walk(e, name, pattern, flags, found);
        else if (fnmatch(pattern, name, flags | FNM_CASEFOLD) == 0)
            vidmm_texts_add(e->arena, found, name);
    }
    if (directory != NULL)
        closedir(directory);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void expand_pattern(struct evaluation *e, const char *item, struct vidmm_texts *list)
{
    char *pattern = slashes(e->arena, item), *deep = strstr(pattern, "**/");
    struct vidmm_texts found = {0};

    if (strpbrk(pattern, "*?") == NULL) {
        vidmm_texts_add(e->arena, list, pattern);
        return;
    }
    if (deep != NULL) /* `**` stands for any folders, none too */
        memmove(deep + 1, deep + 3, strlen(deep + 3) + 1);
    size_t fixed = strcspn(pattern, "*?");
    while (fixed > 0 && pattern[fixed - 1] != '/')
        fixed--;
    walk(e, vidmm_text_cut(e->arena, pattern, fixed > 0 ? fixed - 1 : 0), pattern,
         deep != NULL ? 0 : FNM_PATHNAME, &found);
    if (found.count > 0)
        qsort(found.word, found.count, sizeof(*found.word), by_name);
    vidmm_texts_add_all(e->arena, list, &found);
}

static bool matches_any(struct evaluation *e, const char *patterns, const char *name)
{
    struct vidmm_texts items = {0};

    vidmm_texts_split(e->arena, &items, patterns, ";");
    for (size_t i = 0; i < items.count; i++)
        if (fnmatch(slashes(e->arena, items.word[i]), name, FNM_CASEFOLD) == 0)
            return true;
    return false;
}

/* ---- items ------------------------------------------------------------------------------------- */

/* Forget the sources that Remove names. */
static void remove_sources(struct evaluation *e, struct vidmm_kit_target *target, const char *list)
{
    for (struct vidmm_kit_source **at = &target->sources; *at != NULL;) {
        size_t prefix = strlen(e->folder);
        const char *name =
            strncmp((*at)->path, e->folder, prefix) == 0 ? (*at)->path + prefix + 1 : (*at)->path;
        if (matches_any(e, list, name))
            *at = (*at)->next;
        else
            at = &(*at)->next;
    }
    for (target->end = &target->sources; *target->end != NULL;)
        target->end = &(*target->end)->next;
}

static bool add_sources(struct evaluation *e, struct vidmm_kit_target *target, xmlNode *node,
                        const char *file)
{
    char *wish = attribute(e, node, "Include"), *not = attribute(e, node, "Exclude");
    char *gone = attribute(e, node, "Remove"), *unknown;
    struct vidmm_kit_variables metadata = {0};
    struct vidmm_texts items = {0}, names = {0};

    if (gone != NULL)
        remove_sources(e, target, expand(e, gone));
    vidmm_texts_split(e->arena, &items, wish != NULL ? expand(e, wish) : "", ";");
    for (size_t i = 0; i < e->metadata.names.count; i++)
        vidmm_kit_set(e->arena, &metadata, e->metadata.names.word[i], e->metadata.values.word[i]);
    read_metadata(e, node, file, &metadata);
    if (strcasecmp(metadata_of(&metadata, "ExcludedFromBuild"), "true") == 0)
        return true;
    for (size_t i = 0; i < items.count; i++) {
        if ((unknown = vidmm_kit_unknown(e->arena, items.word[i])) != NULL)
            return vidmm_kit_refuse(e->project,
                                    "%s:%ld: ClCompile %s: $(%s) is set nowhere; give it "
                                    "with --set %s=VALUE",
                                    file, xmlGetLineNo(node), wish, unknown, unknown);
        expand_pattern(e, items.word[i], &names);
    }
    for (size_t i = 0; i < names.count && e->project->error == NULL; i++) {
        if (not != NULL && matches_any(e, expand(e, not ), names.word[i]))
            continue;
        struct vidmm_kit_source *source =
            vidmm_kit_add_source(e->project, target, e->folder, names.word[i]);
        if (source != NULL)
            fill_source(e, source, &metadata);
    }
    return e->project->error == NULL;
}

static void add_configuration(struct evaluation *e, xmlNode *node)
{
    char *name = attribute(e, node, "Include");

    if (name != NULL)
        vidmm_texts_add(e->arena, &e->configurations, name);
}

static bool read_items(struct evaluation *e, struct vidmm_kit_target *target)
{
    for (unsigned i = 0; i < e->group_count && e->project->error == NULL; i++) {
        const char *file = e->groups[i].file;
        xmlNode *group = e->groups[i].node;
        set_this_file(e, file);
        if (!is(group, "ItemGroup") || !holds(e, group, file))
            continue;
        for (xmlNode *node = group->children; node != NULL && e->project->error == NULL;
             node = node->next) {
            char *wish = node->type == XML_ELEMENT_NODE ? attribute(e, node, "Include") : NULL;
            if (is(node, "ClCompile") && holds(e, node, file))
                add_sources(e, target, node, file);
            else if (is(node, "ProjectReference") && wish != NULL && holds(e, node, file))
                vidmm_texts_split(e->arena, &e->references, expand(e, wish), ";");
            else if ((is(node, "MASM") || is(node, "CustomBuild")) && wish != NULL)
                vidmm_kit_note(e->project, "%s: %s (%s) is left out", e->file, wish,
                               (const char *)node->name);
        }
    }
    return e->project->error == NULL;
}

/* ---- a project --------------------------------------------------------------------------------- */

/* The folder of the solution: the nearest one at or above the project that has a .sln. */
static char *solution_folder(struct evaluation *e)
{
    char *folder = vidmm_text(e->arena, "%s", e->folder);

    while (*folder != 0) {
        DIR *directory = opendir(folder);
        bool found = false;
        for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
            found = found || fnmatch("*.sln", entry->d_name, FNM_CASEFOLD) == 0;
        if (directory != NULL)
            closedir(directory);
        if (found)
            return folder;
        char *slash = strrchr(folder, '/');
        *(slash != NULL ? slash : folder) = 0;
    }
    return vidmm_text(e->arena, "%s", e->folder);
}

static void set_well_known(struct evaluation *e)
{
    const char *stem = stem_of(e->arena, e->file), *slash = strrchr(e->file, '/');
    const char *const rows[][2] = {
        {"MSBuildProjectName", stem},
        {"ProjectName", stem},
        {"MSBuildProjectFile", slash != NULL ? slash + 1 : e->file},
        {"MSBuildProjectFullPath", e->file},
        {"MSBuildProjectDirectory", e->folder},
        {"ProjectDir", vidmm_text(e->arena, "%s/", e->folder)},
        {"SolutionDir", vidmm_text(e->arena, "%s/", solution_folder(e))},
        {"IntDir", vidmm_text(e->arena, "%s/%s/", e->project->platform, e->project->configuration)},
        {"OutDir", vidmm_text(e->arena, "%s/%s/", e->project->platform, e->project->configuration)},
        {"ConfigurationName", e->project->configuration},
        {"PlatformName", e->project->platform},
        {"TargetName", stem},
        {"MSBuildToolsVersion", "Current"},
        {"VisualStudioVersion", "17.0"},
    };

    vidmm_kit_fix(e->arena, &e->variables, "Configuration", e->project->configuration);
    vidmm_kit_fix(e->arena, &e->variables, "Platform", e->project->platform);
    for (size_t i = 0; i < e->project->given->names.count; i++)
        vidmm_kit_fix(e->arena, &e->variables, e->project->given->names.word[i],
                      e->project->given->values.word[i]);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        vidmm_kit_set(e->arena, &e->variables, rows[i][0], rows[i][1]);
}

/* A project says which configurations it has. */
static bool check_configuration(struct evaluation *e)
{
    char *wish = vidmm_text(e->arena, "%s|%s", e->project->configuration, e->project->platform);

    for (unsigned i = 0; i < e->group_count; i++)
        for (xmlNode *node = e->groups[i].node->children; node != NULL; node = node->next)
            if (is(node, "ProjectConfiguration"))
                add_configuration(e, node);
    for (size_t i = 0; i < e->configurations.count; i++)
        if (strcasecmp(e->configurations.word[i], wish) == 0)
            return true;
    if (e->configurations.count == 0)
        return true;
    return vidmm_kit_refuse(e->project, "%s has no configuration %s; it has: %s", e->file, wish,
                            vidmm_texts_join(e->arena, &e->configurations, ", "));
}

static bool read_project(struct vidmm_kit_project *project, const char *path);

static bool check_kind(struct evaluation *e, const char *kind)
{
    if (e->project->count > 0 || strcasecmp(kind, "Driver") == 0 ||
        strcasecmp(kind, "DynamicLibrary") == 0 || *kind == 0)
        return true;
    return vidmm_kit_refuse(
        e->project, "%s is no driver: its ConfigurationType is %s%s", e->file, kind,
        strcasecmp(kind, "StaticLibrary") == 0 ? "; import the project that links it" : "");
}

static bool read_references(struct evaluation *e)
{
    for (size_t i = 0; i < e->references.count; i++) {
        char *path = vidmm_kit_find_file(e->arena, e->folder, e->references.word[i]);
        if (path == NULL)
            return vidmm_kit_refuse(e->project, "%s: the referenced project %s is not there",
                                    e->file, e->references.word[i]);
        if (!read_project(e->project, path))
            return false;
    }
    return true;
}

static bool evaluate(struct evaluation *e)
{
    set_well_known(e);
    if (!read_file(e, e->file) || !check_configuration(e))
        return false;
    const char *kind = vidmm_kit_get(&e->variables, "ConfigurationType");
    kind = kind != NULL ? kind : "";
    if (!check_kind(e, kind))
        return false;
    if (e->project->count > 0 && strcasecmp(kind, "StaticLibrary") != 0) {
        vidmm_kit_note(e->project, "%s is left out: its ConfigurationType is %s", e->file, kind);
        return true;
    }
    const char *name = vidmm_kit_get(&e->variables, "TargetName");
    char *plain = vidmm_kit_unmarked(e->arena, name != NULL ? name : "");
    struct vidmm_kit_target *target =
        vidmm_kit_add_target(e->project, e->file, *plain != 0 ? plain : stem_of(e->arena, e->file));
    if (target == NULL || !read_definitions(e) || !read_items(e, target))
        return false;
    if (target->sources == NULL)
        return vidmm_kit_refuse(e->project, "%s has no C or C++ sources (ClCompile)", e->file);
    return read_references(e);
}

static bool read_project(struct vidmm_kit_project *project, const char *path)
{
    char *real = realpath(path, NULL);
    char *whole = vidmm_text(project->arena, "%s", real != NULL ? real : path);

    free(real);
    for (unsigned i = 0; i < project->count; i++)
        if (strcmp(project->targets[i].file, whole) == 0)
            return true;
    struct evaluation *e = vidmm_arena_take(project->arena, sizeof(*e));
    e->project = project;
    e->arena = project->arena;
    e->file = whole;
    e->folder = folder_of(project->arena, whole);
    bool done = evaluate(e);
    for (unsigned i = 0; i < e->document_count; i++)
        xmlFreeDoc(e->documents[i]);
    return done;
}

bool vidmm_kit_read_msbuild(struct vidmm_kit_project *project, const char *path)
{
    bool done = read_project(project, path);

    xmlCleanupParser();
    return done;
}
