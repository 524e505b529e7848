/* check_options.h: the options that `vidmm check` and `vidmm replay --miniport` share: how a driver
 * is run, and in which forms the findings are told. */
#ifndef VIDMM_TOOL_CHECK_OPTIONS_H
#define VIDMM_TOOL_CHECK_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "check/check.h"
#include "tool/check_reports.h"
#include "tool/options.h"

/* How the driver is run. */
struct vidmm_driver_run {
    bool print;
    uint64_t timeout; /* seconds */
    const char *config, *plugin, *journal;
    struct vidmm_report_forms forms;
};

/* The rows --config, --journal. */
struct vidmm_option vidmm_option_config(struct vidmm_driver_run *run);
struct vidmm_option vidmm_option_journal(struct vidmm_driver_run *run);

/* The rows --print, --json, --sarif, --junit, --github, in the order of help. */
#define VIDMM_FORM_OPTIONS 5
void vidmm_option_forms(struct vidmm_driver_run *run,
                        struct vidmm_option options[VIDMM_FORM_OPTIONS]);

/* The options of the run of a driver by `configuration`. Progress is drawn on a terminal, unless
 * JSON is asked for. */
struct vidmm_check_options
vidmm_driver_run_options(const struct vidmm_driver_run *run, const char *driver,
                         const struct vidmm_miniport_configuration *configuration);

#endif
