/*
 * items.c: the sources of a project, with the flags of each.
 *
 * Source: "Common MSBuild project items", "How to: Exclude files from the build" of the public
 * documentation.
 */
#include "import/msbuild.h"

#include <string.h>
#include <strings.h>

#include "import/includes.h"
#include "import/project.h"
#include "import/tree.h"

/* ---- flags ----------------------------------------------------------------------- */

/* /D, /I, /FI and /std of AdditionalOptions. */
static bool add_options(struct vidmm_kit_evaluation *e, struct vidmm_kit_source *source,
                        const char *options)
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

static void add_language(struct vidmm_kit_evaluation *e, struct vidmm_kit_source *source,
                         const struct vidmm_kit_variables *metadata)
{
    const char *standard = vidmm_kit_metadata(metadata, "LanguageStandard");
    const char *as = vidmm_kit_metadata(metadata, "CompileAs");

    if (strcasecmp(as, "CompileAsCpp") == 0)
        source->cxx = true;
    if (strcasecmp(as, "CompileAsC") == 0)
        source->cxx = false;
    if (strncmp(standard, "stdcpp", 6) == 0 && strcmp(standard, "stdcpplatest") != 0 && source->cxx)
        vidmm_texts_add(e->arena, &source->flags,
                        vidmm_text(e->arena, "-std=gnu++%s", standard + 6));
}

/* Add the names that the driver kit defines by itself. */
static void add_target(struct vidmm_kit_evaluation *e, struct vidmm_kit_source *source)
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

static bool add_forced(struct vidmm_kit_evaluation *e, struct vidmm_kit_source *source,
                       const char *list)
{
    struct vidmm_texts items = {0};

    vidmm_texts_split(e->arena, &items, list, ";");
    for (size_t i = 0; i < items.count; i++) {
        char *path = vidmm_kit_find_file(e->arena, e->folder, items.word[i]);
        if (path == NULL)
            path = vidmm_kit_slashes(e->arena, items.word[i]);
        if (!vidmm_kit_plain(e->project, path,
                             vidmm_text(e->arena, "%s: ClCompile.ForcedIncludeFiles", e->file)))
            return false;
        vidmm_texts_add(e->arena, &source->flags, "-include");
        /* the compiler takes @NAME for a file of options */
        vidmm_texts_add(
            e->arena, &source->flags,
            vidmm_text(e->arena, "%s%s", strchr("@-", *path) != NULL ? "./" : "", path));
    }
    return true;
}

/* WppTraceFunction: names with their parameters in parentheses, parted by ; */
static void add_trace_functions(struct vidmm_kit_evaluation *e, struct vidmm_kit_source *source,
                                const char *list)
{
    struct vidmm_texts items = {0};

    vidmm_texts_split(e->arena, &items, list, ";");
    for (size_t i = 0; i < items.count; i++) {
        if (strchr(items.word[i], '(') == NULL || vidmm_kit_of_tool_set(items.word[i]))
            continue;
        vidmm_kit_plain(e->project, items.word[i],
                        vidmm_text(e->arena, "%s: ClCompile.WppTraceFunction", e->file));
        vidmm_texts_add(e->arena, &source->flags, "--wpp-func");
        vidmm_texts_add(e->arena, &source->flags, items.word[i]);
    }
}

static bool fill_source(struct vidmm_kit_evaluation *e, struct vidmm_kit_source *source,
                        const struct vidmm_kit_variables *metadata)
{
    const char *include_path = vidmm_kit_get(&e->variables, "IncludePath");
    const char *trace = vidmm_kit_metadata(metadata, "WppScanConfigurationData");
    char *where = vidmm_text(e->arena, "%s: ClCompile", e->file);

    add_language(e, source, metadata);
    add_target(e, source);
    char *configuration = *trace != 0 ? vidmm_kit_find_file(e->arena, e->folder, trace) : NULL;
    if (configuration != NULL) {
        vidmm_texts_add(e->arena, &source->flags, "--wpp");
        vidmm_texts_add(e->arena, &source->flags, configuration);
    }
    add_trace_functions(e, source, vidmm_kit_metadata(metadata, "WppTraceFunction"));
    return vidmm_kit_add_defines(e->project, source,
                                 vidmm_kit_metadata(metadata, "PreprocessorDefinitions"),
                                 vidmm_text(e->arena, "%s.PreprocessorDefinitions", where)) &&
           add_options(e, source, vidmm_kit_metadata(metadata, "AdditionalOptions")) &&
           add_forced(e, source, vidmm_kit_metadata(metadata, "ForcedIncludeFiles")) &&
           vidmm_kit_add_folders(e->project, source, e->folder, ".", where) &&
           vidmm_kit_add_folders(e->project, source, e->folder,
                                 vidmm_kit_metadata(metadata, "AdditionalIncludeDirectories"),
                                 vidmm_text(e->arena, "%s.AdditionalIncludeDirectories", where)) &&
           vidmm_kit_add_folders(e->project, source, e->folder,
                                 include_path != NULL ? include_path : "",
                                 vidmm_text(e->arena, "%s: IncludePath", e->file));
}

