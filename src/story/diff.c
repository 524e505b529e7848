/* The longest common subsequence of lines, by the table of all ends: stories are short. */
#include "story/scenario.h"

#include <stdlib.h>
#include <string.h>

enum {
    AROUND = 2,           /* lines shown around a difference */
    CELLS_MOST = 1 << 24, /* of the table */
};

struct lines {
    const char **at; /* each up to its \n, or to the closing 0 */
    size_t count;
};

static size_t length_of(const char *line)
{
    return strcspn(line, "\n");
}

static bool same(const char *a, const char *b)
{
    return length_of(a) == length_of(b) && memcmp(a, b, length_of(a)) == 0;
}

static bool split(const char *text, struct lines *lines)
{
    size_t count = 1;

    for (const char *at = text; *at != 0; at++)
        count += *at == '\n';
    lines->count = 0;
    lines->at = calloc(count, sizeof(*lines->at));
    if (lines->at == NULL)
        return false;
    for (const char *at = text; *at != 0;) {
        lines->at[lines->count++] = at;
        at += length_of(at);
        at += *at == '\n';
    }
    return true;
}

/* One line of the outcome: ' ', '-' or '+', and its text. */
struct change {
    char mark;
    const char *line;
};

/* table[i * (b + 1) + j]: common lines of a from i on and b from j on. */
static void fill(const struct lines *a, const struct lines *b, unsigned *table)
{
    size_t width = b->count + 1;

    for (size_t i = a->count; i-- > 0;)
        for (size_t j = b->count; j-- > 0;) {
            unsigned down = table[(i + 1) * width + j], right = table[i * width + j + 1];

            if (same(a->at[i], b->at[j]))
                table[i * width + j] = table[(i + 1) * width + j + 1] + 1;
            else
                table[i * width + j] = down > right ? down : right;
        }
}

static size_t walk(const struct lines *a, const struct lines *b, const unsigned *table,
                   struct change *changes)
{
    size_t width = b->count + 1, i = 0, j = 0, count = 0;

    while (i < a->count || j < b->count)
        if (i < a->count && j < b->count && same(a->at[i], b->at[j]))
            changes[count++] = (struct change){' ', a->at[i]}, i++, j++;
        else if (j == b->count ||
                 (i < a->count && table[(i + 1) * width + j] >= table[i * width + j + 1]))
            changes[count++] = (struct change){'-', a->at[i++]};
        else
            changes[count++] = (struct change){'+', b->at[j++]};
    return count;
}

/* Whether a change is near enough to line i to show it. */
static bool is_near(const struct change *changes, size_t count, size_t i)
{
    size_t first = i > AROUND ? i - AROUND : 0, last = i + AROUND;

    for (size_t k = first; k <= last && k < count; k++)
        if (changes[k].mark != ' ')
            return true;
    return false;
}

static void print(const struct change *changes, size_t count, FILE *file)
{
    bool gap = false;

    for (size_t i = 0; i < count; i++) {
        if (!is_near(changes, count, i)) {
            gap = true;
            continue;
        }
        if (gap)
            fputs("  ...\n", file);
        gap = false;
        fprintf(file, "%c %.*s\n", changes[i].mark, (int)length_of(changes[i].line),
                changes[i].line);
    }
}

bool vidmm_scenario_diff(const char *expected, const char *found, FILE *file)
{
    struct lines a = {NULL, 0}, b = {NULL, 0};
    struct change *changes = NULL;
    unsigned *table = NULL;
    bool split_both = split(expected, &a) && split(found, &b);

    if (split_both && (a.count + 1) * (b.count + 1) <= CELLS_MOST) {
        table = calloc((a.count + 1) * (b.count + 1), sizeof(*table));
        changes = calloc(a.count + b.count + 1, sizeof(*changes));
    }
    if (table != NULL && changes != NULL) {
        fill(&a, &b, table);
        print(changes, walk(&a, &b, table, changes), file);
    }
    bool done = table != NULL && changes != NULL;
    free(table);
    free(changes);
    free(a.at);
    free(b.at);
    return done;
}
