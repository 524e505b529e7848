/*
 * stdlib.h: what a kernel has of it. No malloc: memory comes from a pool (wdm_ex.h).
 */
#ifndef KIT_STDLIB_H
#define KIT_STDLIB_H

#include "kit_compiler.h"
#include "stddef.h"

KIT_BEGIN

int abs(int Value);
int atoi(const char *Text);
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
static __inline unsigned long long _byteswap_uint64(unsigned long long Value)
{
    return __builtin_bswap64(Value);
}

KIT_END

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
