/* Bytes over frames: how full the memory is, and what is paged. */
#include "trace/chart_draw.h"

#include "base/assert.h"
#include "trace/chart_state.h"

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void add_tick(struct chart_bucket *column, const struct chart_tick *tick)
{
    if (!column->seen) /* its value from the column before counts no more */
        column->used = column->wanted = column->needed = 0;
    column->seen = true;
    column->used = most(column->used, tick->used);
    column->wanted = most(column->wanted, tick->wanted);
    column->needed = most(column->needed, tick->needed);
}

/* A bucket into which no submission falls shows what the one before shows. */
void chart_gather(const struct vidmm_chart *chart, const struct chart_clock *clock,
                  struct chart_series *series)
{
    struct chart_bucket *buckets = series->buckets;
    VIDMM_ASSERT(clock->frames >= 1);
    uint32_t at = 0;

    series->count = clock->frames < CHART_PLOT ? (uint32_t)clock->frames : CHART_PLOT;
    double per_frame = series->count / clock->frames;
    for (uint32_t tick = 0; tick <= chart->tick; tick++) {
        const struct chart_tick *t = &chart->ticks[tick];
        double bucket = clock->frame_of[tick] * per_frame;

        for (; at < series->count - 1 && at + 1 <= bucket; at++) {
            buckets[at + 1] = buckets[at];
            buckets[at + 1].in = buckets[at + 1].out = 0;
            buckets[at + 1].seen = false;
        }
        VIDMM_ASSERT(at < series->count);
        buckets[at].in += (double)t->in * per_frame;
        buckets[at].out += (double)t->out * per_frame;
        if (tick < chart->tick) /* the last is not closed: only its transfers count */
            add_tick(&buckets[at], t);
    }
}

static uint64_t memory_size(const struct vidmm_chart *chart)
{
    uint64_t size = 0;

    for (uint32_t i = 0; i < chart->options.segment_count; i++)
        if (!chart->options.segments[i].aperture)
            size += chart->options.segments[i].size;
    return size;
}

enum line { LINE_USED, LINE_WANTED, LINE_NEEDED, LINE_IN, LINE_OUT };

static double value_of(const struct chart_bucket *bucket, enum line line)
{
    switch (line) {
    case LINE_USED:
        return (double)bucket->used;
    case LINE_WANTED:
        return (double)bucket->wanted;
    case LINE_NEEDED:
        return (double)bucket->needed;
    case LINE_IN:
        return bucket->in;
    default:
        return bucket->out;
    }
}

/* A line in steps over all buckets, or with `fill` the area between it and `base`. `scale`: pixels
 * a byte, negative to draw downwards. */
static void draw_line(FILE *file, const struct chart_series *series, enum line line,
                      const char *style, int base, double scale, bool fill)
{
    double last = -1;

    fprintf(file, "<path class=\"%s\" d=\"M%d %d", style, CHART_LEFT, base);
    for (uint32_t i = 0; i < series->count; i++) {
        double value = value_of(&series->buckets[i], line);
        double x = CHART_LEFT + (double)i / series->count * CHART_PLOT;

        if (i == 0 && !fill)
            fprintf(file, "M%.1f %.1f", x, base - value * scale);
        else if (value < last || value > last)
            fprintf(file, "H%.1fV%.1f", x, base - value * scale);
        last = value;
    }
    fprintf(file, "H%d", CHART_LEFT + CHART_PLOT);
    if (fill)
        fprintf(file, "V%dz", base);
    fputs("\"/>\n", file);
}

void chart_pressure(FILE *file, const struct vidmm_chart *chart, const struct chart_clock *clock,
                    const struct chart_series *series, int top)
{
    uint64_t size = memory_size(chart), range = size;
    int base = top + CHART_SERIES;

    for (uint32_t i = 0; i < series->count; i++)
        range = most(range, series->buckets[i].wanted);
    range += range / 16 + 1;
    double scale = CHART_SERIES / (double)range;
    chart_panel(file, clock, top, CHART_SERIES, "bytes of memory segments");
    chart_y_axis(file, top, CHART_SERIES, range);
    draw_line(file, series, LINE_USED, "used", base, scale, true);
    draw_line(file, series, LINE_NEEDED, "needed", base, scale, false);
    draw_line(file, series, LINE_WANTED, "wanted", base, scale, false);
    fprintf(file, "<path class=\"size\" d=\"M%d %.1fh%d\"/>\n", CHART_LEFT,
            base - (double)size * scale, CHART_PLOT);
}

/* Ticks upwards and downwards from the middle of a panel. */
static void traffic_axis(FILE *file, int top, double range, double scale)
{
    int middle = top + CHART_SERIES / 2;
    uint64_t step = chart_step((uint64_t)range, 2);
    double unit;
    const char *name = chart_unit((uint64_t)range, &unit);

    chart_y_tick(file, middle, 0);
    for (uint64_t at = step; at <= (uint64_t)range; at += step) {
        chart_y_tick(file, middle - (int)((double)at * scale), (double)at / unit);
        chart_y_tick(file, middle + (int)((double)at * scale), (double)at / unit);
    }
    chart_y_unit(file, top, CHART_SERIES, name);
}

void chart_traffic(FILE *file, const struct chart_clock *clock, const struct chart_series *series,
                   int top, const char *frame)
{
    double range = 0;
    int middle = top + CHART_SERIES / 2;
    char caption[120];

    for (uint32_t i = 0; i < series->count; i++) {
        range = series->buckets[i].in > range ? series->buckets[i].in : range;
        range = series->buckets[i].out > range ? series->buckets[i].out : range;
    }
    bool paged = range > 0;

    range = range < 4096 ? 4096 : range * 1.05;
    double scale = CHART_SERIES / 2 / range;
    snprintf(caption, sizeof(caption), "bytes paged in (up) and out (down) a %s", frame);
    chart_panel(file, clock, top, CHART_SERIES, caption);
    traffic_axis(file, top, range, scale);
    if (!paged)
        chart_text(file, CHART_LEFT + CHART_PLOT / 2, middle - 20, "line middle",
                   "nothing was paged");
    draw_line(file, series, LINE_IN, "in", middle, scale, true);
    draw_line(file, series, LINE_OUT, "out", middle, -scale, true);
}
