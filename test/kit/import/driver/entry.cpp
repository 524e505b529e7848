// entry.cpp: a driver that its project's defines, folders and library make complete.
#include <NTDDK.h>
#include "Part.h"
#include "entry.tmh"

static const char Name[] = NAME;

#define Say(TEXT, ...) DbgPrintEx(DPFLTR_IHVVIDEO_ID, DPFLTR_INFO_LEVEL, TEXT, __VA_ARGS__)

// Microsoft's compiler takes this, and clang too: a goto past an initialization, a comma before
// nothing.
static bool IsOdd(int Number)
{
    if (Number < 0)
        goto Out;
    {
        Say("not negative");
    }
    int Rest = Number % 2;
    return Rest != 0;
Out:
    return false;
}

extern "C" NTSTATUS DriverEntry(PDRIVER_OBJECT, PUNICODE_STRING)
{
    TraceHere(TRACE_LEVEL_ERROR, 0, "of the project's own functions: %u", 1u);
    if (IsOdd(2))
        return STATUS_UNSUCCESSFUL;
    return Part() == ANSWER && sizeof(Name) == 4 ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}
