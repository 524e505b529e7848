/*
 * acpiioct.h: how a method of the firmware is asked for, and what it answers.
 * Source: acpiioct.h pages of the public reference.
 */
#ifndef KIT_ACPIIOCT_H
#define KIT_ACPIIOCT_H

#include "ntdef.h"

KIT_BEGIN

#define ACPI_EVAL_INPUT_BUFFER_SIGNATURE 0x42696541U /* "AeiB" */
#define ACPI_EVAL_INPUT_BUFFER_SIMPLE_INTEGER_SIGNATURE 0x49696541U
#define ACPI_EVAL_INPUT_BUFFER_SIMPLE_STRING_SIGNATURE 0x53696541U
#define ACPI_EVAL_INPUT_BUFFER_COMPLEX_SIGNATURE 0x43696541U /* "AeiC" */
#define ACPI_EVAL_OUTPUT_BUFFER_SIGNATURE 0x426F6541U        /* "AeoB" */
#define ACPI_METHOD_ARGUMENT_INTEGER 0x0
#define ACPI_METHOD_ARGUMENT_STRING 0x1
#define ACPI_METHOD_ARGUMENT_BUFFER 0x2
#define ACPI_METHOD_ARGUMENT_PACKAGE 0x3
#define ACPI_METHOD_ARGUMENT_PACKAGE_EX 0x4

#pragma pack(push, 1)
typedef struct _ACPI_METHOD_ARGUMENT_V1 {
    USHORT Type;       /* ACPI_METHOD_ARGUMENT_... */
    USHORT DataLength; /* bytes of what follows */
    union {
        ULONG Argument;
        UCHAR Data[4];
    };
} ACPI_METHOD_ARGUMENT_V1, *PACPI_METHOD_ARGUMENT_V1, ACPI_METHOD_ARGUMENT, *PACPI_METHOD_ARGUMENT;
#pragma pack(pop)

typedef struct _ACPI_EVAL_INPUT_BUFFER {
    ULONG Signature;
    union {
        UCHAR MethodName[4];
        ULONG MethodNameAsUlong;
    };
} ACPI_EVAL_INPUT_BUFFER, *PACPI_EVAL_INPUT_BUFFER;

typedef struct _ACPI_EVAL_INPUT_BUFFER_COMPLEX {
    ULONG Signature;
    union {
        UCHAR MethodName[4];
        ULONG MethodNameAsUlong;
    };
    ULONG Size; /* bytes of the arguments */
    ULONG ArgumentCount;
    ACPI_METHOD_ARGUMENT Argument[1];
} ACPI_EVAL_INPUT_BUFFER_COMPLEX, *PACPI_EVAL_INPUT_BUFFER_COMPLEX;

typedef struct _ACPI_EVAL_OUTPUT_BUFFER {
    ULONG Signature;
    ULONG Length; /* bytes of all of this */
    ULONG Count;
    ACPI_METHOD_ARGUMENT Argument[1];
} ACPI_EVAL_OUTPUT_BUFFER, *PACPI_EVAL_OUTPUT_BUFFER;

#define ACPI_METHOD_ARGUMENT_LENGTH(Bytes)                                                         \
    ((FIELD_OFFSET(ACPI_METHOD_ARGUMENT, Argument) + (Bytes)) < sizeof(ACPI_METHOD_ARGUMENT)       \
         ? sizeof(ACPI_METHOD_ARGUMENT)                                                            \
         : (FIELD_OFFSET(ACPI_METHOD_ARGUMENT, Argument) + (Bytes)))
#define ACPI_METHOD_ARGUMENT_LENGTH_FROM_ARGUMENT(Which)                                           \
    ACPI_METHOD_ARGUMENT_LENGTH((Which)->DataLength)
#define ACPI_METHOD_NEXT_ARGUMENT(Which)                                                           \
    ((PACPI_METHOD_ARGUMENT)((PUCHAR)(Which) + ACPI_METHOD_ARGUMENT_LENGTH_FROM_ARGUMENT(Which)))
#define ACPI_METHOD_SET_ARGUMENT_INTEGER(Which, Value)                                             \
    ((Which)->Type = ACPI_METHOD_ARGUMENT_INTEGER, (Which)->DataLength = sizeof(ULONG),            \
     (Which)->Argument = (Value))

KIT_END

#endif /* KIT_ACPIIOCT_H */
