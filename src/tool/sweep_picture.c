#include "tool/sweep_picture.h"

#include <inttypes.h>
#include <string.h>

#include "tool/size.h"
#include "tool/sweep.h"
#include "trace/curve.h"

#define GIB (UINT64_C(1) << 30)
#define LINES 3u /* a program has in the upper panel */

const uint64_t vidmm_sweep_cards[] = {1 * GIB, 2 * GIB,  4 * GIB,  6 * GIB,
                                      8 * GIB, 12 * GIB, 16 * GIB, 0};

static const char *const card_names[] = {"1 GiB", "2 GiB",  "4 GiB", "6 GiB",
                                         "8 GiB", "12 GiB", "16 GiB"};
#define CARDS (sizeof(card_names) / sizeof(card_names[0]))

static const uint16_t hues[VIDMM_SWEEPS] = {212, 22, 130, 290};

double vidmm_sweep_a_second(const struct vidmm_sweep *sweep, uint64_t bytes, uint64_t rate)
{
    return sweep->frames != 0 ? (double)bytes / (double)sweep->frames * (double)rate : 0;
}

static double held(const struct vidmm_sweep *sweep, const struct vidmm_sweep_point *point)
{
    return sweep->frames != 0 ? 100 * (double)point->frames_held / (double)sweep->frames : 0;
}

/* ---- the sentence ---------------------------------------------------------------------------- */

static int put_enough(const struct vidmm_sweep *sweep, char *text, size_t size)
{
    struct vidmm_size_text enough = vidmm_size_text(sweep->enough);
    const struct vidmm_sweep_point *last = &sweep->points[sweep->count - 1];

    if (sweep->enough == 0)
        return snprintf(text, size, "it pages with %s still", vidmm_size_text(last->memory).text);
    if (sweep->enough == sweep->points[0].memory)
        return snprintf(text, size, "with %s it pages nothing", enough.text);
    return snprintf(text, size, "nothing is paged from %s on", enough.text);
}

static int put_knee(const struct vidmm_sweep *sweep, char *text, size_t size)
{
    const struct vidmm_sweep_point *knee = vidmm_sweep_point(sweep, sweep->knee);

    if (knee == NULL)
        return 0;
    return snprintf(text, size, "; the knee is at %s, where %.1f %% of the frames are held up",
                    vidmm_size_text(knee->memory).text, held(sweep, knee));
}

/* The smallest card that holds all. */
static void put_card(const struct vidmm_sweep *sweep, char *text, size_t size)
{
    if (sweep->enough == 0)
        return;
    for (size_t i = 0; i < CARDS; i++)
        if (vidmm_sweep_cards[i] >= sweep->enough) {
            snprintf(text, size, "; a card of %s holds it", card_names[i]);
            return;
        }
}

void vidmm_sweep_verdict(const struct vidmm_sweep *sweep, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "it needs %s at once to run; ",
                                   vidmm_size_text(sweep->least).text);

    used += (size_t)put_enough(sweep, text + used, size - used);
    used += (size_t)put_knee(sweep, text + used, size - used);
    put_card(sweep, text + used, size - used);
}

/* ---- the picture ----------------------------------------------------------------------------- */

struct lines {
    char names[LINES][96];
    struct vidmm_curve_point values[LINES][VIDMM_SWEEP_POINTS], held[VIDMM_SWEEP_POINTS];
};

/* Everything that a picture of all of them points to. */
struct drawing {
    struct lines of[VIDMM_SWEEPS];
    struct vidmm_curve bytes[VIDMM_SWEEPS * LINES], held[VIDMM_SWEEPS];
    char texts[VIDMM_SWEEPS][500];
    const char *text_list[VIDMM_SWEEPS + 1];
    struct vidmm_curve_mark marks[CARDS];
};

static void plot(struct drawing *drawing, const struct vidmm_sweep *sweep, uint32_t number,
                 uint64_t rate)
{
    static const char *const names[LINES] = {"%s", "%s: LRU, no places", "%s: Belady, no places"};
    struct lines *lines = &drawing->of[number];

    for (uint32_t p = 0; p < sweep->count; p++) {
        const struct vidmm_sweep_point *point = &sweep->points[p];
        const uint64_t bytes[LINES] = {point->bytes_again, point->lru_bytes, point->belady_bytes};

        for (uint32_t line = 0; line < LINES; line++)
            lines->values[line][p] = (struct vidmm_curve_point){
                point->memory, vidmm_sweep_a_second(sweep, bytes[line], rate)};
        lines->held[p] = (struct vidmm_curve_point){point->memory, held(sweep, point)};
    }
    for (uint32_t line = 0; line < LINES; line++) {
        const char *behind = names[line] + 2; /* %s */

        snprintf(lines->names[line], sizeof(lines->names[line]), "%.60s%s", sweep->name, behind);
        drawing->bytes[number * LINES + line] =
            (struct vidmm_curve){lines->names[line], hues[number], (enum vidmm_curve_line)line,
                                 lines->values[line], sweep->count};
    }
    drawing->held[number] = (struct vidmm_curve){lines->names[0], hues[number], VIDMM_CURVE_SOLID,
                                                 lines->held, sweep->count};
}

static void put_texts(struct drawing *drawing, const struct vidmm_sweep *sweeps, uint32_t count)
{
    char verdict[400];

    for (uint32_t i = 0; i < count; i++) {
        vidmm_sweep_verdict(&sweeps[i], verdict, sizeof(verdict));
        snprintf(drawing->texts[i], sizeof(drawing->texts[i]), "%.60s: %s", sweeps[i].name,
                 verdict);
        drawing->text_list[i] = drawing->texts[i];
    }
    for (size_t i = 0; i < CARDS; i++)
        drawing->marks[i] = (struct vidmm_curve_mark){vidmm_sweep_cards[i], card_names[i]};
}

static void find_edges(struct vidmm_curve_picture *picture, const struct vidmm_sweep *sweeps,
                       uint32_t count)
{
    picture->least = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t least = sweeps[i].points[0].memory;
        uint64_t most = sweeps[i].points[sweeps[i].count - 1].memory;

        picture->least = least < picture->least ? least : picture->least;
        picture->most = most > picture->most ? most : picture->most;
    }
    picture->most += picture->most == picture->least;
}

bool vidmm_sweep_draw(const struct vidmm_sweep *sweeps, uint32_t count, uint64_t rate, FILE *file)
{
    static struct drawing drawing;
    char caption[120];

    memset(&drawing, 0, sizeof(drawing));
    for (uint32_t i = 0; i < count; i++)
        plot(&drawing, &sweeps[i], i, rate);
    put_texts(&drawing, sweeps, count);
    snprintf(caption, sizeof(caption), "bytes paged in again, a second of %" PRIu64 " frames",
             rate);
    const struct vidmm_curve_panel panels[] = {
        {caption, true, drawing.bytes, count * LINES},
        {"frames held up: something is paged out during them, or comes in again", false,
         drawing.held, count},
    };
    struct vidmm_curve_picture picture = {
        .title = count == 1 ? sweeps[0].app : "Memory of the GPU against paging",
        .lines = drawing.text_list,
        .panels = panels,
        .panel_count = 2,
        .marks = drawing.marks,
        .mark_count = CARDS,
    };
    find_edges(&picture, sweeps, count);
    return vidmm_curve_write(&picture, file);
}
