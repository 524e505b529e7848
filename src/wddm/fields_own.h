/* fields_own.h: members that are printed in a way of their own, for the tables of fields.c.
 *
 * Each takes the member's name, or NULL in a list, and where it stands. Private to src/wddm.
 */
#ifndef VIDMM_WDDM_FIELDS_OWN_H
#define VIDMM_WDDM_FIELDS_OWN_H

struct vidmm_writer;

/* Five segments in order of preference: DXGK_SEGMENTPREFERENCE. */
void vidmm_print_preference(struct vidmm_writer *writer, const char *name, const void *member);
/* A pointer to an MDL. */
void vidmm_print_mdl(struct vidmm_writer *writer, const char *name, const void *member);
/* Source or Destination of a transfer. */
void vidmm_print_side(struct vidmm_writer *writer, const char *name, const void *member);
/* DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE: PageTableAddress, as UpdateMode has it. */
void vidmm_print_table_place(struct vidmm_writer *writer, const char *name, const void *member);
/* DXGK_ALLOCATIONLIST; D3DDDI_PATCHLOCATIONLIST. */
void vidmm_print_allocation(struct vidmm_writer *writer, const char *name, const void *member);
void vidmm_print_patch_location(struct vidmm_writer *writer, const char *name, const void *member);

#endif
