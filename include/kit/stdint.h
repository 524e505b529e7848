/* stdint.h: integers by width. 64 bits are what LONGLONG is. */
#ifndef KIT_STDINT_H
#define KIT_STDINT_H

#include "kit_compiler.h"
#include "stddef.h"

#ifndef WDDM_INT64
#define WDDM_INT64 long long
#endif

typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef WDDM_INT64 int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef unsigned WDDM_INT64 uint64_t;
typedef WDDM_INT64 intmax_t;
typedef unsigned WDDM_INT64 uintmax_t;
typedef __INT_LEAST8_TYPE__ int_least8_t;
typedef __INT_LEAST16_TYPE__ int_least16_t;
typedef __INT_LEAST32_TYPE__ int_least32_t;
typedef WDDM_INT64 int_least64_t;
typedef __UINT_LEAST8_TYPE__ uint_least8_t;
typedef __UINT_LEAST16_TYPE__ uint_least16_t;
typedef __UINT_LEAST32_TYPE__ uint_least32_t;
typedef unsigned WDDM_INT64 uint_least64_t;
typedef signed char int_fast8_t;
typedef int int_fast16_t;
typedef int int_fast32_t;
typedef WDDM_INT64 int_fast64_t;
typedef unsigned char uint_fast8_t;
typedef unsigned int uint_fast16_t;
typedef unsigned int uint_fast32_t;
typedef unsigned WDDM_INT64 uint_fast64_t;

#ifndef INT8_MAX
#define INT8_MAX 127
#define INT8_MIN (-128)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32768)
#define UINT16_MAX 65535
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define UINT32_MAX 4294967295U
#define INT64_MAX 9223372036854775807L
#define INT64_MIN (-9223372036854775807L - 1)
#define UINT64_MAX 18446744073709551615UL
#define INTPTR_MAX INT64_MAX
#define INTPTR_MIN INT64_MIN
#define UINTPTR_MAX UINT64_MAX
#define INTMAX_MAX INT64_MAX
#define INTMAX_MIN INT64_MIN
#define UINTMAX_MAX UINT64_MAX
#define PTRDIFF_MAX INT64_MAX
#define PTRDIFF_MIN INT64_MIN
#define SIZE_MAX UINT64_MAX

#define INT8_C(Value) Value
#define INT16_C(Value) Value
#define INT32_C(Value) Value
#define INT64_C(Value) Value##L
#define UINT8_C(Value) Value
#define UINT16_C(Value) Value
#define UINT32_C(Value) Value##U
#define UINT64_C(Value) Value##UL
#define INTMAX_C(Value) Value##L
#define UINTMAX_C(Value) Value##UL
#endif

#endif /* KIT_STDINT_H */
