/* vista.c: a driver of WDDM 1.0: Reason was there from the start. */
#define DXGKDDI_INTERFACE_VERSION DXGKDDI_INTERFACE_VERSION_VISTA
#include <ntddk.h>
#include <dispmprt.h>

NTSTATUS Collect(IN_CONST_HANDLE Adapter, IN_CONST_PDXGKARG_COLLECTDBGINFO Info);
NTSTATUS Collect(IN_CONST_HANDLE Adapter, IN_CONST_PDXGKARG_COLLECTDBGINFO Info)
{
    return Adapter != NULL && Info->Reason == 0x117 ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}
