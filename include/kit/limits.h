/* limits.h: the ranges of the C types, and of the fixed-width ones under their Windows names. */
#ifndef KIT_LIMITS_H
#define KIT_LIMITS_H

#include "kit_compiler.h"
#include <stdint.h>

#undef CHAR_BIT
#undef SCHAR_MIN
#undef SCHAR_MAX
#undef UCHAR_MAX
#undef CHAR_MIN
#undef CHAR_MAX
#undef SHRT_MIN
#undef SHRT_MAX
#undef USHRT_MAX
#undef INT_MIN
#undef INT_MAX
#undef UINT_MAX
#undef LONG_MIN
#undef LONG_MAX
#undef ULONG_MAX
#undef LLONG_MIN
#undef LLONG_MAX
#undef ULLONG_MAX
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 0xFF
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 0xFFFF
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 0xFFFFFFFFU
/* LONG and ULONG have 32 bits, and these are their limits: drivers compare them with these. */
#define LONG_MIN INT_MIN
#define LONG_MAX INT_MAX
#define ULONG_MAX UINT_MAX
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 0xFFFFFFFFFFFFFFFFULL
#define _I8_MIN SCHAR_MIN
#define _I8_MAX SCHAR_MAX
#define _I32_MAX INT_MAX
#define _I64_MIN LLONG_MIN
#define _I64_MAX LLONG_MAX
#define _UI8_MAX 0xFF
#define _UI16_MAX 0xFFFF
#define _UI32_MAX UINT_MAX
#define _UI64_MAX ULLONG_MAX

#endif /* KIT_LIMITS_H */
