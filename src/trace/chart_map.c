/* The map of one segment: the stays in each place, and their times.
 *
 * Stays are painted on a grid of cells, one a pixel, in the order in which they began, so that of
 * what is smaller than a cell the last is seen. Equal neighbours on the grid become rectangles
 * again. If those are more than fit in the file, the cells are made larger. */
#include "trace/chart_draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/memory.h>

#include "base/assert.h"
#include "trace/chart.h"
#include "trace/chart_state.h"
#include "trace/seats.h"

#define RECTANGLES 40000 /* of a panel, at most */
#define TITLES 600       /* of a panel: rectangles that say what they are */
#define TITLE_AREA 150   /* of pixels, from which a rectangle may have a title */
#define MARK_WIDTH 4     /* of pixels, from which a rectangle shows how it began and ended */
#define EDGE_HEIGHT 4    /* of pixels, from which a rectangle has an edge below */

struct rectangle {
    uint32_t left, right, low, high; /* cells; half open */
    uint32_t stay, colour;
};

struct map {
    const struct vidmm_chart *chart;
    const struct chart_clock *clock;
    const struct vidmm_chart_segment *segment;
    uint64_t range; /* addresses shown: 0 .. range */
    uint32_t cell;  /* pixels of the side of a cell */
    uint32_t columns, rows;
    uint32_t *cells; /* by column, then row from the bottom: stay + 1, or 0 */
    struct rectangle *rectangles;
    uint32_t count;
};

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void paint(struct map *map, uint32_t index)
{
    const struct chart_stay *stay = &map->chart->stays[index];
    double begin = chart_column(map->clock, stay->begin) / map->cell;
    double end = chart_column(map->clock, stay->open ? map->chart->tick : stay->end) / map->cell;
    double rows = map->rows, size = (double)map->range;
    uint32_t left = least((uint32_t)begin, map->columns - 1);
    uint32_t low = least((uint32_t)((double)stay->offset / size * rows), map->rows - 1);
    uint32_t right = least((uint32_t)end, map->columns);
    uint32_t high = least((uint32_t)((double)(stay->offset + stay->size) / size * rows), map->rows);

    for (uint32_t column = left; column < right || column == left; column++)
        for (uint32_t row = low; row < high || row == low; row++)
            map->cells[column * map->rows + row] = index + 1;
}

static uint32_t run_end(const uint32_t *column, uint32_t row, uint32_t rows)
{
    uint32_t end = row + 1;

    while (end < rows && column[end] == column[row])
        end++;
    return end;
}

/* Is the same run in the column to the left? */
static bool continues(const struct map *map, uint32_t column, uint32_t row, uint32_t end)
{
    const uint32_t *here = map->cells + column * map->rows, *before = here - map->rows;

    return column > 0 && before[row] == here[row] && run_end(before, row, map->rows) == end &&
           (row == 0 || before[row - 1] != before[row]);
}

static void add_rectangle(struct map *map, uint32_t column, uint32_t row, uint32_t end)
{
    VIDMM_ASSERT(column < map->columns && row < end && end <= map->rows);
    const uint32_t *here = map->cells + column * map->rows;
    struct rectangle rectangle = {column, column + 1, row, end, here[row] - 1, 0};

    rectangle.colour = chart_colour_of(map->chart, &map->chart->stays[rectangle.stay]);
    while (rectangle.right < map->columns && continues(map, rectangle.right, row, end))
        rectangle.right++;
    if (map->count < RECTANGLES)
        map->rectangles[map->count] = rectangle;
    map->count++;
}

/* Turn cells into rectangles; `count` may come out larger than RECTANGLES. */
static void find_rectangles(struct map *map)
{
    map->count = 0;
    for (uint32_t column = 0; column < map->columns; column++) {
        const uint32_t *here = map->cells + column * map->rows;

        for (uint32_t row = 0, end; row < map->rows; row = end) {
            end = run_end(here, row, map->rows);
            if (here[row] != 0 && !continues(map, column, row, end))
                add_rectangle(map, column, row, end);
        }
    }
}

