/*
 * ntintsafe.h: arithmetic and conversions that refuse to overflow.
 *
 * RtlULongAdd(a, b, &result) and its kin answer STATUS_SUCCESS, or STATUS_INTEGER_OVERFLOW; the
 * result is then all ones. Signed results are set to -1. The table below says which there are:
 * RtlTYPEAdd, RtlTYPESub, RtlTYPEMult, and RtlFROMToTO.
 *
 * Source: ntintsafe.h pages of the public reference.
 */
#ifndef KIT_NTINTSAFE_H
#define KIT_NTINTSAFE_H

#include "wdm.h"

KIT_BEGIN

#define INTSAFE_ERROR_VALUE ((ULONG)-1)

#define KIT_SAFE_OPERATION(Name, Type, Operation, Builtin)                                         \
    FORCEINLINE NTSTATUS Rtl##Name##Operation(Type A, Type B, Type *Result)                        \
    {                                                                                              \
        if (!Builtin(A, B, Result))                                                                \
            return STATUS_SUCCESS;                                                                 \
        *Result = (Type)-1;                                                                        \
        return STATUS_INTEGER_OVERFLOW;                                                            \
    }
#define KIT_SAFE_TYPE(Name, Type)                                                                  \
    KIT_SAFE_OPERATION(Name, Type, Add, __builtin_add_overflow)                                    \
    KIT_SAFE_OPERATION(Name, Type, Sub, __builtin_sub_overflow)                                    \
    KIT_SAFE_OPERATION(Name, Type, Mult, __builtin_mul_overflow)
KIT_SAFE_TYPE(UInt8, UINT8)
KIT_SAFE_TYPE(UChar, UCHAR)
KIT_SAFE_TYPE(UShort, USHORT)
KIT_SAFE_TYPE(UInt, UINT)
KIT_SAFE_TYPE(ULong, ULONG)
KIT_SAFE_TYPE(ULongLong, ULONGLONG)
KIT_SAFE_TYPE(ULongPtr, ULONG_PTR)
KIT_SAFE_TYPE(UIntPtr, UINT_PTR)
KIT_SAFE_TYPE(DWordPtr, DWORD_PTR)
KIT_SAFE_TYPE(SizeT, SIZE_T)
KIT_SAFE_TYPE(UInt64, UINT64)
KIT_SAFE_TYPE(Short, SHORT)
KIT_SAFE_TYPE(Int, INT)
KIT_SAFE_TYPE(Long, LONG)
KIT_SAFE_TYPE(LongLong, LONGLONG)
KIT_SAFE_TYPE(LongPtr, LONG_PTR)
KIT_SAFE_TYPE(SSIZET, SSIZE_T)
KIT_SAFE_TYPE(Int8, INT8)
KIT_SAFE_TYPE(IntPtr, INT_PTR)
KIT_SAFE_TYPE(PtrdiffT, ptrdiff_t)

/* Adding 0 of the target's type checks exactly that the value fits. */
#define KIT_SAFE_CONVERSION(From, FromType, To, ToType)                                            \
    FORCEINLINE NTSTATUS Rtl##From##To##To(FromType Value, ToType *Result)                         \
    {                                                                                              \
        if (!__builtin_add_overflow(Value, (ToType)0, Result))                                     \
            return STATUS_SUCCESS;                                                                 \
        *Result = (ToType)-1;                                                                      \
        return STATUS_INTEGER_OVERFLOW;                                                            \
    }
#define KIT_SAFE_FROM(From, FromType)                                                              \
    KIT_SAFE_CONVERSION(From, FromType, UChar, UCHAR)                                              \
    KIT_SAFE_CONVERSION(From, FromType, UInt8, UINT8)                                              \
    KIT_SAFE_CONVERSION(From, FromType, UShort, USHORT)                                            \
    KIT_SAFE_CONVERSION(From, FromType, Short, SHORT)                                              \
    KIT_SAFE_CONVERSION(From, FromType, UInt, UINT)                                                \
    KIT_SAFE_CONVERSION(From, FromType, Int, INT)                                                  \
    KIT_SAFE_CONVERSION(From, FromType, ULong, ULONG)                                              \
    KIT_SAFE_CONVERSION(From, FromType, Long, LONG)                                                \
    KIT_SAFE_CONVERSION(From, FromType, ULongLong, ULONGLONG)                                      \
    KIT_SAFE_CONVERSION(From, FromType, LongLong, LONGLONG)                                        \
    KIT_SAFE_CONVERSION(From, FromType, ULongPtr, ULONG_PTR)                                       \
    KIT_SAFE_CONVERSION(From, FromType, SizeT, SIZE_T)                                             \
    KIT_SAFE_CONVERSION(From, FromType, IntPtr, INT_PTR)
KIT_SAFE_FROM(UShort, USHORT)
KIT_SAFE_FROM(Short, SHORT)
KIT_SAFE_FROM(UInt, UINT)
KIT_SAFE_FROM(Int, INT)
KIT_SAFE_FROM(ULong, ULONG)
KIT_SAFE_FROM(Long, LONG)
KIT_SAFE_FROM(ULongLong, ULONGLONG)
KIT_SAFE_FROM(LongLong, LONGLONG)
KIT_SAFE_FROM(ULongPtr, ULONG_PTR)
KIT_SAFE_FROM(UIntPtr, UINT_PTR)
KIT_SAFE_FROM(LongPtr, LONG_PTR)
KIT_SAFE_FROM(IntPtr, INT_PTR)
KIT_SAFE_FROM(SizeT, SIZE_T)
KIT_SAFE_FROM(DWordPtr, DWORD_PTR)

