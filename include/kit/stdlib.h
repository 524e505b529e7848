/*
 * stdlib.h: the part that a kernel has. No malloc: memory comes from a pool (wdm_ex.h).
 */
#ifndef KIT_STDLIB_H
#define KIT_STDLIB_H

#include "kit_compiler.h"
#include "stddef.h"

KIT_BEGIN

int abs(int Value);
int atoi(const char *Text);
#ifndef _STDLIB_H /* the host's own, where both are seen */
#define labs(Value) abs(Value)
int atol(const char *Text) KIT_SYMBOL(vidmm_kit_atol);
/* `long` has 32 bits there. */
int KitStrtol(const char *Text, char **End, int Base) KIT_SYMBOL(vidmm_kit_strtol);
unsigned int KitStrtoul(const char *Text, char **End, int Base) KIT_SYMBOL(vidmm_kit_strtoul);
#define strtol KitStrtol
#define strtoul KitStrtoul
#endif
int _wtoi(const wchar_t *Text) KIT_SYMBOL(vidmm_kit_wtoi);
int _wtol(const wchar_t *Text) KIT_SYMBOL(vidmm_kit_wtoi);
int wcstol(const wchar_t *Text, wchar_t **End, int Base) KIT_SYMBOL(vidmm_kit_wcstol);
unsigned int wcstoul(const wchar_t *Text, wchar_t **End, int Base) KIT_SYMBOL(vidmm_kit_wcstoul);
char *_itoa(int Value, char *To, int Base) KIT_SYMBOL(vidmm_kit_itoa);
char *_ultoa(unsigned int Value, char *To, int Base) KIT_SYMBOL(vidmm_kit_ultoa);
char *_ltoa(int Value, char *To, int Base) KIT_SYMBOL(vidmm_kit_itoa);
int _itoa_s(int Value, char *To, size_t Size, int Base) KIT_SYMBOL(vidmm_kit_itoa_s);
#ifndef _STDLIB_H
int rand(void) KIT_SYMBOL(vidmm_kit_rand);
void srand(unsigned int Seed) KIT_SYMBOL(vidmm_kit_srand);
#define RAND_MAX 0x7FFF
#endif
void qsort(void *Base, size_t Count, size_t Size, int (*Compare)(const void *, const void *));
void *bsearch(const void *Key, const void *Base, size_t Count, size_t Size,
              int (*Compare)(const void *, const void *));

/* Byte and bit order. */
static __inline unsigned short _byteswap_ushort(unsigned short Value)
{
    return __builtin_bswap16(Value);
}
static __inline unsigned int _byteswap_ulong(unsigned int Value)
{
    return __builtin_bswap32(Value);
}
static __inline unsigned WDDM_INT64 _byteswap_uint64(unsigned WDDM_INT64 Value)
{
    return __builtin_bswap64(Value);
}

#ifndef __clang__ /* clang has them built in */
static __inline unsigned int _rotl(unsigned int Value, int Shift)
{
    return Value << (Shift & 31) | Value >> (-Shift & 31);
}
static __inline unsigned int _rotr(unsigned int Value, int Shift)
{
    return Value >> (Shift & 31) | Value << (-Shift & 31);
}
static __inline unsigned WDDM_INT64 _rotl64(unsigned WDDM_INT64 Value, int Shift)
{
    return Value << (Shift & 63) | Value >> (-Shift & 63);
}
static __inline unsigned WDDM_INT64 _rotr64(unsigned WDDM_INT64 Value, int Shift)
{
    return Value >> (Shift & 63) | Value << (-Shift & 63);
}
#define _lrotl _rotl
#define _lrotr _rotr
#endif

KIT_END

#undef _alloca
#define _alloca(Size) __builtin_alloca(Size)
#ifndef alloca
#define alloca(Size) __builtin_alloca(Size)
#endif

#ifndef _countof
#define _countof(Array) (sizeof(Array) / sizeof((Array)[0]))
#endif
#ifndef __cplusplus
#ifndef min
#define min(A, B) (((A) < (B)) ? (A) : (B))
#define max(A, B) (((A) > (B)) ? (A) : (B))
#endif
#define __min(A, B) (((A) < (B)) ? (A) : (B))
#define __max(A, B) (((A) > (B)) ? (A) : (B))
#endif
#define _MAX_PATH 260

#endif /* KIT_STDLIB_H */
