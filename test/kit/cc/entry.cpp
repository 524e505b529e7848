// entry.cpp: DriverEntry, in C++.
extern "C" {
#include <ntddk.h>
#include <NtStrSafe.h>
#include <dispmprt.h>
#include <D3DKMDDI.h>
NTSTATUS Part(ULONG Answer);
}
#include "TRACE.H"
#include "entry.tmh"

extern "C" NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath)
{
    UNREFERENCED_PARAMETER(DriverObject);
    TraceError(NOBODYS_FLAG, "none, in truth; the path has %u bytes", RegistryPath->Length);
    return Part(42);
}
