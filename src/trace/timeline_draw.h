/* timeline_draw.h: what the parts of the picture share. For src/trace/timeline_*.c only.
 *
 *     timeline_svg.c     the whole: title, legend, panels one below the other
 *     timeline_map.c     a panel of addresses
 *     timeline_series.c  panels of bytes: pressure, traffic
 *     timeline_axis.c    scales, axes, colours, text
 *
 * Coordinates are pixels; all panels have the same left edge and width, so that one x is one moment
 * in each. */
#ifndef VIDMM_TRACE_TIMELINE_DRAW_H
#define VIDMM_TRACE_TIMELINE_DRAW_H

#include "trace/timeline_state.h"

#define TIMELINE_WIDTH 1280
#define TIMELINE_LEFT 92
#define TIMELINE_PLOT 1152  /* width of a panel */
#define TIMELINE_SERIES 120 /* height of a panel of bytes */
#define TIMELINE_SHADES 6u  /* of a class */

/* Frames on the x axis, and where each tick is among them. */
struct timeline_clock {
    double *frame_of; /* by tick, one more than there are ticks */
    double frames;    /* width of the axis */
};

/* False: no memory. frame_of is the caller's to give back to the timeline's memory. */
bool timeline_clock_init(struct timeline_clock *clock, const struct vidmm_timeline *timeline);
/* Pixels from the left edge of the panel. */
double timeline_column(const struct timeline_clock *clock, uint32_t tick);

/* The bytes that the ticks of a y axis to `range` are apart, if it has at least `parts`. */
uint64_t timeline_step(uint64_t range, uint64_t parts);
/* The unit in which to write them: its name, and how many bytes it has. */
const char *timeline_unit(uint64_t range, double *bytes);

/* Text as XML wants it. */
void timeline_escaped(FILE *file, const char *text);
void timeline_text(FILE *file, int x, int y, const char *style, const char *text);
/* The frame of a panel, its caption above, and lines where the x axis has ticks. */
void timeline_panel(FILE *file, const struct timeline_clock *clock, int top, int height,
                    const char *caption);
void timeline_y_tick(FILE *file, int y, double value);
/* Ticks from 0 at the bottom to `range` bytes at the top. */
void timeline_y_axis(FILE *file, int top, int height, uint64_t range);
void timeline_y_unit(FILE *file, int top, int height, const char *name);
void timeline_x_axis(FILE *file, const struct timeline_clock *clock, int y, const char *what);

/* Colours are numbered class * TIMELINE_SHADES + shade. */
uint32_t timeline_colour_of(const struct vidmm_timeline *timeline,
                            const struct timeline_stay *stay);
void timeline_colour(FILE *file, const struct vidmm_timeline *timeline, uint32_t colour);

/* False: no memory. */
bool timeline_map(FILE *file, const struct vidmm_timeline *timeline,
                  const struct timeline_clock *clock, const struct vidmm_timeline_segment *segment,
                  int top, uint32_t height);

/* A step of the lines in panels of bytes: a frame, or a pixel where frames are narrower. */
struct timeline_bucket {
    double in, out;                /* bytes a frame */
    uint64_t used, wanted, needed; /* bytes, the most */
    bool seen;                     /* a submission falls into it */
};

struct timeline_series {
    uint32_t count; /* 1 .. TIMELINE_PLOT */
    struct timeline_bucket buckets[TIMELINE_PLOT];
};

/* series is all zero. */
void timeline_gather(const struct vidmm_timeline *timeline, const struct timeline_clock *clock,
                     struct timeline_series *series);
void timeline_pressure(FILE *file, const struct vidmm_timeline *timeline,
                       const struct timeline_clock *clock, const struct timeline_series *series,
                       int top);
void timeline_traffic(FILE *file, const struct timeline_clock *clock,
                      const struct timeline_series *series, int top, const char *frame);

#endif
