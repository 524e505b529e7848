/*
 * wdm_order.h: the Interlocked routines with an order of their own, and the functions built into
 * the compiler for arm64. Each of them orders everything here, so that it does all that a weaker
 * one does.
 *
 * Source: "Interlocked Variable Access"; "ARM64 intrinsics" of the compiler's reference.
 */
#ifndef KIT_WDM_ORDER_H
#define KIT_WDM_ORDER_H

#define InterlockedExchangeRelease InterlockedExchange
#define InterlockedExchangeAddAcquire InterlockedExchangeAdd
#define InterlockedExchangeAddRelease InterlockedExchangeAdd
#define InterlockedExchangeAddNoFence InterlockedExchangeAdd
#define InterlockedCompareExchangeNoFence InterlockedCompareExchange
#define InterlockedAndAcquire InterlockedAnd
#define InterlockedAndRelease InterlockedAnd
#define InterlockedAndNoFence InterlockedAnd
#define InterlockedOrAcquire InterlockedOr
#define InterlockedOrRelease InterlockedOr
#define InterlockedOrNoFence InterlockedOr
#define InterlockedXorAcquire InterlockedXor
#define InterlockedXorRelease InterlockedXor
#define InterlockedXorNoFence InterlockedXor
#define InterlockedIncrementAcquire64 InterlockedIncrement64
#define InterlockedIncrementRelease64 InterlockedIncrement64
#define InterlockedIncrementNoFence64 InterlockedIncrement64
#define InterlockedDecrementAcquire64 InterlockedDecrement64
#define InterlockedDecrementRelease64 InterlockedDecrement64
#define InterlockedDecrementNoFence64 InterlockedDecrement64
#define InterlockedExchangeAcquire64 InterlockedExchange64
#define InterlockedExchangeRelease64 InterlockedExchange64
#define InterlockedExchangeNoFence64 InterlockedExchange64
#define InterlockedExchangeAddAcquire64 InterlockedExchangeAdd64
#define InterlockedExchangeAddRelease64 InterlockedExchangeAdd64
#define InterlockedExchangeAddNoFence64 InterlockedExchangeAdd64
#define InterlockedCompareExchangeAcquire64 InterlockedCompareExchange64
#define InterlockedCompareExchangeRelease64 InterlockedCompareExchange64
#define InterlockedCompareExchangeNoFence64 InterlockedCompareExchange64
#define InterlockedAnd64Acquire InterlockedAnd64
#define InterlockedAnd64Release InterlockedAnd64
#define InterlockedAnd64NoFence InterlockedAnd64
#define InterlockedOr64Acquire InterlockedOr64
#define InterlockedOr64Release InterlockedOr64
#define InterlockedOr64NoFence InterlockedOr64
#define InterlockedXor64Acquire InterlockedXor64
#define InterlockedXor64Release InterlockedXor64
#define InterlockedXor64NoFence InterlockedXor64
#define InterlockedExchangePointerAcquire InterlockedExchangePointer
#define InterlockedExchangePointerRelease InterlockedExchangePointer
#define InterlockedExchangePointerNoFence InterlockedExchangePointer
#define InterlockedCompareExchangePointerAcquire InterlockedCompareExchangePointer
#define InterlockedCompareExchangePointerRelease InterlockedCompareExchangePointer
#define InterlockedCompareExchangePointerNoFence InterlockedCompareExchangePointer
#define InterlockedAddAcquire InterlockedAdd
#define InterlockedAddRelease InterlockedAdd
#define InterlockedAddNoFence InterlockedAdd
#define InterlockedAddAcquire64 InterlockedAdd64
#define InterlockedAddRelease64 InterlockedAdd64
#define InterlockedAddNoFence64 InterlockedAdd64
#define InterlockedBitTestAndSetAcquire InterlockedBitTestAndSet
#define InterlockedBitTestAndSetRelease InterlockedBitTestAndSet
#define InterlockedBitTestAndSetNoFence InterlockedBitTestAndSet
#define InterlockedBitTestAndResetAcquire InterlockedBitTestAndReset
#define InterlockedBitTestAndResetRelease InterlockedBitTestAndReset
#define InterlockedBitTestAndResetNoFence InterlockedBitTestAndReset

