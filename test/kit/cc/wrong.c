/* wrong.c: a name that is missing here has a header, or a neighbour. */
#include <ntddk.h>
#include <d3dkmddi.h>

DXGK_START_INFO Info;

void Wrong(DXGK_SEGMENTDESCRIPTOR *Segment, DXGKARG_BUILDPAGINGBUFFER *Build)
{
    Segment->BaseAdress.QuadPart = 0;
    Build->pDmaBuferPrivateData = 0;
    RtlStringCbPrintfA(0, 0, "");
    FltGetRequestorProcess(0);
    ExAcquirePushLockExclusve(0);
    Build->Transfer.TransferSiz = STATUS_INVALID_PARAMETR;
    ((PMDL)0)->MappedSystemVA = 0;
    WdfRequestComplete(0, 0);
    OwnThingThatIsNowhere = 0;
}
