/*
 * tree.h: the files that belong to a project.
 *
 *     driver/all.sln            <- the project's tree begins at its solution's folder,
 *     driver/drv/drv.vcxproj       where there is one that has it; else at its own
 *
 * A project names sources and headers where it likes; patterns, and what a step of its build
 * writes, stay in the tree. Links that lead out of it are followed before that is judged.
 */
#ifndef VIDMM_IMPORT_TREE_H
#define VIDMM_IMPORT_TREE_H

#include <stdbool.h>

struct vidmm_arena;
struct vidmm_texts;

/* Whether `path`, below `folder` if it is relative, lies in the folder `root` or is it. It may be a
 * file that nobody has made yet. */
bool vidmm_kit_inside(struct vidmm_arena *arena, const char *root, const char *folder,
                      const char *path);

/* Whether a name matches a pattern of * and ?, without regard to case. A * passes a slash only if
 * `deep` is set. The time it takes grows with the product of the lengths, not faster. */
bool vidmm_kit_matches(const char *pattern, const char *name, bool deep);

/*
 * The names below `folder` that a pattern of MSBuild means: *, ? and ** for any folders; sorted.
 * A pattern without such a sign is the name itself. Links to folders are not followed.
 *
 * root: no file outside of it is looked at.
 * False: the pattern leaves root, or there are too many files; *error is a sentence.
 */
bool vidmm_kit_glob(struct vidmm_arena *arena, const char *root, const char *folder,
                    const char *pattern, struct vidmm_texts *names, const char **error);

#endif
