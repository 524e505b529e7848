/* The whole picture: title, legend, panels. */
#include "trace/chart_draw.h"

#include <stdlib.h>
#include <string.h>

#include <vidmm/memory.h>

#include "trace/chart.h"
#include "trace/chart_state.h"

#define MEMORY_HEIGHT 400
#define APERTURE_HEIGHT 130
#define GAP 40   /* between panels, with the caption of the lower one */
#define TITLE 34 /* base line of the title */
#define LINE 18  /* between lines of text */

static const char style[] =
    "<style>text{font-family:'DejaVu Sans',Verdana,Arial,sans-serif;fill:#222}"
    ".title{font-weight:bold}.line{font-size:12.5px;fill:#444}"
    ".caption{font-size:12.5px;fill:#222}.tick{font-size:11px;fill:#555}.legend{font-size:12px}"
    ".end{text-anchor:end}.middle{text-anchor:middle}"
    ".panel{fill:#fafafa;stroke:#999;stroke-width:1}.grid{stroke:#000;stroke-opacity:.12}"
    ".axis{stroke:#555}.edge{stroke:#000;stroke-opacity:.22;fill:none}"
    ".paged{stroke:#0b2f6b;fill:none}.evicted{stroke:#d7191c;fill:none}"
    ".used{fill:#9ecae1}.wanted{fill:none;stroke:#111;stroke-width:1.3}"
    ".needed{fill:none;stroke:#e6750b;stroke-width:1.1}"
    ".size{fill:none;stroke:#c00;stroke-width:1.3;stroke-dasharray:6 4}"
    ".in{fill:#2b6cb8}.out{fill:#d7191c}.ground{fill:#fff}"
    "@media(prefers-color-scheme:dark){text{fill:#e6e6e6}.line,.tick{fill:#b4b4b4}"
    ".caption{fill:#e6e6e6}.ground{fill:#16181c}.panel{fill:#1e2127;stroke:#666}"
    ".grid{stroke:#fff}.axis{stroke:#aaa}.edge{stroke:#fff}.wanted{stroke:#eee}"
    ".paged{stroke:#7fb2ff}.used{fill:#33597a}}</style>\n";

/* A sample of a class and its words. */
static void legend_box(FILE *file, int x, int y, const struct vidmm_chart *chart,
                       uint32_t class_index)
{
    for (uint32_t shade = 0; shade < 3; shade++) {
        fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"7\" height=\"12\" fill=\"",
                x + (int)shade * 7, y - 10);
        chart_colour(file, chart, class_index * CHART_SHADES + shade * 2);
        fputs("\"/>", file);
    }
    chart_text(file, x + 27, y, "legend", chart->options.classes[class_index].name);
}

enum sample { SAMPLE_LINE, SAMPLE_AREA, SAMPLE_UPRIGHT };

static int legend_line(FILE *file, int x, int y, const char *class, enum sample sample,
                       const char *name)
{
    bool upright = sample == SAMPLE_UPRIGHT, area = sample == SAMPLE_AREA;

    if (upright)
        fprintf(file, "<path class=\"%s\" d=\"M%d.5 %dv12\"/>", class, x + 4, y - 10);
    else
        fprintf(file, "<path class=\"%s\" d=\"M%d %dh22v%sh-22z\"/>", class, x, y - (area ? 9 : 4),
                area ? "10" : ".1");
    chart_text(file, x + (upright ? 12 : 27), y, "legend", name);
    return x + (upright ? 30 : 45) + 7 * (int)strlen(name);
}

/* The classes that occur, from line y on, in as many lines as they need; answers how many those
 * are. file may be NULL: only count. */
static int draw_legend(FILE *file, const struct vidmm_chart *chart, int y)
{
    bool seen[VIDMM_CHART_CLASSES] = {false};
    int x = CHART_LEFT, lines = 1;

    for (uint32_t i = 0; i < chart->stay_count; i++)
        seen[chart->owners[chart->stays[i].owner].class_index] = true;
    for (uint32_t i = 0; i < chart->options.class_count; i++) {
        int width = 45 + 7 * (int)strlen(chart->options.classes[i].name);

        if (!seen[i])
            continue;
        if (x + width > CHART_LEFT + CHART_PLOT) {
            x = CHART_LEFT;
            lines++;
        }
        if (file != NULL)
            legend_box(file, x, y + (lines - 1) * LINE, chart, i);
        x += width;
    }
    return lines;
}

