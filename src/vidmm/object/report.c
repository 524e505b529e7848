/* report.c: why something was refused, in words. */
#include "vidmm/object/report.h"

#include <vidmm/adapter.h>
#include <wddm/ntstatus.h>

#include "base/assert.h"
#include "base/text.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/mutex.h"

struct vidmm_text vidmm_report_begin(struct vidmm_report *report)
{
    struct vidmm_text text;

    vidmm_text_init(&text, report ? report->text : NULL, report ? sizeof(report->text) : 0);
    return text;
}

void vidmm_report_clear(struct vidmm_report *report)
{
    if (report)
        report->text[0] = '\0';
}

NTSTATUS vidmm_report_refusal(struct vidmm_report *report, NTSTATUS status, const char *what,
                              uint64_t value, const char *legal)
{
    struct vidmm_text text;

    if (!report)
        return status;
    text = vidmm_report_begin(report);
    vidmm_text_string(&text, what);
    vidmm_text_string(&text, " is ");
    vidmm_text_number(&text, value);
    if (value > 9) {
        vidmm_text_string(&text, " (");
        vidmm_text_hex(&text, value);
        vidmm_text_string(&text, ")");
    }
    vidmm_text_string(&text, "; ");
    vidmm_text_string(&text, legal);
    return status;
}

NTSTATUS vidmm_report_value(struct vidmm_report *report, NTSTATUS status, const char *what,
                            uint64_t value)
{
    struct vidmm_text text;

    if (!report)
        return status;
    text = vidmm_report_begin(report);
    vidmm_text_string(&text, what);
    vidmm_text_string(&text, "; it is ");
    vidmm_text_hex(&text, value);
    return status;
}

NTSTATUS vidmm_report_reason(const struct vidmm_adapter *adapter, struct vidmm_report *report,
                             NTSTATUS status)
{
    const struct vidmm_adapter_options *options = &adapter->options;
    char reason[160];
    struct vidmm_text text;
    uint32_t length = 0;

    if (!report || !options->driver_reason ||
        !options->driver_reason(options->driver_reason_context, status, reason, sizeof(reason)))
        return status;
    while (length < sizeof(report->text) - 1 && report->text[length] != '\0')
        length++;
    vidmm_text_init(&text, report->text + length, sizeof(report->text) - length);
    vidmm_text_string(&text, length > 0 ? "; the driver says: " : "the driver says: ");
    vidmm_text_string(&text, reason);
    return status;
}

NTSTATUS vidmm_report_stopped(const struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    VIDMM_ASSERT(adapter->stopped && vidmm_adapter_is_locked(adapter));
    if (report)
        *report = adapter->stop_report;
    return STATUS_DEVICE_REMOVED;
}

bool vidmm_report_null(const void *pointer, const char *name, struct vidmm_report *report)
{
    struct vidmm_text text;

    if (pointer)
        return false;
    text = vidmm_report_begin(report);
    vidmm_text_string(&text, name);
    vidmm_text_string(&text, " is NULL; expected a pointer");
    return true;
}

bool vidmm_report_lacking(const void *pointer, uint64_t count, const char *name,
                          struct vidmm_report *report)
{
    struct vidmm_text text;

    if (pointer || count == 0)
        return false;
    text = vidmm_report_begin(report);
    vidmm_text_string(&text, name);
    vidmm_text_string(&text, " is NULL; expected a pointer, or a size of 0 in place of ");
    vidmm_text_number(&text, count);
    return true;
}
