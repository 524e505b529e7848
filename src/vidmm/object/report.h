/* report.h: why something was refused, in words. Nothing here allocates or fails. */
#ifndef VIDMM_OBJECT_REPORT_H
#define VIDMM_OBJECT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include <base/text.h>
#include <wddm/wddm_types.h>
struct vidmm_adapter;
struct vidmm_report;

/* Begin a text in a report, which is empty from here on. `report` may be NULL: then what is written
 * is lost. */
struct vidmm_text vidmm_report_begin(struct vidmm_report *report);
/* Empty a report, which nothing may be written to. `report` may be NULL. */
void vidmm_report_clear(struct vidmm_report *report);
/* Write "WHAT is VALUE; LEGAL" and answer the status. `report` may be NULL. */
NTSTATUS vidmm_report_refusal(struct vidmm_report *report, NTSTATUS status, const char *what,
                              uint64_t value, const char *legal);
/* Write "WHAT; it is VALUE", where `what` names what is legal, and answer the status. `report` may
 * be NULL. */
NTSTATUS vidmm_report_value(struct vidmm_report *report, NTSTATUS status, const char *what,
                            uint64_t value);
/* Add the driver's own words to a report on a call that it refused, if there are any
 * (driver_reason). Answers `status`. `report` may be NULL. */
NTSTATUS vidmm_report_reason(const struct vidmm_adapter *adapter, struct vidmm_report *report,
                             NTSTATUS status);
/* Say why the adapter, which has stopped, has. Answers STATUS_DEVICE_REMOVED. The mutex is held;
 * `report` may be NULL. */
NTSTATUS vidmm_report_stopped(const struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Whether an argument that has to point somewhere does not; the report then names it. */
bool vidmm_report_null(const void *pointer, const char *name, struct vidmm_report *report);
/* Whether a pointer to so many bytes, or elements, is NULL, and count is not 0; the report then
 * names it. */
bool vidmm_report_lacking(const void *pointer, uint64_t count, const char *name,
                          struct vidmm_report *report);

#endif
