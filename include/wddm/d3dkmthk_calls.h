/*
 * d3dkmthk_calls.h: the functions of user mode's requests, as libdxcore.so exports them.
 *
 * Each takes the structure of its page. The pages call some of the structures const; nothing is
 * written to these.
 */
#ifndef WDDM_D3DKMTHK_CALLS_H
#define WDDM_D3DKMTHK_CALLS_H

#include "d3dkmthk.h"

#ifdef __cplusplus
extern "C" {
#endif

NTSTATUS D3DKMTChangeVideoMemoryReservation(D3DKMT_CHANGEVIDEOMEMORYRESERVATION *arguments);
NTSTATUS D3DKMTCloseAdapter(D3DKMT_CLOSEADAPTER *arguments);
NTSTATUS D3DKMTCreateAllocation(D3DKMT_CREATEALLOCATION *arguments);
NTSTATUS D3DKMTCreateAllocation2(D3DKMT_CREATEALLOCATION *arguments);
NTSTATUS D3DKMTCreateContext(D3DKMT_CREATECONTEXT *arguments);
NTSTATUS D3DKMTCreateContextVirtual(D3DKMT_CREATECONTEXTVIRTUAL *arguments);
NTSTATUS D3DKMTCreateDevice(D3DKMT_CREATEDEVICE *arguments);
NTSTATUS D3DKMTCreatePagingQueue(D3DKMT_CREATEPAGINGQUEUE *arguments);
NTSTATUS D3DKMTDestroyAllocation(D3DKMT_DESTROYALLOCATION *arguments);
NTSTATUS D3DKMTDestroyAllocation2(D3DKMT_DESTROYALLOCATION2 *arguments);
NTSTATUS D3DKMTDestroyContext(D3DKMT_DESTROYCONTEXT *arguments);
NTSTATUS D3DKMTDestroyDevice(D3DKMT_DESTROYDEVICE *arguments);
NTSTATUS D3DKMTDestroyPagingQueue(D3DDDI_DESTROYPAGINGQUEUE *arguments);
NTSTATUS D3DKMTEnumAdapters2(D3DKMT_ENUMADAPTERS2 *arguments);
NTSTATUS D3DKMTEnumAdapters3(D3DKMT_ENUMADAPTERS3 *arguments);
NTSTATUS D3DKMTEscape(D3DKMT_ESCAPE *arguments);
NTSTATUS D3DKMTEvict(D3DKMT_EVICT *arguments);
NTSTATUS D3DKMTFreeGpuVirtualAddress(D3DKMT_FREEGPUVIRTUALADDRESS *arguments);
NTSTATUS D3DKMTGetDeviceState(D3DKMT_GETDEVICESTATE *arguments);
NTSTATUS D3DKMTMakeResident(D3DDDI_MAKERESIDENT *arguments);
NTSTATUS D3DKMTMapGpuVirtualAddress(D3DDDI_MAPGPUVIRTUALADDRESS *arguments);
NTSTATUS D3DKMTOfferAllocations(D3DKMT_OFFERALLOCATIONS *arguments);
NTSTATUS D3DKMTOpenAdapterFromLuid(D3DKMT_OPENADAPTERFROMLUID *arguments);
NTSTATUS D3DKMTOpenResource(D3DKMT_OPENRESOURCE *arguments);
NTSTATUS D3DKMTQueryAdapterInfo(D3DKMT_QUERYADAPTERINFO *arguments);
NTSTATUS D3DKMTQueryAllocationResidency(D3DKMT_QUERYALLOCATIONRESIDENCY *arguments);
NTSTATUS D3DKMTQueryResourceInfo(D3DKMT_QUERYRESOURCEINFO *arguments);
NTSTATUS D3DKMTQueryVideoMemoryInfo(D3DKMT_QUERYVIDEOMEMORYINFO *arguments);
NTSTATUS D3DKMTReclaimAllocations2(D3DKMT_RECLAIMALLOCATIONS2 *arguments);
NTSTATUS D3DKMTReserveGpuVirtualAddress(D3DDDI_RESERVEGPUVIRTUALADDRESS *arguments);
NTSTATUS D3DKMTSetAllocationPriority(D3DKMT_SETALLOCATIONPRIORITY *arguments);
NTSTATUS D3DKMTSubmitCommand(D3DKMT_SUBMITCOMMAND *arguments);

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMTHK_CALLS_H */
