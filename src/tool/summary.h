/* summary.h: the results of a run, for people and for programs. */
#ifndef VIDMM_TOOL_SUMMARY_H
#define VIDMM_TOOL_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

struct vidmm_run_result;

/* The paragraph for people, which ends in the line `verdict: ...`. */
void vidmm_summary_print(const struct vidmm_run_result *result, FILE *file);

/* One JSON object. False: no memory, or the file would not take it. */
bool vidmm_summary_json(const struct vidmm_run_result *result, FILE *file);

/* The programs' names, in a line. */
void vidmm_summary_names(const struct vidmm_run_result *result, char *text, size_t size);

/* The exit status of a run: 0 clean, 1 a mismatch or a violation, 2 it could not run, 3 for
 * want of memory, 128 and the number of the signal that interrupted it. */
int vidmm_summary_status(const struct vidmm_run_result *result);

#endif