/* The rest of the reference's pairs. */
KIT_SAFE_CONVERSION(UIntPtr, UINT_PTR, Int16, INT16)
KIT_SAFE_CONVERSION(UIntPtr, UINT_PTR, UInt16, UINT16)
KIT_SAFE_CONVERSION(Byte, BYTE, Char, CHAR)
KIT_SAFE_CONVERSION(Byte, BYTE, Int8, INT8)
KIT_SAFE_CONVERSION(Int8, INT8, UChar, UCHAR)
KIT_SAFE_CONVERSION(Int8, INT8, UInt, UINT)
KIT_SAFE_CONVERSION(Int8, INT8, UInt8, UINT8)
KIT_SAFE_CONVERSION(Int8, INT8, UIntPtr, UINT_PTR)
KIT_SAFE_CONVERSION(Int8, INT8, ULong, ULONG)
KIT_SAFE_CONVERSION(Int8, INT8, ULongLong, ULONGLONG)
KIT_SAFE_CONVERSION(Int8, INT8, ULongPtr, ULONG_PTR)
KIT_SAFE_CONVERSION(Int8, INT8, UShort, USHORT)
KIT_SAFE_CONVERSION(IntPtr, INT_PTR, Char, CHAR)
KIT_SAFE_CONVERSION(IntPtr, INT_PTR, Int8, INT8)
KIT_SAFE_CONVERSION(IntPtr, INT_PTR, LongPtr, LONG_PTR)
KIT_SAFE_CONVERSION(IntPtr, INT_PTR, UIntPtr, UINT_PTR)
KIT_SAFE_CONVERSION(Int, INT, Char, CHAR)
KIT_SAFE_CONVERSION(Int, INT, Int8, INT8)
KIT_SAFE_CONVERSION(LongLong, LONGLONG, Char, CHAR)
KIT_SAFE_CONVERSION(LongLong, LONGLONG, Int8, INT8)
KIT_SAFE_CONVERSION(LongLong, LONGLONG, LongPtr, LONG_PTR)
KIT_SAFE_CONVERSION(LongPtr, LONG_PTR, Char, CHAR)
KIT_SAFE_CONVERSION(LongPtr, LONG_PTR, Int8, INT8)
KIT_SAFE_CONVERSION(LongPtr, LONG_PTR, UIntPtr, UINT_PTR)
KIT_SAFE_CONVERSION(Long, LONG, Char, CHAR)
KIT_SAFE_CONVERSION(Long, LONG, Int8, INT8)
KIT_SAFE_CONVERSION(Long, LONG, UIntPtr, UINT_PTR)
KIT_SAFE_CONVERSION(Short, SHORT, Char, CHAR)
KIT_SAFE_CONVERSION(Short, SHORT, DWordPtr, DWORD_PTR)
KIT_SAFE_CONVERSION(Short, SHORT, Int8, INT8)
KIT_SAFE_CONVERSION(Short, SHORT, UIntPtr, UINT_PTR)
KIT_SAFE_CONVERSION(UInt8, UINT8, Char, CHAR)
KIT_SAFE_CONVERSION(UInt8, UINT8, Int8, INT8)
KIT_SAFE_CONVERSION(UIntPtr, UINT_PTR, Char, CHAR)
KIT_SAFE_CONVERSION(UIntPtr, UINT_PTR, Int8, INT8)
KIT_SAFE_CONVERSION(UIntPtr, UINT_PTR, LongPtr, LONG_PTR)
KIT_SAFE_CONVERSION(UInt, UINT, Char, CHAR)
KIT_SAFE_CONVERSION(UInt, UINT, Int8, INT8)
KIT_SAFE_CONVERSION(UInt, UINT, LongPtr, LONG_PTR)
KIT_SAFE_CONVERSION(ULongLong, ULONGLONG, Char, CHAR)
KIT_SAFE_CONVERSION(ULongLong, ULONGLONG, Int8, INT8)
KIT_SAFE_CONVERSION(ULongLong, ULONGLONG, LongPtr, LONG_PTR)
KIT_SAFE_CONVERSION(ULongLong, ULONGLONG, UIntPtr, UINT_PTR)
KIT_SAFE_CONVERSION(ULongPtr, ULONG_PTR, Char, CHAR)
KIT_SAFE_CONVERSION(ULongPtr, ULONG_PTR, Int8, INT8)
KIT_SAFE_CONVERSION(ULongPtr, ULONG_PTR, LongPtr, LONG_PTR)
KIT_SAFE_CONVERSION(ULongPtr, ULONG_PTR, UIntPtr, UINT_PTR)
KIT_SAFE_CONVERSION(ULong, ULONG, Char, CHAR)
KIT_SAFE_CONVERSION(ULong, ULONG, Int8, INT8)
KIT_SAFE_CONVERSION(ULong, ULONG, LongPtr, LONG_PTR)
KIT_SAFE_CONVERSION(ULong, ULONG, UIntPtr, UINT_PTR)
KIT_SAFE_CONVERSION(UShort, USHORT, Char, CHAR)
KIT_SAFE_CONVERSION(UShort, USHORT, Int8, INT8)

#undef KIT_SAFE_OPERATION
#undef KIT_SAFE_TYPE
#undef KIT_SAFE_CONVERSION
#undef KIT_SAFE_FROM

KIT_END

#endif /* KIT_NTINTSAFE_H */
