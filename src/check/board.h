/* board.h: the reports of the child process, on pages that it shares with its parent.
 *
 *      parent                          board                             child
 *      reads, draws progress  <--  findings, facts, notes        <--  check, kit, auditor
 *      names the culprit      <-- calls that are under way <-- shim (each call of the driver)
 *      knows how it ended     <--  end
 *
 * The child only adds, so that whatever happens to it, what it said stays.
 */
#ifndef CHECK_BOARD_H
#define CHECK_BOARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define VIDMM_BOARD_FINDINGS 256u
#define VIDMM_BOARD_CALLS 32u
#define VIDMM_BOARD_STEPS 64u
#define VIDMM_BOARD_FACTS 48u
#define VIDMM_BOARD_STARTS 96u
#define VIDMM_BOARD_FRAMES 24u
#define VIDMM_BOARD_TRACES 4u
#define VIDMM_BOARD_CALLERS 8u

enum vidmm_check_finding_id {
#define CHECK_FINDING(number, name, sentence, document, rules, windows, advice)                    \
    VIDMM_CHECK_##name = number,
#include "check/finding.def"
#undef CHECK_FINDING
    VIDMM_CHECK_FINDINGS /* one more than the last */
};

struct vidmm_check_row {
    const char *name, *sentence, *document;
};
/* Findings, or notes, that the board has, of so many that were seen: it has room for
 * VIDMM_BOARD_FINDINGS. */
static inline uint32_t vidmm_board_shown(uint32_t seen)
{
    return seen < VIDMM_BOARD_FINDINGS ? seen : VIDMM_BOARD_FINDINGS;
}

/* The row of a finding of check's own. */
const struct vidmm_check_row *vidmm_check_row(unsigned id);

/* Something that is wrong with the driver. */
struct vidmm_board_finding {
    char id[16];         /* "C-004", "K-003", "S4-045" */
    char sentence[256];  /* the kind */
    char document[160];  /* where that is written */
    char operation[160]; /* during what; may be empty */
    char text[480];      /* the observation, in numbers */
    char record[1200];   /* the call, decoded; may be empty */
    char before[1200];   /* the call of that thread which came before it; may be empty */
    uint64_t address;    /* in the driver's file; 0: nowhere in particular */
    uint64_t
        callers[VIDMM_BOARD_CALLERS]; /* in the driver's file, outward from there; 0: no more */
    uint32_t step;                    /* number of the step in which it was seen first */
    atomic_uint count;                /* how often it was seen; the texts are of the first time */
    atomic_bool ready;
};

/* A part of the run. */
struct vidmm_board_step {
    char name[96];
    uint64_t operations; /* paging operations that were built */
    uint64_t bytes;      /* compared */
    uint32_t findings;
    char skipped[160]; /* why it was not done; empty: it was */
    bool done;
};

/* The place where a thread was when something fell, or hung. */
struct vidmm_board_trace {
    char what[96]; /* the thread, or the call that it is in */
    struct vidmm_board_frame {
        char file[160];   /* empty: the driver */
        uint64_t address; /* in the file, as a return address */
    } frames[VIDMM_BOARD_FRAMES];
    uint32_t count;
    atomic_bool ready;
};

enum vidmm_board_end {
    VIDMM_BOARD_UNDER_WAY,
    VIDMM_BOARD_ENDED,        /* all steps are behind it */
    VIDMM_BOARD_GAVE_UP,      /* a finding made going on senseless */
    VIDMM_BOARD_COULD_NOT_RUN /* `problem` says why */
};

/* The driver's actions, as far as they show. Written by the child's first thread. */
struct vidmm_board_seen {
    uint32_t packed;         /* most operations in a paging buffer; 0: none was built */
    uint32_t in_flight;      /* most submissions that were not complete */
    uint32_t by_cpu, by_gpu; /* bits: operations that wrote nothing, or something */
    uint32_t split;          /* enum vidmm_miniport_split: how transfers in parts were read */
};

struct vidmm_board {
    atomic_uint finding_count, note_count, fact_count, step_count;
    atomic_uint step; /* number of the one that is under way; 0: none */
    /* Steps, findings and traces of children that have ended; theirs come first. */
    uint32_t steps_before, findings_before, traces_before;
    struct vidmm_board_finding findings[VIDMM_BOARD_FINDINGS];
    struct vidmm_board_finding notes[VIDMM_BOARD_FINDINGS]; /* no fault of the driver's */
    char facts[VIDMM_BOARD_FACTS][200];
    struct vidmm_board_start { /* the start, call by call (start_sequence.c) */
        char call[96], answer[120];
        uint32_t times; /* in a row, with the same answer */
    } starts[VIDMM_BOARD_STARTS];
    atomic_uint start_count;
    char start_end[400];         /* how it ended, in a sentence */
    uint32_t start_bug_check[2]; /* that Windows stops with, and its first parameter; 0: none */
    struct vidmm_board_step steps[VIDMM_BOARD_STEPS];
    struct vidmm_board_call {
        atomic_uint thread; /* the caller; 0: none */
        char text[1200];
    } calls[VIDMM_BOARD_CALLS];
    char operation[160]; /* the work in progress */
    char only[96];       /* the steps that are wanted have this in their names; empty: all */
    char passed[2000];   /* names of steps that were not wanted */
    atomic_uint end;     /* enum vidmm_board_end */
    char problem[600];
    bool out_of_memory;      /* of the GPU's memory, for the recording: the problem says how much */
    atomic_uint trace_count; /* those begun */
    struct vidmm_board_trace traces[VIDMM_BOARD_TRACES];
    struct vidmm_board_seen seen;
    bool more;                      /* the child's GPU can do no more, and steps are left */
    bool lenient;                   /* findings of check's own are notes: an attempt may fail */
    atomic_uint frames, all_frames; /* of a replay: done, and in its recordings; 0: it is none */
    atomic_uint beats;              /* calls that have been made: it lives */
    atomic_uint advances;           /* ... and that something has come of */
    atomic_int unconfined;          /* errno: why no filter of system calls stands around it; 0 */
    uint32_t seals[2];              /* VIDMM_BOARD_SEAL, and its complement */
};
#define VIDMM_BOARD_SEAL 0x5EA1B0A2u

