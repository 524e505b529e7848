/*
 * d3dkmthk_share.h: resources and synchronization objects that are shared by NT handles.
 * d3dkmthk.h says how to read it.
 */
#ifndef WDDM_D3DKMTHK_SHARE_H
#define WDDM_D3DKMTHK_SHARE_H

#include "d3dkmthk_allocation.h"

#ifdef __cplusplus
extern "C" {
#endif

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
/* Page: ns-d3dkmthk-_d3dkmt_openresourcefromnthandle. */
typedef struct _D3DKMT_OPENRESOURCEFROMNTHANDLE {
    D3DKMT_HANDLE hDevice;
    union {
        UINT64 hNtHandle_Align;
        HANDLE hNtHandle;
    };
    UINT NumAllocations;
    union {
        UINT64 pOpenAllocationInfo2_Align;
        D3DDDI_OPENALLOCATIONINFO2 *pOpenAllocationInfo2;
    };
    UINT PrivateRuntimeDataSize;
    union {
        UINT64 pPrivateRuntimeData_Align;
        void *pPrivateRuntimeData;
    };
    UINT ResourcePrivateDriverDataSize;
    union {
        UINT64 pResourcePrivateDriverData_Align;
        void *pResourcePrivateDriverData;
    };
    UINT TotalPrivateDriverDataBufferSize;
    union {
        UINT64 pTotalPrivateDriverDataBuffer_Align;
        void *pTotalPrivateDriverDataBuffer;
    };
    D3DKMT_HANDLE hResource;
    D3DKMT_HANDLE hKeyedMutex;
    union {
        UINT64 pKeyedMutexPrivateRuntimeData_Align;
        void *pKeyedMutexPrivateRuntimeData;
    };
    UINT KeyedMutexPrivateRuntimeDataSize;
    D3DKMT_HANDLE hSyncObject;
} D3DKMT_OPENRESOURCEFROMNTHANDLE;
#endif /* DXGKDDI_INTERFACE_VERSION_WIN7 */

/* Page: ns-d3dkmthk-_d3dkmt_opensyncobjectfromnthandle. */
typedef struct _D3DKMT_OPENSYNCOBJECTFROMNTHANDLE {
    union {
        UINT64 hNtHandle_Align;
        HANDLE hNtHandle;
    };
    D3DKMT_HANDLE hSyncObject;
} D3DKMT_OPENSYNCOBJECTFROMNTHANDLE;

/* Page: ns-d3dkmthk-_d3dkmt_opensyncobjectfromnthandle2. */
typedef struct _D3DKMT_OPENSYNCOBJECTFROMNTHANDLE2 {
    union {
        UINT64 hNtHandle_Align;
        HANDLE hNtHandle;
    };
    D3DKMT_HANDLE hDevice;
    D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS Flags;
    D3DKMT_HANDLE hSyncObject;
    union {
        struct {
            union {
                UINT64 FenceValueCPUVirtualAddress_Align;
                void *FenceValueCPUVirtualAddress;
            };
            D3DGPU_VIRTUAL_ADDRESS FenceValueGPUVirtualAddress;
            UINT EngineAffinity;
        } MonitoredFence;
        UINT64 Reserved[8];
    };
} D3DKMT_OPENSYNCOBJECTFROMNTHANDLE2;

/* Page: ns-d3dkmthk-_d3dkmt_queryresourceinfofromnthandle. */
typedef struct _D3DKMT_QUERYRESOURCEINFOFROMNTHANDLE {
    D3DKMT_HANDLE hDevice;
    union {
        UINT64 hNtHandle_Align;
        HANDLE hNtHandle;
    };
    union {
        UINT64 pPrivateRuntimeData_Align;
        void *pPrivateRuntimeData;
    };
    UINT PrivateRuntimeDataSize;
    UINT TotalPrivateDriverDataSize;
    UINT ResourcePrivateDriverDataSize;
    UINT NumAllocations;
} D3DKMT_QUERYRESOURCEINFOFROMNTHANDLE;

/* Page: ns-d3dkmthk-_d3dkmt_getsharedresourceadapterluid. */
typedef struct _D3DKMT_GETSHAREDRESOURCEADAPTERLUID {
    D3DKMT_HANDLE hGlobalShare;
    union {
        UINT64 hNtHandle_Align;
        HANDLE hNtHandle;
    };
    LUID AdapterLuid;
} D3DKMT_GETSHAREDRESOURCEADAPTERLUID;

/* It has no page. */
typedef struct _D3DKMT_SHAREOBJECTS {
    UINT ObjectCount;
    union {
        UINT64 ObjectHandleArray_Align;
        const D3DKMT_HANDLE *ObjectHandleArray;
    };
    union {
        UINT64 pObjectAttributes_Align;
        PVOID pObjectAttributes;
    };
    DWORD DesiredAccess;
    union {
        UINT64 pSharedNtHandle_Align;
        HANDLE *pSharedNtHandle;
    };
} D3DKMT_SHAREOBJECTS;

/* It has no page. */
typedef struct _D3DKMT_SHAREOBJECTWITHHOST {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hObject;
    UINT64 Reserved;
    UINT64 hVailProcessNtHandle;
} D3DKMT_SHAREOBJECTWITHHOST;

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMTHK_SHARE_H */
