/*
 * kit_compiler.h: the compiler that a driver's sources expect, said to gcc and clang.
 *
 * Declaration words, calling conventions (all empty: there is one on x64), fixed-width integer
 * words, pragmas inside macros. Every header of the kit begins with this one. Freestanding.
 *
 * Source: the public C++ language reference of the compiler that drivers are written for.
 */
#ifndef KIT_COMPILER_H
#define KIT_COMPILER_H

#ifdef __cplusplus
#define KIT_BEGIN extern "C" {
#define KIT_END }
#else
#define KIT_BEGIN
#define KIT_END
#endif

/* A function that the kit implements under another symbol, because libc has the name already. */
#define KIT_SYMBOL(Name) __asm__(#Name)

/* ---- Declaration words: __declspec(word) is looked up as KIT_DECLSPEC_word ---- */

#undef __declspec
#define __declspec(Word) KIT_DECLSPEC_##Word
#define _declspec(Word) KIT_DECLSPEC_##Word
#define KIT_DECLSPEC_align(Bytes) __attribute__((aligned(Bytes)))
#define KIT_DECLSPEC_allocate(Section)
#define KIT_DECLSPEC_allocator
#define KIT_DECLSPEC_code_seg(Section)
#define KIT_DECLSPEC_deprecated(...)
#define KIT_DECLSPEC_dllexport __attribute__((visibility("default")))
#define KIT_DECLSPEC_dllimport
#define KIT_DECLSPEC_guard(Kind)
#define KIT_DECLSPEC_naked
#define KIT_DECLSPEC_noalias
#define KIT_DECLSPEC_noinline __attribute__((noinline))
#define KIT_DECLSPEC_noreturn __attribute__((noreturn))
#define KIT_DECLSPEC_nothrow __attribute__((nothrow))
#define KIT_DECLSPEC_novtable
#define KIT_DECLSPEC_property(...)
#define KIT_DECLSPEC_restrict
#define KIT_DECLSPEC_safebuffers
#define KIT_DECLSPEC_selectany __attribute__((weak))
#define KIT_DECLSPEC_thread __thread
#define KIT_DECLSPEC_uuid(Text)

/* ---- Calling conventions ---- */

#undef __cdecl
#undef __stdcall
#undef __fastcall
#undef __thiscall
#undef __vectorcall
#undef __clrcall
#undef _cdecl
#undef _stdcall
#undef _fastcall
#define __cdecl
#define __stdcall
#define __fastcall
#define __thiscall
#define __vectorcall
#define __clrcall
#define _cdecl
#define _stdcall
#define _fastcall
#define CDECL
#define STDCALL
#define NTAPI
#define NTSYSAPI
#define NTKERNELAPI
#define NTHALAPI
#define NTSYSCALLAPI
#define FASTCALL
#define WINAPI
#define CALLBACK
#define PASCAL
#define DDKAPI
#define DECLSPEC_IMPORT
#define DECLSPEC_EXPORT __declspec(dllexport)
#define DECLSPEC_NORETURN __attribute__((noreturn))
#define DECLSPEC_NOINLINE __attribute__((noinline))
#define DECLSPEC_ALIGN(Bytes) __attribute__((aligned(Bytes)))
#define DECLSPEC_CACHEALIGN DECLSPEC_ALIGN(64)
#define DECLSPEC_SELECTANY __attribute__((weak))
#define DECLSPEC_NOTHROW __attribute__((nothrow))
#define DECLSPEC_NOVTABLE
#define DECLSPEC_RESTRICT
#define DECLSPEC_UUID(Text)
#define DECLSPEC_DEPRECATED
#define DECLSPEC_DEPRECATED_DDK

/* ---- Words that clang knows in its Microsoft mode and gcc does not ---- */

