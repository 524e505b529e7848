/* chart_words.h: the text above a picture of a run: sizes, wishes, and results. */
#ifndef VIDMM_TRACE_CHART_WORDS_H
#define VIDMM_TRACE_CHART_WORDS_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_chart_text;
struct vidmm_statistics;

/* Facts about a run. Sizes are bytes. */
struct vidmm_chart_facts {
    const char *title;
    uint64_t memory, aperture; /* of the GPU */
    uint64_t frames, submissions;
    uint64_t wanted, needed; /* of the memory: at most, and at once by a submission */
    bool spill;              /* it may have all of it in the aperture */
    const struct vidmm_statistics *manager;
    uint64_t mismatches;
};

struct vidmm_chart_words {
    char title[340], lines[3][400];
};

/* Put the facts into words, and point the text's title and lines to these. */
void vidmm_chart_say(const struct vidmm_chart_facts *facts, struct vidmm_chart_words *words,
                     struct vidmm_chart_text *text);

#endif