static void rasterize(struct map *map, uint32_t cell, uint32_t height)
{
    map->cell = cell;
    map->columns = CHART_PLOT / cell;
    map->rows = height / cell;
    VIDMM_ASSERT(map->columns > 0 && map->rows > 0);
    memset(map->cells, 0, (size_t)map->columns * map->rows * sizeof(*map->cells));
    for (uint32_t i = 0; i < map->chart->stay_count; i++)
        if (map->chart->stays[i].segment == map->segment->id)
            paint(map, i);
    find_rectangles(map);
}

static uint32_t area(const struct map *map, const struct rectangle *r)
{
    return (r->right - r->left) * (r->high - r->low) * map->cell * map->cell;
}

/* By colour; within one, from left to right. */
static int compare_rectangles(const void *left, const void *right)
{
    const struct rectangle *a = left, *b = right;

    if (a->colour != b->colour)
        return a->colour < b->colour ? -1 : 1;
    if (a->left != b->left)
        return a->left < b->left ? -1 : 1;
    return a->low < b->low ? -1 : a->low > b->low;
}

static void print_titled(FILE *file, const struct map *map, const struct rectangle *r, int bottom)
{
    const struct chart_stay *stay = &map->chart->stays[r->stay];
    const struct chart_owner *owner = &map->chart->owners[stay->owner];
    uint32_t end = stay->open ? map->chart->tick : stay->end;

    fprintf(file, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"",
            CHART_LEFT + r->left * map->cell, (uint32_t)bottom - r->high * map->cell,
            (r->right - r->left) * map->cell, (r->high - r->low) * map->cell);
    chart_colour(file, map->chart, r->colour);
    fputs("\"><title>", file);
    chart_escaped(file, map->chart->options.classes[owner->class_index].name);
    fprintf(file, " %" PRIu32 ": %.2f MiB at %.2f MiB, from %.1f to %.1f</title></rect>\n",
            owner->number, (double)stay->size / 1048576, (double)stay->offset / 1048576,
            map->clock->frame_of[stay->begin], map->clock->frame_of[end]);
}

static void print_plain(FILE *file, const struct map *map, const struct rectangle *r, int bottom)
{
    uint32_t width = (r->right - r->left) * map->cell;

    fprintf(file, "M%u %uh%uv%uh-%uz", CHART_LEFT + r->left * map->cell,
            (uint32_t)bottom - r->high * map->cell, width, (r->high - r->low) * map->cell, width);
}

static void print_rectangles(FILE *file, const struct map *map, int bottom)
{
    uint32_t colour = UINT32_MAX, titles = 0;

    for (uint32_t i = 0; i < map->count; i++)
        if (area(map, &map->rectangles[i]) >= TITLE_AREA && titles++ < TITLES)
            print_titled(file, map, &map->rectangles[i], bottom);
    titles = 0;
    for (uint32_t i = 0; i < map->count; i++) {
        const struct rectangle *r = &map->rectangles[i];

        if (area(map, r) >= TITLE_AREA && titles++ < TITLES)
            continue;
        if (r->colour != colour) {
            fputs(colour == UINT32_MAX ? "<path fill=\"" : "\"/>\n<path fill=\"", file);
            colour = r->colour;
            chart_colour(file, map->chart, colour);
            fputs("\" d=\"", file);
        }
        print_plain(file, map, r, bottom);
    }
    if (colour != UINT32_MAX)
        fputs("\"/>\n", file);
}

