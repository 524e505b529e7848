#include "tool/check_options.h"

#include <stddef.h>
#include <stdio.h>

#include "tool/progress.h"

struct vidmm_option vidmm_option_config(struct vidmm_driver_run *run)
{
    return (struct vidmm_option){"config",
                                 VIDMM_OPTION_TEXT,
                                 &run->config,
                                 "FILE",
                                 "the device, the driver's habits, the registry (docs/check.md)",
                                 0,
                                 0,
                                 NULL,
                                 NULL};
}

struct vidmm_option vidmm_option_journal(struct vidmm_driver_run *run)
{
    return (struct vidmm_option){
        "journal",
        VIDMM_OPTION_TEXT,
        &run->journal,
        "FILE",
        "write each paging operation: process, addresses, allocation, places, fence",
        0,
        0,
        NULL,
        NULL};
}

void vidmm_option_forms(struct vidmm_driver_run *run,
                        struct vidmm_option options[VIDMM_FORM_OPTIONS])
{
    const struct vidmm_option rows[] = {
        {"print", VIDMM_OPTION_SWITCH, &run->print, NULL,
         "show the driver's debug output on stderr", 0, 0, NULL, NULL},
        {"json", VIDMM_OPTION_SWITCH, &run->forms.json, NULL,
         "print one JSON object, and nothing else", 0, 0, NULL, NULL},
        {"sarif", VIDMM_OPTION_TEXT, &run->forms.sarif, "FILE",
         "write the findings as SARIF 2.1.0 as well, for code hosts and editors", 0, 0, NULL, NULL},
        {"junit", VIDMM_OPTION_TEXT, &run->forms.junit, "FILE",
         "write the steps as JUnit's test cases as well, for build servers", 0, 0, NULL, NULL},
        {"github", VIDMM_OPTION_SWITCH, &run->forms.github, NULL,
         "print each finding as a GitHub workflow command first", 0, 0, NULL, NULL},
    };

    _Static_assert(sizeof(rows) / sizeof(rows[0]) == VIDMM_FORM_OPTIONS, "as the header says");
    for (unsigned i = 0; i < VIDMM_FORM_OPTIONS; i++)
        options[i] = rows[i];
}

struct vidmm_check_options
vidmm_driver_run_options(const struct vidmm_driver_run *run, const char *driver,
                         const struct vidmm_miniport_configuration *configuration)
{
    return (struct vidmm_check_options){
        .driver = driver,
        .plugin = run->plugin,
        .journal = run->journal,
        .timeout_s = (uint32_t)run->timeout,
        .print = run->print,
        .progress = vidmm_progress_can_draw() && !run->forms.json ? stderr : NULL,
        .configuration = configuration,
    };
}
