/* curve.h: a picture of lines over sizes of memory, as `vidmm sweep --svg` draws it.
 *
 *     +------------------------------------+
 *     | \                                  |   solid: the manager
 *     |  \.. . .                           |   dashed, dotted: policies that know no places
 *     |   `--.._____                       |
 *     +------------------------------------+
 *     | frames held up, of a hundred       |
 *     +------------------------------------+
 *          memory -->      | 1 GiB
 *
 * Sizes lie at equal distances, or at equal ratios where the largest is many times the least. It is
 * dark where the reader's system is.
 */
#ifndef VIDMM_TRACE_CURVE_H
#define VIDMM_TRACE_CURVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum vidmm_curve_line { VIDMM_CURVE_SOLID, VIDMM_CURVE_DASHED, VIDMM_CURVE_DOTTED };

struct vidmm_curve_point {
    uint64_t size; /* bytes of memory */
    double value;  /* 0 or more */
};

struct vidmm_curve {
    const char *name;
    uint16_t hue; /* 0 .. 359 */
    enum vidmm_curve_line line;
    const struct vidmm_curve_point *points; /* by size */
    uint32_t count;                         /* 1 or more */
};

struct vidmm_curve_panel {
    const char *caption;
    bool bytes; /* values are bytes; else numbers up to 100 */
    const struct vidmm_curve *curves;
    uint32_t count;
};

/* A line from top to bottom, with a text beside it. */
struct vidmm_curve_mark {
    uint64_t size;
    const char *text;
};

struct vidmm_curve_picture {
    const char *title;
    const char *const *lines; /* below the title; the last is NULL */
    const struct vidmm_curve_panel *panels;
    uint32_t panel_count;
    const struct vidmm_curve_mark *marks; /* those outside of least .. most are not drawn */
    uint32_t mark_count;
    uint64_t least, most; /* sizes at the edges; least is 1 or more, most is larger */
};

/* Draw it. False: the file would not take it. */
bool vidmm_curve_write(const struct vidmm_curve_picture *picture, FILE *file);

#endif
