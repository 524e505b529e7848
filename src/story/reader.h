/* reader.h: declarations that the parts of the reader of stories share: read.c goes through lines,
 * acts.c reads acts, read_submit.c and read_resource.c some of them, words.c what stands behind a
 * word of an option or a wish. */
#ifndef VIDMM_STORY_READER_H
#define VIDMM_STORY_READER_H

#include "story/scenario.h"

enum { VIDMM_SCENARIO_LINE = 400, VIDMM_SCENARIO_WORDS = 80 };

struct vidmm_scenario_reader {
    const char *name;
    char *error;
    size_t error_size;
    struct vidmm_scenario *scenario;
    uint32_t line;
    uint32_t count; /* words of the line */
    char *word[VIDMM_SCENARIO_WORDS];
    char buffer[VIDMM_SCENARIO_LINE]; /* their text */
    char *config;                     /* lines for the software GPU, at the numbers they stand at */
    size_t config_size;
    char *words_end; /* of scenario->words */
    bool acting;     /* the first act was seen */
    uint32_t process;
    bool alive[VIDMM_SCENARIO_ALLOCATIONS];
    bool resource_alive[VIDMM_SCENARIO_RESOURCES];
};

/* Say why, with file and line. Always false. */
bool vidmm_scenario_wrong(struct vidmm_scenario_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Is the word one that a process or an allocation may have? `what` names it in an error. */
bool vidmm_scenario_check_name(struct vidmm_scenario_reader *reader, const char *what,
                               const char *word);

/* The allocation that has the name now. -1: none. */
int64_t vidmm_scenario_find(const struct vidmm_scenario_reader *reader, const char *name);
/* The act names this one, too. */
bool vidmm_scenario_refer(struct vidmm_scenario_reader *reader, struct vidmm_act *act,
                          const char *name, bool write);
/* The act gives a name a meaning, and names it. */
bool vidmm_scenario_add(struct vidmm_scenario_reader *reader, struct vidmm_act *act,
                        const char *name, const struct vidmm_scenario_allocation *wish);
/* From word[at] on there stand names, and behind them their wish; `resource`: as in an
 * allocation. */
bool vidmm_scenario_add_all(struct vidmm_scenario_reader *reader, struct vidmm_act *act,
                            uint32_t at, uint32_t resource);

/* The resource that has the name now, in the process of the act, or in any. -1: none. */
int64_t vidmm_scenario_find_resource(const struct vidmm_scenario_reader *reader,
                                     const struct vidmm_act *act, const char *name);
/* VIDMM_OFFER_... of low, normal, high, auto; 0: none of them. */
uint32_t vidmm_scenario_offer_word(const char *word);
bool vidmm_scenario_read_submit(struct vidmm_scenario_reader *reader, struct vidmm_act *act);

/* Acts on resources. */
bool vidmm_scenario_read_resource(struct vidmm_scenario_reader *reader, struct vidmm_act *act);
bool vidmm_scenario_read_standard(struct vidmm_scenario_reader *reader, struct vidmm_act *act);
bool vidmm_scenario_read_extend(struct vidmm_scenario_reader *reader, struct vidmm_act *act);
bool vidmm_scenario_read_open(struct vidmm_scenario_reader *reader, struct vidmm_act *act);
bool vidmm_scenario_read_close(struct vidmm_scenario_reader *reader, struct vidmm_act *act);

/* present.c */
bool vidmm_scenario_read_present(struct vidmm_scenario_reader *reader, struct vidmm_act *act);

/* The first word of each kind of act, from 0 on; NULL behind the last. */
const char *vidmm_scenario_act_name(size_t which);
/* Read the line, whose first word is that one. */
bool vidmm_scenario_read_act(struct vidmm_scenario_reader *reader, size_t which, bool refused);
/* An act comes, or the end: the GPU is known from here on. */
bool vidmm_scenario_gpu(struct vidmm_scenario_reader *reader);

/* A number of least .. most, or a size (base/size.h). `what` names it in an error. */
bool vidmm_scenario_number(struct vidmm_scenario_reader *reader, const char *what, const char *word,
                           uint64_t least, uint64_t most, uint64_t *number);
bool vidmm_scenario_size(struct vidmm_scenario_reader *reader, const char *what, const char *word,
                         uint64_t least, uint64_t most, uint64_t *size);

/* manager KEY VALUE; machine KEY VALUE */
bool vidmm_scenario_manager(struct vidmm_scenario_reader *reader);
bool vidmm_scenario_machine(struct vidmm_scenario_reader *reader);

/* Read the words behind the names in `alloc NAME ... SIZE WORD ...`, from word[at] on. */
bool vidmm_scenario_wish(struct vidmm_scenario_reader *reader, uint32_t at,
                         struct vidmm_scenario_allocation *allocation);

#endif