/* Lines where a stay that is wide enough began with a page-in, or ended with an eviction. */
static void print_marks(FILE *file, const struct map *map, int bottom, bool evictions)
{
    fprintf(file, "<path class=\"%s\" d=\"", evictions ? "evicted" : "paged");
    for (uint32_t i = 0; i < map->count; i++) {
        const struct rectangle *r = &map->rectangles[i];
        const struct chart_stay *stay = &map->chart->stays[r->stay];
        double edge = chart_column(map->clock, evictions ? stay->end : stay->begin) / map->cell;
        uint32_t at = evictions ? r->right : r->left;

        if ((r->right - r->left) * map->cell < MARK_WIDTH || (uint32_t)edge != at)
            continue;
        if (evictions ? stay->open || stay->went != VIDMM_SEAT_PAGED_OUT
                      : stay->came != VIDMM_SEAT_PAGED_IN)
            continue;
        fprintf(file, "M%u.5 %uv%u", CHART_LEFT + at * map->cell - evictions,
                (uint32_t)bottom - r->high * map->cell, (r->high - r->low) * map->cell);
    }
    fputs("\"/>\n", file);
}

/* A line below each rectangle that is tall enough, to part neighbours of one colour. */
static void print_edges(FILE *file, const struct map *map, int bottom)
{
    fputs("<path class=\"edge\" d=\"", file);
    for (uint32_t i = 0; i < map->count; i++) {
        const struct rectangle *r = &map->rectangles[i];

        if ((r->high - r->low) * map->cell < EDGE_HEIGHT || r->low == 0)
            continue;
        fprintf(file, "M%u %u.5h%u", CHART_LEFT + r->left * map->cell,
                (uint32_t)bottom - r->low * map->cell - 1, (r->right - r->left) * map->cell);
    }
    fputs("\"/>\n", file);
}

/* Make cells larger until their rectangles are few enough. */
static void find_all(struct map *map, uint32_t height)
{
    uint32_t cell = 1;

    do {
        rasterize(map, cell, height);
        cell *= 2;
    } while (map->count > RECTANGLES);
    qsort(map->rectangles, map->count, sizeof(*map->rectangles), compare_rectangles);
}

/* A memory segment is shown whole; of an aperture, which is often near empty, what was in use. */
static uint64_t range_of(const struct vidmm_chart *chart, const struct vidmm_chart_segment *segment)
{
    uint64_t range = 4096;

    if (!segment->aperture)
        return segment->size;
    for (uint32_t i = 0; i < chart->stay_count; i++) {
        const struct chart_stay *stay = &chart->stays[i];

        while (stay->segment == segment->id && stay->offset + stay->size > range)
            range *= 2;
    }
    return range < segment->size ? range : segment->size;
}

static void draw(FILE *file, const struct map *map, int top, int height)
{
    const struct vidmm_chart_segment *segment = map->segment;
    char caption[120];
    double unit;
    const char *name = chart_unit(segment->size, &unit);

    snprintf(caption, sizeof(caption), "segment %u, %s: address (%.4g %s in all)", segment->id,
             segment->aperture ? "aperture" : "memory", (double)segment->size / unit, name);
    chart_panel(file, map->clock, top, height, caption);
    chart_y_axis(file, top, height, map->range);
    print_rectangles(file, map, top + height);
    print_edges(file, map, top + height);
    if (segment->aperture)
        return;
    print_marks(file, map, top + height, false);
    print_marks(file, map, top + height, true);
}

bool chart_map(FILE *file, const struct vidmm_chart *chart, const struct chart_clock *clock,
               const struct vidmm_chart_segment *segment, int top, uint32_t height)
{
    const struct vidmm_memory *memory = &chart->memory;
    struct map map = {
        .chart = chart, .clock = clock, .segment = segment, .range = range_of(chart, segment)};

    map.cells = memory->allocate(memory->context, (size_t)CHART_PLOT * height * sizeof(uint32_t));
    map.rectangles = memory->allocate(memory->context, RECTANGLES * sizeof(*map.rectangles));
    bool room = map.cells != NULL && map.rectangles != NULL;
    if (room) {
        find_all(&map, height);
        draw(file, &map, top, (int)height);
    }
    if (map.cells != NULL)
        memory->free(memory->context, map.cells);
    if (map.rectangles != NULL)
        memory->free(memory->context, map.rectangles);
    return room;
}