static void draw_line_legends(FILE *file, int pressure, int map)
{
    int x = legend_line(file, CHART_LEFT + 320, map, "paged", SAMPLE_UPRIGHT, "paged in");

    legend_line(file, x, map, "evicted", SAMPLE_UPRIGHT, "evicted");
    x = legend_line(file, CHART_LEFT + 210, pressure, "used", SAMPLE_AREA, "in use");
    x = legend_line(file, x, pressure, "wanted", SAMPLE_LINE, "live, may be nowhere else");
    x = legend_line(file, x, pressure, "needed", SAMPLE_LINE, "needed at once by a submission");
    legend_line(file, x, pressure, "size", SAMPLE_LINE, "size");
}

static int panel_height(const struct vidmm_chart_segment *segment)
{
    return segment->aperture ? APERTURE_HEIGHT : MEMORY_HEIGHT;
}

/* Memory segments above, apertures below. */
static bool draw_segments(FILE *file, const struct vidmm_chart *chart,
                          const struct chart_clock *clock, int *top, int *first_map)
{
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < chart->options.segment_count; i++) {
            const struct vidmm_chart_segment *segment = &chart->options.segments[i];

            if (segment->aperture != (pass == 1))
                continue;
            if (*first_map == 0)
                *first_map = *top;
            if (!chart_map(file, chart, clock, segment, *top, (uint32_t)panel_height(segment)))
                return false;
            *top += panel_height(segment) + GAP;
        }
    return true;
}

static int total_height(const struct vidmm_chart *chart, int top)
{
    int height = top + 2 * (CHART_SERIES + GAP) + 20;

    for (uint32_t i = 0; i < chart->options.segment_count; i++)
        height += panel_height(&chart->options.segments[i]) + GAP;
    return height;
}

/* Everything above the panels; answers where they begin. */
static int draw_head(FILE *file, const struct vidmm_chart *chart,
                     const struct vidmm_chart_text *text)
{
    int lines = 0, fit = CHART_PLOT * 10 / 6 / ((int)strlen(text->title) + 1);

    while (lines < 3 && text->lines[lines] != NULL)
        lines++;
    int legend = TITLE + lines * LINE + 24;
    int top = legend + (draw_legend(NULL, chart, 0) - 1) * LINE + GAP;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\">\n%s<rect width=\"100%%\" height=\"100%%\" class=\"ground\"/>\n",
            CHART_WIDTH, total_height(chart, top), CHART_WIDTH, total_height(chart, top), style);
    /* A long title is set smaller. */
    fprintf(file, "<g style=\"font-size:%dpx\">", fit < 20 ? fit : 20);
    chart_text(file, CHART_LEFT, TITLE, "title", text->title);
    fputs("</g>", file);
    for (int i = 0; i < lines; i++)
        chart_text(file, CHART_LEFT, TITLE + 2 + LINE * (i + 1), "line", text->lines[i]);
    draw_legend(file, chart, legend);
    return top;
}

static bool draw(FILE *file, const struct vidmm_chart *chart, const struct chart_clock *clock,
                 const struct vidmm_chart_text *text, struct chart_series *series)
{
    int top = draw_head(file, chart, text), first_map = 0;

    if (!draw_segments(file, chart, clock, &top, &first_map))
        return false;
    chart_gather(chart, clock, series);
    chart_pressure(file, chart, clock, series, top);
    draw_line_legends(file, top - 8, first_map - 8);
    top += CHART_SERIES + GAP;
    chart_traffic(file, clock, series, top, text->frame);
    chart_x_axis(file, clock, top + CHART_SERIES, text->axis);
    fputs("</svg>\n", file);
    return fflush(file) == 0 && !ferror(file);
}

bool vidmm_chart_write(struct vidmm_chart *chart, const struct vidmm_chart_text *text, FILE *file)
{
    const struct vidmm_memory *memory = &chart->memory;
    struct chart_clock clock = {NULL, 0};
    struct chart_series *series = memory->allocate(memory->context, sizeof(*series));
    bool done = series != NULL && !chart->out_of_memory && chart_clock_init(&clock, chart) &&
                draw(file, chart, &clock, text, series);

    if (series != NULL)
        memory->free(memory->context, series);
    if (clock.frame_of != NULL)
        memory->free(memory->context, clock.frame_of);
    return done;
}