#ifndef __pragma /* clang has it built in if it has the others */
#define KIT_NO_INT64
#define __int8 char
#define __int16 short
#define __int32 int
#define __forceinline inline __attribute__((always_inline))
#define __inline inline
#define __pragma(Text) KIT_PRAGMA(Text)
#define KIT_PRAGMA(Text) _Pragma(#Text)
#define __assume(Truth) ((Truth) ? (void)0 : __builtin_unreachable())
#define __noop(...) ((void)0)
#define __nullptr nullptr
#endif
/* The type of LONGLONG. `vidmm kit cc` sees to it where the word stands (KIT_TRANSLATES); for other
 * builds a macro does. */
#ifndef KIT_TRANSLATES
#ifndef WDDM_INT64
#define WDDM_INT64 long long
#endif
#define __int64 WDDM_INT64
#elif defined(KIT_NO_INT64)
#define __int64 long long
#endif
#define _int64 __int64
#define _inline __inline
#ifndef __cplusplus
/* A driver defines functions in headers so, without static: no source need have them besides. */
#undef __inline
#define __inline inline __attribute__((always_inline))
#endif
#undef __unaligned
#undef __w64
#undef __ptr32
#undef __ptr64
#define __unaligned
#define __w64
#define __ptr32
#define __ptr64
#define UNALIGNED
#define UNALIGNED64
#define POINTER_64
#define POINTER_32
#define RESTRICTED_POINTER __restrict
#define FORCEINLINE __forceinline /* a driver may write static before it */
#define CFORCEINLINE FORCEINLINE
#define INLINE static inline
#define STATIC static

/* ---- The target: x64 or arm64, as the driver's own #if lines ask for it ---- */

#ifdef __aarch64__
#ifndef _ARM64_
#define _ARM64_
#endif
#ifndef _M_ARM64
#define _M_ARM64 1
#endif
#else
#ifndef _AMD64_
#define _AMD64_
#endif
#ifndef _M_AMD64
#define _M_AMD64 100
#endif
#ifndef _M_X64
#define _M_X64 100
#endif
#endif
#ifndef _WIN64
#define _WIN64 1
#endif
#ifndef _WIN32
#define _WIN32 1
#endif
#ifndef WIN32
#define WIN32 100
#endif
#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0A00
#endif
#ifndef WINVER
#define WINVER _WIN32_WINNT
#endif
#ifndef NTDDI_VERSION
#define NTDDI_VERSION 0x0A00000C
#endif
#ifndef DBG
#define DBG 0
#endif

#define NTDDI_WIN2K 0x05000000
#define NTDDI_WINXP 0x05010000
#define NTDDI_WS03 0x05020000
#define NTDDI_VISTA 0x06000000
#define NTDDI_LONGHORN NTDDI_VISTA
#define NTDDI_WIN7 0x06010000
#define NTDDI_WIN8 0x06020000
#define NTDDI_WINBLUE 0x06030000
#define NTDDI_WIN10 0x0A000000
#define NTDDI_WIN10_TH2 0x0A000001
#define NTDDI_WIN10_RS1 0x0A000002
#define NTDDI_WIN10_RS2 0x0A000003
#define NTDDI_WIN10_RS3 0x0A000004
#define NTDDI_WIN10_RS4 0x0A000005
#define NTDDI_WIN10_RS5 0x0A000006
#define NTDDI_WIN10_19H1 0x0A000007
#define NTDDI_WIN10_VB 0x0A000008
#define NTDDI_WIN10_MN 0x0A000009
#define NTDDI_WIN10_FE 0x0A00000A
#define NTDDI_WIN10_CO 0x0A00000B
#define NTDDI_WIN10_NI 0x0A00000C
#define _WIN32_WINNT_VISTA 0x0600
#define _WIN32_WINNT_WIN7 0x0601
#define _WIN32_WINNT_WIN8 0x0602
#define _WIN32_WINNT_WINBLUE 0x0603
#define _WIN32_WINNT_WIN10 0x0A00

/* Parts of an API that a header offers: all of them. */
#define WINAPI_PARTITION_DESKTOP 1
#define WINAPI_PARTITION_APP 1
#define WINAPI_PARTITION_SYSTEM 1
#define WINAPI_FAMILY_PARTITION(Partitions) (Partitions)

#endif /* KIT_COMPILER_H */
