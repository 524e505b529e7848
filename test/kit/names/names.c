/* names.c: names, types and headers that drivers use, each as they use it. In C and in C++. */
static __int8 before_any_header; /* the compiler's own words need no header */
static unsigned __int16 before_too;
static __int32 before_word;
static unsigned __int64 before_long = 0xFFFFFFFFFFui64;

#include <ntddk.h>
#include <ntddvdeo.h>
#include <dderror.h>
#include <devioctl.h>
#include <sdkddkver.h>
#include <wdmsec.h>
#include <Aux_klib.h>
#include <dispmprt.h>
#include <d3dkmddi.h>
#include <d3dkmthk.h>
#include <d3dumddi.h>
#include <dxgiddi.h>
#include <video.h>
#include <wingdi.h>
#include <intrin.h>

#ifndef _NTDDK_
#error "_NTDDK_ says that ntddk.h is there"
#endif
#if !defined(NTDDI_WIN7) || NTDDI_VERSION < NTDDI_WIN7
#error "sdkddkver.h"
#endif

#define SAME(Left, Right) typedef char CONCAT(same_, __LINE__)[(Left) == (Right) ? 1 : -1]
#define CONCAT(A, B) CONCAT_(A, B)
#define CONCAT_(A, B) A##B
SAME(sizeof(before_any_header), 1);
SAME(sizeof(before_too), 2);
SAME(sizeof(before_word), 4);
SAME(sizeof(before_long), 8);

/* Documented values. */
SAME(CmResourceTypeMaximum, 8);
SAME(VIDEO_MODE_ASYNC_POINTER, 1);
SAME(VIDEO_MODE_MONO_POINTER, 2);
SAME(VIDEO_MODE_COLOR_POINTER, 4);
SAME(VIDEO_MODE_ANIMATE_START, 8);
SAME(VIDEO_MODE_ANIMATE_UPDATE, 16);
SAME(sizeof(VIDEO_POINTER_ATTRIBUTES), 28);
SAME(sizeof(D3DDDI_RESOURCEFLAGS), 4);
SAME(D3DDDIMULTISAMPLE_NONE, 0);
SAME(D3DDDIMULTISAMPLE_16_SAMPLES, 16);
SAME(sizeof(VP_STATUS), 4);
SAME(sizeof(DXGK_SECONDARY_BUCKETING_TAG), sizeof(DWORD));
SAME(ERROR_INVALID_PARAMETER, 87);
SAME(sizeof(EX_PUSH_LOCK), sizeof(PVOID));
SAME(sizeof(AUX_MODULE_BASIC_INFO), sizeof(PVOID));

#define IOCTL_OWN CTL_CODE(FILE_DEVICE_VIDEO, 0x800, METHOD_BUFFERED, FILE_ANY_ACCESS)