/* Make a board that a child will share. NULL: no memory. */
struct vidmm_board *vidmm_board_create(void);
void vidmm_board_destroy(struct vidmm_board *board);

/* The system denies the child's confinement, by `error` (errno); 0: it does not. The first error is
 * kept, and every report says it once. */
void vidmm_board_confined(struct vidmm_board *board, int error);

/* Nobody adds any more: make whole what a wild pointer may have broken, so that every count has its
 * room and every text ends and can be printed. If there was such a thing, it is a finding; with a
 * plug-in, which may have done it, a problem. */
void vidmm_board_settle(struct vidmm_board *board, bool plugin);

/* Add a finding or a note; the same id in the same step, or at the same place of the driver, is
 * counted, not repeated. Any thread. `record` may be NULL: then it is the innermost call of this
 * thread. */
void vidmm_board_find(struct vidmm_board *board, const char *id, const char *sentence,
                      const char *document, const char *record, const char *text);
void vidmm_board_note(struct vidmm_board *board, const char *id, const char *sentence,
                      const char *document, const char *record, const char *text);
/* In the call that this thread makes of the driver, the driver has called `name`, which the kit
 * does not have: the result of that call is no fault of the driver's. */
void vidmm_board_missed(struct vidmm_board *board, const char *name);
/* The name of the missing thing that this thread's last call met; NULL: it met none. */
const char *vidmm_board_missing(void);

/* The call is DxgkDdiStartDevice, and has failed: nothing else is called, so what the driver leaves
 * behind may follow. The name of what was missing in it; NULL: no start failed so. */
void vidmm_board_refused(void);
const char *vidmm_board_refused_by(void);
/* A finding; a note, if it follows from `name`, which the kit does not have. NULL: it does not. */
void vidmm_board_judge(struct vidmm_board *board, const char *name, const char *id,
                       const char *sentence, const char *document, const char *record,
                       const char *text);

/* A finding of check's own; a note, where something was missing in the call. */
__attribute__((format(printf, 4, 5))) void vidmm_check_find(struct vidmm_board *board,
                                                            enum vidmm_check_finding_id id,
                                                            const char *record, const char *format,
                                                            ...);
/* From here on this thread finds what others told it, or what was counted before: no call of its
 * own has a part in that. False: until here. */
void vidmm_board_apart(bool apart);
/* The next finding or note of this thread was made at this place of the driver's file. */
void vidmm_board_at(uint64_t address);
/* Find the places of this thread in the driver: fill in positions in its file, the innermost first,
 * and answer how many. `call` is the record of a call, or NULL: of the last: the place of the call
 * itself if no frame of the driver's is left. */
typedef unsigned vidmm_board_look(const char *call, uint64_t *places, unsigned room);
void vidmm_board_use(vidmm_board_look *look);
/* Calls are recorded, and `count(argument)` answers how many records there are: each step of this
 * process that begins remembers it. */
typedef uint64_t vidmm_board_count(void *argument);
void vidmm_board_record_by(vidmm_board_count *count, void *argument);
/* From here on the findings and notes of this thread are of the step in which that record was made,
 * the first record being number 1; 0: of the step that is under way, as before. */
void vidmm_board_look_back(uint64_t record);
/* Room for one more thread's frames; NULL: there is none. */
struct vidmm_board_trace *vidmm_board_trace(struct vidmm_board *board);
/* Something to know about the driver, for the report's head; said once. */
__attribute__((format(printf, 2, 3))) void vidmm_board_fact(struct vidmm_board *board,
                                                            const char *format, ...);

/* Another child is about to add to what the last one has left. */
void vidmm_board_go_on(struct vidmm_board *board);

/* Begin a step; the one before is done. A step that a child before this one has begun goes on. */
struct vidmm_board_step *vidmm_board_begin(struct vidmm_board *board, const char *name);
/* Whether a child before this one has begun a step whose name begins so. */
bool vidmm_board_had(const struct vidmm_board *board, const char *prefix);
/* Whether a step is wanted: board->only is in its name, or its name is in board->only; and no child
 * before this one has begun it. */
bool vidmm_board_wants(const struct vidmm_board *board, const char *name);
/* Begin a step if it is wanted, and answer whether it is; else its name is kept in
 * board->passed. */
__attribute__((format(printf, 2, 3))) bool vidmm_board_try(struct vidmm_board *board,
                                                           const char *format, ...);
/* The step that is under way; NULL: none. */
struct vidmm_board_step *vidmm_board_step(struct vidmm_board *board);
__attribute__((format(printf, 2, 3))) void vidmm_board_skip(struct vidmm_board *board,
                                                            const char *format, ...);
__attribute__((format(printf, 2, 3))) void vidmm_board_operation(struct vidmm_board *board,
                                                                 const char *format, ...);
/* It cannot run; the first reason stays, with what was missing in the call. Always false. */
__attribute__((format(printf, 2, 3))) bool vidmm_board_problem(struct vidmm_board *board,
                                                               const char *format, ...);

/* This thread calls the driver; answers the slot, to be given back. */
struct vidmm_board_call *vidmm_board_enter(struct vidmm_board *board);
void vidmm_board_leave(struct vidmm_board_call *call);
/* The innermost call of this thread, as text; NULL: none. */
const char *vidmm_board_current(struct vidmm_board *board);

#endif
