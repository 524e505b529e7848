/*
 * intrin.h: the functions built into the compiler that drivers are written for. Vector types come
 * from the compiler's own headers (immintrin.h).
 */
#ifndef KIT_INTRIN_H
#define KIT_INTRIN_H

#include "wdm_ex.h"
#include "wdm_order.h"

KIT_BEGIN

#define _ReturnAddress() __builtin_return_address(0)
#define _AddressOfReturnAddress() __builtin_frame_address(0)
#define _ReadWriteBarrier() __asm__ volatile("" ::: "memory")
#define _ReadBarrier() _ReadWriteBarrier()
#define _WriteBarrier() _ReadWriteBarrier()
/* Barriers of ARM64, by their documented types. Elsewhere each of them orders everything. */
typedef enum _tag_ARM64INTR_BARRIER_TYPE {
    _ARM64_BARRIER_SY = 0xF,
    _ARM64_BARRIER_ST = 0xE,
    _ARM64_BARRIER_LD = 0xD,
    _ARM64_BARRIER_ISH = 0xB,
    _ARM64_BARRIER_ISHST = 0xA,
    _ARM64_BARRIER_ISHLD = 0x9,
    _ARM64_BARRIER_NSH = 0x7,
    _ARM64_BARRIER_NSHST = 0x6,
    _ARM64_BARRIER_NSHLD = 0x5,
    _ARM64_BARRIER_OSH = 0x3,
    _ARM64_BARRIER_OSHST = 0x2,
    _ARM64_BARRIER_OSHLD = 0x1
} _ARM64INTR_BARRIER_TYPE;
#ifdef __aarch64__
/* The strongest of each kind: a full system one does all that a narrower one does. */
FORCEINLINE VOID KitDmb(int Type)
{
    (void)Type;
    __asm__ volatile("dmb sy" ::: "memory");
}
FORCEINLINE VOID KitDsb(int Type)
{
    (void)Type;
    __asm__ volatile("dsb sy" ::: "memory");
}
FORCEINLINE VOID KitIsb(int Type)
{
    (void)Type;
    __asm__ volatile("isb" ::: "memory");
}
#define __dmb(Type) KitDmb(Type)
#define __dsb(Type) KitDsb(Type)
#define __isb(Type) KitIsb(Type)
#else
#define __dmb(Type) ((void)(Type), __sync_synchronize())
#define __dsb(Type) ((void)(Type), __sync_synchronize())
#define __isb(Type) ((void)(Type), __sync_synchronize())
#endif
#ifndef __clang__
#define __nop() __asm__ volatile("nop")
#define __fastfail(Code) __builtin_trap()
#endif
#define _InterlockedIncrement InterlockedIncrement
#define _InterlockedDecrement InterlockedDecrement
#define _InterlockedExchange InterlockedExchange
#define _InterlockedExchangeAdd InterlockedExchangeAdd
#define _InterlockedCompareExchange InterlockedCompareExchange
#define _InterlockedAnd InterlockedAnd
#define _InterlockedOr InterlockedOr
#define _InterlockedXor InterlockedXor
#define _InterlockedAnd64 InterlockedAnd64
#define _InterlockedOr64 InterlockedOr64
#define _InterlockedXor64 InterlockedXor64
#define _InterlockedExchangeAdd64 InterlockedExchangeAdd64
#define _interlockedbittestandset InterlockedBitTestAndSet
#define _interlockedbittestandreset InterlockedBitTestAndReset
#define _InterlockedIncrement64 InterlockedIncrement64
#define _InterlockedDecrement64 InterlockedDecrement64
#define _InterlockedExchange64 InterlockedExchange64
#define _InterlockedCompareExchange64 InterlockedCompareExchange64
#define _InterlockedCompareExchangePointer InterlockedCompareExchangePointer
#define _InterlockedExchangePointer InterlockedExchangePointer

/* The index of the lowest, or highest, bit that is set; 0: none is. */
#define _BitScanForward KitBitScanForward
#define _BitScanReverse KitBitScanReverse
#define _BitScanForward64 KitBitScanForward64
#define _BitScanReverse64 KitBitScanReverse64
#define BitScanForward KitBitScanForward
#define BitScanReverse KitBitScanReverse
#define BitScanForward64 KitBitScanForward64
#define BitScanReverse64 KitBitScanReverse64
FORCEINLINE UCHAR KitBitScanForward64(ULONG *Index, ULONG64 Mask)
{
    if (Mask == 0)
        return 0;
    *Index = (ULONG)__builtin_ctzll(Mask);
    return 1;
}
FORCEINLINE UCHAR KitBitScanReverse64(ULONG *Index, ULONG64 Mask)
{
    if (Mask == 0)
        return 0;
    *Index = 63u - (ULONG)__builtin_clzll(Mask);
    return 1;
}
FORCEINLINE UCHAR KitBitScanForward(ULONG *Index, ULONG Mask)
{
    return KitBitScanForward64(Index, Mask);
}
FORCEINLINE UCHAR KitBitScanReverse(ULONG *Index, ULONG Mask)
{
    return KitBitScanReverse64(Index, Mask);
}
#define __popcnt(Value) ((ULONG)__builtin_popcount(Value))
#define __popcnt64(Value) ((ULONG64)__builtin_popcountll(Value))
#ifdef __aarch64__
#define __yield() __asm__ volatile("yield")
#define __wfe() __asm__ volatile("wfe" ::: "memory")
#define __wfi() __asm__ volatile("wfi" ::: "memory")
#define __sev() __asm__ volatile("sev" ::: "memory")
#define __sevl() __asm__ volatile("sevl" ::: "memory")
/* The counter that each core can read: there is no other that counts time. */
FORCEINLINE ULONG64 KitCounter(VOID)
{
    ULONG64 Value;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(Value));
    return Value;
}
#define ReadTimeStampCounter() KitCounter()
#else
#define _mm_pause() __builtin_ia32_pause()
#define _mm_lfence() __builtin_ia32_lfence()
#define _mm_sfence() __builtin_ia32_sfence()
#define _mm_mfence() __builtin_ia32_mfence()
#define _mm_clflush(Address) __builtin_ia32_clflush(Address)
FORCEINLINE VOID KitCpuid(int *Registers, int Leaf, int Part)
{
    __asm__ volatile("cpuid"
                     : "=a"(Registers[0]), "=b"(Registers[1]), "=c"(Registers[2]),
                       "=d"(Registers[3])
                     : "a"(Leaf), "c"(Part));
}
#define __cpuid(Registers, Leaf) KitCpuid((int *)(Registers), (Leaf), 0)
#define __cpuidex(Registers, Leaf, Part) KitCpuid((int *)(Registers), (Leaf), (Part))
#define ReadTimeStampCounter() __builtin_ia32_rdtsc()
#ifndef __clang__
#define __rdtsc() __builtin_ia32_rdtsc()
#endif
#endif

KIT_END

#endif /* KIT_INTRIN_H */
