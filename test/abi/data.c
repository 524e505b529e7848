/*
 * data.c: bits.c for a target whose programs cannot be run here. Each object is a constant of the
 * object file; `run` reads the section .abi back and compares its bytes.
 */
#include "check.h"

#define PLACED __attribute__((section(".abi"), used, aligned(8)))
#ifdef __cplusplus
#define BIT(Line, Struct, Path, Type, First, Width)                                                \
    constexpr Struct bit_##Line PLACED = [] {                                                      \
        Struct object{};                                                                           \
        object.Path = (Type)~0ull;                                                                 \
        return object;                                                                             \
    }();
#else
#define BIT(Line, Struct, Path, Type, First, Width)                                                \
    const Struct bit_##Line PLACED = {.Path = (Type)~0ull};
#endif

#include "bits.inc"