static NTSTATUS read_config(PIO_STACK_LOCATION Stack, PVOID Buffer)
{
    Stack->Parameters.ReadWriteConfig.WhichSpace = PCI_WHICHSPACE_CONFIG;
    Stack->Parameters.ReadWriteConfig.Buffer = Buffer;
    Stack->Parameters.ReadWriteConfig.Offset = 0;
    Stack->Parameters.ReadWriteConfig.Length = sizeof(ULONG);
    return ARGUMENT_PRESENT(Buffer) ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

static BOOLEAN synchronized(PVOID Context)
{
    return Context != NULL;
}

static VP_STATUS ask_pointer(PVIDEO_POINTER_ATTRIBUTES Attributes, LPRGNDATA Region, PCWCHAR Name)
{
    PMINIPORT_SYNCHRONIZE_ROUTINE Routine = synchronized;

    Attributes->Flags = VIDEO_MODE_COLOR_POINTER;
    return Routine(Region) && Name[0] != 0 ? NO_ERROR : ERROR_INVALID_PARAMETER;
}

static NTSTATUS memory(PHYSICAL_ADDRESS Address, PVOID To, SIZE_T Size)
{
    MEMORY_CACHING_TYPE Type;
    MM_COPY_ADDRESS From;
    SIZE_T Copied;

    From.PhysicalAddress = Address;
    if (MmCopyMemory(To, From, Size, MM_COPY_MEMORY_PHYSICAL, &Copied) != STATUS_SUCCESS)
        return STATUS_UNSUCCESSFUL;
    return MmGetCacheAttribute(Address, &Type);
}

static void locks(PEX_PUSH_LOCK Lock, PFAST_MUTEX Mutex, PKGUARDED_MUTEX Guarded)
{
    ExInitializePushLock(Lock);
    ExAcquirePushLockExclusiveEx(Lock, EX_DEFAULT_PUSH_LOCK_FLAGS);
    ExReleasePushLockExclusiveEx(Lock, EX_DEFAULT_PUSH_LOCK_FLAGS);
    ExAcquirePushLockSharedEx(Lock, EX_DEFAULT_PUSH_LOCK_FLAGS);
    ExReleasePushLockSharedEx(Lock, EX_DEFAULT_PUSH_LOCK_FLAGS);
    ExInitializeFastMutex(Mutex);
    ExAcquireFastMutex(Mutex);
    ExReleaseFastMutex(Mutex);
    KeInitializeGuardedMutex(Guarded);
    KeAcquireGuardedMutex(Guarded);
    KeReleaseGuardedMutex(Guarded);
    __dsb(_ARM64_BARRIER_SY);
    __dmb(_ARM64_BARRIER_ISH);
    __isb(_ARM64_BARRIER_SY);
}

/* ---- types ---- */

static NTSTATUS topology(const DXGK_VIDPNTOPOLOGY_INTERFACE *Interface,
                         D3DKMDT_HVIDPNTOPOLOGY Topology,
                         const DXGK_VIDPNTARGETMODESET_INTERFACE *Modes,
                         D3DKMDT_HVIDPNTARGETMODESET Set)
{
    D3DKMDT_VIDPN_PRESENT_PATH *Path;
    D3DKMDT_2DREGION Region = {0, 0};

    if (Interface->pfnCreateNewPathInfo(Topology, &Path) != STATUS_SUCCESS)
        return STATUS_UNSUCCESSFUL;
    Path->VisibleFromActiveTLOffset = Region;
    Path->VisibleFromActiveBROffset = Region;
    return Modes->pfnPinMode(Set, 1);
}

static NTSTATUS own_format(HANDLE Adapter, DXGKARG_SETDISPLAYPRIVATEDRIVERFORMAT *Format)
{
    return Adapter != NULL && Format != NULL ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

static NTSTATUS own_handle(HANDLE Context, HANDLE PoFx)
{
    return Context != NULL && PoFx != NULL ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

static NTSTATUS own_interrupt(IN_CONST_HANDLE Adapter, IN_CONST_PDXGKARG_CONTROLINTERRUPT3 Control)
{
    return Adapter != NULL && Control->InterruptType == DXGK_INTERRUPT_CRTC_VSYNC
               ? STATUS_SUCCESS
               : STATUS_NOT_IMPLEMENTED;
}

static NTSTATUS own_interrupt2(IN_CONST_HANDLE Adapter, IN_CONST_DXGKARG_CONTROLINTERRUPT2 Control)
{
    return Adapter != NULL && Control.InterruptState == DXGK_INTERRUPT_ENABLE
               ? STATUS_SUCCESS
               : STATUS_NOT_IMPLEMENTED;
}

static NTSTATUS own_property(IN_CONST_HANDLE Adapter,
                             IN_CONST_PDXGKARG_VALIDATEUPDATEALLOCPROPERTY Update)
{
    return Adapter != NULL && Update->hAllocation != NULL ? STATUS_SUCCESS
                                                          : STATUS_INVALID_PARAMETER;
}

static NTSTATUS own_gamma(IN_CONST_HANDLE Adapter, IN_CONST_PDXGKARG_SETTARGETGAMMA Gamma)
{
    return Adapter != NULL && Gamma->TargetId != 0 ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

static NTSTATUS own_debug(IN_CONST_HANDLE Adapter, IN_CONST_PDXGKARG_COLLECTDBGINFO Info)
{
    DWORD *To = (DWORD *)Info->pBuffer;

    To[0] = DXGK_SECONDARY_BUCKETING_TAG;
    To[1] = Info->Reason;
    return Adapter != NULL ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

static NTSTATUS start(PDXGK_START_INFO Info, IN_PDXGK_START_INFO Same)
{
    return Info == Same ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}

/* Orders of their own, and the barriers of arm64. */
static LONG orders(LONG volatile *One, LONG64 volatile *Two)
{
    __dsb(_ARM64_BARRIER_SY);
    __dmb(_ARM64_BARRIER_ISH);
    __isb(_ARM64_BARRIER_SY);
    YieldProcessor();
    MemoryBarrier();
    InterlockedIncrementAcquire64(Two);
    InterlockedAnd64Release(Two, -2);
    InterlockedCompareExchangeNoFence64(Two, 1, 2);
    _InterlockedExchange64_acq(Two, 3);
    __iso_volatile_store32(One, __iso_volatile_load32(One) + 1);
    __stlr32(One, __ldar32(One));
    return _InterlockedOr_nf(One, 1) + InterlockedExchangeAddRelease(One, 1) +
           (LONG)ReadTimeStampCounter();
}

static NTSTATUS modules(PAUX_MODULE_EXTENDED_INFO Info, ULONG Size)
{
    NTSTATUS Status = AuxKlibInitialize();

    return NT_SUCCESS(Status) ? AuxKlibQueryModuleInformation(&Size, sizeof(*Info), Info) : Status;
}

/* Each is used, in a table of the right type where there is one. */
extern PDXGKDDI_SETDISPLAYPRIVATEDRIVERFORMAT format_entry;
extern PDXGKDDI_POWERRUNTIMESETDEVICEHANDLE handle_entry;
extern PDXGKDDI_CONTROLINTERRUPT3 interrupt_entry;
extern PDXGKDDI_CONTROLINTERRUPT2 interrupt2_entry;
extern PDXGKDDI_VALIDATEUPDATEALLOCATIONPROPERTY property_entry;
extern PDXGKDDI_SETTARGETGAMMA gamma_entry;
extern PDXGKDDI_COLLECTDBGINFO debug_entry;
extern void *others[];
PDXGKDDI_SETDISPLAYPRIVATEDRIVERFORMAT format_entry = own_format;
PDXGKDDI_POWERRUNTIMESETDEVICEHANDLE handle_entry = own_handle;
PDXGKDDI_CONTROLINTERRUPT3 interrupt_entry = own_interrupt;
PDXGKDDI_CONTROLINTERRUPT2 interrupt2_entry = own_interrupt2;
PDXGKDDI_VALIDATEUPDATEALLOCATIONPROPERTY property_entry = own_property;
PDXGKDDI_SETTARGETGAMMA gamma_entry = own_gamma;
PDXGKDDI_COLLECTDBGINFO debug_entry = own_debug;
void *others[] = {(void *)read_config,
                  (void *)ask_pointer,
                  (void *)memory,
                  (void *)modules,
                  (void *)locks,
                  (void *)orders,
                  (void *)topology,
                  (void *)start,
                  (void *)IoCreateDeviceSecure,
                  (void *)(ULONG_PTR)IOCTL_OWN,
                  (void *)&SDDL_DEVOBJ_KERNEL_ONLY};
