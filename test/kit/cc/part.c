/* part.c: a C source of a driver, beside one in C++. */
#include <NTDDK.H>
#include "..\CC\trace.h"
#include "part.tmh"

NTSTATUS Part(ULONG Answer)
{
    TraceEvents(TRACE_LEVEL_WARNING, NOBODYS_FLAG, "the answer is %u", Answer);
    TracePrint(TRACE_LEVEL_FATAL, ("in two pairs: %u", Answer));
    TracePrint(TRACE_LEVEL_FATAL, ("alone"));
    TraceExit(STATUS_SUCCESS);
    TraceEvents(TRACE_LEVEL_ERROR, NOBODYS_FLAG, L"%ws, wide, %s", L"text", "and narrow");
    return Answer == 42 ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}
