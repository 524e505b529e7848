/* chart_draw.h: declarations that the parts of the picture share. For src/trace/chart_*.c only.
 *
 *     chart_svg.c     the whole: title, legend, panels one below the other
 *     chart_map.c     a panel of addresses
 *     chart_series.c  panels of bytes: pressure, traffic
 *     chart_axis.c    scales, axes, colours, text
 *
 * Coordinates are pixels; all panels have the same left edge and width, so that one x is one moment
 * in each. */
#ifndef VIDMM_TRACE_CHART_DRAW_H
#define VIDMM_TRACE_CHART_DRAW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct chart_stay;
struct vidmm_chart;
struct vidmm_chart_segment;

#define CHART_WIDTH 1280
#define CHART_LEFT 92
#define CHART_PLOT 1152  /* width of a panel */
#define CHART_SERIES 120 /* height of a panel of bytes */
#define CHART_SHADES 6u  /* of a class */

/* Frames on the x axis, and where each tick is among them. */
struct chart_clock {
    double *frame_of; /* by tick, one more than there are ticks */
    double frames;    /* width of the axis */
};

/* False: no memory. frame_of is the caller's to give back to the chart's memory. */
bool chart_clock_init(struct chart_clock *clock, const struct vidmm_chart *chart);
/* Pixels from the left edge of the panel. */
double chart_column(const struct chart_clock *clock, uint32_t tick);

/* The bytes that the ticks of a y axis to `range` are apart, if it has at least `parts`. */
uint64_t chart_step(uint64_t range, uint64_t parts);
/* The unit in which to write them: its name, and how many bytes it has. */
const char *chart_unit(uint64_t range, double *bytes);

/* Text as XML wants it. */
void chart_escaped(FILE *file, const char *text);
void chart_text(FILE *file, int x, int y, const char *style, const char *text);
/* The frame of a panel, its caption above, and lines where the x axis has ticks. */
void chart_panel(FILE *file, const struct chart_clock *clock, int top, int height,
                 const char *caption);
void chart_y_tick(FILE *file, int y, double value);
/* Ticks from 0 at the bottom to `range` bytes at the top. */
void chart_y_axis(FILE *file, int top, int height, uint64_t range);
void chart_y_unit(FILE *file, int top, int height, const char *name);
void chart_x_axis(FILE *file, const struct chart_clock *clock, int y, const char *what);

/* Colours are numbered class * CHART_SHADES + shade. */
uint32_t chart_colour_of(const struct vidmm_chart *chart, const struct chart_stay *stay);
void chart_colour(FILE *file, const struct vidmm_chart *chart, uint32_t colour);

/* False: no memory. */
bool chart_map(FILE *file, const struct vidmm_chart *chart, const struct chart_clock *clock,
               const struct vidmm_chart_segment *segment, int top, uint32_t height);

/* A step of the lines in panels of bytes: a frame, or a pixel where frames are narrower. */
struct chart_bucket {
    double in, out;                /* bytes a frame */
    uint64_t used, wanted, needed; /* bytes, the most */
    bool seen;                     /* a submission falls into it */
};

struct chart_series {
    uint32_t count; /* 1 .. CHART_PLOT */
    struct chart_bucket buckets[CHART_PLOT];
};

/* `series` is all zero when the call is made. */
void chart_gather(const struct vidmm_chart *chart, const struct chart_clock *clock,
                  struct chart_series *series);
void chart_pressure(FILE *file, const struct vidmm_chart *chart, const struct chart_clock *clock,
                    const struct chart_series *series, int top);
void chart_traffic(FILE *file, const struct chart_clock *clock, const struct chart_series *series,
                   int top, const char *frame);

#endif
