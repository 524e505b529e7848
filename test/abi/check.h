/*
 * check.h: the meaning of the lines of static.inc and old.*.inc. Each names the table's line first.
 */
#ifndef ABI_CHECK_H
#define ABI_CHECK_H

#include "dispmprt.h"
#include "d3dkmthk.h"
#include "ntstatus.h"

#ifdef __cplusplus
#define HOLDS(Condition, Text) static_assert(Condition, Text)
#define SAME(A, B) __is_same(A, B)
#else
#define HOLDS(Condition, Text) _Static_assert(Condition, Text)
#define SAME(A, B) __builtin_types_compatible_p(A, B)
#endif
#define MEMBER(Struct, Path) (((Struct *)0)->Path)

/* A struct or union and its size. */
#define SIZE(Line, Struct, Bytes)                                                                  \
    HOLDS(sizeof(Struct) == (Bytes), "layout.tsv:" #Line ": size of " #Struct);

/* A struct or union within another that has no type name of its own. */
#define BLOCK(Line, Struct, Path, Offset, Bytes)                                                   \
    HOLDS(offsetof(Struct, Path) == (Offset),                                                      \
          "layout.tsv:" #Line ": offset of " #Struct "." #Path);                                   \
    HOLDS(sizeof(MEMBER(Struct, Path)) == (Bytes),                                                 \
          "layout.tsv:" #Line ": size of " #Struct "." #Path);

/* A member: place, size and type. */
#define FIELD(Line, Struct, Path, Type, Offset, Bytes)                                             \
    BLOCK(Line, Struct, Path, Offset, Bytes)                                                       \
    HOLDS(SAME(__typeof__(MEMBER(Struct, Path)), Type),                                            \
          "layout.tsv:" #Line ": type of " #Struct "." #Path);

/* A size in an older interface version. */
#define OLD(Line, Struct, Bytes)                                                                   \
    HOLDS(sizeof(Struct) == (Bytes), "layout.tsv:" #Line ": older size of " #Struct);

/* An enumerator: value and sign, and that its enum has 32 bits. */
#define ENUMERATOR(Line, Enum, Name, Number)                                                       \
    HOLDS(sizeof(Enum) == 4, "enums.tsv:" #Line ": size of " #Enum);                               \
    HOLDS((long long)(Name) == (long long)(Number), "enums.tsv:" #Line ": value of " #Name);

/* A macro of 32 bits, whose sign the table leaves open; and one of 64. */
#define VALUE(Line, Name, Number)                                                                  \
    HOLDS((UINT)(Name) == (UINT)(Number), "enums.tsv:" #Line ": value of " #Name);
#define WIDE(Line, Name, Number)                                                                   \
    HOLDS((UINT64)(Name) == (UINT64)(Number), "enums.tsv:" #Line ": value of " #Name);

#endif /* ABI_CHECK_H */
