/*
 * msbuild.h: one project file while it is evaluated, for the modules that share the work.
 *
 *     msbuild.c   properties, imports, definitions; which projects follow
 *     items.c     ClCompile: sources and their flags
 *     custom.c    CustomBuild, MessageCompile and the like: steps (steps.h)
 *     links.c     libraries that the linker is told of by name -> the projects that make them
 *
 * Paths of a project file have either slash; those here have `/`.
 */
#ifndef VIDMM_IMPORT_MSBUILD_H
#define VIDMM_IMPORT_MSBUILD_H

#include <libxml/parser.h>

#include "import/expand.h"

struct vidmm_kit_target;

#define VIDMM_KIT_IMPORTS_MOST 64u /* deep */
#define VIDMM_KIT_GROUPS_MOST 4096u

/* An ItemGroup or ItemDefinitionGroup that waits for its pass. */
struct vidmm_kit_group {
    xmlNode *node;
    const char *file;
};

struct vidmm_kit_evaluation {
    struct vidmm_kit_project *project;
    struct vidmm_arena *arena;
    const char *file, *folder;            /* the project's */
    const char *configuration, *platform; /* of this project: a solution may say another one */
    struct vidmm_kit_variables variables;
    struct vidmm_kit_variables metadata, link, librarian; /* definitions of ClCompile, Link, Lib */
    struct vidmm_kit_variables custom, messages, build, before, before_link; /* and of steps */
    const char *item; /* the value of %(Identity) */
    struct vidmm_kit_group groups[VIDMM_KIT_GROUPS_MOST];
    unsigned group_count;
    struct vidmm_texts open;           /* files being imported */
    struct vidmm_texts configurations; /* "Release|x64" */
    struct vidmm_texts references;     /* projects */
    xmlDoc *documents[VIDMM_KIT_IMPORTS_MOST * 4];
    unsigned document_count;
};

/* ---- msbuild.c ---- */

/* An attribute of an element, NULL: it has none; the text between its tags; whether it is called
 * so. */
char *vidmm_kit_attribute(struct vidmm_kit_evaluation *e, xmlNode *node, const char *name);
char *vidmm_kit_content(struct vidmm_kit_evaluation *e, xmlNode *node);
bool vidmm_kit_is(const xmlNode *node, const char *name);

/* A text with the project's variables replaced. */
char *vidmm_kit_expanded(struct vidmm_kit_evaluation *e, const char *text);

/* Whether an element's condition holds; false as well on an error. */
bool vidmm_kit_holds(struct vidmm_kit_evaluation *e, xmlNode *node, const char *file);

/* Metadata of an item over those of its definition: %(NAME) is what was inherited. */
void vidmm_kit_read_metadata(struct vidmm_kit_evaluation *e, xmlNode *item, const char *file,
                             struct vidmm_kit_variables *metadata);
/* Metadata of an item of that name: %(Filename) and its kin are taken from the name. */
void vidmm_kit_read_item(struct vidmm_kit_evaluation *e, xmlNode *node, const char *file,
                         const char *item, struct vidmm_kit_variables *metadata);
/* "" where it is not set. */
const char *vidmm_kit_metadata(const struct vidmm_kit_variables *metadata, const char *name);

/*
 * Evaluate a project's properties and definitions, no items: its kind and its output. NULL: it
 * cannot be read. The caller hands it to vidmm_kit_close().
 */
struct vidmm_kit_evaluation *vidmm_kit_look_at(struct vidmm_kit_project *project, const char *path);
void vidmm_kit_close(struct vidmm_kit_evaluation *e);

/* Read a project that the driver is linked with, unless it is read already. */
bool vidmm_kit_read_library(struct vidmm_kit_project *project, const char *path);

/* ---- items.c ---- */

/* The sources of a ClCompile element. False: project->error says why. */
bool vidmm_kit_add_sources(struct vidmm_kit_evaluation *e, struct vidmm_kit_target *target,
                           xmlNode *node, const char *file);

/* ---- custom.c ---- */

/* An item that is neither a source nor a project: a step of the build, or nothing. */
void vidmm_kit_read_step(struct vidmm_kit_evaluation *e, xmlNode *node, const char *file);
/* CustomBuildStep and the events before building and linking. */
void vidmm_kit_read_events(struct vidmm_kit_evaluation *e);

/* ---- links.c ---- */

/* Find who makes each library of Link.AdditionalDependencies, and read that project. */
bool vidmm_kit_read_libraries(struct vidmm_kit_evaluation *e);

#endif
