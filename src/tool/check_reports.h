/* check_reports.h: what was found of a driver, in every form that was asked for: for people, as
 * JSON, as SARIF, as JUnit's XML, as commands of a GitHub workflow. */
#ifndef VIDMM_TOOL_CHECK_REPORTS_H
#define VIDMM_TOOL_CHECK_REPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "check/check.h"

/* The forms that are asked for. */
struct vidmm_report_forms {
    bool json;         /* one object on standard output, in place of the text */
    bool github;       /* a line a finding on standard output, before the text */
    const char *sarif; /* file, or NULL */
    const char *junit; /* file, or NULL */
};

/* How a driver was run, as far as it decides what is found. */
struct vidmm_report_run {
    const char *verb;         /* "check", "replay" */
    const char *const *words; /* the files, then switches */
    size_t count;
    const char *config, *plugin; /* or NULL */
    uint64_t timeout;            /* seconds; 0: the usual */
};
/* Write the command that does it again. */
void vidmm_report_command(const struct vidmm_report_run *run, char *text, size_t size);

/* Write all of them, and answer the exit status: that of the result, or VIDMM_COULD_NOT_RUN if a
 * file could not be written. `verb`: "check" or "replay". */
int vidmm_reports_write(const struct vidmm_board *board, const char *verb,
                        const struct vidmm_check_subject *subject,
                        const struct vidmm_report_forms *forms);

/* One form each. False: it could not be written, errno says why. */
bool vidmm_report_sarif(const struct vidmm_board *board, const struct vidmm_check_subject *subject,
                        const char *path);
bool vidmm_report_junit(const struct vidmm_board *board, const struct vidmm_check_subject *subject,
                        const char *path);
void vidmm_report_github(const struct vidmm_board *board, const struct vidmm_check_subject *subject,
                         FILE *file);

#endif
