/* debug.c: debug output, break points, assertions, traces. There is no debugger unless the host
 * says so. */
#include "kit/state.h"

#include <kit/WppRecorder.h>

static BOOLEAN not_present = TRUE, enabled = FALSE;
PBOOLEAN KdDebuggerNotPresent = &not_present;
PBOOLEAN KdDebuggerEnabled = &enabled;
WPP_KIT_CONTROL vidmm_kit_wpp_control = {TRUE, TRACE_LEVEL_VERBOSE, NULL};

static void print(const char *prefix, const char *format, va_list arguments)
{
    char text[1024];
    size_t used = (size_t)snprintf(text, sizeof(text), "%s", prefix);

    if (used < sizeof(text))
        vidmm_kit_format(text + used, sizeof(text) - used, false, format, arguments);
    vidmm_kit_print(text);
}

ULONG DbgPrint(PCSTR format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print("", format, arguments);
    va_end(arguments);
    return (ULONG)STATUS_SUCCESS;
}

ULONG DbgPrintEx(ULONG component, ULONG level, PCSTR format, ...)
{
    va_list arguments;

    (void)component, (void)level;
    va_start(arguments, format);
    print("", format, arguments);
    va_end(arguments);
    return (ULONG)STATUS_SUCCESS;
}

ULONG vDbgPrintEx(ULONG component, ULONG level, PCCH format, va_list arguments)
{
    (void)component, (void)level;
    print("", format, arguments);
    return (ULONG)STATUS_SUCCESS;
}

ULONG vDbgPrintExWithPrefix(PCCH prefix, ULONG component, ULONG level, PCCH format,
                            va_list arguments)
{
    (void)component, (void)level;
    print(prefix, format, arguments);
    return (ULONG)STATUS_SUCCESS;
}

ULONG DbgPrompt(PCCH prompt, PCHAR response, ULONG length)
{
    vidmm_kit_print(prompt);
    if (length)
        *response = 0;
    return 0;
}

VOID DbgBreakPoint(VOID)
{
    vidmm_kit_find(CALLER, VIDMM_KIT_BREAK_POINT, "DbgBreakPoint");
}

VOID DbgBreakPointWithStatus(ULONG status)
{
    vidmm_kit_find(CALLER, VIDMM_KIT_BREAK_POINT, "DbgBreakPointWithStatus(0x%x)", status);
}

BOOLEAN KdRefreshDebuggerNotPresent(VOID)
{
    return not_present;
}

NTSTATUS KdDisableDebugger(VOID)
{
    return STATUS_SUCCESS;
}

NTSTATUS KdEnableDebugger(VOID)
{
    return STATUS_SUCCESS;
}

VOID RtlAssert(PVOID assertion, PVOID file, ULONG line, PSTR message)
{
    vidmm_kit_find(CALLER, VIDMM_KIT_ASSERTION, "%s%s%s, %s:%u", message ? message : "",
                   message ? ": " : "", (const char *)assertion, (const char *)file, line);
}

/* ---- traces ---- */

/* A trace is a record, and its format has no end of line; a line is what it becomes here. */
static void print_line(char *text, size_t used)
{
    if (used > 0 && text[used - 1] != '\n') {
        text[used] = '\n';
        text[used + 1] = 0;
    }
    vidmm_kit_print(text);
}

static void trace(const char *function, ULONG line, ULONG level, PCSTR format, va_list arguments)
{
    char text[1024];

    int used = snprintf(text, 120, "[%u] %s:%u ", level, function, line);
    size_t at = used < 0 ? 0 : used < 120 ? (size_t)used : 119;
    vidmm_kit_format(text + at, sizeof(text) - at - 1, false, format, arguments);
    print_line(text, strlen(text));
}

VOID vidmm_kit_trace(const char *function, ULONG line, ULONG level, PCSTR format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    trace(function, line, level, format, arguments);
    va_end(arguments);
}

/* The trace preprocessor knows %s as text of 8-bit characters in a format of either width; a prefix
 * may stand in front of a format of 16-bit ones. */
VOID vidmm_kit_trace_wide(const char *function, ULONG line, ULONG level, PCSTR format, ...)
{
    const WCHAR *wide = (const WCHAR *)(const void *)format;
    char narrow[900];
    size_t at = 0;
    va_list arguments;

    for (; wide[at] != 0 && at + 1 < sizeof(narrow); at++)
        narrow[at] = wide[at] < 0x80 ? (char)wide[at] : '?';
    narrow[at] = 0;
    va_start(arguments, format);
    trace(function, line, level, narrow, arguments);
    va_end(arguments);
}

VOID WppRecorderConfigure(PRECORDER_CONFIGURE_PARAMS params)
{
    if (params->Size != sizeof(*params))
        vidmm_kit_find(CALLER, VIDMM_KIT_NOT_INITIALIZED, "WppRecorderConfigure: Size %u",
                       params->Size);
}

NTSTATUS WppRecorderLogCreate(PRECORDER_LOG_CREATE_PARAMS params, RECORDER_LOG *log)
{
    (void)params;
    *log = (RECORDER_LOG)&vidmm_kit_wpp_control;
    return STATUS_SUCCESS;
}

VOID WppRecorderLogDelete(RECORDER_LOG log)
{
    (void)log;
}

RECORDER_LOG WppRecorderLogGetDefault(VOID)
{
    return (RECORDER_LOG)&vidmm_kit_wpp_control;
}

/* ---- events of the system's tracing: registered, never enabled ---- */

NTSTATUS EtwRegister(LPCGUID provider, PETWENABLECALLBACK callback, PVOID context,
                     PREGHANDLE handle)
{
    IRQL_MAX(PASSIVE_LEVEL);
    (void)provider, (void)callback, (void)context;
    *handle = 1;
    return STATUS_SUCCESS;
}

NTSTATUS EtwUnregister(REGHANDLE handle)
{
    IRQL_MAX(PASSIVE_LEVEL);
    return handle ? STATUS_SUCCESS : STATUS_INVALID_HANDLE;
}

BOOLEAN EtwEventEnabled(REGHANDLE handle, PCEVENT_DESCRIPTOR event)
{
    (void)handle, (void)event;
    return FALSE;
}

BOOLEAN EtwProviderEnabled(REGHANDLE handle, UCHAR level, ULONGLONG keyword)
{
    (void)handle, (void)level, (void)keyword;
    return FALSE;
}

NTSTATUS EtwWrite(REGHANDLE handle, PCEVENT_DESCRIPTOR event, LPCGUID activity, ULONG count,
                  PEVENT_DATA_DESCRIPTOR data)
{
    (void)event, (void)activity, (void)count, (void)data;
    return handle ? STATUS_SUCCESS : STATUS_INVALID_HANDLE;
}
