#include "trace/curve.h"

#include <math.h>
#include <string.h>

#include <vidmm/page.h>

#include "base/assert.h"
#include "trace/chart_draw.h"

#define TOP_PANEL 340
#define PANEL 170
#define GAP 44
#define TITLE 34
#define LINE 18
#define LOGARITHMIC 8 /* times the least from which sizes lie at equal ratios */
#define LEGEND_WIDTH 384
#define LEGEND_COLUMNS 3

static const char style[] =
    "<style>text{font-family:'DejaVu Sans',Verdana,Arial,sans-serif;fill:#222}"
    ".title{font-weight:bold}.line{font-size:12.5px;fill:#444}"
    ".caption{font-size:12.5px}.tick{font-size:11px;fill:#555}.legend{font-size:12px}"
    ".end{text-anchor:end}.middle{text-anchor:middle}.ground{fill:#fff}"
    ".panel{fill:#fafafa;stroke:#999;stroke-width:1}.grid{stroke:#000;stroke-opacity:.12}"
    ".axis{stroke:#555}.mark{stroke:#555;stroke-width:1.2}"
    ".curve{fill:none;stroke-width:1.8;stroke-linejoin:round}"
    ".dashed{stroke-dasharray:7 4;stroke-width:1.3}.dotted{stroke-dasharray:1.5 3.5;"
    "stroke-width:1.5}"
    "@media(prefers-color-scheme:dark){text{fill:#e6e6e6}.line,.tick{fill:#b4b4b4}"
    ".ground{fill:#16181c}.panel{fill:#1e2127;stroke:#666}.grid{stroke:#fff}"
    ".axis,.mark{stroke:#aaa}.curve{filter:brightness(1.35)}}</style>\n";

/* ---- scales ---------------------------------------------------------------------------------- */

static bool is_logarithmic(const struct vidmm_curve_picture *picture)
{
    return picture->most / picture->least >= LOGARITHMIC;
}

static double column(const struct vidmm_curve_picture *picture, uint64_t size)
{
    double least = (double)picture->least, most = (double)picture->most, at = (double)size;
    double part = is_logarithmic(picture) ? log(at / least) / log(most / least)
                                          : (at - least) / (most - least);

    return CHART_LEFT + part * CHART_PLOT;
}

static double highest(const struct vidmm_curve_panel *panel)
{
    double most = 0;

    for (uint32_t i = 0; i < panel->count; i++)
        for (uint32_t p = 0; p < panel->curves[i].count; p++)
            most = fmax(most, panel->curves[i].points[p].value);
    return most;
}

/* The value at the top of the panel: a little above the highest, and the next round number where
 * values are of a hundred. */
static double top_value(const struct vidmm_curve_panel *panel)
{
    double most = highest(panel);

    if (panel->bytes)
        return fmax(most * 1.05, 1024.0 * 1024);
    return most > 50 ? 100 : most > 20 ? 50 : most > 10 ? 20 : 10;
}

/* ---- axes ------------------------------------------------------------------------------------ */

static void size_text(char *text, size_t length, uint64_t size)
{
    double unit;
    const char *name = chart_unit(size, &unit);

    snprintf(text, length, "%.4g %s", (double)size / unit, name);
}

static void x_tick(FILE *file, const struct vidmm_curve_picture *picture, uint64_t size, int top,
                   int bottom)
{
    double x = column(picture, size);
    char text[32];

    size_text(text, sizeof text, size);
    fprintf(file, "<path d=\"M%.1f %dV%d\" class=\"grid\"/>", x, top, bottom);
    fprintf(file, "<text x=\"%.1f\" y=\"%d\" class=\"tick middle\">%s</text>\n", x, bottom + 18,
            text);
}

static void x_axis(FILE *file, const struct vidmm_curve_picture *picture, int top, int bottom)
{
    uint64_t step = chart_step(picture->most - picture->least, 5);
    uint64_t at = (picture->least + step - 1) / step * step;

    if (!is_logarithmic(picture))
        for (; at <= picture->most; at += step)
            x_tick(file, picture, at, top, bottom);
    else
        for (at = VIDMM_PAGE_SIZE; at <= picture->most; at *= 2)
            if (at >= picture->least)
                x_tick(file, picture, at, top, bottom);
    chart_text(file, CHART_LEFT + CHART_PLOT / 2, bottom + 36, "caption middle",
               "memory of the GPU");
}

static void marks(FILE *file, const struct vidmm_curve_picture *picture, int top, int bottom)
{
    for (uint32_t i = 0; i < picture->mark_count; i++) {
        const struct vidmm_curve_mark *mark = &picture->marks[i];

        if (mark->size < picture->least || mark->size > picture->most)
            continue;
        fprintf(file, "<path d=\"M%.1f %dV%d\" class=\"mark\"/>", column(picture, mark->size), top,
                bottom);
        chart_text(file, (int)column(picture, mark->size) + 4, top + 13, "tick", mark->text);
    }
}

/* ---- panels ---------------------------------------------------------------------------------- */

