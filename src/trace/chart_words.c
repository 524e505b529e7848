#include "trace/chart_words.h"

#include <stdio.h>

#include <vidmm/adapter.h>

#include "base/size.h"
#include "base/text.h"
#include "trace/chart.h"

void vidmm_chart_say(const struct vidmm_chart_facts *facts, struct vidmm_chart_words *words,
                     struct vidmm_chart_text *text)
{
    struct vidmm_size_text memory = vidmm_size_text(facts->memory);
    struct vidmm_size_text aperture = vidmm_size_text(facts->aperture);
    struct vidmm_size_text in = vidmm_size_text(facts->manager->bytes_in);
    struct vidmm_size_text out = vidmm_size_text(facts->manager->bytes_out);
    struct vidmm_size_text wanted = vidmm_size_text(facts->wanted);
    struct vidmm_size_text needed = vidmm_size_text(facts->needed);

    snprintf(words->title, sizeof(words->title), "%s", facts->title);
    snprintf(words->lines[0], sizeof(words->lines[0]),
             "on a GPU with %s of memory and an aperture of %s", memory.text, aperture.text);
    snprintf(words->lines[1], sizeof(words->lines[1]),
             facts->spill
                 ? "%s, %s; wants %s of the memory at most, %s at once, and may have all of it in "
                   "the aperture"
                 : "%s, %s; wants %s of the memory at most, needs %s at once",
             vidmm_counted(facts->frames, "frame").text,
             vidmm_counted(facts->submissions, "submission").text, wanted.text, needed.text);
    snprintf(words->lines[2], sizeof(words->lines[2]), "%s paged in, %s out; %s, %s, %s; %s",
             in.text, out.text, vidmm_counted(facts->manager->page_ins, "page-in").text,
             vidmm_counted(facts->manager->evictions, "eviction").text,
             vidmm_counted(facts->manager->compactions, "compaction").text,
             vidmm_counted(facts->mismatches, "content mismatch").text);
    text->title = words->title;
    for (unsigned i = 0; i < 3; i++)
        text->lines[i] = words->lines[i];
}
