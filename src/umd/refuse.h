/* refuse.h: refusals in words. */
#ifndef UMD_REFUSE_H
#define UMD_REFUSE_H

#include <stddef.h>

#include <vidmm/adapter.h>

/* Write the sentence to the report, which may be NULL, and answer the status. */
static inline NTSTATUS umd_refuse(struct vidmm_report *report, NTSTATUS status,
                                  const char *sentence)
{
    size_t i = 0;

    if (report == NULL)
        return status;
    for (; sentence[i] != 0 && i + 1 < sizeof(report->text); i++)
        report->text[i] = sentence[i];
    report->text[i] = 0;
    return status;
}

#endif
