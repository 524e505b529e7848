/*
 * string.h: bytes and text. Functions that libc has are libc's; text of 16-bit characters is the
 * kit's, because libc's wide characters have 32.
 */
#ifndef KIT_STRING_H
#define KIT_STRING_H

#include "kit_compiler.h"
#include "stddef.h"

KIT_BEGIN

void *memcpy(void *To, const void *From, size_t Size);
void *memmove(void *To, const void *From, size_t Size);
void *memset(void *To, int Byte, size_t Size);
int memcmp(const void *A, const void *B, size_t Size);
size_t strlen(const char *Text);
size_t strnlen(const char *Text, size_t Limit);
char *strcpy(char *To, const char *From);
char *strncpy(char *To, const char *From, size_t Size);
char *strcat(char *To, const char *From);
char *strncat(char *To, const char *From, size_t Size);
int strcmp(const char *A, const char *B);
int strncmp(const char *A, const char *B, size_t Size);
#ifdef __cplusplus
/* C++ has these twice, by constness; the symbols are libc's. */
extern "C++" {
const void *memchr(const void *In, int Byte, size_t Size) KIT_SYMBOL(memchr);
const char *strchr(const char *Text, int Character) KIT_SYMBOL(strchr);
const char *strrchr(const char *Text, int Character) KIT_SYMBOL(strrchr);
const char *strstr(const char *Text, const char *Part) KIT_SYMBOL(strstr);
inline void *memchr(void *In, int Byte, size_t Size)
{
    return const_cast<void *>(memchr(static_cast<const void *>(In), Byte, Size));
}
inline char *strchr(char *Text, int Character)
{
    return const_cast<char *>(strchr(static_cast<const char *>(Text), Character));
}
inline char *strrchr(char *Text, int Character)
{
    return const_cast<char *>(strrchr(static_cast<const char *>(Text), Character));
}
inline char *strstr(char *Text, const char *Part)
{
    return const_cast<char *>(strstr(static_cast<const char *>(Text), Part));
}
}
#else
void *memchr(const void *In, int Byte, size_t Size);
char *strchr(const char *Text, int Character);
char *strrchr(const char *Text, int Character);
char *strstr(const char *Text, const char *Part);
#endif
size_t strspn(const char *Text, const char *Set);
size_t strcspn(const char *Text, const char *Set);
char *strpbrk(const char *Text, const char *Set);
char *strtok_s(char *Text, const char *Set, char **Rest) KIT_SYMBOL(strtok_r);
int _stricmp(const char *A, const char *B) KIT_SYMBOL(strcasecmp);
int _strnicmp(const char *A, const char *B, size_t Size) KIT_SYMBOL(strncasecmp);

/* The _s kind: refuse rather than overrun. Answer 0, or 22 (bad argument), or 34 (too small; the
 * text is then emptied). */
typedef int errno_t;
errno_t strcpy_s(char *To, size_t Size, const char *From) KIT_SYMBOL(vidmm_kit_strcpy_s);
errno_t strncpy_s(char *To, size_t Size, const char *From, size_t Limit)
    KIT_SYMBOL(vidmm_kit_strncpy_s);
errno_t strcat_s(char *To, size_t Size, const char *From) KIT_SYMBOL(vidmm_kit_strcat_s);
errno_t memcpy_s(void *To, size_t Room, const void *From, size_t Size)
    KIT_SYMBOL(vidmm_kit_memcpy_s);
errno_t memmove_s(void *To, size_t Room, const void *From, size_t Size)
    KIT_SYMBOL(vidmm_kit_memmove_s);

#include "wchar.h"

KIT_END

#endif /* KIT_STRING_H */
