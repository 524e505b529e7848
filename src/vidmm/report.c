/* report.c: why something was refused, in words. */
#include "adapter_state.h"

struct vidmm_text vidmm_report_begin(struct vidmm_report *report)
{
    struct vidmm_text text;

    vidmm_text_init(&text, report ? report->text : NULL, report ? sizeof(report->text) : 0);
    return text;
}
