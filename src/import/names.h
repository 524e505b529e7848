/*
 * names.h: documented names: which header has one, which members a struct has, which is
 * nearest.
 */
#ifndef VIDMM_IMPORT_NAMES_H
#define VIDMM_IMPORT_NAMES_H

#include <stdbool.h>

struct vidmm_arena;

/* The header that documents `name`, NULL: none. */
const char *vidmm_kit_header_of(const char *name);

/* Whether a header is documented at all, whatever its case. */
bool vidmm_kit_is_header(const char *name);

/* The documented name that is so near to `name` that it may be a slip; NULL: none is. */
const char *vidmm_kit_nearest_name(struct vidmm_arena *arena, const char *name,
                                   const char **header);

/* The members of a struct or union of include/wddm, parted by blanks; NULL: there is none such. */
const char *vidmm_kit_members_of(const char *type);

/* The member of the list that is nearest to `name`, and how far: single insertions, deletions,
 * changes and swaps of neighbours; case counts half as much as a change, rounded up. */
const char *vidmm_kit_nearest_member(struct vidmm_arena *arena, const char *members,
                                     const char *name, unsigned *distance);

/* The first struct that has a member of that name; NULL: none has. */
const char *vidmm_kit_struct_with(const char *member);

/* Whether `word` stands in a list parted by blanks. */
bool vidmm_kit_has_word(const char *list, const char *word);

#endif
