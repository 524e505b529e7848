// entry.cpp: a driver that its project's defines, folders and library make complete.
#include <NTDDK.h>
#include "Part.h"

static const char Name[] = NAME;

extern "C" NTSTATUS DriverEntry(PDRIVER_OBJECT, PUNICODE_STRING)
{
    return Part() == ANSWER && sizeof(Name) == 4 ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}
