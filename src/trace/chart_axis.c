/* Scales, axes, colours, text. */
#include "trace/chart_draw.h"

#include <vidmm/memory.h>

#include "base/assert.h"
#include "trace/chart.h"
#include "trace/chart_state.h"

double chart_column(const struct chart_clock *clock, uint32_t tick)
{
    VIDMM_ASSERT(clock->frame_of[tick] <= clock->frames);
    return clock->frame_of[tick] / clock->frames * CHART_PLOT;
}

/* Spread the ticks from *tick up to `end` over one frame. */
static void spread(struct chart_clock *clock, uint32_t frame, uint32_t *tick, uint32_t end)
{
    uint32_t begin = *tick;

    for (; *tick < end; ++*tick)
        clock->frame_of[*tick] = frame + (double)(*tick - begin) / (end - begin);
}

bool chart_clock_init(struct chart_clock *clock, const struct vidmm_chart *chart)
{
    const struct vidmm_memory *memory = &chart->memory;
    uint32_t tick = 0, last = chart->tick;

    clock->frames = chart->frame_count;
    clock->frame_of = memory->allocate(memory->context, (last + 2) * sizeof(double));
    if (clock->frame_of == NULL)
        return false;
    for (uint32_t frame = 0; frame < chart->frame_count; frame++)
        spread(clock, frame, &tick, chart->frames[frame] < last ? chart->frames[frame] : last);
    if (tick < last || chart->frame_count == 0) { /* submissions after the last frame */
        spread(clock, chart->frame_count, &tick, last);
        clock->frames += 1;
    }
    VIDMM_ASSERT(tick == last);
    clock->frame_of[last] = clock->frame_of[last + 1] = clock->frames;
    return true;
}

/* The largest of 1, 2, 5 times a power of ten that parts `range` into `parts` or more. */
static double decimal_step(double range, double parts)
{
    double step = 1;

    while (step * 10 <= range / parts)
        step *= 10;
    if (step * 5 <= range / parts)
        return step * 5;
    return step * 2 <= range / parts ? step * 2 : step;
}

uint64_t chart_step(uint64_t range, uint64_t parts)
{
    uint64_t step = 4096;

    while (step * 2 * parts <= range)
        step *= 2;
    return step;
}

/* Bytes in the unit that suits `range`. */
const char *chart_unit(uint64_t range, double *bytes)
{
    if (range < UINT64_C(2) << 20)
        return *bytes = 1024, "KiB";
    if (range < UINT64_C(8) << 30)
        return *bytes = 1048576, "MiB";
    return *bytes = 1073741824, "GiB";
}

void chart_escaped(FILE *file, const char *text)
{
    for (; *text != 0; text++)
        if (*text == '&')
            fputs("&amp;", file);
        else if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '>')
            fputs("&gt;", file);
        else if ((unsigned char)*text >= ' ')
            fputc(*text, file);
}

void chart_text(FILE *file, int x, int y, const char *style, const char *text)
{
    fprintf(file, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, style);
    chart_escaped(file, text);
    fputs("</text>\n", file);
}

/* One channel of a colour given as hue, saturation and lightness (all 0 .. 1, hue in turns). */
static int channel(double hue, double saturation, double lightness)
{
    double high = lightness + saturation * (lightness < .5 ? lightness : 1 - lightness);
    double low = 2 * lightness - high, value = low;

    hue += hue < 0 ? 1 : hue > 1 ? -1 : 0;
    if (hue < 1. / 6)
        value = low + (high - low) * 6 * hue;
    else if (hue < .5)
        value = high;
    else if (hue < 2. / 3)
        value = low + (high - low) * (2. / 3 - hue) * 6;
    return (int)(value * 255 + .5);
}

void chart_colour(FILE *file, const struct vidmm_chart *chart, uint32_t colour)
{
    const struct vidmm_chart_class *class = &chart->options.classes[colour / CHART_SHADES];
    double hue = class->hue / 360., saturation = class->saturation / 100.;
    double lightness = .42 + .065 * (colour % CHART_SHADES);

    fprintf(file, "#%02x%02x%02x", channel(hue + 1. / 3, saturation, lightness),
            channel(hue, saturation, lightness), channel(hue - 1. / 3, saturation, lightness));
}

uint32_t chart_colour_of(const struct vidmm_chart *chart, const struct chart_stay *stay)
{
    const struct chart_owner *owner = &chart->owners[stay->owner];
    uint32_t mixed = owner->number * 0x9e3779b1u;

    return owner->class_index * CHART_SHADES + (mixed >> 16) % CHART_SHADES;
}

void chart_panel(FILE *file, const struct chart_clock *clock, int top, int height,
                 const char *caption)
{
    double step = decimal_step(clock->frames, 8);

    fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"panel\"/>\n",
            CHART_LEFT, top, CHART_PLOT, height);
    for (double at = step; at < clock->frames; at += step)
        fprintf(file, "<path d=\"M%.1f %dv%d\" class=\"grid\"/>",
                CHART_LEFT + at / clock->frames * CHART_PLOT, top, height);
    chart_text(file, CHART_LEFT, top - 8, "caption", caption);
}

void chart_y_tick(FILE *file, int y, double value)
{
    fprintf(file, "<path d=\"M%d %dh%d\" class=\"grid\"/>", CHART_LEFT - 4, y, CHART_PLOT + 4);
    fprintf(file, "<text x=\"%d\" y=\"%d\" class=\"tick end\">%.4g</text>\n", CHART_LEFT - 7, y + 4,
            value);
}

void chart_y_unit(FILE *file, int top, int height, const char *name)
{
    fprintf(file,
            "<text transform=\"translate(%d,%d) rotate(-90)\" class=\"tick middle\">%s</text>\n",
            40, top + height / 2, name);
}

void chart_y_axis(FILE *file, int top, int height, uint64_t range)
{
    uint64_t step = chart_step(range, 4);
    double unit;
    const char *name = chart_unit(range, &unit);

    for (uint64_t at = 0; at <= range; at += step)
        chart_y_tick(file, top + height - (int)((double)at / (double)range * height),
                     (double)at / unit);
    chart_y_unit(file, top, height, name);
}

void chart_x_axis(FILE *file, const struct chart_clock *clock, int y, const char *what)
{
    double step = decimal_step(clock->frames, 8);

    for (double at = 0; at <= clock->frames; at += step) {
        double x = CHART_LEFT + at / clock->frames * CHART_PLOT;

        fprintf(file, "<path d=\"M%.1f %dv5\" class=\"axis\"/>", x, y);
        fprintf(file, "<text x=\"%.1f\" y=\"%d\" class=\"tick middle\">%.0f</text>\n", x, y + 18,
                at);
    }
    chart_text(file, CHART_LEFT + CHART_PLOT / 2, y + 36, "caption middle", what);
}
