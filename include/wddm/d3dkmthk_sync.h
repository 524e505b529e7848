/*
 * d3dkmthk_sync.h: synchronization objects: waits and signals. d3dkmthk.h says how to read it.
 */
#ifndef WDDM_D3DKMTHK_SYNC_H
#define WDDM_D3DKMTHK_SYNC_H

#include "d3dukmdt_sync.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Page: ns-d3dkmthk-_d3dkmt_createsynchronizationobject2. */
typedef struct _D3DKMT_CREATESYNCHRONIZATIONOBJECT2 {
    D3DKMT_HANDLE hDevice;
    D3DDDI_SYNCHRONIZATIONOBJECTINFO2 Info;
    D3DKMT_HANDLE hSyncObject;
} D3DKMT_CREATESYNCHRONIZATIONOBJECT2;

/* Page: ns-d3dkmthk-_d3dkmt_destroysynchronizationobject. */
typedef struct _D3DKMT_DESTROYSYNCHRONIZATIONOBJECT {
    D3DKMT_HANDLE hSyncObject;
} D3DKMT_DESTROYSYNCHRONIZATIONOBJECT;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmthk-_d3dkmt_waitforsynchronizationobjectfromcpu. */
typedef struct _D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU {
    D3DKMT_HANDLE hDevice;
    UINT ObjectCount;
    const D3DKMT_HANDLE *ObjectHandleArray;
    const UINT64 *FenceValueArray;
    HANDLE hAsyncEvent;
    D3DDDI_WAITFORSYNCHRONIZATIONOBJECTFROMCPU_FLAGS Flags;
} D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU;

/* Page: ns-d3dkmthk-_d3dkmt_signalsynchronizationobjectfromcpu. */
typedef struct _D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU {
    D3DKMT_HANDLE hDevice;
    UINT ObjectCount;
    const D3DKMT_HANDLE *ObjectHandleArray;
    const UINT64 *FenceValueArray;
    D3DDDICB_SIGNALFLAGS Flags;
} D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU;

/* Page: ns-d3dkmthk-_d3dkmt_waitforsynchronizationobjectfromgpu. */
typedef struct _D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU {
    D3DKMT_HANDLE hContext;
    UINT ObjectCount;
    const D3DKMT_HANDLE *ObjectHandleArray;
    union {
        const UINT64 *MonitoredFenceValueArray;
        UINT64 FenceValue;
        UINT64 Reserved[8];
    };
} D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU;

/* Page: ns-d3dkmthk-_d3dkmt_signalsynchronizationobjectfromgpu. */
typedef struct _D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU {
    D3DKMT_HANDLE hContext;
    UINT ObjectCount;
    const D3DKMT_HANDLE *ObjectHandleArray;
    union {
        const UINT64 *MonitoredFenceValueArray;
        UINT64 Reserved[8];
    };
} D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU;

/* Page: ns-d3dkmthk-_d3dkmt_signalsynchronizationobjectfromgpu2. */
typedef struct _D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU2 {
    UINT ObjectCount;
    const D3DKMT_HANDLE *ObjectHandleArray;
    D3DDDICB_SIGNALFLAGS Flags;
    ULONG BroadcastContextCount;
    const D3DKMT_HANDLE *BroadcastContextArray;
    union {
        UINT64 FenceValue;
        HANDLE CpuEventHandle;
        const UINT64 *MonitoredFenceValueArray;
        UINT64 Reserved[8];
    };
} D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU2;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* Page: ns-d3dkmthk-_d3dkmt_createsynchronizationobject. */
typedef struct _D3DKMT_CREATESYNCHRONIZATIONOBJECT {
    D3DKMT_HANDLE hDevice;
    D3DDDI_SYNCHRONIZATIONOBJECTINFO Info;
    D3DKMT_HANDLE hSyncObject;
} D3DKMT_CREATESYNCHRONIZATIONOBJECT;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
/* Page: ns-d3dkmthk-_d3dkmt_opensynchronizationobject. */
typedef struct _D3DKMT_OPENSYNCHRONIZATIONOBJECT {
    D3DKMT_HANDLE hSharedHandle;
    D3DKMT_HANDLE hSyncObject;
    UINT64 Reserved[8];
} D3DKMT_OPENSYNCHRONIZATIONOBJECT;
#endif /* DXGKDDI_INTERFACE_VERSION_WIN7 */

/* Page: ns-d3dkmthk-_d3dkmt_waitforsynchronizationobject. */
typedef struct _D3DKMT_WAITFORSYNCHRONIZATIONOBJECT {
    D3DKMT_HANDLE hContext;
    UINT ObjectCount;
    D3DKMT_HANDLE ObjectHandleArray[32];
} D3DKMT_WAITFORSYNCHRONIZATIONOBJECT;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
/* Page: ns-d3dkmthk-_d3dkmt_waitforsynchronizationobject2. */
typedef struct _D3DKMT_WAITFORSYNCHRONIZATIONOBJECT2 {
    D3DKMT_HANDLE hContext;
    UINT ObjectCount;
    D3DKMT_HANDLE ObjectHandleArray[32];
    union {
        struct {
            UINT64 FenceValue;
        } Fence;
        UINT64 Reserved[8];
    };
} D3DKMT_WAITFORSYNCHRONIZATIONOBJECT2;
#endif /* DXGKDDI_INTERFACE_VERSION_WIN7 */

/* Page: ns-d3dkmthk-_d3dkmt_signalsynchronizationobject. */
typedef struct _D3DKMT_SIGNALSYNCHRONIZATIONOBJECT {
    D3DKMT_HANDLE hContext;
    UINT ObjectCount;
    D3DKMT_HANDLE ObjectHandleArray[32];
    D3DDDICB_SIGNALFLAGS Flags;
} D3DKMT_SIGNALSYNCHRONIZATIONOBJECT;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
/* Page: ns-d3dkmthk-_d3dkmt_signalsynchronizationobject2. */
typedef struct _D3DKMT_SIGNALSYNCHRONIZATIONOBJECT2 {
    D3DKMT_HANDLE hContext;
    UINT ObjectCount;
    D3DKMT_HANDLE ObjectHandleArray[32];
    D3DDDICB_SIGNALFLAGS Flags;
    ULONG BroadcastContextCount;
    D3DKMT_HANDLE BroadcastContext[64];
    union {
        struct {
            UINT64 FenceValue;
        } Fence;
        HANDLE CpuEventHandle;
        UINT64 Reserved[8];
    };
} D3DKMT_SIGNALSYNCHRONIZATIONOBJECT2;
#endif /* DXGKDDI_INTERFACE_VERSION_WIN7 */

/* It has no page. */
typedef struct _D3DKMT_CREATESYNCFILE {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hMonitoredFence;
    UINT64 FenceValue;
    UINT64 hSyncFile;
} D3DKMT_CREATESYNCFILE;

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMTHK_SYNC_H */
