/*
 * d3dkmddi_context.h: processes, devices and contexts. d3dkmddi_submit.h says how to read it.
 */
#ifndef WDDM_D3DKMDDI_CONTEXT_H
#define WDDM_D3DKMDDI_CONTEXT_H

#include "d3dukmdt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Processes, devices, contexts ---- */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmddi-_dxgk_createprocessflags. */
typedef struct _DXGK_CREATEPROCESSFLAGS {
    union {
        struct {
            UINT SystemProcess : 1; /* the system's own, which pages */
            UINT GdiProcess : 1;    /* for GDI */
            UINT WDDM2_2(VirtualMachineProcess) : 1;
            UINT WDDM2_4(VirtualMachineWorkerProcess) : 1;
            UINT WDDM2_5(SessionIsolatedContainer) : 1;
            UINT Reserved : 27;
        };
        UINT Value;
    };
} DXGK_CREATEPROCESSFLAGS;
WDDM_SPELLINGS(DXGK_CREATEPROCESSFLAGS);

/* A process that uses the GPU. Page: ns-d3dkmddi-_dxgkarg_createprocess. */
typedef struct _DXGKARG_CREATEPROCESS {
    HANDLE hDxgkProcess;           /* in: the kernel's handle */
    HANDLE hKmdProcess;            /* out: the driver's handle */
    DXGK_CREATEPROCESSFLAGS Flags; /* in */
    UINT NumPasid;                 /* in: elements of the array */
    ULONG *pPasid;                 /* in: address-space ids, one an adapter of a link */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
    HANDLE hKmdVmWorkerProcess; /* in: the driver's handle of the worker process of a virtual
                                      machine */
    UINT ProcessNameLength;     /* in: WCHARs, terminator included */
    WCHAR *pProcessName;        /* in: the program's name */
#endif
} DXGKARG_CREATEPROCESS;
WDDM_SPELLINGS(DXGKARG_CREATEPROCESS);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* Page: ns-d3dkmddi-_dxgk_createdeviceflags. */
typedef struct _DXGK_CREATEDEVICEFLAGS {
    union {
        struct {
            UINT SystemDevice : 1;       /* the system's own device, which pages */
            UINT WDDM1_1(GdiDevice) : 1; /* for GDI */
            UINT Reserved : 29;
            UINT DXGK_DEVICE_RESERVED0 : 1;
        };
        UINT Value;
    };
} DXGK_CREATEDEVICEFLAGS;
WDDM_SPELLINGS(DXGK_CREATEDEVICEFLAGS);

