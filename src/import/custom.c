/*
 * custom.c: the items and definitions of a project that run a command.
 *
 * Source: "CustomBuild", "MessageCompile" and "Ctrpp" among the items of driver projects, in the
 * public documentation.
 */
#include "import/msbuild.h"

#include <string.h>
#include <strings.h>

#include "import/project.h"
#include "import/steps.h"

/* Without the folders that MSBuild makes for what it builds: here they are made beside
 * build.ninja. */
static bool says_where(const char *folder)
{
    return *folder != 0 && strchr(folder, '$') == NULL;
}

/* Add a step that runs mc on a message text or a manifest: its options are metadata. */
static void message_step(struct vidmm_kit_evaluation *e, const char *item,
                         const struct vidmm_kit_variables *metadata)
{
    struct vidmm_arena *arena = e->arena;
    const char *name = vidmm_kit_slashes(arena, item), *slash = strrchr(name, '/');
    const char *base = vidmm_kit_metadata(metadata, "GeneratedFilesBasename");
    const char *folder = vidmm_kit_metadata(metadata, "HeaderFilePath");
    const char *prefix = vidmm_kit_metadata(metadata, "UsePrefix");

    if (*base == 0) {
        base = slash != NULL ? slash + 1 : name;
        base = vidmm_text_cut(arena, base, strcspn(base, "."));
    }
    folder = says_where(folder) ? vidmm_kit_slashes(arena, folder) : ".";
    vidmm_kit_add_step(e->project, vidmm_text(arena, "%s: MessageCompile %s", e->file, item),
                       e->folder,
                       vidmm_text(arena, "mc %s%s -h \"%s\" -z \"%s\" \"%s\"",
                                  *prefix != 0 ? "-p " : "", prefix, folder, base, name),
                       name, vidmm_text(arena, "%s/%s.h", folder, base));
}

void vidmm_kit_read_step(struct vidmm_kit_evaluation *e, xmlNode *node, const char *file)
{
    const char *kind = (const char *)node->name;
    bool custom = vidmm_kit_is(node, "CustomBuild"), message = vidmm_kit_is(node, "MessageCompile");
    char *wish = vidmm_kit_attribute(e, node, "Include");
    struct vidmm_texts items = {0};

    if (wish == NULL || !vidmm_kit_holds(e, node, file))
        return;
    vidmm_texts_split(e->arena, &items, vidmm_kit_expanded(e, wish), ";");
    for (size_t i = 0; i < items.count; i++) {
        struct vidmm_kit_variables metadata = {0};
        const char *item = items.word[i];
        const struct vidmm_kit_variables *definition = custom ? &e->custom : &e->messages;
        for (size_t k = 0; k < definition->names.count; k++)
            vidmm_kit_set(e->arena, &metadata, definition->names.word[k],
                          definition->values.word[k]);
        vidmm_kit_read_item(e, node, file, item, &metadata);
        const char *where = vidmm_text(e->arena, "%s: %s %s", e->file, kind, item);
        if (strcasecmp(vidmm_kit_metadata(&metadata, "ExcludedFromBuild"), "true") == 0)
            continue;
        if (message)
            message_step(e, item, &metadata);
        else if (custom)
            vidmm_kit_add_step(e->project, where, e->folder,
                               vidmm_kit_metadata(&metadata, "Command"),
                               vidmm_text(e->arena, "%s;%s", item,
                                          vidmm_kit_metadata(&metadata, "AdditionalInputs")),
                               vidmm_kit_metadata(&metadata, "Outputs"));
        else if (vidmm_kit_is(node, "Ctrpp"))
            vidmm_kit_add_step(e->project, where, e->folder, "ctrpp", item,
                               vidmm_kit_metadata(&metadata, "HeaderFileNameForProvider"));
        else if (vidmm_kit_is(node, "MASM"))
            vidmm_kit_note(
                e->project,
                "%s: %s (MASM) is left out: Microsoft's assembler is not to be had here; "
                "its routines will be missing where the driver is linked",
                e->file, item);
    }
}

/* Whether what a step makes may be compiled or included. */
static bool makes_code(struct vidmm_arena *arena, const char *outputs)
{
    static const char *const suffixes[] = {".h",   ".hpp", ".hxx", ".inc",
                                           ".inl", ".c",   ".cpp", ".cxx"};
    struct vidmm_texts items = {0};

    vidmm_texts_split(arena, &items, outputs, ";");
    for (size_t i = 0; i < items.count; i++) {
        const char *dot = strrchr(items.word[i], '.');
        for (size_t k = 0; dot != NULL && k < sizeof(suffixes) / sizeof(suffixes[0]); k++)
            if (strcasecmp(dot, suffixes[k]) == 0)
                return true;
    }
    return false;
}

/* A project's own step runs behind the link: it matters where it makes code. An event's command is
 * tried, and not insisted on. */
void vidmm_kit_read_events(struct vidmm_kit_evaluation *e)
{
    const struct {
        const char *name;
        const struct vidmm_kit_variables *metadata;
    } events[] = {{"CustomBuildStep", &e->build},
                  {"PreBuildEvent", &e->before},
                  {"PreLinkEvent", &e->before_link}};

    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        const char *command = vidmm_kit_metadata(events[i].metadata, "Command");
        const char *outputs = vidmm_kit_metadata(events[i].metadata, "Outputs");
        if (*command != 0 && (i > 0 || makes_code(e->arena, outputs)))
            vidmm_kit_add_step(e->project, vidmm_text(e->arena, "%s: %s", e->file, events[i].name),
                               e->folder, command, vidmm_kit_metadata(events[i].metadata, "Inputs"),
                               outputs);
    }
}
