/* check.h: put a driver through its paces, in a child process.
 *
 *      parent: watches, reports                 child: host, auditor's tap, rig, lab
 *
 * The parent survives whatever the driver does. It forks, so it must have one thread.
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include <stdio.h>

#include "check/board.h"

struct vidmm_check_options {
    const char *driver;  /* file */
    const char *plugin;  /* file, or NULL: the configuration's */
    uint32_t timeout_s;  /* the limit of one call of the driver, 1 .. */
    const char *journal; /* file for the paging operations, or NULL */
    const char *only;    /* the steps with this in their names, or NULL: all */
    bool print;          /* the driver's debug output goes to stderr */
    FILE *progress;      /* a line that says how far it is; NULL: none */
    const struct vidmm_miniport_configuration *configuration;
};

/* The function that runs in the child: answers how it ended. */
typedef enum vidmm_board_end vidmm_check_body(struct vidmm_board *board, void *argument);

/* Run `body` in a child process and watch over it: a call that does not come back within timeout_s,
 * or an end that nobody announced, is a finding. Answers false if there is no child. */
bool vidmm_check_watch(struct vidmm_board *board, const struct vidmm_check_options *options,
                       vidmm_check_body *body, void *argument);

/* End the child, at once: nothing of the driver is undone. All printed text is out. */
_Noreturn void vidmm_check_leave(void);

/* Tell, as facts, what showed of the driver's habits; nothing, if nothing was built.
 * lab_habits.c */
void vidmm_check_habits(struct vidmm_board *board,
                        const struct vidmm_miniport_configuration *habits);

/* Ask the driver, in children of their own, for what Windows never asks; the board is that of a run
 * that has ended. unasked.c */
void vidmm_check_unasked(struct vidmm_board *board, const struct vidmm_check_options *options);

/* The whole of `vidmm check`: all sequences. The board has what came of it. */
bool vidmm_check_run(struct vidmm_board *board, const struct vidmm_check_options *options);

/* The whole of `vidmm check --start`: the start under the manager, call by call. */
bool vidmm_check_start(struct vidmm_board *board, const struct vidmm_check_options *options);

/* The whole of `vidmm replay --miniport`: recorded programs on the driver, under the manager. */
#define VIDMM_REPLAY_FILES 2u
struct vidmm_replay_options {
    struct vidmm_check_options check;
    const char *files[VIDMM_REPLAY_FILES];
    uint32_t file_count;
    const char *timeline; /* draw into this file (SVG); NULL: do not */
};
bool vidmm_check_replay(struct vidmm_board *board, const struct vidmm_replay_options *options);

/* The exit status of the result: 0 clean, 1 findings, 2 it could not run. */
int vidmm_check_status(const struct vidmm_board *board);
/* The driver that was looked at, and the way to do it again. */
struct vidmm_check_subject {
    const char *driver; /* file */
    const char *again;  /* the command, whole: "vidmm check ./driver.so --config gpu.conf" */
    bool steps;         /* the command knows --only STEP */
};

/* Write the command that shows a finding again. */
void vidmm_check_again(const struct vidmm_board *board, const struct vidmm_check_subject *subject,
                       const struct vidmm_board_finding *finding, char *text, size_t size);
/* Write why no filter of system calls stands around the driver. NULL: one does. */
const char *vidmm_check_unconfined(const struct vidmm_board *board, char *text, size_t size);

/* A report for people, and one for programs. */
void vidmm_check_report(const struct vidmm_board *board, const struct vidmm_check_subject *subject,
                        FILE *file);
void vidmm_check_report_json(const struct vidmm_board *board,
                             const struct vidmm_check_subject *subject, FILE *file);
/* Why it could not run, by which command; and where the threads were, if that is the reason. */
void vidmm_check_report_problem(const struct vidmm_board *board, const char *command,
                                const char *driver, FILE *file);

#endif
