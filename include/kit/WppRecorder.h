/*
 * WppRecorder.h: tracing by the software trace preprocessor, without the preprocessor.
 *
 * A source includes <name>.tmh after its logging header; the kit gives an empty one. The macros
 * that the preprocessor would make from `begin_wpp config` comments are made by the kit's compiler
 * front end, and end in vidmm_kit_trace(); those that every driver uses stand here.
 *
 * Source: "WPP software tracing", "Inflight trace recorder".
 */
#ifndef KIT_WPPRECORDER_H
#define KIT_WPPRECORDER_H

#include "wdm.h"

KIT_BEGIN

typedef struct _RECORDER_LOG *RECORDER_LOG;

typedef struct _RECORDER_CONFIGURE_PARAMS {
    ULONG Size;
    BOOLEAN CreateDefaultLog;
    BOOLEAN LogTypeDefault;
    BOOLEAN UseTimeStamp;
    ULONG TotalBufferSize;
    ULONG ErrorPartitionSize;
    CHAR LogIdentifier[16];
} RECORDER_CONFIGURE_PARAMS, *PRECORDER_CONFIGURE_PARAMS;
FORCEINLINE VOID RECORDER_CONFIGURE_PARAMS_INIT(PRECORDER_CONFIGURE_PARAMS Params)
{
    memset(Params, 0, sizeof(*Params));
    Params->Size = (ULONG)sizeof(*Params);
}

typedef struct _RECORDER_LOG_CREATE_PARAMS {
    ULONG Size;
    ULONG TotalBufferSize;
    ULONG ErrorPartitionSize;
    CHAR LogIdentifier[16];
} RECORDER_LOG_CREATE_PARAMS, *PRECORDER_LOG_CREATE_PARAMS;
#define RECORDER_LOG_CREATE_PARAMS_INIT(Params, Name)                                              \
    (memset((Params), 0, sizeof(*(Params))), (Params)->Size = (ULONG)sizeof(*(Params)))

VOID WppRecorderConfigure(PRECORDER_CONFIGURE_PARAMS Params);
NTSTATUS WppRecorderLogCreate(PRECORDER_LOG_CREATE_PARAMS Params, RECORDER_LOG *Log);
VOID WppRecorderLogDelete(RECORDER_LOG Log);
RECORDER_LOG WppRecorderLogGetDefault(VOID);

/* The log macros end in this call: a line for the host's hook. The format may hold WPP's
 * %!NAME!. */
VOID vidmm_kit_trace(const char *Function, ULONG Line, ULONG Level, PCSTR Format, ...);
/* The call in which they end if the format is of 16-bit characters. */
VOID vidmm_kit_trace_wide(const char *Function, ULONG Line, ULONG Level, PCSTR Format, ...);
#define KIT_TRACE(Level, Format, ...)                                                              \
    (sizeof(*(Format)) == 1 ? vidmm_kit_trace : vidmm_kit_trace_wide)(                             \
        __func__, __LINE__, (ULONG)(Level), (PCSTR)(const void *)(Format), ##__VA_ARGS__)
/* For a log macro whose message is in parentheses of its own: Print(LEVEL, ("%u", n)). */
#define KIT_TRACE_LIST(...) __VA_ARGS__
#define KIT_TRACE_CALL(Macro, ...) Macro(__VA_ARGS__)

/* One word a flag of the driver's WPP_CONTROL_GUIDS; its level filter can be assigned. */
typedef struct _WPP_KIT_CONTROL {
    BOOLEAN Filter;
    UCHAR Level;
    RECORDER_LOG AutoLogContext;
} WPP_KIT_CONTROL;
extern WPP_KIT_CONTROL vidmm_kit_wpp_control;

KIT_END

#define WPP_INIT_TRACING(...) ((void)0)
#define WPP_CLEANUP(...) ((void)0)
#define WPP_CONTROL(Flag) vidmm_kit_wpp_control
#define WPP_LEVEL_ENABLED(Flag) 1
#define WPP_RECORDER_LEVEL_FILTER(Flag) vidmm_kit_wpp_control.Filter
#define WPP_RECORDER_LEVEL_FLAGS_FILTER(Level, Flags) 1

#ifndef TRACE_LEVEL_NONE
#define TRACE_LEVEL_NONE 0
#define TRACE_LEVEL_CRITICAL 1
#define TRACE_LEVEL_FATAL 1
#define TRACE_LEVEL_ERROR 2
#define TRACE_LEVEL_WARNING 3
#define TRACE_LEVEL_INFORMATION 4
#define TRACE_LEVEL_VERBOSE 5
#endif

#endif /* KIT_WPPRECORDER_H */
