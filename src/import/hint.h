/*
 * hint.h: the subject of a compiler's complaint about a driver.
 *
 *     roger.c:12:5: error: unknown type name 'DXGKARG_RENDER'
 *        12 |     DXGKARG_RENDER *Render;
 *           |     ^~~~~~~~~~~~~~
 *     roger.c:12:5: hint: 'DXGKARG_RENDER' belongs to d3dkmddi.h; #include <d3dkmddi.h>   <- added
 *
 * The compiler's own text passes through unchanged. A hint stands behind the complaint that it
 * belongs to, once a name. The data: names.def (name and documented header), members.def
 * (struct and members), and the kit's own headers, which are searched.
 */
#ifndef VIDMM_IMPORT_HINT_H
#define VIDMM_IMPORT_HINT_H

#include <stdbool.h>
#include <stdio.h>

#include "import/arena.h"

struct vidmm_kit_hints {
    struct vidmm_arena *arena;
    const struct vidmm_kit_place *place;
    struct vidmm_texts given; /* names that have been explained */
    const char *pending;      /* a hint that waits for the end of its complaint */
    bool show_lines;          /* the compiler shows none of the source's: they are added */
};

/* Take a line of the compiler's, with its newline if it has one, and write it and what is due. */
void vidmm_kit_hint_line(struct vidmm_kit_hints *hints, const char *line, FILE *out);

/* Write what is still due. */
void vidmm_kit_hint_end(struct vidmm_kit_hints *hints, FILE *out);

/* A hint about a name that is not declared, a member that `type` has not, a header
 * that is not found; NULL: nothing. */
char *vidmm_kit_hint_name(struct vidmm_kit_hints *hints, const char *name);
char *vidmm_kit_hint_member(struct vidmm_kit_hints *hints, const char *type, const char *name);
char *vidmm_kit_hint_header(struct vidmm_kit_hints *hints, const char *name);

#endif
