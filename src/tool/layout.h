/* layout.h: the structures of the interface, member by member, as test/abi proves them.
 *
 *     DXGK_ALLOCATIONINFO, Size, SIZE_T, byte 16, 8 bytes, from WDDM 1.0 on
 */
#ifndef VIDMM_TOOL_LAYOUT_H
#define VIDMM_TOOL_LAYOUT_H

#include <stddef.h>

/* A row is a structure, or a member of the structure whose row is the last one before it. */
struct vidmm_layout_row {
    const char *structure;
    const char *member; /* "Flags.Create"; empty: the row is the structure's own */
    const char *type;   /* in C */
    const char *offset; /* bytes */
    const char *size;   /* bytes, or "bit 3:1": from bit 3 on, 1 bit */
    const char *since;  /* "2.0"; "3.2?" and "?": no page says it for certain */
};

/* The row with that index, from 0; NULL: there are fewer. 64-bit layouts. */
const struct vidmm_layout_row *vidmm_layout_row(size_t index);

#endif
