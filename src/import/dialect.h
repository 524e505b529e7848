/*
 * dialect.h: the differences of Microsoft's compiler, in a source that is preprocessed.
 *
 *     long          32 bits there, 64 here: `long` becomes `int`, `unsigned long int` `unsigned
 *                   int`; `long double` stays. 1UL loses its L: the type is what fits
 *     long long     __int64 there, and size_t an unsigned one: here size_t is `unsigned long`, and
 *                   so are `unsigned long long`, `unsigned __int64` and SIZE_T. 1ULL becomes 1UL
 *     1ui64         a suffix that gcc does not know
 *     __inline      the kit forces it in C; here no variadic function can be put in line, so the
 *                   attribute goes. One that is not static becomes weak: several sources may
 *                   have it
 *     static        where a function was declared without it first, C refuses it: the word
 *                   goes, and the function gets a name that no other source has
 *     f("x", )      a macro's comma before an empty __VA_ARGS__ goes
 *
 * Only the driver's own lines are looked at, which the line markers (# 12 "file.c") tell from the
 * kit's.
 */
#ifndef VIDMM_IMPORT_DIALECT_H
#define VIDMM_IMPORT_DIALECT_H

struct vidmm_arena;
struct vidmm_kit_place;

/* The text, translated; NULL: it is the same in both dialects. unique: a word for the names of this
 * source alone; NULL: a `static` that comes late stays. */
char *vidmm_kit_dialect(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                        const char *unique, const char *text);

#endif
