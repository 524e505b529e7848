/*
 * scan.h: the kit's own headers, read as text, for hints about names that no list has: enumerators,
 * constants, pointers to structs, members of nested and of the kernel's structs.
 */
#ifndef VIDMM_IMPORT_SCAN_H
#define VIDMM_IMPORT_SCAN_H

struct vidmm_arena;
struct vidmm_kit_place;

/* The name in a header of the kit that is nearest to `name`; *part: that header's file name;
 * *distance: as vidmm_kit_nearest_member() counts. NULL: the headers cannot be read. */
const char *vidmm_kit_scan_nearest(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                                   const char *name, const char **part, unsigned *distance);

/* The version of the interface for which a name is there: the DXGKDDI_INTERFACE_VERSION_... of the
 * #if around it. NULL: it is there for all, or no header has it. */
const char *vidmm_kit_scan_version(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                                   const char *name);

/* The members of a struct or union `name` (a tag, a typedef, or a member that has one of its own),
 * parted by blanks; NULL: no header has it. */
const char *vidmm_kit_scan_members(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                                   const char *name);

#endif
