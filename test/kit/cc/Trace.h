// Trace.h: log macros as drivers describe them. Included by names of other case.
// begin_wpp config
// FUNC TraceError{LEVEL=TRACE_LEVEL_ERROR}(FLAGS, MSG, ...);
// FUNC TraceEvents(LEVEL, FLAGS, MSG, ...);
// FUNC TraceExit{LEVEL=TRACE_LEVEL_VERBOSE}(STATUS);
// TracePrint{FLAG = NOBODYS_FLAG}(LEVEL, (MSG, ...));
// USEPREFIX (TracePrint, "%!FUNC! says ");
// USEPREFIX (TraceError, "%!STDPREFIX! error: ");
// USESUFFIX (TraceExit, "leaves with %!STATUS!", STATUS);
// end_wpp