/* ---- patterns -------------------------------------------------------------------------------- */

/* Find the files that an item means, from the pattern's own tree or the project's. */
static bool expand_pattern(struct vidmm_kit_evaluation *e, const char *item,
                           struct vidmm_texts *list, const char *where)
{
    const char *error = NULL, *pattern = vidmm_kit_slashes(e->arena, item);
    const char *root =
        vidmm_kit_inside(e->arena, e->project->tree, "/", e->folder) ? e->project->tree : e->folder;

    return vidmm_kit_glob(e->arena, root, e->folder, pattern, list, &error) ||
           vidmm_kit_refuse(e->project, "%s: %s", where, error);
}

static bool matches_any(struct vidmm_kit_evaluation *e, const char *patterns, const char *name)
{
    struct vidmm_texts items = {0};

    vidmm_texts_split(e->arena, &items, patterns, ";");
    for (size_t i = 0; i < items.count; i++)
        if (vidmm_kit_matches(vidmm_kit_slashes(e->arena, items.word[i]), name, true))
            return true;
    return false;
}

/* ---- items ----------------------------------------------------------------------------------- */

/* Forget the sources that Remove names. */
static void remove_sources(struct vidmm_kit_evaluation *e, struct vidmm_kit_target *target,
                           const char *list)
{
    struct vidmm_kit_source *before = NULL, *next;
    for (struct vidmm_kit_source *at = target->sources.first; at != NULL; at = next) {
        size_t prefix = strlen(e->folder);
        const char *name =
            strncmp(at->path, e->folder, prefix) == 0 ? at->path + prefix + 1 : at->path;
        next = at->next;
        if (matches_any(e, list, name))
            vidmm_kit_sources_remove(&target->sources, before, at);
        else
            before = at;
    }
}

bool vidmm_kit_add_sources(struct vidmm_kit_evaluation *e, struct vidmm_kit_target *target,
                           xmlNode *node, const char *file)
{
    char *wish = vidmm_kit_attribute(e, node, "Include"),
         *not = vidmm_kit_attribute(e, node, "Exclude");
    char *gone = vidmm_kit_attribute(e, node, "Remove"), *unknown;
    struct vidmm_kit_variables metadata = {0};
    struct vidmm_texts items = {0}, names = {0};

    if (gone != NULL)
        remove_sources(e, target, vidmm_kit_expanded(e, gone));
    vidmm_texts_split(e->arena, &items, wish != NULL ? vidmm_kit_expanded(e, wish) : "", ";");
    for (size_t i = 0; i < e->metadata.names.count; i++)
        vidmm_kit_set(e->arena, &metadata, e->metadata.names.word[i], e->metadata.values.word[i]);
    vidmm_kit_read_metadata(e, node, file, &metadata);
    if (strcasecmp(vidmm_kit_metadata(&metadata, "ExcludedFromBuild"), "true") == 0)
        return true;
    for (size_t i = 0; i < items.count; i++) {
        if ((unknown = vidmm_kit_unknown(e->arena, items.word[i])) != NULL)
            return vidmm_kit_refuse(e->project,
                                    "%s:%ld: ClCompile %s: $(%s) is set nowhere; give it "
                                    "with --set %s=VALUE",
                                    file, xmlGetLineNo(node), wish, unknown, unknown);
        if (!expand_pattern(e, items.word[i], &names,
                            vidmm_text(e->arena, "%s:%ld: ClCompile", file, xmlGetLineNo(node))))
            return false;
    }
    for (size_t i = 0; i < names.count && e->project->error == NULL; i++) {
        if (not != NULL && matches_any(e, vidmm_kit_expanded(e, not ), names.word[i]))
            continue;
        struct vidmm_kit_source *source =
            vidmm_kit_add_source(e->project, target, e->folder, names.word[i]);
        if (source != NULL)
            fill_source(e, source, &metadata);
    }
    return e->project->error == NULL;
}