/* Page: ns-d3dkmddi-_dxgk_deviceinfoflags. */
typedef struct _DXGK_DEVICEINFOFLAGS {
    union {
        struct {
            UINT GuaranteedDmaBufferContract : 1; /* the sizes hold for every DMA buffer */
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_DEVICEINFOFLAGS;
WDDM_SPELLINGS(DXGK_DEVICEINFOFLAGS);

/*
 * Sizes of a device's DMA buffers and lists, from a driver without contexts.
 * Page: ns-d3dkmddi-_dxgk_deviceinfo.
 */
typedef struct _DXGK_DEVICEINFO {
    UINT DmaBufferSize;            /* out: bytes */
    UINT DmaBufferSegmentSet;      /* out: aperture segments to map them into; bit n is segment n
                                      + 1; 0: contiguous system memory */
    UINT DmaBufferPrivateDataSize; /* out: bytes of the driver's data that go with each */
    UINT AllocationListSize;       /* out: elements */
    UINT PatchLocationListSize;    /* out: elements */
    DXGK_DEVICEINFOFLAGS Flags;    /* out */
} DXGK_DEVICEINFO;
WDDM_SPELLINGS(DXGK_DEVICEINFO);

/*
 * A device: what one program, or the system itself, sees of an adapter.
 * Page: ns-d3dkmddi-_dxgkarg_createdevice.
 */
typedef struct _DXGKARG_CREATEDEVICE {
    HANDLE hDevice; /* in: the kernel's handle; out: the driver's */
    union {
        DXGK_CREATEDEVICEFLAGS Flags; /* in */
        DXGK_DEVICEINFO *pInfo;       /* out: what DMA buffers look like; NULL where contexts say
                                         it */
    };
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    ULONG Pasid;        /* in: address space, with IoMmuSupported */
    HANDLE hKmdProcess; /* in: the driver's handle of the process */
#endif
} DXGKARG_CREATEDEVICE;
WDDM_SPELLINGS(DXGKARG_CREATEDEVICE);

/* Page: ns-d3dkmddi-_dxgk_createcontextflags. */
typedef struct _DXGK_CREATECONTEXTFLAGS {
    union {
        struct {
            UINT SystemContext : 1;              /* the system's own context, which pages */
            UINT WDDM1_1(GdiContext) : 1;        /* for GDI */
            UINT WDDM2_0(VirtualAddressing) : 1; /* its commands use GPU virtual addresses */
            /* pages protected regions */
            UINT WDDM2_1(SystemProtectedContext) : 1;
            UINT WDDM2_3(HwQueueSupported) : 1; /* its work goes to hardware queues */
            UINT WDDM3_2(TestContext) : 1;
            UINT Reserved : 26;
        };
        UINT Value;
    };
} DXGK_CREATECONTEXTFLAGS;
WDDM_SPELLINGS(DXGK_CREATECONTEXTFLAGS);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmddi-_dxgk_contextinfo_caps. */
typedef struct _DXGK_CONTEXTINFO_CAPS {
    union {
        struct {
            UINT NoPatchingRequired : 1;     /* no patch-location list */
            UINT DriverManagesResidency : 1; /* no allocation list */
            UINT UseIoMmu : 1;               /* the CPU's page tables */
            UINT Reserved : 29;
        };
        UINT Value;
    };
} DXGK_CONTEXTINFO_CAPS;
WDDM_SPELLINGS(DXGK_CONTEXTINFO_CAPS);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* Sizes of a context's DMA buffers and lists. Page: ns-d3dkmddi-_dxgk_contextinfo. */
typedef struct _DXGK_CONTEXTINFO {
    UINT DmaBufferSize;            /* out: bytes */
    UINT DmaBufferSegmentSet;      /* out: aperture segments to map them into; bit n is segment n
                                      + 1; 0: contiguous system memory */
    UINT DmaBufferPrivateDataSize; /* out: bytes of the driver's data that go with each */
    UINT AllocationListSize;       /* out: elements of an allocation list */
    UINT PatchLocationListSize;    /* out: elements of a patch-location list */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
    UINT Reserved;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    DXGK_CONTEXTINFO_CAPS Caps;  /* out */
    ULONG PagingCompanionNodeId; /* out: node that pages for this one */
#endif
} DXGK_CONTEXTINFO;
WDDM_SPELLINGS(DXGK_CONTEXTINFO);

/* A context: work for one node, in order. Page: ns-d3dkmddi-_dxgkarg_createcontext. */
typedef struct _DXGKARG_CREATECONTEXT {
    HANDLE hContext;               /* in: the kernel's handle; out: the driver's */
    UINT NodeOrdinal;              /* in: node, from 0 */
    UINT EngineAffinity;           /* in: engines of the node, bit n is engine n */
    DXGK_CREATECONTEXTFLAGS Flags; /* in */
    void *pPrivateDriverData;      /* in/out: what user mode passes */
    UINT PrivateDriverDataSize;    /* in: bytes */
    DXGK_CONTEXTINFO ContextInfo;  /* out: what DMA buffers look like */
} DXGKARG_CREATECONTEXT;
WDDM_SPELLINGS(DXGKARG_CREATECONTEXT);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmddi-_dxgkarg_setrootpagetable. */
typedef struct _DXGKARG_SETROOTPAGETABLE {
    HANDLE hContext;
    D3DGPU_PHYSICAL_ADDRESS Address;
    UINT NumEntries;
} DXGKARG_SETROOTPAGETABLE;
WDDM_SPELLINGS(DXGKARG_SETROOTPAGETABLE);

/* Page: ns-d3dkmddi-_dxgkarg_getrootpagetablesize. */
typedef struct _DXGKARG_GETROOTPAGETABLESIZE {
    UINT NumberOfPte;
    UINT PhysicalAdapterIndex;
} DXGKARG_GETROOTPAGETABLESIZE;
WDDM_SPELLINGS(DXGKARG_GETROOTPAGETABLESIZE);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMDDI_CONTEXT_H */
