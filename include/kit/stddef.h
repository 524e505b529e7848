/*
 * stddef.h: sizes, offsets and NULL. NULL is plain 0 in C++: drivers give it to integers.
 */
#ifndef KIT_STDDEF_H
#define KIT_STDDEF_H

#include "kit_compiler.h"

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
/* A driver's own, which says so by Microsoft's macros, stands. */
#ifndef _INTPTR_T_DEFINED
#define _INTPTR_T_DEFINED
typedef __INTPTR_TYPE__ intptr_t;
#endif
#ifndef _UINTPTR_T_DEFINED
#define _UINTPTR_T_DEFINED
typedef __UINTPTR_TYPE__ uintptr_t;
#endif
#define _SIZE_T_DEFINED
#define _PTRDIFF_T_DEFINED

#ifdef __cplusplus
typedef decltype(nullptr) nullptr_t;
#ifndef KIT_HAVE_STD_NULLPTR
#define KIT_HAVE_STD_NULLPTR
extern "C++" {
namespace std
{
using ::nullptr_t;
using ::ptrdiff_t;
using ::size_t;
} // namespace std
}
#endif
#else
typedef __WCHAR_TYPE__ wchar_t;
#define _WCHAR_T_DEFINED
#endif

#undef NULL
#ifdef __cplusplus
#define NULL 0
#else
#define NULL ((void *)0)
#endif

#ifndef offsetof
#define offsetof(Type, Member) __builtin_offsetof(Type, Member)
#endif

#endif /* KIT_STDDEF_H */
