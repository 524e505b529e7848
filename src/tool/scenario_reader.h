/* scenario_reader.h: what the two halves of the reader of stories share: scenario_read.c goes through
 * lines and acts, scenario_words.c reads what stands behind a word. */
#ifndef VIDMM_TOOL_SCENARIO_READER_H
#define VIDMM_TOOL_SCENARIO_READER_H

#include "tool/scenario.h"

enum { VIDMM_SCENARIO_LINE = 400, VIDMM_SCENARIO_WORDS = 80 };

struct vidmm_scenario_reader {
    const char *name;
    char *error;
    size_t error_size;
    struct vidmm_scenario *scenario;
    uint32_t line;
    uint32_t count; /* words of the line */
    char *word[VIDMM_SCENARIO_WORDS];
    char buffer[VIDMM_SCENARIO_LINE]; /* what they stand in */
    char *config;                     /* lines for the software GPU, at the numbers they stand at */
    size_t config_size;
    char *words_end; /* of scenario->words */
    bool acting;     /* the first act was seen */
    uint32_t process;
    bool alive[VIDMM_SCENARIO_ALLOCATIONS];
};

/* Say why, with file and line. Always false. */
bool vidmm_scenario_wrong(struct vidmm_scenario_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A number of least .. most, or a size in bytes, with K, M or G if one likes. `what` names it in an
 * error. */
bool vidmm_scenario_number(struct vidmm_scenario_reader *reader, const char *what, const char *word,
                           uint64_t least, uint64_t most, uint64_t *number);
bool vidmm_scenario_size(struct vidmm_scenario_reader *reader, const char *what, const char *word,
                         uint64_t least, uint64_t most, uint64_t *size);

/* manager KEY VALUE; machine KEY VALUE */
bool vidmm_scenario_manager(struct vidmm_scenario_reader *reader);
bool vidmm_scenario_machine(struct vidmm_scenario_reader *reader);

/* What stands behind the names in `alloc NAME ... SIZE WORD ...`, from word[at] on. */
bool vidmm_scenario_wish(struct vidmm_scenario_reader *reader, uint32_t at,
                         struct vidmm_scenario_allocation *allocation);

#endif