/* acquire, release, no fence */
#define _InterlockedIncrement_acq InterlockedIncrement
#define _InterlockedIncrement_rel InterlockedIncrement
#define _InterlockedIncrement_nf InterlockedIncrement
#define _InterlockedDecrement_acq InterlockedDecrement
#define _InterlockedDecrement_rel InterlockedDecrement
#define _InterlockedDecrement_nf InterlockedDecrement
#define _InterlockedExchange_acq InterlockedExchange
#define _InterlockedExchange_rel InterlockedExchange
#define _InterlockedExchange_nf InterlockedExchange
#define _InterlockedExchangeAdd_acq InterlockedExchangeAdd
#define _InterlockedExchangeAdd_rel InterlockedExchangeAdd
#define _InterlockedExchangeAdd_nf InterlockedExchangeAdd
#define _InterlockedCompareExchange_acq InterlockedCompareExchange
#define _InterlockedCompareExchange_rel InterlockedCompareExchange
#define _InterlockedCompareExchange_nf InterlockedCompareExchange
#define _InterlockedAnd_acq InterlockedAnd
#define _InterlockedAnd_rel InterlockedAnd
#define _InterlockedAnd_nf InterlockedAnd
#define _InterlockedOr_acq InterlockedOr
#define _InterlockedOr_rel InterlockedOr
#define _InterlockedOr_nf InterlockedOr
#define _InterlockedXor_acq InterlockedXor
#define _InterlockedXor_rel InterlockedXor
#define _InterlockedXor_nf InterlockedXor
#define _InterlockedIncrement64_acq InterlockedIncrement64
#define _InterlockedIncrement64_rel InterlockedIncrement64
#define _InterlockedIncrement64_nf InterlockedIncrement64
#define _InterlockedDecrement64_acq InterlockedDecrement64
#define _InterlockedDecrement64_rel InterlockedDecrement64
#define _InterlockedDecrement64_nf InterlockedDecrement64
#define _InterlockedExchange64_acq InterlockedExchange64
#define _InterlockedExchange64_rel InterlockedExchange64
#define _InterlockedExchange64_nf InterlockedExchange64
#define _InterlockedExchangeAdd64_acq InterlockedExchangeAdd64
#define _InterlockedExchangeAdd64_rel InterlockedExchangeAdd64
#define _InterlockedExchangeAdd64_nf InterlockedExchangeAdd64
#define _InterlockedCompareExchange64_acq InterlockedCompareExchange64
#define _InterlockedCompareExchange64_rel InterlockedCompareExchange64
#define _InterlockedCompareExchange64_nf InterlockedCompareExchange64
#define _InterlockedAnd64_acq InterlockedAnd64
#define _InterlockedAnd64_rel InterlockedAnd64
#define _InterlockedAnd64_nf InterlockedAnd64
#define _InterlockedOr64_acq InterlockedOr64
#define _InterlockedOr64_rel InterlockedOr64
#define _InterlockedOr64_nf InterlockedOr64
#define _InterlockedXor64_acq InterlockedXor64
#define _InterlockedXor64_rel InterlockedXor64
#define _InterlockedXor64_nf InterlockedXor64
#define _InterlockedExchangePointer_acq InterlockedExchangePointer
#define _InterlockedExchangePointer_rel InterlockedExchangePointer
#define _InterlockedExchangePointer_nf InterlockedExchangePointer
#define _InterlockedCompareExchangePointer_acq InterlockedCompareExchangePointer
#define _InterlockedCompareExchangePointer_rel InterlockedCompareExchangePointer
#define _InterlockedCompareExchangePointer_nf InterlockedCompareExchangePointer
#define _InterlockedAdd_acq InterlockedAdd
#define _InterlockedAdd_rel InterlockedAdd
#define _InterlockedAdd_nf InterlockedAdd
#define _InterlockedAdd64_acq InterlockedAdd64
#define _InterlockedAdd64_rel InterlockedAdd64
#define _InterlockedAdd64_nf InterlockedAdd64
#define _interlockedbittestandset_acq InterlockedBitTestAndSet
#define _interlockedbittestandset_rel InterlockedBitTestAndSet
#define _interlockedbittestandset_nf InterlockedBitTestAndSet
#define _interlockedbittestandreset_acq InterlockedBitTestAndReset
#define _interlockedbittestandreset_rel InterlockedBitTestAndReset
#define _interlockedbittestandreset_nf InterlockedBitTestAndReset
#define _InterlockedAdd InterlockedAdd
#define _InterlockedAdd64 InterlockedAdd64

/* One load or store, as wide as its name says. */
#define __iso_volatile_load8(P) (*(const volatile CHAR *)(P))
#define __iso_volatile_store8(P, V) ((void)(*(volatile CHAR *)(P) = (CHAR)(V)))
#define __iso_volatile_load16(P) (*(const volatile SHORT *)(P))
#define __iso_volatile_store16(P, V) ((void)(*(volatile SHORT *)(P) = (SHORT)(V)))
#define __iso_volatile_load32(P) (*(const volatile INT *)(P))
#define __iso_volatile_store32(P, V) ((void)(*(volatile INT *)(P) = (INT)(V)))
#define __iso_volatile_load64(P) (*(const volatile LONG64 *)(P))
#define __iso_volatile_store64(P, V) ((void)(*(volatile LONG64 *)(P) = (LONG64)(V)))
#define __ldar8(P) __atomic_load_n((const volatile UCHAR *)(P), __ATOMIC_ACQUIRE)
#define __stlr8(P, V) __atomic_store_n((volatile UCHAR *)(P), (UCHAR)(V), __ATOMIC_RELEASE)
#define __ldar16(P) __atomic_load_n((const volatile USHORT *)(P), __ATOMIC_ACQUIRE)
#define __stlr16(P, V) __atomic_store_n((volatile USHORT *)(P), (USHORT)(V), __ATOMIC_RELEASE)
#define __ldar32(P) __atomic_load_n((const volatile ULONG *)(P), __ATOMIC_ACQUIRE)
#define __stlr32(P, V) __atomic_store_n((volatile ULONG *)(P), (ULONG)(V), __ATOMIC_RELEASE)
#define __ldar64(P) __atomic_load_n((const volatile ULONG64 *)(P), __ATOMIC_ACQUIRE)
#define __stlr64(P, V) __atomic_store_n((volatile ULONG64 *)(P), (ULONG64)(V), __ATOMIC_RELEASE)

#endif /* KIT_WDM_ORDER_H */