static const char *class_of(enum vidmm_curve_line line)
{
    return line == VIDMM_CURVE_DASHED ? " dashed" : line == VIDMM_CURVE_DOTTED ? " dotted" : "";
}

static void curve(FILE *file, const struct vidmm_curve_picture *picture,
                  const struct vidmm_curve *curve, int top, int height, double range)
{
    fprintf(file, "<path class=\"curve%s\" stroke=\"hsl(%u,70%%,40%%)\" d=\"",
            class_of(curve->line), curve->hue);
    for (uint32_t i = 0; i < curve->count; i++)
        fprintf(file, "%s%.1f %.1f", i == 0 ? "M" : "L", column(picture, curve->points[i].size),
                top + height - curve->points[i].value / range * height);
    fputs("\"/>\n", file);
    if (curve->line != VIDMM_CURVE_SOLID)
        return;
    for (uint32_t i = 0; i < curve->count; i++)
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\" fill=\"hsl(%u,70%%,40%%)\"/>",
                column(picture, curve->points[i].size),
                top + height - curve->points[i].value / range * height, curve->hue);
    fputc('\n', file);
}

static void y_axis(FILE *file, const struct vidmm_curve_panel *panel, int top, int height,
                   double range)
{
    if (panel->bytes) {
        chart_y_axis(file, top, height, (uint64_t)range);
        return;
    }
    for (int part = 0; part <= 4; part++)
        chart_y_tick(file, top + height - height * part / 4, range * part / 4);
    chart_y_unit(file, top, height, "%");
}

static void draw_panel(FILE *file, const struct vidmm_curve_picture *picture,
                       const struct vidmm_curve_panel *panel, int top, int height)
{
    double range = top_value(panel);

    fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"panel\"/>\n",
            CHART_LEFT, top, CHART_PLOT, height);
    chart_text(file, CHART_LEFT, top - 8, "caption", panel->caption);
    y_axis(file, panel, top, height, range);
    for (uint32_t i = 0; i < panel->count; i++)
        curve(file, picture, &panel->curves[i], top, height, range);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void legend(FILE *file, const struct vidmm_curve_panel *panel, int y)
{
    for (uint32_t i = 0; i < panel->count; i++) {
        const struct vidmm_curve *one = &panel->curves[i];
        int x = CHART_LEFT + (int)(i % LEGEND_COLUMNS) * LEGEND_WIDTH;
        int line = y + (int)(i / LEGEND_COLUMNS) * LINE;

        fprintf(file, "<path class=\"curve%s\" stroke=\"hsl(%u,70%%,40%%)\" d=\"M%d %dh30\"/>",
                class_of(one->line), one->hue, x, line - 4);
        chart_text(file, x + 38, line, "legend", one->name);
    }
}

static int legend_lines(const struct vidmm_curve_panel *panel)
{
    return (int)(panel->count + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
}

static int line_count(const struct vidmm_curve_picture *picture)
{
    int lines = 0;

    while (picture->lines[lines] != NULL)
        lines++;
    return lines;
}

static int height_of(uint32_t panel)
{
    return panel == 0 ? TOP_PANEL : PANEL;
}

static void head(FILE *file, const struct vidmm_curve_picture *picture, int height)
{
    int fit = CHART_PLOT * 10 / 6 / ((int)strlen(picture->title) + 1);

    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\">\n%s<rect width=\"100%%\" height=\"100%%\" class=\"ground\"/>\n",
            CHART_WIDTH, height, CHART_WIDTH, height, style);
    fprintf(file, "<g style=\"font-size:%dpx\">", fit < 20 ? fit : 20);
    chart_text(file, CHART_LEFT, TITLE, "title", picture->title);
    fputs("</g>", file);
    for (int i = 0; i < line_count(picture); i++)
        chart_text(file, CHART_LEFT, TITLE + 2 + LINE * (i + 1), "line", picture->lines[i]);
}

bool vidmm_curve_write(const struct vidmm_curve_picture *picture, FILE *file)
{
    VIDMM_ASSERT(picture->panel_count >= 1 && picture->least >= 1);
    VIDMM_ASSERT(picture->least < picture->most);
    int legend_y = TITLE + (line_count(picture) + 1) * LINE + 10;
    int first = legend_y + legend_lines(&picture->panels[0]) * LINE + GAP / 2;
    int bottom = first - GAP;

    for (uint32_t i = 0; i < picture->panel_count; i++)
        bottom += GAP + height_of(i);
    head(file, picture, bottom + GAP + 6);
    legend(file, &picture->panels[0], legend_y);
    for (uint32_t i = 0, top = (uint32_t)first; i < picture->panel_count; i++) {
        draw_panel(file, picture, &picture->panels[i], (int)top, height_of(i));
        top += (uint32_t)(height_of(i) + GAP);
    }
    x_axis(file, picture, first, bottom);
    marks(file, picture, first, bottom);
    fputs("</svg>\n", file);
    return fflush(file) == 0 && !ferror(file);
}
